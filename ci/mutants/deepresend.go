package mutants

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var deepResendMutants = []deepRow{
	{"sends the event of a refund when the refunded payment is resent", ShortWay, "RSD-020", "resend.same-event",
		triggering(`AFTER INSERT ON events`, `(SELECT p.parent_id FROM payments p WHERE p.id = NEW.payment_id) <> 0`,
			`INSERT INTO events SELECT e.id + 1000000000, e.account_id, p.parent_id, e.message_id, e.type, e.body, e.at FROM events e JOIN payments p ON p.id = e.payment_id WHERE e.id = NEW.id`),
		`hook cash_in a; hook refund_in b; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00; resend $p.e2e`},
	{"resends a rejection without its error code", ShortWay, "RSD-020", "resend.same-event",
		sending(all(sent("status", `"ERROR"`), after(1, event, taken, sameBody, here)), drop("errorCode"), drop("errorMessage")),
		`hook cash_out a; manual; out 10.00 externalId=x as a; settle $a.tid ORDER_REJECTED; resend x`},
	{"keeps a temporary URL once it is used twice", Second, "RSD-010", "resend.temporary-url",
		changing(resend, keepingTheURL),
		`hook cash_out a; out 10.00 externalId=x; resend x to=b; resend x to=b; hooks`},
	{"gives the third resend of a transaction the log id of the first", Second, "RSD-019", "resend.answer",
		answeringBy(resend, oneLogForThree),
		`hook cash_out a; out 10.00 externalId=x; 3x resend x as r`},
	{"does not find received payments by their endToEndId", OneBody, "RSD-004", "resend.identifier",
		refusing(resend, operation("transactionIdentifier", "Pix in"), 404, api.HTTPError),
		`hook cash_in a; cob 10.00 as c; pay $c.code as p; resend $p.e2e`},
	{"does not find an externalId with a blank or an accent", BenignData, "RSD-003", "resend.identifier",
		refusing(resend, naming("transactionIdentifier", `[^\w.-]`), 404, api.HTTPError),
		`hook cash_out a; out 10.00 externalId='pedido são 1'; resend 'pedido são 1'`},
	{"takes an externalId that begins with E or D for an endToEndId", BenignData, "RSD-003", "resend.identifier",
		refusing(resend, all(naming("transactionIdentifier", `^[ED]`), not(naming("transactionIdentifier", `^[ED]\w{31,32}$`))), 404, api.HTTPError),
		`hook cash_out a; out 10.00 externalId=Encomenda-77; resend Encomenda-77`},
	{"resends another account's transaction under the same externalId", OtherPeople, "RSD-024", "resend.unknown",
		changing(resend, resendingTheFirst),
		`hook cash_out a; B.hook cash_out b; B.out 10.00 externalId=x; out 11.00 externalId=x; resend x`},
	{"does not find a transaction after three others", History, "RSD-003", "resend.identifier",
		refusing(resend, followed(3, cashOut, namedThen(identifier, "externalId")), 404, api.HTTPError),
		`hook cash_out a; out 10.00 externalId=x; 3x out 1.00; resend x`},
	{"does not find a transaction of the month before", Calendar, "RSD-003", "resend.identifier",
		refusing(resend, paidEarlierThan(30*24*time.Hour), 404, api.HTTPError),
		`hook cash_out a; out 10.00 externalId=x; clock +32d; token; resend x`},
	{"resends a refund to the URL of cash_in", OneBody, "RSD-013", "resend.registered-url",
		resendingAs(`CASE NEW.type WHEN 'refund_in' THEN 'cash_in' WHEN 'refund_out' THEN 'cash_out' ELSE NEW.type END`),
		`hook cash_in a; hook refund_in b; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 id=r1; resend r1`},
	{"resends to the URL of another event type where there is none", ShortWay, "RSD-022", "resend.no-url",
		resendingAs(`SELECT w.type FROM webhooks w WHERE w.account_id = NEW.account_id ORDER BY w.type <> NEW.type, w.id LIMIT 1`),
		`hook cash_in a; out 10.00 externalId=x; resend x =400`},
	{"reports 200 for any success of the destination", BenignData, "RSD-018", "resend.answer",
		answering(resend, accepted, at("statusCode", anySuccess)),
		`hook cash_out a; sink a 202; out 10.00 externalId=x; resend x`},
	{"moves the time of processing when a transaction is resent twice", ShortWay, "RSD-021", "resend.same-event",
		answeringBy(transactions, processedByTheResend),
		`hook cash_out a; out 10.00 externalId=x; clock +1h; token; resend x; resend x; list externalId=x`},
	{"resends to the URL that was registered first for any type", ShortWay, "RSD-013", "resend.registered-url",
		resendingAs(`SELECT w.type FROM webhooks w WHERE w.account_id = NEW.account_id ORDER BY w.id LIMIT 1`),
		`hook refund_out b; hook cash_out a; out 10.00 externalId=x; resend x`},
}

// keepingTheURL registers a temporary URL that is used again.
func keepingTheURL(c *call, pass server) *answer {
	a := pass(c)
	if u := textAt(c.body, "url"); u != "" && accepted(c, a) && len(c.before(resend, byTheSame, taken, same("url"))) > 0 {
		pass(c.edited(onto(registration.path), body(`{"url":`+string(encode(u))+`,"eventType":"cash_out"}`)))
	}
	return a
}

// resendingTheFirst resends what another client paid first under the externalId.
func resendingTheFirst(c *call, pass server) *answer {
	named := namedThen(identifier, "externalId")
	own := c.firstBefore(cashOut, byTheSame, taken, named)
	if own == nil {
		return pass(c)
	}
	for _, t := range c.others(cashOut, named, func(_ *call, then *entry) bool { return then.call.number < own.call.number }) {
		return pass(c.edited(t))
	}
	return pass(c)
}

// paidEarlierThan holds for an externalId under which the client has paid longer ago than that.
func paidEarlierThan(ago time.Duration) condition {
	return func(c *call, _ *answer) bool {
		then := c.lastBefore(cashOut, byTheSame, taken, namedThen(identifier, "externalId"))
		if then == nil {
			return false
		}
		at, err := time.Parse(time.RFC3339, textAt(then.answer.body, "generateTime"))
		return err == nil && c.now().Sub(at) > ago
	}
}

// oneLogForThree gives the third resend of a transaction the log id of the first.
func oneLogForThree(c *call, _ *answer) []edit {
	before := c.before(resend, byTheSame, taken, samePath)
	if len(before) < 2 {
		return nil
	}
	id, _ := lookup(before[0].answer.body, "webhookLogId")
	return []edit{set("webhookLogId", string(encode(id)))}
}

// anySuccess makes a status that is a success 200.
func anySuccess(v any) any {
	if n, _ := v.(json.Number); strings.HasPrefix(n.String(), "2") {
		return json.Number("200")
	}
	return v
}

// processedByTheResend lists a transaction that was resent twice as processed now.
func processedByTheResend(c *call, _ *answer) []edit {
	times := map[any]int{}
	for _, e := range c.before(resend, byTheSame, taken) {
		times[e.call.parameter("transactionIdentifier")]++
	}
	if len(times) == 0 {
		return nil
	}
	now := c.now().Format("2006-01-02T15:04:05.000Z")
	return []edit{eachItem("data", func(_ int, item map[string]any) {
		if times[item["externalId"]] > 1 {
			item["processedAt"] = now
		}
	})}
}
