package model

import (
	"fmt"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// A burst is several things that happen at the same instant. The judge decides which results are possible:
// what was possible one at a time, in some order.

// burst is what a way adds to a scenario; false if that is not possible.
type burst struct {
	p     *play
	taken money.Centavos // by all requests together
	rows  [][]string
}

func (b *burst) add(id, text string, words ...any) {
	if id != "" {
		id = "id " + id
	}
	b.rows = append(b.rows, []string{fmt.Sprintf(text, words...), id})
}

// table is the rows, without the column of ids if there are none.
func (b *burst) table() [][]string {
	for _, row := range b.rows {
		if row[1] != "" {
			return b.rows
		}
	}
	for i := range b.rows {
		b.rows[i] = b.rows[i][:1]
	}
	return b.rows
}

func (b *burst) send(id, noun string, amount money.Centavos) {
	b.taken += amount + b.p.FeeOut
	b.add(id, "the account sends a %s of %v", noun, amount)
}

// paymentBursts are the ways of payments at once.
var paymentBursts = []string{
	"the last money in every way", "the last money three times", "half of the money three times",
	"one externalId, two amounts", "one externalId, two operations", "one key, four times",
	"as one is confirmed", "as one is rejected", "as a charge is paid", "above the daily limit",
}

func payInBurst(p *play) bool {
	funds := p.the().Funds
	all := funds.Least - p.FeeOut
	if !p.still(language.TheAccount) || !p.FeesKnown || !p.LimitsKnown || all < 4 || p.Uncounted[api.Payment] {
		return false
	}
	b := &burst{p: p}
	half, some := all/2+1, 5_00+money.Centavos(p.step.ID)
	pending := p.firstPending()
	switch p.step.Way {
	case "the last money in every way":
		for _, noun := range p.payable() {
			b.send("", noun, all)
		}
	case "the last money three times":
		for range 3 {
			b.send("", "cash-out", all)
		}
	case "half of the money three times":
		for _, noun := range append(p.payable(), "cash-out") {
			b.send("", noun, half)
		}
	case "one externalId, two amounts":
		for i := range 4 {
			b.send("a", "cash-out", some+money.Centavos(i%2))
		}
	case "one externalId, two operations":
		if p.ProviderDown {
			return false
		}
		b.send("a", "cash-out", some)
		b.send("a", "QR cash-out", some)
		b.send("", "cash-out", some)
	case "one key, four times":
		if !p.Key {
			return false
		}
		for range 4 {
			b.send("a", "transfer", some)
		}
	case "as one is confirmed", "as one is rejected":
		if pending == nil {
			return false
		}
		b.send("", "cash-out", all)
		b.send("", "cash-out", half)
		p.settleInBurst(b, pending)
	case "as a charge is paid":
		charge := p.firstUnpaid()
		if charge == nil || charge.Amount <= p.MostIn {
			return false
		}
		b.send("", "cash-out", all)
		b.send("", "cash-out", half)
		b.add("", "a payer pays %s", p.named(charge))
		p.credit(charge)
	case "above the daily limit":
		if p.Daily == 0 || p.Daily-p.the().Spent.Most < 2 || p.Elapsed > 0 {
			return false
		}
		for range 4 {
			b.send("", "cash-out", (p.Daily-p.the().Spent.Most)/2)
		}
	}
	if len(b.rows) < 2 || p.step.Way != "above the daily limit" && !p.withinLimits(b.taken) {
		return false
	}
	p.happen(b, api.Payment)
	p.the().Spent.Most, p.Unnamed = p.the().Spent.Most+b.taken, p.Unnamed+b.taken
	if !p.Held {
		p.the().MayFall, p.the().MayRise = true, true
	}
	return true
}

// payable are the ways to pay that nothing stands in the way of.
func (s *State) payable() []string {
	nouns := []string{"cash-out"}
	if !s.ProviderDown {
		nouns = append(nouns, "QR cash-out")
	}
	if s.Key {
		nouns = append(nouns, "transfer")
	}
	return nouns
}

// firstPending is the first payment of the account that waits for the bank; nil for none.
func (s *State) firstPending() *Thing {
	for i := range s.Things {
		if t := &s.Things[i]; t.Account == language.TheAccount && t.Makes == api.Payment && t.State == "PENDING" {
			return t
		}
	}
	return nil
}

// firstUnpaid is the first charge of the account that can be paid; nil for none.
func (s *State) firstUnpaid() *Thing {
	for i := range s.Things {
		t := &s.Things[i]
		if t.Account == language.TheAccount && (t.State == "ATIVA" || t.Noun == "cash-in" && t.State == "PENDING") {
			return t
		}
	}
	return nil
}

func (p *play) settleInBurst(b *burst, t *Thing) {
	if p.step.Way == "as one is rejected" {
		b.add("", "the bank rejects %s with ORDER_REJECTED", p.named(t))
		t.State = "ERROR"
		p.the().Funds.add(0, t.Amount+t.Fee)
		p.the().MayRise = true
		if t.Noun == "cash-out" {
			p.the().Spent.Least = max(0, p.the().Spent.Least-t.Amount)
		}
		return
	}
	b.add("", "the bank confirms %s", p.named(t))
	t.State = "CONFIRMED"
	if t.Noun == "transfer" {
		t.State = "COMPLETED"
	}
	p.the().MayFall = p.the().MayFall || t.Fee > 0
}

// refundBursts are the ways of refunds at once.
var refundBursts = []string{"three parts that exceed together", "as one is rejected", "one id, four times"}

// refundInBurst sends refunds of the charge that was paid last, and payments.
func refundInBurst(p *play) bool {
	rest := p.it.Amount - p.it.Refunded.Most
	amount := rest/2 + 1
	if p.it.Step != p.lastReceived() || rest < 4 || !p.refundable(4*amount) || !p.inTime() || p.Uncounted[api.Refund] || !p.still(language.TheAccount) {
		return false
	}
	b := &burst{p: p}
	id, times := "", 3
	switch p.step.Way {
	case "one id, four times":
		id, times = "a", 4
	case "as one is rejected":
		pending := p.pendingRefund()
		if pending == nil {
			return false
		}
		b.add("", "the bank rejects %s", p.named(pending))
		pending.State = "NAO_REALIZADO"
		p.it.Refunded.add(-pending.Amount, 0)
		p.the().MayRise = true
	}
	for range times {
		b.send(id, "refund", amount)
	}
	p.happen(b, api.Refund)
	p.it.Refunded.add(0, rest)
	p.the().Refunded, p.the().MayRise = true, p.the().MayRise || !p.RefundsHeld
	return true
}

// pendingRefund is the first refund of the charge that waits for the bank; nil for none.
func (p *play) pendingRefund() *Thing {
	for i := range p.Things {
		if t := &p.Things[i]; t.Of == p.it.Step && t.State == "EM_PROCESSAMENTO" {
			return t
		}
	}
	return nil
}

// happen says the burst. Which of its requests are accepted is not known, so that no later sentence can
// count what they made.
func (p *play) happen(b *burst, makes api.Made) {
	p.when("these happen at once:")
	p.lines[len(p.lines)-1].Table = b.table()
	p.then("the outcome is possible one at a time")
	p.the().Funds.add(-b.taken, 0)
	p.Uncounted[makes], p.Sent = true, true
	p.forget()
}
