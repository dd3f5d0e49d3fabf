package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
)

// Whatever other users of the machine may read, the gateway's data they may not; files of an earlier version are closed to them.
func TestFilesAreTheOwnersAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "pixcert.db")
	require.NoError(t, os.WriteFile(data, nil, 0o644))
	require.NoError(t, os.WriteFile(data+"-lock", nil, 0o644))
	g := start(t, Config{Data: data})
	newAccount(t, g) // so that there is a write-ahead log
	var seen []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		info, infoErr := entry.Info()
		if err != nil || infoErr != nil || path == dir {
			return err
		}
		assert.Equal(t, fs.FileMode(0o600), info.Mode().Perm(), path)
		seen = append(seen, filepath.Base(path))
		return nil
	}))
	assert.Subset(t, seen, []string{"pixcert.db", "pixcert.db-lock", "pixcert.db-wal", "pixcert.db-shm"})
}

// logged gathers what a gateway logs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Nothing that a client keeps secret comes into the log, however much is logged and
// whatever goes wrong.
func TestLogsTellNoSecrets(t *testing.T) {
	t.Parallel()
	var log logged
	g := start(t, Config{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	certificate, err := newAuthority(t).Issue(certs.Client{})
	require.NoError(t, err)
	body, err := json.Marshal(map[string]string{"certificate": string(certificate.PEM())})
	require.NoError(t, err)
	_, account := send(t, http.MethodPost, g.ControlsURL()+"/accounts", nil, string(body))
	clientID, secret := account["clientId"].(string), account["clientSecret"].(string)
	accessToken := token(t, g, certificate, clientID, secret)
	controls := fmt.Sprintf("%s/accounts/%.0f", g.ControlsURL(), account["accountId"])
	send(t, http.MethodPut, controls+"/balance", nil, `{"available":"100.00"}`)

	header := map[string]string{"X-SSL-Client-Cert": certs.Header(certificate.PEM())}
	send(t, http.MethodPost, g.URL()+"/api/auth/token", header, fmt.Sprintf(`{"clientId":%q,"clientSecret":"%s-wrong"}`, clientID, secret))
	send(t, http.MethodPost, g.URL()+"/api/auth/token", header, fmt.Sprintf(`{"clientId":"x%s","clientSecret":%q}`, secret, secret))
	send(t, http.MethodGet, g.URL()+"/balance", bearer(accessToken+"x"), "")

	const secretURL = "127.0.0.1:1/hook?key=hunter2#hunter2"
	for _, registration := range []string{
		`{"url":"https://user:hunter2@` + secretURL + `","eventType":"cash_out","headers":[{"key":"X-Key","value":"hunter2"}]}`,
		`{"url":"http://user:hunter2@` + secretURL + `","eventType":"cash_out"}`,
		`{"url":"https://user:hunter2@` + secretURL + `%zz","eventType":"cash_out"}`,
		`{"url":"hunter2:hunter2@` + secretURL + `","eventType":"cash_out"}`,
		`{"url":"https://hooks.example","eventType":"cash_out","headers":[{"key":"X-Key","value":"hunter2\u0001"}]}`,
	} {
		send(t, http.MethodPost, g.URL()+"/api/webhooks", bearer(accessToken), registration)
	}
	_, payment := send(t, http.MethodPost, g.URL()+"/api/pix/cash-out", bearer(accessToken), order)
	require.Eventually(t, func() bool { return bytes.Contains([]byte(log.String()), []byte("delivery failed")) }, deadline, time.Millisecond)
	send(t, http.MethodPost, fmt.Sprintf("%s/api/resend-webhook/%s", g.URL(), payment["externalId"]), bearer(accessToken), `{"url":"https://user:hunter2@`+secretURL+`"}`)

	text := log.String()
	assert.Contains(t, text, "https://127.0.0.1:1/hook")
	for _, word := range []string{"hunter2", secret, accessToken, accessToken[len(accessToken)-20:], "BEGIN CERTIFICATE"} {
		assert.NotContains(t, text, word)
	}
}
