package measure

import (
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Recorder measures one run in this process. Its meters are for any number of goroutines.
// Times are told by the caller; a value whose time lies before the current second counts
// in the current one.
//
// What is recorded goes to counters without a lock. Once a second they are emptied into
// the figures of the run and into that second's; seconds older than [Recent] go to the
// timeline. So the memory depends on the number of operations, not on the length of the run.
type Recorder struct {
	Delivery    *DeliveryMeter
	ScheduleLag *Meter // how much later than intended the generator began
	Hiccup      *Meter // how late a timer fired in the generator

	start    time.Time
	measured int64 // Unix nanoseconds: the end of the warm-up; long ago when there is none
	second   atomic.Int64

	// open is held for reading while a value is counted, for writing while the counters
	// are emptied: a value is in one second entirely.
	open       sync.RWMutex
	operations map[string]*OperationMeter // guarded by open

	books    sync.Mutex // taken before open
	recent   []Interval // of a second each, in order
	timeline Timeline
	backlog  int64 // as told last
}

// Recent is how far back a window can look.
const Recent = 3 * time.Minute

// New starts a recorder. What was intended before start + warmup is not measured.
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

// Operation is the meter of an operation, made when first asked for. Keep it: asking
// again costs a look-up.
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

// Backlog tells how many payments wait for their webhook.
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

// Measurements is everything so far. Recording may go on.
func (r *Recorder) Measurements(now time.Time) Measurements {
	r.books.Lock()
	defer r.books.Unlock()
	r.close(r.clock(now))
	m := Measurements{
		Operations:  make(map[string]Operation),
		Delivery:    Delivery{Acceptance: r.Delivery.total.Acceptance.Clone(), Intended: r.Delivery.total.Intended.Clone()},
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

// clock is a time in Unix nanoseconds, steady even if the wall clock is set.
func (r *Recorder) clock(at time.Time) int64 { return r.start.UnixNano() + int64(at.Sub(r.start)) }

// enter begins the counting of a value of a time; the caller ends it with open.RUnlock.
func (r *Recorder) enter(at time.Time) {
	if now := r.clock(at); now/int64(time.Second) > r.second.Load() {
		r.books.Lock()
		if now/int64(time.Second) > r.second.Load() { // nobody else went on meanwhile
			r.close(now)
		}
		r.books.Unlock()
	}
	r.open.RLock()
}

// close empties the counters into the current second and goes on to that of now, if it is
// a later one. The caller holds books.
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

// current is the entry of the current second, made when there is none. The caller holds books.
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
