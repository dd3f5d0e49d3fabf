package run

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/load/internal/measure"
)

// Watch says that an executor counts the iterations that throw.
func (r *Run) Watch() { r.watched.Store(true) }

// Arrived adds the counts of a scenario's arrivals, for the run's validity.
func (r *Run) Arrived(a measure.Arrivals) {
	all := &r.arrivals
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
func (r *Run) Threw() { r.thrown.Add(1) }

// Thrown is how many iterations threw an error; false if no executor that counts them has
// started. k6's own executors do not.
func (r *Run) Thrown() (n int64, told bool) { return r.thrown.Load(), r.watched.Load() }

// arrived is the sum over all scenarios that count their arrivals.
func (r *Run) arrived() measure.Arrivals {
	r.arrivals.Lock()
	defer r.arrivals.Unlock()
	return r.arrivals.Arrivals
}

// observed is what executors report.
type observed struct {
	underWay atomic.Int64 // pending requests
	watched  atomic.Bool  // by an executor
	thrown   atomic.Int64 // iterations
	arrivals struct {
		sync.Mutex
		measure.Arrivals
	}
}
