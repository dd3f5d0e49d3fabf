package mutants

import "time"

var transferMutants = []Mutant{
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
	{"loses a centavo of a very large transfer", "transfer.blocks", misreading(transfer, written(`"amount":\d{14}`), plus("payment.amount", -1))},
	{"lets blocked money be transferred", "transfer.blocks", accepting(transfer, sent("payment.amount", `40.01`), set("payment.amount", `40.00`))},
	{"blocks the whole account for a transfer", "transfer.blocks", refusing(transfer, after(1, transfer, byTheSame, taken), 422, "")},
	{"answers want of money for a transfer with 400", "transfer.blocks", answering(transfer, was(422), status(400))},

	{"takes a settled transfer from available again", "transfer.settled", leaving(bank, accepted, "80.00")},
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
	{"keeps a transfer in the queue for at least a minute", "transfer.queue", misreading(transfer, sent("expiration", `1`), set("expiration", `60`))},
	{"lets a transfer expire a minute late", "transfer.queue", misreading(clock, always, later(-time.Minute))},
	{"lets a transfer expire a minute early", "transfer.queue", misreading(clock, always, later(time.Minute))},

	{"lets a centavo be overdrawn for a transfer", "transfer.covered", accepting(transfer, sent("payment.amount", `100.01`), set("payment.amount", `0.01`))},
	{"lets nobody transfer the last centavo", "transfer.covered", refusing(transfer, sent("payment.amount", `100.00`), 422, "")},
	{"overdraws for transfers when asked at once", "transfer.covered", accepting(transfer, all(was(422), concurrent), set("payment.amount", `0.01`))},
	{"answers want of money for transfers at once with 400", "transfer.covered", answering(transfer, was(422), status(400))},
	{"blocks what it refuses to transfer", "transfer.covered", answering(balances, after(1, transfer, byTheSame, answered(was(422))), plus(blocked, 100))},
	{"takes a centavo where it refuses a transfer", "transfer.covered", despite(transfer, was(422), set("payment.amount", `0.01`))},
}

var (
	liquidated      = sent("data.status", `"LIQUIDATED"`)
	confirmedByBank = together(set("outcome", `"CONFIRMED"`), drop("errorCode"), drop("errorMessage"))
)

// transferKeyMutants are about the idempotency key.
var transferKeyMutants = []Mutant{
	{"takes a transfer without x-idempotency-key", "transfer.idempotency-key", accepting(transfer, under(idempotency, `^$`), freshKey)},
	{"takes any text for x-idempotency-key", "transfer.idempotency-key", accepting(transfer, under(idempotency, `^abc$`), freshKey)},
	{"does not look at the digits of x-idempotency-key", "transfer.idempotency-key", accepting(transfer, under(idempotency, `g$`), freshKey)},
	{"breaks down over a UUID of version 1", "transfer.idempotency-key", refusing(transfer, under(idempotency, `^2c5ea4c0`), 500, "")},
	{"answers a missing x-idempotency-key with 422", "transfer.idempotency-key", answering(transfer, under(idempotency, `^$`), status(422))},
	{"refuses a transfer without a message", "transfer.idempotency-key", answering(transfer, refused, drop("message"))},
	{"refuses a transfer without a reason phrase", "transfer.idempotency-key", answering(transfer, refused, drop("error"))},
	{"answers a malformed x-idempotency-key with 404", "transfer.idempotency-key", answering(transfer, under(idempotency, `^abc$|g$`), status(404))},

	{"makes a transfer of each request", "transfer.idempotent", misreading(transfer, replayed, freshKey)},
	{"refuses a repeated transfer", "transfer.idempotent", refusing(transfer, replayed, 409, "")},
	{"debits a repeated transfer and tells the first", "transfer.idempotent", changing(transfer, debitingRepeats)},
	{"gives a repeated transfer another id", "transfer.idempotent", answering(transfer, replayed, set("id", `4711`))},
	{"does not tell the amount of a repeated transfer", "transfer.idempotent", answering(transfer, replayed, drop("payment.amount"))},
	{"makes a settled transfer again", "transfer.idempotent", answering(transfer, all(replayed, told("type", `COMPLETED`)), set("id", `4711`))},
	{"calls a settled transfer that is repeated LIQUIDATED", "transfer.idempotent", answering(transfer, told("type", `COMPLETED`), set("type", `"LIQUIDATED"`))},
	{"takes a settled transfer from available once more", "transfer.idempotent", answering(balances, after(1, transfer, byTheSame, answered(told("type", `COMPLETED`))), plus(available, -1000))},
	{"sends no word of a transfer that was repeated", "transfer.idempotent", ignoring(event, always)},
	{"makes several transfers of one key when asked at once", "transfer.idempotent", changing(transfer, debitingWhatComesAtOnce)},
	{"changes the amount of a transfer that is repeated", "transfer.idempotent", misreading(transfer, after(1, transfer, byTheSame, taken, sameHeader(idempotency), other("payment.amount")), freshKey)},
	{"answers another transfer under a used key with 404", "transfer.idempotent", refusing(transfer, after(1, transfer, byTheSame, taken, sameHeader(idempotency), other("payment.amount")), 404, "")},
	{"breaks down over another account's x-idempotency-key", "transfer.idempotent", refusing(transfer, after(1, transfer, byAnother, taken, sameHeader(idempotency)), 500, "")},
	{"blocks a repeated transfer once more", "transfer.idempotent", answering(balances, after(2, transfer, byTheSame, taken), plus(blocked, 1000))},

	{"tells the amount of TRANSFER as a number", "contract.transfer-event", sending(always, set("data.payment.amount", `1.00`))},
	{"sends TRANSFER without x-idempotency-key", "contract.transfer-event", sending(always, drop("data.idempotencyKey"))},
	{"sends TRANSFER as a credit", "contract.transfer-event", sending(always, set("data.creditDebitType", `"CREDIT"`))},
	{"sends TRANSFER without the creditor", "contract.transfer-event", sending(always, drop("data.creditorAccount"))},
	{"tells the id of TRANSFER as text", "contract.transfer-event", sending(always, quoted("data.id"))},

	{"gives a transfer without its time", "contract.transfer", answering(transfer, accepted, drop("eventDate"))},
	{"gives a transfer the type QUEUED", "contract.transfer", answering(transfer, accepted, set("type", `"QUEUED"`))},
	{"refuses an invalid transfer without its status", "contract.transfer", answering(transfer, was(400), drop("statusCode"))},
	{"refuses an uncovered transfer with another reason phrase", "contract.transfer", answering(transfer, was(422), set("error", `"Unprocessable"`))},
	{"pays a failed transfer that is repeated", "transfer.idempotent", answering(transfer, all(replayed, told("type", `ERROR`)), set("id", `4711`))},
	{"shows one account the transfer of another", "transfer.idempotent", repeating(transfer, byAnother, taken, sameHeader(idempotency))},
	{"gives a repeated transfer without an id", "contract.transfer", answering(transfer, replayed, drop("id"))},
}

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
