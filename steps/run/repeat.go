package run

import (
	"maps"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/verdict"
)

// attempts is how often a scenario that fails is run, to learn how often it fails; and the most
// for one whose attempts are spoiled.
const attempts = 4

// leastRepeating is for how long scenarios that failed are repeated if the run itself was shorter.
const leastRepeating = 10 * time.Second

// repeated is a scenario to be repeated, with its attempts so far.
type repeated struct {
	planned *plan.Scenario
	results []verdict.Scenario
}

// failed: it is repeated to learn how often it fails, and not because it has shown nothing yet.
func (s *repeated) failed() bool {
	return slices.ContainsFunc(s.results, func(s verdict.Scenario) bool { return s.Verdict == verdict.Fail && !s.Spoiled })
}

// wantsMore: another attempt may show something.
func (s *repeated) wantsMore(once bool) bool {
	if len(s.results) == attempts {
		return false
	}
	return s.failed() && !once || !slices.ContainsFunc(s.results, func(s verdict.Scenario) bool { return !s.Spoiled })
}

// settled keeps the result of an attempt. Of a scenario that is not repeated it is final.
func (r *run) settled(a *attempt) {
	if !r.options.Whole {
		if a.pass.attempt == 0 && a.result.Verdict == verdict.Pass {
			a.result.Exchanges = nil
		}
		for i, e := range a.result.Exchanges {
			a.result.Exchanges[i] = e.Kept()
		}
	}
	id := a.planned.ID()
	r.mu.Lock()
	s := r.repeated[id]
	if s == nil {
		s = &repeated{planned: a.planned}
	}
	s.results = append(s.results, a.result)
	again := s.wantsMore(r.options.Once)
	if again {
		r.repeated[id] = s
	} else {
		delete(r.repeated, id)
	}
	r.mu.Unlock()
	if !again {
		r.finished(verdict.Repeated(s.results))
	}
}

// isDue: a scenario is to be run, or repeated and there is time for it.
func (r *run) isDue(s *plan.Scenario) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	again := r.repeated[s.ID()]
	if again == nil {
		return !r.failed.Load()
	}
	return !again.failed() || time.Now().Before(r.repeatUntil)
}

// finishRepeated ends what there was no time to repeat more often. What an early end kept from
// showing anything did not run.
func (r *run) finishRepeated(early bool) {
	for _, id := range slices.Sorted(maps.Keys(r.repeated)) {
		if s := r.repeated[id]; !early || s.failed() {
			r.finished(verdict.Repeated(s.results))
		}
	}
	clear(r.repeated)
}
