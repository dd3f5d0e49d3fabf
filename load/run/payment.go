package run

import (
	"context"
	"time"

	"github.com/pixcert/pixcert/load/data"
	"github.com/pixcert/pixcert/load/gateway"
	"github.com/pixcert/pixcert/load/ledger"
	"github.com/pixcert/pixcert/load/measure"
)

// Payment is what came of the request for a payment.
type Payment struct {
	ID         data.ID
	Kind       ledger.Kind
	Account    *gateway.Account
	Amount     int64  // centavos
	ExternalID string // or the txid, idempotency key or refund id that stands for it
	gateway.Answer
	Exchange *gateway.Exchange
}

// Accepted says whether the gateway took the payment.
func (p *Payment) Accepted() bool { return p.Outcome == gateway.Accepted }

var fates = map[gateway.Outcome]ledger.Fate{
	gateway.Unknown: ledger.Unheard, gateway.Accepted: ledger.Accepted, gateway.Refused: ledger.Refused,
}

// Call is one call of a virtual user.
type Call struct {
	Account  *gateway.Account
	Sender   gateway.Sender
	Repeat   gateway.Sender // of requests that the gateway is to refuse as repeats
	Intended time.Time      // when the schedule wanted it
	Watch    bool           // its webhook will be asked for
}

// attempt sends one request of a payment.
type attempt func(gateway.Sender) (gateway.Answer, *gateway.Exchange)

// CashOut pays to a key: the payment that the run's data have next, as edited.
func (r *Run) CashOut(ctx context.Context, c Call, edit func(*data.CashOut)) *Payment {
	id := r.source.Next()
	body := r.source.CashOut(id)
	if edit != nil {
		edit(&body)
	}
	p := &Payment{ID: id, Kind: ledger.CashOut, Account: c.Account, Amount: body.Value, ExternalID: body.ExternalID}
	return r.pay(c, p, gateway.CashOut, func(s gateway.Sender) (gateway.Answer, *gateway.Exchange) {
		return c.Account.CashOut(ctx, s, &body)
	})
}

// QRCashOut pays to a QR Code.
func (r *Run) QRCashOut(ctx context.Context, c Call, edit func(*data.QRCashOut)) *Payment {
	id := r.source.Next()
	body := r.source.QRCashOut(id)
	if edit != nil {
		edit(&body)
	}
	p := &Payment{ID: id, Kind: ledger.QRCashOut, Account: c.Account, Amount: body.Value, ExternalID: body.ExternalID}
	return r.pay(c, p, gateway.QRCashOut, func(s gateway.Sender) (gateway.Answer, *gateway.Exchange) {
		return c.Account.QRCashOut(ctx, s, &body)
	})
}

// Transfer pays to a key of the directory: one of the run's payees, unless the edit names
// another.
func (r *Run) Transfer(ctx context.Context, c Call, edit func(*data.Transfer)) *Payment {
	id := r.source.Next()
	body := r.source.Transfer(id, r.payee(id))
	if edit != nil {
		edit(&body)
	}
	p := &Payment{ID: id, Kind: ledger.Transfer, Account: c.Account, Amount: body.Value, ExternalID: body.IdempotencyKey}
	return r.pay(c, p, gateway.Transfer, func(s gateway.Sender) (gateway.Answer, *gateway.Exchange) {
		return c.Account.Transfer(ctx, s, &body)
	})
}

// Refund gives back a part of a received PIX.
func (r *Run) Refund(ctx context.Context, c Call, endToEndID string, value int64) *Payment {
	id := r.source.Next()
	body := r.source.Refund(id, endToEndID, value)
	c.Repeat = nil // the API says nothing of a refund's repeat
	p := &Payment{ID: id, Kind: ledger.Refund, Account: c.Account, Amount: value, ExternalID: body.ID}
	p = r.pay(c, p, gateway.Refund, func(s gateway.Sender) (gateway.Answer, *gateway.Exchange) {
		return c.Account.Refund(ctx, s, &body)
	})
	if p.RTRID != "" {
		r.ledger.EndToEnd(p.ID, p.RTRID)
		r.named(p.ID, p.RTRID)
	}
	return p
}

// named tells the books by which name events know a payment.
func (r *Run) named(id data.ID, name string) {
	if name == "" {
		return
	}
	for _, receipt := range r.ledger.Alias(id, name) { // the event was faster than its name
		r.delivered(receipt, time.Now())
	}
}

// pay registers a payment, sends it, for some of them twice, and tells the ledger what
// was answered.
func (r *Run) pay(c Call, p *Payment, op gateway.Operation, send attempt) *Payment {
	repeated := c.Repeat != nil && r.repeats(p.ID)
	r.ledger.Register(ledger.Payment{
		ID: p.ID, Kind: p.Kind, Account: c.Account.Index, Amount: p.Amount,
		Intended: c.Intended, Sent: time.Now(), Repeated: repeated, Watch: c.Watch,
	})
	r.Measure(op, c.Intended, func() *gateway.Exchange {
		if repeated {
			p.Answer, p.Exchange = r.sendTwice(c, p, send)
		} else {
			p.Answer, p.Exchange = send(c.Sender)
		}
		return p.Exchange
	})
	r.ledger.Answered(p.ID, ledger.Answer{
		Fate: fates[p.Outcome], TransactionID: p.TransactionID, At: p.Exchange.Timing.End,
		Unsent: p.Exchange.Unsent,
		Ended:  p.Kind == ledger.QRCashOut && (p.State == "CONFIRMED" || p.State == "ERROR"),
	})
	if p.Accepted() {
		r.silent.note(p)
	}
	return p
}

// repeats says whether a payment is one of those that are sent twice: the same ones in
// every run of a seed.
func (r *Run) repeats(id data.ID) bool {
	const golden = 0x9e3779b97f4a7c15
	drawn := (id.Sequence ^ r.config.Seed) * golden
	return float64(drawn>>11) < r.config.Repeats*(1<<53)
}

// sendTwice sends a request and its repeat at the same time, and gives the answer of the
// one that was taken. Whether a gateway refuses the other, as a cash-out's, or answers it
// with the same payment, as a transfer's: it is to debit once.
func (r *Run) sendTwice(c Call, p *Payment, send attempt) (gateway.Answer, *gateway.Exchange) {
	type outcome struct {
		gateway.Answer
		*gateway.Exchange
	}
	other := make(chan outcome, 1)
	go func() {
		answer, exchange := send(c.Repeat)
		other <- outcome{answer, exchange}
	}()
	answer, exchange := send(c.Repeat)
	first, second := outcome{answer, exchange}, <-other
	if likelihood[second.Outcome] > likelihood[first.Outcome] {
		first, second = second, first
	}
	r.ledger.Repeated(p.ID, ledger.Repeats{Sent: 1, Distinct: distinct(first.TransactionID, second.TransactionID)})
	return first.Answer, first.Exchange
}

// likelihood orders answers by how likely the payment was taken.
var likelihood = map[gateway.Outcome]int{gateway.Refused: 0, gateway.Unknown: 1, gateway.Accepted: 2}

// distinct counts different ids that are not empty.
func distinct(a, b string) int {
	switch {
	case a == "" && b == "":
		return 0
	case a == "" || b == "" || a == b:
		return 1
	default:
		return 2
	}
}

// Measure has an exchange made, and records it against the time for which the schedule had
// intended it.
func (r *Run) Measure(op gateway.Operation, intended time.Time, send func() *gateway.Exchange) *gateway.Exchange {
	meter := r.recorder.Operation(string(op))
	meter.Start(intended, time.Now())
	r.underWay.Add(1)
	x := send()
	r.underWay.Add(-1)
	t := &x.Timing
	status := x.Status
	if x.Unsent {
		status = measure.NeverSent
	}
	meter.Record(t.End.Sub(t.Start), t.End.Sub(intended), status, !x.OK(), t.End)
	return x
}
