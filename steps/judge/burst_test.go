package judge

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
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
	b, ok := lastBurst(&j.facts, len(j.Steps))
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

// Of a balance of R$ 100.00, two cash-outs of R$ 50.00 cannot both be accepted if each has a fee, whenever that is taken.
func TestConcurrentCashOutsCoverTheirFees(t *testing.T) {
	t.Parallel()
	waits := told(0, target.Settlement, http.MethodPut, "/settlement", 200, `{"mode":"manual"}`)
	fee := func(step, status int, amount string) record.Entry {
		return told(step, target.FeesControl, http.MethodPut, "/accounts/1/fees", status, fmt.Sprintf(`{"cashOut":%q,"cashIn":"0.00"}`, amount))
	}
	ofOther := fee(0, 200, "0.50")
	ofOther.Account = language.TheOther
	for name, c := range map[string]struct {
		fees     []record.Entry
		noun     string
		amount   string
		possible bool
	}{
		"no fee":                   {nil, "cash-out", "50.00", true},
		"a fee":                    {list(nil, fee(0, 200, "0.50")), "cash-out", "50.00", false},
		"which is covered":         {list(nil, fee(0, 200, "0.50")), "cash-out", "49.50", true},
		"with either reading":      {list(nil, fee(0, 200, "0.50")), "cash-out", "49.75", true},
		"it was lifted":            {list(nil, fee(0, 200, "0.50"), fee(0, 200, "0.00")), "cash-out", "50.00", true},
		"a fee that was refused":   {list(nil, fee(0, 409, "0.50")), "cash-out", "50.00", true},
		"it may have been lifted":  {list(nil, fee(0, 200, "0.50"), fee(0, 500, "0.00")), "cash-out", "50.00", true},
		"it is lifted meanwhile":   {list(nil, fee(0, 200, "0.50"), fee(1, 200, "0.00")), "cash-out", "50.00", true},
		"a fee of the other":       {list(nil, ofOther), "cash-out", "50.00", true},
		"of another kind of order": {list(nil, fee(0, 200, "0.50")), "QR cash-out", "50.00", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries := append(list(nil, waits), c.fees...)
			entries = append(entries, before(1, "100.00", "0"))
			entries = append(entries, atOnce(
				sent(1, c.noun, fmt.Sprintf(`{"value":%s,"externalId":"order-0001"}`, c.amount), 201, `{"transactionId":"transaction-1"}`),
				sent(1, c.noun, fmt.Sprintf(`{"value":%s,"externalId":"order-0002"}`, c.amount), 201, `{"transactionId":"transaction-2"}`))...)
			b := burstIn(t, "Given no limits", entries)
			assert.Equal(t, c.possible, inSomeOrder(b.first, b.history, nil))
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

// What was sent on another day, of São Paulo or of UTC, by the clock of the account, does not count to a limit
// of the day of R$ 15.00.
func TestDaysOfADailyLimit(t *testing.T) {
	t.Parallel()
	waits := told(0, target.Settlement, http.MethodPut, "/settlement", 200, `{"mode":"manual"}`)
	clock := func(status int, body string) []record.Entry {
		return list(nil, told(0, target.Clock, http.MethodPut, "/clock", status, body))
	}
	at := func(clock string) time.Time { // in UTC
		day, err := time.Parse("15:04:05", clock)
		require.NoError(t, err)
		return time.Date(2026, 3, 1, day.Hour(), day.Minute(), day.Second(), 0, time.UTC)
	}
	for name, c := range map[string]struct {
		clock       []record.Entry // before everything, at 10:00 UTC
		first, last string         // when the payment before it and the burst were sent
		took        time.Duration
		possible    bool
	}{
		"on a day":                            {first: "10:00:00", last: "10:01:00"},
		"in the evening of one in both":       {first: "22:30:00", last: "23:50:00"},
		"over midnight in São Paulo":          {first: "02:50:00", last: "03:10:00", possible: true},
		"shortly before it":                   {first: "02:50:00", last: "02:56:00", possible: true},
		"shortly after it":                    {first: "03:04:00", last: "03:10:00", possible: true},
		"over midnight in UTC":                {first: "00:01:00", last: "00:10:00", possible: true},
		"the burst lasts until midnight":      {first: "23:40:00", last: "23:50:00", took: 6 * time.Minute, possible: true},
		"midnight for others only":            {clock: clock(200, `{"now":"2026-05-04T15:00:00Z"}`), first: "02:50:00", last: "03:10:00"},
		"a clock that is set to the evening":  {clock: clock(200, `{"now":"2026-05-04T23:50:00Z"}`), first: "10:00:30", last: "10:10:00", possible: true},
		"a clock that is set before midnight": {clock: clock(200, `{"now":"2026-05-04T23:40:00Z"}`), first: "10:00:30", last: "10:10:00"},
		"a clock that was moved into the day": {clock: clock(200, `{"advance":"3600s"}`), first: "23:10:00", last: "23:20:00"},
		"and over its end":                    {clock: clock(200, `{"advance":"2400s"}`), first: "23:10:00", last: "23:25:00", possible: true},
		"a clock that nobody knows":           {clock: clock(500, `{"advance":"10s"}`), first: "10:00:00", last: "10:01:00", possible: true},
		"a clock that was not moved":          {clock: clock(409, `{"advance":"10s"}`), first: "10:00:00", last: "10:01:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := func(step, n int, sentAt string) record.Entry {
				e := sent(step, "cash-out", fmt.Sprintf(`{"value":10.00,"externalId":"order-000%d"}`, n), 201, fmt.Sprintf(`{"transactionId":"transaction-%d"}`, n))
				e.Exchange.Sent = at(sentAt)
				return e
			}
			entries := list(c.clock, waits, out(0, 1, c.first), before(2, "100.00", "0"))
			burst := out(2, 2, c.last)
			burst.Exchange.Took = c.took
			b := burstIn(t, "Given no limits\nWhen a daily limit of R$ 15.00", append(entries, atOnce(burst)...))
			assert.Equal(t, c.possible, inSomeOrder(b.first, b.history, nil))
		})
	}
}
