package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func codeOrder(code string, amount pix.Centavos) pix.QRCodeOrder {
	return pix.QRCodeOrder{Amount: amount, Text: code, ExternalID: pix.NewUUID()}
}

// dues does what is due, and returns the payment as it is then.
func (s *Store) dues(t *testing.T, p pix.Payment) pix.Payment {
	t.Helper()
	done, err := s.DoDue(t.Context())
	require.NoError(t, err)
	for _, d := range done {
		require.NoError(t, d.Err)
	}
	p, err = s.Payment(t.Context(), p.AccountID, p.TransactionID)
	require.NoError(t, err)
	return p
}

// A cash-out to the QR Code of another account's cob pays it, once; a refund goes back to the payer.
func TestAQRCodeOfAnotherAccountPaysItsCob(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		payer, payee := planted(t, s)
		cob, err := s.Cob(t.Context(), payee.ID, cobOrder(txid, 10_00))
		require.NoError(t, err)
		pays := func() pix.Payment {
			sent, err := s.CashOutToQRCode(t.Context(), payer.ID, codeOrder(cob.Code, 10_00))
			require.NoError(t, err)
			return sent
		}
		sent, late := pays(), pays()
		requireBalance(t, s, payer.ID, 80_00, 20_00)
		requireBalance(t, s, payee.ID, 0, 0)

		sent = s.dues(t, sent)
		assert.Equal(t, pix.Confirmed, sent.Status)
		assert.Equal(t, payee.AsCounterpart(), sent.Counterpart)
		late = s.dues(t, late)
		assert.Equal(t, pix.OrderRejected, late.Error, "it is paid already")
		requireBalance(t, s, payer.ID, 90_00, 0)
		requireBalance(t, s, payee.ID, 9_70, 0)
		cob, err = s.ChargeByTxID(t.Context(), payee.ID, txid)
		require.NoError(t, err)
		assert.Equal(t, pix.ChargeConcluded, cob.Status)

		assert.Equal(t, []pix.EventType{pix.CashOutEvent, pix.CashOutEvent}, eventTypes(t, s, payer.ID))
		events := sentEvents(t, s, payee.ID)
		require.Len(t, events, 1)
		data := events[0]["data"].(map[string]any)
		assert.Equal(t, []any{"RECEIVE", txid, sent.EndToEndID}, []any{events[0]["type"], data["txId"], data["endToEndId"]})
		assert.Equal(t, "payer", data["debtorAccount"].(map[string]any)["name"])

		_, err = s.Refund(t.Context(), payee.ID, pix.RefundOrder{EndToEndID: sent.EndToEndID, ID: "r", Amount: 4_00, Nature: pix.NatureOriginal})
		require.NoError(t, err)
		s.dues(t, sent)
		requireBalance(t, s, payer.ID, 94_00, 0)
		requireBalance(t, s, payee.ID, 5_70, 0)
		require.NoError(t, s.CheckLedger(t.Context(), payer.ID))
		require.NoError(t, s.CheckLedger(t.Context(), payee.ID))
	})
}

// A cash-in is paid as well, whoever settles the cash-out.
func TestAQRCodeOfAnotherAccountPaysItsCashIn(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	payer, payee := planted(t, s)
	_, err := s.Configure(t.Context(), payer.ID, func(set *pix.Settings) { set.Settlement = pix.Manual })
	require.NoError(t, err)
	made, err := s.CashIn(t.Context(), payee.ID, cashInOrder("sale", 10_00))
	require.NoError(t, err)
	rejected, err := s.CashOutToQRCode(t.Context(), payer.ID, codeOrder(made.Charge.Code, 10_00))
	require.NoError(t, err)
	_, err = s.Settle(t.Context(), payer.ID, rejected.TransactionID, pix.Rejected(pix.AccountClosed))
	require.NoError(t, err)
	requireBalance(t, s, payee.ID, 0, 0)

	sent, err := s.CashOutToQRCode(t.Context(), payer.ID, codeOrder(made.Charge.Code, 10_00))
	require.NoError(t, err)
	_, err = s.Settle(t.Context(), payer.ID, sent.TransactionID, pix.Result{Status: pix.Confirmed})
	require.NoError(t, err)
	received, err := s.Payment(t.Context(), payee.ID, made.Payment.TransactionID)
	require.NoError(t, err)
	assert.Equal(t, pix.Confirmed, received.Status)
	assert.Equal(t, sent.EndToEndID, received.EndToEndID)
	assert.Equal(t, payer.AsCounterpart(), received.Counterpart)
	assert.Equal(t, []pix.EventType{pix.CashInEvent}, eventTypes(t, s, payee.ID))
	requireBalance(t, s, payer.ID, 90_00, 0)
	requireBalance(t, s, payee.ID, 9_70, 0)
}

// What a charge cannot take is rejected, and the money comes back; the account's own charge and one that is gone do not
// change.
func TestWhatNoChargeReceives(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		order  func(*pix.QRCodeOrder)
		before func(t *testing.T, s *Store, payee pix.Account)
		want   pix.ErrorCode // empty: it is confirmed
		paid   pix.Centavos
	}{
		"as it asks":          {paid: 9_70},
		"its holder":          {order: func(o *pix.QRCodeOrder) { o.Document = "11222333000181" }, want: pix.TaxIDMismatch},
		"not a document":      {order: func(o *pix.QRCodeOrder) { o.Document = "11111111111" }, want: pix.InvalidTaxID},
		"rejected on request": {order: func(o *pix.QRCodeOrder) { o.Scenario = "error:account-blocked" }, want: pix.BlockedAccount},
		"ended by its receiver": {before: func(t *testing.T, s *Store, payee pix.Account) {
			require.NoError(t, s.EndCharge(t.Context(), payee.ID, txid, pix.ChargeEndedByReceiver))
		}, want: pix.OrderRejected},
		"expired": {before: func(t *testing.T, s *Store, payee pix.Account) {
			_, err := s.AdvanceClock(t.Context(), payee.ID, time.Hour)
			require.NoError(t, err)
		}, want: pix.OrderRejected},
		"beyond what its account holds": {before: func(t *testing.T, s *Store, payee pix.Account) {
			_, err := s.SetBalance(t.Context(), payee.ID, pix.MaxAmount)
			require.NoError(t, err)
		}, want: pix.OrderRejected, paid: pix.MaxAmount},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, "")
			payer, payee := planted(t, s)
			cob, err := s.Cob(t.Context(), payee.ID, cobOrder(txid, 10_00))
			require.NoError(t, err)
			order := codeOrder(cob.Code, 10_00)
			if test.order != nil {
				test.order(&order)
			}
			sent, err := s.CashOutToQRCode(t.Context(), payer.ID, order)
			require.NoError(t, err)
			if test.before != nil {
				test.before(t, s, payee)
			}
			sent = s.dues(t, sent)
			assert.Equal(t, test.want, sent.Error)
			left := pix.Centavos(100_00)
			if test.want == "" {
				left -= 10_00
			}
			requireBalance(t, s, payer.ID, left, 0)
			requireBalance(t, s, payee.ID, test.paid, 0)
		})
	}
}

func TestQRCodesThatPayNoCharge(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	payer, payee := planted(t, s)
	own, err := s.Cob(t.Context(), payer.ID, cobOrder(txid, 10_00))
	require.NoError(t, err)
	other, err := s.Cob(t.Context(), payee.ID, pix.CobOrder{TxID: txid, Amount: 10_00, Changeable: true, Life: time.Hour})
	require.NoError(t, err)

	_, err = s.CashOutToQRCode(t.Context(), payer.ID, codeOrder(other.Code, 9_99))
	requireCode(t, pix.CodeQRCodeMismatch, err)
	for _, code := range []string{own.Code, other.Code} {
		sent, err := s.CashOutToQRCode(t.Context(), payer.ID, codeOrder(code, 10_00))
		require.NoError(t, err)
		if code == other.Code {
			require.NoError(t, s.RemoveAccount(t.Context(), payee.ID))
		}
		assert.Equal(t, pix.Confirmed, s.dues(t, sent).Status)
	}
	requireBalance(t, s, payer.ID, 80_00, 0)
	own, err = s.ChargeByTxID(t.Context(), payer.ID, txid)
	require.NoError(t, err)
	assert.Equal(t, pix.ChargeActive, own.Status)
}

// A static code names the account's key.
func TestAStaticQRCodePaysTheKeyOfAnotherAccount(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	payer, payee := planted(t, s)
	code := pix.BRCode{Key: payee.PixKey, Name: "payee", City: "SAO PAULO"}.String()
	sent, err := s.CashOutToQRCode(t.Context(), payer.ID, codeOrder(code, 10_00))
	require.NoError(t, err)
	assert.Equal(t, pix.Confirmed, s.dues(t, sent).Status)
	requireBalance(t, s, payee.ID, 9_70, 0)
	assert.Equal(t, []pix.EventType{pix.CashInEvent}, eventTypes(t, s, payee.ID))
}
