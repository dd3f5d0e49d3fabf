package mutants

import (
	"net/url"
	"strings"
	"time"
)

var deliveryMutants = []row{
	{"sends an event to one URL only", "delivery.every-url", ignoring(event, after(1, event, same("transactionId"), elsewhere))},
	{"sends an event to one URL only", "delivery.every-url", sometimes(EveryThird, ignoring(event, after(1, event, same("transactionId"), elsewhere)))},
	{"sends an event to at most two URLs", "delivery.every-url", ignoring(event, after(2, event, same("transactionId"), elsewhere))},
	{"keeps only the first URL of an account", "delivery.every-url", ignoring(registration, after(1, registration, byTheSame, taken))},
	{"sends no events", "delivery.every-url", ignoring(event, always)},
	{"sends no events", "delivery.every-url", sometimes(EveryThird, ignoring(event, always))},

	{"sends cash_out events to URLs of med_created", "delivery.own-type", doubling(registration, sent("eventType", `"med_created"`), set("eventType", `"cash_out"`))},
	{"sends cash_out events to URLs of cash_in", "delivery.own-type", doubling(registration, sent("eventType", `"cash_in"`), set("eventType", `"cash_out"`))},
	{"sends every event to every URL", "delivery.own-type", doubling(registration, not(sent("eventType", `"cash_out"`)), set("eventType", `"cash_out"`))},
	{"sends every event to every URL", "delivery.own-type", sometimes(EverySecond, doubling(registration, not(sent("eventType", `"cash_out"`)), set("eventType", `"cash_out"`)))},

	{"sends an account's events to another account too", "delivery.own-account", changing(registration, registeringOthers)},

	{"sends no custom headers", "delivery.custom-headers", misreading(event, always, withoutHeaders(`^X-`))},
	{"sends only the first custom header", "delivery.custom-headers", misreading(event, always, onlyFirstHeader)},
	{"sends the headers of the first URL to every URL", "delivery.custom-headers", changing(event, headersOfTheFirst)},
	{"keeps sending the first headers of a URL", "delivery.custom-headers", ignoring(registration, again)},
	{"encodes the values of custom headers", "delivery.custom-headers", misreading(event, always, encodedHeaders)},
	{"truncates custom headers at the first space", "delivery.custom-headers", misreading(event, always, cutHeaders)},

	{"sends events as a form", "delivery.json", misreading(event, always, rewritten(asForm), header("Content-Type", "application/x-www-form-urlencoded"))},
	{"sends an event as a JSON string", "delivery.json", misreading(event, always, rewritten(func(b []byte) []byte { return encode(string(b)) }))},
	{"sends an event with a trailing comma", "delivery.json", misreading(event, always, rewritten(func(b []byte) []byte { return []byte(strings.TrimRight(string(b), "}") + ",}") }))},

	{"sends events without a body", "delivery.left-open", misreading(event, always, method("GET"), body(""))},
	{"drops an event before sending it", "delivery.left-open", ignoring(event, always)},
	{"sends an event an hour late", "delivery.left-open", delaying(event, always, time.Hour)},

	{"sends the same endToEndId for every payment", "delivery.cash-out-payload", sending(always, set("endToEndId", `"E1234567820260301120012345678901"`))},
	{"names the event cash_out", "delivery.cash-out-payload", sending(always, set("event", `"cash_out"`))},
	{"sends the status in lower case", "delivery.cash-out-payload", sending(always, retold("status", strings.ToLower))},
	{"sends no transactionType", "delivery.cash-out-payload", sending(always, drop("transactionType"))},
	{"sends a debit as a credit", "delivery.cash-out-payload", sending(always, set("movementType", `"CREDIT"`))},
	{"sends another transactionId", "delivery.cash-out-payload", sending(always, fresh("transactionId"))},
	{"sends no externalId", "delivery.cash-out-payload", sending(always, drop("externalId"))},
	{"sends another externalId", "delivery.cash-out-payload", sending(always, fresh("externalId"))},
	{"sends a CashOut event without an end-to-end id", "delivery.cash-out-payload", sending(always, drop("endToEndId"))},
	{"sends a masked key", "delivery.cash-out-payload", sending(always, set("pixKey", `"***"`))},
	{"sends processingDate without a time zone", "delivery.cash-out-payload", sending(always, stamped(zoneless, saoPaulo))},
	{"sends processingDate in São Paulo time labelled as UTC", "delivery.cash-out-payload", sending(always, stamped(mislabelled, saoPaulo))},
	{"sends processingDate in São Paulo time", "delivery.cash-out-payload", sending(always, stamped(time.RFC3339, saoPaulo))},
	{"omits errorCode if there is no error", "delivery.cash-out-payload", sending(confirmed, drop("errorCode"))},
	{"omits errorMessage if there is no error", "delivery.cash-out-payload", sending(confirmed, drop("errorMessage"))},
	{"sends no errorCode for an error", "delivery.cash-out-payload", sending(failed, set("errorCode", `null`))},
	{"sends no errorMessage for an error", "delivery.cash-out-payload", sending(failed, drop("errorMessage"))},
	{"sends null metadata", "delivery.cash-out-payload", sending(always, set("metadata", `null`))},

	{"leaves the fee out of the final amount", "delivery.cash-out-amounts", sending(always, sum("finalAmount", "originalAmount"))},
	{"leaves the fee out of the final amount", "delivery.cash-out-amounts", sometimes(EverySecond, sending(always, sum("finalAmount", "originalAmount")))},
	{"subtracts the fee from the final amount", "delivery.cash-out-amounts", sending(always, times("feeAmount", -1, 1), sum("finalAmount", "originalAmount", "feeAmount"), times("feeAmount", -1, 1))},
	{"sends no fee", "delivery.cash-out-amounts", sending(always, set("feeAmount", `0.00`))},
	{"omits the fee if it is zero", "delivery.cash-out-amounts", sending(equals("feeAmount", "0"), drop("feeAmount"))},
	{"sends amounts in centavos", "delivery.cash-out-amounts", sending(always, times("originalAmount", 100, 1), times("feeAmount", 100, 1), times("finalAmount", 100, 1))},
	{"sends amounts as strings", "delivery.cash-out-amounts", sending(always, quoted("originalAmount", "feeAmount", "finalAmount"))},
	{"sends debits as negative amounts", "delivery.cash-out-amounts", sending(always, times("originalAmount", -1, 1), times("finalAmount", -1, 1))},
	{"computes amounts of events in floating point and truncates", "delivery.cash-out-amounts", sending(always, binary("originalAmount"), binary("finalAmount"))},

	{"sends no counterpart", "delivery.cash-out-counterpart", sending(always, drop("counterpart"))},
	{"sends no name of the counterpart", "delivery.cash-out-counterpart", sending(always, drop("counterpart.name"))},
	{"sends no document of the counterpart", "delivery.cash-out-counterpart", sending(always, drop("counterpart.document"))},
	{"sends the ISPB of the bank as ispb", "delivery.cash-out-counterpart", sending(always, rename("counterpart.bank", "bankISPB", "ispb"))},
	{"sends no name of the bank", "delivery.cash-out-counterpart", sending(always, set("counterpart.bank.bankName", `null`))},
	{"sends no code of the bank", "delivery.cash-out-counterpart", sending(always, drop("counterpart.bank.bankCode"))},
	{"omits the branch", "delivery.cash-out-counterpart", sending(always, drop("counterpart.bank.accountBranch"))},
	{"omits the account number", "delivery.cash-out-counterpart", sending(always, drop("counterpart.bank.accountNumber"))},
}

// elsewhere: the event went to another URL then.
func elsewhere(now *call, then *entry) bool {
	return now.original.URL.String() != then.call.original.URL.String()
}

// here: it went to the same URL then.
func here(now *call, then *entry) bool { return !elsewhere(now, then) }

// registeringOthers registers, in addition to an account's own URL, the one that another
// account registered last for the same type of event.
func registeringOthers(c *call, pass server) *answer {
	a := pass(c)
	if then := c.lastBefore(registration, byAnother, taken, same("eventType")); then != nil {
		pass(c.edited(set("url", string(encode(textAt(then.call.body, "url"))))))
	}
	return a
}

// customHeaders changes each custom header; one without a name is taken away.
func customHeaders(m *message, change func(name, value string) (string, string)) {
	for name, values := range m.header {
		if strings.HasPrefix(name, "X-") && len(values) == 1 {
			delete(m.header, name)
			if name, value := change(name, values[0]); name != "" {
				m.header[name] = []string{value}
			}
		}
	}
}

func encodedHeaders(m *message) {
	customHeaders(m, func(name, value string) (string, string) { return name, url.QueryEscape(value) + "%20" })
}

func cutHeaders(m *message) {
	customHeaders(m, func(name, value string) (string, string) {
		value, _, _ = strings.Cut(value, " ")
		return name, value
	})
}

// headersOfTheFirst sends an event with the custom headers with which it was first sent.
func headersOfTheFirst(c *call, pass server) *answer {
	if then := c.firstBefore(event, sameBody); then != nil {
		c = c.edited(withoutHeaders(`^X-`), func(m *message) {
			for name, values := range then.call.header {
				if strings.HasPrefix(name, "X-") {
					m.header[name] = values
				}
			}
		})
	}
	return pass(c)
}

// onlyFirstHeader keeps the custom header that is first in the alphabet.
func onlyFirstHeader(m *message) {
	first := ""
	for name := range m.header {
		if strings.HasPrefix(name, "X-") && (first == "" || name < first) {
			first = name
		}
	}
	customHeaders(m, func(name, value string) (string, string) {
		if name != first {
			return "", ""
		}
		return name, value
	})
}

// asForm writes an event as a form, with the ids of its payment.
func asForm(b []byte) []byte {
	return []byte(url.Values{"externalId": {textAt(b, "externalId")}, "transactionId": {textAt(b, "transactionId")}}.Encode())
}

// withCustomHeader holds for an event that carries a custom header.
func withCustomHeader(c *call, _ *answer) bool {
	for name := range c.header {
		if strings.HasPrefix(name, "X-") {
			return true
		}
	}
	return false
}
