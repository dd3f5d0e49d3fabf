package store

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// After a reset, the store contains its seed and nothing else. Tokens stay valid, ids are not used
// again, and the next start finds the same.
func TestReset(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"memory": "", "file": filepath.Join(t.TempDir(), "gateway.db")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(t.Context(), path)
			require.NoError(t, err)
			seed := Seed{Accounts: []NewAccount{shop()}}
			planted, err := s.Plant(t.Context(), seed)
			require.NoError(t, err)
			keys, err := s.SigningKeys(t.Context(), time.Hour, time.Hour)
			require.NoError(t, err)
			other := funded(t, s, 10_00)
			_, err = register(s, 7, pix.CashOutEvent, "https://a.example")
			require.NoError(t, err)
			_, err = s.CashOut(t.Context(), 7, order("1", 1_00))
			require.NoError(t, err)
			_, err = s.DoDue(t.Context())
			require.NoError(t, err)

			accounts, err := s.Reset(t.Context(), seed)
			require.NoError(t, err)
			check := func() {
				shop, err := s.Account(t.Context(), 7)
				require.NoError(t, err)
				assert.Equal(t, accounts[0], shop)
				assert.Equal(t, planted[0], shop)
				require.NoError(t, s.CheckLedger(t.Context(), 7))
				assert.Empty(t, sentEvents(t, s, 7))
				webhooks, err := s.Webhooks(t.Context(), 7)
				require.NoError(t, err)
				assert.Empty(t, webhooks)
				due, err := s.HasDue(t.Context(), 7)
				require.NoError(t, err)
				assert.False(t, due)
				holders, err := s.CertificateHolders(t.Context(), "ab")
				require.NoError(t, err)
				assert.Equal(t, []int64{7}, holders)
				_, err = s.Account(t.Context(), other.ID)
				assert.ErrorIs(t, err, ErrNotFound)
				same, err := s.SigningKeys(t.Context(), time.Hour, time.Hour)
				require.NoError(t, err)
				assert.Equal(t, keys, same)
			}
			check()
			next, _, err := s.CreateAccount(t.Context(), NewAccount{})
			require.NoError(t, err)
			assert.Greater(t, next.ID, other.ID, "a token of the other account is not valid for this one")
			require.NoError(t, s.RemoveAccount(t.Context(), next.ID))
			_, err = s.CashOut(t.Context(), 7, order("1", 1_00))
			require.NoError(t, err, "the externalId is free again")
			_, err = s.Reset(t.Context(), seed)
			require.NoError(t, err)
			require.NoError(t, s.Close())
			if path != "" {
				s = open(t, path)
				check()
			}
		})
	}
}

func TestSnapshots(t *testing.T) {
	t.Parallel()
	march := pix.Period{From: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Before: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)}
	kinds(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		account := funded(t, s, 100_00)
		webhook, err := register(s, account.ID, pix.CashOutEvent, "https://a.example")
		require.NoError(t, err)
		_, err = s.CashOut(ctx, account.ID, order("settled", 10_00))
		require.NoError(t, err)
		_, err = s.DoDue(ctx)
		require.NoError(t, err)
		leased, err := s.LeaseDeliveries(ctx, webhook.ID, 1, time.Hour)
		require.NoError(t, err)
		require.Len(t, leased, 1)
		_, err = s.CashOut(ctx, account.ID, order("pending", 20_00))
		require.NoError(t, err)
		before, err := s.Account(ctx, account.ID)
		require.NoError(t, err)
		require.NoError(t, s.SaveSnapshot(ctx, "two"))
		require.NoError(t, s.SaveSnapshot(ctx, "other"))

		for range 2 { // a snapshot can be restored any number of times
			_, err = s.DoDue(ctx)
			require.NoError(t, err)
			_, err = s.CashOut(ctx, account.ID, order("later", 5_00))
			require.NoError(t, err)
			created := funded(t, s, 1_00)
			require.NoError(t, s.RemoveAccount(ctx, account.ID))

			require.NoError(t, s.RestoreSnapshot(ctx, "two"))
			after, err := s.Account(ctx, account.ID)
			require.NoError(t, err)
			assert.Equal(t, before, after)
			assert.Equal(t, after, storedAccount(t, s, account.ID))
			require.NoError(t, s.CheckLedger(ctx, account.ID))
			_, err = s.Account(ctx, created.ID)
			assert.ErrorIs(t, err, ErrNotFound)
			assert.Len(t, sentEvents(t, s, account.ID), 1)
			payments, total, err := s.Payments(ctx, account.ID, PaymentFilter{Period: march}, Page{1, 20})
			require.NoError(t, err)
			assert.Len(t, payments, 2)
			assert.Equal(t, 2, total)
			again, err := s.LeaseDeliveries(ctx, webhook.ID, 9, time.Hour)
			require.NoError(t, err)
			require.Len(t, again, 1, "the delivery that was under way is due")
			assert.Equal(t, leased[0].MessageID, again[0].MessageID)
		}

		done, err := s.DoDue(ctx)
		require.NoError(t, err)
		assert.Len(t, done, 1, "the pending payment settles")
		require.NoError(t, s.SaveSnapshot(ctx, "two"), "replaces the first")
		require.NoError(t, s.RestoreSnapshot(ctx, "other"))
		assert.Len(t, sentEvents(t, s, account.ID), 1)
		require.NoError(t, s.RestoreSnapshot(ctx, "two"))
		assert.Len(t, sentEvents(t, s, account.ID), 2)

		names, err := s.Snapshots(ctx)
		require.NoError(t, err)
		assert.Equal(t, []string{"other", "two"}, names)
		require.NoError(t, s.DeleteSnapshot(ctx, "two"))
		assert.ErrorIs(t, s.RestoreSnapshot(ctx, "two"), ErrNotFound)
		assert.ErrorIs(t, s.DeleteSnapshot(ctx, "two"), ErrNotFound)
		require.NoError(t, s.SaveSnapshot(ctx, "new"), "uses the tables of the deleted one")
		_, err = s.Reset(ctx, Seed{})
		require.NoError(t, err)
		require.NoError(t, s.RestoreSnapshot(ctx, "new"))
		assert.Len(t, sentEvents(t, s, account.ID), 2)
	})
}

func TestSnapshotsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	for _, name := range []string{"", "a b", "a/b", `a"b`, "é", fmt.Sprintf("%065d", 0)} {
		assert.ErrorContains(t, s.SaveSnapshot(t.Context(), name), "the name of a snapshot", name)
	}
	for i := range maxSnapshots {
		require.NoError(t, s.SaveSnapshot(t.Context(), fmt.Sprint(i)))
	}
	assert.ErrorContains(t, s.SaveSnapshot(t.Context(), "one"), "delete one first")
	require.NoError(t, s.SaveSnapshot(t.Context(), "7"), "exists")
	require.NoError(t, s.DeleteSnapshot(t.Context(), "42"))
	assert.NoError(t, s.SaveSnapshot(t.Context(), "one"))
}

// Payments that run while the state is replaced are in it or not, as a whole.
func TestStateIsReplacedUnderLoad(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 1000_00)
		require.NoError(t, s.SaveSnapshot(t.Context(), "start"))
		var paying sync.WaitGroup
		for worker := range 4 {
			paying.Go(func() {
				for i := range 100 {
					_, err := s.CashOut(context.Background(), account.ID, order(fmt.Sprint(worker, "-", i), 1_00))
					assert.NoError(t, err)
					if i%10 == 0 {
						_, err = s.DoDue(context.Background())
						assert.NoError(t, err)
					}
				}
			})
		}
		for range 20 {
			require.NoError(t, s.RestoreSnapshot(t.Context(), "start"))
			require.NoError(t, s.CheckLedger(t.Context(), account.ID))
		}
		paying.Wait()
		require.NoError(t, s.CheckLedger(t.Context(), account.ID))
		current, err := s.Account(t.Context(), account.ID)
		require.NoError(t, err)
		assert.Equal(t, current, storedAccount(t, s, account.ID))
	})
}

// What fails while the state is replaced leaves it as it was.
func TestReplacingTheStateIsAtomic(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 10_00)
		require.NoError(t, s.SaveSnapshot(t.Context(), "start"))
		_, err := s.CashOut(t.Context(), account.ID, order("1", 1_00))
		require.NoError(t, err)
		before, err := s.Account(t.Context(), account.ID)
		require.NoError(t, err)
		mend := failOn(t, s, `INSERT ON entries`, "ABORT")
		require.ErrorContains(t, s.RestoreSnapshot(t.Context(), "start"), "the disk is full")
		mend()
		after, err := s.Account(t.Context(), account.ID)
		require.NoError(t, err)
		assert.Equal(t, before, after)
		require.NoError(t, s.CheckLedger(t.Context(), account.ID))
		require.NoError(t, s.RestoreSnapshot(t.Context(), "start"))
		requireBalance(t, s, account.ID, 10_00, 0)
	})
}

// BenchmarkReplace replaces a state of 100 payments.
func BenchmarkReplace(b *testing.B) {
	for name, path := range map[string]string{"memory": "", "file": filepath.Join(b.TempDir(), "gateway.db")} {
		s := open(b, path)
		seed := Seed{Accounts: []NewAccount{shop()}}
		_, err := s.Plant(b.Context(), seed)
		require.NoError(b, err)
		pay := func() {
			_, err := s.SetBalance(b.Context(), 7, 1000_00)
			require.NoError(b, err)
			for i := range 100 {
				_, err := s.CashOut(b.Context(), 7, order(fmt.Sprint(i), 1_00))
				require.NoError(b, err)
			}
			_, err = s.DoDue(b.Context())
			require.NoError(b, err)
		}
		pay()
		require.NoError(b, s.SaveSnapshot(b.Context(), "paid"))
		b.Run(name+"/reset", func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				require.NoError(b, s.RestoreSnapshot(b.Context(), "paid"))
				b.StartTimer()
				_, err := s.Reset(b.Context(), seed)
				require.NoError(b, err)
			}
		})
		b.Run(name+"/restore", func(b *testing.B) {
			for range b.N {
				require.NoError(b, s.RestoreSnapshot(b.Context(), "paid"))
			}
		})
		b.Run(name+"/save", func(b *testing.B) {
			for range b.N {
				require.NoError(b, s.SaveSnapshot(b.Context(), "again"))
			}
		})
	}
}

// A reset removes what requests of the same commit did before it, also what is written only at its end.
func TestAResetForgetsWhatIsNotYetWritten(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 100_00)
	for _, err := range inOneCommit(t, s,
		func(w *tx) error {
			p := pix.Payment{ID: w.ids.nextRow(), Kind: pix.KindCashOut, TransactionID: pix.NewUUID(), AccountID: account.ID, Status: pix.Pending, CreatedAt: noon}
			if err := w.insertPayment(p, "k"); err != nil {
				return err
			}
			_, err := w.move(account.ID, p.ID, held, -1_00, 1_00, noon)
			return err
		},
		func(w *tx) error {
			tables, err := w.tables()
			if err != nil {
				return err
			}
			return w.clear(tables)
		}) {
		require.NoError(t, err)
	}
	for _, table := range []string{"payments", "payment_counts", "entries", "accounts", "daily_totals"} {
		assert.Zero(t, rows(t, s, table), table)
	}
}
