package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
)

// operations are the labels with which lists show the kinds of payments.
var operations = [kinds]string{
	CashOut: "WITHDRAW", QRCashOut: "WITHDRAW", Transfer: "WITHDRAW", CashIn: "PAYMENT", Cob: "PAYMENT", Refund: "REFUND_IN",
}

// LookedLike says whether a list may show a payment of the kind with a label of an operation, of which gateways
// may have others: a transaction with the id of a payment may also be its return.
func (k Kind) LookedLike(operation string) bool {
	return k < kinds && operation == operations[k] || operation != "REFUND_OUT" && !slices.Contains(operations[:], operation)
}

// Scan records what an account's list shows, and says whether it is a payment of this instance. It compares the amount and
// fee of a payment that is kept in full, and takes the outcome from the list if the event has not arrived.
func (l *Ledger) Scan(account int, t gateway.Listed) (mine bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	sequence, ok := l.scanned(t)
	if !ok {
		return false
	}
	h, ok := l.take(sequence)
	switch {
	case !ok:
		return false
	case h.Account >= 0:
	case l.old.of(sequence) == silent && (t.Operation == operations[CashOut] || t.Operation == operations[CashIn]):
		l.put(h)
		h = l.unfold(sequence, account, t)
	default: // nothing to compare is left
		l.put(h)
		return true
	}
	if h.Kind <= CashIn && h.Kind.LookedLike(t.Operation) && h.Account == account { // others are looked up by other ids
		l.scan(h, t)
	}
	l.put(h)
	return true
}

// scanned is the sequence of a payment of this instance.
func (l *Ledger) scanned(t gateway.Listed) (sequence uint64, mine bool) {
	if id, ok := data.ParseID(t.ExternalID); ok && id.Run == l.cfg.Run {
		return id.Sequence, id.Instance == l.cfg.Instance
	}
	id, ok := l.aliased(t.EndToEndID)
	return id.Sequence, ok
}

// unfold takes a silent payment that is not in full any more out of the sums, with what the list shows.
func (l *Ledger) unfold(sequence uint64, account int, t gateway.Listed) handle {
	e := l.reopen(sequence, silent)
	e.Account, e.Amount, e.Kind = account, t.Amount, CashOut
	if t.Operation == operations[CashIn] {
		e.Kind = CashIn
	}
	l.cfg.book(&l.tally, e, -1)
	l.old.set(sequence, told)
	return handle{entry: e}
}

func (l *Ledger) scan(h handle, t gateway.Listed) {
	as := max(mark(t.TransactionID), 1)
	if h.ListedAs != 0 && h.ListedAs != as {
		l.doubled(h, 1, "the gateway lists another transaction under its id", t.TransactionID)
		return
	}
	h.ListedAs = as
	status := endOf(t.Status)
	known := h.end() != InFlight
	switch {
	case h.Answer == Refused:
		if status == Confirmed {
			l.note(h, "money_drift", "refused, and listed as "+clip(t.Status))
		}
	case status == InFlight && (known || !l.cfg.Unheard[h.Kind]): // the list may lag behind the event; looked up otherwise
	case h.Answer == Accepted || h.Answer == NoResponse:
		l.listed(h, t)
	}
}

// compare compares what the gateway lists with what was sent and with what the event says. The specification does not say
// which amount a list shows of a refund or of an immediate charge, nor the fee of a payment that failed.
func (l *Ledger) compare(h handle, f gateway.Listed, status Fate) {
	if h.Kind > CashIn || h.Amount < 0 || h.Sent.IsZero() { // if its send is forgotten, the amount is the list's
		return
	}
	h.Compared = true
	detail, more := "", int64(0)
	switch {
	case h.Misstated: // counted
	case f.Amount != h.Amount:
		detail, more = fmt.Sprintf("sent %s, listed %s", data.FormatAmount(h.Amount), data.FormatAmount(f.Amount)), f.Amount-h.Amount
	case h.Kind <= QRCashOut && h.Confirmed && h.Fee >= 0 && status == Confirmed && f.Fee != h.Fee:
		detail, more = fmt.Sprintf("fee %s according to its webhook, listed %s", data.FormatAmount(h.Fee), data.FormatAmount(f.Fee)), f.Fee-h.Fee
	}
	if detail == "" {
		return
	}
	h.Misstated = true
	x := h.example("payments_misstated", detail)
	if x.Moved = -more; h.incoming() {
		x.Moved = more
	}
	l.findings.add(x)
}

// Undecided are payments without events that the lists show as pending, or, of accounts whose list was read to its
// end, do not show. They are at most 1000, as many as there can be examples, the earliest.
func (l *Ledger) Undecided(read map[int]bool) []Payment {
	all := l.known(func(e *entry) bool {
		return l.cfg.silent(e) && read[e.Account] || l.cfg.Unheard[e.Kind] && e.Listed == Accepted
	})
	return all[:min(len(all), maxExamples)]
}

// Unresolved are the payments to look up, with what is known about each: those without a
// known outcome, and those whose events contradict each other.
func (l *Ledger) Unresolved() []Payment {
	return l.known(func(e *entry) bool {
		fate := e.fate()
		return e.Conflict && e.Listed == InFlight || fate <= NoResponse || fate == Accepted && !l.cfg.Unheard[e.Kind]
	})
}

// known are the payments that are kept in full and meet a condition, with their fates, the earliest first.
func (l *Ledger) known(is func(*entry) bool) (all []Payment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.payments {
		if is(e) {
			p := e.Payment
			p.Fate = e.fate()
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b Payment) int { return cmp.Compare(a.ID.Sequence, b.ID.Sequence) })
	return all
}

// EndToEnd sets the end-to-end id of a payment, by which it can be looked up if its event does not arrive.
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
	if reason := h.contradicts(status); reason != "" && len(found) == 1 { // as if the list had been known before
		c := l.tally.of(h.Origin)
		c.WebhooksMatched--
		c.WebhooksContradictory++
		h.Conflict = true
		h.notLate(c)
		l.note(h, "webhooks_contradictory", reason)
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

// contradicts is how the gateway's list contradicts the matched events; empty if it agrees or shows no outcome.
func (e *entry) contradicts(status Fate) string {
	told := Failed
	if e.Confirmed {
		told = Confirmed
	}
	if e.Conflict || !e.reported() || status == told || status != Confirmed && status != Failed {
		return ""
	}
	return fmt.Sprintf("expected %s, as in the gateway's list, got %s", status, told)
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

// Repeatedly are the deliberately repeated payments, at most 10,000, to look for second debits.
func (l *Ledger) Repeatedly() []Payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.repeated)
}
