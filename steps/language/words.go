package language

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// words are what the slots of a form matched, and the table below the sentence. What cannot
// be read leaves an error, which whoever reads the sentence checks once.
type words struct {
	form    *form
	groups  []string
	table   [][]string
	spelled [][]string // fields that were read as changes, with their values
	err     error
}

func (w *words) check(err error) {
	if w.err == nil {
		w.err = err
	}
}

// at is what a slot matched; empty if the sentence leaves it out.
func (w *words) at(name string) string {
	i := slices.IndexFunc(w.form.slots, func(s slot) bool { return s.name == name })
	if i < 0 {
		return ""
	}
	return w.groups[i]
}

// --- requests ---

// change reads a field and its value.
func (w *words) change(spelled string) []Change {
	return w.changes([][]string{changeForm.FindStringSubmatch(spelled)[1:]})
}

var changeForm = exactly(`(` + inField + `) (.+)`)

func (w *words) changes(rows [][]string) (all []Change) {
	for _, row := range rows {
		c, err := changeOf(row[0], row[1])
		w.check(err)
		all = append(all, c)
	}
	w.spelled = append(w.spelled, rows...)
	return all
}

// ChangeAmount is the change that makes a valid request one of an amount.
func ChangeAmount(op *api.Operation, a money.Centavos) (Change, error) {
	if op.Amount == "" {
		return Change{}, fmt.Errorf("a %s has no amount", op.Noun)
	}
	spelled := a.Decimal()
	if op.Text {
		spelled = `"` + spelled + `"`
	}
	return changeOf(op.Amount, spelled)
}

// --- tables ---

// readTable reads the table into a field, if its type is one of those that tables are read into.
func (w *words) readTable(field any) {
	switch all := field.(type) {
	case *[]Change:
		*all = w.changes(w.pairs())
	case *[]Row:
		for _, row := range w.pairs() {
			e, err := expectedOf(row[1])
			w.check(err)
			*all = append(*all, Row{Field: row[0], Expected: e})
		}
	case *[]Reading: // what is observed of a target that follows each: "201", "400 or 422"
		for _, row := range w.pairs() {
			*all = append(*all, Reading{row[0], strings.Split(row[1], " or ")})
		}
	case *[]string:
		for _, row := range w.table {
			*all = append(*all, row[0])
		}
	}
}

// pairs are the rows of a table with two columns.
func (w *words) pairs() [][]string {
	for _, row := range w.table {
		if len(row) != 2 {
			w.check(fmt.Errorf("expected rows of a field and a value, got %q", row))
			return nil
		}
	}
	return w.table
}

// --- what more than one field or a table says ---

// opened reads which account it is, and whether it is a new one and has money.
func opened(w *words, o *Open) {
	account := w.at("account")
	o.Fresh, o.Funded = strings.Contains(account, "new"), w.at("Available") != ""
	if strings.HasPrefix(account, "another") {
		o.Account = TheOther
	}
}

// ofAmount makes a valid request one of an amount, if the sentence has one.
func ofAmount(w *words, s *Send) {
	if w.at("amount") != "" {
		a, err := amountOf(w.at("amount"))
		w.check(err)
		c, err := ChangeAmount(s.Operation, a)
		w.check(err)
		s.Changes = append([]Change{c}, s.Changes...)
	}
}

func ifSupported(w *words, s *Send) {
	if s.IfItCan && !s.Accepted {
		w.check(errors.New(`"if the gateway accepts it" requires "has sent"`))
	}
}

// wrong makes each request one of several wrong ones.
func wrong(w *words, s *Send) {
	s.Changes = []Change{{Name: w.at("field"), Value: Value{Kind: wrongKinds[w.at("wrong")]}}}
}

// wrongKinds are the values that a sentence sends one after the other.
var wrongKinds = map[string]ValueKind{"invalid": Invalid, "of another type": Mistyped, "wrong types": Mistyped, "unusual JSON": Unusual}

// should expects something of one field, such as a code that is written bare: HTTP_ERROR.
func should(w *words, h *Has) {
	spelled := w.at("expected")
	e, err := expectedOf(spelled)
	if err != nil && spelled == strings.ToUpper(spelled) {
		e, err = exactlyText(spelled), nil
		e.Words = spelled
	}
	w.check(err)
	h.Rows = []Row{{w.at("field"), e}}
}

// withStatus expects a status, if the sentence states one.
func withStatus(w *words, a *Arrives) {
	if status := w.at("status"); status != "" {
		a.Rows = []Row{{"status", exactlyText(status)}}
	}
}

func exactlyText(text string) Expected {
	return Expected{Words: strconv.Quote(text), Alternatives: []Phrase{{Kind: Equals, JSON: text}}}
}

// moved: the least is also the most, unless the sentence has both; what falls moves down.
func moved(w *words, m *Moved) {
	if w.at("Most") == "" {
		m.Most = m.Least
	}
	if strings.HasPrefix(w.at("way"), "fall") {
		m.Least, m.Most = -m.Most, -m.Least
	}
}

// faults are what the controls call what a sentence says of a party behind the gateway.
var faults = map[string]string{"returns an invalid response": "error", "is unreachable": "unavailable", "is reachable again": "none"}

// ten is the amount of a thing of which a sentence states none.
const ten = money.Centavos(10_00)

// amountOfCode is the amount of the QR code that a request pays; 0 for a code without one.
func amountOfCode(changes []Change) money.Centavos {
	for _, c := range changes {
		if c.Value.Kind == PayeesCode {
			return money.OrZero(c.Value.Code.Amount)
		}
	}
	return 0
}
