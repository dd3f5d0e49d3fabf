package world

import (
	"context"
	"time"

	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/record"
)

// How a list is watched that was wrong and then right: mostWatched of a run, each so often, for so long at
// most. stillAfter is much longer than a lag that is not measured, since some replicas lag only under load.
const (
	mostWatched = 20
	watches     = 20
	mostWatch   = 3 * time.Second
	mostStill   = 15 * time.Second // for so long at most it is waited until nothing can lag
	stillAfter  = 10 * record.LeastLag
)

// watch reads the lists again that lacked something when a step first read them, once nothing that lags can be
// why. What it finds is no matter of the step: the judge's audit looks at all that was recorded.
func watch(ctx context.Context, w *World, i int) {
	for _, t := range w.Judge.Unsteady(i) {
		still := max(stillAfter, w.MostLag(), record.Safety*t.Sent.Add(t.Took).Sub(w.acted))
		if still > mostStill || w.watched.Add(1) > mostWatched {
			continue
		}
		l := &judge.Look{Op: t.Op, Account: t.Account, Query: t.Query(), PixKey: t.Parameter("pixKey")}
		err := wait(ctx, still-time.Since(w.acted))
		for n, began := 0, time.Now(); n < watches && err == nil && time.Since(began) < mostWatch; n++ {
			_, err = w.actors[t.Account].list(ctx, l, record.Watched)
		}
	}
}
