package report

import (
	"fmt"
	"math"
	"strings"
)

// plot is lines over one grid of x values, drawn as SVG by the template "figure". A table
// under the drawing has the values, for readers who cannot see it.
type plot struct {
	ID    string
	Title string
	About string // what it shows and how to read it; the drawing's text alternative
	Small bool
	X     axis
	Y     axis
	Grid  []float64
	Lines []line
	Band  *band  // a highlighted range of the x axis, such as the warm-up
	Rules []rule // horizontal limits
}

// line is one series. NaN is a gap.
type line struct {
	Name   string
	Colour int // 1 to 8, see the style sheet
	Dashed bool
	Points bool // only symbols, no line
	Cross  bool // the symbol is a cross instead of a dot
	Values []float64
}

type band struct {
	From, To float64
	Label    string
}

// Across is the band's width.
func (b band) Across() float64 { return b.To - b.From }

type rule struct {
	At    float64
	Label string
}

// Empty says whether there is nothing to draw.
func (p *plot) Empty() bool {
	for _, l := range p.Lines {
		for _, v := range l.Values {
			if !math.IsNaN(v) {
				return false
			}
		}
	}
	return true
}

// Geometry of the drawing, in SVG units. Small ones are placed three in a row.
func (p *plot) Width() int {
	if p.Small {
		return 380
	}
	return 1120
}

func (p *plot) Height() int {
	if p.Small {
		return 230
	}
	return 300
}

func (p *plot) Left() float64   { return 62 }
func (p *plot) Right() float64  { return float64(p.Width()) - 24 }
func (p *plot) Top() float64    { return 26 }
func (p *plot) Bottom() float64 { return float64(p.Height()) - 42 }
func (p *plot) Across() float64 { return p.Right() - p.Left() }
func (p *plot) Down() float64   { return p.Bottom() - p.Top() }
func (p *plot) Middle() float64 { return p.Left() + p.Across()/2 }

func (p *plot) x(v float64) float64 { return p.Left() + p.X.share(v)*p.Across() }
func (p *plot) y(v float64) float64 { return p.Bottom() - p.Y.share(v)*p.Down() }

// tick is one value of an axis, in place.
type tick struct {
	At    float64
	Label string
}

func (p *plot) XTicks() []tick { return ticks(p.X, p.x, 44) }
func (p *plot) YTicks() []tick { return ticks(p.Y, p.y, 17) }

// ticks leaves out every label that would be within room of the previous one.
func ticks(a axis, place func(float64) float64, room float64) []tick {
	var out []tick
	for _, v := range a.ticks {
		at := place(v)
		if len(out) == 0 || math.Abs(at-out[len(out)-1].At) >= room {
			out = append(out, tick{At: at, Label: a.format(v)})
		}
	}
	return out
}

// curve is a line as SVG paths.
type curve struct {
	line
	Stroke string // of the line
	Dots   string // of the symbols
}

// Curves are the lines in place. A value with gaps on both sides gets a dot, since a
// line of one point cannot be seen.
func (p *plot) Curves() []curve {
	out := make([]curve, 0, len(p.Lines))
	for _, l := range p.Lines {
		var stroke, dots strings.Builder
		pen := false
		for i, v := range l.Values {
			if math.IsNaN(v) {
				pen = false
				continue
			}
			x, y := p.x(p.Grid[i]), p.y(v)
			alone := !pen && (i+1 == len(l.Values) || math.IsNaN(l.Values[i+1]))
			switch {
			case l.Cross:
				fmt.Fprintf(&dots, "M%.1f %.1fl8 8m0 -8l-8 8", x-4, y-4)
			case l.Points || alone:
				fmt.Fprintf(&dots, "M%.1f %.1fa4 4 0 1 0 8 0a4 4 0 1 0 -8 0", x-4, y)
			}
			if l.Points {
				continue
			}
			command := byte('L')
			if !pen {
				command = 'M'
			}
			fmt.Fprintf(&stroke, "%c%.1f %.1f", command, x, y)
			pen = true
		}
		out = append(out, curve{line: l, Stroke: stroke.String(), Dots: dots.String()})
	}
	return out
}

// Stretch is the band in place; nil: there is none.
func (p *plot) Stretch() *band {
	if p.Band == nil || p.Band.To <= p.Band.From {
		return nil
	}
	return &band{p.x(p.Band.From), p.x(p.Band.To), p.Band.Label}
}

// Limits are the rules in place.
func (p *plot) Limits() []tick {
	var out []tick
	for _, r := range p.Rules {
		if r.At >= p.Y.low && r.At <= p.Y.high {
			out = append(out, tick{At: p.y(r.At), Label: r.Label})
		}
	}
	return out
}

// reading is one x value with the values of all lines, shown while the pointer is over its
// strip.
type reading struct {
	At, From, Across float64
	Lines            []string // broken to fit the drawing's width
}

// Readings are strips that cover the drawing, each around its own x value.
func (p *plot) Readings() []reading {
	out := make([]reading, len(p.Grid))
	for i, v := range p.Grid {
		from, to := p.Left(), p.Right()
		at := p.x(v)
		if i > 0 {
			from = (p.x(p.Grid[i-1]) + at) / 2
		}
		if i+1 < len(p.Grid) {
			to = (at + p.x(p.Grid[i+1])) / 2
		}
		lines := []string{p.X.format(v)}
		for _, l := range p.Lines {
			if math.IsNaN(l.Values[i]) {
				continue
			}
			part := l.Name + " " + p.Y.format(l.Values[i])
			if last := len(lines) - 1; len(lines[last])+len(part) < p.Width()/7 {
				lines[last] += " · " + part
			} else {
				lines = append(lines, part)
			}
		}
		out[i] = reading{At: at, From: from, Across: max(0, to-from), Lines: lines}
	}
	return out
}

// tableRows limits the table under a plot; a long timeline is sampled evenly.
const tableRows = 60

// Rows are the values as text, x first.
func (p *plot) Rows() [][]string {
	step := max(1, (len(p.Grid)+tableRows-1)/tableRows)
	var out [][]string
	for i := 0; i < len(p.Grid); i += step {
		row := []string{p.X.format(p.Grid[i])}
		for _, l := range p.Lines {
			cell := none
			if v := l.Values[i]; !math.IsNaN(v) {
				cell = p.Y.format(v)
			}
			row = append(row, cell)
		}
		out = append(out, row)
	}
	return out
}

// Sampled says whether Rows leaves some values out.
func (p *plot) Sampled() bool { return len(p.Grid) > tableRows }
