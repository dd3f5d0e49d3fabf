package result

import (
	"cmp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/measure"
)

// every is a histogram of n equal values.
func every(d time.Duration, n int64) *measure.Histogram {
	h := new(measure.Histogram)
	h.RecordN(d, n)
	return h
}

// delay is n values of which some were delayed by the generator.
func delay(measured, own time.Duration, n int64) measure.Delay {
	return measure.Delay{Measured: every(measured, n), Least: every(measured-own, n)}
}

// The generator's own delays decide whether a run is valid, by what they did to the latencies:
// a stall of the generator is not the gateway's, and does not hide what is.
func TestOnlyMeasuredDelaysExcuseAThreshold(t *testing.T) {
	t.Parallel()
	const (
		ms      = time.Millisecond
		p99     = "pix_duration{operation:cash-out,from:intended,stat:p99}"
		k6s     = "http_req_duration"
		deliver = "pix_webhook_delivery{from:intended,stat:p99}"
	)
	failed := func(metric, expression, kind string) Threshold {
		return Threshold{Metric: metric, Expression: expression, Type: kind}
	}
	held := Threshold{Metric: p99, Expression: "value<5000", Type: "gauge", OK: true}
	for name, c := range map[string]struct {
		latency, own time.Duration // of two in a hundred; the others take 10 ms
		before       bool          // the delay is before the send
		limits       []Threshold
		also         []Reason
		reasons      int
		outcome      Outcome
	}{
		"no delay, a limit failed":                   {latency: 800 * ms, limits: []Threshold{failed(p99, "value<500", "gauge")}, outcome: Fail},
		"its delay may be why a limit failed":        {latency: 800 * ms, own: 400 * ms, limits: []Threshold{failed(p99, "value<500", "gauge")}, reasons: 1, outcome: Invalid},
		"the limit would have failed without it":     {latency: 800 * ms, own: 200 * ms, limits: []Threshold{failed(p99, "value<500", "gauge")}, outcome: Fail},
		"so would another":                           {latency: 800 * ms, own: 400 * ms, limits: []Threshold{failed(p99, "value<500", "gauge"), failed(p99, "value<300", "gauge")}, reasons: 1, outcome: Fail},
		"webhooks":                                   {latency: 800 * ms, own: 400 * ms, limits: []Threshold{failed(deliver, "value<500", "gauge")}, reasons: 1, outcome: Invalid},
		"limits hold with it":                        {latency: 800 * ms, own: 700 * ms, limits: []Threshold{held}, outcome: Pass},
		"a latency of k6":                            {latency: 800 * ms, own: 400 * ms, limits: []Threshold{failed(k6s, "p(99)<500", "trend")}, reasons: 1, outcome: Invalid},
		"a latency of k6, hardly delayed":            {latency: 800 * ms, own: 40 * ms, limits: []Threshold{failed(k6s, "p(99)<500", "trend")}, outcome: Fail},
		"a latency of k6, delayed before the send":   {latency: 800 * ms, own: 400 * ms, before: true, limits: []Threshold{failed(k6s, "p(99)<500", "trend")}, outcome: Fail},
		"a time of the script":                       {latency: 800 * ms, own: 400 * ms, limits: []Threshold{failed("checkout", "avg<500", "trend")}, reasons: 1, outcome: Invalid},
		"requests failed too":                        {latency: 800 * ms, own: 400 * ms, limits: []Threshold{failed(p99, "value<500", "gauge"), failed("pix_failed", "value<0.1", "gauge")}, reasons: 1, outcome: Fail},
		"checks failed too":                          {latency: 800 * ms, own: 400 * ms, limits: []Threshold{failed(p99, "value<500", "gauge"), failed("checks", "rate>0.9", "rate")}, reasons: 1, outcome: Fail},
		"money is lost too":                          {latency: 800 * ms, own: 400 * ms, limits: []Threshold{failed(p99, "value<500", "gauge"), failed("pix_money_drift", "count==0", "counter")}, reasons: 1, outcome: Wrong},
		"no limit, much of the latency":              {latency: 800 * ms, own: 400 * ms, reasons: 2, outcome: Invalid},
		"no limit, slight beside the latency":        {latency: 3000 * ms, own: 200 * ms, outcome: Pass},
		"no limit, little":                           {latency: 120 * ms, own: 99 * ms, outcome: Pass},
		"limits of something else":                   {latency: 800 * ms, own: 400 * ms, limits: []Threshold{{Metric: "pix_webhooks_lost", Expression: "count==0", OK: true}}, reasons: 2, outcome: Invalid},
		"dropped, and a latency from the send fails": {latency: 800 * ms, limits: []Threshold{failed(p99, "value<500", "gauge")}, also: []Reason{{Figure: "virtual users"}}, outcome: Fail},
		"dropped, and the wait fails it":             {latency: 800 * ms, limits: []Threshold{failed(p99, "value<790", "gauge")}, also: []Reason{{Figure: "virtual users"}}, outcome: Invalid},
		"no CPU left, nothing is known":              {latency: 800 * ms, limits: []Threshold{failed(p99, "value<500", "gauge")}, also: []Reason{{Figure: CPU}}, outcome: Invalid},
		"no CPU left, requests failed":               {latency: 800 * ms, limits: []Threshold{failed("pix_failed", "value<0.1", "gauge")}, also: []Reason{{Figure: CPU}}, outcome: Fail},
		"a stall of seconds, requests failed":        {latency: 800 * ms, limits: []Threshold{failed("pix_failed", "value<0.1", "gauge")}, also: []Reason{{Figure: Hiccup}}, outcome: Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			value := milliseconds(c.latency)
			for i := range c.limits {
				c.limits[i].Value = &value
			}
			h, send := every(10*ms, 98), every(10*ms, 98)
			h.RecordN(c.latency, 2)
			send.RecordN(c.latency-20*ms, 2)
			op := measure.Operation{Count: 100, Send: send, Intended: h}
			r := Result{Thresholds: c.limits}
			r.Delivery.Intended = h
			if c.own > 0 {
				op.IntendedDelay, op.SendDelay = delay(c.latency, c.own, 2), delay(c.latency-20*ms, c.own, 2)
				r.Delivery.IntendedDelay = op.IntendedDelay
				if c.before {
					op.SendDelay = measure.Delay{}
				}
			}
			r.Operations = map[string]measure.Operation{"cash-out": op}
			assert.Empty(t, r.Late(false), "not judged yet")
			reasons := append(r.Late(true), c.also...)
			assert.Len(t, reasons, c.reasons+len(c.also), "%+v", reasons)
			r.Validity = Validity{Valid: len(reasons) == 0, Reasons: reasons}
			assert.Equal(t, c.outcome, r.Outcome(), "%+v", reasons)
		})
	}
}

func TestALoadThatWasNotOfferedIsInvalid(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lag, hiccup time.Duration
		of          int64
		figures     []string
	}{
		"on time":          {lag: 999 * time.Millisecond, hiccup: 999 * time.Millisecond, of: 100},
		"late":             {lag: 1100 * time.Millisecond, of: 100, figures: []string{ScheduleLag}},
		"stalled":          {hiccup: 2 * time.Second, of: 100, figures: []string{Hiccup}},
		"too few to judge": {lag: 2 * time.Second, hiccup: 2 * time.Second, of: 99},
	} {
		r := Result{}
		r.ScheduleLag, r.Hiccup = every(c.lag, c.of), every(c.hiccup, c.of)
		var figures []string
		for _, reason := range r.Late(false) {
			figures = append(figures, reason.Figure)
		}
		assert.ElementsMatch(t, c.figures, figures, name)
	}
}

// Two scenarios with slow responses: the generator was late in one of them only.
func TestLatenessExcusesOnlyWhatItExplains(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	slow := func(lag time.Duration) measure.Figures {
		op := measure.Operation{Count: 200, Send: every(3000*ms, 200), Intended: every(3000*ms+lag, 200)}
		return measure.Figures{Operations: map[string]measure.Operation{"cash-out": op}, ScheduleLag: every(lag, 200)}
	}
	on := func(from, tags string) string {
		return "pix_duration{" + tags + "operation:cash-out,from:" + from + ",stat:p99}"
	}
	for name, c := range map[string]struct {
		threshold string
		reason    string
		merged    bool
		excused   bool
	}{
		"from the send":                       {threshold: on("send", "scenario:desk,")},
		"from the send, of all":               {threshold: on("send", "")},
		"from the acceptance":                 {threshold: "pix_webhook_delivery{from:acceptance,stat:p99}"},
		"from the intended start":             {threshold: on("intended", "scenario:desk,"), excused: true},
		"from the intended start, of all":     {threshold: on("intended", ""), excused: true},
		"of the other scenario":               {threshold: on("intended", "scenario:payout,")},
		"requests of the other that failed":   {threshold: "pix_failed{scenario:payout}"},
		"requests that failed":                {threshold: "pix_failed{scenario:desk}", excused: true},
		"of k6, the other scenario":           {threshold: "http_req_duration{scenario:payout}"},
		"of k6, with tags that no origin has": {threshold: "http_req_duration{status:200}", excused: true},
		"merged, of the other scenario":       {threshold: on("intended", "scenario:payout,"), merged: true},
		"merged":                              {threshold: on("intended", "scenario:desk,"), merged: true, excused: true},
		"no CPU left, from the send":          {threshold: on("send", "scenario:payout,"), reason: CPU, excused: true},
		"a stall, from the send":              {threshold: on("send", "scenario:payout,"), reason: Hiccup, excused: true},
		"dropped, from the send":              {threshold: on("send", "scenario:desk,"), reason: "dropped iterations"},
		"dropped":                             {threshold: on("intended", "scenario:desk,"), reason: "dropped iterations"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			desk, payout := slow(2000*ms), slow(10*ms)
			r := Result{Validity: Validity{Reasons: []Reason{{Figure: cmp.Or(c.reason, ScheduleLag)}}}}
			r.Origins = []Origin{{Tags: map[string]string{"scenario": "desk"}, Figures: desk}, {Tags: map[string]string{"scenario": "payout"}, Figures: payout}}
			r.Delivery.Acceptance = every(3000*ms, 200)
			r.Figures.Merge(desk)
			r.Figures.Merge(payout)
			if c.merged {
				r.Parts = []Part{{}, {Instance: 1}}
			}
			value := 3000.0
			failed := Threshold{Metric: c.threshold, Expression: "value<800", Type: "gauge", Value: &value}
			assert.Equal(t, c.excused, r.excused(failed))
		})
	}
}

func TestCPUMattersWhereItMayHaveDecided(t *testing.T) {
	t.Parallel()
	latency := func(ok bool) Threshold {
		return Threshold{Metric: "pix_duration{operation:token,from:send,stat:p99}", OK: ok}
	}
	for name, c := range map[string]struct {
		limits []Threshold
		want   bool
	}{
		"limits on latency pass":              {[]Threshold{latency(true), {Metric: "pix_failed", OK: true}}, false},
		"one fails":                           {[]Threshold{latency(true), latency(false)}, true},
		"another fails":                       {[]Threshold{latency(true), {Metric: "pix_webhooks_lost"}}, true},
		"it is invalid for something else":    {[]Threshold{latency(true), {Metric: "pix_invalid"}}, false},
		"no limit on latency":                 {[]Threshold{{Metric: "pix_failed", OK: true}}, true},
		"a limit on latency that has no data": {[]Threshold{{Metric: "pix_duration{operation:token,from:send,stat:p99}", OK: true, NoData: true}}, true},
		"none":                                {nil, true},
	} {
		r := Result{CPU: 0.95, Thresholds: c.limits}
		assert.Equal(t, c.want, len(r.Late(true)) == 1, name)
		assert.Empty(t, r.Late(false), name)
		r.CPU = 0.9
		assert.Empty(t, r.Late(true), name)
	}
}

func TestADelayIsStatedWithItsShare(t *testing.T) {
	t.Parallel()
	r := Result{}
	h := every(10*time.Millisecond, 98)
	h.RecordN(800*time.Millisecond, 2)
	r.Operations = map[string]measure.Operation{"balance": {Intended: every(time.Second, 99), IntendedDelay: delay(time.Second, 900*time.Millisecond, 9)},
		"cash-out": {Intended: h, IntendedDelay: delay(800*time.Millisecond, 300*time.Millisecond, 2)}}
	shares := r.Shares()
	require.Len(t, shares, 1, "99 values have no p99")
	assert.Equal(t, "cash-out: the generator itself may have delayed 2 of 100; of the p99 of 800.3 ms, 300 ms may be its own", shares[0].String())
}

func TestFewDroppedIterationsAreOnlyStated(t *testing.T) {
	t.Parallel()
	r := Result{Iterations: 6419}
	assert.False(t, r.DroppedTooMany(0))
	assert.False(t, r.DroppedTooMany(1))
	assert.False(t, r.DroppedTooMany(6))
	assert.True(t, r.DroppedTooMany(7))
	assert.True(t, Result{Iterations: 10}.DroppedTooMany(1))
}
