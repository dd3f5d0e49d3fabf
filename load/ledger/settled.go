package ledger

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pixcert/pixcert/load/data"
)

// What OnSettled may fail with; each is wrapped with the payment's id.
var (
	ErrUnknown = errors.New("the payment was never registered")
	ErrRefused = errors.New("the payment was refused")
	ErrAbsent  = errors.New("the gateway does not list the payment")
	ErrEvent   = errors.New("the payment's webhook is malformed")
	ErrClosed  = errors.New("the run ended before the payment's webhook came")
)

// waiter is somebody who waits for a payment's event.
type waiter struct {
	done func(Event, error)
}

// OnSettled has f called, once, with the payment's event, or with why none can come: at
// once, before OnSettled returns, if that is known. f runs without any lock held, in
// whatever goroutine brings the news. cancel has f forgotten; it is false when f was or
// is being called.
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

// settled is what is known of a payment's event by now.
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

// recent are the latest events of a shard's payments that nobody watches, for whoever asks
// right after the answer, which the event may have overtaken.
type recent struct {
	events [256]Event
	next   int
}

func (r *recent) keep(e Event) {
	r.events[r.next%len(r.events)] = e
	r.next++
}

// find is the first event of a payment, if it is among them.
func (r *recent) find(id data.ID) *Event {
	for i := range r.events {
		if e := &r.events[(r.next+i)%len(r.events)]; e.ID == id && e.ID.Run != 0 {
			return e
		}
	}
	return nil
}

// release takes whoever waits for a payment.
func (s *shard) release(sequence uint64) []*waiter {
	waiters := s.waiting[sequence]
	if waiters != nil {
		delete(s.waiting, sequence)
	}
	return waiters
}

// Close fails whoever still waits for an event.
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

func fail(waiters []*waiter, id data.ID, err error) {
	for _, w := range waiters {
		w.done(Event{}, notSettled(id, err))
	}
}

func failMalformed(waiters []*waiter, id data.ID, reason string) {
	for _, w := range waiters {
		w.done(Event{}, fmt.Errorf("payment %s: %w: %s", id.ExternalID(), ErrEvent, reason))
	}
}

func notSettled(id data.ID, err error) error {
	return fmt.Errorf("payment %s: %w", id.ExternalID(), err)
}

// Pending is how many payments were sent and still wait for their event: neither refused
// nor found absent. Those without an answer are among them.
func (l *Ledger) Pending() int { return int(l.idle.pending.Load()) }

// Idle is closed once Pending is 0.
func (l *Ledger) Idle() <-chan struct{} { return l.idle.channel() }

// idle tells when nothing is pending.
type idle struct {
	pending atomic.Int64
	mu      sync.Mutex
	none    chan struct{} // closed when nothing is; nil: nobody asked
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
