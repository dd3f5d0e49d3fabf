package mutants

import (
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
)

var partialAmountMutants = []partialRow{
	{"refuses 1.15 as having too many decimals because 1.15 * 100 is not whole", Amounts, "OUT-007",
		refusing(cashOut, all(inexact("value"), not(finer("value"))), 400, api.InvalidAmount),
		`out 1.15`},
	{"lists 136.42 as 136.41 because it cuts the centavos of a float", Amounts, "LTX-038",
		answering(transactions, accepted, inCentavos("data[].originalAmount", cutFloat)),
		`in 136.42; list`},
	{"blocks 4.34 for a transfer of 4.35", Amounts, "DICT-056",
		answeringBy(balances, func(c *call, a *answer) []edit {
			lost := int64(0)
			for _, pending := range c.pendingTransfers() {
				lost += pending - cutFloat(pending)
			}
			return []edit{plus(available, lost), plus(blocked, -lost)}
		}),
		`manual; transfer 4.35; balance`},
	{"refuses the last refund of 0.20 after 0.10 of 0.30 because the float sum is above 0.30", Amounts, "DEV-036",
		refusing(devolution, func(c *call, _ *answer) bool {
			item, ok := c.received()
			total := 0.0
			for _, e := range refundsOf(c) {
				total += float64(amountAt(e.call.message, "valor")) / 100
			}
			return ok && len(refundsOf(c)) > 0 && total+float64(sentAmount(c, "valor"))/100 > float64(in(item, "originalAmount"))/100
		}, 400, ""),
		`cob 0.30 as c; pay $c.code as p; refund $p.e2e 0.10; refund $p.e2e 0.20`},
	{"refuses FIXED splits of 0.10 and 0.20 on a charge of 0.30", Amounts, "SPL-004",
		refusing(cashIn, aboveInFloats, 400, api.HTTPError),
		`in 0.30 splits=F0.10,F0.20`},
	{"compares the split sum with the value in whole reais", Amounts, "SPL-005",
		accepting(cashIn, all(beyondAmount, not(sent("splits[].type", `"PERCENTAGE"`)), func(c *call, _ *answer) bool {
			total := int64(0)
			for i := range lookups(c.body, "splits[]") {
				total += sentAmount(c, "splits["+strconv.Itoa(i)+"].value")
			}
			return total/100 <= sentAmount(c, "transaction.value")/100
		}), splitValue),
		`in 10.00 splits=F10.99 =400`},
	{"compares balance and amount in whole reais", Amounts, "OUT-062",
		accepting(cashOut, all(insufficient, func(c *call, _ *answer) bool {
			return sentAmount(c, "value")/100 <= amountAt(c.read(balances.path, "").message, available)/100
		}), set("value", `0.01`)),
		`fund 10.10; out 10.90 =400`},
	{"refuses exact cover when value and fee do not add up exactly in floats", Amounts, "OUT-061",
		refusingInexactCover(),
		`fees out=0.20; fund 0.30; out 0.10`},
	{"tolerates a centavo between value and QR Code", Amounts, "OQR-009",
		accepting(qrCashOut, all(mismatched, func(c *call, _ *answer) bool {
			code, ok := amountOf(textAt(c.body, "qrCode"))
			return ok && max(sentAmount(c, "value")-centavosIn(code), centavosIn(code)-sentAmount(c, "value")) == 1
		}), knownCode),
		`qr 10.01 code.amount=10.00 =400`},
	{"writes amounts from ten million on in scientific notation", Amounts, "EVT-065",
		sending(all(typed("RECEIVE"), above("data.payment.amount", "9999999.99")), retold("data.payment.amount", scientific)),
		`hook cash_in a; cob 10000000.00 as c; pay $c.code`},
	{"cuts trailing zeros before the decimal point too", Amounts, "LTX-040",
		answering(transactions, told("data[0].finalAmount", `.`), allRespelt("finalAmount", func(s string) string {
			if s = strings.TrimRight(s, "0."); s == "" {
				return "0"
			}
			return s
		})),
		`out 100.00; list`},
	{"overflows at 21474836.48, where the centavos exceed 31 bits", Amounts, "IN-008",
		answering(transactions, accepted, inCentavos("data[].originalAmount", func(c int64) int64 { return int64(int32(c)) })),
		`in 21474836.48; list`},
	{"keeps balances in single precision, so that a centavo on 300,000.00 is lost", Amounts, "BAL-020",
		answering(balances, accepted, inCentavos(available, func(c int64) int64 { return int64(math.Round(float64(float32(float64(c)/100)) * 100)) })),
		`fund 300000.00; cob 0.01 as c; pay $c.code; balance`},
	{"shows float noise in available after three payments of ten centavos", Amounts, "BAL-016",
		answeringBy(balances, noisyAfterThree),
		`fund 100.00; 3x transfer 0.10; balance`},
	{"takes valor 0.01 for zero and refuses it", Amounts, "DEV-012",
		refusing(devolution, sent("valor", `"0.01"`), 400, ""),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 0.01`},
	{"allows a relative tolerance of one in ten thousand above the original", Amounts, "DEV-038",
		acceptingRefund(all(wellFormedRefund, func(c *call, _ *answer) bool {
			item, ok := c.received()
			return ok && (sentAmount(c, "valor")+refundedBy(refundsOf(c)))*10_000 <= in(item, "originalAmount")*10_001
		}), func(c *call) int64 {
			item, _ := c.received()
			return in(item, "originalAmount") - refundedBy(refundsOf(c))
		}),
		`cob 5000.00 as c; pay $c.code as p; refund $p.e2e 5000.01 =400`},
	{"sends 0.5700000000000001 for a refund of 0.57", Amounts, "EVT-080",
		sending(refundEvent, respelt("data.refunds[0].payment.amount", func(s string) string {
			return strconv.FormatFloat(float64(centavosIn(s))*0.01, 'f', -1, 64)
		})),
		`hook refund_in a; cob 10.00 as c; pay $c.code as p; refund $p.e2e 0.57`},
	{"lists finalAmount 0.30000000000000004 for 0.10 with a fee of 0.20", Amounts, "LPK-042",
		inItems(ofKey, always, func(_ *call, item map[string]any) {
			if fee := in(item, "feeAmount"); fee > 0 && item["movementType"] == "DEBIT" {
				item["finalAmount"] = json.Number(strconv.FormatFloat(float64(in(item, "originalAmount"))/100+float64(fee)/100, 'f', -1, 64))
			}
		}),
		`fees out=0.20; out 0.10 details.key=ana@example.com; bykey ana@example.com`},
	{"pays 0.06 for ten percent of 0.70", Amounts, "SPL-038",
		triggering(`AFTER INSERT ON splits`, splitType+` = 'PERCENTAGE'`,
			`UPDATE splits SET amount = CAST((SELECT c.amount FROM charges c WHERE c.id = NEW.charge_id) / 100.0 * (`+splitShare+` / 100.0) * 100 AS INTEGER) WHERE charge_id = NEW.charge_id AND position = NEW.position`),
		`in 0.70 splits=P10i as c; pay $c.code; splits $c.tid`},
	{"cuts a FIXED split to whole reais when it is above 1,000.00", Amounts, "SPL-040",
		triggering(`AFTER INSERT ON splits`, `NEW.amount > 100000 AND `+splitType+` = 'FIXED'`, `UPDATE splits SET amount = amount - amount % 100 WHERE charge_id = NEW.charge_id AND position = NEW.position`),
		`in 2000.00 splits=F1000.55i as c; pay $c.code; splits $c.tid`},
	{"refuses exactly three decimals but accepts four", Amounts, "IN-009",
		accepting(cashIn, all(finer("transaction.value"), decimals("transaction.value", 4, 99)), plus("transaction.value", 0)),
		`in 1.2345 =400`},
	{"accepts a third decimal in large amounts because its tolerance grows with the amount", Amounts, "DICT-037",
		accepting(transfer, all(finer("payment.amount"), above("payment.amount", "0"), number("payment.amount", func(s string) bool {
			exact := rational(s)
			whole, _ := new(big.Rat).SetString(exact.FloatString(2))
			off := new(big.Rat).Abs(new(big.Rat).Sub(exact, whole))
			return off.Mul(off, big.NewRat(1e8, 1)).Cmp(exact) <= 0
		})), plus("payment.amount", 0)),
		`fund 200000.00; transfer 100000.001 =400`},
	{"rounds a limit with centavos up to whole reais", Amounts, "OUT-080",
		misreading(limits, always, roundedUp("perTransaction"), roundedUp("daily"), roundedUp("night")),
		`limits perTransaction=99.90; out 99.95 =400`},
	{"echoes 999999999.99 as 1000000000.00", Amounts, "COB-049",
		answering(cob, accepted, inCentavos("valor.original", tenDigits)),
		`cob 999999999.99`},
	{"writes amounts from 1,000.00 on in the Brazilian spelling", Amounts, "EVT-052",
		sending(all(typed("TRANSFER"), above("data.payment.amount", "999.99")), retold("data.payment.amount", func(s string) string {
			return strings.NewReplacer(",", ".", ".", ",").Replace(thousands(s))
		})),
		`hook cash_out a; fund 2000.00; transfer 1234.56`},
	{"rounds originalTransaction.amount to whole reais", Amounts, "MED-048",
		answering(meds, accepted, inCentavos("data[].originalTransaction.amount", func(c int64) int64 { return (c + 50) / 100 * 100 })),
		`cob 10.55 as c; pay $c.code as p; med $p.e2e; meds`},
	{"ignores a return of one centavo", Amounts, "EVT-004",
		both(silent(`p.kind = 'refund-out' AND p.amount = 1`), booking(`NEW.kind = 'received' AND p.kind = 'refund-out' AND p.amount = 1`, `0`, `0`),
			relisting(transactions, always, keepingItems(func(_ *call, item map[string]any) bool {
				return item["operationType"] != "Refund out" || in(item, "originalAmount") != 1
			}))),
		`hook refund_out a; out 10.00; list as l; back $l.0.e2e 0.01; list type=REFUND_OUT`},
	{"compares value and QR Code amount as text, so that 10.5 differs from 10.50", Amounts, "OQR-008",
		refusing(qrCashOut, all(besideCode(0), otherwiseThanCode), 400, api.HTTPError),
		`qr 10.5 code.amount=10.50`},
	{"rounds finalAmount to ten centavos", Amounts, "EVT-021",
		sending(called("CashOut"), rounded("finalAmount", 10)),
		`hook cash_out a; fees out=0.33; out 10.00`},
	{"refuses the value 0.01 once the account has a fee", Amounts, "OUT-004",
		refusingBesideFee(),
		`fees out=0.50; fund 10.00; out 0.01`},
	{"rounds to centavos before it checks amounts below one real", Amounts, "OUT-008",
		accepting(cashOut, all(finer("value"), below("value", "1"), not(below("value", "0.005"))), plus("value", 0)),
		`out 0.015 =400`},
}

// The type of the split NEW, and its value.
const (
	splitType  = `json_extract((SELECT body FROM charges WHERE id = NEW.charge_id), '$.Order.Splits[' || NEW.position || '].Type')`
	splitShare = `json_extract((SELECT body FROM charges WHERE id = NEW.charge_id), '$.Order.Splits[' || NEW.position || '].Value')`
)

// cutFloat is what a gateway gets who cuts the centavos of a binary fraction. The float is the fault.
func cutFloat(c int64) int64 { return int64(float64(c) / 100 * 100) }

// centavosIn reads an amount as it is written.
func centavosIn(written string) int64 {
	if !numeral.MatchString(written) {
		return 0
	}
	r := centavos(written)
	return r.Num().Int64() / r.Denom().Int64()
}

// scientific writes 10000000.00 as 1.0E7.
func scientific(s string) string {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'E', -1, 64), "E+")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	return mantissa + "E" + unpadded(exponent)
}

// allRespelt writes a number of each item of a list in another way.
func allRespelt(field string, spell func(string) string) edit {
	return eachItem("data", func(_ int, item map[string]any) {
		if n, ok := item[field].(json.Number); ok {
			item[field] = json.Number(spell(n.String()))
		}
	})
}

// refusingInexactCover refuses what the balance covers exactly if the sum of value and fee is above it in floats.
func refusingInexactCover() fault {
	fee := &setting{path: "cashOut"}
	return both(fee.noted(fees), refusing(cashOut, func(c *call, _ *answer) bool {
		taken, ok := fee.centavos(c)
		has, value := amountAt(c.read(balances.path, "").message, available), sentAmount(c, "value")
		return ok && taken > 0 && value+taken == has && float64(value)/100+float64(taken)/100 > float64(has)/100
	}, 400, api.InsufficientBalance))
}

// refusingBesideFee refuses the least amount of accounts that pay a fee.
func refusingBesideFee() fault {
	fee := &setting{path: "cashOut"}
	return both(fee.noted(fees), refusing(cashOut, all(equals("value", "0.01"), func(c *call, _ *answer) bool {
		taken, _ := fee.centavos(c)
		return taken > 0
	}), 400, api.InvalidAmount))
}

// noisyAfterThree subtracts transfers with centavos from the balance as floats once there are three.
func noisyAfterThree(c *call, a *answer) []edit {
	paid := c.before(transfer, byTheSame, taken, answered(cents("payment.amount")))
	if len(paid) < 3 {
		return nil
	}
	total := amountAt(a.message, available)
	for _, e := range paid {
		total += amountAt(e.call.message, "payment.amount")
	}
	left := float64(total) / 100
	for _, e := range paid {
		left -= float64(amountAt(e.call.message, "payment.amount")) / 100
	}
	written := strconv.FormatFloat(left, 'f', -1, 64)
	if !regexp.MustCompile(`\.\d{3}`).MatchString(written) {
		return nil
	}
	return []edit{set(available, written)}
}

// roundedUp makes an amount whole reais.
func roundedUp(path string) edit {
	return func(m *message) {
		if v, ok := lookup(m.body, path); ok && v != nil {
			inCentavos(path, func(c int64) int64 { return (c + 99) / 100 * 100 })(m)
		}
	}
}

// tenDigits rounds an amount to ten digits.
func tenDigits(c int64) int64 {
	step := int64(1)
	for c/step >= 1e10 {
		step *= 10
	}
	return (c + step/2) / step * step
}
