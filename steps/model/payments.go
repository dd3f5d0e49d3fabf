package model

import (
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// duplicates are how a second request for the same thing is rejected, by noun.
var duplicates = map[string]string{
	"cash-out": "400 PIX_DUPLICATE_EXTERNAL_ID", "QR cash-out": "409", "cob": "409", "cash-in": "400 or 409", "split cash-in": "400 or 409",
}

func pay(p *play) bool        { return p.pay(language.TheAccount) }
func payAsOther(p *play) bool { return p.pay(language.TheOther) }

func (p *play) pay(who language.Account) bool {
	amount := p.amountOf(who, p.feeOf(who))
	if !p.canPay(who, amount) {
		return false
	}
	p.when("%v sends a %s of %v", who, p.step.Move.Noun, amount)
	p.then("the request is accepted")
	switch t := p.spend(who, amount); t.Noun {
	case "transfer":
		t.Lasts = queued
	case "cash-out":
		p.OddKey = false
	case "QR cash-out":
		t.Plain = true
	}
	return true
}

// queued is how long a transfer waits in the queue, unless it says otherwise (Limits, expiration).
const queued = 600 * time.Second

// payKeyAgain: "the payee's key" is that of the last request, and has to be of the kind that a cash-out
// has by itself.
func payKeyAgain(p *play) bool {
	who := language.TheAccount
	if p.step.Way == "the other account" {
		who = language.TheOther
	}
	amount := p.amountOf(who, p.feeOf(who))
	if p.OddKey || !p.hasSent() || !p.canPay(who, amount) {
		return false
	}
	p.when("%v sends a cash-out with:", who)
	p.with("value", amount.Decimal())
	p.with("details.key", "the payee's key")
	p.then("the request is accepted")
	p.spend(who, amount)
	return true
}

// payCodeAgain pays a static code, which may be paid any number of times, once more.
func payCodeAgain(p *play) bool {
	amount := p.amountOf(language.TheAccount, p.FeeOut)
	if !p.it.Plain || p.LastSent[language.TheAccount] != p.it.Step || !p.canPay(language.TheAccount, amount) {
		return false
	}
	p.when("the account sends a QR cash-out with:")
	p.with("value", amount.Decimal())
	p.with("qrCode", "the account's qrCode")
	p.then("the request is accepted")
	p.spend(language.TheAccount, amount).Plain = true
	return true
}

// settleExpired: what becomes of a transfer that has expired is left open, but it is not settled.
func settleExpired(p *play) bool {
	if !p.Webhooks {
		return false
	}
	p.returnTo(p.it)
	p.when("the bank tries to confirm %s", p.named(p.it))
	p.then("no event reports it as LIQUIDATED")
	p.it.State = Unknown
	return true
}

func (p *play) feeOf(who language.Account) money.Centavos {
	if who == language.TheOther {
		return 0
	}
	return p.FeeOut
}

// canPay reports whether a payment is surely accepted.
func (p *play) canPay(who language.Account, amount money.Centavos) bool {
	noun := p.step.Move.Noun
	return p.FeesKnown && p.LimitsKnown && p.affords(who, amount+p.feeOf(who)) && amount > 0 && !p.Uncounted[api.Payment] &&
		(noun != "transfer" || p.Key) && (noun != "QR cash-out" || !p.ProviderDown)
}

// spend makes a payment that was accepted, and takes its money. When its fee is taken is left open. If it
// does not wait for the bank, so is when it is settled, and how.
func (p *play) spend(who language.Account, amount money.Centavos) *Thing {
	t := p.make(Thing{Account: who, Amount: amount, Fee: p.feeOf(who)})
	p.Sent = true
	a := &p.Accounts[who]
	a.Spent.Most += amount
	if t.Noun == "cash-out" {
		a.Spent.Least += amount
	}
	if who != language.TheAccount || !p.Held {
		a.Funds.add(-amount-t.Fee, 0)
		a.MayRise, a.MayFall = true, true
		return t
	}
	t.State = "PENDING"
	a.Funds.add(-amount-t.Fee, -amount)
	if p.calm(who) {
		p.falls("available", amount, amount+t.Fee)
	}
	if p.calm(who) && t.Noun == "transfer" && p.MostOut == 0 {
		p.then("the blocked balance rises by %v", amount)
	}
	return t
}

// falls says by how much the available or the blocked balance falls.
func (p *play) falls(part string, least, most money.Centavos) {
	if least == most {
		p.then("the %s balance falls by %v", part, least)
		return
	}
	p.then("the %s balance falls by %v to %v", part, least, most)
}

// unmoved says that the account's money has not moved, if that can be said.
func (p *play) unmoved() {
	if p.calm(language.TheAccount) {
		p.then("the available balance is unchanged")
	}
}

// notFallen and notRisen say half of that.
func (p *play) notFallen() {
	if a := p.the(); p.FeesKnown && !a.MayFall && !a.Refunded {
		p.then("the available balance does not fall")
	}
}

func (p *play) notRisen() {
	if p.FeesKnown && !p.the().MayRise {
		p.then("the available balance does not rise")
	}
}

func overdraw(p *play) bool {
	funds, noun := p.the().Funds, p.step.Move.Noun
	amount := funds.Most + 1
	if p.step.Way == tooMuch[1] {
		amount = funds.Most - p.FeeOut + 1
	}
	possible := p.still(language.TheAccount) && funds.Most < money.Most/2 && amount > 0 && p.withinLimits(amount+p.FeeOut) &&
		(p.step.Way != tooMuch[1] || p.FeeOut > 0) && (noun != "transfer" || p.Key) && (noun != "QR cash-out" || !p.ProviderDown)
	if !possible {
		return false
	}
	p.when("the account sends a %s of %v", noun, amount)
	p.rejected(map[string]string{"cash-out": "400 PIX_INSUFFICIENT_BALANCE", "QR cash-out": "400", "transfer": "422"}[noun])
	return true
}

// failToPay: what a gateway keeps of an order that failed with 500 is left open.
func failToPay(p *play) bool {
	amount := p.amountOf(language.TheAccount, 0)
	if !p.ProviderDown || !p.FeesKnown || !p.affords(language.TheAccount, amount+p.FeeOut) {
		return false
	}
	p.when("the account sends a QR cash-out of %v", amount)
	p.rejected("500")
	p.the().Funds.add(-amount-p.FeeOut, 0)
	p.the().Spent.Most += amount
	p.the().MayFall, p.the().MayRise = true, true
	return true
}

// sendAtOnce: of the same request, sent several times at once, one is accepted.
func sendAtOnce(p *play) bool {
	noun := p.step.Move.Noun
	amount := p.amountOf(language.TheAccount, p.FeeOut)
	makes := api.MustNamed(noun).Makes
	switch {
	case !p.the().Open || p.ProviderDown || p.Uncounted[makes]:
		return false
	case makes == api.Payment && (!p.canPay(language.TheAccount, amount) || !p.affords(language.TheAccount, 8*(amount+p.FeeOut))):
		return false // so that the others are rejected for no other reason
	}
	p.when("the account sends the same %s of %v in 8 concurrent requests", noun, amount)
	p.then("one request is accepted")
	p.then("the others are rejected with %s", duplicates[noun])
	if makes == api.Payment {
		p.spend(language.TheAccount, amount)
	} else {
		p.demand(language.TheAccount, amount)
	}
	p.LastSent[language.TheAccount], p.Last = 0, [4]int{}
	return true
}

// payAgain: the request would be accepted if its externalId were not used.
func payAgain(p *play) bool {
	if !p.still(language.TheAccount) || !p.affords(language.TheAccount, p.it.Amount+p.FeeOut) || p.it.Noun == "QR cash-out" && p.ProviderDown {
		return false
	}
	p.returnTo(p.it)
	p.when("the account sends the request again")
	p.rejected(duplicates[p.it.Noun])
	if p.it.Noun == "cash-out" {
		p.then("the response has:")
		p.with("details.externalId", "the externalId sent")
		p.with("details.existingTransactionId", "a non-empty string")
	}
	return true
}

// returnTo makes an earlier payment the one that sentences speak of next.
func (p *play) returnTo(t *Thing) {
	p.when("the scenario returns to %s", p.named(t))
	p.LastSent[t.Account], p.LastHook, p.Last[api.Payment] = 0, 0, t.Step
}

// transferAgain: for how long a key is remembered is left open. Sentences count the response as another
// payment.
func transferAgain(p *play) bool {
	if p.Elapsed > 0 || p.Uncounted[api.Payment] {
		return false
	}
	p.returnTo(p.it)
	p.when("the account sends the request again")
	p.then("the request is accepted")
	p.unmoved()
	p.make(Thing{Amount: p.it.Amount, State: Unknown})
	p.LastSent[language.TheAccount] = 0
	return true
}

// confirm: whether the fee is taken now or was taken before is left open.
func confirm(p *play) bool {
	t := p.it
	p.when("the bank confirms %s", p.named(t))
	if t.Noun == "transfer" {
		t.State = "COMPLETED"
	} else {
		t.State = "CONFIRMED"
	}
	p.reports(t, "CONFIRMED", "")
	switch {
	case t.Fee == 0:
		p.unmoved()
	case p.calm(language.TheAccount):
		p.falls("available", 0, t.Fee)
	}
	p.the().MayFall = p.the().MayFall || t.Fee > 0
	if p.calm(language.TheAccount) && t.Noun == "transfer" && p.MostOut == 0 {
		p.falls("blocked", t.Amount, t.Amount)
	}
	return true
}

// reports says that an event reports the outcome of a payment. How one reports that a transfer failed is
// left open.
func (p *play) reports(t *Thing, status, code string) {
	switch {
	case !p.Webhooks || t.Noun == "transfer" && status != "CONFIRMED":
	case t.Noun == "transfer":
		p.then("a TRANSFER event of %s arrives with:", p.named(t))
		p.with("data.status", `"LIQUIDATED"`)
		p.with("data.payment.amount", spellings(t.Amount))
		p.with("data.creditDebitType", `"DEBIT"`)
	default:
		p.then("a CashOut event of %s arrives with:", p.named(t))
		p.with("status", `"`+status+`"`)
		p.with("originalAmount", t.Amount)
		p.with("feeAmount", t.Fee)
		p.with("externalId", "the externalId sent")
		if status == "CONFIRMED" {
			p.with("finalAmount", t.Amount+t.Fee)
			p.with("errorCode", "null")
		} else {
			p.with("errorCode", `"`+code+`"`)
			p.with("errorMessage", "a non-empty string")
		}
		p.arrivesEverywhere(t, "CashOut", "cash_out")
	}
}

// reject: when the money comes back is left open.
func reject(p *play) bool {
	t := p.it
	p.when("the bank rejects %s with %s", p.named(t), p.step.Way)
	t.State = "ERROR"
	p.reports(t, "ERROR", p.step.Way)
	p.notFallen()
	p.the().Funds.add(0, t.Amount+t.Fee)
	p.the().MayRise = true
	if t.Noun == "cash-out" {
		p.the().Spent.Least = max(0, p.the().Spent.Least-t.Amount)
	}
	return true
}

// settleAgain tries what has happened already.
func settleAgain(p *play) bool {
	if p.it.State == "ERROR" {
		p.when("the bank tries to reject %s with ORDER_REJECTED", p.named(p.it))
	} else {
		p.when("the bank tries to confirm %s", p.named(p.it))
	}
	p.notFallen()
	return true
}

func giveBack(p *play) bool {
	t := p.it
	amount := partOf(p.step.Way, t.Amount-t.Returned)
	if amount <= p.FeeIn || !p.Webhooks { // whose event tells the payee which payment it is
		return false
	}
	event := "CashOut"
	if t.Noun == "transfer" {
		event = "TRANSFER"
	}
	p.returnTo(t)
	p.when("a %s event of %s arrives", event, p.named(t))
	p.when("the payee returns %v", amount)
	p.rises(amount-p.FeeIn, amount)
	if t.Noun != "transfer" && p.Fresh {
		p.arrives("refund_out", p.Returns > 0)
	}
	p.Returns++
	t.Returned += amount
	p.the().Funds.add(amount-p.FeeIn, amount)
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

// labels are the states of listed payments, as lists call them.
var labels = map[string]string{"PENDING": "Pendente", "CONFIRMED": "Confirmado", "ERROR": "Error"}

func lookAtPayment(p *play) bool {
	t := p.it
	if t.Account != language.TheAccount || p.Elapsed-t.MadeAt > month {
		return false
	}
	p.returnTo(t)
	p.then("the payment is listed with:")
	p.with("status", `"`+labels[t.State]+`"`)
	p.with("operationType", `"Pix out"`)
	p.with("movementType", `"DEBIT"`)
	p.with("originalAmount", t.Amount)
	p.with("externalId", "the externalId sent")
	p.with("counterpart.document", "masked")
	return true
}

// putAnother puts another key into the directory, to which later transfers go.
func putAnother(p *play) bool {
	if !p.the().Open {
		return false
	}
	p.Key = true
	p.when("the key directory has a new %s", p.step.Way)
	return true
}
