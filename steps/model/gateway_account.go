package model

import (
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// Account is what is known of an account. What is done to its things moves its money as spec says.
type Account struct {
	Open    bool
	Fresh   bool // it has no history
	Removed bool
	Funds   spec.Range // available: what it had before its things, and what they have moved
	Spent   spec.Range // today
	before  spec.Range

	// What was done before may still move the account's money: the specification does not say when it does. The states of
	// things do not tell that, because it depends on which movements sentences have waited for: a balance was awaited after a
	// burst, but not after a request that failed with 500, and either may have made a payment.
	MayRise  bool
	MayFall  bool
	Refunded bool // by a refund
}

func (a *Account) remove() { a.Removed = true }

// mayMove: money may rise, or fall.
func (a *Account) mayMove(rise, fall bool) {
	a.MayRise, a.MayFall = a.MayRise || rise, a.MayFall || fall
}

// spend is a payment that counts to the daily limit; if it surely does. Whether its fee counts, too, is unspecified.
func (a *Account) spend(amount, fee money.Centavos, surely bool) {
	if a.Spent.Most += amount + fee; surely {
		a.Spent.Least += amount
	}
}

// uncount is money of a payment that came back: it may still count to the daily limit, or not.
func (a *Account) uncount(t *Thing, amount money.Centavos) {
	if t.Noun == "cash-out" {
		a.Spent.Least = max(0, a.Spent.Least-amount)
	}
}

// newDay: what was spent may have been the day before, and surely was after a whole day.
func (a *Account) newDay(surely bool) {
	if a.Spent.Least = 0; surely {
		a.Spent.Most = 0
	}
}
