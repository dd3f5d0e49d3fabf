package history

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// mostRuns is how many of the last runs a trend is about.
const mostRuns = 20

// Trend is what changes over the last runs with the same setting.
type Trend struct {
	Setting
	Runs       []Entry          `json:"-"`                 // oldest first
	Listed     []Run            `json:"runs"`              // the same in short
	Others     int              `json:"others"`            // runs of the history with another setting
	Rules      []RuleTrend      `json:"rules"`             // that failed in some of the runs and passed in others
	Operations []OperationTrend `json:"operations"`        // those that became slower first
	Skipped    []string         `json:"skipped,omitempty"` // damaged lines of the history
}

// Run is what a trend shows of a run itself.
type Run struct {
	RunID   string          `json:"runId"`
	Started time.Time       `json:"started"`
	Pixcert string          `json:"pixcert"`
	Outcome verdict.Outcome `json:"outcome"`
}

// Result is what became of a rule in a run.
type Result string

// The results.
const (
	Passed          Result = "passed"
	Failed          Result = "failed"
	FailedSometimes Result = "failed in some attempts"
	NotJudged       Result = "not judged"
)

// Failing reports whether the rule failed in at least one attempt.
func (r Result) Failing() bool { return r == Failed || r == FailedSometimes }

// Change is how a rule changed over the runs.
type Change string

// The changes.
const (
	Flaky     Change = "flaky"        // it fails and passes by turns, or in some attempts of one run
	Broke     Change = "fails since"  // it passed until some run
	Recovered Change = "passes since" // it failed until some run
)

// In is a result in a language.
func (r Result) In(in translation.Language) string { return in.Recorded(string(r)) }

// RuleTrend is a rule that did not have the same result in all runs.
type RuleTrend struct {
	Rule    string    `json:"rule"`
	Change  Change    `json:"change"`
	Since   time.Time `json:"since,omitzero"` // start of the first run with the present result; zero if flaky
	Results []Result  `json:"results"`        // one for each run
	Failing int       `json:"failing"`        // runs
	Judged  int       `json:"judged"`         // runs
}

// String is In, in English.
func (r RuleTrend) String() string { return r.In(translation.English) }

// In is "flaky: failed in 3 of 20 runs", or "fails since 2026-11-02 10:15 UTC: failed in 3 of 20 runs".
func (r RuleTrend) In(in translation.Language) string {
	change := in.Recorded(string(r.Change))
	if r.Change != Flaky {
		change += r.Since.UTC().Format(" 2006-01-02 15:04 UTC")
	}
	return in.SayN(r.Judged, "%s: failed in %d of %d run", "%s: failed in %d of %d runs", change, r.Failing, r.Judged)
}

// OperationTrend is how the median latency of an operation changed.
type OperationTrend struct {
	Operation string     `json:"operation"`
	MedianMs  []*float64 `json:"medianMs"` // of each run; null where it did not run
	BeforeMs  float64    `json:"beforeMs"` // median of the earlier runs' medians
	NowMs     float64    `json:"nowMs"`    // the same of the last runs
	Slower    bool       `json:"slower"`
}

// Operations count as slower if the median of the last runs exceeds that of those before by both of these.
const (
	lastRuns    = 3
	earlierRuns = 3 // at least
	slowerBy    = 1.25
	slowerByMs  = 1.0
)

// String is In, in English.
func (o OperationTrend) String() string { return o.In(translation.English) }

// In is "12 ms, now 18 ms (+50 %)".
func (o OperationTrend) In(in translation.Language) string {
	if o.BeforeMs <= 0 {
		return in.Sayf("now %s", milliseconds(o.NowMs))
	}
	return in.Sayf("%s, now %s (%+.0f %%)", milliseconds(o.BeforeMs), milliseconds(o.NowMs), 100*(o.NowMs/o.BeforeMs-1))
}

func milliseconds(ms float64) string {
	if ms >= 1 && ms < 10 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return wording.Duration(time.Duration(ms * float64(time.Millisecond)))
}

// TrendOf is the trend of the entries with a setting.
func TrendOf(entries []Entry, setting Setting, skipped []string) *Trend {
	t := &Trend{Setting: setting, Listed: []Run{}, Rules: []RuleTrend{}, Operations: []OperationTrend{}, Skipped: skipped}
	for _, e := range entries {
		if e.Setting == setting {
			t.Runs = append(t.Runs, e)
		}
	}
	t.Others = len(entries) - len(t.Runs)
	slices.SortStableFunc(t.Runs, func(a, b Entry) int { return a.Started.Compare(b.Started) })
	t.Runs = t.Runs[max(len(t.Runs)-mostRuns, 0):]
	for _, e := range t.Runs {
		t.Listed = append(t.Listed, Run{e.RunID, e.Started, e.Pixcert, e.Outcome})
	}
	t.rules()
	t.operations()
	return t
}

func (t *Trend) rules() {
	failed := map[string]bool{}
	for _, e := range t.Runs {
		for _, rule := range e.Failing {
			failed[rule] = true
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(failed)) {
		if one := t.rule(rule); one.Failing < one.Judged || slices.Contains(one.Results, FailedSometimes) {
			t.Rules = append(t.Rules, one)
		}
	}
	order := []Change{Flaky, Broke, Recovered}
	slices.SortStableFunc(t.Rules, func(a, b RuleTrend) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Change), slices.Index(order, b.Change)), cmp.Compare(b.Failing, a.Failing))
	})
}

func (t *Trend) rule(name string) RuleTrend {
	one := RuleTrend{Rule: name, Change: Flaky}
	changes, before := 0, NotJudged
	for _, e := range t.Runs {
		now := e.result(name)
		one.Results = append(one.Results, now)
		if now == NotJudged {
			continue
		}
		if one.Judged++; now.Failing() {
			one.Failing++
		}
		if before != NotJudged && before.Failing() != now.Failing() {
			changes++
			one.Since = e.Started
		}
		before = now
	}
	if changes != 1 || slices.Contains(one.Results, FailedSometimes) {
		one.Since = time.Time{}
		return one
	}
	if one.Change = Recovered; before.Failing() {
		one.Change = Broke
	}
	return one
}

func (t *Trend) operations() {
	known := map[string]bool{}
	for _, e := range t.Runs {
		for operation := range e.P50Ms {
			known[operation] = true
		}
	}
	for _, operation := range slices.Sorted(maps.Keys(known)) {
		if one, enough := t.operation(operation); enough {
			t.Operations = append(t.Operations, one)
		}
	}
	slices.SortStableFunc(t.Operations, func(a, b OperationTrend) int {
		return cmp.Or(-compareBool(a.Slower, b.Slower), cmp.Compare(b.NowMs*a.BeforeMs, a.NowMs*b.BeforeMs))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// operation compares the last runs with those before; enough is false if there are too few of either.
func (t *Trend) operation(name string) (one OperationTrend, enough bool) {
	one.Operation = name
	var all []float64
	for _, e := range t.Runs {
		ms, ran := e.P50Ms[name]
		if !ran {
			one.MedianMs = append(one.MedianMs, nil)
			continue
		}
		one.MedianMs, all = append(one.MedianMs, &ms), append(all, ms)
	}
	if len(all) < lastRuns+earlierRuns {
		return one, false
	}
	last := len(all) - lastRuns
	one.BeforeMs, one.NowMs = median(all[:last]), median(all[last:])
	one.Slower = one.NowMs > slowerBy*one.BeforeMs && one.NowMs > one.BeforeMs+slowerByMs
	return one, true
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Slower are the operations that became slower.
func (t *Trend) Slower() []OperationTrend {
	return slices.DeleteFunc(slices.Clone(t.Operations), func(o OperationTrend) bool { return !o.Slower })
}

// Needed is how many more runs it takes to compare latencies; 0 for none.
func (t *Trend) Needed() int { return max(lastRuns+earlierRuns-len(t.Runs), 0) }
