package world

import (
	"context"
	"errors"
	"time"

	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/target"
)

// Setting is a permanent setting of an account that a control changes, and how to reset it.
type Setting struct {
	Control target.Control
	put     func(context.Context, *target.Controls, int64) error
}

// Settings are the settings to reset between scenarios, in this order: payments that wait for the
// bank are settled before the clock moves on.
var Settings = []Setting{
	{target.Settlement, func(ctx context.Context, c *target.Controls, id int64) error {
		return c.SetSettlement(ctx, id, "automatic")
	}},
	{target.Refunds, func(ctx context.Context, c *target.Controls, id int64) error {
		return c.SetRefunds(ctx, id, "automatic")
	}},
	{target.FaultsControl, func(ctx context.Context, c *target.Controls, id int64) error {
		const leastExpiration = 30 // seconds (Cash-in, expirationTime)
		return c.SetFaults(ctx, id, target.Faults{Auth: "none", PixProvider: "none", MinimumExpiration: leastExpiration})
	}},
	{target.Clock, func(ctx context.Context, c *target.Controls, id int64) error { return c.SetClock(ctx, id, time.Now()) }},
	{target.FeesControl, func(ctx context.Context, c *target.Controls, id int64) error {
		return c.SetFees(ctx, id, target.Fees{CashOut: "0.00", CashIn: "0.00"})
	}},
	{target.LimitsControl, func(ctx context.Context, c *target.Controls, id int64) error {
		limits := target.NoLimits() // earlier payments of the account must not use up its limits
		var unlimited *int
		limits.RequestsPerMinute = &unlimited
		return c.SetLimits(ctx, id, limits)
	}},
}

func funds(available money.Centavos) Setting {
	return Setting{target.Funds, func(ctx context.Context, c *target.Controls, id int64) error {
		return c.SetBalance(ctx, id, available.Decimal())
	}}
}

func withoutCertificate(fingerprint string) Setting {
	return Setting{target.Certificates, func(ctx context.Context, c *target.Controls, id int64) error {
		err := c.RevokeCertificate(ctx, id, fingerprint)
		var e *target.ControlError
		if errors.As(err, &e) && (e.Status == 404 || e.Status == 409) { // there is nothing to revoke
			return nil
		}
		return err
	}}
}

// PutBackTime is how long the reset may take after a run is interrupted.
const PutBackTime = 20 * time.Second

// putBack resets the touched settings. Those that it cannot reset stay marked as touched.
func (a *FixedAccount) putBack(ctx context.Context, controls *target.Controls) error {
	for len(a.touched) > 0 {
		if err := a.touched[0].put(ctx, controls, a.AccountID); err != nil {
			return err
		}
		a.touched = a.touched[1:]
	}
	return nil
}
