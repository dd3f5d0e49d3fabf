package world

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// Probe is what a run does on an account of its target before and between its scenarios.
type Probe struct{ *World }

// SettleIn puts back what an earlier run may have left on an account of the profile, and
// registers its URLs for some types of event. The error says that the target refuses the
// account's credentials, or that a control fails; whatever else fails is for the scenarios to
// report.
func (w Probe) SettleIn(ctx context.Context, eventTypes []string) error {
	if err := w.OpenAccount(ctx); err != nil {
		return err
	}
	if w.the() == nil {
		return nil
	}
	t, err := w.the().ask(ctx, "token request", nil, record.Aside)
	if err != nil {
		return nil
	}
	if refusesCredentials(t) {
		return fmt.Errorf("the target refuses the credentials: %s; check clientId, clientSecret and certificate", t.Summary())
	}
	for _, eventType := range eventTypes {
		_ = w.the().receiveAtPlaces(ctx, eventType)
	}
	return nil
}

// Available is what an account of the profile has available; false if it cannot be read.
func (w Probe) Available(ctx context.Context) (money.Centavos, bool) {
	if open(ctx, w.World, language.Open{}) != nil || w.the() == nil {
		return 0, false
	}
	b, err := w.the().balance(ctx, record.Aside)
	return b.Available, err == nil
}

// Rest waits until what earlier worlds have done to the money of an account of the profile has
// ended.
func (w Probe) Rest(ctx context.Context) {
	w.JudgesMoney = true
	_ = open(ctx, w.World, language.Open{}) // whatever fails is for the scenarios to report
}

// refusesCredentials: a token request that is known to be valid, but for its credentials, is
// refused, or its certificate is, in the handshake.
func refusesCredentials(t *record.Attempt) bool {
	if t.ClientCertificate != "" {
		return t.Status == http.StatusUnprocessableEntity || target.RefusedLikeEdge(*t.Exchange)
	}
	return slices.Contains([]int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity}, t.Status)
}

// OpenAccount takes an account of the profile, or makes one. The error says that a control fails.
func (w Probe) OpenAccount(ctx context.Context) error {
	err := open(ctx, w.World, language.Open{})
	var failed *target.ControlError
	if ctx.Err() != nil || !errors.As(err, &failed) {
		return nil
	}
	return fmt.Errorf("%w; fix the control, or list it in controls.without in the profile", err)
}

// MeasureLag measures how far balances and lists lag behind what happens: some gateways read
// them from a replica. It is how long a registration, money that was given, and a payment take to show.
// What is read too early there is no fault. With webhooks, it also waits for the payment's, so that the
// run knows from the start how long one takes, and until the list shows what it says; with cases, until a MED
// case is listed. A lag that is shorter than unseen does not show: so long did it take to read, change and read
// a balance.
func (w Probe) MeasureLag(ctx context.Context, webhooks, cases bool) (lag, unseen time.Duration) {
	if open(ctx, w.World, language.Open{}) != nil {
		return 0, 0
	}
	a := w.the()
	others := w.registrationLag(ctx)
	if cases {
		others = max(others, w.caseLag(ctx))
	}
	started := time.Now()
	before, err := a.balance(ctx, record.Aside)
	if err != nil || a.fixed != nil && before.Available == 0 {
		return others, 0
	}
	var funded time.Duration
	if a.fixed == nil {
		const given = money.Centavos(100)
		if a.setBalance(ctx, given) != nil {
			return others, 0
		}
		funded = w.untilShown(ctx, w.Terms.Deadlines.Balance, func() bool {
			b, err := a.balance(ctx, record.Aside)
			return err != nil || b.Available == given
		})
		before.Available, unseen = given, time.Since(started)
	}
	webhooks = webhooks && receive(ctx, w.World, language.Receive{EventTypes: []string{api.TypeCashOut}, Count: 1}) == nil
	if !w.Claims(target.Public) || sendOf(ctx, a, "cash-out", 1) != nil {
		return max(others, funded), unseen
	}
	sent := w.Judge.It()
	a.noteOutstanding(sent)
	listed := w.untilShown(ctx, w.Terms.Deadlines.Webhook, func() bool { // first: scenarios read it right after a payment, too
		t, err := a.ask(ctx, "transaction list request", judge.ListingQuery(sent), record.Aside)
		if err != nil {
			return true
		}
		_, isList := t.Items()
		return !isList || lists(t, sent)
	})
	debited := w.untilShown(ctx, w.Terms.Deadlines.Balance, func() bool {
		b, err := a.balance(ctx, record.Aside)
		return err != nil || b.Available < before.Available
	})
	if debited > 0 { // it is later still
		debited += listed
	}
	unseen = cmp.Or(unseen, time.Since(started))
	var ended time.Duration
	if webhooks {
		w.awaitWebhooks(ctx, func() bool { return len(w.Judge.Events) > 0 })
		if len(w.Judge.SettledPayments(a.which)) > 0 {
			ended = w.untilShown(ctx, w.Terms.Deadlines.Webhook, func() bool {
				end, err := tenant{a}.endOf(ctx, sent)
				return err != nil || end != pending
			})
		}
	}
	return max(others, funded, debited, listed, ended, w.creditLag(ctx)), unseen
}

// registrationLag is how long a registration takes to be listed. An account of the profile may have it
// already.
func (w Probe) registrationLag(ctx context.Context) time.Duration {
	const eventType = api.TypeRefundIn // of which none comes
	a := w.the()
	if a.fixed != nil || !w.Claims(target.Webhooks) || receive(ctx, w.World, language.Receive{EventTypes: []string{eventType}, Count: 1}) != nil {
		return 0
	}
	url := w.Judge.It().SentText("url")
	return w.untilShown(ctx, w.Terms.Deadlines.Balance, func() bool {
		_, rows, err := a.registrations(ctx)
		return err != nil || len(judge.Entries(rows, url, eventType)) > 0
	})
}

// caseLag is how long a MED case takes to be listed. An account of the profile may have too many to find it.
func (w Probe) caseLag(ctx context.Context) time.Duration {
	a := w.the()
	if a.fixed != nil || !w.Claims(target.MEDFamily) || openCase(ctx, w.World, language.OpenCase{Unknown: true}) != nil {
		return 0
	}
	opened := w.Judge.Case(language.Last)
	return w.untilShown(ctx, w.Terms.Deadlines.Balance, func() bool {
		t, err := a.ask(ctx, "MED list request", nil, record.Aside)
		if err != nil {
			return true
		}
		items, isList := t.Items()
		return !isList || slices.ContainsFunc(items, opened.IsListedAs)
	})
}

// creditLag is how long after the list shows the end of a payment that an account of the profile
// receives its balance does. On a new account no earlier payment is awaited.
func (w Probe) creditLag(ctx context.Context) time.Duration {
	a := w.the()
	if a.fixed == nil || !w.Usable[target.Payments] {
		return 0
	}
	before, err := a.balance(ctx, record.Aside)
	if err != nil || sendOf(ctx, a, "cash-in", 1+money.OrZero(w.Terms.Fees.CashIn)) != nil {
		return 0
	}
	charge := w.Judge.It()
	if payCharge(ctx, w.World, charge, payOnce) != nil || charge.EndToEndID == "" {
		return 0
	}
	a.noteOutstanding(charge)
	var ended time.Time
	credited, err := w.poll(ctx, w.Terms.Deadlines.Balance, func() (bool, error) {
		now, err := a.balance(ctx, record.Aside)
		if err != nil || now.Available > before.Available {
			return true, err
		}
		end, err := tenant{a}.endOf(ctx, charge)
		if end == reached && ended.IsZero() {
			ended = time.Now()
		}
		return false, err
	})
	if !credited || err != nil || ended.IsZero() {
		return 0
	}
	return time.Since(ended)
}

// untilShown waits until a change shows, and returns how long that took; nothing if it showed at
// once. What never shows is for the rules to judge.
func (w Probe) untilShown(ctx context.Context, patience time.Duration, shows func() bool) (took time.Duration) {
	started := time.Now()
	shown, err := w.poll(ctx, patience, func() (bool, error) {
		took = time.Since(started)
		return shows(), nil
	})
	if !shown || err != nil || took < pollEvery {
		return 0
	}
	return took
}

// Controls are the target's test controls, recorded in the probe's world.
func (w Probe) Controls() *target.Controls { return w.controls() }
