package ledger

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Receive matches, measures and counts a delivery.
func (l *Ledger) Receive(d Delivery) Receipt {
	m := read(string(d.Body))
	m.WebhookID, m.At, m.account, m.urlType = d.WebhookID, d.At, d.Account, d.Type
	if m.broken { // it may be long: do not search it with the lock
		m.inside, _ = data.FindID(d.Body, l.cfg.Run)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch id, found := l.locate(&m); {
	case !found:
		return l.unnamed(&m)
	case id.Instance != l.cfg.Instance:
		return l.unmatched(Receipt{Verdict: Orphan, Reason: fmt.Sprintf("it is about a payment of instance %d: give each instance a webhook URL of its own", id.Instance)}, &m)
	default:
		return l.received(id, &m)
	}
}

// locate is the payment of this run that a message is about. If the message also has ids of
// another payment, as that of a refund does, only its own ids count.
func (l *Ledger) locate(m *message) (data.ID, bool) {
	switch {
	case m.about == aboutOther:
		return data.ID{}, false
	case m.about == aboutRefund:
		return l.named(m.names, l.mayBeRefund) // the names may also be the original's
	}
	if id, ok := l.named(m.names, func(data.ID) bool { return true }); ok {
		return id, true
	}
	if m.broken && (strings.Contains(m.Body, "REFUND") || strings.Contains(m.Body, "Reversal")) {
		m.names = tokens(m.Body)
		return l.named(m.names, l.mayBeRefund)
	}
	if m.broken {
		return m.inside, m.inside != (data.ID{})
	}
	return data.FindID([]byte(m.Body), l.cfg.Run)
}

// named is the first payment among ids, some of which may be of others.
func (l *Ledger) named(names []string, mayBe func(data.ID) bool) (data.ID, bool) {
	for _, name := range names {
		id, ok := data.ParseID(name)
		if !ok || id.Run != l.cfg.Run {
			id, ok = l.aliased(name)
		}
		if ok && mayBe(id) {
			return id, true
		}
	}
	return data.ID{}, false
}

// aliased is the payment of this instance with the given alias.
func (l *Ledger) aliased(name string) (data.ID, bool) {
	sequence, ok := l.nameless.aliases[hash(name)]
	return l.id(sequence), ok
}

// mayBeRefund says whether a payment is not known to be of another kind.
func (l *Ledger) mayBeRefund(id data.ID) bool {
	h, ok := l.take(id.Sequence)
	if !ok {
		return true
	}
	defer l.put(h)
	return h.Kind == Refund || h.Kind == unknownKind
}

// tokens are possible ids in a body that is not JSON: runs of letters, digits and hyphens.
func tokens(body string) []string {
	const shortest, most = 16, 32 // length of an id, number of ids
	all := strings.FieldsFunc(body, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	all = slices.DeleteFunc(all, func(s string) bool { return len(s) < shortest })
	return all[:min(len(all), most)]
}

// received records a message about a payment of this instance.
func (l *Ledger) received(id data.ID, m *message) (r Receipt) {
	m.ID = id
	h, ok := l.recall(id.Sequence, m)
	if !ok {
		return l.unmatched(Receipt{Verdict: Orphan, Reason: "expected the id of a payment that was sent, got " + id.ExternalID()}, m)
	}
	r = l.enter(h, m)
	switch r.Verdict {
	case Matched:
		l.order(m)
		if r.OutOfOrder = m.overtaken != ""; r.OutOfOrder {
			l.outOfOrder++
		}
		l.tell(id, Settlement{Event: m.Event})
	case Malformed:
		l.tell(id, notSettled(id, fmt.Errorf("%w: %s", ErrEvent, r.Reason)))
	}
	l.put(h)
	l.exampleOf(&r, m)
	return r
}

// order determines, once, whether a message arrived after one that was processed clearly later.
func (l *Ledger) order(m *message) {
	if m.ordered || m.ProcessingDate.IsZero() {
		return
	}
	m.ordered = true
	const millis = "2006-01-02T15:04:05.000Z"
	switch newest := &l.accounts.at(m.account).newest; {
	case newest.Sub(m.ProcessingDate) > inOrder:
		m.overtaken = fmt.Sprintf("expected a processingDate at most %v before %s, that of an earlier webhook, got %s",
			inOrder, newest.UTC().Format(millis), m.ProcessingDate.UTC().Format(millis))
	case m.ProcessingDate.After(*newest):
		*newest = m.ProcessingDate
	}
}

// inOrder is how much earlier than the newest event of its account an event may have been processed.
// The specification promises no order, and gateways process and deliver several events at a time.
const inOrder = time.Second

// enter judges and counts a message about a payment.
func (l *Ledger) enter(h handle, m *message) (r Receipt) {
	r.ID, r.Kind, r.Origin = h.ID, h.Kind, h.Origin
	l.exchanged(h, m)
	r.Verdict, r.Reason = h.judge(m)
	*l.tally.of(h.Origin).count(r.Verdict)++
	if r.Verdict == Matched {
		l.matched(h, m, &r)
	}
	h.notLate(l.tally.of(h.Origin))
	if r.Verdict != Malformed && !h.incoming() {
		l.maxFee = max(l.maxFee, m.Fee)
	}
	if e := (early{*m, r}); h.Answer == InFlight && m.problem == "" || e.disputed() && len(l.early) < mostDisputed {
		l.early[h.ID.Sequence] = append(l.early[h.ID.Sequence], e)
	}
	return r
}

// matched measures a delivery and keeps what the payment's watchers need.
func (l *Ledger) matched(h handle, m *message, r *Receipt) {
	r.Acceptance = h.lag(m.At)
	r.Intended = max(0, m.At.Sub(h.Sent)+h.Waited)
	r.Late = l.isLate(h.entry, m.At)
	if r.Late {
		h.Late = true
		l.tally.of(h.Origin).WebhooksLate++
	}
	l.recent.keep(m.Event)

	if m.Fate == Confirmed {
		l.fees.seen(h.entry)
	}
}

// isLate says whether an event is late, and not only because this process stalled.
func (l *Ledger) isLate(e *entry, at time.Time) bool {
	if !l.cfg.isLate(e, at) || l.cfg.Stalled == nil {
		return l.cfg.isLate(e, at)
	}
	lag := e.lag(at)
	return lag-l.cfg.Stalled(at.Add(-lag), at) > l.cfg.Late
}

// Alias adds an id that events may use for the payment: a refund's rtrId, or ids that the gateway assigned to a cash-in. It
// returns the receipts of such events that have already arrived.
func (l *Ledger) Alias(id data.ID, name string) (early []Receipt) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.nameless.alias(id.Sequence, name) {
		early = append(early, l.received(id, m))
	}
	return early
}

// unnamed records a message that matched none of the known ids. The receipt of a held message
// applies if its id never becomes known.
func (l *Ledger) unnamed(m *message) Receipt {
	if m.about == aboutRefund {
		l.order(m) // by when it arrived, not by when its id becomes known
		m.others = m.others || l.earlier(m.origin, m.Name)
	}
	r, mayBeNamed := Receipt{Verdict: Orphan, Reason: noName}, true
	switch {
	case m.about == aboutOther || m.open && m.Name != "" && len(m.names) == 0 || l.earlier(m.names, m.Name):
		r, mayBeNamed = Receipt{Verdict: Other}, false // such as what a gateway sends to a newly registered URL
	case slices.ContainsFunc(m.names, l.nameless.forgotten):
		r, mayBeNamed = Receipt{Verdict: Duplicate}, false
	case m.others:
		r = Receipt{Verdict: Other}
	case m.problem != "":
		r = Receipt{Verdict: Malformed, Reason: m.problem}
	}
	if l.nameless.hold(m, mayBeNamed) {
		return r
	}
	return l.unmatched(r, m)
}

// earlier says whether an event is about a payment of another run, whose webhook was still pending when that run ended: an
// account's URLs are the same in every run. Of random UUIDs, one in a thousand looks like an id of a run, but hardly any
// like one of a run with a realistic number of instances and payments.
func (l *Ledger) earlier(names []string, event string) bool {
	const instances, payments = 1 << 10, 1 << 32
	return slices.ContainsFunc(names, func(name string) bool {
		id, ok := data.ParseID(name)
		return ok && id.Run != l.cfg.Run && (name == id.ExternalID() || event == "TRANSFER" && id.Instance < instances && id.Sequence < payments)
	})
}

// unmatched counts a delivery that matches no payment of this instance.
func (l *Ledger) unmatched(r Receipt, m *message) Receipt {
	*l.nameless.counts.count(r.Verdict)++
	if r.Verdict != Other {
		l.exampleOf(&r, m)
	}
	return r
}

// exampleOf records a delivery as an example of its verdict; a matched one only if it is late
// or out of order, or reports that the payment failed.
func (l *Ledger) exampleOf(r *Receipt, m *message) {
	if r.Verdict != Matched {
		l.example("webhooks_"+r.Verdict.String(), r, m, m.detail(r))
		return
	}
	if m.Fate == Failed {
		l.example("payments_failed", r, m, strings.TrimSuffix("reported by its webhook: "+clip(m.ErrorCode), ": "))
	}
	if r.Late {
		l.example("webhooks_late", r, m, "arrived "+r.Acceptance.Round(time.Millisecond).String()+" after the response")
	}
	if r.OutOfOrder {
		l.example("webhooks_out_of_order", r, m, m.overtaken)
	}
}

func (l *Ledger) example(sort string, r *Receipt, m *message, detail string) {
	e := m.example(sort, r, detail)
	if r.ID.Run != 0 {
		e.Payment = spell(r.ID, r.Kind)
	}
	l.findings.add(e)
}

// example is one of a finding about a message.
func (m *message) example(sort string, r *Receipt, detail string) Example {
	e := Example{Sort: sort, Account: m.account, At: m.At, Detail: detail}
	e.unknown(&m.Event, r.Verdict, r.Reason)
	return e
}

const noName = "expected the id of a payment of this run, got none" // why most orphans are

// detail is why a delivery has its verdict, with a quotation of its body if that helps to find it.
func (m *message) detail(r *Receipt) string {
	detail := r.Reason
	switch {
	case r.Verdict == Duplicate && m.WebhookID != "":
		return "webhook-id " + clip(m.WebhookID)
	case r.Verdict == Orphan || r.Verdict == Malformed:
		if m.urlType != "" {
			detail += ", at the URL for " + m.urlType
		}
		if m.Body != "" {
			detail += ": " + clip(m.Body)
		}
	}
	return detail
}

const shown = 500 // how many bytes of text from outside are quoted

// clip shortens text from outside.
func clip(s string) string {
	if len(s) > shown {
		s = s[:shown] + "…"
	}
	return strings.ToValidUTF8(s, "\ufffd")
}
