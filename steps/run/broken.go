package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
	"github.com/pixcert/pixcert/steps/world"
)

// A control that stops working during a run would fail rules of a correct gateway. So before a failure
// counts, the controls that it depends on are verified again. A run without failures sends nothing more.

// direct are the checks of the controls whose effect the API shows in several independent ways.
var direct = map[target.Control]func(world.Probe, context.Context) world.Checked{
	target.Accounts:   world.Probe.CheckAccounts,
	target.Funds:      world.Probe.CheckFunds,
	target.Settlement: world.Probe.CheckSettlement,
	target.Clock:      world.Probe.CheckRunningClock,
}

const nobody, nothing = 1<<53 - 1, "00000000-0000-4000-8000-000000000000"

// invalidCalls are calls that a control must refuse, because they name an account, a charge or a status that
// does not exist. A control that accepts them does not read what it is sent.
var invalidCalls = map[target.Control]func(context.Context, *target.Controls) error{
	target.Accounts: func(ctx context.Context, c *target.Controls) error { return c.RemoveAccount(ctx, nobody) },
	target.Funds:    func(ctx context.Context, c *target.Controls) error { return c.SetBalance(ctx, nobody, "1.00") },
	target.FeesControl: func(ctx context.Context, c *target.Controls) error {
		return c.SetFees(ctx, nobody, target.Fees{CashOut: "0.00", CashIn: "0.00"})
	},
	target.LimitsControl: func(ctx context.Context, c *target.Controls) error {
		return c.SetLimits(ctx, nobody, target.NoLimits())
	},
	target.Clock: func(ctx context.Context, c *target.Controls) error { return c.SetClock(ctx, nobody, time.Now()) },
	target.Certificates: func(ctx context.Context, c *target.Controls) error {
		return c.RegisterCertificate(ctx, nobody, []byte("no certificate"))
	},
	target.Directory: func(ctx context.Context, c *target.Controls) error {
		return c.PutKey(ctx, "no key", target.DirectoryEntry{AccountStatus: "NONE"})
	},
	target.Settlement: func(ctx context.Context, c *target.Controls) error { return c.SetSettlement(ctx, nobody, "automatic") },
	target.Payments: func(ctx context.Context, c *target.Controls) error {
		_, err := c.Pay(ctx, nobody, nothing, "", target.Payer{})
		return err
	},
	target.Charges: func(ctx context.Context, c *target.Controls) error { return c.EndCharge(ctx, nobody, nothing, "psp") },
	target.Refunds: func(ctx context.Context, c *target.Controls) error {
		return c.EndRefund(ctx, nobody, nothing, target.RefundResult{Status: "DEVOLVIDO"})
	},
	target.Returns: func(ctx context.Context, c *target.Controls) error { return c.Return(ctx, nobody, nothing, "1.00") },
	target.Splits:  func(ctx context.Context, c *target.Controls) error { return c.ShowSplits(ctx, nobody, nothing) },
	target.MED: func(ctx context.Context, c *target.Controls) error {
		return c.MoveMED(ctx, nobody, nobody, target.MEDMove{Status: "ANALYZED", AnalysisResult: "APPROVED"})
	},
	target.FaultsControl: func(ctx context.Context, c *target.Controls) error {
		return c.SetFaults(ctx, nobody, target.Faults{Auth: "none"})
	},
}

// recheck verifies the controls of a run again.
type recheck struct {
	*run
	planned map[string]*plan.Scenario // by id
}

// verifyControls withdraws the failures that depend on a control that no longer works, and the passes that
// came after the first of them: without an effect of the control, they show nothing. It takes at most as long as
// the run, or two minutes. It returns false if ctx ended before every control was verified.
func verifyControls(ctx context.Context, of *run) (verified bool) {
	bounded, cancel := context.WithDeadline(ctx, time.Now().Add(max(time.Since(of.began), leastVerifying)))
	defer cancel()
	r := &recheck{run: of, planned: map[string]*plan.Scenario{}}
	for _, p := range of.planned {
		r.planned[p.ID()] = p
	}
	said := false
	for _, control := range target.AllControls {
		if !r.offer.Controls[control] {
			continue
		}
		depending := r.depending(control)
		since := firstFailure(depending)
		switch {
		case since.IsZero():
			continue
		case ctx.Err() != nil:
			return false
		case !said:
			r.options.Progress.Waiting("verifying again the test controls that failing scenarios call")
			said = true
		}
		why := r.whyBroken(bounded, control, depending)
		if why == "" {
			continue
		}
		broken := verdict.BrokenControl{Control: string(control), Why: r.secrets.Text(why), Since: since}
		for _, s := range depending {
			// It may have broken long before the first failure: what was observed then may contradict the rest.
			if s.Verdict.Failing() || s.Holds() && (s.Started.Add(s.Took).After(since) || len(s.Observations) > 0) {
				broken.Scenarios = append(broken.Scenarios, s.ID())
			}
		}
		r.broken = append(r.broken, broken)
		r.results = withdraw(r.results, r.broken)
		r.options.Progress.Note(fmt.Sprintf("%s; %s could not be tested", broken, wording.Count(len(broken.Scenarios), "scenario")))
	}
	return true
}

// depending returns the results of the scenarios that call a control.
func (r *recheck) depending(control target.Control) (all []verdict.Scenario) {
	for _, s := range r.results {
		if p := r.planned[s.ID()]; p != nil && p.Runs() && (p.Calls(control) || control == target.Accounts && p.Accounts > 0) {
			all = append(all, s)
		}
	}
	return all
}

// firstFailure is when the first of the failing scenarios began; zero if none fails.
func firstFailure(all []verdict.Scenario) (first time.Time) {
	for _, s := range all {
		if s.Verdict.Failing() && (first.IsZero() || s.Started.Before(first)) {
			first = s.Started
		}
	}
	return first
}

// whyBroken returns why a control no longer works; empty if it may.
func (r *recheck) whyBroken(ctx context.Context, control target.Control, depending []verdict.Scenario) string {
	if check := direct[control]; check != nil {
		w := world.Probe{World: world.New(r.stage, world.Script{Rule: "pixcert.controls", Accounts: r.fixed, Touches: r.touches(r.run.planned...)})}
		checked := check(w, ctx)
		w.Leave(ctx)
		w.Close()
		if checked.Works || checked.Wrong != "" {
			return checked.Wrong
		}
	}
	malformed := r.target.Malformed(control) // in the run: accepting nonsense may add to it
	if !r.acceptsInvalidCall(ctx, control) {
		return ""
	}
	if malformed != "" {
		return "it accepts calls for what does not exist, and " + malformed
	}
	if malformed := r.target.Malformed(target.Accounts); malformed != "" { // few controls have a response that can be malformed
		return "it accepts calls for what does not exist, and the control accounts failed: " + malformed
	}
	return r.hasNoEffect(ctx, control, depending)
}

// acceptsInvalidCall reports whether a control accepts a call that it must refuse.
func (r *recheck) acceptsInvalidCall(ctx context.Context, control target.Control) bool {
	w := r.probe("pixcert.controls", nil)
	defer w.Close()
	err := invalidCalls[control](ctx, w.Controls())
	var refused *target.ControlError
	return err == nil || errors.As(err, &refused) && refused.Status/100 == 2
}

// leastVerifying is enough for two attempts at a scenario that waits for what never comes. Only a control that accepts
// invalid calls takes so long.
const leastVerifying = 2 * time.Minute

// hasNoEffect returns why a control that accepts invalid calls shows no effect; empty if it may have one.
func (r *recheck) hasNoEffect(ctx context.Context, control target.Control, depending []verdict.Scenario) string {
	hasWitnesses := false
	for _, ids := range witnesses[control] {
		all := r.plan(ids)
		hasWitnesses = hasWitnesses || len(all) > 0
		if failed := r.allFail(ctx, all); failed != nil {
			return fmt.Sprintf("it accepts calls for what does not exist, and nothing shows its effect: %s failed twice when run again", failed.ID())
		}
	}
	if hasWitnesses {
		return ""
	}
	return r.losesItsEffect(ctx, depending)
}

// allFail runs scenarios again until one passes. If none does, it returns the last one that failed, each time; what could
// not be carried out shows nothing.
func (r *recheck) allFail(ctx context.Context, all []*plan.Scenario) (failed *plan.Scenario) {
	for _, p := range all {
		passes, fails := r.runAgain(ctx, p)
		if fails {
			passes, fails = r.runAgain(ctx, p)
		}
		switch {
		case passes:
			return nil
		case fails:
			failed = p
		}
	}
	return failed
}

// mostRunAgain is how many scenarios are run again to see whether a control has lost its effect.
const mostRunAgain = 8

// losesItsEffect runs scenarios again that passed. If one of them no longer does, each time, what it depends on has changed.
func (r *recheck) losesItsEffect(ctx context.Context, depending []verdict.Scenario) string {
	failing := map[string]int{} // rules, whose other scenarios probably see the effect, too
	var passed []*plan.Scenario
	for _, s := range depending {
		switch p := r.planned[s.ID()]; {
		case s.Verdict.Failing():
			failing[s.Rule] = 1
		case s.Verdict == verdict.Pass && !p.Costly():
			passed = append(passed, p)
		}
	}
	slices.SortStableFunc(passed, func(a, b *plan.Scenario) int {
		return cmp.Or(failing[b.Rule.Name]-failing[a.Rule.Name], len(a.Needs)-len(b.Needs))
	})
	for _, p := range passed[:min(mostRunAgain, len(passed))] {
		if r.allFail(ctx, []*plan.Scenario{p}) != nil {
			return "it accepts calls for what does not exist, and " + p.ID() + ", which passed before, failed twice when run again"
		}
	}
	return ""
}

// runAgain carries a scenario out once more: whether it passes, and whether it fails or the target did not get into the
// state that it needs. If neither, time or money ran out, or the target had an outage.
func (r *recheck) runAgain(ctx context.Context, s *plan.Scenario) (passes, fails bool) {
	a, err := r.begin(ctx, &pass{attempt: 1}, s)
	if err != nil {
		return false, false
	}
	timed, cancel := context.WithTimeout(ctx, a.world.TimeLimit)
	defer cancel()
	a.do(timed)
	r.quit(ctx, a)
	if ctx.Err() != nil || r.isAffected(a) {
		return false, false
	}
	return a.result.Verdict == verdict.Pass, a.result.Proves() || a.result.Blocked() && !a.result.Spoiled
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }

// withdraw turns the verdicts that depended on broken controls into could not test. The shape of a response does not
// depend on a control.
func withdraw(results []verdict.Scenario, broken []verdict.BrokenControl) []verdict.Scenario {
	for _, b := range broken {
		for i, s := range results {
			depends := s.Via == "" && slices.Contains(b.Scenarios, s.ID()) || slices.Contains(b.Scenarios, s.Via) && !strings.HasPrefix(s.Rule, "contract.")
			if !depends {
				continue
			}
			results[i] = verdict.Withdrawn(s)
			results[i].Finding = &verdict.Finding{
				Expected: "a test control " + b.Control + " that works during the whole run", Got: b.String(),
				Hint: "fix the control, and run the scenario again (--rerun-failed)", Exchange: -1,
			}
		}
	}
	return results
}
