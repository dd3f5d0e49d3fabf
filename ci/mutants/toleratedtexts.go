package mutants

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
)

// toleratedTexts differ in the words of rejections and in what stands next to them.
var toleratedTexts = []row{
	tolerate("writes its messages in Portuguese", answering(everything, refused, retold("message", inPortuguese))),
	tolerate("writes messages to the user in English", answering(public, refused, set("userMessage", `"Something is wrong with your request."`))),
	tolerate("writes messages to the user with emoji", answering(public, refused, suffixed("userMessage", " 😕"))),
	tolerate("writes long messages", answering(everything, refused, suffixed("message", strings.Repeat(" See the documentation of this field.", 60)))),
	tolerate("writes messages of several lines", answering(everything, refused, suffixed("message", "\n\tat br.com.pix.Validator\n"))),
	tolerate("capitalizes its messages", answering(everything, refused, retold("message", sentence))),
	tolerate("puts the names of fields in quotes", answering(cashOut, refused, retold("message", quotedName))),
	tolerate("names nested fields as JSON pointers", answering(group{cashOut, cashIn}, refusedAs(api.HTTPError), retold("message", asPointer))),
	tolerate("returns messages in reverse order", answering(public, refused, at("message", reversedTexts))),
	tolerate("returns each message twice, in two languages", answering(public, refusedAs(api.HTTPError), at("message", bilingual))),
	tolerate("returns a list of errors by field", answering(public, refused, set("errors", `[{"field":"value","rule":"min","rejected":null}]`))),
	tolerate("returns UUIDs as errorIds", answering(public, refused, fresh("errorId"))),
	tolerate("returns additional details", answering(public, refused, set("details.documentation", `"https://docs.invalid/errors"`), set("details.retryable", `false`))),
	tolerate("returns empty details", answering(public, refused, orElse("details", `{}`))),
	tolerate("returns a date and an errorId in the simple envelope", answering(simple, refused, set("date", `"2026-03-01T12:00:00Z"`), set("details", `null`), set("errorId", `"e-1"`))),
	tolerate("returns violations as objects", answering(token, refusedAs(api.TokenBodyInvalid), at("details.violations", asObjects))),
	tolerate("returns violations by field", answering(token, refusedAs(api.TokenBodyInvalid), set("details.violations", `{"clientId":["clientId must be a UUID"],"clientSecret":["clientSecret is required"]}`))),
	tolerate("returns a hint for every token error", answering(token, refused, orElse("details.hint", `"see the documentation"`))),
	tolerate("returns a scope and a refresh token", answering(token, accepted, set("scope", `"pix.read pix.write"`), set("refresh_token", `"opaque"`), set("not-before-policy", `0`))),
	tolerate("writes the message of a registration in Portuguese", answering(registration, accepted, set("message", `"Webhook cadastrado com sucesso ✅"`))),
	tolerate("returns the registration with its secret", answering(registration, accepted, set("webhook", `{"id":1,"secret":"whsec_1"}`), set("data", `null`))),
	tolerate("writes the message of a resend in Portuguese", answering(resend, accepted, set("message", `"Notificação reenviada"`))),
	tolerate("returns the attempt and the URL of a resend", answering(resend, accepted, set("attempt", `1`), set("url", `"https://hooks.invalid"`), set("durationMs", `12.5`))),
	tolerate("marks a resent event", sending(sentBefore, set("resent", `true`), header("Webhook-Attempt", "2"))),
	tolerate("writes errorMessage in Portuguese", sending(failed, set("errorMessage", `"A instituição de destino rejeitou a ordem"`))),
}

// inPortuguese translates the phrases of validation messages, but not the names of fields
// or the values that they list.
var inPortuguese = strings.NewReplacer("must be at least", "deve ser no mínimo", "must be one of", "deve ser um de", "must have", "deve ter",
	"must be", "deve ser", "must not", "não deve", "is required", "é obrigatório", "characters", "caracteres", "at most", "no máximo",
	"missing", "ausente", "invalid", "inválido", "not found", "não encontrado", "already", "já", "refused", "recusado").Replace

// sentence begins with a capital and ends with a full stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return "Error: " + s + "."
}

// quotedName quotes the name with which a validation message begins.
func quotedName(s string) string {
	name, rest, ok := strings.Cut(s, " must ")
	if !ok || strings.Contains(name, " ") {
		return s
	}
	return `"` + name + `" must ` + rest
}

// asPointer writes details.key at the beginning of a message as /details/key.
func asPointer(s string) string {
	name, rest, ok := strings.Cut(s, " ")
	if !ok || !strings.Contains(name, ".") {
		return s
	}
	return "/" + strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(name) + " " + rest
}

// reversedTexts reverses a list of messages; a single one stays.
func reversedTexts(v any) any {
	if texts, ok := v.([]any); ok {
		slices.Reverse(texts)
	}
	return v
}

func bilingual(v any) any {
	texts, ok := v.([]any)
	if !ok {
		return v
	}
	var both []any
	for _, text := range texts {
		both = append(both, text, eachText(text, inPortuguese))
	}
	return both
}

// orElse puts a value where there is no field.
func orElse(path, literal string) edit {
	v := value(literal)
	return at(path, func(old any) any {
		if old == (absent{}) {
			return v
		}
		return old
	})
}

// asObjects writes each text of a list as an object with a field and a message.
func asObjects(v any) any {
	texts, _ := v.([]any)
	objects := []any{}
	for _, text := range texts {
		field, _, _ := strings.Cut(string(encode(text)), " ")
		objects = append(objects, map[string]any{"field": strings.Trim(field, `"`), "message": text, "line": json.Number("1")})
	}
	return objects
}
