package mutants

import (
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var partialAtOnceMutants = []partialRow{
	{"creates two payments when eight requests with one externalId come at once", AtOnce, "OUT-068",
		accepting(cashOut, all(duplicate, overlapped(byTheSame, same("externalId"))), fresh("externalId")), ""},
	{"answers 500 to the loser of two simultaneous requests with one externalId", AtOnce, "OUT-063",
		answering(cashOut, all(duplicate, overlapped(byTheSame, same("externalId"))), status(500), code(api.HTTPError)), ""},
	{"lets two simultaneous payments spend the same balance", AtOnce, "OUT-078",
		accepting(cashOut, all(insufficient, overlapped(byTheSame)), set("value", `0.01`)), ""},
	{"lets simultaneous payments through the daily limit together", AtOnce, "OUT-083",
		accepting(cashOut, all(refusedAs(api.AboveDaily), overlapped(byTheSame)), set("value", `0.01`)), ""},
	{"books a QR Code payment twice when two requests with one externalId come at once", AtOnce, "OQR-024",
		accepting(qrCashOut, all(was(409), overlapped(byTheSame, same("externalId"))), fresh("externalId")), ""},
	{"locks a static code and refuses the second of two simultaneous payments of it", AtOnce, "OQR-011",
		refusing(qrCashOut, all(not(dynamicCode), overlapped(byTheSame, same("qrCode"), other("externalId"))), 409, api.HTTPError), ""},
	{"blocks the amount twice when one idempotency key comes in two requests at once", AtOnce, "DICT-059",
		doubling(transfer, overlapped(byTheSame, sameHeader(idempotency)), freshKey), ""},
	{"answers 500 to the second of two simultaneous requests with one idempotency key", AtOnce, "DICT-057",
		refusingAnswered(transfer, all(accepted, overlapped(byTheSame, sameHeader(idempotency))), 500, ""), ""},
	{"lets two simultaneous transfers spend the same balance", AtOnce, "DICT-045",
		accepting(transfer, all(was(422), overlapped(byTheSame, otherHeader(idempotency))), set("payment.amount", `0.01`)), ""},
	{"loses an update of blocked when two transfers are accepted at once", AtOnce, "BAL-017",
		losingUpdates(), ""},
	{"creates two charges when eight requests with one externalId come at once", AtOnce, "IN-017",
		accepting(cashIn, all(duplicate, overlapped(byTheSame, same("transaction.externalId"))), fresh("transaction.externalId")), ""},
	{"gives the same pixCode to charges created in the same moment", AtOnce, "IN-068",
		answeringWith(cashIn, accepted, func(c *call, _ *answer, _ server) []edit { return fieldOfOther(c, "pixCode", byTheSame) }), ""},
	{"creates a charge twice when two requests with one txid come at once", AtOnce, "COB-008",
		changing(cob, takingUsedTxIDs(func(c *call) bool { return overlapped(byTheSame, samePath)(c, nil) })), ""},
	{"answers 500 to the losers of simultaneous requests with one txid", AtOnce, "COB-056",
		answering(cob, all(was(409), overlapped(byTheSame, samePath)), status(500)), ""},
	{"mixes up the answers of charges created at once", AtOnce, "COB-039",
		mixingUp(cob, byTheSame, otherParameter("txid")), ""},
	{"accepts two simultaneous refunds that together exceed the original", AtOnce, "DEV-039",
		acceptingRefund(all(was(400), wellFormedRefund, overlapped(byTheSame, sameParameter("e2eid"), otherParameter("id"))), func(*call) int64 { return 1 }), ""},
	{"deducts the value twice when the same refund id comes in two requests at once", AtOnce, "DEV-036",
		afterAnswer(devolution, all(accepted, overlapped(byTheSame, samePath)), func(c *call, a *answer, pass server) *answer {
			pass(c.edited(renamed(devolution, "id", func(string) string { return withoutHyphens() })))
			return a
		}), ""},
	{"answers 500 to all but one of several simultaneous refunds of a PIX", AtOnce, "DEV-035",
		refusing(devolution, overlapped(byTheSame, sameParameter("e2eid"), otherParameter("id")), 500, ""), ""},
	{"shows a total that is off by the amount while a transfer is being accepted", AtOnce, "BAL-015",
		answeringBy(balances, withoutRunningTransfers), ""},
	{"swaps the tokens of two accounts that ask at once", AtOnce, "AUTH-011",
		mixingUp(token, byAnother), ""},
	{"answers a wrong secret with the token of a simultaneous right request", AtOnce, "TOK-049",
		afterAnswer(token, refusedAs(api.InvalidCredentials), func(c *call, a *answer, _ server) *answer {
			if then := c.beside(byTheSame, taken); then != nil {
				return then.answer
			}
			return a
		}), ""},
	{"answers 503 to the later of eight simultaneous token requests", AtOnce, "TOK-016",
		refusing(token, func(c *call, _ *answer) bool {
			time.Sleep(20 * time.Millisecond) // so that they meet
			found, _ := c.journal.beside(c, []relation{byTheSame})
			return len(found) >= 5
		}, 503, api.UpstreamUnavailable), ""},
	{"shares one answer between simultaneous list requests with different filters", AtOnce, "LTX-009",
		mixingUp(transactions, byTheSame, otherQueryThen), ""},
	{"shares one answer between simultaneous requests of two accounts for the same key", AtOnce, "AUTH-011",
		mixingUp(ofKey, byAnother, samePath), ""},
	{"answers simultaneous requests for different pages with the same page", AtOnce, "MED-027",
		mixingUp(meds, byTheSame, otherQueryThen), ""},
	{"accepts two URLs at once when only one place is left", AtOnce, "WHK-031",
		pretending(registration, all(fourth, overlapped(byTheSame, same("eventType"), other("url")))), ""},
	{"makes two rows of one URL that is registered twice at once", AtOnce, "WHK-033",
		doublingRows(), ""},
	{"loses one of two registrations of different event types made at once", AtOnce, "WHK-038",
		ignoring(registration, overlapped(byTheSame, same("url"), other("eventType"))), ""},
	{"counts simultaneous resends once, so that 80 at once all pass", AtOnce, "RSD-026",
		pretending(resend, all(was(429), overlapped(byTheSame, samePath))), ""},
	{"sends two simultaneous resends with different urls to the same url", AtOnce, "RSD-008",
		misreadingBy(resend, func(c *call) []edit {
			if found := c.overlapping(atOnceFor, byTheSame, samePath, other("url")); len(found) > 0 && sent("url")(found[0].call, nil) {
				return []edit{set("url", string(encode(textAt(found[0].call.body, "url"))))}
			}
			return nil
		}), ""},
	{"gives one webhookLogId to resends made at once", AtOnce, "RSD-019",
		answeringWith(resend, accepted, func(c *call, _ *answer, _ server) []edit {
			return fieldOfOther(c, "webhookLogId", byTheSame, samePath)
		}), ""},
	{"loses an event when eight payments settle at once", AtOnce, "EVT-002",
		silent(`p.kind = 'cash-out' AND ` + settledTogether + ` = 7`),
		`hook cash_out a; manual; 8x out 1.00; auto`},
	{"accepts two simultaneous payments of one charge", AtOnce, "COB-064",
		both(
			pretending(payment, all(was(409), overlapped(byTheSame, same("pixCode")))),
			crediting(payment, all(was(409), overlapped(byTheSame, same("pixCode"))), func(c *call, overview []byte) int64 {
				for _, v := range lookups(overview, "charges[]") {
					if item, _ := v.(map[string]any); item["pixCode"] == textAt(c.body, "pixCode") {
						return in(item, "amount")
					}
				}
				return 0
			})), ""},
	{"shows mixed rows while two URLs of a type are being updated at once", AtOnce, "WHK-036",
		afterAnswer(registration, accepted, func(c *call, a *answer, pass server) *answer {
			if then := c.beside(byTheSame, taken, same("eventType"), other("url")); then != nil {
				headers, _ := lookup(c.body, "headers")
				pass(c.edited(set("url", string(encode(textAt(then.call.body, "url")))), set("headers", string(encode(headers)))))
			}
			return a
		}), ""},
}

// beside is an earlier call that ran while this one does, once it has its answer; nil if there was none. A first call
// waits a moment for others to run beside it.
func (c *call) beside(relations ...relation) *entry {
	for _, e := range c.overlapping(atOnceFor, byEnded(relations)...) {
		c.journal.mu.Lock()
		a := e.answer
		c.journal.mu.Unlock()
		if a != nil && a.succeeded() {
			return e
		}
	}
	return nil
}

// byEnded are relations to calls that may still run: whether they were taken is not known yet.
func byEnded(relations []relation) (known []relation) {
	for _, holds := range relations {
		known = append(known, func(now *call, then *entry) bool { return then.answer == nil || holds(now, then) })
	}
	return known
}

// mixingUp answers a call as an earlier one in these relations that ran beside it.
func mixingUp(p place, relations ...relation) fault {
	return afterAnswer(p, accepted, func(c *call, a *answer, _ server) *answer {
		then := c.beside(relations...)
		if then == nil {
			return a
		}
		for _, holds := range relations {
			if !holds(c, then) {
				return a
			}
		}
		return then.answer
	})
}

// fieldOfOther gives an answer a field of that to an earlier call that ran beside it.
func fieldOfOther(c *call, path string, relations ...relation) []edit {
	then := c.beside(relations...)
	if then == nil {
		return nil
	}
	v, ok := lookup(then.answer.body, path)
	if !ok {
		return nil
	}
	return []edit{set(path, string(encode(v)))}
}

// otherQueryThen: the query was another one then.
func otherQueryThen(now *call, then *entry) bool { return !sameQueryThen(now, then) }

// losingUpdates leaves transfers out of blocked that were accepted while another one was.
func losingUpdates() fault {
	var lost sync.Map // idempotency keys
	return both(
		noting(transfer, all(accepted, overlapped(byTheSame, otherHeader(idempotency))), func(c *call, _ *answer) { lost.Store(c.header.Get(idempotency), true) }),
		answeringBy(balances, func(c *call, a *answer) []edit {
			missing := int64(0)
			for _, t := range c.recorded("status", "PENDING", "type", "WITHDRAW") {
				if _, is := lost.Load(t["externalId"]); is {
					missing += in(t, "originalAmount")
				}
			}
			return []edit{set(blocked, amount(max(0, amountAt(a.message, blocked)-missing)))}
		}))
}

// withoutRunningTransfers leaves the amount of a transfer that runs out of the balance.
func withoutRunningTransfers(c *call, a *answer) []edit {
	c.journal.mu.Lock()
	defer c.journal.mu.Unlock()
	for _, e := range c.journal.at[transfer] {
		if byTheSame(c, e) && (e.answer == nil || e.ended > c.number) {
			paid := amountAt(e.call.message, "payment.amount")
			if amountAt(a.message, blocked) >= paid {
				return []edit{plus(blocked, -paid)}
			}
			return []edit{plus(available, -paid)}
		}
	}
	return nil
}

// doublingRows lists a URL twice that was registered twice at once.
func doublingRows() fault {
	var twice sync.Map // by client, type and URL
	key := func(client, eventType, url string) string { return client + " " + eventType + " " + url }
	return both(
		noting(registration, all(accepted, overlapped(byTheSame, same("url"), same("eventType"))), func(c *call, _ *answer) {
			twice.Store(key(c.client, textAt(c.body, "eventType"), textAt(c.body, "url")), true)
		}),
		answeringWith(list, accepted, func(c *call, _ *answer, _ server) []edit {
			return []edit{at("webhooks", on(func(rows []any) any {
				for _, row := range rows[:len(rows):len(rows)] {
					item, _ := row.(map[string]any)
					if _, is := twice.Load(key(c.client, textOf(item, "type"), textOf(item, "url"))); is {
						rows = append(rows, row)
					}
				}
				return rows
			})), counting("webhooks", "total")}
		}))
}
