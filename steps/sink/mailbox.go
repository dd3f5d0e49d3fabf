package sink

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Event is one delivery as it arrived.
type Event struct {
	Path      string
	Query     string // raw, without its question mark
	Method    string
	Header    http.Header
	Body      []byte
	Truncated bool // the body was longer than 256 KiB, which are kept
	At        time.Time
}

// Mailbox keeps what arrives at one path. It is safe for concurrent use.
type Mailbox struct {
	sink *Sink
	path string

	mu      sync.Mutex
	events  []Event
	size    int // bytes of their headers and bodies
	dropped int // deliveries beyond what is kept
	status  int // what deliveries are answered
	closed  bool
	changed chan struct{} // closed at the next delivery, and then made anew
}

// What a mailbox keeps of a flood: the first deliveries.
const (
	maxEvents = 10_000
	maxSize   = 4 << 20
)

// ErrClosed is what Wait fails with once its mailbox is closed.
var ErrClosed = errors.New("the mailbox is closed")

func newMailbox(s *Sink, path string) *Mailbox {
	return &Mailbox{sink: s, path: path, status: http.StatusOK, changed: make(chan struct{})}
}

// URL is where the mailbox receives.
func (m *Mailbox) URL() string { return m.sink.base + m.path }

// Path is where it is in the sink: "/run/17".
func (m *Mailbox) Path() string { return m.path }

// Answer sets the status that later deliveries are answered with; it begins as
// 200.
func (m *Mailbox) Answer(status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.status = status
}

// Events are the deliveries so far, in the order of their arrival.
func (m *Mailbox) Events() []Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.events)
}

// Dropped is how many deliveries a flood brought beyond what is kept.
func (m *Mailbox) Dropped() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.dropped
}

// Wait returns the first event, past or to come, that matches. It asks match once
// for each event, in the order of their arrival. When ctx ends first, the error
// wraps its cause and says what did arrive; ErrClosed when the mailbox is closed.
func (m *Mailbox) Wait(ctx context.Context, match func(Event) bool) (Event, error) {
	for asked := 0; ; {
		events, closed, changed := m.since(asked)
		for _, e := range events {
			if match(e) {
				return e, nil
			}
		}
		asked += len(events)
		if closed {
			return Event{}, m.absence(ErrClosed)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Event{}, m.absence(context.Cause(ctx))
		}
	}
}

// since is what arrived after the first n, and what tells of the next change.
func (m *Mailbox) since(n int) (events []Event, closed bool, changed <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.events[n:len(m.events):len(m.events)], m.closed, m.changed
}

// absence says what arrived instead of the event that was waited for.
func (m *Mailbox) absence(cause error) error {
	const shown = 3
	events := m.Events()
	if len(events) == 0 {
		return fmt.Errorf("no event arrived at %s: %w", m.path, cause)
	}
	var came []string
	for _, e := range events[max(0, len(events)-shown):] {
		came = append(came, e.summary())
	}
	return fmt.Errorf("none of the %d events at %s is the expected one, the last being %s: %w",
		len(events), m.path, strings.Join(came, "; "), cause)
}

func (e Event) summary() string {
	const shown = 200
	body := e.Body
	if len(body) > shown {
		body = append(slices.Clone(body[:shown]), "…"...)
	}
	return e.Method + " " + exchange.Line(string(body))
}

// size is about how many bytes an event takes.
func (e Event) size() int {
	const line = 64 // beside its text
	size := len(e.Body) + len(e.Query)
	for name, values := range e.Header {
		for _, value := range values {
			size += line + len(name) + len(value)
		}
	}
	return size
}

// deliver keeps an event, wakes who waits for it, and returns what to answer.
func (m *Mailbox) deliver(e Event) (status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		m.sink.strays.Add(1)
		return http.StatusNotFound
	}
	size := e.size()
	if len(m.events) >= maxEvents || m.size+size > maxSize {
		m.dropped++
		return m.status
	}
	m.events = append(m.events, e)
	m.size += size
	m.wake()
	return m.status
}

func (m *Mailbox) wake() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// Close ends every Wait; later deliveries to the path are strays. What arrived can
// still be read. Closing twice does nothing more.
func (m *Mailbox) Close() {
	m.sink.remove(m)
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.closed = true
		m.wake()
	}
}
