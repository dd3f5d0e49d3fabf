package judge

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// Most scenarios do not look at the balance. A gateway that takes a cash-out twice now and then
// would pass, so after its last step each scenario's money is held against what was sent.

// FinalLook is a look at the balance of an account after the last step, as long as what was
// recorded does not explain it; nil if nothing is to be seen.
func (s *Scenario) FinalLook(of language.Account) *Look {
	span, ok := s.explained(of)
	if !ok || span.by == nil {
		return nil
	}
	t := s.finalBalance(of)
	if t == nil {
		return s.balanceAtEnd(of)
	}
	if b, ok := t.Balance(); !ok || span.holds(b.Available) {
		return nil
	}
	return s.balanceAtEnd(of)
}

func (s *Scenario) balanceAtEnd(of language.Account) *Look {
	return &Look{At: Balance, Account: of, Patience: s.Terms.Deadlines.Balance}
}

// finalBalance is the last look at the balance of an account, if nothing was done after it.
func (s *Scenario) finalBalance(of language.Account) (last *record.Attempt) {
	for _, t := range s.Looks {
		if t.Account == of && t.Op.Noun == balanceNoun {
			last = t
		}
	}
	acted := func(t *record.Attempt) bool { return t.Index > last.Index && !t.Is(api.Nothing) }
	if last == nil || slices.ContainsFunc(s.Attempts, acted) || slices.ContainsFunc(s.Looks, acted) ||
		slices.ContainsFunc(s.Calls, func(c record.Call) bool { return c.Index > last.Index && c.Method != http.MethodGet }) {
		return nil
	}
	return last
}

// unexplained is money of the scenario's accounts that nothing explains, and that was looked at
// until patience ended.
func (s *Scenario) unexplained() []Met {
	var all []Met
	for of := range s.Accounts {
		account := language.Account(of)
		look := s.FinalLook(account)
		t := s.finalBalance(account)
		if look == nil || t == nil || !s.HasWaited(len(s.Steps), look.Key()) {
			continue
		}
		span, _ := s.explained(account)
		b, _ := t.Balance()
		start := s.Accounts[of].Funds.Available
		v := movement{least: span.least - start, most: span.most - start}
		f := v.finding(record.Balance{Available: start}, b)
		all = append(all, Met{Breach{span.by.Money, f.Expected + ", by what the scenario has sent", f.Got, ""}, t.Exchange})
	}
	return all
}

// span is what can be available to an account. The bounds are those that the specification
// sets: where it leaves open when money moves, or a record does not show whether it did, they
// are apart.
type span struct {
	least, most money.Centavos
	by          *api.Operation // the last that may have moved it; nil if nothing has
}

func (p span) holds(c money.Centavos) bool { return p.least <= c && c <= p.most }

// explained is what the account can have available by all that is recorded; false if that
// cannot be said. What is ordered takes its amount at once or, of a refund, until it is done; it
// may come back as long as nobody has confirmed it.
func (s *Scenario) explained(of language.Account) (span, bool) {
	funds := s.Accounts[of].Funds
	feeOut, feeIn, ok := s.fees()
	if funds == nil || s.Accounts[of].Shared || !ok || s.hasCases() {
		return span{}, false
	}
	p := span{least: funds.Available, most: funds.Available}
	seen := map[string]bool{}
	for _, all := range [][]*record.Attempt{s.Attempts, s.Looks} {
		for _, t := range all {
			if t.Account != of || t.Is(api.Nothing) || refused(t) {
				continue
			}
			amount, ok := t.Amount()
			if !ok || s.isUnusual(t) || t.Index < funds.Index && !t.Is(api.Charge) {
				return p, false
			}
			if t.Is(api.Charge) {
				if !p.credit(s, t, amount, feeIn, funds.Index) {
					return p, false
				}
				continue
			}
			p.by = t.Op
			same, again := s.repeats(t, seen)
			if !same {
				p.least -= amount + feeOut
			}
			if !again && (s.hasLeft(t) || s.isHeld(t)) {
				p.most -= amount
			}
		}
	}
	return p, p.giveBack(s, of, feeIn)
}

// giveBack adds what payees have given back, if it is clear to which account.
func (p *span) giveBack(s *Scenario, to language.Account, fee money.Centavos) bool {
	mine, others := false, false
	for _, t := range s.Attempts {
		mine, others = mine || t.GivenBack && t.Account == to, others || t.GivenBack && t.Account != to
	}
	if !mine || others {
		return !mine
	}
	for _, c := range s.callsOf(target.Returns, http.MethodPost) {
		back, err := money.Parse(c.text("amount"))
		if err != nil {
			return false
		}
		p.most += back
		if c.succeeded() {
			p.least += back - fee
		}
	}
	return true
}

// credit adds what somebody has paid for a charge. Splits may leave any part of it to others.
func (p *span) credit(s *Scenario, t *record.Attempt, amount, fee money.Centavos, since int) bool {
	code, ok := t.PayCode()
	if !ok {
		return true
	}
	_, split := jsonvalue.Lookup(t.Request, "splits")
	paid := false
	for _, c := range s.callsOf(target.Payments, http.MethodPost) {
		if c.text("pixCode") != code || c.Status >= 400 && c.Status < 500 {
			continue
		}
		if c.Index < since {
			return false
		}
		p.by = t.Op
		if other := c.text("amount"); other != "" {
			var err error
			if amount, err = money.Parse(other); err != nil {
				return false
			}
		}
		p.most += amount
		if c.succeeded() && !split && !paid {
			paid = true
			p.least += amount - fee
		}
	}
	return true
}

// fees are the most that sending and receiving can cost; false if that is unknown.
func (s *Scenario) fees() (out, in money.Centavos, ok bool) {
	if !s.Terms.FeesControl && !s.Terms.FeesKnown() {
		return 0, 0, false
	}
	out, in = money.OrZero(s.Terms.Fees.CashOut), money.OrZero(s.Terms.Fees.CashIn)
	for _, c := range s.callsOf(target.FeesControl, http.MethodPut) {
		out, in = max(out, money.OrZero(c.text("cashOut"))), max(in, money.OrZero(c.text("cashIn")))
	}
	return out, in, true
}

// hasCases: what a MED case does to the money that it contests is left open.
func (s *Scenario) hasCases() bool { return len(s.callsOf(target.MED, "")) > 0 }

// isUnusual: whose money a request moves, or how much, does not follow from its body alone.
func (s *Scenario) isUnusual(t *record.Attempt) bool {
	if t.Step >= len(s.Steps) {
		return true
	}
	m, ok := s.Steps[t.Step].Meaning.(language.Send)
	return ok && (m.Raw != nil || m.Under != language.OwnToken)
}

// refused: the target says that it has not done it. Anything else may have moved money.
func refused(t *record.Attempt) bool {
	return t.Status >= 400 && t.Status < 500 && t.Status != http.StatusRequestTimeout
}

// repeats: the same order was sent before, and takes nothing more. For how long a key is
// remembered, and what another order under the same key comes to, is left open: again is true,
// and that it has taken money is not sure.
func (s *Scenario) repeats(t *record.Attempt, seen map[string]bool) (same, again bool) {
	externalID, _ := t.ExternalID()
	id := t.Header.Get("x-idempotency-key") + t.Parameter("id") + externalID
	whole := id + " " + string(t.Body)
	same, again = seen[whole] && s.Passed.IsZero() && externalID == "", seen[id]
	seen[id], seen[whole] = true, true
	return same, again
}

// hasLeft: the bank has confirmed a payment, and nobody says that it has failed. What a sandbox only plays says nothing of money.
func (s *Scenario) hasLeft(t *record.Attempt) bool {
	if !t.Is(api.Payment) || !t.Accepted() || t.Header.Get("X-Sandbox-Scenario") != "" {
		return false
	}
	for _, c := range s.callsOf(target.Settlement, http.MethodPost) {
		for _, name := range []string{"transactionId", "id"} {
			if id := c.text(name); c.succeeded() && id != "" && id == fieldText(t.Answer, name) {
				return c.text("outcome") == target.Confirmed
			}
		}
	}
	confirmed := false
	for _, d := range s.Events {
		if (d.Name == "CashOut" || d.Name == "TRANSFER") && about(t)(d) {
			if confirmed = d.Status() == "CONFIRMED" || d.Status() == "LIQUIDATED"; !confirmed {
				return false
			}
		}
	}
	return confirmed
}

// isHeld: a payment is pending, and has its amount taken, since the bank was told to wait before it
// was ordered, and nobody has settled anything or moved the clock.
func (s *Scenario) isHeld(t *record.Attempt) bool {
	_, expires := t.SentField("expiration")
	if !t.Is(api.Payment) || !t.Accepted() || t.Account != language.TheAccount || expires {
		return false
	}
	held := false
	for _, c := range s.callsOf(target.Settlement, "") {
		if c.Method != http.MethodPut || c.text("mode") != "manual" || !c.succeeded() {
			return false
		}
		held = held || c.Index < t.Index
	}
	return held && len(s.callsOf(target.Clock, "")) == 0
}

// controlCall is a call of a control with what it was given.
type controlCall struct {
	record.Call
	body any
}

func (s *Scenario) callsOf(control target.Control, method string) []controlCall {
	var all []controlCall
	for _, c := range s.Calls {
		if c.Operation == string(control) && (method == "" || c.Method == method) {
			body, _ := jsonvalue.Decode(bytes.TrimSpace(c.Body))
			all = append(all, controlCall{c, body})
		}
	}
	return all
}

func (c controlCall) text(name string) string { return fieldText(c.body, name) }

func (c controlCall) succeeded() bool { return c.Status >= 200 && c.Status < 300 }

// fieldText is a field that is a text or a number; empty if there is none.
func fieldText(v any, name string) string {
	found, ok := jsonvalue.Lookup(v, name)
	if !ok || found == nil {
		return ""
	}
	return fmt.Sprint(found)
}
