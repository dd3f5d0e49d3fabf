package mutants

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/steps/api"
)

var envelopeMutants = slices.Concat([]row{
	{"rejects without a statusCode", "envelope-a.fields", answering(public, refused, drop("statusCode"))},
	{"rejects with a timestamp without a time zone", "envelope-a.fields", answering(public, refused, stamped(zoneless, saoPaulo))},
	{"rejects with São Paulo time labelled as UTC", "envelope-a.fields", answering(public, refused, stamped(mislabelled, saoPaulo))},
	{"rejects a cash-out without the path", "envelope-a.fields", answering(cashOut, refused, drop("path"))},
	{"rejects a registration with another path", "envelope-a.fields", answering(registration, refused, set("path", `"/"`))},
	{"rejects a cash-out without the method", "envelope-a.fields", answering(cashOut, refused, drop("method"))},
	{"rejects a list request with method POST", "envelope-a.fields", answering(list, refused, set("method", `"POST"`))},
	{"rejects without a code", "envelope-a.fields", answering(public, refused, drop("code"))},
	{"rejects without a message", "envelope-a.fields", answering(public, refused, drop("message"))},
	{"returns a userMessage in each language", "envelope-a.fields", answering(public, refused, set("userMessage", `{"pt":"Recusado.","en":"Refused."}`))},
	{"rejects without an errorId", "envelope-a.fields", answering(public, refused, drop("errorId"))},
	{"rejects without an errorId", "envelope-a.fields", sometimes(EverySecond, answering(public, refused, drop("errorId")))},
	{"rejects without an errorId", "envelope-a.fields", sometimes(EverySeventh, answering(public, refused, drop("errorId")))},
	{"wraps errors in an object named error", "envelope-a.fields", answering(public, refused, rewritten(func(b []byte) []byte { return []byte(`{"error":` + string(b) + `}`) }))},
	{"returns a statusCode different from the status", "envelope-a.fields", answering(public, refused, set("statusCode", `500`))},
	{"rejects a transaction list with the method of a resend", "envelope-a.fields", answering(group{transactions, ofKey}, refused, set("method", `"POST"`))},
	{"returns the path of a list by key without the key", "envelope-a.fields", answering(ofKey, refused, replaced("path", "/pix-key/", "/"))},
	{"returns the path of a resend without the transaction", "envelope-a.fields", answering(resend, was(404), set("path", `"/api/resend-webhook"`))},
	{"rejects a used externalId of a QR cash-out with only the code", "envelope-a.fields", answering(qrCashOut, was(409), drop("message"), drop("errorId"))},
	{"rejects with an HTML page", "envelope-a.fields", answering(public, refused, body("<html><body>Bad Request</body></html>"), header("Content-Type", "text/html"))},

	{"returns details as a string", "envelope-a.optional-fields", answering(public, refused, set("details", `"see message"`))},
	{"returns its code as the reason phrase", "envelope-a.optional-fields", answering(public, refused, set("error", `"BAD_REQUEST"`))},
	{"returns an errorCode other than its code", "envelope-a.optional-fields", answering(public, refused, set("errorCode", `"VALIDATION"`))},
	{"omits errorCode from a business error", "envelope-a.optional-fields", answering(cashOut, refused, drop("errorCode"))},

	{"uses a different code for each error", "envelope-a.stable-code", answering(public, refused, fresh("code"))},
	{"uses a different code for each error", "envelope-a.stable-code", sometimes(EveryThird, answering(public, refused, fresh("code")))},
	{"returns 422 when it rejects a QR cash-out again", "envelope-a.stable-code", answering(qrCashOut, all(refused, after(1, qrCashOut, byTheSame, answered(refused))), status(422))},
	{"returns another code when it rejects a cash-in again", "envelope-a.stable-code", answering(cashIn, all(refused, after(1, cashIn, byTheSame, answered(refused))), code("REPEATED"))},
	{"returns another code when it rejects a registration again", "envelope-a.stable-code", answering(registration, all(refused, after(1, registration, byTheSame, answered(refused))), code("REPEATED"))},
	{"returns 429 when it rejects a cash-out again", "envelope-a.stable-code", answering(cashOut, all(refused, after(1, cashOut, byTheSame, answered(refused))), status(429))},
	{"blocks a client that sends two invalid token requests", "envelope-a.stable-code", refusing(token, after(1, token, sameHeader(certificateHeader), answered(refused)), 403, "PUB_BLOCKED")},

	{"returns the same errorId for each code", "envelope-a.error-id", answering(public, refused, errorIDFrom("code"))},
	{"returns no errorId for a cash-in", "envelope-a.error-id", answering(group{qrCashOut, cashIn}, refused, drop("errorId"))},
	{"returns no errorId for a token request", "envelope-a.error-id", answering(token, refused, drop("errorId"))},

	{"uses its own code for an invalid QR cash-out", "envelope-a.validation", answering(qrCashOut, refused, code(pix.CodeInvalidQRCode))},
	{"returns only one message for an invalid QR cash-out", "envelope-a.validation", answering(qrCashOut, refused, joined("message"))},
	{"stops at the first invalid field of a QR cash-out", "envelope-a.validation", answering(qrCashOut, refused, firstOf("message"))},
	{"returns only one message for an invalid registration", "envelope-a.validation", answering(registration, refused, joined("message"))},
	{"returns 500 for a QR cash-out that is not JSON", "envelope-a.validation", answering(qrCashOut, all(refused, notJSON), status(500))},
	{"returns 422 for an empty registration", "envelope-a.validation", answering(registration, was(400), status(422))},
	{"uses its own code for an invalid body", "envelope-a.validation", answering(cashOut, refusedAs(api.HTTPError), code("VALIDATION_ERROR"))},
	{"returns only one message for all invalid fields", "envelope-a.validation", answering(cashOut, refusedAs(api.HTTPError), joined("message"))},
	{"stops at the first invalid field", "envelope-a.validation", answering(cashOut, refusedAs(api.HTTPError), firstOf("message"))},
	{"does not name the invalid fields", "envelope-a.validation", answering(cashOut, refusedAs(api.HTTPError), retold("message", func(string) string { return "a field is invalid" }))},
	{"returns an object for each invalid field", "envelope-a.validation", answering(cashOut, refusedAs(api.HTTPError),
		set("message", `[{"field":"externalId","message":"required"},{"field":"details.keyType","message":"unknown"},{"field":"name"}]`))},
	{"does not state the minimum amount", "envelope-a.validation", answering(cashOut, refusedAs(api.InvalidAmount, api.HTTPError), code(api.HTTPError), replaced("message", "0.01", "the least amount"))},

	{"returns 500 for a transfer or a cob that is not JSON", "envelope-b.fields", answering(group{transfer, cob}, all(refused, notJSON), status(500))},
	{"returns the reason phrase in lower case", "envelope-b.fields", answering(balances, refused, retold("error", strings.ToLower))},
	{"returns a list of messages in the simple envelope", "envelope-b.fields", answering(balances, refused, listed("message"))},
	{"returns statusCode as a string in the simple envelope", "envelope-b.fields", answering(balances, refused, quoted("statusCode"))},
	{"returns plain text instead of the simple envelope", "envelope-b.fields", answering(balances, refused, body("Unauthorized"), header("Content-Type", "text/plain"))},

	{"returns the reason phrase Unknown Payment for an unknown payment", "envelope-b.fields", answering(devolution, was(404), set("error", `"Unknown Payment"`))},
	{"returns the reason phrase Bad Request for a used txid", "envelope-b.fields", answering(cob, was(409), set("error", `"Bad Request"`))},
	{"returns the reason phrase Unprocessable Content for an unknown key", "envelope-b.fields", answering(transfer, was(422), set("error", `"Unprocessable Content"`))},
	{"returns its own code as statusCode", "envelope-b.fields", answering(simple, was(422), set("statusCode", `42201`))},

	{"returns a list of messages for an invalid cob", "envelope-b.one-message", answering(cob, refused, listed("message"))},
	{"returns a list of messages for an invalid transfer", "envelope-b.one-message", answering(transfer, refused, listed("message"))},
	{"returns 422 for a cob with two invalid fields", "envelope-b.one-message", answering(cob, refused, status(422))},
	{"returns 409 for a transfer with two invalid fields", "envelope-b.one-message", answering(transfer, refused, status(409))},

	{"returns 403 for a balance request without a token", "envelope-b.left-open", answering(balances, was(401), status(403))},
	{"returns 500 for a balance request without a token", "envelope-b.left-open", answering(balances, was(401), status(500))},
}, poor(public), poor(simple))

// poor are the faults of endpoints whose refusals lack something each.
func poor(endpoints group) []row {
	var mutants []row
	for _, e := range endpoints {
		if e == standard { // which no gateway must offer
			continue
		}
		name := e.method + " " + e.path
		if simple.has(e) {
			mutants = append(mutants,
				row{"rejects without a statusCode: " + name, "envelope-b.fields", answering(e, refused, drop("statusCode"))},
				row{"rejects without a message: " + name, "envelope-b.fields", answering(e, refused, drop("message"))},
				row{"rejects without the reason phrase: " + name, "envelope-b.fields", answering(e, refused, drop("error"))})
			continue
		}
		mutants = append(mutants,
			row{"rejects without a code: " + name, "envelope-a.fields", answering(e, refused, drop("code"))},
			row{"rejects without a userMessage: " + name, "envelope-a.fields", answering(e, refused, drop("userMessage"))})
	}
	return mutants
}

// joined makes one text of a list of them, listed a list of one text, firstOf leaves
// the first of a list.
func joined(path string) edit {
	return at(path, func(v any) any {
		items, _ := v.([]any)
		texts := make([]string, len(items))
		for i, item := range items {
			texts[i], _ = item.(string)
		}
		return strings.Join(texts, "; ")
	})
}

func listed(path string) edit { return at(path, func(v any) any { return []any{v} }) }

func firstOf(path string) edit {
	return at(path, func(v any) any {
		items, _ := v.([]any)
		return items[:min(1, len(items))]
	})
}

// errorIDFrom makes the errorId of another field.
func errorIDFrom(path string) edit {
	return func(m *message) {
		at("errorId", func(any) any { return "err-" + textAt(m.body, path) })(m)
	}
}
