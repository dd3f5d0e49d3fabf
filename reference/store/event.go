package store

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// payloads says how the event of a finished payment is written, by the payment's kind.
var payloads = map[pix.Kind]func(*tx, pix.Payment) (any, error){
	pix.KindCashOut:       cashOutResult,
	pix.KindQRCodeCashOut: cashOutResult,
	pix.KindTransfer:      transferEvent,
	pix.KindRefundOut:     refundPayload,
	pix.KindCashIn:        func(_ *tx, p pix.Payment) (any, error) { return pix.NewCashInResult(p), nil },
	pix.KindCob:           func(_ *tx, p pix.Payment) (any, error) { return pix.NewReceiveEvent(p), nil },
	pix.KindRefundIn:      refundPayload,
}

func cashOutResult(_ *tx, p pix.Payment) (any, error) { return pix.NewCashOutResult(p), nil }

// emitPayment emits the event of a finished payment in the shape of its kind. A sandbox scenario may
// hold it back.
func (t *tx) emitPayment(p pix.Payment) error {
	payload, known := payloads[p.Kind]
	if !known {
		return fmt.Errorf("expected a payload for payments of the kind %q, found none", p.Kind)
	}
	body, err := payload(t, p)
	if err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	return t.emit(event{
		accountID: p.AccountID,
		paymentID: p.ID,
		kind:      p.Kind.Operation().Event(),
		payload:   body,
		at:        p.ProcessedAt,
		delay:     p.Scenario.Delay(),
	})
}

// event is something to tell an account's webhooks.
type event struct {
	accountID int64
	paymentID int64 // 0: it is of no payment
	kind      pix.EventType
	payload   any           // that marshals to JSON
	at        time.Time     // by the account's clock
	delay     time.Duration // until it is sent first
}

// emit stores an event, and queues it for every URL that subscribes to its type.
func (t *tx) emit(e event) error {
	body, err := json.Marshal(e.payload)
	if err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	id := t.ids.nextRow()
	err = t.run(`INSERT INTO events (id, account_id, payment_id, message_id, type, body, at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		id, e.accountID, e.paymentID, "msg_"+rand.Text(), e.kind, string(body), e.at.UnixMicro())
	if err != nil {
		return err
	}
	webhooks, err := t.subscribers(e.accountID, e.kind)
	if err != nil {
		return err
	}
	due := time.Now().Add(e.delay)
	for _, webhook := range webhooks {
		err := t.queue(job{
			Kind: deliverJob, AccountID: e.accountID, PaymentID: e.paymentID, EventID: id, WebhookID: webhook, Due: due,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
