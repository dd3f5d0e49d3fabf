package gateway

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/load/internal/certificate"
)

// Connections reach a gateway over HTTP/1.1. Each virtual user has its own; concurrent
// requests use one connection each.
//
// They exist because net/http, which Transport uses, costs too much: with it, a cash-out in an
// iteration of its own takes 37.2 µs of CPU instead of 25.5 (31% saved; 33% over TLS, 43% with
// many in an iteration, 26% with the webhook received and matched). Compared with a Transport
// without the allocations of its requests, headers and traces, they still save 29%, and 41%
// with many in an iteration. "make bench-load" measures both.
//
// A request is sent only once. Before that, an idle connection is checked, and replaced if the
// gateway has closed it.
type Connections struct {
	cfg     ConnectionsConfig
	secure  bool
	address string // host:port
	prefix  string // of every path, without a trailing slash
	heading []byte // the rest of the first line and the headers of every request
	mistake error  // in the heading

	mu   sync.Mutex
	idle []*connection // the most recently used is last
}

// ConnectionsConfig says how connections are opened and used.
type ConnectionsConfig struct {
	Dial      Dialer            // nil: the system's
	TLS       *tls.Config       // for https; nil: the system's roots
	Timeout   time.Duration     // of a whole exchange, including connecting; 0: 60 s
	UserAgent string            // empty: none
	Header    map[string]string // of every request
	Reuse     bool              // connections are kept for the next request
}

const defaultTimeout = 60 * time.Second

// Limits of a response, in bytes. A larger one is an error.
const (
	maxBody   = 1 << 20
	maxHeader = 64 << 10
)

// NewConnections are connections to a base URL; each is opened when it is needed.
func NewConnections(base *url.URL, cfg ConnectionsConfig) *Connections {
	c := &Connections{
		cfg:     cfg.withDefaults(),
		secure:  base.Scheme == "https",
		address: addressOf(base),
		prefix:  strings.TrimRight(base.EscapedPath(), "/"),
	}
	c.heading, c.mistake = heading(base.Host, c.cfg), c.cfg.check()
	if c.secure {
		c.cfg.TLS = tlsFor(base, c.cfg.TLS, "http/1.1")
	}
	return c
}

// Send makes an exchange.
func (c *Connections) Send(ctx context.Context, r *Request) *Exchange {
	x := &Exchange{Request: r}
	x.Timing.Start = time.Now()
	if err := c.send(ctx, x); err != nil {
		x.Status, x.Body = 0, nil
		x.Err = c.explain(ctx, x.Request, err)
		x.Timing.End = time.Now()
	}
	return x
}

func (cfg ConnectionsConfig) withDefaults() ConnectionsConfig {
	if cfg.Dial == nil {
		cfg.Dial = new(net.Dialer).DialContext
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = defaultTimeout
	}
	return cfg
}

// timeout is that of a request.
func (cfg ConnectionsConfig) timeout(r *Request) time.Duration {
	return cmp.Or(r.Timeout, cfg.Timeout)
}

// check rejects headers that would be invalid on the wire.
func (cfg ConnectionsConfig) check() error {
	mistakes := []error{checkHeader("User-Agent", cfg.UserAgent)}
	for name, value := range cfg.Header {
		mistakes = append(mistakes, checkHeader(name, value))
	}
	return errors.Join(mistakes...)
}

func addressOf(base *url.URL) string {
	port := base.Port()
	if port == "" {
		port = "80"
		if base.Scheme == "https" {
			port = "443"
		}
	}
	return net.JoinHostPort(base.Hostname(), port)
}

func tlsFor(base *url.URL, given *tls.Config, protocols ...string) *tls.Config {
	if given == nil {
		given = &tls.Config{}
	}
	config := certificate.Restricted(given)
	if config.ServerName == "" {
		config.ServerName = base.Hostname()
	}
	config.NextProtos = protocols
	return config
}

func (c *Connections) send(ctx context.Context, x *Exchange) error {
	if err := cmp.Or(ctx.Err(), c.mistake, checkRequest(x.Request)); err != nil {
		x.Unsent = true
		return err
	}
	for {
		conn, err := c.take(ctx, x)
		if err != nil {
			x.Unsent = true
			return err
		}
		reusable, err := conn.exchange(ctx, c, x)
		if reusable && c.cfg.Reuse {
			c.put(conn)
		} else {
			conn.close()
		}
		if err != nil && x.Unsent && x.Timing.Reused && ctx.Err() == nil {
			x.Unsent = false
			continue // the gateway has closed it, and nothing was sent
		}
		return err
	}
}

// take returns an idle connection that is still open, or a new one.
func (c *Connections) take(ctx context.Context, x *Exchange) (*connection, error) {
	for {
		conn := c.pop()
		if conn == nil {
			break
		}
		if conn.quiet() {
			x.Timing.Reused = true
			x.Timing.Blocked = time.Since(x.Timing.Start)
			return conn, nil
		}
		conn.close()
	}
	x.Timing.Reused = false
	conn, err := c.dial(ctx, x)
	x.Timing.Blocked = time.Since(x.Timing.Start)
	return conn, err
}

func (c *Connections) pop() *connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := len(c.idle) - 1
	if last < 0 {
		return nil
	}
	conn := c.idle[last]
	c.idle[last] = nil
	c.idle = c.idle[:last]
	return conn
}

func (c *Connections) put(conn *connection) {
	conn.used = time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, conn)
}

func (c *Connections) dial(ctx context.Context, x *Exchange) (*connection, error) {
	ctx, cancel := context.WithDeadline(ctx, x.Timing.Start.Add(c.cfg.timeout(x.Request)))
	defer cancel()
	start := time.Now()
	socket, err := c.cfg.Dial(ctx, "tcp", c.address)
	x.Timing.Connecting = time.Since(start)
	if err != nil {
		return nil, fmt.Errorf("cannot connect to %s: %w", c.address, err)
	}
	if !c.secure {
		return newConnection(socket, socket, ""), nil
	}
	start = time.Now()
	secured := tls.Client(socket, c.cfg.TLS)
	err = secured.HandshakeContext(ctx)
	x.Timing.TLSHandshaking = time.Since(start)
	if err != nil {
		_ = socket.Close()
		return nil, fmt.Errorf("TLS handshake with %s failed: %w", c.address, err)
	}
	return newConnection(secured, socket, tlsVersion(secured.ConnectionState().Version)), nil
}

// tlsVersion is the version in k6's notation.
func tlsVersion(version uint16) string {
	return strings.ToLower(strings.ReplaceAll(tls.VersionName(version), "TLS ", "tls"))
}

// explain replaces the error of a connection that was closed during an exchange by the reason.
func (c *Connections) explain(ctx context.Context, r *Request, err error) error {
	timeout, ok := errors.AsType[net.Error](err)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("canceled before the complete response arrived: %w", context.Cause(ctx))
	case ok && timeout.Timeout():
		return fmt.Errorf("expected a complete response within %v: %w", c.cfg.timeout(r), err)
	}
	return err
}
