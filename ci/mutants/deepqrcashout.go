package mutants

import (
	"regexp"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/steps/api"
)

var deepQRCashOutMutants = []deepRow{
	{"takes less than the amount of the code", OneBody, "OQR-009", "qr-cash-out.embedded-amount",
		accepting(qrCashOut, all(refusedAs(pix.CodeQRCodeMismatch), lessThanCode), set("qrCode", `"`+anyCode+`"`)),
		`qr 10.00 code.amount=20.00 =400`},
	{"refuses a code whose amount a float cannot hold", BenignData, "OQR-008", "qr-cash-out.embedded-amount",
		refusing(qrCashOut, all(inexact("value"), codeWithAmount), 400, pix.CodeQRCodeMismatch),
		`qr 142.20 code.amount=142.20`},
	{"refuses a code whose checksum begins with zero", BenignData, "OQR-029", "qr-cash-out.code",
		refusing(qrCashOut, matching("qrCode", `63040[0-9A-F]{3}$`), 400, pix.CodeInvalidQRCode),
		`qr 10.00 code.checksum=0`},
	{"pays an externalId to a code again after two other codes", History, "OQR-023", "qr-cash-out.duplicate-external-id",
		accepting(qrCashOut, all(was(409), followed(2, qrCashOut, same("externalId"))), fresh("externalId")),
		`qr 10.00 externalId=x; 2x qr 1.00; qr 10.00 externalId=x =409`},
	{"refuses to pay a static code again", Second, "OQR-029", "qr-cash-out.accepted",
		refusing(qrCashOut, after(1, qrCashOut, byTheSame, taken, same("qrCode"), other("externalId")), 400, pix.CodeInvalidQRCode),
		`qr 10.00 code.key=loja@example.com; qr 11.00 code.key=loja@example.com`},
	{"does not check the document where there is no name", OneBody, "OQR-028", "qr-cash-out.optional-fields",
		accepting(qrCashOut, all(lacking("name"), sent("document"), not(taxID("document"))), drop("document")),
		`qr 10.00 document="123" =400`},
	{"sends no event of a rejected code payment without a document", OneBody, "OQR-042", "qr-cash-out.outcome",
		silent(`p.kind = 'cash-out-qrcode' AND p.status = 'ERROR' AND p.counterpart_document = ''`),
		`hook cash_out a; manual; qr 10.00 as a; settle $a.tid ORDER_REJECTED`},
	{"leaves the fee out of the final amount of a code payment", Sums, "EVT-021", "delivery.cash-out-amounts",
		reporting(`p.kind = 'cash-out-qrcode' AND p.fee > 0`, `$.finalAmount`, `p.amount / 100.0`),
		`hook cash_out a; fees out=0.50; qr 10.00`},
	{"rounds a third decimal where the code has no amount", OneBody, "OQR-007", "qr-cash-out.value",
		accepting(qrCashOut, all(finer("value"), not(codeWithAmount)), plus("value", 0)),
		`qr 10.001 =400`},
	{"lists the final amount of a code payment without its fee", Sums, "LTX-040", "listed.fields",
		answeringBy(transactions, codesWithoutFee),
		`fees out=0.50; qr 10.00; list`},
	{"refuses a CPF with a leading zero next to a code", BenignData, "OQR-028", "qr-cash-out.optional-fields",
		refusing(qrCashOut, matching("document", `^0\d{10}$`), 400, api.HTTPError),
		`qr 10.00 document="01234567890"`},
	{"wants no externalId for a code with an amount", OneBody, "OQR-020", "qr-cash-out.external-id",
		accepting(qrCashOut, all(lacking("externalId"), codeWithAmount), fresh("externalId")),
		`qr 10.00 code.amount=10.00 externalId=- =400`},
}

// amountInCode is the amount of a BR Code: field 54, after the currency.
var amountInCode = regexp.MustCompile(`530398654\d\d(\d+(?:\.\d+)?)58`)

// codeWithAmount holds for a code that says what is to be paid, lessThanCode for a value
// below that.
func codeWithAmount(c *call, _ *answer) bool {
	return amountInCode.MatchString(textAt(c.body, "qrCode"))
}

func lessThanCode(c *call, a *answer) bool {
	m := amountInCode.FindStringSubmatch(textAt(c.body, "qrCode"))
	return m != nil && below("value", m[1])(c, a)
}

// codesWithoutFee lists the final amounts of payments to codes without their fees.
func codesWithoutFee(c *call, _ *answer) []edit {
	paid := map[any]bool{}
	for _, e := range c.before(qrCashOut, byTheSame, taken) {
		paid[textAt(e.call.body, "externalId")] = true
	}
	return []edit{eachItem("data", func(_ int, item map[string]any) {
		if paid[item["externalId"]] {
			item["finalAmount"] = item["originalAmount"]
		}
	})}
}
