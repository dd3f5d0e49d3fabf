package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// gateway is the API over a store in memory, without a worker: payments stay pending,
// and what is sent again comes to sent and is answered by destination.
type gateway struct {
	api         *api
	store       *store.Store
	server      *httptest.Server
	http        *http.Client
	sent        []store.Delivery
	destination store.Attempt
}

func newGateway(t testing.TB) *gateway {
	t.Helper()
	s, err := store.Open(t.Context(), "")
	require.NoError(t, err)
	g := &gateway{store: s, destination: store.Attempt{Status: http.StatusOK}}
	handler, err := New(Config{Store: s, Log: slog.New(slog.DiscardHandler), Send: g.deliver})
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.Close()
		assert.NoError(t, s.Close())
	})
	g.api, g.server, g.http = handler.(*api), server, server.Client()
	return g
}

func (g *gateway) deliver(_ context.Context, d store.Delivery) store.Attempt {
	g.sent = append(g.sent, d)
	attempt := g.destination
	attempt.At = time.Now()
	return attempt
}

// authority issues the certificates of all tests.
var authority = sync.OnceValue(func() *certs.Authority {
	a, err := certs.NewAuthority()
	if err != nil {
		panic(err)
	}
	return a
})

func issue(t testing.TB, c certs.Client) *certs.Certificate {
	t.Helper()
	certificate, err := authority().Issue(c)
	require.NoError(t, err)
	return certificate
}

// client is an account with what it needs to call the API.
type client struct {
	*gateway
	account     pix.Account
	secret      string
	certificate *certs.Certificate
	token       string
}

func (g *gateway) newClient(t testing.TB, funds pix.Centavos) *client {
	t.Helper()
	certificate := issue(t, certs.Client{})
	account, secret, err := g.store.CreateAccount(t.Context(), store.NewAccount{Fingerprint: certificate.Fingerprint()})
	require.NoError(t, err)
	_, err = g.store.SetBalance(t.Context(), account.ID, funds)
	require.NoError(t, err)
	c := &client{gateway: g, account: account, secret: secret, certificate: certificate}
	c.token, err = g.api.tokenKeys.sign(t.Context(), account)
	require.NoError(t, err)
	return c
}

// call is a request; its header begins as that of a valid one.
type call struct {
	method, path string
	header       http.Header
	body         string
}

// edit changes one thing of a call.
type edit func(*call)

func withHeader(name string, values ...string) edit {
	return func(c *call) { c.header[http.CanonicalHeaderKey(name)] = values }
}

func withBody(body string) edit { return func(c *call) { c.body = body } }

// answer is a response with its decoded JSON.
type answer struct {
	status int
	header http.Header
	raw    []byte
	fields map[string]any
}

func (a answer) code() string { s, _ := a.fields["code"].(string); return s }

// messages are the texts of message, one or many.
func (a answer) messages() []string {
	switch m := a.fields["message"].(type) {
	case string:
		return []string{m}
	case []any:
		texts := make([]string, len(m))
		for i, text := range m {
			texts[i], _ = text.(string)
		}
		return texts
	}
	return nil
}

var wireContract = sync.OnceValues(contract.Load)

// send sends a call and holds the answer against the wire contract.
func (g *gateway) send(t testing.TB, c call) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), c.method, g.server.URL+c.path, strings.NewReader(c.body))
	require.NoError(t, err)
	request.Header = c.header
	response, err := g.http.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	a := answer{status: response.StatusCode, header: response.Header, raw: raw}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if c.method != http.MethodHead && strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		require.NoError(t, decoder.Decode(&a.fields), "%s", raw)
	}
	spec, err := wireContract()
	require.NoError(t, err)
	if operation, ok := spec.Find(c.method, c.path); ok {
		assert.Empty(t, operation.CheckResponse(a.status, a.header, raw, nil), "%s %s: %s", c.method, c.path, raw)
	}
	return a
}

// as sends a call under the client's token.
func (c *client) as(t testing.TB, method, path string, edits ...edit) answer {
	t.Helper()
	request := call{method: method, path: path, header: http.Header{"Authorization": {"Bearer " + c.token}}}
	if method != http.MethodGet {
		request.header.Set("Content-Type", "application/json")
	}
	for _, e := range edits {
		e(&request)
	}
	return c.send(t, request)
}

func (c *client) cashOut(t testing.TB, edits ...edit) answer {
	t.Helper()
	return c.as(t, http.MethodPost, "/api/pix/cash-out", append([]edit{withBody(order("1.00", "order-1"))}, edits...)...)
}

// requestToken sends a valid token request with the edits.
func (c *client) requestToken(t testing.TB, edits ...edit) answer {
	t.Helper()
	request := call{method: http.MethodPost, path: "/api/auth/token", body: c.credentials(), header: http.Header{
		"Content-Type":      {"application/json"},
		"X-Ssl-Client-Cert": {certs.Header(c.certificate.PEM())},
	}}
	for _, e := range edits {
		e(&request)
	}
	return c.send(t, request)
}

func (c *client) credentials() string {
	return fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, c.account.ClientID, c.secret)
}

// balance is what is available and what is blocked.
func (c *client) balance(t testing.TB) (available, blocked pix.Centavos) {
	t.Helper()
	account, err := c.store.Account(t.Context(), c.account.ID)
	require.NoError(t, err)
	return account.Available, account.Blocked
}

// order is the body of a valid cash-out.
func order(value, externalID string) string {
	return fmt.Sprintf(`{"value":%s,"externalId":%q,"description":"lunch","details":{"key":"fulano@example.com",`+
		`"keyType":"EMAIL","name":"Fulano de Tal","document":"52998224725"}}`, value, externalID)
}

const registration = `{"url":"https://hooks.example/pix","eventType":"cash_out","headers":[{"key":"X-Secret","value":"1"}]}`

// checkEnvelope holds a refusal against the envelope of its path's family, field by
// field.
func checkEnvelope(t testing.TB, a answer, method, path string) {
	t.Helper()
	assert.Equal(t, json.Number(fmt.Sprint(a.status)), a.fields["statusCode"])
	assert.Equal(t, http.StatusText(a.status), a.fields["error"])
	assert.NotEmpty(t, a.messages())
	if familyOf(path) == centralBank {
		assert.Len(t, a.fields, 3, "%s", a.raw)
		assert.IsType(t, "", a.fields["message"])
		return
	}
	assert.Equal(t, path, a.fields["path"])
	assert.Equal(t, method, a.fields["method"])
	assert.NotEmpty(t, a.fields["code"])
	assert.NotEmpty(t, a.fields["userMessage"])
	assert.NotEmpty(t, a.fields["errorId"])
	assert.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`, a.fields["timestamp"])
}
