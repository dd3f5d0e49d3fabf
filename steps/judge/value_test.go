package judge

import (
	"fmt"
	"testing"

	"github.com/pixcert/pixcert/steps/record"
)

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		outcome string
		status  int
		body    string
		met     bool
	}{
		{"accepted", 201, `{}`, true},
		{"accepted", 200, `{}`, false},
		{"accepted with 200", 200, `{}`, true},
		{"rejected with 400", 400, `{"code":"ANY"}`, true},
		{"rejected with 400", 422, `{"code":"ANY"}`, false},
		{"rejected with 400", 201, `{}`, false},
		{"rejected with 400 A_CODE", 400, `{"code":"A_CODE"}`, true},
		{"rejected with 400 A_CODE", 400, `{"code":"B_CODE"}`, false},
		{"rejected with 400 A_CODE", 400, `{"code":["A_CODE"]}`, false},
		{"rejected with 400 A_CODE", 400, `not json`, false},
		{"rejected with 400 A_CODE or B_CODE", 400, `{"code":"B_CODE"}`, true},
		{"rejected with 400 or 415", 415, `{}`, true},
		{"accepted, or rejected with 400", 201, `{}`, true},
		{"accepted, or rejected with 400", 400, `{}`, true},
		{"accepted, or rejected with 400", 500, `{}`, false},
		{"rejected with 401 A_CODE, or rejected with 403 B_CODE", 403, `{"code":"B_CODE"}`, true},
		{"rejected with 401 A_CODE, or rejected with 403 B_CODE", 401, `{"code":"B_CODE"}`, false},
		{"rejected with 400, naming value", 400, `{"code":"HTTP_ERROR","message":["value must be at least 0.01"]}`, true},
		{"rejected with 400, naming value", 400, `{"code":"HTTP_ERROR","message":["externalId is required"]}`, false},
		{"rejected with 400, naming value", 400, `{"code":"HTTP_ERROR","message":"value is required"}`, true},
		{"rejected with 400, naming value", 400, `{"code":"HTTP_ERROR"}`, false},
		{"rejected with 400, naming value", 400, `{"code":"PIX_INVALID_AMOUNT","message":"too little"}`, true},
		{"rejected with 400, naming value and key", 400, `{"code":"HTTP_ERROR","message":["value is required","details.key is required"]}`, true},
		{"rejected with 400, naming value and name", 400, `{"code":"HTTP_ERROR","message":["value is required","details.key is required"]}`, false},
		{"rejected with 400, naming key", 400, `{"code":"HTTP_ERROR","message":["details.keyType must be one of EMAIL"]}`, false},
		{"rejected with 400, naming 0.01", 400, `{"code":"HTTP_ERROR","message":["value deve ser ao menos 0,01"]}`, true},
		{"accepted", 0, ``, false},
		{"rejected with 400", 0, ``, false},
	} {
		name := fmt.Sprintf("%s by %d %s", c.outcome, c.status, c.body)
		got := story{steps: "When the account sends a cash-out\nThen the request is " + c.outcome, entries: list(nil, sent(0, "cash-out", `{"value":1}`, c.status, c.body))}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := got.judged(t); (r.Verdict == "pass") != c.met {
				t.Errorf("%s", said(r))
			}
		})
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		phrase, value string // value "" is absent
		met           bool
	}{
		{"absent", "", true},
		{"absent", "null", false},
		{"present", "null", false},
		{"present", "0", true},
		{"null", "null", true},
		{"null", "", false},
		{"a string", `""`, true},
		{"a string", `1`, false},
		{"a non-empty string", `""`, false},
		{"a non-empty string", `"x"`, true},
		{"a list of strings", `["x"]`, true},
		{"a list of strings", `[]`, false},
		{"a list of strings", `["x", ""]`, false},
		{"a list of strings", `["x", 1]`, false},
		{"an item whose a.b is R$ 8.41", `[{"a":1}, {"a":{"b":8.41}}]`, true},
		{"an item whose a.b is R$ 8.41", `[{"a":{"b":8.42}}, {"b":8.41}]`, false},
		{"an item whose a.b is R$ 8.41", `{"a":{"b":8.41}}`, false},
		{"2 strings", `["x", "y"]`, true},
		{"2 strings", `"xy"`, false},
		{"at least 2 strings", `["x", "y", "z"]`, true},
		{"at least 2 strings", `["x"]`, false},
		{"3 items", `[1, 2, 3]`, true},
		{"1 item", `[1, 2]`, false},
		{"at least 1 item", `[1, 2]`, true},
		{"3 characters", `"ção"`, true},
		{"3 characters", `"c"`, false},
		{"3 characters", `123`, false},
		{"empty", `[]`, true},
		{"empty", `{}`, false},
		{"empty", ``, false},
		{"not empty", `{"a": 1}`, true},
		{"not empty", `[1]`, true},
		{"not empty", `"x"`, true},
		{"not empty", `""`, false},
		{"not empty", `0`, false},
		{"not empty", `{}`, false},
		{"a number", `1`, true},
		{"a number", `"1"`, false},
		{"a boolean", `false`, true},
		{"a boolean", `"false"`, false},
		{"an object", `{}`, true},
		{"an object", `[]`, false},
		{"an array", `[]`, true},
		{"an array", `null`, false},
		{"R$ 10.00", `10`, true},
		{"R$ 10.00", `10.00`, true},
		{"R$ 10.00", `1e1`, true},
		{"R$ 10.00", `10.001`, false},
		{"R$ 10.00", `"10.00"`, false},
		{"R$ 90071992547409.93", `90071992547409.93`, true},
		{"R$ 90071992547409.93", `90071992547409.92`, false},
		{`"PENDING"`, `"PENDING"`, true},
		{`"PENDING"`, `"CONFIRMED"`, false},
		{"1800", "1800", true},
		{"1800", "1800.0", true},
		{"1800", `"1800"`, false},
		{"true", "true", true},
		{"null or 1", "1", true},
		{"null or 1", "2", false},
		{"a UUID", `"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"`, true},
		{"a UUID", `"7d9f03358dcc40549bf90dbd61d36906"`, false},
		{"a UTC time", `"2026-03-01T10:00:00Z"`, true},
		{"a UTC time", `"2026-03-01T10:00:00.123456+00:00"`, true},
		{"a UTC time", `"2026-03-01T10:00:00-03:00"`, false},
		{"a UTC time", `"2026-03-01T10:00:00"`, false},
		{"a UTC time", `"2026-13-01T10:00:00Z"`, false},
		{"a UTC time", `1772359200`, false},
		{"a JWT", `"eyJhbGciOiJIUzI1NiJ9.e30.c2ln"`, true},
		{"a JWT", `"a.b.c"`, false},
		{"a JWT", `"opaque"`, false},
		{"a JWT", `"bnVsbA.bnVsbA.c2ln"`, false},
		{"a JWT", `"eyJhbGciOiJIUzI1NiJ9.e30.c2=n"`, false},
		{"masked", `"***.982.247-**"`, true},
		{"masked", `"***"`, true},
		{"masked", `"52998224725"`, false},
		{"masked", `"529.982.247-25"`, false},
		{"masked", `"11222333000181"`, false},
		{"masked", `"11.222.333/0001-81"`, false},
		{"masked", `"11.222.***/0001-81"`, true},
		{"masked", `"**.222.333/0001-81"`, true},
		{"masked", `"529.982.247-25*"`, false},
		{"masked", `""`, false},
		{"masked", `null`, false},
		{"an EMV code", `"000201x"`, true},
		{"an EMV code", `"x000201"`, false},
		{"a Base64 image", `"iVBORw0KGgo="`, true},
		{"a Base64 image", `"bm90aGluZw=="`, false},
		{"a BR Code of R$ 10.00", `"nothing"`, false},
		{"a BR Code of R$ 198.00", `"00020126580014br.gov.bcb.pix01365a5ea8c2-cbb5-4c25-a7be-2a778871fc5f52040000530398654031985802BR5911Arrumadinho6008Brasilia62290525e433v1530u155f31mSushiPro63048381"`, true},
		{"a BR Code of R$ 1.98", `"00020126580014br.gov.bcb.pix01365a5ea8c2-cbb5-4c25-a7be-2a778871fc5f52040000530398654031985802BR5911Arrumadinho6008Brasilia62290525e433v1530u155f31mSushiPro63048381"`, false},
	} {
		body := `{"other":1}`
		if c.value != "" {
			body = `{"field":` + c.value + `}`
		}
		got := story{steps: "When the account sends a cash-out\nThen the response has:\n| field | " + c.phrase + " |", entries: list(nil, sent(0, "cash-out", `{}`, 201, body))}
		t.Run(c.phrase+" of "+c.value, func(t *testing.T) {
			t.Parallel()
			if r := got.judged(t); (r.Verdict == "pass") != c.met {
				t.Errorf("%s", said(r))
			}
		})
	}
}

// Phrases that depend on what the scenario has done.
func TestValuesOfTheScenario(t *testing.T) {
	t.Parallel()
	has := func(rows string, entries ...record.Entry) story {
		return story{steps: "When the account sends a cash-out\nThen the response has:\n" + rows, entries: entries, want: "pass"}
	}
	is := func(want string, s story) story { s.want = want; return s }
	answer := func(body string) record.Entry { return sent(0, "cash-out", order, 201, body) }
	refund := func(body string) record.Entry { return sent(0, "refund", `{"valor":"4.00"}`, 200, body) }
	const twice = "When the account sends a cash-out\nWhen the account sends a cash-out\nThen the response has:\n"
	second := func(rows, first, second string) story {
		return story{steps: twice + rows, entries: list(nil, answer(first), during(1, answer(second)))}
	}
	tell(t, map[string]story{
		"the path, whatever is around it":     has("| path | the request path |", refund(`{"path":"/v1/pix/E607011902026030110000000000001/devolucao/devolucao01?x=1"}`)),
		"the path, unescaped":                 has("| path | the request path |", sent(0, "list-by-key request", "", 200, `{"path":"/api/pix/transactions/pix-key/a@b.example"}`)),
		"another path":                        is(`fail: expected path to be the request path, got "/pix" [0]`, has("| path | the request path |", refund(`{"path":"/pix"}`))),
		"no path":                             is("fail: expected path to be the request path, got absent [0]", has("| path | the request path |", refund(`{}`))),
		"the time":                            has("| timestamp | the time of the request |", answer(`{"timestamp":"2026-03-01T10:29:59Z"}`)),
		"half an hour later":                  is(`fail: expected timestamp to be the time of the request, 2026-03-01T10:00:00Z, got "2026-03-01T10:30:00Z" [0]`, has("| timestamp | the time of the request |", answer(`{"timestamp":"2026-03-01T10:30:00Z"}`))),
		"the method":                          has("| method | the request method |", refund(`{"method":"PUT"}`)),
		"another method":                      is(`fail: expected method to be the request method, got "POST" [0]`, has("| method | the request method |", refund(`{"method":"POST"}`))),
		"the code":                            has("| errorCode | the code |", answer(`{"errorCode":"A","code":"A"}`)),
		"another code":                        is(`fail: expected errorCode to be the code, got "B" [0]`, has("| errorCode | the code |", answer(`{"errorCode":"B","code":"A"}`))),
		"as sent":                             has("| value | the value sent |", answer(`{"value":10.0}`)),
		"as sent in a header":                 has("| key | the content-type sent |", answer(`{"key":"application/json"}`)),
		"as sent in the path":                 has("| id | the id sent |", refund(`{"id":"devolucao01"}`)),
		"not as sent":                         is("fail: expected value to be the value sent, got 11 [0]", has("| value | the value sent |", answer(`{"value":11}`))),
		"a key that the profile does not say": is(couldNot+"the PIX key of the account is unknown: set accounts[].pixKey in the profile [-1]", has("| chave | the chave sent |", answer(`{"chave":"k"}`))),
		"a field that was never sent":         is("could not test: expected a request with the field nothing, got none recorded [-1]", has("| x | the nothing sent |", answer(`{"x":"k"}`))),
		"as another field":                    has("| a | the b |", answer(`{"a":{"x":1},"b":{"x":1.0}}`)),
		"not as another field":                is("fail: expected a to be the b, got 1 [0]", has("| a | the b |", answer(`{"a":1}`))),
		"so long after":                       has("| a | 60 seconds after b |", answer(`{"a":"2026-03-01T10:01:05Z","b":"2026-03-01T10:00:00Z"}`)),
		"too long after":                      is(`fail: expected a to be 60 seconds after b, got "2026-03-01T10:01:06Z" [0]`, has("| a | 60 seconds after b |", answer(`{"a":"2026-03-01T10:01:06Z","b":"2026-03-01T10:00:00Z"}`))),
		"after nothing":                       is(`fail: expected a to be 60 seconds after b, got "2026-03-01T10:01:06Z" [0]`, has("| a | 60 seconds after b |", answer(`{"a":"2026-03-01T10:01:06Z","b":null}`))),
		"no picture":                          is(`fail: expected a to be a QR Code of the b, got "x" [0]`, has("| a | a QR Code of the b |", answer(`{"a":"x","b":"y"}`))),
		"the first id again":                  is("pass", second("| id | the first id |", `{"id":1}`, `{"id":1.0}`)),
		"not the first id":                    is("fail: expected id to be the first id, got 2 [1]", second("| id | the first id |", `{"id":1}`, `{"id":2}`)),
		"different from the first id":         is("pass", second("| id | different from the first id |", `{"id":1}`, `{"id":2}`)),
		"an absent id is not another":         is("fail: expected id to be different from the first id, got absent [1]", second("| id | different from the first id |", `{"id":1}`, `{}`)),
		"absent, or different from the first": is("pass", second("| id | absent or different from the first id |", `{"id":1}`, `{}`)),
		"absent, or the first of none":        is("pass", second("| id | absent or the first id |", `{}`, `{}`)),
		"the first of none":                   is(couldNot+"no accepted response in this scenario has the field id [-1]", second("| other | the first id |", `{}`, `{"other":1}`)),
		"as answered last":                    is("pass", second("| other | the id returned |", `{"id":"a"}`, `{"other":"a"}`)),
		"not as answered last":                is(`fail: expected other to be the id returned, got "b" [1]`, second("| other | the id returned |", `{"id":"a"}`, `{"other":"b"}`)),
		"as was never answered":               is(couldNot+"no accepted response in this scenario has the field id [-1]", second("| other | the id returned |", `{}`, `{"other":"b"}`)),
		"an empty text was answered":          is("pass", second("| other | the id returned |", `{"id":""}`, `{"other":""}`)),
		"no event to compare with":            is("could not test: expected an event that this step refers to, got none recorded [-1]", has("| id | the id of the event |", answer(`{"id":1}`))),
		"the id of a payment received": {
			steps:   "When the account sends a cash-in\nThen the response has:\n| endToEndId | its endToEndId |",
			entries: list(nil, sent(0, "cash-in", `{}`, 201, `{"endToEndId":"E1"}`), fact(0, record.Fact{Kind: record.Paid, Index: 0, Text: "E1"})),
			want:    "pass",
		},
		"no payment was received":  is(`fail: expected endToEndId to be its endToEndId, got "" [0]`, has("| endToEndId | its endToEndId |", answer(`{"endToEndId":""}`))),
		"the balance is looked at": is("look: balance for 0s", has("| balance | the available balance |", answer(`{"balance":10}`))),
		"the available balance": has("| balance | the available balance |", answer(`{"balance":10}`),
			looked("balance request", 200, balance("10.00", "2.00"))),
		"the blocked balance": has("| balance | the blocked balance |", answer(`{"balance":2}`),
			looked("balance request", 200, balance("10.00", "2.00"))),
		"both balances": has("| balance | the available plus the blocked balance |", answer(`{"balance":12.00}`),
			looked("balance request", 200, balance("10.00", "2.00"))),
		"another balance": is("fail: expected balance to be the available balance, got 10 [0]", has("| balance | the available balance |", answer(`{"balance":10}`),
			looked("balance request", 200, balance("10.01", "2.00")))),
		"a balance that cannot be read": is(couldNot+"cannot read the balance: 200 [-1]", has("| balance | the available balance |", answer(`{"balance":10}`),
			looked("balance request", 200, `{"data":[]}`))),
		"no JSON":                 is("fail: expected a JSON body, got 201, with a body that is not JSON [0]", has("| a | absent |", answer(`<html>`))),
		"JSON null":               is("fail: expected a JSON body, got 201, with a body that is not JSON [0]", has("| a | absent |", answer(`null`))),
		"a text instead":          is("fail: expected a to be present, got absent [0]", has("| a | present |", answer(`"a"`))),
		"nothing sent":            is(noRequest, story{steps: "Then the response has:\n| a | absent |"}),
		"what should be, and is":  {steps: "When the account sends a cash-out\nThen the response's code should be A_CODE", entries: list(nil, answer(`{"code":"A_CODE"}`)), want: "pass"},
		"what should be, but not": {steps: "When the account sends a cash-out\nThen the response's code should be A_CODE", entries: list(nil, answer(`{"code":1}`)), want: "pass; warning: expected code to be A_CODE, preferably, got 1 [0]"},
		"what should be in what is not JSON": {
			steps: "When the account sends a cash-out\nThen the response's code should be A_CODE", entries: list(nil, answer(`<html>`)), want: "pass; warning: expected code to be A_CODE, preferably, got absent [0]",
		},
	})
}
