package model

import (
	"fmt"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
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
		if row[1] != timeOfRequest || !p.gw.Time.isMoved() { // whether it follows a moved clock is unspecified
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

// rejected is said of a request that must leave nothing behind.
func (p *play) rejected(as string) {
	p.then("the request is rejected with %s", as)
	if status, other, _ := strings.Cut(as, " "); !strings.HasPrefix(other, "or ") {
		hasEnvelope(p, p.step.Move.Noun, status)
	}
	p.refs.clear()
}

// reasons are the phrases of the simple error body, by status.
var reasons = map[string]string{"400": "Bad Request", "401": "Unauthorized", "404": "Not Found", "409": "Conflict", "422": "Unprocessable Entity"}

// hasEnvelope says which body an error has: that of the Central Bank's endpoints and the MED list is simple.
func hasEnvelope(p *play, noun, status string) {
	switch op := api.Named(noun); {
	case reasons[status] == "" || op == nil || op.ID == api.Token: // the requests of its moves may be to any endpoint
	case !spec.HasRichErrors(op):
		p.then("the response has:")
		p.with("statusCode", status)
		p.with("message", "a non-empty string")
		p.with("error", `"`+reasons[status]+`"`)
	default:
		p.then("the response has:")
		p.with("statusCode", status)
		p.with("code", "a non-empty string")
		p.with("message", "a non-empty string or a list of strings")
		p.with("errorId", "a non-empty string")
	}
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
	if p.gw.movementExact(language.TheAccount) {
		p.then("the available balance is unchanged")
	}
}

// notFallen and notRisen say half of that.
func (p *play) notFallen() {
	if a := p.gw.the(); p.gw.Fees.Known && !a.MayFall && !a.Refunded {
		p.then("the available balance does not fall")
	}
}

func (p *play) notRisen() {
	if p.gw.Fees.Known && !p.gw.the().MayRise {
		p.then("the available balance does not rise")
	}
}

// rises says by how much the available balance rises, if that can be said.
func (p *play) rises(by spec.Range) {
	switch {
	case !p.gw.movementExact(language.TheAccount):
	case by.Known():
		p.then("the available balance rises by %v", by.Least)
	default:
		p.then("the available balance rises by %v to %v", by.Least, by.Most)
	}
}

// quoted are values of a field as tables spell them, of which it has one: `"OPEN" or "RECEIVED"`.
func quoted[T ~string](values ...T) string {
	var all []string
	for _, v := range values {
		all = append(all, `"`+string(v)+`"`)
	}
	return strings.Join(all, " or ")
}

// spellings are how an event may write an amount, whose zeros at the end may be missing.
func spellings(amount money.Centavos) string {
	decimal := amount.Decimal()
	all := []string{decimal}
	if amount%10 == 0 {
		all = append(all, decimal[:len(decimal)-1])
	}
	if amount%100 == 0 {
		all = append(all, decimal[:len(decimal)-len(".00")])
	}
	return `"` + strings.Join(all, `" or "`) + `"`
}

// listed spells a list as sentences do: "R$ 1.00, 5% and R$ 2.00".
func listed[T fmt.Stringer](all []T) string {
	var words []string
	for _, one := range all {
		words = append(words, one.String())
	}
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// marker is what no header of an event contains.
const marker = "pixcert-marker"

// arrives says that an event of a kind arrives, which has arrived before or not.
func arrives(p *play, event string, again bool) {
	switch {
	case !p.gw.Hooks.EveryType:
	case again:
		p.then("the %s event arrives again", event)
	default:
		p.then("a %s event arrives", event)
	}
	if p.gw.Hooks.EveryType && strings.HasPrefix(event, "med_") {
		everywhere(p, event+" event", true, event)
	}
}

// arrivesEverywhere says that the event of a payment, charge or refund arrives at each URL.
func arrivesEverywhere(p *play, t *Thing, event, eventType string) {
	if t.Account == language.TheAccount {
		everywhere(p, event+" event of "+p.refs.named(t), event == eventType, eventType)
	}
}

// everywhere says that an event arrives at each URL, with the headers of that one. The payloads of those without a name
// of their own are not shown: at a URL of several types, one may be of another type.
func everywhere(p *play, event string, unnamed bool, eventType string) {
	switch n := p.gw.Hooks.count(language.TheAccount, eventType); {
	case p.gw.Hooks.ReceiversFailed:
		p.then("a %s arrives at each URL that has not failed", event)
	case !p.gw.the().Fresh || n == 0:
	case p.gw.Hooks.Marked:
		p.then("a %s arrives at each URL", event)
		p.then("no event has a header containing %q", marker)
	case unnamed && !p.gw.Hooks.haveOneType(eventType):
		p.then("a %s arrives at each URL", event)
	default:
		p.then("a %s arrives at each URL with its headers", event)
	}
}
