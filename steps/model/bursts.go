package model

import (
	"fmt"
	"slices"

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

// burstWay is a way of payments at once.
type burstWay struct {
	name  string
	needs func(*play) bool // nil for nothing
	sends []order
	does  func(*burst) // what else happens at once; nil for nothing
}

// order is a payment that is sent some times. Those with the same id repeat each other.
type order struct {
	times    int
	id, noun string
	share    share
}

// share is how much an order pays.
type share int

const (
	everything   share = iota
	half               // of everything, and a centavo more
	little             // some reais
	littleMore         // a centavo more than little
	halfTheLimit       // half of what the daily limit leaves
)

// everyWay is an order for each operation that can pay.
const everyWay = "every way"

// paymentBursts are the ways of payments at once.
var paymentBursts = []burstWay{
	{name: "the last money in every way", sends: []order{{1, "", everyWay, everything}}},
	{name: "the last money three times", sends: []order{{3, "", "cash-out", everything}}},
	{name: "half of the money three times", sends: []order{{1, "", everyWay, half}, {1, "", "cash-out", half}}},
	{name: "one externalId, two amounts", sends: []order{{1, "a", "cash-out", little}, {1, "a", "cash-out", littleMore}, {1, "a", "cash-out", little}, {1, "a", "cash-out", littleMore}}},
	{name: "one externalId, two operations", needs: hasProvider, sends: []order{{1, "a", "cash-out", little}, {1, "a", "QR cash-out", little}, {1, "", "cash-out", little}}},
	{name: "one key, four times", needs: hasKey, sends: []order{{4, "a", "transfer", little}}},
	{name: "as one is confirmed", needs: hasPending, sends: allAndHalf, does: confirmPending},
	{name: "as one is rejected", needs: hasPending, sends: allAndHalf, does: rejectPending},
	{name: "as a charge is paid", needs: hasUnpaid, sends: allAndHalf, does: payUnpaid},
	{name: "above the daily limit", needs: hasDailyLimit, sends: []order{{4, "", "cash-out", halfTheLimit}}},
}

var allAndHalf = []order{{1, "", "cash-out", everything}, {1, "", "cash-out", half}}

func hasProvider(p *play) bool { return !p.ProviderDown }
func hasKey(p *play) bool      { return p.Key }
func hasPending(p *play) bool  { return p.firstPending() != nil }

func hasUnpaid(p *play) bool {
	t := p.firstUnpaid()
	return t != nil && t.Amount > p.MostIn
}

func hasDailyLimit(p *play) bool {
	return p.Daily > 0 && p.Daily-p.the().Spent.Most >= 2 && p.Elapsed == 0
}

func confirmPending(b *burst) {
	t := b.p.firstPending()
	b.add("", "the bank confirms %s", b.p.named(t))
	b.p.bankConfirms(t)
}

func rejectPending(b *burst) {
	t := b.p.firstPending()
	b.add("", "the bank rejects %s with %s", b.p.named(t), api.OrderRejected)
	b.p.bankRejects(t)
}

func payUnpaid(b *burst) {
	t := b.p.firstUnpaid()
	b.add("", "a payer pays %s", b.p.named(t))
	b.p.credit(t)
}

func (w burstWay) do(p *play) bool {
	funds := p.the().Funds.Least - p.FeeOut
	if !p.still(language.TheAccount) || !p.FeesKnown || !p.LimitsKnown || funds < 4 || p.Uncounted[api.Payment] || w.needs != nil && !w.needs(p) {
		return false
	}
	b := &burst{p: p}
	for _, o := range w.sends {
		b.order(o, funds)
	}
	if w.does != nil {
		w.does(b)
	}
	if exceeds := w.sends[0].share == halfTheLimit; len(b.rows) < 2 || !exceeds && !p.withinLimits(b.taken) {
		return false
	}
	p.happen(b, api.Payment)
	p.the().Spent.Most, p.Unnamed = p.the().Spent.Most+b.taken, p.Unnamed+b.taken
	if !p.Held {
		p.the().MayFall, p.the().MayRise = true, true
	}
	return true
}

// order sends an order, of shares of some money.
func (b *burst) order(o order, of money.Centavos) {
	few := 5_00 + money.Centavos(b.p.step.ID)
	amount := map[share]money.Centavos{
		everything: of, half: of/2 + 1, little: few, littleMore: few + 1, halfTheLimit: (b.p.Daily - b.p.the().Spent.Most) / 2,
	}[o.share]
	nouns := []string{o.noun}
	if o.noun == everyWay {
		nouns = b.p.payable()
	}
	for range o.times {
		for _, noun := range nouns {
			b.send(o.id, noun, amount)
		}
	}
}

// payInBurst pays in the way of the step.
func payInBurst(p *play) bool {
	i := slices.IndexFunc(paymentBursts, func(w burstWay) bool { return w.name == p.step.Way })
	return paymentBursts[i].do(p)
}

func burstNames() (names []string) {
	for _, w := range paymentBursts {
		names = append(names, w.name)
	}
	return names
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
		if t := &s.Things[i]; t.Account == language.TheAccount && t.Makes == api.Payment && t.State == api.Pending {
			return t
		}
	}
	return nil
}

// firstUnpaid is the first charge of the account that can be paid; nil for none.
func (s *State) firstUnpaid() *Thing {
	for i := range s.Things {
		t := &s.Things[i]
		if t.Account == language.TheAccount && (t.State == api.Active || t.Noun == "cash-in" && t.State == api.Pending) {
			return t
		}
	}
	return nil
}

// refundBursts are the ways of refunds at once.
var refundBursts = []string{"three refunds that together exceed the amount", "as one is rejected", "one id, four times"}

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
		p.bankRejectsRefund(pending)
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
		if t := &p.Things[i]; t.Of == p.it.Step && t.State == api.Processing {
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
