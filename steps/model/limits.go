package model

import (
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
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

var limits = []string{"per-transaction", "daily", "night"}

// Times are about the ends of days and nights, and dates about those of months and years.
var (
	times = []string{"12:00", "16:30", "20:50", "22:00", "23:50", "01:00", "05:30"}
	dates = []string{"2 February", "28 February", "31 March", "30 November", "31 December"}
)

// codes are how a request above a limit is rejected.
var codes = map[string]api.Code{"per-transaction": api.AboveTransaction, "daily": api.AboveDaily, "night": api.AboveNight}

// setDate and setTime come first, because they move time.
func setTime(p *play) bool {
	if !p.the().Open || p.TimeKnown || len(p.Things) > 0 {
		return false
	}
	var hour, minute int
	if _, err := fmt.Sscanf(p.step.Way, "%d:%d", &hour, &minute); err != nil {
		return false
	}
	p.TimeKnown, p.Clock = true, time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute
	p.given("it is %s in São Paulo", p.step.Way)
	return true
}

// setDate: certificates of a test may not be valid on a date that is years away.
func setDate(p *play) bool {
	if !p.the().Open || p.TimeKnown || len(p.Things) > 0 {
		return false
	}
	p.TimeKnown, p.Dated, p.Clock = true, true, 12*time.Hour
	p.given("it is noon on %s of the next leap year in São Paulo", p.step.Way)
	return true
}

// between reports whether it surely is between two times of the day in São Paulo.
func (s *State) between(from, to time.Duration) bool {
	now := (s.Clock + s.Elapsed) % day
	return s.TimeKnown && now >= from && now+mostWalk <= to
}

// Whether a night is one of São Paulo or of UTC is left open: it is surely night where both agree.
func (s *State) isNight() bool {
	return s.between(api.NightBegins, day) || s.between(0, api.NightEnds+api.SãoPaulo)
}
func (s *State) isDay() bool { return s.between(api.NightEnds, api.NightBegins+api.SãoPaulo) }

// isOneDay reports whether no day ends soon, of either zone: that of UTC ends at 21:00 in São Paulo.
func (s *State) isOneDay() bool {
	return s.between(0, day+api.SãoPaulo) || s.between(day+api.SãoPaulo, day)
}

func setLimit(p *play) bool {
	limit := []money.Centavos{20_00, 5_00}[p.luck()%2] // the second one is less than most payments of another account
	switch p.step.Way {
	case "daily":
		limit = p.the().Spent.Most + 15_00
	case "night":
		limit = 9_00
	}
	if !p.LimitsKnown || *p.limit(p.step.Way) == limit || p.step.Way == "daily" && !p.Fresh { // an older account may have spent more today
		return false
	}
	*p.limit(p.step.Way) = limit
	p.when("a %s limit of %v", p.step.Way, limit)
	return true
}

// limit is the amount of a limit.
func (s *State) limit(which string) *money.Centavos {
	return map[string]*money.Centavos{"per-transaction": &s.PerTransaction, "daily": &s.Daily, "night": &s.Night}[which]
}

func liftLimits(p *play) bool {
	if p.PerTransaction == 0 && p.Daily == 0 && p.Night == 0 {
		return false
	}
	p.PerTransaction, p.Daily, p.Night = 0, 0, 0
	p.when("no limits")
	return true
}

// exceed sends more than one limit allows, and no more than the others.
func exceed(p *play) bool {
	amount := *p.limit(p.step.Way) + 1
	if *p.limit(p.step.Way) == 0 || p.step.Way == "night" && !p.isNight() {
		return false
	}
	if p.step.Way == "daily" && p.isOneDay() { // else a new day may have begun
		amount -= p.the().Spent.Least
	}
	if !p.still(language.TheAccount) || amount <= 0 || amount+p.FeeOut > p.the().Funds.Least || !p.withinOthers(amount+p.FeeOut, p.step.Way) {
		return false
	}
	p.requestInVain(amount)
	p.rejected(codes[p.step.Way].Refusal())
	return true
}

// keepWithin sends as much as a limit surely allows.
func keepWithin(p *play) bool {
	amount := *p.limit(p.step.Way) - p.FeeOut - 1
	if p.step.Way == "daily" {
		amount -= p.the().Spent.Most
	}
	if *p.limit(p.step.Way) == 0 || !p.canPay(language.TheAccount, amount) {
		return false
	}
	body := p.bodyOf(language.TheAccount)
	p.request(language.TheAccount, body, amount)
	p.accepted("cash-out", amount)
	p.noteBody(p.spend(language.TheAccount, amount), body)
	return true
}

// withinLimits reports whether an amount is surely below the account's limits, whatever counts to them.
func (s *State) withinLimits(amount money.Centavos) bool {
	return s.LimitsKnown && s.withinOthers(amount, "")
}

// withinOthers reports whether an amount is surely below all limits but one.
func (s *State) withinOthers(amount money.Centavos, but string) bool {
	spent := s.the().Spent.Most
	return (but == "per-transaction" || s.PerTransaction == 0 || amount < s.PerTransaction) &&
		(but == "daily" || s.Daily == 0 || spent+amount < s.Daily) &&
		(but == "night" || s.Night == 0 || s.isDay() || amount < s.Night)
}

// affords reports whether an account surely can spend an amount.
func (s *State) affords(of language.Account, amount money.Centavos) bool {
	a := s.Accounts[of]
	return a.Open && amount > 0 && amount <= a.Funds.Least && (of != language.TheAccount || s.withinLimits(amount))
}
