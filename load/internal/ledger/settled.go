package ledger

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Errors of OnSettled; each is wrapped with the payment's id.
var (
	ErrUnknown    = errors.New("the payment was never registered")
	ErrRefused    = errors.New("the payment was refused")
	ErrNotCreated = errors.New("the gateway does not list the payment")
	ErrEvent      = errors.New("the payment's webhook is malformed")
	ErrClosed     = errors.New("the run ended before the payment's webhook arrived")
)

// waiter waits for a payment's event.
type waiter struct {
	done func(Event, error)
}

// OnSettled calls f once with the payment's event, or with the reason why there will be none.
// If that is known, it does so before it returns. f runs without any lock held, in the
// goroutine that delivers the event. cancel removes f; it returns false if f was or is being
// called.
func (l *Ledger) OnSettled(id data.ID, f func(Event, error)) (cancel func() bool) {
	l.mu.Lock()
	event, err, known := l.settled(id)
	if known {
		l.mu.Unlock()
		f(event, err)
		return func() bool { return false }
	}
	w := &waiter{f}
	l.waiting[id.Sequence] = append(l.waiting[id.Sequence], w)
	l.mu.Unlock()
	return func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		at := slices.Index(l.waiting[id.Sequence], w)
		if at < 0 {
			return false
		}
		if l.waiting[id.Sequence] = slices.Delete(l.waiting[id.Sequence], at, at+1); len(l.waiting[id.Sequence]) == 0 {
			delete(l.waiting, id.Sequence)
		}
		return true
	}
}

// settled is what is known about a payment's event so far.
func (l *Ledger) settled(id data.ID) (event Event, err error, known bool) {
	h, ok := l.take(id.Sequence)
	if !ok {
		return Event{}, notSettled(id, ErrUnknown), true
	}
	defer l.put(h)
	if e := l.recent.place(id); e.ID == id && h.Confirmed|h.Failed != 0 {
		return *e, nil, true
	}
	switch end := h.end(); {
	case h.Confirmed|h.Failed != 0:
		return Event{ID: id, Fate: end, Amount: h.Amount, Fee: h.Fee}, nil, true
	case end == NotCreated, end == Vanished:
		return Event{}, notSettled(id, ErrNotCreated), true
	case h.Answer == Refused:
		return Event{}, notSettled(id, ErrRefused), true
	case h.Came != 0:
		return Event{}, notSettled(id, ErrEvent), true
	case l.closed:
		return Event{}, notSettled(id, ErrClosed), true
	}
	return Event{}, nil, false
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

// news are what the waiters for a payment are told, without the lock.
type news struct {
	waiters []*waiter
	event   Event
	err     error
}

func (n news) tell() {
	for _, w := range n.waiters {
		w.done(n.event, n.err)
	}
}

// release removes the waiters for a payment, for whom its event is.
func (s *store) release(sequence uint64, e Event) news {
	waiters := s.waiting[sequence]
	if waiters != nil {
		delete(s.waiting, sequence)
	}
	return news{waiters: waiters, event: e}
}

// fail removes the waiters for a payment, for whom there is no event.
func (s *store) fail(id data.ID, err error) news {
	told := s.release(id.Sequence, Event{})
	if told.waiters != nil {
		told.err = notSettled(id, err)
	}
	return told
}

// Close fails all remaining waiters.
func (l *Ledger) Close() {
	l.mu.Lock()
	l.closed = true
	var all []news
	for sequence := range l.waiting {
		all = append(all, l.fail(data.ID{Run: l.cfg.Run, Instance: l.cfg.Instance, Sequence: sequence}, ErrClosed))
	}
	l.mu.Unlock()
	for _, told := range all {
		told.tell()
	}
}

// Cut records that the end does not wait for the webhooks that are still due.
func (l *Ledger) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = true
}

func notSettled(id data.ID, err error) error {
	return fmt.Errorf("payment %s: %w", id.ExternalID(), err)
}

// Pending is how many sent payments still wait for their event: neither refused nor not created.
// It includes those without a response.
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
