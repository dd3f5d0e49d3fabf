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

// A list or a balance that was wrong and then right is read so often again, for so long at most. Of those with the same filters,
// so many of a run are: more would tell nothing new. stillAfter is much longer than a lag that is not measured, since
// some replicas lag only under load; longer than mostStill nothing is waited for.
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
		still := max(stillAfter, w.MostLag(), record.Safety*t.Sent.Add(t.Took).Sub(w.acted))
		if still > mostStill || !w.watched.another(t) {
			continue
		}
		if err := wait(ctx, still-time.Since(w.acted)); err != nil {
			return
		}
		again := &judge.Look{Op: t.Op, Account: t.Account, Query: t.Query(), PixKey: t.Parameter("pixKey")}
		for n, began := 0, time.Now(); n < watches && time.Since(began) < watchesLast; n++ {
			if read, err := w.actors[t.Account].list(ctx, again, record.Watched); err != nil || read.IsThrottled() {
				break
			}
		}
	}
}

// watchedLists counts the lists of a run that were watched, by their filters. The zero value is ready to use.
type watchedLists struct {
	mu    sync.Mutex
	alike map[string]int
}

// another reports whether another list with the filters of a response is to be watched, and counts it.
func (l *watchedLists) another(t *record.Attempt) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.alike == nil {
		l.alike = map[string]int{}
	}
	filters := t.Op.ID + strings.Join(slices.Sorted(maps.Keys(t.Query())), " ")
	l.alike[filters]++
	return l.alike[filters] <= watchedAlike
}
