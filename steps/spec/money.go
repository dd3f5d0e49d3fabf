package spec

import (
	"fmt"

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

// effect is a row of what things do to what is available: what one in some states may have done to it.
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
	{[]Kind{Payment}, Any(api.Pending, api.Confirmed), taken, "OUT-021 BAL-019", "when the fee of a cash-out is taken"},
	{[]Kind{Payment}, Any(api.Failed, Expired), takenOrNot, "", "money of a payment that failed"},
	{[]Kind{Transfer}, Any(api.Pending, api.Completed), taken, "BAL-016 BAL-019", "when the fee of a cash-out is taken"},
	{[]Kind{Transfer}, Any(api.Failed, Expired), takenOrNot, "", "money of a payment that failed"},
	{[]Kind{CashIn, Cob}, Any(api.Pending, Expired, api.Active, api.RemovedByReceiver, api.RemovedByPSP), nothing, "BAL-021", ""},
	{[]Kind{CashIn, Cob}, Any(api.Confirmed, api.Concluded), brought, "BAL-020 IN-072 COB-060", ""},
	{[]Kind{Refund}, Any(api.Processing, api.Refunded, api.NotRefunded), takenOrNot, "", "money of a refund"},
	{[]Kind{Return}, Any(api.Confirmed), brought, "BAL-020", ""},
	{[]Kind{Payment, Transfer, CashIn, Cob, Refund, Return}, none, nothing, "", ""},
}

func nothing(Thing) []Range { return []Range{{}} }

// taken: the amount has left.
func taken(t Thing) []Range { return []Range{{-t.Amount - t.Fee, -t.Amount}} }

// takenOrNot: it has left, or has not, or has come back.
func takenOrNot(t Thing) []Range { return []Range{{-t.Fee, 0}, {-t.Amount - t.Fee, -t.Amount}} }

// brought: the amount has arrived. Splits may leave any part of it to others.
func brought(t Thing) []Range {
	paid := t.paid
	if paid == (Range{}) {
		paid = Exactly(t.Amount)
	}
	if t.Split {
		return []Range{{0, paid.Most}}
	}
	return []Range{{paid.Least - t.Fee, paid.Most}}
}

// Moves are what a thing may have done to what is available to its account: each range is possible.
func (t Thing) Moves() (all []Range) {
	if t.Played || t.Again { // what a sandbox plays says nothing of money
		all = nothing(t)
	}
	for _, row := range effects {
		for _, kind := range row.kinds {
			if kind == t.Kind && t.May.Overlaps(row.in) {
				all = append(all, row.may(t)...)
			}
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

// Available is what an account may have available, which had an amount before its things.
func (s State) Available(account int, before Range) Range {
	for _, t := range s.things {
		if t.Account == account {
			before = before.Plus(t.Moved())
		}
	}
	return before
}
