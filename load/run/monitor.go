package run

import (
	"runtime"
	"sync"
	"time"

	"github.com/pixcert/pixcert/load/measure"
)

// monitor watches the generator itself: how late a timer fires, and the CPU it uses.
type monitor struct {
	stopping chan struct{}
	stopped  sync.WaitGroup
	begun    time.Time
	used     time.Duration // by the process before
}

// heartbeat is the interval of the timer: long enough to cost nothing, and short enough to
// detect every stall of a tenth of a second.
const heartbeat = 10 * time.Millisecond

func newMonitor(hiccup *measure.Meter) *monitor {
	m := &monitor{stopping: make(chan struct{}), begun: time.Now(), used: cpuTime()}
	m.stopped.Go(func() { m.watch(hiccup) })
	return m
}

func (m *monitor) watch(hiccup *measure.Meter) {
	timer := time.NewTimer(heartbeat)
	defer timer.Stop()
	for {
		expected := time.Now().Add(heartbeat)
		select {
		case <-m.stopping:
			return
		case <-timer.C:
		}
		now := time.Now()
		hiccup.Record(max(now.Sub(expected), 0), now)
		timer.Reset(heartbeat)
	}
}

// stop ends the monitoring and returns the share of its processors that the process used.
func (m *monitor) stop() float64 {
	close(m.stopping)
	m.stopped.Wait()
	wall := time.Since(m.begun) * time.Duration(runtime.GOMAXPROCS(0))
	if wall <= 0 {
		return 0
	}
	return float64(cpuTime()-m.used) / float64(wall)
}
