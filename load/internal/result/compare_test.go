package result

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pixcert/pixcert/load/internal/capacity"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// simulated is a run of a minute at 200 a second. The medians of equal runs differ by 2%: each
// run has a level of its own, and its slow seconds cluster, as do its failures and late or
// duplicate webhooks.
func simulated(random *rand.Rand, slower float64) Result {
	const seconds, rate = 60, 200
	var latencies, webhooks measure.Histogram
	own, wave := math.Exp(0.01*random.NormFloat64()), 0.0
	var failed, late, twice int64
	for range seconds {
		wave += 0.03*random.NormFloat64() - 0.3*wave
		for i := range rate {
			d := time.Duration((5 + 15*random.ExpFloat64()) * slower * own * math.Exp(wave) * float64(time.Millisecond))
			if latencies.Record(d); i%4 == 0 {
				webhooks.Record(2 * d)
			}
		}
		if random.Float64() < 0.02 {
			failed, late, twice = failed+random.Int64N(60), late+random.Int64N(40), twice+random.Int64N(20)
		}
	}
	res := Result{
		Run: "1", Instances: 1, Script: "cash-out.js", Profile: "average", Environment: Environment{OS: "linux", CPUs: 2},
		Validity: Validity{Valid: true}, Iterations: seconds * rate,
		Measurements: measure.Measurements{Figures: measure.Figures{
			Operations: map[string]measure.Operation{"cash-out": {
				Count: seconds * rate, Failed: failed, First: noon, Last: noon.Add(time.Minute), Intended: &latencies,
			}},
			Delivery: measure.Delivery{Acceptance: &webhooks, Intended: &webhooks},
		}},
	}
	res.Ledger.Counts.WebhooksLate, res.Ledger.Counts.WebhooksDuplicate, res.Ledger.Counts.WebhooksOutOfOrder = late, twice, late
	return res
}

func side(random *rand.Rand, n int, slower float64) (runs []Result) {
	for range n {
		runs = append(runs, simulated(random, slower))
	}
	return runs
}

func row(t *testing.T, c Comparison, figure string) Row {
	t.Helper()
	i := slices.IndexFunc(c.Rows, func(r Row) bool { return r.Figure == figure })
	require.GreaterOrEqual(t, i, 0, "no row %s", figure)
	return c.Rows[i]
}

func changed(c Comparison) bool {
	return slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Verdict == Better || r.Verdict == Worse })
}

// Equal gateways raise no alarm, on any row, in more than one comparison of a hundred.
func TestEqualRunsRaiseNoAlarm(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes: make nightly runs it")
	}
	t.Parallel()
	for _, runs := range []int{3, 5} {
		random := rand.New(rand.NewPCG(uint64(runs), 1))
		alarms := 0
		for range 200 {
			if changed(Compare(side(random, runs, 1), side(random, runs, 1), time.Millisecond)) {
				alarms++
			}
		}
		t.Logf("%d alarms in 200 comparisons of %d with %d equal runs", alarms, runs, runs)
		assert.LessOrEqual(t, alarms, 2)
	}
}

func TestASlowerGatewayIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes: make nightly runs it")
	}
	t.Parallel()
	random := rand.New(rand.NewPCG(2, 2))
	found := 0
	for range 100 {
		c := Compare(side(random, 5, 1), side(random, 5, 1.1), time.Millisecond)
		if c.Regression() {
			found++
		}
		assert.False(t, slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Verdict == Better }))
	}
	t.Logf("10%% slower was found %d times in 100", found)
	assert.GreaterOrEqual(t, found, 95)
}

// The load is the same where arrivals had to wait for a slow gateway, and is not where
// fewer of them were wanted.
func TestLoadsOffered(t *testing.T) {
	t.Parallel()
	of := func(arrivals int64, seconds int, waited time.Duration) offer {
		h := new(measure.Histogram)
		h.Record(waited)
		return Result{Iterations: arrivals, Measurements: measure.Measurements{Figures: measure.Figures{Operations: map[string]measure.Operation{
			"cash-out": {Count: arrivals, First: noon, Last: noon.Add(time.Duration(seconds) * time.Second), Intended: h},
		}}}}.offered()
	}
	a := of(1600, 20, time.Millisecond)
	for name, c := range map[string]struct {
		b    offer
		same bool
	}{
		"the same":                         {of(1600, 20, time.Millisecond), true},
		"nearly":                           {of(1500, 20, time.Millisecond), true},
		"the last arrivals had to wait":    {of(1600, 28, 8*time.Second), true},
		"longer":                           {of(3200, 40, time.Millisecond), true},
		"half as fast, as long":            {of(800, 20, time.Millisecond), false},
		"half as fast, and a slow gateway": {of(800, 20, 15*time.Second), false},
		"half as fast, twice as long":      {of(1600, 40, time.Second), false},
	} {
		assert.Equal(t, c.same, sameLoad(a, c.b), name)
		assert.Equal(t, c.same, sameLoad(c.b, a), name)
	}
}

// similar are three runs that differ a little.
func similar(change func(*Result)) (runs []Result) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, r := range side(random, leastRuns, 1) {
		if change != nil {
			change(&r)
		}
		runs = append(runs, r)
	}
	return runs
}

func TestAChangeIsOnTheRightRowsAndTheRightWay(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 4))
	a, b := side(random, 5, 1), side(random, 5, 1.5)
	for i := range b {
		b[i].Ledger.Counts.WebhooksLost = int64(10 + i)
		b[i].Ledger.Counts.WebhooksOutOfOrder = 1000
		a[i].Capacity = &capacity.Curve{Outcome: capacity.Found, Rate: 1000 + float64(i)}
		b[i].Capacity = &capacity.Curve{Outcome: capacity.Found, Rate: 800 + float64(i)}
		o := b[i].Operations["cash-out"]
		o.Failed += 2000
		b[i].Operations["cash-out"] = o
	}
	c := Compare(a, b, time.Millisecond)
	for _, figure := range []string{
		"cash-out p50", "cash-out p99", "cash-out failed", "webhook from acceptance p50", "webhook from intended p99", "webhooks_lost", "capacity",
	} {
		assert.Equal(t, Worse, row(t, c, figure).Verdict, figure)
		assert.Equal(t, Better, row(t, Compare(b, a, time.Millisecond), figure).Verdict, figure)
	}
	slow := row(t, c, "cash-out p50")
	assert.InDelta(t, 1.5, slow.Ratio, 0.1)
	assert.Less(t, slow.Low, slow.Ratio)
	assert.Greater(t, slow.High, slow.Ratio)
	assert.Greater(t, slow.Low, 1.0)
	lost := row(t, c, "webhooks_lost")
	assert.InDelta(t, 12, lost.B, 0)
	assert.True(t, 0 < lost.Low && lost.Low < 12 && 12 < lost.High, "%+v", lost)
	assert.False(t, slices.ContainsFunc(c.Rows, func(r Row) bool { return strings.Contains(r.Figure, "out_of_order") }), "no preset limits it")
	assert.True(t, c.Regression())
	assert.True(t, c.Conclusive())
	assert.Equal(t, Same, row(t, Compare(a, b, 30*time.Millisecond), "cash-out p50").Verdict, "within the tolerance")
	assert.False(t, changed(Compare(a, a, 0)))
}

func TestOneRunWithAFaultIsStatedAndNoDifference(t *testing.T) {
	t.Parallel()
	a, b := similar(nil), similar(nil)
	b[0].Ledger.Counts.WebhooksLost = 1
	b[0].Thresholds = []Threshold{{Metric: "pix_webhooks_lost"}}
	c := Compare(a, b, 0)
	assert.Equal(t, Same, row(t, c, "webhooks_lost").Verdict)
	assert.Contains(t, c.Caveats, "side b: the outcome of 1 of 3 runs is wrong")
}

func TestInvalidRunsAreLeftOut(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(6, 6))
	a, b := side(random, 5, 1), side(random, 5, 1)
	slow := simulated(random, 3)
	slow.Validity = Validity{Reasons: []Reason{{Figure: CPU}}}
	c := Compare(a, append(b, slow), 0)
	assert.Equal(t, Compare(a, b, 0).Rows[0], c.Rows[0])
	assert.Contains(t, c.Caveats, "side b: the outcome of 1 of 6 runs is invalid")
}

func TestWhatIsNotAlikeIsNotCompared(t *testing.T) {
	t.Parallel()
	for says, c := range map[string]struct {
		reason string
		change func(*Result)
	}{
		"different scripts: cash-out.js and token.js":                             {notAlike, func(r *Result) { r.Script = "token.js" }},
		"different profiles: average and stress":                                  {notAlike, func(r *Result) { r.Profile = "stress" }},
		"different machines: linux with 2 processors and linux with 8 processors": {notAlike, func(r *Result) { r.Environment.CPUs = 8 }},
		"different numbers of instances: 1 and 4":                                 {notAlike, func(r *Result) { r.Instances = 4 }},
		"side b: the outcome of 3 of 3 runs is invalid":                           {fewRuns, func(r *Result) { r.Validity.Valid = false }},
		"different loads: 200/s and 400/s": {ratesDiff, func(r *Result) {
			o := r.Operations["cash-out"]
			o.Last = o.First.Add(o.Last.Sub(o.First) / 2)
			r.Operations["cash-out"] = o
			r.Iterations *= 2
		}},
	} {
		got := Compare(similar(nil), similar(func(r *Result) { c.change(r); r.Ledger.Counts.WebhooksLost = 100 }), 0)
		assert.Contains(t, got.Caveats, says)
		for _, r := range got.Rows {
			if !strings.HasPrefix(r.Figure, "webhooks_") {
				assert.Equal(t, c.reason, r.Reason, "%s: %s", says, r.Figure)
			}
		}
		assert.Equal(t, Worse, row(t, got, "webhooks_lost").Verdict, "counts are always comparable")
	}
	c := Compare(similar(nil), similar(func(r *Result) { r.Target = "http://127.0.0.1:9" }), 0)
	assert.Len(t, c.Caveats, 1)
	assert.Equal(t, Same, row(t, c, "cash-out p50").Verdict, "another target is what is compared")
}

func TestTooLittleIsNotCompared(t *testing.T) {
	t.Parallel()
	runs := similar(nil)
	two := Compare(runs[:2], runs, 0)
	assert.Contains(t, two.Caveats, "side a has 2 runs: at least 3 show how much equal runs differ")
	for _, r := range two.Rows {
		assert.Equal(t, fewRuns, r.Reason, r.Figure)
	}
	assert.False(t, two.Conclusive())
	few := similar(func(r *Result) {
		o := r.Operations["cash-out"]
		o.Intended = every(time.Millisecond, 299)
		r.Operations["cash-out"] = o
	})
	assert.Equal(t, tooFew, row(t, Compare(few, few, 0), "cash-out p99").Reason)
	assert.Equal(t, Same, row(t, Compare(few, few, 0), "cash-out p50").Verdict)
	assert.False(t, Compare([]Result{{}}, runs, 0).Conclusive())
	assert.False(t, Comparison{}.Conclusive())
	search := similar(func(r *Result) { r.Capacity = &capacity.Curve{Outcome: capacity.GeneratorLimited, Rate: 2000} })
	assert.Empty(t, slices.DeleteFunc(Compare(search, search, 0).Rows, func(r Row) bool { return r.Figure != "capacity" }), "there is no rate")
}

// The quantiles are those of tables of Student's t: 2.306 for 95% at 8 degrees of freedom.
func TestWelch(t *testing.T) {
	t.Parallel()
	w := newWelch([]float64{1, 2, 3, 4, 5}, []float64{3, 4, 5, 6, 7}, false)
	assert.InDelta(t, 2, w.difference, 1e-9)
	assert.InDelta(t, 2.306, w.margin(0.05), 0.001)
	assert.InDelta(t, 2.776, newWelch([]float64{1, 2, 3, 4, 5}, []float64{3, 4, 5, 6, 7}, true).margin(0.05), 0.001)
	w = newWelch([]float64{2, 2, 2}, []float64{3, 3, 3}, false)
	assert.Zero(t, w.margin(0.05))
}

func TestTheRunsOfASideAreRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, r := range []Result{{Schema: Schema, Run: "1", Instances: 1}, {Schema: Schema, Run: "2", Instances: 2}, {Schema: Schema, Run: "2", Instances: 2, Parts: make([]Part, 2)}} {
		require.NoError(t, os.Mkdir(dir+"/"+string(rune('a'+i)), 0o755))
		require.NoError(t, Write(dir+"/"+string(rune('a'+i))+"/result.json", r))
	}
	runs, err := Runs(dir)
	require.NoError(t, err)
	assert.Len(t, runs, 2, "instances are in the merged result")
	runs, err = Runs(dir + "/a/result.json")
	require.NoError(t, err)
	assert.Len(t, runs, 1)
	_, err = Runs(t.TempDir())
	assert.ErrorContains(t, err, "found none")
}
