package ledger

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Part is the state of one instance's ledger for Merge: sums of the payments that are done,
// and everything that is open.
type Part struct {
	Instance uint16         `json:"instance"`
	Late     time.Duration  `json:"late"` // nanoseconds
	URLs     map[Kind]int   `json:"urls,omitempty"`
	Fees     map[Kind]int64 `json:"fees,omitempty"` // centavos
	MaxFee   int64          `json:"max_fee"`
	Counts   []Counts       `json:"counts"` // by origin, without those derived from State
	Origins  []string       `json:"origins,omitempty"`
	Same     int64          `json:"same_webhook_id"`
	Unsent   int64          `json:"unsent,omitempty"`
	Examples []Example      `json:"examples"`
	State    State          `json:"state"`
	Cut      bool           `json:"cut,omitempty"` // the end did not wait for webhooks: none is lost
}

// State is the rest of a part, packed into a JSON string.
type State struct {
	Money   []balance // by account
	Audits  []audit
	Open    []openEntry
	Foreign []foreign
	Returns map[uint64]returned // by a key of the message
	// Vanished are transaction ids of responses, by sequence of payments that the list does not show.
	Vanished map[uint64]string
	// The following is for other instances, if there are any.
	Aliases map[uint64]uint64 // hash of an id to its sequence
	Done    []doneChunk
	Seen    map[uint64][]uint32
}

// openEntry is an entry with its times in Unix nanoseconds.
type openEntry struct {
	Sequence uint64
	Entry    entry
}

// foreign is a message about a payment of another instance, or an unknown one.
type foreign struct {
	Named          bool
	Instance       uint16
	Sequence       uint64
	Names          []uint64 // hashes, when it is not Named
	Event, Problem string
	Fate           Fate
	Amount, Fee    int64
	Transaction    uint32
	Webhook        uint32
	Account, URL   int
	At             int64 // Unix nanoseconds
	Overtaken      string
	Others         bool
	ErrorCode      string
	TransactionID  string
	Type, Quoted   string // for an example, if it is not Named
}

func newForeign(m *message, d Delivery) foreign {
	f := foreign{
		Named: true, Instance: m.ID.Instance, Sequence: m.ID.Sequence,
		Event: m.Name, Problem: m.problem, Fate: m.Fate, Amount: m.Amount, Fee: m.Fee,
		Transaction: m.transaction, TransactionID: clip(m.TransactionID), Webhook: mark(d.WebhookID),
		Account: d.Account, URL: d.URL, At: d.At.UnixNano(), Overtaken: m.overtaken, Others: m.others,
		ErrorCode: m.ErrorCode,
	}
	if m.ID == (data.ID{}) {
		f.Named, f.Type, f.Quoted = false, d.Type, m.quote()
		for _, name := range m.names {
			f.Names = append(f.Names, hash(name))
		}
	}
	return f
}

// message is the message as judge reads it.
func (f *foreign) message() *message {
	return &message{
		Event:       Event{Name: f.Event, Fate: f.Fate, Amount: f.Amount, Fee: f.Fee, TransactionID: f.TransactionID},
		transaction: f.Transaction,
		problem:     f.Problem,
		account:     f.Account,
	}
}

// doneChunk is a chunk's finished payments. The number of the chunk is Index*stripes + Shard.
type doneChunk struct {
	Shard, Index int
	Codes        [chunkSize / 2]uint8
	Memory       *[chunkSize]memo
}

// MarshalJSON packs the state.
func (s State) MarshalJSON() ([]byte, error) {
	var packed bytes.Buffer
	deflate, _ := flate.NewWriter(&packed, flate.BestSpeed) // fails only at a level that does not exist
	if err := cmp.Or(gob.NewEncoder(deflate).Encode(s), deflate.Close()); err != nil {
		return nil, fmt.Errorf("packing a ledger's state: %w", err)
	}
	return json.Marshal(packed.Bytes())
}

// UnmarshalJSON unpacks it.
func (s *State) UnmarshalJSON(text []byte) error {
	var packed []byte
	if err := json.Unmarshal(text, &packed); err != nil {
		return fmt.Errorf("expected the packed state of a ledger: %w", err)
	}
	*s = State{}
	inflate := flate.NewReader(bytes.NewReader(packed))
	if err := gob.NewDecoder(inflate).Decode(s); err != nil {
		return fmt.Errorf("expected the packed state of a ledger, got %d other bytes: %w", len(packed), err)
	}
	for _, o := range s.Open {
		if e := o.Entry; e.Kind > unknownKind || e.Answer >= fates || e.Account < -1 || e.Account > maxAccount {
			return fmt.Errorf("expected the packed state of a ledger, got a payment of kind %d and account %d", e.Kind, e.Account)
		}
	}
	for _, r := range s.Returns {
		if r.Account < 0 || r.Account > maxAccount {
			return fmt.Errorf("expected the packed state of a ledger, got money returned to account %d", r.Account)
		}
	}
	return nil
}

// maxAccount limits the index of an account: balances are slices.
const maxAccount = 1 << 20

// part is a copy of the ledger's current state.
func (l *Ledger) part() Part {
	p := Part{
		Instance: l.cfg.Instance, Late: l.cfg.Late, URLs: l.cfg.URLs, Fees: l.cfg.Fees,
		Examples: append(l.findings.all(), l.slowest...), Cut: l.cut,
	}
	p.State.Audits = l.accounts.audits()
	var sum tally
	l.copyOpen(&p.State, &sum)
	l.copyNameless(&p.State, sum.of(0))
	if l.cfg.Instances <= 1 { // otherwise it knows only a part of the payments
		p.Examples = append(p.Examples, l.suspects(p.State.Audits)...)
	}
	p.MaxFee = l.maxFee
	sum.of(0).WebhooksOutOfOrder = l.outOfOrder
	if l.cfg.Origins != nil {
		p.Origins = l.cfg.Origins()
	}
	p.Counts, p.Same, p.Unsent, p.State.Money = sum.counts, sum.same, sum.unsent, sum.money
	return p
}

// copyOpen adds up all payments, and lists open entries separately.
func (l *Ledger) copyOpen(to *State, sum *tally) {
	sum.add(&l.tally)
	start := l.start.UnixNano()
	l.eachOpen(func(sequence uint64, e *entry) {
		if l.terms.done(e) {
			return
		}
		l.terms.leave(sum, e)
		open := openEntry{sequence, *e}
		for _, at := range []*int64{&open.Entry.Intended, &open.Entry.Sent, &open.Entry.Answered, &open.Entry.Received} {
			if *at != 0 {
				*at += start
			}
		}
		to.Open = append(to.Open, open)
		if transaction := l.transactions[sequence]; e.Listed == Vanished && transaction != "" {
			if to.Vanished == nil {
				to.Vanished = map[uint64]string{}
			}
			to.Vanished[sequence] = transaction
		}
	})
	if l.cfg.Instances > 1 {
		l.copyDone(to)
	}
}

func (l *Ledger) copyDone(to *State) {
	for index, c := range l.chunks {
		if c == nil {
			continue
		}
		done := doneChunk{Shard: index % stripes, Index: index / stripes, Codes: c.codes, Memory: c.memory}
		if c.full != nil {
			shrunk := chunk{memory: new([chunkSize]memo)}
			for slot := range c.full {
				if e := &c.full[slot]; e.Registered && l.terms.done(e) {
					shrunk.shrink(slot, e)
				}
			}
			done.Codes, done.Memory = shrunk.codes, shrunk.memory
		} else if c.memory != nil {
			copied := *c.memory
			done.Memory = &copied
		}
		to.Done = append(to.Done, done)
	}
	to.Seen = maps.Clone(l.seen)
}

func (l *Ledger) copyNameless(to *State, counts *Counts) {
	n := &l.nameless
	counts.Add(&n.counts)
	counts.WebhooksElsewhere = 0 // the state has them
	to.Returns = maps.Clone(n.returns)
	to.Foreign = n.foreign.all()
	listed := map[*held]bool{}
	for _, messages := range n.early {
		for _, h := range messages {
			if !listed[h] {
				listed[h] = true
				to.Foreign = append(to.Foreign, newForeign(&h.message, h.delivery))
			}
		}
	}
	if l.cfg.Instances > 1 {
		to.Aliases = maps.Clone(n.aliases)
	}
}
