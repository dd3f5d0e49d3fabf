package model

import (
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// The features show, request by request, which bodies are valid and which are rejected. The model takes
// these examples as they are: whatever was done before, a gateway answers them in the same way.

// example is a request of the features with its outcome: the first of a scenario.
type example struct {
	needs   money.Centavos // available, so that nothing else is wrong
	given   string         // what the key directory needs; empty for nothing
	request catalogue.Step
	raw     bool // its body is no JSON object, so that the error may say less
	outcome string
}

// book is all examples.
type book struct {
	wrong    map[string][]example // rejected, by noun and rule
	everyWay map[string][]example // rejected in many variants, by noun and rule
	shapes   map[string][]shape   // accepted, by noun
	open     map[string][]shape   // accepted or rejected, by noun
	rules    map[string][]string  // those of wrong and everyWay, by noun, in the order of the features
	shown    map[string]string    // the statements that a rule shows
}

// shape is a kind of valid request.
type shape struct {
	given string // what the key directory needs; empty for nothing
	rows  [][]string
	then  []catalogue.Step // what the response has

	outcome string // of an example; empty for being accepted
}

var examples = sync.OnceValue(func() book {
	c, err := catalogue.Load(features.FS)
	if err != nil {
		panic(err) // the features are part of the program
	}
	b := book{map[string][]example{}, map[string][]example{}, map[string][]shape{}, map[string][]shape{}, map[string][]string{}, map[string]string{}}
	for scenario := range c.Scenarios() {
		b.read(scenario)
	}
	return b
})

// read adds the first request of a scenario, if the account sends it and nothing but the request decides
// what becomes of it.
func (b *book) read(scenario *catalogue.Scenario) {
	steps := scenario.Steps
	first := slices.IndexFunc(steps, func(s catalogue.Step) bool { return s.Type == catalogue.Action })
	if first < 0 || first+1 == len(steps) {
		return
	}
	e := example{given: keyOf(steps[:first]), request: steps[first], outcome: steps[first+1].Text}
	m, ok := e.meaning()
	if !ok {
		return
	}
	noun, isShape := m.Operation.Noun, slices.Contains(scenario.Rule.Tags, "@shapes")
	e.raw = m.Raw != nil
	var plain bool
	if e.needs, plain = needsOf(steps[:first]); isShape {
		b.shapes[noun] = append(b.shapes[noun], shape{given: e.given, rows: e.request.Table})
	}
	switch s, simple := asShape(e, m.Changes, steps[first+2:]); {
	case isShape || !plain || aboutState[scenario.Rule.Name]:
	case strings.Contains(e.outcome, "request is rejected with "):
		b.addWrong(scenario.Rule, noun, e)
	case !simple:
	case strings.HasPrefix(e.outcome, "the request is accepted, or rejected with "):
		b.open[noun] = append(b.open[noun], s)
	case strings.HasPrefix(e.outcome, "the request is accepted") && !strings.Contains(e.outcome, " or "):
		b.shapes[noun] = append(b.shapes[noun], s)
	}
}

// meaning is the request that an example sends: one of the account that is changed in some way.
func (e example) meaning() (m language.Send, ok bool) {
	step, err := language.Read(e.request)
	if err != nil {
		panic(err)
	}
	switch m := step.Meaning.(type) {
	case language.Send:
		changed := len(m.Changes) > 0 || m.Raw != nil || m.Under != language.OwnToken
		return m, m.Operation != nil && m.Account == language.TheAccount && changed && !strings.Contains(e.request.Text, " of R$ ")
	case language.Present, language.PresentAs: // a certificate
		return language.Send{Operation: api.MustNamed("token request")}, true
	}
	return m, false
}

func (b *book) addWrong(rule *catalogue.Rule, noun string, e example) {
	into, key := b.wrong, noun+" "+rule.Name
	if strings.HasPrefix(e.outcome, "every request") {
		into = b.everyWay
	}
	if into[key] = append(into[key], e); !slices.Contains(b.rules[noun], rule.Name) {
		b.rules[noun] = append(b.rules[noun], rule.Name)
	}
	b.shown[rule.Name] = strings.Join(rule.Statements, " ")
}

// decisive are parts of the names of fields that decide more than how a request is written.
var decisive = []string{"value", "amount", "valor.original", "expira", "splits", "calendario", "priority", "idempotency"}

// asShape is an example that is accepted as a shape, if it changes nothing that the model has to know of.
func asShape(e example, changes []language.Change, then []catalogue.Step) (s shape, ok bool) {
	for _, c := range changes {
		if slices.ContainsFunc(decisive, func(part string) bool { return strings.Contains(c.Name, part) }) {
			return s, false
		}
	}
	s = shape{given: e.given, rows: e.request.Table, outcome: e.outcome}
	if _, change, found := strings.Cut(e.request.Text, " with "); found && s.rows == nil {
		field, value, _ := strings.Cut(change, " ")
		if slices.Contains([]string{"header", "path", "query"}, field) {
			name, rest, _ := strings.Cut(value, " ")
			field, value = field+" "+name, rest
		}
		s.rows = [][]string{{field, value}}
	}
	for _, step := range then {
		if !strings.HasSuffix(step.Text, "the response has:") {
			break
		}
		s.then = append(s.then, step)
	}
	return s, len(s.rows) > 0
}

// aboutState are the rules whose requests are rejected for what was done before.
var aboutState = map[string]bool{
	"refund.sum": true, "transfer.key": true, "transfer.covered": true, "resend.unknown": true, "resend.no-url": true,
}

// needsOf is what the preparation of a scenario makes available, if it is one that every walk may have.
func needsOf(given []catalogue.Step) (available money.Centavos, plain bool) {
	available = 20_00 // no example of a usual account exceeds it
	for _, s := range given {
		switch {
		case s.Text == "an account with R$ 5000.00 available":
			available = 2000_00
		case !slices.Contains(usual, s.Text) && !strings.HasPrefix(s.Text, "the key directory has a new "):
			return 0, false
		}
	}
	return available, true
}

var usual = []string{
	"an account", "an account with R$ 10.00 available", "an account with R$ 100.00 available", "the account has received R$ 10.00 through a cob",
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
		if e.given != "" {
			p.when("%s", e.given)
			p.Key = true
		}
		p.when("%s", e.request.Text)
		p.lines[len(p.lines)-1].Table = e.request.Table
		p.then("%s", e.outcome)
		if !e.raw {
			p.envelope(p.step.Move.Noun, e.outcome[strings.Index(e.outcome, "with ")+len("with "):])
		}
		p.spoil(p.step.Move.Noun)
		p.OddKey = p.OddKey || p.step.Move.Noun == "cash-out"
		p.forget()
		return true
	}
}

// mayBeWrong reports whether a request of the account meets no other obstacle than its own.
func (p *play) mayBeWrong(e example) bool {
	op := api.MustNamed(p.step.Move.Noun)
	switch received := p.made(p.lastReceived()); {
	case !p.the().Open || p.ProviderDown && (op.Noun == "QR cash-out" || op.ID == "cashIn"):
		return false
	case op.Noun == "transfer" && !p.Key && e.given == "":
		return false
	case op.Makes == api.Payment:
		return p.still(language.TheAccount) && p.affords(language.TheAccount, e.needs+p.FeeOut)
	case op.Makes == api.Refund && p.step.Move.Seldom:
		return p.MostIn == 0 && p.calm(language.TheAccount) && !p.Uncounted[api.Charge]
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
