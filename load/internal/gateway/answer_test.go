package gateway

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatAnAnswerSaysOfAPayment(t *testing.T) {
	t.Parallel()
	const cashOut = `{"transactionId":"t","externalId":"e","status":"PENDING","generateTime":"2026-01-02T03:04:05Z"`
	for name, c := range map[string]struct {
		operation Operation
		status    int
		body      string
		want      Answer
	}{
		"its own fields":  {CashOut, 201, cashOut + `,"id":17,"type":"PIX","location":"here"}`, Answer{Outcome: Accepted, TransactionID: "t", State: "PENDING"}},
		"a transfer's":    {Transfer, 200, `{"endToEndId":"E1","id":17,"type":"PENDING","transactionId":"u","status":"OK"}`, Answer{Outcome: Accepted, TransactionID: "17", EndToEndID: "E1", State: "PENDING"}},
		"a large id":      {Transfer, 200, `{"endToEndId":"E1","id":9007199254740993,"type":"PENDING"}`, Answer{Outcome: Accepted, TransactionID: "9007199254740993", EndToEndID: "E1", State: "PENDING"}},
		"a charge":        {CashIn, 201, cashOut + `,"pixCode":"000201","correlationId":"c"}`, Answer{Outcome: Accepted, TransactionID: "t", State: "PENDING", PixCode: "000201", CorrelationID: "c"}},
		"a cob":           {Cob, 201, `{"txid":"e","location":"000201","status":"ATIVA"}`, Answer{Outcome: Accepted, PixCode: "000201", State: "ATIVA"}},
		"a refund":        {Refund, 201, `{"id":"e","rtrId":"D1","status":"EM_PROCESSAMENTO"}`, Answer{Outcome: Accepted, RTRID: "D1", State: "EM_PROCESSAMENTO"}},
		"a number":        {CashOut, 201, strings.Replace(cashOut, `"t"`, "17", 1) + "}", Answer{Outcome: Accepted, TransactionID: "17", State: "PENDING"}},
		"no id":           {CashOut, 201, `{"externalId":"e","status":"PENDING","generateTime":"now"}`, Answer{State: "PENDING", Message: `201 without transactionId: `}},
		"an error":        {CashOut, 200, `{"statusCode":500,"message":"m"}`, Answer{Message: `200 without transactionId, externalId, status, generateTime: `}},
		"another status":  {CashOut, 200, cashOut + "}", Answer{TransactionID: "t", State: "PENDING", Message: `expected 201, got 200: `}},
		"another payment": {CashOut, 201, strings.Replace(cashOut, `"e"`, `"f"`, 1) + "}", Answer{TransactionID: "t", State: "PENDING", Message: `201 with the externalId "f", which is not that of the request: `}},
		"another state":   {CashOut, 201, strings.Replace(cashOut, "PENDING", "DONE", 1) + "}", Answer{TransactionID: "t", State: "DONE", Message: `201 with the status "DONE": `}},
		"no code":         {CashIn, 201, cashOut + "}", Answer{TransactionID: "t", State: "PENDING", Message: `201 without pixCode: `}},
		"null":            {CashOut, 201, strings.Replace(cashOut, `"t"`, "null", 1) + "}", Answer{State: "PENDING", Message: `201 without transactionId: `}},
		"cut":             {CashOut, 201, `{"transactionId":"t"`, Answer{Message: `201 without JSON: `}},
		"envelope A":      {CashOut, 400, `{"code":"PIX_INVALID_AMOUNT","message":["a","b"],"error":"Bad Request"}`, Answer{Outcome: Refused, Code: "PIX_INVALID_AMOUNT", Message: "a"}},
		"envelope B":      {CashOut, 422, `{"statusCode":422,"message":"m","error":"Unprocessable Entity"}`, Answer{Outcome: Refused, Code: "Unprocessable Entity", Message: "m"}},
		"a repeat":        {CashOut, 400, `{"code":"PIX_DUPLICATE_EXTERNAL_ID","message":"m","details":{"existingTransactionId":"t"}}`, Answer{Outcome: Refused, Code: "PIX_DUPLICATE_EXTERNAL_ID", Message: "m"}},
		"not JSON":        {CashOut, 404, `not here`, Answer{Outcome: Refused, Message: `expected JSON, got "not here"`}},
		"broken":          {CashOut, 502, `{"code":"X","message":"m"}`, Answer{Outcome: Unknown, Code: "X", Message: "m"}},
		"a redirect":      {CashOut, 302, ``, Answer{Outcome: Unknown, Message: `expected JSON, got ""`}},
		"no answer":       {CashOut, 0, `reset`, Answer{Outcome: Unknown, Message: "reset"}},
	} {
		x := scripted(func(*Request) (int, string) { return c.status, c.body }).Send(t.Context(), &Request{Operation: c.operation, id: "e"})
		invalid := c.status < 300 && c.status != 0 && c.want.Outcome == Unknown
		if invalid {
			c.want.Message += fmt.Sprintf("%.120q", c.body)
			assert.EqualError(t, func() error { readAnswer(x); return x.Failure() }(), c.operation.Name+": "+c.want.Message, name)
		}
		assert.Equal(t, c.want, readAnswer(x), name)
		assert.Equal(t, invalid, x.Invalid != nil, name)
	}
}

func TestNoSecretThatAGatewaySendsBackIsTold(t *testing.T) {
	t.Parallel()
	const secret, bearer = "hush/hush+1=", "hush.token.hush"
	for name, body := range map[string]string{
		"message": `{"code":"PIX_X","message":"no client hush/hush+1= with hush.token.hush"}`,
		"code":    `{"code":"hush/hush+1=","message":"m"}`,
		"phrase":  `{"error":"hush.token.hush","message":["hush.token.hush"]}`,
		"page":    `<html>Authorization: Bearer hush.token.hush and hush%2Fhush%2B1%3D`,
		"cut":     strings.Repeat("x", 75) + bearer,
		"slashed": `{"data":"hush\/hush+1="}`,
	} {
		for _, status := range []int{200, 401} {
			account := func() *Account { // a refusal with 401 takes the token
				a := NewAccount(0, Credentials{ClientID: "c", ClientSecret: secret, Certificate: "p"}, "")
				a.token.Store(&token{value: bearer, renew: time.Now().Add(time.Hour), expires: time.Now().Add(time.Hour)})
				return a
			}
			echo := scripted(func(*Request) (int, string) { return status, body })
			x := account().Do(t.Context(), echo, post())
			told := []error{x.Failure(), account().IssueToken(t.Context(), echo).Failure()}
			_, _, err := account().Balance(t.Context(), echo)
			assert.NotContains(t, fmt.Sprint(readAnswer(x), x.Code(), x.Shown(), told, err), "hush", "%s, %d", name, status)
		}
	}
}

func TestBalancesAreReadToTheCentavo(t *testing.T) {
	t.Parallel()
	for literals, want := range map[[2]string]Balance{
		{"10", "0"}:                {1000, 0},
		{"10.5", "1e2"}:            {1050, 10000},
		{"90071992547409.93", "0"}: {9007199254740993, 0},
		{"0.1", "0.2"}:             {10, 20},
		{"-0.01", "0.010"}:         {-1, 1},
	} {
		got, _, err := testAccount(t).Balance(t.Context(), balances(literals[0], literals[1]))
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, literal := range []string{"0.001", `"10"`, "null", "1e99", "true"} {
		_, x, err := testAccount(t).Balance(t.Context(), balances(literal, "0"))
		assert.ErrorContains(t, err, "balance: available: expected", literal)
		assert.Equal(t, err, x.Invalid, "it counts as failed")
	}
	_, _, err := testAccount(t).Balance(t.Context(), balances("", "0"))
	assert.Error(t, err)
}

func balances(available, blocked string) Sender {
	return scripted(func(r *Request) (int, string) {
		if r.Operation == Token {
			return 201, tokenBody(1, 1800)
		}
		return 200, `{"data":[{"eventDate":"2026-01-02T00:00:00Z","balanceAmount":{"available":` + available +
			`,"blocked":` + blocked + `,"overdraft":0}}]}`
	})
}

func TestFindReadsEveryPage(t *testing.T) {
	t.Parallel()
	item := `{"transactionId":"t","externalId":"e","status":"Confirmado","operationType":"Pix out","movementType":"DEBIT",` +
		`"originalAmount":1.5,"feeAmount":0.5,"finalAmount":2,"endToEndId":null,"createdAt":"2026-01-02T03:04:05.678Z","processedAt":null}`
	var paths []string
	found, err := testAccount(t).Find(t.Context(), scripted(func(r *Request) (int, string) {
		if r.Operation == Token {
			return 201, tokenBody(1, 1800)
		}
		paths = append(paths, r.Path)
		more := len(paths) < 3
		return 200, fmt.Sprintf(`{"data":[%s],"metadata":{"total":3,"hasNext":%t}}`, item, more)
	}), "externalId", "a&b")
	require.NoError(t, err)
	require.Len(t, found, 3)
	assert.Equal(t, Listed{
		TransactionID: "t", ExternalID: "e", Status: "CONFIRMED", Operation: "WITHDRAW", Movement: "DEBIT",
		Amount: 150, Fee: 50,
	}, found[0])
	assert.Equal(t, "/api/transactions?externalId=a%26b&page=1&size=100", paths[0])
	assert.True(t, strings.Contains(paths[2], "page=3"))
}

func TestAListWithoutEndIsAnError(t *testing.T) {
	t.Parallel()
	_, err := testAccount(t).Find(t.Context(), scripted(func(r *Request) (int, string) {
		if r.Operation == Token {
			return 201, tokenBody(1, 1800)
		}
		return 200, `{"data":[{"originalAmount":1,"feeAmount":0,"finalAmount":1,"createdAt":"2026-01-02T03:04:05Z"}],"metadata":{"hasNext":true}}`
	}), "externalId", "e")
	assert.EqualError(t, err, `transactions: expected the list with the externalId "e" to end, got 100 pages and hasNext`)
}

func TestAResendTellsWhatItsReceiverAnswered(t *testing.T) {
	t.Parallel()
	var sent *Request
	sender := scripted(func(r *Request) (int, string) {
		if r.Operation == Token {
			return 201, tokenBody(1, 1800)
		}
		sent = r
		return 200, `{"message":"webhook sent","webhookLogId":12,"sentAt":"2026-01-02T03:04:05Z","statusCode":204}`
	})
	resent, _, err := testAccount(t).Resend(t.Context(), sender, "a/b")
	require.NoError(t, err)
	assert.Equal(t, Resent{LogID: 12, Status: 204}, resent)
	assert.Equal(t, "/api/resend-webhook/a%2Fb", sent.Path)
	assert.Nil(t, sent.Body)
}
