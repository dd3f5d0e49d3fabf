package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
)

// Unresolved are the payments to look up, with what is known about each: those without a
// known outcome, and those whose events contradict each other.
func (l *Ledger) Unresolved() (all []Payment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, sequence := range slices.Sorted(maps.Keys(l.payments)) {
		e := l.payments[sequence]
		contradicted := e.Conflict && e.Listed == InFlight
		if fate := e.fate(); contradicted || fate <= NoResponse || fate == Accepted && !l.terms.unheard[e.Kind] {
			p := e.Payment
			p.Fate = fate
			all = append(all, p)
		}
	}
	return all
}

// EndToEnd sets the end-to-end id of a payment, by which it can be looked up if its event does
// not arrive.
func (l *Ledger) EndToEnd(id data.ID, endToEndID string) {
	l.change(id, func(h handle) { h.EndToEndID = endToEndID })
}

// LookedUp records what the gateway lists under the id of a payment. If it lists nothing, this proves that
// the payment does not exist only for cash-outs and cash-ins: see findable.
func (l *Ledger) LookedUp(id data.ID, found ...gateway.Listed) {
	l.change(id, func(h handle) {
		l.listed(h, found...)
		if end := h.end(); end == NotCreated || end == Vanished {
			l.tell(id, notSettled(id, ErrNotCreated))
		}
	})
}

func (l *Ledger) listed(h handle, found ...gateway.Listed) {
	if len(found) == 0 {
		switch {
		case !h.findable() || h.Answer == Refused: // it may be listed under another id, or not at all
		case h.Answer == Accepted:
			h.Listed = Vanished
		default:
			h.Listed = NotCreated
		}
		return
	}
	f := found[0]
	status := endOf(f.Status)
	if reason := h.contradicts(status); reason != "" && len(found) == 1 {
		l.contradicted(h, reason)
	}
	switch status {
	case InFlight:
		h.Listed = Accepted
	case Confirmed, Failed:
		if status == Failed && h.end() != Failed {
			l.note(h, "payments_failed", "listed as "+clip(f.Status))
		}
		h.Listed = status
		if !h.Confirmed || h.Fee < 0 { // the webhook's fee is what the gateway says to have charged
			h.Fee = f.Fee
		}
		if !h.incoming() {
			l.maxFee = max(l.maxFee, f.Fee)
		}
	}
	l.doubled(h, len(found)-1, "the gateway lists it more than once", f.TransactionID, found[min(1, len(found)-1)].TransactionID)
	l.compare(h, f, status)
}

// contradicts is how the gateway's list contradicts the matched events; empty if it agrees or
// shows no outcome yet.
func (e *entry) contradicts(status Fate) string {
	told := Confirmed
	if !e.Confirmed {
		told = Failed
	}
	switch {
	case e.Conflict, !e.reported():
	case (status == Confirmed || status == Failed) && status != told:
		return fmt.Sprintf("expected %s, as in the gateway's list, got %s", status, told)
	}
	return ""
}

// contradicted judges the events of a payment as if the list had been known before.
func (l *Ledger) contradicted(h handle, reason string) {
	c := l.tally.of(h.Origin)
	c.WebhooksMatched--
	c.WebhooksContradictory++
	h.Conflict = true
	h.notLate(c)
	l.note(h, "webhooks_contradictory", reason)
}

// findable says whether the gateway's list shows the payment under the run's id. For other
// kinds the specification has no externalId: one that is not found may still exist.
func (e *entry) findable() bool {
	return e.Kind == CashOut || e.Kind == QRCashOut || e.Kind == CashIn
}

// Repeated records that a payment was deliberately sent twice, with the transaction ids of both responses; empty: none.
func (l *Ledger) Repeated(id data.ID, one, other string) {
	l.change(id, func(h handle) {
		l.tally.of(h.Origin).RepeatsSent++
		h.Repeated = true
		if len(l.repeated) < maxRepeated {
			l.repeated = append(l.repeated, h.Payment)
		}
		if one != "" && other != "" && one != other {
			l.doubled(h, 1, "the responses contain different transaction ids", one, other)
		}
	})
}

// doubled records n additional payments.
func (l *Ledger) doubled(h handle, further int, how string, ids ...string) {
	if further <= int(h.Doubles) {
		return
	}
	h.Doubles = uint8(min(further, 255)) // #nosec G115 -- positive
	l.note(h, "double_debits", clip(how+": "+strings.Join(ids, ", ")))
}

// maxRepeated limits Repeatedly.
const maxRepeated = 10_000

// Repeatedly are the deliberately repeated payments, at most 10,000, to look for second
// debits.
func (l *Ledger) Repeatedly() []Payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.repeated)
}
