package pix

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestBRCodeReadsAndWritesThePublishedCodes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]BRCode{
		"00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D": {
			Key: "123e4567-e12b-12d1-a456-426655440000", Name: "Fulano de Tal", City: "BRASILIA",
		},
		"00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4": {
			Dynamic: true, URL: "pix.example.com/8b3da2f39a4140d1a91abd93113bd441", Name: "Fulano de Tal", City: "BRASILIA",
		},
		"00020126580014br.gov.bcb.pix01365a5ea8c2-cbb5-4c25-a7be-2a778871fc5f52040000530398654031985802BR5911Arrumadinho6008Brasilia62290525e433v1530u155f31mSushiPro63048381": {
			Key: "5a5ea8c2-cbb5-4c25-a7be-2a778871fc5f", Amount: 198_00, Name: "Arrumadinho", City: "Brasilia", TxID: "e433v1530u155f31mSushiPro",
		},
	} {
		got, err := ParseBRCode(text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		if want.Amount == 0 { // the third writes its amount without decimals
			assert.Equal(t, text, want.String())
		}
	}
}

func TestChecksumIsTheOneOfTheStandard(t *testing.T) {
	t.Parallel()
	assert.Equal(t, uint16(0x29B1), crc16("123456789"))
}

// tlv writes fields, given as id and value by turns, with their checksum.
func tlv(fields ...string) string { return withChecksum(template(fields...)) }

func template(fields ...string) string {
	var b strings.Builder
	for i := 0; i < len(fields); i += 2 {
		put(&b, fields[i], fields[i+1])
	}
	return b.String()
}

var receiver = template("00", "br.gov.bcb.pix", "01", "a@b.c")

func TestParseBRCodeTakesWhatOtherBanksWrite(t *testing.T) {
	t.Parallel()
	capitals := template("00", "BR.GOV.BCB.PIX", "01", "a@b.c")
	for name, text := range map[string]string{
		"no decimals":               tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "54", "10", "58", "BR", "59", "José", "60", "B"),
		"one decimal":               tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "54", "10.0", "58", "BR", "59", "José", "60", "B"),
		"fields in another order":   tlv("00", "01", "60", "B", "59", "José", "58", "BR", "54", "10.00", "53", "986", "52", "0000", "26", receiver),
		"scheme in capitals":        tlv("00", "01", "26", capitals, "52", "0000", "53", "986", "54", "10.00", "58", "BR", "59", "José", "60", "B"),
		"another scheme beside PIX": tlv("00", "01", "26", template("00", "abc"), "27", receiver, "52", "0000", "53", "986", "54", "10.00", "58", "BR", "59", "José", "60", "B"),
		"a field nobody knows":      tlv("00", "01", "26", receiver, "52", "5411", "53", "986", "54", "10.00", "58", "BR", "59", "José", "60", "B", "80", template("00", "com.example", "01", "xyz")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseBRCode(text)
			require.NoError(t, err)
			assert.Equal(t, BRCode{Key: "a@b.c", Amount: 10_00, Name: "José", City: "B"}, got)
		})
	}
}

func TestParseBRCodeRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, because string }{
		"nothing":            {"", "checksum"},
		"a wrong checksum":   {"00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3E", "checksum"},
		"a small checksum":   {strings.ToLower(BRCode{Key: "a@b.c", Name: "A", City: "B"}.String()), "checksum"},
		"name in bytes":      {withChecksum(template("00", "01", "26", receiver, "52", "0000", "53", "986", "58", "BR") + "5905José" + template("60", "B")), "four digits"},
		"a short last field": {withChecksum(template("00", "01", "26", receiver, "52", "0000", "53", "986", "58", "BR", "59", "A") + "6009B"), "9 characters"},
		"a field twice":      {tlv("00", "01", "26", receiver, "26", receiver, "52", "0000", "53", "986", "58", "BR", "59", "A", "60", "B"), "twice"},
		"another format":     {tlv("00", "02", "26", receiver, "52", "0000", "53", "986", "58", "BR", "59", "A", "60", "B"), "field 00"},
		"another currency":   {tlv("00", "01", "26", receiver, "52", "0000", "53", "840", "58", "BR", "59", "A", "60", "B"), "field 53"},
		"another country":    {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "58", "US", "59", "A", "60", "B"), "field 58"},
		"no category":        {tlv("00", "01", "26", receiver, "53", "986", "58", "BR", "59", "A", "60", "B"), "field 52"},
		"no name":            {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "58", "BR", "60", "B"), "field 59"},
		"a long name":        {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "58", "BR", "59", strings.Repeat("A", 26), "60", "B"), "field 59"},
		"no city":            {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "58", "BR", "59", "A"), "field 60"},
		"no receiver":        {tlv("00", "01", "52", "0000", "53", "986", "58", "BR", "59", "A", "60", "B"), "receiver"},
		"another scheme":     {tlv("00", "01", "26", template("00", "abc", "01", "k"), "52", "0000", "53", "986", "58", "BR", "59", "A", "60", "B"), "receiver"},
		"key and address":    {tlv("00", "01", "26", receiver+template("25", "p.br/1"), "52", "0000", "53", "986", "58", "BR", "59", "A", "60", "B"), "field 26"},
		"three decimals":     {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "54", "1.234", "58", "BR", "59", "A", "60", "B"), "field 54"},
		"an exponent":        {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "54", "1e1", "58", "BR", "59", "A", "60", "B"), "field 54"},
		"a long amount":      {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "54", "10000000000.00", "58", "BR", "59", "A", "60", "B"), "field 54"},
		"trailing zeros":     {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "54", "10.000", "58", "BR", "59", "A", "60", "B"), "field 54"},
		"no fields inside":   {tlv("00", "01", "26", receiver, "27", "xyz", "52", "0000", "53", "986", "58", "BR", "59", "A", "60", "B"), "field 27"},
		"no scheme":          {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "58", "BR", "59", "A", "60", "B", "80", template("01", "x")), "field 80"},
		"https":              {tlv("00", "01", "26", template("00", "br.gov.bcb.pix", "25", "https://p.br/1"), "52", "0000", "53", "986", "58", "BR", "59", "A", "60", "B"), "without its scheme"},
		"a long city":        {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "58", "BR", "59", "A", "60", strings.Repeat("B", 16)), "field 60"},
		"a long txid":        {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "58", "BR", "59", "A", "60", "B", "62", template("05", strings.Repeat("x", 26))), "txid"},
		"a txid with spaces": {tlv("00", "01", "26", receiver, "52", "0000", "53", "986", "58", "BR", "59", "A", "60", "B", "62", template("05", "a b")), "txid"},
		"not UTF-8":          {"000201\xff", "UTF-8"},
		"digits of no key":   {BRCode{Key: "43214833", Name: "A", City: "B"}.String(), "PIX key"},
		"a word as a key":    {BRCode{Key: "loja", Name: "A", City: "B"}.String(), "PIX key"},
		"a key without @":    {BRCode{Key: "loja.example.com", Name: "A", City: "B"}.String(), "PIX key"},
		"half a UUID":        {BRCode{Key: "123e4567-e12b-12d1-a456", Name: "A", City: "B"}.String(), "PIX key"},
		"half a phone":       {BRCode{Key: "+551199999", Name: "A", City: "B"}.String(), "PIX key"},
		"a port beyond all":  {BRCode{URL: "p.br:70000/1", Name: "A", City: "B"}.String(), "port"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseBRCode(test.text)
			assert.ErrorContains(t, err, test.because)
		})
	}
}

func TestChecksumKeepsItsLeadingZero(t *testing.T) {
	t.Parallel()
	code := BRCode{Key: "a@b.c", Name: "A", City: "B"}
	for code.Amount = 1; !strings.Contains(code.String(), "63040"); code.Amount++ {
		require.Less(t, code.Amount, Centavos(10_000), "no amount gives a checksum with a leading zero")
	}
	text := code.String()
	_, err := ParseBRCode(text)
	require.NoError(t, err)

	lost := text[:len(text)-4] + text[len(text)-3:]
	_, err = ParseBRCode(lost)
	assert.ErrorContains(t, err, "checksum")
}

func TestBRCodeFoldsAndCutsNames(t *testing.T) {
	t.Parallel()
	got, err := ParseBRCode(BRCode{Key: "a@b.c", Name: "Associação dos Órgãos de São João", City: "São José do Rio Preto €"}.String())
	require.NoError(t, err)
	assert.Equal(t, "Associacao dos Orgaos de ", got.Name)
	assert.Equal(t, "Sao Jose do Rio", got.City)
}

func anyBRCode(t *rapid.T) BRCode {
	code := BRCode{
		Dynamic: rapid.Bool().Draw(t, "dynamic"),
		Amount:  Centavos(rapid.Int64Range(0, 9_999_999_999_99).Draw(t, "amount")),
		Name:    rapid.StringMatching(`[ -~]{1,25}`).Draw(t, "name"),
		City:    rapid.StringMatching(`[ -~]{1,15}`).Draw(t, "city"),
		TxID:    rapid.StringMatching(`[a-zA-Z0-9]{0,25}`).Draw(t, "txid"),
	}
	if rapid.Bool().Draw(t, "has a key") {
		code.Key = rapid.StringMatching(`[0-9]{11}|[0-9]{14}|\+55[0-9]{10,11}|[a-z0-9]{1,60}@[a-z]{1,8}\.[a-z]{2,3}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`).Draw(t, "key")
	} else {
		code.URL = rapid.StringMatching(`[a-z.]{1,30}(/[!-~]{1,40})?`).Draw(t, "URL")
	}
	return code
}

func TestBRCodeIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := anyBRCode(t)
		got, err := ParseBRCode(want.String())
		require.NoError(t, err)
		assert.Equal(t, want, got)
	})
}

// A CRC of 16 bits sees every change within two neighbouring bytes.
func TestBRCodeWithOneOtherCharacterIsRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(anyBRCode(t).String())
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		text[at] = rapid.ByteRange(' ', '~').Filter(func(c byte) bool { return c != text[at] }).Draw(t, "other")
		_, err := ParseBRCode(string(text))
		assert.Error(t, err)
	})
}

func FuzzParseBRCode(f *testing.F) {
	f.Add(template("00", "01", "26", receiver, "52", "0000", "53", "986", "58", "BR", "59", "A", "60", "B"))
	f.Fuzz(func(t *testing.T, body string) {
		code, err := ParseBRCode(withChecksum(body))
		if err == nil {
			assert.NotEqual(t, code.Key == "", code.URL == "")
		}
	})
}
