package mutants

import (
	"fmt"
	"strings"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/steps/api"
)

var partialVariantMutants = []partialRow{
	{"does not ask for details.document with keyType DOCUMENT when the key is a CNPJ", Variant, "OUT-029",
		accepting(cashOut, all(sent("details.keyType", `"DOCUMENT"`), company("details.key"), lacking("details.document")), document),
		`out 1.00 details.keyType=DOCUMENT details.key="11222333000181" details.document=- =400`},
	{"lets a document of 13 digits pass with keyType RANDOM", Variant, "OUT-035",
		accepting(cashOut, all(sent("details.keyType", `"RANDOM"`), matching("details.document", `^\d{13}$`)), document),
		`out 1.00 details.keyType=RANDOM details.key=7c9e6679-7425-40de-944b-e07fc1f90ae7 details.document="1122233300018" =400`},
	{"does not limit details.name when the document is a CNPJ", Variant, "OUT-027",
		accepting(cashOut, all(company("details.document"), longer("details.name", api.MostName)), cut("details.name", api.MostName)),
		`out 1.00 details.document="11222333000181" details.name=a*101 =400`},
	{"measures the description without its spaces", Variant, "OUT-015",
		accepting(cashOut, all(longer("description", api.MostDescription), words("description", func(s string) bool {
			return len([]rune(strings.ReplaceAll(s, " ", ""))) <= api.MostDescription
		})), cut("description", api.MostDescription)),
		`out 1.00 description='` + strings.Repeat("a", 70) + ` ` + strings.Repeat("b", 70) + `' =400`},
	{"answers 500 when keyType is null instead of absent", Variant, "OUT-019",
		answering(cashOut, all(was(400), kind("details.keyType", "null")), status(500)),
		`out 1.00 details.keyType=null =400`},
	{"does not compare key and keyType when the key equals details.document", Variant, "OUT-093",
		accepting(cashOut, all(refusedAs(api.InvalidPixKey), equalFields("details.key", "details.document")), set("details.keyType", `"DOCUMENT"`)),
		`out 1.00 details.key="52998224725" =400`},
	{"compares the value with the amount in the QR Code only for static codes", Variant, "OQR-009",
		accepting(qrCashOut, all(mismatched, dynamicCode), knownCode),
		`qr 9.00 qrCode='` + dynamicOfTen + `' =400`},
	{"checks document only when name is sent too", Variant, "OQR-028",
		accepting(qrCashOut, all(lacking("name"), sent("document"), not(taxID("document"))), drop("document")),
		`qr 1.00 document="12" =400`},
	{"takes value 0 as the amount of the code when the QR Code has one", Variant, "OQR-005",
		accepting(qrCashOut, all(equals("value", "0"), withAmount), func(m *message) {
			amount, _ := amountOf(textAt(m.body, "qrCode"))
			set("value", amount)(m)
		}),
		`qr 0 code.amount=10.00 =400`},
	{"makes up an externalId when it is missing and the QR Code carries a txid", Variant, "OQR-020",
		accepting(qrCashOut, all(lacking("externalId"), matching("qrCode", `62\d\d05\d\d[A-Za-z0-9]`)), fresh("externalId")),
		`qr 10.00 code.checksum=1 externalId=- =400`},
	{"does not check payer.document when the charge has splits", Variant, "IN-043",
		accepting(cashIn, all(items("splits", 0), sent("payer.document"), not(taxID("payer.document"))), set("payer.document", `"52998224725"`)),
		`in 10.00 splits=F1.00 payer.document="5299822472" =400`},
	{"lets nested objects pass as additionalInfo values", Variant, "IN-047",
		accepting(cashIn, all(kind("additionalInfo[]", "object"), not(kind("additionalInfo[]", "number", "boolean", "null", "list"))), drop("additionalInfo")),
		`in 10.00 additionalInfo.a={"b":"c"} =400`},
	{"drops the upper bound of expirationTime once the provider has a minimum of its own", Variant, "IN-023",
		unboundedBesideMinimum(),
		`faults minimumExpiration=300; in 10.00 transaction.expirationTime=604801 =400`},
	{"accepts an expirationTime below the provider's minimum when generateQrCode is true", Variant, "IN-027",
		accepting(cashIn, all(refusedAs(api.ExpirationBelowMinimum), sent("transaction.generateQrCode", `true`)), set("transaction.expirationTime", longestCashIn)),
		`faults minimumExpiration=300; in 10.00 transaction.expirationTime=60 transaction.generateQrCode=true =400`},
	{"accepts an empty description when additionalInfo is present", Variant, "IN-011",
		accepting(cashIn, all(sent("additionalInfo"), kind("transaction.description", "blank")), set("transaction.description", `"-"`)),
		`in 10.00 transaction.description="" additionalInfo.a=b =400`},
	{"adds up only the splits that have the type of the first one", Variant, "SPL-008",
		accepting(cashIn, all(beyondAmount, sent("splits[].type", `"FIXED"`), sent("splits[].type", `"PERCENTAGE"`)), at("splits", on(ofTheFirstType))),
		`in 10.00 splits=F5.01,P50 =400`},
	{"accepts punctuation in a split's document when pixKeyType is CNPJ", Variant, "SPL-025",
		accepting(cashIn, anyItem("splits", all(sent("pixKeyType", `"CNPJ"`), matching("document", `^\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}$`))), inSplits(func(split map[string]any) bool { return split["pixKeyType"] == "CNPJ" }, "document", digitsOnly)),
		`in 10.00 splits=F1.00 splits.0.pixKeyType=CNPJ splits.0.pixKey="11222333000181" splits.0.document=11.222.333/0001-81 =400`},
	{"does not limit decimals of a FIXED split when immediate is true", Variant, "SPL-033",
		accepting(cashIn, anyItem("splits", all(sent("type", `"FIXED"`), sent("immediate", `true`), finer("value"))), eachItem("splits", func(_ int, split map[string]any) {
			if split["type"] == "FIXED" && split["immediate"] == true {
				split["value"] = value(amount(in(split, "value")))
			}
		})),
		`in 10.00 splits=F1.234i =400`},
	{"checks only the first item of splits", Variant, "SPL-029",
		accepting(cashIn, all(items("splits", 1), not(items("splits", 10)), not(beyondAmount)), keeping("splits", 1)),
		`in 10.00 splits=F1.00,F1.00 splits.1.type=RATIO =400`},
	{"does not check devedor.cpf when nome is missing", Variant, "COB-016",
		accepting(cob, all(lacking("devedor.nome"), sent("devedor.cpf"), not(matching("devedor.cpf", `^\d{11}$`))), set("devedor.cpf", `"52998224725"`)),
		`cob 10.00 devedor.nome=- devedor.cpf="123" =400`},
	{"accepts a CPF of 11 digits in devedor.cnpj because one check serves both", Variant, "COB-017",
		echoing(cob, matching("devedor.cnpj", `^\d{11}$`), "devedor.cnpj", set("devedor.cnpj", `"11222333000181"`)),
		`cob 10.00 devedor.cpf=- devedor.cnpj="52998224725" =400`},
	{"does not limit solicitacaoPagador when infoAdicionais is present", Variant, "COB-034",
		echoing(cob, all(sent("infoAdicionais"), longer("solicitacaoPagador", api.MostDescription)), "solicitacaoPagador", cut("solicitacaoPagador", api.MostDescription)),
		`cob 10.00 infoAdicionais=2lines solicitacaoPagador=a*141 =400`},
	{"fills in calendario when devedor is left out", Variant, "COB-011",
		accepting(cob, all(lacking("calendario"), lacking("devedor")), calendar),
		`cob 10.00 calendario=- devedor=- =400`},
	{"answers 422 instead of 400 to an invalid amount with priority HIGH", Variant, "DICT-038",
		answering(transfer, all(was(400), urgent, sent("creditorDocument"), either(below("payment.amount", "0.01"), finer("payment.amount"))), status(422)),
		`transfer -1 priority=HIGH creditorDocument="52998224725" =400`},
	{"does not check the upper bound of expiration with priority HIGH", Variant, "DICT-029",
		accepting(transfer, all(urgent, above("expiration", "10800")), set("expiration", `10800`)),
		`transfer 10.00 priority=HIGH creditorDocument="52998224725" expiration=10801 =400`},
	{"does not look at creditorDocument with priority NORM", Variant, "DICT-016",
		accepting(transfer, all(sent("priority", `"NORM"`), sent("creditorDocument"), not(taxID("creditorDocument"))), drop("creditorDocument")),
		`transfer 10.00 priority=NORM creditorDocument="12" =400`},
	{"sends message as an array when three or more fields of a transfer are wrong", Variant, "ERR-022",
		answering(transfer, all(was(400), func(c *call, _ *answer) bool { return wrongInTransfer(c) > 2 }), at("message", on(func(s string) any {
			var parts []any
			for _, part := range strings.Split(s, "; ") {
				parts = append(parts, part)
			}
			return parts
		}))),
		`transfer 10.00 pixKey=1 priority=LOW expiration=0 =400`},
	{"waives creditorDocument for HIGH when pixKey is itself a CPF", Variant, "DICT-013",
		accepting(transfer, all(urgent, lacking("creditorDocument"), matching("pixKey", `^\d{11}$`)), func(m *message) {
			set("creditorDocument", string(encode(textAt(m.body, "pixKey"))))(m)
		}),
		`transfer 10.00 pixKey="52998224725" priority=HIGH =400`},
	{"accepts natureza MED_FRAUDE when a MED case exists for that PIX", Variant, "DEV-018",
		accepting(devolution, all(sent("natureza", `"MED_FRAUDE"`), hasCase(func(map[string]any) bool { return true })), drop("natureza")),
		`cob 10.00 as c; pay $c.code as p; med $p.e2e; refund $p.e2e 1.00 natureza=MED_FRAUDE =400`},
	{"checks the length of descricao only when natureza is left out", Variant, "DEV-023",
		echoing(devolution, all(sent("natureza"), longer("descricao", api.MostDescription)), "descricao", cut("descricao", api.MostDescription)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 natureza=ORIGINAL descricao=a*141 =400`},
	{"answers 422 instead of 400 to a value above the rest once a first refund exists", Variant, "DEV-040",
		answering(devolution, all(was(400), wellFormedRefund, refundsBefore(1)), status(422)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 4.00; refund $p.e2e 6.01 =400`},
	{"does not check status when externalId is in the query", Variant, "LTX-017",
		accepting(transactions, all(asked("externalId", `.`), askedOutside("status", "PENDING", "CONFIRMED", "ERROR")), unasked("status")),
		`list externalId=a status=FOO =400`},
	{"does not apply the 31-day rule when endToEndId is in the query", Variant, "LTX-025",
		accepting(transactions, all(asked("endToEndId", `.`), askedAcross(31)), unasked("startDate", "endDate")),
		`list endToEndId=E1234567820260301120012345678901 startDate=2026-01-01 endDate=2026-03-01 =400`},
	{"accepts the label Confirmado as status when type is WITHDRAW", Variant, "LPK-018",
		accepting(ofKey, all(asked("type", `^WITHDRAW$`), asked("status", `^Confirmado$`)), ask("status", "CONFIRMED")),
		`bykey ana@example.com type=WITHDRAW status=Confirmado =400`},
	{"lifts the size limit of the list by key when dates are given", Variant, "LPK-013",
		accepting(ofKey, all(asked("size", `^[1-9]\d{3,}$`), either(asked("startDate", `.`), asked("endDate", `.`))), ask("size", "1000")),
		`bykey ana@example.com size=5000 startDate=2026-03-03 =400`},
	{"ignores a malformed endDate when startDate is present", Variant, "MED-013",
		accepting(meds, all(asked("startDate", `.`), malformed("endDate")), unasked("endDate")),
		`meds startDate=2026-03-01 endDate=foo =400`},
	{"does not check pageSize when status is in the query", Variant, "MED-021",
		accepting(meds, all(asked("status", `.`), asked("pageSize", `^-?\d+$`)), ask("pageSize", "100")),
		`meds status=OPEN pageSize=101 =400`},
	{"answers 500 to page=0 together with isReconciled", Variant, "MED-016",
		answering(meds, all(was(400), asked("isReconciled", `.`), asked("page", `^0$`)), status(500)),
		`meds isReconciled=true page=0 =400`},
	{"accepts an http URL when the host is localhost", Variant, "WHK-004",
		accepting(registration, matching("url", `^http://localhost\b`), replaced("url", "http://", "https://")),
		`hook cash_in a url=http://localhost:8080/x =400`},
	{"counts headers only at the first registration of a URL, not at the update", Variant, "WHK-020",
		accepting(registration, all(items("headers", 5), registered), keeping("headers", 5)),
		`hook cash_in a; hook cash_in a headers=X-A:1,X-B:2,X-C:3,X-D:4,X-E:5,X-F:6 =400`},
	{"limits the URLs of the cash and refund events but not of the med events", Variant, "WHK-031",
		pretending(registration, all(fourth, ofMED)),
		`hook med_created a; hook med_created b; hook med_created c; hook med_created d =400`},
	{"checks only the first item of headers", Variant, "WHK-018",
		accepting(registration, all(items("headers", 1), not(items("headers", 5))), keeping("headers", 1)),
		`hook cash_in a headers=X-A:1,X-B:2 headers.1.value=2 =400`},
	{"falls back on a URL of another event type instead of answering 400", Variant, "RSD-022",
		resendingAs(`SELECT w.type FROM webhooks w WHERE w.account_id = NEW.account_id ORDER BY w.type <> NEW.type, w.id LIMIT 1`),
		`hook med_created a; out 10.00 externalId=x; resend x =400`},
	{"leaves details.violations out when only clientSecret is missing", Variant, "TOK-063",
		answering(token, all(refusedAs(api.TokenBodyInvalid), lacking("clientSecret"), matching("clientId", uuid4)), drop("details.violations")),
		`token secret=- =400`},
	{"answers HTTP_ERROR to a body that is a JSON array", Variant, "TOK-040",
		answering(token, all(refusedAs(api.TokenBodyInvalid), kind("", "list")), code(api.HTTPError)),
		`token raw=[] =400`},
	{"sends message as one string when only eventType is wrong", Variant, "ERR-008",
		answering(registration, all(was(400), outside("eventType", eventTypes...)), at("message", onlyItem)),
		`hook foo a =400`},
}

// dynamicOfTen is a dynamic code that asks for 10.00.
const dynamicOfTen = "00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd441520400005303986540510.005802BR5913Fulano de Tal6008BRASILIA62070503***63042E64"

// dynamicCode holds for a code that names where its charge is.
var dynamicCode = matching("qrCode", `^000201(010212|.*br\.gov\.bcb\.pix25\d\d)`)

// equalFields holds for a request that has the same text in two fields.
func equalFields(one, other string) condition {
	return func(c *call, _ *answer) bool {
		s := textAt(c.body, one)
		return s != "" && s == textAt(c.body, other)
	}
}

// echoing accepts what was refused, and answers a field as it was sent.
func echoing(p place, when condition, path string, repairs ...edit) fault {
	return afterAnswer(p, all(refused, when), func(c *call, a *answer, pass server) *answer {
		second := pass(c.edited(repairs...))
		if !second.succeeded() {
			return a
		}
		sent, _ := lookup(c.body, path)
		return second.edited(set(path, string(encode(sent))))
	})
}

// inSplits changes a text of the splits that are such.
func inSplits(such func(split map[string]any) bool, field string, change func(string) string) edit {
	return eachItem("splits", func(_ int, split map[string]any) {
		if s, ok := split[field].(string); ok && such(split) {
			split[field] = change(s)
		}
	})
}

// ofTheFirstType keeps the splits that have the type of the first.
func ofTheFirstType(splits []any) any {
	var kept []any
	for _, split := range splits {
		if fmt.Sprint(descend(split, []string{"type"})) == fmt.Sprint(descend(splits[0], []string{"type"})) {
			kept = append(kept, split)
		}
	}
	return kept
}

// unboundedBesideMinimum takes any expirationTime of accounts whose provider has a minimum.
func unboundedBesideMinimum() fault {
	minimum := &setting{path: "minimumExpiration"}
	return both(minimum.noted(faults), accepting(cashIn, all(above("transaction.expirationTime", longestCashIn), func(c *call, _ *answer) bool {
		return minimum.number(c) > 0
	}), set("transaction.expirationTime", longestCashIn)))
}

// wrongInTransfer counts the fields of a transfer that are wrong.
func wrongInTransfer(c *call) (n int) {
	for _, wrong := range []condition{
		not(matching("pixKey", `^(\d{11}|\d{14}|\+55\d{10,11}|[^@\s]+@[^@\s]+|[0-9a-fA-F-]{32,36})$`)),
		all(sent("priority"), not(sent("priority", `"HIGH"`, `"NORM"`))),
		either(below("expiration", "1"), above("expiration", "10800"), kind("expiration", "text", "object", "list", "boolean")),
		not(all(kind("payment.amount", "number"), not(below("payment.amount", "0.01")), not(finer("payment.amount")))),
		all(sent("creditorDocument"), not(taxID("creditorDocument"))),
		all(urgent, lacking("creditorDocument")),
		kind("description", "number", "object", "list", "boolean"),
		kind("ispbDeny", "number", "object", "text", "boolean"),
	} {
		if wrong(c, nil) {
			n++
		}
	}
	return n
}

// askedAcross holds for an interval of more than so many days.
func askedAcross(days int) condition {
	return func(c *call, _ *answer) bool {
		start, end := c.askedDate("startDate"), c.askedDate("endDate")
		return !start.IsZero() && !end.IsZero() && end.Sub(start) > time.Duration(days)*24*time.Hour
	}
}

// malformed holds for a parameter that is no date.
func malformed(name string) condition {
	return func(c *call, _ *answer) bool { return c.asked(name) != "" && c.askedDate(name).IsZero() }
}

// invalidCode is what the reference calls a code that it cannot read.
const invalidCode = pix.CodeInvalidQRCode
