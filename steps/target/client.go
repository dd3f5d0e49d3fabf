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
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Client sends requests to a target exactly as given, and survives any response. It is safe for
// concurrent use.
//
// Connections are kept alive with care. A target may close an idle connection just as a request is
// sent on it, and then it is unknown whether the request was processed. So the client closes idle
// connections after a second, before any common server does (the shortest known timeout is two
// seconds). A request of which no byte was sent is retried on another connection, and so is a GET;
// any other is never sent twice but ends as Undecided, and later requests of its kind use new
// connections.
//
// Many methods: sending, and one for each question of a run about how the target responds.
type Client struct {
	identity Identity
	profile  Profile
	api      *url.URL
	control  *url.URL // nil without controls

	pace *pacer // of the API

	connections connections
	distrust    atomic.Bool // the target closed a kept-alive connection during a request
	suspicious  atomic.Bool // it sent something that was not requested
	doubtful    sync.Map    // the exchanges of such a connection, by when they were sent

	apiLiveness, controlLiveness liveness
	shown                        atomic.Pointer[tls.Certificate] // in the latest handshake with the API that led to a response
	alone                        atomic.Bool
	notes                        atomic.Pointer[func(string)]

	life  context.Context // ends when the client is closed
	close context.CancelFunc
}

// Request is a request to send.
type Request struct {
	Party     exchange.Party // API or Control: selects the base URL of Path
	Operation string         // "cash-out"; for a control its name
	Rule      string         // rule, for User-Agent
	Method    string
	Path      string      // with the query, exactly as sent
	Header    http.Header // names and values as given; Host is used, lengths are ignored
	Body      []byte      // nil for none

	// Limited says that the specification limits how many requests of the operation are accepted, so that 429 may be
	// about that.
	Limited bool

	Page bool // the response is a page of a list, and may be longer than others

	// Certificate is presented in the TLS handshake; an empty one means a handshake without a
	// certificate, nil the certificate of the profile's TLS.
	Certificate *tls.Certificate
}

func newClient(p Profile, id Identity) (*Client, error) {
	c := &Client{identity: id, profile: p, pace: newPacer(p.RequestsPerSecond)}
	c.apiLiveness.party, c.apiLiveness.patience = exchange.API, mostOutage*p.Deadlines.Answer
	c.controlLiveness.party, c.controlLiveness.patience = exchange.Control, mostOutage*p.Deadlines.Control
	c.life, c.close = context.WithCancel(context.Background())
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
		return nil, fmt.Errorf("tls.clientCertificate: handshake requires TLS, but the base URL is %q: use an https URL, or set clientCertificate: header", p.BaseURL)
	}
	c.connections.found = c.unsolicited
	if c.connections.proxies, err = newProxies(p, httpproxy.FromEnvironment()); err != nil {
		return nil, err
	}
	c.connections.dialer = newDialer(Connections(), p.Deadlines.Answer/2, c.CloseIdleConnections)
	c.connections.tls, err = p.TLS.config()
	return c, err
}

// CloseIdleConnections drops the connections that no request is using.
func (c *Client) CloseIdleConnections() { c.connections.closeIdle() }

// Close ends what the client does by itself, and drops its idle connections. Nothing may be sent after that.
func (c *Client) Close() {
	c.close()
	c.CloseIdleConnections()
}

// Watch makes the client recognize outages and silent operations, for as long as a run takes, and report what its
// user should know: outages, and the rate that the target accepts.
func (c *Client) Watch(note func(string)) { c.notes.Store(&note) }

func (c *Client) isWatching() bool { return c.notes.Load() != nil }

func (c *Client) note(text string) {
	if note := c.notes.Load(); note != nil {
		(*note)(text)
	}
}

// Send sends r and returns the exchange. It never returns an error or panics, because a missing or
// broken response is a finding. It does not follow redirects. The profile limits the length of the
// body (Truncated is set if it was longer); the party's deadline and ctx limit the time. Err says
// why the response is incomplete; the part that arrived is kept. API requests wait for their turn before the
// deadline starts, and are sent again if the target returns 429 because of the rate of all requests. During an
// outage, Send waits for its end. Nothing is sent to a party that was given up, or to an operation that is silent:
// see Unsent.
func (c *Client) Send(ctx context.Context, r Request) exchange.Exchange {
	for tries := 0; ; tries++ {
		e := c.sendOnce(ctx, r)
		if r.Party != exchange.API || !c.pace.again(r, e, tries) {
			return e
		}
	}
}

func (c *Client) sendOnce(ctx context.Context, r Request) exchange.Exchange {
	h := c.livenessOf(r.Party)
	_ = h.await(ctx) // if it fails, so will the request
	why := h.withheld(r, &c.alone)
	if silence := c.GivenUp(r.Party); silence != nil {
		why = unsent + silence.String()
	}
	if why != "" {
		return exchange.Exchange{
			Party: r.Party, Operation: r.Operation, Method: r.Method, URL: r.Path, Header: c.header(r), Body: r.Body, Err: why,
		}
	}
	if r.Party == exchange.API {
		if advice := c.pace.advice(); advice != "" {
			c.note(advice)
		}
		_ = c.pace.await(ctx) // likewise
	}
	if !c.isWatching() {
		return c.send(ctx, r)
	}
	stop := c.watch(h)
	e := c.send(ctx, r)
	stop()
	c.heed(ctx, r, e)
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
		e.Err = "the profile has no control URL"
		return e
	}
	e.URL = base.String() + r.Path
	timed, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	trace := &trace{}
	request := c.connections.proxies.absolute(newRequest(trace.watch(timed), base, r, e.Header))

	e.Sent = time.Now()
	response, err := c.transport(r).RoundTrip(request)
	if err == nil {
		e.Status, e.ResponseHeader = response.StatusCode, response.Header
		limit, overhead := c.profile.maxBody, mostOverhead
		if r.Page {
			limit, overhead = limit*longerPage, overhead*4*longerPage // single bytes are permitted
		}
		if e.ResponseBody, e.Truncated, err = readBody(response, limit, &chunks{Reader: response.Body, on: trace.conn.Load(), most: overhead}); err == nil {
			err = decode(&e, limit)
		}
		if e.Status == 0 && err == nil {
			err = errors.New("the response's status is 000")
		}
	}
	e.Took = time.Since(e.Sent)
	received := len(e.ResponseBody)
	if response != nil {
		trace.ends(e, response, err)
	}
	e = e.Arrived()
	switch {
	case err == nil:
	case ctx.Err() == nil && timed.Err() == nil && trace.undecided(r.Method):
		c.distrust.Store(true)
		e.Err = undecided
	default:
		e.Err = reason(err, waited{caller: ctx, deadline: deadline, answered: e.Status != 0, received: received})
	}
	return e
}

// longerPage is how much longer than other responses a page may be: a thousand items of 4 KiB.
const longerPage = 4

func (c *Client) transport(r Request) *http.Transport {
	of := c.connections.under(r.Certificate)
	if c.suspicious.Load() || c.distrust.Load() && !repeatable(r.Method) {
		return of.fresh
	}
	return of.kept
}

// header returns the headers to send: those of the request and the profile, and the run's
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

// addExtra adds the headers of the profile that header does not have, ignoring case.
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

// newRequest creates the request without letting net/url re-encode its path.
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

// readBody reads at most limit bytes and closes the body, which drops the connection if there are
// more.
func readBody(response *http.Response, limit int64, chunks *chunks) (body []byte, truncated bool, err error) {
	defer response.Body.Close()
	if response.StatusCode == http.StatusSwitchingProtocols {
		return nil, false, nil // its body is the connection, which has no deadline
	}
	if length := response.ContentLength; length > 0 && length <= limit && response.Body != http.NoBody {
		body = make([]byte, length) // avoids growing
		n, err := io.ReadFull(response.Body, body)
		return body[:n], false, err
	}
	body, err = io.ReadAll(io.LimitReader(chunks, limit+1))
	if int64(len(body)) > limit {
		return body[:limit], true, nil
	}
	return body, false, err
}

// mostOverhead is how many bytes a response may have in addition to 1.5 for each byte of its body.
const mostOverhead = 256 << 10

// chunks are those of a body. A million of a byte each cost much more time than a megabyte.
type chunks struct {
	io.Reader
	on   *conn // nil if unknown; over TLS, its bytes are not those of the chunks, and nothing is limited
	most int   // overhead
	read int
}

func (c *chunks) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	if c.read += n; err == nil && c.on != nil && c.on.bodyReceived() > c.most+c.read+c.read/2 {
		err = fmt.Errorf("its chunks have more than %d bytes of overhead; send larger chunks", c.most+c.read/2)
	}
	return n, err
}
