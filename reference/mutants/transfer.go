package mutants

import (
	"strings"
	"time"
)

var transferMutants = []row{
	{"answers a transfer with 207", "transfer.accepted", answering(transfer, accepted, status(207))},
	{"settles a transfer at once", "transfer.accepted", answering(transfer, accepted, set("type", `"COMPLETED"`))},
	{"calls a pending transfer EM_PROCESSAMENTO", "transfer.accepted", answering(transfer, accepted, set("type", `"EM_PROCESSAMENTO"`))},
	{"tells the id of a transfer as text", "transfer.accepted", answering(transfer, accepted, quoted("id"))},
	{"gives every transfer the same id", "transfer.accepted", answering(transfer, accepted, set("id", `1`))},
	{"tells no end-to-end id of a transfer", "transfer.accepted", answering(transfer, accepted, set("endToEndId", `null`))},
	{"tells the amount of a transfer in centavos", "transfer.accepted", answering(transfer, accepted, times("payment.amount", 100, 1))},
	{"makes one transfer of two of the same amount", "transfer.accepted", repeating(transfer, byTheSame, taken, same("payment.amount"))},
	{"tells two transfers and makes one", "transfer.accepted", ignoring(transfer, after(1, transfer, byTheSame, taken))},

	{"takes a transfer and forgets it", "transfer.blocks", ignoring(transfer, always)},
	{"takes no money for a transfer before it settles", "transfer.blocks", answering(balances, accepted, sum(available, available, blocked))},
	{"shows nothing blocked for a transfer", "transfer.blocks", answering(balances, accepted, set(blocked, `0.00`))},
	{"reckons transfers in floating point and cuts", "transfer.blocks", misreading(transfer, sent("payment.amount"), binary("payment.amount"))},
	{"blocks for transfers in tenths", "transfer.blocks", answering(balances, accepted, rounded(blocked, 10))},
	{"loses a centavo of a very large transfer", "transfer.blocks", misreading(transfer, beyondDouble("payment.amount"), plus("payment.amount", -1))},
	{"lets blocked money be transferred", "transfer.blocks", accepting(transfer, all(was(422), after(1, transfer, byTheSame, taken)), set("payment.amount", `0.01`))},
	{"blocks the whole account for a transfer", "transfer.blocks", refusing(transfer, after(1, transfer, byTheSame, taken), 422, "")},
	{"answers want of money for a transfer with 400", "transfer.blocks", answering(transfer, was(422), status(400))},

	{"takes a settled transfer from available again", "transfer.settled", leaving(bank, accepted, "0.00")},
	{"gives the money of a settled transfer back", "transfer.settled", both(misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank), sending(always, set("data.status", `"LIQUIDATED"`)))},
	{"keeps the money of a settled transfer blocked", "transfer.settled", ignoring(bank, always)},
	{"sends no word of a settled transfer", "transfer.settled", ignoring(event, always)},
	{"calls a settled transfer CONFIRMED", "transfer.settled", sending(liquidated, set("data.status", `"CONFIRMED"`))},

	{"settles what the bank rejects", "transfer.rejected", misreading(bank, sent("outcome", `"ERROR"`), confirmedByBank)},
	{"reports every transfer as settled", "transfer.rejected", sending(always, set("data.status", `"LIQUIDATED"`))},

	{"sends a transfer at its expiration", "transfer.queue", sending(always, set("data.status", `"LIQUIDATED"`))},
	{"never lets a transfer expire", "transfer.queue", misreading(transfer, always, set("expiration", `10800`))},
	{"lets every transfer expire in ten minutes", "transfer.queue", misreading(transfer, sent("expiration"), set("expiration", `600`))},
	{"lets a transfer expire in five minutes by default", "transfer.queue", misreading(transfer, unsent("expiration"), set("expiration", `300`))},
	{"keeps a transfer in the queue for an hour by default", "transfer.queue", misreading(transfer, unsent("expiration"), set("expiration", `3600`))},
	{"keeps a transfer in the queue for at least a minute", "transfer.queue", misreading(transfer, equals("expiration", "1"), set("expiration", `60`))},
	{"lets a transfer expire a minute late", "transfer.queue", misreading(clock, always, later(-time.Minute))},
	{"lets a transfer expire a minute early", "transfer.queue", misreading(clock, always, later(time.Minute))},

	{"lets a centavo be overdrawn for a transfer", "transfer.covered", accepting(transfer, was(422), plus("payment.amount", -1))},
	{"lets nobody transfer the last centavo", "transfer.covered", refusing(transfer, spending("payment.amount", 1, 1), 422, "")},
	{"overdraws for transfers when asked at once", "transfer.covered", accepting(transfer, all(was(422), concurrent), set("payment.amount", `0.01`))},
	{"overdraws for transfers when asked at once", "transfer.covered", sometimes(EverySecond, accepting(transfer, all(was(422), concurrent), set("payment.amount", `0.01`)))},
	{"answers want of money for transfers at once with 400", "transfer.covered", answering(transfer, was(422), status(400))},
	{"blocks what it refuses to transfer", "transfer.covered", answering(balances, after(1, transfer, byTheSame, answered(was(422))), plus(blocked, 100))},
	{"takes a centavo where it refuses a transfer", "transfer.covered", despite(transfer, was(422), set("payment.amount", `0.01`))},

	{"takes a transfer without x-idempotency-key", "transfer.idempotency-key", accepting(transfer, under(idempotency, `^$`), freshKey)},
	{"takes any text for x-idempotency-key", "transfer.idempotency-key", accepting(transfer, under(idempotency, `^.{1,35}$`), freshKey)},
	{"does not look at the digits of x-idempotency-key", "transfer.idempotency-key", accepting(transfer, all(under(idempotency, `^.{36}$`), not(under(idempotency, anyUUID))), freshKey)},
	{"breaks down over a UUID of version 1", "transfer.idempotency-key", refusing(transfer, under(idempotency, `^.{14}1`), 500, "")},
	{"answers a missing x-idempotency-key with 422", "transfer.idempotency-key", answering(transfer, under(idempotency, `^$`), status(422))},
	{"refuses a transfer without a message", "transfer.idempotency-key", answering(transfer, refused, drop("message"))},
	{"refuses a transfer without a reason phrase", "transfer.idempotency-key", answering(transfer, refused, drop("error"))},
	{"answers a malformed x-idempotency-key with 404", "transfer.idempotency-key", answering(transfer, all(under(idempotency, `.`), not(under(idempotency, anyUUID))), status(404))},

	{"makes a transfer of each request", "transfer.idempotent", misreading(transfer, replayed, freshKey)},
	{"makes a transfer of each request", "transfer.idempotent", sometimes(EverySecond, misreading(transfer, replayed, freshKey))},
	{"refuses a repeated transfer", "transfer.idempotent", refusing(transfer, replayed, 409, "")},
	{"debits a repeated transfer and tells the first", "transfer.idempotent", changing(transfer, debitingRepeats)},
	{"debits a repeated transfer and tells the first", "transfer.idempotent", sometimes(EveryThird, changing(transfer, debitingRepeats))},
	{"gives a repeated transfer another id", "transfer.idempotent", answering(transfer, replayed, set("id", `4711`))},
	{"does not tell the amount of a repeated transfer", "transfer.idempotent", answering(transfer, replayed, drop("payment.amount"))},
	{"makes a settled transfer again", "transfer.idempotent", answering(transfer, all(replayed, told("type", `COMPLETED`)), set("id", `4711`))},
	{"calls a settled transfer that is repeated LIQUIDATED", "transfer.idempotent", answering(transfer, told("type", `COMPLETED`), set("type", `"LIQUIDATED"`))},
	{"takes a settled transfer from available once more", "transfer.idempotent", answering(balances, after(1, transfer, byTheSame, answered(told("type", `COMPLETED`))), plus(available, -1000))},
	{"sends no word of a transfer that was repeated", "transfer.idempotent", ignoring(event, always)},
	{"makes several transfers of one key when asked at once", "transfer.idempotent", changing(transfer, debitingWhatComesAtOnce)},
	{"makes several transfers of one key when asked at once", "transfer.idempotent", sometimes(EveryThird, changing(transfer, debitingWhatComesAtOnce))},
	{"changes the amount of a transfer that is repeated", "transfer.idempotent", misreading(transfer, after(1, transfer, byTheSame, taken, sameHeader(idempotency), other("payment.amount")), freshKey)},
	{"answers another transfer under a used key with 404", "transfer.idempotent", refusing(transfer, after(1, transfer, byTheSame, taken, sameHeader(idempotency), other("payment.amount")), 404, "")},
	{"breaks down over another account's x-idempotency-key", "transfer.idempotent", refusing(transfer, after(1, transfer, byAnother, taken, sameHeader(idempotency)), 500, "")},
	{"blocks a repeated transfer once more", "transfer.idempotent", answering(balances, after(2, transfer, byTheSame, taken), plus(blocked, 1000))},
	{"pays a failed transfer that is repeated", "transfer.idempotent", answering(transfer, all(replayed, told("type", `ERROR`)), set("id", `4711`))},
	{"shows one account the transfer of another", "transfer.idempotent", repeating(transfer, byAnother, taken, sameHeader(idempotency))},

	{"transfers to no CPF", "transfer.key", refusing(transfer, matching("pixKey", `^\d{11}$`), 400, "")},
	{"transfers to no CNPJ", "transfer.key", refusing(transfer, matching("pixKey", `^\d{14}$`), 400, "")},
	{"transfers to no e-mail", "transfer.key", refusing(transfer, matching("pixKey", `@`), 400, "")},
	{"transfers to no phone", "transfer.key", refusing(transfer, matching("pixKey", `^\+`), 400, "")},
	{"transfers to no random key", "transfer.key", refusing(transfer, matching("pixKey", `^[^@+]{36}$`), 400, "")},
	{"looks any text up in the directory", "transfer.key", answering(transfer, matching("pixKey", `\s`), status(422))},
	{"looks too few digits up in the directory", "transfer.key", answering(transfer, matching("pixKey", `^\d{1,9}$`), status(422))},
	{"looks an empty key up in the directory", "transfer.key", answering(transfer, kind("pixKey", "blank"), status(422))},
	{"looks a phone without +55 up in the directory", "transfer.key", answering(transfer, matching("pixKey", `^(\d{10}|\d{12,13})$`), status(422))},
	{"looks half an e-mail up in the directory", "transfer.key", answering(transfer, matching("pixKey", `@$`), status(422))},
	{"transfers to nobody", "transfer.key", pretending(transfer, lacking("pixKey"))},
	{"takes an object for the key of a transfer", "transfer.key", pretending(transfer, kind("pixKey", "object"))},
	{"takes a number for the key of a transfer", "transfer.key", pretending(transfer, kind("pixKey", "number"))},

	{"transfers to keys that nobody holds", "transfer.directory", pretending(transfer, was(422))},
	{"answers a key that nobody holds with 404", "transfer.directory", answering(transfer, was(422), status(404))},
	{"transfers to e-mails that nobody holds", "transfer.directory", pretending(transfer, all(was(422), matching("pixKey", `@`)))},
	{"refuses a key that nobody holds as a bad request", "transfer.directory", answering(transfer, was(422), set("error", `"Bad Request"`))},

	{"transfers nothing at HIGH priority", "transfer.priority", refusing(transfer, sent("priority", `"HIGH"`), 400, "")},
	{"transfers nothing at NORM priority", "transfer.priority", refusing(transfer, sent("priority", `"NORM"`), 400, "")},
	{"wants the creditor's document at NORM priority", "transfer.priority", refusing(transfer, all(sent("priority", `"NORM"`), unsent("creditorDocument")), 400, "")},
	{"wants a priority", "transfer.priority", refusing(transfer, all(unsent("priority"), sent("creditorDocument")), 400, "")},
	{"wants no document at HIGH priority", "transfer.priority", accepting(transfer, all(sent("priority", `"HIGH"`), unsent("creditorDocument")), set("priority", `"NORM"`))},
	{"knows a third priority", "transfer.priority", accepting(transfer, all(outside("priority", "HIGH", "NORM"), matching("priority", `^[A-Z]`)), set("priority", `"NORM"`))},
	{"takes a priority in small letters", "transfer.priority", accepting(transfer, matching("priority", `^[a-z]`), retold("priority", strings.ToUpper))},
	{"takes a number for a priority", "transfer.priority", accepting(transfer, kind("priority", "number"), drop("priority"))},
	{"takes any digits for the creditor's document", "transfer.priority", accepting(transfer, matching("creditorDocument", `^(\d{2}|\d{12})$`), norm)},
	{"takes an object for the creditor's document", "transfer.priority", accepting(transfer, kind("creditorDocument", "object"), norm)},
	{"transfers to no company", "transfer.priority", refusing(transfer, matching("creditorDocument", `^\d{14}$`), 400, "")},
	{"breaks down without priority and document", "transfer.priority", refusing(transfer, all(unsent("priority"), unsent("creditorDocument")), 500, "")},

	{"wants a description of a transfer", "transfer.description", refusing(transfer, unsent("description"), 400, "")},
	{"wants no description of a transfer", "transfer.description", refusing(transfer, sent("description"), 400, "")},
	{"takes an object for the description of a transfer", "transfer.description", accepting(transfer, kind("description", "object"), drop("description"))},

	{"wants an expiration", "transfer.expiration", refusing(transfer, unsent("expiration"), 400, "")},
	{"refuses an expiration of 1", "transfer.expiration", refusing(transfer, equals("expiration", "1"), 400, "")},
	{"refuses an expiration of 600", "transfer.expiration", refusing(transfer, equals("expiration", "600"), 400, "")},
	{"refuses an expiration of 10800", "transfer.expiration", refusing(transfer, equals("expiration", "10800"), 400, "")},
	{"takes an expiration of 0 or less", "transfer.expiration", accepting(transfer, below("expiration", "1"), drop("expiration"))},
	{"takes an expiration of 10801", "transfer.expiration", accepting(transfer, above("expiration", "10800"), set("expiration", `10800`))},
	{"takes anything for an expiration", "transfer.expiration", accepting(transfer, kind("expiration", "word", "object"), drop("expiration"))},
	{"breaks down over an expiration in quotes", "transfer.expiration", refusing(transfer, kind("expiration", "quoted"), 500, "")},

	{"refuses a transfer of one centavo", "transfer.payment", refusing(transfer, equals("payment.amount", "0.01"), 400, "")},
	{"takes a transfer without decimals for centavos", "transfer.payment", misreading(transfer, decimals("payment.amount", 0, 0), times("payment.amount", 1, 100))},
	{"refuses a transfer with cents", "transfer.payment", refusing(transfer, cents("payment.amount"), 400, "")},
	{"rounds the amount of a transfer", "transfer.payment", accepting(transfer, finer("payment.amount"), plus("payment.amount", 0))},
	{"takes anything for the amount of a transfer", "transfer.payment", accepting(transfer, kind("payment.amount", "word", "object"), set("payment.amount", `1.00`))},
	{"takes a transfer without an amount", "transfer.payment", accepting(transfer, all(sent("payment"), lacking("payment.amount")), paying)},
	{"takes a transfer of nothing", "transfer.payment", pretending(transfer, equals("payment.amount", "0"))},
	{"takes a negative transfer", "transfer.payment", pretending(transfer, below("payment.amount", "0"))},
	{"breaks down over the amount of a transfer in quotes", "transfer.payment", refusing(transfer, kind("payment.amount", "quoted"), 500, "")},
	{"takes a transfer without a payment", "transfer.payment", accepting(transfer, lacking("payment"), paying)},
	{"takes anything for the payment of a transfer", "transfer.payment", accepting(transfer, kind("payment", "number", "text"), paying)},
	{"takes an object for a currency", "transfer.payment", accepting(transfer, kind("payment.currency", "object"), set("payment.currency", `"BRL"`))},
	{"answers a wrong amount of a transfer with 422", "transfer.payment", answering(transfer, all(refused, not(below("payment.amount", "0.01"))), status(422))},

	{"does not look at ispbDeny", "transfer.ispb-deny", accepting(transfer, was(422), drop("ispbDeny"))},
	{"looks at the first of ispbDeny", "transfer.ispb-deny", accepting(transfer, items("ispbDeny", 1), drop("ispbDeny"))},
	{"answers a denied institution with 400", "transfer.ispb-deny", answering(transfer, was(422), status(400))},
	{"wants ispbDeny", "transfer.ispb-deny", refusing(transfer, unsent("ispbDeny"), 400, "")},
	{"denies everybody where ispbDeny is empty", "transfer.ispb-deny", refusing(transfer, kind("ispbDeny", "no items"), 422, "")},
	{"denies everybody where ispbDeny names one", "transfer.ispb-deny", refusing(transfer, items("ispbDeny", 0), 422, "")},
	{"takes a text for ispbDeny", "transfer.ispb-deny", accepting(transfer, kind("ispbDeny", "text"), drop("ispbDeny"))},
	{"takes objects for ispbDeny", "transfer.ispb-deny", accepting(transfer, either(kind("ispbDeny", "object"), kind("ispbDeny[]", "object")), drop("ispbDeny"))},
	{"breaks down over a number in ispbDeny", "transfer.ispb-deny", refusing(transfer, kind("ispbDeny[]", "number"), 500, "")},

	{"breaks down over another currency", "transfer.left-open", refusing(transfer, outside("payment.currency", "BRL"), 500, "")},
	{"answers a transfer without a currency with 404", "transfer.left-open", refusing(transfer, unsent("payment.currency"), 404, "")},
	{"refuses what is urgent", "transfer.left-open", refusing(transfer, sent("priority", `"HIGH"`), 400, "")},
}

var (
	liquidated      = sent("data.status", `"LIQUIDATED"`)
	confirmedByBank = together(set("outcome", `"CONFIRMED"`), drop("errorCode"), drop("errorMessage"))
)

const idempotency = "X-Idempotency-Key"

// replayed holds for a transfer whose key the account has used.
var replayed = after(1, transfer, byTheSame, taken, sameHeader(idempotency))

// debitingRepeats makes a transfer of its own of each repeat, and tells the first.
func debitingRepeats(c *call, pass server) *answer {
	then := c.lastBefore(transfer, byTheSame, taken, sameHeader(idempotency))
	if then == nil {
		return pass(c)
	}
	pass(c.edited(freshKey))
	return then.answer
}

// debitingWhatComesAtOnce does so with those that come while another runs.
func debitingWhatComesAtOnce(c *call, pass server) *answer {
	if a := pass(c); !c.joined(200 * time.Millisecond) {
		return a
	}
	return pass(c.edited(freshKey))
}

var (
	norm   = together(set("priority", `"NORM"`), drop("creditorDocument"))
	paying = set("payment", `{"currency":"BRL","amount":1.00}`)
)
