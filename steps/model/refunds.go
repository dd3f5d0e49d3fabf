package model

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// refund: when a refund takes its money is unspecified, and whether a failed one still counts.
func refund(p *play) {
	amount := partOf(p.step.Way, p.it.Amount-p.it.Refunded.Most)
	p.needs(p.gw.refundable(p.it, amount))
	p.requestRefund("sends", amount.Decimal())
	more, _ := p.mixed("refund", nil)
	p.table(more)
	p.accepted("refund", amount)
	p.refunded(amount)
}

// refundContested: whether what is contested can be refunded is unspecified. Where it cannot, the walk ends.
func refundContested(p *play) {
	amount := p.it.Amount - p.it.Refunded.Most
	if !p.gw.coversRefund(amount) {
		amount = min(amount, 1)
	}
	p.needs(p.gw.Things.contest(p.it) && amount > 0 && p.gw.coversRefund(amount) && p.gw.inTime(p.it) && !p.refs.Uncounted[api.Refund])
	p.requestRefund("has sent", amount.Decimal())
	p.refunded(amount)
}

func refundTooMuch(p *play) {
	amount := p.it.Amount - p.it.Refunded.Least + 1
	p.needs(p.gw.refundable(p.it, amount) && p.gw.moneySettled(language.TheAccount))
	p.requestRefund("sends", amount.Decimal())
	p.rejected("400")
}

func refundTooLate(p *play) {
	p.needs(!p.gw.Things.contest(p.it) && p.it.Account == language.TheAccount && p.gw.coversRefund(1) && p.it.Amount > p.it.Refunded.Most)
	left := api.RefundDeadline + 2*day - p.gw.state.SincePaid(spec.ID(p.it.ID)).Least
	p.needs(left >= day) // what is refunded later has been late before
	p.passBy(left)
	p.requestRefund("sends", money.Centavos(1).Decimal())
	p.rejected("422")
}

func refundAsOther(p *play) {
	p.needs(p.it.Account == language.TheAccount && p.gw.moneySettled(language.TheOther) && p.gw.inTime(p.it) && p.it.Amount > p.it.Refunded.Most)
	p.requestRefund("sends", money.Centavos(1).Decimal())
	p.then("the request is rejected with 404")
	p.refs.LastSent[language.TheOther] = 0
}

// refundSent: only what was received can be refunded.
func refundSent(p *play) {
	p.needs(p.gw.Hooks.EveryType && p.it.Refunded.Most == 0) // by whose event it is known
	p.needs(p.gw.coversRefund(1) && p.gw.moneySettled(language.TheAccount))
	event := api.PayloadCashOut
	if p.it.Noun == "transfer" {
		event = api.PayloadTransfer
	}
	p.returnTo(p.it)
	p.when("a %s event of %s arrives", event, p.refs.named(p.it))
	p.when("the account sends a refund with:")
	p.with("path e2eid", "the endToEndId of the event")
	p.with("valor", `"0.01"`)
	p.then("the request is rejected with 404")
	hasEnvelope(p, "refund", "404")
	p.refs.clear()
}

func refundWrongly(p *play) {
	p.needs(p.gw.refundable(p.it, 1_50) && p.gw.moneySettled(language.TheAccount)) // whichever of them it is
	p.requestRefund("sends", pick(p, []string{"abc", "1.5", "1", "1.005", "1,00"}))
	more, _ := p.mixed("refund", nil)
	p.table(more)
	p.rejected("400")
}

func confirmRefund(p *play) {
	p.when("the bank confirms %s", p.refs.named(p.it))
	p.gw.confirm(p.it)
	if p.gw.Hooks.EveryType {
		p.then("a REFUND event of %s arrives with:", p.refs.named(p.it))
		p.with("data.status", quoted(api.EventRefunded))
		p.with("data.refunds", fmt.Sprintf("an item whose payment.amount is %v", p.it.Amount))
	}
	if p.it.Registrations == p.gw.Hooks.Registrations { // the event may have come before the end
		arrivesEverywhere(p, p.it, api.TypeRefundIn, api.TypeRefundIn)
	}
	p.notRisen()
}

func rejectRefund(p *play) {
	p.when("the bank rejects %s", p.refs.named(p.it))
	p.gw.reject(p.it)
}

// refundInVain requests a refund that the bank rejects. When that takes money, and when it comes back, is unspecified.
// The walk waits until the account has what it had before, and ends where it does not.
func refundInVain(p *play) {
	amount := partOf(p.step.Way, p.it.Amount-p.it.Refunded.Most)
	p.needs(p.gw.holds(true) && p.gw.Fees.MostOut == 0 && p.gw.refundable(p.it, amount))
	p.needs(!p.refs.Uncounted[api.Refund] && p.gw.moneySettled(language.TheAccount))
	p.requestRefund("has sent", amount.Decimal())
	t := p.gw.acceptRefund(p.step.ID, p.it, amount, true)
	p.refs.made(t)
	p.when("the bank rejects %s", p.refs.named(t))
	p.gw.reject(t)
	p.gw.getBack(t)
	p.given("the available balance is unchanged")
}

func finishRefundAgain(p *play) {
	p.when("the bank tries to %s %s", p.step.Way, p.refs.named(p.it))
	lookAtState(p)
}

// refundAgain sends a refund again that has not failed. Whether that is accepted is unspecified: if so, it is the first
// one, as it was answered then or as it is now, and nothing more is refunded.
func refundAgain(p *play) {
	t, charge := p.it, p.gw.Things.made(p.it.Of)
	p.needs(len(p.refs.of(t).Request) > 0 && !p.refs.Uncounted[api.Refund] && p.gw.refundable(charge, t.Amount)) // it may be rejected for another reason
	sendRefundAgain(p, t, p.refs.of(t).Request)
	p.then("the request is accepted, or rejected with 400 or 409")
	p.then("if the request was accepted, the response has:")
	p.with("id", "the id of "+p.refs.named(t))
	p.with("rtrId", "the rtrId of "+p.refs.named(t))
	p.with("valor", `"`+t.Amount.Decimal()+`"`)
	p.with("status", quoted(slices.Compact(states{api.Processing, t.State})...))
	p.then("%s is %s", p.refs.named(t), t.State)
	p.notRisen()
	p.refs.Uncounted[api.Refund] = true // sentences count it if it was accepted
	p.refs.clear()
}

// refundOtherAmount: what becomes of another amount under the same id is unspecified, but not of the first one.
func refundOtherAmount(p *play) {
	t, charge := p.it, p.gw.Things.made(p.it.Of)
	amount := t.Amount + 1
	p.needs(len(p.refs.of(t).Request) > 0 && !p.refs.Uncounted[api.Refund])
	p.needs(charge.Amount-charge.Refunded.Most >= amount && p.gw.refundable(charge, amount))
	sendRefundAgain(p, t, [][]string{p.refs.of(t).Request[0], {"valor", `"` + amount.Decimal() + `"`}})
	p.then("the request is accepted, or rejected with 400 or 409 or 422")
	p.then("%s is %s", p.refs.named(t), t.State)
	p.gw.refund(p.step.ID, charge, amount, amount+p.gw.Fees.MostOut, spec.MayBeDone)
	p.refs.Uncounted[api.Refund] = true
	p.refs.clear()
}

// sendRefundAgain sends a refund under the id of another one.
func sendRefundAgain(p *play, t *Thing, rows [][]string) {
	p.when("the account sends a refund with:")
	p.table(append(slices.Clone(rows), []string{"path id", "the id of " + p.refs.named(t)}))
	p.refs.Sent = true
}
