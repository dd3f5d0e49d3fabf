package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Past is what a later run needs to know of the run that a report is about.
type Past struct {
	RunID     string
	Target    string
	Arguments []string // of the command that name the target, as seen from the current directory
	Strict    bool
	Ended     bool // early: some scenarios were not judged
	Seed      int64
	Scenarios []PastScenario // in the order of the features
}

// PastScenario is one scenario of a report.
type PastScenario struct {
	Slug    string // see verdict.Scenario.Slug
	Rule    verdict.Rule
	Name    string
	Via     string // see verdict.Scenario.Via
	Verdict verdict.Verdict
	Finding *verdict.Finding // without its exchange
	cutOff  bool             // it ran and could not be tested, and not because a control is missing
}

// ID is verdict.Scenario.ID.
func (s PastScenario) ID() string { return s.Rule.Name + "/" + s.Name }

// ReadPast reads verdict.json of the report in dir.
func ReadPast(dir string) (Past, error) {
	report, err := readJSON(dir)
	if err != nil {
		return Past{}, err
	}
	past := Past{RunID: report.RunID, Target: report.Target, Arguments: rebased(report.Arguments, dir, report.Directory), Strict: report.Strict, Ended: report.Ended != nil, Seed: report.Seed}
	for _, feature := range report.Features {
		for _, rule := range feature.Rules {
			of := verdict.Rule{Name: rule.Name, Title: rule.Title, Feature: feature.Name, File: feature.File}
			for _, s := range rule.Scenarios {
				past.Scenarios = append(past.Scenarios, s.past(of))
			}
		}
	}
	return past, nil
}

func (s jsonScenario) past(rule verdict.Rule) PastScenario {
	past := PastScenario{Slug: s.ID, Rule: rule, Name: s.Name, Via: s.Via, Verdict: s.Verdict}
	past.cutOff = s.Verdict == verdict.CouldNotTest && len(s.MissingControls) == 0 && s.ExchangeCount > 0
	if s.Finding != nil {
		past.Finding = &verdict.Finding{Expected: s.Finding.Expected, Got: s.Finding.Got, Hint: s.Finding.Hint, Exchange: -1}
	}
	return past
}

// Find returns the scenario with that slug, or with that unique prefix of a slug, or the only
// failed scenario with that prefix. The error lists the candidates.
func (p Past) Find(id string) (PastScenario, error) {
	id = strings.TrimPrefix(id, "@")
	var begin, failed []PastScenario
	for _, s := range p.Scenarios {
		if s.Slug == id {
			return s, nil
		}
		if strings.HasPrefix(s.Slug, id) {
			begin = append(begin, s)
			if s.Verdict == verdict.Fail {
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
		return PastScenario{}, fmt.Errorf("%q matches several failed scenarios: choose one of %s", id, listed(failed))
	case len(begin) > 0:
		return PastScenario{}, fmt.Errorf("%q matches several scenarios: choose one of %s", id, listed(begin))
	}
	if all := p.Failed(); len(all) > 0 {
		return PastScenario{}, fmt.Errorf("the report has no scenario %q; failed scenarios: %s", id, listed(all))
	}
	return PastScenario{}, fmt.Errorf("the report has no scenario %q, and no scenario failed", id)
}

func listed(scenarios []PastScenario) string {
	const most = 8
	var slugs []string
	for _, s := range scenarios {
		slugs = append(slugs, s.Slug)
	}
	if len(slugs) > most {
		return strings.Join(slugs[:most], ", ") + fmt.Sprintf(" and %d more", len(slugs)-most)
	}
	return strings.Join(slugs, ", ")
}

// Failed are the scenarios that failed, in the order of the features.
func (p Past) Failed() []PastScenario {
	return slices.DeleteFunc(slices.Clone(p.Scenarios), func(s PastScenario) bool { return s.Verdict != verdict.Fail })
}

// Unfinished are the scenarios to run in order to continue: those that failed and, if the run
// ended early, those that did not run or were cut off.
func (p Past) Unfinished() []PastScenario {
	return slices.DeleteFunc(slices.Clone(p.Scenarios), func(s PastScenario) bool {
		return s.Verdict != verdict.Fail && s.Verdict != verdict.NotRun && !(p.Ended && s.cutOff)
	})
}

// Rerun is the ids of the scenarios to run in order to test those again. A violation of the
// wire contract is found by the scenario that exchanged the message, provided that a
// scenario of the violated rule runs too.
func (p Past) Rerun(scenarios []PastScenario) []string {
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
		add(s.Via)
		for _, other := range p.Scenarios {
			if other.Rule.Name == s.Rule.Name && other.Via == "" {
				add(other.ID())
			}
		}
	}
	return ids
}
