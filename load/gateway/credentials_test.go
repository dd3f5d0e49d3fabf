package gateway

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestCredentialsFromAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	certificate, err := newCertificate("test")
	require.NoError(t, err)
	write(t, dir, "client.pem", certificate)
	quoted, err := json.Marshal(certificate)
	require.NoError(t, err)
	path := write(t, dir, "accounts.json", `[
		{"clientId": "7f8d6a52-63b5-4f4e-9d80-0c6d3a0a9f11", "clientSecret": "s", "certificate": "client.pem", "pixKey": "k"},
		{"clientId": "7f8d6a52-63b5-4f4e-9d80-0c6d3a0a9f12", "clientSecret": "s", "certificate": `+string(quoted)+`, "id": 7}]`)
	accounts, err := LoadCredentials(path)
	require.NoError(t, err)
	require.Len(t, accounts, 2)
	assert.Equal(t, certificate, accounts[0].Certificate)
	assert.Equal(t, certificate, accounts[1].Certificate)
	assert.Equal(t, "k", accounts[0].PixKey)
	assert.EqualValues(t, 7, accounts[1].ID)
}

func TestEveryMistakeOfCredentialsIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := write(t, dir, "accounts.json", `[
		{"clientId": "7f8d6a52-63b5-4f4e-9d80-0c6d3a0a9f11", "clientSecret": "s", "certificate": "nowhere.pem"},
		{"clientId": "7f8d6a52-63b5-4f4e-9d80-0c6d3a0a9f11", "certificate": "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n"},
		{"clientId": "me", "clientSecret": "s"}]`)
	_, err := LoadCredentials(path)
	for _, told := range []string{
		path, "accounts[0].certificate: expected a PEM string or the path of a PEM file: open",
		"accounts[1].clientId: expected each account once, got that of accounts[0] again", "accounts[1].clientSecret: expected a string",
		"accounts[1].certificate: expected", `accounts[2].clientId: expected a UUID of version 4, got "me"`,
		"accounts[2].certificate: expected a PEM string or the path of a PEM file, got none",
	} {
		assert.ErrorContains(t, err, told)
	}
	for content, told := range map[string]string{
		"[]":                   "expected at least one account",
		"{}":                   "expected an array of {clientId, clientSecret, certificate}",
		`[{"clientID ": "x"}]`: "unknown field",
		"[\n  {\"clientId\": \"x\"\n   \"clientSecret\": \"y\"}]": "accounts.json:3:4: expected an array of {clientId, clientSecret, certificate}: invalid character '\"' after object key:value pair",
		"[{\"clientId\": \"x\"}":                                  "accounts.json:1:18: expected an array of",
		"[\n{\"clientSecret\": 1}]":                               "accounts.json:2:18: expected an array of",
		"[] []":                                                   "expected nothing after the array",
	} {
		_, err := LoadCredentials(write(t, t.TempDir(), "accounts.json", content))
		assert.ErrorContains(t, err, told)
	}
	_, err = LoadCredentials(filepath.Join(dir, "nowhere.json"))
	assert.ErrorContains(t, err, "the accounts file: open")
}

func TestGatewayURLs(t *testing.T) {
	t.Parallel()
	for base, told := range map[string]string{
		"":                      "expected a URL such as https://host:port",
		"127.0.0.1:80":          "expected a URL such as https://host:port",
		"ftp://host":            "expected a URL such as https://host:port",
		"http://":               "expected a URL such as https://host:port",
		"http://host?x=y":       "without user, query or fragment",
		"http://me:secret@host": "without user, query or fragment",
	} {
		_, err := New(base, "")
		assert.ErrorContains(t, err, told, base)
		if err != nil {
			assert.NotContains(t, err.Error(), "secret")
		}
	}
	_, err := New("http://host", "token")
	assert.ErrorContains(t, err, "the gateway's token path")
	g, err := New("https://host/prefix/", "/token")
	require.NoError(t, err)
	assert.Equal(t, "https://host/prefix", g.Base().String())
}

func TestAControlThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "Bearer let me", r.Header.Get("Authorization"))
		switch r.URL.Path {
		case "/accounts/1/balance":
			w.WriteHeader(http.StatusNotImplemented)
		case "/accounts/1/limits":
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"message":"no"}`))
		default:
			_, _ = w.Write([]byte(`[]`))
		}
	}))
	defer server.Close()
	controls, err := NewControls(server.URL, "let me")
	require.NoError(t, err)
	defer controls.Close()
	err = controls.SetBalance(t.Context(), 1, 100)
	assert.ErrorIs(t, err, ErrNoControl)
	assert.ErrorContains(t, err, "control funds: the target has no such control: use accounts")
	assert.ErrorContains(t, controls.LiftLimits(t.Context(), 1), `control limits: PUT /accounts/1/limits: expected success, got 400: {"message":"no"}`)
	_, err = controls.MakeAccounts(t.Context(), 3)
	assert.ErrorContains(t, err, "control accounts: expected JSON according to protocol 1")
	_, err = controls.Offered(t.Context())
	assert.Error(t, err)
}
