package ledger

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Errors of a [Settlement]; each is wrapped with the payment's id.
var (
	ErrUnknown    = errors.New("the payment was never registered")
	ErrRefused    = errors.New("the payment was refused")
	ErrNotCreated = errors.New("the gateway does not list the payment")
	ErrEvent      = errors.New("the payment's webhook is malformed")
	ErrClosed     = errors.New("the run ended before the payment's webhook arrived")
)

// Settlement is a payment's event, or why there will be none.
type Settlement struct {
	Event
	Err error
}

// Settled returns a channel that receives the payment's settlement once, now if it is known. forget drops the channel.
func (l *Ledger) Settled(id data.ID) (settlement <-chan Settlement, forget func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := make(chan Settlement, 1) // so that telling it never blocks
	if s, known := l.settled(id); known {
		c <- s
		return c, func() {}
	}
	l.waiting[id.Sequence] = append(l.waiting[id.Sequence], c)
	return c, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		left := slices.DeleteFunc(l.waiting[id.Sequence], func(other chan Settlement) bool { return other == c })
		if l.waiting[id.Sequence] = left; len(left) == 0 {
			delete(l.waiting, id.Sequence)
		}
	}
}

// settled is what is known about a payment's event so far.
func (l *Ledger) settled(id data.ID) (s Settlement, known bool) {
	h, ok := l.take(id.Sequence)
	if !ok {
		return notSettled(id, ErrUnknown), true
	}
	defer l.put(h)
	if e := l.recent.place(id); e.ID == id && h.reported() {
		return Settlement{Event: *e}, true
	}
	switch end := h.end(); {
	case h.reported():
		return Settlement{Event: Event{ID: id, Fate: end, Amount: h.Amount, Fee: h.Fee}}, true
	case end == NotCreated, end == Vanished:
		return notSettled(id, ErrNotCreated), true
	case h.Answer == Refused:
		return notSettled(id, ErrRefused), true
	case h.Came:
		return notSettled(id, ErrEvent), true
	case l.closed:
		return notSettled(id, ErrClosed), true
	}
	return Settlement{}, false
}

// recent are the latest events, for callers that ask right after the
// response, which may arrive after the event. Each payment has a place by its sequence.
type recent [4096]Event

// keep keeps an event, unless one of the same payment is kept.
func (r *recent) keep(e Event) {
	if at := r.place(e.ID); at.ID != e.ID {
		*at = e
	}
}

func (r *recent) place(id data.ID) *Event { return &r[id.Sequence%uint64(len(r))] }

// tell passes a payment's settlement to those who wait for it.
func (s *store) tell(id data.ID, of Settlement) {
	for _, c := range s.waiting[id.Sequence] {
		c <- of
	}
	delete(s.waiting, id.Sequence)
}

// Close fails all remaining waiters. cut says that the end has not waited for the webhooks that are still due.
func (l *Ledger) Close(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed, l.cut = true, cut
	for sequence := range l.waiting {
		id := l.id(sequence)
		l.tell(id, notSettled(id, ErrClosed))
	}
}

func notSettled(id data.ID, err error) Settlement {
	return Settlement{Err: fmt.Errorf("payment %s: %w", id.ExternalID(), err)}
}

// Pending is how many sent payments wait for their event, including those without a response.
func (l *Ledger) Pending() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int(l.tally.pending)
}

// Idle is closed when Pending is 0.
func (l *Ledger) Idle() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.idle == nil {
		l.idle = make(chan struct{})
	}
	idle := l.idle
	l.unlessPending()
	return idle
}

// unlessPending closes the channel that says so, if nothing is pending.
func (s *store) unlessPending() {
	if s.tally.pending == 0 && s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
}
