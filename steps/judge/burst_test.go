package judge

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// told is a call that tells a control something.
func told(step int, of target.Control, method, path string, status int, body string) record.Entry {
	return record.Entry{Step: step, Exchange: &exchange.Exchange{
		Party: exchange.Control, Operation: string(of), Method: method, URL: "https://controls.example" + path, Status: status, Body: []byte(body),
	}}
}

// A refund of R$ 30.00 that waits for the bank counts to its charge of R$ 100.00 until the bank rejects it in
// the burst, and then not at all.
func TestRefundsAsTheBankRejectsOne(t *testing.T) {
	t.Parallel()
	const burst = 1
	of := func(step int, id, amount string, status int) record.Entry {
		e := sent(step, "refund", fmt.Sprintf(`{"valor":%q}`, amount), status, fmt.Sprintf(`{"rtrId":"rtr-%s"}`, id))
		e.Exchange.URL = "https://gw.example/gw/pix/E1/devolucao/" + id
		return e
	}
	waits := told(0, target.Refunds, http.MethodPut, "/refunds", 200, `{"mode":"manual"}`)
	for name, c := range map[string]struct {
		held     bool
		control  int // its status
		amounts  [2]string
		possible bool
	}{
		"it still counts, and both fit":      {true, 409, [2]string{"30.00", "40.00"}, true},
		"it still counts, and one is over":   {true, 409, [2]string{"30.00", "40.01"}, false},
		"it counts no more":                  {true, 200, [2]string{"60.00", "40.00"}, true},
		"it made room only once":             {true, 200, [2]string{"60.00", "70.00"}, false},
		"nor a centavo more":                 {true, 200, [2]string{"60.00", "40.01"}, false},
		"whether it was rejected is open":    {true, 500, [2]string{"60.00", "40.00"}, true},
		"but not that it makes room twice":   {true, 500, [2]string{"60.00", "70.00"}, false},
		"it did not wait":                    {false, 200, [2]string{"60.00", "40.00"}, true},
		"it did not wait, and makes no room": {false, 200, [2]string{"60.00", "70.00"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries := list(nil,
				sent(0, "cob", `{"valor":{"original":"100.00"}}`, 201, `{"location":"code"}`),
				fact(0, record.Fact{Kind: record.Paid, Index: 0, Text: "E1"}))
			if c.held {
				entries = append(entries, waits)
			}
			entries = append(entries, of(0, "devolucao01", "30.00", 201), before(burst, "100.00", "0"))
			first, second := of(burst, "devolucao02", c.amounts[0], 201), of(burst, "devolucao03", c.amounts[1], 201)
			entries = append(entries, told(burst, target.Refunds, http.MethodPost, "/refunds/rtr-devolucao01/result", c.control, `{"status":"NAO_REALIZADO"}`))
			entries = append(entries, atOnce(first, second)...)
			b := burstIn(t, "Given the account has received R$ 100.00 through a cob", entries)
			assert.Equal(t, c.possible, inSomeOrder(b.first, b.history, nil))
		})
	}
}

// burstIn is the burst after some steps.
func burstIn(t *testing.T, steps string, entries []record.Entry) burstOf {
	t.Helper()
	s := story{entries: entries, steps: steps + `
		When these happen at once:
		| the account sends a cash-out of R$ 1.00 |
		| the account sends a cash-out of R$ 1.00 |`}
	j, all := s.begin(t)
	j.Add(fact(0, record.Fact{Kind: record.Funded, Text: "1000.00"}))
	for _, e := range all {
		j.Add(e)
	}
	b, ok := j.lastBurst(len(j.Steps))
	require.True(t, ok)
	return b
}

// A payment that the bank rejects at once, since nobody has told it to wait, gives its money back in time for
// another.
func TestPaymentsThatTheBankRejectsAtOnce(t *testing.T) {
	t.Parallel()
	const answer = `{"transactionId":"transaction-%d"}`
	waits := told(0, target.Settlement, http.MethodPut, "/settlement", 200, `{"mode":"manual"}`)
	for name, c := range map[string]struct {
		given    []record.Entry
		after    []record.Entry
		left     string
		possible bool
	}{
		"the first has come back":  {left: "40.00", possible: true},
		"both have come back":      {left: "100.00", possible: true},
		"more than that":           {left: "100.01"},
		"the bank waits":           {given: list(nil, waits), left: "40.00"},
		"both are confirmed":       {after: list(nil, confirmation(1), confirmation(2)), left: "40.00"},
		"one of them is confirmed": {after: list(nil, confirmation(2)), left: "40.00", possible: true},
		"which does not come back": {after: list(nil, confirmation(2)), left: "100.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries := list(c.given, before(1, "100.00", "0"))
			entries = append(entries, atOnce(
				sent(1, "cash-out", `{"value":60.00,"externalId":"order-0001"}`, 201, fmt.Sprintf(answer, 1)),
				sent(1, "cash-out", `{"value":60.00,"externalId":"order-0002"}`, 201, fmt.Sprintf(answer, 2)))...)
			b := burstIn(t, "Given no limits", append(entries, c.after...))
			left := centavosOf(t, c.left)
			assert.Equal(t, c.possible, inSomeOrder(b.first, b.history, &left))
			if c.possible {
				assert.True(t, inSomeOrder(b.first, b.history, nil))
			}
		})
	}
}

// confirmation is the event that one of these payments has left.
func confirmation(n int) record.Entry {
	return came("u", fmt.Sprintf(`{"event":"CashOut","status":"CONFIRMED","externalId":"order-000%d"}`, n))
}

func centavosOf(t *testing.T, decimal string) money.Centavos {
	t.Helper()
	c, err := money.Parse(decimal)
	require.NoError(t, err)
	return c
}
