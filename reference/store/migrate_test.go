package store

import (
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// kept copies a database that an earlier version left: account 1 has the cash-outs "delivered", "settled"
// (its webhook is still to be delivered) and "pending"; from schema 2 on also a paid cob with a pending
// refund, an unpaid cash-in and a MED case.
func kept(t *testing.T, version int) (path string) {
	t.Helper()
	file, err := os.Open(fmt.Sprintf("testdata/schema-%d.db.gz", version))
	require.NoError(t, err)
	defer file.Close()
	content, err := gzip.NewReader(file)
	require.NoError(t, err)
	path = filepath.Join(t.TempDir(), "gateway.db")
	copied, err := os.Create(path)
	require.NoError(t, err)
	_, err = io.Copy(copied, content)
	require.NoError(t, err)
	require.NoError(t, copied.Close())
	return path
}

// A database of every earlier schema opens with its accounts, its books and its work, and has the tables and
// indexes of a new one.
func TestEarlierSchemasAreBroughtUpToDate(t *testing.T) {
	t.Parallel()
	fresh := shape(t, open(t, filepath.Join(t.TempDir(), "new.db")))
	for version := 1; version < schemaVersion; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			t.Parallel()
			path := kept(t, version)
			s := open(t, path)
			assert.Equal(t, fresh, shape(t, s))
			require.NoError(t, s.CheckLedger(t.Context(), 1))
			if version == 5 { // it has a transfer whose key is in capitals
				repeat := transferOrder(1)
				repeat.IdempotencyKey = "6f1d2c3b-4a59-4e68-8f77-1b2c3d4e5f60"
				again, err := s.Transfer(t.Context(), 1, repeat)
				require.NoError(t, err)
				require.Equal(t, "6F1D2C3B-4A59-4E68-8F77-1B2C3D4E5F60", again.ExternalID, "a repeat makes no new transfer")
			}

			statuses := func() map[string]pix.Status {
				all := map[string]pix.Status{}
				account, err := s.Account(t.Context(), 1)
				require.NoError(t, err)
				around := pix.Period{From: account.Now().Add(-15 * 24 * time.Hour), Before: account.Now().Add(15 * 24 * time.Hour)}
				payments, total, err := s.Payments(t.Context(), 1, PaymentFilter{Period: around}, Page{1, 100})
				require.NoError(t, err)
				require.Len(t, payments, total)
				for _, p := range payments {
					all[p.ExternalID] = p.Status
				}
				return all
			}
			before := statuses()
			assert.Equal(t, pix.Confirmed, before["delivered"])
			assert.Equal(t, pix.Pending, before["pending"])
			if version > 1 {
				assert.Equal(t, pix.Pending, before["charge"])
			}

			_, err := s.DoDue(t.Context())
			require.NoError(t, err)
			assert.Equal(t, pix.Confirmed, statuses()["pending"])
			leased, err := s.LeaseDeliveries(t.Context(), 1, 10, time.Minute)
			require.NoError(t, err)
			var told []string
			for _, d := range leased {
				if strings.Contains(d.Body, `"TRANSFER"`) { // only schema 5 has a transfer
					continue
				}
				told = append(told, d.MessageID)
				assert.Contains(t, d.Body, "CONFIRMED")
			}
			assert.Len(t, slices.Compact(told), 2, "of the payments settled and pending")
			_, err = s.CashOut(t.Context(), 1, order("pending", 1))
			requireCode(t, pix.CodeDuplicateExternalID, err)
			_, err = s.CashOut(t.Context(), 1, order("new", 1))
			require.NoError(t, err)
			require.NoError(t, s.CheckLedger(t.Context(), 1))
		})
	}
}

// shape lists the columns and the indexes of a database.
func shape(t *testing.T, s *Store) []string {
	t.Helper()
	var all []string
	require.NoError(t, s.read(t.Context(), func(c conn) error {
		return c.each(func(row scanner) error {
			var one string
			err := row.Scan(&one)
			all = append(all, one)
			return err
		}, `SELECT m.name || ' ' || c.name || ' ' || c.type || ' ' || c.pk FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'
			UNION ALL SELECT m.name || ' ' || m.tbl_name || ' ' || COALESCE(m.sql, i.name) FROM sqlite_schema m, pragma_index_info(m.name) i WHERE m.type = 'index'
			ORDER BY 1`)
	}))
	return all
}

func TestNewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gateway.db")
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.ExecContext(context.Background(), fmt.Sprintf(`PRAGMA user_version = %d`, schemaVersion+1))
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = Open(t.Context(), path)
	require.ErrorIs(t, err, ErrNewer)
	assert.ErrorContains(t, err, "its schema is 7, this version reads schemas up to 6; update pixcert or use another directory")
}
