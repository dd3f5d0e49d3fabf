package mutants

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

var listedMutants = slices.Concat(
	without(transactions, "listed.fields", "transactionId", "externalId", "status", "operationType", "movementType",
		"originalAmount", "feeAmount", "finalAmount", "endToEndId", "createdAt", "processedAt", "counterpart",
		"counterpart.name", "counterpart.document", "counterpart.bank.bankISPB", "counterpart.bank.bankName", "counterpart.bank.bankCode"),
	without(ofKey, "listed.fields", "transactionId", "status", "operationType", "movementType", "originalAmount", "createdAt", "counterpart.document"),
	[]row{
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
		faulty{"has no metadata", func(l *endpoint) fault { return answering(l, accepted, drop("metadata")) }},
		faulty{"has pages of 10", func(l *endpoint) fault { return misreading(l, asked("size", `^$`), ask("size", "10")) }},
		faulty{"tells the total as text", func(l *endpoint) fault { return answering(l, accepted, quoted("metadata.total")) }},
		faulty{"tells the pages as text", func(l *endpoint) fault { return answering(l, accepted, quoted("metadata.totalPages")) }},
		faulty{"counts a page too many", func(l *endpoint) fault { return answering(l, accepted, set("metadata.totalPages", `2`)) }},
		faulty{"says yes for hasNext", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasNext", `"yes"`)) }},
		faulty{"always has a next page", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasNext", `true`)) }},
		faulty{"always has a previous page", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasPrevious", `true`)) }},
		faulty{"has null where there is nothing", func(l *endpoint) fault { return answering(l, nothingListed, set("data", `null`)) }},
		faulty{"counts one where there is nothing", func(l *endpoint) fault { return answering(l, nothingListed, set("metadata.total", `1`)) }},
		faulty{"answers 404 where there is nothing", func(l *endpoint) fault { return answering(l, nothingListed, status(404)) }},
	),
	ofEachList("lists.size",
		faulty{"refuses a size of 1", func(l *endpoint) fault { return refusing(l, asked("size", `^1$`), 400, "HTTP_ERROR") }},
		faulty{"refuses its largest size", func(l *endpoint) fault { return refusing(l, asked("size", `^10+$`), 400, "HTTP_ERROR") }},
		faulty{"cuts sizes to 50", func(l *endpoint) fault { return misreading(l, asked("size", `^10+$`), ask("size", "50")) }},
		faulty{"does not look at the size", func(l *endpoint) fault { return misreading(l, always, unasked("size")) }},
		faulty{"takes a size beyond its largest", func(l *endpoint) fault { return accepting(l, asked("size", `^10+1$`), ask("size", "100")) }},
		faulty{"takes a word for a size", func(l *endpoint) fault { return accepting(l, asked("size", `^[^\d-]`), unasked("size")) }},
		faulty{"answers another size with 422", func(l *endpoint) fault { return answering(l, was(400), status(422)) }},
	),
	ofEachList("lists.page",
		faulty{"takes page 0", func(l *endpoint) fault { return accepting(l, asked("page", `^0$`), ask("page", "1")) }},
		faulty{"takes a word for a page", func(l *endpoint) fault { return accepting(l, asked("page", `^[^\d-]`), ask("page", "1")) }},
		faulty{"answers page 0 with 422", func(l *endpoint) fault { return answering(l, was(400), status(422)) }},
		faulty{"refuses a page without a code", func(l *endpoint) fault { return answering(l, was(400), drop("code")) }},
		faulty{"refuses a page without an errorId", func(l *endpoint) fault { return answering(l, was(400), drop("errorId")) }},
		faulty{"refuses page 1", func(l *endpoint) fault { return refusing(l, asked("page", `^1$`), 400, "HTTP_ERROR") }},
		faulty{"gives the first page for each", func(l *endpoint) fault { return answersWithThePageAsked(l) }},
		faulty{"does not look at the page", func(l *endpoint) fault { return misreading(l, always, unasked("page")) }},
		faulty{"counts what is on the page", func(l *endpoint) fault { return answering(l, asked("size", `.`), counting("data", "metadata.total")) }},
		faulty{"counts what is on the page before", func(l *endpoint) fault { return answering(l, accepted, counted("metadata.totalPages", -1)) }},
		faulty{"has no next page", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasNext", `false`)) }},
		faulty{"has a page after the last", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasNext", `true`)) }},
		faulty{"has no page before", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasPrevious", `false`)) }},
		faulty{"has a page before the first", func(l *endpoint) fault { return answering(l, accepted, set("metadata.hasPrevious", `true`)) }},
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
		faulty{"shows the status by which it filters", func(l *endpoint) fault {
			return both(showing(l, "PENDING"), showing(l, "CONFIRMED"), showing(l, "ERROR"))
		}},
		faulty{"shows every payment as settled", func(l *endpoint) fault {
			return answering(l, all(accepted, asked("status", `.`)), set("data[].status", `"Confirmado"`))
		}},
	),
	ofEachList("lists.enums",
		faulty{"takes an unknown status", func(l *endpoint) fault {
			return accepting(l, askedOutside("status", "PENDING", "CONFIRMED", "ERROR"), unasked("status"))
		}},
		faulty{"takes a label for a status", func(l *endpoint) fault { return accepting(l, asked("status", `Pendente`), ask("status", "PENDING")) }},
		faulty{"takes an unknown type", func(l *endpoint) fault {
			return accepting(l, askedOutside("type", "PAYMENT", "WITHDRAW", "REFUND_IN", "REFUND_OUT"), unasked("type"))
		}},
		faulty{"takes a label for a type", func(l *endpoint) fault { return accepting(l, asked("type", `Pix in`), ask("type", "PAYMENT")) }},
		faulty{"answers an unknown value with 422", func(l *endpoint) fault { return answering(l, was(400), status(422)) }},
	),
	ofEachList("lists.dates",
		faulty{"does not look at startDate", func(l *endpoint) fault { return misreading(l, always, unasked("startDate")) }},
		faulty{"does not look at endDate", func(l *endpoint) fault { return misreading(l, asked("startDate", `T`), unasked("endDate")) }},
		faulty{"looks at no dates", func(l *endpoint) fault { return misreading(l, always, unasked("startDate", "endDate")) }},
		faulty{"finds nothing between dates", func(l *endpoint) fault { return answering(l, asked("startDate", `.`), set("data", `[]`)) }},
		faulty{"refuses dates with a time", func(l *endpoint) fault { return refusing(l, asked("startDate", `T`), 400, "HTTP_ERROR") }},
		faulty{"refuses dates without a time", func(l *endpoint) fault { return refusing(l, asked("startDate", `^[\d-]+$`), 400, "HTTP_ERROR") }},
		faulty{"takes any startDate", func(l *endpoint) fault { return accepting(l, asked("startDate", `^\D`), unasked("startDate")) }},
		faulty{"takes any endDate", func(l *endpoint) fault { return accepting(l, asked("endDate", `^\D`), unasked("endDate")) }},
		faulty{"takes a 13th month", func(l *endpoint) fault {
			return accepting(l, asked("startDate", `^\d{4}-(1[3-9]|[2-9]\d)`), unasked("startDate"))
		}},
		faulty{"breaks down over a date", func(l *endpoint) fault { return answering(l, was(400), status(500)) }},
	),
	ofEachList("lists.interval",
		faulty{"refuses 30 days", func(l *endpoint) fault { return refusing(l, spanning(29.5, 30.5), 400, "HTTP_ERROR") }},
		faulty{"takes 33 days", func(l *endpoint) fault { return accepting(l, spanning(32.5, 33.5), unasked("startDate")) }},
		faulty{"takes any interval without an end", func(l *endpoint) fault { return accepting(l, asked("endDate", `^$`), unasked("startDate")) }},
		faulty{"answers a long interval with 422", func(l *endpoint) fault { return answering(l, was(400), status(422)) }},
		faulty{"breaks down over 31 days", func(l *endpoint) fault { return refusing(l, spanning(30.5, 31.5), 500, "HTTP_ERROR") }},
		faulty{"breaks down over 32 days", func(l *endpoint) fault { return refusing(l, spanning(31.5, 32.5), 500, "HTTP_ERROR") }},
	),
	ofEachList("lists.default-window",
		faulty{"ends before now", func(l *endpoint) fault {
			return misreading(l, all(asked("startDate", `.`), asked("endDate", `^$`)), endingEarlier)
		}},
	),
	ofEachList("lists.own-account",
		faulty{"shows another account's", func(l *endpoint) fault { return lending(l, nothingListed) }},
	),
)

var listFilterMutants = []row{
	{"lets 29 days be 31", "lists.default-window", misreading(clock, advancing(28.5, 29.5), later(48*time.Hour))},
	{"lets 30 days and a half be 32", "lists.default-window", misreading(clock, advancing(30, 31), later(36*time.Hour))},
	{"lets 30 days and a half be 29", "lists.default-window", misreading(clock, advancing(30, 31), later(-36*time.Hour))},
	{"lets 33 days be 30", "lists.default-window", misreading(clock, advancing(32.5, 33.5), later(-72*time.Hour))},

	{"does not filter PAYMENT", "lists.type", misreading(transactions, asked("type", `^PAYMENT$`), unasked("type"))},
	{"does not filter WITHDRAW", "lists.type", misreading(transactions, asked("type", `^WITHDRAW$`), unasked("type"))},
	{"does not filter REFUND_OUT", "lists.type", misreading(transactions, asked("type", `^REFUND_OUT$`), unasked("type"))},
	{"takes REFUND_OUT for REFUND_IN", "lists.type", misreading(transactions, asked("type", `^REFUND_OUT$`), ask("type", "REFUND_IN"))},
	{"takes WITHDRAW for PAYMENT", "lists.type", misreading(group{transactions, ofKey}, asked("type", `^WITHDRAW$`), ask("type", "PAYMENT"))},
	{"shows what came back as a DEBIT", "lists.type", answering(group{transactions, ofKey}, asked("type", `^REFUND_OUT$`), set("data[].movementType", `"DEBIT"`))},
	{"shows what came in as PIX_IN", "lists.type", answering(group{transactions, ofKey}, asked("type", `^PAYMENT$`), set("data[].operationType", `"PIX_IN"`))},
	{"shows what went out as a CREDIT", "lists.type", answering(group{transactions, ofKey}, asked("type", `^WITHDRAW$`), set("data[].movementType", `"CREDIT"`))},
	{"shows what came in by key as a DEBIT", "lists.type", answering(ofKey, asked("type", `^PAYMENT$`), set("data[].movementType", `"DEBIT"`))},
	{"does not filter WITHDRAW by key", "lists.type", misreading(ofKey, asked("type", `^WITHDRAW$`), unasked("type"))},
	{"does not filter REFUND_IN by key", "lists.type", misreading(ofKey, asked("type", `^REFUND_IN$`), unasked("type"))},
	{"does not filter REFUND_OUT by key", "lists.type", misreading(ofKey, asked("type", `^REFUND_OUT$`), unasked("type"))},

	{"shows what it gives back as a CREDIT", "lists.refund-in", answering(transactions, asked("type", `^REFUND_IN$`), set("data[].movementType", `"CREDIT"`))},
	{"shows what it gives back as Refund out", "lists.refund-in", answering(transactions, asked("type", `^REFUND_IN$`), set("data[].operationType", `"Refund out"`))},
	{"does not filter REFUND_IN", "lists.refund-in", misreading(transactions, asked("type", `^REFUND_IN$`), unasked("type"))},

	{"does not filter by externalId", "lists.external-id", misreading(transactions, always, unasked("externalId"))},
	{"finds nothing by externalId", "lists.external-id", answering(transactions, asked("externalId", `.`), set("data", `[]`))},
	{"counts all beside the one of an externalId", "lists.external-id", answering(transactions, asked("externalId", `.`), counted("metadata.total", 1))},
	{"counts one for an unknown externalId", "lists.external-id", answering(transactions, all(nothingListed, asked("externalId", `.`)), set("metadata.total", `1`))},
	{"lists all for an unknown externalId", "lists.external-id", changing(transactions, allWhereNone("externalId"))},
	{"does not find an unknown externalId", "lists.external-id", answering(transactions, all(nothingListed, asked("externalId", `.`)), status(404))},

	{"does not filter by endToEndId", "lists.end-to-end-id", misreading(transactions, always, unasked("endToEndId"))},
	{"finds nothing by endToEndId", "lists.end-to-end-id", answering(transactions, asked("endToEndId", `.`), set("data", `[]`))},
	{"counts all beside the one of an endToEndId", "lists.end-to-end-id", answering(transactions, asked("endToEndId", `.`), counted("metadata.total", 1))},
	{"lists all for an unknown endToEndId", "lists.end-to-end-id", changing(transactions, allWhereNone("endToEndId"))},

	{"refuses a CPF in a path", "lists.pix-key", refusing(ofKey, naming("pixKey", `^\d{11}$`), 400, "HTTP_ERROR")},
	{"refuses a CNPJ in a path", "lists.pix-key", refusing(ofKey, naming("pixKey", `^\d{14}$`), 400, "HTTP_ERROR")},
	{"refuses a phone in a path", "lists.pix-key", refusing(ofKey, naming("pixKey", `^\+`), 400, "HTTP_ERROR")},
	{"refuses an e-mail in a path", "lists.pix-key", refusing(ofKey, naming("pixKey", `@`), 400, "HTTP_ERROR")},
	{"refuses a random key in a path", "lists.pix-key", refusing(ofKey, naming("pixKey", anyUUID), 400, "HTTP_ERROR")},
	{"lists what went to every key", "lists.pix-key", misreading(ofKey, always, onto("/api/transactions"))},
	{"finds nothing by key", "lists.pix-key", answering(ofKey, accepted, set("data", `[]`))},
	{"does not know the account's own key", "lists.pix-key", refusing(ofKey, after(1, cob, byTheSame), 404, "HTTP_ERROR")},
	{"cannot list the account's own key", "lists.pix-key", refusing(ofKey, naming("pixKey", anyUUID), 500, "HTTP_ERROR")},

	{"lists as many by key as there are", "lists.cap", both(
		misreading(ofKey, asked("page", `^3$`), ask("page", "1"), ask("size", "1")),
		answering(ofKey, asked("size", `^1$`), fresh("data[0].transactionId")))},
	{"holds nothing, in its list of transactions", "lists.answer", answering(transactions, accepted, set("data", `[]`))},
	{"lists nothing of late", "lists.default-window", answering(transactions, asked("startDate", `^$`), set("data", `[]`))},

	{"breaks down over a size of 0", "lists.left-open", refusing(transactions, asked("size", `^0$`), 500, "HTTP_ERROR")},
	{"breaks down over a negative size", "lists.left-open", refusing(transactions, asked("size", `^-`), 500, "HTTP_ERROR")},
	{"does not find a page of transactions beyond the last", "lists.left-open", answering(transactions, all(nothingListed, laterPage), status(404))},
	{"breaks down over small letters", "lists.left-open", refusing(transactions, asked("status", `^[a-z]+$`), 500, "HTTP_ERROR")},
	{"breaks down over an old endDate alone", "lists.left-open", refusing(transactions, all(asked("endDate", `.`), asked("startDate", `^$`)), 500, "HTTP_ERROR")},
	{"breaks down where the start is after the end", "lists.left-open", refusing(transactions, all(asked("startDate", `.`), asked("endDate", `^$`)), 500, "HTTP_ERROR")},
	{"does not find a malformed key", "lists.left-open", refusing(ofKey, malformedKey, 404, "HTTP_ERROR")},
	{"breaks down over a list without transactions", "lists.left-open", answering(transactions, nothingListed, status(500))},
	{"breaks down over a list of several transactions", "lists.left-open", answering(transactions, after(3, cashOut, byTheSame), status(500))},
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
	listWithoutData = faulty{"calls its data items", func(l *endpoint) fault { return answering(l, accepted, rename("", "data", "items")) }}
)

// unfiltered and refusingTo are lists that do not filter by one value, or do not take it.
func unfiltered(name, value string) faulty {
	return faulty{fmt.Sprintf("does not filter %s", value), func(l *endpoint) fault {
		return misreading(l, asked(name, "^"+value+"$"), unasked(name))
	}}
}

func refusingTo(name, value string) faulty {
	return faulty{fmt.Sprintf("refuses to filter %s", value), func(l *endpoint) fault {
		return refusing(l, asked(name, "^"+value+"$"), 400, "HTTP_ERROR")
	}}
}

// showing writes the value of the filter in the place of its label.
func showing(l *endpoint, status string) fault {
	return answering(l, asked("status", "^"+status+"$"), set("data[].status", `"`+status+`"`))
}

// malformedKey holds for a list by a key of none of the five kinds.
var malformedKey = not(either(naming("pixKey", `^(\d{11}|\d{14}|\+55\d{10,11}|[^@]+@[^@]+)$`), naming("pixKey", anyUUID)))

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
			fmt.Sprintf("lists no %s at %s", field, list.path), rule, answering(list, accepted, drop("data[]."+field)),
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
