package mutants

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
)

// combinationMutants show only where several things come together. No scenario of the features brings
// them together: what finds them is exploration.
var combinationMutants = []deepRow{
	// What was asked before, and what became of it.
	{"pays the externalId of a confirmed payment again while another is pending", Combination, "OUT-063", "cash-out.duplicate-external-id",
		accepting(cashOut, all(duplicate, recordedAs("externalId", "Confirmado"), hasRecorded("type", "WITHDRAW", "status", "PENDING")), fresh("externalId")),
		`manual; out 10.00 externalId=x as a; settle $a.tid; out 1.00; out 10.00 externalId=x =400`},
	{"pays a QR Code again under its externalId once a cash-out was rejected", Combination, "OQR-022", "qr-cash-out.duplicate-external-id",
		accepting(qrCashOut, all(was(409), after(1, qrCashOut, byTheSame, taken, same("externalId")), hasRecorded("type", "WITHDRAW", "status", "ERROR")), fresh("externalId")),
		`manual; out 10.00 as a; settle $a.tid ORDER_REJECTED; qr 11.00 externalId=x; qr 11.00 externalId=x =409`},
	{"takes the txid of an unpaid charge again once another charge is paid", Combination, "COB-009", "cob.duplicate-txid",
		changing(cob, takingUsedTxIDs(func(c *call) bool {
			return len(c.recorded("externalId", c.parameter("txid"))) == 0 && len(c.recorded("type", "PAYMENT", "status", "CONFIRMED")) > 0
		})),
		`cob 10.00 txid=t1; cob 11.00 as d; pay $d.code; cob 10.00 txid=t1 =409`},
	{"makes a new transfer for a key after two others of other amounts to the same key of a person", Combination, "DICT-057", "transfer.idempotent",
		misreading(transfer, all(after(1, transfer, byTheSame, taken, sameHeader(idempotency)), after(2, transfer, byTheSame, taken, otherHeader(idempotency), same("pixKey"), other("payment.amount"))), freshKey),
		`transfer 10.00 key=k as a; transfer 1.00; transfer 2.00; transfer 10.00 key=k`},
	{"takes no second refund of the same amount after one of another payment", Combination, "DEV-036", "refund.sum",
		refusing(devolution, all(after(1, devolution, byTheSame, taken, sameParameter("e2eid"), same("valor")), after(1, devolution, byTheSame, taken, otherParameter("e2eid"))), 400, ""),
		`cob 10.00 as c; pay $c.code as p; cob 11.00 as d; pay $d.code as q; refund $q.e2e 1.00; refund $p.e2e 2.00; refund $p.e2e 2.00`},

	// Events.
	{"reports no fee of a payment that is confirmed after another was rejected", Combination, "EVT-019", "delivery.cash-out-amounts",
		reporting(`p.kind = 'cash-out' AND p.status = 'CONFIRMED' AND p.fee > 0 AND `+otherOf(`q.status = 'ERROR'`), `$.feeAmount`, `0`),
		`hook cash_out a; fees out=0.50; manual; out 10.00 as a; out 11.00 as b; settle $a.tid ORDER_REJECTED; settle $b.tid`},
	{"reports the externalId of another pending payment to the same company", Combination, "EVT-015", "delivery.cash-out-payload",
		reporting(`p.kind = 'cash-out' AND length(p.counterpart_document) = 14 AND `+otherOf(alikePending), `$.externalId`, `(SELECT q.external_id FROM payments q WHERE `+besideP+` AND `+alikePending+` LIMIT 1)`),
		`hook cash_out a; manual; out 10.00 details.document="11222333000181" as a; out 11.00 details.document="11222333000181"; settle $a.tid`},
	{"sends no event of a QR payment that is rejected while a cash-out is pending", Combination, "OQR-041", "qr-cash-out.outcome",
		silent(`p.kind = 'cash-out-qrcode' AND p.status = 'ERROR' AND ` + otherOf(`q.kind = 'cash-out' AND q.status = 'PENDING'`)),
		`hook cash_out a; manual; qr 10.00 as a; out 11.00; settle $a.tid ORDER_REJECTED`},
	{"reports a transfer to a phone key without its centavos while another is pending", Combination, "EVT-052", "events.transfer",
		reporting(`p.kind = 'transfer' AND p.directory_key LIKE '+%' AND `+otherOf(`q.kind = 'transfer' AND q.status = 'PENDING'`), `$.data.payment.amount`, `printf('%d.00', p.amount / 100)`),
		`hook cash_out a; manual; transfer 10.57 pixKey=+5511987654321 as a; transfer 1.00; settle $a.id`},
	{"sends no event of a paid charge after one was removed and one was paid", Combination, "COB-059", "cob.paid",
		silent(`p.kind = 'cob' AND ` + otherOf(`q.kind = 'cob'`) + ` AND EXISTS (SELECT 1 FROM charges c WHERE c.account_id = p.account_id AND c.status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR')`),
		`hook cash_in a; cob 9.00 txid=t1; end t1 receiver; cob 10.00 as c; pay $c.code; cob 11.00 as d; pay $d.code`},
	{"reports the amount of a refund that failed when the next one succeeds", Combination, "EVT-080", "events.refund",
		reporting(`p.kind = 'refund-in' AND `+failedBefore, `$.data.refunds[0].payment.amount`, `(SELECT q.amount / 100.0 FROM payments q WHERE q.parent_id = p.parent_id AND q.status = 'ERROR' LIMIT 1)`),
		`hook refund_in a; rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 as r; result $r.rtr NAO_REALIZADO; refund $p.e2e 2.00 as s; result $s.rtr DEVOLVIDO`},
	{"sends no event of a paid charge with splits after a payment was confirmed", Combination, "EVT-089", "cash-in.paid",
		silent(`p.kind = 'cash-in' AND EXISTS (` + splitsOfPayment + `) AND ` + otherOf(`q.kind = 'cash-out' AND q.status = 'CONFIRMED'`)),
		`hook cash_in a; out 1.00; in 10.00 splits=F1.00i as c; pay $c.code`},
	{"reports the error code of a rejected QR payment for a rejected cash-out", Combination, "EVT-040", "cash-out.error",
		reporting(`p.kind = 'cash-out' AND p.status = 'ERROR' AND `+otherOf(rejectedQR), `$.errorCode`, `(SELECT q.error_code FROM payments q WHERE `+besideP+` AND `+rejectedQR+` LIMIT 1)`),
		`hook cash_out a; manual; qr 10.00 as a; out 11.00 as b; settle $a.tid BLOCKED_ACCOUNT; settle $b.tid ORDER_REJECTED`},
	{"sends no event of a second return where the payment was a QR Code", Combination, "EVT-004", "events.subscriptions",
		silent(`p.kind = 'refund-out' AND ` + otherOf(`q.kind = 'refund-out'`) + ` AND EXISTS (SELECT 1 FROM payments o WHERE o.id = p.parent_id AND o.kind = 'cash-out-qrcode')`),
		`hook refund_out a; qr 10.00; list as l; back $l.0.e2e 1.00; back $l.0.e2e 2.00`},
	{"sends no event of a confirmed payment to an updated URL after one was rejected", Combination, "WHK-039", "delivery.every-url",
		silent(`w.version > 1 AND p.status = 'CONFIRMED' AND ` + otherOf(`q.status = 'ERROR'`)),
		`hook cash_out a; hook cash_out a headers=X-A:1; manual; out 10.00 as a; out 11.00 as b; settle $a.tid ORDER_REJECTED; settle $b.tid`},

	// Lists.
	{"ignores the type next to a status on later pages", Combination, "LTX-018", "lists.matching",
		misreading(transactions, all(laterPage, asked("status", paymentStatus), asked("type", paymentType)), unasked("type")),
		`manual; 2x out 10.00; 2x in 11.00; list status=PENDING type=WITHDRAW size=1 page=3`},
	{"ignores the status next to an externalId and a type", Combination, "LTX-015", "lists.matching",
		misreading(transactions, all(asked("externalId", `.`), asked("type", paymentType), asked("status", paymentStatus)), unasked("status")),
		`manual; out 10.00 externalId=x; list externalId=x type=WITHDRAW status=CONFIRMED`},
	{"ignores endDate next to a status and a type in the list by key", Combination, "LPK-027", "lists.matching",
		misreading(ofKey, all(asked("status", paymentStatus), asked("type", paymentType), asked("endDate", `^\d{4}-`)), unasked("endDate")),
		`out 10.00 details.key=ana@example.com; clock +3d; token; bykey ana@example.com status=CONFIRMED type=WITHDRAW endDate=2026-03-02T15:00:00Z`},
	{"lists rejected payments as confirmed where an endToEndId and a type are asked for", Combination, "LTX-053", "lists.matching",
		answering(transactions, all(asked("endToEndId", `.`), asked("type", paymentType)), retold("data[].status", confirmedForError)),
		`manual; out 10.00 as a; settle $a.tid ORDER_REJECTED; list as l; list endToEndId=$l.0.e2e type=WITHDRAW`},
	{"lists returns without their centavos where a status is asked for, too", Combination, "LTX-038", "listed.fields",
		answering(transactions, all(asked("type", `^REFUND_OUT$`), asked("status", paymentStatus)), rounded("data[].originalAmount", 100)),
		`out 10.00; list as l; back $l.0.e2e 1.57; list type=REFUND_OUT status=CONFIRMED`},
	{"counts one too many on later pages of the confirmed payments", Combination, "LTX-029", "lists.page",
		answering(transactions, all(laterPage, asked("status", `^CONFIRMED$`)), counted("metadata.total", 1)),
		`2x out 10.00; list status=CONFIRMED size=1 page=2`},
	{"lists a QR payment without its fee once a part is returned", Combination, "LTX-039", "listed.fields",
		triggering(`AFTER INSERT ON payments`, `NEW.kind = 'refund-out'`, `UPDATE payments SET fee = 0 WHERE id = NEW.parent_id AND kind = 'cash-out-qrcode'`),
		`fees out=0.50; qr 10.00; list as l; back $l.0.e2e 1.00; list`},
	{"lists by key what another account has pending to a key that the account has paid", Combination, "LPK-007", "lists.matching",
		relisting(ofKey, told("metadata.total", `[1-9]`), func(c *call, pass server) []any {
			lists := [][]any{c.whole(pass)}
			for _, payer := range payersToTheKey(c) {
				lists = append(lists, slices.DeleteFunc(c.whole(pass, payer), func(item any) bool { return item.(map[string]any)["status"] != "Pendente" }))
			}
			return merged(lists...)
		}),
		`B.manual; B.out 10.00 details.key=ana@example.com; out 11.00 details.key=ana@example.com; bykey ana@example.com`},
	{"ignores isReconciled next to a status on later pages", Combination, "MED-008", "med.matching",
		misreading(meds, all(laterPage, asked("status", medStatus), asked("isReconciled", `^(true|false)$`)), unasked("isReconciled")),
		`cob 10.00 as c; pay $c.code as p; 2x med $p.e2e; 2x med E0000000020260303150000000000001; meds status=OPEN isReconciled=true pageSize=1 page=3`},
	{"shows decided cases as received next to a cancelled one", Combination, "MED-035", "med.case",
		answeringBy(meds, receivedBesideCancelled),
		`cob 10.00 as c; pay $c.code as p; 2x med $p.e2e as m; move $m1.id CANCELLED; move $m2.id RECEIVED; move $m2.id ANALYZED analysisResult=APPROVED; meds`},

	// Fields that are checked one by one.
	{"takes a description of 141 characters next to the phone of a company", Combination, "OUT-020", "cash-out.description",
		accepting(cashOut, all(sent("details.keyType", `"PHONE"`), company("details.document"), longer("description", api.MostDescription)), cut("description", api.MostDescription)),
		`out 10.00 details.keyType=PHONE details.key="11987654321" details.document="11222333000181" description=a*141 =400`},
	{"rounds a third decimal next to a random key and a description", Combination, "OUT-008", "cash-out.value",
		accepting(cashOut, all(sent("details.keyType", `"RANDOM"`), sent("description"), finer("value")), plus("value", 0)),
		`out 10.001 details.keyType=RANDOM details.key=7d9f0335-8dcc-4054-9bf9-0dbd61d36906 description=aluguel =400`},
	{"takes a name of 101 characters next to the CNPJ key of another company", Combination, "OUT-027", "cash-out.name",
		accepting(cashOut, all(company("details.key"), company("details.document"), longer("details.name", api.MostName)), cut("details.name", api.MostName)),
		`out 10.00 details.keyType=DOCUMENT details.key="11222333000181" details.document="00000000000191" details.name=a*101 =400`},
	{"takes any expirationTime next to additionalInfo and a QR image", Combination, "IN-023", "cash-in.expiration-time",
		accepting(cashIn, all(sent("additionalInfo"), sent("transaction.generateQrCode", `true`), above("transaction.expirationTime", longestCashIn)), set("transaction.expirationTime", longestCashIn)),
		`in 10.00 additionalInfo.pedido=1x transaction.generateQrCode=true transaction.expirationTime=604801 =400`},
	{"takes a name of 101 characters of a company that pays a charge with splits", Combination, "IN-039", "cash-in.payer",
		accepting(cashIn, all(items("splits", 0), company("payer.document"), longer("payer.fullName", api.MostName)), cut("payer.fullName", api.MostName)),
		`in 10.00 splits=F1.00 payer.document="11222333000181" payer.fullName=a*101 =400`},
	{"takes any text to a company that owes, next to infoAdicionais", Combination, "COB-034", "cob.texts",
		accepting(cob, all(items("infoAdicionais", 0), sent("devedor.cnpj"), longer("solicitacaoPagador", api.MostDescription)), cut("solicitacaoPagador", api.MostDescription)),
		`cob 10.00 infoAdicionais=2lines devedor.cpf=- devedor.cnpj="11222333000181" solicitacaoPagador=a*141 =400`},
	{"takes an expiration of 0 next to HIGH priority and ispbDeny", Combination, "DICT-028", "transfer.expiration",
		accepting(transfer, all(urgent, items("ispbDeny", 0), equals("expiration", "0")), set("expiration", `1`)),
		`transfer 10.00 priority=HIGH creditorDocument="52998224725" ispbDeny=["00000000"] expiration=0 =400`},
	{"takes one decimal next to natureza and descricao of a second refund", Combination, "DEV-013", "refund.valor",
		accepting(devolution, all(sent("natureza"), sent("descricao"), matching("valor", `^\d+\.\d$`), otherRefund), suffixed("valor", "0")),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00; refund $p.e2e 1.5 natureza=ORIGINAL descricao=oi =400`},
	{"takes another amount than the code's next to a name and a document", Combination, "OQR-005", "qr-cash-out.embedded-amount",
		accepting(qrCashOut, all(mismatched, sent("name"), sent("document")), knownCode),
		`qr 10.00 code.amount=12.00 name=Fulano document="52998224725" =400`},
	{"takes six headers for the third URL of a type", Combination, "WHK-020", "webhook.header-count",
		accepting(registration, all(items("headers", 5), after(2, registration, byTheSame, taken, same("eventType"), other("url"))), keeping("headers", 5)),
		`hook cash_out a; hook cash_out b; hook cash_out c headers=X-A:1,X-B:2,X-C:3,X-D:4,X-E:5,X-F:6 =400`},

	// Money.
	{"credits a paid charge without its centavos while a refund is in process", Combination, "COB-060", "cob.paid",
		booking(`NEW.kind = 'received' AND p.kind = 'cob' AND `+otherOf(`q.kind = 'refund-in' AND q.status = 'PENDING'`), `NEW.delta_available / 100 * 100`, `NEW.delta_blocked`),
		`rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00; cob 11.57 as d; pay $d.code; balance`},
	{"takes the fee twice of large payments once the fee was lowered", Combination, "OUT-061", "cash-out.debit",
		booking(`NEW.kind = 'held' AND p.kind = 'cash-out' AND p.fee > 0 AND p.amount >= 100000 AND `+otherOf(`q.fee > p.fee`), `NEW.delta_available - (SELECT p.fee FROM payments p WHERE p.id = NEW.payment_id)`, `NEW.delta_blocked`),
		`fund 5000.00; fees out=0.50; out 10.00; fees out=0.20; out 1000.00; balance`},
	{"does not credit what a company pays while a payment is pending", Combination, "IN-069", "cash-in.paid",
		booking(`NEW.kind = 'received' AND p.kind = 'cash-in' AND length(p.counterpart_document) = 14 AND `+otherOf(`q.kind = 'cash-out' AND q.status = 'PENDING'`), `0`, `NEW.delta_blocked`),
		`manual; out 1.00; in 10.00 as c; pay $c.code payer.document="11222333000181"; balance`},
	{"takes the money of a refund twice that follows a failed one", Combination, "DEV-057", "refund.money",
		booking(`NEW.kind = 'held' AND p.kind = 'refund-in' AND `+failedBefore, `2 * NEW.delta_available`, `NEW.delta_blocked`),
		`rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 as r; result $r.rtr NAO_REALIZADO; refund $p.e2e 2.00; balance`},
	{"does not hold payments to companies to the daily limit once one was rejected", Combination, "OUT-085", "cash-out.daily-limit",
		accepting(cashOut, all(refusedAs(api.AboveDaily), company("details.document"), hasRecorded("type", "WITHDRAW", "status", "ERROR")), set("value", `0.01`)),
		`limits daily=20.00; manual; out 1.00 as a; settle $a.tid ORDER_REJECTED; out 15.00; out 15.00 details.document="11222333000181" =400`},
	{"does not pay a later split of a charge that was made while another was unpaid", Combination, "SPL-046", "splits.division",
		triggering(`AFTER UPDATE OF status ON splits`,
			`NEW.position > 0 AND EXISTS (SELECT 1 FROM charges c JOIN payments q ON q.account_id = c.account_id AND q.id < c.payment_id WHERE c.id = NEW.charge_id AND q.kind = 'cash-in' AND q.status = 'PENDING')`, unpaidSplit),
		`in 9.00; in 10.00 splits=F1.00i,F2.00i as c; pay $c.code; splits $c.tid`},
	{"rounds a percentage after two fixed amounts down by a centavo", Combination, "SPL-039", "splits.division",
		triggering(`AFTER INSERT ON splits`,
			`NEW.position >= 2 AND json_extract((SELECT body FROM charges WHERE id = NEW.charge_id), '$.Order.Splits[' || NEW.position || '].Type') = 'PERCENTAGE'
				AND json_extract((SELECT body FROM charges WHERE id = NEW.charge_id), '$.Order.Splits[' || (NEW.position - 1) || '].Type') = 'FIXED'`,
			`UPDATE splits SET amount = amount - 1 WHERE charge_id = NEW.charge_id AND position = NEW.position`),
		`in 100.00 splits=F1.00,F2.00,P5 as c; splits $c.tid`},

	// Access.
	{"serves a filtered list under an expired token", Combination, "TOK-024", "bearer.expiry",
		renewing(transactions, all(was(401), asked("status", paymentStatus))),
		`token as t; clock +31m; token; use $t.access_token; list status=PENDING =401`},
	{"does not find a rejected QR payment by its externalId to send its webhook again", Combination, "RSD-003", "resend.identifier",
		refusing(resend, all(after(1, qrCashOut, byTheSame, taken, namedThen(identifier, "externalId")), func(c *call, _ *answer) bool {
			return first(c.recorded("externalId", c.parameter(identifier)), "status", "Error")
		}), 404, api.HTTPError),
		`hook cash_out a; manual; qr 10.00 externalId=x as a; settle $a.tid ORDER_REJECTED; resend x`},
	{"forgets the first of two added certificates when the second is revoked", Combination, "TOK-029", "token.certificate-registered",
		triggering(`AFTER UPDATE OF revoked ON certificates`, `(SELECT COUNT(*) FROM certificates c WHERE c.account_id = NEW.account_id) > 2`,
			`UPDATE certificates SET revoked = 1 WHERE account_id = NEW.account_id AND rowid = (SELECT MIN(c.rowid) FROM certificates c WHERE c.account_id = NEW.account_id AND c.rowid > (SELECT MIN(b.rowid) FROM certificates b WHERE b.account_id = NEW.account_id))`),
		`register 2; register 3; revoke 3; token cert=2`},
}

// Combinations lists the mutants that show only where several things come together.
func Combinations() []Mutant { return mutantsOf(combinationMutants) }

// Conditions and expressions on the payment p, and on another one of its account, q.
const (
	besideP      = `q.account_id = p.account_id AND q.id <> p.id`
	alikePending = `q.status = 'PENDING' AND q.counterpart_document = p.counterpart_document`
	rejectedQR   = `q.kind = 'cash-out-qrcode' AND q.status = 'ERROR'`
	failedBefore = `EXISTS (SELECT 1 FROM payments q WHERE q.parent_id = p.parent_id AND q.status = 'ERROR' AND q.id < p.id)`
)

// otherOf holds if another payment of the account is such.
func otherOf(such string) string {
	return `EXISTS (SELECT 1 FROM payments q WHERE ` + besideP + ` AND ` + such + `)`
}

// hasRecorded holds for a client that has a transaction of that filter.
func hasRecorded(filter ...string) condition {
	return func(c *call, _ *answer) bool { return len(c.recorded(filter...)) > 0 }
}

func confirmedForError(label string) string {
	if label == "Error" {
		return "Confirmado"
	}
	return label
}

// receivedBesideCancelled shows decided cases as received on a page that has a cancelled one.
func receivedBesideCancelled(_ *call, a *answer) []edit {
	cancelled := false
	for _, status := range lookups(a.body, "data[].status") {
		cancelled = cancelled || status == "CANCELLED"
	}
	if !cancelled {
		return nil
	}
	return []edit{eachItem("data", func(_ int, item map[string]any) {
		if item["status"] == "ANALYZED" {
			item["status"], item["analysisResult"] = "RECEIVED", nil
		}
	})}
}
