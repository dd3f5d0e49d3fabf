package verdict

import (
	"strings"

	"github.com/pixcert/pixcert/steps/translation"
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

// Describe is Judged or, if what was done is "can be tested", Testable, in English.
func (r Reach) Describe(done string) string {
	if done == "judged" {
		return r.Judged(translation.English)
	}
	return r.Testable(translation.English)
}

// Testable says how many rules can be tested: "40 of 41 rules can be tested, 1 more in part".
func (r Reach) Testable(in translation.Language) string {
	return r.describe(in, in.SayN(r.Whole, "%d of %s can be tested", "%d of %s can be tested", r.Whole, in.SayCount(r.Rules, "rule")))
}

// Judged says how many rules were judged: "40 of 41 rules judged".
func (r Reach) Judged(in translation.Language) string {
	return r.describe(in, in.SayN(r.Whole, "%d of %s judged", "%d of %s judged", r.Whole, in.SayCount(r.Rules, "rule")))
}

func (r Reach) describe(in translation.Language, words string) string {
	if r.Part > 0 {
		words += in.Sayf(", %d more in part", r.Part)
	}
	if r.Inapplicable > 0 {
		words += in.SayN(r.Inapplicable, "; %d does not apply", "; %d do not apply", r.Inapplicable)
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
func (u Unlock) Name() string { return u.NameIn(translation.English) }

// NameIn is Name in a language.
func (u Unlock) NameIn(in translation.Language) string {
	var means []string
	for _, one := range u.Means {
		means = append(means, in.Recorded(one))
	}
	return strings.Join(means, in.Say(" and "))
}

// Gain is what could be tested with it: "12 rules, 140 scenarios".
func (u Unlock) Gain() string { return u.GainIn(translation.English) }

// GainIn is Gain in a language.
func (u Unlock) GainIn(in translation.Language) string {
	return in.SayCount(len(u.Rules), "rule") + ", " + in.SayCount(u.Scenarios, "scenario")
}
