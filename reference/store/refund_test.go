package store

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/reference/pix"
)

// paidIn gives the account a PIX, received now at its key, that a test may refund.
func paidIn(t require.TestingT, s *Store, account pix.Account, kind pix.Kind, amount pix.Centavos) pix.Payment {
	ctx := context.Background()
	account, err := s.Account(ctx, account.ID)
	require.NoError(t, err)
	now := account.Now()
	payment := pix.Payment{
		Kind: kind, TransactionID: pix.NewUUID(), AccountID: account.ID, ExternalID: pix.NewUUID(),
		EndToEndID: pix.EndToEndID("60701190", now), Status: pix.Confirmed, Amount: amount,
		KeyType: pix.KeyRandom, Key: account.PixKey,
		Counterpart: pix.Counterpart{Name: "Maria", Document: "52998224725", ISPB: "60701190"},
		CreatedAt:   now, ProcessedAt: now,
	}
	require.NoError(t, s.write(ctx, func(t *tx) error {
		payment.ID = t.ids.nextRow()
		if err := t.insertPayment(payment, account.PixKey); err != nil {
			return err
		}
		done, err := t.move(account.ID, payment.ID, received, payment.Final(), 0, now)
		if err == nil && !done {
			err = fmt.Errorf("expected room for %s", amount)
		}
		return err
	}))
	return payment
}

func refundOf(original pix.Payment, id string, amount pix.Centavos) pix.RefundOrder {
	return pix.RefundOrder{EndToEndID: original.EndToEndID, ID: id, Amount: amount, Nature: pix.NatureOriginal}
}

func requireNature(t require.TestingT, nature pix.Nature, err error) {
	var refusal *pix.Refusal
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, nature, refusal.Nature, "%v", err)
}

// ofRefunds makes an account whose refunds wait for a result.
func ofRefunds(t testing.TB, s *Store, available pix.Centavos) pix.Account {
	t.Helper()
	account := funded(t, s, available)
	account, err := s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Refunds = pix.Manual })
	require.NoError(t, err)
	return account
}

func TestRefundHoldsItsMoneyUntilItsResult(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := ofRefunds(t, s, 0)
		original := paidIn(t, s, account, pix.KindCob, 10_00)
		first, err := s.Refund(t.Context(), account.ID, refundOf(original, "a", 4_00))
		require.NoError(t, err)
		assert.Equal(t, pix.RefundInProcess, first.Status)
		requireBalance(t, s, account.ID, 6_00, 4_00)
		stored, err := s.RefundByRtrID(t.Context(), account.ID, first.RtrID)
		require.NoError(t, err)
		assert.Equal(t, first, stored)
		payment := paymentOfRefund(t, s, first)
		assert.Equal(t, pix.Pending, payment.Status)
		assert.Equal(t, original.ID, payment.ParentID)

		_, err = s.Refund(t.Context(), account.ID, refundOf(original, "b", 6_01))
		requireNature(t, pix.Invalid, err)
		second, err := s.Refund(t.Context(), account.ID, refundOf(original, "b", 6_00))
		require.NoError(t, err)
		requireBalance(t, s, account.ID, 0, 10_00)

		first, err = s.FinishRefund(t.Context(), account.ID, first.RtrID, pix.RefundResult{Status: pix.Returned})
		require.NoError(t, err)
		requireBalance(t, s, account.ID, 0, 6_00)
		assert.False(t, first.SettledAt.IsZero())
		assert.Equal(t, pix.Confirmed, paymentOfRefund(t, s, first).Status)
		second, err = s.FinishRefund(t.Context(), account.ID, second.RtrID, pix.RefundResult{Status: pix.NotReturned, Reason: "closed"})
		require.NoError(t, err)
		requireBalance(t, s, account.ID, 6_00, 0)
		assert.Equal(t, pix.Error, paymentOfRefund(t, s, second).Status)

		for _, refund := range []pix.Refund{first, second} {
			for _, status := range []pix.RefundStatus{pix.Returned, pix.NotReturned} {
				_, err := s.FinishRefund(t.Context(), account.ID, refund.RtrID, pix.RefundResult{Status: status, Reason: "again"})
				assert.ErrorIs(t, err, ErrFinished)
			}
			stored, err := s.RefundByRtrID(t.Context(), account.ID, refund.RtrID)
			require.NoError(t, err)
			assert.Equal(t, refund, stored)
		}
		// What failed is left to refund again, and no more than that.
		_, err = s.Refund(t.Context(), account.ID, refundOf(original, "c", 6_01))
		requireNature(t, pix.Invalid, err)
		_, err = s.Refund(t.Context(), account.ID, refundOf(original, "c", 6_00))
		require.NoError(t, err)
		requireBalance(t, s, account.ID, 0, 6_00)
	})
}

func paymentOfRefund(t testing.TB, s *Store, r pix.Refund) pix.Payment {
	t.Helper()
	var payment pix.Payment
	require.NoError(t, s.read(t.Context(), func(c conn) (err error) {
		payment, err = c.paymentByID(r.PaymentID)
		return err
	}))
	return payment
}

func TestRepeatedRefundIsTheSame(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := ofRefunds(t, s, 0)
	original, other := paidIn(t, s, account, pix.KindCob, 10_00), paidIn(t, s, account, pix.KindCashIn, 10_00)
	order := refundOf(original, "a", 4_00)
	first, err := s.Refund(t.Context(), account.ID, order)
	require.NoError(t, err)
	again, err := s.Refund(t.Context(), account.ID, order)
	require.NoError(t, err)
	assert.Equal(t, first, again)

	changed := order
	changed.Description = "other"
	_, err = s.Refund(t.Context(), account.ID, changed)
	requireNature(t, pix.Invalid, err)
	requireBalance(t, s, account.ID, 16_00, 4_00)

	_, err = s.Refund(t.Context(), account.ID, refundOf(other, "a", 4_00))
	require.NoError(t, err, "an id is of one original")
	requireBalance(t, s, account.ID, 12_00, 8_00)

	// However late, and whatever has become of it.
	done, err := s.FinishRefund(t.Context(), account.ID, first.RtrID, pix.RefundResult{Status: pix.Returned})
	require.NoError(t, err)
	_, err = s.AdvanceClock(t.Context(), account.ID, 100*24*time.Hour)
	require.NoError(t, err)
	again, err = s.Refund(t.Context(), account.ID, order)
	require.NoError(t, err)
	assert.Equal(t, done, again)
}

func TestRefundsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account, stranger := ofRefunds(t, s, 100_00), funded(t, s, 0)
	original := paidIn(t, s, account, pix.KindCob, 10_00)
	sent, err := s.CashOut(t.Context(), account.ID, order("1", 1_00))
	require.NoError(t, err)
	sent, err = s.Settle(t.Context(), account.ID, sent.TransactionID, pix.Result{Status: pix.Confirmed})
	require.NoError(t, err)
	refund, err := s.Refund(t.Context(), account.ID, refundOf(original, "used", 1_00))
	require.NoError(t, err)

	unknown := original
	unknown.EndToEndID = pix.EndToEndID("60701190", time.Now())
	returned := original
	returned.EndToEndID = refund.RtrID
	for name, test := range map[string]struct {
		account int64
		order   pix.RefundOrder
		nature  pix.Nature
	}{
		"of nothing known":        {account.ID, refundOf(unknown, "a", 1_00), pix.NotFound},
		"of a sent PIX":           {account.ID, refundOf(sent, "a", 1_00), pix.NotFound},
		"of a refund":             {account.ID, refundOf(returned, "a", 1_00), pix.NotFound},
		"of another account's":    {stranger.ID, refundOf(original, "a", 1_00), pix.NotFound},
		"without an id":           {account.ID, refundOf(original, "", 1_00), pix.Invalid},
		"more than there is":      {account.ID, refundOf(original, "a", 9_01), pix.Invalid},
		"another, of the same id": {account.ID, refundOf(original, "used", 2_00), pix.Invalid},
	} {
		_, err := s.Refund(t.Context(), test.account, test.order)
		var refusal *pix.Refusal
		if assert.ErrorAs(t, err, &refusal, name) {
			assert.Equal(t, test.nature, refusal.Nature, name)
		}
	}

	_, err = s.SetBalance(t.Context(), account.ID, 1_99)
	require.NoError(t, err)
	_, err = s.Refund(t.Context(), account.ID, refundOf(original, "a", 2_00))
	requireCode(t, pix.CodeInsufficientBalance, err)
	requireNature(t, pix.Unprocessable, err)
	requireBalance(t, s, account.ID, 1_99, 1_00)
	_, err = s.Refund(t.Context(), account.ID, refundOf(original, "a", 1_99))
	require.NoError(t, err, "what was refused did not use its id up")

	_, err = s.SetClock(t.Context(), account.ID, original.ProcessedAt.Add(89*24*time.Hour+time.Second))
	require.NoError(t, err)
	_, err = s.SetBalance(t.Context(), account.ID, 10_00)
	require.NoError(t, err)
	_, err = s.Refund(t.Context(), account.ID, refundOf(original, "late", 1_00))
	requireNature(t, pix.Unprocessable, err)
	_, err = s.SetClock(t.Context(), account.ID, original.ProcessedAt.Add(89*24*time.Hour-time.Minute))
	require.NoError(t, err)
	_, err = s.Refund(t.Context(), account.ID, refundOf(original, "late", 1_00))
	require.NoError(t, err)
}

func TestParallelRefundsDoNotExceedTheOriginal(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := ofRefunds(t, s, 100_00)
		original := paidIn(t, s, account, pix.KindCob, 10_00)
		var accepted atomic.Int64
		inParallel(16, func(i int) {
			if _, err := s.Refund(t.Context(), account.ID, refundOf(original, fmt.Sprint("r", i), 3_00)); err == nil {
				accepted.Add(1)
			}
		})
		assert.EqualValues(t, 3, accepted.Load())
		requireBalance(t, s, account.ID, 101_00, 9_00)
		ids := make([]string, 16)
		inParallel(16, func(i int) {
			refund, err := s.Refund(t.Context(), account.ID, refundOf(original, "same", 1_00))
			assert.NoError(t, err)
			ids[i] = refund.RtrID
		})
		for _, id := range ids {
			assert.Equal(t, ids[0], id)
		}
		requireBalance(t, s, account.ID, 100_00, 10_00)
	})
}

func TestRefundsAreCarriedOutByThemselves(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 0)
	original := paidIn(t, s, account, pix.KindCob, 10_00)
	state := func(r pix.Refund) pix.RefundStatus {
		_, err := s.DoDue(t.Context())
		require.NoError(t, err)
		r, err = s.RefundByRtrID(t.Context(), account.ID, r.RtrID)
		require.NoError(t, err)
		return r.Status
	}
	mode := func(m pix.Mode) {
		_, err := s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Refunds = m })
		require.NoError(t, err)
	}
	first, err := s.Refund(t.Context(), account.ID, refundOf(original, "a", 1_00))
	require.NoError(t, err)
	assert.Equal(t, pix.Returned, state(first))
	requireBalance(t, s, account.ID, 9_00, 0)
	mode(pix.Manual)
	second, err := s.Refund(t.Context(), account.ID, refundOf(original, "b", 1_00))
	require.NoError(t, err)
	assert.Equal(t, pix.RefundInProcess, state(second))
	mode(pix.Automatic)
	assert.Equal(t, pix.Returned, state(second))
	requireBalance(t, s, account.ID, 8_00, 0)
}

// eventTypes lists the types of an account's events, in their order.
func eventTypes(t testing.TB, s *Store, accountID int64) (types []pix.EventType) {
	t.Helper()
	require.NoError(t, s.read(t.Context(), func(c conn) error {
		return c.each(func(row scanner) error {
			var kind pix.EventType
			err := row.Scan(&kind)
			types = append(types, kind)
			return err
		}, `SELECT type FROM events WHERE account_id = $1 ORDER BY id`, accountID)
	}))
	return types
}

func TestRefundIsToldOnceItIsCarriedOut(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := ofRefunds(t, s, 0)
	cob, cashIn := paidIn(t, s, account, pix.KindCob, 10_00), paidIn(t, s, account, pix.KindCashIn, 10_00)
	finish := func(original pix.Payment, id string, status pix.RefundStatus) pix.Refund {
		refund, err := s.Refund(t.Context(), account.ID, refundOf(original, id, 1_00))
		require.NoError(t, err)
		refund, err = s.FinishRefund(t.Context(), account.ID, refund.RtrID, pix.RefundResult{Status: status})
		require.NoError(t, err)
		return refund
	}
	finish(cob, "no", pix.NotReturned)
	assert.Empty(t, sentEvents(t, s, account.ID), "nobody is told of a refund that failed")
	ofCob, ofCashIn := finish(cob, "a", pix.Returned), finish(cashIn, "b", pix.Returned)
	require.Equal(t, []pix.EventType{pix.RefundInEvent, pix.RefundInEvent}, eventTypes(t, s, account.ID))
	bodies := sentEvents(t, s, account.ID)
	assert.Equal(t, "REFUND", bodies[0]["type"])
	assert.Equal(t, cob.EndToEndID, bodies[0]["data"].(map[string]any)["endToEndId"])
	assert.Contains(t, fmt.Sprint(bodies[0]), ofCob.RtrID)
	assert.Equal(t, "CashInReversal", bodies[1]["event"])
	assert.Equal(t, ofCashIn.RtrID, bodies[1]["endToEndId"])
	assert.Equal(t, cashIn.TransactionID, bodies[1]["parentTransaction"].(map[string]any)["transactionId"])
}

// Whatever is refunded, repeated and decided in whatever order, balances follow and no
// original gives back more than it brought.
func TestRefundsKeepTheLedger(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		s, err := Open(ctx, "")
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		account, _, err := s.CreateAccount(ctx, NewAccount{})
		require.NoError(t, err)
		_, err = s.Configure(ctx, account.ID, func(set *pix.Settings) { set.Refunds = pix.Manual })
		require.NoError(t, err)
		original := paidIn(t, s, account, pix.KindCob, 100_00)
		available, left := pix.Centavos(100_00), pix.Centavos(100_00) // as they should be
		var refunds []pix.Refund
		t.Repeat(map[string]func(*rapid.T){
			"funds": func(t *rapid.T) {
				available = pix.Centavos(rapid.Int64Range(0, 150_00).Draw(t, "available"))
				_, err := s.SetBalance(ctx, account.ID, available)
				require.NoError(t, err)
			},
			"refund": func(t *rapid.T) {
				amount := pix.Centavos(rapid.Int64Range(1, 60_00).Draw(t, "amount"))
				refund, err := s.Refund(ctx, account.ID, refundOf(original, fmt.Sprint("r", len(refunds)), amount))
				switch {
				case amount > left:
					requireNature(t, pix.Invalid, err)
				case amount > available:
					requireNature(t, pix.Unprocessable, err)
				default:
					require.NoError(t, err)
					available, left = available-amount, left-amount
					refunds = append(refunds, refund)
				}
			},
			"result": func(t *rapid.T) {
				if len(refunds) == 0 {
					t.Skip()
				}
				r := &refunds[rapid.IntRange(0, len(refunds)-1).Draw(t, "refund")]
				status := rapid.SampledFrom([]pix.RefundStatus{pix.Returned, pix.NotReturned}).Draw(t, "status")
				_, err := s.FinishRefund(ctx, account.ID, r.RtrID, pix.RefundResult{Status: status})
				if r.Status != pix.RefundInProcess {
					require.ErrorIs(t, err, ErrFinished)
					return
				}
				require.NoError(t, err)
				if r.Status = status; status == pix.NotReturned {
					available, left = available+r.Amount, left+r.Amount
				}
			},
			"": func(t *rapid.T) {
				now, err := s.Account(ctx, account.ID)
				require.NoError(t, err)
				require.Equal(t, available, now.Available)
				require.NoError(t, s.CheckLedger(ctx, account.ID))
			},
		})
	})
}
