package judge

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// control is a call of a control in a step.
func control(step int, of target.Control, method, path string, status int, body, answer string) record.Entry {
	return record.Entry{Step: step, Exchange: &exchange.Exchange{
		Party: exchange.Control, Operation: string(of), Method: method, URL: "/accounts/1" + path, Status: status, Body: []byte(body), ResponseBody: []byte(answer),
	}}
}

// ordered is a request of a step under an externalId, or with a path that names it.
func ordered(step int, noun, path, body, answer string) record.Entry {
	e := sent(step, noun, body, 201, answer)
	if path != "" {
		e.Exchange.URL = "https://gw.example/gw" + path
	}
	return e
}

// readWhole is the whole list of transactions, or another list, as the last step reads it.
func readWhole(noun, query, items string) record.Entry {
	e := looked(noun, 200, `{"data":[`+items+`]}`)
	e.Exchange.URL += "?" + query
	return e
}

func TestNothingElseChanges(t *testing.T) {
	t.Parallel()
	const (
		cobs = `Given a cob of R$ 7.31 that is ATIVA
			Given a cob that is CONCLUIDA
			When the PSP tries to remove the charge
			Then nothing else changes`
		cashOuts = `Given a cash-out of R$ 7.31 that is PENDING
			Given a cash-out that is CONFIRMED
			When the bank tries to confirm the payment
			Then its state is CONFIRMED
			Then nothing else changes`
		finality = `Given a cash-out of R$ 7.31 that is PENDING
			Given a cash-out that is ERROR
			When the bank tries to confirm the payment
			Then its state should still be ERROR
			Then nothing else changes`
		refunds = `Given a refund of R$ 7.31 that is EM_PROCESSAMENTO
			Given a refund that is NAO_REALIZADO
			When the bank tries to confirm the refund
			Then nothing else changes`
		pendente, confirmado = `{"externalId":"order-0001","operationType":"Pix out","status":"Pendente","originalAmount":7.31}`, `{"externalId":"order-0002","operationType":"Pix out","status":"Confirmado","originalAmount":10.00}`
		falhou               = `{"externalId":"order-0002","operationType":"Pix out","status":"Error","originalAmount":10.00}`
		url                  = "https://sink.example/1"
	)
	paid := list(nil,
		fact(0, record.Fact{Kind: record.Opened}), subscribed("cash_in", url),
		ordered(0, "cob", "/cob/first0123456789012345678901", `{"valor":{"original":"7.31"}}`, `{"location":"code-1"}`),
		ordered(1, "cob", "/cob/second012345678901234567890", `{"valor":{"original":"10.00"}}`, `{"location":"code-2"}`),
		control(1, target.Payments, http.MethodPost, "/payments", 201, `{"pixCode":"code-2"}`, `{"endToEndId":"E2"}`),
		fact(1, record.Fact{Kind: record.Paid, Index: 1, Text: "E2-00000000000"}),
		control(2, target.Charges, http.MethodPost, "/charges/second012345678901234567890/end", 409, `{"by":"psp"}`, ``),
	)
	shows := func(txid, state string) record.Entry {
		return control(3, target.Charges, http.MethodGet, "/charges/"+txid, 200, ``, `{"status":"`+state+`"}`)
	}
	stay := list(nil, shows("first0123456789012345678901", "ATIVA"), shows("second012345678901234567890", "CONCLUIDA"), readWhole("transaction list request", "size=100", ``))
	settled := func(outcome string) []record.Entry {
		return list(nil,
			fact(0, record.Fact{Kind: record.Opened}), subscribed("cash_out", url), control(0, target.Settlement, http.MethodPut, "/settlement", 200, `{"mode":"manual"}`, ``),
			ordered(0, "cash-out", "", `{"value":7.31,"externalId":"order-0001"}`, `{"transactionId":"transaction-1"}`),
			ordered(1, "cash-out", "", `{"value":10.00,"externalId":"order-0002"}`, `{"transactionId":"transaction-2"}`),
			control(1, target.Settlement, http.MethodPost, "/settlements", 200, `{"transactionId":"transaction-2","outcome":"`+outcome+`"}`, ``),
			control(2, target.Settlement, http.MethodPost, "/settlements", 409, `{"transactionId":"transaction-2","outcome":"CONFIRMED"}`, ``),
		)
	}
	itsListing := func(item string) record.Entry {
		return during(3, as(record.Look, sent(3, "transaction list request", "", 200, `{"data":[`+item+`]}`)))
	}
	refunded := list(nil,
		fact(0, record.Fact{Kind: record.Opened}), subscribed("refund_in", url), control(0, target.Refunds, http.MethodPut, "/refunds", 200, `{"mode":"manual"}`, ``),
		ordered(0, "refund", "/pix/E1000000/devolucao/refund-0001", `{"valor":"7.31"}`, `{"rtrId":"D1-0000000"}`),
		ordered(1, "refund", "/pix/E2000000/devolucao/refund-0002", `{"valor":"10.00"}`, `{"rtrId":"D2-0000000"}`),
		control(1, target.Refunds, http.MethodPost, "/refunds/D2-0000000/result", 200, `{"status":"NAO_REALIZADO"}`, ``),
		control(2, target.Refunds, http.MethodPost, "/refunds/D2-0000000/result", 409, `{"status":"DEVOLVIDO"}`, ``),
		control(3, target.Refunds, http.MethodGet, "/refunds/D1-0000000", 200, ``, `{"status":"EM_PROCESSAMENTO"}`),
		control(3, target.Refunds, http.MethodGet, "/refunds/D2-0000000", 200, ``, `{"status":"NAO_REALIZADO"}`),
	)
	join := func(all ...[]record.Entry) (entries []record.Entry) {
		for _, some := range all {
			for _, e := range some { // each story has its own
				if e.Exchange != nil {
					copied := *e.Exchange
					e.Exchange = &copied
				}
				entries = append(entries, e)
			}
		}
		return entries
	}
	contested := join(list(nil,
		fact(0, record.Fact{Kind: record.Opened}), subscribed("med_accepted", url),
		ordered(0, "cob", "/cob/first0123456789012345678901", `{"valor":{"original":"7.31"}}`, `{"location":"code-1"}`),
	),
		openedCase(1, "5", "E1-00000000000"), movedCase(1, "5", "RECEIVED", ""),
		openedCase(2, "6", "E2-00000000000"), movedCase(3, "6", "ANALYZED", "APPROVED"),
		list(nil, readWhole("transaction list request", "size=100", ``)),
	)
	cases := func(first, second string) record.Entry {
		return readWhole("MED list request", "pageSize=100", `{"id":6,"status":"`+second+`"},{"id":5,"status":"`+first+`"}`)
	}
	const (
		analysis = `Given the account has sent a cob
			Given a MED case that is RECEIVED
			Given a MED case that is OPEN
			When the bank moves the case to APPROVED
			Then nothing else changes`
	)
	removed := story{steps: cobs, entries: join(paid, list(nil, shows("first0123456789012345678901", "REMOVIDA_PELO_PSP")))}
	assert.Equal(t, "for a cob that is CONCLUIDA, when the PSP tries to remove the charge", removed.judged(t).Finding.Hint)
	tell(t, map[string]story{
		"nothing is looked at yet":  {steps: cobs, entries: join(paid), want: "look: charge for 10s"},
		"nothing has changed":       {steps: cobs, entries: join(paid, stay), want: "pass"},
		"the neighbor is removed":   {steps: cobs, entries: join(paid, list(nil, shows("first0123456789012345678901", "REMOVIDA_PELO_PSP"))), want: "fail: expected the cob of R$ 7.31 to stay ATIVA, got REMOVIDA_PELO_PSP [4]; look: charge for 10s"},
		"the cob itself is removed": {steps: cobs, entries: join(paid, stay[:1], list(nil, shows("second012345678901234567890", "REMOVIDA_PELO_PSP"))), want: "fail: expected the cob of R$ 10.00 to stay CONCLUIDA, got REMOVIDA_PELO_PSP [5]; look: charge for 10s"},
		"the neighbor is reported":  {steps: cobs, entries: join(paid, stay, list(nil, came(url, `{"type":"RECEIVE","data":{"status":"LIQUIDATED","txId":"first0123456789012345678901"}}`))), want: "fail: expected no event of the cob of R$ 7.31, which is ATIVA, got RECEIVE LIQUIDATED [7]"},
		"the payment is reported":   {steps: cobs, entries: join(paid, stay, list(nil, came(url, `{"type":"RECEIVE","data":{"status":"LIQUIDATED","txId":"second012345678901234567890"}}`))), want: "pass"},
		"a stranger is reported":    {steps: cobs, entries: join(paid, stay, list(nil, came(url, `{"type":"RECEIVE","data":{"status":"LIQUIDATED","txId":"another"}}`))), want: "pass"},
		"more than one is listed":   {steps: cobs, entries: join(paid, stay[:2], list(nil, readWhole("transaction list request", "size=100", `{"operationType":"Pix in","status":"Confirmado","originalAmount":7.31}`))), want: "fail: expected no more than 0 Pix in of R$ 7.31 to be listed as Confirmado, got 1 [6]; look: list for 10s"},
		"lists may show a paid cob": {steps: cobs, entries: join(paid, stay[:2], list(nil, readWhole("transaction list request", "size=100", `{"operationType":"Pix in","status":"Confirmado","originalAmount":10.00}`))), want: "pass"},
		"no list is offered":        {steps: cobs, terms: func(t *record.Terms) { t.Lacks = []target.Family{target.Public} }, entries: join(paid, stay[:2]), want: "pass"},
		"days have passed":          {steps: cobs, entries: join(list(nil, control(0, target.Clock, http.MethodPut, "/clock", 200, `{"advance":"2592000s"}`, ``)), paid[:3], list(nil, ordered(1, "cash-in", "", `{"transaction":{"value":1.00,"externalId":"order-0009"}}`, `{"transactionId":"transaction-9"}`), shows("first0123456789012345678901", "ATIVA"))), want: "pass"},
		"a payment stays":           {steps: cashOuts, entries: join(settled("CONFIRMED"), list(nil, itsListing(confirmado), during(4, readWhole("transaction list request", "size=100", pendente+","+confirmado)))), want: "pass"},
		"the neighbor is confirmed": {steps: cashOuts, entries: join(settled("CONFIRMED"), list(nil, itsListing(confirmado), readWhole("transaction list request", "size=100", `{"externalId":"order-0001","operationType":"Pix out","status":"Confirmado","originalAmount":7.31},`+confirmado))), want: "fail: expected the cash-out of R$ 7.31 to stay PENDING (Pendente), got Confirmado [6]; look: list for 10s"},
		"the neighbor is gone":      {steps: cashOuts, entries: join(settled("CONFIRMED"), list(nil, itsListing(confirmado), readWhole("transaction list request", "size=100", confirmado))), want: "fail: expected the cash-out of R$ 7.31 to be listed once, got 0 times [6]; look: list for 10s"},
		"its list is not one": {steps: cashOuts, entries: join(settled("CONFIRMED"), list(nil, itsListing(confirmado), func() record.Entry {
			e := looked("transaction list request", 200, `{}`)
			e.Exchange.URL += "?size=100"
			return e
		}())), want: "fail: expected data to be an array, got absent [6]"},
		"the bank confirms it twice": {steps: cashOuts, entries: join(settled("CONFIRMED"), list(nil, itsListing(confirmado), came(url, `{"event":"CashOut","status":"CONFIRMED","transactionId":"transaction-2"}`), came(url, `{"event":"CashOut","status":"CONFIRMED","transactionId":"transaction-2"}`), readWhole("transaction list request", "size=100", pendente+","+confirmado))), want: "pass"},
		"it is reported as failed":   {steps: cashOuts, entries: join(settled("CONFIRMED"), list(nil, itsListing(confirmado), came(url, `{"event":"CashOut","status":"ERROR","transactionId":"transaction-2"}`))), want: "fail: expected no event of the cash-out of R$ 10.00, which is CONFIRMED, got CashOut ERROR [6]"},
		"its neighbor is reported":   {steps: cashOuts, entries: join(settled("CONFIRMED"), list(nil, itsListing(confirmado), came(url, `{"event":"CashOut","status":"CONFIRMED","transactionId":"transaction-1"}`))), want: "fail: expected no event of the cash-out of R$ 7.31, which is PENDING, got CashOut CONFIRMED [6]"},
		"leaving ERROR is left open": {steps: finality, entries: join(settled("ERROR"), list(nil, itsListing(falhou), came(url, `{"event":"CashOut","status":"CONFIRMED","transactionId":"transaction-2"}`), readWhole("transaction list request", "size=100", pendente+","+confirmado))), want: "pass"},
		"but not for the neighbor":   {steps: finality, entries: join(settled("ERROR"), list(nil, itsListing(falhou), readWhole("transaction list request", "size=100", `{"externalId":"order-0001","operationType":"Pix out","status":"Error","originalAmount":7.31},`+falhou))), want: "fail: expected the cash-out of R$ 7.31 to stay PENDING (Pendente), got Error [6]; look: list for 10s"},
		"a refund stays":             {steps: refunds, entries: join(refunded, list(nil, readWhole("transaction list request", "size=100", ``))), want: "pass"},
		"a failed refund is listed":  {steps: refunds, entries: join(refunded, list(nil, readWhole("transaction list request", "size=100", `{"operationType":"Refund in","status":"Error","originalAmount":10.00}`))), want: "pass"},
		"it is listed as confirmed":  {steps: refunds, entries: join(refunded, list(nil, readWhole("transaction list request", "size=100", `{"operationType":"Refund in","status":"Confirmado","originalAmount":10.00}`))), want: "fail: expected no more than 0 Refund in of R$ 10.00 to be listed as Confirmado, got 1 [7]; look: list for 10s"},
		"it is reported as REFUNDED": {steps: refunds, entries: join(refunded, list(nil, came(url, `{"type":"REFUND","data":{"status":"REFUNDED","id":"refund-0002"}}`))), want: "fail: expected no event of the refund of R$ 10.00, which is NAO_REALIZADO, got REFUND REFUNDED [7]"},
		"a case stays":               {steps: analysis, entries: join(contested, list(nil, cases("RECEIVED", "ANALYZED"), came(url, `{"endToEnd":"E2-00000000000"}`))), want: "pass"},
		"its neighbor is analyzed":   {steps: analysis, entries: join(contested, list(nil, cases("ANALYZED", "ANALYZED"))), want: "fail: expected case 1 to stay RECEIVED, got ANALYZED [6]; look: list for 10s"},
		"a case is gone":             {steps: analysis, entries: join(contested, list(nil, readWhole("MED list request", "pageSize=100", `{"id":6,"status":"ANALYZED"}`))), want: "fail: expected case 1 to stay RECEIVED, got not listed [6]; look: list for 10s"},
		"its neighbor is accepted":   {steps: analysis, entries: join(contested, list(nil, cases("RECEIVED", "ANALYZED"), came(url, `{"endToEnd":"E1-00000000000"}`))), want: "fail: expected no event of type med_accepted, because no case was APPROVED, got one [7]"},
		"at a URL of other events":   {steps: analysis, entries: join(contested, list(nil, subscribed("cash_in", url), cases("RECEIVED", "ANALYZED"), came(url, `{"event":"CashIn","endToEnd":"E1-00000000000"}`))), want: "pass"},
		"it may be reported as such": {steps: refunds, entries: join(refunded, list(nil, came(url, `{"type":"REFUND","data":{"status":"FAILED","id":"refund-0002"}}`), readWhole("transaction list request", "size=100", ``))), want: "pass"},
	})
}
