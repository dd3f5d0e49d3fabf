package mutants

import (
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var moneyMutants = []row{
	{"returns the balance as an object", "balance.answer", answering(balances, accepted, at("data", onlyItem))},
	{"reads the balance from a stale replica", "balance.answer", repeating(balances, byTheSame, taken)},
	{"returns 503 for a balance request", "balance.answer", refusing(balances, always, 503, api.HTTPError)},
	{"returns 429 for a balance request", "balance.answer", refusing(balances, always, 429, api.HTTPError)},
	{"returns the balance twice", "balance.answer", answering(balances, accepted, doubled("data[0]"))},
	{"returns no balance for an account without money", "balance.answer", answering(balances, told(available, `^0\.00$`), set("data", `[]`))},
	{"returns amounts as strings", "balance.answer", answering(balances, accepted, quoted(available, blocked))},
	{"returns amounts in centavos", "balance.answer", answering(balances, accepted, times(available, 100, 1))},
	{"omits the blocked balance", "balance.answer", answering(balances, accepted, drop(blocked))},
	{"returns eventDate without a time zone", "balance.answer", answering(balances, accepted, stamped(zoneless, saoPaulo))},
	{"returns 404 for an account without money", "balance.answer", answering(balances, told(available, `^0\.00$`), status(404), body(`{"statusCode":404,"message":"no balance","error":"Not Found"}`))},

	{"grants an overdraft", "balance.overdraft", answering(balances, accepted, set("data[0].balanceAmount.overdraft", `500.00`))},
	{"pays above the balance", "balance.overdraft", accepting(cashOut, refusedAs(api.InsufficientBalance), set("value", `0.01`))},

	{"computes balances in floating point and truncates", "balance.centavos", answering(balances, accepted, binary(available))},
	{"rounds balances to the tenth", "balance.centavos", answering(balances, accepted, rounded(available, 10))},
	{"loses a centavo of balances beyond the precision of a double", "balance.centavos", answering(balances, told(available, `^\d{14}`), plus(available, 1))},

	{"does not let the last centavo be spent", "balance.available", refusing(cashOut, spending("value", 1, 1), 400, api.InsufficientBalance)},
	{"lets blocked money be spent", "balance.available", accepting(cashOut, all(insufficient, after(1, cashOut, byTheSame, taken)), set("value", `0.01`))},
	{"does not debit a cash-out", "balance.available", ignoring(cashOut, always)},

	{"adds the blocked balance to the net balance", "balance.standard", answering(standard, accepted, sum("netBalance", "grossBalance"))},
	{"omits the blocked balance from the gross balance", "balance.standard", answering(standard, accepted, sum("grossBalance", "netBalance"))},
	{"returns a blocked balance of 0 from GET /balance", "balance.standard", answering(standard, accepted, set("blockedBalance", `0.00`))},
	{"returns consultedAt without a time zone", "balance.standard", answering(standard, accepted, stamped(zoneless, time.UTC))},

	{"blocks nothing for a transfer", "balance.blocked", answering(balances, accepted, sum(available, available, blocked), set(blocked, `0.00`))},
	{"blocks an amount that stays available", "balance.blocked", answering(balances, accepted, sum(available, available, blocked))},
	{"leaves a settled amount blocked", "balance.blocked", ignoring(bank, always)},
	{"debits a settled transfer from the available balance too", "balance.blocked", leaving(bank, always, "0.00")},
	{"pays a transfer from blocked money", "balance.blocked", accepting(transfer, was(422), set("payment.amount", `0.01`))},

	{"does not credit a received payment", "balance.received", ignoring(payment, always)},
	{"blocks a received payment", "balance.received", answering(balances, accepted, sum(blocked, available), set(available, `0.00`))},
	{"credits a received payment twice", "balance.received", answering(balances, accepted, sum(blocked, available))},
	{"credits an unpaid charge", "balance.received", answering(balances, after(1, cashIn, byTheSame, taken), plus(available, 600))},
	{"credits an unpaid cob", "balance.received", answering(balances, after(1, cob, byTheSame, taken), plus(available, 600))},
	{"blocks the amount of an unpaid charge", "balance.received", both(
		answering(balances, after(1, cashIn, byTheSame, taken), plus(blocked, 600)),
		answering(balances, after(1, cob, byTheSame, taken), plus(blocked, 600)))},

	{"debits every payment twice", "money.outgoing", doubling(group{cashOut, qrCashOut}, always, fresh("externalId"))},
	{"debits every payment twice", "money.outgoing", sometimes(EveryThird, doubling(group{cashOut, qrCashOut}, always, fresh("externalId")))},
	{"debits every payment twice", "money.outgoing", sometimes(EverySeventh, doubling(group{cashOut, qrCashOut}, always, fresh("externalId")))},
	{"debits every fee twice", "money.outgoing", misreading(fees, always, times("cashOut", 2, 1))},
	{"debits every fee twice", "money.outgoing", sometimes(EveryThird, misreading(fees, always, times("cashOut", 2, 1)))},
	{"rounds payments to the tenth", "money.outgoing", misreading(group{cashOut, qrCashOut}, always, plus("value", 9), rounded("value", 10))},
	{"computes cash-outs in floating point and truncates", "money.outgoing", misreading(group{cashOut, qrCashOut}, always, binary("value"))},
	{"returns the money of a confirmed payment", "money.outgoing", leaving(bank, sent("outcome", `"CONFIRMED"`), windfall)},
	{"sends no event for a failed payment", "money.outgoing", ignoring(event, failed)},
	{"sends no event for a failed payment", "money.outgoing", sometimes(EverySecond, ignoring(event, failed))},

	{"leaves a settled transfer blocked", "money.transfer", ignoring(bank, always)},
	{"credits a settled transfer back", "money.transfer", leaving(bank, always, windfall)},
	{"computes settled transfers in floating point and truncates", "money.transfer", answering(balances, accepted, binary(available), binary(blocked))},
	{"debits a pending transfer without blocking it", "money.transfer", answering(balances, accepted, set(blocked, `0.00`))},

	{"debits the fee of a cash-in twice", "money.incoming", misreading(fees, always, times("cashIn", 3, 1))},
	{"debits the fee of a cash-in twice", "money.incoming", sometimes(EverySecond, misreading(fees, always, times("cashIn", 3, 1)))},
	{"credits received money twice", "money.incoming", both(misreading(cashIn, always, times("transaction.value", 2, 1)), misreading(cob, always, times("valor.original", 2, 1)))},
	{"computes received amounts in floating point and truncates", "money.incoming", answering(balances, accepted, binary(available))},
	{"rounds received amounts to the tenth", "money.incoming", answering(balances, accepted, rounded(available, 10))},
	{"does not credit a paid charge", "money.incoming", ignoring(payment, always)},
	{"blocks the amount of a paid charge", "money.incoming", answering(balances, accepted, sum(blocked, available))},

	{"does not credit a returned payment", "money.returned", ignoring(paymentReturn, always)},
	{"credits a returned payment twice", "money.returned", misreading(paymentReturn, always, times("amount", 1, 2))},
	{"credits returned money in hundredths", "money.returned", misreading(paymentReturn, always, times("amount", 1, 100))},
	{"blocks returned money", "money.returned", answering(balances, after(2, balances, byTheSame), plus(blocked, 100))},

	{"credits a refund before it succeeds", "money.refund", answering(balances, after(1, devolution, byTheSame, taken), plus(available, 30000))},

	{"rejects a cash-out above the balance but debits what is available", "money.refused", despite(cashOut, insufficient, set("value", `10.00`))},
	{"rejects a QR cash-out above the balance but debits what is available", "money.refused", despite(qrCashOut, insufficient, set("value", `10.00`))},
	{"rejects a transfer above the balance but debits what is available", "money.refused", despite(transfer, was(422), set("payment.amount", `10.00`))},
	{"blocks the amount of a rejected payment", "money.refused", answering(balances, either(
		after(1, cashOut, byTheSame, answered(refused)), after(1, qrCashOut, byTheSame, answered(refused)), after(1, transfer, byTheSame, answered(refused))), plus(blocked, 1001))},
	{"accepts every payment above the balance", "money.refused", pretending(group{cashOut, qrCashOut, transfer}, refused)},
}

// The two parts of a balance.
const (
	available = "data[0].balanceAmount.available"
	blocked   = "data[0].balanceAmount.blocked"
)
