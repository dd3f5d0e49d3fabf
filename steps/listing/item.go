package listing

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/money"
)

// Item is a payment or a MED case, as far as a scenario knows it for sure.
type Item struct {
	Name    string              // "payment 2 (cash-out of R$ 10.00)"
	Own     bool                // of the account whose list is read
	ID      string              // in the list
	Values  map[string][]string // by filter, those that it may have; none if that is unknown
	Amount  money.Centavos      // 0 if unknown
	Created time.Time           // as listed, to the second; zero until then
}

// Value is the value of a filter that matches the item for sure.
func (k *Item) Value(filter string) (string, bool) {
	if may := k.Values[filter]; len(may) == 1 {
		return may[0], true
	}
	return "", false
}

// learn takes from a listed item what the scenario does not know itself. A final state stays.
func (k *Item) learn(listed any) {
	if created, err := time.Parse(time.RFC3339, jsonvalue.Text(listed, "createdAt")); err == nil {
		k.Created = created
	}
	status := jsonvalue.Text(listed, "status")
	for _, final := range api.PaymentStates.Later {
		if _, known := k.Value("status"); !known && status == string(final.Label()) {
			k.Values["status"] = api.Spelled(final)
		}
	}
	id := jsonvalue.Text(listed, "endToEndId")
	if state, _ := k.Value("status"); state == string(api.Confirmed) && len(id) == api.EndToEndIDLength && len(k.Values["endToEndId"]) == 0 {
		k.Values["endToEndId"] = []string{id}
	}
}

// unknownItem is an item that the scenario did not make itself, such as money that came back; nil if what it shows
// does not identify it.
func unknownItem(op *api.Operation, q Query, listed any) *Item {
	id, operation := IDOf(op, listed), TypeOf(listed)
	if id == "" || operation == "" {
		return nil
	}
	amount, _ := money.At(listed, "originalAmount")
	k := &Item{
		Name: fmt.Sprintf("item listed before (%s of %v)", operation.Label(), amount), Own: true, ID: id, Amount: amount,
		Values: map[string][]string{"type": api.Spelled(operation)},
	}
	if key := q.PixKey(); key != "" {
		k.Values["pixKey"] = []string{key}
	}
	k.learn(listed)
	delete(k.Values, "endToEndId") // whether money that came back is listed by it is open ("refund in the list of transactions")
	return k
}

// IDOf is the id of a listed item, as its operation names it.
func IDOf(op *api.Operation, listed any) string {
	if op.ID == "listMeds" {
		return jsonvalue.Text(listed, "id")
	}
	return jsonvalue.Text(listed, "transactionId")
}

// TypeOf is the type of a listed transaction; empty if its label does not exist.
func TypeOf(listed any) api.TransactionType {
	of, _ := api.Labelled(api.Label(jsonvalue.Text(listed, "operationType")))
	return of.Type
}

// StateOf is the state of a listed transaction; empty if its label does not exist.
func StateOf(listed any) api.State {
	return api.StateLabelled(api.Label(jsonvalue.Text(listed, "status")))
}

// IsReturned reports whether a listed item is money that was returned, which may be listed under the
// externalId of its payment.
func IsReturned(listed any) bool {
	return strings.HasPrefix(jsonvalue.Text(listed, "operationType"), "Refund")
}

// inWords describes an item that the scenario does not know: "Pix out of R$ 10.00 (01a21f3a-…)".
func inWords(listed any) string {
	amount, _ := money.At(listed, "originalAmount")
	id := cmp.Or(jsonvalue.Text(listed, "transactionId"), jsonvalue.Text(listed, "id"), "no id")
	return fmt.Sprintf("%s of %v (%s)", cmp.Or(jsonvalue.Text(listed, "operationType"), "something"), amount, id)
}
