package world

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/brcode"
	"github.com/pixcert/pixcert/steps/language"
)

func TestNearKeysAreOfTheSameKind(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"52998224725":                          "52998224806",
		"11222333000181":                       "11222333000262",
		"+5511987654329":                       "+5511987654320",
		"payee@payee.example":                  "1payee@payee.example",
		"7d9f0335-8dcc-4054-9bf9-0dbd61d36900": "7d9f0335-8dcc-4054-9bf9-0dbd61d36901",
	} {
		assert.Equal(t, want, nearKey(key))
	}
	for kind, fresh := range unknownKeys {
		assert.NotEqual(t, fresh(), fresh(), kind)
	}
}

func TestOddCodes(t *testing.T) {
	t.Parallel()
	code := brcode.Code{Location: "payee@payee.example", Payee: payee.name}
	for odd, has := range map[language.Oddity]string{
		language.CapitalGUI: "0014BR.GOV.BCB.PIX01", language.OtherTemplate: "00020151", language.Reusable: "00020101021126",
		language.OtherCategory: "52045812", language.PostalCode: "610870074900", language.OtherLanguage: "0106Fulano",
		language.NoteForPayer: "Pedido 12", language.NoteForPayee: "0209Pedido 12", language.OtherSchemes: "27300012com.exemplo1",
		language.OtherOrder: "503***53039865204", language.LongestName: "5925", language.LongestCity: "6015", language.LongestTxID: "0525",
		language.PhoneInCode: "0114+55119", language.CPFInCode: "01111", language.EVPInCode: "0136", language.CRCTagInKey: "6304", language.CRCTagInName: "Padaria 6304",
	} {
		spelled := oddCodes[odd](code)
		fields, err := brcode.Read(spelled)
		assert.NoError(t, err, odd)
		assert.Equal(t, spelled, fields.String(), odd)
		assert.True(t, brcode.Is(spelled), odd)
		assert.Contains(t, spelled, has, odd)
	}
	plain := code.String()
	for odd, end := range map[language.Oddity]string{
		language.NoCRC: "0503***", language.EmptyCRC: "0503***6304", language.ShortCRC: "", language.LongCRC: "",
		language.WrongCRCStart: plain[len(plain)-3:], language.TextAfterCRC: "ABCD", language.FieldAfterCRC: "com.exemplo", language.SpaceBefore: plain,
		language.LongField: "", language.ShortField: "", language.LengthNoNumber: "",
	} {
		spelled := oddCodes[odd](code)
		_, err := brcode.Read(spelled)
		assert.True(t, err != nil || !strings.HasPrefix(spelled, "000201"), odd)
		assert.True(t, strings.HasSuffix(spelled, end), odd)
		assert.NotEqual(t, plain, spelled)
	}
	for odd, has := range map[language.Oddity]string{ // sealed, and still no code to pay
		language.LongKey: "br.gov.bcb.pix0199payee", language.OtherGUI: "0014com.exemplo", language.LongGUI: "0016br.gov.bcb.pixel01", language.NoKey: "26180014br.gov.bcb.pix52",
		language.NoName: "5802BR60", language.NoCity: "Tal62", language.NoCurrency: "520400005802BR", language.OtherCurrency: "5303840",
		language.AmountNoNumber: "5404ABCD", language.AmountComma: "54041,00", language.AmountNegative: "5405-1.00",
	} {
		spelled := oddCodes[odd](code)
		_, err := brcode.Read(spelled)
		assert.NoError(t, err, odd)
		assert.Contains(t, spelled, has, odd)
	}
	equal := oddCodes[language.EqualAsNumber](code)
	assert.Regexp(t, `63040E\d\d$`, equal)
	assert.Regexp(t, `^0E\d\d$`, brcode.Checksum(brcode.Body(equal)))
	assert.NotEqual(t, brcode.Checksum(brcode.Body(equal)), equal[len(equal)-4:])
}

func TestTheRequestIsSentSoManyTimes(t *testing.T) {
	t.Parallel()
	names, _, _ := variantsOf(t, nil, "the account sends a cash-out\nAnd the account sends the request again 3 times")
	assert.Equal(t, []string{"time 1 of 3", "time 2 of 3", "time 3 of 3"}, names)
}
