package run

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
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

// Thrown is how many iterations threw an error; false if no executor counts them, as k6's own do not.
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
	f.of[result.Failure{Operation: op.Name, Status: x.Status, Unsent: x.Unsent}]++
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

// errorCount is a number of errors of a kind, and the first of them.
type errorCount struct {
	mu    sync.Mutex
	count int
	first error
}

func (c *errorCount) add(count int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count, c.first = c.count+count, cmp.Or(c.first, err)
}

func (c *errorCount) get() (count int, first error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count, c.first
}

// exhausted counts an error that says that this machine ran out of something, and ignores any other.
func (r *Run) exhausted(err error) {
	if gateway.Exhausted(err) {
		r.shortages.add(1, err)
	}
}

// broken are the reasons why the figures are not the gateway's: this machine ran out of something, or the process or
// the clock did not run on.
func (r *Run) broken(res *result.Result) (reasons []result.Reason) {
	if count, first := r.shortages.get(); count > 0 {
		reasons = append(reasons, res.Because(result.Exhausted, "generator: it ran out of file descriptors, ports or memory %d times, first: %v; raise its limits (ulimit -n), or use more instances", count, first))
	}
	if stood, jumped := r.monitor.interruptions(); stood > 0 {
		reasons = append(reasons, res.Because(result.Suspended, "generator: it stood still for %v: it was suspended, or the machine was overloaded", stood.Round(100*time.Millisecond)))
	} else if jumped > 0 {
		reasons = append(reasons, res.Because(result.Suspended, "generator: its clock jumped by %v: the machine was suspended, or somebody set the clock", jumped.Round(100*time.Millisecond)))
	}
	return reasons
}

// Metrics receives what a run measures, from any goroutine, until the run is closed.
type Metrics interface {
	Request(Request)
	Webhook(receipt ledger.Receipt, at time.Time) // one that reported the outcome of a payment
}

// Request that got its response, or none.
type Request struct {
	Origin         any // of its call
	Operation      gateway.Operation
	Sent           time.Duration // from when it was sent to its end
	Intended       time.Duration // from when the schedule intended it
	Failed         bool
	TokensRejected int64 // valid access tokens that got 401; the request was sent again with a new one
	At             time.Time
}
