package target

import (
	"bufio"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

// A second response that nobody requested is no response to the next request, whether it arrives with the first one,
// later, or while the next request waits.
func TestUnsolicitedResponses(t *testing.T) {
	t.Parallel()
	const first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"
	const second = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond"
	for name, answer := range map[string]func(conn *net.TCPConn, n int){
		"at once": func(conn *net.TCPConn, _ int) { said(first + second)(conn) },
		"while the next request waits": func(conn *net.TCPConn, n int) {
			if n == 0 {
				said(first)(conn)
				return
			}
			said(second + first)(conn)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) {
				for n := 0; ; n++ {
					if _, err := readRequest(in); err != nil {
						return
					}
					answer(conn, n)
				}
			})
			client, err := newClient(Profile{BaseURL: "http://" + address}.withDefaults(), Identity{})
			require.NoError(t, err)
			t.Cleanup(client.Close)
			for range 10 {
				e := client.Send(background(), get("/"))
				require.Empty(t, e.Err)
				require.True(t, string(e.ResponseBody) == "first" || client.Doubtful(e), "%s", e.ResponseBody)
			}
			require.True(t, client.suspicious.Load())
		})
	}
	t.Run("later", func(t *testing.T) {
		t.Parallel()
		address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) {
			if _, err := readRequest(in); err == nil {
				said(first)(conn)
				time.Sleep(10 * time.Millisecond)
				said(second)(conn)
			}
			_, _ = readRequest(in) // the client closes the connection
		})
		client, err := newClient(Profile{BaseURL: "http://" + address}.withDefaults(), Identity{})
		require.NoError(t, err)
		t.Cleanup(client.Close)
		e := client.Send(background(), get("/"))
		require.Equal(t, "first", string(e.ResponseBody))
		require.Eventually(t, client.suspicious.Load, time.Minute, time.Millisecond)
		require.True(t, client.Doubtful(e))
	})
}

// Connections that many requests share in turn receive nothing unsolicited.
func TestSharedConnectionsAreNotSuspicious(t *testing.T) {
	t.Parallel()
	client, _ := refusing(t, func(*http.Request) bool { return false })
	var sending sync.WaitGroup
	for range 8 {
		sending.Go(func() {
			for range 500 {
				client.Send(background(), get("/"))
			}
		})
	}
	sending.Wait()
	require.False(t, client.suspicious.Load())
}

// A usual response is solicited: with a length, in chunks, without a body, or after an interim one.
func TestUsualResponsesAreSolicited(t *testing.T) {
	t.Parallel()
	responses := []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n" + strings.Repeat("a", 70000),
		"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
	}
	address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) {
		for _, response := range append(responses, responses...) {
			if _, err := readRequest(in); err != nil {
				return
			}
			said(response)(conn)
		}
	})
	client, err := newClient(Profile{BaseURL: "http://" + address}.withDefaults(), Identity{})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	for range responses {
		require.Empty(t, client.Send(background(), get("/")).Err)
	}
	require.False(t, client.suspicious.Load())
}

// A server may say that it closes an idle connection.
func TestTheEndOfAnIdleConnectionIsNoResponse(t *testing.T) {
	t.Parallel()
	read, closed := make(chan struct{}), make(chan struct{})
	address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) {
		if _, err := readRequest(in); err != nil {
			return
		}
		said("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")(conn)
		<-read
		said("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")(conn)
		_, _ = readRequest(in) // ends when the client closes
		close(closed)
	})
	client, err := newClient(Profile{BaseURL: "http://" + address}.withDefaults(), Identity{})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	require.Empty(t, client.Send(background(), get("/")).Err)
	close(read)
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Fatal("the connection stays open")
	}
	require.False(t, client.suspicious.Load())
}

// net/http may hand a connection to the next request before the caller has seen the response to the last one.
func TestASecondResponseIsNoticedAfterTheNextRequestBegan(t *testing.T) {
	t.Parallel()
	const one = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
	for name, c := range map[string]struct {
		received string
		found    int
	}{
		"one response":                {one, 0},
		"two in one read":             {one + one, 1},
		"none since it was requested": {"", 1},
	} {
		found := 0
		on := &conn{found: func(*conn) { found++ }}
		request := on.begins()
		on.count.received = len(c.received)
		on.count.header = max(0, on.endOfHeader([]byte(c.received)))
		on.begins()
		on.ends(request, exchange.Exchange{Status: 200}, 2)
		require.Equal(t, c.found, found, name)
	}
}
