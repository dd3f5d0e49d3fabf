package module

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/result"
)

// thresholds are the test's thresholds with k6's own verdicts, and the values behind them.
// They are read where k6 keeps them: summaries have different shapes, not all of which
// contain thresholds, and a test may run without one. There are none with --no-thresholds.
func (t *test) thresholds() (judged []result.Threshold) {
	if t.unjudged {
		return nil
	}
	for _, of := range t.registry.All() {
		judged = append(judged, t.thresholdsOn(of)...)
		for _, sub := range of.Submetrics {
			judged = append(judged, t.thresholdsOn(sub.Metric)...)
		}
	}
	return judged
}

// declared are the test's thresholds before k6 has judged them.
func (t *test) declared() (all []result.Threshold) {
	if t.unjudged {
		return nil
	}
	for name, of := range t.state.Options.Thresholds {
		plain, _, _ := strings.Cut(name, "{")
		var kind string
		if m := t.registry.Get(plain); m != nil {
			kind = m.Type.String()
		}
		for _, limit := range of.Thresholds {
			all = append(all, result.Threshold{Metric: name, Expression: limit.Source, Type: kind})
		}
	}
	return all
}

func (t *test) thresholdsOn(m *metrics.Metric) (judged []result.Threshold) {
	var spent time.Duration
	if t.execution != nil {
		spent = t.execution.GetCurrentTestRunDuration()
	}
	if len(m.Thresholds.Thresholds) == 0 {
		return nil
	}
	for _, limit := range m.Thresholds.Thresholds {
		judged = append(judged, result.Threshold{
			Metric: m.Name, Expression: limit.Source, Type: m.Type.String(), Values: valuesOf(m.Sink, limit.Source, spent),
			OK: !limit.LastFailed, NoData: m.Sink.IsEmpty(), Aborts: limit.AbortOnFail,
		})
	}
	return judged
}

// valuesOf are the values of a metric that a threshold can refer to, and those that are
// needed to merge instances.
func valuesOf(sink metrics.Sink, expression string, spent time.Duration) map[string]float64 {
	values := maps.Clone(sink.Format(spent))
	switch s := sink.(type) {
	case *metrics.RateSink:
		values["passes"], values["fails"] = float64(s.Trues), float64(s.Total-s.Trues)
	case *metrics.TrendSink:
		values["count"] = float64(s.Count())
		if p, ok := result.Percentile(expression); ok {
			values[fmt.Sprintf("p(%g)", p)] = s.P(p / 100)
		}
	}
	return values
}

// without warns of thresholds that k6 passes although their tags may be wrong.
func (t *test) without(res *result.Result) {
	for _, limit := range res.Thresholds {
		if res.Doubted(limit) {
			t.logger.Warnf("threshold %s: %s had no data, so it neither passed nor failed: check its tags", limit.Metric, limit.Expression)
		}
	}
}
