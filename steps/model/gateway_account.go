package model

import "github.com/pixcert/pixcert/steps/money"

// Account is what is known of an account and its money. Its methods are what moves money, each with all that
// it does to the balance and to what was spent.
type Account struct {
	Open    bool
	Fresh   bool // it has no history
	Removed bool
	Funds   Span           // available
	Spent   Span           // today
	Unnamed money.Centavos // what payments have taken that cannot be told apart

	// What was done before may still move the account's money, because the specification leaves open
	// when it does.
	MayRise  bool
	MayFall  bool
	Refunded bool // by a refund
}

func (a *Account) open(funds Span, fresh bool) { a.Open, a.Funds, a.Fresh = true, funds, fresh }

func (a *Account) remove() { a.Removed = true }

// pay takes the money of a payment that was accepted. When its fee is taken is left open. If it does not wait
// for the bank, so is when it is settled, and how.
func (a *Account) pay(t *Thing, waits bool) {
	a.Spent.Most += t.Amount
	if t.Noun == "cash-out" {
		a.Spent.Least += t.Amount
	}
	if waits {
		a.Funds.add(-t.Amount-t.Fee, -t.Amount)
		return
	}
	a.Funds.add(-t.Amount-t.Fee, 0)
	a.mayMove()
}

// mayPay is a payment of which it is left open whether it is accepted.
func (a *Account) mayPay(amount, fee money.Centavos) {
	a.Funds.add(-amount-fee, 0)
	a.Spent.Most += amount
	a.mayMove()
}

// mayPayAtOnce are several, which take so much, with their fees, if all are accepted.
func (a *Account) mayPayAtOnce(taken money.Centavos, wait bool) {
	a.Funds.add(-taken, 0)
	a.Spent.Most += taken
	if a.Unnamed += taken; !wait {
		a.mayMove()
	}
}

// settled: whether the fee of a payment is taken now or was taken before is left open, also that of a rejected
// one.
func (a *Account) settled(t *Thing) { a.MayFall = a.MayFall || t.Fee > 0 }

// settledLate: whether a payment counts to the day of the request or to this one is left open.
func (a *Account) settledLate(t *Thing) {
	a.settled(t)
	a.Spent.Most += t.Amount
}

// mayGetBack is money that a payment has not moved in the end. When it comes back is left open.
func (a *Account) mayGetBack(amount money.Centavos) {
	a.Funds.add(0, amount)
	a.MayRise = true
}

// getBack is money of a rejected payment that has come back, and was all that could.
func (a *Account) getBack(amount money.Centavos) {
	a.Funds.add(amount, 0)
	a.MayRise = false
}

// uncount: whether what came back of a payment still counts to the daily limit is left open.
func (a *Account) uncount(t *Thing, amount money.Centavos) {
	if t.Noun == "cash-out" {
		a.Spent.Least = max(0, a.Spent.Least-amount)
	}
}

// receive is money that has come, or as much of it as surely did.
func (a *Account) receive(least, most money.Centavos) { a.Funds.add(least, most) }

// mayReceiveLate: when what was received shows is left open, and when the fee is taken.
func (a *Account) mayReceiveLate(late, fee bool) {
	a.MayRise, a.MayFall = a.MayRise || late, a.MayFall || fee
}

// refund is what a refund that may have been accepted takes, which is all back if it fails. When it takes its money is left
// open.
func (a *Account) refund(most money.Centavos, waits bool) {
	a.Funds.add(-most, 0)
	a.Refunded, a.MayRise = true, a.MayRise || !waits
}

// refunded: a refund has moved money, or may have.
func (a *Account) refunded() { a.Refunded = true }

// contested: what a case blocks, and when, is left open.
func (a *Account) contested(amount money.Centavos) {
	a.Funds.add(-amount, 0)
	a.mayMove()
}

// newDay: what was spent may count to the day before; it surely does after a whole day.
func (a *Account) newDay(surely bool) {
	if a.Spent.Least = 0; surely {
		a.Spent.Most = 0
	}
}

func (a *Account) mayMove() { a.MayRise, a.MayFall = true, true }
