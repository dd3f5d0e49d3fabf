package judge

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// One wrong read of a balance is a fault though the next one is right, unless a lagging replica may
// have shown it: of an account that had R$ 100.00, and then R$ 40.00 and R$ 60.00 less.
func TestMisreadBalances(t *testing.T) {
	t.Parallel()
	funded := fact(0, record.Fact{Kind: record.Funded, Text: "100.00"})
	read := func(available string, pause time.Duration) record.Entry {
		e := as(record.Look, sent(0, "balance request", "", 200, balance(available, "0")))
		if pause > 0 {
			e.Exchange.Sent = began.Add(pause)
		}
		return e
	}
	at := func(pause time.Duration, e record.Entry) record.Entry {
		e.Exchange.Sent = began.Add(pause)
		return e
	}
	now := func(available string) record.Entry { return read(available, 0) }
	order := func(amount string) record.Entry { return sent(0, "cash-out", `{"value":`+amount+`}`, 201, `{}`) }
	paid := func() record.Entry {
		return sent(0, "cash-out", `{"value":40.00,"externalId":"order-0001"}`, 201, `{"transactionId":"tx-1"}`)
	}
	confirmed := came("u", `{"event":"CashOut","status":"CONFIRMED","externalId":"order-0001"}`)
	fees := func(t *record.Terms) { t.FeesControl, t.Fees = false, target.Fees{CashOut: "0.50", CashIn: "0.00"} }
	opened := fact(0, record.Fact{Kind: record.Opened})
	for name, c := range map[string]struct {
		terms   func(*record.Terms)
		entries []record.Entry
		want    string // expected and got; empty for nothing
	}{
		"each order shows":               {nil, list(nil, funded, order("40.00"), now("60.00"), order("60.00"), now("0.00")), ""},
		"not all show yet":               {nil, list(nil, funded, order("40.00"), order("60.00"), now("100.00"), now("40.00"), now("60.00"), now("0.00")), ""},
		"what it never had":              {nil, list(nil, funded, order("40.00"), order("60.00"), now("20.00"), now("0.00")), "available to be R$ 0.00 or R$ 40.00 or R$ 60.00 or R$ 100.00 in every response, got R$ 20.00 in one of several"},
		"after a right one":              {nil, list(nil, funded, order("40.00"), now("60.00"), now("60.01")), "available to be R$ 0.00 or R$ 60.00 or R$ 100.00 in every response, got R$ 60.01 in one of several"},
		"before the order that it shows": {nil, list(nil, funded, now("60.00"), now("100.00"), order("40.00")), "available to be R$ 0.00 or R$ 100.00 in every response, got R$ 60.00 in one of several"},
		"all are wrong since":            {nil, list(nil, funded, now("100.00"), order("40.00"), now("20.00"), now("20.00")), ""},
		"all are wrong":                  {nil, list(nil, funded, order("40.00"), now("20.00"), now("20.00")), ""},
		"a fee, at order or later":       {fees, list(nil, funded, order("40.00"), now("59.50"), now("60.00"), now("99.50")), ""},
		"what it had before":             {nil, list(nil, fact(0, record.Fact{Kind: record.Funded, Text: "7.00"}), funded, now("7.00"), now("100.00")), ""},
		"what nobody gave it":            {nil, list(nil, funded, now("7.00"), now("100.00")), "available to be R$ 0.00 or R$ 100.00 in every response, got R$ 7.00 in one of several"},
		"nothing, as a new account":      {nil, list(nil, opened, funded, now("0.00"), now("100.00")), ""},
		"nothing, on one that stays":     {nil, list(nil, openedFixed(), funded, now("0.00"), now("100.00")), "available to be R$ 100.00 in every response, got R$ 0.00 in one of several"},
		"long confirmed":                 {nil, list(nil, funded, paid(), confirmed, now("60.00"), read("100.00", time.Hour)), "available to be R$ 60.00 in every response, got R$ 100.00 in one of several"},
		"under a new token":              {nil, list(nil, funded, paid(), confirmed, now("60.00"), at(time.Hour-time.Second, sent(0, "token request", "{}", 201, `{}`)), read("100.00", time.Hour)), "available to be R$ 60.00 in every response, got R$ 100.00 in one of several"},
		"just confirmed":                 {nil, list(nil, funded, paid(), confirmed, now("60.00"), now("100.00")), ""},
		"perhaps given back":             {nil, list(nil, funded, paid(), now("60.00"), read("100.00", time.Hour)), ""},
		"the other account pays":         {nil, list(nil, funded, byOther(order("40.00")), now("140.00"), now("100.00")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			j, entries := story{steps: "When the account sends a cash-out", terms: c.terms, entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			got := ""
			for _, met := range j.moneyOf(0).impossibleBalances() {
				got = met.Expected + ", got " + met.Got
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// More blocked than the operations of a new account take is a fault, whenever it is read.
func TestOverblockedBalances(t *testing.T) {
	t.Parallel()
	opened, funded := fact(0, record.Fact{Kind: record.Opened}), fact(0, record.Fact{Kind: record.Funded, Text: "100.00"})
	read := func(blocked string) record.Entry {
		return as(record.Look, sent(0, "balance request", "", 200, balance("100.00", blocked)))
	}
	order := func(status int) record.Entry { return sent(0, "cash-out", `{"value":40.00}`, status, `{}`) }
	fees := func(t *record.Terms) { t.FeesControl, t.Fees = false, target.Fees{CashOut: "0.50", CashIn: "0.20"} }
	received := func(more string) []record.Entry {
		return list(nil, opened, funded, sent(0, "cash-in", `{"transaction":{"value":40}`+more+`}`, 201, `{}`), fact(0, record.Fact{Kind: record.Paid, Index: 0, Text: "E1"}))
	}
	for name, c := range map[string]struct {
		terms   func(*record.Terms)
		entries []record.Entry
		want    string // what is blocked
	}{
		"nothing":                  {nil, list(nil, opened, funded, read("0.00"), order(201), read("0.00")), ""},
		"an order":                 {nil, list(nil, opened, funded, order(201), read("40.00"), read("0.00")), ""},
		"another than the order":   {nil, list(nil, opened, funded, order(201), read("40.01"), read("0.00")), "R$ 40.01"},
		"before the order":         {nil, list(nil, opened, funded, read("40.00"), order(201)), "R$ 40.00"},
		"with its fee":             {fees, list(nil, opened, funded, order(201), read("40.50")), ""},
		"an order that is refused": {nil, list(nil, opened, funded, order(422), read("40.00")), ""},
		"a negative order":         {nil, list(nil, opened, funded, sent(0, "cash-out", `{"value":-0.01}`, 400, `{}`), read("0.00")), ""},
		"what is received":         {nil, append(received(""), read("0.01")), "R$ 0.01"},
		"a fee of it":              {fees, append(received(""), read("0.20")), ""},
		"more than its fee":        {fees, append(received(""), read("0.21")), "R$ 0.21"},
		"what others get of it":    {nil, append(received(`,"splits":[{"value":4}]`), read("4.00")), ""},
		"an account that stays":    {nil, list(nil, openedFixed(), funded, read("40.00")), ""},
		"the other account pays":   {nil, list(nil, opened, funded, byOther(order(201)), read("40.00")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			j, entries := story{steps: "When the account sends a cash-out", terms: c.terms, entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			got := ""
			for _, met := range j.moneyOf(0).excessBlocked() {
				got = met.Got
			}
			assert.Equal(t, c.want, got)
		})
	}
}
