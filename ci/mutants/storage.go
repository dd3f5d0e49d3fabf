package mutants

import (
	"fmt"
	"strings"
	"time"
)

// Some faults belong to what a gateway remembers: they show long after the call that
// caused them, or in what the gateway does by itself. The functions below make them of
// triggers, and speak of the tables in reference/store/schema.sql.

// Triggers is the mutant's fault in the store, as SQL.
func (m Mutant) Triggers() string {
	var triggers strings.Builder
	for i, t := range m.fault.triggers {
		fmt.Fprintf(&triggers, "CREATE TRIGGER IF NOT EXISTS mutant_%d %s;\n", i, t)
	}
	return triggers.String()
}

// triggering carries out more whenever rows of a table change: "AFTER INSERT ON splits".
func triggering(event, when, statement string) fault {
	return fault{stack: callers(), triggers: []string{event + " WHEN " + when + " BEGIN " + statement + "; END"}}
}

// silent sends no event for which the condition holds. In the
// condition p is the payment, w the registration, and NEW the job of the delivery.
func silent(when string) fault {
	return triggering(`BEFORE INSERT ON jobs`, `NEW.kind = 'deliver' AND EXISTS (
		SELECT 1 FROM webhooks w LEFT JOIN payments p ON p.id = NEW.payment_id WHERE w.id = NEW.webhook_id AND (`+when+`))`,
		`SELECT RAISE(IGNORE)`)
}

// reporting changes a member of the events of payments for which the condition holds; p
// is the payment.
func reporting(when, path, expression string) fault {
	return triggering(`AFTER INSERT ON events`, `EXISTS (SELECT 1 FROM payments p WHERE p.id = NEW.payment_id AND (`+when+`))`,
		`UPDATE events SET body = json_set(body, '`+path+`', (SELECT `+expression+` FROM payments p WHERE p.id = NEW.payment_id)) WHERE id = NEW.id`)
}

// resendingAs has a resend take an event for one of another type, although it is first sent as
// what it is. The type is an expression; NEW is the event.
func resendingAs(eventType string) fault {
	return triggering(`AFTER INSERT ON events`, `NEW.payment_id <> 0`, `UPDATE events SET type = COALESCE((`+eventType+`), type) WHERE id = NEW.id`)
}

// booking moves other amounts than it should; an entry of the ledger is NEW, and p its
// payment. The deltas are expressions.
func booking(when, available, blocked string) fault {
	return both(
		triggering(`AFTER INSERT ON entries`, `EXISTS (SELECT 1 FROM payments p WHERE p.id = NEW.payment_id AND (`+when+`))`,
			`UPDATE entries SET delta_available = `+available+`, delta_blocked = `+blocked+` WHERE id = NEW.id`),
		triggering(`AFTER UPDATE OF available, blocked ON accounts`, `1`, `UPDATE accounts SET
			available = (SELECT COALESCE(SUM(delta_available), 0) FROM entries WHERE account_id = NEW.id),
			blocked = (SELECT COALESCE(SUM(delta_blocked), 0) FROM entries WHERE account_id = NEW.id) WHERE id = NEW.id`))
}

// refundedBesides adds an amount to what counts as returned of a payment, once a refund of it, NEW, is inserted or
// changes as the event says. The amount is in a payment of no account, which the lists do not show.
func refundedBesides(event, when, amount string) fault {
	return triggering(event+` ON payments`, `NEW.parent_id <> 0 AND NEW.account_id <> 0 AND (`+when+`)`,
		`INSERT INTO payments (id, kind, transaction_id, account_id, parent_id, external_id, end_to_end_id, status, amount, fee, description,
			key_type, pix_key, directory_key, counterpart_name, counterpart_document, counterpart_ispb, scenario, created_at)
		VALUES (-NEW.id, NEW.kind, 'besides ' || NEW.id, 0, NEW.parent_id, NEW.id, '', 'CONFIRMED', `+amount+`, 0, '', '', '', '', '', '', '', '', NEW.created_at)`)
}

// forgettingBesides takes back what refundedBesides has added for a refund, once it changes so.
func forgettingBesides(when string) fault {
	return triggering(`AFTER UPDATE OF status ON payments`, when, `DELETE FROM payments WHERE id = -NEW.id`)
}

// spent changes what an account has paid on a day whenever that changes; NEW is the row of the day.
func spent(when, statement string) fault {
	return both(
		triggering(`AFTER INSERT ON daily_totals`, when, statement),
		triggering(`AFTER UPDATE OF spent ON daily_totals`, when, statement))
}

// alsoSpent counts what was paid on a day to another one.
func alsoSpent(day string) string {
	return `INSERT INTO daily_totals (account_id, day, spent) VALUES (NEW.account_id, ` + day + `, NEW.spent)
		ON CONFLICT (account_id, day) DO UPDATE SET spent = excluded.spent`
}

// confirmedAlone counts to a day what was confirmed of it.
const confirmedAlone = `UPDATE daily_totals SET spent = (SELECT COALESCE(SUM(p.amount), 0) FROM payments p WHERE p.account_id = NEW.account_id AND p.status = 'CONFIRMED'
	AND p.kind IN ('cash-out', 'cash-out-qrcode') AND date(p.created_at / 1000000 - 10800, 'unixepoch') = day) WHERE account_id = NEW.account_id`

// accountNow is the time of the account in the row of accounts, in microseconds.
const accountNow = `(CAST(unixepoch('subsec') * 1000000 AS INTEGER) + clock_offset)`

// onDay is the day in São Paulo of a time in microseconds, as a number.
func onDay(at string) string { return `((` + at + ` - 10800000000) / 86400000000)` }

// neverExpiring has transfers stay in the queue for which the condition holds; p is the
// payment and NEW the transfer.
func neverExpiring(when string) fault {
	const aDay = `86400000000` // longer than any transfer asks for
	return both(
		triggering(`AFTER INSERT ON transfers`, `EXISTS (SELECT 1 FROM payments p WHERE p.id = NEW.payment_id AND (`+when+`))`,
			`UPDATE transfers SET expires_at = expires_at + `+aDay+` WHERE payment_id = NEW.payment_id`),
		triggering(`BEFORE INSERT ON jobs`, `NEW.kind = 'expire' AND EXISTS (SELECT 1 FROM transfers f JOIN payments p ON p.id = f.payment_id
			WHERE p.id = NEW.payment_id AND f.expires_at - p.created_at > `+aDay+`)`, `SELECT RAISE(IGNORE)`))
}

// Conditions and expressions on the payment p, the registration w or the row NEW.
const (
	feeNow     = `(SELECT a.fee_cash_out FROM accounts a WHERE a.id = p.account_id)`
	feeChanged = `p.kind = 'cash-out' AND p.fee <> ` + feeNow

	firstError = `(SELECT q.error_code FROM payments q WHERE q.account_id = p.account_id AND q.kind = p.kind AND q.status = 'ERROR' ORDER BY q.processed_at, q.id LIMIT 1)`
	firstPaid  = `FROM payments q WHERE q.account_id = p.account_id AND q.kind = p.kind AND q.status = 'CONFIRMED' ORDER BY q.id LIMIT 1`
	paidBefore = `EXISTS (SELECT 1 FROM payments q WHERE q.account_id = p.account_id AND q.kind = p.kind AND q.status = 'CONFIRMED'
		AND q.amount = p.amount AND q.counterpart_document = p.counterpart_document AND q.processed_at < p.processed_at)`

	returnedBefore = `EXISTS (SELECT 1 FROM payments q WHERE q.parent_id = p.parent_id AND q.id < p.id AND q.status = 'CONFIRMED')`
	firstReturned  = `FROM payments q WHERE q.parent_id = p.parent_id AND q.status = 'CONFIRMED' ORDER BY q.id LIMIT 1`
	whollyRefunded = `NEW.status = 'DEVOLVIDO' AND (SELECT SUM(r.amount) FROM payments r WHERE r.parent_id = NEW.parent_id AND r.status = 'CONFIRMED')
		= (SELECT o.amount FROM payments o WHERE o.id = NEW.parent_id)`

	splitsOfPayment = `SELECT 1 FROM splits s JOIN charges c ON c.id = s.charge_id WHERE c.payment_id = p.id`
	unpaidSplit     = `UPDATE splits SET status = 'PENDING' WHERE charge_id = NEW.charge_id AND position = NEW.position`

	eventType = `(SELECT e.type FROM events e WHERE e.id = NEW.event_id)`
	firstURL  = `(SELECT MIN(v.id) FROM webhooks v WHERE v.account_id = w.account_id AND v.type = w.type)`
)

// dueLater has the gateway do what is due by itself so much later.
func dueLater(kind string, by time.Duration) fault {
	return triggering(`AFTER INSERT ON jobs`, `NEW.kind = '`+kind+`' AND NEW.parked = 0`,
		fmt.Sprintf(`UPDATE jobs SET due_at = due_at + %d WHERE id = NEW.id`, by.Microseconds()))
}
