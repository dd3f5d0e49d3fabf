package steps

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

// setting is what a control changes of an account for good, and how that is put back.
type setting struct {
	control target.Control
	put     func(context.Context, *target.Controls, int64) error
}

// settings are those of an account between two scenarios, in the order in which they are
// put back: what waits for the bank is settled before the clock goes on.
var settings = []setting{
	{target.Settlement, func(ctx context.Context, c *target.Controls, id int64) error {
		return c.SetSettlement(ctx, id, "automatic")
	}},
	{target.Refunds, func(ctx context.Context, c *target.Controls, id int64) error {
		return c.SetRefunds(ctx, id, "automatic")
	}},
	{target.FaultsControl, func(ctx context.Context, c *target.Controls, id int64) error {
		return c.SetFaults(ctx, id, target.Faults{Auth: "none", PixProvider: "none", MinimumExpiration: leastExpiration})
	}},
	{target.Clock, func(ctx context.Context, c *target.Controls, id int64) error { return c.SetClock(ctx, id, time.Now()) }},
	{target.FeesControl, func(ctx context.Context, c *target.Controls, id int64) error {
		return c.SetFees(ctx, id, target.Fees{CashOut: "0.00", CashIn: "0.00"})
	}},
	{target.LimitsControl, func(ctx context.Context, c *target.Controls, id int64) error {
		return c.SetLimits(ctx, id, liftedLimits())
	}},
}

const (
	leastExpiration   = 30 // seconds (Cash-in, expirationTime)
	requestsPerMinute = 60 // (Resend and MED list)
)

// liftedLimits bound nothing: the earlier payments of an account must not keep it from
// making more.
func liftedLimits() target.Limits {
	limits := noLimits()
	var unlimited *int
	limits.RequestsPerMinute = &unlimited
	return limits
}

// fundsOf puts an amount of money back.
func fundsOf(available centavos) setting {
	return setting{target.Funds, func(ctx context.Context, c *target.Controls, id int64) error {
		return c.SetBalance(ctx, id, available.decimal())
	}}
}

// without puts back that a certificate was registered.
func without(fingerprint string) setting {
	return setting{target.Certificates, func(ctx context.Context, c *target.Controls, id int64) error {
		err := c.RevokeCertificate(ctx, id, fingerprint)
		if isGone(err) {
			return nil
		}
		return err
	}}
}

// isGone: a control knows nothing of a thing, or no longer.
func isGone(err error) bool {
	var e *target.ControlError
	return errors.As(err, &e) && (e.Status == 404 || e.Status == 409)
}

// touches are the settings that scenarios may change, by the controls that there are: what
// the profile tells in the stead of a control cannot be set, and need not be put back.
func (r *run) touches(by ...*planned) []setting {
	return slices.DeleteFunc(slices.Clone(settings), func(s setting) bool {
		return !r.offered.controls[s.control] ||
			!slices.ContainsFunc(by, func(p *planned) bool { return p.runs() && p.calls(s.control) })
	})
}

// putBack puts back what was touched, and forgets what it could put back.
func (s *scenario) putBack(ctx context.Context, a *fixedAccount) error {
	for len(a.touched) > 0 {
		if err := a.touched[0].put(ctx, s.controls(), a.AccountID); err != nil {
			return err
		}
		a.touched = a.touched[1:]
	}
	return nil
}

// putBackTime is how long putting back may take once the run is interrupted.
const putBackTime = 20 * time.Second

// leaveAsFound puts the accounts of a scenario back into their state, whatever became of
// it. What fails is tried again before the account's next scenario.
func (s *scenario) leaveAsFound(ctx context.Context) {
	if s.sharing {
		return
	}
	s.keepUnsettled()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBackTime)
	defer cancel()
	for _, a := range s.leased {
		_ = s.putBack(ctx, a)
	}
}

// leave gives the fixed accounts their own fees and limits again, as far as the profile
// tells them.
func (r *run) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBackTime)
	defer cancel()
	uses := func(control target.Control) bool {
		return slices.ContainsFunc(r.touches(r.planned...), func(s setting) bool { return s.control == control })
	}
	_ = r.onFixed(ctx, func(ctx context.Context, c *target.Controls, a *fixedAccount) error {
		var err error
		if fees := r.profile.Fees; uses(target.FeesControl) && fees != (target.Fees{}) {
			err = c.SetFees(ctx, a.AccountID, fees)
		}
		if uses(target.LimitsControl) {
			limits := r.profile.Limits
			if limits.RequestsPerMinute == nil {
				documented := requestsPerMinute
				perMinute := &documented
				limits.RequestsPerMinute = &perMinute
			}
			err = errors.Join(err, c.SetLimits(ctx, a.AccountID, limits))
		}
		return err
	})
}

// onFixed does something to each fixed account, beside the scenarios.
func (r *run) onFixed(ctx context.Context, do func(context.Context, *target.Controls, *fixedAccount) error) error {
	controls := r.target.Controls("pixcert.accounts", func(exchange.Exchange) int { return 0 })
	var all error
	for _, a := range r.fixed {
		all = errors.Join(all, do(ctx, controls, a))
	}
	return all
}
