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
	Given   GivenKey
	Request Spoken
	Rows    [][]string // of the same request as a table; none if it cannot be one
	Raw     bool       // its body is no JSON object, so that the error may say less
	Answer  Answered
	Then    []Spoken // what the response has
}

// ValidRequest is a request that a feature shows to be accepted.
type ValidRequest struct {
	Given  GivenKey
	Rows   [][]string
	Amount money.Centavos // that its QR code has, and it must equal; 0 for any
	Then   []Spoken       // what the response has
	Answer Answered
}

// GivenKey is the sentence that puts the key of a request into the directory; its zero value for none.
type GivenKey struct {
	Text string
	Key  PutKey
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
	return examplesIn(c)
})

func examplesIn(c *catalogue.Catalogue) Examples {
	b := Examples{map[string][]Example{}, map[string][]Example{}, map[string][]ValidRequest{}, map[string][]ValidRequest{}, map[string][]string{}, map[string]string{}}
	for scenario := range c.Scenarios() {
		b.read(scenario)
	}
	return b
}

// read adds the first request of a scenario, if the account sends it and nothing but the request decides
// what becomes of it.
func (b *Examples) read(scenario *catalogue.Scenario) {
	first := slices.IndexFunc(scenario.Steps, func(s catalogue.Step) bool { return s.Type == catalogue.Action })
	if first < 0 || first+1 == len(scenario.Steps) {
		return
	}
	request := mustRead(scenario.Steps[first])
	m, ok := sentBy(request)
	if !ok {
		return
	}
	steps, err := ReadAll(scenario)
	if err != nil {
		panic(err) // as in FeatureExamples
	}
	then := steps[first+1]
	e := Example{Given: keyOf(steps[:first]), Request: spoken(request), Rows: rowsOf(request, m), Raw: m.Raw != nil}
	noun, isShape := m.Operation.Noun, slices.Contains(scenario.Rule.Tags, shapesTag)
	var plain bool
	if e.Needs, plain = needsOf(steps[:first]); isShape {
		b.Shapes[noun] = append(b.Shapes[noun], ValidRequest{Given: e.Given, Rows: request.Table, Amount: amountOfCode(m.Changes)})
	}
	a, ok := then.Meaning.(Answered)
	if !ok || a.Modality != Must || isShape || !plain || aboutState[scenario.Rule.Name] {
		return
	}
	e.Answer, e.Then = a, thenHas(steps[first+2:])
	s := ValidRequest{e.Given, request.spelled, amountOfCode(m.Changes), e.Then, a}
	simple := a.Of == It && len(s.Rows) > 0 && !slices.ContainsFunc(m.Changes, Change.decides)
	switch o := a.Expected; {
	case o.MustRefuse():
		b.addWrong(scenario.Rule, noun, e, a.Of == Each)
	case simple && o.MayRefuse():
		b.Open[noun] = append(b.Open[noun], s)
	case simple:
		b.Shapes[noun] = append(b.Shapes[noun], s)
	}
}

func mustRead(step catalogue.Step) Step {
	read, err := Read(step)
	if err != nil {
		panic(err) // as in FeatureExamples
	}
	return read
}

// sentBy is the request that a step sends: one of the account that is changed in some way, but for its amount.
func sentBy(request Step) (m Send, ok bool) {
	switch m := request.Meaning.(type) {
	case Send:
		changed := len(request.spelled) > 0 || m.Varies() || m.Raw != nil || m.Under != OwnToken
		return m, m.Operation != nil && m.Account == TheAccount && changed && len(m.Dimensions) == 0
	case Present, PresentAs: // a certificate
		return Send{Operation: api.MustNamed("token request")}, true
	}
	return m, false
}

// rowsOf are the changes of a request as the rows of a table; none if they cannot be rows.
func rowsOf(request Step, m Send) [][]string {
	switch {
	case m.Raw != nil || m.Under != OwnToken || m.Sandbox != "":
		return nil
	case len(m.Changes) == 1 && m.Changes[0].Value.Kind == Invalid && m.Changes[0].Where == Body:
		return [][]string{{m.Changes[0].Name, invalid}}
	}
	return request.spelled
}

func spoken(step Step) Spoken { return Spoken{Text: step.Text, Table: step.Table} }

func (b *Examples) addWrong(rule *catalogue.Rule, noun string, e Example, everyWay bool) {
	into, key := b.Wrong, noun+" "+rule.Name
	if everyWay {
		into = b.EveryWay
	}
	if into[key] = append(into[key], e); !slices.Contains(b.Rules[noun], rule.Name) {
		b.Rules[noun] = append(b.Rules[noun], rule.Name)
	}
	b.Shown[rule.Name] = strings.Join(rule.Statements, " ")
}

// decisive are parts of the names of fields that decide more than how a request is written, so that the
// model has to know of them.
var decisive = []string{"value", "amount", "valor.original", "expira", "splits", "calendario", "priority", "idempotency", "Sandbox"}

func (c Change) decides() bool {
	return slices.ContainsFunc(decisive, func(part string) bool { return strings.Contains(c.Name, part) })
}

// thenHas are the first steps that say what the response has.
func thenHas(then []Step) (all []Spoken) {
	for _, step := range then {
		if m, is := step.Meaning.(Has); !is || m.Of != It || m.Modality != Must {
			break
		}
		all = append(all, spoken(step))
	}
	return all
}

// aboutState are the rules whose requests are rejected for what was done before.
var aboutState = map[string]bool{
	"refund.sum": true, "transfer.key": true, "transfer.covered": true, "resend.unknown": true, "resend.no-url": true,
}

// usual are the accounts that an example may have, and what is then available in every walk: no example
// needs more.
var usual = map[Open]money.Centavos{
	{}:                                 20_00,
	{Funded: true, Available: 10_00}:   20_00,
	{Funded: true, Available: 100_00}:  20_00,
	{Funded: true, Available: 5000_00}: 2000_00,
}

// needsOf is what the preparation of a scenario makes available, if it is one that every walk may have.
func needsOf(given []Step) (available money.Centavos, plain bool) {
	available = usual[Open{}]
	for _, s := range given {
		switch m := s.Meaning.(type) {
		case PutKey:
		case Open:
			if available, plain = usual[m]; !plain {
				return 0, false
			}
		case HasBeenPaid:
			if m != (HasBeenPaid{ten, api.MustNamed("cob")}) {
				return 0, false
			}
		default:
			return 0, false
		}
	}
	return available, true
}

// keyOf is the last sentence that puts a key into the directory.
func keyOf(given []Step) (key GivenKey) {
	for _, s := range given {
		if m, is := s.Meaning.(PutKey); is {
			key = GivenKey{Text: s.Text, Key: m}
		}
	}
	return key
}
