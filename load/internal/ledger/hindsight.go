package ledger

import "slices"

// hindsight judges events that arrived before the response again, if the response changes
// their verdict: the payment was refused, or is another transaction.
func (l *Ledger) hindsight(h handle) (reason, sort string) {
	switch {
	case h.Confirmed|h.Failed == 0:
		l.forget(h)
		return "", ""
	case h.Answer == Refused:
		reason, sort = "expected no refusal, because the payment's event had arrived, got one", "webhooks_contradictory"
	case h.Transaction != 0 && h.Told != 0 && h.Transaction != h.Told:
		reason, sort = otherResponse, "webhooks_malformed"
	default:
		l.forget(h)
		if !h.Late && l.isLate(h.entry, h.Received) { // recorded before the response, but received after it
			h.Late = true
			l.tally.of(h.Origin).WebhooksLate++
		}
		return "", ""
	}
	h.Confirmed, h.Failed, h.Conflict, h.Late = 0, 0, false, false
	h.Told, h.Webhook, h.Received, h.Fee = 0, 0, 0, -1
	delete(l.seen, h.sequence)
	l.rejudge(h)
	return reason, sort
}

// otherResponse is why an event before the response is malformed.
const otherResponse = "expected the transaction id of the earlier event in the response, got another"

// rejudge judges the events that are kept again.
func (l *Ledger) rejudge(h handle) {
	early := l.early[h.sequence]
	delete(l.early, h.sequence)
	for i := range early {
		l.undo(h, &early[i])
	}
	for i := range early {
		e := &early[i]
		l.enter(h, &e.message, e.url, e.at, e.webhook)
	}
}

// forget drops the events before the response, except those that another response may explain.
func (l *Ledger) forget(h handle) {
	l.early[h.sequence] = slices.DeleteFunc(l.early[h.sequence], func(e early) bool { return e.verdict != Malformed })
	if len(l.early[h.sequence]) == 0 {
		delete(l.early, h.sequence)
	}
}

// undo removes a message from the counts.
func (s *store) undo(h handle, e *early) {
	*s.tally.of(h.Origin).count(e.verdict)--
	if e.verdict == Resent {
		h.Resends++
	}
	if e.same {
		s.tally.same--
	}
}
