package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A finding names the field that it is about, so that a reader is shown that one first.
func TestFindingsNameTheirField(t *testing.T) {
	t.Parallel()
	const send = "When the account sends a cash-out of R$ 4.00\n"
	paid := func(answer string) story {
		return story{entries: list(nil, sent(0, "cash-out", `{"value":4.00}`, 201, answer))}
	}
	for name, c := range map[string]struct {
		steps string
		story
		field string
	}{
		"a field of the answer":  {send + "Then the response has:\n| details.status | \"PENDING\" |", paid(`{"details":{"status":"CONFIRMED"}}`), "details.status"},
		"a breach of the schema": {send + "Then the responses match the contract", paid(`{"transactionId":7}`), "transactionId"},
		"a part of the balance": {send + "Then the blocked balance rises by R$ 4.00", story{entries: list(nil,
			before(0, "10.00", "0"), sent(0, "cash-out", `{"value":4.00}`, 201, ok), looked("balance request", 200, balance("6.00", "0")))}, "blocked"},
		"a field of an item": {"When the account sends a transaction list request\nThen each item has:\n| status | \"Pendente\" |", story{entries: list(nil,
			sent(0, "transaction list request", "", 200, `{"data":[{"status":"Pendente"},{"status":"Error"}]}`))}, "data[1].status"},
		"the whole answer": {send + "Then the request is rejected with 400", paid(`{}`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := c.story
			s.steps, s.rule = c.steps, "contract.cash-out"
			r := s.judged(t)
			require.NotNil(t, r.Finding, said(r))
			assert.Equal(t, c.field, r.Finding.Field, said(r))
		})
	}
}
