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
func (d *closing) causes() {
	for _, m := range d.Accounts {
		if !m.Audited || m.Drift == 0 {
			continue
		}
		c := Cause{Account: m.Account, Amount: m.Drift, Findings: []string{"money_drift"}}
		if d.misstated(&c) || d.unknown(&c) || d.unpaid(&c) {
			c.Text = fmt.Sprintf("account %d: %s", c.Account, c.Text)
			d.Causes = append(d.Causes, c)
		}
	}
}

// examples are those of a finding about an account.
func (d *closing) examples(account int, sort string) []Example {
	return slices.DeleteFunc(slices.Clone(d.Examples), func(e Example) bool { return e.Account != account || e.Sort != sort })
}

// misstated says whether a balance is off by exactly what the gateway's list shows differently.
func (d *closing) misstated(c *Cause) bool {
	moved, payments := int64(0), []string(nil)
	for _, e := range d.examples(c.Account, "payments_misstated") {
		moved += e.Moved
		payments = append(payments, e.Payment+": "+e.Detail)
	}
	if len(payments) == 0 || moved != c.Amount {
		return false
	}
	c.Events, c.Findings = int64(len(payments)), []string{"payments_misstated", "money_drift"}
	c.Text = "the balance is off by exactly what the gateway lists differently: payment " + someOf(payments)
	return true
}

// unknown says whether a balance is off by exactly what webhooks of unknown transactions report. If they have the ids of
// payments that did not fail, these were carried out twice; otherwise a payment was, or one that is not the run's.
func (d *closing) unknown(c *Cause) bool {
	moved, seen, twice := int64(0), map[string]bool{}, true
	var transactions, payments, same, sorts []string
	add := func(to *[]string, name string) {
		if name != "" && !slices.Contains(*to, name) {
			*to = append(*to, name)
		}
	}
	for _, e := range d.Examples {
		switch {
		case e.Account != c.Account, e.Sort == "payments_misstated":
		case e.Sort == "money_drift":
			same = append(same, e.Payment)
		case e.Moved != 0 && !seen[e.Payment+e.Detail]:
			seen[e.Payment+e.Detail] = true
			moved += e.Moved
			twice = twice && e.Payment != "" && e.Sort == "webhooks_malformed"
			add(&transactions, e.Transaction)
			add(&payments, e.Payment)
			add(&sorts, e.Sort)
		}
	}
	if len(seen) == 0 || moved != c.Amount {
		return false
	}
	for _, e := range d.Examples {
		ended := e.Sort == "payments_failed" || e.Sort == "payments_vanished"
		twice = twice && !(ended && slices.Contains(payments, e.Payment))
	}
	guess := "a payment was carried out twice, or one that the run did not send"
	switch {
	case twice:
		guess = "carried out more than once: " + someOf(payments)
	case len(seen) == 1 && len(same) > 0:
		guess += "; of this amount: " + someOf(same)
	}
	c.Events, c.Findings = int64(len(seen)), append(sorts, c.Findings...)
	c.Text = "the balance is off by exactly what webhooks of unknown transactions report (" + someOf(transactions) + "): " + guess
	c.Text = strings.Replace(c.Text, " ()", "", 1) // an event need not have an id
	return true
}

// someOf are the first of some ids.
func someOf(ids []string) string {
	if len(ids) > mostNamed {
		return strings.Join(ids[:mostNamed], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}

// unpaid says whether a balance lacks exactly the money of all payments that failed, with or without fees. If amounts are
// equal, another payment may have been debited twice instead: the text states only what is known.
func (d *closing) unpaid(c *Cause) bool {
	moved := *at(&d.sum.money, c.Account)
	fees := moved.Failed * d.maxFee
	if moved.Failed == 0 || -c.Amount != moved.Returned && -c.Amount != moved.Returned+fees {
		return false
	}
	var ids []string
	for _, e := range d.examples(c.Account, "payments_failed") {
		ids = append(ids, e.Payment)
	}
	what := fmt.Sprintf("%d payments", moved.Failed)
	if moved.Failed == 1 {
		what = "the only payment"
	}
	c.Text = fmt.Sprintf("the balance lacks R$ %s, exactly the money of %s reported as ERROR", data.FormatAmount(-c.Amount), what)
	if len(ids) > 0 { // none if the examples are of other accounts
		c.Text += ": " + someOf(ids)
	}
	return true
}

const mostNamed = 3 // how many payments the text of a cause names; the examples have more

// unknown sets what an event of an unknown transaction says to have moved of an account's total.
func (x *Example) unknown(e *Event, v Verdict, reason string) {
	if e.Fate != Confirmed || e.Amount <= 0 || v != Orphan && !strings.HasPrefix(reason, otherTransaction) {
		return
	}
	x.Transaction, x.Moved = clip(e.TransactionID), -e.Amount-max(e.Fee, 0)
	if kind := e.kind(); kind == CashIn || kind == Cob {
		x.Moved = e.Amount - max(e.Fee, 0)
	}
}

// otherTransaction begins the reason why an event of another transaction than the payment's is malformed.
const otherTransaction = "expected the transaction id of the response or of the previous event"

const mostSuspects = 100 // how many payments may explain a drift: more explain nothing

// suspects adds the payments whose amount alone explains the drift of their account, among those that are still known
// in full: the latest, and those that are open.
func (d *closing) suspects() {
	for _, m := range d.Accounts {
		if m.Drift == 0 {
			continue
		}
		var found []Example
		for _, e := range d.payments {
			drift, fate := max(m.Drift, -m.Drift), e.fate()
			if e.Account == m.Account && fate != Refused && fate != NotCreated && (e.Amount == drift || e.Amount+d.cfg.fee(e) == drift) {
				found = append(found, e.example("money_drift", "its amount is that by which the balance is off; it is "+fate.String()))
			}
		}
		if len(found) <= mostSuspects {
			d.Examples = append(d.Examples, found...)
		}
	}
}
