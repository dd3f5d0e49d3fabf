package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

// CashIn creates a dynamic charge. It becomes a payment when it is paid: [Run.Pay].
func (r *Run) CashIn(ctx context.Context, c Call, edit func(*data.CashIn)) *Payment {
	id, body := next(r, r.source.CashIn, edit)
	return r.charge(ctx, c, &Payment{ID: id, Kind: ledger.CashIn, Amount: int64(body.Value), ExternalID: body.ExternalID}, &body)
}

// Cob creates an immediate charge.
func (r *Run) Cob(ctx context.Context, c Call, edit func(*data.Cob)) *Payment {
	id, body := next(r, r.source.Cob, edit)
	body.Key = cmp.Or(body.Key, c.Account.PixKey)
	return r.charge(ctx, c, &Payment{ID: id, Kind: ledger.Cob, Amount: int64(body.Value), ExternalID: body.TxID}, &body)
}

func (r *Run) charge(ctx context.Context, c Call, p *Payment, body gateway.Body) *Payment {
	p.Account = c.Account
	c.payment = p.ExternalID
	r.Measure(operation(p.Kind), c, func() *gateway.Exchange {
		p.Answer, p.Exchange = c.Account.Create(ctx, c.Sender, operation(p.Kind), body)
		return p.Exchange
	})
	return p
}

// Pay has a charge paid by the test controls, and returns the end-to-end id of the payment,
// which the ledger counts from then on. If the controls do not respond, the payment is looked
// up at the end, like any other.
func (r *Run) Pay(ctx context.Context, c Call, charge *Payment) (endToEndID string, err error) {
	switch {
	case r.controls == nil:
		return "", fmt.Errorf("cannot pay a charge: %w", errNoControls)
	case unnumbered(charge.Account):
		return "", errors.New("cannot pay a charge: expected the account's id in the test controls, got none: add \"id\" to its credentials")
	case charge.Kind != ledger.CashIn && charge.Kind != ledger.Cob || !charge.Accepted():
		return "", errors.New("cannot pay a charge: expected a charge that the gateway accepted")
	}
	r.ledger.Register(ledger.Payment{
		ID: charge.ID, Kind: charge.Kind, Account: charge.Account.Index, Amount: charge.Amount,
		Origin: c.Origin, Sent: time.Now(),
	}, c.Intended)
	if charge.Kind == ledger.CashIn { // whose event may identify it in different ways
		r.named(charge.ID, charge.TransactionID)
		r.named(charge.ID, charge.CorrelationID)
	}
	endToEndID, err = r.controls.Pay(ctx, charge.Account.Credentials.ID, charge.PixCode)
	r.ledger.Answered(charge.ID, ledger.Answer{Fate: paid(err), TransactionID: charge.TransactionID, At: time.Now()})
	if err != nil {
		return "", fmt.Errorf("cannot pay a charge: %w", err)
	}
	if charge.Kind == ledger.Cob { // which the lists do not show under an id of the run
		r.ledger.EndToEnd(charge.ID, endToEndID)
	} else {
		r.named(charge.ID, endToEndID)
	}
	return endToEndID, nil
}

// paid is the outcome of a payment requested from the controls. One that they refused or do
// not support must not be waited for.
func paid(err error) ledger.Fate {
	var refusal *gateway.Refusal
	switch {
	case err == nil:
		return ledger.Accepted
	case errors.Is(err, gateway.ErrNoControl), errors.As(err, &refusal) && refusal.Status >= 400 && refusal.Status < 500:
		return ledger.Refused
	}
	return ledger.NoResponse
}

// Ledger is the run's ledger, once the run is prepared.
func (r *Run) Ledger() *ledger.Ledger { return r.ledger }

// Transaction is an id by which the API finds the payment.
func (p *Payment) Transaction() string {
	if p.Kind == ledger.Transfer && p.TransactionID != "" {
		return p.TransactionID
	}
	return p.ExternalID
}

// Payees says whether the run has payees for transfers.
func (r *Run) Payees() bool { return len(r.payees) > 0 }

// WebhookURL is the URL at which this run receives an account's events of a type; empty if it
// does not.
func (r *Run) WebhookURL(a *gateway.Account, event string) string {
	if r.sink == nil {
		return ""
	}
	return r.sink.URL(a.Index, event)
}
