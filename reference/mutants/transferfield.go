package mutants

// transferFieldMutants are about what a transfer asks for.
var transferFieldMutants = []Mutant{
	{"transfers to no CPF", "transfer.key", refusing(transfer, matching("pixKey", `^\d{11}$`), 400, "")},
	{"transfers to no CNPJ", "transfer.key", refusing(transfer, matching("pixKey", `^\d{14}$`), 400, "")},
	{"transfers to no e-mail", "transfer.key", refusing(transfer, matching("pixKey", `@`), 400, "")},
	{"transfers to no phone", "transfer.key", refusing(transfer, matching("pixKey", `^\+`), 400, "")},
	{"transfers to no random key", "transfer.key", refusing(transfer, matching("pixKey", `^[^@+]{36}$`), 400, "")},
	{"looks any text up in the directory", "transfer.key", answering(transfer, matching("pixKey", `^not a key$`), status(422))},
	{"looks five digits up in the directory", "transfer.key", answering(transfer, sent("pixKey", `"12345"`), status(422))},
	{"looks an empty key up in the directory", "transfer.key", answering(transfer, sent("pixKey", `""`), status(422))},
	{"looks a phone without +55 up in the directory", "transfer.key", answering(transfer, matching("pixKey", `^[15]\d{9,12}$`), status(422))},
	{"looks half an e-mail up in the directory", "transfer.key", answering(transfer, matching("pixKey", `@$`), status(422))},
	{"transfers to nobody", "transfer.key", pretending(transfer, lacking("pixKey"))},
	{"takes an object for the key of a transfer", "transfer.key", pretending(transfer, sent("pixKey", `{}`))},
	{"takes a number for the key of a transfer", "transfer.key", pretending(transfer, sent("pixKey", `123`))},

	{"transfers to keys that nobody holds", "transfer.directory", pretending(transfer, was(422))},
	{"answers a key that nobody holds with 404", "transfer.directory", answering(transfer, was(422), status(404))},
	{"transfers to e-mails that nobody holds", "transfer.directory", pretending(transfer, all(was(422), matching("pixKey", `@`)))},
	{"refuses a key that nobody holds as a bad request", "transfer.directory", answering(transfer, was(422), set("error", `"Bad Request"`))},

	{"transfers nothing at HIGH priority", "transfer.priority", refusing(transfer, sent("priority", `"HIGH"`), 400, "")},
	{"transfers nothing at NORM priority", "transfer.priority", refusing(transfer, sent("priority", `"NORM"`), 400, "")},
	{"wants the creditor's document at NORM priority", "transfer.priority", refusing(transfer, all(sent("priority", `"NORM"`), unsent("creditorDocument")), 400, "")},
	{"wants a priority", "transfer.priority", refusing(transfer, all(unsent("priority"), sent("creditorDocument")), 400, "")},
	{"wants no document at HIGH priority", "transfer.priority", accepting(transfer, all(sent("priority", `"HIGH"`), unsent("creditorDocument")), set("priority", `"NORM"`))},
	{"knows the priority LOW", "transfer.priority", accepting(transfer, sent("priority", `"LOW"`), set("priority", `"NORM"`))},
	{"takes a priority in small letters", "transfer.priority", accepting(transfer, sent("priority", `"high"`), set("priority", `"HIGH"`))},
	{"takes a number for a priority", "transfer.priority", accepting(transfer, sent("priority", `1`), drop("priority"))},
	{"takes any digits for the creditor's document", "transfer.priority", accepting(transfer, matching("creditorDocument", `^(\d{2}|\d{12})$`), norm)},
	{"takes an object for the creditor's document", "transfer.priority", accepting(transfer, sent("creditorDocument", `{}`), norm)},
	{"transfers to no company", "transfer.priority", refusing(transfer, matching("creditorDocument", `^\d{14}$`), 400, "")},
	{"breaks down without priority and document", "transfer.priority", refusing(transfer, all(unsent("priority"), unsent("creditorDocument")), 500, "")},

	{"wants a description of a transfer", "transfer.description", refusing(transfer, unsent("description"), 400, "")},
	{"wants no description of a transfer", "transfer.description", refusing(transfer, sent("description", `"Pedido 12"`), 400, "")},
	{"takes an object for the description of a transfer", "transfer.description", accepting(transfer, sent("description", `{}`), drop("description"))},

	{"wants an expiration", "transfer.expiration", refusing(transfer, unsent("expiration"), 400, "")},
	{"refuses an expiration of 1", "transfer.expiration", refusing(transfer, sent("expiration", `1`), 400, "")},
	{"refuses an expiration of 600", "transfer.expiration", refusing(transfer, sent("expiration", `600`), 400, "")},
	{"refuses an expiration of 10800", "transfer.expiration", refusing(transfer, sent("expiration", `10800`), 400, "")},
	{"takes an expiration of 0 or less", "transfer.expiration", accepting(transfer, sent("expiration", `0`, `-1`), drop("expiration"))},
	{"takes an expiration of 10801", "transfer.expiration", accepting(transfer, sent("expiration", `10801`), set("expiration", `10800`))},
	{"takes anything for an expiration", "transfer.expiration", accepting(transfer, sent("expiration", `"abc"`, `{}`), drop("expiration"))},
	{"breaks down over an expiration in quotes", "transfer.expiration", refusing(transfer, sent("expiration", `"600"`), 500, "")},

	{"refuses a transfer of one centavo", "transfer.payment", refusing(transfer, sent("payment.amount", `0.01`), 400, "")},
	{"takes a transfer without decimals for centavos", "transfer.payment", misreading(transfer, sent("payment.amount", `10`), set("payment.amount", `0.10`))},
	{"refuses a transfer with cents", "transfer.payment", refusing(transfer, sent("payment.amount", `10.55`), 400, "")},
	{"rounds the amount of a transfer", "transfer.payment", accepting(transfer, sent("payment.amount", `10.555`), set("payment.amount", `10.56`))},
	{"takes anything for the amount of a transfer", "transfer.payment", accepting(transfer, sent("payment.amount", `"abc"`, `{}`), set("payment.amount", `1.00`))},
	{"takes a transfer without an amount", "transfer.payment", accepting(transfer, all(sent("payment"), lacking("payment.amount")), paying)},
	{"takes a transfer of nothing", "transfer.payment", pretending(transfer, sent("payment.amount", `0`))},
	{"takes a negative transfer", "transfer.payment", pretending(transfer, sent("payment.amount", `-1`))},
	{"breaks down over the amount of a transfer in quotes", "transfer.payment", refusing(transfer, sent("payment.amount", `"10.00"`), 500, "")},
	{"takes a transfer without a payment", "transfer.payment", accepting(transfer, lacking("payment"), paying)},
	{"takes anything for the payment of a transfer", "transfer.payment", accepting(transfer, sent("payment", `10`, `"x"`), paying)},
	{"takes an object for a currency", "transfer.payment", accepting(transfer, sent("payment.currency", `{}`), set("payment.currency", `"BRL"`))},
	{"answers a wrong amount of a transfer with 422", "transfer.payment", answering(transfer, all(refused, not(sent("payment.amount", `0`, `-1`))), status(422))},

	{"does not look at ispbDeny", "transfer.ispb-deny", accepting(transfer, was(422), drop("ispbDeny"))},
	{"looks at the first of ispbDeny", "transfer.ispb-deny", accepting(transfer, items("ispbDeny", 1), drop("ispbDeny"))},
	{"answers a denied institution with 400", "transfer.ispb-deny", answering(transfer, was(422), status(400))},
	{"wants ispbDeny", "transfer.ispb-deny", refusing(transfer, unsent("ispbDeny"), 400, "")},
	{"denies everybody where ispbDeny is empty", "transfer.ispb-deny", refusing(transfer, sent("ispbDeny", `[]`), 422, "")},
	{"denies everybody where ispbDeny names one", "transfer.ispb-deny", refusing(transfer, sent("ispbDeny[0]", `"00000000"`), 422, "")},
	{"takes a text for ispbDeny", "transfer.ispb-deny", accepting(transfer, sent("ispbDeny", `"12345678"`), drop("ispbDeny"))},
	{"takes objects for ispbDeny", "transfer.ispb-deny", accepting(transfer, sent("ispbDeny", `[{}]`, `{}`), drop("ispbDeny"))},
	{"breaks down over a number in ispbDeny", "transfer.ispb-deny", refusing(transfer, sent("ispbDeny", `[1]`), 500, "")},

	{"breaks down over dollars", "transfer.left-open", refusing(transfer, sent("payment.currency", `"USD"`), 500, "")},
	{"answers a transfer without a currency with 404", "transfer.left-open", refusing(transfer, unsent("payment.currency"), 404, "")},
	{"refuses what is urgent", "transfer.left-open", refusing(transfer, sent("priority", `"HIGH"`), 400, "")},
}

var (
	norm   = together(set("priority", `"NORM"`), drop("creditorDocument"))
	paying = set("payment", `{"currency":"BRL","amount":1.00}`)
)
