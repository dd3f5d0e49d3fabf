package verdict

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
)

// Attempt is one execution of a scenario.
type Attempt struct {
	Verdict Verdict
	Doubt
	Finding *Finding // why it is not a pass
	Started time.Time
	Took    time.Duration
}

// Repeated combines several attempts at a scenario, in order, into one result. The most severe
// attempt counts, because a fault that occurs once is still a fault; [Scenario.Frequency] says how
// often it occurred. A spoiled attempt says nothing: if all are, the scenario could not be tested. An unproven failure counts
// only if every attempt that is not spoiled is one.
func Repeated(all []Scenario) Scenario {
	counted := slices.DeleteFunc(slices.Clone(all), func(s Scenario) bool { return s.Spoiled })
	if proven := slices.DeleteFunc(slices.Clone(counted), func(s Scenario) bool { return s.Unproven }); len(proven) > 0 {
		counted = proven
	}
	if len(counted) == 0 {
		counted = []Scenario{disturbed(all[len(all)-1])}
	}
	result := slices.MinFunc(counted, func(a, b Scenario) int { return a.Verdict.severity() - b.Verdict.severity() })
	if len(all) == 1 {
		return result
	}
	for _, s := range all {
		result.Attempts = append(result.Attempts, Attempt{Verdict: s.Verdict, Doubt: s.Doubt, Finding: s.Finding, Started: s.Started, Took: s.Took})
		if result.Verdict == Fail && result.Right == nil && s.Holds() {
			result.Right = result.counterpart(s.Exchanges)
		}
	}
	return result
}

// disturbed returns the result of a scenario of which every attempt is spoiled.
func disturbed(last Scenario) Scenario {
	if last.Verdict != Fail && !last.Holds() {
		return last
	}
	got := "none"
	if last.Finding != nil {
		got += "; the last attempt got " + last.Finding.Got
	}
	withdrawn := Withdrawn(last)
	withdrawn.Finding = &Finding{Expected: "an attempt without an outage or another disturbance", Got: got, Exchange: -1}
	return withdrawn
}

// Proves reports whether the attempt alone shows that the target fails.
func (s Scenario) Proves() bool { return s.Verdict == Fail && !s.Spoiled && !s.Unproven }

func (v Verdict) severity() int { return slices.Index(BySeverity[:], v.Normalized()) }

// Holds reports whether the rule holds in the scenario.
func (s Scenario) Holds() bool { return s.Verdict == Pass || s.Verdict == Warning }

// Frequency says how often a failing scenario failed, "in 1 of 4 attempts" or "in all 4 attempts"; empty if
// it was not repeated.
func (s Scenario) Frequency() string { return s.FrequencyIn(translation.English) }

// FrequencyIn is Frequency in a language.
func (s Scenario) FrequencyIn(in translation.Language) string {
	failed, judged := s.attemptsJudged()
	if !s.Verdict.Failing() || judged < 2 {
		return ""
	}
	switch {
	case failed < judged:
		return in.Sayf("in %d of %d attempts", failed, judged)
	case judged == 2:
		return in.Say("in both attempts")
	}
	return in.Sayf("in all %d attempts", judged)
}

// Intermittent says whether a failing scenario passed in other attempts.
func (s Scenario) Intermittent() bool {
	failed, judged := s.attemptsJudged()
	return s.Verdict.Failing() && failed < judged
}

// attemptsJudged returns how many attempts failed, and how many failed or passed.
func (s Scenario) attemptsJudged() (failed, judged int) {
	for _, a := range s.Attempts {
		switch {
		case a.Spoiled:
		case a.Verdict == Fail:
			failed, judged = failed+1, judged+1
		case a.Verdict == Pass, a.Verdict == Warning:
			judged++
		}
	}
	return failed, judged
}

// counterpart finds the exchange of another attempt that corresponds to the one that the finding is
// about: it has the same step, the same operation and the same position among these. nil for none.
func (s Scenario) counterpart(exchanges []exchange.Exchange) *exchange.Exchange {
	wrong := s.Subject()
	if wrong == nil {
		return nil
	}
	alike := func(e exchange.Exchange) bool {
		return e.Step == wrong.Step && e.Party == wrong.Party && e.Operation == wrong.Operation
	}
	nth := 0
	for _, e := range s.Exchanges[:s.Finding.Exchange] {
		if alike(e) {
			nth++
		}
	}
	for _, e := range exchanges {
		if !alike(e) {
			continue
		}
		if nth == 0 {
			return &e
		}
		nth--
	}
	return nil
}

// Withdrawn returns a scenario whose verdict, and that of its failing steps, says nothing about the target: it could
// not be tested.
func Withdrawn(s Scenario) Scenario {
	s.Verdict, s.Spoiled, s.Known, s.Warnings, s.Observations, s.Steps = CouldNotTest, true, nil, nil, nil, slices.Clone(s.Steps)
	for i, step := range s.Steps {
		if step.Verdict == Fail {
			s.Steps[i].Verdict = CouldNotTest
		}
	}
	return s
}
