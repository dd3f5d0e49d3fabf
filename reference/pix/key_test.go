package pix_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestKeyFormats(t *testing.T) {
	t.Parallel()
	uuid := "7d9f0335-8dcc-4054-9bf9-0dbd61d36906"
	for _, test := range []struct {
		keyType   pix.KeyType
		key       string
		canonical string // empty: the key does not have the format
	}{
		{pix.KeyDocument, "52998224725", "52998224725"},
		{pix.KeyDocument, "11222333000181", "11222333000181"},
		{pix.KeyDocument, "529.982.247-25", ""},
		{pix.KeyDocument, "5299822472", ""},
		{pix.KeyDocument, "529982247250", ""},
		{pix.KeyDocument, "1122233300018", ""},
		{pix.KeyDocument, "112223330001810", ""},
		{pix.KeyDocument, "12ABC34501DE35", ""},
		{pix.KeyEmail, "fulano.de.tal@example.com", "fulano.de.tal@example.com"},
		{pix.KeyEmail, "FULANO@EXAMPLE.COM", "fulano@example.com"},
		{pix.KeyEmail, "a+b@x.co", "a+b@x.co"},
		{pix.KeyEmail, "fulano@", ""},
		{pix.KeyEmail, "@example.com", ""},
		{pix.KeyEmail, "fulano.example.com", ""},
		{pix.KeyEmail, "fulano@localhost", ""},
		{pix.KeyEmail, "fulano@example..com", ""},
		{pix.KeyEmail, "fulano@-example.com", ""},
		{pix.KeyEmail, ".fulano@example.com", ""},
		{pix.KeyEmail, "ful..ano@example.com", ""},
		{pix.KeyEmail, "ful ano@example.com", ""},
		{pix.KeyEmail, "fulano@exa@mple.com", ""},
		{pix.KeyEmail, "52998224725", ""},
		{pix.KeyEmail, strings.Repeat("a", 64) + "@exam.ple.com", strings.Repeat("a", 64) + "@exam.ple.com"},
		{pix.KeyEmail, strings.Repeat("a", 65) + "@example.com", ""},
		{pix.KeyEmail, strings.Repeat("a", 64) + "@example.ple.com", ""},
		{pix.KeyPhone, "1133334444", "+551133334444"},
		{pix.KeyPhone, "11987654321", "+5511987654321"},
		{pix.KeyPhone, "119876543", ""},
		{pix.KeyPhone, "119876543210", ""},
		{pix.KeyPhone, "+5511987654321", ""},
		{pix.KeyRandom, uuid, uuid},
		{pix.KeyRandom, strings.ToUpper(uuid), uuid},
		{pix.KeyRandom, "7d9f03358dcc40549bf90dbd61d36906", uuid},
		{pix.KeyRandom, "abc", ""},
		{pix.KeyRandom, uuid[:35], ""},
		{pix.KeyRandom, uuid[:35] + "g", ""},
		{pix.KeyRandom, "7d9f03358-dcc-4054-9bf9-0dbd61d36906", ""},
		{"CPF", "52998224725", ""},
	} {
		matches := test.keyType.Matches(test.key)
		assert.Equal(t, test.canonical != "", matches, "%s %s", test.keyType, test.key)
		if matches {
			assert.Equal(t, test.canonical, test.keyType.Canonical(test.key))
		}
	}
}

func TestDirectorySpelling(t *testing.T) {
	t.Parallel()
	for key, canonical := range map[string]bool{
		"52998224725": true, "11222333000181": true, "fulano@example.com": true, "+5511987654321": true,
		"7d9f0335-8dcc-4054-9bf9-0dbd61d36906": true,
		"":                                     false, "Fulano@example.com": false, "+55119876543": false, "+1212555010": false,
		"7D9F0335-8DCC-4054-9BF9-0DBD61D36906": false, "7d9f03358dcc40549bf90dbd61d36906": false, "529.982.247-25": false,
	} {
		assert.Equal(t, canonical, pix.IsDirectoryKey(key), key)
	}
}

// FuzzKey holds that whatever matches is spelled canonically in one way.
func FuzzKey(f *testing.F) {
	for _, seed := range []string{"52998224725", "Fulano@Example.com", "11987654321", "7D9F03358DCC40549BF90DBD61D36906", "\x00@\xff."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, key string) {
		for _, keyType := range pix.KeyTypes() {
			if !keyType.Matches(key) {
				continue
			}
			require.LessOrEqual(t, len(key), 77)
			require.True(t, pix.IsDirectoryKey(keyType.Canonical(key)), "%s %q is spelled %q", keyType, key, keyType.Canonical(key))
		}
	})
}

func TestCheckDigits(t *testing.T) {
	t.Parallel()
	for document, valid := range map[string]bool{
		"52998224725": true, "11144477735": true, "11222333000181": true, "00000000000191": true,
		"52998224726": false, "52998224735": false, "11111111111": false, "00000000000": false, "11222333000182": false,
		"5299822472": false, "": false, "5299822472a": false,
	} {
		assert.Equal(t, valid, pix.ValidDocument(document), document)
	}
}

func TestOtherCheckDigitsAreInvalid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.OneOf(rapid.StringMatching(`[0-9]{9}`), rapid.StringMatching(`[0-9]{12}`)).Draw(t, "body")
		document := pix.WithCheckDigits(body)
		other := body + rapid.StringMatching(`[0-9]{2}`).Draw(t, "check digits")
		allEqualCPF := len(other) == 11 && strings.Count(other, other[:1]) == len(other)
		require.Equal(t, other == document && !allEqualCPF, pix.ValidDocument(other))
	})
}

func TestKeysThatSomebodyMayMean(t *testing.T) {
	t.Parallel()
	uuid := "7d9f0335-8dcc-4054-9bf9-0dbd61d36906"
	for written, want := range map[string][]string{
		"52998224725":                        {"52998224725", "+5552998224725"},
		"1133334444":                         {"+551133334444"},
		"+5511987654321":                     {"+5511987654321"},
		"11222333000181":                     {"11222333000181"},
		"Fulano@Example.com":                 {"fulano@example.com"},
		uuid:                                 {uuid},
		strings.ToUpper(uuid):                {uuid},
		strings.ReplaceAll(uuid, "-", ""):    {uuid},
		"":                                   nil,
		"foo":                                nil,
		"5511987654321":                      nil,
		"+1987654321":                        nil,
		"529.982.247-25":                     nil,
		"fulano@localhost":                   nil,
		"fulano@example.com ":                nil,
		"pix.example.com/8b3da2f39a4140d1a9": nil,
	} {
		assert.Equal(t, want, pix.DirectoryKeys(written), "%q", written)
	}
}
