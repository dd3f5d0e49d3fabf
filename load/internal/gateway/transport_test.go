package gateway

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/data"
)

// secured is a gateway over TLS, HTTP/2 where the client wants it, with the roots that
// its certificate is of.
func secured(t *testing.T, handler http.HandlerFunc) (*url.URL, *x509.CertPool) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return base, roots
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, _ = w.Write(append([]byte(r.Proto+" "), body...))
}

// counted wraps a connection as one does who counts its bytes.
type counted struct{ net.Conn }

func (c counted) NetConn() net.Conn { return c.Conn }

func dialCounted(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	return counted{conn}, err
}

func TestConnectionsOverTLS(t *testing.T) {
	t.Parallel()
	base, roots := secured(t, echo)
	c := NewConnections(base, ConnectionsConfig{
		Reuse: true, TLS: &tls.Config{RootCAs: roots}, Dial: dialCounted,
	})
	for i := range 3 {
		x := c.Send(t.Context(), post())
		require.NoError(t, x.Err)
		assert.Equal(t, `HTTP/1.1 {"value":1.00}`, string(x.Body))
		assert.Equal(t, "tls1.3", x.Timing.TLSVersion)
		assert.Equal(t, i > 0, x.Timing.Reused)
		assert.Equal(t, i == 0, x.Timing.TLSHandshaking > 0)
		assert.GreaterOrEqual(t, x.Timing.Blocked, x.Timing.Connecting+x.Timing.TLSHandshaking)
		assert.Equal(t, base.Host, x.Timing.Remote.String())
	}
}

// held is a connection whose writes leave together, once it is let go.
type held struct {
	net.Conn
	holds   bool
	written []byte
}

func (c *held) Write(b []byte) (int, error) {
	if !c.holds {
		return c.Conn.Write(b)
	}
	c.written = append(c.written, b...)
	return len(b), nil
}

func (c *held) letGo() {
	_, _ = c.Conn.Write(c.written)
	c.holds, c.written = false, nil
}

// What a gateway says unasked may lie where TLS has read it already, and the socket is
// quiet: it is not the answer to the next request.
func TestWhatNobodyAskedForAnswersNothing(t *testing.T) {
	t.Parallel()
	keys := httptest.NewUnstartedServer(nil)
	keys.StartTLS()
	defer keys.Close()
	roots := x509.NewCertPool()
	roots.AddCert(keys.Certificate())
	g := serveRaw(t, func(g *raw, number int64, conn net.Conn, _ *bufio.Reader) {
		wire := &held{Conn: conn}
		secured := tls.Server(wire, &tls.Config{Certificates: keys.TLS.Certificates})
		for from := bufio.NewReader(secured); g.read(from); {
			wire.holds = true
			_, _ = io.WriteString(secured, fine)
			if number == 1 {
				_, _ = io.WriteString(secured, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
			}
			wire.letGo()
		}
	})
	g.base.Scheme = "https"
	c := connect(t, g, ConnectionsConfig{Reuse: true, TLS: &tls.Config{RootCAs: roots}})
	for i := range 3 {
		x := c.Send(t.Context(), post())
		require.NoError(t, x.Err)
		assert.Equal(t, http.StatusOK, x.Status)
		assert.Equal(t, i == 2, x.Timing.Reused, "request %d", i)
	}
	assert.EqualValues(t, 2, g.accepted.Load())
}

func TestACertificateOfNobodyIsRefused(t *testing.T) {
	t.Parallel()
	base, _ := secured(t, echo)
	c := NewConnections(base, ConnectionsConfig{Reuse: true})
	x := c.Send(t.Context(), post())
	assert.ErrorContains(t, x.Err, "TLS handshake with "+base.Host)
	assert.True(t, x.Unsent)
}

// A gateway that offers only CBC gets no request, unless the configuration names those suites.
func TestNoCBC(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(echo))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA}}
	server.StartTLS()
	defer server.Close()
	base, err := url.Parse(server.URL)
	require.NoError(t, err)
	x := NewConnections(base, ConnectionsConfig{TLS: &tls.Config{InsecureSkipVerify: true}}).Send(t.Context(), post())
	require.ErrorContains(t, x.Err, "TLS handshake with "+base.Host)
	x = NewConnections(base, ConnectionsConfig{TLS: &tls.Config{InsecureSkipVerify: true, CipherSuites: server.TLS.CipherSuites}}).Send(t.Context(), post())
	require.NoError(t, x.Err)
}

func TestTransportOverHTTP2(t *testing.T) {
	t.Parallel()
	base, roots := secured(t, echo)
	trip := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	defer trip.CloseIdleConnections()
	transport := NewTransport(base, trip, ConnectionsConfig{})
	for i := range 2 {
		x := transport.Send(t.Context(), post())
		require.NoError(t, x.Err)
		assert.Equal(t, `HTTP/2.0 {"value":1.00}`, string(x.Body))
		assert.Equal(t, "HTTP/2.0", x.Timing.Protocol)
		assert.Equal(t, "tls1.3", x.Timing.TLSVersion)
		assert.Equal(t, i > 0, x.Timing.Reused)
		assert.Positive(t, x.Timing.Duration())
	}
}

// Go's transport sends again what bears a key of idempotency: a repeat that nobody counts.
func TestTransportSendsAPaymentOnce(t *testing.T) {
	t.Parallel()
	g := serveRaw(t, func(g *raw, _ int64, conn net.Conn, from *bufio.Reader) {
		for g.read(from) && g.requests.Load() < 2 { // the second is never answered
			_, _ = io.WriteString(conn, fine)
		}
	})
	trip := &http.Transport{}
	defer trip.CloseIdleConnections()
	transport := NewTransport(g.base, trip, ConnectionsConfig{})
	require.NoError(t, transport.Send(t.Context(), post()).Err)
	transfer := data.NewSource(1, 0, 1).Transfer(data.ID{Run: 1}, data.Payee{})
	account := testAccount(t)
	account.token.Store(&token{"t", time.Now().Add(time.Hour), time.Now().Add(time.Hour)})
	answer, x := account.Create(t.Context(), transport, Transfer, &transfer)
	require.Error(t, x.Err)
	assert.True(t, x.Timing.Reused)
	assert.Equal(t, Unknown, answer.Outcome)
	assert.EqualValues(t, 2, g.requests.Load(), "sent once")
}

// gzip that nobody asked for is read; k6's transport leaves it to us.
func TestTransportReadsGzip(t *testing.T) {
	t.Parallel()
	trip := &http.Transport{DisableCompression: true}
	defer trip.CloseIdleConnections()
	g := serveRaw(t, always(gzipped("{}")))
	x := NewTransport(g.base, trip, ConnectionsConfig{}).Send(t.Context(), post())
	require.NoError(t, x.Err)
	assert.Equal(t, "{}", string(x.Body))
}

func TestTransportTellsWhyNoAnswerCame(t *testing.T) {
	t.Parallel()
	trip := &http.Transport{}
	defer trip.CloseIdleConnections()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			_, _ = io.Copy(io.Discard, r.Body)
			<-release
		case "/long":
			_, _ = io.WriteString(w, strings.Repeat("x", maxBody+1))
		}
	}))
	defer server.Close()
	defer close(release)
	base, err := url.Parse(server.URL)
	require.NoError(t, err)
	send := func(base *url.URL, path string, timeout time.Duration) *Exchange {
		r := post()
		r.Path = path
		return NewTransport(base, trip, ConnectionsConfig{Timeout: timeout}).Send(t.Context(), r)
	}

	require.NoError(t, send(base, "/", time.Minute).Err, "there is a connection from now on")
	x := send(base, "/slow", 50*time.Millisecond)
	assert.ErrorContains(t, x.Err, "expected a complete response within 50ms")
	assert.False(t, x.Unsent)
	x = send(base, "/long", time.Minute)
	assert.ErrorContains(t, x.Err, "at most 1048576 bytes")
	assert.Zero(t, x.Status)
	x = send(base, "no slash", time.Minute)
	assert.True(t, x.Unsent)
	x = send(&url.URL{Scheme: "http", Host: nobody}, "/", time.Minute)
	assert.Error(t, x.Err)
	assert.True(t, x.Unsent)
}
