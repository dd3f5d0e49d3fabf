// Package hostile has peers that misbehave on purpose, to test that the suite copes with them: a
// proxy in front of a gateway that spoils, delays or reports responses, and senders of unsolicited
// webhooks.
package hostile

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Config says what a proxy does with the requests of the suite.
type Config struct {
	Upstream string // base URL of the gateway, over HTTP

	// After so many requests, Spoil answers instead of the gateway, and the connection is closed unless
	// Spoil keeps it. The gateway still receives the requests. If Spoil is nil, every request is passed on.
	After int64
	Spoil func(*Answer)

	Greeting string                                         // sent on each new connection, before any request
	Change   func(r *http.Request, sent []byte) (on []byte) // returns the body that the gateway receives instead

	Delay   time.Duration                                                          // before each response that is passed on
	Witness func(r *http.Request, sent []byte, answer *http.Response, body []byte) // called with each response of the gateway, from several goroutines
	TLS     *tls.Config                                                            // to serve over TLS
}

// Misbehaves reports whether the proxy ever does something else than to pass requests and responses on.
func (c Config) Misbehaves() bool {
	return c.Spoil != nil || c.Change != nil || c.Greeting != "" || c.TLS != nil
}

// Answer is the gateway's response to a request, and the connection on which to send something else.
type Answer struct {
	Conn   net.Conn // closed when Spoil returns, unless Keep is set
	Keep   bool
	Path   string // of the request
	Sent   string // the request as HTTP/1.1
	Status string // "201 Created"
	Header []byte // its lines, each with CRLF; no Content-Length
	Body   []byte

	closing <-chan struct{}
}

// Write sends a text as it is; false if the peer is gone.
func (a *Answer) Write(text string) bool {
	_, err := io.WriteString(a.Conn, text)
	return err == nil
}

// Pause waits; false if the proxy was closed.
func (a *Answer) Pause(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-a.closing:
		return false
	}
}

// Hold keeps the connection open until the peer closes it.
func (a *Answer) Hold() { _, _ = io.Copy(io.Discard, a.Conn) }

// Proxy listens on a free port of 127.0.0.1 until it is closed.
type Proxy struct {
	URL string

	config   Config
	upstream *url.URL
	client   *http.Transport
	listener net.Listener
	requests atomic.Int64
	closing  chan struct{}
	serving  sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
	ended bool
}

// Listen starts a proxy; Close stops it.
func Listen(config Config) (*Proxy, error) {
	upstream, err := url.Parse(cmp.Or(config.Upstream, "http://127.0.0.1:1"))
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{
		URL: "http://" + listener.Addr().String(), config: config, upstream: upstream, listener: listener,
		client:  &http.Transport{MaxIdleConnsPerHost: 1024, DisableCompression: true},
		closing: make(chan struct{}), conns: map[net.Conn]bool{},
	}
	if config.TLS != nil {
		p.URL = "https" + strings.TrimPrefix(p.URL, "http")
		p.listener = tls.NewListener(listener, config.TLS)
	}
	p.serving.Go(p.accept)
	return p, nil
}

// Requests returns how many requests the proxy has received.
func (p *Proxy) Requests() int64 { return p.requests.Load() }

// Close closes every connection and waits for the goroutines that serve them.
func (p *Proxy) Close() {
	p.mu.Lock()
	if p.ended {
		p.mu.Unlock()
		return
	}
	p.ended = true
	close(p.closing)
	p.listener.Close()
	for conn := range p.conns {
		conn.Close()
	}
	p.mu.Unlock()
	p.serving.Wait()
	p.client.CloseIdleConnections()
}

// Refuse stops listening and drops every connection, as a process that dies does.
func (p *Proxy) Refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listener.Close()
	for conn := range p.conns {
		conn.Close()
	}
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		if p.ended {
			conn.Close()
		}
		p.conns[conn] = true
		p.mu.Unlock()
		p.serving.Go(func() {
			p.serve(conn)
			conn.Close()
			p.mu.Lock()
			delete(p.conns, conn)
			p.mu.Unlock()
		})
	}
}

// serve answers the requests of a connection until one is spoilt or it ends.
func (p *Proxy) serve(conn net.Conn) {
	in := bufio.NewReader(conn)
	if _, err := io.WriteString(conn, p.config.Greeting); err != nil {
		return
	}
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		spoilt := p.requests.Add(1) > p.config.After && p.config.Spoil != nil
		on := sent
		if p.config.Change != nil {
			on = p.config.Change(r, sent)
		}
		response, body, err := p.pass(r, on)
		if err != nil && !spoilt {
			return
		}
		if p.config.Witness != nil && response != nil {
			p.config.Witness(r, sent, response, body)
		}
		if spoilt {
			answer := p.answer(conn, r, sent, response, body)
			if p.config.Spoil(answer); !answer.Keep {
				return
			}
			continue
		}
		time.Sleep(p.config.Delay)
		response.Body, response.ContentLength, response.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
		response.Request = r // a HEAD has no body
		if response.Write(conn) != nil || response.Close || r.Close {
			return
		}
	}
}

// pass sends a request on to the gateway.
func (p *Proxy) pass(r *http.Request, sent []byte) (*http.Response, []byte, error) {
	if p.config.Upstream == "" {
		return nil, nil, errors.New("there is no gateway")
	}
	on := &http.Request{
		Method: r.Method, Host: r.Host, Header: r.Header, ProtoMajor: 1, ProtoMinor: 1,
		URL:           &url.URL{Scheme: p.upstream.Scheme, Host: p.upstream.Host, Opaque: r.RequestURI},
		ContentLength: int64(len(sent)), Body: http.NoBody,
	}
	if len(sent) > 0 {
		on.Body = io.NopCloser(bytes.NewReader(sent))
	}
	if _, given := r.Header["User-Agent"]; !given {
		r.Header["User-Agent"] = nil
	}
	response, err := p.client.RoundTrip(on)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, body, err
}

// answer returns the input of Spoil: an empty 200 if there is no gateway.
func (p *Proxy) answer(conn net.Conn, r *http.Request, sent []byte, response *http.Response, body []byte) *Answer {
	var request bytes.Buffer
	_ = r.Header.Write(&request)
	a := &Answer{Conn: conn, Path: r.URL.Path, Sent: r.Method + " " + r.RequestURI + " HTTP/1.1\r\n" + request.String() + "\r\n" + string(sent), Status: "200 OK", Header: []byte("Content-Type: application/json\r\n"), Body: body, closing: p.closing}
	if response != nil {
		var header bytes.Buffer
		response.Header.Del("Content-Length")
		_ = response.Header.Write(&header)
		a.Status, a.Header = response.Status, header.Bytes()
	}
	return a
}
