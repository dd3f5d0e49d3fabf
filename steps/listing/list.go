// Package listing knows which list queries to send, and whether the pages that they return are right. It gets what
// a scenario knows about its items, and pages; it returns queries and breaches. Whether a lagging replica or
// something that happened meanwhile excuses a breach is for package judge to decide.
package listing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// List is a list of an account, as far as a scenario knows it. Check learns from what it reads.
type List struct {
	Op      *api.Operation
	Items   []*Item // that are known; those of other accounts must not be listed
	More    bool    // it may contain items that are not known
	Related bool    // it may list them by the ids of known ones, as a refund by that of its payment
	Shared  bool    // others change it at any time
	Learned bool    // the lookups were read: what they did not show of an item stays unknown
}

// MostPages is the maximum number of pages of a list to read.
const MostPages = 50

// Breach is what is wrong with a page.
type Breach struct {
	Page                 *record.Attempt
	Rule                 string // that it breaks; empty where that depends on who asks
	Field, Expected, Got string
	About                verdict.About // zero if the field says it
	Excuse               Excuse
}

// Excuse is what a gateway that is right may show the same for.
type Excuse int

// A replica that lags lacks items, and shows earlier states. Where items are not counted and read at once, they may
// be added or leave in between.
const (
	NoExcuse Excuse = iota
	Lag
	Change // between the count and the page, or lag
)

// HasRead reports whether these are all pages of a query that are to be read.
func (l *List) HasRead(q Query, pages []*record.Attempt) bool {
	n := len(pages)
	if n == 0 {
		return false
	}
	last := pages[n-1]
	items, _ := last.Items()
	total := TotalPages(pages[0])
	return !last.Accepted() || len(items) == 0 || overfull(last) != nil || n == MostPages || n > total || n == total && !q.Beyond || !l.More && n > len(l.Items)+1
}

// Unsure reports whether the scenario knows too little to say which items match a query.
func (l *List) Unsure(q Query) bool {
	return slices.ContainsFunc(l.Items, func(k *Item) bool { return q.Fit(k) == Uncertain })
}

// known returns what is known of a listed item; nil if nothing is.
func (l *List) known(listed any) *Item {
	id := IDOf(l.Op, listed)
	if i := slices.IndexFunc(l.Items, func(k *Item) bool { return k.ID == id }); i >= 0 && id != "" {
		return l.Items[i]
	}
	return nil
}

// matching names the items that match a query.
func (l *List) matching(q Query) string {
	var names []string
	for _, k := range l.Items {
		switch q.Fit(k) {
		case Inside:
			names = append(names, k.Name)
		case Uncertain:
			names = append(names, "possibly "+k.Name)
		}
	}
	return strings.Join(names, " and ")
}

// asksForKnown reports whether a query is for an id that the scenario knows. Others may be in use on an
// account with a history.
func (l *List) asksForKnown(q Query) bool {
	return slices.ContainsFunc(l.Items, func(k *Item) bool {
		return slices.ContainsFunc([]string{"externalId", "endToEndId"}, func(filter string) bool {
			value, ok := k.Value(filter)
			return ok && value == q.Filters[filter]
		})
	})
}

// adoptUnknown takes up an item that the scenario did not make: every later list that it matches has to contain
// it, too.
func (l *List) adoptUnknown(q Query, listed any) {
	if !l.Learned || l.Shared {
		return
	}
	if k := unknownItem(l.Op, q, listed); k != nil {
		l.Items = append(l.Items, k)
	}
}

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
