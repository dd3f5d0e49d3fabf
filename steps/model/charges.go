package model

import (
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

func charge(p *play) {
	noun := p.step.Move.Noun
	p.needs(p.gw.Settings.serves(noun) && !p.refs.Uncounted[api.Charge])
	amount := p.amount()
	p.needs(amount != 0)
	body := bodyOf(p)
	p.request(body, amount)
	p.accepted(noun, amount)
	if noun == "cob" {
		echoed(p, body)
	}
	p.noteBody(p.demand(amount), body)
	if p.who == language.TheAccount {
		p.unmoved()
	}
}

func failToCharge(p *play) {
	p.needs(p.gw.Settings.ProviderDown)
	p.when("the account sends a cash-in of %v", p.amount())
	p.rejected("500 " + string(api.HTTPError))
}

func chargeAgain(p *play) {
	t := p.it
	p.needs(!p.refs.Focused && t.ID == p.refs.LastSent[t.Account] && p.gw.Settings.serves(t.Noun))
	p.when("%v sends the request again", t.Account)
	p.then("the request is rejected with %s", rejectedFor(t.Noun, spec.Duplicate))
	p.refs.Last = [4]int{}
}

// useIDAgain: an id is unique, whatever has become of its charge.
func useIDAgain(p *play) {
	t, noun, field, id := p.it, "cash-in", "transaction.externalId", "transaction.externalId"
	if t.Noun == "cob" {
		noun, field, id = "cob", "path txid", "txid"
	}
	p.needs(t.Account == language.TheAccount && p.gw.Settings.serves(noun))
	p.when("the account sends a %s with %s the %s of %s", noun, field, id, p.refs.named(t))
	p.rejected(rejectedFor(t.Noun, spec.Duplicate))
}

// payCharge pays a charge. Whether the fee is taken from it or on top is unspecified.
func payCharge(p *play) {
	t := p.it
	p.needs(t.kept() > p.gw.Fees.MostIn)
	p.when("%s pays %s", p.step.Way, p.refs.named(t))
	p.receive(t)
	switch {
	case !p.gw.Hooks.EveryType || t.Account != language.TheAccount:
	case t.Noun != "cob": // whose payload is not shown
		p.then("a cash_in event of %s arrives", p.refs.named(t))
	default:
		p.then("a RECEIVE event of %s arrives with:", p.refs.named(t))
		p.with("data.status", quoted(api.EventLiquidated))
		p.with("data.debtorAccount.document", "masked")
		p.with("data.txId", "the txid of "+p.refs.named(t))
		p.with("data.payment.amount", spellings(t.Amount))
		p.with("data.endToEndId", "the endToEndId of "+p.refs.named(t))
	}
}

func payAtOnce(p *play) {
	t := p.it
	p.needs(p.refs.Last[api.Charge] == t.ID && t.Account == language.TheAccount && t.kept() > p.gw.Fees.MostIn)
	p.when("a payer pays the charge 4 times concurrently")
	p.receive(t)
}

func payOnceMore(p *play) {
	p.when("a payer tries to pay %s", p.refs.named(p.it))
	p.unmoved()
}

func remove(p *play) {
	t := p.it
	p.when("the %s removes %s", p.step.Way, p.refs.named(t))
	p.gw.happen(t, map[string]spec.Happening{"PSP": spec.PSPRemoves, "receiver": spec.ReceiverRemoves}[p.step.Way], spec.IsDone)
	p.unmoved()
}

func removeAgain(p *play) {
	p.when("the %s tries to remove %s", p.step.Way, p.refs.named(p.it))
	lookAtState(p)
	p.unmoved()
}

// lookAtState looks at the state of a charge or a refund.
func lookAtState(p *play) { p.then("%s is %s", p.refs.named(p.it), p.it.State) }

// lookAtListed looks for a charge in the list of transactions. Sentences say of the last that was made how it is listed.
func lookAtListed(p *play) {
	t := p.it
	p.needs(t.Account == language.TheAccount && p.refs.isLastMade(t) && !p.refs.Uncounted[api.Payment] && p.gw.Time.Elapsed-t.MadeAt <= window)
	listedAs(p, t, api.PixIn.Label(), api.Credit, "the transaction.externalId sent")
}

// leastLife is how long charges last that every provider accepts: the minimum of some is a day.
const leastLife = day

// payLast creates a charge and lets nearly all of its time pass before it is paid.
func payLast(p *play) {
	amount := p.amount()
	lasts, says := pick(p, []int{3631, 5400, 86400, 172800, int(api.MostCashIn.Seconds())}), "has sent"
	if p.step.Move.Noun == "cash-in" {
		lasts, says = max(lasts, int(leastLife.Seconds())), "sends"
	}
	payWithin(p, amount, says, lasts, time.Duration(lasts-10)*time.Second)
}

// paySoon creates a charge that lasts for less than a minute.
func paySoon(p *play) {
	if p.step.Move.Noun == "cash-in" {
		p.when("%s", anyLifetime)
	}
	payWithin(p, p.amount(), "has sent", 59, 0) // much longer than its two requests take
}

// payWithin creates a charge that lasts for some seconds, and pays it before. If the account "has sent" it, the walk ends
// where it is rejected: the bounds of calendario.expiracao are unspecified.
func payWithin(p *play, amount money.Centavos, says string, lasts int, passes time.Duration) {
	op := api.MustNamed(p.step.Move.Noun)
	p.needs(!p.gw.Settings.ProviderDown && !p.refs.Uncounted[api.Charge] && amount > p.gw.Fees.MostIn)
	p.requestAs(says, language.ValidRequest{Rows: [][]string{{api.Lifetimes[op.ID].Field, fmt.Sprint(lasts)}}}, amount)
	if says == "sends" {
		p.accepted(op.Noun, amount)
		p.with("expirationDate", fmt.Sprintf("%d seconds after generateTime", lasts))
	}
	t := p.demand(amount)
	if passes > 0 {
		p.gw.expireAfter(t, time.Duration(lasts)*time.Second)
		p.passBy(passes)
	}
	p.when("a payer tries to pay %s", p.refs.named(t))
	p.receive(t)
}

// anyLifetime has the provider take every expirationTime that the specification allows.
var anyLifetime = fmt.Sprintf("the PIX provider's minimum expirationTime is %.0f seconds", api.LeastCashIn.Seconds())

// minimums are some that providers have, in seconds.
var minimums = []int{60, 90, 300, 3600, 86400}

// requestFor requests a charge for some seconds more than the provider's minimum, in a mixed body.
func requestFor(p *play, more int, amount money.Centavos, rows ...[]string) (lasts int) {
	minimum := pick(p, minimums)
	lasts = minimum + more
	rows = append(rows, []string{api.Lifetimes["cashIn"].Field, fmt.Sprint(lasts)})
	others, _ := p.mixed("cash-in", rows)
	p.when("the PIX provider's minimum expirationTime is %d seconds", minimum)
	p.request(language.ValidRequest{Rows: append(others, rows...)}, amount)
	return lasts
}

func chargeBelowMinimum(p *play) {
	p.needs(!p.gw.Settings.ProviderDown)
	requestFor(p, -1, p.amount())
	p.rejected("400")
	p.then("the response has:")
	p.with("errorCode", quoted(api.ExpirationBelowMinimum))
	p.when("%s", anyLifetime)
}

func chargeForMinimum(p *play) {
	p.needs(!p.gw.Settings.ProviderDown && !p.refs.Uncounted[api.Charge])
	amount := p.amount()
	lasts := requestFor(p, 0, amount, []string{"splits", "absent"})
	p.accepted("cash-in", amount)
	p.with("expirationDate", fmt.Sprintf("%d seconds after generateTime", lasts))
	p.gw.expireAfter(p.demand(amount), time.Duration(lasts)*time.Second)
	p.when("%s", anyLifetime)
}
