package mutants

var stateMutants = []row{
	{"leaves a refund in processing", "states.refund", ignoring(refundResult, always)},
	{"lets every refund succeed", "states.refund", misreading(refundResult, always, set("status", `"DEVOLVIDO"`))},
	{"lets every refund fail", "states.refund", misreading(refundResult, always, set("status", `"NAO_REALIZADO"`))},
	{"lets a finished refund continue", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId")), set("status", `"EM_PROCESSAMENTO"`))},
	{"moves a refund from DEVOLVIDO to NAO_REALIZADO", "states.refund", answering(refundShown, all(returned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"NAO_REALIZADO"`)))), set("status", `"NAO_REALIZADO"`))},
	{"moves a refund from NAO_REALIZADO to DEVOLVIDO", "states.refund", answering(refundShown, all(notReturned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"DEVOLVIDO"`)))), set("status", `"DEVOLVIDO"`))},
	{"forgets that a refund has failed", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId"), answered(sent("status", `"NAO_REALIZADO"`))), set("status", `"EM_PROCESSAMENTO"`))},
	{"forgets that a refund has succeeded", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId"), answered(sent("status", `"DEVOLVIDO"`))), set("status", `"EM_PROCESSAMENTO"`))},
	{"returns the money of a finished refund", "states.refund", leaving(refundResult, was(409), windfall)},
	{"returns the money when a refund succeeds again", "states.refund", leaving(refundResult, all(was(409), sent("status", `"DEVOLVIDO"`)), windfall)},
	{"returns the money when a refund fails again", "states.refund", leaving(refundResult, all(was(409), sent("status", `"NAO_REALIZADO"`)), windfall)},

	{"returns status CLOSED for a case that moved", "states.med", answering(meds, accepted, set("data[].status", `"CLOSED"`))},
	{"does not list a case that moved", "states.med", answering(meds, accepted, set("data", `[]`))},

	{"lists every payment as pending", "states.cash-out", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"lists a confirmed payment with its state instead of the label", "states.cash-out", answering(transactions, told("data[0].status", `Confirmado`), set("data[].status", `"Liquidado"`))},
	{"lists a rejected payment as confirmed", "states.cash-out", answering(transactions, told("data[0].status", `Error`), set("data[].status", `"Confirmado"`))},
	{"confirms a payment that the bank rejects", "states.cash-out", misreading(bank, sent("outcome", `"ERROR"`), confirmedByBank)},
	{"rejects a payment that the bank confirms", "states.cash-out", misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank)},

	{"debits a payment again when the bank confirms it again", "states.cash-out", leaving(bank, all(was(409), sent("outcome", `"CONFIRMED"`)), "0.00")},
	{"debits a payment when the bank rejects it again", "states.cash-out", leaving(bank, all(was(409), sent("outcome", `"ERROR"`)), "0.00")},

	{"releases the money of a transfer that is confirmed again", "states.transfer", leaving(bank, all(was(409), sent("outcome", `"CONFIRMED"`)), windfall)},
	{"does not release the blocked amount of a settled transfer", "states.transfer", ignoring(bank, always)},
	{"rejects transfers that the bank confirms", "states.transfer", misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank)},

	{"does not let the receiver remove a cob", "states.charge", ignoring(ending, sent("by", `"receiver"`))},
	{"does not let the PSP remove a cob", "states.charge", ignoring(ending, sent("by", `"psp"`))},
	{"does not expire a cob", "states.charge", ignoring(clock, matching("advance", `^[0-9]{5,}s$|^[3-9][0-9]{3}s$`))},
	{"does not let a cob be paid", "states.charge", ignoring(payment, always)},
	{"completes a removed cob when a payer pays it", "states.charge", answering(charge, all(told("status", `REMOVIDA`), after(1, payment, byTheSame)), is("CONCLUIDA"))},
	{"reopens a removed cob", "states.charge", answering(charge, told("status", `REMOVIDA`), is("ATIVA"))},
	{"reopens a paid cob", "states.charge", answering(charge, told("status", `CONCLUIDA`), is("ATIVA"))},
	{"lets the receiver remove a finished cob", "states.charge", answering(charge, all(told("status", `CONCLUIDA|PSP`), after(1, ending, byTheSame, answered(sent("by", `"receiver"`)))), is("REMOVIDA_PELO_USUARIO_RECEBEDOR"))},
	{"lets the PSP remove a finished cob", "states.charge", answering(charge, all(told("status", `CONCLUIDA|RECEBEDOR`), after(1, ending, byTheSame, answered(sent("by", `"psp"`)))), is("REMOVIDA_PELO_PSP"))},
	{"lets a finished cob expire", "states.charge", answering(charge, all(told("status", `CONCLUIDA|RECEBEDOR`), after(1, clock, byTheSame)), is("REMOVIDA_PELO_PSP"))},
	{"returns EXPIRADA for a cob that expired", "states.charge", answering(charge, after(1, clock, byTheSame), is("EXPIRADA"))},
	{"credits the payment of a finished cob", "states.charge", leaving(payment, was(409), windfall)},
	{"credits a cob when it is removed or expires", "states.charge", both(leaving(ending, always, windfall), leaving(clock, always, windfall))},

	{"credits a paid cash-in again", "states.cash-in", leaving(payment, was(409), windfall)},
	{"does not let a cash-in be paid", "states.cash-in", ignoring(payment, always)},
	{"always lists a paid cash-in as pending", "states.cash-in", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"does not credit the payment of a cash-in", "states.cash-in", leaving(payment, always, "0.00")},
}

// is makes a state another one.
func is(state string) edit { return set("status", string(encode(state))) }
