package mutants

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/steps/api"
)

var partialEarlierMutants = []partialRow{
	{"debits the account when a late settlement reaches a payment that ended in ERROR", Earlier, "OUT-077",
		crediting(bank, all(was(409), sent("outcome", `"CONFIRMED"`)), func(c *call, overview []byte) int64 { return -settledLate(c, overview, "ERROR") }),
		`manual; out 10.00 as a; settle $a.tid ORDER_REJECTED; settle $a.tid =409; balance`},
	{"gives the money back when a late rejection reaches a confirmed payment", Earlier, "OUT-076",
		crediting(bank, all(was(409), sent("outcome", `"ERROR"`)), func(c *call, overview []byte) int64 { return settledLate(c, overview, "CONFIRMED") }),
		`manual; out 10.00 as a; settle $a.tid; settle $a.tid ORDER_REJECTED =409; balance`},
	{"blocks refunds of a PIX for good after a MED case on it was rejected", Earlier, "DEV-035",
		refusing(devolution, hasCase(func(item map[string]any) bool { return item["analysisResult"] == "REJECTED" }), 422, ""),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e as m; move $m.id RECEIVED; move $m.id ANALYZED analysisResult=REJECTED; refund $p.e2e 1.00`},
	{"shows a failed refund as DEVOLVIDO once another refund of the same PIX has succeeded", Earlier, "DEV-053",
		triggering(`AFTER UPDATE OF status ON refunds`, `NEW.status = 'DEVOLVIDO'`, `UPDATE refunds SET status = 'DEVOLVIDO' WHERE parent_id = NEW.parent_id AND status = 'NAO_REALIZADO'`),
		`rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 2.00 as r; refund $p.e2e 3.00 as s; result $r.rtr NAO_REALIZADO; result $s.rtr DEVOLVIDO; shown $r.rtr`},
	{"forgets earlier refunds of the PIX when one fails", Earlier, "DEV-039",
		refundedBesides(`AFTER UPDATE OF status`, `NEW.status = 'ERROR'`, `-(SELECT COALESCE(SUM(q.amount), 0) FROM payments q WHERE q.parent_id = NEW.parent_id AND q.status <> 'ERROR')`),
		`rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 8.00 as r; result $r.rtr DEVOLVIDO; refund $p.e2e 1.00 as s; result $s.rtr NAO_REALIZADO; refund $p.e2e 9.00 =400`},
	{"reopens the rest when a failure is reported for a refund already DEVOLVIDO", Earlier, "DEV-055",
		reopeningRefunds(),
		`rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 10.00 as r; result $r.rtr DEVOLVIDO; result $r.rtr NAO_REALIZADO =409; refund $p.e2e 10.00 =400`},
	{"looks for the idempotency key among pending transfers only", Earlier, "DICT-057",
		misreading(transfer, all(replayed, noLongerPending), freshKey),
		`transfer 10.00 key=k; transfer 10.00 key=k`},
	{"blocks the money again when the key of a transfer that ran out in the queue is sent once more", Earlier, "DICT-059",
		afterAnswer(transfer, all(accepted, replayed, rejectedBefore), func(c *call, a *answer, pass server) *answer {
			pass(c.edited(freshKey))
			return a
		}),
		`manual; transfer 10.00 key=k expiration=60; clock +2m; transfer 10.00 key=k expiration=60; balance`},
	{"recognizes a used externalId only while the first payment is pending", Earlier, "OUT-063",
		accepting(cashOut, all(duplicate, finished("externalId")), fresh("externalId")),
		`out 10.00 externalId=x; out 10.00 externalId=x =400`},
	{"names the account's latest transaction as existingTransactionId", Earlier, "OUT-067",
		changing(cashOut, namingTheLast(byTheSame)),
		`out 10.00 externalId=x as a; out 11.00 as b; out 10.00 externalId=x =400`},
	{"frees the txid after the charge is paid", Earlier, "COB-009",
		changing(cob, takingUsedTxIDs(func(c *call) bool {
			return first(c.recorded("externalId", c.parameter("txid")), "status", "Confirmado")
		})),
		`cob 10.00 txid=t1 as c; pay $c.code; cob 10.00 txid=t1 =409`},
	{"lets a paid charge be paid again after its first payment was refunded", Earlier, "COB-064",
		triggering(`AFTER UPDATE OF status ON refunds`, whollyRefunded, `UPDATE charges SET status = 'ATIVA', payment_id = 0 WHERE payment_id = NEW.parent_id AND kind = 'cob'`),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 10.00; pay $c.code =409; balance`},
	{"turns a charge into REMOVIDA_PELO_PSP at its expiry although it was paid", Earlier, "COB-065",
		expiringCharges(`kind = 'cob' AND status = 'CONCLUIDA'`),
		`cob 10.00 txid=t1 calendario.expiracao=3600 as c; pay $c.code; clock +2h; charge t1`},
	{"overwrites REMOVIDA_PELO_USUARIO_RECEBEDOR when the expiry comes", Earlier, "COB-066",
		expiringCharges(`kind = 'cob' AND status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'`),
		`cob 10.00 txid=t1 calendario.expiracao=3600; end t1 receiver; clock +2h; charge t1`},
	{"sets a paid charge to Error when its expirationTime runs out", Earlier, "IN-075",
		triggering(clockMoved, `1`, `UPDATE payments SET status = 'ERROR' WHERE account_id = NEW.id AND status = 'CONFIRMED' AND id IN (
			SELECT payment_id FROM charges WHERE account_id = NEW.id AND kind = 'cash-in' AND expires_at < `+newNow+`)`),
		`in 10.00 transaction.expirationTime=3600 as c; pay $c.code; clock +2h; token; list`},
	{"copies the analysisResult of an earlier case of the same PIX into a new one", Earlier, "MED-040",
		triggering(`AFTER INSERT ON meds`, `EXISTS (SELECT 1 FROM meds m WHERE `+sameCase+` AND m.analysis_result IS NOT NULL)`,
			`UPDATE meds SET analysis_result = (SELECT m.analysis_result FROM meds m WHERE `+sameCase+` AND m.analysis_result IS NOT NULL LIMIT 1) WHERE id = NEW.id`),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e as m; move $m.id RECEIVED; move $m.id ANALYZED analysisResult=REJECTED; med $p.e2e; meds status=OPEN`},
	{"sends no med_accepted for a PIX that had a rejected case before", Earlier, "EVT-006",
		silent(eventType + ` = 'med_accepted' AND EXISTS (SELECT 1 FROM meds m WHERE m.account_id = NEW.account_id AND m.analysis_result = 'REJECTED'
			AND m.end_to_end_id = (SELECT json_extract(e.body, '$.endToEnd') FROM events e WHERE e.id = NEW.event_id))`),
		`hook med_accepted a; cob 10.00 as c; pay $c.code as p; 2x med $p.e2e as m; move $m1.id RECEIVED; move $m1.id ANALYZED analysisResult=REJECTED; move $m2.id RECEIVED; move $m2.id ANALYZED analysisResult=APPROVED`},
	{"sends med_rejected when a case is cancelled", Earlier, "EVT-007",
		both(
			triggering(`AFTER UPDATE OF status ON meds`, `NEW.status = 'CANCELLED' AND OLD.status <> 'CANCELLED'`,
				`INSERT INTO events (id, account_id, payment_id, message_id, type, body, at) SELECT -NEW.id, NEW.account_id, 0, 'msg_cancelled_' || NEW.id, 'med_rejected',
					json_set(e.body, '$.event', 'MedRejected', '$.status', 'CANCELLED'), NEW.updated_at FROM events e
				WHERE e.type = 'med_created' AND json_extract(e.body, '$.id') = NEW.id`),
			delivering(`NEW.id < 0`, `w.type = 'med_rejected'`)),
		`hook med_rejected a; cob 10.00 as c; pay $c.code as p; med $p.e2e as m; move $m.id CANCELLED`},
	{"sends med_created only for the first case of a PIX", Earlier, "EVT-005",
		silent(eventType + ` = 'med_created' AND (SELECT COUNT(*) FROM meds m WHERE m.account_id = NEW.account_id AND m.end_to_end_id = (SELECT json_extract(e.body, '$.endToEnd') FROM events e WHERE e.id = NEW.event_id)) > 1`),
		`hook med_created a; cob 10.00 as c; pay $c.code as p; med $p.e2e; med $p.e2e`},
	{"goes on sending the old headers of a URL after an update if an event was already sent to it", Earlier, "EVT-008",
		changing(event, headersOfTheFirstEvent),
		`hook cash_out a headers=X-A:1; out 10.00; hook cash_out a headers=X-A:2; out 11.00`},
	{"refuses the update of a registered URL after a fourth URL was refused", Earlier, "WHK-037",
		refusing(registration, all(registered, urls(3, same("eventType")), after(1, registration, byTheSame, same("eventType"), other("url"), answered(all(was(400), matching("url", `^https://`), not(items("headers", 5)))))), 400, api.HTTPError),
		`hook cash_in a; hook cash_in b; hook cash_in c; hook cash_in d =400; hook cash_in a headers=X-A:1`},
	{"fixes the list of receivers when the payment is created", Earlier, "WHK-039",
		silent(`p.kind IN ('cash-out', 'cash-out-qrcode') AND w.created_at > p.created_at`),
		`manual; out 10.00 as a; hook cash_out a; settle $a.tid`},
	{"sends later events also to the url of an earlier resend", Earlier, "RSD-010",
		both(changing(resend, registeringSecretly), answeringWith(list, accepted, withoutSecretURLs)),
		`out 10.00 externalId=x; resend x to=t; out 11.00`},
	{"resends the account's last event instead of the one of the named transaction", Earlier, "RSD-020",
		misreadingBy(resend, namingTheLastEvent),
		`hook cash_out a; out 10.00 externalId=x; out 11.00 externalId=y; resend x`},
	{"reports the status of the resend before", Earlier, "RSD-018",
		remembering(resend, statusOfTheLast),
		`hook cash_out a; out 10.00 externalId=x; resend x; sink a 500; resend x`},
	{"sets a rejected payment back to pending when its event is sent again", Earlier, "RSD-021",
		triggering(`AFTER INSERT ON deliveries`, `NEW.webhook_id = 0 OR NEW.attempt = 1 AND EXISTS (SELECT 1 FROM deliveries d WHERE d.message_id = NEW.message_id AND d.webhook_id = NEW.webhook_id AND d.id < NEW.id)`,
			`UPDATE payments SET status = 'PENDING' WHERE id = NEW.payment_id AND status = 'ERROR'`),
		`hook cash_out a; manual; out 10.00 externalId=x as a; settle $a.tid ORDER_REJECTED; resend x; list externalId=x`},
	{"releases the amount of the oldest pending transfer, whichever one settles", Earlier, "BAL-018",
		booking(`NEW.kind = 'settled' AND p.kind = 'transfer'`, `NEW.delta_available`, `-(SELECT q.amount FROM payments q WHERE q.account_id = NEW.account_id AND q.kind = 'transfer' ORDER BY q.id
			LIMIT 1 OFFSET (SELECT COUNT(*) FROM entries e JOIN payments r ON r.id = e.payment_id WHERE e.account_id = NEW.account_id AND r.kind = 'transfer' AND e.kind IN ('settled', 'returned') AND e.id <> NEW.id))`),
		`manual; transfer 10.00; transfer 30.00 as b; settle $b.id; balance`},
	{"books a received PIX to blocked while a transfer is pending", Earlier, "BAL-020",
		booking(`NEW.kind = 'received' AND `+otherOf(`q.kind = 'transfer' AND q.status = 'PENDING'`), `0`, `NEW.delta_blocked + NEW.delta_available`),
		`manual; transfer 10.00; cob 5.00 as c; pay $c.code; balance`},
	{"overwrites the first return of a payment in the list with the second", Earlier, "LTX-058",
		overwritingReturns(),
		`out 10.00; list as l; back $l.0.e2e 2.00; back $l.0.e2e 3.00; list type=REFUND_OUT`},
	{"serves a list query from memory for a minute after the same query was made", Earlier, "OUT-060",
		caching(transactions, time.Minute),
		`manual; out 10.00 externalId=x as a; list externalId=x; settle $a.tid; list externalId=x`},
	{"repeats the first refund of the PIX in the REFUND of the second", Earlier, "EVT-080",
		both(reporting(`p.kind = 'refund-in' AND `+returnedBefore, `$.data.refunds[0].payment.amount`, `(SELECT q.amount / 100.0 `+firstReturned+`)`),
			reporting(`p.kind = 'refund-in' AND `+returnedBefore, `$.data.refunds[0].endToEndId`, `(SELECT q.end_to_end_id `+firstReturned+`)`)),
		`hook refund_in a; cob 10.00 as c; pay $c.code as p; refund $p.e2e 4.00; refund $p.e2e 5.00`},
	{"pays the splits again when a second payment of the charge is refused", Earlier, "SPL-048",
		payingSplitsAgain(),
		`in 10.00 splits=F3.00i as c; pay $c.code; pay $c.code =409; balance`},
	{"answers 503 to an upstream error after the upstream was once unavailable", Earlier, "TOK-053",
		answering(token, all(was(502), after(1, token, byTheSame, answered(was(503)))), status(503), code(api.UpstreamUnavailable)),
		`faults auth=unavailable; token =503; faults auth=error; token =502`},
	{"counts amounts that it refused for lack of balance toward the daily limit", Earlier, "OUT-085",
		countingRefused(),
		`limits daily=100.00; fund 50.00; out 80.00 =400; out 40.00`},
	{"lets an expired charge be paid after the clock was moved back", Earlier, "COB-067",
		triggering(clockMoved, `NEW.clock_offset < OLD.clock_offset`, `UPDATE charges SET status = 'ATIVA' WHERE account_id = NEW.id AND kind = 'cob' AND status = 'REMOVIDA_PELO_PSP' AND expires_at > `+newNow),
		`cob 10.00 calendario.expiracao=3600 as c; clock +2h; clock 2026-03-03T15:00:00Z; pay $c.code =409`},
	{"counts the 89 days from the last refund of the PIX", Earlier, "DEV-043",
		takingRefund(all(was(422), wellFormedRefund, refundedWithin(api.RefundDeadline))),
		`cob 10.00 as c; pay $c.code as p; clock +1920h; token; refund $p.e2e 1.00; clock +720h; token; refund $p.e2e 1.00 =422`},
	{"drops received payments from type=PAYMENT once they have been refunded in part", Earlier, "LTX-018",
		relisting(transactions, asked("type", `^PAYMENT$`), keepingItems(func(c *call, item map[string]any) bool {
			of := func(_ *call, then *entry) bool { return then.call.parameter("e2eid") == item["endToEndId"] }
			total := refundedBy(c.before(devolution, byTheSame, taken, of))
			return total == 0 || total >= in(item, "originalAmount")
		})),
		`in 10.00 as c; pay $c.code as p; refund $p.e2e 1.00; list type=PAYMENT`},
	{"gives a sent payment the label Devolvido after a return", Earlier, "LTX-035",
		labellingReturned(),
		`out 10.00; list as l; back $l.0.e2e 1.00; list`},
	{"answers 400 instead of 409 when the reused externalId belongs to a finished payment", Earlier, "OQR-023",
		answering(qrCashOut, all(was(409), finished("externalId")), status(400)),
		`qr 10.00 externalId=x; qr 10.00 externalId=x =409`},
	{"forgets the externalId of a charge when it is paid", Earlier, "IN-016",
		accepting(cashIn, all(duplicate, recordedAs("transaction.externalId", "Confirmado")), fresh("transaction.externalId")),
		`in 10.00 transaction.externalId=x as c; pay $c.code; in 10.00 transaction.externalId=x =4xx`},
	{"counts a return twice when it checks whether the balance covers a payment", Earlier, "OUT-078",
		accepting(cashOut, all(insufficient, coveredByReturns), set("value", `0.01`)),
		`fund 20.00; out 5.00; list as l; back $l.0.e2e 5.00; out 20.01 =400`},
}

// crediting moves so much to the account, or from it, after controls for which the condition holds.
func crediting(p place, when condition, by func(c *call, overview []byte) int64) fault {
	return afterAnswer(p, when, func(c *call, a *answer, pass server) *answer {
		account := "/accounts/" + c.client
		overview := c.look(account + "/overview").body
		if move := by(c, overview); move != 0 {
			left := max(0, amountAt(message{body: overview}, "account.available")+move)
			pass(c.edited(method(http.MethodPut), onto(account+"/balance"), body(`{"available":"`+amount(left)+`"}`)))
		}
		return a
	})
}

// settledLate is the amount of the payment that a control wants settled, if it ended as the status says.
func settledLate(c *call, overview []byte, status string) int64 {
	for _, v := range lookups(overview, "payments[]") {
		item, _ := v.(map[string]any)
		id, _ := lookup(c.body, "id")
		if (item["transactionId"] == textAt(c.body, "transactionId") || item["id"] == id) && item["status"] == status {
			return in(item, "amount")
		}
	}
	return 0
}

// clockMoved is the event of an account's clock that is set; newNow is what it then says.
const (
	clockMoved = `AFTER UPDATE OF clock_offset ON accounts`
	newNow     = `(CAST(unixepoch('subsec') * 1000000 AS INTEGER) + NEW.clock_offset)`
	sameCase   = `m.account_id = NEW.account_id AND m.end_to_end_id = NEW.end_to_end_id AND m.id <> NEW.id`
)

// expiringCharges removes charges that are such once the clock is moved beyond their expiry.
func expiringCharges(such string) fault {
	return triggering(clockMoved, `1`, `UPDATE charges SET status = 'REMOVIDA_PELO_PSP' WHERE account_id = NEW.id AND expires_at < `+newNow+` AND `+such)
}

// delivering sends an event for which the condition holds, NEW, to URLs of the account that are such, w.
func delivering(when, such string) fault {
	return triggering(`AFTER INSERT ON events`, when, `INSERT INTO jobs (id, kind, account_id, payment_id, event_id, webhook_id, due_at)
		SELECT -abs(NEW.id) * 1000000 - w.id, 'deliver', NEW.account_id, NEW.payment_id, NEW.id, w.id, CAST(unixepoch('subsec') * 1000000 AS INTEGER)
		FROM webhooks w WHERE w.account_id = NEW.account_id AND w.active = 1 AND `+such)
}

// reopeningRefunds takes any refund of a payment of which a refund that was carried out is said to have failed.
func reopeningRefunds() fault {
	var failed sync.Map // rtrIds
	return both(
		noting(refundResult, all(was(409), sent("status", `"NAO_REALIZADO"`)), func(c *call, _ *answer) { failed.Store(c.parameter("rtrId"), true) }),
		takingRefund(all(was(400), wellFormedRefund, func(c *call, _ *answer) bool {
			for _, e := range refundsOf(c) {
				if _, ok := failed.Load(textAt(e.answer.body, "rtrId")); ok {
					return true
				}
			}
			return false
		})))
}

// noLongerPending holds for the idempotency key of a transfer that has ended.
func noLongerPending(c *call, _ *answer) bool {
	found := c.recorded("externalId", c.header.Get(idempotency))
	return len(found) > 0 && found[0]["status"] != "Pendente"
}

// registeringSecretly registers the URL that a resend names, which withoutSecretURLs does not list.
func registeringSecretly(c *call, pass server) *answer {
	a := pass(c)
	if u := textAt(c.body, "url"); u != "" && accepted(c, a) {
		pass(c.edited(onto(registration.path), body(`{"url":`+string(encode(u))+`,"eventType":"cash_out"}`)))
	}
	return a
}

func withoutSecretURLs(c *call, _ *answer, _ server) []edit {
	secret := map[any]bool{}
	for _, e := range c.before(resend, byTheSame, taken) {
		secret[textAt(e.call.body, "url")] = true
	}
	for _, e := range c.before(registration, byTheSame, taken) {
		delete(secret, textAt(e.call.body, "url"))
	}
	return []edit{at("webhooks", on(func(items []any) any {
		kept := []any{}
		for _, item := range items {
			if o, ok := item.(map[string]any); !ok || !secret[o["url"]] {
				kept = append(kept, item)
			}
		}
		return kept
	})), counting("webhooks", "total")}
}

// namingTheLastEvent names the transaction of the account that was processed last.
func namingTheLastEvent(c *call) []edit {
	latest := map[string]any{}
	for _, item := range c.recorded() {
		if textOf(item, "processedAt") > textOf(latest, "processedAt") {
			latest = item
		}
	}
	if id := textOf(latest, "endToEndId"); id != "" {
		return []edit{renamed(resend, identifier, func(string) string { return id })}
	}
	return nil
}

// statusOfTheLast reports the status of the client's resend before.
func statusOfTheLast() change {
	var statuses sync.Map // by client
	return func(c *call, pass server) *answer {
		a := pass(c)
		status, ok := lookup(a.body, "statusCode")
		if !a.succeeded() || !ok {
			return a
		}
		if last, known := statuses.Swap(c.client, status); known {
			return a.edited(set("statusCode", string(encode(last))))
		}
		return a
	}
}

// overwritingReturns lists of several returns of a payment only the last.
func overwritingReturns() fault {
	var mu sync.Mutex
	last, old := map[string]string{}, map[string]bool{} // end-to-end ids of returns, by that of the payment
	return both(
		noting(paymentReturn, accepted, func(c *call, a *answer) {
			mu.Lock()
			defer mu.Unlock()
			of := textAt(c.body, "endToEndId")
			old[last[of]] = true
			last[of] = textAt(a.body, "endToEndId")
		}),
		relisting(transactions, always, keepingItems(func(_ *call, item map[string]any) bool {
			mu.Lock()
			defer mu.Unlock()
			return !old[textOf(item, "endToEndId")]
		})))
}

// payingSplitsAgain takes what the splits of a charge are worth once more when it is paid twice.
func payingSplitsAgain() fault {
	var shares sync.Map // by the code of the charge
	return both(
		noting(cashIn, all(accepted, items("splits", 0)), func(c *call, a *answer) {
			total, of := int64(0), amountAt(c.message, "transaction.value")
			for i := range lookups(c.body, "splits[]") {
				at := "splits[" + strconv.Itoa(i) + "]"
				share := sentAmount(c, at+".value")
				if textAt(c.body, at+".type") == string(pix.SplitPercentage) {
					share = of * share / 100_00
				}
				total += share
			}
			shares.Store(textAt(a.body, "pixCode"), total)
		}),
		crediting(payment, was(409), func(c *call, _ []byte) int64 {
			total, _ := shares.Load(textAt(c.body, "pixCode"))
			share, _ := total.(int64)
			return -share
		}))
}

// countingRefused adds to what was paid on a day what was refused for lack of balance.
func countingRefused() fault {
	limit := &setting{path: "daily"}
	var mu sync.Mutex
	refused := map[string]int64{} // by client and day
	return both(limit.noted(limits), changing(cashOut, func(c *call, pass server) *answer {
		daily, limited := limit.centavos(c)
		if !limited {
			return pass(c)
		}
		date, total := day(c.now()), sentAmount(c, "value")
		for _, item := range c.recorded("type", "WITHDRAW") {
			if at, err := time.Parse(time.RFC3339, textOf(item, "createdAt")); err == nil && day(at) == date && item["status"] != "Error" {
				total += in(item, "originalAmount")
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if n := refused[c.client+date]; n > 0 && total+n > daily {
			return refusal(c, http.StatusBadRequest, api.AboveDaily)
		}
		a := pass(c)
		if insufficient(c, a) {
			refused[c.client+date] += sentAmount(c, "value")
		}
		return a
	}))
}

// refundedWithin holds for a payment of which something was refunded so long ago at most.
func refundedWithin(period time.Duration) condition {
	return func(c *call, _ *answer) bool {
		for _, e := range refundsOf(c) {
			at, err := time.Parse(time.RFC3339, textAt(e.answer.body, "horario.solicitacao"))
			if err == nil && c.now().Sub(at) <= period {
				return true
			}
		}
		return false
	}
}

// labellingReturned lists payments of which something was returned as Devolvido.
func labellingReturned() fault {
	var returned sync.Map // end-to-end ids of payments
	return both(
		noting(paymentReturn, accepted, func(c *call, _ *answer) { returned.Store(textAt(c.body, "endToEndId"), true) }),
		inItems(transactions, always, func(_ *call, item map[string]any) {
			if _, back := returned.Load(item["endToEndId"]); back {
				item["status"] = "Devolvido"
			}
		}))
}

// coveredByReturns holds for a value that what is available covers if returns count twice.
func coveredByReturns(c *call, _ *answer) bool {
	covered := amountAt(c.read(balances.path, "").message, available)
	for _, item := range c.recorded("type", "REFUND_OUT") {
		covered += in(item, "originalAmount")
	}
	return sentAmount(c, "value") <= covered
}
