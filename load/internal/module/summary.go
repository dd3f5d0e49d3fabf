package module

import (
	"bytes"
	"fmt"
	"maps"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/report"
	"github.com/pixcert/pixcert/load/internal/result"
)

// summary returns the text of the run for the terminal. The script decides where it goes.
func (i *instance) summary(call sobek.FunctionCall) sobek.Value {
	t := i.test
	of, res := i.concluded("summary", call)
	var text bytes.Buffer
	_ = report.Terminal(&text, res, of.Color) // a buffer takes all
	t.mu.Lock()
	t.shown = true
	t.mu.Unlock()
	return i.vu.Runtime().ToValue(text.String())
}

// result returns the result of the run as JSON, from the data of k6's handleSummary.
func (i *instance) result(call sobek.FunctionCall) sobek.Value {
	_, res := i.concluded("result", call)
	text, err := result.Encode(res)
	if err != nil {
		common.Throw(i.vu.Runtime(), fmt.Errorf("result: %w", err))
	}
	return i.vu.Runtime().ToValue(string(text))
}

// concluded is the result with the script's checks, from the data of k6's handleSummary. Without a run, it says why
// there was none. Errors start with the function's name.
func (i *instance) concluded(name string, call sobek.FunctionCall) (result.Summary, result.Result) {
	rt := i.vu.Runtime()
	of, err := result.ReadSummary(argument(rt, call.Argument(0)))
	if err != nil {
		common.Throw(rt, fmt.Errorf("%s: %w", name, err))
	}
	t := i.test
	if res := t.outcome(); res != nil {
		res.Checks = of.Checks
		return of, *res
	}
	nothing := result.Reason{Figure: result.Nothing, Detail: t.whyNoResult()}
	res := result.Result{Schema: result.Schema, Script: t.config.Script, Instances: 1, Reasons: []result.Reason{nothing}}
	res.Outcome = result.Invalid
	if t.options != nil { // the script has a gateway
		res.Run = t.runID()
	}
	return of, res
}

// whyNoResult explains why there is no result.
func (t *Test) whyNoResult() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case gateway.Exhausted(t.refused):
		return "generator: the run could not be prepared: " + t.refused.Error()
	case t.refused != nil:
		return "the run could not be prepared: " + t.refused.Error()
	case t.given == nil:
		return "the script has no Client"
	}
	return "nothing was measured: the script did not call the gateway"
}

// observe adds the test's metrics and thresholds, with k6's own verdicts, to a result. They are read where k6 keeps them:
// its summaries have different shapes, not all of which contain thresholds, and a test may run without one.
func (t *Test) observe(res *result.Result) {
	res.Metrics = map[string]result.Metric{}
	for _, m := range t.init.Registry.All() {
		t.observeMetric(m, res)
		for _, sub := range m.Submetrics {
			t.observeMetric(sub.Metric, res)
		}
	}
}

func (t *Test) observeMetric(m *metrics.Metric, res *result.Result) {
	var spent time.Duration
	if t.execution != nil {
		spent = t.execution.GetCurrentTestRunDuration()
	}
	values := valuesOf(m.Sink, spent)
	if !m.Sink.IsEmpty() {
		res.Metrics[m.Name] = result.Metric{Type: m.Type.String(), Time: m.Contains == metrics.Time, Data: m.Contains == metrics.Data, Values: values}
	}
	if t.init.RuntimeOptions.NoThresholds.Bool {
		return
	}
	for _, limit := range m.Thresholds.Thresholds {
		value := values[result.Limit(limit.Source).Method]
		if trend, ok := m.Sink.(*metrics.TrendSink); ok && result.Limit(limit.Source).Percentile > 0 {
			value = trend.P(result.Limit(limit.Source).Percentile / 100)
		}
		res.AddThreshold(result.Threshold{
			Metric: m.Name, Expression: limit.Source, Value: value, Time: m.Contains == metrics.Time,
			OK: !limit.LastFailed, NoData: m.Sink.IsEmpty() && m.Type != metrics.Counter, Aborts: limit.AbortOnFail,
		})
	}
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
