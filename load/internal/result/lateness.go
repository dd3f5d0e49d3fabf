package result

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/measure"
)

const (
	// Beyond this lateness, in one of a hundred cases, the load of one second was not offered
	// within that second.
	grave = time.Second
	// What the generator may have added to a p99 that no threshold limits: up to both, it
	// does not make a run invalid.
	slight    = 0.1
	tolerable = 100 * time.Millisecond
	// Beyond this share of its processors, the generator may delay single requests by less
	// than its timers show.
	maxCPU = 0.9
	// The share of iterations that may be dropped: those that are missing are then too few to
	// move a p99.
	droppable = 0.001
)

// Late are the reasons why the generator makes a run invalid because it was too slow: it did
// not offer the load, or what it may have added to latencies decides the verdict. The latter
// is unknown until the thresholds are judged.
func (r Result) Late(judged bool) (reasons []Reason) {
	for _, of := range []struct {
		figure string
		*measure.Histogram
	}{{Hiccup, r.Hiccup}, {ScheduleLag, r.ScheduleLag}} {
		if p99, ok := of.Quantile(0.99); ok && of.Resolves(0.99) && p99 > grave {
			reasons = append(reasons, Reason{
				Figure: of.figure, Value: milliseconds(p99), Limit: milliseconds(grave), Unit: "ms", Instance: r.Instance,
			})
		}
	}
	if judged {
		reasons = append(append(reasons, r.delayed()...), r.busy()...)
	}
	return reasons
}

// busy is the reason if the generator was short of CPU, unless that does not matter: it makes
// latencies longer, so limits on them that pass would also pass without it. If any threshold
// fails, it may be why.
func (r Result) busy() []Reason {
	limited, failed := false, false
	for _, t := range r.Thresholds {
		if name, _ := splitMetric(t.Metric); t.NoData || slices.Contains(ofValidity, name) {
			continue
		}
		limited, failed = limited || t.aboutTime(), failed || !t.OK
	}
	if r.CPU <= maxCPU || limited && !failed {
		return nil
	}
	return []Reason{{Figure: CPU, Value: r.CPU * 100, Limit: maxCPU * 100, Unit: "%", Instance: r.Instance}}
}

// delayed are the reasons why the generator's delays make a run invalid: thresholds on
// latency that fail, and would pass without them; or, if no threshold limits a latency, their
// share of the latencies themselves, which are then the result of the run.
func (r Result) delayed() (reasons []Reason) {
	limited := false
	for _, t := range r.Thresholds {
		if t.NoData || !t.aboutTime() {
			continue
		}
		limited = true
		if !t.OK && r.mayBeDelayed(t) {
			reasons = append(reasons, Reason{Figure: OwnDelay, Detail: r.without(t), Instance: r.Instance})
		}
	}
	if limited {
		return reasons
	}
	for _, s := range r.Shares() {
		if own := s.Measured - s.Least; own > tolerable && float64(own) > slight*float64(s.Measured) {
			reasons = append(reasons, Reason{Figure: OwnDelay, Detail: s.String(), Instance: r.Instance})
		}
	}
	return reasons
}

// mayBeDelayed says whether a threshold on latency that failed might have passed with a
// generator that is never late.
func (r Result) mayBeDelayed(t Threshold) bool {
	values, own := r.least().values(t.Metric)
	if !own { // of k6 or the script: the delays are known of pixcert's latencies only
		shares := r.Shares()
		if t.sinceTheStart() {
			shares = r.shares(func(o measure.Operation) (*measure.Histogram, measure.Delay) { return o.Send, o.SendDelay })
		}
		return slices.ContainsFunc(shares, func(s Share) bool { return float64(s.Measured-s.Least) > slight*float64(s.Measured) })
	}
	return t.judge(values) == nil && t.OK
}

// without says what a threshold's value would have been without the generator's delays.
func (r Result) without(t Threshold) string {
	least := t
	values, own := r.least().values(t.Metric)
	if err := least.judge(values); err != nil || !own || least.Value == nil || t.Value == nil {
		return fmt.Sprintf("%s: %s might have passed without the generator's own delays", t.Metric, t.Expression)
	}
	return fmt.Sprintf("%s: %s: got %.4g ms, of which the generator itself may have added %.4g ms", t.Metric, t.Expression, *t.Value, *t.Value-*least.Value)
}

// least is the result with the latencies that it would have, at least, with a generator that
// is never late.
func (r Result) least() Result {
	r.Figures = r.Figures.Least()
	r.Origins = slices.Clone(r.Origins)
	for i := range r.Origins {
		r.Origins[i].Figures = r.Origins[i].Least()
	}
	return r
}

// Share is how much of the p99 of a latency from the intended start the generator itself may
// have caused.
type Share struct {
	Figure          string        // the operation, or webhook delivery
	Delayed, Count  int64         // how many values it may have made longer, of how many
	Measured, Least time.Duration // the p99, and what it would have been at least
}

func (s Share) String() string {
	return fmt.Sprintf("%s: the generator itself may have delayed %s of %s; of the p99 of %.4g ms, %.4g ms may be its own",
		s.Figure, data.FormatCount(s.Delayed), data.FormatCount(s.Count), milliseconds(s.Measured), milliseconds(s.Measured-s.Least))
}

// Shares are the latencies from the intended start that the generator may have made longer, the most delayed first.
// It leaves out those with too few values, because their p99 would be the maximum.
func (r Result) Shares() []Share {
	all := r.shares(func(o measure.Operation) (*measure.Histogram, measure.Delay) { return o.Intended, o.IntendedDelay })
	all = append(all, shareOf("webhook delivery", r.Delivery.Intended, r.Delivery.IntendedDelay)...)
	slices.SortFunc(all, func(a, b Share) int {
		if own := (b.Measured - b.Least) - (a.Measured - a.Least); own != 0 {
			return int(own)
		}
		return strings.Compare(a.Figure, b.Figure)
	})
	return all
}

// shares are those of one latency of each operation.
func (r Result) shares(of func(measure.Operation) (*measure.Histogram, measure.Delay)) (all []Share) {
	for name, o := range r.Operations {
		h, d := of(o)
		all = append(all, shareOf(name, h, d)...)
	}
	return all
}

// shareOf is the share of one latency, or none.
func shareOf(figure string, h *measure.Histogram, d measure.Delay) []Share {
	p99, ok := h.Quantile(0.99)
	if !ok || !h.Resolves(0.99) || d.Count() == 0 {
		return nil
	}
	least, _ := d.Without(h).Quantile(0.99)
	return []Share{{figure, d.Count(), h.Count(), p99, min(least, p99)}}
}

// DroppedTooMany says whether so many iterations were dropped that the load was not the one
// that the script intended. Fewer are stated, and move no p99.
func (r Result) DroppedTooMany(dropped int64) bool {
	return float64(dropped) > droppable*float64(r.Iterations+dropped)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Metrics by what may make a threshold on them fail.
var (
	// ofValidity follow from whether the run is valid.
	ofValidity = []string{"pix_invalid", "dropped_iterations"}
	// results of requests and checks: a generator that is late does not change them, unless it
	// stalls for so long that requests time out.
	results = []string{"pix_failed", "http_req_failed", "checks", "pix_iterations_thrown"}
)

// InTime says whether a metric of pixcert or k6 is in milliseconds.
func InTime(metric string) bool {
	return Metrics[metric].Time || metric == "iteration_duration" || metric == "group_duration" ||
		strings.HasPrefix(metric, "http_req_") && metric != "http_req_failed"
}

// aboutTime says whether a threshold's metric is or may be a latency. Trends of a script may be times too.
func (t Threshold) aboutTime() bool {
	name, _ := splitMetric(t.Metric)
	ofGenerator := name == "pix_schedule_lag" || name == "pix_hiccup"
	return InTime(name) && !ofGenerator || t.Type == "trend"
}

// sinceTheStart says whether a threshold is on one of k6's own latencies: they begin when the iteration or the request
// does, however late that is.
func (t Threshold) sinceTheStart() bool {
	name, _ := splitMetric(t.Metric)
	return t.aboutTime() && (slices.Contains(k6Metrics, name) || name == "group_duration")
}

// lagged says whether the generator may have started too late the iterations that a threshold
// is about: another scenario's lateness is no excuse. In a merged result, one late instance is
// enough, and may be too small a part to show in the p99.
func (r Result) lagged(t Threshold) bool {
	name, tags := splitMetric(t.Metric)
	some, _, ok := r.about(name, tags)
	q := 0.99
	if len(r.Parts) > 0 {
		q = 1
	}
	lag, measured := some.ScheduleLag.Quantile(q)
	return !ok || !measured || lag > grave
}

// excused says whether a threshold that failed in an invalid run may have failed because of
// what makes the run invalid. One that would have failed anyway is not excused: an invalid
// run does not hide it.
func (r Result) excused(t Threshold) bool {
	if !r.Validity.Doubtful() {
		return false
	}
	name, tags := splitMetric(t.Metric)
	lagged := r.Validity.has(ScheduleLag) && r.lagged(t)
	switch {
	case slices.Contains(results, name):
		return r.Validity.has(Hiccup, Exhausted, Suspended) || lagged
	case !t.aboutTime(): // the amount of load, or the generator itself
		return true
	case r.Validity.has(Hiccup, CPU, Exhausted, Suspended): // whose effect on a single request is unknown
		return true
	case r.mayBeDelayed(t):
		return true
	case strings.HasPrefix(name, "pix_") && slices.Contains([]string{"send", "acceptance"}, tags["from"]): // from after the late start
		return false
	case lagged:
		return true
	case tags["from"] != "intended":
		return false
	}
	// With too few virtual users, the wait for one may be the script's own. The time from the
	// send does not include it.
	tags["from"] = map[string]string{"pix_duration": "send"}[name]
	h, _ := r.least().limited(name, tags)
	d, measured := h.Quantile(measure.QuantileNamed(tags["stat"]))
	if !measured {
		return true
	}
	return t.judge(map[string]float64{"value": milliseconds(d)}) == nil && t.OK
}
