package mutants

var splitMutants = []Mutant{
	{"wants splits", "splits.count", refusing(cashIn, unsent("splits"), 400, "HTTP_ERROR")},
	{"divides no charge", "splits.count", refusing(cashIn, items("splits", 0), 400, "HTTP_ERROR")},
	{"has room for 9 splits", "splits.count", refusing(cashIn, items("splits", 9), 400, "HTTP_ERROR")},
	{"takes 11 splits", "splits.count", accepting(cashIn, items("splits", 10), drop("splits"))},
	{"takes anything for splits", "splits.count", accepting(cashIn, sent("splits", `{}`, `"x"`), drop("splits"))},
	{"does not name the invalid splits", "splits.count", answering(cashIn, refused, nameless)},
	{"has one text for what is wrong with splits", "splits.count", answering(cashIn, refused, joined("message"))},

	{"wants something left to the account", "splits.sum", refusing(cashIn, sent("splits"), 400, "HTTP_ERROR")},
	{"does not add up fixed splits", "splits.sum", accepting(cashIn, all(sent("splits[0].type", `"FIXED"`), sent("splits[1].type", `"FIXED"`)), drop("splits"))},
	{"does not hold one split against the amount", "splits.sum", accepting(cashIn, all(sent("splits"), unsent("splits[1]")), drop("splits"))},
	{"does not add up percentages", "splits.sum", accepting(cashIn, sent("splits[1].type", `"PERCENTAGE"`), drop("splits"))},
	{"does not add percentages and amounts", "splits.sum", accepting(cashIn, all(sent("splits[0].type", `"PERCENTAGE"`), sent("splits[1].type", `"FIXED"`)), drop("splits"))},
	{"answers splits beyond the amount with 422", "splits.sum", answering(cashIn, refused, status(422))},

	{"pays no split to an e-mail", "splits.pix-key", refusing(cashIn, sent("splits[0].pixKeyType", `"EMAIL"`), 400, "HTTP_ERROR")},
	{"pays no split to a CPF", "splits.pix-key", refusing(cashIn, sent("splits[0].pixKeyType", `"CPF"`), 400, "HTTP_ERROR")},
	{"pays no split to a CNPJ", "splits.pix-key", refusing(cashIn, sent("splits[0].pixKeyType", `"CNPJ"`), 400, "HTTP_ERROR")},
	{"pays no split to a RANDOM key", "splits.pix-key", refusing(cashIn, sent("splits[0].pixKeyType", `"RANDOM"`), 400, "HTTP_ERROR")},
	{"pays no split to a phone", "splits.pix-key", refusing(cashIn, sent("splits[0].pixKeyType", `"PHONE"`), 400, "HTTP_ERROR")},
	{"takes the key types of a cash-out for splits", "splits.pix-key", accepting(cashIn, sent("splits[0].pixKeyType", `"DOCUMENT"`), splitKey)},
	{"takes any key type of a split", "splits.pix-key", accepting(cashIn, sent("splits[0].pixKeyType", `"EVP"`, `"X"`, `1`), splitKey)},
	{"guesses the key type of a split", "splits.pix-key", accepting(cashIn, lacking("splits[0].pixKeyType"), splitKey)},
	{"takes a split without a key", "splits.pix-key", accepting(cashIn, lacking("splits[0].pixKey"), splitKey)},
	{"takes a key of 256 characters", "splits.pix-key", accepting(cashIn, longer("splits[0].pixKey", 255), splitKey)},
	{"takes an object for the key of a split", "splits.pix-key", accepting(cashIn, sent("splits[0].pixKey", `{}`), splitKey)},
	{"does not name what is wrong with the key of a split", "splits.pix-key", answering(cashIn, refused, nameless)},
	{"breaks down over a key of 255 characters", "splits.pix-key", refusing(cashIn, longer("splits[0].pixKey", 254), 500, "HTTP_ERROR")},

	{"refuses the name of a split of 255 characters", "splits.recipient", refusing(cashIn, longer("splits[0].name", 254), 400, "HTTP_ERROR")},
	{"pays no split to people", "splits.recipient", refusing(cashIn, sent("splits[0].document", `"52998224725"`), 400, "HTTP_ERROR")},
	{"pays no split to companies", "splits.recipient", refusing(cashIn, sent("splits[0].document", `"11222333000181"`), 400, "HTTP_ERROR")},
	{"takes the name of a split of 256 characters", "splits.recipient", accepting(cashIn, longer("splits[0].name", 255), set("splits[0].name", `"-"`))},
	{"takes a split without a name", "splits.recipient", accepting(cashIn, lacking("splits[0].name"), set("splits[0].name", `"-"`))},
	{"takes an object for the name of a split", "splits.recipient", accepting(cashIn, sent("splits[0].name", `{}`), set("splits[0].name", `"-"`))},
	{"takes the document of a split with punctuation", "splits.recipient", accepting(cashIn, sent("splits[0].document", `"529.982.247-25"`), splitDocument)},
	{"takes any digits for the document of a split", "splits.recipient", accepting(cashIn, sent("splits[0].document", `"5299822472"`), splitDocument)},
	{"takes a split without a document", "splits.recipient", accepting(cashIn, lacking("splits[0].document"), splitDocument)},
	{"takes an object for the document of a split", "splits.recipient", accepting(cashIn, sent("splits[0].document", `{}`), splitDocument)},
	{"does not name what is wrong with a recipient", "splits.recipient", answering(cashIn, refused, nameless)},

	{"refuses a split of one centavo", "splits.value", refusing(cashIn, all(sent("splits[0].type", `"FIXED"`), sent("splits[0].value", `0.01`)), 400, "HTTP_ERROR")},
	{"refuses a split with cents", "splits.value", refusing(cashIn, sent("splits[0].value", `1.23`), 400, "HTTP_ERROR")},
	{"refuses a hundredth of a percent", "splits.value", refusing(cashIn, all(sent("splits[0].type", `"PERCENTAGE"`), sent("splits[0].value", `0.01`)), 400, "HTTP_ERROR")},
	{"wants percentages as fractions", "splits.value", refusing(cashIn, all(sent("splits[0].type", `"PERCENTAGE"`), sent("splits[0].value", `10`)), 400, "HTTP_ERROR")},
	{"takes a split of R$ 0.00 or less", "splits.value", accepting(cashIn, sent("splits[0].value", `0`, `-1`), splitValue)},
	{"rounds the value of a split", "splits.value", accepting(cashIn, sent("splits[0].value", `1.234`), splitValue)},
	{"takes a split without a value", "splits.value", accepting(cashIn, lacking("splits[0].value"), splitValue)},
	{"takes a word for the value of a split", "splits.value", accepting(cashIn, sent("splits[0].value", `"abc"`), splitValue)},
	{"breaks down over the value of a split in quotes", "splits.value", refusing(cashIn, sent("splits[0].value", `"1.00"`), 500, "HTTP_ERROR")},
	{"takes any type of split", "splits.value", accepting(cashIn, sent("splits[0].type", `"RATIO"`, `1`), set("splits[0].type", `"FIXED"`))},
	{"takes a split without a type", "splits.value", accepting(cashIn, lacking("splits[0].type"), set("splits[0].type", `"FIXED"`))},
	{"does not name what is wrong with a split", "splits.value", answering(cashIn, refused, nameless)},

	{"carries no split out at once", "splits.immediate", misreading(cashIn, sent("splits[0].immediate", `true`), set("splits[0].immediate", `false`))},
	{"carries every split out at once", "splits.immediate", misreading(cashIn, not(sent("splits[0].immediate", `"yes"`, `{}`)), set("splits[].immediate", `true`))},
	{"takes yes for immediate", "splits.immediate", accepting(cashIn, sent("splits[0].immediate", `"yes"`), drop("splits[0].immediate"))},
	{"takes an object for immediate", "splits.immediate", accepting(cashIn, sent("splits[0].immediate", `{}`), drop("splits[0].immediate"))},
	{"does not name the invalid immediate", "splits.immediate", answering(cashIn, refused, nameless)},

	{"pays splits out before the payment", "splits.unpaid", answering(division, accepted, set("splits[].status", `"PAID"`))},
	{"takes the splits of an unpaid charge from the account", "splits.unpaid", answering(balances, after(1, cashIn, byTheSame, taken), plus(available, -100))},

	{"forgets the splits of a charge", "splits.division", misreading(cashIn, sent("splits"), drop("splits"))},
	{"leaves the whole payment to the account", "splits.division", leaving(payment, accepted, "1000.00")},
	{"takes a percentage of what the fee leaves", "splits.division", answering(division, told("splits[0].amount", `"10.00"`), set("splits[0].amount", `"9.90"`))},
	{"takes the fee from a fixed split", "splits.division", answering(division, told("splits[0].amount", `"3.00"`), set("splits[0].amount", `"2.50"`))},
	{"reckons splits in floating point and cuts", "splits.division", answering(division, accepted, binary("splits[0].amount"), binary("left"))},
	{"takes ten for one percent", "splits.division", misreading(cashIn, sent("splits[0].type", `"PERCENTAGE"`), times("splits[0].value", 1, 10))},
	{"loses a centavo when it rounds", "splits.division", answering(division, accepted, plus("left", -1))},
	{"makes a centavo when it rounds", "splits.division", answering(division, accepted, plus("splits[0].amount", 1))},
}

var (
	splitKey      = together(set("splits[0].pixKey", `"fulano@example.com"`), set("splits[0].pixKeyType", `"EMAIL"`))
	splitDocument = set("splits[0].document", `"52998224725"`)
	splitValue    = set("splits[0].value", `1.00`)
)
