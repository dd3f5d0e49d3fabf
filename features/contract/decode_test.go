package contract_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features/contract"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	nested := strings.Repeat("[", 64) + strings.Repeat("]", 64)
	for _, test := range []struct {
		body string
		want any
	}{
		{`null`, nil},
		{` true `, true},
		{`"é\u0000\n"`, "é\x00\n"},
		{`"a\"b\\"`, `a"b\`},
		{`{"\u0061":1}`, map[string]any{"a": json.Number("1")}},
		{`10.00`, json.Number("10.00")},
		{`-1.5E+100`, json.Number("-1.5E+100")},
		{strings.Repeat("1", 64), json.Number(strings.Repeat("1", 64))},
		{`[]`, []any{}},
		{`{}`, map[string]any{}},
		{`{"a":{"b":[1,"x",null]},"A":false}`, map[string]any{
			"a": map[string]any{"b": []any{json.Number("1"), "x", nil}}, "A": false,
		}},
		{`[{"a":1},{"a":1}]`, []any{map[string]any{"a": json.Number("1")}, map[string]any{"a": json.Number("1")}}},
	} {
		got, err := contract.Decode([]byte(test.body), contract.Limits{})
		require.NoError(t, err, test.body)
		assert.Equal(t, test.want, got, test.body)
	}
	_, err := contract.Decode([]byte(nested), contract.Limits{})
	assert.NoError(t, err, "64 deep")
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body    string
		problem contract.Problem
		offset  int64
		want    string
	}{
		"nothing":              {"", contract.Empty, 0, "found nothing"},
		"white space":          {" \n\t", contract.Empty, 0, "found nothing"},
		"a cut-off object":     {`{"value": 1.00,`, contract.Syntax, 15, "unexpected end"},
		"a cut-off array":      {`[1`, contract.Syntax, 2, "unexpected end"},
		"a comma too many":     {`[1,]`, contract.Syntax, 4, "invalid character ']'"},
		"no comma":             {`[1 2]`, contract.Syntax, 4, "invalid character '2'"},
		"a comma before all":   {`[,1]`, contract.Syntax, 2, "invalid character ','"},
		"the wrong bracket":    {`[1}`, contract.Syntax, 3, "invalid character '}'"},
		"a key that is none":   {`{1:2}`, contract.Syntax, 2, "invalid character '1'"},
		"a value that is none": {`{"a":}`, contract.Syntax, 6, "invalid character '}'"},
		"a comma behind all":   {`{"a":1,}`, contract.Syntax, 8, "invalid character '}'"},
		"no colon":             {`{"a" 1}`, contract.Syntax, 6, "invalid character '1'"},
		"a cut-off string":     {`["a`, contract.Syntax, 3, "unexpected end"},
		"a cut-off escape":     {`"\`, contract.Syntax, 2, "in string escape code"},
		"an escape of nothing": {`"\x"`, contract.Syntax, 3, "in string escape code"},
		"a cut-off word":       {`[tru]`, contract.Syntax, 5, "in literal true"},
		"a sign alone":         {`-`, contract.Syntax, 1, "in numeric literal"},
		"words":                {`value=1`, contract.Syntax, 1, "invalid character 'v'"},
		"a leading zero":       {`{"a":01}`, contract.Syntax, 7, "invalid character '1'"},
		"a plus sign":          {`+1`, contract.Syntax, 1, "invalid character '+'"},
		"NaN":                  {`NaN`, contract.Syntax, 1, "invalid character 'N'"},
		"two values":           {`{} {}`, contract.Syntax, 4, "after top-level value"},
		"rubbish behind":       {`1 x`, contract.Syntax, 3, "after top-level value"},
		"a byte order mark":    {"\ufeff{}", contract.Syntax, 0, "a byte order mark before it"},
		"a raw newline":        {"\"a\nb\"", contract.Syntax, 3, "in string literal"},
		"a raw NUL":            {"\"a\x00b\"", contract.Syntax, 3, "in string literal"},
		"Latin-1":              {"{\"a\":\"S\xe3o\"}", contract.Encoding, 7, "expected UTF-8"},
		"a cut-off rune":       {"\"\xc3", contract.Encoding, 1, "expected UTF-8"},
		"a key twice":          {`{"a":1,"b":2,"a":3}`, contract.DuplicateKey, 16, `found "a" again`},
		"a key twice, escaped": {`{"a":1,"\u0061":3}`, contract.DuplicateKey, 15, `found "a" again`},
		"a key twice, deep":    {`{"x":[{"a":1,"a":1}]}`, contract.DuplicateKey, 16, `found "a" again`},
		"65 arrays":            {strings.Repeat("[", 65) + strings.Repeat("]", 65), contract.TooDeep, 65, "at most 64 arrays"},
		"100000 brackets":      {strings.Repeat("[", 100_000), contract.TooDeep, 65, "at most 64 arrays"},
		"100000 objects":       {strings.Repeat(`{"a":`, 100_000), contract.TooDeep, 64*5 + 1, "at most 64 arrays"},
		"65 digits":            {strings.Repeat("1", 65), contract.WildNumber, 65, "at most 64 characters"},
		"1e1000000":            {`{"value":1e1000000}`, contract.WildNumber, 18, "between -100 and 100, but found 1e1000000"},
		"1e10000000":           {`1e10000000`, contract.WildNumber, 10, "between -100 and 100"},
		"1E101":                {`1E101`, contract.WildNumber, 5, "between -100 and 100"},
		"1e-101":               {`1e-101`, contract.WildNumber, 6, "between -100 and 100"},
		"a wide exponent":      {`1e` + strings.Repeat("9", 60), contract.WildNumber, 62, "between -100 and 100"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := contract.Decode([]byte(test.body), contract.Limits{})
			var refused *contract.DecodeError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, test.problem, refused.Problem)
			assert.Equal(t, test.offset, refused.Offset)
			assert.ErrorContains(t, err, test.want)
		})
	}
}

func TestDecodeDepthCanBeSet(t *testing.T) {
	t.Parallel()
	_, err := contract.Decode([]byte(`{"a":[1]}`), contract.Limits{Depth: 2})
	assert.NoError(t, err)
	_, err = contract.Decode([]byte(`{"a":[{}]}`), contract.Limits{Depth: 2})
	assert.ErrorContains(t, err, "at most 2 arrays and objects")
}

// FuzzDecode: nothing panics, every refusal is typed, what is accepted is JSON to
// encoding/json too, and what is JSON is refused only for a bound or a key twice.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		validCashOut, `[1,]`, `{"a":1,"a":2}`, `1e1000000`, "\xff", ` [ {} , [ ] ] `, `"\ud800"`, `{"a"`, `-0.0e-0`, `1 2`, `[}`,
		`"\u0041\ud83d\ude00\ud83d\u0041\ud83d\n\ude00\/\"\\"`, `"\u12"`, `"\u00g0"`, `"\x"`, `"\ud83d\`,
	} {
		f.Add([]byte(seed))
	}
	c, err := contract.Load()
	require.NoError(f, err)
	op, ok := c.Operation("cashOut")
	require.True(f, ok)
	f.Fuzz(func(t *testing.T, body []byte) {
		value, err := contract.Decode(body, contract.Limits{})
		if err == nil {
			if !json.Valid(body) {
				t.Fatalf("accepted what is no JSON: %q", body)
			}
			var want any
			decoder := json.NewDecoder(bytes.NewReader(body))
			decoder.UseNumber()
			require.NoError(t, decoder.Decode(&want))
			require.Equal(t, want, value)
			op.CheckRequest(value)
			return
		}
		var refused *contract.DecodeError
		if !errors.As(err, &refused) {
			t.Fatalf("an untyped error: %v", err)
		}
		if refused.Offset < 0 || refused.Offset > int64(len(body)) {
			t.Fatalf("offset %d of %d", refused.Offset, len(body))
		}
		if refused.Problem == contract.Syntax && json.Valid(body) && utf8.Valid(body) {
			t.Fatalf("refused as syntax what is JSON: %q: %v", body, err)
		}
	})
}

func TestSameNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b json.Number
		same bool
	}{
		{"10", "10.00", true},
		{"10", "1e1", true},
		{"0.1", "1E-1", true},
		{"-0", "0", true},
		{"10", "10.01", false},
		{"90071992547409.93", "90071992547409.94", false},
		{"1e101", "1e101", true},
		{"1e101", "10e100", false},
		{"1e1000000000", "10e999999999", false},
	} {
		assert.Equal(t, c.same, contract.SameNumber(c.a, c.b), "%s and %s", c.a, c.b)
	}
}
