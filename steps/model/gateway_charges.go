package model

import (
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// createCharge is a charge that was accepted.
func (g *Gateway) createCharge(id int, noun string, who language.Account, amount money.Centavos) *Thing {
	t := g.make(Thing{ID: id, Noun: noun, Account: who, Amount: amount})
	g.expireAfter(t, 0)
	return t
}

// expireAfter says how long a charge or a payment in the queue lasts; 0 for a charge that does not say it. Then a valid
// cob lasts for an hour, and a cash-in for a day (Cash-in, expirationTime).
func (k *Known) expireAfter(t *Thing, lasts time.Duration) {
	switch {
	case lasts > 0 || t.Makes != api.Charge:
	case t.Noun == "cob":
		lasts = time.Hour
	default:
		lasts = api.CashInLifetime
	}
	k.learn(t, func(known *spec.Thing) { known.Lasts = lasts })
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
	if t.Account == language.TheAccount {
		fee := g.Fees.MostIn > 0 || t.paysLater()
		g.the().mayMove(!g.movementExact(t.Account) || fee && len(t.Splits) == 0, fee) // of one with splits, what comes is waited for
	}
	g.become(g.paid(t, g.Fees.MostIn))
}
