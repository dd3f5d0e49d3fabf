package report

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

var began = time.Date(2026, 3, 1, 14, 30, 0, 0, time.UTC)

// sampleRun is a run with everything that a report can show, as it could come
// from a gateway that is nearly right. The scenarios are out of order, as they
// end in a run.
func sampleRun() *verdict.Run {
	const cashOut, balances, webhooks = "Cash-out to a PIX key", "Balances of the account", "Delivery of webhooks"
	run := &verdict.Run{
		ID: "01jqz8m2c7", Version: "0.1.0", Subject: verdict.Subject{Target: "https://sandbox.gateway.example/v1"}, Settings: verdict.Settings{Seed: 4711, Concurrency: 8},
		Controls: []string{"accounts", "funds", "fees"}, Started: began, Took: 2340 * time.Millisecond,
		Rules: []verdict.Rule{
			{Name: "balance.shape", Title: "The balance is one item with available, blocked and overdraft", Feature: balances, File: "balance.feature"},
			{Name: "balance.total", Title: "The total is available and blocked together", Feature: balances, File: "balance.feature"},
			{Name: "balance.standard", Title: "The standard balance maps the same amounts", Feature: balances, File: "balance.feature"},
			{Name: "cash-out.covers-fee", Title: "The balance must cover the amount and the fee", Feature: cashOut, File: "cash-out.feature"},
			{Name: "cash-out.value-bounds", Title: "The value is at least 0.01 with at most two decimals", Feature: cashOut, File: "cash-out.feature"},
			{Name: "cash-out.duplicate-external-id", Title: "A used externalId is refused, and nothing is debited twice", Feature: cashOut, File: "cash-out.feature"},
			{Name: "cash-out.night-limit", Title: "Between 20:00 and 06:00 the night limit applies", Feature: cashOut, File: "cash-out.feature"},
			{Name: "cash-out.daily-limit", Title: "The payments of a day stay within the daily limit", Feature: cashOut, File: "cash-out.feature"},
			{Name: "cash-out.unknown", Title: "A rule of which nothing ran", Feature: cashOut, File: "cash-out.feature"},
			{Name: "delivery.all-urls", Title: "An event goes to every active URL", Feature: webhooks, File: "delivery.feature"},
			{Name: "delivery.headers", Title: "A delivery carries the registered headers", Feature: webhooks, File: "delivery.feature"},
			{Name: "delivery.med", Title: "A MED case is notified", Feature: webhooks, File: "delivery.feature"},
		},
		OpenPoints: []verdict.OpenPoint{
			{Name: "expired-cash-in", Question: "What becomes of a charge that nobody pays?", Permitted: "stays pending, or any final state"},
			{Name: "cash-out-dated", Question: "Does generateTime carry fractions of a second?", Permitted: "with or without"},
			{Name: "resend-unreachable", Question: "What is answered when the destination cannot be reached?", Permitted: "200 or 502"},
		},
	}
	pass := func(rule, name string, line int) verdict.Scenario {
		return verdict.Scenario{Rule: rule, Name: name, Line: line, Verdict: verdict.Pass, ExchangeCount: 4,
			Steps:   []verdict.Step{{Keyword: "Given", Text: "an account with R$ 1000.00 available", Verdict: verdict.Pass}},
			Started: began.Add(time.Duration(line) * time.Millisecond), Took: time.Duration(line) * 911 * time.Microsecond}
	}
	run.Scenarios = []verdict.Scenario{
		sampleWarning(), pass("cash-out.value-bounds", "0.01 is accepted", 30), sampleFailure(),
		pass("balance.shape", "Read", 8), pass("balance.total", "After a payment", 21),
		sampleHostile(), pass("cash-out.covers-fee", "To the cent", 11),
		sampleMissing("cash-out.night-limit", "Just before eight", 80, "clock", "limits"),
		sampleMissing("cash-out.night-limit", "At eight", 84, "clock", "limits"),
		sampleMissing("cash-out.daily-limit", "One cent above", 95, "limits"),
		sampleDuplicate(), sampleError(),
		{Rule: "delivery.med", Name: "Opened", Line: 70, Verdict: verdict.NotApplicable,
			Finding: &verdict.Finding{Got: "the profile does not claim MED", Exchange: -1}},
		{Rule: "balance.standard", Name: "Mapped", Line: 40, Verdict: verdict.CouldNotTest, ExchangeCount: 1, Took: 9 * time.Millisecond,
			Started: began, Finding: &verdict.Finding{Expected: "GET /balance to exist", Got: "404", Hint: "the operation is referred to, not specified", Exchange: -1}},
	}
	return run
}

func sampleFailure() verdict.Scenario {
	body := `{"value":999.51,"externalId":"pixcert-01jqz8m2c7-17","description":"café","details":{"key":"maria@example.com","keyType":"EMAIL","name":"Maria","document":"52998224725"}}`
	return verdict.Scenario{
		Rule: "cash-out.covers-fee", Name: "One cent short", Line: 14, Verdict: verdict.Fail, ExchangeCount: 4,
		Started: began.Add(time.Second), Took: 41 * time.Millisecond,
		Steps: []verdict.Step{
			{Keyword: "Given", Text: "an account with R$ 1000.00 available", Verdict: verdict.Pass},
			{Keyword: "And", Text: "a cash-out fee of R$ 0.50", Verdict: verdict.Pass},
			{Keyword: "When", Text: "the account sends a cash-out of R$ 999.51 with", Table: [][]string{{"details.keyType", "EMAIL"}, {"details.key", "maria@example.com"}}, Verdict: verdict.Pass},
			{Keyword: "Then", Text: "the request is rejected with 400 PIX_INSUFFICIENT_BALANCE", Verdict: verdict.Fail},
			{Keyword: "And", Text: "R$ 1000.00 is still available"},
		},
		Finding: &verdict.Finding{
			Expected: "status 400 with code PIX_INSUFFICIENT_BALANCE: 999.51 and the fee of 0.50 are more than 1000.00",
			Got:      "status 201 with status PENDING",
			Hint:     "is the fee added to the amount before it is compared with the balance?",
			Exchange: 2,
		},
		Exchanges: []exchange.Exchange{
			sampleControl(), sampleToken(),
			{
				Party: exchange.API, Operation: "cash-out", Method: "POST", URL: "https://sandbox.gateway.example/v1/api/pix/cash-out",
				Header: http.Header{"Authorization": {"Bearer eyJhbGciOiJIUzI1NiJ9.secret.signature"}, "Content-Type": {"application/json"},
					"User-Agent": {"pixcert/0.1.0 run=01jqz8m2c7 rule=cash-out.covers-fee"}},
				Body: []byte(body), Status: 201,
				ResponseHeader: http.Header{"Content-Type": {"application/json; charset=utf-8"}, "Date": {"Sun, 01 Mar 2026 14:30:01 GMT"}},
				ResponseBody:   []byte(`{"transactionId":"7c1e5f0a-5b6e-4a39-9c55-0a8a6c1b7e11","externalId":"pixcert-01jqz8m2c7-17","status":"PENDING","generateTime":"2026-03-01T14:30:01.123Z"}`),
				Sent:           began.Add(time.Second), Took: 12 * time.Millisecond,
			},
			{
				Party: exchange.Webhook, Operation: "CashOut", Method: "POST", URL: "https://127.0.0.1:41234/hook/17",
				Header: http.Header{"Content-Type": {"application/json"}, "X-Hook-Secret": {"swordfish"}},
				Body:   []byte(`{"event":"CashOut","status":"CONFIRMED"}`), Status: 200, Took: 300 * time.Microsecond, Sent: began.Add(time.Second),
			},
		},
		Observations: []verdict.Observed{{Point: "cash-out-dated", Value: "with three digits"}},
	}
}

func sampleControl() exchange.Exchange {
	return exchange.Exchange{
		Party: exchange.Control, Operation: "accounts", Method: "POST", URL: "https://sandbox.gateway.example:9443/accounts",
		Header: http.Header{"Authorization": {"Bearer control-token-of-the-target"}, "Content-Type": {"application/json"}},
		Body:   []byte(`{"certificate":"-----BEGIN CERTIFICATE-----\nMIIC..."}`), Status: 201,
		ResponseBody: []byte(`{"accountId":93,"clientId":"4f0c","clientSecret":"sample-client-secret"}`), Sent: began, Took: 3 * time.Millisecond,
	}
}

func sampleToken() exchange.Exchange {
	return exchange.Exchange{
		Party: exchange.API, Operation: "token request", Method: "POST", URL: "https://sandbox.gateway.example/v1/api/auth/token",
		Header: http.Header{"X-Ssl-Client-Cert": {"-----BEGIN%20CERTIFICATE-----%0A" + strings.Repeat("MIIC%2B", 180) + "%0A-----END%20CERTIFICATE-----%0A"},
			"Content-Type": {"application/json"}},
		Body: []byte(`{"clientId":"4f0c","clientSecret":"sample-client-secret"}`), Status: 201,
		ResponseHeader: http.Header{"Content-Type": {"application/json"}},
		ResponseBody:   []byte(`{"access_token":"eyJhbGciOiJIUzI1NiJ9.secret.signature","token_type":"Bearer","expires_in":1800}`), Sent: began, Took: 1800 * time.Microsecond,
	}
}

// sampleHostile is how a target could attack the readers of its report.
func sampleHostile() verdict.Scenario {
	return verdict.Scenario{
		Rule: "cash-out.value-bounds", Name: `"10" is refused`, Line: 34, Verdict: verdict.Fail, ExchangeCount: 2, Started: began, Took: 10 * time.Second,
		Steps: []verdict.Step{{Keyword: "When", Text: `the account sends a cash-out with value "10"`, Verdict: verdict.Fail}},
		Finding: &verdict.Finding{Expected: "status 400, naming value",
			Got: "<script>alert(1)</script>\x1b[2J\x1b]0;owned\a \u202etxt.exe \x00", Exchange: 0},
		Exchanges: []exchange.Exchange{
			{Party: exchange.API, Operation: "cash-out", Method: "POST", URL: "https://sandbox.gateway.example/v1/api/pix/cash-out",
				Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"value":"10","externalId":"</pre><img src=x onerror=alert(2)>"}`),
				Status: 200, ResponseHeader: http.Header{"X-Evil": {"\"><script>alert(3)</script>"}},
				ResponseBody: []byte("<html>\xff\xfe\x00]]><script>alert(4)</script>" + strings.Repeat("A", 20<<10)), Truncated: true,
				Sent: began, Took: 340 * time.Microsecond},
			{Party: exchange.API, Operation: "cash-out", Method: "POST", URL: "https://sandbox.gateway.example/v1/api/pix/cash-out",
				Err: "timed out after 10s", Sent: began, Took: 10 * time.Second},
		},
	}
}

func sampleDuplicate() verdict.Scenario {
	s := sampleFailure()
	s.Rule, s.Name, s.Line, s.Verdict = "cash-out.duplicate-external-id", "Sixteen at the same time", 52, verdict.Pass
	s.Finding, s.Exchanges, s.Observations = nil, nil, []verdict.Observed{{Point: "cash-out-dated", Value: "with three digits"}, {Point: "unlisted", Value: "seen anyway"}}
	return s
}

func sampleMissing(rule, name string, line int, controls ...string) verdict.Scenario {
	return verdict.Scenario{Rule: rule, Name: name, Line: line, Verdict: verdict.CouldNotTest, Missing: controls}
}

func sampleError() verdict.Scenario {
	return verdict.Scenario{Rule: "delivery.all-urls", Name: "Three URLs", Line: 12, Verdict: verdict.SuiteError, Started: began, Took: time.Millisecond,
		Steps:   []verdict.Step{{Keyword: "Given", Text: "three webhooks for cash_out", Verdict: verdict.SuiteError}},
		Finding: &verdict.Finding{Expected: "the sink to listen", Got: "listen tcp 127.0.0.1:0: too many open files", Hint: "raise the limit of open files (ulimit -n)", Exchange: -1}}
}

func sampleWarning() verdict.Scenario {
	return verdict.Scenario{Rule: "delivery.headers", Name: "One header", Line: 33, Verdict: verdict.Warning, Started: began, Took: 88 * time.Millisecond, ExchangeCount: 3,
		Steps: []verdict.Step{{Keyword: "Then", Text: "the delivery carries X-Tenant", Verdict: verdict.Pass}},
		Warnings: []verdict.Finding{{Expected: "a Content-Type of application/json", Got: "text/plain",
			Hint: "receivers that check it will refuse the delivery", Exchange: -1}}}
}

// largeRun has n scenarios, of which every fail-th fails with exchanges.
func largeRun(n, fail int) *verdict.Run {
	run := sampleRun()
	run.Rules, run.Scenarios = nil, nil
	for i := range n {
		rule := fmt.Sprintf("area-%d.rule-%d", i/100, i/10)
		if i%10 == 0 {
			run.Rules = append(run.Rules, verdict.Rule{
				Name: rule, Title: fmt.Sprintf("Requirement number %d of a long specification", i/10),
				Feature: fmt.Sprintf("Feature %d", i/100), File: fmt.Sprintf("area-%d.feature", i/100),
			})
		}
		s := sampleFailure()
		s.Rule, s.Name, s.Line = rule, fmt.Sprintf("Example %d", i), i%100
		if i%fail != 0 {
			s.Verdict, s.Finding, s.Exchanges = verdict.Pass, nil, nil
		}
		run.Scenarios = append(run.Scenarios, s)
	}
	return run
}
