package model

import (
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// splitMoves are the life of a charge of which others get a part.
var splitMoves = []Move{
	{Event: "is created with", Noun: "split cash-in", Ways: divisions, Shows: "IN-050 SPL-001 SPL-004 SPL-030 SPL-047", Core: true, do: chargeSplit},
	{Event: "is created with too much in", Noun: "split cash-in", Ways: divisions[:4], Shows: "SPL-005 SPL-006 SPL-008", do: chargeTooMuchSplit},
	{Event: "is requested again", Noun: "split cash-in", From: states{api.Pending, api.Confirmed}, Shows: "IN-016 IN-017", do: chargeAgain},
	{Event: "has its externalId used again", Noun: "split cash-in", From: states{api.Pending, api.Confirmed, Unknown}, Shows: "IN-016 IN-017", do: useIDAgain},
	{Event: "is requested again with other splits", Noun: "split cash-in", From: states{api.Pending, api.Confirmed}, Shows: "IN-016 IN-017 SPL-038", do: splitAgain},
	{Event: "is paid by", Noun: "split cash-in", From: states{api.Pending}, Ways: payers, Shows: "SPL-038 SPL-039 SPL-040 SPL-041 SPL-048", Core: true, do: payCharge},
	{Event: "is paid 4 times at once", Noun: "split cash-in", From: states{api.Pending}, Shows: "IN-072 SPL-038 SPL-048", do: payAtOnce},
	{Event: "is paid once more", Noun: "split cash-in", From: states{api.Confirmed}, Shows: "IN-072 SPL-038", do: payOnceMore},
	{Event: "is looked at", Noun: "split cash-in", From: states{api.Pending, api.Confirmed}, Shows: "SPL-038 SPL-041 SPL-047", Looks: true, do: lookAtSplits},
}

// divisions are how the amount of a charge is divided.
var divisions = []string{"fixed amounts", "percentages", "both", "ten splits", oneKey}

// oneKey is a way in which two splits have the same key. Whether that is accepted is unspecified, and whether they are
// shown as one.
const oneKey = "two splits to one key"

func (s Split) String() string {
	if s.Percent > 0 {
		return fmt.Sprintf("%d%%", s.Percent)
	}
	return s.Amount.String()
}

// divide divides an amount of whole reais, so that a percentage of it is whole centavos.
func divide(p *play) (amount money.Centavos, parts []Split) {
	amount = money.Centavos(1+p.below(40)) * 5_00
	count, way := 1+p.below(4), p.step.Way
	switch way {
	case "ten splits":
		count = 10
	case oneKey:
		count = 2 + p.below(3)
	}
	for i := range count {
		part := Split{Amount: money.Centavos(1 + p.below(7)*9 + i), Immediate: true}
		if way == "percentages" || way == "both" && i%2 == 0 {
			part.Percent = 1 + p.below(9) + i
			part.Amount = amount * money.Centavos(part.Percent) / 100
		}
		parts = append(parts, part)
	}
	if late := p.below(2 * count); late < count { // half of all charges have one that is not paid at once
		parts[late].Immediate = false
	}
	if way == oneKey { // which may be paid as one
		parts[count-1].Immediate = parts[count-2].Immediate
	}
	return amount, parts
}

// requestSplits requests a charge, and returns how long it can be paid; 0 for what is usual.
func requestSplits(p *play, amount money.Centavos, parts []Split) (lasts time.Duration) {
	p.when("the account %s a cash-in with:", sends(p))
	p.with("transaction.value", amount.Decimal())
	lasts = pick(p, []time.Duration{0, api.MostCashIn, leastLife})
	if lasts > 0 {
		p.with("transaction.expirationTime", int(lasts/time.Second))
	}
	p.with("splits", listed(parts)+", immediate")
	for i, s := range parts {
		if !s.Immediate {
			p.with(fmt.Sprintf("splits[%d].immediate", i), pick(p, []string{"false", "absent"}))
		}
		if p.step.Way == oneKey && i >= len(parts)-2 {
			p.with(fmt.Sprintf("splits[%d].pixKeyType", i), splitKeys[0].kind)
			p.with(fmt.Sprintf("splits[%d].pixKey", i), splitKeys[0].key)
			p.with(fmt.Sprintf("splits[%d].document", i), splitKeys[0].document)
		}
	}
	return lasts
}

// sends is how the step requests a charge: where it may be rejected, the walk ends with that.
func sends(p *play) string {
	if p.step.Way == oneKey {
		return "has sent"
	}
	return "sends"
}

func chargeSplit(p *play) {
	p.needs(!p.gw.Settings.ProviderDown && !p.refs.Uncounted[api.Charge])
	amount, parts := divide(p)
	lasts := requestSplits(p, amount, parts)
	if sends(p) == "sends" {
		p.accepted("split cash-in", amount)
	}
	p.unmoved()
	t := p.demand(amount)
	p.gw.expireAfter(t, lasts)
	p.gw.split(t, parts, p.step.Way == oneKey)
}

func chargeTooMuchSplit(p *play) {
	p.needs(!p.gw.Settings.ProviderDown)
	amount, parts := divide(p)
	sum := money.Centavos(0)
	for _, s := range parts {
		sum += s.Amount
	}
	most := &parts[p.below(len(parts))]
	if most.Percent > 0 { // of whole reais, a hundredth is at least a centavo
		most.Percent += int((amount-sum)*100/amount) + 1
	} else {
		most.Amount += amount - sum + 1
	}
	requestSplits(p, amount, parts)
	p.rejected("400")
}

func splitAgain(p *play) {
	p.needs(p.it.ID == p.refs.LastSent[p.it.Account] && !p.gw.Settings.ProviderDown)
	p.when("the account sends the request again with splits R$ 0.01, immediate")
	p.rejected("400 or 409")
}

func lookAtSplits(p *play) {
	sayDivision(p, p.it, p.it.State == api.Confirmed, false)
	p.needs(len(p.lines) > 0)
}

// sayDivision says who got what. How often those are paid that are not to be paid at once is not shown, so that they
// surely wait only when the charge has just been paid.
func sayDivision(p *play, t *Thing, paid, justPaid bool) {
	shown, amounts := make([]word, len(t.Splits)), make([]money.Centavos, len(t.Splits))
	known := true
	for i, s := range t.Splits {
		shown[i], amounts[i] = word(api.Pending), s.Amount
		if paid && s.Immediate {
			shown[i] = word(api.Paid)
		}
		known = known && (s.Immediate || !paid || justPaid)
	}
	if !t.OneKey {
		p.then("the split amounts of %s are %s", p.refs.named(t), listed(amounts))
	}
	if known && !t.OneKey {
		p.then("the splits of %s are %s", p.refs.named(t), listed(shown))
	}
	if p.refs.Last[api.Charge] == t.ID && paid && p.gw.Fees.MostIn == 0 {
		p.then("the account keeps %v", t.kept())
	}
}

type word string

func (w word) String() string { return string(w) }
