// Package ledger knows every payment that a run sends and every webhook that it
// receives, matches them, and says at the end what became of each, to the centavo.
//
// A payment is registered before it is sent, since its webhook may be faster than its
// answer. Whatever is still open at the end is looked up at the gateway (Unresolved,
// LookedUp), the balance of each account is held against what the payments have moved
// (Open, Expect, Audit), and the Book says what was found. The books of several
// instances merge into that of their run.
package ledger

import (
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/load/data"
)

// Ledger keeps the books of one instance. It is safe for concurrent use.
type Ledger struct {
	cfg    Config
	start  time.Time
	terms  terms
	shards [shards]shard

	accounts accounts
	nameless nameless
	findings findings
	idle     idle
	maxFee   atomic.Int64 // of a payment that leaves

	outOfOrder atomic.Int64
}

// Config is what a ledger has to know of its run.
type Config struct {
	Run       uint64
	Instance  uint16
	Instances int           // of the run; more than one: the book carries what Merge needs
	Late      time.Duration // default 10 s
	// URLs is to how many URLs the event of each kind is delivered; a kind that is not
	// in it has one. Of a kind with 0 nothing is expected: its payments end as unknown.
	URLs map[Kind]int
	// Fees, in centavos, of the kinds whose events do not name one.
	Fees map[Kind]int64
	// Remember is of how many finished payments, the latest ones, amount, fee,
	// transaction and webhook-id are known when one more event comes; default 1<<20, 16
	// bytes each. Of older ones a duplicate is still known as such.
	Remember int
}

// New makes the ledger of an instance.
func New(cfg Config) *Ledger {
	if cfg.Late == 0 {
		cfg.Late = 10 * time.Second
	}
	if cfg.Remember == 0 {
		cfg.Remember = 1 << 20
	}
	l := &Ledger{cfg: cfg, start: time.Now(), terms: newTerms(cfg)}
	for i := range l.shards {
		s := &l.shards[i]
		s.number, s.terms, s.pending = i, &l.terms, l.idle.change
		s.memory = cfg.Remember / (shards * chunkSize)
		s.seen, s.events, s.waiting = map[uint64][]uint32{}, map[uint64]*Event{}, map[uint64][]*waiter{}
		s.early, s.endToEnd = map[uint64][]early{}, map[uint64]string{}
	}
	for _, fee := range cfg.Fees {
		l.feeSeen(fee)
	}
	return l
}

// Register enters a payment, before it is sent. Its id is the ledger's instance's own;
// entering it again does nothing. Sequences are dense: memory grows with the highest.
func (l *Ledger) Register(p Payment) {
	s := l.shard(p.ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := entry{
		Registered: true,
		Kind:       p.Kind,
		Account:    int32(p.Account),
		Amount:     p.Amount,
		Fee:        -1,
		Intended:   l.clock(p.Intended),
		Sent:       l.clock(p.Sent),
		Repeated:   p.Repeated,
		Watch:      p.Watch,
	}
	if s.register(p.ID.Sequence, e) {
		s.tally.counts.PaymentsSent++
		s.tally.register(&e)
	}
}

// Answered enters the answer to a payment. Of a payment with repeats it is the accepted
// one, if there is any: once accepted, a payment stays so.
func (l *Ledger) Answered(id data.ID, a Answer) {
	s := l.shard(id)
	s.mu.Lock()
	h, ok := s.take(id.Sequence)
	if !ok || h.Answer == Accepted {
		if ok {
			s.put(h)
		}
		s.mu.Unlock()
		return
	}
	first := h.Answer == InFlight
	h.Answer, h.Ended = a.Fate, a.Fate == Accepted && a.Ended
	if a.Fate != Unheard {
		h.Answered = l.clock(a.At)
	}
	if a.Fate == Accepted && h.comparable() {
		h.Transaction = mark(a.TransactionID)
	}
	var reason, sort string
	if first && a.Fate == Refused && a.Unsent {
		s.tally.unsent++
	}
	if first {
		reason, sort = l.hindsight(s, h)
	}
	s.put(h)
	var waiters []*waiter
	if a.Fate == Refused {
		waiters = s.release(id.Sequence)
	}
	account := int(h.Account)
	kind := h.Kind
	s.mu.Unlock()

	if reason != "" {
		l.findings.add(Example{Sort: sort, Payment: spell(id, kind), Account: account, At: a.At, Detail: reason})
	}
	fail(waiters, id, ErrRefused)
}

// ExpectResend says that one further delivery of the payment's event was asked for.
func (l *Ledger) ExpectResend(id data.ID) {
	l.resend(id, func(_ *shard, h handle) { h.Resends = min(h.Resends, 254) + 1 })
}

// DoubtResend says that it is not known whether a resend that was asked for was sent: no
// answer told so, or the gateway itself says that it was not taken.
func (l *Ledger) DoubtResend(id data.ID) {
	l.resend(id, func(_ *shard, h handle) { h.Doubted = min(h.Doubted, 254) + 1 })
}

// UnexpectResend takes back one ExpectResend, of a resend that was refused. Should a further
// delivery have been taken for it meanwhile, that was a duplicate.
func (l *Ledger) UnexpectResend(id data.ID) {
	l.resend(id, func(s *shard, h handle) {
		if h.Resends > 0 {
			h.Resends--
			return
		}
		s.tally.counts.WebhooksResent--
		s.tally.counts.WebhooksDuplicate++
	})
}

// resend changes what a payment that is known has to do with resends.
func (l *Ledger) resend(id data.ID, change func(*shard, handle)) {
	s := l.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if h, ok := s.take(id.Sequence); ok {
		change(s, h)
		s.put(h)
	}
}

// Counts are the counts so far. What only the end can tell is 0 until Book tells it:
// lost, unsettled, unknown, drift, and of the untold what was unheard.
func (l *Ledger) Counts() Counts {
	var sum Counts
	l.locked(func() {
		for i := range l.shards {
			sum.add(&l.shards[i].tally.counts)
		}
	})
	l.nameless.mu.Lock()
	defer l.nameless.mu.Unlock()
	sum.add(&l.nameless.counts)
	sum.WebhooksOutOfOrder = l.outOfOrder.Load()
	sum.WebhooksReceived = sum.received() + int64(l.nameless.held)
	return sum
}

// shard is where a payment is.
func (l *Ledger) shard(id data.ID) *shard { return &l.shards[id.Sequence%shards] }

// each calls f for each shard in turn, locked.
func (l *Ledger) each(f func(*shard)) {
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		f(s)
		s.mu.Unlock()
	}
}

// locked calls f with all shards locked, which nobody else does but in this order.
func (l *Ledger) locked(f func()) {
	for i := range l.shards {
		l.shards[i].mu.Lock()
		defer l.shards[i].mu.Unlock()
	}
	f()
}

// clock is a time as entries have it.
func (l *Ledger) clock(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	if at := int64(t.Sub(l.start)); at != 0 {
		return at
	}
	return 1
}

func (l *Ledger) time(at int64) time.Time {
	if at == 0 {
		return time.Time{}
	}
	return l.start.Add(time.Duration(at))
}

// payment shows an entry.
func (l *Ledger) payment(e *entry, sequence uint64) Payment {
	return Payment{
		ID:       data.ID{Run: l.cfg.Run, Instance: l.cfg.Instance, Sequence: sequence},
		Kind:     e.Kind,
		Account:  int(e.Account),
		Amount:   e.Amount,
		Intended: l.time(e.Intended),
		Sent:     l.time(e.Sent),
		Repeated: e.Repeated,
		Watch:    e.Watch,
	}
}

// feeSeen keeps the highest fee.
func (l *Ledger) feeSeen(fee int64) {
	for {
		highest := l.maxFee.Load()
		if fee <= highest || l.maxFee.CompareAndSwap(highest, fee) {
			return
		}
	}
}

// spell is an id as the API spells that of a payment of the kind.
func spell(id data.ID, kind Kind) string {
	if kind == Transfer {
		return id.UUID()
	}
	return id.ExternalID()
}
