package mutants

import (
	"strings"
	"time"
)

var refundMutants = []row{
	{"answers a refund with 204", "refund.accepted", answering(devolution, accepted, status(204), body(""))},
	{"gives a refund an id of its own", "refund.accepted", answering(devolution, accepted, fresh("id"))},
	{"gives a refund no rtrId", "refund.accepted", answering(devolution, accepted, drop("rtrId"))},
	{"gives a rtrId of 31 characters", "refund.accepted", answering(devolution, accepted, cut("rtrId", 31))},
	{"tells what is refunded as a number", "refund.accepted", answering(devolution, accepted, unquoted("valor"))},
	{"tells what is refunded with one decimal", "refund.accepted", answering(devolution, accepted, cut("valor", 3))},
	{"does not tell the nature of a refund", "refund.accepted", answering(devolution, accepted, drop("natureza"))},
	{"does not repeat the descricao", "refund.accepted", answering(devolution, accepted, drop("descricao"))},
	{"has one time and no horario", "refund.accepted", answering(devolution, accepted, set("horario", `"2026-03-01T12:00:00Z"`))},
	{"labels the solicitacao in São Paulo Z", "refund.accepted", answering(devolution, accepted, stamped(mislabelled, saoPaulo))},
	{"calls a refund DEVOLVIDO at once", "refund.accepted", answering(devolution, accepted, set("status", `"DEVOLVIDO"`))},
	{"tells the motivo as a number", "refund.accepted", answering(devolution, accepted, set("motivo", `1`))},
	{"gives every refund the rtrId of the first", "refund.accepted", answering(devolution, accepted, set("rtrId", `"D1234567820260301120012345678901"`))},

	{"wants a natureza", "refund.natureza", refusing(devolution, unsent("natureza"), 400, "")},
	{"takes a refund for a withdrawal", "refund.natureza", answering(devolution, unsent("natureza"), set("natureza", `"RETIRADA"`))},
	{"refuses ORIGINAL", "refund.natureza", refusing(devolution, sent("natureza", `"ORIGINAL"`), 400, "")},
	{"answers ORIGINAL in small letters", "refund.natureza", answering(devolution, sent("natureza", `"ORIGINAL"`), set("natureza", `"original"`))},
	{"answers RETIRADA with 404", "refund.natureza", refusing(devolution, sent("natureza", `"RETIRADA"`), 404, "")},
	{"takes MED_OPERACIONAL", "refund.natureza", accepting(devolution, sent("natureza", `"MED_OPERACIONAL"`), drop("natureza"))},
	{"takes MED_FRAUDE", "refund.natureza", accepting(devolution, sent("natureza", `"MED_FRAUDE"`), drop("natureza"))},
	{"takes an unknown natureza", "refund.natureza", accepting(devolution, outside("natureza", "ORIGINAL", "RETIRADA", "MED_OPERACIONAL", "MED_FRAUDE", ""), drop("natureza"))},
	{"takes an empty natureza", "refund.natureza", accepting(devolution, kind("natureza", "blank"), drop("natureza"))},
	{"takes an object for a natureza", "refund.natureza", accepting(devolution, kind("natureza", "object"), drop("natureza"))},

	{"takes an end-to-end id of 31 characters", "refund.e2eid", pretending(devolution, naming("e2eid", `^.{31}$`))},
	{"takes an end-to-end id of 33 characters", "refund.e2eid", accepting(devolution, naming("e2eid", `^.{33}$`), renamed(devolution, "e2eid", func(s string) string { return s[:min(32, len(s))] }))},
	{"takes an end-to-end id with a hyphen", "refund.e2eid", pretending(devolution, naming("e2eid", `-`))},
	{"refunds an unknown payment", "refund.e2eid", pretending(devolution, all(was(404), after(1, cob, byTheSame, taken)))},
	{"answers an unknown payment with 400", "refund.e2eid", answering(devolution, was(404), status(400))},
	{"answers an unknown payment without a reason phrase", "refund.e2eid", answering(devolution, was(404), drop("error"))},
	{"refunds what it has sent", "refund.e2eid", pretending(devolution, all(was(404), after(1, cashOut, byTheSame, taken)))},
	{"answers the refund of a payment sent with 422", "refund.e2eid", answering(devolution, all(was(404), after(1, cashOut, byTheSame, taken)), status(422))},
	{"refunds what another account was paid", "refund.e2eid", lending(devolution, refused)},
	{"answers the refund of another's payment with 401", "refund.e2eid", answering(devolution, all(was(404), not(after(1, cob, byTheSame))), status(401))},

	{"refuses an id of one character", "refund.id", refusing(devolution, naming("id", `^.$`), 400, "")},
	{"refuses an id of 35 characters", "refund.id", refusing(devolution, naming("id", `^.{35}$`), 400, "")},
	{"cuts the id of a refund", "refund.id", answering(devolution, accepted, cut("id", 34))},
	{"writes the id of a refund in small letters", "refund.id", answering(devolution, naming("id", `[A-Z]`), retold("id", strings.ToLower))},
	{"takes an id of 36 characters", "refund.id", accepting(devolution, naming("id", `^.{36}$`), renamed(devolution, "id", func(s string) string { return s[:min(35, len(s))] }))},

	{"gives back although it refuses the valor", "refund.valor", despite(devolution, all(was(400), sent("valor")), set("valor", `"0.01"`))},
	{"takes whole reais", "refund.valor", accepting(devolution, all(kind("valor", "quoted"), decimals("valor", 0, 0)), plus("valor", 0))},
	{"takes one decimal", "refund.valor", accepting(devolution, all(kind("valor", "quoted"), decimals("valor", 1, 1)), plus("valor", 0))},
	{"takes three decimals", "refund.valor", accepting(devolution, all(kind("valor", "quoted"), decimals("valor", 3, 99)), plus("valor", 0))},
	{"takes a decimal comma", "refund.valor", accepting(devolution, matching("valor", `,`), replaced("valor", ",", "."))},
	{"takes a word for nothing", "refund.valor", pretending(devolution, kind("valor", "word"))},
	{"takes an empty valor for a centavo", "refund.valor", accepting(devolution, kind("valor", "blank"), set("valor", `"0.01"`))},
	{"takes a negative valor", "refund.valor", accepting(devolution, below("valor", "0"), times("valor", -1, 1))},
	{"refunds a centavo where no valor is given", "refund.valor", accepting(devolution, unsent("valor"), set("valor", `"0.01"`))},
	{"refunds a centavo where valor is null", "refund.valor", accepting(devolution, kind("valor", "null"), set("valor", `"0.01"`))},
	{"refunds nothing", "refund.valor", pretending(devolution, equals("valor", "0"))},
	{"answers an invalid valor with 422", "refund.valor", answering(devolution, was(400), status(422))},
	{"breaks down over an invalid valor", "refund.valor", answering(devolution, was(400), status(500))},

	{"wants a descricao", "refund.descricao", refusing(devolution, unsent("descricao"), 400, "")},
	{"refuses a descricao of 140 characters", "refund.descricao", refusing(devolution, longer("descricao", 139), 400, "")},
	{"takes a descricao of any length", "refund.descricao", accepting(devolution, longer("descricao", 140), cut("descricao", 140))},
	{"takes an object for a descricao", "refund.descricao", accepting(devolution, kind("descricao", "object"), drop("descricao"))},

	{"never refunds all of a payment", "refund.sum", refusing(devolution, allOfIt, 400, "")},
	{"refunds one payment once", "refund.sum", refusing(devolution, refundedBefore, 400, "")},
	{"refunds a centavo more than was paid", "refund.sum", accepting(devolution, not(refundedBefore), plus("valor", -1))},
	{"forgets earlier refunds", "refund.sum", pretending(devolution, refundedBefore)},
	{"forgets earlier refunds", "refund.sum", sometimes(EveryThird, pretending(devolution, refundedBefore))},
	{"lets parts be a centavo too much", "refund.sum", accepting(devolution, refundedBefore, plus("valor", -1))},
	{"adds up four refunds of a payment at most", "refund.sum", pretending(devolution, after(4, devolution, taken, sameParameter("e2eid")))},
	{"lets refunds at once go together beyond the payment", "refund.sum", pretending(devolution, concurrent)},
	{"lets refunds at once go together beyond the payment", "refund.sum", sometimes(EverySecond, pretending(devolution, concurrent))},
	{"answers refunds at once with 409", "refund.sum", answering(devolution, all(refused, concurrent), status(409))},
	{"answers a valor beyond the payment with 422", "refund.sum", answering(devolution, was(400), status(422))},

	{"takes a repeated refund for another", "refund.same-id", misreading(devolution, askedAgain, renamed(devolution, "id", func(s string) string { return s + "2" }))},
	{"takes another refund besides a repeated one", "refund.same-id", doubling(devolution, askedAgain, renamed(devolution, "id", func(s string) string { return s + "2" }))},
	{"gives a repeated refund another rtrId", "refund.same-id", answering(devolution, all(accepted, askedAgain), fresh("rtrId"))},
	{"answers a repeated refund with 404", "refund.same-id", refusing(devolution, askedAgain, 404, "")},
	{"breaks down over a refund that is repeated at once", "refund.same-id", refusing(devolution, all(askedAgain, concurrent), 500, "")},
	{"blocks a payment once a refund is repeated", "refund.same-id", refusing(devolution, all(not(askedAgain), after(2, devolution, sameParameter("e2eid"))), 400, "")},

	{"counts 85 days", "refund.deadline", misreading(clock, always, later(4*24*time.Hour))},
	{"counts 93 days", "refund.deadline", misreading(clock, after(1, payment, byTheSame), later(-4*24*time.Hour))},
	{"refunds for ever", "refund.deadline", pretending(devolution, was(422))},
	{"answers a refund that is late with 400", "refund.deadline", answering(devolution, was(422), status(400))},
	{"answers a refund that is late without a reason phrase", "refund.deadline", answering(devolution, was(422), drop("error"))},
	{"breaks down over a refund that is late", "refund.deadline", answering(devolution, was(422), status(500))},
	{"breaks down over a refund in the last days", "refund.deadline", answering(devolution, accepted, status(500))},

	{"cannot tell how to refund what a cash-in brought", "refund.cash-in", refusing(devolution, after(1, cashIn, byTheSame), 500, "")},

	{"breaks down over a refund of more than is available", "refund.left-open", refusing(devolution, spending("valor", 1, 1000), 500, "")},
	{"answers another refund under a used id with 404", "refund.left-open", refusing(devolution, after(1, devolution, samePath, other("valor")), 404, "")},
	{"answers a used id of another payment with 500", "refund.left-open", refusing(devolution, after(1, devolution, byTheSame, sameParameter("id"), otherParameter("e2eid")), 500, "")},
	{"refuses a refund of a part", "refund.left-open", refusing(devolution, not(allOfIt), 400, "")},

	{"tells of a refund in processing alone", "refund.done", sending(refundEvent, set("data.status", `"PROCESSING"`))},
	{"never carries a refund out", "refund.done", ignoring(refundResult, always)},
	{"keeps a refund EM_PROCESSAMENTO", "refund.done", answering(refundShown, returned, set("status", `"EM_PROCESSAMENTO"`))},
	{"calls a refund that succeeded LIQUIDADO", "refund.done", answering(refundShown, returned, set("status", `"LIQUIDADO"`))},
	{"sends no word of a refund", "refund.done", ignoring(event, refundEvent)},
	{"lets a refund fail that has succeeded", "refund.done", answering(refundShown, all(returned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"NAO_REALIZADO"`)))), set("status", `"NAO_REALIZADO"`))},
	{"gives the money of a refund back that has succeeded", "refund.done", leaving(refundResult, was(409), windfall)},

	{"keeps a refund that failed EM_PROCESSAMENTO", "refund.failed", answering(refundShown, notReturned, set("status", `"EM_PROCESSAMENTO"`))},
	{"carries out a refund that fails", "refund.failed", misreading(refundResult, always, set("status", `"DEVOLVIDO"`))},
	{"reports a refund that failed as REFUNDED", "refund.failed", both(
		misreading(refundResult, always, set("status", `"DEVOLVIDO"`)), answering(refundShown, returned, set("status", `"NAO_REALIZADO"`)))},
	{"lets a refund succeed that has failed", "refund.failed", answering(refundShown, all(notReturned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"DEVOLVIDO"`)))), set("status", `"DEVOLVIDO"`))},
	{"breaks down over a refund after one that failed", "refund.failed", refusing(devolution, refundedBefore, 500, "")},

	{"credits the account with what it gives back", "refund.money", leaving(refundResult, sent("status", `"DEVOLVIDO"`), windfall)},
}

var (
	refundEvent = sent("type", `"REFUND"`)
	returned    = told("status", `DEVOLVIDO`)
	notReturned = told("status", `NAO_REALIZADO`)

	// refundedBefore holds for a payment of which a refund was taken, askedAgain for a
	// refund that was asked for already.
	refundedBefore = after(1, devolution, taken, sameParameter("e2eid"))
	askedAgain     = after(1, devolution, byTheSame, samePath)

	// allOfIt holds for a refund of as much as the account last asked for with a cob.
	allOfIt = asMuchAs("valor", cob, "valor.original")
)
