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

// newMetrics registers the metrics of this module. Latencies are passed to k6 as gauges of their
// quantiles, because k6's Trend keeps every value.
func newMetrics(registry *metrics.Registry) (map[string]*metrics.Metric, error) {
	registered := map[string]*metrics.Metric{}
	for name, of := range result.Metrics {
		kind, contains := metrics.Gauge, metrics.Default
		if of.Counter {
			kind = metrics.Counter
		}
		if of.Time {
			contains = metrics.Time
		}
		metric, err := registry.NewMetric(name, kind, contains)
		if err != nil {
			return nil, err
		}
		registered[name] = metric
	}
	return registered, nil
}

// ticker pushes the run's figures into k6's metrics, every second and a last time at the
// end.
type ticker struct {
	run      *run.Run
	metrics  map[string]*metrics.Metric // by name
	samples  chan<- metrics.SampleContainer
	tags     *metrics.TagSet
	origins  *origins
	limited  []*metrics.TagSet // of calls, by thresholds
	told     map[series]int64  // counts pushed so far
	stopping chan struct{}
	stopped  sync.WaitGroup
}

func newTicker(r *run.Run, m map[string]*metrics.Metric, o *origins, samples chan<- metrics.SampleContainer, tags *metrics.TagSet, thresholds map[string]metrics.Thresholds) *ticker {
	k := &ticker{run: r, metrics: m, samples: samples, tags: tags, origins: o, told: map[series]int64{}, stopping: make(chan struct{})}
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
	b := &batch{metrics: k.metrics, tags: k.tags, now: now}
	k.figures(b, figures)
	k.tokens(b, figures)
	k.lately(b, k.run.LastSecond(now))
	k.counted(b, counts)
	b.add("pix_backlog", b.tags, float64(backlog))
	k.threw(b)
	k.samples <- b.samples
}

// conclude pushes the final figures.
func (k *ticker) conclude(now time.Time, res *result.Result) {
	figures, _ := k.run.Live(now)
	b := &batch{metrics: k.metrics, tags: k.tags, now: now}
	k.figures(b, figures)
	k.tokens(b, figures)
	counts := make([]ledger.Counts, len(res.Origins)+1)
	for i, of := range res.Origins {
		counts[i+1] = of.Counts
	}
	counts[0] = res.Unattributed()
	k.counted(b, counts)
	invalid := len(res.Validity.Reasons)
	if !res.Measured() {
		invalid++
	}
	b.add("pix_invalid", b.tags, float64(invalid))
	k.threw(b)
	k.samples <- b.samples
}

// figures of the run so far. Of the shares of failed requests, that of all operations is pushed
// last, so that k6 uses it for a threshold without an operation.
func (k *ticker) figures(b *batch, figures []measure.Measurements) {
	for _, v := range k.views(figures) {
		for name, op := range v.Operations {
			of := v.tags.With("operation", name)
			b.stats("pix_duration", of.With("from", "send"), op.Send)
			b.stats("pix_duration", of.With("from", "intended"), op.Intended)
			b.add("pix_failed", of, float64(op.Failed)/float64(op.Count))
		}
		if all := v.Total(); all.Count > 0 {
			b.add("pix_failed", v.tags, float64(all.Failed)/float64(all.Count))
		}
		b.stats("pix_webhook_delivery", v.tags.With("from", "acceptance"), v.Delivery.Acceptance)
		b.stats("pix_webhook_delivery", v.tags.With("from", "intended"), v.Delivery.Intended)
		b.stats("pix_schedule_lag", v.tags, v.ScheduleLag)
		b.stats("pix_hiccup", v.tags, v.Hiccup)
	}
}

// tokens pushes the growth of rejected access tokens, with the tags of their origin.
func (k *ticker) tokens(b *batch, figures []measure.Measurements) {
	for n, set := range k.sets() {
		if n >= len(figures) {
			continue
		}
		for name, op := range figures[n].Operations {
			k.grow(b, series{n, "pix_tokens_rejected", set.With("operation", name)}, op.Rejected)
		}
	}
}

// sets are the tags of the origins by number: the first are those of the run.
func (k *ticker) sets() []*metrics.TagSet {
	sets := k.origins.all()
	sets[0] = k.tags
	return sets
}

// lately pushes the figures of the last second, for dashboards.
func (k *ticker) lately(b *batch, second measure.Interval) {
	for name, op := range second.Operations {
		b.stats("pix_duration_now", b.tags.With("operation", name).With("from", "intended"), op.Intended)
	}
	b.stats("pix_webhook_delivery_now", b.tags.With("from", "acceptance"), second.Delivery)
}

// threw pushes the growth of thrown iterations, if they are counted at all.
func (k *ticker) threw(b *batch) {
	if n, counted := k.run.Thrown(); counted {
		k.grow(b, series{0, "pix_iterations_thrown", b.tags}, n)
	}
}

// series is a metric with tags, of the calls of one origin: several may have the same tags.
type series struct {
	origin int
	metric string
	tags   *metrics.TagSet
}

// grow pushes the growth of a count. Zero is pushed once, so that a threshold on zero has a value. After a
// count was corrected downwards, nothing is pushed until it exceeds what was pushed: k6 would accept a
// negative number, but the outputs for its counters may not.
func (k *ticker) grow(b *batch, of series, total int64) {
	told, known := k.told[of]
	if known && total <= told {
		return
	}
	total = max(total, 0)
	b.add(of.metric, of.tags, float64(total-told))
	k.told[of] = total
}

// batch collects the samples of one push.
type batch struct {
	metrics map[string]*metrics.Metric
	samples metrics.Samples
	tags    *metrics.TagSet
	now     time.Time
}

func (b *batch) add(metric string, tags *metrics.TagSet, value float64) {
	b.samples = append(b.samples, metrics.Sample{TimeSeries: metrics.TimeSeries{Metric: b.metrics[metric], Tags: tags}, Time: b.now, Value: value})
}

func (b *batch) stats(metric string, tags *metrics.TagSet, h *measure.Histogram) {
	for _, of := range measure.Quantiles {
		if d, ok := h.Quantile(of.Q); ok {
			b.add(metric, tags.With("stat", of.Name), metrics.D(d))
		}
	}
}
