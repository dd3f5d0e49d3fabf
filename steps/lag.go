package steps

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/target"
)

// Some gateways read balances and lists from a copy that follows what happens. What is
// read too early there is no fault; so the suite measures once how far the copy is
// behind, and waits for it before it looks. A gateway that is not behind costs no wait.

// behind is how much longer than measured a copy may be behind.
const behind = 3

// catchUp waits until what the scenario has changed shows in balances and lists.
func (s *scenario) catchUp(ctx context.Context) {
	wait := behind*s.run.lag - time.Since(s.acted)
	if s.run.lag == 0 || wait <= 0 {
		return
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
}

// measureLag finds out how far the target's balances and lists are behind: how long
// money that was given, and a payment, take to show. On an account of the profile that
// costs a centavo.
func (r *run) measureLag(ctx context.Context) time.Duration {
	canPay := r.isFixed() || r.target.Has[target.Accounts] && r.target.Has[target.Funds]
	if !canPay || !r.readsCopies() {
		return 0
	}
	s := r.probing("pixcert.lag", r.fixed)
	if s.newProbe(ctx) != nil {
		return 0
	}
	before, err := s.balanceOf(ctx, s.account)
	if err != nil || s.account.fixed != nil && before.available == 0 {
		return 0
	}
	var funded time.Duration
	if s.account.fixed == nil {
		const given = 100
		if s.controls().SetBalance(ctx, s.account.id, centavos(given).decimal()) != nil {
			return 0
		}
		funded = s.untilShown(ctx, func() bool {
			b, err := s.balanceOf(ctx, s.account)
			return err != nil || b.available == given
		})
		before.available = given
	}
	if !r.offered.claims(target.Public) || s.sendsAmount(ctx, "the account", hasSent, "cash-out", "0.01") != nil {
		return funded
	}
	debited := s.untilShown(ctx, func() bool {
		b, err := s.balanceOf(ctx, s.account)
		return err != nil || b.available < before.available
	})
	listed := s.untilShown(ctx, func() bool {
		_, items, err := s.listing(ctx)
		return err != nil || len(items) > 0
	})
	s.keepUnsettled()
	return max(funded, debited, listed)
}

func (s *scenario) newProbe(ctx context.Context) error { return s.open(ctx, "an account") }

// probing is a scenario of the suite's own, which judges nothing.
func (r *run) probing(name string, on []*fixedAccount) *scenario {
	rule := &catalogue.Rule{Name: name}
	return &scenario{run: r, probing: true, leased: on, plan: &planned{scenario: &catalogue.Scenario{Rule: rule, Steps: []catalogue.Step{{}}}}}
}

// settleIn brings the accounts of the profile into their state between two scenarios,
// since an earlier run may have been cut off, and registers their URLs. Credentials that
// are wrong would spoil the whole run, and are told at once.
func (r *run) settleIn(ctx context.Context) {
	for _, a := range r.fixed {
		a.touched = r.touches(r.planned...)
		s := r.probing("pixcert.accounts", []*fixedAccount{a})
		if s.newProbe(ctx) != nil { // tried again by the scenarios, which tell it
			continue
		}
		var u *unable
		if _, err := s.tokenOf(ctx, s.account); errors.As(err, &u) {
			r.options.Progress.Note(r.secrets.Text(fmt.Sprintf("account %d of the profile: %s; are its clientId, its clientSecret and its certificate right?", a.index+1, u.reason)))
			continue
		}
		s.registerPlaces(ctx, s.account)
		s.close()
	}
}

// untilShown waits until a change shows, and tells how long that took; nothing if it
// showed at once. What never shows is for the rules to judge.
func (s *scenario) untilShown(ctx context.Context, shows func() bool) (took time.Duration) {
	started := time.Now()
	shown, err := poll(ctx, s.run.profile.Deadlines.Balance, func() (bool, error) {
		took = time.Since(started)
		return shows(), nil
	})
	if !shown || err != nil || took < pollEvery {
		return 0
	}
	return took
}

// readsCopies says whether anything of the plan looks at a balance or a list.
func (r *run) readsCopies() bool {
	for _, p := range r.planned {
		if len(p.reads) > 0 || p.looks {
			return true
		}
	}
	return false
}
