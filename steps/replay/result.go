package replay

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Compare compares the results of a scenario of a report on the target and on the reference. title is that of its rule.
func Compare(past verdict.Scenario, title string, onTarget, onReference *verdict.Run) (Result, error) {
	a, err := ResultOf(onTarget, past)
	if err != nil {
		return Result{}, err
	}
	b, err := ResultOf(onReference, past)
	if err != nil {
		return Result{}, err
	}
	r := Of(a, b)
	r.ID, r.Title, r.Name = past.Slug(), title, past.Name
	r.Target.Name, r.Reference.Name = onTarget.Target, onReference.Target
	return r, nil
}

// ResultOf returns the result of a scenario of the report. A violation of the wire contract is
// found by another scenario: to its rule, that one ends with the step that violates it.
func ResultOf(run *verdict.Run, past verdict.Scenario) (verdict.Scenario, error) {
	id := cmp.Or(past.Via, past.ID())
	i := slices.IndexFunc(run.Scenarios, func(s verdict.Scenario) bool { return s.ID() == id })
	if i < 0 {
		return verdict.Scenario{}, fmt.Errorf("scenario %s did not run", id)
	}
	s := run.Scenarios[i]
	if past.Via == "" {
		return s, nil
	}
	for _, violation := range run.Scenarios {
		if violation.Rule != past.Rule || violation.Name != past.Name {
			continue
		}
		s.Verdict, s.Finding = violation.Verdict, violation.Finding
		if e := violation.Subject(); e != nil {
			s.Finding = violation.Finding.At(s.IndexOf(*e))
			return endingAt(s), nil
		}
		return s, nil
	}
	if s.Verdict == verdict.Fail {
		s.Verdict, s.Finding = verdict.Pass, nil // the failure is another rule's: this violation did not occur again
	}
	return s, nil
}

// endingAt returns the scenario as if it ended with the step of the exchange that its finding is
// about.
func endingAt(s verdict.Scenario) verdict.Scenario {
	if s.Finding.Exchange < 0 {
		return s
	}
	last := s.Exchanges[s.Finding.Exchange].Step
	if last < len(s.Steps) {
		s.Steps = slices.Clone(s.Steps[:last+1])
		s.Steps[last].Verdict = s.Verdict
	}
	return s
}
