package mutants

import (
	"strconv"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var partialCountMutants = []partialRow{
	{"leaves the tenth split out when the charge is paid", Count, "SPL-046",
		triggering(`AFTER UPDATE OF status ON splits`, `NEW.position = 9`, unpaidSplit),
		`in 10.00 splits=F0.50i,F0.50i,F0.50i,F0.50i,F0.50i,F0.50i,F0.50i,F0.50i,F0.50i,F0.50i as c; pay $c.code; splits $c.tid`},
	{"answers PUB_ACCOUNT_LOCKED after five wrong secrets", Count, "VER-004",
		answering(token, all(refusedAs(api.InvalidCredentials), after(5, token, byTheSame, answered(refusedAs(api.InvalidCredentials, "PUB_ACCOUNT_LOCKED")))), code("PUB_ACCOUNT_LOCKED")),
		`6x token secret=wrong =401`},
	{"tells a known clientId from an unknown one from the third wrong secret on", Count, "TOK-034",
		answering(token, all(refusedAs(api.InvalidCredentials), after(1, token, byTheSame, taken), after(2, token, byTheSame, answered(refusedAs(api.InvalidCredentials)))), set("userMessage", `"attempts left: 2"`)),
		`3x token secret=wrong =401`},
	{"starts page 3 and later one item too late", Count, "LTX-030",
		answeringWith(transactions, all(accepted, laterPage), func(c *call, a *answer, pass server) []edit {
			page, size := metadata(a, "page"), metadata(a, "size")
			if page < 3 {
				return nil
			}
			return []edit{itemsFrom(c.whole(pass), (page-1)*size+1, page*size+1)}
		}),
		`7x out 1.00; list size=2 page=3`},
	{"adds a page to totalPages when total is a multiple of size", Count, "LPK-039",
		answering(ofKey, lastPageFull, counted("metadata.totalPages", 1)),
		`4x out 1.00 details.key=ana@example.com; bykey ana@example.com size=2`},
	{"says hasNext on the last page when that page is full", Count, "LPK-040",
		answering(ofKey, all(lastPageFull, func(_ *call, a *answer) bool { return metadata(a, "page") == metadata(a, "totalPages") }), set("metadata.hasNext", `true`)),
		`4x out 1.00 details.key=ana@example.com; bykey ana@example.com size=2 page=2`},
	{"counts no more than ten cases in metadata.total", Count, "MED-026",
		answeringBy(meds, func(_ *call, a *answer) []edit {
			return []edit{set("metadata.total", strconv.FormatInt(min(10, metadata(a, "total")), 10))}
		}),
		`12x med E0000000020260303150000000000001; meds`},
	{"rounds totalPages down from the third page on", Count, "MED-029",
		answeringBy(meds, func(_ *call, a *answer) []edit {
			if metadata(a, "totalPages") < 3 {
				return nil
			}
			return []edit{set("metadata.totalPages", strconv.FormatInt(metadata(a, "total")/metadata(a, "pageSize"), 10))}
		}),
		`5x med E0000000020260303150000000000001; meds pageSize=2`},
	{"refuses the fifth partial refund of a PIX whatever rest is left", Count, "DEV-036",
		refusing(devolution, refundsBefore(4), 400, ""),
		`cob 10.00 as c; pay $c.code as p; 4x refund $p.e2e 1.00; refund $p.e2e 1.00`},
	{"sums only the last ten refunds of a PIX", Count, "DEV-039",
		refundedBesides(`AFTER INSERT`, `(SELECT COUNT(*) FROM payments q WHERE q.parent_id = NEW.parent_id AND q.account_id <> 0) >= 10`,
			`-(SELECT q.amount FROM payments q WHERE q.parent_id = NEW.parent_id AND q.account_id <> 0 ORDER BY q.id DESC LIMIT 1 OFFSET 9)`),
		`cob 10.00 as c; pay $c.code as p; 10x refund $p.e2e 1.00; refund $p.e2e 1.00 =400`},
	{"makes a rtrId of 33 characters from the tenth refund of the account on, its running number not being padded", Count, "DEV-026",
		both(answering(devolution, all(accepted, after(9, devolution, byTheSame, taken)), suffixed("rtrId", "0")),
			misreadingBy(group{refundResult, refundShown}, func(*call) []edit {
				return []edit{renamed(refundShown, "rtrId", func(s string) string { return s[:min(32, len(s))] })}
			})),
		`cob 10.00 as c; pay $c.code as p; 10x refund $p.e2e 0.10`},
	{"adds up only the last five payments of the day", Count, "OUT-085",
		spent(`1`, `UPDATE daily_totals SET spent = (SELECT COALESCE(SUM(amount), 0) FROM (SELECT p.amount FROM payments p WHERE p.account_id = NEW.account_id AND p.status <> 'ERROR'
			AND p.kind IN ('cash-out', 'cash-out-qrcode') AND date(p.created_at / 1000000 - 10800, 'unixepoch') = NEW.day ORDER BY p.id DESC LIMIT 5)) WHERE account_id = NEW.account_id AND day = NEW.day`),
		`limits daily=100.00; 6x out 16.00; out 20.00 =400`},
	{"remembers the last ten externalIds only", Count, "OUT-011",
		accepting(cashOut, all(duplicate, followed(10, cashOut, same("externalId"))), fresh("externalId")),
		`out 0.10 externalId=e1; 11x out 0.10; out 0.10 externalId=e1 =400`},
	{"keeps ten idempotency keys of an account and forgets the oldest", Count, "DICT-058",
		misreading(transfer, followed(10, transfer, sameHeader(idempotency)), freshKey),
		`transfer 1.00 key=k1; 11x transfer 1.00; transfer 1.00 key=k1`},
	{"answers 429 to the twelfth cash-out within a minute", Count, "OUT-051",
		remembering(cashOut, refusingFrom(12, func(*answer) int { return 1 })),
		`12x out 0.10 =2xx`},
	{"writes the new headers to all three URLs of the type when one of three is updated", Count, "WHK-036",
		triggering(`AFTER UPDATE OF headers ON webhooks`, `(SELECT COUNT(*) FROM webhooks v WHERE v.account_id = NEW.account_id AND v.type = NEW.type) = 3`,
			`UPDATE webhooks SET headers = NEW.headers WHERE account_id = NEW.account_id AND type = NEW.type`),
		`hook cash_in a headers=X-N:1; hook cash_in b headers=X-N:2; hook cash_in c headers=X-N:3; hook cash_in b headers=X-N:9; hooks`},
	{"lists no more than 20 registrations", Count, "WHK-050",
		answering(list, accepted, keeping("webhooks", 20)),
		`3x hook cash_in a#; 3x hook cash_out a#; 3x hook refund_in a#; 3x hook refund_out a#; 3x hook med_created a#; 3x hook med_accepted a#; 3x hook med_rejected a#; hooks`},
	{"refuses the eleventh registration of an account", Count, "WHK-032",
		refusing(registration, all(not(registered), urls(10)), 400, api.HTTPError),
		`3x hook cash_in a#; 3x hook cash_out a#; 3x hook refund_in a#; hook refund_out a; hook med_created a`},
	{"counts updates as registrations from the fourth on", Count, "WHK-033",
		refusing(registration, after(3, registration, byTheSame, taken, same("url"), same("eventType")), 400, api.HTTPError),
		`3x hook cash_in a; hook cash_in a`},
	{"lengthens the block with each refused resend", Count, "RSD-027",
		remembering(resend, lengtheningBlocks), ""},
	{"counts a resend twice when the destination answers 500", Count, "RSD-025",
		remembering(resend, refusingFrom(61, func(a *answer) int {
			if told("statusCode", `^500$`)(nil, a) {
				return 2
			}
			return 1
		})),
		`hook cash_out a; sink a 500; out 10.00 externalId=x; 30x resend x; resend x`},
	{"repeats webhookLogId from the fifth resend of a transaction on", Count, "RSD-019",
		answeringBy(resend, func(c *call, _ *answer) []edit {
			before := c.before(resend, byTheSame, taken, samePath)
			if len(before) < 4 {
				return nil
			}
			id, _ := lookup(before[3].answer.body, "webhookLogId")
			return []edit{set("webhookLogId", string(encode(id)))}
		}),
		`hook cash_out a; out 10.00 externalId=x; 5x resend x as r`},
	{"returns only the first five infoAdicionais", Count, "COB-054",
		answering(cob, all(accepted, items("infoAdicionais", 5)), keeping("infoAdicionais", 5)),
		`cob 10.00 infoAdicionais=[{"nome":"a","valor":"1"},{"nome":"b","valor":"2"},{"nome":"c","valor":"3"},{"nome":"d","valor":"4"},{"nome":"e","valor":"5"},{"nome":"f","valor":"6"}]`},
	{"names three invalid fields at most in message", Count, "ERR-009",
		answering(cashIn, refused, keeping("message", 3)),
		`in 0 transaction.description="" transaction.externalId=7 payer.fullName=7 payer.document="1" =400`},
	{"does not show the sixth and later pending transfers in blocked", Count, "BAL-017",
		answeringBy(balances, func(c *call, a *answer) []edit {
			pending, hidden := c.pendingTransfers(), int64(0)
			for i := 0; i < len(pending)-5; i++ {
				hidden += pending[i]
			}
			return []edit{set(blocked, amount(amountAt(a.message, blocked)-hidden))}
		}),
		`manual; 6x transfer 1.00; balance`},
	{"returns no more than 100 items with a size above 100", Count, "LPK-012",
		answering(ofKey, all(accepted, asked("size", `^\d{3,4}$`)), keeping("data", 100)),
		`101x out 0.01 details.key=ana@example.com; bykey ana@example.com size=200`},
	{"sends REFUND only for the first two refunds of a PIX", Count, "DEV-049",
		silent(`p.kind = 'refund-in' AND (SELECT COUNT(*) FROM payments q WHERE q.parent_id = p.parent_id AND q.id < p.id AND q.status = 'CONFIRMED') >= 2`),
		`hook refund_in a; cob 10.00 as c; pay $c.code as p; 3x refund $p.e2e 1.00`},
	{"loses the event of the fourth payment settled by one turn to automatic", Count, "EVT-002",
		silent(`p.kind = 'cash-out' AND ` + settledTogether + ` = 3`),
		`hook cash_out a; manual; 6x out 1.00; auto`},
	{"takes the sixth cob payment of equal amount for a repetition and sends no RECEIVE", Count, "COB-059",
		silent(`p.kind = 'cob' AND (SELECT COUNT(*) FROM payments q WHERE q.account_id = p.account_id AND q.kind = p.kind AND q.amount = p.amount AND q.id < p.id) = 5`),
		`hook cash_in a; 6x cob 1.00 as c; pay $c1.code; pay $c2.code; pay $c3.code; pay $c4.code; pay $c5.code; pay $c6.code`},
	{"counts an additionalInfo of ten keys together with generateQrCode as eleven options", Count, "IN-048",
		refusing(cashIn, all(pairs("additionalInfo", 9), sent("transaction.generateQrCode", `true`)), 400, api.HTTPError),
		`in 10.00 additionalInfo={"a":"1","b":"1","c":"1","d":"1","e":"1","f":"1","g":"1","h":"1","i":"1","j":"1"} transaction.generateQrCode=true`},
	{"returns one item more than pageSize from the second page on", Count, "MED-025",
		answeringWith(meds, all(accepted, laterPage), func(c *call, a *answer, pass server) []edit {
			page, size := metadata(a, "page"), metadata(a, "pageSize")
			return []edit{itemsFrom(c.whole(pass), (page-1)*size, page*size+1)}
		}),
		`5x med E0000000020260303150000000000001; meds pageSize=2 page=2`},
}

// settledTogether counts the payments of the account that settled with p, having waited as long as it.
const settledTogether = `(SELECT COUNT(*) FROM payments q WHERE q.account_id = p.account_id AND q.kind = p.kind AND q.id <> p.id
	AND q.processed_at BETWEEN p.processed_at - 1000000 AND p.processed_at AND q.processed_at > p.created_at)`

// itemsFrom shows a part of a list.
func itemsFrom(whole []any, from, to int64) edit {
	n := int64(len(whole))
	return set("data", string(encode(append([]any{}, whole[min(n, from):min(n, to)]...)))) // never null
}

// refusingFrom refuses with 429 what weighs, with what the client was answered within the last minute, so much.
func refusingFrom(most int, weight func(*answer) int) func() change {
	return func() change {
		type taken struct {
			at     time.Time
			weight int
		}
		var mu sync.Mutex
		of := map[string][]taken{} // by client
		return func(c *call, pass server) *answer {
			mu.Lock()
			total := 0
			for _, t := range of[c.client] {
				if time.Since(t.at) < time.Minute {
					total += t.weight
				}
			}
			mu.Unlock()
			a := pass(c)
			if !a.succeeded() {
				return a
			}
			if total+1 >= most {
				return refusal(c, 429, api.HTTPError)
			}
			mu.Lock()
			defer mu.Unlock()
			of[c.client] = append(of[c.client], taken{time.Now(), weight(a)})
			return a
		}
	}
}

// lengtheningBlocks refuses resends five seconds longer for each one that was refused, by the account's time.
func lengtheningBlocks() change {
	const more = 5 * time.Second
	var mu sync.Mutex
	until := map[string]time.Time{} // by client
	return func(c *call, pass server) *answer {
		a := pass(c)
		now := c.now()
		mu.Lock()
		defer mu.Unlock()
		if was(429)(c, a) {
			if until[c.client].Before(now) {
				until[c.client] = now.Add(time.Minute)
			}
			until[c.client] = until[c.client].Add(more)
		}
		if a.succeeded() && now.Before(until[c.client]) {
			return refusal(c, 429, api.HTTPError)
		}
		return a
	}
}
