package ledger

import "slices"

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
