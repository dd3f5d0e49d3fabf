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
		language.NoteForPayer: "Pedido 12",
	} {
		spelled := oddCodes[odd](code)
		_, err := brcode.Read(spelled)
		assert.NoError(t, err, odd)
		assert.Contains(t, spelled, has, odd)
	}
	plain := code.String()
	for odd, end := range map[language.Oddity]string{
		language.NoCRC: "0503***", language.EmptyCRC: "0503***6304", language.ShortCRC: "", language.LongCRC: "",
		language.LongField: "", language.ShortField: "",
	} {
		spelled := oddCodes[odd](code)
		_, err := brcode.Read(spelled)
		assert.Error(t, err, odd)
		assert.True(t, strings.HasSuffix(spelled, end), odd)
		assert.NotEqual(t, plain, spelled)
	}
}

func TestTheRequestIsSentSoManyTimes(t *testing.T) {
	t.Parallel()
	names, _, _ := variantsOf(t, nil, "the account sends a cash-out\nAnd the account sends the request again 3 times")
	assert.Equal(t, []string{"time 1 of 3", "time 2 of 3", "time 3 of 3"}, names)
}
