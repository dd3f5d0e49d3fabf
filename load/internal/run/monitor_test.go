package run

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// at is a time since a monitor's start.
func (m *monitor) at(ms int) time.Time { return m.begun.Add(time.Duration(ms) * time.Millisecond) }

func TestStallsAreKnownByTheTimeTheyTook(t *testing.T) {
	t.Parallel()
	m := &monitor{begun: time.Now(), due: heartbeat} // at 10
	require.Equal(t, 2*time.Millisecond, m.beat(m.at(12)))
	require.Equal(t, 100*time.Millisecond, m.beat(m.at(122))) // due at 22
	require.Equal(t, 50*time.Millisecond, m.beat(m.at(182)))  // due at 132
	for _, c := range []struct{ from, to, want int }{
		{0, 12, 0}, {12, 20, 0}, {22, 122, 100}, {0, 200, 158}, {50, 60, 10}, {100, 140, 30}, {122, 132, 0}, {182, 192, 0},
		{182, 196, 0},   // the next beat, due at 192, is less late than a stall
		{185, 292, 100}, // it is overdue: the process stalls, or has just woken up
		{292, 300, 8},
	} {
		assert.Equal(t, time.Duration(c.want)*time.Millisecond, m.stalled(m.at(c.from), m.at(c.to)), "%d to %d", c.from, c.to)
	}
	assert.Equal(t, 100*time.Millisecond, m.longest(m.at(0), m.at(200)), "not their sum")
	assert.Equal(t, 30*time.Millisecond, m.longest(m.at(0), m.at(52)))
	for i := range 3 * mostStalls {
		m.beat(m.at(1000 + 20*i))
	}
	assert.LessOrEqual(t, len(m.stalls), mostStalls)
}

// A stall of a second delays a hundred beats, not one.
func TestAStallCountsAsAllTheBeatsThatItDelayed(t *testing.T) {
	t.Parallel()
	var late []time.Duration
	var mu sync.Mutex
	m := newMonitor(func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		late = append(late, d)
	})
	m.mu.Lock()
	m.due = time.Since(m.begun) - time.Second // as if it should have beaten a second ago
	m.mu.Unlock()
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(late) > 95
	}, time.Minute, time.Millisecond)
	m.stop()
	slices.Sort(late)
	assert.Greater(t, late[len(late)/2], 100*time.Millisecond)
}
