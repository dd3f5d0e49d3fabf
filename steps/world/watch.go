package world

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/record"
)

// A list or a balance that was wrong and then right is read `watches` times within watchesLast, once no replica can
// lag: after CatchUp, stillAfter (some replicas lag only under load) and a multiple of the lag that showed, but never
// later than mostStill. A run does so watchedAlike times for the same step and filters; more would tell nothing new.
const (
	watches      = 20
	watchesLast  = 3 * time.Second
	watchedAlike = 3
	stillAfter   = 10 * record.LeastLag
	mostStill    = 15 * time.Second
)

// watch reads the lists and balances again that were wrong when a step first read them, once nothing that lags can be
// why. What they show then is for the judge's audit, and changes nothing about the step.
func watch(ctx context.Context, w *World, i int) {
	for _, t := range w.Judge.Unsteady(i) {
		still := max(stillAfter, w.CatchUp, w.MostLag(), record.Safety*t.Sent.Add(t.Took).Sub(w.acted))
		if still > mostStill || !w.budget.watched.another(w.Steps[i].Sentence.Position, t) {
			continue
		}
		if err := sleep(ctx, still-time.Since(w.acted)); err != nil {
			return
		}
		again := &judge.Look{Op: t.Op, Account: t.Account, Query: t.Query(), PixKey: t.Parameter("pixKey")}
		for range watches {
			read, err := w.actors[t.Account].list(ctx, again, record.Watched)
			if err != nil || read.IsThrottled() || sleep(ctx, watchesLast/watches) != nil {
				break
			}
		}
	}
}

// watchBudget counts what was watched in a run. The zero value is ready to use.
type watchBudget struct {
	mu    sync.Mutex
	alike map[string]int
}

// another reports whether another response to the same step with the same filters is to be watched, and counts it.
func (l *watchBudget) another(step string, t *record.Attempt) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.alike == nil {
		l.alike = map[string]int{}
	}
	alike := strings.Join(append(slices.Sorted(maps.Keys(t.Query())), t.Op.ID, step), " ")
	l.alike[alike]++
	return l.alike[alike] <= watchedAlike
}
