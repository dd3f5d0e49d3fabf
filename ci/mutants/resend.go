package mutants

import (
	"fmt"
	"net/http"

	"github.com/pixcert/pixcert/steps/api"
)

var resendMutants = []row{
	{"returns 202 for a resend", "resend.answer", answering(resend, accepted, status(202))},
	{"resends without a message", "resend.answer", answering(resend, accepted, set("message", `""`))},
	{"returns the webhookLogId as a string", "resend.answer", answering(resend, accepted, quoted("webhookLogId"))},
	{"does not return the webhookLogId", "resend.answer", answering(resend, accepted, drop("webhookLogId"))},
	{"labels São Paulo time as UTC in a resend", "resend.answer", answering(resend, accepted, stamped(mislabelled, saoPaulo))},
	{"returns the destination's status as a string", "resend.answer", answering(resend, accepted, quoted("statusCode"))},
	{"always returns 200 as the destination's status", "resend.answer", answering(resend, accepted, set("statusCode", `200`))},
	{"returns its own status as the destination's", "resend.answer", answering(resend, told("statusCode", `^2\d[1-9]`), set("statusCode", `200`))},
	{"returns 201 for a destination that fails", "resend.answer", answering(resend, told("statusCode", `^5`), status(201))},
	{"returns 404 for a destination that returns 404", "resend.answer", answering(resend, told("statusCode", `^4`), status(404))},
	{"returns the same webhookLogId for every resend", "resend.answer", answering(resend, accepted, set("webhookLogId", `1`))},

	{"accepts a resend and sends nothing", "resend.same-event", ignoring(resend, always)},
	{"resends a settled payment as PENDING", "resend.same-event", sending(sentBefore, set("status", `"PENDING"`))},
	{"resends with another transactionId", "resend.same-event", sending(sentBefore, fresh("transactionId"))},
	{"names the resent event Resend", "resend.same-event", sending(sentBefore, set("event", `"Resend"`))},
	{"pays a resent transaction again", "resend.same-event", changing(resend, payingAgain)},
	{"lists a resent payment as pending", "resend.same-event", answering(transactions, after(1, resend, byTheSame), set("data[].status", `"Pendente"`))},
	{"does not list a resent payment", "resend.same-event", answering(transactions, after(1, resend, byTheSame), set("data[].originalAmount", `0.00`))},
	{"does not resend to a URL with custom headers", "resend.same-event", ignoring(event, all(sentBefore, withCustomHeader))},

	{"returns 404 for an externalId", "resend.identifier", refusing(resend, knownOrder, 404, api.HTTPError)},
	{"returns 404 for an endToEndId", "resend.identifier", refusing(resend, naming(identifier, `^[ED]\d{8}`), 404, api.HTTPError)},
	{"accepts a resend by endToEndId and sends nothing", "resend.identifier", ignoring(resend, naming(identifier, `^[ED]\d{8}`))},
	{"accepts a resend by externalId and sends nothing", "resend.identifier", ignoring(resend, knownOrder)},
	{"returns 500 for a transactionId", "resend.identifier", refusing(resend, naming(identifier, `^[0-9a-f]{8}-`), 500, api.HTTPError)},
	{"accepts a resend for an unknown endToEndId", "resend.identifier", pretending(resend, was(404))},
	{"returns 400 for an unknown endToEndId", "resend.identifier", answering(resend, all(was(404), naming(identifier, `^E`)), status(400))},

	{"ignores the URL of a resend", "resend.temporary-url", misreading(resend, sent("url"), drop("url"))},
	{"resends to the registered URL too", "resend.temporary-url", doubling(resend, sent("url"), drop("url"))},
	{"registers the URL of a resend", "resend.temporary-url", changing(resend, registeringTheURL)},
	{"reuses the URL of a resend", "resend.temporary-url", changing(resend, rememberingTheURL)},
	{"requires a registration for a resend to a URL", "resend.temporary-url", refusing(resend, all(sent("url"), not(after(1, registration, byTheSame, taken))), 400, api.HTTPError)},
	{"returns 500 for a number as URL", "resend.left-open", refusing(resend, kind("url", "number"), 500, api.HTTPError)},
	{"requires a URL in the body of a resend", "resend.temporary-url", refusing(resend, written(`^\{\}$`), 400, api.HTTPError)},
	{"sends nothing for an empty body", "resend.temporary-url", ignoring(resend, written(`^\{\}$`))},

	{"resends to URLs of every type", "resend.registered-url", changing(resend, resendingElsewhere(all(accepted, sentOrder), false))},
	{"rejects a resend if several types are registered", "resend.registered-url", refusing(resend, after(1, registration, byTheSame, sentThen("eventType", `"cash_in"`)), 400, api.HTTPError)},

	{"accepts a resend without any URL", "resend.no-url", pretending(resend, withoutURL)},
	{"returns 404 without any URL", "resend.no-url", answering(resend, withoutURL, status(404))},
	{"returns 500 without any URL", "resend.no-url", answering(resend, withoutURL, status(500))},
	{"resends to a URL of any type", "resend.no-url", changing(resend, resendingElsewhere(was(400), false))},
	{"rejects a resend but sends it to a URL of another type", "resend.no-url", changing(resend, resendingElsewhere(was(400), true))},

	{"accepts a resend of an unknown transaction", "resend.unknown", pretending(resend, was(404))},
	{"accepts an endToEndId without its last character for a resend", "resend.unknown", pretending(resend, all(refused, naming(identifier, `^[ED]\w{30}$`)))},
	{"accepts an endToEndId with any first letter for a resend", "resend.unknown", pretending(resend, all(refused, naming(identifier, `^[A-CF-Z]\d{8}`)))},
	{"returns 400 for an unknown transaction", "resend.unknown", answering(resend, was(404), status(400))},
	{"resends another account's transaction", "resend.unknown", lending(resend, was(404))},
	{"resends another account's transaction by its endToEndId", "resend.unknown", lending(resend, all(was(404), naming(identifier, `^E`)))},
	{"returns 403 for another account's transaction", "resend.unknown", answering(resend, all(was(404), after(1, cashOut, byAnother, taken, namedThen(identifier, "externalId"))), status(403))},
	{"rejects a resend of another account's transaction but sends it", "resend.unknown", changing(resend, resendingToAnother)},

	{"has no limit on resends", "resend.rate-limit", changing(newAccount, limitedTo(1000))},
	{"allows only 30 resends per minute", "resend.rate-limit", refusing(resend, after(30, resend, byTheSame), 429, api.HTTPError)},
	{"returns 503 for too many resends", "resend.rate-limit", answering(resend, was(429), status(503))},
	{"returns 503 for too many resends", "resend.rate-limit", sometimes(EveryThird, answering(resend, was(429), status(503)))},
	{"never resets the count of resends", "resend.rate-limit", refusing(resend, after(62, resend, byTheSame), 429, api.HTTPError)},
	{"rejects too many resends without a code", "resend.rate-limit", answering(resend, was(429), drop("code"))},
	{"rejects too many resends without an errorId", "resend.rate-limit", answering(resend, was(429), drop("errorId"))},
	{"rejects too many resends in plain text", "resend.rate-limit", answering(resend, was(429), body("slow down"), header("Content-Type", "text/plain"))},

	{"returns 500 for a pending payment", "resend.left-open", answering(resend, unsent("url"), status(500))},
}

const identifier = "transactionIdentifier"

// sentBefore holds for an event that went to the same URL before.
var sentBefore = after(1, event, sameBody, here)

func sentThen(path, literal string) relation { return answered(sent(path, literal)) }

// limitedTo gives each new account so many resends, and as many MED lists, a minute.
func limitedTo(requests int) change {
	return func(c *call, pass server) *answer {
		a := pass(c)
		if id, ok := lookup(a.body, "accountId"); ok {
			limit := c.edited(body(fmt.Sprintf(`{"requestsPerMinute":%d}`, requests)))
			limit.method, limit.path = http.MethodPut, "/accounts/"+string(encode(id))+"/limits"
			pass(limit)
		}
		return a
	}
}

// payingAgain carries out the account's last cash-out once more for a resend.
func payingAgain(c *call, pass server) *answer {
	if then := c.lastBefore(cashOut, byTheSame, taken); then != nil {
		pass(c.again(then.call.edited(fresh("externalId"))))
	}
	return pass(c)
}

// registeringTheURL keeps the URL that a resend is given for cash_out.
func registeringTheURL(c *call, pass server) *answer {
	if then := c.lastBefore(registration, byTheSame, taken); then != nil && sent("url")(c, nil) {
		pass(c.again(then.call.edited(set("url", string(encode(textAt(c.body, "url")))))))
	}
	return pass(c)
}

// rememberingTheURL resends to the URL that an earlier resend was given.
func rememberingTheURL(c *call, pass server) *answer {
	if then := c.lastBefore(resend, byTheSame, taken, answered(sent("url"))); then != nil && unsent("url")(c, nil) {
		c = c.edited(body(string(then.call.body)), header("Content-Type", "application/json"))
	}
	return pass(c)
}

// resendingElsewhere resends to a URL that is registered for another type of event too,
// where the answer is such, and denies it or not.
func resendingElsewhere(when condition, denied bool) change {
	return func(c *call, pass server) *answer {
		a := pass(c)
		then := c.lastBefore(registration, byTheSame, taken, sentThen("eventType", `"cash_in"`))
		if then == nil || !when(c, a) {
			return a
		}
		second := pass(c.edited(body(`{"url":`+string(encode(textAt(then.call.body, "url")))+`}`), header("Content-Type", "application/json")))
		if denied {
			return a
		}
		return second
	}
}

// resendingToAnother sends an account the event of another's transaction, and answers
// that there is none.
func resendingToAnother(c *call, pass server) *answer {
	a := pass(c)
	own := c.lastBefore(registration, byTheSame, taken)
	if a.status != http.StatusNotFound || own == nil {
		return a
	}
	for _, issue := range c.before(token, taken, byAnother) {
		pass(c.edited(bearer(tokenOf(issue)), body(`{"url":`+string(encode(textAt(own.call.body, "url")))+`}`), header("Content-Type", "application/json")))
	}
	return a
}

// withoutURL is a rejection because there is no URL to send to. With which status a URL in the body is rejected is
// left open.
var withoutURL = all(was(400), unsent("url"))

// sentOrder holds for a resend by the externalId of a payment that was sent.
var sentOrder = either(
	after(1, cashOut, byTheSame, taken, namedThen(identifier, "externalId")),
	after(1, qrCashOut, byTheSame, taken, namedThen(identifier, "externalId")),
)

// knownOrder holds for a resend by the externalId of an order.
var knownOrder = either(
	sentOrder,
	after(1, cashIn, byTheSame, taken, namedThen(identifier, "transaction.externalId")),
)
