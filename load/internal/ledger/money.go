package ledger

import (
	"fmt"
	"math"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Money is an account's balance compared with the ledger: available plus blocked, in centavos.
type Money struct {
	Account int   `json:"account"`
	Opening int64 `json:"opening"`
	From    int64 `json:"from"` // the lowest total that the payments allow
	To      int64 `json:"to"`   // the highest; the same if all outcomes are known
	Audited bool  `json:"audited"`
	Actual  int64 `json:"actual"`            // when audited
	Drift   int64 `json:"drift"`             // when audited: how far Actual is below From (negative) or above To
	Blocked int64 `json:"blocked,omitempty"` // when audited: the part of Actual that is blocked
}

// audit is an account's total according to the gateway.
type audit struct {
	Money         // as far as it is known
	Leaving int64 // the part of Opening that earlier payments may still take
	Opened  bool

	newest time.Time // processingDate of its events
}

type accounts map[int]*audit

func (a accounts) at(index int) *audit {
	if a[index] == nil {
		a[index] = &audit{Money: Money{Account: index}}
	}
	return a[index]
}

// Open records an account's total, available plus blocked, before its first payment. Earlier payments, such as those of
// a run whose drain time was too short, may still take what is blocked.
func (l *Ledger) Open(account int, total, blocked int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.accounts.at(account)
	a.Opening, a.Leaving, a.Opened = total, max(0, blocked), true
}

// Audit compares an account's total, according to the gateway, with the ledger, and keeps it
// for the book, with how much of it is blocked. Payments during the request do not widen the range: call it when the account
// is quiet.
func (l *Ledger) Audit(account int, total, blocked int64) Money {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.accounts.at(account)
	a.Actual, a.Blocked, a.Audited = total, blocked, true
	return l.money(*a)
}

// UnderTraffic starts comparing an account's total with the ledger during payments, and held
// ends it, with a total that was requested in the meantime. The total may include any part of
// what was sent since the start. Nothing is kept for the book.
func (l *Ledger) UnderTraffic(account int) (held func(total int64) Money) {
	l.mu.Lock()
	defer l.mu.Unlock()
	sum, sent := l.tally.moved(account)
	return func(total int64) Money {
		l.mu.Lock()
		defer l.mu.Unlock()
		_, since := l.tally.moved(account)
		since.Low, since.High, since.Outgoing = since.Low-sent.Low, since.High-sent.High, since.Outgoing-sent.Outgoing
		sum.add(since)
		sum.High += l.nameless.returnedTo(account)
		known := *l.accounts.at(account)
		known.Actual, known.Audited = total, true
		return known.against(sum, l.maxFee)
	}
}

func (l *Ledger) money(a audit) Money {
	sum, _ := l.tally.moved(a.Account)
	sum.High += l.nameless.returnedTo(a.Account)
	return a.against(sum, l.maxFee)
}

// moved is what an account's payments do to its total, and what all that were ever sent may do.
func (t *tally) moved(account int) (sum, sent balance) {
	return *at(&t.money, account), *at(&t.sent, account)
}

func (b *balance) add(other balance) {
	b.Certain += other.Certain
	b.Low += other.Low
	b.High += other.High
	b.Outgoing += other.Outgoing
	b.Returned += other.Returned
	b.Failed += other.Failed
}

// against compares the gateway's total with what the payments moved. No payment may make a total negative: the balance must
// cover it, and an overdraft is not implemented (Balance; Endpoints/4, rule 1).
func (a audit) against(moved balance, maxFee int64) Money {
	least := min(a.Opening-a.Leaving, 0)
	m := a.Money
	m.From = max(least, a.Opening-a.Leaving+moved.Certain+moved.Low-moved.Outgoing*maxFee)
	m.To = max(least, a.Opening+moved.Certain+moved.High)
	if m.Audited {
		m.Drift = min(m.Actual-m.From, 0) + max(m.Actual-m.To, 0)
	}
	return m
}

// Funds are what is certain of an account at a time: what its payments have moved, less what all that were sent by
// then may take at most. Payments sent later can take more; only what is credited later can add to it.
type Funds struct {
	at    time.Time
	moved balance
}

// creditLag is how long a credit, or money returned by a payment that failed, may lag behind its webhook.
const creditLag = 3 * time.Second

// funds are those of an account at least creditLag ago, or at its opening.
func (l *Ledger) funds(account int, now time.Time) Funds {
	sampled := at(&l.funded, account) // zero: at the opening nothing was sent or moved
	if now.Sub(sampled[1].at) > creditLag {
		moved, sent := l.tally.moved(account)
		moved.Low, moved.Outgoing = moved.Low-sent.Low, moved.Outgoing-sent.Outgoing
		sampled[0], sampled[1] = sampled[1], Funds{now, moved}
	}
	return sampled[0]
}

// fees are what is known of the fees of confirmed outgoing payments.
type fees struct {
	known [kinds + 1]bool // by kind: whether one was seen
	share float64         // the highest, of the amount
}

func (f *fees) seen(e *entry) {
	if !e.incoming() && e.Fee >= 0 && e.Amount > 0 {
		f.known[e.Kind], f.share = true, max(f.share, float64(e.Fee)/float64(e.Amount))
	}
}

// short counts a payment that was refused for lack of money, if its account had enough: the opening balance, less
// everything that was blocked then, was debited since, or may have been debited until now, including this
// payment. Of each, the fee may have been the highest seen plus the highest share seen.
func (l *Ledger) short(h handle, f Funds) {
	a := l.accounts.at(h.Account)
	_, sent := l.tally.moved(a.Account)
	low, outgoing := f.moved.Low+sent.Low, f.moved.Outgoing+sent.Outgoing
	left := a.Opening - a.Leaving + f.moved.Certain + low - outgoing*l.maxFee - int64(math.Ceil(float64(-low)*l.fees.share))
	if h.incoming() || h.Repeated || !a.Opened || !l.fees.known[h.Kind] || left < 0 {
		return
	}
	l.tally.of(h.Origin).PaymentsRefusedWrongly++
	l.note(h, "payments_refused_wrongly", fmt.Sprintf("refused for lack of money: %s and its fee would have left at least %s", data.FormatAmount(h.Amount), data.FormatAmount(left)))
}
