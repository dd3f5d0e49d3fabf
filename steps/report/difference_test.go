package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// spelled puts what is marked into brackets.
func spelled(spans []span) string {
	var out strings.Builder
	for _, s := range spans {
		if s.Marked {
			s.Text = "[" + s.Text + "]"
		}
		out.WriteString(s.Text)
	}
	return out.String()
}

func TestTheDifferenceIsMarked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expected, got, a, b string }{
		{"available to fall by R$ 10.00", "fell by R$ 20.00, from 100.00 to 80.00", "available to fall by R$ [10.00]", "fell by R$ [20.00], from 100.00 to 80.00"},
		{"rejected with 400", "201", "rejected with [400]", "[201]"},
		{"rejected with 400 PIX_INVALID_AMOUNT", "400 PIX_GENERIC", "rejected with 400 [PIX_INVALID_AMOUNT]", "400 [PIX_GENERIC]"},
		{`status to be "PENDING"`, `"CONFIRMED"`, `status to be ["PENDING"]`, `["CONFIRMED"]`},
		{"a CashOut event at https://127.0.0.1:1/w/7 within 2s", "none", "a CashOut event at https://127.0.0.1:1/w/7 within 2s", "[none]"},
		{"a CashOut event at https://127.0.0.1:1/w/7", `a "CASHOUT" event`, "a CashOut event at https://127.0.0.1:1/w/7", `a ["CASHOUT"] event`},
		{"available to fall by R$ 10.00", "unchanged", "available to fall by R$ [10.00]", "[unchanged]"},
		{"", "", "", ""},
	} {
		a, b := compared(c.expected, c.got, translation.English)
		assert.Equal(t, c.a, spelled(a))
		assert.Equal(t, c.b, spelled(b))
	}
}

func TestAFieldIsMarked(t *testing.T) {
	t.Parallel()
	const body = `{"data":[{"id":"a","amount":{"available":1.00}},{"id":"b \" }","amount":{"available":2.00}}],"a.b":1,"list":[[1,2],[]],"id":"c"}`
	for field, want := range map[string]string{
		"data[1].id": `["id": "b \" }",]`, "amount.available": `["available": 1.00]`, "list[0][1]": "[2]", "data[0].amount": `["amount": {]`, "none": "", "": "", "ilable": "",
	} {
		b := readable([]byte(body), 0, 1<<10)
		text := b.Text
		b.mark(field)
		if want == "" {
			assert.Nil(t, b.Spans, field)
			continue
		}
		whole := ""
		for _, s := range b.Spans {
			whole += s.Text
		}
		assert.Equal(t, text, whole, "nothing is lost")
		assert.Contains(t, spelled(b.Spans), want, field)
	}
	for _, text := range []string{"}}}}", "{\n", "not JSON", "[\n]\n]", `"x": 1`} { // nothing can go wrong
		b := readableBody{Text: text}
		b.mark("x")
	}
}

// Reads that were repeated until they fit are one line.
func TestRepeatedReadsAreOneLine(t *testing.T) {
	t.Parallel()
	read := func(status int) exchange.Exchange {
		return exchange.Exchange{Party: exchange.API, Operation: "balance request", Method: "GET", URL: "http://gw/accounts/balances", Status: status}
	}
	s := verdict.Scenario{Rule: "a.b", Verdict: verdict.Fail, Finding: &verdict.Finding{Exchange: 57}}
	s.Exchanges = append(s.Exchanges, exchange.Exchange{Party: exchange.API, Method: "POST", Status: 201}, exchange.Exchange{Party: exchange.API, Method: "POST", Status: 201})
	for range 55 {
		s.Exchanges = append(s.Exchanges, read(200))
	}
	s.Exchanges = append(s.Exchanges, read(500), read(500), read(200))
	budget := &htmlBudget{run: &verdict.Run{}, evidence: 1}
	shown, left := budget.exchanges(s)
	require.Zero(t, left)
	var times []int
	for _, e := range shown {
		times = append(times, e.Times)
	}
	assert.Equal(t, []int{1, 1, 55, 2, 1}, times)
	assert.True(t, shown[3].Open, "the finding is about one of these")
	assert.False(t, shown[2].Open)
}

// The decisive exchange of a cause, with that of the reference, is above everything else.
func TestACauseShowsItsExchange(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	run.Rules[3].Subject = "POST /api/pix/cash-out"
	run.Statements = map[string][]verdict.Statement{"cash-out.covers-fee": {{ID: "OUT-001", Text: "The balance covers <both>."}, {ID: "OUT-002"}, {ID: "OUT-003"}, {ID: "OUT-004"}, {ID: "OUT-005", Text: "The last."}}}
	failed := &run.Scenarios[2]
	right := failed.Exchanges[2]
	right.Status, right.ResponseBody = 400, []byte(`{"code":"PIX_INSUFFICIENT_BALANCE","status":"</script>"}`)
	failed.Finding.Field, failed.Finding.About.Kind, failed.Reference = "status", verdict.Rejection, &right
	dir := t.TempDir()
	require.NoError(t, Write(dir, run))
	page := contentOf(t, dir, HTMLFile)
	for _, part := range []string{
		`Response of the target: <span class="status fail">201</span>`, `Response of the reference gateway: <span class="status pass">400</span>`,
		"<mark>&#34;status&#34;: &#34;PENDING&#34;,</mark>", "<mark>&#34;status&#34;: &#34;&lt;/script&gt;&#34;</mark>",
		"<dt>Got</dt><dd class=\"got\">status <mark>201</mark> with status <mark>PENDING</mark></dd>",
		"The statements of the specification", "<code>OUT-001</code> The balance covers &lt;both&gt;.", "1 more statement<", "POST /api/pix/cash-out",
	} {
		assert.Contains(t, page, part)
	}
	read, err := Read(dir)
	require.NoError(t, err)
	assert.Equal(t, run.Statements, read.Statements)
	again, err := read.Find("cash-out.covers-fee/one-cent-short")
	require.NoError(t, err)
	require.NotNil(t, again.Reference)
	assert.Equal(t, right.ResponseBody, again.Reference.ResponseBody)
}

// A finding about what was read afterwards is shown with the request whose effect it is about, if there is only one.
func TestACauseShowsTheRequestBeforeIt(t *testing.T) {
	t.Parallel()
	steps := []verdict.Step{{Keyword: "Given", Text: "an account"}, {Keyword: "When", Text: "the account sends a cash-out"}, {Keyword: "Then", Text: "it is accepted"}, {Keyword: "And", Text: "the available balance falls", Verdict: verdict.Fail}}
	request := func(step int, operation, method string) exchange.Exchange {
		return exchange.Exchange{Party: exchange.API, Step: step, Operation: operation, Method: method, Status: 201}
	}
	token, prepared, sent, read := request(1, "token request", "POST"), request(0, "webhook registration", "POST"), request(1, "cash-out", "POST"), request(3, "balance request", "GET")
	for name, c := range map[string]struct {
		exchanges []exchange.Exchange
		shown     bool
	}{
		"one request":              {[]exchange.Exchange{prepared, token, sent, read}, true},
		"several":                  {[]exchange.Exchange{sent, sent, read}, false},
		"only a preparation":       {[]exchange.Exchange{prepared, read}, false},
		"about the request itself": {[]exchange.Exchange{sent, request(1, "cash-out", "POST")}, false},
	} {
		failed := verdict.Scenario{Rule: "a.b", Name: "c", Verdict: verdict.Fail, Steps: steps, Exchanges: c.exchanges, Finding: &verdict.Finding{Expected: "a fall", Got: "none", Exchange: len(c.exchanges) - 1}}
		run := &verdict.Run{Rules: []verdict.Rule{{Name: "a.b"}}, Scenarios: []verdict.Scenario{failed}}
		dir := t.TempDir()
		require.NoError(t, Write(dir, run))
		page := contentOf(t, dir, HTMLFile)
		for _, part := range []string{"<b>When</b> the account sends a cash-out</p>", "<b>Then</b> the available balance falls</p>"} {
			assert.Equal(t, c.shown, strings.Contains(page, part), "%s: %s", name, part)
		}
	}
}
