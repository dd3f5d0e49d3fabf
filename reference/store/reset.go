package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"

	"github.com/pixcert/pixcert/reference/pix"
)

// Reset and the snapshots replace the whole state, except the keys that sign access tokens: tokens of
// accounts that exist stay valid. Ids are not used again. Time is not replaced: each clock keeps its
// distance from real time.

// Reset removes everything and plants a seed, whose accounts it returns. An account that existed keeps
// what was generated for it.
func (s *Store) Reset(ctx context.Context, seed Seed) ([]pix.Account, error) {
	var accounts []pix.Account
	err := s.write(ctx, func(t *tx) error {
		tables, err := t.tables()
		if err != nil {
			return err
		}
		same := Seed{Directory: seed.Directory}
		for _, n := range seed.Accounts {
			if n, err = t.completed(n); err != nil {
				return err
			}
			same.Accounts = append(same.Accounts, n)
		}
		if err := t.clear(tables); err != nil {
			return err
		}
		accounts, err = t.plant(same)
		return err
	})
	s.replaced.Add(1)
	return accounts, err
}

// Generation counts how often the state was replaced.
func (s *Store) Generation() int64 { return s.replaced.Load() }

// completed is a seed's account with what was generated for it when it was created.
func (t *tx) completed(n NewAccount) (NewAccount, error) {
	existing, err := scanAccount(t.row(`SELECT `+accountColumns+` FROM accounts WHERE client_id = $1`, n.ClientID))
	if errors.Is(err, ErrNotFound) {
		return n, nil
	}
	n.ID, n.Name, n.Document, n.PixKey = existing.ID, existing.Name, existing.Document, existing.PixKey
	return n, err
}

const maxSnapshots = 100

var snapshotName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// SaveSnapshot copies the state under a name, in the place of the snapshot that had it. A snapshot
// lasts until the store is closed. A *pix.Refusal says that the name is invalid or that there are too
// many snapshots.
func (s *Store) SaveSnapshot(ctx context.Context, name string) error {
	if !snapshotName.MatchString(name) {
		return pix.Refuse(pix.CodeValidation, fmt.Sprintf("the name of a snapshot must be 1 to 64 letters, digits, dots, hyphens or underscores, got %q", name))
	}
	return s.write(ctx, func(t *tx) error {
		slot, err := t.takeSlot(name)
		if err != nil {
			return err
		}
		tables, err := t.tables()
		if err != nil {
			return err
		}
		if err := t.flush(); err != nil {
			return err
		}
		for _, table := range tables {
			copied := slot.copyOf(table)
			err := errors.Join(
				t.run(`CREATE TABLE IF NOT EXISTS `+copied+` AS SELECT * FROM main.`+table+` WHERE 0`),
				t.run(`DELETE FROM `+copied),
				t.run(`INSERT INTO `+copied+` SELECT * FROM main.`+table))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// RestoreSnapshot replaces the state by that of a snapshot. Deliveries that were under way are due.
func (s *Store) RestoreSnapshot(ctx context.Context, name string) error {
	defer s.replaced.Add(1)
	return s.write(ctx, func(t *tx) error {
		slot, err := t.slot(name)
		if err != nil {
			return err
		}
		tables, err := t.tables()
		if err != nil {
			return err
		}
		if err := t.clear(tables); err != nil {
			return err
		}
		for _, table := range tables {
			if err := t.run(`INSERT INTO main.` + table + ` SELECT * FROM ` + slot.copyOf(table)); err != nil {
				return err
			}
		}
		return t.run(`UPDATE jobs SET leased_until = 0 WHERE leased_until <> 0`)
	})
}

// DeleteSnapshot frees the memory of a snapshot.
func (s *Store) DeleteSnapshot(ctx context.Context, name string) error {
	return s.write(ctx, func(t *tx) error {
		slot, err := t.slot(name)
		if err != nil {
			return err
		}
		tables, err := t.tables()
		if err != nil {
			return err
		}
		for _, table := range tables {
			if err := t.run(`DELETE FROM ` + slot.copyOf(table)); err != nil {
				return err
			}
		}
		return t.run(`DELETE FROM snapshots WHERE name = $1`, name)
	})
}

// Snapshots lists the names of the snapshots.
func (s *Store) Snapshots(ctx context.Context) ([]string, error) {
	var names []string
	err := s.write(ctx, func(t *tx) error {
		names = []string{}
		if err := t.createSlots(); err != nil {
			return err
		}
		return t.each(func(row scanner) error {
			var name string
			err := row.Scan(&name)
			names = append(names, name)
			return err
		}, `SELECT name FROM snapshots ORDER BY name`)
	})
	return names, err
}

// slot has the tables of a snapshot. They are temporary, so they end with the writer's connection, and
// a later snapshot uses them again, so that the number of prepared statements is bounded.
type slot int64

func (s slot) copyOf(table string) string { return fmt.Sprintf(`temp."%s of %d"`, table, s) }

func (t *tx) createSlots() error {
	return t.run(`CREATE TEMP TABLE IF NOT EXISTS snapshots (name TEXT PRIMARY KEY, slot BIGINT NOT NULL UNIQUE)`)
}

// slot returns the slot of a snapshot.
func (t *tx) slot(name string) (slot, error) {
	if err := t.createSlots(); err != nil {
		return 0, err
	}
	var found slot
	err := t.row(`SELECT slot FROM snapshots WHERE name = $1`, name).Scan(&found)
	return found, orNotFound(err)
}

// takeSlot returns the slot of a snapshot, a free one for a new name.
func (t *tx) takeSlot(name string) (slot, error) {
	found, err := t.slot(name)
	if !errors.Is(err, ErrNotFound) {
		return found, err
	}
	err = t.row(`WITH RECURSIVE slots (slot) AS (SELECT 0 UNION ALL SELECT slot + 1 FROM slots WHERE slot < $1 - 1)
		SELECT MIN(slot) FROM slots WHERE slot NOT IN (SELECT slot FROM snapshots) HAVING MIN(slot) IS NOT NULL`, maxSnapshots).Scan(&found)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, pix.Refuse(pix.CodeValidation, fmt.Sprintf("there are %d snapshots already, delete one first", maxSnapshots))
	}
	if err != nil {
		return 0, err
	}
	return found, t.run(`INSERT INTO snapshots (name, slot) VALUES ($1, $2)`, name, found)
}

// tables lists the tables of the state.
func (t *tx) tables() ([]string, error) {
	var tables []string
	err := t.each(func(row scanner) error {
		var name string
		err := row.Scan(&name)
		tables = append(tables, name)
		return err
	}, `SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name <> 'signing_keys'`)
	return tables, err
}

// clear empties tables, and forgets what is known of their rows.
func (t *tx) clear(tables []string) error {
	t.wake, t.changed = true, true
	t.cache.replaced()
	for _, table := range tables {
		if err := t.run(`DELETE FROM main.` + table); err != nil {
			return err
		}
	}
	return nil
}
