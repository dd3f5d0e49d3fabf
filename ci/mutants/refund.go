package mutants

import (
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var refundMutants = []row{
	{"requires a descricao next to ORIGINAL", "refund.shapes", refusing(devolution, all(sent("natureza"), lacking("descricao")), 400, "")},
	{"requires a natureza next to a descricao", "refund.shapes", refusing(devolution, all(sent("descricao"), lacking("natureza")), 400, "")},

	{"returns 204 for a refund", "refund.accepted", answering(devolution, accepted, status(204), body(""))},
	{"returns a refund with another id", "refund.accepted", answering(devolution, accepted, fresh("id"))},
	{"returns a refund without an rtrId", "refund.accepted", answering(devolution, accepted, drop("rtrId"))},
	{"returns an rtrId of 31 characters", "refund.accepted", answering(devolution, accepted, cut("rtrId", 31))},
	{"returns valor as a number", "refund.accepted", answering(devolution, accepted, unquoted("valor"))},
	{"returns valor with one decimal", "refund.accepted", answering(devolution, accepted, cut("valor", 3))},
	{"does not return the natureza", "refund.accepted", answering(devolution, accepted, drop("natureza"))},
	{"does not echo the descricao", "refund.accepted", answering(devolution, accepted, drop("descricao"))},
	{"returns a single time as horario", "refund.accepted", answering(devolution, accepted, set("horario", `"2026-03-01T12:00:00Z"`))},
	{"labels São Paulo time as UTC in horario.solicitacao", "refund.accepted", answering(devolution, accepted, stamped(mislabelled, saoPaulo))},
	{"returns DEVOLVIDO for a new refund", "refund.accepted", answering(devolution, accepted, set("status", `"DEVOLVIDO"`))},
	{"returns the motivo as a number", "refund.accepted", answering(devolution, accepted, set("motivo", `1`))},
	{"returns the first rtrId for every refund", "refund.accepted", answering(devolution, accepted, set("rtrId", `"D1234567820260301120012345678901"`))},

	{"requires a natureza", "refund.natureza", refusing(devolution, unsent("natureza"), 400, "")},
	{"returns RETIRADA for an ordinary refund", "refund.natureza", answering(devolution, unsent("natureza"), set("natureza", `"RETIRADA"`))},
	{"rejects ORIGINAL", "refund.natureza", refusing(devolution, sent("natureza", `"ORIGINAL"`), 400, "")},
	{"returns ORIGINAL in lower case", "refund.natureza", answering(devolution, sent("natureza", `"ORIGINAL"`), set("natureza", `"original"`))},
	{"returns 404 for RETIRADA", "refund.natureza", refusing(devolution, sent("natureza", `"RETIRADA"`), 404, "")},
	{"accepts MED_OPERACIONAL", "refund.natureza", accepting(devolution, sent("natureza", `"MED_OPERACIONAL"`), drop("natureza"))},
	{"accepts MED_FRAUDE", "refund.natureza", accepting(devolution, sent("natureza", `"MED_FRAUDE"`), drop("natureza"))},
	{"accepts an unknown natureza", "refund.natureza", accepting(devolution, outside("natureza", "ORIGINAL", "RETIRADA", "MED_OPERACIONAL", "MED_FRAUDE", ""), drop("natureza"))},
	{"accepts an empty natureza", "refund.natureza", accepting(devolution, kind("natureza", "blank"), drop("natureza"))},
	{"accepts an object as a natureza", "refund.natureza", accepting(devolution, kind("natureza", "object"), drop("natureza"))},

	{"accepts an end-to-end id of 31 characters", "refund.e2eid", pretending(devolution, naming("e2eid", `^.{31}$`))},
	{"accepts an end-to-end id of 33 characters", "refund.e2eid", accepting(devolution, naming("e2eid", `^.{33}$`), renamed(devolution, "e2eid", func(s string) string { return s[:min(32, len(s))] }))},
	{"accepts an end-to-end id with a hyphen", "refund.e2eid", pretending(devolution, naming("e2eid", `-`))},
	{"refunds an unknown payment", "refund.e2eid", pretending(devolution, all(was(404), after(1, cob, byTheSame, taken)))},
	{"returns 400 for an unknown payment", "refund.e2eid", answering(devolution, was(404), status(400))},
	{"rejects an unknown payment without a reason phrase", "refund.e2eid", answering(devolution, was(404), drop("error"))},
	{"refunds a payment that the account sent", "refund.e2eid", pretending(devolution, all(was(404), after(1, cashOut, byTheSame, taken)))},
	{"returns 422 for a refund of a sent payment", "refund.e2eid", answering(devolution, all(was(404), after(1, cashOut, byTheSame, taken)), status(422))},
	{"refunds a payment that another account received", "refund.e2eid", lending(devolution, refused)},
	{"returns 401 for a refund of another account's payment", "refund.e2eid", answering(devolution, all(was(404), not(after(1, cob, byTheSame))), status(401))},

	{"rejects an id of one character", "refund.id", refusing(devolution, naming("id", `^.$`), 400, "")},
	{"rejects an id of 35 characters", "refund.id", refusing(devolution, naming("id", `^.{35}$`), 400, "")},
	{"truncates the id of a refund", "refund.id", answering(devolution, accepted, cut("id", 34))},
	{"returns the id of a refund in lower case", "refund.id", answering(devolution, naming("id", `[A-Z]`), retold("id", strings.ToLower))},
	{"accepts an id of 36 characters", "refund.id", accepting(devolution, naming("id", `^.{36}$`), renamed(devolution, "id", func(s string) string { return s[:min(35, len(s))] }))},

	{"rejects an invalid valor but refunds it", "refund.valor", despite(devolution, all(was(400), sent("valor")), set("valor", `"0.01"`))},
	{"accepts a valor without decimals", "refund.valor", accepting(devolution, all(kind("valor", "quoted"), decimals("valor", 0, 0)), plus("valor", 0))},
	{"accepts a valor with one decimal", "refund.valor", accepting(devolution, all(kind("valor", "quoted"), decimals("valor", 1, 1)), plus("valor", 0))},
	{"accepts a valor with three decimals", "refund.valor", accepting(devolution, all(kind("valor", "quoted"), decimals("valor", 3, 99)), plus("valor", 0))},
	{"accepts a valor with a decimal comma", "refund.valor", accepting(devolution, matching("valor", `,`), replaced("valor", ",", "."))},
	{"accepts an empty valor as one centavo", "refund.valor", accepting(devolution, kind("valor", "blank"), set("valor", `"0.01"`))},
	{"accepts a negative valor", "refund.valor", accepting(devolution, below("valor", "0"), times("valor", -1, 1))},
	{"refunds a centavo if valor is absent", "refund.valor", accepting(devolution, unsent("valor"), set("valor", `"0.01"`))},
	{"refunds a centavo if valor is null", "refund.valor", accepting(devolution, kind("valor", "null"), set("valor", `"0.01"`))},
	{"accepts a refund of 0.00", "refund.valor", pretending(devolution, equals("valor", "0"))},
	{"returns 422 for an invalid valor", "refund.valor", answering(devolution, was(400), status(422))},
	{"returns 500 for an invalid valor", "refund.valor", answering(devolution, was(400), status(500))},

	{"requires a descricao", "refund.descricao", refusing(devolution, unsent("descricao"), 400, "")},
	{"rejects a descricao of 140 characters", "refund.descricao", refusing(devolution, longer("descricao", api.MostDescription-1), 400, "")},
	{"accepts a descricao of any length", "refund.descricao", accepting(devolution, longer("descricao", api.MostDescription), cut("descricao", api.MostDescription))},
	{"accepts an object as a descricao", "refund.descricao", accepting(devolution, kind("descricao", "object"), drop("descricao"))},

	{"rejects a full refund", "refund.sum", refusing(devolution, allOfIt, 400, "")},
	{"accepts only one refund per payment", "refund.sum", refusing(devolution, refundedBefore, 400, "")},
	{"refunds a centavo more than was paid", "refund.sum", accepting(devolution, not(refundedBefore), plus("valor", -1))},
	{"ignores earlier refunds", "refund.sum", pretending(devolution, refundedBefore)},
	{"ignores earlier refunds", "refund.sum", sometimes(EveryThird, pretending(devolution, refundedBefore))},
	{"lets several refunds exceed the payment by a centavo", "refund.sum", accepting(devolution, refundedBefore, plus("valor", -1))},
	{"adds up at most four refunds of a payment", "refund.sum", pretending(devolution, after(4, devolution, taken, sameParameter("e2eid")))},
	{"lets concurrent refunds exceed the payment", "refund.sum", pretending(devolution, concurrent)},
	{"lets concurrent refunds exceed the payment", "refund.sum", sometimes(EverySecond, pretending(devolution, concurrent))},
	{"returns 409 for concurrent refunds", "refund.sum", answering(devolution, all(refused, concurrent), status(409))},
	{"returns 422 for a valor above the payment", "refund.sum", answering(devolution, was(400), status(422))},

	{"treats a repeated refund as a new one", "refund.same-id", misreading(devolution, askedAgain, renamed(devolution, "id", func(s string) string { return s + "2" }))},
	{"refunds a repeated refund again", "refund.same-id", doubling(devolution, askedAgain, renamed(devolution, "id", func(s string) string { return s + "2" }))},
	{"returns another rtrId for a repeated refund", "refund.same-id", answering(devolution, all(accepted, askedAgain), fresh("rtrId"))},
	{"returns 404 for a repeated refund", "refund.same-id", refusing(devolution, askedAgain, 404, "")},
	{"returns 500 for concurrent repeats of a refund", "refund.same-id", refusing(devolution, all(askedAgain, concurrent), 500, "")},
	{"rejects further refunds after a repeated one", "refund.same-id", refusing(devolution, all(not(askedAgain), after(2, devolution, sameParameter("e2eid"))), 400, "")},

	{"accepts refunds only up to 85 days", "refund.deadline", misreading(clock, always, later(4*24*time.Hour))},
	{"accepts refunds up to 93 days", "refund.deadline", misreading(clock, after(1, payment, byTheSame), later(-4*24*time.Hour))},
	{"returns 400 for a late refund", "refund.deadline", answering(devolution, was(422), status(400))},
	{"rejects a late refund without a reason phrase", "refund.deadline", answering(devolution, was(422), drop("error"))},
	{"returns 500 for a late refund", "refund.deadline", answering(devolution, was(422), status(500))},
	{"returns 500 for a refund in the last days", "refund.deadline", answering(devolution, accepted, status(500))},

	{"returns 500 for a refund of a cash-in", "refund.cash-in", refusing(devolution, after(1, cashIn, byTheSame), 500, "")},

	{"returns 500 for a refund of more than is available", "refund.left-open", refusing(devolution, spending("valor", 1, 1000), 500, "")},
	{"returns 404 for another refund under a used id", "refund.left-open", refusing(devolution, after(1, devolution, samePath, other("valor")), 404, "")},
	{"returns 500 for a refund id used for another payment", "refund.left-open", refusing(devolution, after(1, devolution, byTheSame, sameParameter("id"), otherParameter("e2eid")), 500, "")},
	{"rejects a partial refund", "refund.left-open", refusing(devolution, not(allOfIt), 400, "")},

	{"reports a refund in processing as REFUNDED", "refund.done", sending(refundEvent, set("data.status", `"PROCESSING"`))},
	{"never completes a refund", "refund.done", ignoring(refundResult, always)},
	{"leaves a successful refund EM_PROCESSAMENTO", "refund.done", answering(refundShown, returned, set("status", `"EM_PROCESSAMENTO"`))},
	{"returns LIQUIDADO for a successful refund", "refund.done", answering(refundShown, returned, set("status", `"LIQUIDADO"`))},
	{"sends no event for a refund", "refund.done", ignoring(event, refundEvent)},

	{"leaves a failed refund EM_PROCESSAMENTO", "refund.failed", answering(refundShown, notReturned, set("status", `"EM_PROCESSAMENTO"`))},
	{"completes a refund that the bank rejects", "refund.failed", misreading(refundResult, always, set("status", `"DEVOLVIDO"`))},
	{"reports a failed refund as REFUNDED", "refund.failed", both(
		misreading(refundResult, always, set("status", `"DEVOLVIDO"`)), answering(refundShown, returned, set("status", `"NAO_REALIZADO"`)))},
	{"returns 500 for a refund after a failed one", "refund.failed", refusing(devolution, refundedBefore, 500, "")},

	{"credits the amount of a refund instead of debiting it", "refund.money", leaving(refundResult, sent("status", `"DEVOLVIDO"`), windfall)},
}

var (
	refundEvent = sent("type", `"REFUND"`)
	returned    = told("status", `DEVOLVIDO`)
	notReturned = told("status", `NAO_REALIZADO`)

	// refundedBefore holds for a payment of which a refund was taken, askedAgain for a
	// refund that was asked for already.
	refundedBefore = after(1, devolution, taken, sameParameter("e2eid"))
	askedAgain     = after(1, devolution, byTheSame, samePath, notRefused)

	// allOfIt holds for a refund of as much as the account last asked for with a cob.
	allOfIt = asMuchAs("valor", cob, "valor.original")
)
