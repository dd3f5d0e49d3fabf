package verdict

import (
	"fmt"
	"strings"

	"github.com/pixcert/pixcert/steps/wording"
)

// Reach counts the rules of a run that can be tested, or were.
type Reach struct {
	Rules        int `json:"rules"`        // that apply to the target
	Whole        int `json:"whole"`        // with every scenario
	Part         int `json:"part"`         // with some scenarios
	Inapplicable int `json:"inapplicable"` // not counted in Rules: about features that the target does not offer
}

// Complete says whether every rule that applies can be tested, or was.
func (r Reach) Complete() bool { return r.Whole == r.Rules }

// Describe puts it into words: "40 of 41 rules judged". done is "judged" or "can be tested".
func (r Reach) Describe(done string) string {
	words := fmt.Sprintf("%d of %s %s", r.Whole, wording.Count(r.Rules, "rule"), done)
	if r.Part > 0 {
		words += fmt.Sprintf(", %d more in part", r.Part)
	}
	if r.Inapplicable > 0 {
		words += fmt.Sprintf("; %d %s not apply", r.Inapplicable, wording.Choose(r.Inapplicable, "does", "do"))
	}
	return words
}

// Add counts a rule by its scenarios: those that apply, and those of them that can be
// tested, or were.
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

// Reach counts the rules that the run judged. A rule that fails is judged, whatever else of it could not be
// tested: it is one of those that Summary counts as failing.
func (r *Run) Reach() Reach {
	var reach Reach
	for _, rule := range r.Results() {
		applicable, judged := 0, 0
		for _, s := range rule.Scenarios {
			switch s.Verdict {
			case NotApplicable:
				continue
			case Pass, Fail, KnownFailure, Warning:
				judged++
			}
			applicable++
		}
		switch {
		case len(rule.Scenarios) == 0:
			applicable = 1 // it was selected, and none of it ran
		case rule.Verdict == Fail:
			judged = applicable
		}
		reach.Add(applicable, judged)
	}
	return reach
}

// Unlock is something that a target or its profile lacks, with what more could be tested
// if it had it and everything that precedes it in the same list.
type Unlock struct {
	Means     []string `json:"means"`     // a control, or part of a profile; several if none helps without the others
	Effort    string   `json:"effort"`    // what it takes
	Rules     []string `json:"rules"`     // names of those that could then be tested completely
	Scenarios int      `json:"scenarios"` // how many more could be tested
}

// Name is what to provide, in words.
func (u Unlock) Name() string { return strings.Join(u.Means, " and ") }

// Gain is what could be tested with it: "12 rules, 140 scenarios".
func (u Unlock) Gain() string {
	return wording.Count(len(u.Rules), "rule") + ", " + wording.Count(u.Scenarios, "scenario")
}
