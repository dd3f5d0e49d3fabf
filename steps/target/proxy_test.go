package target

import (
	"crypto/tls"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/http/httpproxy"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/exchange"
)

// forwarder is an HTTP proxy that resolves every host to one backend. It requires the user pix with
// the password pr@xy-passw0rd.
type forwarder struct {
	backend string // host:port

	mu   sync.Mutex
	seen []string // "CONNECT host:port" or the URL of a plain request
}

func (f *forwarder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Proxy-Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte("pix:pr@xy-passw0rd")) {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	f.mu.Lock()
	f.seen = append(f.seen, strings.TrimPrefix(r.Method+" ", "GET ")+r.RequestURI)
	f.mu.Unlock()
	if r.Method != http.MethodConnect {
		(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) { p.Out.URL.Host = f.backend }}).ServeHTTP(w, r)
		return
	}
	there, err := net.Dial("tcp", f.backend)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusOK)
	here, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(there, here)
		_ = there.Close()
	}()
	_, _ = io.Copy(here, there)
	_ = here.Close()
}

func (f *forwarder) all() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen
}

// throughProxy starts a gateway with controls, over TLS or not, that can be reached by the name gateway.example
// only through a proxy, whose address has no user.
func throughProxy(t *testing.T, secure bool) (p Profile, f *forwarder, proxy string) {
	t.Helper()
	gateway := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "gateway.example", r.Host)
		assert.Empty(t, r.Header.Get("Proxy-Authorization"))
		if r.URL.Path == "/controls" {
			_, _ = io.WriteString(w, `{"protocol":1,"controls":["funds"]}`)
			return
		}
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"path":"`+r.RequestURI+`"}`)
	}))
	base := "http://gateway.example"
	if secure {
		base = "https://gateway.example"
		authority, err := certs.NewAuthority()
		require.NoError(t, err)
		own, err := authority.IssueServer("gateway.example")
		require.NoError(t, err)
		gateway.TLS = &tls.Config{Certificates: []tls.Certificate{own}}
		gateway.StartTLS()
		p.TLS.CA = authority.PEM()
	} else {
		gateway.Start()
	}
	t.Cleanup(gateway.Close)
	f = &forwarder{backend: gateway.Listener.Addr().String()}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	p.BaseURL, p.Control = base+"/pix", &ControlAccess{URL: base}
	return p, f, server.Listener.Addr().String()
}

// The API and the controls are reached through the proxy of the profile, by CONNECT over TLS, with the
// path exactly as given.
func TestProxyOfTheProfile(t *testing.T) {
	t.Parallel()
	for name, secure := range map[string]bool{"plain": false, "CONNECT": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, f, proxy := throughProxy(t, secure)
			p.Proxy = "http://pix:pr%40xy-passw0rd@" + proxy
			opened, err := Open(background(), p, Identity{})
			require.NoError(t, err)
			t.Cleanup(opened.Client.CloseIdleConnections)
			assert.True(t, opened.Has[Funds])
			e := opened.Client.Send(background(), get("/a%2fb/%C3%A9?x=%2f&y"))
			assert.Equal(t, `{"path":"/pix/a%2fb/%C3%A9?x=%2f&y"}`, string(e.ResponseBody), e.Err)
			assert.Equal(t, p.BaseURL+"/a%2fb/%C3%A9?x=%2f&y", e.URL)
			if secure {
				assert.Equal(t, "CONNECT gateway.example:443", f.all()[0])
			} else {
				assert.Contains(t, f.all(), "http://gateway.example/pix/a%2fb/%C3%A9?x=%2f&y")
			}

			var secrets exchange.Redactor
			p.Hide(&secrets)
			assert.Equal(t, "*** and ***", secrets.Text("pr@xy-passw0rd and pr%40xy-passw0rd"))
		})
	}
}

// Without a setting in the profile, the environment names the proxy. Loopback addresses are reached
// directly.
func TestProxyOfTheEnvironment(t *testing.T) {
	p, f, proxy := throughProxy(t, true)
	direct := serveText(t, "direct")
	t.Setenv("HTTPS_PROXY", "http://pix:pr%40xy-passw0rd@"+proxy)
	t.Setenv("HTTP_PROXY", "http://"+proxy)
	t.Setenv("NO_PROXY", "")
	opened, err := Open(background(), p, Identity{})
	require.NoError(t, err)
	t.Cleanup(opened.Client.CloseIdleConnections)
	assert.Equal(t, "CONNECT gateway.example:443", f.all()[0])

	e := open(t, Profile{BaseURL: direct}).Client.Send(background(), get("/"))
	assert.Equal(t, "direct", string(e.ResponseBody), e.Err)

	var secrets exchange.Redactor
	Profile{}.Hide(&secrets)
	assert.Equal(t, "***", secrets.Text("pr@xy-passw0rd"))
}

func serveText(t *testing.T, text string) (base string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
	t.Cleanup(server.Close)
	return server.URL
}

func TestProxyErrors(t *testing.T) {
	t.Parallel()
	p, _, proxy := throughProxy(t, true)
	plain, _, plainProxy := throughProxy(t, false)
	gone := httptest.NewServer(nil)
	gone.Close()
	for name, c := range map[string]struct {
		profile Profile
		proxy   string
		want    string
	}{
		"CONNECT without a password": {p, "http://" + proxy,
			"cannot reach the target at https://gateway.example/pix: the proxy failed: it refuses CONNECT with 407 Proxy Authentication Required; " +
				"add the user and password that " + proxy + " requires: http://USER:PASSWORD@" + proxy + " in proxy in the profile"},
		"plain without a password": {plain, "http://" + plainProxy,
			"the proxy in front of http://gateway.example/pix requires authentication (407); add the user and password that " + plainProxy + " requires"},
		"no proxy there": {p, "http://pix:hush@" + gone.Listener.Addr().String(),
			"the proxy failed: connection refused; correct proxy in the profile (" + gone.Listener.Addr().String() + "), or list gateway.example in NO_PROXY"},
		"not a URL": {p, "ftp://pix:hush@proxy", `proxy in the profile: expected a URL such as http://proxy.example:3128, got "proxy"`},
		"none": {Profile{BaseURL: "https://gateway.invalid"}, NoProxy,
			"cannot resolve the host name gateway.invalid; correct the host name; if this network requires a proxy, set HTTPS_PROXY or proxy in the profile (none is set)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.profile.Proxy = c.proxy
			_, err := Open(background(), c.profile, Identity{})
			require.ErrorContains(t, err, c.want)
			assert.NotContains(t, err.Error(), "hush")
		})
	}
}

// A host that NO_PROXY excludes is unknown for a reason that its user should see.
func TestUnknownHostNamesTheProxy(t *testing.T) {
	t.Parallel()
	all, err := newProxies(Profile{}, &httpproxy.Config{HTTPSProxy: "http://proxy.example", NoProxy: ".example"})
	require.NoError(t, err)
	base := &url.URL{Scheme: "https", Host: "gateway.example"}
	assert.Nil(t, all.use(base))
	assert.Equal(t, "correct the host name; HTTP_PROXY or HTTPS_PROXY names a proxy, but not for this host: "+
		"check NO_PROXY (.example) and set the variable of its scheme, HTTPS_PROXY", all.advice(base, unresolved+"gateway.example"))
}

// systemCA, set in the environment, makes the test binary connect to a server of the system's authorities.
const systemCA = "PIXCERT_TEST_SYSTEM_CA_URL"

// tls.ca adds to the authorities of the system, which a corporate proxy that inspects TLS needs.
func TestSystemAuthoritiesAreTrusted(t *testing.T) {
	t.Parallel()
	own, err := certs.NewAuthority()
	require.NoError(t, err)
	if base := os.Getenv(systemCA); base != "" {
		e := open(t, Profile{BaseURL: base, TLS: TLS{CA: own.PEM()}}).Client.Send(background(), get("/"))
		require.Empty(t, e.Err)
		return
	}
	system, err := certs.NewAuthority()
	require.NoError(t, err)
	certificate, err := system.IssueServer("127.0.0.1")
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.StartTLS()
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(file, system.PEM(), 0o600))
	process := exec.Command(os.Args[0], "-test.run=^TestSystemAuthoritiesAreTrusted$")
	process.Env = append(os.Environ(), "SSL_CERT_FILE="+file, systemCA+"="+server.URL)
	out, err := process.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
