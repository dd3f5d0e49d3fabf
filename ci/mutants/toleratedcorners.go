package mutants

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
)

// toleratedCorners choose, in a corner, something else than elsewhere.
var toleratedCorners = []row{
	// Lists.
	tolerate("lists oldest first only when a date filter is given", relisting(transactions, either(asked("startDate", `.`), asked("endDate", `.`)), ordered(byAge))),
	tolerate("rejects a page beyond the last only from page 1000 on", declining(transactions, all(nothingListed, asked("page", `^\d{4,}$`)), 400, api.HTTPError)),
	tolerate("says totalPages 1 for an empty list only with a status filter", answering(ofKey, all(nothingListed, asked("status", `.`)), set("metadata.totalPages", `1`))),
	tolerate("accepts filter values in lower case for status but not for type", accepting(transactions, asked("status", `^[a-z]+$`), asking(func(q url.Values) { q.Set("status", strings.ToUpper(q.Get("status"))) }))),
	tolerate("rejects an interval of exactly 31 days when the dates have a time part", refusing(ofKey, all(asked("startDate", `T`), spanning(30.99, 31.01)), 400, api.HTTPError)),
	tolerate("leaves endToEndId out of pending items", inItems(transactions, always, func(_ *call, item map[string]any) {
		if item["status"] == "Pendente" {
			delete(item, "endToEndId")
		}
	})),
	tolerate("adds the fee in finalAmount of received payments instead of taking it off", inItems(transactions, always, func(_ *call, item map[string]any) {
		if item["operationType"] == "Pix in" {
			item["finalAmount"] = value(amount(in(item, "originalAmount") + in(item, "feeAmount")))
		}
	})),
	tolerate("writes createdAt with +00:00 and processedAt with Z", answering(transactions, accepted, retold("data[].createdAt", func(s string) string { return strings.Replace(s, "Z", "+00:00", 1) }))),
	tolerate("writes whole amounts as 10.00 and others without trailing zeros", answering(transactions, accepted, allRespelt("originalAmount", withoutLastZero), allRespelt("finalAmount", withoutLastZero))),
	tolerate("adds updatedAt to items only under type=REFUND_OUT", answering(transactions, all(accepted, asked("type", `^REFUND_OUT$`)), set("data[].updatedAt", `"2026-03-01T12:00:00Z"`))),
	tolerate("masks CNPJs in another pattern than CPFs", answering(transactions, accepted, retold("data[].counterpart.document", func(s string) string {
		return regexp.MustCompile(`^(\*\*\.\d{3})\.\d{3}/\d{4}(-\*\*)$`).ReplaceAllString(s, "$1.***/****$2")
	}))),

	tolerate("rejects a date filter with an offset from UTC", refusing(group{transactions, ofKey}, either(asked("startDate", withOffset), asked("endDate", withOffset)), 400, api.HTTPError)),
	tolerate("rejects parameters that it does not know", refusing(group{transactions, ofKey, balances, list}, asked("accountId", `.`), 400, api.HTTPError)),

	// Transfers and balances.
	tolerate("requires the creditor's document when priority is left out", refusing(transfer, all(lacking("priority"), lacking("creditorDocument")), 400, "")),
	tolerate("returns 201 for a new transfer and 200 for a replay", answering(transfer, all(accepted, not(replayed)), status(201))),
	tolerate("accepts a transfer of NORM priority with 202, and one of HIGH with 200", answering(transfer, all(accepted, not(urgent)), status(202))),
	tolerate("returns 422 for an x-idempotency-key of version 1", answering(transfer, all(was(400), under(idempotency, `(?i)^[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-`)), status(422))),
	tolerate("adds a currency to the balance when something is blocked", answering(balances, all(accepted, not(told(blocked, `^0(\.00)?$`))), set("data[0].balanceAmount.currency", `"BRL"`))),

	// Payments.
	tolerate("reports amounts below 0.01 as HTTP_ERROR", answering(cashOut, all(refusedAs(api.InvalidAmount), below("value", "0.01")), asValidation...)),
	tolerate("reports a wrong RANDOM key as HTTP_ERROR", answering(cashOut, all(refusedAs(api.InvalidPixKey), sent("details.keyType", `"RANDOM"`)), asValidation...)),
	tolerate("rejects wrong check digits of a CNPJ at once and those of a CPF by the bank", refusing(cashOut, all(company("details.document"), wrongCheckDigits("details.document")), 400, api.HTTPError)),
	tolerate("rejects an unknown X-Sandbox-Scenario of a cash-out only", refusing(cashOut, all(under(scenarioHeader, `.`), not(knownScenario)), 400, api.HTTPError)),
	tolerate("rejects a description of 141 characters in QR payments to companies", refusing(qrCashOut, all(company("document"), longer("description", api.MostDescription)), 400, api.HTTPError)),
	tolerate("rejects QR payments of the account's own charges", refusingUnderToken(qrCashOut, after(1, cashIn, byTheSame, taken, withItsCode), 400, api.HTTPError)),
	tolerate("returns details for a repeated QR payment only while the first is pending", answering(qrCashOut, all(was(409), finished("externalId")), drop("details"))),
	tolerate("returns 400 for a repeated QR payment of another value", answering(qrCashOut, all(was(409), after(1, qrCashOut, byTheSame, taken, same("externalId"), other("value"))), status(400))),
	tolerate("rejects a payment of exactly the night limit", atTheNightLimit()),
	tolerate("answers CONFIRMED to the payment of a static code unless settlement is manual", confirmingStaticCodes()),
	tolerate("leaves the fee out of finalAmount of a rejected payment", sending(all(called("CashOut"), failed), sum("finalAmount", "originalAmount"))),
	tolerate("accepts externalId true as the text true", accepting(cashOut, sent("externalId", `true`), set("externalId", `"true"`))),
	tolerate("accepts generateQrCode 1 as true", accepting(cashIn, all(kind("transaction.generateQrCode", "number"), equals("transaction.generateQrCode", "1")), set("transaction.generateQrCode", `true`))),
	tolerate("wraps a CashOut event in type and data when it is resent", sending(all(called("CashOut"), sentBefore), rewritten(wrappedAs("CASH_OUT")))),
	tolerate("rejects a webhook URL of more than 255 characters", refusing(registration, longer("url", 255), 400, api.HTTPError)),
	tolerate("wraps the event of a charge that a company paid", sending(all(called("CashIn"), matching("counterpart.document", `/`)), rewritten(func(b []byte) []byte { return fmt.Appendf(nil, `{"type":"CashIn","data":%s}`, b) }))),

	// Charges and refunds.
	tolerate("returns 409 for a used externalId while the charge is unpaid and 400 after", answering(cashIn, all(duplicate, not(finished("transaction.externalId"))), status(409))),
	tolerate("returns qrCodeImage as a data URI for long descriptions", answering(cashIn, all(accepted, sent("transaction.generateQrCode", `true`), longer("transaction.description", 100)), prefixed("qrCodeImage", "data:image/png;base64,"))),
	tolerate("returns HTTP_ERROR beside the errorCode of the provider's minimum", answering(cashIn, refusedAs(api.ExpirationBelowMinimum), set("code", quote(api.HTTPError)))),
	tolerate("rejects a PHONE split key without +55", refusing(cashIn, anyItem("splits", all(sent("pixKeyType", `"PHONE"`), not(matching("pixKey", `^\+55`)))), 400, api.HTTPError)),
	tolerate("returns 200 for a cob without a debtor", answering(cob, all(accepted, lacking("devedor")), status(200))),
	tolerate("rejects an expiracao of 0 and accepts 1", refusing(cob, equals("calendario.expiracao", "0"), 400, "")),
	tolerate("rejects wrong check digits of a debtor's CPF but not of a CNPJ", refusing(cob, wrongCheckDigits("devedor.cpf"), 400, "")),
	tolerate("returns 200 for a whole refund and 201 for a partial one", answering(devolution, all(accepted, allOfIt), status(200))),
	tolerate("returns 409 for a repeated refund id once the refund is finished", refusingAnswered(devolution, all(accepted, after(1, devolution, byTheSame, taken, samePath), told("status", `DEVOLVIDO|NAO_REALIZADO`)), 409, "")),
	tolerate("leaves natureza out of the response when the request had none", answering(devolution, all(accepted, unsent("natureza")), drop("natureza"))),
	tolerate("returns 404 for an e2eid of 33 characters", answering(devolution, all(was(400), naming("e2eid", `^[A-Za-z0-9]{33}$`)), status(404))),

	// Cases, webhooks and tokens.
	tolerate("ignores another isReconciled than true and false unless status is given", accepting(meds, all(not(asked("status", `.`)), asked("isReconciled", `.`), not(asked("isReconciled", `^(true|false)$`))), unasked("isReconciled"))),
	tolerate("adds a code to the simple envelope of 400 only", answering(meds, was(400), set("code", `"INVALID_QUERY"`))),
	tolerate("returns a version only of URLs that were registered twice", answering(list, accepted, eachItem("webhooks", func(_ int, item map[string]any) {
		if fmt.Sprint(item["version"]) == "1" {
			delete(item, "version")
		}
	}))),
	tolerate("rejects the resend of a pending payment", refusing(resend, func(c *call, _ *answer) bool {
		return first(c.recorded("externalId", c.parameter(identifier)), "status", "Pendente")
	}, 400, api.HTTPError)),
	tolerate("marks a resent event as such", sending(sentBefore, set("resend", `true`))),
	tolerate("accepts a header named Host and never sends it", accepting(registration, matching("headers[].key", `(?i)^host$`), at("headers", on(func(items []any) any {
		return slices.DeleteFunc(slices.Clone(items), func(v any) bool {
			item, _ := v.(map[string]any)
			return strings.EqualFold(textOf(item, "key"), "host")
		})
	})))),
	tolerate("returns no hint for a truncated certificate", answering(token, all(refusedAs(api.CertMalformedPEM), not(under(certificateHeader, `END`))), drop("details.hint"))),
	tolerate("delivers an event again after the receiver returned 500", afterAnswer(event, was(500), func(c *call, a *answer, pass server) *answer {
		pass(c.edited())
		return a
	})),
	tolerate("sends partial refunds as a CREDIT", sending(all(refundEvent, func(c *call, _ *answer) bool {
		return amountAt(c.message, "data.refunds[0].payment.amount") < amountAt(c.message, "data.payment.amount")
	}), set("data.creditDebitType", `"CREDIT"`))),
	tolerate("sends a new case without its analysisResult", sending(all(called("MedCreated"), kind("analysisResult", "null")), drop("analysisResult"))),
}

// atTheNightLimit rejects payments of exactly the night limit at night.
func atTheNightLimit() fault {
	night := &setting{path: "night"}
	return both(night.noted(limits), refusing(cashOut, func(c *call, _ *answer) bool {
		limit, limited := night.centavos(c)
		h := hour(c.now())
		return limited && sentAmount(c, "value") == limit && (h >= 20 || h < 6)
	}, 400, api.AboveNight))
}

// confirmingStaticCodes answers CONFIRMED at once where the bank confirms what it is sent.
func confirmingStaticCodes() fault {
	mode := &setting{path: "mode"}
	return both(mode.noted(settlement), answering(qrCashOut, all(accepted, not(dynamicCode), func(c *call, _ *answer) bool {
		is, _ := mode.of.Load(c.account())
		return is != "manual"
	}), set("status", `"CONFIRMED"`)))
}

// withoutLastZero writes 1.50 as 1.5, but not 10.00 as 10.
func withoutLastZero(s string) string {
	if strings.HasSuffix(s, ".00") {
		return s
	}
	return withoutZeros(s)
}
