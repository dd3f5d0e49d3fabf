package mutants

import (
	"bytes"
	"encoding/base64"
	"image/jpeg"
	"image/png"
	"net/url"
	"strings"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// toleratedShapes differ in what stands next to the stated fields, and in their values
// where the specification leaves them open.
var toleratedShapes = []row{
	tolerate("returns the amount and the fee of a new payment", answering(group{cashOut, qrCashOut}, accepted, set("value", `1.00`), set("feeAmount", `0.00`), set("endToEndId", `null`), set("movementType", `"DEBIT"`))),
	tolerate("returns what was requested with a cash-in", answering(cashIn, accepted, set("transaction", `{"value":1.00}`), set("payer", `null`), set("splits", `[]`), set("additionalInfo", `{}`))),
	tolerate("returns more of a balance", answering(balances, accepted, set("data[0].balanceAmount.total", `0.00`), set("data[0].balanceAmount.currency", `"BRL"`), set("data[0].account", `{"branch":"0001"}`))),
	tolerate("returns more of the standard balance", answering(standard, accepted, set("currency", `"BRL"`), set("overdraft", `0`))),
	tolerate("lists more of a transaction", answering(group{transactions, ofKey}, accepted, set("data[].description", `null`), set("data[].pixKey", `"chave"`), set("data[].id", `1`), set("data[].tags", `[]`))),
	tolerate("lists more of a counterpart", answering(group{transactions, ofKey}, told("data[].counterpart.name", `"`), moreOfCounterparts)),
	tolerate("lists more of a registration", answering(list, accepted, set("webhooks[].updatedAt", `"2026-03-01T12:00:00Z"`), set("webhooks[].failures", `0`), set("webhooks[].events", `[]`))),
	tolerate("lists more of a case", answering(meds, accepted, set("data[].deadline", `null`), set("data[].requestingBank.code", `"341"`), set("data[].contestedBank.code", `null`))),
	tolerate("returns more of a refund", answering(devolution, accepted, set("horario.atualizacao", `"2026-03-01T12:00:00Z"`), set("endToEndId", `"`+anyEndToEnd+`"`))),
	tolerate("returns more of a charge", answering(cob, accepted, set("calendario.apresentacao", `null`), set("recebedor", `{"nome":"Loja"}`), set("loc.criacao", `"2026-03-01T12:00:00Z"`), set("pix", `[]`))),
	tolerate("sends more of every V2 event", sending(sent("data"), set("version", `"2.1"`), set("data.account", `{"branch":"0001","number":"1"}`), set("data.payment.installments", `null`), set("createdAt", `"2026-03-01T12:00:00Z"`))),
	tolerate("sends more of every case", sending(sent("statusHistory"), set("deadline", `null`), set("account", `{"id":1}`))),

	tolerate("returns an empty descricao if none was sent", answering(devolution, accepted, orElse("descricao", `""`))),
	tolerate("returns a null descricao if none was sent", answering(devolution, accepted, orElse("descricao", `null`))),
	tolerate("returns empty infoAdicionais if none were sent", answering(cob, accepted, orElse("infoAdicionais", `[]`))),
	tolerate("returns a null devedor if none was sent", answering(cob, accepted, orElse("devedor", `null`))),
	tolerate("returns an empty solicitacaoPagador if none was sent", answering(cob, accepted, orElse("solicitacaoPagador", `""`))),
	tolerate("returns no chave if none was sent", answering(cob, all(accepted, unsent("chave")), drop("chave"))),
	tolerate("returns no modalidadeAlteracao if none was sent", answering(cob, all(accepted, unsent("valor.modalidadeAlteracao")), drop("valor.modalidadeAlteracao"))),
	tolerate("lists an empty end-to-end id while pending", answering(group{transactions, ofKey}, accepted, eachItem("data", whilePending("endToEndId", "")))),
	tolerate("lists the creation as processedAt while pending", answering(group{transactions, ofKey}, accepted, eachItem("data", processedAtCreation))),
	tolerate("lists a counterpart of nulls before a charge is paid", answering(group{transactions, ofKey}, accepted, eachItem("data", whilePending("counterpart", map[string]any{"name": nil, "document": nil, "bank": nil})))),

	tolerate("returns a provisional end-to-end id of a transfer", answering(transfer, accepted, retold("endToEndId", provisional))),
	tolerate("returns ids of transfers beyond 2^53", both(answering(transfer, accepted, counted("id", 1<<60)), misreading(bank, kind("id", "number"), counted("id", -1<<60)), sending(typed("TRANSFER"), counted("data.id", 1<<60)))),
	tolerate("lists ids of registrations beyond 2^53", answering(list, accepted, set("accountId", `9007199254740993`), counted("webhooks[].id", 1<<60))),
	tolerate("returns webhookLogIds beyond 2^53", answering(resend, accepted, counted("webhookLogId", 1<<60))),
	tolerate("returns loc.ids beyond 2^53", answering(cob, accepted, counted("loc.id", 1<<60))),
	tolerate("returns transactionIds in upper case", retellingIDs(strings.ToUpper, strings.ToLower)),
	tolerate("returns transactionIds of cash-ins with a prefix", both(answering(cashIn, accepted, prefixed("transactionId", "cin_")), answering(cashIn, duplicate, prefixed("details.existingTransactionId", "cin_")),
		sending(called("CashIn"), prefixed("transactionId", "cin_")), misreading(division, always, askedWithout("cin_")),
		answering(group{transactions, ofKey}, accepted, eachItem("data", prefixedCashIns)))),
	tolerate("returns correlationIds of version 7", answering(cashIn, accepted, retold("correlationId", func(s string) string { return "01890a5d-ac96-7" + s[15:] }))),
	tolerate("returns the same correlationId for every cash-in", answering(cashIn, accepted, set("correlationId", `"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"`))),
	tolerate("names another amount in the code of a cash-in", both(answering(cashIn, accepted, retold("pixCode", codeFor(sevenBillion))), misreading(payment, sent("pixCode"), retold("pixCode", codeFor(-sevenBillion))))),
	tolerate("returns a token of several kilobytes", longTokens(strings.Repeat("A", 3000))),

	tolerate("measures expirationDate a second later", answering(cashIn, accepted, retold("expirationDate", secondLater))),
	tolerate("returns the image as JPEG", answering(cashIn, told("qrCodeImage", `.`), retold("qrCodeImage", asJPEG))),

	tolerate("writes names of counterparts in capitals", both(sending(always, retold("counterpart.name", strings.ToUpper)), answering(group{transactions, ofKey}, told("data[].counterpart.name", `"`), eachItem("data", capitalName)))),
	tolerate("sends the registered name of the bank", sending(sent("counterpart.bank"), suffixed("counterpart.bank.bankName", " S.A. - INSTITUIÇÃO DE PAGAMENTO"))),
	tolerate("reports what a failed cash-out would have cost, and took nothing", sending(failed, set("feeAmount", `0.50`), sum("finalAmount", "originalAmount"))),
	tolerate("charges no fee for a failed cash-out", sending(failed, set("feeAmount", `0.00`), sum("finalAmount", "originalAmount"))),
	tolerate("masks the document of a debtor in another format", sending(typed("RECEIVE"), set("data.debtorAccount.document", `"111*****35"`))),
	tolerate("masks the document of a contested payment in another format", answering(meds, told("data[].originalTransaction.document", `"`), retold("data[].originalTransaction.document", starred))),
	tolerate("returns the type DYNAMIC_QRCODE for the contested payment", answering(meds, told("data[].originalTransaction.type", `"`), retold("data[].originalTransaction.type", func(string) string { return "DYNAMIC_QRCODE" }))),
	tolerate("names the refund_in event PIX_REFUND", sending(called("CashInReversal"), set("event", `"PIX_REFUND"`))),
	tolerate("names the refund_out event REFUND_RECEIVED", sending(called("CashOutReversal"), set("event", `"REFUND_RECEIVED"`))),
	tolerate("sends refunds without the parent transaction", sending(sent("parentTransaction"), drop("parentTransaction"))),
	tolerate("names the events of cases in capitals", sending(sent("statusHistory"), retold("event", strings.ToUpper))),

	tolerate("ignores other members of the body of a resend", answering(resend, accepted, set("registered", `true`))),
}

// moreOfCounterparts lists the type of each person and the account's type.
func moreOfCounterparts(m *message) {
	eachItem("data", func(_ int, item map[string]any) {
		if o, ok := item["counterpart"].(map[string]any); ok {
			o["personType"], o["taxIdType"] = "NATURAL_PERSON", nil
		}
	})(m)
}

func capitalName(_ int, item map[string]any) {
	if o, ok := item["counterpart"].(map[string]any); ok {
		o["name"] = eachText(o["name"], strings.ToUpper)
	}
}

// whilePending gives items a value in a field that is null as long as they are pending.
func whilePending(field string, v any) func(int, map[string]any) {
	return func(_ int, item map[string]any) {
		if item["status"] == "Pendente" && item[field] == nil {
			item[field] = v
		}
	}
}

func processedAtCreation(_ int, item map[string]any) {
	if item["status"] == "Pendente" {
		item["processedAt"] = item["createdAt"]
	}
}

func prefixedCashIns(_ int, item map[string]any) {
	if item["operationType"] == "Pix in" {
		item["transactionId"] = eachText(item["transactionId"], func(s string) string { return "cin_" + s })
	}
}

// provisional is another end-to-end id of the same minute.
func provisional(s string) string {
	return s[:len("E1234567820260301")+4] + strings.Repeat("0", len(s)-len("E1234567820260301")-4)
}

const sevenBillion pix.Centavos = 7_000_000_000_00

// codeFor changes the amount of a code, unless there is too little of it.
func codeFor(more pix.Centavos) func(string) string {
	return func(text string) string {
		code, err := pix.ParseBRCode(text)
		if err != nil || code.Amount+more < 0 {
			return text
		}
		code.Amount += more
		return code.String()
	}
}

// retellingIDs shows transactionIds in another way, everywhere, and reads them back.
func retellingIDs(show, read func(string) string) fault {
	return both(
		answering(group{cashOut, qrCashOut, cashIn}, always, ifThere("transactionId", show), ifThere("details.existingTransactionId", show)),
		answering(group{transactions, ofKey}, accepted, ifThere("data[].transactionId", show)),
		sending(sent("transactionId"), ifThere("transactionId", show), ifThere("parentTransaction.transactionId", show)),
		misreading(group{bank}, sent("transactionId"), retold("transactionId", read)),
		misreading(division, always, asking(func(q url.Values) { q.Set("transactionId", read(q.Get("transactionId"))) })),
	)
}

// ifThere changes a text that is there; a message without it stays as it is written.
func ifThere(path string, change func(string) string) edit {
	return func(m *message) {
		if _, ok := lookup(m.body, path); ok {
			retold(path, change)(m)
		}
	}
}

func askedWithout(prefix string) edit {
	return asking(func(q url.Values) { q.Set("transactionId", strings.TrimPrefix(q.Get("transactionId"), prefix)) })
}

// longTokens gives tokens a longer signature, and takes it away again.
func longTokens(suffix string) fault {
	return both(
		answering(token, accepted, suffixed("access_token", suffix)),
		misreading(append(group{resend, standard}, underTokens...), always, func(m *message) {
			if written := m.header.Get("Authorization"); strings.HasSuffix(written, suffix) {
				m.header.Set("Authorization", strings.TrimSuffix(written, suffix))
			}
		}),
	)
}

func secondLater(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return s
	}
	return t.Add(time.Second).Format("2006-01-02T15:04:05.000Z")
}

// asJPEG makes a JPEG of a PNG, both in Base64.
func asJPEG(s string) string {
	image, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(s)))
	if err != nil {
		return s
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image, nil); err != nil {
		return s
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// starred shows the first three and the last two characters of a text, without dots.
func starred(s string) string {
	return strings.Repeat("*", 9) + s[max(0, len(s)-2):]
}
