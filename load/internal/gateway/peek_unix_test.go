//go:build unix

package gateway

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A gateway that closes idle connections: each request goes to a fresh one, none is lost.
func TestAnIdleConnectionThatWasClosedIsNotUsed(t *testing.T) {
	t.Parallel()
	closed := make(chan struct{}, 1)
	g := serveRaw(t, func(g *raw, _ int64, conn net.Conn, from *bufio.Reader) {
		if g.read(from) {
			_, _ = io.WriteString(conn, fine)
		}
		_ = conn.Close()
		closed <- struct{}{}
	})
	for name, dial := range map[string]Dialer{"a socket": nil, "what wraps a socket": dialCounted} {
		connections := connect(t, g, ConnectionsConfig{Reuse: true, Dial: dial})
		for range 10 {
			x := connections.Send(t.Context(), post())
			require.NoError(t, x.Err, name)
			assert.False(t, x.Timing.Reused, name)
			<-closed
			awaitNoise(t, connections)
		}
	}
	assert.EqualValues(t, 20, g.accepted.Load())
	assert.EqualValues(t, 20, g.requests.Load())
}

func TestAnIdleConnectionThatSpeaksUnaskedIsNotUsed(t *testing.T) {
	t.Parallel()
	spoken := make(chan struct{})
	g := serveRaw(t, func(g *raw, number int64, conn net.Conn, from *bufio.Reader) {
		for g.read(from) {
			_, _ = io.WriteString(conn, fine)
			if number == 1 {
				_, _ = io.WriteString(conn, "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
				close(spoken)
			}
		}
	})
	connections := connect(t, g, ConnectionsConfig{Reuse: true})
	require.NoError(t, connections.Send(t.Context(), post()).Err)
	<-spoken
	awaitNoise(t, connections)
	x := connections.Send(t.Context(), post())
	require.NoError(t, x.Err)
	assert.Equal(t, 200, x.Status, "the answer is that of the request")
	assert.EqualValues(t, 2, g.accepted.Load())
}

func TestAnIdleConnectionOfTLSThatWasClosedIsNotUsed(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(echo))
	defer server.Close()
	base, err := url.Parse(server.URL)
	require.NoError(t, err)
	connections := connect(t, &raw{base: base}, ConnectionsConfig{Reuse: true, TLS: &tls.Config{InsecureSkipVerify: true}})
	for range 3 {
		x := connections.Send(t.Context(), post())
		require.NoError(t, x.Err)
		assert.False(t, x.Timing.Reused)
		server.CloseClientConnections()
		awaitNoise(t, connections)
	}
}

// awaitNoise waits until what the gateway did to the idle connection has arrived.
func awaitNoise(t *testing.T, connections *Connections) {
	t.Helper()
	connections.mu.Lock()
	defer connections.mu.Unlock()
	if len(connections.idle) == 0 {
		return // it was there with the answer
	}
	idle := connections.idle[0]
	require.Eventually(t, func() bool { return !idle.peek.quiet() }, time.Minute, time.Millisecond)
}
