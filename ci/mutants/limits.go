package mutants

import (
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var limitMutants = []row{
	{"ignores the account's per-transaction limit", "cash-out.own-limits", misreading(limits, sent("perTransaction"), set("perTransaction", `null`))},
	{"ignores the account's daily limit", "cash-out.own-limits", misreading(limits, sent("daily"), set("daily", `null`))},
	{"ignores the account's night limit", "cash-out.own-limits", misreading(limits, sent("night"), set("night", `null`))},
	{"returns 422 above any limit of the account", "cash-out.own-limits", answering(cashOut, refused, status(422))},
	{"rejects a payment above the limit but debits the limit", "cash-out.own-limits", despite(cashOut, overTransaction, set("value", `1.00`))},

	{"enforces a lower per-transaction limit than it states", "cash-out.transaction-limit", misreading(limits, sent("perTransaction"), plus("perTransaction", -100))},
	{"allows a centavo above the per-transaction limit", "cash-out.transaction-limit", misreading(limits, sent("perTransaction"), plus("perTransaction", 1))},
	{"reports the per-transaction limit as the daily limit", "cash-out.transaction-limit", answering(cashOut, overTransaction, code(api.AboveDaily))},
	{"rejects a payment above the per-transaction limit but pays up to it", "cash-out.transaction-limit", despite(cashOut, overTransaction, plus("value", -1))},

	{"has no daily limit", "cash-out.daily-limit", misreading(limits, sent("daily"), set("daily", `null`))},
	{"has no daily limit", "cash-out.daily-limit", sometimes(EverySecond, misreading(limits, sent("daily"), set("daily", `null`)))},
	{"applies the daily limit to each payment separately", "cash-out.daily-limit", accepting(cashOut, all(overDay, after(1, cashOut, byTheSame, taken)), set("value", `0.01`))},
	{"reports the daily limit as the per-transaction limit", "cash-out.daily-limit", both(
		misreading(limits, sent("daily"), rename("", "daily", "perTransaction")),
		answering(cashOut, overTransaction, code(api.AboveDaily)))},
	{"enforces a lower daily limit than it states", "cash-out.daily-limit", misreading(limits, sent("daily"), plus("daily", -100))},
	{"counts rejected payments towards the daily limit", "cash-out.daily-limit", refusing(cashOut, after(1, cashOut, byTheSame, answered(overDay)), 400, api.AboveDaily)},
	{"never resets the daily total", "cash-out.daily-limit", ignoring(clock, matching("advance", `^[0-9]{5,}s$`))},
	{"starts the day at 22:00", "cash-out.daily-limit", misreading(clock, sent("now"), later(2*time.Hour))},
	{"exceeds the daily limit for concurrent requests", "cash-out.daily-limit", accepting(cashOut, all(overDay, concurrent), set("value", `0.01`))},
	{"exceeds the daily limit for concurrent requests", "cash-out.daily-limit", sometimes(EverySecond, accepting(cashOut, all(overDay, concurrent), set("value", `0.01`)))},
	{"returns 429 above the daily limit", "cash-out.daily-limit", answering(cashOut, overDay, status(429))},
	{"rejects a payment above the daily limit but debits it", "cash-out.daily-limit", despite(cashOut, overDay, set("value", `1.00`))},
	{"rejects a payment above the daily limit but debits it", "cash-out.daily-limit", sometimes(EveryThird, despite(cashOut, overDay, set("value", `1.00`)))},

	{"enforces a lower limit for QR cash-outs than it states", "cash-out.limits-of-qr", misreading(limits, sent("perTransaction"), plus("perTransaction", -100))},
	{"returns 500 for a QR cash-out above the per-transaction limit", "cash-out.limits-of-qr", answering(qrCashOut, overTransaction, status(500))},
	{"returns 500 for a QR cash-out above the daily limit", "cash-out.limits-of-qr", answering(qrCashOut, overDay, status(500))},

	{"has no night limit", "cash-out.night-limit", misreading(limits, sent("night"), set("night", `null`))},
	{"applies the night limit by day too", "cash-out.night-limit", both(
		misreading(limits, sent("night"), rename("", "night", "perTransaction")),
		answering(cashOut, overTransaction, code(api.AboveNight)))},
	{"starts the night three hours late", "cash-out.night-limit", misreading(clock, sent("now"), later(-3*time.Hour))},
	{"applies the night limit from 22:00 to 08:00", "cash-out.night-limit", misreading(clock, sent("now"), later(-2*time.Hour))},
	{"starts the night in São Paulo time and ends it in UTC", "cash-out.night-limit", misreading(clock, matching("now", `T0[678]:`), later(3*time.Hour))},
	{"confuses noon and midnight", "cash-out.night-limit", misreading(clock, sent("now"), later(-12*time.Hour))},
	{"enforces a lower night limit than it states", "cash-out.night-limit", misreading(limits, sent("night"), plus("night", -100))},
	{"reports the night limit as the per-transaction limit", "cash-out.night-limit", answering(cashOut, overNight, code(api.AboveTransaction))},
	{"rejects a payment above the night limit but debits it", "cash-out.night-limit", despite(cashOut, overNight, set("value", `1.00`))},
}

var (
	overTransaction = refusedAs(api.AboveTransaction)
	overDay         = refusedAs(api.AboveDaily)
	overNight       = refusedAs(api.AboveNight)
)
