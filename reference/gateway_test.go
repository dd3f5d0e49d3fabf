package reference

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/certs"
)

// TestMain runs the tests, or serves where a benchmark started this program as its
// gateway.
func TestMain(m *testing.M) {
	if os.Getenv(spawnVariable) != "" {
		serveSpawned()
		return
	}
	goleak.VerifyTestMain(m)
}

// reachable is a gateway with controls, in this process or another.
type reachable interface {
	URL() string
	ControlsURL() string
}

// deadline bounds what a test waits for; nothing takes that long.
const deadline = 10 * time.Second

func start(t *testing.T, cfg Config) *Gateway {
	t.Helper()
	if cfg.ControlsListen == "" {
		cfg.ControlsListen = "127.0.0.1:0"
	}
	g, err := Start(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { closeGateway(t, g) })
	return g
}

func closeGateway(t *testing.T, g *Gateway) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), deadline)
	defer cancel()
	assert.NoError(t, g.Close(ctx))
}

// send sends JSON and gives the status with what the answer holds.
func send(t testing.TB, method, url string, header map[string]string, body string) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	var fields map[string]any
	if len(raw) > 0 {
		require.NoError(t, json.Unmarshal(raw, &fields), "%s", raw)
	}
	return response.StatusCode, fields
}

// token requests an access token.
func token(t testing.TB, g reachable, certificate *certs.Certificate, clientID, secret string) string {
	t.Helper()
	status, answer := send(t, http.MethodPost, g.URL()+"/api/auth/token",
		map[string]string{"X-SSL-Client-Cert": certs.Header(certificate.PEM())},
		fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, clientID, secret))
	require.Equal(t, http.StatusCreated, status, "%v", answer)
	return answer["access_token"].(string)
}

func bearer(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

const order = `{"value":10.00,"externalId":"order-1","details":{"key":"fulano@example.com","keyType":"EMAIL",` +
	`"name":"Fulano de Tal","document":"52998224725"}}`

// newAccount makes an account with R$ 100.00 through the controls and gives its id and
// a token.
func newAccount(t testing.TB, g reachable) (controls, accessToken string) {
	t.Helper()
	certificate, err := newAuthority(t).Issue(certs.Client{})
	require.NoError(t, err)
	body, err := json.Marshal(map[string]string{"certificate": string(certificate.PEM())})
	require.NoError(t, err)
	status, account := send(t, http.MethodPost, g.ControlsURL()+"/accounts", nil, string(body))
	require.Equal(t, http.StatusCreated, status, "%v", account)
	controls = fmt.Sprintf("%s/accounts/%.0f", g.ControlsURL(), account["accountId"])
	status, answer := send(t, http.MethodPut, controls+"/balance", nil, `{"available":"100.00"}`)
	require.Equal(t, http.StatusNoContent, status, "%v", answer)
	return controls, token(t, g, certificate, account["clientId"].(string), account["clientSecret"].(string))
}

// receiver is a server that hands on what webhooks bring, certified by authority.
func receiver(t *testing.T, authority *certs.Authority) (*httptest.Server, <-chan []byte) {
	t.Helper()
	certificate, err := authority.IssueServer("127.0.0.1")
	require.NoError(t, err)
	events := make(chan []byte, 16)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		events <- body
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, events
}

func newAuthority(t testing.TB) *certs.Authority {
	t.Helper()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	return authority
}

func TestPaymentFromTokenToWebhook(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	sink, events := receiver(t, authority)
	g := start(t, Config{WebhookCA: authority.Pool()})
	controls, accessToken := newAccount(t, g)

	status, answer := send(t, http.MethodPost, g.URL()+"/api/webhooks", bearer(accessToken),
		fmt.Sprintf(`{"url":%q,"eventType":"cash_out"}`, sink.URL+"/pix"))
	require.Equal(t, http.StatusOK, status, "%v", answer)
	status, answer = send(t, http.MethodPut, controls+"/settlement", nil, `{"mode":"manual"}`)
	require.Equal(t, http.StatusNoContent, status, "%v", answer)
	status, payment := send(t, http.MethodPost, g.URL()+"/api/pix/cash-out", bearer(accessToken), order)
	require.Equal(t, http.StatusCreated, status, "%v", payment)

	status, balance := send(t, http.MethodGet, g.URL()+"/balance", bearer(accessToken), "")
	require.Equal(t, http.StatusOK, status)
	assert.Equal(t, []any{100.0, 10.0, 90.0}, []any{balance["grossBalance"], balance["blockedBalance"], balance["netBalance"]})

	settlement := fmt.Sprintf(`{"transactionId":%q,"outcome":"CONFIRMED"}`, payment["transactionId"])
	status, answer = send(t, http.MethodPost, controls+"/settlements", nil, settlement)
	require.Equal(t, http.StatusNoContent, status, "%v", answer)
	select {
	case raw := <-events:
		var event map[string]any
		require.NoError(t, json.Unmarshal(raw, &event))
		assert.Equal(t, "CashOut", event["event"])
		assert.Equal(t, "CONFIRMED", event["status"])
		assert.Equal(t, payment["transactionId"], event["transactionId"])
	case <-time.After(deadline):
		t.Fatal("no webhook arrived")
	}
	status, _ = send(t, http.MethodPost, controls+"/settlements", nil, settlement)
	assert.Equal(t, http.StatusConflict, status, "it is finished")
	_, balance = send(t, http.MethodGet, g.URL()+"/balance", bearer(accessToken), "")
	assert.Equal(t, []any{90.0, 0.0, 90.0}, []any{balance["grossBalance"], balance["blockedBalance"], balance["netBalance"]})
}

// What was answered is there after a restart, tokens included, and what was due is done.
func TestRestartLosesNothing(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "gateway.db")
	g, err := Start(t.Context(), Config{Data: data, ControlsListen: "127.0.0.1:0"})
	require.NoError(t, err)
	controls, accessToken := newAccount(t, g)
	status, _ := send(t, http.MethodPut, controls+"/settlement", nil, `{"mode":"manual"}`)
	require.Equal(t, http.StatusNoContent, status)
	status, _ = send(t, http.MethodPost, g.URL()+"/api/pix/cash-out", bearer(accessToken), order)
	require.Equal(t, http.StatusCreated, status)
	path := strings.TrimPrefix(controls, g.ControlsURL())
	closeGateway(t, g)

	g = start(t, Config{Data: data})
	_, balance := send(t, http.MethodGet, g.URL()+"/balance", bearer(accessToken), "")
	assert.Equal(t, 10.0, balance["blockedBalance"])
	status, _ = send(t, http.MethodPut, g.ControlsURL()+path+"/settlement", nil, `{"mode":"automatic"}`)
	require.Equal(t, http.StatusNoContent, status)
	_, balance = send(t, http.MethodGet, g.URL()+"/balance", bearer(accessToken), "")
	assert.Equal(t, []any{0.0, 90.0}, []any{balance["blockedBalance"], balance["netBalance"]}, "settled before the control answered")
}

func TestGatewaysOfOneProcessShareNothing(t *testing.T) {
	t.Parallel()
	one, two := start(t, Config{}), start(t, Config{})
	_, accessToken := newAccount(t, one)
	status, _ := send(t, http.MethodGet, one.URL()+"/accounts/balances", bearer(accessToken), "")
	assert.Equal(t, http.StatusOK, status)
	status, _ = send(t, http.MethodGet, two.URL()+"/accounts/balances", bearer(accessToken), "")
	assert.Equal(t, http.StatusUnauthorized, status)
}

func TestSeams(t *testing.T) {
	t.Parallel()
	sink, events := receiver(t, newAuthority(t))
	var delivered atomic.Int32
	g := start(t, Config{
		WebhookInsecure: true,
		Wrap: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Wrapped", "yes")
				next.ServeHTTP(w, r)
			})
		},
		WebhookTransport: func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				delivered.Add(1)
				return next.RoundTrip(r)
			})
		},
	})
	_, accessToken := newAccount(t, g)
	response, err := http.Get(g.URL() + "/openapi.yaml")
	require.NoError(t, err)
	response.Body.Close()
	assert.Equal(t, "yes", response.Header.Get("X-Wrapped"))

	send(t, http.MethodPost, g.URL()+"/api/webhooks", bearer(accessToken), fmt.Sprintf(`{"url":%q,"eventType":"cash_out"}`, sink.URL))
	send(t, http.MethodPost, g.URL()+"/api/pix/cash-out", bearer(accessToken), order)
	select {
	case <-events:
		assert.EqualValues(t, 1, delivered.Load())
	case <-time.After(deadline):
		t.Fatal("no webhook arrived")
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestControlsAreOffUnlessAskedFor(t *testing.T) {
	t.Parallel()
	g, err := Start(t.Context(), Config{})
	require.NoError(t, err)
	defer closeGateway(t, g)
	assert.Empty(t, g.ControlsURL())
	status, _ := send(t, http.MethodGet, g.URL()+"/controls", nil, "")
	assert.Equal(t, http.StatusNotFound, status, "they are never under the API's URL")
}

// Controls that other machines could use without a token are not served.
func TestControlsNeedATokenUnlessOnLoopback(t *testing.T) {
	t.Parallel()
	for address, open := range map[string]bool{
		"127.0.0.1:0": true, "localhost:0": true, "[::1]:0": true, "127.8.8.8:0": true,
		":0": false, "0.0.0.0:0": false, "[::]:0": false, "192.0.2.7:0": false,
	} {
		g, err := Start(t.Context(), Config{ControlsListen: address})
		if open {
			assert.NotErrorIs(t, err, ErrOpenControls, address) // there may be no IPv6
		} else {
			assert.ErrorIs(t, err, ErrOpenControls, address)
			assert.ErrorContains(t, err, address)
		}
		if g != nil {
			closeGateway(t, g)
		}
	}
	g := start(t, Config{ControlsListen: "0.0.0.0:0", ControlToken: "secret"})
	status, _ := send(t, http.MethodGet, g.ControlsURL()+"/controls", nil, "")
	assert.Equal(t, http.StatusUnauthorized, status)
	status, _ = send(t, http.MethodGet, g.ControlsURL()+"/controls", bearer("secret"), "")
	assert.Equal(t, http.StatusOK, status)
}

func TestStartSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	for name, cfg := range map[string]Config{
		"the API's address is taken":      {Listen: taken.Addr().String()},
		"the controls' address is taken":  {ControlsListen: taken.Addr().String()},
		"the address has no port":         {Listen: "nowhere"},
		"a port beyond all":               {Listen: "127.0.0.1:70000"},
		"a port of the controls, too":     {ControlsListen: "127.0.0.1:70000"},
		"a port below zero":               {ControlsListen: "127.0.0.1:-1"},
		"the controls have no port":       {ControlsListen: "127.0.0.1"},
		"the data are in no directory":    {Data: filepath.Join(t.TempDir(), "missing", "gateway.db")},
		"the data are no database at all": {Data: t.TempDir()},
	} {
		g, err := Start(t.Context(), cfg)
		require.Error(t, err, name)
		assert.Nil(t, g, name)
		for _, address := range []string{cfg.Listen, cfg.ControlsListen, cfg.Data} {
			assert.Contains(t, err.Error(), address, name)
		}
		assert.Equal(t, strings.HasSuffix(name, "taken"), errors.Is(err, ErrAddressInUse), name)
		assert.Equal(t, strings.Contains(name, "port"), strings.Contains(err.Error(), "expected HOST:PORT"), "%s: %s", name, err)
		assert.NotErrorIs(t, err, ErrOpenControls, name)
	}
}
