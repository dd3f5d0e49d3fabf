package capacity

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/measure"
)

// Observation is what the target did within a window.
type Observation struct {
	Done   int64 // requests that completed
	Failed int64 // of these: refused, or without a complete response

	// Latency from the intended start, of what completed in the window.
	P50, P99, P999 time.Duration

	DeliveryP99 time.Duration // from acceptance to the webhook

	CPU float64 // of the generator: 1 is all of GOMAXPROCS
}

// Observed is an observation of latencies from the intended start, and of webhooks.
func Observed(intended, delivery *measure.Histogram) (o Observation) {
	o.P50, _ = intended.Quantile(0.5)
	o.P99, _ = intended.Quantile(0.99)
	o.P999, _ = intended.Quantile(0.999)
	o.DeliveryP99, _ = delivery.Quantile(0.99)
	return o
}

// Window is a completed window of the search: what was offered and what happened.
type Window struct {
	From      time.Time
	Duration  time.Duration
	Scheduled int64 // iterations that the rate required
	Started   int64
	Dropped   int64 // no virtual user was free
	Late      int64 // started more than [LateStart] after they were due

	// Backlog is what was pending, requests and webhooks, sampled evenly over the window, oldest
	// first: at least at both ends, or empty if unknown.
	Backlog []int64

	Observation
}

// The generator's own limits: if it exceeds them, a window proves nothing about the target.
const (
	LateStart    = 100 * time.Millisecond
	maxLateShare = 0.01
	maxCPU       = 0.90
	minOffered   = 0.98
)

// maxGrowth is the share of the offered rate by which the backlog may grow: the same share
// of that rate may be missing.
const maxGrowth = 1 - minOffered

// unlimited is how long a payment may be pending if no limit is set.
const unlimited = time.Minute

// Limits that a rate has to meet. A zero limit is not judged, except Failed.
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
	Generator Verdict = "generator" // the rate was not really offered: no verdict on the target
)

// Judge compares a window with the limits. The reason is empty if the window passed.
//
// A generator that is late or short of CPU makes every latency longer, so a window that
// fails under these conditions is attributed to the generator. One that passes counts.
func (l Limits) Judge(w Window) (verdict Verdict, reason string) {
	missed := l.missed(w)
	strained := w.strained()
	switch {
	case missed != "" && strained != "":
		return Generator, strained + "; " + missed
	case missed != "":
		return Exceeded, missed
	case w.Dropped > 0:
		return Generator, fmt.Sprintf("%s of %s iterations dropped, no virtual user was free: increase maxVUs", data.FormatCount(w.Dropped), data.FormatCount(w.Scheduled))
	case float64(w.Started) < minOffered*float64(w.Scheduled):
		return Generator, fmt.Sprintf("only %s of %s iterations started", data.FormatCount(w.Started), data.FormatCount(w.Scheduled))
	}
	return Held, ""
}

// missed is the first limit that the target exceeded.
func (l Limits) missed(w Window) string {
	switch growth := w.BacklogGrowth(); {
	case w.Done == 0:
		return "no response"
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

// strained is why the generator itself may have been slow.
func (w Window) strained() string {
	switch {
	case float64(w.Late) > maxLateShare*float64(w.Started):
		return fmt.Sprintf("the generator started %s of %s iterations over %s late", data.FormatCount(w.Late), data.FormatCount(w.Started), LateStart)
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

// growth is how much the backlog may grow per second: [maxGrowth] of the rate, or what
// chance explains, if that is more. It depends only on rate, length and limits, so that all
// windows at a rate are judged alike, regardless of their initial backlog.
//
// Chance: at a steady rate the number of pending payments varies at most like a Poisson
// variable. Its mean is the rate times the mean pending time, which is the limit / ln 100 if
// 1% take longer than the limit. Three deviations of the difference of two such numbers are
// rare.
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
