package measure

import (
	"math"
	"slices"
	"sync"
	"time"
)

// Recorder measures one run in this process. Its meters are safe for concurrent use. The
// caller passes times; a value with a time before the current second counts in the current
// one.
//
// Each value is added to the figures of the run and to those of the current second. Seconds
// older than [Recent] go to the timeline. So memory depends on the number of operations, not
// on the length of the run.
type Recorder struct {
	Hiccup  *Meter                                 // how late a timer fired in the generator
	Stalled func(from, to time.Time) time.Duration // of this process between two times

	start    time.Time
	measured int64 // Unix nanoseconds: the end of the warm-up; long ago if there is none

	mu       sync.Mutex // guards all that is measured
	origins  []*Origin
	second   int64      // the current one
	recent   []Interval // of one second each, in order
	timeline Timeline
	backlog  int64     // as last reported
	waiting  int64     // requests without a response
	heard    time.Time // the last response, or when a second request began to wait
}

// Recent is how far back a window can reach.
const Recent = 3 * time.Minute

// New starts a recorder. Requests scheduled before start + warmup are not measured.
func New(start time.Time, warmup time.Duration) *Recorder {
	r := &Recorder{start: start, measured: math.MinInt64, second: start.Unix(), timeline: Timeline{Seconds: 1}, Stalled: func(_, _ time.Time) time.Duration { return 0 }}
	if warmup > 0 {
		r.measured = start.Add(warmup).UnixNano()
	}
	r.Hiccup = &Meter{recorder: r}
	r.Origin(0)
	return r
}

// Origin has the meters of the calls of one origin: of a scenario, a group, or the script's own
// tags.
type Origin struct {
	Delivery    *DeliveryMeter
	ScheduleLag *Meter // how much later than intended the generator started

	recorder   *Recorder
	operations map[string]*OperationMeter // guarded by the recorder's mu
}

// Origin is the origin with a number, which should be small, created on the first call.
func (r *Recorder) Origin(number int) *Origin {
	r.mu.Lock()
	defer r.mu.Unlock()
	for number >= len(r.origins) {
		r.origins = append(r.origins, &Origin{
			Delivery:    &DeliveryMeter{recorder: r},
			ScheduleLag: &Meter{recorder: r},
			recorder:    r, operations: map[string]*OperationMeter{},
		})
	}
	return r.origins[number]
}

// Operation is the meter of an operation, created on the first call.
func (o *Origin) Operation(name string) *OperationMeter {
	r := o.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	m := o.operations[name]
	if m == nil {
		m = &OperationMeter{recorder: r, name: name, total: Operation{Statuses: map[int]int64{}}}
		o.operations[name] = m
	}
	return m
}

// Backlog records how many payments wait for their webhook.
func (r *Recorder) Backlog(n int64, at time.Time) {
	s := r.enter(at)
	defer r.mu.Unlock()
	r.backlog = n
	s.Backlog = max(s.Backlog, n)
}

// Figures are what was measured so far, by origin, without the timeline. Recording may
// continue. Hiccups have no origin, as everything of the first.
func (r *Recorder) Figures(now time.Time) []Measurements {
	r.enter(now)
	defer r.mu.Unlock()
	return r.figures()
}

func (r *Recorder) figures() []Measurements {
	all := make([]Measurements, len(r.origins))
	for i, o := range r.origins {
		of := Measurements{Figures: Figures{Operations: map[string]Operation{}, Delivery: o.Delivery.total, ScheduleLag: o.ScheduleLag.total}}
		for name, m := range o.operations {
			if m.total.Count > 0 {
				of.Operations[name] = m.total
			}
		}
		if i == 0 {
			of.Hiccup = r.Hiccup.total
		}
		all[i].Merge(of) // a copy
	}
	return all
}

// Measurements is everything so far, of all origins. Recording may continue.
func (r *Recorder) Measurements(now time.Time) Measurements {
	r.enter(now)
	defer r.mu.Unlock()
	m := Measurements{Timeline: r.timeline}
	m.Timeline.Intervals, m.Timeline.Silences = slices.Clone(r.timeline.Intervals), slices.Clone(r.timeline.Silences)
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

// measures says whether an event at a time is of a request scheduled after the warm-up.
func (r *Recorder) measures(intended time.Duration, at time.Time) bool {
	return r.clock(at)-int64(intended) >= r.measured
}

// enter locks the recorder, advances to the second of a time if that is later, and returns the
// current one. The caller unlocks.
func (r *Recorder) enter(at time.Time) *Interval {
	now := r.clock(at) / int64(time.Second)
	r.mu.Lock()
	if last := len(r.recent) - 1; last >= 0 && now <= r.second {
		return &r.recent[last]
	}
	r.second = max(r.second, now)
	for old := r.second - int64(Recent/time.Second); len(r.recent) > 0 && r.recent[0].At < old; {
		r.timeline.add(r.recent[0].coarse())
		r.recent = slices.Delete(r.recent, 0, 1)
	}
	r.recent = append(r.recent, Interval{At: r.second, Operations: make(map[string]Activity), Backlog: r.backlog})
	return &r.recent[len(r.recent)-1]
}
