package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// pruneAll makes a whole pass and counts its transactions.
func pruneAll(t testing.TB, s *Store, retain time.Duration) (transactions int) {
	t.Helper()
	pass, err := s.Prune(context.Background(), retain)
	require.NoError(t, err)
	for {
		more, err := pass.Next(context.Background())
		require.NoError(t, err)
		if !more {
			return transactions
		}
		transactions++
	}
}

func rows(t testing.TB, s *Store, table string) (n int) {
	t.Helper()
	require.NoError(t, s.read(context.Background(), func(c conn) error {
		return c.row(`SELECT COUNT(*) FROM ` + table).Scan(&n)
	}))
	return n
}

func TestPruningRemovesWhatIsFinishedAndOld(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		account := funded(t, s, 1_000_00)
		received := func(kind pix.Kind) pix.Payment { return paidIn(t, s, account, kind, 50_00) }

		plain, refunded, contested := received(pix.KindCob), received(pix.KindCob), received(pix.KindCob)
		_, err := s.Refund(ctx, account.ID, refundOf(refunded, "r1", 5_00))
		require.NoError(t, err)
		_, err = s.OpenMED(ctx, account.ID, pix.MEDClaim{EndToEndID: contested.EndToEndID, Reason: "REFUND_REQUEST"})
		require.NoError(t, err)
		charge, err := s.CashIn(ctx, account.ID, cashInOrder("charge", 20_00))
		require.NoError(t, err)
		paid, err := s.PayCharge(ctx, account.ID, charge.Charge.Code, 0, payer)
		require.NoError(t, err)
		finished, err := s.CashOut(ctx, account.ID, order("finished", 1_00))
		require.NoError(t, err)
		_, err = s.Settle(ctx, account.ID, finished.TransactionID, pix.Result{Status: pix.Confirmed})
		require.NoError(t, err)
		pending, err := s.CashOut(ctx, account.ID, order("pending", 1_00))
		require.NoError(t, err)
		account, err = s.AdvanceClock(ctx, account.ID, 40*24*time.Hour)
		require.NoError(t, err)
		recent, err := s.CashOut(ctx, account.ID, order("recent", 1_00))
		require.NoError(t, err)
		_, err = s.Settle(ctx, account.ID, recent.TransactionID, pix.Result{Status: pix.Confirmed})
		require.NoError(t, err)

		pruneAll(t, s, 41*24*time.Hour)
		requireFound(t, s, account.ID, plain, refunded, contested, paid, finished, pending, recent)
		pruneAll(t, s, 30*24*time.Hour)
		requireFound(t, s, account.ID, refunded, contested, pending, recent)
		for _, gone := range []pix.Payment{plain, paid, finished} {
			_, err := s.Payment(ctx, account.ID, gone.TransactionID)
			assert.ErrorIs(t, err, ErrNotFound)
		}
		require.NoError(t, s.CheckLedger(ctx, account.ID))
		assert.Zero(t, rows(t, s, "charges"))

		month := pix.Period{From: account.Now().Add(-50 * 24 * time.Hour), Before: account.Now().Add(time.Hour)}
		payments, total, err := s.Payments(ctx, account.ID, PaymentFilter{Period: month}, Page{1, 100})
		require.NoError(t, err)
		assert.Len(t, payments, total)
		assert.Equal(t, 5, total, "with the refund")
		_, err = s.CashOut(ctx, account.ID, order("finished", 1_00))
		require.NoError(t, err, "its externalId is free again")
	})
}

func requireFound(t *testing.T, s *Store, accountID int64, payments ...pix.Payment) {
	t.Helper()
	for _, p := range payments {
		_, err := s.Payment(t.Context(), accountID, p.TransactionID)
		require.NoError(t, err, "%+v", p)
	}
}

// What is to be delivered is delivered, however old it is.
func TestPruningLeavesDeliveriesToCome(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 10_00)
	_, err := register(s, account.ID, pix.CashOutEvent, "https://hooks.example/")
	require.NoError(t, err)
	p, err := s.CashOut(t.Context(), account.ID, order("a", 1_00))
	require.NoError(t, err)
	_, err = s.Settle(t.Context(), account.ID, p.TransactionID, pix.Result{Status: pix.Confirmed})
	require.NoError(t, err)
	_, err = s.AdvanceClock(t.Context(), account.ID, 40*24*time.Hour)
	require.NoError(t, err)
	_, err = s.CashOut(t.Context(), account.ID, order("b", 1_00))
	require.NoError(t, err)

	pruneAll(t, s, 30*24*time.Hour)
	leased, err := s.LeaseDeliveries(t.Context(), 1, 10, time.Minute)
	require.NoError(t, err)
	require.Len(t, leased, 1)
	require.NoError(t, s.FinishDeliveries(t.Context(), []Attempted{{Delivery: leased[0], Attempt: Attempt{Status: 200, At: time.Now()}}}))
	pruneAll(t, s, 30*24*time.Hour)
	_, err = s.Payment(t.Context(), account.ID, p.TransactionID)
	require.ErrorIs(t, err, ErrNotFound)
}

// A pass over many payments consists of many transactions, leaves the totals at zero and the ids going on.
func TestPruningGoesInSmallSteps(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gateway.db")
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	account := funded(t, s, 10_00)
	const n = 10 * pruneBatch
	for first := 0; first < n; first += pruneBatch {
		var all []sample
		for i := range pruneBatch {
			all = append(all, sample{pix.KindCashOut, pix.Confirmed, fmt.Sprint(first + i), "", "k", first + i})
		}
		s.insert(t, account.ID, all...)
	}
	_, err = s.SetClock(t.Context(), account.ID, noon.Add(60*24*time.Hour))
	require.NoError(t, err)
	assert.Greater(t, pruneAll(t, s, 30*24*time.Hour), n/pruneBatch)
	assert.Equal(t, 1, rows(t, s, "payments"), "the newest stays")
	assert.Equal(t, 3, rows(t, s, "payment_counts"), "its intervals of three levels")
	last := s.writer.ids.row
	require.NoError(t, s.Close())
	s = open(t, path)
	assert.GreaterOrEqual(t, s.writer.ids.row, last)
}
