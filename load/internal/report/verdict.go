package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/internal/result"
)

// verdict is a result's outcome in words.
type verdict struct {
	Word    string
	Mark    mark
	Why     string
	Reasons []string // one per problem
}

// Why is why a run has its outcome: a sentence, the first payment of each fault, and the first reasons.
func Why(r result.Result) []string {
	const most = 5
	v := verdictOf(r)
	lines := []string{v.Why}
	for _, f := range faults(r) {
		if shown := examples(r, f.Name); len(shown) > 0 {
			lines = append(lines, f.String()+", the first: "+shown[0])
		}
	}
	lines = append(lines, v.Reasons...)
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], plural(int64(more), "more reason", "more reasons"))
	}
	return lines
}

func verdictOf(r result.Result) verdict {
	v := verdict{Word: string(r.Outcome()), Mark: bad}
	broken := thresholdsOf(r, failed)
	for _, t := range broken {
		if !(r.Interrupted && t.Aborts) { // that is why it ended early
			v.Reasons = append(v.Reasons, "threshold "+failedThreshold(t))
		}
	}
	for _, reason := range r.Validity.Reasons {
		if reason.Figure == result.UnseenTags && !r.Measured() {
			continue // no call had any tags
		}
		v.Reasons = append(v.Reasons, invalidReason(r, reason))
	}
	if outcome := r.Outcome(); r.Interrupted && outcome != result.Interrupted {
		v.Reasons = append(v.Reasons, endedEarly(r))
	}
	switch r.Outcome() {
	case result.Pass:
		v.Mark, v.Why = markOr(len(faults(r))+len(failedChecks(r)) > 0 || r.Threw() > 0, warn, good), findingSummary(r)
	case result.Interrupted:
		v.Mark, v.Why = warn, endedEarly(r)+"; what was still pending is unknown; so far: "+findingSummary(r)
	case result.Fail:
		v.Why = joined(failedOf(r, broken), thrown(r), invalid(r), visible(r.Complaint))
	case result.Wrong:
		v.Why = joined(wrong(r, broken), thrown(r))
		if why := invalid(r); why != "" {
			v.Why += "; the run is also invalid: " + why
		}
	case result.Invalid:
		v.Mark, v.Why = warn, invalid(r)
		if !r.Measured() && r.Threw() > 0 {
			v.Reasons = append(v.Reasons, thrown(r))
		}
	case result.Incomplete:
		v.Mark, v.Why = warn, fmt.Sprintf("the results of %d of %d instances are missing, so there is no verdict on the run", len(r.Missing), r.Instances)
		v.Reasons = append([]string{"missing: instance " + join(r.Missing)}, v.Reasons...)
	}
	return v
}

// endedEarly says why an interrupted run ended, as far as k6 has said it yet: it says it
// after its summary, and names only the metrics of thresholds.
func endedEarly(r result.Result) string {
	reasons := []string{visible(r.Complaint)}
	for _, t := range thresholdsOf(r, failed) {
		if t.Aborts {
			reasons = append(reasons, "a threshold with abortOnFail failed, "+failedThreshold(t))
		}
	}
	return strings.TrimSuffix("the run ended early: "+joined(reasons...), ": ")
}

// failedThreshold is a threshold with the value that it failed on.
func failedThreshold(t result.Threshold) string {
	return t.Metric + ": " + t.Expression + ", got " + thresholdValue(t)
}

// joined joins the sentences that are not empty.
func joined(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), "; ")
}

// failedOf says how many thresholds failed; empty if none did.
func failedOf(r result.Result, broken []result.Threshold) string {
	if len(broken) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s failed", len(broken), plural(int64(len(r.Thresholds)), "threshold", "thresholds"))
}

// wrong lists the findings that thresholds failed on and all other faults of the gateway,
// and says if the money is correct nevertheless.
func wrong(r result.Result, broken []result.Threshold) string {
	var causes, what []string // a cause is a sentence with commas of its own
	for _, c := range r.Ledger.Causes {
		causes = append(causes, c.Text)
	}
	for _, f := range troubles(r) {
		if f.explained(r.Ledger.Causes) {
			continue
		}
		asked := slices.ContainsFunc(broken, func(t result.Threshold) bool { return t.Metric == "pix_"+f.Name })
		if asked || f.Mark == bad {
			what = append(what, f.String())
		}
	}
	if len(what) > 0 {
		causes = append(causes, strings.Join(what, ", "))
	}
	if len(causes) == 0 { // such as a limit on how many payments are confirmed
		causes = append(causes, "the outcomes of the payments are not as required")
	}
	s := strings.Join(causes, "; ") + ": " + failedOf(r, broken)
	if r.Validity.Valid && len(r.Accounts) > 0 && drifted(r) == 0 && r.Ledger.Counts.MoneyDrift == 0 {
		s += "; the money is correct to the centavo"
	}
	return s
}

// invalid is why a run is invalid; empty if it is valid.
func invalid(r result.Result) string {
	switch {
	case r.Unmeasured != "":
		return visible(r.Unmeasured)
	case !r.Measured():
		return "nothing was measured: no request scheduled after the warm-up completed"
	case r.Unjudged():
		return "no threshold had data: check their metrics and tags"
	case r.Validity.Valid:
		return ""
	case r.Validity.Only(result.CutShort):
		return "not all webhooks, look-ups and balances were waited for"
	case r.Validity.Only("virtual users", "dropped iterations"):
		return "too few virtual users: the scheduled rate was not reached"
	case r.Validity.Only(result.OwnDelay):
		return "the generator itself may have made the latencies so long: run it on a machine that is faster or less busy"
	case r.Validity.Only(result.UnseenTags):
		return "a threshold is on tags that no call had: check them"
	case r.Validity.Only(result.Unanswered):
		return "the gateway did not respond to the final look-ups, so the money could not be checked: is it running?"
	}
	return "the generator was the bottleneck: its figures cannot be attributed to the gateway"
}

// findingSummary says what a run has shown, including faults that no threshold covers.
func findingSummary(r result.Result) string {
	parts := []string{thresholdSummary(r)}
	wrong := faults(r)
	if r.Ledger.Counts.WebhooksReceived > 0 && len(wrong) == 0 {
		parts = append(parts, "every webhook matched")
	}
	for _, f := range wrong {
		parts = append(parts, f.String())
	}
	if r.Threw() > 0 {
		parts = append(parts, thrown(r))
	}
	if failed := failedChecks(r); len(failed) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s failed", len(failed), plural(int64(len(r.Checks)), "check", "checks")))
	}
	if accounts, drifted := len(r.Accounts), drifted(r); accounts > 0 && drifted == 0 {
		parts = append(parts, "the money is correct to the centavo")
	}
	return strings.Join(parts, ", ")
}

// thresholdSummary says how many thresholds passed, provided that none failed.
func thresholdSummary(r result.Result) string {
	all, empty := len(r.Thresholds), len(thresholdsOf(r, noData))
	switch {
	case all == 0:
		return "no threshold was set"
	case empty == all:
		return "no threshold had data"
	case empty > 0:
		return fmt.Sprintf("%d of %d thresholds passed, %d had no data", all-empty, all, empty)
	case all == 1:
		return "the threshold passed"
	}
	return fmt.Sprintf("all %d thresholds passed", all)
}

// Status of a threshold.
const (
	passed = "passed"
	failed = "failed"
	noData = "no data"
)

func statusOf(t result.Threshold) string {
	switch {
	case !t.OK:
		return failed
	case t.NoData:
		return noData
	}
	return passed
}

func thresholdsOf(r result.Result, wanted string) []result.Threshold {
	return slices.DeleteFunc(slices.Clone(r.Thresholds), func(t result.Threshold) bool { return statusOf(t) != wanted })
}

// thresholdValue is the value that was compared with the limit.
func thresholdValue(t result.Threshold) string {
	switch {
	case statusOf(t) == noData:
		return noData
	case t.Value == nil:
		return noData
	}
	if t.TooFew != nil {
		few := *t.TooFew
		t.TooFew = nil
		return thresholdValue(t) + ", " + few.String()
	}
	metric, _, _ := strings.Cut(t.Metric, "{")
	switch {
	case metric == "pix_money_drift" && strings.HasPrefix(t.Expression, "count"):
		return reais(int64(*t.Value))
	case result.InTime(metric) && !strings.HasPrefix(t.Expression, "count"):
		if t.Bounds != nil {
			return preciseMilliseconds(*t.Value) + ", 95% confidence " + bounds(t.Bounds)
		}
		return preciseMilliseconds(*t.Value)
	}
	return precise(*t.Value)
}

// bounds are those of a percentile, in words.
func bounds(b *result.Bounds) string {
	if b.To == nil {
		return fmt.Sprintf("from %s (an upper bound needs %s values: %s at this rate)", milliseconds(b.From), count(b.Needed), time.Duration(b.Seconds*float64(time.Second)))
	}
	from, to := milliseconds(b.From), milliseconds(*b.To)
	if from == to {
		return from
	}
	return from + " to " + to
}

// failedChecks are the script's checks that failed at least once.
func failedChecks(r result.Result) []result.Check {
	return slices.DeleteFunc(slices.Clone(r.Checks), func(c result.Check) bool { return c.Fails == 0 })
}

// invalidReason explains one reason why a run is invalid: a limit that the generator
// exceeded, or another obstacle.
func invalidReason(r result.Result, reason result.Reason) string {
	s := reason.Detail
	if s == "" {
		s = brokenLimit(reason)
	}
	ofAll := len(r.Parts) > 0 && (reason.Figure == result.OwnDelay || reason.Figure == result.UnseenTags)
	if r.Instances > 1 && !ofAll {
		s += fmt.Sprintf(" (instance %d)", reason.Instance)
	}
	return s
}

func brokenLimit(reason result.Reason) string {
	limit := "0"
	if reason.Limit != 0 {
		limit = withUnit(reason.Limit, reason.Unit)
	}
	s := fmt.Sprintf("%s %s, limit %s", reason.Figure, withUnit(reason.Value, reason.Unit), limit)
	if reason.Note != "" {
		s += " (" + reason.Note + ")"
	}
	switch reason.Figure {
	case "virtual users", result.Unanswered: // caused by the script and the gateway
		return s
	}
	return "generator: " + s
}

func withUnit(v float64, unit string) string {
	switch unit {
	case "ms":
		return milliseconds(v)
	case "%":
		return number(math.Round(v*10)/10) + "%"
	case "centavos":
		return reais(int64(v))
	case "1/s":
		return number(round(v)) + "/s"
	case "", "iterations": // the figure's name contains the unit
		return number(v)
	}
	return number(v) + " " + unit
}

func join(ns []int) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = fmt.Sprint(n)
	}
	return strings.Join(parts, ", ")
}

// drifted counts the accounts whose balance is off.
func drifted(r result.Result) (n int) {
	for _, a := range r.Accounts {
		if a.Drift != 0 {
			n++
		}
	}
	return n
}
