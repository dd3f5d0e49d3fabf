// Package sink receives webhooks over HTTPS and passes each to a ledger.
package sink

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/load/internal/certificate"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

// Config of a sink: where it listens and how the gateway reaches it.
type Config struct {
	Listen      string                // host:port; default 127.0.0.1:0
	URL         string                // the listener's URL for the gateway, if it differs, such as that of a load balancer or pod. Port 0 means the listener's; its path is a prefix of theirs
	Certificate string                // PEM file; empty: generated at the start
	Key         string                // PEM file
	Root        string                // the first segment of paths
	Failed      func(error)           // called with why a connection was not accepted, also at the end; nil: not
	Receive     func(ledger.Delivery) // called for each delivery, concurrently; Body is valid only until it returns
}

// Sink is a webhook listener, HTTP/1.1 and HTTP/2. It responds to a delivery with 200 after
// Receive returns, and to other requests with 404.
type Sink struct {
	cfg       Config
	server    *http.Server
	base      string         // of URLs, without a trailing slash
	path      *regexp.Regexp // of a delivery, with its account and event type; a proxy may remove the prefix of the public URL
	authority []byte

	serving sync.WaitGroup
	unused  sync.Map // connections on which nothing has been received
	closing atomic.Bool
	strays  atomic.Int64
}

// Limits of a delivery, so that a broken sender cannot block the sink.
const (
	maxBody   = 1 << 20
	maxHeader = 16 << 10
	readTime  = 15 * time.Second
	idleTime  = 2 * time.Minute
)

// Open starts a sink.
func Open(cfg Config) (*Sink, error) {
	s := &Sink{cfg: cfg}
	listener, err := net.Listen("tcp", cmp.Or(cfg.Listen, "127.0.0.1:0"))
	if err != nil {
		return nil, fmt.Errorf("open the webhook listener: %w; choose an address of this machine and a free port", err)
	}
	if err := s.serve(listener); err != nil {
		_ = listener.Close()
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
	s.path = regexp.MustCompile(`^(?:` + regexp.QuoteMeta(strings.TrimRight(base.Path, "/")) + `)?/` + regexp.QuoteMeta(s.cfg.Root) + `/(\d{1,6})/([a-z_]+)$`)
	own, err := s.certificate(base.Hostname(), listener.Addr())
	if err != nil {
		return err
	}
	s.server = &http.Server{
		Handler:        http.HandlerFunc(s.receive),
		ReadTimeout:    readTime,
		IdleTimeout:    idleTime,
		MaxHeaderBytes: maxHeader,
		ConnState:      s.noteUnused,
		ErrorLog:       log.New(io.Discard, "", 0), // mistakes of senders
		TLSConfig:      certificate.Restricted(&tls.Config{Certificates: []tls.Certificate{own}}),
	}
	s.serving.Go(func() { _ = s.server.ServeTLS(reporting{listener, s.cfg.Failed}, "", "") }) // until Close
	return nil
}

func (s *Sink) certificate(host string, addr net.Addr) (tls.Certificate, error) {
	if s.cfg.Certificate != "" {
		read, err := tls.LoadX509KeyPair(s.cfg.Certificate, s.cfg.Key)
		if err != nil {
			return read, fmt.Errorf("read the webhook listener's certificate: %w; expected PEM files of a certificate and its key", err)
		}
		return read, nil
	}
	dns, ips := names(host, addr)
	made, err := certificate.New(x509.Certificate{
		Subject:     pkix.Name{CommonName: "pixcert load webhooks"},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    dns, IPAddresses: ips,
	})
	if err == nil {
		s.authority = certificate.PEM(made)
	}
	return made, err
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

// URL is the URL to register for an account's events of a type.
func (s *Sink) URL(account int, eventType string) string {
	return fmt.Sprintf("%s/%s/%d/%s", s.base, s.cfg.Root, account, eventType)
}

// Authority is the generated certificate, PEM, which nobody but itself has signed; nil if the certificate comes from files.
func (s *Sink) Authority() []byte { return s.authority }

// Strays is how many requests were not deliveries.
func (s *Sink) Strays() int64 { return s.strays.Load() }

// Close stops listening, waits for deliveries in progress until ctx is done, and aborts the rest.
func (s *Sink) Close(ctx context.Context) error {
	s.closing.Store(true)
	s.unused.Range(func(c, _ any) bool {
		abort(c.(net.Conn))
		return true
	})
	err := s.server.Shutdown(ctx)
	s.serving.Wait()
	return err
}

// noteUnused knows the connections that senders have opened in advance: net/http waits 5 s for their first request.
func (s *Sink) noteUnused(c net.Conn, now http.ConnState) {
	if now != http.StateNew {
		s.unused.Delete(c)
		return
	}
	s.unused.Store(c, nil)
	if s.closing.Load() {
		abort(c)
	}
}

// abort closes a connection without TLS, which may be in the middle of its handshake.
func abort(c net.Conn) { _ = c.(*tls.Conn).NetConn().Close() }

// reporting is a listener that reports why it accepts no connection. net/http tries again until there is a file descriptor.
type reporting struct {
	net.Listener
	failed func(error)
}

func (l reporting) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil && l.failed != nil {
		l.failed(err)
	}
	return c, err
}

// receive handles a request. The sender of an incomplete body gets no response, and retries.
func (s *Sink) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		s.strays.Add(1)
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(s.deliver(r.Method, r.URL.Path, r.Header.Get("Webhook-Id"), body))
}

// deliver returns the status of the response. A body that is too large is truncated.
func (s *Sink) deliver(method, path, webhookID string, body []byte) (status int) {
	at := time.Now()
	sent := method == http.MethodPost || method == http.MethodPut // the API does not specify which
	to := s.path.FindStringSubmatch(path)
	if !sent || to == nil {
		s.strays.Add(1)
		return http.StatusNotFound
	}
	account, _ := strconv.Atoi(to[1]) // digits
	s.cfg.Receive(ledger.Delivery{Account: account, Type: to[2], At: at, Body: body[:min(len(body), maxBody)], WebhookID: webhookID})
	if len(body) > maxBody {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusOK
}

// names are the host names and addresses of the listener.
func names(host string, addr net.Addr) (dns []string, ips []net.IP) {
	dns = []string{"localhost"}
	ips = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsUnspecified() && !tcp.IP.IsLoopback() {
		ips = append(ips, tcp.IP)
	}
	if ip := net.ParseIP(host); ip != nil {
		return dns, append(ips, ip)
	}
	return append(dns, host), ips
}
