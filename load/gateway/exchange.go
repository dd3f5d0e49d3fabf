package gateway

import (
	"context"
	"net"
	"time"
)

// Sender makes exchanges. It never sends a request twice: a payment whose answer was
// lost is for the ledger to find out about.
type Sender interface {
	Send(ctx context.Context, r *Request) *Exchange
}

// Request is one request of the API, relative to the gateway's URL.
type Request struct {
	Operation Operation
	Method    string
	Path      string   // with its query, percent-encoded
	Bearer    string   // access token; empty: none
	Header    []string // names and values in turn, beside those that every request has
	Body      []byte   // JSON; nil: none

	account *Account // whose request it is; nil: nobody's
}

// Exchange is a request with what came of it.
type Exchange struct {
	Request *Request
	Status  int // 0: no whole answer came
	Body    []byte
	Err     error // why no whole answer came
	Unsent  bool  // nothing of the request left: the gateway cannot have taken it
	Timing  Timing
}

// OK is whether the gateway answered with success, whichever 2xx that is.
func (x *Exchange) OK() bool { return x.Status >= 200 && x.Status <= 299 }

// Timing is when an exchange happened, in the parts that k6 reports.
type Timing struct {
	Start, End     time.Time
	Blocked        time.Duration // until there was a connection, Connecting and TLSHandshaking in it
	Connecting     time.Duration // names looked up in it
	TLSHandshaking time.Duration
	Sending        time.Duration
	Waiting        time.Duration // from the last byte sent to the first received
	Receiving      time.Duration
	Reused         bool
	Remote         net.Addr
	Protocol       string // HTTP/1.1, HTTP/2.0
	TLSVersion     string // as k6 names it: tls1.3; empty: none
}

// Duration is what k6 calls so: sending, waiting and receiving.
func (t *Timing) Duration() time.Duration { return t.Sending + t.Waiting + t.Receiving }

// Observer is told of every exchange, those for tokens included, before Send returns. It
// may be called by several goroutines at once.
type Observer func(*Exchange)

// Dialer opens a connection. Where what it returns is not the socket itself but wraps it,
// a method NetConn() net.Conn leads there: an idle connection that the gateway has closed
// is told by looking at its socket.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)
