package model

import (
	"cmp"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

// beforeMidnight: what lasts for longer ends on the next day; the walk itself takes less.
const beforeMidnight = day - 10*time.Minute

func passTime(p *play) {
	p.passSeconds(p.step.Way)
}

// afterMidnight is when nothing of a walk at a slow gateway is left of the day before.
const afterMidnight = 10 * time.Minute

// passUntil lets time pass until a time of day.
func passUntil(of time.Duration) func(*play) {
	return func(p *play) {
		by := p.gw.Time.until(of)
		p.needs(p.gw.Time.Known && by >= time.Minute) // the walk itself may have taken as long
		p.passBy(by)
	}
}

// waits are how long transfers may wait that expire, as requests spell it.
var waits = []string{"absent", "1", "30", "59", "120", "300", "3600"}

// soon is how long the responses and balances may take until a transfer of the step has taken its money.
const soon = 2 * time.Minute

// expire sends a transfer and lets the time pass until it is no longer in the queue.
func expire(p *play) {
	amount := p.amount()
	p.needs(p.gw.holds(false) && p.canPay(amount))
	wait := pick(p, waits)
	p.when("the account sends a transfer with:")
	p.with("payment.amount", amount.Decimal())
	p.with("expiration", wait)
	p.accepted("transfer", amount)
	lasts := cmp.Or(seconds(wait), api.QueueTime)
	if lasts < soon { // it may have expired before the balance is read
		p.gw.the().mayMove(true, false)
	}
	p.gw.expireAfter(p.spend(amount), lasts)
	p.passBy(lasts + api.ClockTolerance)
}

// queue sends a transfer that can wait for hours: over midnight, or until others have expired.
func queue(p *play) {
	wait := pick(p, []string{"3600", "7200", "10800"})
	p.gw.expireAfter(payWith(p, []string{"expiration", wait}), seconds(wait))
}

// settleExpired: what becomes of a transfer that has expired is unspecified, but it is not settled.
func settleExpired(p *play) {
	p.needs(p.gw.Hooks.EveryType)
	p.returnTo(p.it)
	p.when("the bank tries to confirm %s", p.refs.named(p.it))
	p.then("no event reports it as %s", api.EventLiquidated)
}
