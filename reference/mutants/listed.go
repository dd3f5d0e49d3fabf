package mutants

import (
	"slices"
	"time"
)

var listedMutants = slices.Concat(
	without(transactions, "listed.fields", "transactionId", "externalId", "status", "operationType", "movementType",
		"originalAmount", "feeAmount", "finalAmount", "endToEndId", "createdAt", "processedAt", "counterpart",
		"counterpart.name", "counterpart.document", "counterpart.bank.bankISPB", "counterpart.bank.bankName", "counterpart.bank.bankCode"),
	without(ofKey, "listed.fields", "transactionId", "status", "operationType", "movementType", "originalAmount", "createdAt", "counterpart.document"),
	[]Mutant{
		{"lists transactions under another id", "listed.fields", answering(transactions, accepted, fresh("data[].transactionId"))},
		{"lists transactions of another order", "listed.fields", answering(transactions, accepted, fresh("data[].externalId"))},
		{"lists a settled payment as CONFIRMED", "listed.fields", answering(transactions, accepted, set("data[].status", `"CONFIRMED"`))},
		{"lists a settled payment as PIX_OUT", "listed.fields", answering(transactions, accepted, set("data[].operationType", `"PIX_OUT"`))},
		{"lists a settled payment as a CREDIT", "listed.fields", answering(transactions, accepted, set("data[].movementType", `"CREDIT"`))},
		{"lists amounts in centavos", "listed.fields", answering(transactions, accepted, times("data[0].originalAmount", 100, 1))},
		{"lists amounts as text", "listed.fields", answering(transactions, accepted, quoted("data[].originalAmount", "data[].feeAmount", "data[].finalAmount"))},
		{"lists fees as text", "listed.fields", answering(transactions, accepted, quoted("data[].feeAmount"))},
		{"labels times of a list in São Paulo Z", "listed.fields", answering(transactions, accepted, stamped(mislabelled, saoPaulo))},
		{"lists the time of processing without a zone", "listed.fields", answering(transactions, accepted, retoldTime("data[].processedAt"))},
		{"lists the full document of the counterpart", "listed.fields", answering(transactions, accepted, set("data[].counterpart.document", `"52998224725"`))},
		{"lists the full document of the counterpart by key", "listed.fields", answering(ofKey, accepted, set("data[].counterpart.document", `"52998224725"`))},
		{"lists no name of the bank", "listed.fields", answering(transactions, accepted, set("data[].counterpart.bank.bankName", `null`))},
		{"lists the branch as a number", "listed.fields", answering(transactions, accepted, set("data[].counterpart.bank.accountBranch", `1`))},
		{"lists the account as a number", "listed.fields", answering(transactions, accepted, set("data[].counterpart.bank.accountNumber", `123456`))},
		{"lists another end-to-end id than it told", "listed.fields", answering(transactions, accepted, set("data[].endToEndId", `"`+anyEndToEnd+`"`))},

		{"lists a pending payment as PENDING", "listed.status", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"PENDING"`))},
		{"lists a pending payment as settled", "listed.status", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"Confirmado"`))},
		{"does not list a pending payment", "listed.status", answering(transactions, told("data[0].status", `Pendente`), set("data", `[]`))},
		{"lists a settled payment as pending", "listed.status", answering(transactions, told("data[0].status", `Confirmado`), set("data[].status", `"Pendente"`))},
		{"lists a rejected payment as Erro", "listed.status", answering(transactions, told("data[0].status", `Error`), set("data[].status", `"Erro"`))},
		{"lists a rejected payment as pending", "listed.status", answering(transactions, told("data[0].status", `Error`), set("data[].status", `"Pendente"`))},

		{"does not list a charge before it is paid", "listed.charge", answering(transactions, told("data[0].status", `Pendente`), set("data", `[]`))},
		{"lists a charge as paid at once", "listed.charge", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"Confirmado"`))},
		{"lists a paid charge as pending", "listed.charge", answering(transactions, told("data[0].status", `Confirmado`), set("data[].status", `"Pendente"`))},
		{"lists a charge as Pix out", "listed.charge", answering(transactions, accepted, set("data[].operationType", `"Pix out"`))},
		{"lists a charge as a DEBIT", "listed.charge", answering(transactions, accepted, set("data[].movementType", `"DEBIT"`))},
		{"lists a charge without its externalId", "listed.charge", answering(transactions, accepted, drop("data[].externalId"))},
		{"lists a charge with another amount", "listed.charge", answering(transactions, accepted, plus("data[0].originalAmount", 1))},
		{"does not list when a charge was paid", "listed.charge", answering(transactions, told("data[0].status", `Confirmado`), set("data[].processedAt", `null`))},
		{"lists a paid charge twice", "listed.charge", answering(transactions, told("data[0].status", `Confirmado`), doubled("data[0]"))},

		{"lists no fee", "listed.amounts", answering(transactions, accepted, set("data[].feeAmount", `0.00`))},
		{"lists a final amount without the fee", "listed.amounts", answering(transactions, accepted, sum("data[0].finalAmount", "data[0].originalAmount"))},
		{"lists a final amount of the fee", "listed.amounts", answering(transactions, accepted, sum("data[0].finalAmount", "data[0].feeAmount"))},
		{"lists the amount with the fee in it", "listed.amounts", answering(transactions, accepted, sum("data[0].originalAmount", "data[0].originalAmount", "data[0].feeAmount"))},
		{"reckons amounts of a list in floating point and cuts", "listed.amounts", answering(transactions, accepted, binary("data[0].originalAmount"), binary("data[0].finalAmount"))},
		{"lists what leaves as negative", "listed.amounts", answering(transactions, accepted, times("data[0].originalAmount", -1, 1), times("data[0].finalAmount", -1, 1))},
		{"lists a charge as if it had no fee", "listed.amounts", answering(transactions, told("data[0].movementType", `CREDIT`), sum("data[0].finalAmount", "data[0].originalAmount"))},

		{"breaks down over a payment that was settled twice", "listed.unchanged", answering(transactions, always, status(500), body(`{}`))},

		{"lists a new payment as settled", "cash-out.accepted", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"Confirmado"`))},
		{"lists a new payment as Pix in", "cash-out.accepted", answering(transactions, accepted, set("data[].operationType", `"Pix in"`))},
		{"lists a new payment as a CREDIT", "cash-out.accepted", answering(transactions, accepted, set("data[].movementType", `"CREDIT"`))},
		{"does not list a new payment", "cash-out.accepted", answering(transactions, accepted, set("data", `[]`))},

		{"lists a repeated order twice", "cash-out.duplicate-external-id", answering(transactions, accepted, doubled("data[0]"))},
		{"does not list a repeated order", "cash-out.duplicate-external-id", answering(transactions, accepted, set("data", `[]`))},

		{"lists as pending what the bank confirmed", "cash-out.confirmed", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
		{"lists as pending what the bank rejected", "cash-out.error", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
		{"lists as settled what the bank rejected", "cash-out.error", answering(transactions, accepted, set("data[].status", `"Confirmado"`))},

		{"lists transactions in an array alone", "contract.transaction-list", answering(transactions, accepted, rewritten(func(b []byte) []byte { v, _ := lookup(b, "data"); return encode(v) }))},
		{"lists a state of its own", "contract.transaction-list", answering(transactions, accepted, set("data[].status", `"Aguardando"`))},
		{"lists three decimals", "contract.transaction-list", answering(transactions, accepted, set("data[].originalAmount", `0.001`))},
		{"lists no movement", "contract.transaction-list", answering(transactions, accepted, drop("data[].movementType"))},
		{"counts transactions in text", "contract.transaction-list", answering(transactions, accepted, quoted("metadata.total"))},
		{"refuses a list of transactions in the simple envelope", "contract.transaction-list", answering(transactions, refused, drop("code"), drop("userMessage"), drop("errorId"))},

		{"lists an operation of its own by key", "contract.key-list", answering(ofKey, accepted, set("data[].operationType", `"PIX"`))},
		{"lists no pages by key", "contract.key-list", answering(ofKey, accepted, drop("metadata.totalPages"))},
		{"lists a time without a zone by key", "contract.key-list", answering(ofKey, accepted, stamped("2006-01-02T15:04:05", saoPaulo))},
		{"refuses a list by key without an errorId", "contract.key-list", answering(ofKey, refused, drop("errorId"))},
	},
)

// retoldTime takes the zone from a time.
func retoldTime(path string) edit {
	return retold(path, func(s string) string {
		if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
			return t.Format("2006-01-02T15:04:05")
		}
		return s
	})
}
