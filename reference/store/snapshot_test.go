package store

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Lists that find all connections in use are refused after a while, and at once when many wait already; what
// else is read does not wait for them.
func TestListsAreShed(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "gateway.db"))
	account := funded(t, s, 1_00)
	list := func() error {
		_, _, err := s.Payments(t.Context(), account.ID, PaymentFilter{Period: march}, Page{1, 20})
		return err
	}
	require.NoError(t, list())
	var taken []*session
	for range snapshotConnections() {
		own, err := s.snapshots.take(t.Context())
		require.NoError(t, err)
		taken = append(taken, own)
	}
	require.ErrorIs(t, list(), ErrBusy)
	s.snapshots.waiting.Add(maxWaiting)
	require.ErrorIs(t, list(), ErrBusy)
	s.snapshots.waiting.Add(-maxWaiting)
	_, err := s.AccountByClientID(t.Context(), account.ClientID)
	require.NoError(t, err)
	_, err = s.CashOut(t.Context(), account.ID, order("a", 1))
	require.NoError(t, err)
	for _, own := range taken {
		s.snapshots.idle <- own
	}
	require.NoError(t, list())
	require.Zero(t, s.snapshots.waiting.Load())
}
