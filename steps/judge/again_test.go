package judge

import (
	"testing"

	"github.com/pixcert/pixcert/steps/record"
)

// Two cash-outs, and the events that report them.
const (
	secondOrder  = `{"value":2.00,"externalId":"Order-second-1"}`
	secondOk     = `{"transactionId":"tx-0000002"}`
	secondEvent  = `{"event":"CashOut","transactionId":"tx-0000002","status":"CONFIRMED","originalAmount":2.00}`
	resentChange = `{"event":"CashOut","transactionId":"tx-0000001","status":"ERROR"}`
)

func TestEventsOfOneOfSeveralPayments(t *testing.T) {
	t.Parallel()
	of := func(sentence, want string, events ...record.Entry) story {
		return story{
			steps:   "When the account sends a cash-out\nWhen the account sends a cash-out\nThen " + sentence,
			entries: list(list(nil, subscribed("cash_out", one), subscribed("cash_out", two), paid(), sent(1, "cash-out", secondOrder, 201, secondOk)), events...), want: want,
		}
	}
	missing := func(which, at, came string) string {
		return "fail: expected a CashOut event" + which + " at " + at + " within 10s, got " + came + "; look: deliveries for 10s"
	}
	tell(t, map[string]story{
		"the first":                   of("a CashOut event of the first payment arrives", "pass", came(one, secondEvent), came(one, confirmed)),
		"not the first":               of("a CashOut event of the first payment arrives", missing(" of the first cash-out, of R$ 10.00,", "any of the account's 2 URLs", "only this event: CashOut CONFIRMED [0]"), came(one, secondEvent)),
		"the second, with its fields": of("a CashOut event of the second payment arrives with:\n| originalAmount | 2 |", "pass", came(one, confirmed), came(one, secondEvent)),
		"its own fields":              of("a CashOut event of the second payment arrives with:\n| transactionId | the first transactionId |", `fail: expected transactionId to be the first transactionId, got "tx-0000002" [3]`, came(one, confirmed), came(one, secondEvent)),
		"a third":                     of("a CashOut event of the third payment arrives", couldNot+"there is no third accepted payment [-1]"),
		"each at each":                of("a CashOut event of each payment arrives at each URL", "pass", came(one, confirmed), came(two, secondEvent), came(one, secondEvent), came(two, confirmed)),
		"each, but the second at two": of("a CashOut event of each payment arrives at each URL", "fail: expected a CashOut event of payment 2 at https://sink.example/2 within 10s, got only this event: CashOut CONFIRMED [1]; look: deliveries for 10s", came(one, confirmed), came(two, confirmed), came(one, secondEvent)),
		"each, with a field":          of("a CashOut event of each payment arrives with:\n| status | \"CONFIRMED\" |", "pass", came(one, confirmed), came(one, secondEvent)),
		"each of none":                {steps: "Then a CashOut event of each payment arrives at each URL", want: noRequest},
	})
}

func TestHeadersOfEachURL(t *testing.T) {
	t.Parallel()
	registered := func(url, headers string) record.Entry {
		return sent(0, "webhook registration", `{"url":"`+url+`","eventType":"cash_out","headers":`+headers+`}`, 200, `{}`)
	}
	at := func(want string, events ...record.Entry) story {
		return story{
			steps: "When the account sends a webhook registration\nWhen the account sends a cash-out\nThen a CashOut event arrives at each URL with its headers",
			entries: list(list(nil, subscribed("cash_out", one), subscribed("cash_out", two),
				registered(one, `[{"key":"X-Old","value":"0"}]`), registered(two, `[{"key":"X-Two","value":"2"}]`), registered(one, `[{"key":"x-one","value":"1"}]`),
				during(1, paid())), events...), want: want,
		}
	}
	second := with("X-Two", "2", came(two, confirmed))
	tell(t, map[string]story{
		"their own":         at("pass", with("X-One", "1", came(one, confirmed)), second),
		"none":              at(`fail: expected the header X-One once, with "1" at https://sink.example/1, got absent [4]`, came(one, confirmed), second),
		"one it had before": at(`fail: expected no header X-Old at https://sink.example/1, which is registered without it, got ["0"] [4]`, with("X-Old", "0", with("X-One", "1", came(one, confirmed))), second),
		"the other URL's":   at(`fail: expected no header X-Two at https://sink.example/1, which is registered without it, got ["2"] [4]`, with("X-Two", "2", with("X-One", "1", came(one, confirmed))), second),
	})
}

func TestResentEvents(t *testing.T) {
	t.Parallel()
	again := func(sentence, want string, more ...record.Entry) story {
		return story{
			steps: "When the account sends a cash-out\nThen a CashOut event arrives\nWhen the account sends a resend request\nThen " + sentence,
			entries: list(list(nil, subscribed("cash_out", one), paid(), during(1, came(one, confirmed)),
				during(2, sent(2, "resend request", "", 200, `{}`))), more...), want: want,
		}
	}
	refused := again("if the request was accepted, the CashOut event arrives again", "pass")
	refused.entries[3] = sent(2, "resend request", "", 404, refusal)
	tell(t, map[string]story{
		"the same":                     again("the CashOut event arrives again", "pass", came(one, confirmed)),
		"with another status":          again("the CashOut event arrives again", `fail: expected status of the resent event to be "CONFIRMED", as in the first one, got "ERROR" [3]`, came(one, resentChange)),
		"with what it should":          again("the CashOut event arrives again with:\n| status | \"ERROR\" |", "pass", came(one, confirmed), came(one, resentChange)),
		"with something else":          again("the CashOut event arrives again with:\n| status | \"ERROR\" |", `fail: expected status to be "ERROR", got "CONFIRMED" [3]; look: deliveries for 10s`, came(one, confirmed)),
		"of a refused request":         refused,
		"of an accepted one":           again("if the request was accepted, the CashOut event arrives again", "fail: expected another CashOut event at https://sink.example/1, got none [2]; look: deliveries for 10s"),
		"not at a URL for one request": again("no event arrives at that URL", "look: silence for 2s", fact(2, record.Fact{Kind: record.Temporary, Of: two})),
		"but there":                    again("no event arrives at that URL", "fail: expected nothing at https://sink.example/2, got an event [3]", fact(2, record.Fact{Kind: record.Temporary, Of: two}), came(two, confirmed)),
		"nothing for other types":      again("no event arrives at URLs for other event types", "pass", subscribed("cash_in", two), silence()),
		"one for another type":         again("no event arrives at URLs for other event types", "fail: expected nothing at https://sink.example/2, got an event [3]", subscribed("cash_in", two), came(two, confirmed)),
	})
}
