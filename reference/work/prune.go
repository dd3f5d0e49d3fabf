package work

import (
	"context"
	"time"
)

// A pass over what is old starts every pruneEvery. Between its steps it rests for longer than they take, so that
// it has a quarter of the writer's time at most.
const (
	pruneEvery = time.Minute
	pruneRest  = 3
)

// prune removes what is older than it is to be retained, until the worker is interrupted or closed.
func (w *Worker) prune(ctx context.Context, retain time.Duration) {
	for ctx.Err() == nil {
		if err := w.pruneOnce(ctx, retain); err != nil && ctx.Err() == nil {
			w.log.Error("old data could not be removed, it is tried again", "error", err)
		}
		wait(ctx, pruneEvery)
	}
}

func (w *Worker) pruneOnce(ctx context.Context, retain time.Duration) error {
	pass, err := w.store.Prune(ctx, retain)
	for more := true; more && err == nil; {
		began := time.Now()
		if more, err = pass.Next(ctx); more {
			wait(ctx, pruneRest*time.Since(began))
		}
	}
	return err
}
