package replay

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// kind is a kind of value that each gateway generates; empty for a value that two gateways
// should have in common.
type kind struct {
	words    string
	identity bool // the same value means the same thing everywhere
}

// kinds lists the kinds by the format of a string; the first match counts.
var kinds = []struct {
	form *regexp.Regexp
	kind kind
}{
	{regexp.MustCompile(regexp.QuoteMeta(exchange.Mask)), kind{"a secret", false}},
	{regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`), kind{"a UUID", true}},
	{regexp.MustCompile(`^E[0-9]{20}[A-Za-z0-9]{11}$`), kind{"an end-to-end id", true}},
	{regexp.MustCompile(`^D[0-9]{20}[A-Za-z0-9]{11}$`), kind{"a return id", true}},
	{regexp.MustCompile(`^000201`), kind{"a PIX code", true}},
	{regexp.MustCompile(`^https?://`), kind{"a URL", true}},
	{regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s]+$`), kind{"an e-mail address", true}},
	{regexp.MustCompile(`^\+55[0-9]{10,11}$`), kind{"a phone number", true}},
	{regexp.MustCompile(`^[0-9a-fA-F]{64}$`), kind{"a fingerprint", true}},
	{regexp.MustCompile(`^iVBORw0KGgo`), kind{"an image", false}},
}

var digits = regexp.MustCompile(`^[0-9]{8,}$`)

// kindOf returns the kind of a string in the field of that name.
func kindOf(member, s string) kind {
	for _, k := range kinds {
		if k.form.MatchString(s) {
			return k.kind
		}
	}
	if digits.MatchString(s) { // documents, ISPBs: two payers may have the same bank
		return kind{fmt.Sprintf("%d digits", len(s)), false}
	}
	if words := timeOf(s); words != "" {
		return kind{words, false}
	}
	if isID(member) && s != "" {
		return kind{"an id", true}
	}
	return kind{}
}

// timeOf describes the format of a time, which can matter; fractions of a second do not.
func timeOf(s string) string {
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		if _, offset := t.Zone(); offset != 0 {
			return "a time with the offset " + t.Format("-07:00")
		}
		return "a UTC time"
	}
	for _, form := range [...]struct{ layout, words string }{
		{"2006-01-02T15:04:05", "a time without an offset"},
		{"2006-01-02 15:04:05", "a time without an offset"},
		{time.DateOnly, "a date"},
	} {
		if _, err := time.Parse(form.layout, s); err == nil {
			return form.words
		}
	}
	return ""
}

// isID reports whether the field of that name holds an id.
func isID(member string) bool {
	return strings.EqualFold(member, "id") || strings.HasSuffix(member, "Id") || strings.HasSuffix(member, "ID")
}

// wordsMembers are fields with text for people: two gateways may word it differently.
var wordsMembers = map[string]bool{
	"message": true, "userMessage": true, "error": true, "errorMessage": true, "detail": true, "title": true, "description": true,
	"name": true, "nome": true, "motivo": true, "reason": true, "analysisDetails": true,
	"bankName": true, "bankCode": true, // of a payer or payee that a test environment invents
}

// unfinished are the states that payments and refunds leave on their own.
var unfinished = map[string]bool{"PENDING": true, "Pendente": true, "EM_PROCESSAMENTO": true}

// typeOf names the JSON type of a value.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "a boolean"
	case []any:
		return "an array"
	default:
		return "an object"
	}
}

// shortly formats a value, cut if it is long.
func shortly(v any) string {
	const most = 60
	b, err := json.Marshal(v)
	if err != nil {
		return typeOf(v)
	}
	text := exchange.Line(string(b))
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
