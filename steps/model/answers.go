package model

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

const timeOfRequest = "the time of the request"

// answers are what the response to an accepted request has, besides the amount, by noun.
var answers = map[string][][2]string{
	"cash-out":      {{"externalId", "the externalId sent"}, {"status", quoted(api.PaymentStates.First...)}, {"generateTime", timeOfRequest}},
	"QR cash-out":   {{"externalId", "the externalId sent"}, {"status", quoted(api.PaymentStates.All()...)}, {"generateTime", timeOfRequest}},
	"transfer":      {{"type", quoted(api.TransferStates.All()...)}},
	"cash-in":       {{"externalId", "the transaction.externalId sent"}, {"status", quoted(api.PaymentStates.First...)}, {"generateTime", timeOfRequest}, {"pixCode", "a BR Code"}},
	"split cash-in": {{"externalId", "the transaction.externalId sent"}, {"status", quoted(api.PaymentStates.First...)}, {"pixCode", "a BR Code"}},
	"cob":           {{"txid", "the txid sent"}, {"status", quoted(api.ChargeStates.First...)}, {"calendario.criacao", timeOfRequest}, {"location", "the loc.location"}},
	"refund":        {{"id", "the id sent"}, {"status", quoted(api.RefundStates.First...)}, {"rtrId", "32 characters"}},
}

// accepted says that a request is accepted, and what its response has.
func (p *play) accepted(noun string, amount money.Centavos) {
	p.then("the request is accepted")
	p.answered(noun, amount)
}

// answered says what the response to an accepted request has. Those of some repeat the amount.
func (p *play) answered(noun string, amount money.Centavos) {
	p.then("the response has:")
	for _, row := range answers[noun] {
		if row[1] != timeOfRequest || !p.TimeKnown && p.Elapsed == 0 { // whether it follows a moved clock is left open
			p.with(row[0], row[1])
		}
	}
	switch op := api.MustNamed(noun); {
	case noun == "transfer":
		p.with(op.Amount, amount)
	case op.Text:
		p.with(op.Amount, fmt.Sprintf("%q", amount.Decimal()))
	}
}

// lookAtStandard compares GET /balance with GET /accounts/balances. Whether a gateway offers it is left open. The two are read
// one after the other, so that nothing may still change what is blocked: sentences wait for that of transfers without a fee.
func lookAtStandard(p *play) bool {
	mayBlock := func(t Thing) bool {
		return t.Account == language.TheAccount && t.Makes == api.Payment && (t.Noun != "transfer" || t.State == api.Failed)
	}
	if !p.calm(language.TheAccount) || p.MostOut > 0 || slices.ContainsFunc(p.Things, mayBlock) {
		return false
	}
	p.when("the gateway supports GET /balance")
	p.when("the account sends a standard balance request")
	p.then("the request is accepted with 200")
	p.then("the response has:")
	p.with("grossBalance", "the available plus the blocked balance")
	p.with("blockedBalance", "the blocked balance")
	p.with("netBalance", "the available balance")
	p.with("consultedAt", "a UTC time")
	p.forget()
	return true
}
