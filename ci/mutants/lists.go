package mutants

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var listedMutants = slices.Concat(
	without(transactions, "listed.fields", "transactionId", "status", "movementType",
		"finalAmount", "endToEndId", "createdAt", "counterpart",
		"counterpart.name", "counterpart.bank.bankISPB", "counterpart.bank.bankCode"),
	without(ofKey, "listed.fields", "transactionId", "status", "operationType", "movementType", "originalAmount", "createdAt"),
	[]row{
		{"lists transactions with another id", "listed.fields", answering(transactions, accepted, fresh("data[].transactionId"))},
		{"lists transactions with another externalId", "listed.fields", answering(transactions, accepted, fresh("data[].externalId"))},
		{"lists a settled payment as CONFIRMED", "listed.fields", answering(transactions, accepted, set("data[].status", `"CONFIRMED"`))},
		{"lists a settled payment as PIX_OUT", "listed.fields", answering(transactions, accepted, set("data[].operationType", `"PIX_OUT"`))},
		{"lists a settled payment as a CREDIT", "listed.fields", answering(transactions, accepted, set("data[].movementType", `"CREDIT"`))},
		{"lists amounts in centavos", "listed.fields", answering(transactions, accepted, times("data[0].originalAmount", 100, 1))},
		{"lists amounts as strings", "listed.fields", answering(transactions, accepted, quoted("data[].originalAmount", "data[].feeAmount", "data[].finalAmount"))},
		{"lists fees as strings", "listed.fields", answering(transactions, accepted, quoted("data[].feeAmount"))},
		{"lists times in São Paulo time labelled as UTC", "listed.fields", answering(transactions, accepted, stamped(mislabelled, saoPaulo))},
		{"lists processedAt without a time zone", "listed.fields", answering(transactions, accepted, retoldTime("data[].processedAt"))},
		{"lists the full document of the counterpart", "listed.fields", answering(transactions, accepted, set("data[].counterpart.document", `"52998224725"`))},
		{"lists the full document of the counterpart by key", "listed.fields", answering(ofKey, accepted, set("data[].counterpart.document", `"52998224725"`))},
		{"lists no bank name", "listed.fields", answering(transactions, accepted, set("data[].counterpart.bank.bankName", `null`))},
		{"lists the branch as a number", "listed.fields", answering(transactions, accepted, set("data[].counterpart.bank.accountBranch", `1`))},
		{"lists the account as a number", "listed.fields", answering(transactions, accepted, set("data[].counterpart.bank.accountNumber", `123456`))},
		{"lists an end-to-end id other than the event's", "listed.fields", answering(transactions, accepted, set("data[].endToEndId", `"`+anyEndToEnd+`"`))},

		{"lists a pending payment as PENDING", "listed.status", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"PENDING"`))},
		{"lists a pending payment as settled", "listed.status", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"Confirmado"`))},
		{"does not list a pending payment", "listed.status", answering(transactions, told("data[0].status", `Pendente`), set("data", `[]`))},
		{"lists a settled payment as pending", "listed.status", answering(transactions, told("data[0].status", `Confirmado`), set("data[].status", `"Pendente"`))},
		{"lists a rejected payment as Erro", "listed.status", answering(transactions, told("data[0].status", `Error`), set("data[].status", `"Erro"`))},
		{"lists a rejected payment as pending", "listed.status", answering(transactions, told("data[0].status", `Error`), set("data[].status", `"Pendente"`))},

		{"does not list a charge before it is paid", "listed.charge", answering(transactions, told("data[0].status", `Pendente`), set("data", `[]`))},
		{"lists a charge as paid immediately", "listed.charge", answering(transactions, told("data[0].status", `Pendente`), set("data[].status", `"Confirmado"`))},
		{"lists a paid charge as pending", "listed.charge", answering(transactions, told("data[0].status", `Confirmado`), set("data[].status", `"Pendente"`))},
		{"lists a charge as Pix out", "listed.charge", answering(transactions, accepted, set("data[].operationType", `"Pix out"`))},
		{"lists a charge as a DEBIT", "listed.charge", answering(transactions, accepted, set("data[].movementType", `"DEBIT"`))},
		{"lists a charge without its externalId", "listed.charge", answering(transactions, accepted, drop("data[].externalId"))},
		{"lists a charge with another amount", "listed.charge", answering(transactions, accepted, plus("data[0].originalAmount", 1))},
		{"does not list when a charge was paid", "listed.charge", answering(transactions, told("data[0].status", `Confirmado`), set("data[].processedAt", `null`))},
		{"lists a paid charge twice", "listed.charge", answering(transactions, told("data[0].status", `Confirmado`), doubled("data[0]"))},

		{"lists no fee", "listed.amounts", answering(transactions, accepted, set("data[].feeAmount", `0.00`))},
		{"lists a final amount without the fee", "listed.amounts", answering(transactions, accepted, sum("data[0].finalAmount", "data[0].originalAmount"))},
		{"lists the fee as the final amount", "listed.amounts", answering(transactions, accepted, sum("data[0].finalAmount", "data[0].feeAmount"))},
		{"lists an original amount that includes the fee", "listed.amounts", answering(transactions, accepted, sum("data[0].originalAmount", "data[0].originalAmount", "data[0].feeAmount"))},
		{"computes listed amounts in floating point and truncates", "listed.amounts", answering(transactions, accepted, binary("data[0].originalAmount"), binary("data[0].finalAmount"))},
		{"lists outgoing amounts as negative", "listed.amounts", answering(transactions, accepted, times("data[0].originalAmount", -1, 1), times("data[0].finalAmount", -1, 1))},
		{"lists a charge as if it had no fee", "listed.amounts", answering(transactions, told("data[0].movementType", `CREDIT`), sum("data[0].finalAmount", "data[0].originalAmount"))},

		{"returns 500 for a payment that was settled twice", "listed.unchanged", answering(transactions, always, status(500), body(`{}`))},
	},
)

// retoldTime takes the zone from a time.
func retoldTime(path string) edit {
	return retold(path, func(s string) string {
		if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
			return t.Format(zoneless)
		}
		return s
	})
}

// The two lists of transactions share most of their rules, and each can break them by
// itself.
var listMutants = slices.Concat(
	ofEachList("lists.answer",
		answered206, listWithoutData,
		faulty{"leaves the page out", func(l *endpoint) fault { return answering(l, accepted, drop("metadata.page")) }},
		faulty{"returns no metadata", func(l *endpoint) fault { return answering(l, accepted, drop("metadata")) }},
		faulty{"returns pages of 10", func(l *endpoint) fault { return misreading(l, asked("size", `^$`), ask("size", "10")) }},
		faulty{"returns the total as a string", func(l *endpoint) fault { return answering(l, accepted, quoted("metadata.total")) }},
		faulty{"returns totalPages as a string", func(l *endpoint) fault { return answering(l, accepted, quoted("metadata.totalPages")) }},
		faulty{"counts a page too many", func(l *endpoint) fault { return answering(l, accepted, set("metadata.totalPages", `2`)) }},
		faulty{"says yes for hasNext", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasNext", `"yes"`)) }},
		faulty{"always returns hasNext true", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasNext", `true`)) }},
		faulty{"always returns hasPrevious true", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasPrevious", `true`)) }},
		faulty{"returns null data for an empty list", func(l *endpoint) fault { return answering(l, nothingListed, set("data", `null`)) }},
		faulty{"returns a total of 1 for an empty list", func(l *endpoint) fault { return answering(l, nothingListed, set("metadata.total", `1`)) }},
		faulty{"returns 404 if there is nothing", func(l *endpoint) fault { return answering(l, nothingListed, status(404)) }},
	),
	ofEachList("lists.size",
		faulty{"rejects a size of 1", func(l *endpoint) fault { return refusing(l, asked("size", `^1$`), 400, api.HTTPError) }},
		faulty{"rejects its maximum size", func(l *endpoint) fault { return refusing(l, asked("size", `^10+$`), 400, api.HTTPError) }},
		faulty{"cuts sizes to 50", func(l *endpoint) fault { return misreading(l, asked("size", `^10+$`), ask("size", "50")) }},
		faulty{"ignores the size", func(l *endpoint) fault { return misreading(l, always, unasked("size")) }},
		faulty{"accepts a size above its maximum", func(l *endpoint) fault { return accepting(l, asked("size", `^10+1$`), ask("size", "100")) }},
		faulty{"accepts a word as a size", func(l *endpoint) fault { return accepting(l, asked("size", `^[^\d-]`), unasked("size")) }},
		faulty{"returns 422 for an invalid size", func(l *endpoint) fault { return answering(l, was(400), status(422)) }},
	),
	ofEachList("lists.page",
		faulty{"accepts page 0", func(l *endpoint) fault { return accepting(l, asked("page", `^0$`), ask("page", "1")) }},
		faulty{"accepts a word as a page", func(l *endpoint) fault { return accepting(l, asked("page", `^[^\d-]`), ask("page", "1")) }},
		faulty{"returns 422 for page 0", func(l *endpoint) fault { return answering(l, was(400), status(422)) }},
		faulty{"rejects a page without a code", func(l *endpoint) fault { return answering(l, was(400), drop("code")) }},
		faulty{"rejects a page without an errorId", func(l *endpoint) fault { return answering(l, was(400), drop("errorId")) }},
		faulty{"rejects page 1", func(l *endpoint) fault { return refusing(l, asked("page", `^1$`), 400, api.HTTPError) }},
		faulty{"returns the first page for every page", func(l *endpoint) fault { return answersWithThePageAsked(l) }},
		faulty{"ignores the page", func(l *endpoint) fault { return misreading(l, always, unasked("page")) }},
		faulty{"counts what is on the page", func(l *endpoint) fault { return answering(l, asked("size", `.`), counting("data", "metadata.total")) }},
		faulty{"counts what is on the page before", func(l *endpoint) fault { return answering(l, accepted, counted("metadata.totalPages", -1)) }},
		faulty{"always returns hasNext false", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasNext", `false`)) }},
		faulty{"returns hasNext true on the last page", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasNext", `true`)) }},
		faulty{"always returns hasPrevious false", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasPrevious", `false`)) }},
		faulty{"returns hasPrevious true on the first page", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasPrevious", `true`)) }},
		faulty{"leaves the third page out", func(l *endpoint) fault { return answering(l, asked("page", `^3$`), set("data", `[]`)) }},
		faulty{"repeats an item on the next page", func(l *endpoint) fault { return answering(l, laterPage, doubled("data[0]")) }},
		faulty{"ends its pages when a payment comes", func(l *endpoint) fault {
			return answering(l, all(laterPage, after(6, cashOut, byTheSame, taken)), set("data", `[]`))
		}},
	),
	ofEachList("lists.status",
		unfiltered("status", "PENDING"), unfiltered("status", "CONFIRMED"), unfiltered("status", "ERROR"),
		refusingTo("status", "PENDING"), refusingTo("status", "CONFIRMED"), refusingTo("status", "ERROR"),
		faulty{"finds nothing by status", func(l *endpoint) fault { return answering(l, asked("status", `.`), set("data", `[]`)) }},
		faulty{"returns the status filter instead of the label", func(l *endpoint) fault {
			return both(showing(l, "PENDING"), showing(l, "CONFIRMED"), showing(l, "ERROR"))
		}},
		faulty{"returns every payment as settled", func(l *endpoint) fault {
			return answering(l, all(accepted, asked("status", `.`)), set("data[].status", `"Confirmado"`))
		}},
	),
	ofEachList("lists.combined",
		faulty{"accepts an unknown status next to a startDate and a size", func(l *endpoint) fault {
			return accepting(l, all(asked("startDate", `.`), asked("size", `.`), askedOutside("status", "PENDING", "CONFIRMED", "ERROR")), unasked("status"))
		}},
		faulty{"accepts any startDate next to a page beyond the first", func(l *endpoint) fault {
			return accepting(l, all(laterPage, asked("startDate", `^foo|-13-|-02-30`)), unasked("startDate"))
		}},
	),
	ofEachList("lists.enums",
		faulty{"accepts an unknown status", func(l *endpoint) fault {
			return accepting(l, askedOutside("status", "PENDING", "CONFIRMED", "ERROR"), unasked("status"))
		}},
		faulty{"accepts a label as a status", func(l *endpoint) fault { return accepting(l, asked("status", `Pendente`), ask("status", "PENDING")) }},
		faulty{"accepts an unknown type", func(l *endpoint) fault {
			return accepting(l, askedOutside("type", "PAYMENT", "WITHDRAW", "REFUND_IN", "REFUND_OUT"), unasked("type"))
		}},
		faulty{"accepts a label as a type", func(l *endpoint) fault { return accepting(l, asked("type", `Pix in`), ask("type", "PAYMENT")) }},
		faulty{"returns 422 for an unknown value", func(l *endpoint) fault { return answering(l, was(400), status(422)) }},
	),
	ofEachList("lists.dates",
		faulty{"ignores startDate", func(l *endpoint) fault { return misreading(l, always, unasked("startDate")) }},
		faulty{"ignores endDate", func(l *endpoint) fault { return misreading(l, asked("startDate", `T`), unasked("endDate")) }},
		faulty{"ignores both dates", func(l *endpoint) fault { return misreading(l, always, unasked("startDate", "endDate")) }},
		faulty{"finds nothing between dates", func(l *endpoint) fault { return answering(l, asked("startDate", `.`), set("data", `[]`)) }},
		faulty{"rejects dates with a time", func(l *endpoint) fault { return refusing(l, asked("startDate", `T`), 400, api.HTTPError) }},
		faulty{"rejects dates without a time", func(l *endpoint) fault { return refusing(l, asked("startDate", `^[\d-]+$`), 400, api.HTTPError) }},
		faulty{"accepts any startDate", func(l *endpoint) fault { return accepting(l, asked("startDate", `^\D`), unasked("startDate")) }},
		faulty{"accepts any endDate", func(l *endpoint) fault { return accepting(l, asked("endDate", `^\D`), unasked("endDate")) }},
		faulty{"accepts a 13th month", func(l *endpoint) fault {
			return accepting(l, asked("startDate", `^\d{4}-(1[3-9]|[2-9]\d)`), unasked("startDate"))
		}},
		faulty{"returns 500 for a date", func(l *endpoint) fault { return answering(l, was(400), status(500)) }},
	),
	ofEachList("lists.interval",
		faulty{"rejects 30 days", func(l *endpoint) fault { return refusing(l, spanning(29.5, 30.5), 400, api.HTTPError) }},
		faulty{"accepts 33 days", func(l *endpoint) fault { return accepting(l, spanning(32.5, 33.5), unasked("startDate")) }},
		faulty{"accepts any interval without an endDate", func(l *endpoint) fault { return accepting(l, asked("endDate", `^$`), unasked("startDate")) }},
		faulty{"returns 422 for a long interval", func(l *endpoint) fault { return answering(l, was(400), status(422)) }},
		faulty{"returns 500 for 31 days", func(l *endpoint) fault { return refusing(l, spanning(30.5, 31.5), 500, api.HTTPError) }},
		faulty{"returns 500 for 32 days", func(l *endpoint) fault { return refusing(l, spanning(31.5, 32.5), 500, api.HTTPError) }},
	),
	ofEachList("lists.matching",
		faulty{"ignores the type next to a status", func(l *endpoint) fault {
			return misreading(l, all(asked("status", `.`), asked("type", `.`)), unasked("type"))
		}},
		faulty{"ignores the endDate next to a startDate", func(l *endpoint) fault {
			return misreading(l, all(asked("startDate", `.`), asked("endDate", `.`)), unasked("endDate"))
		}},
		faulty{"ignores the status on later pages", func(l *endpoint) fault {
			return misreading(l, all(laterPage, asked("status", `.`)), unasked("status"))
		}},
	),
	ofEachList("lists.default-window",
		faulty{"ends the list half an hour ago", func(l *endpoint) fault {
			return misreading(l, all(asked("startDate", `.`), asked("endDate", `^$`)), endingEarlier)
		}},
	),
	ofEachList("lists.own-account",
		faulty{"lists another account's transactions", func(l *endpoint) fault { return lending(l, nothingListed) }},
	),
)

var listFilterMutants = []row{
	{"omits a payment made 29 days ago, by key", "lists.default-window", misreading(clock, advancing(28.5, 29.5), later(48*time.Hour))},
	{"omits a payment made 30.2 days ago", "lists.default-window", misreading(clock, advancing(30, 31), later(36*time.Hour))},
	{"lists a payment made 30.5 days ago, by key", "lists.default-window", misreading(clock, advancing(30, 31), later(-36*time.Hour))},
	{"lists a payment made 33 days ago", "lists.default-window", misreading(clock, advancing(32.5, 33.5), later(-72*time.Hour))},

	{"does not filter PAYMENT", "lists.type", misreading(transactions, asked("type", `^PAYMENT$`), unasked("type"))},
	{"does not filter WITHDRAW", "lists.type", misreading(transactions, asked("type", `^WITHDRAW$`), unasked("type"))},
	{"does not filter REFUND_OUT", "lists.type", misreading(transactions, asked("type", `^REFUND_OUT$`), unasked("type"))},
	{"filters REFUND_IN for REFUND_OUT", "lists.type", misreading(transactions, asked("type", `^REFUND_OUT$`), ask("type", "REFUND_IN"))},
	{"filters PAYMENT for WITHDRAW", "lists.type", misreading(group{transactions, ofKey}, asked("type", `^WITHDRAW$`), ask("type", "PAYMENT"))},
	{"lists returned money as a DEBIT", "lists.type", answering(group{transactions, ofKey}, asked("type", `^REFUND_OUT$`), set("data[].movementType", `"DEBIT"`))},
	{"lists a received payment as PIX_IN", "lists.type", answering(group{transactions, ofKey}, asked("type", `^PAYMENT$`), set("data[].operationType", `"PIX_IN"`))},
	{"lists a sent payment as a CREDIT", "lists.type", answering(group{transactions, ofKey}, asked("type", `^WITHDRAW$`), set("data[].movementType", `"CREDIT"`))},
	{"lists a received payment by key as a DEBIT", "lists.type", answering(ofKey, asked("type", `^PAYMENT$`), set("data[].movementType", `"DEBIT"`))},
	{"does not filter WITHDRAW by key", "lists.type", misreading(ofKey, asked("type", `^WITHDRAW$`), unasked("type"))},
	{"does not filter REFUND_IN by key", "lists.type", misreading(ofKey, asked("type", `^REFUND_IN$`), unasked("type"))},
	{"does not filter REFUND_OUT by key", "lists.type", misreading(ofKey, asked("type", `^REFUND_OUT$`), unasked("type"))},

	{"lists a refund it sends as a CREDIT", "lists.refund-in", answering(transactions, asked("type", `^REFUND_IN$`), set("data[].movementType", `"CREDIT"`))},
	{"lists a refund it sends as Refund out", "lists.refund-in", answering(transactions, asked("type", `^REFUND_IN$`), set("data[].operationType", `"Refund out"`))},
	{"does not filter REFUND_IN", "lists.refund-in", misreading(transactions, asked("type", `^REFUND_IN$`), unasked("type"))},

	{"does not filter by externalId", "lists.external-id", misreading(transactions, always, unasked("externalId"))},
	{"finds nothing by externalId", "lists.external-id", answering(transactions, asked("externalId", `.`), set("data", `[]`))},
	{"returns the total of all transactions with a filter by externalId", "lists.external-id", answering(transactions, asked("externalId", `.`), counted("metadata.total", 1))},
	{"returns a total of 1 for an unknown externalId", "lists.external-id", answering(transactions, all(nothingListed, asked("externalId", `.`)), set("metadata.total", `1`))},
	{"lists all transactions for an unknown externalId", "lists.external-id", changing(transactions, allWhereNone("externalId"))},
	{"returns 404 for an unknown externalId", "lists.external-id", answering(transactions, all(nothingListed, asked("externalId", `.`)), status(404))},

	{"does not filter by endToEndId", "lists.end-to-end-id", misreading(transactions, always, unasked("endToEndId"))},
	{"finds nothing by endToEndId", "lists.end-to-end-id", answering(transactions, asked("endToEndId", `.`), set("data", `[]`))},
	{"returns the total of all transactions with a filter by endToEndId", "lists.end-to-end-id", answering(transactions, asked("endToEndId", `.`), counted("metadata.total", 1))},
	{"lists all transactions for an unknown endToEndId", "lists.end-to-end-id", changing(transactions, allWhereNone("endToEndId"))},

	{"rejects a CPF in a path", "lists.pix-key", refusing(ofKey, naming("pixKey", `^\d{11}$`), 400, api.HTTPError)},
	{"rejects a CNPJ in a path", "lists.pix-key", refusing(ofKey, naming("pixKey", `^\d{14}$`), 400, api.HTTPError)},
	{"rejects a phone in a path", "lists.pix-key", refusing(ofKey, naming("pixKey", `^\+`), 400, api.HTTPError)},
	{"rejects an e-mail in a path", "lists.pix-key", refusing(ofKey, naming("pixKey", `@`), 400, api.HTTPError)},
	{"rejects a random key in a path", "lists.pix-key", refusing(ofKey, naming("pixKey", anyUUID), 400, api.HTTPError)},
	{"lists the transactions of every key", "lists.pix-key", misreading(ofKey, always, onto("/api/transactions"))},
	{"finds nothing by key", "lists.pix-key", answering(ofKey, accepted, set("data", `[]`))},
	{"returns 404 for the account's own key", "lists.pix-key", refusing(ofKey, after(1, cob, byTheSame), 404, api.HTTPError)},
	{"returns 500 for the account's own key", "lists.pix-key", refusing(ofKey, naming("pixKey", anyUUID), 500, api.HTTPError)},

	{"lists more than 1000 transactions by key", "lists.cap", both(
		misreading(ofKey, asked("page", `^3$`), ask("page", "1"), ask("size", "1")),
		answering(ofKey, asked("size", `^1$`), fresh("data[0].transactionId")))},
	{"returns 504 for a list of transactions", "lists.answer", refusing(transactions, always, 504, api.HTTPError)},
	{"returns an empty list, in its list of transactions", "lists.answer", answering(transactions, accepted, set("data", `[]`))},

	{"returns 500 for a size of 0", "lists.left-open", refusing(transactions, asked("size", `^0$`), 500, api.HTTPError)},
	{"returns 500 for a negative size", "lists.left-open", refusing(transactions, asked("size", `^-`), 500, api.HTTPError)},
	{"returns 404 for a page beyond the last", "lists.left-open", answering(transactions, all(nothingListed, laterPage), status(404))},
	{"returns 500 for a status in lower case", "lists.left-open", refusing(transactions, asked("status", `^[a-z]+$`), 500, api.HTTPError)},
	{"returns 500 for an old endDate without a startDate", "lists.left-open", refusing(transactions, all(asked("endDate", `.`), asked("startDate", `^$`)), 500, api.HTTPError)},
	{"returns 500 for a startDate after the endDate", "lists.left-open", refusing(transactions, all(asked("startDate", `.`), asked("endDate", `^$`)), 500, api.HTTPError)},
	{"returns 404 for a malformed key", "lists.left-open", refusing(ofKey, malformedKey, 404, api.HTTPError)},
	{"returns 500 for an empty list", "lists.left-open", answering(transactions, nothingListed, status(500))},
	{"returns 500 for a list of several transactions", "lists.left-open", answering(transactions, after(3, cashOut, byTheSame), status(500))},
}

// faulty is a fault that either list of transactions may have.
type faulty struct {
	what string
	make func(list *endpoint) fault
}

func ofEachList(rule string, faults ...faulty) []row {
	var mutants []row
	for _, f := range faults {
		mutants = append(mutants,
			row{f.what + ", in its list of transactions", rule, f.make(transactions)},
			row{f.what + ", in its list by key", rule, f.make(ofKey)})
	}
	return mutants
}

var (
	answered206     = faulty{"answers 206", func(l *endpoint) fault { return answering(l, accepted, status(206)) }}
	listWithoutData = faulty{"names data items", func(l *endpoint) fault { return answering(l, accepted, rename("", "data", "items")) }}
)

// unfiltered and refusingTo are lists that do not filter by one value, or do not take it.
func unfiltered(name, value string) faulty {
	return faulty{fmt.Sprintf("does not filter %s", value), func(l *endpoint) fault {
		return misreading(l, asked(name, "^"+value+"$"), unasked(name))
	}}
}

func refusingTo(name, value string) faulty {
	return faulty{fmt.Sprintf("rejects the filter %s", value), func(l *endpoint) fault {
		return refusing(l, asked(name, "^"+value+"$"), 400, api.HTTPError)
	}}
}

// showing writes the value of the filter in the place of its label.
func showing(l *endpoint, status string) fault {
	return answering(l, asked("status", "^"+status+"$"), set("data[].status", `"`+status+`"`))
}

// malformedKey holds for a list by a key of none of the five kinds. As in a payment, a random
// key may lack its hyphens.
var malformedKey = not(either(naming("pixKey", `^(\d{11}|\d{14}|[0-9a-f]{32}|\+55\d{10,11}|[^@]+@[^@]+)$`), naming("pixKey", anyUUID)))

// nothingListed holds for an empty list.
var nothingListed = told("data", `^\[\]$`)

// endingEarlier has a list end half an hour ago.
func endingEarlier(m *message) {
	ask("endDate", time.Now().UTC().Add(-30*time.Minute).Format(time.RFC3339))(m)
}

// allWhereNone leaves a filter out by which nothing is found.
func allWhereNone(name string) change {
	return func(c *call, pass server) *answer {
		a := pass(c)
		if nothingListed(c, a) && asked(name, `.`)(c, a) {
			return pass(c.edited(unasked(name)))
		}
		return a
	}
}

// without are the faults of a list whose items lack a field.
func without(list *endpoint, rule string, fields ...string) []row {
	var mutants []row
	for _, field := range fields {
		mutants = append(mutants, row{
			fmt.Sprintf("omits %s from %s", field, list.path), rule, answering(list, accepted, drop("data[]."+field)),
		})
	}
	return mutants
}

// answersWithThePageAsked gives the first page of a list, whatever page is asked for,
// and calls it that.
func answersWithThePageAsked(p place) fault {
	return changing(p, func(c *call, pass server) *answer {
		a := pass(c.edited(unasked("page")))
		if page, err := strconv.Atoi(c.asked("page")); err == nil && page > 0 {
			return a.edited(set("metadata.page", strconv.Itoa(page)))
		}
		return a
	})
}
