package mutants

import (
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var registrationMutants = []row{
	{"returns 201 for a registration", "webhook.registered", answering(registration, accepted, status(201))},
	{"returns an empty object for a registration", "webhook.registered", answering(registration, accepted, status(204), body(""))},
	{"returns success false for a registration", "webhook.registered", answering(registration, accepted, set("success", `false`))},
	{"returns a registration without a message", "webhook.registered", answering(registration, accepted, drop("message"))},

	{"rejects headers for a MED event", "webhook.shapes", refusing(registration, all(ofMED, items("headers", 0)), 400, api.HTTPError)},
	{"rejects a URL with a query without headers", "webhook.shapes", refusing(registration, all(matching("url", `\?`), unsent("headers")), 400, api.HTTPError)},

	{"registers an HTTP URL", "webhook.url", accepting(registration, matching("url", `^http:`), replaced("url", "http:", "https:"))},
	{"registers an HTTP URL for a MED event", "webhook.url", accepting(registration, all(ofMED, matching("url", `^http:`)), replaced("url", "http:", "https:"))},
	{"registers an HTTP URL with five headers", "webhook.url", accepting(registration, all(items("headers", 4), matching("url", `^http:`)), replaced("url", "http:", "https:"))},
	{"registers an FTP URL", "webhook.url", accepting(registration, matching("url", `^ftp:`), replaced("url", "ftp:", "https:"))},
	{"registers a word as URL", "webhook.url", accepting(registration, all(kind("url", "word"), not(matching("url", `:`))), set("url", hook))},
	{"registers an empty URL", "webhook.url", accepting(registration, kind("url", "blank"), set("url", hook))},
	{"registers without a URL", "webhook.url", accepting(registration, unsent("url"), set("url", hook))},
	{"registers a URL of null", "webhook.url", accepting(registration, kind("url", "null"), set("url", hook))},
	{"returns 422 for an HTTP URL", "webhook.url", answering(registration, matching("url", `^http:`), status(422))},
	{"rejects a URL but lists it", "webhook.url", despite(registration, matching("url", `^http:`), replaced("url", "http:", "https:"))},

	{"rejects the event type cash_in", "webhook.event-type", refusing(registration, sent("eventType", `"cash_in"`), 400, api.HTTPError)},
	{"rejects the event type cash_out", "webhook.event-type", refusing(registration, sent("eventType", `"cash_out"`), 400, api.HTTPError)},
	{"rejects the event type refund_in", "webhook.event-type", refusing(registration, sent("eventType", `"refund_in"`), 400, api.HTTPError)},
	{"rejects the event type refund_out", "webhook.event-type", refusing(registration, sent("eventType", `"refund_out"`), 400, api.HTTPError)},
	{"rejects the event type med_created", "webhook.event-type", refusing(registration, sent("eventType", `"med_created"`), 400, api.HTTPError)},
	{"rejects the event type med_accepted", "webhook.event-type", refusing(registration, sent("eventType", `"med_accepted"`), 400, api.HTTPError)},
	{"rejects the event type med_rejected", "webhook.event-type", refusing(registration, sent("eventType", `"med_rejected"`), 400, api.HTTPError)},
	{"accepts event names as event types", "webhook.event-type", accepting(registration, sent("eventType", `"CashOut"`), forCashOut)},
	{"accepts V2 event types", "webhook.event-type", accepting(registration, sent("eventType", `"TRANSFER"`), forCashOut)},
	{"accepts an eighth event type", "webhook.event-type", accepting(registration, all(outside("eventType", eventTypes...), matching("eventType", `^[a-z_]+$`)), set("eventType", `"med_created"`))},
	{"accepts a padded event type", "webhook.event-type", accepting(registration, matching("eventType", blankEnd), trimmedText("eventType"))},
	{"accepts an event type in upper case with headers", "webhook.event-type", accepting(registration, all(items("headers", 0), matching("eventType", `^[A-Z]`)), forCashOut)},
	{"registers cash_out if the event type is absent", "webhook.event-type", accepting(registration, unsent("eventType"), forCashOut)},
	{"accepts an object as an event type", "webhook.event-type", accepting(registration, kind("eventType", "object"), forCashOut)},
	{"lists every registration as cash_out", "webhook.event-type", answering(list, accepted, set("webhooks[].type", `"cash_out"`))},
	{"registers refund_out for refund_in", "webhook.event-type", misreading(registration, sent("eventType", `"refund_in"`), set("eventType", `"refund_out"`))},

	{"requires headers with a registration", "webhook.headers", refusing(registration, unsent("headers"), 400, api.HTTPError)},
	{"rejects an empty list of headers", "webhook.headers", refusing(registration, kind("headers", "no items"), 400, api.HTTPError)},
	{"rejects custom headers", "webhook.headers", refusing(registration, items("headers", 0), 400, api.HTTPError)},
	{"accepts a string as headers", "webhook.headers", accepting(registration, kind("headers", "text"), drop("headers"))},
	{"accepts a header without a key", "webhook.headers", accepting(registration, anyItem("headers", all(sent("value"), unsent("key"))), drop("headers"))},
	{"accepts a header without a value", "webhook.headers", accepting(registration, anyItem("headers", all(sent("key"), unsent("value"))), drop("headers"))},
	{"accepts a header without a value for a MED event", "webhook.headers", accepting(registration, all(ofMED, laterItem("headers", unsent("value"))), drop("headers"))},
	{"accepts an object as the key of a header", "webhook.headers", accepting(registration, kind("headers[0].key", "object"), drop("headers"))},
	{"accepts an object as the value of a header", "webhook.headers", accepting(registration, kind("headers[0].value", "object"), drop("headers"))},
	{"accepts a list of header names", "webhook.headers", accepting(registration, kind("headers[]", "text"), drop("headers"))},

	{"accepts six headers and keeps five", "webhook.header-count", accepting(registration, items("headers", 5), drop("headers[5]"))},
	{"accepts six headers for refund_in", "webhook.header-count", accepting(registration, all(sent("eventType", `"refund_in"`), items("headers", 5)), drop("headers[5]"))},
	{"accepts five headers and keeps one", "webhook.header-count", misreading(registration, items("headers", 1), drop("headers[4]"), drop("headers[3]"), drop("headers[2]"), drop("headers[1]"))},
	{"accepts at most four headers", "webhook.header-count", refusing(registration, items("headers", 4), 400, api.HTTPError)},
	{"rejects six headers but registers the URL", "webhook.header-count", despite(registration, items("headers", 5), set("headers", `[]`))},
	{"returns 422 for six headers", "webhook.header-count", answering(registration, items("headers", 5), status(422))},

	{"lets a registration override Host", "webhook.blocked-headers", sendingBlocked("Host")},
	{"lets a registration override User-Agent", "webhook.blocked-headers", sendingBlocked("User-Agent")},
	{"lets a registration override Content-Type", "webhook.blocked-headers", sendingBlocked("Content-Type")},
	{"lets a registration override Connection", "webhook.blocked-headers", sendingBlocked("Connection")},
	{"sends a blocked header under another name", "webhook.blocked-headers", accepting(registration, always, prefixed("headers[].key", "X-Custom-"))},
	{"returns 500 for a blocked header", "webhook.blocked-headers", answering(registration, refused, status(500))},

	{"accepts at most two URLs", "webhook.limit", refusing(registration, after(2, registration, byTheSame, taken, same("eventType"), other("url")), 400, api.HTTPError)},
	{"accepts a fourth URL", "webhook.limit", pretending(registration, fourth)},
	{"returns 409 for a fourth URL", "webhook.limit", answering(registration, fourth, status(409))},
	{"counts the URLs of all event types together", "webhook.limit", refusing(registration, after(3, registration, byTheSame, taken, other("url")), 400, api.HTTPError)},
	{"counts a re-registered URL again", "webhook.limit", refusing(registration, after(3, registration, byTheSame, taken, same("eventType")), 400, api.HTTPError)},
	{"rejects a fourth URL but lists it", "webhook.limit", answering(list, told("total", `^3$`), doubled("webhooks[0]"), set("total", `4`))},

	{"returns 500 for headers of null", "webhook.left-open", refusing(registration, kind("headers", "null"), 500, api.HTTPError)},
	{"returns 422 for a blocked header in upper case", "webhook.left-open", refusing(registration, matching("headers[].key", `^[A-Z-]+$`), 422, api.HTTPError)},
	{"returns 500 for an unknown field of a registration", "webhook.left-open", refusing(registration, extra("url", "eventType", "headers"), 500, api.HTTPError)},
	{"returns 500 for the list of registrations", "webhook.left-open", refusing(list, always, 500, api.HTTPError)},
	{"returns 422 for a word as URL", "webhook.left-open", answering(registration, all(kind("url", "word"), not(matching("url", `:`))), status(422))},

	{"registers the same URL twice", "webhook.update", misreading(registration, again, suffixed("url", "?again"))},
	{"rejects a registered URL", "webhook.update", refusing(registration, again, 409, api.HTTPError)},
	{"keeps the old headers of a re-registered URL", "webhook.update", ignoring(registration, again)},
	{"drops the headers of a re-registered URL", "webhook.update", misreading(registration, again, set("headers", `[]`))},
	{"adds to the headers of a re-registered URL", "webhook.update", changing(registration, addingHeaders)},
	{"drops the headers of the other URLs", "webhook.update", changing(registration, strippingOthers)},
	{"uses the same headers of a URL for every event type", "webhook.update", changing(registration, sharingHeaders)},
	{"moves a URL to another event type", "webhook.update", answering(list, accepted, onceByURL)},

	{"returns the accountId as a string", "webhook.list", answering(list, accepted, quoted("accountId"))},
	{"reads the webhook list from a stale replica", "webhook.list", repeating(list, byTheSame, taken)},
	{"returns no total of registrations", "webhook.list", answering(list, accepted, drop("total"))},
	{"counts event types instead of registrations", "webhook.list", answering(list, told("total", `^[^0]`), set("total", `1`))},
	{"returns no list if nothing is registered", "webhook.list", answering(list, told("total", `^0$`), drop("webhooks"))},
	{"returns 204 if nothing is registered", "webhook.list", answering(list, told("total", `^0$`), status(204), body(``))},
	{"lists only one registration per type", "webhook.list", answering(list, accepted, drop("webhooks[2]"), drop("webhooks[1]"))},
	{"returns the id of a registration as a string", "webhook.list", answering(list, accepted, quoted("webhooks[].id"))},
	{"lists registrations as inactive", "webhook.list", answering(list, accepted, set("webhooks[].isActive", `false`))},
	{"lists the type of a registration as eventType", "webhook.list", answering(list, accepted, rename("webhooks[]", "type", "eventType"))},
	{"lists headers in the format of the request", "webhook.list", answering(list, accepted, at("webhooks[].headers", inPairs))},
	{"lists headers without their values", "webhook.list", answering(list, accepted, retold("webhooks[].headers", func(string) string { return "***" }))},
	{"labels São Paulo time as UTC in a registration", "webhook.list", answering(list, accepted, stamped(mislabelled, saoPaulo))},
	{"returns the time of a registration in São Paulo time", "webhook.list", answering(list, accepted, stamped(time.RFC3339, saoPaulo))},

	{"rejects a URL that another account registered", "webhook.own-account", refusing(registration, after(1, registration, byAnother, taken, same("url")), 409, api.HTTPError)},
	{"lists another account's registrations", "webhook.own-account", lending(list, told("total", `^0$`))},
	{"counts the registrations of every account", "webhook.own-account", answering(list, told("total", `^0$`), set("total", `1`))},

	{"returns 401 for a removed account", "webhook.account-not-found", answering(group{registration, list}, was(404), status(401))},
	{"returns 500 for a removed account", "webhook.account-not-found", answering(group{registration, list}, was(404), status(500))},
	{"returns an empty list for a removed account", "webhook.account-not-found", pretending(list, was(404))},
	{"accepts a registration of a removed account", "webhook.account-not-found", pretending(registration, was(404))},
}

// hook is a URL with nothing wrong in it, of nobody.
const hook = `"https://hooks.invalid/pix"`

var (
	eventTypes = []string{"cash_in", "cash_out", "refund_in", "refund_out", "med_created", "med_accepted", "med_rejected"}

	ofMED         = matching("eventType", `^med_`)
	blockedHeader = matching("headers[].key", `^(host|content-length|connection|transfer-encoding|content-type|user-agent)$`)

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

// again holds for a URL that the account registered before for the event type.
var again = after(1, registration, byTheSame, taken, same("url"), same("eventType"))

// addingHeaders registers a URL again with the headers that it had before those it is
// given.
func addingHeaders(c *call, pass server) *answer {
	if then := c.lastBefore(registration, byTheSame, taken, same("url")); then != nil {
		old, _ := lookup(then.call.body, "headers")
		c = c.edited(at("headers", func(v any) any {
			before, _ := old.([]any)
			given, _ := v.([]any)
			return append(before[:len(before):len(before)], given...)
		}))
	}
	return pass(c)
}

// strippingOthers registers the account's other URLs anew without headers when one is
// registered.
func strippingOthers(c *call, pass server) *answer {
	for _, then := range c.before(registration, byTheSame, taken, other("url")) {
		pass(c.again(then.call.edited(set("headers", `[]`))))
	}
	return pass(c)
}

// sharingHeaders registers a URL anew for the other event types that it has, with the
// headers that it is given for one.
func sharingHeaders(c *call, pass server) *answer {
	for _, then := range c.before(registration, byTheSame, taken, same("url"), other("eventType")) {
		pass(c.edited(set("eventType", string(encode(textAt(then.call.body, "eventType"))))))
	}
	return pass(c)
}

// onceByURL lists each URL once, however many event types it is registered for.
func onceByURL(m *message) {
	v, _ := lookup(m.body, "webhooks")
	listed, _ := v.([]any)
	seen := map[any]bool{}
	var once []any
	for _, item := range listed {
		o, _ := item.(map[string]any)
		if !seen[o["url"]] {
			once = append(once, item)
		}
		seen[o["url"]] = true
	}
	at("webhooks", func(any) any { return once })(m)
	set("total", string(encode(len(once))))(m)
}

// inPairs lists headers as they are registered: an array of keys and values.
func inPairs(v any) any {
	o, _ := v.(map[string]any)
	pairs := []any{}
	for name, value := range o {
		pairs = append(pairs, map[string]any{"key": name, "value": value})
	}
	return pairs
}
