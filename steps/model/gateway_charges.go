package model

import (
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// createCharge is a charge that was accepted.
func (g *Gateway) createCharge(id int, noun string, who language.Account, amount money.Centavos) *Thing {
	state := api.Pending
	if noun == "cob" {
		state = api.Active
	}
	return g.add(Thing{ID: id, Noun: noun, Account: who, Amount: amount, State: state})
}

// payCharge is the payment of a charge. Whether its fee is that of the time when the charge was made or when it is paid
// is unspecified, and when others get splits that are not to be paid at once, and where their money is until then.
func (g *Gateway) payCharge(t *Thing) {
	t.State, t.PaidAt = api.Confirmed, g.Time.Elapsed
	if t.Noun == "cob" {
		t.State = api.Concluded
	}
	a := &g.Accounts[t.Account]
	if t.Account == language.TheAccount {
		fee := g.Fees.MostIn > 0 || t.paysLater()
		late := !g.movementExact(t.Account) || fee && len(t.Splits) == 0 // of one with splits, what comes is waited for
		a.mayReceiveLate(late, fee)
	}
	a.receive(t.kept()-g.Fees.MostIn, t.kept()+t.later())
}
