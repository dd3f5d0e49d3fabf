package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/translation"
)

// WhyUntested says in one phrase why a scenario could not be tested.
func (s Scenario) WhyUntested() string {
	switch f := s.Finding; {
	case f == nil && len(s.Missing) == 0:
		return "no reason was recorded"
	case f == nil:
		return "missing controls: " + strings.Join(s.Missing, ", ")
	case strings.Contains(f.Hint, Precondition): // what was received says little without what was expected
		return fmt.Sprintf("expected %s, got %s", f.Expected, f.Got)
	default:
		return f.Got
	}
}

// Reason is why scenarios could not be tested, with their rules in the order of the features.
type Reason struct {
	Why       string // of the first scenario; others may have other values
	Rules     []string
	Scenarios int
}

// Reasons are why scenarios could not be tested, the reason of most rules first. Those that only miss controls which
// the target does not offer are not among them, see MissingControls; nor is what a baseline accepts.
func (r *Run) Reasons() []Reason {
	var all []Reason
	of := map[string]int{}
	for _, rule := range r.Results() {
		for _, s := range rule.Scenarios {
			lacks := len(s.Missing) > 0 && !slices.ContainsFunc(s.Missing, func(c string) bool { return slices.Contains(r.Controls, c) })
			if s.Verdict != CouldNotTest || s.Known != nil || lacks {
				continue
			}
			key := Typical(s.WhyUntested())
			i, known := of[key]
			if !known {
				i = len(all)
				of[key], all = i, append(all, Reason{Why: s.WhyUntested()})
			}
			all[i].Scenarios++
			if !slices.Contains(all[i].Rules, s.Rule) {
				all[i].Rules = append(all[i].Rules, s.Rule)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return cmp.Compare(len(b.Rules), len(a.Rules)) })
	return all
}

// MoreUntested is MoreUntestedIn in English.
func (r *Run) MoreUntested() []string { return r.MoreUntestedIn(translation.English) }

// MoreUntestedIn are rules with scenarios that could not be tested and that the run's baseline does not list, with the
// reason: "cash-out.night-limit (15 scenarios): missing controls: clock". A run without a baseline has none.
func (r *Run) MoreUntestedIn(in translation.Language) []string {
	if r.Baseline == nil {
		return nil
	}
	var all []string
	for _, rule := range r.Results() {
		rest := slices.DeleteFunc(slices.Clone(rule.Scenarios), func(s Scenario) bool { return s.Verdict != CouldNotTest || s.Known != nil })
		if len(rest) == 0 {
			continue
		}
		why := rest[0].WhyUntested()
		if len(rest[0].Missing) > 0 && !slices.ContainsFunc(rest[0].Missing, func(c string) bool { return slices.Contains(r.Controls, c) }) {
			why = "missing controls: " + strings.Join(rest[0].Missing, ", ")
		}
		all = append(all, fmt.Sprintf("%s (%s): %s", rule.Name, in.SayCount(len(rest), "scenario"), in.Recorded(why)))
	}
	return all
}
