package ledger

import (
	"slices"
	"strings"
)

// The sequence of a payment leads to its place: chunk, slot.
const (
	stripes   = 16 // every sixteenth payment is in the same chunk: the layout of result files
	chunkSize = 256
	// grace is how many chunks stay as they are behind the newest.
	grace = 4 * stripes
	// sparse is how many open payments a chunk may have to be closed, which then takes
	// less memory.
	sparse = chunkSize / 2
)

// store keeps the payments.
type store struct {
	terms  terms
	tally  tally
	chunks []*chunk // nil where no payment was registered
	open   []int    // chunks that are not closed, ascending

	forgotten int // chunks before it are not remembered

	seen         webhookIDs
	events       map[uint64]*Event    // by sequence: of payments to watch
	recent       recent               // of the others
	responded    owners               // of the ids in responses
	told         owners               // of those in events that contradict the response
	waiting      map[uint64][]*waiter // by sequence
	early        map[uint64][]early   // by sequence: what came before the answer, or contradicts it
	endToEnd     map[uint64]string    // by sequence: end-to-end ids of payments that are not done
	transactions map[uint64]string    // by sequence: transaction ids of accepted payments that are not done
	repeated     []Payment            // the first that were repeated
	closed       bool                 // nobody may wait any more
	idle         chan struct{}        // closed when nothing is pending; nil: not requested
}

// early is a message that the payment's answer, or that of another payment, may make another thing of.
type early struct {
	held
	receipt Receipt
	same    bool
}

// disputed says whether it has another transaction id than the payment's response or first event.
func (e *early) disputed() bool { return strings.HasPrefix(e.receipt.Reason, otherTransaction) }

// mostDisputed limits memory, if a gateway always reports another transaction than it responds with.
const mostDisputed = 10_000

// chunk holds 256 payments of consecutive places: each in full, until it is closed.
type chunk struct {
	full   *[chunkSize]entry
	rest   map[uint8]*entry     // of a closed chunk, what is open all the same
	codes  [chunkSize / 2]uint8 // and of what is done four bits each
	memory *[chunkSize]memo     // and a little more while it is remembered
	open   int                  // payments that are not done
}

// memo is what is remembered of a finished payment.
type memo struct {
	Amount      uint32 // centavos; 0: not known
	Transaction uint32 // marks, as the entry had them
	Webhook     uint32
	Fee         uint16 // centavos and one; 0: not known
	Late        bool
	Origin      uint8
}

// Codes of finished payments: none, refused, without an event to come, and then either
// end for each kind.
const (
	codeNone uint8 = iota
	codeRefused
	codeSilent
	codeConfirmed
	codeFailed = codeConfirmed + uint8(kinds)
)

func place(sequence uint64) (chunk, slot int) {
	stripe, local := int(sequence%stripes), sequence/stripes
	return int(local/chunkSize)*stripes + stripe, int(local % chunkSize)
}

func sequenceOf(chunk, slot int) uint64 {
	return uint64(chunk/stripes*chunkSize+slot)*stripes + uint64(chunk%stripes)
}

// handle is an entry taken out of the sums, to be changed and put back.
type handle struct {
	*entry
	sequence uint64
	chunk    *chunk
	slot     uint8
	wasOpen  bool
}

// take takes a payment out of the sums; ok is false when it was never registered.
func (s *store) take(sequence uint64) (h handle, ok bool) { return s.recall(sequence, nil, -1) }

// recall is take with what a message to an account tells of a payment that is done and
// forgotten.
func (s *store) recall(sequence uint64, m *message, account int) (h handle, ok bool) {
	index, slot := place(sequence)
	if index >= len(s.chunks) || s.chunks[index] == nil {
		return handle{}, false
	}
	c := s.chunks[index]
	e := c.find(slot, &s.terms)
	if e == nil {
		return handle{}, false
	}
	if m != nil {
		e.recall(m, account)
	}
	h = handle{entry: e, sequence: sequence, chunk: c, slot: uint8(slot), wasOpen: !s.terms.done(e)}
	s.terms.leave(&s.tally, e)
	return h, true
}

// put puts it back.
func (s *store) put(h handle) {
	s.terms.enter(&s.tally, h.entry)
	s.unlessPending()
	open := !s.terms.done(h.entry)
	if open != h.wasOpen {
		if open {
			h.chunk.open++
		} else {
			h.chunk.open--
		}
	}
	if !open {
		delete(s.endToEnd, h.sequence)
		delete(s.transactions, h.sequence)
	}
	switch {
	case h.chunk.full != nil:
	case open:
		if h.chunk.rest == nil {
			h.chunk.rest = map[uint8]*entry{}
		}
		h.chunk.rest[h.slot] = h.entry
	default:
		delete(h.chunk.rest, h.slot)
		h.chunk.shrink(int(h.slot), h.entry)
		delete(s.events, h.sequence)
	}
}

// find is the entry at a slot, made from what is left of it when it is closed.
func (c *chunk) find(slot int, t *terms) *entry {
	if c.full != nil {
		if e := &c.full[slot]; e.Registered {
			return e
		}
		return nil
	}
	if e := c.rest[uint8(slot)]; e != nil {
		return e
	}
	var m memo
	if c.memory != nil {
		m = c.memory[slot]
	}
	return reopen(c.codes[slot/2]>>(slot%2*4)&0xf, m, t)
}

// reopen makes an entry of what is left of a finished payment; nil when there was none.
func reopen(code uint8, m memo, t *terms) *entry {
	if code == codeNone || code >= codeFailed+uint8(kinds) {
		return nil
	}
	e := &entry{Registered: true, Answer: Accepted, Amount: -1, Fee: -1, Account: -1, Transaction: m.Transaction, Webhook: m.Webhook, Late: m.Late, Origin: m.Origin}
	if m.Amount != 0 {
		e.Amount = int64(m.Amount)
	}
	if m.Fee != 0 {
		e.Fee = int64(m.Fee) - 1
	}
	switch {
	case code == codeRefused:
		e.Answer, e.Kind = Refused, unknownKind
	case code == codeSilent: // of any of the kinds that tell nothing
		for t.urls[e.Kind] != 0 {
			e.Kind++
		}
	case code < codeFailed:
		e.Kind = Kind(code - codeConfirmed)
		e.Confirmed, e.Came = t.urls[e.Kind], t.urls[e.Kind]
	default:
		e.Kind = Kind(code - codeFailed)
		e.Failed, e.Came = t.urls[e.Kind], t.urls[e.Kind]
	}
	return e
}

// recall fills in what is forgotten.
func (e *entry) recall(m *message, account int) {
	if e.Account < 0 {
		e.Account = int32(account)
	}
	if e.Amount < 0 {
		e.Amount = m.Amount
	}
	if e.Kind == unknownKind && m.problem == "" {
		e.Kind = m.kind()
	}
}

// shrink leaves four bits of an entry that is done, and what is remembered.
func (c *chunk) shrink(slot int, e *entry) {
	code, m := e.code(), e.memo()
	shift := slot % 2 * 4
	c.codes[slot/2] = c.codes[slot/2]&^(0xf<<shift) | code<<shift
	if c.memory != nil {
		c.memory[slot] = m
	}
}

func (e *entry) code() uint8 {
	switch e.end() {
	case Confirmed:
		return codeConfirmed + uint8(e.Kind)
	case Failed:
		return codeFailed + uint8(e.Kind)
	}
	if e.Answer == Refused {
		return codeRefused
	}
	return codeSilent
}

func (e *entry) memo() memo {
	m := memo{Transaction: e.transaction(), Webhook: e.Webhook, Late: e.Late, Origin: e.Origin}
	if e.Amount > 0 && e.Amount < 1<<32 {
		m.Amount = uint32(e.Amount)
	}
	if e.Fee >= 0 && e.Fee < 1<<16-1 {
		m.Fee = uint16(e.Fee) + 1
	}
	return m
}

// register makes the entry of a payment; false when there is one.
func (s *store) register(sequence uint64, e entry) bool {
	index, slot := place(sequence)
	for index >= len(s.chunks) {
		s.chunks = append(s.chunks, nil)
	}
	c := s.chunks[index]
	if c == nil {
		c = &chunk{full: new([chunkSize]entry)}
		s.chunks[index] = c
		at, _ := slices.BinarySearch(s.open, index)
		s.open = slices.Insert(s.open, at, index)
		s.close()
	}
	if c.find(slot, &s.terms) != nil {
		return false
	}
	h := handle{entry: &e, sequence: sequence, chunk: c, slot: uint8(slot)}
	if c.full != nil {
		c.full[slot] = e
		h.entry = &c.full[slot]
	}
	s.put(h)
	return true
}

// close closes the chunks that are far behind the newest and have few open payments, and
// forgets what is too far back to be remembered.
func (s *store) close() {
	newest := len(s.chunks) - 1
	s.open = slices.DeleteFunc(s.open, func(index int) bool {
		c := s.chunks[index]
		if index > newest-grace || c.open > sparse {
			return false
		}
		s.closeChunk(index, c)
		return true
	})
	for ; s.forgotten < newest-remembered/chunkSize; s.forgotten++ {
		if c := s.chunks[s.forgotten]; c != nil {
			s.forget(s.forgotten, c)
		}
	}
}

func (s *store) closeChunk(index int, c *chunk) {
	full := c.full
	c.full = nil
	if index >= s.forgotten {
		c.memory = new([chunkSize]memo)
	}
	for slot := range full {
		e := &full[slot]
		switch {
		case !e.Registered:
		case s.terms.done(e):
			c.shrink(slot, e)
		default:
			if c.rest == nil {
				c.rest = make(map[uint8]*entry, c.open)
			}
			kept := *e
			c.rest[uint8(slot)] = &kept
		}
	}
	s.eachDone(index, len(s.events), func(sequence uint64) { delete(s.events, sequence) })
}

// forget drops what is remembered of a chunk's finished payments.
func (s *store) forget(index int, c *chunk) {
	c.memory = nil
	if c.full == nil {
		s.eachDone(index, len(s.seen), func(sequence uint64) { delete(s.seen, sequence) })
	}
}

// eachOpen calls f for each entry that is held in full, done or not.
func (s *store) eachOpen(f func(sequence uint64, e *entry)) {
	for index, c := range s.chunks {
		switch {
		case c == nil:
		case c.full != nil:
			for slot := range c.full {
				if e := &c.full[slot]; e.Registered {
					f(sequenceOf(index, slot), e)
				}
			}
		default:
			for slot, e := range c.rest {
				f(sequenceOf(index, int(slot)), e)
			}
		}
	}
}

// eachDone calls f for each finished payment of a closed chunk, unless what f is to
// clear has the size 0.
func (s *store) eachDone(index, size int, f func(sequence uint64)) {
	if size == 0 {
		return
	}
	for slot := range chunkSize {
		if _, open := s.chunks[index].rest[uint8(slot)]; !open {
			f(sequenceOf(index, slot))
		}
	}
}
