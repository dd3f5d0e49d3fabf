package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// endedEarly says why the run ended before every scenario was judged; nil if it did not.
func (r *outcome) endedEarly(ctx context.Context) *verdict.Ended {
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

// endedLate describes the end of a run that came when every scenario had been judged; nil if it came
// too late to change anything. What failed stays failed, but decides the outcome only if the controls that it depends
// on were verified.
func (r *outcome) endedLate(ended *verdict.Ended, verified bool) *verdict.Ended {
	if !verified {
		r.unfinished = cmp.Or(r.unfinished, "the test controls were being verified again")
	}
	if r.unfinished == "" {
		return nil
	}
	late := *ended
	late.Reason += ", when " + r.unfinished
	late.Decided = verified && slices.ContainsFunc(r.results, func(s verdict.Scenario) bool { return s.Verdict == verdict.Fail })
	return &late
}

// fails reports whether the result of an attempt makes the run fail or, if it was the first to meet a
// breach, whether the breaches do. Only such an attempt pays for judging them.
func (r *outcome) fails(result verdict.Scenario, hasBroken, mayStillCome bool) bool {
	if r.options.Strict {
		result = result.Strictly()
	}
	if !result.Spoiled && !result.Unproven && !mayStillCome && r.isNew(result) {
		return true
	}
	if !hasBroken {
		return false
	}
	r.mu.Lock()
	judged := slices.Clone(r.results)
	r.mu.Unlock()
	found := r.breaches.results(judged, r.applicable(slices.Concat(judged, r.notJudged(judged))), nil)
	return slices.ContainsFunc(found, r.isNew)
}

// missed returns the error of a run that judged nothing, or that lost scenarios for no reason.
func (r *outcome) missed(ctx context.Context, ended *verdict.Ended) error {
	switch missing := len(r.planned) - len(r.results); {
	case ended == nil && missing > 0:
		return fmt.Errorf("%d of %d scenarios were lost", missing, len(r.planned))
	case ended == nil || slices.ContainsFunc(r.results, func(s verdict.Scenario) bool { return slices.Contains(judgements, s.Verdict) }):
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("the run was interrupted before any scenario was judged: %w", context.Cause(ctx))
	default:
		return fmt.Errorf("%s, before any scenario was judged; check that the gateway is running, and read its log", ended.Reason)
	}
}

// judgements are the verdicts that are worth a report if the run ended early.
var judgements = []verdict.Verdict{verdict.Pass, verdict.Warning, verdict.Fail, verdict.KnownFailure, verdict.SuiteError}

// notRun returns a result for each scenario that did not run because the run ended early.
func (r *outcome) notRun(ended *verdict.Ended) []verdict.Scenario {
	if ended == nil {
		return nil
	}
	all := r.notJudged(r.results)
	for i := range all {
		all[i].Finding = &verdict.Finding{Got: "the run ended early: " + ended.Reason, Exchange: -1}
	}
	return all
}

func (r *outcome) notJudged(results []verdict.Scenario) []verdict.Scenario {
	judged := map[string]bool{}
	for _, s := range results {
		judged[s.ID()] = true
	}
	var all []verdict.Scenario
	for _, s := range r.planned {
		if !judged[s.ID()] {
			all = append(all, s.Result(verdict.NotRun))
		}
	}
	return all
}

// dying is how long before its last response a target may already have left requests
// unanswered, or to a proxy.
const dying = 10 * time.Second

// endOf returns when a scenario ended that may have exchanged something with the party; zero for one
// that certainly has not.
func endOf(s verdict.Scenario, party exchange.Party) time.Time {
	if s.LeftOut == 0 && !slices.ContainsFunc(s.Exchanges, func(e exchange.Exchange) bool { return e.Party == party }) {
		return time.Time{}
	}
	return s.Started.Add(s.Took)
}

// isCutOff reports whether what ended at this time with this exchange may only show that the target
// stopped responding.
func isCutOff(end time.Time, e *exchange.Exchange, ended *verdict.Ended) bool {
	since := ended.At
	if e != nil && (e.Err != "" || target.MayBeProxy(*e)) {
		since = since.Add(-dying)
	}
	return end.After(since)
}

// cutOff withdraws the failures that may only show that the target stopped responding: those of
// scenarios that were still running after its last response, or that got none, or a proxy's, shortly before.
func cutOff(results []verdict.Scenario, ended *verdict.Ended) []verdict.Scenario {
	if ended == nil || ended.Silent == "" {
		return results
	}
	for i, s := range results {
		if !s.Verdict.Failing() || !isCutOff(endOf(s, ended.Silent), s.Subject(), ended) {
			continue
		}
		results[i] = verdict.Withdrawn(s)
		results[i].Finding = judge.GivenUp(ended.Reason).Finding
	}
	return results
}
