package spec

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// Limit is a limit of what an account may spend by cash-outs.
type Limit string

// The limits.
const (
	PerTransaction Limit = "per-transaction"
	Daily          Limit = "daily"
	Night          Limit = "night"
)

// AllLimits are these limits.
var AllLimits = []Limit{PerTransaction, Daily, Night}

// Reason is that a cash-out is rejected because it exceeds the limit.
func (l Limit) Reason() Answer {
	return map[Limit]Answer{PerTransaction: OverTransaction, Daily: OverDaily, Night: OverNight}[l]
}

// Limits are those of an account. It is a value.
type Limits struct {
	Known bool
	of    [3]money.Centavos // by their place in AllLimits; 0 for none
}

// Of is one of them; 0 for none.
func (l Limits) Of(which Limit) money.Centavos { return l.of[slices.Index(AllLimits, which)] }

// With are the limits of which one is another.
func (l Limits) With(which Limit, amount money.Centavos) Limits {
	l.of[slices.Index(AllLimits, which)] = amount
	return l
}

// Spending is what a cash-out spends, as far as limits are about it.
type Spending struct {
	Amount, Fee money.Centavos
	Today       Range // what was spent before
	AtNight     Done  // see AtNight
}

// Exceeds says whether a cash-out exceeds a limit (OUT-080, OUT-084, OUT-086). Whether one that reaches it does is open ("the
// limit itself"), and so is whether its fee counts ("fees and limits").
func (l Limits) Exceeds(which Limit, s Spending) Done {
	limit, counted := l.Of(which), Range{s.Amount, s.Amount + s.Fee}
	if which == Daily {
		counted = counted.Plus(s.Today)
	}
	atNight := s.AtNight
	if which != Night {
		atNight = IsDone
	}
	switch {
	case !l.Known:
		return MayBeDone
	case limit == 0 || counted.Most < limit:
		return NotDone
	case counted.Least > limit:
		return atNight
	}
	return min(atNight, MayBeDone)
}

// Counted is what was spent today with another payment, which surely counts to the daily limit, or may. Whether its fee counts is
// open ("fees and limits").
func Counted(today Range, amount, fee money.Centavos, surely bool) Range {
	if today.Most += amount + fee; surely {
		today.Least += amount
	}
	return today
}

// CountedLater is what was spent today once some time has passed: it may have been spent the day before, and surely was after a
// whole day.
func CountedLater(today Range, passed time.Duration) Range {
	if today.Least = 0; passed > day {
		today.Most = 0
	}
	return today
}

const day = 24 * time.Hour

// AtNight says whether it is night between two times of a day, both as the clocks of São Paulo show them. Whether nights are
// those of São Paulo or of UTC is open ("the zone of the night"): it surely is night, or day, where both agree.
func AtNight(from, to time.Duration) Done {
	within := func(begin, end time.Duration) bool { return begin <= from && to <= end }
	switch {
	case within(api.NightBegins, day), within(0, api.NightEnds+api.SãoPaulo):
		return IsDone
	case within(api.NightEnds, api.NightBegins+api.SãoPaulo):
		return NotDone
	}
	return MayBeDone
}
