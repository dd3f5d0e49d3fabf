package mutants

import (
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var deepCashOutMutants = []deepRow{
	{"takes any description of a cash-out to a RANDOM key", OneBody, "OUT-015", "cash-out.description",
		accepting(cashOut, all(sent("details.keyType", `"RANDOM"`), longer("description", api.MostDescription)), cut("description", api.MostDescription)),
		`out 10.00 details.keyType=RANDOM details.key=7d9f0335-8dcc-4054-9bf9-0dbd61d36906 description=a*141 =400`},
	{"takes a name of 101 characters of a company", OneBody, "OUT-027", "cash-out.name",
		accepting(cashOut, all(company("details.document"), longer("details.name", api.MostName)), cut("details.name", api.MostName)),
		`out 10.00 details.document="11222333000181" details.name=a*101 =400`},
	{"does not check the document next to a CNPJ key", OneBody, "OUT-035", "cash-out.document",
		accepting(cashOut, all(company("details.key"), not(taxID("details.document"))), document),
		`out 10.00 details.keyType=DOCUMENT details.key="11222333000181" details.document="123" =400`},
	{"rounds a third decimal of amounts above R$ 100", OneBody, "OUT-008", "cash-out.value",
		accepting(cashOut, all(above("value", "100"), finer("value")), plus("value", 0)),
		`out 100.001 =400`},
	{"refuses a mobile number that is a valid CPF as well", BenignData, "OUT-043", "cash-out.key",
		refusing(cashOut, all(sent("details.keyType", `"PHONE"`), matching("details.key", `^\d{11}$`), not(wrongCheckDigits("details.key"))), 400, api.InvalidPixKey),
		`out 10.00 details.keyType=PHONE details.key="11987654374"`},
	{"refuses a CPF key with a leading zero", BenignData, "OUT-037", "cash-out.key",
		refusing(cashOut, all(sent("details.keyType", `"DOCUMENT"`), matching("details.key", `^0\d{10}$`)), 400, api.InvalidPixKey),
		`out 10.00 details.keyType=DOCUMENT details.key="01234567890"`},
	{"refuses the document of a company that begins with zero", BenignData, "OUT-034", "cash-out.document",
		refusing(cashOut, matching("details.document", `^0\d{13}$`), 400, api.HTTPError),
		`out 10.00 details.document="00000000000191"`},
	{"answers a numeric externalId without its leading zeros", BenignData, "OUT-054", "cash-out.accepted",
		answering(cashOut, all(accepted, matching("externalId", `^0\d+$`)), retold("externalId", unpadded)),
		`out 10.00 externalId="007"`},
	{"takes long externalIds with a common beginning for one", BenignData, "OUT-011", "cash-out.duplicate-external-id",
		refusing(cashOut, after(1, cashOut, byTheSame, taken, sameBeginning("externalId", 40), other("externalId")), 400, api.DuplicateExternalID),
		`out 10.00 externalId=pedido-2026-03-03-loja-centro-caixa-0001-venda-1; out 10.00 externalId=pedido-2026-03-03-loja-centro-caixa-0001-venda-2`},
	{"pays an externalId again after three other payments", History, "OUT-063", "cash-out.duplicate-external-id",
		accepting(cashOut, all(duplicate, followed(3, cashOut, same("externalId"))), fresh("externalId")),
		`out 10.00 externalId=x; 3x out 1.00; out 10.00 externalId=x =400`},
	{"pays an externalId again on another day", Calendar, "OUT-063", "cash-out.duplicate-external-id",
		accepting(cashOut, all(duplicate, onAnotherDay("externalId")), fresh("externalId")),
		`out 10.00 externalId=x; clock +24h; token; out 10.00 externalId=x =400`},
	{"names another account's payment as the one that used the externalId", OtherPeople, "OUT-067", "cash-out.duplicate-external-id",
		changing(cashOut, namingTheLast(byAnother, same("externalId"))),
		`B.out 10.00 externalId=x as b; out 10.00 externalId=x as a; out 10.00 externalId=x =400`},
	{"answers the third use of an externalId with 409", Second, "OUT-064", "cash-out.duplicate-external-id",
		answering(cashOut, all(duplicate, after(2, cashOut, byTheSame, same("externalId"))), status(409)),
		`out 10.00 externalId=x; out 10.00 externalId=x =400; out 10.00 externalId=x =400`},
	{"names the latest payment as the one that used an older externalId", History, "OUT-067", "cash-out.duplicate-external-id",
		changing(cashOut, namingTheLast(byTheSame)),
		`out 10.00 externalId=x as a; out 1.00 as b; out 10.00 externalId=x =400`},
	{"covers a second payment with what the first has blocked", Sums, "BAL-014", "balance.blocked",
		accepting(cashOut, all(insufficient, coveredByBlocked), set("value", `0.01`)),
		`manual; fund 100.00; out 60.00; out 60.00 =400`},
	{"keeps the fee of an account's first payment when the fee is raised", Sums, "OUT-062", "cash-out.covers-fee",
		triggering(`AFTER UPDATE OF fee_cash_out ON accounts`, `NEW.fee_cash_out > OLD.fee_cash_out AND EXISTS (SELECT 1 FROM payments p WHERE p.account_id = NEW.id AND p.kind = 'cash-out')`,
			`UPDATE accounts SET fee_cash_out = OLD.fee_cash_out WHERE id = NEW.id`),
		`fees out=0.50; out 10.00; fees out=5.00; fund 11.00; out 10.00 =400`},
	{"reports the fee at the time of settlement instead of that of the order", Sums, "EVT-019", "delivery.cash-out-amounts",
		both(reporting(feeChanged, `$.feeAmount`, feeNow+` / 100.0`), reporting(feeChanged, `$.finalAmount`, `(p.amount + `+feeNow+`) / 100.0`)),
		`hook cash_out a; fees out=1.00; manual; out 10.00 as a; fees out=0.20; settle $a.tid; list`},
	{"gives back the fee of today for a rejected payment", Sums, "OUT-099", "cash-out.error",
		booking(`NEW.kind = 'returned' AND `+feeChanged, `(SELECT p.amount + `+feeNow+` FROM payments p WHERE p.id = NEW.payment_id)`, `NEW.delta_blocked`),
		`fees out=0.50; manual; out 10.00 as a; fees out=2.00; settle $a.tid ORDER_REJECTED; balance`},
	{"charges double the fee from the third payment on", Sums, "EVT-019", "delivery.cash-out-amounts",
		triggering(`AFTER INSERT ON payments`, `NEW.kind = 'cash-out' AND (SELECT COUNT(*) FROM payments p WHERE p.account_id = NEW.account_id AND p.kind = 'cash-out') = 2`,
			`UPDATE accounts SET fee_cash_out = 2 * fee_cash_out WHERE id = NEW.account_id`),
		`hook cash_out a; fees out=0.50; 3x out 10.00; list`},
	{"reports the error code of the first rejection for the second", Second, "EVT-040", "cash-out.error",
		reporting(`p.kind = 'cash-out' AND p.status = 'ERROR'`, `$.errorCode`, firstError),
		`hook cash_out a; manual; out 10.00 as a; out 11.00 as b; settle $a.tid BLOCKED_ACCOUNT; settle $b.tid ORDER_REJECTED`},
	{"confirms a payment with the error code of an earlier rejection", History, "EVT-023", "cash-out.confirmed",
		reporting(`p.kind = 'cash-out' AND p.status = 'CONFIRMED' AND `+firstError+` IS NOT NULL`, `$.errorCode`, firstError),
		`hook cash_out a; manual; out 10.00 as a; out 11.00 as b; settle $a.tid BLOCKED_ACCOUNT; settle $b.tid`},
	{"garbles an externalId with accents in the event", BenignData, "EVT-015", "delivery.cash-out-payload",
		sending(nonASCII("externalId"), retold("externalId", mojibake)),
		`hook cash_out a; out 10.00 externalId=pedido-são-joão`},
	{"wants no document of a key that was paid before", History, "OUT-030", "cash-out.document",
		accepting(cashOut, all(lacking("details.document"), after(1, cashOut, byTheSame, taken, same("details.key"))), document),
		`out 10.00; out 11.00 details.document=- =400`},
	{"takes a keyType padded with blanks", OneBody, "OUT-024", "cash-out.key-type",
		accepting(cashOut, matching("details.keyType", `^\s|\s$`), retold("details.keyType", strings.TrimSpace)),
		`out 10.00 details.keyType=' EMAIL ' =400`},
	{"does not check the e-mail key of a company", OneBody, "OUT-041", "cash-out.key",
		accepting(cashOut, all(refusedAs(api.InvalidPixKey), sent("details.keyType", `"EMAIL"`), company("details.document")), email),
		`out 10.00 details.key=nobody details.document="11222333000181" =400`},
	{"takes a phone with +55 of a company", OneBody, "OUT-046", "cash-out.key",
		accepting(cashOut, all(company("details.document"), matching("details.key", `^\+55`)), replaced("details.key", "+55", "")),
		`out 10.00 details.keyType=PHONE details.key=+5511987654321 details.document="11222333000181" =400`},
	{"lists a payment with what is left after a return", Sums, "LTX-038", "listed.fields",
		triggering(`AFTER INSERT ON payments`, `NEW.kind = 'refund-out'`, `UPDATE payments SET amount = amount - NEW.amount WHERE id = NEW.parent_id`),
		`out 10.00; list as l; back $l.0.e2e 4.00; list`},
	{"sends no event of a payment that settles a day later", Calendar, "OUT-058", "cash-out.confirmed",
		silent(`p.kind = 'cash-out' AND p.processed_at - p.created_at > 86400000000`),
		`hook cash_out a; manual; out 10.00 as a; clock +25h; settle $a.tid`},
	{"sends events of only two of the payments that settle together", FirstElement, "EVT-088", "cash-out.confirmed",
		silent(`p.kind = 'cash-out' AND (SELECT COUNT(*) FROM payments q WHERE q.account_id = p.account_id AND q.kind = p.kind AND q.id <> p.id AND q.processed_at BETWEEN p.processed_at - 1000000 AND p.processed_at) >= 2`),
		`hook cash_out a; manual; 3x out 10.00; auto`},
	{"sends no event to a URL registered while the payment was pending", ShortWay, "WHK-039", "delivery.every-url",
		silent(`p.kind IN ('cash-out', 'cash-out-qrcode', 'transfer') AND w.created_at > p.created_at`),
		`manual; out 10.00 as a; hook cash_out a; settle $a.tid`},
	{"reports amounts of R$ 1000 and more without their centavos", BenignData, "EVT-018", "delivery.cash-out-amounts",
		sending(all(above("originalAmount", "999.99"), cents("originalAmount")), rounded("originalAmount", 100), rounded("finalAmount", 100)),
		`hook cash_out a; fund 5000.00; out 1000.57`},
	{"reports a final amount with the error of a floating-point sum", Sums, "EVT-021", "delivery.cash-out-amounts",
		changing(event, finalInFloats),
		`hook cash_out a; fees out=0.20; out 0.10`},
	{"refuses an e-mail key whose domain has a hyphen", BenignData, "OUT-041", "cash-out.key",
		refusing(cashOut, all(sent("details.keyType", `"EMAIL"`), matching("details.key", `@.*-`)), 400, api.InvalidPixKey),
		`out 10.00 details.key=ana@minha-loja.com.br`},
	{"refuses a RANDOM key of another UUID version", BenignData, "OUT-047", "cash-out.key",
		refusing(cashOut, all(sent("details.keyType", `"RANDOM"`), matching("details.key", anyUUID), not(matching("details.key", uuid4))), 400, api.InvalidPixKey),
		`out 10.00 details.keyType=RANDOM details.key=6ba7b810-9dad-11d1-80b4-00c04fd430c8`},
	{"refuses a second payment with the same key and value", Second, "OUT-051", "cash-out.accepted",
		refusing(cashOut, after(1, cashOut, byTheSame, taken, same("details.key"), same("value"), other("externalId")), 400, api.DuplicateExternalID),
		`out 10.00; out 10.00`},
	{"settles all pending payments of one amount together", Second, "OUT-074", "cash-out.confirmed",
		triggering(`AFTER UPDATE OF status ON payments`,
			`NEW.kind = 'cash-out' AND OLD.status = 'PENDING'`,
			`UPDATE payments SET status = NEW.status, processed_at = NEW.processed_at WHERE account_id = NEW.account_id AND kind = NEW.kind AND amount = NEW.amount AND status = 'PENDING'`),
		`manual; out 10.00 as a; out 10.00 as b; settle $a.tid; list`},
	{"leaves a company's document out of the event", OneBody, "EVT-029", "delivery.cash-out-counterpart",
		triggering(`AFTER INSERT ON events`,
			`EXISTS (SELECT 1 FROM payments p WHERE p.id = NEW.payment_id AND p.kind = 'cash-out' AND length(p.counterpart_document) = 14)`,
			`UPDATE events SET body = json_remove(body, '$.counterpart.document') WHERE id = NEW.id`),
		`hook cash_out a; out 10.00 details.document="11222333000181"`},
	{"has no error message for causes that may be retried", ShortWay, "EVT-026", "cash-out.error",
		reporting(`p.kind = 'cash-out' AND p.error_code IN ('PAYMENT_EXPIRED', 'SETTLEMENT_TIMEOUT')`, `$.errorMessage`, `NULL`),
		`hook cash_out a; manual; out 10.00 as a; settle $a.tid SETTLEMENT_TIMEOUT`},
	{"repeats the transactionId of four payments before", History, "EVT-014", "delivery.cash-out-payload",
		answeringBy(cashOut, fourthIDBefore),
		`5x out 1.00 as a`},
	{"refuses a CNPJ key that begins with zero", BenignData, "OUT-038", "cash-out.key",
		refusing(cashOut, all(sent("details.keyType", `"DOCUMENT"`), matching("details.key", `^0\d{13}$`)), 400, api.InvalidPixKey),
		`out 10.00 details.keyType=DOCUMENT details.key="00000000000191"`},
	{"cuts the externalId that a duplicate reports at 20 characters", BenignData, "OUT-066", "cash-out.duplicate-external-id",
		answering(cashOut, duplicate, cut("details.externalId", 20)),
		`out 10.00 externalId=pedido-2026-03-03-0001; out 10.00 externalId=pedido-2026-03-03-0001 =400`},
	{"takes a CNPJ key with punctuation", OneBody, "OUT-039", "cash-out.key",
		accepting(cashOut, all(sent("details.keyType", `"DOCUMENT"`), matching("details.key", `^\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}$`)), retold("details.key", digitsOnly)),
		`out 10.00 details.keyType=DOCUMENT details.key=11.222.333/0001-81 =400`},
	{"does not name the payment that used an externalId once that is settled", ShortWay, "OUT-067", "cash-out.duplicate-external-id",
		answering(cashOut, all(duplicate, recordedAs("externalId", "Confirmado")), drop("details.existingTransactionId")),
		`manual; out 10.00 externalId=x as a; settle $a.tid; out 10.00 externalId=x =400`},
	{"takes a document of another length next to a description", OneBody, "OUT-035", "cash-out.document",
		accepting(cashOut, all(sent("description"), sent("details.document"), not(taxID("details.document"))), document),
		`out 10.00 description=aluguel details.document="123456789012" =400`},
	{"takes a value of zero next to a description", OneBody, "OUT-005", "cash-out.value",
		accepting(cashOut, all(sent("description"), equals("value", "0")), set("value", `0.01`)),
		`out 0 description=aluguel =400`},
}

// company and taxID hold for a field that is a CNPJ, or one of the two.
func company(path string) condition { return matching(path, `^\d{14}$`) }
func taxID(path string) condition   { return matching(path, `^(\d{11}|\d{14})$`) }

// onAnotherDay holds for an externalId that the client used on another day in São Paulo.
func onAnotherDay(path string) condition {
	return func(c *call, _ *answer) bool {
		then := c.lastBefore(c.endpoint, byTheSame, taken, same(path))
		if then == nil {
			return false
		}
		at, err := time.Parse(time.RFC3339, textAt(then.answer.body, "generateTime"))
		return err == nil && day(at) != day(c.now())
	}
}

// namingTheLast reports the last payment in these relations as the one that used an externalId.
func namingTheLast(relations ...relation) change {
	return func(c *call, pass server) *answer {
		a := pass(c)
		last := c.lastBefore(cashOut, append(relations, taken)...)
		if last == nil || !duplicate(c, a) {
			return a
		}
		return a.edited(set("details.existingTransactionId", string(encode(textAt(last.answer.body, "transactionId")))))
	}
}

// coveredByBlocked holds for a value that only the blocked balance covers.
func coveredByBlocked(c *call, _ *answer) bool {
	balance := c.read(balances.path, "").message
	return amountAt(c.message, "value") <= amountAt(balance, available)+amountAt(balance, blocked)
}

// finalInFloats adds up the final amount of an event in binary fractions.
func finalInFloats(c *call, pass server) *answer {
	x, y := float64(amountAt(c.message, "originalAmount"))/100, float64(amountAt(c.message, "feeAmount"))/100
	if total := strconv.FormatFloat(x+y, 'f', -1, 64); sent("finalAmount")(c, nil) && len(total) > 12 {
		c = c.edited(set("finalAmount", total))
	}
	return pass(c)
}

// fourthIDBefore is the transactionId of four payments before.
func fourthIDBefore(c *call, _ *answer) []edit {
	before := c.before(cashOut, byTheSame, taken)
	if len(before) < 4 {
		return nil
	}
	return []edit{set("transactionId", string(encode(textAt(before[len(before)-4].answer.body, "transactionId"))))}
}
