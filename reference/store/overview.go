package store

import (
	"context"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// Overview is the newest of what an account has, for a person to look at.
type Overview struct {
	Account  pix.Account
	Payments []ListedPayment // not the charges that nobody has paid
	Charges  []ListedCharge
	MEDs     []pix.MED
	Webhooks []pix.Registration
	Events   []ListedEvent
}

// ListedPayment is a payment with what a test control needs to act on it.
type ListedPayment struct {
	pix.Payment
	RtrID string // of a refund
}

// ListedCharge is a charge with the id that its client chose, and its state at the account's time.
type ListedCharge struct {
	pix.Charge
	ExternalID string
	State      string
	Payable    bool
}

// ListedEvent is an event with its deliveries.
type ListedEvent struct {
	ID        int64
	MessageID string // webhook-id
	Type      pix.EventType
	About     string // id of its payment, as the client knows it; empty for an event of no payment
	Body      string
	At        time.Time // by the account's clock
	Attempts  []LoggedAttempt
	Waiting   []WaitingDelivery
}

// WaitingDelivery is a delivery that is due now or later.
type WaitingDelivery struct {
	URL string // as pix.ShownURL shows it
	Due time.Time
}

// Accounts lists accounts by id, at most limit.
func (s *Store) Accounts(ctx context.Context, limit int) ([]pix.Account, error) {
	return readAll(ctx, s, scanAccount, `SELECT `+accountColumns+` FROM accounts WHERE removed = 0 ORDER BY id LIMIT $1`, limit)
}

// Overview lists the newest of what an account has, at most limit of each kind. These reads have no index of
// their own, because only people request them.
func (s *Store) Overview(ctx context.Context, accountID int64, limit int) (Overview, error) {
	account, err := s.Account(ctx, accountID)
	if err != nil {
		return Overview{}, err
	}
	o := Overview{Account: account}
	if o.Webhooks, err = s.Webhooks(ctx, accountID); err != nil {
		return o, err
	}
	if o.Payments, err = readAll(ctx, s, scanListedPayment, `SELECT `+paymentColumns+`, COALESCE(r.rtr_id, '')
		FROM payments p LEFT JOIN refunds r ON r.payment_id = p.id
		WHERE p.account_id = $1 AND NOT (p.kind = `+quoted(pix.KindCashIn)+` AND p.status = `+quoted(pix.Pending)+`) ORDER BY p.id DESC LIMIT $2`, accountID, limit); err != nil {
		return o, err
	}
	q := searches["charge"]
	if o.Charges, err = readAll(ctx, s, scanListedCharge, fmt.Sprintf(`SELECT c.id, c.kind, c.txid, c.pix_code, c.amount, c.created_at, c.expires_at,
		COALESCE(p.external_id, ''), %s, %s FROM %s ORDER BY c.id DESC LIMIT $2`, q.state, q.can, q.from),
		accountID, limit, account.Now().UnixMicro()); err != nil {
		return o, err
	}
	if o.MEDs, err = readAll(ctx, s, scanMED, `SELECT `+medColumns+` FROM meds WHERE account_id = $1 ORDER BY id DESC LIMIT $2`, accountID, limit); err != nil {
		return o, err
	}
	o.Events, err = s.listedEvents(ctx, accountID, limit)
	return o, err
}

func (s *Store) listedEvents(ctx context.Context, accountID int64, limit int) ([]ListedEvent, error) {
	events, err := readAll(ctx, s, scanListedEvent, `SELECT e.id, e.message_id, e.type, e.body, e.at,
		COALESCE(NULLIF(p.external_id, ''), p.end_to_end_id, '') FROM events e LEFT JOIN payments p ON p.id = e.payment_id
		WHERE e.account_id = $1 ORDER BY e.id DESC LIMIT $2`, accountID, limit)
	for i := range events {
		e := &events[i]
		// An attempt has a later id than its event.
		if e.Attempts, err = readAll(ctx, s, scanAttempt, `SELECT `+attemptColumns+` FROM deliveries
			WHERE account_id = $1 AND message_id = $2 AND id > $3 ORDER BY id`, accountID, e.MessageID, e.ID); err != nil {
			return nil, err
		}
		if e.Waiting, err = readAll(ctx, s, scanWaiting, `SELECT w.url, j.due_at FROM jobs j JOIN webhooks w ON w.id = j.webhook_id
			WHERE j.kind = 'deliver' AND j.event_id = $1 ORDER BY j.id`, e.ID); err != nil {
			return nil, err
		}
	}
	return events, err
}

// Redeliver queues an event for every URL that is registered for its type now, under the same webhook-id, and replaces
// the retries that it has left. An event that nobody subscribes to is a *pix.Refusal.
func (s *Store) Redeliver(ctx context.Context, accountID, eventID int64) error {
	return s.write(ctx, func(t *tx) error {
		var paymentID int64
		var kind pix.EventType
		err := t.row(`SELECT payment_id, type FROM events WHERE id = $1 AND account_id = $2`, eventID, accountID).Scan(&paymentID, &kind)
		if err != nil {
			return orNotFound(err)
		}
		webhooks, err := t.subscribers(accountID, kind)
		if err != nil {
			return err
		}
		if len(webhooks) == 0 {
			return pix.Refuse(pix.CodeValidation, fmt.Sprintf("expected a URL that is registered for %s, found none", kind))
		}
		if err := t.run(`DELETE FROM jobs WHERE kind = 'deliver' AND event_id = $1 AND leased_until = 0`, eventID); err != nil {
			return err
		}
		for _, webhook := range webhooks {
			if err := t.queue(job{Kind: deliverJob, AccountID: accountID, PaymentID: paymentID, EventID: eventID, WebhookID: webhook, Due: time.Now()}); err != nil {
				return err
			}
		}
		return nil
	})
}

// readAll reads the rows of a query.
func readAll[T any](ctx context.Context, s *Store, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	var all []T
	err := s.read(ctx, func(c conn) error {
		all = nil
		return c.each(func(row scanner) error {
			one, err := scan(row)
			all = append(all, one)
			return err
		}, query, args...)
	})
	return all, err
}

func scanListedPayment(row scanner) (p ListedPayment, err error) {
	p.Payment, err = scanPayment(row, &p.RtrID)
	return p, err
}

func scanListedCharge(row scanner) (ListedCharge, error) {
	var c ListedCharge
	var created, expires int64
	err := row.Scan(&c.ID, &c.Kind, &c.TxID, &c.Code, &c.Amount, &created, &expires, &c.ExternalID, &c.State, &c.Payable)
	c.CreatedAt, c.ExpiresAt = time.UnixMicro(created).UTC(), time.UnixMicro(expires).UTC()
	return c, err
}

func scanListedEvent(row scanner) (ListedEvent, error) {
	var e ListedEvent
	var at int64
	err := row.Scan(&e.ID, &e.MessageID, &e.Type, &e.Body, &at, &e.About)
	e.At = time.UnixMicro(at).UTC()
	return e, err
}

func scanWaiting(row scanner) (WaitingDelivery, error) {
	var w WaitingDelivery
	var due int64
	err := row.Scan(&w.URL, &due)
	w.URL, w.Due = pix.ShownURL(w.URL), time.UnixMicro(due).UTC()
	return w, err
}
