package mutants

import "time"

var registrationListMutants = []Mutant{
	{"registers a URL again beside itself", "webhook.update", misreading(registration, again, suffixed("url", "?again"))},
	{"refuses a URL that is registered", "webhook.update", refusing(registration, again, 409, "HTTP_ERROR")},
	{"keeps the old headers of a URL that is registered again", "webhook.update", ignoring(registration, again)},
	{"forgets the headers of a URL that is registered again", "webhook.update", misreading(registration, again, set("headers", `[]`))},
	{"adds to the headers of a URL that is registered again", "webhook.update", changing(registration, addingHeaders)},
	{"forgets the headers of the other URLs", "webhook.update", changing(registration, strippingOthers)},
	{"gives a URL the same headers for every event type", "webhook.update", changing(registration, sharingHeaders)},
	{"moves a URL to another event type", "webhook.update", answering(list, accepted, onceByURL)},

	{"does not tell the account of a list", "webhook.list", answering(list, accepted, drop("accountId"))},
	{"tells the account of a list as text", "webhook.list", answering(list, accepted, quoted("accountId"))},
	{"reads its list from a copy that does not follow", "webhook.list", repeating(list, byTheSame, taken)},
	{"does not count its list", "webhook.list", answering(list, accepted, drop("total"))},
	{"counts the types and not the registrations", "webhook.list", answering(list, told("total", `^[^0]`), set("total", `1`))},
	{"has no list where nothing is registered", "webhook.list", answering(list, told("total", `^0$`), drop("webhooks"))},
	{"answers 204 where nothing is registered", "webhook.list", answering(list, told("total", `^0$`), status(204), body(``))},
	{"lists one registration of a type", "webhook.list", answering(list, accepted, drop("webhooks[2]"), drop("webhooks[1]"))},
	{"tells the id of a registration as text", "webhook.list", answering(list, accepted, quoted("webhooks[].id"))},
	{"lists registrations as inactive", "webhook.list", answering(list, accepted, set("webhooks[].isActive", `false`))},
	{"calls the type of a registration eventType", "webhook.list", answering(list, accepted, rename("webhooks[]", "type", "eventType"))},
	{"lists headers as it takes them", "webhook.list", answering(list, accepted, set("webhooks[].headers", `[{"key":"X-Pixcert-A","value":"1"}]`))},
	{"lists headers without their values", "webhook.list", answering(list, accepted, set("webhooks[].headers", `{"X-Pixcert-A":"***"}`))},
	{"labels the time of a registration in São Paulo Z", "webhook.list", answering(list, accepted, stamped(mislabelled, saoPaulo))},
	{"tells the time of a registration in São Paulo", "webhook.list", answering(list, accepted, stamped(time.RFC3339, saoPaulo))},

	{"refuses a URL that another account has", "webhook.own-account", refusing(registration, after(1, registration, byAnother, taken, same("url")), 409, "HTTP_ERROR")},
	{"lists another account's registrations", "webhook.own-account", confusing(list)},
	{"counts the registrations of every account", "webhook.own-account", answering(list, told("total", `^0$`), set("total", `1`))},

	{"answers 401 for an account that is gone", "webhook.account-not-found", answering(group{registration, list}, was(404), status(401))},
	{"breaks down over an account that is gone", "webhook.account-not-found", answering(group{registration, list}, was(404), status(500))},
	{"has an empty list for an account that is gone", "webhook.account-not-found", pretending(list, was(404))},
	{"registers for an account that is gone", "webhook.account-not-found", pretending(registration, was(404))},
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
