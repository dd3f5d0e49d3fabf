package sink

import (
	"bytes"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Event is one delivery as it arrived.
type Event struct {
	Path      string
	Query     string // raw, without its question mark
	Method    string
	Header    http.Header
	Body      []byte
	Truncated bool // the body was longer than 256 KiB
	LeftOut   int  // bytes of the body that are not kept: see exchange.Exchange.Arrived
	At        time.Time
	Status    int // that it was answered with
}

// Mailbox keeps what arrives at one path. It is safe for concurrent use.
type Mailbox struct {
	sink    *Sink
	path    string
	arrived chan<- struct{} // notified of each delivery; nil for none
	before  *Mailbox        // that had the path; nil for none

	mu     sync.Mutex
	events []Event
	size   int      // bytes of their headers and bodies
	answer Response // to later deliveries
	closed bool
	wanted [][]byte // texts, one of which an event holds that is kept whatever else arrives
	kept   int      // bytes of those that were kept so
}

// What a mailbox keeps of a flood: the first deliveries, and then those that are wanted.
const (
	maxEvents = 2000
	maxSize   = 2 << 20
	maxWanted = 512 << 10 // bytes of wanted ones beyond that
	longest   = 16 << 10  // a body that is looked at then
)

// Want has events kept that hold one of some texts, also in a flood of others.
func (m *Mailbox) Want(texts ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, text := range texts {
		if !slices.ContainsFunc(m.wanted, func(w []byte) bool { return string(w) == text }) {
			m.wanted = append(m.wanted, []byte(text))
		}
	}
}

func (m *Mailbox) wants(body []byte) bool {
	return slices.ContainsFunc(m.wanted, func(text []byte) bool { return bytes.Contains(body, text) })
}

// URL is where the mailbox receives.
func (m *Mailbox) URL() string { return m.sink.base + m.path }

// Path is where it is in the sink: "/run/17".
func (m *Mailbox) Path() string { return m.path }

// Answer sets the status that later deliveries are answered with; it begins as 200.
func (m *Mailbox) Answer(status int) { m.Respond(Response{Status: status}) }

// Respond sets how later deliveries are answered.
func (m *Mailbox) Respond(r Response) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer = r
}

// Since are the deliveries after the first n, in the order of their arrival. They can still be
// read when the mailbox is closed.
func (m *Mailbox) Since(n int) []Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.events[n:len(m.events):len(m.events)]
}

// size is about how many bytes an event takes, its values too when they are read.
func (e Event) size() int {
	const line, value = 64, 40 // besides its text
	size := len(e.Path) + len(e.Query) + len(e.Body)
	if e.LeftOut == 0 {
		size += value * (bytes.Count(e.Body, []byte(",")) + bytes.Count(e.Body, []byte("[")))
	}
	for name, values := range e.Header {
		for _, value := range values {
			size += line + len(name) + len(value)
		}
	}
	return size
}

// full tells what to answer a delivery whose body need not be read, if that is so.
func (m *Mailbox) full(length int64) (status int, is bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	const small = 4 << 10
	readable := len(m.wanted) > 0 && m.kept < maxWanted && length >= 0 && length <= longest
	return m.answer.Status, !m.closed && !readable && (len(m.events) >= maxEvents || m.size+small > maxSize)
}

// deliver keeps an event, notifies who waits for it, and returns what to answer.
func (m *Mailbox) deliver(e Event) Response {
	m.mu.Lock()
	defer m.mu.Unlock()
	size := e.size()
	switch {
	case m.closed:
		return Response{Status: http.StatusNotFound}
	case len(m.events) < maxEvents && m.size+size <= maxSize:
	case m.wants(e.Body) && m.kept+size <= maxWanted:
		m.kept += size
	default:
		return m.answer
	}
	e.Status = m.answer.Status
	m.events = append(m.events, e)
	m.size += size
	select {
	case m.arrived <- struct{}{}:
	default: // it is notified already, or nobody wants to be
	}
	return m.answer
}

// deliverWanted keeps an event that another mailbox of the path gets, too, if it is wanted here.
func (m *Mailbox) deliverWanted(e Event) {
	m.mu.Lock()
	wants := !m.closed && m.wants(e.Body)
	m.mu.Unlock()
	if wants {
		m.deliver(e)
	}
}

func (m *Mailbox) isClosed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed
}

// Close ends the mailbox: later deliveries find none. Closing twice does nothing more.
func (m *Mailbox) Close() {
	m.sink.remove(m)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
}
