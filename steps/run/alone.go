package run

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/world"
)

// A request without a response says nothing about the target, and neither does what happens during an outage. The
// scenarios that met one run again, one at a time. What gets no response even then is a failure: see world.Alone.

// Of the scenarios that met the same silent operation, a few show whether it is silent alone. If it is not, the others
// run in larger batches; if it is, they could not be tested.
const (
	mostSilent = 3 // scenarios that fail because of the same silent operation
	largeBatch = 8
)

// lone is what is known of a scenario whose next attempt runs alone.
type lone struct {
	world.Alone
	operation string // that got no response in the latest attempt; empty if there was an outage only
}

// silences counts what became of the scenarios that met a silent operation.
type silences struct {
	failed   map[string]int    // that failed because of it
	finding  map[string]string // of the first that did
	answered map[string]bool   // one did not meet it again
}

// spoil makes an attempt say nothing about the target if it ran while this machine was suspended, which may have
// lost webhooks; if it did not pass, and the target had an outage meanwhile or a response may belong to another
// request; or if it passed because nothing arrived during an outage.
func (r *run) spoil(a *attempt) {
	spoiled := false
	switch a.result.Verdict {
	case verdict.SuiteError:
	case verdict.Pass, verdict.Warning:
		spoiled = r.suspended.since(a.result.Started) || a.planned.Quiet && r.target.Client.WasOut(a.result.Started, time.Now())
	default:
		crashed := a.world.MetSilence() != "" && !a.result.Spoiled // what it requested, alone and time and again, is why
		spoiled = !crashed && r.isAffected(a)
	}
	a.result.Spoiled = a.result.Spoiled || spoiled
}

func (r *run) isAffected(a *attempt) bool {
	return r.suspended.since(a.result.Started) || r.target.Client.WasOut(a.result.Started, time.Now()) ||
		slices.ContainsFunc(a.world.Judge.Exchanges, func(e *exchange.Exchange) bool { return r.target.Client.Doubtful(*e) })
}

// repeatAlone decides whether the next attempt at a scenario runs alone. The caller holds mu.
func (r *run) repeatAlone(s *repeated, a *attempt) {
	if met := s.alone; met != nil && met.operation != "" && a.pass.alone {
		r.silences.note(met.operation, a)
	}
	operation, held := a.world.NoResponse()
	isAffected := operation != "" || r.isAffected(a)
	switch {
	case !a.result.Spoiled || !isAffected, held && r.silences.answered[operation]:
		s.alone = nil
		return
	case s.alone == nil:
		s.alone = &lone{Alone: world.Alone{Silent: map[string]int{}}}
	}
	s.alone.operation = operation
	if request := a.world.SilentRequest(); request != "" {
		s.alone.Silent[request]++
	}
}

func (s *silences) note(operation string, a *attempt) {
	if s.failed == nil {
		s.failed, s.finding, s.answered = map[string]int{}, map[string]string{}, map[string]bool{}
	}
	switch {
	case a.world.MetSilence() == operation && !a.result.Spoiled:
		s.failed[operation]++
		s.finding[operation] = cmp.Or(s.finding[operation], fmt.Sprintf("%s gets no response; see %s", operation, a.planned.ID()))
	case a.world.MetSilence() == "" && !a.result.Spoiled:
		s.answered[operation] = true
	}
}

// runAlone repeats the scenarios that run alone, until none is left.
func (r *run) runAlone(ctx context.Context) {
	for attempt := 1; ctx.Err() == nil; attempt++ {
		batch := r.batch()
		if len(batch) == 0 {
			return
		}
		before := r.carriedOut(batch)
		r.carryOut(ctx, &pass{attempt: min(attempt, attempts-1), alone: true, scenarios: batch})
		if r.carriedOut(batch) == before { // no time is left for them
			return
		}
	}
}

// carriedOut counts the attempts at scenarios; those that are final count as one more.
func (r *run) carriedOut(batch map[string]*plan.Scenario) (n int) {
	for id := range batch {
		if s := r.repeated[id]; s != nil {
			n += len(s.results)
		} else {
			n += attempts + 1
		}
	}
	return n
}

// batch returns the scenarios to run alone next. It gives up those of which it is known what they would show.
func (r *run) batch() map[string]*plan.Scenario {
	if r.endedEarly(context.Background()) != nil {
		return nil
	}
	of := map[string][]string{}
	for _, id := range slices.Sorted(maps.Keys(r.repeated)) {
		if s := r.repeated[id]; s.alone != nil {
			of[s.alone.operation] = append(of[s.alone.operation], id)
		}
	}
	all := map[string]*plan.Scenario{}
	for operation, ids := range of {
		switch {
		case operation == "":
		case r.silences.failed[operation] >= mostSilent:
			r.giveUp(ids, r.silences.finding[operation])
			continue
		case !r.silences.answered[operation]:
			slices.SortStableFunc(ids, func(a, b string) int { // what has begun first
				return cmp.Compare(len(r.repeated[b].alone.Silent), len(r.repeated[a].alone.Silent))
			})
			ids = ids[:min(len(ids), mostSilent)]
		default:
			ids = ids[:min(len(ids), largeBatch)]
		}
		for _, id := range ids {
			all[id] = r.repeated[id].planned
		}
	}
	return all
}

// giveUp makes scenarios final that would only show again that an operation is silent. A failure before that counts.
func (r *run) giveUp(ids []string, finding string) {
	for _, id := range ids {
		result := verdict.Repeated(r.repeated[id].results)
		if !r.repeated[id].failed() {
			result.Verdict, result.Spoiled = verdict.CouldNotTest, false
			result.Finding = &verdict.Finding{Expected: "a response to every request", Got: finding, Exchange: -1}
		}
		delete(r.repeated, id)
		r.finished(result)
	}
}

// enoughSteady is how many of the scenarios that fail each time are repeated until the last attempt, if hardly any of
// the failing ones has passed: then the fault is hardly intermittent, and the others need not show it, too.
const enoughSteady = 20

// repetition is the pass in which those scenarios run again that do not run alone.
func (r *run) repetition(attempt int) *pass {
	again := &pass{attempt: attempt, scenarios: map[string]*plan.Scenario{}}
	steady, most := 0, enoughSteady
	if r.isIntermittent() {
		most = len(r.repeated)
	}
	for _, id := range slices.Sorted(maps.Keys(r.repeated)) {
		s := r.repeated[id]
		if s.alone != nil || !s.wantsMore(r.options.Once) {
			continue
		}
		if s.isSteady() && !s.found {
			if steady++; steady > most {
				continue
			}
		}
		again.scenarios[id] = s.planned
	}
	return again
}

// isIntermittent reports whether one in ten of the scenarios that failed, or more, has also passed.
func (r *run) isIntermittent() bool {
	failed, passed := 0, 0
	for _, s := range r.repeated {
		if s.failed() {
			failed++
			if slices.ContainsFunc(s.results, func(one verdict.Scenario) bool { return one.Verdict == verdict.Pass }) {
				passed++
			}
		}
	}
	return 10*passed >= failed
}

// aloneIn returns what is known of the attempts alone at a scenario; nil for one that does not run alone.
func (r *run) aloneIn(p *pass, planned *plan.Scenario) *world.Alone {
	if !p.alone {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.repeated[planned.ID()]
	if s == nil || s.alone == nil {
		return &world.Alone{Silent: map[string]int{}}
	}
	if s.alone.Answered == 0 {
		s.alone.Answered = r.target.Client.Answered()
	}
	alone := s.alone.Alone
	alone.Silent = maps.Clone(alone.Silent)
	return &alone
}

// outages returns those of the run, in their order.
func (r *outcome) outages() (all []verdict.Outage) {
	for _, o := range r.target.Client.Outages() {
		all = append(all, verdict.Outage{Party: o.Party, From: o.From, To: o.To})
	}
	slices.SortFunc(all, func(a, b verdict.Outage) int { return a.From.Compare(b.From) })
	return all
}
