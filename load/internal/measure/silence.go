package measure

import (
	"cmp"
	"slices"
	"time"
)

// Silence is a time in which several requests waited, and none got a response.
type Silence struct {
	From    time.Time        `json:"from"`
	To      time.Time        `json:"to"`      // when the first got its response
	Waiting map[string]int64 `json:"waiting"` // requests, at the end, by operation
}

// Length of the silence.
func (s Silence) Length() time.Duration { return s.To.Sub(s.From) }

const (
	shortestSilence = time.Second
	mostSilences    = 100 // the longest are kept
)

// wait counts a request that waits for its response.
func (o *OperationMeter) wait(now time.Time) {
	r := o.recorder
	if r.waiting <= 1 { // one that waits alone may be slow
		r.heard = now
	}
	r.waiting++
	o.waiting++
}

// hear ends the silence before a response. It counts unless the request failed, as in an outage, or
// this process stalled. The longest are kept.
func (o *OperationMeter) hear(at time.Time, failed bool) {
	r := o.recorder
	s := Silence{From: r.heard, To: at}
	if !failed && r.waiting >= 2 && s.Length() >= shortestSilence && s.Length()-r.Stalled(s.From, at) >= shortestSilence {
		s.Waiting = r.waitingFor()
		r.timeline.keep(s)
	}
	r.waiting, o.waiting = max(r.waiting-1, 0), max(o.waiting-1, 0)
	if at.After(r.heard) {
		r.heard = at
	}
}

// waitingFor are the requests without a response, by operation.
func (r *Recorder) waitingFor() map[string]int64 {
	all := map[string]int64{}
	for _, o := range r.origins {
		for name, m := range o.operations {
			if m.waiting > 0 {
				all[name] += m.waiting
			}
		}
	}
	return all
}

// keep adds a silence.
func (t *Timeline) keep(s Silence) {
	t.Silences = append(t.Silences, s)
	if len(t.Silences) > mostSilences {
		shortest := slices.MinFunc(t.Silences, func(a, b Silence) int { return cmp.Compare(a.Length(), b.Length()) })
		t.Silences = slices.DeleteFunc(t.Silences, func(s Silence) bool { return s.From.Equal(shortest.From) })
	}
}

// common are the silences of two instances at the same time.
func common(mine, theirs []Silence) (all []Silence) {
	for _, a := range mine {
		for _, b := range theirs {
			both := Silence{From: a.From, To: a.To, Waiting: map[string]int64{}}
			for _, waiting := range []map[string]int64{a.Waiting, b.Waiting} {
				for name, n := range waiting {
					both.Waiting[name] += n
				}
			}
			if b.From.After(both.From) {
				both.From = b.From
			}
			if b.To.Before(both.To) {
				both.To = b.To
			}
			if both.Length() >= shortestSilence {
				all = append(all, both)
			}
		}
	}
	return all
}
