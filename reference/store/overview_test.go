package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestOverview(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account, other := funded(t, s, 10_00), funded(t, s, 10_00)
	_, err := register(s, account.ID, pix.CashOutEvent, "https://a.example/hook?secret=1")
	require.NoError(t, err)
	_, err = s.CashOut(t.Context(), account.ID, order("out-1", 1_00))
	require.NoError(t, err)
	_, err = s.DoDue(t.Context())
	require.NoError(t, err)
	_, err = s.CashIn(t.Context(), account.ID, cashInOrder("sale-1", 25_00))
	require.NoError(t, err)

	o, err := s.Overview(t.Context(), account.ID, 10)
	require.NoError(t, err)
	assert.Equal(t, account.ID, o.Account.ID)
	require.Len(t, o.Payments, 1, "the unpaid cash-in is a charge")
	assert.Equal(t, "out-1", o.Payments[0].ExternalID)
	require.Len(t, o.Charges, 1)
	assert.Equal(t, "sale-1", o.Charges[0].ExternalID)
	assert.True(t, o.Charges[0].Payable)
	require.Len(t, o.Events, 1)
	assert.Equal(t, "out-1", o.Events[0].About)
	assert.Empty(t, o.Events[0].Attempts)
	require.Len(t, o.Events[0].Waiting, 1)
	assert.Equal(t, "https://a.example/hook", o.Events[0].Waiting[0].URL)

	empty, err := s.Overview(t.Context(), other.ID, 10)
	require.NoError(t, err)
	assert.Empty(t, empty.Payments)
	assert.Empty(t, empty.Charges)
	assert.Empty(t, empty.Events)
	accounts, err := s.Accounts(t.Context(), 10)
	require.NoError(t, err)
	assert.Len(t, accounts, 2)
}

// An event is delivered again under the same webhook-id, to the URLs of now, and instead of its retries.
func TestRedeliver(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account, other := funded(t, s, 10_00), funded(t, s, 10_00)
	_, err := s.CashOut(t.Context(), account.ID, order("out-1", 1_00))
	require.NoError(t, err)
	_, err = s.DoDue(t.Context())
	require.NoError(t, err)
	o, err := s.Overview(t.Context(), account.ID, 10)
	require.NoError(t, err)
	event := o.Events[0]
	requireCode(t, pix.CodeValidation, s.Redeliver(t.Context(), account.ID, event.ID))
	require.ErrorIs(t, s.Redeliver(t.Context(), other.ID, event.ID), ErrNotFound)

	webhook, err := register(s, account.ID, pix.CashOutEvent, "https://a.example")
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, s.Redeliver(t.Context(), account.ID, event.ID))
	}
	deliveries, err := s.LeaseDeliveries(t.Context(), webhook.ID, 10, time.Minute)
	require.NoError(t, err)
	require.Len(t, deliveries, 1)
	assert.Equal(t, event.MessageID, deliveries[0].MessageID)
	require.NoError(t, s.FinishDeliveries(t.Context(), []Attempted{{Delivery: deliveries[0], Attempt: Attempt{Status: 500, At: time.Now()}}}))
	o, err = s.Overview(t.Context(), account.ID, 10)
	require.NoError(t, err)
	require.Len(t, o.Events[0].Attempts, 1)
	assert.Equal(t, 500, o.Events[0].Attempts[0].Status)
	assert.Len(t, o.Events[0].Waiting, 1)
}
