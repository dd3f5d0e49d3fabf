package language

import (
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/money"
)

// Examples are requests of the features with their outcome: whatever was done before, a gateway answers them
// in the same way.
type Examples struct {
	Wrong    map[string][]Example      // rejected, by noun and rule
	EveryWay map[string][]Example      // rejected in many variants, by noun and rule
	Shapes   map[string][]ValidRequest // accepted, by noun
	Open     map[string][]ValidRequest // accepted or rejected, by noun
	Rules    map[string][]string       // those of Wrong and EveryWay, by noun, in the order of the features
	Shown    map[string]string         // the statements that a rule shows
}

// Example is the first request of a scenario with its outcome.
type Example struct {
	Needs   money.Centavos // available, so that nothing else is wrong
	Given   string         // what the key directory needs; empty for nothing
	Request Spoken
	Raw     bool // its body is no JSON object, so that the error may say less
	Outcome string
}

// ValidRequest is a request that a feature shows to be accepted.
type ValidRequest struct {
	Given   string // what the key directory needs; empty for nothing
	Rows    [][]string
	Then    []Spoken // what the response has
	Outcome string   // of an example; empty for being accepted
}

// Spoken are the words of a step, to be said again.
type Spoken struct {
	Text  string
	Table [][]string
}

// FeatureExamples are the Examples of pixcert's own features.
var FeatureExamples = sync.OnceValue(func() Examples {
	c, err := catalogue.Load(features.FS)
	if err != nil {
		panic(err) // the features are part of the program
	}
	b := Examples{map[string][]Example{}, map[string][]Example{}, map[string][]ValidRequest{}, map[string][]ValidRequest{}, map[string][]string{}, map[string]string{}}
	for scenario := range c.Scenarios() {
		b.read(scenario)
	}
	return b
})

// read adds the first request of a scenario, if the account sends it and nothing but the request decides
// what becomes of it.
func (b *Examples) read(scenario *catalogue.Scenario) {
	steps := scenario.Steps
	first := slices.IndexFunc(steps, func(s catalogue.Step) bool { return s.Type == catalogue.Action })
	if first < 0 || first+1 == len(steps) {
		return
	}
	e := Example{Given: keyOf(steps[:first]), Request: spoken(steps[first]), Outcome: steps[first+1].Text}
	m, ok := sentBy(steps[first])
	if !ok {
		return
	}
	noun, isShape := m.Operation.Noun, slices.Contains(scenario.Rule.Tags, "@shapes")
	e.Raw = m.Raw != nil
	var plain bool
	if e.Needs, plain = needsOf(steps[:first]); isShape {
		b.Shapes[noun] = append(b.Shapes[noun], ValidRequest{Given: e.Given, Rows: e.Request.Table})
	}
	switch s, simple := asShape(e, m.Changes, steps[first+2:]); {
	case isShape || !plain || aboutState[scenario.Rule.Name]:
	case strings.Contains(e.Outcome, "request is rejected with "):
		b.addWrong(scenario.Rule, noun, e)
	case !simple:
	case strings.HasPrefix(e.Outcome, "the request is accepted, or rejected with "):
		b.Open[noun] = append(b.Open[noun], s)
	case strings.HasPrefix(e.Outcome, "the request is accepted") && !strings.Contains(e.Outcome, " or "):
		b.Shapes[noun] = append(b.Shapes[noun], s)
	}
}

// sentBy is the request that a step sends: one of the account that is changed in some way.
func sentBy(request catalogue.Step) (m Send, ok bool) {
	step, err := Read(request)
	if err != nil {
		panic(err)
	}
	switch m := step.Meaning.(type) {
	case Send:
		changed := len(m.Changes) > 0 || m.Raw != nil || m.Under != OwnToken
		return m, m.Operation != nil && m.Account == TheAccount && changed && !strings.Contains(request.Text, " of R$ ")
	case Present, PresentAs: // a certificate
		return Send{Operation: api.MustNamed("token request")}, true
	}
	return m, false
}

func spoken(step catalogue.Step) Spoken { return Spoken{step.Text, step.Table} }

func (b *Examples) addWrong(rule *catalogue.Rule, noun string, e Example) {
	into, key := b.Wrong, noun+" "+rule.Name
	if strings.HasPrefix(e.Outcome, "every request") {
		into = b.EveryWay
	}
	if into[key] = append(into[key], e); !slices.Contains(b.Rules[noun], rule.Name) {
		b.Rules[noun] = append(b.Rules[noun], rule.Name)
	}
	b.Shown[rule.Name] = strings.Join(rule.Statements, " ")
}

// decisive are parts of the names of fields that decide more than how a request is written.
var decisive = []string{"value", "amount", "valor.original", "expira", "splits", "calendario", "priority", "idempotency"}

// asShape is an example that is accepted as a shape, if it changes nothing that the model has to know of.
func asShape(e Example, changes []Change, then []catalogue.Step) (s ValidRequest, ok bool) {
	for _, c := range changes {
		if slices.ContainsFunc(decisive, func(part string) bool { return strings.Contains(c.Name, part) }) {
			return s, false
		}
	}
	s = ValidRequest{Given: e.Given, Rows: e.Request.Table, Outcome: e.Outcome}
	if _, change, found := strings.Cut(e.Request.Text, " with "); found && s.Rows == nil {
		field, value, _ := strings.Cut(change, " ")
		if slices.Contains([]string{"header", "path", "query"}, field) {
			name, rest, _ := strings.Cut(value, " ")
			field, value = field+" "+name, rest
		}
		s.Rows = [][]string{{field, value}}
	}
	for _, step := range then {
		if !strings.HasSuffix(step.Text, "the response has:") {
			break
		}
		s.Then = append(s.Then, spoken(step))
	}
	return s, len(s.Rows) > 0
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
