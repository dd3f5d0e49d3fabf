package replay

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

const (
	uuidA = "7c1e5f0a-5b6e-4a39-9c55-0a8a6c1b7e11"
	uuidB = "dee321ea-9b20-4697-8c09-208cfb39b47f"
	uuidC = "607ec190-13f8-4eb0-86a9-ed1392605001"
)

// answered is an exchange of an operation with that answer.
func answered(operation string, status int, body string) exchange.Exchange {
	return exchange.Exchange{Party: exchange.API, Operation: operation, Method: "POST", URL: "http://gw/x", Status: status, ResponseBody: []byte(body)}
}

// matter and more are the differences of two answers that matter, and the others.
func compareBodies(target, reference string) (matter, others []string) {
	a, b := answered("cash-out", 201, target), answered("cash-out", 201, reference)
	for _, d := range newComparison(nil, nil).responses(a, b, false) {
		said := d.Where + ": " + d.Target + " | " + d.Reference
		if d.Matters {
			matter = append(matter, said)
		} else {
			others = append(others, said)
		}
	}
	return matter, others
}

func TestAnswersDifferInMeaning(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target, reference string
		matter            string // differences that matter, joined by a semicolon
		others            string
	}{
		"the same":                      {`{"a":1}`, `{"a":1}`, "", ""},
		"another order":                 {`{"a":1,"b":[true]}`, "{ \"b\" : [ true ],\n\"a\" : 1 }", "", ""},
		"numbers in other spellings":    {`{"a":10.00,"b":1e1}`, `{"a":10,"b":10.0}`, "", ""},
		"another number":                {`{"a":10.01}`, `{"a":10.00}`, "a: 10.01 | 10.00", ""},
		"a huge number":                 {`{"a":1e999999999}`, `{"a":1}`, "a: 1e999999999 | 1", ""},
		"a UUID for a UUID":             {`{"transactionId":"` + uuidA + `"}`, `{"transactionId":"` + uuidB + `"}`, "", ""},
		"no UUID":                       {`{"transactionId":"4711"}`, `{"transactionId":"` + uuidB + `"}`, `transactionId: "4711" | "` + uuidB + `"`, ""},
		"a number for a UUID":           {`{"transactionId":4711}`, `{"transactionId":"` + uuidB + `"}`, `transactionId: a number 4711 | a string "` + uuidB + `"`, ""},
		"an id of its own making":       {`{"errorId":"err_DICG"}`, `{"errorId":"err_55HW"}`, "", ""},
		"a numbered thing":              {`{"id":5}`, `{"id":17}`, "", ""},
		"end-to-end ids":                {`{"e":"E00360305202603011430abcdefghijk"}`, `{"e":"E60701190202603011430ABCDEFGHIJK"}`, "", ""},
		"another time":                  {`{"t":"2026-03-01T10:00:00Z"}`, `{"t":"2026-03-01T11:00:01.123+00:00"}`, "", ""},
		"a time with an offset":         {`{"t":"2026-03-01T10:00:00-03:00"}`, `{"t":"2026-03-01T11:00:01Z"}`, `t: "2026-03-01T10:00:00-03:00" | "2026-03-01T11:00:01Z"`, ""},
		"a date for a time":             {`{"t":"2026-03-01"}`, `{"t":"2026-03-01T11:00:01Z"}`, `t: "2026-03-01" | "2026-03-01T11:00:01Z"`, ""},
		"a word":                        {`{"status":"CONFIRMED"}`, `{"status":"PENDING"}`, `status: "CONFIRMED" | "PENDING"`, ""},
		"a boolean":                     {`{"a":true}`, `{"a":false}`, "a: true | false", ""},
		"other words":                   {`{"message":"Saldo insuficiente"}`, `{"message":"too little"}`, "", `message: "Saldo insuficiente" | "too little"`},
		"other words for the user":      {`{"userMessage":"Saldo"}`, `{"userMessage":"money"}`, "", `userMessage: "Saldo" | "money"`},
		"a list of words for words":     {`{"message":["x"]}`, `{"message":"x"}`, `message: an array ["x"] | a string "x"`, ""},
		"fewer words":                   {`{"message":["x"]}`, `{"message":["x","y"]}`, "", "message: 1 item | 2 items"},
		"a member is missing":           {`{}`, `{"a":1}`, "a: absent | 1", ""},
		"one that says nothing":         {`{}`, `{"a":null}`, "", "a: absent | null"},
		"null for a value":              {`{"a":null}`, `{"a":1}`, "a: null null | a number 1", ""},
		"a member more":                 {`{"a":1}`, `{}`, "", "a: 1 | absent"},
		"deep inside":                   {`{"a":[{"b":{"c":1}}]}`, `{"a":[{"b":{"c":2}}]}`, "a[0].b.c: 1 | 2", ""},
		"a shorter list":                {`{"a":[1]}`, `{"a":[1,2]}`, "a: 1 item | 2 items", ""},
		"a longer list":                 {`{"a":[1,2,3]}`, `{"a":[1,2]}`, "a: 3 items | 2 items", ""},
		"an empty list":                 {`[]`, `[1]`, "body: 0 items | 1 item", ""},
		"a page for JSON":               {"<html><body>Login</body></html>", `{"a":1}`, "body: an HTML page | an object", ""},
		"nothing for JSON":              {"", `{"a":1}`, "body: no body | an object", ""},
		"JSON and more":                 {`{"a":1} x`, `{"a":1}`, `body: not JSON: "{\"a\":1} x" | an object`, ""},
		"nothing for nothing":           {"", "", "", ""},
		"text for text":                 {"one", "two", "", `body: not JSON: "one" | not JSON: "two"`},
		"secrets":                       {`{"access_token":"***"}`, `{"access_token":"***"}`, "", ""},
		"PIX codes":                     {`{"pixCode":"000201a"}`, `{"pixCode":"000201bb"}`, "", ""},
		"the length of a document":      {`{"document":"52998224725"}`, `{"document":"11222333000181"}`, `document: "52998224725" | "11222333000181"`, ""},
		"one id where there are two":    {`{"aId":"` + uuidA + `","bId":"` + uuidA + `"}`, `{"aId":"` + uuidB + `","bId":"` + uuidC + `"}`, `bId: a different UUID than before, "` + uuidA + `" | the same as before, "` + uuidC + `"`, ""},
		"a status that is no text":      {`{"status":{"a":1}}`, `{"status":{"a":1}}`, "", ""},
		"what a terminal would act on":  {`{"a":"\u001b[2J"}`, `{"a":"b"}`, `a: "\u001b[2J" | "b"`, ""},
		"a member whose name does that": {"{\"a\\u001b\":1}", `{}`, "", `a\x1b: 1 | absent`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			matter, others := compareBodies(c.target, c.reference)
			assert.Equal(t, c.matter, strings.Join(matter, "; "))
			assert.Equal(t, c.others, strings.Join(others, "; "))
		})
	}
}

func TestAnswersOfOtherKinds(t *testing.T) {
	t.Parallel()
	c := newComparison(nil, nil)
	refused := answered("cash-out", 400, `{"code":"PIX_INSUFFICIENT_BALANCE","message":"x"}`)
	taken := answered("cash-out", 201, `{"transactionId":"`+uuidA+`"}`)
	assert.Equal(t, []Difference{
		{"status", "201", "400", true}, {"code", "absent", `"PIX_INSUFFICIENT_BALANCE"`, true}, {"members", "transactionId", "code, message", false},
	}, c.responses(taken, refused, false))

	silent := exchange.Exchange{Err: "no answer within 10 s"}
	assert.Equal(t, []Difference{{"status", "no response: no answer within 10 s", "201", true}}, c.responses(silent, taken, false))
	assert.Empty(t, c.responses(silent, silent, false))

	control := func(status int) exchange.Exchange { return exchange.Exchange{Party: exchange.Control, Status: status} }
	assert.Equal(t, []Difference{{"status", "200", "204", false}}, c.responses(control(200), control(204), false), "any 2xx will do")
	assert.Equal(t, []Difference{{"status", "404", "204", true}}, c.responses(control(404), control(204), false))
}

// What the suite sent in the same place means the same; what a gateway repeats of it must be
// that, and nothing else.
func TestIdsOfTheRunsStandForEachOther(t *testing.T) {
	t.Parallel()
	sent := func(order string, answer string) exchange.Exchange {
		e := answered("cash-out", 201, answer)
		e.URL, e.Body = "http://gw/"+order, []byte(`{"externalId":"`+order+`","document":"52998224725"}`)
		return e
	}
	for name, c := range map[string]struct {
		target, reference string
		matters           bool
	}{
		"repeated":               {`{"externalId":"Order-aaaa-7"}`, `{"externalId":"Order-bbbb-3"}`, false},
		"within another text":    {`{"path":"/x/Order-aaaa-7/y"}`, `{"path":"/x/Order-bbbb-3/y"}`, false},
		"as the reference had":   {`{"externalId":"Order-bbbb-3"}`, `{"externalId":"Order-bbbb-3"}`, false}, // of another run, by chance
		"another":                {`{"externalId":"Order-cccc-1"}`, `{"externalId":"Order-bbbb-3"}`, true},
		"repeated as sent":       {`{"document":"52998224725"}`, `{"document":"52998224725"}`, false},
		"another document":       {`{"document":"11144477735"}`, `{"document":"52998224725"}`, true},
		"documents of others":    {`{"document":"11144477735"}`, `{"document":"39053344705"}`, false},
		"words that were sent":   {`{"description":"Order-cccc-1"}`, `{"description":"Order-bbbb-3"}`, true},
		"words that were others": {`{"description":"x"}`, `{"description":"y"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := Pair{Target: shown(sent("Order-aaaa-7", c.target)), Reference: shown(sent("Order-bbbb-3", c.reference))}
			p.Differences = newComparison(nil, nil).differences(p, true)
			assert.Equal(t, c.matters, p.Matters(), "%+v", p.Differences)
		})
	}
}

// An account with a history has balances and lists of its own.
func TestAmountsOfAnAccountsOwnAreNotCompared(t *testing.T) {
	t.Parallel()
	made := exchange.Exchange{Party: exchange.Control, Operation: "accounts", Method: "POST", Status: 201}
	a, b := answered("balance request", 200, `{"available":17.00}`), answered("balance request", 200, `{"available":10.00}`)
	both := []exchange.Exchange{made}
	assert.Len(t, newComparison(both, both).responses(a, b, false), 1)
	assert.Empty(t, newComparison(nil, both).responses(a, b, false))
}

// A payment that was settled a moment later on one side is no difference, unless the finding
// speaks of that answer.
func TestWhatIsReadAMomentLater(t *testing.T) {
	t.Parallel()
	read := func(status string) exchange.Exchange {
		e := answered("transaction list request", 200, `{"data":[{"status":"`+status+`"}]}`)
		e.Method = "GET"
		return e
	}
	c := newComparison(nil, nil)
	assert.False(t, Pair{Differences: c.responses(read("Pendente"), read("Confirmado"), false)}.Matters())
	assert.True(t, Pair{Differences: c.responses(read("Pendente"), read("Confirmado"), true)}.Matters())
	assert.True(t, Pair{Differences: c.responses(read("Error"), read("Confirmado"), false)}.Matters())
}

func TestListsArePairedByIds(t *testing.T) {
	t.Parallel()
	c := newComparison(nil, nil)
	c.known.learn(uuidA, uuidB)
	list := func(items ...string) exchange.Exchange {
		return answered("x", 200, "["+strings.Join(items, ",")+"]")
	}
	item := func(id, value string) string { return `{"transactionId":"` + id + `","value":` + value + `}` }
	assert.Empty(t, c.responses(list(item(uuidC, "1"), item(uuidA, "2")), list(item(uuidB, "2"), item("f0f0f0f0-5b6e-4a39-9c55-0a8a6c1b7e11", "1")), false))
	got := c.responses(list(item(uuidA, "2"), item(uuidC, "9")), list(item(uuidB, "3")), false)
	assert.Equal(t, []Difference{{"body", "2 items", "1 item", true}, {"[0].value", "2", "3", true}}, got)
}

func TestExchangesAreAligned(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	// A word is an exchange: a letter for the operation; g reads, w is a webhook; a digit for
	// the status; ! for one that is sent before the one before it is answered.
	sequence := func(words string) []exchange.Exchange {
		var all []exchange.Exchange
		for _, word := range strings.Fields(words) {
			e := answered(word[:1], 200, "")
			if strings.Contains(word, "4") {
				e.Status = 400
			}
			at = at.Add(time.Second)
			e.Sent, e.Took = at, time.Millisecond
			if strings.HasSuffix(word, "!") {
				e.Took = time.Minute
			}
			switch word[0] {
			case 'g':
				e.Method = "GET"
			case 'w':
				e.Party, e.Operation = exchange.Webhook, "event "+word[1:]
			}
			all = append(all, e)
		}
		return all
	}
	spelled := func(pairs []Pair) string {
		var words []string
		side := func(e *Exchange) string {
			if e == nil {
				return "-"
			}
			word := strings.TrimPrefix(e.Operation, "event ")
			if e.Status == 400 {
				word += "4"
			}
			if e.Times > 1 {
				word += "*"
			}
			return word
		}
		for _, p := range pairs {
			words = append(words, side(p.Target)+"="+side(p.Reference))
		}
		return strings.Join(words, " ")
	}
	for _, c := range []struct{ target, reference, want string }{
		{"", "", ""},
		{"a b", "a b", "a=a b=b"},
		{"a", "a b", "a=a -=b"},
		{"a b", "b", "a=- b=b"},
		{"a c b", "a b", "a=a c=- b=b"},
		{"a c b", "a d b", "a=a c=- -=d b=b"},
		{"a g g g b", "a g b", "a=a g*=g b=b"},
		{"g", "a", "g=- -=a"},
		{"w1 a", "a w1", "a=a 1=1"},
		{"w1", "w2", "1=2"},
		{"w1", "w1 w2", "1=1 -=2"},
		{"a4! a! a4", "a! a4! a4", "a=a a4=a4 a4=a4"},
		{"a4 a", "a a4", "a4=a a=a4"},
	} {
		assert.Equal(t, c.want, spelled(align(sequence(c.target), sequence(c.reference))), "%s against %s", c.target, c.reference)
	}
}

func TestTheFirstDifferenceThatMattersIsMarked(t *testing.T) {
	t.Parallel()
	steps := func(last verdict.Verdict) []verdict.Step {
		return []verdict.Step{{Keyword: "When", Text: "it pays", Verdict: verdict.Pass}, {Keyword: "Then", Text: "it has paid", Verdict: last}, {Keyword: "And", Text: "more"}}
	}
	of := func(step int, e exchange.Exchange) exchange.Exchange { e.Step = step; return e }
	target := verdict.Scenario{Rule: "pay.once", Name: "Once", Verdict: verdict.Fail, Steps: steps(verdict.Fail), Finding: &verdict.Finding{Expected: "x", Got: "y", Exchange: 1},
		Exchanges: []exchange.Exchange{of(0, answered("token", 201, `{"message":"a"}`)), of(0, answered("pay", 200, `{"a":1}`)), of(1, answered("pay", 200, `{"a":1}`))}}
	for i := range target.Exchanges {
		target.Exchanges[i].Sent = time.Unix(int64(i), 0)
	}
	reference := verdict.Scenario{Rule: "pay.once", Name: "Once", Verdict: verdict.Pass, Steps: steps(verdict.Pass),
		Exchanges: []exchange.Exchange{of(0, answered("token", 201, `{"message":"b"}`)), of(0, answered("pay", 201, `{"a":1}`)), of(1, answered("pay", 201, `{"a":1}`)), of(2, answered("read", 200, `{}`))}}

	r := Of(target, reference)
	require.Len(t, r.Steps, 3)
	assert.False(t, r.Steps[0].Pairs[0].First, "other words do not matter")
	assert.True(t, r.Steps[0].Pairs[1].First)
	assert.True(t, r.Steps[0].Pairs[1].Subject)
	assert.False(t, r.Steps[1].Pairs[0].First, "only the first")
	assert.False(t, r.Steps[2].Pairs[0].Matters(), "the target did not get this far")

	text := r.Text()
	assert.Contains(t, text, "pay.once/once")
	assert.Contains(t, text, "◀ first difference that matters")
	assert.Contains(t, text, "the target did not get this far")
	assert.Contains(t, text, "The target still fails.")

	reference.Verdict = verdict.Fail
	assert.NotContains(t, Of(target, reference).Text(), "◀", "where the reference fails too, nothing is explained by a difference")
}
