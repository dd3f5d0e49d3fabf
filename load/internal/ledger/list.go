package ledger

import (
	"cmp"
	"fmt"
	"slices"

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

// Scan records what an account's list shows, and says whether it is a payment of this instance. It compares the
// amount and the fee of each payment that is kept in full, and takes from the list the outcome of those
// whose event has not arrived.
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
	l.terms.leave(&l.tally, e)
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
	case status == InFlight && (known || !l.terms.unheard[h.Kind]): // the list may lag behind the event; looked up otherwise
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

// mostUndecided limits Undecided to as many as there can be examples.
const mostUndecided = maxExamples

// Undecided are payments without events that the lists show as pending, or, of accounts whose list was read to its
// end, do not show. They are at most 1000, the earliest.
func (l *Ledger) Undecided(read map[int]bool) (all []Payment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.payments {
		if l.terms.silent(e) && read[e.Account] || l.terms.unheard[e.Kind] && e.Listed == Accepted {
			all = append(all, e.Payment)
		}
	}
	slices.SortFunc(all, func(a, b Payment) int { return cmp.Compare(a.ID.Sequence, b.ID.Sequence) })
	return all[:min(len(all), mostUndecided)]
}
