package verdict

import (
	"fmt"
	"strings"
)

// Reach says how far the rules of a run can be tested, or were.
type Reach struct {
	Rules        int `json:"rules"`        // that apply to the target
	Whole        int `json:"whole"`        // of which every scenario
	Part         int `json:"part"`         // of which some scenarios
	Inapplicable int `json:"inapplicable"` // beside those: rules on what the target does not offer
}

// Complete says whether every rule that applies is within reach.
func (r Reach) Complete() bool { return r.Whole == r.Rules }

// Said puts it into words; done is "judged", or "can be tested".
func (r Reach) Said(done string) string {
	words := fmt.Sprintf("%d of %s %s", r.Whole, plural(r.Rules, "rule"), done)
	if r.Part > 0 {
		words += fmt.Sprintf(", %d more in part", r.Part)
	}
	if r.Inapplicable > 0 {
		words += fmt.Sprintf("; %d %s not apply", r.Inapplicable, choose(r.Inapplicable, "does", "do"))
	}
	return words
}

// Add counts a rule by its scenarios: those that apply, and those of them within reach.
func (r *Reach) Add(applicable, reached int) {
	switch {
	case applicable == 0:
		r.Inapplicable++
		return
	case reached == applicable:
		r.Whole++
	case reached > 0:
		r.Part++
	}
	r.Rules++
}

// Reach says how far the run got.
func (r *Run) Reach() Reach {
	var reach Reach
	for _, rule := range r.Results() {
		applicable, judged := 0, 0
		for _, s := range rule.Scenarios {
			switch s.Verdict {
			case NotApplicable:
				continue
			case Pass, Fail, Warning:
				judged++
			}
			applicable++
		}
		if len(rule.Scenarios) == 0 {
			applicable = 1 // it was selected, and nothing of it ran
		}
		reach.Add(applicable, judged)
	}
	return reach
}

// Unlock is something that a target or its profile lacks, with what could be tested if it
// were there, beside all that stands before it in the same list.
type Unlock struct {
	Means     []string `json:"means"`     // a control, or part of a profile; several that do nothing one by one
	Effort    string   `json:"effort"`    // what it takes
	Rules     []string `json:"rules"`     // the names of those that can be tested wholly then
	Scenarios int      `json:"scenarios"` // how many more can be tested
}

// Name is what is to be provided, in words.
func (u Unlock) Name() string { return strings.Join(u.Means, " and ") }

// Said is what it brings: "12 rules, 140 scenarios".
func (u Unlock) Said() string {
	return plural(len(u.Rules), "rule") + ", " + plural(u.Scenarios, "scenario")
}
