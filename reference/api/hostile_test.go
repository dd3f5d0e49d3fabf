package api

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/pix"
)

// hostile are bodies that no endpoint takes.
var hostile = []struct {
	name, body string
	status     int
}{
	{"nothing", "", 400},
	{"not JSON", "value=1.00", 400},
	{"half a body", `{"value": 1.00,`, 400},
	{"two bodies", order("1.00", "x") + order("1.00", "y"), 400},
	{"a trailing comma", `{"value": 1.00,}`, 400},
	{"single quotes", `{'value': 1.00}`, 400},
	{"a byte order mark", "\xef\xbb\xbf" + order("1.00", "x"), 400},
	{"a body of strings", `"value"`, 400},
	{"a body of numbers", `1`, 400},
	{"an array of orders", "[" + order("1.00", "x") + "]", 400},
	{"10 MB", `{"value":1.00,"externalId":"` + strings.Repeat("x", 10<<20) + `"}`, 413},
	{"10 MB of spaces", strings.Repeat(" ", 10<<20), 413},
	{"an amount of a million digits", order("1e1000000", "x"), 400},
	{"an amount of no end", order("1e-1000000", "x"), 400},
	{"an amount as long as a book", order("1"+strings.Repeat("0", 5_000), "x"), 400},
	{"a fraction as long as a book", order("0."+strings.Repeat("1", 5_000), "x"), 400},
	{"no number", order("NaN", "x"), 400},
	{"infinity", order("Infinity", "x"), 400},
	{"a hexadecimal amount", order("0x10", "x"), 400},
	{"an amount with a sign", order("+1.00", "x"), 400},
	{"an amount with a leading zero", order("01.00", "x"), 400},
	{"a raw NUL", order("1.00", "x") + "\x00", 400},
	{"an escaped NUL", strings.Replace(order("1.00", "x"), "lunch", `\u0000`, 1), 400},
	{"NUL in a name", strings.Replace(order("1.00", "x"), `"description"`, `"a\u0000b"`, 1), 400},
	{"a field twice", strings.Replace(order("1.00", "x"), `"value"`, `"value":1000.00,"value"`, 1), 400},
	{"a nested field twice", strings.Replace(order("1.00", "x"), `"keyType"`, `"key":"a","keyType"`, 1), 400},
	{"deep nesting", strings.Repeat(`{"a":`, 1_000) + "1" + strings.Repeat("}", 1_000), 400},
	{"deep arrays", strings.Repeat("[", 5_000), 400},
	{"invalid UTF-8", order("1.00", "x\xff\xfe"), 400},
	{"an overlong encoding", strings.Replace(order("1.00", "x"), "lunch", "\xc0\xaf", 1), 400},
}

// hostileTypes are content types that no endpoint takes.
var hostileTypes = []string{"", "text/plain", "application/x-www-form-urlencoded", "text/html; application/json", "application/jsonx", "*/*"}

func TestHostileBodies(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	for _, path := range []string{"/api/auth/token", "/oauth/token", "/api/pix/cash-out", "/api/webhooks"} {
		certificate := withHeader(certificateHeader, certs.Header(c.certificate.PEM()))
		for _, input := range hostile {
			a := c.as(t, http.MethodPost, path, certificate, withBody(input.body))
			assert.Equal(t, input.status, a.status, "%s: %s: %s", path, input.name, a.raw)
			checkEnvelope(t, a, http.MethodPost, path)
			if isToken := strings.HasSuffix(path, "token"); isToken && input.status == http.StatusBadRequest {
				assert.Equal(t, codeTokenBodyInvalid.code, a.code(), input.name)
			} else {
				assert.Equal(t, pix.CodeValidation, a.code(), input.name)
			}
		}
		for _, contentType := range hostileTypes {
			a := c.as(t, http.MethodPost, path, certificate, withBody(order("1.00", "x")), withHeader("Content-Type", contentType))
			assert.Equal(t, http.StatusUnsupportedMediaType, a.status, "%s: %q", path, contentType)
			checkEnvelope(t, a, http.MethodPost, path)
		}
	}
	available, blocked := c.balance(t)
	assert.EqualValues(t, 100_00, available)
	assert.EqualValues(t, 0, blocked)
	assert.Empty(t, c.listed(t))
	assert.Equal(t, http.StatusCreated, c.cashOut(t, withHeader("Content-Type", "application/json; charset=utf-8")).status)
}

func TestUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	for _, wrong := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{http.MethodGet, "/api/nothing", 404, ""},
		{http.MethodGet, "/api", 404, ""},
		{http.MethodPost, "/api/pix/cash-out/", 404, ""},
		{http.MethodGet, "/nothing", 404, ""},
		{http.MethodGet, "/", 404, ""},
		{http.MethodPost, "/api/med", 405, "GET"},
		{http.MethodGet, "/api/pix/cash-out", 405, "POST"},
		{http.MethodDelete, "/api/webhooks", 405, "GET, POST"},
		{http.MethodPost, "/accounts/balances", 405, "GET"},
		{"PROPFIND", "/accounts/balances", 405, "GET"},
	} {
		a := c.as(t, wrong.method, wrong.path)
		assert.Equal(t, wrong.status, a.status, "%s %s: %s", wrong.method, wrong.path, a.raw)
		assert.Equal(t, wrong.allow, a.header.Get("Allow"))
		checkEnvelope(t, a, wrong.method, wrong.path)
	}
	a := c.as(t, http.MethodGet, "/openapi.yaml")
	assert.Equal(t, http.StatusOK, a.status)
	assert.Contains(t, string(a.raw), "openapi: 3.1")
	assert.Regexp(t, `default: "http://127\.0\.0\.1:\d+"`, string(a.raw), "the server is the one that was asked")
}

func TestWireContractIsTheSameAsJSON(t *testing.T) {
	t.Parallel()
	a := newGateway(t).send(t, call{method: http.MethodGet, path: "/openapi.json"})
	require.Equal(t, http.StatusOK, a.status)
	assert.Equal(t, "3.1", a.fields["openapi"].(string)[:3])
	assert.Regexp(t, `"default":"http://127\.0\.0\.1:\d+"`, string(a.raw))
	assert.NotContains(t, string(a.raw), exampleServer)
	described := 0
	for _, item := range a.fields["paths"].(map[string]any) {
		described += len(item.(map[string]any))
	}
	wire, err := wireContract()
	require.NoError(t, err)
	assert.Len(t, wire.Operations(), described)
}

// A mistake in the gateway is a 500 in the right envelope, with an errorId that leads
// to its stack in the log, and tells the client nothing else.
func TestPanicBecomes500(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/api/broken", "/broken"} {
		var log strings.Builder
		a := newGateway(t).api
		a.log = slog.New(slog.NewTextHandler(&log, nil))
		a.routes.Get(path, func(http.ResponseWriter, *http.Request) { panic("a secret reason") })
		server := httptest.NewServer(a)
		g := &gateway{server: server, http: server.Client()}
		answer := g.send(t, call{method: http.MethodGet, path: path})
		server.Close()
		require.Equal(t, http.StatusInternalServerError, answer.status)
		checkEnvelope(t, answer, http.MethodGet, path)
		assert.NotContains(t, string(answer.raw), "secret")
		assert.Contains(t, log.String(), "a secret reason")
		assert.Contains(t, log.String(), "hostile_test.go", "the stack")
		if id, ok := answer.fields["errorId"].(string); ok {
			assert.Contains(t, log.String(), id)
		}
	}
}

// What clients store comes back as JSON that no browser takes for a page.
func TestStoredMarkupIsNoPage(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	const markup = `<script>alert(1)</script>`
	require.Equal(t, http.StatusCreated, c.cashOut(t, withBody(order("1.00", markup))).status)
	for _, a := range []answer{
		c.as(t, http.MethodGet, "/api/transactions"),
		c.cashOut(t, withBody(order("1.00", markup))), // a duplicate: an error that repeats it
		c.as(t, http.MethodGet, "/api/"+url.PathEscape(markup)),
		c.as(t, http.MethodGet, "/"+url.PathEscape(markup)),
	} {
		assert.Contains(t, string(a.raw), markup)
		assert.Equal(t, "application/json; charset=utf-8", a.header.Get("Content-Type"))
		assert.Equal(t, "nosniff", a.header.Get("X-Content-Type-Options"))
	}
}
