package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

// Payment is the result of a payment request.
type Payment struct {
	ID         data.ID
	Kind       ledger.Kind
	Account    *gateway.Account
	Amount     int64  // centavos
	ExternalID string // or the txid, idempotency key or refund id
	gateway.Answer
	Exchange *gateway.Exchange
}

// Accepted says whether the gateway accepted the payment.
func (p *Payment) Accepted() bool { return p.Outcome == gateway.Accepted }

var fates = map[gateway.Outcome]ledger.Fate{
	gateway.Unknown: ledger.NoResponse, gateway.Accepted: ledger.Accepted, gateway.Refused: ledger.Refused,
}

// Call is one call of a virtual user.
type Call struct {
	Account  *gateway.Account
	Origin   any // whose tags its metrics have: see [ledger.Payment]
	Sender   gateway.Sender
	Repeat   gateway.Sender        // for repeats, which the gateway should refuse
	Intended time.Time             // when the schedule intended it
	Late     time.Duration         // how much later than possible the generator began it
	Expected func(status int) bool // which responses are no failures; nil: successes
	payment  string                // its id, for evidence; empty: the call makes no payment
}

// operations make the payments of each kind.
var operations = ledger.ByKind[gateway.Operation]{
	ledger.CashOut: gateway.CashOut, ledger.QRCashOut: gateway.QRCashOut, ledger.Transfer: gateway.Transfer,
	ledger.CashIn: gateway.CashIn, ledger.Cob: gateway.Cob, ledger.Refund: gateway.Refund,
}

// next is the next generated body and its id, after edit, if there is one.
func next[B any](r *Run, generate func(data.ID) B, edit func(*B)) (data.ID, B) {
	id := r.source.Next()
	body := generate(id)
	if edit != nil {
		edit(&body)
	}
	return id, body
}

// CashOut pays to a key: the next generated payment, after edit.
func (r *Run) CashOut(ctx context.Context, c Call, edit func(*data.CashOut)) *Payment {
	id, body := next(r, r.source.CashOut, edit)
	return r.pay(ctx, c, &Payment{ID: id, Kind: ledger.CashOut, Amount: int64(body.Value), ExternalID: body.ExternalID}, &body)
}

// QRCashOut pays to a QR Code.
func (r *Run) QRCashOut(ctx context.Context, c Call, edit func(*data.QRCashOut)) *Payment {
	id, body := next(r, r.source.QRCashOut, edit)
	return r.pay(ctx, c, &Payment{ID: id, Kind: ledger.QRCashOut, Amount: int64(body.Value), ExternalID: body.ExternalID}, &body)
}

// Transfer pays to a key in the directory: that of one of the run's payees, unless edit sets another.
func (r *Run) Transfer(ctx context.Context, c Call, edit func(*data.Transfer)) *Payment {
	id, body := next(r, func(id data.ID) data.Transfer { return r.source.Transfer(id, r.payee(id)) }, edit)
	return r.pay(ctx, c, &Payment{ID: id, Kind: ledger.Transfer, Amount: int64(body.Value), ExternalID: body.IdempotencyKey}, &body)
}

// Refund refunds a received PIX, in full or in part.
func (r *Run) Refund(ctx context.Context, c Call, endToEndID string, value int64) *Payment {
	id := r.source.Next()
	body := r.source.Refund(id, endToEndID, value)
	c.Repeat = nil // the API does not specify repeats of refunds
	p := r.pay(ctx, c, &Payment{ID: id, Kind: ledger.Refund, Amount: value, ExternalID: body.ID}, &body)
	if p.RTRID != "" {
		r.ledger.EndToEnd(p.ID, p.RTRID)
		r.named(p.ID, p.RTRID)
	}
	return p
}

// named tells the ledger by which id events identify a payment.
func (r *Run) named(id data.ID, name string) {
	if name == "" {
		return
	}
	for _, receipt := range r.ledger.Alias(id, name) { // the event arrived before its id was known
		r.delivered(receipt, time.Now())
	}
}

// pay registers a payment, sends it, sometimes twice, and tells the ledger the response.
func (r *Run) pay(ctx context.Context, c Call, p *Payment, body gateway.Body) *Payment {
	p.Account = c.Account
	send := func(s gateway.Sender) (gateway.Answer, *gateway.Exchange) {
		return c.Account.Create(ctx, s, operations[p.Kind], body)
	}
	repeated := c.Repeat != nil && r.draws(p.ID, r.config.Repeats)
	funds := r.ledger.Register(ledger.Payment{
		ID: p.ID, Kind: p.Kind, Account: c.Account.Index, Amount: p.Amount,
		Origin: c.Origin, Sent: time.Now(), Repeated: repeated,
	}, c.Intended)
	c.payment = p.ExternalID
	r.Measure(operations[p.Kind], c, func() *gateway.Exchange {
		if repeated {
			p.Answer, p.Exchange = r.sendTwice(c, p, send)
		} else {
			p.Answer, p.Exchange = send(c.Sender)
		}
		return p.Exchange
	})
	why := ""
	if p.Outcome == gateway.Unknown {
		why = fmt.Sprint(p.Exchange.Failure())
	}
	r.ledger.Answered(p.ID, ledger.Answer{
		Fate: fates[p.Outcome], TransactionID: p.TransactionID, At: p.Exchange.Timing.End,
		Unsent: p.Exchange.Unsent, Why: why,
		Short: p.Code == "PIX_INSUFFICIENT_BALANCE", Funds: funds,
		Ended: p.Kind == ledger.QRCashOut && (p.State == "CONFIRMED" || p.State == "ERROR"),
	})
	return p
}

// draws says whether a payment is in a share of all, the same in every run with the same seed.
func (r *Run) draws(id data.ID, share float64) bool {
	const golden = 0x9e3779b97f4a7c15
	drawn := (id.Sequence ^ r.config.Seed) * golden
	return float64(drawn>>11) < share*(1<<53)
}

// sendTwice sends a request and its repeat at the same time, and returns the response of the accepted one. A gateway may
// refuse the other, as for cash-outs, or respond with the same payment, as for transfers, but must debit only once.
func (r *Run) sendTwice(c Call, p *Payment, send func(gateway.Sender) (gateway.Answer, *gateway.Exchange)) (gateway.Answer, *gateway.Exchange) {
	var of [2]struct {
		gateway.Answer
		*gateway.Exchange
	}
	var both sync.WaitGroup
	for i := range of {
		both.Go(func() { of[i].Answer, of[i].Exchange = send(c.Repeat) })
	}
	both.Wait()
	first, second := of[0], of[1]
	if likelihood[second.Outcome] > likelihood[first.Outcome] {
		first, second = second, first
	}
	first.Rejected += second.Rejected
	r.ledger.Repeated(p.ID, first.TransactionID, second.TransactionID)
	return first.Answer, first.Exchange
}

// likelihood orders responses by how likely the payment was accepted.
var likelihood = map[gateway.Outcome]int{gateway.Refused: 0, gateway.Unknown: 1, gateway.Accepted: 2}

// Measure makes an exchange, and measures it: its latency, also from when the schedule intended it, and how much of that
// the generator itself may have caused.
func (r *Run) Measure(op gateway.Operation, c Call, send func() *gateway.Exchange) {
	called := time.Now()
	r.silences.wait(called)
	r.underWay.Add(1)
	x := send()
	r.underWay.Add(-1)
	r.exhausted(x.Err)
	failed := !x.OK()
	if c.Expected != nil {
		failed = !c.Expected(x.Status)
	}
	failed = failed || x.Invalid != nil
	t := &x.Timing
	r.silences.hear(t.End, failed || x.Stopped)
	if x.Rejected > 0 {
		r.ledger.Note(ledger.Example{Sort: "tokens_rejected", Payment: c.payment, Account: c.Account.Index, At: called, Detail: fmt.Sprintf("%s with a token of clientId %s", op, c.Account.ClientID)}, x.Rejected)
	}
	if x.Stopped || r.warmingUp(c.Intended) {
		return
	}
	if failed {
		r.failures.add(op, x)
	}
	intended := t.End.Sub(c.Intended) - x.Paced
	if !failed {
		late := c.Late + r.monitor.stalled(c.Intended, called.Add(-c.Late)) + r.monitor.stalled(called, t.End)
		r.generator.delayed(r.generator.requests, intended, min(late, intended))
	}
	if r.config.Metrics == nil {
		return
	}
	r.config.Metrics.Request(Request{Origin: c.Origin, Operation: op, Sent: t.End.Sub(t.Start), Intended: intended, Failed: failed, TokensRejected: x.Rejected, At: t.End})
}

// warmingUp says whether a request or payment is not measured, because it was intended during the warm-up.
func (r *Run) warmingUp(intended time.Time) bool {
	return intended.Before(r.started.Add(r.config.Warmup))
}

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
	r.Measure(operations[p.Kind], c, func() *gateway.Exchange {
		p.Answer, p.Exchange = c.Account.Create(ctx, c.Sender, operations[p.Kind], body)
		return p.Exchange
	})
	return p
}

// Pay has a charge paid by the test controls, and returns the end-to-end id of the payment, which the ledger counts from then
// on. If the controls do not respond, the payment is looked up at the end, like any other.
func (r *Run) Pay(ctx context.Context, c Call, charge *Payment) (endToEndID string, err error) {
	switch {
	case r.controls == nil:
		return "", errors.New("cannot pay a charge: expected test controls, got none: set the option controls to their url")
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

// paid is the outcome of a payment by the controls. One that they refused or do not support is not waited for.
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

// WebhookURL is where this run receives an account's events of a type; empty if it does not.
func (r *Run) WebhookURL(a *gateway.Account, event string) string {
	if r.sink == nil {
		return ""
	}
	return r.sink.URL(a.Index, event)
}
