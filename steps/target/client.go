package target

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

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

	pace *rate.Limiter // of the API; nil for none

	connections connections
	distrust    atomic.Bool // the target closed a kept connection under a request

	apiHeard, controlHeard hearing
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

	// Certificate is shown in the TLS handshake of the connection; an empty one stands for
	// a handshake without any, nil for what the profile has for everybody.
	Certificate *tls.Certificate
}

func newClient(p Profile, id Identity) (*Client, error) {
	c := &Client{identity: id, profile: p}
	c.apiHeard.patience, c.controlHeard.patience = p.Deadlines.Answer, p.Deadlines.Control
	var err error
	if c.api, err = parseBase("base URL", p.BaseURL); err != nil {
		return nil, err
	}
	if p.Control != nil && p.Control.URL != "" {
		if c.control, err = parseBase("control URL", p.Control.URL); err != nil {
			return nil, err
		}
	}
	if p.TLS.Handshake && c.api.Scheme != "https" {
		return nil, fmt.Errorf("certificates are to be shown in the TLS handshake, but %q speaks no TLS: give an https URL, or have them sent in the header", p.BaseURL)
	}
	if p.RequestsPerSecond > 0 {
		c.pace = rate.NewLimiter(rate.Limit(p.RequestsPerSecond), 1)
	}
	c.connections.tls, err = p.TLS.config()
	return c, err
}

// CloseIdleConnections drops the connections that no request is using.
func (c *Client) CloseIdleConnections() { c.connections.closeIdle() }

// Send sends r and returns what came of it: never an error and never a panic,
// because a missing or broken answer is a finding. Redirects are not followed.
// The answer's body is bounded by Profile.MaxBody (Truncated says that it was
// longer), all of it by the party's deadline and ctx; Err says why no whole
// answer came, and what did come is kept. A request of the API waits for its turn where
// the profile bounds how many there are in a second; no deadline runs meanwhile. To a
// party that was given up nothing is sent: see Unsent.
func (c *Client) Send(ctx context.Context, r Request) exchange.Exchange {
	c.heardOf(r.Party).await()
	if silence := c.GivenUp(r.Party); silence != nil {
		return exchange.Exchange{
			Party: r.Party, Operation: r.Operation, Method: r.Method, URL: r.Path, Header: c.header(r), Body: r.Body,
			Err: "not sent: " + silence.String(),
		}
	}
	e := c.send(ctx, r)
	c.heard(ctx, e)
	return e
}

func (c *Client) send(ctx context.Context, r Request) exchange.Exchange {
	e := exchange.Exchange{
		Party: r.Party, Operation: r.Operation, Method: r.Method,
		Header: c.header(r), Body: r.Body, ClientCertificate: fingerprint(r.Certificate),
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
	if err := c.await(ctx, r.Party); err != nil {
		e.Sent, e.Err = time.Now(), reason(err, waited{caller: ctx, deadline: deadline})
		return e
	}
	timed, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	fate := &fate{}
	request := newRequest(fate.watch(timed), base, r, e.Header)

	e.Sent = time.Now()
	response, err := c.transport(r).RoundTrip(request)
	if err == nil {
		e.Status, e.ResponseHeader = response.StatusCode, response.Header
		e.ResponseBody, e.Truncated, err = readBody(response, c.profile.MaxBody)
		if e.Status == 0 && err == nil {
			err = errors.New("the answer's status is 000")
		}
	}
	e.Took = time.Since(e.Sent)
	received := len(e.ResponseBody)
	e = e.Arrived()
	switch {
	case err == nil:
	case ctx.Err() == nil && timed.Err() == nil && fate.undecided(r.Method):
		c.distrust.Store(true)
		e.Err = undecided
	default:
		e.Err = reason(err, waited{caller: ctx, deadline: deadline, answered: e.Status != 0, received: received})
	}
	return e
}

// await waits until the pace allows a request of that party. Unlike the limiter's own
// waiting it does not give up beforehand where ctx would end first: who polls would ask
// again at once.
func (c *Client) await(ctx context.Context, party exchange.Party) error {
	if c.pace == nil || party != exchange.API {
		return nil
	}
	turn := c.pace.Reserve()
	timer := time.NewTimer(turn.Delay())
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		turn.Cancel()
		return ctx.Err()
	}
}

func (c *Client) transport(r Request) *http.Transport {
	of := c.connections.under(r.Certificate)
	if c.distrust.Load() && !repeatable(r.Method) {
		return of.fresh
	}
	return of.kept
}

// header is what is sent: the request's own, those of the profile, and the run's
// User-Agent unless there is one.
func (c *Client) header(r Request) http.Header {
	header := r.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if r.Party == exchange.API {
		c.addExtra(header)
	}
	if _, given := header["User-Agent"]; !given {
		header["User-Agent"] = []string{c.identity.agent(r.Rule)}
	}
	return header
}

// addExtra adds the headers of the profile whose names header does not have, in
// whatever case.
func (c *Client) addExtra(header http.Header) {
	for name, value := range c.profile.Header {
		given := false
		for own := range header {
			given = given || strings.EqualFold(own, name)
		}
		if !given {
			header[http.CanonicalHeaderKey(name)] = []string{value}
		}
	}
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
