package mutants

import "time"

var cashOutMutants = []row{
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
	{"lists a new payment as settled", "cash-out.accepted", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"Confirmado"`))},
	{"lists a new payment as Pix in", "cash-out.accepted", answering(transactions, accepted, set("data[].operationType", `"Pix in"`))},
	{"lists a new payment as a CREDIT", "cash-out.accepted", answering(transactions, accepted, set("data[].movementType", `"CREDIT"`))},
	{"does not list a new payment", "cash-out.accepted", answering(transactions, accepted, set("data", `[]`))},

	{"debits a cash-out twice", "cash-out.debit", doubling(cashOut, always, fresh("externalId"))},
	{"debits a cash-out twice", "cash-out.debit", sometimes(EverySecond, doubling(cashOut, always, fresh("externalId")))},
	{"debits a cash-out twice", "cash-out.debit", sometimes(EveryThird, doubling(cashOut, always, fresh("externalId")))},
	{"takes a cash-out and forgets it", "cash-out.debit", ignoring(cashOut, always)},
	{"takes a cash-out and forgets it", "cash-out.debit", sometimes(EveryThird, ignoring(cashOut, always))},
	{"debits a cash-out only once it is settled", "cash-out.debit", answering(balances, accepted, sum(available, available, blocked))},
	{"gives the money of a confirmed cash-out back", "cash-out.debit", both(
		misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank),
		sending(always, confirmedAfterAll))},
	{"gives the money of a confirmed cash-out back", "cash-out.debit", sometimes(EverySecond, both(
		misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank),
		sending(always, confirmedAfterAll)))},
	{"takes the fee twice", "cash-out.debit", misreading(fees, always, times("cashOut", 2, 1))},
	{"reckons debits in floating point and cuts", "cash-out.debit", misreading(cashOut, sent("value"), binary("value"))},
	{"reckons debits in floating point and cuts", "cash-out.debit", sometimes(EverySecond, misreading(cashOut, sent("value"), binary("value")))},
	{"debits in tenths", "cash-out.debit", misreading(cashOut, sent("value"), plus("value", 9), rounded("value", 10))},
	{"loses a centavo of a very large debit", "cash-out.debit", misreading(cashOut, beyondDouble("value"), plus("value", -1))},

	{"refuses a cash-out without X-Sandbox-Scenario", "cash-out.sandbox-scenario", refusing(cashOut, under(scenarioHeader, `^$`), 400, "HTTP_ERROR")},
	{"breaks down over an unknown X-Sandbox-Scenario", "cash-out.sandbox-scenario", answering(cashOut, under(scenarioHeader, `.`), status(500))},
	{"answers an unknown X-Sandbox-Scenario with 422", "cash-out.sandbox-scenario", answering(cashOut, under(scenarioHeader, `.`), status(422))},
	{"takes no notice of X-Sandbox-Scenario", "cash-out.sandbox-scenario", misreading(cashOut, always, withoutHeaders(`^X-Sandbox`))},
	{"refuses the sandbox scenario of a success", "cash-out.sandbox-scenario", refusing(cashOut, under(scenarioHeader, `^success$`), 400, "HTTP_ERROR")},
	{"answers a sandbox scenario of a failure with ERROR at once", "cash-out.sandbox-scenario", answering(cashOut, all(accepted, under(scenarioHeader, `^error`)), set("status", `"ERROR"`))},
	{"takes the sandbox scenario of a blocked account for another holder's", "cash-out.sandbox-scenario", misreading(cashOut, under(scenarioHeader, `^error:account`), header(scenarioHeader, "error:document-mismatch"))},

	{"breaks down over an exponent", "cash-out.left-open", refusing(cashOut, exponent("value"), 500, "HTTP_ERROR")},
	{"answers a zero as third decimal with 422", "cash-out.left-open", refusing(cashOut, thirdZero("value"), 422, "HTTP_ERROR")},
	{"answers an empty externalId with 422", "cash-out.left-open", refusing(cashOut, kind("externalId", "blank"), 422, "HTTP_ERROR")},
	{"breaks down over a description that is null", "cash-out.left-open", refusing(cashOut, kind("description", "null"), 500, "HTTP_ERROR")},
	{"has room for 140 bytes and breaks down over more", "cash-out.left-open", refusing(cashOut, all(moreBytes("description", 140), not(longer("description", 140))), 500, "HTTP_ERROR")},
	{"answers unknown fields with 422", "cash-out.left-open", refusing(cashOut, extra("value", "externalId", "description", "details"), 422, "HTTP_ERROR")},
	{"answers an e-mail in capitals with 404", "cash-out.left-open", refusing(cashOut, matching("details.key", `[A-Z].*@`), 404, "HTTP_ERROR")},
	{"breaks down over a cash-out that is not JSON", "cash-out.left-open", answering(cashOut, all(refused, notJSON), status(500))},
	{"answers a cash-out of another content type with 406", "cash-out.left-open", refusing(cashOut, under("Content-Type", `^text/`), 406, "HTTP_ERROR")},
	{"takes the money of a cash-out that is not JSON", "cash-out.left-open", despite(cashOut, notJSON, body(`{"value":1.00,"details":`+payee+`}`), fresh("externalId"))},

	{"takes a payment of R$ 0.00", "cash-out.value", accepting(cashOut, all(equals("value", "0"), decimals("value", 0, 0)), set("value", `0.01`))},
	{"takes a payment of R$ 0.00 with its decimals", "cash-out.value", accepting(cashOut, all(equals("value", "0"), decimals("value", 1, 2)), set("value", `0.01`))},
	{"takes a negative payment", "cash-out.value", accepting(cashOut, below("value", "0"), times("value", -1, 1))},
	{"takes a payment of minus some centavos", "cash-out.value", accepting(cashOut, all(below("value", "0"), above("value", "-1")), times("value", -1, 1))},
	{"rounds a third decimal up to a centavo", "cash-out.value", accepting(cashOut, all(above("value", "0.005"), below("value", "0.01")), set("value", `0.01`))},
	{"rounds a third decimal off", "cash-out.value", accepting(cashOut, all(finer("value"), above("value", "0.01")), plus("value", 0))},
	{"takes a cash-out without a value", "cash-out.value", accepting(cashOut, unsent("value"), set("value", `0.01`))},
	{"takes a value of null", "cash-out.value", accepting(cashOut, kind("value", "null"), set("value", `0.01`))},
	{"takes an object for a value", "cash-out.value", accepting(cashOut, kind("value", "object"), set("value", `0.01`))},
	{"takes a word for a value", "cash-out.value", accepting(cashOut, kind("value", "word"), set("value", `0.01`))},
	{"refuses a payment of one centavo", "cash-out.value", refusing(cashOut, equals("value", "0.01"), 400, "PIX_INVALID_AMOUNT")},
	{"refuses a value with one decimal", "cash-out.value", refusing(cashOut, decimals("value", 1, 1), 400, "PIX_INVALID_AMOUNT")},
	{"refuses a value without decimals", "cash-out.value", refusing(cashOut, decimals("value", 0, 0), 400, "PIX_INVALID_AMOUNT")},
	{"takes a value without decimals for centavos", "cash-out.value", misreading(cashOut, decimals("value", 0, 0), times("value", 1, 100))},
	{"takes one decimal for centavos", "cash-out.value", misreading(cashOut, decimals("value", 1, 1), times("value", 1, 10))},
	{"answers an invalid value with 422", "cash-out.value", answering(cashOut, refusedAs("PIX_INVALID_AMOUNT"), status(422))},
	{"has an unknown code for an invalid value", "cash-out.value", answering(cashOut, refusedAs("PIX_INVALID_AMOUNT"), code("INVALID_VALUE"))},
	{"does not name the value that is no number", "cash-out.value", answering(cashOut, refusedAs("HTTP_ERROR"), set("message", `["invalid body"]`))},
	{"pays a centavo although it refuses less", "cash-out.value", despite(cashOut, all(above("value", "0"), below("value", "0.01")), set("value", `0.01`))},

	{"takes a cash-out without an externalId", "cash-out.external-id", accepting(cashOut, unsent("externalId"), fresh("externalId"))},
	{"takes an object for an externalId", "cash-out.external-id", accepting(cashOut, kind("externalId", "object"), fresh("externalId"))},
	{"takes an externalId of null", "cash-out.external-id", accepting(cashOut, kind("externalId", "null"), fresh("externalId"))},
	{"does not name the externalId that is missing", "cash-out.external-id", answering(cashOut, refused, set("message", `["a required field is missing"]`))},
	{"pays without an externalId although it refuses", "cash-out.external-id", despite(cashOut, unsent("externalId"), fresh("externalId"))},

	{"pays a used externalId again", "cash-out.duplicate-external-id", accepting(cashOut, duplicate, fresh("externalId"))},
	{"pays a used externalId again", "cash-out.duplicate-external-id", sometimes(EverySecond, accepting(cashOut, duplicate, fresh("externalId")))},
	{"pays a used externalId again", "cash-out.duplicate-external-id", sometimes(EveryThird, accepting(cashOut, duplicate, fresh("externalId")))},
	{"answers a used externalId with the first payment", "cash-out.duplicate-external-id", repeating(cashOut, byTheSame, taken, same("externalId"))},
	{"answers a used externalId with 409", "cash-out.duplicate-external-id", answering(cashOut, duplicate, status(409))},
	{"gives no details of a used externalId", "cash-out.duplicate-external-id", answering(cashOut, duplicate, drop("details"))},
	{"does not tell which payment used the externalId", "cash-out.duplicate-external-id", answering(cashOut, duplicate, drop("details.existingTransactionId"))},
	{"tells of a payment that does not exist", "cash-out.duplicate-external-id", answering(cashOut, duplicate, fresh("details.existingTransactionId"))},
	{"does not tell which externalId was used", "cash-out.duplicate-external-id", answering(cashOut, duplicate, drop("details.externalId"))},
	{"debits a used externalId although it refuses", "cash-out.duplicate-external-id", despite(cashOut, duplicate, fresh("externalId"))},
	{"debits a used externalId although it refuses", "cash-out.duplicate-external-id", sometimes(EveryThird, despite(cashOut, duplicate, fresh("externalId")))},
	{"pays another order under a used externalId", "cash-out.duplicate-external-id", accepting(cashOut,
		all(duplicate, after(1, cashOut, byTheSame, taken, same("externalId"), other("value"))), fresh("externalId"))},
	{"pays a used externalId again under another token", "cash-out.duplicate-external-id", accepting(cashOut,
		all(duplicate, after(1, cashOut, byTheSame, taken, same("externalId"), otherHeader("Authorization"))), fresh("externalId"))},
	{"pays one externalId several times when asked at once", "cash-out.duplicate-external-id", accepting(cashOut, all(duplicate, concurrent), fresh("externalId"))},
	{"pays one externalId several times when asked at once", "cash-out.duplicate-external-id", sometimes(EveryThird, accepting(cashOut, all(duplicate, concurrent), fresh("externalId")))},
	{"knows externalIds across accounts", "cash-out.duplicate-external-id", refusing(cashOut, after(1, cashOut, byAnother, taken, same("externalId")), 400, "PIX_DUPLICATE_EXTERNAL_ID")},
	{"lists a repeated order twice", "cash-out.duplicate-external-id", answering(transactions, accepted, doubled("data[0]"))},
	{"does not list a repeated order", "cash-out.duplicate-external-id", answering(transactions, accepted, set("data", `[]`))},

	{"takes a description of 141 characters", "cash-out.description", accepting(cashOut, longer("description", 140), cut("description", 140))},
	{"takes an object for a description", "cash-out.description", accepting(cashOut, kind("description", "object"), drop("description"))},
	{"refuses a cash-out without a description", "cash-out.description", refusing(cashOut, unsent("description"), 400, "HTTP_ERROR")},
	{"refuses a description of 140 characters", "cash-out.description", refusing(cashOut, longer("description", 139), 400, "HTTP_ERROR")},
	{"does not name the description that is too long", "cash-out.description", answering(cashOut, all(refused, longer("description", 140)), set("message", `["a text is too long"]`))},

	{"takes a cash-out without details", "cash-out.details", accepting(cashOut, unsent("details"), set("details", payee))},
	{"takes details of null", "cash-out.details", accepting(cashOut, kind("details", "null"), set("details", payee))},
	{"takes a text for details", "cash-out.details", accepting(cashOut, kind("details", "text"), set("details", payee))},
	{"takes a list for details", "cash-out.details", accepting(cashOut, kind("details", "list"), set("details", payee))},
	{"takes empty details", "cash-out.details", accepting(cashOut, kind("details", "no members"), set("details", payee))},
	{"pays somebody although it refuses the details", "cash-out.details", despite(cashOut, kind("details", "no members"), set("details", payee))},

	{"refuses a key of type DOCUMENT", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"DOCUMENT"`), 400, "HTTP_ERROR")},
	{"refuses a key of type EMAIL", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"EMAIL"`), 400, "HTTP_ERROR")},
	{"refuses a key of type PHONE", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"PHONE"`), 400, "HTTP_ERROR")},
	{"refuses a key of type RANDOM", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"RANDOM"`), 400, "HTTP_ERROR")},
	{"guesses the type of a key", "cash-out.key-type", accepting(cashOut, unsent("details.keyType"), email)},
	{"guesses the type of a key where it is null or empty", "cash-out.key-type", accepting(cashOut, kind("details.keyType", "null", "blank"), email)},
	{"knows the key type CPF", "cash-out.key-type", accepting(cashOut, sent("details.keyType", `"CPF"`), email)},
	{"knows the key type EVP", "cash-out.key-type", accepting(cashOut, sent("details.keyType", `"EVP"`), email)},
	{"takes any key type", "cash-out.key-type", accepting(cashOut, outside("details.keyType", "DOCUMENT", "EMAIL", "PHONE", "RANDOM"), email)},
	{"takes a number for a key type", "cash-out.key-type", accepting(cashOut, kind("details.keyType", "number"), email)},
	{"does not list the key types", "cash-out.key-type", answering(cashOut, outside("details.keyType", "DOCUMENT", "EMAIL", "PHONE", "RANDOM"), set("message", `["details.keyType is unknown"]`))},
	{"forgets RANDOM among the key types", "cash-out.key-type", answering(cashOut, outside("details.keyType", "DOCUMENT", "EMAIL", "PHONE", "RANDOM"), replaced("message", "RANDOM", "EVP"))},

	{"takes a CPF with punctuation", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"DOCUMENT"`), matching("details.key", `[.-]`)), email)},
	{"takes a CPF of 10 digits", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"DOCUMENT"`), matching("details.key", `^\d{10}$`)), email)},
	{"takes a DOCUMENT of 12 digits", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"DOCUMENT"`), matching("details.key", `^\d{12}$`)), email)},
	{"takes an e-mail without a domain", "cash-out.key", accepting(cashOut, matching("details.key", `@$`), email)},
	{"does not hold a key against its type", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"EMAIL"`), matching("details.key", `^\d{11}$`)), email)},
	{"takes a phone of 9 digits", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"PHONE"`), matching("details.key", `^\d{9}$`)), email)},
	{"takes a phone of 12 digits", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"PHONE"`), matching("details.key", `^\d{12}$`)), email)},
	{"takes a phone with +55", "cash-out.key", accepting(cashOut, matching("details.key", `^\+55`), replaced("details.key", "+55", ""))},
	{"takes any text for a RANDOM key", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"RANDOM"`), not(longer("details.key", 31))), email)},
	{"takes a RANDOM key that is short of a digit", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"RANDOM"`), matching("details.key", `^.{35}$`)), email)},
	{"takes a RANDOM key that is not hexadecimal", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"RANDOM"`), matching("details.key", `[g-zG-Z]`), longer("details.key", 31)), email)},
	{"takes a cash-out without a key", "cash-out.key", accepting(cashOut, all(sent("details.keyType"), unsent("details.key")), email)},
	{"takes a key of null", "cash-out.key", accepting(cashOut, kind("details.key", "null"), email)},
	{"refuses a CNPJ as key", "cash-out.key", refusing(cashOut, matching("details.key", `^\d{14}$`), 400, "PIX_INVALID_PIX_KEY")},
	{"refuses a phone of 10 digits", "cash-out.key", refusing(cashOut, matching("details.key", `^\d{10}$`), 400, "PIX_INVALID_PIX_KEY")},
	{"wants a phone with +55", "cash-out.key", refusing(cashOut, all(sent("details.keyType", `"PHONE"`), matching("details.key", `^\d`)), 400, "PIX_INVALID_PIX_KEY")},
	{"refuses a RANDOM key without hyphens", "cash-out.key", refusing(cashOut, matching("details.key", `^[0-9a-f]{32}$`), 400, "PIX_INVALID_PIX_KEY")},
	{"refuses an e-mail with dots", "cash-out.key", refusing(cashOut, matching("details.key", `\..*@`), 400, "PIX_INVALID_PIX_KEY")},
	{"has an unknown code for an invalid key", "cash-out.key", answering(cashOut, refusedAs("PIX_INVALID_PIX_KEY"), code("INVALID_KEY"))},
	{"answers an invalid key with 422", "cash-out.key", answering(cashOut, refusedAs("PIX_INVALID_PIX_KEY"), status(422))},

	{"looks up RANDOM keys when the order comes", "cash-out.no-lookup", refusing(cashOut, sent("details.keyType", `"RANDOM"`), 400, "PIX_KEY_NOT_FOUND")},
	{"looks up e-mail keys when the order comes", "cash-out.no-lookup", refusing(cashOut, sent("details.keyType", `"EMAIL"`), 400, "PIX_KEY_NOT_FOUND")},

	{"takes a name of 101 characters", "cash-out.name", accepting(cashOut, longer("details.name", 100), cut("details.name", 100))},
	{"takes a payee without a name", "cash-out.name", accepting(cashOut, unsent("details.name"), set("details.name", `"-"`))},
	{"takes a name of null", "cash-out.name", accepting(cashOut, kind("details.name", "null"), set("details.name", `"-"`))},
	{"refuses a name of 100 characters", "cash-out.name", refusing(cashOut, longer("details.name", 99), 400, "HTTP_ERROR")},
	{"does not name the name that is too long", "cash-out.name", answering(cashOut, longer("details.name", 100), set("message", `["a text is too long"]`))},
	{"refuses a name with letters beyond ASCII", "cash-out.name", refusing(cashOut, nonASCII("details.name"), 400, "HTTP_ERROR")},

	{"takes a document of null", "cash-out.document", accepting(cashOut, kind("details.document", "null"), document)},
	{"takes an empty document", "cash-out.document", accepting(cashOut, kind("details.document", "blank"), document)},
	{"takes a document of 10 digits", "cash-out.document", accepting(cashOut, matching("details.document", `^\d{10}$`), document)},
	{"takes a document of 12 digits", "cash-out.document", accepting(cashOut, matching("details.document", `^\d{12}$`), document)},
	{"takes a document of 13 digits", "cash-out.document", accepting(cashOut, matching("details.document", `^\d{13}$`), document)},
	{"takes a document of 15 digits", "cash-out.document", accepting(cashOut, matching("details.document", `^\d{15}$`), document)},
	{"takes a DOCUMENT key for the document", "cash-out.document", accepting(cashOut, noDocumentWith("DOCUMENT"), document)},
	{"wants no document of an e-mail's holder", "cash-out.document", accepting(cashOut, noDocumentWith("EMAIL"), document)},
	{"wants no document of a phone's holder", "cash-out.document", accepting(cashOut, noDocumentWith("PHONE"), document)},
	{"wants no document of a RANDOM key's holder", "cash-out.document", accepting(cashOut, noDocumentWith("RANDOM"), document)},
	{"pays people only", "cash-out.document", refusing(cashOut, matching("details.document", `^\d{14}$`), 400, "HTTP_ERROR")},
	{"pays companies only", "cash-out.document", refusing(cashOut, matching("details.document", `^\d{11}$`), 400, "HTTP_ERROR")},
	{"does not name the document that is invalid", "cash-out.document", answering(cashOut, refused, set("message", `["a field is invalid"]`))},

	{"charges no fee", "cash-out.covers-fee", misreading(fees, always, set("cashOut", `"0.00"`))},
	{"does not want the fee covered", "cash-out.covers-fee", accepting(cashOut, all(insufficient, spending("value", 0, 1)), set("value", `0.01`))},
	{"wants a centavo more than amount and fee", "cash-out.covers-fee", misreading(fees, always, plus("cashOut", 1))},
	{"pays far beyond the balance", "cash-out.covers-fee", accepting(cashOut, all(insufficient, spending("value", 10, 1000)), set("value", `0.01`))},
	{"answers want of money with 422", "cash-out.covers-fee", answering(cashOut, insufficient, status(422))},
	{"has an unknown code for want of money", "cash-out.covers-fee", answering(cashOut, insufficient, code("PIX_BALANCE"))},
	{"overdraws when asked at once", "cash-out.covers-fee", accepting(cashOut, all(insufficient, concurrent), set("value", `0.01`))},
	{"overdraws when asked at once", "cash-out.covers-fee", sometimes(EverySecond, accepting(cashOut, all(insufficient, concurrent), set("value", `0.01`)))},
	{"takes what there is although it refuses", "cash-out.covers-fee", despite(cashOut, insufficient, set("value", `0.01`))},

	{"does not repeat the code as errorCode", "cash-out.business-codes", answering(cashOut, refused, drop("errorCode"))},
	{"repeats no code for want of money", "cash-out.business-codes", answering(cashOut, insufficient, drop("errorCode"))},
	{"repeats no code of a used externalId", "cash-out.business-codes", answering(cashOut, duplicate, drop("errorCode"))},
	{"repeats another errorCode than its code", "cash-out.business-codes", answering(cashOut, refused, set("errorCode", `"BUSINESS_ERROR"`))},
	{"has business codes only as errorCode", "cash-out.business-codes", answering(cashOut, refused, set("code", `"HTTP_ERROR"`))},

	{"calls a settled payment LIQUIDATED", "cash-out.confirmed", sending(confirmed, set("status", `"LIQUIDATED"`))},
	{"calls a settled payment PENDING still", "cash-out.confirmed", sending(confirmed, set("status", `"PENDING"`))},
	{"sends no word of a settled payment", "cash-out.confirmed", ignoring(event, confirmed)},
	{"rejects what the bank confirms", "cash-out.confirmed", misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank)},
	{"has an empty errorCode of a settled payment", "cash-out.confirmed", sending(confirmed, set("errorCode", `""`))},
	{"leaves errorCode out of a settled payment", "cash-out.confirmed", sending(confirmed, drop("errorCode"))},
	{"lists as pending what the bank confirmed", "cash-out.confirmed", answering(transactions, accepted, set("data[].status", `"Pendente"`))},

	{"confirms what the bank rejects", "cash-out.error", sending(failed, confirmedAfterAll)},
	{"calls a rejected payment REJECTED", "cash-out.error", sending(failed, set("status", `"REJECTED"`))},
	{"sends no word of a rejected payment", "cash-out.error", ignoring(event, failed)},
	{"does not say why a payment was rejected", "cash-out.error", sending(failed, set("errorCode", `null`))},
	{"says nothing about a rejection", "cash-out.error", sending(failed, set("errorMessage", `null`))},
	{"takes TAX_ID_MISMATCH for INVALID_TAX_ID", "cash-out.error", sending(failedAs("TAX_ID_MISMATCH"), set("errorCode", `"INVALID_TAX_ID"`))},
	{"takes INVALID_TAX_ID for TAX_ID_MISMATCH", "cash-out.error", sending(failedAs("INVALID_TAX_ID"), set("errorCode", `"TAX_ID_MISMATCH"`))},
	{"takes a blocked account for a closed one", "cash-out.error", sending(failedAs("BLOCKED_ACCOUNT"), set("errorCode", `"ACCOUNT_CLOSED"`))},
	{"takes a closed account for a rejected order", "cash-out.error", sending(failedAs("ACCOUNT_CLOSED"), set("errorCode", `"ORDER_REJECTED"`))},
	{"gives the bank's own code of a rejection", "cash-out.error", sending(failedAs("ORDER_REJECTED"), set("errorCode", `"AC03"`))},
	{"takes an expired payment for a time-out", "cash-out.error", sending(failedAs("PAYMENT_EXPIRED"), set("errorCode", `"SETTLEMENT_TIMEOUT"`))},
	{"confirms a payment whose bank did not answer in time", "cash-out.error", sending(failedAs("SETTLEMENT_TIMEOUT"), confirmedAfterAll)},
	{"lists as pending what the bank rejected", "cash-out.error", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"lists as settled what the bank rejected", "cash-out.error", answering(transactions, accepted, set("data[].status", `"Confirmado"`))},

	{"takes a retry for a repeat, by its amount", "cash-out.retry", refusing(cashOut, after(1, cashOut, byTheSame, taken, same("value")), 400, "PIX_DUPLICATE_EXTERNAL_ID")},
	{"blocks an account after an expiry", "cash-out.retry", changing(bank, blockingAfter("PAYMENT_EXPIRED"))},
	{"blocks an account after a time-out", "cash-out.retry", changing(bank, blockingAfter("SETTLEMENT_TIMEOUT"))},

	{"does not ask who holds the key", "cash-out.holder-check", ignoring(directory, always)},
	{"confirms a payment to somebody else's key", "cash-out.holder-check", sending(failedAs("TAX_ID_MISMATCH"), confirmedAfterAll)},
	{"confirms a payment to a blocked account", "cash-out.holder-check", sending(failedAs("BLOCKED_ACCOUNT"), confirmedAfterAll)},
	{"confirms a payment to a closed account", "cash-out.holder-check", sending(failedAs("ACCOUNT_CLOSED"), confirmedAfterAll)},
	{"holds nobody for the holder of a key", "cash-out.holder-check", sending(confirmed, rejected("TAX_ID_MISMATCH"))},
	{"sends no word of a failed check", "cash-out.holder-check", ignoring(event, failed)},

	{"confirms a payment with wrong check digits", "cash-out.tax-id", sending(failedAs("INVALID_TAX_ID"), confirmedAfterAll)},
	{"takes wrong check digits for another holder", "cash-out.tax-id", sending(failedAs("INVALID_TAX_ID"), set("errorCode", `"TAX_ID_MISMATCH"`))},
	{"sends no word of wrong check digits", "cash-out.tax-id", ignoring(event, failedAs("INVALID_TAX_ID"))},
	{"answers wrong check digits with 422", "cash-out.tax-id", refusing(cashOut, wrongCheckDigits("details.document"), 422, "HTTP_ERROR")},
	{"takes a CPF of equal digits", "cash-out.tax-id", sending(all(failed, words("counterpart.document", equalDigits)), confirmedAfterAll)},
}

// payee is a destination with nothing wrong in it; email repairs a key and its type.
const payee = `{"key":"fulano@example.com","keyType":"EMAIL","name":"Fulano de Tal","document":"52998224725"}`

var email = together(set("details.key", `"fulano@example.com"`), set("details.keyType", `"EMAIL"`))

const scenarioHeader = "X-Sandbox-Scenario"

var knownScenario = under(scenarioHeader, `^(success|error:|delayed:)`)

var duplicate = refusedAs("PIX_DUPLICATE_EXTERNAL_ID")

var document = set("details.document", `"52998224725"`)

func noDocumentWith(keyType string) condition {
	return all(sent("details.keyType", `"`+keyType+`"`), unsent("details.document"))
}

var insufficient = refusedAs("PIX_INSUFFICIENT_BALANCE")

var (
	confirmed         = sent("status", `"CONFIRMED"`)
	failed            = sent("status", `"ERROR"`)
	confirmedAfterAll = together(set("status", `"CONFIRMED"`), set("errorCode", `null`), set("errorMessage", `null`))
	rejectedByBank    = together(set("outcome", `"ERROR"`), set("errorCode", `"ORDER_REJECTED"`), set("errorMessage", `"rejected"`))
)

func failedAs(code string) condition { return sent("errorCode", string(encode(code))) }

// rejected makes the event of a payment one of its rejection.
func rejected(code string) edit {
	return together(set("status", `"ERROR"`), set("errorCode", string(encode(code))), set("errorMessage", `"rejected by the bank"`))
}

// blockingAfter lets an account pay nothing more once a payment failed with the code.
func blockingAfter(code string) change {
	return func(c *call, pass server) *answer {
		a := pass(c)
		if failedAs(code)(c, a) {
			block := c.edited(body(`{"perTransaction":"0.00"}`))
			block.method, block.path = "PUT", "/accounts/"+c.client+"/limits"
			pass(block)
		}
		return a
	}
}
