package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// A stale read shortly after a change is no fault, because replicas lag. But a gateway whose reads
// are wrong now and then must not get away with it: at the end, when every replica has long caught
// up, the run reads again what some of its scenarios have made.

// mostAudited bounds the scenarios that are audited of each list. With so many, hardly any run misses a
// fault that shows in one read of ten.
const mostAudited = 40

func (r *run) keepForAudit(a *attempt) {
	if a.result.Verdict != verdict.Pass || a.result.Spoiled || a.pass.sharing || a.pass.attempt > 0 {
		return
	}
	list := a.world.Lasting()
	r.mu.Lock()
	defer r.mu.Unlock()
	if list != "" && len(r.auditable[list]) < mostAudited {
		if r.auditable == nil {
			r.auditable = map[string][]*attempt{}
		}
		r.auditable[list] = append(r.auditable[list], &attempt{world: a.world, result: a.result})
	}
}

// audit reads again what scenarios have made. A contradiction is reported as a breach.
func (r *run) audit(ctx context.Context) {
	audited := slices.Concat(slices.Collect(maps.Values(r.auditable))...)
	r.auditable = nil
	defer func() {
		if len(audited) > 0 && ctx.Err() != nil {
			r.unfinished = "what the scenarios had made was being read again"
		}
	}()
	if r.endedEarly(ctx) != nil {
		return
	}
	var wait sync.WaitGroup
	var early atomic.Int64
	room := make(chan struct{}, r.options.Concurrency)
	for _, a := range audited {
		room <- struct{}{}
		wait.Go(func() {
			defer func() { <-room }()
			if r.stage.Load.Enter(ctx) != nil {
				return
			}
			defer r.stage.Load.Leave()
			ctx, cancel := context.WithTimeout(ctx, a.world.TimeLimit)
			defer cancel()
			if !a.world.LookAgain(ctx) {
				early.Add(1)
			}
			r.breaches.collect(a.result, a.world.Judge)
		})
	}
	wait.Wait()
	// The last scenarios of a run are always too recent. If most are because of a long deadline, its user would
	// not know that this part is left out.
	n, deadline := int(early.Load()), r.options.Target.Deadlines.Balance
	if deadline > catchUp && 2*n > len(audited) {
		r.options.Progress.Note(fmt.Sprintf("the balances and payments of %s were not checked a second time, because the run ended less than deadlines.balance (%s) after %s",
			wording.Count(n, "scenario"), wording.Duration(deadline), wording.Choose(n, "it", "them")))
	}
}
