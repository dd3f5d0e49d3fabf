package judge

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
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

// MayBeStale reports whether the last look at the balance of an account shows what an earlier one did,
// although something has happened since that one: a replica that lags behind may have answered it.
func (s *Scenario) MayBeStale(of language.Account) bool {
	looks := slices.DeleteFunc(slices.Clone(s.Looks), func(t *record.Attempt) bool { return t.Account != of || t.Op.Noun != balanceNoun })
	if len(looks) < 2 {
		return false
	}
	last := looks[len(looks)-1]
	now, ok := last.Balance()
	return ok && slices.ContainsFunc(looks[:len(looks)-1], func(t *record.Attempt) bool {
		b, ok := t.Balance()
		return ok && b.Available == now.Available && b.Blocked == now.Blocked &&
			slices.ContainsFunc(s.Exchanges[t.Index+1:last.Index], func(e *exchange.Exchange) bool { return e.Method != http.MethodGet })
	})
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

// noMoreIsBlocked: see [accountMoney.excessBlocked].
func noMoreIsBlocked(s *facts) (all []Met) {
	for of := range s.Accounts {
		all = append(all, s.moneyOf(language.Account(of)).excessBlocked()...)
	}
	return all
}

// moneyIsExplained: the scenario's accounts have no money that nothing explains, and that was looked at until patience
// ended.
func moneyIsExplained(s *facts) (all []Met) {
	for of := range s.Accounts {
		account := language.Account(of)
		funds := s.moneyOf(account)
		look, t := s.FinalLook(account), funds.finalBalance()
		if look == nil || t == nil || !s.HasWaited(len(s.Steps), look.Key()) {
			all = append(all, funds.impossibleBalances()...)
			continue
		}
		all = append(all, funds.wrongBalance(t))
	}
	return all
}

// wrongBalance is the breach of an account that nothing explains.
func (s accountMoney) wrongBalance(t *record.Attempt) Met {
	p, _ := s.canHave()
	moves, _ := s.moves()
	b, _ := t.Balance()
	start := s.Accounts[s.of].Funds.Available
	v := movement{least: p.Least - start, most: p.Most - start}
	f := v.finding(record.Balance{Available: start}, b)
	return Met{Breach{moves[len(moves)-1].by.Money, f.Expected + ", according to the requests of the scenario", f.Got, ""}, t.Exchange}
}

// move is what an order or a payment of somebody's may have done to what is available.
type move struct {
	spec.Thing
	by    *api.Operation
	index int // of the exchange that asked for it
}

// canHave is what an account can have available; false if that cannot be said.
func (s accountMoney) canHave() (spec.Range, bool) {
	moves, ok := s.moves()
	if !ok {
		return spec.Range{}, false
	}
	return s.availableAfter(moves), true
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
	things := s.gateway().Things()
	if s.folded.contested {
		return nil, false
	}
	for _, t := range things {
		index, acted := s.folded.acts[t.ID]
		if t.Account != int(s.of) || !acted {
			continue
		}
		request := requests[t.ID]
		if request == nil { // a return, or a case
			request = requests[t.Of]
		}
		if s.isOfProbe(request) {
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
		if t.Account != s.of || t.Is(api.Nothing) || definitelyRejected(t) || s.isOfProbe(t) {
			continue
		}
		if _, ok := t.Amount(); !ok || s.isUnusual(t) || t.Index < since && !t.Is(api.Charge) {
			return false
		}
	}
	for _, c := range slices.Concat(s.callsOf(target.Returns, http.MethodPost), s.callsOf(target.Payments, http.MethodPost)) {
		if amount := c.Text("amount"); amount != "" && !parses(amount) {
			return false
		}
	}
	return mine == 0 || others == 0
}

func parses(amount string) bool {
	_, err := money.Parse(amount)
	return err == nil
}

// isOfProbe: the payment that shows what a list by key returns is sent by an account opened for it,
// unless the scenario runs on one of the profile.
func (s *facts) isOfProbe(t *record.Attempt) bool {
	if t.Step >= len(s.Steps) || s.Accounts[t.Account].Fixed {
		return false
	}
	_, probes := s.Steps[t.Step].Meaning.(language.ListsSent)
	return probes
}

// fees are the most that sending and receiving can cost; false if that is unknown.
func (s *facts) fees() (out, in money.Centavos, ok bool) {
	if !s.Terms.FeesControl && !s.Terms.FeesKnown() {
		return 0, 0, false
	}
	out, in = money.OrZero(s.Terms.Fees.CashOut), money.OrZero(s.Terms.Fees.CashIn)
	for _, c := range s.callsOf(target.FeesControl, http.MethodPut) {
		out, in = max(out, money.OrZero(c.Text("cashOut"))), max(in, money.OrZero(c.Text("cashIn")))
	}
	return out, in, true
}

// hasCases: which payments a MED case leads to, and how lists show them, is open ("payments of a MED case").
func (s *facts) hasCases() bool { return len(s.callsOf(target.MED, "")) > 0 }

// isUnusual: whose money a request moves, or how much, does not follow from its body alone.
func (s *facts) isUnusual(t *record.Attempt) bool {
	if t.Step >= len(s.Steps) {
		return true
	}
	m, ok := s.Steps[t.Step].Meaning.(language.Send)
	return ok && (m.Raw != nil || m.Under != language.OwnToken && m.Under != language.FirstToken)
}

// definitelyRejected: the target says that it has not done it. Anything else may have moved money.
func definitelyRejected(t *record.Attempt) bool {
	return t.Status >= 400 && t.Status < 500 && t.Status != http.StatusRequestTimeout
}

func reportsResult(d *record.Delivery, t *record.Attempt) bool {
	return (d.Name == api.PayloadCashOut || d.Name == api.PayloadTransfer) && about(t)(d)
}

func reportsSuccess(d *record.Delivery) bool {
	return d.State() == api.Confirmed || d.State() == api.EventLiquidated
}

// SettledPayments are the payments of an account that the bank has confirmed, and that lists can find.
func (s *facts) SettledPayments(of language.Account) []*record.Attempt {
	return slices.DeleteFunc(slices.Clone(s.Attempts), func(t *record.Attempt) bool {
		_, named := t.ExternalID()
		return t.Account != of || !named || !s.isSettled(t)
	})
}

// callsOf are the calls of a control; by one method, or by any if it is empty.
func (s *facts) callsOf(control target.Control, method string) (calls []record.Call) {
	for _, c := range s.Calls {
		if c.Operation == string(control) && (method == "" || c.Method == method) {
			calls = append(calls, c)
		}
	}
	return calls
}
