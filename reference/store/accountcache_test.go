package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// inOneCommit runs requests in one commit, in their order, and returns their errors.
func inOneCommit(t *testing.T, s *Store, requests ...func(*tx) error) []error {
	t.Helper()
	began, release := make(chan struct{}), make(chan struct{})
	errs := make([]error, len(requests))
	var all sync.WaitGroup
	all.Go(func() {
		_ = s.write(context.Background(), func(*tx) error { close(began); <-release; return nil })
	})
	<-began
	for i, request := range requests {
		all.Go(func() { errs[i] = s.write(context.Background(), request) })
		require.Eventually(t, func() bool { return len(s.writer.queue) == i+1 }, time.Minute, 100*time.Microsecond)
	}
	close(release)
	all.Wait()
	return errs
}

// failOn has the database fail where a condition holds, by aborting the statement or by
// rolling the transaction back, as SQLite does when its disk is full. It gives what mends it.
func failOn(t *testing.T, s *Store, where, how string) (mend func()) {
	t.Helper()
	run := func(statement string) {
		require.NoError(t, s.write(context.Background(), func(t *tx) error { return t.conn.run(statement) }))
	}
	run(`CREATE TRIGGER broken BEFORE ` + where + ` BEGIN SELECT RAISE(` + how + `, 'the disk is full'); END`)
	return func() { run(`DROP TRIGGER broken`) }
}

// What a commit was to write and could not is not remembered either, wherever it failed.
func TestWhatIsUndoneIsNotRemembered(t *testing.T) {
	t.Parallel()
	for name, where := range map[string]string{
		"entries":  `INSERT ON entries WHEN NEW.delta_blocked = 2000`,
		"jobs":     `INSERT ON jobs WHEN NEW.kind = 'settle'`,
		"balances": `UPDATE OF available ON accounts WHEN NEW.blocked > 1000`, // written once for all of a group
		"the day":  `UPDATE ON daily_totals`,                                  // likewise
	} {
		for _, how := range []string{"ABORT", "ROLLBACK"} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				kinds(t, func(t *testing.T, s *Store) {
					account, other := funded(t, s, 100_00), funded(t, s, 100_00)
					_, err := s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Settlement = pix.Manual })
					require.NoError(t, err)
					_, err = s.CashOut(t.Context(), account.ID, order("before", 10_00))
					require.NoError(t, err)

					mend := failOn(t, s, where, how)
					_, err = s.CashOut(t.Context(), account.ID, order("broken", 20_00))
					require.ErrorContains(t, err, "the disk is full")
					requireBalance(t, s, account.ID, 90_00, 10_00)
					mend()

					_, err = s.CashOut(t.Context(), account.ID, order("broken", 30_00))
					require.NoError(t, err, "nothing of it is left")
					_, err = s.CashOut(t.Context(), account.ID, order("too much", 60_01))
					requireCode(t, pix.CodeInsufficientBalance, err)
					requireBalance(t, s, account.ID, 60_00, 40_00)
					requireBalance(t, s, other.ID, 100_00, 0)
				})
			})
		}
	}
}

// Of a group in which one fails the others are answered, and stand, as if it had not been.
func TestTheOthersOfABrokenGroupStand(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 100_00)
		pay := func(amount pix.Centavos, then error) func(*tx) error {
			return func(w *tx) error {
				_, err := w.move(account.ID, 0, fundsSet, -amount, amount, time.Now())
				return errors.Join(err, then)
			}
		}
		invalidate := func(w *tx) error { return w.invalidate(account.ID) }
		for _, err := range inOneCommit(t, s, pay(32_00, nil), invalidate, pay(1_00, nil)) {
			require.NoError(t, err)
		}
		errs := inOneCommit(t, s,
			pay(1_00, nil),
			pay(2_00, errors.New("no")),
			invalidate,
			pay(4_00, nil),
			func(w *tx) error { return ErrNotFound }, // changes nothing
			pay(8_00, pix.Refuse(pix.CodeValidation, "no")),
			pay(16_00, nil),
		)
		for i, failed := range []bool{false, true, false, false, true, true, false} {
			assert.Equal(t, failed, errs[i] != nil, "request %d: %v", i, errs[i])
		}
		current, err := s.Account(t.Context(), account.ID)
		require.NoError(t, err)
		assert.Equal(t, [2]pix.Centavos{46_00, 54_00}, [2]pix.Centavos{current.Available, current.Blocked})
		assert.Equal(t, current, storedAccount(t, s, account.ID))
	})
}

// A failure that ends the transaction ends it for all of the group: what is told to have
// failed is not there, and the next group is carried out.
func TestATransactionThatEndsFailsItsWholeGroup(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 100_00)
		pay := func(w *tx) error {
			_, err := w.move(account.ID, 0, fundsSet, -1_00, 1_00, time.Now())
			return err
		}
		errs := inOneCommit(t, s, pay,
			func(w *tx) error { return errors.Join(errors.New("the disk is full"), w.conn.run(`ROLLBACK`)) }, // as SQLite does while it reads
			pay)
		for i, err := range errs {
			assert.Error(t, err, "request %d", i)
		}
		current, err := s.Account(t.Context(), account.ID)
		require.NoError(t, err)
		assert.Equal(t, [2]pix.Centavos{100_00, 0}, [2]pix.Centavos{current.Available, current.Blocked})
		assert.Equal(t, current, storedAccount(t, s, account.ID))
		_, err = s.CashOut(t.Context(), account.ID, order("after", 1_00))
		require.NoError(t, err)
	})
}

// storedAccount reads the account's row, past the cache.
func storedAccount(t *testing.T, s *Store, accountID int64) (account pix.Account) {
	t.Helper()
	require.NoError(t, s.read(t.Context(), func(c conn) (err error) {
		account, err = c.account(accountID)
		return err
	}))
	return account
}

// Whatever the test controls change of an account while payments pass, the next request
// goes by, in the same group as well.
func TestWhatControlsChangeIsNotRemembered(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 1000_00)
		id := account.ID
		var paid sync.WaitGroup
		paid.Go(func() {
			for i := range 200 {
				_, err := s.CashOut(t.Context(), id, order(fmt.Sprint(i), 1))
				assert.NoError(t, err)
			}
		})
		for i := range 20 {
			limit := pix.Centavos(100_00 + i)
			_, err := s.Configure(t.Context(), id, func(set *pix.Settings) { set.Fees.CashOut, set.Limits.PerTransaction = pix.Centavos(i), &limit })
			require.NoError(t, err)
			_, err = s.AdvanceClock(t.Context(), id, time.Second)
			require.NoError(t, err)
			current, err := s.Account(t.Context(), id)
			require.NoError(t, err)
			assert.Equal(t, pix.Centavos(i), current.Fees.CashOut)
			assert.Equal(t, limit, *current.Limits.PerTransaction)
			assert.Equal(t, account.ClockOffset+time.Duration(i+1)*time.Second, current.ClockOffset)
			payment, err := s.CashOut(t.Context(), id, order(fmt.Sprint("fee", i), 1_00))
			require.NoError(t, err)
			assert.Equal(t, pix.Centavos(i), payment.Fee)
		}
		paid.Wait()
		assert.Equal(t, storedAccount(t, s, id), must(s.Account(t.Context(), id)))
		require.NoError(t, s.CheckLedger(t.Context(), id))

		require.NoError(t, s.RemoveAccount(t.Context(), id))
		_, err := s.Account(t.Context(), id)
		assert.ErrorIs(t, err, ErrNotFound)
		_, err = s.CashOut(t.Context(), id, order("removed", 1_00))
		assert.ErrorIs(t, err, ErrNotFound)
	})
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// More accounts than are remembered at once: none is lost.
func TestMoreAccountsThanAreRemembered(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "gateway.db"))
	account := funded(t, s, 10_00)
	require.NoError(t, s.write(t.Context(), func(w *tx) error {
		for range maxCached + 1 {
			made, err := w.createAccount(NewAccount{})
			if err == nil {
				_, err = w.cachedAccount(made.ID)
			}
			if err != nil {
				return err
			}
		}
		_, err := w.move(account.ID, 0, fundsSet, 1_00, 0, time.Now())
		return err
	}))
	assert.Empty(t, s.accounts.accounts, "all are forgotten")
	requireBalance(t, s, account.ID, 11_00, 0)
	_, err := s.CashOut(t.Context(), account.ID, order("1", 11_00))
	require.NoError(t, err)
	requireBalance(t, s, account.ID, 0, 11_00)
}
