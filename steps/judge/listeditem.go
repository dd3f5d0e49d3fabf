package judge

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
)

// shownList is a page of a list, with what an account knows of it. A list that lags shows less, but nothing that its own
// query excludes, or that contradicts the account's orders.
type shownList struct {
	*facts
	t        *record.Attempt // the response
	items    []shownItem
	query    url.Values
	orders   []*record.Attempt            // the account's own
	named    map[string][]*record.Attempt // those by externalId: a list may have hundreds of items
	knowsAll bool                         // no other name can be listed
}

// shownItem is a transaction or MED case that a list shows, and what its labels mean.
type shownItem struct {
	json   any
	label  api.Label
	of     api.Listed
	status api.State
}

func (l *shownList) isOfCases() bool { return l.t.Op.ID == "listMeds" }

func (i shownItem) text(field string) string { return jsonvalue.Text(i.json, field) }

func newShownList(s *facts, t *record.Attempt, items []any) *shownList {
	l := &shownList{facts: s, t: t, query: t.Query(), named: map[string][]*record.Attempt{}}
	for _, o := range s.orders() {
		if o.Account == t.Account {
			id, _ := o.ExternalID()
			l.orders, l.named[id] = append(l.orders, o), append(l.named[id], o)
		}
	}
	l.knowsAll = knowsAllNames(s, t.Account, l.orders)
	for _, item := range items {
		label := api.Label(jsonvalue.Text(item, "operationType"))
		of, _ := api.Labelled(label)
		l.items = append(l.items, shownItem{item, label, of, listing.StateOf(item)})
	}
	return l
}

// movesAsItsType, and what follows, holds for each listed transaction.
func movesAsItsType(_ *shownList, i shownItem) []Breach {
	return i.differs("movementType", string(i.of.Movement))
}

func hasRequestedStatus(l *shownList, i shownItem) []Breach {
	return i.differs("status", string(api.State(l.query.Get("status")).Label()))
}

func (i shownItem) differs(name, want string) []Breach {
	got := i.text(name)
	return differs("", fmt.Sprintf("a listed %s to have %s %s", i.label, name, want), want, got, fmt.Sprintf("%s %q", name, got))
}

func hasRequestedType(l *shownList, i shownItem) []Breach {
	want := api.TransactionType(l.query.Get("type")).Label()
	return differs("", fmt.Sprintf("only %q transactions", want), string(want), string(i.label), strconv.Quote(string(i.label)))
}

func hasExternalID(l *shownList, i shownItem) []Breach {
	if listing.IsReturned(i.json) {
		return nil
	}
	return differs("", "only the payment with this externalId", l.query.Get("externalId"), i.text("externalId"), "another payment")
}

// countsNothing: a list by an externalId that no order has is empty, and says so.
func countsNothing(l *shownList) []Breach {
	id := l.query.Get("externalId")
	total := jsonvalue.Find(l.t.Answer, "metadata.total")
	isEmpty := !l.isOfCases() && len(l.query) == 1 && id != "" && len(l.items) == 0 && !mayHaveMade(l.facts, id)
	return breachIf(isEmpty && total.Present && !jsonvalue.Equal(total.Value, json.Number("0")), "an empty list to have a total of 0", total.String(), "")
}

// hasEndToEndID: a refund is listed by the id of its payment, too. Whether splits are, also those of the other account's
// charges, is open ("splits in the list of transactions").
func hasEndToEndID(l *shownList, i shownItem) []Breach {
	asked := l.query["endToEndId"]
	hasSplits := func(o *record.Attempt) bool { return len(jsonvalue.Items(o.Request, "splits")) > 0 }
	if len(asked) != 1 || len(asked[0]) != api.EndToEndIDLength || listing.IsReturned(i.json) || slices.ContainsFunc(l.Attempts, hasSplits) {
		return nil
	}
	return differs("endToEndId", "only the payment with this endToEndId", asked[0], i.text("endToEndId"), "another payment")
}

// isOfAccount: a list shows no transaction of another account, and none that the account has not ordered. Only a UUID,
// which the specification has for cash-outs, says that one is of the other account: each may number its own from 1.
func isOfAccount(l *shownList, i shownItem) []Breach {
	id, name := i.text("transactionId"), i.text("externalId")
	isOthers := func(t *record.Attempt) bool {
		return t.Account != l.t.Account && t.Accepted() && !t.Is(api.Nothing) && !l.isUnusual(t) && jsonvalue.Text(t.Answer, "transactionId") == id
	}
	isPayment := func(t *record.Attempt) bool { return t.Is(api.Payment) }
	switch {
	case uuid.Validate(id) == nil && slices.ContainsFunc(l.Attempts, isOthers):
		return breach("only transactions of this account", "a transaction of another account", "")
	case i.of.Type == api.PixOut && l.knowsAll && name != "" && !slices.ContainsFunc(l.named[name], isPayment):
		return breach("only transactions of this account", "a payment with an externalId that this account has not sent", "")
	}
	return nil
}

// isConfirmedInTime: the bank had confirmed a payment for longer before a list was read than pixcert waits for a list to
// show it.
func isConfirmedInTime(l *shownList, i shownItem) []Breach {
	id := i.text("transactionId")
	n := slices.IndexFunc(l.orders, func(t *record.Attempt) bool { return jsonvalue.Text(t.Answer, "transactionId") == id })
	if i.status != api.Pending || i.of.Type != api.PixOut || id == "" || n < 0 {
		return nil
	}
	at, settled := l.settledAt(l.orders[n])
	patience := max(l.Terms.Deadlines.Balance, l.Terms.Deadlines.Webhook)
	isLate := settled && (l.IsAtRest(l.t) || l.t.Sent.After(at.Add(patience)))
	return breachIf(isLate, fmt.Sprintf("a listed payment to be %s once it is confirmed", api.Confirmed.Label()), string(i.status.Label()), "status")
}

// agreesWithEvent: a list shows a confirmed payment as its event did.
func agreesWithEvent(l *shownList, i shownItem) (all []Breach) {
	id := i.text("transactionId")
	n := slices.IndexFunc(l.Events, func(d *record.Delivery) bool {
		return d.Name == api.PayloadCashOut && d.State() == api.Confirmed && id != "" && d.Text("transactionId") == id
	})
	if n < 0 || i.of.Type != api.PixOut || i.status != api.Confirmed {
		return nil
	}
	for _, name := range []string{"feeAmount", "finalAmount"} {
		listed, ok := money.At(i.json, name)
		reported, known := money.At(l.Events[n].Payload, name)
		if ok && known && listed != reported {
			all = append(all, breach(fmt.Sprintf("a listed %s to have the %s of its event, %v", i.label, name, reported), listed.String(), name)...)
		}
	}
	want := l.Events[n].Text("endToEndId")
	return append(all, differs("endToEndId", fmt.Sprintf("a listed %s to have the endToEndId of its event", i.label), want, i.text("endToEndId"), "another endToEndId")...)
}

func addsUpOnceConfirmed(_ *shownList, i shownItem) []Breach {
	isOther := i.of.Type == api.PixOut && i.status == api.Confirmed && !addsUp(i.json)
	return breachIf(isOther, fmt.Sprintf("the finalAmount of a listed %s to be originalAmount plus feeAmount", i.label), "another amount", "finalAmount")
}

// hasIDOfOrder: an item has the id of one of the orders that have its externalId and are of its kind. Under which names
// lists show splits, and the payments of a MED case, is open ("splits in the list of transactions", "payments of a MED
// case").
func hasIDOfOrder(l *shownList, i shownItem) []Breach {
	id, name := i.text("transactionId"), i.text("externalId")
	orders := slices.DeleteFunc(slices.Clone(l.named[name]), func(t *record.Attempt) bool { return !t.Is(i.of.Made) || definitelyRejected(t) })
	mayBe := func(t *record.Attempt) bool {
		_, splits := t.SentField("splits")
		made := jsonvalue.Text(t.Answer, "transactionId")
		return !t.Accepted() || splits || l.isUnusual(t) || made == "" || made == id
	}
	isOther := name != "" && i.of.Made != api.Nothing && id != "" && !l.hasCases() && len(orders) > 0 && !slices.ContainsFunc(orders, mayBe)
	return breachIf(isOther, fmt.Sprintf("a listed %s to have the transactionId of its order", i.label), "another transactionId", "transactionId")
}

// hasAmountOfOrder: a payer may have paid another amount of a charge.
func hasAmountOfOrder(l *shownList, i shownItem) []Breach {
	id := i.text("transactionId")
	got, ok := money.At(i.json, "originalAmount")
	n := slices.IndexFunc(l.orders, func(t *record.Attempt) bool {
		return t.Is(i.of.Made) && t.Accepted() && !l.isUnusual(t) && jsonvalue.Text(t.Answer, "transactionId") == id
	})
	if n < 0 || !ok || id == "" || i.of.Made == api.Nothing || i.of.Made == api.Charge && l.paysOtherAmounts() {
		return nil
	}
	amount, ok := l.orders[n].Amount()
	return breachIf(ok && got != amount, fmt.Sprintf("a listed %s to have the amount of the request, %v", i.label, amount), got.String(), "")
}

// knowsAllNames: an account is new, and has sent no order that a list may show under another externalId. What one has
// that was sent without is open ("an empty externalId"), and so is whether lists show splits and the payments that a MED
// case leads to, and under which names ("splits in the list of transactions", "payments of a MED case").
func knowsAllNames(s *facts, of language.Account, orders []*record.Attempt) bool {
	account := s.Accounts[of]
	if !account.Opened || account.Fixed || s.hasCases() {
		return false
	}
	return !slices.ContainsFunc(orders, func(t *record.Attempt) bool {
		id, _ := t.ExternalID()
		_, splits := t.SentField("splits")
		return (splits || t.Is(api.Payment) && id == "") && !definitelyRejected(t)
	})
}

// mayHaveMade: a request with an externalId may have made something that is not listed yet.
func mayHaveMade(s *facts, externalID string) bool {
	return slices.ContainsFunc(s.orders(), func(t *record.Attempt) bool {
		id, _ := t.ExternalID()
		return id == externalID && !definitelyRejected(t)
	})
}

// addsUp reports whether final is original plus fee, unless one of them is missing.
func addsUp(of any) bool {
	original, ok := money.At(of, "originalAmount")
	fee, okFee := money.At(of, "feeAmount")
	final, okFinal := money.At(of, "finalAmount")
	return !ok || !okFee || !okFinal || final == original+fee
}

// isPage: on a new account only the scenario itself opens MED cases.
func isPage(l *shownList) []Breach {
	account := l.Accounts[l.t.Account]
	return ruleBreaches(listing.PageBreaches(l.t, account.Opened && !account.Fixed))
}

func isWithinDates(l *shownList) []Breach { return ruleBreaches(listing.OutsideDates(l.t)) }

// ruleBreaches are the breaches of rules by the pages of a list.
func ruleBreaches(pages []listing.Breach) (all []Breach) {
	for _, b := range pages {
		all = append(all, Breach{b.Rule, b.Expected, b.Got, b.Field})
	}
	return all
}

// hasFiltered: a list shows no case that its own filter excludes. Other values, and a filter that is given twice, are
// open ("a malformed parameter of the MED list").
func hasFiltered(name string, values []string) func(*shownList, shownItem) []Breach {
	return func(l *shownList, i shownItem) []Breach {
		asked := l.query[name]
		if len(asked) != 1 || !slices.Contains(values, asked[0]) {
			return nil
		}
		return differs(name, fmt.Sprintf("only cases with %s %s", name, asked[0]), asked[0], i.text(name), i.text(name))
	}
}

// hasHadState: a list shows a case as the bank has moved it. A list that lags shows an earlier state, but none that is
// yet to come. What a refund, or time, makes of a case is open ("MED case that moves by itself"), and so is the result of
// a cancelled one ("MED case OPEN, then CANCELLED").
func hasHadState(l *shownList, i shownItem) (all []Breach) {
	n := slices.IndexFunc(l.Cases, func(c record.Case) bool { return c.Account == l.t.Account && c.IsListedAs(i.json) })
	if n < 0 || len(l.callsOf(target.Clock, "")) > 0 || l.refunds() {
		return nil
	}
	_, had := l.gateway().caseBefore(l.Cases[n], l.t.Index)
	known := map[string][]string{"status": api.Spelled(had.CaseStatuses()...)}
	if !had.Has(api.Cancelled) {
		known["analysisResult"] = append([]string{"none"}, api.Spelled((had & spec.Any(spec.Approved, spec.Rejected)).All()...)...)
	}
	for name, was := range known {
		if got := i.text(name); got != "" && !slices.Contains(was, got) {
			expected := fmt.Sprintf("the %s of the case to be one that it has had: %s", name, strings.Join(was, ", "))
			all = append(all, breach(expected, got, name)...)
		}
	}
	return all
}

// contestsOwnPayment: a new account sees no case that contests none of its payments. Whether those who have sent a
// payment see the case that contests it is open ("who sees a MED case").
func contestsOwnPayment(l *shownList, i shownItem) []Breach {
	account := l.Accounts[l.t.Account]
	sends := func(o *record.Attempt) bool { return o.Is(api.Payment) }
	unknown := func(c record.Call) bool { return !c.Succeeded() && !c.Refused() }
	id := i.text("endToEnd")
	if id == "" || !account.Opened || account.Fixed || account.Shared || l.t.Index < account.Since ||
		slices.ContainsFunc(l.orders, sends) || slices.ContainsFunc(l.callsOf(target.MED, ""), unknown) {
		return nil
	}
	isOwn := func(c record.Case) bool {
		return c.Account == l.t.Account && (c.EndToEndID == id || c.IsListedAs(i.json))
	}
	received := func(o *record.Attempt) bool { return o.Account == l.t.Account && o.EndToEndID == id }
	isKnown := slices.ContainsFunc(l.Cases, isOwn) || slices.ContainsFunc(l.Attempts, received)
	return breachIf(!isKnown, "only cases that contest a payment of this account", "a case of another payment", "endToEnd")
}

// showsItsPayment: a case is about the payment that it was opened against, in every list.
func showsItsPayment(l *shownList, i shownItem) []Breach {
	n := slices.IndexFunc(l.Cases, func(c record.Case) bool {
		return c.Account == l.t.Account && c.ID != "" && c.EndToEndID != "" && c.IsListedAs(i.json) // another account may count from 1, too
	})
	if n < 0 {
		return nil
	}
	id := l.Cases[n].EndToEndID
	if wrong := differs("endToEnd", "a case to have the endToEnd that it was opened against, "+id, id, i.text("endToEnd"), i.text("endToEnd")); wrong != nil {
		return wrong
	}
	of := slices.IndexFunc(l.Attempts, func(o *record.Attempt) bool { return o.Is(api.Charge) && o.EndToEndID == id && !l.isUnusual(o) })
	got, known := money.At(i.json, "originalTransaction.amount")
	if of < 0 || !known || l.paysOtherAmounts() {
		return nil
	}
	amount, ok := l.Attempts[of].Amount()
	return breachIf(ok && got != amount, fmt.Sprintf("a case to have the amount of its payment, %v", amount), got.String(), "originalTransaction.amount")
}
