package result

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Outcome is the verdict on a run.
type Outcome string

// Outcomes, the most severe first: the first that applies is that of the result.
const (
	Incomplete  Outcome = "incomplete"  // instances of the run are missing from a merge
	Wrong       Outcome = "wrong"       // a threshold on payments, webhooks or money failed, which the generator cannot have caused
	Invalid     Outcome = "invalid"     // the figures cannot be attributed to the gateway: see Reasons
	Fail        Outcome = "fail"        // another threshold failed, or k6 ended with an error of its own
	Interrupted Outcome = "interrupted" // the run ended early: what was still pending is unknown
	Pass        Outcome = "pass"
)

// ExitStatus of a command that ends with the outcome: 99 is k6's of thresholds that failed, 105 its of a signal.
func (o Outcome) ExitStatus() int {
	switch o {
	case Pass:
		return 0
	case Incomplete:
		return 2
	case Interrupted:
		return 105
	}
	return 99
}

// Reason why a run is invalid.
type Reason struct {
	Figure   Figure `json:"figure"`
	Detail   string `json:"detail"` // in words, with the figure and its limit
	Instance int    `json:"instance"`
}

// Figure that a reason is about.
type Figure string

// Figures.
const (
	Hiccup      Figure = "hiccup"       // timers of the generator fired late
	ScheduleLag Figure = "schedule lag" // iterations began late
	OwnDelay    Figure = "own delay"    // the generator may have made latencies longer
	CPU         Figure = "cpu"          // the generator was short of it
	Iterations  Figure = "iterations"   // were dropped: there were too few virtual users
	Exhausted   Figure = "resources"    // this machine ran out of file descriptors, ports or memory
	Suspended   Figure = "suspended"    // the process or the clock did not run on
	Unanswered  Figure = "unanswered"   // the gateway did not respond to final look-ups
	CutShort    Figure = "cut short"    // not all webhooks, look-ups and balances were waited for
	Nothing     Figure = "nothing"      // was measured
)

// Limits of the generator.
const (
	late      = 1000  // ms: beyond it, in one of a hundred cases, the load of one second was not offered within that second
	maxCPU    = 0.9   // beyond it, the generator may delay single requests by less than its timers show
	droppable = 0.001 // the share of iterations that may be dropped: those that are missing are then too few to move a p99
)

// Late are the reasons why the load was not the one that the script intended. They do not depend on thresholds.
func (r Result) Late() (reasons []Reason) {
	for _, of := range []struct {
		Figure
		p99 float64
	}{{Hiccup, r.Generator.Hiccup}, {ScheduleLag, r.Generator.ScheduleLag}} {
		if of.p99 > late {
			reasons = append(reasons, r.Because(of.Figure, "generator: %s p99 %.0f ms, limit %d ms", of.Figure, of.p99, late))
		}
	}
	if !r.Measured() {
		reasons = append(reasons, r.Because(Nothing, "nothing was measured: no request succeeded"))
	}
	return reasons
}

// TooManyDropped says whether so many iterations were dropped that the load was not the one that the script intended.
// Fewer are stated, and move no p99.
func (r Result) TooManyDropped(dropped int64) bool {
	return float64(dropped) > droppable*float64(r.Iterations+dropped)
}

// Because is a reason why this run is invalid.
func (r Result) Because(f Figure, format string, args ...any) Reason {
	return Reason{Figure: f, Detail: fmt.Sprintf(format, args...), Instance: r.Instance}
}

// Judge sets the outcome, and adds the reasons that depend on the verdicts on thresholds: a limit on a latency that
// failed, and might have passed with a generator that is never late.
func (r *Result) Judge() {
	for _, t := range r.Thresholds {
		switch {
		case !t.OK && t.name() == "dropped_iterations" && !r.Has(Iterations):
			r.Reasons = append(r.Reasons, r.Because(Iterations, "%.0f iterations dropped: no virtual user was free: raise preAllocatedVUs or use pix-arrival-rate", t.Value))
		case t.OK || !t.Time:
		case r.mayBeDelayed(t):
			r.Reasons = append(r.Reasons, r.Because(OwnDelay, "generator: %s: %s might have passed without its own delays", t.Metric, t.Expression))
		case r.Generator.CPU > maxCPU:
			r.Reasons = append(r.Reasons, r.Because(CPU, "generator: it used %.0f%% of its CPU, limit %.0f%%, which may be why %s: %s failed", 100*r.Generator.CPU, 100*maxCPU, t.Metric, t.Expression))
		}
	}
	r.Outcome = r.outcome()
}

func (r Result) outcome() Outcome {
	switch {
	case len(r.Missing) > 0:
		return Incomplete
	case slices.ContainsFunc(r.Thresholds, r.Proven):
		return Wrong
	case r.Has(Hiccup, ScheduleLag, OwnDelay, CPU, Exhausted, Suspended), r.Has(Nothing) && !r.Interrupted:
		return Invalid
	case slices.ContainsFunc(r.Thresholds, func(t Threshold) bool { return !t.OK && !r.excused(t) }):
		return Fail
	case r.Has(Iterations):
		return Invalid
	case r.Interrupted:
		return Interrupted
	case len(r.Reasons) > 0:
		return Invalid
	case r.Complaint != "":
		return Fail
	}
	return Pass
}

// excused says whether a threshold that failed says nothing about the gateway: it is on the generator itself, or demands
// an amount of load that was not offered, or nobody waited for what is unknown.
func (r Result) excused(t Threshold) bool {
	l := Limit(t.Expression)
	switch {
	case t.name() == "pix_invalid" || t.name() == "dropped_iterations":
		return true
	case l.Method == "count" && (l.operator == ">" || l.operator == ">="):
		return r.Interrupted || r.Has(Iterations)
	}
	return r.Has(CutShort) && has(t.Metric, "unknown")
}

// Has says whether a reason is about one of some figures.
func (r Result) Has(figures ...Figure) bool {
	return slices.ContainsFunc(r.Reasons, func(of Reason) bool { return slices.Contains(figures, of.Figure) })
}

// Proven says whether a threshold failed because of the gateway, even if the run is invalid. Balances, lists and bodies come
// from the gateway itself, and a failed look-up widens the range of a balance. A webhook may be lost because a starved
// listener did not receive it, or delivered again because it was acknowledged too late. The unknown proves nothing.
func (r Result) Proven(t Threshold) bool {
	if t.OK || t.NoData {
		return false
	}
	switch {
	case t.name() == "pix_money_drift":
		return true
	case t.name() == "pix_payments":
		return has(t.Metric, "double_debit", "misstated", "refused_wrongly", "mixed_up", "vanished", "unsettled")
	case t.name() == "pix_webhooks":
		starved := r.Has(Hiccup, ScheduleLag, CPU, Exhausted, Suspended)
		return has(t.Metric, "malformed", "contradictory", "orphan") || !starved && has(t.Metric, "lost", "resend_lost", "duplicate")
	}
	return false
}

// has says whether a metric has one of some outcomes as its tag.
func has(metric string, outcomes ...string) bool {
	return slices.ContainsFunc(outcomes, func(outcome string) bool {
		return strings.Contains(metric, "outcome:"+outcome+",") || strings.Contains(metric, "outcome:"+outcome+"}")
	})
}

// Threshold is one limit with k6's verdict.
type Threshold struct {
	Metric     string  `json:"metric"` // as k6 writes it: pix_req_duration{operation:cash-out}
	Expression string  `json:"expression"`
	Value      float64 `json:"value"` // what was compared with the limit; 0 without data
	Time       bool    `json:"time"`  // milliseconds
	OK         bool    `json:"ok"`
	NoData     bool    `json:"noData,omitempty"`      // there was nothing to compare: k6 compares 0. A counter without a sample is 0
	Aborts     bool    `json:"abortOnFail,omitempty"` // the run, if it fails
}

// name of the metric, without tags.
func (t Threshold) name() string {
	name, _, _ := strings.Cut(t.Metric, "{")
	return name
}

// limit of a threshold's expression, in k6's syntax:
//
//	method  operator  number
//	value | count | rate | avg | min | med | max | p(number)
type limit struct {
	Method     string
	Percentile float64 // of p(number), med and max; 0: of another
	operator   string
	number     float64
}

var syntax = regexp.MustCompile(`^\s*(value|count|rate|avg|min|med|max|p\((.+)\))\s*(===?|!=|[<>]=?)\s*(\S+)\s*$`)

// Limit parses a threshold's expression, which k6 has accepted.
func Limit(expression string) (l limit) {
	parts := syntax.FindStringSubmatch(expression)
	if parts == nil {
		return limit{}
	}
	l = limit{Method: parts[1], operator: parts[3]}
	l.Percentile = map[string]float64{"med": 50, "max": 100}[l.Method]
	if parts[2] != "" {
		l.Percentile, _ = strconv.ParseFloat(parts[2], 64)
	}
	l.number, _ = strconv.ParseFloat(parts[4], 64)
	return l
}

// IsZero says whether the limit is that nothing is there.
func (l limit) IsZero() bool { return l.number == 0 && strings.HasPrefix(l.operator, "==") }

func (l limit) holds(value float64) bool {
	switch l.operator {
	case "<":
		return value < l.number
	case "<=":
		return value <= l.number
	case ">":
		return value > l.number
	case ">=":
		return value >= l.number
	case "!=":
		return value != l.number
	}
	return value == l.number
}

// mayBeDelayed says whether a threshold on a latency that failed might have passed with a generator that is never late.
func (r Result) mayBeDelayed(t Threshold) bool {
	l := Limit(t.Expression)
	of := r.Generator.Requests
	if strings.HasPrefix(t.name(), "pix_webhook") {
		of = r.Generator.Webhooks
	}
	if !of.delayed() {
		return false
	}
	for i, p := range Percentiles {
		if p >= l.Percentile && i < len(of.Least) {
			return l.holds(t.Value - (of.Measured[i] - of.Least[i]))
		}
	}
	return true // an average
}

const slight = 0.1 // the share of a p99 that a generator may add without anybody minding

// delayed says whether the generator itself may have caused more than a slight part of the p99.
func (l Latencies) delayed() bool {
	const p99 = 4 // of Percentiles
	return l.Count >= 100 && len(l.Least) > p99 && l.Measured[p99]-l.Least[p99] > slight*l.Measured[p99]
}
