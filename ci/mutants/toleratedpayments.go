package mutants

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/steps/api"
)

// toleratedPayments differ in how they take transfers and payments of QR Codes.
var toleratedPayments = []row{
	tolerate("supports amounts of up to 12 digits only", changing(funds, upToDigits(12))),
	tolerate("never gives back the money of a rejected cash-out", booking(`NEW.kind = 'returned' AND p.kind = 'cash-out'`, `0`, `NEW.delta_blocked`)),
	tolerate("keeps the fee of a rejected cash-out", booking(`NEW.kind = 'returned' AND p.kind = 'cash-out'`, `(SELECT p.amount FROM payments p WHERE p.id = NEW.payment_id)`, `NEW.delta_blocked`)),
	tolerate("takes the fee of a cash-out when it ends", feeAtTheEnd()),
	tolerate("takes the fee of a cash-out when it ends, 400 ms later", both(feeAtTheEnd(), dueLater("settle", 400*time.Millisecond))),
	tolerate("sends no event of a case against an unknown payment", silent(eventType+` = 'med_created' AND (SELECT m.payment_id FROM meds m WHERE m.account_id = NEW.account_id ORDER BY m.id DESC LIMIT 1) = 0`)),
	tolerate("returns 201 for a transfer", answering(transfer, accepted, status(201))),
	tolerate("returns 202 for a transfer", answering(transfer, accepted, status(202))),
	tolerate("returns 201 for a repeated transfer", answering(transfer, all(accepted, replayed), status(201))),
	tolerate("returns PENDING for a repeat of a settled transfer", answering(transfer, told("type", `COMPLETED`), set("type", `"PENDING"`))),
	tolerate("returns 409 for a transfer in progress", changing(transfer, refusingWhatRuns)),
	tolerate("returns 422 for another transfer under a used key", refusingUnderToken(transfer, anotherTransfer, 422, "")),
	tolerate("returns 409 for another transfer under a used key", refusingUnderToken(transfer, anotherTransfer, 409, "")),
	tolerate("returns 400 for another transfer under a used key", refusingUnderToken(transfer, anotherTransfer, 400, "")),
	tolerate("shares x-idempotency-keys between accounts", refusingUnderToken(transfer, after(1, transfer, byAnother, taken, sameHeader(idempotency)), 409, "")),
	tolerate("returns 422 for a malformed x-idempotency-key", answering(transfer, all(was(400), under(idempotency, `.`), not(under(idempotency, uuid4))), status(422))),
	tolerate("accepts UUIDs of version 1", accepting(transfer, under(idempotency, `^.{14}1`), freshKey)),
	tolerate("takes an x-idempotency-key in another case for another key", misreading(transfer, under(idempotency, `[A-F]`), freshKey)),
	tolerate("rejects an x-idempotency-key in upper case", refusing(transfer, under(idempotency, `[A-F]`), 400, "")),
	tolerate("returns 422 for an x-idempotency-key in upper case", refusing(transfer, under(idempotency, `[A-F]`), 422, "")),
	tolerate("returns 422 for an invalid priority, document, expiration or ispbDeny of a transfer", answering(transfer, all(was(400), either(
		outside("priority", "HIGH", "NORM"), all(sent("priority", `"HIGH"`), unsent("creditorDocument")), all(sent("creditorDocument"), not(matching("creditorDocument", `^(\d{11}|\d{14})$`))),
		below("expiration", "1"), above("expiration", "10800"), kind("ispbDeny", "text", "object"))), status(422))),
	tolerate("returns 422 for a transfer of 0.00", answering(transfer, all(was(400), below("payment.amount", "0.01")), status(422))),
	tolerate("accepts the expiration of a transfer in quotes", accepting(transfer, kind("expiration", "quoted"), unquoted("expiration"))),
	tolerate("accepts numbers as ISPBs", accepting(transfer, kind("ispbDeny[]", "number"), drop("ispbDeny"))),
	tolerate("requires a priority or a document in each transfer", refusing(transfer, all(unsent("priority"), unsent("creditorDocument")), 400, "")),
	tolerate("requires a currency", refusing(transfer, unsent("payment.currency"), 400, "")),
	tolerate("accepts dollars", misreading(transfer, outside("payment.currency", "BRL"), set("payment.currency", `"BRL"`))),
	tolerate("returns 422 for dollars", refusing(transfer, outside("payment.currency", "BRL"), 422, "")),
	tolerate("returns additional fields of a transfer", answering(transfer, accepted, set("status", `"PROCESSING"`), set("payment.currency", `"BRL"`))),
	tolerate("does not return the currency of a transfer", answering(transfer, accepted, drop("payment.currency"))),
	tolerate("sends no event for a failed transfer", ignoring(event, all(sent("type", `"TRANSFER"`), sent("data.status", `"ERROR"`)))),
	tolerate("sends status REJECTED for a failed transfer", sending(all(sent("type", `"TRANSFER"`), sent("data.status", `"ERROR"`)), set("data.status", `"REJECTED"`))),
	tolerate("sends a txId for a transfer", sending(sent("type", `"TRANSFER"`), set("data.txId", `"7d9f03358dcc40549bf90dbd61d36906"`))),

	tolerate("returns CONFIRMED for a new QR cash-out", answering(qrCashOut, accepted, set("status", `"CONFIRMED"`))),
	tolerate("returns HTTP_ERROR for every invalid QR cash-out", answering(qrCashOut, refusedAs(pix.CodeInvalidQRCode, pix.CodeQRCodeMismatch), asValidation...)),
	tolerate("returns no errorCode next to the codes of a QR Code", answering(qrCashOut, refusedAs(pix.CodeInvalidQRCode, pix.CodeQRCodeMismatch), drop("errorCode"))),
	tolerate("uses its own code for a value other than the code's", answering(qrCashOut, mismatched, code("QR_AMOUNT_MISMATCH"))),
	tolerate("uses its own code for a QR cash-out above the balance", answering(qrCashOut, insufficient, code("INSUFFICIENT_FUNDS"))),
	tolerate("returns HTTP_ERROR for a repeated QR cash-out", answering(qrCashOut, was(409), code(api.HTTPError), drop("errorCode"), drop("details"))),
	tolerate("omits details for a repeated QR cash-out", answering(qrCashOut, was(409), set("details", `null`))),
	tolerate("rejects a code of 50 characters", refusing(qrCashOut, matching("qrCode", `^.{50}$`), 400, api.HTTPError)),
	tolerate("accepts the value of a QR cash-out in quotes", accepting(qrCashOut, kind("value", "quoted"), unquoted("value"))),
	tolerate("accepts a number as the externalId of a QR cash-out", accepting(qrCashOut, kind("externalId", "number"), fresh("externalId"))),
	tolerate("rejects a long description of a QR cash-out", refusing(qrCashOut, longer("description", api.MostDescription), 400, api.HTTPError)),
	tolerate("accepts any X-Sandbox-Scenario of a QR cash-out and of a cash-in", misreading(group{qrCashOut, cashIn}, not(knownScenario), withoutHeaders(`^X-Sandbox`))),
	tolerate("rejects the code of the payer's own charge", refusingUnderToken(qrCashOut, after(1, cashIn, byTheSame, taken, withItsCode), 400, api.HTTPError)),
	tolerate("shares externalIds between operations", refusingUnderToken(qrCashOut, after(1, cashOut, byTheSame, taken, same("externalId")), 409, api.DuplicateExternalID)),
	tolerate("rejects dynamic codes", refusing(qrCashOut, matching("qrCode", `^000201010212`), 400, api.HTTPError)),
	tolerate("rejects a code with non-ASCII letters", refusing(qrCashOut, nonASCII("qrCode"), 400, api.HTTPError)),
	tolerate("has no limits on QR cash-outs", accepting(qrCashOut, overTransaction, set("value", `0.01`))),
}

// feeAtTheEnd takes the fee of a cash-out when it is settled, or returned, and not when it is sent.
func feeAtTheEnd() fault {
	return booking(`NEW.kind IN ('held', 'returned', 'settled') AND p.kind = 'cash-out' AND p.fee > 0`,
		`CASE NEW.kind WHEN 'held' THEN NEW.delta_available + (SELECT fee FROM payments WHERE id = NEW.payment_id)
			WHEN 'returned' THEN (SELECT amount - fee FROM payments WHERE id = NEW.payment_id) ELSE - (SELECT fee FROM payments WHERE id = NEW.payment_id) END`,
		`NEW.delta_blocked`)
}

// upToDigits refuses amounts of more digits, as a column of a database does.
func upToDigits(n int) func(*call, server) *answer {
	return func(c *call, pass server) *answer {
		if amount := textAt(c.body, "available"); len(amount)-len(".") > n {
			return jsonAnswer(http.StatusUnprocessableEntity, `{"message":"numeric field overflow"}`)
		}
		return pass(c)
	}
}

// anotherTransfer holds for a request under a used key that asks for another amount.
var anotherTransfer = after(1, transfer, byTheSame, taken, sameHeader(idempotency), other("payment.amount"))

// refusingWhatRuns refuses a transfer under a key whose first request has not been
// answered yet.
func refusingWhatRuns(c *call, pass server) *answer {
	running := func(_ *call, then *entry) bool { return then.answer == nil }
	if c.lastBefore(transfer, byTheSame, sameHeader(idempotency), running) != nil {
		return refusal(c, http.StatusConflict, "")
	}
	return pass(c)
}

// toleratedCharges differ in how they make charges.
var toleratedCharges = []row{
	tolerate("returns 200 for a cob", answering(cob, accepted, status(200))),
	tolerate("returns fields of the Central Bank in a cob", answering(cob, accepted, set("pixCopiaECola", `"`+anyCode+`"`), set("loc.criacao", `"2026-03-01T12:00:00Z"`), set("valor.retirada", `null`))),
	tolerate("accepts an expiracao of 0 or less", accepting(cob, below("calendario.expiracao", "1"), set("calendario.expiracao", `1`))),
	tolerate("requires an expiracao", refusing(cob, unsent("calendario.expiracao"), 400, "")),
	tolerate("returns 422 for an expiracao other than an hour", refusing(cob, either(below("calendario.expiracao", "3600"), above("calendario.expiracao", "3600")), 422, "")),
	tolerate("accepts a percentage with a third decimal", accepting(cashIn, anyItem("splits", all(sent("type", `"PERCENTAGE"`), finer("value"))), splitValue)),
	tolerate("limits the lifetime of a cob to less than 68 years", refusing(cob, above("calendario.expiracao", "2147483647"), 400, "")),
	tolerate("accepts expiracao in quotes", accepting(cob, kind("calendario.expiracao", "quoted"), unquoted("calendario.expiracao"))),
	tolerate("accepts a cob of R$ 0.00", accepting(cob, equals("valor.original", "0"), set("valor.original", `"0.01"`))),
	tolerate("requires modalidadeAlteracao", refusing(cob, unsent("valor.modalidadeAlteracao"), 400, "")),
	tolerate("accepts modalidadeAlteracao in quotes", accepting(cob, kind("valor.modalidadeAlteracao", "quoted"), drop("valor.modalidadeAlteracao"))),
	tolerate("accepts a third modalidadeAlteracao", accepting(cob, above("valor.modalidadeAlteracao", "1"), drop("valor.modalidadeAlteracao"))),
	tolerate("lets no payer change the amount", misreading(cob, equals("valor.modalidadeAlteracao", "1"), set("valor.modalidadeAlteracao", `0`))),
	tolerate("requires the name of a debtor", refusing(cob, all(sent("devedor.cpf"), unsent("devedor.nome")), 400, "")),
	tolerate("accepts a debtor with two documents", accepting(cob, all(sent("devedor.cpf"), sent("devedor.cnpj")), drop("devedor.cnpj"))),
	tolerate("rejects wrong check digits of a debtor", refusing(cob, wrongCheckDigits("devedor.cpf"), 400, "")),
	tolerate("shares txids between accounts", refusingUnderToken(cob, after(1, cob, byAnother, taken, samePath), 409, "")),
	tolerate("ignores case in txids", refusingUnderToken(cob, after(1, cob, byTheSame, taken, samePathInAnyCase), 409, "")),
	tolerate("sends no debtor's name in RECEIVE", sending(sent("type", `"RECEIVE"`), set("data.debtorAccount.name", `"B*******"`), set("data.debtorAccount.ispb", `"60701190"`))),
	tolerate("sends other ids in RECEIVE", sending(sent("type", `"RECEIVE"`), set("data.id", `4711`))),

	tolerate("returns 409 for a repeated cash-in", answering(cashIn, duplicate, status(409))),
	tolerate("returns HTTP_ERROR for a repeated cash-in", answering(cashIn, duplicate, code(api.HTTPError), drop("errorCode"))),
	tolerate("frees the externalId of a charge that expired", triggering(`AFTER UPDATE ON accounts`, `NEW.clock_offset - OLD.clock_offset > 39 * 86400000000`,
		`UPDATE payments SET external_id = external_id || '.' || id WHERE account_id = NEW.id AND kind = 'cash-in' AND status = 'PENDING'`)),
	tolerate("returns no details for a repeated cash-in", answering(cashIn, duplicate, drop("details"))),
	tolerate("returns HTTP_ERROR below the provider's minimum", answering(cashIn, refusedAs(api.ExpirationBelowMinimum), set("code", quote(api.HTTPError)), set("errorCode", quote(api.ExpirationBelowMinimum)), set("message", `["transaction.expirationTime is too short"]`))),
	tolerate("has a provider whose charges last a day at least", triggering(`AFTER UPDATE OF minimum_expiration ON accounts`, `NEW.minimum_expiration = 0`,
		`UPDATE accounts SET minimum_expiration = 86400 WHERE id = NEW.id`)),
	tolerate("does not state the provider's minimum", answering(cashIn, refusedAs(api.ExpirationBelowMinimum), drop("details"))),
	tolerate("returns ids in upper case", answering(cashIn, accepted, retold("correlationId", strings.ToUpper))),
	tolerate("returns a null qrCodeImage if none was requested", answering(cashIn, accepted, orNull("qrCodeImage"))),
	tolerate("rejects the failure scenarios of the sandbox for a cash-in", refusing(cashIn, under(scenarioHeader, `^error`), 400, api.HTTPError)),
	tolerate("returns the image as a data URI", answering(cashIn, told("qrCodeImage", `.`), prefixed("qrCodeImage", "data:image/png;base64,"))),
	tolerate("accepts a fraction of a second", accepting(cashIn, decimals("transaction.expirationTime", 1, 99), set("transaction.expirationTime", `60`))),
	tolerate("accepts an expirationTime in quotes", accepting(cashIn, kind("transaction.expirationTime", "quoted"), unquoted("transaction.expirationTime"))),
	tolerate("accepts the value of a cash-in in quotes", accepting(cashIn, kind("transaction.value", "quoted"), unquoted("transaction.value"))),
	tolerate("rejects a zero as third decimal of a cash-in", refusing(cashIn, thirdZero("transaction.value"), 400, api.HTTPError)),
	tolerate("rejects a payer's wrong check digits", refusing(cashIn, wrongCheckDigits("payer.document"), 400, api.HTTPError)),
	tolerate("accepts letters in a CNPJ", accepting(cashIn, matching("payer.document", `[A-Z]`), payer)),
	tolerate("accepts numbers within additionalInfo", accepting(cashIn, kind("additionalInfo[]", "number"), drop("additionalInfo"))),
	tolerate("names the cash_in event PIX_IN", sending(sent("event", `"CashIn"`), set("event", `"PIX_IN"`))),
	tolerate("sends cash_in events in an envelope", sending(sent("event", `"CashIn"`), rewritten(func(b []byte) []byte { return []byte(`{"type":"CASH_IN","data":` + string(b) + `}`) }))),
	tolerate("sends cash_in events with few fields", sending(sent("event", `"CashIn"`), drop("counterpart"), drop("metadata"), drop("errorCode"), drop("errorMessage"), drop("processingDate"))),

	tolerate("requires the phone of a split with +55", refusing(cashIn, anyItem("splits", all(sent("pixKeyType", `"PHONE"`), matching("pixKey", `^\d`))), 400, api.HTTPError)),
	tolerate("requires the phone of a split without +55", refusing(cashIn, anyItem("splits", all(sent("pixKeyType", `"PHONE"`), matching("pixKey", `^\+`))), 400, api.HTTPError)),
	tolerate("checks the key of a split against its type", refusing(cashIn, matching("splits[].pixKey", `^.{255}$`), 400, api.HTTPError)),
	tolerate("accepts any string of 255 characters as a key", accepting(cashIn, matching("splits[].pixKey", `^.{255}$`), splitKey)),
	tolerate("accepts the value of a split in quotes", accepting(cashIn, kind("splits[].value", "quoted"), splitValue)),
	tolerate("accepts a number as the value of a cob", accepting(cob, kind("valor.original", "number"), value10)),
	tolerate("returns the same loc.id for every cob", answering(cob, accepted, set("loc.id", `1`))),
	tolerate("rejects two splits to one key", refusing(cashIn, twoToOneKey, 400, api.HTTPError)),
	tolerate("rejects empty infoAdicionais", refusing(cob, kind("infoAdicionais", "no items"), 400, "")),
	tolerate("rejects a chave of 76 characters or more", refusing(cob, longer("chave", 76), 400, "")),
	tolerate("rejects an empty ispbDeny", refusing(transfer, kind("ispbDeny", "no items"), 400, "")),
	tolerate("rejects a cob of R$ 0.00 with 422", refusing(cob, equals("valor.original", "0"), 422, "")),
	tolerate("rejects a cob that lasts for longer than an hour", refusing(cob, above("calendario.expiracao", "3600"), 400, "")),
	tolerate("rejects an empty list of splits", refusing(cashIn, kind("splits", "no items"), 400, api.HTTPError)),
}

// samePathInAnyCase: the path is as it was then, but for capitals.
func samePathInAnyCase(now *call, then *entry) bool {
	return now.path != then.call.path && strings.EqualFold(now.path, then.call.path)
}

// twoToOneKey holds for splits of which two have the same key.
func twoToOneKey(c *call, _ *answer) bool {
	known := map[string]bool{}
	keys := lookups(c.body, "splits[].pixKey")
	for _, key := range keys {
		known[string(encode(key))] = true
	}
	return len(known) < len(keys)
}

// toleratedRefunds differ in refunds and in what is told of them.
var toleratedRefunds = []row{
	tolerate("returns 200 for a refund", answering(devolution, accepted, status(200))),
	tolerate("returns 202 for a refund", answering(devolution, accepted, status(202))),
	tolerate("returns natureza only if it was sent", answering(devolution, unsent("natureza"), drop("natureza"))),
	tolerate("returns a null natureza if none was sent", answering(devolution, all(accepted, unsent("natureza")), set("natureza", `null`))),
	tolerate("announces each refund, and resends none for 400 ms", both(announcing(devolution, accepted, "refund_in", inProcessing),
		dueLater("refund", 400*time.Millisecond), resendingNoRecentRefund(400*time.Millisecond))),
	tolerate("returns a null motivo", answering(devolution, accepted, orNull("motivo"))),
	tolerate("returns when a refund will be completed", answering(devolution, accepted, set("horario.liquidacao", `null`))),
	tolerate("rejects RETIRADA for a payment without a withdrawal", refusing(devolution, sent("natureza", `"RETIRADA"`), 422, "")),
	tolerate("returns 422 for another natureza", answering(devolution, all(was(400), sent("natureza"), not(sent("natureza", `"ORIGINAL"`))), status(422))),
	tolerate("looks up an end-to-end id of any length", answering(devolution, all(was(400), not(naming("e2eid", `^\w{32}$`))), status(404))),
	tolerate("returns 422 for an id of 36 characters", answering(devolution, all(was(400), naming("id", `^.{36}$`)), status(422))),
	tolerate("returns 422 for a valor of 0.00", answering(devolution, all(was(400), equals("valor", "0")), status(422))),
	tolerate("returns 422 for a long descricao", answering(devolution, all(was(400), longer("descricao", api.MostDescription)), status(422))),
	tolerate("returns 409 for a repeated refund", refusingAnswered(devolution, all(accepted, askedAgain), 409, "")),
	tolerate("returns 400 for a repeated refund", refusingAnswered(devolution, all(accepted, askedAgain), 400, "")),
	tolerate("returns 422 for another refund under a used id", answering(devolution, all(was(400), askedAgain), status(422))),
	tolerate("requires a unique id for every refund", refusingUnderToken(devolution, after(1, devolution, byTheSame, sameParameter("id"), otherParameter("e2eid"), notRefused), 409, "")),
	tolerate("returns 404 for a refund of a cash-in", refusingUnderToken(devolution, all(after(1, cashIn, byTheSame, taken), not(after(1, cob, byTheSame, taken))), 404, "")),
	tolerate("counts failed refunds to the sum", refundedBesides(`AFTER UPDATE OF status`, `NEW.status = 'ERROR'`, `NEW.amount`)),
	tolerate("counts the 89 days from the start of the day of receipt", misreading(clock, advancing(88.5, 89), later(12*time.Hour))),
	tolerate("counts 90 days up to the end of the day", misreading(clock, advancing(90, 90.5), later(-48*time.Hour))),
	tolerate("accepts a number as a valor", accepting(devolution, kind("valor", "number"), quoted("valor"))),
}

// inProcessing is an event of a refund that the bank has not processed yet.
func inProcessing(c *call, a *answer) string {
	return `{"type":"REFUND","data":{"status":"PROCESSING","id":` + string(encode(textAt(a.body, "rtrId"))) + `,"endToEndId":"` + c.parameter("e2eid") + `"}}`
}

// resendingNoRecentRefund rejects the resend of a refund that its account requested so recently: other accounts do not know it.
func resendingNoRecentRefund(recently time.Duration) fault {
	type refund struct{ client, rtrID string }
	var accepted sync.Map // times, by refund
	return both(
		changing(devolution, func(c *call, pass server) *answer {
			a := pass(c)
			if a.succeeded() {
				accepted.LoadOrStore(refund{c.client, textAt(a.body, "rtrId")}, time.Now())
			}
			return a
		}),
		refusing(resend, func(c *call, _ *answer) bool {
			at, known := accepted.Load(refund{c.client, c.parameter(identifier)})
			return known && time.Since(at.(time.Time)) < recently
		}, 409, "REFUND_IN_PROCESSING"))
}
