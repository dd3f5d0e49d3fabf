package mutants

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// toleratedLists differ in the lists of transactions and of cases.
var toleratedLists = slices.Concat([]row{
	tolerate("has one page of an empty MED list", answering(meds, nothingListed, set("metadata.totalPages", `1`))),
	tolerate("refuses a page beyond the last of the MED list", declining(meds, all(nothingListed, laterPage), 400, "")),
	tolerate("takes a malformed isReconciled", accepting(meds, askedOutside("isReconciled", "true", "false"), unasked("isReconciled"))),
	tolerate("has no limit of MED lists", pretending(meds, was(429))),
	tolerate("knows no cause of a case", answering(meds, accepted, set("data[].cause", `null`), set("data[].description", `null`), set("data[].analysisDetails", `null`))),
	tolerate("has a cause of its own", answering(meds, accepted, set("data[].cause", `"FRAUD_SCAM"`))),
	tolerate("tells no result of an analysis", answering(meds, accepted, set("data[].analysisResult", `null`))),
	tolerate("calls the contested payment a deposit", answering(meds, told("data[0].isReconciled", `true`), set("data[0].originalTransaction.transactionType", `"DEPOSIT"`))),
	tolerate("begins a case as received", answering(meds, all(told("data[0].status", `OPEN`), asked("status", `^$`)), set("data[].status", `"RECEIVED"`))),
	tolerate("takes a word for a page of the MED list", accepting(meds, asked("page", `^[^\d-]`), ask("page", "1"))),
	tolerate("has unknown fields in a case", answering(meds, told("data[0].id", `.`), set("data[0].statusHistory", `[]`))),

	tolerate("tells how many transactions of a key there are beyond 1000", answering(ofKey, told("metadata.total", `^1000$`), set("metadata.total", `1001`))),
	tolerate("finds nothing that was given back", answering(group{transactions, ofKey}, asked("type", `^REFUND_IN$`), set("data", `[]`), set("metadata.total", `0`), set("metadata.totalPages", `0`))),
	tolerate("refuses a malformed key", refusing(ofKey, malformedKey, 400, "INVALID_PIX_KEY")),
	tolerate("knows no transactions of a malformed key", pretending(ofKey, malformedKey)),
	tolerate("subtracts the fee of a charge or adds it", answering(group{transactions, ofKey}, told("data[0].movementType", `CREDIT`), sum("data[0].finalAmount", "data[0].originalAmount", "data[0].feeAmount"))),
	tolerate("knows branch and account in a list", answering(group{transactions, ofKey}, accepted, branched)),
	tolerate("does not list branch and account", answering(group{transactions, ofKey}, accepted, drop("data[].counterpart.bank.accountBranch"), drop("data[].counterpart.bank.accountNumber"))),
	tolerate("masks the listed document in its own way", answering(group{transactions, ofKey}, told("data[0].counterpart.document", `"`), set("data[0].counterpart.document", `"52******25"`))),
	tolerate("has unknown fields in a list", answering(group{transactions, ofKey, meds}, accepted, set("links", `{"next":null}`), set("metadata.sort", `"createdAt"`))),
	tolerate("takes a size of 0 for none", accepting(transactions, asked("size", `^(0|-1)$`), unasked("size"))),
	tolerate("takes filter values in small letters", accepting(transactions, asked("status", `^[a-z]+$`), asking(func(q url.Values) { q.Set("status", strings.ToUpper(q.Get("status"))) }))),
	tolerate("refuses a start after the end", refusing(transactions, all(asked("startDate", `.`), asked("endDate", `^$`), spanningNothing), 400, "HTTP_ERROR")),
}, ofEachList("",
	faulty{"has one page where there is nothing", func(l *endpoint) fault { return answering(l, nothingListed, set("metadata.totalPages", `1`)) }},
	faulty{"refuses a page beyond the last", func(l *endpoint) fault {
		return declining(l, all(nothingListed, laterPage), 400, "HTTP_ERROR")
	}},
	faulty{"has the oldest of a page first", func(l *endpoint) fault { return answering(l, accepted, at("data", reversed)) }},
	faulty{"leaves out what it does not know yet", func(l *endpoint) fault { return answering(l, accepted, at("data", withoutNulls)) }},
	faulty{"takes 32 days", func(l *endpoint) fault { return accepting(l, spanning(31.5, 32.5), unasked("startDate")) }},
	faulty{"refuses exactly 31 days", func(l *endpoint) fault { return refusing(l, spanning(30.99, 31.01), 400, "HTTP_ERROR") }},
	faulty{"has its own code for a wrong parameter", func(l *endpoint) fault { return answering(l, was(400), code("INVALID_QUERY")) }},
	faulty{"writes amounts without decimals that are zero", func(l *endpoint) fault {
		return answering(l, told("data[0].originalAmount", `.`), trimmed("data[0].originalAmount"), trimmed("data[0].feeAmount"), trimmed("data[0].finalAmount"))
	}},
))

// toleratedResends differ in resends and in events beside that of a cash-out.
var toleratedResends = []row{
	tolerate("resends by the transactionId", pretending(resend, all(was(404), naming(identifier, `^[0-9a-f]{8}-`)))),
	tolerate("refuses a transactionId", answering(resend, all(was(404), naming(identifier, `^[0-9a-f]{8}-`)), status(400))),
	tolerate("answers 502 for a destination that fails", declining(resend, all(accepted, told("statusCode", `^[45]`)), 502, "HTTP_ERROR")),
	tolerate("answers 500 for a destination that fails", declining(resend, all(accepted, told("statusCode", `^[45]`)), 500, "HTTP_ERROR")),
	tolerate("cannot resolve a word for a URL", refusing(resend, all(kind("url", "text"), not(matching("url", `:`))), 502, "HTTP_ERROR")),
	tolerate("takes no notice of a URL that is none", accepting(resend, either(kind("url", "number"), all(kind("url", "text"), not(matching("url", `:`)))), drop("url"))),
	tolerate("answers 504 for a destination that does not answer", answering(resend, was(502), status(504))),
	tolerate("answers 200 for a destination that does not answer", pretending(resend, was(502))),
	tolerate("answers a URL that is not HTTPS with 422", answering(resend, all(refused, matching("url", `^http:`)), status(422))),
	tolerate("resends without the custom headers", sending(sentBefore, withoutHeaders(`^X-`))),
	tolerate("has a code of its own for unknown transactions", answering(resend, was(404), code("TRANSACTION_NOT_FOUND"))),
	tolerate("has a code of its own for too many resends", answering(resend, was(429), code("TOO_MANY_REQUESTS"))),
	tolerate("lets 61 resends pass", changing(newAccount, limitedTo(61))),

	tolerate("tells of a refund when it is asked for too", announcing(devolution, "refund_in", func(_ *call, a *answer) string {
		return `{"type":"REFUND","data":{"status":"PROCESSING","endToEndId":` + string(encode(textAt(a.body, "rtrId"))) + `}}`
	})),
	tolerate("has an id of its own for the event of a paid charge", sending(typed("RECEIVE"), set("data.id", `"1234"`))),
	tolerate("tells a refund as a CREDIT", sending(typed("REFUND"), set("data.creditDebitType", `"CREDIT"`))),
	tolerate("tells no txId with a refund", sending(typed("REFUND"), set("data.txId", `null`))),
	tolerate("has an id of its own for the event of a refund", sending(typed("REFUND"), set("data.id", `"1234"`))),
	tolerate("has nothing to say of a refund", sending(typed("REFUND"), set("data.refunds[].information", `"-"`))),
	tolerate("has nothing to say of a transfer", sending(typed("TRANSFER"), set("data.remittanceInformation", `""`))),
	tolerate("masks the document of a creditor in its own way", sending(typed("TRANSFER"), set("data.creditorAccount.document", `"***982247**"`))),
	tolerate("tells the bank of a debtor", sending(typed("RECEIVE"), set("data.debtorAccount.ispb", `"60701190"`))),
	tolerate("wraps the event of a cash-in", sending(called("CashIn"), rewritten(wrappedAs("CASH_IN")))),
	tolerate("wraps the event of what comes back", sending(called("CashOutReversal"), rewritten(wrappedAs("REVERSAL")))),
	tolerate("wraps the events of cases", sending(sent("statusHistory"), rewritten(wrappedAs("MED")))),
	tolerate("tells no history of a case", sending(sent("statusHistory"), drop("statusHistory"))),
	tolerate("does not know the numbers of transactions", refusing(resend, naming(identifier, `^\d+$`), 404, "HTTP_ERROR")),
	tolerate("answers 403 for a destination that cannot be reached", answering(resend, all(refused, matching("url", `^https`)), status(403))),
	tolerate("does not say which payment is contested", sending(sent("endToEnd"), drop("endToEnd"))),
}

// toleratedEnvelopes differ in what stands beside the fields of a refusal.
var toleratedEnvelopes = []row{
	tolerate("tells its version with every simple refusal", answering(simple, refused, set("version", `"2.0"`))),
	tolerate("gives the type of a problem", answering(everything, refused, set("type", `"about:blank"`))),
}

// declining refuses what it has answered.
func declining(p place, when condition, status int, code string) fault {
	return changing(p, func(c *call, pass server) *answer {
		if a := pass(c); !when(c, a) {
			return a
		}
		return refusal(c, status, code)
	})
}

// spanningNothing holds for a call that asks for a time yet to come.
func spanningNothing(c *call, _ *answer) bool {
	start, err := time.Parse(time.RFC3339Nano, c.asked("startDate"))
	return err == nil && start.After(time.Now())
}

// branched tells the branch and the account of each counterpart that is known.
func branched(m *message) {
	at("data", func(v any) any {
		items, _ := v.([]any)
		for i := range items {
			if bank, ok := lookup(encode(items[i]), "counterpart.bank"); ok && bank != nil {
				items[i] = alter(items[i], segments("counterpart.bank.accountBranch"), func(any) any { return "0001" })
				items[i] = alter(items[i], segments("counterpart.bank.accountNumber"), func(any) any { return "12345-6" })
			}
		}
		return v
	})(m)
}

func reversed(v any) any {
	items, _ := v.([]any)
	slices.Reverse(items)
	return v
}

// withoutNulls leaves the members out that are null, however deep.
func withoutNulls(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = withoutNulls(v[i])
		}
	case map[string]any:
		for name, member := range v {
			if member == nil {
				delete(v, name)
				continue
			}
			v[name] = withoutNulls(member)
		}
	}
	return v
}

func wrappedAs(name string) func([]byte) []byte {
	return func(b []byte) []byte { return []byte(`{"type":"` + name + `","data":` + string(b) + `}`) }
}
