package module

import (
	"sync"
	"time"

	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/run"
)

// pixMetrics are the metrics of this module. Latencies are passed to k6 as gauges of their
// quantiles, because k6's Trend keeps every value.
type pixMetrics struct {
	duration, durationNow *metrics.Metric
	delivery, deliveryNow *metrics.Metric
	lag, hiccup           *metrics.Metric
	failed                *metrics.Metric
	backlog               *metrics.Metric
	counts                map[string]*metrics.Metric // by the name of the ledger's count
	invalid, thrown       *metrics.Metric
	asked, broken         *metrics.Metric
}

func newMetrics(registry *metrics.Registry) (*pixMetrics, error) {
	m := &pixMetrics{counts: map[string]*metrics.Metric{}}
	for _, wanted := range []struct {
		name     string
		kind     metrics.MetricType
		contains metrics.ValueType
		into     **metrics.Metric
	}{
		{"pix_duration", metrics.Gauge, metrics.Time, &m.duration},
		{"pix_duration_now", metrics.Gauge, metrics.Time, &m.durationNow},
		{"pix_webhook_delivery", metrics.Gauge, metrics.Time, &m.delivery},
		{"pix_webhook_delivery_now", metrics.Gauge, metrics.Time, &m.deliveryNow},
		{"pix_schedule_lag", metrics.Gauge, metrics.Time, &m.lag},
		{"pix_hiccup", metrics.Gauge, metrics.Time, &m.hiccup},
		{"pix_failed", metrics.Gauge, metrics.Default, &m.failed},
		{"pix_backlog", metrics.Gauge, metrics.Default, &m.backlog},
		{"pix_invalid", metrics.Counter, metrics.Default, &m.invalid},
		{"pix_iterations_thrown", metrics.Counter, metrics.Default, &m.thrown},
		{"pix_rules_asked", metrics.Counter, metrics.Default, &m.asked},
		{"pix_rules_broken", metrics.Counter, metrics.Default, &m.broken},
	} {
		metric, err := registry.NewMetric(wanted.name, wanted.kind, wanted.contains)
		if err != nil {
			return nil, err
		}
		*wanted.into = metric
	}
	for name := range (ledger.Counts{}).All() {
		metric, err := registry.NewMetric("pix_"+name, metrics.Counter)
		if err != nil {
			return nil, err
		}
		m.counts[name] = metric
	}
	return m, nil
}

// ticker pushes the run's figures into k6's metrics, every second and a last time at the
// end.
type ticker struct {
	run      *run.Run
	metrics  *pixMetrics
	samples  chan<- metrics.SampleContainer
	tags     *metrics.TagSet
	origins  *origins
	limited  []*metrics.TagSet  // of calls, by thresholds
	told     []map[string]int64 // counts pushed so far, by origin
	thrown   *int64             // pushed so far; nil: nothing
	ruled    []result.Rule      // pushed so far
	stopping chan struct{}
	stopped  sync.WaitGroup
}

func newTicker(r *run.Run, m *pixMetrics, o *origins, samples chan<- metrics.SampleContainer, tags *metrics.TagSet, thresholds map[string]metrics.Thresholds) *ticker {
	k := &ticker{run: r, metrics: m, samples: samples, tags: tags, origins: o, stopping: make(chan struct{})}
	for metric := range thresholds {
		if of := result.OriginTags(metric); len(of) > 0 {
			k.limited = append(k.limited, tags.WithTagsFromMap(of))
		}
	}
	k.stopped.Go(k.every)
	return k
}

// refresh is how often metrics are pushed.
const refresh = time.Second

func (k *ticker) every() {
	clock := time.NewTicker(refresh)
	defer clock.Stop()
	for {
		select {
		case <-k.stopping:
			return
		case now := <-clock.C:
			k.tell(now)
		}
	}
}

// stop ends the ticks. The caller pushes the final figures.
func (k *ticker) stop() {
	close(k.stopping)
	k.stopped.Wait()
}

func (k *ticker) tell(now time.Time) {
	backlog := k.run.Backlog(now)
	figures, counts := k.run.Live(now)
	b := &batch{tags: k.tags, now: now}
	k.figures(b, figures)
	k.lately(b, k.run.LastSecond(now))
	k.counted(b, counts)
	b.add(k.metrics.backlog, b.tags, float64(backlog))
	k.threw(b)
	k.rules(b)
	k.samples <- b.samples
}

// conclude pushes the final figures.
func (k *ticker) conclude(now time.Time, res *result.Result) {
	figures, _ := k.run.Live(now)
	b := &batch{tags: k.tags, now: now}
	k.figures(b, figures)
	counts := make([]ledger.Counts, len(res.Origins)+1)
	for i, of := range res.Origins {
		counts[i+1] = of.Counts
	}
	counts[0] = res.Unattributed()
	if k.run.Config().Shared {
		counts[0].MoneyDrift = 0 // other instances move money that this ledger does not know of
	}
	k.counted(b, counts)
	b.add(k.metrics.invalid, b.tags, float64(len(res.Validity.Reasons)))
	k.threw(b)
	k.rules(b)
	k.samples <- b.samples
}

// figures of the run so far. Of the shares of failed requests, that of all operations is pushed
// last, so that k6 uses it for a threshold without an operation.
func (k *ticker) figures(b *batch, figures []measure.Measurements) {
	m := k.metrics
	for _, v := range k.views(figures) {
		for name, op := range v.Operations {
			of := v.tags.With("operation", name)
			b.stats(m.duration, of.With("from", "send"), op.Send)
			b.stats(m.duration, of.With("from", "intended"), op.Intended)
			b.add(m.failed, of, float64(op.Failed)/float64(op.Count))
		}
		if all := v.Total(); all.Count > 0 {
			b.add(m.failed, v.tags, float64(all.Failed)/float64(all.Count))
		}
		b.stats(m.delivery, v.tags.With("from", "acceptance"), v.Delivery.Acceptance)
		b.stats(m.delivery, v.tags.With("from", "intended"), v.Delivery.Intended)
		b.stats(m.lag, v.tags, v.ScheduleLag)
		b.stats(m.hiccup, v.tags, v.Hiccup)
	}
}

// lately pushes the figures of the last second, for dashboards.
func (k *ticker) lately(b *batch, second measure.Interval) {
	m := k.metrics
	for name, op := range second.Operations {
		b.stats(m.durationNow, b.tags.With("operation", name).With("from", "intended"), op.Intended)
	}
	b.stats(m.deliveryNow, b.tags.With("from", "acceptance"), second.Delivery)
}

// rules pushes the growth of the questions about each rule, and of the answers that broke it.
func (k *ticker) rules(b *batch) {
	for i, rule := range k.run.Rules() {
		if i >= len(k.ruled) {
			k.ruled = append(k.ruled, result.Rule{})
		}
		told := &k.ruled[i]
		if tags := b.tags.With("rule", rule.Name); rule.Asked > told.Asked || rule.Broken > told.Broken {
			b.add(k.metrics.asked, tags, float64(rule.Asked-told.Asked))
			b.add(k.metrics.broken, tags, float64(rule.Broken-told.Broken))
			*told = rule
		}
	}
}

// threw pushes the growth of thrown iterations, and zero once if they are counted at all.
func (k *ticker) threw(b *batch) {
	n, counted := k.run.Thrown()
	if !counted || k.thrown != nil && *k.thrown == n {
		return
	}
	more := n
	if k.thrown != nil {
		more -= *k.thrown
	}
	b.add(k.metrics.thrown, b.tags, float64(more))
	k.thrown = &n
}

// batch collects the samples of one push.
type batch struct {
	samples metrics.Samples
	tags    *metrics.TagSet
	now     time.Time
}

func (b *batch) add(m *metrics.Metric, tags *metrics.TagSet, value float64) {
	b.samples = append(b.samples, metrics.Sample{TimeSeries: metrics.TimeSeries{Metric: m, Tags: tags}, Time: b.now, Value: value})
}

func (b *batch) stats(m *metrics.Metric, tags *metrics.TagSet, h *measure.Histogram) {
	for _, of := range measure.Quantiles {
		if d, ok := h.Quantile(of.Q); ok {
			b.add(m, tags.With("stat", of.Name), metrics.D(d))
		}
	}
}
