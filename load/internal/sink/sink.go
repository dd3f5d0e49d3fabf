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
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/load/internal/certificate"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

// Config of a sink: where it listens and how the gateway reaches it.
type Config struct {
	Listen      string                // host:port; default 127.0.0.1:0
	URL         string                // the listener's URL for the gateway, if it differs, such as that of a load balancer or pod. Port 0 means the listener's; its path is a prefix of theirs
	Certificate string                // PEM file; empty: generated at the start, with its own CA
	Key         string                // PEM file
	Root        string                // the first segment of paths
	Exhausted   func(error)           // called if the machine has no file descriptor for a connection; nil: not
	Receive     func(ledger.Delivery) // called for each delivery, concurrently; Body is valid only until it returns
}

// Sink is a webhook listener, HTTP/1.1 and HTTP/2. It responds to a delivery with 200 after
// Receive returns, and to other requests with 404.
type Sink struct {
	cfg       Config
	server    *http.Server
	base      string // of URLs, without a trailing slash
	paths     paths
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

	acceptAgain = 20 * time.Millisecond // without a file descriptor
)

// Open starts a sink.
func Open(cfg Config) (*Sink, error) {
	s := &Sink{cfg: cfg, paths: paths{root: cfg.Root}}
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
	s.paths.prefix = strings.TrimRight(base.Path, "/")
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
	s.serving.Go(func() { _ = s.server.ServeTLS(patient{listener, s.cfg.Exhausted}, "", "") }) // until Close
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

// URL is the URL to register for an account's events of a type.
func (s *Sink) URL(account int, eventType string) string {
	return s.base + s.paths.format(account, eventType)
}

// Authority is the CA of the generated certificate, PEM; nil if the certificate comes from files.
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

// patient is a listener that waits for file descriptors, ports or memory: net/http would stop listening.
type patient struct {
	net.Listener
	exhausted func(error)
}

func (l patient) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err == nil || !gateway.Exhausted(err) {
			return c, err
		}
		if l.exhausted != nil {
			l.exhausted(err)
		}
		time.Sleep(acceptAgain) // nothing reports that a descriptor is free again
	}
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
	d := ledger.Delivery{At: time.Now(), Body: body[:min(len(body), maxBody)], WebhookID: webhookID}
	sent := method == http.MethodPost || method == http.MethodPut // the API does not specify which
	if !sent || !s.paths.parse(path, &d) {
		s.strays.Add(1)
		return http.StatusNotFound
	}
	s.cfg.Receive(d)
	if len(body) > maxBody {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusOK
}

// paths of deliveries are /ROOT/ACCOUNT/TYPE/0. The 0 means nothing any more: gateways keep the
// URLs that existing accounts have registered.
type paths struct {
	prefix string // of the public URL; a proxy may remove it
	root   string
}

// format is the path of an account's deliveries, without the prefix.
func (p *paths) format(account int, eventType string) string {
	return fmt.Sprintf("/%s/%d/%s/0", p.root, account, eventType)
}

// parse extracts a delivery's data from its path; false if it is not the path of a delivery.
func (p *paths) parse(text string, d *ledger.Delivery) bool {
	rest, prefixed := strings.CutPrefix(text, p.prefix)
	return prefixed && p.match(rest, d) || p.match(text, d)
}

// maxIndex limits the account in a path, so that it cannot be absurd.
const maxIndex = 1 << 20

func (p *paths) match(text string, d *ledger.Delivery) bool {
	empty, rest, _ := strings.Cut(text, "/")
	root, rest, _ := strings.Cut(rest, "/")
	number, rest, _ := strings.Cut(rest, "/")
	eventType, last, _ := strings.Cut(rest, "/")
	account, err := strconv.ParseUint(number, 10, 32)
	d.Account, d.Type = int(account), eventType
	return empty == "" && root == p.root && err == nil && account <= maxIndex &&
		eventType != "" && strings.Trim(eventType, "abcdefghijklmnopqrstuvwxyz_") == "" && last == "0"
}

// makeCertificate generates a certificate for the public URL's host and the listener's address, and its CA.
func makeCertificate(host string, addr net.Addr) (listener tls.Certificate, authority []byte, err error) {
	issuer, err := certificate.New(x509.Certificate{
		Subject:               pkix.Name{CommonName: "pixcert load webhooks"},
		KeyUsage:              x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
		MaxPathLenZero:        true,
	}, nil)
	if err == nil {
		leaf := x509.Certificate{
			Subject:     pkix.Name{CommonName: "pixcert load webhooks listener"},
			KeyUsage:    x509.KeyUsageDigitalSignature,
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}
		leaf.DNSNames, leaf.IPAddresses = names(host, addr)
		listener, err = certificate.New(leaf, &issuer)
	}
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("generate the webhook listener's certificate: %w", err)
	}
	return listener, certificate.PEM(issuer), nil
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
