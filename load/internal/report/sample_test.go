package report

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/preset"
	"github.com/pixcert/pixcert/load/internal/result"
)

var began = time.Date(2026, 3, 14, 9, 30, 0, 0, time.UTC)

func ptr(v float64) *float64 { return &v }

// lognormal draws a latency with a median in milliseconds.
func lognormal(random *rand.Rand, median, sigma float64) time.Duration {
	return time.Duration(median * math.Exp(sigma*random.NormFloat64()) * float64(time.Millisecond))
}

func histogram(n int, draw func() time.Duration) *measure.Histogram {
	h := &measure.Histogram{}
	for range n {
		h.Record(draw())
	}
	return h
}

// measured2m is measured once: nobody changes what is in it.
var measured2m = sync.OnceValue(func() measure.Measurements {
	random := rand.New(rand.NewPCG(7, 11))
	kinds := []struct {
		name   string
		n      int
		median float64
	}{{"cash-out", 6_240, 4.1}, {"balance", 1_200, 1.2}, {"qr-cash-out", 780, 5.3}, {"refund", 1_050, 6.6}, {"token", 480, 2.0}}
	m := measure.Measurements{Figures: measure.Figures{Operations: map[string]measure.Operation{}}}
	for _, k := range kinds {
		draw := func() time.Duration { return lognormal(random, k.median, 0.5) }
		send := histogram(k.n, draw)
		intended := histogram(k.n, func() time.Duration {
			if random.IntN(200) == 0 {
				return draw() + time.Duration(random.IntN(800))*time.Millisecond
			}
			return draw()
		})
		m.Operations[k.name] = measure.Operation{Count: int64(k.n), Send: send, Intended: intended, Statuses: map[int]int64{201: int64(k.n)}}
	}
	deliver := func() time.Duration { return lognormal(random, 32, 0.6) }
	m.Delivery = measure.Delivery{Acceptance: histogram(7_300, deliver), Intended: histogram(7_300, deliver)}
	m.ScheduleLag = histogram(4_300, func() time.Duration { return lognormal(random, 0.05, 1) })
	m.Hiccup = histogram(2_500, func() time.Duration { return lognormal(random, 0.2, 0.9) })
	m.Timeline = timeline(random, 120)
	return m
})

// goodRun is two minutes of a healthy gateway with one stall in them.
func goodRun() result.Result {
	r := result.Result{
		Schema: result.Schema, Run: "3f2a9c81d04e", Instances: 1,
		Started: began, Ended: began.Add(2*time.Minute + 12*time.Second), Warmup: 10,
		Script: "mixed-day.js", Profile: "average", Target: "http://127.0.0.1:8080",
		Environment: result.Environment{K6: "v2.2.0", Pixcert: "v0.5.0", Go: "go1.26.8", OS: "linux/amd64", CPUs: 2},
		CPU:         0.412, Iterations: 43_700,
		Presets: []preset.Source{
			{Name: "correct", Purpose: "nothing lost, doubled or drifted", Source: "a choice of pixcert's own"},
			{Name: "bcb-experience", Purpose: "what payers are to experience between banks: half within 6 s, 99% within 10 s", Source: "Banco Central do Brasil, instruction 5/2020", Date: "2020"},
		},
		Validity: result.Validity{Valid: true},
		Thresholds: []result.Threshold{
			{Metric: "pix_webhooks_lost", Expression: "count==0", Value: ptr(0), OK: true, Basis: result.ByK6},
			{Metric: "pix_duration{operation:cash-out,from:intended,stat:p99}", Expression: "value<500", Value: ptr(41.3), OK: true, Basis: result.ByK6},
		},
	}
	r.Measurements = measured2m()
	r.Operations = maps.Clone(r.Operations)
	r.Timeline.Intervals = slices.Clone(r.Timeline.Intervals)
	r.Ledger.Counts = ledger.Counts{
		PaymentsSent: 37_200, PaymentsAccepted: 37_180, PaymentsRefused: 20, PaymentsConfirmed: 37_100, PaymentsFailed: 80,
		WebhooksReceived: 37_180, WebhooksMatched: 37_180, RepeatsSent: 372,
	}
	for i := range 4 {
		r.Accounts = append(r.Accounts, result.Money{Account: i, Opening: 100_000_000, Expected: result.Range{From: 53_210_455, To: 53_210_455}, Actual: 53_210_455})
	}
	return r
}

// draws are what the intervals of a timeline hold: many share one, since nobody changes them.
func draws(random *rand.Rand, median, sigma float64) []*measure.Histogram {
	out := make([]*measure.Histogram, 8)
	for i := range out {
		out[i] = histogram(180, func() time.Duration { return lognormal(random, median, sigma) })
	}
	return out
}

// timeline has a ramp, a steady part and a stall of ten seconds.
func timeline(random *rand.Rand, seconds int) measure.Timeline {
	t := measure.Timeline{Seconds: 1}
	usual, usualDelivery := draws(random, 4, 0.6), draws(random, 32, 0.5)
	stall, stallDelivery := draws(random, 400, 0.6), draws(random, 3200, 0.5)
	for s := range seconds {
		n, backlog := min(s*8, 180)+random.IntN(12), 6+random.IntN(5)
		latency, delivery := usual, usualDelivery
		if s >= 70 && s < 80 {
			latency, delivery, backlog = stall, stallDelivery, (s-69)*90
		}
		which := random.IntN(len(usual))
		t.Intervals = append(t.Intervals, measure.Interval{
			At:         began.Unix() + int64(s),
			Operations: map[string]measure.Activity{"cash-out": {Started: int64(n), Count: int64(n), Failed: int64(n / 150), Intended: latency[which]}},
			Delivery:   delivery[which],
			Backlog:    int64(backlog),
		})
	}
	return t
}

// badRun is a run in which everything went wrong that can, merged of instances.
func badRun() result.Result {
	r := goodRun()
	r.Instances = 2
	r.Parts = []result.Part{
		{Instance: 0, Segment: "0:1/2", Environment: r.Environment, CPU: 0.41, Validity: result.Validity{Valid: true}},
		{Instance: 1, Segment: "1/2:1", Environment: r.Environment, CPU: 0.64, Validity: result.Validity{Valid: true}},
	}
	r.Target = "https://gateway.example/<script>alert(1)</script>\x1b[2J"
	c := &r.Ledger.Counts
	c.WebhooksLost, c.WebhooksDuplicate, c.WebhooksMalformed, c.WebhooksLate, c.DoubleDebits, c.MoneyDrift = 37, 37, 12, 1204, 3, 4_213
	r.Ledger.SameWebhookID, r.Ledger.Counts.WebhooksResendLost, r.Strays = 21, 2, 5
	for i := range 37 {
		at := began.Add(time.Duration(i) * 5 * time.Second)
		id := data.ID{Run: 0x3f2a9c81d04e, Sequence: uint64(i) * 997}
		r.Ledger.Examples = append(r.Ledger.Examples,
			ledger.Example{Sort: "webhooks_lost", Payment: id.ExternalID(), Account: i % 4, At: at, Detail: "confirmed, R$ 12.34"},
			ledger.Example{Sort: "webhooks_malformed", Account: i % 4, At: at, Detail: "no JSON: </td><script>alert(2)</script>\u202e\x1b[31m"})
	}
	r.Accounts[2].Actual, r.Accounts[2].Drift = 53_206_242, -4_213
	r.Accounts[3].Expected.To += 100
	op := r.Operations["cash-out"]
	op.Failed, op.Statuses = 240, map[int]int64{201: 6_000, 500: 200, 0: 40}
	r.Operations["cash-out"] = op
	r.Thresholds[0].Value, r.Thresholds[0].OK, r.Thresholds[0].Basis = ptr(37), false, result.EveryPart
	r.Thresholds = append(r.Thresholds, result.Threshold{Metric: "checks", Expression: "rate>0.99", Basis: result.EveryPart})
	return r
}

// emptyRun ended before anything happened.
func emptyRun() result.Result {
	return result.Result{Run: "000000000001", Instances: 1, Started: began, Ended: began, Validity: result.Validity{Valid: true}}
}

// oneRun sent a single request.
func oneRun() result.Result {
	r := emptyRun()
	h := histogram(1, func() time.Duration { return 3 * time.Millisecond })
	r.Ended = began.Add(time.Second)
	r.Operations = map[string]measure.Operation{"cash-out": {Count: 1, Send: h, Intended: h}}
	r.Timeline = measure.Timeline{Seconds: 1, Intervals: []measure.Interval{{At: began.Unix(), Operations: map[string]measure.Activity{"cash-out": {Started: 1, Count: 1, Intended: h}}}}}
	r.Ledger.Counts.PaymentsSent, r.Ledger.Counts.PaymentsAccepted = 1, 1
	return r
}

// deadRun got no answer to anything, and the generator could not keep up either.
func deadRun() result.Result {
	r := oneRun()
	const n = 5000
	h := histogram(n, func() time.Duration { return 30 * time.Second })
	r.Ended = began.Add(40 * time.Second)
	r.Operations = map[string]measure.Operation{"cash-out": {Count: n, Failed: n, Send: h, Intended: h, Statuses: map[int]int64{0: n}}}
	r.Timeline.Intervals[0].Operations = map[string]measure.Activity{"cash-out": {Started: n}}
	r.Timeline.Intervals = append(r.Timeline.Intervals, measure.Interval{At: began.Unix() + 30, Operations: map[string]measure.Activity{"cash-out": {Count: n, Failed: n, Intended: h}}})
	r.Ledger.Counts = ledger.Counts{PaymentsSent: n, PaymentsUnheard: n, PaymentsUnknown: n}
	r.Dropped, r.CPU = 512, 0.97
	r.Validity = result.Validity{Reasons: []result.Reason{{Figure: "cpu", Value: 97.04, Limit: 90, Unit: "%"}, {Figure: "schedule lag p99", Value: 2212, Limit: 100, Unit: "ms"}, {Figure: "dropped iterations", Value: 512, Limit: 0, Unit: "iterations"}}}
	return r
}
