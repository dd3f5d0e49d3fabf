package world

import (
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Latencies are how long after their cause the webhooks of a run arrived. The zero value is ready.
type Latencies struct {
	mu     sync.Mutex
	sorted []time.Duration
}

func (l *Latencies) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, _ := slices.BinarySearch(l.sorted, d)
	l.sorted = slices.Insert(l.sorted, i, d)
}

// Summary says how long they were, and for how long nothing must arrive before nothing has
// arrived: as long as this target's slowest webhook so far has taken, twice its 99th percentile,
// and no less than floor.
func (l *Latencies) Summary(floor time.Duration) verdict.Webhooks {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := verdict.Webhooks{Count: len(l.sorted), Silence: floor}
	if s.Count > 0 {
		s.P99, s.Slowest = l.sorted[(99*s.Count+99)/100-1], l.sorted[s.Count-1]
		s.Silence = max(floor, s.Slowest, 2*s.P99)
	}
	return s
}

func (l *Latencies) silence(floor time.Duration) time.Duration { return l.Summary(floor).Silence }
