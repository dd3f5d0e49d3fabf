package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// jobKind says what is left to do.
type jobKind string

const (
	settleJob  jobKind = "settle"  // an outgoing payment; parked while settlement is manual
	refundJob  jobKind = "refund"  // the refund of a received one; parked while refunds are manual
	expireJob  jobKind = "expire"  // a transfer or a charge that nobody settled or paid in time
	splitJob   jobKind = "split"   // the parts of a paid charge that others get later
	deliverJob jobKind = "deliver" // an event to one URL
)

// tasks are the kinds of job that have no effect outside the database. Such a job is
// done in one transaction and takes no lease: a crash leaves it either done or due.
// Whoever does a job removes it.
var tasks = map[jobKind]func(*tx, job) error{
	settleJob: (*tx).settle,
	expireJob: (*tx).expire,
	splitJob:  (*tx).split,
	refundJob: (*tx).settleRefund,
}

// job is one thing left to do; of the ids those are 0 that it is not about.
type job struct {
	ID        int64
	Kind      jobKind
	AccountID int64
	PaymentID int64
	ChargeID  int64
	EventID   int64
	WebhookID int64
	Parked    bool
	Due       time.Time // real time

	settlement *settlement // what a settleJob is about
}

// queue adds a job; its id is made here.
func (t *tx) queue(j job) error {
	t.wake = true
	return t.run(`INSERT INTO jobs (id, kind, account_id, payment_id, charge_id, event_id, webhook_id, parked, due_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		t.ids.nextRow(), j.Kind, j.AccountID, j.PaymentID, j.ChargeID, j.EventID, j.WebhookID, flag(j.Parked), j.Due.UnixMicro())
}

// unqueue removes what is left to do about a payment, but for what is left to tell: before the
// commit, for many payments at once. Until then a job of the payment does nothing, see ErrFinished.
func (t *tx) unqueue(paymentID int64) {
	t.cache.unqueued = append(t.cache.unqueued, paymentID)
	t.changed = true
}

func (t *tx) flushUnqueued() error {
	payments := t.cache.unqueued
	for _, n := range rowsPerStatement {
		for ; len(payments) >= n; payments = payments[n:] {
			if err := t.conn.run(unqueueing[n], payments[:n]...); err != nil {
				return err
			}
		}
	}
	t.cache.unqueued = t.cache.unqueued[:0]
	return nil
}

// unqueueing are the statements by number of payments.
var unqueueing = func() map[int]string {
	all := map[int]string{}
	for _, n := range rowsPerStatement {
		all[n] = `DELETE FROM jobs WHERE payment_id IN (` + places(1, n) + `) AND payment_id <> 0 AND kind <> 'deliver'`
	}
	return all
}()

// expire ends what was not finished in time.
func (t *tx) expire(j job) error {
	if j.ChargeID != 0 {
		return t.expireCharge(j)
	}
	return t.expireTransfer(j)
}

// Done is what DoDue did with one job.
type Done struct {
	Kind      string
	AccountID int64
	PaymentID int64 // 0: it is of no payment
	ChargeID  int64 // likewise
	Err       error // why it could not be done; it is tried again later
}

const (
	maxTasks  = 256             // that one transaction does
	taskRetry = 5 * time.Second // how long a job waits that failed for a fault of the gateway itself
)

// DoDue settles payments whose account settles automatically, and does whatever else is
// due but the deliveries, the longest due first and at most 256 in one transaction.
// None in the answer means that none is left.
func (s *Store) DoDue(ctx context.Context) ([]Done, error) {
	var done []Done
	err := s.write(ctx, func(t *tx) error {
		now := time.Now()
		due, err := t.dueTasks(now)
		if err != nil {
			return err
		}
		if err := t.readAhead(due, now); err != nil {
			return err
		}
		done = make([]Done, 0, len(due))
		for _, j := range due {
			broken, err := t.do(j)
			if broken != nil {
				return broken
			}
			done = append(done, Done{Kind: string(j.Kind), AccountID: j.AccountID, PaymentID: j.PaymentID, ChargeID: j.ChargeID, Err: err})
		}
		return nil
	})
	return done, err
}

// do does one job, and puts it off when it fails. broken says that the transaction
// itself is lost.
func (t *tx) do(j job) (broken, err error) {
	task, known := tasks[j.Kind]
	if !known {
		task = func(*tx, job) error { return errors.New("nobody knows how to do this kind of job") }
	}
	broken, err = t.isolated(func(t *tx) error { return task(t, j) })
	switch {
	case broken != nil || err == nil:
		return broken, err
	case errors.Is(err, ErrFinished): // by another job of the same payment or charge, a moment ago
		return t.run(`DELETE FROM jobs WHERE id = $1`, j.ID), nil
	}
	return t.run(`UPDATE jobs SET due_at = $1 WHERE id = $2`, time.Now().Add(taskRetry).UnixMicro(), j.ID), err
}

func (c conn) dueTasks(now time.Time) ([]job, error) {
	var due []job
	err := c.each(func(row scanner) error {
		var j job
		err := row.Scan(&j.ID, &j.Kind, &j.AccountID, &j.PaymentID, &j.ChargeID)
		due = append(due, j)
		return err
	}, `SELECT id, kind, account_id, payment_id, charge_id`+dueTasks, now.UnixMicro())
	return due, err
}

// dueTasks is where the tasks are that are due at $1. A limit that were a parameter
// would have SQLite plan the statement anew each time.
var dueTasks = fmt.Sprintf(` FROM jobs WHERE kind <> 'deliver' AND parked = 0 AND due_at <= $1 ORDER BY due_at, id LIMIT %d`, maxTasks)

// NextDue is when the next job but deliveries is due, in real time; it is false when
// there is none.
func (s *Store) NextDue(ctx context.Context) (time.Time, bool, error) {
	var due *int64
	err := s.read(ctx, func(c conn) error {
		return c.row(`SELECT MIN(due_at) FROM jobs WHERE kind <> 'deliver' AND parked = 0`).Scan(&due)
	})
	if err != nil || due == nil {
		return time.Time{}, false, err
	}
	return time.UnixMicro(*due).UTC(), true, nil
}

// HasDue says whether anything is due for an account and not done yet; what is being
// delivered at the moment counts.
func (s *Store) HasDue(ctx context.Context, accountID int64) (bool, error) {
	var due bool
	err := s.read(ctx, func(c conn) error {
		return c.row(`SELECT EXISTS (SELECT 1 FROM jobs WHERE kind <> 'deliver' AND parked = 0 AND due_at <= $2 AND account_id = $1)
			OR EXISTS (SELECT 1 FROM jobs WHERE kind = 'deliver' AND leased_until = 0 AND due_at <= $2
				AND webhook_id IN (SELECT id FROM webhooks WHERE account_id = $1))
			OR EXISTS (SELECT 1 FROM jobs WHERE leased_until <> 0 AND account_id = $1)`,
			accountID, time.Now().UnixMicro()).Scan(&due)
	})
	return due, err
}
