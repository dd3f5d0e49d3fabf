package world

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A control that does not do what it says makes rules of a right gateway fail. Those are checked
// whose effect cannot be taken for a fault of the API. What could not be checked is believed.

// Checked is what is known of a control: that it works, or what is wrong with it. Zero if it could not be
// checked.
type Checked struct {
	Works bool
	Wrong string
}

var works = Checked{Works: true}

func wrong(format string, args ...any) Checked { return Checked{Wrong: fmt.Sprintf(format, args...)} }

// CheckAccounts checks the control accounts: two accounts differ.
func (w Probe) CheckAccounts(ctx context.Context) Checked {
	first, err := createAccount(ctx, w.World, language.TheAccount)
	if err != nil {
		return w.unusable()
	}
	second, err := createAccount(ctx, w.World, language.TheOther)
	switch {
	case err != nil:
		return w.unusable()
	case first.id == second.id:
		return wrong("it returned the same accountId twice (%d)", second.id)
	}
	return works
}

// unusable is the result if an account could not be created: other failures than a wrong response are for the scenarios
// to report.
func (w Probe) unusable() Checked {
	if why := w.Target.Malformed(target.Accounts); why != "" {
		return wrong("%s", why)
	}
	return Checked{}
}

// CheckFunds checks the control funds. It does not work if a new account has no money after it, or another amount,
// both by its balance and for a payment. One of them alone may be the gateway's fault.
func (w Probe) CheckFunds(ctx context.Context) Checked {
	const given = 12_34
	if !w.Usable[target.Accounts] {
		return Checked{} // an account that had money before says less
	}
	if open(ctx, w.World, language.Open{}) != nil || w.controls().SetBalance(ctx, w.the().id, money.Centavos(given).Decimal()) != nil {
		return Checked{}
	}
	a := w.the()
	t, err := a.ask(ctx, "balance request", nil, record.Aside)
	if err != nil {
		return Checked{}
	}
	switch b, ok := t.Balance(); {
	case !ok || b.Available == given:
		return Checked{Works: ok}
	case b.Available != 0:
		return w.checkOtherFunds(ctx, given, b.Available)
	}
	if t, err = a.ask(ctx, "cash-out", nil, record.Aside); err != nil || t.Code() != api.InsufficientBalance {
		return Checked{}
	}
	return wrong("it set the balance of a new account to %v, but the balance is still R$ 0.00 and a cash-out was rejected with %s", money.Centavos(given), api.InsufficientBalance)
}

// checkOtherFunds checks whether payments agree with a balance that shows another amount than the control has set: all
// of it can be spent, and no more. A gateway that shows amounts without their centavos has the amount that was set.
// Without the control fees it is unknown what a payment takes.
func (w Probe) checkOtherFunds(ctx context.Context, set, shown money.Centavos) Checked {
	a := w.the()
	if !w.Usable[target.FeesControl] || w.controls().SetFees(ctx, a.id, target.Fees{CashOut: "0.00", CashIn: "0.00"}) != nil {
		return Checked{}
	}
	if shown < set {
		if t, err := a.cashOut(ctx, set); err != nil || t.Code() != api.InsufficientBalance {
			return Checked{}
		}
	}
	if t, err := a.cashOut(ctx, shown); err != nil || !t.Accepted() {
		return Checked{}
	}
	if shown < set {
		return wrong("it set the balance of a new account to %v, but the balance is %v and a cash-out of %v was rejected with %s", set, shown, set, api.InsufficientBalance)
	}
	return wrong("it set the balance of a new account to %v, but the balance is %v and a cash-out of %v was accepted", set, shown, shown)
}

// cashOut sends a payment of that amount, whatever comes of it.
func (a *actor) cashOut(ctx context.Context, amount money.Centavos) (*record.Attempt, error) {
	r, err := a.valid("cash-out").ofAmount(ctx, amount)
	if err != nil {
		return nil, err
	}
	r.role = record.Aside
	return r.send(ctx)
}

// CheckSettlement checks the control settlement. It does not work if, in the mode manual, a payment that nobody
// settles is confirmed, both by the list and by the balance, and the control then accepts two results for it. One of
// these alone may be the gateway's fault: a control that says 409 says that the gateway itself has ended the payment.
//
// A payment that the bank rejects comes first. It ends at once if the control works, and then one that it confirms
// shows that it does. Only where the first one is confirmed, the second takes the time in which it should stay
// pending. How far lists and balances lag is not known yet: they are read until they show it.
func (w Probe) CheckSettlement(ctx context.Context) Checked {
	const funds, sent = 1_00, 1
	if !w.Usable[target.Accounts] || !w.Claims(target.Public) || open(ctx, w.World, language.Open{Funded: true, Available: funds}) != nil {
		return Checked{}
	}
	a := w.the()
	if w.controls().SetSettlement(ctx, a.id, "manual") != nil {
		return Checked{}
	}
	if sendOf(ctx, a, "cash-out", sent) != nil || w.reject(ctx) != nil {
		return Checked{}
	}
	switch w.listedEnd(ctx) {
	case api.Confirmed.Label():
	case api.Failed.Label(): // unless it rejects whatever it is told
		settled := sendOf(ctx, a, "cash-out", sent) == nil && settle(ctx, w.World, language.Settle{}) == nil
		return Checked{Works: settled && w.listedEnd(ctx) == api.Confirmed.Label()}
	default:
		return Checked{}
	}
	if sendOf(ctx, a, "cash-out", sent) != nil || w.listedEnd(ctx) != api.Confirmed.Label() {
		return Checked{}
	}
	debited := false
	w.untilShown(ctx, w.Terms.Deadlines.Balance, func() bool {
		b, err := a.balance(ctx, record.Aside)
		debited = err == nil && b.Blocked == 0 && b.Available <= funds-2*sent
		return debited || err != nil
	})
	if !debited || w.reject(ctx) != nil || w.reject(ctx) != nil {
		return Checked{}
	}
	return wrong("in the mode manual, a payment was confirmed that nobody had settled")
}

// reject has the bank reject the last payment.
func (w Probe) reject(ctx context.Context) error {
	return settle(ctx, w.World, language.Settle{ErrorCode: api.OrderRejected})
}

// listedEnd waits until the list shows the end of the last payment, and returns its status; empty for none.
func (w Probe) listedEnd(ctx context.Context) (status api.Label) {
	query := judge.ListingQuery(w.Judge.It())
	w.untilShown(ctx, w.Terms.Deadlines.Webhook, func() bool {
		page, err := w.the().ask(ctx, "transaction list request", query, record.Aside)
		if err != nil {
			return true
		}
		status = api.Label(jsonvalue.Text(page.Answer, "data[0].status"))
		return status != "" && status != api.Pending.Label()
	})
	return status
}

// CheckClock checks the control clock. A clock that moves shows in a token that
// expires or, at a gateway whose tokens last too long, in the time of a payment.
func (w Probe) CheckClock(ctx context.Context) Checked {
	const by = api.TokenLifetime + 10*time.Minute
	if open(ctx, w.World, language.Open{Funded: true, Available: 1_00}) != nil {
		return Checked{}
	}
	a := w.the()
	token, err := a.token(ctx)
	if err != nil {
		return Checked{}
	}
	before := time.Now()
	if a.passTime(ctx, by) != nil {
		return Checked{}
	}
	a.issued = token
	if t, err := a.ask(ctx, "balance request", nil, record.Aside); err != nil || t.Status == http.StatusUnauthorized {
		return Checked{Works: err == nil}
	}
	if sendOf(ctx, a, "cash-out", 1) != nil {
		return Checked{}
	}
	a.noteOutstanding(w.Judge.It())
	page, err := a.ask(ctx, "transaction list request", judge.ListingQuery(w.Judge.It()), record.Aside)
	if err != nil {
		return Checked{}
	}
	created, err := time.Parse(time.RFC3339, jsonvalue.Text(page.Answer, "data[0].createdAt"))
	if err != nil || created.After(before.Add(by/2)) {
		return Checked{Works: err == nil}
	}
	return wrong("it was advanced by %v, but a 30-minute token was still accepted and a payment was created at %s", by, created.UTC().Format(time.RFC3339))
}

// CheckRunningClock checks the control clock, and that an account's time runs on after it was moved. It does not
// work if time stands still on an account whose clock it moved, but not on another one.
func (w Probe) CheckRunningClock(ctx context.Context) Checked {
	checked := w.CheckClock(ctx)
	if !checked.Works || !w.Usable[target.Accounts] || !w.Claims(target.Public) {
		return checked
	}
	passed, precise := w.timePasses(ctx)
	if !precise || passed != 0 {
		return checked
	}
	other := Probe{New(w.Stage, Script{Rule: w.Rule})}
	defer other.Close()
	if open(ctx, other.World, language.Open{Funded: true, Available: 1_00}) != nil {
		return checked
	}
	if passed, precise := other.timePasses(ctx); !precise || passed <= 0 {
		return checked
	}
	return wrong("after it was advanced, the time of the account stood still, unlike that of another account")
}

// timePasses returns how much later the second of two payments, more than a second apart, was created than the first.
// It is not precise if that is longer than it took, because times that are rounded to minutes say nothing, or if the
// list does not show the second payment yet.
func (w Probe) timePasses(ctx context.Context) (passed time.Duration, precise bool) {
	const apart = 2100 * time.Millisecond // times may be rounded to seconds
	var created [2]time.Time
	var listed [2]string
	began := time.Now()
	for i := range created {
		if i > 0 && sleep(ctx, apart) != nil || sendOf(ctx, w.the(), "cash-out", 1) != nil {
			return 0, false
		}
		page, err := w.the().ask(ctx, "transaction list request", judge.ListingQuery(w.Judge.It()), record.Aside)
		if err != nil {
			return 0, false
		}
		if created[i], err = time.Parse(time.RFC3339, jsonvalue.Text(page.Answer, "data[0].createdAt")); err != nil {
			return 0, false
		}
		listed[i] = jsonvalue.Text(page.Answer, "data[0].externalId")
	}
	passed = created[1].Sub(created[0])
	return passed, passed <= time.Since(began)+time.Second && listed[0] != "" && listed[0] != listed[1]
}
