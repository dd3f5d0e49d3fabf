package judge

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// Whose key a list by key is about is left open: a payment is looked for there only once such a list has
// contained one.
func TestAtRestLooksByKey(t *testing.T) {
	t.Parallel()
	const pays = "When the account sends a cash-out"
	paid := sent(0, "cash-out", `{"value":1.00,"externalId":"order-4711-0815","details":{"key":"a@b.example","keyType":"EMAIL"}}`, 201, `{"transactionId":"transaction-4711"}`)
	for steps, byKey := range map[string]bool{
		pays: false,
		"Given the gateway returns sent payments for a transaction list request\n" + pays: false,
		"Given the gateway returns sent payments for a list-by-key request\n" + pays:      true,
	} {
		j, entries := story{steps: steps, entries: list(nil, fact(0, record.Fact{Kind: record.Opened}), paid,
			came("https://sink.example/1", `{"event":"CashOut","transactionId":"transaction-4711","externalId":"order-4711-0815","status":"CONFIRMED"}`))}.begin(t)
		for _, e := range entries {
			j.Add(e)
		}
		var ops []string
		for _, l := range j.AtRestLooks(0) {
			ops = append(ops, l.Op.ID)
		}
		assert.Contains(t, ops, "listTransactions")
		assert.Equal(t, byKey, strings.Contains(strings.Join(ops, " "), "ByKey"), steps)
	}
}

// A list at rest shows each case in its state, unless that is left open.
func TestCasesAtRest(t *testing.T) {
	t.Parallel()
	rest := fact(0, record.Fact{Kind: record.AtRest})
	shown := func(items string) record.Entry {
		return looked("MED list request", 200, `{"data":[`+items+`],"metadata":{}}`)
	}
	moved := movedCase(0, "7", "CANCELLED", "")
	clock := record.Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Operation: string(target.Clock), Method: http.MethodPut, URL: "https://gw.example/controls/clock", Status: 200}}
	for name, c := range map[string]struct {
		steps   string
		entries []record.Entry
		want    string // the rule
	}{
		"as it is":               {"", list(nil, rest, shown(`{"id":7,"status":"RECEIVED"}`)), ""},
		"missing":                {"", list(nil, rest, shown(``)), "med.case"},
		"missing before":         {"", list(nil, shown(``), rest), ""},
		"missing after a time":   {"", list(nil, clock, rest, shown(``)), ""},
		"in an earlier state":    {"", append(moved, rest, shown(`{"id":7,"status":"OPEN"}`)), "med.analysis"},
		"that was tried to move": {"When the bank tries to move the case to OPEN", append(moved, rest, shown(`{"id":7,"status":"OPEN"}`)), ""},
		"that was refunded":      {"", list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{}`), rest, shown(`{"id":7,"status":"ANALYZED"}`)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			steps := "When the account sends a MED list request"
			if c.steps != "" {
				steps = c.steps
			}
			j, entries := story{steps: steps, entries: append(openedCase(0, "7", ""), c.entries...)}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			got := ""
			for _, look := range j.Looks {
				for _, b := range listsAllAtRest(&j.facts, look) {
					got = b.Rule
				}
			}
			assert.Equal(t, c.want, got)
		})
	}
}
