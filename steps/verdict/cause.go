package verdict

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Cause is what some failures probably have in common: they expected and got the same of the same
// operation, apart from values that differ from scenario to scenario.
type Cause struct {
	Scenario Scenario   // the simplest of them, whose rule is to blame
	Rule     Rule       // that of Scenario
	Others   []Scenario // the other failures, by rule in the order of the features
}

// Causes groups the failures of a run, the most useful first: a fault of the target shows in the
// scenarios that are about it, and in longer ones that only pass by. So the simplest come first.
func (r *Run) Causes() []Cause {
	return r.CausesOf(func(s Scenario) bool { return s.Verdict == Fail })
}

// CausesOf groups some of the failures of a run, as Causes does all new ones.
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

// OtherRules are the names of the rules that fail by the cause besides the one to blame.
func (c Cause) OtherRules() []string {
	var rules []string
	for _, s := range c.Others {
		if s.Rule != c.Rule.Name && !slices.Contains(rules, s.Rule) {
			rules = append(rules, s.Rule)
		}
	}
	return rules
}

// bySimplicity compares how much had to happen until scenarios failed.
func bySimplicity(a, b Scenario) int {
	return cmp.Or(cmp.Compare(a.reached(), b.reached()), cmp.Compare(a.ExchangeCount, b.ExchangeCount))
}

// reached is how many steps were run; what is found on the way, in a step that is not about it,
// comes after all others.
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

// Signature is equal for failures that probably have the same cause: what was expected and got of
// an operation, without what differs from scenario to scenario.
type Signature struct{ Operation, Expected, Got string }

// SignatureOf is the signature of a failure by what was expected and got of an operation. What a
// misfit got is a list of scenarios, which may be others in another run.
func SignatureOf(operation, expected, got string) Signature {
	if strings.HasPrefix(expected, oneReading) {
		return Signature{Expected: expected}
	}
	return Signature{operation, typical(expected), typical(got)}
}

// Matches says whether two failures have the same signature, as far as is known: a run may have had
// no room for the exchange that tells the operation.
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

// values are what differs between scenarios that fail alike: URLs, texts in quotes, ids, amounts,
// times. Codes, in quotes or not, the names of fields and HTTP statuses are not.
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
