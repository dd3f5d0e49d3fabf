// Package explore walks a gateway through random sequences of calls and events, holds what it does
// against the model of the specification, and finds the shortest sequences that break it. A walk is a
// scenario in the sentences of the features: package run acts and judges it like any other.
package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/model"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Explore searches a target for findings, and repeats them. What was found until ctx ends is kept. With an
// error, the report has what was found until then.
func Explore(ctx context.Context, options Options) (Report, error) {
	report, err := Search(ctx, options)
	if err != nil {
		return report, err
	}
	return report, report.confirm(context.WithoutCancel(ctx), options)
}

// Search walks a target until the time or the walks are over, or ctx ends. How often what it finds fails is
// for a run to learn.
func Search(ctx context.Context, options Options) (Report, error) {
	e, err := begin(ctx, options)
	if err != nil {
		return Report{}, err
	}
	e.started = time.Now()
	if err := e.explore(ctx); err != nil && ctx.Err() == nil {
		return e.report, err
	}
	e.report.Interrupted = ctx.Err() != nil
	e.progress(len(e.report.Findings) > 0)
	return e.report, nil
}

type explorer struct {
	options Options
	guide   *guide
	try     runner
	slowest time.Duration // of the webhooks so far; 0 for none
	calls   atomic.Int64
	started time.Time
	report  Report
	stopped map[*model.Move]int // walks that could not be tested beyond a move

	possible reach // what is known to be possible
}

func begin(ctx context.Context, options Options) (*explorer, error) {
	for options.Seed == 0 {
		options.Seed = rand.Int64N(1_000_000)
	}
	options.Run.Seed = options.Seed
	if err := reportViolations(&options.Run); err != nil {
		return nil, err
	}
	e := &explorer{options: options, stopped: map[*model.Move]int{}, report: Report{Seed: options.Seed, Corpus: options.Corpus, Incomplete: map[string]int{}}}
	e.options.Run.Recorder = func(scenario string, x exchange.Exchange) {
		if x.Party != exchange.Webhook {
			e.calls.Add(1)
		}
		if options.Run.Recorder != nil {
			options.Run.Recorder(scenario, x)
		}
	}
	t, err := target.Discover(ctx, options.Run.Target, target.Identity{Version: options.Run.Version, RunID: "explore"})
	if err != nil {
		return nil, err
	}
	reach, err := reachOf(t)
	if err != nil {
		return nil, err
	}
	e.guide = newGuide(rand.New(rand.NewPCG(uint64(options.Seed), 1)), reach.allowed)
	e.possible, e.report.Unreachable = reach, reach.unreachable
	if len(reach.transitions) == 0 {
		return nil, ErrTooFew
	}
	e.try = e.waiting(Patience)
	return e, nil
}

// waiting tries walks with a patience.
func (e *explorer) waiting(patience time.Duration) runner {
	return e.suspecting(on(patient(e.options.Run, patience), &e.slowest))
}

// patient waits no longer than that for what must come.
func patient(options run.Options, patience time.Duration) run.Options {
	options.Target.Deadlines.Webhook = min(cmp.Or(options.Target.Deadlines.Webhook, patience), patience)
	options.Target.Deadlines.Balance = min(cmp.Or(options.Target.Deadlines.Balance, patience), patience)
	return options
}

// patience is twice what webhooks have needed so far.
func (e *explorer) patience() time.Duration {
	if e.slowest == 0 {
		return Patience
	}
	return min(Patience, max(leastPatience, 2*e.slowest))
}

// ErrTooFew is returned for a target that no walk is possible on.
var ErrTooFew = errors.New("the gateway offers too few test controls to explore it; run pixcert plan to see which are missing")

// batch is how many walks are tried at the same time.
const batch = 64

func (e *explorer) explore(ctx context.Context) error {
	for ctx.Err() == nil && !e.over() {
		n := batch
		if e.options.Walks > 0 {
			n = min(n, e.options.Walks-e.report.Walks)
		}
		var walks []*model.Walk
		for range n {
			if w := e.guide.draw(); states(w) { // one may find nothing to do that says something
				walks = append(walks, w)
			}
		}
		if len(walks) == 0 {
			return ErrTooFew
		}
		all, err := e.try(ctx, walks, true)
		if err != nil {
			return err
		}
		for i, t := range all {
			e.note(t)
			e.guide.undo(walks[i], t.done)
		}
		e.avoidStopped()
		e.progress(false)
		if err := e.shrinkAll(ctx, all); err != nil {
			return err
		}
	}
	return nil
}

func (e *explorer) over() bool {
	return e.satisfied() || e.options.For > 0 && time.Since(e.started) > e.options.For || e.options.Walks > 0 && e.report.Walks >= e.options.Walks
}

// satisfied reports whether no other finding is wanted.
func (e *explorer) satisfied() bool { return e.options.FirstFinding && len(e.report.Findings) > 0 }

// note counts a walk that was tried.
func (e *explorer) note(t tried) {
	switch t.scenario.Verdict {
	case verdict.NotRun:
		return
	case verdict.CouldNotTest, verdict.SuiteError, verdict.NotApplicable:
		why := string(t.scenario.Verdict)
		if f := t.scenario.Finding; f != nil {
			why = fmt.Sprintf("%s: expected %s, got %s", why, f.Expected, f.Got)
		}
		e.report.Incomplete[anyAmount.ReplaceAllString(why, "R$ …")]++
		if t.scenario.Verdict != verdict.SuiteError && t.done < len(t.walk.Steps) {
			e.stopped[t.walk.Steps[t.done].Move]++
		}
	}
	e.report.Walks++
}

var anyAmount = regexp.MustCompile(`R\$ \d+\.\d\d`)

// mostStopped is how many walks may end at a move that no walk has carried out. It is avoided then.
const mostStopped = 2

// avoidStopped has walks do without the moves that end them.
func (e *explorer) avoidStopped() {
	for i := range model.Moves() { // in their order, so that a seed repeats the walks
		m := &model.Moves()[i]
		if e.stopped[m] >= mostStopped && !e.guide.hasDone(m) {
			e.guide.avoided = append(e.guide.avoided, []*model.Move{m})
			e.report.Avoided = append(e.report.Avoided, Avoided{m, e.stopped[m]})
			delete(e.stopped, m)
		}
	}
}

// shrinkAll shrinks the shortest failing walk of each kind.
func (e *explorer) shrinkAll(ctx context.Context, all []tried) error {
	failed := slices.DeleteFunc(all, func(t tried) bool { return !t.failed() })
	slices.SortStableFunc(failed, func(a, b tried) int { return len(a.walk.Steps) - len(b.walk.Steps) })
	seen := map[kind]bool{}
	for _, t := range failed {
		if e.satisfied() {
			break
		}
		if seen[t.kind] || e.explains(t) {
			continue
		}
		seen[t.kind] = true
		e.progress(true)
		shortest, stopped := shorten(ctx, t, e.patience(), e.waiting)
		f := Finding{Walk: shortest.walk, Result: shortest.scenario, kind: shortest.kind}
		if !slices.ContainsFunc(e.report.Findings, func(known Finding) bool { return known.Name() == f.Name() }) {
			e.report.Findings = append(e.report.Findings, f)
		}
		if !f.kind.ofContract || f.kind.isOfMoney() { // what only violates the contract otherwise hides nothing else
			e.guide.avoided = append(e.guide.avoided, essence(f.Walk))
		}
		e.progress(false)
		if stopped != nil && ctx.Err() == nil {
			return stopped
		}
	}
	return nil
}

// suspecting keeps the walks that got no response when the gateway stopped responding: one of them may be
// why.
func (e *explorer) suspecting(try runner) runner {
	return func(ctx context.Context, walks []*model.Walk, failFast bool) ([]tried, error) {
		all, err := try(ctx, walks, failFast)
		for _, t := range all {
			if t.silenced {
				e.report.Findings = append(e.report.Findings, Finding{Walk: t.walk, Result: t.scenario, Suspect: true})
			}
		}
		return all, err
	}
}

// explains reports whether a finding explains a failing walk: it contains that one's moves.
func (e *explorer) explains(t tried) bool {
	return slices.ContainsFunc(e.report.Findings, func(f Finding) bool {
		return f.kind == t.kind && t.kind.ofContract || f.kind.isLike(t.kind) && contains(t.walk, essence(f.Walk))
	})
}

func (e *explorer) progress(shrinking bool) {
	e.report.Shrinking, e.report.Calls, e.report.Took = shrinking, int(e.calls.Load()), time.Since(e.started)
	maps.Copy(e.possible.transitions, e.guide.seen) // a rehearsal does not meet all
	maps.Copy(e.possible.pairs, e.guide.pairs)
	e.report.Transitions = Reached{len(e.guide.seen), len(e.possible.transitions)}
	e.report.Pairs = Reached{len(e.guide.pairs), len(e.possible.pairs)}
	if e.options.Progress != nil {
		e.options.Progress(e.report)
	}
}
