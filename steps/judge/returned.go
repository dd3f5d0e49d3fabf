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
			moves[i].done, moves[i].must, failed = m.not, false, true
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
	if most <= 0 {
		return false
	}
	before := s.until(s.Before.Index)
	var failed []money.Centavos
	for _, t := range s.Attempts {
		if amount, ok := t.Amount(); ok && t.Account == language.TheAccount && t.Accepted() && before.mayHaveFailed(t) {
			failed = append(failed, amount)
		}
	}
	p := s.purse(language.TheAccount)
	free, ok := p.findMoves(0, 0) // the most that an account can have is what it has without fees
	if len(failed) == 0 || ok && now.Available > p.after(free).most {
		return false
	}
	fee, _, ok := s.fees()
	if !ok { // it is below any amount
		fee = slices.Min(failed) - 1
	}
	return someSum(failed, least-fee*money.Centavos(len(failed)), most)
}

// mayHaveFailed reports whether what was ordered may have failed, by all that is recorded: besides what has, a payment
// may have expired, and what a sandbox plays may have moved no money.
func (s *facts) mayHaveFailed(t *record.Attempt) bool {
	_, expires := t.SentField("expiration")
	return s.hasFailed(t) || t.Is(api.Payment) && !s.hasLeft(t) && (expires || s.passedSince(t.Index) > 0 || t.IsPlayed())
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
