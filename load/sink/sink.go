// Package sink receives webhooks over HTTPS and passes each to a ledger.
package sink

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/load/ledger"
)

// Config of a sink: where it listens and how the gateway reaches it.
type Config struct {
	Listen      string                // host:port; default 127.0.0.1:0
	URL         string                // the listener's URL for the gateway, if it differs, such as that of a load balancer or pod. Port 0 means the listener's; its path is a prefix of Path
	Certificate string                // PEM file; empty: generated at the start, with its own CA
	Key         string                // PEM file
	Path        string                // default "/{run}/{account}/{type}/{n}"; {account} and {type} are required
	Run         uint64                // {run}, 12 hex digits
	Receive     func(ledger.Delivery) // called for each delivery, concurrently; Body is valid only until it returns
}

// Sink is a webhook listener, HTTP/1.1 and HTTP/2. It responds to a delivery with 200 after
// Receive returns, and to other requests with 404.
type Sink struct {
	cfg       Config
	server    *http.Server
	base      string // of URLs, without a trailing slash
	path      path
	authority []byte

	serving     sync.WaitGroup
	connections sync.WaitGroup // each has a goroutine of the server
	strays      atomic.Int64
}

// Limits of a delivery, so that a broken sender cannot block the sink.
const (
	maxBody   = 1 << 20
	maxHeader = 64 << 10
	readTime  = 15 * time.Second
	idleTime  = 2 * time.Minute
)

// Open starts a sink.
func Open(cfg Config) (*Sink, error) {
	s := &Sink{cfg: cfg}
	var err error
	if s.path, err = newPath(cmp.Or(cfg.Path, "/{run}/{account}/{type}/{n}"), cfg.Run); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", cmp.Or(cfg.Listen, "127.0.0.1:0"))
	if err != nil {
		return nil, fmt.Errorf("open the webhook listener: %w; choose an address of this machine and a free port", err)
	}
	if err := s.serve(listener); err != nil {
		listener.Close()
		return nil, err
	}
	return s, nil
}

func (s *Sink) serve(listener net.Listener) error {
	base, err := reachable(s.cfg.URL, listener.Addr())
	if err != nil {
		return err
	}
	s.base = strings.TrimRight(base.String(), "/")
	s.path.prefix = strings.TrimRight(base.Path, "/")
	s.server = &http.Server{
		Handler:           http.HandlerFunc(s.receive),
		ReadHeaderTimeout: readTime,
		ReadTimeout:       readTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(io.Discard, "", 0), // mistakes of senders
		ConnState:         s.count,
	}
	certificate, err := s.certificate(base.Hostname(), listener.Addr())
	if err != nil {
		return err
	}
	s.server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
	s.serving.Go(func() { _ = s.server.ServeTLS(listener, "", "") }) // always returns ErrServerClosed, after Close
	return nil
}

func (s *Sink) certificate(host string, addr net.Addr) (tls.Certificate, error) {
	if s.cfg.Certificate != "" {
		certificate, err := tls.LoadX509KeyPair(s.cfg.Certificate, s.cfg.Key)
		if err != nil {
			return tls.Certificate{}, fmt.Errorf("read the webhook listener's certificate: %w; expected PEM files of a certificate and its key", err)
		}
		return certificate, nil
	}
	certificate, authority, err := makeCertificate(host, addr)
	s.authority = authority
	return certificate, err
}

// reachable is the listener's URL for the gateway.
func reachable(given string, addr net.Addr) (*url.URL, error) {
	tcp := addr.(*net.TCPAddr)
	host := addr.String()
	if tcp.IP.IsUnspecified() {
		host = fmt.Sprintf("localhost:%d", tcp.Port)
	}
	if given == "" {
		return &url.URL{Scheme: "https", Host: host}, nil
	}
	u, err := url.Parse(given)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("expected a webhook URL such as https://host:port, because the API accepts only HTTPS, got %q", given)
	}
	if u.Port() == "0" {
		u.Host = net.JoinHostPort(u.Hostname(), fmt.Sprint(tcp.Port))
	}
	return u, nil
}

// URL is the URL to register for an account's events of a type; n, from 0, distinguishes
// several URLs of one type.
func (s *Sink) URL(account int, eventType string, n int) string {
	return s.base + s.path.format(account, eventType, n)
}

// Authority is the CA of the generated certificate, PEM, for the gateway to trust; nil if the
// certificate comes from files.
func (s *Sink) Authority() []byte { return s.authority }

// Strays is how many requests were not deliveries.
func (s *Sink) Strays() int64 { return s.strays.Load() }

// Close stops listening, waits for deliveries in progress until ctx is done, and aborts the
// rest. The error is that of ctx.
func (s *Sink) Close(ctx context.Context) error {
	err := s.server.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.server.Close())
	}
	s.serving.Wait()
	s.connections.Wait()
	return err
}

// count tracks the server's connections, so that Close can wait for them.
func (s *Sink) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.connections.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.connections.Done()
	}
}

// bodies are read buffers.
var bodies = sync.Pool{New: func() any { return new(buffer) }}

type buffer struct{ bytes []byte }

// read fills the buffer with a body, up to its limit.
func (b *buffer) read(r io.Reader, length int64) error {
	const least = 2048
	if want := int(min(max(length+1, least), maxBody+1)); cap(b.bytes) < want {
		b.bytes = make([]byte, 0, want)
	}
	b.bytes = b.bytes[:0]
	for {
		if len(b.bytes) == cap(b.bytes) {
			b.bytes = append(b.bytes, 0)[:len(b.bytes)]
		}
		n, err := r.Read(b.bytes[len(b.bytes):min(cap(b.bytes), maxBody+1)])
		b.bytes = b.bytes[:len(b.bytes)+n]
		switch {
		case len(b.bytes) > maxBody:
			b.bytes = b.bytes[:maxBody]
			return errTooLarge
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

var errTooLarge = errors.New("expected a webhook of at most 1 MiB")

// receive handles a request. One with an incomplete body is not a delivery: its sender gets
// no response, and retries. A body that is too large is truncated.
func (s *Sink) receive(w http.ResponseWriter, r *http.Request) {
	d := ledger.Delivery{At: time.Now()}
	sent := r.Method == http.MethodPost || r.Method == http.MethodPut // the API does not specify which
	if !sent || !s.path.parse(r.URL.Path, &d) {
		s.strays.Add(1)
		http.NotFound(w, r)
		return
	}
	body := bodies.Get().(*buffer)
	defer bodies.Put(body)
	err := body.read(r.Body, r.ContentLength)
	if err != nil && err != errTooLarge {
		s.strays.Add(1)
		panic(http.ErrAbortHandler)
	}
	d.Body, d.WebhookID = body.bytes, r.Header.Get("Webhook-Id")
	s.cfg.Receive(d)
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	w.WriteHeader(http.StatusOK)
}
