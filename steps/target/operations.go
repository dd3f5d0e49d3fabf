package target

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// An operation that never responds would cost every scenario that requests it a whole deadline. After a few requests
// in a row without a response, while the target responds to others, the client sends no more of them until it is
// alone with the target: see Alone. Then the run finds out whether the operation is at fault. Now and then one request
// is sent nevertheless: what looked like a silent operation may have been the edge of an outage.

// mostUnanswered is how many requests of an operation in a row may get no response before the client stops sending them.
const mostUnanswered = 4

// heldFor is how long no request of such an operation is sent after the last one.
const heldFor = 2 * time.Second

type operation struct {
	row    int       // its latest requests that got no response although the target responded to others
	tried  time.Time // when one was sent last although others had got no response
	silent string    // why no more are sent; empty unless that was established
}

// held and established begin the Err of requests that were not sent because of their operation.
const (
	unsent      = "not sent: "
	held        = unsent + "for now, "
	established = unsent + "already established: "
)

// Unsent reports whether e was not sent, which is no reason to fail the target: the party had been given up, or the
// operation is silent.
func Unsent(e exchange.Exchange) bool { return strings.HasPrefix(e.Err, unsent) }

// Held reports whether e was not sent because its operation has to be tried alone first.
func Held(e exchange.Exchange) bool { return strings.HasPrefix(e.Err, held) }

// Established says that the operation of e is known to be silent, which is why it was not sent; empty otherwise.
func Established(e exchange.Exchange) string {
	why, is := strings.CutPrefix(e.Err, established)
	if !is {
		return ""
	}
	return why
}

// Alone says whether one scenario at a time runs from now on, so that operations that seemed silent are tried again.
func (c *Client) Alone(alone bool) { c.alone.Store(alone) }

// Silenced notes that the operation of e is silent, as finding says. No more of its requests are sent if it has
// answered none lately; otherwise only some of them are silent.
func (c *Client) Silenced(e exchange.Exchange, finding string) {
	h := c.livenessOf(e.Party)
	h.mu.Lock()
	defer h.mu.Unlock()
	if o := h.operation(e.Operation, e.Method); o.row >= mostUnanswered {
		o.silent = finding
	}
}

// Responding reports whether the target responded to others since e, a request without a response, was sent, and had
// no outage.
func (c *Client) Responding(e exchange.Exchange) bool {
	return c.livenessOf(e.Party).heardSince(e.Sent) && !c.WasOut(e.Sent, e.Sent.Add(e.Took))
}

// withheld returns why a request is not to be sent; empty if it is.
func (h *liveness) withheld(r Request, alone *atomic.Bool) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch o := h.operation(r.Operation, r.Method); {
	case o.silent != "":
		return established + o.silent
	case o.row < mostUnanswered || alone.Load():
	case time.Since(o.tried) >= heldFor:
		o.tried = time.Now()
	default:
		return held + fmt.Sprintf("because the last %d requests (%s) got no response while others did", o.row, r.Operation)
	}
	return ""
}

// operation returns what is known of an operation. The caller holds the lock.
func (h *liveness) operation(name, method string) *operation {
	key := method + " " + name
	if h.operations == nil {
		h.operations = map[string]*operation{}
	}
	if h.operations[key] == nil {
		h.operations[key] = &operation{}
	}
	return h.operations[key]
}

func (h *liveness) answered(r Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.operation(r.Operation, r.Method).row = 0
}

// unanswered counts a request that got no response although the target responded to others. Connections that were closed
// together count once: that is how a restart looks.
func (h *liveness) unanswered(r Request, e exchange.Exchange) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := h.operation(r.Operation, r.Method)
	if e.Took < stalled && e.Sent.Before(o.tried) {
		return
	}
	o.row, o.tried = o.row+1, time.Now()
}
