package report

import (
	"fmt"
	"math"

	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/result"
)

// timed is the timeline for plots: a value for every interval of the load, NaN if nothing happened,
// and for those after it in which something did.
type timed struct {
	r      result.Result
	grid   []float64 // seconds since the run began, middle of each interval
	at     []*measure.Interval
	length float64
}

func timedOf(r result.Result) timed {
	t := timed{r: r, length: float64(max(r.Timeline.Seconds, 1))}
	intervals := r.Timeline.Intervals
	if len(intervals) == 0 {
		return t
	}
	start := float64(r.Started.UnixMilli()) / 1000
	for at, i := intervals[0].At, 0; i < len(intervals); at += int64(t.length) {
		var of *measure.Interval
		if intervals[i].At <= at {
			of = &intervals[i]
			i++
		}
		if during := at <= r.Ended.Unix(); during || of != nil && (len(of.Operations) > 0 || of.Delivery != nil) {
			t.at, t.grid = append(t.at, of), append(t.grid, max(0, float64(at)+t.length/2-start))
		}
	}
	return t
}

// values reads one figure of each interval. A missing interval counts as empty for a rate
// and as unknown for a latency.
func (t timed) values(absent float64, of func(measure.Interval) float64) []float64 {
	out := make([]float64, len(t.at))
	for i, interval := range t.at {
		out[i] = absent
		if interval != nil {
			out[i] = of(*interval)
		}
	}
	return out
}

func (t timed) quantile(q float64, of func(measure.Interval) *measure.Histogram) []float64 {
	return t.values(math.NaN(), func(i measure.Interval) float64 { return millisecondsAt(of(i), q) })
}

// axis is the time span of the intervals.
func (t timed) axis() axis {
	if len(t.grid) == 0 {
		return elapsed(0)
	}
	return elapsed(t.grid[len(t.grid)-1] + t.length/2)
}

func (t timed) warmup() *band {
	if t.r.Warmup <= 0 {
		return nil
	}
	return &band{From: 0, To: t.r.Warmup, Label: "warm-up"}
}

// plot is a plot over time; the caller chooses the y axis.
func (t timed) plot(id, title, about string, lines ...line) *plot {
	return &plot{ID: id, Title: title, About: about, X: t.axis(), Grid: t.grid, Lines: lines, Band: t.warmup()}
}

func (p *plot) sets() [][]float64 {
	out := make([][]float64, len(p.Lines))
	for i, l := range p.Lines {
		out[i] = l.Values
	}
	return out
}

func millisecondsAt(h *measure.Histogram, q float64) float64 {
	d, ok := h.Quantile(q)
	if !ok {
		return math.NaN()
	}
	return inMilliseconds(d)
}

func ratePlot(r result.Result) *plot {
	t := timedOf(r)
	rate := func(of func(measure.Activity) int64) []float64 {
		return t.values(0, func(i measure.Interval) float64 { return float64(of(i.Total())) / t.length })
	}
	p := t.plot("rate", "Requests per second", "Sent, completed and failed requests in each interval.",
		line{Name: "sent", Colour: 1, Values: rate(func(a measure.Activity) int64 { return a.Started })},
		line{Name: "completed", Colour: 3, Dashed: true, Values: rate(func(a measure.Activity) int64 { return a.Count })},
		line{Name: "failed", Colour: 2, Values: rate(func(a measure.Activity) int64 { return a.Failed })})
	p.Y = fromZero("per second", number, p.sets()...)
	return p
}

func latencyPlot(r result.Result) *plot {
	return quantilePlot(r, "latency", "Latency over time", "All operations, from the intended start, in each interval; the scale is logarithmic.",
		func(i measure.Interval) *measure.Histogram { return i.Total().Intended })
}

func deliveryPlot(r result.Result) *plot {
	return quantilePlot(r, "delivery", "Webhook delivery over time", "From the response that accepted a payment to its webhook, by arrival time of the webhook; the scale is logarithmic.",
		func(i measure.Interval) *measure.Histogram { return i.Delivery })
}

func quantilePlot(r result.Result, id, title, about string, of func(measure.Interval) *measure.Histogram) *plot {
	t := timedOf(r)
	p := t.plot(id, title, about,
		line{Name: "p50", Colour: 1, Values: t.quantile(0.5, of)},
		line{Name: "p99", Colour: 2, Values: t.quantile(0.99, of)},
		line{Name: "max", Colour: 4, Dashed: true, Values: t.quantile(1, of)})
	p.Y = latencies(id, p.sets()...)
	return p
}

func backlogPlot(r result.Result) *plot {
	t := timedOf(r)
	p := t.plot("backlog", "Backlog", "Accepted payments whose webhook has not arrived, the maximum in each interval. If the backlog grows at a steady rate, the load exceeds the gateway's capacity.",
		line{Name: "payments waiting", Colour: 1, Values: t.values(math.NaN(), func(i measure.Interval) float64 { return float64(i.Backlog) })})
	p.Y = fromZero("payments", number, p.sets()...)
	return p
}

// hues is how many lines can be told apart in one plot.
const hues = 8

// percentilePlot overlays the operations.
func percentilePlot(r result.Result) *plot {
	names := busiest(r)
	about := "All operations, from the intended start. Each step to the right on the axis is ten times rarer."
	if len(names) > hues {
		about += fmt.Sprintf(" The %d most frequent of %d operations.", hues, len(names))
		names = names[:hues]
	}
	var lines []line
	var most int64
	for _, name := range names {
		most = max(most, r.Operations[name].Intended.Count())
	}
	grid := quantileGrid(most)
	for i, name := range names {
		lines = append(lines, line{Name: name, Colour: i + 1, Values: distribution(r.Operations[name].Intended, grid)})
	}
	return percentiles("percentiles", "Percentiles", about, grid, lines)
}

// operationPlots has a small plot for each operation: from the intended start and from the
// send.
func operationPlots(r result.Result) []*plot {
	var out []*plot
	for i, name := range busiest(r) {
		op := r.Operations[name]
		grid := quantileGrid(op.Intended.Count())
		p := percentiles(fmt.Sprintf("operation-%d", i), name, "Percentiles of "+name+" from the intended start and from the send.", grid, []line{
			{Name: "from the intended start", Colour: 1, Values: distribution(op.Intended, grid)},
			{Name: "from the send", Colour: 2, Dashed: true, Values: distribution(op.Send, grid)},
		})
		p.Small = true
		out = append(out, p)
	}
	return out
}

func percentiles(id, title, about string, grid []float64, lines []line) *plot {
	p := &plot{ID: id, Title: title, About: about, Grid: grid, Lines: lines}
	p.X, p.Y = quantiles(grid[len(grid)-1]), latencies("latency", p.sets()...)
	return p
}

// quantileGrid is the quantiles that n values resolve, eight to a factor of ten, plus the
// median, which is on none of these steps.
func quantileGrid(n int64) []float64 {
	grid := []float64{0}
	median := false
	for k := 1; k <= 48; k++ {
		rest := math.Pow(10, -float64(k)/8)
		if rest*float64(n) < 1-1e-9 {
			break
		}
		if q := 1 - rest; q > 0.5 && !median {
			grid, median = append(grid, 0.5, q), true
		} else {
			grid = append(grid, q)
		}
	}
	if !median {
		grid = append(grid, 0.5)
	}
	return grid
}

// distribution is a histogram's values at the quantiles that it resolves.
func distribution(h *measure.Histogram, grid []float64) []float64 {
	out := make([]float64, len(grid))
	for i, q := range grid {
		out[i] = math.NaN()
		if q <= 0.5 || h.Resolves(q) {
			out[i] = millisecondsAt(h, q)
		}
	}
	return out
}
