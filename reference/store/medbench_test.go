package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// insertMEDs adds cases of the last 300 days, of every status, most of them reconciled.
func (s *Store) insertMEDs(t testing.TB, account pix.Account, original pix.Payment, cases int) {
	t.Helper()
	step := (300 * 24 * time.Hour).Microseconds() / int64(cases)
	require.NoError(t, s.write(context.Background(), func(t *tx) error {
		first := t.ids.row + 1
		t.ids.row += int64(cases)
		return t.run(`WITH RECURSIVE history (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM history WHERE n < $1 - 1)
			INSERT INTO meds (id, account_id, end_to_end_id, payment_id, status, reason, cause, description, requesting_ispb, history, created_at, updated_at)
			SELECT $2 + n, $3, $4, CASE WHEN n % 5 = 0 THEN 0 ELSE $5 END,
				CASE WHEN n % 7 = 0 THEN 'OPEN' WHEN n % 11 = 0 THEN 'RECEIVED' WHEN n % 13 = 0 THEN 'CANCELLED' ELSE 'ANALYZED' END,
				'REFUND_REQUEST', 'FRAUD', printf('%.100c', 'x'), '60701190',
				'[{"status":"OPEN","date":"2026-03-01T12:00:00Z"},{"status":"RECEIVED","date":"2026-03-02T12:00:00Z"}]', $6 + n * $7, $6 + n * $7
			FROM history`, cases, first, account.ID, original.EndToEndID, original.ID, account.Now().UnixMicro()-int64(cases)*step, step)
	}))
}

// BenchmarkMEDs reads the first, the middle and the last page of the MED list with every pair of filters, of all
// time and of a hundred days, on an account with cases. For the units, see BenchmarkLists.
func BenchmarkMEDs(b *testing.B) {
	for _, cases := range []int{100, 100_000} {
		b.Run(fmt.Sprintf("cases=%d", cases), func(b *testing.B) {
			const size = 100
			s := open(b, filepath.Join(b.TempDir(), "gateway.db"))
			account := funded(b, s, 0)
			s.insertMEDs(b, account, paidIn(b, s, account, pix.KindCob, 10_00), cases)
			now := account.Now()
			yes, no := true, false
			var pages pageTimes
			for _, status := range append(pix.MEDStatuses(), "") {
				for reconciled, wanted := range map[string]*bool{"": nil, "true": &yes, "false": &no} {
					for _, period := range []pix.Period{always, {From: now.AddDate(0, 0, -200), Before: now.AddDate(0, 0, -100)}} {
						filter := MEDFilter{Status: status, Reconciled: wanted, Created: period}
						_, total, err := s.MEDs(b.Context(), account.ID, filter, 1, size)
						require.NoError(b, err)
						last := max(1, (total+size-1)/size)
						for _, page := range []int{1, (last + 1) / 2, last} {
							name := fmt.Sprintf("status=%s isReconciled=%s page=%d, %d cases in all", status, reconciled, page, total)
							pages.read(b, name, func() error {
								_, _, err := s.MEDs(b.Context(), account.ID, filter, page, size)
								return err
							})
						}
					}
				}
			}
			pages.report(b)
		})
	}
}
