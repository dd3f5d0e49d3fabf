package mutants

import (
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var cashOutMutants = []row{
	{"returns 200 for a cash-out", "cash-out.accepted", answering(cashOut, accepted, status(200))},
	{"returns a number as transactionId", "cash-out.accepted", answering(cashOut, accepted, set("transactionId", `4711`))},
	{"returns a transactionId that is not a UUID", "cash-out.accepted", answering(cashOut, accepted, replaced("transactionId", "-", ""))},
	{"returns the same transactionId for every cash-out", "cash-out.accepted", answering(cashOut, accepted, set("transactionId", `"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"`))},
	{"does not echo the externalId", "cash-out.accepted", answering(cashOut, accepted, drop("externalId"))},
	{"returns an externalId of its own", "cash-out.accepted", answering(cashOut, accepted, fresh("externalId"))},
	{"confirms a cash-out immediately", "cash-out.accepted", answering(cashOut, accepted, set("status", `"CONFIRMED"`))},
	{"returns the time of a cash-out in São Paulo time", "cash-out.accepted", answering(cashOut, accepted, stamped(time.RFC3339, saoPaulo))},
	{"labels São Paulo time as UTC in a cash-out", "cash-out.accepted", answering(cashOut, accepted, stamped(mislabelled, saoPaulo))},
	{"returns a correlationId for a cash-out", "cash-out.accepted", answering(cashOut, accepted, fresh("correlationId"))},
	{"lists a new payment as settled", "cash-out.accepted", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"Confirmado"`))},
	{"lists a new payment as Pix in", "cash-out.accepted", answering(transactions, accepted, set("data[].operationType", `"Pix in"`))},
	{"lists a new payment as a CREDIT", "cash-out.accepted", answering(transactions, accepted, set("data[].movementType", `"CREDIT"`))},
	{"does not list a new payment", "cash-out.accepted", answering(transactions, accepted, set("data", `[]`))},

	{"rejects a company's RANDOM key", "cash-out.shapes", refusing(cashOut, all(company("details.document"), sent("details.keyType", `"RANDOM"`)), 400, api.InvalidPixKey)},
	{"rejects the longest name without a description", "cash-out.shapes", refusing(cashOut, all(lacking("description"), longer("details.name", api.MostName-1)), 400, api.HTTPError)},

	{"debits a cash-out twice", "cash-out.debit", doubling(cashOut, always, fresh("externalId"))},
	{"debits a cash-out twice", "cash-out.debit", sometimes(EverySecond, doubling(cashOut, always, fresh("externalId")))},
	{"debits a cash-out twice", "cash-out.debit", sometimes(EveryThird, doubling(cashOut, always, fresh("externalId")))},
	{"accepts a cash-out and drops it", "cash-out.debit", ignoring(cashOut, always)},
	{"accepts a cash-out and drops it", "cash-out.debit", sometimes(EveryThird, ignoring(cashOut, always))},
	{"debits a cash-out only once it is settled", "cash-out.debit", answering(balances, accepted, sum(available, available, blocked))},
	{"returns the money of a confirmed cash-out", "cash-out.debit", both(
		misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank),
		sending(always, confirmedAfterAll))},
	{"returns the money of a confirmed cash-out", "cash-out.debit", sometimes(EverySecond, both(
		misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank),
		sending(always, confirmedAfterAll)))},
	{"debits the fee twice", "cash-out.debit", misreading(fees, always, times("cashOut", 2, 1))},
	{"computes debits in floating point and truncates", "cash-out.debit", misreading(cashOut, sent("value"), binary("value"))},
	{"computes debits in floating point and truncates", "cash-out.debit", sometimes(EverySecond, misreading(cashOut, sent("value"), binary("value")))},
	{"rounds debits up to tenths", "cash-out.debit", misreading(cashOut, sent("value"), plus("value", 9), rounded("value", 10))},
	{"loses a centavo of a very large debit", "cash-out.debit", misreading(cashOut, beyondDouble("value"), plus("value", -1))},

	{"rejects a cash-out without X-Sandbox-Scenario", "cash-out.sandbox-scenario", refusing(cashOut, under(scenarioHeader, `^$`), 400, api.HTTPError)},
	{"returns 500 for an unknown X-Sandbox-Scenario", "cash-out.sandbox-scenario", answering(cashOut, under(scenarioHeader, `.`), status(500))},
	{"returns 422 for an unknown X-Sandbox-Scenario", "cash-out.sandbox-scenario", answering(cashOut, under(scenarioHeader, `.`), status(422))},
	{"ignores X-Sandbox-Scenario", "cash-out.sandbox-scenario", misreading(cashOut, always, withoutHeaders(`^X-Sandbox`))},
	{"rejects the sandbox scenario of a success", "cash-out.sandbox-scenario", refusing(cashOut, under(scenarioHeader, `^success$`), 400, api.HTTPError)},
	{"returns ERROR immediately for a sandbox scenario of a failure", "cash-out.sandbox-scenario", answering(cashOut, all(accepted, under(scenarioHeader, `^error`)), set("status", `"ERROR"`))},
	{"confuses the sandbox scenarios of a blocked account and another holder", "cash-out.sandbox-scenario", misreading(cashOut, under(scenarioHeader, `^error:account`), header(scenarioHeader, "error:document-mismatch"))},

	{"returns 500 for an exponent", "cash-out.left-open", refusing(cashOut, exponent("value"), 500, api.HTTPError)},
	{"returns 422 for a zero as third decimal", "cash-out.left-open", refusing(cashOut, thirdZero("value"), 422, api.HTTPError)},
	{"returns 422 for an empty externalId", "cash-out.left-open", refusing(cashOut, kind("externalId", "blank"), 422, api.HTTPError)},
	{"returns 500 for a description that is null", "cash-out.left-open", refusing(cashOut, kind("description", "null"), 500, api.HTTPError)},
	{"returns 500 for a description of more than 140 bytes", "cash-out.left-open", refusing(cashOut, all(moreBytes("description", api.MostDescription), not(longer("description", api.MostDescription))), 500, api.HTTPError)},
	{"returns 422 for unknown fields", "cash-out.left-open", refusing(cashOut, extra("value", "externalId", "description", "details"), 422, api.HTTPError)},
	{"returns 404 for an e-mail in upper case", "cash-out.left-open", refusing(cashOut, matching("details.key", `[A-Z].*@`), 404, api.HTTPError)},
	{"returns 500 for a cash-out that is not JSON", "cash-out.left-open", answering(cashOut, all(refused, notJSON), status(500))},
	{"returns 406 for a cash-out of another content type", "cash-out.left-open", refusing(cashOut, under("Content-Type", `^text/`), 406, api.HTTPError)},
	{"rejects a cash-out that is not JSON but debits it", "cash-out.left-open", despite(cashOut, notJSON, body(`{"value":1.00,"details":`+payee+`}`), fresh("externalId"))},

	{"accepts a payment of R$ 0.00", "cash-out.value", accepting(cashOut, all(equals("value", "0"), decimals("value", 0, 0)), set("value", `0.01`))},
	{"accepts a payment of R$ 0.00 written with decimals", "cash-out.value", accepting(cashOut, all(equals("value", "0"), decimals("value", 1, 2)), set("value", `0.01`))},
	{"accepts a negative payment", "cash-out.value", accepting(cashOut, below("value", "0"), times("value", -1, 1))},
	{"accepts a negative payment of some centavos", "cash-out.value", accepting(cashOut, all(below("value", "0"), above("value", "-1")), times("value", -1, 1))},
	{"rounds a third decimal up to a centavo", "cash-out.value", accepting(cashOut, all(above("value", "0.005"), below("value", "0.01")), set("value", `0.01`))},
	{"rounds a third decimal", "cash-out.value", accepting(cashOut, all(finer("value"), above("value", "0.01")), plus("value", 0))},
	{"accepts a cash-out without a value", "cash-out.value", accepting(cashOut, unsent("value"), set("value", `0.01`))},
	{"accepts a value of null", "cash-out.value", accepting(cashOut, kind("value", "null"), set("value", `0.01`))},
	{"accepts an object as a value", "cash-out.value", accepting(cashOut, kind("value", "object"), set("value", `0.01`))},
	{"accepts a word as a value", "cash-out.value", accepting(cashOut, kind("value", "word"), set("value", `0.01`))},
	{"rejects a payment of one centavo", "cash-out.value", refusing(cashOut, equals("value", "0.01"), 400, api.InvalidAmount)},
	{"rejects a value with one decimal", "cash-out.value", refusing(cashOut, decimals("value", 1, 1), 400, api.InvalidAmount)},
	{"rejects a value without decimals", "cash-out.value", refusing(cashOut, decimals("value", 0, 0), 400, api.InvalidAmount)},
	{"reads a value without decimals as centavos", "cash-out.value", misreading(cashOut, decimals("value", 0, 0), times("value", 1, 100))},
	{"reads a value with one decimal as centavos", "cash-out.value", misreading(cashOut, decimals("value", 1, 1), times("value", 1, 10))},
	{"returns 422 for an invalid value", "cash-out.value", answering(cashOut, refusedAs(api.InvalidAmount), status(422))},
	{"returns an unknown code for an invalid value", "cash-out.value", answering(cashOut, refusedAs(api.InvalidAmount), code("INVALID_VALUE"))},
	{"does not name the value that is not a number", "cash-out.value", answering(cashOut, refusedAs(api.HTTPError), set("message", `["invalid body"]`))},
	{"rejects a smaller value but debits a centavo", "cash-out.value", despite(cashOut, all(above("value", "0"), below("value", "0.01")), set("value", `0.01`))},

	{"accepts a cash-out without an externalId", "cash-out.external-id", accepting(cashOut, unsent("externalId"), fresh("externalId"))},
	{"accepts an object as an externalId", "cash-out.external-id", accepting(cashOut, kind("externalId", "object"), fresh("externalId"))},
	{"accepts an externalId of null", "cash-out.external-id", accepting(cashOut, kind("externalId", "null"), fresh("externalId"))},
	{"does not name the externalId that is missing", "cash-out.external-id", answering(cashOut, refused, set("message", `["a required field is missing"]`))},
	{"rejects a cash-out without an externalId but debits it", "cash-out.external-id", despite(cashOut, unsent("externalId"), fresh("externalId"))},

	{"pays a used externalId again", "cash-out.duplicate-external-id", accepting(cashOut, duplicate, fresh("externalId"))},
	{"pays a used externalId again", "cash-out.duplicate-external-id", sometimes(EverySecond, accepting(cashOut, duplicate, fresh("externalId")))},
	{"pays a used externalId again", "cash-out.duplicate-external-id", sometimes(EveryThird, accepting(cashOut, duplicate, fresh("externalId")))},
	{"returns the first payment for a used externalId", "cash-out.duplicate-external-id", repeating(cashOut, byTheSame, taken, same("externalId"))},
	{"returns 409 for a used externalId", "cash-out.duplicate-external-id", answering(cashOut, duplicate, status(409))},
	{"returns no details for a used externalId", "cash-out.duplicate-external-id", answering(cashOut, duplicate, drop("details"))},
	{"does not return which payment used the externalId", "cash-out.duplicate-external-id", answering(cashOut, duplicate, drop("details.existingTransactionId"))},
	{"returns a non-existent payment for a used externalId", "cash-out.duplicate-external-id", answering(cashOut, duplicate, fresh("details.existingTransactionId"))},
	{"does not return which externalId was used", "cash-out.duplicate-external-id", answering(cashOut, duplicate, drop("details.externalId"))},
	{"rejects a used externalId but debits it", "cash-out.duplicate-external-id", despite(cashOut, duplicate, fresh("externalId"))},
	{"rejects a used externalId but debits it", "cash-out.duplicate-external-id", sometimes(EveryThird, despite(cashOut, duplicate, fresh("externalId")))},
	{"pays another cash-out with a used externalId", "cash-out.duplicate-external-id", accepting(cashOut,
		all(duplicate, after(1, cashOut, byTheSame, taken, same("externalId"), other("value"))), fresh("externalId"))},
	{"pays a used externalId again with another token", "cash-out.duplicate-external-id", accepting(cashOut,
		all(duplicate, after(1, cashOut, byTheSame, taken, same("externalId"), otherHeader("Authorization"))), fresh("externalId"))},
	{"pays one externalId several times for concurrent requests", "cash-out.duplicate-external-id", accepting(cashOut, all(duplicate, concurrent), fresh("externalId"))},
	{"pays one externalId several times for concurrent requests", "cash-out.duplicate-external-id", sometimes(EveryThird, accepting(cashOut, all(duplicate, concurrent), fresh("externalId")))},
	{"rejects an externalId that another account used", "cash-out.duplicate-external-id", refusing(cashOut, after(1, cashOut, byAnother, taken, same("externalId")), 400, api.DuplicateExternalID)},
	{"lists a repeated cash-out twice", "cash-out.duplicate-external-id", answering(transactions, accepted, doubled("data[0]"))},
	{"does not list a repeated cash-out", "cash-out.duplicate-external-id", answering(transactions, accepted, set("data", `[]`))},

	{"accepts a description of 141 characters", "cash-out.description", accepting(cashOut, longer("description", api.MostDescription), cut("description", api.MostDescription))},
	{"accepts an object as a description", "cash-out.description", accepting(cashOut, kind("description", "object"), drop("description"))},
	{"rejects a cash-out without a description", "cash-out.description", refusing(cashOut, unsent("description"), 400, api.HTTPError)},
	{"rejects a description of 140 characters", "cash-out.description", refusing(cashOut, longer("description", api.MostDescription-1), 400, api.HTTPError)},
	{"does not name the description that is too long", "cash-out.description", answering(cashOut, all(refused, longer("description", api.MostDescription)), set("message", `["a text is too long"]`))},

	{"accepts a cash-out without details", "cash-out.details", accepting(cashOut, unsent("details"), set("details", payee))},
	{"accepts details of null", "cash-out.details", accepting(cashOut, kind("details", "null"), set("details", payee))},
	{"accepts a string as details", "cash-out.details", accepting(cashOut, kind("details", "text"), set("details", payee))},
	{"accepts a list as details", "cash-out.details", accepting(cashOut, kind("details", "list"), set("details", payee))},
	{"accepts empty details", "cash-out.details", accepting(cashOut, kind("details", "no members"), set("details", payee))},
	{"rejects invalid details but debits the cash-out", "cash-out.details", despite(cashOut, kind("details", "no members"), set("details", payee))},

	{"rejects a key of type DOCUMENT", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"DOCUMENT"`), 400, api.HTTPError)},
	{"rejects a key of type EMAIL", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"EMAIL"`), 400, api.HTTPError)},
	{"rejects a key of type PHONE", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"PHONE"`), 400, api.HTTPError)},
	{"rejects a key of type RANDOM", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"RANDOM"`), 400, api.HTTPError)},
	{"guesses a missing key type", "cash-out.key-type", accepting(cashOut, unsent("details.keyType"), email)},
	{"guesses a null or empty key type", "cash-out.key-type", accepting(cashOut, kind("details.keyType", "null", "blank"), email)},
	{"accepts the key type CPF", "cash-out.key-type", accepting(cashOut, sent("details.keyType", `"CPF"`), email)},
	{"accepts the key type EVP", "cash-out.key-type", accepting(cashOut, sent("details.keyType", `"EVP"`), email)},
	{"accepts any key type", "cash-out.key-type", accepting(cashOut, outside("details.keyType", "DOCUMENT", "EMAIL", "PHONE", "RANDOM"), email)},
	{"accepts a number as a key type", "cash-out.key-type", accepting(cashOut, kind("details.keyType", "number"), email)},
	{"does not name the key types in the message", "cash-out.key-type", answering(cashOut, outside("details.keyType", "DOCUMENT", "EMAIL", "PHONE", "RANDOM"), set("message", `["details.keyType is unknown"]`))},
	{"omits RANDOM from the key types in the message", "cash-out.key-type", answering(cashOut, outside("details.keyType", "DOCUMENT", "EMAIL", "PHONE", "RANDOM"), replaced("message", "RANDOM", "EVP"))},

	{"accepts a CPF with punctuation", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"DOCUMENT"`), matching("details.key", `[.-]`)), email)},
	{"accepts a CPF of 10 digits", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"DOCUMENT"`), matching("details.key", `^\d{10}$`)), email)},
	{"accepts a DOCUMENT of 12 digits", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"DOCUMENT"`), matching("details.key", `^\d{12}$`)), email)},
	{"accepts an e-mail without a domain", "cash-out.key", accepting(cashOut, matching("details.key", `@$`), email)},
	{"does not check a key against its type", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"EMAIL"`), matching("details.key", `^\d{11}$`)), email)},
	{"accepts a phone of 9 digits", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"PHONE"`), matching("details.key", `^\d{9}$`)), email)},
	{"accepts a phone of 12 digits", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"PHONE"`), matching("details.key", `^\d{12}$`)), email)},
	{"accepts a phone with +55", "cash-out.key", accepting(cashOut, matching("details.key", `^\+55`), replaced("details.key", "+55", ""))},
	{"accepts any string as a RANDOM key", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"RANDOM"`), not(longer("details.key", 31))), email)},
	{"accepts a RANDOM key one digit short", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"RANDOM"`), matching("details.key", `^.{35}$`)), email)},
	{"accepts a RANDOM key that is not hexadecimal", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"RANDOM"`), matching("details.key", `[g-zG-Z]`), longer("details.key", 31)), email)},
	{"accepts a cash-out without a key", "cash-out.key", accepting(cashOut, all(sent("details.keyType"), unsent("details.key")), email)},
	{"accepts a key of null", "cash-out.key", accepting(cashOut, kind("details.key", "null"), email)},
	{"rejects a CNPJ as key", "cash-out.key", refusing(cashOut, matching("details.key", `^\d{14}$`), 400, api.InvalidPixKey)},
	{"rejects a phone of 10 digits", "cash-out.key", refusing(cashOut, matching("details.key", `^\d{10}$`), 400, api.InvalidPixKey)},
	{"requires a phone with +55", "cash-out.key", refusing(cashOut, all(sent("details.keyType", `"PHONE"`), matching("details.key", `^\d`)), 400, api.InvalidPixKey)},
	{"rejects a RANDOM key without hyphens", "cash-out.key", refusing(cashOut, matching("details.key", `^[0-9a-f]{32}$`), 400, api.InvalidPixKey)},
	{"rejects an e-mail with dots", "cash-out.key", refusing(cashOut, matching("details.key", `\..*@`), 400, api.InvalidPixKey)},
	{"returns an unknown code for an invalid key", "cash-out.key", answering(cashOut, refusedAs(api.InvalidPixKey), code("INVALID_KEY"))},
	{"returns 422 for an invalid key", "cash-out.key", answering(cashOut, refusedAs(api.InvalidPixKey), status(422))},

	{"looks up RANDOM keys before it accepts a cash-out", "cash-out.no-lookup", refusing(cashOut, sent("details.keyType", `"RANDOM"`), 400, "PIX_KEY_NOT_FOUND")},
	{"looks up e-mail keys before it accepts a cash-out", "cash-out.no-lookup", refusing(cashOut, sent("details.keyType", `"EMAIL"`), 400, "PIX_KEY_NOT_FOUND")},

	{"accepts a name of 101 characters", "cash-out.name", accepting(cashOut, longer("details.name", api.MostName), cut("details.name", api.MostName))},
	{"accepts a payee without a name", "cash-out.name", accepting(cashOut, unsent("details.name"), set("details.name", `"-"`))},
	{"accepts a name of null", "cash-out.name", accepting(cashOut, kind("details.name", "null"), set("details.name", `"-"`))},
	{"rejects a name of 100 characters", "cash-out.name", refusing(cashOut, longer("details.name", api.MostName-1), 400, api.HTTPError)},
	{"does not name the name that is too long", "cash-out.name", answering(cashOut, longer("details.name", api.MostName), set("message", `["a text is too long"]`))},
	{"rejects a name with non-ASCII letters", "cash-out.name", refusing(cashOut, nonASCII("details.name"), 400, api.HTTPError)},

	{"accepts a document of null", "cash-out.document", accepting(cashOut, kind("details.document", "null"), document)},
	{"accepts an empty document", "cash-out.document", accepting(cashOut, kind("details.document", "blank"), document)},
	{"accepts a document of 10 digits", "cash-out.document", accepting(cashOut, matching("details.document", `^\d{10}$`), document)},
	{"accepts a document of 12 digits", "cash-out.document", accepting(cashOut, matching("details.document", `^\d{12}$`), document)},
	{"accepts a document of 13 digits", "cash-out.document", accepting(cashOut, matching("details.document", `^\d{13}$`), document)},
	{"accepts a document of 15 digits", "cash-out.document", accepting(cashOut, matching("details.document", `^\d{15}$`), document)},
	{"uses a DOCUMENT key as the missing document", "cash-out.document", accepting(cashOut, noDocumentWith("DOCUMENT"), document)},
	{"does not require the document for an e-mail key", "cash-out.document", accepting(cashOut, noDocumentWith("EMAIL"), document)},
	{"does not require the document for a phone key", "cash-out.document", accepting(cashOut, noDocumentWith("PHONE"), document)},
	{"does not require the document for a RANDOM key", "cash-out.document", accepting(cashOut, noDocumentWith("RANDOM"), document)},
	{"rejects a payee with a CNPJ", "cash-out.document", refusing(cashOut, matching("details.document", `^\d{14}$`), 400, api.HTTPError)},
	{"rejects a payee with a CPF", "cash-out.document", refusing(cashOut, matching("details.document", `^\d{11}$`), 400, api.HTTPError)},
	{"does not name the document that is invalid", "cash-out.document", answering(cashOut, refused, set("message", `["a field is invalid"]`))},

	{"charges no fee", "cash-out.covers-fee", misreading(fees, always, set("cashOut", `"0.00"`))},
	{"does not require the balance to cover the fee", "cash-out.covers-fee", accepting(cashOut, all(insufficient, spending("value", 0, 1)), set("value", `0.01`))},
	{"requires one centavo more than amount and fee", "cash-out.covers-fee", misreading(fees, always, plus("cashOut", 1))},
	{"pays far above the balance", "cash-out.covers-fee", accepting(cashOut, all(insufficient, spending("value", 10, 1000)), set("value", `0.01`))},
	{"returns 422 for insufficient balance", "cash-out.covers-fee", answering(cashOut, insufficient, status(422))},
	{"returns an unknown code for insufficient balance", "cash-out.covers-fee", answering(cashOut, insufficient, code("PIX_BALANCE"))},
	{"overdraws the account for concurrent requests", "cash-out.covers-fee", accepting(cashOut, all(insufficient, concurrent), set("value", `0.01`))},
	{"overdraws the account for concurrent requests", "cash-out.covers-fee", sometimes(EverySecond, accepting(cashOut, all(insufficient, concurrent), set("value", `0.01`)))},
	{"rejects a cash-out but debits what is available", "cash-out.covers-fee", despite(cashOut, insufficient, set("value", `0.01`))},

	{"returns no errorCode for insufficient balance", "cash-out.business-codes", answering(cashOut, insufficient, drop("errorCode"))},
	{"returns no errorCode for a used externalId", "cash-out.business-codes", answering(cashOut, duplicate, drop("errorCode"))},
	{"returns an errorCode different from code", "cash-out.business-codes", answering(cashOut, refused, set("errorCode", `"BUSINESS_ERROR"`))},
	{"returns business codes only as errorCode", "cash-out.business-codes", answering(cashOut, refused, set("code", quote(api.HTTPError)))},

	{"reports a settled payment as LIQUIDATED", "cash-out.confirmed", sending(confirmed, set("status", `"LIQUIDATED"`))},
	{"reports a settled payment as PENDING", "cash-out.confirmed", sending(confirmed, set("status", `"PENDING"`))},
	{"sends no event for a settled payment", "cash-out.confirmed", ignoring(event, confirmed)},
	{"rejects what the bank confirms", "cash-out.confirmed", misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank)},
	{"returns an empty errorCode for a settled payment", "cash-out.confirmed", sending(confirmed, set("errorCode", `""`))},
	{"omits errorCode for a settled payment", "cash-out.confirmed", sending(confirmed, drop("errorCode"))},
	{"lists as pending what the bank confirmed", "cash-out.confirmed", answering(transactions, accepted, set("data[].status", `"Pendente"`))},

	{"confirms what the bank rejects", "cash-out.error", sending(failed, confirmedAfterAll)},
	{"reports a rejected payment as REJECTED", "cash-out.error", sending(failed, set("status", `"REJECTED"`))},
	{"sends no event for a rejected payment", "cash-out.error", ignoring(event, failed)},
	{"does not report why a payment was rejected", "cash-out.error", sending(failed, set("errorCode", `null`))},
	{"returns an empty message for a rejected payment", "cash-out.error", sending(failed, set("errorMessage", `null`))},
	{"reports TAX_ID_MISMATCH as INVALID_TAX_ID", "cash-out.error", sending(failedAs(api.TaxIDMismatch), set("errorCode", quote(api.InvalidTaxID)))},
	{"reports INVALID_TAX_ID as TAX_ID_MISMATCH", "cash-out.error", sending(failedAs(api.InvalidTaxID), set("errorCode", quote(api.TaxIDMismatch)))},
	{"reports a blocked account as closed", "cash-out.error", sending(failedAs(api.BlockedAccount), set("errorCode", quote(api.AccountClosed)))},
	{"reports a closed account as a rejected order", "cash-out.error", sending(failedAs(api.AccountClosed), set("errorCode", quote(api.OrderRejected)))},
	{"reports the bank's own code for a rejection", "cash-out.error", sending(failedAs(api.OrderRejected), set("errorCode", `"AC03"`))},
	{"reports an expired payment as timed out", "cash-out.error", sending(failedAs(api.PaymentExpired), set("errorCode", quote(api.SettlementTimeout)))},
	{"confirms a payment that timed out", "cash-out.error", sending(failedAs(api.SettlementTimeout), confirmedAfterAll)},
	{"lists as pending what the bank rejected", "cash-out.error", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"lists as settled what the bank rejected", "cash-out.error", answering(transactions, accepted, set("data[].status", `"Confirmado"`))},

	{"treats a retry of the same amount as a duplicate", "cash-out.retry", refusing(cashOut, after(1, cashOut, byTheSame, taken, same("value")), 400, api.DuplicateExternalID)},
	{"rejects all payments after one expires", "cash-out.retry", latent(changing(bank, blockingAfter(api.PaymentExpired)))},
	{"rejects all payments after one times out", "cash-out.retry", latent(changing(bank, blockingAfter(api.SettlementTimeout)))},

	{"does not check who holds the key", "cash-out.holder-check", ignoring(directory, always)},
	{"confirms a payment to somebody else's key", "cash-out.holder-check", sending(failedAs(api.TaxIDMismatch), confirmedAfterAll)},
	{"confirms a payment to a blocked account", "cash-out.holder-check", sending(failedAs(api.BlockedAccount), confirmedAfterAll)},
	{"confirms a payment to a closed account", "cash-out.holder-check", sending(failedAs(api.AccountClosed), confirmedAfterAll)},
	{"rejects the document of the key's holder", "cash-out.holder-check", sending(confirmed, rejected(api.TaxIDMismatch))},
	{"sends no event for a failed holder check", "cash-out.holder-check", ignoring(event, failed)},

	{"confirms a payment with wrong check digits", "cash-out.tax-id", sending(failedAs(api.InvalidTaxID), confirmedAfterAll)},
	{"reports wrong check digits as another holder", "cash-out.tax-id", sending(failedAs(api.InvalidTaxID), set("errorCode", quote(api.TaxIDMismatch)))},
	{"sends no event for wrong check digits", "cash-out.tax-id", ignoring(event, failedAs(api.InvalidTaxID))},
	{"returns 422 for wrong check digits", "cash-out.tax-id", refusing(cashOut, wrongCheckDigits("details.document"), 422, api.HTTPError)},
	{"accepts a CPF of equal digits", "cash-out.tax-id", sending(all(failed, words("counterpart.document", equalDigits)), confirmedAfterAll)},
}

// payee is a destination with nothing wrong in it; email repairs a key and its type.
const payee = `{"key":"fulano@example.com","keyType":"EMAIL","name":"Fulano de Tal","document":"52998224725"}`

var email = together(set("details.key", `"fulano@example.com"`), set("details.keyType", `"EMAIL"`))

const scenarioHeader = "X-Sandbox-Scenario"

var knownScenario = under(scenarioHeader, `^(success|error:|delayed:)`)

var duplicate = refusedAs(api.DuplicateExternalID)

var document = set("details.document", `"52998224725"`)

func noDocumentWith(keyType string) condition {
	return all(sent("details.keyType", `"`+keyType+`"`), unsent("details.document"))
}

var insufficient = refusedAs(api.InsufficientBalance)

var (
	confirmed         = sent("status", `"CONFIRMED"`)
	failed            = sent("status", `"ERROR"`)
	confirmedAfterAll = together(set("status", `"CONFIRMED"`), set("errorCode", `null`), set("errorMessage", `null`))
	rejectedByBank    = together(set("outcome", `"ERROR"`), set("errorCode", quote(api.OrderRejected)), set("errorMessage", `"rejected"`))
)

func failedAs(code api.Code) condition { return sent("errorCode", quote(code)) }

// rejected makes the event of a payment one of its rejection.
func rejected(code api.Code) edit {
	return together(set("status", `"ERROR"`), set("errorCode", quote(code)), set("errorMessage", `"rejected by the bank"`))
}

// blockingAfter lets an account pay nothing more once a payment failed with the code.
func blockingAfter(code api.Code) change {
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
