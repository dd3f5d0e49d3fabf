package ledger

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Book is the result of a ledger, as part of a result file.
type Book struct {
	Counts   Counts          `json:"counts"`
	ByOrigin map[any]*Counts `json:"-"` // those of nil include what has no origin
	// Unsent is how many of the refused payments were never sent, because there was no
	// connection.
	Unsent   int64     `json:"unsent,omitempty"`
	Accounts []Money   `json:"accounts"`
	Causes   []Cause   `json:"causes,omitempty"`
	Examples []Example `json:"examples"` // at most 1000 of each sort, the earliest
}

// Example is one finding.
type Example struct {
	Sort    string    `json:"sort"`              // the count that it is an example of: webhooks_lost
	Payment string    `json:"payment,omitempty"` // its id in the API
	Account int       `json:"account"`
	At      time.Time `json:"at"` // of the delivery, or of the send
	Detail  string    `json:"detail,omitempty"`
	// Moved are the centavos by which a total changed unexpectedly, according to an event of an unknown transaction or the list.
	Moved int64 `json:"moved,omitempty"`

	Transaction string `json:"transaction,omitempty"` // that moved them
}

// Add adds the book of another instance of the run, which has accounts of its own.
func (b *Book) Add(other Book) {
	b.Counts.Add(&other.Counts)
	b.Unsent += other.Unsent
	b.Accounts = slices.SortedFunc(slices.Values(slices.Concat(b.Accounts, other.Accounts)), func(a, b Money) int { return cmp.Compare(a.Account, b.Account) })
	b.Causes = slices.Concat(b.Causes, other.Causes)
	b.Examples = earliest(slices.Concat(b.Examples, other.Examples))
}

// Book is the ledger's findings as if the run ended now.
func (l *Ledger) Book() Book {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := closing{
		Ledger: l, sum: l.sum(), unreported: map[int][]*entry{}, blocked: map[int]int64{},
		Book: Book{Examples: slices.Concat(slices.Collect(maps.Values(l.findings))...)},
	}
	c.unnamed()
	for _, e := range l.payments {
		if !l.cfg.done(e) {
			c.end(e)
		}
		if l.cfg.silent(e) {
			c.found(e, "payments_unchecked", "accepted")
		}
	}
	c.sum.of(nil).PaymentsUnchecked += l.old.silent()
	c.stuck()
	c.balance()
	c.suspects()
	c.count()
	c.Unsent = c.sum.unsent
	c.Examples = earliest(c.Examples)
	c.causes()
	return c.Book
}

// closing decides what is still open in a ledger, which does not change.
type closing struct {
	*Ledger
	Book
	sum        tally
	unreported map[int][]*entry // by account: outgoing payments whose outcome nothing reported
	blocked    map[int]int64    // by account: what others may have blocked
}

// unnamed counts the messages whose payment did not become known. One may be about a refund without a response, whose id
// is unknown because of that.
func (c *closing) unnamed() {
	for m := range c.nameless.held {
		r := Receipt{Verdict: Orphan, Reason: noName}
		switch {
		case m.others || c.mayBeNoResponse(m):
			r.Verdict = Other
		case m.problem != "":
			r.Verdict, r.Reason = Malformed, m.problem
		}
		*c.sum.of(nil).count(r.Verdict)++
		if r.Verdict != Other {
			c.Examples = append(c.Examples, m.example("webhooks_"+r.Verdict.String(), &r, m.detail(&r)))
		}
	}
}

// mayBeNoResponse says whether a message may be about a refund without a response.
func (c *closing) mayBeNoResponse(m *message) bool {
	if m.problem != "" || m.Name != "REFUND" && m.Name != "CashInReversal" {
		return false
	}
	for _, e := range c.payments {
		if e.Kind == Refund && e.fate() <= NoResponse && e.Amount == m.Amount && e.Account == m.account {
			return true
		}
	}
	return false
}

// end decides the outcome of an open payment.
func (c *closing) end(e *entry) {
	c.resends(e)
	switch fate := e.fate(); {
	case fate == Confirmed, fate == Failed:
		if c.cfg.missing(e) && !c.cut {
			c.found(e, "webhooks_lost", "the payment is "+fate.String())
		}
	case fate == Vanished: // it is in the sums
		detail := ""
		if e.TransactionID != "" {
			detail = "accepted as transaction " + e.TransactionID
		}
		c.example(e, "payments_vanished", detail)
	case fate == NotCreated, fate == Refused:
	case fate == Accepted && c.cfg.Unheard[e.Kind] && e.Listed == InFlight: // unreported, in the sums, or unchecked
	case e.Listed == Accepted:
		c.blocked[e.Account] += e.Amount
		c.found(e, "payments_unsettled", "")
	case e.findable():
		c.blocked[e.Account] += e.Amount
		c.found(e, "payments_unknown", fate.String())
	case e.Answer == Accepted && !e.incoming():
		c.unreported[e.Account] = append(c.unreported[e.Account], e)
	default:
		c.found(e, "payments_unreported", fate.String())
	}
}

// stuck counts the accepted payments whose outcome nothing reported, transfers and refunds: as unsettled, if their money is
// still blocked, and neither was at the opening nor may be because of another payment.
func (c *closing) stuck() {
	for account, payments := range c.unreported {
		a := c.accounts.at(account)
		left := a.Blocked - a.Leaving - c.blocked[account]
		slices.SortFunc(payments, func(one, other *entry) int { // the largest first: as few as the blocked money proves
			return cmp.Or(cmp.Compare(other.Amount, one.Amount), cmp.Compare(one.ID.Sequence, other.ID.Sequence))
		})
		for _, e := range payments {
			if c.cut || left < e.Amount {
				c.found(e, "payments_unreported", e.fate().String())
				continue
			}
			left -= e.Amount
			c.found(e, "payments_unsettled", "accepted, and R$ "+data.FormatAmount(a.Blocked)+" of the account are still blocked")
		}
	}
}

// resends counts requested resends that the gateway claims to have sent, but that did not arrive.
func (c *closing) resends(e *entry) {
	if e.Resends <= e.Doubted || c.cfg.Unheard[e.Kind] || c.cut {
		return
	}
	c.sum.of(e.Origin).WebhooksResendLost += int64(e.Resends - e.Doubted)
	c.example(e, "webhooks_resend_lost", "")
}

// found counts a finding about a payment, with an example.
func (c *closing) found(e *entry, sort, detail string) {
	*c.sum.of(e.Origin).named(sort)++
	c.example(e, sort, detail)
}

func (c *closing) example(e *entry, sort, detail string) {
	c.Examples = append(c.Examples, e.example(sort, detail))
}

// balance compares the accounts with the payments.
func (c *closing) balance() {
	for account, moved := range c.sum.money {
		if moved != (balance{}) {
			c.accounts.at(account)
		}
	}
	for _, a := range c.accounts {
		m := c.money(*a)
		c.Accounts = append(c.Accounts, m)
		c.sum.of(nil).MoneyDrift += max(m.Drift, -m.Drift)
	}
	slices.SortFunc(c.Accounts, func(a, b Money) int { return cmp.Compare(a.Account, b.Account) })
}

// count adds up the counts of all origins.
func (c *closing) count() {
	for _, counts := range c.sum.counts {
		counts.WebhooksReceived = counts.received()
		c.Book.Counts.Add(counts)
	}
	c.Book.ByOrigin = c.sum.counts
}

const maxExamples = 1000 // how many examples of a sort are kept

// findings keeps the first examples of each sort.
type findings map[string][]Example

func (f findings) add(e Example) {
	if len(f[e.Sort]) < maxExamples {
		f[e.Sort] = append(f[e.Sort], e)
	}
}

// retract drops the examples of some events of a payment, except that one was out of order, which stays true.
func (f findings) retract(payment string, events []early) {
	for _, sort := range []string{"webhooks_malformed", "webhooks_contradictory", "webhooks_duplicate", "webhooks_late", "payments_failed"} {
		f[sort] = slices.DeleteFunc(f[sort], func(x Example) bool {
			return x.Payment == payment && slices.ContainsFunc(events, func(e early) bool { return e.At.Equal(x.At) })
		})
	}
}

// earliest are the first examples of each sort, ordered by sort, time and payment.
func earliest(all []Example) []Example {
	slices.SortFunc(all, func(a, b Example) int {
		return cmp.Or(strings.Compare(a.Sort, b.Sort), a.At.Compare(b.At),
			strings.Compare(a.Payment, b.Payment), strings.Compare(a.Detail, b.Detail))
	})
	kept, sort, n := all[:0], "", 0
	for _, e := range all {
		if e.Sort != sort {
			sort, n = e.Sort, 0
		}
		if n++; n <= maxExamples {
			kept = append(kept, e)
		}
	}
	return kept
}
