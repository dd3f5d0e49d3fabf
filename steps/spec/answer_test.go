package spec

import (
	"net/http"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// asked is a request that orders something whose response is judged later.
type asked struct {
	request
	Order
	Before Orders
	Vague  string // why the machine cannot say how it is answered
}

// send gives the machine a request, or several at once. A problem is that of a sentence which itself says that they were accepted.
func (s *story) send(i int, m language.Send) string {
	if m.EachAgain { // each of them was refused for its token, or any may have been made
		s.last, s.asked, s.registration, s.token = nil, nil, nil, Any(Issued)
		return ""
	}
	r, h := s.request(m), s.accounts[m.Account]
	r.Played = m.Sandbox != ""
	h.Request, s.last, s.asked, s.registration, s.who, s.op = r, nil, nil, nil, m.Account, r.Op
	s.token = s.carried(m)
	if r.Op == nil || r.Op.Makes == api.Nothing {
		s.manage(m, r, s.done(i, m, r))
		return ""
	}
	s.expect(r)
	s.asked.Vague = s.vagueAnswer(m, r, h)
	n := max(1, m.AtOnce)
	s.asked.Rivals, s.asked.SameID = money.Centavos(n-1)*(r.Amount+h.Out), m.Same
	if s.asked.RivalRefunds = money.Centavos(n-1) * r.Amount; m.Same {
		n = 1
	}
	problem, done := "", s.done(i, m, r)
	if m.Accepted && !m.IfItCan {
		problem = s.answered(accepted, true)
	}
	for k := range n {
		if k > 0 {
			s.fresh++
			r.Key = s.plain(r.Op, r.Account).Key
			r.Near = r.Key
		}
		s.accept(r, done)
	}
	return problem
}

// orderPlain gives the machine one valid request that is accepted.
func (s *story) orderPlain(r request) string {
	s.last, s.registration, s.op, s.token = nil, nil, r.Op, Any(Issued)
	s.expect(r)
	problem := s.answered(accepted, true)
	s.accept(r, IsDone)
	return problem
}

// expect prepares to judge the response to a request.
func (s *story) expect(r request) {
	h := s.accounts[r.Account]
	h.Orders.Available = s.now.Available(r.Account, h.Funds)
	s.asked = &asked{request: r, Order: s.order(r, h), Before: h.Orders}
}

// accept makes what a request asks for, as far as it is accepted.
func (s *story) accept(r request, done Done) {
	h := s.accounts[r.Account]
	o := s.order(r, h)
	if _, used := h.Orders.used[o.Noun+o.ID]; done != NotDone && (r.Known || !r.Op.TakesMoney()) && !(used && o.Noun != ATransfer) {
		if o.Answer, o.Made = Accepted, r.Key; done == MayBeDone {
			o.Answer = Unclear
		}
		h.Orders.Available = s.now.Available(r.Account, h.Funds)
		if next, ok := h.Orders.After(o); ok {
			h.Orders = next
		}
	}
	s.last = append(s.last, s.make(r, done))
}

// isValid reports whether a token may be one that the gateway has issued, as it has issued it.
func isValid(a language.Authorization) bool {
	return slices.Contains([]language.Authorization{language.OwnToken, language.ItsToken, language.FirstToken, language.AnsweredToken}, a)
}

// vagueAnswer is why the machine cannot say how a request is answered.
func (s *story) vagueAnswer(m language.Send, r request, h *holder) string {
	switch {
	case s.vague != "":
		return s.vague
	case len(m.Dimensions) > 0:
		return "each request has other choices"
	case s.token != Any(Issued):
		return "the token decides"
	case h.ProviderIsDown:
		return "the provider is down"
	case !r.Known && r.Op.TakesMoney():
		return "the amount is not known"
	case r.Op.Makes == api.Refund && r.Of == 0:
		return "the payment of a refund is not known"
	}
	return ""
}

var accepted = language.Outcome{Words: "accepted", Alternatives: []language.Alternative{{Accepted: true}}}

// done is whether a request makes what it asks for, by what the scenario says of its response.
func (s *story) done(i int, m language.Send, r request) Done {
	switch {
	case m.Accepted:
		return IsDone // the others are not judged
	case language.MustBeRefused(s.steps, i):
		return NotDone
	}
	for _, step := range s.steps[i+1:] {
		switch of := step.Meaning.(type) {
		case language.Send, language.SendMany, language.Burst, language.Walk, language.Present:
			if step.Type == catalogue.Action {
				return s.unstated(m, r)
			}
		case language.AcceptedCount, language.InSomeOrder, language.RefusalsCompare, language.OneOfTwo:
			return MayBeDone
		case language.Answered:
			switch {
			case of.Of == language.Others || of.Modality == language.Should:
				return MayBeDone
			case of.Expected.MustRefuse():
				return NotDone
			}
			return doneIf(!of.Expected.MayRefuse())
		}
	}
	return s.unstated(m, r)
}

// unstated is whether a request of which the scenario does not state the response makes what it asks for.
func (s *story) unstated(m language.Send, r request) Done {
	if r.IsInvalid || !isValid(m.Under) || s.asked != nil && s.asked.Vague == "" && !s.asked.may(Accepted) {
		return NotDone
	}
	return doneIf(!r.Mistaken && m.AtOnce == 0)
}

// answered judges whether the machine allows the last request to be answered in one of some ways.
func (s *story) answered(o language.Outcome, alone bool) string {
	if problem := s.admitted(o); problem != "" {
		return problem
	}
	c, a := s.counts.of(whatAnswer), s.asked
	switch {
	case s.registration != nil:
		return s.registered(o)
	case a == nil:
		c.leftOut["a request that orders nothing"]++
		return ""
	case a.Vague != "":
		c.leftOut[a.Vague]++
		return ""
	}
	known := true
	for _, way := range o.Alternatives {
		answers := answersOf(a.request, way)
		known = known && len(answers) > 0
		for _, answer := range answers {
			if a.may(answer) {
				if alone && a.Rivals == 0 && o.MustRefuse() && a.may(Accepted) {
					return "the machine also allows it to be accepted"
				}
				a.count(c, o, answer)
				return ""
			}
		}
	}
	if !known {
		c.leftOut["a field of the request"]++
		return ""
	}
	return "the machine does not allow this answer: available are " + a.Before.Available.String()
}

// may reports whether the machine allows an answer.
func (a *asked) may(answer Answer) bool {
	o := a.Order
	o.Answer, o.Made = answer, "another"
	if before, used := a.Before.used[o.Noun+o.ID]; used && (o.Noun == ATransfer || o.Noun == ARefund) && before.amount == o.Amount {
		o.Made = before.made
	}
	_, ok := a.Before.After(o)
	return ok
}

// count counts an answer that the machine allows.
func (a *asked) count(c *count, o language.Outcome, answer Answer) {
	switch {
	case answer == Accepted && !o.MayRefuse() && a.IsPlain && a.may(AnyReason):
		c.by["accepted, although the machine also allows a rejection"]++
	case answer == Accepted:
		c.by["accepted"]++
	default:
		c.by["rejected"]++
	}
}

// answersOf is what a way to answer says of a request; nothing if that is not about what the machine knows.
func answersOf(r request, way language.Alternative) (all []Answer) {
	for _, code := range way.Codes {
		if answer := ReasonOf(api.MustNamed("cash-out"), http.StatusBadRequest, code); answer != AnyReason {
			all = append(all, answer)
		}
	}
	only := func(statuses ...int) bool {
		return !slices.ContainsFunc(way.Statuses, func(status int) bool { return !slices.Contains(statuses, status) })
	}
	duplicates, _ := RejectedAs(r.Op, Duplicate)
	switch {
	case way.Accepted:
		return []Answer{Accepted}
	case len(way.Codes) > 0:
		return all
	case only(http.StatusConflict) && slices.Equal(duplicates, []int{http.StatusConflict}):
		return []Answer{Duplicate}
	case only(http.StatusConflict, http.StatusTooManyRequests):
		return []Answer{TurnedAway}
	case only(http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity) && r.IsPlain:
		return []Answer{AnyReason}
	}
	return nil
}
