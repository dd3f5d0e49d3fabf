package world

import (
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Responses measures how long the target takes to respond on average. The zero value is ready to use.
type Responses struct {
	mu    sync.Mutex
	count int
	total time.Duration
}

// Average returns how long a response takes on average; 0 without any.
func (r *Responses) Average() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == 0 {
		return 0
	}
	return r.total / time.Duration(r.count)
}

func (r *Responses) add(took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	r.total += took
}

// Scenarios send up to some hundred requests, for which their time suffices if a response takes
// usualResponse. Slower targets get more, up to mostTime times as much.
const (
	usualResponse = 100 * time.Millisecond
	mostTime      = 5
)

// share returns how much more time than usual a scenario needs, from 1 to mostTime. wait is how long a request waits
// for its turn before it is sent.
func (r *Responses) share(wait time.Duration) float64 {
	return min(max(float64(r.Average()+wait)/float64(usualResponse), 1), mostTime)
}

// mostWaiting is how long all resends of a run may take that wait for each other.
const mostWaiting = 30 * time.Minute

// timeLimit returns how long a scenario that begins now may take: longer at a slow target, and if its resends may
// have to wait for those of others.
func (s *Stage) timeLimit(script Script) time.Duration {
	var wait time.Duration
	if s.Target != nil && s.Target.Client != nil {
		wait = s.Target.Client.Wait()
	}
	usual := time.Duration(s.Responses.share(wait) * float64(s.Terms.Deadlines.Scenario())).Round(time.Second)
	mayWait := false
	s.resends.locked(func() {
		mayWait = s.resends.isPaced() || script.Throttled && (script.RealTime || !s.resends.isKnown())
	})
	if mayWait && script.sendsResends() {
		return max(usual, mostWaiting)
	}
	return usual
}

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
