package ledger

import "time"

// Money is an account's balance compared with the ledger: totals, available plus blocked, in
// centavos.
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

// inOrder is how much earlier than the newest event of its account an event may have been processed.
// The specification promises no order, and gateways process and deliver several events at a time.
const inOrder = time.Second

// overtaken is the processing time of an event that arrived earlier but was processed clearly later;
// zero if there is none. Events without a date are never overtaken.
func (a accounts) overtaken(index int, processed time.Time) (by time.Time) {
	if processed.IsZero() {
		return time.Time{}
	}
	of := a.at(index)
	if of.newest.Sub(processed) > inOrder {
		return of.newest
	}
	if processed.After(of.newest) {
		of.newest = processed
	}
	return time.Time{}
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

// moved is the effect of an account's payments on its total, and the possible effect of all
// payments ever sent.
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

// against compares the gateway's total with what the payments moved. No payment may make a
// total negative: the balance must cover payments, and an overdraft is not implemented
// (Balance; Endpoints/4, rule 1).
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
