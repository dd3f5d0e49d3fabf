package ledger

import (
	"fmt"

	"github.com/pixcert/pixcert/load/internal/data"
)

// owners are the payments that the latest transaction ids are of, by the hash of the id.
type owners [1 << 15]struct{ name, sequence uint64 }

// owner is the payment of a transaction id: this one, if it is the first.
func (o *owners) owner(transaction string, sequence uint64) uint64 {
	name := hash(transaction)
	of := &o[name%uint64(len(o))]
	if of.name != name {
		of.name, of.sequence = name, sequence
	}
	return of.sequence
}

// uniquely says whether the payment has a transaction id that no other payment has: that of a
// cash-out is described as a UUID.
func (e *entry) uniquely() bool { return e.Kind <= QRCashOut && e.comparable() }

// mixedUp counts two payments whose responses were mixed up, once, and names the first: whatever comes
// first, it is the same finding. Events are no longer compared with either response, and those that
// contradicted one are judged again.
func (l *Ledger) mixedUp(h handle, other uint64, transaction string) {
	o, ok := l.take(other)
	if !ok {
		return
	}
	defer l.put(o)
	known := h.Mixed && o.Mixed
	l.trust(h)
	l.trust(o)
	if known {
		return
	}
	second := other
	if other < h.sequence && o.Account >= 0 { // of one that is forgotten, an example has neither account nor time
		h, second = o, h.sequence
	}
	l.tally.of(h.Origin).PaymentsMixedUp++
	id := data.ID{Run: l.cfg.Run, Instance: l.cfg.Instance, Sequence: second}
	l.note(h, "payments_mixed_up", fmt.Sprintf("the responses to it and to payment %s were mixed up: the transactionId %.64q", id.ExternalID(), transaction))
}

// trust lets a payment's events, rather than its response, decide which transaction it is.
func (l *Ledger) trust(h handle) {
	h.Transaction, h.Mixed = 0, true
	if h.Confirmed|h.Failed == 0 {
		l.rejudge(h)
	}
}

// identify compares the transaction id of a response with those of the other payments.
func (l *Ledger) identify(h handle, transaction string) {
	if transaction == "" || !h.uniquely() {
		return
	}
	if other := l.owners.owner(transaction, h.sequence); other != h.sequence {
		l.mixedUp(h, other, transaction)
	}
}

// exchanged handles a payment's first event if its transaction id is that of another response: the
// two responses were mixed up, unless the other payment's own event has the same id.
func (l *Ledger) exchanged(h handle, m *message) {
	if m.problem != "" || m.TransactionID == "" || !h.uniquely() || h.Confirmed|h.Failed != 0 {
		return
	}
	other := l.owners.owner(m.TransactionID, h.sequence)
	if other == h.sequence || h.Transaction == 0 || h.Transaction == m.transaction {
		return
	}
	o, ok := l.take(other)
	if !ok {
		return
	}
	l.put(o)
	if o.Transaction == m.transaction && o.Confirmed|o.Failed == 0 {
		l.mixedUp(h, other, m.TransactionID)
	}
}
