package target

import (
	"bufio"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// hostile are servers that do what no gateway should, and what comes of each.
var hostile = map[string]struct {
	handle    func(*net.TCPConn, *bufio.Reader)
	status    int
	body, err string
	truncated bool
}{
	"closes":             {handle: answering(func(*net.TCPConn) {}), err: "the target closed the connection before responding"},
	"resets":             {handle: answering(reset), err: "the target reset the connection before responding"},
	"says nothing":       {handle: writing(""), err: "timed out after 2s"},
	"half a status line": {handle: writing("HTTP/1.1 20"), err: "timed out after 2s"},
	"is no HTTP":         {handle: writing("SSH-2.0-OpenSSH_9.6\r\n"), err: "malformed HTTP response"},
	"rest of a token":    {handle: writing(`.eyJzdWIiOiI5MyJ9.c2lnbmF0dXJl"}` + "\r\n"), err: "malformed HTTP response"},
	"is no text":         {handle: writing("\x00\xff\x1b[2J\r\n\r\n"), err: "malformed HTTP response"},
	"a status too high":  {handle: writing("HTTP/1.1 1000 X\r\n\r\n"), err: "malformed HTTP status code"},
	"a status of zero":   {handle: writing("HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n"), err: "the response's status is 000"},
	"a header in Greek":  {handle: writing("HTTP/1.1 200 OK\r\nA: \xce\xb1\r\nContent-Length: 0\r\n\r\n"), status: 200},
	"no header":          {handle: writing("HTTP/1.1 200 OK\r\nnonsense\r\n\r\n"), err: "malformed MIME header"},
	"a huge header":      {handle: writing("HTTP/1.1 200 OK\r\nA: " + strings.Repeat("a", maxHeader) + "\r\n\r\n"), err: "server response headers exceeded"},
	"endless headers":    {handle: answering(endless("HTTP/1.1 200 OK\r\n", "A: b\r\n")), err: "server response headers exceeded"},
	"endless 1xx":        {handle: answering(endless("", "HTTP/1.1 103 Early Hints\r\n\r\n")), err: "more than 100 interim responses (1xx)"},
	"another protocol":   {handle: writing("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nabc"), status: 101},
	"a redirect":         {handle: writing("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"), status: 302},
	"gzip":               {handle: writing("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x8b"), status: 200, body: "\x1f\x8b", err: "the response has Content-Encoding: gzip, but its body is not"},
	"no length":          {handle: answering(said("HTTP/1.1 200 OK\r\n\r\nabc")), status: 200, body: "abc"},
	"too short":          {handle: answering(said("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")), status: 200, body: "abc", err: "the response broke off after 3 bytes of the body: the target closed the connection"},
	"too long":           {handle: writing("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef"), status: 200, body: "abc"},
	"two lengths":        {handle: writing("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc"), err: "Content-Length"},
	"a length below 0":   {handle: writing("HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc"), err: "Content-Length"},
	"a length beyond":    {handle: writing("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"), err: "Content-Length"},
	"a length it lacks":  {handle: writing("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nabc"), status: 200, body: "abc", err: "timed out after 2s with 3 bytes of the body"},
	"stops in the body":  {handle: writing("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), status: 200, body: "abc", err: "timed out after 2s with 3 bytes of the body"},
	"bad chunks":         {handle: writing("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n"), status: 200, body: "abc", err: "the response broke off after 3 bytes of the body: invalid byte in chunk length"},
	"no last chunk":      {handle: answering(said("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")), status: 200, body: "abc", err: "broke off after 3 bytes"},
	"resets in the body": {handle: answering(func(conn *net.TCPConn) {
		said("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")(conn)
		reset(conn)
	}), status: -1, err: "reset the connection"},
	"an endless body":   {handle: answering(endless("HTTP/1.1 200 OK\r\n\r\n", "aaaaaaaaaa")), status: 200, body: strings.Repeat("a", 1000), truncated: true},
	"just at the bound": {handle: writing("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + strings.Repeat("a", 1000)), status: 200, body: strings.Repeat("a", 1000)},
	"one byte beyond":   {handle: writing("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n" + strings.Repeat("a", 1001)), status: 200, body: strings.Repeat("a", 1000), truncated: true},
	"answers beforehand": {handle: func(conn *net.TCPConn, in *bufio.Reader) {
		_, _ = in.Peek(1)
		said("HTTP/1.1 413 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")(conn)
		_, _ = io.Copy(io.Discard, in)
	}, status: 413},
}

func TestSendSurvives(t *testing.T) {
	t.Parallel()
	for name, c := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := Profile{BaseURL: "http://" + serveRaw(t, c.handle), maxBody: 1000, Deadlines: soon}
			if !strings.Contains(c.err, " 2s") {
				p.Deadlines = Deadlines{} // none has to pass, even on a slow machine
			}
			e := open(t, p).Client.Send(background(), post("/", strings.Repeat("x", 10_000)))
			if c.status >= 0 { // else the reset may overtake the header
				assert.Equal(t, c.status, e.Status)
			}
			assert.Equal(t, c.body, string(e.ResponseBody))
			assert.Equal(t, c.truncated, e.Truncated)
			assert.Contains(t, e.Err, c.err)
			assert.NotContains(t, e.Err, `"`, "quotes the response, which may be the rest of another one")
			assert.Equal(t, c.err == "", e.Err == "", e.Err)
		})
	}
}

func TestSendSurvivesGarbageTLS(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		handle func(*net.TCPConn, *bufio.Reader)
		err    string
	}{
		"garbage": {func(conn *net.TCPConn, in *bufio.Reader) { _, _ = in.Peek(1); said("\x00\xff\x1b[2J")(conn) }, noTLS},
		"HTTP": {func(conn *net.TCPConn, in *bufio.Reader) {
			_, _ = in.Peek(1)
			said("HTTP/1.1 400 Bad Request\r\n\r\n")(conn)
		}, noTLS},
		"an alert": {func(conn *net.TCPConn, in *bufio.Reader) {
			_, _ = in.Peek(1)
			said("\x15\x03\x03\x00\x02\x02\x28")(conn)
		}, "TLS failed: remote error: tls: handshake failure"},
		"closes": {func(_ *net.TCPConn, in *bufio.Reader) { _, _ = in.Peek(1) }, "the target closed the connection before responding"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := Profile{BaseURL: "https://" + serveRaw(t, c.handle)}
			e := open(t, p).Client.Send(background(), get("/"))
			assert.Contains(t, e.Err, c.err)
			assert.Zero(t, e.Status)
		})
	}
}

func reset(conn *net.TCPConn) {
	_ = conn.SetLinger(0)
	conn.Close()
}

// said writes text and closes.
func said(text string) func(*net.TCPConn) {
	return func(conn *net.TCPConn) { _, _ = io.WriteString(conn, text) }
}

// endless writes until the client has had enough.
func endless(begin, again string) func(*net.TCPConn) {
	return func(conn *net.TCPConn) {
		_, err := io.WriteString(conn, begin)
		again := strings.Repeat(again, 100)
		for err == nil {
			_, err = io.WriteString(conn, again)
		}
	}
}
