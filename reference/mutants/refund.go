package mutants

import "time"

var refundMutants = []Mutant{
	{"answers a refund with 204", "refund.accepted", answering(devolution, accepted, status(204), body(""))},
	{"gives a refund an id of its own", "refund.accepted", answering(devolution, accepted, fresh("id"))},
	{"gives a refund no rtrId", "refund.accepted", answering(devolution, accepted, drop("rtrId"))},
	{"gives a rtrId of 31 characters", "refund.accepted", answering(devolution, accepted, cut("rtrId", 31))},
	{"tells what is refunded as a number", "refund.accepted", answering(devolution, accepted, set("valor", `1.00`))},
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
	{"takes an unknown natureza", "refund.natureza", accepting(devolution, sent("natureza", `"X"`), drop("natureza"))},
	{"takes an empty natureza", "refund.natureza", accepting(devolution, sent("natureza", `""`), drop("natureza"))},
	{"takes an object for a natureza", "refund.natureza", accepting(devolution, sent("natureza", `{}`), drop("natureza"))},

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
	{"writes the id of a refund in small letters", "refund.id", answering(devolution, naming("id", `^A$`), set("id", `"a"`))},
	{"takes an id of 36 characters", "refund.id", accepting(devolution, naming("id", `^.{36}$`), renamed(devolution, "id", func(s string) string { return s[:min(35, len(s))] }))},

	{"gives back although it refuses the valor", "refund.valor", despite(devolution, all(was(400), sent("valor")), set("valor", `"1.00"`))},
	{"takes whole reais", "refund.valor", accepting(devolution, sent("valor", `"1"`), set("valor", `"1.00"`))},
	{"takes one decimal", "refund.valor", accepting(devolution, sent("valor", `"1.0"`), set("valor", `"1.00"`))},
	{"takes three decimals", "refund.valor", accepting(devolution, sent("valor", `"1.000"`), set("valor", `"1.00"`))},
	{"takes a decimal comma", "refund.valor", accepting(devolution, sent("valor", `"1,00"`), set("valor", `"1.00"`))},
	{"takes a word for nothing", "refund.valor", pretending(devolution, sent("valor", `"abc"`))},
	{"takes an empty valor for all", "refund.valor", accepting(devolution, sent("valor", `""`), set("valor", `"10.00"`))},
	{"takes a negative valor", "refund.valor", accepting(devolution, sent("valor", `"-1.00"`), set("valor", `"1.00"`))},
	{"refunds all where no valor is given", "refund.valor", accepting(devolution, unsent("valor"), set("valor", `"10.00"`))},
	{"refunds all where valor is null", "refund.valor", accepting(devolution, sent("valor", `null`), set("valor", `"10.00"`))},
	{"refunds nothing", "refund.valor", pretending(devolution, sent("valor", `"0.00"`))},
	{"answers an invalid valor with 422", "refund.valor", answering(devolution, was(400), status(422))},
	{"breaks down over an invalid valor", "refund.valor", answering(devolution, was(400), status(500))},

	{"wants a descricao", "refund.descricao", refusing(devolution, unsent("descricao"), 400, "")},
	{"refuses a descricao of 140 characters", "refund.descricao", refusing(devolution, longer("descricao", 139), 400, "")},
	{"takes a descricao of any length", "refund.descricao", accepting(devolution, longer("descricao", 140), cut("descricao", 140))},
	{"takes an object for a descricao", "refund.descricao", accepting(devolution, sent("descricao", `{}`), drop("descricao"))},

	{"never refunds all of a payment", "refund.sum", refusing(devolution, sent("valor", `"10.00"`), 400, "")},
	{"refunds one payment once", "refund.sum", refusing(devolution, refundedBefore, 400, "")},
	{"refunds a centavo more than was paid", "refund.sum", accepting(devolution, sent("valor", `"10.01"`), set("valor", `"10.00"`))},
	{"forgets earlier refunds", "refund.sum", pretending(devolution, refundedBefore)},
	{"lets parts be a centavo too much", "refund.sum", accepting(devolution, sent("valor", `"6.01"`), set("valor", `"6.00"`))},
	{"reckons what is left in floating point", "refund.sum", pretending(devolution, sent("valor", `"0.01"`))},
	{"lets refunds at once go together beyond the payment", "refund.sum", pretending(devolution, concurrent)},
	{"answers refunds at once with 409", "refund.sum", answering(devolution, all(refused, concurrent), status(409))},
	{"answers a valor beyond the payment with 422", "refund.sum", answering(devolution, was(400), status(422))},

	{"takes a repeated refund for another", "refund.same-id", misreading(devolution, askedAgain, renamed(devolution, "id", func(s string) string { return s + "2" }))},
	{"takes another refund besides a repeated one", "refund.same-id", doubling(devolution, askedAgain, renamed(devolution, "id", func(s string) string { return s + "2" }))},
	{"gives a repeated refund another rtrId", "refund.same-id", answering(devolution, all(accepted, askedAgain), fresh("rtrId"))},
	{"answers a repeated refund with 404", "refund.same-id", refusing(devolution, askedAgain, 404, "")},
	{"breaks down over a refund that is repeated at once", "refund.same-id", refusing(devolution, all(askedAgain, concurrent), 500, "")},
	{"blocks a payment once a refund is repeated", "refund.same-id", refusing(devolution, all(not(askedAgain), after(2, devolution, sameParameter("e2eid"))), 400, "")},

	{"counts 85 days", "refund.deadline", misreading(clock, always, later(4*24*time.Hour))},
	{"counts 93 days", "refund.deadline", misreading(clock, always, later(-4*24*time.Hour))},
	{"refunds for ever", "refund.deadline", pretending(devolution, was(422))},
	{"answers a refund that is late with 400", "refund.deadline", answering(devolution, was(422), status(400))},
	{"answers a refund that is late without a reason phrase", "refund.deadline", answering(devolution, was(422), drop("error"))},
	{"breaks down over a refund that is late", "refund.deadline", answering(devolution, was(422), status(500))},
	{"breaks down over a refund in the last days", "refund.deadline", answering(devolution, accepted, status(500))},

	{"cannot tell how to refund what a cash-in brought", "refund.cash-in", refusing(devolution, after(1, cashIn, byTheSame), 500, "")},

	{"breaks down for want of money to refund", "refund.left-open", refusing(devolution, sent("valor", `"10.00"`), 500, "")},
	{"answers another refund under a used id with 404", "refund.left-open", refusing(devolution, all(after(1, devolution, samePath), sent("valor", `"2.00"`)), 404, "")},
	{"answers a used id of another payment with 500", "refund.left-open", refusing(devolution, after(1, devolution, byTheSame, sameParameter("id"), otherParameter("e2eid")), 500, "")},
	{"refuses a refund of R$ 1.00", "refund.left-open", refusing(devolution, sent("valor", `"1.00"`), 400, "")},
}

var refundOutcomeMutants = []Mutant{
	{"tells of a refund in processing alone", "refund.done", sending(refundEvent, set("data.status", `"PROCESSING"`))},
	{"never carries a refund out", "refund.done", ignoring(refundResult, always)},
	{"keeps a refund EM_PROCESSAMENTO", "refund.done", answering(refundShown, returned, set("status", `"EM_PROCESSAMENTO"`))},
	{"calls a refund that succeeded LIQUIDADO", "refund.done", answering(refundShown, returned, set("status", `"LIQUIDADO"`))},
	{"sends no word of a refund", "refund.done", ignoring(event, refundEvent)},
	{"lets a refund fail that has succeeded", "refund.done", answering(refundShown, all(returned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"NAO_REALIZADO"`)))), set("status", `"NAO_REALIZADO"`))},
	{"gives the money of a refund back that has succeeded", "refund.done", leaving(refundResult, was(409), "500.00")},

	{"keeps a refund that failed EM_PROCESSAMENTO", "refund.failed", answering(refundShown, notReturned, set("status", `"EM_PROCESSAMENTO"`))},
	{"carries out a refund that fails", "refund.failed", misreading(refundResult, always, set("status", `"DEVOLVIDO"`))},
	{"reports a refund that failed as REFUNDED", "refund.failed", both(
		misreading(refundResult, always, set("status", `"DEVOLVIDO"`)), answering(refundShown, returned, set("status", `"NAO_REALIZADO"`)))},
	{"lets a refund succeed that has failed", "refund.failed", answering(refundShown, all(notReturned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"DEVOLVIDO"`)))), set("status", `"DEVOLVIDO"`))},
	{"breaks down over a refund after one that failed", "refund.failed", refusing(devolution, sent("valor", `"10.00"`), 500, "")},

	{"credits the account with what it gives back", "refund.money", leaving(refundResult, sent("status", `"DEVOLVIDO"`), "500.00")},

	{"keeps a refund in processing", "states.refund", ignoring(refundResult, always)},
	{"lets every refund succeed", "states.refund", misreading(refundResult, always, set("status", `"DEVOLVIDO"`))},
	{"lets every refund fail", "states.refund", misreading(refundResult, always, set("status", `"NAO_REALIZADO"`))},
	{"lets a finished refund go on", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId")), set("status", `"EM_PROCESSAMENTO"`))},
	{"moves a refund from DEVOLVIDO to NAO_REALIZADO", "states.refund", answering(refundShown, all(returned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"NAO_REALIZADO"`)))), set("status", `"NAO_REALIZADO"`))},
	{"moves a refund from NAO_REALIZADO to DEVOLVIDO", "states.refund", answering(refundShown, all(notReturned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"DEVOLVIDO"`)))), set("status", `"DEVOLVIDO"`))},
	{"forgets that a refund has failed", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId"), answered(sent("status", `"NAO_REALIZADO"`))), set("status", `"EM_PROCESSAMENTO"`))},
	{"forgets that a refund has succeeded", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId"), answered(sent("status", `"DEVOLVIDO"`))), set("status", `"EM_PROCESSAMENTO"`))},
	{"gives the money of a finished refund back", "states.refund", leaving(refundResult, was(409), "500.00")},
	{"gives the money of a refund back that succeeds again", "states.refund", leaving(refundResult, all(was(409), sent("status", `"DEVOLVIDO"`)), "500.00")},
	{"gives the money of a refund back that fails again", "states.refund", leaving(refundResult, all(was(409), sent("status", `"NAO_REALIZADO"`)), "500.00")},
}

var refundContractMutants = []Mutant{
	{"gives a refund without a horario", "contract.refund", answering(devolution, accepted, drop("horario"))},
	{"gives a rtrId of 33 characters", "contract.refund", answering(devolution, accepted, suffixed("rtrId", "0"))},
	{"gives a refund the status PENDENTE", "contract.refund", answering(devolution, accepted, set("status", `"PENDENTE"`))},
	{"refuses a refund beyond the payment without a message", "contract.refund", answering(devolution, was(400), drop("message"))},
	{"refuses a refund of an unknown payment in text", "contract.refund", answering(devolution, was(404), body("Not Found"), header("Content-Type", "text/plain"))},
	{"answers an empty refund with another status than it repeats", "contract.refund", answering(devolution, unsent("valor"), set("statusCode", `422`))},

	{"sends the amount of a REFUND as a number", "contract.refund-event", sending(refundEvent, set("data.payment.amount", `1.00`))},
	{"sends the amount of a refund as text", "contract.refund-event", sending(refundEvent, quoted("data.refunds[].payment.amount"))},
	{"sends the refunds of a REFUND as an object", "contract.refund-event", sending(refundEvent, set("data.refunds", `{}`))},
	{"sends a REFUND without its end-to-end id", "contract.refund-event", sending(refundEvent, drop("data.endToEndId"))},
}

var (
	refundEvent = sent("type", `"REFUND"`)
	returned    = told("status", `DEVOLVIDO`)
	notReturned = told("status", `NAO_REALIZADO`)

	// refundedBefore holds for a payment of which a refund was taken, askedAgain for a
	// refund that was asked for already.
	refundedBefore = after(1, devolution, taken, sameParameter("e2eid"))
	askedAgain     = after(1, devolution, byTheSame, samePath)
)
