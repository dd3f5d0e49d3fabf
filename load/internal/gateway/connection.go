package gateway

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/net/http/httpguts"
)

// connection is one HTTP/1.1 connection, used by one exchange at a time.
type connection struct {
	net.Conn        // what is written and read: the socket, or TLS over it
	version  string // of TLS
	remote   net.Addr
	peek     *peeker
	close    func() // closes the socket, at any time and from any goroutine

	used     time.Time // last
	reader   *bufio.Reader
	written  []byte // the last request; its memory is reused
	response fasthttp.Response
}

const (
	readBuffer  = 4 << 10
	writeBuffer = 2 << 10
	keptBody    = 64 << 10 // a larger buffer of a chunked body is released
)

func newConnection(conn, socket net.Conn, version string) *connection {
	return &connection{
		Conn:    conn,
		version: version,
		remote:  socket.RemoteAddr(),
		peek:    newPeeker(socket),
		close:   func() { _ = socket.Close() },
		reader:  bufio.NewReaderSize(conn, readBuffer),
		written: make([]byte, 0, writeBuffer),
	}
}

// exchange writes the request and reads the response. The connection is reusable if the
// response is complete and the gateway keeps it open.
func (c *connection) exchange(ctx context.Context, from *Connections, x *Exchange) (reusable bool, err error) {
	if err := c.SetDeadline(x.Timing.Start.Add(from.cfg.timeout(x.Request))); err != nil {
		x.Unsent = true
		return false, fmt.Errorf("cannot use the connection: %w", err)
	}
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, c.close)
		defer func() { reusable = stop() && reusable }()
	}
	x.Timing.Remote, x.Timing.TLSVersion, x.Timing.Protocol = c.remote, c.version, "HTTP/1.1"

	sending := time.Now()
	c.written = from.appendRequest(c.written[:0], x.Request)
	n, err := c.Write(c.written)
	sent := time.Now()
	x.Timing.Sending = sent.Sub(sending)
	if err != nil {
		x.Unsent = n == 0
		return false, fmt.Errorf("the connection broke while the request was sent: %w", err)
	}

	_, err = c.reader.Peek(1)
	first := time.Now()
	x.Timing.Waiting = first.Sub(sent)
	if err != nil {
		return false, fmt.Errorf("the connection broke before a response arrived: %w", err)
	}
	err = c.readAnswer(x)
	x.Timing.End = time.Now()
	x.Timing.Receiving = x.Timing.End.Sub(first)
	if err != nil {
		return false, err
	}
	return !c.closes() && c.reader.Buffered() == 0, nil
}

// closes says whether the gateway announced that it closes the connection, in any case and
// with other options.
func (c *connection) closes() bool {
	if c.response.ConnectionClose() {
		return true
	}
	for _, value := range c.response.Header.PeekAll("Connection") {
		for option := range bytes.SplitSeq(value, []byte(",")) {
			if bytes.EqualFold(bytes.TrimSpace(option), []byte("close")) {
				return true
			}
		}
	}
	return false
}

// quiet says whether nothing has arrived since the last response, neither bytes nor an end of
// stream: neither in the socket nor in TLS buffers. After a long idle time, this proves
// nothing.
func (c *connection) quiet() bool {
	if time.Since(c.used) > maxIdle || !c.peek.quiet() {
		return false
	}
	if c.version == "" {
		return true
	}
	if err := c.SetReadDeadline(longAgo); err != nil {
		return false
	}
	_, err := c.reader.Peek(1)
	return errors.Is(err, os.ErrDeadlineExceeded)
}

// longAgo is a deadline that prevents reading from a socket.
var longAgo = time.Unix(1, 0)

func (c *connection) readAnswer(x *Exchange) error {
	if err := c.readHeader(); err != nil {
		return fmt.Errorf("expected an HTTP/1.1 response: %w", err)
	}
	body, err := c.readBody()
	if err == nil {
		body, err = decoded(body, string(c.response.Header.ContentEncoding()))
	}
	if err != nil {
		return fmt.Errorf("expected a complete response body of at most %d bytes: %w", maxBody, err)
	}
	x.Status, x.Body = c.response.StatusCode(), body
	x.Header = c.header()
	return nil
}

// header is a copy of the response's header, all of it in one string.
func (c *connection) header() []string {
	text := make([]byte, 0, 256)
	ends := make([]int, 0, 16)
	for name, value := range c.response.Header.All() {
		text = append(text, name...)
		ends = append(ends, len(text))
		text = append(text, value...)
		ends = append(ends, len(text))
	}
	all, header, from := string(text), make([]string, len(ends)), 0
	for i, end := range ends {
		header[i], from = all[from:end], end
	}
	return header
}

// readHeader reads the header of the final response, after any 1xx responses.
func (c *connection) readHeader() error {
	for {
		err := c.response.Header.Read(c.reader)
		if _, small := errors.AsType[*fasthttp.ErrSmallBuffer](err); small && c.reader.Size() < maxHeader {
			c.grow()
			continue
		}
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		switch status := c.response.StatusCode(); {
		case status == fasthttp.StatusSwitchingProtocols, status < 100, status > 599:
			return fmt.Errorf("got the status %d", status)
		case status >= 200:
			return nil
		}
	}
}

// grow enlarges the reader for a header of the maximum size.
func (c *connection) grow() {
	held, _ := c.reader.Peek(c.reader.Buffered())
	rest := io.MultiReader(bytes.NewReader(bytes.Clone(held)), c.Conn)
	c.reader = bufio.NewReaderSize(rest, maxHeader)
}

// readBody returns a copy of the body, or nil if there is none.
func (c *connection) readBody() ([]byte, error) {
	status, length := c.response.StatusCode(), c.response.Header.ContentLength()
	switch {
	case status == fasthttp.StatusNoContent, status == fasthttp.StatusNotModified, length == 0:
		return nil, nil
	case length > maxBody:
		return nil, fmt.Errorf("got %d bytes", length)
	case length > 0:
		body := make([]byte, length)
		_, err := io.ReadFull(c.reader, body)
		return body, err
	}
	defer c.dropBody()
	if err := c.response.ReadBody(c.reader, maxBody); err != nil {
		return nil, err
	}
	if c.response.Header.ContentLength() == chunked {
		if err := c.response.Header.ReadTrailer(c.reader); err != nil {
			return nil, err
		}
	}
	return bytes.Clone(c.response.Body()), nil
}

// chunked is the length that fasthttp reports for a chunked body.
const chunked = -1

func (c *connection) dropBody() {
	if cap(c.response.Body()) > keptBody {
		c.response.SetBodyRaw(nil)
	}
	c.response.ResetBody()
}

// heading is the headers of every request, starting with Host.
func heading(host string, cfg ConnectionsConfig) []byte {
	b := append([]byte(" HTTP/1.1\r\nHost: "), host...)
	b = append(b, "\r\n"...)
	if cfg.UserAgent != "" {
		b = appendHeader(b, "User-Agent", cfg.UserAgent)
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Header)) {
		b = appendHeader(b, name, cfg.Header[name])
	}
	if !cfg.Reuse {
		b = appendHeader(b, "Connection", "close")
	}
	return b
}

func (c *Connections) appendRequest(b []byte, r *Request) []byte {
	b = append(append(b, r.Method...), ' ')
	b = append(append(append(b, c.prefix...), r.Path...), c.heading...)
	if r.Bearer != "" {
		b = append(append(append(b, "Authorization: Bearer "...), r.Bearer...), "\r\n"...)
	}
	for i := 0; i+1 < len(r.Header); i += 2 {
		b = appendHeader(b, r.Header[i], r.Header[i+1])
	}
	if r.Body != nil || r.Method != "GET" {
		if r.Body != nil {
			b = append(b, "Content-Type: application/json\r\n"...)
		}
		b = strconv.AppendInt(append(b, "Content-Length: "...), int64(len(r.Body)), 10)
		b = append(b, "\r\n"...)
	}
	return append(append(b, "\r\n"...), r.Body...)
}

func appendHeader(b []byte, name, value string) []byte {
	b = append(append(b, name...), ": "...)
	return append(append(b, value...), "\r\n"...)
}

// checkRequest rejects what would not be exactly one request on the wire.
func checkRequest(r *Request) error {
	if !httpguts.ValidHeaderFieldName(r.Method) {
		return fmt.Errorf("expected a method such as POST, got %q", r.Method)
	}
	if len(r.Path) == 0 || r.Path[0] != '/' || !isVisible(r.Path, '!') {
		return fmt.Errorf("expected a percent-encoded path that starts with /, got %q", r.Path)
	}
	if !isVisible(r.Bearer, '!') {
		return errors.New("expected an access token of visible ASCII, got other characters")
	}
	if len(r.Header)%2 != 0 {
		return errors.New("expected alternating header names and values, got a name without a value")
	}
	for i := 0; i < len(r.Header); i += 2 {
		if err := checkHeader(r.Header[i], r.Header[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func checkHeader(name, value string) error {
	if !httpguts.ValidHeaderFieldName(name) || !isVisible(value, ' ') {
		return fmt.Errorf("expected a header of visible ASCII, got %q", name)
	}
	return nil
}

// isVisible says whether each byte is ASCII of at least least, and not DEL.
func isVisible(s string, least byte) bool {
	for i := range len(s) {
		if s[i] < least || s[i] > '~' {
			return false
		}
	}
	return true
}
