// Package sink receives the webhooks of a target over HTTPS and hands each to the
// mailbox that its path belongs to.
package sink

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/exchange"
)

// Sink is an HTTPS server for webhooks. A delivery to a path that no mailbox has is answered
// with 404 unless Acknowledge has said otherwise.
type Sink struct {
	server *http.Server
	since  time.Time
	base   string // https://host:port, or the URL by which the target reaches that
	prefix string // of the paths of that URL
	serve  sync.WaitGroup
	conns  sync.WaitGroup // connections, each with a goroutine of the server's
	came   atomic.Bool    // something has
	lost   atomic.Int64   // deliveries to paths that no mailbox ever had

	mu        sync.RWMutex
	mailboxes map[string]*Mailbox // by path
	known     map[string]bool     // paths that are answered 200 without a mailbox too
	opened    map[string]bool     // every path that has had a mailbox

	openMu sync.Mutex
	open   map[net.Conn]connState
}

// What a delivery may take, so that a broken or hostile sender holds nothing up.
const (
	maxBody   = 256 << 10 // bytes of a body that are kept
	maxHeader = 32 << 10
	readTime  = 15 * time.Second
	idleTime  = 2 * time.Minute
	someConns = 256  // then those that have done nothing for a second make room
	maxConns  = 1024 // then any does: more than the senders of a target have open
)

// Listen opens a sink on addr (host:port; 127.0.0.1 on a free port if empty) with
// a certificate for the host by which the target reaches it. Its URL begins with base;
// with https and the address if that is empty, with the port that is listened on where
// base has port 0. Close ends it.
func Listen(addr, base string, cert tls.Certificate) (*Sink, error) {
	listener, err := net.Listen("tcp", cmp.Or(addr, "127.0.0.1:0"))
	if err != nil {
		return nil, fmt.Errorf("opening the webhook sink: %w; choose a local address and a free port", err)
	}
	s := &Sink{since: time.Now(), base: "https://" + reachable(listener.Addr()), mailboxes: map[string]*Mailbox{}, known: map[string]bool{}, opened: map[string]bool{}, open: map[net.Conn]connState{}}
	if base != "" {
		s.base = onPort(base, listener.Addr())
	}
	if u, err := url.Parse(s.base); err == nil {
		s.prefix = u.EscapedPath()
	}
	var only http.Protocols
	only.SetHTTP1(true)
	s.server = &http.Server{
		Handler:           http.HandlerFunc(s.receive),
		TLSConfig:         certs.Restricted(&tls.Config{Certificates: []tls.Certificate{cert}}),
		Protocols:         &only,
		ReadHeaderTimeout: readTime,
		ReadTimeout:       readTime,
		WriteTimeout:      readTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(io.Discard, "", 0), // senders' mistakes, which verdicts tell better
		ConnState:         s.follow,
	}
	s.serve.Go(func() {
		_ = s.server.ServeTLS(listener, "", "") // always ErrServerClosed, after Close
	})
	return s, nil
}

// URL is where an event arrived, with its query.
func (s *Sink) URL(e Event) string {
	if e.Query != "" {
		return s.base + e.Path + "?" + e.Query
	}
	return s.base + e.Path
}

// reachable is an address at which a listener on all addresses is reached too.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return fmt.Sprintf("localhost:%d", tcp.Port)
}

// onPort is base with the port of addr in the place of port 0.
func onPort(base string, addr net.Addr) string {
	base = strings.TrimRight(base, "/")
	u, err := url.Parse(base)
	if tcp, ok := addr.(*net.TCPAddr); err == nil && ok && u.Port() == "0" {
		u.Host = fmt.Sprintf("%s:%d", strings.TrimSuffix(u.Host, ":0"), tcp.Port)
		return u.String()
	}
	return base
}

// Acknowledge has deliveries to these paths answered with 200 also while they have no
// mailbox, so that a target whose webhooks are registered for good does not repeat them.
func (s *Sink) Acknowledge(paths ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range paths {
		s.known[escaped(path)] = true
	}
}

// at finds the mailbox of a path, which may come with the prefix of the sink's URL or, by
// way of a proxy, without it.
func (s *Sink) at(path string) (m *Mailbox, known bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	path = escaped(path)
	for _, p := range []string{path, strings.TrimPrefix(path, s.prefix)} {
		if m := s.mailboxes[p]; m != nil || s.known[p] {
			return m, true
		}
	}
	return nil, false
}

// follow follows the server's connections: Close waits for their end, and where there are too many, one makes room: of
// those that have sent nothing the oldest, otherwise the one that has done nothing for the longest time. A sender of
// webhooks sends soon after it connects; a stranger may not.
func (s *Sink) follow(conn net.Conn, state http.ConnState) {
	s.openMu.Lock()
	defer s.openMu.Unlock()
	switch state {
	case http.StateClosed, http.StateHijacked:
		delete(s.open, conn)
		s.conns.Done()
		return
	case http.StateNew:
		s.conns.Add(1)
		if len(s.open) >= someConns {
			oldest := slices.MinFunc(slices.Collect(maps.Keys(s.open)), func(a, b net.Conn) int { return s.open[a].compare(s.open[b]) })
			if len(s.open) < maxConns && time.Since(s.open[oldest].since) < time.Second {
				break
			}
			delete(s.open, oldest)
			if secured, ok := oldest.(*tls.Conn); ok {
				oldest = secured.NetConn() // without a word to a peer that may not listen
			}
			oldest.Close()
		}
	}
	s.open[conn] = connState{state, time.Now()}
}

// connState is what a connection has done last.
type connState struct {
	state http.ConnState
	since time.Time
}

// compare orders first what makes room first.
func (c connState) compare(other connState) int {
	if isNew := c.state == http.StateNew; isNew != (other.state == http.StateNew) {
		if isNew {
			return -1
		}
		return 1
	}
	return c.since.Compare(other.since)
}

// Open opens the mailbox of a path ("/run/17"), which gets every delivery to that path until it
// is closed. A second mailbox of the same path takes it over; the first still gets what it wants. Each delivery sends to arrived,
// unless that is full or nil: give it room for one, and read what arrived with Since.
func (s *Sink) Open(path string, arrived chan<- struct{}) *Mailbox {
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	m := &Mailbox{sink: s, path: path, arrived: arrived, answer: Response{Status: http.StatusOK}}
	s.mu.Lock()
	defer s.mu.Unlock()
	path = escaped(path)
	m.before = s.mailboxes[path]
	s.mailboxes[path], s.opened[path] = m, true
	return m
}

// remove takes m from its path, unless another has taken that over.
func (s *Sink) remove(m *Mailbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := escaped(m.path)
	if s.mailboxes[path] != m {
		return
	}
	delete(s.mailboxes, path)
	for before := m.before; before != nil; before = before.before {
		if !before.isClosed() {
			s.mailboxes[path] = before
			return
		}
	}
}

// Opened is since when the sink receives.
func (s *Sink) Opened() time.Time { return s.since }

// Base is where the URLs of all mailboxes begin.
func (s *Sink) Base() string { return s.base }

// IsReached tells whether anything has come yet, to whatever path.
func (s *Sink) IsReached() bool { return s.came.Load() }

// wasOpen: a delivery to a path comes late, and not from a stranger.
func (s *Sink) wasOpen(path string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	path = escaped(path)
	return s.opened[path] || s.opened[strings.TrimPrefix(path, s.prefix)]
}

// escaped is a path as a request has it: /a%2Fb is another one than /a/b. The case of hex digits means nothing.
func escaped(path string) string {
	if u, err := url.ParseRequestURI(path); err == nil {
		path = u.EscapedPath()
	}
	for i := 0; i+2 < len(path); i++ {
		if path[i] == '%' {
			path = path[:i] + strings.ToUpper(path[i:i+3]) + path[i+3:]
		}
	}
	return path
}

// Strays are how many deliveries went to paths that no mailbox ever had.
func (s *Sink) Strays() int { return int(s.lost.Load()) }

// Close ends the sink and its connections. It returns when none of its goroutines is left.
func (s *Sink) Close() error {
	err := s.server.Close()
	s.serve.Wait()
	s.conns.Wait()
	return err
}

// receive takes one delivery. A body that breaks off is no delivery: its sender
// got no answer and will try again.
func (s *Sink) receive(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	s.came.Store(true)
	m, known := s.at(r.URL.EscapedPath())
	if m == nil {
		if known {
			return
		}
		if !s.wasOpen(r.URL.EscapedPath()) {
			s.lost.Add(1)
		}
		http.Error(w, "unknown path", http.StatusNotFound)
		return
	}
	if status, is := m.full(r.ContentLength); is {
		w.Header().Set("Connection", "close")
		w.WriteHeader(status)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Header.Set("Host", r.Host) // net/http takes it out
	event := Event{Path: m.path, Query: r.URL.RawQuery, Method: r.Method, At: arrived}
	if event.Truncated = len(body) > maxBody; event.Truncated {
		body = body[:maxBody]
	}
	kept := exchange.Exchange{Party: exchange.Webhook, Header: r.Header, Body: body, Truncated: event.Truncated}.Arrived()
	event.Header, event.Body, event.LeftOut = kept.Header, kept.Body, kept.LeftOut
	for before := m.before; before != nil; before = before.before {
		before.deliverWanted(event)
	}
	m.deliver(event).write(r.Context(), w, r.Header)
}
