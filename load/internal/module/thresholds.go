package module

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/result"
)

// observed are the test's metrics and thresholds, with k6's own verdicts. They are read where k6 keeps them: its
// summaries have different shapes, not all of which contain thresholds, and a test may run without one.
func (t *test) observed() (all map[string]result.Metric, judged []result.Threshold) {
	all = map[string]result.Metric{}
	for _, m := range t.registry.All() {
		judged = t.observe(m, all, judged)
		for _, sub := range m.Submetrics {
			judged = t.observe(sub.Metric, all, judged)
		}
	}
	slices.SortFunc(judged, func(a, b result.Threshold) int {
		return cmp.Or(cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Expression, b.Expression))
	})
	return all, once(judged)
}

func (t *test) observe(m *metrics.Metric, all map[string]result.Metric, judged []result.Threshold) []result.Threshold {
	var spent time.Duration
	if t.execution != nil {
		spent = t.execution.GetCurrentTestRunDuration()
	}
	values := valuesOf(m.Sink, spent)
	if !m.Sink.IsEmpty() {
		all[m.Name] = result.Metric{Type: m.Type.String(), Time: m.Contains == metrics.Time, Data: m.Contains == metrics.Data, Values: values}
	}
	if t.unjudged {
		return judged
	}
	for _, limit := range m.Thresholds.Thresholds {
		value := values[result.Limit(limit.Source).Method]
		if trend, ok := m.Sink.(*metrics.TrendSink); ok && result.Limit(limit.Source).Percentile > 0 {
			value = trend.P(result.Limit(limit.Source).Percentile / 100)
		}
		judged = append(judged, result.Threshold{
			Metric: m.Name, Expression: limit.Source, Value: value, Time: m.Contains == metrics.Time,
			OK: !limit.LastFailed, NoData: m.Sink.IsEmpty() && m.Type != metrics.Counter, Aborts: limit.AbortOnFail,
		})
	}
	return judged
}

// once joins the same threshold of two sources, such as a preset's and the script's with abortOnFail.
func once(sorted []result.Threshold) (all []result.Threshold) {
	for _, t := range sorted {
		if last := len(all) - 1; last >= 0 && all[last].Metric == t.Metric && all[last].Expression == t.Expression {
			all[last].OK, all[last].Aborts = all[last].OK && t.OK, all[last].Aborts || t.Aborts
			continue
		}
		all = append(all, t)
	}
	return all
}

// valuesOf are the values of a metric as in k6's summary, of a trend with the percentiles that reports show.
func valuesOf(sink metrics.Sink, spent time.Duration) map[string]float64 {
	values := maps.Clone(sink.Format(spent))
	if trend, ok := sink.(*metrics.TrendSink); ok {
		values["count"] = float64(trend.Count())
		values["p(99)"], values["p(99.9)"] = trend.P(0.99), trend.P(0.999)
	}
	return values
}
