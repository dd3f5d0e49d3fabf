package judge

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
)

// Most scenarios do not look at the balance. A gateway that takes a cash-out twice now and then
// would pass, so after its last step each scenario's money is held against what was sent.

// accountMoney is the money of one account, by all that is recorded.
type accountMoney struct {
	*facts
	of language.Account
}

func (s *facts) moneyOf(of language.Account) accountMoney { return accountMoney{s, of} }

// FinalLook is a look at the balance of an account after the last step, as long as what was
// recorded does not explain it; nil if nothing is to be seen.
func (s *facts) FinalLook(of language.Account) *Look {
	if moves, _ := s.moneyOf(of).moves(); len(moves) == 0 {
		return nil
	}
	return s.BalanceLook(of)
}

// BalanceLook is a look at the balance of an account, as long as what was recorded does not explain
// it; nil if it does, or if nothing can be said.
func (s *facts) BalanceLook(of language.Account) *Look {
	span, ok := s.moneyOf(of).canHave()
	if !ok {
		return nil
	}
	if t := s.moneyOf(of).finalBalance(); t != nil {
		if b, ok := t.Balance(); !ok || span.Holds(b.Available) {
			return nil
		}
	}
	return &Look{At: Balance, Account: of, Patience: s.Terms.Deadlines.Balance}
}

// finalBalance is the last look at the balance of an account, if nothing was done after it.
func (s accountMoney) finalBalance() (last *record.Attempt) {
	for _, t := range s.Looks {
		if t.Account == s.of && t.Op.Noun == balanceNoun {
			last = t
		}
	}
	acted := func(t *record.Attempt) bool { return t.Index > last.Index && !t.Is(api.Nothing) }
	if last == nil || slices.ContainsFunc(s.Requests(), acted) ||
		slices.ContainsFunc(s.Calls, func(c record.Call) bool { return c.Index > last.Index && c.Method != http.MethodGet }) {
		return nil
	}
	return last
}

// move is what an order or a payment of somebody's may have done to what is available.
type move struct {
	spec.Thing
	by    *api.Operation
	index int // of the exchange that asked for it
}

// ruleOfMoney is the rule that is broken if the money is wrong after some moves: that of the last one.
func ruleOfMoney(moves []move) string {
	if len(moves) == 0 {
		return "balance.centavos"
	}
	return moves[len(moves)-1].by.Money
}

// canHave is what an account can have available; false if that cannot be said.
func (s accountMoney) canHave() (may spec.Range, ok bool) {
	moves, ok := s.moves()
	if ok {
		may = s.availableAfter(moves)
	}
	return may, ok
}

// availableAfter is what an account can have available after all of its moves.
func (s accountMoney) availableAfter(moves []move) spec.Range {
	available := spec.Exactly(s.Accounts[s.of].Funds.Available)
	for _, m := range moves {
		available = available.Plus(m.Moved())
	}
	return available
}

// moves are everything that may have moved what is available to an account since that was known, in their order; false
// if they cannot be told.
func (s accountMoney) moves() (all []move, ok bool) {
	_, _, known := s.fees()
	all, ok = s.movesBesideFees()
	return all, ok && known
}

func (s accountMoney) movesBesideFees() (all []move, ok bool) {
	funds := s.Accounts[s.of].Funds
	if funds == nil || s.Accounts[s.of].Shared || !s.canTell(funds.Index) {
		return nil, false
	}
	requests := map[spec.ID]*record.Attempt{}
	for _, t := range s.Requests() {
		requests[spec.ID(t.Index)] = t
	}
	gateway := s.gateway()
	if gateway.contested {
		return nil, false
	}
	for _, t := range gateway.now().Things() {
		index, acted := gateway.acts[t.ID]
		if t.Account != int(s.of) || !acted {
			continue
		}
		request := requests[t.ID]
		if request == nil { // a return, or a case
			request = requests[t.Of]
		}
		if isOfProbe(s.facts, request) {
			continue
		}
		if index < funds.Index {
			return nil, false
		}
		all = append(all, move{t, request.Op, index})
	}
	slices.SortFunc(all, func(a, b move) int { return cmp.Compare(a.index, b.index) })
	return all, true
}

// canTell reports whether all orders of an account say whose money they move, and how much, and of which payment
// payees have returned something.
func (s accountMoney) canTell(since int) bool {
	mine, others := 0, 0
	for _, t := range s.Requests() {
		if t.Returned && t.Account == s.of {
			mine++
		} else if t.Returned {
			others++
		}
		if t.Account != s.of || t.Is(api.Nothing) || definitelyRejected(t) || isOfProbe(s.facts, t) {
			continue
		}
		if _, ok := t.Amount(); !ok || s.isUnusual(t) || t.Index < since && !t.Is(api.Charge) {
			return false
		}
	}
	for _, c := range slices.Concat(s.callsOf(target.Returns, http.MethodPost), s.callsOf(target.Payments, http.MethodPost)) {
		if _, err := money.Parse(c.Text("amount")); c.Text("amount") != "" && err != nil {
			return false
		}
	}
	return mine == 0 || others == 0
}

// isOfProbe: the payment that shows what a list by key returns is sent by an account opened for it,
// unless the scenario runs on one of the profile.
func isOfProbe(s *facts, t *record.Attempt) bool {
	if t.Step >= len(s.Steps) || s.Accounts[t.Account].Fixed {
		return false
	}
	_, probes := s.Steps[t.Step].Meaning.(language.ListsSent)
	return probes
}

// SettledPayments are the payments of an account that the bank has confirmed, and that lists can find.
func (s *facts) SettledPayments(of language.Account) []*record.Attempt {
	return slices.DeleteFunc(slices.Clone(s.Attempts), func(t *record.Attempt) bool {
		_, named := t.ExternalID()
		return t.Account != of || !named || !s.gateway().isSettled(t)
	})
}
