package seedfile

import (
	"cmp"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// The example account can pay the same at night as by day.
func TestTheExampleBehavesTheSameAtAnyHour(t *testing.T) {
	t.Parallel()
	limits := Example().Accounts[0].Settings.Limits
	for hour := range 24 {
		at := time.Date(2026, 3, 1, hour, 30, 0, 0, time.UTC)
		require.NoError(t, limits.Check(*limits.PerTransaction, 0, at), "%s", at)
	}
}

// FuzzSeedFile shows that a gateway can be started with everything that is accepted.
func FuzzSeedFile(f *testing.F) {
	s, err := store.Open(f.Context(), "")
	require.NoError(f, err)
	f.Cleanup(func() { require.NoError(f, s.Close()) })
	example, err := os.ReadFile("../testing.md")
	require.NoError(f, err)
	_, text, found := strings.Cut(string(example), "```yaml\n# accounts.yaml")
	require.True(f, found)
	text, _, _ = strings.Cut(text, "```")
	f.Add(strings.Replace(text, "certificate:", "# certificate:", 1))
	for _, text := range []string{
		"", "accounts:", "accounts: [{name: a}]", "accounts: [{name: a, balance: 1e3, limits: {daily: none, night: '1.00'}}]", "a: &a [*a]",
		"accounts: [{name: a, id: 9223372036854775807}]", "accounts: [{name: a, balance: -1}]", "directory: [{key: a@b.c}]", "accounts: 7", "\x00", "? [a]: b",
	} {
		f.Add(text)
	}
	directory := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		declared, err := parse([]byte(text), directory)
		if err != nil {
			return
		}
		seed := store.Seed{Directory: declared.Directory}
		for _, a := range declared.Accounts {
			account := a.NewAccount
			account.ClientID, account.Secret = cmp.Or(account.ClientID, pix.NewUUID()), cmp.Or(account.Secret, "secret")
			seed.Accounts = append(seed.Accounts, account)
		}
		_, err = s.Reset(t.Context(), seed)
		require.NoError(t, err, "%s", text)
	})
}
