package judge

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// scenarios are those of the features, read once.
var scenarios = sync.OnceValue(func() [][]language.Step {
	all, err := catalogue.Load(features.FS)
	if err != nil {
		panic(err)
	}
	var scenarios [][]language.Step
	for _, f := range all.Features {
		for _, r := range f.Rules {
			for _, s := range r.Scenarios {
				steps, err := language.ReadAll(s)
				if err != nil {
					panic(err)
				}
				scenarios = append(scenarios, steps)
			}
		}
	}
	return scenarios
})

// Of a record that holds nothing, nothing can be said: no step fails, none is the suite's fault,
// and of what should then hold only what nothing can break passes.
func TestAnEmptyRecordShowsNothing(t *testing.T) {
	t.Parallel()
	for _, steps := range scenarios() {
		j := New("rule", steps, &record.Terms{})
		for i, step := range steps {
			r := j.Judge(i)
			assert.NotContains(t, []verdict.Verdict{verdict.Fail, verdict.SuiteError, verdict.Warning}, r.Verdict, step.Text)
			if step.Type == catalogue.Outcome && r.Verdict == verdict.Pass {
				assert.True(t, holdsOfNothing(step.Meaning), "%q holds although nothing is recorded: does judge.go have a case for %T?", step.Text, step.Meaning)
			}
		}
		assert.Empty(t, j.Breaches())
	}
}

func holdsOfNothing(m language.Meaning) bool {
	switch m := m.(type) {
	case language.NoEventCarries:
		return true
	case language.Arrives:
		return m.At == language.EachURL // a registration may have been refused
	}
	return false
}

// What targets, and records of others, may hold instead of what they should.
var (
	oddAnswers = []string{
		``, `null`, `7`, `"x"`, `[]`, `{}`, `<html>`, "\xff", `{"a":1}{"b":2}`, strings.Repeat("[", 100), `1e999999999`,
		`{"data":null,"code":7,"message":{"a":[]},"metadata":[]}`, `{"data":[null,7,[],{}],"code":[],"message":[null,[]],"metadata":{"totalPages":-1}}`,
		`{"data":[{"balanceAmount":{"available":"x","blocked":null}}],"transactionId":{},"externalId":[],"endToEndId":7,"rtrId":null,"status":[]}`,
		`{"data":[{"id":null,"transactionId":[],"externalId":{}}],"metadata":{"total":1e99,"page":1,"size":1e-9,"totalPages":1e99}}`,
		`{"webhooks":[null,7,{"url":[],"type":{},"headers":[{}]}],"access_token":{},"pixCode":7,"loc":[],"errorId":{}}`,
		`{"splits":[null,{"amount":null,"status":7}],"left":[],"status":{}}`, `{"splits":{},"status":"","left":"1e999999999"}`,
	}
	oddEvents = []string{
		``, `null`, `7`, `[]`, `{}`, `<html>`, "\xff", `tx-0000001`, `{"event":"","id":"tx-0000001"}`, `{"event":null,"id":"tx-0000001"}`,
		`{"event":{},"type":[],"data":7,"id":"tx-0000001"}`, `{"type":"CashOut","data":{},"id":"tx-0000001"}`, `{"type":{},"data":{"event":"CashOut","id":"tx-0000001"}}`,
		`{"event":"CashOut","status":{"a":[]},"endToEndId":[],"id":"tx-0000001"}`, `{"type":"TRANSFER","data":{"status":["LIQUIDATED"],"id":"tx-0000001"}}`,
		`{"event":"CashOut","event":"TRANSFER","id":"tx-0000001"}`,
	}
	oddEntries = []record.Entry{
		{}, {Account: 7}, {Account: -1}, {Step: -3, Fact: &record.Fact{Kind: "?"}}, {Obstacle: &record.Obstacle{}},
		{Fact: &record.Fact{Kind: record.Doubtful, Index: 99}}, {Fact: &record.Fact{Kind: record.Paid, Index: -2}},
		{Fact: &record.Fact{Kind: record.Registered, Index: 1 << 40}}, {Fact: &record.Fact{Kind: record.Opening}}, {Role: "?", Fact: &record.Fact{}},
	}
)

// oddStep is what a hostile target, or record, has to offer for a step.
func oddStep(i, n int, m language.Meaning) []record.Entry {
	answer, event := oddAnswers[n%len(oddAnswers)], oddEvents[n%len(oddEvents)]
	statuses := []int{200, 201, 400, 500, 0}
	noun := "cash-out"
	if s, ok := m.(language.Send); ok && s.Operation != nil {
		noun = s.Operation.Noun
	}
	if w, ok := m.(language.Walk); ok {
		noun = w.Operation.Noun
	}
	entries := list(nil,
		subscribed("cash_out", one), subscribed("cash_in", one), subscribed("med_created", one), silence(),
		before(i, "10.00", "0"), sent(i, noun, `{"externalId":"Order-00001"}`, statuses[n%2], answer), sent(i, noun, answer, statuses[n%5], answer),
		sent(i, []string{"cash-in", "cob", "refund", "transfer"}[n%4], answer, statuses[n%2], answer),
		came(one, event), came(one+"?"+answer, strings.Repeat(event, n%3)), oddEntries[n%len(oddEntries)],
	)
	for _, noun := range []string{balanceNoun, listNoun, "webhook list request", "MED list request"} {
		entries = append(entries, looked(noun, 200, answer))
	}
	for _, control := range []target.Control{target.Charges, target.Refunds, target.Splits, "?"} {
		entries = append(entries, called(control, answer))
	}
	entries = append(entries, atOnce(sent(i, noun, answer, 201, answer), sent(i, noun, answer, 409, answer))...)
	entries[len(entries)-1].Exchange.Operation += oddAnswers[n%2] // empty, or of no operation that there is
	for k := range entries {
		if entries[k].Step != -3 {
			entries[k].Step = i
		}
	}
	return entries
}

// Whatever a record holds, judging it does not panic, and comes to the same twice. What is wrong
// with a target is never the suite's fault.
func TestHostileRecords(t *testing.T) {
	t.Parallel()
	seen := map[*language.Sentence]int{}
	for k, steps := range scenarios() {
		rare := false
		for _, step := range steps {
			seen[step.Sentence]++
			rare = rare || seen[step.Sentence] <= len(oddAnswers)
		}
		if !rare {
			continue
		}
		terms := &record.Terms{Handshake: k%2 == 0, SharedURLs: k%3 == 0, FeesControl: k%5 == 0}
		first, again := New("contract.cash-out", steps, terms), New("contract.cash-out", steps, terms)
		var told [2][]string
		for n, j := range []*Scenario{first, again} {
			for i, step := range steps {
				for _, e := range oddStep(i, k+i, step.Meaning) {
					j.Add(e)
				}
				require.NotPanics(t, func() { told[n] = append(told[n], said(j.Judge(i))) }, "%s, %d", step.Text, k+i)
				assert.NotContains(t, told[n][i], "suite error", "%s, %d", step.Text, k+i)
			}
			require.NotPanics(t, func() { told[n] = append(told[n], fmt.Sprint(len(j.Breaches()))) })
		}
		assert.Equal(t, told[0], told[1])
	}
	require.Greater(t, len(seen), 100, "every sentence that the features speak is judged")
}
