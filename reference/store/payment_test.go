package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestCashOutIsPendingAndHoldsAmountAndFee(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 100_00)
		_, err := s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Fees.CashOut = 50 })
		require.NoError(t, err)

		_, err = s.CashOut(t.Context(), account.ID, order("1", 99_51))
		requireCode(t, pix.CodeInsufficientBalance, err)
		requireBalance(t, s, account.ID, 100_00, 0)

		payment, err := s.CashOut(t.Context(), account.ID, order("1", 99_50)) // the refused order did not use its id up
		require.NoError(t, err)
		requireBalance(t, s, account.ID, 0, 100_00)
		assert.Equal(t, pix.Pending, payment.Status)
		assert.WithinDuration(t, account.Now(), payment.CreatedAt, time.Minute)
		stored, err := s.Payment(t.Context(), account.ID, payment.TransactionID)
		require.NoError(t, err)
		assert.Equal(t, payment, stored)
		_, err = s.Payment(t.Context(), account.ID+1, payment.TransactionID)
		assert.ErrorIs(t, err, ErrNotFound)
	})
}

func qrCodeOrder(externalID string, amount pix.Centavos) pix.QRCodeOrder {
	code := pix.BRCode{Key: "+5511987654321", Name: "Padaria", City: "Sao Paulo"}
	return pix.QRCodeOrder{Amount: amount, Text: code.String(), ExternalID: externalID}
}

// Both public cash-outs share fee, limits and externalIds.
func TestQRCodeIsPaidLikeAKey(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 100_00)
		daily := pix.Centavos(60_00)
		_, err := s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Fees.CashOut, set.Limits.Daily = 50, &daily })
		require.NoError(t, err)
		toKey, err := s.CashOut(t.Context(), account.ID, order("1", 10_00))
		require.NoError(t, err)
		toCode, err := s.CashOutToQRCode(t.Context(), account.ID, qrCodeOrder("2", 50_00))
		require.NoError(t, err)
		requireBalance(t, s, account.ID, 39_00, 61_00)
		stored, err := s.Payment(t.Context(), account.ID, toCode.TransactionID)
		require.NoError(t, err)
		assert.Equal(t, toCode, stored)
		_, err = s.CashOutToQRCode(t.Context(), account.ID, qrCodeOrder("3", 1))
		requireCode(t, pix.CodeDailyLimit, err)

		for _, repeat := range []struct {
			err      error
			nature   pix.Nature
			existing pix.Payment
		}{
			{second(s.CashOutToQRCode(t.Context(), account.ID, qrCodeOrder("1", 1))), pix.Conflict, toKey},
			{second(s.CashOutToQRCode(t.Context(), account.ID, qrCodeOrder("2", 1))), pix.Conflict, toCode},
			{second(s.CashOut(t.Context(), account.ID, order("2", 1))), pix.Invalid, toCode},
		} {
			requireCode(t, pix.CodeDuplicateExternalID, repeat.err)
			refusal := repeat.err.(*pix.Refusal)
			assert.Equal(t, repeat.nature, refusal.Nature)
			assert.Equal(t, repeat.existing.TransactionID, refusal.Details["existingTransactionId"])
		}
		_, err = s.DoDue(t.Context())
		require.NoError(t, err)
		requireBalance(t, s, account.ID, 39_00, 0)
		events := sentEvents(t, s, account.ID)
		require.Len(t, events, 2)
		assert.Equal(t, []any{"CashOut", "CONFIRMED", "+5511987654321"}, []any{events[1]["event"], events[1]["status"], events[1]["pixKey"]})
	})
}

func second(_ pix.Payment, err error) error { return err }

func TestUnavailableProviderPaysNoCode(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 10_00)
	provider := func(fault pix.PixProviderFault) {
		_, err := s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Faults.PixProvider = fault })
		require.NoError(t, err)
	}
	provider(pix.PixProviderUnavailable)
	_, err := s.CashOutToQRCode(t.Context(), account.ID, qrCodeOrder("1", 1_00))
	requireCode(t, pix.CodeValidation, err)
	assert.Equal(t, pix.Upstream, err.(*pix.Refusal).Nature)
	requireBalance(t, s, account.ID, 10_00, 0)
	provider(pix.PixProviderWorks)
	_, err = s.CashOutToQRCode(t.Context(), account.ID, qrCodeOrder("1", 1_00))
	require.NoError(t, err)
}

// Of several rules that an order breaks the first in the sequence decides.
func TestOrderOfJudgement(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 10_00)
	_, err := s.CashOut(t.Context(), account.ID, order("used", 1_00))
	require.NoError(t, err)
	zero := pix.Centavos(0)
	_, err = s.Configure(t.Context(), account.ID, func(set *pix.Settings) {
		set.Limits.PerTransaction, set.Limits.Night, set.Limits.Daily = &zero, &zero, &zero
	})
	require.NoError(t, err)
	_, err = s.SetClock(t.Context(), account.ID, time.Date(2026, 3, 3, 1, 0, 0, 0, time.UTC)) // 22:00
	require.NoError(t, err)

	worst := order("used", 0)
	worst.KeyType = pix.KeyEmail
	for _, step := range []struct {
		code string
		mend func()
	}{
		{pix.CodeInvalidAmount, func() { worst.Amount = 100_00 }},
		{pix.CodeInvalidKey, func() { worst.KeyType = pix.KeyPhone }},
		{pix.CodeDuplicateExternalID, func() { worst.ExternalID = "new" }},
		{pix.CodeTransactionLimit, func() { lift(t, s, account.ID, func(l *pix.Limits) { l.PerTransaction = nil }) }},
		{pix.CodeNightLimit, func() { lift(t, s, account.ID, func(l *pix.Limits) { l.Night = nil }) }},
		{pix.CodeDailyLimit, func() { lift(t, s, account.ID, func(l *pix.Limits) { l.Daily = nil }) }},
		{pix.CodeInsufficientBalance, func() { worst.Amount = 9_00 }},
	} {
		_, err := s.CashOut(t.Context(), account.ID, worst)
		requireCode(t, step.code, err)
		requireBalance(t, s, account.ID, 9_00, 1_00)
		step.mend()
	}
	_, err = s.CashOut(t.Context(), account.ID, worst)
	require.NoError(t, err)
}

func lift(t *testing.T, s *Store, accountID int64, edit func(*pix.Limits)) {
	t.Helper()
	_, err := s.Configure(t.Context(), accountID, func(set *pix.Settings) { edit(&set.Limits) })
	require.NoError(t, err)
}

func TestSettleEndsAPaymentOnce(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 100_00)
		_, err := s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Settlement, set.Fees.CashOut = pix.Manual, 1 })
		require.NoError(t, err)
		var payments [2]pix.Payment
		for i := range payments {
			payments[i], err = s.CashOut(t.Context(), account.ID, order(fmt.Sprint(i), 10_00))
			require.NoError(t, err)
		}
		settled, err := s.DoDue(t.Context())
		require.NoError(t, err)
		require.Empty(t, settled)
		requireBalance(t, s, account.ID, 79_98, 20_02)

		confirmed, err := s.Settle(t.Context(), account.ID, payments[0].TransactionID, pix.Result{Status: pix.Confirmed})
		require.NoError(t, err)
		assert.Equal(t, pix.Confirmed, confirmed.Status)
		requireBalance(t, s, account.ID, 79_98, 10_01)
		rejected, err := s.Settle(t.Context(), account.ID, payments[1].TransactionID, pix.Rejected(pix.OrderRejected))
		require.NoError(t, err)
		assert.Equal(t, pix.OrderRejected.Meaning(), rejected.ErrorMessage)
		requireBalance(t, s, account.ID, 89_99, 0)

		for _, payment := range payments {
			for _, result := range []pix.Result{{Status: pix.Confirmed}, pix.Rejected(pix.AccountClosed)} {
				_, err := s.Settle(t.Context(), account.ID, payment.TransactionID, result)
				assert.ErrorIs(t, err, ErrFinished)
			}
		}
		requireBalance(t, s, account.ID, 89_99, 0)
		stored, err := s.Payment(t.Context(), account.ID, rejected.TransactionID)
		require.NoError(t, err)
		assert.Equal(t, rejected, stored)
		_, err = s.Settle(t.Context(), account.ID, "unknown", pix.Result{Status: pix.Confirmed})
		assert.ErrorIs(t, err, ErrNotFound)
		_, err = s.Settle(t.Context(), account.ID, payments[0].TransactionID, pix.Result{Status: "DONE"})
		requireCode(t, pix.CodeValidation, err)
	})
}

func TestTurningAutomaticSettlesWhatIsPending(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 10_00)
	mode := func(m pix.Mode) {
		_, err := s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Settlement = m })
		require.NoError(t, err)
	}
	settled := func() int {
		done, err := s.DoDue(t.Context())
		require.NoError(t, err)
		return len(done)
	}
	_, err := s.CashOut(t.Context(), account.ID, order("1", 1_00))
	require.NoError(t, err)
	mode(pix.Manual)
	assert.Zero(t, settled(), "turned manual")
	_, err = s.CashOut(t.Context(), account.ID, order("2", 1_00))
	require.NoError(t, err)
	assert.Zero(t, settled(), "sent under manual")
	mode(pix.Automatic)
	assert.Equal(t, 2, settled(), "turned automatic")
	requireBalance(t, s, account.ID, 8_00, 0)
}

func TestRejectedPaymentGivesItsPartOfTheDayBack(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 1000_00)
	daily := pix.Centavos(100_00)
	lift(t, s, account.ID, func(l *pix.Limits) { l.Daily = &daily })
	payment, err := s.CashOut(t.Context(), account.ID, order("1", 60_00))
	require.NoError(t, err)
	_, err = s.CashOut(t.Context(), account.ID, order("2", 40_01))
	requireCode(t, pix.CodeDailyLimit, err)
	// The part goes back to the payment's own day, whenever the bank decides.
	_, err = s.AdvanceClock(t.Context(), account.ID, 24*time.Hour)
	require.NoError(t, err)
	_, err = s.CashOut(t.Context(), account.ID, order("2", 100_00))
	require.NoError(t, err)
	_, err = s.Settle(t.Context(), account.ID, payment.TransactionID, pix.Rejected(pix.SettlementTimeout))
	require.NoError(t, err)
	_, err = s.CashOut(t.Context(), account.ID, order("3", 1))
	requireCode(t, pix.CodeDailyLimit, err)
	_, err = s.AdvanceClock(t.Context(), account.ID, -24*time.Hour)
	require.NoError(t, err)
	_, err = s.CashOut(t.Context(), account.ID, order("4", 100_00))
	require.NoError(t, err)
}

func TestDirectoryDecidesWhereItKnowsTheKey(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 10_00)
	entry := pix.DirectoryEntry{Key: "+5511987654321", Name: "Maria", Document: "52998224725", ISPB: "60701190", Status: pix.AccountActive}
	require.NoError(t, s.PutDirectoryKey(t.Context(), entry))
	known, err := s.CashOut(t.Context(), account.ID, order("1", 1_00))
	require.NoError(t, err)
	_, err = s.DoDue(t.Context())
	require.NoError(t, err)
	known, err = s.Payment(t.Context(), account.ID, known.TransactionID)
	require.NoError(t, err)
	assert.Equal(t, pix.Counterpart{Name: "Maria", Document: "52998224725", ISPB: "60701190"}, known.Counterpart)

	entry.Document = "11144477735"
	require.NoError(t, s.PutDirectoryKey(t.Context(), entry))
	changed, err := s.CashOut(t.Context(), account.ID, order("2", 1_00))
	require.NoError(t, err)
	_, err = s.DoDue(t.Context())
	require.NoError(t, err)
	changed, err = s.Payment(t.Context(), account.ID, changed.TransactionID)
	require.NoError(t, err)
	assert.Equal(t, pix.TaxIDMismatch, changed.Error)
	assert.Equal(t, "Fulano de Tal", changed.Counterpart.Name, "the holder's name is not told")

	for _, bad := range []pix.DirectoryEntry{{Key: "x"}, {Key: entry.Key, Document: "1"}, {Key: entry.Key, Document: entry.Document, ISPB: "1"},
		{Key: entry.Key, Document: entry.Document, ISPB: entry.ISPB, Status: "GONE"}} {
		requireCode(t, pix.CodeValidation, s.PutDirectoryKey(t.Context(), bad))
	}
}

// Whatever happens in whatever order, balances are the sum of their entries, nothing is
// negative, and no money comes from nowhere.
func TestLedgerHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		s, err := Open(ctx, "") // one each: what there is stays small
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		account := func() pix.Account {
			a, _, err := s.CreateAccount(ctx, NewAccount{})
			require.NoError(t, err)
			a, err = s.Configure(ctx, a.ID, func(set *pix.Settings) { set.Limits, set.Settlement = pix.Limits{}, pix.Manual })
			require.NoError(t, err)
			return a
		}()
		var available, blocked pix.Centavos // as they should be
		var payments []pix.Payment
		returned := map[int64]pix.Centavos{}
		require.NoError(t, s.PutDirectoryKey(ctx, fulano))
		amounts := rapid.Int64Range(1, 50_00)
		t.Repeat(map[string]func(*rapid.T){
			"funds": func(t *rapid.T) {
				available = pix.Centavos(rapid.Int64Range(0, 200_00).Draw(t, "available"))
				_, err := s.SetBalance(ctx, account.ID, available)
				require.NoError(t, err)
			},
			"fee": func(t *rapid.T) {
				fee := pix.Centavos(rapid.Int64Range(0, 2_00).Draw(t, "fee"))
				changed, err := s.Configure(ctx, account.ID, func(set *pix.Settings) { set.Fees.CashOut = fee })
				require.NoError(t, err)
				account = changed
			},
			"cash-out": func(t *rapid.T) {
				amount := pix.Centavos(amounts.Draw(t, "amount"))
				payment, err := s.CashOut(ctx, account.ID, order(fmt.Sprint(len(payments)), amount))
				total := amount + account.Fees.CashOut
				if total > available {
					requireCode(t, pix.CodeInsufficientBalance, err)
					return
				}
				require.NoError(t, err)
				payments = append(payments, payment)
				available, blocked = available-total, blocked+total
			},
			"transfer": func(t *rapid.T) {
				amount := pix.Centavos(amounts.Draw(t, "amount"))
				transfer, err := s.Transfer(ctx, account.ID, transferOrder(amount))
				if amount > available {
					requireCode(t, pix.CodeInsufficientBalance, err)
					return
				}
				require.NoError(t, err)
				payments = append(payments, transfer.Payment)
				available, blocked = available-amount, blocked+amount
			},
			"return": func(t *rapid.T) {
				if len(payments) == 0 {
					t.Skip()
				}
				p := &payments[rapid.IntRange(0, len(payments)-1).Draw(t, "payment")]
				amount := pix.Centavos(amounts.Draw(t, "amount"))
				_, err := s.Return(ctx, account.ID, p.EndToEndID, amount)
				switch left := p.Amount - returned[p.ID]; {
				case p.Status != pix.Confirmed:
					require.ErrorIs(t, err, ErrNotSettled)
				case amount > left:
					requireCode(t, pix.CodeValidation, err)
				default:
					require.NoError(t, err)
					returned[p.ID] += amount
					available += amount
				}
			},
			"repeat": func(t *rapid.T) {
				if len(payments) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(payments)-1).Draw(t, "payment")
				if payments[i].Kind != pix.KindCashOut {
					t.Skip()
				}
				_, err := s.CashOut(ctx, account.ID, order(fmt.Sprint(i), 1))
				requireCode(t, pix.CodeDuplicateExternalID, err)
			},
			"settle": func(t *rapid.T) {
				if len(payments) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(payments)-1).Draw(t, "payment")
				result := rapid.SampledFrom([]pix.Result{{Status: pix.Confirmed}, pix.Rejected(pix.AccountClosed)}).Draw(t, "result")
				settled, err := s.Settle(ctx, account.ID, payments[i].TransactionID, result)
				if payments[i].Status.Terminal() {
					require.ErrorIs(t, err, ErrFinished)
					return
				}
				require.NoError(t, err)
				payments[i] = settled
				blocked -= payments[i].Final()
				if result.Status == pix.Error {
					available += payments[i].Final()
				}
			},
			"": func(t *rapid.T) {
				now, err := s.Account(ctx, account.ID)
				require.NoError(t, err)
				require.Equal(t, [2]pix.Centavos{available, blocked}, [2]pix.Centavos{now.Available, now.Blocked})
			},
		})
		require.NoError(t, s.CheckLedger(ctx, account.ID))
	})
}
