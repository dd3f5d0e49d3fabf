package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/sandbox"
	"github.com/pixcert/pixcert/reference/seedfile"
)

func seedFileOf(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "accounts.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// The seed file in the guide works, and says what it does.
func TestSeedFileOfTheReadme(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../reference/testing.md")
	require.NoError(t, err)
	example := between(string(readme), "```yaml\n# accounts.yaml", "```")
	file := seedFileOf(t, example)
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	certificate, err := authority.Issue(certs.Client{Name: "shop"})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(file), "shop.pem"), certificate.PEM(), 0o600))

	declared, err := seedfile.Read(file)
	require.NoError(t, err)
	box, err := sandbox.New(t.TempDir(), declared)
	require.NoError(t, err)
	gateway := started(t, reference.Config{Seed: box.Seed()})
	accounts := gateway.Accounts()
	require.Len(t, accounts, 2)
	shop, market := accounts[0], accounts[1]
	require.Equal(t, "shop", shop.Name)
	require.EqualValues(t, 7, shop.ID)
	require.Equal(t, "5d3f5f7a-8a4e-4c0e-9d3b-0f3f3c1f7a11", shop.ClientID)
	require.True(t, shop.SecretMatches("only-for-tests"))
	require.Equal(t, pix.Centavos(2500_00), shop.Available)
	require.Equal(t, pix.Fees{CashOut: 50}, shop.Fees)
	require.Equal(t, pix.Centavos(500_00), *shop.Limits.PerTransaction)
	require.Nil(t, shop.Limits.Daily)
	require.Equal(t, pix.DefaultLimits().Night, shop.Limits.Night)
	require.Equal(t, pix.Manual, shop.Settlement)
	require.Equal(t, certificate.Fingerprint(), box.Seed().Accounts[0].Fingerprint)
	require.EqualValues(t, 2, market.ID)
	require.Equal(t, pix.DefaultLimits(), market.Limits)

	keys := map[string]pix.DirectoryEntry{}
	for _, entry := range box.Seed().Directory {
		keys[entry.Key] = entry
	}
	require.Equal(t, pix.AccountBlocked, keys["supplier@example.com"].Status)
	require.Contains(t, keys, "maria@pixcert.example", "the documented keys are there too")
}

func TestSeedFileThatDeclaresNoAccountKeepsTheExample(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "directory:\n  - {key: a@example.com, name: A, document: '52998224725'}\n"} {
		declared, err := seedfile.Read(seedFileOf(t, text))
		require.NoError(t, err)
		require.Equal(t, seedfile.Example().Accounts, declared.Accounts)
	}
}

// Every mistake is reported, with its place.
func TestSeedFileRefuses(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"accounts:\n  - name: shop\n    balanse: '1'\n":                               "line 3: unknown field balanse",
		"accounts:\n  - name: shop\n    balance: a lot\n":                             `line 3: expected an amount such as 100.00, got "a lot"`,
		"accounts:\n  - name: shop\n    balance: -1.00\n":                             `line 3: expected an amount such as 100.00, got "-1.00"`,
		"accounts:\n  - name: shop\n    limits: {daily: lots}\n":                      `line 3: expected an amount such as 100.00, got "lots"`,
		"accounts:\n  - name: Shop 1\n":                                               `accounts[0].name: expected lower-case letters, digits and hyphens, got "Shop 1"`,
		"accounts:\n  - name: ../shop\n":                                              "accounts[0].name",
		"accounts:\n  - {name: shop, clientId: shop}\n":                               "accounts[0].clientId: expected a UUID v4",
		"accounts:\n  - {name: shop, document: '1'}\n":                                "accounts[0].document: expected a CPF",
		"accounts:\n  - {name: shop, pixKey: '11987654321'}\n":                        "accounts[0].pixKey: expected a phone number with +55, area code and number, a CPF",
		"accounts:\n  - {name: shop, pixKey: (11) 98765-4321}\n":                      "accounts[0].pixKey: expected a phone number with +55",
		"directory:\n  - {key: 11987654321, document: '52998224725'}\n":               "directory[0].key: expected a phone number with +55",
		"accounts:\n  - {name: shop, pixKey: '1'}\n":                                  "accounts[0].pixKey: expected a phone",
		"accounts:\n  - {name: shop, id: -1}\n":                                       "accounts[0].id: expected a whole number from 1 to 999999999",
		"accounts:\n  - {name: shop, key: a.key}\n":                                   "accounts[0].key: expected certificate too",
		"accounts:\n  - {name: shop, certificate: missing.pem}\n":                     "accounts[0].certificate: open",
		"accounts:\n  - {name: shop}\n  - {name: shop}\n":                             "accounts[1].name: expected a value of its own",
		"accounts:\n  - {name: a, pixKey: a@b.com}\n  - {name: b, pixKey: a@b.com}\n": "accounts[1].pixKey: expected a value of its own",
		"accounts:\n  - {name: shop, id: 2}\n  - {name: market}\n":                    "accounts[1].id: expected a value of its own",
		"directory:\n  - {key: A@example.com, document: '52998224725'}\n":             "directory[0]: key must be spelled canonically",
		"directory:\n  - {key: a@example.com, document: '1'}\n":                       "directory[0]: document must be a CPF",
		"directory:\n  - {key: a@b.com, document: '52998224725', status: GONE}\n":     "directory[0]: status must be",
		"accounts: 1\n": "line 1",
	} {
		file := seedFileOf(t, text)
		status, _, stderr := invoke(t, "serve", "--listen", "127.0.0.1:0", "--controls", "off", "--seed-file", file)
		require.Equal(t, exitNotRun, status, text)
		require.Contains(t, stderr, says, text)
		require.NotContains(t, stderr, "main.", text)
	}
	several := seedFileOf(t, "accounts:\n  - {name: A, settlement: never}\n  - {name: b, limits: {requestsPerMinute: -1}}\n")
	_, err := seedfile.Read(several)
	for _, field := range []string{"accounts[0].name", "accounts[0].settlement", "accounts[1].limits.requestsPerMinute"} {
		require.ErrorContains(t, err, field)
	}
}

func TestSeedFileTakesKeysAsTheDirectorySpellsThem(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"+5511987654321", "'+5511987654321'", "'39053344705'", "'45723174000110'", "shop@example.com"} {
		declared, err := seedfile.Read(seedFileOf(t, "accounts:\n  - {name: shop, pixKey: "+key+"}\n"))
		require.NoError(t, err)
		require.Equal(t, strings.Trim(key, "'"), declared.Accounts[0].PixKey)
	}
}

// The settings of the seed apply on each start; the balance only on the first.
func TestServeAppliesTheSeedFileAgain(t *testing.T) {
	data := t.TempDir()
	file := seedFileOf(t, "accounts:\n  - {name: shop, balance: 50.00, clientSecret: first}\n")
	first, stop := served(t, "--data", data, "--seed-file", file)
	require.Contains(t, first, "Account 1, shop, with R$ 50.00")
	paysAtOnce(t, first)
	stop()
	second, stop := served(t, "--data", data, "--seed-file", file)
	stop()
	require.Contains(t, second, "Account 1, shop, with R$ 90.00")

	require.NoError(t, os.WriteFile(file, []byte("accounts:\n  - {name: shop, clientSecret: second}\n"), 0o600))
	status, _, stderr := invoke(t, "serve", "--listen", "127.0.0.1:0", "--controls", "off", "--data", data, "--seed-file", file)
	require.Equal(t, exitNotRun, status)
	require.True(t, strings.Contains(stderr, "account shop: exists with another clientSecret"), stderr)
}

// A payment from one declared account to the key that serve prints of another, or to the QR Code of its charge, arrives
// there, with its event.
func TestAccountsOfASeedFilePayEachOther(t *testing.T) {
	t.Parallel()
	declared, err := seedfile.Read(seedFileOf(t, "accounts:\n  - {name: shop, balance: 50.00}\n  - {name: market}\n"))
	require.NoError(t, err)
	shop := tryOutOf(t, declared)
	market := shop.as(1)
	l := market.listens(listenCmd{Sandbox: sandboxFlags{Account: 2}})
	to := market.gateway.Accounts()[1]
	shop.made(http.MethodPost, "/api/pix/cash-out", fmt.Sprintf(`{"value":10.00,"externalId":"out-1","details":`+
		`{"key":%q,"keyType":"RANDOM","name":"market","document":%q}}`, to.PixKey, to.Document))
	l.prints(`cash_in +RECEIVE LIQUIDATED E\w+ R\$ 10\.00`)
	shop.made(http.MethodPost, "/dict/pix", fmt.Sprintf(`{"pixKey":%q,"payment":{"currency":"BRL","amount":5.00}}`, to.PixKey), "x-idempotency-key", pix.NewUUID())
	l.prints(`cash_in +RECEIVE LIQUIDATED E\w+ R\$ 5\.00`)
	code := market.made(http.MethodPut, "/cob/"+strings.Repeat("c", 26), `{"calendario":{"expiracao":3600},"valor":{"original":"7.00"}}`)["location"]
	shop.made(http.MethodPost, "/api/pix/cash-out-qrcode", fmt.Sprintf(`{"value":7.00,"externalId":"out-2","qrCode":%q}`, code))
	l.prints(`cash_in +RECEIVE LIQUIDATED E\w+ R\$ 7\.00`)
	require.EqualValues(t, 22, market.made(http.MethodGet, "/balance", "")["netBalance"])
}
