package run

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// attempts is how many times a failing scenario runs, to measure how often it fails. It is also the
// maximum for a scenario whose attempts are spoiled.
const attempts = 4

// maxRepeated is after how many exchanges, in all attempts, a scenario that failed twice is not repeated again: to count
// how often a scenario of a thousand payments fails is not worth its cost.
const maxRepeated = 1000

// enoughUnproven is how many attempts that each may have failed by chance show a failure together.
const enoughUnproven = 2

// leastRepeating is the minimum time for repeating failed scenarios, however short the run was.
const leastRepeating = 10 * time.Second

// repeated is a scenario to be repeated, with its attempts so far.
type repeated struct {
	planned *plan.Scenario
	found   bool // by exploring: it is repeated even if it passes
	results []verdict.Scenario

	// alone is set if the latest attempt met a request without a response or an outage: the next one runs with
	// nothing else in flight.
	alone *lone

	waited bool // for a minute to pass, in the latest attempt: to count how often it fails would take too long

	overdue []overdue // attempts that failed because an event did not arrive in time
	late    int       // attempts whose event has arrived since: the next one waits for longer
}

// failed reports whether an attempt failed. If so, the scenario is repeated to measure how often it
// fails; otherwise because all of its attempts are spoiled.
func (s *repeated) failed() bool {
	return slices.ContainsFunc(s.results, verdict.Scenario.Proves) || !s.isProven() && s.unproven() >= enoughUnproven
}

func (s *repeated) wantsMore(once bool) bool {
	if s.found && !once {
		return len(s.results) < foundAttempts
	}
	if len(s.results) >= attempts {
		return false
	}
	if s.failed() {
		return !once && !s.waited && (len(s.results) < 2 || s.exchanges() < maxRepeated)
	}
	return !s.isProven()
}

// isSteady reports whether it has failed twice or more and each time, at least once for sure. What it missed may still
// arrive until its deadline.
func (s *repeated) isSteady() bool {
	if s.doubtLate(); len(s.results) < 2 || s.isOverdue() {
		return false
	}
	return slices.ContainsFunc(s.results, verdict.Scenario.Proves) &&
		!slices.ContainsFunc(s.results, func(one verdict.Scenario) bool { return one.Verdict != verdict.Fail || one.Spoiled })
}

// exchanges counts those of all attempts.
func (s *repeated) exchanges() (n int) {
	for _, r := range s.results {
		n += r.ExchangeCount
	}
	return n
}

// isProven reports whether an attempt alone says something about the target.
func (s *repeated) isProven() bool {
	return slices.ContainsFunc(s.results, func(s verdict.Scenario) bool { return !s.Spoiled && !s.Unproven })
}

// unproven counts the attempts that failed, perhaps by chance. That events are late is no chance, and a reason to wait for
// longer: only all attempts together show that they never come in time.
func (s *repeated) unproven() int {
	n := -s.late
	for _, r := range s.results {
		if r.Unproven && !r.Spoiled {
			n++
		}
	}
	return n
}

// overdue is an attempt that failed because an event did not arrive in time.
type overdue struct {
	*attempt
	result int // its index
}

// keepOverdue keeps an attempt whose event may still arrive. Those whose event has arrived prove nothing alone.
func (s *repeated) keepOverdue(a *attempt) {
	if a.missed >= 0 && !a.result.Spoiled {
		s.overdue = append(s.overdue, overdue{a, len(s.results) - 1})
	}
	s.doubtLate()
}

// isOverdue reports whether the event that an attempt missed may still arrive in time. The first such attempt is enough:
// if its event never comes, the scenario fails.
func (s *repeated) isOverdue() bool {
	return len(s.overdue) > 0 && time.Now().Before(s.overdue[0].world.Overdue())
}

func (s *repeated) doubtLate() {
	s.overdue = slices.DeleteFunc(s.overdue, func(m overdue) bool {
		isLate := m.world.CameLate(m.missed)
		if isLate && !s.results[m.result].Unproven {
			s.results[m.result].Unproven = true
			s.late++
		}
		return isLate
	})
}

// settled keeps the result of an attempt. Unless the scenario is to be repeated, its result is final.
func (r *run) settled(a *attempt) {
	if !r.options.Whole {
		if a.pass.attempt == 0 && a.result.Verdict == verdict.Pass {
			a.result.Exchanges = nil
		}
		for i, e := range a.result.Exchanges {
			a.result.Exchanges[i] = e.Kept()
		}
	}
	id, isKnown := a.planned.ID(), r.isKnown(a.result)
	r.mu.Lock()
	s := r.repeated[id]
	if s == nil {
		s = &repeated{planned: a.planned, found: a.planned.Rule.Found(), results: r.earlier(a.planned)}
	}
	s.results = append(s.results, a.result)
	s.waited = a.world.RealTime && a.result.Took > time.Minute/2
	r.repeatAlone(s, a)
	s.keepOverdue(a)
	again := s.wantsMore(r.options.Once) && !isKnown
	isKept := again || s.isOverdue() && !isKnown
	if isKept {
		r.repeated[id] = s
	} else {
		delete(r.repeated, id)
	}
	failing := s.failed()
	judged := len(r.results) - (len(r.planned) - r.runnable)
	r.mu.Unlock()
	r.sayPace(judged)
	switch {
	case again:
		r.options.Progress.Again(a.result.Rule, a.result.Name, failing)
		return
	case isKept:
		return
	}
	result := verdict.Repeated(s.results)
	if r.options.FailFast && result.Verdict == verdict.Fail && r.isNew(result) {
		r.failed.Store(true)
	}
	r.finished(result)
}

// isKnown reports whether an attempt failed as the baseline says: how often it does need not be counted again.
func (r *run) isKnown(s verdict.Scenario) bool {
	return s.Proves() && !r.isNew(s)
}

// announceRepeating says why a run goes on after its last scenario.
func (r *run) announceRepeating() {
	n := 0
	for _, s := range r.repeated {
		if s.failed() {
			n++
		}
	}
	if n > 0 {
		r.options.Progress.Waiting(fmt.Sprintf("%s to run again, to count how often %s", wording.Count(n, "failing scenario"), wording.Choose(n, "it fails", "they fail")))
	}
}

// isDue reports whether a scenario is to run: for the first time, or again if there is time for it.
func (r *run) isDue(s *plan.Scenario) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	again := r.repeated[s.ID()]
	if again == nil {
		return !r.failed.Load() && !r.isLeftOut(s)
	}
	return again.found || !again.failed() || time.Now().Before(r.repeatUntil)
}

// awaitOverdue waits until the events that scenarios have stopped waiting for have arrived, or had all the time that
// they may take.
func (r *run) awaitOverdue(ctx context.Context) {
	const every = 50 * time.Millisecond
	for waits := true; waits && ctx.Err() == nil; {
		waits = false
		for _, s := range r.repeated {
			s.doubtLate()
			waits = waits || s.isOverdue()
		}
		if waits {
			select {
			case <-time.After(every):
			case <-ctx.Done():
			}
		}
	}
}

// finishRepeated makes the results of the scenarios final for which no more time is left. If the run
// ended early, a scenario that has not failed so far counts as not run.
func (r *run) finishRepeated(early bool) {
	for _, id := range slices.Sorted(maps.Keys(r.repeated)) {
		s := r.repeated[id]
		s.doubtLate()
		if !early || s.failed() {
			r.finished(verdict.Repeated(s.results))
		}
	}
	clear(r.repeated)
}

// hasProven reports whether an earlier attempt at a scenario alone shows that the target fails, whatever still arrives.
func (r *run) hasProven(planned *plan.Scenario) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.repeated[planned.ID()]
	if s == nil || s.found {
		return false
	}
	s.doubtLate()
	return !s.isOverdue() && slices.ContainsFunc(s.results, verdict.Scenario.Proves)
}

// wasRefused reports whether an earlier attempt at a scenario about how many requests are accepted in a minute got a 429.
// The target may count in real time. One that refused none may have no limit: to wait for a minute would show no more.
func (r *run) wasRefused(planned *plan.Scenario) bool {
	if !planned.Throttled {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.repeated[planned.ID()]
	return s != nil && slices.ContainsFunc(s.results, func(s verdict.Scenario) bool {
		return slices.ContainsFunc(s.Exchanges, func(e exchange.Exchange) bool {
			return e.Party == exchange.API && e.Status == http.StatusTooManyRequests
		})
	})
}
