package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/world"
)

// Where no new accounts can be made the scenarios run on those of the profile, which have a
// history and keep it. One scenario at a time has an account, but those that change nothing
// share the accounts, and run before the others.

// openFixed reads the accounts of the profile, each once, if the run needs them.
func (r *run) openFixed() error {
	if r.target.Has[target.Accounts] {
		return nil
	}
	for i, account := range r.target.Profile.Accounts {
		certificate, err := certs.Load(account.Certificate, account.Key)
		if err != nil {
			return fmt.Errorf("the certificate of account %d of the profile: %w", i+1, err)
		}
		if slices.ContainsFunc(r.fixed, func(a *world.FixedAccount) bool { return strings.EqualFold(a.ClientID, account.ClientID) }) {
			return fmt.Errorf("account %d of the profile has the clientId of another: give each account once", i+1)
		}
		r.fixed = append(r.fixed, world.NewFixedAccount(account, certificate, i))
	}
	r.accounts = newLeases(r.fixed)
	return nil
}

// touches are the settings that scenarios may change, by the controls that there are: what the
// profile states instead of a control cannot be set, and need not be put back.
func (r *run) touches(by ...*plan.Scenario) []world.Setting {
	return slices.DeleteFunc(slices.Clone(world.Settings), func(s world.Setting) bool {
		return !r.offer.Controls[s.Control] ||
			!slices.ContainsFunc(by, func(p *plan.Scenario) bool { return p.Runs() && p.Calls(s.Control) })
	})
}

// probe is a scenario of the suite's own, which judges nothing.
func (r *run) probe(name string, on []*world.FixedAccount) *world.World {
	return world.New(r.stage, world.Script{Rule: name, Accounts: on})
}

// checkControls keeps from running what depends on a control that does not do what it says.
func (r *run) checkControls(ctx context.Context) {
	for _, check := range []struct {
		control target.Control
		wrong   func(*world.World, context.Context) string
	}{
		{target.Accounts, (*world.World).CheckAccounts},
		{target.Clock, (*world.World).CheckClock},
	} {
		depends := func(s *plan.Scenario) bool { return s.Runs() && s.Calls(check.control) }
		if !r.offer.Controls[check.control] || check.control != target.Accounts && !slices.ContainsFunc(r.planned, depends) {
			continue
		}
		w := world.New(r.stage, world.Script{Rule: "pixcert.controls", Accounts: r.fixed, Touches: r.touches(r.planned...)})
		why := check.wrong(w, ctx)
		w.Leave(ctx)
		w.Close()
		if why == "" {
			continue
		}
		r.options.Progress.Note(r.secrets.Text(fmt.Sprintf("the control %s does not do what it says: %s; what depends on it cannot be tested", check.control, why)))
		for _, s := range r.planned {
			s.Distrust(check.control, why)
		}
	}
}

// settleIn brings the accounts of the profile into their state between two scenarios, since an
// earlier run may have been cut off, and registers their URLs before a scenario can take their
// room. Where accounts are made, it makes one. Wrong credentials, or a control that fails, would
// spoil the whole run and are its error.
func (r *run) settleIn(ctx context.Context) error {
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
		w.Close()
		if err != nil {
			return fmt.Errorf("account %d of the profile: %w", a.Index+1, err)
		}
	}
	return nil
}

// tryAccounts makes an account by the control for it, if scenarios will. One failure may be
// chance, two are not.
func (r *run) tryAccounts(ctx context.Context) error {
	if !r.target.Has[target.Accounts] || !slices.ContainsFunc(r.planned, func(s *plan.Scenario) bool { return s.Runs() && s.Accounts > 0 }) {
		return nil
	}
	var err error
	for range 2 {
		w := r.probe("pixcert.accounts", nil)
		err = w.OpenAccount(ctx)
		w.Close()
		if err == nil {
			return nil
		}
	}
	return err
}

// measureLag finds out how far the target's balances and lists lag behind, and how long a webhook
// takes if a scenario waits for what must not arrive. On an account of the profile that costs a
// centavo.
func (r *run) measureLag(ctx context.Context) time.Duration {
	canPay := len(r.fixed) > 0 || r.target.Has[target.Accounts] && r.target.Has[target.Funds]
	reads := slices.ContainsFunc(r.planned, func(s *plan.Scenario) bool { return s.Looks })
	if !canPay || !reads {
		return 0
	}
	w := r.probe("pixcert.lag", r.fixed)
	defer w.Close()
	quiet := slices.ContainsFunc(r.planned, func(s *plan.Scenario) bool { return s.Runs() && s.Quiet })
	return w.MeasureLag(ctx, quiet)
}

// rest waits until the money of the profile's accounts is at rest, before scenarios share them.
func (r *run) rest(ctx context.Context) {
	for _, a := range r.fixed {
		w := r.probe("pixcert.accounts", []*world.FixedAccount{a})
		w.Rest(ctx)
		w.Close()
	}
}

// leave gives the fixed accounts their own fees and limits again, as far as the profile states
// them.
func (r *run) leave(ctx context.Context) {
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
			const documented = 60 // requests a minute (Resend and MED list)
			limits, perMinute := r.target.Profile.Limits, new(int)
			*perMinute = documented
			if limits.RequestsPerMinute == nil {
				limits.RequestsPerMinute = &perMinute
			}
			_ = controls.SetLimits(ctx, a.AccountID, limits)
		}
	}
}
