package mutants

import "time"

var moneyMutants = []row{
	{"shows the balance as an object", "balance.answer", answering(balances, accepted, at("data", onlyItem))},
	{"reads the balance from a copy that does not follow", "balance.answer", repeating(balances, byTheSame, taken)},
	{"shows the balance twice", "balance.answer", answering(balances, accepted, doubled("data[0]"))},
	{"shows no balance of an account without money", "balance.answer", answering(balances, told(available, `^0\.00$`), set("data", `[]`))},
	{"shows amounts as text", "balance.answer", answering(balances, accepted, quoted(available, blocked))},
	{"shows amounts in centavos", "balance.answer", answering(balances, accepted, times(available, 100, 1))},
	{"leaves out what is blocked", "balance.answer", answering(balances, accepted, drop(blocked))},
	{"tells the time of the balance without a zone", "balance.answer", answering(balances, accepted, stamped(zoneless, saoPaulo))},
	{"answers an account without money with 404", "balance.answer", answering(balances, told(available, `^0\.00$`), status(404), body(`{"statusCode":404,"message":"no balance","error":"Not Found"}`))},

	{"grants an overdraft", "balance.overdraft", answering(balances, accepted, set("data[0].balanceAmount.overdraft", `500.00`))},
	{"leaves the overdraft out", "balance.overdraft", answering(balances, accepted, drop("data[0].balanceAmount.overdraft"))},
	{"pays beyond the balance", "balance.overdraft", accepting(cashOut, refusedAs("PIX_INSUFFICIENT_BALANCE"), set("value", `0.01`))},

	{"reckons balances in floating point and cuts", "balance.centavos", answering(balances, accepted, binary(available))},
	{"shows balances to the tenth", "balance.centavos", answering(balances, accepted, rounded(available, 10))},
	{"loses a centavo beyond nine quadrillion", "balance.centavos", answering(balances, told(available, `^\d{14}`), plus(available, 1))},

	{"lets nobody spend the last centavo", "balance.available", refusing(cashOut, spending("value", 1, 1), 400, "PIX_INSUFFICIENT_BALANCE")},
	{"lets money be spent that is blocked", "balance.available", accepting(cashOut, all(insufficient, after(1, cashOut, byTheSame, taken)), set("value", `0.01`))},
	{"takes no money for a cash-out", "balance.available", ignoring(cashOut, always)},

	{"adds what is blocked to the net balance", "balance.standard", answering(standard, accepted, sum("netBalance", "grossBalance"))},
	{"leaves what is blocked out of the gross balance", "balance.standard", answering(standard, accepted, sum("grossBalance", "netBalance"))},
	{"shows nothing blocked in the standard balance", "balance.standard", answering(standard, accepted, set("blockedBalance", `0.00`))},
	{"tells the time of the standard balance without a zone", "balance.standard", answering(standard, accepted, stamped(zoneless, time.UTC))},

	{"blocks nothing for a transfer", "balance.blocked", answering(balances, accepted, sum(available, available, blocked), set(blocked, `0.00`))},
	{"blocks money that stays available", "balance.blocked", answering(balances, accepted, sum(available, available, blocked))},
	{"keeps blocked what is settled", "balance.blocked", ignoring(bank, always)},
	{"takes what is settled from available too", "balance.blocked", leaving(bank, always, "0.00")},
	{"pays a transfer with what is blocked", "balance.blocked", accepting(transfer, was(422), set("payment.amount", `0.01`))},

	{"keeps what arrives", "balance.received", ignoring(payment, always)},
	{"blocks what arrives", "balance.received", answering(balances, accepted, sum(blocked, available), set(available, `0.00`))},
	{"shows what arrives twice", "balance.received", answering(balances, accepted, sum(blocked, available))},
	{"credits what is asked for and not paid", "balance.received", answering(balances, after(1, cashIn, byTheSame, taken), plus(available, 600))},
	{"credits a cob that is unpaid", "balance.received", answering(balances, after(1, cob, byTheSame, taken), plus(available, 600))},
	{"blocks what is asked for", "balance.received", both(
		answering(balances, after(1, cashIn, byTheSame, taken), plus(blocked, 600)),
		answering(balances, after(1, cob, byTheSame, taken), plus(blocked, 600)))},

	{"takes every payment twice", "money.outgoing", doubling(group{cashOut, qrCashOut}, always, fresh("externalId"))},
	{"takes every payment twice", "money.outgoing", sometimes(EveryThird, doubling(group{cashOut, qrCashOut}, always, fresh("externalId")))},
	{"takes every payment twice", "money.outgoing", sometimes(EverySeventh, doubling(group{cashOut, qrCashOut}, always, fresh("externalId")))},
	{"takes every fee twice", "money.outgoing", misreading(fees, always, times("cashOut", 2, 1))},
	{"takes every fee twice", "money.outgoing", sometimes(EveryThird, misreading(fees, always, times("cashOut", 2, 1)))},
	{"rounds payments to the tenth", "money.outgoing", misreading(group{cashOut, qrCashOut}, always, plus("value", 9), rounded("value", 10))},
	{"reckons cash-outs in floating point and cuts", "money.outgoing", misreading(group{cashOut, qrCashOut}, always, binary("value"))},
	{"gives a confirmed payment back", "money.outgoing", leaving(bank, sent("outcome", `"CONFIRMED"`), windfall)},
	{"sends no word of a failed payment", "money.outgoing", ignoring(event, failed)},
	{"sends no word of a failed payment", "money.outgoing", sometimes(EverySecond, ignoring(event, failed))},

	{"leaves a settled transfer blocked", "money.transfer", ignoring(bank, always)},
	{"gives a settled transfer back", "money.transfer", leaving(bank, always, windfall)},
	{"reckons transferred money in floating point and cuts", "money.transfer", answering(balances, accepted, binary(available), binary(blocked))},
	{"shows a pending transfer as gone", "money.transfer", answering(balances, accepted, set(blocked, `0.00`))},

	{"takes the fee of a cash-in twice", "money.incoming", misreading(fees, always, times("cashIn", 3, 1))},
	{"takes the fee of a cash-in twice", "money.incoming", sometimes(EverySecond, misreading(fees, always, times("cashIn", 3, 1)))},
	{"credits twice what arrives", "money.incoming", both(misreading(cashIn, always, times("transaction.value", 2, 1)), misreading(cob, always, times("valor.original", 2, 1)))},
	{"reckons what arrives in floating point and cuts", "money.incoming", answering(balances, accepted, binary(available))},
	{"rounds what arrives to the tenth", "money.incoming", answering(balances, accepted, rounded(available, 10))},
	{"keeps what is paid", "money.incoming", ignoring(payment, always)},
	{"blocks what is paid", "money.incoming", answering(balances, accepted, sum(blocked, available))},

	{"keeps what comes back", "money.returned", ignoring(giveBack, always)},
	{"credits twice what comes back", "money.returned", misreading(giveBack, always, times("amount", 1, 2))},
	{"credits centavos of what comes back", "money.returned", misreading(giveBack, always, times("amount", 1, 100))},
	{"blocks what comes back", "money.returned", answering(balances, after(2, balances, byTheSame), plus(blocked, 100))},

	{"credits the account with what it refunds", "money.refund", leaving(refundResult, always, windfall)},
	{"credits a refund before it succeeds", "money.refund", answering(balances, after(1, devolution, byTheSame, taken), plus(available, 30000))},

	{"takes what there is of a cash-out beyond the balance", "money.refused", despite(cashOut, insufficient, set("value", `10.00`))},
	{"takes what there is of a QR cash-out beyond the balance", "money.refused", despite(qrCashOut, insufficient, set("value", `10.00`))},
	{"takes what there is of a transfer beyond the balance", "money.refused", despite(transfer, was(422), set("payment.amount", `10.00`))},
	{"blocks what a refused payment would take", "money.refused", answering(balances, either(
		after(1, cashOut, byTheSame, answered(refused)), after(1, qrCashOut, byTheSame, answered(refused)), after(1, transfer, byTheSame, answered(refused))), plus(blocked, 1001))},
	{"takes every payment beyond the balance", "money.refused", pretending(group{cashOut, qrCashOut, transfer}, refused)},
}

// The two parts of a balance.
const (
	available = "data[0].balanceAmount.available"
	blocked   = "data[0].balanceAmount.blocked"
)
