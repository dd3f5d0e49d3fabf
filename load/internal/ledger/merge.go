package ledger

import (
	"cmp"
	"slices"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Merge merges the books of different instances of one run, at least one, in any order. A delivery
// that another instance received is matched with its payment: as its event if its own instance
// received none, otherwise as a further one. Out-of-order events are counted per instance.
func Merge(books []Book) Book {
	var parts []Part
	for _, b := range books {
		parts = append(parts, b.Parts...)
	}
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Compare(a.Instance, b.Instance) })
	return derive(books[0].Run, parts)
}

// Crossing is the delivery time of a webhook that another instance received, assuming that
// their clocks agree.
type Crossing struct {
	At         time.Time
	Acceptance time.Duration
	Intended   time.Duration
}

// messages are those that no instance could match itself, by time.
func (d *derivation) messages() (all []foreign) {
	aliases := map[uint64]data.ID{}
	for _, h := range d.homes {
		for name, sequence := range h.State.Aliases {
			aliases[name] = data.ID{Instance: h.Instance, Sequence: sequence}
		}
	}
	for _, p := range d.Parts {
		for _, f := range p.State.Foreign {
			for _, name := range f.Names {
				if id, ok := aliases[name]; ok && !f.Named {
					f.Named, f.Instance, f.Sequence = true, id.Instance, id.Sequence
				}
			}
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b foreign) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Sequence, b.Sequence),
			cmp.Compare(a.Webhook, b.Webhook), cmp.Compare(a.Problem, b.Problem))
	})
	return all
}

// deliver records a message with its payment, if that is here.
func (d *derivation) deliver(f foreign) {
	verdict, reason, origin := Orphan, noName, uint8(0)
	id := data.ID{Run: d.Run, Instance: f.Instance, Sequence: f.Sequence}
	h := d.homes[f.Instance]
	switch {
	case f.Named && h == nil:
		verdict, reason = Elsewhere, ""
	case f.Named:
		reason = unsent(id)
		if e := h.entry(&f); e != nil {
			verdict, reason = d.judge(h, e, &f)
			origin = e.Origin
		}
	case f.Others || d.unheard(&f):
		verdict = Other
	case f.Problem != "":
		verdict, reason = Malformed, f.Problem
	}
	*d.sum.of(origin).count(verdict)++
	if verdict == Matched || verdict == Other {
		return
	}
	example := Example{Sort: "webhooks_" + verdict.String(), Account: f.Account, At: unix(f.At), Detail: detail(verdict, reason, Delivery{Type: f.Type}, f.Quoted)}
	example.unknown(&f.message().Event, verdict, reason)
	if f.Named {
		example.Payment = id.ExternalID()
	}
	d.Examples = append(d.Examples, example)
}

// unheard says whether a message may be about an unheard refund, whose id is unknown because
// there was no response.
func (d *derivation) unheard(f *foreign) bool {
	if f.Problem != "" || f.Event != "REFUND" && f.Event != "CashInReversal" {
		return false
	}
	for _, h := range d.homes {
		for _, e := range h.open {
			if e.Kind == Refund && e.fate() <= Unheard && e.Amount == f.Amount && int(e.Account) == f.Account {
				return true
			}
		}
	}
	return false
}

// entry is the payment of a message, or nil.
func (h *home) entry(f *foreign) *entry {
	e := h.open[f.Sequence]
	if e == nil {
		index, slot := place(f.Sequence)
		if c := h.done[index]; c != nil {
			e = c.find(slot, &h.terms)
		}
		if e == nil {
			return nil
		}
		e.Origin = h.origin(e.Origin)
		h.open[f.Sequence] = e
	}
	e.recall(f.message(), f.Account)
	return e
}

// judge records a message as the payment's own ledger would have.
func (d *derivation) judge(h *home, e *entry, f *foreign) (Verdict, string) {
	h.terms.leave(&d.sum, e)
	defer h.terms.enter(&d.sum, e)
	verdict, reason := h.terms.judge(e, f.message(), f.URL, f.At)
	if h.seen.seen(f.Sequence, e, f.Webhook, verdict) {
		d.sum.same++
	}
	if verdict != Malformed && !e.incoming() {
		d.maxFee = max(d.maxFee, f.Fee)
	}
	e.notLate(d.sum.of(e.Origin))
	switch {
	case verdict == Matched:
		d.cross(h, e, f)
	case verdict != Malformed && e.Late && f.At < e.Received && !h.terms.isLate(e, f.At): // it arrived in time at another instance
		e.Late = false
		d.sum.of(e.Origin).WebhooksLate--
	}
	return verdict, reason
}

// cross measures a match with a delivery to another instance.
func (d *derivation) cross(h *home, e *entry, f *foreign) {
	if h.terms.isLate(e, f.At) {
		e.Late = true
		d.sum.of(e.Origin).WebhooksLate++
	}
	if f.Overtaken != "" {
		d.sum.of(0).WebhooksOutOfOrder++
		d.example("webhooks_out_of_order", f.Instance, f.Sequence, e.Kind, f.Account, f.At, f.Overtaken)
	}
	if f.Fate == Failed {
		d.example("payments_failed", f.Instance, f.Sequence, e.Kind, f.Account, f.At, failedBy(f.ErrorCode))
	}
	d.Crossings = append(d.Crossings, Crossing{
		At:         unix(f.At),
		Acceptance: e.lag(f.At),
		Intended:   max(0, time.Duration(f.At-e.Intended)),
	})
}
