package run

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/load/internal/capacity"
)

// Observer is an executor's view of the run.
type Observer struct {
	*Run

	mu   sync.Mutex
	used usage // since the last call of Observe
}

// Observer returns an executor's view of the run.
func (r *Run) Observer() *Observer {
	r.watched.Store(true)
	return &Observer{Run: r, used: newUsage()}
}

// Observe reads a window of whole seconds from the measurements. The CPU counts from the
// last call.
func (o *Observer) Observe(from, to time.Time) capacity.Observation {
	cpu := o.cpu()
	if !o.Prepared() {
		return capacity.Observation{CPU: cpu}
	}
	// The recorder counts monotonic seconds since the start of the run, the caller passes
	// wall-clock seconds. Half a second either way finds the same ones if the clocks drift apart.
	const half = time.Second / 2
	w := o.recorder.Window(from.Add(-half), to.Add(half))
	total := w.Total()
	seen := capacity.Observed(total.Intended, w.Delivery)
	seen.Done, seen.Failed, seen.CPU = total.Count, total.Failed, cpu
	return seen
}

func (o *Observer) cpu() float64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	share := o.used.share()
	o.used = newUsage()
	return share
}

// Backlog is the number of pending requests, plus payments whose webhook has not arrived.
func (o *Observer) Backlog() int64 {
	if !o.Prepared() {
		return 0
	}
	return max(o.underWay.Load(), int64(o.ledger.Pending()))
}

// Found keeps the curve for the result.
func (o *Observer) Found(c capacity.Curve) { o.curve.Store(&c) }

// Arrived adds the counts of a scenario's arrivals, for the run's validity.
func (o *Observer) Arrived(a capacity.Arrivals) {
	all := &o.arrivals
	all.Lock()
	defer all.Unlock()
	all.Due += a.Due
	all.Waited += a.Waited
	all.Dropped += a.Dropped
	all.MaxVUs += a.MaxVUs
}

// Stalled is for how long the process stalled between two times.
func (r *Run) Stalled(from, to time.Time) time.Duration {
	if !r.Prepared() {
		return 0
	}
	return r.monitor.stalled(from, to)
}

// Threw counts an iteration that threw an error.
func (o *Observer) Threw() { o.thrown.Add(1) }

// Thrown is how many iterations threw an error; false if no executor that counts them has
// started. k6's own executors do not.
func (r *Run) Thrown() (n int64, told bool) { return r.thrown.Load(), r.watched.Load() }

// arrived is the sum over all scenarios that count their arrivals.
func (r *Run) arrived() capacity.Arrivals {
	r.arrivals.Lock()
	defer r.arrivals.Unlock()
	return r.arrivals.Arrivals
}

// observed is the state for observers.
type observed struct {
	underWay atomic.Int64 // pending requests
	watched  atomic.Bool  // by an executor
	thrown   atomic.Int64 // iterations
	curve    atomic.Pointer[capacity.Curve]
	arrivals struct {
		sync.Mutex
		capacity.Arrivals
	}
}
