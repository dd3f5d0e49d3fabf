package result

import (
	"strings"

	"github.com/pixcert/pixcert/load/internal/measure"
)

// values of one of pixcert's own metrics, aggregated from the result as k6 would do it. It
// returns false if the metric cannot be derived from the result.
func (r Result) values(metric string) (map[string]float64, bool) {
	name, tags := splitMetric(metric)
	own, ok := strings.CutPrefix(name, "pix_")
	if !ok {
		return nil, false
	}
	if r, tags, ok = r.about(name, tags); !ok {
		return nil, true
	}

	if own == "failed" || own == "tokens_rejected" {
		return r.requests(own, tags)
	}
	if len(tags) == 0 {
		return r.counter(own)
	}
	h, ok := r.histogram(own, tags)
	if !ok {
		return nil, false
	}
	q := measure.QuantileNamed(tags["stat"])
	d, ok := h.Quantile(q)
	if !ok {
		return nil, true
	}
	return map[string]float64{"value": milliseconds(d)}, q > 0
}

// about is the part of the result that a metric with tags is about, and the metric's own tags;
// false if no call has the others.
func (r Result) about(name string, tags map[string]string) (some Result, own map[string]string, ok bool) {
	own, origin := tagsOf(name, tags)
	if Metrics[name].whole { // which has the tags of the whole test at most
		return r, own, true
	}
	some, ok = r.from(origin)
	return some, own, ok
}

// requests is the share of those that failed, or the count of access tokens that were rejected, of
// one operation or of all.
func (r Result) requests(name string, tags map[string]string) (map[string]float64, bool) {
	operation, named := tags["operation"]
	if named && len(tags) > 1 || !named && len(tags) > 0 {
		return nil, false
	}
	of := r.Total()
	if named {
		of = r.Operations[operation]
	}
	if of.Count == 0 {
		return nil, true
	}
	if name == "tokens_rejected" {
		return map[string]float64{"count": float64(of.Rejected)}, true
	}
	return map[string]float64{"value": float64(of.Failed) / float64(of.Count)}, true
}

func (r Result) counter(name string) (map[string]float64, bool) {
	n, ok := r.Ledger.Counts.Get(name)
	switch name {
	case "invalid":
		n, ok = int64(len(r.Validity.Reasons)), true
	case "iterations_thrown":
		if r.Thrown == nil {
			return nil, true
		}
		n, ok = *r.Thrown, true
	}
	if !ok {
		return nil, false
	}
	values := map[string]float64{"count": float64(n)}
	if seconds := r.Ended.Sub(r.Started).Seconds(); seconds > 0 {
		values["rate"] = float64(n) / seconds
	}
	return values, true
}

// histogram that the tags select exactly, apart from the statistic.
func (r Result) histogram(name string, tags map[string]string) (*measure.Histogram, bool) {
	operation := r.Operations[tags["operation"]]
	h, known := map[[2]string]*measure.Histogram{
		{"schedule_lag", ""}:               r.ScheduleLag,
		{"hiccup", ""}:                     r.Hiccup,
		{"webhook_delivery", "acceptance"}: r.Delivery.Acceptance,
		{"webhook_delivery", "intended"}:   r.Delivery.Intended,
		{"duration", "send"}:               operation.Send,
		{"duration", "intended"}:           operation.Intended,
	}[[2]string{name, tags["from"]}]
	selecting := len(tags)
	if _, given := tags["stat"]; given {
		selecting--
	}
	return h, known && selecting == map[string]int{"webhook_delivery": 1, "duration": 2}[name]
}
