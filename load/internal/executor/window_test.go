package executor

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/capacity"
)

// still observes a backlog that follows a script.
type still struct {
	Observer

	backlog  func() int64
	mu       sync.Mutex
	observed [][2]time.Time
}

func (*still) Intend(_ uint64, _, _ time.Time) {}
func (s *still) Backlog() int64                { return s.backlog() }
func (*still) Found(capacity.Curve)            {}

func (s *still) Observe(from, to time.Time) capacity.Observation {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.observed = append(s.observed, [2]time.Time{from, to})
	return capacity.Observation{Done: 7}
}

func TestArrivalsKeepToTheSchedule(t *testing.T) {
	t.Parallel()
	observer := &still{backlog: func() int64 { return 3 }}
	p := &pool{due: make(chan arrival)}
	var mu sync.Mutex
	var due []time.Time
	var users sync.WaitGroup
	for range 20 {
		users.Go(func() {
			for a := range p.due {
				mu.Lock()
				due = append(due, a.at)
				mu.Unlock()
			}
		})
	}
	var dropped atomic.Int64
	l := &load{pool: p, observer: observer, dropped: func() { dropped.Add(1) }}
	p.warned = true // there is nobody to make, and no logger to tell
	const rate = 300
	w, ok := l.offer(t.Context(), capacity.Step{Rate: rate, Warmup: 100 * time.Millisecond, Window: 2 * time.Second}, time.Now())
	require.True(t, ok)
	close(p.due)
	users.Wait()

	require.Zero(t, w.From.Nanosecond())
	require.Equal(t, int64(7), w.Done)
	require.Equal(t, []int64{3, 3, 3}, w.Backlog, "at both ends, and each second between")
	require.InDelta(t, 2*rate, w.Scheduled, 1)
	require.Equal(t, w.Scheduled, w.Started+w.Dropped)
	require.Equal(t, [][2]time.Time{{w.From, w.From}, {w.From, w.From.Add(2 * time.Second)}}, wall(observer.observed))

	// However late the machine is, each arrival is due at its place in the schedule.
	slices.SortFunc(due, time.Time.Compare)
	for _, at := range due {
		place := at.Sub(due[0]).Seconds() * rate
		require.InDelta(t, float64(int64(place+0.5)), place, 0.001)
	}
	require.True(t, due[len(due)-1].Before(w.From.Add(2*time.Second)))
}

func TestRecoveryEndsWhenTheBacklogIsGone(t *testing.T) {
	t.Parallel()
	left := atomic.Int64{}
	left.Store(10)
	l := &load{pool: &pool{}, idle: 2, observer: &still{backlog: func() int64 { return max(left.Add(-1), 1) }}}
	require.True(t, l.recover(t.Context(), time.Minute))
	require.Equal(t, int64(2), left.Load())
}

func TestRecoveryIsBounded(t *testing.T) {
	t.Parallel()
	left := atomic.Int64{}
	left.Store(1 << 40)
	l := &load{pool: &pool{}, observer: &still{backlog: func() int64 { return left.Add(-1) }}}
	require.False(t, l.recover(t.Context(), 200*time.Millisecond), "it still shrinks")

	busy := &pool{}
	busy.running.Store(1)
	l = &load{pool: busy, observer: &still{backlog: func() int64 { return 0 }}}
	require.False(t, l.recover(t.Context(), 200*time.Millisecond), "an iteration is under way")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.True(t, l.recover(ctx, time.Hour))
}

// wall drops the monotonic readings, which are of no use to an observer.
func wall(pairs [][2]time.Time) [][2]time.Time {
	for i := range pairs {
		pairs[i] = [2]time.Time{pairs[i][0].Round(0).UTC(), pairs[i][1].Round(0).UTC()}
	}
	return pairs
}
