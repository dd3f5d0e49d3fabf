package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
)

// A balance is read again until it is right, since a replica may lag behind. But what a replica shows
// was right once: a read between right ones of what the account never had is a fault. So is what it
// had before, once nothing has moved for longer than balances may take.

// impossibleBalances are the reads of an account's balance that no lag explains, although another is right after
// the same orders. If none is, the account has the wrong money, which is reported as such.
func (s accountMoney) impossibleBalances() []Met {
	moves, ok := s.moves()
	if !ok || s.isPaidByOther() {
		return nil
	}
	funds := s.Accounts[s.of].Funds
	now := s.availableAfter(moves)
	had := s.earlierFunds()
	settled := lastChange(s.Exchanges).Add(s.Terms.Deadlines.Balance)
	rule := ruleOfMoney(moves)
	var wrong []Met
	var after []int // of each: the order before it
	right := -1     // the last
	for _, t := range s.balanceReads() {
		b, ok := t.Balance()
		if !ok || t.Index < funds.Index {
			continue
		}
		possible := s.possible(moves, had, t)
		if len(moves) > 0 && (s.IsAtRest(t) || t.Sent.After(settled)) && !now.Holds(b.Available) {
			possible = []spec.Range{now}
		}
		if slices.ContainsFunc(possible, func(p spec.Range) bool { return p.Holds(b.Available) }) {
			right = max(right, t.Index)
			continue
		}
		wrong = append(wrong, Met{Breach{rule, "available to be " + amounts(possible) + " in every response", b.Available.String() + " in one of several", ""}, t.Exchange})
		after = append(after, lastBefore(moves, t.Index))
	}
	n := 0
	for n < len(wrong) && after[n] < right {
		n++
	}
	return wrong[:n]
}

// excessBlocked are the reads of a new account's balance that show more blocked than its operations take in
// all: blocked is what is reserved for operations in processing (Balance), and no lag shows more of them than
// there were.
func (s accountMoney) excessBlocked() []Met {
	moves, ok := s.moves()
	if account := s.Accounts[s.of]; !ok || !account.Opened || account.Fixed || s.isPaidByOther() {
		return nil
	}
	var wrong []Met
	for _, t := range s.balanceReads() {
		b, ok := t.Balance()
		if most := s.mayBlock(moves, t); ok && b.Blocked > most {
			expected := fmt.Sprintf("blocked to be at most %v, which is all that the operations of the new account can take", most)
			wrong = append(wrong, Met{Breach{"balance.blocked", expected, b.Blocked.String(), "data[0].balanceAmount.blocked"}, t.Exchange})
		}
	}
	return wrong
}

// mayBlock is the most that an account's operations can have reserved by the time of a read, also those
// that were refused in the end.
func (s accountMoney) mayBlock(moves []move, t *record.Attempt) (most money.Centavos) {
	ended := t.Sent.Add(t.Took)
	for _, m := range moves {
		if !s.Exchanges[m.index].Sent.After(ended) { // they may have been sent at once
			most += m.MayBlock()
		}
	}
	for _, o := range s.Requests() {
		if amount, ok := o.Amount(); ok && o.Account == s.of && !o.Sent.After(ended) && definitelyRejected(o) {
			most += spec.Thing{Kind: spec.KindOf(o.Op), Amount: max(0, amount)}.MayBlock() // a negative one is refused
		}
	}
	return most
}

// lastBefore is the exchange of the last move before another exchange; -1 if there is none.
func lastBefore(moves []move, index int) int {
	last := -1
	for _, m := range moves {
		if m.index < index {
			last = max(last, m.index)
		}
	}
	return last
}

// possible are the amounts that an account can have had available by the time of a read, by lists
// of spans: each move may show, or not yet.
func (s accountMoney) possible(moves []move, had []money.Centavos, t *record.Attempt) []spec.Range {
	available := s.Accounts[s.of].Funds.Available
	all := []spec.Range{spec.Exactly(available)}
	for _, m := range moves {
		if m.index > t.Index {
			continue
		}
		var next []spec.Range
		for _, p := range all {
			next = append(next, p)
			for _, r := range m.Moves() {
				next = append(next, p.Plus(r))
			}
		}
		all = merged(next)
	}
	for _, c := range had {
		all = append(all, spec.Exactly(c))
	}
	return merged(all)
}

// mostSpans bounds what is told apart: beyond that a balance only has to be between the extremes.
const mostSpans = 256

// merged are the same amounts in spans that do not touch, the least first.
func merged(all []spec.Range) []spec.Range {
	slices.SortFunc(all, func(a, b spec.Range) int { return cmp.Or(cmp.Compare(a.Least, b.Least), cmp.Compare(a.Most, b.Most)) })
	apart := all[:1]
	for _, p := range all[1:] {
		if last := &apart[len(apart)-1]; p.Least <= last.Most || len(all) > 3*mostSpans {
			last.Most = max(last.Most, p.Most)
		} else {
			apart = append(apart, p)
		}
	}
	return apart
}

// amounts are spans in words: "R$ 90.00 or R$ 100.00".
func amounts(all []spec.Range) string {
	const most = 4
	if len(all) > most {
		return fmt.Sprintf("%v to %v, in certain steps", all[0].Least, all[len(all)-1].Most)
	}
	var words []string
	for _, p := range all {
		words = append(words, p.String())
	}
	return strings.Join(words, " or ")
}

// balanceReads are in their order.
func (s accountMoney) balanceReads() []*record.Attempt {
	all := slices.DeleteFunc(s.Requests(), func(t *record.Attempt) bool {
		return t.Account != s.of || t.Op.Noun != balanceNoun || t.Role == record.Spoken && s.isUnusual(t)
	})
	slices.SortFunc(all, func(a, b *record.Attempt) int { return cmp.Compare(a.Index, b.Index) })
	return all
}

// earlierFunds are what an account had before it was given what it has: a new one, presumably nothing.
func (s accountMoney) earlierFunds() []money.Centavos {
	account := s.Accounts[s.of]
	had := slices.Clone(account.Had)
	if !account.Fixed {
		had = append(had, 0)
	}
	for _, t := range s.balanceReads() {
		if b, ok := t.Balance(); ok && t.Index < account.Funds.Index {
			had = append(had, b.Available)
		}
	}
	return had
}

// isPaidByOther: the scenario's other account may have paid this one.
func (s accountMoney) isPaidByOther() bool {
	return slices.ContainsFunc(s.orders(), func(t *record.Attempt) bool { return t.Account != s.of && t.Is(api.Payment) })
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
	return Met{Breach{ruleOfMoney(moves), f.Expected + ", according to the requests of the scenario", f.Got, ""}, t.Exchange}
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
