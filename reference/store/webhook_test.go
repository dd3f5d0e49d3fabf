package store

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func register(s *Store, accountID int64, event pix.EventType, url string, headers ...pix.Header) (pix.Registration, error) {
	return s.RegisterWebhook(context.Background(), accountID, pix.Registration{Type: event, URL: url, Headers: headers})
}

func TestRegistrations(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account, other := funded(t, s, 0), funded(t, s, 0)
		var registered []pix.Registration
		for i := range 3 {
			r, err := register(s, account.ID, pix.CashOutEvent, fmt.Sprintf("https://hooks.example/%d", i), pix.Header{Key: "A", Value: "1"})
			require.NoError(t, err)
			registered = append(registered, r)
		}
		_, err := register(s, account.ID, pix.CashOutEvent, "https://hooks.example/3")
		requireCode(t, pix.CodeValidation, err)
		_, err = register(s, account.ID, pix.CashOutEvent, "http://hooks.example/0")
		require.ErrorContains(t, err, "got http://hooks.example/0; to receive webhooks with a local http server, run pixcert listen")
		requireCode(t, pix.CodeValidation, err)

		again, err := register(s, account.ID, pix.CashOutEvent, "https://hooks.example/1", pix.Header{Key: "B", Value: "2"})
		require.NoError(t, err)
		want := registered[1]
		want.Version, want.Headers = 2, []pix.Header{{Key: "B", Value: "2"}}
		assert.Equal(t, want, again)
		registered[1] = again

		elsewhere, err := register(s, account.ID, pix.CashInEvent, "https://hooks.example/0")
		require.NoError(t, err, "each type counts for itself")
		_, err = register(s, other.ID, pix.CashOutEvent, "https://hooks.example/0")
		require.NoError(t, err, "each account counts for itself")
		listed, err := s.Webhooks(t.Context(), account.ID)
		require.NoError(t, err)
		assert.Equal(t, append(registered, elsewhere), listed)
	})
}

func TestParallelRegistrationsStayWithinTheLimit(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 0)
	inParallel(10, func(i int) { register(s, account.ID, pix.CashOutEvent, fmt.Sprintf("https://hooks.example/%d", i)) })
	listed, err := s.Webhooks(t.Context(), account.ID)
	require.NoError(t, err)
	assert.Len(t, listed, pix.MaxWebhookURLs)
}

func TestEventIsQueuedForEveryURLOfItsType(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 10_00)
		var urls []int64
		for _, url := range []string{"https://hooks.example/a", "https://hooks.example/b"} {
			r, err := register(s, account.ID, pix.CashOutEvent, url, pix.Header{Key: "X-A", Value: "1"})
			require.NoError(t, err)
			urls = append(urls, r.ID)
		}
		_, err := register(s, account.ID, pix.MEDCreatedEvent, "https://hooks.example/a")
		require.NoError(t, err)
		payment, err := s.CashOut(t.Context(), account.ID, order("1", 1_00))
		require.NoError(t, err)
		_, err = s.DoDue(t.Context())
		require.NoError(t, err)

		backlogs, err := s.Backlogs(t.Context())
		require.NoError(t, err)
		require.Len(t, backlogs, 2)
		messages := map[string]bool{}
		for i, backlog := range backlogs {
			assert.Equal(t, urls[i], backlog.WebhookID)
			leased, err := s.LeaseDeliveries(t.Context(), backlog.WebhookID, 10, time.Minute)
			require.NoError(t, err)
			require.Len(t, leased, 1)
			assert.Equal(t, 1, leased[0].Attempt)
			assert.Equal(t, []pix.Header{{Key: "X-A", Value: "1"}}, leased[0].Headers)
			var event map[string]any
			require.NoError(t, json.Unmarshal([]byte(leased[0].Body), &event))
			assert.Equal(t, payment.TransactionID, event["transactionId"])
			messages[leased[0].MessageID] = true

			nobodyElse, err := s.LeaseDeliveries(t.Context(), backlog.WebhookID, 10, time.Minute)
			require.NoError(t, err)
			assert.Empty(t, nobodyElse)
		}
		assert.Len(t, messages, 1, "one event has one id")
		leftOver, err := s.Backlogs(t.Context())
		require.NoError(t, err)
		assert.Empty(t, leftOver, "all is leased")
	})
}

// Who was leased a delivery and is not heard of again does not keep it for ever.
func TestLeaseEnds(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 10_00)
		webhook, err := register(s, account.ID, pix.CashOutEvent, "https://hooks.example/a")
		require.NoError(t, err)
		_, err = s.CashOut(t.Context(), account.ID, order("1", 1_00))
		require.NoError(t, err)
		_, err = s.DoDue(t.Context())
		require.NoError(t, err)
		for i, lease := range []time.Duration{0, time.Hour} {
			leased, err := s.LeaseDeliveries(t.Context(), webhook.ID, 10, lease)
			require.NoError(t, err)
			require.Len(t, leased, 1)
			assert.Equal(t, i+1, leased[0].Attempt)
			due, err := s.HasDue(t.Context(), account.ID)
			require.NoError(t, err)
			assert.True(t, due, "what is being delivered counts")
			require.NoError(t, s.VoidLeases(t.Context()))
		}
		leased, err := s.LeaseDeliveries(t.Context(), webhook.ID, 10, time.Hour)
		require.NoError(t, err)
		assert.Empty(t, leased, "the lease has an hour to run")
	})
}

func TestDeliveryIsRetriedThreeTimes(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 10_00)
	webhook, err := register(s, account.ID, pix.CashOutEvent, "https://hooks.example/a")
	require.NoError(t, err)
	_, err = s.CashOut(t.Context(), account.ID, order("1", 1_00))
	require.NoError(t, err)
	_, err = s.DoDue(t.Context())
	require.NoError(t, err)
	lease := func() []Delivery {
		leased, err := s.LeaseDeliveries(t.Context(), webhook.ID, 10, time.Minute)
		require.NoError(t, err)
		return leased
	}
	var message string
	for i, wait := range []time.Duration{5 * time.Minute, 10 * time.Minute, 25 * time.Minute, 0} {
		leased := lease()
		require.Len(t, leased, 1)
		require.NoError(t, s.FinishDeliveries(t.Context(), []Attempted{{Delivery: leased[0], BrokenOff: true}}))
		leased = lease() // a lease that was given back is no attempt
		require.Len(t, leased, 1)
		assert.Equal(t, i+1, leased[0].Attempt)
		message = leased[0].MessageID
		require.NoError(t, s.FinishDeliveries(t.Context(), []Attempted{{Delivery: leased[0], Attempt: Attempt{Status: 500, At: time.Now()}}}))
		if wait == 0 {
			break
		}
		_, err := s.AdvanceClock(t.Context(), account.ID, wait-time.Minute)
		require.NoError(t, err)
		require.Empty(t, lease(), "a minute before it is due")
		_, err = s.AdvanceClock(t.Context(), account.ID, time.Minute)
		require.NoError(t, err)
	}
	_, err = s.AdvanceClock(t.Context(), account.ID, 24*time.Hour)
	require.NoError(t, err)
	assert.Empty(t, lease(), "given up")
	log, err := s.DeliveryLog(t.Context(), account.ID)
	require.NoError(t, err)
	require.Len(t, log, 4)
	for i, attempt := range log {
		assert.Equal(t, i+1, attempt.Number)
		assert.Equal(t, message, attempt.MessageID)
		assert.Equal(t, 500, attempt.Status)
	}
}
