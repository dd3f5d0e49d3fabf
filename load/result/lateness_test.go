package result

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/measure"
)

// every is a histogram of n equal values.
func every(d time.Duration, n int64) *measure.Histogram {
	h := new(measure.Histogram)
	h.RecordN(d, n)
	return h
}

func TestLatenessInvalidatesWhatItShapes(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	limit := func(metric string, ok, noData bool) Threshold {
		return Threshold{Metric: metric, Expression: "value<500", OK: ok, NoData: noData}
	}
	const p99 = "pix_duration{operation:cash-out,from:intended,stat:p99}"
	for name, c := range map[string]struct {
		late, latency time.Duration
		limits        []Threshold
		unjudged      bool
		limit         time.Duration // 0: it stands
	}{
		"little":                        {late: 90 * ms, latency: 91 * ms},
		"little, and a limit failed":    {late: 90 * ms, latency: 600 * ms, limits: []Threshold{limit(p99, false, false)}},
		"much of the latency":           {late: 200 * ms, latency: 250 * ms, limit: 100 * ms},
		"slight beside the latency":     {late: 200 * ms, latency: 2500 * ms},
		"limits hold with it":           {late: 200 * ms, latency: 250 * ms, limits: []Threshold{limit(p99, true, false)}},
		"a limit failed, maybe by it":   {late: 200 * ms, latency: 600 * ms, limits: []Threshold{limit("http_req_duration", true, false), limit(p99, false, false)}, limit: 100 * ms},
		"a limit failed, but not by it": {late: 200 * ms, latency: 5 * time.Second, limits: []Threshold{limit(p99, false, false)}},
		"a limit of something else":     {late: 200 * ms, latency: 250 * ms, limits: []Threshold{limit("pix_webhooks_lost", true, false), limit("pix_failed", true, false)}, limit: 100 * ms},
		"something else failed":         {late: 200 * ms, latency: 250 * ms, limits: []Threshold{limit("pix_webhooks_lost", false, false)}},
		"both failed":                   {late: 200 * ms, latency: 600 * ms, limits: []Threshold{limit(p99, false, false), limit("pix_failed", false, false)}},
		"a limit that may hold times":   {late: 200 * ms, latency: 600 * ms, limits: []Threshold{limit("checkout_time", false, false)}, limit: 100 * ms},
		"a part of the latency":         {late: 200 * ms, latency: 600 * ms, limits: []Threshold{limit(p99, true, false), limit("http_req_connecting", false, false)}, limit: 100 * ms},
		"a limit on the lateness":       {late: 200 * ms, latency: 600 * ms, limits: []Threshold{limit(p99, true, false), limit("pix_hiccup{stat:p99}", false, false)}, limit: 100 * ms},
		"checks failed":                 {late: 200 * ms, latency: 600 * ms, limits: []Threshold{limit("checks", false, false)}},
		"its own invalidity":            {late: 200 * ms, latency: 600 * ms, limits: []Threshold{limit("pix_invalid", false, false), limit(p99, false, false), limit("dropped_iterations", false, false)}, limit: 100 * ms},
		"a limit without data":          {late: 200 * ms, latency: 250 * ms, limits: []Threshold{limit(p99, true, true)}, limit: 100 * ms},
		"not judged yet":                {late: 200 * ms, latency: 250 * ms, unjudged: true},
		"the load was another":          {late: 1100 * ms, latency: 20 * time.Second, limits: []Threshold{limit(p99, true, false)}, unjudged: true, limit: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Result{Thresholds: c.limits}
			r.ScheduleLag = every(c.late, 100)
			r.Hiccup = every(time.Minute, 99) // too few to tell a p99 of
			r.Operations = map[string]measure.Operation{"cash-out": {Intended: every(c.latency, 100)}}
			all := r.Lateness()
			require.Len(t, all, 1)
			assert.Equal(t, "schedule lag p99", all[0].Figure)
			at, yes := all[0].Invalidates(r, !c.unjudged)
			assert.Equal(t, c.limit != 0, yes)
			assert.Equal(t, c.limit, at)
		})
	}
}

func TestTheFastestOperationShowsALateness(t *testing.T) {
	t.Parallel()
	late := Lateness{P99: 200 * time.Millisecond}
	r := Result{}
	assert.True(t, late.Shows(r), "nothing tells that it does not")
	r.Operations = map[string]measure.Operation{"slow": {Intended: every(5*time.Second, 100)}, "rare": {Intended: every(time.Millisecond, 9)}}
	assert.False(t, late.Shows(r))
	r.Operations["fast"] = measure.Operation{Intended: every(time.Second, 100)}
	assert.True(t, late.Shows(r))
}

// What one instance misses another has received: by itself each fails for that, and no
// lateness matters beside it. The whole fails on latency alone.
func TestLatenessIsHeldAgainstTheVerdictOfTheWhole(t *testing.T) {
	t.Parallel()
	const p99 = "pix_duration{operation:cash-out,from:intended,stat:p99}"
	for name, c := range map[string]struct {
		limit string
		want  Outcome
	}{
		"a limit that may have failed by it": {"value<600", Invalid},
		"limits hold with it":                {"value<2000", Pass},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := instance(0, 2, 100*time.Millisecond), instance(1, 2, 300*time.Millisecond)
			for _, r := range []*Result{&a, &b} {
				r.ScheduleLag = every(200*time.Millisecond, 100)
				r.Thresholds = []Threshold{
					{Metric: p99, Expression: c.limit, Type: "gauge"},
					{Metric: "pix_webhooks_elsewhere", Expression: "count==0", Type: "counter"},
					{Metric: "pix_invalid", Expression: "count==0", Type: "counter", OK: true},
				}
			}
			if c.want == Pass { // by itself it had failed on latency
				b.Validity = Validity{Reasons: []Reason{{Figure: ScheduleLag, Value: 200, Limit: 100, Unit: "ms", Instance: 1}}}
			}
			m, err := Merge([]Result{a, b})
			require.NoError(t, err)
			assert.Equal(t, c.want, m.Outcome(), "%+v", m.Validity)
			invalid := m.Thresholds[slices.IndexFunc(m.Thresholds, func(t Threshold) bool { return t.Metric == "pix_invalid" })]
			assert.Equal(t, c.want == Pass, invalid.OK)
			var late []int
			for _, reason := range m.Validity.Reasons {
				late = append(late, reason.Instance)
			}
			if c.want == Invalid {
				assert.Equal(t, []int{0, 1}, late)
			}
		})
	}
}
