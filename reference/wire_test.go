package reference

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dial opens a connection to a gateway's API, to send what no HTTP client would.
func dial(t *testing.T, g *Gateway) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.URL(), "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	return conn
}

// statuses are those of the answers that come on a connection until it is closed.
func statuses(t *testing.T, conn net.Conn) (all []int) {
	t.Helper()
	for from := bufio.NewReader(conn); ; {
		response, err := http.ReadResponse(from, nil)
		if err != nil {
			return all
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		all = append(all, response.StatusCode)
	}
}

// A request whose end may be taken for elsewhere is refused, or is the last of its
// connection: what follows it is not served.
func TestNoRequestIsSmuggled(t *testing.T) {
	t.Parallel()
	g := start(t, Config{})
	const smuggled = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
	for name, c := range map[string]struct {
		header, body string
		want         int
	}{
		"a length and chunks":        {fmt.Sprintf("Content-Length: %d\r\nTransfer-Encoding: chunked", 5+len(smuggled)), "0\r\n\r\n", 401},
		"chunks and a length":        {fmt.Sprintf("Transfer-Encoding: chunked\r\nContent-Length: %d", 5+len(smuggled)), "0\r\n\r\n", 401},
		"chunks alone":               {"Transfer-Encoding: chunked", "0\r\n\r\n", 401},
		"two lengths":                {"Content-Length: 0\r\nContent-Length: 5", "", 400},
		"a list of lengths":          {"Content-Length: 0, 5", "", 400},
		"a length with a sign":       {"Content-Length: +0", "", 400},
		"a length in hexadecimal":    {"Content-Length: 0x0", "", 400},
		"a space before the colon":   {"Content-Length : 5", "", 400},
		"another transfer encoding":  {"Transfer-Encoding: xchunked", "", 501},
		"chunks twice":               {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n", 501},
		"chunks behind another":      {"Transfer-Encoding: identity, chunked", "0\r\n\r\n", 501},
		"a tab before the encoding":  {"Transfer-Encoding:\tchunked", "0\r\n\r\n", 401},
		"a NUL in a header":          {"X: a\x00b", "", 400},
		"a bare line feed in chunks": {"Transfer-Encoding: chunked", "0;a\nb\r\n\r\n", 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := dial(t, g)
			_, err := fmt.Fprintf(conn, "POST /api/pix/cash-out HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n%s%s", c.header, c.body, smuggled)
			require.NoError(t, err)
			assert.Equal(t, []int{c.want}, statuses(t, conn))
		})
	}
}

// Whoever sends slowly, or does not read, is cut off.
func TestSlowRequestsAreCutOff(t *testing.T) {
	t.Parallel()
	g := start(t, Config{})
	const head = "POST /api/auth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	for name, c := range map[string]struct {
		text  string
		drip  string
		limit time.Duration
	}{
		"nothing":     {"", "", readHeaderTimeout},
		"half a line": {"POST /api", "", readHeaderTimeout},
		"headers":     {head, "X: y\r\n", readHeaderTimeout},
		"a body":      {head + "X-SSL-Client-Cert: x\r\nContent-Length: 1000\r\n\r\n", " ", readTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := dial(t, g)
			began := time.Now()
			_, err := io.WriteString(conn, c.text)
			require.NoError(t, err)
			closed := make(chan struct{})
			go func() {
				defer close(closed)
				_, _ = io.Copy(io.Discard, conn)
			}()
			drip := time.NewTicker(100 * time.Millisecond)
			defer drip.Stop()
			for open := true; open; {
				select {
				case <-drip.C:
					_, _ = io.WriteString(conn, c.drip) // which fails once the other end is closed
				case <-closed:
					open = false
				}
			}
			assert.Less(t, time.Since(began), c.limit+time.Minute)
		})
	}
}

// A flood of headers, or a body without an end, is refused before it fills anything.
func TestFloodsAreCutOff(t *testing.T) {
	t.Parallel()
	g := start(t, Config{})
	_, accessToken := newAccount(t, g)
	for name, c := range map[string]struct {
		head, flood string
		want        int
	}{
		"headers":           {"GET /balance HTTP/1.1\r\nHost: localhost\r\n", "X-Flood: " + strings.Repeat("x", 1000) + "\r\n", 431},
		"one header":        {"GET /balance HTTP/1.1\r\nHost: localhost\r\nX: ", strings.Repeat("x", 1000), 431},
		"a long path":       {"GET /", strings.Repeat("x", 1000), 431},
		"a body":            {"POST /api/pix/cash-out HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer " + accessToken + "\r\nContent-Length: 1000000000\r\n\r\n", strings.Repeat(" ", 1000), 413},
		"chunks":            {"POST /api/pix/cash-out HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer " + accessToken + "\r\nTransfer-Encoding: chunked\r\n\r\n", "3e8\r\n" + strings.Repeat(" ", 1000) + "\r\n", 413},
		"a body for nobody": {"POST /api/pix/cash-out HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n", strings.Repeat(" ", 1000), 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := dial(t, g)
			answered := make(chan []int, 1)
			go func() { answered <- statuses(t, conn) }()
			sent := 0
			for _, err := io.WriteString(conn, c.head); err == nil && sent < 64<<20; sent += len(c.flood) {
				_, err = io.WriteString(conn, c.flood)
			}
			_ = conn.SetReadDeadline(time.Now().Add(time.Second))
			if got := <-answered; len(got) > 0 { // a reset may overtake the answer
				assert.Equal(t, []int{c.want}, got)
			}
			assert.Less(t, sent, 16<<20, "the connection is closed")
		})
	}
}
