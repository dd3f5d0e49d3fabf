package sandbox

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
