package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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

// sendExample sends a request with one thing wrong. All else is right, so that it is rejected for that.
func sendWrong(all []language.Example) func(*play) {
	return func(p *play) {
		e := pick(p, all)
		p.needs(mayBeWrong(p, e))
		if p.step.Move.Seldom && p.step.Move.Noun == "refund" { // whose shapes need it
			p.when("the account has received R$ 10.00 through a cob")
			t := p.gw.createCharge(p.step.ID, "cob", language.TheAccount, 10_00)
			p.refs.made(t)
			p.receive(t)
		}
		sendExample(p, e)
	}
}

func sendExample(p *play, e language.Example) {
	if e.Given.Text != "" {
		p.when("%s", e.Given.Text)
		p.gw.Settings.putKey()
	}
	p.when("%s", e.Request.Text)
	p.table(e.Request.Table)
	p.then("%s", e.Answer.Spoken())
	if status, only := e.Answer.Expected.Status(); only && !e.Raw {
		hasEnvelope(p, p.step.Move.Noun, strconv.Itoa(status))
	}
	for _, step := range e.Then {
		p.then("%s", step.Text)
		p.table(slices.DeleteFunc(slices.Clone(step.Table), func(row []string) bool {
			return row[1] == timeOfRequest && p.gw.Time.isMoved() // whether it follows a moved clock is unspecified
		}))
	}
	loseURLCount(p, p.step.Move.Noun)
	p.refs.OddKey = p.refs.OddKey || p.step.Move.Noun == "cash-out"
	p.refs.clear()
}

// mayBeWrong reports whether a request of the account meets no other obstacle than its own.
func mayBeWrong(p *play, e language.Example) bool {
	op := api.MustNamed(p.step.Move.Noun)
	switch received := p.gw.Things.made(p.gw.Things.lastReceived()); {
	case p.gw.Settings.ProviderDown && (op.Noun == "QR cash-out" || op.ID == "cashIn"):
		return false
	case op.Noun == "transfer" && !p.gw.Settings.Key && e.Given.Text == "":
		return false
	case op.Makes == api.Payment:
		return p.gw.moneySettled(language.TheAccount) && p.gw.affords(language.TheAccount, e.Needs+p.gw.Fees.Out)
	case op.Makes == api.Refund && p.step.Move.Seldom:
		return p.gw.Fees.MostIn == 0 && p.gw.movementExact(language.TheAccount) && !p.refs.Uncounted[api.Charge]
	case op.Makes == api.Refund:
		return received != nil && received.Noun == "cob" && p.gw.refundable(received, received.Amount-received.Refunded.Most) && p.gw.moneySettled(language.TheAccount)
	case op.ID == "resendWebhook" || op.ID == "listTransactionsByKey":
		return p.gw.Things.hasSent()
	}
	return true
}

// sendMixed sends a request with one thing wrong in a body of a mixed shape.
func sendMixed(all []language.Example) func(*play) {
	return func(p *play) {
		e := pick(p, all)
		rows, given := p.mixed(p.step.Move.Noun, e.Rows)
		rows = append(rows, known(p, slices.Concat(rows, e.Rows))...)
		p.needs(len(rows) > 0 && mayBeWrong(p, e) && hasItems(rows, e.Rows))
		if given.Text != "" {
			e.Given = given
		}
		e.Request = language.Spoken{Text: fmt.Sprintf("the account sends a %s with:", p.step.Move.Noun), Table: append(rows, e.Rows...)}
		if !slices.ContainsFunc(e.Rows, func(row []string) bool { return row[1] == "invalid" || strings.Contains(row[0], "[each]") }) { // it is one request
			e.Answer.Of = language.It
		}
		sendExample(p, e)
	}
}

// known makes some registrations with one thing wrong those of a URL that is known already, and some those of another URL
// of a type that has several.
func known(p *play, rows [][]string) (all [][]string) {
	has := func(name string) bool {
		return slices.ContainsFunc(rows, func(row []string) bool { return row[0] == name })
	}
	which := namedURLs(p)
	if p.step.Move.Noun != "webhook registration" || len(which) == 0 || p.oneIn(4) || has("eventType") {
		return nil
	}
	at := pick(p, which)
	first := func(url int) string { return p.gw.Hooks.types(language.TheAccount, url)[0] }
	eventType := first(at)
	if p.oneIn(2) {
		for _, i := range which {
			if n := p.gw.Hooks.count(language.TheAccount, first(i)); n < api.MostURLs && n > p.gw.Hooks.count(language.TheAccount, eventType)%api.MostURLs {
				eventType = first(i)
			}
		}
		if p.gw.Hooks.isFull(language.TheAccount, eventType) { // which would be wrong, too
			return nil
		}
	} else if !has("url") {
		all = append(all, []string{"url", p.refs.URLs[at].String()})
	}
	return append(all, []string{"eventType", `"` + eventType + `"`})
}

// hasItems reports whether the array is there whose items are wrong: "splits[each].name".
func hasItems(rows, wrong [][]string) bool {
	return !slices.ContainsFunc(wrong, func(w []string) bool {
		array, _, ofItems := strings.Cut(w[0], "[each]")
		return ofItems && !slices.ContainsFunc(rows, func(row []string) bool { return row[0] == array && row[1] != "absent" && row[1] != "[]" })
	})
}

// mayHaveMore are the examples whose outcome the rest of a body does not change.
func mayHaveMore(all []language.Example) []language.Example {
	return slices.DeleteFunc(slices.Clone(all), func(e language.Example) bool {
		return len(e.Rows) == 0 || e.Given.Key.ISPB != ""
	})
}
