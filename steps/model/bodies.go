package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// bodyMoves send valid bodies of every shape that the features show.
var bodyMoves = []Move{
	{Event: "is sent in another shape", Noun: "cash-out", Shows: "OUT-013 OUT-020 OUT-022 OUT-033 OUT-034 OUT-042 OUT-043 OUT-047", Core: true, do: payShaped},
	{Event: "is sent in another shape", Noun: "QR cash-out", Shows: "OQR-006 OQR-025 OQR-026 OQR-027", Core: true, do: payShaped},
	{Event: "is sent in another shape", Noun: "transfer", Shows: "DICT-005 DICT-006 DICT-009 DICT-010 DICT-012 DICT-014 DICT-017 DICT-022", Core: true, do: payShaped},
	{Event: "is created in another shape", Noun: "cob", Shows: "COB-012 COB-013 COB-014 COB-028 COB-032 COB-036", do: chargeShaped},
	{Event: "is created in another shape", Noun: "cash-in", Shows: "IN-010 IN-029 IN-030 IN-037 IN-041 IN-045", do: chargeShaped},
	{Event: "is sent as the specification leaves open", Noun: "cash-out", Shows: "OUT-054", Late: true, do: sendOpen},
	{Event: "is sent as the specification leaves open", Noun: "transfer", Shows: "DICT-060", Late: true, do: sendOpen},
	{Event: "is created as the specification leaves open", Noun: "cob", Shows: "COB-051", Late: true, do: sendOpen},
	{Event: "is created as the specification leaves open", Noun: "cash-in", Shows: "IN-052", Late: true, do: sendOpen},
	{Event: "is refunded in another shape", Noun: "cob", From: states{api.Concluded}, Shows: "DEV-012 DEV-021 DEV-022 DEV-024", do: refundShaped},
}

// sendOpen sends a body that a gateway may accept or reject: from then on it is not known how many there
// are.
func sendOpen(p *play) {
	op, all := api.MustNamed(p.step.Move.Noun), language.FeatureExamples().Open[p.step.Move.Noun]
	amount := p.amount()
	p.needs(p.gw.Settings.serves(op.Noun) && !p.refs.Uncounted[op.Makes])
	if op.Makes == api.Payment {
		p.needs(p.gw.moneySettled(language.TheAccount) && p.canPay(amount))
		p.gw.mayPay(p.step.ID, amount+p.gw.Fees.Out, true)
	}
	shaped(p, pick(p, all), amount)
	p.refs.Uncounted[op.Makes] = true
	p.refs.OddKey = true
	p.refs.clear()
}

// row is the value of a field; empty for none.
func rowOf(s language.ValidRequest, field string) string {
	for _, row := range s.Rows {
		if row[0] == field {
			return row[1]
		}
	}
	return ""
}

// shapeFor is a shape of the features for the step's request. Splits have moves of their own.
func shapeFor(p *play, noun string) language.ValidRequest {
	all := slices.DeleteFunc(slices.Clone(language.FeatureExamples().Shapes[noun]), func(v language.ValidRequest) bool {
		splits := rowOf(v, "splits")
		return splits != "" && splits != "absent"
	})
	return pick(p, all)
}

// request sends a valid request with such a body, and an amount of the step's own.
func (p *play) request(body language.ValidRequest, amount money.Centavos) {
	p.requestAs("sends", body, amount)
}

func (p *play) requestAs(says string, body language.ValidRequest, amount money.Centavos) {
	op := api.MustNamed(p.step.Move.Noun)
	if body.Given.Text != "" {
		p.when("%s", body.Given.Text)
		p.gw.Settings.putKey()
	}
	if len(body.Rows) == 0 {
		p.when("%v %s a %s of %v", p.who, says, op.Noun, amount)
		return
	}
	p.when("%v %s a %s with:", p.who, says, op.Noun)
	spelled := amount.Decimal()
	if op.Text {
		spelled = fmt.Sprintf("%q", spelled)
	}
	p.with(op.Amount, spelled)
	for _, row := range body.Rows {
		if row[0] != op.Amount {
			p.with(row[0], row[1])
		}
	}
}

// shaped sends a request of a shape of the features, and says what they say of the response.
func shaped(p *play, s language.ValidRequest, amount money.Centavos) {
	p.request(s, amount)
	p.then("%s", s.Answer.Spoken())
	for _, step := range s.Then {
		p.then("%s", step.Text)
		p.table(step.Table)
	}
}

// noteBody notes what follows from a body for the payment or charge that it made.
func (p *play) noteBody(t *Thing, body language.ValidRequest) {
	r := p.refs.of(t)
	switch t.Noun {
	case "cash-out":
		r.KeyKindUnknown = len(body.Rows) > 0
		p.refs.OddKey = r.KeyKindUnknown
	case "QR cash-out":
		document := rowOf(body, "document") // a valid request may have none
		r.StaticCode, r.Documented = rowOf(body, "qrCode") == "", document != "" && document != "absent"
	default:
		if rowOf(body, "priority") != `"HIGH"` { // which is processed at once
			p.gw.expireAfter(t, seconds(rowOf(body, api.Lifetimes[api.MustNamed(t.Noun).ID].Field)))
		}
	}
}

// bodyOf is the body of the step's valid request: the plainest one, or a mixed one of the account.
func bodyOf(p *play) (body language.ValidRequest) {
	if p.who == language.TheAccount {
		body.Rows, body.Given = p.mixed(p.step.Move.Noun, nil)
	}
	return withoutShortExpiration(p, body)
}

// withoutShortExpiration is a body without an expiration at which a transfer that waits for the bank leaves the queue before a walk
// at a slow gateway has ended.
func withoutShortExpiration(p *play, body language.ValidRequest) language.ValidRequest {
	if p.step.Move.Noun == "transfer" && p.gw.holds(false) {
		body.Rows = slices.DeleteFunc(slices.Clone(body.Rows), func(row []string) bool {
			return row[0] == "expiration" && seconds(row[1]) > 0 && seconds(row[1]) < api.QueueTime
		})
	}
	return body
}

func payShaped(p *play) {
	s, amount := withoutShortExpiration(p, shapeFor(p, p.step.Move.Noun)), p.amount()
	amount = cmp.Or(s.Amount, amount)
	p.needs(p.canPay(amount))
	shaped(p, s, amount)
	p.answered(p.step.Move.Noun, amount)
	p.noteBody(p.spend(amount), s)
}

func chargeShaped(p *play) {
	noun := p.step.Move.Noun
	p.needs(p.gw.Settings.serves(noun) && !p.refs.Uncounted[api.Charge])
	s, amount := shapeFor(p, noun), p.amount()
	shaped(p, s, amount)
	p.answered(noun, amount)
	if noun == "cob" {
		echoed(p, s)
	}
	p.noteBody(p.demand(amount), s)
	p.unmoved()
}

func refundShaped(p *play) {
	s := shapeFor(p, "refund")
	amount := partOf("a part", p.it.Amount-p.it.Refunded.Most)
	p.needs(p.gw.refundable(p.it, amount))
	p.requestRefund("sends", amount.Decimal())
	for _, row := range s.Rows {
		if row[0] != "valor" {
			p.with(row[0], row[1])
		}
	}
	p.accepted("refund", amount)
	for _, row := range s.Rows {
		if json.Valid([]byte(row[1])) && row[0] != "valor" {
			p.with(row[0], row[1])
		}
	}
	p.refunded(amount)
}

// echoed adds to what the response to a cob has the fields of its request, which it repeats.
func echoed(p *play, s language.ValidRequest) {
	for _, row := range s.Rows {
		switch {
		case row[0] == "valor.original" || row[0] == "valor.modalidadeAlteracao" || row[1] == "absent" || strings.Contains(row[0], " "):
		case json.Valid([]byte(row[1])):
			p.leaves(row[0], row[1])
		default:
			p.with(row[0], "the "+row[0]+" sent")
		}
	}
}
