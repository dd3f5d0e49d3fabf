package api

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/reference/pix"
)

// form is an object of a request's body while it is read. It collects what is wrong
// with its fields: what the wire contract found, then what only code can tell (fault),
// one violation for a field.
//
// A field that is absent, null or of the wrong type reads as its zero value, and so
// does one in which the contract found a fault.
type form struct {
	fields map[string]any
	path   string // of the object in the body, "" for the body itself
	faults *faults
}

// faults is what is wrong with the fields of a body: the first maxFaults.
type faults struct {
	list  []contract.Violation
	known map[string]bool // the fields of the list
}

func newFaults(found []contract.Violation) *faults {
	f := &faults{known: make(map[string]bool)}
	for _, v := range found {
		f.add(v)
	}
	return f
}

func (f *faults) add(v contract.Violation) {
	if len(f.list) < maxFaults {
		f.list, f.known[v.Field] = append(f.list, v), true
	}
}

// open reads the body of a request and holds it against the operation of the contract.
// What is wrong with the fields is not an error yet: see refusal.
func (a *api) open(w http.ResponseWriter, r *http.Request, operationID string) (form, error) {
	body, err := readJSON(w, r, bodyBounds[operationID])
	if err != nil {
		return form{}, err
	}
	fields, _ := body.(map[string]any)
	return form{fields: fields, faults: newFaults(a.operations[operationID].CheckRequest(body))}, nil
}

// refusal is a 400 with one message for each violation, nil when there is none.
func (f form) refusal() error {
	if len(f.faults.list) == 0 {
		return nil
	}
	return invalid(f.faults.list)
}

// fault adds a violation of a field, unless the field has one: "<field> <must be ...>".
func (f form) fault(field, rule, must string) {
	if path := join(f.path, field); !f.faults.known[path] {
		f.faults.add(contract.Violation{Field: path, Rule: rule, Message: path + " " + must})
	}
}

// right says whether no fault was found in a field so far.
func (f form) right(field string) bool { return !f.faults.known[join(f.path, field)] }

// given says whether a field is there and not null.
func (f form) given(field string) bool { return f.fields[field] != nil }

func (f form) flag(field string) bool {
	b, _ := f.fields[field].(bool)
	return b
}

// whole is a whole number, or otherwise where the field is not given.
func (f form) whole(field string, otherwise int64) int64 {
	literal, ok := f.fields[field].(json.Number)
	if !ok || !f.right(field) {
		return otherwise
	}
	number, ok := new(big.Rat).SetString(literal.String()) // 3e1 and 30.0 are 30
	if !ok || !number.IsInt() || !number.Num().IsInt64() {
		f.fault(field, ruleRange, fmt.Sprintf("must be a whole number within reason, got %s", literal))
		return otherwise
	}
	return number.Num().Int64()
}

// amount is a number in BRL.
func (f form) amount(field string) pix.Centavos {
	literal, ok := f.fields[field].(json.Number)
	if !ok || !f.right(field) {
		return 0
	}
	return f.payable(field, literal.String())
}

// payable is an amount that can be paid; anything else is a fault.
func (f form) payable(field, literal string) pix.Centavos {
	amount, err := pix.ParseAmount(literal)
	if err != nil || !amount.Payable() {
		f.fault(field, ruleRange, pix.PayableBounds)
	}
	return amount
}

// notEmpty makes an empty string a fault.
func (f form) notEmpty(field string) {
	if f.fields[field] == "" {
		f.fault(field, "minLength", "must not be empty")
	}
}

// texts are the strings of a field that is an array of them.
func (f form) texts(field string) []string {
	list, _ := f.fields[field].([]any)
	texts := make([]string, len(list))
	for i, item := range list {
		texts[i], _ = item.(string)
	}
	return texts
}

// in is the object of a field.
func (f form) in(field string) form {
	fields, _ := f.fields[field].(map[string]any)
	return form{fields, join(f.path, field), f.faults}
}

// items are the objects of a field that is an array of them.
func (f form) items(field string) []form {
	list, _ := f.fields[field].([]any)
	items := make([]form, len(list))
	for i, item := range list {
		fields, _ := item.(map[string]any)
		items[i] = form{fields, fmt.Sprintf("%s[%d]", join(f.path, field), i), f.faults}
	}
	return items
}

// ruleRange is the rule of a number that is beyond what there can be.
const ruleRange = "range"
