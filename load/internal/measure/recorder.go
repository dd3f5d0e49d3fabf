package measure

import (
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
	Hiccup *Meter // how late a timer fired in the generator

	start    time.Time
	measured int64 // Unix nanoseconds: the end of the warm-up; long ago if there is none
	second   atomic.Int64

	// open is locked for reading while a value is counted, and for writing while the counters
	// are drained, so that each value is in exactly one second.
	open    sync.RWMutex
	origins []*Origin // guarded by open

	books    sync.Mutex // locked before open
	recent   []Interval // of one second each, in order
	timeline Timeline
	backlog  int64 // as last reported
}

// Recent is how far back a window can reach.
const Recent = 3 * time.Minute

// New starts a recorder. Requests scheduled before start + warmup are not measured.
func New(start time.Time, warmup time.Duration) *Recorder {
	r := &Recorder{start: start, timeline: Timeline{Seconds: 1}}
	r.measured = math.MinInt64
	if warmup > 0 {
		r.measured = start.Add(warmup).UnixNano()
	}
	r.second.Store(start.Unix())
	r.Hiccup = &Meter{recorder: r, timer: newTimer()}
	r.Origin(0)
	return r
}

// Origin has the meters of the calls of one origin: of a scenario, a group, or the script's own
// tags.
type Origin struct {
	Delivery    *DeliveryMeter
	ScheduleLag *Meter // how much later than intended the generator started

	recorder   *Recorder
	operations map[string]*OperationMeter // guarded by the recorder's open
}

// Origin is the origin with a number, which should be small, created on the first call.
func (r *Recorder) Origin(number int) *Origin {
	r.open.RLock()
	if number < len(r.origins) {
		defer r.open.RUnlock()
		return r.origins[number]
	}
	r.open.RUnlock()
	r.open.Lock()
	defer r.open.Unlock()
	for number >= len(r.origins) {
		r.origins = append(r.origins, &Origin{
			Delivery:    &DeliveryMeter{newLatencies(r)},
			ScheduleLag: &Meter{recorder: r, timer: newTimer()},
			recorder:    r, operations: map[string]*OperationMeter{},
		})
	}
	return r.origins[number]
}

// Operation is the meter of an operation, created on the first call. Keep it: every call costs
// a look-up.
func (o *Origin) Operation(name string) *OperationMeter {
	r := o.recorder
	r.open.RLock()
	m := o.operations[name]
	r.open.RUnlock()
	if m != nil {
		return m
	}
	r.open.Lock()
	defer r.open.Unlock()
	if m = o.operations[name]; m == nil {
		m = &OperationMeter{latencies: newLatencies(r)}
		o.operations[name] = m
	}
	return m
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

// Figures are what was measured so far, by origin, without the timeline. Recording may
// continue. Hiccups have no origin, as everything of the first.
func (r *Recorder) Figures(now time.Time) []Measurements {
	r.books.Lock()
	defer r.books.Unlock()
	r.close(r.clock(now))
	return r.figures()
}

func (r *Recorder) figures() []Measurements {
	r.open.RLock()
	defer r.open.RUnlock()
	all := make([]Measurements, len(r.origins))
	for i, o := range r.origins {
		all[i] = Measurements{Operations: map[string]Operation{}, Delivery: o.Delivery.snapshot(), ScheduleLag: o.ScheduleLag.total.Clone()}
		for name, m := range o.operations {
			if m.total.Count > 0 {
				all[i].Operations[name] = m.snapshot()
			}
		}
	}
	all[0].Hiccup = r.Hiccup.total.Clone()
	return all
}

// Measurements is everything so far, of all origins. Recording may continue.
func (r *Recorder) Measurements(now time.Time) Measurements {
	r.books.Lock()
	defer r.books.Unlock()
	r.close(r.clock(now))
	m := Measurements{
		Operations: map[string]Operation{},
		Timeline:   Timeline{Seconds: r.timeline.Seconds, Intervals: slices.Clone(r.timeline.Intervals)},
	}
	for _, s := range r.recent {
		m.Timeline.add(s.coarse())
	}
	for _, of := range r.figures() {
		m.Merge(of)
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
	for _, of := range r.origins {
		for name, o := range of.operations {
			if a := o.drain(); a.Started > 0 || a.Count > 0 {
				s.Operations[name] = s.Operations[name].merge(a)
			}
		}
		of.Delivery.intended.drain()
		s.Delivery = merged(s.Delivery, of.Delivery.own.drain())
		of.ScheduleLag.drain()
	}
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
