package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
)

// An order must fit those before it, however many came between: a used name leads to the order that
// used it, and a new one to an id that no other order has.

// named are the operations whose orders have names: the rules of their ids and of their names.
var named = map[string]struct{ id, made, again string }{
	"cashOut":       {"transactionId", "cash-out.accepted", "cash-out.duplicate-external-id"},
	"cashOutQRCode": {"transactionId", "qr-cash-out.accepted", "qr-cash-out.duplicate-external-id"},
	"cashIn":        {"transactionId", "cash-in.accepted", ""},
	"transfer":      {"id", "transfer.accepted", "transfer.idempotent"},
}

// nameOf is the name that the client gave an order; empty if it has none.
func nameOf(t *record.Attempt) string {
	id, _ := t.ExternalID()
	return cmp.Or(id, sentKey(t))
}

// sentKey is the x-idempotency-key of a request as it was sent.
func sentKey(t *record.Attempt) string { return t.Header.Get("x-idempotency-key") }

// foldedKey is the x-idempotency-key of a request in lower case. Whether a UUID in another case is another key is left
// open. So two keys are surely the same if their sentKey is, and surely different if their foldedKey is.
func foldedKey(t *record.Attempt) string { return strings.ToLower(sentKey(t)) }

// mayShareName reports whether a gateway may take two orders for one by their names.
func mayShareName(a, b *record.Attempt) bool {
	return nameOf(a) == nameOf(b) || foldedKey(a) != "" && foldedKey(a) == foldedKey(b)
}

// historyContradictions hold each response to an order against the orders that the same account has
// sent before it.
func (s audit) historyContradictions() []Met {
	var all []Met
	var before []*record.Attempt // accepted
	orders := s.orders()
	slices.SortFunc(orders, func(a, b *record.Attempt) int { return cmp.Compare(a.Index, b.Index) })
	for _, t := range orders {
		if named[t.Op.ID].id == "" || nameOf(t) == "" || s.isUnusual(t) {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(before), func(o *record.Attempt) bool { return o.Account != t.Account })
		all = append(all, metIn(t.Exchange, s.breaksHistory(t, own))...)
		if t.Accepted() && jsonvalue.Text(t.Answer, named[t.Op.ID].id) != "" {
			before = append(before, t)
		}
	}
	return all
}

func (s audit) breaksHistory(t *record.Attempt, before []*record.Attempt) []Breach {
	switch {
	case t.Op.ID == "cashOut" && t.Code() == api.DuplicateExternalID:
		return wrongDuplicate(t, before)
	case !t.Accepted():
		return nil
	}
	rules := named[t.Op.ID]
	id := jsonvalue.Text(t.Answer, rules.id)
	for _, o := range before {
		same := jsonvalue.Text(o.Answer, named[o.Op.ID].id) == id
		switch {
		case id == "":
		case o.Op.ID == "transfer" && t.Op.ID == "transfer" && nameOf(o) == nameOf(t):
			if !same && string(o.Body) == string(t.Body) && s.Passed.IsZero() {
				return []Breach{{rules.again, "a used x-idempotency-key to return the transfer that used it first", "another id", rules.id}}
			}
		case !same || mayShareName(o, t):
		case o.Op.ID == t.Op.ID || uuid.Validate(id) == nil: // each operation may number its orders from 1
			return []Breach{{rules.made, fmt.Sprintf("a new %s of its own in each response", rules.id), fmt.Sprintf("the %s of an earlier %s", rules.id, o.Op.Noun), rules.id}}
		}
	}
	return nil
}

// wrongDuplicate: a refused duplicate names the externalId and the payment that has used it.
func wrongDuplicate(t *record.Attempt, before []*record.Attempt) (all []Breach) {
	rule := named[t.Op.ID].again
	if got := jsonvalue.Text(t.Answer, "details.externalId"); got != nameOf(t) {
		all = append(all, Breach{rule, "details.externalId to be the externalId sent", cmp.Or(got, "none"), "details.externalId"})
	}
	users := slices.DeleteFunc(before, func(o *record.Attempt) bool { return nameOf(o) != nameOf(t) })
	if len(users) != 1 || !users[0].Is(api.Payment) || users[0].Op != t.Op { // else which of them it names is left open
		return all
	}
	if got := jsonvalue.Text(t.Answer, "details.existingTransactionId"); got != jsonvalue.Text(users[0].Answer, "transactionId") {
		all = append(all, Breach{rule, "details.existingTransactionId to be the transactionId of the cash-out that used the externalId", cmp.Or(map[bool]string{true: "another transactionId"}[got != ""], "none"), "details.existingTransactionId"})
	}
	return all
}
