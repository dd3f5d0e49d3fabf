package capacity

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Observer is what a search needs of the run that it loads. Rates of a target are found
// from what it measures; the executor adds what it knows itself: the schedule.
type Observer interface {
	// Intend says that the next iteration of the virtual user was due at that time, and
	// from when on nothing but the generator kept it from starting: it was due, and the
	// user was free. It is called on the user's own goroutine, right before the iteration.
	Intend(vu uint64, at, ready time.Time)
	// Observe is what ended within [from, to), both whole seconds of the clock. It is
	// called right after to; and right after from with from twice: what is a difference,
	// as the CPU is, counts from there.
	Observe(from, to time.Time) Observation
	// Backlog is how much is under way now: requests without an answer, and accepted
	// payments whose webhook has not come.
	Backlog() int64
	// Found hands over the curve, whatever the search ended as.
	Found(Curve)
}

// Observation is what the target did within a window.
type Observation struct {
	Done   int64 // requests that ended
	Failed int64 // of these: refused, or without a whole answer

	// Latency from the intended start of what ended in the window.
	P50, P99, P999 time.Duration

	Delivered   int64         // webhooks matched with a payment; 0 without webhooks
	DeliveryP99 time.Duration // from acceptance to the webhook

	CPU float64 // of the generator: 1 is all of GOMAXPROCS
}

// Window is a window of the search after it ran: what was offered and what came of it.
type Window struct {
	From      time.Time
	Duration  time.Duration
	Scheduled int64 // iterations that the rate asked for
	Started   int64
	Dropped   int64 // no virtual user was free
	Late      int64 // started more than [LateStart] after they were due

	// Backlog is what was under way (see [Observer]), sampled evenly over the window,
	// oldest first: at least at both ends, or none when it is not known.
	Backlog []int64

	Observation
}

// The generator's own limits: beyond these a window says nothing against the target.
const (
	LateStart    = 100 * time.Millisecond
	maxLateShare = 0.01
	maxCPU       = 0.90
	minOffered   = 0.98
)

// maxGrowth is the part of the offered rate by which the backlog may grow: as much as may
// be missing of that rate itself.
const maxGrowth = 1 - minOffered

// unlimited is how long a payment may be under way where no limit is set.
const unlimited = time.Minute

// Limits are what a rate has to hold. A zero limit is not judged, except Failed.
type Limits struct {
	Latency  time.Duration `json:"latency"`  // p99 from the intended start
	Delivery time.Duration `json:"delivery"` // p99 from acceptance to webhook
	Failed   float64       `json:"failed"`   // share of the requests, 0 to 1
}

// Verdict is how a window ended.
type Verdict string

// Verdicts.
const (
	Held      Verdict = "held"
	Exceeded  Verdict = "exceeded"  // the target missed a limit
	Generator Verdict = "generator" // the rate was not really offered: nothing is said of the target
)

// Judge holds a window against the limits. The reason is empty when it held.
//
// A generator that was late or short of CPU makes every latency longer, so a window that
// failed under it is the generator's. One that held in spite of it counts.
func (l Limits) Judge(w Window) (verdict Verdict, reason string) {
	missed := l.missed(w)
	strained := w.strained()
	switch {
	case missed != "" && strained != "":
		return Generator, strained + "; " + missed
	case missed != "":
		return Exceeded, missed
	case w.Dropped > 0:
		return Generator, fmt.Sprintf("%d of %d iterations dropped for want of a virtual user: prepare more", w.Dropped, w.Scheduled)
	case float64(w.Started) < minOffered*float64(w.Scheduled):
		return Generator, fmt.Sprintf("%d of %d iterations started", w.Started, w.Scheduled)
	}
	return Held, ""
}

// missed is the first limit that the target did not hold.
func (l Limits) missed(w Window) string {
	switch growth := w.BacklogGrowth(); {
	case w.Done == 0:
		return "nothing was answered"
	case float64(w.Failed) > l.Failed*float64(w.Done):
		return fmt.Sprintf("%s failed, limit %s", percent(float64(w.Failed)/float64(w.Done)), percent(l.Failed))
	case l.Latency > 0 && w.P99 > l.Latency:
		return fmt.Sprintf("p99 %s, limit %s", brief(w.P99), brief(l.Latency))
	case l.Delivery > 0 && w.DeliveryP99 > l.Delivery:
		return fmt.Sprintf("webhook p99 %s, limit %s", brief(w.DeliveryP99), brief(l.Delivery))
	case growth > l.growth(w):
		return fmt.Sprintf("backlog grows by %s/s, limit %s/s", tenths(growth), tenths(l.growth(w)))
	}
	return ""
}

// strained is why the generator itself may be what was slow.
func (w Window) strained() string {
	switch {
	case float64(w.Late) > maxLateShare*float64(w.Started):
		return fmt.Sprintf("the generator started %d of %d iterations over %s late", w.Late, w.Started, LateStart)
	case w.CPU > maxCPU:
		return fmt.Sprintf("the generator used %s of its CPU", percent(w.CPU))
	}
	return ""
}

// BacklogGrowth is the slope of the backlog by least squares, per second.
func (w Window) BacklogGrowth() float64 {
	n := len(w.Backlog)
	seconds := w.Duration.Seconds()
	if n < 2 || seconds <= 0 {
		return 0
	}
	middle := float64(n-1) / 2
	var rise, run float64
	for i, b := range w.Backlog {
		x := float64(i) - middle
		rise += x * float64(b)
		run += x * x
	}
	return rise / run * float64(n-1) / seconds
}

// growth is by how much a second the backlog may grow: [maxGrowth] of the rate, or what
// chance explains, if that is more. It follows from rate, length and limits alone, so that
// each window at a rate is judged alike, whatever backlog it began with.
//
// Chance: at a steady rate the number under way scatters at most like a Poisson variable.
// Its mean is rate times time under way, which, where 1% take longer than the limit, is
// the limit / ln 100. Three deviations of the difference of two such numbers are rare.
func (l Limits) growth(w Window) float64 {
	seconds := w.Duration.Seconds()
	if seconds <= 0 {
		return 0
	}
	rate := float64(w.Scheduled) / seconds
	longest := max(cmp.Or(l.Latency, unlimited), cmp.Or(l.Delivery, unlimited)).Seconds()
	mean := max(rate*longest/math.Log(100), 1)
	return max(maxGrowth*rate, 3*math.Sqrt(2*mean)/seconds)
}
