package result

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/load/measure"
)

// How late a generator may be in one of a hundred cases. Lateness is a part of every latency
// from the intended start, which it makes longer, never shorter.
const (
	// Up to so much it invalidates nothing.
	tolerable = 100 * time.Millisecond
	// Beyond, the load of a second was not offered within that second.
	grave = time.Second
	// Up to this share of a latency it does not show in it.
	slight = 0.1
)

// Lateness is how late the generator was in one of a hundred cases: its timers (hiccup), or
// the iterations that were due (schedule lag).
type Lateness struct {
	Figure string
	P99    time.Duration
}

// Lateness is that of timers and iterations, where there were enough of them: of a few the
// p99 would be the latest.
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

// Invalidates gives the limit that a lateness is beyond when the figures of the run cannot
// stand with it. Between the tolerable and the grave it depends on what the run states: a
// lateness that is slight beside the latencies does not matter; limits on latency that hold
// would hold all the more without it; and of what else failed it is no cause. Before the
// thresholds are judged that cannot be told.
func (l Lateness) Invalidates(r Result, judged bool) (limit time.Duration, yes bool) {
	switch {
	case l.P99 > grave:
		return grave, true
	case l.P99 <= tolerable || !judged || !l.Shows(r) || !r.hangsOnLatency():
		return 0, false
	}
	return tolerable, true
}

// Shows says whether a lateness makes up more than a slight share of the p99 of any
// operation.
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

// TooLate are the reasons for which the generator's lateness invalidates a run. Of a search
// for the capacity there are none: it judges itself, window by window.
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

// unshaped are metrics that a generator does not change by being late for less than a second,
// beside those of payments, webhooks and money. A script's own may hold times.
var unshaped = []string{"pix_failed", "http_req_failed", "checks", "pix_iterations_thrown"}

// hangsOnLatency says whether the verdict does: a limit failed on latency, or on what nobody
// knows to be none, and on nothing else; or there was none on latency, which is what the run
// has to state then.
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
