package mutants

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
)

var deepRegistrationMutants = []deepRow{
	{"gives every URL of a type the headers of the latest registration", Second, "WHK-036", "webhook.update",
		triggering(`AFTER UPDATE OF headers ON webhooks`, `1`, `UPDATE webhooks SET headers = NEW.headers WHERE account_id = NEW.account_id AND type = NEW.type`),
		`hook cash_out a headers=X-A:1; hook cash_out b headers=X-A:2; hook cash_out b headers=X-A:3; hooks`},
	{"keeps headers that an update leaves out", Second, "WHK-034", "webhook.update",
		triggering(`AFTER UPDATE OF headers ON webhooks`, `1`, `UPDATE webhooks SET headers = (SELECT json_group_array(json(value)) FROM (
			SELECT value FROM json_each(OLD.headers) UNION ALL SELECT value FROM json_each(NEW.headers))) WHERE id = NEW.id`),
		`hook cash_out a headers=X-A:1; hook cash_out a headers=X-B:2; hooks`},
	{"counts updates to the limit of three URLs", History, "WHK-037", "webhook.limit",
		refusing(registration, all(after(1, registration, byTheSame, taken, same("eventType"), same("url")), after(3, registration, byTheSame, taken, same("eventType"))), 400, api.HTTPError),
		`hook cash_out a; 2x hook cash_out b; hook cash_out a`},
	{"counts other accounts' registrations of an account's URL", OtherPeople, "WHK-030", "webhook.limit",
		refusing(registration, all(not(registered), fullWithOthers), 400, api.HTTPError),
		`B.hook cash_out a; hook cash_out a; hook cash_out b; hook cash_out c`},
	{"replaces another account's headers for the same URL", OtherPeople, "WHK-058", "webhook.own-account",
		triggering(`AFTER INSERT ON webhooks`, `1`, `UPDATE webhooks SET headers = NEW.headers WHERE type = NEW.type AND url = NEW.url`),
		`hook cash_out a headers=X-A:1; B.hook cash_out a headers=X-A:2; hooks`},
	{"sends no events to a URL that another account registered before", OtherPeople, "WHK-039", "delivery.every-url",
		silent(`EXISTS (SELECT 1 FROM webhooks v WHERE v.url = w.url AND v.type = w.type AND v.account_id <> w.account_id AND v.id < w.id)`),
		`B.hook cash_out a; hook cash_out a; out 10.00`},
	{"sends a User-Agent that is not the first of the headers", FirstElement, "WHK-026", "webhook.blocked-headers",
		both(accepting(registration, laterItem("headers", matching("key", `(?i)^user-agent$`)), replaced("headers", "User-Agent", "X-Mutant")), sending(under("X-Mutant", `.`), registeredUserAgent)),
		`hook cash_out a headers=X-A:1,User-Agent:mine =400; out 10.00`},
	{"lists a URL without its query", BenignData, "WHK-054", "webhook.list",
		answering(list, accepted, retold("webhooks[].url", beforeQuery)),
		`hook cash_out a?loja=7; hooks`},
	{"sends events to a URL without its query", BenignData, "WHK-039", "delivery.every-url",
		sending(always, func(m *message) { m.query = "" }),
		`hook cash_out a?loja=7; out 10.00`},
	{"cuts the value of a header at an equals sign", BenignData, "EVT-008", "delivery.custom-headers",
		sending(always, func(m *message) { customHeaders(m, beforeEquals) }),
		`hook cash_out a headers=X-Token:YWJj==; out 10.00`},
	{"sends only four of five headers", FirstElement, "EVT-008", "delivery.custom-headers",
		sending(always, fourHeaders),
		`hook cash_out a headers=X-A:1,X-B:2,X-C:3,X-D:4,X-E:5; out 10.00`},
	{"moves a URL to the type under which it is registered next", Second, "WHK-038", "webhook.update",
		triggering(`AFTER INSERT ON webhooks`, `1`, `DELETE FROM webhooks WHERE account_id = NEW.account_id AND url = NEW.url AND id <> NEW.id`),
		`hook cash_out a; hook cash_in a; hooks`},
	{"counts a URL of two types once", Second, "WHK-050", "webhook.list",
		answeringBy(list, distinctURLs),
		`hook cash_out a; hook cash_in a; hooks`},
	{"takes an http URL for cases", OneBody, "WHK-004", "webhook.url",
		accepting(registration, all(matching("eventType", `^med_`), matching("url", `^http://`)), replaced("url", "http://", "https://")),
		`hook med_created a url=http://example.com/a =400`},
	{"takes six headers for a URL that is registered already", ShortWay, "WHK-020", "webhook.header-count",
		accepting(registration, all(items("headers", 5), after(1, registration, byTheSame, taken, same("url"), same("eventType"))), keeping("headers", 5)),
		`hook cash_out a; hook cash_out a headers=X-A:1,X-B:2,X-C:3,X-D:4,X-E:5,X-F:6 =400`},
	{"takes an object as the value of any but the first header", FirstElement, "WHK-018", "webhook.headers",
		accepting(registration, laterItem("headers", kind("value", "object")), set("headers[].value", `"-"`)),
		`hook cash_out a headers=X-A:1,X-B:2 headers.1.value={} =400`},
	{"lists only ten registrations", FirstElement, "WHK-050", "webhook.list",
		answering(list, accepted, keeping("webhooks", 10), counting("webhooks", "total")),
		`3x hook cash_out a#; 3x hook cash_in a#; 3x hook refund_in a#; 2x hook refund_out a#; hooks`},
	{"drops other accounts' registrations of a removed account's URL", OtherPeople, "WHK-036", "webhook.update",
		triggering(`AFTER UPDATE OF removed ON accounts`, `1`, `DELETE FROM webhooks WHERE url IN (SELECT v.url FROM webhooks v WHERE v.account_id = NEW.id)`),
		`hook cash_out a; B.hook cash_out a; B.remove; hooks`},
	{"lists other accounts' registrations of an account's URL", OtherPeople, "WHK-058", "webhook.own-account",
		changing(list, withOthersOfItsURLs),
		`B.hook cash_out a; hook cash_out a; hooks`},
	{"sends events with the headers that another account gave for the URL", OtherPeople, "EVT-008", "delivery.custom-headers",
		triggering(`AFTER INSERT ON webhooks`, `1`, `UPDATE webhooks SET headers = (
			SELECT v.headers FROM webhooks v WHERE v.url = NEW.url AND v.type = NEW.type ORDER BY v.id LIMIT 1) WHERE id = NEW.id`),
		`B.hook cash_out a headers=X-A:2; hook cash_out a headers=X-A:1; out 10.00`},
	{"adds a row when a URL is registered a third time", History, "WHK-033", "webhook.update",
		answeringBy(list, rowForTheThird),
		`3x hook cash_out a; hooks`},
	{"lists header values in lower case", BenignData, "WHK-055", "webhook.list",
		answering(list, accepted, retold("webhooks[].headers", strings.ToLower)),
		`hook cash_out a headers=X-Token:AbC; hooks`},
	{"returns success for a fourth URL of an account's second type", Second, "WHK-031", "webhook.limit",
		pretending(registration, all(not(registered), urls(3, same("eventType")), notTheFirstType)),
		`hook cash_in a; 3x hook cash_out b#; hook cash_out c =400`},
}

// registered holds for a URL that is registered for that type already.
var registered = after(1, registration, byTheSame, taken, same("url"), same("eventType"))

// urls holds once the client has registered so many URLs in these relations, each of which counts once for each type.
func urls(n int, relations ...relation) condition {
	return func(c *call, _ *answer) bool {
		known := map[string]bool{}
		for _, e := range c.before(registration, append(relations, byTheSame, taken)...) {
			known[textAt(e.call.body, "eventType")+" "+textAt(e.call.body, "url")] = true
		}
		return len(known) >= n
	}
}

// fullWithOthers holds for a URL that would be the fourth, counting what others have registered of the client's URLs.
func fullWithOthers(c *call, _ *answer) bool {
	own, all := map[string]bool{textAt(c.body, "url"): true}, map[string]bool{}
	for _, e := range c.before(registration, byTheSame, taken, same("eventType")) {
		own[textAt(e.call.body, "url")] = true
	}
	for _, e := range c.before(registration, byAnother, taken, same("eventType")) {
		if url := textAt(e.call.body, "url"); own[url] {
			all[e.call.client+" "+url] = true
		}
	}
	return len(own)+len(all) > 3
}

// notTheFirstType holds for another type than the one for which the client registered a URL first.
func notTheFirstType(c *call, _ *answer) bool {
	first := c.firstBefore(registration, byTheSame, taken)
	return first != nil && other("eventType")(c, first)
}

// withOthersOfItsURLs lists what others have registered of the client's URLs as well.
func withOthersOfItsURLs(c *call, pass server) *answer {
	a := pass(c)
	own := lookups(a.body, "webhooks[].url")
	owned := func(url any) bool { return slices.Contains(own, url) }
	var theirs []any
	for _, t := range c.others(registration, func(_ *call, then *entry) bool { return owned(textAt(then.call.body, "url")) }) {
		for _, item := range lookups(pass(c.edited(t)).body, "webhooks[]") {
			if owned(item.(map[string]any)["url"]) {
				theirs = append(theirs, item)
			}
		}
	}
	return a.edited(at("webhooks", on(func(items []any) any { return append(items, theirs...) })), counting("webhooks", "total"))
}

// registeredUserAgent sends a User-Agent that was registered.
func registeredUserAgent(m *message) {
	m.header.Set("User-Agent", m.header.Get("X-Mutant"))
	m.header.Del("X-Mutant")
}

// beforeEquals cuts a custom header's value.
func beforeEquals(name, value string) (string, string) {
	value, _, _ = strings.Cut(value, "=")
	return name, value
}

// fourHeaders keeps the four custom headers that are first in the alphabet.
func fourHeaders(m *message) {
	kept := 0
	for _, name := range slices.Sorted(maps.Keys(m.header)) {
		if !strings.HasPrefix(name, "X-") {
			continue
		}
		if kept++; kept > 4 {
			delete(m.header, name)
		}
	}
}

// distinctURLs counts a URL once, whatever it is registered for.
func distinctURLs(_ *call, a *answer) []edit {
	urls := map[any]bool{}
	for _, u := range lookups(a.body, "webhooks[].url") {
		urls[u] = true
	}
	return []edit{set("total", strconv.Itoa(len(urls)))}
}

// rowForTheThird lists a URL twice once it was registered three times.
func rowForTheThird(c *call, a *answer) []edit {
	var edits []edit
	for i := range lookups(a.body, "webhooks[]") {
		registered := func(_ *call, then *entry) bool {
			return textAt(then.call.body, "url") == textAt(a.body, fmt.Sprintf("webhooks[%d].url", i)) &&
				textAt(then.call.body, "eventType") == textAt(a.body, fmt.Sprintf("webhooks[%d].type", i))
		}
		if len(c.before(registration, byTheSame, taken, registered)) > 2 {
			edits = append(edits, doubled(fmt.Sprintf("webhooks[%d]", i)))
		}
	}
	return append(edits, counting("webhooks", "total"))
}

// headersOfTheFirstEvent sends a URL the custom headers that it was sent first.
func headersOfTheFirstEvent(c *call, pass server) *answer {
	if then := c.firstBefore(event, here); then != nil {
		c = c.edited(withoutHeaders(`^X-`), func(m *message) {
			for name, values := range then.call.header {
				if strings.HasPrefix(name, "X-") {
					m.header[name] = values
				}
			}
		})
	}
	return pass(c)
}
