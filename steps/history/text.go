package history

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
)

// Mark is one character for a result.
func (r Result) Mark() string {
	return map[Result]string{Passed: "✓", Failed: "✗", FailedSometimes: "~", NotJudged: "·"}[r]
}

// Marks are the results of all runs, the oldest first: "✓✓✗✓".
func (r RuleTrend) Marks() string {
	var marks strings.Builder
	for _, result := range r.Results {
		marks.WriteString(result.Mark())
	}
	return marks.String()
}

// Bars are the medians of all runs as a sparkline from zero, the oldest first: "▃▃▄▇█".
func (o OperationTrend) Bars() string {
	const levels = "▁▂▃▄▅▆▇█"
	most := 0.0
	for _, ms := range o.MedianMs {
		if ms != nil {
			most = max(most, *ms)
		}
	}
	var bars strings.Builder
	for _, ms := range o.MedianMs {
		if ms == nil || most == 0 {
			bars.WriteString("·")
			continue
		}
		bars.WriteRune([]rune(levels)[min(int(*ms/most*8), 7)])
	}
	return bars.String()
}

// Period is PeriodIn, in English.
func (t *Trend) Period() string { return t.PeriodIn(translation.English) }

// PeriodIn is "12 runs from 2026-11-02 10:15 UTC to 2026-11-20 08:00 UTC".
func (t *Trend) PeriodIn(in translation.Language) string {
	const minute = "2006-01-02 15:04 UTC"
	switch n := len(t.Runs); n {
	case 0:
		return in.Say("no runs")
	case 1:
		return in.Sayf("1 run, of %s", t.Runs[0].Started.UTC().Format(minute))
	default:
		return in.Sayf("%s from %s to %s", in.SayCount(n, "run"), t.Runs[0].Started.UTC().Format(minute), t.Runs[n-1].Started.UTC().Format(minute))
	}
}

// WriteText writes a trend for a terminal. Rules and operations that stayed as they were are not listed.
func (t *Trend) WriteText(w io.Writer, in translation.Language) error {
	var out strings.Builder
	fmt.Fprintln(&out, in.Sayf("History of %s: %s", exchange.Line(in.Recorded(t.Target)), t.PeriodIn(in)))
	for _, line := range t.Skipped {
		fmt.Fprintf(&out, "  ! %s\n", exchange.Line(line))
	}
	if t.Others > 0 {
		fmt.Fprintf(&out, "  %s\n", in.SayN(t.Others, "%d run of another target or with other settings or rules not compared", "%d runs of another target or with other settings or rules not compared", t.Others))
	}
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	if len(t.Rules) > 0 {
		fmt.Fprintf(table, "\n%s\n", in.Say("Rules that fail in some runs only (oldest run first)"))
	}
	for _, r := range t.Rules {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", r.Marks(), exchange.Line(r.Rule), r.In(in))
	}
	slower := t.Slower()
	if len(slower) > 0 {
		fmt.Fprintf(table, "\n%s\n", in.Say("Operations that became slower (median of each run)"))
	}
	for _, o := range slower {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", o.Bars(), exchange.Line(o.Operation), o.In(in))
	}
	_ = table.Flush() // a strings.Builder takes everything
	if n := t.Needed(); n > 0 {
		fmt.Fprintf(&out, "\n%s\n", in.SayN(n, "Comparing latencies takes %d more run.", "Comparing latencies takes %d more runs.", n))
	} else if len(slower) == 0 {
		fmt.Fprintf(&out, "\n%s\n", in.Say("No operation became slower."))
	}
	if len(t.Rules) == 0 && len(t.Runs) > 1 {
		fmt.Fprintln(&out, in.Say("Every rule had the same result in all runs."))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Last returns the setting of the latest run; false if there is none.
func Last(entries []Entry) (Setting, bool) {
	if len(entries) == 0 {
		return Setting{}, false
	}
	last := slices.MaxFunc(entries, func(a, b Entry) int { return a.Started.Compare(b.Started) })
	return last.Setting, true
}
