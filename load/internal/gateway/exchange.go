package gateway

import (
	"context"
	"net"
	"time"
)

// Sender makes exchanges. It never sends a request twice: the ledger finds out what happened
// to a payment whose response was lost.
type Sender interface {
	Send(ctx context.Context, r *Request) *Exchange
}

// Request is one request of the API, relative to the gateway's URL.
type Request struct {
	Operation Operation
	Method    string
	Path      string        // with its query, percent-encoded
	Bearer    string        // access token; empty: none
	Header    []string      // alternating names and values, in addition to those of every request
	Body      []byte        // JSON; nil: none
	Timeout   time.Duration // of the whole exchange; 0: that of all

	account *Account // of the request; nil: none
}

// Exchange is a request with its response.
type Exchange struct {
	Request *Request
	Status  int // 0: no complete response
	Body    []byte
	Err     error    // why there is no complete response
	Header  []string // alternating names and values
	Unsent  bool     // nothing of the request was sent: the gateway cannot have accepted it
	Timing  Timing

	TokenWait time.Duration // for access tokens, before it was sent
	TokenAt   time.Time     // when the last such wait ended

	Rejected int64 // valid access tokens that got 401 before, or with this response: see [Account.Do]
}

// OK says whether the response is a success: any 2xx.
func (x *Exchange) OK() bool { return x.Status >= 200 && x.Status <= 299 }

// Timing of an exchange, in the parts that k6 reports.
type Timing struct {
	Start, End     time.Time
	Blocked        time.Duration // until there was a connection, including Connecting and TLSHandshaking
	Connecting     time.Duration // including the DNS look-up
	TLSHandshaking time.Duration
	Sending        time.Duration
	Waiting        time.Duration // from the last byte sent to the first received
	Receiving      time.Duration
	Reused         bool
	Remote         net.Addr
	Protocol       string // HTTP/1.1, HTTP/2.0
	TLSVersion     string // in k6's notation: tls1.3; empty: none
}

// Duration as k6 defines it: sending, waiting and receiving.
func (t *Timing) Duration() time.Duration { return t.Sending + t.Waiting + t.Receiving }

// Dialer opens a connection. If the connection wraps a socket, it should have a method
// NetConn() net.Conn that returns it: the socket shows whether the gateway has closed an idle
// connection.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)
