package world

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/language"
)

// All data keeps to the limits that the specification states, in characters and in bytes.
func TestTheDataOfValidRequestsIsValid(t *testing.T) {
	t.Parallel()
	for _, p := range append(append([]party{another}, payees...), payers...) {
		weights := map[int][]int{11: cpfWeights, 14: cnpjWeights}[len(p.document)]
		assert.NotEmpty(t, weights, p.document)
		assert.Equal(t, p.document, withCheckDigits(p.document[:len(p.document)-2], weights))
		assert.LessOrEqual(t, len(p.name), 100, p.name)
		assert.Equal(t, strings.TrimSpace(p.name), p.name)
		assert.True(t, utf8.ValidString(p.name), p.name)
		assert.NotEqual(t, another.document == p.document, p != another)
	}
	for _, p := range payers {
		assert.Len(t, p.document, 11, "a cob names its debtor by a CPF")
	}
	assert.Len(t, longest("ab ", 140), 140)
	for _, d := range descriptions {
		assert.LessOrEqual(t, len(d), 140, d)
	}
	assert.Len(t, payees[len(payees)-1].name, 100)
	assert.Len(t, descriptions[len(descriptions)-1], 140)
}

// A seed gives each scenario its own data, which is the same whenever the scenario runs.
func TestCast(t *testing.T) {
	t.Parallel()
	plain := testData{payee, payer, "Pedido de teste", "Order", language.EmailKey, false}
	assert.Equal(t, plain, drawData(0, "a.rule/a scenario", nil))
	seen := map[string]bool{}
	for i := range 500 {
		name := fmt.Sprint("a.rule/", i)
		c := drawData(7, name, nil)
		assert.Equal(t, c, drawData(7, name, nil))
		for _, datum := range []string{c.payee.name, c.payer.name, c.description, c.mark, string(c.keyKind), fmt.Sprint(c.required)} {
			seen[datum] = true
		}
	}
	assert.Len(t, seen, len(payees)+len(payers)+len(descriptions)+len(marks)+len(keyKinds)+2)
}

// Some scenarios leave out what only informs somebody, unless they say what they send.
func TestScenariosWithoutTexts(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.stage.Seed = 7
	sends := func(when string) (with, without int) {
		for i := range 20 {
			s := th.script("Given an account with R$ 500.00 available\n" + when)
			s.Name = fmt.Sprint(i)
			w, _ := th.play(s)
			if _, has := w.Judge.It().SentField("description"); has {
				with++
			} else {
				without++
			}
		}
		return with, without
	}
	with, without := sends("When the account sends a cash-out")
	assert.Positive(t, with)
	assert.Positive(t, without)
	with, without = sends("When the account sends a cash-out with description \"x\"")
	assert.Equal(t, 20, with, "and %d without", without)
}

// Scenarios about keys say themselves which.
func TestScenariosAboutKeys(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.stage.Seed = 7
	for _, when := range []string{
		"When the account sends a cash-out with details.key that key",
		"When the account sends a cash-out with details.document absent",
		"Given the account has sent 2 cash-outs of R$ 1.00 to one key",
		"When the account sends a list-by-key request",
		"When the account pages through a list-by-key request, 10 items per page",
		"Given the gateway returns sent payments for a list-by-key request",
	} {
		for i := range 20 {
			s := th.script("Given an account with R$ 500.00 available\n" + when)
			s.Name = fmt.Sprint(i)
			assert.Equal(t, language.EmailKey, New(th.stage, s).data.keyKind, when)
		}
	}
	kinds := map[string]string{}
	for i := range 100 {
		s := th.script("Given an account with R$ 500.00 available\nAnd the account has sent a cash-out")
		s.Name = fmt.Sprint(i)
		details := destination(New(th.stage, s))
		kinds[fmt.Sprintf("%s", details["keyType"])] = fmt.Sprintf("%s", details["key"])
		if kind, _ := details["keyType"].(json.RawMessage); string(kind) == `"DOCUMENT"` {
			assert.Equal(t, details["key"], details["document"], "who holds a document is who it names")
		}
	}
	assert.Len(t, kinds, 3, "%v", kinds)
}

// An event is known by the ids in it, and so none of them begins another.
func TestNoFreshTextBeginsAnother(t *testing.T) {
	t.Parallel()
	stage := &Stage{}
	first := stage.Fresh("order")
	for range 100 {
		assert.NotContains(t, stage.Fresh("order"), first)
	}
}
