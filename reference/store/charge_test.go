package store

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/reference/pix"
)

const txid = "7978c0c97ea847e78e8849634473c1f1"

var payer = pix.Counterpart{Name: "Ana", Document: "52998224725", ISPB: "60701190"}

func cashInOrder(externalID string, amount pix.Centavos, splits ...pix.Split) pix.CashInOrder {
	return pix.CashInOrder{Amount: amount, ExternalID: externalID, Description: "sale", Life: time.Hour, Splits: splits}
}

func cobOrder(txid string, amount pix.Centavos) pix.CobOrder {
	return pix.CobOrder{TxID: txid, Amount: amount, Life: time.Hour}
}

// lastEvent is the body of what was told last of a payment.
func lastEvent(t *testing.T, s *Store, paymentID int64) string {
	t.Helper()
	var body string
	require.NoError(t, s.read(t.Context(), func(c conn) error {
		return c.row(`SELECT body FROM events WHERE payment_id = $1 ORDER BY id DESC LIMIT 1`, paymentID).Scan(&body)
	}))
	return body
}

func TestPaidCashInIsConfirmedCreditedAndTold(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		a := funded(t, s, 1_00)
		_, err := s.Configure(t.Context(), a.ID, func(set *pix.Settings) { set.Fees.CashIn = 25 })
		require.NoError(t, err)
		made, err := s.CashIn(t.Context(), a.ID, cashInOrder("sale-1", 10_00))
		require.NoError(t, err)
		requireBalance(t, s, a.ID, 1_00, 0)

		paid, err := s.PayCharge(t.Context(), a.ID, made.Charge.Code, 0, payer)
		require.NoError(t, err)
		requireBalance(t, s, a.ID, 10_75, 0)
		found, err := s.Payment(t.Context(), a.ID, made.Payment.TransactionID)
		require.NoError(t, err)
		assert.Equal(t, paid.EndToEndID, found.EndToEndID)
		assert.Equal(t, pix.Confirmed, found.Status)
		assert.Equal(t, pix.KindCashIn, found.Kind)
		assert.EqualValues(t, 25, found.Fee)
		assert.Equal(t, payer, found.Counterpart)
		assert.Contains(t, lastEvent(t, s, paid.ID), `"event":"CashIn"`)
	})
}

func TestPaidCobIsATransactionOfItsOwn(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	a := funded(t, s, 0)
	charge, err := s.Cob(t.Context(), a.ID, cobOrder(txid, 10_00))
	require.NoError(t, err)
	assert.Equal(t, a.PixKey, charge.Key)

	paid, err := s.PayCharge(t.Context(), a.ID, charge.Code, 10_00, payer)
	require.NoError(t, err)
	requireBalance(t, s, a.ID, 10_00, 0)
	found, err := s.Payment(t.Context(), a.ID, paid.TransactionID)
	require.NoError(t, err)
	assert.Equal(t, pix.KindCob, found.Kind)
	assert.Equal(t, txid, found.ExternalID)
	assert.Equal(t, pix.Confirmed, found.Status)
	assert.False(t, found.ProcessedAt.IsZero())
	assert.Contains(t, lastEvent(t, s, paid.ID), `"type":"RECEIVE"`)
	charge, err = s.ChargeByTxID(t.Context(), a.ID, txid)
	require.NoError(t, err)
	assert.Equal(t, pix.ChargeConcluded, charge.Status)
	assert.Equal(t, paid.ID, charge.PaymentID)
}

func TestDelayHoldsTheEventOfACashInBack(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	a := funded(t, s, 0)
	_, err := s.RegisterWebhook(t.Context(), a.ID, pix.Registration{Type: pix.CashInEvent, URL: "https://hooks.example/pix"})
	require.NoError(t, err)
	due := func(scenario pix.Scenario) bool {
		ordered := cashInOrder(string(scenario), 10_00)
		ordered.Scenario = scenario
		made, err := s.CashIn(t.Context(), a.ID, ordered)
		require.NoError(t, err)
		paid, err := s.PayCharge(t.Context(), a.ID, made.Charge.Code, 0, payer)
		require.NoError(t, err)
		require.Equal(t, pix.Confirmed, paid.Status, "no scenario changes what becomes of a cash-in")
		due, err := s.HasDue(t.Context(), a.ID)
		require.NoError(t, err)
		return due
	}
	assert.False(t, due("delayed:30s"))
	assert.True(t, due("error:account-blocked"))
}

func TestOfManyPayersOnePays(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		a := funded(t, s, 0)
		made, err := s.CashIn(t.Context(), a.ID, cashInOrder("sale-1", 10_00))
		require.NoError(t, err)
		var paid, late atomic.Int64
		inParallel(32, func(int) {
			_, err := s.PayCharge(context.Background(), a.ID, made.Charge.Code, 0, payer)
			if errors.Is(err, ErrFinished) {
				late.Add(1)
			} else if err == nil {
				paid.Add(1)
			}
		})
		assert.EqualValues(t, 1, paid.Load())
		assert.EqualValues(t, 31, late.Load())
		requireBalance(t, s, a.ID, 10_00, 0)
	})
}

func TestCodeOfAnotherAccountIsNotFound(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	a, b := funded(t, s, 0), funded(t, s, 0)
	made, err := s.CashIn(t.Context(), a.ID, cashInOrder("sale-1", 10_00))
	require.NoError(t, err)
	_, err = s.PayCharge(t.Context(), b.ID, made.Charge.Code, 0, payer)
	assert.ErrorIs(t, err, ErrNotFound)
	_, _, err = s.Splits(t.Context(), b.ID, made.Payment.TransactionID)
	assert.ErrorIs(t, err, ErrNotFound)
}

func TestUnpaidCashInStaysPendingBeyondItsExpiry(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	a := funded(t, s, 0)
	made, err := s.CashIn(t.Context(), a.ID, cashInOrder("sale-1", 10_00))
	require.NoError(t, err)
	_, err = s.SetClock(t.Context(), a.ID, made.Charge.ExpiresAt)
	require.NoError(t, err)
	_, err = s.DoDue(t.Context())
	require.NoError(t, err)
	_, err = s.PayCharge(t.Context(), a.ID, made.Charge.Code, 0, payer)
	assert.ErrorIs(t, err, ErrFinished)
	found, err := s.Payment(t.Context(), a.ID, made.Payment.TransactionID)
	require.NoError(t, err)
	assert.Equal(t, pix.Pending, found.Status)
	requireBalance(t, s, a.ID, 0, 0)
}

func TestUnpaidCobIsRemovedAtItsExpiry(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	a := funded(t, s, 0)
	charge, err := s.Cob(t.Context(), a.ID, cobOrder(txid, 10_00))
	require.NoError(t, err)
	status := func() pix.ChargeStatus {
		_, err := s.DoDue(t.Context())
		require.NoError(t, err)
		found, err := s.ChargeByTxID(t.Context(), a.ID, txid)
		require.NoError(t, err)
		return found.Status
	}
	_, err = s.SetClock(t.Context(), a.ID, charge.ExpiresAt.Add(-time.Minute))
	require.NoError(t, err)
	assert.Equal(t, pix.ChargeActive, status())
	_, err = s.AdvanceClock(t.Context(), a.ID, time.Minute)
	require.NoError(t, err)
	assert.Equal(t, pix.ChargeRemovedByPSP, status())
	_, err = s.PayCharge(t.Context(), a.ID, charge.Code, 0, payer)
	assert.ErrorIs(t, err, ErrFinished)

	due, err := s.HasDue(t.Context(), a.ID)
	require.NoError(t, err)
	assert.False(t, due, "nothing is left to do about a charge that ended")
}

func TestCobEndsOnce(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	a := funded(t, s, 0)
	for i, event := range []pix.ChargeEvent{pix.ChargeEndedByReceiver, pix.ChargeEndedByPSP, pix.ChargePaid} {
		name := fmt.Sprintf("%s%d", txid, i)
		charge, err := s.Cob(t.Context(), a.ID, cobOrder(name, 10_00))
		require.NoError(t, err)
		if event == pix.ChargePaid {
			_, err = s.PayCharge(t.Context(), a.ID, charge.Code, 0, payer)
		} else {
			err = s.EndCharge(t.Context(), a.ID, name, event)
		}
		require.NoError(t, err)
		_, err = s.PayCharge(t.Context(), a.ID, charge.Code, 0, payer)
		assert.ErrorIs(t, err, ErrFinished)
		assert.ErrorIs(t, s.EndCharge(t.Context(), a.ID, name, pix.ChargeEndedByReceiver), ErrFinished)
		left := 0
		require.NoError(t, s.read(t.Context(), func(c conn) error {
			return c.row(`SELECT COUNT(*) FROM jobs WHERE charge_id = $1`, charge.ID).Scan(&left)
		}))
		assert.Zero(t, left, "its expiry is not waited for any more")
	}
	assert.ErrorIs(t, s.EndCharge(t.Context(), a.ID, "unknown", pix.ChargeEndedByPSP), ErrNotFound)
	requireBalance(t, s, a.ID, 10_00, 0)
}

func TestChargesOfARemovedAccountAreNotFound(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	a := funded(t, s, 0)
	charge, err := s.Cob(t.Context(), a.ID, cobOrder(txid, 10_00))
	require.NoError(t, err)
	made, err := s.CashIn(t.Context(), a.ID, cashInOrder("sale-1", 10_00))
	require.NoError(t, err)
	require.NoError(t, s.RemoveAccount(t.Context(), a.ID))

	_, err = s.ChargeByTxID(t.Context(), a.ID, txid)
	assert.ErrorIs(t, err, ErrNotFound)
	assert.ErrorIs(t, s.EndCharge(t.Context(), a.ID, txid, pix.ChargeEndedByPSP), ErrNotFound)
	_, err = s.PayCharge(t.Context(), a.ID, charge.Code, 0, payer)
	assert.ErrorIs(t, err, ErrNotFound)
	_, _, err = s.Splits(t.Context(), a.ID, made.Payment.TransactionID)
	assert.ErrorIs(t, err, ErrNotFound)
}

func TestTxIDIsUniqueForTheAccount(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		a, b := funded(t, s, 0), funded(t, s, 0)
		var made atomic.Int64
		inParallel(16, func(int) {
			if _, err := s.Cob(context.Background(), a.ID, cobOrder(txid, 10_00)); err == nil {
				made.Add(1)
			}
		})
		assert.EqualValues(t, 1, made.Load())
		require.NoError(t, s.EndCharge(t.Context(), a.ID, txid, pix.ChargeEndedByReceiver))
		_, err := s.Cob(t.Context(), a.ID, cobOrder(txid, 10_00))
		var refusal *pix.Refusal
		require.ErrorAs(t, err, &refusal, "also when that charge has ended")
		assert.Equal(t, pix.Conflict, refusal.Nature)
		_, err = s.Cob(t.Context(), b.ID, cobOrder(txid, 10_00))
		assert.NoError(t, err, "another account has txids of its own")
	})
}

func TestRefusedCashInLeavesNothing(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	a := funded(t, s, 100_00)
	_, err := s.CashOut(t.Context(), a.ID, order("used", 1_00))
	require.NoError(t, err)
	_, err = s.CashIn(t.Context(), a.ID, cashInOrder("used", 1_00))
	requireCode(t, pix.CodeDuplicateExternalID, err)

	refused := func(code string, faults pix.Faults) {
		t.Helper()
		faults.Auth = pix.AuthWorks
		_, err := s.Configure(t.Context(), a.ID, func(set *pix.Settings) { set.Faults = faults })
		require.NoError(t, err)
		_, err = s.CashIn(t.Context(), a.ID, cashInOrder("new", 1_00))
		requireCode(t, code, err)
	}
	refused(pix.CodeProviderExpiration, pix.Faults{PixProvider: pix.PixProviderWorks, MinimumExpiration: 3601})
	refused(pix.CodeValidation, pix.Faults{PixProvider: pix.PixProviderUnavailable})
	_, err = s.Configure(t.Context(), a.ID, func(set *pix.Settings) { set.Faults = pix.DefaultSettings().Faults })
	require.NoError(t, err)
	_, err = s.CashIn(t.Context(), a.ID, cashInOrder("new", 1_00))
	assert.NoError(t, err, "its externalId was not used up")
}

func TestAccountHoldsNoMoreThanThereIs(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	a := funded(t, s, pix.MaxAmount)
	made, err := s.CashIn(t.Context(), a.ID, cashInOrder("sale-1", 1))
	require.NoError(t, err)
	_, err = s.PayCharge(t.Context(), a.ID, made.Charge.Code, 0, payer)
	requireCode(t, pix.CodeValidation, err)
	requireBalance(t, s, a.ID, pix.MaxAmount, 0)
}

func fixedSplit(key string, amount pix.Centavos, immediate bool) pix.Split {
	return pix.Split{Key: key, KeyType: "EMAIL", Name: "Rui", Document: "52998224725", Type: pix.SplitFixed, Value: amount, Immediate: immediate}
}

func TestSplitsAreExecutedAtPaymentOrWithTheDailyRun(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		a := funded(t, s, 0) // noon in São Paulo
		made, err := s.CashIn(t.Context(), a.ID, cashInOrder("sale-1", 10_00,
			fixedSplit("now@example.com", 1_00, true), fixedSplit("later@example.com", 2_00, false)))
		require.NoError(t, err)
		requireParts := func(now, later pix.SplitStatus) {
			t.Helper()
			parts, left, err := s.Splits(t.Context(), a.ID, made.Payment.TransactionID)
			require.NoError(t, err)
			require.Equal(t, []Part{{"now@example.com", 1_00, now}, {"later@example.com", 2_00, later}}, parts)
			require.EqualValues(t, 7_00, left)
		}
		requireParts(pix.SplitPending, pix.SplitPending)
		_, err = s.PayCharge(t.Context(), a.ID, made.Charge.Code, 0, payer)
		require.NoError(t, err)
		requireParts(pix.SplitPaid, pix.SplitPending)
		requireBalance(t, s, a.ID, 7_00, 2_00)

		due := func(at time.Time) {
			t.Helper()
			_, err := s.SetClock(t.Context(), a.ID, at)
			require.NoError(t, err)
			done, err := s.DoDue(t.Context())
			require.NoError(t, err)
			for _, d := range done {
				require.NoError(t, d.Err)
			}
		}
		due(time.Date(2026, 3, 3, 2, 59, 0, 0, time.UTC)) // 23:59 in São Paulo
		requireParts(pix.SplitPaid, pix.SplitPending)
		due(time.Date(2026, 3, 3, 3, 0, 0, 0, time.UTC))
		requireParts(pix.SplitPaid, pix.SplitPaid)
		requireBalance(t, s, a.ID, 7_00, 0)
	})
}

func TestSplitsNeitherMakeNorLoseMoney(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	rapid.Check(t, func(r *rapid.T) {
		a, _, err := s.CreateAccount(context.Background(), NewAccount{})
		require.NoError(r, err)
		fee := pix.Centavos(rapid.Int64Range(0, 50).Draw(r, "fee"))
		_, err = s.Configure(context.Background(), a.ID, func(set *pix.Settings) { set.Fees.CashIn = fee })
		require.NoError(r, err)
		amount := pix.Centavos(rapid.Int64Range(1, 10_00).Draw(r, "amount"))
		splits := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) pix.Split {
			return pix.Split{
				Type:      rapid.SampledFrom([]pix.SplitType{pix.SplitFixed, pix.SplitPercentage}).Draw(r, "type"),
				Value:     pix.Centavos(rapid.Int64Range(1, 2_00).Draw(r, "value")),
				Immediate: rapid.Bool().Draw(r, "immediate"),
			}
		}), 0, 5).Draw(r, "splits")
		made, err := s.CashIn(context.Background(), a.ID, cashInOrder("x", amount, splits...))
		if !pix.SplitsFit(amount, splits) {
			requireCode(r, pix.CodeValidation, err)
			return
		}
		require.NoError(r, err)
		paid, err := s.PayCharge(context.Background(), a.ID, made.Charge.Code, 0, payer)
		require.NoError(r, err)

		parts, left, err := s.Splits(context.Background(), a.ID, made.Payment.TransactionID)
		require.NoError(r, err)
		executed := pix.Centavos(0)
		for _, p := range parts {
			if p.Status == pix.SplitPaid {
				executed += p.Amount
			}
		}
		account, err := s.Account(context.Background(), a.ID)
		require.NoError(r, err)
		assert.Equal(r, amount, account.Available+account.Blocked+executed+paid.Fee)
		assert.Equal(r, left-paid.Fee, account.Available)
		assert.NoError(r, s.CheckLedger(context.Background(), a.ID))
	})
}
