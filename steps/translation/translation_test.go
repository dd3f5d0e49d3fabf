package translation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	for _, english := range []Language{"", English} {
		assert.Equal(t, "Families: public", english.Sayf("Families: %s", "public"))
		assert.Equal(t, []string{"0 rules", "1 rule", "2 rules"}, []string{english.SayCount(0, "rule"), english.SayCount(1, "rule"), english.SayCount(2, "rule")})
		assert.Equal(t, "no such text", english.Say("no such text"))
		assert.Equal(t, "to fall by R$ 10.00", english.Recorded("to fall by R$ 10.00"))
		assert.Equal(t, "a cash-out of R$ 10.00", english.Request("a cash-out of R$ 10.00"))
	}
	assert.Equal(t, "Famílias: public", Portuguese.Sayf("Families: %s", "public"))
	assert.Equal(t, []string{"0 regras", "1 regra", "2232 regras", "1000000 regras"},
		[]string{Portuguese.SayCount(0, "rule"), Portuguese.SayCount(1, "rule"), Portuguese.SayCount(2232, "rule"), Portuguese.SayCount(1_000_000, "rule")})
	assert.Equal(t, "no such text", Portuguese.Say("no such text"))
	assert.Equal(t, "3 strange things", Portuguese.SayCount(3, "strange thing"))
	assert.Equal(t, "a {{.Template}} of 100 %", Portuguese.Say("a {{.Template}} of 100 %"))
}

// A recorded text is in one language: what has no form of its own keeps the whole sentence English.
func TestRecordedTexts(t *testing.T) {
	t.Parallel()
	for english, portuguese := range map[string]string{
		"available to fall by R$ 10.00":                   "saldo disponível: cair R$ 10.00",
		"fell by R$ 20.00, from R$ 100.00 to R$ 80.00":    "caiu R$ 20.00, de R$ 100.00 para R$ 80.00",
		"rejected with 400 PIX_INVALID_AMOUNT":            "rejeição com 400 PIX_INVALID_AMOUNT",
		"rejected with 400 or 404":                        "rejeição com 400 ou 404",
		`status to be "Pendente" or "Error"`:              `status igual a "Pendente" ou "Error"`,
		"status to be whatever the bank says":             "status to be whatever the bank says",
		"a CashOut event at https://x.test/w/1 within 2s": "um evento CashOut em https://x.test/w/1 em até 2s",
		"a repeated request must not move money, now or later; this is a precondition, so the rule could not be tested": "uma requisição repetida não pode movimentar dinheiro, nem agora nem depois; isto é uma precondição, então a regra ficou sem teste",
		"a text of no form; this is a precondition, so the rule could not be tested":                                    "a text of no form; isto é uma precondição, então a regra ficou sem teste",
		"400 PIX_INVALID_AMOUNT, the amount is wrong":                                                                   "400 PIX_INVALID_AMOUNT, the amount is wrong",
		"201 with: value must have at most 2 decimals":                                                                  "201 com: value precisa ter no máximo 2 casas decimais",
		"payment is required": "payment é obrigatório",
		"control payments":    "controle payments",
		"expected cash-out to be accepted with 201, got 400 PIX_DAILY_LIMIT_EXCEEDED, the payments of a day are limited": "esperado: aceitação de pagamento com 201, obtido: 400 PIX_DAILY_LIMIT_EXCEEDED, the payments of a day are limited",
		"none":   "nenhum",
		"":       "",
		"%s %d":  "%s %d",
		`"none"`: `"none"`,
	} {
		assert.Equal(t, portuguese, Portuguese.Recorded(english))
	}
	long := strings.Repeat("fell by ", 1<<10)
	assert.Equal(t, long, Portuguese.Recorded(long))
}

// A text that a target chose, of parts that fit in many ways, is soon left in English.
func TestTheTriesAreLimited(t *testing.T) {
	t.Parallel()
	for english, isTooMuch := range map[string]bool{
		strings.Repeat("x to be y, or z and w, naming ", 8) + "lorem ipsum":           true,
		strings.Repeat("x to be y, or z and w, naming ", 136) + "x":                   true,
		strings.Repeat("x, or y event of z to be ", 9) + "lorem ipsum":                true,
		"400, or 201 and later ERROR with INVALID_TAX_ID":                             false,
		"available to fall by R$ 10.00; fell by R$ 20.00, from R$ 100.00 to R$ 80.00": false,
	} {
		r := &reading{forms: recorded().Texts}
		r.translate(english, deepest)
		assert.Equal(t, isTooMuch, r.tried > mostTried, "%d: %s", r.tried, english)
		assert.LessOrEqual(t, r.tried, mostTried+longest)
		if isTooMuch {
			assert.Equal(t, english, Portuguese.Recorded(english))
		}
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	for english, portuguese := range map[string]string{
		"a cash-out of R$ 10.00":                   "um pagamento de R$ 10.00",
		"a cash-out of R$ 10.00 with value: 8.41":  "um pagamento de R$ 10.00 com value: 8.41",
		"a webhook registration using no token":    "um cadastro de webhook sem token",
		"a cash-out of every shape with value 0.0": "um pagamento de todas as formas com value 0.0",
		"2 concurrent cash-outs of R$ 5.00":        "2 pagamentos simultâneos de R$ 5.00",
		"the request again with value 2.00":        "a requisição repetida com value 2.00",
		"something of every kind":                  "something of every kind",
		"":                                         "",
	} {
		assert.Equal(t, portuguese, Portuguese.Request(english))
	}
}

// A form has the same varying parts in both languages.
func TestFormsAgree(t *testing.T) {
	t.Parallel()
	for _, all := range []forms{recorded().Texts, recorded().Requests} {
		require.NotEmpty(t, all)
		for _, f := range all {
			assert.Equal(t, string(f.verbs), verbsOf(f.portuguese), "%s: %s", f.english, f.portuguese)
			assert.NotEmpty(t, f.portuguese, f.english)
		}
	}
}

// verbsOf are the verbs of a format, in the order of its arguments.
func verbsOf(format string) string {
	all := map[int]byte{}
	next := 0
	for _, m := range anyVerb.FindAllStringSubmatch(strings.ReplaceAll(format, "%%", ""), -1) {
		if m[1] != "" {
			next = int(m[1][0]-'0') - 1
		}
		all[next] = m[2][0]
		next++
	}
	verbs := make([]byte, len(all))
	for i := range verbs {
		verbs[i] = all[i]
	}
	return string(verbs)
}
