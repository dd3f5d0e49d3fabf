package world

import (
	"context"
	"sync"
	"time"
)

// Load limits how many scenarios act on the target at the same time, so that none waits in the target's queue until
// its deadlines pass. Like TCP Vegas it compares response times with the shortest ones: if responses take twice as
// long with twice as many requests in flight, the target gains no throughput, and fewer scenarios run. A library's
// limiter of requests does not fit: a request must not wait for its turn inside a scenario whose time is running,
// and operations differ in how long they take. A scenario that only waits for a webhook does not count.
type Load struct {
	most int

	mu       sync.Mutex
	limit    float64
	usual    float64 // moving average of limit
	active   int
	free     chan struct{}         // closed when a scenario may enter
	best     map[string]*shortest  // by operation
	began    time.Time             // of the window
	samples  int                   // in the window
	ratios   float64               // their sum: response time by tolerable time
	wanted   bool                  // a scenario waited in the window
	cautious bool                  // the limit has fallen: from then on it rises slowly
	waiting  func() (tooMany bool) // requests wait for the target's rate limit
}

type shortest struct {
	took  time.Duration
	count int
}

const (
	window      = 250 * time.Millisecond // at least
	fewSamples  = 10                     // that a window has at least
	known       = 3                      // responses of an operation before its shortest time counts
	tolerable   = 100 * time.Millisecond // is never too slow: no deadline is near
	quickTarget = 25 * time.Millisecond  // on average during the set-up: no need to begin slowly
	beginWith   = 2                      // scenarios at a target that is not quick
)

// NewLoad returns a limit of at most so many scenarios. waiting reports whether requests wait for the target's rate
// limit, so that more scenarios would only wait longer.
func NewLoad(most int, waiting func() bool) *Load {
	return &Load{most: most, limit: float64(most), usual: float64(most), free: make(chan struct{}), best: map[string]*shortest{}, began: time.Now(), waiting: waiting}
}

// Begin sets how many scenarios run at first, by the average response time so far, of requests one after the other.
func (l *Load) Begin(average time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if average > quickTarget {
		l.limit = min(beginWith, float64(l.most))
		l.usual = l.limit
	}
	l.restart()
}

// Enter waits until one more scenario may act on the target. Leave ends that.
func (l *Load) Enter(ctx context.Context) error {
	for ctx.Err() == nil {
		l.mu.Lock()
		if l.active < max(1, int(l.limit)) && (l.active == 0 || !l.waiting()) {
			l.active++
			l.mu.Unlock()
			return nil
		}
		l.wanted = true
		free := l.free
		l.mu.Unlock()
		select {
		case <-free:
		case <-time.After(window): // the rate limit may have changed
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// Leave makes room for another scenario.
func (l *Load) Leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active--
	l.wake()
}

// idle makes room for another scenario while this one only waits. resume ends that, at once.
func (l *Load) idle() (resume func()) {
	if l == nil {
		return func() {}
	}
	l.Leave()
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.active++
	}
}

// wake makes all who wait look again. The caller holds the lock.
func (l *Load) wake() {
	close(l.free)
	l.free = make(chan struct{})
}

func (l *Load) restart() {
	l.began, l.samples, l.ratios, l.wanted = time.Now(), 0, 0, false
}

// sample takes a response into account.
func (l *Load) sample(operation string, took time.Duration) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	best := l.best[operation]
	if best == nil {
		best = &shortest{took: took}
		l.best[operation] = best
	}
	best.took = min(best.took, took)
	if best.count++; best.count <= known {
		return
	}
	l.samples++
	l.ratios += float64(took) / float64(max(tolerable, 2*best.took))
	if l.samples >= fewSamples && time.Since(l.began) >= window {
		l.adjust(l.ratios / float64(l.samples))
		l.usual += (l.limit - l.usual) / 8
		l.restart()
	}
}

// adjust changes the limit by how long responses took on average, compared with what is tolerable. The caller holds
// the lock.
func (l *Load) adjust(ratio float64) {
	switch {
	case ratio > 1:
		l.limit = max(1, min(l.limit, float64(l.active+1))*max(0.5, 1/ratio))
		l.cautious = true
	case ratio > 0.8 || !l.wanted:
		return
	case l.cautious:
		l.limit = min(l.limit+max(0.25, l.limit/16), float64(l.most))
	default:
		l.limit = min(2*l.limit, float64(l.most))
	}
	l.wake()
}

// Limit returns how many scenarios may act on the target at the same time, on average over the last moments.
func (l *Load) Limit() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(1, int(l.usual+0.5))
}
