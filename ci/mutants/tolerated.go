package mutants

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

// tolerate is a difference that breaks no rule.
func tolerate(name string, f fault) row { return row{name: name, fault: f} }

// toleratedRequests differ in what is taken and what is refused.
var toleratedRequests = []row{
	tolerate("does not support GET /balance", refusing(standard, always, 404, "")),
	tolerate("accepts JSON with any content type", misreading(group{token, cashOut, registration}, always, header("Content-Type", "application/json"))),
	tolerate("returns 400 for another content type", answering(public, was(415), status(400))),
	tolerate("rejects a parameter of the content type", refusing(public, under("Content-Type", `;`), 415, api.HTTPError)),
	tolerate("rejects a zero as third decimal", refusing(cashOut, thirdZero("value"), 400, api.InvalidAmount)),
	tolerate("rejects a value with an exponent", refusing(cashOut, exponent("value"), 400, api.InvalidAmount)),
	tolerate("accepts a value in quotes", accepting(cashOut, kind("value", "quoted"), unquoted("value"))),
	tolerate("accepts a number as an externalId", accepting(cashOut, kind("externalId", "number"), fresh("externalId"))),
	tolerate("accepts true as a value", accepting(cashOut, kind("value", "boolean"), set("value", `1`))),
	tolerate("accepts a list with one value", accepting(cashOut, kind("value", "list"), at("value", onlyItem))),
	tolerate("accepts a list with one externalId", accepting(cashOut, kind("externalId", "list"), fresh("externalId"))),
	tolerate("accepts an empty externalId", accepting(cashOut, kind("externalId", "blank"), fresh("externalId"))),
	tolerate("rejects null for an optional field", refusing(cashOut, kind("description", "null"), 400, api.HTTPError)),
	tolerate("rejects an empty description", refusing(cashOut, kind("description", "blank"), 400, api.HTTPError)),
	tolerate("limits a description in bytes", refusing(cashOut, all(moreBytes("description", api.MostDescription), not(longer("description", api.MostDescription))), 400, api.HTTPError)),
	tolerate("rejects unknown fields", refusing(group{cashOut, registration}, extra("value", "externalId", "description", "details", "url", "eventType", "headers"), 400, api.HTTPError)),
	tolerate("rejects an e-mail in upper case", refusing(cashOut, matching("details.key", `[A-Z].*@`), 400, api.InvalidPixKey)),
	tolerate("limits an externalId to 36 characters", refusing(cashOut, longer("externalId", 36), 400, api.HTTPError)),
	tolerate("accepts no emoji in an externalId", refusing(cashOut, matching("externalId", `[\x{1F000}-\x{1FFFF}]`), 400, api.HTTPError)),
	tolerate("lets a cash-out expire that waits for a day", changing(bank, expiredWithinADay)),
	tolerate("rejects wrong check digits immediately", refusing(cashOut, wrongCheckDigits("details.document"), 400, api.HTTPError)),
	tolerate("accepts any X-Sandbox-Scenario", misreading(cashOut, not(knownScenario), withoutHeaders(`^X-Sandbox`))),
	tolerate("rejects a payment of exactly the limit", misreading(limits, always, plus("perTransaction", -1), plus("daily", -1), plus("night", -1))),
	tolerate("applies the night limit in UTC", misreading(clock, sent("now"), later(3*time.Hour))),
	tolerate("keeps only the last token of a client valid", refusing(underTokens, superseded, 401, api.HTTPError)),
	tolerate("accepts a certificate whose plus signs are literal", accepting(token, under(certificateHeader, `%0A.*\+`), plusRestored)),
	tolerate("rejects a chain of certificates", refusing(token, under(certificateHeader, `END.*BEGIN`), 400, api.CertMalformedPEM)),
	tolerate("rejects a certificate with CRLF", refusing(token, under(certificateHeader, `%0D%0A`), 400, api.CertMalformedPEM)),
	tolerate("drops blocked headers instead of rejecting them", accepting(registration, blockedHeader, drop("headers"))),
	tolerate("returns 422 for a blocked header", answering(registration, all(refused, blockedHeader), status(422))),
	tolerate("accepts a list with one event type", accepting(registration, kind("eventType", "list"), at("eventType", onlyItem))),
	tolerate("rejects headers of null", refusing(registration, kind("headers", "null"), 400, api.HTTPError)),
	tolerate("accepts headers as an object", accepting(registration, kind("headers", "object"), set("headers", `[]`))),
}

// expiredWithinADay lets the bank find a payment expired once the clock has moved by a day.
func expiredWithinADay(c *call, pass server) *answer {
	if !after(1, clock, byTheSame, taken, answered(advancing(1, 1.1)))(c, nil) {
		return pass(c)
	}
	pass(c.edited(set("outcome", `"ERROR"`), set("errorCode", quote(api.PaymentExpired)), set("errorMessage", `"expired"`)))
	return refusal(c, http.StatusConflict, "")
}

// superseded holds for a token that is not the last of its client.
func superseded(c *call, _ *answer) bool {
	last := c.lastBefore(token, byTheSame, taken)
	return last != nil && tokenOf(last) != tokenUnder(c)
}

// toleratedAnswers differ in how the same is said.
var toleratedAnswers = []row{
	tolerate("reports an invalid amount as HTTP_ERROR", answering(cashOut, refusedAs(api.InvalidAmount), asValidation...)),
	tolerate("reports an invalid key as HTTP_ERROR", answering(cashOut, refusedAs(api.InvalidPixKey), asValidation...)),
	tolerate("returns unknown fields in every response", answering(everything, always, set("traceId", `"4bf92f3577b34da6"`), set("links", `{"self":null}`))),
	tolerate("writes UTC as +00:00", answering(everything, always, stamped("2006-01-02T15:04:05-07:00", time.UTC))),
	tolerate("returns times to the second", answering(everything, always, stamped("2006-01-02T15:04:05Z", time.UTC))),
	tolerate("returns times to the nanosecond", answering(everything, always, stamped("2006-01-02T15:04:05.000000000Z", time.UTC))),
	tolerate("writes amounts without trailing zeros", answering(balances, accepted, trimmed(available))),
	tolerate("writes amounts with an exponent", answering(group{balances, standard}, accepted, exponents)),
	tolerate("returns the path with a prefix and a query string", answering(public, refused, prefixed("path", "/v1"), suffixed("path", "?trace=1"))),
	tolerate("returns a single message as a list", answering(group{cashOut, registration, list}, was(401), listed("message"))),
	tolerate("returns no reason phrase in the rich envelope", answering(public, refused, drop("error"))),
	tolerate("returns null for omitted fields", answering(public, refused, orNull("details"), orNull("error"), orNull("errorCode"))),
	tolerate("returns null fields of a charge in a cash-out", answering(cashOut, accepted, set("correlationId", `null`), set("pixCode", `null`), set("qrCodeImage", `null`), set("expirationDate", `null`))),
	tolerate("returns every code as errorCode", answering(public, refused, repeatedCode)),
	tolerate("uses its own code for a missing token", answering(group{cashOut, registration, list}, was(401), code("UNAUTHORIZED"))),
	tolerate("uses its own code for a rejected registration", answering(registration, was(400), code("WEBHOOK_INVALID"))),
	tolerate("returns no hints", answering(token, refused, drop("details.hint"))),
	tolerate("returns extra fields in the simple envelope", answering(simple, refused, set("code", `"E401"`), set("timestamp", `"now"`))),
	tolerate("returns the time of the last movement as eventDate", answering(balances, accepted, set("data[0].eventDate", `"2026-01-01T00:00:00Z"`))),
	tolerate("returns header names in lower case", answering(list, accepted, lowerNames)),
	tolerate("returns no version of a registration", answering(list, accepted, drop("webhooks[].version"))),
	tolerate("uses the duplicate code for another cash-out with a used externalId", answering(cashOut, all(duplicate, after(1, cashOut, byTheSame, taken, same("externalId"), other("value"))), code(api.HTTPError), drop("errorCode"))),
	tolerate("checks the body before the certificate", answering(token, all(under(certificateHeader, `^$`), unsent("clientId")), code(api.TokenBodyInvalid), set("details.violations", `["clientId is required"]`))),
	tolerate("sends its own response headers", answering(everything, always, header("X-Request-Id", "4bf92f35"), header("Cache-Control", "no-store"), header("Server", "nginx"))),
	tolerate("returns a content type without a charset", answering(everything, always, header("Content-Type", "application/json"))),
	tolerate("sends header names in lower case", answering(everything, always, lowerHeaders)),
	tolerate("closes the connection after each response", answering(everything, always, header("Connection", "close"))),
	tolerate("sends chunked responses", answering(everything, always, inPieces)),
	tolerate("indents its JSON", answering(everything, always, rewritten(indented))),
}

func inPieces(m *message) { m.pieces = true }

// asValidation tells of one invalid field as of several.
var asValidation = []edit{code(api.HTTPError), drop("errorCode"), listed("message")}

// orNull puts null where there is no field.
func orNull(path string) edit {
	return at(path, func(v any) any {
		if v == (absent{}) {
			return nil
		}
		return v
	})
}

// respelt writes a number in another way.
func respelt(path string, spell func(string) string) edit {
	return at(path, func(v any) any {
		if n, ok := v.(json.Number); ok {
			return json.Number(spell(n.String()))
		}
		return v
	})
}

// trimmed writes 10.00 as 10 and 0.10 as 0.1.
func trimmed(path string) edit { return respelt(path, withoutZeros) }

func withoutZeros(amount string) string {
	if !strings.Contains(amount, ".") {
		return amount
	}
	return strings.TrimSuffix(strings.TrimRight(amount, "0"), ".")
}

// exponents writes every amount of a balance as centavos with an exponent: 10.00 as
// 1000e-2.
func exponents(m *message) {
	for _, path := range []string{available, blocked, "grossBalance", "blockedBalance", "netBalance"} {
		if _, ok := lookup(m.body, path); ok {
			respelt(path, inCents)(m)
		}
	}
}

func indented(b []byte) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "    "); err != nil {
		return b
	}
	return out.Bytes()
}

func repeatedCode(m *message) { set("errorCode", string(encode(textAt(m.body, "code"))))(m) }

// lowerNames writes the names of listed headers in small letters.
func lowerNames(m *message) {
	at("webhooks[].headers", func(v any) any {
		lower := map[string]any{}
		o, _ := v.(map[string]any)
		for name, value := range o {
			lower[strings.ToLower(name)] = value
		}
		return lower
	})(m)
}

// lowerHeaders writes the names of the message's headers in small letters. One that is
// there without a value keeps the server from adding it.
func lowerHeaders(m *message) {
	for name, values := range m.header {
		m.header[name] = nil
		m.header[strings.ToLower(name)] = values
	}
}

// toleratedEvents differ in how events come.
var toleratedEvents = []row{
	tolerate("sends each event twice", doubling(event, always)),
	tolerate("sends events late", delaying(event, always, 50*time.Millisecond)),
	tolerate("sends events late", sometimes(EverySecond, delaying(event, always, 50*time.Millisecond))),
	tolerate("sends events with another User-Agent", sending(always, header("User-Agent", "PIX-Webhooks/2.0"))),
	tolerate("sends events with PUT", sending(always, method(http.MethodPut))),
	tolerate("signs events", sending(always, header("X-Signature", "sha256=00"), header("Webhook-Timestamp", "1772366400"))),
	tolerate("sends unknown fields in events", sending(always, set("schemaVersion", `2`), set("counterpart.bank.swift", `null`), set("metadata.channel", `"api"`))),
	tolerate("wraps events in type and data", sending(called("CashOut"), rewritten(func(b []byte) []byte { return []byte(`{"type":"CASH_OUT","data":` + string(b) + `}`) }))),
	tolerate("sends the bank's code as a number", sending(always, set("counterpart.bank.bankCode", `341`))),
	tolerate("sends transactionType PIX_OUT", sending(always, set("transactionType", `"PIX_OUT"`))),
	tolerate("sends the counterpart's document in full", sending(always, set("counterpart.document", `"52998224725"`))),
	tolerate("sends the counterpart's branch and account", sending(always, set("counterpart.bank.accountBranch", `"0001"`), set("counterpart.bank.accountNumber", `"12345-6"`))),
	tolerate("sends times of events to the second and as +00:00", sending(always, stamped("2006-01-02T15:04:05-07:00", time.UTC))),
	tolerate("dates events by the real time", sending(sent("processingDate"), retold("processingDate", realTime))),
	tolerate("deactivates a URL that fails", triggering(`AFTER INSERT ON deliveries`, `NEW.status NOT BETWEEN 200 AND 299`, `UPDATE webhooks SET active = 0 WHERE id = NEW.webhook_id`)),
	tolerate("does not retry a failed delivery", changing(event, onlyOnce)),
	tolerate("sends amounts of events without trailing zeros", sending(always, trimmed("originalAmount"), trimmed("feeAmount"), trimmed("finalAmount"))),
	tolerate("returns fees to a tenth of a centavo", sending(failed, set("feeAmount", `0.125`))),
	tolerate("returns an error message of several lines", sending(failed, set("errorMessage", `"rejected\nby the bank"`))),
}

// realTime is a time of the host: the test controls do not say that the clock of an account dates its events.
func realTime(string) string { return time.Now().UTC().Format("2006-01-02T15:04:05.000Z") }

// onlyOnce tells the sender of an event that it arrived, whether it did or not; what is
// resent on request is left as it is.
func onlyOnce(c *call, pass server) *answer {
	resent := after(1, event, sameBody)(c, nil)
	if a := pass(c); resent {
		return a
	}
	return event.success(c)
}
