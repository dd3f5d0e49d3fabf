package result

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/capacity"
)

// Outcome is the verdict on a run.
type Outcome string

// Outcomes, the gravest first: a result has the first that applies. The exit status is
// that of the commands which end with a result.
//
//	outcome     exit  when
//	incomplete     2  a merge lacks instances of the run
//	wrong         99  a threshold on payments, webhooks, repeats or money failed; of an
//	                  invalid run, one that its generator cannot have made fail: see
//	                  [Result.Proven]
//	invalid        3  the generator was the bottleneck: the figures are not the target's;
//	                  the virtual users were too few, nothing was measured, or a search for
//	                  the capacity came to nothing that is certain
//	fail          99  another threshold failed, or a search for the capacity found no rate
//	                  that holds
//	invalid        3  none failed, but the gateway did not answer at the end
//	interrupted  105  it ended before its time: nothing is certain of the rest
//	pass           0  no threshold failed
//
// 99 is k6's own status for failed thresholds, 105 that for a run that was interrupted.
// What no threshold asks for does not fail a run: the presets correct and answered ask for
// everything.
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
	case Invalid:
		return 3
	case Interrupted:
		return 105
	}
	return 99
}

// Outcome is what a result amounts to.
func (r Result) Outcome() Outcome {
	if len(r.Missing) > 0 {
		return Incomplete
	}
	if slices.ContainsFunc(r.Thresholds, r.Proven) {
		return Wrong
	}
	if !r.Measured() || r.Validity.Doubtful() {
		return Invalid
	}
	failed := func(t Threshold) bool { return !t.OK && !t.aboutMoney() } // the others were judged above
	switch {
	case slices.ContainsFunc(r.Thresholds, failed), r.Capacity != nil && r.Capacity.Outcome == capacity.NoneHeld:
		return Fail
	case !r.Validity.Valid:
		return Invalid
	case r.Interrupted:
		return Interrupted
	}
	return Pass
}

// Measured says whether any request was measured: one that was intended after the warm-up
// and ended.
func (r Result) Measured() bool { return r.Total().Count > 0 }

// Threw is how many iterations ended with an error of the script, as far as they were
// counted.
func (r Result) Threw() int64 {
	if r.Thrown == nil {
		return 0
	}
	return *r.Thrown
}

// Proven says whether a threshold has failed on payments, webhooks, repeats or money, and
// would have failed with any generator: what is shown to be wrong does not become right
// because the generator was slow. Of a run that is valid, that is every such threshold.
func (r Result) Proven(t Threshold) bool {
	if t.OK {
		return false
	}
	if r.Validity.Valid && r.Measured() {
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

// proof is when a count of what is wrong is proven in spite of an invalid run.
type proof int

const (
	never      proof = iota // it depends on how much was sent, or nobody knows
	whileAwake              // unless the process was too slow to take what the gateway delivered
	always                  // what the gateway itself said, or left unsaid, shows it
)

// proofs are of the counts that ought to be 0. Balances, lists and bodies are the gateway's
// own words, whenever they are read, and what nobody could look up widens the range that a
// balance may lie in. A webhook may be lost for want of somebody who takes it, and comes
// again when whoever took it did not say so in time.
var proofs = map[string]proof{
	"pix_money_drift":            always,
	"pix_double_debits":          always,
	"pix_payments_vanished":      always,
	"pix_payments_unsettled":     always,
	"pix_webhooks_malformed":     always,
	"pix_webhooks_contradictory": always,
	"pix_webhooks_orphan":        always,
	"pix_webhooks_lost":          whileAwake,
	"pix_webhooks_resend_lost":   whileAwake,
	"pix_webhooks_duplicate":     whileAwake,
}

// aboutMoney says whether the threshold is on what became of payments, webhooks or money.
func (t Threshold) aboutMoney() bool {
	for _, prefix := range []string{"pix_payments_", "pix_webhooks_", "pix_double_debits", "pix_repeats_", "pix_money_"} {
		if strings.HasPrefix(t.Metric, prefix) {
			return true
		}
	}
	return false
}
