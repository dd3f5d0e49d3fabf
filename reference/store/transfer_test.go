package store

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

var fulano = pix.DirectoryEntry{
	Key: "fulano@example.com", Name: "Fulano de Tal", Document: "52998224725", ISPB: "60701190", Status: pix.AccountActive,
}

// withFulano is a funded account of a gateway whose directory knows fulano.
func withFulano(t testing.TB, s *Store, available pix.Centavos, mode pix.Mode) pix.Account {
	t.Helper()
	require.NoError(t, s.PutDirectoryKey(context.Background(), fulano))
	account := funded(t, s, available)
	_, err := s.Configure(context.Background(), account.ID, func(set *pix.Settings) { set.Settlement = mode })
	require.NoError(t, err)
	return account
}

func transferOrder(amount pix.Centavos) pix.TransferOrder {
	return pix.TransferOrder{
		IdempotencyKey: pix.NewUUID(), Key: fulano.Key, Priority: pix.PriorityNormal,
		Currency: pix.Currency, Amount: amount, Expiration: pix.DefaultExpiration,
	}
}

// sentEvents gives the events of an account, in their order.
func sentEvents(t testing.TB, s *Store, accountID int64) (events []map[string]any) {
	t.Helper()
	require.NoError(t, s.read(context.Background(), func(c conn) error {
		return c.each(func(row scanner) error {
			var body string
			var event map[string]any
			err := errors.Join(row.Scan(&body), json.Unmarshal([]byte(body), &event))
			events = append(events, event)
			return err
		}, `SELECT body FROM events WHERE account_id = $1 ORDER BY id`, accountID)
	}))
	return events
}

func TestOneIdempotencyKeyIsOneTransfer(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account, other := withFulano(t, s, 100_00, pix.Manual), withFulano(t, s, 100_00, pix.Manual)
		order := transferOrder(10_00)
		var mu sync.Mutex
		ids := map[int64]int{}
		inParallel(32, func(i int) {
			repeat := order
			repeat.Amount += pix.Centavos(i) // whatever else it asks for
			transfer, err := s.Transfer(t.Context(), account.ID, repeat)
			if assert.NoError(t, err) {
				mu.Lock()
				defer mu.Unlock()
				ids[transfer.ID]++
			}
		})
		require.Len(t, ids, 1)
		account, err := s.Account(t.Context(), account.ID)
		require.NoError(t, err)
		assert.EqualValues(t, 100_00, account.Available+account.Blocked)
		assert.Less(t, account.Blocked, pix.Centavos(10_32))
		require.NoError(t, s.CheckLedger(t.Context(), account.ID))

		elsewhere, err := s.Transfer(t.Context(), other.ID, order)
		require.NoError(t, err)
		assert.NotContains(t, ids, elsewhere.ID, "each account has its own keys")
	})
}

func TestTransferThatIsRefusedLeavesNothing(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := withFulano(t, s, 10_00, pix.Manual)
		order := transferOrder(10_01)
		unknown, denied := order, order
		unknown.Key = "nobody@example.com"
		denied.Denied = []string{fulano.ISPB}
		for _, refused := range []pix.TransferOrder{order, unknown, denied} {
			_, err := s.Transfer(t.Context(), account.ID, refused)
			var refusal *pix.Refusal
			require.ErrorAs(t, err, &refusal)
			assert.Equal(t, pix.Unprocessable, refusal.Nature)
		}
		requireBalance(t, s, account.ID, 10_00, 0)
		order.Amount = 10_00
		transfer, err := s.Transfer(t.Context(), account.ID, order)
		require.NoError(t, err, "the key is not used up")
		assert.EqualValues(t, "PENDING", transfer.Type())
		requireBalance(t, s, account.ID, 0, 10_00)
	})
}

// Neither the fee nor the limits of cash-outs concern a transfer.
func TestTransferIsFreeAndUnlimited(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := withFulano(t, s, 10_00, pix.Automatic)
	zero := pix.Centavos(0)
	lift(t, s, account.ID, func(l *pix.Limits) { l.PerTransaction, l.Daily, l.Night = &zero, &zero, &zero })
	_, err := s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Fees.CashOut = 50 })
	require.NoError(t, err)
	_, err = s.Transfer(t.Context(), account.ID, transferOrder(10_00))
	require.NoError(t, err)
	_, err = s.DoDue(t.Context())
	require.NoError(t, err)
	requireBalance(t, s, account.ID, 0, 0)
}

func TestTransferSettles(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account, other := withFulano(t, s, 30_00, pix.Manual), withFulano(t, s, 0, pix.Manual)
		var transfers [3]pix.Transfer
		for i := range transfers {
			var err error
			transfers[i], err = s.Transfer(t.Context(), account.ID, transferOrder(10_00))
			require.NoError(t, err)
		}
		_, err := s.SettleTransfer(t.Context(), other.ID, transfers[0].ID, pix.Result{Status: pix.Confirmed})
		require.ErrorIs(t, err, ErrNotFound)
		_, err = s.SettleTransfer(t.Context(), account.ID, transfers[0].ID, pix.Result{Status: pix.Confirmed})
		require.NoError(t, err)
		requireBalance(t, s, account.ID, 0, 20_00)
		_, err = s.Settle(t.Context(), account.ID, transfers[1].TransactionID, pix.Rejected(pix.OrderRejected))
		require.NoError(t, err)
		requireBalance(t, s, account.ID, 10_00, 10_00)
		_, err = s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Settlement = pix.Automatic })
		require.NoError(t, err)
		_, err = s.DoDue(t.Context())
		require.NoError(t, err)
		requireBalance(t, s, account.ID, 10_00, 0)
		_, err = s.SettleTransfer(t.Context(), account.ID, transfers[2].ID, pix.Result{Status: pix.Confirmed})
		require.ErrorIs(t, err, ErrFinished)

		var statuses []any
		for _, event := range sentEvents(t, s, account.ID) {
			data := event["data"].(map[string]any)
			statuses = append(statuses, data["status"])
			assert.NotContains(t, data["creditorAccount"].(map[string]any)["document"], fulano.Document)
		}
		assert.Equal(t, []any{"LIQUIDATED", "ERROR", "LIQUIDATED"}, statuses)
		repeat := transferOrder(1)
		repeat.IdempotencyKey = transfers[0].IdempotencyKey
		replayed, err := s.Transfer(t.Context(), account.ID, repeat)
		require.NoError(t, err)
		assert.EqualValues(t, "COMPLETED", replayed.Type())
		assert.NotEqual(t, transfers[0].EndToEndID, replayed.EndToEndID)
		due, any, err := s.NextDue(t.Context())
		require.NoError(t, err)
		assert.False(t, any, "nothing is left, but something is due at %s", due)
	})
}

func TestTransferExpiresFromTheQueue(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := withFulano(t, s, 10_00, pix.Manual)
		transfer, err := s.Transfer(t.Context(), account.ID, transferOrder(10_00))
		require.NoError(t, err)
		advance := func(by time.Duration) int {
			_, err := s.AdvanceClock(t.Context(), account.ID, by)
			require.NoError(t, err)
			done, err := s.DoDue(t.Context())
			require.NoError(t, err)
			return len(done)
		}
		require.Zero(t, advance(590*time.Second))
		requireBalance(t, s, account.ID, 0, 10_00)

		_, err = s.AdvanceClock(t.Context(), account.ID, 10*time.Second)
		require.NoError(t, err)
		_, err = s.SettleTransfer(t.Context(), account.ID, transfer.ID, pix.Result{Status: pix.Confirmed})
		require.ErrorIs(t, err, ErrFinished, "before the job has run")
		require.Equal(t, 1, advance(0))
		requireBalance(t, s, account.ID, 10_00, 0)
		expired, err := s.Payment(t.Context(), account.ID, transfer.TransactionID)
		require.NoError(t, err)
		assert.Equal(t, pix.PaymentExpired, expired.Error)
		assert.Equal(t, transfer.ExpiresAt, expired.ProcessedAt)

		_, err = s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Settlement = pix.Automatic })
		require.NoError(t, err)
		require.Zero(t, advance(time.Hour), "it is not settled any more")
		events := sentEvents(t, s, account.ID)
		require.Len(t, events, 1)
		assert.Equal(t, "ERROR", events[0]["data"].(map[string]any)["status"])
	})
}

// What was held back until after its expiry is not settled, whichever job comes first.
func TestSettlementComesTooLate(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := withFulano(t, s, 10_00, pix.Manual)
	_, err := s.Transfer(t.Context(), account.ID, transferOrder(10_00))
	require.NoError(t, err)
	_, err = s.AdvanceClock(t.Context(), account.ID, time.Hour)
	require.NoError(t, err)
	_, err = s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Settlement = pix.Automatic })
	require.NoError(t, err)
	done, err := s.DoDue(t.Context())
	require.NoError(t, err)
	for _, job := range done {
		require.NoError(t, job.Err)
	}
	requireBalance(t, s, account.ID, 10_00, 0)
}

func TestTransferToAnotherHolderIsRejected(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := withFulano(t, s, 10_00, pix.Automatic)
	order := transferOrder(10_00)
	order.CreditorDocument = "11144477735"
	transfer, err := s.Transfer(t.Context(), account.ID, order)
	require.NoError(t, err)
	_, err = s.DoDue(t.Context())
	require.NoError(t, err)
	rejected, err := s.Payment(t.Context(), account.ID, transfer.TransactionID)
	require.NoError(t, err)
	assert.Equal(t, pix.TaxIDMismatch, rejected.Error)
	requireBalance(t, s, account.ID, 10_00, 0)
}
