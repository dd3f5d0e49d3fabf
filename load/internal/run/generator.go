package run

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/pixcert/pixcert/load/internal/result"
)

// generator measures how late the generator itself was: whether a run is valid depends on it.
type generator struct {
	mu                 sync.Mutex
	lag, hiccup        *hdrhistogram.Histogram
	requests, webhooks delays
}

// delays are the latencies from the intended start, and what they would have been, at least, with a generator that is
// never late.
type delays struct{ measured, least *hdrhistogram.Histogram }

func newGenerator() *generator {
	return &generator{lag: newHistogram(), hiccup: newHistogram(), requests: newDelays(), webhooks: newDelays()}
}

func newDelays() delays { return delays{newHistogram(), newHistogram()} }

const longest = time.Hour // the longest duration that a histogram tells from others: longer ones count as this

// newHistogram is of microseconds, to one in a hundred.
func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, int64(longest/time.Microsecond), 2)
}

// record counts a duration.
func (g *generator) record(in *hdrhistogram.Histogram, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = in.RecordValue(micros(d)) // within the histogram's range
}

// delayed counts a latency, of which the generator itself may have caused own.
func (g *generator) delayed(of delays, took, own time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = of.measured.RecordValue(micros(took))
	_ = of.least.RecordValue(micros(took - own))
}

func micros(d time.Duration) int64 { return int64(min(max(d, 0), longest) / time.Microsecond) }

// figures are those for the result.
func (g *generator) figures(cpu float64) result.Generator {
	g.mu.Lock()
	defer g.mu.Unlock()
	return result.Generator{
		CPU: cpu, ScheduleLag: p99(g.lag), Hiccup: p99(g.hiccup),
		Requests: latencies(g.requests), Webhooks: latencies(g.webhooks),
	}
}

// p99 in milliseconds; 0 with too few values, whose p99 is the maximum.
func p99(h *hdrhistogram.Histogram) float64 {
	if h.TotalCount() < 100 {
		return 0
	}
	return float64(h.ValueAtQuantile(99)) / 1000
}

func latencies(d delays) (l result.Latencies) {
	for _, p := range result.Percentiles {
		l.Measured = append(l.Measured, float64(d.measured.ValueAtPercentile(p))/1000)
		l.Least = append(l.Least, float64(d.least.ValueAtPercentile(p))/1000)
	}
	l.Count = d.measured.TotalCount()
	return l
}
