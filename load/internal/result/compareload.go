package result

import (
	"math"
	"time"
)

// offer is the load that the gateway was offered.
type offer struct {
	arrivals int64
	rate     float64 // of the busiest operation, as sent
	wait     float64 // factor by which the scheduled rate may exceed the rate sent
}

// offered is the load that a run offered. Arrivals follow the schedule, but wait while all
// virtual users are busy with a slow gateway. So the last one is sent late, at most by the
// longest wait.
func (r Result) offered() offer {
	busiest := r.Operations[r.busiest()]
	l := offer{arrivals: r.Iterations + r.Dropped, rate: busiest.Rate(), wait: 1}
	if l.arrivals == 0 {
		l.arrivals = busiest.Count
	}
	var waited time.Duration
	for _, o := range r.Operations {
		longest, _ := o.Intended.Max()
		waited = max(waited, longest)
	}
	if sent := busiest.Last.Sub(busiest.First); sent > waited {
		l.wait = float64(sent) / float64(sent-waited)
	}
	return l
}

// sameLoad says whether both runs sent requests at the same rate, or would have if arrivals
// had not waited in one of them.
func sameLoad(a, b offer) bool {
	if !apart(a.rate, b.rate) {
		return true
	}
	if b.rate < a.rate {
		a, b = b, a
	}
	return !apart(float64(a.arrivals), float64(b.arrivals)) && a.rate*a.wait >= b.rate*(1-rateApart)
}

func apart(a, b float64) bool { return math.Abs(a-b) > rateApart*max(a, b) }

// busiest is the most frequent operation of the run, the first by name among equals.
func (r Result) busiest() string {
	var found string
	for name, o := range r.Operations {
		if most := r.Operations[found].Count; o.Count > most || o.Count == most && (found == "" || name < found) {
			found = name
		}
	}
	return found
}
