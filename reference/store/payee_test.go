package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// planted makes two accounts of a seed: a payer with R$ 100.00 and a payee whose fee is R$ 0.30.
func planted(t *testing.T, s *Store) (payer, payee pix.Account) {
	t.Helper()
	settings := pix.DefaultSettings()
	settings.Limits = pix.Limits{}
	charging := settings
	charging.Fees.CashIn = 30
	accounts, err := s.Plant(t.Context(), Seed{Accounts: []NewAccount{
		{ClientID: pix.NewUUID(), Secret: "a", Name: "payer", Available: 100_00, Settings: &settings},
		{ClientID: pix.NewUUID(), Secret: "b", Name: "payee", Settings: &charging},
	}})
	require.NoError(t, err)
	return accounts[0], accounts[1]
}

func orderTo(payee pix.Account, amount pix.Centavos) pix.CashOutOrder {
	return pix.CashOutOrder{
		Amount: amount, ExternalID: pix.NewUUID(), Key: payee.PixKey, KeyType: pix.KeyRandom, Name: payee.Name, Document: payee.Document,
	}
}

// What a declared account pays to the key of another arrives there, and so does the refund of it.
func TestDeclaredAccountsPayEachOther(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		payer, payee := planted(t, s)
		due := func() {
			t.Helper()
			done, err := s.DoDue(t.Context())
			require.NoError(t, err)
			for _, d := range done {
				require.NoError(t, d.Err)
			}
		}
		sent, err := s.CashOut(t.Context(), payer.ID, orderTo(payee, 10_00))
		require.NoError(t, err)
		requireBalance(t, s, payee.ID, 0, 0)
		due()
		requireBalance(t, s, payer.ID, 90_00, 0)
		requireBalance(t, s, payee.ID, 9_70, 0)
		got, err := s.Latest(t.Context(), payee.ID, "received", "")
		require.NoError(t, err)
		assert.Equal(t, sent.EndToEndID, got.EndToEndID)
		events := sentEvents(t, s, payee.ID)
		require.Len(t, events, 1)
		data := events[0]["data"].(map[string]any)
		assert.Equal(t, []any{"RECEIVE", nil, sent.EndToEndID}, []any{events[0]["type"], data["txId"], data["endToEndId"]})
		assert.Equal(t, "payer", data["debtorAccount"].(map[string]any)["name"])

		// The bank of a test control settles like the gateway's own.
		_, err = s.Configure(t.Context(), payer.ID, func(set *pix.Settings) { set.Settlement = pix.Manual })
		require.NoError(t, err)
		transfer := transferOrder(5_00)
		transfer.Key = payee.PixKey
		made, err := s.Transfer(t.Context(), payer.ID, transfer)
		require.NoError(t, err)
		_, err = s.SettleTransfer(t.Context(), payer.ID, made.ID, pix.Result{Status: pix.Confirmed})
		require.NoError(t, err)
		requireBalance(t, s, payee.ID, 14_40, 0)
		rejected, err := s.CashOut(t.Context(), payer.ID, orderTo(payee, 5_00))
		require.NoError(t, err)
		_, err = s.Settle(t.Context(), payer.ID, rejected.TransactionID, pix.Rejected(pix.AccountClosed))
		require.NoError(t, err)
		requireBalance(t, s, payee.ID, 14_40, 0)

		// A refund goes back to the payer, but never more than was paid.
		_, err = s.Return(t.Context(), payer.ID, sent.EndToEndID, 7_00)
		require.NoError(t, err)
		for id, amount := range map[string]pix.Centavos{"r1": 3_00, "r2": 4_00} {
			_, err = s.Refund(t.Context(), payee.ID, pix.RefundOrder{EndToEndID: sent.EndToEndID, ID: id, Amount: amount, Nature: pix.NatureOriginal})
			require.NoError(t, err)
		}
		due()
		requireBalance(t, s, payee.ID, 7_40, 0)
		account, err := s.Account(t.Context(), payer.ID)
		require.NoError(t, err)
		assert.Equal(t, pix.Centavos(95_00), account.Available, "R$ 7.00 returned, and the refund for which there was room")
		events = sentEvents(t, s, payee.ID)
		assert.Nil(t, events[len(events)-1]["data"].(map[string]any)["txId"])
	})
}

// A payment that the payee cannot receive is rejected; one to another document, to oneself or to an account that is
// gone reaches nobody.
func TestWhatNoAccountReceives(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	payer, payee := planted(t, s)
	sends := func(order pix.CashOutOrder) pix.Payment {
		t.Helper()
		sent, err := s.CashOut(t.Context(), payer.ID, order)
		require.NoError(t, err)
		_, err = s.DoDue(t.Context())
		require.NoError(t, err)
		sent, err = s.Payment(t.Context(), payer.ID, sent.TransactionID)
		require.NoError(t, err)
		return sent
	}
	other := orderTo(payee, 1_00)
	other.Document = "52998224725"
	assert.Equal(t, pix.TaxIDMismatch, sends(other).Error)
	assert.Equal(t, pix.Confirmed, sends(orderTo(payer, 1_00)).Status)
	requireBalance(t, s, payer.ID, 99_00, 0)
	_, err := s.SetBalance(t.Context(), payee.ID, pix.MaxAmount)
	require.NoError(t, err)
	assert.Equal(t, pix.OrderRejected, sends(orderTo(payee, 1_00)).Error)
	requireBalance(t, s, payee.ID, pix.MaxAmount, 0)
	require.NoError(t, s.RemoveAccount(t.Context(), payee.ID))
	assert.Equal(t, pix.Confirmed, sends(orderTo(payee, 1_00)).Status)
}
