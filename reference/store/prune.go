package store

import (
	"context"
	"strconv"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// pruneBatch is how many rows of a table one transaction looks at: few, so that no request waits long for it.
const pruneBatch = 100

// MinRetention is longer than a delivery is retried.
const MinRetention = time.Hour

// Pruning is a pass over what is old, the oldest first.
type Pruning struct {
	store    *Store
	retain   time.Duration
	payments int64 // ids from here on belong to payments with deliveries to come
	after    map[string]int64
	finished map[string]bool
}

// Prune starts a pass that removes what is older than retain, by the clocks of the accounts: finished payments with
// their events, refunds and charges, the log of deliveries, and the entries of the ledger, whose sum one entry of
// each account carries on. A payment stays as long as there is a refund, a return or a MED case of it, or a split
// to come. Pending payments stay.
func (s *Store) Prune(ctx context.Context, retain time.Duration) (*Pruning, error) {
	p := &Pruning{store: s, retain: retain, after: map[string]int64{}, finished: map[string]bool{}}
	err := s.read(ctx, func(c conn) error {
		return c.row(`SELECT COALESCE(MIN(payment_id), 9223372036854775807) FROM jobs WHERE kind = 'deliver' AND payment_id <> 0`).Scan(&p.payments)
	})
	return p, err
}

// Next does a small part of the pass in a transaction of its own, and says whether there is more to do.
func (p *Pruning) Next(ctx context.Context) (more bool, err error) {
	for _, part := range []struct {
		table string
		prune func(*tx, *Pruning, []int64) error
		at    string // when a row was made, and whose clock that is
		clock string
	}{
		{"payments", (*tx).prunePayments, "created_at", "a.clock_offset"},
		{"entries", (*tx).pruneEntries, "at", "a.clock_offset"},
		{"deliveries", (*tx).pruneDeliveries, "at", "0"},
	} {
		if p.finished[part.table] {
			continue
		}
		err := p.store.write(ctx, func(t *tx) error {
			var rows int
			var old []int64
			var last int64
			if err := t.flush(); err != nil {
				return err
			}
			err := t.each(func(row scanner) error {
				var isOld bool
				err := row.Scan(&last, &isOld)
				rows++
				if isOld {
					old = append(old, last)
				}
				return err
			}, `SELECT r.id, r.`+part.at+` < $1 + `+part.clock+` FROM `+part.table+` r JOIN accounts a ON a.id = r.account_id
				WHERE r.id > $2 AND r.id < (SELECT MAX(id) FROM `+part.table+`) ORDER BY r.id LIMIT `+strconv.Itoa(pruneBatch),
				p.before(), p.after[part.table]) // the newest row stays: ids go on from there
			if err != nil {
				return err
			}
			// Ids and clocks grow together, unless a control sets a clock back.
			if p.finished[part.table] = rows < pruneBatch || len(old) == 0; len(old) == 0 {
				return nil
			}
			p.after[part.table] = last
			return part.prune(t, p, old)
		})
		return true, err
	}
	return false, nil
}

// before is the real time before which everything is old.
func (p *Pruning) before() int64 { return time.Now().Add(-p.retain).UnixMicro() }

func (t *tx) prunePayments(p *Pruning, old []int64) error {
	type pruned struct {
		id, accountID, created int64
		class                  class
	}
	var all []pruned
	ids := places(3, len(old))
	args := append([]any{p.before(), p.payments}, asArgs(old)...)
	err := t.each(func(row scanner) error {
		var one pruned
		var kind pix.Kind
		err := row.Scan(&one.id, &one.accountID, &kind, &one.class.status, &one.created)
		one.class.operation = kind.Operation()
		all = append(all, one)
		return err
	}, `SELECT p.id, p.account_id, p.kind, p.status, p.created_at FROM payments p JOIN accounts a ON a.id = p.account_id
		WHERE p.id IN (`+ids+`) AND p.id < $2 AND p.status <> `+quoted(pix.Pending)+` AND p.processed_at < $1 + a.clock_offset
		AND NOT EXISTS (SELECT 1 FROM payments q WHERE q.parent_id = p.id AND q.parent_id <> 0)
		AND p.id NOT IN (SELECT payment_id FROM meds WHERE payment_id <> 0)
		AND NOT EXISTS (SELECT 1 FROM charges c JOIN splits s ON s.charge_id = c.id
			WHERE c.payment_id = p.id AND c.payment_id <> 0 AND s.status = `+quoted(pix.SplitPending)+`)`, args...)
	if err != nil {
		return err
	}
	for _, one := range all {
		for _, statement := range [...]string{
			`DELETE FROM splits WHERE charge_id IN (SELECT id FROM charges WHERE payment_id = $1 AND payment_id <> 0)`,
			`DELETE FROM charges WHERE payment_id = $1 AND payment_id <> 0`,
			`DELETE FROM events WHERE payment_id = $1 AND payment_id <> 0`,
			`DELETE FROM transfers WHERE payment_id = $1`,
			`DELETE FROM refunds WHERE payment_id = $1`,
			`DELETE FROM payments WHERE id = $1`,
		} {
			if err := t.run(statement, one.id); err != nil {
				return err
			}
		}
		t.count(one.accountID, time.UnixMicro(one.created), one.class, -1)
	}
	return t.pruneCounts()
}

// pruneEntries adds entries to one of their account, whose id is the account's with a minus sign.
func (t *tx) pruneEntries(p *Pruning, old []int64) error {
	args := asArgs(old)
	in := ` WHERE id IN (` + places(1, len(old)) + `)`
	err := t.run(`INSERT INTO entries (id, account_id, payment_id, kind, delta_available, delta_blocked, at)
		SELECT -account_id, account_id, 0, '`+string(carried)+`', SUM(delta_available), SUM(delta_blocked), MAX(at) FROM entries`+in+` GROUP BY account_id
		ON CONFLICT (id) DO UPDATE SET delta_available = delta_available + excluded.delta_available,
			delta_blocked = delta_blocked + excluded.delta_blocked, at = excluded.at`, args...)
	if err != nil {
		return err
	}
	return t.run(`DELETE FROM entries`+in, args...)
}

func (t *tx) pruneDeliveries(p *Pruning, old []int64) error {
	args := asArgs(old)
	return t.run(`DELETE FROM deliveries WHERE id IN (`+places(1, len(old))+`)`, args...)
}

func asArgs(ids []int64) []any {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	return args
}
