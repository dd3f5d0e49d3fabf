package mutants

import (
	"strconv"
	"strings"
)

var qrCashOutMutants = []row{
	{"answers a QR cash-out with 200", "qr-cash-out.accepted", answering(qrCashOut, accepted, status(200))},
	{"gives every QR cash-out the same transactionId", "qr-cash-out.accepted", answering(qrCashOut, accepted, set("transactionId", `"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"`))},
	{"numbers its QR cash-outs", "qr-cash-out.accepted", answering(qrCashOut, accepted, set("transactionId", `4711`))},
	{"answers a QR cash-out with an externalId of its own", "qr-cash-out.accepted", answering(qrCashOut, accepted, fresh("externalId"))},
	{"calls a QR cash-out PROCESSING", "qr-cash-out.accepted", answering(qrCashOut, accepted, set("status", `"PROCESSING"`))},
	{"labels the time of São Paulo Z in a QR cash-out", "qr-cash-out.accepted", answering(qrCashOut, accepted, stamped(mislabelled, saoPaulo))},
	{"repeats the code in the answer to a QR cash-out", "qr-cash-out.accepted", answering(qrCashOut, accepted, set("pixCode", `"`+anyCode+`"`))},
	{"tells when a QR cash-out expires", "qr-cash-out.accepted", answering(qrCashOut, accepted, set("expirationDate", `"2026-03-01T12:00:00Z"`))},

	{"debits a QR cash-out twice", "qr-cash-out.debit", doubling(qrCashOut, always, fresh("externalId"))},
	{"takes a QR cash-out and forgets it", "qr-cash-out.debit", ignoring(qrCashOut, always)},
	{"debits a QR cash-out only once it is settled", "qr-cash-out.debit", answering(balances, accepted, sum(available, available, blocked))},
	{"takes the fee of a QR cash-out twice", "qr-cash-out.debit", misreading(fees, always, times("cashOut", 2, 1))},
	{"sends no word of a QR cash-out", "qr-cash-out.debit", ignoring(event, always)},

	{"refuses a QR cash-out of one centavo", "qr-cash-out.value", refusing(qrCashOut, equals("value", "0.01"), 400, "HTTP_ERROR")},
	{"takes a QR cash-out without decimals for centavos", "qr-cash-out.value", misreading(qrCashOut, decimals("value", 0, 0), times("value", 1, 100))},
	{"reckons QR cash-outs in floating point and cuts", "qr-cash-out.value", misreading(qrCashOut, sent("value"), binary("value"))},
	{"debits QR cash-outs in tenths", "qr-cash-out.value", misreading(qrCashOut, sent("value"), plus("value", 9), rounded("value", 10))},
	{"takes a QR cash-out of R$ 0.00 or less", "qr-cash-out.value", accepting(qrCashOut, either(equals("value", "0"), below("value", "0")), set("value", `0.01`))},
	{"rounds the value of a QR cash-out", "qr-cash-out.value", accepting(qrCashOut, finer("value"), set("value", `0.01`))},
	{"pays what it likes where a QR cash-out has no value", "qr-cash-out.value", accepting(qrCashOut, lacking("value"), set("value", `1.00`))},
	{"takes anything for the value of a QR cash-out", "qr-cash-out.value", accepting(qrCashOut, kind("value", "object", "word"), set("value", `1.00`))},
	{"breaks down over the value of a QR cash-out in quotes", "qr-cash-out.value", refusing(qrCashOut, kind("value", "quoted"), 500, "HTTP_ERROR")},
	{"does not name the invalid value of a QR cash-out", "qr-cash-out.value", answering(qrCashOut, refused, code("HTTP_ERROR"), set("message", `["invalid body"]`))},
	{"answers the invalid value of a QR cash-out with 422", "qr-cash-out.value", answering(qrCashOut, refused, status(422))},
	{"pays a centavo where it refuses a QR cash-out of less", "qr-cash-out.value", despite(qrCashOut, all(above("value", "0"), below("value", "0.01")), set("value", `0.01`))},

	{"takes a QR cash-out without an externalId", "qr-cash-out.external-id", accepting(qrCashOut, lacking("externalId"), fresh("externalId"))},
	{"takes an object for the externalId of a QR cash-out", "qr-cash-out.external-id", accepting(qrCashOut, kind("externalId", "object"), fresh("externalId"))},
	{"does not name the missing externalId of a QR cash-out", "qr-cash-out.external-id", answering(qrCashOut, refused, set("message", `["invalid body"]`))},
	{"breaks down over a number for the externalId of a QR cash-out", "qr-cash-out.external-id", refusing(qrCashOut, kind("externalId", "number"), 500, "HTTP_ERROR")},

	{"pays a used externalId again from a QR Code", "qr-cash-out.duplicate-external-id", accepting(qrCashOut, was(409), fresh("externalId"))},
	{"answers a repeated QR cash-out with the first payment", "qr-cash-out.duplicate-external-id", repeating(qrCashOut, byTheSame, taken, same("externalId"))},
	{"answers a repeated QR cash-out with 400", "qr-cash-out.duplicate-external-id", answering(qrCashOut, was(409), status(400))},
	{"has details of a repeated QR cash-out in a text", "qr-cash-out.duplicate-external-id", answering(qrCashOut, was(409), set("details", `"used"`))},
	{"debits a repeated QR cash-out although it refuses", "qr-cash-out.duplicate-external-id", despite(qrCashOut, was(409), fresh("externalId"))},
	{"lists a repeated QR cash-out again", "qr-cash-out.duplicate-external-id", answering(transactions, after(1, qrCashOut, byTheSame, answered(was(409))), doubled("data[0]"))},
	{"pays a QR Code several times when asked at once", "qr-cash-out.duplicate-external-id", accepting(qrCashOut, all(was(409), concurrent), fresh("externalId"))},
	{"pays a QR Code several times when asked at once", "qr-cash-out.duplicate-external-id", sometimes(EverySecond, accepting(qrCashOut, all(was(409), concurrent), fresh("externalId")))},
	{"knows externalIds of QR cash-outs across accounts", "qr-cash-out.duplicate-external-id", refusing(qrCashOut, after(1, qrCashOut, byAnother, taken, same("externalId")), 409, "PIX_DUPLICATE_EXTERNAL_ID")},

	{"wants a description of a QR cash-out", "qr-cash-out.optional-fields", refusing(qrCashOut, unsent("description"), 400, "HTTP_ERROR")},
	{"wants no description of a QR cash-out", "qr-cash-out.optional-fields", refusing(qrCashOut, sent("description"), 400, "HTTP_ERROR")},
	{"refuses 140 characters for a QR cash-out", "qr-cash-out.optional-fields", refusing(qrCashOut, longer("description", 139), 400, "HTTP_ERROR")},
	{"wants the name for a QR cash-out", "qr-cash-out.optional-fields", refusing(qrCashOut, unsent("name"), 400, "HTTP_ERROR")},
	{"wants no name of a QR cash-out", "qr-cash-out.optional-fields", refusing(qrCashOut, sent("name"), 400, "HTTP_ERROR")},
	{"wants the document for a QR cash-out", "qr-cash-out.optional-fields", refusing(qrCashOut, unsent("document"), 400, "HTTP_ERROR")},
	{"pays no companies by QR Code", "qr-cash-out.optional-fields", refusing(qrCashOut, matching("document", `^\d{14}$`), 400, "HTTP_ERROR")},
	{"pays no people by QR Code", "qr-cash-out.optional-fields", refusing(qrCashOut, matching("document", `^\d{11}$`), 400, "HTTP_ERROR")},
	{"takes objects for the optional texts of a QR cash-out", "qr-cash-out.optional-fields", accepting(qrCashOut, either(kind("description", "object"), kind("name", "object"), kind("document", "object")), drop("description"), drop("name"), drop("document"))},
	{"takes any document in a QR cash-out", "qr-cash-out.optional-fields", accepting(qrCashOut, matching("document", `^\d+$`), drop("document"))},
	{"does not name the invalid document of a QR cash-out", "qr-cash-out.optional-fields", answering(qrCashOut, refused, set("message", `["a field is invalid"]`))},

	{"lets nobody spend the last centavo by QR Code", "qr-cash-out.covers-fee", refusing(qrCashOut, spending("value", 1, 1), 400, "PIX_INSUFFICIENT_BALANCE")},
	{"overdraws for a QR Code", "qr-cash-out.covers-fee", accepting(qrCashOut, all(insufficient, not(concurrent)), set("value", `0.01`))},
	{"overdraws for QR Codes when asked at once", "qr-cash-out.covers-fee", accepting(qrCashOut, all(insufficient, concurrent), set("value", `0.01`))},
	{"answers want of money for a QR Code with 422", "qr-cash-out.covers-fee", answering(qrCashOut, insufficient, status(422))},

	{"sends no word of a confirmed QR cash-out", "qr-cash-out.outcome", ignoring(event, confirmed)},
	{"sends no word of a rejected QR cash-out", "qr-cash-out.outcome", ignoring(event, failed)},
	{"calls the event of a QR cash-out CashOutQRCode", "qr-cash-out.outcome", sending(always, set("event", `"CashOutQRCode"`))},
	{"tells a QR cash-out as a credit", "qr-cash-out.outcome", sending(always, set("movementType", `"CREDIT"`))},
	{"tells the cents of a QR cash-out as text", "qr-cash-out.outcome", sending(always, quoted("originalAmount"))},
	{"confirms a QR cash-out that the bank rejects", "qr-cash-out.outcome", sending(failed, confirmedAfterAll)},
	{"does not say why a QR cash-out was rejected", "qr-cash-out.outcome", sending(failed, set("errorCode", `null`))},
	{"lists a QR cash-out as pending for ever", "qr-cash-out.outcome", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"lists a rejected QR cash-out as confirmed", "qr-cash-out.outcome", answering(transactions, told("data[0].status", `Error`), set("data[].status", `"Confirmado"`))},

	{"reaches a provider that is unreachable for a QR cash-out", "qr-cash-out.provider-failure", ignoring(faults, always)},
	{"answers an unreachable provider of QR cash-outs with 503", "qr-cash-out.provider-failure", answering(qrCashOut, was(500), status(503))},
	{"gives no errorId when the provider of QR cash-outs fails", "qr-cash-out.provider-failure", answering(qrCashOut, was(500), drop("errorId"))},
	{"gives no code when the provider of QR cash-outs fails", "qr-cash-out.provider-failure", answering(qrCashOut, was(500), drop("code"))},
	{"pays nothing by QR Code once its provider has failed", "qr-cash-out.provider-failure", refusing(qrCashOut, after(1, qrCashOut, byTheSame, answered(was(500))), 500, "HTTP_ERROR")},

	{"refuses a QR cash-out without X-Sandbox-Scenario", "qr-cash-out.sandbox-scenario", refusing(qrCashOut, under(scenarioHeader, `^$`), 400, "HTTP_ERROR")},
	{"takes no notice of X-Sandbox-Scenario of a QR cash-out", "qr-cash-out.sandbox-scenario", misreading(qrCashOut, always, withoutHeaders(`^X-Sandbox`))},
	{"refuses the sandbox scenario of a failed QR cash-out", "qr-cash-out.sandbox-scenario", refusing(qrCashOut, under(scenarioHeader, `^error`), 400, "HTTP_ERROR")},

	{"breaks down over a long description of a QR cash-out", "qr-cash-out.left-open", refusing(qrCashOut, longer("description", 140), 500, "HTTP_ERROR")},
	{"answers an unknown X-Sandbox-Scenario of a QR cash-out with 422", "qr-cash-out.left-open", refusing(qrCashOut, under(scenarioHeader, `.`), 422, "HTTP_ERROR")},
	{"breaks down over the code of the payer's own charge", "qr-cash-out.left-open", refusing(qrCashOut, after(1, cashIn, byTheSame, taken), 500, "HTTP_ERROR")},
	{"breaks down over the externalId of a cash-out", "qr-cash-out.left-open", refusing(qrCashOut, after(1, cashOut, byTheSame, taken, same("externalId")), 500, "HTTP_ERROR")},

	{"does not look at the amount of a static code", "qr-cash-out.embedded-amount", accepting(qrCashOut, mismatched, knownCode)},
	{"takes a value below that of the code", "qr-cash-out.embedded-amount", accepting(qrCashOut, all(mismatched, besideCode(-1)), knownCode)},
	{"takes a value above that of the code", "qr-cash-out.embedded-amount", accepting(qrCashOut, all(mismatched, besideCode(1)), knownCode)},
	{"answers a value that is not the code's with 422", "qr-cash-out.embedded-amount", answering(qrCashOut, mismatched, status(422))},
	{"pays although the value is not the code's", "qr-cash-out.embedded-amount", despite(qrCashOut, mismatched, knownCode)},
	{"compares value and code as texts", "qr-cash-out.embedded-amount", refusing(qrCashOut, all(besideCode(0), otherwiseThanCode), 400, "HTTP_ERROR")},
	{"compares value and code in floating point", "qr-cash-out.embedded-amount", refusing(qrCashOut, all(inexact("value"), withAmount), 400, "HTTP_ERROR")},
	{"pays no code with an amount", "qr-cash-out.embedded-amount", refusing(qrCashOut, withAmount, 400, "HTTP_ERROR")},
	{"pays no code without an amount", "qr-cash-out.embedded-amount", refusing(qrCashOut, not(withAmount), 400, "HTTP_ERROR")},
	{"pays what it likes where the code has no amount", "qr-cash-out.embedded-amount", misreading(qrCashOut, not(withAmount), set("value", `1.00`))},

	{"pays no code of a random key", "qr-cash-out.code", refusing(qrCashOut, matching("qrCode", `pix0136[0-9a-f]{8}-`), 400, "HTTP_ERROR")},
	{"wants cents in the amount of a code", "qr-cash-out.code", refusing(qrCashOut, embedded(func(amount string) bool { return !strings.Contains(amount, ".") }), 400, "HTTP_ERROR")},
	{"has room for a code of 249 characters", "qr-cash-out.code", refusing(qrCashOut, longer("qrCode", 249), 400, "HTTP_ERROR")},
	{"has room for a code of 499 characters", "qr-cash-out.code", refusing(qrCashOut, longer("qrCode", 499), 400, "HTTP_ERROR")},
	{"does not verify a CRC", "qr-cash-out.code", accepting(qrCashOut, all(refusedAs("PIX_INVALID_QR_CODE"), longer("qrCode", 49), not(longer("qrCode", 500)), matching("qrCode", `^000201.*6304[0-9A-F]{4}$`)), knownCode)},
	{"takes a number for a code", "qr-cash-out.code", accepting(qrCashOut, kind("qrCode", "number"), knownCode)},
	{"drops the zero at the beginning of a CRC", "qr-cash-out.code", refusing(qrCashOut, matching("qrCode", `63040...$`), 400, "HTTP_ERROR")},
	{"breaks down over a code of 50 characters", "qr-cash-out.code", refusing(qrCashOut, matching("qrCode", `^.{50}$`), 500, "HTTP_ERROR")},
	{"takes a code of 49 characters", "qr-cash-out.code", accepting(qrCashOut, matching("qrCode", `^.{49}$`), knownCode)},
	{"takes a code of 501 characters", "qr-cash-out.code", accepting(qrCashOut, longer("qrCode", 500), knownCode)},
	{"takes a code of another version", "qr-cash-out.code", accepting(qrCashOut, matching("qrCode", `^000202`), knownCode)},
	{"takes a code that starts with anything", "qr-cash-out.code", accepting(qrCashOut, all(kind("qrCode", "word"), not(matching("qrCode", `^0002`))), knownCode)},
	{"takes half a code", "qr-cash-out.code", accepting(qrCashOut, all(matching("qrCode", `^000201\d.{43,}$`), not(matching("qrCode", `6304[0-9A-F]{4}$`)), not(longer("qrCode", 500))), knownCode)},
	{"takes a code that starts with 000201 and goes on anyhow", "qr-cash-out.code", accepting(qrCashOut, matching("qrCode", `^000201\D+$`), knownCode)},
	{"takes an empty code", "qr-cash-out.code", accepting(qrCashOut, kind("qrCode", "blank"), knownCode)},
	{"takes a QR cash-out without a code", "qr-cash-out.code", accepting(qrCashOut, lacking("qrCode"), knownCode)},
	{"takes an object for a code", "qr-cash-out.code", accepting(qrCashOut, kind("qrCode", "object"), knownCode)},
	{"does not name the missing code", "qr-cash-out.code", answering(qrCashOut, refusedAs("HTTP_ERROR"), set("message", `["a field is missing"]`))},
	{"breaks down over a wrong CRC", "qr-cash-out.code", answering(qrCashOut, refusedAs("PIX_INVALID_QR_CODE"), status(500))},
	{"breaks down over a number for a code", "qr-cash-out.code", refusing(qrCashOut, kind("qrCode", "number"), 500, "HTTP_ERROR")},
	{"pays somebody where the code is no code", "qr-cash-out.code", despite(qrCashOut, all(refused, matching("qrCode", `.`)), knownCode)},
}

var (
	mismatched = refusedAs("PIX_QR_CODE_VALUE_MISMATCH")
	withAmount = embedded(func(string) bool { return true })
	knownCode  = set("qrCode", `"`+anyCode+`"`)
)

// embedded holds for a code with an amount that is such.
func embedded(such func(amount string) bool) condition {
	return func(c *call, _ *answer) bool {
		amount, ok := amountOf(textAt(c.body, "qrCode"))
		return ok && such(amount)
	}
}

// amountOf is the amount of a BR Code, which lists fields of an id, a length of two digits
// and a value; that of the amount is 54.
func amountOf(code string) (amount string, ok bool) {
	for r := []rune(code); len(r) >= 4; {
		n, err := strconv.Atoi(string(r[2:4]))
		if err != nil || len(r) < 4+n {
			return "", false
		}
		if string(r[:2]) == "54" {
			amount = string(r[4 : 4+n])
			return amount, numeral.MatchString(amount)
		}
		r = r[4+n:]
	}
	return "", false
}

// besideCode holds for a value that stands so to the code's: -1 below, 0 equal, 1 above.
func besideCode(so int) condition {
	return func(c *call, a *answer) bool {
		return embedded(func(amount string) bool { return compared("value", amount, so)(c, a) })(c, a)
	}
}

// otherwiseThanCode holds for a value that is written in another way than the code's.
func otherwiseThanCode(c *call, a *answer) bool {
	return embedded(func(amount string) bool {
		return number("value", func(s string) bool { return s != amount })(c, a)
	})(c, a)
}
