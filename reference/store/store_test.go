package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kinds runs a test on a store in memory and on one in a file.
func kinds(t *testing.T, test func(t *testing.T, s *Store)) {
	for name, path := range map[string]string{"memory": "", "file": filepath.Join(t.TempDir(), "gateway.db")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t, path))
		})
	}
}

func open(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// funded makes an account by day, so that no test depends on the hour it runs at.
func funded(t testing.TB, s *Store, available pix.Centavos) pix.Account {
	t.Helper()
	ctx := context.Background()
	account, _, err := s.CreateAccount(ctx, NewAccount{})
	require.NoError(t, err)
	_, err = s.SetBalance(ctx, account.ID, available)
	require.NoError(t, err)
	account, err = s.SetClock(ctx, account.ID, time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	return account
}

func order(externalID string, amount pix.Centavos) pix.CashOutOrder {
	return pix.CashOutOrder{
		Amount: amount, ExternalID: externalID, Key: "11987654321", KeyType: pix.KeyPhone,
		Name: "Fulano de Tal", Document: "52998224725",
	}
}

func requireCode(t require.TestingT, code string, err error) {
	var refusal *pix.Refusal
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, code, refusal.Code)
}

func requireBalance(t testing.TB, s *Store, accountID int64, available, blocked pix.Centavos) {
	t.Helper()
	account, err := s.Account(context.Background(), accountID)
	require.NoError(t, err)
	require.Equal(t, [2]pix.Centavos{available, blocked}, [2]pix.Centavos{account.Available, account.Blocked}, "available and blocked")
	require.NoError(t, s.CheckLedger(context.Background(), accountID))
}

func TestParallelRepeatsDebitOnce(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 100_00)
		var mu sync.Mutex
		var accepted []pix.Payment
		var repeats []*pix.Refusal
		inParallel(32, func(int) {
			payment, err := s.CashOut(t.Context(), account.ID, order("same", 10_00))
			mu.Lock()
			defer mu.Unlock()
			var refusal *pix.Refusal
			if errors.As(err, &refusal) {
				repeats = append(repeats, refusal)
			} else if assert.NoError(t, err) {
				accepted = append(accepted, payment)
			}
		})
		require.Len(t, accepted, 1)
		require.Len(t, repeats, 31)
		for _, refusal := range repeats {
			assert.Equal(t, pix.CodeDuplicateExternalID, refusal.Code)
			assert.Equal(t, map[string]any{"externalId": "same", "existingTransactionId": accepted[0].TransactionID}, refusal.Details)
		}
		requireBalance(t, s, account.ID, 90_00, 10_00)
	})
}

func TestParallelOrdersNeitherOverdrawNorBreakTheDay(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		poor, limited := funded(t, s, 100_00), funded(t, s, 1000_00)
		_, err := s.Configure(t.Context(), limited.ID, func(set *pix.Settings) { daily := pix.Centavos(100_00); set.Limits.Daily = &daily })
		require.NoError(t, err)
		inParallel(16, func(i int) {
			s.CashOut(t.Context(), poor.ID, order(fmt.Sprint(i), 40_00))
			s.CashOut(t.Context(), limited.ID, order(fmt.Sprint(i), 40_00))
		})
		requireBalance(t, s, poor.ID, 20_00, 80_00)
		requireBalance(t, s, limited.ID, 920_00, 80_00)
	})
}

// inParallel calls do n times at once and waits.
func inParallel(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

func TestRequestsQueuedTogetherShareACommit(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	began, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		s.write(context.Background(), func(*tx) error { close(began); <-release; return nil })
	})
	<-began
	var transactions sync.Map
	for range 10 {
		all.Go(func() {
			s.write(context.Background(), func(t *tx) error { transactions.Store(t, true); return nil })
		})
	}
	require.Eventually(t, func() bool { return len(s.writer.queue) == 10 }, 20*time.Second, time.Millisecond)
	close(release)
	all.Wait()
	count := 0
	transactions.Range(func(any, any) bool { count++; return true })
	assert.Equal(t, 1, count)
}

func TestFailedRequestIsUndoneAlone(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 0)
		fail := errors.New("no")
		inParallel(30, func(i int) {
			err := s.write(context.Background(), func(w *tx) error {
				if _, err := w.move(account.ID, 0, fundsSet, 1, 0, time.Now()); err != nil {
					return err
				}
				switch i % 3 {
				case 1:
					return fail
				case 2:
					panic("no")
				}
				return nil
			})
			assert.Equal(t, i%3 == 0, err == nil, "%v", err)
		})
		requireBalance(t, s, account.ID, 10, 0)
	})
}

func TestEndedContextIsNotCarriedOut(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := s.CreateAccount(ctx, NewAccount{})
		require.ErrorIs(t, err, context.Canceled)
		_, err = s.Account(ctx, 1)
		require.ErrorIs(t, err, context.Canceled)
		_, err = s.Account(t.Context(), 1)
		require.ErrorIs(t, err, ErrNotFound)
	})
}

func TestClosedStoreRefuses(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"", filepath.Join(t.TempDir(), "gateway.db")} {
		s, err := Open(t.Context(), path)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		_, _, err = s.CreateAccount(t.Context(), NewAccount{})
		assert.ErrorIs(t, err, ErrClosed)
		_, err = s.Account(t.Context(), 1)
		assert.Error(t, err)
	}
}

func TestOpenSaysWhatCannotBeOpened(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "missing", "gateway.db")
	_, err := Open(t.Context(), path)
	assert.ErrorContains(t, err, path)
}

func TestFileBelongsToOneStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gateway.db")
	first, err := Open(t.Context(), path)
	require.NoError(t, err)
	link := path + "-link"
	require.NoError(t, os.Symlink(path, link))
	for _, name := range []string{path, link} {
		_, err = Open(t.Context(), name)
		assert.ErrorContains(t, err, "another process")
	}
	require.NoError(t, first.Close())
	open(t, path)
}

// A crash is a copy of the files at some instant: what was answered by then is in it.
func TestCrashLosesNothingThatWasAnswered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "gateway 1?#%.db")) // a name that a URL would trip over
	account := funded(t, s, 100_00)
	_, err := s.RegisterWebhook(t.Context(), account.ID, pix.Registration{Type: pix.CashOutEvent, URL: "https://hooks.example/"})
	require.NoError(t, err)
	inParallel(10, func(i int) {
		_, err := s.CashOut(t.Context(), account.ID, order(fmt.Sprint(i), 1_00))
		assert.NoError(t, err)
	})
	crashed := copyDatabase(t, filepath.Join(dir, "gateway 1?#%.db"))

	after := open(t, crashed)
	requireBalance(t, after, account.ID, 90_00, 10_00)
	settled, err := after.DoDue(t.Context())
	require.NoError(t, err)
	assert.Len(t, settled, 10)
	requireBalance(t, after, account.ID, 90_00, 0)
	_, err = after.CashOut(t.Context(), account.ID, order("3", 1_00))
	requireCode(t, pix.CodeDuplicateExternalID, err)
	leased, err := after.LeaseDeliveries(t.Context(), 1, 100, time.Hour)
	require.NoError(t, err)
	assert.Len(t, leased, 10)

	again := open(t, copyDatabase(t, crashed)) // a crash while they are delivered
	repeated, err := again.LeaseDeliveries(t.Context(), 1, 100, time.Hour)
	require.NoError(t, err)
	require.Len(t, repeated, 10)
	messages := func(deliveries []Delivery) (ids []string) {
		for _, d := range deliveries {
			ids = append(ids, d.MessageID)
		}
		return ids
	}
	assert.ElementsMatch(t, messages(leased), messages(repeated))
	fresh, _, err := again.CreateAccount(t.Context(), NewAccount{})
	require.NoError(t, err)
	assert.Greater(t, fresh.ID, account.ID)
}

func copyDatabase(t *testing.T, path string) string {
	t.Helper()
	target := filepath.Join(t.TempDir(), "copy.db")
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + suffix)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(target+suffix, data, 0o600))
	}
	return target
}

func TestJobsOfManyPaymentsAreFoundByAnIndex(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	for n, statement := range unqueueing {
		args := make([]any, n)
		for i := range args {
			args[i] = i
		}
		assert.Contains(t, s.plan(t, statement, args)[0], "SEARCH jobs USING INDEX jobs_of_payment (payment_id=?)")
	}
}
