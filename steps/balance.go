package steps

import (
	"context"
	"fmt"
	"slices"
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

// movedNothing: a refusal leaves the balance as it was, but for what earlier refunds take:
// when the money of a refund moves, between its request and its end, is left open.
func (s *scenario) movedNothing(ctx context.Context, t *attempt) error {
	if s.before == nil || t.actor != s.account {
		return nil
	}
	earlier := s.refundsBefore(t)
	hint := "a refusal must move no money"
	if len(earlier) > 0 {
		hint += fmt.Sprintf("; the earlier refunds of this scenario may still take theirs (%v), which would be another sum", earlier)
	}
	return s.movedBeside(ctx, "available", 0, 0, hint, sumsOf(earlier))
}

// refundsBefore are the amounts of the refunds that were accepted before a request.
func (s *scenario) refundsBefore(t *attempt) []centavos {
	var amounts []centavos
	for _, earlier := range s.attempts {
		if earlier.index >= t.index || earlier.op.makes != refund || earlier.actor != t.actor || !earlier.accepted() {
			continue
		}
		if amount, ok := earlier.ordered(); ok {
			amounts = append(amounts, amount)
		}
	}
	return amounts
}

// sumsOf are the sums of one or more of some amounts, each once.
func sumsOf(amounts []centavos) []centavos {
	sums := []centavos{0}
	for _, amount := range amounts {
		for _, sum := range slices.Clone(sums) {
			if !slices.Contains(sums, sum+amount) {
				sums = append(sums, sum+amount)
			}
		}
	}
	return sums[1:]
}

// moved judges how much a part of the balance rose (or fell, below zero) since the When
// began.
func (s *scenario) moved(ctx context.Context, which string, least, most centavos, hint string) error {
	return s.movedBeside(ctx, which, least, most, hint, nil)
}

// movedBeside does so where something else may have taken one of those sums besides.
func (s *scenario) movedBeside(ctx context.Context, which string, least, most centavos, hint string, taken []centavos) error {
	finding, err := s.balanceFinding(ctx, which, least, most, taken, s.run.profile.Deadlines.Balance)
	if err != nil || finding == nil {
		return err
	}
	if s.account.fixed != nil && s.account.fixed.restless {
		return &unable{reason: "earlier payments of the account are pending for longer than webhooks are waited for, and what comes of them moves its balance too: " + finding.Came}
	}
	finding.Hint = hint
	return &failure{Finding: *finding, doubtful: s.account.fixed != nil} // earlier payments may move it
}

// balanceFinding reads the balance until it has moved as expected, or until the
// deadline for it: some gateways tell the balance from a copy that follows.
func (s *scenario) balanceFinding(ctx context.Context, which string, least, most centavos, taken []centavos, patience time.Duration) (*verdict.Finding, error) {
	if s.before == nil {
		return nil, fmt.Errorf("no balance was read before this step")
	}
	fall, rise := s.slack(which)
	least, most = least-fall, most+rise
	within := func(by centavos) bool { return by >= least && by <= most }
	var now balance
	moved, err := poll(ctx, patience, func() (bool, error) {
		var err error
		now, err = s.balanceOf(ctx, s.account)
		by := now.of(which) - s.before.of(which)
		return err == nil && (within(by) || slices.ContainsFunc(taken, func(sum centavos) bool { return within(by + sum) })), err
	})
	if moved || err != nil {
		return nil, err
	}
	if fell := least - (now.of(which) - s.before.of(which)); s.mayBeFee(fell) {
		return nil, &unable{reason: fmt.Sprintf("%s has fallen by %v, which may be the fee of an earlier payment: tell the fees in the profile", which, fell)}
	}
	return s.movedOtherwise(which, least, most, now), nil
}

// softPatience is how long the suite waits for what a target need not do.
const softPatience = time.Second

func (s *scenario) movedOtherwise(which string, least, most centavos, now balance) *verdict.Finding {
	expected := which + " " + movement(least)
	if least != most {
		lower, upper := least, most
		if most <= 0 { // a fall: the lesser is the one nearer to nothing
			lower, upper = most, least
		}
		expected = fmt.Sprintf("%s %s at the least and %s at the most", which, movement(lower), movement(upper))
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

func (s *scenario) isUnchanged(ctx context.Context, which string) error {
	return s.moved(ctx, which, 0, 0, "")
}

// availableStays looks again after a quiet time: a debit that comes late is found too.
func (s *scenario) availableStays(ctx context.Context) error {
	quiet, cancel := s.quiet(ctx)
	defer cancel()
	<-quiet.Done()
	return s.moved(ctx, "available", 0, 0, "a repeat must move no money, at once or later")
}

// movesBy: "available falls by R$ 10.00 to R$ 10.50", "blocked rises by R$ 10.00"; "if it
// was accepted" asks nothing after a refusal.
func (s *scenario) movesBy(ctx context.Context, accepted, which, direction, amount, upTo string) error {
	if t, err := s.it(); accepted != "" && (err != nil || !t.accepted()) {
		return err
	}
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
	if direction == "falls" {
		least, most = -most, -least
	}
	return s.moved(ctx, which, least, most, "")
}

// doesNotMove: available has moved the other way, or not at all.
func (s *scenario) doesNotMove(ctx context.Context, direction string) error {
	if direction == "fall" {
		return s.moved(ctx, "available", 0, allMoney, "")
	}
	return s.moved(ctx, "available", -allMoney, 0, "")
}

// allMoney is more than any balance.
const allMoney = centavos(1) << 62

// movementNoted records by how much available has moved.
func (s *scenario) movementNoted(ctx context.Context, point string) error {
	now, err := s.balanceOf(ctx, s.account)
	if err != nil {
		return err
	}
	if s.before == nil {
		return fmt.Errorf("no balance was read before this step")
	}
	return s.note(point, movement(now.available-s.before.available))
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
	return s.moved(ctx, "available", sum, sum, "each accepted request takes its amount once")
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
	finding, err := s.balanceFinding(ctx, which, want, want, nil, min(s.run.profile.Deadlines.Balance, softPatience))
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
