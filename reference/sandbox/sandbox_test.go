package sandbox

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/seedfile"
	"github.com/pixcert/pixcert/reference/store"
)

// Output that is kept names the file of a client secret.
func TestSecretsAreShownOnTerminals(t *testing.T) {
	t.Parallel()
	account := Account{NewAccount: store.NewAccount{Secret: "only-for-tests"}, directory: "dir"}
	require.Equal(t, "only-for-tests", account.shownSecret(true))
	require.Equal(t, "in "+filepath.Join("dir", "client-secret"), account.shownSecret(false))
}

// Why an application did not respond is said without the URL, which the user has typed.
func TestWithoutResponse(t *testing.T) {
	t.Parallel()
	client := &http.Client{Timeout: time.Millisecond}
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	_, err := client.Get(silent.URL)
	require.Equal(t, "no response within 9s", withoutResponse(err))
	silent.Close()
	client.Timeout = 0
	_, err = client.Get(silent.URL)
	require.Regexp(t, `^dial tcp .*refused$`, withoutResponse(err))
}

// Other containers read the account's files; the data and the authority's key stay private.
func TestSharedFiles(t *testing.T) {
	t.Parallel()
	directory := filepath.Join(t.TempDir(), "data")
	box, err := New(directory, seedfile.Example())
	require.NoError(t, err)
	for _, name := range []string{"pixcert.yaml", "pixcert.db", "ca-key.pem"} {
		require.NoError(t, writePrivate(filepath.Join(directory, name), nil))
	}
	require.NoError(t, box.share())
	for name, want := range map[string]os.FileMode{
		".": 0o755, "accounts": 0o755, "accounts/example": 0o755, "accounts/example/" + CredentialsFile: 0o644,
		"pixcert.yaml": 0o644, "pixcert.db": 0o600, "ca-key.pem": 0o600,
	} {
		info, err := os.Stat(filepath.Join(directory, name))
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode().Perm(), name)
	}
}
