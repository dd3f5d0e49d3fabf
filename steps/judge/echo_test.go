package judge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A response repeats what was sent, as far as a step has not changed it.
func TestEchoes(t *testing.T) {
	t.Parallel()
	const cob, charge = `{"devedor":{"cpf":"52998224725"},"valor":{"original":"1.00"}}`, `{"transaction":{"value":1.98,"externalId":"order-0001"}}`
	const code = `00020126580014br.gov.bcb.pix01365a5ea8c2-cbb5-4c25-a7be-2a778871fc5f52040000530398654031985802BR5911Arrumadinho6008Brasilia62290525e433v1530u155f31mSushiPro63048381`
	const company, detailed = `{"calendario":{},"devedor":{"cnpj":"11222333000181"},"valor":{"original":"1.00"}}`, `{"devedor":{"cpf":"52998224725"},"infoAdicionais":[{"nome":"a","valor":"1"}],"valor":{"original":"1.00"}}`
	const registration = `{"url":"https://sink.example/1","eventType":"cash_in"}`
	const right = `{"txid":"t7d1234567890123456789012","devedor":{"cpf":"52998224725"},"valor":{"original":"1.00"}}`
	named := func(id, answered string) record.Entry {
		return sent(0, "cash-out", `{"value":1.00,"externalId":"`+id+`","details":{"key":"a@b.example","keyType":"EMAIL","name":"A","document":"52998224725"}}`, 201, `{"externalId":"`+answered+`"}`)
	}
	answered := func(request, answer string) record.Entry { return sent(0, "cob", request, 201, answer) }
	under := func(key, amount, answered string) record.Entry {
		return with("x-idempotency-key", key, sent(0, "transfer", `{"payment":{"amount":`+amount+`}}`, 200, `{"payment":{"amount":`+answered+`}}`))
	}
	keyed := func(amount, answered string) record.Entry { return under("key-1", amount, answered) }
	at := func(path string, e record.Entry) record.Entry {
		e.Exchange.URL = "https://gw.example/gw" + path
		return e
	}
	for name, c := range map[string]struct {
		steps   string // "When the account sends a cob" if empty
		entries []record.Entry
		want    string // rules and fields
	}{
		"all of it":             {"", list(nil, answered(cob, right)), ""},
		"without its debtor":    {"", list(nil, answered(cob, strings.Replace(right, `"cpf"`, `"x"`, 1))), "cob.created devedor.cpf"},
		"of another amount":     {"", list(nil, answered(cob, strings.Replace(right, `"1.00"`, `"1"`, 1))), "cob.created valor.original"},
		"refused":               {"", list(nil, sent(0, "cob", cob, 400, `{}`)), ""},
		"what a step changed":   {`When the account sends a cob with devedor {"nome":"x"}`, list(nil, answered(cob, strings.Replace(right, `"cpf"`, `"x"`, 1))), ""},
		"what it did not":       {`When the account sends a cob with devedor {"nome":"x"}`, list(nil, answered(cob, strings.Replace(right, `"1.00"`, `"1"`, 1))), "cob.created valor.original"},
		"another externalId":    {"When the account sends a cash-in", list(nil, sent(0, "cash-in", charge, 201, `{"externalId":"order-0002"}`)), "cash-in.accepted externalId"},
		"no externalId":         {"When the account sends a cash-in", list(nil, sent(0, "cash-in", charge, 201, `{}`)), ""},
		"an externalId cut":     {`When the account sends a cash-out with externalId "a b "`, list(nil, named("a b ", "a b")), "cash-out.accepted externalId"},
		"one as it was sent":    {`When the account sends a cash-out with externalId "a b "`, list(nil, named("a b ", "a b ")), ""},
		"an empty one":          {`When the account sends a cash-out with externalId ""`, list(nil, named("", "generated")), ""},
		"a sum that it chose":   {"When the account sends a transfer with payment.amount 10.00", list(nil, with("x-idempotency-key", "key-1", sent(0, "transfer", `{"pixKey":"a@b.example","payment":{"currency":"BRL","amount":10.00}}`, 200, `{"payment":{"amount":1}}`))), "transfer.accepted payment.amount"},
		"a code":                {"When the account sends a cash-in", list(nil, sent(0, "cash-in", strings.Replace(charge, "1.98", "198", 1), 201, `{"pixCode":"`+code+`"}`)), ""},
		"one of another amount": {"When the account sends a cash-in", list(nil, sent(0, "cash-in", charge, 201, `{"pixCode":"`+code+`"}`)), ""},
		"a wrong checksum":      {"When the account sends a cash-in", list(nil, sent(0, "cash-in", charge, 201, `{"pixCode":"`+code[:len(code)-1]+`0"}`)), "cash-in.code pixCode"},
		"a transfer":            {"When the account sends a transfer", list(nil, keyed("10.00", "10")), ""},
		"of another sum":        {"When the account sends a transfer", list(nil, keyed("10.00", "1")), "transfer.accepted payment.amount"},
		"another first state":   {"When the account sends a refund", list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{"status":"DEVOLVIDO"}`)), "refund.accepted status"},
		"its first state":       {"When the account sends a refund", list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{"status":"EM_PROCESSAMENTO"}`)), ""},
		"the state of a repeat": {"When the account sends a refund", list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{"status":"DEVOLVIDO"}`), sent(0, "refund", `{"valor":"1.00"}`, 201, `{"status":"EM_PROCESSAMENTO"}`)), ""},
		"a repeat renamed":      {"When the account sends the request again", list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{"id":"r2"}`)), "refund.accepted id"},
		"a repeat":              {"When the account sends the request again", list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{"valor":"2.00"}`)), ""},
		"an early expiry":       {"When the account sends a cash-in", list(nil, sent(0, "cash-in", charge, 201, `{"generateTime":"2026-03-01T10:00:00Z","expirationDate":"2026-03-01T11:00:00Z"}`)), "cash-in.expiration-date expirationDate"},
		"a day by default":      {"When the account sends a cash-in", list(nil, sent(0, "cash-in", charge, 201, `{"generateTime":"2026-03-01T10:00:00Z","expirationDate":"2026-03-02T10:00:00Z"}`)), ""},
		"the time":              {"When the account sends a cash-out", list(nil, sent(0, "cash-out", `{}`, 201, `{"generateTime":"2026-03-01T10:00:01Z"}`)), ""},
		"of another zone":       {"When the account sends a cash-out", list(nil, sent(0, "cash-out", `{}`, 201, `{"generateTime":"2026-03-01T07:00:01Z"}`)), "cash-out.accepted generateTime"},
		"of a rejection":        {"When the account sends a cash-out", list(nil, sent(0, "cash-out", `{}`, 404, `{"timestamp":"2026-03-01T07:00:01Z"}`)), "envelope-a.fields timestamp"},
		"of a moved clock":      {"When the account sends a cash-out", list(nil, called(target.Clock, ""), sent(0, "cash-out", `{}`, 201, `{"generateTime":"2026-03-01T07:00:01Z"}`)), ""},
		"a company":             {`When the account sends a cob with devedor {"cnpj":"11222333000181"}`, list(nil, answered(company, strings.Replace(right, `"cpf":"52998224725"`, `"cnpj":"11222333000181"`, 1))), ""},
		"without its CNPJ":      {`When the account sends a cob with devedor {"cnpj":"11222333000181"}`, list(nil, answered(company, strings.Replace(right, `"cpf"`, `"x"`, 1))), "cob.created devedor.cnpj"},
		"a CNPJ too short":      {`When the account sends a cob with devedor {"cnpj":"1122"}`, list(nil, answered(strings.Replace(company, "11222333000181", "1122", 1), strings.Replace(right, `"cpf"`, `"x"`, 1))), ""},
		"both CPF and CNPJ":     {`When the account sends a cob with devedor {"cpf":"52998224725"}`, list(nil, answered(strings.Replace(company, `"cnpj"`, `"cpf":"52998224725","cnpj"`, 1), strings.Replace(right, `"cpf"`, `"x"`, 1))), ""},
		"another expiracao":     {`When the account sends a cob with calendario.expiracao 1`, list(nil, answered(`{"calendario":{"expiracao":1},"valor":{"original":"1.00"}}`, strings.Replace(right, `"valor"`, `"calendario":{"expiracao":60},"valor"`, 1))), ""},
		"another amount":        {`When the account sends a cob with valor.original "0.00"`, list(nil, answered(`{"calendario":{},"valor":{"original":"0.00"}}`, strings.Replace(right, `"1.00"`, `"0.01"`, 1))), ""},
		"its details":           {"", list(nil, answered(detailed, strings.Replace(right, `"valor"`, `"infoAdicionais":[{"nome":"a","valor":"1"}],"valor"`, 1))), ""},
		"without its details":   {"", list(nil, answered(detailed, strings.Replace(right, `"valor"`, `"infoAdicionais":[],"valor"`, 1))), "cob.created infoAdicionais[0].nome; cob.created infoAdicionais[0].valor"},
		"one location":          {"", list(nil, answered(cob, strings.Replace(right, `"valor"`, `"location":"l","loc":{"location":"l"},"valor"`, 1))), ""},
		"two locations":         {"", list(nil, answered(cob, strings.Replace(right, `"valor"`, `"location":"l","loc":{"location":"m"},"valor"`, 1))), "cob.created location"},
		"a field of a cash-in":  {"When the account sends a QR cash-out", list(nil, sent(0, "QR cash-out", `{}`, 201, `{"pixCode":"x"}`)), "qr-cash-out.accepted pixCode"},
		"of a cash-in, as null": {"When the account sends a cash-out", list(nil, sent(0, "cash-out", `{}`, 201, `{"correlationId":null}`)), ""},
		"a success":             {"When the account sends a webhook registration", list(nil, sent(0, "webhook registration", registration, 200, `{"success":true}`)), ""},
		"no success":            {"When the account sends a webhook registration", list(nil, sent(0, "webhook registration", registration, 200, `{"success":false}`)), "webhook.registered success"},
		"with a header":         {`When the account sends a webhook registration with headers [{"key":"HOST","value":"x"}]`, list(nil, sent(0, "webhook registration", registration, 200, `{"success":false}`)), ""},
		"an id that it chose":   {`When the account sends a refund with path id A`, list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{"id":"another"}`)), "refund.accepted id"},
		"no id of a refund":     {`When the account sends a refund with path id "a b"`, list(nil, at("/pix/e/devolucao/a%20b", sent(0, "refund", `{"valor":"1.00"}`, 201, `{"id":"another"}`))), ""},
		"the natureza omitted":  {"When the account sends a refund", list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{"natureza":"ORIGINAL"}`)), ""},
		"another natureza":      {"When the account sends a refund", list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{"natureza":"RETIRADA"}`)), "refund.natureza natureza"},
		"the one it was asked":  {`When the account sends a refund with natureza "RETIRADA"`, list(nil, sent(0, "refund", `{"valor":"1.00","natureza":"RETIRADA"}`, 201, `{"natureza":"RETIRADA"}`)), ""},
		"not the one asked":     {`When the account sends a refund with natureza "RETIRADA"`, list(nil, sent(0, "refund", `{"valor":"1.00","natureza":"RETIRADA"}`, 201, `{"natureza":"ORIGINAL"}`)), "refund.natureza natureza"},
		"no natureza":           {"When the account sends a refund", list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{}`)), ""},
		"another valor":         {`When the account sends a refund with valor "1.01"`, list(nil, sent(0, "refund", `{"valor":"1.01"}`, 201, `{"valor":"1.00"}`)), "refund.accepted valor"},
		"in another case":       {"When the account sends a transfer", list(nil, keyed("10.00", "10"), under("KEY-1", "20.00", "10")), ""},
		"under another key":     {"When the account sends a transfer", list(nil, keyed("10.00", "10"), under("key-2", "20.00", "10")), "transfer.accepted payment.amount"},
		"the one before":        {"When the account sends a transfer", list(nil, keyed("10.00", "10"), keyed("20.00", "10")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if c.steps == "" {
				c.steps = "When the account sends a cob"
			}
			j, entries := story{steps: c.steps, entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			var got []string
			for _, met := range j.contradictions() {
				got = append(got, met.Rule+" "+met.Field)
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}
