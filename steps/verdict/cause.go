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
	of := map[string]int{}
	var causes []Cause
	for _, result := range r.Results() {
		for _, s := range result.Scenarios {
			if s.Verdict != Fail {
				continue
			}
			key := s.signature()
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

// signature is equal for failures that probably have the same cause.
func (s Scenario) signature() string {
	if s.Finding == nil {
		return s.ID()
	}
	operation := ""
	if i := s.Finding.Exchange; i >= 0 && i < len(s.Exchanges) {
		operation = s.Exchanges[i].Operation
	}
	return strings.Join([]string{operation, typical(s.Finding.Expected), typical(s.Finding.Got)}, "\n")
}

// values are what differs between scenarios that fail alike: URLs, texts in quotes, ids, amounts,
// times. Codes, the names of fields and HTTP statuses are not.
var (
	values = regexp.MustCompile(`https?://\S+|"[^"]*"|\b[\w-]*\d[\w.:-]*`)
	status = regexp.MustCompile(`^[1-5]\d\d$`)
)

func typical(text string) string {
	return values.ReplaceAllStringFunc(cut(text), func(value string) string {
		if status.MatchString(value) {
			return value
		}
		return "…"
	})
}
