package reference

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/store"
)

// A test suite resets the gateway before each test, or restores a snapshot that it saved after its
// preparations. Its token stays valid.
func TestResetAndSnapshots(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"memory": "", "file": filepath.Join(t.TempDir(), "gateway.db")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			authority := newAuthority(t)
			sink, events := receiver(t, authority)
			certificate, err := authority.Issue(certs.Client{})
			require.NoError(t, err)
			g := start(t, Config{Data: file, WebhookCA: authority.Pool(), Seed: store.Seed{Accounts: []store.NewAccount{{
				ClientID: "5d3f5f7a-8a4e-4c0e-9d3b-0f3f3c1f7a11", Secret: "secret", Fingerprint: certificate.Fingerprint(), Available: 1000_00,
			}}}})
			accessToken := token(t, g, certificate, "5d3f5f7a-8a4e-4c0e-9d3b-0f3f3c1f7a11", "secret")
			clock := fmt.Sprintf("%s/accounts/%d/clock", g.ControlsURL(), g.Accounts()[0].ID)
			do := func(method, path string, want int) map[string]any {
				t.Helper()
				status, fields := send(t, method, g.ControlsURL()+path, nil, "")
				require.Equal(t, want, status, "%v", fields)
				return fields
			}
			pay := func() {
				t.Helper()
				status, paid := send(t, http.MethodPost, g.URL()+"/api/pix/cash-out", bearer(accessToken), order)
				require.Equal(t, http.StatusCreated, status, "%v", paid)
			}
			requireBalance := func(want float64) {
				t.Helper()
				status, balance := send(t, http.MethodGet, g.URL()+"/balance", bearer(accessToken), "")
				require.Equal(t, http.StatusOK, status, "%v", balance)
				require.Equal(t, want, balance["grossBalance"])
			}
			noon := func() { // of yesterday, so that the token is still valid
				status, _ := send(t, http.MethodPut, clock, nil, fmt.Sprintf(`{"now":%q}`, time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)+"T15:00:00Z"))
				require.Equal(t, http.StatusOK, status)
			}

			pay()
			do(http.MethodPost, "/reset", http.StatusNoContent)
			requireBalance(1000)
			pay() // its externalId is free again
			do(http.MethodPost, "/reset", http.StatusNoContent)

			noon()
			send(t, http.MethodPost, g.URL()+"/api/webhooks", bearer(accessToken), fmt.Sprintf(`{"url":%q,"eventType":"cash_out"}`, sink.URL))
			do(http.MethodPut, "/snapshots/start", http.StatusNoContent)
			for range 3 {
				pay()
				next(t, events)
				requireBalance(990)
				do(http.MethodPost, "/snapshots/start/restore", http.StatusNoContent)
				requireBalance(1000)
			}
			assert.Equal(t, []any{"start"}, do(http.MethodGet, "/snapshots", http.StatusOK)["snapshots"])
			assert.Contains(t, do(http.MethodPut, "/snapshots/a%20b", http.StatusBadRequest)["message"], "the name of a snapshot")
			do(http.MethodDelete, "/snapshots/start", http.StatusNoContent)
			do(http.MethodPost, "/snapshots/start/restore", http.StatusNotFound)
			do(http.MethodDelete, "/snapshots/start", http.StatusNotFound)
		})
	}
}

// An account can be reset while the others go on. Its token stays valid, and its webhooks are gone.
func TestResetOfAnAccount(t *testing.T) {
	t.Parallel()
	g := start(t, Config{})
	controls, accessToken := newAccount(t, g)
	other, otherToken := newAccount(t, g)
	for _, path := range []string{controls, other} {
		status, _ := send(t, http.MethodPut, path+"/balance", nil, `{"available":"100.00"}`)
		require.Equal(t, http.StatusNoContent, status)
	}
	status, paid := send(t, http.MethodPost, g.URL()+"/api/pix/cash-out", bearer(accessToken), order)
	require.Equal(t, http.StatusCreated, status, "%v", paid)
	status, _ = send(t, http.MethodPost, controls+"/reset", nil, "")
	require.Equal(t, http.StatusNoContent, status)
	for token, want := range map[string]float64{accessToken: 0, otherToken: 100} {
		status, balance := send(t, http.MethodGet, g.URL()+"/balance", bearer(token), "")
		require.Equal(t, http.StatusOK, status, "%v", balance)
		assert.EqualValues(t, want, balance["grossBalance"])
	}
	status, _ = send(t, http.MethodPost, g.ControlsURL()+"/accounts/999999/reset", nil, "")
	require.Equal(t, http.StatusNotFound, status)
}

// A reset also restores what may be requested in a minute.
func TestResetForgetsRequestsOfTheLastMinute(t *testing.T) {
	t.Parallel()
	g := start(t, Config{})
	controls, accessToken := newAccount(t, g)
	send(t, http.MethodPut, controls+"/limits", nil, `{"requestsPerMinute":1}`)
	send(t, http.MethodPut, g.ControlsURL()+"/snapshots/start", nil, "")
	for range 2 {
		status, _ := send(t, http.MethodGet, g.URL()+"/api/med", bearer(accessToken), "")
		assert.Equal(t, http.StatusOK, status)
		status, _ = send(t, http.MethodGet, g.URL()+"/api/med", bearer(accessToken), "")
		assert.Equal(t, http.StatusTooManyRequests, status)
		status, _ = send(t, http.MethodPost, g.ControlsURL()+"/snapshots/start/restore", nil, "")
		require.Equal(t, http.StatusNoContent, status)
	}
}
