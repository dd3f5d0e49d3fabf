package model

import (
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// expiredMoves repeat requests under a token that was valid when they were accepted: an expired one is rejected whatever
// the gateway remembers of the request.
var expiredMoves = []Move{
	{Event: repeatedLate, Noun: "cash-out", Shows: "AUTH-020 TOK-024", Late: true, do: repeatExpired},
	{Event: repeatedLate, Noun: "QR cash-out", Shows: "AUTH-023 TOK-024", Late: true, do: repeatExpired},
	{Event: repeatedLate, Noun: "transfer", Shows: "AUTH-017 TOK-024", Late: true, do: repeatExpired},
	{Event: repeatedLate, Noun: "cash-in", Shows: "AUTH-026 TOK-024", Late: true, do: repeatExpired},
	{Event: repeatedLate, Noun: "cob", Shows: "AUTH-029 TOK-024", Late: true, do: repeatExpired},
	{Event: repeatedLate, Noun: "webhook registration", Shows: "AUTH-044 TOK-024", Late: true, do: repeatExpired},
	{Event: "is refunded, and again when the token has expired", Noun: "cob", From: states{api.Concluded}, Shows: "AUTH-032 TOK-024", Late: true, do: refundExpired},
}

const (
	repeatedLate = "is sent, and again when its token has expired"
	usualAmount  = money.Centavos(1_00) // of a request that states none
)

// expiredOrUsed: of an expired token and an id that was used, which counts is unspecified.
const expiredOrUsed = "400 or 401 or 409"

func repeatExpired(p *play) {
	op := api.MustNamed(p.step.Move.Noun)
	p.needs(!p.gw.Settings.ProviderDown && !p.refs.Uncounted[op.Makes])
	switch op.Makes {
	case api.Payment: // it is settled first, so that nothing else moves money when it is repeated
		p.needs(p.gw.holds(false) && p.gw.Fees.Out == 0 && p.canPay(usualAmount))
	case api.Nothing:
		p.needs(p.gw.the().Fresh && !p.gw.Hooks.ReceiversFailed && !p.gw.Hooks.Marked && !p.gw.Hooks.isFull(api.TypeCashOut))
	}
	p.keepNewToken()
	p.when("the account sends a %s using its first token", op.Noun)
	p.then("the request is accepted")
	again := "the account sends the request again"
	switch op.Makes {
	case api.Payment:
		p.it = p.spend(usualAmount)
		p.noteBody(p.it, language.ValidRequest{})
		p.refs.of(p.it).TokenExpired = true
		confirm(p)
	case api.Charge:
		p.demand(usualAmount)
	default:
		again += " with headers " + pick(p, headersOf[1:5])
		registers(p, addURL(p), api.TypeCashOut)
		p.gw.Hooks.addReceiver()
	}
	p.passSeconds("1801 seconds")
	p.needs(mayUseWrongly(&p.gw, op.Noun))
	p.when("%s", again)
	switch op.Noun {
	case "transfer":
		p.rejected("401")
	case "webhook registration":
		p.rejected("401")
		listsRegistrations(p, language.TheAccount)
	default:
		p.rejected(expiredOrUsed)
	}
}

// refundExpired: a refund that states nothing is of what was received last.
func refundExpired(p *play) {
	t := p.it
	p.needs(t.ID == p.gw.Things.lastReceived() && t.Amount-t.Refunded.Most >= usualAmount)
	p.needs(p.gw.refundable(p.it, usualAmount) && !p.refs.Uncounted[api.Refund])
	p.keepNewToken()
	p.when("the account sends a refund using its first token")
	p.then("the request is accepted")
	p.refunded(usualAmount)
	p.passSeconds("1801 seconds")
	p.needs(p.gw.moneySettled(language.TheAccount))
	p.when("the account sends the request again")
	p.rejected(expiredOrUsed)
}
