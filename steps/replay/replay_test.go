package replay

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// scenario carries out three steps, of which the last that has a word in exchanges gets the
// verdict. Each word list is a step: "POST pay 201", "GET pay 200", "control accounts 204",
// "webhook CashOut". A body follows in braces.
func scenario(v verdict.Verdict, steps ...[]string) verdict.Scenario {
	s := verdict.Scenario{Rule: "pay.once", Name: "Once", Verdict: v}
	for i, keyword := range []string{"Given", "When", "Then"} {
		step := verdict.Step{Keyword: keyword, Text: "it is so"}
		if i < len(steps) {
			step.Verdict = verdict.Pass
			for _, words := range steps[i] {
				s.Exchanges = append(s.Exchanges, exchanged(i, words))
			}
		}
		if i == len(steps)-1 {
			step.Verdict = v
		}
		s.Steps = append(s.Steps, step)
	}
	return s
}

func exchanged(step int, words string) exchange.Exchange {
	words, body, _ := strings.Cut(words, " {")
	if body != "" {
		body = "{" + body
	}
	part := strings.Fields(words)
	e := exchange.Exchange{Party: exchange.API, Step: step, Method: part[0], Operation: part[1], URL: "http://gw/" + part[1] + "?a=b", Sent: time.Unix(int64(step), 0)}
	switch part[0] {
	case "webhook":
		e.Party, e.Method, e.Body = exchange.Webhook, "POST", []byte(body)
		return e
	case "control":
		e.Party, e.Method = exchange.Control, "PUT"
	}
	e.ResponseBody = []byte(body)
	_, _ = fmt.Sscan(part[2], &e.Status)
	return e
}

// failing is a scenario that fails by an exchange, counted from the first.
func failing(index int, field string, steps ...[]string) verdict.Scenario {
	s := scenario(verdict.Fail, steps...)
	s.Finding = &verdict.Finding{Expected: "x", Got: "y", Exchange: index, Field: field}
	return s
}

func step(words ...string) []string { return words }

// shown spells a result: rows as "request target|reference", and the differences of the blamed
// exchange, with > before what is marked.
func shown(r Result) (rows, differences string) {
	var a, b []string
	for _, step := range r.Steps {
		for _, row := range step.Exchanges {
			a = append(a, fmt.Sprintf("%s%s %s|%s", strings.TrimSpace(pointer(row.Marked)), row.Request, row.Target, row.Reference))
		}
	}
	if r.Blamed != nil {
		for _, d := range r.Blamed.Differences {
			b = append(b, fmt.Sprintf("%s%s: %s|%s", strings.TrimSpace(pointer(d.Marked)), d.Field, d.Target, d.Reference))
		}
	}
	return strings.Join(a, "; "), strings.Join(b, "; ")
}

func TestSideBySide(t *testing.T) {
	t.Parallel()
	passing := func(steps ...[]string) verdict.Scenario { return scenario(verdict.Pass, steps...) }
	for name, c := range map[string]struct {
		target, reference verdict.Scenario
		rows, differences string
	}{
		"the field of the finding": {
			failing(0, "status", step(`POST pay 201 {"id":"a","status":"DONE","value":10.0}`)),
			passing(step(`POST pay 201 {"id":"b","status":"PENDING","value":10}`)),
			">POST /pay?a=b 201|201", `id: "a"|"b"; >status: "DONE"|"PENDING"`,
		},
		"a field that the target lacks": {
			failing(0, "time", step(`POST pay 201 {"id":1}`)),
			passing(step(`POST pay 201 {"id":1,"time":"now"}`)),
			">POST /pay?a=b 201|201", `>time: absent|"now"`,
		},
		"a field of an item": {
			failing(0, "status", step(`GET list 200 {"data":[{"id":1,"status":"x"}],"statusText":"a"}`)),
			passing(step(`GET list 200 {"data":[{"id":2,"status":"y"}],"statusText":"b"}`)),
			">GET /list?a=b 200|200", `data[0].id: 1|2; >data[0].status: "x"|"y"; statusText: "a"|"b"`,
		},
		"an empty list": {
			failing(0, "data", step(`GET list 200 {"data":[]}`)),
			passing(step(`GET list 200 {"data":[{"id":2}]}`)),
			">GET /list?a=b 200|200", `>data: []|a list of 1 item; data[0].id: absent|2`,
		},
		"an array of the same length": {
			failing(0, "data", step(`GET list 200 {"data":[{"id":1}]}`)),
			passing(step(`GET list 200 {"data":[{"id":2}]}`)),
			">GET /list?a=b 200|200", `data[0].id: 1|2`,
		},
		"an object that the target lacks": {
			failing(0, "details", step(`GET list 200 {"name":1}`)),
			passing(step(`GET list 200 {"details":{"name":1}}`)),
			">GET /list?a=b 200|200", `>details: absent|{"name":1}; details.name: absent|1; name: 1|absent`,
		},
		"a field of the whole body before one of an item": {
			failing(0, "status", step(`GET list 200 {"data":{"status":1},"status":1}`)),
			passing(step(`GET list 200 {"data":{"status":2},"status":2}`)),
			">GET /list?a=b 200|200", `data.status: 1|2; >status: 1|2`,
		},
		"the status": {
			failing(0, "", step(`POST pay 400 {"code":"NO"}`)),
			passing(step(`POST pay 201 {"id":"b"}`)),
			">POST /pay?a=b 400|201", `>HTTP status: 400|201; code: "NO"|absent; id: absent|"b"`,
		},
		"the code": {
			failing(0, "", step(`POST pay 400 {"code":"NO","message":"a"}`)),
			passing(step(`POST pay 400 {"code":"NEVER","message":"b"}`)),
			">POST /pay?a=b 400|400", `>code: "NO"|"NEVER"; message: "a"|"b"`,
		},
		"something else about the response": {
			failing(0, "", step(`POST pay 200 {"id":"a"}`)),
			passing(step(`POST pay 200 {"id":"b"}`)),
			">POST /pay?a=b 200|200", `id: "a"|"b"`,
		},
		"JSON and none": {
			failing(0, "id", step(`POST pay 201 {<html>`)),
			passing(step(`POST pay 201 {"id":"b"}`)),
			">POST /pay?a=b 201|201", `body: not JSON: {<html>|absent; >id: absent|"b"`,
		},
		"controls are compared by their success": {
			failing(1, "", step("control funds 200", "control fees 404"), step("POST pay 201")),
			passing(step("control funds 204", "control fees 201"), step("POST pay 201")),
			"PUT /funds?a=b ok|ok; >PUT /fees?a=b 404|ok; POST /pay?a=b 201|201", ">HTTP status: 404|ok",
		},
		"as many before it": {
			failing(1, "id", step(`POST pay 201 {"id":1}`, `POST pay 201 {"id":1}`, `POST pay 400 {"id":3}`)),
			passing(step(`POST pay 201 {"id":1}`, `POST pay 201 {"id":2}`, `POST pay 400 {"id":3}`)),
			">POST /pay?a=b 201 ×2, 400|201 ×2, 400", ">id: 1|2",
		},
		"asked again until it holds": {
			failing(2, "v", step(`GET balance 200 {"v":1}`, `GET balance 200 {"v":1}`, `GET balance 200 {"v":1}`)),
			passing(step(`GET balance 200 {"v":1}`, `GET balance 200 {"v":2}`)),
			">GET /balance?a=b 200|200", ">v: 1|2",
		},
		"what only one side sent": {
			failing(1, "", step("POST token 201", "POST pay 500")),
			passing(step("POST pay 201", "GET list 200")),
			"POST /token?a=b 201|; >POST /pay?a=b 500|201; GET /list?a=b |200", ">HTTP status: 500|201",
		},
		"nothing to compare with": {
			failing(0, "id", step(`POST pay 201 {"id":1}`)), passing(nil, step("POST pay 201")),
			">POST /pay?a=b 201|", "HTTP status: 201|none",
		},
		"no webhook": {
			failing(0, "", step("POST pay 201"), step(), step()),
			passing(step("POST pay 201"), step(), step(`webhook CashOut {"id":1}`)),
			"POST /pay?a=b 201|201; >webhook |CashOut", ">webhook: none|CashOut",
		},
		"a webhook of another name": {
			failing(0, "", step(`webhook CASHOUT {"id":1}`)), passing(step(`webhook CashOut {"id":2}`)),
			">webhook CASHOUT|CashOut", ">webhook: CASHOUT|CashOut; id: 1|2",
		},
		"a field of a webhook": {
			failing(1, "id", step("POST pay 201", `webhook CashOut {"data":{"id":1}}`)), passing(step("POST pay 201", `webhook CashOut {"data":{"id":2}}`)),
			"POST /pay?a=b 201|201; >webhook CashOut|CashOut", ">data.id: 1|2",
		},
		"the reference fails too": {
			failing(0, "id", step(`POST pay 201 {"id":1}`)), failing(0, "id", step(`POST pay 201 {"id":2}`)),
			"POST /pay?a=b 201|201", "id: 1|2",
		},
		"the target passes": {
			passing(step(`POST pay 201 {"id":1}`)), passing(step(`POST pay 201 {"id":2}`)),
			"POST /pay?a=b 201|201", "",
		},
		"steps that the target did not reach": {
			failing(0, "", step("POST pay 500")), passing(step("POST pay 201"), step("GET list 200")),
			">POST /pay?a=b 500|201", ">HTTP status: 500|201",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, differences := shown(Of(c.target, c.reference))
			assert.Equal(t, c.rows, rows)
			assert.Equal(t, c.differences, differences)
		})
	}
}

// A run that could not start has neither steps nor exchanges.
func TestARunThatCouldNotStart(t *testing.T) {
	t.Parallel()
	s := failing(-1, "")
	s.Verdict = verdict.CouldNotTest
	for _, index := range []int{-1, 0, 7} {
		s.Finding.Exchange = index
		r := Of(s, scenario(verdict.Pass))
		assert.Nil(t, r.Blamed)
		assert.Contains(t, r.Text(translation.English), "The target: could not test.")
	}
}

func TestUnreadWebhooksAreNotShown(t *testing.T) {
	t.Parallel()
	s := scenario(verdict.Pass, step("webhook CashOut"))
	s.Exchanges[0].Unread = true
	assert.Empty(t, Of(s, s).Steps[0].Exchanges)
}

// What a finding is about may be a header of a webhook.
func TestTheHeaderOfAFinding(t *testing.T) {
	t.Parallel()
	with := func(s verdict.Scenario, value string) verdict.Scenario {
		s.Exchanges[0].Header = http.Header{"X-Key": {value}}
		return s
	}
	target := with(failing(0, "header X-Key", step(`webhook CashOut {"id":1}`)), "theirs")
	_, differences := shown(Of(target, with(scenario(verdict.Pass, step(`webhook CashOut {"id":1}`)), "ours")))
	assert.Equal(t, `>header X-Key: "theirs"|"ours"`, differences)
}

// What pixcert reads of a target after a failure has no counterpart.
func TestWhatIsReadAfterTheLastStep(t *testing.T) {
	t.Parallel()
	target := failing(1, "", step(`POST pay 201 {"id":1}`))
	target.Exchanges = append(target.Exchanges, exchanged(len(target.Steps), `GET balances 200 {"available":"1.00"}`))
	assert.Nil(t, Of(target, scenario(verdict.Pass, step(`POST pay 201 {"id":1}`))).Blamed)
}

func TestText(t *testing.T) {
	t.Parallel()
	target := failing(1, "status", step("control accounts 200"), step(`POST pay 201 {"id":"a`+"\\u001b"+`","status":"DONE"}`))
	target.Exchanges[1].Body = []byte("{\"x\":\"\x1b[2J\"}")
	r := Of(target, scenario(verdict.Pass, step("control accounts 201"), step(`POST pay 201 {"id":"b","status":"PENDING"}`), step("GET list 200")))
	r.Title, r.Target.Name, r.Reference.Name, r.Attempts = "It pays once", "http://gw", "the reference", 1
	assert.Equal(t, `pay.once/once
It pays once
Once

  target     ✗ fail  http://gw
  reference  ✓ pass  the reference

✗ When it is so
    expected x
    got      y

  POST /pay?a=b
    sent {"x":"\x1b[2J"}
            target     reference
    id      "a\u001b"  "b"
  > status  "DONE"     "PENDING"

    requests and webhooks                             target          reference
✓ Given it is so
    PUT /accounts?a=b                                 ok              ok
✗ When it is so
  > POST /pay?a=b                                     201             201

The target still fails.
`, r.Text(translation.English))

	r.Attempts = 3
	assert.Contains(t, r.Text(translation.English), "The target still fails, but not always: 1 of 3 attempts.\n")
	r.Reference = Side{Verdict: verdict.CouldNotTest, Expected: "a control", Got: "none"}
	assert.Contains(t, r.Text(translation.English), "The reference does not pass either (could not test)")
}

func TestTextOfATargetThatPassesNow(t *testing.T) {
	t.Parallel()
	r := Of(scenario(verdict.Warning, step("POST pay 201")), scenario(verdict.Pass, step("POST pay 201")))
	r.Attempts = 4
	text := r.Text(translation.English)
	assert.True(t, strings.HasSuffix(text, "\n\nThe target passes now, in all 4 attempts.\n"), text)
	r.Attempts = 1
	assert.Contains(t, r.Text(translation.English), "The target passes now, in one attempt.\n")
	assert.NotContains(t, text, "POST")
}

// However much differs, the marked difference is shown.
func TestManyDifferences(t *testing.T) {
	t.Parallel()
	body := func(value string) string {
		var fields []string
		for i := range 40 {
			fields = append(fields, fmt.Sprintf(`"f%02d":%q`, i, value))
		}
		return "POST pay 201 {" + strings.Join(fields, ",") + "}"
	}
	r := Of(failing(0, "f30", step(body("a"))), scenario(verdict.Pass, step(body(strings.Repeat("b", 300)))))
	require.Len(t, r.Blamed.Differences, 40)
	text := r.Text(translation.English)
	assert.Regexp(t, `(?m)^  > f30 +"a" +"b{59}…$`, text)
	assert.NotContains(t, text, "f29")
	assert.Contains(t, text, "and 23 more differ")
}
