package ledger

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Errors of OnSettled; each is wrapped with the payment's id.
var (
	ErrUnknown = errors.New("the payment was never registered")
	ErrRefused = errors.New("the payment was refused")
	ErrAbsent  = errors.New("the gateway does not list the payment")
	ErrEvent   = errors.New("the payment's webhook is malformed")
	ErrClosed  = errors.New("the run ended before the payment's webhook arrived")
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
	s := l.shard(id)
	s.mu.Lock()
	event, err, known := l.settled(s, id)
	if known {
		s.mu.Unlock()
		f(event, err)
		return func() bool { return false }
	}
	w := &waiter{f}
	s.waiting[id.Sequence] = append(s.waiting[id.Sequence], w)
	s.mu.Unlock()
	return func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		at := slices.Index(s.waiting[id.Sequence], w)
		if at < 0 {
			return false
		}
		if s.waiting[id.Sequence] = slices.Delete(s.waiting[id.Sequence], at, at+1); len(s.waiting[id.Sequence]) == 0 {
			delete(s.waiting, id.Sequence)
		}
		return true
	}
}

// settled is what is known about a payment's event so far.
func (l *Ledger) settled(s *shard, id data.ID) (event Event, err error, known bool) {
	h, ok := s.take(id.Sequence)
	if !ok {
		return Event{}, notSettled(id, ErrUnknown), true
	}
	defer s.put(h)
	if e := s.events[id.Sequence]; e != nil {
		return *e, nil, true
	}
	if e := s.recent.find(id); e != nil && h.Confirmed|h.Failed != 0 {
		return *e, nil, true
	}
	switch end := h.end(); {
	case h.Confirmed|h.Failed != 0:
		return Event{ID: id, Fate: end, Amount: h.Amount, Fee: h.Fee}, nil, true
	case end == Absent, end == Vanished:
		return Event{}, notSettled(id, ErrAbsent), true
	case h.Answer == Refused:
		return Event{}, notSettled(id, ErrRefused), true
	case h.Came != 0:
		return Event{}, notSettled(id, ErrEvent), true
	case s.closed:
		return Event{}, notSettled(id, ErrClosed), true
	}
	return Event{}, nil, false
}

// recent are the latest events of a shard's unwatched payments, for callers that ask right
// after the response, which may arrive after the event.
type recent struct {
	events [256]Event
	next   int
}

func (r *recent) keep(e Event) {
	r.events[r.next%len(r.events)] = e
	r.next++
}

// find is the first event of a payment, if it is kept.
func (r *recent) find(id data.ID) *Event {
	for i := range r.events {
		if e := &r.events[(r.next+i)%len(r.events)]; e.ID == id && e.ID.Run != 0 {
			return e
		}
	}
	return nil
}

// release removes and returns the waiters for a payment.
func (s *shard) release(sequence uint64) []*waiter {
	waiters := s.waiting[sequence]
	if waiters != nil {
		delete(s.waiting, sequence)
	}
	return waiters
}

// Close fails all remaining waiters.
func (l *Ledger) Close() {
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		waiting := s.waiting
		s.waiting, s.closed = map[uint64][]*waiter{}, true
		s.mu.Unlock()
		for sequence, waiters := range waiting {
			fail(waiters, data.ID{Run: l.cfg.Run, Instance: l.cfg.Instance, Sequence: sequence}, ErrClosed)
		}
	}
}

// Cut records that the end does not wait for the webhooks that are still due.
func (l *Ledger) Cut() { l.cut.Store(true) }

func fail(waiters []*waiter, id data.ID, err error) {
	for _, w := range waiters {
		w.done(Event{}, notSettled(id, err))
	}
}

func notSettled(id data.ID, err error) error {
	return fmt.Errorf("payment %s: %w", id.ExternalID(), err)
}

// Pending is how many sent payments still wait for their event: neither refused nor absent.
// It includes those without a response.
func (l *Ledger) Pending() int { return int(l.idle.pending.Load()) }

// Idle is closed when Pending is 0.
func (l *Ledger) Idle() <-chan struct{} { return l.idle.channel() }

// idle signals when nothing is pending.
type idle struct {
	pending atomic.Int64
	mu      sync.Mutex
	none    chan struct{} // closed when nothing is pending; nil: not requested
}

func (i *idle) change(by int64) {
	if i.pending.Add(by) != 0 {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.none != nil && i.pending.Load() == 0 {
		close(i.none)
		i.none = nil
	}
}

func (i *idle) channel() <-chan struct{} {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.none == nil {
		i.none = make(chan struct{})
	}
	none := i.none
	if i.pending.Load() == 0 {
		close(i.none)
		i.none = nil
	}
	return none
}
