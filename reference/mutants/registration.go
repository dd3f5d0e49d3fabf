package mutants

import "strings"

// hook is a URL with nothing wrong in it, of nobody.
const hook = `"https://hooks.invalid/pix"`

var registrationMutants = []Mutant{
	{"answers a registration with 201", "webhook.registered", answering(registration, accepted, status(201))},
	{"answers a registration with nothing", "webhook.registered", answering(registration, accepted, status(204), body(""))},
	{"says that a registration failed", "webhook.registered", answering(registration, accepted, set("success", `false`))},
	{"has no message about a registration", "webhook.registered", answering(registration, accepted, drop("message"))},

	{"registers an HTTP URL", "webhook.url", accepting(registration, matching("url", `^http:`), replaced("url", "http:", "https:"))},
	{"registers an FTP URL", "webhook.url", accepting(registration, matching("url", `^ftp:`), replaced("url", "ftp:", "https:"))},
	{"registers a word for a URL", "webhook.url", accepting(registration, sent("url", `"foo"`), set("url", hook))},
	{"registers an empty URL", "webhook.url", accepting(registration, sent("url", `""`), set("url", hook))},
	{"registers without a URL", "webhook.url", accepting(registration, unsent("url"), set("url", hook))},
	{"registers a URL of null", "webhook.url", accepting(registration, sent("url", `null`), set("url", hook))},
	{"answers an HTTP URL with 422", "webhook.url", answering(registration, matching("url", `^http:`), status(422))},
	{"lists the URL that it refused", "webhook.url", despite(registration, matching("url", `^http:`), replaced("url", "http:", "https:"))},

	{"does not know cash_in", "webhook.event-type", refusing(registration, sent("eventType", `"cash_in"`), 400, "HTTP_ERROR")},
	{"does not know cash_out", "webhook.event-type", refusing(registration, sent("eventType", `"cash_out"`), 400, "HTTP_ERROR")},
	{"does not know refund_in", "webhook.event-type", refusing(registration, sent("eventType", `"refund_in"`), 400, "HTTP_ERROR")},
	{"does not know refund_out", "webhook.event-type", refusing(registration, sent("eventType", `"refund_out"`), 400, "HTTP_ERROR")},
	{"does not know med_created", "webhook.event-type", refusing(registration, sent("eventType", `"med_created"`), 400, "HTTP_ERROR")},
	{"does not know med_accepted", "webhook.event-type", refusing(registration, sent("eventType", `"med_accepted"`), 400, "HTTP_ERROR")},
	{"does not know med_rejected", "webhook.event-type", refusing(registration, sent("eventType", `"med_rejected"`), 400, "HTTP_ERROR")},
	{"takes the names of events for event types", "webhook.event-type", accepting(registration, sent("eventType", `"CashOut"`), forCashOut)},
	{"takes the types of V2 events for event types", "webhook.event-type", accepting(registration, sent("eventType", `"TRANSFER"`), forCashOut)},
	{"takes an eighth event type", "webhook.event-type", accepting(registration, sent("eventType", `"med_updated"`), set("eventType", `"med_created"`))},
	{"registers for cash_out where no event type is given", "webhook.event-type", accepting(registration, unsent("eventType"), forCashOut)},
	{"takes an object for an event type", "webhook.event-type", accepting(registration, sent("eventType", `{}`), forCashOut)},
	{"lists every registration as cash_out", "webhook.event-type", answering(list, accepted, set("webhooks[].type", `"cash_out"`))},
	{"takes refund_in for refund_out", "webhook.event-type", misreading(registration, sent("eventType", `"refund_in"`), set("eventType", `"refund_out"`))},

	{"wants headers with a registration", "webhook.headers", refusing(registration, unsent("headers"), 400, "HTTP_ERROR")},
	{"refuses an empty list of headers", "webhook.headers", refusing(registration, sent("headers", `[]`), 400, "HTTP_ERROR")},
	{"refuses custom headers", "webhook.headers", refusing(registration, items("headers", 0), 400, "HTTP_ERROR")},
	{"takes a text for headers", "webhook.headers", accepting(registration, matching("headers", `.`), drop("headers"))},
	{"takes a header without a key", "webhook.headers", accepting(registration, sent("headers", `[{"value":"1"}]`), drop("headers"))},
	{"takes a header without a value", "webhook.headers", accepting(registration, all(sent("headers[0].key"), unsent("headers[0].value")), set("headers[0].value", `""`))},
	{"takes an object for the key of a header", "webhook.headers", accepting(registration, sent("headers[0].key", `{}`), drop("headers"))},
	{"takes an object for the value of a header", "webhook.headers", accepting(registration, sent("headers[0].value", `{}`), drop("headers"))},
	{"takes names of headers without values", "webhook.headers", accepting(registration, matching("headers[0]", `.`), drop("headers"))},

	{"takes six headers and keeps five", "webhook.header-count", accepting(registration, items("headers", 5), drop("headers[5]"))},
	{"takes five headers and keeps one", "webhook.header-count", misreading(registration, items("headers", 1), drop("headers[4]"), drop("headers[3]"), drop("headers[2]"), drop("headers[1]"))},
	{"has room for four headers", "webhook.header-count", refusing(registration, items("headers", 4), 400, "HTTP_ERROR")},
	{"registers although it refuses six headers", "webhook.header-count", despite(registration, items("headers", 5), set("headers", `[]`))},
	{"answers six headers with 422", "webhook.header-count", answering(registration, items("headers", 5), status(422))},

	{"sends a registered Host", "webhook.blocked-headers", sendingBlocked("Host")},
	{"sends a registered User-Agent", "webhook.blocked-headers", sendingBlocked("User-Agent")},
	{"sends a registered Content-Type", "webhook.blocked-headers", sendingBlocked("Content-Type")},
	{"sends a registered Connection header", "webhook.blocked-headers", sendingBlocked("Connection")},
	{"sends a blocked header under a name of its own", "webhook.blocked-headers", accepting(registration, always, prefixed("headers[].key", "X-Custom-"))},
	{"breaks down over a blocked header", "webhook.blocked-headers", answering(registration, refused, status(500))},

	{"has room for two URLs", "webhook.limit", refusing(registration, after(2, registration, byTheSame, taken, same("eventType"), other("url")), 400, "HTTP_ERROR")},
	{"takes a fourth URL", "webhook.limit", pretending(registration, fourth)},
	{"answers a fourth URL with 409", "webhook.limit", answering(registration, fourth, status(409))},
	{"counts the URLs of all event types together", "webhook.limit", refusing(registration, after(3, registration, byTheSame, taken, other("url")), 400, "HTTP_ERROR")},
	{"counts a URL that is registered again", "webhook.limit", refusing(registration, after(3, registration, byTheSame, taken, same("eventType")), 400, "HTTP_ERROR")},
	{"lists a fourth URL that it refused", "webhook.limit", answering(list, told("total", `^3$`), doubled("webhooks[0]"), set("total", `4`))},

	{"breaks down over headers of null", "webhook.left-open", refusing(registration, sent("headers", `null`), 500, "HTTP_ERROR")},
	{"answers a blocked header in capitals with 422", "webhook.left-open", refusing(registration, sent("headers[0].key", `"HOST"`), 422, "HTTP_ERROR")},
	{"breaks down over an unknown field of a registration", "webhook.left-open", refusing(registration, sent("unknownField"), 500, "HTTP_ERROR")},
	{"breaks down over its own registrations", "webhook.left-open", refusing(list, always, 500, "HTTP_ERROR")},
	{"answers a word for a URL with 422", "webhook.left-open", answering(registration, sent("url", `"foo"`), status(422))},
}

var (
	forCashOut = set("eventType", `"cash_out"`)
	fourth     = condition(func(c *call, a *answer) bool {
		return refused(c, a) && after(3, registration, byTheSame, taken, same("eventType"))(c, a)
	})
)

// sendingBlocked registers a header that is blocked under a name that is not, and sends
// it under its own.
func sendingBlocked(name string) fault {
	const veil = "X-Veiled-"
	return both(
		accepting(registration, sent("headers[0].key", string(encode(strings.ToLower(name)))), set("headers[0].key", string(encode(veil+name)))),
		misreading(event, under(veil+name, `.`), func(m *message) {
			header(name, m.header.Get(veil+name))(m)
			m.header.Del(veil + name)
		}),
	)
}
