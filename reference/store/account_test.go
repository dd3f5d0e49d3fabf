package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestAccount(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account, secret, err := s.CreateAccount(t.Context(), NewAccount{Name: "Loja", Fingerprint: "f1"})
		require.NoError(t, err)
		assert.True(t, account.SecretMatches(secret))
		assert.True(t, pix.ValidDocument(account.Document))

		byID, err := s.Account(t.Context(), account.ID)
		require.NoError(t, err)
		assert.Equal(t, account, byID)
		byClient, err := s.AccountByClientID(t.Context(), account.ClientID)
		require.NoError(t, err)
		assert.Equal(t, account, byClient)
		assert.True(t, byClient.SecretMatches(secret))
		assert.False(t, byClient.SecretMatches(secret+"x"))
		assert.False(t, pix.Account{}.SecretMatches(""))

		_, err = s.Account(t.Context(), account.ID+1)
		assert.ErrorIs(t, err, ErrNotFound)
		_, err = s.AccountByClientID(t.Context(), pix.NewUUID())
		assert.ErrorIs(t, err, ErrNotFound)
	})
}

func TestRemovedAccountIsNotFound(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 10_00)
	require.NoError(t, s.RegisterCertificate(t.Context(), account.ID, "f1"))
	_, err := s.RegisterWebhook(t.Context(), account.ID, pix.Registration{Type: pix.CashOutEvent, URL: "https://hooks.example"})
	require.NoError(t, err)
	payment, err := s.CashOut(t.Context(), account.ID, order("1", 1_00))
	require.NoError(t, err)
	require.NoError(t, s.RemoveAccount(t.Context(), account.ID))

	settled, err := s.DoDue(t.Context())
	require.NoError(t, err)
	assert.Empty(t, settled)
	holders, err := s.CertificateHolders(t.Context(), "f1")
	require.NoError(t, err)
	assert.Empty(t, holders)
	for name, call := range map[string]func() error{
		"account":  func() error { _, err := s.Account(t.Context(), account.ID); return err },
		"client":   func() error { _, err := s.AccountByClientID(t.Context(), account.ClientID); return err },
		"cash-out": func() error { _, err := s.CashOut(t.Context(), account.ID, order("2", 1)); return err },
		"settle": func() error {
			_, err := s.Settle(t.Context(), account.ID, payment.TransactionID, pix.Result{Status: pix.Confirmed})
			return err
		},
		"webhooks":    func() error { _, err := s.Webhooks(t.Context(), account.ID); return err },
		"certificate": func() error { return s.RegisterCertificate(t.Context(), account.ID, "f2") },
		"revocation":  func() error { return s.RevokeCertificate(t.Context(), account.ID, "f1") },
		"balance":     func() error { _, err := s.SetBalance(t.Context(), account.ID, 1); return err },
		"clock":       func() error { _, err := s.AdvanceClock(t.Context(), account.ID, 1); return err },
		"settings":    func() error { _, err := s.Configure(t.Context(), account.ID, func(*pix.Settings) {}); return err },
		"removal":     func() error { return s.RemoveAccount(t.Context(), account.ID) },
		"registration": func() error {
			_, err := s.RegisterWebhook(t.Context(), account.ID, pix.Registration{Type: pix.CashOutEvent, URL: "https://hooks.example"})
			return err
		},
	} {
		assert.ErrorIs(t, call(), ErrNotFound, name)
	}
}

func TestCertificatesAreRevokedPerAccount(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		one, two := funded(t, s, 0), funded(t, s, 0)
		for _, account := range []pix.Account{one, two} {
			require.NoError(t, s.RegisterCertificate(t.Context(), account.ID, "f1"))
			require.NoError(t, s.RegisterCertificate(t.Context(), account.ID, "f1"), "twice is once")
		}
		holders := func() []int64 {
			ids, err := s.CertificateHolders(t.Context(), "f1")
			require.NoError(t, err)
			return ids
		}
		assert.Equal(t, []int64{one.ID, two.ID}, holders())
		require.NoError(t, s.RevokeCertificate(t.Context(), one.ID, "f1"))
		assert.Equal(t, []int64{two.ID}, holders())
		require.NoError(t, s.RegisterCertificate(t.Context(), one.ID, "f1"))
		assert.Equal(t, []int64{one.ID, two.ID}, holders())
		assert.ErrorIs(t, s.RevokeCertificate(t.Context(), one.ID, "f2"), ErrNotFound)
	})
}

func TestSettingsArePartialAndChecked(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 0)
		five := pix.Centavos(5_00)
		_, err := s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Limits.PerTransaction = &five; set.Limits.Night = nil })
		require.NoError(t, err)
		_, err = s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Faults.Auth = pix.AuthUnavailable })
		require.NoError(t, err)
		got, err := s.Account(t.Context(), account.ID)
		require.NoError(t, err)
		want := pix.DefaultSettings()
		want.Limits.PerTransaction, want.Limits.Night, want.Faults.Auth = &five, nil, pix.AuthUnavailable
		assert.Equal(t, want, got.Settings)

		minus, none := pix.Centavos(-1), -1
		for name, edit := range map[string]func(*pix.Settings){
			"fee":      func(set *pix.Settings) { set.Fees.CashOut = -1 },
			"big fee":  func(set *pix.Settings) { set.Fees.CashIn = pix.MaxAmount + 1 },
			"limit":    func(set *pix.Settings) { set.Limits.Daily = &minus },
			"requests": func(set *pix.Settings) { set.Limits.RequestsPerMinute = &none },
			"fault":    func(set *pix.Settings) { set.Faults.Auth = "other" },
			"mode":     func(set *pix.Settings) { set.Settlement = "" },
		} {
			_, err := s.Configure(t.Context(), account.ID, edit)
			var refusal *pix.Refusal
			assert.ErrorAs(t, err, &refusal, name)
		}
		unchanged, err := s.Account(t.Context(), account.ID)
		require.NoError(t, err)
		assert.Equal(t, got, unchanged)
	})
}

func TestBalanceHasBounds(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 90071992547409_93)
	requireBalance(t, s, account.ID, 90071992547409_93, 0)
	_, err := s.SetBalance(t.Context(), account.ID, -1)
	requireCode(t, pix.CodeValidation, err)
	lift(t, s, account.ID, func(l *pix.Limits) { *l = pix.Limits{} })
	_, err = s.CashOut(t.Context(), account.ID, order("1", 90071992547409_93))
	require.NoError(t, err)
	requireBalance(t, s, account.ID, 0, 90071992547409_93)
	_, err = s.SetBalance(t.Context(), account.ID, pix.MaxAmount)
	requireCode(t, pix.CodeValidation, err)
	requireBalance(t, s, account.ID, 0, 90071992547409_93)
}

func TestClockMovesWhatIsDue(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account, neighbour := funded(t, s, 10_00), funded(t, s, 10_00)
	for _, a := range []pix.Account{account, neighbour} {
		_, err := s.RegisterWebhook(t.Context(), a.ID, pix.Registration{Type: pix.CashOutEvent, URL: "https://hooks.example"})
		require.NoError(t, err)
		delayed := order("1", 1_00)
		delayed.Scenario = "delayed:60s"
		_, err = s.CashOut(t.Context(), a.ID, delayed)
		require.NoError(t, err)
	}
	_, err := s.DoDue(t.Context())
	require.NoError(t, err)
	due := func(a pix.Account) bool {
		due, err := s.HasDue(t.Context(), a.ID)
		require.NoError(t, err)
		return due
	}
	move := func(by time.Duration) {
		before, err := s.Account(t.Context(), account.ID)
		require.NoError(t, err)
		after, err := s.AdvanceClock(t.Context(), account.ID, by)
		require.NoError(t, err)
		assert.Equal(t, by, after.ClockOffset-before.ClockOffset)
	}
	assert.False(t, due(account), "held back")
	move(30 * time.Second)
	assert.False(t, due(account), "after half the time")
	move(-20 * time.Second)
	move(20 * time.Second)
	assert.False(t, due(account), "again after half the time")
	move(31 * time.Second)
	assert.True(t, due(account), "after 61 seconds")
	move(-time.Hour)
	assert.True(t, due(account), "what was due stays due")
	assert.False(t, due(neighbour), "another account's time is its own")

	for _, impossible := range []time.Time{{}, time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)} {
		_, err := s.SetClock(t.Context(), account.ID, impossible)
		requireCode(t, pix.CodeValidation, err)
	}
}

func TestSigningKeysRotate(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		first, err := s.SigningKeys(t.Context(), time.Hour, 2*time.Hour)
		require.NoError(t, err)
		require.Len(t, first, 1)
		assert.Len(t, first[0].Secret, 32)
		same, err := s.SigningKeys(t.Context(), time.Hour, 2*time.Hour)
		require.NoError(t, err)
		assert.Equal(t, first, same)
		rotated, err := s.SigningKeys(t.Context(), 0, 2*time.Hour)
		require.NoError(t, err)
		require.Len(t, rotated, 2)
		assert.Equal(t, first[0], rotated[1])
		assert.NotEqual(t, first[0].Secret, rotated[0].Secret)
		left, err := s.SigningKeys(t.Context(), 0, 0) // both are older than that by now
		require.NoError(t, err)
		require.Len(t, left, 1, "a key that verifies nothing any more is forgotten")
		assert.NotContains(t, []string{rotated[0].ID, rotated[1].ID}, left[0].ID)
	})
}
