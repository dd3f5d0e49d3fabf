package model

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

func confirm(p *play) {
	t, calm := p.it, p.gw.movementExact(language.TheAccount)
	p.when("the bank confirms %s", p.refs.named(t))
	p.gw.confirm(t)
	reports(p, t, api.Confirmed, "")
	switch {
	case t.Fee == 0:
		p.unmoved()
	case calm:
		p.falls("available", 0, t.Fee)
	}
	if p.gw.movementExact(language.TheAccount) && t.Noun == "transfer" && p.gw.Fees.MostOut == 0 {
		p.falls("blocked", t.Amount, t.Amount)
	}
}

// settleAtLast: an event reports the result, whichever it is by then.
func settleAtLast(p *play) {
	t := p.it
	p.needs(p.gw.Hooks.EveryType)
	p.when("the bank tries to confirm %s", p.refs.named(t))
	p.then("a CashOut event of %s arrives with:", p.refs.named(t))
	p.with("status", quoted(api.PaymentStates.Later...))
	p.with("originalAmount", t.Amount)
	p.with("externalId", "the externalId sent")
	p.gw.settleLate(t)
}

// reports says that an event reports the outcome of a payment. How one reports that a transfer failed is
// unspecified.
func reports(p *play, t *Thing, status api.State, code string) {
	switch {
	case !p.gw.Hooks.EveryType || t.Noun == "transfer" && status != api.Confirmed:
	case t.Noun == "transfer":
		p.then("a TRANSFER event of %s arrives with:", p.refs.named(t))
		p.with("data.status", quoted(api.EventLiquidated))
		p.with("data.payment.amount", spellings(t.Amount))
		p.with("data.creditDebitType", quoted(api.Debit))
		p.with("data.pixKey", "the pixKey sent")
		p.with("data.idempotencyKey", "the x-idempotency-key sent")
		p.with("data.creditorAccount.document", "masked")
	default:
		p.then("a CashOut event of %s arrives with:", p.refs.named(t))
		p.with("status", quoted(status))
		p.with("originalAmount", t.Amount)
		p.with("externalId", "the externalId sent")
		p.with("movementType", quoted(api.Debit))
		if !p.gw.Time.isMoved() { // whether it follows a moved clock is unspecified
			p.with("processingDate", timeOfRequest)
		}
		if t.Noun == "cash-out" && !p.refs.of(t).KeyKindUnknown {
			p.with("pixKey", "the details.key sent")
		}
		if status == api.Confirmed { // whether a rejected payment has a fee is unspecified
			p.with("feeAmount", t.Fee)
			p.with("finalAmount", t.Amount+t.Fee)
			p.with("errorCode", "null")
		} else {
			p.with("errorCode", quoted(code))
			p.with("errorMessage", "a non-empty string")
		}
	}
	if t.Noun != "transfer" {
		arrivesEverywhere(p, t, api.PayloadCashOut, api.TypeCashOut)
	}
}

func reject(p *play) {
	t := p.it
	p.when("the bank rejects %s with %s", p.refs.named(t), p.step.Way)
	p.gw.reject(t)
	reports(p, t, api.Failed, p.step.Way)
	p.notFallen() // unless a fee may be taken only now
}

// rejectAndReturn: when the money comes back is unspecified. The walk waits for it, so that it can then send what must
// be rejected, and ends where it does not come.
func rejectAndReturn(p *play) {
	t, code := p.it, rejections[0]
	p.needs(p.gw.movementExact(language.TheAccount) && t.Fee <= 0) // whether a fee comes back is unspecified
	if t.Noun != "transfer" {
		code = pick(p, rejections)
	}
	p.when("the bank rejects %s with %s", p.refs.named(t), code)
	p.gw.reject(t)
	reports(p, t, api.Failed, code)
	p.given("the available balance rises by %v", t.Amount)
	p.gw.getBack(t)
}

// settleAgain tries what has happened already.
func settleAgain(p *play) {
	if p.it.State == api.Failed {
		p.when("the bank tries to reject %s with %s", p.refs.named(p.it), api.OrderRejected)
	} else {
		p.when("the bank tries to confirm %s", p.refs.named(p.it))
	}
	p.notFallen()
}

func returnPayment(p *play) {
	t := p.it
	amount := partOf(p.step.Way, t.Amount-t.Refunded.Most)
	p.needs(amount > p.gw.Fees.MostIn && p.gw.Hooks.EveryType) // whose event tells the payee which payment it is
	event := api.PayloadCashOut
	if t.Noun == "transfer" {
		event = api.PayloadTransfer
	}
	p.returnTo(t)
	p.when("a %s event of %s arrives", event, p.refs.named(t))
	p.when("the payee returns %v", amount)
	p.rises(moved(p.gw.returned(p.step.ID, t, amount, p.gw.Fees.MostIn), p.step.ID))
	if t.Noun != "transfer" && p.gw.the().Fresh {
		arrives(p, api.TypeRefundOut, p.gw.Returns > 0)
		arrivesEverywhere(p, t, api.TypeRefundOut, api.TypeRefundOut)
	}
	p.gw.returnPart(p.step.ID, t, amount)
}

// listedAs says how a list shows a payment or a charge.
func listedAs(p *play, t *Thing, operation api.Label, movement api.Movement, id string) {
	p.then("the payment is listed with:")
	p.with("status", quoted(t.State.Label()))
	p.with("operationType", quoted(operation))
	p.with("movementType", quoted(movement))
	p.with("originalAmount", t.Amount)
	p.with("externalId", id)
}

func lookAtPayment(p *play) {
	t := p.it
	p.needs(t.Account == language.TheAccount && p.gw.Time.Elapsed-t.MadeAt <= window)
	p.returnTo(t)
	listedAs(p, t, api.PixOut.Label(), api.Debit, "the externalId sent")
	if t.State == api.Confirmed && t.Refunded.Most == 0 { // whether a rejected or returned payment has a fee is unspecified
		p.with("feeAmount", t.Fee)
		p.with("finalAmount", t.Amount+t.Fee)
	}
	if t.State == api.Confirmed && (t.Noun == "cash-out" || p.refs.of(t).Documented) {
		p.with("counterpart.document", "masked")
	}
}

func lookAtAll(p *play) {
	p.needs(p.refs.Sent)
	p.then("nothing else changes")
}

// page: in a list in the order of settling, what settles meanwhile moves others to another page. So does a split that is
// paid meanwhile, if the list shows it.
func page(p *play) {
	p.needs(p.gw.hasListed(language.TheAccount) && !p.gw.maySettle())
	p.when("the account pages through a transaction list request, %d items per page", 1+p.below(3))
	p.then("no item appears twice")
	p.refs.clear()
}

func listByKey(p *play) {
	p.needs(p.gw.Settings.ByKey && p.gw.Things.hasSent() && p.gw.Time.Elapsed <= month)
	p.then("the account's list by key contains exactly the matching payments for every %s", p.step.Way)
}

func list(p *play) {
	p.needs(p.gw.hasListed(language.TheAccount))
	p.then("the account's transaction list contains exactly the matching payments for every %s", p.step.Way)
}

// lookAtStandard compares GET /balance with GET /accounts/balances. Whether a gateway offers it is unspecified. The two are read
// one after the other, so that nothing may still change what is blocked: sentences wait for that of transfers without a fee.
func lookAtStandard(p *play) {
	p.needs(p.gw.movementExact(language.TheAccount) && p.gw.Fees.MostOut == 0 && !slices.ContainsFunc(p.gw.Things, Thing.mayBlock))
	p.when("the gateway supports GET /balance")
	p.when("the account sends a standard balance request")
	p.then("the request is accepted with 200")
	p.then("the response has:")
	p.with("grossBalance", "the available plus the blocked balance")
	p.with("blockedBalance", "the blocked balance")
	p.with("netBalance", "the available balance")
	p.with("consultedAt", "a UTC time")
	p.refs.clear()
}
