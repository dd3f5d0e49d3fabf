package world

import (
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Latencies collects how long after their cause the webhooks of a run arrived. The zero value is
// ready to use.
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

// Summary returns the latencies, and how long to wait before concluding that no webhook arrives: the
// greatest of the slowest webhook so far, twice the 99th percentile and floor.
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
