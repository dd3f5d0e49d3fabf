package mutants

import "time"

var limitMutants = []row{
	{"has no limit of a payment", "cash-out.own-limits", misreading(limits, sent("perTransaction"), set("perTransaction", `null`))},
	{"has no limit of a day", "cash-out.own-limits", misreading(limits, sent("daily"), set("daily", `null`))},
	{"has no limit of the night", "cash-out.own-limits", misreading(limits, sent("night"), set("night", `null`))},
	{"answers any limit of an account with 422", "cash-out.own-limits", answering(cashOut, refused, status(422))},
	{"pays within the limit of a payment although it refuses to exceed it", "cash-out.own-limits", despite(cashOut, overTransaction, set("value", `1.00`))},

	{"knows no limit of a payment", "cash-out.transaction-limit", misreading(limits, sent("perTransaction"), set("perTransaction", `null`))},
	{"has a lower limit of a payment than it says", "cash-out.transaction-limit", misreading(limits, sent("perTransaction"), plus("perTransaction", -100))},
	{"allows a centavo above the limit of a payment", "cash-out.transaction-limit", misreading(limits, sent("perTransaction"), plus("perTransaction", 1))},
	{"takes the limit of a payment for that of the day", "cash-out.transaction-limit", answering(cashOut, overTransaction, code("PIX_DAILY_LIMIT_EXCEEDED"))},
	{"cuts a payment to its limit although it refuses", "cash-out.transaction-limit", despite(cashOut, overTransaction, plus("value", -1))},

	{"knows no limit of a day", "cash-out.daily-limit", misreading(limits, sent("daily"), set("daily", `null`))},
	{"knows no limit of a day", "cash-out.daily-limit", sometimes(EverySecond, misreading(limits, sent("daily"), set("daily", `null`)))},
	{"holds the limit of a day against each payment alone", "cash-out.daily-limit", accepting(cashOut, all(overDay, after(1, cashOut, byTheSame, taken)), set("value", `0.01`))},
	{"takes the limit of a day for that of a payment", "cash-out.daily-limit", both(
		misreading(limits, sent("daily"), rename("", "daily", "perTransaction")),
		answering(cashOut, overTransaction, code("PIX_DAILY_LIMIT_EXCEEDED")))},
	{"has a lower limit of a day than it says", "cash-out.daily-limit", misreading(limits, sent("daily"), plus("daily", -100))},
	{"counts refused payments to the limit of a day", "cash-out.daily-limit", refusing(cashOut, after(1, cashOut, byTheSame, answered(overDay)), 400, "PIX_DAILY_LIMIT_EXCEEDED")},
	{"never begins a new day", "cash-out.daily-limit", ignoring(clock, matching("advance", `^[0-9]{5,}s$`))},
	{"begins the day at 22:00", "cash-out.daily-limit", misreading(clock, sent("now"), later(2*time.Hour))},
	{"exceeds the limit of a day when asked at once", "cash-out.daily-limit", accepting(cashOut, all(overDay, concurrent), set("value", `0.01`))},
	{"exceeds the limit of a day when asked at once", "cash-out.daily-limit", sometimes(EverySecond, accepting(cashOut, all(overDay, concurrent), set("value", `0.01`)))},
	{"answers the limit of a day with 429", "cash-out.daily-limit", answering(cashOut, overDay, status(429))},
	{"pays although it refuses for the limit of a day", "cash-out.daily-limit", despite(cashOut, overDay, set("value", `1.00`))},
	{"pays although it refuses for the limit of a day", "cash-out.daily-limit", sometimes(EveryThird, despite(cashOut, overDay, set("value", `1.00`)))},

	{"has a lower limit for codes than it says", "cash-out.limits-of-qr", misreading(limits, sent("perTransaction"), plus("perTransaction", -100))},
	{"breaks down over a code beyond the limit", "cash-out.limits-of-qr", answering(qrCashOut, overTransaction, status(500))},
	{"breaks down over a code beyond the limit of a day", "cash-out.limits-of-qr", answering(qrCashOut, overDay, status(500))},

	{"knows no limit of the night", "cash-out.night-limit", misreading(limits, sent("night"), set("night", `null`))},
	{"has the limit of the night by day too", "cash-out.night-limit", both(
		misreading(limits, sent("night"), rename("", "night", "perTransaction")),
		answering(cashOut, overTransaction, code("PIX_NIGHT_LIMIT_EXCEEDED")))},
	{"lets the night begin three hours late", "cash-out.night-limit", misreading(clock, sent("now"), later(-3*time.Hour))},
	{"has a night of its own, from 22:00 to 08:00", "cash-out.night-limit", misreading(clock, sent("now"), later(-2*time.Hour))},
	{"begins the night in São Paulo and ends it in UTC", "cash-out.night-limit", misreading(clock, matching("now", `T0[678]:`), later(3*time.Hour))},
	{"takes noon for midnight", "cash-out.night-limit", misreading(clock, sent("now"), later(-12*time.Hour))},
	{"has a lower limit of the night than it says", "cash-out.night-limit", misreading(limits, sent("night"), plus("night", -100))},
	{"takes the limit of the night for that of a payment", "cash-out.night-limit", answering(cashOut, overNight, code("PIX_TRANSACTION_LIMIT_EXCEEDED"))},
	{"pays although it refuses for the limit of the night", "cash-out.night-limit", despite(cashOut, overNight, set("value", `1.00`))},
}

var (
	overTransaction = refusedAs("PIX_TRANSACTION_LIMIT_EXCEEDED")
	overDay         = refusedAs("PIX_DAILY_LIMIT_EXCEEDED")
	overNight       = refusedAs("PIX_NIGHT_LIMIT_EXCEEDED")
)
