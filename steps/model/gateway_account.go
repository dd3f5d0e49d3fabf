package model

import "github.com/pixcert/pixcert/steps/money"

// Account is what is known of an account and its money. Only its methods move money: what an operation does to
// the balance, and to what was spent today, is here and nowhere else.
type Account struct {
	Open    bool
	Fresh   bool // it has no history
	Removed bool
	Funds   Span           // available
	Spent   Span           // today
	Unnamed money.Centavos // what payments have taken that cannot be told apart

	// What was done before may still move the account's money: the specification does not say when it does.
	MayRise  bool
	MayFall  bool
	Refunded bool // by a refund
}

func (a *Account) open(funds Span, fresh bool) { a.Open, a.Funds, a.Fresh = true, funds, fresh }

func (a *Account) remove() { a.Removed = true }

// pay is an accepted payment. Its amount is taken at once, its fee at an unspecified time. Unless it waits for the
// bank, when and how it is settled is unspecified, too.
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

// mayPay is a payment that the gateway may accept or not.
func (a *Account) mayPay(amount, fee money.Centavos) {
	a.Funds.add(-amount-fee, 0)
	a.Spent.Most += amount
	a.mayMove()
}

// mayPayAtOnce are concurrent payments, of which the gateway may accept any. All of them take so much, with their fees.
func (a *Account) mayPayAtOnce(taken money.Centavos, wait bool) {
	a.Funds.add(-taken, 0)
	a.Spent.Most += taken
	if a.Unnamed += taken; !wait {
		a.mayMove()
	}
}

// settled is a payment that the bank has confirmed or rejected. Its fee may be taken only now.
func (a *Account) settled(t *Thing) { a.MayFall = a.MayFall || t.Fee > 0 }

// settledLate is a payment that is settled later than it should be. It may count to the day of the request, or to this one.
func (a *Account) settledLate(t *Thing) {
	a.settled(t)
	a.Spent.Most += t.Amount
}

// mayGetBack is money of a payment that failed. It comes back at an unspecified time.
func (a *Account) mayGetBack(amount money.Centavos) {
	a.Funds.add(0, amount)
	a.MayRise = true
}

// getBack is money that was expected back, and has come.
func (a *Account) getBack(amount money.Centavos) {
	a.Funds.add(amount, 0)
	a.MayRise = false
}

// uncount is money of a payment that came back: it may still count to the daily limit, or not.
func (a *Account) uncount(t *Thing, amount money.Centavos) {
	if t.Noun == "cash-out" {
		a.Spent.Least = max(0, a.Spent.Least-amount)
	}
}

// receive is money that has come: so much at least, and at most.
func (a *Account) receive(least, most money.Centavos) { a.Funds.add(least, most) }

// mayReceiveLate is money that may show only later, or whose fee may be taken only later.
func (a *Account) mayReceiveLate(late, fee bool) {
	a.MayRise, a.MayFall = a.MayRise || late, a.MayFall || fee
}

// refund is a refund that was accepted, or may have been: it takes so much at an unspecified time, and returns it if it
// fails.
func (a *Account) refund(most money.Centavos, waits bool) {
	a.Funds.add(-most, 0)
	a.Refunded, a.MayRise = true, a.MayRise || !waits
}

// refunded notes that a refund has moved money, or may have.
func (a *Account) refunded() { a.Refunded = true }

// contested is money of a charge that a case is about. How much of it is blocked, and when, is unspecified.
func (a *Account) contested(amount money.Centavos) {
	a.Funds.add(-amount, 0)
	a.mayMove()
}

// newDay: what was spent may have been the day before, and surely was after a whole day.
func (a *Account) newDay(surely bool) {
	if a.Spent.Least = 0; surely {
		a.Spent.Most = 0
	}
}

func (a *Account) mayMove() { a.MayRise, a.MayFall = true, true }
