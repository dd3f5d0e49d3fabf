package world

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
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
