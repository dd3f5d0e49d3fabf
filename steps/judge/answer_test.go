package judge

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/record"
)

const (
	ok      = `{"transactionId":"tx-0000001","externalId":"Order-00001","value":10.00}`
	order   = `{"value":10.00,"externalId":"Order-00001"}`
	refusal = `{"code":"PIX_INVALID_AMOUNT","message":"too little"}`
)

func TestAnswered(t *testing.T) {
	t.Parallel()
	tell(t, map[string]story{
		"accepted": {
			steps:   "When the account sends a cash-out\nThen the request is accepted",
			entries: list(nil, sent(0, "cash-out", order, 201, ok)),
			want:    "pass",
		},
		"not accepted": {
			steps:   "When the account sends a cash-out\nThen the request is accepted",
			entries: list(nil, sent(0, "cash-out", order, 400, refusal)),
			want:    "fail: expected accepted with 201, got 400 PIX_INVALID_AMOUNT, too little [0]",
		},
		"a precondition that is not accepted": {
			steps:   "Given the account has sent a cash-out",
			entries: list(nil, sent(0, "cash-out", order, 400, refusal)),
			want:    "could not test: expected cash-out to be accepted with 201, got 400 PIX_INVALID_AMOUNT, too little [0]",
		},
		"an action that has to be accepted": {
			steps:   "When the account has sent a cash-out",
			entries: list(nil, sent(0, "cash-out", order, 400, refusal)),
			want:    "could not test: expected cash-out to be accepted with 201, got 400 PIX_INVALID_AMOUNT, too little [0]",
		},
		"an action that may be refused": {
			steps:   "When the account sends a cash-out",
			entries: list(nil, sent(0, "cash-out", order, 400, refusal)),
			want:    "pass",
		},
		"a token request that may be refused": {
			steps:   "When the account requests a token with no certificate",
			entries: list(nil, sent(0, "token request", `{}`, 401, `{}`)),
			want:    "pass",
		},
		"one of many that were to be accepted": {
			steps: "Given the account has sent 2 cash-outs of R$ 1.00 to one key",
			entries: list(nil, sent(0, "cash-out", order, 201, ok),
				sent(0, "cash-out", order, 500, ``)),
			want: "could not test: expected cash-out to be accepted with 201, got 500 [1]",
		},
		"a 404 asks for the base URL": {
			steps:   "When the account sends a cash-out\nThen the request is accepted",
			entries: list(nil, sent(0, "cash-out", order, 404, `{}`)),
			want:    "fail: expected accepted with 201, got 404 [0]",
		},
		"no response": {
			steps:   "When the account sends a cash-out\nThen the request should be rejected with 400",
			entries: list(nil, sent(0, "cash-out", order, 0, "connection refused")),
			want:    "fail: expected rejected with 400, got no response: connection refused [0]",
		},
		"an empty body": {
			steps:   "When the account sends a cash-out\nThen the request is rejected with 400 PIX_INVALID_AMOUNT",
			entries: list(nil, sent(0, "cash-out", order, 400, ``)),
			want:    "fail: expected rejected with 400 PIX_INVALID_AMOUNT, got 400 [0]",
		},
		"what should be refused, and is not": {
			steps:   "When the account sends a cash-out\nThen the request should be rejected with 400",
			entries: list(nil, sent(0, "cash-out", order, 201, ok)),
			want:    "pass; warning: expected rejected with 400, got 201 [0]",
		},
		"what should be refused, and fails": {
			steps:   "When the account sends a cash-out\nThen the request should be rejected with 400",
			entries: list(nil, sent(0, "cash-out", order, 500, `{}`)),
			want:    "fail: expected rejected with 400, got 500 [0]",
		},
		"nothing was sent": {
			steps: "Then the request is accepted",
			want:  noRequest,
		},
		"a step that sent something without its request": {
			steps:   "Given the account has sent a cash-out\nWhen the account sends a cash-out",
			entries: list(nil, sent(0, "cash-out", order, 201, ok)),
			want:    "could not test: expected a request of this step, got none recorded [-1]",
		},
		"a state without its request": {
			steps: "Given a cash-out that is CONFIRMED",
			want:  "could not test: expected a request of this step, got none recorded [-1]",
		},
		"a MED case needs no request": {
			steps: "Given a MED case that is OPEN",
			want:  "pass",
		},
		"the target had stopped responding": {
			steps:   "When the account sends a cash-out\nThen the request is accepted",
			entries: list(nil, sent(0, "cash-out", order, 0, unsent)),
			want:    "could not test: expected a target that responds, got not sent: the target had stopped responding [-1]",
		},
		"the target had stopped responding, but what was asked holds": {
			steps:   "When the account sends a cash-out\nThen the request is accepted",
			entries: list(nil, as(record.Aside, sent(0, "token request", "", 0, unsent)), sent(0, "cash-out", order, 201, ok)),
			want:    "pass",
		},
		"a request of a later version of the suite": {
			steps:   "When the account sends a cash-out\nThen the request is accepted",
			entries: list(nil, sent(0, "teleport", `{}`, 201, ok)),
			want:    "could not test: expected a request of this step, got none recorded [-1]",
		},
	})
}

// What a refusal leaves behind.
func TestARefusalLeavesNothing(t *testing.T) {
	t.Parallel()
	const steps = "When the account sends a cash-out\nThen the request is rejected with 400"
	const listNothing, listOne = `{"data":[]}`, `{"data":[{"externalId":"Order-00001"}]}`
	refused := sent(0, "cash-out", order, 400, refusal)
	tell(t, map[string]story{
		"the balance is looked at first": {
			steps:   steps,
			entries: list(nil, before(0, "10.00", "0"), refused),
			want:    "look: balance for 5s",
		},
		"then the list": {
			steps:   steps,
			entries: list(nil, before(0, "10.00", "0"), refused, looked("balance request", 200, balance("10.00", "0"))),
			want:    "look: list for 0s",
		},
		"neither shows anything": {
			steps: steps,
			entries: list(nil, before(0, "10.00", "0"), refused, looked("balance request", 200, balance("10.0", "0")),
				looked("transaction list request", 200, listNothing)),
			want: "pass",
		},
		"money moved": {
			steps:   steps,
			entries: list(nil, before(0, "10.00", "0"), refused, looked("balance request", 200, balance("9.00", "0"))),
			want:    "fail: expected available to stay unchanged, got fell by R$ 1.00, from R$ 10.00 to R$ 9.00 [2]; look: balance for 5s",
		},
		"money moved and came back": {
			steps: steps,
			entries: list(nil, before(0, "10.00", "0"), refused, looked("balance request", 200, balance("9.00", "0")),
				looked("balance request", 200, balance("10.00", "0")), looked("transaction list request", 200, listNothing)),
			want: "pass",
		},
		"it is listed": {
			steps:   steps,
			entries: list(nil, refused, looked("transaction list request", 200, listOne)),
			want:    "fail: expected a refused order not to be listed, got 1 transactions with its externalId [1]",
		},
		"it is listed for an order that was accepted under the same externalId": {
			steps: "Given the account has sent a cash-out\nWhen the account sends the request again\nThen the request is rejected with 409",
			entries: list(nil, sent(0, "cash-out", order, 201, ok), sent(1, "cash-out", order, 409, `{}`),
				looked("transaction list request", 200, listOne)),
			want: "pass",
		},
		"it is listed beside an order that the other account sent": {
			steps: "Given the other account has sent a cash-out\nWhen the account sends a cash-out\nThen the request is rejected with 409",
			entries: list(nil, byOther(sent(0, "cash-out", order, 201, ok)), sent(1, "cash-out", order, 409, `{}`),
				looked("transaction list request", 200, listOne)),
			want: "fail: expected a refused order not to be listed, got 1 transactions with its externalId [2]",
		},
		"a list that cannot be read has rules of its own": {
			steps:   steps,
			entries: list(nil, refused, looked("transaction list request", 500, ``)),
			want:    "pass",
		},
		"an order without an externalId is not looked for": {
			steps:   steps,
			entries: list(nil, sent(0, "cash-out", `{"value":1}`, 400, refusal)),
			want:    "pass",
		},
		"what a gateway keeps of an order that it could not carry out is left open": {
			steps:   "When the account sends a cash-out\nThen the request is accepted, or rejected with 503",
			entries: list(nil, before(0, "10.00", "0"), sent(0, "cash-out", order, 503, `{}`), looked("balance request", 200, balance("9.00", "0"))),
			want:    "pass; warning: expected available to stay unchanged, got fell by R$ 1.00, from R$ 10.00 to R$ 9.00 [2]; look: balance for 5s",
		},
		"a refund alone in its When": {
			steps:   "When the account sends a refund\nThen the request is rejected with 400",
			entries: list(nil, fact(0, record.Fact{Kind: record.WhenBegan}), before(0, "10.00", "0"), sent(0, "refund", `{"valor":"4.00"}`, 400, `{}`)),
			want:    "look: balance for 5s",
		},
		"a refund after something else": {
			steps: "When the account sends a refund\nWhen the account sends a refund\nThen the request is rejected with 400",
			entries: list(nil, fact(0, record.Fact{Kind: record.WhenBegan}), before(0, "10.00", "0"), sent(0, "refund", `{"valor":"4.00"}`, 200, `{}`),
				sent(1, "refund", `{"valor":"4.00"}`, 400, `{}`)),
			want: "pass",
		},
		"an earlier refund may take its money now": {
			steps: "Given the account has sent a refund\nWhen the account sends a cash-out\nThen the request is rejected with 400",
			entries: list(nil, sent(0, "refund", `{"valor":"4.00"}`, 200, `{}`), before(1, "10.00", "0"), sent(1, "cash-out", `{"value":1}`, 400, `{}`),
				looked("balance request", 200, balance("6.00", "0"))),
			want: "pass",
		},
		"but no other sum": {
			steps: "Given the account has sent a refund\nWhen the account sends a cash-out\nThen the request is rejected with 400",
			entries: list(nil, sent(0, "refund", `{"valor":"4.00"}`, 200, `{}`), before(1, "10.00", "0"), sent(1, "cash-out", `{"value":1}`, 400, `{}`),
				looked("balance request", 200, balance("5.00", "0"))),
			want: "fail: expected available to stay unchanged, got fell by R$ 5.00, from R$ 10.00 to R$ 5.00 [3]; look: balance for 5s",
		},
		"the other account's balance is not measured": {
			steps:   "When the other account sends a cash-out\nThen the request is rejected with 400",
			entries: list(nil, before(0, "10.00", "0"), byOther(sent(0, "cash-out", `{"value":1}`, 400, `{}`))),
			want:    "pass",
		},
		"a balance that can no longer be read": {
			steps:   steps,
			entries: list(nil, openedFixed(), fact(0, record.Fact{Kind: record.Unsettled}), before(0, "10.00", "0"), refused, looked("balance request", 500, ``)),
			want:    "fail: expected the balance, got 500 [2]",
		},
	})
}

func TestSeveralAtOnce(t *testing.T) {
	t.Parallel()
	const three = "When the account sends 3 concurrent cash-outs of R$ 1.00\n"
	accepted := func(id string) record.Entry { return sent(0, "cash-out", order, 201, `{"transactionId":"`+id+`"}`) }
	refused := func() record.Entry { return sent(0, "cash-out", order, 400, refusal) }
	resends := func(perSecond float64) story {
		return story{
			steps:   "When the account sends 2 concurrent resend requests\nThen one request is accepted",
			terms:   func(t *record.Terms) { t.RequestsPerSecond = perSecond },
			entries: atOnce(sent(0, "resend request", "", 200, `{}`), as(record.Spoken, sent(0, "resend request", "", 200, `{}`))),
		}
	}
	limited, free, quick := resends(1), resends(0), resends(18)
	quick.entries[1].Exchange.Sent = began.Add(3 * time.Second) // surely within the same minute, if it is tried several times
	limited.entries[1].Exchange.Sent = began.Add(40 * time.Second)
	limited.want = couldNot + "the requests took 40s because requestsPerSecond in the profile throttles them, so the per-minute limit may have reset in between [-1]"
	free.want = "fail: expected one of 2 requests at once to be accepted, got 2 accepted [0]; unproven"
	quick.want = free.want
	tell(t, map[string]story{
		"as many as were said": {
			steps: three + "Then 2 requests are accepted", entries: atOnce(accepted("a"), refused(), accepted("b")), want: "pass",
		},
		"too many": {
			steps: three + "Then one request is accepted", entries: atOnce(accepted("a"), refused(), accepted("b")), want: "fail: expected one of 3 requests at once to be accepted, got 2 accepted [0]",
		},
		"one of two counts": {
			steps: three + "Then 1 or 2 requests are accepted", entries: atOnce(accepted("a"), refused(), accepted("b")), want: "pass",
		},
		"at most, and fewer": {
			steps: three + "Then at most 2 requests are accepted", entries: atOnce(accepted("a"), refused(), refused()), want: "pass",
		},
		"at most, but at least one": {
			steps: three + "Then at most 2 requests are accepted", entries: atOnce(refused(), refused(), refused()), want: "fail: expected at most 2 of 3 requests at once to be accepted, got 0 accepted [0]",
		},
		"at most, and more": {
			steps: three + "Then at most 2 requests are accepted", entries: atOnce(accepted("a"), accepted("b"), accepted("c")), want: "fail: expected at most 2 of 3 requests at once to be accepted, got 3 accepted [0]",
		},
		"counted by the minute, as the profile lets requests go out slowly": limited,
		"counted by the minute": free,
		"within a few seconds":  quick,
		"each as it should be": {
			steps: three + "Then every request is accepted", entries: atOnce(accepted("a"), accepted("b"), accepted("c")), want: "pass",
		},
		"one not as each should be": {
			steps: three + "Then every request is accepted", entries: atOnce(accepted("a"), accepted("b"), refused()), want: "fail: expected accepted with 201, got 400 PIX_INVALID_AMOUNT, too little [2]",
		},
		"variants, of which each is rejected and moves no money": {
			steps:   "When the account sends a cash-out of every shape\nThen every request is rejected with 400",
			entries: list(nil, inVariant("To a CPF", refused()), inVariant("To a CNPJ", refused())), want: "look: list for 0s",
		},
		"a rejected variant is not listed": {
			steps: "When the account sends a cash-out of every shape\nThen every request is rejected with 400",
			entries: list(nil, inVariant("To a CPF", sent(0, "cash-out", `{"externalId": "pedido-1"}`, 400, `{}`)),
				looked("transaction list request", 200, `{"data": [{"externalId": "pedido-1"}]}`)),
			want: "fail: expected a refused order not to be listed, got To a CPF: it is listed [1]",
		},
		"of variants that may be accepted, a rejected one is not listed": {
			steps: "When the account sends a cash-out in unusual JSON\nThen every request is accepted, or rejected with 400",
			entries: list(nil, inVariant("value twice", accepted("a")), inVariant("key twice", sent(0, "cash-out", `{"externalId": "pedido-1"}`, 400, `{}`)),
				looked("transaction list request", 200, `{"data": [{"externalId": "pedido-1"}]}`)),
			want: "fail: expected a refused order not to be listed, got key twice: it is listed [2]",
		},
		"malformed JSON has any code and names nothing": {
			steps:   "When the account sends a cash-out whose details.keyType is invalid\nThen every request is rejected with 400 HTTP_ERROR, naming details.keyType",
			entries: list(nil, inVariant("half", sent(0, "cash-out", `{"details": {"keyType": "\ud800"}}`, 400, `{"code": "MALFORMED"}`)), looked("transaction list request", 200, `{"data": []}`)),
			want:    "pass",
		},
		"a rejected variant of a registration is listed": {
			steps: "When the account sends a webhook registration whose url is invalid\nThen every request is rejected with 400",
			entries: list(nil, inVariant("first", sent(0, "webhook registration", `{"url": "http://a.example", "eventType": "cash_in"}`, 400, `{}`)),
				inVariant("second", sent(0, "webhook registration", `{"url": "http://b.example", "eventType": "cash_in"}`, 400, `{}`)),
				looked("webhook list request", 200, `{"webhooks": [{"url": "http://a.example", "type": "cash_in"}]}`)),
			want: "fail: expected nothing to be registered by a refused request, got first: its URL is listed for cash_in [0]",
		},
		"variants, of which some are accepted": {
			steps:   "When the account sends a cash-out of every shape\nThen every request is rejected with 400",
			entries: list(nil, inVariant("To a CPF", refused()), inVariant("To a CNPJ", accepted("a")), inVariant("To an e-mail", accepted("b"))),
			want:    "fail: expected rejected with 400, got To a CNPJ: 201 [1]",
		},
		"the others as they should be": {
			steps: three + "Then the others are rejected with 400", entries: atOnce(accepted("a"), accepted("b"), refused()), want: "pass",
		},
		"the others not as they should be": {
			steps: three + "Then the others are rejected with 409", entries: atOnce(accepted("a"), accepted("b"), refused()), want: "fail: expected rejected with 409, got 400 PIX_INVALID_AMOUNT, too little [2]",
		},
		"the others have what they should": {
			steps: three + "Then the others have:\n| code | \"PIX_INVALID_AMOUNT\" |", entries: atOnce(accepted("a"), accepted("b"), refused()), want: "pass",
		},
		"the others lack what they should have": {
			steps: three + "Then the others have:\n| code | \"OTHER\" |", entries: atOnce(accepted("a"), accepted("b"), refused()), want: `fail: expected code to be "OTHER", got "PIX_INVALID_AMOUNT" [2]`,
		},
		"all accepted share a field": {
			steps: three + "Then all accepted responses have the same transactionId", entries: atOnce(accepted("a"), refused(), accepted("a")), want: "pass",
		},
		"all accepted do not": {
			steps: three + "Then all accepted responses have the same transactionId", entries: atOnce(accepted("a"), refused(), accepted("b")), want: `fail: expected transactionId to be "a" in each accepted response, got "b" [2]`,
		},
		"none of those that share was accepted": {
			steps: three + "Then all accepted responses have the same transactionId", entries: atOnce(refused(), refused(), refused()), want: "fail: expected at least one of the requests to be accepted, got 400 PIX_INVALID_AMOUNT, too little [0]",
		},
		"a field that none has is not shared": {
			steps: three + "Then all accepted responses have the same nothing", entries: atOnce(accepted("a"), accepted("a"), accepted("a")), want: "fail: expected nothing in each accepted response, got absent [0]",
		},
		"nothing at once: a count": {
			steps: "Then one request is accepted", entries: list(nil, accepted("a")), want: noRequest,
		},
		"nothing at once: each": {
			steps: "Then every request is accepted", entries: list(nil, accepted("a")), want: noRequest,
		},
		"nothing at once: a field": {
			steps: "Then all accepted responses have the same transactionId", entries: list(nil, accepted("a")), want: noRequest,
		},
		"nothing at once: fields of the others": {
			steps: "Then the others have:\n| code | null |", entries: list(nil, accepted("a")), want: noRequest,
		},
	})
}

func TestTwoAnswers(t *testing.T) {
	t.Parallel()
	const two = "When the account sends a cash-out\nWhen the account sends a cash-out\n"
	answers := func(a int, first string, b int, second string) []record.Entry {
		return list(nil, sent(0, "cash-out", order, a, first), sent(1, "cash-out", order, b, second))
	}
	tell(t, map[string]story{
		"one of two accepted":          {steps: two + "Then at least one of the two requests is accepted", entries: answers(201, ok, 400, refusal), want: "pass"},
		"none of two accepted":         {steps: two + "Then at least one of the two requests is accepted", entries: answers(409, `{}`, 400, refusal), want: "fail: expected one of the last two requests to be accepted, got 409; 400 PIX_INVALID_AMOUNT, too little [1]"},
		"one of two with data":         {steps: two + "Then at least one of the two lists is not empty", entries: answers(201, `{"data":[]}`, 201, `{"data":[1]}`), want: "pass"},
		"none of two with data":        {steps: two + "Then at least one of the two lists is not empty", entries: answers(201, `{"data":[]}`, 201, `{}`), want: "fail: expected one of the last two requests to be not empty, got 201; 201 [1]"},
		"one of one":                   {steps: "Then at least one of the two requests is accepted", want: "could not test: expected two responses or events to compare, got none recorded [-1]"},
		"both differ":                  {steps: two + "Then the two responses differ in id", entries: answers(201, `{"id":1}`, 201, `{"id":2}`), want: "pass"},
		"both are alike":               {steps: two + "Then the two responses differ in id", entries: answers(201, `{"id":1}`, 201, `{"id":1.0}`), want: "fail: expected a different id from the previous response, got 1.0 [1]"},
		"the second has none":          {steps: two + "Then the two responses differ in id", entries: answers(201, `{"id":1}`, 201, `{}`), want: "fail: expected a different id from the previous response, got absent [1]"},
		"one alone differs":            {steps: "Then the two responses differ in id", want: "could not test: expected two responses or events to compare, got none recorded [-1]"},
		"same code":                    {steps: two + "Then the two rejections have the same status and code", entries: answers(400, refusal, 400, refusal), want: "pass"},
		"another code":                 {steps: two + "Then the two rejections have the same status and code", entries: answers(400, refusal, 400, `{"code":"X"}`), want: `fail: expected two rejections that have the same status and code, got 400 {"code":"PIX_INVALID_AMOUNT","message":"too little"} and 400 {"code":"X"} [1]`},
		"another status":               {steps: two + "Then the two rejections have the same status and code", entries: answers(400, refusal, 401, refusal), want: `fail: expected two rejections that have the same status and code, got 400 {"code":"PIX_INVALID_AMOUNT","message":"too little"} and 401 {"code":"PIX_INVALID_AMOUNT","message":"too little"} [1]`},
		"no two refusals":              {steps: two + "Then the two rejections have the same status and code", entries: answers(201, ok, 401, refusal), want: "fail: expected two rejections, got 201 [0]"},
		"one refusal alone":            {steps: "Then the two rejections have the same status and code", want: "could not test: expected two responses or events to compare, got none recorded [-1]"},
		"same envelope":                {steps: two + "Then the two rejections have the same status, code, messages and details", entries: answers(400, `{"details":{"a":1},"errorId":"1"}`, 400, `{"details":{"a":1},"errorId":"2"}`), want: "pass"},
		"another detail":               {steps: two + "Then the two rejections have the same status, code, messages and details", entries: answers(400, `{"details":null}`, 400, `{}`), want: `fail: expected two rejections that have the same status, code, messages and details, got 400 {"details":null} and 400 {} [1]`},
		"ids of their own":             {steps: two + "Then the two rejections have different errorIds", entries: answers(400, `{"errorId":"1"}`, 400, `{"errorId":"2"}`), want: "pass"},
		"one id for both":              {steps: two + "Then the two rejections have different errorIds", entries: answers(400, `{"errorId":"1"}`, 400, `{"errorId":"1"}`), want: `fail: expected two rejections that have different errorIds, got 400 {"errorId":"1"} and 400 {"errorId":"1"} [1]`},
		"no ids":                       {steps: two + "Then the two rejections have different errorIds", entries: answers(400, `{}`, 400, `{"errorId":"1"}`), want: `fail: expected two rejections that have different errorIds, got 400 {} and 400 {"errorId":"1"} [1]`},
		"a code that is none of some":  {steps: two + "Then the code is not one of:\n| OTHER |", entries: answers(400, refusal, 400, refusal), want: "pass"},
		"a code that is one of some":   {steps: two + "Then the code is not one of:\n| OTHER |\n| PIX_INVALID_AMOUNT |", entries: answers(400, refusal, 400, refusal), want: "fail: expected a code other than PIX_INVALID_AMOUNT, got 400 PIX_INVALID_AMOUNT, too little [1]"},
		"a code of nothing":            {steps: "Then the code is not one of:\n| OTHER |", want: noRequest},
		"a body that is not an object": {steps: two + "Then the two responses differ in id", entries: answers(201, `[]`, 201, `"id"`), want: "fail: expected a different id from the previous response, got absent [1]"},
		"bodies that are not JSON":     {steps: two + "Then the two rejections have different errorIds", entries: answers(400, `<html>`, 400, ``), want: "fail: expected two rejections that have different errorIds, got 400 <html> and 400  [1]"},
		"a message that is not a text": {steps: two + "Then at least one of the two requests is accepted", entries: answers(400, `{"message":{"a":1},"code":7}`, 400, `{"message":[null,{"a":[]}]}`), want: "fail: expected one of the last two requests to be accepted, got 400; 400, null; {\"a\":[]} [1]"},
		"more than the suite reads":    {steps: two + "Then at least one of the two requests is accepted", entries: truncated(answers(400, `{}`, 400, `{`)), want: "fail: expected one of the last two requests to be accepted, got 400; 400, with a body longer than pixcert reads [1]"},
		"an error beside a status":     {steps: two + "Then the request is rejected with 400", entries: brokenOff(answers(400, `{}`, 400, `{}`)), want: "fail: expected rejected with 400, got 400 (the response broke off) [1]"},
		"a truncated success":          {steps: two + "Then the request is accepted", entries: truncated(answers(201, ok, 201, ok)), want: "pass"},
		"a truncated refusal":          {steps: two + "Then the request is rejected with 400 PIX_INVALID_AMOUNT", entries: truncated(answers(400, refusal, 400, `{`)), want: "could not test: expected rejected with 400 PIX_INVALID_AMOUNT, got 400, with a body longer than pixcert reads [1]"},
		"another status, truncated":    {steps: two + "Then the request is rejected with 401", entries: truncated(answers(400, refusal, 400, `{`)), want: "fail: expected rejected with 401, got 400, with a body longer than pixcert reads [1]"},
		"a field of a truncated body":  {steps: two + "Then the two responses differ in id", entries: truncated(answers(201, ok, 201, `{`)), want: "could not test: expected a different id from the previous response, got 201, with a body longer than pixcert reads [1]"},
	})
}

func truncated(entries []record.Entry) []record.Entry {
	entries[len(entries)-1].Exchange.Truncated = true
	return entries
}

func brokenOff(entries []record.Entry) []record.Entry {
	entries[len(entries)-1].Exchange.Err = "the response broke off"
	return entries
}

func TestNoTokenGiven(t *testing.T) {
	t.Parallel()
	const steps = "When the account requests a token with no certificate\nThen no token is returned"
	told := func(status int, answer, want string) story {
		return story{steps: steps, entries: list(nil, sent(0, "token request", `{}`, status, answer)), want: want}
	}
	tell(t, map[string]story{
		"refused":                       told(401, `{}`, "pass"),
		"refused in other words":        told(404, `<html>`, "pass; warning: expected a refusal with 400, 401 or 403, got 404, with a body that is not JSON [0]"),
		"the handshake was refused":     told(0, "TLS failed: bad certificate", "pass"),
		"no response to it":             told(0, "timed out after 10s", couldNot+"the response does not show whether a token was issued: no response: timed out after 10s [-1]"),
		"a token":                       told(201, `{"access_token":"x"}`, "fail: expected no token: the certificate in the handshake belongs to another account, got 201 [0]"),
		"a token beside another status": told(202, `{"access_token":"x"}`, "fail: expected no token: the certificate in the handshake belongs to another account, got 202 [0]"),
		"no token request":              {steps: "Then no token is returned", want: noRequest},
	})
}

func TestObstacles(t *testing.T) {
	t.Parallel()
	told := func(o record.Obstacle, want string) story {
		return story{steps: "When the account sends a cash-out", entries: list(nil, stopped(o)), want: want}
	}
	tell(t, map[string]story{
		"nobody's fault":    told(*record.Cannot("it rains"), couldNot+"it rains [-1]"),
		"worth another try": told(record.Obstacle{Kind: record.Unable, Reason: "the connection broke", Exchange: -1, Spoils: true}, couldNot+"the connection broke [-1]; spoiled"),
		"not offered":       told(record.Obstacle{Kind: record.NotOffered, Reason: "GET /balance returns 404", Exchange: 3}, "not applicable: expected a target that offers what this scenario tests, got GET /balance returns 404 [3]"),
		"a missing control": told(record.Obstacle{Kind: record.MissingControl, Control: "funds", Reason: "no funds", Exchange: -1}, "could not test: expected the test control funds, got no funds [-1]; missing: funds"),
		"a failing control": told(record.Obstacle{Kind: record.FailedControl, Control: "funds", Reason: "500", Exchange: 2}, "could not test: expected the test control funds to work, got 500 [2]"),
		"the suite's fault": told(record.Obstacle{Kind: record.Broken, Reason: "index out of range", Exchange: -1}, "suite error: expected pixcert to run this step, got index out of range [-1]"),
		"of no known kind":  told(record.Obstacle{Kind: "", Reason: "odd", Exchange: -1}, couldNot+"odd [-1]"),
	})
}

func TestAFindingNamesTheWrongVariants(t *testing.T) {
	t.Parallel()
	entries := list(nil, inVariant("To a CPF", sent(0, "cash-out", "", 400, `{}`)))
	for i := range 7 {
		entries = append(entries, inVariant(fmt.Sprint("Shape ", i), sent(0, "cash-out", "", 201, `{}`)))
	}
	r := story{steps: "When the account sends a cash-out of every shape\nThen every request is rejected with 400", entries: entries}.judged(t)
	require.NotNil(t, r.Finding)
	assert.Equal(t, "Shape 0: 201", r.Finding.Got)
	assert.Equal(t, "wrong in 7 of 8 variants; also: Shape 1; Shape 2; Shape 3; Shape 4; 2 more; right: To a CPF", r.Finding.Hint)

	r = story{steps: "When the account sends a cash-out of every shape\nThen every request is rejected with 400", entries: entries[len(entries)-2:]}.judged(t)
	require.NotNil(t, r.Finding)
	assert.Equal(t, "wrong in both variants; also: Shape 6", r.Finding.Hint)
}
