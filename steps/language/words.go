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

// matched is what a slot matched; empty if the sentence leaves it out.
func (w *words) matched(name string) string {
	i := slices.IndexFunc(w.form.slots, func(s slot) bool { return s.name == name })
	if i < 0 {
		panic(fmt.Sprintf("%s: there is no slot %s", w.form.template, name))
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

// whichAccount reads which account is opened, and whether it is a new one.
func whichAccount(w *words, o *Open) {
	account := w.matched("account")
	o.Fresh = strings.Contains(account, "new")
	if strings.HasPrefix(account, "another") {
		o.Account = TheOther
	}
}

// ofAmount makes a valid request one of an amount, if the sentence has one.
func ofAmount(w *words, s *Send) {
	if w.matched("amount") != "" {
		a, err := amountOf(w.matched("amount"))
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
	s.Changes = []Change{{Value: Value{Kind: wrongKinds[w.matched("wrong")]}}}
}

// wrongField makes one field of each request wrong.
func wrongField(w *words, s *Send) {
	wrong(w, s)
	s.Changes[0].Name = w.matched("field")
}

// wrongKinds are the values that a sentence sends one after the other.
var wrongKinds = map[string]ValueKind{"invalid": Invalid, "of another type": Mistyped, "wrong types": Mistyped, "unusual JSON": Unusual}

// should expects something of one field, such as a code that is written bare: HTTP_ERROR.
func should(w *words, h *Has) {
	spelled := w.matched("expected")
	e, err := expectedOf(spelled)
	if err != nil && spelled == strings.ToUpper(spelled) {
		e, err = exactlyText(spelled), nil
		e.Words = spelled
	}
	w.check(err)
	h.Rows = []Row{{w.matched("field"), e}}
}

// withStatus expects a status, if the sentence states one.
func withStatus(w *words, a *Arrives) {
	if status := w.matched("status"); status != "" {
		a.Rows = []Row{{"status", exactlyText(status)}}
	}
}

func exactlyText(text string) Expected {
	return Expected{Words: strconv.Quote(text), Alternatives: []Phrase{{Kind: Equals, JSON: text}}}
}

// movedBetween: the least is also the most, unless the sentence has both.
func movedBetween(w *words, m *Moved) {
	if w.matched("Most") == "" {
		m.Most = m.Least
	}
	fallOrRise(w, m)
}

func movedBy(w *words, m *Moved) {
	m.Most = m.Least
	fallOrRise(w, m)
}

func fallOrRise(w *words, m *Moved) {
	if strings.HasPrefix(w.matched("way"), "fall") {
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
