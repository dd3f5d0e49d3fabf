package judge

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
)

// Where the account of these stories receives events, and what arrives there.
const (
	one, two  = "https://sink.example/1", "https://sink.example/2"
	confirmed = `{"event":"CashOut","transactionId":"tx-0000001","status":"CONFIRMED","endToEndId":"E6070119020260301100000000001"}`
	pendingTx = `{"event":"Order","transactionId":"tx-0000001","status":"PENDING"}`
	wrapped   = `{"type":"CashOut","data":{"transactionId":"tx-0000001","status":"CONFIRMED"}}`
	stranger  = `{"event":"CashOut","transactionId":"tx-9999999","status":"CONFIRMED"}`
)

func paid() record.Entry { return sent(0, "cash-out", order, 201, ok) }

func shared(terms *record.Terms) { terms.SharedURLs = true }

func TestArrivals(t *testing.T) {
	t.Parallel()
	const strangers = "could not test: expected a target that can be brought into the state that this scenario requires, got the events that arrived have neither an id of this scenario nor the amount, so nothing says that the gateway sent them [-1]; look: deliveries for 10s"
	// The account is registered at one URL for cash_out, and has sent a cash-out.
	arrives := func(sentence, want string, events ...record.Entry) story {
		return story{
			steps:   "When the account sends a cash-out\nThen " + sentence,
			entries: list(list(nil, subscribed("cash_out", one), paid()), events...), want: want,
		}
	}
	atTwo := func(sentence, want string, events ...record.Entry) story {
		s := arrives(sentence, want, events...)
		s.entries = append([]record.Entry{subscribed("cash_out", one), subscribed("cash_out", two)}, s.entries[1:]...)
		return s
	}
	failed := func(e record.Entry) record.Entry { e.Exchange.Status = 500; return e }
	otherwise := func(f func(*story), s story) story { f(&s); return s }
	tell(t, map[string]story{
		"it arrives":                  arrives("a CashOut event arrives", "pass", came(one, confirmed)),
		"not yet":                     arrives("a CashOut event arrives", "fail: expected a CashOut event at https://sink.example/1 within 10s, got none [0]; look: deliveries for 10s"),
		"of a refused payment":        otherwise(func(s *story) { s.entries[1] = sent(0, "cash-out", order, 400, `{}`) }, arrives("a CashOut event arrives", "fail: expected accepted with 201, got 400 [0]")),
		"others have reached us":      arrives("a CashOut event arrives", "fail: expected a CashOut event at https://sink.example/1 within 10s, got none [0]; look: deliveries for 10s", fact(0, record.Fact{Kind: record.Reached})),
		"of another payment":          arrives("a CashOut event arrives", "fail: expected a CashOut event at https://sink.example/1 within 10s, got only this event: CashOut CONFIRMED [0]; look: deliveries for 10s", came(one, stranger)),
		"at another URL":              arrives("a CashOut event arrives", "fail: expected a CashOut event at https://sink.example/1 within 10s, got none [0]; look: deliveries for 10s", came(two, confirmed)),
		"by another name":             arrives("a CashOut event arrives", "pass; look: deliveries for 10s", came(one, pendingTx)),
		"by another, then its name":   arrives("a CashOut event arrives", "pass", came(one, pendingTx), came(one, confirmed)),
		"in an envelope":              arrives("a CashOut event arrives", "pass; warning: expected a flat CashOut event, got one wrapped in {type, data} [1]", came(one, wrapped)),
		"that is not JSON":            arrives("a CashOut event arrives", "pass; look: deliveries for 10s", came(one, `tx-0000001`)),
		"without a body":              arrives("a CashOut event arrives", "fail: expected a CashOut event at https://sink.example/1 within 10s, got only this event: an unnamed event [0]; look: deliveries for 10s", came(one, ``)),
		"an empty object":             arrives("a CashOut event arrives", "fail: expected a CashOut event at https://sink.example/1 within 10s, got only this event: an unnamed event [0]; look: deliveries for 10s", came(one, `{}`)),
		"with an empty name":          arrives("a CashOut event arrives", "pass; look: deliveries for 10s", came(one, `{"event":"","type":"CashOut","id":"tx-0000001"}`)),
		"with what it should":         arrives("a CashOut event arrives with:\n| status | \"CONFIRMED\" |", "pass", came(one, confirmed)),
		"with something else":         arrives("a CashOut event arrives with:\n| status | \"ERROR\" |", `fail: expected status to be "ERROR", got "CONFIRMED" [1]`, came(one, confirmed)),
		"by another name, judged":     arrives("a CashOut event arrives with:\n| status | \"CONFIRMED\" |", `fail: expected status to be "CONFIRMED", got "PENDING" [1]; look: deliveries for 10s`, came(one, pendingTx)),
		"not JSON, judged":            arrives("a CashOut event arrives with:\n| status | \"CONFIRMED\" |", "fail: expected a JSON body, got tx-0000001 [1]; look: deliveries for 10s", came(one, `tx-0000001`)),
		"in an envelope, judged":      arrives("a CashOut event arrives with:\n| status | \"ERROR\" |", `fail: expected status to be "ERROR", got "CONFIRMED" [1]; warning: expected a flat CashOut event, got one wrapped in {type, data} [1]`, came(one, wrapped)),
		"an event of any name":        arrives("a cash_out event arrives", "pass", came(one, pendingTx)),
		"any event, but of another":   arrives("a cash_out event arrives", "fail: expected a cash_out event at https://sink.example/1 within 10s, got only this event: CashOut CONFIRMED [0]; look: deliveries for 10s", came(one, stranger)),
		"at each URL":                 atTwo("a CashOut event arrives at each URL", "pass", came(two, confirmed), came(one, confirmed)),
		"at each, but not the first":  atTwo("a CashOut event arrives at each URL", "fail: expected a CashOut event at https://sink.example/1 within 10s, got none [0]; look: deliveries for 10s", came(two, confirmed)),
		"at each, but not the last":   atTwo("a CashOut event arrives at each URL", "fail: expected a CashOut event at https://sink.example/2 within 10s, got none [0]; look: deliveries for 10s", came(one, confirmed)),
		"at each that has not failed": atTwo("a CashOut event arrives at each URL that has not failed", "pass", came(one, confirmed), failed(came(two, stranger))),
		"at none that has not failed": atTwo("a CashOut event arrives at each URL that has not failed", "fail: expected a CashOut event at https://sink.example/1 within 10s, got none [0]; look: deliveries for 10s", failed(came(two, confirmed))),
		"at each, one in an envelope": atTwo("a CashOut event arrives at each URL", "pass; warning: expected a flat CashOut event, got one wrapped in {type, data} [1]",
			came(one, wrapped), came(two, confirmed)),
		"at any of two":  atTwo("a CashOut event arrives", "pass", came(two, confirmed)),
		"at none of two": atTwo("a CashOut event arrives", "fail: expected a CashOut event at any of the account's 2 URLs within 10s, got none [0]; look: deliveries for 10s"),
		"with a header": atTwo(`a CashOut event arrives with header X-Key "k"`, "pass",
			with("X-Key", "k", came(one, confirmed))),
		"with another header":     atTwo(`a CashOut event arrives with header X-Key "k"`, `fail: expected the header X-Key once, with "k", got "other" [1]`, with("X-Key", "other", came(one, confirmed))),
		"with a header twice":     atTwo(`a CashOut event arrives with header X-Key "k"`, `fail: expected the header X-Key once, with "k", got ["k" "k"] [1]`, with("X-Key", "k", with("X-Key", "k", came(one, confirmed)))),
		"with a header elsewhere": atTwo(`a CashOut event arrives with header X-Key "k"`, "fail: expected a CashOut event at https://sink.example/1 within 10s, got none [0]; look: deliveries for 10s", with("X-Key", "k", came(two, confirmed))),
		"at the last URL": atTwo(`a CashOut event arrives at the last URL with header X-Key "k"`, "pass",
			came(one, confirmed), with("X-Key", "k", came(two, confirmed))),
		"no URL": otherwise(func(s *story) { s.entries = s.entries[1:] }, arrives("a CashOut event arrives", "could not test: expected a webhook URL for CashOut, got none recorded [-1]")),
		"at each of none: a registration may have been refused": otherwise(func(s *story) { s.entries = s.entries[1:] },
			arrives("a CashOut event arrives at each URL", "pass")),
		"nothing sent":                    {steps: "Then a CashOut event arrives", entries: list(nil, subscribed("cash_out", one)), want: noRequest},
		"if it was accepted":              arrives("if the request was accepted, a CashOut event arrives", "fail: expected a CashOut event at https://sink.example/1 within 10s, got none [0]; look: deliveries for 10s"),
		"if it was refused":               {steps: "When the account sends a cash-out\nThen if the request was accepted, a CashOut event arrives", entries: list(nil, sent(0, "cash-out", order, 400, refusal)), want: "pass"},
		"if nothing was sent":             {steps: "Then if the request was accepted, a CashOut event arrives", want: noRequest},
		"a type of subscription":          {steps: "When the account sends a cash-in\nThen a cash_in event arrives", entries: list(nil, subscribed("cash_in", one), sent(0, "cash-in", `{"transaction":{"value":8.41}}`, 201, ok), came(one, `{"id":1,"amount":"8.41"}`)), want: "pass"},
		"one in centavos":                 {steps: "When the account sends a cash-in\nThen a cash_in event arrives", entries: list(nil, subscribed("cash_in", one), sent(0, "cash-in", `{"transaction":{"value":8.41}}`, 201, ok), came(one, `{"data":[{"cents":841}]}`)), want: "pass"},
		"one that anybody may have sent":  {steps: "When the account sends a cash-in\nThen a cash_in event arrives", entries: list(nil, subscribed("cash_in", one), sent(0, "cash-in", `{"transaction":{"value":8.41}}`, 201, ok), came(one, `{"a":1}`)), want: strangers},
		"where others arrive too":         {steps: "When the account sends a cash-in\nThen a cash_in event arrives", terms: shared, entries: list(nil, subscribed("cash_in", one), sent(0, "cash-in", `{}`, 201, ok), came(one, `{}`)), want: couldNot + "events arrived that cannot be attributed to this scenario, because earlier scenarios use the same URLs: add the test control accounts [-1]; look: deliveries for 10s"},
		"where others arrive, by its id":  {steps: "When the account sends a cash-in\nThen a cash_in event arrives", terms: shared, entries: list(nil, subscribed("cash_in", one), sent(0, "cash-in", `{}`, 201, ok), came(one, `{"id":"tx-0000001"}`)), want: "pass"},
		"where nothing arrives":           {steps: "When the account sends a cash-in\nThen a cash_in event arrives", terms: shared, entries: list(nil, subscribed("cash_in", one), sent(0, "cash-in", `{}`, 201, ok)), want: "fail: expected a cash_in event at https://sink.example/1 within 10s, got none [0]; look: deliveries for 10s"},
		"before its end":                  {steps: "When the account sends a transfer\nThen a TRANSFER event arrives", entries: list(nil, subscribed("cash_out", one), sent(0, "transfer", `{}`, 201, `{"endToEndId":"E60701190"}`), came(one, `{"type":"TRANSFER","data":{"endToEndId":"E60701190","status":"PENDING"}}`)), want: "fail: expected a TRANSFER event with status LIQUIDATED at https://sink.example/1 within 10s, got only this event: TRANSFER PENDING [1]; look: deliveries for 10s"},
		"at its end":                      {steps: "When the account sends a transfer\nThen a TRANSFER event arrives", entries: list(nil, subscribed("cash_in", one), sent(0, "transfer", `{}`, 201, `{"endToEndId":"E60701190"}`), came(one, `{"type":"TRANSFER","data":{"endToEndId":"E60701190","status":"LIQUIDATED"}}`)), want: "pass"},
		"of a refund, at any URL":         {steps: "When the account sends a refund\nThen a REFUND event arrives", entries: list(nil, subscribed("cash_out", one), sent(0, "refund", `{"valor":"1.00"}`, 200, `{}`), came(one, `{"type":"REFUND","data":{"status":"REFUNDED"}}`)), want: "pass"},
		"of a case":                       {steps: "When the account sends a MED list request\nThen a med_created event arrives with:\n| x | 1 |", entries: list(nil, subscribed("med_created", one), sent(0, "MED list request", "", 200, `{}`), came(one, `{"type":"MED_CREATED","x":1}`)), want: "pass"},
		"of a case, without a request":    {steps: "Then a med_created event arrives with:\n| x | 1 |", entries: list(nil, subscribed("med_created", one), came(one, `{"type":"MED_CREATED","x":1}`)), want: noRequest},
		"of a case, not yet":              {steps: "Then a med_created event arrives", entries: list(nil, subscribed("med_created", one)), want: "fail: expected a med_created event at https://sink.example/1 within 10s, got none [-1]; look: deliveries for 10s"},
		"of a case, where others arrive":  {steps: "Then a med_created event arrives", terms: shared, entries: list(nil, fact(0, record.Fact{Kind: record.Opening, Text: "7", Of: "E60701190"}), subscribed("med_created", one), came(one, `{"x":1}`), came(one, `{"e2e":"E60701190"}`)), want: "pass"},
		"of no case, where others arrive": {steps: "Then a med_created event arrives", terms: shared, entries: list(nil, subscribed("med_created", one), came(one, `{"x":1}`)), want: couldNot + "events arrived that cannot be attributed to this scenario, because earlier scenarios use the same URLs: add the test control accounts [-1]; look: deliveries for 10s"},
		"at a URL given for one time":     {steps: "When the account sends a cash-out\nThen the CashOut event arrives at that URL", entries: list(nil, paid(), fact(0, record.Fact{Kind: record.Temporary, Of: two}), came(two+"?x=1", confirmed)), want: "pass"},
		"at no URL given":                 {steps: "When the account sends a cash-out\nThen the CashOut event arrives at that URL", entries: list(nil, paid(), came("", confirmed)), want: "could not test: expected a webhook URL for CashOut, got none recorded [-1]"},
	})
}

// Anybody can post to the URLs. What a stranger posts, before or after the gateway's own event, is no fault.
func TestEventsOfStrangers(t *testing.T) {
	t.Parallel()
	const (
		secret  = `a cash_in event arrives with header X-Key "k"`
		foreign = `{"event":"CashIn","transactionId":"tx-9999999","amount":8.41}`
		own     = `{"event":"CashIn","transactionId":"tx-0000001","amount":8.41}`
		unnamed = `{"paid":8.41}`
		late    = "; look: deliveries for 10s"
	)
	arrives := func(sentence, want string, events ...record.Entry) story {
		return story{
			steps:   "When the account sends a cash-in\nThen " + sentence,
			entries: list(list(nil, subscribed("cash_in", one), sent(0, "cash-in", `{"transaction":{"value":8.41}}`, 201, ok)), events...), want: want,
		}
	}
	refund := func(want string, events ...record.Entry) story {
		return story{
			steps:   "When the account sends a refund\nThen a REFUND event arrives with:\n| data.n | 1 |",
			entries: list(list(nil, subscribed("refund_in", one), sent(0, "refund", `{"valor":"1.00"}`, 200, `{"rtrId":"D60701190"}`)), events...), want: want,
		}
	}
	const strangersRefund = `{"type":"REFUND","data":{"status":"REFUNDED","n":2}}`
	tell(t, map[string]story{
		"a stranger's, then its own":    arrives(secret, "pass", came(one, foreign), with("X-Key", "k", came(one, own))),
		"a stranger's, then an unnamed": arrives(secret, "pass", came(one, foreign), with("X-Key", "k", came(one, unnamed))),
		"a stranger's only":             arrives(secret, couldNot+"the event that arrived has neither an id of this scenario nor the headers of its URL, so nothing says that the gateway sent it [-1]"+late, came(one, foreign)),
		"its own, without the header":   arrives(secret, `fail: expected the header X-Key once, with "k", got absent [2]`, came(one, foreign), came(one, own)),
		"a stranger's refund first":     refund("pass", came(one, strangersRefund), came(one, `{"type":"REFUND","data":{"status":"REFUNDED","n":1,"endToEndId":"D60701190"}}`)),
		"a stranger's refund, so far":   refund("fail: expected data.n to be 1, got 2 [1]"+late, came(one, strangersRefund)),
		"of a case": {
			steps: "Then a med_created event arrives with header X-Key \"k\"",
			entries: list(nil, fact(0, record.Fact{Kind: record.Opening, Text: "7", Of: "E60701190"}), subscribed("med_created", one),
				came(one, `{"event":"MedCreated"}`), with("X-Key", "k", came(one, `{"event":"MedCreated","endToEnd":"E60701190"}`))),
			want: "pass",
		},
	})
}

// Two accounts may use one externalId, and one URL.
func TestEventsOfAnotherAccountsPayment(t *testing.T) {
	t.Parallel()
	const (
		othersEvent = `{"event":"CashOut","transactionId":"tx-0000002","externalId":"Order-00001","status":"CONFIRMED","originalAmount":7.00}`
		ownEvent    = `{"event":"CashOut","transactionId":"tx-0000001","externalId":"Order-00001","status":"CONFIRMED","originalAmount":10.00}`
	)
	others := byOther(sent(0, "cash-out", order, 201, `{"transactionId":"tx-0000002","externalId":"Order-00001"}`))
	arrives := func(want string, events ...record.Entry) story {
		return story{
			steps:   "When the account sends a cash-out\nThen a CashOut event of the first payment arrives with:\n| originalAmount | R$ 10.00 |",
			entries: list(list(nil, subscribed("cash_out", one), paid(), others), events...), want: want,
		}
	}
	tell(t, map[string]story{
		"the other's, then its own": arrives("pass", came(one, othersEvent), came(one, ownEvent)),
		"the other's alone":         arrives("fail: expected a CashOut event of the first cash-out, of R$ 10.00, at https://sink.example/1 within 10s, got only this event: CashOut CONFIRMED [0]; look: deliveries for 10s", came(one, othersEvent)),
	})
}

// Sentences on an event that has arrived.
func TestArrived(t *testing.T) {
	t.Parallel()
	// The event arrives during the second step.
	after := func(sentence, want string, event record.Entry, more ...record.Entry) story {
		return story{
			steps:   "When the account sends a cash-out\nThen a CashOut event arrives\nThen " + sentence,
			entries: list(list(nil, subscribed("cash_out", one), paid(), during(1, event)), more...), want: want,
		}
	}
	again := func(sentence, want string, more ...record.Entry) story {
		s := after(sentence, want, came(one, confirmed))
		s.steps = "When the account sends a cash-out\nThen a CashOut event arrives\nWhen the account sends a resend request\nThen " + sentence
		s.entries = list(list(s.entries, during(2, sent(2, "resend request", "", 200, `{}`))), more...)
		return s
	}
	twice := func(first, second, want string) story {
		return story{
			steps: "When the account sends a cash-out\nThen a CashOut event arrives at each URL\nThen the two events differ in endToEndId",
			entries: list(nil, subscribed("cash_out", one), subscribed("cash_out", two), paid(),
				during(1, came(one, first)), during(1, came(two, second))),
			want: want,
		}
	}
	get := came(one, confirmed)
	get.Exchange.Method = http.MethodGet
	const known = `{"event":"CashOut","transactionId":"tx-0000001","endToEndId":"E2"}`
	tell(t, map[string]story{
		"it holds":                  after("the event has:\n| status | \"CONFIRMED\" |\n| x | absent |", "pass", came(one, confirmed)),
		"it does not hold":          after("the event has:\n| status | \"CONFIRMED\" |\n| x | present |", "fail: expected x to be present, got absent [1]", came(one, confirmed)),
		"it should hold, twice not": after("the event should have:\n| status | \"X\" |\n| x | present |\n| event | \"CashOut\" |", `pass; warning: expected status to be "X", preferably, got "CONFIRMED" [1]; warning: expected x to be present, preferably, got absent [1]`, came(one, confirmed)),
		"it holds nothing":          after("the event has:\n| status | absent |", "fail: expected a JSON body, got tx-0000001 [1]", came(one, `tx-0000001`)),
		"the query":                 after("the event's request includes the URL's query string", "pass", came(one+"?"+URLQuery, confirmed)),
		"another query":             after("the event's request includes the URL's query string", `fail: expected the query of the registered URL, tenant=pixcert&step=1%202, got "a=1" [1]`, came(one+"?a=1", confirmed)),
		"a POST":                    after("the event should be a POST", "pass", came(one, confirmed)),
		"a GET":                     after("the event should be a POST", "pass; warning: expected POST, preferably, got GET [1]", get),
		"no marker":                 after(`no event has a header containing "marker"`, "pass", with("X-Key", "value", came(one, confirmed))),
		"a marker":                  after(`no event has a header containing "marker"`, "fail: expected no header with marker, got X-Key: marker,a [1]", with("X-Key", "a", with("X-Key", "marker", came(one, confirmed)))),
		"a marker in two headers":   after(`no event has a header containing "marker"`, "fail: expected no header with marker, got X-A: marker [1]", with("X-B", "marker", with("X-A", "marker", came(one, confirmed)))),
		"no event to hold":          {steps: "Then the event has:\n| status | absent |", want: "could not test: expected an event that this step refers to, got none recorded [-1]"},
		"no event with a query":     {steps: "Then the event's request includes the URL's query string", want: "could not test: expected an event that this step refers to, got none recorded [-1]"},
		"no event at all":           {steps: `Then no event has a header containing "marker"`, want: "pass"},
		"both differ":               twice(confirmed, known, "pass"),
		"both are alike":            twice(confirmed, confirmed, `fail: expected a different endToEndId from the previous event, got "E6070119020260301100000000001" [2]`),
		"the second has none":       twice(confirmed, wrapped, "fail: expected a different endToEndId from the previous event, got absent [2]"),
		"one event to differ":       after("the two events differ in endToEndId", "could not test: expected two responses or events to compare, got none recorded [-1]", came(one, confirmed)),
		"one event, by two names":   after("the two events differ in endToEndId", "could not test: expected two responses or events to compare, got none recorded [-1]", came(one, pendingTx), during(1, came(one, confirmed))),
		"again":                     again("the CashOut event arrives again", "pass", came(one, confirmed)),
		"not again":                 again("the CashOut event arrives again", "fail: expected another CashOut event at https://sink.example/1, got none [2]; look: deliveries for 10s"),
		"not again, by a control": again("the CashOut event arrives again", "fail: expected another CashOut event at https://sink.example/1, got none [3]; look: deliveries for 10s",
			record.Entry{Step: 2, Exchange: &exchange.Exchange{Party: exchange.Control, Operation: "returns", Method: http.MethodPost, Status: 200}}),
		"again, in an envelope":    again("the CashOut event arrives again", "pass; warning: expected a flat CashOut event, got one wrapped in {type, data} [3]", came(one, wrapped)),
		"again, by another name":   again("the CashOut event arrives again", "fail: expected another CashOut event at https://sink.example/1, got none [2]; look: deliveries for 10s", came(one, pendingTx)),
		"again with a header":      again(`the CashOut event arrives again with header X-Key "k"`, "pass", with("X-Key", "k", came(one, confirmed))),
		"again without the header": again(`the CashOut event arrives again with header X-Key "k"`, `fail: expected the header X-Key once, with "k", got absent [3]`, came(one, confirmed)),
		"again, as it should be":   again(`the CashOut event should arrive again with header X-Key "k"`, `pass; warning: expected the header X-Key once, with "k", got absent [3]`, came(one, confirmed)),
		"again after nothing":      {steps: "Then the CashOut event arrives again", want: noRequest},
		"again of nothing made":    {steps: "When the account sends a resend request\nThen the CashOut event arrives again", entries: list(nil, sent(0, "resend request", "", 200, `{}`)), want: noRequest},
	})
}

func TestSilence(t *testing.T) {
	t.Parallel()
	quiet := func(sentence, want string, entries ...record.Entry) story {
		return story{
			steps:   "When the account sends a cash-out\nThen a CashOut event arrives\nThen " + sentence,
			entries: list(list(nil, subscribed("cash_out", one), subscribed("cash_in", two), paid(), during(1, came(one, confirmed))), entries...),
			want:    want,
		}
	}
	other := subscribed("cash_out", "https://sink.example/3")
	other.Account = 1
	const failed = `{"event":"CashOut","transactionId":"tx-0000001","status":"ERROR"}`
	const liquidated = `{"type":"TRANSFER","data":{"id":"tx-0000001","status":"LIQUIDATED"}}`
	tell(t, map[string]story{
		"a quiet time first":             quiet("no cash_in event arrives", "look: silence for 2s"),
		"nothing":                        quiet("no cash_in event arrives", "pass", silence()),
		"something":                      quiet("no cash_in event arrives", "fail: expected nothing at https://sink.example/2, got an event [2]", came(two, confirmed)),
		"something of another":           quiet("no cash_in event arrives", "pass", came(two, stranger), silence()),
		"something at another URL":       quiet("no cash_in event arrives", "pass", came(one, confirmed), silence()),
		"something at any":               quiet("no event arrives", "fail: expected nothing at https://sink.example/1, got an event [1]", silence()),
		"something at the other account": quiet("no event arrives at the other account", "fail: expected nothing at https://sink.example/3, got an event [2]", other, came("https://sink.example/3", confirmed)),
		"nothing at the other account":   quiet("no event arrives at the other account", "pass", other, silence()),
		"no URL of the other account":    quiet("no event arrives at the other account", "could not test: expected a webhook URL, got none recorded [-1]", silence()),
		"not reported":                   quiet("no event reports it as LIQUIDATED", "pass", silence()),
		"reported":                       quiet("no event reports it as LIQUIDATED", "fail: expected no event with status LIQUIDATED, got one [2]", came(one, liquidated)),
		"reported otherwise":             quiet("no event reports it as REFUNDED", "pass", came(one, liquidated), silence()),
		"no other outcome":               quiet("no event should report a different outcome", "pass", came(one, confirmed), silence()),
		"another outcome":                quiet("no event should report a different outcome", "pass; warning: expected no event after the final status, got another event of the payment [2]", came(one, failed)),
		"another outcome of another":     quiet("no event should report a different outcome", "pass", came(one, stranger), silence()),
		"an event without an outcome":    quiet("no event should report a different outcome", "pass", came(one, `{"id":"tx-0000001"}`), silence()),
		"an outcome of no event":         {steps: "When the account sends a cash-out\nThen no event should report a different outcome", entries: list(nil, paid()), want: "could not test: expected an event that this step refers to, got none recorded [-1]"},
		"of nothing":                     {steps: "Then no event arrives", want: noRequest},
		"of any variant": {
			steps: "When the account sends a cash-out whose value is invalid\nThen no event arrives",
			entries: list(nil, subscribed("cash_out", one), inVariant("first", sent(0, "cash-out", `{"externalId":"order-0001"}`, 400, `{}`)),
				inVariant("second", sent(0, "cash-out", `{"externalId":"order-0002"}`, 400, `{}`)), came(one, `{"event":"CashOut","externalId":"order-0001"}`)),
			want: "fail: expected nothing at https://sink.example/1, got an event [2]",
		},
	})
}

// An event that arrives by its right name after one by another takes its place.
func TestTheLastEventIsTheRightOne(t *testing.T) {
	t.Parallel()
	j, entries := story{
		steps:   "When the account sends a cash-out\nThen a CashOut event arrives",
		entries: list(nil, subscribed("cash_out", one), subscribed("cash_out", two), paid(), came(one, pendingTx), came(two, confirmed)),
	}.begin(t)
	for _, e := range entries[:4] {
		j.Add(e)
	}
	assert.Equal(t, "pass; look: deliveries for 10s", said(j.Judge(1)))
	assert.Equal(t, pendingTx, string(j.Event.Body))
	j.Add(entries[4])
	assert.Equal(t, "pass", said(j.Judge(1)))
	assert.Equal(t, confirmed, string(j.Event.Body))
	assert.Len(t, j.waited, 1)
	assert.Equal(t, "E6070119020260301100000000001", j.LastOf(1).EndToEndID)
}

// Each place is waited for with a patience of its own.
func TestLooksAtEachURLAreApart(t *testing.T) {
	t.Parallel()
	s := story{
		steps:   "When the account sends a cash-out\nThen a CashOut event arrives at each URL",
		entries: list(nil, subscribed("cash_out", one), subscribed("cash_out", two), paid()),
	}
	first := s.judged(t).Look
	s.entries = list(s.entries, came(one, confirmed))
	second := s.judged(t).Look
	assert.NotEqual(t, first.Key(), second.Key())
	assert.Equal(t, 10*time.Second, second.Patience)
}

// Strangers are what names nothing that the run has sent; what is no object is no event.
func TestStrangers(t *testing.T) {
	t.Parallel()
	j, entries := story{steps: "When the account sends a cash-out", entries: list(nil,
		sent(0, "cash-out", `{"value":10.00,"externalId":"order-0001"}`, 201, `{"transactionId":"tx-0000001"}`),
		came(one, `{"externalId":"order-0001"}`), came(one, `{"externalId":"Order-run7-12"}`), came(one, `{"externalId":"Order-run8-12"}`), came(one, "junk"),
	)}.begin(t)
	for _, e := range entries {
		j.Add(e)
	}
	assert.Equal(t, 2, j.Strangers("run7"))
	assert.False(t, isObject(j.Events[3]))
	assert.True(t, isObject(j.Events[2]))
}
