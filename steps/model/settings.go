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

func open(p *play) bool {
	as := openedAs[p.step.Way]
	p.gw.open(language.TheAccount, as.funds, as.fresh)
	p.given("%s available", p.step.Way)
	return true
}

// once prepares an account for something that is not prepared yet.
func once(p *play, prepared bool, prepare func(), sentence string) bool {
	if prepared {
		return false
	}
	prepare()
	p.given("%s", sentence)
	return true
}

func noFees(p *play) bool   { return once(p, p.gw.Fees.Known, p.gw.Fees.clear, "no fees") }
func noLimits(p *play) bool { return once(p, p.gw.Limits.Known, p.gw.Limits.clear, "no limits") }

func hold(p *play) bool {
	return once(p, p.gw.holds(false), func() { p.gw.hold(false) }, "settlement waits for the bank")
}

func holdRefunds(p *play) bool {
	return once(p, p.gw.holds(true), func() { p.gw.hold(true) }, "refunds wait for the bank")
}

func putKey(p *play) bool {
	return once(p, p.gw.Settings.Key, p.gw.Settings.putKey, "the key directory has a new e-mail key")
}

func openOther(p *play) bool {
	opens := func() {
		p.gw.open(language.TheOther, spec.Range{Least: 50_00, Most: money.Most}, p.step.Way == others[0])
	}
	return once(p, p.gw.Accounts[language.TheOther].Open, opens, p.step.Way+" with R$ 50.00 available")
}

// listSent: whether a list by key has what was sent to the key is unspecified.
func listSent(p *play) bool {
	return once(p, p.gw.Settings.ByKey, p.gw.Settings.listSent, "the gateway returns sent payments for a list-by-key request")
}

// askOften: how often cases can be listed in a minute is unspecified.
func askOften(p *play) bool {
	return once(p, p.gw.Settings.Often, p.gw.Settings.acceptOften, "a limit of 1000 requests per minute")
}

func setFeeOut(p *play) bool {
	fee, _ := money.Parse(p.step.Way[len("R$ "):])
	if !p.gw.Fees.Known || fee == p.gw.Fees.Out {
		return false
	}
	p.gw.Fees.setOut(fee)
	p.when("a cash-out fee of %v", fee)
	return true
}

func setFeeIn(p *play) bool {
	fee, _ := money.Parse(p.step.Way[len("R$ "):])
	if !p.gw.Fees.Known || fee == p.gw.Fees.In {
		return false
	}
	p.gw.Fees.setIn(fee)
	p.when("a cash-in fee of %v", fee)
	return true
}

func loseProvider(p *play) bool {
	if p.gw.Settings.ProviderDown {
		return false
	}
	p.gw.Settings.setProvider(false)
	p.when("the PIX provider is unreachable")
	return true
}

func findProvider(p *play) bool {
	if !p.gw.Settings.ProviderDown {
		return false
	}
	p.gw.Settings.setProvider(true)
	p.when("the PIX provider is reachable again")
	return true
}

// putAnother puts another key into the directory, to which later transfers go.
func putAnother(p *play) bool {
	p.gw.Settings.putKey()
	p.when("the key directory has a new %s", p.step.Way)
	return true
}
