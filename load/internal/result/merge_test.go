package result

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pair is two instances' results. Each accepted a cash-out of R$ 1; the webhook of instance 1's never came.
func pair() (Result, Result) {
	books := make([]*ledger.Ledger, 2)
	ids := make([]data.ID, 2)
	for i := range books {
		books[i] = ledger.New(ledger.Config{Run: 0x7f, Instance: uint16(i)})
		ids[i] = data.ID{Run: 0x7f, Instance: uint16(i), Sequence: 1}
		books[i].Open(i, 1000)
		books[i].Register(ledger.Payment{ID: ids[i], Account: i, Amount: 100, Intended: noon, Sent: noon})
		books[i].Answered(ids[i], ledger.Answer{Fate: ledger.Accepted, TransactionID: "9", At: noon.Add(10 * time.Millisecond)})
	}
	books[0].Receive(ledger.Delivery{Account: 0, Type: "cash_out", At: noon.Add(30 * time.Millisecond), Body: fmt.Appendf(nil,
		`{"event":"CashOut","status":"CONFIRMED","transactionType":"PIX","movementType":"DEBIT","transactionId":"9","externalId":%q,
		"endToEndId":"E0000000020261121120000000000001","originalAmount":1.00,"feeAmount":0,"finalAmount":1.00,
		"processingDate":"2026-11-21T12:00:00.000Z","errorCode":null,"errorMessage":null,"metadata":{}}`, ids[0].ExternalID())})
	books[1].LookedUp(ids[1], ledger.Found{Count: 1, Status: "CONFIRMED", Amount: 100})
	books[0].Audit(0, 900)
	books[1].Audit(1, 850) // fifty centavos are gone

	a, b := instance(0, 2, 100*time.Millisecond), instance(1, 2, 300*time.Millisecond)
	a.Ledger, b.Ledger = books[0].Book(), books[1].Book()
	return a, b
}

func TestInstancesMakeOneRun(t *testing.T) {
	t.Parallel()
	a, b := pair()
	b.Started, b.Ended, b.Dropped = noon.Add(-time.Second), noon.Add(20*time.Second), 7
	thrown := int64(2)
	b.Thrown = &thrown
	b.CPU, b.Validity = 0.95, Validity{Reasons: []Reason{{Figure: "cpu", Value: 95, Limit: 90, Unit: "%"}}}

	m, err := Merge([]Result{b, a})
	require.NoError(t, err)
	assert.Equal(t, "7f", m.Run)
	assert.Equal(t, 2, m.Instances)
	assert.Empty(t, m.Missing)
	assert.Equal(t, b.Started, m.Started)
	assert.Equal(t, b.Ended, m.Ended)
	assert.Equal(t, "cash-out.js", m.Script)
	assert.Equal(t, []string{"a", "b"}, []string{m.Parts[0].Segment, m.Parts[1].Segment})
	assert.InDelta(t, 0.95, m.CPU, 0)
	assert.EqualValues(t, 200, m.Iterations)
	assert.EqualValues(t, 7, m.Dropped)
	require.NotNil(t, m.Thrown)
	assert.EqualValues(t, 2, *m.Thrown)
	assert.EqualValues(t, 200, m.Operations["cash-out"].Count)
	assert.EqualValues(t, 200, m.Operations["cash-out"].Send.Count())
	assert.Equal(t, []Reason{{Figure: "cpu", Value: 95, Limit: 90, Unit: "%", Instance: 1}}, m.Validity.Reasons)
	assert.Equal(t, Invalid, m.Outcome())

	counts := m.Ledger.Counts
	assert.EqualValues(t, 2, counts.PaymentsConfirmed)
	assert.EqualValues(t, 1, counts.WebhooksMatched)
	assert.EqualValues(t, 1, counts.WebhooksLost)
	assert.Equal(t, []Money{
		{Account: 0, Opening: 1000, Expected: Range{900, 900}, Actual: 900},
		{Account: 1, Opening: 1000, Expected: Range{900, 900}, Actual: 850, Drift: -50},
	}, m.Accounts)

	other, err := Merge([]Result{a, b})
	require.NoError(t, err)
	assert.Equal(t, text(t, m), text(t, other), "in any order")
}

func TestAMissingInstanceMakesItIncomplete(t *testing.T) {
	t.Parallel()
	m, err := Merge([]Result{instance(3, 4, 0), instance(1, 4, 0)})
	require.NoError(t, err)
	assert.Equal(t, []int{0, 2}, m.Missing)
	assert.Equal(t, Incomplete, m.Outcome())
}

func TestOneInstanceAloneStaysWhatItIs(t *testing.T) {
	t.Parallel()
	r := instance(0, 1, time.Millisecond)
	m, err := Merge([]Result{r})
	require.NoError(t, err)
	assert.Equal(t, text(t, r.Measurements), text(t, m.Measurements))
	assert.Equal(t, Pass, m.Outcome())
}

func TestChecksAreAddedUpAndAnInterruptionIsKept(t *testing.T) {
	t.Parallel()
	a, b := instance(0, 2, 0), instance(1, 2, 0)
	a.Checks = []Check{{"taken", 10, 1}}
	b.Checks, b.Interrupted = []Check{{"paid", 4, 0}, {"taken", 5, 2}}, true
	m, err := Merge([]Result{a, b})
	require.NoError(t, err)
	assert.Equal(t, []Check{{"paid", 4, 0}, {"taken", 15, 3}}, m.Checks)
	assert.Equal(t, Interrupted, m.Outcome())
}

func TestWhatDoesNotBelongTogetherIsRefused(t *testing.T) {
	t.Parallel()
	other := instance(1, 2, 0)
	other.Run = "80"
	same := instance(1, 2, 0)
	same.Segment = "a"
	merged, err := Merge([]Result{instance(0, 2, 0), instance(1, 2, 0)})
	require.NoError(t, err)
	for says, results := range map[string][]Result{
		"got none":                    {},
		"got runs 7f and 80":          {instance(0, 2, 0), other},
		"got instance 1 twice":        {instance(1, 3, 0), instance(0, 3, 0), instance(1, 3, 0)},
		"got 2 from instance 0 and 3": {instance(0, 2, 0), instance(1, 3, 0)},
		"expected an instance number from 0 to 1, got 2": {instance(2, 2, 0)},
		"got a for instances 0 and 1":                    {instance(0, 2, 0), same},
		"got a merged result":                            {merged},
	} {
		_, err := Merge(results)
		require.ErrorContains(t, err, says)
	}
}

func TestAThresholdPassesIfItPassesInEveryInstance(t *testing.T) {
	t.Parallel()
	a, b := pair()
	of := func(metric, expression string, v float64, ok bool) Threshold {
		return Threshold{Metric: metric, Expression: expression, Value: &v, OK: ok, Basis: ByK6}
	}
	a.Thresholds = []Threshold{
		of("http_req_duration", "p(95)<300", 190, true), of("mine", "value<5", 4, true), of("pix_webhooks_lost", "count==0", 0, true),
		{Metric: "dropped_iterations", Expression: "count==0", OK: true, Basis: ByK6},
	}
	b.Thresholds = []Threshold{of("http_req_duration", "p(95)<300", 390, false), of("mine", "value<5", 3, true), of("pix_webhooks_lost", "count==0", 1, false)}
	m, err := Merge([]Result{a, b})
	require.NoError(t, err)
	got := map[string]float64{}
	for _, of := range m.Thresholds {
		assert.Equal(t, EveryPart, of.Basis)
		if of.Value != nil {
			got[of.Metric] = *of.Value
		}
		assert.Equal(t, of.Metric == "mine" || of.Metric == "dropped_iterations", of.OK, of.Metric)
	}
	assert.Equal(t, map[string]float64{"http_req_duration": 390, "mine": 4, "pix_webhooks_lost": 1}, got, "the worst value")
	assert.Equal(t, Wrong, m.Outcome())
}

func text(t *testing.T, v any) string {
	t.Helper()
	encoded, err := json.Marshal(v)
	require.NoError(t, err)
	return string(encoded)
}

func TestRejectedTokensAreAddedUp(t *testing.T) {
	t.Parallel()
	a, b := instance(0, 2, time.Millisecond), instance(1, 2, time.Millisecond)
	for i, r := range []*Result{&a, &b} {
		op := r.Operations["cash-out"]
		op.Rejected = int64(i) * 3
		r.Operations = map[string]measure.Operation{"cash-out": op}
		r.Thresholds = []Threshold{{Metric: "pix_tokens_rejected", Type: "counter", Expression: "count==0", OK: i == 0}}
	}
	m, err := Merge([]Result{a, b})
	require.NoError(t, err)
	assert.EqualValues(t, 3, m.Operations["cash-out"].Rejected)
	assert.False(t, m.Thresholds[0].OK)
	assert.Equal(t, Fail, m.Outcome())
}
