package gateway

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRequestsThatWouldNotBeOne(t *testing.T) {
	t.Parallel()
	g := serveRaw(t, always(fine))
	c := connect(t, g, ConnectionsConfig{Reuse: true})
	for name, spoil := range map[string]func(*Request){
		"method":       func(r *Request) { r.Method = "GET /x HTTP/1.1\r\n" },
		"path":         func(r *Request) { r.Path = "/a b" },
		"no slash":     func(r *Request) { r.Path = "a" },
		"line in path": func(r *Request) { r.Path = "/a\r\nX: y" },
		"token":        func(r *Request) { r.Bearer = "a\r\nX: y" },
		"header name":  func(r *Request) { r.Header = []string{"X: y\r\nZ", "1"} },
		"header value": func(r *Request) { r.Header = []string{"X", "1\r\nZ: 2"} },
		"half header":  func(r *Request) { r.Header = []string{"X"} },
	} {
		r := post()
		spoil(r)
		x := c.Send(t.Context(), r)
		assert.ErrorContains(t, x.Err, "expected", name)
		assert.True(t, x.Unsent, name)
	}
	for _, cfg := range []ConnectionsConfig{{UserAgent: "a\r\nX: y"}, {Header: map[string]string{"X": "1\r\nZ: 2"}}} {
		x := connect(t, g, cfg).Send(t.Context(), post())
		assert.ErrorContains(t, x.Err, "expected a header of visible ASCII")
		assert.True(t, x.Unsent)
	}
	assert.Zero(t, g.accepted.Load())
}

func TestAGatewayOfIPv6(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6: ", err)
	}
	hosts := make(chan string, 1)
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { hosts <- r.Host })}}
	server.Start()
	defer server.Close()
	base, err := ParseURL(server.URL)
	require.NoError(t, err)
	x := NewConnections(base, ConnectionsConfig{}).Send(t.Context(), post())
	require.NoError(t, x.Err)
	assert.Equal(t, listener.Addr().String(), <-hosts)
}

func TestWhatIsWritten(t *testing.T) {
	t.Parallel()
	written := make(chan *http.Request, 1)
	g := serveRaw(t, func(_ *raw, _ int64, conn net.Conn, from *bufio.Reader) {
		request, err := http.ReadRequest(from)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(request.Body)
		request.Body = io.NopCloser(strings.NewReader(string(body)))
		written <- request
		_, _ = io.WriteString(conn, fine)
	})
	g.base.Path = "/prefix/"
	c := connect(t, g, ConnectionsConfig{UserAgent: "pixcert/1", Header: map[string]string{"X-Run": "7"}, Reuse: true})
	r := post()
	r.Path, r.Bearer, r.Header = "/a%20b?c=d", "secret", []string{"X-Sandbox-Scenario", "success"}
	require.NoError(t, c.Send(t.Context(), r).Err)
	got := <-written
	assert.Equal(t, "/prefix/a%20b?c=d", got.RequestURI)
	assert.Equal(t, g.base.Host, got.Host)
	assert.Equal(t, http.Header{
		"User-Agent": {"pixcert/1"}, "X-Run": {"7"}, "Authorization": {"Bearer secret"},
		"X-Sandbox-Scenario": {"success"}, "Content-Type": {"application/json"}, "Content-Length": {"14"},
	}, got.Header)
	body, err := io.ReadAll(got.Body)
	require.NoError(t, err)
	assert.JSONEq(t, `{"value":1.00}`, string(body))
}
