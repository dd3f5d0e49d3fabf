package world

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/verdict"
)

func TestCertificatesInTheHeader(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	for when, status := range map[string]int{
		"When the account requests a token with no certificate":                                                                                 401,
		"When the account requests a token with a certificate that was never registered":                                                        401,
		"And an expired certificate that was never registered\nWhen the account requests a token with that certificate":                         401,
		"And the account also has a valid certificate\nWhen the account requests a token with that certificate":                                 201,
		"And the account also has a revoked certificate\nWhen the account requests a token with that certificate":                               401,
		"And the account also has an RSA certificate\nAnd that certificate is revoked\nWhen the account requests a token with that certificate": 401,
		"And another account\nWhen the account requests a token with the other account's certificate":                                           401,
		`When the account requests a token with its certificate in the form "` + certs.Forms[0].Name + `"`:                                      201,
	} {
		w, sent := th.passes("Given an account\n" + when)
		require.Len(t, sent, 1, when)
		assert.Equal(t, status, sent[0].Status, when)
		assert.False(t, sent[0].Doubtful && when == "When the account requests a token with no certificate", "a header passes every edge")
		assert.Nil(t, w.the().valid("token request").shown())
	}
	_, r := th.play(th.script(`Given an account` + "\n" + `When the account requests a token with its certificate in the form "a strange form"`))
	assert.Equal(t, verdict.SuiteError, r.Verdict)
}

// Certificates are known by the order in which they were added, and revoked where they were.
func TestAddedCertificates(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	const two = "Given an account\nAnd another account\nAnd the account also has a valid certificate\nAnd the account also has an RSA certificate\n"
	for when, status := range map[string]int{
		"When the account requests a token with the first added certificate":                                                                                 201,
		"And the first added certificate is revoked\nWhen the account requests a token with the first added certificate":                                     401,
		"And the first added certificate is revoked\nWhen the account requests a token with the second added certificate":                                    201,
		"And the second added certificate is revoked\nWhen the account requests a token with that certificate":                                               401,
		"When the other account requests a token with that certificate":                                                                                      401,
		"And the other account also has that certificate\nWhen the other account requests a token with that certificate":                                     201,
		"And the other account also has that certificate\nAnd that certificate is revoked\nWhen the other account requests a token with that certificate":    201,
		"And the other account also has that certificate\nAnd that certificate is revoked\nWhen the account requests a token with that certificate":          401,
		"And the other account also has a valid certificate\nAnd that certificate is revoked\nWhen the other account requests a token with that certificate": 401,
	} {
		_, sent := th.passes(two + when)
		require.Len(t, sent, 1, when)
		assert.Equal(t, status, sent[0].Status, when)
	}
	for _, none := range []string{"When that certificate is revoked", "When the account requests a token with the second added certificate", "And the account also has that certificate"} {
		_, r := th.play(th.script("Given an account\n" + none))
		assert.Equal(t, verdict.SuiteError, r.Verdict, none)
	}
}

// inHandshake has certificates shown in the handshake, as far as can be told over plain HTTP.
func inHandshake(t *testing.T) *testStage {
	th := newTestStage(t)
	th.stage.Terms.Handshake = true
	// What an edge would do: the gateway has to know the certificate.
	th.gateway.Spoil(func(_ http.ResponseWriter, r *http.Request) bool { return false })
	return th
}

// An edge may refuse a certificate in its own words, which shows nothing of the gateway.
func TestEdges(t *testing.T) {
	t.Parallel()
	th := inHandshake(t)
	edge := func(status int, contentType, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/api/auth/token" {
				w.Header().Set("Content-Type", contentType)
				w.WriteHeader(status)
				_, _ = w.Write([]byte(body))
			}
			return r.URL.Path == "/api/auth/token"
		}
	}
	const unregistered, valid = "Given an account\nWhen the account requests a token with a certificate that was never registered", "Given an account\nWhen the account sends a token request"
	for _, c := range []struct {
		lines   string
		answer  func(http.ResponseWriter, *http.Request) bool
		verdict verdict.Verdict
		says    string
	}{
		{unregistered, edge(400, "text/html", "<h1>No required SSL certificate</h1>"), verdict.NotApplicable, "an edge that rejects this certificate itself"},
		{unregistered, edge(401, "application/json", `{"code":"PUB_CERT_UNKNOWN"}`), verdict.Pass, ""},
		{"Given an account\nWhen the account requests a token with no certificate", edge(400, "application/json", `{"code":"PUB_CERT_MALFORMED_PEM"}`), verdict.NotApplicable, "even without a certificate"},
		{valid, edge(403, "text/html", "<h1>Forbidden</h1>"), verdict.CouldNotTest, "rejects a valid certificate"},
		{valid, edge(401, "application/json", `{"message":"no"}`), verdict.Pass, ""}, // the gateway's own
	} {
		th.gateway.Spoil(c.answer)
		w, r := th.play(th.script(c.lines))
		require.Equal(t, c.verdict, r.Verdict, "%s: %+v", c.lines, r.Finding)
		if c.says != "" {
			assert.Contains(t, r.Finding.Got, c.says)
		}
		assert.Empty(t, w.Judge.It().Header.Get(certificateHeader), "nothing is in the header")
		assert.NotEmpty(t, w.Judge.It().ClientCertificate)
	}

	asked := 0
	th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if asked++; asked == 1 {
			w.WriteHeader(403)
			return true
		}
		fake.Refuse(w, 401, "UNAUTHORIZED")
		return true
	})
	th.passes(valid)
	assert.Equal(t, 2, asked, "the edge lets the certificate through: the first answer was the gateway's")
}

func TestSmuggledCertificates(t *testing.T) {
	t.Parallel()
	th := inHandshake(t)
	const two = "Given an account\nAnd another account\nWhen the account requests "
	for in, headers := range map[string]map[string]int{
		"X-SSL-Client-Cert":                       {"X-SSL-Client-Cert": 1},
		"x-ssl-client-cert":                       {"x-ssl-client-cert": 1},
		"X-SSL-Client-Cert and X_SSL_Client_Cert": {"X-SSL-Client-Cert": 1, "X_SSL_Client_Cert": 1},
		"X-SSL-Client-Cert after its own":         {"X-SSL-Client-Cert": 2},
	} {
		w, sent := th.passes(two + "the other account's token with its own certificate in the handshake and the other account's in " + in)
		for header, n := range headers {
			require.Len(t, sent[0].Header[header], n, in)
			assert.Equal(t, certs.Header(w.actors[1].certificate.PEM()), sent[0].Header[header][n-1])
		}
		assert.Equal(t, w.actors[1].clientID, sent[0].SentText("clientId"))
		assert.Equal(t, w.the().certificate.Fingerprint(), sent[0].ClientCertificate)
		assert.True(t, sent[0].Doubtful)
	}
	w, sent := th.passes(two + "its own token with no certificate in the handshake and the other account's in X-SSL-Client-Cert")
	assert.Equal(t, "none", sent[0].ClientCertificate)
	assert.True(t, sent[0].ShowsNone)
	assert.Equal(t, w.the().clientID, sent[0].SentText("clientId"))
	_, r := th.play(th.script(two + "its own token with no certificate in the handshake and the other account's in a hat"))
	assert.Equal(t, verdict.SuiteError, r.Verdict)
}

func TestTwoAccountsNeedTwoCertificates(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(2))
	th.fixed[1].Certificate = th.fixed[0].Certificate
	_, r := th.play(th.script("Given an account\nAnd another account\nWhen the account requests a token with the other account's certificate"))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	assert.Contains(t, r.Finding.Got, "use one for each")
}
