package model

import (
	"cmp"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// acceptPayment is an accepted payment of an account. Unless it waits for the bank, when and how it is settled is
// unspecified.
func (g *Gateway) acceptPayment(id int, noun string, who language.Account, amount money.Centavos) *Thing {
	t := g.make(Thing{ID: id, Noun: noun, Account: who, Amount: amount, Fee: g.Fees.of(who)})
	g.Accounts[who].spend(amount, t.Fee, noun == "cash-out")
	g.Accounts[who].mayMove(false, t.State != api.Pending) // no sentence waits until it has taken its money
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

// confirm is the bank's confirmation of a payment or a refund.
func (k *Known) confirm(t *Thing) { k.happen(t, spec.BankConfirms, spec.IsDone) }

// reject is the bank's rejection.
func (k *Known) reject(t *Thing) {
	k.happen(t, spec.BankRejects, spec.IsDone)
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
	k.the().spend(t.Amount, t.Fee, false)
}

// returned is what a gateway becomes when a payee returns a part of a payment.
func (k *Known) returned(id int, t *Thing, amount, fee money.Centavos) spec.State {
	return k.state.Make(spec.Thing{ID: spec.ID(id), Kind: spec.Return, Amount: amount, Fee: fee, Of: spec.ID(t.ID)}, spec.IsDone)
}

// returnPart is that return.
func (g *Gateway) returnPart(id int, t *Thing, amount money.Centavos) {
	g.Returns++
	g.the().mayMove(!g.movementExact(language.TheAccount), false)
	g.step(g.returned(id, t, amount, g.Fees.MostIn), nil)
	g.the().uncount(t, amount)
}

// createCharge is a charge that was accepted.
func (g *Gateway) createCharge(id int, noun string, who language.Account, amount money.Centavos) *Thing {
	t := g.make(Thing{ID: id, Noun: noun, Account: who, Amount: amount})
	g.expireAfter(t, 0)
	return t
}

// expireAfter says how long a charge or a payment in the queue lasts; 0 if its request does not say it. A valid cob then lasts
// for an hour.
func (k *Known) expireAfter(t *Thing, lasts time.Duration) {
	byDefault := api.Lifetimes[api.MustNamed(t.Noun).ID].Default
	k.learn(t, func(known *spec.Thing) { known.Lasts = cmp.Or(lasts, byDefault, time.Hour) })
}

// split divides a charge that was just created. When others get parts that are not to be paid at once is unspecified, and
// where their money is until then.
func (k *Known) split(t *Thing, parts []Split, oneKey bool) {
	t.Splits, t.OneKey = parts, oneKey
	k.learn(t, func(known *spec.Thing) {
		for _, s := range parts {
			if known.Others.Most += s.Amount; s.Immediate {
				known.Others.Least += s.Amount
			}
		}
	})
}

// paid is what a gateway becomes when somebody pays a charge. Whether its fee is that of the time when the charge was made
// or when it is paid is unspecified.
func (k *Known) paid(t *Thing, fee money.Centavos) (spec.State, *spec.Breach) {
	known, _ := k.state.Thing(spec.ID(t.ID))
	known.Fee = fee
	return k.state.With(known).Pay(known.ID, t.Amount, spec.IsDone)
}

// payCharge is the payment of a charge.
func (g *Gateway) payCharge(t *Thing) {
	if t.Account == language.TheOther { // whose money nothing is said of
		g.become(g.paid(t, g.Fees.MostIn))
		return
	}
	g.the().mayMove(!g.movementExact(t.Account) || g.Fees.MostIn > 0 && len(t.Splits) == 0, false) // of one with splits, what comes is waited for
	g.step(g.paid(t, g.Fees.MostIn))
}

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
	}
	return g.make(t)
}
