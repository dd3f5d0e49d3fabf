package result

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/preset"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// instance is a result with a second of cash-outs that take base and a millisecond more each.
func instance(index, of int, base time.Duration) Result {
	r := measure.New(noon, 0)
	op := r.Origin(0).Operation("cash-out")
	for i := range 100 {
		at := noon.Add(time.Duration(i) * 10 * time.Millisecond)
		d := base + time.Duration(i)*time.Millisecond
		op.Start(at, at)
		op.Record(measure.Latency{Took: d}, measure.Latency{Took: 2 * d}, 202, false, at)
		r.Origin(0).Delivery.Record(measure.Latency{Took: d}, measure.Latency{Took: 3 * d}, at)
		r.Origin(0).ScheduleLag.Record(time.Millisecond, at)
	}
	result := Result{
		Schema: Schema, Run: "7f", Instance: index, Instances: of,
		Started: noon, Ended: noon.Add(10 * time.Second),
		Script: "cash-out.js", Profile: "smoke", Target: "http://127.0.0.1:8080",
		Environment:  Environment{K6: "v2.2.0", CPUs: 2, OS: "linux"},
		Measurements: r.Measurements(noon.Add(10 * time.Second)),
		CPU:          0.25 * float64(index+1), Iterations: 100,
		Validity: Validity{Valid: true},
	}
	if of > 1 {
		result.Segment = string(rune('a' + index))
	}
	return result
}

func TestAResultSurvivesItsFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "result.json")
	r := instance(0, 1, time.Millisecond)
	value := 1.5
	r.Thresholds = []Threshold{{Metric: "pix_invalid", Expression: "count==0", Value: &value, OK: true, Basis: ByK6}}
	r.Presets = []preset.Source{{Name: "valid"}}
	require.NoError(t, Write(path, r))
	require.NoError(t, Write(path, r), "over one that is there")
	back, err := Read(path)
	require.NoError(t, err)
	want, err := json.Marshal(r)
	require.NoError(t, err)
	got, err := json.Marshal(back)
	require.NoError(t, err)
	assert.JSONEq(t, string(want), string(got))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(text), "\n \"outcome\": \"pass\",\n")

	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing is left over")
}

func TestAFailedWriteLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "result.json")
	require.NoError(t, os.Mkdir(dir, 0o755)) // a file cannot take a directory's name
	require.ErrorContains(t, Write(dir, Result{}), dir)
	entries, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	assert.Len(t, entries, 1, "the temporary file is gone")
}

func TestWhatIsNoResultIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, says string }{
		"no JSON":        {"hello", "expected JSON"},
		"another thing":  {`{"hello":1}`, "expected the result of a load run"},
		"newer schema":   {`{"schema":2}`, "expected schema 1 or older, got 2"},
		"broken field":   {`{"schema":1,"cpu":"much"}`, "cpu"},
		"unknown fields": {`{"schema":1,"run":"x","later":{"a":[1]}}`, ""},
	} {
		path := filepath.Join(t.TempDir(), "result.json")
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o644))
		r, err := Read(path)
		if c.says == "" {
			require.NoError(t, err, name)
			assert.Equal(t, "x", r.Run)
			continue
		}
		require.ErrorContains(t, err, c.says, name)
		require.ErrorContains(t, err, path, name)
	}
	_, err := Read(filepath.Join(t.TempDir(), "none.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestTheOutcomeIsTheGravest(t *testing.T) {
	t.Parallel()
	slow := Threshold{Metric: "pix_duration{stat:p99}"}
	lost := Threshold{Metric: "pix_webhooks_lost"}
	held := Threshold{Metric: "pix_webhooks_lost", OK: true}
	unknown := Threshold{Metric: "pix_payments_unknown"}
	few := Threshold{Metric: "pix_payments_sent", Expression: "count>800"}
	invalid := Threshold{Metric: "pix_invalid", Expression: "count==0"}
	valid := Validity{Valid: true}
	dead := Validity{Reasons: []Reason{{Figure: Unanswered, Value: 3}}}
	some := measure.Measurements{Figures: measure.Figures{Operations: map[string]measure.Operation{"token": {Count: 1}}}}
	for _, c := range []struct {
		r       Result
		outcome Outcome
		status  int
	}{
		{Result{Measurements: some, Validity: valid}, Pass, 0},
		{Result{Measurements: some, Validity: valid, Thresholds: []Threshold{held}}, Pass, 0},
		{Result{Measurements: some, Validity: valid, Interrupted: true}, Interrupted, 105},
		{Result{Measurements: some, Validity: valid, Thresholds: []Threshold{slow, held}, Interrupted: true}, Fail, 99},
		{Result{Measurements: some, Validity: valid, Thresholds: []Threshold{few}, Interrupted: true}, Interrupted, 105},
		{Result{Measurements: some, Validity: Validity{Reasons: []Reason{{Figure: CutShort}}}, Thresholds: []Threshold{unknown, invalid}, Interrupted: true}, Interrupted, 105},
		{Result{Measurements: some, Validity: valid, Thresholds: []Threshold{few}}, Fail, 99},
		{Result{Measurements: some, Validity: Validity{Reasons: []Reason{{Figure: UnseenTags}}}, Thresholds: []Threshold{few}}, Invalid, 99},
		{Result{Measurements: some, Validity: valid, Thresholds: []Threshold{slow, lost}}, Wrong, 99},
		{Result{Measurements: some, Validity: valid, Thresholds: []Threshold{{Metric: "pix_webhook_delivery{stat:p99}"}}}, Fail, 99},
		{Result{Measurements: some, Validity: Validity{Reasons: []Reason{{Figure: CPU}}}, Thresholds: []Threshold{slow}}, Invalid, 99},
		{Result{Measurements: some, Validity: valid, Thresholds: []Threshold{{Metric: "pix_hiccup{stat:p99}", OK: true, NoData: true}}}, Invalid, 99},
		{Result{Measurements: some, Validity: valid, Complaint: "teardown"}, Fail, 99},
		{Result{Measurements: some, Validity: dead, Thresholds: []Threshold{held}}, Invalid, 99},
		{Result{Measurements: some, Validity: dead, Thresholds: []Threshold{slow, held}}, Fail, 99}, // the generator was fit
		{Result{Measurements: some, Validity: dead, Thresholds: []Threshold{unknown}}, Invalid, 99},
		{Result{Validity: valid, Thresholds: []Threshold{held}}, Invalid, 99}, // nothing was measured
		{Result{Missing: []int{1}}, Incomplete, 2},
	} {
		assert.Equal(t, c.outcome, c.r.Outcome())
		assert.Equal(t, c.status, c.r.Outcome().ExitStatus())
	}
}

func TestWhatIsProvenOfAnInvalidRunIsWrong(t *testing.T) {
	t.Parallel()
	some := measure.Measurements{Figures: measure.Figures{Operations: map[string]measure.Operation{"token": {Count: 1}}}}
	starved := Validity{Reasons: []Reason{{Figure: "virtual users"}, {Figure: CPU, Value: 95, Limit: 90}}}
	few := Validity{Reasons: []Reason{{Figure: "virtual users"}}}
	for _, c := range []struct {
		metric           string
		ofStarved, ofFew Outcome
		ofNothing        Outcome // measured: all of it fell into the warm-up
	}{
		{"pix_money_drift", Wrong, Wrong, Wrong},
		{"pix_double_debits", Wrong, Wrong, Wrong},
		{"pix_payments_vanished", Wrong, Wrong, Wrong},
		{"pix_payments_unsettled", Wrong, Wrong, Wrong},
		{"pix_webhooks_malformed", Wrong, Wrong, Wrong},
		{"pix_webhooks_contradictory", Wrong, Wrong, Wrong},
		{"pix_webhooks_orphan{nightly:1}", Wrong, Wrong, Wrong},
		{"pix_webhooks_lost", Invalid, Wrong, Wrong}, // nobody may have been there to take it
		{"pix_webhooks_duplicate", Invalid, Wrong, Wrong},
		{"pix_webhooks_late", Invalid, Invalid, Invalid},
		{"pix_payments_unknown", Invalid, Invalid, Invalid}, // is no proof of anything
		{"pix_payments_confirmed", Invalid, Invalid, Invalid},
		{"pix_failed", Fail, Fail, Invalid},
		{"http_req_failed", Fail, Fail, Invalid},
		{"pix_invalid", Invalid, Invalid, Invalid},
	} {
		failed := []Threshold{{Metric: c.metric, Expression: "count==0"}}
		assert.Equal(t, c.ofStarved, Result{Measurements: some, Validity: starved, Thresholds: failed}.Outcome(), c.metric)
		assert.Equal(t, c.ofFew, Result{Measurements: some, Validity: few, Thresholds: failed}.Outcome(), c.metric)
		assert.Equal(t, c.ofNothing, Result{Validity: Validity{Valid: true}, Thresholds: failed}.Outcome(), c.metric)
		failed[0].OK = true
		assert.Equal(t, Invalid, Result{Measurements: some, Validity: starved, Thresholds: failed}.Outcome(), c.metric)
	}
}

func TestEveryCountThatAPresetWantsAtZeroIsWeighed(t *testing.T) {
	t.Parallel()
	correct, _, err := preset.Thresholds("correct", "once")
	require.NoError(t, err)
	for metric := range correct {
		assert.True(t, proofs[metric] != never || metric == "pix_payments_unknown" || metric == "pix_invalid", metric)
	}
	for metric := range proofs {
		assert.Contains(t, correct, metric)
	}
}
