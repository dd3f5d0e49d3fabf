package module

import (
	"cmp"
	"context"
	"sync"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/run"
)

// pixMetrics are those of this module: METRICS.md says what each means. Those of calls and payments have the tags of the call.
type pixMetrics struct {
	reqDuration, reqIntendedDuration, reqFailed, tokensRejected *metrics.Metric // operation
	webhookDuration, webhookIntendedDuration                    *metrics.Metric // operation of the payment
	payments, webhooks                                          *metrics.Metric // outcome
	moneyDrift, backlog, scheduleLag, iterationsThrown, invalid *metrics.Metric
}

func newMetrics(registry *metrics.Registry) (pixMetrics, error) {
	var failed error
	metric := func(name string, kind metrics.MetricType, contains metrics.ValueType) *metrics.Metric {
		m, err := registry.NewMetric(name, kind, contains)
		failed = cmp.Or(failed, err)
		return m
	}
	return pixMetrics{
		reqDuration:             metric("pix_req_duration", metrics.Trend, metrics.Time),
		reqIntendedDuration:     metric("pix_req_intended_duration", metrics.Trend, metrics.Time),
		reqFailed:               metric("pix_req_failed", metrics.Rate, metrics.Default),
		tokensRejected:          metric("pix_tokens_rejected", metrics.Counter, metrics.Default),
		webhookDuration:         metric("pix_webhook_duration", metrics.Trend, metrics.Time),
		webhookIntendedDuration: metric("pix_webhook_intended_duration", metrics.Trend, metrics.Time),
		payments:                metric("pix_payments", metrics.Counter, metrics.Default),
		webhooks:                metric("pix_webhooks", metrics.Counter, metrics.Default),
		moneyDrift:              metric("pix_money_drift", metrics.Gauge, metrics.Default),
		backlog:                 metric("pix_backlog", metrics.Gauge, metrics.Default),
		scheduleLag:             metric("pix_schedule_lag", metrics.Trend, metrics.Time),
		iterationsThrown:        metric("pix_iterations_thrown", metrics.Counter, metrics.Default),
		invalid:                 metric("pix_invalid", metrics.Counter, metrics.Default),
	}, failed
}

// emitter sends samples to k6: of requests and webhooks as they come, and of what the ledger counts every second and a
// last time at the end.
type emitter struct {
	pixMetrics
	common  *metrics.TagSet // of the run
	samples chan<- metrics.SampleContainer
	sending sync.RWMutex // of samples
	ended   bool         // k6 may have closed the channel

	run      *run.Run
	told     map[series]int64 // counts so far
	stopping context.CancelFunc
	stopped  sync.WaitGroup
}

// open sets where samples go: to k6, as a virtual user knows it.
func (e *emitter) open(registry *metrics.Registry, state *lib.State) {
	e.samples, e.common = state.Samples, registry.RootTagSet().WithTagsFromMap(state.Options.RunTags)
}

// tags are those of an origin, which is the tags of a call.
func (e *emitter) tags(origin any) *metrics.TagSet {
	if tags, ok := origin.(*metrics.TagSet); ok {
		return tags
	}
	return e.common
}

// series is a count of the calls of one origin.
type series struct {
	origin any
	metric *metrics.Metric
	tags   *metrics.TagSet
}

// Request implements run.Metrics.
func (e *emitter) Request(r run.Request) {
	tags := e.tags(r.Origin).With("operation", r.Operation.Name)
	s := make(metrics.Samples, 0, 4)
	failed := 1.0
	if !r.Failed {
		failed = 0
		s = append(s, sample(e.reqDuration, tags, r.At, metrics.D(r.Sent)), sample(e.reqIntendedDuration, tags, r.At, metrics.D(r.Intended)))
	}
	s = append(s, sample(e.reqFailed, tags, r.At, failed))
	if r.TokensRejected > 0 {
		s = append(s, sample(e.tokensRejected, tags, r.At, float64(r.TokensRejected)))
	}
	e.send(s)
}

// Webhook implements run.Metrics.
func (e *emitter) Webhook(w ledger.Receipt, at time.Time) {
	tags := e.tags(w.Origin).With("operation", w.Kind.String())
	e.send(metrics.Samples{
		sample(e.webhookDuration, tags, at, metrics.D(w.Acceptance)),
		sample(e.webhookIntendedDuration, tags, at, metrics.D(w.Intended)),
	})
}

// lag records how late an iteration began.
func (e *emitter) lag(origin any, late time.Duration, now time.Time) {
	e.send(metrics.Samples{sample(e.scheduleLag, e.tags(origin), now, metrics.D(late))})
}

// send sends samples until the end of the test: a virtual user that was stopped may come later.
func (e *emitter) send(s metrics.Samples) {
	e.sending.RLock()
	defer e.sending.RUnlock()
	if !e.ended {
		e.samples <- s
	}
}

func sample(m *metrics.Metric, tags *metrics.TagSet, at time.Time, value float64) metrics.Sample {
	return metrics.Sample{TimeSeries: metrics.TimeSeries{Metric: m, Tags: tags}, Time: at, Value: value}
}

const refresh = time.Second // how often counts are sent

// begin sends counts every second, until stop.
func (e *emitter) begin(r *run.Run) {
	ctx, cancel := context.WithCancel(context.Background())
	e.run, e.told, e.stopping = r, map[series]int64{}, cancel
	e.stopped.Go(func() {
		clock := time.NewTicker(refresh)
		defer clock.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-clock.C:
				e.count(now, r.Ledger().ByOrigin())
			}
		}
	})
}

func (e *emitter) stop() {
	e.stopping()
	e.stopped.Wait()
}

// count sends by how much the counts have grown.
func (e *emitter) count(now time.Time, byOrigin map[any]*ledger.Counts) {
	s := metrics.Samples{sample(e.backlog, e.common, now, float64(e.run.Waiting()))}
	for origin, counts := range byOrigin {
		tags := e.tags(origin)
		for outcome, n := range counts.Outcomes() {
			if n == 0 {
				continue // for a tag set that is kept forever
			}
			of := e.payments
			if outcome.Metric == e.webhooks.Name {
				of = e.webhooks
			}
			s = e.grown(s, series{origin, of, tags.With("outcome", outcome.Name)}, now, n)
		}
	}
	if n, counted := e.run.Thrown(); counted {
		s = e.grown(s, series{nil, e.iterationsThrown, e.common}, now, n)
	}
	e.send(s)
}

// grown adds the growth of a count. After a count was corrected downwards, nothing is sent until it exceeds what was
// sent: k6 would accept a negative number, but the outputs for its counters may not.
func (e *emitter) grown(s metrics.Samples, of series, now time.Time, total int64) metrics.Samples {
	told := e.told[of]
	if total <= told {
		return s
	}
	e.told[of] = total
	return append(s, sample(of.metric, of.tags, now, float64(total-told)))
}

// conclude sends the final counts and findings.
func (e *emitter) conclude(now time.Time, res *result.Result) {
	e.count(now, res.Ledger.ByOrigin)
	s := metrics.Samples{sample(e.invalid, e.common, now, float64(len(res.Reasons)))}
	if len(res.Accounts()) > 0 {
		s = append(s, sample(e.moneyDrift, e.common, now, float64(res.Ledger.Counts.MoneyDrift)))
	}
	e.send(s)
	e.sending.Lock()
	defer e.sending.Unlock()
	e.ended = true
}
