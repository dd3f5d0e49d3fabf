package mutants

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
)

// toleratedSpellings write the same JSON, the same times and the same headers in another
// way. They come first of all tables: what encodes a body again would hide them.
var toleratedSpellings = []row{
	tolerate("returns the members of objects in reverse order", answering(everything, always, rewritten(inOrder(backwards)))),
	tolerate("returns the members of objects in a random order", answering(everything, always, rewritten(inOrder(shuffled)))),
	tolerate("sends the members of events in reverse order", sending(always, rewritten(inOrder(backwards)))),
	tolerate("sends the members of events in a random order", sending(always, rewritten(inOrder(shuffled)))),
	tolerate("escapes non-ASCII letters in responses", answering(everything, always, rewritten(escaped(nonASCIILetters)))),
	tolerate("escapes non-ASCII letters in events", sending(always, rewritten(escaped(nonASCIILetters)))),
	tolerate("escapes slashes in responses", answering(everything, always, rewritten(escapedSlashes))),
	tolerate("escapes slashes in events", sending(always, rewritten(escapedSlashes))),
	tolerate("escapes plus signs in responses", answering(everything, always, rewritten(escaped(func(r rune) bool { return r == '+' })))),
	tolerate("escapes at signs and ampersands in responses", answering(everything, always, rewritten(escaped(func(r rune) bool { return r == '@' || r == '&' })))),
	tolerate("returns JSON with CRLF and tabs", answering(everything, always, rewritten(indentedWithCRLF))),
	tolerate("sends indented events", sending(always, rewritten(indented))),
	tolerate("sends chunked events", sending(always, inPieces)),
	tolerate("closes the connection after each event", sending(always, header("Connection", "close"))),
	tolerate("sends header names of events in lower case", sending(always, lowerHeaders)),
	tolerate("sends header names of events in upper case", sending(always, upperHeaders)),
	tolerate("sends header names in upper case", answering(everything, always, upperHeaders)),

	tolerate("returns times to the microsecond", answering(everything, always, stamped("2006-01-02T15:04:05.000000Z", time.UTC))),
	tolerate("returns times to the microsecond as +00:00", answering(everything, always, stamped("2006-01-02T15:04:05.000000-07:00", time.UTC))),
	tolerate("returns times to a ten-millionth of a second", answering(everything, always, stamped("2006-01-02T15:04:05.0000000Z", time.UTC))),
	tolerate("returns times without trailing zeros", answering(everything, always, stamped(time.RFC3339Nano, time.UTC))),
	tolerate("sends times of events to the microsecond", sending(always, stamped("2006-01-02T15:04:05.000000Z", time.UTC))),
	tolerate("sends times of events to the nanosecond", sending(always, stamped("2006-01-02T15:04:05.000000000Z", time.UTC))),
	tolerate("sends times of events to the second", sending(always, stamped("2006-01-02T15:04:05Z", time.UTC))),

	tolerate("returns content types in upper case", answering(everything, always, header("Content-Type", "APPLICATION/JSON; CHARSET=UTF-8"))),
	tolerate("returns content types with the charset in quotes", answering(everything, always, header("Content-Type", `application/json;charset="utf-8"`))),
	tolerate("returns content types with a version", answering(everything, always, header("Content-Type", "application/json; charset=utf-8; version=2"))),
	tolerate("sends events with a charset", sending(always, header("Content-Type", "application/json;charset=UTF-8"))),
	tolerate("sets a cookie", answering(everything, always, header("Set-Cookie", "lb=a1; Path=/; HttpOnly; Secure"))),
	tolerate("returns rate limit headers", answering(everything, always, header("X-RateLimit-Limit", "600"), header("X-RateLimit-Remaining", "599"), header("RateLimit", "limit=600, remaining=599, reset=60"))),
	tolerate("returns security headers", answering(everything, always, header("Strict-Transport-Security", "max-age=31536000"), header("X-Content-Type-Options", "nosniff"), header("Content-Security-Policy", "default-src 'none'"))),
	tolerate("returns CORS headers", answering(everything, always, header("Access-Control-Allow-Origin", "*"), header("Vary", "Origin, Accept-Encoding"))),
	tolerate("returns headers of a proxy", answering(everything, always, header("Via", "1.1 edge"), header("Age", "0"), header("ETag", `W/"1"`))),
	tolerate("returns version headers", answering(everything, always, header("X-Api-Version", "2.3.1"), header("Deprecation", "@1798761600"), header("Sunset", "Fri, 01 Jan 2027 00:00:00 GMT"))),
	tolerate("returns no WWW-Authenticate", answering(everything, was(401), withoutHeaders(`^Www-Authenticate$`))),
	tolerate("returns WWW-Authenticate with a realm and an error", answering(everything, was(401), header("WWW-Authenticate", `Bearer realm="pix", error="invalid_token", error_description="The access token expired"`))),
	tolerate("returns no Retry-After", answering(group{meds, resend}, was(429), withoutHeaders(`^Retry-After$`))),
	tolerate("returns Retry-After as a date", answering(group{meds, resend}, was(429), header("Retry-After", "Fri, 01 Jan 2027 00:00:00 GMT"))),
	tolerate("sends trace headers with events", sending(always, header("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"), header("Webhook-Id", "msg_1"), header("Idempotency-Key", "1"))),
	tolerate("sends a Location for what it creates", answering(group{cashOut, qrCashOut, cashIn, transfer, cob, devolution}, accepted, header("Location", "/api/transactions"))),

	tolerate("returns expires_in with a decimal", answering(token, accepted, fractional("expires_in"))),
	tolerate("returns expiracao with a decimal", answering(cob, accepted, fractional("calendario.expiracao"))),
	tolerate("returns the metadata of a list with decimals", answering(group{transactions, ofKey, meds}, accepted, fractional("metadata.total"), fractional("metadata.totalPages"), fractional("metadata.page"))),
	tolerate("returns the destination's status with a decimal", answering(resend, accepted, fractional("statusCode"))),
	tolerate("returns the total of registrations with a decimal", answering(list, accepted, fractional("total"))),
	tolerate("returns statusCode with a decimal", answering(everything, refused, fractional("statusCode"))),
	tolerate("returns the amount of a transfer without trailing zeros", answering(transfer, accepted, trimmed("payment.amount"))),
	tolerate("returns the amount of a transfer with an exponent", answering(transfer, accepted, respelt("payment.amount", inCents))),
	tolerate("lists amounts with an exponent", answering(group{transactions, ofKey}, told("data[0].originalAmount", `.`), respelt("data[].originalAmount", inCents), respelt("data[].feeAmount", inCents), respelt("data[].finalAmount", inCents))),
	tolerate("returns the amount of a case without trailing zeros", answering(meds, told("data[].originalTransaction.amount", `.`), trimmed("data[].originalTransaction.amount"))),
	tolerate("sends amounts of events with an exponent", sending(sent("originalAmount"), respelt("originalAmount", inCents), respelt("feeAmount", inCents), respelt("finalAmount", inCents))),
	tolerate("sends the amount of a refund without trailing zeros", sending(sent("data.refunds"), trimmed("data.refunds[].payment.amount"))),
}

// inOrder writes the members of every object in another order of their names.
func inOrder(arrange func(names []string)) func([]byte) []byte {
	return func(b []byte) []byte {
		v, ok := decode(b)
		if !ok {
			return b
		}
		return arranged(v, arrange)
	}
}

func arranged(v any, arrange func(names []string)) []byte {
	var parts [][]byte
	switch v := v.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		arrange(names)
		for _, name := range names {
			parts = append(parts, slices.Concat(encode(name), []byte(":"), arranged(v[name], arrange)))
		}
		return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}"))
	case []any:
		for _, item := range v {
			parts = append(parts, arranged(item, arrange))
		}
		return slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
	}
	return encode(v)
}

func backwards(names []string) { slices.Reverse(names) }

func shuffled(names []string) {
	rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
}

// escaped writes characters as \u00e3, those beyond the first plane as two surrogates.
// Outside of strings JSON is ASCII without a plus sign but in an exponent, which nothing
// here writes.
func escaped(such func(rune) bool) func([]byte) []byte {
	return func(b []byte) []byte {
		if _, ok := decode(b); !ok {
			return b
		}
		var out strings.Builder
		for _, r := range string(b) {
			if !such(r) {
				out.WriteRune(r)
				continue
			}
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&out, `\u%04x`, unit)
			}
		}
		return []byte(out.String())
	}
}

func nonASCIILetters(r rune) bool { return r > 127 }

// escapedSlashes writes \/ as PHP does.
func escapedSlashes(b []byte) []byte {
	if _, ok := decode(b); !ok {
		return b
	}
	return bytes.ReplaceAll(b, []byte("/"), []byte(`\/`))
}

func indentedWithCRLF(b []byte) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "\t"); err != nil {
		return b
	}
	return bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte("\r\n"))
}

// upperHeaders writes the names of the message's headers in capitals.
func upperHeaders(m *message) {
	written := http.Header{}
	for name, values := range m.header {
		written[name] = nil // keeps the server from adding it
		written[strings.ToUpper(name)] = values
	}
	m.header = written
}

// fractional writes 1800 as 1800.0.
func fractional(path string) edit {
	return respelt(path, func(s string) string {
		if strings.ContainsAny(s, ".eE") {
			return s
		}
		return s + ".0"
	})
}

// inCents writes 10.00 as 1000e-2.
func inCents(amount string) string {
	whole, cents, ok := strings.Cut(amount, ".")
	if !ok || len(cents) != len("00") {
		return amount
	}
	digits := strings.TrimLeft(whole+cents, "0")
	if digits == "" {
		return "0"
	}
	return digits + "e-2"
}
