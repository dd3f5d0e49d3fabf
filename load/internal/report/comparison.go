package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/result"
)

// Comparison writes the differences between the runs a and b for a terminal: first what
// makes them hard to compare, then each comparable figure with its verdict, worse ones first.
func Comparison(w io.Writer, a, b []result.Result, c result.Comparison, colour bool) error {
	s := &screen{Writer: bufio.NewWriter(w), colour: colour}
	v := comparisonVerdict(c)
	s.para(v.Mark, strings.ToUpper(v.Word)+"  ", v.Why)
	for _, caveat := range v.Reasons {
		s.para(warn, "  - ", caveat)
	}
	for _, side := range sides(a, b) {
		s.para(plain, "  "+side.Label+"  ", side.Value)
	}
	s.heading("Figures", "means of the runs, with confidence intervals")
	comparable := c
	comparable.Rows = slices.DeleteFunc(slices.Clone(c.Rows), func(r result.Row) bool { return r.Verdict == result.Incomparable })
	if len(comparable.Rows) > 0 {
		s.table(comparisonTable(comparable))
	}
	printIncomparable(s, c)
	return s.Flush()
}

// printIncomparable lists the figures that are not comparable, by reason. The page has
// their values.
func printIncomparable(s *screen, c result.Comparison) {
	rows := slices.DeleteFunc(slices.Clone(c.Rows), func(r result.Row) bool { return r.Verdict != result.Incomparable })
	reasons, groups := grouped(rows, func(r result.Row) string { return cmp.Or(r.Reason, "unknown reason") })
	if len(reasons) > 0 {
		s.heading("Not comparable", "the figures are on the page (--html)")
	}
	for i, reason := range reasons {
		var names []string
		for _, r := range groups[i] {
			names = append(names, r.Figure)
		}
		more := ""
		if len(names) > 3 {
			more, names = fmt.Sprintf(" and %d more", len(names)-3), names[:3]
		}
		s.para(warn, "  ", fmt.Sprintf("%s: %s%s", reason, strings.Join(names, ", "), more))
	}
}

// ComparisonHTML writes the same as an HTML page, with all figures.
func ComparisonHTML(w io.Writer, a, b []result.Result, c result.Comparison) error {
	t := comparisonTable(c)
	t.Note = "Means of the runs of each side. The ratio is b/a; its interval, or that of the difference, says what the variation between runs allows. All intervals hold together with a confidence of 99%."
	figures := section{Title: "Figures"}
	figures.tables(page, t)
	distributions := section{Title: "Distributions", Note: "latency from the intended start, for the operations of both sides"}
	distributions.plots(nil, comparisonPlots(a, b))
	return document{
		Title:    "PIX load runs compared",
		Verdict:  comparisonVerdict(c),
		Facts:    sides(a, b),
		Sections: []section{figures, distributions},
	}.write(w)
}

func comparisonVerdict(c result.Comparison) verdict {
	n := map[result.Verdict]int64{}
	for _, row := range c.Rows {
		n[row.Verdict]++
	}
	v := verdict{Word: "no worse", Mark: good}
	for _, caveat := range c.Caveats {
		v.Reasons = append(v.Reasons, visible(caveat))
	}
	switch {
	case c.Regression():
		v.Word, v.Mark = "worse", bad
	case !c.Conclusive():
		v.Word, v.Mark = "cannot tell", warn
	}
	v.Why = fmt.Sprintf("%s: %d worse, %d better, %d unchanged, %d not comparable", plural(int64(len(c.Rows)), "figure", "figures"),
		n[result.Worse], n[result.Better], n[result.Same], n[result.Incomparable])
	return v
}

// sides describes the runs of both sides.
func sides(a, b []result.Result) []fact {
	words := func(runs []result.Result) string {
		if len(runs) == 0 {
			return none
		}
		first := runs[0]
		s := fmt.Sprintf("%s from %s, %s", plural(int64(len(runs)), "run", "runs"), first.Started.UTC().Format("2006-01-02 15:04 UTC"), visible(first.Target))
		if first.Profile != "" {
			s += ", profile " + visible(first.Profile)
		}
		return s
	}
	return []fact{{"a", words(a)}, {"b", words(b)}}
}

// weight orders the verdicts by how much they matter.
var weight = map[result.Verdict]int{result.Worse: 0, result.Better: 1, result.Same: 2, result.Incomparable: 3}

func comparisonTable(c result.Comparison) table {
	t := table{Columns: slices.Concat([]column{text("verdict"), text("figure")}, figures("a", "b", "ratio", "interval"))}
	reasons := slices.ContainsFunc(c.Rows, func(r result.Row) bool { return r.Reason != "" })
	if reasons {
		t.Columns = append(t.Columns, text("why not comparable"))
	}
	rows := slices.Clone(c.Rows)
	slices.SortStableFunc(rows, func(x, y result.Row) int { return cmp.Compare(weight[x.Verdict], weight[y.Verdict]) })
	marks := map[result.Verdict]mark{result.Worse: bad, result.Better: good}
	for _, r := range rows {
		cells := []string{string(r.Verdict), r.Figure, withUnit(r.A, r.Unit), withUnit(r.B, r.Unit), ratioOf(r), intervalOf(r)}
		if reasons {
			cells = append(cells, r.Reason)
		}
		t.add(marks[r.Verdict], cells...)
	}
	return t
}

// ratioOf a row, unless a is 0.
func ratioOf(r result.Row) string {
	if r.Ratio == 0 {
		return none
	}
	return fmt.Sprintf("%.2f", r.Ratio)
}

// intervalOf a row: of the ratio, or of the difference.
func intervalOf(r result.Row) string {
	switch {
	case r.Verdict == result.Incomparable:
		return none
	case r.Unit == "%":
		return fmt.Sprintf("%+.2f to %+.2f points", r.Low, r.High)
	case r.Unit == "centavos":
		return fmt.Sprintf("%+.2f to %+.2f R$", r.Low/100, r.High/100)
	case r.Unit == "":
		return fmt.Sprintf("%+.1f to %+.1f", r.Low, r.High)
	}
	return fmt.Sprintf("%.2f to %.2f", r.Low, r.High)
}

// comparisonPlots overlay the percentiles of both sides, each of all its runs.
func comparisonPlots(a, b []result.Result) []*plot {
	mine, other := pooled(a), pooled(b)
	var out []*plot
	for i, name := range busiest(mine) {
		one, two := mine.Operations[name].Intended, other.Operations[name].Intended
		if two.Count() == 0 {
			continue
		}
		grid := quantileGrid(max(one.Count(), two.Count()))
		p := percentiles(fmt.Sprintf("operation-%d", i), name, "Percentiles of "+name+" of both sides.", grid, []line{
			{Name: "a", Colour: 1, Values: distribution(one, grid)},
			{Name: "b", Colour: 2, Values: distribution(two, grid)},
		})
		p.Small = true
		out = append(out, p)
	}
	return out
}

// pooled has the measurements of all runs.
func pooled(runs []result.Result) (all result.Result) {
	for _, r := range runs {
		r.Timeline = measure.Timeline{}
		all.Measurements.Merge(r.Measurements)
	}
	return all
}
