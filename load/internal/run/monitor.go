package run

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// monitor watches the generator itself: how late a timer fires, and the CPU it uses. From
// this it knows when the process stalled, so that the time is not attributed to the gateway.
type monitor struct {
	stopping chan struct{}
	stopped  sync.WaitGroup
	begun    time.Time
	used     time.Duration // CPU time, until then

	quiet atomic.Bool // the load is over: beats are not recorded

	mu     sync.Mutex
	due    time.Duration // when the next beat is due, since begun
	stalls []stall       // in order
	stood  time.Duration // the longest stall of at least longestStall; 0 for none
	ahead  time.Duration // of the wall clock, compared with the monotonic one, since begun
	jumped time.Duration // the longest jump of the wall clock of at least longestJump; 0 for none
}

// stall is a time in which the process did nothing, since the monitor's start.
type stall struct{ from, to time.Duration }

const (
	// heartbeat is the interval of the timer: it costs nothing, and detects every stall that counts.
	heartbeat = 10 * time.Millisecond
	// A beat that is less late than this is no stall.
	shortest = 5 * time.Millisecond
	// How many stalls are kept: on a machine that always stalls, those of some seconds.
	mostStalls = 1000
	// Beyond these, the run is invalid. Senders give up a webhook that is not acknowledged for so long, and requests
	// time out.
	longestStall = 5 * time.Second
	longestJump  = time.Second
)

func newMonitor(hiccup func(late time.Duration)) *monitor {
	m := &monitor{stopping: make(chan struct{}), begun: time.Now(), used: cpuTime(), due: heartbeat}
	m.stopped.Go(func() { m.watch(hiccup) })
	return m
}

// watch records how late each beat was. A stall also delays the beats that would have been due
// in it: without them, a stall of a second would be one value, and not in the p99 of a minute.
func (m *monitor) watch(hiccup func(late time.Duration)) {
	timer := time.NewTimer(heartbeat)
	defer timer.Stop()
	for {
		select {
		case <-m.stopping:
			return
		case <-timer.C:
		}
		now := time.Now()
		late := m.beat(now)
		for ; late >= 0 && !m.quiet.Load(); late -= heartbeat {
			hiccup(late)
		}
		timer.Reset(heartbeat)
	}
}

// beat notes a beat, and returns how late it is.
func (m *monitor) beat(now time.Time) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := now.Sub(m.begun)
	late := max(at-m.due, 0)
	if late >= shortest {
		if len(m.stalls) == mostStalls {
			m.stalls = slices.Delete(m.stalls, 0, mostStalls/2)
		}
		m.stalls = append(m.stalls, stall{m.due, at})
	}
	if late >= longestStall {
		m.stood = max(m.stood, late)
	}
	ahead := now.Round(0).Sub(m.begun.Round(0)) - at
	if jump := (ahead - m.ahead).Abs(); jump >= longestJump {
		m.jumped = max(m.jumped, jump)
	}
	m.ahead, m.due = ahead, at+heartbeat
	return late
}

// interruptions are the longest stall and the longest jump of the wall clock that make a run invalid; 0 for none.
func (m *monitor) interruptions() (stood, jumped time.Duration) {
	if m == nil {
		return 0, 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stood, m.jumped
}

// stalled is for how long the process stalled between two times.
func (m *monitor) stalled(from, to time.Time) (sum time.Duration) {
	m.within(from, to, func(stall time.Duration) { sum += stall })
	return sum
}

// longest is the longest stall between two times: one event cannot have waited for several, which add up.
func (m *monitor) longest(from, to time.Time) (longest time.Duration) {
	m.within(from, to, func(stall time.Duration) { longest = max(longest, stall) })
	return longest
}

// within tells of each stall between two times, as far as it is between them. A stall counts while it lasts: what the
// process does first after it may come before the beat that was due.
func (m *monitor) within(from, to time.Time, tell func(time.Duration)) {
	if m == nil {
		return
	}
	start, end := from.Sub(m.begun), to.Sub(m.begun)
	m.mu.Lock()
	defer m.mu.Unlock()
	if end-m.due >= shortest {
		tell(max(end-max(start, m.due), 0))
	}
	for _, s := range slices.Backward(m.stalls) {
		if s.to <= start {
			break
		}
		tell(max(min(s.to, end)-max(s.from, start), 0))
	}
}

// load ends the measurements, and returns the share of its processors that the process used
// until now. Stalls are noted until stop.
func (m *monitor) load() (cpu float64) {
	m.quiet.Store(true)
	wall := max(time.Since(m.begun), 1) * time.Duration(runtime.GOMAXPROCS(0))
	return float64(cpuTime()-m.used) / float64(wall)
}

// stop ends the monitoring.
func (m *monitor) stop() {
	close(m.stopping)
	m.stopped.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.due = math.MaxInt64 / 2 // nothing is late any more
}
