package target

import (
	"bufio"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

// answers is a server that answers each request alike.
func answers(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		if status >= 300 && status < 400 {
			w.Header().Set("Location", "https://elsewhere.example/v1")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

const problem = `{"statusCode":401,"message":"no token","error":"Unauthorized"}`

func serve(t *testing.T, handler http.Handler) string {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func TestOpenTakesGateways(t *testing.T) {
	t.Parallel()
	conforming := http.NewServeMux()
	conforming.HandleFunc("GET /v1/accounts/balances", answers(401, "application/json", problem))
	conforming.HandleFunc("POST /v1/api/auth/token", answers(400, "application/json", problem))
	lacking := http.NewServeMux() // has the token endpoint alone
	lacking.HandleFunc("/accounts/balances", answers(404, "text/html", "<html>"))
	lacking.HandleFunc("POST /token", answers(500, "application/json", "{}"))
	for name, c := range map[string]struct {
		handler http.Handler
		profile Profile
	}{
		"conforming, below a path":        {handler: conforming, profile: Profile{BaseURL: "/v1"}},
		"and with a slash":                {handler: conforming, profile: Profile{BaseURL: "/v1/"}},
		"one endpoint alone":              {handler: lacking, profile: Profile{TokenPath: "/token"}},
		"errors to everything":            {handler: answers(500, "application/json", problem)},
		"takes requests without token":    {handler: answers(200, "application/json", `{"data":[]}`)},
		"JSON that it calls HTML":         {handler: answers(401, "text/html", problem)},
		"plain text":                      {handler: answers(401, "text/plain", "Unauthorized")},
		"nothing in its bodies":           {handler: answers(401, "", "")},
		"JSON for a method not allowed":   {handler: answers(405, "application/json", problem)},
		"too many requests, at the start": {handler: answers(429, "application/json", problem)},
		"not modified":                    {handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304) })},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.profile.BaseURL = serve(t, c.handler) + c.profile.BaseURL
			opened, err := Open(background(), c.profile, Identity{})
			require.NoError(t, err)
			opened.Client.CloseIdleConnections()
			assert.Equal(t, strings.TrimRight(c.profile.BaseURL, "/"), opened.Profile.Name)
			assert.Empty(t, opened.ControlNames())
		})
	}
}

func TestOpenRefusesWhatIsNoGateway(t *testing.T) {
	t.Parallel()
	mixed := http.NewServeMux() // as a server of static files does
	mixed.HandleFunc("GET /", answers(404, "text/plain", "404 page not found"))
	mixed.HandleFunc("POST /", answers(405, "text/html", "<h1>no</h1>"))
	for name, c := range map[string]struct {
		handler http.Handler
		err     string
	}{
		"web site":          {answers(200, "text/html", "<!doctype html>"), "BASE is not a gateway: GET BASE/accounts/balances returns 200 and a web page instead of JSON; check host, port and path, and any proxy in front of the gateway"},
		"XML":               {answers(200, "application/xml", "\n<?xml?>"), "a web page instead of JSON"},
		"proxy":             {answers(502, "text/html", "<html>"), "as a proxy does whose gateway is down; start the gateway"},
		"another path":      {answers(404, "application/json", `{"message":"no route"}`), "BASE has no gateway at this path: GET BASE/accounts/balances returns 404; check the path of the base URL, to which pixcert appends paths such as /accounts/balances"},
		"files":             {mixed, "POST BASE/api/auth/token returns 405 and a web page"},
		"another host":      {answers(308, "application/json", "{}"), `BASE redirects GET BASE/accounts/balances to "https://elsewhere.example/v1"; pixcert follows no redirects: use the base URL that it redirects to`},
		"a port for TLS":    {answers(400, "text/plain", "Client sent an HTTP request to an HTTPS server.\n"), "BASE requires TLS: use https:// instead of http://"},
		"nginx, with TLS":   {answers(400, "text/html", "<center>The plain HTTP request was sent to HTTPS port</center>"), "BASE requires TLS"},
		"knows no balances": {answers(501, "text/plain", "not implemented"), "has no gateway at this path"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, c.handler)
			_, err := Open(background(), Profile{BaseURL: url + "/"}, Identity{})
			require.Error(t, err)
			assert.Contains(t, strings.ReplaceAll(err.Error(), url, "BASE"), c.err)
		})
	}
}

func TestOpenSaysWhyNothingAnswers(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	closedPort := listener.Addr().String()
	listener.Close()
	untrustedServer := httptest.NewTLSServer(answers(401, "application/json", problem))
	t.Cleanup(untrustedServer.Close)
	plain := strings.TrimPrefix(serve(t, answers(401, "application/json", problem)), "http://")
	for name, c := range map[string]struct{ url, err string }{
		"nothing listens": {"http://" + closedPort, "connection refused; start the gateway, or correct the host and port"},
		"no such name":    {"http://gateway.invalid", "cannot resolve the host name gateway.invalid; correct the host name"},
		"no TLS":          {"https://" + plain, "the server does not use TLS; use http:// instead of https://"},
		"unknown issuer":  {untrustedServer.URL, "its TLS certificate is not trusted: unknown issuer; set tls.ca in the profile to the authority that issued it, or make the system trust it (SSL_CERT_FILE=ca.pem)"},
		"no HTTP":         {"http://" + serveRaw(t, writing("SSH-2.0-x\r\n")), "malformed HTTP response; the server does not speak HTTP: correct the port"},
		"silent":          {"http://" + serveRaw(t, writing("")), "timed out after 2s; check that the gateway is running, and read its log"},
		"closes":          {"http://" + serveRaw(t, func(*net.TCPConn, *bufio.Reader) {}), "check that the gateway is running"},
		"no URL":          {"gateway.example", `base URL: expected a URL such as`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := Profile{BaseURL: c.url}
			if name == "silent" {
				p.Deadlines = soon
			}
			_, err := Open(background(), p, Identity{})
			require.ErrorContains(t, err, c.err)
		})
	}
}

func TestOpenDiscoversControls(t *testing.T) {
	t.Parallel()
	api := serve(t, answers(401, "application/json", problem))
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		token   string
		err     string
		names   []string
	}{
		"two":            {handler: answers(200, "application/json", `{"protocol":1,"controls":["funds","accounts"],"more":{}}`), names: []string{"accounts", "funds"}},
		"one to come":    {handler: answers(200, "", `{"protocol":1,"controls":["teleport"]}`), names: []string{"teleport"}},
		"none":           {handler: answers(200, "", `{"protocol":1,"controls":[]}`)},
		"protocol 2":     {handler: answers(200, "", `{"protocol":2,"controls":[]}`), err: "the test controls at BASE: expected protocol 1, got protocol 2: use a version of pixcert"},
		"the API itself": {handler: answers(404, "", problem), err: "BASE does not serve test controls: expected a protocol and controls from GET BASE/controls, got 404 with " + problem + "; correct controls.url (--control-url), or remove it"},
		"JSON":           {handler: answers(200, "", `{}`), err: "does not serve test controls"},
		"a list":         {handler: answers(200, "", `[]`), err: "does not serve test controls"},
		"HTML":           {handler: answers(200, "text/html", "<html>"), err: "got 200 with <html>;"},
		"empty":          {handler: answers(200, "", ""), err: "got 200 with an empty body;"},
		"token":          {handler: answers(401, "", "{}"), err: "the test controls at BASE return 401: pass the token that they require"},
		"wrong token":    {handler: answers(403, "", "{}"), token: "wrong", err: "the test controls at BASE reject the token (403): correct --control-token, PIXCERT_CONTROL_TOKEN or controls.token"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, c.handler)
			opened, err := Open(background(), Profile{BaseURL: api, Control: &ControlAccess{URL: url + "/", Token: c.token}}, Identity{})
			if c.err != "" {
				require.Error(t, err)
				assert.Contains(t, strings.ReplaceAll(err.Error(), url, "BASE"), c.err)
				return
			}
			require.NoError(t, err)
			opened.Client.CloseIdleConnections()
			assert.Equal(t, c.names, opened.ControlNames())
		})
	}
	_, err := Open(background(), Profile{BaseURL: api, Control: &ControlAccess{URL: "http://127.0.0.1:1"}}, Identity{})
	require.ErrorContains(t, err, "the test controls at http://127.0.0.1:1 cannot be reached: connection refused")
}

func TestOpenTrustsTheProfilesCA(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(answers(401, "application/json", problem))
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	opened, err := Open(background(), Profile{BaseURL: server.URL, TLS: TLS{CA: ca}}, Identity{})
	require.NoError(t, err)
	opened.Client.CloseIdleConnections()
}

// A clock that is off by more than a minute is noted.
func TestClockNote(t *testing.T) {
	t.Parallel()
	for off, want := range map[time.Duration]string{
		0: "", 50 * time.Second: "", -50 * time.Second: "",
		5 * time.Minute:  `^the target's clock is (5m0s|4m5\ds) ahead of this machine's, by its Date header; `,
		-5 * time.Minute: `^the target's clock is (5m\d+s) behind this machine's, by its Date header; `,
	} {
		url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", time.Now().Add(off).UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusUnauthorized)
		}))
		opened, err := Open(background(), Profile{BaseURL: url}, Identity{})
		require.NoError(t, err)
		opened.Client.CloseIdleConnections()
		if want == "" {
			assert.Empty(t, opened.ClockNote())
		} else {
			assert.Regexp(t, want, opened.ClockNote())
		}
	}
	assert.Zero(t, clockOffset(exchange.Exchange{}))
}
