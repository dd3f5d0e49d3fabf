package target

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/wording"
)

// A target that is dead, or accepts requests but never responds, would cost the deadline of each of
// a run's thousands of requests. So the client counts, for API and controls separately, consecutive
// exchanges without a complete response. After askAfter of them it sends a request that every
// gateway answers, and holds other requests back meanwhile. It gives the party up if that gets no
// response within a deadline, or after giveUpAfter exchanges. A slow operation, a pause or a
// restart does not end a run.
const (
	askAfter    = 8   // consecutive exchanges without a complete response after which the client asks the party
	giveUpAfter = 128 // and after which it gives the party up in any case

	askEvery = 100 * time.Millisecond
)

// liveness tracks the responses of one party.
type liveness struct {
	asking sync.RWMutex // locked while the party is being asked, read-locked by other requests

	mu       sync.Mutex
	last     time.Time // last complete response
	answers  int       // complete responses so far
	inARow   int       // exchanges since then
	givenUp  bool
	patience time.Duration // how long to wait for the party
}

// Unsent reports whether e was not sent because the party had been given up: no reason to fail the
// target.
func Unsent(e exchange.Exchange) bool { return e.Err != "" && e.Sent.IsZero() }

// Silence is a party of the target that stopped responding.
type Silence struct {
	Party    exchange.Party
	Since    time.Time // its last complete response
	Requests int       // with a response
}

func (s *Silence) String() string {
	who := "the target"
	if s.Party == exchange.Control {
		who = "the target's test controls"
	}
	if s.Requests == 0 {
		return who + " never sent a complete response"
	}
	return fmt.Sprintf("%s stopped responding at %s, after %s", who, s.Since.UTC().Format("15:04:05 UTC"), wording.Count(s.Requests, "request"))
}

// GivenUp describes the silence of a party that was given up; nil before that.
func (c *Client) GivenUp(party exchange.Party) *Silence {
	h := c.livenessOf(party)
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.givenUp {
		return nil
	}
	return &Silence{Party: party, Since: h.last, Requests: h.answers}
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
	row, known := h.inARow, h.givenUp
	h.mu.Unlock()
	if known || row < askAfter {
		return
	}
	if (row >= giveUpAfter || !c.answers(ctx, e.Party, h)) && ctx.Err() == nil {
		h.mu.Lock()
		h.givenUp = true
		h.mu.Unlock()
	}
}

// isComplete: a party that rejects a client certificate in the handshake is alive.
func isComplete(e exchange.Exchange) bool { return e.Err == "" || strings.HasPrefix(e.Err, tlsFailed) }

// count returns whether the party is in doubt.
func (h *liveness) count(e exchange.Exchange) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if isComplete(e) {
		h.inARow, h.last = 0, time.Now()
		h.answers++
		return false
	}
	h.inARow++
	return h.inARow%askAfter == 0 && !h.givenUp
}

// answers asks until there is a response, to this or a pending request, or patience ends; at least
// once, regardless of the pace.
func (c *Client) answers(ctx context.Context, party exchange.Party, h *liveness) bool {
	for until := time.Now().Add(h.patience); ; {
		for _, r := range c.questions(party) {
			if e := c.send(ctx, r); isComplete(e) {
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
