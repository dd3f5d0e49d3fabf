package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheSidesOfAFindingDoNotLookEqual(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expected, got, wantExpected, wantGot string }{
		{"available to be R$ 1234.56", `"1234.56"`, "available to be R$ 1234.56, a number", `"1234.56", a string`},
		{`id to be "17"`, "17", `id to be "17", a string`, "17, a number"},
		{"more to be true, preferably", `"true"`, "more to be true, a boolean, preferably", `"true", a string`},
		{"fee to be null or absent", `"null"`, "fee to be null, not a string or absent", `"null", a string`},
		{"fee to be absent", `"absent"`, "fee to be absent", `"absent", a string`},
		{`name to be "São João"`, "\"São Joa\u0303o\"", `name to be "S\u00e3o Jo\u00e3o"`, `"S\u00e3o Joa\u0303o"`},
		{`status to be "PAID"`, "\"PAID\u200b\"", `status to be "PAID"`, `"PAID\u200b"`},
		{`key to be "a b"`, "\"a\u00a0b\"", `key to be "a b"`, `"a\u00a0b"`},
		{"201", "201", "201", "201, which only looks the same"},

		{"available to be R$ 10.00", `"11.00"`, "available to be R$ 10.00", `"11.00"`},
		{`valor to be "1.00"`, `"1.0"`, `valor to be "1.00"`, `"1.0"`},
		{"a string", "", "a string", ""},
	} {
		expected, got := Distinct(c.expected, c.got)
		assert.Equal(t, [2]string{c.wantExpected, c.wantGot}, [2]string{expected, got})
		again, gotAgain := Distinct(expected, got)
		assert.Equal(t, [2]string{expected, got}, [2]string{again, gotAgain}, "what is distinct stays as it is")
		redacted := Scenario{Verdict: Fail, Finding: &Finding{Expected: c.expected, Got: c.got}, Warnings: []Finding{{Expected: c.expected, Got: c.got}}}.Redacted(nil)
		assert.Equal(t, []string{c.wantGot, c.wantGot}, []string{redacted.Finding.Got, redacted.Warnings[0].Got}, "in every finding")
		assert.Equal(t, SignatureOf("", expected, got), SignatureOf("", c.expected, c.got), "a baseline may have the finding as an earlier version wrote it")
	}
}
