package mutants

import (
	"net/http"
	"strings"
	"time"
)

// toleratedPayments differ in how they take transfers and payments of QR Codes.
var toleratedPayments = []row{
	tolerate("cannot hold more than 12 digits", changing(funds, upToDigits(12))),
	tolerate("answers a transfer with 201", answering(transfer, accepted, status(201))),
	tolerate("answers a transfer with 202", answering(transfer, accepted, status(202))),
	tolerate("answers a repeated transfer with 201", answering(transfer, all(accepted, replayed), status(201))),
	tolerate("calls a settled transfer PENDING when it is repeated", answering(transfer, told("type", `COMPLETED`), set("type", `"PENDING"`))),
	tolerate("answers a transfer that runs with 409", changing(transfer, refusingWhatRuns)),
	tolerate("refuses another transfer under a used key with 422", refusing(transfer, anotherTransfer, 422, "")),
	tolerate("refuses another transfer under a used key with 409", refusing(transfer, anotherTransfer, 409, "")),
	tolerate("refuses another transfer under a used key with 400", refusing(transfer, anotherTransfer, 400, "")),
	tolerate("has x-idempotency-key to itself across accounts", refusing(transfer, after(1, transfer, byAnother, taken, sameHeader(idempotency)), 409, "")),
	tolerate("answers a malformed x-idempotency-key with 422", answering(transfer, all(was(400), under(idempotency, `.`), not(under(idempotency, uuid4))), status(422))),
	tolerate("takes UUIDs of version 1", accepting(transfer, under(idempotency, `^.{14}1`), freshKey)),
	tolerate("answers a transfer of nothing with 422", answering(transfer, all(was(400), below("payment.amount", "0.01")), status(422))),
	tolerate("takes the expiration of a transfer in quotes", accepting(transfer, kind("expiration", "quoted"), unquoted("expiration"))),
	tolerate("takes numbers for ISPBs", accepting(transfer, kind("ispbDeny[]", "number"), drop("ispbDeny"))),
	tolerate("wants a priority or a document of each transfer", refusing(transfer, all(unsent("priority"), unsent("creditorDocument")), 400, "")),
	tolerate("wants a currency", refusing(transfer, unsent("payment.currency"), 400, "")),
	tolerate("takes dollars", misreading(transfer, outside("payment.currency", "BRL"), set("payment.currency", `"BRL"`))),
	tolerate("refuses dollars with 422", refusing(transfer, outside("payment.currency", "BRL"), 422, "")),
	tolerate("tells more of a transfer", answering(transfer, accepted, set("status", `"PROCESSING"`), set("payment.currency", `"BRL"`))),
	tolerate("has no word of the currency in a transfer", answering(transfer, accepted, drop("payment.currency"))),
	tolerate("sends no word of a transfer that failed", ignoring(event, sent("data.status", `"ERROR"`))),
	tolerate("calls a transfer that failed REJECTED", sending(sent("data.status", `"ERROR"`), set("data.status", `"REJECTED"`))),
	tolerate("has no txId of a transfer", sending(sent("type", `"TRANSFER"`), set("data.txId", `null`))),
	tolerate("tells a txId of a transfer", sending(sent("type", `"TRANSFER"`), set("data.txId", `"7d9f03358dcc40549bf90dbd61d36906"`))),

	tolerate("confirms a QR cash-out in its answer", answering(qrCashOut, accepted, set("status", `"CONFIRMED"`))),
	tolerate("calls whatever is wrong with a QR cash-out HTTP_ERROR", answering(qrCashOut, refusedAs("PIX_INVALID_QR_CODE", "PIX_QR_CODE_VALUE_MISMATCH"), asValidation...)),
	tolerate("has its own code for a value that is not the code's", answering(qrCashOut, mismatched, code("QR_AMOUNT_MISMATCH"))),
	tolerate("has its own code for want of money for a QR Code", answering(qrCashOut, insufficient, code("INSUFFICIENT_FUNDS"))),
	tolerate("calls a replayed QR cash-out HTTP_ERROR", answering(qrCashOut, was(409), code("HTTP_ERROR"), drop("errorCode"), drop("details"))),
	tolerate("has no details of null of a replayed QR cash-out", answering(qrCashOut, was(409), set("details", `null`))),
	tolerate("refuses a code of 50 characters", refusing(qrCashOut, matching("qrCode", `^.{50}$`), 400, "HTTP_ERROR")),
	tolerate("takes the value of a QR cash-out in quotes", accepting(qrCashOut, kind("value", "quoted"), unquoted("value"))),
	tolerate("takes a number for the externalId of a QR cash-out", accepting(qrCashOut, kind("externalId", "number"), fresh("externalId"))),
	tolerate("refuses a long description of a QR cash-out", refusing(qrCashOut, longer("description", 140), 400, "HTTP_ERROR")),
	tolerate("takes any X-Sandbox-Scenario of a QR cash-out and of a cash-in", misreading(group{qrCashOut, cashIn}, not(knownScenario), withoutHeaders(`^X-Sandbox`))),
	tolerate("refuses the code of the payer's own charge", refusing(qrCashOut, after(1, cashIn, byTheSame, taken), 400, "HTTP_ERROR")),
	tolerate("shares externalIds between its operations", refusing(qrCashOut, after(1, cashOut, byTheSame, taken, same("externalId")), 409, "PIX_DUPLICATE_EXTERNAL_ID")),
	tolerate("pays no dynamic code", refusing(qrCashOut, matching("qrCode", `^000201010212`), 400, "HTTP_ERROR")),
	tolerate("does not pay a code beyond ASCII", refusing(qrCashOut, nonASCII("qrCode"), 400, "HTTP_ERROR")),
	tolerate("does not bound cash-outs to a QR Code", accepting(qrCashOut, overTransaction, set("value", `0.01`))),
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
	tolerate("answers a cob with 200", answering(cob, accepted, status(200))),
	tolerate("has fields of the Central Bank in a cob", answering(cob, accepted, set("pixCopiaECola", `"`+anyCode+`"`), set("loc.criacao", `"2026-03-01T12:00:00Z"`), set("valor.retirada", `null`))),
	tolerate("takes an expiracao of 0 or less", accepting(cob, below("calendario.expiracao", "1"), set("calendario.expiracao", `1`))),
	tolerate("wants an expiracao", refusing(cob, unsent("calendario.expiracao"), 400, "")),
	tolerate("lets no cob live for 68 years", refusing(cob, above("calendario.expiracao", "2147483647"), 400, "")),
	tolerate("takes expiracao in quotes", accepting(cob, kind("calendario.expiracao", "quoted"), unquoted("calendario.expiracao"))),
	tolerate("takes a cob of R$ 0.00", accepting(cob, equals("valor.original", "0"), set("valor.original", `"0.01"`))),
	tolerate("wants modalidadeAlteracao", refusing(cob, unsent("valor.modalidadeAlteracao"), 400, "")),
	tolerate("takes modalidadeAlteracao in quotes", accepting(cob, kind("valor.modalidadeAlteracao", "quoted"), drop("valor.modalidadeAlteracao"))),
	tolerate("knows a third modalidadeAlteracao", accepting(cob, above("valor.modalidadeAlteracao", "1"), drop("valor.modalidadeAlteracao"))),
	tolerate("lets no payer change the amount", misreading(cob, equals("valor.modalidadeAlteracao", "1"), set("valor.modalidadeAlteracao", `0`))),
	tolerate("takes a debtor without a name", accepting(cob, unsent("devedor.nome"), set("devedor.nome", `"-"`))),
	tolerate("wants the name of a debtor", refusing(cob, all(sent("devedor.cpf"), unsent("devedor.nome")), 400, "")),
	tolerate("takes a debtor of two documents", accepting(cob, all(sent("devedor.cpf"), sent("devedor.cnpj")), drop("devedor.cnpj"))),
	tolerate("refuses wrong check digits of a debtor", refusing(cob, wrongCheckDigits("devedor.cpf"), 400, "")),
	tolerate("has txids to itself across accounts", refusing(cob, after(1, cob, byAnother, taken, samePath), 409, "")),
	tolerate("takes txids of either case for the same", refusing(cob, after(1, cob, byTheSame, taken, samePathInAnyCase), 409, "")),
	tolerate("keeps the debtor's name to itself in RECEIVE", sending(sent("type", `"RECEIVE"`), set("data.debtorAccount.name", `"B*******"`), set("data.debtorAccount.ispb", `"60701190"`))),
	tolerate("has other ids in RECEIVE", sending(sent("type", `"RECEIVE"`), set("data.id", `4711`))),

	tolerate("answers a replayed cash-in with 409", answering(cashIn, duplicate, status(409))),
	tolerate("calls a replayed cash-in HTTP_ERROR", answering(cashIn, duplicate, code("HTTP_ERROR"), drop("errorCode"))),
	tolerate("gives no details of a replayed cash-in", answering(cashIn, duplicate, drop("details"))),
	tolerate("calls the provider's minimum HTTP_ERROR", answering(cashIn, refusedAs("PROVIDER_EXPIRATION_BELOW_MINIMUM"), set("code", `"HTTP_ERROR"`), set("errorCode", `"PROVIDER_EXPIRATION_BELOW_MINIMUM"`), set("message", `["transaction.expirationTime is too short"]`))),
	tolerate("tells nothing of the provider's minimum", answering(cashIn, refusedAs("PROVIDER_EXPIRATION_BELOW_MINIMUM"), drop("details"))),
	tolerate("writes ids in capitals", answering(cashIn, accepted, retold("correlationId", strings.ToUpper))),
	tolerate("gives the image as a data URI", answering(cashIn, told("qrCodeImage", `.`), prefixed("qrCodeImage", "data:image/png;base64,"))),
	tolerate("takes a fraction of a second", accepting(cashIn, decimals("transaction.expirationTime", 1, 99), set("transaction.expirationTime", `60`))),
	tolerate("takes an expirationTime in quotes", accepting(cashIn, kind("transaction.expirationTime", "quoted"), unquoted("transaction.expirationTime"))),
	tolerate("takes the value of a cash-in in quotes", accepting(cashIn, kind("transaction.value", "quoted"), unquoted("transaction.value"))),
	tolerate("refuses a zero as third decimal of a cash-in", refusing(cashIn, thirdZero("transaction.value"), 400, "HTTP_ERROR")),
	tolerate("refuses a payer's wrong check digits", refusing(cashIn, wrongCheckDigits("payer.document"), 400, "HTTP_ERROR")),
	tolerate("takes letters in a CNPJ", accepting(cashIn, matching("payer.document", `[A-Z]`), payer)),
	tolerate("takes numbers within additionalInfo", accepting(cashIn, kind("additionalInfo[]", "number"), drop("additionalInfo"))),
	tolerate("calls the cash_in event PIX_IN", sending(sent("event", `"CashIn"`), set("event", `"PIX_IN"`))),
	tolerate("sends cash_in events in an envelope", sending(sent("event", `"CashIn"`), rewritten(func(b []byte) []byte { return []byte(`{"type":"CASH_IN","data":` + string(b) + `}`) }))),
	tolerate("sends little of a cash-in", sending(sent("event", `"CashIn"`), drop("counterpart"), drop("metadata"), drop("errorCode"), drop("errorMessage"), drop("processingDate"))),

	tolerate("wants the phone of a split with +55", refusing(cashIn, anyItem("splits", all(sent("pixKeyType", `"PHONE"`), matching("pixKey", `^\d`))), 400, "HTTP_ERROR")),
	tolerate("wants the phone of a split without +55", refusing(cashIn, anyItem("splits", all(sent("pixKeyType", `"PHONE"`), matching("pixKey", `^\+`))), 400, "HTTP_ERROR")),
	tolerate("holds the key of a split against its type", refusing(cashIn, matching("splits[].pixKey", `^.{255}$`), 400, "HTTP_ERROR")),
	tolerate("takes a key of any text of 255 characters", accepting(cashIn, matching("splits[].pixKey", `^.{255}$`), splitKey)),
	tolerate("takes the value of a split in quotes", accepting(cashIn, kind("splits[].value", "quoted"), splitValue)),
	tolerate("gives the last split what rounding leaves", answering(division, told("splits[2].amount", `.`), plus("splits[0].amount", -1), plus("splits[2].amount", 1))),
	tolerate("takes a number for the value of a cob", accepting(cob, kind("valor.original", "number"), value10)),
	tolerate("gives every cob the same loc.id", answering(cob, accepted, set("loc.id", `1`))),
	tolerate("refuses empty infoAdicionais", refusing(cob, kind("infoAdicionais", "no items"), 400, "")),
	tolerate("takes the keys of a cob from 76 characters on for none", refusing(cob, longer("chave", 76), 400, "")),
	tolerate("wants a split where there are splits", refusing(cashIn, kind("splits", "no items"), 400, "HTTP_ERROR")),
}

// samePathInAnyCase: the path is as it was then, but for capitals.
func samePathInAnyCase(now *call, then *entry) bool {
	return now.path != then.call.path && strings.EqualFold(now.path, then.call.path)
}

// toleratedRefunds differ in refunds and in what is told of them.
var toleratedRefunds = []row{
	tolerate("answers a refund with 200", answering(devolution, accepted, status(200))),
	tolerate("answers a refund with 202", answering(devolution, accepted, status(202))),
	tolerate("tells no natureza that was not asked for", answering(devolution, unsent("natureza"), drop("natureza"))),
	tolerate("has a motivo of null", answering(devolution, accepted, orNull("motivo"))),
	tolerate("tells when a refund will be carried out", answering(devolution, accepted, set("horario.liquidacao", `null`))),
	tolerate("refuses RETIRADA of a payment without a withdrawal", refusing(devolution, sent("natureza", `"RETIRADA"`), 422, "")),
	tolerate("answers another natureza with 422", answering(devolution, all(was(400), sent("natureza")), status(422))),
	tolerate("looks for an end-to-end id of any length", answering(devolution, all(was(400), not(naming("e2eid", `^\w{32}$`))), status(404))),
	tolerate("answers an id of 36 characters with 422", answering(devolution, all(was(400), naming("id", `^.{36}$`)), status(422))),
	tolerate("answers a valor of nothing with 422", answering(devolution, all(was(400), equals("valor", "0")), status(422))),
	tolerate("answers a long descricao with 422", answering(devolution, all(was(400), longer("descricao", 140)), status(422))),
	tolerate("answers a repeated refund with 409", refusing(devolution, askedAgain, 409, "")),
	tolerate("answers a repeated refund with 400", refusing(devolution, askedAgain, 400, "")),
	tolerate("answers another refund under a used id with 422", answering(devolution, all(was(400), askedAgain), status(422))),
	tolerate("wants an id of its own for each refund", refusing(devolution, after(1, devolution, byTheSame, sameParameter("id"), otherParameter("e2eid")), 409, "")),
	tolerate("finds no refundable payment of a cash-in", refusing(devolution, after(1, cashIn, byTheSame, taken), 404, "")),
	tolerate("keeps the part of a refund that failed", refusing(devolution, all(allOfIt, refundedBefore), 400, "")),
	tolerate("counts 89 days from the day of receipt", misreading(clock, advancing(88.5, 89), later(12*time.Hour))),
	tolerate("counts 90 days to the end of the day", misreading(clock, advancing(90, 90.5), later(-48*time.Hour))),
	tolerate("takes a number for a valor", accepting(devolution, kind("valor", "number"), quoted("valor"))),
}
