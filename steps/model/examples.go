package model

import (
	"slices"
	"strconv"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// wrongMoves are a row for each rule that rejects requests, by noun.
func wrongMoves() (all []Move) {
	b := language.FeatureExamples()
	for _, op := range api.Operations {
		for _, rule := range b.Rules[op.Noun] {
			key := op.Noun + " " + rule
			if len(b.Wrong[key]) > 0 {
				all = append(all, Move{Event: "is sent against " + rule, Noun: op.Noun, Shows: b.Shown[rule], Wrong: true, Requests: len(b.Wrong[key]), do: sendWrong(b.Wrong[key])})
			}
			if more := mayHaveMore(slices.Concat(b.Wrong[key], b.EveryWay[key])); len(more) > 0 && len(mixable()[op.Noun]) > 0 {
				all = append(all, Move{Event: "is sent in a mixed body against " + rule, Noun: op.Noun, Shows: b.Shown[rule], Wrong: true, Requests: len(more), do: sendMixed(more)})
			}
			if len(b.EveryWay[key]) > 0 {
				all = append(all, Move{Event: "is sent in many ways against " + rule, Noun: op.Noun, Shows: b.Shown[rule], Wrong: true, Seldom: true, do: sendWrong(b.EveryWay[key])})
			}
		}
	}
	return all
}

// sendWrong sends a request with one thing wrong. All else is right, so that it is rejected for that.
func sendWrong(all []language.Example) func(*play) bool {
	return func(p *play) bool {
		e := all[p.step.luck()%len(all)]
		if !p.mayBeWrong(e) {
			return false
		}
		if p.step.Move.Seldom && p.step.Move.Noun == "refund" { // whose shapes need it
			p.when("the account has received R$ 10.00 through a cob")
			t := p.gw.createCharge(p.step.ID, "cob", language.TheAccount, 10_00)
			p.refs.made(t)
			p.receive(t)
		}
		p.sendWrong(e)
		return true
	}
}

func (p *play) sendWrong(e language.Example) {
	if e.Given.Text != "" {
		p.when("%s", e.Given.Text)
		p.gw.Settings.putKey()
	}
	p.when("%s", e.Request.Text)
	p.table(e.Request.Table)
	p.then("%s", e.Answer.Spoken())
	if status, only := e.Answer.Expected.Status(); only && !e.Raw {
		p.envelope(p.step.Move.Noun, strconv.Itoa(status))
	}
	for _, step := range e.Then {
		p.then("%s", step.Text)
		p.table(slices.DeleteFunc(slices.Clone(step.Table), func(row []string) bool {
			return row[1] == timeOfRequest && p.gw.Time.isMoved() // whether it follows a moved clock is left open
		}))
	}
	p.loseURLs(p.step.Move.Noun)
	p.refs.notePayee(p.refs.OddKey || p.step.Move.Noun == "cash-out")
	p.refs.clear()
}

// mayBeWrong reports whether a request of the account meets no other obstacle than its own.
func (p *play) mayBeWrong(e language.Example) bool {
	op := api.MustNamed(p.step.Move.Noun)
	switch received := p.gw.Things.made(p.gw.Things.lastReceived()); {
	case !p.gw.the().Open || p.gw.Settings.ProviderDown && (op.Noun == "QR cash-out" || op.ID == "cashIn"):
		return false
	case op.Noun == "transfer" && !p.gw.Settings.Key && e.Given.Text == "":
		return false
	case op.Makes == api.Payment:
		return p.gw.moneySettled(language.TheAccount) && p.gw.affords(language.TheAccount, e.Needs+p.gw.Fees.Out)
	case op.Makes == api.Refund && p.step.Move.Seldom:
		return p.gw.Fees.MostIn == 0 && p.gw.movementExact(language.TheAccount) && !p.refs.Uncounted[api.Charge]
	case op.Makes == api.Refund:
		return received != nil && received.Noun == "cob" && p.gw.refundable(received, received.Amount-received.Refunded.Most) && p.gw.inTime(received) && p.gw.moneySettled(language.TheAccount)
	case op.ID == "resendWebhook" || op.ID == "listTransactionsByKey":
		return p.gw.Things.hasSent()
	}
	return true
}
