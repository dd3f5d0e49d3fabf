package judge

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
)

// A response to an order fits the orders before it.
func TestHistory(t *testing.T) {
	t.Parallel()
	const uuid = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906"
	order := func(noun, externalID, id string) record.Entry {
		return sent(0, noun, `{"value":10.00,"externalId":"`+externalID+`"}`, 201, `{"transactionId":"`+id+`"}`)
	}
	duplicate := func(externalID, named, existing string) record.Entry {
		return sent(0, "cash-out", `{"value":10.00,"externalId":"`+externalID+`"}`, 400,
			`{"code":"PIX_DUPLICATE_EXTERNAL_ID","details":{"externalId":"`+named+`","existingTransactionId":"`+existing+`"}}`)
	}
	transfer := func(key, amount, id string) record.Entry {
		return with("x-idempotency-key", key, sent(0, "transfer", `{"payment":{"amount":`+amount+`}}`, 200, `{"id":`+id+`}`))
	}
	a, b := order("cash-out", "a", "tx-a"), order("cash-out", "b", "tx-b")
	for name, c := range map[string]struct {
		entries []record.Entry
		want    string // rules and fields
	}{
		"a duplicate":                          {list(nil, a, b, duplicate("a", "a", "tx-a")), ""},
		"a duplicate of the last":              {list(nil, a, b, duplicate("a", "a", "tx-b")), "cash-out.duplicate-external-id details.existingTransactionId"},
		"of none":                              {list(nil, a, duplicate("a", "a", "")), "cash-out.duplicate-external-id details.existingTransactionId"},
		"that names another":                   {list(nil, a, b, duplicate("a", "b", "tx-a")), "cash-out.duplicate-external-id details.externalId"},
		"of what was not seen":                 {list(nil, b, duplicate("a", "a", "tx-c")), ""},
		"of another account":                   {list(nil, a, byOther(order("cash-out", "a", "tx-b")), byOther(duplicate("a", "a", "tx-a"))), "cash-out.duplicate-external-id details.existingTransactionId"},
		"of two operations":                    {list(nil, a, order("QR cash-out", "a", "tx-b"), duplicate("a", "a", "tx-b")), ""},
		"of another operation":                 {list(nil, order("QR cash-out", "a", "tx-b"), duplicate("a", "a", "tx-c")), ""},
		"a used id":                            {list(nil, a, order("cash-out", "b", "tx-a")), "cash-out.accepted transactionId"},
		"a used number of another operation":   {list(nil, order("cash-out", "a", "17"), order("QR cash-out", "b", "17")), ""},
		"a used UUID of another operation":     {list(nil, order("cash-out", "a", uuid), order("QR cash-out", "b", uuid)), "qr-cash-out.accepted transactionId"},
		"a used number of another account":     {list(nil, transfer("a", "1.00", "17"), byOther(transfer("b", "1.00", "17"))), ""},
		"a used key":                           {list(nil, transfer("a", "1.00", "17"), transfer("b", "1.00", "18"), transfer("a", "1.00", "17")), ""},
		"a used key, and a new id":             {list(nil, transfer("a", "1.00", "17"), transfer("b", "1.00", "18"), transfer("a", "1.00", "19")), "transfer.idempotent id"},
		"a used key of another transfer":       {list(nil, transfer("a", "1.00", "17"), transfer("a", "2.00", "19")), ""},
		"a used key, after a time":             {list(nil, transfer("a", "1.00", "17"), fact(0, record.Fact{Kind: record.TimePassed}), transfer("a", "1.00", "19")), ""},
		"a new key, and a used id":             {list(nil, transfer("a", "1.00", "17"), transfer("b", "1.00", "17")), "transfer.accepted id"},
		"a key in another case, and its id":    {list(nil, transfer("a", "1.00", "17"), transfer("A", "1.00", "17")), ""},
		"a key in another case, and a new id":  {list(nil, transfer("a", "1.00", "17"), transfer("A", "1.00", "18")), ""},
		"a key in another case, and a used id": {list(nil, transfer("a", "1.00", "17"), transfer("b", "1.00", "18"), transfer("A", "1.00", "18")), "transfer.accepted id"},
		"a refused one, whose id says nothing": {list(nil, a, sent(0, "cash-out", `{"externalId":"b"}`, 400, `{"transactionId":"tx-a"}`)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, entries := story{steps: "When the account sends a cash-out", entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			var got []string
			for _, met := range j.contradictions() {
				got = append(got, met.Rule+" "+met.Field)
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}

// What is dated by the time of a request is dated by the clock of its account.
func TestAhead(t *testing.T) {
	t.Parallel()
	moved := func(body string) record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Operation: "clock", Method: http.MethodPut, Status: 200, Body: []byte(body)}}
	}
	order := func() record.Entry { return sent(0, "cash-out", `{"value":10.00}`, 201, `{}`) }
	j, entries := story{steps: "When the account sends a cash-out", entries: list(nil,
		order(), moved(`{"now":"2026-03-02T10:00:01Z"}`), order(), moved(`{"advance":"3600s"}`), order(), byOther(order()), moved(`{"advance":"60s"}`),
	)}.begin(t)
	for _, e := range entries {
		j.Add(e)
	}
	var got []time.Duration
	for _, o := range j.Attempts {
		got = append(got, j.ahead(o))
	}
	assert.Equal(t, []time.Duration{0, 24 * time.Hour, 25 * time.Hour, 0}, got)
}

// Money that was given back may be listed under the externalId of its payment, which is still listed
// once.
func TestReturnsAreNotThePayment(t *testing.T) {
	t.Parallel()
	const paid, back = `{"transactionId":"tx-0000001","externalId":"order-0001","operationType":"Pix out"}`, `{"transactionId":"tx-0000002","externalId":"order-0001","operationType":"Refund out"}`
	for items, want := range map[string]string{
		paid:              "pass",
		paid + "," + back: "pass",
		paid + "," + paid: "fail: expected the payment to be listed exactly once, got 2 times [1]",
		back:              "fail: expected the payment to be listed exactly once, got 0 times [1]",
	} {
		s := story{steps: "When the account sends a cash-out\nThen the payment is listed once", entries: list(nil,
			sent(0, "cash-out", `{"value":10.00,"externalId":"order-0001"}`, 201, `{"transactionId":"tx-0000001"}`),
			looked("transaction list request", 200, `{"data":[`+items+`]}`))}
		assert.Contains(t, said(s.judged(t)), want, items)
	}
}

// How exactly a clock was moved is not judged, but the day is.
func TestIsNear(t *testing.T) {
	t.Parallel()
	for at, want := range map[string][2]bool{ // as is, and by a clock that was moved
		"2026-03-01T10:29:00Z": {true, true},
		"2026-03-01T13:00:00Z": {false, true},
		"2026-02-28T10:00:00Z": {false, false},
		"2026-03-01T10:00:00":  {false, false},
	} {
		assert.Equal(t, want, [2]bool{isNear(at, began, false), isNear(at, began, true)}, at)
	}
}
