package result

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/ledger"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func part(index, of int, thresholds ...Threshold) Result {
	r := measured(thresholds...)
	r.Run, r.Instance, r.Instances, r.Started, r.Ended = "7f", index, of, noon.Add(time.Duration(index)*time.Second), noon.Add(time.Minute)
	r.Ledger.Counts.PaymentsConfirmed = int64(index + 1)
	r.Ledger.Accounts = []ledger.Money{{Account: index, Audited: true}}
	r.Iterations = 100
	r.Judge()
	return r
}

func TestInstancesMakeOneRun(t *testing.T) {
	t.Parallel()
	slow := Threshold{Metric: "http_req_duration", Expression: "p(95)<300", Value: 190, OK: true}
	lost := Threshold{Metric: "pix_webhooks{outcome:lost}", Expression: "count==0", OK: true, NoData: true}
	a, b := part(0, 2, slow, lost), part(1, 2, Threshold{Metric: slow.Metric, Expression: slow.Expression, Value: 390}, lost)
	m, err := Merge([]Result{b, a})
	require.NoError(t, err)
	assert.Equal(t, Fail, m.Outcome)
	assert.Equal(t, []Threshold{{Metric: slow.Metric, Expression: slow.Expression, Value: 390}, lost}, m.Thresholds, "it has to pass in every instance")
	assert.EqualValues(t, 3, m.Ledger.Counts.PaymentsConfirmed)
	assert.EqualValues(t, 200, m.Iterations)
	assert.Len(t, m.Accounts(), 2)
	assert.Equal(t, noon, m.Started)
	assert.Equal(t, []Outcome{Pass, Fail}, []Outcome{m.Parts[0].Outcome, m.Parts[1].Outcome})

	other, err := Merge([]Result{a, b})
	require.NoError(t, err)
	one, _ := json.Marshal(m)
	another, _ := json.Marshal(other)
	assert.JSONEq(t, string(one), string(another), "in any order")
}

func TestAnInvalidInstanceMakesARunInvalid(t *testing.T) {
	t.Parallel()
	b := part(1, 2)
	b.Reasons = []Reason{{Figure: CPU, Instance: 1}}
	m, err := Merge([]Result{part(0, 2), b})
	require.NoError(t, err)
	assert.Equal(t, Invalid, m.Outcome)
}

func TestWhatDoesNotBelongTogetherIsRefused(t *testing.T) {
	t.Parallel()
	other := part(1, 2)
	other.Run = "80"
	merged, err := Merge([]Result{part(0, 2), part(1, 2)})
	require.NoError(t, err)
	for says, results := range map[string][]Result{
		"got none":                    {},
		"got runs 7f and 80":          {part(0, 2), other},
		"got instance 1 twice":        {part(1, 3), part(0, 3), part(1, 3)},
		"got 2 from instance 0 and 3": {part(0, 2), part(1, 3)},
		"expected an instance number from 0 to 1, got 2": {part(2, 2)},
		"got a merged result":                            {merged},
	} {
		_, err := Merge(results)
		require.ErrorContains(t, err, says)
	}
	m, err := Merge([]Result{part(3, 4), part(1, 4)})
	require.NoError(t, err)
	assert.Equal(t, []int{0, 2}, m.Missing)
	assert.Equal(t, Incomplete, m.Outcome)
}
