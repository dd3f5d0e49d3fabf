package model

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

const (
	day = 24 * time.Hour

	mostWalk = 5 * time.Minute // that a walk takes at a slow gateway

	// Lists by key surely go back so far by default, and lists of transactions a day more, even if a gateway counts dates.
	month  = api.SinceByKey - day - mostWalk
	window = api.SinceByDefault - day - mostWalk

	beforeMidnight = day - 10*time.Minute // what lasts for longer ends on the next day; the walk itself takes less
)

// seconds is a number of seconds as requests spell it; 0 for none.
func seconds(spelled string) time.Duration {
	n, _ := strconv.Atoi(spelled)
	return time.Duration(n) * time.Second
}

func passTime(p *play) bool {
	if !p.the().Open {
		return false
	}
	p.passSeconds(p.step.Way)
	return true
}

// afterMidnight is when nothing of a walk at a slow gateway is left of the day before.
const afterMidnight = 10 * time.Minute

// passUntil lets time pass until a time of day.
func passUntil(of time.Duration) func(*play) bool {
	return func(p *play) bool {
		by := (of - (p.Clock+p.Elapsed)%day + day) % day
		if !p.TimeKnown || by < time.Minute { // the walk itself may have taken as long
			return false
		}
		p.passBy(by)
		return true
	}
}

// passBy lets a time pass.
func (p *play) passBy(by time.Duration) { p.pass(by, fmt.Sprintf("%d seconds", int(by.Seconds()))) }

// passSeconds lets the time pass that is spelled: "601 seconds".
func (p *play) passSeconds(spelled string) time.Duration {
	by := seconds(strings.TrimSuffix(spelled, " seconds"))
	p.pass(by, spelled)
	return by
}

// pass lets what waits expire. What becomes of a payment then, of its money, and of a cash-in, is left
// open; a cob is removed.
func (p *play) pass(by time.Duration, spelled string) {
	p.Elapsed += by
	for i := range p.Things {
		t := &p.Things[i]
		switch {
		case t.Account != language.TheAccount:
		case t.Noun == "transfer" && t.State == api.Pending && t.Lasts > 0 && p.Elapsed < t.expires()-mostWalk: // it stays in the queue
		case t.Noun == "transfer" && t.State == api.Pending && t.Lasts > 0 && p.Elapsed >= t.expires()+api.ClockTolerance:
			t.State = expired
			p.the().Funds.add(0, t.Amount+t.Fee)
			p.the().MayRise = true
		case t.Makes == api.Payment && t.State == api.Pending:
			t.State = overdue
			p.the().Funds.add(0, t.Amount+t.Fee)
			p.the().MayRise = true
		case t.Makes != api.Charge || p.Elapsed < t.expires()-mostWalk:
		case t.State == api.Active && p.Elapsed >= t.expires()+api.ClockTolerance:
			t.State = api.RemovedByPSP
		case t.State == api.Active || t.State == api.Pending:
			t.State = Unknown
		}
	}
	if p.Unnamed > 0 {
		p.the().Funds.add(0, p.Unnamed)
		p.the().MayRise = true
	}
	if p.the().Spent.Least = 0; by > day {
		p.the().Spent.Most = 0
	}
	p.when("%s pass", spelled)
}

// waits are how long transfers may wait that expire, as requests spell it.
var waits = []string{"absent", "1", "30", "59", "120", "300", "3600"}

// soon is how long the responses and balances may take until a transfer of the step has taken its money.
const soon = 2 * time.Minute

// expire sends a transfer and lets the time pass until it is no longer in the queue.
func expire(p *play) bool {
	amount := p.amountOf(language.TheAccount, p.FeeOut)
	if !p.Held || !p.canPay(language.TheAccount, amount) {
		return false
	}
	wait := waits[p.luck()%len(waits)]
	p.when("the account sends a transfer with:")
	p.with("payment.amount", amount.Decimal())
	p.with("expiration", wait)
	p.accepted("transfer", amount)
	lasts := cmp.Or(seconds(wait), api.QueueTime)
	p.the().MayRise = p.the().MayRise || lasts < soon // it may have expired before the balance is read
	p.spend(language.TheAccount, amount).Lasts = lasts
	p.passBy(lasts + api.ClockTolerance)
	return true
}

// queue sends a transfer that can wait for hours: over midnight, or until others have expired.
func queue(p *play) bool {
	amount := p.amountOf(language.TheAccount, p.FeeOut)
	if !p.canPay(language.TheAccount, amount) {
		return false
	}
	wait := []string{"3600", "7200", "10800"}[p.luck()%3]
	p.when("the account sends a transfer with:")
	p.with("payment.amount", amount.Decimal())
	p.with("expiration", wait)
	p.accepted("transfer", amount)
	p.spend(language.TheAccount, amount).Lasts = seconds(wait)
	return true
}

// settleExpired: what becomes of a transfer that has expired is left open, but it is not settled.
func settleExpired(p *play) bool {
	if !p.Webhooks {
		return false
	}
	p.returnTo(p.it)
	p.when("the bank tries to confirm %s", p.named(p.it))
	p.then("no event reports it as %s", api.EventLiquidated)
	p.it.State = Unknown
	return true
}
