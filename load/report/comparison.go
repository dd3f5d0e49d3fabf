package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/result"
)

// Comparison writes the differences between run a and run b for a terminal: first what
// makes them hard to compare, then each comparable figure with its verdict, worse ones first.
func Comparison(w io.Writer, a, b result.Result, c result.Comparison, colour bool) error {
	s := &screen{Writer: bufio.NewWriter(w), colour: colour}
	v := comparisonVerdict(c)
	s.para(v.Mark, strings.ToUpper(v.Word)+"  ", v.Why)
	for _, caveat := range v.Reasons {
		s.para(warn, "  - ", caveat)
	}
	for _, side := range sides(a, b) {
		s.para(plain, "  "+side.Label+"  ", side.Value)
	}
	s.heading("Figures", "a ratio within the noise band is not significant")
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
	var reasons []string
	figures := map[string][]string{}
	for _, r := range c.Rows {
		if r.Verdict != result.Incomparable {
			continue
		}
		reason := cmp.Or(r.Reason, "unknown reason")
		if figures[reason] == nil {
			reasons = append(reasons, reason)
		}
		figures[reason] = append(figures[reason], r.Figure)
	}
	if len(reasons) > 0 {
		s.heading("Not comparable", "the figures are on the page (--html)")
	}
	for _, reason := range reasons {
		names := figures[reason]
		more := ""
		if len(names) > 3 {
			more, names = fmt.Sprintf(" and %d more", len(names)-3), names[:3]
		}
		s.para(warn, "  ", fmt.Sprintf("%s: %s%s", reason, strings.Join(names, ", "), more))
	}
}

// ComparisonHTML writes the same as an HTML page, with all figures.
func ComparisonHTML(w io.Writer, a, b result.Result, c result.Comparison) error {
	t := comparisonTable(c)
	t.Note = "The ratio is b/a. A ratio within the noise band is within the variation of the runs and not significant."
	return page{
		Title:   "PIX load runs " + a.Run + " and " + b.Run,
		Verdict: comparisonVerdict(c),
		Facts:   sides(a, b),
		Sections: []section{
			{Title: "Figures", Tables: []table{t}},
			{Title: "Distributions", About: "Latency from the intended start, for the operations of both runs.", Small: comparisonPlots(a, b)},
		},
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

// sides describes the two runs.
func sides(a, b result.Result) []fact {
	words := func(r result.Result) string {
		s := fmt.Sprintf("run %s, %s, %s", r.Run, r.Started.UTC().Format("2006-01-02 15:04 UTC"), visible(r.Target))
		if r.Profile != "" {
			s += ", profile " + visible(r.Profile)
		}
		return s + ", outcome " + string(r.Outcome())
	}
	return []fact{{"a", words(a)}, {"b", words(b)}}
}

// weight orders the verdicts by how much they matter.
var weight = map[result.Verdict]int{result.Worse: 0, result.Better: 1, result.Same: 2, result.Incomparable: 3}

func comparisonTable(c result.Comparison) table {
	t := table{Columns: slices.Concat([]column{text("verdict"), text("figure")}, figures("a", "b", "ratio", "noise band"))}
	reasons := slices.ContainsFunc(c.Rows, func(r result.Row) bool { return r.Reason != "" })
	if reasons {
		t.Columns = append(t.Columns, text("why not comparable"))
	}
	rows := slices.Clone(c.Rows)
	slices.SortStableFunc(rows, func(x, y result.Row) int { return cmp.Compare(weight[x.Verdict], weight[y.Verdict]) })
	marks := map[result.Verdict]mark{result.Worse: bad, result.Better: good}
	for _, r := range rows {
		cells := []string{string(r.Verdict), r.Figure, withUnit(r.A, r.Unit), withUnit(r.B, r.Unit), ratioOf(r), bandOf(r)}
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

// bandOf a row: counts are exact and have none, except those that depend on chance.
func bandOf(r result.Row) string {
	switch {
	case r.Band == 0 || r.Verdict == result.Incomparable:
		return none
	case r.Unit == "":
		return "±" + number(round(r.Band))
	case r.Unit == "%":
		return "±" + number(r.Band) + " points"
	}
	return "±" + percent(r.Band)
}

// comparisonPlots overlay the percentiles of both runs.
func comparisonPlots(a, b result.Result) []*plot {
	var out []*plot
	for i, name := range busiest(a) {
		other, both := b.Operations[name]
		if !both {
			continue
		}
		mine := a.Operations[name]
		grid := quantileGrid(max(mine.Intended.Count(), other.Intended.Count()))
		p := percentiles(fmt.Sprintf("operation-%d", i), name, "Percentiles of "+name+" in both runs.", grid, []line{
			{Name: "a", Colour: 1, Values: distribution(mine.Intended, grid)},
			{Name: "b", Colour: 2, Values: distribution(other.Intended, grid)},
		})
		p.Small = true
		out = append(out, p)
	}
	return out
}
