package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/history"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Plots are so many units wide and high; the page scales them.
const (
	plotWidth  = 360
	plotHeight = 30
)

// htmlLatency is the table of latencies, with a plot of each row on one logarithmic scale.
type htmlLatency struct {
	Width       int
	Concurrency int
	Ticks       []htmlTick
	Rows        []htmlLatencyRow
}

type htmlTick struct {
	X      float64
	Label  string
	Anchor string
}

type htmlLatencyRow struct {
	verdict.Latency
	Bars   []htmlBar
	Median float64
}

type htmlBar struct {
	X, Y, W, H float64
	Class      string
}

type htmlDot struct{ X, Y float64 }

// latencyPlots draws the latencies of a run; nil without any.
func latencyPlots(r *verdict.Run) *htmlLatency {
	if len(r.Latencies) == 0 {
		return nil
	}
	low, high := time.Duration(math.MaxInt64), time.Duration(0)
	for _, l := range r.Latencies {
		for _, b := range l.Buckets {
			low, high = min(low, b.UpTo), max(high, b.UpTo)
		}
	}
	scale := scaleOf(low, high)
	page := &htmlLatency{Width: plotWidth, Concurrency: r.Concurrency, Ticks: scale.ticks()}
	for _, l := range r.Latencies {
		row := htmlLatencyRow{Latency: l, Median: scale.at(l.P50)}
		most := 0
		for _, b := range l.Buckets {
			most = max(most, b.Count)
		}
		for _, b := range l.Buckets {
			right := scale.at(b.UpTo)
			width := math.Min(right, scale.bucket)
			height := math.Max(plotHeight*float64(b.Count)/float64(most), 1.5) // few are few, but not none
			row.Bars = append(row.Bars, htmlBar{X: tenth(right - width), Y: tenth(plotHeight - height), W: tenth(math.Max(width-0.6, 1)), H: tenth(height)})
		}
		page.Rows = append(page.Rows, row)
	}
	return page
}

// logScale is a logarithmic scale from one bucket of latencies to another.
type logScale struct {
	from, to float64 // log10 of milliseconds
	bucket   float64 // width of a bucket
}

func scaleOf(low, high time.Duration) logScale {
	s := logScale{from: logOf(low) - 1.0/verdict.BucketsPerDecade, to: logOf(high)}
	s.bucket = plotWidth / (s.to - s.from) / verdict.BucketsPerDecade
	return s
}

func logOf(d time.Duration) float64 {
	return math.Log10(float64(max(d, time.Microsecond)) / float64(time.Millisecond))
}

func (s logScale) at(d time.Duration) float64 { return s.x(logOf(d)) }

func (s logScale) x(log float64) float64 {
	return tenth(math.Min(math.Max((log-s.from)/(s.to-s.from)*plotWidth, 0), plotWidth))
}

// ticks are the powers of ten.
func (s logScale) ticks() (all []htmlTick) {
	const half = 22 // of a label
	for log := math.Ceil(s.from); log <= s.to; log++ {
		tick := htmlTick{s.x(log), powerOfTen(math.Pow(10, log)), "middle"}
		switch {
		case tick.X < half:
			tick.Anchor = "start"
		case tick.X > plotWidth-half:
			tick.Anchor = "end"
		}
		all = append(all, tick)
	}
	return all
}

// powerOfTen is a power of ten of milliseconds with its unit.
func powerOfTen(ms float64) string {
	switch {
	case ms < 1:
		return fmt.Sprintf("%.4g µs", ms*1000)
	case ms < 1000:
		return fmt.Sprintf("%.4g ms", ms)
	}
	return fmt.Sprintf("%.4g s", ms/1000)
}

// tenth rounds to what can be seen.
func tenth(x float64) float64 { return math.Round(10*x) / 10 }

// htmlTrend is a history with its plots.
type htmlTrend struct {
	*history.Trend
	Width         int
	RuleRows      []htmlRuleRow
	OperationRows []htmlOperationRow
}

type htmlRuleRow struct {
	history.RuleTrend
	Known bool // the page has the rule
	Bars  []htmlBar
}

// SpokenIn says what the plot shows.
func (r htmlRuleRow) SpokenIn(in translation.Language) string {
	var words []string
	for _, result := range r.Results {
		words = append(words, result.In(in))
	}
	return strings.Join(words, ", ")
}

type htmlOperationRow struct {
	history.OperationTrend
	Line string // points of the line; empty for fewer than two
	Dots []htmlDot
}

// trendPlots draws a history; nil without one.
func trendPlots(trend *history.Trend, run *verdict.Run) *htmlTrend {
	if trend == nil {
		return nil
	}
	page := &htmlTrend{Trend: trend, Width: plotWidth}
	step := plotWidth / float64(max(len(trend.Runs), 10))
	for _, r := range trend.Rules {
		row := htmlRuleRow{RuleTrend: r, Known: slices.ContainsFunc(run.Rules, func(known verdict.Rule) bool { return known.Name == r.Rule })}
		for i, result := range r.Results {
			height := map[history.Result]float64{history.Failed: plotHeight, history.FailedSometimes: plotHeight / 2, history.Passed: 3}[result]
			if height == 0 {
				continue
			}
			class := "pass"
			if result.Failing() {
				class = "fail"
			}
			row.Bars = append(row.Bars, htmlBar{X: tenth(float64(i) * step), Y: plotHeight - height, W: tenth(step - 2), H: height, Class: class})
		}
		page.RuleRows = append(page.RuleRows, row)
	}
	for _, o := range trend.Operations {
		page.OperationRows = append(page.OperationRows, operationPlot(o, step))
	}
	return page
}

func operationPlot(o history.OperationTrend, step float64) htmlOperationRow {
	row := htmlOperationRow{OperationTrend: o}
	most := 0.0
	for _, ms := range o.MedianMs {
		if ms != nil {
			most = math.Max(most, *ms)
		}
	}
	var points []string
	for i, ms := range o.MedianMs {
		if ms == nil || most == 0 {
			continue
		}
		dot := htmlDot{tenth((float64(i) + 0.5) * step), tenth(plotHeight - 2 - (plotHeight-4)**ms/most)}
		row.Dots = append(row.Dots, dot)
		points = append(points, fmt.Sprintf("%g,%g", dot.X, dot.Y))
	}
	if len(points) > 1 {
		row.Line = strings.Join(points, " ")
	}
	return row
}
