package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/world"
)

// If no new accounts can be created, the scenarios run on those of the profile, which have a history
// and keep it. Each scenario uses its accounts exclusively, except that the scenarios that change
// nothing run first and share all accounts.

// openFixed reads the accounts of the profile, each once, if the run needs them.
func (r *prepared) openFixed() error {
	if r.target.Has[target.Accounts] {
		return nil
	}
	for i, account := range r.target.Profile.Accounts {
		certificate, err := certs.Load(account.Certificate, account.Key)
		if err != nil {
			return fmt.Errorf("accounts[%d].certificate in the profile: %w", i, err)
		}
		if slices.ContainsFunc(r.fixed, func(a *world.FixedAccount) bool { return strings.EqualFold(a.ClientID, account.ClientID) }) {
			return fmt.Errorf("accounts[%d] in the profile has the clientId of another account: list each account once", i)
		}
		r.fixed = append(r.fixed, world.NewFixedAccount(account, certificate, i))
	}
	r.accounts = newLeases(r.fixed)
	return nil
}

// touches returns the settings that scenarios may change with the available controls. A setting
// that the profile states instead cannot be changed, and needs no reset.
func (r *prepared) touches(by ...*plan.Scenario) []world.Setting {
	return slices.DeleteFunc(slices.Clone(world.Settings), func(s world.Setting) bool {
		return !r.offer.Controls[s.Control] ||
			!slices.ContainsFunc(by, func(p *plan.Scenario) bool { return p.Runs() && p.Calls(s.Control) })
	})
}

// probe returns one for the run's own requests. No scenario runs beside it, so that it has all paths of
// the profile.
func (r *prepared) probe(name string, on []*world.FixedAccount) world.Probe {
	return world.Probe{World: world.New(r.stage, world.Script{Rule: name, Accounts: on, Paths: r.target.Profile.Sink.Paths})}
}

// setUp stands for the scenario in what is seen before the first one.
const setUp = "set-up"

// endSetUp closes the world of a set-up, of which nothing is forgotten either.
func (r *prepared) endSetUp(w world.Probe) {
	w.Close()
	if r.options.Evidence != nil {
		r.options.Evidence.add(w.Record)
	}
	r.breaches.collect(verdict.Scenario{Rule: setUp, Name: w.Rule}, w.Judge)
}

// checkControls excludes the scenarios that depend on a control that does not work.
func (r *prepared) checkControls(ctx context.Context) {
	for _, check := range []struct {
		control target.Control
		works   func(world.Probe, context.Context) world.Checked
	}{
		{target.Accounts, world.Probe.CheckAccounts},
		{target.Funds, world.Probe.CheckFunds},
		{target.Settlement, world.Probe.CheckSettlement},
		{target.Clock, world.Probe.CheckClock},
	} {
		depends := func(s *plan.Scenario) bool { return s.Runs() && s.Calls(check.control) }
		if !r.offer.Controls[check.control] || check.control != target.Accounts && !slices.ContainsFunc(r.planned, depends) {
			continue
		}
		w := world.Probe{World: world.New(r.stage, world.Script{Rule: "pixcert.controls", Accounts: r.fixed, Touches: r.touches(r.planned...)})}
		checked := check.works(w, ctx)
		w.Leave(ctx)
		r.endSetUp(w)
		if checked.Works {
			r.proven = append(r.proven, check.control)
		}
		why := checked.Wrong
		if why == "" {
			continue
		}
		r.options.Progress.Note(r.secrets.Text(fmt.Sprintf("the control %s does not work: %s; scenarios that depend on it cannot be tested", check.control, why)))
		r.distrusted[check.control] = why
		for _, s := range r.planned {
			s.Distrust(check.control, why)
		}
	}
}

// settleIn resets the settings of the profile's accounts, because an earlier run may have been cut
// off, and registers their webhooks while there is room for them. If accounts are created instead,
// it creates one. Wrong credentials or a failing control would spoil the whole run, so that they end
// it with an error.
func (r *prepared) settleIn(ctx context.Context) error {
	if len(r.fixed) == 0 {
		return r.tryAccounts(ctx)
	}
	var needed []string
	for _, s := range r.planned {
		if s.Runs() {
			needed = append(needed, s.Registers()...)
		}
	}
	slices.Sort(needed)
	needed = slices.Compact(needed)
	for _, a := range r.fixed {
		a.Touch(r.touches(r.planned...))
		w := r.probe("pixcert.accounts", []*world.FixedAccount{a})
		err := w.SettleIn(ctx, needed)
		r.endSetUp(w)
		if err != nil {
			return fmt.Errorf("accounts[%d] in the profile: %w", a.Index, err)
		}
	}
	return nil
}

// checkBalances says which accounts of the profile have too little money for the run.
func (r *prepared) checkBalances(ctx context.Context) {
	estimate := plan.EstimateOf(r.planned, r.offer)
	if estimate.IsFree() || estimate.ToppedUp() {
		return
	}
	for _, a := range r.fixed {
		w := r.probe("pixcert.accounts", []*world.FixedAccount{a})
		available, known := w.Available(ctx)
		r.endSetUp(w)
		if why := estimate.TooLow(available); known && why != "" {
			r.note(fmt.Sprintf("accounts[%d] in the profile has %s", a.Index, why))
		}
	}
}

// tryAccounts creates an account if scenarios will need some. A single failure may be transient, so
// that it tries twice.
func (r *prepared) tryAccounts(ctx context.Context) error {
	if !r.target.Has[target.Accounts] || !slices.ContainsFunc(r.planned, func(s *plan.Scenario) bool { return s.Runs() && s.Accounts > 0 }) {
		return nil
	}
	var err error
	for range 2 {
		w := r.probe("pixcert.accounts", nil)
		err = w.OpenAccount(ctx)
		r.endSetUp(w)
		if err == nil {
			return nil
		}
	}
	return err
}

// measureLag measures how far the target's balances and lists lag behind: those of MED cases too if a scenario
// opens one. If a scenario checks that no webhook arrives, it also measures how long a webhook takes. On an
// account of the profile this sends one centavo, and receives one if a control pays charges.
func (r *prepared) measureLag(ctx context.Context) (lag, unseen time.Duration) {
	canAct := len(r.fixed) > 0 || r.target.Has[target.Accounts]
	reads := slices.ContainsFunc(r.planned, func(s *plan.Scenario) bool { return s.Looks })
	if !canAct || !reads {
		return 0, 0
	}
	w := r.probe("pixcert.lag", r.fixed)
	defer r.endSetUp(w)
	quiet := r.offer.MayRegister() && slices.ContainsFunc(r.planned, func(s *plan.Scenario) bool { return s.Runs() && s.Quiet })
	cases := slices.ContainsFunc(r.planned, func(s *plan.Scenario) bool { return s.Runs() && s.Calls(target.MED) })
	return w.MeasureLag(ctx, quiet, cases)
}

// rest waits until no payment is pending on the profile's accounts, before scenarios share them.
func (r *prepared) rest(ctx context.Context) {
	for _, a := range r.fixed {
		w := r.probe("pixcert.accounts", []*world.FixedAccount{a})
		w.Rest(ctx)
		w.Close()
	}
}

// leave resets the fees and limits of the profile's accounts to those that the profile states.
func (r *prepared) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), world.PutBackTime)
	defer cancel()
	uses := func(control target.Control) bool {
		return slices.ContainsFunc(r.touches(r.planned...), func(s world.Setting) bool { return s.Control == control })
	}
	controls := r.target.Controls("pixcert.accounts", func(exchange.Exchange) int { return 0 })
	for _, a := range r.fixed {
		if fees := r.target.Profile.Fees; uses(target.FeesControl) && fees != (target.Fees{}) {
			_ = controls.SetFees(ctx, a.AccountID, fees)
		}
		if uses(target.LimitsControl) {
			limits, perMinute := r.target.Profile.Limits, new(int)
			*perMinute = api.RequestsPerMinute
			if limits.RequestsPerMinute == nil {
				limits.RequestsPerMinute = &perMinute
			}
			_ = controls.SetLimits(ctx, a.AccountID, limits)
		}
	}
}
