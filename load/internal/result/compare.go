package result

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/aclements/go-moremath/stats"

	"github.com/pixcert/pixcert/load/internal/capacity"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/preset"
)

// Comparison of the runs b with the runs a.
type Comparison struct {
	Rows    []Row    `json:"rows"`
	Caveats []string `json:"caveats"` // other differences: rate, profile, machine…
}

// Row is one figure of both sides. Ratio, Low and High are ratios of B to A; for shares and
// counts, Low and High are differences.
type Row struct {
	Figure  string  `json:"figure"` // cash-out p99
	Unit    string  `json:"unit"`   // ms, 1/s, % (percentage points), centavos, or empty: a count
	A       float64 `json:"a"`      // the mean of the runs
	B       float64 `json:"b"`
	Ratio   float64 `json:"ratio"` // B/A; 0 if A is 0
	Low     float64 `json:"low"`   // the confidence interval of the ratio, or of the difference
	High    float64 `json:"high"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"` // why it is not comparable
}

// Verdict on a row.
type Verdict string

// Verdicts.
const (
	Better       Verdict = "better"
	Worse        Verdict = "worse"
	Same         Verdict = "same"
	Incomparable Verdict = "not comparable"
)

// Limits of a comparison.
const (
	leastRuns   = 3    // of each side: fewer do not show how much equal runs differ
	risk        = 0.01 // of any alarm at all when comparing equal sides
	leastChange = 0.05 // a smaller ratio is never significant
	leastPoints = 0.1  // of a share of failures, in percentage points
	leastBeyond = 3    // values: a percentile that depends on one or two is chance
	rateApart   = 0.10 // loads that differ by more make latencies not comparable
)

// Reasons why a figure is not comparable.
const (
	notAlike  = "the runs differ in script, profile, instances or machine"
	ratesDiff = "the loads differ by more than 10%"
	tooFew    = "a run has too few values for the percentile"
	notFound  = "a search did not find the capacity"
)

var fewRuns = fmt.Sprintf("fewer than %d valid runs of a side have it", leastRuns)

// Conclusive says whether at least half of the figures are comparable. Percentiles that need
// more values than the runs have are not considered.
func (c Comparison) Conclusive() bool {
	var all, compared int
	for _, r := range c.Rows {
		if r.Reason == tooFew {
			continue
		}
		all++
		if r.Verdict != Incomparable {
			compared++
		}
	}
	return compared > 0 && 2*compared >= all
}

// Regression says whether anything got worse.
func (c Comparison) Regression() bool {
	return slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Verdict == Worse })
}

// Compare compares several runs b with several runs a, by what presets limit: the p50 and
// p99 of every operation and of webhooks, shares of failures, problems with payments and
// webhooks; and the capacity.
//
// A run is one value of each figure: what happens within a run (slow seconds, late webhooks,
// one fault with many symptoms) clusters, so only whole runs are independent. A difference is
// significant if its confidence interval does not include 0, by Welch's t of logarithms for
// ratios, and of square roots for counts and shares. All intervals hold together with a
// confidence of 99% (Bonferroni): however the figures depend on each other, comparing equal
// sides raises no alarm at all in 99 of 100 cases. And a difference has to matter: by 5% and
// by the tolerance, or by 0.1 points.
//
// Nothing is comparable with fewer than three runs a side. Latencies and shares of failures
// are not comparable if a run has fewer than three values beyond the quantile, if the offered
// loads differ by more than 10%, or if the runs have different scripts, profiles or machines.
// How the gateway handled the load (when its webhooks arrived, and at which rate) is no
// reason. Invalid runs are left out. Counts of problems are comparable in any runs.
func Compare(a, b []Result, tolerance time.Duration) Comparison {
	c := Comparison{Caveats: caveats(a, b)}
	validA, validB := valid(a), valid(b)
	unlike := unlikeness(slices.Concat(validA, validB))
	var all []comparison
	tested := 0
	for _, f := range figuresOf(slices.Concat(a, b)) {
		before, after, unlike := validA, validB, unlike
		if f.kind == count {
			before, after, unlike = a, b, ""
		}
		one, reason := f.of(before)
		other, also := f.of(after)
		reason = cmp.Or(reason, unlike, also)
		if len(one) == 0 || len(other) == 0 || f.kind.ofFaults() && max(slices.Max(one), slices.Max(other)) == 0 {
			continue
		}
		of := comparison{f, one, other, reason, newWelch(f.scale(one), f.scale(other), f.kind.ofFaults())}
		if all = append(all, of); reason == "" {
			tested++
		}
	}
	for _, of := range all {
		c.Rows = append(c.Rows, of.row(risk/float64(max(tested, 1)), tolerance))
	}
	return c
}

// unlikeness is why the latencies of some runs are not comparable; empty if they are.
func unlikeness(runs []Result) string {
	for _, r := range runs {
		if !r.alike(runs[0]) {
			return notAlike
		}
	}
	for _, r := range runs {
		if !sameLoad(runs[0].offered(), r.offered()) {
			return ratesDiff
		}
	}
	return ""
}

// kind is how a figure is compared.
type kind int

const (
	ratio      kind = iota // of latencies: less is better
	throughput             // a ratio: more is better
	share                  // of failures, in percent
	count                  // of problems
)

// figure is one value of a run, or why it has none.
type figure struct {
	name, unit string
	kind
	value func(Result) (value float64, reason string)
}

// of is the figure of each run, or why the side cannot be compared.
func (f figure) of(runs []Result) (values []float64, reason string) {
	for _, r := range runs {
		value, why := f.value(r)
		if reason = cmp.Or(reason, why); !math.IsNaN(value) {
			values = append(values, value)
		}
	}
	if len(values) < leastRuns {
		reason = cmp.Or(reason, fewRuns)
	}
	return values, reason
}

// figuresOf are the figures that any of the runs has: the latencies and shares of every
// operation, and the counts that a preset limits.
func figuresOf(runs []Result) (all []figure) {
	operations := map[string]bool{}
	for _, r := range runs {
		for name := range r.Operations {
			operations[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		all = append(all, percentiles(name, func(r Result) *measure.Histogram { return r.Operations[name].Intended })...)
		all = append(all, figure{name + " failed", "%", share, func(r Result) (float64, string) {
			o := r.Operations[name]
			return 100 * float64(o.Failed) / float64(o.Count), "" // not a number: none
		}})
	}
	all = append(all, percentiles("webhook from acceptance", func(r Result) *measure.Histogram { return r.Delivery.Acceptance })...)
	all = append(all, percentiles("webhook from intended", func(r Result) *measure.Histogram { return r.Delivery.Intended })...)
	if slices.ContainsFunc(runs, func(r Result) bool { return r.Capacity != nil }) {
		all = append(all, figure{"capacity", "1/s", throughput, func(r Result) (float64, string) {
			if r.Capacity == nil || r.Capacity.Outcome != capacity.Found {
				return math.NaN(), notFound
			}
			return r.Capacity.Rate, ""
		}})
	}
	for _, name := range limitedCounts() {
		unit := ""
		if name == "money_drift" {
			unit = "centavos"
		}
		all = append(all, figure{name, unit, count, func(r Result) (float64, string) {
			n, _ := r.Ledger.Counts.Get(name)
			return float64(n), ""
		}})
	}
	return append(all, figure{"tokens_rejected", "", count, func(r Result) (float64, string) { return float64(r.Total().Rejected), "" }})
}

func percentiles(name string, of func(Result) *measure.Histogram) []figure {
	at := func(stat string, q float64) figure {
		return figure{name + " " + stat, "ms", ratio, func(r Result) (float64, string) {
			h := of(r)
			d, ok := h.Quantile(q)
			if !ok {
				return math.NaN(), ""
			}
			if float64(h.Count())*(1-q)+1e-9 < leastBeyond { // a p99 needs three hundred values
				return milliseconds(max(d, time.Microsecond)), tooFew
			}
			return milliseconds(max(d, time.Microsecond)), ""
		}}
	}
	return []figure{at("p50", 0.50), at("p99", 0.99)}
}

// limitedCounts are the counts of the ledger that a preset limits.
func limitedCounts() (names []string) {
	limits, _, _ := preset.Thresholds(preset.Names()...) // they exist
	for name := range (ledger.Counts{}).All() {
		if limits["pix_"+name] != nil {
			names = append(names, name)
		}
	}
	return names
}

// scale makes a figure differ by chance alike, however large it is.
func (k kind) scale(values []float64) []float64 {
	if k.ofFaults() {
		return each(values, math.Sqrt)
	}
	return each(values, math.Log)
}

// ofFaults says whether a figure is usually 0.
func (k kind) ofFaults() bool { return k == count || k == share }

// comparison is one figure of both sides.
type comparison struct {
	figure
	a, b   []float64
	reason string // why it is not comparable
	welch         // on the figure's scale
}

// row compares the sides, with confidence intervals at a risk.
func (c comparison) row(risk float64, tolerance time.Duration) Row {
	row := Row{Figure: c.name, Unit: c.unit, A: stats.Mean(c.a), B: stats.Mean(c.b)}
	if row.A > 0 {
		row.Ratio = row.B / row.A
	}
	if c.reason != "" {
		row.Verdict, row.Reason = Incomparable, c.reason
		return row
	}
	margin, matters := c.margin(risk), true
	row.Low, row.High = c.difference-margin, c.difference+margin
	switch c.kind {
	case ratio, throughput:
		row.Ratio, row.Low, row.High = math.Exp(c.difference), math.Exp(row.Low), math.Exp(row.High)
		matters = math.Abs(c.difference) > math.Log1p(leastChange) && (c.kind == throughput || math.Abs(row.B-row.A) > milliseconds(tolerance))
	default:
		root := stats.Mean(c.scale(c.a))
		square := func(x float64) float64 { x = max(root+x, 0); return x*x - root*root }
		row.Low, row.High = square(row.Low), square(row.High)
		matters = c.kind == count || math.Abs(row.B-row.A) > leastPoints
	}
	switch {
	case !matters || math.Abs(c.difference) <= margin:
		row.Verdict = Same
	case (c.difference > 0) == (c.kind == throughput):
		row.Verdict = Better
	default:
		row.Verdict = Worse
	}
	return row
}

// alike says whether the runs have the same configuration and machine.
func (r Result) alike(other Result) bool {
	return r.Script == other.Script && r.Profile == other.Profile && r.Instances == other.Instances &&
		r.Environment.OS == other.Environment.OS && r.Environment.CPUs == other.Environment.CPUs
}

func valid(runs []Result) []Result {
	return slices.DeleteFunc(slices.Clone(runs), func(r Result) bool { return !r.Validity.Valid })
}

// caveats are what makes the runs hard to compare, and what a comparison does not show.
func caveats(a, b []Result) []string {
	var found []string
	both := slices.Concat(a, b)
	for _, difference := range []struct {
		what string
		of   func(Result) string
	}{
		{"scripts", script}, {"profiles", profile}, {"targets", target},
		{"numbers of instances", func(r Result) string { return fmt.Sprint(r.Instances) }},
		{"machines", func(r Result) string { return machine(r.Environment) }},
		{"k6", func(r Result) string { return r.Environment.K6 }},
		{"pixcert", func(r Result) string { return r.Environment.Pixcert }},
	} {
		if all := distinct(both, difference.of); len(all) > 1 {
			found = append(found, fmt.Sprintf("different %s: %s", difference.what, strings.Join(all, " and ")))
		}
	}
	for _, side := range []struct {
		name string
		runs []Result
	}{{"a", a}, {"b", b}} {
		if n := len(side.runs); n < leastRuns {
			found = append(found, fmt.Sprintf("side %s has %d runs: at least %d show how much equal runs differ", side.name, n, leastRuns))
		}
		outcomes := map[Outcome]int{}
		for _, r := range side.runs {
			outcomes[r.Outcome()]++
		}
		for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
			if outcome != Pass {
				found = append(found, fmt.Sprintf("side %s: the outcome of %d of %d runs is %s", side.name, outcomes[outcome], len(side.runs), outcome))
			}
		}
	}
	if unlikeness(both) == ratesDiff {
		rate := func(r Result) string { return fmt.Sprintf("%.3g/s", r.offered().rate) }
		found = append(found, "different loads: "+strings.Join(distinct(both, rate), " and "))
	}
	return found
}

func machine(e Environment) string { return fmt.Sprintf("%s with %d processors", e.OS, e.CPUs) }

// distinct are the different values of a property, sorted.
func distinct(runs []Result, of func(Result) string) []string {
	values := map[string]bool{}
	for _, r := range runs {
		values[of(r)] = true
	}
	return slices.Sorted(maps.Keys(values))
}
