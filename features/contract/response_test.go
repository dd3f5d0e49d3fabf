package contract_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features/contract"
)

// The bodies of conforming answers; each case changes one thing.
const (
	goodToken    = `{"access_token":"aa.bb.cc","token_type":"Bearer","expires_in":1800}`
	goodBalance  = `{"data":[{"eventDate":"2026-03-01T12:00:00Z","balanceAmount":{"available":989.50,"blocked":10.5,"overdraft":0}}]}`
	goodStandard = `{"grossBalance":10,"blockedBalance":0,"netBalance":10.00,"consultedAt":"2026-03-01T12:00:00Z"}`
	goodCashOut  = `{"transactionId":"8a1f0e5c-0b5f-4d0e-9a55-6a6f0c7a1b22","externalId":"o","status":"PENDING","generateTime":"2026-03-01T12:00:00.123Z"}`
	goodTransfer = `{"endToEndId":"E1","eventDate":"2026-03-01T12:00:00Z","id":42,"payment":{"amount":10.5},"type":"PENDING"}`
	goodCob      = `{"calendario":{"criacao":"2026-03-01T12:00:00Z","expiracao":3600},"txid":"7978c0c97ea847e78e8849634473c1f1","revisao":0,` +
		`"loc":{"id":1,"location":"000201","tipoCob":"cob"},"location":"000201","status":"ATIVA","valor":{"original":"10.50"}}`
	goodRefund = `{"id":"1","rtrId":"D12345678202603011210p8c4n6w2t5y","valor":"4.00","horario":{"solicitacao":"2026-03-01T12:00:00Z"},"status":"EM_PROCESSAMENTO"}`
	goodDone   = `{"success":true,"message":""}`
	goodList   = `{"accountId":93,"webhooks":[{"id":1,"type":"cash_in","url":"https://a.example","headers":{},"isActive":true,"createdAt":"2026-03-01T12:00:00Z"}],"total":1}`
	envelopeA  = `{"statusCode":400,"timestamp":"2026-03-01T12:00:00Z","path":"/api/x","method":"POST","code":"HTTP_ERROR","message":["a"],"userMessage":"u","errorId":"e"}`
	envelopeB  = `{"statusCode":401,"message":"m","error":"Unauthorized"}`
)

var jsonHeader = http.Header{"Content-Type": {"application/json; charset=utf-8"}}

// needsErrorCode names the condition under which an errorCode is required.
const needsErrorCode = ": a code of the cash-out table, or PROVIDER_EXPIRATION_BELOW_MINIMUM, needs errorCode"

func TestCheckResponse(t *testing.T) {
	t.Parallel()
	type change struct{ from, to string }
	withError := func(s string) string { return `"errorId":"e","error":"` + s + `"` }
	for _, test := range []struct {
		operation string
		status    int
		good      string
		change    change
		want      []string
	}{
		{"token", 201, goodToken, change{}, nil},
		{"token", 201, goodToken, change{`{`, `{"more":{"x":1},`}, nil},
		{"token", 201, goodToken, change{"1800", "1800.0"}, nil},
		{"token", 201, goodToken, change{"1800", "1.8e3"}, nil},
		{"token", 201, goodToken, change{"1800", "3600"}, []string{"expires_in must be 1800"}},
		{"token", 201, goodToken, change{"1800", `"1800"`}, []string{"expires_in must be a number"}},
		{"token", 201, goodToken, change{"Bearer", "bearer"}, []string{`token_type must be "Bearer"`}},
		{"token", 201, goodToken, change{"aa.bb.cc", "opaque"}, []string{"access_token must be a JWT"}},
		{"token", 201, goodToken, change{goodToken, "{}"}, []string{"access_token is required", "token_type is required", "expires_in is required"}},

		{"balances", 200, goodBalance, change{}, nil},
		{"balances", 200, goodBalance, change{"12:00:00Z", "12:00:00.5+00:00"}, nil},
		{"balances", 200, goodBalance, change{"989.50", "9.8950e2"}, nil},
		{"balances", 200, goodBalance, change{`"overdraft":0`, `"overdraft":0.00`}, nil},
		{"balances", 200, goodBalance, change{"12:00:00Z", "12:00:00"}, []string{"data[0].eventDate must be a time in UTC as ISO 8601, such as 2026-03-01T12:00:00Z"}},
		{"balances", 200, goodBalance, change{"12:00:00Z", "12:00:00-03:00"}, []string{"data[0].eventDate must be a time in UTC as ISO 8601, such as 2026-03-01T12:00:00Z"}},
		{"balances", 200, goodBalance, change{"03-01T", "02-30T"}, []string{"data[0].eventDate must be a time in UTC as ISO 8601, such as 2026-03-01T12:00:00Z"}},
		{"balances", 200, goodBalance, change{"989.50", "989.4999999999"}, []string{"data[0].balanceAmount.available must have at most 2 decimals"}},
		{"balances", 200, goodBalance, change{"989.50", `"989.50"`}, []string{"data[0].balanceAmount.available must be a number"}},
		{"balances", 200, goodBalance, change{`"overdraft":0`, `"overdraft":5`}, []string{"data[0].balanceAmount.overdraft must be 0"}},
		{"balances", 200, goodBalance, change{goodBalance, `{"data":[]}`}, []string{"data must have at least 1 item"}},
		{"balances", 200, goodBalance, change{goodBalance, `[]`}, []string{"the body must be an object"}},

		{"standardBalance", 200, goodStandard, change{}, nil},
		{"standardBalance", 200, goodStandard, change{"netBalance", "net"}, []string{"netBalance is required"}},
		{"standardBalance", 404, "not JSON", change{}, nil}, // its errors are left open

		{"cashOut", 201, goodCashOut, change{}, nil},
		{"cashOut", 201, goodCashOut, change{"PENDING", "CONFIRMED"}, []string{`status must be "PENDING"`}},
		{"cashOut", 201, goodCashOut, change{"8a1f0e5c-", ""}, []string{"transactionId must be a UUID"}},
		{"registerWebhook", 200, goodDone, change{}, nil},
		{"registerWebhook", 200, goodDone, change{"true", `"true"`}, []string{"success must be true or false"}},
		{"listWebhooks", 200, goodList, change{}, nil},
		{"listWebhooks", 200, goodList, change{`"headers":{}`, `"headers":[]`}, []string{"webhooks[0].headers must be an object"}},
		{"listWebhooks", 200, goodList, change{`"cash_in"`, `"CASH_IN"`}, []string{
			"webhooks[0].type must be one of cash_in, cash_out, refund_in, refund_out, med_created, med_accepted, med_rejected",
		}},

		{"cashOut", 400, envelopeA, change{}, nil},
		{"cashOut", 400, envelopeA, change{`["a"]`, `"a"`}, nil},
		{"cashOut", 400, envelopeA, change{`["a"]`, `[1]`}, []string{"message[0] must be a string"}},
		{"cashOut", 400, envelopeA, change{`["a"]`, `{}`}, []string{"message must be an array or a string"}},
		{"cashOut", 400, envelopeA, change{`"errorId":"e"`, withError("Bad Request")}, nil},
		{"cashOut", 400, envelopeA, change{`"errorId":"e"`, withError("BAD_REQUEST")}, []string{`error must be the reason phrase "Bad Request"`}},
		{"cashOut", 400, envelopeA, change{`{`, `{"errorCode":"HTTP_ERROR",`}, nil},
		{"cashOut", 400, envelopeA, change{`{`, `{"errorCode":"OTHER",`}, []string{"errorCode must repeat the code, HTTP_ERROR"}},
		{"cashOut", 400, envelopeA, change{`{`, `{"details":[],`}, []string{"details must be an object or null"}},
		{"cashOut", 400, envelopeA, change{`{`, `{"details":{"hint":1,"violations":"any"},`}, []string{"details.hint must be a string or null"}},
		{"cashOut", 400, envelopeA, change{"400", "400.0"}, nil},
		{"cashOut", 400, envelopeA, change{"400", "401"}, []string{"statusCode must be the status of the answer, 400"}},
		{"cashOut", 400, envelopeA, change{"400", `"400"`}, []string{"statusCode must be a number"}},
		{"cashOut", 400, envelopeA, change{`"HTTP_ERROR"`, `""`}, []string{"code must not be empty"}},
		{"cashOut", 400, envelopeA, change{`"userMessage":"u"`, `"userMessage":""`}, []string{"userMessage must not be empty"}},
		{"cashOut", 400, envelopeA, change{`"errorId":"e"`, `"errorId":""`}, []string{"errorId must not be empty"}},
		{"cashOut", 400, envelopeA, change{envelopeA, envelopeB}, []string{
			"statusCode must be the status of the answer, 400", "timestamp is required", "path is required", "method is required",
			"code is required", "userMessage is required", "errorId is required", `error must be the reason phrase "Bad Request"`,
		}},
		{"cashOut", 413, envelopeA, change{`400`, `413,"error":"Content Too Large"`}, nil}, // a phrase that HTTP has renamed
		{"cashOut", 429, envelopeA, change{`400`, `429`}, nil},                             // not listed: the family's envelope
		{"cashOut", 500, "<html>", change{}, []string{
			"the body must be JSON: expected JSON, but found: invalid character '<' looking for beginning of value at byte 1",
		}},

		{"balances", 401, envelopeB, change{}, nil},
		{"balances", 401, envelopeB, change{`{`, `{"code":"X",`}, nil},
		{"balances", 401, envelopeB, change{"Unauthorized", "unauthorized"}, []string{`error must be the reason phrase "Unauthorized"`}},
		{"balances", 401, envelopeB, change{`"m"`, `["m"]`}, []string{"message must be a string"}},
		{"balances", 500, envelopeB, change{"401", "500"}, nil}, // of a status that the specification does not list
		{"balances", 500, envelopeB, change{`401,"message":"m","error":"Unauthorized"`, `500,"message":"m","error":""`}, []string{"error must not be empty"}},

		{"transfer", 200, goodTransfer, change{}, nil}, // the status of success is left open
		{"transfer", 201, goodTransfer, change{}, nil},
		{"transfer", 202, goodTransfer, change{}, nil},
		{"transfer", 204, goodTransfer, change{}, []string{"status 204 is not documented for POST /dict/pix"}},
		{"transfer", 422, envelopeB, change{`401,"message":"m","error":"Unauthorized"`, `422,"message":"m","error":"Unprocessable Entity"`}, nil},
		{"transfer", 422, envelopeB, change{`401,"message":"m","error":"Unauthorized"`, `422,"message":"m","error":"Unprocessable Content"`}, []string{
			`error must be the reason phrase "Unprocessable Entity"`,
		}},
		{"cob", 200, goodCob, change{}, nil},
		{"cob", 201, goodCob, change{}, nil},
		{"cob", 202, goodCob, change{}, []string{"status 202 is not documented for PUT /cob/{txid}"}},
		{"refund", 200, goodRefund, change{}, nil},
		{"refund", 201, goodRefund, change{}, nil},
		{"refund", 202, goodRefund, change{}, nil},
		{"refund", 204, "", change{}, []string{"status 204 is not documented for PUT /pix/{e2eid}/devolucao/{id}"}},
		{"listMeds", 429, envelopeB, change{`401,"message":"m","error":"Unauthorized"`, `429,"message":"m","error":"Slow down"`}, nil},
		{"listMeds", 400, envelopeA, change{}, []string{"message must be a string", "error is required"}},
		{"resendWebhook", 502, envelopeA, change{"400", "502"}, nil}, // not listed: the family's envelope

		{"cashIn", 401, envelopeA, change{"400", "401"}, nil},
		{"cashIn", 401, strings.Replace(envelopeA, "400", "401", 1), change{`"HTTP_ERROR"`, `"UNAUTHORIZED"`}, []string{`code must be "HTTP_ERROR"`}},
		{"cashIn", 500, strings.Replace(envelopeA, "400", "500", 1), change{`"HTTP_ERROR"`, `"OTHER"`}, []string{`code must be "HTTP_ERROR"`}},
		{"cashIn", 400, envelopeA, change{`{`, `{"errorCode":"PROVIDER_EXPIRATION_BELOW_MINIMUM",`}, nil},
		{"cashIn", 400, envelopeA, change{`"HTTP_ERROR"`, `"OTHER","errorCode":"PROVIDER_EXPIRATION_BELOW_MINIMUM"`}, []string{"errorCode must repeat the code, OTHER"}},
		{"cashIn", 400, envelopeA, change{`"HTTP_ERROR"`, `"PROVIDER_EXPIRATION_BELOW_MINIMUM"`}, []string{"errorCode is required" + needsErrorCode}},
		{"cashOutQRCode", 400, envelopeA, change{`"HTTP_ERROR"`, `"PIX_INVALID_QR_CODE"`}, nil}, // it is in no table
		{"cashOutQRCode", 400, envelopeA, change{`"HTTP_ERROR"`, `"PIX_INSUFFICIENT_BALANCE"`}, []string{"errorCode is required" + needsErrorCode}},
		{"cashOutQRCode", 409, strings.Replace(envelopeA, "400", "409", 1), change{`"HTTP_ERROR"`, `"DUPLICATE"`}, nil}, // its code is left open

		{"cashOut", 418, envelopeA, change{"400", "418"}, nil},
		{"cashOut", 200, goodCashOut, change{}, []string{"status 200 is not documented for POST /api/pix/cash-out"}},
		{"registerWebhook", 302, "", change{}, []string{"status 302 is not documented for POST /api/webhooks"}},
		{"balances", 200, "", change{}, []string{"the body must be JSON, but the answer with status 200 has none"}},
	} {
		t.Run(strings.ReplaceAll(fmt.Sprintf("%s %d %.60s", test.operation, test.status, test.change.to), "/", " "), func(t *testing.T) {
			t.Parallel()
			body := test.good
			if test.change != (change{}) {
				require.Contains(t, body, test.change.from)
				body = strings.Replace(body, test.change.from, test.change.to, 1)
			}
			assert.Equal(t, test.want, messages(operation(t, test.operation).CheckResponse(test.status, jsonHeader, []byte(body), nil)))
		})
	}
}

func TestContentTypeOfAnswers(t *testing.T) {
	t.Parallel()
	for value, good := range map[string]bool{
		"application/json":                true,
		"Application/JSON; charset=UTF-8": true,
		"application/json; charset":       true, // a parameter cut short does no harm
		"application/problem+json":        false,
		"text/html":                       false,
		"text/json":                       false,
		"application/jsonp":               false,
		"json":                            false,
		"":                                false,
	} {
		header := http.Header{}
		if value != "" {
			header.Set("Content-Type", value)
		}
		violations := operation(t, "balances").CheckResponse(200, header, []byte(goodBalance), nil)
		if good {
			assert.Empty(t, violations, value)
			continue
		}
		if assert.Len(t, violations, 1, value) {
			assert.Equal(t, "Content-Type", violations[0].Field)
			assert.Contains(t, violations[0].Message, "Content-Type must be application/json, but is ")
		}
	}
	both := operation(t, "balances").CheckResponse(200, nil, []byte(`{}`), nil)
	assert.Equal(t, []string{"Content-Type must be application/json, but is absent", "data is required"}, messages(both))
}

const goodEvent = `{"event":"CashOut","status":"CONFIRMED","transactionType":"PIX","movementType":"DEBIT","transactionId":"t",` +
	`"externalId":"o","endToEndId":"E1","pixKey":"k","feeAmount":0.5,"originalAmount":10,"finalAmount":10.50,` +
	`"processingDate":"2026-03-01T12:00:00Z","errorCode":null,"errorMessage":null,` +
	`"counterpart":{"name":"F","document":"***","bank":{"bankISPB":"1","bankName":"B","bankCode":"2","accountBranch":null,"accountNumber":"3"}},"metadata":{}}`

func TestCheckWebhook(t *testing.T) {
	t.Parallel()
	c, err := contract.Load()
	require.NoError(t, err)
	rejected := strings.NewReplacer(`"CONFIRMED"`, `"ERROR"`, `"errorCode":null,"errorMessage":null`, `"errorCode":"ORDER_REJECTED","errorMessage":"m"`).Replace(goodEvent)
	const ofError = ": an ERROR has one of seven codes and a message"
	codes := "TAX_ID_MISMATCH, INVALID_TAX_ID, BLOCKED_ACCOUNT, ACCOUNT_CLOSED, ORDER_REJECTED, PAYMENT_EXPIRED, SETTLEMENT_TIMEOUT"
	for _, test := range []struct {
		body, from, to string
		want           []string
	}{
		{goodEvent, "", "", nil},
		{rejected, "", "", nil},
		{goodEvent, `{`, `{"new":1,`, nil},
		{goodEvent, `CashOut`, `CashIn`, []string{`event must be "CashOut"`}},
		{goodEvent, `CONFIRMED`, `PENDING`, []string{"status must be one of CONFIRMED, ERROR"}},
		{goodEvent, `DEBIT`, `CREDIT`, []string{`movementType must be "DEBIT"`}},
		{goodEvent, `"originalAmount":10,`, `"originalAmount":10.499999,`, []string{"originalAmount must have at most 2 decimals"}},
		{goodEvent, `"errorCode":null`, `"errorCode":"ORDER_REJECTED"`, []string{"errorCode must be null: a CONFIRMED payment has no error"}},
		{goodEvent, `"errorCode":null,`, ``, []string{"errorCode is required"}},
		{rejected, `"errorCode":"ORDER_REJECTED"`, `"errorCode":null`, []string{"errorCode must be a string" + ofError}},
		{rejected, `ORDER_REJECTED`, `OTHER`, []string{"errorCode must be one of " + codes + ofError}},
		{rejected, `"m"`, `""`, []string{"errorMessage must not be empty" + ofError}},
		{rejected, `"ORDER_REJECTED"`, `5`, []string{"errorCode must be a string" + ofError}},
		{goodEvent, `"bankCode":"2",`, ``, []string{"counterpart.bank.bankCode is required"}},
		{goodEvent, `"accountNumber":"3"`, `"accountNumber":3`, []string{"counterpart.bank.accountNumber must be a string or null"}},
		{goodEvent, `"metadata":{}`, `"metadata":null`, []string{"metadata must be an object"}},
		{"nonsense", "", "", []string{"the body must be JSON: expected JSON, but found: invalid character 'o' in literal null (expecting 'u') at byte 2"}},
		{"", "", "", []string{"the body must be JSON: expected a JSON value, but found nothing at byte 0"}},
	} {
		require.Contains(t, test.body, test.from)
		body := strings.Replace(test.body, test.from, test.to, 1)
		for range 5 { // the order of a map decides nothing
			assert.Equal(t, test.want, messages(c.CheckWebhook("cashOutResult", []byte(body))), body)
		}
	}
	assert.Equal(t, []string{`the contract has no event "other"`}, messages(c.CheckWebhook("other", []byte("{}"))))
}

// Of a payload that the specification does not show, nothing is known but that it is
// an object.
func TestPayloadsThatAreNotShown(t *testing.T) {
	t.Parallel()
	c, err := contract.Load()
	require.NoError(t, err)
	for _, id := range []string{"cashInResult", "refundInResult", "refundOutResult", "medResult"} {
		assert.Empty(t, c.CheckWebhook(id, []byte(`{}`)), id)
		assert.Empty(t, c.CheckWebhook(id, []byte(`{"event":1,"status":null}`)), id)
		assert.Equal(t, []string{"the body must be an object"}, messages(c.CheckWebhook(id, []byte(`[]`))), id)
	}
}
