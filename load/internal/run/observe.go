package run

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/result"
)

// Watch says that an executor counts the iterations that throw.
func (r *Run) Watch() { r.watched.Store(true) }

// Arrived adds the counts of a scenario's arrivals, for the run's validity.
func (r *Run) Arrived(a result.Arrivals) {
	all := &r.arrivals
	all.Lock()
	defer all.Unlock()
	all.Due += a.Due
	all.Waited += a.Waited
	all.Dropped += a.Dropped
	all.MaxVUs += a.MaxVUs
}

// Threw counts an iteration that threw an error.
func (r *Run) Threw() { r.thrown.Add(1) }

// Thrown is how many iterations threw an error; false if no executor that counts them has
// started. k6's own executors do not.
func (r *Run) Thrown() (n int64, told bool) { return r.thrown.Load(), r.watched.Load() }

// failures counts failed requests by operation and status.
type failures struct {
	mu sync.Mutex
	of map[result.Failure]int64
}

func (f *failures) add(op gateway.Operation, x *gateway.Exchange) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		f.of = map[result.Failure]int64{}
	}
	f.of[result.Failure{Operation: string(op), Status: x.Status, Unsent: x.Unsent}]++
}

// all are the failures with their counts, in order.
func (f *failures) all() (all []result.Failure) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for of, n := range f.of {
		of.Count = n
		all = append(all, of)
	}
	slices.SortFunc(all, func(a, b result.Failure) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Count, b.Count))
	})
	return all
}

// observed is what executors report, and what the calls of the script have in common.
type observed struct {
	underWay atomic.Int64 // pending requests
	watched  atomic.Bool  // by an executor
	thrown   atomic.Int64 // iterations
	rejected atomic.Int64 // valid access tokens
	failures failures
	arrivals struct {
		sync.Mutex
		result.Arrivals
	}
}
