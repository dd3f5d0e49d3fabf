package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/result"
)

// verdict is a result's outcome in words.
type verdict struct {
	Word    string
	Mark    mark
	Why     string
	Reasons []string // one per problem
}

// Why is why a run has its outcome: a sentence, and the first reasons.
func Why(r result.Result) []string {
	const most = 5
	v := verdictOf(r)
	lines := append([]string{v.Why}, v.Reasons...)
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], Plural(int64(more), "more reason", "more reasons"))
	}
	return lines
}

func verdictOf(r result.Result) verdict {
	v := verdict{Word: string(r.Outcome), Mark: bad}
	for _, t := range failedOf(r) {
		v.Reasons = append(v.Reasons, "threshold "+t.Metric+": "+t.Expression+", got "+value(t)+first(r, t))
	}
	for _, reason := range r.Reasons {
		if r.Outcome == result.Invalid && reason.Figure == result.Nothing {
			continue // it is the sentence
		}
		if r.Instances > 1 {
			reason.Detail += fmt.Sprintf(" (instance %d)", reason.Instance)
		}
		v.Reasons = append(v.Reasons, reason.Detail)
	}
	switch r.Outcome {
	case result.Pass:
		v.Mark, v.Why = either(len(faults(r)) > 0 || r.Threw() > 0 || failedChecks(r) > 0 || r.Ledger.Counts.PaymentsUnchecked > 0, warn, good), shown(r)
	case result.Interrupted:
		v.Mark, v.Why = warn, joined("; ", endedEarly(r), "what was still pending is unknown; so far: "+shown(r))
	case result.Fail:
		v.Why = joined("; ", countFailed(r), thrown(r), visible(r.Complaint))
	case result.Wrong:
		v.Why = joined("; ", wrong(r), thrown(r))
		if len(r.Reasons) > 0 {
			v.Why += "; the run is also invalid"
		}
	case result.Invalid:
		v.Mark, v.Why = warn, joined("; ", invalid(r), thrown(r))
	case result.Incomplete:
		v.Mark, v.Why = warn, fmt.Sprintf("the results of %d of %d instances are missing, so there is no verdict on the run", len(r.Missing), r.Instances)
		v.Reasons = append([]string{"missing: instance " + strings.Trim(fmt.Sprint(r.Missing), "[]")}, v.Reasons...)
	}
	if r.Interrupted && r.Outcome != result.Interrupted {
		v.Reasons = append(v.Reasons, endedEarly(r))
	}
	return v
}

// invalid is why a run is invalid, in general.
func invalid(r result.Result) string {
	switch {
	case r.Has(result.Nothing):
		return r.Reasons[slices.IndexFunc(r.Reasons, func(of result.Reason) bool { return of.Figure == result.Nothing })].Detail
	case r.Has(result.Hiccup, result.ScheduleLag, result.CPU, result.Exhausted, result.Suspended):
		return "the generator was the bottleneck: its figures cannot be attributed to the gateway"
	case r.Has(result.Iterations):
		return "too few virtual users: the scheduled rate was not reached"
	case r.Has(result.OwnDelay):
		return "the generator itself may have made the latencies so long: run it on a machine that is faster or less busy"
	case r.Has(result.Unanswered):
		return "the gateway did not respond to the final look-ups, so the money could not be checked: is it running?"
	}
	return "not all webhooks, look-ups and balances were waited for"
}

// endedEarly says why an interrupted run ended, as far as that is known.
func endedEarly(r result.Result) string {
	why := "the run ended early"
	for _, t := range failedOf(r) {
		if t.Aborts {
			why += ": a threshold with abortOnFail failed, " + t.Metric + ": " + t.Expression
		}
	}
	if r.Complaint != "" {
		why += ": " + visible(r.Complaint)
	}
	return why
}

// wrong lists the causes, and then the findings that they do not explain.
func wrong(r result.Result) string {
	var causes, what []string // a cause is a sentence with commas of its own
	for _, c := range r.Ledger.Causes {
		causes = append(causes, c.Text)
	}
	for _, f := range troubles(r) {
		if f.Mark == bad && !f.explained(r.Ledger.Causes) || f.limited(failedOf(r)) {
			what = append(what, f.String())
		}
	}
	if len(what) > 0 {
		causes = append(causes, strings.Join(what, ", "))
	}
	s := strings.Join(causes, "; ") + ": " + countFailed(r)
	if money := correct(r); len(r.Reasons) == 0 && money != "" {
		s += "; " + money
	}
	return s
}

// limited says whether one of some thresholds is on the finding.
func (f found) limited(thresholds []result.Threshold) bool {
	return slices.ContainsFunc(thresholds, func(t result.Threshold) bool { return t.Metric == f.metric() })
}

// shown says what a run has shown, including faults that no threshold covers.
func shown(r result.Result) string {
	parts := []string{passed(r)}
	wrong := faults(r)
	if r.Ledger.Counts.WebhooksReceived > 0 && len(wrong) == 0 {
		parts = append(parts, "every webhook matched")
	}
	for _, f := range wrong {
		parts = append(parts, f.String())
	}
	parts = append(parts, thrown(r))
	if n := failedChecks(r); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s failed", n, Plural(int64(len(r.Checks)), "check", "checks")))
	}
	if n := r.Ledger.Counts.PaymentsUnchecked; n > 0 {
		parts = append(parts, Plural(n, "payment", "payments")+" not checked")
	}
	return joined(", ", append(parts, correct(r))...)
}

// correct says how precisely the balances match the ledger; empty if one does not.
func correct(r result.Result) string {
	if len(r.Accounts()) == 0 || drifted(r) > 0 {
		return ""
	}
	if slack := slackOf(r); slack > 0 {
		return fmt.Sprintf("the money is correct within the %s that the ledger leaves open", reais(slack))
	}
	return "the money is correct to the centavo"
}

// slackOf is the sum of the ranges of balances that the ledger allows, in centavos.
func slackOf(r result.Result) (sum int64) {
	for _, a := range r.Accounts() {
		sum += a.To - a.From
	}
	return sum
}

// passed says how many thresholds passed, provided that none failed.
func passed(r result.Result) string {
	all, empty := len(r.Thresholds), countOf(r.Thresholds, func(t result.Threshold) bool { return t.NoData })
	switch {
	case all == 0:
		return "done, no threshold was set"
	case empty == all:
		return "done, no threshold had data"
	case empty > 0:
		return fmt.Sprintf("%d of %d thresholds passed, %d had no data", all-empty, all, empty)
	case all == 1:
		return "the threshold passed"
	}
	return fmt.Sprintf("all %d thresholds passed", all)
}

func countFailed(r result.Result) string {
	n := len(failedOf(r))
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s failed", n, Plural(int64(len(r.Thresholds)), "threshold", "thresholds"))
}

// failedOf are the thresholds that failed, those first that prove a fault. That on pix_invalid repeats the reasons.
func failedOf(r result.Result) []result.Threshold {
	failed := slices.DeleteFunc(slices.Clone(r.Thresholds), func(t result.Threshold) bool { return t.OK || t.Metric == "pix_invalid" })
	slices.SortStableFunc(failed, func(a, b result.Threshold) int { return cmp.Compare(rank(r, a), rank(r, b)) })
	return failed
}

func rank(r result.Result, t result.Threshold) int {
	switch {
	case r.Proven(t):
		return 0
	case t.Metric == "dropped_iterations": // often because responses took too long
		return 2
	}
	return 1
}

// first is the first payment that a threshold on a finding is about; empty: there is none.
func first(r result.Result, t result.Threshold) string {
	for _, f := range troubles(r) {
		if shown := examples(r, f.Name); f.metric() == t.Metric && len(shown) > 0 {
			return ", the first: " + shown[0]
		}
	}
	return ""
}

// value that was compared with the limit.
func value(t result.Threshold) string {
	switch {
	case t.NoData:
		return "no data"
	case t.Metric == "pix_money_drift":
		return reais(int64(t.Value))
	case t.Time:
		return preciseMilliseconds(t.Value)
	}
	return precise(t.Value)
}

func failedChecks(r result.Result) int {
	return countOf(r.Checks, func(c result.Check) bool { return c.Fails > 0 })
}

// drifted counts the accounts whose balance is off.
func drifted(r result.Result) int {
	return countOf(r.Accounts(), func(a ledger.Money) bool { return a.Drift != 0 })
}

// countOf is how many elements meet a condition.
func countOf[E any](all []E, is func(E) bool) (n int) {
	for _, e := range all {
		if is(e) {
			n++
		}
	}
	return n
}

// thrown says how many iterations threw an error in the script; empty if none did.
func thrown(r result.Result) string {
	if r.Threw() == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s threw an error: see k6's log", count(r.Threw()), Plural(r.Iterations, "iteration", "iterations"))
}

// joined joins the texts that are not empty.
func joined(by string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), by)
}
