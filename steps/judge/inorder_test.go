package judge

import (
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// What may come of requests at the same instant, to an account with R$ 100.00 and a daily limit of R$ 150.00.
func TestOutcomesOfBursts(t *testing.T) {
	t.Parallel()
	known := spec.Limits{Known: true}.With(spec.Daily, 150_00)
	pay := func(noun, id string, amount, rivals money.Centavos, got spec.Answer, made string) spec.Order {
		return spec.Order{Noun: noun, ID: id, Amount: amount, Rivals: rivals, Limits: known, Answer: got, Made: made, Counts: noun == "cash-out"}
	}
	out := func(amount, rivals money.Centavos, got spec.Answer) spec.Order {
		return pay("cash-out", "", amount, rivals, got, "")
	}
	named := func(id string, got spec.Answer) spec.Order {
		h := pay("cash-out", id, 10_00, 10_00, got, "")
		h.SameID = true
		return h
	}
	back := func(h spec.Order) spec.Order { // the bank may reject it at once
		h.MayReturn, h.Counts = true, false
		return h
	}
	onTwoDays := func(h spec.Order) spec.Order {
		h.Counts = false
		return h
	}
	transfer := func(made string) spec.Order { return pay("transfer", "key", 60_00, 60_00, spec.Accepted, made) }
	inCapitals := func(made string) spec.Order {
		h := transfer(made)
		h.Key = "KEY"
		return h
	}
	of := func(amount money.Centavos, h spec.Order) spec.Order {
		h.Amount = amount
		return h
	}
	refund := func(id string, amount, rivalRefunds money.Centavos, got spec.Answer) spec.Order {
		return spec.Order{Noun: "refund", ID: id, Amount: amount, Rivals: rivalRefunds, RivalRefunds: rivalRefunds, Charge: "E1", Original: 10_00, Answer: got, Made: id}
	}
	some := func(c money.Centavos) *money.Centavos { return &c }
	for _, c := range []struct {
		name     string
		all      []spec.Order
		left     *money.Centavos
		possible bool
	}{
		{"one of two is paid", []spec.Order{out(60_00, 60_00, spec.Accepted), out(60_00, 60_00, spec.Insufficient)}, some(40_00), true},
		{"both are paid", []spec.Order{out(60_00, 60_00, spec.Accepted), out(60_00, 60_00, spec.Accepted)}, nil, false},
		{"both fit", []spec.Order{out(60_00, 40_00, spec.Accepted), out(40_00, 60_00, spec.Accepted)}, some(0), true},
		{"one update is lost", []spec.Order{out(60_00, 40_00, spec.Accepted), out(40_00, 60_00, spec.Accepted)}, some(40_00), false},
		{"one is taken twice", []spec.Order{out(10_00, 0, spec.Accepted)}, some(80_00), false},
		{"each finds the other in its way", []spec.Order{out(60_00, 60_00, spec.Insufficient), out(60_00, 60_00, spec.Insufficient)}, some(100_00), true},
		{"rejected though there is money for both", []spec.Order{out(10_00, 20_00, spec.Insufficient), out(20_00, 10_00, spec.Accepted)}, nil, false},
		{"turned away", []spec.Order{out(10_00, 20_00, spec.TurnedAway), out(20_00, 10_00, spec.Accepted)}, some(80_00), true},
		{"no response, and it may be paid", []spec.Order{out(10_00, 20_00, spec.Unclear), out(20_00, 10_00, spec.Accepted)}, some(70_00), true},
		{"no response, and it may not be", []spec.Order{out(10_00, 20_00, spec.Unclear), out(20_00, 10_00, spec.Accepted)}, some(80_00), true},
		{"rejected for nothing", []spec.Order{out(10_00, 0, spec.NoReason)}, nil, false},
		{"a wrong code", []spec.Order{out(10_00, 0, spec.OverDaily)}, nil, false},
		{"a credit first", []spec.Order{out(110_00, 0, spec.Accepted), {Noun: spec.Credit, Amount: 20_00, Due: 20_00}}, some(10_00), true},
		{"a credit is lost", []spec.Order{out(60_00, 0, spec.Accepted), {Noun: spec.Credit, Amount: 20_00, Due: 20_00}}, some(40_00), false},

		{"the first has come back", []spec.Order{back(out(60_00, 60_00, spec.Accepted)), out(60_00, 60_00, spec.Accepted)}, some(40_00), true},
		{"both have come back", []spec.Order{back(out(60_00, 60_00, spec.Accepted)), back(out(60_00, 60_00, spec.Accepted))}, some(100_00), true},
		{"more has come back than was taken", []spec.Order{back(out(60_00, 0, spec.Accepted))}, some(100_01), false},
		{"what comes back does not pay for itself", []spec.Order{back(out(100_01, 0, spec.Accepted))}, nil, false},
		{"what comes back pays for one", []spec.Order{back(out(60_00, 120_00, spec.Accepted)), out(60_00, 120_00, spec.Accepted), out(60_00, 120_00, spec.Accepted)}, nil, false},

		{"an externalId once", []spec.Order{named("a", spec.Accepted), named("a", spec.Duplicate)}, some(90_00), true},
		{"an externalId twice", []spec.Order{named("a", spec.Accepted), named("a", spec.Accepted)}, nil, false},
		{"a spec.Duplicate of nothing", []spec.Order{out(10_00, 0, spec.Duplicate)}, nil, false},
		{"an externalId of two operations is left open", []spec.Order{named("a", spec.Accepted), pay("QR cash-out", "a", 10_00, 10_00, spec.Accepted, "")}, some(80_00), true},
		{"the same transfer twice", []spec.Order{transfer("1"), transfer("1")}, some(40_00), true},
		{"a key in two cases, as one", []spec.Order{transfer("1"), inCapitals("1")}, some(40_00), true},
		{"a key in two cases, as two", []spec.Order{of(30_00, transfer("1")), of(30_00, inCapitals("2"))}, some(40_00), true},
		{"a key in two cases, too much", []spec.Order{transfer("1"), inCapitals("2")}, nil, false},
		{"two transfers under a key", []spec.Order{transfer("1"), transfer("2")}, nil, false},

		{"within the daily limit", []spec.Order{{Noun: spec.Credit, Amount: 100_00, Due: 100_00}, out(80_00, 80_00, spec.Accepted), out(80_00, 80_00, spec.OverDaily)}, some(120_00), true},
		{"rejected at the daily limit", []spec.Order{{Noun: spec.Credit, Amount: 100_00, Due: 100_00}, out(75_00, 0, spec.Accepted), out(75_00, 0, spec.OverDaily)}, some(125_00), true},
		{"rejected below the daily limit", []spec.Order{{Noun: spec.Credit, Amount: 100_00, Due: 100_00}, out(75_00, 0, spec.Accepted), out(74_99, 0, spec.OverDaily)}, nil, false},
		{"above the daily limit", []spec.Order{{Noun: spec.Credit, Amount: 100_00, Due: 100_00}, out(80_00, 80_00, spec.Accepted), out(80_00, 80_00, spec.Accepted)}, nil, false},
		{"within the daily limits of two days", []spec.Order{{Noun: spec.Credit, Amount: 100_00, Due: 100_00}, onTwoDays(out(80_00, 80_00, spec.Accepted)), onTwoDays(out(80_00, 80_00, spec.Accepted))}, some(40_00), true},
		{"above the daily limit of any day", []spec.Order{{Noun: spec.Credit, Amount: 100_00, Due: 100_00}, onTwoDays(out(150_01, 0, spec.Accepted))}, nil, false},
		{"within the daily limit, as the first has come back", []spec.Order{{Noun: spec.Credit, Amount: 100_00, Due: 100_00}, back(out(80_00, 80_00, spec.Accepted)), out(80_00, 80_00, spec.Accepted)}, some(120_00), true},

		{"refunds that fit", []spec.Order{refund("1", 6_00, 6_00, spec.Accepted), refund("2", 6_00, 6_00, spec.AnyReason)}, some(94_00), true},
		{"refunds that exceed", []spec.Order{refund("1", 6_00, 6_00, spec.Accepted), refund("2", 6_00, 6_00, spec.Accepted)}, nil, false},
		{"a refund fails, and makes room", []spec.Order{refund("1", 6_00, 6_00, spec.Accepted), refund("2", 6_00, 6_00, spec.Accepted), {Noun: spec.Unrefund, Amount: 6_00, Charge: "E1"}}, nil, true},
		{"the same refund twice", []spec.Order{refund("1", 6_00, 6_00, spec.Accepted), refund("1", 6_00, 6_00, spec.Accepted)}, some(94_00), true},
		{"a refund is rejected, since its id is used", []spec.Order{refund("1", 4_00, 0, spec.Accepted), refund("1", 4_00, 0, spec.AnyReason)}, some(96_00), true},
		{"a refund is rejected for nothing", []spec.Order{refund("1", 6_00, 1_00, spec.AnyReason)}, nil, false},
	} {
		first := spec.Orders{Available: spec.Exactly(100_00)}
		var history []porcupine.Operation
		for i, h := range c.all {
			history = append(history, porcupine.Operation{ClientId: i, Input: h, Call: 0, Return: 10})
		}
		assert.Equal(t, c.possible, inSomeOrder(first, history, c.left), c.name)
	}
}

// What came first must have happened first.
func TestBurstsKeepTheOrderOfTime(t *testing.T) {
	t.Parallel()
	first := spec.Orders{Available: spec.Exactly(100_00)}
	paid := spec.Order{Noun: "cash-out", Amount: 110_00, Answer: spec.Accepted}
	credit := spec.Order{Noun: spec.Credit, Amount: 20_00, Due: 20_00}
	history := func(paidAt, creditAt int64) []porcupine.Operation {
		return []porcupine.Operation{{Input: paid, Call: paidAt, Return: paidAt + 1}, {ClientId: 1, Input: credit, Call: creditAt, Return: creditAt + 1}}
	}
	assert.True(t, inSomeOrder(first, history(10, 0), nil))
	assert.False(t, inSomeOrder(first, history(0, 10), nil))
}
