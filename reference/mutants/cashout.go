package mutants

import "time"

// payee is a destination with nothing wrong in it; email repairs a key and its type.
const payee = `{"key":"fulano@example.com","keyType":"EMAIL","name":"Fulano de Tal","document":"52998224725"}`

var email = together(set("details.key", `"fulano@example.com"`), set("details.keyType", `"EMAIL"`))

var orderMutants = []Mutant{
	{"answers a cash-out with 200", "cash-out.accepted", answering(cashOut, accepted, status(200))},
	{"numbers its transactions", "cash-out.accepted", answering(cashOut, accepted, set("transactionId", `4711`))},
	{"gives a transactionId that is no UUID", "cash-out.accepted", answering(cashOut, accepted, replaced("transactionId", "-", ""))},
	{"gives every cash-out the same transactionId", "cash-out.accepted", answering(cashOut, accepted, set("transactionId", `"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"`))},
	{"does not repeat the externalId", "cash-out.accepted", answering(cashOut, accepted, drop("externalId"))},
	{"answers with an externalId of its own", "cash-out.accepted", answering(cashOut, accepted, fresh("externalId"))},
	{"confirms a cash-out at once", "cash-out.accepted", answering(cashOut, accepted, set("status", `"CONFIRMED"`))},
	{"calls a pending cash-out PROCESSING", "cash-out.accepted", answering(cashOut, accepted, set("status", `"PROCESSING"`))},
	{"tells the time of a cash-out in São Paulo", "cash-out.accepted", answering(cashOut, accepted, stamped(time.RFC3339, saoPaulo))},
	{"labels the time of São Paulo Z in a cash-out", "cash-out.accepted", answering(cashOut, accepted, stamped(mislabelled, saoPaulo))},
	{"answers with a correlationId", "cash-out.accepted", answering(cashOut, accepted, fresh("correlationId"))},

	{"debits a cash-out twice", "cash-out.debit", doubling(cashOut, always, fresh("externalId"))},
	{"takes a cash-out and forgets it", "cash-out.debit", ignoring(cashOut, always)},
	{"debits a cash-out only once it is settled", "cash-out.debit", answering(balances, accepted, sum("data[0].balanceAmount.available", "data[0].balanceAmount.available", "data[0].balanceAmount.blocked"))},
	{"gives the money of a confirmed cash-out back", "cash-out.debit", both(
		misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank),
		sending(always, confirmedAfterAll))},
	{"takes the fee twice", "cash-out.debit", misreading(fees, always, times("cashOut", 2, 1))},
	{"reckons debits in floating point and cuts", "cash-out.debit", misreading(cashOut, sent("value"), binary("value"))},
	{"debits in tenths", "cash-out.debit", misreading(cashOut, sent("value"), plus("value", 9), rounded("value", 10))},
	{"loses a centavo of a very large debit", "cash-out.debit", misreading(cashOut, written(`"value":\d{14}`), plus("value", -1))},

	{"refuses a cash-out without X-Sandbox-Scenario", "cash-out.sandbox-scenario", refusing(cashOut, under(scenarioHeader, `^$`), 400, "HTTP_ERROR")},
	{"breaks down over an unknown X-Sandbox-Scenario", "cash-out.sandbox-scenario", answering(cashOut, under(scenarioHeader, `.`), status(500))},
	{"answers an unknown X-Sandbox-Scenario with 422", "cash-out.sandbox-scenario", answering(cashOut, under(scenarioHeader, `.`), status(422))},

	{"takes no notice of X-Sandbox-Scenario", "cash-out.sandbox-scenario", misreading(cashOut, always, withoutHeaders(`^X-Sandbox`))},
	{"refuses the sandbox scenario of a success", "cash-out.sandbox-scenario", refusing(cashOut, under(scenarioHeader, `^success$`), 400, "HTTP_ERROR")},
	{"answers a sandbox scenario of a failure with ERROR at once", "cash-out.sandbox-scenario", answering(cashOut, all(accepted, under(scenarioHeader, `^error`)), set("status", `"ERROR"`))},
	{"takes the sandbox scenario of a blocked account for another holder's", "cash-out.sandbox-scenario", misreading(cashOut, under(scenarioHeader, `^error:account`), header(scenarioHeader, "error:document-mismatch"))},

	{"breaks down over an exponent", "cash-out.left-open", refusing(cashOut, written(`"value":\d+[eE]`), 500, "HTTP_ERROR")},
	{"answers a zero as third decimal with 422", "cash-out.left-open", refusing(cashOut, sent("value", `1.230`), 422, "HTTP_ERROR")},
	{"answers an empty externalId with 422", "cash-out.left-open", refusing(cashOut, sent("externalId", `""`), 422, "HTTP_ERROR")},
	{"breaks down over a description that is null", "cash-out.left-open", refusing(cashOut, sent("description", `null`), 500, "HTTP_ERROR")},
	{"has room for 140 bytes and breaks down over more", "cash-out.left-open", refusing(cashOut, matching("description", `ã{140}`), 500, "HTTP_ERROR")},
	{"answers unknown fields with 422", "cash-out.left-open", refusing(cashOut, sent("unknownField"), 422, "HTTP_ERROR")},
	{"answers an e-mail in capitals with 404", "cash-out.left-open", refusing(cashOut, matching("details.key", `@EXAMPLE`), 404, "HTTP_ERROR")},
	{"breaks down over a cash-out that is not JSON", "cash-out.left-open", answering(cashOut, all(refused, notJSON), status(500))},
	{"answers a cash-out of another content type with 406", "cash-out.left-open", refusing(cashOut, under("Content-Type", `^text/`), 406, "HTTP_ERROR")},
	{"takes the money of a cash-out that is not JSON", "cash-out.left-open", despite(cashOut, notJSON, body(`{"value":1.00,"details":`+payee+`}`), fresh("externalId"))},
}

const scenarioHeader = "X-Sandbox-Scenario"

var knownScenario = under(scenarioHeader, `^(success|error:|delayed:)`)

// orderFieldMutants are about the value, the externalId and the description.
var orderFieldMutants = []Mutant{
	{"takes a payment of R$ 0.00", "cash-out.value", accepting(cashOut, sent("value", `0`), set("value", `0.01`))},
	{"takes a payment of R$ 0.00 with its decimals", "cash-out.value", accepting(cashOut, sent("value", `0.00`), set("value", `0.01`))},
	{"takes a negative payment", "cash-out.value", accepting(cashOut, sent("value", `-1`), set("value", `1.00`))},
	{"takes a payment of minus one centavo", "cash-out.value", accepting(cashOut, sent("value", `-0.01`), set("value", `0.01`))},
	{"rounds a third decimal up to a centavo", "cash-out.value", accepting(cashOut, sent("value", `0.009`), set("value", `0.01`))},
	{"cuts a third decimal off", "cash-out.value", accepting(cashOut, sent("value", `1.234`), set("value", `1.23`))},
	{"takes a cash-out without a value", "cash-out.value", accepting(cashOut, unsent("value"), set("value", `0.01`))},
	{"takes a value of null", "cash-out.value", accepting(cashOut, sent("value", `null`), set("value", `0.01`))},
	{"takes an object for a value", "cash-out.value", accepting(cashOut, sent("value", `{}`), set("value", `0.01`))},
	{"takes a word for a value", "cash-out.value", accepting(cashOut, sent("value", `"abc"`), set("value", `0.01`))},
	{"refuses a payment of one centavo", "cash-out.value", refusing(cashOut, sent("value", `0.01`), 400, "PIX_INVALID_AMOUNT")},
	{"refuses a value with one decimal", "cash-out.value", refusing(cashOut, sent("value", `0.1`), 400, "PIX_INVALID_AMOUNT")},
	{"refuses a value without decimals", "cash-out.value", refusing(cashOut, sent("value", `10`), 400, "PIX_INVALID_AMOUNT")},
	{"takes a value without decimals for centavos", "cash-out.value", misreading(cashOut, written(`"value":\d+[,}]`), times("value", 1, 100))},
	{"takes one decimal for centavos", "cash-out.value", misreading(cashOut, sent("value", `0.1`), set("value", `0.01`))},
	{"answers an invalid value with 422", "cash-out.value", answering(cashOut, refusedAs("PIX_INVALID_AMOUNT"), status(422))},
	{"has an unknown code for an invalid value", "cash-out.value", answering(cashOut, refusedAs("PIX_INVALID_AMOUNT"), code("INVALID_VALUE"))},
	{"does not name the value that is no number", "cash-out.value", answering(cashOut, refusedAs("HTTP_ERROR"), set("message", `["invalid body"]`))},
	{"pays a centavo although it refuses less", "cash-out.value", despite(cashOut, sent("value", `0.001`), set("value", `0.01`))},

	{"takes a cash-out without an externalId", "cash-out.external-id", accepting(cashOut, unsent("externalId"), fresh("externalId"))},
	{"takes an object for an externalId", "cash-out.external-id", accepting(cashOut, sent("externalId", `{}`), fresh("externalId"))},
	{"takes an externalId of null", "cash-out.external-id", accepting(cashOut, sent("externalId", `null`), fresh("externalId"))},
	{"does not name the externalId that is missing", "cash-out.external-id", answering(cashOut, refused, set("message", `["a required field is missing"]`))},
	{"pays without an externalId although it refuses", "cash-out.external-id", despite(cashOut, unsent("externalId"), fresh("externalId"))},

	{"pays a used externalId again", "cash-out.duplicate-external-id", accepting(cashOut, duplicate, fresh("externalId"))},
	{"answers a used externalId with the first payment", "cash-out.duplicate-external-id", repeating(cashOut, byTheSame, taken, same("externalId"))},
	{"answers a used externalId with 409", "cash-out.duplicate-external-id", answering(cashOut, duplicate, status(409))},
	{"gives no details of a used externalId", "cash-out.duplicate-external-id", answering(cashOut, duplicate, drop("details"))},
	{"does not tell which payment used the externalId", "cash-out.duplicate-external-id", answering(cashOut, duplicate, drop("details.existingTransactionId"))},
	{"tells of a payment that does not exist", "cash-out.duplicate-external-id", answering(cashOut, duplicate, fresh("details.existingTransactionId"))},
	{"does not tell which externalId was used", "cash-out.duplicate-external-id", answering(cashOut, duplicate, drop("details.externalId"))},
	{"debits a used externalId although it refuses", "cash-out.duplicate-external-id", despite(cashOut, duplicate, fresh("externalId"))},
	{"pays another order under a used externalId", "cash-out.duplicate-external-id", accepting(cashOut,
		all(duplicate, after(1, cashOut, byTheSame, taken, same("externalId"), other("value"))), fresh("externalId"))},
	{"pays a used externalId again under another token", "cash-out.duplicate-external-id", accepting(cashOut,
		all(duplicate, after(1, cashOut, byTheSame, taken, same("externalId"), otherHeader("Authorization"))), fresh("externalId"))},
	{"pays one externalId several times when asked at once", "cash-out.duplicate-external-id", accepting(cashOut, all(duplicate, concurrent), fresh("externalId"))},
	{"knows externalIds across accounts", "cash-out.duplicate-external-id", refusing(cashOut, after(1, cashOut, byAnother, taken, same("externalId")), 400, "PIX_DUPLICATE_EXTERNAL_ID")},

	{"takes a description of 141 characters", "cash-out.description", accepting(cashOut, longer("description", 140), cut("description", 140))},
	{"takes an object for a description", "cash-out.description", accepting(cashOut, sent("description", `{}`), drop("description"))},
	{"refuses a cash-out without a description", "cash-out.description", refusing(cashOut, unsent("description"), 400, "HTTP_ERROR")},
	{"refuses a description of 140 characters", "cash-out.description", refusing(cashOut, longer("description", 139), 400, "HTTP_ERROR")},
	{"does not name the description that is too long", "cash-out.description", answering(cashOut, all(refused, longer("description", 140)), set("message", `["a text is too long"]`))},
}

var duplicate = refusedAs("PIX_DUPLICATE_EXTERNAL_ID")
