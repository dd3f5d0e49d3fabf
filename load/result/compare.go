package result

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/pixcert/pixcert/load/capacity"
	"github.com/pixcert/pixcert/load/ledger"
	"github.com/pixcert/pixcert/load/measure"
)

// Comparison of run b with run a.
type Comparison struct {
	Rows    []Row    `json:"rows"`
	Caveats []string `json:"caveats"` // other differences: rate, profile, machine…
}

// Row is one figure of both runs.
type Row struct {
	Figure  string  `json:"figure"` // cash-out intended p99
	Unit    string  `json:"unit"`   // ms, 1/s, % (percentage points), centavos, or empty: a count
	A       float64 `json:"a"`
	B       float64 `json:"b"`
	Ratio   float64 `json:"ratio"` // B/A; 0 if A is 0
	Band    float64 `json:"band"`  // of a ratio: 1/(1+Band) to 1+Band is noise; of % and counts: a difference up to Band is noise
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"` // why it is not comparable

	incident bool // in one of the runs, which no band includes: see [Compare]
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

// Conclusive says whether at least half of the figures are comparable. Exact counts, and
// percentiles that need more values than the runs have, are not considered.
func (c Comparison) Conclusive() bool {
	var timed, compared int
	for _, r := range c.Rows {
		if r.Unit == "" || r.Unit == "centavos" || r.Reason == tooFew {
			continue
		}
		timed++
		if r.Verdict != Incomparable {
			compared++
		}
	}
	return compared > 0 && 2*compared >= timed
}

// Regression says whether anything got worse.
func (c Comparison) Regression() bool {
	return slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Verdict == Worse })
}

// Limits of a comparison.
const (
	leastBand   = 0.05 // a smaller difference is always noise
	mostBand    = 1.0  // runs that scatter by more are not comparable
	leastPoints = 0.1  // of a share of failures, in percentage points
	leastBeyond = 3    // values: a percentile that depends on one or two is chance
	rateApart   = 0.10 // loads that differ by more make latencies not comparable

	// Of an incident, which happened in only one of the runs.
	leastDelay  = time.Second // more than a hiccup of the machine
	leastHit    = 10          // affected requests
	leastFailed = 1.0         // percentage points
)

// Reasons why a figure is not comparable.
const (
	notAlike  = "the runs differ in script, profile, instances or machine, or are invalid"
	ratesDiff = "the loads differ by more than 10%"
	tooShort  = "a run is too short: fewer than 10 whole seconds, or longer intervals, with values"
	tooFew    = "a run has too few values for the percentile"
	tooNoisy  = "the runs scatter by more than 100%"
	notFound  = "a search did not find the capacity"
)

// unless is the reason, if the condition is false and there is no reason already.
func unless(condition bool, reason, already string) string {
	if already != "" || condition {
		return already
	}
	return reason
}

// Compare compares run b with run a: the latencies of every operation and of webhooks,
// rates, shares of failures, problems with payments and webhooks, and the capacity.
//
// A difference is significant if it exceeds the noise within the runs. The two timelines are
// aligned at the first request of each, and pairs of intervals are resampled: the same
// intervals of both, so that a ramp or a peak of the schedule, which both runs have, cancels
// out in the ratio, but what only one run has does not. Blocks of neighbouring pairs are
// drawn because slow seconds cluster (a circular moving-block bootstrap with a fixed seed,
// 200 resamples in blocks of ∛n and 200 in blocks of √n of the n pairs, the wider of the
// two). The band is what the ratio's logarithm exceeds by chance once in 370 times,
// according to Student's t for that number of blocks, at least 5%, and at least the lateness
// of the generators' own timers at the same quantile. For a share of failures it is the band
// of the difference, and at least 0.1 points. A timeline has latencies from the intended
// start, and webhooks from acceptance: their bands are also used for latencies from the
// send, and for webhooks from the intended start. The band reflects the variation within a
// run, not between runs: if runs with the same configuration differ by more than 5%, compare
// more than two.
//
// An incident in one of the runs, such as webhooks that are held up for a while, makes that
// run scatter without bounds, so its own band would hide it. It is significant if it is
// outside the scatter of the other run: a latency is more than twice the other, by more than
// a second and by more than the generator itself ever paused, with at least ten values beyond
// the quantile; or a share of failures is higher by more than a point, with at least ten more
// failures.
//
// Latencies and shares of failures are not comparable if either run is too short for a band
// (fewer than 10 intervals) or has fewer than three values beyond the quantile, if the
// offered loads differ by more than 10%, or if the runs have different scripts, profiles or
// machines or are invalid: then there are figures but no verdict. The same applies if the
// band is wider than 100%: on a busy machine, runs with the same configuration may differ by
// more than such a band. How the gateway handled the load (when its webhooks arrived, and at
// which rate) is no reason. Counts of problems are exact and always comparable. Those of late
// and out-of-order webhooks depend on chance: a difference is significant if it exceeds three
// times the square root of their sum.
func Compare(a, b Result) Comparison {
	c := Comparison{Caveats: caveats(a, b)}
	alike := unless(a.alike(b), notAlike, "")
	reason := unless(sameLoad(a.offered(), b.offered()), ratesDiff, alike)
	generators := [2]*measure.Histogram{a.Hiccup, b.Hiccup}
	for _, name := range common(a.Operations, b.Operations) {
		one, other := a.Operations[name], b.Operations[name]
		n := resample(moments(a, b, ofOperation(name)))
		c.rate(name, one.Rate(), other.Rate(), n, alike)
		if apart(one.Rate(), other.Rate()) {
			c.Caveats = append(c.Caveats, fmt.Sprintf("%s: %.3g/s and %.3g/s", name, one.Rate(), other.Rate()))
		}
		c.latencies(name+" intended", one.Intended, other.Intended, n, generators, reason)
		c.latencies(name+" send", one.Send, other.Send, n, generators, reason)
		c.failures(name, one, other, n, reason)
	}
	n := resample(moments(a, b, ofDelivery))
	c.latencies("webhook acceptance", a.Delivery.Acceptance, b.Delivery.Acceptance, n, generators, reason)
	c.latencies("webhook intended", a.Delivery.Intended, b.Delivery.Intended, n, generators, reason)
	c.capacities(a.Capacity, b.Capacity, alike)
	c.troubles(a.Ledger.Counts, b.Ledger.Counts)
	return c
}

func longest(h *measure.Histogram) time.Duration {
	d, _ := h.Max()
	return d
}

// stats that are compared, with their quantiles.
var compared = [...]struct {
	name string
	q    float64
}{{"p50", 0.50}, {"p90", 0.90}, {"p99", 0.99}, {"p999", 0.999}}

func (c *Comparison) latencies(figure string, a, b *measure.Histogram, n noise, generators [2]*measure.Histogram, reason string) {
	for i, stat := range compared {
		one, ok := a.Quantile(stat.q)
		other, also := b.Quantile(stat.q)
		if !ok || !also {
			continue
		}
		one, other = max(one, time.Microsecond), max(other, time.Microsecond)
		row := Row{Figure: figure + " " + stat.name, Unit: "ms", A: millis(one), B: millis(other)}
		own := late(generators, stat.q)
		row.Band = max(leastBand, math.Expm1(n.latency[i].difference), float64(own)/float64(min(one, other)))
		why := unless(enough(a, stat.q) && enough(b, stat.q), tooFew, reason)
		known := n.latencies[0] && n.latencies[1]
		if !known || row.Band > mostBand {
			// The band of an incident is the scatter of the fast run, at least a factor of two.
			fast, slow := side{one, a, n.latencies[0], n.latency[i].each[0], longest(generators[0])}, side{other, b, n.latencies[1], n.latency[i].each[1], longest(generators[1])}
			if other < one {
				fast, slow = slow, fast
			}
			if incident(fast, slow, stat.q) {
				row.Band, row.incident, known = fast.reach()-1, true, true
			}
		}
		row.judge(unless(known, tooShort, why), false)
		c.Rows = append(c.Rows, row)
	}
}

// enough says whether there are enough values beyond a quantile: a p99 needs three hundred.
func enough(h *measure.Histogram, q float64) bool { return beyond(h, q) >= leastBeyond }

func beyond(h *measure.Histogram, q float64) float64 { return float64(h.Count())*(1-q) + 1e-9 }

// late is how late the generators' own timers were at that quantile: a smaller difference
// cannot be attributed to the gateway.
func late(generators [2]*measure.Histogram, q float64) time.Duration {
	a, _ := generators[0].Quantile(q)
	b, _ := generators[1].Quantile(q)
	return max(a, b)
}

// side is a quantile of one run.
type side struct {
	figure time.Duration
	values *measure.Histogram
	known  bool    // there were enough intervals to determine its noise
	noise  float64 // of its logarithm
	paused time.Duration
}

// reach is the factor that a run's own scatter explains, at least two.
func (s side) reach() float64 { return max(1+mostBand, math.Exp(s.noise)) }

// incident says whether the slow run's quantile is outside the scatter of the fast run,
// however much the slow run scatters.
func incident(fast, slow side, q float64) bool {
	return fast.known && float64(slow.figure) > fast.reach()*float64(fast.figure) &&
		slow.figure-fast.figure > max(leastDelay, slow.paused) &&
		beyond(slow.values, q) >= leastHit
}

// rate adds a row with the requests sent per second.
func (c *Comparison) rate(name string, a, b float64, n noise, reason string) {
	row := Row{Figure: name + " rate", Unit: "1/s", A: a, B: b}
	row.Band = max(leastBand, math.Expm1(n.rate))
	row.judge(unless(n.counts[0] && n.counts[1], tooShort, reason), true)
	c.Rows = append(c.Rows, row)
}

func apart(a, b float64) bool { return math.Abs(a-b) > rateApart*max(a, b) }

func (c *Comparison) failures(name string, a, b measure.Operation, n noise, reason string) {
	if a.Count == 0 || b.Count == 0 || a.Failed+b.Failed == 0 {
		return
	}
	row := Row{Figure: name + " failed", Unit: "%", A: 100 * float64(a.Failed) / float64(a.Count), B: 100 * float64(b.Failed) / float64(b.Count)}
	row.Band = max(leastPoints, 100*n.failed.difference)
	fewer := n.failed.each[0]
	if row.B < row.A {
		fewer = n.failed.each[1]
	}
	if max(a.Failed-b.Failed, b.Failed-a.Failed) >= leastHit {
		row.Band = min(row.Band, max(leastFailed, 100*fewer))
	}
	row.difference(unless(n.counts[0] && n.counts[1], tooShort, reason))
	c.Rows = append(c.Rows, row)
}

func (c *Comparison) capacities(a, b *capacity.Curve, reason string) {
	if a == nil || b == nil {
		return
	}
	known := func(outcome capacity.Outcome) bool { return outcome == capacity.Found }
	row := Row{Figure: "capacity", Unit: "1/s", A: a.Rate, B: b.Rate, Band: max(leastBand, a.Precision+b.Precision)}
	row.judge(unless(known(a.Outcome) && known(b.Outcome), notFound, reason), true)
	c.Rows = append(c.Rows, row)
}

// wrong are the counts that should be zero.
var wrong = [...]string{
	"webhooks_lost", "webhooks_resend_lost", "webhooks_duplicate", "webhooks_orphan", "webhooks_malformed", "webhooks_contradictory",
	"webhooks_late", "webhooks_out_of_order", "payments_unheard", "payments_unsettled", "payments_vanished",
	"double_debits", "money_drift",
}

// chance are the counts that depend on chance: they scatter by the square root of their
// expected value.
var chance = map[string]bool{"webhooks_late": true, "webhooks_out_of_order": true}

func (c *Comparison) troubles(a, b ledger.Counts) {
	for _, name := range wrong {
		before, _ := a.Get(name)
		after, _ := b.Get(name)
		if before == 0 && after == 0 {
			continue
		}
		row := Row{Figure: name, A: float64(before), B: float64(after)}
		if name == "money_drift" {
			row.Unit = "centavos"
		}
		if chance[name] {
			row.Band = 3 * math.Sqrt(row.A+row.B)
			row.difference("")
		} else {
			row.judge("", false)
		}
		c.Rows = append(c.Rows, row)
	}
}

// judge sets the verdict on a ratio. A change to or from 0 is outside every band. With a
// reason, the row is not comparable.
func (r *Row) judge(reason string, moreIsBetter bool) {
	ratio := math.Inf(1)
	if r.A != 0 {
		r.Ratio = r.B / r.A
		ratio = r.Ratio
	}
	within := r.A == r.B || ratio <= 1+r.Band && ratio >= 1/(1+r.Band)
	reason = unless(r.Band <= mostBand || r.incident, tooNoisy, reason)
	switch {
	case reason != "":
		r.Verdict, r.Reason = Incomparable, reason
	case within:
		r.Verdict = Same
	case (ratio > 1) == moreIsBetter:
		r.Verdict = Better
	default:
		r.Verdict = Worse
	}
}

// difference sets the verdict on the difference of a figure of which less is better. With a
// reason, the row is not comparable.
func (r *Row) difference(reason string) {
	if r.A > 0 {
		r.Ratio = r.B / r.A
	}
	switch difference := r.B - r.A; {
	case reason != "":
		r.Verdict, r.Reason = Incomparable, reason
	case math.Abs(difference) <= r.Band:
		r.Verdict = Same
	case difference > 0:
		r.Verdict = Worse
	default:
		r.Verdict = Better
	}
}

// alike says whether the runs have the same configuration and machine, and are both valid.
func (r Result) alike(other Result) bool {
	return r.Validity.Valid && other.Validity.Valid &&
		r.Script == other.Script && r.Profile == other.Profile && r.Instances == other.Instances &&
		r.Environment.OS == other.Environment.OS && r.Environment.CPUs == other.Environment.CPUs
}

// caveats are what makes the runs hard to compare.
func caveats(a, b Result) []string {
	var found []string
	for _, difference := range []struct{ what, a, b string }{
		{"scripts", a.Script, b.Script},
		{"profiles", a.Profile, b.Profile},
		{"targets", a.Target, b.Target},
		{"numbers of instances", fmt.Sprint(a.Instances), fmt.Sprint(b.Instances)},
		{"machines", machine(a.Environment), machine(b.Environment)},
		{"k6", a.Environment.K6, b.Environment.K6},
		{"pixcert", a.Environment.Pixcert, b.Environment.Pixcert},
	} {
		if difference.a != difference.b {
			found = append(found, fmt.Sprintf("different %s: %s and %s", difference.what, difference.a, difference.b))
		}
	}
	for name, r := range map[string]Result{"a": a, "b": b} {
		if !r.Validity.Valid {
			found = append(found, fmt.Sprintf("run %s is invalid: its generator was the bottleneck", name))
		}
		if r.Interrupted {
			found = append(found, fmt.Sprintf("run %s was interrupted", name))
		}
		if len(r.Missing) > 0 {
			found = append(found, fmt.Sprintf("run %s: the results of %d instances are missing", name, len(r.Missing)))
		}
	}
	for name := range maps.Keys(a.Operations) {
		if _, both := b.Operations[name]; !both {
			found = append(found, fmt.Sprintf("only run a has %s", name))
		}
	}
	for name := range maps.Keys(b.Operations) {
		if _, both := a.Operations[name]; !both {
			found = append(found, fmt.Sprintf("only run b has %s", name))
		}
	}
	slices.Sort(found)
	return found
}

func machine(e Environment) string { return fmt.Sprintf("%s with %d processors", e.OS, e.CPUs) }

// common are the names that both maps have, sorted.
func common[V any](a, b map[string]V) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if _, both := b[name]; both {
			names = append(names, name)
		}
	}
	return names
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
