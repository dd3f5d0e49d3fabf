package mutants

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/pixcert/pixcert/reference/store"
)

// Some faults belong to what a gateway remembers: they show long after the call that
// caused them, or in what the gateway does by itself. The functions below make them of
// SQL, and speak of the tables in reference/store/schema.sql.

// tampering is one change to the store.
type tampering struct {
	statement *regexp.Regexp // of the store; nil if it is a trigger
	becomes   string
	trigger   string // what follows CREATE TRIGGER name
}

// Storage is the mutant's fault in the store.
func (m Mutant) Storage() store.Tampering {
	var rewrites []tampering
	var triggers strings.Builder
	for i, t := range m.fault.storage {
		if t.statement != nil {
			rewrites = append(rewrites, t)
		} else {
			fmt.Fprintf(&triggers, "CREATE TRIGGER IF NOT EXISTS mutant_%d %s;\n", i, t.trigger)
		}
	}
	tampered := store.Tampering{Triggers: triggers.String()}
	if len(rewrites) > 0 {
		tampered.Rewrite = func(query string) string {
			for _, r := range rewrites {
				query = r.statement.ReplaceAllString(query, r.becomes)
			}
			return query
		}
	}
	return tampered
}

// rewriting changes the statements of the store that a pattern matches, in which a blank
// stands for any white space.
func rewriting(pattern, becomes string) fault {
	return fault{stack: callers(), storage: []tampering{{
		statement: regexp.MustCompile(`(?s)` + strings.ReplaceAll(pattern, " ", `\s+`)), becomes: becomes,
	}}}
}

// triggering carries out more whenever rows of a table change: "AFTER INSERT ON splits".
func triggering(event, when, statement string) fault {
	return fault{stack: callers(), storage: []tampering{{
		trigger: event + " WHEN " + when + " BEGIN " + statement + "; END",
	}}}
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

// booking moves other amounts than it should; an entry of the ledger is NEW, and p its
// payment. The deltas are expressions.
func booking(when, available, blocked string) fault {
	return both(
		triggering(`AFTER INSERT ON entries`, `EXISTS (SELECT 1 FROM payments p WHERE p.id = NEW.payment_id AND (`+when+`))`,
			`UPDATE entries SET delta_available = `+available+`, delta_blocked = `+blocked+` WHERE id = NEW.id`),
		summingUp)
}

// summingUp has the balances of an account follow from its entries.
var summingUp = rewriting(`UPDATE accounts SET available = \$1, blocked = \$2 WHERE id = \$3`, `UPDATE accounts SET
	available = (SELECT COALESCE(SUM(delta_available), 0) + 0 * $$1 FROM entries WHERE account_id = $$3),
	blocked = (SELECT COALESCE(SUM(delta_blocked), 0) + 0 * $$2 FROM entries WHERE account_id = $$3) WHERE id = $$3`)

// Statements and tables that several faults tamper with.

// accountColumn makes a column of an account, when it is read, what an expression says.
func accountColumn(name, expression string) fault {
	return rewriting(`\b`+name+`\b([^=]* FROM accounts WHERE)`, strings.ReplaceAll(expression, "$", "$$")+`${1}`)
}

// accountNow is the time of the account in the row of accounts, in microseconds.
const accountNow = `(CAST(unixepoch('subsec') * 1000000 AS INTEGER) + clock_offset)`

// onDay is the day in São Paulo of a time in microseconds, as a number.
func onDay(at string) string { return `((` + at + ` - 10800000000) / 86400000000)` }

// spentToday replaces the sum of what an account, $1, has paid on a day, $2.
func spentToday(query string) fault {
	return rewriting(`SELECT spent FROM daily_totals WHERE account_id = \$1 AND day = \$2`, query)
}

// findingBy changes how the lists of transactions filter; the pattern has a group, ${2}.
func findingBy(pattern, becomes string) fault {
	return rewriting(`(FROM payments p WHERE p\.account_id = \$1 AND p\.created_at.*)`+pattern, `${1}`+becomes)
}

// findingForAll has a filter of the lists find what other accounts have as well.
func findingForAll(filter string) fault {
	return rewriting(`(FROM payments p WHERE) p\.account_id = \$1 (AND p\.created_at.*`+filter+`)`, `${1} $$1 > 0 ${2}`)
}

// originalReceivedAt changes when the original of a refund was received; p is the original.
func originalReceivedAt(expression string) fault {
	return rewriting(`p\.processed_at( FROM payments p WHERE p\.end_to_end_id = \$1 AND p\.account_id = \$2)`, expression+`${1}`)
}

// resendingTo changes the condition on the registration that a resend goes to, of the
// account $1 for the type $2.
func resendingTo(condition string) fault {
	return rewriting(`(FROM webhooks WHERE account_id = \$1 AND) type = \$2 (AND active = 1 ORDER BY id LIMIT 1)`, `${1} `+condition+` ${2}`)
}

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

// returningLater returns the money of what the bank has rejected so much later.
func returningLater(by time.Duration) fault {
	back := fmt.Sprintf(`(SELECT COALESCE(SUM(e.delta_available), 0) FROM entries e WHERE e.account_id = accounts.id AND e.kind = 'returned' AND e.at > `+accountNow+` - %d)`, by.Microseconds())
	return both(accountColumn("available", `(available - `+back+`)`), summingUp)
}

// listing changes the order of the lists of transactions, of cases or of registrations.
func listing(order string) fault {
	return rewriting(`ORDER BY p\.created_at( \+ 0)? DESC, p\.id DESC`, `ORDER BY `+order)
}

func listingCases(order string) fault {
	return rewriting(`ORDER BY created_at DESC, id DESC( LIMIT)`, `ORDER BY `+order+`${1}`)
}

func listingRegistrations(order string) fault {
	return rewriting(`(FROM webhooks WHERE account_id = \$1) ORDER BY id`, `${1} ORDER BY `+order)
}
