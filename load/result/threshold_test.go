package result

import (
	"testing"
	"time"

	"github.com/pixcert/pixcert/load/measure"
	"github.com/pixcert/pixcert/load/preset"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExpressionsAreThoseOfK6(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]expression{
		"value<500":        {"value", "<", 500},
		"count==0":         {"count", "==", 0},
		"count===0":        {"count", "===", 0},
		"rate>=0.99":       {"rate", ">=", 0.99},
		"rate < 0.01":      {"rate", "<", 0.01},
		"p(99)<200":        {"p(99)", "<", 200},
		"p(99.9) <= 2000":  {"p(99.9)", "<=", 2000},
		"p(90.0)<1":        {"p(90)", "<", 1},
		"avg!=1":           {"avg", "!=", 1},
		"med>0":            {"med", ">", 0},
		"min > -1":         {"min", ">", -1},
		" max<=1e3 ":       {"max", "<=", 1000},
		"p(0) >\t0.000001": {"p(0)", ">", 0.000001},
	} {
		got, err := parseExpression(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"", "value", "value<", "<500", "value=500", "value=>500", "p99<1", "p(101)<1", "p(-1)<1", "p()<1", "p(NaN)<1",
		"p(x)<1", "mode<1", "value<fast", "value<1ms", "value<NaN", "value<1<2",
	} {
		_, err := parseExpression(text)
		require.ErrorContains(t, err, "threshold", text)
	}
}

func TestOperators(t *testing.T) {
	t.Parallel()
	for operator, holds := range map[string][3]bool{ // of 1, 2 and 3 against 2
		"<": {true, false, false}, "<=": {true, true, false},
		">": {false, false, true}, ">=": {false, true, true},
		"==": {false, true, false}, "===": {false, true, false}, "!=": {true, false, true},
	} {
		for i, want := range holds {
			assert.Equal(t, want, expression{"value", operator, 2}.holds(float64(i+1)), "%d %s 2", i+1, operator)
		}
	}
}

func TestMetricsAreTakenApart(t *testing.T) {
	t.Parallel()
	name, tags := splitMetric(`pix_duration{operation:cash-out, from:"intended",url:http://a:1}`)
	assert.Equal(t, "pix_duration", name)
	assert.Equal(t, map[string]string{"operation": "cash-out", "from": "intended", "url": "http://a:1"}, tags)
	name, tags = splitMetric("dropped_iterations")
	assert.Equal(t, "dropped_iterations", name)
	assert.Empty(t, tags)
}

func TestTheResultAnswersForItsMetrics(t *testing.T) {
	t.Parallel()
	r := instance(0, 1, 100*time.Millisecond) // 100 to 199 ms, intended twice that
	r.Ledger.Counts.WebhooksLost = 20
	r.Validity.Reasons = make([]Reason, 2)
	for metric, want := range map[string]float64{
		"pix_duration{operation:cash-out,from:send,stat:p50}":     149,
		"pix_duration{stat:max,operation:cash-out,from:intended}": 398,
		"pix_webhook_delivery{from:acceptance,stat:p99}":          198,
		"pix_webhook_delivery{from:intended,stat:p99}":            594,
		"pix_schedule_lag{stat:p999}":                             1,
	} {
		values, ok := r.values(metric)
		require.True(t, ok, metric)
		assert.InEpsilon(t, want, values["value"], 0.001, metric)
	}
	for metric, want := range map[string]float64{"pix_webhooks_lost": 20, "pix_webhooks_orphan": 0, "pix_invalid": 2} {
		values, ok := r.values(metric)
		require.True(t, ok, metric)
		assert.Equal(t, map[string]float64{"count": want, "rate": want / 10}, values, metric)
	}
	op := r.Operations["cash-out"]
	op.Failed = 5
	r.Operations["cash-out"], r.Operations["token"] = op, measure.Operation{Count: 400}
	for metric, want := range map[string]float64{"pix_failed": 0.01, "pix_failed{operation:cash-out}": 0.05, "pix_failed{operation:token}": 0} {
		values, ok := r.values(metric)
		require.True(t, ok, metric)
		assert.Equal(t, map[string]float64{"value": want}, values, metric)
	}
	for _, metric := range []string{"pix_hiccup{stat:p99}", "pix_failed{operation:balance}", "pix_duration{operation:token,from:send,stat:p50}"} {
		values, ok := r.values(metric)
		assert.True(t, ok, metric)
		assert.Empty(t, values, "%s: nothing was measured", metric)
	}
	for _, metric := range []string{
		"http_reqs", "pix_backlog", "pix_duration", "pix_webhooks_lost{scenario:a}", "pix_duration{operation:cash-out,stat:p50}",
		"pix_duration{operation:cash-out,from:send,stat:p51}", "pix_duration{operation:cash-out,from:send,stat:p50,scenario:a}",
		"pix_failed{scenario:a}", "pix_failed{operation:cash-out,scenario:a}", "pix_schedule_lag{stat:p50,scenario:a}", "pix_webhook_delivery{stat:p50}",
	} {
		_, ok := r.values(metric)
		assert.False(t, ok, metric)
	}
}

func TestJudgingIsWhatK6WouldSay(t *testing.T) {
	t.Parallel()
	r := instance(0, 1, 100*time.Millisecond)
	r.Ledger.Counts.PaymentsSent = 100
	judged, err := r.Judge(map[string][]string{
		"pix_duration{operation:cash-out,from:send,stat:p99}": {"value<150", "value<250"},
		"pix_hiccup{stat:p99}":                                {"value<100"},
		"pix_webhooks_lost":                                   {"count==0"},
		"http_reqs":                                           {"count>0"},
	})
	require.NoError(t, err)
	require.Len(t, judged, 4)
	assert.False(t, judged[0].OK)
	assert.InEpsilon(t, 198, *judged[0].Value, 0.001)
	assert.True(t, judged[1].OK)
	assert.True(t, judged[2].OK)
	assert.Nil(t, judged[2].Value, "nothing was measured")
	assert.True(t, judged[2].NoData)
	assert.False(t, judged[3].NoData)
	assert.True(t, judged[3].OK)
	assert.Zero(t, *judged[3].Value)

	_, err = r.Judge(map[string][]string{"pix_webhooks_lost": {"count=0"}})
	require.ErrorContains(t, err, `"count=0"`)
}

func TestTheSummaryOfK6IsRead(t *testing.T) {
	t.Parallel()
	var r Result
	err := r.ReadSummary([]byte(`{"metrics": {
		"http_req_duration": {"type": "trend", "contains": "time", "values": {"avg": 4.5, "p(95)": 9.5, "max": null},
			"thresholds": {"p(95)<5": {"ok": false}, "max<100": {"ok": true}}},
		"http_req_failed": {"type": "rate", "contains": "default", "values": {"rate": 0, "passes": 0, "fails": 12},
			"thresholds": {"rate<0.001": {"ok": true}}},
		"vus": {"type": "gauge", "values": {"value": 1}}},
		"root_group": {"name": "", "checks": [{"name": "it was taken", "path": "::it was taken", "passes": 9, "fails": 1}],
			"groups": [{"name": "checkout", "groups": [], "checks": [{"name": "it was paid", "passes": 10, "fails": 0}]}]}, "state": {"testRunDurationMs": 12.5}}`))
	require.NoError(t, err)
	assert.Equal(t, []Check{{"checkout::it was paid", 10, 0}, {"it was taken", 9, 1}}, r.Checks)
	thresholds := r.Thresholds
	require.Len(t, thresholds, 3)
	duration, percentile, failed := thresholds[0], thresholds[1], thresholds[2]
	assert.Equal(t, "max<100", duration.Expression)
	assert.Nil(t, duration.Value)
	assert.True(t, duration.OK)
	assert.False(t, duration.NoData, "it was measured, and the value is not in the summary")
	assert.Equal(t, "p(95)<5", percentile.Expression)
	assert.InDelta(t, 9.5, *percentile.Value, 0)
	assert.False(t, percentile.OK)
	assert.Equal(t, "http_req_failed", failed.Metric)
	assert.Equal(t, "rate", failed.Type)
	assert.Equal(t, map[string]float64{"rate": 0, "passes": 0, "fails": 12}, failed.Values)
	assert.Equal(t, ByK6, failed.Basis)

	require.ErrorContains(t, r.ReadSummary([]byte("no")), "k6's summary")
}

func TestALimitOnNothingNeitherHoldsNorFails(t *testing.T) {
	t.Parallel()
	summary := []byte(`{"metrics": {
		"pix_hiccup{stat:p99}": {"type": "gauge", "values": {"value": 0}, "thresholds": {"value<100": {"ok": true}}},
		"pix_money_drift": {"type": "counter", "values": {"count": 0, "rate": 0}, "thresholds": {"count==0": {"ok": true}}},
		"pix_double_debits": {"type": "counter", "values": {"count": 0}, "thresholds": {"count==0": {"ok": true}}},
		"pix_webhooks_lost": {"type": "counter", "values": {"count": 0}, "thresholds": {"count==0": {"ok": true}}},
		"pix_payments_confirmed": {"type": "counter", "values": {"count": 0}, "thresholds": {"count==200": {"ok": false}}},
		"pix_failed": {"type": "gauge", "values": {"value": 0}, "thresholds": {"value<=0.001": {"ok": true}}},
		"checks": {"type": "rate", "values": {"rate": 0, "passes": 0, "fails": 0}, "thresholds": {"rate>0.9": {"ok": true}}}}}`)
	without := func(r Result) (names []string) {
		for _, t := range r.Thresholds {
			if t.NoData {
				names = append(names, t.Metric)
			}
		}
		return names
	}
	var empty Result
	require.NoError(t, empty.ReadSummary(summary))
	assert.Equal(t, []string{"checks", "pix_double_debits", "pix_failed", "pix_hiccup{stat:p99}", "pix_money_drift", "pix_webhooks_lost"}, without(empty))
	assert.False(t, empty.Thresholds[5].OK || empty.Thresholds[5].NoData, "what failed has failed: %s", empty.Thresholds[5].Metric)

	r := instance(0, 1, time.Millisecond)
	r.Ledger.Counts.PaymentsSent, r.Ledger.Counts.RepeatsSent, r.Accounts = 1, 1, make([]Money, 1)
	r.Hiccup = r.ScheduleLag
	require.NoError(t, r.ReadSummary(summary))
	assert.Equal(t, []string{"checks"}, without(r))
	merged, err := Merge([]Result{r})
	require.NoError(t, err)
	assert.Contains(t, without(merged), "pix_money_drift", "the books of the merge hold no balance")
}

func TestAThresholdThatCanHaveNoValueIsAnError(t *testing.T) {
	t.Parallel()
	for _, metric := range []string{
		"http_req_duration{scenario:a}", "mine", "pix_failed", "pix_failed{operation:cash-out}", "pix_webhooks_lost", "pix_invalid", "pix_backlog",
		"pix_duration{operation:cash-out,from:intended,stat:p99}", `pix_duration{stat:max, from:"send", operation:token}`,
		"pix_duration{operation:cash-out,from:intended,stat:p99,region:south}", "pix_hiccup{stat:p999}", "pix_webhook_delivery{from:acceptance,stat:p50}",
	} {
		assert.NoError(t, CheckThreshold(metric))
	}
	for metric, says := range map[string]string{
		"pix_duration{operation:cashout,from:intended,stat:p99}":  `cash-out, cash-out-qrcode`,
		"pix_duration{operation:cash-out,from:start,stat:p99}":    `expected the tag from to be one of send, intended, got "start"`,
		"pix_duration{operation:cash-out,from:intended,stat:p98}": `got "p98"`,
		"pix_duration{operation:cash-out,stat:p99}":               "expected the tag from, as in pix_duration{operation:…,from:…,stat:…}",
		"pix_duration":                                "expected the tag operation",
		"pix_failed{operation:cashout}":               `got "cashout"`,
		"pix_webhook_delivery{from:send,stat:p99}":    `got "send"`,
		"pix_hiccup{stat:p99,operation:cash-out}":     "this metric has no tag operation",
		"pix_webhooks_lost{scenario:a}":               "expected pix_webhooks_lost: this metric has no tag scenario",
		"pix_webhooks_lots":                           "got pix_webhooks_lots",
		"pix_webhook_delivery_now{from:send,stat:p9}": "acceptance",
	} {
		require.ErrorContains(t, CheckThreshold(metric), says)
		require.ErrorContains(t, CheckThreshold(metric), metric)
	}
}

func TestPresetsNameWhatThereIs(t *testing.T) {
	t.Parallel()
	for _, p := range preset.List() {
		thresholds, _, err := preset.Thresholds(p.Name)
		require.NoError(t, err)
		for metric := range thresholds {
			assert.NoError(t, CheckThreshold(metric), p.Name)
		}
	}
}

func TestWhatK6CannotKnowIsCorrected(t *testing.T) {
	t.Parallel()
	zero := 0.0
	r := instance(0, 1, time.Millisecond)
	r.Validity = Validity{Reasons: []Reason{{Figure: "dropped iterations", Value: 3}}}
	thresholds := []Threshold{
		{Metric: "pix_invalid", Expression: "count==0", Value: &zero, OK: true},
		{Metric: "pix_duration{operation:balance,from:intended,stat:p99}", Expression: "value<500", Value: &zero, OK: true},
		{Metric: "pix_duration{operation:cash-out,from:intended,stat:p99}", Expression: "value<500", Value: &zero, OK: true},
		{Metric: "http_req_duration", Expression: "p(95)<500", Value: &zero, OK: true},
	}
	for i := range thresholds {
		require.NoError(t, r.correct(&thresholds[i]))
	}
	assert.False(t, thresholds[0].OK)
	assert.EqualValues(t, 1, *thresholds[0].Value)
	assert.Nil(t, thresholds[1].Value, "nothing was measured")
	assert.True(t, thresholds[1].OK)
	assert.True(t, thresholds[1].NoData)
	assert.Equal(t, &zero, thresholds[2].Value, "as k6 has it")
	assert.Equal(t, &zero, thresholds[3].Value)
}
