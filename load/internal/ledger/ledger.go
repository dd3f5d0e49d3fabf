// Package ledger records every payment that a run sends and every webhook that it receives,
// matches them, and determines the outcome of each payment and the balances to the centavo.
//
// A payment is registered before it is sent, because its webhook may arrive before the
// response. Payments that are still open at the end are looked up at the gateway (Unresolved,
// LookedUp), the balance of each account is compared with what the payments moved (Open,
// Audit), and the Book contains the result.
package ledger

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Ledger of one instance. It is safe for concurrent use.
//
// Many methods: one for each kind of thing that it is told, is asked or waits for, under the same lock.
// Exported ones take it; the others expect that it is held.
type Ledger struct {
	mu sync.Mutex // guards the rest
	store
	accounts accounts
	findings findings
	maxFee   int64 // of an outgoing payment
	fees     fees
	funded   [][2]Funds // by account: what was certain of it a while ago, and at the latest sample

	outOfOrder int64
	cut        bool // the end did not wait for webhooks
}

// Config of a ledger.
type Config struct {
	Run      uint64
	Instance uint16
	Late     time.Duration // default 10 s
	// Stalled is for how long this process stalled at most, at once, between two times: an event that arrives
	// late because of that is not. Nil: never.
	Stalled func(from, to time.Time) time.Duration
	Unheard ByKind[bool]  // the kinds whose events nobody receives: their payments end as unknown
	Fees    ByKind[int64] // centavos, of kinds whose events do not contain one
}

// ByKind has a value for each kind of payment, also for the unknown one.
type ByKind[T any] [kinds + 1]T

// New creates the ledger of an instance.
func New(cfg Config) *Ledger {
	if cfg.Late == 0 {
		cfg.Late = 10 * time.Second
	}
	return &Ledger{
		accounts: accounts{}, findings: findings{}, maxFee: slices.Max(cfg.Fees[:]),
		store: store{
			cfg: cfg, tally: tally{counts: map[any]*Counts{}}, payments: map[uint64]*entry{}, keep: remembered,
			waiting:  map[uint64][]chan Settlement{},
			early:    map[uint64][]early{},
			nameless: nameless{aliases: map[uint64]uint64{}, named: map[uint64][]uint64{}, early: map[uint64][]*message{}, held: map[*message]bool{}, returns: map[uint64]returned{}},
		},
	}
}

// Register records a payment before it is sent, and returns what is certain of its account's funds then. Registering it again
// has no effect. Sequences are dense: memory grows with the highest.
func (l *Ledger) Register(p Payment, intended time.Time) Funds {
	l.mu.Lock()
	defer l.mu.Unlock()
	if sequence := p.ID.Sequence; l.payments[sequence] == nil && l.old.of(sequence) == none {
		e := &entry{Payment: p, Fee: -1, Waited: p.Sent.Sub(intended)}
		l.put(handle{entry: e, wasOpen: true})
		l.tally.of(p.Origin).PaymentsSent++
		at(&l.tally.sent, p.Account).open(e, 1)
	}
	return l.funds(p.Account, p.Sent)
}

// Answered records the response to a payment. For a payment with repeats it is the accepted
// one, if any: an accepted payment stays accepted.
func (l *Ledger) Answered(id data.ID, a Answer) {
	l.change(id, func(h handle) { l.answered(h, a) })
}

func (l *Ledger) answered(h handle, a Answer) {
	if h.Answer == Accepted {
		return
	}
	first := h.Answer == InFlight
	h.Answer, h.Ended = a.Fate, a.Fate == Accepted && a.Ended
	if a.Fate != NoResponse {
		h.Answered = a.At.Sub(h.Sent)
	}
	if a.Fate == Accepted && h.comparable() {
		if !h.Mixed {
			h.Transaction = mark(a.TransactionID)
		}
		if a.TransactionID != "" && h.uniquely() {
			if other := l.responded.owner(a.TransactionID, h.ID.Sequence); other != h.ID.Sequence {
				l.mixedUp(h, other, a.TransactionID)
			}
		}
	}
	if a.Fate == Accepted && a.TransactionID != "" && (!l.cfg.done(h.entry) || l.cfg.silent(h.entry)) {
		h.TransactionID = clip(strings.Clone(a.TransactionID)) // not the whole response
	}
	if first && a.Short {
		l.short(h, a.Funds)
	}
	if first && a.Fate == Refused && a.Unsent {
		l.tally.unsent++
	}
	if first && a.Fate == NoResponse {
		l.note(h, "payments_no_response", clip(a.Why))
	}
	if first {
		l.hindsight(h)
	}
	if a.Fate == Refused {
		l.tell(h.ID, notSettled(h.ID, ErrRefused))
	}
}

// ExpectResend records that one further delivery of the payment's event was requested.
func (l *Ledger) ExpectResend(id data.ID) {
	l.change(id, func(h handle) { h.Resends = min(h.Resends, 254) + 1 })
}

// DoubtResend records that a requested resend may not have been sent: there was no response,
// or the gateway reports that the receiver did not accept it.
func (l *Ledger) DoubtResend(id data.ID) {
	l.change(id, func(h handle) { h.Doubted = min(h.Doubted, 254) + 1 })
}

// UnexpectResend withdraws one ExpectResend, because the resend was refused. If a delivery has
// been counted as this resend, it was a duplicate.
func (l *Ledger) UnexpectResend(id data.ID) {
	l.change(id, func(h handle) {
		if h.Resends > 0 {
			h.Resends--
			return
		}
		c := l.tally.of(h.Origin)
		c.WebhooksResent--
		c.WebhooksDuplicate++
	})
}

// change changes a registered payment.
func (l *Ledger) change(id data.ID, change func(handle)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h, ok := l.take(id.Sequence); ok {
		change(h)
		l.put(h)
	}
}

// ByOrigin are the counts so far, by origin. What is known only at the
// end is 0 until Book: lost, unsettled, unknown, unreported, unchecked and drift.
func (l *Ledger) ByOrigin() map[any]*Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	sum := l.sum()
	for _, counts := range sum.counts {
		counts.PaymentsUnreported = 0 // the list may report them
		counts.WebhooksReceived = counts.received()
	}
	sum.of(nil).WebhooksReceived += int64(len(l.nameless.held))
	return sum.counts
}

// example is one of a finding about an entry.
func (e *entry) example(sort, detail string) Example {
	return Example{Sort: sort, Payment: spell(e.ID, e.Kind), Account: e.Account, At: e.Sent.UTC(), Detail: detail}
}

// sum is the tally so far, with what has no payment.
func (l *Ledger) sum() tally {
	sum := tally{counts: map[any]*Counts{}}
	sum.add(&l.tally)
	sum.of(nil).Add(&l.nameless.counts)
	sum.of(nil).WebhooksOutOfOrder = l.outOfOrder
	return sum
}

// Note keeps an example of a finding that others make, n times.
func (l *Ledger) Note(e Example, n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*l.nameless.counts.named(e.Sort) += n
	l.findings.add(e)
}

// note keeps an example of a finding about a payment.
func (l *Ledger) note(h handle, sort, detail string) {
	l.findings.add(h.example(sort, detail))
}

// spell formats the id of a payment of the given kind as in the API.
func spell(id data.ID, kind Kind) string {
	if kind == Transfer {
		return id.UUID()
	}
	return id.ExternalID()
}
