package measure

import (
	"slices"
	"time"
)

// Silence is a time in which several requests waited, and none got a response.
type Silence struct {
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`      // when the first got its response
	Waiting int64     `json:"waiting"` // requests, at the end
}

// Length of the silence.
func (s Silence) Length() time.Duration { return s.To.Sub(s.From) }

const (
	shortestSilence = time.Second
	mostSilences    = 100 // the longest are kept
)

// wait counts a request that waits for its response.
func (r *Recorder) wait(now time.Time) {
	if r.waiting <= 1 { // one that waits alone may be slow
		r.heard = now
	}
	r.waiting++
}

// hear ends the silence before a response. It counts unless the request failed, as in an outage, or
// this process stalled. The longest are kept.
func (r *Recorder) hear(at time.Time, failed bool) {
	s := Silence{From: r.heard, To: at, Waiting: r.waiting}
	r.waiting = max(r.waiting-1, 0)
	if at.After(r.heard) {
		r.heard = at
	}
	if failed || s.Waiting < 2 || s.Length() < shortestSilence || s.Length()-r.Stalled(s.From, at) < shortestSilence {
		return
	}
	all := append(r.timeline.Silences, s)
	if len(all) > mostSilences {
		shortest := slices.MinFunc(all, func(a, b Silence) int { return int(a.Length() - b.Length()) })
		all = slices.DeleteFunc(all, func(s Silence) bool { return s == shortest })
	}
	r.timeline.Silences = all
}

// common are the silences of two instances at the same time.
func common(mine, theirs []Silence) (all []Silence) {
	for _, a := range mine {
		for _, b := range theirs {
			both := Silence{From: a.From, To: a.To, Waiting: a.Waiting + b.Waiting}
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
