package store

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// An account that is reset has its credentials and the start of its seed, and others keep everything.
func TestResetAccount(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"memory": "", "file": filepath.Join(t.TempDir(), "gateway.db")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, path)
			seed := Seed{Accounts: []NewAccount{shop()}}
			planted, err := s.Plant(t.Context(), seed)
			require.NoError(t, err)
			other := funded(t, s, 10_00)
			for _, id := range []int64{7, other.ID} {
				_, err = register(s, id, pix.CashOutEvent, "https://a.example")
				require.NoError(t, err)
				_, err = s.CashOut(t.Context(), id, order("1", 1_00))
				require.NoError(t, err)
			}
			_, err = s.DoDue(t.Context())
			require.NoError(t, err)
			_, err = s.CashIn(t.Context(), 7, cashInOrder("sale-1", 5_00))
			require.NoError(t, err)
			_, err = s.AdvanceClock(t.Context(), 7, time.Hour)
			require.NoError(t, err)
			_, err = s.Configure(t.Context(), 7, func(set *pix.Settings) { set.Settlement = pix.Manual })
			require.NoError(t, err)
			_, err = s.CashOut(t.Context(), 7, order("pending", 1_00))
			require.NoError(t, err)

			account, err := s.ResetAccount(t.Context(), 7, seed)
			require.NoError(t, err)
			assert.Equal(t, planted[0], account)
			stored, err := s.Account(t.Context(), 7)
			require.NoError(t, err)
			assert.Equal(t, planted[0], stored)
			require.NoError(t, s.CheckLedger(t.Context(), 7))
			o, err := s.Overview(t.Context(), 7, 10)
			require.NoError(t, err)
			assert.Equal(t, Overview{Account: stored}, o)
			for _, table := range []string{"payments", "events", "jobs", "webhooks"} {
				assert.Equal(t, 1, rows(t, s, table), "%s of the other account", table)
			}
			holders, err := s.CertificateHolders(t.Context(), "ab")
			require.NoError(t, err)
			assert.Equal(t, []int64{7}, holders)
			requireBalance(t, s, other.ID, 9_00, 0)
			_, err = s.CashOut(t.Context(), 7, order("1", 1_00))
			require.NoError(t, err, "its externalId is free again")

			undeclared, err := s.ResetAccount(t.Context(), other.ID, seed)
			require.NoError(t, err)
			assert.Zero(t, undeclared.Available)
			assert.Equal(t, pix.DefaultSettings(), undeclared.Settings)
			_, err = s.ResetAccount(t.Context(), 99, seed)
			require.ErrorIs(t, err, ErrNotFound)
		})
	}
}
