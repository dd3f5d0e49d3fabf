package world

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A control that does not do what it says makes rules of a right gateway fail. Those are checked
// whose effect cannot be taken for a fault of the API. What could not be checked is believed.

// CheckAccounts says what is wrong with the control accounts; empty if nothing is.
func (w Probe) CheckAccounts(ctx context.Context) string {
	first, err := createAccount(ctx, w.World, language.TheAccount)
	if err != nil {
		return "" // for the scenarios to report
	}
	second, err := createAccount(ctx, w.World, language.TheOther)
	if err == nil && (first.id == second.id || strings.EqualFold(first.clientID, second.clientID)) {
		return fmt.Sprintf("it returned the same account twice (accountId %d, clientId %s)", second.id, second.clientID)
	}
	return ""
}

// CheckFunds says what is wrong with the control funds: a new account has no money after it, neither by its
// balance nor for a payment. One of them alone may be the gateway's fault.
func (w Probe) CheckFunds(ctx context.Context) string {
	const given = 12_34
	if !w.Usable[target.Accounts] {
		return "" // an account that had money before says less
	}
	if open(ctx, w.World, language.Open{}) != nil || w.controls().SetBalance(ctx, w.the().id, money.Centavos(given).Decimal()) != nil {
		return ""
	}
	a := w.the()
	t, err := a.ask(ctx, "balance request", nil, record.Aside)
	if err != nil {
		return ""
	}
	if b, ok := t.Balance(); !ok || b.Available != 0 {
		return ""
	}
	if t, err = a.ask(ctx, "cash-out", nil, record.Aside); err != nil || t.Code() != "PIX_INSUFFICIENT_BALANCE" {
		return ""
	}
	return fmt.Sprintf("it set the balance of a new account to %v, but the balance is still R$ 0.00 and a cash-out was rejected with PIX_INSUFFICIENT_BALANCE", money.Centavos(given))
}

// CheckSettlement says what is wrong with the control settlement: in the mode manual, a payment that nobody
// settles is confirmed, both by the list and by the balance, and the control answers two results for it in the
// same way: it takes both, or both come too late. One of these alone may be the gateway's fault.
//
// A payment that the bank rejects comes first. It ends at once if the control works, so that only where that one
// is confirmed, the second takes the time in which it should stay pending. How far lists and balances lag is not
// known yet: they are read until they show it.
func (w Probe) CheckSettlement(ctx context.Context) string {
	const funds, sent = 1_00, 1
	if !w.Usable[target.Accounts] || !w.Claims(target.Public) || open(ctx, w.World, language.Open{Funded: true, Available: funds}) != nil {
		return ""
	}
	a := w.the()
	if w.controls().SetSettlement(ctx, a.id, "manual") != nil {
		return ""
	}
	if sendOf(ctx, a, "cash-out", sent) != nil || w.reject(ctx) == unusable || !w.isConfirmed(ctx) {
		return ""
	}
	if sendOf(ctx, a, "cash-out", sent) != nil || !w.isConfirmed(ctx) {
		return ""
	}
	debited := false
	w.untilShown(ctx, w.Terms.Deadlines.Balance, func() bool {
		b, err := a.balance(ctx, record.Aside)
		debited = err == nil && b.Blocked == 0 && b.Available <= funds-2*sent
		return debited || err != nil
	})
	if result := w.reject(ctx); !debited || result == unusable || result != w.reject(ctx) {
		return ""
	}
	return "in the mode manual, a payment was confirmed that nobody had settled"
}

// reception is what a control makes of a result for a payment.
type reception int

const (
	unusable reception = iota
	taken
	tooLate
)

// reject gives the last payment the result that the bank rejects it.
func (w Probe) reject(ctx context.Context) reception {
	var refused *target.ControlError
	switch err := settle(ctx, w.World, language.Settle{ErrorCode: "ORDER_REJECTED"}); {
	case err == nil:
		return taken
	case errors.As(err, &refused) && refused.Status == http.StatusConflict:
		return tooLate
	}
	return unusable
}

// isConfirmed waits until the list shows the end of the last payment.
func (w Probe) isConfirmed(ctx context.Context) bool {
	query, status := judge.ListingQuery(w.Judge.It()), ""
	w.untilShown(ctx, w.Terms.Deadlines.Webhook, func() bool {
		page, err := w.the().ask(ctx, "transaction list request", query, record.Aside)
		if err != nil {
			return true
		}
		status = jsonvalue.Text(page.Answer, "data[0].status")
		return status != "" && status != "Pendente"
	})
	return status == "Confirmado"
}

// CheckClock says what is wrong with the control clock. A clock that moves shows in a token that
// expires or, at a gateway whose tokens last too long, in the time of a payment.
func (w Probe) CheckClock(ctx context.Context) string {
	const by = 40 * time.Minute // a token lasts for 30 (Token, rule 4)
	if open(ctx, w.World, language.Open{Funded: true, Available: 1_00}) != nil {
		return ""
	}
	a := w.the()
	token, err := a.token(ctx)
	if err != nil {
		return ""
	}
	before := time.Now()
	if a.passTime(ctx, by) != nil {
		return ""
	}
	a.issued = token
	if t, err := a.ask(ctx, "balance request", nil, record.Aside); err != nil || t.Status == http.StatusUnauthorized {
		return ""
	}
	if sendOf(ctx, a, "cash-out", 1) != nil {
		return ""
	}
	a.noteOutstanding(w.Judge.It())
	page, err := a.ask(ctx, "transaction list request", judge.ListingQuery(w.Judge.It()), record.Aside)
	if err != nil {
		return ""
	}
	created, err := time.Parse(time.RFC3339, jsonvalue.Text(page.Answer, "data[0].createdAt"))
	if err != nil || created.After(before.Add(by/2)) {
		return ""
	}
	return fmt.Sprintf("it was advanced by %v, but a 30-minute token was still accepted and a payment was created at %s", by, created.UTC().Format(time.RFC3339))
}
