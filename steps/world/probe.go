package world

import (
	"context"
	"errors"
	"time"

	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// SettleIn puts back what an earlier run may have left on an account of the profile, and
// registers its URLs for some types of event. The error says that it gets no token; whatever
// else fails is for the scenarios to report.
func (w *World) SettleIn(ctx context.Context, eventTypes []string) error {
	if open(ctx, w, language.Open{}) != nil {
		return nil
	}
	_, err := w.the().token(ctx)
	var o *record.Obstacle
	if errors.As(err, &o) && !o.Undecided {
		return err
	}
	for _, eventType := range eventTypes {
		_ = w.the().receiveAtPlaces(ctx, eventType)
	}
	return nil
}

// MeasureLag measures how far balances and lists lag behind what happens: some gateways read
// them from a replica. It is how long money that was given, and a payment, take to show. What is
// read too early there is no fault.
func (w *World) MeasureLag(ctx context.Context) time.Duration {
	if open(ctx, w, language.Open{}) != nil {
		return 0
	}
	a := w.the()
	before, err := a.balance(ctx, record.Aside)
	if err != nil || a.fixed != nil && before.Available == 0 {
		return 0
	}
	var funded time.Duration
	if a.fixed == nil {
		const given = money.Centavos(100)
		if a.setBalance(ctx, given) != nil {
			return 0
		}
		funded = untilShown(ctx, w, func() bool {
			b, err := a.balance(ctx, record.Aside)
			return err != nil || b.Available == given
		})
		before.Available = given
	}
	if !w.Claims(target.Public) || sendOf(ctx, a, "cash-out", 1) != nil {
		return funded
	}
	sent := w.Judge.It()
	if a.fixed != nil {
		a.fixed.unsettled = append(a.fixed.unsettled, sent)
	}
	debited := untilShown(ctx, w, func() bool {
		b, err := a.balance(ctx, record.Aside)
		return err != nil || b.Available < before.Available
	})
	listed := untilShown(ctx, w, func() bool {
		t, err := a.ask(ctx, "transaction list request", judge.ListingQuery(sent), record.Aside)
		if err != nil {
			return true
		}
		_, isList := t.Items()
		return !isList || lists(t, sent)
	})
	return max(funded, debited, listed)
}

// untilShown waits until a change shows, and returns how long that took; nothing if it showed at
// once. What never shows is for the rules to judge.
func untilShown(ctx context.Context, w *World, shows func() bool) (took time.Duration) {
	started := time.Now()
	shown, err := w.poll(ctx, w.Terms.Deadlines.Balance, func() (bool, error) {
		took = time.Since(started)
		return shows(), nil
	})
	if !shown || err != nil || took < pollEvery {
		return 0
	}
	return took
}
