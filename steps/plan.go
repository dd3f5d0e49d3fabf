package steps

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// planned is a scenario that will run, or that cannot be tested for want of controls.
type planned struct {
	scenario *catalogue.Scenario
	missing  []string     // controls; none: it will run
	speaks   []*sentence  // each once
	reads    map[int]bool // the steps before which the balance is read
	looks    bool         // it looks at balances or lists
}

// plan binds every selected scenario to the vocabulary and to what the target has.
func plan(selected []*catalogue.Scenario, has map[target.Control]bool) ([]*planned, error) {
	var all []*planned
	for _, scenario := range selected {
		p := &planned{scenario: scenario, reads: map[int]bool{}}
		spoken := make([]*sentence, len(scenario.Steps))
		for i, step := range scenario.Steps {
			s, err := understand(step.Text)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", scenario.Rule.Feature.File, step.Line, err)
			}
			spoken[i] = s
			p.looks = p.looks || strings.Contains(step.Text, "list") || strings.Contains(step.Text, "balance")
			if !slices.Contains(p.speaks, s) {
				p.speaks = append(p.speaks, s)
			}
			for _, control := range s.needsFor(step.Text) {
				if !has[control] && !slices.Contains(p.missing, string(control)) {
					p.missing = append(p.missing, string(control))
				}
			}
		}
		p.planReads(spoken)
		all = append(all, p)
	}
	return all, nil
}

// understand finds the one sentence that a step's text speaks.
func understand(text string) (*sentence, error) {
	var found *sentence
	for i := range sentences {
		if !sentences[i].pattern.MatchString(text) {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%q is understood in two ways: %s and %s", text, found.pattern, sentences[i].pattern)
		}
		found = &sentences[i]
	}
	if found == nil {
		return nil, fmt.Errorf("%q is no sentence that the suite knows", text)
	}
	return found, nil
}

// planReads marks the first step of each When whose Then judges how the balance moved,
// or that a refused payment moved nothing: there the balance is read beforehand.
func (p *planned) planReads(spoken []*sentence) {
	start, pays := -1, false
	for i, step := range p.scenario.Steps {
		switch step.Type {
		case catalogue.Action:
			if p.startsWhen(i) {
				start = i
			}
			pays = pays || spoken[i].sendsPayment(step.Text)
		case catalogue.Context:
			pays = pays || spoken[i].sendsPayment(step.Text)
		case catalogue.Outcome:
			if start >= 0 && (spoken[i].balance || pays && strings.Contains(step.Text, "refused with")) {
				p.reads[start] = true
			}
		}
	}
}

// startsWhen says whether a step is the first of a When.
func (p *planned) startsWhen(i int) bool {
	steps := p.scenario.Steps
	return steps[i].Type == catalogue.Action && (i == 0 || steps[i-1].Type != catalogue.Action)
}

// sendsPayment says whether a step sends a request that takes money.
func (s *sentence) sendsPayment(step string) bool {
	for _, word := range s.pattern.FindStringSubmatch(step)[1:] {
		if i := slices.IndexFunc(operations, func(op operation) bool { return op.noun == word }); i >= 0 {
			return operations[i].makes == payment || operations[i].makes == refund
		}
	}
	return false
}

// show is the plan as a person sees it before anything is sent.
func (r *run) show(all []*planned) progress.Plan {
	features, rules := map[*catalogue.Feature]bool{}, map[*catalogue.Rule]bool{}
	lacking := map[string]map[*catalogue.Rule]bool{}
	for _, p := range all {
		features[p.scenario.Rule.Feature] = true
		rules[p.scenario.Rule] = true
		for _, control := range p.missing {
			if lacking[control] == nil {
				lacking[control] = map[*catalogue.Rule]bool{}
			}
			lacking[control][p.scenario.Rule] = true
		}
	}
	missing := map[string]int{}
	for control, of := range lacking {
		missing[control] = len(of)
	}
	return progress.Plan{
		Target: r.profile.Name, RunID: r.id, Seed: r.options.Seed, Concurrency: r.options.Concurrency,
		Selection: r.selection(), Features: len(features), Rules: len(rules), Scenarios: len(all), Missing: missing,
	}
}

// untested is the result of a scenario that cannot be tested for want of controls.
func (p *planned) untested() verdict.Scenario {
	return verdict.Scenario{
		Rule: p.scenario.Rule.Name, Name: p.scenario.Name, Line: p.scenario.Line,
		Verdict: verdict.CouldNotTest, Missing: p.missing,
		Finding: &verdict.Finding{
			Expected: "the test controls " + strings.Join(p.missing, ", "),
			Came:     "a target without them",
			Hint:     "a target that offers these controls can be tested on this rule too",
			Exchange: -1,
		},
	}
}
