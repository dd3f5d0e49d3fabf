package work_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/store"
	"github.com/pixcert/pixcert/reference/work"
)

// An interrupt does not wait long for a receiver that does not answer: its delivery is broken off, stays
// due, and is made again afterwards.
func TestInterruptBreaksDeliveriesOff(t *testing.T) {
	t.Parallel()
	r, givenUp := leavesFirst(t)
	s := open(t)
	w := start(t, work.Config{Store: s, TLS: r.trust()})
	account := subscribed(t, s, r.URL)
	pay(t, s, account.ID, "1", "")
	first := r.next(t)
	began := time.Now()
	require.NoError(t, w.Interrupt(t.Context(), func(ctx context.Context) error {
		log, err := s.DeliveryLog(ctx, account.ID)
		require.NoError(t, err)
		assert.Empty(t, log, "an attempt that is broken off does not count")
		pay(t, s, account.ID, "2", "")
		return nil
	}))
	assert.Less(t, time.Since(began), work.DeliveryTimeout/2)
	<-givenUp
	again, second := r.next(t), r.next(t)
	if again.body["externalId"] == "2" {
		again, second = second, again
	}
	assert.Equal(t, first.header.Get("webhook-id"), again.header.Get("webhook-id"))
	assert.Equal(t, "2", second.body["externalId"], "what happened meanwhile is settled and delivered")
	runDue(t, w, account.ID)
}

// Once the state is replaced, no webhook of the old state goes out.
func TestNothingOfAReplacedStateIsDelivered(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, nil)
	s := open(t)
	w := start(t, work.Config{Store: s, TLS: r.trust()})
	account := subscribed(t, s, r.URL)
	require.NoError(t, s.SaveSnapshot(t.Context(), "start"))
	for range 10 {
		for i := range 20 {
			pay(t, s, account.ID, "old-"+string(rune('a'+i)), "")
		}
		require.NoError(t, w.Interrupt(t.Context(), func(ctx context.Context) error { return s.RestoreSnapshot(ctx, "start") }))
		for len(r.events) > 0 {
			<-r.events
		}
		pay(t, s, account.ID, "new", "")
		runDue(t, w, account.ID)
		assert.Equal(t, "new", r.next(t).body["externalId"])
		assert.Empty(t, r.events)
	}
}

func TestInterruptGivesTheErrorAndEndsWithItsWorker(t *testing.T) {
	t.Parallel()
	s := open(t)
	w := work.Start(work.Config{Store: s})
	broken := errors.New("broken")
	assert.ErrorIs(t, w.Interrupt(t.Context(), func(context.Context) error { return broken }), broken)
	_, err := s.Reset(t.Context(), store.Seed{})
	require.NoError(t, err)
	w.Close()
	assert.ErrorIs(t, w.Interrupt(t.Context(), func(context.Context) error { return nil }), work.ErrClosed)
}

// What removes old data is interrupted, too, and goes on afterwards.
func TestInterruptWhileOldDataIsRemoved(t *testing.T) {
	t.Parallel()
	s := open(t)
	account := subscribed(t, s)
	w := start(t, work.Config{Store: s, Retain: 30 * 24 * time.Hour})
	old := pay(t, s, account.ID, "old", "")
	runDue(t, w, account.ID)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	require.NoError(t, w.Interrupt(ctx, func(ctx context.Context) error {
		_, err := s.AdvanceClock(ctx, account.ID, 31*24*time.Hour)
		require.NoError(t, err)
		pay(t, s, account.ID, "recent", "")
		return nil
	}))
	require.Eventually(t, func() bool {
		_, err := s.Payment(t.Context(), account.ID, old.TransactionID)
		return errors.Is(err, store.ErrNotFound)
	}, 10*time.Second, time.Millisecond)
}
