package mutants

import (
	"slices"
	"strings"
	"time"
)

var envelopeMutants = slices.Concat([]row{
	{"refuses without repeating the status", "envelope-a.fields", answering(public, refused, drop("statusCode"))},
	{"refuses without a timestamp", "envelope-a.fields", answering(public, refused, drop("timestamp"))},
	{"refuses at a time without a zone", "envelope-a.fields", answering(public, refused, stamped(zoneless, saoPaulo))},
	{"refuses at a time of São Paulo labelled Z", "envelope-a.fields", answering(public, refused, stamped(mislabelled, saoPaulo))},
	{"refuses a cash-out without the path", "envelope-a.fields", answering(cashOut, refused, drop("path"))},
	{"refuses a registration under another path", "envelope-a.fields", answering(registration, refused, set("path", `"/"`))},
	{"refuses a cash-out without the method", "envelope-a.fields", answering(cashOut, refused, drop("method"))},
	{"refuses a list as if it was posted", "envelope-a.fields", answering(list, refused, set("method", `"POST"`))},
	{"refuses without a code", "envelope-a.fields", answering(public, refused, drop("code"))},
	{"refuses without a message", "envelope-a.fields", answering(public, refused, drop("message"))},
	{"refuses without a message for the user", "envelope-a.fields", answering(public, refused, drop("userMessage"))},
	{"has a message for the user in each language", "envelope-a.fields", answering(public, refused, set("userMessage", `{"pt":"Recusado.","en":"Refused."}`))},
	{"refuses without an errorId", "envelope-a.fields", answering(public, refused, drop("errorId"))},
	{"refuses without an errorId", "envelope-a.fields", sometimes(EverySecond, answering(public, refused, drop("errorId")))},
	{"refuses without an errorId", "envelope-a.fields", sometimes(EverySeventh, answering(public, refused, drop("errorId")))},
	{"puts a refusal into an object named error", "envelope-a.fields", answering(public, refused, rewritten(func(b []byte) []byte { return []byte(`{"error":` + string(b) + `}`) }))},
	{"repeats another status than it gives", "envelope-a.fields", answering(public, refused, set("statusCode", `500`))},
	{"refuses a list of transactions under the method of a resend", "envelope-a.fields", answering(group{transactions, ofKey}, refused, set("method", `"POST"`))},
	{"tells the path of a list by key without its key", "envelope-a.fields", answering(ofKey, refused, replaced("path", "/pix-key/", "/"))},
	{"tells the path of a resend without its transaction", "envelope-a.fields", answering(resend, was(404), set("path", `"/api/resend-webhook"`))},
	{"refuses a used externalId of a QR cash-out with its code alone", "envelope-a.fields", answering(qrCashOut, was(409), drop("message"), drop("errorId"))},
	{"refuses with a page", "envelope-a.fields", answering(public, refused, body("<html><body>Bad Request</body></html>"), header("Content-Type", "text/html"))},

	{"has details as a text", "envelope-a.optional-fields", answering(public, refused, set("details", `"see message"`))},
	{"gives its code as reason phrase", "envelope-a.optional-fields", answering(public, refused, set("error", `"BAD_REQUEST"`))},
	{"gives another errorCode than its code", "envelope-a.optional-fields", answering(public, refused, set("errorCode", `"VALIDATION"`))},
	{"leaves errorCode out of a business refusal", "envelope-a.optional-fields", answering(cashOut, refused, drop("errorCode"))},

	{"has a code of its own for each refusal", "envelope-a.stable-code", answering(public, refused, fresh("code"))},
	{"has a code of its own for each refusal", "envelope-a.stable-code", sometimes(EveryThird, answering(public, refused, fresh("code")))},
	{"answers a QR cash-out that is refused again with 422", "envelope-a.stable-code", answering(qrCashOut, all(refused, after(1, qrCashOut, byTheSame, answered(refused))), status(422))},
	{"has another code for a cash-in that is refused again", "envelope-a.stable-code", answering(cashIn, all(refused, after(1, cashIn, byTheSame, answered(refused))), code("REPEATED"))},
	{"has another code for a registration that is refused again", "envelope-a.stable-code", answering(registration, all(refused, after(1, registration, byTheSame, answered(refused))), code("REPEATED"))},
	{"answers a cash-out that is refused again with 429", "envelope-a.stable-code", answering(cashOut, all(refused, after(1, cashOut, byTheSame, answered(refused))), status(429))},
	{"blocks who sends an invalid token request twice", "envelope-a.stable-code", refusing(token, after(1, token, sameHeader(certificateHeader), answered(refused)), 403, "PUB_BLOCKED")},

	{"has one errorId for all", "envelope-a.error-id", answering(public, refused, set("errorId", `"00000000-0000-0000-0000-000000000000"`))},
	{"has one errorId for each code", "envelope-a.error-id", answering(public, refused, errorIDFrom("code"))},
	{"has no errorId for a charge", "envelope-a.error-id", answering(group{qrCashOut, cashIn}, refused, drop("errorId"))},
	{"makes the errorId of the day", "envelope-a.error-id", answering(public, refused, set("errorId", `"`+time.Now().Format(time.DateOnly)+`"`))},
	{"has no errorId for a token request", "envelope-a.error-id", answering(token, refused, drop("errorId"))},

	{"has its own code for an invalid QR cash-out", "envelope-a.validation", answering(qrCashOut, refused, code("PIX_INVALID_QR_CODE"))},
	{"has one message for an invalid QR cash-out", "envelope-a.validation", answering(qrCashOut, refused, joined("message"))},
	{"stops at the first invalid field of a QR cash-out", "envelope-a.validation", answering(qrCashOut, refused, firstOf("message"))},
	{"has one message for an invalid registration", "envelope-a.validation", answering(registration, refused, joined("message"))},
	{"breaks down over a QR cash-out that is not JSON", "envelope-a.validation", answering(qrCashOut, all(refused, notJSON), status(500))},
	{"answers an empty registration with 422", "envelope-a.validation", answering(registration, was(400), status(422))},
	{"has its own code for an invalid body", "envelope-a.validation", answering(cashOut, refusedAs("HTTP_ERROR"), code("VALIDATION_ERROR"))},
	{"has one message for all invalid fields", "envelope-a.validation", answering(cashOut, refusedAs("HTTP_ERROR"), joined("message"))},
	{"stops at the first invalid field", "envelope-a.validation", answering(cashOut, refusedAs("HTTP_ERROR"), firstOf("message"))},
	{"does not name the invalid fields", "envelope-a.validation", answering(cashOut, refusedAs("HTTP_ERROR"), retold("message", func(string) string { return "a field is invalid" }))},
	{"has an object for each invalid field", "envelope-a.validation", answering(cashOut, refusedAs("HTTP_ERROR"),
		set("message", `[{"field":"externalId","message":"required"},{"field":"details.keyType","message":"unknown"},{"field":"name"}]`))},
	{"does not tell the least amount", "envelope-a.validation", answering(cashOut, refusedAs("PIX_INVALID_AMOUNT", "HTTP_ERROR"), code("HTTP_ERROR"), replaced("message", "0.01", "the least amount"))},

	{"breaks down over a transfer or a cob that is not JSON", "envelope-b.fields", answering(group{transfer, cob}, all(refused, notJSON), status(500))},
	{"writes the reason phrase in small letters", "envelope-b.fields", answering(balances, refused, retold("error", strings.ToLower))},
	{"refuses simply with a list of messages", "envelope-b.fields", answering(balances, refused, listed("message"))},
	{"tells the status of a simple refusal as text", "envelope-b.fields", answering(balances, refused, quoted("statusCode"))},
	{"refuses simply in plain text", "envelope-b.fields", answering(balances, refused, body("Unauthorized"), header("Content-Type", "text/plain"))},

	{"calls an unknown payment an Unknown Payment", "envelope-b.fields", answering(devolution, was(404), set("error", `"Unknown Payment"`))},
	{"calls a used txid a Bad Request", "envelope-b.fields", answering(cob, was(409), set("error", `"Bad Request"`))},
	{"calls an unknown key Unprocessable Content", "envelope-b.fields", answering(transfer, was(422), set("error", `"Unprocessable Content"`))},
	{"gives the code of a gateway for the status", "envelope-b.fields", answering(simple, was(422), set("statusCode", `42201`))},

	{"has a message for each fault of a cob", "envelope-b.one-message", answering(cob, refused, listed("message"))},
	{"has a message for each fault of a transfer", "envelope-b.one-message", answering(transfer, refused, listed("message"))},
	{"answers a cob with two faults with 422", "envelope-b.one-message", answering(cob, refused, status(422))},
	{"answers a transfer with two faults with 422", "envelope-b.one-message", answering(transfer, refused, status(422))},

	{"answers a balance request without a token with 403", "envelope-b.left-open", answering(balances, was(401), status(403))},
	{"breaks down over a balance request without a token", "envelope-b.left-open", answering(balances, was(401), status(500))},
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
				row{"refuses without the status: " + name, "envelope-b.fields", answering(e, refused, drop("statusCode"))},
				row{"refuses without a message: " + name, "envelope-b.fields", answering(e, refused, drop("message"))},
				row{"refuses without the reason phrase: " + name, "envelope-b.fields", answering(e, refused, drop("error"))})
			continue
		}
		mutants = append(mutants,
			row{"refuses without a code: " + name, "envelope-a.fields", answering(e, refused, drop("code"))},
			row{"refuses without a word for the user: " + name, "envelope-a.fields", answering(e, refused, drop("userMessage"))})
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
