package mutants

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"sync"
	"time"
)

var partialWritingMutants = []partialRow{
	{"writes amounts from 1,000.00 on as text in the account list", Writing, "LTX-038",
		inItems(transactions, always, func(_ *call, item map[string]any) {
			for _, field := range []string{"originalAmount", "feeAmount", "finalAmount"} {
				if n := in(item, field); n >= 100_000 {
					item[field] = thousands(amount(n))
				}
			}
		}),
		`fund 5000.00; limits perTransaction=5000.00; out 1000.00; list`},
	{"shows the full document when the endToEndId filter is used", Writing, "LTX-046",
		inItems(transactions, asked("endToEndId", `.`), unmasked(func(*call, string) bool { return true })),
		`out 10.00; list as l; list endToEndId=$l.0.e2e`},
	{"shows the full document when the path key is that document", Writing, "LPK-043",
		inItems(ofKey, always, unmasked(func(c *call, document string) bool { return document == c.parameter("pixKey") })),
		`out 10.00 details.keyType=DOCUMENT details.key="52998224725"; bykey 52998224725`},
	{"cuts the echoed txid to 32 characters", Writing, "COB-039",
		answering(cob, accepted, cut("txid", 32)),
		`cob 10.00 txid=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`},
	{"strips accents from solicitacaoPagador", Writing, "COB-052",
		answering(cob, all(accepted, sent("solicitacaoPagador")), retold("solicitacaoPagador", unaccented)),
		`cob 10.00 solicitacaoPagador='Cobrança de março'`},
	{"cuts devedor.nome to the 25 characters of the BR Code", Writing, "COB-048",
		answering(cob, all(accepted, sent("devedor.nome")), cut("devedor.nome", 25)),
		`cob 10.00 devedor.nome='Companhia Brasileira de Teste e Ensaio'`},
	{"puts separators into valor.original from 1000.00 on", Writing, "COB-049",
		answering(cob, accepted, retold("valor.original", thousands)),
		`cob 1000.00`},
	{"merges infoAdicionais items that have the same nome", Writing, "COB-036",
		answering(cob, all(accepted, items("infoAdicionais", 1)), at("infoAdicionais", on(onceByName))),
		`cob 10.00 infoAdicionais=2lines infoAdicionais.1.nome=mesa`},
	{"drops the plus sign of a phone in chave", Writing, "COB-051",
		answering(cob, all(accepted, sent("chave")), retold("chave", func(s string) string { return strings.TrimPrefix(s, "+") })),
		`cob 10.00 chave=+5511999998888`},
	{"gives a URL in location and the EMV code in loc.location when the charge has no chave", Writing, "COB-044",
		answering(cob, all(accepted, lacking("chave")), set("location", `"https://pix.example.com/qr/v2/1"`)),
		`cob 10.00`},
	{"echoes the cnpj of a company under the name cpf", Writing, "COB-047",
		answering(cob, all(accepted, sent("devedor.cnpj")), rename("devedor", "cnpj", "cpf")),
		`cob 10.00 devedor.cpf=- devedor.cnpj="11222333000181"`},
	{"writes tipoCob cobv when devedor is present", Writing, "COB-043",
		answering(cob, all(accepted, kind("devedor", "object")), set("loc.tipoCob", `"cobv"`)),
		`cob 10.00`},
	{"drops the leading zero of a valor below 1.00", Writing, "DEV-027",
		answering(devolution, accepted, retold("valor", func(s string) string { return strings.TrimPrefix(s, "0") })),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 0.50`},
	{"lower-cases the refund id in the answer", Writing, "DEV-024",
		answering(devolution, accepted, retold("id", strings.ToLower)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 id=RefundA1`},
	{"writes horario.solicitacao without a zone once the refund is DEVOLVIDO", Writing, "DEV-031",
		both(answering(refundShown, returned, retold("horario.solicitacao", inZone(zoneless))), answering(devolution, all(accepted, returned), retold("horario.solicitacao", inZone(zoneless)))),
		`rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 as r; result $r.rtr DEVOLVIDO; shown $r.rtr`},
	{"shows a rtrId of 36 characters when the refund has a descricao", Writing, "DEV-026",
		both(answering(devolution, all(accepted, sent("descricao")), retold("rtrId", hyphenated)),
			misreadingBy(group{refundResult, refundShown}, func(*call) []edit {
				return []edit{renamed(refundShown, "rtrId", func(s string) string { return strings.ReplaceAll(s, "-", "") })}
			})),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 descricao=troca`},
	{"gives originalTransaction.amount in centavos when the status filter is used", Writing, "MED-048",
		answering(meds, all(accepted, asked("status", `.`)), times("data[].originalTransaction.amount", 100, 1)),
		`cob 10.55 as c; pay $c.code as p; med $p.e2e; meds status=OPEN`},
	{"unmasks originalTransaction.document once the case is ANALYZED", Writing, "MED-052",
		unmaskingAnalyzed(),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e as m; move $m.id RECEIVED; move $m.id ANALYZED analysisResult=APPROVED; meds`},
	{"writes originalTransactionId as text under isReconciled=true", Writing, "MED-056",
		answering(meds, all(accepted, asked("isReconciled", `^true$`)), quoted("data[].originalTransactionId")),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e; meds isReconciled=true`},
	{"writes updatedAt as a number of seconds after the first change of a case", Writing, "MED-059",
		inItems(meds, always, func(_ *call, item map[string]any) {
			if at, err := time.Parse(time.RFC3339, textOf(item, "updatedAt")); err == nil && item["updatedAt"] != item["createdAt"] {
				item["updatedAt"] = json.Number(strconv.FormatInt(at.Unix(), 10))
			}
		}),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e as m; clock +1m; move $m.id RECEIVED; meds`},
	{"gives analysisDetails as an object for rejected cases", Writing, "MED-042",
		inItems(meds, always, func(_ *call, item map[string]any) {
			if item["analysisResult"] == "REJECTED" && item["analysisDetails"] != nil {
				item["analysisDetails"] = map[string]any{"text": item["analysisDetails"]}
			}
		}),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e as m; move $m.id RECEIVED; move $m.id ANALYZED analysisResult=REJECTED analysisDetails=none; meds`},
	{"gives the local transaction id in endToEnd on page 2", Writing, "MED-034",
		inItems(meds, asked("page", `^2$`), func(c *call, item map[string]any) {
			if found := c.recorded("endToEndId", textOf(item, "endToEnd")); len(found) > 0 {
				item["endToEnd"] = found[0]["transactionId"]
			}
		}),
		`cob 10.00 as c; pay $c.code as p; 2x med $p.e2e; meds pageSize=1 page=2`},
	{"cuts externalId to 50 characters in the list", Writing, "LTX-034",
		answering(transactions, accepted, retold("data[].externalId", func(s string) string { r := []rune(s); return string(r[:min(50, len(r))]) })),
		`out 10.00 externalId=a*60; list`},
	{"writes bankCode as a number where it has no leading zero", Writing, "LTX-049",
		answering(transactions, accepted, at("data[].counterpart.bank.bankCode", on(func(s string) any {
			if !strings.HasPrefix(s, "0") && numeral.MatchString(s) {
				return json.Number(s)
			}
			return s
		}))),
		`dir ana@example.com ispb="60701190"; out 10.00 details.key=ana@example.com; list`},
	{"gives processedAt with offset -03:00 for rejected payments", Writing, "LTX-043",
		inItems(transactions, always, func(_ *call, item map[string]any) {
			if item["status"] == "Error" {
				item["processedAt"] = inZone(time.RFC3339)(textOf(item, "processedAt"))
			}
		}),
		`manual; out 10.00 as a; settle $a.tid ORDER_REJECTED; list`},
	{"leaves the Z off createdAt in the list by key", Writing, "GEN-006",
		answering(ofKey, accepted, retold("data[].createdAt", func(s string) string { return strings.TrimSuffix(s, "Z") })),
		`out 10.00 details.key=ana@example.com; bykey ana@example.com`},
	{"cuts a header value at its first equals sign in the list", Writing, "WHK-055",
		answering(list, accepted, retold("webhooks[].headers", func(s string) string { before, _, _ := strings.Cut(s, "="); return before })),
		`hook cash_out a headers=X-Auth:YTpi==; hooks`},
	{"writes the refund types in capitals", Writing, "WHK-053",
		answering(list, accepted, retold("webhooks[].type", func(s string) string {
			if strings.HasPrefix(s, "refund_") {
				return strings.ToUpper(s)
			}
			return s
		})),
		`hook refund_in a; hook cash_in a; hooks`},
	{"echoes an externalId of digits as a number", Writing, "IN-053",
		answering(cashIn, all(accepted, matching("transaction.externalId", `^\d{1,18}$`)), retoldNumber("externalId")),
		`in 10.00 transaction.externalId="000123"`},
	{"labels local time with Z in expirationDate when expirationTime is sent", Writing, "IN-025",
		answering(cashIn, all(accepted, sent("transaction.expirationTime")), retold("expirationDate", inSaoPaulo)),
		`in 10.00 transaction.expirationTime=3600`},
	{"writes the route pattern into path when the transaction is not found", Writing, "ERR-003",
		answering(resend, was(404), set("path", `"/api/resend-webhook/:transactionIdentifier"`)),
		`resend nope-1 =404`},
	{"lists the internal number as transactionId under type=WITHDRAW", Writing, "LTX-033",
		answering(transactions, all(accepted, asked("type", `^WITHDRAW$`)), retold("data[].transactionId", internalNumber)),
		`out 10.00; list type=WITHDRAW`},
	{"lists the English label Confirmed under status=CONFIRMED", Writing, "LTX-035",
		answering(transactions, all(accepted, asked("status", `^CONFIRMED$`)), set("data[].status", `"Confirmed"`)),
		`out 10.00; list status=CONFIRMED`},
	{"lists QR Code payments as PIX_OUT", Writing, "LTX-036",
		inItems(transactions, always, func(c *call, item map[string]any) {
			paid := func(_ *call, then *entry) bool { return textAt(then.call.body, "externalId") == item["externalId"] }
			if item["operationType"] == "Pix out" && len(c.before(qrCashOut, byTheSame, taken, paid)) > 0 {
				item["operationType"] = "PIX_OUT"
			}
		}),
		`qr 10.00; out 10.00; list`},
	{"counts only the items of the page in metadata.total when a status is given", Writing, "LPK-038",
		answering(ofKey, all(accepted, asked("status", `.`)), counting("data", "metadata.total")),
		`3x out 10.00 details.key=ana@example.com; bykey ana@example.com status=CONFIRMED size=2`},
	{"leaves originalTransaction.name out when the payer is a company", Writing, "MED-051",
		inItems(meds, always, func(_ *call, item map[string]any) {
			if original, ok := item["originalTransaction"].(map[string]any); ok && strings.Contains(textOf(original, "document"), "/") {
				delete(original, "name")
			}
		}),
		`cob 10.00 as c; pay $c.code payer.document="11222333000181" as p; med $p.e2e; meds`},
}

// partialEventMutants write events otherwise in some cases.
var partialEventMutants = []partialRow{
	{"does not mask the document of companies in TRANSFER", Writing, "EVT-058",
		reporting(`p.kind = 'transfer' AND length(p.counterpart_document) = 14`, `$.data.creditorAccount.document`, `p.counterpart_document`),
		`hook cash_out a; transfer 10.00 pixKey="11222333000181"`},
	{"sends the payer's full document in the resend of RECEIVE only", Writing, "EVT-069",
		triggering(`AFTER INSERT ON deliveries`, `NEW.payment_id <> 0`, `UPDATE events SET body = json_set(body, '$.data.debtorAccount.document', (SELECT p.counterpart_document FROM payments p WHERE p.id = NEW.payment_id))
			WHERE payment_id = NEW.payment_id AND json_extract(body, '$.type') = 'RECEIVE' AND (SELECT COUNT(*) FROM webhooks w WHERE w.account_id = NEW.account_id AND w.type = 'cash_in') < 2`),
		`hook cash_in a; cob 10.00 as c; pay $c.code as p; resend $p.e2e`},
	{"writes the currency as 986 in TRANSFER of priority HIGH", Writing, "EVT-053",
		reporting(`p.kind = 'transfer' AND (SELECT f.priority FROM transfers f WHERE f.payment_id = p.id) = 'HIGH'`, `$.data.payment.currency`, `'986'`),
		`hook cash_out a; transfer 10.00 priority=HIGH creditorDocument="52998224725"`},
	{"leaves currency out of refunds[].payment for partial refunds", Writing, "EVT-081",
		notReporting(`p.kind = 'refund-in' AND p.amount < `+refundedAmount, `$.data.refunds[0].payment.currency`),
		`hook refund_in a; cob 10.00 as c; pay $c.code as p; refund $p.e2e 4.00`},
	{"writes refunds[].payment.amount as text when the whole amount is refunded", Writing, "EVT-080",
		reporting(`p.kind = 'refund-in' AND p.amount = `+refundedAmount, `$.data.refunds[0].payment.amount`, `printf('%d.%02d', p.amount / 100, p.amount % 100)`),
		`hook refund_in a; cob 10.00 as c; pay $c.code as p; refund $p.e2e 10.00`},
	{"sends an empty refunds array at the second URL", Writing, "EVT-078",
		sending(all(refundEvent, after(1, event, sameBody, elsewhere)), set("data.refunds", `[]`)),
		`hook refund_in a; hook refund_in b; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00`},
	{"writes the amount as a number when the centavos are zero", Writing, "EVT-065",
		sending(all(typed("RECEIVE"), matching("data.payment.amount", `\.00$`)), at("data.payment.amount", on(func(s string) any { return json.Number(strings.TrimSuffix(s, ".00")) }))),
		`hook cash_in a; cob 10.00 as c; pay $c.code; cob 10.50 as d; pay $d.code`},
	{"lower-cases txId in RECEIVE", Writing, "EVT-063",
		sending(typed("RECEIVE"), retold("data.txId", strings.ToLower)),
		`hook cash_in a; cob 10.00 txid=ABCDEFGHIJKLMNOPQRSTUVWXYZ12 as c; pay $c.code`},
	{"lower-cases externalId in the event", Writing, "EVT-015",
		sending(called("CashOut"), retold("externalId", strings.ToLower)),
		`hook cash_out a; out 10.00 externalId=PEDIDO-9A`},
	{"sends a DOCUMENT key as a number and so loses leading zeros", Writing, "EVT-017",
		reporting(`p.kind = 'cash-out' AND p.key_type = 'DOCUMENT'`, `$.pixKey`, `CAST(p.pix_key AS INTEGER)`),
		`hook cash_out a; out 10.00 details.keyType=DOCUMENT details.key="01234567890"`},
	{"leaves errorMessage null for SETTLEMENT_TIMEOUT", Writing, "EVT-026",
		reporting(`p.error_code = 'SETTLEMENT_TIMEOUT'`, `$.errorMessage`, `NULL`),
		`hook cash_out a; manual; out 10.00 as a; settle $a.tid SETTLEMENT_TIMEOUT`},
	{"strips leading zeros from ispb", Writing, "EVT-059",
		sending(typed("TRANSFER"), retold("data.creditorAccount.ispb", unpadded)),
		`hook cash_out a; dir ana@example.com ispb="00416968"; transfer 10.00 pixKey=ana@example.com`},
	{"sends idempotencyKey null if the transfer was replayed before it settled", Writing, "EVT-056",
		forgettingReplayedKeys(),
		`hook cash_out a; manual; transfer 10.00 key=k as a; transfer 10.00 key=k; settle $a.id`},
	{"leaves the fee out of finalAmount in the resend", Writing, "EVT-021",
		sending(all(called("CashOut"), sentBefore), sum("finalAmount", "originalAmount")),
		`hook cash_out a; fees out=0.50; out 10.00 externalId=x; resend x`},
	{"writes originalAmount as text at every URL but the first", Writing, "EVT-018",
		sending(all(called("CashOut"), after(1, event, sameBody, elsewhere)), quoted("originalAmount")),
		`hook cash_out a; hook cash_out b; out 10.00`},
}

// refundedAmount is that of the payment which the refund p gives back.
const refundedAmount = `(SELECT o.amount FROM payments o WHERE o.id = p.parent_id)`

// notReporting leaves a member out of the events of payments for which the condition holds; p is the payment.
func notReporting(when, path string) fault {
	return triggering(`AFTER INSERT ON events`, `EXISTS (SELECT 1 FROM payments p WHERE p.id = NEW.payment_id AND (`+when+`))`,
		`UPDATE events SET body = json_remove(body, '`+path+`') WHERE id = NEW.id`)
}

// unmasked shows the document that a client gave for a payment to a key, if it is such.
func unmasked(such func(c *call, document string) bool) func(c *call, item map[string]any) {
	return func(c *call, item map[string]any) {
		counterpart, ok := item["counterpart"].(map[string]any)
		for _, e := range c.before(cashOut, byTheSame, taken) {
			document := textAt(e.call.body, "details.document")
			if ok && textAt(e.call.body, "externalId") == item["externalId"] && such(c, document) {
				counterpart["document"] = document
			}
		}
	}
}

// unmaskingAnalyzed shows the document of whoever paid what a case is about once that is analyzed.
func unmaskingAnalyzed() fault {
	var documents sync.Map // of payers, by the end-to-end id
	return both(
		noting(payment, accepted, func(c *call, a *answer) {
			documents.Store(textAt(a.body, "endToEndId"), textAt(c.body, "payer.document"))
		}),
		inItems(meds, always, func(_ *call, item map[string]any) {
			document, known := documents.Load(item["endToEnd"])
			if original, ok := item["originalTransaction"].(map[string]any); ok && known && item["status"] == "ANALYZED" {
				original["document"] = document
			}
		}))
}

// onceByName keeps the first of the items that have the same nome.
func onceByName(items []any) any {
	seen := map[string]bool{}
	var kept []any
	for _, item := range items {
		if name := fmt.Sprint(descend(item, []string{"nome"})); !seen[name] {
			seen[name] = true
			kept = append(kept, item)
		}
	}
	return kept
}

// inZone writes a time as it is in São Paulo.
func inZone(layout string) func(string) string {
	return retime(func(t time.Time) string { return t.In(saoPaulo).Format(layout) })
}

// hyphenated writes 32 characters as a UUID.
func hyphenated(s string) string {
	if len(s) != 32 {
		return s
	}
	return strings.Join([]string{s[:8], s[8:12], s[12:16], s[16:20], s[20:]}, "-")
}

// retoldNumber makes a text of digits a number.
func retoldNumber(path string) edit {
	return at(path, on(func(s string) any {
		if n := unpadded(s); n != "" {
			return json.Number(n)
		}
		return json.Number("0")
	}))
}

// internalNumber makes a number of an id, the same for the same.
func internalNumber(id string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // it never fails
	return strconv.FormatUint(uint64(h.Sum32()), 10)
}

// forgettingReplayedKeys sends no idempotency key of transfers that were replayed while they were pending.
func forgettingReplayedKeys() fault {
	var keys sync.Map
	return both(
		noting(transfer, replayed, func(c *call, _ *answer) { keys.Store(c.header.Get(idempotency), true) }),
		sending(all(typed("TRANSFER"), words("data.idempotencyKey", func(key string) bool { _, again := keys.Load(key); return again })), set("data.idempotencyKey", `null`)))
}
