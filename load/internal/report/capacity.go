package report

import (
	"math"
	"slices"
	"time"

	"github.com/pixcert/pixcert/load/internal/capacity"
)

// windowVerdicts say how the page shows each verdict on a window of the search.
var windowVerdicts = []struct {
	verdict capacity.Verdict
	words   string
	colour  int
	cross   bool
	mark    mark
}{
	{capacity.Held, "passed", 3, false, good},
	{capacity.Exceeded, "limit exceeded", 2, true, bad},
	{capacity.Generator, "generator limited", 8, true, warn},
}

// windowTable has the windows in the order in which they ran.
func windowTable(c capacity.Curve) table {
	t := table{
		Note:    "Limits: " + c.Hold.String() + ". Latency from the intended start, delivery from acceptance.",
		Columns: slices.Concat([]column{text("purpose")}, figures("rate", "achieved", "p50", "p99", "p99.9", "delivery p99", "backlog growth", "limit", "failed", "CPU"), []column{text("verdict")}),
	}
	for _, p := range c.Points {
		verdict, m := string(p.Verdict), plain
		for _, v := range windowVerdicts {
			if v.verdict == p.Verdict {
				verdict = v.words
				m = markIf(v.mark != good, v.mark)
			}
		}
		if p.Reason != "" {
			verdict += ": " + p.Reason
		}
		t.add(m, string(p.Purpose), number(round(p.Rate)), number(round(p.Achieved)), measured(p.P50), measured(p.P99), measured(p.P999),
			measured(p.Delivery), number(round(p.Growth))+"/s", mayGrow(p), percent(p.Failed), percent(p.CPU), verdict)
	}
	return t
}

// measured is a figure of a window: 0 means that nothing was measured.
func measured(d time.Duration) string {
	if d <= 0 {
		return none
	}
	return duration(d)
}

// mayGrow is the limit on the growth of the backlog; older results do not have it.
func mayGrow(p capacity.Point) string {
	if p.MayGrow <= 0 {
		return none
	}
	return number(round(p.MayGrow)) + "/s"
}

// curvePlot is latency over rate, with a symbol for each window.
func curvePlot(c capacity.Curve, points []capacity.Point) *plot {
	p := &plot{ID: "capacity", Title: "Latency over rate", About: "p99 of each window from the intended start; a cross marks a window that failed."}
	for _, v := range windowVerdicts {
		p.Lines = append(p.Lines, line{Name: v.words, Colour: v.colour, Points: true, Cross: v.cross, Values: pointValues(points, func(pt capacity.Point) float64 {
			if pt.Verdict != v.verdict || pt.P99 <= 0 {
				return math.NaN()
			}
			return inMilliseconds(pt.P99)
		})})
	}
	if c.Hold.Latency > 0 {
		p.Rules = []rule{{inMilliseconds(c.Hold.Latency), "limit " + duration(c.Hold.Latency)}}
	}
	p.Grid = pointValues(points, func(pt capacity.Point) float64 { return pt.Rate })
	p.X = fromZero("requested rate, per second", number, p.Grid)
	p.Y = latencies("p99", append(p.sets(), []float64{inMilliseconds(c.Hold.Latency)})...)
	return p
}

// achievedPlot shows where more load does not increase the throughput.
func achievedPlot(points []capacity.Point) *plot {
	p := &plot{ID: "achieved", Title: "Throughput", About: "Successful requests per second against the requested rate. Where they diverge, the gateway is at capacity."}
	p.Grid = pointValues(points, func(pt capacity.Point) float64 { return pt.Rate })
	p.Lines = []line{
		{Name: "requested", Colour: 8, Dashed: true, Values: p.Grid},
		{Name: "achieved", Colour: 1, Points: true, Values: pointValues(points, func(pt capacity.Point) float64 { return pt.Achieved })},
	}
	p.X, p.Y = fromZero("requested rate, per second", number, p.Grid), fromZero("per second", number, p.sets()...)
	return p
}

func pointValues(points []capacity.Point, of func(capacity.Point) float64) []float64 {
	out := make([]float64, len(points))
	for i, p := range points {
		out[i] = of(p)
	}
	return out
}
