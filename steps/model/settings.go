package model

import (
	"cmp"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// openedAs is with how much the account opens, at least and at most, and whether it has no history, by way.
var openedAs = map[string]struct {
	funds spec.Range
	fresh bool
}{
	openings[0]: {spec.Exactly(100_00), true},
	openings[1]: {spec.Exactly(100_00), false},
	openings[2]: {spec.Range{Least: 100_00, Most: money.Most}, false}, // one of the profile may have more
	openings[3]: {spec.Exactly(5000_00), true},
}

func open(p *play) {
	as := openedAs[p.step.Way]
	p.gw.open(language.TheAccount, as.funds, as.fresh)
	p.given("%s available", p.step.Way)
}

// once prepares an account for something that is not prepared yet.
func once(sentence string, isPrepared func(*Gateway) bool, prepare func(*Gateway)) func(*play) {
	return func(p *play) {
		p.needs(!isPrepared(&p.gw))
		prepare(&p.gw)
		p.given("%s", sentence)
	}
}

// Whether a list by key has what was sent to the key, and how often cases can be listed in a minute, is unspecified.
var (
	noFees      = once("no fees", func(g *Gateway) bool { return g.Fees.Known }, func(g *Gateway) { g.Fees.clear() })
	noLimits    = once("no limits", func(g *Gateway) bool { return g.Limits.Known }, func(g *Gateway) { g.liftLimits() })
	hold        = once("settlement waits for the bank", func(g *Gateway) bool { return g.holds(false) }, func(g *Gateway) { g.hold(false) })
	holdRefunds = once("refunds wait for the bank", func(g *Gateway) bool { return g.holds(true) }, func(g *Gateway) { g.hold(true) })
	putKey      = once("the key directory has a new e-mail key", func(g *Gateway) bool { return g.Settings.Key }, func(g *Gateway) { g.Settings.putKey() })
	listSent    = once("the gateway returns sent payments for a list-by-key request", func(g *Gateway) bool { return g.Settings.ByKey }, func(g *Gateway) { g.Settings.listSent() })
	askOften    = once("a limit of 1000 requests per minute", func(g *Gateway) bool { return g.Settings.Often }, func(g *Gateway) { g.Settings.acceptOften() })
	receiveAll  = once("the account receives webhooks of every type", func(g *Gateway) bool { return g.Hooks.EveryType }, func(g *Gateway) { g.Hooks.receiveEveryType() })
)

func openOther(p *play) {
	p.needs(!p.gw.Accounts[language.TheOther].Open)
	p.gw.open(language.TheOther, spec.Range{Least: 50_00, Most: money.Most}, p.step.Way == others[0])
	p.given("%s with R$ 50.00 available", p.step.Way)
}

// setFee sets the fee of cash-outs, or of cash-ins.
func setFee(of string) func(*play) {
	return func(p *play) {
		fee, _ := money.Parse(p.step.Way[len("R$ "):])
		p.needs(p.gw.Fees.Known && p.gw.Fees.set(of, fee))
		p.when("a %s fee of %v", of, fee)
	}
}

// setProvider makes the provider reachable, or not.
func setProvider(reached bool) func(*play) {
	return func(p *play) {
		p.needs(p.gw.Settings.ProviderDown == reached)
		p.gw.Settings.setProvider(reached)
		p.when("the PIX provider is %s", map[bool]string{true: "reachable again", false: "unreachable"}[reached])
	}
}

// putAnother puts another key into the directory, to which later transfers go.
func putAnother(p *play) {
	p.gw.Settings.putKey()
	p.when("the key directory has a new %s", p.step.Way)
}

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
