package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// Delivery is one webhook to one URL, leased to whoever sends it now, or sent again by
// request.
type Delivery struct {
	JobID     int64 // 0: by request
	AccountID int64
	PaymentID int64
	WebhookID int64  // 0: the URL is registered nowhere
	MessageID string // the same over retries
	Attempt   int    // 1 is the first
	URL       string
	Headers   []pix.Header
	Body      string // JSON
}

// Attempt is how a delivery went.
type Attempt struct {
	Status  int    // of HTTP; 0: no answer
	Failure string // why there was no answer
	At      time.Time
	Took    time.Duration
}

// Delivered says whether the receiver took the event: any 2xx.
func (a Attempt) Delivered() bool { return a.Status >= 200 && a.Status <= 299 }

// Backlog says that a webhook has deliveries, the first of them due at Due (real time).
type Backlog struct {
	WebhookID int64
	AccountID int64
	Due       time.Time
}

// Backlogs lists the webhooks for which there is something to deliver now or later and
// that is not leased, the longest due first. It costs the same however much is queued
// for each.
func (s *Store) Backlogs(ctx context.Context) ([]Backlog, error) {
	// The recursion hops from the first job of one webhook to that of the next along the
	// index, past the others.
	const query = `WITH RECURSIVE first (id, webhook_id, account_id, due_at) AS (
			SELECT * FROM (SELECT id, webhook_id, account_id, due_at FROM jobs
				WHERE kind = 'deliver' AND leased_until = 0 ORDER BY webhook_id, due_at LIMIT 1)
			UNION ALL
			SELECT next.id, next.webhook_id, next.account_id, next.due_at FROM first JOIN jobs next ON next.id =
				(SELECT jobs.id FROM jobs WHERE kind = 'deliver' AND leased_until = 0 AND jobs.webhook_id > first.webhook_id
				ORDER BY jobs.webhook_id, jobs.due_at LIMIT 1))
		SELECT webhook_id, account_id, due_at FROM first ORDER BY due_at`
	var backlogs []Backlog
	err := s.read(ctx, func(c conn) error {
		backlogs = nil
		return c.each(func(row scanner) error {
			var b Backlog
			var due int64
			err := row.Scan(&b.WebhookID, &b.AccountID, &due)
			b.Due = time.UnixMicro(due).UTC()
			backlogs = append(backlogs, b)
			return err
		}, query)
	})
	return backlogs, err
}

// LeaseDeliveries takes what is due for one webhook, the longest due first and at most
// limit, for the time of the lease. Nobody else is given it until VoidLeases finds that
// the time is over.
func (s *Store) LeaseDeliveries(ctx context.Context, webhookID int64, limit int, lease time.Duration) ([]Delivery, error) {
	var deliveries []Delivery
	err := s.write(ctx, func(t *tx) error {
		webhooks, err := t.registrations(`id = $1`, webhookID)
		if err != nil {
			return err
		}
		if len(webhooks) == 0 { // it was removed: there is nowhere to deliver to
			return t.run(`DELETE FROM jobs WHERE kind = 'deliver' AND webhook_id = $1`, webhookID)
		}
		now := time.Now()
		if deliveries, err = t.dueDeliveries(webhooks[0], limit, now); err != nil || len(deliveries) == 0 {
			return err
		}
		leased := []any{now.Add(lease).UnixMicro()}
		for _, d := range deliveries {
			leased = append(leased, d.JobID)
		}
		return t.run(`UPDATE jobs SET leased_until = $1, attempts = attempts + 1 WHERE id IN (`+places(2, len(deliveries))+`)`, leased...)
	})
	return deliveries, err
}

// dueDeliveries lists what is due for a webhook and leased to nobody. Its limit is no
// parameter, see dueTasks.
func (c conn) dueDeliveries(webhook pix.Registration, limit int, now time.Time) ([]Delivery, error) {
	var deliveries []Delivery
	err := c.each(func(row scanner) error {
		d := Delivery{WebhookID: webhook.ID, URL: webhook.URL, Headers: webhook.Headers}
		err := row.Scan(&d.JobID, &d.AccountID, &d.PaymentID, &d.Attempt, &d.MessageID, &d.Body)
		deliveries = append(deliveries, d)
		return err
	}, `SELECT j.id, j.account_id, j.payment_id, j.attempts + 1, e.message_id, e.body
		FROM jobs j JOIN events e ON e.id = j.event_id
		WHERE j.kind = 'deliver' AND j.webhook_id = $1 AND j.due_at <= $2 AND j.leased_until = 0
		ORDER BY j.due_at LIMIT `+strconv.Itoa(limit), webhook.ID, now.UnixMicro())
	return deliveries, err
}

// VoidLeases takes back what was leased for a time that is over: whoever had it did not
// finish it.
func (s *Store) VoidLeases(ctx context.Context) error {
	return s.write(ctx, func(t *tx) error {
		t.wake = true
		return t.run(`UPDATE jobs SET leased_until = 0 WHERE leased_until <> 0 AND leased_until <= $1`, time.Now().UnixMicro())
	})
}

// Attempted is a leased delivery that was attempted. One that was broken off counts as
// if it had never begun.
type Attempted struct {
	Delivery
	Attempt
	BrokenOff bool
}

// FinishDeliveries writes attempts into the log and ends the jobs whose event was
// delivered or whose last retry failed. The others are due again when their next retry
// is; those that were broken off are due at once.
func (s *Store) FinishDeliveries(ctx context.Context, attempted []Attempted) error {
	return s.write(ctx, func(t *tx) error {
		t.wake = true
		ended := make([]any, 0, len(attempted))
		for _, a := range attempted {
			end, err := t.finishDelivery(a)
			if err != nil {
				return err
			}
			if end {
				ended = append(ended, a.JobID)
			}
		}
		if len(ended) == 0 {
			return nil
		}
		return t.run(`DELETE FROM jobs WHERE id IN (`+places(1, len(ended))+`)`, ended...)
	})
}

// finishDelivery says whether the job has ended.
func (t *tx) finishDelivery(a Attempted) (ended bool, err error) {
	if a.BrokenOff {
		return false, t.run(`UPDATE jobs SET leased_until = 0, attempts = $1 WHERE id = $2`, a.Delivery.Attempt-1, a.JobID)
	}
	t.logDelivery(a.Delivery, a.Attempt)
	wait, again := pix.RetryAfter(a.Delivery.Attempt)
	if a.Delivered() || !again {
		return true, nil
	}
	return false, t.run(`UPDATE jobs SET leased_until = 0, due_at = $1 WHERE id = $2`, time.Now().Add(wait).UnixMicro(), a.JobID)
}

// places are n parameters from a first on, for a list.
func places(first, n int) string {
	var list strings.Builder
	for i := range n {
		if i > 0 {
			list.WriteByte(',')
		}
		list.WriteByte('$')
		list.WriteString(strconv.Itoa(first + i))
	}
	return list.String()
}

func (t *tx) logDelivery(d Delivery, a Attempt) (id int64) {
	id = t.ids.nextRow()
	t.append(deliveriesTable, id, d.AccountID, d.PaymentID, d.WebhookID, d.MessageID, pix.ShownURL(d.URL), d.Attempt,
		a.Status, a.Failure, a.At.UnixMicro(), a.Took.Microseconds())
	return id
}

// DeliveryLog lists every attempt to deliver events of an account, in their order.
func (s *Store) DeliveryLog(ctx context.Context, accountID int64) ([]LoggedAttempt, error) {
	return readAll(ctx, s, scanAttempt, `SELECT `+attemptColumns+` FROM deliveries WHERE account_id = $1 ORDER BY id`, accountID)
}

const attemptColumns = `id, webhook_id, payment_id, message_id, url, attempt, status, failure, at, took`

func scanAttempt(row scanner) (LoggedAttempt, error) {
	var l LoggedAttempt
	var at, took int64
	err := row.Scan(&l.ID, &l.WebhookID, &l.PaymentID, &l.MessageID, &l.URL, &l.Number, &l.Status, &l.Failure, &at, &took)
	l.At, l.Took = time.UnixMicro(at).UTC(), time.Duration(took)*time.Microsecond
	return l, err
}

// LoggedAttempt is one line of the delivery log.
type LoggedAttempt struct {
	Attempt
	ID        int64
	WebhookID int64
	PaymentID int64
	MessageID string
	URL       string // as pix.ShownURL shows it
	Number    int    // 1 is the first attempt
}
