package language

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// words are what the groups of a pattern matched, and the table below the sentence. What cannot
// be read leaves an error, which whoever reads the sentence checks once.
//
// Many methods: one for each kind of argument, so that a row of the vocabulary fits on a line.
type words struct {
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

func (w *words) at(i int) string            { return w.groups[i] }
func (w *words) has(i int) bool             { return i < len(w.groups) && w.groups[i] != "" }
func (w *words) is(i int, word string) bool { return w.groups[i] == word }
func (w *words) tries(i int) bool           { return strings.HasPrefix(w.groups[i], "tries") }

func (w *words) account(i int) Account {
	if w.is(i, TheOther.String()) {
		return TheOther
	}
	return TheAccount
}

// operation is nil where the sentence names none.
func (w *words) operation(i int) *api.Operation { return api.Named(w.at(i)) }

func (w *words) modality(i int) Modality {
	if strings.HasPrefix(w.at(i), "should") {
		return Should
	}
	return Must
}

// number is 0 where there is none.
func (w *words) number(i int) int {
	switch w.at(i) {
	case "":
		return 0
	case "one":
		return 1
	}
	n, err := strconv.Atoi(w.at(i))
	if err != nil {
		w.check(fmt.Errorf("%s is too large a number", w.at(i)))
	}
	return n
}

// numbers are those that there are.
func (w *words) numbers(at ...int) []int {
	var all []int
	for _, i := range at {
		if w.has(i) {
			all = append(all, w.number(i))
		}
	}
	return all
}

// nth reads the group of "the payment", "the first payment", "the second payment", ....
func (w *words) nth(i int) Nth {
	if n := slices.Index(ordinals, w.at(i)); n >= 0 {
		return Nth(n)
	}
	n, err := strconv.Atoi(strings.TrimSuffix(w.at(i), "th"))
	if err == nil && Nth(n).String() != w.at(i) {
		err = fmt.Errorf("%s is not spelled %v", w.at(i), Nth(n))
	}
	w.check(err)
	return Nth(n)
}

// kind is what "charge" or "refund" names.
func (w *words) kind(i int) api.Made {
	if w.is(i, "refund") {
		return api.Refund
	}
	return api.Charge
}

func (w *words) month(i int) time.Month {
	month, err := time.Parse("January", w.at(i))
	w.check(err)
	return month.Month()
}

var units = map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}

// span reads a count and its unit.
func (w *words) span(i int) time.Duration {
	n, unit := w.number(i), units[w.at(i+1)]
	by := time.Duration(n) * unit
	if by/unit != time.Duration(n) {
		w.check(fmt.Errorf("%s %ss is too long", w.at(i), w.at(i+1)))
	}
	return by
}

// since is "3 days ago" or "3 days from now".
func (w *words) since(i int) time.Duration {
	if w.is(i+2, "ago") {
		return -w.span(i)
	}
	return w.span(i)
}

// --- money ---

func (w *words) amount(i int) money.Centavos {
	a, err := money.Parse(w.at(i))
	w.check(err)
	return a
}

func (w *words) amountIfAny(i int) *money.Centavos {
	if !w.has(i) {
		return nil
	}
	a := w.amount(i)
	return &a
}

// amountOr is another amount where the sentence has none.
func (w *words) amountOr(i int, other money.Centavos) money.Centavos {
	if !w.has(i) {
		return other
	}
	return w.amount(i)
}

// ten is the amount of a thing of which a sentence states none.
const ten = money.Centavos(10_00)

// separator parts what a sentence lists.
var separator = regexp.MustCompile(`, | and `)

// amounts reads "R$ 6.00 and R$ 4.00".
func (w *words) amounts(i int) []money.Centavos {
	var all []money.Centavos
	for _, each := range separator.Split(w.at(i), -1) {
		a, err := money.Parse(strings.TrimPrefix(each, "R$ "))
		w.check(err)
		all = append(all, a)
	}
	return all
}

// moved reads a part of the balance, rise or fall, and by how much: at least, and at most if
// that is said.
func (w *words) moved(i int) Moved {
	m := Moved{Blocked: w.is(i, "blocked"), Least: w.amount(i + 2)}
	m.Most = m.Least
	if w.has(i + 3) {
		m.Most = w.amount(i + 3)
	}
	if strings.HasPrefix(w.at(i+1), "fall") {
		m.Least, m.Most = -m.Most, -m.Least
	}
	return m
}

// --- requests ---

// change reads a field and its value.
func (w *words) change(i int) []Change { return w.changesTo([][]string{{w.at(i), w.at(i + 1)}}) }

func (w *words) changes() []Change { return w.changesTo(w.pairs()) }

func (w *words) changesTo(rows [][]string) (all []Change) {
	for _, row := range rows {
		c, err := changeOf(row[0], row[1])
		w.check(err)
		all = append(all, c)
	}
	w.spelled = append(w.spelled, rows...)
	return all
}

// ofAmount is the change that makes a valid request one of an amount, if the sentence has one.
func (w *words) ofAmount(op *api.Operation, i int) []Change {
	if !w.has(i) {
		return nil
	}
	c, err := ChangeAmount(op, w.amount(i))
	w.check(err)
	return []Change{c}
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

var authorizations = []Authorization{NoToken, GarbageToken, FirstToken, AnsweredToken, ItsToken, TokenWithoutScheme, TokenInBasic, TokenOtherSignature, TokenOtherStart, TokenOtherEnd, TokenOthersClaims, TokenCutShort, TokenLaterExpiry, TokenWithoutSignature}

func (w *words) authorization(i int) Authorization {
	a := Authorization(w.at(i))
	if !slices.Contains(authorizations, a) {
		w.check(fmt.Errorf("%q is not a way to send a token", w.at(i)))
	}
	return a
}

// --- tables ---

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

// column is the first cell of each row.
func (w *words) column() []string {
	var all []string
	for _, row := range w.table {
		all = append(all, row[0])
	}
	return all
}

// rows reads a table of fields and what is expected of them.
func (w *words) rows() []Row {
	var all []Row
	for _, row := range w.pairs() {
		e, err := expectedOf(row[1])
		w.check(err)
		all = append(all, Row{Field: row[0], Expected: e})
	}
	return all
}

// statusRow expects a status, if the sentence states one.
func (w *words) statusRow(i int) []Row {
	if !w.has(i) {
		return nil
	}
	status := w.at(i)
	return []Row{{"status", Expected{Words: strconv.Quote(status), Alternatives: []Phrase{{Kind: Equals, JSON: status}}}}}
}

// readings reads a table of readings of an open point and what is observed of a target that
// follows them: "201", "400 or 422".
func (w *words) readings() []Reading {
	var all []Reading
	for _, row := range w.pairs() {
		all = append(all, Reading{row[0], strings.Split(row[1], " or ")})
	}
	return all
}

// codeOrExpected also reads a code that is written bare: HTTP_ERROR.
func (w *words) codeOrExpected(i int) Expected {
	spelled := w.at(i)
	e, err := expectedOf(spelled)
	switch {
	case err == nil:
	case spelled == strings.ToUpper(spelled):
		return Expected{Words: spelled, Alternatives: []Phrase{{Kind: Equals, JSON: spelled}}}
	default:
		w.check(err)
	}
	return e
}

// lastURL is where an event has to arrive of which a sentence states a header.
func (w *words) lastURL(i int) Place {
	if w.has(i) {
		return LastURL
	}
	return FirstURL
}

// --- sentences that many rows share ---

func means(m Meaning) func(*words) Meaning { return func(*words) Meaning { return m } }

func open(w *words) Meaning {
	o := Open{Fresh: strings.Contains(w.at(0), "new"), Exactly: w.has(1), Funded: w.has(2), IfItCan: w.has(3)}
	if strings.HasPrefix(w.at(0), "another") {
		o.Account = TheOther
	}
	if o.Funded {
		o.Available = w.amount(2)
	}
	return o
}

// send reads the account, the verb and the operation; more reads the rest.
func send(more func(*words, *Send)) func(*words) Meaning {
	return func(w *words) Meaning {
		s := Send{Account: w.account(0), Accepted: w.is(1, "has sent"), Operation: w.operation(2)}
		more(w, &s)
		if s.IfItCan && !s.Accepted {
			w.check(errors.New(`"if the gateway accepts it" requires "has sent"`))
		}
		return s
	}
}

func answered(of Scope) func(*words) Meaning {
	return func(w *words) Meaning {
		o, err := outcomeOf(w.at(1))
		w.check(err)
		return Answered{Of: of, Modality: w.modality(0), Expected: o}
	}
}

func has(of Scope, m Modality) func(*words) Meaning {
	return func(w *words) Meaning { return Has{Of: of, Modality: m, Rows: w.rows()} }
}

func noted(what Notable) func(*words) Meaning {
	return func(w *words) Meaning { return Noted{What: what, Point: w.at(0)} }
}

// wrongKinds are the values that a sentence sends one after the other.
var wrongKinds = map[string]ValueKind{"invalid": Invalid, "of another type": Mistyped, "wrong types": Mistyped, "unusual JSON": Unusual}

// faults are what the controls call what a sentence says of a party behind the gateway.
var faults = map[string]string{"returns an invalid response": "error", "is unreachable": "unavailable", "is reachable again": "none"}

// amountOfCode is the amount of the QR code that a request pays; 0 for a code without one.
func amountOfCode(changes []Change) money.Centavos {
	for _, c := range changes {
		if c.Value.Kind == PayeesCode {
			return money.OrZero(c.Value.Code.Amount)
		}
	}
	return 0
}
