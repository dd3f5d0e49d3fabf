package mutants

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var partialReceiverMutants = []partialRow{
	{"lower-cases the path of a URL when it delivers", Receivers, "WHK-039",
		sending(called("CashOut"), func(m *message) { m.path = strings.ToLower(m.path) }),
		`hook cash_out Hook/AbC; out 10.00`},
	{"drops the query of a URL when it delivers", Receivers, "WHK-054",
		sending(called("CashOut"), func(m *message) { m.query = "" }),
		`hook cash_out h?tenant=7&v=2; out 10.00`},
	{"decodes %2F in the path of a URL when it delivers", Receivers, "WHK-039",
		changing(event, func(c *call, pass server) *answer {
			if typed("RECEIVE")(c, nil) && strings.Contains(strings.ToUpper(c.original.URL.RawPath), "%2F") {
				c = c.redirected(func(u *url.URL) { u.RawPath = "" })
			}
			return pass(c)
		}),
		`hook cash_in a%2Fb; cob 10.00 as c; pay $c.code`},
	{"escapes the ampersand of a URL in the list", Receivers, "WHK-054",
		answering(list, accepted, replaced("webhooks[].url", "&", "&amp;")),
		`hook cash_in h?a=1&b=2; hooks`},
	{"reports 200 for a destination that answered 204", Receivers, "RSD-018",
		answering(resend, told("statusCode", `^204$`), set("statusCode", `200`)),
		`hook cash_out a; sink a 204; out 10.00 externalId=x; resend x`},
	{"skips the second and third URL when the first takes more than two seconds", Receivers, "WHK-039",
		changing(event, skippingAfter(typed("TRANSFER"), 2*time.Second, func(a *answer) bool { return a == nil })), ""},
	{"gives up on the later URLs when the first answers 500", Receivers, "WHK-039",
		changing(event, skippingAfter(called("CashOut"), 500*time.Millisecond, func(a *answer) bool { return a != nil && a.status == 500 })),
		`hook cash_out a; hook cash_out b; sink a 500; sink b 500; out 10.00`},
	{"overwrites a registered URL with the target of a permanent redirect", Receivers, "WHK-054",
		followingRedirects(), ""},
	{"fails with 500 when the destination answers with a gzip body", Receivers, "RSD-014",
		both(misreading(event, always, header("Accept-Encoding", "gzip")), // as it is sent anyway, but then what comes is not unpacked
			resendingTo(func(a *answer) bool { return a.header.Get("Content-Encoding") == "gzip" }, status(500))), ""},
	{"reports 500 for a destination that answers 200 with HTML", Receivers, "RSD-018",
		resendingTo(func(a *answer) bool {
			return a.status == 200 && strings.HasPrefix(a.header.Get("Content-Type"), "text/html")
		}, set("statusCode", `500`)), ""},
	{"cuts a custom header value at its second colon", Receivers, "EVT-008",
		sending(called("CashOut"), func(m *message) {
			customHeaders(m, func(name, value string) (string, string) {
				parts := strings.SplitN(value, ":", 3)
				return name, strings.Join(parts[:min(2, len(parts))], ":")
			})
		}),
		`hook cash_out a headers=[{"key":"X-Auth","value":"a:b:c"}]; out 10.00`},
	{"sends the headers of the first URL to all URLs of the type", Receivers, "EVT-008",
		changing(event, headersOfTheFirst),
		`hook cash_out a headers=X-N:1; hook cash_out b headers=X-N:2; out 10.00`},
	{"does not send a custom header named Authorization", Receivers, "EVT-008",
		sending(called("CashOut"), withoutHeaders(`(?i)^authorization$`)),
		`hook cash_out a headers=[{"key":"Authorization","value":"secret"}]; out 10.00`},
	{"refuses every header name that begins with content-", Receivers, "WHK-016",
		refusing(registration, matching("headers[].key", `(?i)^content-`), 400, api.HTTPError),
		`hook cash_out a headers=content-language:pt`},
	{"cuts URLs to 255 characters", Receivers, "WHK-054",
		answering(list, accepted, cut("webhooks[].url", 255)),
		`hook cash_in ` + strings.Repeat("a", 300) + `; hooks`},
	{"takes two URLs on the same host for one registration", Receivers, "WHK-030",
		onceAlike(`substr(%[1]s, 9, instr(substr(%[1]s, 9) || '/', '/') - 1)`),
		`hook cash_in a; hook cash_in b; hooks`},
	{"takes URLs that differ only in the query for the same one", Receivers, "WHK-036",
		onceAlike(`substr(%[1]s, 1, instr(%[1]s || '?', '?') - 1)`),
		`hook cash_in h?c=1 headers=X-N:1; hook cash_in h?c=2 headers=X-N:2; hooks`},
	{"sends a resend with url also to the registered URLs when more than one is registered", Receivers, "RSD-009",
		afterAnswer(resend, all(accepted, sent("url"), urls(2, answered(sent("eventType", `"cash_out"`)))), func(c *call, a *answer, pass server) *answer {
			for _, u := range lookups(c.read(list.path, "").body, "webhooks[]") {
				if item, _ := u.(map[string]any); item["type"] == "cash_out" {
					pass(c.edited(set("url", string(encode(item["url"])))))
				}
			}
			return a
		}),
		`hook cash_out a; hook cash_out b; out 10.00 externalId=x; resend x to=t`},
	{"resends as GET without a body when the url has a query", Receivers, "RSD-008",
		resendingAsGET(),
		`out 10.00 externalId=x; resend x to=t?x=1`},
	{"leaves a settled payment pending until the receiver answers 2xx", Receivers, "OUT-074",
		pendingUntilTold(),
		`hook cash_out a; sink a 500; out 10.00 externalId=x; list externalId=x`},
	{"releases the blocked money only when the receiver has answered 200 exactly", Receivers, "DICT-062",
		blockedUntilTold(),
		`hook cash_out a; sink a 204; transfer 10.00; balance`},
	{"answers 502 when the destination's answer is longer than 64 KB", Receivers, "RSD-014",
		resendingTo(func(a *answer) bool { return len(a.body) > 64<<10 }, status(502)), ""},
	{"sends names with accents in Latin-1", Receivers, "EVT-009",
		sending(all(typed("RECEIVE"), nonASCII("data.debtorAccount.name")), rewritten(latin1)),
		`hook cash_in a; cob 10.00 as c; pay $c.code payer.name=João`},
	{"sends med events without the custom headers", Receivers, "EVT-008",
		sending(matching("event", `^Med`), withoutHeaders(`^X`)),
		`hook med_created a headers=X-K:1; med E0000000020260303150000000000001`},
	{"sends refund_out only to the last registered URL", Receivers, "EVT-004",
		silent(`p.kind = 'refund-out' AND w.id <> (SELECT MAX(v.id) FROM webhooks v WHERE v.account_id = w.account_id AND v.type = w.type)`),
		`hook refund_out a; hook refund_out b; out 10.00; list as l; back $l.0.e2e 1.00`},
	{"sends med_rejected to the URLs of med_accepted when no URL of its own type is registered", Receivers, "EVT-007",
		delivering(`NEW.type = 'med_rejected' AND NOT EXISTS (SELECT 1 FROM webhooks v WHERE v.account_id = NEW.account_id AND v.type = 'med_rejected')`, `w.type = 'med_accepted'`),
		`hook med_accepted a; cob 10.00 as c; pay $c.code as p; med $p.e2e as m; move $m.id RECEIVED; move $m.id ANALYZED analysisResult=REJECTED`},
}

// redirected is the call to another URL.
func (c *call) redirected(change func(*url.URL)) *call {
	copied := *c
	copied.original = c.original.Clone(c.original.Context())
	change(copied.original.URL)
	return &copied
}

// skippingAfter does not send an event to the other URLs once the first has been so long without an answer, or had such a
// one. The first is the one that is reached first.
func skippingAfter(when condition, patience time.Duration, such func(*answer) bool) change {
	return func(c *call, pass server) *answer {
		if !when(c, nil) {
			return pass(c)
		}
		deadline := time.Now().Add(patience)
		for {
			then := c.firstBefore(event, sameBody, elsewhere)
			if then == nil {
				return pass(c)
			}
			c.journal.mu.Lock()
			given := then.answer
			c.journal.mu.Unlock()
			if given != nil || time.Now().After(deadline) {
				if such(given) {
					return event.success(c)
				}
				return pass(c)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// followingRedirects lists a URL that answers with a permanent redirect as the one to which that goes.
func followingRedirects() fault {
	var moved sync.Map // URLs
	return both(
		noting(event, either(was(http.StatusMovedPermanently), was(http.StatusPermanentRedirect)), func(c *call, a *answer) {
			if to, err := c.original.URL.Parse(a.header.Get("Location")); err == nil {
				moved.Store(c.original.URL.String(), to.String())
			}
		}),
		answering(list, accepted, retold("webhooks[].url", func(s string) string {
			if to, ok := moved.Load(s); ok {
				return to.(string)
			}
			return s
		})))
}

// resendingTo has other answers to a resend to a destination whose answer is such.
func resendingTo(such func(*answer) bool, edits ...edit) fault {
	var found sync.Map // by what a resend may name
	return both(
		noting(event, always, func(c *call, a *answer) {
			for _, id := range identified(c) {
				found.Store(id, a.err == nil && such(a))
			}
		}),
		answering(resend, all(accepted, func(c *call, _ *answer) bool {
			is, _ := found.Load(c.parameter(identifier))
			return is == true
		}), edits...))
}

// onceAlike keeps only the last of an account's URLs of a type for which an expression is the same.
func onceAlike(expression string) fault {
	is := func(column string) string { return strings.ReplaceAll(expression, "%[1]s", column) }
	return triggering(`AFTER INSERT ON webhooks`, `1`,
		`DELETE FROM webhooks WHERE account_id = NEW.account_id AND type = NEW.type AND id <> NEW.id AND `+is("url")+` = `+is("NEW.url"))
}

// resendingAsGET sends an event by GET to a URL with a query that a resend has named.
func resendingAsGET() fault {
	var named sync.Map
	return both(
		misreadingBy(resend, func(c *call) []edit {
			if u := textAt(c.body, "url"); strings.Contains(u, "?") {
				named.Store(u, true)
			}
			return nil
		}),
		sending(func(c *call, _ *answer) bool { _, ok := named.Load(c.original.URL.String()); return ok }, method(http.MethodGet), body("")))
}

// pendingUntilTold lists payments as pending whose event is not yet answered with success.
func pendingUntilTold() fault {
	var untold sync.Map // by transactionId
	return both(
		changing(event, func(c *call, pass server) *answer {
			id, told := textAt(c.body, "transactionId"), called("CashOut")(c, nil)
			if told {
				untold.Store(id, true)
			}
			a := pass(c)
			if told {
				untold.Store(id, !a.succeeded())
			}
			return a
		}),
		inItems(transactions, always, func(_ *call, item map[string]any) {
			if is, _ := untold.Load(item["transactionId"]); is == true {
				item["status"], item["processedAt"] = "Pendente", nil
			}
		}))
}

// blockedUntilTold shows the amounts of transfers as blocked whose event was not answered with 200.
func blockedUntilTold() fault {
	var untold sync.Map // by idempotency key
	return both(
		noting(event, typed("TRANSFER"), func(c *call, a *answer) {
			untold.Store(textAt(c.body, "data.idempotencyKey"), a.err != nil || a.status != http.StatusOK)
		}),
		answeringBy(balances, func(c *call, _ *answer) []edit {
			held, seen := int64(0), map[string]bool{}
			for _, e := range c.before(transfer, byTheSame, taken) {
				key := e.call.header.Get(idempotency)
				if is, _ := untold.Load(key); is == true && !seen[key] {
					held += amountAt(e.call.message, "payment.amount")
				}
				seen[key] = true
			}
			return []edit{plus(blocked, held)}
		}))
}

// latin1 writes UTF-8 in Latin-1.
func latin1(b []byte) []byte {
	var out []byte
	for _, r := range string(b) {
		if r > 0xFF {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out
}
