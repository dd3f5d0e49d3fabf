package mutants

import (
	"strconv"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var cashInMutants = []row{
	{"rejects splits of a company's cash-in", "cash-in.shapes", refusing(cashIn, all(company("payer.document"), sent("splits")), 400, api.HTTPError)},
	{"requires additionalInfo next to an expirationTime", "cash-in.shapes", refusing(cashIn, all(sent("transaction.generateQrCode", "true"), lacking("additionalInfo")), 400, api.HTTPError)},

	{"returns 200 for a cash-in", "cash-in.accepted", answering(cashIn, accepted, status(200))},
	{"confirms a cash-in immediately", "cash-in.accepted", answering(cashIn, accepted, set("status", `"CONFIRMED"`))},
	{"returns a cash-in without its externalId", "cash-in.accepted", answering(cashIn, accepted, drop("externalId"))},
	{"labels São Paulo time as UTC in a cash-in", "cash-in.accepted", answering(cashIn, accepted, stamped(mislabelled, saoPaulo))},
	{"returns a correlationId that is not a UUID", "cash-in.accepted", answering(cashIn, accepted, replaced("correlationId", "-", ""))},
	{"returns the same transactionId for every cash-in", "cash-in.accepted", answering(cashIn, accepted, set("transactionId", `"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"`))},
	{"returns the same code for every cash-in", "cash-in.accepted", answering(cashIn, accepted, set("pixCode", `"`+anyCode+`"`))},
	{"returns a URL instead of the code", "cash-in.accepted", answering(cashIn, accepted, set("pixCode", `"https://pix.example.com/1"`))},
	{"does not return when a cash-in expires", "cash-in.accepted", answering(cashIn, accepted, drop("expirationDate"))},
	{"credits a cash-in before it is paid", "cash-in.accepted", answering(balances, after(1, cashIn, byTheSame, taken), plus(available, 1000))},
	{"blocks money for a cash-in", "cash-in.accepted", answering(balances, after(1, cashIn, byTheSame, taken), plus(blocked, 1000))},
	{"does not list a cash-in that is unpaid", "cash-in.accepted", answering(transactions, accepted, set("data", `[]`))},
	{"lists a cash-in as a DEBIT", "cash-in.accepted", answering(transactions, accepted, set("data[].movementType", `"DEBIT"`))},

	{"returns codes with a wrong CRC", "cash-in.code", answering(cashIn, accepted, replaced("pixCode", "br.gov.bcb.pix", "BR.GOV.BCB.PIX"))},
	{"creates a code without the centavos", "cash-in.code", refusing(cashIn, cents("transaction.value"), 500, api.HTTPError)},

	{"accepts a cash-in without a transaction", "cash-in.transaction", accepting(cashIn, lacking("transaction"), transaction)},
	{"accepts anything as a transaction", "cash-in.transaction", accepting(cashIn, kind("transaction", "text", "list"), transaction)},
	{"does not name the missing transaction", "cash-in.transaction", answering(cashIn, refused, nameless)},
	{"uses its own code for a missing transaction", "cash-in.transaction", answering(cashIn, refused, code("TRANSACTION_REQUIRED"))},

	{"rejects a cash-in of one centavo", "cash-in.value", refusing(cashIn, equals("transaction.value", "0.01"), 400, api.HTTPError)},
	{"requires two decimals in a cash-in", "cash-in.value", refusing(cashIn, decimals("transaction.value", 0, 1), 400, api.HTTPError)},
	{"rejects decimals in a cash-in", "cash-in.value", refusing(cashIn, cents("transaction.value"), 400, api.HTTPError)},
	{"accepts a cash-in of R$ 0.00 or less", "cash-in.value", accepting(cashIn, either(equals("transaction.value", "0"), below("transaction.value", "0")), set("transaction.value", `0.01`))},
	{"rounds the value of a cash-in", "cash-in.value", accepting(cashIn, finer("transaction.value"), set("transaction.value", `0.01`))},
	{"accepts a cash-in without a value", "cash-in.value", accepting(cashIn, lacking("transaction.value"), set("transaction.value", `1.00`))},
	{"accepts anything as the value of a cash-in", "cash-in.value", accepting(cashIn, kind("transaction.value", "object", "word"), set("transaction.value", `1.00`))},
	{"returns 500 for the value of a cash-in in quotes", "cash-in.left-open", refusing(cashIn, kind("transaction.value", "quoted"), 500, api.HTTPError)},
	{"returns the cash-out code for an invalid value of a cash-in", "cash-in.value", answering(cashIn, refused, code(api.InvalidAmount))},
	{"does not name the invalid value of a cash-in", "cash-in.value", answering(cashIn, refused, nameless)},
	{"lists a cash-in that it rejects", "cash-in.value", despite(cashIn, equals("transaction.value", "0"), set("transaction.value", `0.01`))},

	{"rejects a description of one character", "cash-in.description", refusing(cashIn, not(longer("transaction.description", 1)), 400, api.HTTPError)},
	{"rejects a cash-in description of 140 characters", "cash-in.description", refusing(cashIn, longer("transaction.description", api.MostDescription-1), 400, api.HTTPError)},
	{"accepts a cash-in description of 141 characters", "cash-in.description", accepting(cashIn, longer("transaction.description", api.MostDescription), set("transaction.description", `"x"`))},
	{"accepts an empty description of a cash-in", "cash-in.description", accepting(cashIn, kind("transaction.description", "blank"), set("transaction.description", `"x"`))},
	{"accepts a cash-in without a description", "cash-in.description", accepting(cashIn, lacking("transaction.description"), set("transaction.description", `"x"`))},
	{"accepts an object as the description of a cash-in", "cash-in.description", accepting(cashIn, kind("transaction.description", "object"), set("transaction.description", `"x"`))},
	{"does not name the invalid description of a cash-in", "cash-in.description", answering(cashIn, refused, nameless)},

	{"accepts a cash-in without an externalId", "cash-in.external-id", accepting(cashIn, lacking("transaction.externalId"), fresh("transaction.externalId"))},
	{"accepts an empty externalId of a cash-in", "cash-in.external-id", accepting(cashIn, kind("transaction.externalId", "blank"), fresh("transaction.externalId"))},
	{"accepts an object as the externalId of a cash-in", "cash-in.external-id", accepting(cashIn, kind("transaction.externalId", "object"), fresh("transaction.externalId"))},
	{"does not name the missing externalId of a cash-in", "cash-in.external-id", answering(cashIn, refused, nameless)},

	{"creates a second charge for a used externalId", "cash-in.duplicate-external-id", accepting(cashIn, duplicate, fresh("transaction.externalId"))},
	{"returns the first charge for a repeated cash-in", "cash-in.duplicate-external-id", repeating(cashIn, byTheSame, taken, same("transaction.externalId"))},
	{"returns 422 for a repeated cash-in", "cash-in.duplicate-external-id", answering(cashIn, duplicate, status(422))},
	{"returns details as a string for a repeated cash-in", "cash-in.duplicate-external-id", answering(cashIn, duplicate, set("details", `"used"`))},
	{"lists a repeated cash-in again", "cash-in.duplicate-external-id", answering(transactions, accepted, doubled("data[0]"))},
	{"creates several charges for concurrent requests with one externalId", "cash-in.duplicate-external-id", accepting(cashIn, all(duplicate, concurrent), fresh("transaction.externalId"))},
	{"creates several charges for concurrent requests with one externalId", "cash-in.duplicate-external-id", sometimes(EverySecond, accepting(cashIn, all(duplicate, concurrent), fresh("transaction.externalId")))},
	{"rejects the externalId of another account's cash-in", "cash-in.duplicate-external-id", refusing(cashIn, after(1, cashIn, byAnother, taken, same("transaction.externalId")), 400, api.DuplicateExternalID)},

	{"returns an empty qrCodeImage when no image was requested", "cash-in.qr-code-image", answering(cashIn, all(accepted, sent("transaction.generateQrCode", `false`)), set("qrCodeImage", `""`))},
	{"returns an image when none was requested", "cash-in.qr-code-image", misreading(cashIn, not(kind("transaction.generateQrCode", "text", "object")), set("transaction.generateQrCode", `true`))},
	{"returns a link instead of the image", "cash-in.qr-code-image", answering(cashIn, all(accepted, sent("transaction.generateQrCode", `true`)), set("qrCodeImage", `"https://pix.example.com/1.png"`))},
	{"accepts the word yes as true", "cash-in.qr-code-image", accepting(cashIn, kind("transaction.generateQrCode", "text"), set("transaction.generateQrCode", `true`))},
	{"accepts an object as true", "cash-in.qr-code-image", accepting(cashIn, kind("transaction.generateQrCode", "object"), set("transaction.generateQrCode", `true`))},
	{"does not name the invalid generateQrCode", "cash-in.qr-code-image", answering(cashIn, refused, nameless)},

	{"accepts a cash-in without a payer", "cash-in.payer", accepting(cashIn, lacking("payer"), payer)},
	{"accepts a string as a payer", "cash-in.payer", accepting(cashIn, kind("payer", "text"), payer)},
	{"rejects a payer's name of 100 characters", "cash-in.payer", refusing(cashIn, longer("payer.fullName", api.MostName-1), 400, api.HTTPError)},
	{"accepts a payer's name of 101 characters", "cash-in.payer", accepting(cashIn, longer("payer.fullName", api.MostName), payer)},
	{"accepts a payer without a name", "cash-in.payer", accepting(cashIn, all(sent("payer"), lacking("payer.fullName")), payer)},
	{"accepts an object as a payer's name", "cash-in.payer", accepting(cashIn, kind("payer.fullName", "object"), payer)},
	{"rejects a payer with a CPF", "cash-in.payer", refusing(cashIn, matching("payer.document", `^\d{11}$`), 400, api.HTTPError)},
	{"rejects a payer with a CNPJ", "cash-in.payer", refusing(cashIn, matching("payer.document", `^\d{14}$`), 400, api.HTTPError)},
	{"accepts a payer without a document", "cash-in.payer", accepting(cashIn, all(sent("payer"), lacking("payer.document")), payer)},
	{"accepts an object as a payer's document", "cash-in.payer", accepting(cashIn, kind("payer.document", "object"), payer)},
	{"accepts any digits as a payer's document", "cash-in.payer", accepting(cashIn, matching("payer.document", `^\d+$`), payer)},
	{"does not name what is wrong with the payer", "cash-in.payer", answering(cashIn, refused, nameless)},
	{"uses its own code for an invalid payer", "cash-in.payer", answering(cashIn, refused, code("INVALID_PAYER"))},
	{"does not credit a payment from another payer", "cash-in.payer", ignoring(payment, sent("payer"))},
	{"sends no event for a payment from another payer", "cash-in.payer", ignoring(event, always)},

	{"requires additionalInfo", "cash-in.additional-info", refusing(cashIn, unsent("additionalInfo"), 400, api.HTTPError)},
	{"rejects an empty additionalInfo", "cash-in.additional-info", refusing(cashIn, kind("additionalInfo", "no members"), 400, api.HTTPError)},
	{"rejects any additionalInfo", "cash-in.additional-info", refusing(cashIn, pairs("additionalInfo", 0), 400, api.HTTPError)},
	{"accepts at most 9 pairs", "cash-in.additional-info", refusing(cashIn, pairs("additionalInfo", 9), 400, api.HTTPError)},
	{"accepts 11 pairs", "cash-in.additional-info", accepting(cashIn, pairs("additionalInfo", 10), drop("additionalInfo"))},
	{"accepts objects within additionalInfo", "cash-in.additional-info", accepting(cashIn, kind("additionalInfo[]", "object"), drop("additionalInfo"))},
	{"accepts a string as additionalInfo", "cash-in.additional-info", accepting(cashIn, kind("additionalInfo", "text"), drop("additionalInfo"))},
	{"does not name the invalid additionalInfo", "cash-in.additional-info", answering(cashIn, refused, nameless)},
	{"returns 500 for a number within additionalInfo", "cash-in.additional-info", refusing(cashIn, kind("additionalInfo[]", "number"), 500, api.HTTPError)},

	{"accepts a cash-in without a token", "cash-in.unauthorized", pretending(cashIn, was(401))},
	{"returns 403 for a cash-in without a token", "cash-in.unauthorized", answering(cashIn, was(401), status(403))},
	{"returns UNAUTHORIZED for a cash-in without a token", "cash-in.unauthorized", answering(cashIn, was(401), code("UNAUTHORIZED"))},

	{"joins all messages for an invalid cash-in into one", "cash-in.validation", answering(cashIn, refused, joined("message"))},
	{"stops at the first invalid field of a cash-in", "cash-in.validation", answering(cashIn, refused, firstOf("message"))},
	{"does not name the invalid fields of a cash-in", "cash-in.validation", answering(cashIn, refused, nameless)},
	{"returns 500 for a cash-in that is not JSON", "cash-in.validation", answering(cashIn, all(refused, notJSON), status(500))},
	{"uses its own code for an invalid cash-in", "cash-in.validation", answering(cashIn, refused, code("VALIDATION_ERROR"))},

	{"returns 500 for a fraction of a second", "cash-in.left-open", refusing(cashIn, decimals("transaction.expirationTime", 1, 99), 500, api.HTTPError)},
	{"returns 422 for a zero as third decimal of a cash-in", "cash-in.left-open", refusing(cashIn, thirdZero("transaction.value"), 422, api.HTTPError)},
	{"returns 422 for a payer's wrong check digits", "cash-in.left-open", refusing(cashIn, wrongCheckDigits("payer.document"), 422, api.HTTPError)},
	{"returns 500 for letters in a CNPJ", "cash-in.left-open", refusing(cashIn, matching("payer.document", `[A-Z]`), 500, api.HTTPError)},
	{"returns 500 for an unknown X-Sandbox-Scenario of a cash-in", "cash-in.left-open", refusing(cashIn, under(scenarioHeader, `.`), 500, api.HTTPError)},

	{"rejects a cash-in without X-Sandbox-Scenario", "cash-in.sandbox-scenario", refusing(cashIn, under(scenarioHeader, `^$`), 400, api.HTTPError)},
	{"returns 500 for the failure scenarios of the sandbox for a cash-in", "cash-in.sandbox-scenario", refusing(cashIn, under(scenarioHeader, `^error`), 500, api.HTTPError)},
	{"confirms a cash-in with a sandbox scenario immediately", "cash-in.sandbox-scenario", answering(cashIn, all(accepted, under(scenarioHeader, `^success$`)), set("status", `"CONFIRMED"`))},

	{"rejects an expirationTime of seven days", "cash-in.expiration-time", refusing(cashIn, equals("transaction.expirationTime", longestCashIn), 400, api.HTTPError)},
	{"expires every charge after a day at most", "cash-in.expiration-time", misreading(cashIn, equals("transaction.expirationTime", longestCashIn), set("transaction.expirationTime", `86400`))},
	{"returns 422 for an expirationTime of 30", "cash-in.expiration-time", refusing(cashIn, equals("transaction.expirationTime", "30"), 422, api.HTTPError)},
	{"accepts an expirationTime of 29", "cash-in.expiration-time", accepting(cashIn, all(above("transaction.expirationTime", "0"), below("transaction.expirationTime", "30")), set("transaction.expirationTime", `30`))},
	{"accepts an expirationTime of 0 or less", "cash-in.expiration-time", accepting(cashIn, below("transaction.expirationTime", "1"), drop("transaction.expirationTime"))},
	{"accepts an expirationTime of 604801", "cash-in.expiration-time", accepting(cashIn, above("transaction.expirationTime", longestCashIn), set("transaction.expirationTime", longestCashIn))},
	{"accepts anything as an expirationTime", "cash-in.expiration-time", accepting(cashIn, kind("transaction.expirationTime", "word", "object"), drop("transaction.expirationTime"))},
	{"does not name the invalid expirationTime", "cash-in.expiration-time", answering(cashIn, refused, nameless)},
	{"returns 500 for an expirationTime in quotes", "cash-in.left-open", refusing(cashIn, kind("transaction.expirationTime", "quoted"), 500, api.HTTPError)},

	{"expires a charge after an hour by default", "cash-in.expiration-date", misreading(cashIn, unsent("transaction.expirationTime"), set("transaction.expirationTime", `3600`))},
	{"expires every charge after a day", "cash-in.expiration-date", misreading(cashIn, sent("transaction.expirationTime"), set("transaction.expirationTime", `86400`))},
	{"labels São Paulo time as UTC in an expirationDate", "cash-in.expiration-date", answering(cashIn, accepted, retold("expirationDate", inSaoPaulo))},

	{"ignores the provider's minimum", "cash-in.provider-minimum", ignoring(faults, always)},
	{"returns another errorCode below the provider's minimum", "cash-in.provider-minimum", answering(cashIn, refused, set("errorCode", `"EXPIRATION_TOO_SHORT"`))},
	{"returns another code below the provider's minimum", "cash-in.provider-minimum", answering(cashIn, refused, set("code", `"EXPIRATION_TOO_SHORT"`))},
	{"returns 422 below the provider's minimum", "cash-in.provider-minimum", answering(cashIn, refused, status(422))},
	{"requires one second more than the provider's minimum", "cash-in.provider-minimum", misreading(faults, always, set("minimumExpiration", `301`))},

	{"accepts a cash-in while the provider is unreachable", "cash-in.provider-failure", ignoring(faults, always)},
	{"returns 503 for a cash-in while the provider is unreachable", "cash-in.provider-failure", answering(cashIn, was(500), status(503))},
	{"returns PROVIDER_ERROR while the provider is unreachable", "cash-in.provider-failure", answering(cashIn, was(500), code("PROVIDER_ERROR"))},
	{"rejects cash-ins after the provider has recovered", "cash-in.provider-failure", refusing(cashIn, after(1, cashIn, byTheSame, answered(was(500))), 500, api.HTTPError)},

	{"lists an unpaid cash-in as failed", "cash-in.unpaid", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"Error"`))},
	{"ignores a payment shortly before expiry", "cash-in.unpaid", ignoring(payment, always)},
	{"credits a charge that expires", "cash-in.unpaid", leaving(clock, always, windfall)},
	{"lists an expired cash-in as confirmed", "cash-in.unpaid", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"Confirmado"`))},

	{"does not credit a paid cash-in", "cash-in.paid", ignoring(payment, always)},
	{"credits a paid cash-in with more than was paid", "cash-in.paid", leaving(payment, accepted, windfall)},
	{"blocks the payment of a cash-in", "cash-in.paid", answering(balances, accepted, sum(blocked, available))},
	{"lists a paid cash-in as pending", "cash-in.paid", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"lists a paid cash-in as CONFIRMED", "cash-in.paid", answering(transactions, accepted, set("data[].operationType", `"PAYMENT"`))},
	{"does not list the end-to-end id of a paid cash-in", "cash-in.paid", answering(transactions, accepted, drop("data[].endToEndId"))},
	{"does not list when a cash-in was paid", "cash-in.paid", answering(transactions, accepted, set("data[].processedAt", `null`))},
	{"sends no event for a paid cash-in", "cash-in.paid", ignoring(event, always)},

	{"credits the second payment of a cash-in", "cash-in.paid-once", leaving(payment, was(409), windfall)},
	{"lists the second payment of a cash-in", "cash-in.paid-once", answering(transactions, accepted, doubled("data[0]"))},
	{"debits a received payment when its charge expires", "cash-in.paid-once", leaving(clock, always, "0.00")},
	{"lists a cash-in as failed after its expiry", "cash-in.paid-once", answering(transactions, accepted, set("data[].status", `"Error"`))},
}

var (
	transaction = together(set("transaction", `{"value":1.00,"description":"x","expirationTime":86400}`), fresh("transaction.externalId"))
	payer       = set("payer", `{"fullName":"Beltrana da Silva","document":"11144477735"}`)
	nameless    = set("message", `["a field is invalid"]`)

	longestCashIn = strconv.Itoa(int(api.MostCashIn.Seconds())) // expirationTime
)

// inSaoPaulo writes a UTC time as it is in São Paulo, and calls it UTC still.
func inSaoPaulo(s string) string {
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t.In(saoPaulo).Format(mislabelled)
	}
	return s
}
