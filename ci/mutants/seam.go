package mutants

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// seam is a place where the gateway meets the world.
type seam int

const (
	front seam = iota // of the API
	ahead             // of that: the edge that ends TLS
	controls
	webhooks

	seams // how many there are
)

// fault is what goes wrong, in parts that each belong to one seam.
type fault struct {
	parts     []part
	triggers  []string // in the store: what follows CREATE TRIGGER name
	frequency Frequency
	uncounted bool      // it acts outside the seams, where nothing counts it
	latent    bool      // it shows only in what happens later, if anything does
	stack     []uintptr // of the row that declares it: see Position
}

// part is what goes wrong at one seam. begin returns its change, with memory that starts
// empty.
type part struct {
	seam  seam
	begin func() change
}

// change stands before a server: it may alter a call before it passes it on, pass it on
// more than once or never, and alter the answer.
type change func(c *call, pass server) *answer

// server answers calls: the API, the controls, or the receiver of a webhook.
type server func(*call) *answer

// message is what calls and answers have in common. Messages are never changed, only
// copied (edited).
type message struct {
	method string        // of a call, as are path and query
	path   string        // decoded
	query  string        // as it was sent
	late   time.Duration // how long it is held back
	pieces bool          // its body is sent in chunks
	status int           // of an answer
	header http.Header
	body   []byte
}

// call is a request. Many methods: each is one question of a fault about the request, or about what came before it.
type call struct {
	message
	endpoint *endpoint // nil for a path that no fault knows
	client   string    // who calls, "" where that is unknown
	journal  *journal
	number   int // in the journal
	original *http.Request
	server   server // behind the seam
}

// answer is a response, or why there is none.
type answer struct {
	message
	err error
}

// at composes the changes at one seam; nil if there are none.
func (f fault) at(s seam) change {
	var composed change
	for _, p := range f.parts {
		if p.seam != s {
			continue
		}
		inner := p.begin()
		if outer := composed; outer != nil {
			composed = func(c *call, pass server) *answer {
				return outer(c, func(c *call) *answer { return inner(c, pass) })
			}
		} else {
			composed = inner
		}
	}
	return composed
}

// begin returns the mutant's change at one seam with empty memory; nil if there is none.
func (m Mutant) begin(s seam) change {
	ch := m.fault.at(s)
	if ch == nil || m.Frequency == Always && m.shown == nil {
		return ch
	}
	return ch.at(m)
}

// serve runs a call through the change and records it in the journal.
func (ch change) serve(c *call, next server) *answer {
	c.server = next
	c.journal.begin(c)
	a := ch(c, next)
	c.journal.end(c, a)
	return a
}

// maxBody bounds the bodies that faults read. Longer ones pass untouched.
const maxBody = 1 << 20

// handler puts the change around a handler; next itself if there is no change.
func (ch change) handler(s seam, next http.Handler) http.Handler {
	if ch == nil {
		return next
	}
	j := newJournal()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
		if err != nil || len(body) > maxBody {
			r.Body = struct {
				io.Reader
				io.Closer
			}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
			next.ServeHTTP(w, r)
			return
		}
		a := ch.serve(newCall(s, r, body, j), func(c *call) *answer {
			c.wait(r.Context())
			recorded := &recorder{answer: answer{message: message{header: http.Header{}}}}
			next.ServeHTTP(recorded, c.request())
			return &recorded.answer
		})
		a.wait(r.Context())
		a.write(w)
	})
}

// transport puts the change around a round-tripper; next itself if there is no change.
func (ch change) transport(next http.RoundTripper) http.RoundTripper {
	if ch == nil {
		return next
	}
	return &transport{next: next, change: ch, journal: newJournal()}
}

type transport struct {
	next    http.RoundTripper
	change  change
	journal *journal
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := readAll(r.Body)
	if err != nil {
		return nil, err
	}
	a := t.change.serve(newCall(webhooks, r, body, t.journal), func(c *call) *answer {
		c.wait(r.Context())
		response, err := t.next.RoundTrip(c.request())
		if err != nil {
			return &answer{err: err}
		}
		body, err := readAll(response.Body)
		return &answer{message: message{status: response.StatusCode, header: response.Header, body: body}, err: err}
	})
	if a.err != nil {
		return nil, a.err
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", a.status, http.StatusText(a.status)), StatusCode: a.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.header, Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: r,
	}, nil
}

func readAll(body io.ReadCloser) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, maxBody))
}

func newCall(s seam, r *http.Request, body []byte, j *journal) *call {
	c := &call{
		message: message{method: r.Method, path: r.URL.Path, query: r.URL.RawQuery, header: r.Header, body: body},
		journal: j, original: r,
	}
	c.endpoint = endpointOf(s, c.method, c.path)
	return c
}

// request is the call as the server behind the seam takes it.
func (c *call) request() *http.Request {
	r := c.original.Clone(c.original.Context())
	r.Method, r.Header = c.method, c.header.Clone()
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host // net/http sends no other
	}
	if c.path != r.URL.Path {
		r.URL.Path, r.URL.RawPath = c.path, ""
	}
	r.URL.RawQuery = c.query
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(c.body)), int64(len(c.body))
	if c.pieces {
		r.ContentLength = -1 // the client then sends chunks
	}
	r.GetBody = nil
	if len(c.body) == 0 {
		r.Body, r.ContentLength = http.NoBody, 0
	}
	return r
}

// wait holds a late message back, unless the client gives up first.
func (m *message) wait(client context.Context) {
	if m.late <= 0 {
		return
	}
	timer := time.NewTimer(m.late)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-client.Done():
	}
}

// look reads what stands at another path, under the call's own token.
func (c *call) look(path string) *answer {
	return c.server(c.edited(method(http.MethodGet), onto(path), body("")))
}

// again is an earlier call, to be passed on while c runs.
func (c *call) again(then *call) *call {
	copied := *then
	copied.original = c.original // whose context still lives
	return &copied
}

// recorder keeps the answer of a handler.
type recorder struct{ answer }

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	r.body = append(r.body, b...)
	return len(b), nil
}

// write sends the answer. Its length is the server's to find: a fault may have changed
// the body.
func (a *answer) write(w http.ResponseWriter) {
	for name, values := range a.header {
		if name != "Content-Length" {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(max(a.status, http.StatusOK))
	if a.pieces {
		half := len(a.body) / 2
		_, _ = w.Write(a.body[:half])             // what cannot be written has no reader any more
		_ = http.NewResponseController(w).Flush() // an HTTP/1.1 server sends what follows as a chunk
		_, _ = w.Write(a.body[half:])
		return
	}
	_, _ = w.Write(a.body)
}
