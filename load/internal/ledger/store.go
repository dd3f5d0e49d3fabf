package ledger

import (
	"strings"

	"github.com/pixcert/pixcert/load/internal/data"
)

const remembered = 1 << 17 // the default of store.keep

// store keeps the payments: in full while they are open and a while longer, then in two bits each.
type store struct {
	cfg      Config
	tally    tally
	payments map[uint64]*entry // by sequence
	finished []uint64          // sequences of those that finished, the oldest first
	keep     int               // how many of these are kept in full: events of older ones are only recognized as duplicates
	old      rests             // of the payments that are not in full any more

	nameless  nameless
	recent    recent                       // events
	responded owners                       // of the ids in responses
	told      owners                       // of those in events that contradict the response
	waiting   map[uint64][]chan Settlement // by sequence
	early     map[uint64][]early           // by sequence: what came before the answer, or contradicts it
	repeated  []Payment                    // the first that were repeated
	closed    bool                         // nobody may wait any more
	idle      chan struct{}                // closed when nothing is pending; nil: not requested
}

// early is a message that the payment's answer, or that of another payment, may make another thing of.
type early struct {
	message
	receipt Receipt
}

// disputed says whether it has another transaction id than the payment's response or first event.
func (e *early) disputed() bool { return strings.HasPrefix(e.receipt.Reason, otherTransaction) }

// mostDisputed limits memory, if a gateway always reports another transaction than it responds with.
const mostDisputed = 10_000

// rest is what is left of a finished payment.
type rest uint8

const (
	none    rest = iota
	silent       // accepted, no event is expected, and the list can tell its outcome; may become told
	refused      // no event may arrive
	told         // its outcome is known, or nothing can tell it
)

// rests are two bits for each sequence.
type rests []uint8

func (r *rests) set(sequence uint64, of rest) {
	b, shift := at((*[]uint8)(r), int(sequence/4)), sequence%4*2 // #nosec G115 -- memory ends before
	*b = *b&^(3<<shift) | uint8(of)<<shift
}

func (r rests) of(sequence uint64) rest {
	if sequence/4 >= uint64(len(r)) {
		return none
	}
	return rest(r[sequence/4] >> (sequence % 4 * 2) & 3)
}

// silent is how many are silent.
func (r rests) silent() (n int64) {
	for _, four := range r {
		for ; four != 0; four >>= 2 {
			if rest(four&3) == silent {
				n++
			}
		}
	}
	return n
}

// handle is an entry taken out of the sums, to be changed and put back.
type handle struct {
	*entry
	wasOpen bool
}

// id of a payment of this instance.
func (s *store) id(sequence uint64) data.ID {
	return data.ID{Run: s.cfg.Run, Instance: s.cfg.Instance, Sequence: sequence}
}

// take takes a payment out of the sums; ok is false when it was never registered.
func (s *store) take(sequence uint64) (h handle, ok bool) { return s.recall(sequence, nil) }

// recall is take with what a message tells of a payment that is done and forgotten.
func (s *store) recall(sequence uint64, m *message) (h handle, ok bool) {
	e := s.payments[sequence]
	if e == nil {
		if e = s.reopen(sequence, s.old.of(sequence)); e == nil {
			return handle{}, false
		}
	}
	if m != nil {
		e.recall(m)
	}
	h = handle{entry: e, wasOpen: !s.cfg.done(e)}
	s.cfg.book(&s.tally, e, -1)
	return h, true
}

// put puts it back.
func (s *store) put(h handle) {
	s.cfg.book(&s.tally, h.entry, 1)
	s.unlessPending()
	open := !s.cfg.done(h.entry)
	if open {
		s.payments[h.ID.Sequence] = h.entry
		return
	}
	h.EndToEndID = ""
	if !s.cfg.silent(h.entry) {
		h.TransactionID = ""
	}
	if s.old.of(h.ID.Sequence) == silent { // an event came that nobody expected: the list must not count it again
		s.old.set(h.ID.Sequence, s.cfg.rest(h.entry))
	}
	if h.wasOpen {
		s.finish(h.ID.Sequence)
	}
}

// finish remembers a finished payment, and forgets the one that finished longest ago.
func (s *store) finish(sequence uint64) {
	s.finished = append(s.finished, sequence)
	if len(s.finished) <= s.keep {
		return
	}
	oldest := s.finished[0]
	s.finished = s.finished[1:]
	if e := s.payments[oldest]; e != nil && s.cfg.done(e) {
		s.old.set(oldest, s.cfg.rest(e))
		delete(s.payments, oldest)
		s.nameless.forget(oldest)
	}
}

func (c *Config) rest(e *entry) rest {
	switch {
	case c.silent(e):
		return silent
	case !e.reported() && e.Answer == Refused:
		return refused
	}
	return told
}

// reopen makes an entry of what is left of a finished payment; nil when there was none.
func (s *store) reopen(sequence uint64, of rest) *entry {
	e := &entry{Payment: Payment{ID: s.id(sequence), Amount: -1, Account: -1, Kind: unknownKind}, Answer: Accepted, Fee: -1}
	switch of {
	case none:
		return nil
	case told: // any further event is a duplicate, whatever it reports
		e.Came, e.Confirmed, e.Failed = true, true, true
	case refused:
		e.Answer = Refused
	case silent: // of any of the kinds that have no events
		for e.Kind = 0; !s.cfg.Unheard[e.Kind]; {
			e.Kind++
		}
	}
	return e
}

// recall fills in what is forgotten.
func (e *entry) recall(m *message) {
	if e.Account < 0 {
		e.Account = m.account
	}
	if e.Amount < 0 {
		e.Amount = m.Amount
	}
	if e.Kind == unknownKind && m.problem == "" {
		e.Kind = m.kind()
	}
}
