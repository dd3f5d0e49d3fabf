package ledger

import (
	"fmt"
	"slices"
	"strings"
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

// find is the payment of a transaction id, if one is known.
func (o *owners) find(transaction string) (sequence uint64, known bool) {
	name := hash(transaction)
	of := o[name%uint64(len(o))]
	return of.sequence, of.name == name
}

// uniquely says whether no other payment has its transaction id: that of a cash-out is described as a UUID.
func (e *entry) uniquely() bool { return e.Kind <= QRCashOut && e.comparable() }

// mixedUp counts two payments whose responses were mixed up, once, and names the first, or the second if
// the first is named already: whatever comes first, it is the same finding. Events are no longer compared
// with either response, and those that contradicted one are judged again.
func (l *Ledger) mixedUp(h handle, other uint64, transaction string) {
	o, ok := l.take(other)
	if !ok {
		return
	}
	defer l.put(o)
	known, otherKnown := h.Mixed, o.Mixed
	l.trust(h)
	l.trust(o)
	if known && otherKnown {
		return
	}
	second := other
	forgotten := o.Account < 0 // an example has neither account nor time
	if !forgotten && !otherKnown && (known || other < h.ID.Sequence) {
		h, second = o, h.ID.Sequence
	}
	l.tally.of(h.Origin).PaymentsMixedUp++
	l.note(h, "payments_mixed_up", fmt.Sprintf("the responses to it and to payment %s were mixed up: the transactionId %.64q", l.id(second).ExternalID(), transaction))
}

// trust lets a payment's events, rather than its response, decide which transaction it is.
func (l *Ledger) trust(h handle) {
	h.Transaction, h.Mixed = 0, true
	if !h.reported() {
		l.rejudge(h)
	}
}

// exchanged handles an event whose transaction id contradicts the response: the responses to two payments were mixed up if
// the event of each contradicts its own, and one has the id of the other response. Otherwise only the event is wrong.
func (l *Ledger) exchanged(h handle, m *message) {
	if h.Transaction == 0 || h.reported() || !h.uniquely() || !strings.HasPrefix(h.mismatch(m), otherTransaction) {
		return
	}
	l.told.owner(m.TransactionID, h.ID.Sequence)
	for _, by := range []struct {
		*owners
		id string
	}{{&l.responded, m.TransactionID}, {&l.told, h.TransactionID}} {
		if other, known := by.find(by.id); known && other != h.ID.Sequence && l.disputed(other) {
			l.mixedUp(h, other, by.id)
			return
		}
	}
}

// disputed says whether all events of a payment have another transaction id than its response.
func (l *Ledger) disputed(sequence uint64) bool {
	h, ok := l.take(sequence)
	if !ok {
		return false
	}
	defer l.put(h)
	return h.Transaction != 0 && !h.reported() && slices.ContainsFunc(l.early[sequence], func(e early) bool { return e.disputed() })
}

// hindsight judges events that arrived before the response again, if the response changes
// their verdict: the payment was refused, or is another transaction.
func (l *Ledger) hindsight(h handle) {
	told := h.reported()
	switch {
	case told && h.Answer == Refused, told && h.Transaction != 0 && h.Told != 0 && h.Transaction != h.Told:
		h.Confirmed, h.Failed, h.Conflict, h.Late = false, false, false, false
		h.Told, h.Received, h.Fee = 0, 0, -1
		l.rejudge(h)
		return
	case told && !h.Late && l.isLate(h.entry, h.Sent.Add(h.Received)): // recorded before the response, but received after it
		h.Late = true
		l.tally.of(h.Origin).WebhooksLate++
	}
	l.forget(h)
}

// rejudge judges the events that are kept again, and replaces their examples.
func (l *Ledger) rejudge(h handle) {
	early := l.early[h.ID.Sequence]
	if len(early) == 0 {
		return
	}
	delete(l.early, h.ID.Sequence)
	l.findings.retract(spell(h.ID, h.Kind), early)
	for _, e := range early {
		*l.tally.of(h.Origin).count(e.receipt.Verdict)--
		if e.receipt.Verdict == Resent {
			h.Resends++
		}
	}
	for i := range early {
		r := l.enter(h, &early[i].message)
		l.exampleOf(&r, &early[i].message)
	}
}

// forget drops the events before the response, except those that another response may explain. If a
// gateway always reports another transaction, that is too many to be one.
func (l *Ledger) forget(h handle) {
	kept := slices.DeleteFunc(l.early[h.ID.Sequence], func(e early) bool { return !e.disputed() })
	if len(kept) == 0 || len(l.early) > mostDisputed {
		delete(l.early, h.ID.Sequence)
		return
	}
	l.early[h.ID.Sequence] = kept
}
