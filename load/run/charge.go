package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/load/data"
	"github.com/pixcert/pixcert/load/gateway"
	"github.com/pixcert/pixcert/load/ledger"
)

// CashIn makes a dynamic charge. It is no payment until somebody pays it: [Run.Pay].
func (r *Run) CashIn(ctx context.Context, c Call, edit func(*data.CashIn)) *Payment {
	id := r.source.Next()
	body := r.source.CashIn(id)
	if edit != nil {
		edit(&body)
	}
	p := &Payment{ID: id, Kind: ledger.CashIn, Account: c.Account, Amount: body.Value, ExternalID: body.ExternalID}
	r.Measure(gateway.CashIn, c.Intended, func() *gateway.Exchange {
		p.Answer, p.Exchange = c.Account.CashIn(ctx, c.Sender, &body)
		return p.Exchange
	})
	return p
}

// Cob makes an immediate charge.
func (r *Run) Cob(ctx context.Context, c Call, edit func(*data.Cob)) *Payment {
	id := r.source.Next()
	body := r.source.Cob(id)
	if body.Key == "" {
		body.Key = c.Account.PixKey
	}
	if edit != nil {
		edit(&body)
	}
	p := &Payment{ID: id, Kind: ledger.Cob, Account: c.Account, Amount: body.Value, ExternalID: body.TxID}
	r.Measure(gateway.Cob, c.Intended, func() *gateway.Exchange {
		p.Answer, p.Exchange = c.Account.Cob(ctx, c.Sender, &body)
		return p.Exchange
	})
	return p
}

// Pay has somebody pay a charge, by the test controls, and gives the end-to-end id of the
// payment. The books count it from then on. Whether a payment that the controls did not
// answer for was made is found out at the end, as that of any other.
func (r *Run) Pay(ctx context.Context, c Call, charge *Payment) (endToEndID string, err error) {
	switch {
	case r.controls == nil:
		return "", fmt.Errorf("cannot pay a charge: %w", errNoControls)
	case unnumbered(charge.Account):
		return "", errors.New("cannot pay a charge: expected the id of its account, by which the test controls know it, got none: add it to the accounts")
	case charge.Kind != ledger.CashIn && charge.Kind != ledger.Cob || !charge.Accepted():
		return "", errors.New("cannot pay a charge: expected one that the gateway accepted")
	}
	r.ledger.Register(ledger.Payment{
		ID: charge.ID, Kind: charge.Kind, Account: charge.Account.Index, Amount: charge.Amount,
		Intended: c.Intended, Sent: time.Now(), Watch: c.Watch,
	})
	if charge.Kind == ledger.CashIn { // whose event may name it as it likes
		r.named(charge.ID, charge.TransactionID)
		r.named(charge.ID, charge.CorrelationID)
	}
	endToEndID, err = r.controls.Pay(ctx, charge.Account.Credentials.ID, charge.PixCode)
	r.ledger.Answered(charge.ID, ledger.Answer{Fate: paid(err), TransactionID: charge.TransactionID, At: time.Now()})
	if err != nil {
		return "", fmt.Errorf("cannot pay a charge: %w", err)
	}
	if charge.Kind == ledger.Cob { // which the lists show under no name of the run's
		r.ledger.EndToEnd(charge.ID, endToEndID)
	} else {
		r.named(charge.ID, endToEndID)
	}
	return endToEndID, nil
}

// paid is what became of a payment that the controls were asked for: one that they refused,
// or do not have, is not to be waited for.
func paid(err error) ledger.Fate {
	var refusal *gateway.Refusal
	switch {
	case err == nil:
		return ledger.Accepted
	case errors.Is(err, gateway.ErrNoControl), errors.As(err, &refusal) && refusal.Status >= 400 && refusal.Status < 500:
		return ledger.Refused
	}
	return ledger.Unheard
}

// ExpectResend tells the books that the webhook of a payment is going to be sent again.
func (r *Run) ExpectResend(p *Payment) { r.ledger.ExpectResend(p.ID) }

// DoubtResend tells the books that nobody knows whether it was.
func (r *Run) DoubtResend(p *Payment) { r.ledger.DoubtResend(p.ID) }

// UnexpectResend tells them that it is not: the gateway refused to.
func (r *Run) UnexpectResend(p *Payment) { r.ledger.UnexpectResend(p.ID) }

// Transaction is a name by which the API finds the payment.
func (p *Payment) Transaction() string {
	if p.Kind == ledger.Transfer && p.TransactionID != "" {
		return p.TransactionID
	}
	return p.ExternalID
}

// OnSettled has f called once with the event that tells a payment's end, or with why none
// can come.
func (r *Run) OnSettled(id data.ID, f func(ledger.Event, error)) (cancel func() bool) {
	return r.ledger.OnSettled(id, f)
}

// Payees says whether there is somebody whom transfers go to.
func (r *Run) Payees() bool { return len(r.payees) > 0 }

// WebhookURL is where this run receives the events of a type for an account; empty: it
// does not.
func (r *Run) WebhookURL(a *gateway.Account, event string) string {
	if r.sink == nil {
		return ""
	}
	return r.sink.URL(a.Index, event, 0)
}
