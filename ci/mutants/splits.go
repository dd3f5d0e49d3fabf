package mutants

import "github.com/pixcert/pixcert/steps/api"

var splitMutants = []row{
	{"requires splits", "splits.count", refusing(cashIn, unsent("splits"), 400, api.HTTPError)},
	{"rejects every split", "splits.count", refusing(cashIn, items("splits", 0), 400, api.HTTPError)},
	{"accepts at most 9 splits", "splits.count", refusing(cashIn, items("splits", 9), 400, api.HTTPError)},
	{"accepts 11 splits", "splits.count", accepting(cashIn, items("splits", 10), drop("splits"))},
	{"accepts anything as splits", "splits.count", accepting(cashIn, kind("splits", "object", "text"), drop("splits"))},
	{"does not name the invalid splits", "splits.count", answering(cashIn, refused, nameless)},
	{"returns one string for all errors in splits", "splits.count", answering(cashIn, refused, joined("message"))},

	{"requires that something is left for the account", "splits.sum", refusing(cashIn, sent("splits"), 400, api.HTTPError)},
	{"does not add up fixed splits", "splits.sum", accepting(cashIn, all(sent("splits[0].type", `"FIXED"`), sent("splits[1].type", `"FIXED"`)), drop("splits"))},
	{"does not check a single split against the amount", "splits.sum", accepting(cashIn, all(sent("splits"), unsent("splits[1]")), drop("splits"))},
	{"does not add up percentages", "splits.sum", accepting(cashIn, sent("splits[1].type", `"PERCENTAGE"`), drop("splits"))},
	{"does not add percentages to amounts", "splits.sum", accepting(cashIn, all(sent("splits[0].type", `"PERCENTAGE"`), sent("splits[1].type", `"FIXED"`)), drop("splits"))},
	{"returns 422 for splits above the amount", "splits.sum", answering(cashIn, refused, status(422))},

	{"rejects a split to an e-mail key", "splits.pix-key", refusing(cashIn, sent("splits[].pixKeyType", `"EMAIL"`), 400, api.HTTPError)},
	{"rejects a split to a CPF key", "splits.pix-key", refusing(cashIn, sent("splits[].pixKeyType", `"CPF"`), 400, api.HTTPError)},
	{"rejects a split to a CNPJ key", "splits.pix-key", refusing(cashIn, sent("splits[].pixKeyType", `"CNPJ"`), 400, api.HTTPError)},
	{"rejects a split to a RANDOM key", "splits.pix-key", refusing(cashIn, sent("splits[].pixKeyType", `"RANDOM"`), 400, api.HTTPError)},
	{"rejects a split to a phone key", "splits.pix-key", refusing(cashIn, sent("splits[].pixKeyType", `"PHONE"`), 400, api.HTTPError)},
	{"accepts the key types of a cash-out in splits", "splits.pix-key", accepting(cashIn, sent("splits[].pixKeyType", `"DOCUMENT"`), splitKey)},
	{"accepts any key type of a split", "splits.pix-key", accepting(cashIn, either(outside("splits[].pixKeyType", "EMAIL", "PHONE", "CPF", "CNPJ", "RANDOM"), kind("splits[].pixKeyType", "number")), splitKey)},
	{"guesses a missing key type of a split", "splits.pix-key", accepting(cashIn, lacking("splits[].pixKeyType"), splitKey)},
	{"accepts a split without a key", "splits.pix-key", accepting(cashIn, lacking("splits[].pixKey"), splitKey)},
	{"accepts a key of 256 characters", "splits.pix-key", accepting(cashIn, longer("splits[].pixKey", 255), splitKey)},
	{"accepts an object as the key of a split", "splits.pix-key", accepting(cashIn, kind("splits[].pixKey", "object"), splitKey)},
	{"does not name what is wrong with the key of a split", "splits.pix-key", answering(cashIn, refused, nameless)},
	{"returns 500 for a key of 255 characters", "splits.pix-key", refusing(cashIn, longer("splits[].pixKey", 254), 500, api.HTTPError)},

	{"rejects a split with a name of 255 characters", "splits.recipient", refusing(cashIn, longer("splits[].name", 254), 400, api.HTTPError)},
	{"rejects a split with a CPF", "splits.recipient", refusing(cashIn, matching("splits[].document", `^\d{11}$`), 400, api.HTTPError)},
	{"rejects a split with a CNPJ", "splits.recipient", refusing(cashIn, matching("splits[].document", `^\d{14}$`), 400, api.HTTPError)},
	{"accepts a split with a name of 256 characters", "splits.recipient", accepting(cashIn, longer("splits[].name", 255), set("splits[].name", `"-"`))},
	{"accepts a split without a name", "splits.recipient", accepting(cashIn, lacking("splits[].name"), set("splits[].name", `"-"`))},
	{"accepts an object as the name of a split", "splits.recipient", accepting(cashIn, kind("splits[].name", "object"), set("splits[].name", `"-"`))},
	{"accepts the document of a split with punctuation", "splits.recipient", accepting(cashIn, matching("splits[].document", `[./-]`), splitDocument)},
	{"accepts any digits as the document of a split", "splits.recipient", accepting(cashIn, matching("splits[].document", `^\d{1,10}$`), splitDocument)},
	{"accepts a split without a document", "splits.recipient", accepting(cashIn, lacking("splits[].document"), splitDocument)},
	{"accepts an object as the document of a split", "splits.recipient", accepting(cashIn, kind("splits[].document", "object"), splitDocument)},
	{"does not name what is wrong with a recipient", "splits.recipient", answering(cashIn, refused, nameless)},

	{"rejects a split of one centavo", "splits.value", refusing(cashIn, anyItem("splits", all(sent("type", `"FIXED"`), equals("value", "0.01"))), 400, api.HTTPError)},
	{"rejects a split with cents", "splits.value", refusing(cashIn, cents("splits[].value"), 400, api.HTTPError)},
	{"rejects a hundredth of a percent", "splits.value", refusing(cashIn, anyItem("splits", all(sent("type", `"PERCENTAGE"`), equals("value", "0.01"))), 400, api.HTTPError)},
	{"requires percentages as fractions", "splits.value", refusing(cashIn, anyItem("splits", all(sent("type", `"PERCENTAGE"`), above("value", "1"))), 400, api.HTTPError)},
	{"accepts a split of R$ 0.00 or less", "splits.value", accepting(cashIn, either(equals("splits[].value", "0"), below("splits[].value", "0")), splitValue)},
	{"rounds the value of a split", "splits.value", accepting(cashIn, anyItem("splits", all(sent("type", `"FIXED"`), finer("value"))), splitValue)},
	{"accepts a split without a value", "splits.value", accepting(cashIn, lacking("splits[].value"), splitValue)},
	{"accepts a word as the value of a split", "splits.value", accepting(cashIn, kind("splits[].value", "word"), splitValue)},
	{"returns 500 for the value of a split in quotes", "cash-in.left-open", refusing(cashIn, kind("splits[].value", "quoted"), 500, api.HTTPError)},
	{"accepts any type of split", "splits.value", accepting(cashIn, either(outside("splits[].type", "FIXED", "PERCENTAGE"), kind("splits[].type", "number")), set("splits[].type", `"FIXED"`))},
	{"accepts a split without a type", "splits.value", accepting(cashIn, lacking("splits[].type"), set("splits[].type", `"FIXED"`))},
	{"does not name what is wrong with a split", "splits.value", answering(cashIn, refused, nameless)},

	{"does not pay immediate splits immediately", "splits.immediate", misreading(cashIn, sent("splits[].immediate", `true`), set("splits[].immediate", `false`))},
	{"pays every split immediately", "splits.immediate", misreading(cashIn, not(kind("splits[].immediate", "text", "object")), set("splits[].immediate", `true`))},
	{"accepts the word yes as immediate", "splits.immediate", accepting(cashIn, kind("splits[].immediate", "text"), drop("splits[].immediate"))},
	{"accepts an object as immediate", "splits.immediate", accepting(cashIn, kind("splits[].immediate", "object"), drop("splits[].immediate"))},
	{"does not name the invalid immediate", "splits.immediate", answering(cashIn, refused, nameless)},

	{"pays splits before the charge is paid", "splits.unpaid", answering(division, accepted, set("splits[].status", `"PAID"`))},
	{"debits the splits of an unpaid charge", "splits.unpaid", answering(balances, after(1, cashIn, byTheSame, taken), plus(available, -100))},

	{"drops the splits of a charge", "splits.division", misreading(cashIn, sent("splits"), drop("splits"))},
	{"leaves the whole payment with the account", "splits.division", leaving(payment, accepted, windfall)},
	{"applies percentages after the fee", "splits.division", answering(division, after(1, fees, byTheSame), times("splits[].amount", 99, 100))},
	{"deducts the fee from a fixed split", "splits.division", answering(division, after(1, fees, byTheSame), plus("splits[].amount", -50))},
	{"computes splits in floating point and truncates", "splits.division", answering(division, accepted, binary("splits[0].amount"), binary("left"))},
	{"reads a value of 10 as one percent", "splits.division", misreading(cashIn, sent("splits[].type", `"PERCENTAGE"`), times("splits[].value", 1, 10))},
	{"loses a centavo when it rounds", "splits.division", answering(division, accepted, plus("left", -1))},
	{"gains a centavo when it rounds", "splits.division", answering(division, accepted, plus("splits[0].amount", 1))},
}

var (
	splitKey      = together(set("splits[].pixKey", `"fulano@example.com"`), set("splits[].pixKeyType", `"EMAIL"`))
	splitDocument = set("splits[].document", `"52998224725"`)
	splitValue    = set("splits[].value", `1.00`)
)
