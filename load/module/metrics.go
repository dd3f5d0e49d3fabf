package module

import (
	"sync"
	"time"

	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/ledger"
	"github.com/pixcert/pixcert/load/measure"
	"github.com/pixcert/pixcert/load/result"
	"github.com/pixcert/pixcert/load/run"
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
	told     map[string]int64 // counts pushed so far
	thrown   *int64           // pushed so far; nil: nothing
	first    bool
	stopping chan struct{}
	stopped  sync.WaitGroup
}

func newTicker(r *run.Run, m *pixMetrics, samples chan<- metrics.SampleContainer, tags *metrics.TagSet) *ticker {
	k := &ticker{run: r, metrics: m, samples: samples, tags: tags, told: map[string]int64{}, first: true, stopping: make(chan struct{})}
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
	live, counts := k.run.Live(now)
	b := &batch{tags: k.tags, now: now}
	k.latencies(b, live)
	k.failures(b, live)
	k.lately(b, k.run.LastSecond(now))
	k.counted(b, counts)
	b.add(k.metrics.backlog, b.tags, float64(backlog))
	k.threw(b)
	k.samples <- b.samples
}

// conclude pushes the final figures.
func (k *ticker) conclude(now time.Time, res *result.Result) {
	live, _ := k.run.Live(now)
	b := &batch{tags: k.tags, now: now}
	k.latencies(b, live)
	k.failures(b, live)
	counts := res.Ledger.Counts
	if k.run.Config().Shared {
		counts.MoneyDrift = 0 // other instances move money that this ledger does not know of
	}
	k.counted(b, counts)
	b.add(k.metrics.invalid, b.tags, float64(len(res.Validity.Reasons)))
	k.threw(b)
	k.samples <- b.samples
}

// latencies are the figures of the run so far.
func (k *ticker) latencies(b *batch, live measure.Live) {
	m := k.metrics
	for name, op := range live.Operations {
		b.stats(m.duration, b.tags.With("operation", name).With("from", "send"), op.Send)
		b.stats(m.duration, b.tags.With("operation", name).With("from", "intended"), op.Intended)
	}
	b.stats(m.delivery, b.tags.With("from", "acceptance"), live.Acceptance)
	b.stats(m.delivery, b.tags.With("from", "intended"), live.Delivery)
	b.stats(m.lag, b.tags, live.ScheduleLag)
	b.stats(m.hiccup, b.tags, live.Hiccup)
}

// failures are the shares of failed requests. That of all operations is pushed last, so that
// k6 uses it for a threshold without an operation.
func (k *ticker) failures(b *batch, live measure.Live) {
	var all measure.LiveOperation
	for name, op := range live.Operations {
		if op.Count > 0 {
			b.add(k.metrics.failed, b.tags.With("operation", name), float64(op.Failed)/float64(op.Count))
		}
		all.Count, all.Failed = all.Count+op.Count, all.Failed+op.Failed
	}
	if all.Count > 0 {
		b.add(k.metrics.failed, b.tags, float64(all.Failed)/float64(all.Count))
	}
}

// lately pushes the figures of the last second, for dashboards.
func (k *ticker) lately(b *batch, second measure.Window) {
	m := k.metrics
	for name, op := range second.Operations {
		b.stats(m.durationNow, b.tags.With("operation", name).With("from", "intended"), op.Intended.Stats())
	}
	b.stats(m.deliveryNow, b.tags.With("from", "acceptance"), second.Delivery.Stats())
}

// counted pushes the growth of counts. Zero is pushed once, so that a threshold on zero has a
// value. After a count was corrected downwards, nothing is pushed until it exceeds what was
// pushed: k6 would accept a negative number, but the outputs for its counters may not.
func (k *ticker) counted(b *batch, counts ledger.Counts) {
	for name, n := range counts.All() {
		more := n - k.told[name]
		if more > 0 || k.first {
			b.add(k.metrics.counts[name], b.tags, float64(max(more, 0)))
			k.told[name] = max(n, 0)
		}
	}
	k.first = false
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

var statistics = []string{"p50", "p90", "p95", "p99", "p999", "max"}

func (b *batch) stats(m *metrics.Metric, tags *metrics.TagSet, s measure.Stats) {
	for _, name := range statistics {
		if d, ok := s.Stat(name); ok {
			b.add(m, tags.With("stat", name), metrics.D(d))
		}
	}
}
