package mutants

import (
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/steps/api"
)

var qrCashOutMutants = []row{
	{"rejects a company's code with an amount", "qr-cash-out.shapes", refusing(qrCashOut, company("document"), 400, api.HTTPError)},
	{"requires a name next to a document", "qr-cash-out.shapes", refusing(qrCashOut, all(sent("document"), lacking("name")), 400, api.HTTPError)},

	{"returns 200 for a QR cash-out", "qr-cash-out.accepted", answering(qrCashOut, accepted, status(200))},
	{"returns the same transactionId for every QR cash-out", "qr-cash-out.accepted", answering(qrCashOut, accepted, set("transactionId", `"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"`))},
	{"returns a number as transactionId of a QR cash-out", "qr-cash-out.accepted", answering(qrCashOut, accepted, set("transactionId", `4711`))},
	{"returns a QR cash-out with another externalId", "qr-cash-out.accepted", answering(qrCashOut, accepted, fresh("externalId"))},
	{"returns status PROCESSING for a QR cash-out", "qr-cash-out.accepted", answering(qrCashOut, accepted, set("status", `"PROCESSING"`))},
	{"labels São Paulo time as UTC in a QR cash-out", "qr-cash-out.accepted", answering(qrCashOut, accepted, stamped(mislabelled, saoPaulo))},
	{"returns the pixCode for a QR cash-out", "qr-cash-out.accepted", answering(qrCashOut, accepted, set("pixCode", `"`+anyCode+`"`))},
	{"returns an expirationDate for a QR cash-out", "qr-cash-out.accepted", answering(qrCashOut, accepted, set("expirationDate", `"2026-03-01T12:00:00Z"`))},

	{"debits a QR cash-out twice", "qr-cash-out.debit", doubling(qrCashOut, always, fresh("externalId"))},
	{"accepts a QR cash-out and drops it", "qr-cash-out.debit", ignoring(qrCashOut, always)},
	{"debits a QR cash-out only once it is settled", "qr-cash-out.debit", answering(balances, accepted, sum(available, available, blocked))},
	{"debits the fee of a QR cash-out twice", "qr-cash-out.debit", misreading(fees, always, times("cashOut", 2, 1))},
	{"sends no events, of a QR cash-out or any other payment", "qr-cash-out.debit", ignoring(event, always)},

	{"rejects a QR cash-out of one centavo", "qr-cash-out.value", refusing(qrCashOut, equals("value", "0.01"), 400, api.HTTPError)},
	{"reads a QR cash-out without decimals as centavos", "qr-cash-out.value", misreading(qrCashOut, decimals("value", 0, 0), times("value", 1, 100))},
	{"computes QR cash-outs in floating point and truncates", "qr-cash-out.value", misreading(qrCashOut, sent("value"), binary("value"))},
	{"rounds debits of QR cash-outs up to tenths", "qr-cash-out.value", misreading(qrCashOut, sent("value"), plus("value", 9), rounded("value", 10))},
	{"accepts a QR cash-out of R$ 0.00 or less", "qr-cash-out.value", accepting(qrCashOut, either(equals("value", "0"), below("value", "0")), set("value", `0.01`))},
	{"rounds the value of a QR cash-out", "qr-cash-out.value", accepting(qrCashOut, finer("value"), set("value", `0.01`))},
	{"accepts a QR cash-out without a value", "qr-cash-out.value", accepting(qrCashOut, lacking("value"), set("value", `1.00`))},
	{"accepts anything as the value of a QR cash-out", "qr-cash-out.value", accepting(qrCashOut, kind("value", "object", "word"), set("value", `1.00`))},
	{"returns 500 for the value of a QR cash-out in quotes", "qr-cash-out.left-open", refusing(qrCashOut, kind("value", "quoted"), 500, api.HTTPError)},
	{"does not name the invalid value of a QR cash-out", "qr-cash-out.value", answering(qrCashOut, refused, code(api.HTTPError), set("message", `["invalid body"]`))},
	{"returns 422 for an invalid value of a QR cash-out", "qr-cash-out.value", answering(qrCashOut, refused, status(422))},
	{"rejects a smaller QR cash-out but debits a centavo", "qr-cash-out.value", despite(qrCashOut, all(above("value", "0"), below("value", "0.01")), set("value", `0.01`))},

	{"accepts a QR cash-out without an externalId", "qr-cash-out.external-id", accepting(qrCashOut, lacking("externalId"), fresh("externalId"))},
	{"accepts an object as the externalId of a QR cash-out", "qr-cash-out.external-id", accepting(qrCashOut, kind("externalId", "object"), fresh("externalId"))},
	{"does not name the missing externalId of a QR cash-out", "qr-cash-out.external-id", answering(qrCashOut, refused, set("message", `["invalid body"]`))},
	{"returns 500 for a number as externalId of a QR cash-out", "qr-cash-out.left-open", refusing(qrCashOut, kind("externalId", "number"), 500, api.HTTPError)},

	{"pays a QR cash-out with a used externalId again", "qr-cash-out.duplicate-external-id", accepting(qrCashOut, was(409), fresh("externalId"))},
	{"returns the first payment for a repeated QR cash-out", "qr-cash-out.duplicate-external-id", repeating(qrCashOut, byTheSame, taken, same("externalId"))},
	{"returns 400 for a repeated QR cash-out", "qr-cash-out.duplicate-external-id", answering(qrCashOut, was(409), status(400))},
	{"returns details as a string for a repeated QR cash-out", "qr-cash-out.duplicate-external-id", answering(qrCashOut, was(409), set("details", `"used"`))},
	{"rejects a repeated QR cash-out but debits it", "qr-cash-out.duplicate-external-id", despite(qrCashOut, was(409), fresh("externalId"))},
	{"lists a repeated QR cash-out again", "qr-cash-out.duplicate-external-id", answering(transactions, after(1, qrCashOut, byTheSame, answered(was(409))), doubled("data[0]"))},
	{"pays a QR cash-out several times for concurrent requests", "qr-cash-out.duplicate-external-id", accepting(qrCashOut, all(was(409), concurrent), fresh("externalId"))},
	{"pays a QR cash-out several times for concurrent requests", "qr-cash-out.duplicate-external-id", sometimes(EverySecond, accepting(qrCashOut, all(was(409), concurrent), fresh("externalId")))},
	{"rejects the externalId of another account's QR cash-out", "qr-cash-out.duplicate-external-id", refusing(qrCashOut, after(1, qrCashOut, byAnother, taken, same("externalId")), 409, api.DuplicateExternalID)},

	{"requires a description in a QR cash-out", "qr-cash-out.optional-fields", refusing(qrCashOut, unsent("description"), 400, api.HTTPError)},
	{"rejects any description of a QR cash-out", "qr-cash-out.optional-fields", refusing(qrCashOut, sent("description"), 400, api.HTTPError)},
	{"rejects a QR cash-out description of 140 characters", "qr-cash-out.optional-fields", refusing(qrCashOut, longer("description", api.MostDescription-1), 400, api.HTTPError)},
	{"requires the name in a QR cash-out", "qr-cash-out.optional-fields", refusing(qrCashOut, unsent("name"), 400, api.HTTPError)},
	{"rejects any name in a QR cash-out", "qr-cash-out.optional-fields", refusing(qrCashOut, sent("name"), 400, api.HTTPError)},
	{"requires the document in a QR cash-out", "qr-cash-out.optional-fields", refusing(qrCashOut, unsent("document"), 400, api.HTTPError)},
	{"rejects a QR cash-out with a CNPJ", "qr-cash-out.optional-fields", refusing(qrCashOut, matching("document", `^\d{14}$`), 400, api.HTTPError)},
	{"rejects a QR cash-out with a CPF", "qr-cash-out.optional-fields", refusing(qrCashOut, matching("document", `^\d{11}$`), 400, api.HTTPError)},
	{"accepts objects as the optional strings of a QR cash-out", "qr-cash-out.optional-fields", accepting(qrCashOut, either(kind("description", "object"), kind("name", "object"), kind("document", "object")), drop("description"), drop("name"), drop("document"))},
	{"accepts any document in a QR cash-out", "qr-cash-out.optional-fields", accepting(qrCashOut, matching("document", `^\d+$`), drop("document"))},
	{"does not name the invalid document of a QR cash-out", "qr-cash-out.optional-fields", answering(qrCashOut, refused, set("message", `["a field is invalid"]`))},

	{"does not let a QR cash-out spend the last centavo", "qr-cash-out.covers-fee", refusing(qrCashOut, spending("value", 1, 1), 400, api.InsufficientBalance)},
	{"overdraws the account for a QR cash-out", "qr-cash-out.covers-fee", accepting(qrCashOut, all(insufficient, not(concurrent)), set("value", `0.01`))},
	{"overdraws the account for concurrent QR cash-outs", "qr-cash-out.covers-fee", accepting(qrCashOut, all(insufficient, concurrent), set("value", `0.01`))},
	{"returns 422 for a QR cash-out above the balance", "qr-cash-out.covers-fee", answering(qrCashOut, insufficient, status(422))},

	{"sends no event for a confirmed QR cash-out", "qr-cash-out.outcome", ignoring(event, confirmed)},
	{"sends no event for a rejected QR cash-out", "qr-cash-out.outcome", ignoring(event, failed)},
	{"names the event of a QR cash-out CashOutQRCode", "qr-cash-out.outcome", sending(always, set("event", `"CashOutQRCode"`))},
	{"sends a QR cash-out as a credit", "qr-cash-out.outcome", sending(always, set("movementType", `"CREDIT"`))},
	{"sends the amount of a QR cash-out as a string", "qr-cash-out.outcome", sending(always, quoted("originalAmount"))},
	{"confirms a QR cash-out that the bank rejects", "qr-cash-out.outcome", sending(failed, confirmedAfterAll)},
	{"does not report why a QR cash-out was rejected", "qr-cash-out.outcome", sending(failed, set("errorCode", `null`))},
	{"always lists a QR cash-out as pending", "qr-cash-out.outcome", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"lists a rejected QR cash-out as confirmed", "qr-cash-out.outcome", answering(transactions, told("data[0].status", `Error`), set("data[].status", `"Confirmado"`))},

	{"accepts a QR cash-out while the provider is unreachable", "qr-cash-out.provider-failure", ignoring(faults, always)},
	{"returns 503 for a QR cash-out while the provider is unreachable", "qr-cash-out.provider-failure", answering(qrCashOut, was(500), status(503))},
	{"returns no errorId for a QR cash-out while the provider is unreachable", "qr-cash-out.provider-failure", answering(qrCashOut, was(500), drop("errorId"))},
	{"returns no code for a QR cash-out while the provider is unreachable", "qr-cash-out.provider-failure", answering(qrCashOut, was(500), drop("code"))},
	{"rejects QR cash-outs after the provider has recovered", "qr-cash-out.provider-failure", refusing(qrCashOut, after(1, qrCashOut, byTheSame, answered(was(500))), 500, api.HTTPError)},

	{"rejects a QR cash-out without X-Sandbox-Scenario", "qr-cash-out.sandbox-scenario", refusing(qrCashOut, under(scenarioHeader, `^$`), 400, api.HTTPError)},
	{"ignores X-Sandbox-Scenario in a QR cash-out", "qr-cash-out.sandbox-scenario", misreading(qrCashOut, always, withoutHeaders(`^X-Sandbox`))},
	{"rejects the sandbox scenario of a failed QR cash-out", "qr-cash-out.sandbox-scenario", refusing(qrCashOut, under(scenarioHeader, `^error`), 400, api.HTTPError)},

	{"returns 500 for a long description of a QR cash-out", "qr-cash-out.left-open", refusing(qrCashOut, longer("description", api.MostDescription), 500, api.HTTPError)},
	{"returns 422 for an unknown X-Sandbox-Scenario of a QR cash-out", "qr-cash-out.left-open", refusing(qrCashOut, under(scenarioHeader, `.`), 422, api.HTTPError)},
	{"returns 500 for the code of the payer's own charge", "qr-cash-out.left-open", refusing(qrCashOut, after(1, cashIn, byTheSame, taken, withItsCode), 500, api.HTTPError)},
	{"returns 500 for the externalId of a cash-out", "qr-cash-out.left-open", refusing(qrCashOut, after(1, cashOut, byTheSame, taken, same("externalId")), 500, api.HTTPError)},

	{"ignores the amount in a static code", "qr-cash-out.embedded-amount", accepting(qrCashOut, mismatched, knownCode)},
	{"accepts a value below the amount in the code", "qr-cash-out.embedded-amount", accepting(qrCashOut, all(mismatched, besideCode(-1)), knownCode)},
	{"accepts a value above the amount in the code", "qr-cash-out.embedded-amount", accepting(qrCashOut, all(mismatched, besideCode(1)), knownCode)},
	{"returns 422 for a value other than the code's", "qr-cash-out.embedded-amount", answering(qrCashOut, mismatched, status(422))},
	{"rejects a value other than the code's but debits it", "qr-cash-out.embedded-amount", despite(qrCashOut, mismatched, knownCode)},
	{"compares value and amount in the code as strings", "qr-cash-out.embedded-amount", refusing(qrCashOut, all(besideCode(0), otherwiseThanCode), 400, api.HTTPError)},
	{"compares value and amount in the code in floating point", "qr-cash-out.embedded-amount", refusing(qrCashOut, all(inexact("value"), withAmount), 400, api.HTTPError)},
	{"rejects a code with an amount", "qr-cash-out.embedded-amount", refusing(qrCashOut, withAmount, 400, api.HTTPError)},
	{"rejects a code without an amount", "qr-cash-out.embedded-amount", refusing(qrCashOut, not(withAmount), 400, api.HTTPError)},
	{"ignores the value if the code has no amount", "qr-cash-out.embedded-amount", misreading(qrCashOut, not(withAmount), set("value", `1.00`))},

	{"rejects a code with a random key", "qr-cash-out.code", refusing(qrCashOut, matching("qrCode", `pix0136[0-9a-f]{8}-`), 400, api.HTTPError)},
	{"requires decimals in the amount of a code", "qr-cash-out.code", refusing(qrCashOut, embedded(func(amount string) bool { return !strings.Contains(amount, ".") }), 400, api.HTTPError)},
	{"rejects codes of more than 249 characters", "qr-cash-out.code", refusing(qrCashOut, longer("qrCode", 249), 400, api.HTTPError)},
	{"rejects codes of more than 499 characters", "qr-cash-out.code", refusing(qrCashOut, longer("qrCode", 499), 400, api.HTTPError)},
	{"does not verify a CRC", "qr-cash-out.code", accepting(qrCashOut, all(refusedAs(pix.CodeInvalidQRCode), longer("qrCode", 49), not(longer("qrCode", 500)), matching("qrCode", `^000201.*6304[0-9A-F]{4}$`)), knownCode)},
	{"accepts a number as a code", "qr-cash-out.code", accepting(qrCashOut, kind("qrCode", "number"), knownCode)},
	{"drops the leading zero of a CRC", "qr-cash-out.code", refusing(qrCashOut, matching("qrCode", `63040...$`), 400, api.HTTPError)},
	{"returns 500 for a code of 50 characters", "qr-cash-out.code", refusing(qrCashOut, matching("qrCode", `^.{50}$`), 500, api.HTTPError)},
	{"accepts a code of 49 characters", "qr-cash-out.code", accepting(qrCashOut, matching("qrCode", `^.{49}$`), knownCode)},
	{"accepts a code of 501 characters", "qr-cash-out.code", accepting(qrCashOut, longer("qrCode", 500), knownCode)},
	{"accepts a code of another version", "qr-cash-out.code", accepting(qrCashOut, matching("qrCode", `^000202`), knownCode)},
	{"accepts a code that starts with anything", "qr-cash-out.code", accepting(qrCashOut, all(kind("qrCode", "word"), not(matching("qrCode", `^0002`))), knownCode)},
	{"accepts half a code", "qr-cash-out.code", accepting(qrCashOut, all(matching("qrCode", `^000201\d.{43,}$`), not(matching("qrCode", `6304[0-9A-F]{4}$`)), not(longer("qrCode", 500))), knownCode)},
	{"accepts any code that starts with 000201", "qr-cash-out.code", accepting(qrCashOut, matching("qrCode", `^000201\D+$`), knownCode)},
	{"accepts an empty code", "qr-cash-out.code", accepting(qrCashOut, kind("qrCode", "blank"), knownCode)},
	{"accepts a QR cash-out without a code", "qr-cash-out.code", accepting(qrCashOut, lacking("qrCode"), knownCode)},
	{"accepts an object as a code", "qr-cash-out.code", accepting(qrCashOut, kind("qrCode", "object"), knownCode)},
	{"does not name the missing code", "qr-cash-out.code", answering(qrCashOut, refusedAs(api.HTTPError), set("message", `["a field is missing"]`))},
	{"returns 500 for a wrong CRC", "qr-cash-out.code", answering(qrCashOut, refusedAs(pix.CodeInvalidQRCode), status(500))},
	{"returns 500 for a number as code", "qr-cash-out.code", refusing(qrCashOut, kind("qrCode", "number"), 500, api.HTTPError)},
	{"rejects an invalid code but debits the cash-out", "qr-cash-out.code", despite(qrCashOut, all(refused, matching("qrCode", `.`)), knownCode)},
}

var (
	mismatched = refusedAs(pix.CodeQRCodeMismatch)
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

// withItsCode: a QR cash-out pays the code of an earlier charge.
func withItsCode(now *call, then *entry) bool {
	return textAt(now.body, "qrCode") == textAt(then.answer.body, "pixCode")
}
