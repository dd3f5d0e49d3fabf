package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
)

// A response of which the end is missing breaks no contract: its rest may have been right.
func TestWhatIsCutOffBreaksNoContract(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err    string
		broken bool
	}{"whole": {"", true}, "cut off": {"the connection broke within the body", false}} {
		answer := sent(0, "cash-out", `{"value":10.00}`, 201, `{"transactionId":"tx-1"`)
		answer.Exchange.Err = c.err
		j, _ := story{steps: "When the account sends a cash-out"}.begin(t)
		j.Add(answer)
		assert.Equal(t, c.broken, len(j.Breaches()) > 0, name)
	}
}

func TestRegistrations(t *testing.T) {
	t.Parallel()
	const request, other = `{"url":"https://sink.example/1","eventType":"cash_out","headers":[{"key":"X-Key","value":"k"}]}`, `{"url":"https://sink.example/2","eventType":"cash_in"}`
	entry := func(url, eventType, headers string) string {
		return fmt.Sprintf(`{"url":%q,"type":%q,"headers":%s}`, url, eventType, headers)
	}
	listed := func(which, want string, entries ...string) story {
		return story{
			steps: "Given the account has sent a webhook registration\nGiven the account has sent a webhook registration\nWhen the account sends a webhook list request\nThen the " + which + " registration is listed as it was sent",
			entries: list(nil, sent(0, "webhook registration", request, 200, `{}`), sent(1, "webhook registration", other, 200, `{}`),
				sent(2, "webhook list request", "", 200, `{"webhooks":[`+strings.Join(entries, ",")+`]}`)),
			want: want,
		}
	}
	// The first URL was registered again, without its header.
	each := func(want string, list string) story {
		return story{
			steps: "Given the account has sent a webhook registration\nWhen the account sends a webhook list request\nThen each registration is listed as it was last sent",
			entries: []record.Entry{
				fact(0, record.Fact{Kind: record.Opened}),
				sent(0, "webhook registration", request, 200, `{}`), sent(0, "webhook registration", other, 200, `{}`),
				sent(0, "webhook registration", `{"url":"https://sink.example/1","eventType":"cash_out","headers":[]}`, 200, `{}`),
				byOther(sent(0, "webhook registration", `{"url":"https://sink.example/3","eventType":"cash_out"}`, 200, `{}`)),
				sent(1, "webhook list request", "", 200, list),
			},
			want: want,
		}
	}
	refused := func(body, want string, entries ...record.Entry) story {
		return story{
			steps:   "When the account sends a webhook registration\nThen the request is rejected with 400",
			entries: list(list(nil, entries...), sent(0, "webhook registration", body, 400, `{}`)), want: want,
		}
	}
	shows := func(entries ...string) record.Entry {
		return looked("webhook list request", 200, `{"webhooks":[`+strings.Join(entries, ",")+`]}`)
	}
	lists := func(index int) []record.Entry {
		return list(nil, openedFixed(), as(record.Aside, sent(0, "webhook list request", "", 200, `{"webhooks":[`+entry(one, "cash_out", "{}")+`]}`)),
			fact(0, record.Fact{Kind: record.Registered, Index: index}))
	}
	and := func(s story, more ...record.Entry) story { s.entries = list(s.entries, more...); return s }
	tell(t, map[string]story{
		"listed":                           listed("first", "pass", entry(one, "cash_out", `{"x-key":"k"}`)),
		"the last, without headers":        listed("last", "pass", entry(one, "cash_out", `{"x-key":"k"}`), entry(two, "cash_in", `{}`)),
		"not listed":                       listed("last", "fail: expected one entry of type cash_in with the url https://sink.example/2, got 0 of 1 entries match [2]", entry(one, "cash_out", `{"x-key":"k"}`)),
		"listed for another type":          listed("first", "fail: expected one entry of type cash_out with the url https://sink.example/1, got 0 of 1 entries match [2]", entry(one, "cash_in", `{"x-key":"k"}`)),
		"listed twice":                     listed("first", "fail: expected one entry of type cash_out with the url https://sink.example/1, got 2 of 2 entries match [2]", entry(one, "cash_out", `{"X-Key":"k"}`), entry(one, "cash_out", `{"X-Key":"k"}`)),
		"with another value":               listed("first", `fail: expected headers {"X-Key":"k"}, got {"x-key":"other"} [2]`, entry(one, "cash_out", `{"x-key":"other"}`)),
		"with one header more":             listed("first", `fail: expected headers {"X-Key":"k"}, got {"x-key":"k","y":"z"} [2]`, entry(one, "cash_out", `{"x-key":"k","y":"z"}`)),
		"with no headers":                  listed("first", `fail: expected headers {"X-Key":"k"}, got null [2]`, entry(one, "cash_out", `null`)),
		"headers as a list":                listed("first", `fail: expected headers {"X-Key":"k"}, got a list of 1 item [2]`, entry(one, "cash_out", `[{"key":"X-Key","value":"k"}]`)),
		"each, as it was last sent":        each("pass", `{"total":2,"webhooks":[{"id":1,"url":"https://sink.example/1","type":"cash_out","headers":{}},{"id":2,"url":"https://sink.example/2","type":"cash_in","headers":{}}]}`),
		"one of them as it was before":     each(`fail: expected headers {}, got {"X-Key":"k"} [4]`, `{"total":2,"webhooks":[{"id":1,"url":"https://sink.example/1","type":"cash_out","headers":{"X-Key":"k"}},{"id":2,"url":"https://sink.example/2","type":"cash_in","headers":{}}]}`),
		"each, and one more":               each("fail: expected 2 entries, one for each URL and type registered, got 3 [4]", `{"total":3,"webhooks":[{"id":1,"url":"https://sink.example/1","type":"cash_out","headers":{}},{"id":2,"url":"https://sink.example/2","type":"cash_in","headers":{}},{"id":3}]}`),
		"each, by another total":           each("fail: expected total to be 2, as many as are listed, got 1 [4]", `{"total":1,"webhooks":[{"id":1,"url":"https://sink.example/1","type":"cash_out","headers":{}},{"id":2,"url":"https://sink.example/2","type":"cash_in","headers":{}}]}`),
		"each, with one id":                each("fail: expected a different id for each registration, got the id 1 twice [4]", `{"total":2,"webhooks":[{"id":1,"url":"https://sink.example/1","type":"cash_out","headers":{}},{"id":1,"url":"https://sink.example/2","type":"cash_in","headers":{}}]}`),
		"nothing was registered":           {steps: "When the account sends a webhook list request\nThen the last registration is listed as it was sent", entries: list(nil, sent(0, "webhook list request", "", 200, `{}`)), want: "could not test: expected an accepted registration that this step refers to, got none recorded [-1]"},
		"a refusal: the list is looked at": refused(request, "look: registrations for 0s"),
		"a refusal that left nothing":      and(refused(request, "pass"), shows(entry(two, "cash_out", "{}"))),
		"a refusal that was registered":    and(refused(request, "fail: expected nothing to be registered by a refused request, got its URL is listed for cash_out [0]"), shows(entry(one, "cash_out", "{}"))),
		"a refusal without a URL":          refused(`{"eventType":"cash_out"}`, "pass"),
		"a refusal of what was there":      refused(request, "pass", subscribed("cash_out", one)),
		"a list that is gone":              and(refused(request, "pass"), looked("webhook list request", 401, `{}`)),
		"on an old account: as before":     and(refused(request, "pass", lists(0)...), shows(entry(one, "cash_out", "{}"))),
		"on a new account: as before":      and(refused(request, "fail: expected nothing to be registered by a refused request, got its URL is listed for cash_out [1]", lists(0)[1:]...), shows(entry(one, "cash_out", "{}"))),
		"on an old account: one more":      and(refused(request, "fail: expected nothing to be registered by a refused request, got its URL is listed for cash_out [1]", lists(0)...), shows(entry(one, "cash_out", "{}"), entry(one, "cash_out", "{}"))),
		"on an old account: not read":      and(refused(request, "fail: expected nothing to be registered by a refused request, got its URL is listed for cash_out [1]", lists(7)...), shows(entry(one, "cash_out", "{}"))),
	})
}

// Header values that cannot be compared with == are no reason to panic.
func TestHeadersOfAnyType(t *testing.T) {
	t.Parallel()
	assert.True(t, EqualHeaders(map[string]any{"a": []any{"x"}}, map[string]any{"A": []any{"x"}}))
	assert.False(t, EqualHeaders(map[string]any{"a": map[string]any{}}, map[string]any{"A": []any{}}))
	assert.True(t, EqualHeaders(map[string]any{}, nil))
	assert.False(t, EqualHeaders(nil, nil))
}

const balances = `{"data":[{"accountId":93,"balanceAmount":{"available":10.00,"blocked":0.00,"overdraft":0.00},"eventDate":"2026-03-01T10:00:00Z"}]}`

func TestTheWireContract(t *testing.T) {
	t.Parallel()
	matches := func(want string, entries ...record.Entry) story {
		return story{rule: "contract.balances", steps: "When the account sends a balance request\nThen the responses match the contract", entries: entries, want: want}
	}
	events := func(body, want string) story {
		return story{
			steps:   "When the account sends a cash-out\nThen a CashOut event arrives\nThen the events match the contract",
			entries: list(nil, subscribed("cash_out", one), paid(), during(1, came(one, body))), want: want,
		}
	}
	answered := func(status int, body string) record.Entry { return sent(0, "balance request", "", status, body) }
	tell(t, map[string]story{
		"it matches":             matches("pass", answered(200, balances)),
		"it does not match":      matches("fail: expected a response of GET /accounts/balances that matches openapi.yaml, got 200 with: data must be an array [0]", answered(200, `{"data":7}`)),
		"no response":            matches("fail: expected a response, got no response: connection refused [0]", answered(0, "connection refused")),
		"too long":               matches("fail: expected a response of GET /accounts/balances that matches openapi.yaml, got 200 with: the body is longer than any response of the API [0]", truncated(list(nil, answered(200, `{}`)))...),
		"the path of another":    matches("fail: expected a response of GET /accounts/balances that matches openapi.yaml, got 404 with: path must be the path of the request, /accounts/balances [0]", answered(404, `{"statusCode":404,"error":"Not Found","timestamp":"2026-03-01T10:00:00Z","path":"/x","method":"GET","message":"no"}`)),
		"the method of another":  matches("fail: expected a response of GET /accounts/balances that matches openapi.yaml, got 404 with: method must be the method of the request, GET [0]", answered(404, `{"statusCode":404,"error":"Not Found","timestamp":"2026-03-01T10:00:00Z","path":"/accounts/balances","method":"POST","message":"no"}`)),
		"an event by its name":   events(confirmed, "fail: expected a CashOut event that matches openapi.yaml, got transactionType is required [1]"),
		"an event by another":    events(pendingTx, `fail: expected an event named CashOut, in event or type, got "Order" [1]`),
		"an event in its wrap":   events(wrapped, "fail: expected a CashOut event that matches openapi.yaml, got transactionType is required [1]"),
		"no event":               {steps: "Then the events match the contract", want: "could not test: expected an event that this step refers to, got none recorded [-1]"},
		"another rule's answers": {steps: "When the account sends a cash-out\nThen the responses match the contract", entries: list(nil, sent(0, "cash-out", order, 201, `7`)), want: noRequest},
	})
}

// breaches are the rules that a story breaks, with the exchanges that show it.
func breaches(t *testing.T, s story) []string {
	t.Helper()
	j, entries := s.begin(t)
	for _, e := range entries {
		j.Add(e)
	}
	var all []string
	for _, b := range j.Breaches() {
		all = append(all, fmt.Sprintf("%s [%d]", b.Rule, slices.Index(j.Exchanges, b.Exchange)))
	}
	return slices.Compact(all)
}

func TestBreaches(t *testing.T) {
	t.Parallel()
	const steps = "When the account sends a cash-out"
	otherContent := sent(0, "cash-out", `<x/>`, 415, `<html>`)
	otherContent.Exchange.Header.Set("Content-Type", "text/xml")
	token := func(answer string) record.Entry { return sent(0, "token request", `{}`, 403, answer) }
	handshake := func(terms *record.Terms) { terms.Handshake = true }
	doubtful := fact(0, record.Fact{Kind: record.Doubtful, Index: 0})
	for name, c := range map[string]struct {
		story
		want []string
	}{
		"of a request":                     {story{entries: list(nil, sent(0, "cash-out", order, 201, `7`))}, []string{"contract.cash-out [0]"}},
		"of a look":                        {story{entries: list(nil, as(record.Look, sent(0, "balance request", "", 200, `7`)))}, []string{"contract.balances [0]"}},
		"of another content type":          {story{entries: list(nil, otherContent)}, nil},
		"of an operation nobody needs":     {story{entries: list(nil, sent(0, "standard balance request", "", 200, `7`))}, nil},
		"of no response":                   {story{entries: list(nil, sent(0, "cash-out", order, 0, "gone"))}, nil},
		"of an event":                      {story{entries: list(nil, paid(), came(one, confirmed))}, []string{"contract.cash-out [0]", "contract.cash-out-event [1]"}},
		"of a stranger's event":            {story{entries: list(nil, paid(), came(one, `{"event":"CashOut"}`))}, []string{"contract.cash-out [0]"}},
		"of an event by no name":           {story{entries: list(nil, paid(), came(one, `{"id":"tx-0000001"}`))}, []string{"contract.cash-out [0]"}},
		"of an edge":                       {story{terms: handshake, entries: list(nil, token(`<html>`))}, nil},
		"of a gateway behind an edge":      {story{terms: handshake, entries: list(nil, token(`<html>`), as(record.Aside, sent(0, "token request", `{}`, 201, `{"access_token":"x","token_type":"Bearer","expires_in":1800}`)))}, []string{"contract.token [0]", "contract.token [1]"}},
		"of an edge, by a bad certificate": {story{terms: handshake, entries: list(nil, token(`{}`), doubtful, as(record.Aside, sent(0, "token request", `{}`, 201, `{}`)))}, []string{"contract.token [1]"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.steps = steps
			assert.Equal(t, c.want, breaches(t, c.story))
		})
	}
}
