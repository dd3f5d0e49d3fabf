package judge

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
)

// ReturnLook is a look at the balance of an account, as long as it lacks money of payments and refunds that the bank has
// rejected; nil if it lacks none, or if nothing can be said. When that money comes back, and whether it does, is open
// ("money of a payment that failed"), so that a look in vain is no fault. But what comes later would be taken for the
// doing of a later request.
func ReturnLook(s *Scenario, of language.Account) *Look {
	p := s.moneyOf(of)
	moves, ok := p.moves()
	last := p.finalBalance()
	if !ok || last == nil {
		return nil
	}
	back, has := money.Centavos(0), false
	for _, m := range moves {
		if isRejected(m.May) {
			back, has = back+m.Amount, true
		}
	}
	if b, ok := last.Balance(); !has || !ok || p.availableAfter(moves).Least+back <= b.Available {
		return nil
	}
	return &Look{At: Balance, Account: of, Patience: s.Terms.Deadlines.Balance}
}

// mayHaveMoved reports whether some of the amounts that may come back, less some of those that may be taken, add up to
// between least and most. Whether fees come back with them, and when, is open, too ("when the fee of a cash-out is
// taken"). But an account never has more than if all had come back.
func mayHaveMoved(s *facts, back, taken []money.Centavos, least, most money.Centavos, now record.Balance) bool {
	if len(back) > 0 {
		p := s.moneyOf(language.TheAccount)
		moves, ok := p.movesBesideFees()
		for i := range moves {
			moves[i].Fee = 0 // the most that an account can have is what it has without fees
		}
		if ok && now.Available > p.availableAfter(moves).Most {
			return false
		}
		fees := feeOf(s, back) * money.Centavos(len(back))
		least, most = least-fees, most+fees
	}
	for _, amount := range taken { // what is not taken counts as coming back
		least, most = least+amount, most+amount
	}
	return least <= 0 && most >= 0 || someSum(slices.Concat(back, taken), least, most)
}

// feeOf is the most that the fee of each of some payments can be, beyond [slack]. One that is unknown is below any amount.
func feeOf(s *facts, amounts []money.Centavos) money.Centavos {
	switch fee, _, known := s.fees(); {
	case s.Terms.FeesControl:
		return fee
	case known:
		return 0
	}
	return max(0, slices.Min(amounts)-1)
}

// failedEarlier are the amounts of what may have failed before the balance before a step.
func failedEarlier(s *facts) []money.Centavos {
	return ordersAmounts(s, s.Before.Index, func(t *record.Attempt) bool { return mayHaveFailed(s, t, s.Before.Index) })
}

// failedMeanwhile are the amounts of what has failed, or may have expired, between the balance before a When and a
// request. An event may report it later.
func failedMeanwhile(s *facts, request *record.Attempt) []money.Centavos {
	return ordersAmounts(s, s.Before.Index, func(t *record.Attempt) bool {
		g := s.gateway()
		before, then, now := g.mayBefore(t, s.Before.Index), g.mayBefore(t, request.Index), g.may(t)
		switch {
		case before.Within(didFail), before.Within(didSucceed):
			return false
		case isRejected(then), isRejected(now): // which of two results counts is open ("finality of a payment")
			return true
		}
		return !then.Within(didSucceed) && then.Overlaps(expired) && !before.Overlaps(expired)
	})
}

// ordersAmounts are those of some of the account's orders that were accepted before an exchange. What was sent again counts
// once: the id of a refund is in its path.
func ordersAmounts(s *facts, before int, which func(*record.Attempt) bool) (all []money.Centavos) {
	seen := map[string]bool{}
	for _, t := range s.Attempts {
		amount, ok := t.Amount()
		order := strings.Join([]string{t.Path(), sentKey(t), string(t.Body)}, " ")
		if t.Is(api.Refund) {
			order = t.Path() + " " + amount.Decimal()
		}
		if !ok || t.Index >= before || t.Account != language.TheAccount || !t.Accepted() || seen[order] || !which(t) {
			continue
		}
		seen[order] = true
		all = append(all, amount)
	}
	return all
}

// mayHaveFailed reports whether what was ordered may have failed before an exchange: besides what has, a payment may have
// expired, a sandbox may have decided, or the payee's account or document may be wrong.
func mayHaveFailed(s *facts, t *record.Attempt, index int) bool {
	may := s.gateway().mayBefore(t, index)
	switch {
	case isRejected(may):
		return true
	case !t.Is(api.Payment) || may.Within(didSucceed):
		return false
	}
	return may.Overlaps(expired) || t.IsPlayed() || slices.ContainsFunc(s.Steps, func(step language.Step) bool {
		put, ok := step.Meaning.(language.PutKey)
		return ok && put.Holder != language.Payee && put.Holder != language.SameDocument
	})
}

// someSum reports whether some of the amounts, at least one, add up to between least and most. It keeps each sum
// once, and none above most, so that many amounts cost little.
func someSum(amounts []money.Centavos, least, most money.Centavos) bool {
	total := money.Centavos(0)
	for _, amount := range amounts {
		total += amount
	}
	if least > total {
		return false
	}
	sums := map[money.Centavos]bool{}
	for _, amount := range amounts {
		more := []money.Centavos{amount}
		for sum := range sums {
			more = append(more, sum+amount)
		}
		for _, sum := range more {
			if sum >= least && sum <= most {
				return true
			}
			if sum <= most {
				sums[sum] = true
			}
		}
	}
	return false
}
