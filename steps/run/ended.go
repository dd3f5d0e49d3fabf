package run

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/verdict"
)

// endedEarly says why the run ended before every scenario was judged; nil if it did not.
func (r *run) endedEarly(ctx context.Context) *verdict.Ended {
	for _, party := range []exchange.Party{exchange.API, exchange.Control} {
		if silence := r.target.Client.GivenUp(party); silence != nil {
			return &verdict.Ended{Reason: silence.String(), At: silence.Since, Silent: party}
		}
	}
	now := time.Now()
	if r.failed.Load() {
		return &verdict.Ended{Reason: "stopped at the first failure (--fail-fast)", At: now, Decided: true}
	}
	cause := context.Cause(ctx)
	if cause == nil {
		return nil
	}
	reason := cause.Error()
	if cause == context.Canceled || cause == context.DeadlineExceeded { // not errors.Is: a signal says more
		reason = "interrupted"
	}
	return &verdict.Ended{Reason: reason + now.UTC().Format(" at 15:04:05 UTC"), At: now}
}

// fails reports whether an attempt shows a failure of the run.
func (r *run) fails(a *attempt) bool {
	result := a.result
	if r.options.Strict {
		result = result.Strictly()
	}
	return result.Verdict == verdict.Fail && !result.Spoiled ||
		slices.ContainsFunc(a.world.Judge.Breaches(), func(found judge.Met) bool {
			return slices.ContainsFunc(r.planned, func(s *plan.Scenario) bool { return s.Rule.Name == found.Rule && s.Outside == "" })
		})
}

// missed is the error of a run that judged nothing, or that lost scenarios for no reason.
func (r *run) missed(ctx context.Context, ended *verdict.Ended) error {
	switch missing := len(r.planned) - len(r.results); {
	case ended == nil && missing > 0:
		return fmt.Errorf("%d of %d scenarios were not carried out", missing, len(r.planned))
	case ended == nil || slices.ContainsFunc(r.results, func(s verdict.Scenario) bool { return slices.Contains(judgements, s.Verdict) }):
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("the run was interrupted before a scenario was judged: %w", context.Cause(ctx))
	default:
		return fmt.Errorf("%s, before a scenario was judged; check that the gateway runs, and what its log says", ended.Reason)
	}
}

// judgements are the verdicts for the sake of which a run that ended early has a report.
var judgements = []verdict.Verdict{verdict.Pass, verdict.Warning, verdict.Fail, verdict.KnownFailure, verdict.SuiteError}

// notRun are the results of the scenarios that an early end left without any.
func (r *run) notRun(ended *verdict.Ended) []verdict.Scenario {
	if ended == nil {
		return nil
	}
	judged := map[string]bool{}
	for _, s := range r.results {
		judged[s.ID()] = true
	}
	var all []verdict.Scenario
	for _, s := range r.planned {
		if !judged[s.ID()] {
			result := s.Result(verdict.NotRun)
			result.Finding = &verdict.Finding{Got: "the run ended early: " + ended.Reason, Exchange: -1}
			all = append(all, result)
		}
	}
	return all
}

// dying is how long before its last response a target may already have left requests
// unanswered.
const dying = 10 * time.Second

// cutOff takes back the failures that a target's silence may have caused: those of scenarios
// that were still running after its last response, or that lacked a response shortly before.
func cutOff(results []verdict.Scenario, ended *verdict.Ended) []verdict.Scenario {
	if ended == nil || ended.Silent == "" {
		return results
	}
	for i, s := range results {
		met := s.LeftOut > 0 || slices.ContainsFunc(s.Exchanges, func(e exchange.Exchange) bool { return e.Party == ended.Silent })
		since := ended.At
		if f := s.Finding; f != nil && f.Exchange >= 0 && f.Exchange < len(s.Exchanges) && s.Exchanges[f.Exchange].Err != "" {
			since = since.Add(-dying)
		}
		if !s.Verdict.Failing() || !met || !s.Started.Add(s.Took).After(since) {
			continue
		}
		results[i].Verdict, results[i].Known, results[i].Finding = verdict.CouldNotTest, nil, judge.GivenUp(ended.Reason).Finding
		for j, step := range s.Steps {
			if step.Verdict == verdict.Fail {
				results[i].Steps[j].Verdict = verdict.CouldNotTest
			}
		}
	}
	return results
}
