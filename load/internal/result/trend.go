package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Trend is some figures of several runs, the earliest first.
type Trend struct {
	Figures []string // as in a [Comparison]: cash-out p99
	Units   []string
	Runs    []TrendRun
}

// TrendRun is one run. A figure that it does not have, or has too few values for, is not a
// number.
type TrendRun struct {
	Result
	Values []float64
}

// NewTrend selects figures by name; without names, those of the most frequent operation, and
// the webhooks' p99.
func NewTrend(runs []Result, names ...string) (Trend, error) {
	all := figuresOf(runs)
	if len(names) == 0 && len(runs) > 0 {
		busiest := runs[0].busiest()
		names = []string{busiest + " p50", busiest + " p99", busiest + " failed", "webhook from acceptance p99"}
	}
	var t Trend
	var selected []figure
	for _, name := range names {
		at := slices.IndexFunc(all, func(f figure) bool { return f.name == name })
		if at < 0 {
			var known []string
			for _, f := range all {
				known = append(known, f.name)
			}
			return Trend{}, fmt.Errorf("expected one of the figures %s, got %q", strings.Join(known, ", "), name)
		}
		selected = append(selected, all[at])
		t.Figures, t.Units = append(t.Figures, name), append(t.Units, all[at].unit)
	}
	for _, r := range slices.SortedFunc(slices.Values(runs), func(a, b Result) int { return a.Started.Compare(b.Started) }) {
		run := TrendRun{Result: r}
		for _, f := range selected {
			value, reason := f.value(r)
			if reason != "" {
				value = math.NaN()
			}
			run.Values = append(run.Values, value)
		}
		t.Runs = append(t.Runs, run)
	}
	return t, nil
}
