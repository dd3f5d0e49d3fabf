package judge

import (
	"net/http"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// Most scenarios do not look at the balance. A gateway that takes a cash-out twice now and then
// would pass, so after its last step each scenario's money is held against what was sent.

// purse is the money of one account, by all that is recorded.
type purse struct {
	*facts
	of language.Account
}

func (s *facts) purse(of language.Account) purse { return purse{s, of} }

// FinalLook is a look at the balance of an account after the last step, as long as what was
// recorded does not explain it; nil if nothing is to be seen.
func (s *Scenario) FinalLook(of language.Account) *Look {
	if moves, _ := s.purse(of).moves(); len(moves) == 0 {
		return nil
	}
	return s.BalanceLook(of)
}

// BalanceLook is a look at the balance of an account, as long as what was recorded does not explain
// it; nil if it does, or if nothing can be said.
func (s *Scenario) BalanceLook(of language.Account) *Look {
	span, ok := s.purse(of).left()
	if !ok {
		return nil
	}
	if t := s.purse(of).finalBalance(); t != nil {
		if b, ok := t.Balance(); !ok || span.holds(b.Available) {
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
func (s purse) finalBalance() (last *record.Attempt) {
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

// unexplained is money of the scenario's accounts that nothing explains, and that was looked at
// until patience ended.
func (s audit) unexplained() []Met {
	var all []Met
	for of := range s.Accounts {
		account := language.Account(of)
		purse := s.purse(account)
		all = append(all, purse.overblocked()...)
		look := s.FinalLook(account)
		t := purse.finalBalance()
		if look == nil || t == nil || !s.HasWaited(len(s.Steps), look.Key()) {
			all = append(all, purse.misread()...)
			continue
		}
		all = append(all, purse.wrongBalance(t))
	}
	return all
}

// wrongBalance is the breach of an account that nothing explains.
func (s purse) wrongBalance(t *record.Attempt) Met {
	p, _ := s.left()
	moves, _ := s.moves()
	b, _ := t.Balance()
	start := s.Accounts[s.of].Funds.Available
	v := movement{least: p.least - start, most: p.most - start}
	f := v.finding(record.Balance{Available: start}, b)
	return Met{Breach{moves[len(moves)-1].by.Money, f.Expected + ", according to the requests of the scenario", f.Got, ""}, t.Exchange}
}

// span is what can be available to an account. The bounds are those that the specification
// sets: where it leaves open when money moves, or a record does not show whether it did, they
// are apart.
type span struct{ least, most money.Centavos }

func (p span) holds(c money.Centavos) bool { return p.least <= c && c <= p.most }

func (p span) and(q span) span { return span{p.least + q.least, p.most + q.most} }

func (p span) around(q span) span { return span{min(p.least, q.least), max(p.most, q.most)} }

// move is what an order or a payment of somebody's may have done to what is available.
type move struct {
	by    *api.Operation
	index int  // of the exchange that asked for it
	done  span // by how much available moves once it is done
	not   span // and as long as it is not, or if it was undone
	must  bool // it is done, and nothing undoes it
}

func (m move) span() span {
	if m.must {
		return m.done
	}
	return m.done.around(m.not)
}

// left is what an account can have available; false if that cannot be said.
func (s purse) left() (span, bool) {
	moves, ok := s.moves()
	if !ok {
		return span{}, false
	}
	return s.after(moves), true
}

// after is what an account can have available after all of its moves.
func (s purse) after(moves []move) span {
	available := s.Accounts[s.of].Funds.Available
	return span{available, available}.after(moves)
}

// after is the span once all moves have shown, as far as they are sure.
func (p span) after(moves []move) span {
	for _, m := range moves {
		p = p.and(m.span())
	}
	return p
}

// moves are everything that may have moved what is available to an account since that was known;
// false if they cannot be told. What is ordered takes its amount at once or, of a refund, until it
// is done; it may come back as long as nobody has confirmed it.
func (s purse) moves() ([]move, bool) {
	known := &s.moved[s.of]
	if known.entries != s.Entries() {
		feeOut, feeIn, feesKnown := s.fees()
		moves, ok := s.findMoves(feeOut, feeIn)
		ok = ok && feesKnown
		*known = movedSoFar{s.Entries(), slices.Clip(moves), ok}
	}
	return known.moves, known.ok
}

// movedSoFar are the moves by the first entries of a record. They are asked for after every step.
type movedSoFar struct {
	entries int
	moves   []move
	ok      bool
}

func (s purse) findMoves(feeOut, feeIn money.Centavos) ([]move, bool) {
	funds := s.Accounts[s.of].Funds
	if funds == nil || s.Accounts[s.of].Shared || s.hasCases() {
		return nil, false
	}
	var all []move
	seen := map[string]bool{}
	for _, t := range s.Requests() {
		if t.Account != s.of || t.Is(api.Nothing) || refused(t) || s.isOfProbe(t) {
			continue
		}
		amount, ok := t.Amount()
		if !ok || s.isUnusual(t) || t.Index < funds.Index && !t.Is(api.Charge) {
			return nil, false
		}
		if t.Is(api.Charge) {
			paid, ok := s.credits(t, amount, feeIn, funds.Index)
			if !ok {
				return nil, false
			}
			all = append(all, paid...)
			continue
		}
		m := move{by: t.Op, index: t.Index}
		same, again := s.repeats(t, seen)
		if !same {
			m.done, m.not = span{-amount - feeOut, -amount}, span{-feeOut, 0}
			m.must = !again && (s.hasLeft(t) || s.isHeld(t))
		}
		all = append(all, m)
	}
	back, ok := s.returnsTo(feeIn)
	return append(all, back...), ok
}

// isOfProbe: the payment that shows what a list by key returns is sent by an account opened for it,
// unless the scenario runs on one of the profile.
func (s purse) isOfProbe(t *record.Attempt) bool {
	if t.Step >= len(s.Steps) || s.Accounts[t.Account].Fixed {
		return false
	}
	_, probes := s.Steps[t.Step].Meaning.(language.ListsSent)
	return probes
}

// returnsTo are what payees have returned, if it is clear to which account.
func (s purse) returnsTo(fee money.Centavos) (all []move, ok bool) {
	var mine, others *record.Attempt
	for _, t := range s.Attempts {
		switch {
		case t.Returned && t.Account == s.of:
			mine = t
		case t.Returned:
			others = t
		}
	}
	if mine == nil || others != nil {
		return nil, mine == nil
	}
	for _, c := range s.callsOf(target.Returns, http.MethodPost) {
		back, err := money.Parse(c.Text("amount"))
		if err != nil {
			return nil, false
		}
		all = append(all, move{by: mine.Op, index: c.Index, done: span{back - fee, back}, must: c.Succeeded()})
	}
	return all, true
}

// credits are what somebody has paid for a charge. Splits may leave any part of it to others.
func (s purse) credits(t *record.Attempt, amount, fee money.Centavos, since int) (all []move, ok bool) {
	code, ok := t.PayCode()
	if !ok {
		return nil, true
	}
	_, split := jsonvalue.Lookup(t.Request, "splits")
	for _, c := range s.callsOf(target.Payments, http.MethodPost) {
		if c.Text("pixCode") != code || c.Refused() {
			continue
		}
		if c.Index < since {
			return nil, false
		}
		if other := c.Text("amount"); other != "" {
			var err error
			if amount, err = money.Parse(other); err != nil {
				return nil, false
			}
		}
		m := move{by: t.Op, index: c.Index, done: span{amount - fee, amount}}
		if split {
			m.done.least = 0
		}
		m.must = c.Succeeded() && !split && !slices.ContainsFunc(all, func(m move) bool { return m.must })
		all = append(all, m)
	}
	return all, true
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

// hasCases: what a MED case does to the money that it contests is left open.
func (s *facts) hasCases() bool { return len(s.callsOf(target.MED, "")) > 0 }

// isUnusual: whose money a request moves, or how much, does not follow from its body alone.
func (s *facts) isUnusual(t *record.Attempt) bool {
	if t.Step >= len(s.Steps) {
		return true
	}
	m, ok := s.Steps[t.Step].Meaning.(language.Send)
	return ok && (m.Raw != nil || m.Under != language.OwnToken && m.Under != language.FirstToken)
}

// refused: the target says that it has not done it. Anything else may have moved money.
func refused(t *record.Attempt) bool {
	return t.Status >= 400 && t.Status < 500 && t.Status != http.StatusRequestTimeout
}

// repeats: the same order was sent before, and takes nothing more. For how long a key is
// remembered, and what another order under the same key comes to, is left open: again is true,
// and that it has taken money is not sure. The id of a refund is one of its payment's only.
// Two keys that differ in case only are one if they lead to the same transfer.
func (s purse) repeats(t *record.Attempt, seen map[string]bool) (same, again bool) {
	externalID, _ := t.ExternalID()
	id := foldedKey(t) + externalID
	if t.Is(api.Refund) {
		id = t.Path()
	}
	whole := sentKey(t) + id + " " + string(t.Body)
	led := foldedKey(t) + " leads to " + madeBy(t)
	same = seen[whole] || foldedKey(t) != "" && madeBy(t) != "" && seen[led]
	again = seen[id]
	seen[id], seen[whole], seen[led] = true, true, true
	return same && s.Passed.IsZero() && externalID == "", again
}

// leftAt is when the bank had confirmed a payment, if nobody says that it has failed. What a sandbox
// only plays says nothing of money.
func (s *facts) leftAt(t *record.Attempt) (at time.Time, left bool) {
	if !t.Is(api.Payment) || !t.Accepted() || t.IsPlayed() {
		return at, false
	}
	settled := slices.DeleteFunc(s.settlementsOf(t), func(c record.Call) bool { return !c.Succeeded() })
	if len(settled) > 0 { // whether a later outcome undoes the first is left open
		undone := slices.ContainsFunc(settled, func(c record.Call) bool { return c.Text("outcome") != target.Confirmed })
		return settled[0].Sent.Add(settled[0].Took), !undone
	}
	for _, d := range s.Events {
		switch {
		case !reportsResult(d, t):
		case !reportsSuccess(d):
			return at, false
		case !left:
			at, left = d.Sent, true
		}
	}
	return at, left
}

func reportsResult(d *record.Delivery, t *record.Attempt) bool {
	return (d.Name == api.PayloadCashOut || d.Name == api.PayloadTransfer) && about(t)(d)
}

func reportsSuccess(d *record.Delivery) bool {
	return d.State() == api.Confirmed || d.State() == api.EventLiquidated
}

// Left are the payments of an account that the bank has confirmed, and that lists can find.
func (s *facts) Left(of language.Account) []*record.Attempt {
	return slices.DeleteFunc(slices.Clone(s.Attempts), func(t *record.Attempt) bool {
		_, named := t.ExternalID()
		return t.Account != of || !named || !s.hasLeft(t)
	})
}

func (s *facts) hasLeft(t *record.Attempt) bool {
	_, left := s.leftAt(t)
	return left
}

// isHeld: a payment is pending, and has its amount taken, since the bank was told to wait before it
// was ordered, and nobody has settled anything or moved the clock.
func (s purse) isHeld(t *record.Attempt) bool {
	_, expires := t.SentField("expiration")
	if !t.Is(api.Payment) || !t.Accepted() || t.Account != language.TheAccount || expires || t.IsPlayed() {
		return false
	}
	held := false
	for _, c := range s.callsOf(target.Settlement, "") {
		if c.Method != http.MethodPut || c.Text("mode") != "manual" || !c.Succeeded() {
			return false
		}
		held = held || c.Index < t.Index
	}
	return held && len(s.callsOf(target.Clock, "")) == 0
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
