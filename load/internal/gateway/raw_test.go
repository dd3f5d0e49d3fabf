package gateway

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// raw is a gateway that answers in bytes. It owns its connections until the test ends.
type raw struct {
	base     *url.URL
	accepted atomic.Int64
	requests atomic.Int64
}

// serveRaw hands each connection to handle, with its number from 1 on; it is closed when
// handle returns.
func serveRaw(t *testing.T, handle func(g *raw, number int64, conn net.Conn, from *bufio.Reader)) *raw {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	g := &raw{base: &url.URL{Scheme: "http", Host: listener.Addr().String()}}
	var served sync.WaitGroup
	var open sync.Map
	served.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			number := g.accepted.Add(1)
			open.Store(conn, true)
			served.Go(func() {
				defer conn.Close()
				handle(g, number, conn, bufio.NewReader(conn))
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		open.Range(func(conn, _ any) bool { return conn.(net.Conn).Close() != nil || true })
		served.Wait()
	})
	return g
}

// read takes one request off the connection; false at its end.
func (g *raw) read(from *bufio.Reader) bool {
	request, err := http.ReadRequest(from)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, request.Body)
	g.requests.Add(1)
	return err == nil
}

// always answers every request of every connection with the same bytes.
func always(answer string) func(*raw, int64, net.Conn, *bufio.Reader) {
	return func(g *raw, _ int64, conn net.Conn, from *bufio.Reader) {
		for g.read(from) {
			if _, err := io.WriteString(conn, answer); err != nil {
				return
			}
		}
	}
}

func connect(t *testing.T, g *raw, cfg ConnectionsConfig) *Connections {
	t.Helper()
	c := NewConnections(g.base, cfg)
	t.Cleanup(func() {
		for conn := c.pop(); conn != nil; conn = c.pop() {
			conn.close()
		}
	})
	return c
}

func post() *Request {
	return &Request{Operation: CashOut, Method: http.MethodPost, Path: "/api/pix/cash-out", Body: []byte(`{"value":1.00}`)}
}

const fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

func gzipped(body string) (answer string) {
	var content bytes.Buffer
	writer := gzip.NewWriter(&content)
	_, _ = io.WriteString(writer, body) // into memory never fails
	_ = writer.Close()
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: GZIP\r\nContent-Length: %d\r\n\r\n%s", content.Len(), &content)
}

func TestAnswersThatAreWhole(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 60<<10)
	for name, c := range map[string]struct {
		answer      string
		status      int
		body        string
		connections int64 // for two requests
	}{
		"with a length":                 {fine, 200, "{}", 1},
		"without a body":                {"HTTP/1.1 204 No Content\r\n\r\n", 204, "", 1},
		"empty":                         {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, "", 1},
		"in chunks":                     {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", 200, "{}", 1},
		"in chunks with a trailer":      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n", 200, "{}", 1},
		"after 100 and 103":             {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + fine, 200, "{}", 1},
		"a refusal":                     {"HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}", 400, "{}", 1},
		"of the last request":           {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}", 200, "{}", 2},
		"of the last request, aloud":    {"HTTP/1.1 200 OK\r\nConnection: Keep-Alive, Close\r\nContent-Length: 2\r\n\r\n{}", 200, "{}", 2},
		"of HTTP/1.0 that is kept":      {"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}", 200, "{}", 1},
		"in chunks with extensions":     {"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n", 200, "{}", 1},
		"with a trailer nobody named":   {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n", 200, "{}", 1},
		"in gzip that nobody asked for": {gzipped("{}"), 200, "{}", 1},
		"in gzip, empty":                {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n", 200, "", 1},
		"elsewhere":                     {"HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\nContent-Length: 2\r\n\r\n{}", 307, "{}", 1},
		"of HTTP/1.0":                   {"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}", 200, "{}", 2},
		"with more than was asked for":  {fine + "HTTP/1.1 200 OK\r\n", 200, "{}", 2},
		"with a header of 60 KiB":       {"HTTP/1.1 200 OK\r\nX-Long: " + long + "\r\nContent-Length: 2\r\n\r\n{}", 200, "{}", 1},
		"with a body of 60 KiB":         {"HTTP/1.1 200 OK\r\nContent-Length: 61440\r\n\r\n" + long, 200, long, 1},
		"with a body of 60 KiB, chunks": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nF000\r\n" + long + "\r\n0\r\n\r\n", 200, long, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := serveRaw(t, always(c.answer))
			connections := connect(t, g, ConnectionsConfig{Reuse: true})
			for i := range 2 {
				x := connections.Send(t.Context(), post())
				require.NoError(t, x.Err)
				assert.Equal(t, c.status, x.Status)
				assert.Equal(t, c.body, string(x.Body))
				assert.Equal(t, i > 0 && c.connections == 1, x.Timing.Reused)
				assert.Equal(t, "HTTP/1.1", x.Timing.Protocol)
			}
			assert.Equal(t, c.connections, g.accepted.Load())
			assert.EqualValues(t, 2, g.requests.Load())
		})
	}
}

func TestABodyThatEndsWithTheConnection(t *testing.T) {
	t.Parallel()
	g := serveRaw(t, func(g *raw, _ int64, conn net.Conn, from *bufio.Reader) {
		g.read(from)
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n{}")
	})
	connections := connect(t, g, ConnectionsConfig{Reuse: true})
	x := connections.Send(t.Context(), post())
	require.NoError(t, x.Err)
	assert.Equal(t, "{}", string(x.Body))
}

func TestAnswersThatAreNotWholeAreNoAnswers(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"nothing":                    "",
		"half a line":                "HTTP/1.1 20",
		"half a header":              "HTTP/1.1 200 OK\r\nContent-Le",
		"half a body":                "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{",
		"half a chunk":               "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nF\r\n{",
		"no last chunk":              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
		"no end after the last one":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n",
		"garbage":                    "\x00\x01\x02 what is this\r\n\r\n",
		"no status":                  "HTTP/1.1 OK\r\n\r\n",
		"a status beyond all":        "HTTP/1.1 999 What\r\nContent-Length: 2\r\n\r\n{}",
		"switching protocols":        "HTTP/1.1 101 Switching Protocols\r\n\r\n",
		"only 100":                   "HTTP/1.1 100 Continue\r\n\r\n",
		"two lengths":                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
		"a negative length":          "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}",
		"a length beyond the bound":  "HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n" + strings.Repeat("x", maxBody+1),
		"a chunk beyond the bound":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n" + strings.Repeat("x", maxBody+1) + "\r\n0\r\n\r\n",
		"a header beyond the bound":  "HTTP/1.1 200 OK\r\nX-Long: " + strings.Repeat("x", maxHeader+1) + "\r\nContent-Length: 2\r\n\r\n{}",
		"a chunk of almost all":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n{}",
		"half a gzip":                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xaa\xae",
		"no gzip":                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
		"gzip beyond the bound":      gzipped(strings.Repeat("x", maxBody+1)),
		"a length that nobody knows": "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := serveRaw(t, func(g *raw, _ int64, conn net.Conn, from *bufio.Reader) {
				g.read(from)
				_, _ = io.WriteString(conn, answer)
			})
			connections := connect(t, g, ConnectionsConfig{Reuse: true, Timeout: 10 * time.Second})
			x := connections.Send(t.Context(), post())
			require.Error(t, x.Err)
			assert.Zero(t, x.Status)
			assert.Nil(t, x.Body)
			assert.False(t, x.Unsent, "the gateway may have taken it")
			assert.EqualValues(t, 1, g.requests.Load(), "sent once")
			assert.Equal(t, Unknown, readAnswer(x).Outcome)
			assert.False(t, x.Timing.End.IsZero())
		})
	}
}

func TestAResetIsNoAnswer(t *testing.T) {
	t.Parallel()
	g := serveRaw(t, func(g *raw, _ int64, conn net.Conn, from *bufio.Reader) {
		g.read(from)
		_ = conn.(*net.TCPConn).SetLinger(0)
	})
	x := connect(t, g, ConnectionsConfig{Reuse: true}).Send(t.Context(), post())
	require.Error(t, x.Err)
	assert.False(t, x.Unsent)
	assert.EqualValues(t, 1, g.requests.Load())
}

// A gateway that takes a request on a used connection and hangs up: it may have taken it.
func TestARequestThatLeftIsNotSentAgain(t *testing.T) {
	t.Parallel()
	g := serveRaw(t, func(g *raw, _ int64, conn net.Conn, from *bufio.Reader) {
		g.read(from)
		_, _ = io.WriteString(conn, fine)
		g.read(from)
	})
	connections := connect(t, g, ConnectionsConfig{Reuse: true})
	require.NoError(t, connections.Send(t.Context(), post()).Err)
	x := connections.Send(t.Context(), post())
	require.Error(t, x.Err)
	assert.True(t, x.Timing.Reused)
	assert.False(t, x.Unsent)
	assert.EqualValues(t, 2, g.requests.Load())
	assert.EqualValues(t, 1, g.accepted.Load())
}

// brokenWrite is a connection whose first bytes go nowhere once it has been used.
type brokenWrite struct {
	net.Conn
	writes int
}

func (c *brokenWrite) Write(b []byte) (int, error) {
	if c.writes++; c.writes > 1 {
		return 0, errors.New("broken pipe")
	}
	return c.Conn.Write(b)
}

func TestARequestOfWhichNothingLeftGoesToAFreshConnection(t *testing.T) {
	t.Parallel()
	g := serveRaw(t, always(fine))
	connections := connect(t, g, ConnectionsConfig{Reuse: true, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		return &brokenWrite{Conn: conn}, err
	}})
	for range 3 {
		x := connections.Send(t.Context(), post())
		require.NoError(t, x.Err)
		assert.False(t, x.Unsent)
		assert.False(t, x.Timing.Reused)
	}
	assert.EqualValues(t, 3, g.accepted.Load())
	assert.EqualValues(t, 3, g.requests.Load())
}

// nobody listens there: a port that was free a moment ago may be another test's by now.
const nobody = "127.0.0.1:1"

func TestNothingListens(t *testing.T) {
	t.Parallel()
	c := NewConnections(&url.URL{Scheme: "http", Host: nobody}, ConnectionsConfig{})
	x := c.Send(t.Context(), post())
	assert.ErrorContains(t, x.Err, "cannot connect to "+nobody)
	assert.True(t, x.Unsent)
	assert.Equal(t, Refused, readAnswer(x).Outcome)
}

func TestTheTimeoutIsOfTheWholeExchange(t *testing.T) {
	t.Parallel()
	g := serveRaw(t, func(g *raw, _ int64, conn net.Conn, from *bufio.Reader) {
		g.read(from)
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{")
		_, _ = from.ReadByte() // until the client hangs up
	})
	c := connect(t, g, ConnectionsConfig{Reuse: true, Timeout: 50 * time.Millisecond})
	x := c.Send(t.Context(), post())
	assert.ErrorContains(t, x.Err, "expected a complete response within 50ms")
	assert.GreaterOrEqual(t, x.Timing.End.Sub(x.Timing.Start), 50*time.Millisecond)
	assert.Empty(t, c.idle)
}

func TestAnEndedContextClosesTheConnectionInUse(t *testing.T) {
	t.Parallel()
	arrived, hungUp := make(chan struct{}), make(chan struct{})
	g := serveRaw(t, func(g *raw, _ int64, _ net.Conn, from *bufio.Reader) {
		g.read(from)
		close(arrived)
		_, _ = from.ReadByte()
		close(hungUp)
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-arrived
		cancel(errors.New("the test has seen enough"))
	}()
	c := connect(t, g, ConnectionsConfig{Reuse: true})
	x := c.Send(ctx, post())
	assert.ErrorContains(t, x.Err, "canceled before the complete response arrived: the test has seen enough")
	assert.False(t, x.Unsent)
	<-hungUp
	assert.Empty(t, c.idle)
}

func TestAnEndedContextSendsNothing(t *testing.T) {
	t.Parallel()
	g := serveRaw(t, always(fine))
	c := connect(t, g, ConnectionsConfig{Reuse: true})
	require.NoError(t, c.Send(t.Context(), post()).Err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x := c.Send(ctx, post())
	assert.ErrorIs(t, x.Err, context.Canceled)
	assert.True(t, x.Unsent)
	require.NoError(t, c.Send(t.Context(), post()).Err)
	assert.EqualValues(t, 2, g.requests.Load())
}

func TestAConnectionThatWasIdleForLongIsNotUsed(t *testing.T) {
	t.Parallel()
	g := serveRaw(t, always(fine))
	c := connect(t, g, ConnectionsConfig{Reuse: true})
	require.NoError(t, c.Send(t.Context(), post()).Err)
	c.idle[0].used = time.Now().Add(-maxIdle - time.Second)
	x := c.Send(t.Context(), post())
	require.NoError(t, x.Err)
	assert.False(t, x.Timing.Reused)
	assert.EqualValues(t, 2, g.accepted.Load())
}

func TestWithoutReuseEachRequestHasAConnection(t *testing.T) {
	t.Parallel()
	g := serveRaw(t, always(fine))
	c := connect(t, g, ConnectionsConfig{})
	for range 3 {
		require.NoError(t, c.Send(t.Context(), post()).Err)
	}
	assert.EqualValues(t, 3, g.accepted.Load())
}

func TestRequestsAtOnceTakeAConnectionEach(t *testing.T) {
	t.Parallel()
	const requests = 8
	var together sync.WaitGroup
	together.Add(requests)
	g := serveRaw(t, func(g *raw, _ int64, conn net.Conn, from *bufio.Reader) {
		for first := true; g.read(from); first = false {
			if first {
				together.Done()
				together.Wait()
			}
			_, _ = io.WriteString(conn, fine)
		}
	})
	c := connect(t, g, ConnectionsConfig{Reuse: true})
	for range 2 {
		var sent sync.WaitGroup
		for range requests {
			sent.Go(func() { assert.NoError(t, c.Send(t.Context(), post()).Err) })
		}
		sent.Wait()
	}
	assert.EqualValues(t, requests, g.accepted.Load(), "the second round finds them idle")
}
