package model

import (
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
	noLimits    = once("no limits", func(g *Gateway) bool { return g.Limits.Known }, func(g *Gateway) { g.Limits.clear() })
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
