package model

import (
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// acceptRefund is an accepted refund of a charge. One without an id is not kept, because nothing can refer to it.
func (g *Gateway) acceptRefund(id int, charge *Thing, amount money.Centavos) *Thing {
	charge.Refunded.add(amount, amount)
	g.the().refund(amount+g.Fees.MostOut, g.Settings.RefundsHeld)
	if id == 0 {
		return nil
	}
	state := api.Processing
	if !g.Settings.RefundsHeld { // it may have failed
		state = Unknown
	}
	return g.add(Thing{ID: id, Noun: "refund", Amount: amount, State: state, Of: charge.ID})
}

// mayAcceptRefunds are refunds of a charge that the gateway may accept or not: of so much at most, which take so much, with
// their fees.
func (g *Gateway) mayAcceptRefunds(charge *Thing, most, taken money.Centavos) {
	charge.Refunded.add(0, most)
	g.the().refund(taken, g.Settings.RefundsHeld)
}

// refundInVain is a refund that the bank has rejected, and whose money is back. Whether it counts is unspecified.
func (g *Gateway) refundInVain(id int, charge *Thing, amount money.Centavos) *Thing {
	charge.Refunded.add(0, amount)
	g.the().refunded()
	return g.add(Thing{ID: id, Noun: "refund", Amount: amount, State: api.NotRefunded, Of: charge.ID})
}

// confirmRefund is the bank's confirmation of a refund.
func (g *Gateway) confirmRefund(t *Thing) {
	t.State = api.Refunded
	g.the().refunded()
}

// rejectRefund is the bank's rejection of a refund. When its money comes back is unspecified.
func (g *Gateway) rejectRefund(t *Thing) {
	t.State = api.NotRefunded
	g.Things.made(t.Of).Refunded.add(-t.Amount, 0)
	g.the().mayGetBack(0)
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
		g.the().contested(charge.Amount)
		t.Of, t.Amount = charge.ID, charge.Amount
	}
	return g.add(t)
}
