package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
)

// Identity is a value that must have one owner in a run.
type Identity struct {
	Breach        // reported if it is not
	Value  string // the id
	Of     string // identifies its owner as far as the run knows
	Shown  *exchange.Exchange
}

// ids are fields of responses that identify what a request has made, of whichever account. A transactionId does
// so only if it is a UUID: each account may number its transactions from 1.
var ids = map[string][]struct{ rule, field string }{
	"cashOut":       {{"cash-out.accepted", "transactionId"}},
	"cashOutQRCode": {{"qr-cash-out.accepted", "transactionId"}},
	"cashIn":        {{"cash-in.accepted", "transactionId"}, {"cash-in.accepted", "pixCode"}},
	"cob":           {{"cob.created", "location"}},
}

// madeIDs are the ids of what the scenario's requests have made. A sandbox outcome need not make anything.
func madeIDs(s *Scenario) (all []Identity) {
	for _, t := range s.Requests() {
		name := cmp.Or(nameOf(t), t.Parameter("txid"))
		if !t.Accepted() || name == "" || s.isUnusual(t) || t.IsPlayed() {
			continue
		}
		for _, id := range ids[t.Op.ID] {
			value := jsonvalue.Text(t.Answer, id.field)
			if value == "" || id.field == "transactionId" && uuid.Validate(value) != nil {
				continue
			}
			own := Breach{id.rule, fmt.Sprintf("a unique %s for each %s", id.field, t.Op.Noun), "the same " + id.field + " for two", id.field}
			all = append(all, Identity{own, value, t.Op.ID + " " + name, t.Exchange})
		}
	}
	return all
}

// Identities returns the ids of what was made, the end-to-end ids of confirmed payments, the errorIds of
// rejections, and the faults of requests, each of which belongs to one error code.
func (s *Scenario) Identities() []Identity {
	all := madeIDs(s)
	var transfers []Identity
	for _, d := range s.Events {
		id, of := d.Text("endToEndId"), d.Text("transactionId")
		isOfSandbox := func(t *record.Attempt) bool { return t.IsPlayed() && about(t)(d) } // which need not be a distinct payment
		switch {
		case len(id) != api.EndToEndIDLength || !s.isOfScenario(d):
		case d.Name == api.PayloadCashOut && d.State() == api.Confirmed && of != "" && !slices.ContainsFunc(s.Attempts, isOfSandbox):
			all = append(all, Identity{Breach{"delivery.cash-out-payload", "a unique endToEndId for each payment", "the same endToEndId for two payments", ""}, id, of, d.Exchange})
		case d.Name == api.PayloadTransfer && d.State() == api.EventLiquidated:
			of = strings.ToLower(d.Text("idempotencyKey")) + " " + d.Text("id")
			transfers = append(transfers, Identity{Breach{"events.transfer", "a unique endToEndId for each settled transfer", "the same endToEndId for two transfers", ""}, id, of, d.Exchange})
		}
	}
	all = append(all, transfers...)
	for _, t := range s.Attempts {
		if id := jsonvalue.Text(t.Answer, "errorId"); id != "" && t.Status >= 400 && spec.HasRichErrors(t.Op) {
			all = append(all, Identity{Breach{"envelope-a.error-id", "a unique errorId for each refusal", "the same errorId for two refusals", ""}, id, t.Exchange.Sent.String(), t.Exchange})
		}
	}
	for _, t := range s.Requests() {
		if fault, ok := faultOf(&s.facts, t); ok {
			stable := Breach{"envelope-a.stable-code", fmt.Sprintf("every rejection of the same %s with %d to have the same code", t.Op.Noun, t.Status), "different codes", "code"}
			all = append(all, Identity{stable, fault, string(t.Code()), t.Exchange})
		}
	}
	return all
}

// An order must fit those before it, however many came between: a used name leads to the order that
// used it, and a new one to an id that no other order has.

// orderIDs are the operations whose orders have names, with the field of the id that each order gets, and the rule of that.
var orderIDs = map[string]struct{ field, rule string }{
	"cashOut":       {"transactionId", "cash-out.accepted"},
	"cashOutQRCode": {"transactionId", "qr-cash-out.accepted"},
	"cashIn":        {"transactionId", "cash-in.accepted"},
	"transfer":      {"id", "transfer.accepted"},
}

// orderID is the id that an order got.
func orderID(t *record.Attempt) string { return jsonvalue.Text(t.Answer, orderIDs[t.Op.ID].field) }

// eachOrder compares each response to an order with the accepted orders that the same account has sent before it.
func eachOrder(s *facts, compare func(t *record.Attempt, before []*record.Attempt) []Breach) (all []Met) {
	var before []*record.Attempt // accepted
	orders := s.orders()
	slices.SortFunc(orders, func(a, b *record.Attempt) int { return cmp.Compare(a.Index, b.Index) })
	for _, t := range orders {
		if orderIDs[t.Op.ID].field == "" || nameOf(t) == "" || s.isUnusual(t) {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(before), func(o *record.Attempt) bool { return o.Account != t.Account })
		all = append(all, metIn(t.Exchange, compare(t, own))...)
		if t.Accepted() && orderID(t) != "" {
			before = append(before, t)
		}
	}
	return all
}

// orderIDsAreUnique: orders with different names have different ids. Each operation may number its orders from 1.
func orderIDsAreUnique(s *facts) []Met {
	return eachOrder(s, func(t *record.Attempt, before []*record.Attempt) []Breach {
		id := orderID(t)
		for _, o := range before {
			mayBeOne := nameOf(o) == nameOf(t) || foldedKey(o) != "" && foldedKey(o) == foldedKey(t)
			if t.Accepted() && id != "" && orderID(o) == id && !mayBeOne && (o.Op == t.Op || uuid.Validate(id) == nil) {
				field := orderIDs[t.Op.ID].field
				return []Breach{{orderIDs[t.Op.ID].rule, fmt.Sprintf("a new %s of its own in each response", field), fmt.Sprintf("the %s of an earlier %s", field, o.Op.Noun), field}}
			}
		}
		return nil
	})
}

// keysAreIdempotent: a transfer that is sent again returns the one that used its key first.
func keysAreIdempotent(s *facts) []Met {
	return eachOrder(s, func(t *record.Attempt, before []*record.Attempt) []Breach {
		for _, o := range before {
			isAgain := o.Op.ID == "transfer" && o.Op == t.Op && nameOf(o) == nameOf(t) && string(o.Body) == string(t.Body)
			if id := orderID(t); isAgain && t.Accepted() && id != "" && id != orderID(o) && s.Passed.IsZero() {
				return breach("a used x-idempotency-key to return the transfer that used it first", "another id", "id")
			}
		}
		return nil
	})
}

// duplicatesNameTheFirst: a refused duplicate names the externalId and the payment that has used it. If several have,
// which of them it names is open ("externalId of another operation").
func duplicatesNameTheFirst(s *facts) []Met {
	return eachOrder(s, func(t *record.Attempt, before []*record.Attempt) (all []Breach) {
		if t.Op.ID != "cashOut" || t.Code() != api.DuplicateExternalID {
			return nil
		}
		if got := jsonvalue.Text(t.Answer, "details.externalId"); got != nameOf(t) {
			all = breach("details.externalId to be the externalId sent", cmp.Or(got, "none"), "details.externalId")
		}
		users := slices.DeleteFunc(before, func(o *record.Attempt) bool { return nameOf(o) != nameOf(t) })
		if len(users) != 1 || users[0].Op != t.Op {
			return all
		}
		const field = "details.existingTransactionId"
		if got := jsonvalue.Text(t.Answer, field); got != orderID(users[0]) {
			all = append(all, breach(field+" to be the transactionId of the cash-out that used the externalId", cmp.Or(map[bool]string{true: "another transactionId"}[got != ""], "none"), field)...)
		}
		return all
	})
}
