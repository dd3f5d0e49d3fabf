package target

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Client sends requests to a target exactly as they are given, and survives
// whatever comes back. It is safe for concurrent use.
//
// Connections are kept alive and need care. A target may close an idle one at the
// moment a request leaves on it, and then nobody can tell whether it took the
// request. So an idle connection is dropped after a second, sooner than the
// servers in use drop theirs (the shortest known is two seconds); a request of
// which not a byte has left is sent on another connection, and so is a GET; any
// other is never sent twice but ends as Undecided, and from then on such requests
// go over fresh connections.
type Client struct {
	identity Identity
	profile  Profile
	api      *url.URL
	control  *url.URL // nil without controls

	kept     *http.Transport
	fresh    *http.Transport
	distrust atomic.Bool // the target closed a kept connection under a request
}

// Request is a request before it is sent.
type Request struct {
	Party     exchange.Party // API or Control: whose base URL Path follows
	Operation string         // "cash-out"; for a control its name
	Rule      string         // on whose behalf, for User-Agent
	Method    string
	Path      string      // with the query, as it stands in the request line
	Header    http.Header // names and values as given; Host is honoured, lengths are not
	Body      []byte      // nil for none
}

const (
	keptIdle   = time.Second
	keptAtMost = 1024
	maxHeader  = 256 << 10 // bytes of an answer's header
)

func newClient(p Profile, id Identity) (*Client, error) {
	c := &Client{identity: id, profile: p}
	var err error
	if c.api, err = parseBase("base URL", p.BaseURL); err != nil {
		return nil, err
	}
	if p.Control != nil {
		if c.control, err = parseBase("control URL", p.Control.URL); err != nil {
			return nil, err
		}
	}
	trusted := &tls.Config{}
	if len(p.CA) > 0 {
		if trusted.RootCAs, err = x509.SystemCertPool(); err != nil {
			trusted.RootCAs = x509.NewCertPool()
		}
		if !trusted.RootCAs.AppendCertsFromPEM(p.CA) {
			return nil, errors.New("the profile's CA holds no certificate; expected PEM that begins -----BEGIN CERTIFICATE-----")
		}
	}
	c.kept = newTransport(trusted)
	c.fresh = newTransport(trusted)
	c.fresh.DisableKeepAlives = true
	return c, nil
}

// newTransport has no proxy, no decompression and HTTP/1.1 alone: what is
// recorded is what went over the wire.
func newTransport(trusted *tls.Config) *http.Transport {
	var only http.Protocols
	only.SetHTTP1(true)
	return &http.Transport{
		DialContext:            (&net.Dialer{KeepAlive: -1}).DialContext,
		TLSClientConfig:        trusted.Clone(),
		Protocols:              &only,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    keptAtMost,
		IdleConnTimeout:        keptIdle,
		MaxResponseHeaderBytes: maxHeader,
	}
}

// CloseIdleConnections drops the connections that no request is using.
func (c *Client) CloseIdleConnections() {
	c.kept.CloseIdleConnections()
	c.fresh.CloseIdleConnections()
}

// Send sends r and returns what came of it: never an error and never a panic,
// because a missing or broken answer is a finding. Redirects are not followed.
// The answer's body is bounded by Profile.MaxBody (Truncated says that it was
// longer), all of it by the party's deadline and ctx; Err says why no whole
// answer came, and what did come is kept.
func (c *Client) Send(ctx context.Context, r Request) exchange.Exchange {
	e := exchange.Exchange{
		Party: r.Party, Operation: r.Operation, Method: r.Method,
		Header: c.header(r), Body: r.Body,
	}
	base, deadline := c.api, c.profile.Deadlines.Answer
	if r.Party == exchange.Control {
		base, deadline = c.control, c.profile.Deadlines.Control
	}
	if base == nil {
		e.Err = "the profile names no control URL"
		return e
	}
	e.URL = base.String() + r.Path
	timed, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	fate := &fate{}
	request := newRequest(fate.watch(timed), base, r, e.Header)

	e.Sent = time.Now()
	response, err := c.transport(r.Method).RoundTrip(request)
	if err == nil {
		e.Status, e.ResponseHeader = response.StatusCode, response.Header
		e.ResponseBody, e.Truncated, err = readBody(response, c.profile.MaxBody)
		if e.Status == 0 && err == nil {
			err = errors.New("the answer's status is 000")
		}
	}
	e.Took = time.Since(e.Sent)
	switch {
	case err == nil:
	case ctx.Err() == nil && timed.Err() == nil && fate.undecided(r.Method):
		c.distrust.Store(true)
		e.Err = undecided
	default:
		e.Err = reason(err, waited{caller: ctx, deadline: deadline, answered: e.Status != 0, received: len(e.ResponseBody)})
	}
	return e
}

func (c *Client) transport(method string) *http.Transport {
	if c.distrust.Load() && !repeatable(method) {
		return c.fresh
	}
	return c.kept
}

// header is what is sent: the request's own, and the run's User-Agent unless the
// request has one.
func (c *Client) header(r Request) http.Header {
	header := r.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if _, given := header["User-Agent"]; !given {
		agent := "pixcert/" + c.identity.Version + " run=" + c.identity.RunID
		if r.Rule != "" {
			agent += " rule=" + r.Rule
		}
		header["User-Agent"] = []string{agent}
	}
	return header
}

// newRequest makes the request without letting net/url spell its path anew.
func newRequest(ctx context.Context, base *url.URL, r Request, header http.Header) *http.Request {
	target := url.URL{Scheme: base.Scheme, Host: base.Host, Opaque: base.EscapedPath() + r.Path}
	if !strings.HasPrefix(target.Opaque, "/") {
		target.Opaque = "/" + target.Opaque
	}
	request := (&http.Request{
		Method: r.Method, URL: &target, Header: header, Host: header.Get("Host"),
		ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	if len(r.Body) > 0 {
		request.ContentLength = int64(len(r.Body))
		request.GetBody = func() (io.ReadCloser, error) { return newBody(r.Body), nil }
		request.Body = newBody(r.Body)
	}
	return request
}

func newBody(b []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(b)) }

// readBody reads at most limit bytes and closes the body, which also drops the
// connection when there are more.
func readBody(response *http.Response, limit int64) (body []byte, truncated bool, err error) {
	defer response.Body.Close()
	if response.StatusCode == http.StatusSwitchingProtocols {
		return nil, false, nil // its body is the connection, which no deadline ends
	}
	if length := response.ContentLength; length > 0 && length <= limit && response.Body != http.NoBody {
		body = make([]byte, length) // spares the growing
		n, err := io.ReadFull(response.Body, body)
		return body[:n], false, err
	}
	body, err = io.ReadAll(io.LimitReader(response.Body, limit+1))
	if int64(len(body)) > limit {
		return body[:limit], true, nil
	}
	return body, false, err
}
