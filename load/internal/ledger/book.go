package ledger

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Book is the result of a ledger, as part of a result file. The books of the instances of one
// run can be merged; everything except Parts is derived from Parts.
type Book struct {
	Run       uint64            `json:"run"`
	Instances []uint16          `json:"instances"` // whose payments are in it
	Counts    Counts            `json:"counts"`
	ByOrigin  map[string]Counts `json:"by_origin,omitempty"` // by name, without what has no origin
	// SameWebhookID is how many of the duplicates repeat a webhook-id: the same event was sent
	// again, rather than another one.
	SameWebhookID int64 `json:"same_webhook_id"`
	// Unsent is how many of the refused payments were never sent, because there was no
	// connection.
	Unsent   int64     `json:"unsent,omitempty"`
	Accounts []Money   `json:"accounts"`
	Causes   []Cause   `json:"causes,omitempty"`
	Examples []Example `json:"examples"` // at most 1000 of each sort, the earliest; of the slowest payments, at most 100 an instance
	Parts    []Part    `json:"parts"`    // what Merge needs, by instance
	// Crossings are the matches of a merge, by time: deliveries to another instance than the
	// payment's.
	Crossings []Crossing `json:"-"`
}

// Example is one finding.
type Example struct {
	Sort    string    `json:"sort"`              // the count that it is an example of: webhooks_lost
	Payment string    `json:"payment,omitempty"` // its id in the API
	Account int       `json:"account"`
	At      time.Time `json:"at"`             // of the delivery, or of the send
	Took    float64   `json:"took,omitempty"` // seconds, of a slow payment
	Detail  string    `json:"detail,omitempty"`
	Moved   int64     `json:"moved,omitempty"` // centavos that an event of an unknown transaction says to have moved

	Transaction string `json:"transaction,omitempty"` // that moved them
}

// Book is the ledger's findings as if the run ended now.
func (l *Ledger) Book() Book {
	l.mu.Lock()
	part := l.part()
	l.mu.Unlock()
	return derive(l.cfg.Run, []Part{part})
}

// derivation derives a book from parts: it matches what other instances received, and then
// closes what is still open.
type derivation struct {
	Book
	sum    tally
	homes  map[uint16]*home
	audits map[int]audit
	maxFee int64
	names  []string // of origins
}

// home is a part with access to its payments.
type home struct {
	*Part
	terms terms
	open  map[uint64]*entry
	done  map[int]*chunk // by number
	seen  webhookIDs
	to    []uint8 // the derivation's number of each origin of the part
}

// origin is the derivation's number of one of the part's origins.
func (h *home) origin(of uint8) uint8 {
	if int(of) < len(h.to) {
		return h.to[of]
	}
	return 0
}

func derive(run uint64, parts []Part) Book {
	d := derivation{Book: Book{Run: run, Parts: parts, ByOrigin: map[string]Counts{}}, names: []string{""}, homes: map[uint16]*home{}, audits: map[int]audit{}}
	for i := range parts {
		d.take(&parts[i])
	}
	messages := d.messages()
	for _, named := range []bool{true, false} { // first those with an id, because the rest may be about refunds that are still unheard
		for _, f := range messages {
			if f.Named == named {
				d.deliver(f)
			}
		}
	}
	d.addReturns()
	for _, p := range parts {
		d.close(d.homes[p.Instance])
	}
	d.balance()
	for origin := range d.sum.counts {
		c := &d.sum.counts[origin]
		c.WebhooksReceived = c.received()
		if origin > 0 {
			d.ByOrigin[d.names[origin]] = *c
		}
	}
	d.Counts = total(d.sum.counts)
	d.SameWebhookID, d.Unsent = d.sum.same, d.sum.unsent
	d.Examples = earliest(d.Examples)
	d.causes()
	return d.Book
}

// take adds a part.
func (d *derivation) take(p *Part) {
	h := &home{
		Part:  p,
		terms: newTerms(Config{Late: p.Late, URLs: p.URLs, Fees: p.Fees}),
		open:  make(map[uint64]*entry, len(p.State.Open)),
		done:  make(map[int]*chunk, len(p.State.Done)),
		seen:  webhookIDs{},
	}
	maps.Copy(h.seen, p.State.Seen)
	for _, name := range p.Origins {
		h.to = append(h.to, d.number(name))
	}
	d.homes[p.Instance] = h
	d.Instances = append(d.Instances, p.Instance)
	d.Examples = append(d.Examples, p.Examples...)
	for origin := range p.Counts {
		d.sum.of(h.origin(uint8(origin))).Add(&p.Counts[origin])
	}
	d.sum.add(&tally{same: p.Same, unsent: p.Unsent, money: p.State.Money})
	d.maxFee = max(d.maxFee, p.MaxFee)
	for _, o := range p.State.Open {
		e := o.Entry
		e.Origin = h.origin(e.Origin)
		h.open[o.Sequence] = &e
		h.terms.enter(&d.sum, &e)
	}
	for _, c := range p.State.Done {
		h.done[c.Index*stripes+c.Shard] = &chunk{codes: c.Codes, memory: c.Memory}
	}
	for _, a := range p.State.Audits {
		d.audits[a.Account] = d.audits[a.Account].with(a)
	}
}

// number is the number of the origin with a name, which may have others in other parts.
func (d *derivation) number(name string) uint8 {
	at := slices.Index(d.names, name)
	if at < 0 && len(d.names) > math.MaxUint8 {
		return 0
	}
	if at < 0 {
		at = len(d.names)
		d.names = append(d.names, name)
	}
	return uint8(at)
}

// with merges the audits of one account by two instances: the first opening, the last balance.
func (a audit) with(b audit) audit {
	a.Account = b.Account
	if !b.OpenedAt.IsZero() && (a.OpenedAt.IsZero() || b.OpenedAt.Before(a.OpenedAt)) {
		a.Opening, a.Leaving, a.OpenedAt = b.Opening, b.Leaving, b.OpenedAt
	}
	if b.AuditedAt.After(a.AuditedAt) {
		a.Actual, a.AuditedAt = b.Actual, b.AuditedAt
	}
	return a
}

// addReturns adds money returned by payees, each return once, except refunds that an instance
// sent itself.
func (d *derivation) addReturns() {
	all := map[uint64]returned{}
	for _, p := range d.Parts {
		maps.Copy(all, p.State.Returns)
	}
	for _, p := range d.Parts {
		for name := range p.State.Aliases {
			delete(all, name)
		}
	}
	for _, r := range all {
		at(&d.sum.money, r.Account).High += r.Amount
	}
}

// close decides the outcome of everything that is open.
func (d *derivation) close(h *home) {
	for sequence, e := range h.open {
		d.resends(h, sequence, e)
		c := d.sum.of(e.Origin)
		sort, detail := "", ""
		switch fate := e.fate(); {
		case fate == Confirmed, fate == Failed:
			if lost := bits.OnesCount8(h.terms.missing(e)); lost > 0 && !h.Cut {
				c.WebhooksLost += int64(lost)
				sort, detail = "webhooks_lost", "the payment is "+fate.String()
			}
		case fate == Vanished:
			sort = "payments_vanished"
			if transaction := h.State.Vanished[sequence]; transaction != "" {
				detail = "accepted as transaction " + transaction
			}
		case fate == Absent, fate == Refused:
		case fate == Accepted && h.terms.urls[e.Kind] == 0 && e.Listed == InFlight: // the sums count it as untold
		case e.Listed == Accepted:
			c.PaymentsUnsettled++
			sort = "payments_unsettled"
		case e.findable():
			c.PaymentsUnknown++
			sort, detail = "payments_unknown", fate.String()
		default:
			c.PaymentsUntold++
			sort, detail = "payments_untold", fate.String()
		}
		if sort != "" {
			d.example(sort, h.Instance, sequence, e.Kind, int(e.Account), e.Sent, detail)
		}
	}
}

// resends counts requested resends that, according to the gateway, were sent, but did not
// arrive.
func (d *derivation) resends(h *home, sequence uint64, e *entry) {
	if e.Resends <= e.Doubted || h.terms.urls[e.Kind] == 0 || h.Cut {
		return
	}
	d.sum.of(e.Origin).WebhooksResendLost += int64(e.Resends - e.Doubted)
	d.example("webhooks_resend_lost", h.Instance, sequence, e.Kind, int(e.Account), e.Sent, "")
}

func (d *derivation) example(sort string, instance uint16, sequence uint64, kind Kind, account int, at int64, detail string) {
	id := data.ID{Run: d.Run, Instance: instance, Sequence: sequence}
	d.Examples = append(d.Examples, Example{Sort: sort, Payment: spell(id, kind), Account: account, At: unix(at), Detail: detail})
}

// balance compares the accounts with the payments.
func (d *derivation) balance() {
	for account, moved := range d.sum.money {
		if _, known := d.audits[account]; !known && moved != (balance{}) {
			d.audits[account] = audit{Account: account}
		}
	}
	for account, a := range d.audits {
		var moved balance
		if account < len(d.sum.money) {
			moved = d.sum.money[account]
		}
		m := a.against(moved, d.maxFee)
		d.Accounts = append(d.Accounts, m)
		d.sum.of(0).MoneyDrift += max(m.Drift, -m.Drift)
	}
	slices.SortFunc(d.Accounts, func(a, b Money) int { return cmp.Compare(a.Account, b.Account) })
}

func unix(at int64) time.Time {
	if at == 0 {
		return time.Time{}
	}
	return time.Unix(0, at).UTC()
}
