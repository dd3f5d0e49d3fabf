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

// orderIDs are the operations whose orders have names, with the field of the id that each order gets, and the rule of that.
var orderIDs = map[string]struct{ field, rule string }{
	"cashOut":       {"transactionId", "cash-out.accepted"},
	"cashOutQRCode": {"transactionId", "qr-cash-out.accepted"},
	"cashIn":        {"transactionId", "cash-in.accepted"},
	"transfer":      {"id", "transfer.accepted"},
}

// orderID is the id that an order got.
func orderID(t *record.Attempt) string { return jsonvalue.Text(t.Answer, orderIDs[t.Op.ID].field) }

// nameOf is the name that the client gave an order; empty if it has none.
func nameOf(t *record.Attempt) string {
	id, _ := t.ExternalID()
	return cmp.Or(id, sentKey(t))
}

// sentKey is the x-idempotency-key of a request as it was sent.
func sentKey(t *record.Attempt) string { return t.Header.Get("x-idempotency-key") }

// foldedKey is the x-idempotency-key of a request in lower case. Whether a UUID in another case is another key is open
// ("x-idempotency-key in another case"). So two keys are surely the same if their sentKey is, and surely different if
// their foldedKey is.
func foldedKey(t *record.Attempt) string { return strings.ToLower(sentKey(t)) }

// mayShareName reports whether a gateway may take two orders for one by their names.
func mayShareName(a, b *record.Attempt) bool {
	return nameOf(a) == nameOf(b) || foldedKey(a) != "" && foldedKey(a) == foldedKey(b)
}

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
			if t.Accepted() && id != "" && orderID(o) == id && !mayShareName(o, t) && (o.Op == t.Op || uuid.Validate(id) == nil) {
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
