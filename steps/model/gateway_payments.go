package model

import (
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// acceptPayment is an accepted payment of an account. Unless it waits for the bank, when and how it is settled is
// unspecified.
func (g *Gateway) acceptPayment(id int, noun string, who language.Account, amount money.Centavos) *Thing {
	t := g.make(Thing{ID: id, Noun: noun, Account: who, Amount: amount, Fee: g.Fees.of(who)})
	settles := t.State != api.Pending
	g.Accounts[who].spend(amount, t.Fee, noun == "cash-out")
	g.Accounts[who].mayMove(settles, settles)
	return t
}

// mayPay are payments of which the gateway may accept any, and which together take so much, with their fees; settles says
// whether that may still go on.
func (k *Known) mayPay(id int, taken money.Centavos, settles bool) {
	k.mayMake(Thing{ID: id, Noun: "cash-out", Amount: taken}, spec.MayBeDone)
	k.the().spend(taken, 0, false)
	k.the().mayMove(settles, settles)
}

// repeatTransfer is another request for a transfer, which makes nothing.
func (g *Gateway) repeatTransfer(id int, of *Thing) *Thing {
	return g.add(Thing{ID: id, Noun: of.Noun, Amount: of.Amount})
}

// confirm is the bank's confirmation of a payment, whose fee may be taken only now, or of a refund.
func (k *Known) confirm(t *Thing) {
	k.happen(t, spec.BankConfirms, spec.IsDone)
	k.the().mayMove(false, t.Makes == api.Payment && t.Fee > 0)
}

// reject is the bank's rejection. When the money comes back is unspecified.
func (k *Known) reject(t *Thing) {
	k.happen(t, spec.BankRejects, spec.IsDone)
	k.the().mayMove(true, t.Makes == api.Payment && t.Fee > 0)
	k.the().uncount(t, t.Amount)
}

// getBack is money of a thing that was expected back, and has come. Nothing else was.
func (k *Known) getBack(t *Thing) {
	k.become(k.state.HasMoved(spec.ID(t.ID), spec.Range{}))
	k.the().MayRise = false
}

// settleLate is the bank's confirmation of a payment that the gateway may have given up. It may count to the day of the
// request, or to this one.
func (k *Known) settleLate(t *Thing) {
	k.happen(t, spec.BankConfirms, spec.MayBeDone)
	k.the().mayMove(false, t.Fee > 0)
	k.the().spend(t.Amount, t.Fee, false)
}

// returned is what a gateway becomes when a payee returns a part of a payment.
func (k *Known) returned(id int, t *Thing, amount, fee money.Centavos) spec.State {
	return k.state.Make(spec.Thing{ID: spec.ID(id), Kind: spec.Return, Amount: amount, Fee: fee, Of: spec.ID(t.ID)}, spec.IsDone)
}

// returnPart is that return.
func (g *Gateway) returnPart(id int, t *Thing, amount money.Centavos) {
	g.Returns++
	g.the().mayMove(!g.movementExact(language.TheAccount), g.Fees.MostIn > 0)
	g.become(g.returned(id, t, amount, g.Fees.MostIn), nil)
	g.the().uncount(t, amount)
}
