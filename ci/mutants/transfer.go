package mutants

import (
	"strings"
	"time"
)

var transferMutants = []row{
	{"rejects ispbDeny in an urgent transfer", "transfer.shapes", refusing(transfer, all(sent("priority", `"HIGH"`), sent("ispbDeny")), 400, "")},
	{"requires an expiration of a transfer without a priority", "transfer.shapes", refusing(transfer, all(lacking("creditorDocument"), lacking("expiration")), 400, "")},

	{"returns 207 for a transfer", "transfer.accepted", answering(transfer, accepted, status(207))},
	{"returns COMPLETED for a new transfer", "transfer.accepted", answering(transfer, accepted, set("type", `"COMPLETED"`))},
	{"returns EM_PROCESSAMENTO for a pending transfer", "transfer.accepted", answering(transfer, accepted, set("type", `"EM_PROCESSAMENTO"`))},
	{"returns the id of a transfer as a string", "transfer.accepted", answering(transfer, accepted, quoted("id"))},
	{"returns the same id for every transfer", "transfer.accepted", answering(transfer, accepted, set("id", `1`))},
	{"returns no end-to-end id of a transfer", "transfer.accepted", answering(transfer, accepted, set("endToEndId", `null`))},
	{"returns the amount of a transfer in centavos", "transfer.accepted", answering(transfer, accepted, times("payment.amount", 100, 1))},
	{"merges two transfers of the same amount", "transfer.accepted", repeating(transfer, byTheSame, taken, same("payment.amount"))},
	{"returns two transfers but creates one", "transfer.accepted", ignoring(transfer, after(1, transfer, byTheSame, taken))},

	{"accepts a transfer and drops it", "transfer.blocks", ignoring(transfer, always)},
	{"does not debit a transfer before it settles", "transfer.blocks", answering(balances, accepted, sum(available, available, blocked))},
	{"shows a blocked balance of 0 for a transfer", "transfer.blocks", answering(balances, accepted, set(blocked, `0.00`))},
	{"computes transfers in floating point and truncates", "transfer.blocks", misreading(transfer, sent("payment.amount"), binary("payment.amount"))},
	{"rounds blocked amounts up to tenths", "transfer.blocks", answering(balances, accepted, rounded(blocked, 10))},
	{"loses a centavo of a very large transfer", "transfer.blocks", misreading(transfer, beyondDouble("payment.amount"), plus("payment.amount", -1))},
	{"lets blocked money be transferred", "transfer.blocks", accepting(transfer, all(was(422), after(1, transfer, byTheSame, taken)), set("payment.amount", `0.01`))},
	{"blocks the whole account for a transfer", "transfer.blocks", refusing(transfer, after(1, transfer, byTheSame, taken), 422, "")},
	{"returns 400 for a transfer above the balance", "transfer.blocks", answering(transfer, was(422), status(400))},

	{"debits a settled transfer from the available balance again", "transfer.settled", leaving(bank, accepted, "0.00")},
	{"returns the money of a settled transfer", "transfer.settled", both(misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank), sending(always, set("data.status", `"LIQUIDATED"`)))},
	{"leaves the money of a settled transfer blocked", "transfer.settled", ignoring(bank, always)},
	{"sends no event for a settled transfer", "transfer.settled", ignoring(event, always)},
	{"sends status CONFIRMED for a settled transfer", "transfer.settled", sending(liquidated, set("data.status", `"CONFIRMED"`))},

	{"settles what the bank rejects", "transfer.rejected", misreading(bank, sent("outcome", `"ERROR"`), confirmedByBank)},
	{"reports every transfer as settled", "transfer.rejected", sending(always, set("data.status", `"LIQUIDATED"`))},

	{"sends a transfer at its expiration", "transfer.queue", sending(always, set("data.status", `"LIQUIDATED"`))},
	{"never expires a transfer", "transfer.queue", latent(misreading(transfer, always, set("expiration", `10800`)))},
	{"expires every transfer after ten minutes", "transfer.queue", latent(misreading(transfer, sent("expiration"), set("expiration", `600`)))},
	{"expires a transfer after five minutes by default", "transfer.queue", latent(misreading(transfer, unsent("expiration"), set("expiration", `300`)))},
	{"keeps a transfer in the queue for an hour by default", "transfer.queue", latent(misreading(transfer, unsent("expiration"), set("expiration", `3600`)))},
	{"keeps a transfer in the queue for at least a minute", "transfer.queue", latent(misreading(transfer, equals("expiration", "1"), set("expiration", `60`)))},
	{"expires a transfer a minute late", "transfer.queue", misreading(clock, always, later(-time.Minute))},
	{"expires a transfer a minute early", "transfer.queue", misreading(clock, always, later(time.Minute))},

	{"lets a transfer overdraw the account by a centavo", "transfer.covered", accepting(transfer, was(422), plus("payment.amount", -1))},
	{"does not let the last centavo be transferred", "transfer.covered", refusing(transfer, spending("payment.amount", 1, 1), 422, "")},
	{"overdraws the account for concurrent transfers", "transfer.covered", accepting(transfer, all(was(422), concurrent), set("payment.amount", `0.01`))},
	{"overdraws the account for concurrent transfers", "transfer.covered", sometimes(EverySecond, accepting(transfer, all(was(422), concurrent), set("payment.amount", `0.01`)))},
	{"returns 400 for concurrent transfers above the balance", "transfer.covered", answering(transfer, was(422), status(400))},
	{"rejects a transfer but blocks its amount", "transfer.covered", answering(balances, after(1, transfer, byTheSame, answered(was(422))), plus(blocked, 100))},
	{"rejects a transfer but debits a centavo", "transfer.covered", despite(transfer, was(422), set("payment.amount", `0.01`))},

	{"accepts a transfer without x-idempotency-key", "transfer.idempotency-key", accepting(transfer, under(idempotency, `^$`), freshKey)},
	{"accepts any string as x-idempotency-key", "transfer.idempotency-key", accepting(transfer, under(idempotency, `^.{1,35}$`), freshKey)},
	{"does not check the digits of x-idempotency-key", "transfer.idempotency-key", accepting(transfer, all(under(idempotency, `^.{36}$`), not(under(idempotency, anyUUID))), freshKey)},
	{"returns 500 for a UUID of version 1", "transfer.idempotency-key", refusing(transfer, under(idempotency, `^.{14}1`), 500, "")},
	{"returns 422 for a missing x-idempotency-key", "transfer.idempotency-key", answering(transfer, under(idempotency, `^$`), status(422))},
	{"rejects a transfer without a message", "transfer.idempotency-key", answering(transfer, refused, drop("message"))},
	{"rejects a transfer without a reason phrase", "transfer.idempotency-key", answering(transfer, refused, drop("error"))},
	{"returns 404 for a malformed x-idempotency-key", "transfer.idempotency-key", answering(transfer, all(under(idempotency, `.`), not(under(idempotency, anyUUID))), status(404))},

	{"creates a transfer for each request", "transfer.idempotent", misreading(transfer, replayed, freshKey)},
	{"creates a transfer for each request", "transfer.idempotent", sometimes(EverySecond, misreading(transfer, replayed, freshKey))},
	{"rejects a repeated transfer", "transfer.idempotent", refusing(transfer, replayed, 409, "")},
	{"returns the first transfer for a repeated one but debits it again", "transfer.idempotent", changing(transfer, debitingRepeats)},
	{"returns the first transfer for a repeated one but debits it again", "transfer.idempotent", sometimes(EveryThird, changing(transfer, debitingRepeats))},
	{"returns another id for a repeated transfer", "transfer.idempotent", answering(transfer, replayed, set("id", `4711`))},
	{"does not return the amount of a repeated transfer", "transfer.idempotent", answering(transfer, replayed, drop("payment.amount"))},
	{"creates a settled transfer again", "transfer.idempotent", answering(transfer, all(replayed, told("type", `COMPLETED`)), set("id", `4711`))},
	{"returns LIQUIDATED for a repeat of a settled transfer", "transfer.idempotent", answering(transfer, told("type", `COMPLETED`), set("type", `"LIQUIDATED"`))},
	{"debits a repeated transfer after it settled", "transfer.idempotent", answering(balances, after(1, transfer, byTheSame, answered(told("type", `COMPLETED`))), plus(available, -1000))},
	{"sends no event for a transfer that was repeated", "transfer.idempotent", ignoring(event, always)},
	{"creates several transfers for concurrent requests with one key", "transfer.idempotent", changing(transfer, debitingWhatComesAtOnce)},
	{"creates several transfers for concurrent requests with one key", "transfer.idempotent", sometimes(EveryThird, changing(transfer, debitingWhatComesAtOnce))},
	{"changes the amount of a repeated transfer", "transfer.idempotent", misreading(transfer, after(1, transfer, byTheSame, taken, sameHeader(idempotency), other("payment.amount")), freshKey)},
	{"returns 404 for another transfer under a used key", "transfer.idempotent", refusing(transfer, after(1, transfer, byTheSame, taken, sameHeader(idempotency), other("payment.amount")), 404, "")},
	{"returns 500 for another account's x-idempotency-key", "transfer.idempotent", refusing(transfer, after(1, transfer, byAnother, taken, sameHeader(idempotency)), 500, "")},
	{"blocks a repeated transfer again", "transfer.idempotent", answering(balances, after(2, transfer, byTheSame, taken), plus(blocked, 1000))},
	{"pays a failed transfer when it is repeated", "transfer.idempotent", answering(transfer, all(replayed, told("type", `ERROR`)), set("id", `4711`))},
	{"returns another account's transfer", "transfer.idempotent", repeating(transfer, byAnother, taken, sameHeader(idempotency))},

	{"rejects transfers to a CPF key", "transfer.key", refusing(transfer, matching("pixKey", `^\d{11}$`), 400, "")},
	{"rejects transfers to a CNPJ key", "transfer.key", refusing(transfer, matching("pixKey", `^\d{14}$`), 400, "")},
	{"rejects transfers to an e-mail key", "transfer.key", refusing(transfer, matching("pixKey", `@`), 400, "")},
	{"rejects transfers to a phone key", "transfer.key", refusing(transfer, matching("pixKey", `^\+`), 400, "")},
	{"rejects transfers to a random key", "transfer.key", refusing(transfer, matching("pixKey", `^[^@+]{36}$`), 400, "")},
	{"looks up any string in the directory", "transfer.key", answering(transfer, matching("pixKey", `\s`), status(422))},
	{"looks up a key with too few digits in the directory", "transfer.key", answering(transfer, matching("pixKey", `^\d{1,9}$`), status(422))},
	{"looks up an empty key in the directory", "transfer.key", answering(transfer, kind("pixKey", "blank"), status(422))},
	{"looks up a phone without +55 in the directory", "transfer.key", answering(transfer, matching("pixKey", `^(\d{10}|\d{12,13})$`), status(422))},
	{"looks up an incomplete e-mail in the directory", "transfer.key", answering(transfer, matching("pixKey", `@$`), status(422))},
	{"returns 422 for a transfer without a key", "transfer.key", answering(transfer, lacking("pixKey"), status(422))},
	{"returns 422 for a key that is not a string", "transfer.key", answering(transfer, kind("pixKey", "object", "number"), status(422))},
	{"accepts a transfer without a key", "transfer.key", pretending(transfer, lacking("pixKey"))},
	{"accepts an object as the key of a transfer", "transfer.key", pretending(transfer, kind("pixKey", "object"))},
	{"accepts a number as the key of a transfer", "transfer.key", pretending(transfer, kind("pixKey", "number"))},

	{"accepts transfers to a key that is not in the directory", "transfer.directory", pretending(transfer, was(422))},
	{"returns 404 for a key that is not in the directory", "transfer.directory", answering(transfer, was(422), status(404))},
	{"accepts transfers to an e-mail that is not in the directory", "transfer.directory", pretending(transfer, all(was(422), matching("pixKey", `@`)))},
	{"reports a key that is not in the directory as a bad request", "transfer.directory", answering(transfer, was(422), set("error", `"Bad Request"`))},

	{"rejects transfers of HIGH priority", "transfer.priority", refusing(transfer, sent("priority", `"HIGH"`), 400, "")},
	{"rejects transfers of NORM priority", "transfer.priority", refusing(transfer, sent("priority", `"NORM"`), 400, "")},
	{"requires the creditor's document for NORM priority", "transfer.priority", refusing(transfer, all(sent("priority", `"NORM"`), unsent("creditorDocument")), 400, "")},
	{"requires a priority", "transfer.priority", refusing(transfer, all(unsent("priority"), sent("creditorDocument")), 400, "")},
	{"does not require the document for HIGH priority", "transfer.priority", accepting(transfer, all(sent("priority", `"HIGH"`), unsent("creditorDocument")), set("priority", `"NORM"`))},
	{"accepts a third priority", "transfer.priority", accepting(transfer, all(outside("priority", "HIGH", "NORM"), matching("priority", `^[A-Z]`)), set("priority", `"NORM"`))},
	{"accepts a priority in lower case", "transfer.priority", accepting(transfer, matching("priority", `^[a-z]`), retold("priority", strings.ToUpper))},
	{"accepts a number as a priority", "transfer.priority", accepting(transfer, kind("priority", "number"), drop("priority"))},
	{"accepts any digits as the creditor's document", "transfer.priority", accepting(transfer, matching("creditorDocument", `^(\d{2}|\d{12})$`), norm)},
	{"accepts an object as the creditor's document", "transfer.priority", accepting(transfer, kind("creditorDocument", "object"), norm)},
	{"rejects a creditor with a CNPJ", "transfer.priority", refusing(transfer, matching("creditorDocument", `^\d{14}$`), 400, "")},
	{"returns 500 without priority and document", "transfer.priority", refusing(transfer, all(unsent("priority"), unsent("creditorDocument")), 500, "")},

	{"requires a description in a transfer", "transfer.description", refusing(transfer, unsent("description"), 400, "")},
	{"rejects any description of a transfer", "transfer.description", refusing(transfer, sent("description"), 400, "")},
	{"accepts an object as the description of a transfer", "transfer.description", accepting(transfer, kind("description", "object"), drop("description"))},

	{"requires an expiration", "transfer.expiration", refusing(transfer, unsent("expiration"), 400, "")},
	{"rejects an expiration of 1", "transfer.expiration", refusing(transfer, equals("expiration", "1"), 400, "")},
	{"rejects an expiration of 600", "transfer.expiration", refusing(transfer, equals("expiration", "600"), 400, "")},
	{"rejects an expiration of 10800", "transfer.expiration", refusing(transfer, equals("expiration", "10800"), 400, "")},
	{"accepts an expiration of 0 or less", "transfer.expiration", accepting(transfer, below("expiration", "1"), drop("expiration"))},
	{"accepts an expiration of 10801", "transfer.expiration", accepting(transfer, above("expiration", "10800"), set("expiration", `10800`))},
	{"accepts anything as an expiration", "transfer.expiration", accepting(transfer, kind("expiration", "word", "object"), drop("expiration"))},
	{"returns 500 for an expiration in quotes", "transfer.expiration", refusing(transfer, kind("expiration", "quoted"), 500, "")},

	{"rejects a transfer of one centavo", "transfer.payment", refusing(transfer, equals("payment.amount", "0.01"), 400, "")},
	{"reads a transfer without decimals as centavos", "transfer.payment", misreading(transfer, decimals("payment.amount", 0, 0), times("payment.amount", 1, 100))},
	{"rejects a transfer with cents", "transfer.payment", refusing(transfer, cents("payment.amount"), 400, "")},
	{"rounds the amount of a transfer", "transfer.payment", accepting(transfer, finer("payment.amount"), plus("payment.amount", 0))},
	{"accepts anything as the amount of a transfer", "transfer.payment", accepting(transfer, kind("payment.amount", "word", "object"), set("payment.amount", `1.00`))},
	{"accepts a transfer without an amount", "transfer.payment", accepting(transfer, all(sent("payment"), lacking("payment.amount")), paying)},
	{"accepts a transfer of 0.00", "transfer.payment", pretending(transfer, equals("payment.amount", "0"))},
	{"accepts a negative transfer", "transfer.payment", pretending(transfer, below("payment.amount", "0"))},
	{"returns 500 for the amount of a transfer in quotes", "transfer.left-open", refusing(transfer, kind("payment.amount", "quoted"), 500, "")},
	{"accepts a transfer without a payment", "transfer.payment", accepting(transfer, lacking("payment"), paying)},
	{"accepts anything as the payment of a transfer", "transfer.payment", accepting(transfer, kind("payment", "number", "text"), paying)},
	{"accepts an object as currency", "transfer.payment", accepting(transfer, kind("payment.currency", "object"), set("payment.currency", `"BRL"`))},
	{"returns 422 for an invalid amount of a transfer", "transfer.payment", answering(transfer, all(refused, not(below("payment.amount", "0.01"))), status(422))},
	{"returns 422 for a third decimal of a transfer", "transfer.payment", answering(transfer, finer("payment.amount"), status(422))},
	{"returns 422 for a transfer without an amount", "transfer.payment", answering(transfer, lacking("payment.amount"), status(422))},

	{"ignores ispbDeny", "transfer.ispb-deny", accepting(transfer, was(422), drop("ispbDeny"))},
	{"checks only the first ISPB of ispbDeny", "transfer.ispb-deny", accepting(transfer, items("ispbDeny", 1), drop("ispbDeny"))},
	{"returns 400 for a denied institution", "transfer.ispb-deny", answering(transfer, was(422), status(400))},
	{"requires ispbDeny", "transfer.ispb-deny", refusing(transfer, unsent("ispbDeny"), 400, "")},
	{"rejects every transfer if ispbDeny is not empty", "transfer.ispb-deny", refusing(transfer, items("ispbDeny", 0), 422, "")},
	{"accepts a string as ispbDeny", "transfer.ispb-deny", accepting(transfer, kind("ispbDeny", "text"), drop("ispbDeny"))},
	{"accepts objects as ispbDeny", "transfer.ispb-deny", accepting(transfer, either(kind("ispbDeny", "object"), kind("ispbDeny[]", "object")), drop("ispbDeny"))},
	{"returns 500 for a number in ispbDeny", "transfer.ispb-deny", refusing(transfer, kind("ispbDeny[]", "number"), 500, "")},

	{"returns 500 for another currency", "transfer.left-open", refusing(transfer, outside("payment.currency", "BRL"), 500, "")},
	{"returns 404 for a transfer without a currency", "transfer.left-open", refusing(transfer, unsent("payment.currency"), 404, "")},
	{"returns 500 for an x-idempotency-key in upper case", "transfer.left-open", refusing(transfer, under(idempotency, `[A-F]`), 500, "")},
	{"returns 409 for an x-idempotency-key in upper case", "transfer.left-open", refusing(transfer, under(idempotency, `[A-F]`), 409, "")},
	{"rejects transfers of HIGH priority as urgent", "transfer.left-open", refusing(transfer, sent("priority", `"HIGH"`), 400, "")},
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
