package model

import (
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// acceptRefund is an accepted refund of a charge. One that no sentence can name is not kept.
func (g *Gateway) acceptRefund(id int, charge *Thing, amount money.Centavos, named bool) (t *Thing) {
	refund := Thing{ID: id, Noun: "refund", Amount: amount, Fee: g.Fees.MostOut, Of: charge.ID}
	if g.mayMake(refund, spec.IsDone); named {
		t = g.add(refund)
	}
	g.refunds()
	return t
}

// mayAcceptRefunds are refunds of a charge that the gateway may accept or not: of so much at most, which take so much, with
// their fees.
func (g *Gateway) mayAcceptRefunds(id int, charge *Thing, most, taken money.Centavos) {
	g.mayMake(Thing{ID: id, Noun: "refund", Amount: most, Fee: taken - most, Of: charge.ID}, spec.MayBeDone)
	g.refunds()
}

// refunds: a refund takes its money at an unspecified time, and returns it if it fails.
func (g *Gateway) refunds() {
	g.the().Refunded = true
	g.the().mayMove(!g.holds(true), false)
}

// refundable reports whether a refund of an amount of the charge meets no other obstacle than the amount
// and the time. What a gateway does without the money for a refund is unspecified.
func (g *Gateway) refundable(t *Thing, amount money.Centavos) bool {
	return amount > 0 && !t.Contested && t.Account == language.TheAccount && g.coversRefund(amount)
}

func (g *Gateway) coversRefund(amount money.Centavos) bool {
	return g.Fees.Known && amount+g.Fees.MostOut <= g.the().Funds.Least
}

// inTime reports whether a charge was paid so recently that it can surely be refunded.
func (g *Gateway) inTime(t *Thing) bool { return g.Time.Elapsed-t.PaidAt < api.RefundDeadline-day }

// openCase is a MED case about a charge, or about an unknown payment.
func (g *Gateway) openCase(id int, charge *Thing) *Thing {
	t := Thing{ID: id, Noun: medCase, State: api.Open}
	if charge != nil {
		charge.Contested = true
		t.Of, t.Amount = charge.ID, charge.Amount
		g.the().before.Least -= charge.Amount // how much of it is blocked, and when, is unspecified
		g.the().mayMove(true, true)
	}
	return g.add(t)
}

// moveCase moves a case. What that does to money is unspecified.
func (g *Gateway) moveCase(t *Thing, to api.State) { t.State = to }
