package model

import (
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// acceptRefund is an accepted refund of a charge. One that no sentence can name is not kept.
func (g *Gateway) acceptRefund(id int, charge *Thing, amount money.Centavos, named bool) *Thing {
	refund := g.refund(id, charge, amount, amount+g.Fees.MostOut, spec.IsDone)
	if !named {
		return nil
	}
	return g.add(refund)
}

// refund is a refund of a charge, or several: of so much at most, which take so much, with their fees. They take it at an
// unspecified time, and return it if they fail.
func (g *Gateway) refund(id int, charge *Thing, most, taken money.Centavos, done spec.Done) Thing {
	t := Thing{ID: id, Noun: "refund", Amount: most, Fee: taken - most, Of: charge.ID}
	g.mayMake(t, done)
	g.the().Refunded = true
	g.the().mayMove(!g.holds(true), false)
	return t
}

// refundable reports whether a refund of an amount of the charge meets no other obstacle than the amount. What a gateway
// does without the money for a refund is unspecified.
func (g *Gateway) refundable(t *Thing, amount money.Centavos) bool {
	return amount > 0 && !g.Things.contest(t) && t.Account == language.TheAccount && g.coversRefund(amount) && g.inTime(t)
}

func (g *Gateway) coversRefund(amount money.Centavos) bool {
	return g.Fees.Known && amount+g.Fees.MostOut <= g.the().Funds.Least
}

// inTime reports whether a charge was paid so recently that it can surely be refunded.
func (k *Known) inTime(t *Thing) bool { return k.state.Late(spec.ID(t.ID)) == spec.NotDone }

// openCase is a MED case about a charge, or about an unknown payment.
func (g *Gateway) openCase(id int, charge *Thing) *Thing {
	t := Thing{ID: id, Noun: medCase}
	if charge != nil {
		t.Of, t.Amount = charge.ID, charge.Amount
		g.the().mayMove(true, true) // how much of it is blocked, and when, is unspecified
	}
	return g.make(t)
}
