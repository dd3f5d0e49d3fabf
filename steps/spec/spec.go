// Package spec is the behavior of the API as a pure state machine: what payments, transfers, charges and refunds
// may be after what was done, and what they have done to an account's money by then. It has no I/O, no clock
// and no randomness, and knows no sentences, records or gateways.
//
// What is open, or not known because a request had no response, widens a state:
// a thing has a set of states that it may be in, and money is a range. What is observed later narrows it.
//
// Its tables are lifecycle.go (what may become of a thing), money.go (what that does to the balance), time.go (how long it
// lasts), reports.go (what events may say of it), order.go, limits.go and registrations.go (why a request is rejected),
// rejections.go (how it is rejected then) and access.go (what it comes to because of its token, or of its certificate). Each row
// names the statements of the specification that say so, or the open point. A test holds every
// scenario of the features against them (features_test.go).
package spec

import (
	"cmp"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// State is what is known of a gateway. It is a value: a step returns another one. The zero value is a gateway of which
// nothing was requested.
type State struct {
	Accounts [2]Account
	things   []*Thing // by their ids; states share them, and none changes one
	seen     uint64   // the rows of the lifecycle that surely applied, a bit for each
}

// Account is one of the two accounts that a scenario has, beside its things.
type Account struct {
	Held        bool // the bank was told to let payments wait for their result
	RefundsHeld bool // and refunds
	Clock       Clock
}

// ID names a thing. Whoever makes it chooses one that no other thing has.
type ID int

// Thing is what a request has made, or may have made.
type Thing struct {
	ID      ID
	Kind    Kind
	Account int
	Amount  money.Centavos
	Fee     money.Centavos // the highest that it may cost, on top of an amount that leaves, or out of one that arrives
	Others  Range          // what of a charge goes to others, if it is paid in full
	Of      ID             // of a refund: the charge
	Lasts   time.Duration  // until it expires; 0 if that is not known

	MayStay bool // it may not expire at all
	Played  bool // a scenario of a sandbox decides what becomes of it, whatever a bank does
	Again   bool // it may be what an earlier request has made, and move no money of its own

	May  States // what it may be
	made Clock
	paid Range // for a charge, once it is

	paidSince, paidAt Clock // when it may have been paid, and surely was if it is

	shown shown
}

// Kind is the kind of a thing. Its values are the columns of the tables.
type Kind string

// The kinds.
const (
	Payment  Kind = "payment" // a cash-out, from a key or a QR Code
	Transfer Kind = "transfer"
	CashIn   Kind = "cash-in"
	Cob      Kind = "cob"
	Refund   Kind = "refund" // of a charge that was paid
	Return   Kind = "return" // of a payment, by its payee
	Case     Kind = "case"   // a MED case against a charge that was paid
	Token    Kind = "token"  // which moves no money
)

// KindOf is the kind of what an operation makes; empty if it makes nothing.
func KindOf(op *api.Operation) Kind {
	switch {
	case op.ID == "transfer":
		return Transfer
	case op.ID == "cob":
		return Cob
	case op.Makes == api.Payment:
		return Payment
	case op.Makes == api.Charge:
		return CashIn
	case op.Makes == api.Refund:
		return Refund
	}
	return ""
}

// Thing is the thing with an id; false if there is none.
func (s State) Thing(id ID) (Thing, bool) {
	i, found := s.place(id)
	if !found {
		return Thing{}, false
	}
	return *s.things[i], true
}

// Things are all that were made, or may have been, by their ids.
func (s State) Things() (all []Thing) {
	for _, t := range s.things {
		all = append(all, *t)
	}
	return all
}

// place is where a thing is, or belongs.
func (s State) place(id ID) (int, bool) {
	return slices.BinarySearchFunc(s.things, id, func(t *Thing, id ID) int { return cmp.Compare(t.ID, id) })
}

// With is the state with another thing, or with one of which more is known: what it costs, or how long it lasts.
func (s State) With(t Thing) State {
	s.things = slices.Clone(s.things)
	i, known := s.place(t.ID)
	if !known {
		s.things = slices.Insert(s.things, i, &t)
	}
	s.things[i] = &t
	return s
}

// Done says whether something was done: a response may say so, deny it, or be missing.
type Done int

const (
	NotDone Done = iota
	MayBeDone
	IsDone
)
