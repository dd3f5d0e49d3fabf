package mutants

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"
)

var eventMutants = []row{
	{"sends no event for a cash-in that is paid", "events.subscriptions", ignoring(event, called("CashIn"))},
	{"sends no event for a cob that is paid", "events.subscriptions", ignoring(event, typed("RECEIVE"))},
	{"sends no event for a cash-out", "events.subscriptions", ignoring(event, called("CashOut"))},
	{"sends no event for a refund it sends", "events.subscriptions", ignoring(event, typed("REFUND"))},
	{"sends no event for returned money", "events.subscriptions", ignoring(event, called("CashOutReversal"))},
	{"credits less than the payee returns", "events.subscriptions", misreading(paymentReturn, always, plus("amount", -1))},
	{"sends no event for a new case", "events.subscriptions", ignoring(event, called("MedCreated"))},
	{"sends no event for an approved case", "events.subscriptions", ignoring(event, called("MedAccepted"))},
	{"sends no event for a case that was rejected", "events.subscriptions", ignoring(event, called("MedRejected"))},
	{"sends cash_in events to URLs of cash_out", "events.subscriptions", changing(registration, swapping("cash_in", "cash_out"))},
	{"sends refund_in events to URLs of refund_out", "events.subscriptions", changing(registration, swapping("refund_in", "refund_out"))},
	{"sends med_accepted events to URLs of med_rejected", "events.subscriptions", changing(registration, swapping("med_accepted", "med_rejected"))},

	{"sends a paid cash-in to one URL only", "events.every-url", ignoring(event, all(called("CashIn"), after(1, event, sameBody, elsewhere)))},
	{"sends a new case to one URL only", "events.every-url", ignoring(event, all(called("MedCreated"), after(1, event, sameBody, elsewhere)))},
	{"sends no custom headers with a paid cash-in", "events.every-url", sending(called("CashIn"), withoutHeaders(`^X-`))},
	{"sends no custom headers with a new case", "events.every-url", sending(called("MedCreated"), withoutHeaders(`^X-`))},
	{"sends the same custom header to every URL", "events.every-url", changing(event, headersOfTheFirst)},

	{"sends no event for a transfer", "events.transfer", ignoring(event, typed("TRANSFER"))},
	{"sends a transfer as type PIX_OUT", "events.transfer", sending(typed("TRANSFER"), set("type", `"PIX_OUT"`))},
	{"sends a transfer without its envelope", "events.transfer", sending(typed("TRANSFER"), unwrapped)},
	{"sends another id for a transfer", "events.transfer", sending(typed("TRANSFER"), counted("data.id", 1))},
	{"sends a txId that is a number", "events.transfer", sending(typed("TRANSFER"), set("data.txId", `1`))},
	{"masks the key of a transfer", "events.transfer", sending(typed("TRANSFER"), set("data.pixKey", `"***"`))},
	{"sends a settled transfer with status COMPLETED", "events.transfer", sending(typed("TRANSFER"), set("data.status", `"COMPLETED"`))},
	{"sends the amount of a transfer as a number", "events.transfer", sending(typed("TRANSFER"), unquoted("data.payment.amount"))},
	{"sends the amount of a transfer one centavo short", "events.transfer", sending(typed("TRANSFER"), plus("data.payment.amount", -1))},
	{"sends no currency for a transfer", "events.transfer", sending(typed("TRANSFER"), drop("data.payment.currency"))},
	{"sends null as the end-to-end id of a transfer", "events.transfer", sending(typed("TRANSFER"), set("data.endToEndId", `null`))},
	{"sends a transfer as a CREDIT", "events.transfer", sending(typed("TRANSFER"), set("data.creditDebitType", `"CREDIT"`))},
	{"sends another idempotency key", "events.transfer", sending(typed("TRANSFER"), fresh("data.idempotencyKey"))},
	{"sends no name of the creditor", "events.transfer", sending(typed("TRANSFER"), drop("data.creditorAccount.name"))},
	{"sends the full document of the creditor", "events.transfer", sending(typed("TRANSFER"), set("data.creditorAccount.document", `"52998224725"`))},
	{"sends another bank for the creditor", "events.transfer", sending(typed("TRANSFER"), set("data.creditorAccount.ispb", `"00000000"`))},
	{"sends no description of a transfer", "events.transfer", sending(typed("TRANSFER"), drop("data.remittanceInformation"))},

	{"sends no event for a paid charge", "events.receive", ignoring(event, typed("RECEIVE"))},
	{"sends a paid charge as type PIX_IN", "events.receive", sending(typed("RECEIVE"), set("type", `"PIX_IN"`))},
	{"sends a paid charge without its envelope", "events.receive", sending(typed("RECEIVE"), unwrapped)},
	{"sends no id for a paid charge", "events.receive", sending(typed("RECEIVE"), drop("data.id"))},
	{"sends a txId other than the charge's", "events.receive", sending(typed("RECEIVE"), fresh("data.txId"))},
	{"sends a paid charge with status CONCLUIDA", "events.receive", sending(typed("RECEIVE"), set("data.status", `"CONCLUIDA"`))},
	{"sends the amount of a charge as a number", "events.receive", sending(typed("RECEIVE"), unquoted("data.payment.amount"))},
	{"sends the amount of a charge one centavo short", "events.receive", sending(typed("RECEIVE"), plus("data.payment.amount", -1))},
	{"sends the currency of a charge as 986", "events.receive", sending(typed("RECEIVE"), set("data.payment.currency", `"986"`))},
	{"sends no end-to-end id for a charge", "events.receive", sending(typed("RECEIVE"), drop("data.endToEndId"))},
	{"sends no name of the debtor", "events.receive", sending(typed("RECEIVE"), drop("data.debtorAccount.name"))},
	{"sends the full document of the debtor", "events.receive", sending(typed("RECEIVE"), set("data.debtorAccount.document", `"11144477735"`))},
	{"sends an unknown end-to-end id", "events.receive", sending(typed("RECEIVE"), set("data.endToEndId", `"`+anyEndToEnd+`"`))},

	{"sends no event for a successful refund", "events.refund", ignoring(event, typed("REFUND"))},
	{"sends a refund as type DEVOLUCAO", "events.refund", sending(typed("REFUND"), set("type", `"DEVOLUCAO"`))},
	{"sends no id of the refunded payment", "events.refund", sending(typed("REFUND"), drop("data.id"))},
	{"sends the refunded payment with status LIQUIDATED", "events.refund", sending(typed("REFUND"), set("data.status", `"LIQUIDATED"`))},
	{"sends the amount of the refunded payment as a number", "events.refund", sending(typed("REFUND"), unquoted("data.payment.amount"))},
	{"sends no currency of the refunded payment", "events.refund", sending(typed("REFUND"), drop("data.payment.currency"))},
	{"sends no end-to-end id of the refunded payment", "events.refund", sending(typed("REFUND"), drop("data.endToEndId"))},
	{"sends no creditDebitType for a refund", "events.refund", sending(typed("REFUND"), drop("data.creditDebitType"))},
	{"sends an empty list of refunds", "events.refund", sending(typed("REFUND"), set("data.refunds", `[]`))},
	{"sends the refund itself with status REFUNDED", "events.refund", sending(typed("REFUND"), set("data.refunds[].status", `"REFUNDED"`))},
	{"sends the amount paid as the amount refunded", "events.refund", sending(typed("REFUND"), sum("data.refunds[].payment.amount", "data.payment.amount"))},
	{"sends no currency for a refund", "events.refund", sending(typed("REFUND"), drop("data.refunds[].payment.currency"))},
	{"sends no end-to-end id for a refund", "events.refund", sending(typed("REFUND"), drop("data.refunds[].endToEndId"))},
	{"sends the time of a refund without a time zone", "events.refund", sending(typed("REFUND"), stamped(zoneless, saoPaulo))},
	{"sends no description of a refund", "events.refund", sending(typed("REFUND"), drop("data.refunds[].information"))},

	{"settles a payment without waiting for the bank", "events.once-settled", ignoring(settlement, always)},
	{"reports a transfer as LIQUIDATED when it is sent", "events.once-settled", announcing(transfer, accepted, "cash_out", func(c *call, a *answer) string {
		return `{"type":"TRANSFER","data":{"status":"LIQUIDATED","endToEndId":` + string(encode(textAt(a.body, "endToEndId"))) + `}}`
	})},
	{"reports a cash-out as settled when it is sent", "events.once-settled", announcing(cashOut, accepted, "cash_out", func(_ *call, a *answer) string { return string(a.body) })},
	{"reports a cash-in before it is paid", "events.once-settled", announcing(cashIn, accepted, "cash_in", func(_ *call, a *answer) string { return string(a.body) })},
	{"reports a rejected cash-out", "events.rejected", announcing(cashOut, refused, "cash_out", ofRejected)},
	{"reports a cash-out with an invalid document as failed", "events.rejected", announcing(cashOut, was(400), "cash_out", func(c *call, _ *answer) string {
		return `{"event":"CashOut","status":"ERROR","externalId":` + string(encode(textAt(c.body, "externalId"))) + `,"errorCode":"INVALID_TAX_ID"}`
	})},
	{"reports a rejected QR cash-out", "events.rejected", announcing(qrCashOut, refused, "cash_out", ofRejected)},
	{"reports a rejected cash-in", "events.rejected", announcing(cashIn, refused, "cash_in", func(c *call, _ *answer) string {
		return `{"externalId":` + string(encode(textAt(c.body, "transaction.externalId"))) + `}`
	})},
	{"reports a rejected cob as paid", "events.rejected", announcing(cob, refused, "cash_in", func(c *call, _ *answer) string {
		return `{"type":"RECEIVE","data":{"txId":"` + path.Base(c.path) + `","status":"LIQUIDATED"}}`
	})},
	{"reports a rejected transfer as settled", "events.rejected", announcing(transfer, refused, "cash_out", func(c *call, _ *answer) string {
		return `{"type":"TRANSFER","data":{"status":"LIQUIDATED","idempotencyKey":"` + c.header.Get(idempotency) + `"}}`
	})},
	{"reports a rejected refund as done", "events.rejected", announcing(devolution, refused, "refund_in", func(c *call, _ *answer) string {
		return `{"type":"REFUND","data":{"status":"REFUNDED","id":"` + path.Base(c.path) + `"}}`
	})},
	{"returns 500 for a full refund", "events.once-settled", refusing(devolution, allOfIt, 500, "")},

	{"credits less than the payee of a transfer returns", "events.left-open", misreading(paymentReturn, always, plus("amount", -1))},
}

// called and typed hold for the events of a name, flat or in an envelope.
func called(name string) condition { return sent("event", `"`+name+`"`) }
func typed(name string) condition  { return sent("type", `"`+name+`"`) }

// sameBody: the event is the same as then.
func sameBody(now *call, then *entry) bool { return bytes.Equal(now.body, then.call.body) }

// unwrapped sends what an envelope holds alone.
var unwrapped = rewritten(func(b []byte) []byte { v, _ := lookup(b, "data"); return encode(v) })

// swapping registers the one type of event where the other is asked for, and the other
// way round.
func swapping(one, other string) change {
	return func(c *call, pass server) *answer {
		switch textAt(c.body, "eventType") {
		case one:
			c = c.edited(set("eventType", `"`+other+`"`))
		case other:
			c = c.edited(set("eventType", `"`+one+`"`))
		}
		return pass(c)
	}
}

// ofRejected is a CashOut event that confirms a payment of which nobody knows.
func ofRejected(c *call, _ *answer) string {
	return `{"event":"CashOut","status":"CONFIRMED","externalId":` + string(encode(textAt(c.body, "externalId"))) + `}`
}

// announcing sends an event of what was only accepted, or of what was refused, to the URL that the
// account registered for the type, with the headers of that.
func announcing(at *endpoint, when condition, eventType string, payload func(*call, *answer) string) fault {
	wire := &http.Client{
		Timeout:   time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, // the receiver's authority is unknown here
	}
	f := changing(at, func(c *call, pass server) *answer {
		a := pass(c)
		to := c.lastBefore(registration, byTheSame, taken, sentThen("eventType", `"`+eventType+`"`))
		if to == nil || !when(c, a) {
			return a
		}
		request, err := http.NewRequest(http.MethodPost, textAt(to.call.body, "url"), strings.NewReader(payload(c, a)))
		if err != nil {
			return a
		}
		request.Header.Set("Content-Type", "application/json")
		values := lookups(to.call.body, "headers[].value")
		for i, name := range lookups(to.call.body, "headers[].key") {
			request.Header.Set(fmt.Sprint(name), fmt.Sprint(values[i]))
		}
		if response, err := wire.Do(request); err == nil {
			response.Body.Close()
		}
		return a
	})
	f.uncounted = true
	return f
}
