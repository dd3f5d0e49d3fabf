package mutants

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each condition holds for the bodies on the left, and for none on the right.
func TestConditionsOnFields(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		condition condition
		hold, not []string
	}{
		"null":            {kind("v", "null"), []string{`null`}, []string{`0`, `""`}},
		"boolean":         {kind("v", "boolean"), []string{`true`, `false`}, []string{`"true"`}},
		"number":          {kind("v", "number"), []string{`0`, `-1.5e3`}, []string{`"0"`}},
		"text":            {kind("v", "text"), []string{`""`, `"1"`, `"a"`}, []string{`1`, `null`}},
		"word":            {kind("v", "word"), []string{`"abc"`, `"1,00"`, `"1."`}, []string{`""`, `"1.00"`, `"-1e2"`, `1`}},
		"quoted":          {kind("v", "quoted"), []string{`"10"`, `"-1.00"`, `"1e2"`}, []string{`"a"`, `""`, `10`}},
		"list":            {kind("v", "list"), []string{`[]`, `[1]`}, []string{`{}`}},
		"object":          {kind("v", "object"), []string{`{}`}, []string{`[]`}},
		"blank":           {kind("v", "blank"), []string{`""`}, []string{`" "`, `null`, `[]`}},
		"no items":        {kind("v", "no items"), []string{`[]`}, []string{`[1]`, `{}`}},
		"no members":      {kind("v", "no members"), []string{`{}`}, []string{`{"a":1}`, `[]`}},
		"kinds":           {kind("v", "object", "word"), []string{`{}`, `"x"`}, []string{`1`}},
		"of any item":     {kind("v[].a", "number"), []string{`[{"a":""},{"a":1}]`, `{"x":{"a":1}}`}, []string{`[{"a":""}]`, `[]`}},
		"of any member":   {kind("v[]", "object"), []string{`{"a":"b","c":{}}`}, []string{`{"a":"b"}`}},
		"outside":         {outside("v", "HIGH", "NORM"), []string{`"LOW"`, `"high"`, `""`}, []string{`"HIGH"`, `1`}},
		"longer":          {longer("v", 3), []string{`"ãããã"`}, []string{`"ããã"`, `1234`}},
		"more bytes":      {moreBytes("v", 3), []string{`"ãã"`}, []string{`"abc"`}},
		"non-ASCII":       {nonASCII("v"), []string{`"São"`}, []string{`"Sao"`}},
		"pairs":           {pairs("v", 1), []string{`{"a":1,"b":2}`}, []string{`{"a":1}`, `[1,2]`}},
		"items":           {items("v", 1), []string{`[1,2]`}, []string{`[1]`, `{"a":1,"b":2}`}},
		"one item is all": {anyItem("v", all(sent("t", `"P"`), above("n", "1"))), []string{`[{"t":"F","n":1},{"t":"P","n":2}]`}, []string{`[{"t":"F","n":2},{"t":"P","n":1}]`}},
		"below":           {below("v", "0.01"), []string{`0`, `-1`, `0.009`, `"0.00"`, `1e-3`}, []string{`0.01`, `"abc"`, `null`}},
		"above":           {above("v", "10800"), []string{`10801`, `1e9`}, []string{`10800`, `10800.0`}},
		"equal":           {equals("v", "0"), []string{`0`, `0.00`, `"0.00"`, `0e1`}, []string{`0.01`, `""`}},
		"decimals":        {decimals("v", 1, 1), []string{`0.1`, `"10.5"`}, []string{`10`, `0.10`, `1.0e1`}},
		"no decimals":     {decimals("v", 0, 0), []string{`10`, `-1`}, []string{`10.0`, `1e1`}},
		"exponent":        {exponent("v"), []string{`1e1`, `1E-2`}, []string{`10`, `"e"`}},
		"finer":           {finer("v"), []string{`1.234`, `0.001`, `1e-3`}, []string{`1.230`, `1.23`, `10`}},
		"third zero":      {thirdZero("v"), []string{`1.230`, `7.0000`}, []string{`1.234`, `1.23`, `1.2`}},
		"cents":           {cents("v"), []string{`1.23`, `0.5`}, []string{`1.00`, `10`}},
		"inexact":         {inexact("v"), []string{`0.29`, `1.15`, `0.07`}, []string{`0.25`, `10`}},
		"beyond a double": {beyondDouble("v"), []string{`90071992547409.93`}, []string{`90071992547409.92`}},
		"wrong CPF":       {wrongCheckDigits("v"), []string{`"52998224726"`, `"11111111111"`, `"12345678901"`}, []string{`"52998224725"`, `"11144477735"`, `"12"`}},
		"wrong CNPJ":      {wrongCheckDigits("v"), []string{`"11222333000182"`}, []string{`"11222333000181"`, `"1122233300018x"`}},
		"equal digits":    {words("v", equalDigits), []string{`"***.111.111-**"`, `"22"`}, []string{`"***.112.111-**"`, `"1"`, `""`}},
		"advancing":       {all(sent("advance"), advancing(28.5, 29.5)), []string{`0,"advance":"2505600s"`}, []string{`0,"advance":"24h"`, `0,"advance":"later"`}},
		"extra":           {extra("v", "w"), []string{`0,"x":1`}, []string{`0,"w":1`, `0`}},
		"code's amount":   {besideCode(0), []string{`0,"value":198,"qrCode":"` + withoutCents + `"`, `0,"value":198.00,"qrCode":"` + withoutCents + `"`}, []string{`0,"value":1,"qrCode":"` + anyCode + `"`}},
		"below the code":  {besideCode(-1), []string{`0,"value":1.50,"qrCode":"` + withoutCents + `"`}, []string{`0,"value":200,"qrCode":"` + withoutCents + `"`}},
		"written apart":   {otherwiseThanCode, []string{`0,"value":198.00,"qrCode":"` + withoutCents + `"`}, []string{`0,"value":198,"qrCode":"` + withoutCents + `"`}},
		"a broken code":   {embedded(func(string) bool { return true }), nil, []string{`0,"qrCode":"5499"`, `0,"qrCode":"00020"`, `0,"qrCode":"5402xx"`, `0,"qrCode":""`}},
	} {
		for _, v := range c.hold {
			assert.True(t, holdsFor(c.condition, v), "%s: %s", name, v)
		}
		for _, v := range c.not {
			assert.False(t, holdsFor(c.condition, v), "%s: %s", name, v)
		}
	}
	assert.Panics(t, func() { kind("v", "txt") }, "a kind is misspelt")
}

// withoutCents is a published code of R$ 198.
const withoutCents = "00020126580014br.gov.bcb.pix01365a5ea8c2-cbb5-4c25-a7be-2a778871fc5f52040000530398654031985802BR5911Arrumadinho6008Brasilia62290525e433v1530u155f31mSushiPro63048381"

func holdsFor(c condition, v string) bool {
	return c(&call{message: message{body: []byte(`{"v":` + v + `}`)}}, nil)
}

func TestSpendingLooksAtTheBalance(t *testing.T) {
	t.Parallel()
	g := &gateway{decide: func(method, path, _, _ string) (int, string) {
		if method == "GET" && path == "/accounts/balances" {
			return 200, `{"data":[{"balanceAmount":{"available":100.00}}]}`
		}
		return 201, `{}`
	}}
	h := Mutant{fault: both(
		refusing(cashOut, spending("value", 1, 1), 400, "ALL"),
		refusing(cashOut, spending("value", 10, 1000), 401, "FAR BEYOND"),
	)}.API(g)
	for value, want := range map[string]int{"100": 400, "99.99": 201, "100.01": 201, "1000.00": 401} {
		assert.Equal(t, want, pay(h, "t", `{"value":`+value+`}`).StatusCode, value)
	}
}

func TestAsMuchAs(t *testing.T) {
	t.Parallel()
	h := Mutant{fault: refusing(devolution, asMuchAs("valor", cob, "valor.original"), 418, "")}.API(&gateway{status: 201, answer: `{}`})
	refund := func(valor string) int {
		return do(h, "PUT", "/pix/E1/devolucao/1", `{"valor":"`+valor+`"}`).StatusCode
	}
	assert.Equal(t, 201, refund("7.30"), "nothing was charged yet")
	do(h, "PUT", "/cob/1", `{"valor":{"original":"7.30"}}`)
	assert.Equal(t, 418, refund("7.30"))
	assert.Equal(t, 201, refund("7.29"))
}
