package steps

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

func TestExpectations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		clause string
		status int
		body   string
		met    bool
	}{
		{"accepted", 201, `{}`, true},
		{"accepted", 200, `{}`, false},
		{"accepted with 200", 200, `{}`, true},
		{"refused with 400", 400, `{"code":"ANY"}`, true},
		{"refused with 400", 422, `{"code":"ANY"}`, false},
		{"refused with 400", 201, `{}`, false},
		{"refused with 400 A_CODE", 400, `{"code":"A_CODE"}`, true},
		{"refused with 400 A_CODE", 400, `{"code":"B_CODE"}`, false},
		{"refused with 400 A_CODE", 400, `not json`, false},
		{"refused with 400 A_CODE or B_CODE", 400, `{"code":"B_CODE"}`, true},
		{"refused with 400 or 415", 415, `{}`, true},
		{"accepted, or refused with 400", 201, `{}`, true},
		{"accepted, or refused with 400", 400, `{}`, true},
		{"accepted, or refused with 400", 500, `{}`, false},
		{"refused with 401 A_CODE, or refused with 403 B_CODE", 403, `{"code":"B_CODE"}`, true},
		{"refused with 401 A_CODE, or refused with 403 B_CODE", 401, `{"code":"B_CODE"}`, false},
		{"refused with 400, naming value", 400, `{"code":"HTTP_ERROR","message":["value must be at least 0.01"]}`, true},
		{"refused with 400, naming value", 400, `{"code":"HTTP_ERROR","message":["externalId is required"]}`, false},
		{"refused with 400, naming value", 400, `{"code":"PIX_INVALID_AMOUNT","message":"too little"}`, true},
		{"refused with 400, naming value and key", 400, `{"code":"HTTP_ERROR","message":["value is required","details.key is required"]}`, true},
		{"refused with 400, naming value and name", 400, `{"code":"HTTP_ERROR","message":["value is required","details.key is required"]}`, false},
		{"refused with 400, naming key", 400, `{"code":"HTTP_ERROR","message":["details.keyType must be one of EMAIL"]}`, false},
		{"refused with 400, naming 0.01", 400, `{"code":"HTTP_ERROR","message":["value deve ser ao menos 0,01"]}`, true},
		{"accepted", 0, ``, false},
		{"refused with 400", 0, ``, false},
	} {
		e, err := parseExpectation(c.clause)
		require.NoError(t, err)
		finding := e.judge(answered("cash-out", c.status, c.body))
		require.Equal(t, c.met, finding == nil, "%q on %d %s: %v", c.clause, c.status, c.body, finding)
	}
}

func TestExpectationsThatMeanNothing(t *testing.T) {
	t.Parallel()
	for _, clause := range []string{"", "refused", "refused with", "refused with CODE", "accepted with", "accepted or refused", "refused with 400 code", "accepted with 201 CODE"} {
		_, err := parseExpectation(clause)
		require.Error(t, err, clause)
	}
}

func answered(noun string, status int, body string) *attempt {
	t := &attempt{request: request{op: operationNamed(noun)}, exchange: exchange.Exchange{Status: status, ResponseBody: []byte(body)}}
	if status == 0 {
		t.exchange.Err = "the connection was reset"
	}
	t.answer, _ = decode([]byte(body))
	return t
}

func TestShapes(t *testing.T) {
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
		{"a text", `""`, false},
		{"a text", `"x"`, true},
		{"texts", `["x"]`, true},
		{"texts", `[]`, false},
		{"texts", `["x", ""]`, false},
		{"2 texts", `["x", "y"]`, true},
		{"at least 2 texts", `["x", "y", "z"]`, true},
		{"at least 2 texts", `["x"]`, false},
		{"3 items", `[1, 2, 3]`, true},
		{"1 item", `[1, 2]`, false},
		{"empty", `[]`, true},
		{"empty", ``, false},
		{"not empty", `{"a": 1}`, true},
		{"not empty", `{}`, false},
		{"a number", `1`, true},
		{"a number", `"1"`, false},
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
		{"a UUID", `"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"`, true},
		{"a UUID", `"7d9f03358dcc40549bf90dbd61d36906"`, false},
		{"a UTC time", `"2026-03-01T10:00:00Z"`, true},
		{"a UTC time", `"2026-03-01T10:00:00.123456+00:00"`, true},
		{"a UTC time", `"2026-03-01T10:00:00-03:00"`, false},
		{"a UTC time", `"2026-03-01T10:00:00"`, false},
		{"a UTC time", `"2026-13-01T10:00:00Z"`, false},
		{"a JWT", `"eyJhbGciOiJIUzI1NiJ9.e30.c2ln"`, true},
		{"a JWT", `"a.b.c"`, false},
		{"a JWT", `"opaque"`, false},
		{"a JWT", `"bnVsbA.bnVsbA.c2ln"`, false},
	} {
		f, ok := shape(c.phrase)
		require.True(t, ok, c.phrase)
		v := found{}
		if c.value != "" {
			v.present = true
			value, err := decode([]byte(c.value))
			require.NoError(t, err)
			v.value = value
		}
		require.Equal(t, c.met, f(v), "%s of %s", c.phrase, c.value)
	}
	_, ok := shape("no such phrase")
	require.False(t, ok)
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for decimal, want := range map[string]centavos{
		"0.07": 7, "0.29": 29, "1.15": 115, "8.41": 841, "136.42": 13642, "142.20": 14220,
		"90071992547409.93": 9007199254740993, "10": 1000, "1e1": 1000, "-1.5": -150,
	} {
		got, err := parseAmount(decimal)
		require.NoError(t, err, decimal)
		require.Equal(t, want, got, decimal)
	}
	for _, decimal := range []string{"", "x", "0.001", "1e50"} {
		_, err := parseAmount(decimal)
		require.Error(t, err, decimal)
	}
	require.Equal(t, "R$ 0.07", centavos(7).String())
	require.Equal(t, "R$ -1.50", centavos(-150).String())
}

func TestARequestChangesInOneField(t *testing.T) {
	t.Parallel()
	o := object{"value": literal("1.00"), "details": object{"key": text("a@b.example"), "keyType": text("EMAIL")}}
	changed, err := o.with("details.key", text(`c"d`))
	require.NoError(t, err)
	require.JSONEq(t, `{"value":1.00,"details":{"key":"c\"d","keyType":"EMAIL"}}`, string(changed.bytes()))
	without, err := changed.with("value", nil)
	require.NoError(t, err)
	require.JSONEq(t, `{"details":{"key":"c\"d","keyType":"EMAIL"}}`, string(without.bytes()))
	require.JSONEq(t, `{"value":1.00,"details":{"key":"a@b.example","keyType":"EMAIL"}}`, string(o.bytes()), "the original stays")
	_, err = o.with("nothing.here", text("x"))
	require.Error(t, err)

	exact := object{"value": literal("1e1")}
	require.Equal(t, `{"value":1e1}`, string(exact.bytes()), "an amount goes over the wire as it is spelled")
}

func TestForgedTokens(t *testing.T) {
	t.Parallel()
	const token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIiwiZXhwIjoxfQ.c2lnbmF0dXJlLW9mLXRva2Vu"
	for name, form := range bearerForms {
		header, err := form(token)
		require.NoError(t, err, name)
		if name != "its token" {
			require.NotEqual(t, "Bearer "+token, header, name)
		}
	}
	_, err := bearerForms["its token without signature"]("opaque")
	var u *unable
	require.ErrorAs(t, err, &u)
	for name, form := range bearerForms {
		for _, odd := range []string{"eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJub25lIn0.bnVsbA.c2ln"} {
			_, err := form(odd)
			require.NoError(t, err, "%s: a target with odd tokens is tested too", name)
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	var v any
	require.NoError(t, json.Unmarshal([]byte(`{"data":[{"a":{"X-B":null}}]}`), &v))
	_, ok := lookup(v, "data[0].a.X-B")
	require.True(t, ok)
	for _, path := range []string{"data[1]", "data[0].b", "data.a", "data[0].a.X-B.c"} {
		_, ok := lookup(v, path)
		require.False(t, ok, path)
	}
}
