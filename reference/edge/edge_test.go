package edge

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
)

// receivedHeader is X-SSL-Client-Cert as the API receives it from an edge.
func receivedHeader(edge func(http.Handler) http.Handler, r *http.Request) (values []string) {
	edge(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		for name, of := range r.Header {
			if name != "Content-Type" {
				values = append(values, of...)
			}
		}
	})).ServeHTTP(httptest.NewRecorder(), r)
	return values
}

func withClientCertificateHeaders() *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/api/auth/token", nil)
	r.Header = http.Header{
		"X-Ssl-Client-Cert": {"one", "two"}, "x-ssl-client-cert": {"three"},
		"X_ssl_client_cert": {"four"}, "X-Ssl_client-Cert": {"five"}, "Content-Type": {"application/json"},
	}
	return r
}

func TestTerminateTellsOfTheHandshakeAlone(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	shown, err := authority.Issue(certs.Client{})
	require.NoError(t, err)
	issuer, err := authority.Issue(certs.Client{})
	require.NoError(t, err)

	r := withClientCertificateHeaders()
	assert.Empty(t, receivedHeader(Terminate, r), "no TLS at all")
	r.TLS = &tls.ConnectionState{}
	assert.Empty(t, receivedHeader(Terminate, r), "no certificate in the handshake")
	r.TLS.PeerCertificates = []*x509.Certificate{shown.X509(), issuer.X509()}
	assert.Equal(t, []string{certs.Header(shown.PEM())}, receivedHeader(Terminate, r))
}

// A client that offers only CBC gets no connection.
func TestConfigHasNoCBC(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	own, err := authority.IssueServer("127.0.0.1")
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	server.TLS = Config(own)
	server.StartTLS()
	defer server.Close()
	for suite, ok := range map[uint16]bool{
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: true, tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: true,
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: false, tls.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: false,
	} {
		dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{suite}}}
		c, err := dialer.DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		assert.Equal(t, ok, err == nil, tls.CipherSuiteName(suite))
		if err == nil {
			assert.NoError(t, c.Close())
		}
	}
}

func TestTrustBelievesPeersAlone(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::/32")}
	for _, c := range []struct {
		peer    string
		peers   []netip.Prefix
		trusted bool
	}{
		{"127.0.0.1:4711", Loopback(), true},
		{"127.8.9.10:4711", Loopback(), true},
		{"[::1]:4711", Loopback(), true},
		{"[::ffff:127.0.0.1]:4711", Loopback(), true},
		{"192.0.2.7:4711", Loopback(), false},
		{"192.0.2.7:4711", proxies, true},
		{"192.0.3.7:4711", proxies, false},
		{"[2001:db8::7]:4711", proxies, true},
		{"[2001:db8::7%eth0]:4711", proxies, true},
		{"[fe80::1]:4711", proxies, false},
		{"127.0.0.1:4711", proxies, false},
		{"127.0.0.1:4711", []netip.Prefix{}, false},
		{"@", Loopback(), false},
	} {
		var log bytes.Buffer
		r := withClientCertificateHeaders()
		r.RemoteAddr = c.peer
		r.Header.Set("X-Forwarded-For", "127.0.0.1")
		came := receivedHeader(func(api http.Handler) http.Handler {
			return Trust(c.peers, slog.New(slog.NewTextHandler(&log, nil)), api)
		}, r)
		if c.trusted {
			assert.Len(t, came, 6, c.peer)
			assert.Empty(t, log.String())
		} else {
			assert.Equal(t, []string{"127.0.0.1"}, came, "%s: what was forwarded for says nothing of the peer", c.peer)
			assert.Contains(t, log.String(), c.peer)
		}
	}
}
