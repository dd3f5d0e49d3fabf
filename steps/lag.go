package steps

import (
	"context"
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
// money that was given, and a payment, take to show.
func (r *run) measureLag(ctx context.Context) time.Duration {
	if !r.target.Has[target.Accounts] || !r.target.Has[target.Funds] || !r.readsCopies() {
		return 0
	}
	s := &scenario{run: r, probing: true, plan: &planned{scenario: &catalogue.Scenario{Rule: &catalogue.Rule{Name: "pixcert.lag"}}}}
	if s.openFunded(ctx, "an account", "1.00") != nil {
		return 0
	}
	funded := s.untilShown(ctx, func() bool {
		b, err := s.balanceOf(ctx, s.account)
		return err != nil || b.available == 100
	})
	if s.sendsAmount(ctx, "the account", hasSent, "cash-out", "0.40") != nil {
		return funded
	}
	debited := s.untilShown(ctx, func() bool {
		b, err := s.balanceOf(ctx, s.account)
		return err != nil || b.available < 100
	})
	listed := s.untilShown(ctx, func() bool {
		_, items, err := s.listing(ctx)
		return err != nil || len(items) > 0
	})
	return max(funded, debited, listed)
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
