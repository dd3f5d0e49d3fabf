package world

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// What sentences make of the test controls, in the order of the calls; the account is made
// before.
func TestControls(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	const cashOut, cob = "the account has sent a cash-out of R$ 10.00", "the account has sent a cob of R$ 10.00"
	for _, c := range []struct{ given, calls string }{
		{"an account", ``},
		{"an account with R$ 1.50 available", `PUT .*/balance {"available":"1.50"}`},
		{"the account has R$ 2.00 available", `PUT .*/balance {"available":"2.00"}`},
		{"a cash-out fee of R$ 0.50", `PUT .*/fees {"cashOut":"0.50"}`},
		{"a cash-in fee of R$ 0.50", `PUT .*/fees {"cashIn":"0.50"}`},
		{"a daily limit of R$ 9.00", `PUT .*/limits {"daily":"9.00"}`},
		{"a per-transaction limit of R$ 9.00", `PUT .*/limits {"perTransaction":"9.00"}`},
		{"a limit of 60 requests per minute", `PUT .*/limits {"requestsPerMinute":60}`},
		{"no limits", `PUT .*/limits {"perTransaction":null,"daily":null,"night":null}`},
		{"the account has a night limit", `PUT .*/limits {"night":"100.00"}`},
		{"the account is removed", `DELETE .*/accounts/\d+`},
		{"it is 23:30 in São Paulo", `PUT .*/clock {"now":"\d{4}-\d\d-\d\dT02:30:00Z"}`},
		{"30 minutes pass", `PUT .*/clock {"advance":"1800s"}`},
		{"settlement waits for the bank", `PUT .*/settlement {"mode":"manual"}`},
		{"refunds wait for the bank", `PUT .*/refunds {"mode":"manual"}`},
		{"upstream authentication returns an invalid response", `PUT .*/faults {"auth":"error"}`},
		{"the PIX provider is unreachable", `PUT .*/faults {"pixProvider":"unavailable"}`},
		{"the PIX provider's minimum expirationTime is 60 seconds", `PUT .*/faults {"minimumExpiration":60}`},
		{"the key directory has a new CPF key", `PUT /directory/\d{11} {"name":"Fulano de Tal","document":"\d{11}","ispb":"18236120","accountStatus":"ACTIVE"}`},
		{"the key directory has a new CNPJ key at ISPB 60701190", `PUT /directory/\d{14} {.*"document":"\d{14}","ispb":"60701190".*}`},
		{"the key directory has a new phone key", `PUT /directory/[+]55119\d{8} .*`},
		{"the key directory has a new random key", `PUT /directory/[0-9a-f-]{36} .*`},
		{"the key directory has a new key for another document", `PUT /directory/payee-.*@payee.example {.*"document":"39053344705".*}`},
		{"the key directory has a new key for a blocked account", `PUT /directory/.* {.*"accountStatus":"BLOCKED"}`},
		{"the account also has an ECDSA certificate", `POST .*/certificates {"certificate":"-----BEGIN CERTIFICATE-----.*}`},
		{"the account also has a revoked certificate", `POST .*/certificates .*; DELETE .*/certificates/[0-9a-f]{64}`},
		{"the account also has a valid certificate\nAnd that certificate is revoked", `POST .*/certificates .*; DELETE .*/certificates/[0-9a-f]{64}`},
		{"settlement waits for the bank\nAnd " + cashOut + "\nAnd the bank confirms the payment\nAnd the bank tries to reject the payment with ORDER_REJECTED",
			`.*settlement .*; POST .*/settlements {"transactionId":"22222222-.*","outcome":"CONFIRMED"}; POST .*/settlements {.*"outcome":"ERROR","errorCode":"ORDER_REJECTED",.*}`},
		{"a transfer that is COMPLETED", `.*settlement {"mode":"manual"}; PUT /directory/.*; POST .*/settlements {"id":\d+,"outcome":"CONFIRMED"}`},
		{"a cash-out that is ERROR", `.*settlement .*; POST .*"outcome":"ERROR","errorCode":"ORDER_REJECTED".*`},
		{"a cob that is CONCLUIDA", `POST .*/payments {"pixCode":"000201cob-.*","payer":{"name":"Conceição de Araújo",.*}}`},
		{"a cob that is REMOVIDA_PELO_PSP", `POST .*/charges/Tt\w{30}/end {"by":"psp"}`},
		{"a split cash-in that is PAID", `POST .*/payments {"pixCode":.*}`},
		{"a refund that is DEVOLVIDO", `POST .*/payments .*; PUT .*/refunds {"mode":"manual"}; POST .*/refunds/D7{31}/result {"status":"DEVOLVIDO"}`},
		{"a refund that is NAO_REALIZADO", `.*; POST .*/result {"status":"NAO_REALIZADO","motivo":"rejected by the test"}`},
		{"a MED case that is APPROVED",
			`POST .*/meds {.*"endToEnd":"E60701190.*",.*}; PATCH .*/meds/5 {"status":"RECEIVED"}; PATCH .*/meds/5 {"status":"ANALYZED","analysisResult":"APPROVED",.*}`},
		{"a MED case that is CANCELLED", `POST .*; PATCH .*/meds/5 {"status":"CANCELLED"}`},
		{"a MED case is opened against an unknown payment\nAnd the bank tries to move the case to OPEN", `POST .*/meds .*; PATCH .*/meds/5 {"status":"OPEN"}`},
		{cob + "\nAnd another payer pays R$ 12.00 for the charge", `POST .*/payments {"pixCode":"000201cob-.*","amount":"12.00","payer":{"name":"Sicrano Pereira",.*}}`},
		{cob + "\nAnd a payer tries to pay R$ 0.00 for the charge", `POST .*/payments .*`}, // which is refused
		{cob + "\nAnd a payer pays the charge 3 times concurrently", `POST .*/payments .*; POST .*/payments .*; POST .*/payments .*`},
		{cob + "\nAnd the receiver tries to remove the charge", `POST .*/charges/.*/end {"by":"receiver"}`},
		{"the account has received R$ 10.00 through a cash-in", `POST .*/payments {"pixCode":"000201cash-in-.*`},
		{"the account receives cash_out webhooks\nAnd " + cashOut + "\nThen a CashOut event arrives\nGiven the payee returns R$ 2.00",
			`POST .*/returns {"amount":"2.00","endToEndId":"E60701190.*"}`},
	} {
		th.gateway.Calls()
		available := "an account with R$ 500.00 available\nAnd "
		if strings.HasPrefix(c.given, "an account") {
			available = ""
		}
		th.passes("Given " + available + c.given)
		calls := th.gateway.Calls()
		if strings.HasPrefix(calls[0], "POST /accounts ") {
			calls = calls[1:]
		}
		if available != "" {
			calls = calls[1:]
		}
		assert.Regexp(t, "(?s)^"+c.calls+"$", strings.Join(calls, "; "), c.given)
	}
}

// A gateway need not hold any amount: where its control refuses one, what is about it does not
// apply.
func TestMoreThanAGatewayCanHold(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.gateway.Narrow()
	for words, want := range map[string]verdict.Verdict{
		"":                                       verdict.CouldNotTest,
		", if the gateway supports that balance": verdict.NotApplicable,
	} {
		_, r := th.play(th.script("Given an account with R$ 90071992547409.93 available" + words))
		assert.Equal(t, want, r.Verdict, words)
		assert.Contains(t, r.Finding.Got, "no column is that wide")
	}
	th.passes("Given an account with R$ 9.93 available, if the gateway supports that balance")
}

// What a gateway need not accept is a precondition of scenarios that do not apply to one that rejects it.
func TestIfTheGatewayAcceptsIt(t *testing.T) {
	t.Parallel()
	const sends = "Given an account\nAnd the account has sent a cob with calendario.expiracao 172800"
	for status, want := range map[int][2]verdict.Verdict{
		http.StatusCreated:             {verdict.Pass, verdict.Pass},
		http.StatusBadRequest:          {verdict.CouldNotTest, verdict.NotApplicable},
		http.StatusUnprocessableEntity: {verdict.CouldNotTest, verdict.NotApplicable},
		http.StatusConflict:            {verdict.CouldNotTest, verdict.CouldNotTest},
	} {
		th := newTestStage(t)
		th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
			refuses := strings.Contains(r.URL.Path, "/cob/") && status != http.StatusCreated
			if refuses {
				fake.Refuse(w, status, "HTTP_ERROR")
			}
			return refuses
		})
		for i, words := range []string{"", ", if the gateway accepts it"} {
			_, r := th.play(th.script(sends + words))
			assert.Equal(t, want[i], r.Verdict, "%d%s: %+v", status, words, r.Finding)
		}
	}
}

// What sentences send.
func TestRequests(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	for _, c := range []struct{ when, sent string }{
		{"the account sends a cash-out", `POST /api/pix/cash-out .*"key":"payee-test-\d+@payee.example".*"value":1.00`},
		{"the account sends a cash-out of R$ 3.00", `.*"value":3.00}`},
		{"the account sends a cash-out with value 1e0", `.*"value":1e0}`},
		{"the account sends a cash-out with details.key absent", `.*"details":{"document":"52998224725","keyType":"EMAIL","name":"Fulano de Tal"}.*`},
		{"the account sends a cash-out with header Content-Type text/plain", `POST .*`},
		{"the account sends a cash-out with:\n| value | 2.00 |\n| description | \"x\" |", `.*"description":"x".*"value":2.00}`},
		{"the account sends a cash-out whose body is {\"value\":", `POST /api/pix/cash-out {"value":$`},
		{"the account sends a QR cash-out", `POST /api/pix/cash-out-qrcode .*"qrCode":"00020126.*"`},
		{"the account sends a transfer", `POST /dict/pix .*"payment":{"amount":1.00,"currency":"BRL"}.*`},
		{"the account sends a split cash-in", `POST /api/pix/cash-in .*"splits":\[{.*"type":"FIXED","value":1.00}\].*"value":10.00}}`},
		{"the account sends a split cash-in with splits[0].name absent", `.*"splits":\[{"document":"52998224725","pixKey".*`},
		{"the account sends a cob of R$ 7.00", `PUT /cob/Tt\w{30} {.*"valor":{"modalidadeAlteracao":0,"original":"7.00"}}`},
		{"the account sends a refund", `PUT /pix/E60701190\w{23}/devolucao/Tt\w{18} {.*"valor":"1.00"}`},
		{"the account sends a transaction list request with query page 2", `GET /api/transactions\?page=2 $`},
		{"the account sends a list-by-key request with path pixKey +5511@x", `GET /api/pix/transactions/pix-key/%2B5511%40x $`},
		{"the account sends a webhook registration", `POST /api/webhooks {"eventType":"cash_out","headers":\[\],"url":"https://127.0.0.1:\d+/w/test/\d+"}`},
		{"the account sends a resend request", `POST /api/resend-webhook/Order-test-\d+ $`},
		{"the account sends a resend request with url a new URL", `POST /api/resend-webhook/\S+ {"url":"https://127.0.0.1.*}`},
		{"the account sends a MED list request", `GET /api/med $`},
		{"the account sends a balance request", `GET /accounts/balances $`},
		{"the account sends a token request", `POST /api/auth/token {"clientId":".*","clientSecret":"Secret-of-account-\d+"}`},
		{"the account requests a token with no certificate", `POST /api/auth/token .*`},
	} {
		_, sent := th.passes("Given an account with R$ 500.00 available\nWhen " + c.when)
		require.Len(t, sent, 1, c.when)
		assert.Regexp(t, regexp.MustCompile(`^`+c.sent), sent[0].Method+" "+strings.TrimPrefix(sent[0].URL, th.stage.Target.Profile.BaseURL)+" "+string(sent[0].Body), c.when)
	}
}

func TestRequestsThatFollowOthers(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	const account = "Given an account with R$ 500.00 available\n"
	_, sent := th.passes(account + "When the account sends a cash-out of R$ 1.00\nAnd the account sends the request again\nAnd the account sends the request again with value 2.00")
	assert.Equal(t, sent[0].Body, sent[1].Body)
	assert.Equal(t, strings.Replace(string(sent[0].Body), `"value":1.00`, `"value":2.00`, 1), string(sent[2].Body))

	_, sent = th.passes(account + "When the account sends the same cash-out of R$ 1.00 in 4 concurrent requests\nThen one request is accepted")
	require.Len(t, sent, 4)
	assert.Equal(t, sent[0].Body, sent[3].Body)
	_, sent = th.passes(account + "When the account sends 4 concurrent cash-outs of R$ 1.00\nThen every request is accepted")
	assert.NotEqual(t, sent[0].Body, sent[3].Body)

	_, sent = th.passes(account + "And the account has a daily limit\nWhen the account sends a cash-out one centavo above that limit")
	assert.Equal(t, "100.01", sent[0].SentText("value"))

	_, sent = th.passes(account + "And the account has sent 3 cash-outs of R$ 1.00 to one key")
	require.Len(t, sent, 3)
	assert.Equal(t, sent[0].SentText("details.key"), sent[2].SentText("details.key"))
	th.gateway.Calls()
	_, sent = th.passes(account + "When the account sends a cash-out of R$ 1.00 on each of 3 days")
	require.Len(t, sent, 3)
	assert.Equal(t, 2, strings.Count(strings.Join(th.gateway.Calls(), " "), `{"advance":"86460s"}`))
	_, r := th.play(th.script("Given an account with R$ 1.50 available\nWhen the account sends a cash-out of R$ 1.00 on each of 2 days"))
	assert.Equal(t, verdict.Fail, r.Verdict)
	_, r = th.play(th.script("Given an account with R$ 1.50 available\nAnd the account has sent 2 cash-outs of R$ 1.00"))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)

	_, sent = th.passes(account + "And the account has sent 3 transfers of R$ 1.00")
	require.Len(t, sent, 3)
	assert.NotEqual(t, sent[0].Header, sent[2].Header)

	_, sent = th.passes(account + "And the account has sent a cash-out of R$ 1.00\nAnd the account has sent 2 QR cash-outs of R$ 2.00\n" +
		"When the scenario returns to the first payment\nAnd the account sends the request again\nAnd the account sends a cash-out of R$ 3.00\nAnd the account sends the request again")
	require.Len(t, sent, 6)
	assert.Equal(t, sent[0].Body, sent[3].Body)
	assert.Equal(t, sent[4].Body, sent[5].Body)
	_, sent = th.passes(account + "And the account has sent a cash-out of R$ 1.00\nAnd the account has sent a cash-out of R$ 2.00\n" +
		"When the scenario returns to the first payment\nAnd the account sends a resend request")
	assert.Equal(t, sent[0].SentText("externalId"), sent[2].Parameter("transactionIdentifier"))
	_, sent = th.passes(account + "And the account has sent 30 cash-outs of R$ 1.00 to one key")
	require.Len(t, sent, 30)
	assert.True(t, sent[29].AtOnce)

	_, sent = th.passes(account + "And the account has sent 12 cash-outs of R$ 1.00 to one key\nWhen the account pages through a list-by-key request, 10 items per page, sending a cash-out after each page")
	assert.Len(t, sent, 12+3+2, "an empty page ends it; after the others there is a payment")
}

// A gateway may list by key what was received, or what was sent: the list is asked on an account
// of its own, which leaves no trace in the scenario.
func TestWhatAListByKeyIsAbout(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	s := th.script("Given an account\nAnd the gateway returns sent payments for a list-by-key request")
	th.stage.Limited.Store(true)
	w, r := th.play(s)
	require.Equal(t, verdict.Pass, r.Verdict, "%+v", r.Finding)
	assert.Empty(t, w.Judge.Attempts)
	calls := strings.Join(th.gateway.Calls(), "; ")
	assert.Regexp(t, `^POST /accounts .*; PUT /accounts/1/limits .*; POST /accounts .*; PUT /accounts/2/limits .*; PUT /accounts/2/balance {"available":"1.00"}$`, calls, "without limits, since accounts have some")

	th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/pix-key/") {
			r.URL.Path += "x"
		}
		return false
	})
	th.stage.Terms.Deadlines.Webhook = 200 * time.Millisecond
	_, r = th.play(s)
	assert.Equal(t, verdict.NotApplicable, r.Verdict)
	_, r = th.play(th.script("Given an account\nAnd the gateway supports GET /balance"))
	assert.Equal(t, verdict.NotApplicable, r.Verdict)
	th.passes("Given an account\nAnd the gateway returns sent payments for a transaction list request") // of which nobody doubts
}

// Without the control of settlement the target's sandbox settles.
func TestStagedScenarios(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.stage.Target.Profile.SandboxScenarios = map[string]string{"CONFIRMED": "ok", "ORDER_REJECTED": "no"}
	th.stage.Target.Has["settlement"] = false
	_, sent := th.passes("Given an account with R$ 5.00 available\nWhen the account sends a cash-out requesting sandbox outcome ORDER_REJECTED")
	assert.Equal(t, "no", sent[0].Header.Get("X-Sandbox-Scenario"))
	th.gateway.Calls()
	s := th.script(`Given an account with R$ 5.00 available
		And the account receives cash_out webhooks
		And settlement waits for the bank
		When the account sends a cash-out of R$ 1.00
		And the bank confirms the payment
		Then a CashOut event arrives`)
	require.True(t, s.Staged)
	w, r := th.play(s)
	require.Equal(t, verdict.Pass, r.Verdict, "%+v", r.Finding)
	assert.Equal(t, "ok", w.Judge.It().Header.Get("X-Sandbox-Scenario"))
	assert.NotContains(t, strings.Join(th.gateway.Calls(), " "), "settlement")
}

// What a target refuses of what a sentence needs is a failure of a When, and else keeps the rule
// from being tested; what cannot be meant is the suite's fault.
func TestWhatAStepComesTo(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	const poor = "Given an account with R$ 1.00 available\n"
	for lines, want := range map[string]struct {
		verdict verdict.Verdict
		says    string
	}{
		poor + "And the account has sent a cash-out of R$ 2.00":                                                                                 {verdict.CouldNotTest, "400 PIX_INSUFFICIENT_BALANCE"},
		poor + "When the account sends a cash-out of R$ 2.00\nAnd the bank confirms the payment":                                                {verdict.CouldNotTest, "no payment was accepted"},
		poor + "When the account has sent a cash-out of R$ 2.00":                                                                                {verdict.CouldNotTest, "400 PIX_INSUFFICIENT_BALANCE"},
		poor + "When the account sends a cash-out of R$ 2.00\nThen the request is accepted":                                                     {verdict.Fail, "400 PIX_INSUFFICIENT_BALANCE"},
		poor + "When the account sends a cash-out with value -1\nThen the request is rejected with 400\nAnd the available balance is unchanged": {verdict.Pass, ""},
		"Given an account\nWhen the other account sends a cash-out":                                                                             {verdict.SuiteError, "has not opened the other account"},
		"Given an account\nWhen the account sends the request again":                                                                            {verdict.SuiteError, "no request to repeat"},
		"Given an account\nWhen the scenario returns to the second payment":                                                                     {verdict.CouldNotTest, "no second accepted payment"},
		"Given an account\nAnd a payer pays the charge":                                                                                         {verdict.SuiteError, "has not sent a request"},
		"Given an account\nAnd the receiver removes the charge":                                                                                 {verdict.SuiteError, "has not sent a request"},
		"Given an account\nAnd the payee returns R$ 1.00":                                                                                       {verdict.SuiteError, "the scenario has not made anything"},
		poor + "And the account has sent a cash-out\nAnd the payee returns R$ 1.00":                                                             {verdict.CouldNotTest, "none recorded"},
		"Given an account\nAnd the bank confirms the refund":                                                                                    {verdict.SuiteError, "has not sent a request"},
		"Given an account\nAnd the account also has a strange certificate":                                                                      {verdict.SuiteError, "unknown kind of certificate"},
		"Given an account\nWhen the account sends a cash-out with nowhere.key \"x\"":                                                            {verdict.SuiteError, `no such field`},
		"Given an account\nWhen the account sends a balance request using the returned token":                                                   {verdict.CouldNotTest, "returned a token"},
		"Given an account\nWhen the account sends a cash-out with externalId the status returned":                                               {verdict.CouldNotTest, "no accepted response"},
		"Given an account\nWhen the account sends a cash-out with externalId the other account's status":                                        {verdict.SuiteError, "has a status"},
		"Given an account\nAnd the account has a daily limit":                                                                                   {verdict.CouldNotTest, "exceeding its daily limit requires R$ 100.01"},
		"Given an account\nWhen the account sends a cash-in with payer absent\nAnd a payer tries to pay the charge":                             {verdict.Pass, ""},
		"Given an account\nWhen the account sends a cash-in with payer absent\nAnd a payer pays the charge":                                     {verdict.CouldNotTest, "no charge was accepted"},
		poor + "And the account has sent a cash-in\nAnd a payer pays R$ 0.00 for the charge":                                                    {verdict.CouldNotTest, "nothing to pay"},
	} {
		_, r := th.play(th.script(lines))
		got := ""
		if r.Finding != nil {
			got = r.Finding.Got
		}
		assert.Equal(t, want.verdict, r.Verdict, "%s: %s", lines, got)
		assert.Contains(t, got, want.says, lines)
	}
}

// A panic is the suite's fault, and no pass.
func TestAPanicIsASuiteError(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	w := New(th.stage, th.script("Given the account has R$ 1.00 available")) // of an account that was not opened
	r := w.Do(t.Context(), 0)
	assert.Equal(t, verdict.SuiteError, r.Verdict)
	assert.Contains(t, r.Finding.Got, "panic: ")
	assert.Equal(t, record.Broken, w.Record.Entries[len(w.Record.Entries)-1].Obstacle.Kind)
	w.Close()
}

// An event that lacks what a When sends is the target's fault.
func TestAnEventWithoutItsFieldFailsAWhen(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	_, r := th.play(th.script(`Given an account with R$ 5.00 available
		And the account receives cash_out webhooks
		And the account has sent a cash-out of R$ 1.00
		And a CashOut event arrives
		When the account sends a cash-out with externalId the nothing of the event`))
	assert.Equal(t, verdict.Fail, r.Verdict)
	assert.Equal(t, "a nothing", r.Finding.Expected)
	th.passes(`Given an account with R$ 5.00 available
		And the account receives cash_out webhooks
		And the account has sent a cash-out of R$ 1.00
		And a CashOut event arrives
		When the account sends a resend request with path transactionIdentifier the externalId of the event
		Then the request is accepted
		And the CashOut event arrives again`)
}

// A control that does not work, or is not there, keeps a rule from being tested.
func TestControlsThatFail(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, func(g *fake.Gateway) (p target.Profile) {
		p = g.Profile()
		p.Control.Without = append(p.Control.Without, "fees")
		return p
	})
	_, r := th.play(th.script("Given an account\nAnd a cash-out fee of R$ 1.00"))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	assert.Equal(t, "fees", r.Missing)
	w := New(th.stage, th.script("Given the account is removed"))
	defer w.Close()
	w.actors[0] = &actor{w: w, id: 99}
	r = w.Do(t.Context(), 0)
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	assert.Equal(t, "the test control accounts to work", r.Finding.Expected)
	assert.Equal(t, 0, r.Finding.Exchange)
	assert.False(t, r.Spoiled)

	w = New(th.stage, th.script("Given an account\nAnd the account has sent a cob\nAnd a payer pays the charge 3 times concurrently"))
	defer w.Close()
	require.Equal(t, verdict.Pass, w.Do(t.Context(), 0).Verdict)
	require.Equal(t, verdict.Pass, w.Do(t.Context(), 1).Verdict)
	w.the().id = 99
	r = w.Do(t.Context(), 2)
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	require.NotNil(t, r.Finding)
	assert.Equal(t, "payments", w.Judge.Exchanges[r.Finding.Exchange].Operation)
}

func TestAChargeThatWasPaidConcurrentlyIsPaid(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	w := New(th.stage, th.script("Given an account\nAnd the account has sent a cob\nAnd a payer pays the charge 3 times concurrently"))
	defer w.Close()
	for i := range w.Steps {
		require.Equal(t, verdict.Pass, w.Do(t.Context(), i).Verdict)
	}
	assert.NotEmpty(t, judge.EndToEndID(w.Judge.View))
}

// A gateway whose list by key lacks payments that were sent need not show them; one that shows them late, or now and
// then, has to.
func TestAListByKeyThatLacksASentPayment(t *testing.T) {
	t.Parallel()
	empty := func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, `{"data":[],"metadata":{"page":1,"size":20,"total":0,"totalPages":0}}`)
	}
	for name, c := range map[string]struct {
		answers func(w http.ResponseWriter, n int32) bool
		want    verdict.Verdict
	}{
		"always": {func(w http.ResponseWriter, _ int32) bool { empty(w); return true }, verdict.NotApplicable},
		"once": {func(w http.ResponseWriter, n int32) bool {
			if n == 1 {
				empty(w)
			}
			return n == 1
		}, verdict.Pass},
		"for a while": {func(w http.ResponseWriter, n int32) bool {
			if n <= 8 {
				empty(w)
			}
			return n <= 8
		}, verdict.Pass},
		"was refused once": {func(w http.ResponseWriter, n int32) bool {
			if n == 1 {
				fake.Refuse(w, http.StatusServiceUnavailable, "DOWN")
			}
			return n == 1
		}, verdict.Pass},
		"does not say": {func(w http.ResponseWriter, _ int32) bool {
			fake.Refuse(w, http.StatusServiceUnavailable, "DOWN")
			return true
		}, verdict.CouldNotTest},
	} {
		th := newTestStage(t)
		var n atomic.Int32
		th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
			return strings.Contains(r.URL.Path, "/pix-key/") && c.answers(w, n.Add(1))
		})
		if c.want != verdict.Pass {
			th.stage.Terms.Deadlines.Webhook = 200 * time.Millisecond
		}
		_, r := th.play(th.script("Given an account\nAnd the gateway returns sent payments for a list-by-key request"))
		assert.Equal(t, c.want, r.Verdict, "%s: %+v", name, r)
		if c.want != verdict.Pass {
			assert.NotEqual(t, -1, r.Finding.Exchange, name)
		}
	}
}

// A control call is recorded with the account that it is about, whichever the sentence names.
func TestAControlCallIsAboutAnAccount(t *testing.T) {
	t.Parallel()
	w, _ := newTestStage(t).passes("Given an account with R$ 5.00 available\nAnd another account with R$ 7.00 available")
	about := map[string]language.Account{}
	for _, c := range w.Judge.Calls {
		about[c.Text("available")] = c.Account
	}
	assert.Equal(t, language.TheAccount, about["5.00"])
	assert.Equal(t, language.TheOther, about["7.00"])
}
