package judge

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

const aKey = "key-000000001"

func calls(of target.Control, method string, status int, body string) record.Entry {
	return control(0, of, method, "/x", status, body, ``)
}

func keyed(body string, status int, answer string) record.Entry {
	return with("x-idempotency-key", aKey, sent(1, "transfer", body, status, answer))
}

func at(after time.Duration, e record.Entry) record.Entry {
	e.Exchange.Sent = began.Add(after)
	return e
}

// What an account can have of R$ 100.00, where a record proves less than it seems to.
func TestWhatARecordProvesOfMoney(t *testing.T) {
	t.Parallel()
	held := calls(target.Settlement, http.MethodPut, 200, `{"mode":"manual"}`)
	automatic := calls(target.Settlement, http.MethodPut, 200, `{"mode":"automatic"}`)
	payment := func() record.Entry {
		return sent(0, "cash-out", `{"value":10.00,"externalId":"order-0001"}`, 201, `{"transactionId":"transaction-1"}`)
	}
	confirmed := func() record.Entry {
		return came("u", `{"event":"CashOut","status":"CONFIRMED","externalId":"order-0001","transactionId":"transaction-1"}`)
	}
	liquidated := came("u", `{"type":"TRANSFER","data":{"id":17,"status":"LIQUIDATED","idempotencyKey":"`+aKey+`","payment":{"amount":"5.00","currency":"BRL"}}}`)
	cob := sent(0, "cob", `{"valor":{"original":"10.00","modalidadeAlteracao":1}}`, 201, `{"location":"code"}`)
	paidMore := calls(target.Payments, http.MethodPost, 200, `{"pixCode":"code","amount":"15.00"}`)
	waitsASecond := keyed(`{"payment":{"amount":10.00},"expiration":1}`, 201, `{"id":17}`)
	later := at(time.Minute, calls(target.Directory, http.MethodPut, 200, `{}`))
	for name, c := range map[string]struct {
		of      language.Account
		entries []record.Entry
		want    string
	}{
		"a QR cash-out to the account's own charge": {0, list(nil, sent(0, "cash-in", `{"transaction":{"value":10.00}}`, 201, `{"pixCode":"code"}`),
			sent(0, "QR cash-out", `{"value":10.00,"externalId":"order-0001","qrCode":"code"}`, 201, `{"transactionId":"transaction-1"}`), confirmed()), "R$ 90.00 to R$ 100.00"},
		"a case against more than the charge's amount":       {0, list(nil, cob, paidMore, fact(0, record.Fact{Kind: record.Paid, Text: "E1-00000000000"}), calls(target.MED, http.MethodPost, 200, `{"endToEnd":"E1-00000000000"}`)), "R$ 100.00 to R$ 115.00"},
		"a lost transfer, and another under its key":         {0, list(nil, keyed(`{"payment":{"amount":10.00}}`, 0, "reset"), keyed(`{"payment":{"amount":5.00}}`, 201, `{"id":17}`), liquidated), "R$ 85.00 to R$ 100.00"},
		"a transfer that was accepted the second time":       {0, list(nil, held, keyed(`{"payment":{"amount":10.00}}`, 500, `{}`), keyed(`{"payment":{"amount":10.00}}`, 201, `{"id":17}`)), "R$ 90.00"},
		"an event before the control that has let it happen": {0, list(nil, held, payment(), confirmed(), automatic), "R$ 90.00"},
		"an event after it":                                  {0, list(nil, held, payment(), automatic, confirmed()), "R$ 90.00"},
		"a clock that was set":                               {0, list(nil, held, waitsASecond, calls(target.Clock, http.MethodPut, 200, `{"now":"2026-03-01T09:00:00Z"}`), later), "R$ 90.00 to R$ 100.00"},
		"one txid of two accounts, of which one has removed it": {1, list(nil, sent(0, "cob", `{"valor":{"original":"10.00"}}`, 201, `{"location":"a"}`), byOther(sent(0, "cob", `{"valor":{"original":"10.00"}}`, 201, `{"location":"b"}`)),
			control(0, target.Charges, http.MethodPost, "/accounts/1/charges/t7d1234567890123456789012/end", 200, `{"by":"psp"}`, ``), calls(target.Payments, http.MethodPost, 200, `{"pixCode":"b"}`)), "R$ 110.00"},
		"one txid of two accounts, and the record says which has removed it": {1, list(nil, sent(0, "cob", `{"valor":{"original":"10.00"}}`, 201, `{"location":"a"}`), byOther(sent(0, "cob", `{"valor":{"original":"10.00"}}`, 201, `{"location":"b"}`)),
			byOther(control(0, target.Charges, http.MethodPost, "/accounts/2/charges/t7d1234567890123456789012/end", 200, `{"by":"psp"}`, ``)), calls(target.Payments, http.MethodPost, 200, `{"pixCode":"b"}`)), "R$ 100.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, entries := story{steps: "When the account sends a cash-out\nWhen the account sends a cash-out", entries: c.entries}.begin(t)
			for _, of := range []language.Account{language.TheAccount, language.TheOther} {
				funded := fact(0, record.Fact{Kind: record.Funded, Text: "100.00"})
				funded.Account = of
				j.Add(funded)
			}
			for _, e := range entries {
				j.Add(e)
			}
			may, ok := j.moneyOf(c.of).canHave()
			assert.True(t, ok)
			assert.Equal(t, c.want, may.String())
		})
	}
}

// A record of a stranger may say that a charge was paid which was rejected, and that a case is against it.
func TestACaseAgainstARejectedCharge(t *testing.T) {
	t.Parallel()
	j, entries := story{steps: "When the account sends a cob", entries: list(nil, calls(target.Settlement, http.MethodPut, 200, `{"mode":"manual"}`),
		sent(0, "cob", `{"valor":{"original":"10.00"}}`, 400, `{}`), fact(0, record.Fact{Kind: record.Paid, Index: 1, Text: "E1-00000000000"}),
		calls(target.MED, http.MethodPost, 200, `{"endToEnd":"E1-00000000000"}`))}.begin(t)
	j.Add(fact(0, record.Fact{Kind: record.Funded, Text: "100.00"}))
	for _, e := range entries {
		j.Add(e)
	}
	_, ok := j.moneyOf(language.TheAccount).canHave()
	assert.False(t, ok, "nothing can be said")
}

// An event reports a transfer as settled: what was done before has to allow it, for all that is recorded.
func TestEventsOfWhatMayHaveHappened(t *testing.T) {
	t.Parallel()
	const url = "https://sink.example/1"
	open := func() []record.Entry {
		return list(nil, fact(0, record.Fact{Kind: record.Opened}), subscribed("cash_out", url), calls(target.Settlement, http.MethodPut, 200, `{"mode":"manual"}`))
	}
	settled := func() record.Entry {
		return control(1, target.Settlement, http.MethodPost, "/settlements", 200, `{"id":17,"outcome":"CONFIRMED"}`, ``)
	}
	event := func() record.Entry {
		return came(url, `{"type":"TRANSFER","data":{"id":17,"status":"LIQUIDATED","idempotencyKey":"`+aKey+`","payment":{"amount":"10.00","currency":"BRL"}}}`)
	}
	clock := func(body string) record.Entry {
		return control(1, target.Clock, http.MethodPut, "/clock", 200, body, ``)
	}
	const plain, high, norm, short = `{"payment":{"amount":10.00}}`, `{"priority":"HIGH","payment":{"amount":10.00}}`, `{"priority":"NORM","payment":{"amount":10.00}}`, `{"payment":{"amount":10.00},"expiration":10}`
	accepted := func(body string) record.Entry { return keyed(body, 201, `{"id":17}`) }
	for name, c := range map[string]struct {
		entries []record.Entry
		holds   bool
	}{
		"it was accepted and settled":             {list(open(), accepted(plain), settled(), event()), true},
		"it was not settled":                      {list(open(), accepted(plain), event()), false},
		"it was accepted the second time":         {list(open(), keyed(plain, 500, `{}`), accepted(plain), settled(), event()), true},
		"its first response was lost":             {list(open(), keyed(plain, 0, `reset`), accepted(plain), settled(), event()), true},
		"one of high priority never expires":      {list(open(), accepted(high), clock(`{"advance":"31m"}`), settled(), event()), true},
		"one of normal priority has expired":      {list(open(), accepted(norm), clock(`{"advance":"31m"}`), settled(), event()), false},
		"the clock was set back, and time passed": {list(open(), accepted(short), clock(`{"now":"2026-03-01T09:00:00Z"}`), at(time.Minute, settled()), at(time.Minute, event())), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			steps := "Given settlement waits for the bank\nWhen the account sends a transfer\nThen nothing else changes"
			r := story{steps: steps, entries: c.entries}.judged(t)
			if c.holds {
				assert.Nil(t, r.Finding, said(r))
			} else {
				assert.Contains(t, said(r), "no event of the transfer of R$ 10.00")
			}
		})
	}
}

// An event may arrive before the response to its order, next to an order of another account with the same externalId.
func TestEventsOfASharedExternalID(t *testing.T) {
	t.Parallel()
	const url, theirs = "https://sink.example/1", "https://sink.example/2"
	for _, early := range []bool{false, true} {
		opened, registered := fact(0, record.Fact{Kind: record.Opened}), subscribed("cash_out", theirs)
		opened.Account, registered.Account = language.TheOther, language.TheOther
		second := byOther(sent(1, "cash-out", `{"value":10.00,"externalId":"order-0001"}`, 201, `{"transactionId":"transaction-2"}`))
		event := during(1, came(theirs, `{"event":"CashOut","status":"CONFIRMED","externalId":"order-0001","transactionId":"transaction-2"}`))
		entries := list(nil, fact(0, record.Fact{Kind: record.Opened}), subscribed("cash_out", url), opened, registered,
			sent(0, "cash-out", `{"value":10.00,"externalId":"order-0001"}`, 201, `{"transactionId":"transaction-1"}`))
		if early {
			second.Exchange.Sent, second.Exchange.Took = began.Add(4500*time.Millisecond), 3*time.Second
			entries = append(entries, event, second)
		} else {
			entries = append(entries, second, event)
		}
		j, entries := story{steps: "Given the account has sent a cash-out of R$ 10.00\nWhen the other account sends a cash-out", entries: entries}.begin(t)
		for _, e := range entries {
			j.Add(e)
		}
		assert.Empty(t, j.gateway().state(j.Attempts[0]), "its bank decides by itself, and nothing was reported")
		assert.Equal(t, "CONFIRMED", string(j.gateway().state(j.Attempts[1])), "%t", early)
	}
}

// A refund that was sent twice counts once, and a payer may have paid more than the charge's amount.
func TestRefundsBeforeABurst(t *testing.T) {
	t.Parallel()
	refund := func(step int, id, amount string) record.Entry {
		e := sent(step, "refund", fmt.Sprintf(`{"valor":%q}`, amount), 201, fmt.Sprintf(`{"rtrId":"rtr-%s"}`, id))
		e.Exchange.URL = "https://gw.example/gw/pix/E1/devolucao/" + id
		return e
	}
	waits := calls(target.Refunds, http.MethodPut, 200, `{"mode":"manual"}`)
	for name, c := range map[string]struct {
		paid     string
		earlier  []string
		parts    [2]string
		possible bool
	}{
		"one of 40 was sent":         {"100.00", []string{"40.00"}, [2]string{"30.00", "30.00"}, true},
		"it was sent twice":          {"100.00", []string{"40.00", "40.00"}, [2]string{"30.00", "30.00"}, true},
		"together they are too much": {"100.00", []string{"40.00", "40.00"}, [2]string{"30.00", "30.01"}, false},
		"more was paid":              {"150.00", nil, [2]string{"60.00", "60.00"}, true},
		"less was paid":              {"90.00", nil, [2]string{"60.00", "60.00"}, false},
	} {
		entries := list(nil, sent(0, "cob", `{"valor":{"original":"100.00","modalidadeAlteracao":1}}`, 201, `{"location":"code"}`),
			calls(target.Payments, http.MethodPost, 200, `{"pixCode":"code","amount":"`+c.paid+`"}`), fact(0, record.Fact{Kind: record.Paid, Text: "E1"}), waits)
		for _, amount := range c.earlier {
			entries = append(entries, refund(0, "devolucao01", amount))
		}
		entries = append(entries, before(1, "200.00", "0"))
		entries = append(entries, atOnce(refund(1, "devolucao02", c.parts[0]), refund(1, "devolucao03", c.parts[1]))...)
		b := burstIn(t, "Given the account has received R$ 100.00 through a cob", entries)
		assert.Equal(t, c.possible, inSomeOrder(b.first, b.history, nil), name)
	}
}

// Which of two results counts is left open: either may have brought the money back.
func TestMoneyAfterTwoResults(t *testing.T) {
	t.Parallel()
	event := func(status string) record.Entry {
		return came("u", `{"event":"CashOut","status":"`+status+`","externalId":"order-0001","transactionId":"transaction-1"}`)
	}
	for _, all := range [][]record.Entry{list(nil, event("ERROR")), list(nil, event("ERROR"), event("CONFIRMED"))} {
		entries := list(nil, sent(0, "cash-out", `{"value":10.00,"externalId":"order-0001"}`, 201, `{"transactionId":"transaction-1"}`),
			before(1, "90.00", "0"), sent(1, "cash-out", `{"value":0,"externalId":"order-0002"}`, 400, `{}`))
		entries = append(append(entries, all...), looked("balance request", 200, balance("100.00", "0")))
		r := story{steps: "Given the account has sent a cash-out of R$ 10.00\nWhen the account sends a cash-out with value 0\nThen the request is rejected with 400", entries: entries}.judged(t)
		assert.NotContains(t, said(r), "fail", said(r))
	}
}
