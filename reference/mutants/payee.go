package mutants

var orderPayeeMutants = []Mutant{
	{"takes a cash-out without details", "cash-out.details", accepting(cashOut, unsent("details"), set("details", payee))},
	{"takes details of null", "cash-out.details", accepting(cashOut, sent("details", `null`), set("details", payee))},
	{"takes a text for details", "cash-out.details", accepting(cashOut, sent("details", `"x"`), set("details", payee))},
	{"takes a list for details", "cash-out.details", accepting(cashOut, sent("details", `[]`), set("details", payee))},
	{"takes empty details", "cash-out.details", accepting(cashOut, sent("details", `{}`), set("details", payee))},
	{"pays somebody although it refuses the details", "cash-out.details", despite(cashOut, sent("details", `{}`), set("details", payee))},

	{"refuses a key of type DOCUMENT", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"DOCUMENT"`), 400, "HTTP_ERROR")},
	{"refuses a key of type EMAIL", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"EMAIL"`), 400, "HTTP_ERROR")},
	{"refuses a key of type PHONE", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"PHONE"`), 400, "HTTP_ERROR")},
	{"refuses a key of type RANDOM", "cash-out.key-type", refusing(cashOut, sent("details.keyType", `"RANDOM"`), 400, "HTTP_ERROR")},
	{"guesses the type of a key", "cash-out.key-type", accepting(cashOut, unsent("details.keyType"), email)},
	{"guesses the type of a key where it is null or empty", "cash-out.key-type", accepting(cashOut, sent("details.keyType", `null`, `""`), email)},
	{"knows the key type CPF", "cash-out.key-type", accepting(cashOut, sent("details.keyType", `"CPF"`), email)},
	{"knows the key type EVP", "cash-out.key-type", accepting(cashOut, sent("details.keyType", `"EVP"`), email)},
	{"takes any key type", "cash-out.key-type", accepting(cashOut, sent("details.keyType", `"X"`), email)},
	{"takes a number for a key type", "cash-out.key-type", accepting(cashOut, sent("details.keyType", `1`), email)},
	{"does not list the key types", "cash-out.key-type", answering(cashOut, sent("details.keyType", `"X"`), set("message", `["details.keyType is unknown"]`))},
	{"forgets RANDOM among the key types", "cash-out.key-type", answering(cashOut, sent("details.keyType", `"X"`), replaced("message", "RANDOM", "EVP"))},

	{"takes a CPF with punctuation", "cash-out.key", accepting(cashOut, sent("details.key", `"529.982.247-25"`), set("details.key", `"52998224725"`))},
	{"takes a CPF of 10 digits", "cash-out.key", accepting(cashOut, sent("details.key", `"5299822472"`), email)},
	{"takes a DOCUMENT of 12 digits", "cash-out.key", accepting(cashOut, sent("details.key", `"529982247250"`), email)},
	{"takes an e-mail without a domain", "cash-out.key", accepting(cashOut, sent("details.key", `"fulano@"`), email)},
	{"does not hold a key against its type", "cash-out.key", accepting(cashOut, all(sent("details.keyType", `"EMAIL"`), matching("details.key", `^\d{11}$`)), email)},
	{"takes a phone of 9 digits", "cash-out.key", accepting(cashOut, sent("details.key", `"119876543"`), email)},
	{"takes a phone of 12 digits", "cash-out.key", accepting(cashOut, sent("details.key", `"119876543210"`), email)},
	{"takes a phone with +55", "cash-out.key", accepting(cashOut, matching("details.key", `^\+55`), replaced("details.key", "+55", ""))},
	{"takes any text for a RANDOM key", "cash-out.key", accepting(cashOut, sent("details.key", `"abc"`), email)},
	{"takes a RANDOM key that is short of a digit", "cash-out.key", accepting(cashOut, matching("details.key", `^.{35}$`), email)},
	{"takes a RANDOM key that is not hexadecimal", "cash-out.key", accepting(cashOut, matching("details.key", `g$`), replaced("details.key", "g", "0"))},
	{"takes a cash-out without a key", "cash-out.key", accepting(cashOut, all(sent("details.keyType"), unsent("details.key")), email)},
	{"takes a key of null", "cash-out.key", accepting(cashOut, sent("details.key", `null`), email)},
	{"refuses a CNPJ as key", "cash-out.key", refusing(cashOut, matching("details.key", `^\d{14}$`), 400, "PIX_INVALID_PIX_KEY")},
	{"refuses a phone of 10 digits", "cash-out.key", refusing(cashOut, matching("details.key", `^\d{10}$`), 400, "PIX_INVALID_PIX_KEY")},
	{"wants a phone with +55", "cash-out.key", refusing(cashOut, all(sent("details.keyType", `"PHONE"`), matching("details.key", `^\d`)), 400, "PIX_INVALID_PIX_KEY")},
	{"refuses a RANDOM key without hyphens", "cash-out.key", refusing(cashOut, matching("details.key", `^[0-9a-f]{32}$`), 400, "PIX_INVALID_PIX_KEY")},
	{"refuses an e-mail with dots", "cash-out.key", refusing(cashOut, matching("details.key", `^fulano\.de`), 400, "PIX_INVALID_PIX_KEY")},
	{"has an unknown code for an invalid key", "cash-out.key", answering(cashOut, refusedAs("PIX_INVALID_PIX_KEY"), code("INVALID_KEY"))},
	{"answers an invalid key with 422", "cash-out.key", answering(cashOut, refusedAs("PIX_INVALID_PIX_KEY"), status(422))},

	{"looks up RANDOM keys when the order comes", "cash-out.no-lookup", refusing(cashOut, sent("details.keyType", `"RANDOM"`), 400, "PIX_KEY_NOT_FOUND")},
	{"looks up e-mail keys when the order comes", "cash-out.no-lookup", refusing(cashOut, sent("details.keyType", `"EMAIL"`), 400, "PIX_KEY_NOT_FOUND")},

	{"takes a name of 101 characters", "cash-out.name", accepting(cashOut, longer("details.name", 100), cut("details.name", 100))},
	{"takes a payee without a name", "cash-out.name", accepting(cashOut, unsent("details.name"), set("details.name", `"-"`))},
	{"takes a name of null", "cash-out.name", accepting(cashOut, sent("details.name", `null`), set("details.name", `"-"`))},
	{"refuses a name of 100 characters", "cash-out.name", refusing(cashOut, longer("details.name", 99), 400, "HTTP_ERROR")},
	{"does not name the name that is too long", "cash-out.name", answering(cashOut, longer("details.name", 100), set("message", `["a text is too long"]`))},
	{"holds the name against the holder of the key", "cash-out.name", refusing(cashOut, sent("details.name", `"Ninguém de Tal"`), 400, "HTTP_ERROR")},

	{"takes a document of null", "cash-out.document", accepting(cashOut, sent("details.document", `null`), document)},
	{"takes an empty document", "cash-out.document", accepting(cashOut, sent("details.document", `""`), document)},
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
}

var document = set("details.document", `"52998224725"`)

func noDocumentWith(keyType string) condition {
	return all(sent("details.keyType", `"`+keyType+`"`), unsent("details.document"))
}

var orderRefusalMutants = []Mutant{
	{"charges no fee", "cash-out.covers-fee", misreading(fees, always, set("cashOut", `"0.00"`))},
	{"does not want the fee covered", "cash-out.covers-fee", accepting(cashOut, all(insufficient, sent("value", `99.51`)), set("value", `0.01`))},
	{"wants a centavo more than amount and fee", "cash-out.covers-fee", misreading(fees, always, plus("cashOut", 1))},
	{"pays far beyond the balance", "cash-out.covers-fee", accepting(cashOut, all(insufficient, sent("value", `5000.00`)), set("value", `0.01`))},
	{"answers want of money with 422", "cash-out.covers-fee", answering(cashOut, insufficient, status(422))},
	{"has an unknown code for want of money", "cash-out.covers-fee", answering(cashOut, insufficient, code("PIX_BALANCE"))},
	{"overdraws when asked at once", "cash-out.covers-fee", accepting(cashOut, all(insufficient, concurrent), set("value", `0.01`))},
	{"takes what there is although it refuses", "cash-out.covers-fee", despite(cashOut, insufficient, set("value", `0.01`))},

	{"does not repeat the code as errorCode", "cash-out.business-codes", answering(cashOut, refused, drop("errorCode"))},
	{"repeats no code for want of money", "cash-out.business-codes", answering(cashOut, insufficient, drop("errorCode"))},
	{"repeats no code of a used externalId", "cash-out.business-codes", answering(cashOut, duplicate, drop("errorCode"))},
	{"repeats another errorCode than its code", "cash-out.business-codes", answering(cashOut, refused, set("errorCode", `"BUSINESS_ERROR"`))},
	{"has business codes only as errorCode", "cash-out.business-codes", answering(cashOut, refused, set("code", `"HTTP_ERROR"`))},
}

var insufficient = refusedAs("PIX_INSUFFICIENT_BALANCE")
