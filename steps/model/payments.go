package model

import (
	"fmt"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// rejectedFor is how an order is rejected for a reason, as sentences spell it.
func rejectedFor(noun string, reason spec.Answer) string {
	statuses, code := spec.RejectedAs(api.MustNamed(noun), reason)
	if code != "" {
		return code.Refusal()
	}
	return spelled(statuses)
}

// spelled are statuses of which a response has one: "400 or 409".
func spelled(statuses []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(statuses), " ", " or "), "[]")
}

func pay(p *play) { payAmount(p, p.amount()) }

func payAmount(p *play, amount money.Centavos) {
	p.needs(p.canPay(amount))
	body := bodyOf(p)
	p.request(body, amount)
	p.accepted(p.step.Move.Noun, amount)
	p.noteBody(p.spend(amount), body)
}

// payWith sends a payment whose request has more rows.
func payWith(p *play, rows ...[]string) *Thing {
	amount := p.amount()
	p.needs(p.canPay(amount))
	p.request(language.ValidRequest{Rows: rows}, amount)
	p.accepted(p.step.Move.Noun, amount)
	return p.spend(amount)
}

// payKeyAgain: "the payee's key" is that of the last request, and has to be of the kind that a cash-out
// has by itself.
func payKeyAgain(p *play) {
	if p.step.Way == "the other account" {
		p.who = language.TheOther
	}
	p.needs(!p.refs.OddKey && p.gw.Things.hasSent())
	payWith(p, []string{"details.key", "the payee's key"})
}

// payCodeAgain pays a static code, which may be paid any number of times, once more.
func payCodeAgain(p *play) {
	p.needs(p.refs.of(p.it).StaticCode && p.refs.LastSent[language.TheAccount] == p.it.ID)
	t := payWith(p, []string{"qrCode", "the account's qrCode"})
	p.refs.of(t).StaticCode = true
}

// ids are externalIds of some lengths and alphabets. Which of them a gateway takes is unspecified: where it rejects one,
// the walk ends.
var ids = []string{
	"a random string of 60 letters and digits", "a random string of 100 letters and digits", aUUID,
	"a random string of 30 characters with a hyphen", "a random string of 30 characters with an underscore",
	"a random string of 30 letters and digits starting with E", "a random string of 30 letters and digits starting with D", // as endToEndIds do
	"a random string of 20 characters with an accent", "a random string of 20 characters with an emoji",
	"a random string of 20 characters with a space", "a random string of 20 characters with a plus", "a random string of 20 characters with a percent sign",
}

const aUUID = "a random UUID"

func payUnder(p *play) {
	amount := p.amount()
	p.needs(p.canPay(amount))
	p.requestAs("has sent", language.ValidRequest{Rows: [][]string{{"externalId", p.step.Way}}}, amount)
	p.refs.of(p.spend(amount)).RandomID = p.step.Way != aUUID // of which a part may be no valid externalId
}

// payUnderNearly: an externalId that is a character shorter is another one, and as valid.
func payUnderNearly(p *play) {
	p.needs(p.refs.of(p.it).RandomID && !p.refs.of(p.it).SharedID && p.refs.LastSent[language.TheAccount] == p.it.ID)
	t := payWith(p, []string{"externalId", "the account's externalId without the last character"})
	p.refs.of(t).RandomID = true
}

func overdraw(p *play) {
	funds, noun := p.gw.the().Funds, p.step.Move.Noun
	amount := funds.Most + 1
	if p.step.Way == tooMuch[1] {
		amount = funds.Most - p.gw.Fees.Out + 1
	}
	possible := p.gw.moneySettled(language.TheAccount) && funds.Most < money.Most/2 && amount > 0 && p.gw.withinLimits(amount+p.gw.Fees.Out, "") &&
		(p.step.Way != tooMuch[1] || p.gw.Fees.Out > 0) && p.gw.Settings.serves(noun)
	p.needs(possible)
	requestInVain(p, amount)
	p.rejected(rejectedFor(noun, spec.Insufficient))
}

// requestInVain sends a valid request in the body of the step, which is rejected for its amount.
func requestInVain(p *play, amount money.Centavos) {
	body := bodyOf(p)
	odd := len(body.Rows) > 0
	if p.step.Move.Noun == "cash-out" && !odd && !p.refs.OddKey && p.gw.Things.hasSent() && !p.oneIn(2) { // who was paid before is no exception
		body.Rows = [][]string{{"details.key", "the payee's key"}}
	}
	p.request(body, amount)
	p.refs.OddKey = p.refs.OddKey || p.step.Move.Noun == "cash-out" && odd
}

// failToPay: what a gateway keeps of an order that failed with 500 is unspecified.
func failToPay(p *play) {
	amount := p.amount()
	p.needs(p.gw.Settings.ProviderDown && p.gw.Fees.Known && p.gw.affords(language.TheAccount, amount+p.gw.Fees.Out))
	p.when("the account sends a QR cash-out of %v", amount)
	p.rejected("500")
	p.gw.mayPay(p.step.ID, amount+p.gw.Fees.Out, true)
}

// sendAtOnce: of the same request, sent several times at once, one is accepted.
func sendAtOnce(p *play) {
	noun := p.step.Move.Noun
	amount := p.amount()
	makes := api.MustNamed(noun).Makes
	p.needs(!p.gw.Settings.ProviderDown && !p.refs.Uncounted[makes])
	if makes == api.Payment { // so that the others are rejected for no other reason
		p.needs(p.canPay(amount) && p.gw.affords(language.TheAccount, 8*(amount+p.gw.Fees.Out)))
	}
	p.when("the account sends the same %s of %v in 8 concurrent requests", noun, amount)
	p.then("one request is accepted")
	p.then("the others are rejected with %s", rejectedFor(noun, spec.Duplicate))
	if makes == api.Payment {
		p.spend(amount)
	} else {
		p.demand(amount)
	}
	p.refs.clear()
}

// payAgain: the request would be accepted if its externalId were not used.
func payAgain(p *play) {
	p.needs(!p.refs.of(p.it).TokenExpired && p.gw.Settings.serves(p.it.Noun))
	p.needs(p.gw.moneySettled(language.TheAccount) && p.gw.affords(language.TheAccount, p.it.Amount+p.gw.Fees.Out))
	p.returnTo(p.it)
	p.when("the account sends the request again")
	p.rejected(rejectedFor(p.it.Noun, spec.Duplicate))
	if p.it.Noun == "cash-out" {
		p.refs.OddKey = p.refs.of(p.it).KeyKindUnknown
		p.then("the response has:")
		p.with("details.externalId", "the externalId sent")
		p.with("details.existingTransactionId", "a non-empty string")
	}
}

// transferAgain: for how long a key is remembered is unspecified. Sentences count the response as another
// payment.
func transferAgain(p *play) {
	p.needs(!p.refs.of(p.it).TokenExpired && p.gw.Time.Elapsed <= 0 && !p.refs.Uncounted[api.Payment])
	p.returnTo(p.it)
	p.when("the account sends the request again")
	p.then("the request is accepted")
	p.unmoved()
	p.refs.made(p.gw.repeatTransfer(p.step.ID, p.it))
	p.refs.LastSent[language.TheAccount] = 0
}

// payOtherAmount: with which code a used externalId is rejected if the order is another one is unspecified.
func payOtherAmount(p *play) {
	amount := p.it.Amount + 1
	p.needs(!p.refs.of(p.it).TokenExpired && p.gw.moneySettled(language.TheAccount) && p.gw.affords(language.TheAccount, amount+p.gw.Fees.Out))
	p.returnTo(p.it)
	p.when("the account sends the request again with value %s", amount.Decimal())
	p.refs.OddKey = p.refs.of(p.it).KeyKindUnknown
	p.rejected("400")
}

// transferOtherAmount: whether it returns the first transfer or is rejected is unspecified.
func transferOtherAmount(p *play) {
	p.needs(!p.refs.of(p.it).TokenExpired && p.gw.Time.Elapsed <= 0 && !p.refs.Uncounted[api.Payment])
	p.returnTo(p.it)
	p.when("the account sends the request again with payment.amount %s", (p.it.Amount + 1).Decimal())
	p.then("the request is accepted, or rejected with 400 or 409 or 422")
	p.unmoved()
	p.refs.Uncounted[api.Payment] = true
	p.refs.clear()
}
