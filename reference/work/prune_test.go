package work_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
	"github.com/pixcert/pixcert/reference/work"
)

func TestWorkerRemovesWhatIsOld(t *testing.T) {
	t.Parallel()
	s := open(t)
	account := subscribed(t, s)
	old := pay(t, s, account.ID, "old", "")
	_, err := s.Settle(t.Context(), account.ID, old.TransactionID, pix.Result{Status: pix.Confirmed})
	require.NoError(t, err)
	_, err = s.AdvanceClock(t.Context(), account.ID, 31*24*time.Hour)
	require.NoError(t, err)
	recent := pay(t, s, account.ID, "recent", "")

	start(t, work.Config{Store: s, Retain: 30 * 24 * time.Hour})
	require.Eventually(t, func() bool {
		_, err := s.Payment(t.Context(), account.ID, old.TransactionID)
		return errors.Is(err, store.ErrNotFound)
	}, 10*time.Second, time.Millisecond)
	_, err = s.Payment(t.Context(), account.ID, recent.TransactionID)
	require.NoError(t, err)
}
