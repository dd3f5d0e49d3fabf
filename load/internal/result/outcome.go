package result

import (
	"slices"
	"strings"
)

// Outcome is the verdict on a run.
type Outcome string

// Outcomes, the most severe first: the first that applies is that of the result. Commands
// that end with a result use the exit status.
//
//	outcome     exit  when
//	incomplete     2  instances of the run are missing from a merge
//	wrong         99  a threshold on payments, webhooks, repeats or money failed; in an
//	                  invalid run, only one that the generator cannot have caused to fail:
//	                  see [Result.Proven]
//	fail          99  another threshold failed, such as one on the amount of load, and not because
//	                  of what makes the run invalid or ended it early;
//	                  or the script failed the test
//	invalid       99  the generator was the bottleneck, so the figures cannot be attributed
//	                  to the target; there were too few virtual users, nothing was measured,
//	                  or no threshold had data
//	interrupted  105  the run ended early: what was still pending is unknown
//	invalid       99  none failed, but the gateway did not respond to the final look-ups
//	pass           0  no threshold failed
//
// The statuses are those of commands that show a result. A run itself ends with k6's own status: 99
// for failed thresholds, among which each preset has one on pix_invalid. A fault that no
// threshold covers does not fail a run: the presets correct and answered cover all faults.
const (
	Incomplete  Outcome = "incomplete"
	Wrong       Outcome = "wrong"
	Invalid     Outcome = "invalid"
	Fail        Outcome = "fail"
	Interrupted Outcome = "interrupted"
	Pass        Outcome = "pass"
)

// ExitStatus of a command that ends with the outcome.
func (o Outcome) ExitStatus() int {
	switch o {
	case Pass:
		return 0
	case Incomplete:
		return 2
	case Interrupted:
		return 105
	}
	return 99
}

// Outcome of the result.
func (r Result) Outcome() Outcome {
	if len(r.Missing) > 0 {
		return Incomplete
	}
	if slices.ContainsFunc(r.Thresholds, r.Proven) {
		return Wrong
	}
	if !r.Measured() || r.Unjudged() {
		return Invalid
	}
	failed := func(t Threshold) bool {
		return !t.OK && !t.aboutMoney() && // judged above
			!t.aboutValidity() && !(t.Value == nil && r.Validity.has(UnseenTags)) && // judged below
			!(r.Interrupted && t.aboutAmount()) && !r.excused(t)
	}
	switch {
	case slices.ContainsFunc(r.Thresholds, failed):
		return Fail
	case r.Validity.Doubtful():
		return Invalid
	case r.Interrupted:
		return Interrupted
	case r.Complaint != "":
		return Fail
	case !r.Validity.Valid:
		return Invalid
	}
	return Pass
}

// Measured says whether any request was measured: scheduled after the warm-up, and
// completed.
func (r Result) Measured() bool { return r.Total().Count > 0 }

// Failed says whether a threshold on a metric failed.
func (r Result) Failed(metric string) bool {
	return slices.ContainsFunc(r.Thresholds, func(t Threshold) bool { return t.Metric == metric && !t.OK })
}

// Unjudged says whether there are thresholds, and none of them had data.
func (r Result) Unjudged() bool {
	return len(r.Thresholds) > 0 && !slices.ContainsFunc(r.Thresholds, func(t Threshold) bool { return !t.NoData })
}

// Threw is how many iterations threw an error, as far as they were counted.
func (r Result) Threw() int64 {
	if r.Thrown == nil {
		return 0
	}
	return *r.Thrown
}

// Proven says whether a threshold on payments, webhooks, repeats or money failed, and would
// have failed with any generator: a slow generator does not excuse a proven fault. In a
// valid run, this is every such threshold that failed.
func (r Result) Proven(t Threshold) bool {
	if t.OK {
		return false
	}
	if r.Validity.sound() && r.Measured() {
		return t.aboutMoney()
	}
	name, _ := splitMetric(t.Metric)
	switch proofs[name] {
	case always:
		return true
	case whileAwake:
		return !r.Validity.starved()
	}
	return false
}

// proof says when a fault is proven even though the run is invalid.
type proof int

const (
	never      proof = iota // it depends on how much was sent, or is unknown
	whileAwake              // unless the process was too slow to receive what the gateway delivered
	always                  // the gateway itself reported it, or failed to report it
)

// proofs of the counts that should be 0. Balances, lists and bodies come from the gateway
// itself, whenever they are read, and a failed look-up widens the allowed range of a balance.
// A webhook may be lost because the listener was too slow to receive it, or be delivered
// again because the listener acknowledged it too late.
var proofs = map[string]proof{
	"pix_money_drift":            always,
	"pix_double_debits":          always,
	"pix_payments_mixed_up":      always,
	"pix_payments_vanished":      always,
	"pix_payments_unsettled":     always,
	"pix_webhooks_malformed":     always,
	"pix_webhooks_contradictory": always,
	"pix_webhooks_orphan":        always,
	"pix_webhooks_lost":          whileAwake,
	"pix_webhooks_resend_lost":   whileAwake,
	"pix_webhooks_duplicate":     whileAwake,
}

// aboutMoney says whether the threshold is on what became of payments, webhooks, repeats or money.
func (t Threshold) aboutMoney() bool {
	if t.aboutAmount() {
		return false
	}
	for _, prefix := range []string{"pix_payments_", "pix_webhooks_", "pix_double_debits", "pix_repeats_", "pix_money_"} {
		if strings.HasPrefix(t.Metric, prefix) {
			return true
		}
	}
	return false
}

// aboutAmount says whether the threshold demands that so many are sent, accepted or received at least.
func (t Threshold) aboutAmount() bool {
	e, err := parseExpression(t.Expression)
	return err == nil && e.method == "count" && strings.HasPrefix(e.operator, ">")
}

func (t Threshold) aboutValidity() bool {
	name, _ := splitMetric(t.Metric)
	return slices.Contains(ofValidity, name)
}
