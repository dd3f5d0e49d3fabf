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
	known := limits{known: true, daily: 150_00}
	pay := func(noun, id string, amount, rivals money.Centavos, got outcome, made string) happening {
		return happening{noun: noun, id: id, amount: amount, rivals: rivals, limits: known, outcome: got, made: made, counts: noun == "cash-out"}
	}
	out := func(amount, rivals money.Centavos, got outcome) happening {
		return pay("cash-out", "", amount, rivals, got, "")
	}
	named := func(id string, got outcome) happening {
		h := pay("cash-out", id, 10_00, 10_00, got, "")
		h.sameID = true
		return h
	}
	back := func(h happening) happening { // the bank may reject it at once
		h.mayReturn, h.counts = true, false
		return h
	}
	onTwoDays := func(h happening) happening {
		h.counts = false
		return h
	}
	transfer := func(made string) happening { return pay("transfer", "key", 60_00, 60_00, wasAccepted, made) }
	inCapitals := func(made string) happening {
		h := transfer(made)
		h.key = "KEY"
		return h
	}
	of := func(amount money.Centavos, h happening) happening {
		h.amount = amount
		return h
	}
	refund := func(id string, amount, rivalRefunds money.Centavos, got outcome) happening {
		return happening{noun: "refund", id: id, amount: amount, rivals: rivalRefunds, rivalRefunds: rivalRefunds, charge: "E1", original: 10_00, outcome: got, made: id}
	}
	some := func(c money.Centavos) *money.Centavos { return &c }
	for _, c := range []struct {
		name     string
		all      []happening
		left     *money.Centavos
		possible bool
	}{
		{"one of two is paid", []happening{out(60_00, 60_00, wasAccepted), out(60_00, 60_00, insufficient)}, some(40_00), true},
		{"both are paid", []happening{out(60_00, 60_00, wasAccepted), out(60_00, 60_00, wasAccepted)}, nil, false},
		{"both fit", []happening{out(60_00, 40_00, wasAccepted), out(40_00, 60_00, wasAccepted)}, some(0), true},
		{"one update is lost", []happening{out(60_00, 40_00, wasAccepted), out(40_00, 60_00, wasAccepted)}, some(40_00), false},
		{"one is taken twice", []happening{out(10_00, 0, wasAccepted)}, some(80_00), false},
		{"each finds the other in its way", []happening{out(60_00, 60_00, insufficient), out(60_00, 60_00, insufficient)}, some(100_00), true},
		{"rejected though there is money for both", []happening{out(10_00, 20_00, insufficient), out(20_00, 10_00, wasAccepted)}, nil, false},
		{"turned away", []happening{out(10_00, 20_00, turnedAway), out(20_00, 10_00, wasAccepted)}, some(80_00), true},
		{"no response, and it may be paid", []happening{out(10_00, 20_00, unclear), out(20_00, 10_00, wasAccepted)}, some(70_00), true},
		{"no response, and it may not be", []happening{out(10_00, 20_00, unclear), out(20_00, 10_00, wasAccepted)}, some(80_00), true},
		{"rejected for nothing", []happening{out(10_00, 0, noReason)}, nil, false},
		{"a wrong code", []happening{out(10_00, 0, overDaily)}, nil, false},
		{"a credit first", []happening{out(110_00, 0, wasAccepted), {noun: "credit", amount: 20_00, due: 20_00}}, some(10_00), true},
		{"a credit is lost", []happening{out(60_00, 0, wasAccepted), {noun: "credit", amount: 20_00, due: 20_00}}, some(40_00), false},

		{"the first has come back", []happening{back(out(60_00, 60_00, wasAccepted)), out(60_00, 60_00, wasAccepted)}, some(40_00), true},
		{"both have come back", []happening{back(out(60_00, 60_00, wasAccepted)), back(out(60_00, 60_00, wasAccepted))}, some(100_00), true},
		{"more has come back than was taken", []happening{back(out(60_00, 0, wasAccepted))}, some(100_01), false},
		{"what comes back does not pay for itself", []happening{back(out(100_01, 0, wasAccepted))}, nil, false},
		{"what comes back pays for one", []happening{back(out(60_00, 120_00, wasAccepted)), out(60_00, 120_00, wasAccepted), out(60_00, 120_00, wasAccepted)}, nil, false},

		{"an externalId once", []happening{named("a", wasAccepted), named("a", duplicate)}, some(90_00), true},
		{"an externalId twice", []happening{named("a", wasAccepted), named("a", wasAccepted)}, nil, false},
		{"a duplicate of nothing", []happening{out(10_00, 0, duplicate)}, nil, false},
		{"an externalId of two operations is left open", []happening{named("a", wasAccepted), pay("QR cash-out", "a", 10_00, 10_00, wasAccepted, "")}, some(80_00), true},
		{"the same transfer twice", []happening{transfer("1"), transfer("1")}, some(40_00), true},
		{"a key in two cases, as one", []happening{transfer("1"), inCapitals("1")}, some(40_00), true},
		{"a key in two cases, as two", []happening{of(30_00, transfer("1")), of(30_00, inCapitals("2"))}, some(40_00), true},
		{"a key in two cases, too much", []happening{transfer("1"), inCapitals("2")}, nil, false},
		{"two transfers under a key", []happening{transfer("1"), transfer("2")}, nil, false},

		{"within the daily limit", []happening{{noun: "credit", amount: 100_00, due: 100_00}, out(80_00, 80_00, wasAccepted), out(80_00, 80_00, overDaily)}, some(120_00), true},
		{"rejected at the daily limit", []happening{{noun: "credit", amount: 100_00, due: 100_00}, out(75_00, 0, wasAccepted), out(75_00, 0, overDaily)}, some(125_00), true},
		{"rejected below the daily limit", []happening{{noun: "credit", amount: 100_00, due: 100_00}, out(75_00, 0, wasAccepted), out(74_99, 0, overDaily)}, nil, false},
		{"above the daily limit", []happening{{noun: "credit", amount: 100_00, due: 100_00}, out(80_00, 80_00, wasAccepted), out(80_00, 80_00, wasAccepted)}, nil, false},
		{"within the daily limits of two days", []happening{{noun: "credit", amount: 100_00, due: 100_00}, onTwoDays(out(80_00, 80_00, wasAccepted)), onTwoDays(out(80_00, 80_00, wasAccepted))}, some(40_00), true},
		{"above the daily limit of any day", []happening{{noun: "credit", amount: 100_00, due: 100_00}, onTwoDays(out(150_01, 0, wasAccepted))}, nil, false},
		{"within the daily limit, as the first has come back", []happening{{noun: "credit", amount: 100_00, due: 100_00}, back(out(80_00, 80_00, wasAccepted)), out(80_00, 80_00, wasAccepted)}, some(120_00), true},

		{"refunds that fit", []happening{refund("1", 6_00, 6_00, wasAccepted), refund("2", 6_00, 6_00, anyReason)}, some(94_00), true},
		{"refunds that exceed", []happening{refund("1", 6_00, 6_00, wasAccepted), refund("2", 6_00, 6_00, wasAccepted)}, nil, false},
		{"a refund fails, and makes room", []happening{refund("1", 6_00, 6_00, wasAccepted), refund("2", 6_00, 6_00, wasAccepted), {noun: "unrefund", amount: 6_00, charge: "E1"}}, nil, true},
		{"the same refund twice", []happening{refund("1", 6_00, 6_00, wasAccepted), refund("1", 6_00, 6_00, wasAccepted)}, some(94_00), true},
		{"a refund is rejected, since its id is used", []happening{refund("1", 4_00, 0, wasAccepted), refund("1", 4_00, 0, anyReason)}, some(96_00), true},
		{"a refund is rejected for nothing", []happening{refund("1", 6_00, 1_00, anyReason)}, nil, false},
	} {
		first := sequential{available: spec.Exactly(100_00), used: map[string]payment{}, refunded: map[string]spec.Range{}}
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
	first := sequential{available: spec.Exactly(100_00), used: map[string]payment{}, refunded: map[string]spec.Range{}}
	paid := happening{noun: "cash-out", amount: 110_00, outcome: wasAccepted}
	credit := happening{noun: "credit", amount: 20_00, due: 20_00}
	history := func(paidAt, creditAt int64) []porcupine.Operation {
		return []porcupine.Operation{{Input: paid, Call: paidAt, Return: paidAt + 1}, {ClientId: 1, Input: credit, Call: creditAt, Return: creditAt + 1}}
	}
	assert.True(t, inSomeOrder(first, history(10, 0), nil))
	assert.False(t, inSomeOrder(first, history(0, 10), nil))
}
