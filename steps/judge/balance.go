package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

const balanceNoun = "balance request"

// balanceNow is the balance as a step has read it last. The result is not a pass while it has
// not been read, or cannot be.
func balanceNow(s *Scenario, i int, account language.Account, patience time.Duration) (record.Balance, Result) {
	t := s.LookOf(i, balanceNoun)
	if t == nil {
		return record.Balance{}, undecided(Look{At: Balance, Account: account, Patience: patience})
	}
	b, ok := t.Balance()
	switch {
	case ok:
		return b, pass()
	case s.Before != nil:
		return b, failAt(t, "the balance", t.Summary(), "it could be read before")
	}
	return b, unable(UnreadableBalance(t))
}

// UnreadableBalance is why nothing can be said of money.
func UnreadableBalance(t *record.Attempt) *record.Obstacle {
	return record.Cannot("the target's balance cannot be read, without which this cannot be tested: " + t.Summary())
}

// moved judges how a part of the balance has moved since the When began.
func moved(s *Scenario, i int, m language.Moved) Result {
	if t := s.It(); m.IfAccepted && t == nil {
		return nothingSent()
	} else if m.IfAccepted && !t.Accepted() {
		return pass()
	}
	v := movement{blocked: m.Blocked, least: m.Least, most: m.Most, modality: m.Modality, patience: s.Terms.Deadlines.Balance}
	if m.Modality == language.Should {
		v.patience = briefly(v.patience)
	}
	if m.Stays {
		if r := quiet(s, i); r.Verdict != verdict.Pass {
			return r
		}
		v.hint = "a repeat must move no money, at once or later"
	}
	if m.EachAccepted {
		v.least *= money.Centavos(len(acceptedOf(s.AtOnce())))
		v.most = v.least
		v.hint = "each accepted request takes its amount once"
	}
	return v.judge(s, i)
}

// movedNothing: a refusal leaves the balance as it was, except for what earlier refunds take:
// when the money of a refund moves, between its request and its end, is left open.
func movedNothing(s *Scenario, i int, t *record.Attempt) Result {
	if s.Before == nil || t.Account != language.TheAccount {
		return pass()
	}
	earlier := refundsBefore(s, t)
	v := movement{hint: "a refusal must move no money", besides: sumsOf(earlier), patience: s.Terms.Deadlines.Balance}
	if len(earlier) > 0 {
		v.hint += fmt.Sprintf("; the earlier refunds of this scenario may still take theirs (%v), which would be another sum", earlier)
	}
	return v.judge(s, i)
}

// movement is how a part of the balance is expected to have moved: up, or down below zero.
type movement struct {
	blocked     bool // instead of available
	least, most money.Centavos
	besides     []money.Centavos // something else may have taken one of these sums
	modality    language.Modality
	patience    time.Duration
	hint        string
}

func (m movement) part() string {
	if m.blocked {
		return "blocked"
	}
	return "available"
}

func (m movement) of(b record.Balance) money.Centavos {
	if m.blocked {
		return b.Blocked
	}
	return b.Available
}

// judge holds the balance as it was last read against what is expected. Some gateways read
// it from a lagging replica, so looking again may help.
func (m movement) judge(s *Scenario, i int) Result {
	if s.Before == nil {
		return noBalance()
	}
	now, r := balanceNow(s, i, language.TheAccount, m.patience)
	if r.Verdict != verdict.Pass {
		return r
	}
	fall, rise := slack(s, m.blocked)
	m.least, m.most = m.least-fall, m.most+rise
	within := func(by money.Centavos) bool { return by >= m.least && by <= m.most }
	by := m.of(now) - m.of(*s.Before)
	if within(by) || slices.ContainsFunc(m.besides, func(sum money.Centavos) bool { return within(by + sum) }) {
		return pass()
	}
	if fell := m.least - by; mayBeFee(s, fell) {
		r = cannot(fmt.Sprintf("%s has fallen by %v, which may be the fee of an earlier payment: state the fees in the profile", m.part(), fell))
	} else {
		r = m.wrong(s, now)
	}
	return r.pending(Look{At: Balance, Patience: m.patience})
}

// noBalance is the result of a step on money when no balance was read before it.
func noBalance() Result { return lacks("the balance before this step") }

// wrong is the result of another movement. On an account that others use, or whose earlier
// payments never end, somebody else may have caused it.
func (m movement) wrong(s *Scenario, now record.Balance) Result {
	account, r := s.Accounts[language.TheAccount], fail(m.finding(*s.Before, now))
	switch {
	case m.modality == language.Should:
		return softened(r, m.modality)
	case account.Restless:
		return cannot("earlier payments of the account are pending for longer than webhooks are waited for, and what becomes of them moves its balance too: " + r.Finding.Got)
	}
	r.Finding.Hint = m.hint
	return unlessShared(s, r)
}

// unlessShared: on an account that others use, what balances and the pages of a list disagree
// about may be theirs.
func unlessShared(s *Scenario, r Result) Result {
	if r.Verdict != verdict.Fail || !s.Accounts[language.TheAccount].Shared {
		return r
	}
	return cannot(fmt.Sprintf("others use this account (shared: true in the profile) and may have caused this: expected %s, got %s", r.Finding.Expected, r.Finding.Got))
}

func (m movement) finding(before, now record.Balance) verdict.Finding {
	from, to := m.of(before), m.of(now)
	return verdict.Finding{
		Expected: m.part() + " to " + m.words(),
		Got:      fmt.Sprintf("%s, from %v to %v", strings.TrimPrefix(moves(to-from, "fell", "rose"), "stay "), from, to),
		Exchange: now.Index, Field: m.part(),
	}
}

// words are what is expected: "fall by R$ 10.00 to R$ 10.50".
func (m movement) words() string {
	switch least, most := m.least, m.most; {
	case least == most:
		return moves(least, "fall", "rise")
	case least <= -money.Most+money.Most/2:
		return "not rise" + beyond(most)
	case most >= money.Most-money.Most/2:
		return "not fall" + beyond(least)
	case most < 0:
		return fmt.Sprintf("%s to %v", moves(most, "fall", "rise"), -least)
	case least > 0:
		return fmt.Sprintf("%s to %v", moves(least, "fall", "rise"), most)
	case most == 0:
		return fmt.Sprintf("fall by at most %v", -least)
	case least == 0:
		return fmt.Sprintf("rise by at most %v", most)
	default:
		return fmt.Sprintf("fall by at most %v or rise by at most %v", -least, most)
	}
}

func beyond(limit money.Centavos) string {
	if limit == 0 {
		return ""
	}
	return fmt.Sprintf(" by more than %v", max(limit, -limit))
}

func moves(c money.Centavos, down, up string) string {
	switch {
	case c < 0:
		return fmt.Sprintf("%s by %v", down, -c)
	case c > 0:
		return fmt.Sprintf("%s by %v", up, c)
	default:
		return "stay unchanged"
	}
}

// refundsBefore are the amounts of the refunds that were accepted before a request.
func refundsBefore(s *Scenario, t *record.Attempt) []money.Centavos {
	var amounts []money.Centavos
	for _, earlier := range s.Attempts {
		if earlier.Index >= t.Index || !earlier.Is(api.Refund) || earlier.Account != t.Account || !earlier.Accepted() {
			continue
		}
		if amount, ok := earlier.Amount(); ok {
			amounts = append(amounts, amount)
		}
	}
	return amounts
}

// sumsOf are the sums of one or more of some amounts, each once.
func sumsOf(amounts []money.Centavos) []money.Centavos {
	sums := []money.Centavos{0}
	for _, amount := range amounts {
		for _, sum := range slices.Clone(sums) {
			if !slices.Contains(sums, sum+amount) {
				sums = append(sums, sum+amount)
			}
		}
	}
	return sums[1:]
}

// slack is by how much more than a sentence says a part of the balance may fall, or rise, for
// fees that the profile states: what is sent costs up to its fee, at order or at settlement,
// and returns it when it fails; of what is received up to its fee is kept. What is blocked may
// hold a fee too. There is none if fees can be set, since then only a sentence sets one. A
// gateway that takes the wrong fee within the slack is not found out.
func slack(s *Scenario, blocked bool) (fall, rise money.Centavos) {
	if s.Terms.FeesControl {
		return 0, 0
	}
	out, in := money.OrZero(s.Terms.Fees.CashOut), money.OrZero(s.Terms.Fees.CashIn)
	for _, t := range s.Attempts {
		if t.Account != language.TheAccount || !t.Accepted() {
			continue
		}
		switch t.Op.Makes {
		case api.Payment, api.Refund:
			fall, rise = fall+out, rise+out
			if t.GivenBack {
				fall += in
			}
		case api.Charge:
			fall += in
		}
	}
	if blocked {
		fall = max(fall, rise)
		rise = fall
	}
	return fall, rise
}

// mayBeFee: a fall beyond what a sentence says, of an account with unknown fees, may be the fee
// of a payment that settles now. It is not once it reaches the amount of a payment.
func mayBeFee(s *Scenario, fall money.Centavos) bool {
	if fall <= 0 || s.Terms.FeesControl || s.Terms.FeesKnown() {
		return false
	}
	accepted := false
	for _, t := range s.Attempts {
		if t.Account != language.TheAccount || !t.Accepted() || t.Is(api.Nothing) {
			continue
		}
		if amount, ok := t.Amount(); !ok || fall >= amount {
			return false
		}
		accepted = true
	}
	return accepted
}
