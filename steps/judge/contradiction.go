package judge

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
)

// Lists and events say more than the steps ask: whatever they say of the scenario's own payments
// has to be what was sent. Only what the specification states of any list and any event is
// judged here, and nothing that may change between two looks.

// contradictions are the lists and events that contradict what was sent.
func (s *Scenario) contradictions() []Met {
	var all []Met
	for _, some := range [][]*record.Attempt{s.Attempts, s.Looks} {
		for _, t := range some {
			if items, ok := t.Items(); ok && t.Accepted() && (t.Op.ID == "listTransactions" || t.Op.ID == "listTransactionsByKey") {
				for _, b := range s.listContradictions(t, items) {
					all = append(all, Met{b, t.Exchange})
				}
			}
		}
	}
	for _, d := range s.Events {
		for _, b := range s.eventContradictions(d) {
			all = append(all, Met{b, d.Exchange})
		}
	}
	return all
}

// operationLabels and statusLabels are how lists show the values of their filters.
var (
	operationLabels = map[string]string{"PAYMENT": "Pix in", "WITHDRAW": "Pix out", "REFUND_IN": "Refund in", "REFUND_OUT": "Refund out"}
	statusLabels    = map[string]string{"PENDING": "Pendente", "CONFIRMED": "Confirmado", "ERROR": "Error"}
	movements       = map[string]string{"Pix in": "CREDIT", "Refund out": "CREDIT", "Pix out": "DEBIT", "Refund in": "DEBIT"}
)

func (s *Scenario) listContradictions(t *record.Attempt, items []any) []Breach {
	query := url.Values{}
	if u, err := url.Parse(t.URL); err == nil {
		query = u.Query()
	}
	var all []Breach
	for _, item := range items {
		shown := func(name string) string { return fieldText(item, name) }
		operation := shown("operationType")
		is := func(rule, name, want string) {
			if got := shown(name); want != "" && got != "" && got != want {
				all = append(all, Breach{rule, fmt.Sprintf("a listed %s to have %s %s", operation, name, want), fmt.Sprintf("%s %q", name, got), ""})
			}
		}
		is("listed.fields", "movementType", movements[operation])
		is("lists.status", "status", statusLabels[query.Get("status")])
		if want := operationLabels[query.Get("type")]; want != "" && operation != "" && operation != want {
			all = append(all, Breach{"lists.type", "a list of " + want, operation, ""})
		}
		if id := query.Get("externalId"); id != "" && !strings.HasPrefix(operation, "Refund") && shown("externalId") != "" && shown("externalId") != id {
			all = append(all, Breach{"lists.external-id", "a list by externalId to hold that payment only", "another", ""})
		}
		if s.isOfOther(t, shown("transactionId")) || operation == "Pix out" && s.isStrange(t, shown("externalId")) {
			all = append(all, Breach{"lists.own-account", "the account's own transactions only", "one of another account", ""})
		}
		if amount, ok := s.listedAmount(t, item, operation); ok {
			if got, ok := money.Of(jsonvalue.Find(item, "originalAmount").Value); ok && got != amount {
				all = append(all, Breach{"listed.amounts", fmt.Sprintf("a listed %s to have the amount sent, %v", operation, amount), got.String(), ""})
			}
		}
	}
	if id := query.Get("externalId"); len(query) == 1 && id != "" && len(items) == 0 && !s.mayHaveMade(id) {
		if total := jsonvalue.Find(t.Answer, "metadata.total"); total.Present && total.String() != "0" {
			all = append(all, Breach{"lists.external-id", "a list of nothing to have a total of 0", total.String(), ""})
		}
	}
	return all
}

// isOfOther: a transaction is one that the scenario's other account has made.
func (s *Scenario) isOfOther(list *record.Attempt, transactionID string) bool {
	return transactionID != "" && slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool {
		return t.Account != list.Account && t.Accepted() && !t.Is(api.Nothing) && !s.isUnusual(t) && fieldText(t.Answer, "transactionId") == transactionID
	})
}

// isStrange: a payment has an externalId under which the list's new account has sent none. What
// one has that was sent without is left open.
func (s *Scenario) isStrange(list *record.Attempt, externalID string) bool {
	account := s.Accounts[list.Account]
	if !account.Opened || account.Fixed || externalID == "" {
		return false
	}
	return !slices.ContainsFunc(s.orders(), func(t *record.Attempt) bool {
		id, _ := t.ExternalID()
		return t.Account == list.Account && t.Is(api.Payment) && (id == externalID || id == "" && !refused(t))
	})
}

// mayHaveMade: a request with an externalId may have made something that is not listed yet.
func (s *Scenario) mayHaveMade(externalID string) bool {
	return slices.ContainsFunc(s.orders(), func(t *record.Attempt) bool {
		id, _ := t.ExternalID()
		return id == externalID && !refused(t)
	})
}

// orders are the payments and charges that the scenario has sent.
func (s *Scenario) orders() []*record.Attempt {
	return slices.DeleteFunc(slices.Concat(s.Attempts, s.Looks), func(t *record.Attempt) bool { return !t.Is(api.Payment, api.Charge) })
}

// listedAmount is what an item must show as the amount of one of the scenario's orders; false if
// it is none, or a payer may have paid another amount.
func (s *Scenario) listedAmount(list *record.Attempt, item any, operation string) (money.Centavos, bool) {
	makes, ok := map[string]api.Made{"Pix out": api.Payment, "Pix in": api.Charge}[operation]
	id := fieldText(item, "transactionId")
	if !ok || id == "" || operation == "Pix in" && s.paysOtherAmounts() {
		return 0, false
	}
	for _, t := range s.orders() {
		if t.Is(makes) && t.Account == list.Account && t.Accepted() && !s.isUnusual(t) && fieldText(t.Answer, "transactionId") == id {
			return t.Amount()
		}
	}
	return 0, false
}

func (s *Scenario) paysOtherAmounts() bool {
	return slices.ContainsFunc(s.callsOf("payments", ""), func(c controlCall) bool { return c.text("amount") != "" })
}

// eventContradictions hold a CashOut or a TRANSFER against the payment that it names.
func (s *Scenario) eventContradictions(d *record.Delivery) []Breach {
	for _, t := range s.orders() {
		if !t.Is(api.Payment) || !t.Accepted() || s.isUnusual(t) {
			continue
		}
		amount, ok := t.Amount()
		switch {
		case !ok:
		case d.Name == "CashOut" && t.Op.ID != "transfer" && isNamedBy(t, d, "transactionId"):
			return cashOutContradictions(t, d, amount)
		case d.Name == "TRANSFER" && t.Op.ID == "transfer" && t.Header.Get("x-idempotency-key") == textOf(d, "idempotencyKey"):
			if got, err := money.Parse(fieldText(d.Payload, "data.payment.amount")); err == nil && got != amount {
				return []Breach{{"events.transfer", fmt.Sprintf("a TRANSFER event with the amount sent, %v", amount), got.String(), ""}}
			}
		}
	}
	return nil
}

// cashOutContradictions leaves out what an event lacks: that breaks the wire contract.
func cashOutContradictions(t *record.Attempt, d *record.Delivery, amount money.Centavos) []Breach {
	var all []Breach
	sent, _ := t.ExternalID()
	if got := textOf(d, "externalId"); got != "" && sent != "" && got != sent {
		all = append(all, Breach{"delivery.cash-out-payload", "a CashOut event with the externalId of its payment", "another", ""})
	}
	in := func(name string) (money.Centavos, bool) { return money.Of(jsonvalue.Find(d.Payload, name).Value) }
	original, ok := in("originalAmount")
	if ok && original != amount {
		all = append(all, Breach{"delivery.cash-out-amounts", fmt.Sprintf("a CashOut event with the amount sent, %v, as originalAmount", amount), original.String(), ""})
	}
	fee, okFee := in("feeAmount")
	final, okFinal := in("finalAmount")
	if ok && okFee && okFinal && final != original+fee {
		all = append(all, Breach{"delivery.cash-out-amounts", "a CashOut event whose finalAmount is originalAmount and feeAmount", fmt.Sprintf("%v of %v and %v", final, original, fee), ""})
	}
	return all
}

// isNamedBy: an event names what a request made by a field of its response.
func isNamedBy(t *record.Attempt, d *record.Delivery, field string) bool {
	id := fieldText(t.Answer, field)
	return id != "" && id == textOf(d, field)
}

func textOf(d *record.Delivery, field string) string {
	text, _ := d.Field(field)
	return text
}
