package steps

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Nobody has what another has, and who needs all of them gets them.
func TestLeasesAreExclusive(t *testing.T) {
	t.Parallel()
	held := make([]atomic.Bool, 3)
	l := newLeases([]int{0, 1, 2})
	var wait sync.WaitGroup
	for i := range 300 {
		wait.Go(func() {
			taken, err := l.take(t.Context(), i%4)
			assert.NoError(t, err)
			assert.Len(t, taken, i%4)
			for _, thing := range taken {
				assert.False(t, held[thing].Swap(true), "held twice")
			}
			for _, thing := range taken {
				held[thing].Store(false)
			}
			l.giveBack(taken)
		})
	}
	wait.Wait()
	assert.Len(t, l.free, 3, "all came back")
}

// Who gives up waiting keeps nothing.
func TestLeasesEndWithTheirContext(t *testing.T) {
	t.Parallel()
	l := newLeases([]int{0, 1})
	one, err := l.take(t.Context(), 1)
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = l.take(ended, 2)
	require.ErrorIs(t, err, context.Canceled)
	_, err = l.take(t.Context(), 1)
	require.NoError(t, err)
	l.giveBack(one)
}
