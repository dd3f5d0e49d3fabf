package model

import (
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// duplicates are how a second request for the same thing is rejected, by noun.
var duplicates = map[string]string{
	"cash-out": api.DuplicateExternalID.Refusal(), "QR cash-out": "409", "cob": "409", "cash-in": "400 or 409", "split cash-in": "400 or 409",
}

func pay(p *play) bool        { return p.pay(language.TheAccount) }
func payAsOther(p *play) bool { return p.pay(language.TheOther) }

func (p *play) pay(who language.Account) bool {
	amount := p.amountOf(who, p.feeOf(who))
	if !p.canPay(who, amount) {
		return false
	}
	body := p.bodyOf(who)
	p.request(who, body, amount)
	p.accepted(p.step.Move.Noun, amount)
	p.noteBody(p.spend(who, amount), body)
	return true
}

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
	p.accepted("cash-out", amount)
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
	p.accepted("QR cash-out", amount)
	p.spend(language.TheAccount, amount).Plain = true
	return true
}

// ids are externalIds of some lengths and alphabets. Which of them a gateway takes is left open: where it rejects one,
// the walk ends.
var ids = []string{
	"a random string of 60 letters and digits", "a random string of 100 letters and digits", aUUID,
	"a random string of 30 characters with a hyphen", "a random string of 30 characters with an underscore",
	"a random string of 30 letters and digits starting with E", "a random string of 30 letters and digits starting with D", // as endToEndIds do
	"a random string of 20 characters with an accent", "a random string of 20 characters with an emoji",
	"a random string of 20 characters with a space", "a random string of 20 characters with a plus", "a random string of 20 characters with a percent sign",
}

const aUUID = "a random UUID"

func payUnder(p *play) bool {
	amount := p.amountOf(language.TheAccount, p.FeeOut)
	if !p.canPay(language.TheAccount, amount) {
		return false
	}
	p.when("the account has sent a %s with:", p.step.Move.Noun)
	p.with("value", amount.Decimal())
	p.with("externalId", p.step.Way)
	p.spend(language.TheAccount, amount).Random = p.step.Way != aUUID // of which a part may be no valid externalId
	return true
}

// payUnderNearly: an externalId that is a character shorter is another one, and as valid.
func payUnderNearly(p *play) bool {
	amount := p.amountOf(language.TheAccount, p.FeeOut)
	if !p.it.Random || p.it.Shared || p.LastSent[language.TheAccount] != p.it.Step || !p.canPay(language.TheAccount, amount) {
		return false
	}
	p.when("the account sends a %s with:", p.step.Move.Noun)
	p.with("value", amount.Decimal())
	p.with("externalId", "the account's externalId without the last character")
	p.accepted(p.step.Move.Noun, amount)
	p.spend(language.TheAccount, amount).Random = true
	return true
}

func (s *State) feeOf(who language.Account) money.Centavos {
	if who == language.TheOther {
		return 0
	}
	return s.FeeOut
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
	t.State = api.Pending
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
	p.requestInVain(amount)
	p.rejected(map[string]string{"cash-out": api.InsufficientBalance.Refusal(), "QR cash-out": "400", "transfer": "422"}[noun])
	return true
}

// requestInVain sends a valid request in the body of the step, which is rejected for its amount.
func (p *play) requestInVain(amount money.Centavos) {
	body := p.bodyOf(language.TheAccount)
	odd := len(body.Rows) > 0
	if p.step.Move.Noun == "cash-out" && !odd && !p.OddKey && p.hasSent() && p.luck()%2 == 1 { // who was paid before is no exception
		body.Rows = [][]string{{"details.key", "the payee's key"}}
	}
	p.request(language.TheAccount, body, amount)
	p.OddKey = p.OddKey || p.step.Move.Noun == "cash-out" && odd
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
	p.forget()
	return true
}

// payAgain: the request would be accepted if its externalId were not used.
func payAgain(p *play) bool {
	if p.it.Expired || !p.still(language.TheAccount) || !p.affords(language.TheAccount, p.it.Amount+p.FeeOut) || p.it.Noun == "QR cash-out" && p.ProviderDown {
		return false
	}
	p.returnTo(p.it)
	p.when("the account sends the request again")
	p.rejected(duplicates[p.it.Noun])
	if p.it.Noun == "cash-out" {
		p.OddKey = p.it.Odd
		p.then("the response has:")
		p.with("details.externalId", "the externalId sent")
		p.with("details.existingTransactionId", "a non-empty string")
	}
	return true
}

// returnTo makes an earlier payment the one that sentences speak of next.
func (p *play) returnTo(t *Thing) {
	p.when("the scenario returns to %s", p.named(t))
	p.LastSent[t.Account], p.LastHook, p.Last[api.Payment], p.Meant = 0, 0, t.Step, true
}

// transferAgain: for how long a key is remembered is left open. Sentences count the response as another
// payment.
func transferAgain(p *play) bool {
	if p.it.Expired || p.Elapsed > 0 || p.Uncounted[api.Payment] {
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

// payOtherAmount: with which code a used externalId is rejected if the order is another one is left open.
func payOtherAmount(p *play) bool {
	amount := p.it.Amount + 1
	if p.it.Expired || !p.still(language.TheAccount) || !p.affords(language.TheAccount, amount+p.FeeOut) {
		return false
	}
	p.returnTo(p.it)
	p.when("the account sends the request again with value %s", amount.Decimal())
	p.OddKey = p.it.Odd
	p.rejected("400")
	return true
}

// transferOtherAmount: whether it returns the first transfer or is rejected is left open.
func transferOtherAmount(p *play) bool {
	if p.it.Expired || p.Elapsed > 0 || p.Uncounted[api.Payment] {
		return false
	}
	p.returnTo(p.it)
	p.when("the account sends the request again with payment.amount %s", (p.it.Amount + 1).Decimal())
	p.then("the request is accepted, or rejected with 400 or 409 or 422")
	p.unmoved()
	p.Uncounted[api.Payment] = true
	p.forget()
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
