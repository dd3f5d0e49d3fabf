package executor

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A long wait of a few arrivals is no reason for many virtual users.
func TestEachArrivalThatWaitsAsksForOneVirtualUser(t *testing.T) {
	t.Parallel()
	p := &pool{due: make(chan slot), wanted: make(chan struct{}), unused: 100}
	var made int
	deadline := make(chan time.Time)
	heard := make(chan struct{}, 100)
	var adding sync.WaitGroup
	adding.Go(func() {
		for range p.wanted {
			made++
			heard <- struct{}{}
		}
	})
	for range 3 {
		go func() {
			<-heard
			deadline <- time.Now()
		}()
		require.False(t, p.await(t.Context(), slot{}, deadline))
	}
	close(p.wanted)
	adding.Wait()
	require.Equal(t, 3, made)
	require.EqualValues(t, 97, p.unused)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p = &pool{due: make(chan slot), warned: true}
	require.False(t, p.await(ctx, slot{}, nil))
}

func TestOnlyTheGeneratorMakesAnArrivalLate(t *testing.T) {
	t.Parallel()
	now := time.Now()
	p, due := &pool{}, now.Add(-time.Second)
	require.Equal(t, due, p.ready(due, due.Add(-time.Hour)), "somebody was free")
	require.Zero(t, p.waited.Load())
	require.Equal(t, now, p.ready(due, now), "somebody became free")
	require.EqualValues(t, 1, p.waited.Load())
}

// An slot is dropped for want of a virtual user, not because the generator itself is late
// with it at the end.
func TestAFreeVirtualUserTakesAnArrivalAfterTheEnd(t *testing.T) {
	t.Parallel()
	p := &pool{due: make(chan slot, 1), warned: true} // one is free
	over := make(chan time.Time)
	close(over)
	require.True(t, p.await(t.Context(), slot{}, over))
	require.False(t, p.await(t.Context(), slot{}, over), "nobody is free any more")
}
