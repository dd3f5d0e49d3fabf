package judge

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/verdict"
)

// balanceNow is the last balance that a step has read. The result is not a pass until it was read
// successfully.
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
		return b, failAnswer(t, "the balance", "an earlier balance request in this scenario succeeded")
	}
	return b, blocked(UnreadableBalance(t))
}

// UnreadableBalance is the obstacle of a scenario whose balance cannot be read.
func UnreadableBalance(t *record.Attempt) *record.Obstacle {
	return record.Cannot("cannot read the balance: " + t.Summary())
}

// moved judges how a part of the balance changed since the When began.
func moved(s *Scenario, i int, m language.Moved) Result {
	v := movement{blocked: m.Blocked, least: m.Least, most: m.Most, modality: m.Modality, patience: s.Terms.Deadlines.Balance}
	if m.Modality == language.Should {
		v.patience = optionalPatience(v.patience)
	}
	if m.Stays {
		if r := quiet(s, i); r.Verdict != verdict.Pass {
			return r
		}
		v.hint = "a repeated request must not move money, now or later"
	}
	if m.EachAccepted {
		v.least *= money.Centavos(len(acceptedOf(s.Several())))
		v.most = v.least
		v.hint = "each accepted request must take its amount exactly once"
	}
	return v.judge(s, i)
}

// movesNoMoney: a rejected request does not change the balance, but earlier orders may: see spec.Thing.MayStill.
func movesNoMoney(s *Scenario, i int, t *record.Attempt) Result {
	if s.Before == nil || t.Account != language.TheAccount {
		return pass()
	}
	v := movement{hint: "a refused request must not move money", patience: s.Terms.Deadlines.Balance}
	v.besides, v.back = movedMeanwhile(s, t)
	if len(v.besides) > 0 {
		v.hint += fmt.Sprintf("; earlier refunds and fees in this scenario may still take %v, which would be a different amount", v.besides)
	}
	if len(v.back) > 0 {
		v.hint += fmt.Sprintf("; what has failed meanwhile may have brought back %v, which would be a different amount", v.back)
	}
	return v.judge(s, i)
}

// movement is the expected change of a part of the balance; negative for a fall.
type movement struct {
	blocked     bool // instead of available
	least, most money.Centavos
	besides     []money.Centavos // other operations may have taken some of these
	back        []money.Centavos // and some of these may have come back
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

// judge compares the last balance with the expected one. Some gateways read it from a lagging
// replica, so it may help to read again.
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
	by := m.of(now) - m.of(*s.Before)
	least, most := by-m.most, by-m.least // that others must have moved
	if least <= 0 && most >= 0 || mayHaveMoved(&s.facts, m.back, m.besides, least, most, now) {
		return pass()
	}
	var late []money.Centavos
	for order, made := range ordersBefore(&s.facts, s.Before.Index) {
		if mayHaveFailed(&s.facts, order, made.May) {
			late = append(late, made.Amount)
		}
	}
	switch fell := -most; {
	case mayBeFee(s, fell):
		r = couldNotTest(fmt.Sprintf("%s fell by %v, possibly the fee of an earlier payment: set fees in the profile", m.part(), fell))
	case !m.blocked && least > 0 && mayHaveMoved(&s.facts, slices.Concat(m.back, late), m.besides, least, most, now):
		r = couldNotTest(fmt.Sprintf("%s is %v higher than expected, possibly by the money of something earlier that failed, which may come back at any time", m.part(), least+rise))
	case m.blocked && fell > 0 && fell+fall <= s.Before.Blocked && someSum(late, fell, fell+fall):
		r = couldNotTest(fmt.Sprintf("%s is %v lower than expected, possibly by the money of something earlier that failed, which may be released at any time", m.part(), fell+fall))
	default:
		r = m.wrong(s, now)
	}
	return r.pending(Look{At: Balance, Patience: m.patience})
}

func noBalance() Result { return unrecorded("a balance before this step") }

// wrong is the result of an unexpected change. On an account that is shared, or has earlier
// payments that stay pending, something else may have caused it.
func (m movement) wrong(s *Scenario, now record.Balance) Result {
	account, r := s.Accounts[language.TheAccount], fail(m.finding(*s.Before, now))
	switch {
	case m.modality == language.Should && !account.Shared:
		return softened(r, m.modality)
	case account.Unsettled:
		return couldNotTest("earlier payments of this account are still pending after deadlines.webhook and may have moved the balance: " + r.Finding.Got)
	}
	r.Finding.Hint = m.hint
	return unlessShared(s, r)
}

// unlessShared turns a failure on a shared account into could not test: others may have changed
// its balance or lists.
func unlessShared(s *Scenario, r Result) Result {
	if r.Verdict != verdict.Fail || !s.Accounts[language.TheAccount].Shared {
		return r
	}
	return couldNotTest(fmt.Sprintf("this account is shared (shared: true in the profile), so others may have caused this: expected %s, got %s", r.Finding.Expected, r.Finding.Got))
}

func (m movement) finding(before, now record.Balance) verdict.Finding {
	from, to := m.of(before), m.of(now)
	words, expected := m.words()
	return verdict.Finding{
		Expected: m.part() + " " + words,
		Got:      fmt.Sprintf("%s, from %v to %v", strings.TrimPrefix(moves(to-from, "fell", "rose"), "stay "), from, to),
		Exchange: now.Index, Field: m.part(),
		About: verdict.About{Kind: verdict.Movement, Expected: expected, Got: directionOf(to - from)},
	}
}

func directionOf(change money.Centavos) verdict.Direction {
	switch {
	case change < 0:
		return verdict.Falls
	case change > 0:
		return verdict.Rises
	}
	return verdict.Stays
}

// words describe the expected change: "to fall by between R$ 10.00 and R$ 10.50". They also name its direction, or the
// one in which the balance must not move.
func (m movement) words() (string, verdict.Direction) {
	switch least, most := m.least, m.most; {
	case least == most:
		return "to " + moves(least, "fall", "rise"), directionOf(least)
	case least <= -money.Most+money.Most/2:
		return "not to rise" + beyond(most), verdict.Rises
	case most >= money.Most-money.Most/2:
		return "not to fall" + beyond(least), verdict.Falls
	case most < 0:
		return fmt.Sprintf("to fall by between %v and %v", -most, -least), verdict.Falls
	case least > 0:
		return fmt.Sprintf("to rise by between %v and %v", least, most), verdict.Rises
	case most == 0:
		return fmt.Sprintf("to fall by at most %v", -least), verdict.Falls
	case least == 0:
		return fmt.Sprintf("to rise by at most %v", most), verdict.Rises
	default:
		return fmt.Sprintf("to fall by at most %v or rise by at most %v", -least, most), verdict.Falls
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

// movedMeanwhile is what earlier payments and refunds of the account may have taken between the balance before a When and a
// request, each of it or not, and what may have come back, by then or since: an event may report a failure later.
func movedMeanwhile(s *Scenario, request *record.Attempt) (taken, back []money.Centavos) {
	g := s.gateway()
	for order, then := range ordersBefore(&s.facts, request.Index) {
		was, _ := g.before[s.Before.Index].Thing(then.ID)
		now, _ := g.now().Thing(then.ID)
		isReported := func(d *record.Delivery) bool { return d.Index < s.Before.Index && about(order)(d) }
		if !s.Terms.FeesControl || then.Kind == spec.Transfer || order.Is(api.Payment) && slices.ContainsFunc(s.Events, isReported) {
			was.Fee, then.Fee = 0, 0 // that of a profile is in [slack], and a payment that was reported has taken its own
		}
		take, giveBack := then.Since(was)
		_, later := now.Since(was)
		if take > 0 {
			taken = append(taken, take)
		}
		if giveBack = max(giveBack, later); giveBack > 0 {
			back = append(back, giveBack)
		}
	}
	return taken, back
}

// slack is how much further than stated a part of the balance may fall, or rise, because of fees
// in the profile: a payment costs up to its fee, at order or at settlement, and returns it if it
// fails; a received payment loses up to its fee. The blocked balance may include a fee. There is
// no slack if a control sets fees, because then the scenario knows them. A wrong fee within the
// slack is not detected.
func slack(s *Scenario, blocked bool) (fall, rise money.Centavos) {
	if s.Terms.FeesControl {
		return 0, 0
	}
	for _, t := range s.gateway().now().Things() {
		if t.Account != int(language.TheAccount) {
			continue
		}
		if fall += t.Fee; t.Moved().Least < 0 {
			rise += t.Fee
		}
	}
	if blocked {
		fall = max(fall, rise)
		rise = fall
	}
	return fall, rise
}

// mayBeFee reports whether an unexpected fall may be the unknown fee of a payment that settles
// now. It is not if it reaches the amount of a payment.
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
	back := money.Centavos(0)
	for _, m := range moves {
		if _, returns := m.MayStill(); m.May.WasRejected() {
			back += returns
		}
	}
	if b, ok := last.Balance(); back == 0 || !ok || p.availableAfter(moves).Least+back <= b.Available {
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

// ordersBefore are the payments and refunds of the account that were accepted before an exchange, with what they had made.
func ordersBefore(s *facts, index int) iter.Seq2[*record.Attempt, spec.Thing] {
	return func(yield func(*record.Attempt, spec.Thing) bool) {
		for _, made := range s.gateway().before[index].Things() {
			order := s.Attempt(int(made.ID))
			if order == nil || order.Account != language.TheAccount || !order.Is(api.Payment, api.Refund) || made.May.Has(spec.Unmade) {
				continue
			}
			if !yield(order, made) {
				return
			}
		}
	}
}

// mayHaveFailed reports whether what was ordered may have failed: besides what has, a payment may have expired, a sandbox
// may have decided, or the payee's account or document may be wrong.
func mayHaveFailed(s *facts, t *record.Attempt, may spec.States) bool {
	switch {
	case may.WasRejected():
		return true
	case !t.Is(api.Payment) || may.Within(spec.DidSucceed):
		return false
	}
	return may.Has(spec.Expired) || t.IsPlayed() || slices.ContainsFunc(s.Steps, func(step language.Step) bool {
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
