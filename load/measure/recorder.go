package measure

import (
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Recorder measures one run in this process. Its meters are safe for concurrent use. The
// caller passes times; a value with a time before the current second counts in the current
// one.
//
// Values go to lock-free counters. Once a second, these are added to the figures of the run
// and of that second, and reset. Seconds older than [Recent] go to the timeline. So memory
// depends on the number of operations, not on the length of the run.
type Recorder struct {
	Delivery    *DeliveryMeter
	ScheduleLag *Meter // how much later than intended the generator started
	Hiccup      *Meter // how late a timer fired in the generator

	start    time.Time
	measured int64 // Unix nanoseconds: the end of the warm-up; long ago if there is none
	second   atomic.Int64

	// open is locked for reading while a value is counted, and for writing while the counters
	// are drained, so that each value is in exactly one second.
	open       sync.RWMutex
	operations map[string]*OperationMeter // guarded by open

	books    sync.Mutex // locked before open
	recent   []Interval // of one second each, in order
	timeline Timeline
	backlog  int64 // as last reported
}

// Recent is how far back a window can reach.
const Recent = 3 * time.Minute

// New starts a recorder. Requests scheduled before start + warmup are not measured.
func New(start time.Time, warmup time.Duration) *Recorder {
	r := &Recorder{start: start, operations: make(map[string]*OperationMeter), timeline: Timeline{Seconds: 1}}
	r.measured = math.MinInt64
	if warmup > 0 {
		r.measured = start.Add(warmup).UnixNano()
	}
	r.second.Store(start.Unix())
	r.Delivery = &DeliveryMeter{recorder: r, acceptance: newCells(), intended: newCells()}
	r.ScheduleLag = &Meter{recorder: r, cells: newCells()}
	r.Hiccup = &Meter{recorder: r, cells: newCells()}
	return r
}

// Operation is the meter of an operation, created on the first call. Keep it: every call costs
// a look-up.
func (r *Recorder) Operation(name string) *OperationMeter {
	r.open.RLock()
	o := r.operations[name]
	r.open.RUnlock()
	if o != nil {
		return o
	}
	r.open.Lock()
	defer r.open.Unlock()
	if o = r.operations[name]; o == nil {
		o = &OperationMeter{recorder: r, send: newCells(), intended: newCells()}
		r.operations[name] = o
	}
	return o
}

// Backlog records how many payments wait for their webhook.
func (r *Recorder) Backlog(n int64, at time.Time) {
	r.books.Lock()
	defer r.books.Unlock()
	r.close(r.clock(at))
	r.backlog = n
	s := r.current()
	s.Backlog = max(s.Backlog, n)
}

// Live is the figures of the run so far.
func (r *Recorder) Live(now time.Time) Live {
	r.books.Lock()
	defer r.books.Unlock()
	r.close(r.clock(now))
	live := Live{
		Operations:  make(map[string]LiveOperation),
		Acceptance:  r.Delivery.total.Acceptance.Stats(),
		Delivery:    r.Delivery.total.Intended.Stats(),
		ScheduleLag: r.ScheduleLag.total.Stats(),
		Hiccup:      r.Hiccup.total.Stats(),
	}
	for name, o := range r.meters() {
		live.Operations[name] = LiveOperation{
			Count: o.total.Count, Failed: o.total.Failed,
			Send: o.total.Send.Stats(), Intended: o.total.Intended.Stats(),
		}
	}
	return live
}

// Measurements is everything so far. Recording may continue.
func (r *Recorder) Measurements(now time.Time) Measurements {
	r.books.Lock()
	defer r.books.Unlock()
	r.close(r.clock(now))
	m := Measurements{
		Operations:  make(map[string]Operation),
		Delivery:    r.Delivery.snapshot(),
		ScheduleLag: r.ScheduleLag.total.Clone(),
		Hiccup:      r.Hiccup.total.Clone(),
		Timeline:    Timeline{Seconds: r.timeline.Seconds, Intervals: slices.Clone(r.timeline.Intervals)},
	}
	for _, s := range r.recent {
		m.Timeline.add(s.coarse())
	}
	for name, o := range r.meters() {
		if o.total.Count > 0 {
			m.Operations[name] = o.snapshot()
		}
	}
	return m
}

// clock is a time in Unix nanoseconds, monotonic even if the wall clock is set.
func (r *Recorder) clock(at time.Time) int64 { return r.start.UnixNano() + int64(at.Sub(r.start)) }

// enter starts counting a value with a time; the caller ends it with open.RUnlock.
func (r *Recorder) enter(at time.Time) {
	if now := r.clock(at); now/int64(time.Second) > r.second.Load() {
		r.books.Lock()
		if now/int64(time.Second) > r.second.Load() { // no other goroutine did it in the meantime
			r.close(now)
		}
		r.books.Unlock()
	}
	r.open.RLock()
}

// close drains the counters into the current second, and advances to that of now if it is
// later. The caller has locked books.
func (r *Recorder) close(now int64) {
	r.open.Lock()
	s := r.current()
	for name, o := range r.operations {
		if a := o.drain(); a.Started > 0 || a.Count > 0 {
			s.Operations[name] = s.Operations[name].merge(a)
		}
	}
	s.Delivery = merged(s.Delivery, r.Delivery.drain())
	r.ScheduleLag.drain()
	r.Hiccup.drain()
	if next := now / int64(time.Second); next > r.second.Load() {
		r.second.Store(next)
	}
	r.open.Unlock()

	old := r.second.Load() - int64(Recent/time.Second)
	for len(r.recent) > 0 && r.recent[0].At < old {
		r.timeline.add(r.recent[0].coarse())
		r.recent = slices.Delete(r.recent, 0, 1)
	}
}

// current is the entry of the current second, created if needed. The caller has locked books.
func (r *Recorder) current() *Interval {
	at := r.second.Load()
	if last := len(r.recent) - 1; last < 0 || r.recent[last].At != at {
		r.recent = append(r.recent, Interval{At: at, Operations: make(map[string]Activity), Backlog: r.backlog})
	}
	return &r.recent[len(r.recent)-1]
}

// meters is a copy of the map of operations.
func (r *Recorder) meters() map[string]*OperationMeter {
	r.open.RLock()
	defer r.open.RUnlock()
	return maps.Clone(r.operations)
}
