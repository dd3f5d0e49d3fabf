package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestReturnsComeBack(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account, other := withFulano(t, s, 30_00, pix.Manual), withFulano(t, s, 0, pix.Manual)
		transfer, err := s.Transfer(t.Context(), account.ID, transferOrder(10_00))
		require.NoError(t, err)
		cashOut, err := s.CashOut(t.Context(), account.ID, order("1", 10_00))
		require.NoError(t, err)
		_, err = s.Return(t.Context(), account.ID, cashOut.EndToEndID, 1_00)
		require.ErrorIs(t, err, ErrNotSettled)
		_, err = s.Return(t.Context(), account.ID, "E1", 1_00)
		require.ErrorIs(t, err, ErrNotFound)

		settled, err := s.SettleTransfer(t.Context(), account.ID, transfer.ID, pix.Result{Status: pix.Confirmed})
		require.NoError(t, err)
		_, err = s.Settle(t.Context(), account.ID, cashOut.TransactionID, pix.Result{Status: pix.Confirmed})
		require.NoError(t, err)
		_, err = s.Return(t.Context(), other.ID, cashOut.EndToEndID, 1_00)
		require.ErrorIs(t, err, ErrNotFound)
		requireBalance(t, s, account.ID, 10_00, 0)

		inParallel(8, func(int) { s.Return(t.Context(), account.ID, settled.EndToEndID, 4_00) })
		requireBalance(t, s, account.ID, 18_00, 0) // two of them: the third is more than is left
		_, err = s.Return(t.Context(), account.ID, settled.EndToEndID, 2_01)
		requireCode(t, pix.CodeValidation, err)
		_, err = s.Return(t.Context(), account.ID, cashOut.EndToEndID, 10_00)
		require.NoError(t, err)
		requireBalance(t, s, account.ID, 28_00, 0)

		events := sentEvents(t, s, account.ID)
		require.Len(t, events, 5) // two settlements before three returns
		refund := events[2]["data"].(map[string]any)
		assert.Equal(t, []any{"REFUND", "CREDIT", settled.EndToEndID}, []any{events[2]["type"], refund["creditDebitType"], refund["endToEndId"]})
		reversal := events[4]
		assert.Equal(t, []any{"CashOutReversal", "CREDIT", 10.0}, []any{reversal["event"], reversal["movementType"], reversal["finalAmount"]})
		assert.Equal(t, map[string]any{"transactionId": cashOut.TransactionID, "externalId": "1", "endToEndId": cashOut.EndToEndID}, reversal["parentTransaction"])
	})
}
