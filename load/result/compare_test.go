package result

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pixcert/pixcert/load/capacity"
	"github.com/pixcert/pixcert/load/ledger"
	"github.com/pixcert/pixcert/load/measure"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// load is how a synthetic run behaves.
type load struct {
	seconds, rate int
	slower        float64 // factor on every latency
	failed        float64 // share
	outage        int     // seconds in the middle in which all fail
	seed          uint64
	quiet         bool                                   // no webhooks
	swing         float64                                // how much a second's latencies differ from those of others; seconds in a row are alike
	ramp          int                                    // seconds in which the rate rises at the beginning and falls at the end; the more of it the slower
	phase         time.Duration                          // of the start within a second
	webhook       func(second int) (delay time.Duration) // how much later than otherwise they come
}

// synthetic is the result of a run with exponential latencies of 20 ms on average.
func synthetic(l load) Result {
	random := rand.New(rand.NewPCG(l.seed, 42))
	start := noon.Add(l.phase)
	r := measure.New(start, 0)
	op := r.Operation("cash-out")
	level := 1.0
	var webhooks []delivery
	arrivals := int64(0)
	for s := range l.seconds {
		level += l.swing*random.NormFloat64() - 0.4*(level-1)
		level = max(level, 0.2)
		share := 1.0
		if l.ramp > 0 {
			share = min(1, float64(s+1)/float64(l.ramp+1), float64(l.seconds-s)/float64(l.ramp+1))
		}
		rate := int(float64(l.rate) * share)
		for i := range rate {
			at := start.Add(time.Duration(s)*time.Second + time.Duration(i)*time.Second/time.Duration(rate))
			d := time.Duration((5 + 15*random.ExpFloat64()) * l.slower * level * share * float64(time.Millisecond))
			op.Start(at, at)
			op.Record(d, d+time.Millisecond, 202, random.Float64() < l.failed || s >= l.seconds/2 && s < l.seconds/2+l.outage, at)
			arrivals++
			if !l.quiet {
				extra := time.Duration(0)
				if l.webhook != nil {
					extra = l.webhook(s)
				}
				webhooks = append(webhooks, delivery{at.Add(extra), d + extra})
			}
		}
	}
	slices.SortStableFunc(webhooks, func(a, b delivery) int { return a.at.Compare(b.at) })
	m := measure.New(start, 0)
	for _, w := range webhooks {
		m.Delivery.Record(w.took, 2*w.took, w.at)
	}
	end := start.Add(time.Duration(l.seconds) * time.Second)
	measured := r.Measurements(end)
	measured.Merge(m.Measurements(end.Add(time.Minute)))
	return Result{
		Run: "1", Instances: 1, Script: "cash-out.js", Profile: "average", Started: noon, Ended: end,
		Environment: Environment{OS: "linux", CPUs: 2}, Validity: Validity{Valid: true},
		Measurements: measured, Iterations: arrivals,
	}
}

// delivery is a webhook.
type delivery struct {
	at   time.Time
	took time.Duration
}

func row(t *testing.T, c Comparison, figure string) Row {
	t.Helper()
	i := slices.IndexFunc(c.Rows, func(r Row) bool { return r.Figure == figure })
	require.GreaterOrEqual(t, i, 0, "no row %s", figure)
	return c.Rows[i]
}

// Nothing is found where there is nothing, in less than one comparison in twenty; a run
// that is slower by 30% is found out in more than nineteen of twenty.
func TestTheNoiseBandTellsNoiseFromAChange(t *testing.T) {
	t.Parallel()
	const tries = 200 // fewer cannot tell one in a hundred from one in twenty
	for name, c := range map[string]struct {
		seconds int
		swing   float64
	}{"steady": {100, 0}, "in waves": {120, 0.1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := func(seed int, slower float64) Result {
				return synthetic(load{seconds: c.seconds, rate: 20, slower: slower, failed: 0.01, seed: uint64(seed), quiet: true, swing: c.swing})
			}
			falseAlarms, found := 0, 0
			before := run(0, 1)
			for i := 1; i <= tries; i++ {
				same, slower := run(i, 1), run(-i, 1.3)
				if slices.ContainsFunc(Compare(before, same).Rows, func(r Row) bool { return r.Verdict == Better || r.Verdict == Worse }) {
					falseAlarms++
				}
				if row(t, Compare(same, slower), "cash-out intended p50").Verdict == Worse {
					found++
				}
				before = same
			}
			t.Logf("%d false alarms and %d changes found in %d tries", falseAlarms, found, tries)
			assert.Less(t, falseAlarms, tries/20, "any row of a comparison of equals")
			assert.Greater(t, found, tries-tries/20)
		})
	}
}

// A ramp that both runs have is no noise of either: it neither hides a change nor makes one.
func TestARampIsNoNoise(t *testing.T) {
	t.Parallel()
	const tries = 50
	run := func(seed int, slower float64) Result {
		phase := time.Duration(seed*seed*137%1000) * time.Millisecond
		return synthetic(load{seconds: 20, rate: 80, ramp: 3, slower: slower, seed: uint64(seed), phase: phase})
	}
	alarms, found, wide, inconclusive := 0, 0, 0, 0
	for i := 1; i <= tries; i++ {
		a := run(i, 1)
		same := Compare(a, run(i+1000, 1))
		if slices.ContainsFunc(same.Rows, func(r Row) bool { return r.Verdict == Better || r.Verdict == Worse }) {
			alarms++
		}
		if row(t, same, "cash-out rate").Band > 0.3 {
			wide++
		}
		if !same.Conclusive() {
			inconclusive++
		}
		if row(t, Compare(a, run(i+2000, 1.5)), "cash-out intended p50").Verdict == Worse {
			found++
		}
	}
	t.Logf("%d false alarms, %d changes found, %d wide bands, %d inconclusive in %d tries", alarms, found, wide, inconclusive, tries)
	assert.LessOrEqual(t, alarms, tries/20)
	assert.GreaterOrEqual(t, found, tries-tries/20)
	assert.Zero(t, wide)
	assert.Zero(t, inconclusive)
}

// Webhooks that come late are what is looked for, whatever it does to the rate at which
// they come or to how much they scatter.
func TestLateWebhooksAreWorse(t *testing.T) {
	t.Parallel()
	base := load{seconds: 20, rate: 80, ramp: 3, slower: 1, seed: 1, phase: 700 * time.Millisecond}
	a := synthetic(base)
	n := 0
	for name, delay := range map[string]func(int) time.Duration{
		"the last ones":  func(second int) time.Duration { return time.Duration(second/19) * 8 * time.Second },
		"all":            func(int) time.Duration { return 5 * time.Second },
		"one in twenty":  func(int) time.Duration { n++; return time.Duration(n%20/19) * 7 * time.Second },
		"all at the end": func(second int) time.Duration { return time.Duration(20-second) * time.Second },
	} {
		b := base
		b.seed, b.phase, b.webhook = 2, 200*time.Millisecond, delay
		c := Compare(a, synthetic(b))
		for _, figure := range []string{"webhook acceptance p99", "webhook intended p99"} {
			assert.Equal(t, Worse, row(t, c, figure).Verdict, "%s: %+v", name, row(t, c, figure))
		}
		assert.Equal(t, Same, row(t, c, "cash-out intended p50").Verdict, name)
		assert.Equal(t, Better, row(t, Compare(synthetic(b), a), "webhook acceptance p99").Verdict, name)
	}
}

// What the generator itself did for a while is no incident, nor what hit a few.
func TestWhatIsNoIncident(t *testing.T) {
	t.Parallel()
	fast := side{figure: 20 * time.Millisecond, known: true, noise: 1}
	values := func(n int64) *measure.Histogram { h := new(measure.Histogram); h.RecordN(time.Second, n); return h }
	slow := side{figure: 3 * time.Second, values: values(1000), noise: 20}
	assert.True(t, incident(fast, slow, 0.99))
	for name, change := range map[string]func(fast, slow *side){
		"the generator paused":        func(_, slow *side) { slow.paused = 4 * time.Second },
		"it hit nine":                 func(_, slow *side) { slow.values = values(900) },
		"less than a second":          func(_, slow *side) { slow.figure = 1010 * time.Millisecond },
		"the other run was too short": func(fast, _ *side) { fast.known = false },
		"the other run scatters, too": func(fast, _ *side) { fast.noise = 6 },
		"less than twice":             func(fast, _ *side) { fast.figure = 1600 * time.Millisecond },
	} {
		f, s := fast, slow
		change(&f, &s)
		assert.False(t, incident(f, s, 0.99), name)
	}
}

func TestAnOutageIsMoreThanItsScatter(t *testing.T) {
	t.Parallel()
	a := synthetic(load{seconds: 20, rate: 80, slower: 1, seed: 1, quiet: true})
	b := synthetic(load{seconds: 20, rate: 80, slower: 1, seed: 2, quiet: true, outage: 3})
	assert.Equal(t, Worse, row(t, Compare(a, b), "cash-out failed").Verdict, "%+v", row(t, Compare(a, b), "cash-out failed"))
	assert.Equal(t, Better, row(t, Compare(b, a), "cash-out failed").Verdict)
	one := synthetic(load{seconds: 20, rate: 80, slower: 1, seed: 2, quiet: true, failed: 0.0005})
	assert.Equal(t, Same, row(t, Compare(a, one), "cash-out failed").Verdict, "a request or two")
}

// The load is the same where arrivals had to wait for a slow gateway, and is not where
// fewer of them were wanted.
func TestLoadsOffered(t *testing.T) {
	t.Parallel()
	of := func(arrivals int64, seconds int, waited time.Duration) offer {
		h := new(measure.Histogram)
		h.Record(waited)
		return Result{Iterations: arrivals, Measurements: measure.Measurements{Operations: map[string]measure.Operation{
			"cash-out": {Count: arrivals, First: noon, Last: noon.Add(time.Duration(seconds) * time.Second), Intended: h},
		}}}.offered()
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

func TestAChangeIsOnTheRightRowsAndTheRightWay(t *testing.T) {
	t.Parallel()
	a := synthetic(load{seconds: 100, rate: 50, slower: 1, failed: 0.001, seed: 1})
	b := synthetic(load{seconds: 100, rate: 50, slower: 1.5, failed: 0.05, seed: 2})
	b.Ledger.Counts.WebhooksLost, a.Ledger.Counts.WebhooksDuplicate = 3, 2
	c := Compare(a, b)
	for _, figure := range []string{
		"cash-out intended p50", "cash-out intended p99", "cash-out send p90", "cash-out failed",
		"webhook acceptance p50", "webhook intended p99", "webhooks_lost",
	} {
		assert.Equal(t, Worse, row(t, c, figure).Verdict, figure)
	}
	assert.Equal(t, Better, row(t, c, "webhooks_duplicate").Verdict)
	assert.Equal(t, Same, row(t, c, "cash-out rate").Verdict)
	assert.InDelta(t, 50, row(t, c, "cash-out rate").A, 0.5)
	assert.InDelta(t, 1.5, row(t, c, "cash-out send p50").Ratio, 0.1)
	assert.InDelta(t, 5, row(t, c, "cash-out failed").B, 1)
	assert.True(t, c.Regression())
	assert.Empty(t, c.Caveats)

	back := Compare(b, a)
	assert.Equal(t, Better, row(t, back, "cash-out intended p99").Verdict)
	assert.Equal(t, Better, row(t, back, "webhooks_lost").Verdict)
	assert.Equal(t, Worse, row(t, back, "webhooks_duplicate").Verdict)

	assert.Equal(t, Compare(a, b), c, "the same runs, the same verdicts")
	assert.False(t, Compare(a, a).Regression())
}

func TestWhatIsNotAlikeIsNotCompared(t *testing.T) {
	t.Parallel()
	a := synthetic(load{seconds: 60, rate: 50, slower: 1, seed: 1})
	for says, change := range map[string]func(*Result){
		"different scripts: cash-out.js and token.js":                             func(r *Result) { r.Script = "token.js" },
		"different profiles: average and stress":                                  func(r *Result) { r.Profile = "stress" },
		"different machines: linux with 2 processors and linux with 8 processors": func(r *Result) { r.Environment.CPUs = 8 },
		"different numbers of instances: 1 and 4":                                 func(r *Result) { r.Instances = 4 },
		"run b is invalid: its generator was the bottleneck":                      func(r *Result) { r.Validity.Valid = false },
		"cash-out: 50/s and 80/s":                                                 func(r *Result) { *r = synthetic(load{seconds: 60, rate: 80, slower: 1, seed: 1}) },
	} {
		b := synthetic(load{seconds: 60, rate: 50, slower: 2, seed: 2})
		b.Ledger.Counts.WebhooksLost = 1
		change(&b)
		c := Compare(a, b)
		assert.Contains(t, c.Caveats, says)
		for _, r := range c.Rows {
			if !strings.HasPrefix(r.Figure, "webhooks_") && r.Figure != "cash-out rate" {
				assert.Equal(t, Incomparable, r.Verdict, "%s: %s", says, r.Figure)
			}
		}
		if b.Ledger.Counts.WebhooksLost > 0 {
			assert.Equal(t, Worse, row(t, c, "webhooks_lost").Verdict, "counts are always comparable")
		}
	}
	other := a
	other.Target = "http://127.0.0.1:9"
	c := Compare(a, other)
	assert.Len(t, c.Caveats, 1)
	assert.Equal(t, Same, row(t, c, "cash-out intended p50").Verdict, "another target is what is compared")
}

func TestTooLittleIsNotCompared(t *testing.T) {
	t.Parallel()
	short := synthetic(load{seconds: 10, rate: 500, slower: 1, seed: 1}) // nine whole seconds between the first and the last
	assert.Equal(t, Incomparable, row(t, Compare(short, short), "cash-out intended p50").Verdict)
	enough := synthetic(load{seconds: 11, rate: 500, slower: 1, seed: 1})
	assert.Equal(t, Same, row(t, Compare(enough, enough), "cash-out intended p50").Verdict)
	few := synthetic(load{seconds: 60, rate: 10, slower: 1, seed: 1}) // 600 exchanges
	assert.Equal(t, Same, row(t, Compare(few, few), "cash-out intended p90").Verdict)
	assert.Equal(t, Incomparable, row(t, Compare(few, few), "cash-out intended p999").Verdict)

	empty := Compare(Result{}, few)
	assert.Empty(t, empty.Rows)
	assert.Contains(t, empty.Caveats, "only run b has cash-out")
}

func TestWhyItIsNotComparable(t *testing.T) {
	t.Parallel()
	long := synthetic(load{seconds: 60, rate: 10, slower: 1, seed: 1})
	short := synthetic(load{seconds: 8, rate: 10, slower: 1, seed: 1})
	invalid := long
	invalid.Validity.Valid = false
	for _, c := range []struct {
		comparison     Comparison
		figure, reason string
	}{
		{Compare(long, long), "cash-out intended p90", ""},
		{Compare(long, long), "cash-out intended p999", tooFew},
		{Compare(short, short), "cash-out intended p50", tooShort},
		{Compare(short, short), "cash-out rate", tooShort},
		{Compare(long, synthetic(load{seconds: 60, rate: 20, slower: 1, seed: 1})), "cash-out send p50", ratesDiff},
		{Compare(long, invalid), "cash-out send p50", notAlike},
	} {
		got := row(t, c.comparison, c.figure)
		assert.Equal(t, c.reason, got.Reason, c.figure)
		assert.Equal(t, c.reason != "", got.Verdict == Incomparable, c.figure)
	}
	assert.True(t, Compare(long, long).Conclusive())
	assert.False(t, Compare(short, short).Conclusive())
	assert.False(t, Comparison{}.Conclusive())

	wild := Row{A: 1, B: 1.5, Band: 1.2}
	wild.judge("", false)
	assert.Equal(t, Incomparable, wild.Verdict)
	assert.Equal(t, tooNoisy, wild.Reason)
}

func TestChanceCountsHaveABand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b   int64
		change func(*ledger.Counts, int64)
		want   Verdict
	}{
		"few more":  {2, 4, func(c *ledger.Counts, n int64) { c.WebhooksOutOfOrder = n }, Same},
		"many more": {2, 40, func(c *ledger.Counts, n int64) { c.WebhooksOutOfOrder = n }, Worse},
		"many less": {40, 2, func(c *ledger.Counts, n int64) { c.WebhooksLate = n }, Better},
		"one lost":  {0, 1, func(c *ledger.Counts, n int64) { c.WebhooksLost = n }, Worse},
		"one twice": {1, 2, func(c *ledger.Counts, n int64) { c.WebhooksDuplicate = n }, Worse},
	} {
		var a, b Result
		c.change(&a.Ledger.Counts, c.a)
		c.change(&b.Ledger.Counts, c.b)
		got := Compare(a, b)
		require.Len(t, got.Rows, 1, name)
		assert.Equal(t, c.want, got.Rows[0].Verdict, name)
	}
}

func TestCapacitiesAreCompared(t *testing.T) {
	t.Parallel()
	a := synthetic(load{seconds: 20, rate: 5, slower: 1, seed: 1})
	b := a
	a.Capacity = &capacity.Curve{Outcome: capacity.Found, Rate: 1000, Precision: 0.05}
	for rate, want := range map[float64]Verdict{1000: Same, 1090: Same, 1200: Better, 800: Worse} {
		b.Capacity = &capacity.Curve{Outcome: capacity.Found, Rate: rate, Precision: 0.05}
		assert.Equal(t, want, row(t, Compare(a, b), "capacity").Verdict, rate)
	}
	b.Capacity = &capacity.Curve{Outcome: capacity.GeneratorLimited, Rate: 2000, Precision: 0.05}
	assert.Equal(t, Incomparable, row(t, Compare(a, b), "capacity").Verdict)
}

func BenchmarkCompare(b *testing.B) {
	one := synthetic(load{seconds: 600, rate: 100, slower: 1, seed: 1})
	for b.Loop() {
		Compare(one, one)
	}
}
