package executor

import (
	"math"
	"sort"
	"time"
)

// ramps are rates that change linearly, stage by stage. Arrival n, counted from 0, is due
// when the area under them reaches n + 1/2: any part with an area of k has k arrivals, plus
// or minus one, and arrivals at a constant rate are evenly spaced.
type ramps []ramp

// ramp is one stage that is not empty.
type ramp struct {
	start, length   float64 // ns from the scenario's start
	from, to        float64 // arrivals per ns
	before, through float64 // arrivals until its start, until its end
}

// leg is a configured stage, with rates in arrivals per second.
type leg struct {
	length time.Duration
	to     float64
}

// newRamps converts legs to ramps; a leg without length is a jump.
func newRamps(from float64, legs []leg) ramps {
	var all ramps
	last := ramp{to: from / float64(time.Second)}
	for _, l := range legs {
		next := ramp{
			start: last.start + last.length, length: float64(l.length),
			from: last.to, to: l.to / float64(time.Second),
			before: last.through,
		}
		next.through = next.before + next.length*(next.from+next.to)/2
		if next.length > 0 {
			all = append(all, next)
		}
		last = next
	}
	return all
}

// due is when arrival n is due, from the start; false if there are not that many.
func (r ramps) due(n int64) (time.Duration, bool) {
	area := float64(n) + 0.5
	i := sort.Search(len(r), func(i int) bool { return area <= r[i].through })
	if i == len(r) {
		return 0, false
	}
	s := r[i]
	area -= s.before
	// This form of the root does not divide by the difference of rates, so a constant rate is
	// no special case. The divisor can only be 0 where a ramp ends at 0.
	root := math.Sqrt(max(0, s.from*s.from+2*area*(s.to-s.from)/s.length))
	return time.Duration(s.start + 2*area/(s.from+root)), true
}

// rate at a time from the start, in arrivals per second.
func (r ramps) rate(at time.Duration) float64 {
	i := sort.Search(len(r), func(i int) bool { return float64(at) < r[i].start+r[i].length })
	if i == len(r) {
		return 0
	}
	s := r[i]
	return (s.from + (s.to-s.from)*(float64(at)-s.start)/s.length) * float64(time.Second)
}
