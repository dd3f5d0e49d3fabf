package ledger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Cause is one fault of the gateway that shows in several findings.
type Cause struct {
	Account  int      `json:"account"`
	Text     string   `json:"text"`
	Findings []string `json:"findings"` // the counts in which it shows: webhooks_orphan, money_drift
	Events   int64    `json:"events"`   // of the first of the findings
	Amount   int64    `json:"amount"`   // centavos, with fees; negative: the account has less
}

// causes joins findings that belong together.
func (d *derivation) causes() {
	for _, m := range d.Accounts {
		if !m.Audited || m.Drift == 0 {
			continue
		}
		c := Cause{Account: m.Account, Amount: m.Drift, Findings: []string{"money_drift"}}
		if d.unknown(&c) || d.unpaid(&c) {
			c.Text = fmt.Sprintf("account %d: %s", c.Account, c.Text)
			d.Causes = append(d.Causes, c)
		}
	}
}

// unknown says whether a balance is off by exactly what webhooks of unknown transactions report. A
// payment was then carried out twice, or another one was carried out from the run's account.
func (d *derivation) unknown(c *Cause) bool {
	moved, seen, sorts := int64(0), map[string]bool{}, c.Findings
	for _, e := range d.Examples {
		if e.Account != c.Account || e.Moved == 0 || seen[e.Payment+e.Detail] {
			continue
		}
		seen[e.Payment+e.Detail] = true
		moved += e.Moved
		if !slices.Contains(sorts, e.Sort) {
			sorts = append([]string{e.Sort}, sorts...)
		}
	}
	if len(seen) == 0 || moved != c.Amount {
		return false
	}
	c.Events, c.Findings = int64(len(seen)), sorts
	c.Text = "a webhook of an unknown transaction, and a balance that is off by its amount: a payment was carried out twice, or one that the run did not send"
	if c.Events > 1 {
		c.Text = fmt.Sprintf("%d webhooks of unknown transactions, and a balance that is off by the sum of their amounts: payments were carried out twice, or some that the run did not send", c.Events)
	}
	return true
}

// unpaid says whether a balance lacks exactly the money of all payments that failed, with or
// without fees. If amounts are equal, another payment may have been debited twice instead: the text
// states only what is known.
func (d *derivation) unpaid(c *Cause) bool {
	moved := *at(&d.sum.money, c.Account)
	fees := moved.Failed * d.maxFee
	if moved.Failed == 0 || -c.Amount != moved.Returned && -c.Amount != moved.Returned+fees {
		return false
	}
	var ids []string
	for _, e := range d.Examples {
		if e.Account == c.Account && e.Sort == "payments_failed" {
			ids = append(ids, e.Payment)
		}
	}
	what := fmt.Sprintf("%d payments", moved.Failed)
	if moved.Failed == 1 {
		what = "the only payment"
	}
	c.Text = fmt.Sprintf("the balance lacks R$ %s, exactly the money of %s reported as ERROR", data.FormatAmount(-c.Amount), what)
	if named := ids[:min(len(ids), mostNamed)]; len(named) > 0 { // none if the examples are of other accounts
		c.Text += ": " + strings.Join(named, ", ")
		if moved.Failed > int64(len(named)) {
			c.Text += ", …"
		}
	}
	return true
}

// mostNamed is how many payments the text of a cause names; the examples have more.
const mostNamed = 3

// moved is what an event of an unknown transaction says to have moved of an account's total.
func (e *Event) moved(v Verdict, reason string) int64 {
	if e.Fate != Confirmed || e.Amount <= 0 || v != Orphan && !strings.HasPrefix(reason, otherTransaction) {
		return 0
	}
	if kind := e.kind(); kind == CashIn || kind == Cob {
		return e.Amount - max(e.Fee, 0)
	}
	return -e.Amount - max(e.Fee, 0)
}

// otherTransaction begins the reason why an event of another transaction than the payment's
// is malformed.
const otherTransaction = "expected the transaction id of the response or of the previous event"

// mostSuspects is how many payments may explain a drift: more explain nothing.
const mostSuspects = 100

// suspects are the payments whose amount alone explains the drift of their account, among
// those that are still known in full: the latest, and those that are open.
func (l *Ledger) suspects(audits []audit) (all []Example) {
	drifts := map[int]int64{}
	for _, a := range audits {
		if m := l.money(a); m.Audited && m.Drift != 0 {
			drifts[a.Account] = max(m.Drift, -m.Drift)
		}
	}
	if len(drifts) == 0 {
		return nil
	}
	found := map[int][]Example{}
	l.eachOpen(func(sequence uint64, e *entry) {
		drift, off := drifts[int(e.Account)]
		if fate := e.fate(); !off || fate == Refused || fate == Absent || e.Amount != drift && e.Amount+l.terms.fee(e) != drift {
			return
		}
		p := l.payment(e, sequence)
		found[p.Account] = append(found[p.Account], e.example("money_drift", p.ID, p.Sent,
			"its amount is that by which the balance is off; it is "+e.fate().String()))
	})
	for _, examples := range found {
		if len(examples) <= mostSuspects {
			all = append(all, examples...)
		}
	}
	return all
}
