package capacity

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// String is the outcome in one sentence.
func (c Curve) String() string {
	switch c.Outcome {
	case Found:
		return fmt.Sprintf("capacity: %s/s, confirmed; %s/s failed", count(c.Rate), count(c.Limit))
	case ReachedMax:
		return fmt.Sprintf("capacity: at least %s/s, the highest rate allowed, confirmed", count(c.Rate))
	case GeneratorLimited:
		if c.Rate == 0 {
			return fmt.Sprintf("generator limited at %s/s: no result for the target", count(c.Limit))
		}
		return fmt.Sprintf("generator limited at %s/s: the target sustains at least %s/s, confirmed",
			count(c.Limit), count(c.Rate))
	case NoneHeld:
		return fmt.Sprintf("no capacity found: even %s/s failed%s", count(c.Limit), c.why(c.Limit))
	case Unconfirmed:
		return fmt.Sprintf("no capacity found: %s/s passed a window, but no rate passed the longer one", count(c.Held))
	}
	return fmt.Sprintf("capacity search interrupted: %s/s passed a window, nothing is confirmed", count(c.Held))
}

// why is the last reason for which a rate failed.
func (c Curve) why(rate float64) (reason string) {
	for _, p := range c.Points {
		if p.Rate == rate && p.Reason != "" {
			reason = ": " + p.Reason
		}
	}
	return reason
}

// Write prints the curve for a terminal of 80 columns: the outcome, the windows in the order
// in which they ran, why windows failed, and the latency over the rate.
func (c Curve) Write(w io.Writer) error {
	var b strings.Builder
	b.WriteString(c.String() + "\n")
	if limits := c.Hold.String(); limits != "" {
		b.WriteString("limits: " + limits + "\n")
	}
	if len(c.Points) > 0 {
		fmt.Fprintf(&b, "backlog/max: growth per second, and its limit: %s of the rate, or chance\n\n", percent(maxGrowth))
		c.table(&b)
		b.WriteString("\n")
		c.reasons(&b)
		c.plot(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String lists the limits.
func (l Limits) String() string {
	var parts []string
	if l.Latency > 0 {
		parts = append(parts, "p99 "+brief(l.Latency)+" from the intended start")
	}
	if l.Delivery > 0 {
		parts = append(parts, "webhook p99 "+brief(l.Delivery))
	}
	return strings.Join(append(parts, "failed "+percent(l.Failed)), ", ")
}

func (c Curve) table(b *strings.Builder) {
	const row = "%3s %-7s %6s %6s %7s %7s %7s %7s %11s %5s %4s\n"
	fmt.Fprintf(b, row, "#", "purpose", "rate/s", "done/s", "p50", "p99", "p99.9", "webhook", "backlog/max", "fail", "cpu")
	for i, p := range c.Points {
		fmt.Fprintf(b, row, number(i, p), p.Purpose, count(p.Rate), count(p.Achieved),
			brief(p.P50), brief(p.P99), brief(p.P999), brief(p.Delivery),
			p.backlog(), percent(p.Failed), fmt.Sprintf("%.0f%%", 100*p.CPU))
	}
}

// number is the window's number, with a mark if it failed.
func number(i int, p Point) string {
	return marks[p.Verdict] + fmt.Sprint(i+1)
}

var marks = map[Verdict]string{Held: "", Exceeded: "x", Generator: "g"}

func (c Curve) reasons(b *strings.Builder) {
	missed := false
	for i, p := range c.Points {
		if p.Verdict != Held {
			fmt.Fprintf(b, "%3s %s\n", number(i, p), p.Reason)
			missed = true
		}
	}
	if missed {
		b.WriteString("\n")
	}
}

const plotWidth = 56

// plot draws one bar per window: the p99 on a logarithmic scale, by rate.
func (c Curve) plot(b *strings.Builder) {
	points := slices.Clone(c.Points)
	slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(a.Rate, b.Rate) })
	least, most := c.span()
	column := func(d time.Duration) int {
		if d <= 0 {
			return 0
		}
		share := math.Log(float64(d)/least) / math.Log(most/least)
		return 1 + int(math.Round(share*(plotWidth-1)))
	}
	limit := column(c.Hold.Latency)
	b.WriteString("p99 by rate, logarithmic")
	if limit > 0 {
		b.WriteString("; | is the limit")
	}
	for _, v := range []struct {
		Verdict
		words string
	}{{Exceeded, "limit exceeded"}, {Generator, "generator limited"}} {
		if slices.ContainsFunc(points, func(p Point) bool { return p.Verdict == v.Verdict }) {
			b.WriteString("; " + marks[v.Verdict] + " " + v.words)
		}
	}
	b.WriteString("\n")
	for _, p := range points {
		line := []rune(strings.Repeat(" ", plotWidth+1))
		for i := range min(column(p.P99), plotWidth) {
			line[i] = '█'
		}
		if limit > 0 && limit <= plotWidth {
			line[limit] = '|'
		}
		fmt.Fprintf(b, "%8s %1s%s %s\n", count(p.Rate), marks[p.Verdict], string(line), brief(p.P99))
	}
}

// span is the lowest and highest latency to plot, in nanoseconds.
func (c Curve) span() (least, most float64) {
	least, most = math.Inf(1), 0
	for _, p := range append(slices.Clone(c.Points), Point{P99: c.Hold.Latency}) {
		if p.P99 > 0 {
			least, most = min(least, float64(p.P99)), max(most, float64(p.P99))
		}
	}
	return least / 1.5, most
}

// count is a rate without needless digits.
func count(rate float64) string {
	if rate >= 100 || rate == math.Trunc(rate) {
		return fmt.Sprintf("%.0f", rate)
	}
	return fmt.Sprintf("%.4g", rate)
}

// backlog is its growth per second, and the limit on that.
func (p Point) backlog() string {
	sign := "+"
	if p.Growth < 0 {
		sign = "-"
	}
	text := sign + tenths(math.Abs(p.Growth))
	if p.MayGrow > 0 {
		text += "/" + tenths(p.MayGrow)
	}
	return text
}

// tenths is a rate, with a decimal if it is below 100.
func tenths(rate float64) string {
	if math.Abs(rate) >= 100 {
		return fmt.Sprintf("%.0f", rate)
	}
	return fmt.Sprintf("%.1f", rate)
}

func percent(share float64) string { return fmt.Sprintf("%.3g%%", 100*share) }

// brief is a duration with three significant digits, or a dash for 0.
func brief(d time.Duration) string {
	if d <= 0 {
		return "-"
	}
	unit := time.Duration(math.Pow10(int(math.Log10(float64(d))) - 2))
	return d.Round(max(unit, 1)).String()
}
