package mutants

// moneyMutants are about the two parts of a balance, whatever moves them.
var moneyMutants = []Mutant{
	{"blocks nothing for a transfer", "balance.blocked", answering(balances, accepted, sum(available, available, blocked), set(blocked, `0.00`))},
	{"blocks money that stays available", "balance.blocked", answering(balances, accepted, sum(available, available, blocked))},
	{"keeps blocked what is settled", "balance.blocked", ignoring(bank, always)},
	{"takes what is settled from available too", "balance.blocked", leaving(bank, always, "0.00")},
	{"pays a transfer with what is blocked", "balance.blocked", accepting(transfer, was(422), set("payment.amount", `4.00`))},

	{"keeps what arrives", "balance.received", ignoring(payment, always)},
	{"blocks what arrives", "balance.received", answering(balances, accepted, sum(blocked, available), set(available, `0.00`))},
	{"shows what arrives twice", "balance.received", answering(balances, accepted, sum(blocked, available))},
	{"credits what is asked for and not paid", "balance.received", answering(balances, after(1, cashIn, byTheSame, taken), plus(available, 600))},
	{"credits a cob that is unpaid", "balance.received", answering(balances, after(1, cob, byTheSame, taken), plus(available, 600))},
	{"blocks what is asked for", "balance.received", both(
		answering(balances, after(1, cashIn, byTheSame, taken), plus(blocked, 600)),
		answering(balances, after(1, cob, byTheSame, taken), plus(blocked, 600)))},

	{"takes every payment twice", "money.outgoing", doubling(group{cashOut, qrCashOut}, always, fresh("externalId"))},
	{"takes every fee twice", "money.outgoing", misreading(fees, always, times("cashOut", 2, 1))},
	{"rounds payments to the tenth", "money.outgoing", misreading(group{cashOut, qrCashOut}, always, plus("value", 9), rounded("value", 10))},
	{"reckons cash-outs in floating point and cuts", "money.outgoing", misreading(group{cashOut, qrCashOut}, always, binary("value"))},
	{"gives a confirmed payment back", "money.outgoing", leaving(bank, sent("outcome", `"CONFIRMED"`), "1000.00")},
	{"sends no word of a failed payment", "money.outgoing", ignoring(event, failed)},

	{"leaves a settled transfer blocked", "money.transfer", ignoring(bank, always)},
	{"gives a settled transfer back", "money.transfer", leaving(bank, always, "90071992547409.93")},
	{"reckons transferred money in floating point and cuts", "money.transfer", answering(balances, accepted, binary(available), binary(blocked))},
	{"loses a centavo of a fortune", "transfer.blocks", misreading(transfer, written(`"amount":\d{14}`), plus("payment.amount", -1))},
	{"shows a pending transfer as gone", "money.transfer", answering(balances, accepted, set(blocked, `0.00`))},

	{"takes the fee of a cash-in twice", "money.incoming", misreading(fees, always, times("cashIn", 3, 1))},
	{"credits twice what arrives", "money.incoming", both(misreading(cashIn, always, times("transaction.value", 2, 1)), misreading(cob, always, times("valor.original", 2, 1)))},
	{"reckons what arrives in floating point and cuts", "money.incoming", answering(balances, accepted, binary(available))},
	{"rounds what arrives to the tenth", "money.incoming", answering(balances, accepted, rounded(available, 10))},
	{"keeps what is paid", "money.incoming", ignoring(payment, always)},
	{"blocks what is paid", "money.incoming", answering(balances, accepted, sum(blocked, available))},

	{"keeps what comes back", "money.returned", ignoring(giveBack, always)},
	{"credits twice what comes back", "money.returned", misreading(giveBack, always, times("amount", 1, 2))},
	{"credits centavos of what comes back", "money.returned", misreading(giveBack, always, times("amount", 1, 100))},
	{"blocks what comes back", "money.returned", answering(balances, after(2, balances, byTheSame), plus(blocked, 100))},

	{"credits the account with what it refunds", "money.refund", leaving(refundResult, always, "1000.00")},
	{"credits a refund before it succeeds", "money.refund", answering(balances, after(1, devolution, byTheSame, taken), plus(available, 30000))},

	{"takes what there is of a cash-out beyond the balance", "money.refused", despite(cashOut, insufficient, set("value", `10.00`))},
	{"takes what there is of a QR cash-out beyond the balance", "money.refused", despite(qrCashOut, insufficient, set("value", `10.00`))},
	{"takes what there is of a transfer beyond the balance", "money.refused", despite(transfer, was(422), set("payment.amount", `10.00`))},
	{"blocks what a refused payment would take", "money.refused", answering(balances, either(
		after(1, cashOut, byTheSame, answered(refused)), after(1, qrCashOut, byTheSame, answered(refused)), after(1, transfer, byTheSame, answered(refused))), plus(blocked, 1001))},
	{"takes every payment beyond the balance", "money.refused", pretending(group{cashOut, qrCashOut, transfer}, refused)},
}
