package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/spelling"
)

// Find returns the scenario with that slug, or with that unique prefix of a slug, or the only
// failed scenario with that prefix. The error lists the candidates.
func (r *Run) Find(id string) (Scenario, error) {
	id = strings.TrimPrefix(id, "@")
	var begin, failed []Scenario
	for _, s := range r.Scenarios {
		if s.Slug() == id {
			return s, nil
		}
		if strings.HasPrefix(s.Slug(), id) {
			begin = append(begin, s)
			if s.Verdict.Failing() {
				failed = append(failed, s)
			}
		}
	}
	switch {
	case id != "" && len(begin) == 1:
		return begin[0], nil
	case id != "" && len(failed) == 1:
		return failed[0], nil
	case len(failed) > 0:
		return Scenario{}, fmt.Errorf("%q matches several failed scenarios: choose one of %s", id, listed(failed))
	case len(begin) > 0:
		return Scenario{}, fmt.Errorf("%q matches several scenarios: choose one of %s", id, listed(begin))
	}
	return Scenario{}, fmt.Errorf("the report has no scenario %q%s", id, r.instead(id))
}

// instead suggests scenarios for an id that the report does not have: those with a similar one, and
// those that failed.
func (r *Run) instead(id string) string {
	var slugs []string
	for _, s := range r.Scenarios {
		slugs = append(slugs, s.Slug())
	}
	const most = 3
	suggestions := ""
	if near := spelling.Nearest(id, slugs, most); len(near) > 0 {
		suggestions = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	of := func(v Verdict) []Scenario {
		return slices.DeleteFunc(slices.Clone(r.Scenarios), func(s Scenario) bool { return s.Verdict != v })
	}
	failed, known := of(Fail), of(KnownFailure)
	if len(failed)+len(known) == 0 {
		return cmp.Or(suggestions, " and no failed scenarios")
	}
	if len(failed) > 0 {
		suggestions += "; failed scenarios: " + listed(failed)
	}
	if len(known) > 0 {
		suggestions += "; known failures: " + listed(known)
	}
	return suggestions
}

func listed(scenarios []Scenario) string {
	const most = 8
	var slugs []string
	for _, s := range scenarios {
		slugs = append(slugs, s.Slug())
	}
	if len(slugs) > most {
		return strings.Join(slugs[:most], ", ") + fmt.Sprintf(" and %d more", len(slugs)-most)
	}
	return strings.Join(slugs, ", ")
}

// Failed are the scenarios that failed, in the order of the features.
func (r *Run) Failed() []Scenario {
	return slices.DeleteFunc(slices.Clone(r.Scenarios), func(s Scenario) bool { return s.Verdict != Fail })
}

// Unfinished are the scenarios to run in order to continue: those that failed, did not run, or were cut off, perhaps
// by what failed.
func (r *Run) Unfinished() []Scenario {
	return slices.DeleteFunc(slices.Clone(r.Scenarios), func(s Scenario) bool {
		return s.Verdict != Fail && s.Verdict != NotRun && !s.cutOff()
	})
}

// cutOff reports whether the scenario ran but could not be tested for a reason other than a
// missing control.
func (s Scenario) cutOff() bool {
	return s.Verdict == CouldNotTest && len(s.Missing) == 0 && s.ExchangeCount > 0
}

// Blocked reports whether the target kept the scenario from being tested: a precondition failed.
func (s Scenario) Blocked() bool {
	return s.cutOff() && s.Finding != nil && strings.Contains(s.Finding.Hint, Precondition)
}

// Rerun returns the ids of the scenarios to run in order to test those again. A violation of the
// wire contract is found by the scenario that exchanged the message, provided that a scenario of
// the violated rule runs too.
func (r *Run) Rerun(scenarios []Scenario) []string {
	var ids []string
	add := func(id string) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, s := range scenarios {
		if s.Via == "" {
			add(s.ID())
			continue
		}
		if slices.ContainsFunc(r.Scenarios, func(other Scenario) bool { return other.ID() == s.Via }) { // otherwise it was seen before any
			add(s.Via)
		}
		for _, other := range r.Scenarios {
			if other.Rule == s.Rule && other.Via == "" {
				add(other.ID())
			}
		}
	}
	return ids
}

// Elsewhere are the rules that those scenarios violate and of which the run has no scenario, since
// other shards have them.
func (r *Run) Elsewhere(scenarios []Scenario) []string {
	var rules []string
	for _, s := range scenarios {
		own := slices.ContainsFunc(r.Scenarios, func(other Scenario) bool { return other.Rule == s.Rule && other.Via == "" })
		if !own && !slices.Contains(rules, s.Rule) {
			rules = append(rules, s.Rule)
		}
	}
	return rules
}
