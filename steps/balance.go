package steps

import (
	"context"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/verdict"
)

// balance is the money of an account at one moment.
type balance struct {
	available, blocked centavos
	index              int // of the exchange that read it
}

// of is the part of a balance that a sentence names.
func (b balance) of(which string) centavos {
	if which == "blocked" {
		return b.blocked
	}
	return b.available
}

// balanceOf reads an account's balance, beside the requests of the sentences.
func (s *scenario) balanceOf(ctx context.Context, a *actor) (balance, error) {
	t, err := s.aside(ctx, a, "balance request")
	if err != nil {
		return balance{}, err
	}
	available, _ := lookup(t.answer, "data[0].balanceAmount.available")
	blocked, _ := lookup(t.answer, "data[0].balanceAmount.blocked")
	b := balance{index: t.index}
	var okA, okB bool
	b.available, okA = amountOf(available)
	b.blocked, okB = amountOf(blocked)
	if !t.accepted() || !okA || !okB {
		if s.before != nil { // it could be read a moment ago
			return balance{}, s.fail(t, "the balance", t.summary(), "it could be read before")
		}
		return balance{}, &unable{reason: "the target's balance cannot be read, without which this cannot be tested: " + t.summary()}
	}
	return b, nil
}

// readBefore reads the balance that the sentences of this When are measured by.
func (s *scenario) readBefore(ctx context.Context) error {
	b, err := s.balanceOf(ctx, s.account)
	if err != nil {
		return err
	}
	s.before = &b
	return nil
}

// movedNothing: a refusal leaves the balance as it was.
func (s *scenario) movedNothing(ctx context.Context, t *attempt) error {
	if s.before == nil || t.actor != s.account {
		return nil
	}
	return s.availableMoved(ctx, 0, 0, "a refusal must move no money")
}

// availableMoved judges how much available rose (or fell, below zero) since the When
// began.
func (s *scenario) availableMoved(ctx context.Context, least, most centavos, hint string) error {
	finding, err := s.balanceFinding(ctx, "available", least, most)
	if err != nil || finding == nil {
		return err
	}
	finding.Hint = hint
	return &failure{*finding}
}

// balanceFinding reads the balance until it has moved as expected, or until the
// deadline for it: some gateways tell the balance from a copy that follows.
func (s *scenario) balanceFinding(ctx context.Context, which string, least, most centavos) (*verdict.Finding, error) {
	if s.before == nil {
		return nil, fmt.Errorf("no balance was read before this step")
	}
	deadline := time.After(s.run.profile.Deadlines.Balance)
	for {
		now, err := s.balanceOf(ctx, s.account)
		if err != nil {
			return nil, err
		}
		moved := now.of(which) - s.before.of(which)
		if moved >= least && moved <= most {
			return nil, nil
		}
		select {
		case <-time.After(balancePoll):
		case <-deadline:
			return s.movedOtherwise(which, least, most, now), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// balancePoll is the time between two looks at a balance that has not moved yet.
const balancePoll = 50 * time.Millisecond

func (s *scenario) movedOtherwise(which string, least, most centavos, now balance) *verdict.Finding {
	expected := which + " " + movement(least)
	if least != most {
		expected = fmt.Sprintf("%s %s at the least and %s at the most", which, movement(most), movement(least))
	}
	from, to := s.before.of(which), now.of(which)
	return &verdict.Finding{
		Expected: expected,
		Came:     fmt.Sprintf("%s %s, from %v to %v", which, movement(to-from), from, to),
		Exchange: now.index,
	}
}

func movement(c centavos) string {
	switch {
	case c < 0:
		return fmt.Sprintf("fallen by %v", -c)
	case c > 0:
		return fmt.Sprintf("risen by %v", c)
	default:
		return "unchanged"
	}
}

// --- sentences ---

func (s *scenario) availableUnchanged(ctx context.Context) error {
	return s.availableMoved(ctx, 0, 0, "")
}

// availableStays looks again after a quiet time: a debit that comes late is found too.
func (s *scenario) availableStays(ctx context.Context) error {
	quiet, cancel := s.quiet(ctx)
	defer cancel()
	<-quiet.Done()
	return s.availableMoved(ctx, 0, 0, "a repeat must move no money, at once or later")
}

func (s *scenario) availableFalls(ctx context.Context, amount, upTo string) error {
	least, err := parseAmount(amount)
	if err != nil {
		return err
	}
	most := least
	if upTo != "" {
		if most, err = parseAmount(upTo); err != nil {
			return err
		}
	}
	return s.availableMoved(ctx, -most, -least, "")
}

func (s *scenario) availableFallsEach(ctx context.Context, amount string) error {
	each, err := parseAmount(amount)
	if err != nil {
		return err
	}
	var sum centavos
	for _, t := range s.batch {
		if t.accepted() {
			sum -= each
		}
	}
	return s.availableMoved(ctx, sum, sum, "each accepted request takes its amount once")
}

// shouldMove: what the specification lets one expect of a balance and does not demand;
// otherwise a warning.
func (s *scenario) shouldMove(ctx context.Context, which, direction, amount string) error {
	var want centavos
	if amount != "" {
		var err error
		if want, err = parseAmount(amount); err != nil {
			return err
		}
	}
	if direction == "fall" {
		want = -want
	}
	finding, err := s.balanceFinding(ctx, which, want, want)
	if err == nil && finding != nil {
		s.warn(*finding)
	}
	return err
}

// standardBalanceOffered: GET /balance is no operation that a gateway must have, and
// one that has other paths may answer it with any page.
func (s *scenario) standardBalanceOffered(ctx context.Context) error {
	t, err := s.aside(ctx, s.account, "standard balance request")
	if err != nil {
		return err
	}
	for _, field := range []string{"grossBalance", "blockedBalance", "netBalance", "consultedAt"} {
		if _, has := lookup(t.answer, field); has && t.accepted() {
			return nil
		}
	}
	return &notApplicable{reason: "GET /balance answers " + t.summary()}
}
