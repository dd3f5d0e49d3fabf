package mutants

var splitMutants = []row{
	{"wants splits", "splits.count", refusing(cashIn, unsent("splits"), 400, "HTTP_ERROR")},
	{"divides no charge", "splits.count", refusing(cashIn, items("splits", 0), 400, "HTTP_ERROR")},
	{"has room for 9 splits", "splits.count", refusing(cashIn, items("splits", 9), 400, "HTTP_ERROR")},
	{"takes 11 splits", "splits.count", accepting(cashIn, items("splits", 10), drop("splits"))},
	{"takes anything for splits", "splits.count", accepting(cashIn, kind("splits", "object", "text"), drop("splits"))},
	{"does not name the invalid splits", "splits.count", answering(cashIn, refused, nameless)},
	{"has one text for what is wrong with splits", "splits.count", answering(cashIn, refused, joined("message"))},

	{"wants something left to the account", "splits.sum", refusing(cashIn, sent("splits"), 400, "HTTP_ERROR")},
	{"does not add up fixed splits", "splits.sum", accepting(cashIn, all(sent("splits[0].type", `"FIXED"`), sent("splits[1].type", `"FIXED"`)), drop("splits"))},
	{"does not hold one split against the amount", "splits.sum", accepting(cashIn, all(sent("splits"), unsent("splits[1]")), drop("splits"))},
	{"does not add up percentages", "splits.sum", accepting(cashIn, sent("splits[1].type", `"PERCENTAGE"`), drop("splits"))},
	{"does not add percentages and amounts", "splits.sum", accepting(cashIn, all(sent("splits[0].type", `"PERCENTAGE"`), sent("splits[1].type", `"FIXED"`)), drop("splits"))},
	{"answers splits beyond the amount with 422", "splits.sum", answering(cashIn, refused, status(422))},

	{"pays no split to an e-mail", "splits.pix-key", refusing(cashIn, sent("splits[].pixKeyType", `"EMAIL"`), 400, "HTTP_ERROR")},
	{"pays no split to a CPF", "splits.pix-key", refusing(cashIn, sent("splits[].pixKeyType", `"CPF"`), 400, "HTTP_ERROR")},
	{"pays no split to a CNPJ", "splits.pix-key", refusing(cashIn, sent("splits[].pixKeyType", `"CNPJ"`), 400, "HTTP_ERROR")},
	{"pays no split to a RANDOM key", "splits.pix-key", refusing(cashIn, sent("splits[].pixKeyType", `"RANDOM"`), 400, "HTTP_ERROR")},
	{"pays no split to a phone", "splits.pix-key", refusing(cashIn, sent("splits[].pixKeyType", `"PHONE"`), 400, "HTTP_ERROR")},
	{"takes the key types of a cash-out for splits", "splits.pix-key", accepting(cashIn, sent("splits[].pixKeyType", `"DOCUMENT"`), splitKey)},
	{"takes any key type of a split", "splits.pix-key", accepting(cashIn, either(outside("splits[].pixKeyType", "EMAIL", "PHONE", "CPF", "CNPJ", "RANDOM"), kind("splits[].pixKeyType", "number")), splitKey)},
	{"guesses the key type of a split", "splits.pix-key", accepting(cashIn, lacking("splits[].pixKeyType"), splitKey)},
	{"takes a split without a key", "splits.pix-key", accepting(cashIn, lacking("splits[].pixKey"), splitKey)},
	{"takes a key of 256 characters", "splits.pix-key", accepting(cashIn, longer("splits[].pixKey", 255), splitKey)},
	{"takes an object for the key of a split", "splits.pix-key", accepting(cashIn, kind("splits[].pixKey", "object"), splitKey)},
	{"does not name what is wrong with the key of a split", "splits.pix-key", answering(cashIn, refused, nameless)},
	{"breaks down over a key of 255 characters", "splits.pix-key", refusing(cashIn, longer("splits[].pixKey", 254), 500, "HTTP_ERROR")},

	{"refuses the name of a split of 255 characters", "splits.recipient", refusing(cashIn, longer("splits[].name", 254), 400, "HTTP_ERROR")},
	{"pays no split to people", "splits.recipient", refusing(cashIn, matching("splits[].document", `^\d{11}$`), 400, "HTTP_ERROR")},
	{"pays no split to companies", "splits.recipient", refusing(cashIn, matching("splits[].document", `^\d{14}$`), 400, "HTTP_ERROR")},
	{"takes the name of a split of 256 characters", "splits.recipient", accepting(cashIn, longer("splits[].name", 255), set("splits[].name", `"-"`))},
	{"takes a split without a name", "splits.recipient", accepting(cashIn, lacking("splits[].name"), set("splits[].name", `"-"`))},
	{"takes an object for the name of a split", "splits.recipient", accepting(cashIn, kind("splits[].name", "object"), set("splits[].name", `"-"`))},
	{"takes the document of a split with punctuation", "splits.recipient", accepting(cashIn, matching("splits[].document", `[./-]`), splitDocument)},
	{"takes any digits for the document of a split", "splits.recipient", accepting(cashIn, matching("splits[].document", `^\d{1,10}$`), splitDocument)},
	{"takes a split without a document", "splits.recipient", accepting(cashIn, lacking("splits[].document"), splitDocument)},
	{"takes an object for the document of a split", "splits.recipient", accepting(cashIn, kind("splits[].document", "object"), splitDocument)},
	{"does not name what is wrong with a recipient", "splits.recipient", answering(cashIn, refused, nameless)},

	{"refuses a split of one centavo", "splits.value", refusing(cashIn, anyItem("splits", all(sent("type", `"FIXED"`), equals("value", "0.01"))), 400, "HTTP_ERROR")},
	{"refuses a split with cents", "splits.value", refusing(cashIn, cents("splits[].value"), 400, "HTTP_ERROR")},
	{"refuses a hundredth of a percent", "splits.value", refusing(cashIn, anyItem("splits", all(sent("type", `"PERCENTAGE"`), equals("value", "0.01"))), 400, "HTTP_ERROR")},
	{"wants percentages as fractions", "splits.value", refusing(cashIn, anyItem("splits", all(sent("type", `"PERCENTAGE"`), above("value", "1"))), 400, "HTTP_ERROR")},
	{"takes a split of R$ 0.00 or less", "splits.value", accepting(cashIn, either(equals("splits[].value", "0"), below("splits[].value", "0")), splitValue)},
	{"rounds the value of a split", "splits.value", accepting(cashIn, finer("splits[].value"), splitValue)},
	{"takes a split without a value", "splits.value", accepting(cashIn, lacking("splits[].value"), splitValue)},
	{"takes a word for the value of a split", "splits.value", accepting(cashIn, kind("splits[].value", "word"), splitValue)},
	{"breaks down over the value of a split in quotes", "splits.value", refusing(cashIn, kind("splits[].value", "quoted"), 500, "HTTP_ERROR")},
	{"takes any type of split", "splits.value", accepting(cashIn, either(outside("splits[].type", "FIXED", "PERCENTAGE"), kind("splits[].type", "number")), set("splits[].type", `"FIXED"`))},
	{"takes a split without a type", "splits.value", accepting(cashIn, lacking("splits[].type"), set("splits[].type", `"FIXED"`))},
	{"does not name what is wrong with a split", "splits.value", answering(cashIn, refused, nameless)},

	{"carries no split out at once", "splits.immediate", misreading(cashIn, sent("splits[].immediate", `true`), set("splits[].immediate", `false`))},
	{"carries every split out at once", "splits.immediate", misreading(cashIn, not(kind("splits[].immediate", "text", "object")), set("splits[].immediate", `true`))},
	{"takes yes for immediate", "splits.immediate", accepting(cashIn, kind("splits[].immediate", "text"), drop("splits[].immediate"))},
	{"takes an object for immediate", "splits.immediate", accepting(cashIn, kind("splits[].immediate", "object"), drop("splits[].immediate"))},
	{"does not name the invalid immediate", "splits.immediate", answering(cashIn, refused, nameless)},

	{"pays splits out before the payment", "splits.unpaid", answering(division, accepted, set("splits[].status", `"PAID"`))},
	{"takes the splits of an unpaid charge from the account", "splits.unpaid", answering(balances, after(1, cashIn, byTheSame, taken), plus(available, -100))},

	{"forgets the splits of a charge", "splits.division", misreading(cashIn, sent("splits"), drop("splits"))},
	{"leaves the whole payment to the account", "splits.division", leaving(payment, accepted, windfall)},
	{"takes a percentage of what the fee leaves", "splits.division", answering(division, after(1, fees, byTheSame), times("splits[].amount", 99, 100))},
	{"takes the fee from a fixed split", "splits.division", answering(division, after(1, fees, byTheSame), plus("splits[].amount", -50))},
	{"reckons splits in floating point and cuts", "splits.division", answering(division, accepted, binary("splits[0].amount"), binary("left"))},
	{"takes ten for one percent", "splits.division", misreading(cashIn, sent("splits[].type", `"PERCENTAGE"`), times("splits[].value", 1, 10))},
	{"loses a centavo when it rounds", "splits.division", answering(division, accepted, plus("left", -1))},
	{"makes a centavo when it rounds", "splits.division", answering(division, accepted, plus("splits[0].amount", 1))},
}

var (
	splitKey      = together(set("splits[].pixKey", `"fulano@example.com"`), set("splits[].pixKeyType", `"EMAIL"`))
	splitDocument = set("splits[].document", `"52998224725"`)
	splitValue    = set("splits[].value", `1.00`)
)
