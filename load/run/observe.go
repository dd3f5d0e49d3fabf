package run

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/load/capacity"
)

// Observer is what an executor knows of the run that it loads: [capacity.Observer].
type Observer struct {
	run *Run

	mu    sync.Mutex
	since time.Time // of used
	used  time.Duration
}

// Observer lets an executor load the run, and look at it.
func (r *Run) Observer() *Observer {
	r.watched.Store(true)
	return &Observer{run: r, since: time.Now(), used: cpuTime()}
}

// Intend tells when the next iteration of a virtual user was due, and ready.
func (o *Observer) Intend(user uint64, at, ready time.Time) { o.run.Intend(user, at, ready) }

// Observe reads a window of whole seconds from the measurements. The CPU is that since
// the last call.
func (o *Observer) Observe(from, to time.Time) capacity.Observation {
	seen := capacity.Observation{CPU: o.cpu()}
	if !o.run.Prepared() {
		return seen
	}
	// The recorder's seconds are steady since the start of the run, the caller's are the
	// wall clock's: half a second either way finds the same ones when the two drift apart.
	const half = time.Second / 2
	w := o.run.recorder.Window(from.Add(-half), to.Add(half))
	seen.Done, seen.Failed, seen.Delivered = w.Done, w.Failed, w.Delivery.Count()
	s := w.Intended.Stats()
	seen.P50, seen.P99, seen.P999 = s.P50, s.P99, s.P999
	seen.DeliveryP99 = w.Delivery.Stats().P99
	return seen
}

func (o *Observer) cpu() float64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	now, used := time.Now(), cpuTime()
	share := float64(used-o.used) / float64(now.Sub(o.since)*time.Duration(runtime.GOMAXPROCS(0)))
	o.since, o.used = now, used
	return share
}

// Backlog is what is under way: exchanges, and payments whose webhook has not come.
func (o *Observer) Backlog() int64 {
	if !o.run.Prepared() {
		return 0
	}
	return max(o.run.underWay.Load(), int64(o.run.ledger.Pending()))
}

// Found keeps the curve for the result.
func (o *Observer) Found(c capacity.Curve) { o.run.curve.Store(&c) }

// Arrived adds what became of a scenario's arrivals, for the run's validity.
func (o *Observer) Arrived(a capacity.Arrivals) {
	all := &o.run.arrivals
	all.Lock()
	defer all.Unlock()
	all.Due += a.Due
	all.Waited += a.Waited
	all.Dropped += a.Dropped
	all.MaxVUs += a.MaxVUs
}

// Threw counts an iteration that ended with an error of the script.
func (o *Observer) Threw() { o.run.thrown.Add(1) }

// Thrown is how many iterations ended with an error of the script; false: no executor that
// tells has begun. k6's own do not.
func (r *Run) Thrown() (n int64, told bool) { return r.thrown.Load(), r.watched.Load() }

// arrived is what became of the arrivals of all scenarios that tell.
func (r *Run) arrived() capacity.Arrivals {
	r.arrivals.Lock()
	defer r.arrivals.Unlock()
	return r.arrivals.Arrivals
}

// observed is what Run keeps for observers.
type observed struct {
	underWay atomic.Int64 // exchanges
	watched  atomic.Bool  // by an executor
	thrown   atomic.Int64 // iterations
	curve    atomic.Pointer[capacity.Curve]
	arrivals struct {
		sync.Mutex
		capacity.Arrivals
	}
}
