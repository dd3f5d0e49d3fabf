package model

import (
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// acceptPayment is an accepted payment of an account.
func (g *Gateway) acceptPayment(id int, noun string, who language.Account, amount money.Centavos) *Thing {
	t := g.add(Thing{ID: id, Noun: noun, Account: who, Amount: amount, Fee: g.Fees.of(who)})
	waits := who == language.TheAccount && g.Settings.Held
	if waits {
		t.State = api.Pending
	}
	g.Accounts[who].pay(t, waits)
	return t
}

// repeatTransfer is another request for a transfer. Whether it makes another one is unspecified.
func (g *Gateway) repeatTransfer(id int, of *Thing) *Thing {
	return g.add(Thing{ID: id, Noun: of.Noun, Amount: of.Amount, State: Unknown})
}

// confirm is the bank's confirmation of a payment.
func (g *Gateway) confirm(t *Thing) {
	t.State = api.Confirmed
	if t.Noun == "transfer" {
		t.State = api.Completed
	}
	g.the().settled(t)
}

// reject is the bank's rejection of a payment.
func (g *Gateway) reject(t *Thing) {
	t.State = api.Failed
	a := g.the()
	a.mayGetBack(t.Amount + t.Fee)
	a.settled(t)
	a.uncount(t, t.Amount)
}

// settleLate is the bank's confirmation of a payment that the gateway may have given up.
func (g *Gateway) settleLate(t *Thing) {
	t.State = Unknown
	g.the().settledLate(t)
}

// returnPart is a payee's return of a part of a payment.
func (g *Gateway) returnPart(t *Thing, amount money.Centavos) {
	a := g.the()
	late := !g.movementExact(language.TheAccount)
	g.Returns++
	t.Returned += amount
	a.receive(amount-g.Fees.MostIn, amount)
	a.mayReceiveLate(late, g.Fees.MostIn > 0)
	a.uncount(t, amount)
}
