package mutants_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/pixcert/pixcert/reference/pix"
)

// verb is a call that stories make: how its arguments fill the request.
type verb struct {
	method, path string // {1} is the first argument, {name} an edit; {account} and {n}, a number, are given
	body         string // JSON; # is a number
	at           string // where in the body the arguments go that the path does not take; "" in front makes them texts
	control      bool
}

// request is a call before it is sent.
type request struct {
	method, path string
	header       http.Header
	query        url.Values
	body         any
	actor        *actor
	player       *player
}

const payee = `{"key":"fulano@example.com","keyType":"EMAIL","name":"Fulano de Tal","document":"52998224725"}`

var verbs = map[string]verb{
	"token":   {method: "POST", path: "/api/auth/token", body: `{}`},
	"balance": {method: "GET", path: "/accounts/balances"},
	"std":     {method: "GET", path: "/balance"},

	"out":      {method: "POST", path: "/api/pix/cash-out", body: `{"externalId":"order-#","details":` + payee + `}`, at: "value"},
	"qr":       {method: "POST", path: "/api/pix/cash-out-qrcode", body: `{"externalId":"order-#"}`, at: "value"},
	"in":       {method: "POST", path: "/api/pix/cash-in", body: `{"transaction":{"externalId":"order-#","description":"pedido"},"payer":{"fullName":"Fulano de Tal","document":"52998224725"}}`, at: "transaction.value"},
	"cob":      {method: "PUT", path: "/cob/{txid}", body: `{"calendario":{"expiracao":86400},"devedor":{"cpf":"52998224725","nome":"Fulano de Tal"},"valor":{}}`, at: "'valor.original"},
	"transfer": {method: "POST", path: "/dict/pix", body: `{"pixKey":"payee@example.com","payment":{"currency":"BRL"}}`, at: "payment.amount"},
	"refund":   {method: "PUT", path: "/pix/{1}/devolucao/{id}", body: `{}`, at: "'valor"},

	"list":  {method: "GET", path: "/api/transactions"},
	"bykey": {method: "GET", path: "/api/pix/transactions/pix-key/{1}"},
	"meds":  {method: "GET", path: "/api/med"},

	"hook":   {method: "POST", path: "/api/webhooks", body: `{}`, at: "'eventType 'url"},
	"hooks":  {method: "GET", path: "/api/webhooks"},
	"resend": {method: "POST", path: "/api/resend-webhook/{1}"},

	"fund":     {control: true, method: "PUT", path: "/accounts/{account}/balance", body: `{}`, at: "'available"},
	"fees":     {control: true, method: "PUT", path: "/accounts/{account}/fees", body: `{}`},
	"limits":   {control: true, method: "PUT", path: "/accounts/{account}/limits", body: `{}`},
	"clock":    {control: true, method: "PUT", path: "/accounts/{account}/clock", body: `{}`, at: "'now"},
	"faults":   {control: true, method: "PUT", path: "/accounts/{account}/faults", body: `{}`},
	"dir":      {control: true, method: "PUT", path: "/directory/{1}", body: `{"name":"Fulano de Tal","document":"52998224725","ispb":"60701190","accountStatus":"ACTIVE"}`},
	"manual":   {control: true, method: "PUT", path: "/accounts/{account}/settlement", body: `{"mode":"manual"}`},
	"auto":     {control: true, method: "PUT", path: "/accounts/{account}/settlement", body: `{"mode":"automatic"}`},
	"settle":   {control: true, method: "POST", path: "/accounts/{account}/settlements", body: `{"outcome":"CONFIRMED"}`, at: "transactionId 'errorCode"},
	"pay":      {control: true, method: "POST", path: "/accounts/{account}/payments", body: `{"payer":{"name":"Fulano de Tal","document":"52998224725","ispb":"18236120"}}`, at: "'pixCode"},
	"end":      {control: true, method: "POST", path: "/accounts/{account}/charges/{1}/end", body: `{}`, at: "'by"},
	"charge":   {control: true, method: "GET", path: "/accounts/{account}/charges/{1}"},
	"rmanual":  {control: true, method: "PUT", path: "/accounts/{account}/refunds", body: `{"mode":"manual"}`},
	"rauto":    {control: true, method: "PUT", path: "/accounts/{account}/refunds", body: `{"mode":"automatic"}`},
	"result":   {control: true, method: "POST", path: "/accounts/{account}/refunds/{1}/result", body: `{}`, at: "'status"},
	"shown":    {control: true, method: "GET", path: "/accounts/{account}/refunds/{1}"},
	"back":     {control: true, method: "POST", path: "/accounts/{account}/returns", body: `{}`, at: "'endToEndId 'amount"},
	"splits":   {control: true, method: "GET", path: "/accounts/{account}/splits"},
	"med":      {control: true, method: "POST", path: "/accounts/{account}/meds", body: `{"reason":"REFUND_REQUEST","cause":"SOCIAL_ENGINEERING","description":"golpe"}`, at: "'endToEnd"},
	"move":     {control: true, method: "PATCH", path: "/accounts/{account}/meds/{1}", body: `{}`, at: "'status"},
	"register": {control: true, method: "POST", path: "/accounts/{account}/certificates", body: `{}`},
	"revoke":   {control: true, method: "DELETE", path: "/accounts/{account}/certificates/{1}"},
	"remove":   {control: true, method: "DELETE", path: "/accounts/{account}"},
}

// fill puts arguments and edits into a request.
func (v verb) fill(r *request, s step) error {
	if before, ok := defaults[s.verb]; ok {
		before(r, &s)
	}
	args := s.args
	if strings.Contains(r.path, "{1}") {
		r.path, args = strings.ReplaceAll(r.path, "{1}", url.PathEscape(args[0])), args[1:]
	}
	places := strings.Fields(v.at)
	if len(args) > len(places) {
		return fmt.Errorf("expected at most %d arguments, got %q", len(places), args)
	}
	for i, arg := range args {
		var value any = arg
		place, text := strings.CutPrefix(places[i], "'")
		if !text {
			value = literal(arg)
		}
		r.body = with(r.body, place, value)
	}
	for _, e := range s.edits {
		r.edit(s.verb, e[0], r.player.resolve(e[1]))
	}
	return nil
}

// defaults complete a request before the arguments go in, or change these.
var defaults = map[string]func(*request, *step){
	"token": func(r *request, _ *step) {
		r.header.Set("X-SSL-Client-Cert", certificateHeader(r.actor.certificate))
		r.body = map[string]any{"clientId": r.actor.clientID, "clientSecret": r.actor.secret}
	},
	"qr": func(r *request, _ *step) {
		r.body = with(r.body, "qrCode", pix.BRCode{Key: "loja@example.com", Name: "Loja", City: "SAO PAULO"}.String())
	},
	"transfer": func(r *request, _ *step) {
		r.header.Set("x-idempotency-key", key(fmt.Sprint("transfer", r.player.count)))
	},
	"cob": func(r *request, s *step) { named(r, s, "{txid}", "txid", txid) },
	"refund": func(r *request, s *step) {
		named(r, s, "{id}", "id", func(id string) string { return fmt.Sprint(literal(id)) })
	},
	"charge": func(_ *request, s *step) { s.args[0] = txid(s.args[0]) },
	"end":    func(_ *request, s *step) { s.args[0] = txid(s.args[0]) },
	"hook":   func(r *request, s *step) { s.args[1] = r.player.box.url(s.args[1]) },
	"clock": func(r *request, s *step) {
		if by, forward := strings.CutPrefix(s.args[0], "+"); forward {
			r.body, s.args = map[string]any{"advance": by}, nil
		}
	},
	"settle": func(r *request, s *step) {
		if len(s.args) > 1 {
			r.body = with(r.body, "outcome", "ERROR")
		}
		if isNumber(s.args[0]) {
			r.body, s.args[0] = with(r.body, "id", literal(s.args[0])), "-"
		}
	},
	"splits": func(r *request, s *step) { r.query.Set("transactionId", s.args[0]); s.args = nil },
	"register": func(r *request, s *step) {
		r.body, s.args = map[string]any{"certificate": string(certificate(s.args[0]).PEM())}, nil
	},
	"revoke": func(_ *request, s *step) { s.args[0] = certificate(s.args[0]).Fingerprint() },
}

// named puts the id of a resource into the path: that of an edit, or one of its own.
func named(r *request, s *step, parameter, name string, spell func(string) string) {
	value := fmt.Sprintf("%s%d", name, r.player.count)
	var others [][2]string
	for _, e := range s.edits {
		if e[0] == name {
			value = e[1]
		} else {
			others = append(others, e)
		}
	}
	s.edits = others
	r.path = strings.ReplaceAll(r.path, parameter, spell(value))
}

// txid makes one of a short name.
func txid(name string) string {
	if len(name) < 26 {
		name = strings.ToLower(name) + strings.Repeat("0", 26-len(name))
	}
	return name
}

// edit carries out one edit of a story; some names stand for more than a field.
func (r *request) edit(verb, name, value string) {
	switch set := edits[name]; {
	case set != nil:
		set(r, value)
	case r.method == http.MethodGet:
		r.query.Set(name, value)
	case strings.HasPrefix(name, "code."):
		r.body = with(r.body, "qrCode", code(name, value))
	default:
		if aliases[verb] != nil && aliases[verb][name] != "" {
			name = aliases[verb][name]
		}
		if r.body == nil {
			r.body = map[string]any{}
		}
		var v any = literal(value)
		if moneyVerbs[verb] {
			v = value // controls take amounts as texts
		}
		r.body = with(r.body, name, v)
	}
}

var aliases = map[string]map[string]string{"fees": {"out": "cashOut", "in": "cashIn"}}

var moneyVerbs = map[string]bool{"fees": true, "limits": true}

// edits are those that stand for more than a field.
var edits = map[string]func(r *request, value string){
	"cert":   func(r *request, value string) { r.header.Set("X-SSL-Client-Cert", certificateHeader(value)) },
	"secret": func(r *request, value string) { r.body = with(r.body, "clientSecret", literal(value)) },
	"client": func(r *request, value string) { r.body = with(r.body, "clientId", literal(value)) },
	"key": func(r *request, value string) {
		r.header.Set("x-idempotency-key", key(value))
		if value == "-" {
			r.header.Del("x-idempotency-key")
		}
	},
	"under": func(r *request, value string) {
		r.header.Set("Authorization", value)
		if value == "-" {
			r.header.Del("Authorization")
		}
	},
	"spoil":       func(r *request, value string) { r.spoil(spoilers[value]) },
	"swap":        func(r *request, value string) { r.spoil(func(t []string) { t[1] = strings.Split(value, ".")[1] }) },
	"raw":         func(r *request, value string) { r.body = decoded(value) },
	"longer":      func(r *request, value string) { r.body = with(r.body, "clientSecret", r.actor.secret+value) },
	"turned":      func(r *request, _ string) { r.body = with(r.body, "clientSecret", turned(r.actor.secret)) },
	"idempotency": func(r *request, value string) { r.header.Set("x-idempotency-key", value) },
	"e2eid": func(r *request, value string) {
		segments := strings.Split(r.path, "/")
		segments[2] = map[string]string{"lower": turned(segments[2]), "space": segments[2] + "%20"}[value]
		r.path = strings.Join(segments, "/")
	},
	"lifted":   func(r *request, value string) { r.body = with(r.body, value, nil) },
	"scenario": func(r *request, value string) { r.header.Set("X-Sandbox-Scenario", value) },
	"to":       func(r *request, value string) { r.body = map[string]any{"url": r.player.box.url(value)} },
	"headers": func(r *request, value string) {
		if strings.HasPrefix(value, "[") {
			r.body = with(r.body, "headers", decoded(value))
			return
		}
		var headers []any
		for _, header := range strings.Split(value, ",") {
			name, value, _ := strings.Cut(header, ":")
			headers = append(headers, map[string]any{"key": name, "value": value})
		}
		r.body = with(r.body, "headers", headers)
	},
	"splits": func(r *request, value string) { r.body = with(r.body, "splits", recipients(value)) },
	"infoAdicionais": func(r *request, value string) {
		if strings.HasPrefix(value, "[") {
			r.body = with(r.body, "infoAdicionais", decoded(value))
			return
		}
		r.body = with(r.body, "infoAdicionais", []any{map[string]any{"nome": "mesa", "valor": "7"}, map[string]any{"nome": "loja", "valor": "centro"}})
	},
	"additionalInfo": func(r *request, value string) {
		if strings.HasPrefix(value, "{") {
			r.body = with(r.body, "additionalInfo", decoded(value))
			return
		}
		info := map[string]any{}
		for i := range 11 {
			info[fmt.Sprint("key", i)] = "x"
		}
		r.body = with(r.body, "additionalInfo", info)
	},
}

// spoilers change the parts of a token.
var spoilers = map[string]func(t []string){
	"signature": func(t []string) {
		middle := len(t[2]) / 2
		t[2] = t[2][:middle] + string('A'+'B'-t[2][middle]%2) + t[2][middle+1:] // another one of the same length
	},
	"payload": func(t []string) { t[1] = base64.RawURLEncoding.EncodeToString([]byte(`{"exp":9999999999}`)) },
	"fourth":  func(t []string) { t[2] += ".x" },
	"NONE": func(t []string) {
		t[0], t[2] = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"NONE","typ":"JWT"}`)), ""
	},
}

// turned is a text with its letters in the other case.
func turned(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

// spoil changes the token under which a call goes.
func (r *request) spoil(change func(parts []string)) {
	scheme, token, _ := strings.Cut(r.header.Get("Authorization"), " ")
	parts := strings.Split(token, ".")
	change(parts)
	r.header.Set("Authorization", scheme+" "+strings.Join(parts, "."))
}

// recipients are splits: F1.00 is an amount, P50 a percentage, and F1.00i immediate.
func recipients(text string) []any {
	var splits []any
	for i, share := range strings.Split(text, ",") {
		value, immediate := strings.CutSuffix(share[1:], "i")
		split := map[string]any{
			"pixKey": fmt.Sprintf("s%d@example.com", i+1), "pixKeyType": "EMAIL", "name": "Beltrano", "document": "52998224725",
			"type": map[byte]string{'F': "FIXED", 'P': "PERCENTAGE"}[share[0]], "value": literal(value),
		}
		if immediate {
			split["immediate"] = true
		}
		splits = append(splits, split)
	}
	return splits
}

// code is a static code with an amount, with another key, or with a certain beginning of
// its checksum.
func code(name, value string) string {
	c := pix.BRCode{Key: "loja@example.com", Name: "Loja", City: "SAO PAULO"}
	switch name {
	case "code.amount":
		c.Amount, _ = pix.ParseAmount(value)
	case "code.key":
		c.Key = value
	case "code.checksum":
		for i := 0; ; i++ {
			c.TxID = fmt.Sprint("mesa", i)
			if text := c.String(); strings.HasPrefix(text[len(text)-4:], value) {
				return text
			}
		}
	}
	return c.String()
}
