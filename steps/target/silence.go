package target

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/wording"
)

// A target that has died, or takes every request and never answers, would cost a run
// the deadline of each of its thousands of requests. So the client counts the exchanges
// in a row that got no whole answer, of the API and of the controls apart. Now and then
// it asks what every gateway answers, and holds other requests back meanwhile. It gives a
// party up when that gets no answer either for as long as a deadline, or when the row is
// so long that what does answer cannot be the gateway. A slow operation, a pause or a
// restart therefore ends no run.
const (
	doubtful = 8   // exchanges in a row without a whole answer after which the party is asked
	hopeless = 128 // and after which it is given up whatever it answers to that

	askEvery = 100 * time.Millisecond
)

// hearing is what is heard of one party.
type hearing struct {
	asking sync.RWMutex // held while the party is asked, read while requests begin

	mu       sync.Mutex
	last     time.Time // when the last whole answer came
	answers  int       // whole answers so far
	inARow   int       // exchanges since without one
	givenUp  bool
	patience time.Duration // that the party is asked for
}

// Unsent says that e was not sent, since the party had been given up by then: no reason
// to fail the target.
func Unsent(e exchange.Exchange) bool { return e.Err != "" && e.Sent.IsZero() }

// Silence is a party of the target that has stopped responding.
type Silence struct {
	Party    exchange.Party
	Since    time.Time // its last complete response
	Requests int       // that it had responded to
}

func (s *Silence) String() string {
	who := "the target"
	if s.Party == exchange.Control {
		who = "the interface of its test controls"
	}
	if s.Requests == 0 {
		return who + " has given no complete response"
	}
	return fmt.Sprintf("%s stopped responding at %s, after %s", who, s.Since.UTC().Format("15:04:05 UTC"), wording.Count(s.Requests, "request"))
}

// GivenUp describes the silence of a party that the client has given up; nil before.
func (c *Client) GivenUp(party exchange.Party) *Silence {
	h := c.heardOf(party)
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.givenUp {
		return nil
	}
	return &Silence{Party: party, Since: h.last, Requests: h.answers}
}

func (c *Client) heardOf(party exchange.Party) *hearing {
	if party == exchange.Control {
		return &c.controlHeard
	}
	return &c.apiHeard
}

// await waits while the party is being asked.
func (h *hearing) await() {
	h.asking.RLock()
	h.asking.RUnlock() //lint:ignore SA2001 there is nothing to do but to wait
}

// heard counts an exchange, and asks the party where it is in doubt.
func (c *Client) heard(ctx context.Context, e exchange.Exchange) {
	h := c.heardOf(e.Party)
	if ctx.Err() != nil || Unsent(e) || !h.count(e) {
		return
	}
	h.asking.Lock()
	defer h.asking.Unlock()
	h.mu.Lock()
	row, known := h.inARow, h.givenUp
	h.mu.Unlock()
	if known || row < doubtful {
		return
	}
	if (row >= hopeless || !c.answers(ctx, e.Party, h)) && ctx.Err() == nil {
		h.mu.Lock()
		h.givenUp = true
		h.mu.Unlock()
	}
}

// isHeard: who refuses a client certificate in the handshake is there.
func isHeard(e exchange.Exchange) bool { return e.Err == "" || strings.HasPrefix(e.Err, tlsFailed) }

// count says whether the party is in doubt now.
func (h *hearing) count(e exchange.Exchange) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if isHeard(e) {
		h.inARow, h.last = 0, time.Now()
		h.answers++
		return false
	}
	h.inARow++
	return h.inARow%doubtful == 0 && !h.givenUp
}

// answers asks until an answer comes, to that or to a request that was under way, or
// until patience ends; at least once, whatever the pace that the profile allows.
func (c *Client) answers(ctx context.Context, party exchange.Party, h *hearing) bool {
	for until := time.Now().Add(h.patience); ; {
		for _, r := range c.questions(party) {
			if e := c.send(ctx, r); isHeard(e) {
				return true
			}
		}
		h.mu.Lock()
		row := h.inARow
		h.mu.Unlock()
		if row < doubtful {
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

// questions are what a party that is there answers, whatever else it does.
func (c *Client) questions(party exchange.Party) []Request {
	if party == exchange.Control {
		header := http.Header{}
		if token := c.profile.Control.Token; token != "" {
			header.Set("Authorization", "Bearer "+token)
		}
		return []Request{{Party: party, Operation: "discovery", Rule: "probe", Method: http.MethodGet, Path: "/controls", Header: header}}
	}
	return probes(c.profile)
}
