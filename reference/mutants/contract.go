package mutants

var contractMutants = []Mutant{
	{"labels the answer to a token request as text", "contract.token", answering(token, always, header("Content-Type", "text/plain"))},
	{"gives a token in another field", "contract.token", answering(token, accepted, rename("", "access_token", "accessToken"))},
	{"refuses a token without a timestamp", "contract.token", answering(token, refused, drop("timestamp"))},
	{"repeats another status in a refused token request", "contract.token", answering(token, refused, set("statusCode", `200`))},

	{"gives the balance without data", "contract.balances", answering(balances, accepted, rename("", "data", "balances"))},
	{"gives a balance with three decimals", "contract.balances", answering(balances, accepted, set("data[0].balanceAmount.blocked", `0.001`))},
	{"gives what is blocked as null", "contract.balances", answering(balances, accepted, set("data[0].balanceAmount.blocked", `null`))},
	{"refuses a balance without its reason phrase", "contract.balances", answering(balances, refused, drop("error"))},

	{"gives a cash-out without its time", "contract.cash-out", answering(cashOut, accepted, drop("generateTime"))},
	{"gives a cash-out the status WAITING", "contract.cash-out", answering(cashOut, accepted, set("status", `"WAITING"`))},
	{"repeats another errorCode for want of money", "contract.cash-out", answering(cashOut, insufficient, set("errorCode", `"INSUFFICIENT"`))},
	{"gives another reason phrase for an invalid body", "contract.cash-out", answering(cashOut, refusedAs("HTTP_ERROR"), set("error", `"Unprocessable Entity"`))},
	{"labels refused cash-outs as problems", "contract.cash-out", answering(cashOut, refused, header("Content-Type", "application/problem+json"))},
	{"has a number among the messages", "contract.cash-out", answering(cashOut, refusedAs("HTTP_ERROR"), set("message", `["value is required",1]`))},

	{"gives yes for success", "contract.register-webhook", answering(registration, accepted, set("success", `"yes"`))},
	{"refuses a registration in the simple envelope", "contract.register-webhook", answering(registration, refused, drop("code"), drop("userMessage"), drop("errorId"))},
	{"answers a registration with 207", "contract.register-webhook", answering(registration, accepted, status(207))},

	{"gives a list of webhooks and nothing around it", "contract.list-webhooks", answering(list, accepted, rewritten(func(b []byte) []byte { v, _ := lookup(b, "webhooks"); return encode(v) }))},
	{"counts a list in text", "contract.list-webhooks", answering(list, accepted, quoted("total"))},
	{"gives the type of a registration in capitals", "contract.list-webhooks", answering(list, accepted, set("webhooks[].type", `"CASH_OUT"`))},
	{"gives a registration without its time", "contract.list-webhooks", answering(list, accepted, drop("webhooks[].createdAt"))},
	{"refuses a list without an errorId", "contract.list-webhooks", answering(list, refused, drop("errorId"))},

	{"sends the final amount as text", "contract.cash-out-event", sending(always, quoted("finalAmount"))},
	{"sends no end-to-end id", "contract.cash-out-event", sending(always, drop("endToEndId"))},
	{"sends a fee with three decimals", "contract.cash-out-event", sending(always, set("feeAmount", `0.005`))},
	{"sends an errorCode that nobody knows", "contract.cash-out-event", sending(failed, set("errorCode", `"UNKNOWN"`))},
	{"sends an errorMessage with a confirmation", "contract.cash-out-event", sending(confirmed, set("errorMessage", `"ok"`))},
	{"sends a cash-out as a credit", "contract.cash-out-event", sending(always, set("movementType", `"CREDIT"`))},
}
