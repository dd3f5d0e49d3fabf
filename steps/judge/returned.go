package judge

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
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
		if s.hasFailed(m.index) {
			moves[i].done, moves[i].must, failed = m.not, false, true
		}
	}
	if b, ok := last.Balance(); !failed || !ok || p.after(moves).least <= b.Available {
		return nil
	}
	return &Look{At: Balance, Account: of, Patience: s.Terms.Deadlines.Balance}
}

// hasFailed reports whether the bank has rejected what an exchange ordered: its first result is final.
func (s *facts) hasFailed(index int) bool {
	i := slices.IndexFunc(s.Attempts, func(t *record.Attempt) bool { return t.Index == index })
	if i < 0 {
		return false
	}
	switch t := s.Attempts[i]; {
	case t.Is(api.Payment):
		settled := slices.DeleteFunc(s.settlementsOf(t), func(c record.Call) bool { return !c.Succeeded() })
		return len(settled) > 0 && settled[0].Text("outcome") != target.Confirmed
	case t.Is(api.Refund):
		return s.refundState(t) == "NAO_REALIZADO"
	}
	return false
}
