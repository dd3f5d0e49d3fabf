package mutants

import "time"

// chargeLifeMutants are about how long a cash-in can be paid.
var chargeLifeMutants = []Mutant{
	{"refuses an expirationTime of seven days", "cash-in.expiration-time", refusing(cashIn, sent("transaction.expirationTime", `604800`), 400, "HTTP_ERROR")},
	{"lets no charge live for longer than a day", "cash-in.expiration-time", misreading(cashIn, sent("transaction.expirationTime", `604800`), set("transaction.expirationTime", `86400`))},
	{"answers an expirationTime of 30 with 422", "cash-in.expiration-time", refusing(cashIn, sent("transaction.expirationTime", `30`), 422, "HTTP_ERROR")},
	{"takes an expirationTime of 29", "cash-in.expiration-time", accepting(cashIn, sent("transaction.expirationTime", `29`), set("transaction.expirationTime", `30`))},
	{"takes an expirationTime of 0 or less", "cash-in.expiration-time", accepting(cashIn, sent("transaction.expirationTime", `0`, `-1`), drop("transaction.expirationTime"))},
	{"takes an expirationTime of 604801", "cash-in.expiration-time", accepting(cashIn, sent("transaction.expirationTime", `604801`), set("transaction.expirationTime", `604800`))},
	{"takes anything for an expirationTime", "cash-in.expiration-time", accepting(cashIn, sent("transaction.expirationTime", `"abc"`, `{}`), drop("transaction.expirationTime"))},
	{"does not name the invalid expirationTime", "cash-in.expiration-time", answering(cashIn, refused, nameless)},
	{"breaks down over an expirationTime in quotes", "cash-in.expiration-time", refusing(cashIn, sent("transaction.expirationTime", `"3600"`), 500, "HTTP_ERROR")},

	{"lets a charge live for an hour by default", "cash-in.expiration-date", misreading(cashIn, unsent("transaction.expirationTime"), set("transaction.expirationTime", `3600`))},
	{"lets every charge live for a day", "cash-in.expiration-date", misreading(cashIn, sent("transaction.expirationTime"), set("transaction.expirationTime", `86400`))},
	{"labels the time of São Paulo Z in an expirationDate", "cash-in.expiration-date", answering(cashIn, accepted, retold("expirationDate", inSaoPaulo))},

	{"does not ask for the provider's minimum", "cash-in.provider-minimum", ignoring(faults, always)},
	{"calls the provider's minimum by another errorCode", "cash-in.provider-minimum", answering(cashIn, refused, set("errorCode", `"EXPIRATION_TOO_SHORT"`))},
	{"calls the provider's minimum by another code", "cash-in.provider-minimum", answering(cashIn, refused, set("code", `"EXPIRATION_TOO_SHORT"`))},
	{"answers the provider's minimum with 422", "cash-in.provider-minimum", answering(cashIn, refused, status(422))},
	{"wants a second more than the provider", "cash-in.provider-minimum", misreading(faults, always, set("minimumExpiration", `301`))},

	{"reaches a provider that is unreachable for a cash-in", "cash-in.provider-failure", ignoring(faults, always)},
	{"answers an unreachable provider of cash-ins with 503", "cash-in.provider-failure", answering(cashIn, was(500), status(503))},
	{"calls an unreachable provider PROVIDER_ERROR", "cash-in.provider-failure", answering(cashIn, was(500), code("PROVIDER_ERROR"))},
	{"charges nobody once the provider has failed", "cash-in.provider-failure", refusing(cashIn, after(1, cashIn, byTheSame, answered(was(500))), 500, "HTTP_ERROR")},

	{"lists an unpaid cash-in as failed", "cash-in.unpaid", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"Error"`))},
	{"forgets who pays shortly before the expiry", "cash-in.unpaid", ignoring(payment, always)},
	{"credits a charge that expires", "cash-in.unpaid", leaving(clock, always, "10.00")},
	{"lists an expired cash-in as confirmed", "cash-in.unpaid", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"Confirmado"`))},

	{"does not credit a paid cash-in", "cash-in.paid", ignoring(payment, always)},
	{"credits a paid cash-in twice", "cash-in.paid", leaving(payment, accepted, "20.00")},
	{"blocks what arrives for a cash-in", "cash-in.paid", answering(balances, accepted, sum(blocked, available))},
	{"lists a paid cash-in as pending", "cash-in.paid", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"lists a paid cash-in by the name of the filter", "cash-in.paid", answering(transactions, accepted, set("data[].operationType", `"PAYMENT"`))},
	{"does not list the end-to-end id of a paid cash-in", "cash-in.paid", answering(transactions, accepted, drop("data[].endToEndId"))},
	{"does not list when a cash-in was paid", "cash-in.paid", answering(transactions, accepted, set("data[].processedAt", `null`))},
	{"sends no word of a paid cash-in", "cash-in.paid", ignoring(event, always)},

	{"credits the second payment of a cash-in", "cash-in.paid-once", leaving(payment, was(409), "30.00")},
	{"lists the second payment of a cash-in", "cash-in.paid-once", answering(transactions, accepted, doubled("data[0]"))},
	{"takes a payment back when its charge expires", "cash-in.paid-once", leaving(clock, always, "0.00")},
	{"lists a cash-in as failed after its expiry", "cash-in.paid-once", answering(transactions, accepted, set("data[].status", `"Error"`))},
}

// inSaoPaulo writes a UTC time as it is in São Paulo, and calls it UTC still.
func inSaoPaulo(s string) string {
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t.In(saoPaulo).Format(mislabelled)
	}
	return s
}
