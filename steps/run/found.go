package run

import (
	"context"
	"slices"
	"sync"

	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/verdict"
)

// foundAttempts is how many times the scenario of a finding runs, whether it passes or not. What explore
// finds may occur once in several attempts.
const foundAttempts = 10

// repeatFound repeats the scenarios of findings, with several attempts at the same time: a finding may
// wait for an event that never arrives.
func (r *run) repeatFound(ctx context.Context) {
	var found []*plan.Scenario
	for _, s := range r.repeated {
		if s.found {
			found = append(found, s.planned)
		}
	}
	if len(found) == 0 {
		return
	}
	var wait sync.WaitGroup
	room := make(chan struct{}, max(1, r.options.Concurrency/len(found)))
	for attempt := 1; attempt < foundAttempts; attempt++ {
		again := &pass{attempt: attempt, scenarios: map[string]*plan.Scenario{}}
		for _, s := range found {
			if attempt+len(r.earlier(s)) < foundAttempts {
				again.scenarios[s.ID()] = s
			}
		}
		room <- struct{}{}
		wait.Go(func() {
			defer func() { <-room }()
			r.carryOut(ctx, again)
		})
	}
	wait.Wait()
}

// earlier are the attempts at a scenario before this run.
func (r *run) earlier(s *plan.Scenario) (all []verdict.Scenario) {
	for _, result := range r.options.Earlier {
		if result.Via == "" && result.ID() == s.ID() {
			result.Line = s.Line
			all = append(all, result)
		}
	}
	return all
}

// earlierBreaches are those that findings met before this run, and not in any attempt of it.
func (r *outcome) earlierBreaches(found []verdict.Scenario) (all []verdict.Scenario) {
	for _, result := range r.options.Earlier {
		again := func(s verdict.Scenario) bool { return s.Rule == result.Rule && s.Name == result.Name }
		if result.Via == "" || slices.ContainsFunc(found, again) || slices.ContainsFunc(all, again) {
			continue
		}
		result.Attempts = []verdict.Attempt{{Verdict: verdict.Fail, Finding: result.Finding, Started: result.Started}}
		for _, s := range r.results {
			if s.ID() != result.Via {
				continue
			}
			for _, a := range s.Attempts {
				a.Verdict, a.Finding = verdict.Pass, nil
				result.Attempts = append(result.Attempts, a)
			}
		}
		all = append(all, result)
	}
	return all
}

// unrecorded are the attempts at a finding before its run, which have no record: they keep their verdict
// when the run is judged again.
func unrecorded(s verdict.Scenario, records []verdict.Scenario) (all []verdict.Scenario) {
	for _, a := range s.Attempts {
		if !slices.ContainsFunc(records, func(r verdict.Scenario) bool { return r.Started.Equal(a.Started) }) {
			s.Verdict, s.Spoiled, s.Unproven, s.Finding, s.Started, s.Took, s.Attempts = a.Verdict, a.Spoiled, a.Unproven, a.Finding, a.Started, a.Took, nil
			all = append(all, s)
		}
	}
	return all
}

// earlier reports whether a breach was met before the run, and in no attempt that is recorded.
func earlier(breach verdict.Scenario, records []verdict.Scenario) bool {
	return len(records) > 0 && slices.ContainsFunc(breach.Attempts, func(a verdict.Attempt) bool { return a.Verdict == verdict.Fail }) &&
		!slices.ContainsFunc(breach.Attempts, func(a verdict.Attempt) bool {
			return a.Verdict == verdict.Fail && slices.ContainsFunc(records, func(r verdict.Scenario) bool { return r.Started.Equal(a.Started) })
		})
}
