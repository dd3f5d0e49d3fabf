package judge

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// What the final balance is held against, of an account that had R$ 100.00.
func TestTheMoneyOfAScenario(t *testing.T) {
	t.Parallel()
	const cashOut, confirmed = `{"value":10.00,"externalId":"order-0001"}`, `{"event":"CashOut","status":"CONFIRMED","externalId":"order-0001"}`
	const transferred = `{"payment":{"amount":10.00}}`
	control := func(of target.Control, method string, status int, body string) record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Operation: string(of), Method: method, Status: status, Body: []byte(body)}}
	}
	paid := sent(0, "cash-out", cashOut, 201, `{"transactionId":"transaction-1"}`)
	transfer := func() record.Entry {
		return with("x-idempotency-key", "key-1", sent(0, "transfer", transferred, 201, `{"id":17}`))
	}
	charge := sent(0, "cash-in", `{"transaction":{"value":10.00}}`, 201, `{"pixCode":"code"}`)
	refund := func() record.Entry { return sent(0, "refund", `{"valor":"10.00"}`, 201, `{}`) }
	refundOf := func(endToEndID string) record.Entry {
		e := refund()
		e.Exchange.URL = "https://gw.example/gw/pix/" + endToEndID + "/devolucao/devolucao01"
		return e
	}
	settled := func(outcome string) record.Entry {
		return control(target.Settlement, http.MethodPost, 200, `{"transactionId":"transaction-1","outcome":"`+outcome+`"}`)
	}
	pay := func(status int, more string) record.Entry {
		return control(target.Payments, http.MethodPost, status, `{"pixCode":"code"`+more+`}`)
	}
	held := control(target.Settlement, http.MethodPut, 200, `{"mode":"manual"}`)
	fee := control(target.FeesControl, http.MethodPut, 200, `{"cashOut":"0.50","cashIn":"0.20"}`)
	returned := control(target.Returns, http.MethodPost, 200, `{"endToEndId":"E1","amount":"4.00"}`)
	isReturned := fact(0, record.Fact{Kind: record.Returned, Index: 0, Text: "E1"})
	fees := func(out, in string) func(*record.Terms) {
		return func(t *record.Terms) { t.FeesControl, t.Fees = false, target.Fees{CashOut: out, CashIn: in} }
	}
	for name, c := range map[string]struct {
		steps   string // "When the account sends a cash-out" if empty
		terms   func(*record.Terms)
		entries []record.Entry
		between string // the balances that are explained, "90.00 to 100.00"; empty if nobody can say
	}{
		"pending, or failed": {entries: list(nil, paid), between: "90.00 to 100.00"},
		"of an account that shows what a list by key returns": {
			steps:   "Given the gateway returns sent payments for a list-by-key request\nWhen the account sends a cash-out",
			entries: list(nil, as(record.Aside, during(0, sent(0, "cash-out", cashOut, 201, `{"transactionId":"transaction-2"}`))), during(1, sent(1, "cash-out", cashOut, 201, `{"transactionId":"transaction-1"}`))), between: "90.00 to 100.00",
		},
		"an event confirms it":                 {entries: list(nil, paid, came("u", confirmed)), between: "90.00 to 90.00"},
		"another event":                        {entries: list(nil, paid, came("u", `{"event":"CashOutReversal","status":"CONFIRMED","externalId":"order-0001"}`)), between: "90.00 to 100.00"},
		"events that contradict":               {entries: list(nil, paid, came("u", confirmed), came("u", strings.Replace(confirmed, "CONFIRMED", "ERROR", 1))), between: "90.00 to 100.00"},
		"the bank confirms the payment":        {entries: list(nil, paid, settled("CONFIRMED")), between: "90.00 to 90.00"},
		"the bank rejects it":                  {entries: list(nil, paid, settled("ERROR"), settled("CONFIRMED")), between: "90.00 to 100.00"},
		"held by the bank":                     {entries: list(nil, held, paid), between: "90.00 to 90.00"},
		"held too late":                        {entries: list(nil, paid, held), between: "90.00 to 100.00"},
		"held no more":                         {entries: list(nil, held, paid, control(target.Settlement, http.MethodPut, 200, `{"mode":"automatic"}`)), between: "90.00 to 100.00"},
		"held, and time passes":                {entries: list(nil, held, paid, control(target.Clock, http.MethodPut, 200, `{}`)), between: "90.00 to 100.00"},
		"held for a second":                    {entries: list(nil, held, sent(0, "transfer", `{"payment":{"amount":10.00},"expiration":1}`, 201, `{}`)), between: "90.00 to 100.00"},
		"played by a sandbox":                  {entries: list(nil, with("X-Sandbox-Scenario", "success", sent(0, "cash-out", cashOut, 201, `{}`)), came("u", confirmed)), between: "90.00 to 100.00"},
		"with a fee":                           {entries: list(nil, fee, paid, settled("CONFIRMED")), between: "89.50 to 90.00"},
		"with the fee of its time":             {entries: list(nil, fee, paid, control(target.FeesControl, http.MethodPut, 200, `{"cashOut":"2.00"}`), settled("CONFIRMED")), between: "89.50 to 90.00"},
		"and another fee of charges":           {entries: list(nil, fee, control(target.FeesControl, http.MethodPut, 200, `{"cashIn":"0.30"}`), paid, settled("CONFIRMED")), between: "89.50 to 90.00"},
		"and a fee that may have been set":     {entries: list(nil, fee, paid, control(target.FeesControl, http.MethodPut, 0, `{"cashOut":"2.00"}`), settled("CONFIRMED")), between: "88.00 to 90.00"},
		"with a fee of the profile":            {terms: fees("0.30", "0.00"), entries: list(nil, paid, settled("CONFIRMED")), between: "89.70 to 90.00"},
		"with unknown fees":                    {terms: fees("0.30", ""), entries: list(nil, paid)},
		"no response":                          {entries: list(nil, sent(0, "cash-out", cashOut, 0, "reset")), between: "90.00 to 100.00"},
		"500":                                  {entries: list(nil, sent(0, "cash-out", cashOut, 500, `{}`)), between: "90.00 to 100.00"},
		"one of two refused":                   {entries: list(nil, paid, sent(0, "cash-out", cashOut, 400, `{}`)), between: "90.00 to 100.00"},
		"all refused, which others look at":    {entries: list(nil, sent(0, "cash-out", cashOut, 400, `{}`))},
		"an amount that nobody can read":       {entries: list(nil, sent(0, "cash-out", `{"value":"ten"}`, 201, `{}`))},
		"under a strange token":                {steps: "When the account sends a cash-out using a garbage token", entries: list(nil, paid)},
		"a MED case":                           {entries: list(nil, paid, control(target.MED, http.MethodPost, 200, `{}`))},
		"a MED case against nothing known":     {entries: list(nil, paid, control(target.MED, http.MethodPost, 200, `{"endToEnd":"E9-00000000000"}`)), between: "90.00 to 100.00"},
		"a MED case against a charge":          {entries: list(nil, charge, pay(200, ""), fact(0, record.Fact{Kind: record.Paid, Text: "E1-00000000000"}), control(target.MED, http.MethodPost, 200, `{"endToEnd":"E1-00000000000"}`)), between: "100.00 to 110.00"},
		"a MED case that was rejected":         {entries: list(nil, charge, pay(200, ""), fact(0, record.Fact{Kind: record.Paid, Text: "E1-00000000000"}), control(target.MED, http.MethodPost, 404, `{"endToEnd":"E1-00000000000"}`)), between: "110.00 to 110.00"},
		"a transfer, twice under its key":      {entries: list(nil, transfer(), transfer()), between: "90.00 to 100.00"},
		"in another case, and one key":         {entries: list(nil, transfer(), with("x-idempotency-key", "KEY-1", sent(0, "transfer", transferred, 201, `{"id":17}`))), between: "90.00 to 100.00"},
		"in another case, and two keys":        {entries: list(nil, transfer(), with("x-idempotency-key", "KEY-1", sent(0, "transfer", transferred, 201, `{"id":18}`))), between: "80.00 to 100.00"},
		"in another case, without an id":       {entries: list(nil, transfer(), with("x-idempotency-key", "KEY-1", sent(0, "transfer", transferred, 201, `{}`))), between: "80.00 to 100.00"},
		"much later, under its key":            {entries: list(nil, transfer(), control(target.Clock, http.MethodPut, 200, `{"advance":"720h"}`), with("x-idempotency-key", "key-1", sent(0, "transfer", transferred, 201, `{"id":18}`))), between: "80.00 to 100.00"},
		"much later, and the same transfer":    {entries: list(nil, transfer(), control(target.Clock, http.MethodPut, 200, `{"advance":"720h"}`), transfer()), between: "90.00 to 100.00"},
		"a transfer of that number":            {entries: list(nil, transfer(), control(target.Settlement, http.MethodPost, 200, `{"id":17,"outcome":"CONFIRMED"}`)), between: "90.00 to 90.00"},
		"a charge":                             {entries: list(nil, charge)},
		"a charge that was paid":               {entries: list(nil, charge, pay(200, "")), between: "110.00 to 110.00"},
		"less its fee":                         {entries: list(nil, fee, charge, pay(200, "")), between: "109.80 to 110.00"},
		"paid another amount":                  {entries: list(nil, charge, pay(200, `,"amount":"7.00"`)), between: "107.00 to 107.00"},
		"paid, and then not once more":         {entries: list(nil, charge, pay(200, ""), pay(409, "")), between: "110.00 to 110.00"},
		"paid twice, as the control has it":    {entries: list(nil, charge, pay(200, ""), pay(200, "")), between: "110.00 to 110.00"},
		"whether it was paid is unknown":       {entries: list(nil, charge, pay(0, "")), between: "100.00 to 110.00"},
		"divided":                              {entries: list(nil, sent(0, "cash-in", `{"transaction":{"value":10.00},"splits":[{}]}`, 201, `{"pixCode":"code"}`), pay(200, "")), between: "100.00 to 110.00"},
		"a refund":                             {entries: list(nil, refund()), between: "90.00 to 100.00"},
		"the same refund again":                {entries: list(nil, refund(), refund()), between: "90.00 to 100.00"},
		"that id for another payment":          {entries: list(nil, refund(), refundOf("E2")), between: "80.00 to 100.00"},
		"given back":                           {entries: list(nil, paid, isReturned, settled("CONFIRMED"), returned), between: "94.00 to 94.00"},
		"what the other account does":          {entries: list(nil, byOther(sent(0, "cash-out", cashOut, 201, `{}`)))},
		"what was sent before it was funded":   {entries: list(nil, paid, fact(0, record.Fact{Kind: record.Funded, Text: "100.00"}))},
		"an account of which nothing is known": {entries: list(nil, fact(0, record.Fact{Kind: record.Opened}), paid)},
	} {
		t.Run(name, func(t *testing.T) {
			if c.steps == "" {
				c.steps = "When the account sends a cash-out"
			}
			// Subtests share entries, and so run one after another.
			judged := func(available string) (*Look, []Met) {
				s := story{steps: c.steps, terms: c.terms, entries: c.entries}
				j, entries := s.begin(t)
				j.Add(fact(0, record.Fact{Kind: record.Funded, Text: "100.00"}))
				for _, e := range entries {
					j.Add(e)
				}
				look := j.FinalLook(language.TheAccount)
				if look == nil {
					return nil, append(noMoreIsBlocked(&j.facts), moneyIsExplained(&j.facts)...)
				}
				j.Add(as(record.Look, sent(len(j.Steps), "balance request", "", 200, balance(available, "0"))))
				again := j.FinalLook(language.TheAccount)
				assert.Empty(t, append(noMoreIsBlocked(&j.facts), moneyIsExplained(&j.facts)...), "it may still change")
				j.Add(fact(len(j.Steps), record.Fact{Kind: record.Waited, Text: look.Key()}))
				return again, append(noMoreIsBlocked(&j.facts), moneyIsExplained(&j.facts)...)
			}
			if c.between == "" {
				look, breaches := judged("1.00")
				assert.Nil(t, look)
				assert.Empty(t, breaches)
				return
			}
			least, most, _ := strings.Cut(c.between, " to ")
			for _, edge := range []struct {
				available string
				explained bool
			}{{least, true}, {most, true}, {centavos(t, least, -1), false}, {centavos(t, most, 1), false}} {
				look, breaches := judged(edge.available)
				assert.Equal(t, edge.explained, look == nil, edge.available)
				assert.Equal(t, edge.explained, len(breaches) == 0, "%s: %v", edge.available, breaches)
			}
		})
	}
}

// centavos is an amount with some centavos more.
func centavos(t *testing.T, decimal string, more int) string {
	t.Helper()
	var reais, cents int
	_, err := fmt.Sscanf(decimal, "%d.%d", &reais, &cents)
	assert.NoError(t, err)
	all := 100*reais + cents + more
	return fmt.Sprintf("%d.%02d", all/100, all%100)
}

func TestUnexplainedMoneyIsReportedUnderTheRuleOfItsOperation(t *testing.T) {
	t.Parallel()
	j, _ := story{steps: "When the account sends a cash-out"}.begin(t)
	j.Add(fact(0, record.Fact{Kind: record.Funded, Text: "100.00"}))
	j.Add(sent(0, "cash-out", `{"value":10.00}`, 201, `{}`))
	look := j.FinalLook(language.TheAccount)
	j.Add(as(record.Look, sent(1, "balance request", "", 200, balance("80.00", "0"))))
	j.Add(fact(1, record.Fact{Kind: record.Waited, Text: look.Key()}))
	found := j.Breaches()[0]
	assert.Equal(t, Breach{"money.outgoing", "available to fall by at most R$ 10.00, according to the requests of the scenario", "fell by R$ 20.00, from R$ 100.00 to R$ 80.00", ""}, found.Breach)
	assert.Equal(t, j.Exchanges[1], found.Exchange)
}
