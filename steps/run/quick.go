package run

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/verdict"
)

// passes are the rounds of the first attempts: one for each turn, in which scenarios that change
// nothing share accounts and go first.
func (r *run) passes(runnable []*plan.Scenario) []*pass {
	var all []*pass
	turn := r.turns(runnable)
	for n := range lastTurn + 1 {
		for _, sharing := range []bool{true, false} {
			p := &pass{sharing: sharing, scenarios: map[string]*plan.Scenario{}}
			for _, s := range runnable {
				if turn(s) == n && (s.Harmless && len(r.fixed) > 0) == sharing {
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

// turns returns when a scenario has its turn: 0 for the first, lastTurn for the last. A quick run begins
// with the cheapest scenario of each rule and leaves the costly ones for last, so that it gets to all
// rules.
func (r *run) turns(runnable []*plan.Scenario) func(*plan.Scenario) int {
	if r.options.Quick == 0 {
		return func(s *plan.Scenario) int {
			if s.Rule.Name == r.options.First {
				return 0
			}
			return 1
		}
	}
	r.quickFirst = cheapest(runnable)
	return func(s *plan.Scenario) int {
		switch {
		case r.quickFirst[s]:
			return 0
		case !s.Costly():
			return 1
		}
		return lastTurn
	}
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

// isLeftOut reports whether a quick run has no more time for a scenario. There is always time for one scenario of
// each rule.
func (r *run) isLeftOut(s *plan.Scenario) bool {
	return r.options.Quick > 0 && !r.quickFirst[s] && time.Now().After(r.quickUntil)
}

// leaveOut takes what a quick run did not get to out of its plan.
func (r *run) leaveOut() {
	if r.options.Quick == 0 {
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
	r.leftOut = left
}
