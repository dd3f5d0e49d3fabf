package report

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/preset"
	"github.com/pixcert/pixcert/load/internal/result"
)

const intended = "pix_req_intended_duration"

var (
	began = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	lost  = result.Threshold{Metric: "pix_webhooks{outcome:lost}", Expression: "count==0", Value: 37}
	drift = result.Threshold{Metric: "pix_money_drift", Expression: "value==0", Value: 67_642}
	slow  = result.Threshold{Metric: intended + "{operation:cash-out}", Expression: "p(99)<500", Value: 500.0004, Time: true}
)

func passes(t result.Threshold) result.Threshold {
	t.OK, t.Value = true, 0
	return t
}

func trend(count, med, p90, p99, p999, most float64) result.Metric {
	return result.Metric{Type: "trend", Time: true, Values: map[string]float64{"count": count, "avg": med, "min": med, "med": med, "max": most, "p(90)": p90, "p(95)": p90, "p(99)": p99, "p(99.9)": p999}}
}

// run is one that passed, changed by a test.
func run(changes ...func(*result.Result)) result.Result {
	r := result.Result{
		Run: "3f2a9c81d04e", Instances: 1,
		Target: "http://127.0.0.1:8080", Script: "cash-out.js", Profile: "average", Iterations: 37_180,
		Part: result.Part{
			Started: began, Ended: began.Add(132 * time.Second), Outcome: result.Pass,
			Environment: result.Environment{K6: "v2.2.0", Pixcert: "v1.0.0", Go: "go1.26", OS: "linux/amd64", CPUs: 2},
			Generator:   result.Generator{CPU: 0.412, ScheduleLag: 1.5, Hiccup: 1.7, Requests: result.Latencies{Count: 37_180}},
		},
		Metrics: map[string]result.Metric{
			intended: trend(37_230, 2.1, 3.3, 6.4, 9.9, 114), intended + "{operation:cash-out}": trend(37_180, 2.14, 3.34, 6.43, 9.96, 114),
			intended + "{operation:cash-out,scenario:a}": trend(1, 7, 7, 7, 7, 7), intended + "{operation:balance}": trend(50, 1, 2, 3, 4, 5),
			"pix_webhook_duration": trend(37_180, 0.6, 1.5, 3.3, 4.4, 12_009.471), "pix_backlog": {Type: "gauge", Values: map[string]float64{"value": 7}},
			"http_req_failed": {Type: "rate", Values: map[string]float64{"rate": 0.015, "passes": 3, "fails": 197}},
			"data_sent":       {Type: "counter", Data: true, Values: map[string]float64{"count": 1_520_000, "rate": 25_300}},
		},
		Thresholds: []result.Threshold{passes(lost), passes(slow)},
		Ledger: ledger.Book{
			Counts:   ledger.Counts{PaymentsSent: 37_180, PaymentsAccepted: 37_180, PaymentsConfirmed: 37_180, WebhooksReceived: 37_180, WebhooksMatched: 37_180},
			Accounts: []ledger.Money{{Account: 0, Audited: true}, {Account: 1, Audited: true}},
		},
	}
	for _, change := range changes {
		change(&r)
	}
	return r
}

func ended(as result.Outcome, thresholds ...result.Threshold) func(*result.Result) {
	return func(r *result.Result) { r.Outcome, r.Thresholds = as, thresholds }
}

func because(f result.Figure, detail string) func(*result.Result) {
	return func(r *result.Result) { r.Reasons = append(r.Reasons, result.Reason{Figure: f, Detail: detail}) }
}

// faulty has lost webhooks and money, and a gateway that sends control characters.
func faulty(r *result.Result) {
	r.Outcome, r.Thresholds, r.Target = result.Wrong, []result.Threshold{lost, drift, passes(slow)}, "http://pix.example/\x1b[2J"
	c := &r.Ledger.Counts
	c.WebhooksLost, c.WebhooksDuplicate, c.MoneyDrift, c.RepeatsSent, c.DoubleDebits, c.PaymentsNoResponse, c.PaymentsNotCreated = 37, 1204, 67_642, 372, 3, 11, 7
	r.Ledger.Accounts[1] = ledger.Money{Account: 1, Opening: 1_000_000, From: 900_000, To: 900_000, Audited: true, Actual: 832_358, Drift: -67_642}
	r.Failures = []result.Failure{{Operation: "cash-out", Status: 500, Count: 1200}, {Operation: "cash-out", Count: 40}}
	r.Silences = []result.Silence{{From: began.Add(time.Minute), To: began.Add(62 * time.Second), Requests: 12}}
	for _, id := range []string{"a1", "a2", "a3", "a4"} {
		r.Ledger.Examples = append(r.Ledger.Examples, ledger.Example{Sort: "webhooks_lost", Payment: id, Detail: "confirmed\u202e, says the list"})
	}
	r.Ledger.Counts.TokensRejected = 10
	r.Checks = []result.Check{{Name: "checkout::it was taken", Passes: 1234, Fails: 5}, {Name: "paid", Passes: 10}}
}

func words(t *testing.T, r result.Result) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, Terminal(&b, r, false))
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestTheVerdictInWords(t *testing.T) {
	t.Parallel()
	const correct = "every webhook matched, the money is correct to the centavo"
	for name, c := range map[string]struct {
		r    result.Result
		want verdict
	}{
		"passed":                   {run(), verdict{"pass", good, "all 2 thresholds passed, " + correct, nil}},
		"no threshold":             {run(ended(result.Pass)), verdict{"pass", good, "done, no threshold was set, " + correct, nil}},
		"a threshold without data": {run(func(r *result.Result) { r.Thresholds[1].NoData = true }), verdict{"pass", good, "1 of 2 thresholds passed, 1 had no data, " + correct, nil}},
		"a fault without a threshold": {run(ended(result.Pass), func(r *result.Result) { r.Ledger.Counts.WebhooksLost = 3 }),
			verdict{"pass", warn, "done, no threshold was set, 3 webhooks lost, the money is correct to the centavo", nil}},
		"a check that failed": {run(func(r *result.Result) { r.Checks = []result.Check{{Name: "taken", Passes: 9, Fails: 1}} }),
			verdict{"pass", warn, "all 2 thresholds passed, every webhook matched, 1 of 1 check failed, the money is correct to the centavo", nil}},
		"slow": {run(ended(result.Fail, passes(lost), slow)), verdict{"fail", bad, "1 of 2 thresholds failed", []string{"threshold " + slow.Metric + ": p(99)<500, got 500.0004 ms"}}},
		"wrong": {run(ended(result.Wrong, lost), func(r *result.Result) { r.Ledger.Counts.WebhooksLost = 37 }),
			verdict{"wrong", bad, "37 webhooks lost: 1 of 1 threshold failed; the money is correct to the centavo", []string{"threshold pix_webhooks{outcome:lost}: count==0, got 37"}}},
		"wrong, and invalid": {run(ended(result.Wrong, drift), because(result.CPU, "generator: cpu 97%"), func(r *result.Result) { r.Ledger.Counts.MoneyDrift = 67_642 }),
			verdict{"wrong", bad, "R$ 676.42 money drift: 1 of 1 threshold failed; the run is also invalid", []string{"threshold pix_money_drift: value==0, got R$ 676.42", "generator: cpu 97%"}}},
		"the generator": {run(ended(result.Invalid), because(result.Hiccup, "generator: hiccup p99 1200 ms, limit 1000 ms")),
			verdict{"invalid", warn, "the generator was the bottleneck: its figures cannot be attributed to the gateway", []string{"generator: hiccup p99 1200 ms, limit 1000 ms"}}},
		"a dead gateway": {run(ended(result.Invalid), because(result.Unanswered, "15 look-ups")),
			verdict{"invalid", warn, "the gateway did not respond to the final look-ups, so the money could not be checked: is it running?", []string{"15 look-ups"}}},
		"interrupted": {run(ended(result.Interrupted, passes(lost)), func(r *result.Result) { r.Interrupted, r.Complaint = true, "k6's words" }),
			verdict{"interrupted", warn, "the run ended early: k6's words; what was still pending is unknown; so far: the threshold passed, " + correct, nil}},
		"aborted": {run(ended(result.Fail, result.Threshold{Metric: "checks", Expression: "rate>0.9", Aborts: true}), func(r *result.Result) { r.Interrupted = true }),
			verdict{"fail", bad, "1 of 1 threshold failed", []string{"threshold checks: rate>0.9, got 0", "the run ended early: a threshold with abortOnFail failed, checks: rate>0.9"}}},
		"instances missing": {run(ended(result.Incomplete), func(r *result.Result) { r.Instances, r.Missing = 4, []int{1, 3} }),
			verdict{"incomplete", warn, "the results of 2 of 4 instances are missing, so there is no verdict on the run", []string{"missing: instance 1 3"}}},
	} {
		assert.Equal(t, c.want, verdictOf(c.r), name)
	}
}

func TestLatenciesInATable(t *testing.T) {
	t.Parallel()
	text := words(t, run())
	for _, row := range []string{"operation count med p90 p99 p99.9 max", "balance 50 1 ms 2 ms – – 5 ms", "cash-out 37,180 2.14 ms 3.34 ms 6.43 ms 9.96 ms 114 ms",
		"all 37,230 2.1 ms", "the response 37,180 600 µs 1.5 ms 3.3 ms 4.4 ms 12 s"} {
		assert.Contains(t, text, row)
	}
	assert.NotContains(t, text, "scenario:a")
	for _, other := range []string{"http_req_failed: rate 1.5%, passes 3, fails 197", "data_sent: count 1.52 MB, rate 25.3 kB/s"} {
		assert.Contains(t, text, other)
	}
	assert.NotContains(t, text, "pix_backlog", "the sections have pixcert's own metrics")
}

func TestFindingsWithTheirIds(t *testing.T) {
	t.Parallel()
	text := words(t, run(faulty))
	for _, part := range []string{
		"37 webhooks lost: the payment has an outcome, but no webhook arrived a1: confirmed", "a3: confirmed", "1,204 webhooks duplicate",
		"R$ 676.42 money drift", "wrong balance: 1 of 2 accounts", "account 1: opening R$ 10,000.00, expected R$ 9,000.00, got R$ 8,323.58, drift -R$ 676.42",
		"372 deliberate repeats, 3 accepted as another payment", "11 payments without a response: 4 accepted after all, 7 never accepted (not created), 0 unknown",
		"cash-out failed 1,200 times: 500", "cash-out failed 40 times: no response", "the gateway sent no response for 2 s, 1m0s after the start (12 requests waited)",
		"10 valid access tokens rejected with 401", "checkout::it was taken: failed 5 of 1,239", "paid: passed 10",
	} {
		assert.Contains(t, text, part)
	}
	assert.NotContains(t, text, "a4:", "the result has the others")
	sound := words(t, run())
	assert.Contains(t, sound, "all 37,180 matched; none lost")
	assert.Contains(t, sound, "2 accounts match the ledger to the centavo")
	assert.NotContains(t, sound, "webhooks duplicate")
}

// Webhooks of an unknown transaction and the money that is missing are one fault.
func TestFindingsWithACommonCauseAreReportedOnce(t *testing.T) {
	t.Parallel()
	r := run(ended(result.Wrong, drift), func(r *result.Result) {
		r.Ledger.Counts.WebhooksOrphan, r.Ledger.Counts.MoneyDrift, r.Ledger.Counts.WebhooksLost = 2, 2100, 1
		r.Ledger.Causes = []ledger.Cause{{Text: "account 0: payments were carried out twice", Findings: []string{"webhooks_orphan", "money_drift"}, Events: 2, Amount: -2100}}
		r.Thresholds[0].Metric = "pix_webhooks{outcome:lost}"
	})
	assert.True(t, strings.HasPrefix(verdictOf(r).Why, "account 0: payments were carried out twice; 1 webhook lost: 1 of 1"), verdictOf(r).Why)
	r.Ledger.Counts.WebhooksOrphan = 3
	assert.Contains(t, verdictOf(r).Why, "3 webhooks orphan", "the cause does not explain all")
}

var escape = regexp.MustCompile(`\x1b\[[0-9]*m`)

func TestTheSummaryFitsEightyColumnsAndEscapesControlCharacters(t *testing.T) {
	t.Parallel()
	large := func(r *result.Result) {
		r.Metrics[intended+"{operation:transactions-by-key}"] = trend(31_000_000, 599_999, 599_999, 599_999, 599_999, 599_999)
	}
	for _, r := range []result.Result{run(), run(faulty), run(large), run(ended(result.Invalid), because(result.CPU, strings.Repeat("a word ", 40))), {Part: result.Part{Outcome: result.Invalid}}} {
		var text, color strings.Builder
		require.NoError(t, Terminal(&text, r, false))
		require.NoError(t, Terminal(&color, r, true))
		assert.NotRegexp(t, "[\x1b\u202e]|NaN|Inf", text.String())
		for line := range strings.Lines(text.String()) {
			line = strings.TrimSuffix(line, "\n")
			assert.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
			assert.Equal(t, strings.TrimRight(line, " "), line)
		}
		assert.NotEqual(t, text.String(), color.String())
		assert.Equal(t, text.String(), escape.ReplaceAllString(color.String(), ""), "color changes nothing else")
	}
	assert.Contains(t, words(t, run(faulty)), `http://pix.example/\x1b[2J`)
}

func TestThresholdsWithTheirUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   result.Threshold
		want string
	}{
		{drift, "R$ 676.42"},
		{result.Threshold{Metric: "pix_webhook_duration", Value: 12_009.471, Time: true}, "12 s (12009.5 ms)"},
		{slow, "500.0004 ms"},
		{result.Threshold{Metric: "pix_req_failed", Value: 0.0125}, "0.0125"},
		{result.Threshold{Metric: "checks", Value: 0.99999997}, "0.99999997"},
		{result.Threshold{Metric: "pix_webhook_duration", Time: true, NoData: true}, "no data"},
	} {
		assert.Equal(t, c.want, value(c.of))
	}
	text := words(t, run(ended(result.Fail, lost, passes(drift), slow, result.Threshold{Metric: "http_req_duration", Expression: "p(95)<1", OK: true, NoData: true})))
	for _, part := range []string{"failed: pix_webhooks{outcome:lost}: count==0 (37)", "passed: none of pix_money_drift", "no data: http_req_duration: p(95)<1"} {
		assert.Contains(t, text, part)
	}
}

func TestPresetsHaveSources(t *testing.T) {
	t.Parallel()
	var all, one strings.Builder
	require.NoError(t, Presets(&all, false))
	_, sources, err := preset.Thresholds(preset.Names()...)
	require.NoError(t, err)
	text := strings.Join(strings.Fields(all.String()), " ")
	for _, p := range sources {
		assert.Contains(t, text, p.Name+" "+p.Purpose+"; "+p.Source)
	}
	require.NoError(t, Presets(&one, false, "valid"))
	assert.NotContains(t, one.String(), "pix_webhooks")
	assert.ErrorContains(t, Presets(&one, false, "nonsense"), "nonsense")
}

func TestResultsAsBenchmarks(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	require.NoError(t, Benchmarks(&b, run()))
	assert.Equal(t, `script: cash-out.js
profile: average
k6: v2.2.0

BenchmarkBalance 50 1000000 p50-ns 2000000 p90-ns 5000000 max-ns 0.3787878787878788 requests/s
BenchmarkCashOut 37180 2140000 p50-ns 3340000 p90-ns 6430000 p99-ns 9960000 p999-ns 114000000 max-ns 281.6666666666667 requests/s
BenchmarkWebhook 37180 600000 p50-ns 1500000 p90-ns 3300000 p99-ns 4400000 p999-ns 12009471000 max-ns
BenchmarkRun 37180 0.412 cpu-ratio 0 failed-ratio 0 lost-webhooks 0 drift-centavos

`, b.String())
}
