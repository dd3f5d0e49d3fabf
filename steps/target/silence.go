package target

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/wording"
)

// A request without a response says nothing about the operation: the whole target may be down, restarting or frozen.
// So the client sends a request that every gateway answers (a question) whenever a request got no response, or when
// nothing at all has responded for a beat while one is waiting. It does so for API and controls separately.
// Without an answer it is an outage: the client holds other requests back until the party responds again, and gives
// the party up if that takes longer than its patience. An operation that is silent while the questions are answered
// is a matter of its own: see operations.go.
const (
	beat       = time.Second            // without any response, after which the party is asked
	stalled    = time.Second            // without an answer to a question, after which it is an outage
	askEvery   = 250 * time.Millisecond // during an outage
	mostOutage = 4                      // times the deadline of a response: the patience with a party
	mostListed = 100                    // outages that are kept
)

// Outage is a time in which a party of the target did not respond at all.
type Outage struct {
	Party    exchange.Party
	From, To time.Time // the last response before it and the first one after it; To is zero while it lasts
}

func (o Outage) overlaps(from, to time.Time) bool {
	return o.From.Before(to) && (o.To.IsZero() || o.To.After(from))
}

// liveness tracks the responses of one party.
type liveness struct {
	party    exchange.Party
	patience time.Duration

	mu      sync.Mutex
	last    time.Time     // latest response
	answers int           // responses so far
	doubt   time.Time     // of the first question since the latest response; zero for none
	proxy   int           // status of the latest response that may be a proxy's; 0 for none since the latest response
	asking  chan struct{} // closed when the question is decided; nil while nobody asks
	paused  chan struct{} // closed when the outage ends; nil without one
	outages []Outage
	givenUp bool

	operations map[string]*operation
}

// Silence is a party of the target that stopped responding.
type Silence struct {
	Party    exchange.Party
	Since    time.Time // its latest response
	Requests int       // that it responded to
	Proxy    int       // status of what a proxy responds in its place; 0 for nothing
}

func (s *Silence) String() string {
	who := nameOf(s.Party)
	switch {
	case s.Requests == 0 && s.Proxy != 0:
		return fmt.Sprintf("%s returned %d to every request, as a proxy does whose gateway is down", who, s.Proxy)
	case s.Requests == 0:
		return who + " never sent a complete response"
	}
	text := fmt.Sprintf("%s stopped responding at %s, after %s", who, s.Since.UTC().Format("15:04:05 UTC"), wording.Count(s.Requests, "request"))
	if s.Proxy != 0 {
		text += fmt.Sprintf("; requests then got %d, as from a proxy whose gateway is down", s.Proxy)
	}
	return text
}

func nameOf(party exchange.Party) string {
	if party == exchange.Control {
		return "the target's test controls"
	}
	return "the target"
}

// GivenUp describes the silence of a party that was given up; nil before that.
func (c *Client) GivenUp(party exchange.Party) *Silence {
	h := c.livenessOf(party)
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.givenUp {
		return nil
	}
	return &Silence{Party: party, Since: h.last, Requests: h.answers, Proxy: h.proxy}
}

// Outages returns the outages of API and controls so far, including one that lasts.
func (c *Client) Outages() (all []Outage) {
	for _, h := range []*liveness{&c.apiLiveness, &c.controlLiveness} {
		h.mu.Lock()
		all = append(all, h.outages...)
		h.mu.Unlock()
	}
	return all
}

// WasOut reports whether the API or the controls had an outage at any time between from and to.
func (c *Client) WasOut(from, to time.Time) bool {
	for _, o := range c.Outages() {
		if o.overlaps(from, to) {
			return true
		}
	}
	return false
}

// Answered returns how many requests the API and the controls have responded to so far.
func (c *Client) Answered() (n int) {
	for _, h := range []*liveness{&c.apiLiveness, &c.controlLiveness} {
		h.mu.Lock()
		n += h.answers
		h.mu.Unlock()
	}
	return n
}

// AwaitResponses waits until no outage lasts, or until ctx ends.
func (c *Client) AwaitResponses(ctx context.Context) error {
	for _, h := range []*liveness{&c.apiLiveness, &c.controlLiveness} {
		if err := h.await(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) livenessOf(party exchange.Party) *liveness {
	if party == exchange.Control {
		return &c.controlLiveness
	}
	return &c.apiLiveness
}

func (h *liveness) await(ctx context.Context) error {
	for {
		h.mu.Lock()
		paused := h.paused
		h.mu.Unlock()
		if paused == nil {
			return nil
		}
		select {
		case <-paused:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// heed draws the conclusions from an exchange.
func (c *Client) heed(ctx context.Context, r Request, e exchange.Exchange) {
	h := c.livenessOf(e.Party)
	switch {
	case OwnLimit(e), Unsent(e): // the target got nothing
	case !NoResponse(e):
		if e.Party == exchange.API && r.Certificate != nil && len(r.Certificate.Certificate) > 0 {
			c.shown.Store(r.Certificate)
		}
		c.responded(h)
		h.answered(r)
	case ctx.Err() != nil: // nobody waited for it
	default:
		h.noteProxy(e)
		c.askAndWait(ctx, h)
		if h.heardSince(e.Sent) && !c.WasOut(e.Sent, time.Now()) {
			h.unanswered(r, e)
		}
	}
}

func (h *liveness) noteProxy(e exchange.Exchange) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.proxy = 0
	if MayBeProxy(e) {
		h.proxy = e.Status
	}
}

// responded notes a response, which ends an outage.
func (c *Client) responded(h *liveness) {
	h.mu.Lock()
	ended := Outage{}
	if h.paused != nil && !h.givenUp {
		close(h.paused)
		last := &h.outages[len(h.outages)-1]
		last.To = time.Now()
		h.paused, ended = nil, *last
	}
	h.last, h.doubt, h.proxy = time.Now(), time.Time{}, 0
	h.answers++
	h.mu.Unlock()
	if ended.To.IsZero() {
		return
	}
	c.distrust.Store(false) // the connections that it closed are gone
	c.note(fmt.Sprintf("%s did not respond from %s to %s; the scenarios that this affected run again",
		nameOf(ended.Party), ended.From.UTC().Format("15:04:05"), ended.To.UTC().Format("15:04:05 UTC")))
}

func (h *liveness) heardSince(at time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last.After(at)
}

// pause begins an outage, unless the party has responded since.
func (h *liveness) pause(since time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last.After(since) || h.paused != nil || h.givenUp {
		return
	}
	h.paused = make(chan struct{})
	began := since
	if !h.last.IsZero() {
		began = h.last
	}
	h.outages = append(h.outages[max(0, len(h.outages)-mostListed+1):], Outage{Party: h.party, From: began})
}

// watch asks the party whenever nothing has responded for a beat, until stop is called.
func (c *Client) watch(h *liveness) (stop func()) {
	done := make(chan struct{})
	go func() {
		ticker := time.NewTicker(beat)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case now := <-ticker.C:
				if !h.heardSince(now.Add(-beat)) {
					c.ask(h)
				}
			}
		}
	}()
	return func() { close(done) }
}

// askAndWait asks the party, and waits until that is decided or ctx ends.
func (c *Client) askAndWait(ctx context.Context, h *liveness) {
	done := make(chan struct{})
	go func() {
		c.ask(h)
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// ask asks the party until it responds to anything or is given up, or the client is closed. Only one goroutine asks,
// and others wait for it.
func (c *Client) ask(h *liveness) {
	h.mu.Lock()
	if other := h.asking; other != nil || h.givenUp {
		h.mu.Unlock()
		if other != nil {
			<-other
		}
		return
	}
	decided, since := make(chan struct{}), time.Now()
	h.asking = decided
	if h.doubt.IsZero() {
		h.doubt = since
	}
	h.mu.Unlock()
	timer := time.AfterFunc(stalled, func() { h.pause(since) })
	defer func() {
		timer.Stop()
		h.mu.Lock()
		h.asking = nil
		h.mu.Unlock()
		close(decided)
	}()
	for {
		for _, r := range c.questions(h.party) {
			e := c.send(c.life, r)
			if !NoResponse(e) && !OwnLimit(e) {
				c.responded(h)
			}
			if h.heardSince(since) || c.life.Err() != nil {
				return
			}
			h.noteProxy(e)
		}
		h.pause(since)
		if h.giveUp() {
			return
		}
		select {
		case <-time.After(askEvery):
		case <-c.life.Done():
			return
		}
	}
}

// giveUp gives the party up if patience has ended.
func (h *liveness) giveUp() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.doubt.IsZero() || time.Since(h.doubt) < h.patience {
		return false
	}
	h.givenUp = true
	close(h.paused)
	h.paused = nil
	return true
}

// questions are requests that a party always answers. An edge may close a connection without a certificate: the API
// is asked with one that it has answered, too.
func (c *Client) questions(party exchange.Party) []Request {
	if party == exchange.Control {
		return []Request{c.authorized(discovery)}
	}
	plain := probes(c.profile)
	shown := c.shown.Load()
	if shown == nil {
		return plain
	}
	asked := plain[0]
	asked.Certificate = shown
	return append([]Request{asked}, plain...)
}
