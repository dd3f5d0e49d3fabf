package store

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestPaymentIsIdentified(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account, other := funded(t, s, 0), funded(t, s, 0)
		s.insert(t, account.ID,
			sample{pix.KindRefundIn, pix.Confirmed, "shared", "D1", "", 0},
			sample{pix.KindRefundIn, pix.Confirmed, "twice", "D2", "", 0},
			sample{pix.KindRefundIn, pix.Confirmed, "twice", "D3", "", 0},
			sample{pix.KindCashOut, pix.Confirmed, "shared", "E4", "", 0},
			sample{pix.KindCashOut, pix.Pending, "D1", "", "", 0},
		)
		s.insert(t, other.ID, sample{pix.KindCashOut, pix.Confirmed, "theirs", "E6", "", 0})
		byEndToEndID := make(map[string]pix.Payment)
		for _, id := range []int64{account.ID, other.ID} {
			payments, _, err := s.Payments(t.Context(), id, PaymentFilter{Period: march}, Page{1, 10})
			require.NoError(t, err)
			for _, p := range payments {
				byEndToEndID[p.EndToEndID] = p
			}
		}
		first := byEndToEndID["D1"]
		s.insert(t, account.ID, sample{pix.KindCashOut, pix.Confirmed, fmt.Sprint(first.ID), "E7", "", 0})
		for identifier, want := range map[string]string{ // end-to-end ids
			"shared":             "E4", // the client chose it for a payment
			"twice":              "D2", // the oldest
			"E4":                 "E4",
			"D1":                 "", // an externalId comes first, here that of the pending one
			"D3":                 "D3",
			fmt.Sprint(first.ID): "D1", // a numeric id comes before an externalId
			first.TransactionID:  "D1",
		} {
			require.NoError(t, s.snapshot(t.Context(), func(c conn) error {
				p, err := c.identified(account.ID, identifier)
				require.NoError(t, err, identifier)
				assert.Equal(t, want, p.EndToEndID, identifier)
				return nil
			}))
		}
		theirs := byEndToEndID["E6"]
		for _, identifier := range []string{"unknown", "0", "-1", "theirs", "E6", theirs.TransactionID, fmt.Sprint(theirs.ID)} {
			_, err := s.LatestEvent(t.Context(), account.ID, identifier)
			assert.ErrorIs(t, err, ErrNotFound, identifier)
		}
	})
}

func TestLatestEventGoesToWhereItsTypeIsRegistered(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 10_00)
		p, err := s.CashOut(t.Context(), account.ID, order("1", 1_00))
		require.NoError(t, err)
		_, err = s.LatestEvent(t.Context(), account.ID, "1")
		var refusal *pix.Refusal
		require.ErrorAs(t, err, &refusal, "a pending payment has none")
		assert.Contains(t, refusal.Message, "PENDING")

		_, err = s.Settle(t.Context(), account.ID, p.TransactionID, pix.Result{Status: pix.Confirmed})
		require.NoError(t, err)
		d, err := s.LatestEvent(t.Context(), account.ID, "1")
		require.NoError(t, err)
		assert.Empty(t, d.URL, "nothing is registered")
		assert.NotEmpty(t, d.MessageID)
		assert.Contains(t, d.Body, p.TransactionID)

		for _, r := range []pix.Registration{
			{Type: pix.CashInEvent, URL: "https://in.example"},
			{Type: pix.CashOutEvent, URL: "https://first.example", Headers: []pix.Header{{Key: "X-A", Value: "1"}}},
			{Type: pix.CashOutEvent, URL: "https://second.example"},
		} {
			_, err := s.RegisterWebhook(t.Context(), account.ID, r)
			require.NoError(t, err)
		}
		again, err := s.LatestEvent(t.Context(), account.ID, "1")
		require.NoError(t, err)
		assert.Equal(t, "https://first.example", again.URL)
		assert.Equal(t, []pix.Header{{Key: "X-A", Value: "1"}}, again.Headers)
		assert.Equal(t, d.MessageID, again.MessageID)

		line, err := s.LogDelivery(t.Context(), again, Attempt{Status: 202})
		require.NoError(t, err)
		log, err := s.DeliveryLog(t.Context(), account.ID)
		require.NoError(t, err)
		require.Len(t, log, 1)
		assert.Equal(t, line, log[0].ID)
		assert.Equal(t, 202, log[0].Status)
		assert.Equal(t, again.WebhookID, log[0].WebhookID)
		assert.Equal(t, p.ID, log[0].PaymentID)

		require.NoError(t, s.write(t.Context(), func(tx *tx) error {
			return tx.emit(event{accountID: account.ID, paymentID: p.ID, kind: pix.CashInEvent, payload: "later", at: noon})
		}))
		later, err := s.LatestEvent(t.Context(), account.ID, "1")
		require.NoError(t, err)
		assert.Equal(t, `"later"`, later.Body)
		assert.Equal(t, "https://in.example", later.URL, "where the event's type is registered")
	})
}
