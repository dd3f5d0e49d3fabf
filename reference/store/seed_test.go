package store

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func shop() NewAccount {
	settings := pix.DefaultSettings()
	settings.Fees.CashOut = 50
	return NewAccount{
		ID: 7, ClientID: "5d3f5f7a-8a4e-4c0e-9d3b-0f3f3c1f7a11", Secret: "secret", Name: "shop",
		Fingerprint: "ab", Available: 10_00, Settings: &settings,
	}
}

// A seed is planted once: on the next start its accounts keep their balance and get the declared
// settings.
func TestPlant(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "gateway.db")
	s, err := Open(t.Context(), file)
	require.NoError(t, err)
	seed := Seed{Accounts: []NewAccount{shop()}, Directory: []pix.DirectoryEntry{
		{Key: "maria@example.com", Name: "Maria", Document: "52998224725", ISPB: "60701190", Status: pix.AccountActive},
	}}
	planted, err := s.Plant(t.Context(), seed)
	require.NoError(t, err)
	require.Len(t, planted, 1)
	made := planted[0]
	assert.EqualValues(t, 7, made.ID)
	assert.Equal(t, pix.Centavos(10_00), made.Available)
	assert.Equal(t, pix.Centavos(50), made.Fees.CashOut)
	assert.True(t, made.SecretMatches("secret"))
	assert.NoError(t, s.CheckLedger(t.Context(), 7))
	next, _, err := s.CreateAccount(t.Context(), NewAccount{})
	require.NoError(t, err)
	assert.EqualValues(t, 8, next.ID, "ids continue after the declared one")
	_, err = s.SetBalance(t.Context(), 7, 3_00)
	require.NoError(t, err)
	require.NoError(t, s.Close())

	s = open(t, file)
	changed := shop()
	changed.Settings.Fees.CashOut = 70
	again, err := s.Plant(t.Context(), Seed{Accounts: []NewAccount{changed}})
	require.NoError(t, err)
	assert.Equal(t, made.PixKey, again[0].PixKey)
	assert.Equal(t, pix.Centavos(3_00), again[0].Available)
	stored, err := s.Account(t.Context(), 7)
	require.NoError(t, err)
	assert.Equal(t, pix.Centavos(70), stored.Fees.CashOut)
}

func TestPlantRestoresARemovedAccount(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	_, err := s.Plant(t.Context(), Seed{Accounts: []NewAccount{shop()}})
	require.NoError(t, err)
	require.NoError(t, s.RemoveAccount(t.Context(), 7))
	_, err = s.Plant(t.Context(), Seed{Accounts: []NewAccount{shop()}})
	require.NoError(t, err)
	_, err = s.Account(t.Context(), 7)
	require.NoError(t, err)
	holders, err := s.CertificateHolders(t.Context(), "ab")
	require.NoError(t, err)
	assert.Equal(t, []int64{7}, holders)
}

// Nothing of a seed is planted if a part of it is wrong.
func TestPlantRefuses(t *testing.T) {
	t.Parallel()
	other := shop()
	other.Secret = "another"
	for name, c := range map[string]struct {
		seed Seed
		says string
	}{
		"another secret":    {Seed{Accounts: []NewAccount{shop(), other}}, "account shop: exists with another clientSecret"},
		"an unknown ISPB":   {Seed{Accounts: []NewAccount{shop()}, Directory: []pix.DirectoryEntry{{Key: "a@b.com", Document: "52998224725", Status: pix.AccountActive}}}, "ispb must have 8 digits"},
		"a negative amount": {Seed{Accounts: []NewAccount{{Name: "poor", ClientID: "1", Available: -1}}}, "available must be from 0.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, "")
			_, err := s.Plant(t.Context(), c.seed)
			require.ErrorContains(t, err, c.says)
			_, err = s.Account(t.Context(), 7)
			assert.ErrorIs(t, err, ErrNotFound)
		})
	}
}
