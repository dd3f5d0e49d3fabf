package mutants

import "time"

var balanceMutants = []Mutant{
	{"shows the balance as an object", "balance.answer", answering(balances, accepted, unlisted("data"))},
	{"reads the balance from a copy that does not follow", "balance.answer", repeating(balances, byTheSame, taken)},
	{"shows the balance twice", "balance.answer", answering(balances, accepted, doubled("data[0]"))},
	{"shows no balance of an account without money", "balance.answer", answering(balances, told("data[0].balanceAmount.available", `^0\.00$`), set("data", `[]`))},
	{"shows amounts as text", "balance.answer", answering(balances, accepted, quoted("data[0].balanceAmount.available", "data[0].balanceAmount.blocked"))},
	{"shows amounts in centavos", "balance.answer", answering(balances, accepted, times("data[0].balanceAmount.available", 100, 1))},
	{"leaves out what is blocked", "balance.answer", answering(balances, accepted, drop("data[0].balanceAmount.blocked"))},
	{"tells the time of the balance without a zone", "balance.answer", answering(balances, accepted, stamped("2006-01-02T15:04:05", saoPaulo))},
	{"answers an account without money with 404", "balance.answer", answering(balances, told("data[0].balanceAmount.available", `^0\.00$`), status(404), body(`{"statusCode":404,"message":"no balance","error":"Not Found"}`))},

	{"grants an overdraft", "balance.overdraft", answering(balances, accepted, set("data[0].balanceAmount.overdraft", `500.00`))},
	{"leaves the overdraft out", "balance.overdraft", answering(balances, accepted, drop("data[0].balanceAmount.overdraft"))},
	{"pays beyond the balance", "balance.overdraft", accepting(cashOut, refusedAs("PIX_INSUFFICIENT_BALANCE"), set("value", `0.01`))},

	{"reckons balances in floating point and cuts", "balance.centavos", answering(balances, accepted, binary("data[0].balanceAmount.available"))},
	{"shows balances to the tenth", "balance.centavos", answering(balances, accepted, rounded("data[0].balanceAmount.available", 10))},
	{"loses a centavo beyond nine quadrillion", "balance.centavos", answering(balances, told("data[0].balanceAmount.available", `^\d{14}`), plus("data[0].balanceAmount.available", 1))},

	{"lets nobody spend the last centavo", "balance.available", refusing(cashOut, sent("value", `10.00`), 400, "PIX_INSUFFICIENT_BALANCE")},
	{"lets money be spent that is blocked", "balance.available", accepting(cashOut, refusedAs("PIX_INSUFFICIENT_BALANCE"), set("value", `1.00`))},
	{"takes no money for a cash-out", "balance.available", ignoring(cashOut, always)},

	{"adds what is blocked to the net balance", "balance.standard", answering(standard, accepted, sum("netBalance", "grossBalance"))},
	{"leaves what is blocked out of the gross balance", "balance.standard", answering(standard, accepted, sum("grossBalance", "netBalance"))},
	{"shows nothing blocked in the standard balance", "balance.standard", answering(standard, accepted, set("blockedBalance", `0.00`))},
	{"tells the time of the standard balance without a zone", "balance.standard", answering(standard, accepted, stamped("2006-01-02T15:04:05", time.UTC))},
}
