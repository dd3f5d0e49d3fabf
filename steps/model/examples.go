package model

import (
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
)

// The features show, request by request, which bodies are valid and which are rejected. The model takes
// these examples as they are: whatever was done before, a gateway answers them in the same way.

// example is a request of the features with its outcome: the first of a scenario.
type example struct {
	request catalogue.Step
	outcome string
}

// book is all examples.
type book struct {
	wrong    map[string][]example // rejected, by noun and rule
	everyWay map[string][]example // rejected in many variants, by noun and rule
	shapes   map[string][]shape   // accepted, by noun
	rules    map[string][]string  // those of wrong and everyWay, by noun, in the order of the features
	shown    map[string]string    // the statements that a rule shows
}

// shape is a kind of valid request.
type shape struct {
	given string // what it needs; empty for nothing
	rows  [][]string
}

var examples = sync.OnceValue(func() book {
	c, err := catalogue.Load(features.FS)
	if err != nil {
		panic(err) // the features are part of the program
	}
	b := book{map[string][]example{}, map[string][]example{}, map[string][]shape{}, map[string][]string{}, map[string]string{}}
	for scenario := range c.Scenarios() {
		b.read(scenario)
	}
	return b
})

func (b *book) read(scenario *catalogue.Scenario) {
	rule, steps := scenario.Rule, scenario.Steps
	first := slices.IndexFunc(steps, func(s catalogue.Step) bool { return s.Type == catalogue.Action })
	if first < 0 || first+1 == len(steps) {
		return
	}
	e := example{steps[first], steps[first+1].Text}
	step, err := language.Read(e.request)
	if err != nil {
		panic(err)
	}
	noun := "token request"
	switch m := step.Meaning.(type) {
	case language.Send:
		if m.Operation == nil || m.Account != language.TheAccount || len(m.Changes) == 0 && m.Raw == nil && m.Under == language.OwnToken || strings.Contains(e.request.Text, " of R$ ") {
			return
		}
		noun = m.Operation.Noun
	case language.Present, language.PresentAs:
	default:
		return
	}
	if slices.Contains(rule.Tags, "@shapes") {
		b.shapes[noun] = append(b.shapes[noun], shape{keyOf(steps[:first]), e.request.Table})
		return
	}
	into := b.wrong
	if strings.HasPrefix(e.outcome, "every request") {
		into = b.everyWay
	}
	if !strings.Contains(e.outcome, "request is rejected with ") || !plain(steps[:first]) || aboutState[rule.Name] {
		return
	}
	key := noun + " " + rule.Name
	if into[key] = append(into[key], e); !slices.Contains(b.rules[noun], rule.Name) {
		b.rules[noun] = append(b.rules[noun], rule.Name)
	}
	b.shown[rule.Name] = strings.Join(rule.Statements, " ")
}

// aboutState are the rules whose requests are rejected for what was done before.
var aboutState = map[string]bool{
	"refund.sum": true, "transfer.key": true, "transfer.covered": true, "resend.unknown": true, "resend.no-url": true,
}

// plain reports whether the preparation of a scenario is one that every walk may have.
func plain(given []catalogue.Step) bool {
	return !slices.ContainsFunc(given, func(s catalogue.Step) bool { return !slices.Contains(usual, s.Text) })
}

var usual = []string{
	"an account", "an account with R$ 10.00 available", "an account with R$ 100.00 available", "the key directory has a new e-mail key",
	"the account has received R$ 10.00 through a cob",
}

// keyOf is the last sentence that puts a key into the directory.
func keyOf(given []catalogue.Step) (key string) {
	for _, s := range given {
		if strings.HasPrefix(s.Text, "the key directory has ") {
			key = s.Text
		}
	}
	return key
}

// wrongMoves are a row for each rule that rejects requests, by noun.
func wrongMoves() (all []Move) {
	b := examples()
	for _, op := range api.Operations {
		for _, rule := range b.rules[op.Noun] {
			key := op.Noun + " " + rule
			if len(b.wrong[key]) > 0 {
				all = append(all, Move{Event: "is sent against " + rule, Noun: op.Noun, Shows: b.shown[rule], do: sendWrong(b.wrong[key])})
			}
			if len(b.everyWay[key]) > 0 {
				all = append(all, Move{Event: "is sent in many ways against " + rule, Noun: op.Noun, Shows: b.shown[rule], Seldom: true, do: sendWrong(b.everyWay[key])})
			}
		}
	}
	return all
}

// sendWrong sends a request with one thing wrong. All else is right, so that it is rejected for that.
func sendWrong(all []example) func(*play) bool {
	return func(p *play) bool {
		e := all[p.step.Luck%len(all)]
		if !p.mayBeWrong(e) {
			return false
		}
		if p.step.Move.Seldom && p.step.Move.Noun == "refund" { // whose shapes need it
			p.when("the account has received R$ 10.00 through a cob")
			p.receive(p.make(Thing{Noun: "cob", Amount: 10_00}))
		}
		p.when("%s", e.request.Text)
		p.lines[len(p.lines)-1].Table = e.request.Table
		p.then("%s", e.outcome)
		p.spoil(p.step.Move.Noun)
		p.forget()
		return true
	}
}

// mayBeWrong reports whether a request of the account meets no other obstacle than its own.
func (p *play) mayBeWrong(e example) bool {
	const most = 20_00 // no example exceeds it
	op := api.MustNamed(p.step.Move.Noun)
	switch received := p.made(p.lastReceived()); {
	case !p.the().Open || p.ProviderDown && (op.Noun == "QR cash-out" || op.ID == "cashIn"):
		return false
	case op.Noun == "transfer" && !p.Key:
		return false
	case op.Makes == api.Payment:
		return p.still(language.TheAccount) && p.affords(language.TheAccount, most+p.FeeOut)
	case op.Makes == api.Refund && p.step.Move.Seldom:
		return p.FeeIn == 0 && p.calm(language.TheAccount) && !p.Uncounted[api.Charge]
	case op.Makes == api.Refund:
		return received != nil && received.Noun == "cob" && p.refundableOf(received, received.Amount-received.Refunded.Most) && p.inTimeOf(received) && p.still(language.TheAccount)
	case op.ID == "resendWebhook" || op.ID == "listTransactionsByKey":
		return p.hasSent()
	}
	return true
}

// hasSent reports whether the account has sent a payment that can be resent.
func (p *play) hasSent() bool {
	return slices.ContainsFunc(p.Things, func(t Thing) bool {
		return t.Account == language.TheAccount && (t.Noun == "cash-out" || t.Noun == "QR cash-out")
	})
}
