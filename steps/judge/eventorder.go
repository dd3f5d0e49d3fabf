package judge

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
)

// isJSON: an event of the scenario's, by its text, has a JSON object as its body.
func isJSON(s *facts, d *record.Delivery) []Breach {
	isWrong := !isObject(d) && d.LeftOut == 0 && !d.Truncated && s.isOfScenario(d)
	return breachIf(isWrong, "an event with a JSON object as its body", "another body", "")
}

// isInReais: an event reports an amount in the currency of PIX.
func isInReais(s *facts, d *record.Delivery) []Breach {
	if d.Name != api.PayloadReceive || !s.isOfScenario(d) {
		return nil
	}
	return notInReais(d, "data.payment", anEvent(d)+" with the currency BRL")
}

// notInReais is the breach of a payment in an event that is in another currency.
func notInReais(d *record.Delivery, payment, expected string) []Breach {
	got := jsonvalue.Find(d.Payload, payment+".currency")
	return breachIf(got.Present && got.Value != "BRL", expected, got.String(), payment+".currency")
}

// anEvent names an event by its payload: "a CashOut event".
func anEvent(d *record.Delivery) string { return article(d.Name) + " " + d.Name + " event" }

// agreesWithOrder: a CashOut or a TRANSFER says what the order says that it names. Where several orders may be that
// payment, as of one key, it has to fit one of them.
func agreesWithOrder(s *facts, d *record.Delivery) (all []Breach) {
	if len(isOfAcceptedOrder(s, d)) > 0 {
		return nil
	}
	for _, t := range s.orders() {
		of := contradictionsOf(t, d)
		if of == nil {
			continue
		}
		amount, ok := t.Amount()
		if !ok || s.isUnusual(t) {
			return nil
		}
		found := slices.Concat(of(t, d, amount), otherOutcome(s, t, d), otherInstitution(s, t, d))
		if len(found) == 0 {
			return nil
		}
		if all == nil && t.Accepted() {
			all = found
		}
	}
	return all
}

// arrivesAtItsType: no result of the scenario's own arrives only at URLs of types that cannot report it. Which types
// report refunds and returns is open ("subscription that carries REFUND"), and so is what reports a MED case ("payload of
// a med_created event"). An account of the profile has a URL of each type, and only that of cash_out is ever registered
// for others.
func arrivesAtItsType(s *facts, d *record.Delivery) []Breach {
	opposite := map[string]string{api.PayloadCashOut: api.TypeCashIn, api.PayloadTransfer: api.TypeCashIn, api.PayloadReceive: api.TypeCashOut}[d.Name]
	resent := func(t *record.Attempt) bool { return t.SentText("url") == d.At && t.Op.ID == "resendWebhook" }
	if opposite == "" || s.hasCases() || s.Terms.SharedURLs && opposite == api.TypeCashOut || !s.isOfScenario(d) || slices.ContainsFunc(s.Requests(), resent) {
		return nil
	}
	at := slices.Concat(s.Accounts[language.TheAccount].Receivers, s.Accounts[language.TheOther].Receivers)
	if s.Terms.SharedURLs { // those of earlier scenarios are unknown
		at = slices.Concat(s.Accounts[language.TheAccount].Kept, s.Accounts[language.TheOther].Kept)
	}
	types := typesAt(d.At, at)
	isOwn := func(eventType string) bool { return eventType != opposite && !strings.HasPrefix(eventType, "med_") }
	if len(types) == 0 || slices.ContainsFunc(types, isOwn) {
		return nil
	}
	return breach(anEvent(d)+" only at URLs of its type", "at a URL for "+types[0], "")
}

// isOfAcceptedOrder: an event names no order that was only ever rejected. Whether a transfer that is not executed has
// events is open ("event of a rejected transfer", "event of an expired transfer"), unless they report it as settled.
func isOfAcceptedOrder(s *facts, d *record.Delivery) []Breach {
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
	isOther := func(t *record.Attempt) bool { return !definitelyRejected(t) }
	return breachIf(name != "" && len(named) > 0 && !slices.ContainsFunc(named, isOther), "no event of a rejected request", anEvent(d), "")
}

// contradictionsOf is how to hold an event against an order; nil if it is not about it.
func contradictionsOf(t *record.Attempt, d *record.Delivery) func(*record.Attempt, *record.Delivery, money.Centavos) []Breach {
	switch {
	case !t.Is(api.Payment):
	case d.Name == api.PayloadCashOut && t.Op.ID != "transfer" && d.Text("transactionId") != "" && d.Text("transactionId") == jsonvalue.Text(t.Answer, "transactionId"):
		return cashOutContradictions
	case d.Name == api.PayloadTransfer && t.Op.ID == "transfer" && sentKey(t) == d.Text("idempotencyKey"):
		return transferContradictions
	}
	return nil
}

const transferEvent = "events.transfer"

func transferContradictions(t *record.Attempt, d *record.Delivery, amount money.Centavos) (all []Breach) {
	if t.SentText("payment.currency") == "BRL" {
		all = notInReais(d, "data.payment", anEvent(d)+" with the currency BRL")
	}
	got, err := money.Parse(jsonvalue.Text(d.Payload, "data.payment.amount"))
	id, made := jsonvalue.Find(d.Payload, "data.id"), jsonvalue.Find(t.Answer, "id").Value
	isOtherID := t.Accepted() && id.Present && jsonvalue.Text(t.Answer, "id") != "" && !jsonvalue.Equal(id.Value, made)
	return under(transferEvent, slices.Concat(all,
		breachIf(err == nil && got != amount, fmt.Sprintf("a TRANSFER event with the amount of the request, %v", amount), got.String(), ""),
		breachIf(areOther(t.SentText("pixKey"), d.Text("pixKey")), "a TRANSFER event with the pixKey of the request", "another pixKey", "data.pixKey"),
		breachIf(isOtherID, "a TRANSFER event with the id of the transfer", "another id", "data.id"),
	))
}

// under are breaches of a rule.
func under(rule string, all []Breach) []Breach {
	for i := range all {
		all[i].Rule = rule
	}
	return all
}

// otherInstitution: a TRANSFER event names another institution than the directory, which knows only one
// for the key.
func otherInstitution(s *facts, t *record.Attempt, d *record.Delivery) []Breach {
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
	return []Breach{{transferEvent, "a TRANSFER event with the ISPB of the key's institution, " + want, strconv.Quote(got), "data.creditorAccount.ispb"}}
}

// areOther reports whether two keys, if both are known, are different ones.
func areOther(sent, got string) bool { return got != "" && sent != "" && bareKey(got) != bareKey(sent) }

// bareKey is a key without what its forms differ in: the marks between its parts, the country code of
// a phone, and the case of its letters.
func bareKey(key string) string {
	marks := strings.NewReplacer("+55", "", "-", "", ".", "", "/", "", "(", "", ")", "", " ", "")
	return strings.ToLower(marks.Replace(key))
}

// otherOutcome: an event reports another outcome than the bank's. If the bank has tried several, or the bank is the
// gateway's own, which of them counts is open ("finality of a payment").
func otherOutcome(s *facts, t *record.Attempt, d *record.Delivery) []Breach {
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

// cashOutContradictions leaves out what an event lacks: that breaks the wire contract. What a failed payment comes to is open
// ("finalAmount of a rejected cash-out").
func cashOutContradictions(t *record.Attempt, d *record.Delivery, amount money.Centavos) []Breach {
	sent, _ := t.ExternalID()
	original, ok := money.At(d.Payload, "originalAmount")
	fee, _ := money.At(d.Payload, "feeAmount")
	final, _ := money.At(d.Payload, "finalAmount")
	return append(under("delivery.cash-out-payload", append(
		differs("", "a CashOut event with the externalId of its payment", sent, d.Text("externalId"), "another externalId"),
		breachIf(areOther(t.SentText("details.key"), d.Text("pixKey")), "a CashOut event with the details.key of its payment as pixKey", "another key", "pixKey")...,
	)), under("delivery.cash-out-amounts", append(
		breachIf(ok && original != amount, fmt.Sprintf("a CashOut event with the amount of the request, %v, as originalAmount", amount), original.String(), ""),
		breachIf(d.State() != api.Failed && !addsUp(d.Payload), "a CashOut event whose finalAmount is originalAmount plus feeAmount", fmt.Sprintf("%v, not %v plus %v", final, original, fee), "")...,
	))...)
}

// eventsHaveCauses: no event reports something as done, or as failed, that is not. That an event arrives twice says
// nothing: how often one is delivered is open ("how often an event is delivered").
func eventsHaveCauses(s *Scenario) Result {
	for of, account := range s.Accounts {
		for _, d := range s.EventsAt(account.Receivers) {
			if what := uncaused(&s.facts, d, language.Account(of)); what != "" {
				return failBy(d.Index, "no event of "+what, strings.TrimSpace(cmp.Or(d.Name, "one")+" "+d.Text("status")))
			}
		}
	}
	return pass()
}

// uncaused names what an event reports without a cause; empty if it may have one. If it names several
// things, one of them has to be the cause.
func uncaused(s *facts, d *record.Delivery, at language.Account) string {
	_, described := api.Payloads[d.Name]
	types := typesAt(d.At, s.Accounts[at].Receivers)
	makes := api.CauseOf(d.Name)
	switch {
	case described && len(types) > 1:
	case len(types) > 1: // only what the event says tells of which type it is
		return ""
	case len(types) == 1 && strings.HasPrefix(types[0], "med_") && d.Name != api.PayloadRefund:
		return uncausedOfCase(s, d, types[0])
	case len(types) == 1 && !described:
		makes = api.CauseOf(types[0])
	}
	what := ""
	for _, t := range s.Attempts {
		switch {
		case !t.Is(makes) || !t.Accepted() || !about(t)(d):
		case t.Account == at && s.gateway().mayReport(t, d):
			return ""
		case t.Account == at:
			what = cmp.Or(what, fmt.Sprintf("%s, which is %s", nameOfThing(t), cmp.Or(string(s.gateway().stateBefore(t, d.Index)), "not settled")))
		case s.Accounts[t.Account].Opened && t.Account != at && len(typesAt(d.At, s.Accounts[t.Account].Receivers)) == 0:
			what = cmp.Or(what, nameOfThing(t)+" at a URL of "+at.String())
		default:
			return ""
		}
	}
	return what
}

// typesAt are the types of events for which a URL is registered.
func typesAt(url string, at []record.Receiver) (types []string) {
	for _, r := range at {
		if r.URL == url && !slices.Contains(types, r.EventType) {
			types = append(types, r.EventType)
		}
	}
	return types
}

// uncausedOfCase: an analysis is reported that the bank has not made.
func uncausedOfCase(s *facts, d *record.Delivery, subscription string) string {
	in, named := spec.Case.ReportedAs(api.State(subscription)), false
	for _, c := range s.Cases {
		if !d.Names(c.EndToEndID) {
			continue
		}
		named = true
		if _, had := s.gateway().caseBefore(c, len(s.Exchanges)); had.Overlaps(in) {
			return ""
		}
	}
	if !named {
		return ""
	}
	return fmt.Sprintf("type %s, because no case was %s", subscription, in)
}
