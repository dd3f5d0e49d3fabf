package judge

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// ReturnLook is a look at the balance of an account, as long as it lacks money of payments and refunds that the bank
// has rejected; nil if it lacks none, or if nothing can be said. When that money comes back is left open, as is whether
// it does, so that a look in vain is no fault. But what comes later would be taken for the doing of a later request.
func ReturnLook(s *Scenario, of language.Account) *Look {
	p := s.purse(of)
	moves, ok := p.moves()
	last := p.finalBalance()
	if !ok || last == nil {
		return nil
	}
	moves = slices.Clone(moves)
	failed := false
	for i, m := range moves {
		if slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool { return t.Index == m.index && s.hasFailed(t) }) {
			moves[i].done, failed = m.not, true
		}
	}
	if b, ok := last.Balance(); !failed || !ok || p.after(moves).least <= b.Available {
		return nil
	}
	return &Look{At: Balance, Account: of, Patience: s.Terms.Deadlines.Balance}
}

// mayHaveReturned reports whether an unexpected rise since the balance before a step may be money of what failed
// earlier: it comes back late, and the account has no more than if all of it were back.
func mayHaveReturned(s *Scenario, now record.Balance, least, most money.Centavos) bool {
	p := s.purse(language.TheAccount)
	free, ok := p.findMoves(0, 0) // the most that an account can have is what it has without fees
	return !(ok && now.Available > p.after(free).most) && s.mayBeOfFailed(least, most)
}

// mayHaveBeenReleased reports whether an unexpected fall of what is blocked may be money of what failed earlier.
func mayHaveBeenReleased(s *Scenario, least, most money.Centavos) bool {
	return most <= s.Before.Blocked && s.mayBeOfFailed(least, most)
}

// mayBeOfFailed reports whether an amount may be that of things which failed before the balance before a step. Whether
// their fees come back, and when, is left open too.
func (s *facts) mayBeOfFailed(least, most money.Centavos) bool {
	before := s.until(s.Before.Index)
	var failed []money.Centavos
	for _, t := range s.Attempts {
		if amount, ok := t.Amount(); ok && s.isEarlier(t) && before.mayHaveFailed(t) {
			failed = append(failed, amount)
		}
	}
	if len(failed) == 0 || most <= 0 {
		return false
	}
	fee, _, ok := s.fees()
	if !ok { // it is below any amount
		fee = slices.Min(failed) - 1
	}
	fee *= money.Centavos(len(failed))
	return most <= fee || someSum(failed, least-fee, most+fee)
}

// mayBeBack is the most that may have come back of what has failed, or may have expired, between the balance before a When and
// a request.
func (s *facts) mayBeBack(request *record.Attempt) (most money.Centavos) {
	before, now := s.until(s.Before.Index), s.until(request.Index)
	for _, t := range s.Attempts {
		amount, ok := t.Amount()
		expires := t.Is(api.Payment) && !now.hasLeft(t) && now.passedSince(t.Index) > before.passedSince(t.Index)
		if !ok || !s.isEarlier(t) || !expires && (!now.hasFailed(t) || before.hasFailed(t)) {
			continue
		}
		fee, _, ok := s.fees()
		if !ok {
			fee = amount
		}
		most += amount + fee
	}
	return most
}

// isEarlier reports whether an order of the account was accepted before the balance before a step.
func (s *facts) isEarlier(t *record.Attempt) bool {
	return t.Account == language.TheAccount && t.Accepted() && t.Index < s.Before.Index
}

// mayHaveFailed reports whether what was ordered may have failed, by all that is recorded: besides what has, a payment
// may have expired, a sandbox may have decided, or the payee's account or document may be wrong.
func (s *facts) mayHaveFailed(t *record.Attempt) bool {
	if s.hasFailed(t) || !t.Is(api.Payment) || s.hasSucceeded(t) {
		return s.hasFailed(t)
	}
	_, expires := t.SentField("expiration")
	return expires || s.passedSince(t.Index) > 0 || t.IsPlayed() || slices.ContainsFunc(s.Steps, func(step language.Step) bool {
		put, ok := step.Meaning.(language.PutKey)
		return ok && put.Holder != language.Payee && put.Holder != language.SameDocument
	})
}

// hasSucceeded reports whether the bank has confirmed a payment, or an event says that a sandbox's has succeeded.
func (s *facts) hasSucceeded(t *record.Attempt) bool {
	return s.hasLeft(t) || slices.ContainsFunc(s.Events, func(d *record.Delivery) bool { return reportsResult(d, t) && reportsSuccess(d) })
}

// until is what was recorded before an exchange of calls and events.
func (s *facts) until(index int) *facts {
	earlier := *s.View
	earlier.Calls = slices.DeleteFunc(slices.Clone(s.Calls), func(c record.Call) bool { return c.Index >= index })
	earlier.Events = slices.DeleteFunc(slices.Clone(s.Events), func(d *record.Delivery) bool { return d.Index >= index })
	return &facts{View: &earlier, Steps: s.Steps}
}

// hasFailed reports whether the bank has rejected what was ordered, whose first result is final, or whether an event
// says so of a payment for which no result is known.
func (s *facts) hasFailed(t *record.Attempt) bool {
	switch {
	case t.Is(api.Refund):
		return s.refundState(t) == "NAO_REALIZADO"
	case !t.Is(api.Payment):
		return false
	}
	if i := slices.IndexFunc(s.settlementsOf(t), record.Call.Succeeded); i >= 0 {
		return s.settlementsOf(t)[i].Text("outcome") != target.Confirmed
	}
	return slices.ContainsFunc(s.Events, func(d *record.Delivery) bool { return reportsResult(d, t) && d.Status() == "ERROR" })
}
