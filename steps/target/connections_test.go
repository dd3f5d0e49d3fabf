package target

import (
	"crypto/tls"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/exchange"
)

// mutual is a TLS server that answers with the fingerprint of the client's certificate,
// and how to reach it.
func mutual(t *testing.T, auth tls.ClientAuthType, changes ...func(*httptest.Server)) Profile {
	t.Helper()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	own, err := authority.IssueServer("127.0.0.1")
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown := exchange.NoCertificate
		if len(r.TLS.PeerCertificates) > 0 {
			shown = fingerprint(&tls.Certificate{Certificate: [][]byte{r.TLS.PeerCertificates[0].Raw}})
		}
		_, _ = io.WriteString(w, shown)
	}))
	// Naming an authority makes a client that is left to itself keep others' certificates back.
	server.TLS = &tls.Config{Certificates: []tls.Certificate{own}, ClientAuth: auth, ClientCAs: authority.Pool()}
	for _, change := range changes {
		change(server)
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return Profile{BaseURL: server.URL, TLS: TLS{CA: authority.PEM(), Handshake: true}}
}

func client(t *testing.T, validity certs.Validity) (shown *tls.Certificate, fingerprint string) {
	t.Helper()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	c, err := authority.Issue(certs.Client{Validity: validity})
	require.NoError(t, err)
	certificate := c.TLS()
	return &certificate, c.Fingerprint()
}

func TestSendShowsTheCertificate(t *testing.T) {
	t.Parallel()
	sender := open(t, mutual(t, tls.RequestClientCert)).Client
	for name, validity := range map[string]certs.Validity{"valid": certs.Valid, "expired": certs.Expired, "not yet valid": certs.NotYetValid} {
		r := get("/")
		var want string
		r.Certificate, want = client(t, validity)
		e := sender.Send(background(), r)
		assert.Equal(t, want, string(e.ResponseBody), "%s: %s", name, e.Err)
		assert.Equal(t, want, e.ClientCertificate, name)
	}
	r := get("/")
	r.Certificate = &tls.Certificate{}
	e := sender.Send(background(), r)
	assert.Equal(t, exchange.NoCertificate, string(e.ResponseBody))
	assert.Equal(t, exchange.NoCertificate, e.ClientCertificate)
}

// What the profile has for everybody is shown where a request brings nothing of its own.
func TestSendShowsTheProfilesCertificate(t *testing.T) {
	t.Parallel()
	profile := mutual(t, tls.RequestClientCert)
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	common, err := authority.Issue(certs.Client{})
	require.NoError(t, err)
	profile.TLS.Certificate, profile.TLS.Key = common.PEM(), common.KeyPEM()
	sender := open(t, profile).Client
	own, fingerprint := client(t, certs.Valid)
	for _, c := range []struct {
		shown *tls.Certificate
		want  string
	}{{nil, common.Fingerprint()}, {own, fingerprint}, {&tls.Certificate{}, exchange.NoCertificate}, {nil, common.Fingerprint()}} {
		r := get("/")
		r.Certificate = c.shown
		assert.Equal(t, c.want, string(sender.Send(background(), r).ResponseBody))
	}
}

// Connections are kept, and none is used under another certificate than its own, though
// requests of all kinds go beside each other.
func TestConnectionsDoNotCrossCertificates(t *testing.T) {
	t.Parallel()
	const holders, rounds = 8, 25
	var opened atomic.Int64
	sender := open(t, mutual(t, tls.RequestClientCert, func(s *httptest.Server) {
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				opened.Add(1)
			}
		}
	})).Client
	var wait sync.WaitGroup
	for i := range holders {
		r := get("/")
		want := exchange.NoCertificate
		if r.Certificate = (&tls.Certificate{}); i > 0 {
			r.Certificate, want = client(t, certs.Valid)
		}
		for range 2 {
			wait.Go(func() {
				for range rounds {
					assert.Equal(t, want, string(sender.Send(background(), r).ResponseBody))
				}
			})
		}
	}
	wait.Wait()
	assert.Less(t, opened.Load(), int64(holders*rounds), "of %d requests", 2*holders*rounds)
}

// However many certificates a run has, few connections are kept.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	alive := map[net.Conn]bool{}
	sender := open(t, mutual(t, tls.RequestClientCert, func(s *httptest.Server) {
		s.Config.ConnState = func(c net.Conn, state http.ConnState) {
			mu.Lock()
			defer mu.Unlock()
			switch state {
			case http.StateNew:
				alive[c] = true
			case http.StateClosed:
				delete(alive, c)
			}
		}
	})).Client
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	var first Request
	for i := range 2 * certificatesAtMost {
		c, err := authority.Issue(certs.Client{})
		require.NoError(t, err)
		shown := c.TLS()
		r := get("/")
		r.Certificate = &shown
		require.Equal(t, c.Fingerprint(), string(sender.Send(background(), r).ResponseBody))
		if i == 0 {
			first = r
		}
	}
	assert.Len(t, sender.connections.of, certificatesAtMost)
	assert.Equal(t, 200, sender.Send(background(), first).Status, "one that had to make room comes again")
	sender.CloseIdleConnections()
	assert.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(alive) == 0
	}, 10*time.Second, time.Millisecond)
}

func TestAnEdgeThatEndsTheHandshake(t *testing.T) {
	t.Parallel()
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		profile := mutual(t, tls.RequireAndVerifyClientCert, func(s *httptest.Server) { s.TLS.MaxVersion = version })
		sender := open(t, profile).Client
		for name, r := range map[string]Request{"without a body": get("/"), "with one": post("/", "{}")} {
			r.Certificate = &tls.Certificate{}
			e := sender.Send(background(), r)
			assert.True(t, HandshakeRefused(e), "%s: %s", name, e.Err)
			assert.False(t, Undecided(e))
			r.Certificate, _ = client(t, certs.Valid)
			assert.True(t, HandshakeRefused(sender.Send(background(), r)), name)
		}
		opened, err := Open(background(), profile, Identity{})
		require.NoError(t, err, "it wants a certificate, which is no reason not to begin")
		opened.Client.CloseIdleConnections()
	}
	e := open(t, Profile{BaseURL: "http://127.0.0.1:1"}).Client.Send(background(), get("/"))
	assert.False(t, HandshakeRefused(e), e.Err)
}

func TestHandshakesNeedTLSAndKeys(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	one, err := authority.Issue(certs.Client{})
	require.NoError(t, err)
	two, err := authority.Issue(certs.Client{Key: certs.RSA}) // of one kind they share a key
	require.NoError(t, err)
	for name, c := range map[string]struct {
		p   Profile
		err string
	}{
		"plain HTTP":                  {Profile{BaseURL: "http://x", TLS: TLS{Handshake: true}}, "use an https URL"},
		"a key of another":            {Profile{BaseURL: "https://x", TLS: TLS{Certificate: one.PEM(), Key: two.KeyPEM()}}, "matching pair"},
		"no key":                      {Profile{BaseURL: "https://x", TLS: TLS{Certificate: one.PEM()}}, "matching pair in PEM"},
		"an account without its key":  {Profile{BaseURL: "https://x", TLS: TLS{Handshake: true}, Accounts: []Account{{Certificate: one.PEM()}}}, "accounts[0]"},
		"a certificate that is a key": {Profile{BaseURL: "https://x", TLS: TLS{Certificate: pem.EncodeToMemory(&pem.Block{Type: "X"}), Key: one.KeyPEM()}}, "matching pair in PEM"},
	} {
		_, err := Open(background(), c.p, Identity{})
		assert.ErrorContains(t, err, c.err, name)
	}
}
