package report

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/preset"
	"github.com/pixcert/pixcert/load/internal/result"
)

var samples = map[string]func() result.Result{
	"good": goodRun, "bad": badRun, "empty": emptyRun, "one": oneRun, "dead": deadRun,
}

// each runs a test on every sample.
func each(t *testing.T, test func(*testing.T, result.Result)) {
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, samples[name]())
		})
	}
}

func terminalText(t *testing.T, r result.Result) string {
	var b bytes.Buffer
	require.NoError(t, Terminal(&b, r, result.Summary{}, false))
	return b.String()
}

var escape = regexp.MustCompile(`\x1b\[[0-9]*m`)

func TestTerminalFitsEightyColumns(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r result.Result) {
		text := terminalText(t, r)
		assert.NotContains(t, text, "\x1b", "no colour was asked for")
		assert.NotContains(t, text, "NaN")
		for _, l := range strings.Split(text, "\n") {
			assert.LessOrEqual(t, utf8.RuneCountInString(l), 80, l)
			assert.Equal(t, strings.TrimRight(l, " "), l, "no blanks at the end")
		}
		var colour bytes.Buffer
		require.NoError(t, Terminal(&colour, r, result.Summary{}, true))
		assert.NotEqual(t, text, colour.String())
		assert.Equal(t, text, escape.ReplaceAllString(colour.String(), ""), "colour changes nothing else")
	})
}

func TestTerminalWithLargeFigures(t *testing.T) {
	t.Parallel()
	r := goodRun()
	op := r.Operations["cash-out"]
	op.Count, op.Failed = 31_000_000, 1_000_000
	r.Operations["transactions-by-key"] = op
	for _, l := range strings.Split(terminalText(t, r), "\n") {
		assert.LessOrEqual(t, utf8.RuneCountInString(l), 80, l)
	}
}

func TestTerminalTellsWhatMatters(t *testing.T) {
	t.Parallel()
	good := terminalText(t, goodRun())
	assert.True(t, strings.HasPrefix(good, "PASS  all 2 thresholds passed, every webhook matched, the money is correct to\n      the centavo\n"), good)
	for _, part := range []string{"2m12s, including 10s warm-up", "all 37,180 matched; none lost", "4 accounts match the ledger to the centavo",
		"372 deliberate repeats, 0 accepted as another payment", "on schedule, using 41.2% of its CPU", "instruction 5/2020"} {
		assert.Contains(t, good, part)
	}
	assert.NotContains(t, good, "webhooks duplicate", "a trouble is named only where there is one")

	bad := terminalText(t, badRun())
	for _, part := range []string{"WRONG  R$ 42.13 money drift, 3 repeats accepted as another payment, 37 webhooks\n", "2 of 3 thresholds failed", "pix_webhooks_lost: count==0, got 37", "checks: rate>0.99, got no data",
		"cash-out failed 240: 500 ×200, no response ×40", "1 threshold passed", "p99 100, p99.9 1,000", "2 of 2 instances",
		"1,204  webhooks late", "R$ 42.13  money drift", "wrong balance: 1 of 4 accounts", "-R$ 42.13", "3  repeats accepted as another payment", "instance 1: pixcert", `\x1b[2J`} {
		assert.Contains(t, bad, part)
	}
	assert.Contains(t, terminalText(t, deadRun()), "generator: dropped iterations 512, limit 0")
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	lost := goodRun()
	lost.Thresholds = nil
	lost.Ledger.Counts.WebhooksLost = 3
	interrupted := goodRun()
	interrupted.Interrupted = true
	checked := goodRun()
	checked.Checks = []result.Check{{Name: "taken", Passes: 9, Fails: 1}, {Name: "paid", Passes: 10}}
	empty := goodRun()
	empty.Thresholds[0].NoData = true
	missing := goodRun()
	missing.Instances, missing.Missing = 4, []int{1, 3}
	slow := goodRun()
	slow.Thresholds[1].OK, slow.Interrupted = false, true
	aborted := slow
	aborted.Thresholds, aborted.Complaint = slices.Clone(slow.Thresholds), "k6's words"
	aborted.Thresholds[1].Aborts = true
	doubled := goodRun()
	doubled.Ledger.Counts.WebhooksLost, doubled.Ledger.Counts.WebhooksDuplicate = 1, 4
	doubled.Thresholds[0].OK, doubled.Thresholds[0].Value = false, ptr(1)
	doubled.Thresholds = append(doubled.Thresholds, result.Threshold{Metric: "pix_webhooks_duplicate", Expression: "count==0", Value: ptr(4)})
	both := goodRun()
	both.Thresholds = []result.Threshold{{Metric: "pix_money_drift", Expression: "count==0", Value: ptr(67_642)}, {Metric: "pix_failed", Expression: "value<1", OK: true}}
	both.Ledger.Counts.MoneyDrift = 67_642
	both.Validity = result.Validity{Reasons: []result.Reason{{Figure: result.CPU, Value: 97, Limit: 90, Unit: "%"}}}
	for _, c := range []struct {
		name string
		r    result.Result
		want verdict
	}{
		{"nothing asked", oneRun(), verdict{Word: "pass", Mark: good, Why: "no threshold was set"}},
		{"nothing measured", emptyRun(), verdict{Word: "invalid", Mark: warn, Why: "nothing was measured: no request scheduled after the warm-up completed"}},
		{"interrupted", interrupted, verdict{Word: "interrupted", Mark: warn, Why: "the run ended early; what was still pending is unknown; " +
			"so far: all 2 thresholds passed, every webhook matched, the money is correct to the centavo"}},
		{"a check that failed", checked, verdict{Word: "pass", Mark: warn, Why: "all 2 thresholds passed, every webhook matched, 1 of 2 checks failed, the money is correct to the centavo"}},
		{"a limit on nothing", empty, verdict{Word: "pass", Mark: good, Why: "1 of 2 thresholds passed, 1 had no data, every webhook matched, the money is correct to the centavo"}},
		{"a fault nobody asked about", lost, verdict{Word: "pass", Mark: warn, Why: "no threshold was set, 3 webhooks lost, the money is correct to the centavo"}},
		{"instances missing", missing, verdict{Word: "incomplete", Mark: warn, Why: "the results of 2 of 4 instances are missing, so there is no verdict on the run", Reasons: []string{"missing: instance 1, 3"}}},
		{"wrong, and invalid", both, verdict{Word: "wrong", Mark: bad, Why: "R$ 676.42 money drift: 1 of 2 thresholds failed; " +
			"the run is also invalid: the generator was the bottleneck: its figures cannot be attributed to the gateway",
			Reasons: []string{"threshold pix_money_drift: count==0, got R$ 676.42", "generator: cpu 97%, limit 90%"}}},
		{"wrong in one thing", doubled, verdict{Word: "wrong", Mark: bad, Why: "1 webhook lost, 4 webhooks duplicate: 2 of 3 thresholds failed; the money is correct to the centavo",
			Reasons: []string{"threshold pix_webhooks_lost: count==0, got 1", "threshold pix_webhooks_duplicate: count==0, got 4"}}},
		{"aborted", aborted, verdict{Word: "fail", Mark: bad, Why: "1 of 2 thresholds failed; k6's words", Reasons: []string{
			"the run ended early: k6's words; a threshold with abortOnFail failed, pix_duration{operation:cash-out,from:intended,stat:p99}: value<500, got 41.3 ms"}}},
		{"slow", slow, verdict{Word: "fail", Mark: bad, Why: "1 of 2 thresholds failed", Reasons: []string{"threshold pix_duration{operation:cash-out,from:intended,stat:p99}: value<500, got 41.3 ms", "the run ended early"}}},
	} {
		assert.Equal(t, c.want, verdictOf(c.r), c.name)
	}
}

// A gateway that is gone at the end is not the generator's doing.
func TestADeadGatewayIsNotBlamedOnTheGenerator(t *testing.T) {
	t.Parallel()
	r := goodRun()
	r.Validity = result.Validity{Reasons: []result.Reason{{Figure: result.Unanswered, Value: 15, Unit: "look-ups", Detail: "the gateway did not respond to 15 final look-ups: is it running?"}}}
	gone := terminalText(t, r)
	assert.Contains(t, gone, "INVALID  the gateway did not respond to the final look-ups, so the money could\n         not be checked: is it running?")
	assert.Contains(t, gone, "on schedule")
	assert.NotContains(t, gone, "did not keep")
	assert.NotContains(t, gone, "generator: ")

	r.Thresholds[1].OK = false
	assert.Contains(t, verdictOf(r).Why, "1 of 2 thresholds failed; the gateway did not respond to the final look-ups")
	r.Validity.Reasons = append(r.Validity.Reasons, result.Reason{Figure: result.CPU, Value: 97, Limit: 90, Unit: "%"})
	assert.Contains(t, terminalText(t, r), "exceeded its limits")
}

func TestTerminalOfAPassedRunIsShort(t *testing.T) {
	t.Parallel()
	r := goodRun()
	_, sources, err := preset.Thresholds("correct", "answered", "valid", "interactive", "bcb-experience")
	require.NoError(t, err)
	r.Presets = sources
	for range 20 {
		r.Thresholds = append(r.Thresholds, r.Thresholds[0])
	}
	for _, name := range []string{"balance", "qr-cash-out", "refund"} {
		delete(r.Operations, name)
	}
	text := terminalText(t, r)
	assert.LessOrEqual(t, strings.Count(text, "\n"), 49, text)
	assert.Contains(t, text, "all 22 thresholds passed")
}

// What k6's own summary shows is not lost.
func TestTerminalShowsTheMetricsOfK6AndOfTheScript(t *testing.T) {
	t.Parallel()
	const data = `{"root_group": {}, "metrics": {
		"http_req_duration": {"type": "trend", "contains": "time", "values": {"avg": 1.5, "min": 0.25, "med": 1, "max": 2014.2, "p(90)": 2, "p(95)": 3}},
		"http_reqs": {"type": "counter", "contains": "default", "values": {"count": 1204, "rate": 20.06}},
		"http_req_failed": {"type": "rate", "contains": "default", "values": {"rate": 0.015, "passes": 3, "fails": 197}},
		"data_sent": {"type": "counter", "contains": "data", "values": {"count": 1520000, "rate": 25300}},
		"vus": {"type": "gauge", "contains": "default", "values": {"value": 1, "min": 0, "max": 10}},
		"basket": {"type": "trend", "contains": "default", "values": {"avg": 3, "p(99.9)": 7}},
		"pix_backlog": {"type": "gauge", "contains": "default", "values": {"value": 7}}}}`
	of, err := result.ReadSummary([]byte(data))
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, Terminal(&b, oneRun(), of, false))
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, line := range []string{
		"http_req_duration: avg 1.5 ms, min 250 µs, med 1 ms, max 2.01 s, p(90) 2 ms, p(95) 3 ms", "http_reqs: count 1,204, rate 20.1/s",
		"http_req_failed: rate 1.5%, passes 3, fails 197", "data_sent: count 1.52 MB, rate 25.3 kB/s", "vus: value 1, min 0, max 10", "basket: avg 3, p(99.9) 7",
	} {
		assert.Contains(t, text, line)
	}
	assert.NotContains(t, text, "pix_backlog", "the sections above have pixcert's own")
}

func TestTerminalTellsWhatBecameOfPayments(t *testing.T) {
	t.Parallel()
	r := goodRun()
	c := &r.Ledger.Counts
	c.PaymentsSent, c.PaymentsAccepted, c.PaymentsRefused, c.PaymentsUnheard, c.PaymentsAbsent, c.PaymentsUnknown = 451, 440, 0, 11, 7, 1
	r.Thresholds[1].NoData = true
	r.Checks = []result.Check{{Name: "checkout::it was taken", Passes: 1234, Fails: 5}}
	r.Delivery.Acceptance = r.Delivery.Acceptance.Clone()
	r.Delivery.Acceptance.RecordN(0, 3)
	text := strings.Join(strings.Fields(terminalText(t, r)), " ")
	for _, part := range []string{
		"9,750 requests measured after the warm-up (a payment and its repeat count as one)", "451 payments, including the warm-up, and 372 deliberate repeats: 440 accepted, 0 refused (4xx), 11 unheard",
		"11 payments unheard: 3 accepted after all, 7 never accepted (absent), 1 unknown",
		"no data: pix_duration{operation:cash-out,from:intended,stat:p99}: value<500",
		"checkout::it was taken: failed 5 of 1,239",
		"3 webhooks arrived before the response to the payment",
	} {
		assert.Contains(t, text, part)
	}
}

// In an outage there are failures, and no latency at all.
func TestARunWithoutAnAnswerIsShown(t *testing.T) {
	t.Parallel()
	r := deadRun()
	r.Operations = map[string]measure.Operation{"cash-out": {Count: 5000, Failed: 5000, Statuses: map[int]int64{0: 4000, 500: 1000}}}
	r.Timeline.Intervals[1].Operations = map[string]measure.Activity{"cash-out": {Count: 5000, Failed: 5000}}
	assert.Contains(t, terminalText(t, r), "cash-out failed 5,000: 500 ×1,000, no response ×4,000")
	assert.NotRegexp(t, `NaN|[+-]Inf`, terminalText(t, r))
}

func TestAFigureThatMissesItsLimitIsNotRoundedToIt(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{0.9997: "0.9997", 0.99999997: "0.99999997", 1: "1", 41.3287654: "41.329", 1234.5: "1234.5", 37: "37", 1204: "1,204", 0.00001: "0.00001"} {
		assert.Equal(t, want, precise(v))
	}
}

func TestAThresholdTellsTheUnit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		metric, expression string
		value              float64
		want               string
	}{
		{"pix_money_drift", "count==0", 67_642, "R$ 676.42"},
		{"pix_webhook_delivery{from:acceptance,stat:p99}", "value<10000", 12009.471, "12 s (12009.471 ms)"},
		{"pix_duration{operation:cash-out,from:intended,stat:p99}", "value<500", 500.0004, "500.0004 ms"},
		{"http_req_duration", "p(95)<500", 733.25, "733.25 ms"},
		{"pix_failed", "value<0.01", 0.0125, "0.0125"},
		{"my_own", "max<500", 733, "733"},
	} {
		assert.Equal(t, c.want, thresholdValue(result.Threshold{Metric: c.metric, Expression: c.expression, Value: &c.value}), c.metric)
	}
}

// A latency is of what succeeded: so is the number beside it.
func TestTheCountIsWhatThePercentilesAreOf(t *testing.T) {
	t.Parallel()
	r := goodRun()
	op := r.Operations["qr-cash-out"]
	op.Count, op.Failed, op.Statuses = op.Count+237, 237, map[int]int64{201: op.Count, 0: 237}
	r.Operations["qr-cash-out"] = op
	for _, row := range operationTable(r).Rows {
		if row.Cells[0] == "qr-cash-out" {
			assert.Equal(t, []string{"780", "237"}, row.Cells[1:3])
		}
	}
	assert.Contains(t, terminalText(t, r), "qr-cash-out failed 237: no response ×237")
}

func TestARunIsShownByItsName(t *testing.T) {
	t.Parallel()
	r := goodRun()
	r.Name = "nightly1"
	const shown = "nightly1 (3f2a9c81d04e)"
	assert.Contains(t, terminalText(t, r), "run      "+shown)
}

func TestTheAverageIsThatOfTheLoad(t *testing.T) {
	t.Parallel()
	r := oneRun()
	r.Operations = map[string]measure.Operation{"cash-out": {Count: 75, First: began.Add(700 * time.Millisecond), Last: began.Add(15500 * time.Millisecond)}}
	assert.InDelta(t, 5, paceOf(r).Mean, 1e-9)
	assert.Contains(t, terminalText(t, r), "sent 5/s on average")
}

func TestAPercentileOfTooFewValuesIsShownWithItsThreshold(t *testing.T) {
	t.Parallel()
	value := 41.3
	few := &result.TooFew{Percentile: 99, Values: 20, Needed: 100}
	metric := "pix_duration{operation:cash-out,from:intended,stat:p99}"
	r := goodRun()
	r.Thresholds = []result.Threshold{
		{Metric: metric, Expression: "value<500", Value: &value, OK: true, TooFew: few},
		{Metric: metric, Expression: "value<20", Value: &value, TooFew: few},
	}
	var text bytes.Buffer
	require.NoError(t, Terminal(&text, r, result.Summary{}, false))
	words := strings.Join(strings.Fields(text.String()), " ")
	assert.Contains(t, words, "too few: "+metric+": value<500 (41.3 ms, the maximum of 20 values: a p99 needs 100)")
	assert.Contains(t, words, "failed: "+metric+": value<20 (41.3 ms, the maximum of 20 values: a p99 needs 100)")
}

// Webhooks of an unknown transaction and the money that is missing are one fault.
func TestFindingsWithACommonCauseAreReportedOnce(t *testing.T) {
	t.Parallel()
	r := goodRun()
	r.Ledger.Counts.WebhooksOrphan, r.Ledger.Counts.MoneyDrift, r.Ledger.Counts.WebhooksLost = 2, 2100, 1
	r.Ledger.Causes = []ledger.Cause{{Text: "account 0: payments were carried out twice", Findings: []string{"webhooks_orphan", "money_drift"}, Events: 2, Amount: -2100}}
	r.Thresholds = []result.Threshold{{Metric: "pix_webhooks_orphan", Expression: "count==0"}, {Metric: "pix_money_drift", Expression: "count==0"}}
	v := verdictOf(r)
	assert.Equal(t, "wrong", v.Word)
	assert.True(t, strings.HasPrefix(v.Why, "account 0: payments were carried out twice; 1 webhook lost: 2 of 2"), v.Why)
	r.Ledger.Counts.WebhooksOrphan = 3
	assert.Contains(t, verdictOf(r).Why, "3 webhooks orphan", "the cause does not explain all")
}

func TestPresetsTellTheirSources(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, Presets(&b, false))
	text := strings.Join(strings.Fields(b.String()), " ")
	_, sources, err := preset.Thresholds(preset.Names()...)
	require.NoError(t, err)
	for _, p := range sources {
		assert.Contains(t, text, p.Name)
		assert.Contains(t, text, strings.Join(strings.Fields(p.Source), " "))
	}
	assert.Contains(t, text, "pix_webhooks_lost: count==0")
	b.Reset()
	require.NoError(t, Presets(&b, false, "valid"))
	assert.NotContains(t, b.String(), "pix_webhooks_lost")
	assert.ErrorContains(t, Presets(&b, false, "nonsense"), "nonsense")
}

func TestRejectedTokensAreAFinding(t *testing.T) {
	t.Parallel()
	r := goodRun()
	assert.NotContains(t, terminalText(t, r), "rejected")
	op := r.Operations["cash-out"]
	op.Rejected = 10
	r.Operations["cash-out"] = op
	r.Ledger.Examples = append(r.Ledger.Examples, ledger.Example{Sort: "tokens_rejected", Payment: "paid-1", Detail: "cash-out with a token of clientId c-1"})
	const says = "10 valid access tokens rejected: cash-out got 401 ×10, accepted after a new token; the first: paid-1: cash-out with a token of clientId c-1"
	text := terminalText(t, r)
	assert.Contains(t, strings.Join(strings.Fields(text), " "), says)
	assert.Contains(t, strings.Join(strings.Fields(strings.SplitN(text, "\n\n", 2)[0]), " "), "10 valid access tokens rejected", "the verdict names it, even without a threshold")

	op.Rejected, op.Statuses = 1, map[int]int64{200: 5, 401: 1}
	r.Operations["cash-out"] = op
	assert.Contains(t, strings.Join(strings.Fields(terminalText(t, r)), " "), "1 valid access token rejected: cash-out got 401 ×1, not all accepted after a new token")
}

func TestAWaitForATokenIsReported(t *testing.T) {
	t.Parallel()
	r := goodRun()
	assert.NotContains(t, terminalText(t, r), "for an access token")
	op := r.Operations["cash-out"]
	op.TokenWait = new(measure.Histogram)
	op.TokenWait.Record(1500 * time.Millisecond)
	op.TokenWait.Record(3 * time.Second)
	r.Operations["cash-out"] = op
	const says = "2 requests waited at least a second for an access token, at most 3 s"
	assert.Contains(t, strings.Join(strings.Fields(terminalText(t, r)), " "), says)
}

// A repeat that got another transaction id need not have been debited.
func TestARepeatIsCalledDebitedByNothingButTheMoney(t *testing.T) {
	t.Parallel()
	r := goodRun()
	r.Ledger.Counts.DoubleDebits = 23
	text := strings.Join(strings.Fields(terminalText(t, r)), " ")
	assert.Contains(t, text, "23 repeats accepted as another payment")
	assert.Contains(t, text, "372 deliberate repeats, 23 accepted as another payment")
	assert.Contains(t, text, "no balance shows a second debit")
	assert.NotContains(t, text, "debited")
	r.Ledger.Counts.MoneyDrift = 100
	assert.NotContains(t, terminalText(t, r), "second debit")
	r.Ledger.Counts.DoubleDebits = 1
	assert.Contains(t, strings.Join(strings.Fields(terminalText(t, r)), " "), "1 repeat accepted as another payment,")
}

func TestCountsInSentencesHaveSeparators(t *testing.T) {
	t.Parallel()
	r := goodRun()
	r.Iterations, r.Dropped = 1_197_900, 1_100
	assert.Contains(t, strings.Join(strings.Fields(terminalText(t, r)), " "), "1,100 of 1,199,000 iterations were dropped")
}
