package result

import (
	"strings"
	"testing"
	"time"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/preset"
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
	op.Failed, op.Rejected = 5, 7
	r.Operations["cash-out"], r.Operations["token"] = op, measure.Operation{Count: 400}
	for metric, want := range map[string]float64{"pix_failed": 0.01, "pix_failed{operation:cash-out}": 0.05, "pix_failed{operation:token}": 0} {
		values, ok := r.values(metric)
		require.True(t, ok, metric)
		assert.Equal(t, map[string]float64{"value": want}, values, metric)
	}
	for metric, want := range map[string]float64{"pix_tokens_rejected": 7, "pix_tokens_rejected{operation:cash-out}": 7, "pix_tokens_rejected{operation:token}": 0} {
		require.NoError(t, CheckThreshold(metric, nil, nil, nil))
		values, ok := r.values(metric)
		require.True(t, ok, metric)
		assert.Equal(t, map[string]float64{"count": want}, values, metric)
	}
	for _, metric := range []string{"pix_hiccup{stat:p99}", "pix_failed{operation:balance}", "pix_tokens_rejected{operation:balance}", "pix_duration{operation:token,from:send,stat:p50}"} {
		values, ok := r.values(metric)
		assert.True(t, ok, metric)
		assert.Empty(t, values, "%s: nothing was measured", metric)
	}
	for _, metric := range []string{
		"http_reqs", "pix_backlog", "pix_duration", "pix_duration{operation:cash-out,stat:p50}",
		"pix_duration{operation:cash-out,from:send,stat:p51}", "pix_webhook_delivery{stat:p50}",
	} {
		_, ok := r.values(metric)
		assert.False(t, ok, metric)
	}
	op.Count = 60
	r.Origins = []Origin{
		{Tags: map[string]string{"scenario": "a", "group": "::x"}, Figures: measure.Figures{Operations: map[string]measure.Operation{"cash-out": op}}, Counts: ledger.Counts{PaymentsSent: 3}},
		{Tags: map[string]string{"scenario": "a", "group": "::y"}, Figures: measure.Figures{Operations: map[string]measure.Operation{"cash-out": op}}, Counts: ledger.Counts{PaymentsSent: 4}},
		{Tags: map[string]string{"scenario": "b", "group": "::y"}, Counts: ledger.Counts{PaymentsSent: 5}},
	}
	for metric, want := range map[string]map[string]float64{
		"pix_payments_sent{scenario:a}": {"count": 7, "rate": 0.7}, "pix_payments_sent{group:::y}": {"count": 9, "rate": 0.9},
		"pix_payments_sent{scenario:a,group:::y}": {"count": 4, "rate": 0.4}, "pix_payments_sent{scenario:c}": nil,
		"pix_tokens_rejected{scenario:a}": {"count": 14}, "pix_failed{scenario:a}": {"value": 10. / 120}, "pix_failed{scenario:b}": nil, "pix_failed{operation:cash-out,group:::y}": {"value": 5. / 60},
	} {
		values, ok := r.values(metric)
		assert.True(t, ok, metric)
		assert.Equal(t, want, values, metric)
	}
	r.Thresholds = []Threshold{{Metric: "pix_payments_sent{scenario:a}"}, {Metric: "pix_payments_sent{scenario:b,group:::x}"}, {Metric: "pix_hiccup{stat:p99,region:south}"}, {Metric: "http_reqs{scenario:c}"}}
	const words = "no call had the tags of the threshold on "
	assert.Equal(t, []Reason{{Figure: UnseenTags, Detail: words + "pix_payments_sent{scenario:b,group:::x}"}}, r.Unseen())
	r.Thresholds = nil
	for _, metric := range []string{
		"http_req_duration{scenaro:a}", "http_req_failed{scenario:a,stpe:1}", "checks{mine:1}",
		"http_req_duration{status:500}", "http_req_duration{scenario:b}", "http_reqs{group:::z}", "my_trend{foo:bar}",
		"http_requests_by_bank{bank:1}", "iterations_of_mine{bank:1}", "http_req_duration{type:rare}",
	} {
		r.Thresholds = append(r.Thresholds, Threshold{Metric: metric, OK: true, NoData: true})
	}
	r.Thresholds = append(r.Thresholds, Threshold{Metric: "http_req_duration{type:usual}", OK: true}, Threshold{Metric: "my_trend{scenaro:a}", OK: true})
	unseen := r.Unseen()
	require.Len(t, unseen, 2)
	assert.Equal(t, words+"http_req_duration{scenaro:a}", unseen[0].Detail)
	assert.Equal(t, words+"http_req_failed{scenario:a,stpe:1}", unseen[1].Detail)
	r.TagValues = TagValues{"scenaro": {"a"}, "stpe": {"2"}}
	unseen = r.Unseen()
	require.Len(t, unseen, 1, "a script may declare what calls may have")
	assert.Equal(t, words+"http_req_failed{scenario:a,stpe:1}", unseen[0].Detail)
	r.Thresholds = []Threshold{{Metric: "pix_failed{stpe:2}"}, {Metric: "pix_failed{scenario:a,stpe:2}"}, {Metric: "pix_failed{scenario:z,stpe:2}"}, {Metric: "pix_failed{stpe:3}"}}
	unseen = r.Unseen()
	require.Len(t, unseen, 2, "the others count nevertheless")
	assert.Equal(t, words+"pix_failed{scenario:z,stpe:2}", unseen[0].Detail)
	assert.Equal(t, words+"pix_failed{stpe:3}", unseen[1].Detail)
	r.Interrupted = true
	assert.Empty(t, r.Unseen(), "what did not run has no data")
}

func TestTheThresholdsOfK6AreAdopted(t *testing.T) {
	t.Parallel()
	var r Result
	trend := map[string]float64{"avg": 4.5, "p(95)": 9.5, "count": 3}
	require.NoError(t, r.Adopt([]Threshold{
		{Metric: "http_req_failed", Expression: "rate<0.001", Type: "rate", OK: true, Values: map[string]float64{"rate": 0, "passes": 0, "fails": 12}},
		{Metric: "http_req_duration", Expression: "p(95)<5", Type: "trend", Values: trend},
		{Metric: "http_req_duration", Expression: "avg<100", Type: "trend", OK: true, Values: trend},
		{Metric: "http_req_duration{name:typo}", Expression: "avg<100", Type: "trend", OK: true, NoData: true, Values: map[string]float64{"avg": 0}},
	}))
	require.Len(t, r.Thresholds, 4)
	average, percentile, failed, empty := r.Thresholds[0], r.Thresholds[1], r.Thresholds[3], r.Thresholds[2]
	assert.Equal(t, "avg<100", average.Expression)
	assert.True(t, average.OK)
	assert.False(t, average.NoData)
	assert.Equal(t, "p(95)<5", percentile.Expression)
	assert.InDelta(t, 9.5, *percentile.Value, 0)
	assert.False(t, percentile.OK)
	assert.Equal(t, "http_req_failed", failed.Metric)
	assert.Equal(t, map[string]float64{"rate": 0, "passes": 0, "fails": 12}, failed.Values)
	assert.Equal(t, ByK6, failed.Basis)
	assert.True(t, empty.NoData)

	require.ErrorContains(t, r.Adopt([]Threshold{{Metric: "pix_webhooks_lost", Expression: "count=0"}}), `"count=0"`)
}

func TestChecksAreReadFromBothShapesOfTheSummary(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		summary, says string
		checks        []Check
	}{
		"usual": {summary: `{"metrics": {}, "root_group": {"name": "", "checks": [{"name": "it was taken", "path": "::it was taken", "passes": 9, "fails": 1}],
			"groups": [{"name": "checkout", "groups": [], "checks": [{"name": "it was paid", "passes": 10, "fails": 0}]}]}, "state": {"testRunDurationMs": 12.5}}`,
			checks: []Check{{"checkout::it was paid", 10, 0}, {"it was taken", 9, 1}}},
		"machine-readable": {summary: `{"version": "1.0", "config": {}, "results": {"checks": {"metrics": [], "results": [{"name": "it was taken", "passes": 9, "fails": 1}]}, "metrics": []}}`,
			checks: []Check{{"it was taken", 9, 1}}},
		"machine-readable, none": {summary: `{"results": {"checks": {}, "metrics": []}}`},
		"another":                {summary: `{"metrics": {}, "checks": []}`, says: "expected root_group or results"},
		"nothing":                {summary: `{}`, says: "expected root_group or results"},
		"no JSON":                {summary: `no`, says: "read k6's summary"},
	} {
		var r Result
		read, err := ReadSummary([]byte(c.summary))
		if c.says != "" {
			require.ErrorContains(t, err, c.says, name)
			continue
		}
		require.NoError(t, err, name)
		r.SetChecks(read.Checks)
		assert.Equal(t, c.checks, r.Checks, name)
	}
}

func TestThePercentileOfAnExpression(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"p(99.9)<5": 99.9, "p(50) >= 1": 50} {
		p, ok := Percentile(text)
		assert.True(t, ok, text)
		assert.InDelta(t, want, p, 0)
	}
	for _, text := range []string{"med<5", "value<5", "p99<1"} {
		_, ok := Percentile(text)
		assert.False(t, ok, text)
	}
}

func TestALimitOnNothingNeitherHoldsNorFails(t *testing.T) {
	t.Parallel()
	empties := func() []Threshold {
		zero := func(keys ...string) map[string]float64 {
			values := map[string]float64{}
			for _, key := range keys {
				values[key] = 0
			}
			return values
		}
		return []Threshold{
			{Metric: "pix_hiccup{stat:p99}", Type: "gauge", Values: zero("value"), Expression: "value<100", OK: true},
			{Metric: "pix_money_drift", Type: "counter", Values: zero("count", "rate"), Expression: "count==0", OK: true},
			{Metric: "pix_double_debits", Type: "counter", Values: zero("count"), Expression: "count==0", OK: true},
			{Metric: "pix_webhooks_lost", Type: "counter", Values: zero("count"), Expression: "count==0", OK: true},
			{Metric: "pix_payments_confirmed", Type: "counter", Values: zero("count"), Expression: "count==200"},
			{Metric: "pix_failed", Type: "gauge", Values: zero("value"), Expression: "value<=0.001", OK: true},
			{Metric: "checks", Type: "rate", Values: zero("rate", "passes", "fails"), Expression: "rate>0.9", OK: true},
		}
	}
	without := func(r Result) (names []string) {
		for _, t := range r.Thresholds {
			if t.NoData {
				names = append(names, t.Metric)
			}
		}
		return names
	}
	var empty Result
	require.NoError(t, empty.Adopt(empties()))
	assert.Equal(t, []string{"checks", "pix_double_debits", "pix_failed", "pix_hiccup{stat:p99}", "pix_money_drift", "pix_webhooks_lost"}, without(empty))
	assert.False(t, empty.Thresholds[5].OK || empty.Thresholds[5].NoData, "what failed has failed: %s", empty.Thresholds[5].Metric)

	r := instance(0, 1, time.Millisecond)
	r.Ledger.Counts.PaymentsSent, r.Ledger.Counts.RepeatsSent, r.Accounts = 1, 1, make([]Money, 1)
	r.Hiccup = r.ScheduleLag
	require.NoError(t, r.Adopt(empties()))
	assert.Equal(t, []string{"checks"}, without(r))
}

// Scenarios are checked before the run, and declared values are known: neither may be misspelt.
func TestOnlyTagsThatMayBeMisspeltAreDoubted(t *testing.T) {
	t.Parallel()
	r := Result{TagValues: TagValues{"step": {"refund"}}}
	for metric, want := range map[string]bool{
		"http_req_duration{step:refund}":                    false,
		"http_req_duration{scenario:payments}":              false,
		"http_req_duration{scenario:payments,step:refund}":  false,
		"http_req_duration{scenario:payments,step:refnud}":  true,
		"http_req_duration{scenario:payments,channel:app}":  true,
		"transfers{scenario:payments}":                      true, // a metric of the script
		"http_req_duration":                                 false,
		"pix_payments_sent{scenario:payments,step:refused}": false,
	} {
		assert.Equal(t, want, r.Doubted(Threshold{Metric: metric, NoData: true}), metric)
		assert.False(t, r.Doubted(Threshold{Metric: metric}), metric)
	}
}

// A script may add a limit of a preset again, with abortOnFail.
func TestAThresholdThatIsSetTwiceIsListedOnce(t *testing.T) {
	t.Parallel()
	r := instance(0, 1, time.Millisecond)
	limit := func(aborts bool) Threshold {
		return Threshold{Metric: "pix_webhooks_lost", Expression: "count==0", Type: "counter", Values: map[string]float64{"count": 0}, OK: true, Aborts: aborts}
	}
	require.NoError(t, r.Adopt([]Threshold{limit(false), {Metric: "checks", Expression: "rate>0.9", Type: "rate", OK: true}, limit(true)}))
	require.Len(t, r.Thresholds, 2)
	assert.True(t, r.Thresholds[1].Aborts, "it ends the run")
}

func TestAThresholdThatCanHaveNoValueIsAnError(t *testing.T) {
	t.Parallel()
	for _, metric := range []string{
		"http_req_duration{scenario:a}", "http_reqs{scenario:refunds}", "pix_failed{scenario:refunds}", "http_requests_by_bank{scenario:mine}", "mine", "pix_failed", "pix_failed{operation:cash-out}", "pix_webhooks_lost", "pix_invalid", "pix_backlog",
		"pix_duration{operation:cash-out,from:intended,stat:p99}", `pix_duration{stat:max, from:"send", operation:token}`,
		"pix_duration{operation:cash-out,from:intended,stat:p99,region:south}", "pix_hiccup{stat:p999}", "pix_hiccup{stat:p99,region:south}",
		"pix_webhooks_lost{scenario:a}", "pix_payments_sent{group:::checkout,kind:x}", "pix_webhook_delivery{from:acceptance,stat:p50}",
	} {
		assert.NoError(t, CheckThreshold(metric, map[string]string{"region": "south"}, []string{"a", "b"}, TagValues{"scenario": {"refunds"}}))
	}
	for metric, says := range map[string]string{
		"pix_duration{operation:cashout,from:intended,stat:p99}":  `cash-out, cash-out-qrcode`,
		"pix_duration{operation:cash-out,from:start,stat:p99}":    `expected the tag from to be one of send, intended, got "start"`,
		"pix_duration{operation:cash-out,from:intended,stat:p98}": `got "p98"`,
		"pix_duration{operation:cash-out,stat:p99}":               "expected the tag from, as in pix_duration{operation:…,from:…,stat:…}",
		"pix_duration":                                "expected the tag operation",
		"pix_failed{operation:cashout}":               `got "cashout"`,
		"pix_webhook_delivery{from:send,stat:p99}":    `got "send"`,
		"pix_hiccup{stat:p99,operation:cash-out}":     "is about the whole run and has no tag operation",
		"pix_money_drift{scenario:a}":                 "expected pix_money_drift: this metric is about the whole run and has no tag scenario:a",
		"http_req_duration{scenario:c}":               `expected the tag scenario to be one of a, b, got "c"`,
		"checks{scenario:c}":                          `expected the tag scenario to be one of a, b, got "c"`,
		"pix_webhooks_lost{scenario:c}":               `expected the tag scenario to be one of a, b, got "c"`,
		"pix_webhooks_lots":                           "got pix_webhooks_lots",
		"pix_webhook_delivery_now{from:send,stat:p9}": "acceptance",
	} {
		require.ErrorContains(t, CheckThreshold(metric, map[string]string{"region": "south"}, []string{"a", "b"}, TagValues{"scenario": {"refunds"}}), says)
		require.ErrorContains(t, CheckThreshold(metric, map[string]string{"region": "south"}, []string{"a", "b"}, TagValues{"scenario": {"refunds"}}), metric)
	}
}

func TestPresetsNameWhatThereIs(t *testing.T) {
	t.Parallel()
	for _, name := range preset.Names() {
		thresholds, _, err := preset.Thresholds(name)
		require.NoError(t, err)
		for metric := range thresholds {
			assert.NoError(t, CheckThreshold(metric, map[string]string{"region": "south"}, []string{"a", "b"}, TagValues{"scenario": {"refunds"}}), name)
		}
	}
}

func TestWhatK6CannotKnowIsCorrected(t *testing.T) {
	t.Parallel()
	zero := 0.0
	r := instance(0, 1, time.Millisecond)
	r.Validity = Validity{Reasons: []Reason{{Figure: "dropped iterations", Value: 3}}}
	thresholds := []Threshold{
		{Metric: "pix_invalid", Expression: "count==0", Values: map[string]float64{"count": 0}, OK: true},
		{Metric: "pix_duration{operation:balance,from:intended,stat:p99}", Expression: "value<500", Values: map[string]float64{"value": 0}, OK: true},
		{Metric: "pix_duration{operation:cash-out,from:intended,stat:p99}", Expression: "value<500", Values: map[string]float64{"value": 0}, OK: true},
		{Metric: "http_req_duration", Expression: "p(95)<500", Values: map[string]float64{"p(95)": 0}, OK: true},
	}
	for i := range thresholds {
		require.NoError(t, r.adopt(&thresholds[i]))
	}
	assert.False(t, thresholds[0].OK)
	assert.EqualValues(t, 1, *thresholds[0].Value)
	assert.Nil(t, thresholds[1].Value, "nothing was measured")
	assert.True(t, thresholds[1].OK)
	assert.True(t, thresholds[1].NoData)
	assert.Equal(t, &zero, thresholds[2].Value, "as k6 has it")
	assert.Equal(t, &zero, thresholds[3].Value)
}

func TestAPercentileOfTooFewValuesSaysSo(t *testing.T) {
	t.Parallel()
	r := instance(0, 1, time.Millisecond) // 100 values
	for _, c := range []struct {
		metric, expression string
		count              float64
		want               string
	}{
		{"pix_duration{operation:cash-out,from:intended,stat:p99}", "value<500", 0, ""},
		{"pix_duration{operation:cash-out,from:intended,stat:p999}", "value<500", 0, "the maximum of 100 values: a p99.9 needs 1000"},
		{"pix_duration{operation:cash-out,from:intended,stat:max}", "value<500", 0, ""},
		{"pix_webhook_delivery{from:acceptance,stat:p999}", "value<500", 0, "the maximum of 100 values: a p99.9 needs 1000"},
		{"http_req_duration", "p(95)<500", 19, "the maximum of 19 values: a p95 needs 20"},
		{"http_req_duration", "p(95)<500", 20, ""},
		{"http_req_duration", "p(99.99)<500", 100, "the maximum of 100 values: a p99.99 needs 10000"},
		{"http_req_duration", "p(50)<500", 1, ""},
		{"http_req_duration", "p(100)<500", 1, ""},
		{"http_req_duration", "avg<500", 1, ""},
	} {
		require.NoError(t, r.Adopt([]Threshold{{Metric: c.metric, Expression: c.expression, Type: "trend", OK: true, Values: map[string]float64{"count": c.count}}}))
		got := ""
		assert.Equal(t, strings.HasPrefix(c.metric, "pix_") && !strings.Contains(c.metric, "max"), r.Thresholds[0].Bounds != nil, c.metric)
		if b := r.Thresholds[0].Bounds; b != nil {
			assert.Equal(t, b.To == nil, b.Needed > 0 && b.Seconds > 0, "without an upper bound, it says what one needs")
		}
		if few := r.Thresholds[0].TooFew; few != nil {
			got = few.String()
		}
		assert.Equal(t, c.want, got, "%s %s", c.metric, c.expression)
	}
}
