package history

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/wording"
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

// Period is "12 runs from 2026-11-02 10:15 UTC to 2026-11-20 08:00 UTC".
func (t *Trend) Period() string {
	const minute = "2006-01-02 15:04 UTC"
	switch n := len(t.Runs); n {
	case 0:
		return "no runs"
	case 1:
		return "1 run, of " + t.Runs[0].Started.UTC().Format(minute)
	default:
		return fmt.Sprintf("%s from %s to %s", wording.Count(n, "run"), t.Runs[0].Started.UTC().Format(minute), t.Runs[n-1].Started.UTC().Format(minute))
	}
}

// WriteText writes a trend for a terminal. Rules and operations that stayed as they were are not listed.
func (t *Trend) WriteText(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "History of %s: %s\n", exchange.Line(t.Target), t.Period())
	for _, line := range t.Skipped {
		fmt.Fprintf(&out, "  ! %s\n", exchange.Line(line))
	}
	if t.Others > 0 {
		fmt.Fprintf(&out, "  %s of another target, depth, selection, shard or concurrency not compared\n", wording.Count(t.Others, "run"))
	}
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	if len(t.Rules) > 0 {
		fmt.Fprint(table, "\nRules that fail in some runs only (oldest run first)\n")
	}
	for _, r := range t.Rules {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", r.Marks(), exchange.Line(r.Rule), r)
	}
	slower := t.Slower()
	if len(slower) > 0 {
		fmt.Fprint(table, "\nOperations that became slower (median of each run)\n")
	}
	for _, o := range slower {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", o.Bars(), exchange.Line(o.Operation), o)
	}
	_ = table.Flush() // a strings.Builder takes everything
	if n := t.Needed(); n > 0 {
		fmt.Fprintf(&out, "\nComparing latencies takes %s.\n", wording.Count(n, "more run"))
	} else if len(slower) == 0 {
		fmt.Fprint(&out, "\nNo operation became slower.\n")
	}
	if len(t.Rules) == 0 && len(t.Runs) > 1 {
		fmt.Fprint(&out, "Every rule had the same result in all runs.\n")
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
