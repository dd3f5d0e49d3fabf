package model

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// refundable reports whether a refund of an amount of the charge meets no other obstacle than the amount
// and the time. What a gateway does without the money for a refund is left open.
func (p *play) refundable(amount money.Centavos) bool { return p.refundableOf(p.it, amount) }

func (s *State) refundableOf(t *Thing, amount money.Centavos) bool {
	return amount > 0 && !t.Contested && t.Account == language.TheAccount && s.coversRefund(amount)
}

func (s *State) coversRefund(amount money.Centavos) bool {
	return s.FeesKnown && amount+s.MostOut <= s.the().Funds.Least
}

// inTime reports whether the charge was paid so recently that it can surely be refunded.
func (p *play) inTime() bool { return p.inTimeOf(p.it) }

func (s *State) inTimeOf(t *Thing) bool { return s.Elapsed-t.PaidAt < api.RefundDeadline-day }

// requestRefund has an account request a refund of the charge.
func (p *play) requestRefund(who language.Account, valor string) {
	p.when("%v sends a refund with:", who)
	p.with("path e2eid", "the endToEndId of "+p.named(p.it))
	p.with("valor", `"`+valor+`"`)
	p.Sent = true
}

// refund: when a refund takes its money is left open, and whether a failed one still counts.
func refund(p *play) bool {
	amount := partOf(p.step.Way, p.it.Amount-p.it.Refunded.Most)
	if !p.refundable(amount) || !p.inTime() {
		return false
	}
	p.requestRefund(language.TheAccount, amount.Decimal())
	more, _ := p.mixed("refund", nil)
	p.lines[len(p.lines)-1].Table = append(p.lines[len(p.lines)-1].Table, more...)
	p.accepted("refund", amount)
	p.refunded(amount)
	return true
}

// refunded makes a refund of the charge that was accepted.
func (p *play) refunded(amount money.Centavos) {
	p.it.Refunded.add(amount, amount)
	p.the().Funds.add(-amount-p.MostOut, 0)
	p.notRisen()
	p.the().Refunded = true
	state := api.Processing
	if !p.RefundsHeld {
		state = Unknown
		p.the().MayRise = true // if it fails
	}
	if p.Uncounted[api.Refund] { // no sentence can name it
		p.forget()
		return
	}
	p.make(Thing{Noun: "refund", Amount: amount, State: state, Of: p.it.Step, Request: p.requested()})
}

// requested is the table of the step's request; none if it states nothing.
func (p *play) requested() [][]string {
	i := slices.IndexFunc(p.lines, func(l Line) bool { return len(l.Table) > 0 })
	if i < 0 {
		return nil
	}
	return p.lines[i].Table
}

// refundContested: whether what is contested can be refunded is left open. Where it cannot, the walk ends.
func refundContested(p *play) bool {
	amount := p.it.Amount - p.it.Refunded.Most
	if !p.coversRefund(amount) {
		amount = min(amount, 1)
	}
	if !p.it.Contested || amount <= 0 || !p.coversRefund(amount) || !p.inTime() || p.Uncounted[api.Refund] {
		return false
	}
	p.when("the account has sent a refund with:")
	p.with("path e2eid", "the endToEndId of "+p.named(p.it))
	p.with("valor", `"`+amount.Decimal()+`"`)
	p.refunded(amount)
	return true
}

func refundTooMuch(p *play) bool {
	amount := p.it.Amount - p.it.Refunded.Least + 1
	if !p.refundable(amount) || !p.inTime() || !p.still(language.TheAccount) {
		return false
	}
	p.requestRefund(language.TheAccount, amount.Decimal())
	p.rejected("400")
	return true
}

func refundTooLate(p *play) bool {
	if !p.refundable(1) || p.it.Amount == p.it.Refunded.Most {
		return false
	}
	left := p.it.PaidAt + api.RefundDeadline + 2*day - p.Elapsed
	if left < day { // what is refunded later has been late before
		return false
	}
	p.passBy(left)
	p.requestRefund(language.TheAccount, money.Centavos(1).Decimal())
	p.rejected("422")
	return true
}

func refundAsOther(p *play) bool {
	if p.it.Account != language.TheAccount || !p.Accounts[language.TheOther].Open || !p.still(language.TheOther) || !p.inTime() || p.it.Amount == p.it.Refunded.Most {
		return false
	}
	p.requestRefund(language.TheOther, money.Centavos(1).Decimal())
	p.then("the request is rejected with 404")
	p.LastSent[language.TheOther] = 0
	return true
}

// refundSent: only what was received can be refunded.
func refundSent(p *play) bool {
	if !p.Webhooks || p.it.Returned > 0 || !p.coversRefund(1) || !p.still(language.TheAccount) { // by whose event it is known
		return false
	}
	event := api.PayloadCashOut
	if p.it.Noun == "transfer" {
		event = api.PayloadTransfer
	}
	p.returnTo(p.it)
	p.when("a %s event of %s arrives", event, p.named(p.it))
	p.when("the account sends a refund with:")
	p.with("path e2eid", "the endToEndId of the event")
	p.with("valor", `"0.01"`)
	p.then("the request is rejected with 404")
	p.envelope("refund", "404")
	p.forget()
	return true
}

func refundWrongly(p *play) bool {
	if !p.refundable(1_50) || !p.inTime() || !p.still(language.TheAccount) { // whichever of them it is
		return false
	}
	p.requestRefund(language.TheAccount, []string{"abc", "1.5", "1", "1.005", "1,00"}[p.luck()%5])
	more, _ := p.mixed("refund", nil)
	p.lines[len(p.lines)-1].Table = append(p.lines[len(p.lines)-1].Table, more...)
	p.rejected("400")
	return true
}

// lastReceived is the step that made the last charge that was paid. A refund that names none is of that one.
func (s *State) lastReceived() (step int) {
	for _, t := range s.Things {
		if t.State == api.Concluded || t.State == api.Confirmed && t.Makes == api.Charge {
			step = t.Step
		}
	}
	return step
}

func confirmRefund(p *play) bool {
	p.when("the bank confirms %s", p.named(p.it))
	p.it.State = api.Refunded
	if p.Webhooks {
		p.then("a REFUND event of %s arrives with:", p.named(p.it))
		p.with("data.status", quoted(api.EventRefunded))
		p.with("data.refunds", fmt.Sprintf("an item whose payment.amount is %v", p.it.Amount))
	}
	if p.it.Endpoints == p.Hooks.Endpoints { // the event may have come before the end
		p.arrivesEverywhere(p.it, api.TypeRefundIn, api.TypeRefundIn)
	}
	p.notRisen()
	p.the().Refunded = true
	return true
}

func rejectRefund(p *play) bool {
	p.when("the bank rejects %s", p.named(p.it))
	p.bankRejectsRefund(p.it)
	return true
}

func (s *State) bankRejectsRefund(t *Thing) {
	t.State = api.NotRefunded
	s.made(t.Of).Refunded.add(-t.Amount, 0)
	s.the().MayRise = true // when its money comes back is left open
}

// refundInVain requests a refund that the bank rejects. When that takes money, and when it comes back, is left open.
// The walk waits until the account has what it had before, and ends where it does not.
func refundInVain(p *play) bool {
	amount := partOf(p.step.Way, p.it.Amount-p.it.Refunded.Most)
	if !p.RefundsHeld || p.MostOut > 0 || !p.refundable(amount) || !p.inTime() || p.Uncounted[api.Refund] || !p.still(language.TheAccount) {
		return false
	}
	p.when("the account has sent a refund with:")
	p.with("path e2eid", "the endToEndId of "+p.named(p.it))
	p.with("valor", `"`+amount.Decimal()+`"`)
	p.it.Refunded.add(0, amount)
	p.the().Refunded, p.Sent = true, true
	t := p.make(Thing{Noun: "refund", Amount: amount, State: api.NotRefunded, Of: p.it.Step})
	p.when("the bank rejects %s", p.named(t))
	p.given("the available balance is unchanged")
	return true
}

func finishRefundAgain(p *play) bool {
	p.when("the bank tries to %s %s", p.step.Way, p.named(p.it))
	p.then("%s is %s", p.named(p.it), p.it.State)
	return true
}

func lookAtRefund(p *play) bool {
	p.then("%s is %s", p.named(p.it), p.it.State)
	return true
}

// refundAgain sends a refund again that has not failed. Whether that is accepted is left open: if so, it is the first
// one, as it was answered then or as it is now, and nothing more is refunded.
func refundAgain(p *play) bool {
	t, charge := p.it, p.made(p.it.Of)
	if len(t.Request) == 0 || p.Uncounted[api.Refund] || !p.refundableOf(charge, t.Amount) || !p.inTimeOf(charge) {
		return false // it may be rejected for another reason
	}
	p.sendRefundAgain(t, t.Request)
	p.then("the request is accepted, or rejected with 400 or 409")
	p.then("if the request was accepted, the response has:")
	p.with("id", "the id of "+p.named(t))
	p.with("rtrId", "the rtrId of "+p.named(t))
	p.with("valor", `"`+t.Amount.Decimal()+`"`)
	p.with("status", quoted(slices.Compact(states{api.Processing, t.State})...))
	p.then("%s is %s", p.named(t), t.State)
	p.notRisen()
	p.Uncounted[api.Refund] = true // sentences count it if it was accepted
	p.forget()
	return true
}

// refundOtherAmount: what becomes of another amount under the same id is left open, but not of the first one.
func refundOtherAmount(p *play) bool {
	t, charge := p.it, p.made(p.it.Of)
	amount := t.Amount + 1
	if len(t.Request) == 0 || p.Uncounted[api.Refund] || charge.Amount-charge.Refunded.Most < amount || !p.refundableOf(charge, amount) || !p.inTimeOf(charge) {
		return false
	}
	p.sendRefundAgain(t, [][]string{t.Request[0], {"valor", `"` + amount.Decimal() + `"`}})
	p.then("the request is accepted, or rejected with 400 or 409 or 422")
	p.then("%s is %s", p.named(t), t.State)
	charge.Refunded.add(0, amount)
	p.the().Funds.add(-amount-p.MostOut, 0)
	p.the().Refunded, p.Uncounted[api.Refund] = true, true
	p.the().MayRise = p.the().MayRise || !p.RefundsHeld
	p.forget()
	return true
}

// sendRefundAgain sends a refund under the id of another one.
func (p *play) sendRefundAgain(t *Thing, rows [][]string) {
	p.when("the account sends a refund with:")
	p.lines[len(p.lines)-1].Table = append(slices.Clone(rows), []string{"path id", "the id of " + p.named(t)})
	p.Sent = true
}
