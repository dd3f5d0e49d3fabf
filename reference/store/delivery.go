package store

import (
	"context"
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
	Due       time.Time
}

// Backlogs lists the webhooks for which there is something to deliver now or later and
// that is not leased, the longest due first. It costs the same however much is queued
// for each.
func (s *Store) Backlogs(ctx context.Context) ([]Backlog, error) {
	// The recursion hops from one webhook to the next along the index, past its jobs.
	const query = `WITH RECURSIVE queued (webhook_id) AS (
			SELECT MIN(webhook_id) FROM jobs WHERE kind = 'deliver'
			UNION ALL
			SELECT (SELECT MIN(jobs.webhook_id) FROM jobs WHERE kind = 'deliver' AND jobs.webhook_id > queued.webhook_id)
			FROM queued WHERE queued.webhook_id IS NOT NULL)
		SELECT webhook_id, due_at FROM (
			SELECT webhook_id, (SELECT jobs.due_at FROM jobs
				WHERE kind = 'deliver' AND jobs.webhook_id = queued.webhook_id AND leased_until <= $1
				ORDER BY jobs.due_at LIMIT 1) AS due_at
			FROM queued WHERE webhook_id IS NOT NULL) AS backlogs
		WHERE due_at IS NOT NULL ORDER BY due_at`
	var backlogs []Backlog
	err := s.read(ctx, func(c conn) error {
		return c.each(func(row scanner) error {
			var b Backlog
			var due int64
			err := row.Scan(&b.WebhookID, &due)
			b.Due = time.UnixMicro(due).UTC()
			backlogs = append(backlogs, b)
			return err
		}, query, time.Now().UnixMicro())
	})
	return backlogs, err
}

// LeaseDeliveries takes what is due for one webhook, the longest due first and at most
// limit, for the time of the lease. Nobody else is given it until then.
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
		return t.each(func(row scanner) error {
			d := Delivery{WebhookID: webhookID, URL: webhooks[0].URL, Headers: webhooks[0].Headers}
			err := row.Scan(&d.JobID, &d.AccountID, &d.PaymentID, &d.Attempt, &d.MessageID, &d.Body)
			deliveries = append(deliveries, d)
			return err
		}, `UPDATE jobs SET leased_until = $1, attempts = attempts + 1 WHERE id IN (
				SELECT id FROM jobs WHERE kind = 'deliver' AND webhook_id = $2 AND due_at <= $3 AND leased_until <= $3
				ORDER BY due_at LIMIT $4)
			RETURNING id, account_id, payment_id, attempts,
				(SELECT message_id FROM events WHERE events.id = jobs.event_id),
				(SELECT body FROM events WHERE events.id = jobs.event_id)`,
			now.Add(lease).UnixMicro(), webhookID, now.UnixMicro(), limit)
	})
	return deliveries, err
}

// FinishDelivery writes an attempt into the log and ends the job when the event was
// delivered or its last retry failed. Otherwise the job is due again when the next
// retry is.
func (s *Store) FinishDelivery(ctx context.Context, d Delivery, a Attempt) error {
	return s.write(ctx, func(t *tx) error {
		t.wake = true
		if _, err := t.logDelivery(d, a); err != nil {
			return err
		}
		wait, again := pix.RetryAfter(d.Attempt)
		if a.Delivered() || !again {
			return t.run(`DELETE FROM jobs WHERE id = $1`, d.JobID)
		}
		return t.run(`UPDATE jobs SET leased_until = 0, due_at = $1 WHERE id = $2`, time.Now().Add(wait).UnixMicro(), d.JobID)
	})
}

func (t *tx) logDelivery(d Delivery, a Attempt) (id int64, err error) {
	id = t.ids.nextRow()
	return id, t.run(`INSERT INTO deliveries (id, account_id, payment_id, webhook_id, message_id, url, attempt, status, failure, at, took)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		id, d.AccountID, d.PaymentID, d.WebhookID, d.MessageID, d.URL, d.Attempt,
		a.Status, a.Failure, a.At.UnixMicro(), a.Took.Microseconds())
}

// ReturnDelivery gives a lease back without an attempt.
func (s *Store) ReturnDelivery(ctx context.Context, d Delivery) error {
	return s.write(ctx, func(t *tx) error {
		return t.run(`UPDATE jobs SET leased_until = 0, attempts = $1 WHERE id = $2`, d.Attempt-1, d.JobID)
	})
}

// DeliveryLog lists every attempt to deliver events of an account, in their order.
func (s *Store) DeliveryLog(ctx context.Context, accountID int64) ([]LoggedAttempt, error) {
	var log []LoggedAttempt
	err := s.read(ctx, func(c conn) error {
		return c.each(func(row scanner) error {
			var l LoggedAttempt
			var at, took int64
			err := row.Scan(&l.ID, &l.WebhookID, &l.PaymentID, &l.MessageID, &l.URL, &l.Number, &l.Status, &l.Failure, &at, &took)
			l.At, l.Took = time.UnixMicro(at).UTC(), time.Duration(took)*time.Microsecond
			log = append(log, l)
			return err
		}, `SELECT id, webhook_id, payment_id, message_id, url, attempt, status, failure, at, took
			FROM deliveries WHERE account_id = $1 ORDER BY id`, accountID)
	})
	return log, err
}

// LoggedAttempt is one line of the delivery log.
type LoggedAttempt struct {
	Attempt
	ID        int64
	WebhookID int64
	PaymentID int64
	MessageID string
	URL       string
	Number    int // 1 is the first attempt
}
