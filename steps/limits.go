package steps

import (
	"context"
	"fmt"

	"github.com/pixcert/pixcert/steps/target"
)

// limitNames are the limits as the features call them.
var limitNames = map[string]func(*target.Limits) **target.Limit{
	"per-transaction": func(l *target.Limits) **target.Limit { return &l.PerTransaction },
	"daily":           func(l *target.Limits) **target.Limit { return &l.Daily },
	"night":           func(l *target.Limits) **target.Limit { return &l.Night },
}

// lifted says whether the profile tells that the accounts have no limits.
func (o offer) lifted([]string) bool {
	for _, of := range limitNames {
		if limit := *of(&o.limits); limit == nil || *limit != nil {
			return false
		}
	}
	return true
}

// tellsLimit says whether the profile tells the limit that a sentence names.
func (o offer) tellsLimit(words []string) bool {
	limit := *limitNames[words[0]](&o.limits)
	return limit != nil && *limit != nil
}

func (s *scenario) hasLimit(ctx context.Context, name, amount string) error {
	var limits target.Limits
	limit := &amount
	*limitNames[name](&limits) = &limit
	return s.controls().SetLimits(ctx, s.account.id, limits)
}

func (s *scenario) hasRequestLimit(ctx context.Context, count string) error {
	n := atoi(count)
	limit := &n
	return s.controls().SetLimits(ctx, s.account.id, target.Limits{RequestsPerMinute: &limit})
}

// hasNoLimits lifts the limits; where there is no control for it, the profile tells
// that there are none.
func (s *scenario) hasNoLimits(ctx context.Context) error {
	if !s.run.offered.controls[target.LimitsControl] {
		return nil
	}
	return s.controls().SetLimits(ctx, s.account.id, noLimits())
}

// noLimits bound no amount.
func noLimits() target.Limits {
	var limits target.Limits
	for _, of := range limitNames {
		var none target.Limit
		*of(&limits) = &none
	}
	return limits
}

// hasOwnLimit: "the account has a daily limit of its own": the profile's, or one that is
// set. What goes beyond it must be there to be spent, else it is refused for that.
func (s *scenario) hasOwnLimit(ctx context.Context, name string) error {
	const chosen = "100.00"
	decimal := chosen
	if s.run.offered.controls[target.LimitsControl] {
		if err := s.hasLimit(ctx, name, chosen); err != nil {
			return err
		}
	} else {
		decimal = ***limitNames[name](&s.run.offered.limits)
	}
	limit, err := parseAmount(decimal)
	if err != nil {
		return fmt.Errorf("the profile's %s limit: %w", name, err)
	}
	s.ownLimit = limit
	needs := limit + 1 + feeOf(s.run.offered.fees.CashOut)
	b, err := s.balanceOf(ctx, s.account)
	if err == nil && b.available < needs {
		return &unable{reason: fmt.Sprintf("the account has %v available, and to exceed its %s limit takes %v", b.available, name, needs)}
	}
	return err
}

// exceeds: "the account sends a cash-out of a centavo more than that".
func (s *scenario) exceeds(ctx context.Context, noun string) error {
	return s.sendsAmount(ctx, "the account", sends, noun, (s.ownLimit + 1).decimal())
}
