package verdict

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Cause is what some failures probably have in common: the same operation, the same expectation and
// the same outcome, apart from values that differ from scenario to scenario.
type Cause struct {
	Scenario Scenario   // the simplest of them, whose rule is to blame
	Rule     Rule       // that of Scenario
	Others   []Scenario // the other failures, by rule in the order of the features
}

// Causes groups the failures of a run, the simplest first: a fault of the target shows in the
// scenarios that are about it, and in longer ones that merely run into it.
func (r *Run) Causes() []Cause {
	return r.CausesOf(func(s Scenario) bool { return s.Verdict == Fail })
}

// CausesOf groups the wanted failures of a run; Causes groups all new ones.
func (r *Run) CausesOf(some func(Scenario) bool) []Cause {
	of := map[Signature]int{}
	var causes []Cause
	for _, result := range r.Results() {
		for _, s := range result.Scenarios {
			if !some(s) {
				continue
			}
			key := cmp.Or(s.Signature(), Signature{Got: s.ID()})
			i, known := of[key]
			if !known {
				i = len(causes)
				of[key] = i
				causes = append(causes, Cause{Scenario: s, Rule: result.Rule})
				continue
			}
			c := &causes[i]
			if bySimplicity(s, c.Scenario) < 0 {
				c.Scenario, c.Rule, s = s, result.Rule, c.Scenario
			}
			c.Others = append(c.Others, s)
		}
	}
	slices.SortStableFunc(causes, func(a, b Cause) int {
		return cmp.Or(bySimplicity(a.Scenario, b.Scenario), cmp.Compare(len(b.Others), len(a.Others)))
	})
	return causes
}

// OtherRules returns the names of the rules that fail for this cause, without the one to blame.
func (c Cause) OtherRules() []string {
	var rules []string
	for _, s := range c.Others {
		if s.Rule != c.Rule.Name && !slices.Contains(rules, s.Rule) {
			rules = append(rules, s.Rule)
		}
	}
	return rules
}

// bySimplicity compares how much had to happen before each scenario failed.
func bySimplicity(a, b Scenario) int {
	return cmp.Or(cmp.Compare(a.reached(), b.reached()), cmp.Compare(a.ExchangeCount, b.ExchangeCount))
}

// reached counts the steps before the failure. A violation that another scenario found in passing
// sorts after all others.
func (s Scenario) reached() int {
	if s.Via != "" {
		return 1000
	}
	n := slices.IndexFunc(s.Steps, func(step Step) bool { return step.Verdict == Fail })
	if n < 0 {
		return len(s.Steps)
	}
	return n
}

// Signature is equal for failures that probably have the same cause: what was expected of an
// operation and what was received, without the values that differ from scenario to scenario.
type Signature struct{ Operation, Expected, Got string }

// SignatureOf returns the signature of a failure. What a misfit received does not count: it is a
// list of scenarios, which may differ in another run.
func SignatureOf(operation, expected, got string) Signature {
	if misfit := (Signature{Expected: expected}); misfit.IsMisfit() {
		return misfit
	}
	return Signature{operation, typical(expected), typical(got)}
}

// IsMisfit reports whether the failure is one of those that Misfits returns.
func (a Signature) IsMisfit() bool { return strings.HasPrefix(a.Expected, oneReading) }

// Matches reports whether two failures have the same signature. An unknown operation matches any:
// a run may have had no room to keep the exchange that shows it.
func (a Signature) Matches(b Signature) bool {
	if a.Operation == "" || b.Operation == "" {
		a.Operation, b.Operation = "", ""
	}
	return a == b
}

// Signature is the signature of a failing scenario; empty if it has no finding.
func (s Scenario) Signature() Signature {
	if s.Finding == nil {
		return Signature{}
	}
	return SignatureOf(s.Operation(), s.Finding.Expected, s.Finding.Got)
}

// Operation is the operation that the finding is about; empty for none.
func (s Scenario) Operation() string {
	if s.Finding == nil || s.Finding.Exchange < 0 || s.Finding.Exchange >= len(s.Exchanges) {
		return ""
	}
	return s.Exchanges[s.Finding.Exchange].Operation
}

// values matches what differs between scenarios that fail for the same cause: URLs, quoted texts,
// ids, amounts, times. Error codes, quoted or not, field names and HTTP statuses are kept.
var (
	code   = regexp.MustCompile(`^"[A-Z_]+"$`)
	values = regexp.MustCompile(`https?://\S+|"[^"]*"|\b[\w-]*\d[\w.:-]*`)
	status = regexp.MustCompile(`^[1-5]\d\d$`)
)

func typical(text string) string {
	return values.ReplaceAllStringFunc(cut(text), func(value string) string {
		if status.MatchString(value) || code.MatchString(value) {
			return value
		}
		return "…"
	})
}
