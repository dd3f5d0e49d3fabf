package spec

import (
	"fmt"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// act gives the machine what a step does; with what it does that the machine does not allow.
func (s *story) act(i int, m language.Meaning) string {
	the := s.accounts[language.TheAccount]
	switch m := m.(type) {
	case language.Open:
		s.open(m)
	case language.SetAvailable:
		the.Funds = Range{0, money.Most}
	case language.SetFee:
		if m.CashIn {
			the.MostIn = max(the.MostIn, m.Fee)
		} else {
			the.Out, the.MostOut = m.Fee, max(the.MostOut, m.Fee)
		}
	case language.NoFees:
		the.Out = 0
	case language.SetLimit:
		the.Limits.Known = true
		the.Limits = the.Limits.With(Limit(m.Limit), m.Amount)
	case language.LiftLimits:
		the.Limits = Limits{Known: true}
	case language.PutKey:
		s.badKey = m.Holder != language.Payee && m.Holder != language.SameDocument
	case language.RemoveAccount:
		the.IsRemoved = true
		for _, token := range the.Tokens {
			s.now, _ = s.now.Happens(token, AccountRemoved, MayBeDone)
			s.now, _ = s.now.Shows(token, Any(Void, Expired))
		}
	case language.HoldToken:
		s.issue(s.accounts[m.Account])
	case language.Receive:
		s.receive(m)
	case language.Fault:
		the.ProviderIsDown = m.Provider == "unavailable"
	case language.InState:
		return s.inState(m)
	case language.PassTime:
		s.advance(Interval{m.By, m.By})
	case language.SetTime:
		s.advance(Interval{0, 48 * time.Hour})
		s.isTime(time.Duration(m.Hour)*time.Hour + time.Duration(m.Minute)*time.Minute + time.Duration(m.Second)*time.Second)
	case language.SetDate:
		s.advance(Interval{0, 9 * 366 * 24 * time.Hour})
		s.isTime(12 * time.Hour)
	case language.HoldSettlement:
		s.now = s.now.Hold(int(language.TheAccount), false, true, IsDone)
	case language.HoldRefunds:
		s.now = s.now.Hold(int(language.TheAccount), true, true, IsDone)
	case language.Settle:
		what := BankConfirms
		if m.ErrorCode != "" {
			what = BankRejects
		}
		if m.Each {
			for _, of := range s.made {
				if of.Op.Makes == api.Payment {
					if problem := s.happens(of, of.Done != NotDone, what, false); problem != "" {
						return problem
					}
				}
			}
			return ""
		}
		payment, ok := s.nth(m.Payment, api.Payment)
		return s.happens(payment, ok, what, m.Tries)
	case language.Pay:
		charge, ok := s.nth(m.Charge, api.Charge)
		return s.pay(charge, ok, m)
	case language.HasBeenPaid:
		r := s.plain(m.Operation, int(language.TheAccount))
		r.Amount = m.Amount
		if problem := s.orderPlain(r); problem != "" {
			return problem
		}
		return s.pay(s.last[0], true, language.Pay{})
	case language.EndCharge:
		what := ReceiverRemoves
		if m.ByPSP {
			what = PSPRemoves
		}
		charge, ok := s.nth(m.Charge, api.Charge)
		return s.happens(charge, ok, what, m.Tries)
	case language.EndRefund:
		what := BankConfirms
		if m.Fails {
			what = BankRejects
		}
		refund, ok := s.nth(m.Refund, api.Refund)
		if ok && m.Fails && refund.Known && s.thing(refund).May.Has(api.Processing) {
			the.Orders, _ = the.Orders.After(Order{Noun: Unrefund, Charge: fmt.Sprint(refund.Of), Amount: refund.Amount})
		}
		return s.happens(refund, ok, what, m.Tries)
	case language.Return:
		if payment, ok := s.nth(language.Last, api.Payment); ok {
			s.ids++
			s.returned = s.ids
			s.now = s.now.Make(Thing{ID: s.ids, Kind: Return, Account: payment.Account, Amount: m.Amount, Fee: the.MostIn, Of: payment.ID}, IsDone)
		}
	case language.OpenCase:
		s.openCase(m)
	case language.MoveCase:
		return s.moveCase(m)
	default:
		return s.ask(i, m)
	}
	return ""
}

// ask gives the machine a request.
func (s *story) ask(i int, m language.Meaning) string {
	switch m := m.(type) {
	case language.Send:
		return s.send(i, m)
	case language.SendMany:
		for n := range m.Count {
			if m.Daily && n > 0 {
				s.advance(Interval{24 * time.Hour, 24 * time.Hour})
			}
			r := s.plain(m.Operation, int(language.TheAccount))
			r.Amount = m.Amount
			if problem := s.orderPlain(r); problem != "" {
				return problem
			}
		}
	case language.ReturnTo:
		if payment, ok := s.nth(m.Payment, api.Payment); ok {
			s.meant = &payment
		}
	case language.Walk:
		s.asked, s.op = nil, nil
		if m.Paying {
			s.vague = "how many payments are sent is not known"
		}
	case language.Burst:
		s.asked, s.op, s.vague = nil, nil, "what happens at the same time is judged by another test"
		for _, part := range m.Parts {
			if send, sends := part.Meaning.(language.Send); sends {
				s.last = []made{s.make(s.request(send), MayBeDone)}
			}
		}
	case language.Present, language.PresentAs, language.PresentInHeader, language.ListsSent:
		s.asked, s.op = nil, nil
	}
	return ""
}

func (s *story) open(m language.Open) {
	for _, t := range s.now.Things() {
		if t.Account == int(m.Account) { // it was another account's
			t.Account = -1
			s.now = s.now.With(t)
		}
	}
	h := &holder{Funds: Range{0, money.Most}}
	switch {
	case m.Exactly:
		h.Funds = Exactly(m.Available)
	case m.Funded:
		h.Funds.Least = m.Available
	case m.Fresh:
		h.Funds = Range{}
	}
	s.accounts[m.Account], s.now = h, s.now.Open(int(m.Account))
}

// advance moves the clock of the account. What was spent may have been spent on another day, and surely was after a whole one.
func (s *story) advance(by Interval) {
	s.now = s.now.Move(int(language.TheAccount), by)
	if s.timeOfDay != nil {
		s.isTime((*s.timeOfDay + by.Least) % day)
	}
	orders := &s.accounts[language.TheAccount].Orders
	orders.Spent = CountedLater(orders.Spent, by.Least)
}

// isTime is what the clocks of São Paulo show the account.
func (s *story) isTime(of time.Duration) { s.timeOfDay = &of }

// pay has somebody pay a charge.
func (s *story) pay(charge made, ok bool, m language.Pay) string {
	if !ok || charge.Done == NotDone && m.Tries {
		return ""
	}
	if charge.Done == NotDone {
		return "the charge was rejected"
	}
	t := s.thing(charge)
	t.Fee = s.accounts[charge.Account].MostIn
	amount := t.Amount
	if m.Amount != nil {
		amount = *m.Amount
	} else if !charge.Known {
		s.vague = "the amount of a charge is not known"
	}
	next, breach := s.now.With(t).Pay(t.ID, amount, s.doneBy(charge, IsPaid, m.Tries))
	if breach != nil && !m.Tries {
		return breach.String()
	}
	s.now = next
	return ""
}

// make makes what a request asks for, if it does.
func (s *story) make(r request, done Done) made {
	h := s.accounts[r.Account]
	m := made{request: r, Done: done}
	i := slices.IndexFunc(s.made, func(o made) bool {
		return o.Op == r.Op && o.Account == r.Account && o.Key == r.Key && o.Of == r.Of && o.Done != NotDone
	})
	repeats := i >= 0 && done != NotDone && (r.Op.ID == "transfer" || r.Op.Makes == api.Refund)
	switch {
	case repeats && r.Amount == s.made[i].Amount && r.Known: // the same again
		if m.ID = s.made[i].ID; done == IsDone {
			s.now = s.settled(s.now.Accepted(m.ID), m)
		}
	default:
		s.ids++
		m.ID = s.ids
		t := r.thing(m.ID, h)
		t.Again, t.Played = repeats, r.Played
		s.now = s.settled(s.now.Make(t, done), m)
		if done != NotDone && !r.Known && r.Op.TakesMoney() {
			s.vague = "the amount of a request is not known"
		}
		if done != NotDone && r.Pays {
			s.vague = "a payment may pay a charge of the account's own"
		}
	}
	s.made, s.meant, h.Request = append(s.made, m), nil, r
	return m
}

// settled is a state after something was made: the bank rejects by itself only what it has a reason to.
func (s *story) settled(now State, m made) State {
	if m.Op.Makes == api.Payment && !m.Mistaken && !m.Played && !s.badKey {
		now, _ = now.Shows(m.ID, ^Any(api.Failed))
	}
	return now
}

// inState makes something and brings it into a state.
func (s *story) inState(m language.InState) string {
	switch m.Noun {
	case "MED case":
		s.openCase(language.OpenCase{})
		if m.State != api.Open && m.State != api.Cancelled {
			if problem := s.moveCase(language.MoveCase{To: api.Received}); problem != "" {
				return problem
			}
		}
		if m.State == api.Open || m.State == api.Received {
			return ""
		}
		return s.moveCase(language.MoveCase{To: m.State})
	case "refund":
		if problem := s.act(0, language.HasBeenPaid{Amount: m.Amount, Operation: api.MustNamed("cob")}); problem != "" {
			return problem
		}
		s.now = s.now.Hold(int(language.TheAccount), true, true, IsDone)
	case "cash-out", "QR cash-out", "transfer":
		s.now = s.now.Hold(int(language.TheAccount), false, true, IsDone)
	}
	r := s.plain(api.MustNamed(m.Noun), int(language.TheAccount))
	if r.Amount = m.Amount; m.Noun == "split cash-in" {
		r.Others = Exactly(1_00)
	}
	if problem := s.orderPlain(r); problem != "" {
		return problem
	}
	made := s.last[0]
	s.subject = &made
	what := map[api.State]Happening{
		api.Confirmed: BankConfirms, api.Completed: BankConfirms, api.Refunded: BankConfirms, api.Failed: BankRejects, api.NotRefunded: BankRejects,
		api.RemovedByReceiver: ReceiverRemoves, api.RemovedByPSP: PSPRemoves,
	}[m.State]
	switch {
	case r.Op.Makes == api.Charge && (m.State == api.Confirmed || m.State == api.Concluded || m.State == api.Paid):
		return s.pay(made, true, language.Pay{})
	case what != "":
		return s.happens(made, true, what, false)
	}
	return ""
}

func (s *story) openCase(m language.OpenCase) {
	for range m.Times - 1 {
		s.openCase(language.OpenCase{Unknown: m.Unknown, Payment: m.Payment})
	}
	s.ids++
	t := Thing{ID: s.ids, Kind: Case}
	if charge, ok := s.received(m.Payment); ok && !m.Unknown {
		t.Of, t.Amount, t.Account = charge.ID, s.thing(charge).Paid().Most, charge.Account
	}
	s.now, s.cases = s.now.Make(t, IsDone), append(s.cases, t.ID)
}

func (s *story) moveCase(m language.MoveCase) string {
	id, ok := s.caseOf(m.Case)
	if !ok {
		return "no case was opened"
	}
	next, breach := s.now.Happens(id, MovedTo(m.To), doneIf(!m.Tries))
	if breach != nil && !m.Tries {
		return breach.String()
	}
	s.now = next
	return ""
}

func (s *story) caseOf(n language.Nth) (ID, bool) {
	if n == language.Last {
		n = language.Nth(len(s.cases))
	}
	if n == 0 || int(n) > len(s.cases) {
		return 0, false
	}
	return s.cases[n-1], true
}
