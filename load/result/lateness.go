package result

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/load/measure"
)

// How late a generator may be in one of a hundred cases. Lateness is part of every latency
// from the intended start: it makes latencies longer, never shorter.
const (
	// Lateness up to this limit never invalidates a run.
	tolerable = 100 * time.Millisecond
	// Beyond this limit, the load of one second was not offered within that second.
	grave = time.Second
	// Lateness up to this share of a latency does not matter.
	slight = 0.1
)

// Lateness is how late the generator was in one of a hundred cases: its timers (hiccup), or
// the iterations that were due (schedule lag).
type Lateness struct {
	Figure string
	P99    time.Duration
}

// Lateness of timers and iterations. It leaves out those with too few values, because their
// p99 would be the maximum.
func (r Result) Lateness() (all []Lateness) {
	for _, of := range []struct {
		figure string
		*measure.Histogram
	}{{Hiccup, r.Hiccup}, {ScheduleLag, r.ScheduleLag}} {
		if p99, ok := of.Quantile(0.99); ok && of.Resolves(0.99) {
			all = append(all, Lateness{of.figure, p99})
		}
	}
	return all
}

// Invalidates says whether a lateness makes the run invalid, and returns the limit that it
// exceeds. Between tolerable and grave, it depends on the verdict: a lateness that is slight
// compared with the latencies does not matter; thresholds on latency that pass would also
// pass without it; and other failures are not caused by it. This is unknown until the
// thresholds are judged.
func (l Lateness) Invalidates(r Result, judged bool) (limit time.Duration, yes bool) {
	switch {
	case l.P99 > grave:
		return grave, true
	case l.P99 <= tolerable || !judged || !l.Shows(r) || !r.hangsOnLatency():
		return 0, false
	}
	return tolerable, true
}

// Shows says whether a lateness is more than a slight share of the p99 of any operation.
func (l Lateness) Shows(r Result) bool {
	known := false
	for _, o := range r.Operations {
		p99, ok := o.Intended.Quantile(0.99)
		if !ok || !o.Intended.Resolves(0.99) {
			continue
		}
		if known = true; float64(l.P99) > slight*float64(p99) {
			return true
		}
	}
	return !known
}

// TooLate are the reasons why the generator's lateness makes a run invalid. There are none
// for a capacity search: it judges each window itself.
func (r Result) TooLate(judged bool) (reasons []Reason) {
	if r.Capacity != nil {
		return nil
	}
	for _, late := range r.Lateness() {
		if limit, yes := late.Invalidates(r, judged); yes {
			reasons = append(reasons, Reason{
				Figure: late.Figure, Value: milliseconds(late.P99), Limit: milliseconds(limit), Unit: "ms", Instance: r.Instance,
			})
		}
	}
	return reasons
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

var latencies = []string{"pix_duration", "pix_webhook_delivery", "http_req_duration", "http_req_waiting", "iteration_duration"}

// unshaped are metrics that are not affected if the generator is less than a second late,
// in addition to those of payments, webhooks and money. A script's own metrics may contain
// times.
var unshaped = []string{"pix_failed", "http_req_failed", "checks", "pix_iterations_thrown"}

// hangsOnLatency says whether the verdict depends on latencies: only thresholds on latency,
// or on metrics that may be latencies, failed; or no threshold is on latency, so that the
// latencies themselves are the result of the run.
func (r Result) hangsOnLatency() bool {
	held, failed := false, false
	for _, t := range r.Thresholds {
		name, _ := splitMetric(t.Metric)
		switch {
		case t.NoData, name == "pix_invalid", name == "dropped_iterations": // which follow from the validity
		case t.OK:
			held = held || slices.Contains(latencies, name)
		case t.aboutMoney(), slices.Contains(unshaped, name):
			return false
		default:
			failed = true
		}
	}
	return failed || !held
}
