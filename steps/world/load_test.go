package world

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// gateway answers the requests of scenarios that each send one after the other, in virtual time. It processes some at
// the same time; others wait.
func throughput(t *testing.T, load *Load, parallel int, each, run time.Duration) (requests int64, most int) {
	t.Helper()
	slots := make(chan struct{}, parallel)
	ctx, cancel := context.WithTimeout(t.Context(), run)
	defer cancel()
	var done atomic.Int64
	var running sync.WaitGroup
	for range 24 {
		running.Go(func() {
			for load.Enter(ctx) == nil {
				for range 5 {
					began := time.Now()
					slots <- struct{}{}
					time.Sleep(each)
					<-slots
					load.sample("cash-out", time.Since(began))
					done.Add(1)
				}
				load.Leave()
			}
		})
	}
	time.Sleep(run / 2)
	most = load.Limit()
	running.Wait()
	return done.Load(), most
}

func noQueue() bool { return false }

// A gateway that handles one request at a time gets few, without a loss of throughput; one that handles many gets as
// many as are allowed.
func TestTheLoadFollowsTheTarget(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parallel    int
		each        time.Duration
		least, most int // the limit after a while
	}{
		"one at a time, 30 ms each":  {1, 30 * time.Millisecond, 1, 6},
		"one at a time, 150 ms each": {1, 150 * time.Millisecond, 1, 4},
		"one at a time, 1 ms each":   {1, time.Millisecond, 24, 24},
		"many, 30 ms each":           {100, 30 * time.Millisecond, 24, 24},
		"many, 150 ms each":          {100, 150 * time.Millisecond, 24, 24},
		"four, 100 ms each":          {4, 100 * time.Millisecond, 4, 12},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const run = time.Minute
				load := NewLoad(24, noQueue)
				load.Begin(c.each)
				requests, limit := throughput(t, load, c.parallel, c.each, run)
				require.GreaterOrEqual(t, limit, c.least)
				require.LessOrEqual(t, limit, c.most)
				possible := float64(min(c.parallel, 24)) * float64(run) / float64(c.each)
				require.Greater(t, float64(requests), 0.7*possible)
			})
		})
	}
}

// Scenarios that only wait make room for others, and while requests wait for the target's rate limit, no more begin.
func TestWaitingScenariosAreNoLoad(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var queued atomic.Bool
		load := NewLoad(1, queued.Load)
		require.NoError(t, load.Enter(t.Context()))
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.Error(t, load.Enter(soon))
		resume := load.idle()
		require.NoError(t, load.Enter(t.Context()))
		resume()
		load.Leave()
		load.Leave()
		queued.Store(true)
		require.NoError(t, load.Enter(t.Context()), "one scenario always runs")
	})
}
