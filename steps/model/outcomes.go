package model

import (
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// bankConfirms and bankRejects are what the bank does to a payment, whatever is said of it. Whether its fee is taken
// now or was taken before is left open, also that of a rejected payment, and so is when the money of that comes back.
func (s *State) bankConfirms(t *Thing) {
	t.State = api.Confirmed
	if t.Noun == "transfer" {
		t.State = api.Completed
	}
	s.the().MayFall = s.the().MayFall || t.Fee > 0
}

func (s *State) bankRejects(t *Thing) {
	t.State = api.Failed
	s.the().Funds.add(0, t.Amount+t.Fee)
	s.the().MayRise = true
	s.the().MayFall = s.the().MayFall || t.Fee > 0
	s.the().uncount(t, t.Amount)
}

// uncount: whether what came back of a payment still counts to the daily limit is left open.
func (a *Account) uncount(t *Thing, amount money.Centavos) {
	if t.Noun == "cash-out" {
		a.Spent.Least = max(0, a.Spent.Least-amount)
	}
}

func confirm(p *play) bool {
	t, calm := p.it, p.calm(language.TheAccount)
	p.when("the bank confirms %s", p.named(t))
	p.bankConfirms(t)
	p.reports(t, api.Confirmed, "")
	switch {
	case t.Fee == 0:
		p.unmoved()
	case calm:
		p.falls("available", 0, t.Fee)
	}
	if p.calm(language.TheAccount) && t.Noun == "transfer" && p.MostOut == 0 {
		p.falls("blocked", t.Amount, t.Amount)
	}
	return true
}

// settleAtLast: an event reports the result, whichever it is by then.
func settleAtLast(p *play) bool {
	t := p.it
	if !p.Webhooks {
		return false
	}
	p.when("the bank tries to confirm %s", p.named(t))
	p.then("a CashOut event of %s arrives with:", p.named(t))
	p.with("status", quoted(api.PaymentStates.Later...))
	p.with("originalAmount", t.Amount)
	p.with("externalId", "the externalId sent")
	t.State = Unknown
	p.the().MayFall = p.the().MayFall || t.Fee > 0
	p.the().Spent.Most += t.Amount // whether it counts to the day of the request or to this one is left open
	return true
}

// reports says that an event reports the outcome of a payment. How one reports that a transfer failed is
// left open.
func (p *play) reports(t *Thing, status api.State, code string) {
	switch {
	case !p.Webhooks || t.Noun == "transfer" && status != api.Confirmed:
	case t.Noun == "transfer":
		p.then("a TRANSFER event of %s arrives with:", p.named(t))
		p.with("data.status", quoted(api.EventLiquidated))
		p.with("data.payment.amount", spellings(t.Amount))
		p.with("data.creditDebitType", quoted(api.Debit))
		p.with("data.pixKey", "the pixKey sent")
		p.with("data.idempotencyKey", "the x-idempotency-key sent")
		p.with("data.creditorAccount.document", "masked")
	default:
		p.then("a CashOut event of %s arrives with:", p.named(t))
		p.with("status", quoted(status))
		p.with("originalAmount", t.Amount)
		p.with("externalId", "the externalId sent")
		p.with("movementType", quoted(api.Debit))
		if !p.TimeKnown && p.Elapsed == 0 { // whether it follows a moved clock is left open
			p.with("processingDate", timeOfRequest)
		}
		if t.Noun == "cash-out" && !t.Odd {
			p.with("pixKey", "the details.key sent")
		}
		if status == api.Confirmed { // whether a rejected payment has a fee is left open
			p.with("feeAmount", t.Fee)
			p.with("finalAmount", t.Amount+t.Fee)
			p.with("errorCode", "null")
		} else {
			p.with("errorCode", quoted(code))
			p.with("errorMessage", "a non-empty string")
		}
	}
	if t.Noun != "transfer" {
		p.arrivesEverywhere(t, api.PayloadCashOut, api.TypeCashOut)
	}
}

func reject(p *play) bool {
	t := p.it
	p.when("the bank rejects %s with %s", p.named(t), p.step.Way)
	p.bankRejects(t)
	p.reports(t, api.Failed, p.step.Way)
	p.notFallen() // unless a fee may be taken only now
	return true
}

// rejectAndReturn: when the money comes back is left open. The walk waits for it, so that it can then send what must
// be rejected, and ends where it does not come.
func rejectAndReturn(p *play) bool {
	t, code := p.it, rejections[0]
	if !p.calm(language.TheAccount) || t.Fee > 0 { // whether a fee comes back is left open
		return false
	}
	if t.Noun != "transfer" {
		code = rejections[p.luck()%len(rejections)]
	}
	p.when("the bank rejects %s with %s", p.named(t), code)
	p.bankRejects(t)
	p.reports(t, api.Failed, code)
	p.given("the available balance rises by %v", t.Amount)
	p.the().Funds.add(t.Amount, 0)
	p.the().MayRise = false
	return true
}

// settleAgain tries what has happened already.
func settleAgain(p *play) bool {
	if p.it.State == api.Failed {
		p.when("the bank tries to reject %s with %s", p.named(p.it), api.OrderRejected)
	} else {
		p.when("the bank tries to confirm %s", p.named(p.it))
	}
	p.notFallen()
	return true
}

func returnPayment(p *play) bool {
	t := p.it
	amount := partOf(p.step.Way, t.Amount-t.Returned)
	if amount <= p.MostIn || !p.Webhooks { // whose event tells the payee which payment it is
		return false
	}
	event := api.PayloadCashOut
	if t.Noun == "transfer" {
		event = api.PayloadTransfer
	}
	p.returnTo(t)
	p.when("a %s event of %s arrives", event, p.named(t))
	p.when("the payee returns %v", amount)
	p.rises(amount-p.MostIn, amount)
	p.showsLate()
	if t.Noun != "transfer" && p.Fresh {
		p.arrives(api.TypeRefundOut, p.Returns > 0)
		p.arrivesEverywhere(t, api.TypeRefundOut, api.TypeRefundOut)
	}
	p.Returns++
	t.Returned += amount
	p.the().Funds.add(amount-p.MostIn, amount)
	p.the().MayFall = p.the().MayFall || p.MostIn > 0
	p.the().uncount(t, amount)
	return true
}

// rises says by how much the available balance rises, if that can be said.
func (p *play) rises(least, most money.Centavos) {
	switch {
	case !p.calm(language.TheAccount):
	case least == most:
		p.then("the available balance rises by %v", least)
	default:
		p.then("the available balance rises by %v to %v", least, most)
	}
}

// showsLate: unless a sentence says that money has come, nothing waits until it shows.
func (s *State) showsLate() { s.the().MayRise = s.the().MayRise || !s.calm(language.TheAccount) }

// partOf is some of an amount; 0 if there is no such part.
func partOf(way string, rest money.Centavos) money.Centavos {
	switch way {
	case "the rest":
		return rest
	case "a centavo":
		return min(1, rest)
	}
	return rest / 2
}

func lookAtPayment(p *play) bool {
	t := p.it
	if t.Account != language.TheAccount || p.Elapsed-t.MadeAt > window {
		return false
	}
	p.returnTo(t)
	p.then("the payment is listed with:")
	p.with("status", quoted(t.State.Label()))
	p.with("operationType", quoted(api.PixOut.Label()))
	p.with("movementType", quoted(api.Debit))
	p.with("originalAmount", t.Amount)
	p.with("externalId", "the externalId sent")
	if t.State == api.Confirmed && t.Returned == 0 { // whether a rejected or returned payment has a fee is left open
		p.with("feeAmount", t.Fee)
		p.with("finalAmount", t.Amount+t.Fee)
	}
	if t.State == api.Confirmed && (t.Noun == "cash-out" || t.Documented) {
		p.with("counterpart.document", "masked")
	}
	return true
}
