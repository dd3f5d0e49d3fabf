package target

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/wording"
)

// A target that is dead, or accepts requests but never responds, would cost the deadline of each of
// a run's thousands of requests; and a load balancer whose gateway is down would be judged in its
// place. So the client counts, for API and controls separately, consecutive exchanges in which only a
// proxy may have responded, or nothing completely. After askAfter of them it sends a request that
// every gateway answers, and holds other requests back meanwhile. It gives the party up if that gets
// no better response within a deadline, or after giveUpAfter incomplete exchanges. A slow or failing
// operation, a pause or a restart does not end a run.
const (
	askAfter    = 8   // consecutive exchanges without a sign of life after which the client asks the party
	giveUpAfter = 128 // consecutive incomplete exchanges after which it gives the party up in any case

	askEvery = 100 * time.Millisecond
)

// liveness tracks the responses of one party.
type liveness struct {
	asking sync.RWMutex // locked while the party is being asked, read-locked by other requests

	mu       sync.Mutex
	last     time.Time // last sign of life
	answers  int       // exchanges with one so far
	inARow   int       // exchanges since then
	silent   int       // of them, the incomplete ones
	proxy    int       // status of the latest response that may be a proxy's
	givenUp  bool
	patience time.Duration // how long to wait for the party
}

// Unsent reports whether e was not sent because the party had been given up: no reason to fail the
// target.
func Unsent(e exchange.Exchange) bool { return e.Err != "" && e.Sent.IsZero() }

// Silence is a party of the target that stopped responding.
type Silence struct {
	Party    exchange.Party
	Since    time.Time // its last sign of life
	Requests int       // with one
	Proxy    int       // status of what a proxy responds in its place; 0 for nothing
}

func (s *Silence) String() string {
	who := "the target"
	if s.Party == exchange.Control {
		who = "the target's test controls"
	}
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

func (c *Client) livenessOf(party exchange.Party) *liveness {
	if party == exchange.Control {
		return &c.controlLiveness
	}
	return &c.apiLiveness
}

// await waits while the party is being asked.
func (h *liveness) await() {
	h.asking.RLock()
	h.asking.RUnlock() //lint:ignore SA2001 there is nothing to do but to wait
}

// countSilence counts an exchange, and asks the party if in doubt.
func (c *Client) countSilence(ctx context.Context, e exchange.Exchange) {
	h := c.livenessOf(e.Party)
	if ctx.Err() != nil || Unsent(e) || !h.count(e) {
		return
	}
	h.asking.Lock()
	defer h.asking.Unlock()
	h.mu.Lock()
	row, silent, known := h.inARow, h.silent, h.givenUp
	h.mu.Unlock()
	if known || row < askAfter {
		return
	}
	if (silent >= giveUpAfter || !c.answers(ctx, e.Party, h)) && ctx.Err() == nil {
		h.mu.Lock()
		h.givenUp = true
		h.mu.Unlock()
	}
}

// isAlive: a party that rejects a client certificate in the handshake is alive.
func isAlive(e exchange.Exchange) bool {
	return (e.Err == "" || strings.HasPrefix(e.Err, tlsFailed)) && !MayBeProxy(e)
}

// MayBeProxy reports whether e may have been answered by a proxy that does not reach its gateway.
func MayBeProxy(e exchange.Exchange) bool {
	return e.Err == "" && slices.Contains([]int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, e.Status)
}

// count returns whether the party is in doubt.
func (h *liveness) count(e exchange.Exchange) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if isAlive(e) {
		h.inARow, h.silent, h.proxy, h.last = 0, 0, 0, time.Now()
		h.answers++
		return false
	}
	h.inARow++
	if h.proxy = e.Status; !MayBeProxy(e) {
		h.silent++
		h.proxy = 0
	}
	return h.inARow%askAfter == 0 && !h.givenUp
}

// answers asks until there is a response, to this or a pending request, or patience ends; at least
// once, regardless of the pace.
func (c *Client) answers(ctx context.Context, party exchange.Party, h *liveness) bool {
	for until := time.Now().Add(h.patience); ; {
		for _, r := range c.questions(party) {
			if e := c.send(ctx, r); isAlive(e) {
				return true
			}
		}
		h.mu.Lock()
		row := h.inARow
		h.mu.Unlock()
		if row < askAfter {
			return true
		}
		if time.Now().After(until) {
			return false
		}
		select {
		case <-time.After(askEvery):
		case <-ctx.Done():
			return false
		}
	}
}

// questions are requests that a live party always answers.
func (c *Client) questions(party exchange.Party) []Request {
	if party == exchange.Control {
		return []Request{c.authorized(discovery)}
	}
	return probes(c.profile)
}
