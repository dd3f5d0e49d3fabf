package gateway

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryMistakeOfCredentialsIsTold(t *testing.T) {
	t.Parallel()
	certificate, err := newCertificate("test")
	require.NoError(t, err)
	const id = "7f8d6a52-63b5-4f4e-9d80-0c6d3a0a9f11"
	require.NoError(t, CheckCredentials([]Credentials{{ClientID: id, ClientSecret: "s", Certificate: certificate}}))
	err = CheckCredentials([]Credentials{
		{ClientID: id, ClientSecret: "s", Certificate: "client.pem"},
		{ClientID: id, Certificate: "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n"},
		{ClientID: "me", ClientSecret: "s"},
	})
	for _, told := range []string{
		"accounts[0].certificate: expected PEM that starts with -----BEGIN CERTIFICATE-----; of a file, use open(PATH)",
		"accounts[1].clientId: expected each account once, got that of accounts[0] again", "accounts[1].clientSecret: expected a string",
		"accounts[1].certificate: expected", `accounts[2].clientId: expected a UUID of version 4, got "me"`, "accounts[2].certificate: expected PEM",
	} {
		assert.ErrorContains(t, err, told)
	}
	assert.ErrorContains(t, CheckCredentials(nil), "expected at least one account")
}

func TestGatewayURLs(t *testing.T) {
	t.Parallel()
	for base, told := range map[string]string{
		"":                      "expected a URL such as http://127.0.0.1:8080",
		"127.0.0.1:80":          "expected a URL such as http://127.0.0.1:8080",
		"ftp://host":            "expected a URL such as http://127.0.0.1:8080",
		"http://":               "expected a URL such as http://127.0.0.1:8080",
		"http://host?x=y":       "without user, query or fragment",
		"http://me:secret@host": "without user, query or fragment",
	} {
		_, err := ParseURL(base)
		assert.ErrorContains(t, err, told, base)
		if err != nil {
			assert.NotContains(t, err.Error(), "secret")
		}
	}
	u, err := ParseURL("https://host/prefix/")
	require.NoError(t, err)
	assert.Equal(t, "/prefix/", u.Path)
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
