package executor

import (
	"math"
	"math/rand/v2"
	"sort"
	"time"

	"go.k6.io/k6/v2/lib"
)

// ramps are rates that change linearly, stage by stage. An arrival is due when the area under
// them reaches its place: see [spacing].
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

// due is when the area reaches a size, from the start; false if it never does.
func (r ramps) due(area float64) (time.Duration, bool) {
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

// spacing returns the places of arrivals, by their numbers from 0 in ascending order.
type spacing func(n int64) (area float64)

// evenly has arrival n at n + 1/2: any part with an area of k has k arrivals, plus or minus one,
// and arrivals at a constant rate are evenly spaced.
func evenly(n int64) float64 { return float64(n) + 0.5 }

// poisson has independent arrivals, as those of many payers are: the number in a part with an
// area of k has a Poisson distribution of mean k. All instances of a run draw the same.
func poisson(seed uint64) spacing {
	source := rand.New(rand.NewPCG(seed, 0x706978)) // #nosec G404 -- a schedule that its seed repeats, no secret
	area, drawn := 0.0, int64(0)
	return func(n int64) float64 {
		for ; drawn <= n; drawn++ {
			area += source.ExpFloat64()
		}
		return area
	}
}

// slots are an instance's places in the schedule of all instances.
type slots struct {
	ramps ramps
	place spacing
	index *lib.SegmentedIndex
}

// slot is one of them: when it is due from the start, and its numbers in the instance and in all instances.
type slot struct {
	due           time.Duration
	local, global uint64
}

func (s *slots) next() (slot, bool) {
	local, global := s.index.Next() // from 1
	due, ok := s.ramps.due(s.place(global - 1))
	return slot{due, uint64(local - 1), uint64(global - 1)}, ok // #nosec G115 -- not negative
}

// left counts the others.
func (s *slots) left() (n int64) {
	for _, ok := s.next(); ok; _, ok = s.next() {
		n++
	}
	return n
}
