package record

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/target"
)

var began = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// sent is a request with its response.
func sent(noun, url, body string, status int, answer string) Entry {
	return Entry{Exchange: &exchange.Exchange{
		Party: exchange.API, Operation: noun, URL: "https://gw.example/v1" + url, Body: []byte(body), Status: status, ResponseBody: []byte(answer), Header: http.Header{},
	}}
}

func came(url, body string) Entry {
	return Entry{Exchange: &exchange.Exchange{Party: exchange.Webhook, URL: url, Body: []byte(body)}}
}

func fact(f Fact) Entry { return Entry{Fact: &f} }

// view returns a view of those entries.
func view(entries ...Entry) *View {
	v := NewView(&Terms{BasePath: "/v1", Handshake: true})
	for _, e := range entries {
		v.Add(e)
	}
	return v
}

// attempt returns a request as a view shows it.
func attempt(e Entry) *Attempt { return view(e).It() }

func TestRequests(t *testing.T) {
	t.Parallel()
	e := sent("refund", "/pix/E1%2F2/devolucao/d%201?x=1", `{"valor":"4.00","descricao":null}`, 200, `{"rtrId":"D12345678"}`)
	e.Exchange.Header.Set("X-Key", "k")
	a := attempt(e)
	assert.Equal(t, "/pix/E1%2F2/devolucao/d%201", a.Path())
	assert.Equal(t, "E1/2", a.Parameter("e2eid"))
	assert.Equal(t, "d 1", a.Parameter("id"))
	assert.Empty(t, a.Parameter("txid"))
	assert.True(t, a.Accepted())
	assert.True(t, a.Is(api.Charge, api.Refund))
	assert.False(t, a.Is(api.Payment))
	for field, want := range map[string]string{"valor": "4.00", "path id": "d 1", "id": "d 1", "header X-Key": "k", "X-Key": "k", "descricao": "", "nothing": "", "path nothing": ""} {
		assert.Equal(t, want, a.SentText(field), field)
	}
	_, ok := a.SentField("descricao")
	assert.True(t, ok, "null is there")
	amount, ok := a.Amount()
	assert.True(t, ok)
	assert.Equal(t, money.Centavos(4_00), amount)
	assert.Equal(t, []string{"D12345678"}, a.IDs(), "short ones may be anywhere")

	other := sent("refund", "://", ``, 400, `{}`)
	other.Exchange.URL = "://"
	assert.Empty(t, attempt(other).Path())
	assert.Empty(t, attempt(sent("refund", "/pix/%zz", ``, 400, `{}`)).Parameter("id"))
	assert.Nil(t, view(sent("teleport", "/", ``, 200, `{}`)).It(), "an operation of a later version")
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for body, ok := range map[string]bool{`{"value":4.00}`: true, `{"value":"4.00"}`: true, `{"value":null}`: false, `{"value":0.001}`: false, `{}`: false, ``: false} {
		_, got := attempt(sent("cash-out", "/api/pix/cash-out", body, 201, ``)).Amount()
		assert.Equal(t, ok, got, body)
	}
	_, ok := attempt(sent("balance request", "/accounts/balances", `{"value":1}`, 200, ``)).Amount()
	assert.False(t, ok)
}

// Sentences speak of the payment that they have returned to, until something else is ordered.
func TestMeant(t *testing.T) {
	t.Parallel()
	order := func() Entry { return sent("cash-out", "/api/pix/cash-out", `{"value":1.00}`, 201, `{}`) }
	v := view(order(), sent("cob", "/cob/1", `{}`, 201, `{}`), order())
	assert.Equal(t, 2, v.LastOf(api.Payment).Index)
	v.Add(fact(Fact{Kind: Meant, Index: 0}))
	assert.Equal(t, 0, v.LastOf(api.Payment, api.Charge).Index)
	assert.Equal(t, 1, v.LastOf(api.Charge).Index)
	v.Add(sent("balance request", "/accounts/balances", ``, 200, `{}`))
	assert.Equal(t, 0, v.LastOf(api.Payment).Index)
	v.Add(order())
	assert.Equal(t, 4, v.LastOf(api.Payment).Index)
	assert.Nil(t, v.Meant())
}

func TestIdentities(t *testing.T) {
	t.Parallel()
	const long = "Order-00001"
	v := view(sent("cash-out", "/api/pix/cash-out", `{"externalId":"`+long+`"}`, 201, `{"transactionId":"tx-0000001"}`), fact(Fact{Kind: Returned, Index: 0, Text: "E60701190"}))
	a := v.It()
	assert.Equal(t, []string{"tx-0000001", long, "E60701190"}, a.IDs())
	assert.True(t, a.Returned)
	for item, is := range map[string]bool{
		`{"transactionId":"tx-0000001"}`: true, `{"externalId":"Order-00001"}`: true, `{"endToEndId":"E60701190"}`: true,
		`{"transactionId":"x","externalId":"y"}`: false, `{}`: false, `7`: false, `null`: false,
	} {
		var decoded any
		require.NoError(t, json.Unmarshal([]byte(item), &decoded))
		assert.Equal(t, is, a.IsListedAs(decoded), item)
	}
	for body, want := range map[string]struct {
		id string
		ok bool
	}{
		`{"externalId":"a"}`: {"a", true}, `{"transaction":{"externalId":"b"}}`: {"b", true}, `{"externalId":7}`: {"", true}, `{}`: {"", false}, ``: {"", false},
	} {
		id, ok := attempt(sent("cash-out", "/api/pix/cash-out", body, 201, ``)).ExternalID()
		assert.Equal(t, want.id, id, body)
		assert.Equal(t, want.ok, ok, body)
	}
}

func TestSummaries(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]Entry{
		"201":                               sent("cash-out", "/", ``, 201, `{}`),
		"400 HTTP_ERROR, a; b":              sent("cash-out", "/", ``, 400, `{"code":"HTTP_ERROR","message":["a","b"]}`),
		"400, a":                            sent("cash-out", "/", ``, 400, `{"message":"a"}`),
		"400, null; 7":                      sent("cash-out", "/", ``, 400, `{"code":7,"message":[null,7]}`),
		"502, with a body that is not JSON": sent("cash-out", "/", ``, 502, `<html>`),
	} {
		assert.Equal(t, want, attempt(e).Summary())
	}
	e := sent("cash-out", "/", ``, 0, ``)
	e.Exchange.Err = "the connection was refused"
	assert.Equal(t, "no response: the connection was refused", attempt(e).Summary())
	e = sent("cash-out", "/", ``, 200, `{}`)
	e.Exchange.Truncated, e.Exchange.Err = true, "cut"
	assert.Equal(t, "200, with a body longer than pixcert reads (cut)", attempt(e).Summary())
	assert.False(t, attempt(e).NoResponse())
	e = sent("cash-out", "/", ``, 301, ``)
	e.Exchange.ResponseHeader = http.Header{"Location": {"http://elsewhere/"}}
	assert.Equal(t, "301 to http://elsewhere/", attempt(e).Summary())
	assert.True(t, attempt(sent("cash-out", "/", ``, 429, ``)).IsThrottled())
}

func TestPayCodes(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"pixCode":"a","location":"b"}`: "a", `{"loc":{"location":"c"},"location":"b"}`: "c", `{"location":"b"}`: "b", `{"pixCode":null,"location":"b"}`: "b", `{}`: "", ``: "",
	} {
		code, ok := attempt(sent("cob", "/cob/x", ``, 201, answer)).PayCode()
		assert.Equal(t, want, code, answer)
		assert.Equal(t, want != "", ok, answer)
	}
	_, ok := attempt(sent("cob", "/cob/x", ``, 400, `{"location":"b"}`)).PayCode()
	assert.False(t, ok, "of a refusal")
}

func TestResponsesOfAnEdge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status   int
		answer   string
		doubtful bool
		edge     bool
	}{
		{403, `<html>`, false, true}, {403, `{}`, false, false}, {403, `{}`, true, true}, {403, `{"code":"X"}`, true, false}, {401, `{"statusCode":401,"errorId":"1"}`, true, false}, {401, `{"code":null}`, true, false}, {201, ``, true, false}, {500, ``, false, false},
	} {
		v := view(sent("token request", "/oauth/token", ``, c.status, c.answer))
		if c.doubtful {
			v.Add(fact(Fact{Kind: Doubtful, Index: 0, Yes: true}))
		}
		assert.Equal(t, c.edge, v.It().MayBeOfEdge(v.Terms), "%+v", c)
		assert.Equal(t, c.doubtful, v.It().ShowsNone)
		assert.False(t, v.It().MayBeOfEdge(&Terms{}), "certificates in a header")
	}
	assert.False(t, attempt(sent("cash-out", "/", ``, 403, ``)).MayBeOfEdge(&Terms{Handshake: true}), "only token requests")
}

func TestBalances(t *testing.T) {
	t.Parallel()
	balance := func(available, blocked string) string {
		return `{"data":[{"balanceAmount":{"available":` + available + `,"blocked":` + blocked + `}}]}`
	}
	e := sent("balance request", "/accounts/balances", ``, 200, balance("10.0", "0.5"))
	e.Role = Before
	later := sent("balance request", "/accounts/balances", ``, 200, balance("1", "1"))
	later.Role = Look
	v := view(sent("cash-out", "/", ``, 201, ``), e, later)
	require.NotNil(t, v.Before)
	assert.Equal(t, Balance{Available: 10_00, Blocked: 50, Index: 1}, *v.Before)
	for _, no := range []string{balance(`"10"`, "0"), balance("10", "null"), balance("0.001", "0"), `{"data":[]}`, `<html>`} {
		_, ok := attempt(sent("balance request", "/accounts/balances", ``, 200, no)).Balance()
		assert.False(t, ok, no)
	}
	_, ok := attempt(sent("balance request", "/accounts/balances", ``, 500, balance("1", "1"))).Balance()
	assert.False(t, ok)
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]struct {
		name, status, id string
		wrapped          bool
	}{
		`{"event":"CashOut","status":"CONFIRMED","endToEndId":"E1"}`:     {"CashOut", "CONFIRMED", "E1", false},
		`{"type":"TRANSFER","data":{"status":"PENDING"}}`:                {"TRANSFER", "PENDING", "", false},
		`{"type":"CashOut","data":{"status":"ERROR"}}`:                   {"CashOut", "ERROR", "", true},
		`{"type":"X","data":{"event":"CashOut","endToEndId":"E2"}}`:      {"CashOut", "", "E2", true},
		`{"event":"CashOut","type":"CashOut","data":{"status":"ERROR"}}`: {"CashOut", "ERROR", "", false},
		`{"event":"","type":"X"}`:                                        {"", "", "", false}, `{"event":null}`: {"null", "", "", false},
		`{"status":null,"data":{"status":"A"}}`: {"", "A", "", false},
		`[]`:                                    {}, `null`: {}, `7`: {}, ``: {}, `<html>`: {}, "\xff": {},
	} {
		d := view(came("https://sink.example/1?a=b", body)).Events[0]
		assert.Equal(t, want.name, d.Name, body)
		assert.Equal(t, want.wrapped, d.Wrapped, body)
		assert.Equal(t, want.status, d.Text("status"), body)
		assert.Equal(t, want.id, d.Text("endToEndId"), body)
		assert.Equal(t, "https://sink.example/1", d.At)
		assert.Equal(t, "a=b", d.Query)
	}
	d := view(came("", `{"event":"TRANSFER","data":{"status":"LIQUIDATED","id":"tx-0000001"}}`)).Events[0]
	assert.True(t, d.Names("x", "tx-0000001"))
	assert.False(t, d.Names("", "y"))
	assert.False(t, d.Names("tx-000000"), "the beginning of a longer id")
	assert.True(t, d.IsCalled("TRANSFER"))
	assert.True(t, d.IsCalled("cash_out"), "a type of subscription is not the name of a payload")
	assert.False(t, d.IsCalled("REFUND"))
	assert.True(t, view(came("", `{"event":"CashOut","status":"PENDING"}`)).Events[0].IsCalled("CashOut"), "which has no status of an end")
	assert.False(t, view(came("", `{"event":"TRANSFER","data":{"status":"PENDING"}}`)).Events[0].IsCalled("TRANSFER"))
	assert.False(t, view(came("", `{"event":"TRANSFER","data":{"status":["LIQUIDATED"]}}`)).Events[0].IsCalled("TRANSFER"))
}

func TestViewOfFacts(t *testing.T) {
	t.Parallel()
	v := view(
		fact(Fact{Kind: Opened, Text: "key", Yes: true}), fact(Fact{Kind: Unsettled}),
		Entry{Account: language.TheOther, Fact: &Fact{Kind: Opened}},
		fact(Fact{Kind: Subscribed, Text: "cash_out", Of: "u"}), fact(Fact{Kind: Subscribed, Text: "cash_out", Of: "u"}), fact(Fact{Kind: Subscribed, Text: "cash_in", Of: "u"}),
		fact(Fact{Kind: Temporary, Of: "t"}), fact(Fact{Kind: WhenBegan, At: began}), fact(Fact{Kind: TimePassed, At: began.Add(time.Hour)}),
		fact(Fact{Kind: Opening, Text: "7", Of: "E1"}), fact(Fact{Kind: Reached}),
		Entry{Step: 3, Fact: &Fact{Kind: Quiet, For: time.Second}}, Entry{Step: 3, Fact: &Fact{Kind: Quiet, For: time.Second}},
		Entry{Step: 4, Obstacle: Cannot("it rains")},
		sent("webhook list request", "/api/webhooks", ``, 200, `{}`), fact(Fact{Kind: Registered, Index: 0}),
	)
	assert.Equal(t, Account{Opened: true, Fixed: true, Unsettled: true, PixKey: "key", Receivers: []Receiver{{"cash_out", "u"}, {"cash_in", "u"}}}, v.Accounts[language.TheAccount])
	assert.Equal(t, Account{Opened: true}, v.Accounts[language.TheOther])
	assert.Equal(t, []string{"t"}, v.Temporary)
	assert.Equal(t, began, v.When)
	assert.Equal(t, began.Add(time.Hour), v.Passed)
	assert.Equal(t, Case{ID: "7", EndToEndID: "E1"}, v.Case(language.Last))
	assert.Empty(t, v.Case(2))
	assert.EqualValues(t, 7, v.Case(1).Number())
	assert.True(t, v.Reached)
	assert.True(t, v.WasQuiet(3))
	assert.False(t, v.WasQuiet(4))
	assert.EqualError(t, v.Obstacle(4), "it rains")
	assert.Nil(t, v.Obstacle(3))
	assert.Same(t, v.Exchanges[0], v.RegisteredBefore().Exchange)

	nothing := view()
	assert.Nil(t, nothing.RegisteredBefore())
	assert.Zero(t, nothing.Case(language.Last).Number())
	assert.Nil(t, nothing.It())
	assert.Nil(t, nothing.LastOf(api.Payment))
	assert.Empty(t, nothing.Several())
	_, _, ok := nothing.Two()
	assert.False(t, ok)
}

// The first balance of a new account is its funds, if no money has moved. Creating accounts moves none.
func TestTheFundsOfANewAccount(t *testing.T) {
	t.Parallel()
	control := func(of target.Control, method string) Entry {
		return Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Operation: string(of), Method: method}}
	}
	read := sent("balance request", "/accounts/balances", "", 200, `{"data":[{"balanceAmount":{"available":0.00,"blocked":0.00}}]}`)
	read.Role = Before
	opened := fact(Fact{Kind: Opened})
	made := control(target.Accounts, http.MethodPost)
	for name, c := range map[string]struct {
		entries []Entry
		known   bool
	}{
		"made":                         {[]Entry{made, opened, read}, true},
		"two made":                     {[]Entry{made, opened, made, read}, true},
		"of the profile":               {[]Entry{fact(Fact{Kind: Opened, Yes: true}), read}, false},
		"somebody has paid":            {[]Entry{made, opened, control(target.Payments, http.MethodPost), read}, false},
		"a payment has been sent":      {[]Entry{made, opened, sent("cash-out", "/api/pix/cash-out", "", 500, ""), read}, false},
		"a charge that nobody paid":    {[]Entry{made, opened, sent("cob", "/cob/1", "", 201, ""), read}, true},
		"settings, which move nothing": {[]Entry{made, opened, control(target.Clock, http.MethodPut), read}, true},
	} {
		funds := view(c.entries...).Accounts[language.TheAccount].Funds
		if !c.known {
			assert.Nil(t, funds, name)
			continue
		}
		assert.Equal(t, &Funds{0, len(c.entries) - 2}, funds, name)
	}
}

// An entry that the suite cannot have recorded is ignored, and takes no index.
func TestInvalidEntries(t *testing.T) {
	t.Parallel()
	v := view()
	for _, e := range []Entry{{}, {Account: 2, Fact: &Fact{Kind: Opened}}, {Account: -1, Fact: &Fact{Kind: Opened}}} {
		assert.Equal(t, -1, v.Add(e))
	}
	assert.Empty(t, v.Exchanges)
	assert.Equal(t, -1, v.Add(fact(Fact{Kind: Paid, Index: 9})), "of a request that does not exist")
	assert.Equal(t, 0, v.Add(came("u", ``)))
	assert.Equal(t, 1, v.Add(sent("teleport", "/", ``, 200, ``)))
}

func TestViewOfRequestsAndEvents(t *testing.T) {
	t.Parallel()
	as := func(role Role, step int, e Entry) Entry { e.Role, e.Step = role, step; return e }
	batch := func(step int, e Entry) Entry { e.AtOnce, e.Step = true, step; return e }
	control := func(step int, name string) Entry {
		return Entry{Step: step, Exchange: &exchange.Exchange{Party: exchange.Control, Operation: name}}
	}
	v := view(
		sent("cash-out", "/", ``, 201, `{}`), sent("cash-out", "/", ``, 400, `{}`), batch(1, sent("cash-in", "/", ``, 201, `{}`)), batch(2, sent("cash-in", "/", ``, 400, `{}`)),
		batch(2, sent("cash-in", "/", ``, 201, `{}`)), as(Look, 3, sent("balance request", "/", ``, 200, `1`)), as(Look, 3, sent("balance request", "/", ``, 200, `2`)),
		as(Aside, 3, sent("balance request", "/", ``, 200, `3`)), control(3, "charges"), control(3, "charges"), control(3, "splits"), sent("refund", "/", ``, 200, `{}`),
		came("u", `{}`), came("w?x", `{}`),
	)
	at := func(a *Attempt, err error) int {
		require.NoError(t, err)
		return a.Index
	}
	assert.Equal(t, 11, v.It().Index)
	a, b, ok := v.Two()
	assert.True(t, ok)
	assert.Equal(t, [2]int{4, 11}, [2]int{a.Index, b.Index})
	assert.Equal(t, 1, v.LastOf(api.Payment).Index)
	assert.Equal(t, 4, v.LastOf(api.Payment, api.Charge).Index)
	assert.Equal(t, 4, at(v.Nth(language.Last, api.Payment, api.Charge)))
	assert.Equal(t, 0, at(v.Nth(1, api.Payment, api.Charge)))
	assert.Equal(t, 2, at(v.Nth(2, api.Payment, api.Charge)))
	_, err := v.Nth(2, api.Payment)
	var o *Obstacle
	require.ErrorAs(t, err, &o)
	assert.Equal(t, "there is no second accepted payment", o.Reason)
	_, err = view().Nth(language.Last, api.Payment)
	assert.Error(t, err)
	if together := v.Several(); assert.Len(t, together, 2) {
		assert.Equal(t, 3, together[0].Index)
	}
	assert.Equal(t, 6, v.LookOf(3, "balance request").Index)
	assert.Nil(t, v.LookOf(2, "balance request"))
	call, ok := v.CallOf(3, "charges")
	assert.True(t, ok)
	assert.Equal(t, 9, call.Index)
	_, ok = v.CallOf(2, "charges")
	assert.False(t, ok)
	assert.Equal(t, 7, v.Attempt(7).Index)
	assert.Nil(t, v.Attempt(8))
	if events := v.EventsAt([]Receiver{{URL: "w"}, {URL: "z"}}); assert.Len(t, events, 1) {
		assert.Equal(t, 13, events[0].Index)
	}
}

// A record that is written and read back is unchanged.
func TestRecordRoundTrip(t *testing.T) {
	t.Parallel()
	r := &Record{Rule: "cash-out.rule", Name: "one", Started: began, Took: time.Second, Attempt: 1, Entries: []Entry{
		sent("cash-out", "/", "\xff", 201, `{"a":1}`), fact(Fact{Kind: Quiet, For: time.Second, At: began, Text: "1", Yes: true}),
		{Step: 2, Obstacle: &Obstacle{Kind: Broken, Reason: "why", Exchange: -1}}, {Role: Look, Account: language.TheOther, AtOnce: true, Fact: &Fact{Kind: Reached}},
	}}
	b, err := json.Marshal(r)
	require.NoError(t, err)
	var back Record
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, *r, back)
	assert.Equal(t, "cash-out.rule/one", r.ID())
}

func TestFeesAreKnown(t *testing.T) {
	t.Parallel()
	assert.True(t, (&Terms{Fees: target.Fees{CashOut: "0.00", CashIn: "0.10"}}).FeesKnown())
	assert.False(t, (&Terms{Fees: target.Fees{CashOut: "0.00"}}).FeesKnown())
}
