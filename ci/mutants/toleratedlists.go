package mutants

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

// toleratedLists differ in the lists of transactions and of cases.
var toleratedLists = slices.Concat([]row{
	tolerate("returns totalPages 1 for an empty MED list", answering(meds, nothingListed, set("metadata.totalPages", `1`))),
	tolerate("rejects a page beyond the last of the MED list", declining(meds, all(nothingListed, laterPage), 400, "")),
	tolerate("accepts a malformed isReconciled", accepting(meds, askedOutside("isReconciled", "true", "false"), unasked("isReconciled"))),
	tolerate("has no limit on MED list requests", pretending(meds, was(429))),
	tolerate("shows no original transaction of a case", answering(meds, accepted, set("data[].originalTransaction", `null`))),
	tolerate("returns no cause of a case", answering(meds, accepted, set("data[].cause", `null`), set("data[].description", `null`), set("data[].analysisDetails", `null`))),
	tolerate("returns a cause of its own", answering(meds, accepted, set("data[].cause", `"FRAUD_SCAM"`))),
	tolerate("returns no result of an analysis", answering(meds, accepted, set("data[].analysisResult", `null`))),
	tolerate("returns the type DEPOSIT for the contested payment", answering(meds, told("data[0].isReconciled", `true`), set("data[0].originalTransaction.transactionType", `"DEPOSIT"`))),
	tolerate("opens a case as RECEIVED", answering(meds, asked("status", `^$`), eachItem("data", openedAsReceived))),
	tolerate("accepts a word as a page of the MED list", accepting(meds, asked("page", `^[^\d-]`), ask("page", "1"))),
	tolerate("returns unknown fields in a case", answering(meds, told("data[0].id", `.`), set("data[0].statusHistory", `[]`))),

	tolerate("returns the total of a key beyond 1000", answering(ofKey, told("metadata.total", `^1000$`), set("metadata.total", `1001`))),
	tolerate("lists no refunds", relisting(group{transactions, ofKey}, always, withoutItems("operationType", "Refund in"))),
	tolerate("rejects a malformed key", refusing(ofKey, malformedKey, 400, "INVALID_PIX_KEY")),
	tolerate("returns an empty list for a malformed key", pretending(ofKey, malformedKey)),
	tolerate("subtracts the fee of a charge in one place and adds it in another", answering(group{transactions, ofKey}, told("data[0].movementType", `CREDIT`), sum("data[0].finalAmount", "data[0].originalAmount", "data[0].feeAmount"))),
	tolerate("lists branch and account", answering(group{transactions, ofKey}, accepted, branched)),
	tolerate("does not list branch and account", answering(group{transactions, ofKey}, accepted, drop("data[].counterpart.bank.accountBranch"), drop("data[].counterpart.bank.accountNumber"))),
	tolerate("masks the listed document in another format", answering(group{transactions, ofKey}, told("data[0].counterpart.document", `"`), set("data[0].counterpart.document", `"52******25"`))),
	tolerate("returns unknown fields in a list", answering(group{transactions, ofKey, meds}, accepted, set("links", `{"next":null}`), set("metadata.sort", `"createdAt"`))),
	tolerate("accepts a size of 0 as the default", accepting(transactions, asked("size", `^(0|-1)$`), unasked("size"))),
	tolerate("accepts filter values in lower case", accepting(transactions, asked("status", `^[a-z]+$`), asking(func(q url.Values) { q.Set("status", strings.ToUpper(q.Get("status"))) }))),
	tolerate("lists the last 31 dates by default", misreadingBy(transactions, lastDates(31))),
	tolerate("rejects a start after the end", refusingAnswered(transactions, all(accepted, asked("startDate", `.`), asked("endDate", `^$`), spanningNothing), 400, api.HTTPError)),
}, ofEachList("",
	faulty{"returns totalPages 1 for an empty list", func(l *endpoint) fault { return answering(l, nothingListed, set("metadata.totalPages", `1`)) }},
	faulty{"rejects a page beyond the last", func(l *endpoint) fault {
		return declining(l, all(nothingListed, laterPage), 400, api.HTTPError)
	}},
	faulty{"sorts a page by oldest first", func(l *endpoint) fault { return answering(l, accepted, at("data", reversed)) }},
	faulty{"leaves out what it does not know yet", func(l *endpoint) fault { return answering(l, accepted, at("data", withoutNulls)) }},
	faulty{"accepts 32 days", func(l *endpoint) fault { return accepting(l, spanning(31.5, 32.5), unasked("startDate")) }},
	faulty{"rejects exactly 31 days", func(l *endpoint) fault { return refusing(l, spanning(30.99, 31.01), 400, api.HTTPError) }},
	faulty{"uses its own code for a wrong parameter", func(l *endpoint) fault { return answering(l, was(400), code("INVALID_QUERY")) }},
	faulty{"writes amounts without trailing zeros", func(l *endpoint) fault {
		return answering(l, told("data[0].originalAmount", `.`), trimmed("data[0].originalAmount"), trimmed("data[0].feeAmount"), trimmed("data[0].finalAmount"))
	}},
))

// toleratedResends differ in resends and in events other than that of a cash-out.
var toleratedResends = []row{
	tolerate("rejects a transactionId", refusing(resend, naming(identifier, anyUUID), 400, api.HTTPError)),
	tolerate("returns 502 for a destination that fails", declining(resend, all(accepted, told("statusCode", `^[45]`)), 502, api.HTTPError)),
	tolerate("returns 500 for a destination that fails", declining(resend, all(accepted, told("statusCode", `^[45]`)), 500, api.HTTPError)),
	tolerate("reports a word as URL as an unreachable destination", refusing(resend, all(kind("url", "text"), not(matching("url", `:`))), 502, api.HTTPError)),
	tolerate("ignores a malformed URL", accepting(resend, either(kind("url", "number"), all(kind("url", "text"), not(matching("url", `:`)))), drop("url"))),
	tolerate("returns 504 for a destination that does not answer", answering(resend, was(502), status(504))),
	tolerate("returns 200 for a destination that does not answer", pretending(resend, was(502))),
	tolerate("returns 422 for a URL that is not HTTPS", answering(resend, all(refused, matching("url", `^http:`)), status(422))),
	tolerate("resends without the custom headers", sending(sentBefore, withoutHeaders(`^X-`))),
	tolerate("uses its own code for unknown transactions", answering(resend, was(404), code("TRANSACTION_NOT_FOUND"))),
	tolerate("uses its own code for too many resends", answering(resend, was(429), code("TOO_MANY_REQUESTS"))),
	tolerate("accepts 61 resends", changing(newAccount, limitedTo(61))),

	tolerate("sends an event when a refund is requested too", announcing(devolution, accepted, "refund_in", func(_ *call, a *answer) string {
		return `{"type":"REFUND","data":{"status":"PROCESSING","endToEndId":` + string(encode(textAt(a.body, "rtrId"))) + `}}`
	})),
	tolerate("sends another id for a paid charge", sending(typed("RECEIVE"), set("data.id", `"1234"`))),
	tolerate("sends a refund as a CREDIT", sending(typed("REFUND"), set("data.creditDebitType", `"CREDIT"`))),
	tolerate("sends no txId with a refund", sending(typed("REFUND"), set("data.txId", `null`))),
	tolerate("sends another id for a refund", sending(typed("REFUND"), set("data.id", `"1234"`))),
	tolerate("sends no information with a refund", sending(typed("REFUND"), set("data.refunds[].information", `"-"`))),
	tolerate("sends no remittanceInformation with a transfer", sending(typed("TRANSFER"), set("data.remittanceInformation", `""`))),
	tolerate("masks three digits of a creditor's document", sending(typed("TRANSFER"), set("data.creditorAccount.document", `"11.222.***/0001-81"`))),
	tolerate("masks the document of a creditor in another format", sending(typed("TRANSFER"), set("data.creditorAccount.document", `"***982247**"`))),
	tolerate("sends the bank of a debtor", sending(typed("RECEIVE"), set("data.debtorAccount.ispb", `"60701190"`))),
	tolerate("wraps cash-in events in type and data", sending(called("CashIn"), rewritten(wrappedAs("CASH_IN")))),
	tolerate("wraps refund_out events in type and data", sending(called("CashOutReversal"), rewritten(wrappedAs("REVERSAL")))),
	tolerate("wraps the events of cases in type and data", sending(sent("statusHistory"), rewritten(wrappedAs("MED")))),
	tolerate("returns no history of a case", sending(sent("statusHistory"), drop("statusHistory"))),
	tolerate("rejects a resend by numeric id", refusing(resend, all(naming(identifier, `^\d+$`), not(namingExternalID)), 404, api.HTTPError)),
	tolerate("returns 403 for a destination that cannot be reached", answering(resend, all(was(502), matching("url", `^https`)), status(403))),
	tolerate("returns no contested payment", sending(sent("endToEnd"), drop("endToEnd"))),
}

// namingExternalID holds for a resend by the externalId of a transaction, which may consist of digits.
func namingExternalID(c *call, _ *answer) bool {
	return len(c.recorded("externalId", c.parameter(identifier))) > 0
}

// toleratedEnvelopes differ in what stands next to the fields of a rejection.
var toleratedEnvelopes = []row{
	tolerate("returns its version with every simple error", answering(simple, refused, set("version", `"2.0"`))),
	tolerate("returns a problem type", answering(everything, refused, set("type", `"about:blank"`))),
}

// declining refuses what it has answered.
func declining(p place, when condition, status int, code api.Code) fault {
	return changing(p, func(c *call, pass server) *answer {
		if a := pass(c); !when(c, a) {
			return a
		}
		return refusal(c, status, code)
	})
}

// lastDates makes the default window of a list so many dates, the day of the client's token
// being the last.
func lastDates(n int) func(*call) []edit {
	return func(c *call) []edit {
		if c.asked("startDate")+c.asked("endDate") != "" {
			return nil
		}
		return []edit{ask("startDate", c.issuedAt().In(saoPaulo).AddDate(0, 0, 1-n).Format(time.DateOnly))}
	}
}

// spanningNothing holds for a call that asks for a time yet to come.
func spanningNothing(c *call, _ *answer) bool {
	start, err := time.Parse(time.RFC3339Nano, c.asked("startDate"))
	return err == nil && start.After(c.now())
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

// openedAsReceived shows a new case as one that was received.
func openedAsReceived(_ int, item map[string]any) {
	if item["status"] == "OPEN" {
		item["status"] = "RECEIVED"
	}
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
