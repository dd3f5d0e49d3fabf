package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/target"
)

func (s *scenario) division(ctx context.Context) (target.Division, *attempt, error) {
	c, err := s.last(charge)
	if err != nil {
		return target.Division{}, nil, err
	}
	id, ok := lookup(c.answer, "transactionId")
	if !c.accepted() || !ok {
		return target.Division{}, nil, &unable{reason: "there is no accepted charge to be divided: " + c.summary()}
	}
	d, err := s.controls().Splits(ctx, c.actor.id, fmt.Sprint(id))
	return d, c, err
}

func (s *scenario) splitsAre(ctx context.Context, status string) error {
	var other string
	are, err := poll(ctx, s.run.profile.Deadlines.Webhook, func() (bool, error) {
		d, c, err := s.division(ctx)
		if err != nil {
			return false, err
		}
		if len(d.Splits) == 0 {
			return false, s.fail(c, "the splits of the charge", "none", "")
		}
		i := slices.IndexFunc(d.Splits, func(split target.Split) bool { return split.Status != status })
		if i >= 0 {
			other = d.Splits[i].Status
		}
		return i < 0, nil
	})
	if are || err != nil {
		return err
	}
	return s.failControl("each split to be "+status, other)
}

// splitsComeTo: "its splits come to R$ 6.00 and R$ 4.00", in the order of the request.
func (s *scenario) splitsComeTo(ctx context.Context, parts string) error {
	d, _, err := s.division(ctx)
	if err != nil {
		return err
	}
	var want []centavos
	for _, part := range separator.Split(parts, -1) {
		amount, err := parseAmount(strings.TrimPrefix(part, "R$ "))
		if err != nil {
			return err
		}
		want = append(want, amount)
	}
	got, _, err := amountsOf(d)
	if err != nil || !slices.Equal(got, want) {
		return s.failControl("splits of "+parts, fmt.Sprint(got))
	}
	return nil
}

func (s *scenario) isLeft(ctx context.Context, amount string) error {
	d, _, err := s.division(ctx)
	if err != nil {
		return err
	}
	_, left, err := amountsOf(d)
	if want, _ := parseAmount(amount); err != nil || left != want {
		return s.failControl("R$ "+amount+" left to the account", "R$ "+d.Left)
	}
	return nil
}

func (s *scenario) splitsAddUp(ctx context.Context, amount string) error {
	d, _, err := s.division(ctx)
	if err != nil {
		return err
	}
	parts, sum, err := amountsOf(d)
	for _, part := range parts {
		sum += part
	}
	if want, _ := parseAmount(amount); err != nil || sum != want {
		return s.failControl("splits and what is left to add up to R$ "+amount, fmt.Sprintf("%v and R$ %s", parts, d.Left))
	}
	return nil
}

// amountsOf reads the parts and what is left.
func amountsOf(d target.Division) (parts []centavos, left centavos, err error) {
	for _, split := range d.Splits {
		part, err := parseAmount(split.Amount)
		if err != nil {
			return nil, 0, err
		}
		parts = append(parts, part)
	}
	left, err = parseAmount(d.Left)
	return parts, left, err
}
