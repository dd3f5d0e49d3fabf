package mutants

var chargeMutants = []Mutant{
	{"answers a cash-in with 200", "cash-in.accepted", answering(cashIn, accepted, status(200))},
	{"confirms a cash-in at once", "cash-in.accepted", answering(cashIn, accepted, set("status", `"CONFIRMED"`))},
	{"answers a cash-in without its externalId", "cash-in.accepted", answering(cashIn, accepted, drop("externalId"))},
	{"labels the time of São Paulo Z in a cash-in", "cash-in.accepted", answering(cashIn, accepted, stamped(mislabelled, saoPaulo))},
	{"gives a correlationId that is no UUID", "cash-in.accepted", answering(cashIn, accepted, replaced("correlationId", "-", ""))},
	{"gives every cash-in the same transactionId", "cash-in.accepted", answering(cashIn, accepted, set("transactionId", `"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"`))},
	{"gives every cash-in the same correlationId", "cash-in.accepted", answering(cashIn, accepted, set("correlationId", `"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"`))},
	{"gives every cash-in the same code", "cash-in.accepted", answering(cashIn, accepted, set("pixCode", `"`+anyCode+`"`))},
	{"gives a page where the code should be", "cash-in.accepted", answering(cashIn, accepted, set("pixCode", `"https://pix.example.com/1"`))},
	{"does not tell when a cash-in expires", "cash-in.accepted", answering(cashIn, accepted, drop("expirationDate"))},
	{"credits a cash-in before it is paid", "cash-in.accepted", answering(balances, after(1, cashIn, byTheSame, taken), plus(available, 1000))},
	{"blocks money for a cash-in", "cash-in.accepted", answering(balances, after(1, cashIn, byTheSame, taken), plus(blocked, 1000))},
	{"does not list a cash-in that is unpaid", "cash-in.accepted", answering(transactions, accepted, set("data", `[]`))},
	{"lists a cash-in as a debit", "cash-in.accepted", answering(transactions, accepted, set("data[].movementType", `"DEBIT"`))},

	{"makes no code of an amount with cents", "cash-in.code", refusing(cashIn, not(sent("transaction.value", `1.00`)), 500, "HTTP_ERROR")},

	{"takes a cash-in without a transaction", "cash-in.transaction", accepting(cashIn, lacking("transaction"), transaction)},
	{"takes anything for a transaction", "cash-in.transaction", accepting(cashIn, sent("transaction", `"x"`, `[]`), transaction)},
	{"does not name the missing transaction", "cash-in.transaction", answering(cashIn, refused, nameless)},
	{"has its own code for a missing transaction", "cash-in.transaction", answering(cashIn, refused, code("TRANSACTION_REQUIRED"))},

	{"refuses a cash-in of one centavo", "cash-in.value", refusing(cashIn, sent("transaction.value", `0.01`), 400, "HTTP_ERROR")},
	{"wants two decimals of a cash-in", "cash-in.value", refusing(cashIn, sent("transaction.value", `10`, `0.1`), 400, "HTTP_ERROR")},
	{"refuses decimals of a cash-in", "cash-in.value", refusing(cashIn, sent("transaction.value", `1.23`), 400, "HTTP_ERROR")},
	{"takes a cash-in of R$ 0.00 or less", "cash-in.value", accepting(cashIn, sent("transaction.value", `0`, `-1`), set("transaction.value", `0.01`))},
	{"rounds the value of a cash-in", "cash-in.value", accepting(cashIn, sent("transaction.value", `0.001`, `1.234`), set("transaction.value", `1.23`))},
	{"takes a cash-in without a value", "cash-in.value", accepting(cashIn, lacking("transaction.value"), set("transaction.value", `1.00`))},
	{"takes anything for the value of a cash-in", "cash-in.value", accepting(cashIn, sent("transaction.value", `{}`, `"abc"`), set("transaction.value", `1.00`))},
	{"breaks down over the value of a cash-in in quotes", "cash-in.value", refusing(cashIn, sent("transaction.value", `"10.00"`), 500, "HTTP_ERROR")},
	{"does not name the invalid value of a cash-in", "cash-in.value", answering(cashIn, refused, nameless)},
	{"lists a cash-in that it refuses", "cash-in.value", despite(cashIn, sent("transaction.value", `0`), set("transaction.value", `0.01`))},

	{"refuses a description of one character", "cash-in.description", refusing(cashIn, sent("transaction.description", `"x"`), 400, "HTTP_ERROR")},
	{"refuses 140 characters for a cash-in", "cash-in.description", refusing(cashIn, longer("transaction.description", 139), 400, "HTTP_ERROR")},
	{"takes 141 characters for a cash-in", "cash-in.description", accepting(cashIn, longer("transaction.description", 140), set("transaction.description", `"x"`))},
	{"takes an empty description of a cash-in", "cash-in.description", accepting(cashIn, sent("transaction.description", `""`), set("transaction.description", `"x"`))},
	{"takes a cash-in without a description", "cash-in.description", accepting(cashIn, lacking("transaction.description"), set("transaction.description", `"x"`))},
	{"takes an object for the description of a cash-in", "cash-in.description", accepting(cashIn, sent("transaction.description", `{}`), set("transaction.description", `"x"`))},
	{"does not name the invalid description of a cash-in", "cash-in.description", answering(cashIn, refused, nameless)},

	{"takes a cash-in without an externalId", "cash-in.external-id", accepting(cashIn, lacking("transaction.externalId"), fresh("transaction.externalId"))},
	{"takes an empty externalId of a cash-in", "cash-in.external-id", accepting(cashIn, sent("transaction.externalId", `""`), fresh("transaction.externalId"))},
	{"takes an object for the externalId of a cash-in", "cash-in.external-id", accepting(cashIn, sent("transaction.externalId", `{}`), fresh("transaction.externalId"))},
	{"does not name the missing externalId of a cash-in", "cash-in.external-id", answering(cashIn, refused, nameless)},

	{"makes a second charge of a used externalId", "cash-in.duplicate-external-id", accepting(cashIn, duplicate, fresh("transaction.externalId"))},
	{"answers a repeated cash-in with the first", "cash-in.duplicate-external-id", repeating(cashIn, byTheSame, taken, same("transaction.externalId"))},
	{"answers a repeated cash-in with 422", "cash-in.duplicate-external-id", answering(cashIn, duplicate, status(422))},
	{"has details of a repeated cash-in in a text", "cash-in.duplicate-external-id", answering(cashIn, duplicate, set("details", `"used"`))},
	{"lists a repeated cash-in again", "cash-in.duplicate-external-id", answering(transactions, accepted, doubled("data[0]"))},
	{"makes several charges of one externalId when asked at once", "cash-in.duplicate-external-id", accepting(cashIn, all(duplicate, concurrent), fresh("transaction.externalId"))},
	{"knows externalIds of cash-ins across accounts", "cash-in.duplicate-external-id", refusing(cashIn, after(1, cashIn, byAnother, taken, same("transaction.externalId")), 400, "PIX_DUPLICATE_EXTERNAL_ID")},

	{"has an image of null where nobody asked for one", "cash-in.qr-code-image", answering(cashIn, sent("transaction.generateQrCode", `false`), set("qrCodeImage", `null`))},
	{"makes an image nobody asked for", "cash-in.qr-code-image", misreading(cashIn, not(sent("transaction.generateQrCode", `"yes"`, `{}`)), set("transaction.generateQrCode", `true`))},
	{"makes no image", "cash-in.qr-code-image", misreading(cashIn, sent("transaction.generateQrCode", `true`), set("transaction.generateQrCode", `false`))},
	{"gives a link to the image", "cash-in.qr-code-image", answering(cashIn, sent("transaction.generateQrCode", `true`), set("qrCodeImage", `"https://pix.example.com/1.png"`))},
	{"takes yes for true", "cash-in.qr-code-image", accepting(cashIn, sent("transaction.generateQrCode", `"yes"`), set("transaction.generateQrCode", `true`))},
	{"takes an object for true", "cash-in.qr-code-image", accepting(cashIn, sent("transaction.generateQrCode", `{}`), set("transaction.generateQrCode", `true`))},
	{"does not name the invalid generateQrCode", "cash-in.qr-code-image", answering(cashIn, refused, nameless)},
}

// chargePayerMutants are about the payer and what else a charge says of itself.
var chargePayerMutants = []Mutant{
	{"takes a cash-in without a payer", "cash-in.payer", accepting(cashIn, lacking("payer"), payer)},
	{"takes a text for a payer", "cash-in.payer", accepting(cashIn, sent("payer", `"x"`), payer)},
	{"refuses a payer's name of 100 characters", "cash-in.payer", refusing(cashIn, longer("payer.fullName", 99), 400, "HTTP_ERROR")},
	{"takes a payer's name of 101 characters", "cash-in.payer", accepting(cashIn, longer("payer.fullName", 100), payer)},
	{"takes a payer without a name", "cash-in.payer", accepting(cashIn, all(sent("payer"), lacking("payer.fullName")), payer)},
	{"takes an object for a payer's name", "cash-in.payer", accepting(cashIn, sent("payer.fullName", `{}`), payer)},
	{"takes no money of people", "cash-in.payer", refusing(cashIn, sent("payer.document", `"52998224725"`), 400, "HTTP_ERROR")},
	{"takes no money of companies", "cash-in.payer", refusing(cashIn, matching("payer.document", `^\d{14}$`), 400, "HTTP_ERROR")},
	{"takes a payer without a document", "cash-in.payer", accepting(cashIn, all(sent("payer"), lacking("payer.document")), payer)},
	{"takes an object for a payer's document", "cash-in.payer", accepting(cashIn, sent("payer.document", `{}`), payer)},
	{"takes any digits for a payer's document", "cash-in.payer", accepting(cashIn, matching("payer.document", `^\d+$`), payer)},
	{"does not name what is wrong with the payer", "cash-in.payer", answering(cashIn, refused, nameless)},
	{"has its own code for an invalid payer", "cash-in.payer", answering(cashIn, refused, code("INVALID_PAYER"))},
	{"takes money of the named payer only", "cash-in.payer", ignoring(payment, sent("payer.document", `"39053344705"`))},
	{"sends no word of a payment by somebody else", "cash-in.payer", ignoring(event, always)},

	{"wants additionalInfo", "cash-in.additional-info", refusing(cashIn, unsent("additionalInfo"), 400, "HTTP_ERROR")},
	{"refuses an empty additionalInfo", "cash-in.additional-info", refusing(cashIn, sent("additionalInfo", `{}`), 400, "HTTP_ERROR")},
	{"refuses any additionalInfo", "cash-in.additional-info", refusing(cashIn, sent("additionalInfo", `{"a":"b"}`), 400, "HTTP_ERROR")},
	{"has room for 9 pairs", "cash-in.additional-info", refusing(cashIn, pairs("additionalInfo", 9), 400, "HTTP_ERROR")},
	{"takes 11 pairs", "cash-in.additional-info", accepting(cashIn, pairs("additionalInfo", 10), drop("additionalInfo"))},
	{"takes objects within additionalInfo", "cash-in.additional-info", accepting(cashIn, sent("additionalInfo", `{"a":{"b":"c"}}`), drop("additionalInfo"))},
	{"takes a text for additionalInfo", "cash-in.additional-info", accepting(cashIn, sent("additionalInfo", `"x"`), drop("additionalInfo"))},
	{"does not name the invalid additionalInfo", "cash-in.additional-info", answering(cashIn, refused, nameless)},
	{"breaks down over a number within additionalInfo", "cash-in.additional-info", refusing(cashIn, sent("additionalInfo", `{"a":1}`), 500, "HTTP_ERROR")},

	{"charges anybody", "cash-in.unauthorized", pretending(cashIn, was(401))},
	{"refuses a cash-in without a token with 403", "cash-in.unauthorized", answering(cashIn, was(401), status(403))},
	{"calls the missing token of a cash-in UNAUTHORIZED", "cash-in.unauthorized", answering(cashIn, was(401), code("UNAUTHORIZED"))},

	{"has one message for all that is wrong with a cash-in", "cash-in.validation", answering(cashIn, refused, joined("message"))},
	{"stops at the first invalid field of a cash-in", "cash-in.validation", answering(cashIn, refused, firstOf("message"))},
	{"does not name the invalid fields of a cash-in", "cash-in.validation", answering(cashIn, refused, nameless)},
	{"has its own code for an invalid cash-in", "cash-in.validation", answering(cashIn, refused, code("VALIDATION_ERROR"))},

	{"breaks down over a fraction of a second", "cash-in.left-open", refusing(cashIn, sent("transaction.expirationTime", `60.5`), 500, "HTTP_ERROR")},
	{"answers a zero as third decimal of a cash-in with 422", "cash-in.left-open", refusing(cashIn, sent("transaction.value", `1.230`), 422, "HTTP_ERROR")},
	{"answers a payer's wrong check digits with 422", "cash-in.left-open", refusing(cashIn, sent("payer.document", `"52998224726"`), 422, "HTTP_ERROR")},
	{"breaks down over letters in a CNPJ", "cash-in.left-open", refusing(cashIn, matching("payer.document", `[A-Z]`), 500, "HTTP_ERROR")},
	{"refuses a cash-in without X-Sandbox-Scenario", "cash-in.sandbox-scenario", refusing(cashIn, under(scenarioHeader, `^$`), 400, "HTTP_ERROR")},
	{"refuses the sandbox scenarios of failures for a cash-in", "cash-in.sandbox-scenario", refusing(cashIn, under(scenarioHeader, `^error`), 400, "HTTP_ERROR")},
	{"confirms a cash-in of the sandbox at once", "cash-in.sandbox-scenario", answering(cashIn, all(accepted, under(scenarioHeader, `^success$`)), set("status", `"CONFIRMED"`))},
	{"breaks down over an unknown X-Sandbox-Scenario of a cash-in", "cash-in.left-open", refusing(cashIn, under(scenarioHeader, `.`), 500, "HTTP_ERROR")},

	{"gives a cash-in without its code", "contract.cash-in", answering(cashIn, accepted, rename("", "pixCode", "emv"))},
	{"gives an image that is no text", "contract.cash-in", answering(cashIn, accepted, set("qrCodeImage", `{"png":""}`))},
	{"refuses a repeated cash-in without an errorId", "contract.cash-in", answering(cashIn, duplicate, drop("errorId"))},
	{"refuses an empty cash-in without userMessage", "contract.cash-in", answering(cashIn, refusedAs("HTTP_ERROR"), drop("userMessage"))},
}

var (
	transaction = together(set("transaction", `{"value":1.00,"description":"x","expirationTime":86400}`), fresh("transaction.externalId"))
	payer       = set("payer", `{"fullName":"Beltrana da Silva","document":"11144477735"}`)
	nameless    = set("message", `["a field is invalid"]`)
)
