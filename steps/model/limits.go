package model

import (
	"fmt"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// limitMoves are about what an account may spend.
var limitMoves = []Move{
	{Event: "is at noon on", Ways: dates, Given: true, Optional: true, Passes: true, do: setDate},
	{Event: "is at", Ways: times, Given: true, Passes: true, do: setTime},
	{Event: "has a limit", Ways: limits, Shows: "OUT-080 OUT-084 OUT-086", do: setLimit},
	{Event: "has no limits any more", Shows: "OUT-080 OUT-084 OUT-086", do: liftLimits},
	{Event: "is sent above the limit", Noun: "cash-out", Ways: limits, Shows: "OUT-080 OUT-081 OUT-084 OUT-085 OUT-086 OUT-087", do: exceed},
	{Event: "is sent just below the limit", Noun: "cash-out", Ways: limits, Shows: "OUT-080 OUT-083 OUT-086", do: keepWithin},
}

var limits = api.Spelled(spec.AllLimits...)

// Times are about the ends of days and nights, and dates about those of months and years.
var (
	times = []string{"12:00", "16:30", "20:50", "22:00", "23:50", "01:00", "05:30"}
	dates = []string{"2 February", "28 February", "31 March", "30 November", "31 December"}
)

// setDate and setTime come first, because they move time.
func setTime(p *play) {
	p.needs(!p.gw.Time.Known && len(p.gw.Things) == 0)
	var hour, minute int
	_, err := fmt.Sscanf(p.step.Way, "%d:%d", &hour, &minute)
	p.needs(err == nil)
	p.gw.Time.set(time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute, false)
	p.given("it is %s in São Paulo", p.step.Way)
}

// setDate: certificates of a test may not be valid on a date that is years away.
func setDate(p *play) {
	p.needs(!p.gw.Time.Known && len(p.gw.Things) == 0)
	p.gw.Time.set(12*time.Hour, true)
	p.given("it is noon on %s of the next leap year in São Paulo", p.step.Way)
}

// limitOf is the limit that a step is about.
func limitOf(p *play) spec.Limit { return spec.Limit(p.step.Way) }

func setLimit(p *play) {
	limit := pick(p, []money.Centavos{20_00, 5_00}) // the second one is less than most payments of another account
	switch limitOf(p) {
	case spec.Daily:
		limit = p.gw.the().Spent.Most + 15_00
	case spec.Night:
		limit = 9_00
	}
	p.needs(p.gw.Limits.Known && p.gw.Limits.Of(limitOf(p)) != limit && (limitOf(p) != spec.Daily || p.gw.the().Fresh)) // an older account may have spent more today
	p.gw.setLimit(limitOf(p), limit)
	p.when("a %s limit of %v", p.step.Way, limit)
}

func liftLimits(p *play) {
	p.needs(slices.ContainsFunc(spec.AllLimits, func(l spec.Limit) bool { return p.gw.Limits.Of(l) > 0 }))
	p.gw.liftLimits()
	p.when("no limits")
}

// exceed sends more than one limit allows, and no more than the others.
func exceed(p *play) {
	limit := limitOf(p)
	amount := p.gw.Limits.Of(limit) + 1
	if limit == spec.Daily && p.gw.Time.isOneDay() { // else a new day may have begun
		amount -= p.gw.the().Spent.Least
	}
	p.needs(p.gw.moneySettled(language.TheAccount) && amount > 0 && p.gw.exceeds(limit, amount) == spec.IsDone)
	p.needs(amount+p.gw.Fees.Out <= p.gw.the().Funds.Least && p.gw.withinLimits(amount+p.gw.Fees.Out, limit))
	requestInVain(p, amount)
	p.rejected(rejectedFor("cash-out", limit.Reason()))
}

// keepWithin sends as much as a limit surely allows.
func keepWithin(p *play) {
	limit := limitOf(p)
	amount := p.gw.Limits.Of(limit) - p.gw.Fees.Out - 1
	if limit == spec.Daily {
		amount -= p.gw.the().Spent.Most
	}
	p.needs(p.gw.Limits.Of(limit) > 0)
	payAmount(p, amount)
}
