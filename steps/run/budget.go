package run

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/verdict"
)

// passes are the rounds of the first attempts: for each turn, first scenarios that change nothing and share accounts,
// and at the end those that send bursts, one at a time.
func (r *run) passes(runnable []*plan.Scenario) []*pass {
	var all []*pass
	turn := r.turns(runnable)
	for n := range lastTurn + 1 {
		for _, round := range []pass{{sharing: true}, {}, {single: true}} {
			p := &round
			p.scenarios = map[string]*plan.Scenario{}
			for _, s := range runnable {
				if turn(s) == n && s.Bursts() == p.single && (s.Harmless && len(r.fixed) > 0 && !s.Bursts()) == p.sharing {
					p.scenarios[s.ID()] = s
				}
			}
			if len(p.scenarios) > 0 {
				all = append(all, p)
			}
		}
	}
	return all
}

const lastTurn = 2

// quickBudget is the time of a quick run.
const quickBudget = 3 * time.Second

// turns returns when a scenario has its turn: 0 for the first, lastTurn for the last. A run with a budget begins with the
// cheapest scenario of each rule, so that it gets to all of them. Then follows what covers most: the scenarios that combine
// choices or, in the three seconds of a quick run, those that take little time.
func (r *run) turns(runnable []*plan.Scenario) func(*plan.Scenario) int {
	if r.options.Budget == 0 {
		return func(s *plan.Scenario) int {
			if slices.Contains(r.options.First, s.Rule.Name) {
				return 0
			}
			return 1
		}
	}
	r.first = cheapest(runnable)
	return func(s *plan.Scenario) int {
		switch {
		case r.first[s]:
			return 0
		case r.options.Depth == verdict.Quick && !s.Costly(), r.options.Depth != verdict.Quick && combines(s):
			return 1
		}
		return lastTurn
	}
}

// combines reports whether a step of the scenario combines choices.
func combines(s *plan.Scenario) bool {
	return slices.ContainsFunc(s.Steps, func(step language.Step) bool {
		m, is := step.Meaning.(language.Send)
		return is && len(m.Dimensions) > 0
	})
}

// cheapest is one scenario of each rule: the first in the feature that is not costly, if there is one.
func cheapest(runnable []*plan.Scenario) map[*plan.Scenario]bool {
	of := map[string]*plan.Scenario{}
	for _, s := range runnable {
		if first := of[s.Rule.Name]; first == nil || first.Costly() && !s.Costly() {
			of[s.Rule.Name] = s
		}
	}
	all := map[*plan.Scenario]bool{}
	for _, s := range of {
		all[s] = true
	}
	return all
}

// isLeftOut reports whether the budget leaves no more time for a scenario. There is always time for one scenario of
// each rule.
func (r *run) isLeftOut(s *plan.Scenario) bool {
	return r.options.Budget > 0 && !r.first[s] && time.Now().After(r.budgetEnds)
}

// leaveOut takes what there was no time for out of the plan.
func (r *run) leaveOut() {
	if r.options.Budget == 0 {
		return
	}
	left := &verdict.LeftOut{Rules: []string{}}
	begun, tried := map[string]bool{}, map[string]bool{}
	for _, s := range r.results {
		begun[s.ID()], tried[s.Rule] = true, true
	}
	for id, s := range r.repeated {
		begun[id], tried[s.planned.Rule.Name] = true, true
	}
	r.planned = slices.DeleteFunc(slices.Clone(r.planned), func(s *plan.Scenario) bool {
		if begun[s.ID()] {
			return false
		}
		left.Scenarios, left.Skipped = left.Scenarios+1, append(left.Skipped, s.ID())
		if !tried[s.Rule.Name] {
			tried[s.Rule.Name] = true
			left.Rules = append(left.Rules, s.Rule.Name)
		}
		return true
	})
	if left.Scenarios > 0 || r.options.Depth == verdict.Quick {
		r.leftOut = left
	}
}
