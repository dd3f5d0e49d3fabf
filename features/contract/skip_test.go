package contract

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Readable accepts what Decode does, except for keys that come twice.
func TestReadableAgreesWithDecode(t *testing.T) {
	t.Parallel()
	agree := func(t require.TestingT, body string) {
		_, err := Decode([]byte(body), Limits{})
		var failed *DecodeError
		want := err == nil || errors.As(err, &failed) && failed.Problem == DuplicateKey
		require.Equal(t, want, Readable([]byte(body), 1000), "%q: %v", body, err)
	}
	for _, body := range []string{
		``, ` `, `{}`, `[]`, ` [ 1 , -2.5e3 ] `, `{"a":{"b":[null,true,false,"c"]}}`, `[1,]`, `[,1]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{1:2}`, `[1 2]`, `{}{}`, `"a`, `"\x"`, `"\u12"`,
		`"\u12g4"`, `"\ud83d\ude00"`, `"\ud83d"`, "\"\x01\"", "\"\xff\"", `01`, `-`, `1.`, `1e400`, `1e-100`, `tru`, `nul`, `truex`, `"\`, `"\"`, `"\u`, "\ufeff{}",
		strings.Repeat("9", 64), strings.Repeat("9", 65), strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 65) + strings.Repeat("]", 65),
	} {
		agree(t, body)
	}
	rapid.Check(t, func(t *rapid.T) {
		agree(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			`{`, `}`, `[`, `]`, `,`, `:`, `"a"`, `"b\n"`, `"`, `\`, `1`, `-0.5`, `1e9`, ` `, "\n", `true`, `null`, `\u00e9`, "é", "\xff",
		}), 1, 12).Draw(t, "tokens"), ""))
	})
	require.False(t, Readable([]byte("["+strings.Repeat("0,", 1000)+"0]"), 1000))
}

// Of an object with thousands of members, those are kept that the contract knows.
func TestUnknownMembersAreLimited(t *testing.T) {
	t.Parallel()
	var body strings.Builder
	body.WriteString(`{"a":1`)
	for i := range 1000 {
		fmt.Fprintf(&body, `,"x\n%d":{"b":["c",%d]}`, i, i)
	}
	body.WriteString(`,"status":"PENDING","\u0063ode":[1]`)
	v, err := Decode([]byte(body.String()+"}"), Limits{Unknown: 10})
	require.NoError(t, err)
	object := v.(map[string]any)
	require.Len(t, object, 12)
	require.Equal(t, "PENDING", object["status"])
	require.Contains(t, object, "code")
	for _, broken := range []string{`,"y":tru}`, `,"y" 1}`, `,"status":1}`, `,"y":1`, `,"y":1e999}`} {
		_, err := Decode([]byte(body.String()+broken), Limits{Unknown: 10})
		require.Error(t, err, broken)
	}
	v, err = Decode([]byte(body.String()+"}"), Limits{})
	require.NoError(t, err)
	require.Len(t, v, 1003)
}
