package spec

import (
	"fmt"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// Happening is something that happens to a thing.
type Happening string

// What can happen. The bank of a refund is that of the payer to whom it goes.
const (
	BankConfirms    Happening = "the bank confirms it"
	BankRejects     Happening = "the bank rejects it"
	BankDecides     Happening = "the bank decides by itself"
	IsPaid          Happening = "somebody pays it"
	ReceiverRemoves Happening = "the receiver removes it"
	PSPRemoves      Happening = "the PSP removes it"
	Expires         Happening = "it expires"
	AccountRemoved  Happening = "its account is removed"
)

// transition is a row of the lifecycle: what a thing may become. By are the statements that say so; if none does, the open
// point is one of features/open-points.yaml.
type transition struct {
	kind Kind
	from api.State
	what Happening
	to   States
	by   string
	open string
}

// transitions are what may become of each kind of thing (States and transitions). What is not here changes nothing.
var transitions = append([]transition{
	{kind: Payment, from: api.Pending, what: BankConfirms, to: Any(api.Confirmed), by: "OUT-074"},
	{kind: Payment, from: api.Pending, what: BankRejects, to: Any(api.Failed), by: "OUT-075"},
	{kind: Payment, from: api.Pending, what: BankDecides, to: Any(api.Pending, api.Confirmed, api.Failed), by: "OUT-074 OUT-075"},
	{kind: Payment, from: api.Pending, what: Expires, to: Any(api.Pending, Expired), open: "money of a payment that failed"},
	{kind: Payment, from: Expired, what: BankConfirms, to: Any(Expired, api.Confirmed), open: "finality of a payment"},
	{kind: Payment, from: Expired, what: BankRejects, to: Any(Expired, api.Failed), open: "finality of a payment"},
	{kind: Payment, from: api.Confirmed, what: BankRejects, to: Any(api.Confirmed, api.Failed), open: "finality of a payment"},
	{kind: Payment, from: api.Failed, what: BankConfirms, to: Any(api.Confirmed, api.Failed), open: "finality of a payment"},

	{kind: Transfer, from: api.Pending, what: BankConfirms, to: Any(api.Completed), by: "BAL-018"},
	{kind: Transfer, from: api.Pending, what: BankRejects, to: Any(api.Failed), open: "type of a rejected transfer, repeated"},
	{kind: Transfer, from: api.Pending, what: BankDecides, to: Any(api.Pending, api.Completed, api.Failed), by: "BAL-018"},
	{kind: Transfer, from: api.Pending, what: Expires, to: Any(Expired), by: "DICT-030 DICT-031"},
	{kind: Transfer, from: api.Completed, what: BankRejects, to: Any(api.Completed, api.Failed), open: "finality of a payment"},
	{kind: Transfer, from: api.Failed, what: BankConfirms, to: Any(api.Completed, api.Failed), open: "finality of a payment"},

	{kind: CashIn, from: api.Pending, what: IsPaid, to: Any(api.Confirmed), by: "IN-068"},
	{kind: CashIn, from: api.Pending, what: Expires, to: Any(Expired), open: "status of an expired cash-in"},
	{kind: CashIn, from: Expired, what: IsPaid, to: Any(api.Confirmed), open: "payment of an expired charge"},

	{kind: Cob, from: api.Active, what: IsPaid, to: Any(api.Concluded), by: "COB-058"},
	{kind: Cob, from: api.Active, what: ReceiverRemoves, to: Any(api.RemovedByReceiver), by: "COB-061"},
	{kind: Cob, from: api.Active, what: PSPRemoves, to: Any(api.RemovedByPSP), by: "COB-063"},
	{kind: Cob, from: api.Active, what: Expires, to: Any(api.RemovedByPSP), by: "COB-062"},

	{kind: Refund, from: api.Processing, what: BankConfirms, to: Any(api.Refunded), by: "DEV-051"},
	{kind: Refund, from: api.Processing, what: BankRejects, to: Any(api.NotRefunded), by: "DEV-053"},
	{kind: Refund, from: api.Processing, what: BankDecides, to: Any(api.Processing, api.Refunded, api.NotRefunded), by: "DEV-051 DEV-053"},

	{kind: Case, from: api.Open, what: BankDecides, to: Any(api.Open, api.Received), open: "state of a new MED case"},

	{kind: Token, from: Issued, what: Expires, to: Any(Expired), by: "TOK-024"},
	{kind: Token, from: Issued, what: AccountRemoved, to: Any(Void), by: "WHK-041 WHK-059"},
}, caseMoves()...)

// caseMoves: which moves of a case are possible is not shown. There is an open point for each.
func caseMoves() (rows []transition) {
	for _, from := range caseStates {
		for _, to := range caseStates {
			if from != to {
				rows = append(rows, transition{kind: Case, from: from, what: MovedTo(to), to: Any(to), open: fmt.Sprintf("MED case %s, then %s", from, to)})
			}
		}
	}
	return rows
}

// MovedTo is that a bank moves a case to a state.
func MovedTo(state api.State) Happening { return "it is moved to " + Happening(state) }

// first are the states of what was just made.
var first = map[Kind]api.State{
	Payment: api.Pending, Transfer: api.Pending, // OUT-073, DICT-054
	CashIn: api.Pending, Cob: api.Active, // IN-066, COB-057
	Refund: api.Processing, // DEV-050
	Return: api.Confirmed,
	Case:   api.Open,
	Token:  Issued, // TOK-022
}

// Breach is something that the specification does not allow.
type Breach struct {
	Of   Thing
	What Happening
}

func (b *Breach) String() string {
	return fmt.Sprintf("%s, although the %s is %v", b.What, b.Of.Kind, b.Of.May)
}

// Make is the state after a request for a thing. What may not have been done leaves it open whether the thing exists.
// What does not wait for the bank may be finished at once.
func (s State) Make(t Thing, done Done) State {
	if done == NotDone {
		return s
	}
	t.May, t.made = Any(first[t.Kind]), s.Accounts[t.Account].Clock
	if !s.waits(t) || t.Played {
		t.May = after(t.Kind, t.May, BankDecides, MayBeDone)
	}
	if done == MayBeDone {
		t.May |= Any(Unmade)
	}
	t.May = t.at(t.made) // what lasts for seconds may be over when its response arrives
	return s.With(t)
}

// Accepted is the state after a request for a thing was repeated and accepted, whose first response was missing: the thing
// exists, and is as old as either request.
func (s State) Accepted(id ID) State {
	t, ok := s.Thing(id)
	if !ok || !t.May.Has(Unmade) {
		return s
	}
	again, _ := s.Make(t, IsDone).Thing(id)
	again.May |= t.May &^ none
	again.made.now.Least = t.made.now.Least
	return s.With(again)
}

// Pay is the state after somebody has paid a charge. A payer may be free to choose the amount.
func (s State) Pay(id ID, amount money.Centavos, done Done) (State, *Breach) {
	before, _ := s.Thing(id)
	s, breach := s.Happens(id, IsPaid, done)
	if t, ok := s.Thing(id); ok && breach == nil && done != NotDone {
		t.paid, t.paidSince, t.paidAt = Exactly(amount), s.Accounts[t.Account].Clock, s.Accounts[t.Account].Clock
		if before.May.Overlaps(WasPaid) {
			t.paid, t.paidSince = t.paid.Or(before.paid), before.paidSince
		}
		s = s.With(t)
	}
	return s, breach
}

// waits reports whether the bank was told to let things like this one wait.
func (s State) waits(t Thing) bool {
	a := s.Accounts[t.Account]
	switch t.Kind {
	case Payment, Transfer:
		return a.Held
	case Refund:
		return a.RefundsHeld
	}
	return t.Kind != Case
}

// Happens is the state after something has happened to a thing; with a breach if it cannot have.
func (s State) Happens(id ID, what Happening, done Done) (State, *Breach) {
	t, ok := s.Thing(id)
	if !ok || done == NotDone {
		return s, nil
	}
	may := after(t.Kind, t.May, what, done)
	if may == 0 {
		return s, &Breach{t, what}
	}
	if done == IsDone {
		s.seen |= rowsOf(t, what, may)
	}
	t.May = may
	return s.With(t), nil
}

// after are the states of a thing after a happening; none if it cannot have happened. What surely has, has for a
// reason that is stated, if there is one.
func after(kind Kind, from States, what Happening, done Done) States {
	var stated, open States
	for _, row := range transitions {
		switch {
		case row.kind != kind || row.what != what || !from.Has(row.from):
		case row.by == "":
			open |= row.to
		default:
			stated |= row.to
		}
	}
	switch {
	case done == MayBeDone:
		return from | stated | open
	case stated != 0:
		return stated
	}
	return open
}

// Open is the state after an account was opened in place of another one: its bank waits for nothing.
func (s State) Open(account int) State {
	s.Accounts[account].Held, s.Accounts[account].RefundsHeld = false, false
	return s
}

// Hold is the state after the bank was told to let an account's payments, or its refunds, wait for their results, or to
// settle them by itself from now on.
func (s State) Hold(account int, refunds, wait bool, done Done) State {
	held := &s.Accounts[account].Held
	if refunds {
		held = &s.Accounts[account].RefundsHeld
	}
	switch {
	case done == NotDone:
		return s
	case done == MayBeDone:
		*held = *held && wait // what may not wait is not known
	default:
		*held = wait
	}
	if *held {
		return s
	}
	for _, t := range s.Things() {
		if t.Account == account && (t.Kind == Refund) == refunds {
			t.May = after(t.Kind, t.May, BankDecides, MayBeDone)
			s = s.With(t)
		}
	}
	return s
}

// Shows is the state after something has shown a thing in a state; with a breach if it cannot be in that one, after which
// it may be in either.
func (s State) Shows(id ID, states States) (State, *Breach) {
	t, ok := s.Thing(id)
	if !ok {
		return s, nil
	}
	if !t.May.Overlaps(states) {
		breach := &Breach{t, Happening("it is shown as " + states.String())}
		t.May |= states
		return s.With(t), breach
	}
	if t.May&states != t.May { // what was left to the bank has come out
		s.seen |= rowsOf(Thing{Kind: t.Kind, May: Any(first[t.Kind])}, BankDecides, t.May)
	}
	t.May &= states
	return s.With(t), nil
}
