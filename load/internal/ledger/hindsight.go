package ledger

// hindsight judges events that arrived before the response again, if the response changes
// their verdict: the payment was refused, or is another transaction.
func (l *Ledger) hindsight(h handle) (reason, sort string) {
	early := l.early[h.sequence]
	delete(l.early, h.sequence)
	switch {
	case h.Confirmed|h.Failed == 0:
		return "", ""
	case h.Answer == Refused:
		reason, sort = "expected no refusal, because the payment's event had arrived, got one", "webhooks_contradictory"
	case h.Transaction != 0 && h.Told != 0 && h.Transaction != h.Told:
		reason, sort = "expected the transaction id of the earlier event in the response, got another", "webhooks_malformed"
	default:
		if !h.Late && l.isLate(h.entry, h.Received) { // recorded before the response, but received after it
			h.Late = true
			l.tally.of(h.Origin).WebhooksLate++
		}
		return "", ""
	}
	h.Confirmed, h.Failed, h.Conflict, h.Late = 0, 0, false, false
	h.Told, h.Webhook, h.Received, h.Fee = 0, 0, 0, -1
	delete(l.seen, h.sequence)
	for i := range early {
		l.undo(h, &early[i])
	}
	for i := range early {
		e := &early[i]
		l.enter(h, &e.message, e.url, e.at, e.webhook)
	}
	return reason, sort
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
