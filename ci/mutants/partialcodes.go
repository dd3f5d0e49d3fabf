package mutants

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var partialCodeMutants = []partialRow{
	{"refuses an amount without decimals in field 54", Codes, "OQR-008",
		refusing(qrCashOut, embedded(func(amount string) bool { return !strings.Contains(amount, ".") }), 400, invalidCode),
		payingCode(`198`, `00020126580014br.gov.bcb.pix01365a5ea8c2-cbb5-4c25-a7be-2a778871fc5f52040000530398654031985802BR5911Arrumadinho6008Brasilia62290525e433v1530u155f31mSushiPro63048381`, "")},
	{"refuses dynamic codes that carry no amount", Codes, "OQR-011",
		refusing(qrCashOut, all(dynamicCode, not(withAmount)), 400, invalidCode),
		payingCode(`5.00`, `00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4`, "")},
	{"counts field 59 in bytes, so that a name with an accent breaks the code", Codes, "OQR-001",
		refusing(qrCashOut, codeField("59", func(s string) bool { return len(s) > len([]rune(s)) }), 400, invalidCode),
		payingCode(`10.00`, `00020126580014br.gov.bcb.pix01367c9e6679-7425-40de-944b-e07fc1f90ae7520400005303986540510.005802BR5913João da Silva6008BRASILIA62070503***63049768`, "")},
	{"refuses amounts of more than ten characters in field 54", Codes, "OQR-016",
		refusing(qrCashOut, codeField("54", func(s string) bool { return len(s) > 10 }), 400, invalidCode),
		`fund 20000000.00; limits perTransaction=20000000.00 daily=20000000.00; ` + payingCode(`12345678.90`, staticOf("541112345678.90"), "")},
	{"refuses a right code whose CRC begins with a zero", Codes, "OQR-019",
		refusing(qrCashOut, matching("qrCode", `63040[0-9A-F]{3}$`), 400, invalidCode),
		`qr 10.00 code.checksum=0`},
	{"looks for the first 6304 in the text and takes it for the CRC field", Codes, "OQR-029",
		refusing(qrCashOut, words("qrCode", func(s string) bool { i := strings.Index(s, "6304"); return i >= 0 && i < len(s)-8 }), 400, invalidCode),
		`qr 10.00 code.key=7c9e6304-7425-40de-944b-e07fc1f90ae7`},
	{"decodes the plus sign of a phone key in the code as a space and then finds the CRC wrong", Codes, "OQR-001",
		refusing(qrCashOut, matching("qrCode", `\+`), 400, invalidCode),
		`qr 10.00 code.key=+5511999998888`},
	{"refuses a city of 15 characters", Codes, "OQR-001",
		refusing(qrCashOut, codeField("60", func(s string) bool { return len(s) == 15 }), 400, invalidCode),
		payingCode(`10.00`, checksummed(staticBody("540510.00", "5913Fulano de Tal", "6015RIBEIRAO PRETO1", "0503***")), "")},
	{"refuses a name of 25 characters in field 59", Codes, "OQR-001",
		refusing(qrCashOut, codeField("59", func(s string) bool { return len(s) == 25 }), 400, invalidCode),
		payingCode(`10.00`, checksummed(staticBody("540510.00", "5925Comercio de Teste Ltda ME", "6008BRASILIA", "0503***")), "")},
	{"refuses a code whose txid has 25 characters", Codes, "OQR-001",
		refusing(qrCashOut, codeField("62", func(s string) bool { return strings.HasPrefix(s, "0525") }), 400, invalidCode),
		payingCode(`10.00`, checksummed(staticBody("540510.00", "5913Fulano de Tal", "6008BRASILIA", "0525PEDIDO0000000000000000123")), "")},
	{"refuses the second payment of a static code without amount as already used", Codes, "OQR-011",
		refusing(qrCashOut, all(not(withAmount), not(dynamicCode), after(1, qrCashOut, byTheSame, taken, same("qrCode"), other("externalId"))), 400, invalidCode),
		`qr 1.00; qr 2.00`},
	{"reads an amount of 0.01 in field 54 as absent and refuses it", Codes, "OQR-008",
		refusing(qrCashOut, embedded(func(amount string) bool { return amount == "0.01" }), 400, invalidCode),
		`qr 0.01 code.amount=0.01`},
	{"does not check the CRC of dynamic codes", Codes, "OQR-019",
		accepting(qrCashOut, all(refusedAs(invalidCode), dynamicCode, wrongChecksum), retold("qrCode", rechecked)),
		payingCode(`10.00`, dynamicOfTen[:len(dynamicOfTen)-4]+"0000", " =400")},
	{"compares CRCs of the form 0E12 as numbers, so that 0E99 equals 0E12", Codes, "OQR-019",
		accepting(qrCashOut, all(refusedAs(invalidCode), words("qrCode", func(s string) bool {
			zero := regexp.MustCompile(`6304[0-9]E[0-9]{2}$`)
			return zero.MatchString(s) && zero.MatchString(rechecked(s)) && s[len(s)-4] == '0' && rechecked(s)[len(s)-4] == '0'
		})), retold("qrCode", rechecked)),
		payingCode(`10.00`, `00020126580014br.gov.bcb.pix01367c9e6679-7425-40de-944b-e07fc1f90ae7520400005303986540510.005802BR5913Fulano de Tal6008BRASILIA62110507T00046863040E99`, " =400")},
	{"accepts a length that runs past the end of the code", Codes, "OQR-019",
		acceptingCode(func(c brCode) bool { return c.overrun }),
		payingCode(`10.00`, checksummed(`00020126580014br.gov.bcb.pix01367c9e6679-7425-40de-944b-e07fc1f90ae7520400005303986540510.005802BR5913Fulano de Tal6008BRASILIA62400503***`), " =400")},
	{"accepts a code in another currency", Codes, "OQR-019",
		acceptingCode(func(c brCode) bool { return c.whole && c.fields["53"] != "986" && c.fields["53"] != "" }),
		payingCode(`10.00`, checksummed(strings.Replace(staticBody("540510.00", "5913Fulano de Tal", "6008BRASILIA", "0503***"), "5303986", "5303840", 1)), " =400")},
	{"accepts a code that has no PIX account in field 26", Codes, "OQR-019",
		acceptingCode(func(c brCode) bool { return c.whole && !strings.Contains(c.fields["26"], "br.gov.bcb.pix") }),
		payingCode(`10.00`, checksummed(`00020126590015com.example.pay01367c9e6679-7425-40de-944b-e07fc1f90ae7520400005303986540510.005802BR5913Fulano de Tal6008BRASILIA62070503***`), " =400")},
	{"accepts text after the CRC", Codes, "OQR-019",
		accepting(qrCashOut, all(refusedAs(invalidCode), matching("qrCode", `6304[0-9A-F]{4}.+$`)), retold("qrCode", func(s string) string {
			return regexp.MustCompile(`^(.*?6304[0-9A-F]{4}).+$`).ReplaceAllString(s, "$1")
		})),
		payingCode(`10.00`, staticOf("540510.00")+"ABCD", " =400")},
	{"accepts a code without city", Codes, "OQR-019",
		acceptingCode(func(c brCode) bool { return c.whole && c.fields["60"] == "" }),
		payingCode(`10.00`, checksummed(staticBody("540510.00", "5913Fulano de Tal", "", "0503***")), " =400")},
	{"treats an amount that is no number as absent", Codes, "OQR-019",
		acceptingCode(func(c brCode) bool { return c.whole && c.fields["54"] != "" && !numeral.MatchString(c.fields["54"]) }),
		payingCode(`3.00`, staticOf("5405ABCDE"), " =400")},
	{"trims spaces before it looks for 000201", Codes, "OQR-018",
		accepting(qrCashOut, matching("qrCode", `^\s+000201`), retold("qrCode", strings.TrimSpace)),
		payingCode(`10.00`, " "+staticOf("540510.00"), " =400")},
	{"accepts any GUI that begins with br.gov.bcb.pix", Codes, "OQR-019",
		acceptingCode(func(c brCode) bool {
			return c.whole && regexp.MustCompile(`^00\d\dbr\.gov\.bcb\.pix[a-z]`).MatchString(c.fields["26"])
		}),
		payingCode(`10.00`, checksummed(`00020126600016br.gov.bcb.pixel01367c9e6679-7425-40de-944b-e07fc1f90ae7520400005303986540510.005802BR5913Fulano de Tal6008BRASILIA62070503***`), " =400")},
	{"accepts a field 26 with neither key nor URL", Codes, "OQR-019",
		acceptingCode(func(c brCode) bool { return c.whole && c.fields["26"] == "0014br.gov.bcb.pix" }),
		payingCode(`10.00`, checksummed(`00020126180014br.gov.bcb.pix520400005303986540510.005802BR5913Fulano de Tal6008BRASILIA62070503***`), " =400")},
	{"accepts a length that is no number", Codes, "OQR-019",
		acceptingCode(func(c brCode) bool { return c.noLength }),
		payingCode(`10.00`, checksummed(staticBody("540510.00", "5913Fulano de Tal", "600XBRASILIA", "0503***")), " =400")},
	{"accepts a code that is cut off before its CRC when it is longer than 100 characters", Codes, "OQR-019",
		accepting(qrCashOut, all(longer("qrCode", 100), not(longer("qrCode", 492)), not(matching("qrCode", `6304[0-9A-F]{0,4}$`)), matching("qrCode", `^000201`)), retold("qrCode", checksummed)),
		payingCode(`10.00`, staticBody("540510.00", "5913Fulano de Tal", "6008BRASILIA", "0503***"), " =400")},
	{"measures the length of qrCode without the fields from 80 on", Codes, "OQR-017",
		accepting(qrCashOut, all(longer("qrCode", 500), words("qrCode", func(s string) bool {
			c := parsedCode(s)
			return c.whole && len(s)-c.unreserved <= 500
		})), knownCode),
		payingCode(`10.00`, checksummed(staticBody("540510.00", "5913Fulano de Tal", "6008BRASILIA", "0503***")+padded(80)+padded(81)+padded(82)+padded(83)), " =400")},
	{"writes the CRC of pixCode without its leading zero", Codes, "IN-057",
		recoding(cashIn, "pixCode", accepted, func(_ *call, code string) string {
			return regexp.MustCompile(`63040([0-9A-F]{3})$`).ReplaceAllString(code, "6304$1")
		}), ""},
	{"counts a description with accents in bytes inside pixCode", Codes, "IN-057",
		recoding(cashIn, "pixCode", all(accepted, nonASCII("transaction.description")), func(c *call, code string) string {
			return described(c, code, func(text string) string { return fmt.Sprintf("%02d", len(text)) })
		}),
		`in 10.00 transaction.description='Cobrança três' as c; qr 10.00 qrCode=$c.pixCode`},
	{"writes a length of three digits when the description is longer than 99 characters", Codes, "IN-057",
		recoding(cashIn, "pixCode", all(accepted, longer("transaction.description", 99)), func(c *call, code string) string {
			return described(c, code, func(text string) string { return strconv.Itoa(len([]rune(text))) })
		}),
		`in 10.00 transaction.description=a*140 as c; qr 10.00 qrCode=$c.pixCode`},
	{"makes a pixCode with a lower-case or wrong CRC when generateQrCode is true", Codes, "IN-057",
		recoding(cashIn, "pixCode", all(accepted, sent("transaction.generateQrCode", `true`)), func(_ *call, code string) string {
			crc, _ := strconv.ParseUint(code[max(0, len(code)-4):], 16, 32) // it is one
			return code[:max(0, len(code)-4)] + fmt.Sprintf("%04X", uint16(crc)+1)
		}),
		`in 10.00 transaction.generateQrCode=true as c; qr 10.00 qrCode=$c.pixCode`},
	{"leaves the CRC out of location but not of loc.location when solicitacaoPagador is present", Codes, "COB-044",
		recoding(cob, "location", all(accepted, sent("solicitacaoPagador")), func(_ *call, code string) string { return code[:max(0, len(code)-4)] }),
		`cob 10.00 solicitacaoPagador=x as c; qr 10.00 qrCode=$c.location`},
}

// payingCode is the story of a payment to a code.
func payingCode(value, code, expected string) string {
	return `qr ` + value + ` qrCode='` + code + `'` + expected
}

// staticBody is a static code to a random key, up to its checksum.
func staticBody(amount, name, city, txid string) string {
	return `00020126580014br.gov.bcb.pix01367c9e6679-7425-40de-944b-e07fc1f90ae7520400005303986` + amount + `5802BR` + name + city + fmt.Sprintf("62%02d%s", len(txid), txid)
}

// staticOf is a static code with an amount.
func staticOf(amount string) string {
	return checksummed(staticBody(amount, "5913Fulano de Tal", "6008BRASILIA", "0503***"))
}

// padded is a field of the greatest length, as short as four of them need to be beyond the limit.
func padded(id int) string { return strconv.Itoa(id) + "99" + strings.Repeat("x", 99) }

// checksummed completes a code.
func checksummed(body string) string {
	body += "6304"
	crc := uint16(0xFFFF)
	for _, b := range []byte(body) {
		crc ^= uint16(b) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return body + fmt.Sprintf("%04X", crc)
}

// rechecked gives a code the right checksum.
func rechecked(code string) string {
	if len(code) < 8 {
		return code
	}
	return checksummed(code[:len(code)-8])
}

// wrongChecksum holds for a code with another checksum than its own.
var wrongChecksum = words("qrCode", func(s string) bool {
	return regexp.MustCompile(`6304[0-9A-F]{4}$`).MatchString(s) && rechecked(s) != s
})

// brCode is what is in a BR Code.
type brCode struct {
	fields     map[string]string
	whole      bool // its fields fill it, and the checksum is right
	overrun    bool // a length runs past the end
	noLength   bool // a length is no number
	unreserved int  // the length of its fields from 80 on
}

// parsedCode reads the fields of a code, as far as it can.
func parsedCode(text string) brCode {
	c := brCode{fields: map[string]string{}}
	r := []rune(text)
	for len(r) >= 4 {
		id := string(r[:2])
		n, err := strconv.Atoi(string(r[2:4]))
		if err != nil {
			c.noLength = true
			return c
		}
		if len(r) < 4+n {
			c.overrun = true
			return c
		}
		c.fields[id] = string(r[4 : 4+n])
		if id >= "80" {
			c.unreserved += 4 + n
		}
		r = r[4+n:]
	}
	c.whole = len(r) == 0 && c.fields["63"] != "" && rechecked(text) == text
	return c
}

// codeField holds for a code with a field that is such.
func codeField(id string, such func(string) bool) condition {
	return words("qrCode", func(s string) bool {
		value, has := parsedCode(s).fields[id]
		return has && such(value)
	})
}

// acceptingCode takes codes that are invalid in such a way, and no other, for another code.
func acceptingCode(such func(brCode) bool) fault {
	return accepting(qrCashOut, all(refusedAs(invalidCode), matching("qrCode", `^000201`), not(wrongChecksum), words("qrCode", func(s string) bool { return such(parsedCode(s)) })), knownCode)
}

// described puts the description of a charge into the receiver's field of its code, with its length as it is written.
func described(c *call, code string, length func(text string) string) string {
	text := textAt(c.body, "transaction.description")
	was := parsedCode(code).fields["26"]
	if was == "" {
		return code
	}
	is := was + "02" + length(text) + text
	old := fmt.Sprintf("26%02d%s", len([]rune(was)), was)
	return rechecked(strings.Replace(code, old, fmt.Sprintf("26%02d%s", len([]rune(is)), is), 1))
}

// recoding answers other codes of charges where the condition holds, which can be paid all the same.
func recoding(at *endpoint, path string, when condition, recode func(c *call, code string) string) fault {
	var codes sync.Map // the true ones, by the others
	return both(
		afterAnswer(at, when, func(c *call, a *answer, _ server) *answer {
			right := textAt(a.body, path)
			other := recode(c, right)
			codes.Store(other, right)
			return a.edited(set(path, string(encode(other))))
		}),
		misreadingBy(payment, func(c *call) []edit {
			if right, known := codes.Load(textAt(c.body, "pixCode")); known {
				return []edit{set("pixCode", string(encode(right)))}
			}
			return nil
		}))
}
