package model

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// A burst is several things that happen at the same instant. The judge decides which results are possible:
// what was possible one at a time, in some order.

// burst is what a way adds to a scenario.
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
	b.taken += amount + b.p.gw.Fees.Out
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
	{name: "as one is confirmed", sends: allAndHalf, does: settlePending("the bank confirms %s", (*Known).confirm)},
	{name: "as one is rejected", sends: allAndHalf, does: settlePending("the bank rejects %s with "+string(api.OrderRejected), (*Known).reject)},
	{name: "as a charge is paid", sends: allAndHalf, does: payUnpaid},
	{name: "above the daily limit", needs: hasDailyLimit, sends: []order{{4, "", "cash-out", halfTheLimit}}},
}

var allAndHalf = []order{{1, "", "cash-out", everything}, {1, "", "cash-out", half}}

func hasProvider(p *play) bool { return p.gw.Settings.serves("QR cash-out") }
func hasKey(p *play) bool      { return p.gw.Settings.Key }
func hasDailyLimit(p *play) bool {
	return p.gw.Limits.Of(spec.Daily) > 0 && p.gw.Limits.Of(spec.Daily)-p.gw.the().Spent.Most >= 2 && p.gw.Time.Elapsed == 0
}

// settlePending has something happen to the first payment that waits for the bank.
func settlePending(says string, settle func(*Known, *Thing)) func(*burst) {
	return func(b *burst) {
		t := b.p.gw.Things.firstPending()
		b.p.needs(t != nil)
		b.add("", says, b.p.refs.named(t))
		settle(&b.p.gw.Known, t)
	}
}

func payUnpaid(b *burst) {
	t := b.p.gw.Things.firstUnpaid()
	b.p.needs(t != nil && t.Amount > b.p.gw.Fees.MostIn)
	b.add("", "a payer pays %s", b.p.refs.named(t))
	b.p.gw.payCharge(t)
}

func (w burstWay) do(p *play) {
	funds := p.gw.the().Funds.Least - p.gw.Fees.Out
	p.needs(p.gw.moneySettled(language.TheAccount) && p.gw.Limits.Known && funds >= 4 && !p.refs.Uncounted[api.Payment])
	p.needs(w.needs == nil || w.needs(p))
	b := &burst{p: p}
	for _, o := range w.sends {
		b.order(o, funds)
	}
	if w.does != nil {
		w.does(b)
	}
	exceeds := w.sends[0].share == halfTheLimit
	p.needs(len(b.rows) >= 2 && (exceeds || p.gw.withinLimits(b.taken, "")))
	b.happen(api.Payment)
	p.gw.mayPay(p.step.ID, b.taken, !p.gw.holds(false))
}

// order sends an order, of shares of some money.
func (b *burst) order(o order, of money.Centavos) {
	few := 5_00 + money.Centavos(b.p.step.ID)
	amount := map[share]money.Centavos{
		everything: of, half: of/2 + 1, little: few, littleMore: few + 1, halfTheLimit: (b.p.gw.Limits.Of(spec.Daily) - b.p.gw.the().Spent.Most) / 2,
	}[o.share]
	nouns := []string{o.noun}
	if o.noun == everyWay {
		nouns = b.p.gw.Settings.payable()
	}
	for range o.times {
		for _, noun := range nouns {
			b.send(o.id, noun, amount)
		}
	}
}

// payInBurst pays in the way of the step.
func payInBurst(p *play) {
	i := slices.IndexFunc(paymentBursts, func(w burstWay) bool { return w.name == p.step.Way })
	paymentBursts[i].do(p)
}

func burstNames() (names []string) {
	for _, w := range paymentBursts {
		names = append(names, w.name)
	}
	return names
}

// refundBursts are the ways of concurrent refunds.
var refundBursts = []string{"three refunds that together exceed the amount", "as one is rejected", "one id, four times"}

// refundInBurst sends refunds of the charge that was paid last, and payments.
func refundInBurst(p *play) {
	rest := p.it.Amount - p.it.Refunded.Most
	amount := rest/2 + 1
	p.needs(p.it.ID == p.gw.Things.lastReceived() && rest >= 4 && p.gw.refundable(p.it, 4*amount))
	p.needs(!p.refs.Uncounted[api.Refund] && p.gw.moneySettled(language.TheAccount))
	b := &burst{p: p}
	id, times := "", 3
	switch p.step.Way {
	case "one id, four times":
		id, times = "a", 4
	case "as one is rejected":
		pending := p.gw.Things.pendingRefund(p.it.ID)
		p.needs(pending != nil)
		b.add("", "the bank rejects %s", p.refs.named(pending))
		p.gw.reject(pending)
	}
	for range times {
		b.send(id, "refund", amount)
	}
	b.happen(api.Refund)
	p.gw.refund(p.step.ID, p.it, rest, b.taken, spec.MayBeDone)
}

// happen says the burst. Which of its requests are accepted is not known, so that no later sentence can
// count what they made.
func (b *burst) happen(makes api.Made) {
	p := b.p
	p.when("these happen at once:")
	p.table(b.table())
	p.then("the outcome is possible one at a time")
	p.refs.Uncounted[makes] = true
	p.refs.clear()
}
