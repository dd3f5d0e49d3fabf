package mutants

var stateMutants = []row{
	{"keeps a refund in processing", "states.refund", ignoring(refundResult, always)},
	{"lets every refund succeed", "states.refund", misreading(refundResult, always, set("status", `"DEVOLVIDO"`))},
	{"lets every refund fail", "states.refund", misreading(refundResult, always, set("status", `"NAO_REALIZADO"`))},
	{"lets a finished refund go on", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId")), set("status", `"EM_PROCESSAMENTO"`))},
	{"moves a refund from DEVOLVIDO to NAO_REALIZADO", "states.refund", answering(refundShown, all(returned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"NAO_REALIZADO"`)))), set("status", `"NAO_REALIZADO"`))},
	{"moves a refund from NAO_REALIZADO to DEVOLVIDO", "states.refund", answering(refundShown, all(notReturned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"DEVOLVIDO"`)))), set("status", `"DEVOLVIDO"`))},
	{"forgets that a refund has failed", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId"), answered(sent("status", `"NAO_REALIZADO"`))), set("status", `"EM_PROCESSAMENTO"`))},
	{"forgets that a refund has succeeded", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId"), answered(sent("status", `"DEVOLVIDO"`))), set("status", `"EM_PROCESSAMENTO"`))},
	{"gives the money of a finished refund back", "states.refund", leaving(refundResult, was(409), windfall)},
	{"gives the money of a refund back that succeeds again", "states.refund", leaving(refundResult, all(was(409), sent("status", `"DEVOLVIDO"`)), windfall)},
	{"gives the money of a refund back that fails again", "states.refund", leaving(refundResult, all(was(409), sent("status", `"NAO_REALIZADO"`)), windfall)},

	{"calls a case that was moved CLOSED", "states.med", answering(meds, accepted, set("data[].status", `"CLOSED"`))},
	{"loses a case that was moved", "states.med", answering(meds, accepted, set("data", `[]`))},

	{"lists every payment as pending", "states.cash-out", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"lists a confirmed payment by the name of its state", "states.cash-out", answering(transactions, told("data[0].status", `Confirmado`), set("data[].status", `"Liquidado"`))},
	{"lists a rejected payment as confirmed", "states.cash-out", answering(transactions, told("data[0].status", `Error`), set("data[].status", `"Confirmado"`))},
	{"takes the bank's no for a yes", "states.cash-out", misreading(bank, sent("outcome", `"ERROR"`), confirmedByBank)},
	{"takes the bank's yes for a no", "states.cash-out", misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank)},

	{"takes the money again of what the bank confirms again", "states.cash-out", leaving(bank, all(was(409), sent("outcome", `"CONFIRMED"`)), "0.00")},
	{"takes the money again of what the bank rejects again", "states.cash-out", leaving(bank, all(was(409), sent("outcome", `"ERROR"`)), "0.00")},

	{"frees the money of a transfer that is confirmed again", "states.transfer", leaving(bank, all(was(409), sent("outcome", `"CONFIRMED"`)), windfall)},
	{"does not free what a settled transfer has blocked", "states.transfer", ignoring(bank, always)},
	{"rejects the transfers that the bank confirms", "states.transfer", misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank)},

	{"does not let the receiver end a cob", "states.charge", ignoring(ending, sent("by", `"receiver"`))},
	{"does not let the PSP end a cob", "states.charge", ignoring(ending, sent("by", `"psp"`))},
	{"lets a cob live for ever", "states.charge", ignoring(clock, matching("advance", `^[0-9]{5,}s$|^[3-9][0-9]{3}s$`))},
	{"does not let a cob be paid", "states.charge", ignoring(payment, always)},
	{"concludes a removed cob that somebody pays", "states.charge", answering(charge, all(told("status", `REMOVIDA`), after(1, payment, byTheSame)), is("CONCLUIDA"))},
	{"opens a removed cob again", "states.charge", answering(charge, told("status", `REMOVIDA`), is("ATIVA"))},
	{"opens a paid cob again", "states.charge", answering(charge, told("status", `CONCLUIDA`), is("ATIVA"))},
	{"lets the receiver end what has ended", "states.charge", answering(charge, all(told("status", `CONCLUIDA|PSP`), after(1, ending, byTheSame, answered(sent("by", `"receiver"`)))), is("REMOVIDA_PELO_USUARIO_RECEBEDOR"))},
	{"lets the PSP end what has ended", "states.charge", answering(charge, all(told("status", `CONCLUIDA|RECEBEDOR`), after(1, ending, byTheSame, answered(sent("by", `"psp"`)))), is("REMOVIDA_PELO_PSP"))},
	{"lets a cob expire that has ended", "states.charge", answering(charge, all(told("status", `CONCLUIDA|RECEBEDOR`), after(1, clock, byTheSame)), is("REMOVIDA_PELO_PSP"))},
	{"calls what has expired EXPIRADA", "states.charge", answering(charge, after(1, clock, byTheSame), is("EXPIRADA"))},
	{"credits whoever pays a cob that has ended", "states.charge", leaving(payment, was(409), windfall)},
	{"credits a cob when it ends", "states.charge", both(leaving(ending, always, windfall), leaving(clock, always, windfall))},

	{"credits a cash-in that is paid already", "states.cash-in", leaving(payment, was(409), windfall)},
	{"does not let a cash-in be paid", "states.cash-in", ignoring(payment, always)},
	{"lists a paid cash-in as pending for ever", "states.cash-in", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"credits nothing of a paid cash-in", "states.cash-in", leaving(payment, always, "0.00")},
}

// is makes a state another one.
func is(state string) edit { return set("status", string(encode(state))) }
