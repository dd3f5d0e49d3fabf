package spec

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// Range is an amount as far as it is known, with both ends.
type Range struct{ Least, Most money.Centavos }

// Exactly is an amount that is known.
func Exactly(c money.Centavos) Range { return Range{c, c} }

// Holds reports whether an amount is in the range.
func (r Range) Holds(c money.Centavos) bool { return r.Least <= c && c <= r.Most }

// Known reports whether only one amount is in the range.
func (r Range) Known() bool { return r.Least == r.Most }

// Plus is the sum of two ranges.
func (r Range) Plus(o Range) Range { return Range{r.Least + o.Least, r.Most + o.Most} }

// Or is the range around two.
func (r Range) Or(o Range) Range { return Range{min(r.Least, o.Least), max(r.Most, o.Most)} }

func (r Range) String() string {
	if r.Known() {
		return r.Least.String()
	}
	return fmt.Sprintf("%v to %v", r.Least, r.Most)
}

// effect is a row of what things do to a part of the balance: what one in some states may have done to it.
type effect struct {
	kinds []Kind
	in    States
	may   func(Thing) []Range // each of them is possible
	by    string              // statements
	open  string              // the open point, if more than one is possible
}

var none = Any(Unmade)

// effects are what things do to the available balance (Balance). A fee may be taken when a payment is ordered or when it
// settles, so that it widens each row.
var effects = []effect{
	{[]Kind{Payment}, Any(api.Pending, api.Confirmed), taken, "OUT-099", "when the fee of a cash-out is taken"},
	{[]Kind{Payment}, Any(api.Failed, Expired), takenOrNot, "", "money of a payment that failed"},
	{[]Kind{Transfer}, Any(api.Pending, api.Completed), taken, "BAL-016 BAL-019", "when the fee of a cash-out is taken"},
	{[]Kind{Transfer}, Any(api.Failed, Expired), takenOrNot, "", "money of a payment that failed"},
	{[]Kind{CashIn, Cob}, Any(api.Pending, Expired, api.Active, api.RemovedByReceiver, api.RemovedByPSP), nothing, "BAL-021", ""},
	{[]Kind{CashIn, Cob}, WasPaid, brought, "BAL-020 IN-072 COB-060", ""},
	{[]Kind{Refund}, Any(api.Processing, api.Refunded, api.NotRefunded), takenOrNot, "", "money of a refund"},
	{[]Kind{Return}, Any(api.Confirmed), brought, "BAL-020", ""},
	{[]Kind{Case}, AnyOfCase, contested, "", "money of a MED case"},
	{[]Kind{Payment, Transfer, CashIn, Cob, Refund, Return, Case}, none, nothing, "", ""},
}

// blocks are what things do to the blocked balance.
var blocks = []effect{
	{[]Kind{Payment}, Any(api.Pending, api.Confirmed, api.Failed, Expired), someBlocked, "", "what a cash-out blocks"},
	{[]Kind{Transfer}, Any(api.Pending), blocked, "BAL-017", "when the fee of a cash-out is taken"},
	{[]Kind{Transfer}, Any(api.Completed), nothing, "BAL-018", ""},
	{[]Kind{Transfer}, Any(api.Failed, Expired), blockedOrNot, "", "money of a payment that failed"},
	{[]Kind{CashIn, Cob}, Any(api.Pending, Expired, api.Active, api.RemovedByReceiver, api.RemovedByPSP), nothing, "BAL-021", ""},
	{[]Kind{CashIn, Cob}, WasPaid, restBlocked, "BAL-020", "splits after eight days"},
	{[]Kind{Refund}, Any(api.Processing, api.Refunded, api.NotRefunded), someBlocked, "", "money of a refund"},
	{[]Kind{Return}, Any(api.Confirmed), restBlocked, "BAL-027", ""},
	{[]Kind{Case}, AnyOfCase, someBlocked, "", "money of a MED case"},
	{[]Kind{Payment, Transfer, CashIn, Cob, Refund, Return, Case}, none, nothing, "", ""},
}

func nothing(Thing) []Range { return []Range{{}} }

// taken: the amount has left.
func taken(t Thing) []Range { return []Range{{-t.Amount - t.Fee, -t.Amount}} }

// takenOrNot: it has left, or has not, or has come back.
func takenOrNot(t Thing) []Range { return []Range{{-t.Fee, 0}, {-t.Amount - t.Fee, -t.Amount}} }

// blocked: the amount is reserved, perhaps with the fee.
func blocked(t Thing) []Range { return []Range{{t.Amount, t.Amount + t.Fee}} }

// blockedOrNot: it still is, or is not any more.
func blockedOrNot(t Thing) []Range { return append(nothing(t), blocked(t)...) }

// someBlocked: how much of it is reserved, and when, is open: its rows name the point.
func someBlocked(t Thing) []Range { return []Range{{0, t.Amount + t.Fee}} }

// restBlocked: what has arrived is available. Where what goes to others is until they get it is open ("splits after eight
// days"), and no statement says when the fee of a received payment is taken.
func restBlocked(t Thing) []Range { return []Range{{0, t.Others.Most + t.Fee}} }

// contested: what a case does to the amount that it is about is open ("money of a MED case"). It cannot be more.
func contested(t Thing) []Range { return []Range{{-t.Amount, 0}} }

// delay is a row of what a thing may still do to what is available once it is in some states, since no statement says when it
// does: how much it may take, and give back.
type delay struct {
	kinds       []Kind
	in          States
	takes, back func(Thing) money.Centavos
	by, open    string
}

var delays = []delay{
	{[]Kind{Payment, Transfer}, Any(api.Pending, api.Confirmed, api.Completed), itsFee, noMoney, "", "when the fee of a cash-out is taken"},
	{[]Kind{Payment, Transfer}, Any(api.Failed, Expired), itsFee, itsAmount, "", "money of a payment that failed"},
	{[]Kind{CashIn, Cob}, WasPaid, feeAndParts, noMoney, "BAL-020", "splits after eight days"},
	{[]Kind{Refund}, Any(api.Processing, api.Refunded), itsAmount, noMoney, "", "money of a refund"},
	{[]Kind{Refund}, Any(api.NotRefunded), noMoney, itsAmount, "", "money of a refund"},
	{[]Kind{Return}, Any(api.Confirmed), itsFee, noMoney, "BAL-020", ""},
	{[]Kind{Case}, AnyOfCase, itsAmount, itsAmount, "", "money of a MED case"},
}

func noMoney(Thing) money.Centavos     { return 0 }
func itsAmount(t Thing) money.Centavos { return t.Amount }
func itsFee(t Thing) money.Centavos    { return t.Fee }

// feeAndParts: of what others get, a part may have gone to them already.
func feeAndParts(t Thing) money.Centavos { return t.Fee + t.Others.Most - t.Others.Least }

// MayStill is how much a thing may still take of what is available, and how much it may give back, although nothing else happens
// to it.
func (t Thing) MayStill() (take, giveBack money.Centavos) {
	for _, row := range delays {
		if slices.Contains(row.kinds, t.Kind) && t.May.Overlaps(row.in) {
			take, giveBack = max(take, row.takes(t)), max(giveBack, row.back(t))
		}
	}
	return take, giveBack
}

// Since is how much a thing may have taken of what is available since it was another, and how much it may have given back,
// although nothing else has happened to the account. What has failed meanwhile, or may have expired, may have come back.
func (t Thing) Since(was Thing) (take, giveBack money.Centavos) {
	take, giveBack = t.MayStill()
	if was.May == 0 { // it was made since
		return take, 0
	}
	if !t.May.FailedSince(was.May) {
		giveBack = 0
	}
	take, _ = was.MayStill()
	return take, giveBack
}

// Paid is what was paid for a charge, or would be.
func (t Thing) Paid() Range {
	if t.paid == (Range{}) {
		return Exactly(t.Amount)
	}
	return t.paid
}

// brought: the amount has arrived. Others get no more than that.
func brought(t Thing) []Range {
	paid := t.Paid()
	return []Range{{max(0, paid.Least-t.Others.Most) - t.Fee, paid.Most - min(paid.Most, t.Others.Least)}}
}

// shown is what something has shown of a thing's money, while it was in some states.
type shown struct {
	moved Range
	in    States
}

// Blocks are what a thing may have blocked: each range is possible.
func (t Thing) Blocks() []Range { return t.possible(blocks) }

// MayBlock is the most that a thing can have blocked so far, whatever it has been meanwhile.
func (t Thing) MayBlock() (most money.Centavos) {
	t.May = ^States(0)
	for _, r := range t.Blocks() {
		most = max(most, r.Most)
	}
	return most
}

// Moves are what a thing may have done to what is available to its account: each range is possible.
func (t Thing) Moves() []Range {
	all := t.possible(effects)
	if t.shown.in != t.May {
		return all
	}
	return within(all, t.shown.moved)
}

// within is what of some ranges is within another one.
func within(all []Range, of Range) (rest []Range) {
	for _, r := range all {
		if both := (Range{max(r.Least, of.Least), min(r.Most, of.Most)}); both.Least <= both.Most {
			rest = append(rest, both)
		}
	}
	return rest
}

func (t Thing) possible(table []effect) (all []Range) {
	if t.Played || t.Again { // what a sandbox plays says nothing of money
		all = nothing(t)
	}
	if t.Kind == Token {
		return nothing(t)
	}
	for _, row := range table {
		if slices.Contains(row.kinds, t.Kind) && t.May.Overlaps(row.in) {
			all = append(all, row.may(t)...)
		}
	}
	return all
}

// Moved is what a thing may have done to what is available, as one range.
func (t Thing) Moved() Range {
	all := t.Moves()
	whole := all[0]
	for _, r := range all[1:] {
		whole = whole.Or(r)
	}
	return whole
}

// HasMoved is the state after something has shown what a thing has done to what is available, which holds as long as the
// thing stays as it is; with a breach if it cannot have done that.
func (s State) HasMoved(id ID, moved Range) (State, *Breach) {
	t, ok := s.Thing(id)
	if !ok {
		return s, nil
	}
	if len(within(t.possible(effects), moved)) == 0 {
		return s, &Breach{t, Happening("it is shown to have moved " + moved.String())}
	}
	t.shown = shown{moved, t.May}
	return s.With(t), nil
}

// Refunded is how much of a charge counts as refunded, or how much of a payment its payee has returned. Whether a refund that
// failed counts is open ("refund after a failed one").
func (s State) Refunded(of ID) (sum Range) {
	for _, t := range s.things {
		switch {
		case t.Kind != Refund && t.Kind != Return || t.Of != of || !t.May.Overlaps(^none):
		case t.May.Within(Any(api.Processing, api.Refunded, api.Confirmed)): // DEV-039 DEV-040
			sum = sum.Plus(Exactly(t.Amount))
		default:
			sum = sum.Plus(Range{0, t.Amount})
		}
	}
	return sum
}

// Available is what an account may have available, which had an amount before its things.
func (s State) Available(account int, before Range) Range {
	for _, t := range s.things {
		if t.Account == account {
			before = before.Plus(t.Moved())
		}
	}
	return before
}
