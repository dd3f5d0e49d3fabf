package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/pix"
)

func TestTokenOpensTheOtherEndpoints(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	for _, path := range []string{"/api/auth/token", "/oauth/token"} {
		a := c.requestToken(t, func(r *call) { r.path = path })
		require.Equal(t, http.StatusCreated, a.status, "%s", a.raw)
		assert.Equal(t, "Bearer", a.fields["token_type"])
		assert.Equal(t, json.Number("1800"), a.fields["expires_in"])
		assert.Equal(t, "no-store", a.header.Get("Cache-Control"))
		c.token = a.fields["access_token"].(string)
		assert.Equal(t, http.StatusOK, c.as(t, http.MethodGet, "/accounts/balances").status)
	}
}

// tokenFaults are faults of a token request in the sequence in which they are judged.
func tokenFaults(t *testing.T, c, other *client) []struct {
	name   string
	edit   edit
	status int
	code   string
} {
	present := func(certificate *certs.Certificate) edit {
		return withHeader(certificateHeader, certs.Header(certificate.PEM()))
	}
	expired := issue(t, certs.Client{Validity: certs.Expired})
	require.NoError(t, c.store.RegisterCertificate(t.Context(), c.account.ID, expired.Fingerprint()))
	early := issue(t, certs.Client{Validity: certs.NotYetValid})
	revoked := issue(t, certs.Client{})
	require.NoError(t, c.store.RegisterCertificate(t.Context(), c.account.ID, revoked.Fingerprint()))
	require.NoError(t, c.store.RevokeCertificate(t.Context(), c.account.ID, revoked.Fingerprint()))
	replace := func(old, new string) edit {
		return func(r *call) { r.body = strings.Replace(r.body, old, new, 1) }
	}
	return []struct {
		name   string
		edit   edit
		status int
		code   string
	}{
		{"no certificate", withHeader(certificateHeader), 400, codeCertHeaderMissing.code},
		{"an empty header", withHeader(certificateHeader, ""), 400, codeCertHeaderMissing.code},
		{"not PEM", withHeader(certificateHeader, "garbage"), 400, codeCertMalformed.code},
		{"an invalid body", withBody(`{"clientId":"x"}`), 400, codeTokenBodyInvalid.code},
		{"an expired certificate", present(expired), 401, codeCertExpired.code},
		{"a certificate of tomorrow", present(early), 401, codeCertNotYetValid.code},
		{"an unknown certificate", present(issue(t, certs.Client{})), 401, codeCertNotRegistered.code},
		{"a revoked certificate", present(revoked), 401, codeCertNotRegistered.code},
		{"a wrong secret", replace(c.secret, "wrong"), 401, codeInvalidCredentials.code},
		{"an unknown clientId", replace(c.account.ClientID, pix.NewUUID()), 401, codeInvalidCredentials.code},
		{"another account's certificate", present(other.certificate), 403, codeCertOfOther.code},
	}
}

func TestTokenFaultsAreJudgedInSequence(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	c, other := g.newClient(t, 0), g.newClient(t, 0)
	faults := tokenFaults(t, c, other)
	for i, first := range faults {
		a := c.requestToken(t, first.edit)
		assert.Equal(t, first.code, a.code(), "%s: %s", first.name, a.raw)
		assert.Equal(t, first.status, a.status, first.name)
		checkEnvelope(t, a, http.MethodPost, "/api/auth/token")
		for _, second := range faults[i+1:] {
			a := c.requestToken(t, second.edit, first.edit)
			assert.Equal(t, first.code, a.code(), "%s and %s", first.name, second.name)
		}
	}
}

func TestTokenUpstreamFaults(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	for _, fault := range []struct {
		auth   pix.AuthFault
		status int
		code   string
	}{
		{pix.AuthError, 502, codeUpstreamError.code},
		{pix.AuthUnavailable, 503, codeUpstreamUnavailable.code},
		{pix.AuthWorks, 201, ""},
	} {
		_, err := c.store.Configure(t.Context(), c.account.ID, func(s *pix.Settings) { s.Faults.Auth = fault.auth })
		require.NoError(t, err)
		a := c.requestToken(t)
		assert.Equal(t, fault.status, a.status)
		assert.Equal(t, fault.code, a.code())
	}
}

func TestTokenCertificateForms(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	pem := string(c.certificate.PEM())
	second := string(issue(t, certs.Client{}).PEM())
	for _, form := range []struct {
		name, value string
		status      int
		hint        string
	}{
		{"as the specification asks", certs.Header([]byte(pem)), 201, ""},
		{"CRLF", certs.Header([]byte(strings.ReplaceAll(pem, "\n", "\r\n"))), 201, ""},
		{"a chain", certs.Header([]byte(pem + second)), 201, ""},
		{"a space as +", strings.ReplaceAll(certs.Header([]byte(pem)), "%20", "+"), 201, ""},
		{"a literal +", strings.ReplaceAll(certs.Header([]byte(pem)), "%2B", "+"), 400, hintPlus},
		{"+ as %20", strings.ReplaceAll(certs.Header([]byte(pem)), "%2B", "%20"), 400, hintPlus},
		{"newlines as spaces", strings.ReplaceAll(certs.Header([]byte(pem)), "%0A", "%20"), 400, hintNewlines},
		{"escaped twice", strings.ReplaceAll(certs.Header([]byte(pem)), "%", "%25"), 400, hintDoubled},
		{"a bad escape", "%zz", 400, hintEscapes},
		{"a truncated one", certs.Header([]byte(pem[:len(pem)/2])), 400, hintBlock},
		{"another block", certs.Header(c.certificate.KeyPEM()), 400, hintArmour},
		{"no certificate inside", certs.Header([]byte(pemBegin + "\nAAAA\n" + pemEnd + "\n")), 400, hintCertificate},
		{"too long", strings.Repeat("A", maxCertificateHeader+1), 400, hintTooLong},
	} {
		a := c.requestToken(t, withHeader(certificateHeader, form.value))
		assert.Equal(t, form.status, a.status, "%s: %s", form.name, a.raw)
		if form.status != http.StatusCreated {
			assert.Equal(t, codeCertMalformed.code, a.code(), form.name)
			assert.Equal(t, map[string]any{"hint": form.hint}, a.fields["details"], form.name)
		}
	}
	a := c.requestToken(t, withHeader(certificateHeader, certs.Header([]byte(pem)), certs.Header([]byte(second))))
	assert.Equal(t, codeCertMalformed.code, a.code(), "two headers")
}

func TestTokenBodyViolationsAreListed(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	for body, fields := range map[string][]string{
		`{}`:                                    {"clientId", "clientSecret"},
		`{"clientId":"abc","clientSecret":"s"}`: {"clientId"},
		`{"clientId":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","clientSecret":"s"}`:    {"clientId"},
		fmt.Sprintf(`{"clientId":%q,"clientSecret":null}`, c.account.ClientID):      {"clientSecret"},
		fmt.Sprintf(`{"clientId":%q,"clientSecret":"a\u0000"}`, c.account.ClientID): {""},
		`{"clientId":`: {""},
		``:             {""},
	} {
		a := c.requestToken(t, withBody(body))
		assert.Equal(t, codeTokenBodyInvalid.code, a.code(), body)
		var got []string
		details, _ := a.fields["details"].(map[string]any)
		violations, _ := details["violations"].([]any)
		for _, v := range violations {
			got = append(got, v.(map[string]any)["field"].(string))
		}
		assert.Equal(t, fields, got, body)
		assert.Len(t, a.messages(), len(fields), body)
	}
}

// Whoever guesses learns nothing of which of the two was wrong.
func TestUnknownClientAndWrongSecretAreRefusedAlike(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	unknown := c.requestToken(t, withBody(strings.Replace(c.credentials(), c.account.ClientID, pix.NewUUID(), 1)))
	wrong := c.requestToken(t, withBody(strings.Replace(c.credentials(), c.secret, "wrong", 1)))
	for _, a := range []answer{unknown, wrong} {
		delete(a.fields, "errorId")
		delete(a.fields, "timestamp")
	}
	assert.Equal(t, unknown.fields, wrong.fields)
	assert.Equal(t, unknown.status, wrong.status)
}

// Nor by the time: both refusals come after the same, which is longer than finding out
// takes; whoever is right does not wait.
func TestUnknownClientAndWrongSecretTakeTheSameTime(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	timed := func(edits ...edit) (answer, time.Duration) {
		began := time.Now()
		a := c.requestToken(t, edits...)
		return a, time.Since(began)
	}
	for name, body := range map[string]string{
		"an unknown clientId": strings.Replace(c.credentials(), c.account.ClientID, pix.NewUUID(), 1),
		"a wrong secret":      strings.Replace(c.credentials(), c.secret, "wrong", 1),
	} {
		a, took := timed(withBody(body))
		assert.Equal(t, codeInvalidCredentials.code, a.code(), name)
		assert.GreaterOrEqual(t, took, credentialsRefused, name)
	}
	for range 10 { // unless the machine is busy
		if a, took := timed(); took < credentialsRefused {
			assert.Equal(t, http.StatusCreated, a.status)
			return
		}
	}
	t.Error("the right credentials wait too")
}
