package judge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
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
	"github.com/pixcert/pixcert/steps/target"
)

// Lists and events say more than the steps ask: whatever they say of the scenario's own payments
// has to be what was sent. Only what the specification states of any list and any event is
// judged here, and nothing that may change between two looks.

// audit holds all that a scenario has recorded against all that it has sent, whatever its steps ask: answers,
// lists, events, balances and what controls show.
//
// Many methods: one for each thing that may be wrong.
type audit struct{ *Scenario }

// contradictions are the responses, lists and events that contradict what was sent.
func (s audit) contradictions() []Met {
	var all []Met
	for _, t := range s.Requests() {
		all = append(all, metIn(t.Exchange, s.answerContradictions(t), refusalContradictions(t), s.blamesCertificate(t), s.judgesCertificate(t), s.atOtherTime(t), s.undelivered(t), s.failedRegistration(t), s.listsOthers(t))...)
		items, ok := t.Items()
		switch {
		case !ok || !t.Accepted() || !isPaged(t.Op):
		case t.Op.ID == "listMeds":
			all = append(all, metIn(t.Exchange, caseContradictions(t, items), s.strangeCases(t, items), ruleBreaches(listing.OutsideDates(t)), s.caseHistory(t, items), s.pageBreaches(t))...)
		default:
			all = append(all, metIn(t.Exchange, s.listContradictions(t, items), s.ofOtherEndToEndID(t, items), ruleBreaches(listing.OutsideDates(t)), s.pageBreaches(t))...)
		}
	}
	for _, t := range s.Looks {
		all = append(all, metIn(t.Exchange, s.failedRead(t), s.listsRemoved(t), s.unlisted(t))...)
	}
	for _, d := range s.Events {
		all = append(all, metIn(d.Exchange, s.eventContradictions(d), s.misdirected(d))...)
	}
	return slices.Concat(all, s.vanished(), s.flips(), s.paidEarly(), s.unreported(), s.historyContradictions())
}

func (s audit) listContradictions(t *record.Attempt, items []any) []Breach {
	query := t.Query()
	own := slices.DeleteFunc(s.orders(), func(o *record.Attempt) bool { return o.Account != t.Account })
	named := map[string][]*record.Attempt{} // by externalId: a list may have hundreds of items
	for _, o := range own {
		id, _ := o.ExternalID()
		named[id] = append(named[id], o)
	}
	knowsAll := s.knowsAllNames(t.Account, own)
	var all []Breach
	for _, item := range items {
		shown := func(name string) string { return jsonvalue.Text(item, name) }
		operation := api.Label(shown("operationType"))
		of, _ := api.Labelled(operation)
		status := listing.StateOf(item)
		is := func(rule, name, want string) {
			if got := shown(name); want != "" && got != "" && got != want {
				all = append(all, Breach{rule, fmt.Sprintf("a listed %s to have %s %s", operation, name, want), fmt.Sprintf("%s %q", name, got), ""})
			}
		}
		is("listed.fields", "movementType", string(of.Movement))
		is("lists.status", "status", string(api.State(query.Get("status")).Label()))
		if want := api.TransactionType(query.Get("type")).Label(); want != "" && operation != "" && operation != want {
			all = append(all, Breach{"lists.type", fmt.Sprintf("only %q transactions", want), strconv.Quote(string(operation)), ""})
		}
		if id := query.Get("externalId"); id != "" && !listing.IsReturned(item) && shown("externalId") != "" && shown("externalId") != id {
			all = append(all, Breach{"lists.external-id", "only the payment with this externalId", "another payment", ""})
		}
		switch {
		case s.isOfOther(t, shown("transactionId")):
			all = append(all, Breach{"lists.own-account", "only transactions of this account", "a transaction of another account", ""})
		case of.Type == api.PixOut && knowsAll && hasUnknownExternalID(named, shown("externalId")):
			all = append(all, Breach{"lists.own-account", "only transactions of this account", "a payment with an externalId that this account has not sent", ""})
		}
		if status == api.Pending && of.Type == api.PixOut && s.hadSettled(t, own, shown("transactionId")) {
			all = append(all, Breach{"cash-out.confirmed", fmt.Sprintf("a listed payment to be %s once it is confirmed", api.Confirmed.Label()), string(status.Label()), "status"})
		}
		all = append(all, s.differsFromEvent(item)...)
		if of.Type == api.PixOut && status == api.Confirmed && !addsUp(item) {
			all = append(all, Breach{"listed.amounts", fmt.Sprintf("the finalAmount of a listed %s to be originalAmount plus feeAmount", operation), "another amount", "finalAmount"})
		}
		if id := shown("externalId"); id != "" && s.hasOtherID(named[id], of.Made, shown("transactionId")) {
			all = append(all, Breach{"listed.fields", fmt.Sprintf("a listed %s to have the transactionId of its order", operation), "another transactionId", "transactionId"})
		}
		if amount, ok := s.listedAmount(own, shown("transactionId"), of.Made); ok {
			if got, ok := money.At(item, "originalAmount"); ok && got != amount {
				all = append(all, Breach{"listed.amounts", fmt.Sprintf("a listed %s to have the amount of the request, %v", operation, amount), got.String(), ""})
			}
		}
	}
	if id := query.Get("externalId"); len(query) == 1 && id != "" && len(items) == 0 && !s.mayHaveMade(id) {
		if total := jsonvalue.Find(t.Answer, "metadata.total"); total.Present && !jsonvalue.Equal(total.Value, json.Number("0")) {
			all = append(all, Breach{"lists.external-id", "an empty list to have a total of 0", total.String(), ""})
		}
	}
	return all
}

// differsFromEvent: a list shows a confirmed payment otherwise than its event did.
func (s audit) differsFromEvent(item any) (all []Breach) {
	id := jsonvalue.Text(item, "transactionId")
	i := slices.IndexFunc(s.Events, func(d *record.Delivery) bool {
		return d.Name == api.PayloadCashOut && d.State() == api.Confirmed && id != "" && d.Text("transactionId") == id
	})
	if i < 0 || listing.TypeOf(item) != api.PixOut || listing.StateOf(item) != api.Confirmed {
		return nil
	}
	for _, name := range []string{"feeAmount", "finalAmount"} {
		listed, ok := money.At(item, name)
		reported, known := money.At(s.Events[i].Payload, name)
		if ok && known && listed != reported {
			all = append(all, Breach{"listed.fields", fmt.Sprintf("a listed %s to have the %s of its event, %v", api.PixOut.Label(), name, reported), listed.String(), name})
		}
	}
	if got, want := jsonvalue.Text(item, "endToEndId"), s.Events[i].Text("endToEndId"); got != "" && want != "" && got != want {
		all = append(all, Breach{"listed.fields", fmt.Sprintf("a listed %s to have the endToEndId of its event", api.PixOut.Label()), "another endToEndId", "endToEndId"})
	}
	return all
}

// hadSettled: the bank had confirmed one of the account's orders for longer before a list was read than
// pixcert waits for a list to show it.
func (s audit) hadSettled(list *record.Attempt, orders []*record.Attempt, transactionID string) bool {
	i := slices.IndexFunc(orders, func(t *record.Attempt) bool { return jsonvalue.Text(t.Answer, "transactionId") == transactionID })
	if transactionID == "" || i < 0 {
		return false
	}
	at, left := s.settledAt(orders[i])
	patience := max(s.Terms.Deadlines.Balance, s.Terms.Deadlines.Webhook)
	return left && (s.IsAtRest(list) || list.Sent.After(at.Add(patience)))
}

// isOfOther: a transaction is one that the scenario's other account has made. Only a UUID, which the
// specification has for cash-outs, says so: each account may number its transactions from 1.
func (s audit) isOfOther(list *record.Attempt, transactionID string) bool {
	return uuid.Validate(transactionID) == nil && slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool {
		return t.Account != list.Account && t.Accepted() && !t.Is(api.Nothing) && !s.isUnusual(t) && jsonvalue.Text(t.Answer, "transactionId") == transactionID
	})
}

// hasUnknownExternalID: a payment has an externalId under which the account has sent none of its orders, by their externalId.
func hasUnknownExternalID(orders map[string][]*record.Attempt, externalID string) bool {
	return externalID != "" && !slices.ContainsFunc(orders[externalID], func(t *record.Attempt) bool { return t.Is(api.Payment) })
}

// knowsAllNames: an account is new, and has sent no order that a list may show under another externalId. What one has that
// was sent without is left open, and so is whether lists show splits and the payments that a MED case leads to, and
// under which names.
func (s audit) knowsAllNames(of language.Account, orders []*record.Attempt) bool {
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

// hasOtherID: an item has the externalId of orders, and is of their kind, but has the id of none. Under which names
// lists show splits, and the payments of a MED case, is left open.
func (s audit) hasOtherID(orders []*record.Attempt, makes api.Made, transactionID string) bool {
	if makes == api.Nothing || transactionID == "" || s.hasCases() {
		return false
	}
	named := slices.DeleteFunc(slices.Clone(orders), func(t *record.Attempt) bool { return !t.Is(makes) || definitelyRejected(t) })
	mayBe := func(t *record.Attempt) bool {
		_, splits := t.SentField("splits")
		id := jsonvalue.Text(t.Answer, "transactionId")
		return !t.Accepted() || splits || s.isUnusual(t) || id == "" || id == transactionID
	}
	return len(named) > 0 && !slices.ContainsFunc(named, mayBe)
}

// mayHaveMade: a request with an externalId may have made something that is not listed yet.
func (s *facts) mayHaveMade(externalID string) bool {
	return slices.ContainsFunc(s.orders(), func(t *record.Attempt) bool {
		id, _ := t.ExternalID()
		return id == externalID && !definitelyRejected(t)
	})
}

// orders are the payments and charges that the scenario has sent.
func (s *facts) orders() []*record.Attempt {
	return slices.DeleteFunc(s.Requests(), func(t *record.Attempt) bool { return !t.Is(api.Payment, api.Charge) })
}

// listedAmount is what an item must show as the amount of one of the account's orders; false if
// it is none, or a payer may have paid another amount.
func (s audit) listedAmount(orders []*record.Attempt, transactionID string, makes api.Made) (money.Centavos, bool) {
	if makes == api.Nothing || transactionID == "" || makes == api.Charge && s.paysOtherAmounts() {
		return 0, false
	}
	for _, t := range orders {
		if t.Is(makes) && t.Accepted() && !s.isUnusual(t) && jsonvalue.Text(t.Answer, "transactionId") == transactionID {
			return t.Amount()
		}
	}
	return 0, false
}

func (s *facts) paysOtherAmounts() bool {
	return slices.ContainsFunc(s.callsOf(target.Payments, ""), func(c record.Call) bool { return c.Text("amount") != "" })
}

// eventContradictions hold a CashOut or a TRANSFER against the payment that it names. Where several
// orders may be that payment, as of one key, it has to fit one of them.
func (s audit) eventContradictions(d *record.Delivery) []Breach {
	if !isObject(d) && d.LeftOut == 0 && !d.Truncated && isOfScenario(s.Scenario, d) {
		return []Breach{{"delivery.json", "an event with a JSON object as its body", "another body", ""}}
	}
	if s.reportsRejected(d) {
		return []Breach{{"events.rejected", "no event of a rejected request", article(d.Name) + " " + d.Name + " event", ""}}
	}
	if d.Name == api.PayloadReceive && isOfScenario(s.Scenario, d) {
		return notInReais("events.receive", d)
	}
	var all []Breach
	for _, t := range s.orders() {
		of := contradictionsOf(t, d)
		if of == nil {
			continue
		}
		amount, ok := t.Amount()
		if !ok || s.isUnusual(t) {
			return nil
		}
		found := slices.Concat(of(t, d, amount), s.otherOutcome(t, d), s.otherInstitution(t, d))
		if len(found) == 0 {
			return nil
		}
		if all == nil && t.Accepted() {
			all = found
		}
	}
	return all
}

// notInReais: an event reports an amount in another currency than that of PIX.
func notInReais(rule string, d *record.Delivery) []Breach {
	if got := jsonvalue.Find(d.Payload, "data.payment.currency"); got.Present && got.Value != "BRL" {
		return []Breach{{rule, article(d.Name) + " " + d.Name + " event with the currency BRL", got.String(), "data.payment.currency"}}
	}
	return nil
}

// misdirected: a result of the scenario's own arrives only at URLs of types that cannot report it. Which
// types report refunds and returns, and what reports a MED case, is left open. An account of the profile has a URL
// of each type, and only that of cash_out is ever registered for others.
func (s audit) misdirected(d *record.Delivery) []Breach {
	opposite := map[string]string{api.PayloadCashOut: api.TypeCashIn, api.PayloadTransfer: api.TypeCashIn, api.PayloadReceive: api.TypeCashOut}[d.Name]
	resent := func(t *record.Attempt) bool { return t.SentText("url") == d.At && t.Op.ID == "resendWebhook" }
	if opposite == "" || s.hasCases() || s.Terms.SharedURLs && opposite == api.TypeCashOut || !isOfScenario(s.Scenario, d) || slices.ContainsFunc(s.Requests(), resent) {
		return nil
	}
	var types []string // for which its URL is registered
	for _, account := range s.Accounts {
		at := account.Receivers
		if s.Terms.SharedURLs { // those of earlier scenarios are unknown
			at = account.Kept
		}
		for _, r := range at {
			if r.URL == d.At {
				types = append(types, r.EventType)
			}
		}
	}
	isOwn := func(eventType string) bool { return eventType != opposite && !strings.HasPrefix(eventType, "med_") }
	if len(types) == 0 || slices.ContainsFunc(types, isOwn) {
		return nil
	}
	return []Breach{{"delivery.own-type", article(d.Name) + " " + d.Name + " event only at URLs of its type", "at a URL for " + types[0], ""}}
}

// reportsRejected: an event names an order that was only ever rejected. Whether a transfer that is not
// executed has events is left open, unless they report it as settled.
func (s audit) reportsRejected(d *record.Delivery) bool {
	var name string
	isNamed := func(t *record.Attempt) bool { return nameOf(t) == name }
	switch {
	case d.Name == api.PayloadCashOut:
		name = d.Text("externalId")
	case d.Name == api.PayloadTransfer && d.State() == api.EventLiquidated:
		name = d.Text("idempotencyKey")
		isNamed = func(t *record.Attempt) bool { return foldedKey(t) == strings.ToLower(name) }
	}
	named := slices.DeleteFunc(s.orders(), func(t *record.Attempt) bool { return !isNamed(t) })
	return name != "" && len(named) > 0 && !slices.ContainsFunc(named, func(t *record.Attempt) bool { return !definitelyRejected(t) })
}

// contradictionsOf is how to hold an event against an order; nil if it is not about it.
func contradictionsOf(t *record.Attempt, d *record.Delivery) func(*record.Attempt, *record.Delivery, money.Centavos) []Breach {
	switch {
	case !t.Is(api.Payment):
	case d.Name == api.PayloadCashOut && t.Op.ID != "transfer" && isNamedBy(t, d, "transactionId"):
		return cashOutContradictions
	case d.Name == api.PayloadTransfer && t.Op.ID == "transfer" && sentKey(t) == d.Text("idempotencyKey"):
		return transferContradictions
	}
	return nil
}

func transferContradictions(t *record.Attempt, d *record.Delivery, amount money.Centavos) []Breach {
	var all []Breach
	if t.SentText("payment.currency") == "BRL" {
		all = notInReais("events.transfer", d)
	}
	if got, err := money.Parse(jsonvalue.Text(d.Payload, "data.payment.amount")); err == nil && got != amount {
		all = append(all, Breach{"events.transfer", fmt.Sprintf("a TRANSFER event with the amount of the request, %v", amount), got.String(), ""})
	}
	if got, sent := d.Text("pixKey"), t.SentText("pixKey"); got != "" && sent != "" && bareKey(got) != bareKey(sent) {
		all = append(all, Breach{"events.transfer", "a TRANSFER event with the pixKey of the request", "another pixKey", "data.pixKey"})
	}
	if got := jsonvalue.Find(d.Payload, "data.id"); t.Accepted() && got.Present && jsonvalue.Text(t.Answer, "id") != "" && !jsonvalue.Equal(got.Value, jsonvalue.Find(t.Answer, "id").Value) {
		all = append(all, Breach{"events.transfer", "a TRANSFER event with the id of the transfer", "another id", "data.id"})
	}
	return all
}

// otherInstitution: a TRANSFER event names another institution than the directory, which knows only one
// for the key.
func (s audit) otherInstitution(t *record.Attempt, d *record.Delivery) []Breach {
	if d.Name != api.PayloadTransfer {
		return nil
	}
	known := map[string]bool{}
	for _, c := range s.callsOf(target.Directory, http.MethodPut) {
		if key, err := url.PathUnescape(path.Base(c.URL)); err == nil && bareKey(key) == bareKey(t.SentText("pixKey")) {
			known[c.Text("ispb")] = true
		}
	}
	got := d.Text("creditorAccount.ispb")
	if len(known) != 1 || got == "" || known[got] {
		return nil
	}
	want := slices.Collect(maps.Keys(known))[0]
	return []Breach{{"events.transfer", "a TRANSFER event with the ISPB of the key's institution, " + want, strconv.Quote(got), "data.creditorAccount.ispb"}}
}

// bareKey is a key without what its forms differ in: the marks between its parts, the country code of
// a phone, and the case of its letters.
func bareKey(key string) string {
	marks := strings.NewReplacer("+55", "", "-", "", ".", "", "/", "", "(", "", ")", "", " ", "")
	return strings.ToLower(marks.Replace(key))
}

// otherOutcome: an event reports another outcome than the bank's. If the bank has tried several, or
// the bank is the gateway's own, which of them counts is left open.
func (s audit) otherOutcome(t *record.Attempt, d *record.Delivery) []Breach {
	decided := slices.DeleteFunc(s.callsOf(target.Settlement, http.MethodPost), func(c record.Call) bool {
		id := c.Text("transactionId")
		return id == "" || id != jsonvalue.Text(t.Answer, "transactionId")
	})
	if d.Name != api.PayloadCashOut || len(decided) != 1 || !decided[0].Succeeded() || d.Sent.Before(decided[0].Sent) {
		return nil
	}
	outcome, code := decided[0].Text("outcome"), decided[0].Text("errorCode")
	rule := map[bool]string{true: "cash-out.confirmed", false: "cash-out.error"}[outcome == target.Confirmed]
	if got := jsonvalue.Plain(d.Status()); got != outcome {
		return []Breach{{rule, "a CashOut event of status " + outcome + ", as the bank decided", got, "status"}}
	}
	if got := d.Text("errorCode"); got != code {
		return []Breach{{rule, "a CashOut event with the errorCode of the bank, " + cmp.Or(code, "null"), cmp.Or(got, "null"), "errorCode"}}
	}
	return nil
}

// cashOutContradictions leaves out what an event lacks: that breaks the wire contract.
func cashOutContradictions(t *record.Attempt, d *record.Delivery, amount money.Centavos) []Breach {
	var all []Breach
	sent, _ := t.ExternalID()
	if got := d.Text("externalId"); got != "" && sent != "" && got != sent {
		all = append(all, Breach{"delivery.cash-out-payload", "a CashOut event with the externalId of its payment", "another externalId", ""})
	}
	if got, key := d.Text("pixKey"), t.SentText("details.key"); got != "" && key != "" && bareKey(got) != bareKey(key) {
		all = append(all, Breach{"delivery.cash-out-payload", "a CashOut event with the details.key of its payment as pixKey", "another key", "pixKey"})
	}
	original, ok := money.At(d.Payload, "originalAmount")
	if ok && original != amount {
		all = append(all, Breach{"delivery.cash-out-amounts", fmt.Sprintf("a CashOut event with the amount of the request, %v, as originalAmount", amount), original.String(), ""})
	}
	if d.State() != api.Failed && !addsUp(d.Payload) { // what a failed payment comes to is left open
		fee, _ := money.At(d.Payload, "feeAmount")
		final, _ := money.At(d.Payload, "finalAmount")
		all = append(all, Breach{"delivery.cash-out-amounts", "a CashOut event whose finalAmount is originalAmount plus feeAmount", fmt.Sprintf("%v, not %v plus %v", final, original, fee), ""})
	}
	return all
}

// addsUp reports whether final is original plus fee, unless one of them is missing.
func addsUp(of any) bool {
	original, ok := money.At(of, "originalAmount")
	fee, okFee := money.At(of, "feeAmount")
	final, okFinal := money.At(of, "finalAmount")
	return !ok || !okFee || !okFinal || final == original+fee
}

// isNamedBy: an event names what a request made by a field of its response.
func isNamedBy(t *record.Attempt, d *record.Delivery, field string) bool {
	id := jsonvalue.Text(t.Answer, field)
	return id != "" && id == d.Text(field)
}
