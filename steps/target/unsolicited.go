package target

import (
	"bytes"
	"context"
	"net"
	"slices"
	"sync"

	"github.com/pixcert/pixcert/steps/exchange"
)

// A target may send a second response that nobody requested. net/http drops a connection on which one arrives while
// it is idle; one that arrives later is taken for the response to the next request. So each connection counts what
// it receives. Once anything unsolicited arrives, its exchanges prove nothing, and the client keeps no more
// connections. Connections over TLS are not counted, because they also receive records without content.

// conn is a connection that notices what was not requested.
type conn struct {
	net.Conn
	found func(*conn) // something unsolicited was received

	mu        sync.Mutex
	written   bool                // anything, such as the beginning of a TLS handshake
	expecting bool                // a request is in flight
	count                         // of the latest request
	before    count               // of the one before: net/http may hand the connection to the next request before the caller has seen the response
	tail      []byte              // the last received bytes that may begin the end of the header
	exchanges []exchange.Exchange // without headers and bodies
}

// count is what has been received since a request began.
type count struct {
	request  int // its number
	received int // bytes
	header   int // of them, those of the header; 0 until it is complete
}

// isMore reports whether more was received than the response to this request, whose body has that length; -1 if unknown. A
// response of which nothing was received since came before its request.
func (c count) isMore(status int, length int64) bool {
	return c.received == 0 || c.header > 0 && length >= 0 && status >= 200 && int64(c.received) > int64(c.header)+length
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.mu.Lock()
	isHandshake := c.written && c.request == 0 // with TLS or a proxy
	isUnsolicited := n > 0 && !c.expecting && !isHandshake && !endsIdle(b[:n])
	if c.header == 0 {
		if at := c.endOfHeader(b[:n]); at >= 0 {
			c.header = c.received + at
		}
	}
	c.received += n
	c.mu.Unlock()
	if isUnsolicited {
		c.found(c)
	}
	return n, err
}

// endsIdle reports whether a server says why it closes a connection that is idle, as some proxies do. net/http does not
// take that for a response either.
func endsIdle(received []byte) bool {
	return bytes.HasPrefix(received, []byte("HTTP/1.1 408")) || bytes.HasPrefix(received, []byte("HTTP/1.0 408"))
}

const emptyLine = "\r\n\r\n"

// endOfHeader returns where in b the header of a response ends that may have begun before b; -1 if it goes on. It copies
// nothing of a long header.
func (c *conn) endOfHeader(b []byte) int {
	var seam [2 * (len(emptyLine) - 1)]byte
	before := copy(seam[:], c.tail)
	joined := seam[:before+copy(seam[before:], b[:min(len(b), len(emptyLine)-1)])]
	if at := bytes.Index(joined, []byte(emptyLine)); at >= 0 {
		return at + len(emptyLine) - before
	}
	if at := bytes.Index(b, []byte(emptyLine)); at >= 0 {
		return at + len(emptyLine)
	}
	if len(b) >= len(emptyLine) {
		joined = b
	}
	c.tail = append(c.tail[:0], joined[max(0, len(joined)-len(emptyLine)+1):]...)
	return -1
}

func (c *conn) Write(b []byte) (int, error) {
	c.mu.Lock()
	c.written = true
	c.mu.Unlock()
	return c.Conn.Write(b)
}

// bodyReceived is how many bytes of the body of a response have been received, with its chunks.
func (c *conn) bodyReceived() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.header == 0 {
		return 0
	}
	return c.received - c.header
}

// begins notes that a request is sent, and returns its number.
func (c *conn) begins() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.before = c.count
	c.count = count{request: c.before.request + 1}
	c.expecting, c.tail = true, c.tail[:0]
	return c.request
}

// ends notes that the response of e, the request of that number, is complete. length is that of its body, as the header states it; -1 if unknown.
func (c *conn) ends(request int, e exchange.Exchange, length int64) {
	c.mu.Lock()
	of := c.count
	if request == of.request {
		c.expecting = false
	} else {
		of = c.before
	}
	c.exchanges = append(c.exchanges, exchange.Exchange{
		Operation: e.Operation, Party: e.Party, Method: e.Method, URL: e.URL, Sent: e.Sent, Took: e.Took, Status: e.Status,
	})
	isMore := request == of.request && of.isMore(e.Status, length)
	c.mu.Unlock()
	if isMore {
		c.found(c)
	}
}

// checked makes the connections of a dialer notice what was not requested.
func checked(dial func(context.Context, string, string) (net.Conn, error), found func(*conn)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		dialed, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &conn{Conn: dialed, found: found}, nil
	}
}

// unsolicited notes that something unsolicited was received on a connection.
func (c *Client) unsolicited(on *conn) {
	c.suspicious.Store(true)
	on.mu.Lock()
	exchanges := on.exchanges
	on.mu.Unlock()
	for _, e := range exchanges {
		c.doubtful.Store(e.Sent.UnixNano(), e)
	}
	_ = on.Close()
}

// DoubtfulExchanges returns those that are doubtful, without headers and bodies, in the order in which they were sent.
func (c *Client) DoubtfulExchanges() (all []exchange.Exchange) {
	c.doubtful.Range(func(_, e any) bool {
		all = append(all, e.(exchange.Exchange))
		return true
	})
	slices.SortFunc(all, func(a, b exchange.Exchange) int { return a.Sent.Compare(b.Sent) })
	return all
}

// Doubtful reports whether e may have the response to another request, because its connection received something that
// was not requested.
func (c *Client) Doubtful(e exchange.Exchange) bool {
	_, is := c.doubtful.Load(e.Sent.UnixNano())
	return is && e.Party != exchange.Webhook
}
