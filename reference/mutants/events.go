package mutants

import (
	"bytes"
	"crypto/tls"
	"net/http"
	"time"
)

var eventMutants = []row{
	{"tells nobody of a paid cash-in", "events.subscriptions", ignoring(event, called("CashIn"))},
	{"tells nobody of a paid cob", "events.subscriptions", ignoring(event, typed("RECEIVE"))},
	{"sends no word of a cash-out", "events.subscriptions", ignoring(event, called("CashOut"))},
	{"sends no word of what it gives back", "events.subscriptions", ignoring(event, typed("REFUND"))},
	{"sends no word of what comes back", "events.subscriptions", ignoring(event, called("CashOutReversal"))},
	{"books less than what comes back", "events.subscriptions", misreading(giveBack, always, plus("amount", -1))},
	{"sends no word of a new case", "events.subscriptions", ignoring(event, called("MedCreated"))},
	{"sends no word of a case that was approved", "events.subscriptions", ignoring(event, called("MedAccepted"))},
	{"sends no word of a case that was refused", "events.subscriptions", ignoring(event, called("MedRejected"))},
	{"tells cash_in to URLs of cash_out", "events.subscriptions", changing(registration, swapping("cash_in", "cash_out"))},
	{"tells refund_in to URLs of refund_out", "events.subscriptions", changing(registration, swapping("refund_in", "refund_out"))},
	{"tells med_accepted to URLs of med_rejected", "events.subscriptions", changing(registration, swapping("med_accepted", "med_rejected"))},

	{"sends a paid cash-in to one URL only", "events.every-url", ignoring(event, all(called("CashIn"), after(1, event, sameBody, elsewhere)))},
	{"sends a new case to one URL only", "events.every-url", ignoring(event, all(called("MedCreated"), after(1, event, sameBody, elsewhere)))},
	{"sends no custom headers with a paid cash-in", "events.every-url", sending(called("CashIn"), withoutHeaders(`^X-`))},
	{"sends no custom headers with a new case", "events.every-url", sending(called("MedCreated"), withoutHeaders(`^X-`))},
	{"sends every URL the same custom header", "events.every-url", changing(event, headersOfTheFirst)},

	{"sends no word of a transfer", "events.transfer", ignoring(event, typed("TRANSFER"))},
	{"calls a transfer PIX_OUT", "events.transfer", sending(typed("TRANSFER"), set("type", `"PIX_OUT"`))},
	{"sends a transfer without its envelope", "events.transfer", sending(typed("TRANSFER"), unwrapped)},
	{"tells another id of a transfer", "events.transfer", sending(typed("TRANSFER"), counted("data.id", 1))},
	{"tells a txId that is a number", "events.transfer", sending(typed("TRANSFER"), set("data.txId", `1`))},
	{"masks the key of a transfer", "events.transfer", sending(typed("TRANSFER"), set("data.pixKey", `"***"`))},
	{"calls a settled transfer COMPLETED", "events.transfer", sending(typed("TRANSFER"), set("data.status", `"COMPLETED"`))},
	{"tells the amount of a transfer as a number", "events.transfer", sending(typed("TRANSFER"), unquoted("data.payment.amount"))},
	{"tells a transfer a centavo less", "events.transfer", sending(typed("TRANSFER"), plus("data.payment.amount", -1))},
	{"tells no currency of a transfer", "events.transfer", sending(typed("TRANSFER"), drop("data.payment.currency"))},
	{"has null for the end-to-end id of a transfer", "events.transfer", sending(typed("TRANSFER"), set("data.endToEndId", `null`))},
	{"tells a transfer as a CREDIT", "events.transfer", sending(typed("TRANSFER"), set("data.creditDebitType", `"CREDIT"`))},
	{"tells another idempotency key", "events.transfer", sending(typed("TRANSFER"), fresh("data.idempotencyKey"))},
	{"does not name the creditor", "events.transfer", sending(typed("TRANSFER"), drop("data.creditorAccount.name"))},
	{"tells the full document of the creditor", "events.transfer", sending(typed("TRANSFER"), set("data.creditorAccount.document", `"52998224725"`))},
	{"tells another bank of the creditor", "events.transfer", sending(typed("TRANSFER"), set("data.creditorAccount.ispb", `"00000000"`))},
	{"tells nothing of what a transfer is for", "events.transfer", sending(typed("TRANSFER"), drop("data.remittanceInformation"))},

	{"sends no word of a paid charge", "events.receive", ignoring(event, typed("RECEIVE"))},
	{"calls a paid charge PIX_IN", "events.receive", sending(typed("RECEIVE"), set("type", `"PIX_IN"`))},
	{"sends a paid charge without its envelope", "events.receive", sending(typed("RECEIVE"), unwrapped)},
	{"tells no id of a paid charge", "events.receive", sending(typed("RECEIVE"), drop("data.id"))},
	{"tells another txId than that of the charge", "events.receive", sending(typed("RECEIVE"), fresh("data.txId"))},
	{"calls a paid charge CONCLUIDA", "events.receive", sending(typed("RECEIVE"), set("data.status", `"CONCLUIDA"`))},
	{"tells the amount of a charge as a number", "events.receive", sending(typed("RECEIVE"), unquoted("data.payment.amount"))},
	{"tells a charge a centavo less", "events.receive", sending(typed("RECEIVE"), plus("data.payment.amount", -1))},
	{"tells the currency of a charge as 986", "events.receive", sending(typed("RECEIVE"), set("data.payment.currency", `"986"`))},
	{"tells no end-to-end id of a charge", "events.receive", sending(typed("RECEIVE"), drop("data.endToEndId"))},
	{"does not name the debtor", "events.receive", sending(typed("RECEIVE"), drop("data.debtorAccount.name"))},
	{"tells the full document of the debtor", "events.receive", sending(typed("RECEIVE"), set("data.debtorAccount.document", `"11144477735"`))},
	{"tells an end-to-end id that it does not know", "events.receive", sending(typed("RECEIVE"), set("data.endToEndId", `"`+anyEndToEnd+`"`))},

	{"sends no word of a refund that was carried out", "events.refund", ignoring(event, typed("REFUND"))},
	{"calls the event of a refund DEVOLUCAO", "events.refund", sending(typed("REFUND"), set("type", `"DEVOLUCAO"`))},
	{"sends a refund without its envelope", "events.refund", sending(typed("REFUND"), unwrapped)},
	{"tells no id of the payment that it refunds", "events.refund", sending(typed("REFUND"), drop("data.id"))},
	{"calls the payment that it refunds LIQUIDATED", "events.refund", sending(typed("REFUND"), set("data.status", `"LIQUIDATED"`))},
	{"tells what was paid before a refund as a number", "events.refund", sending(typed("REFUND"), unquoted("data.payment.amount"))},
	{"tells no currency of what was paid", "events.refund", sending(typed("REFUND"), drop("data.payment.currency"))},
	{"does not tell which payment it refunds", "events.refund", sending(typed("REFUND"), drop("data.endToEndId"))},
	{"does not tell which way a refund goes", "events.refund", sending(typed("REFUND"), drop("data.creditDebitType"))},
	{"tells no refund with a refund", "events.refund", sending(typed("REFUND"), set("data.refunds", `[]`))},
	{"calls the refund itself REFUNDED", "events.refund", sending(typed("REFUND"), set("data.refunds[].status", `"REFUNDED"`))},
	{"tells what was paid for what was given back", "events.refund", sending(typed("REFUND"), sum("data.refunds[].payment.amount", "data.payment.amount"))},
	{"tells no currency of a refund", "events.refund", sending(typed("REFUND"), drop("data.refunds[].payment.currency"))},
	{"tells no id of a refund", "events.refund", sending(typed("REFUND"), drop("data.refunds[].endToEndId"))},
	{"tells the time of a refund without a zone", "events.refund", sending(typed("REFUND"), stamped(zoneless, saoPaulo))},
	{"tells nothing of what a refund is for", "events.refund", sending(typed("REFUND"), drop("data.refunds[].information"))},

	{"settles at once what should wait for the bank", "events.once-settled", ignoring(settlement, always)},
	{"reports a transfer as LIQUIDATED when it is ordered", "events.once-settled", announcing(transfer, "cash_out", func(c *call, a *answer) string {
		return `{"type":"TRANSFER","data":{"status":"LIQUIDATED","endToEndId":` + string(encode(textAt(a.body, "endToEndId"))) + `}}`
	})},
	{"reports a cash-out when it is ordered", "events.once-settled", announcing(cashOut, "cash_out", func(_ *call, a *answer) string { return string(a.body) })},
	{"reports a cash-in before it is paid", "events.once-settled", announcing(cashIn, "cash_in", func(_ *call, a *answer) string { return string(a.body) })},
	{"breaks down over a refund of all", "events.once-settled", refusing(devolution, allOfIt, 500, "")},

	{"books less than what comes back of a transfer", "events.left-open", misreading(giveBack, always, plus("amount", -1))},
	{"does not book what comes back", "events.left-open", ignoring(giveBack, always)},
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

// announcing sends an event of what was only accepted to the URL that the account
// registered for the type.
func announcing(at *endpoint, eventType string, payload func(*call, *answer) string) fault {
	wire := &http.Client{
		Timeout:   time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, // the receiver's authority is unknown here
	}
	return changing(at, func(c *call, pass server) *answer {
		a := pass(c)
		to := c.lastBefore(registration, byTheSame, taken, sentThen("eventType", `"`+eventType+`"`))
		if to == nil || !a.succeeded() {
			return a
		}
		if response, err := wire.Post(textAt(to.call.body, "url"), "application/json", bytes.NewReader([]byte(payload(c, a)))); err == nil {
			response.Body.Close()
		}
		return a
	})
}
