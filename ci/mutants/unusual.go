package mutants

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
)

// unusualMutants fail on JSON that readers take in different ways, or take it in two ways themselves.
var unusualMutants = []row{
	{"returns 500 for a lone surrogate in a cash-out", "cash-out.left-open", refusing(cashOut, withLoneSurrogate, 500, api.HTTPError)},
	{"returns 500 for a lone surrogate in a QR cash-out", "qr-cash-out.left-open", refusing(qrCashOut, withLoneSurrogate, 500, api.HTTPError)},
	{"returns 500 for a lone surrogate in a cash-in", "cash-in.left-open", refusing(cashIn, withLoneSurrogate, 500, api.HTTPError)},
	{"returns 500 for a lone surrogate in the name of a split", "cash-in.left-open", refusing(cashIn, matching("splits[].name", "\ufffd"), 500, api.HTTPError)},
	{"returns 500 for a lone surrogate in a cob", "cob.left-open", refusing(cob, withLoneSurrogate, 500, "")},
	{"returns 500 for a lone surrogate in a transfer", "transfer.left-open", refusing(transfer, withLoneSurrogate, 500, "")},
	{"returns 500 for a lone surrogate in a refund", "refund.left-open", refusing(devolution, withLoneSurrogate, 500, "")},
	{"returns 500 for a lone surrogate in a registration", "webhook.left-open", refusing(registration, withLoneSurrogate, 500, api.HTTPError)},
	{"returns 500 for a lone surrogate in a token request", "token.left-open", refusing(token, withLoneSurrogate, 500, api.HTTPError)},

	{"returns 500 for a repeated key of a cash-out", "cash-out.left-open", refusing(cashOut, repeated, 500, api.HTTPError)},
	{"returns 500 for a repeated key of a QR cash-out", "qr-cash-out.left-open", refusing(qrCashOut, repeated, 500, api.HTTPError)},
	{"returns 500 for a repeated key of a cash-in", "cash-in.left-open", refusing(cashIn, repeated, 500, api.HTTPError)},
	{"returns 500 for a repeated key of a cob", "cob.left-open", refusing(cob, repeated, 500, "")},
	{"returns 500 for a repeated key of a transfer", "transfer.left-open", refusing(transfer, repeated, 500, "")},
	{"returns 500 for a repeated key of a refund", "refund.left-open", refusing(devolution, repeated, 500, "")},
	{"returns 500 for a repeated key of a registration", "webhook.left-open", refusing(registration, repeated, 500, api.HTTPError)},
	{"returns 500 for a repeated key of a token request", "token.left-open", refusing(token, repeated, 500, api.HTTPError)},

	{"returns 500 for an expirationTime with an exponent", "cash-in.left-open", refusing(cashIn, exponent("transaction.expirationTime"), 500, api.HTTPError)},
	{"returns 500 for an unknown field of a cash-out's details", "cash-out.left-open", refusing(cashOut, extraIn("details", "key", "keyType", "name", "document"), 500, api.HTTPError)},
	{"returns 500 for an unknown field of a charge", "cob.left-open", refusing(cob, extra("calendario", "devedor", "valor", "chave", "solicitacaoPagador", "infoAdicionais"), 500, "")},

	{"rejects a repeated key of a cash-out, but pays", "cash-out.left-open", despite(cashOut, repeated, rewritten(lastOfEach))},
	{"rejects a repeated key of a QR cash-out, but pays", "qr-cash-out.left-open", despite(qrCashOut, repeated, rewritten(lastOfEach))},
	{"rejects a repeated key of a cash-in, but creates the charge", "cash-in.left-open", despite(cashIn, repeated, rewritten(lastOfEach))},

	{"checks the first of two values of a cash-out and pays the second, rounded", "cash-out.value", checkingFirst(cashOut, "value")},
	{"checks the first of two values of a QR cash-out and pays the second, rounded", "qr-cash-out.value", checkingFirst(qrCashOut, "value")},
	{"checks the first of two values of a cash-in and charges the second, rounded", "cash-in.value", checkingFirst(cashIn, "transaction.value")},
	{"checks the first of two amounts of a transfer and sends the second, rounded", "transfer.payment", checkingFirst(transfer, "payment.amount")},
	{"checks the first of two amounts of a cob and charges the second, rounded", "cob.valor", checkingFirst(cob, "valor.original")},
	{"checks the first of two valores of a refund and returns the second, rounded", "refund.valor", checkingFirst(devolution, "valor")},

	{"returns 500 for a number as a name", "cash-out.left-open", refusing(cashOut, kind("details.name", "number"), 500, api.HTTPError)},
	{"returns 500 for true as the name of a payee", "qr-cash-out.left-open", refusing(qrCashOut, kind("name", "boolean"), 500, api.HTTPError)},
	{"returns 500 for a list as the name of a payer", "cash-in.left-open", refusing(cashIn, kind("payer.fullName", "list"), 500, api.HTTPError)},
	{"returns 500 for a number as the name of a split", "cash-in.left-open", refusing(cashIn, kind("splits[].name", "number"), 500, api.HTTPError)},
	{"returns 500 for true as the text of a charge", "cob.left-open", refusing(cob, kind("solicitacaoPagador", "boolean"), 500, "")},
	{"returns 500 for a list as a key", "transfer.left-open", refusing(transfer, kind("pixKey", "list"), 500, "")},
	{"returns 500 for a number as a descricao", "refund.left-open", refusing(devolution, kind("descricao", "number"), 500, "")},
	{"returns 500 for true as a URL", "webhook.left-open", refusing(registration, kind("url", "boolean"), 500, api.HTTPError)},

	{"accepts a document padded with blanks in a cash-out", "cash-out.document", accepting(cashOut, matching("details.document", blankEnd), trimmedText("details.document"))},
	{"accepts a document padded with blanks in a cash-in", "cash-in.payer", accepting(cashIn, matching("payer.document", blankEnd), trimmedText("payer.document"))},
	{"accepts a CPF padded with blanks in a cob", "cob.devedor", accepting(cob, matching("devedor.cpf", blankEnd), trimmedText("devedor.cpf"))},
	{"accepts an amount padded with blanks in a cob", "cob.valor", accepting(cob, matching("valor.original", blankEnd), trimmedText("valor.original"))},
	{"accepts a valor padded with blanks", "refund.valor", accepting(devolution, matching("valor", blankEnd), trimmedText("valor"))},
	{"trims a padded clientId", "token.body", misreading(token, matching("clientId", blankEnd), trimmedText("clientId"))},

	{"accepts a key padded with blanks in a cash-out", "cash-out.key", accepting(cashOut, matching("details.key", blankEnd), trimmedText("details.key"))},
	{"ignores a lone surrogate in a key", "cash-out.key", accepting(cashOut, matching("details.key", "\ufffd"), set("details.key", `"52998224725"`))},
	{"ignores a lone surrogate in a keyType", "cash-out.key-type", accepting(cashOut, matching("details.keyType", "\ufffd"), set("details.keyType", `"EMAIL"`))},
	{"ignores a lone surrogate in a document", "cash-out.document", accepting(cashOut, matching("details.document", "\ufffd"), set("details.document", `"52998224725"`))},
	{"accepts an expirationTime above seven days with an exponent", "cash-in.expiration-time", accepting(cashIn, exponent("transaction.expirationTime"), drop("transaction.expirationTime"))},
	{"accepts an expiration above three hours with an exponent", "transfer.expiration", accepting(transfer, exponent("expiration"), drop("expiration"))},
}

// toleratedUnusual reads the same JSON in other ways.
var toleratedUnusual = []row{
	tolerate("takes the last of two values under one key", misreading(bodies, repeated, rewritten(lastOfEach))),
	tolerate("takes the first of two values under one key", misreading(bodies, repeated, rewritten(firstOfEach))),
	tolerate("rejects a lone surrogate as malformed JSON", refusing(bodies, withLoneSurrogate, 400, "MALFORMED_JSON")),
	tolerate("drops a lone surrogate", misreading(bodies, withLoneSurrogate, rewritten(func(b []byte) []byte { return loneSurrogate.ReplaceAll(b, nil) }))),
	tolerate("reads a lone surrogate as a question mark", misreading(bodies, withLoneSurrogate, rewritten(func(b []byte) []byte { return loneSurrogate.ReplaceAll(b, []byte("?")) }))),
	tolerate("converts values of another type", accepting(bodies, always, at("", func(v any) any { return converted("", v) }))),
	tolerate("reports a rejected transfer as failed", announcing(transfer, refused, "cash_out", func(c *call, _ *answer) string {
		return `{"type":"TRANSFER","data":{"status":"ERROR","idempotencyKey":"` + c.header.Get(idempotency) + `"}}`
	})),
	tolerate("rejects numbers with an exponent", both(
		answering(group{cashOut, qrCashOut, cashIn}, all(refused, exponentWritten), set("message", `["value, expirationTime: no exponents"]`)),
		refusing(group{cashOut, qrCashOut, cashIn}, exponentWritten, 400, api.HTTPError),
	)),
}

// numbers are the fields of requests that are numbers.
var numbers = []string{"value", "amount", "expirationTime", "expiration", "expiracao", "modalidadeAlteracao"}

// converted is a value as a lax gateway reads it: "10" as a number, 10 as a text, [x] as x.
func converted(name string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = converted(name, inner)
		}
	case []any:
		if only := onlyItem(v); len(v) == 1 && !strings.HasPrefix(string(encode(only)), "{") {
			return converted(name, only)
		}
		for i, item := range v {
			v[i] = converted(name, item)
		}
	case string:
		if slices.Contains(numbers, name) && numeral.MatchString(v) && json.Valid([]byte(v)) { // 010 is no number
			return json.Number(v)
		}
	case json.Number, bool:
		if isFlag := name == "generateQrCode" || name == "immediate"; !isFlag && !slices.Contains(numbers, name) {
			return strings.Trim(string(encode(v)), `"`)
		}
	}
	return v
}

// bodies are the endpoints that read a body.
var bodies = group{token, cashOut, qrCashOut, cashIn, transfer, cob, devolution, registration}

// exponentWritten holds for a body with an exponent outside of its texts.
var exponentWritten = written(`[:,\[]\s*-?[\d.]+[eE]`)

// loneSurrogate is the escape of one that begins a pair, withLoneSurrogate a text that ends in it.
var (
	loneSurrogate     = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}`)
	withLoneSurrogate = written(loneSurrogate.String() + `"`)
)

// blankEnd is a text that begins or ends with a blank.
const blankEnd = `^\s|\s$`

func trimmedText(path string) edit { return retold(path, strings.TrimSpace) }

// extraIn is extra for the object at a path.
func extraIn(path string, listed ...string) condition {
	return func(c *call, a *answer) bool {
		inner, ok := lookup(c.body, path)
		return ok && extra(listed...)(c.edited(body(string(encode(inner)))), a)
	}
}

// repeated holds for a body in which an object has a key twice.
func repeated(c *call, _ *answer) bool { return repeatsKey(c.body) }

func repeatsKey(b []byte) bool {
	_, again, err := firstIn(json.NewDecoder(bytes.NewReader(b)))
	return again && err == nil
}

// lastOfEach leaves only the last of several values under one key, firstOfEach only the first.
func lastOfEach(b []byte) []byte {
	if v, ok := decode(b); ok {
		return encode(v)
	}
	return b
}

func firstOfEach(b []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if v, _, err := firstIn(d); err == nil {
		return encode(v)
	}
	return b
}

// firstIn reads a value; again if an object in it has a key twice.
func firstIn(d *json.Decoder) (v any, again bool, err error) {
	v, err = d.Token()
	delim, opens := v.(json.Delim)
	if err != nil || !opens {
		return v, false, err
	}
	object, items := map[string]any{}, []any{}
	for d.More() {
		var key any
		if delim == '{' {
			if key, err = d.Token(); err != nil {
				return nil, false, err
			}
		}
		inner, innerAgain, err := firstIn(d)
		if err != nil {
			return nil, false, err
		}
		again = again || innerAgain
		if name, is := key.(string); !is {
			items = append(items, inner)
		} else if _, known := object[name]; known {
			again = true
		} else {
			object[name] = inner
		}
	}
	if v = object; delim == '[' {
		v = items
	}
	_, err = d.Token() // which closes it
	return v, again, err
}

// checkingFirst takes a request with two values under the key at a path for one of the second, rounded,
// if the first is an amount in centavos.
func checkingFirst(p place, path string) fault {
	return changing(p, func(c *call, pass server) *answer {
		first := c.edited(rewritten(firstOfEach))
		second, err := strconv.ParseFloat(spelledAt(c.body, path), 64)
		if err != nil || !repeated(c, nil) || !regexp.MustCompile(`^\d+\.\d{2}$`).MatchString(spelledAt(first.body, path)) {
			return pass(c)
		}
		return pass(first.edited(at(path, func(was any) any {
			rounded := strconv.FormatFloat(second, 'f', 2, 64)
			if _, isNumber := was.(json.Number); isNumber {
				return json.Number(rounded)
			}
			return rounded
		})))
	})
}

// spelledAt is a number, or a text, as it is written.
func spelledAt(body []byte, path string) string {
	v, _ := lookup(body, path)
	return strings.Trim(string(encode(v)), `"`)
}
