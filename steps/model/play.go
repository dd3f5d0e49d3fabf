package model

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// What moves of several themes do: transitions of the gateway with what sentences can refer to afterwards.

// amount is the amount of a step: one that no other step has, the least there is, that of the last of its
// kind, or all that is left besides a fee; 0 if there is none.
func (p *play) amount() money.Centavos {
	own := 7_00 + money.Centavos(p.step.ID) + 100*money.Centavos(p.below(8)) // drawn in every way, so that what is drawn next does not depend on it
	switch funds := p.gw.Accounts[p.who].Funds; {
	case p.step.Way == "all" && funds.Known():
		return funds.Least - p.gw.Fees.of(p.who)
	case p.step.Way == "all":
		return 0
	case p.step.Way == "as before":
		amount := money.Centavos(0)
		for _, t := range p.gw.Things {
			if t.Account == p.who && t.Noun == p.step.Move.Noun {
				amount = t.Amount
			}
		}
		return amount
	case p.step.Way == "R$ 0.01":
		return 1
	case p.step.Way == "R$ 1234.56":
		return 1234_56
	}
	return own
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

// canPay reports whether a payment is surely accepted.
func (p *play) canPay(amount money.Centavos) bool {
	return p.gw.accepts(p.step.Move.Noun, p.who, amount) && !p.refs.Uncounted[api.Payment]
}

// spend makes a payment that was accepted.
func (p *play) spend(amount money.Centavos) *Thing {
	t := p.gw.acceptPayment(p.step.ID, p.step.Move.Noun, p.who, amount)
	p.refs.made(t)
	if t.State == api.Pending && p.gw.movementExact(p.who) {
		taken := moved(p.gw.state, t.ID)
		p.falls("available", -taken.Most, -taken.Least)
		if t.Noun == "transfer" && p.gw.Fees.MostOut == 0 {
			p.then("the blocked balance rises by %v", amount)
		}
	}
	return t
}

// demand makes a charge that was accepted.
func (p *play) demand(amount money.Centavos) *Thing {
	t := p.gw.createCharge(p.step.ID, p.step.Move.Noun, p.who, amount)
	p.refs.made(t)
	return t
}

// receive pays a charge, and says who got what.
func (p *play) receive(t *Thing) {
	if len(t.Splits) > 0 {
		sayDivision(p, t, true, true)
	}
	if t.Account == language.TheAccount {
		paid, _ := p.gw.paid(t, p.gw.Fees.MostIn)
		p.rises(moved(paid, t.ID))
	}
	p.gw.payCharge(t)
	arrivesEverywhere(p, t, api.TypeCashIn, api.TypeCashIn)
}

// requestRefund requests a refund of the charge.
func (p *play) requestRefund(says, valor string) {
	p.when("%v %s a refund with:", p.who, says)
	p.with("path e2eid", "the endToEndId of "+p.refs.named(p.it))
	p.with("valor", `"`+valor+`"`)
	p.refs.Sent = true
}

// refunded makes a refund of the charge that was accepted.
func (p *play) refunded(amount money.Centavos) {
	p.notRisen()
	t := p.gw.acceptRefund(p.step.ID, p.it, amount, !p.refs.Uncounted[api.Refund])
	if t == nil {
		p.refs.clear()
		return
	}
	p.refs.made(t).Request = requestRows(p)
}

// requestRows is the table of the step's request; none if it states nothing.
func requestRows(p *play) [][]string {
	i := slices.IndexFunc(p.lines, func(l Line) bool { return len(l.Table) > 0 })
	if i < 0 {
		return nil
	}
	return p.lines[i].Table
}

// returnTo makes an earlier payment the one that sentences speak of next.
func (p *play) returnTo(t *Thing) {
	p.when("the scenario returns to %s", p.refs.named(t))
	p.refs.focus(t)
}

// keepNewToken keeps a token that is as old as the step: at a gateway that takes long to respond, the one that the
// account has may be a minute older, and expire sooner.
func (p *play) keepNewToken() {
	p.when("the account sends a token request")
	p.when("the account has a token")
	p.refs.Kept, p.refs.KeptAt = true, p.gw.Time.Elapsed
}

// passBy lets a time pass.
func (p *play) passBy(by time.Duration) {
	p.gw.pass(by)
	p.when("%d seconds pass", int(by.Seconds()))
}

// seconds is a number of seconds as requests spell it; 0 for none.
func seconds(spelled string) time.Duration {
	n, _ := strconv.Atoi(spelled)
	return time.Duration(n) * time.Second
}

// passSeconds lets the time pass that is spelled: "601 seconds".
func (p *play) passSeconds(spelled string) time.Duration {
	by := seconds(strings.TrimSuffix(spelled, " seconds"))
	p.passBy(by)
	return by
}
