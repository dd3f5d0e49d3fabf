package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/pixcert/pixcert/reference/pix"
)

// LatestEvent gives the last event of a payment to be delivered again, under its own
// webhook-id, to the URL that was registered first for its type and is active; the URL is
// empty when there is none. The payment is named by one of the identifiers below. A
// payment of which there is nothing to tell yet is a *pix.Refusal.
func (s *Store) LatestEvent(ctx context.Context, accountID int64, identifier string) (Delivery, error) {
	var d Delivery
	err := s.snapshot(ctx, func(c conn) error {
		p, err := c.identified(accountID, identifier)
		if err != nil {
			return err
		}
		d, err = c.latestEvent(p)
		return err
	})
	return d, err
}

// identifiers are what a client may name a payment by, in the order in which they are
// tried ("POST /api/resend-webhook/{transactionIdentifier}"; the last is an extra).
// Where an externalId is that of several payments, those count first whose client chose
// it; then the oldest.
var identifiers = [...]struct {
	column  string
	numeric bool
}{
	{"p.id", true},
	{"p.external_id", false},
	{"p.end_to_end_id", false},
	{"p.transaction_id", false},
}

func (c conn) identified(accountID int64, identifier string) (pix.Payment, error) {
	for _, by := range identifiers {
		var value any = identifier
		if by.numeric {
			number, err := strconv.ParseInt(identifier, 10, 64)
			if err != nil {
				continue
			}
			value = number
		}
		p, err := scanPayment(c.row(`SELECT `+paymentColumns+` FROM payments p WHERE `+by.column+` = $1 AND p.account_id = $2
			ORDER BY CASE WHEN `+publicKinds+` THEN 0 ELSE 1 END, p.id LIMIT 1`, value, accountID))
		if !errors.Is(err, sql.ErrNoRows) {
			return p, err
		}
	}
	return pix.Payment{}, ErrNotFound
}

func (c conn) latestEvent(p pix.Payment) (Delivery, error) {
	d := Delivery{AccountID: p.AccountID, PaymentID: p.ID, Attempt: 1}
	var event pix.EventType
	err := c.row(`SELECT message_id, type, body FROM events WHERE payment_id = $1 AND payment_id <> 0 ORDER BY id DESC LIMIT 1`, p.ID).
		Scan(&d.MessageID, &event, &d.Body)
	if errors.Is(err, sql.ErrNoRows) {
		return d, pix.Refuse(pix.CodeValidation, fmt.Sprintf("expected a transaction that webhooks tell of; this one is %s and has nothing to send yet", p.Status))
	}
	if err != nil {
		return d, err
	}
	webhooks, err := c.registrations(`account_id = $1 AND type = $2 AND active = 1 ORDER BY id LIMIT 1`, p.AccountID, event)
	if err == nil && len(webhooks) == 1 {
		d.WebhookID, d.URL, d.Headers = webhooks[0].ID, webhooks[0].URL, webhooks[0].Headers
	}
	return d, err
}

// LogDelivery writes an attempt that no job asked for into the log, and gives the id of
// its line.
func (s *Store) LogDelivery(ctx context.Context, d Delivery, a Attempt) (int64, error) {
	var id int64
	err := s.write(ctx, func(t *tx) error {
		id = t.logDelivery(d, a)
		return nil
	})
	return id, err
}
