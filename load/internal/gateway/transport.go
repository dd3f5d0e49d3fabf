package gateway

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Transport reaches a gateway through any http.RoundTripper, for HTTP/2 or a proxy. That of
// net/http retries a request if the server certainly did not process it, and a GET in other
// cases too.
type Transport struct {
	cfg  ConnectionsConfig
	base string
	trip http.RoundTripper
}

// NewTransport sends to a base URL through a round tripper, which handles dialling, TLS and
// the reuse of connections. Of cfg, it uses Timeout, UserAgent and Header.
func NewTransport(base *url.URL, trip http.RoundTripper, cfg ConnectionsConfig) *Transport {
	return &Transport{cfg: cfg.withDefaults(), base: strings.TrimRight(base.String(), "/"), trip: trip}
}

// Send makes an exchange.
func (t *Transport) Send(ctx context.Context, r *Request) *Exchange {
	x := &Exchange{Request: r}
	x.Timing.Start = time.Now()
	var trace trace
	if err := t.send(ctx, x, &trace); err != nil {
		x.Status, x.Body = 0, nil
		x.Err = err
		x.Unsent = !trace.began()
	}
	x.Timing.End = time.Now()
	trace.into(&x.Timing)
	return x
}

func (t *Transport) send(ctx context.Context, x *Exchange, trace *trace) error {
	if err := checkRequest(x.Request); err != nil {
		return err
	}
	timeout := t.cfg.timeout(x.Request)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("expected a complete response within %v", timeout))
	defer cancel()
	request, err := t.request(ctx, x.Request, trace)
	if err != nil {
		return err
	}
	response, err := t.trip.RoundTrip(request)
	if err != nil {
		return because(ctx, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	if err == nil && len(body) > maxBody {
		err = errors.New("got more")
	}
	if err == nil {
		body, err = decoded(body, response.Header.Get("Content-Encoding"))
	}
	if err != nil {
		return because(ctx, fmt.Errorf("expected a complete response body of at most %d bytes: %w", maxBody, err))
	}
	x.Status, x.Body = response.StatusCode, body
	for name, values := range response.Header {
		for _, value := range values {
			x.Header = append(x.Header, name, value)
		}
	}
	x.Timing.Protocol = response.Proto
	if response.TLS != nil {
		x.Timing.TLSVersion = tlsVersion(response.TLS.Version)
	}
	return nil
}

func because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("canceled before the complete response arrived: %w", context.Cause(ctx))
	}
	return err
}

func (t *Transport) request(ctx context.Context, r *Request, trace *trace) (*http.Request, error) {
	var body io.Reader
	if r.Body != nil {
		body = bytes.NewReader(r.Body)
	}
	request, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace.hooks()), r.Method, t.base+r.Path, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", t.cfg.UserAgent)
	for name, value := range t.cfg.Header {
		request.Header.Set(name, value)
	}
	if r.Body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if r.Bearer != "" {
		request.Header.Set("Authorization", "Bearer "+r.Bearer)
	}
	for i := 0; i+1 < len(r.Header); i += 2 {
		// Keep the spelling: http.Transport takes X-Idempotency-Key as permission to retry.
		name := r.Header[i]
		request.Header[name] = append(request.Header[name], r.Header[i+1])
	}
	return request, nil
}

// trace records when the parts of an exchange happened. Its hooks may be called by goroutines
// that outlive the exchange.
type trace struct {
	mu                            sync.Mutex
	getConn, gotConn              time.Time
	connectStart, connectDone     time.Time
	handshakeStart, handshakeDone time.Time
	wroteRequest, gotFirst        time.Time
	reused                        bool
	remote                        net.Addr
}

func (t *trace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:           func(string) { t.at(&t.getConn) },
		DNSStart:          func(httptrace.DNSStartInfo) { t.at(&t.connectStart) },
		ConnectStart:      func(string, string) { t.atFirst(&t.connectStart) },
		ConnectDone:       func(string, string, error) { t.at(&t.connectDone) },
		TLSHandshakeStart: func() { t.at(&t.handshakeStart) },
		TLSHandshakeDone:  func(tls.ConnectionState, error) { t.at(&t.handshakeDone) },
		GotConn: func(info httptrace.GotConnInfo) {
			t.at(&t.gotConn)
			t.mu.Lock()
			defer t.mu.Unlock()
			t.reused, t.remote = info.Reused, info.Conn.RemoteAddr()
		},
		WroteRequest:         func(httptrace.WroteRequestInfo) { t.at(&t.wroteRequest) },
		GotFirstResponseByte: func() { t.atFirst(&t.gotFirst) },
	}
}

func (t *trace) at(moment *time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	*moment = time.Now()
}

func (t *trace) atFirst(moment *time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if moment.IsZero() {
		*moment = time.Now()
	}
}

// began says whether any of the request may have been sent.
func (t *trace) began() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.gotConn.IsZero()
}

func (t *trace) into(timing *Timing) {
	t.mu.Lock()
	defer t.mu.Unlock()
	timing.Reused, timing.Remote = t.reused, t.remote
	timing.Blocked = between(t.getConn, t.gotConn)
	if !t.reused {
		timing.Connecting = between(t.connectStart, t.connectDone)
		timing.TLSHandshaking = between(t.handshakeStart, t.handshakeDone)
	}
	timing.Sending = between(t.gotConn, t.wroteRequest)
	timing.Waiting = between(t.wroteRequest, t.gotFirst)
	timing.Receiving = between(t.gotFirst, timing.End)
}

// between is the time from one moment to a later one; 0 if either is missing.
func between(from, to time.Time) time.Duration {
	if from.IsZero() || to.IsZero() {
		return 0
	}
	return max(0, to.Sub(from))
}
