package sandbox

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
)

// answersWith returns the statuses of requests with a token to a gateway with a fault; 0 stands for a closed connection.
func answersWith(t *testing.T, name string, next http.Handler, paths ...string) (statuses []int, last *httptest.ResponseRecorder) {
	t.Helper()
	var cfg reference.Config
	require.NoError(t, addFault(&cfg, name))
	handler := cfg.Wrap(next)
	for _, path := range paths {
		r := httptest.NewRequest(http.MethodPost, path, nil)
		if path != "/api/auth/token" {
			r.Header.Set("Authorization", "Bearer one")
		}
		w := httptest.NewRecorder()
		func() {
			defer func() {
				if reason := recover(); reason != nil {
					assert.Equal(t, http.ErrAbortHandler, reason)
					w.Code = 0
				}
			}()
			handler.ServeHTTP(w, r)
		}()
		statuses, last = append(statuses, w.Code), w
	}
	return statuses, last
}

func TestFaultsOfTheAPI(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statuses []int
		effects  int
		took     time.Duration
	}{
		"error-500":         {[]int{201, 201, 201, 500}, 3, 0},
		"error-429":         {[]int{201, 201, 201, 429}, 3, 0},
		"connection-closed": {[]int{201, 201, 201, 0}, 4, 0},
		"token-rejected":    {[]int{201, 401, 201, 201}, 3, 0},
		"slow":              {[]int{201, 201, 201, 201}, 4, 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				effects, began := 0, time.Now()
				next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { effects++; w.WriteHeader(http.StatusCreated) })
				statuses, last := answersWith(t, name, next, "/api/auth/token", "/api/pix/cash-out", "/dict/pix", "/api/pix/cash-in")
				assert.Equal(t, c.statuses, statuses)
				assert.Equal(t, c.effects, effects)
				assert.Equal(t, c.took, time.Since(began))
				switch name {
				case "error-429":
					assert.Equal(t, "1", last.Header().Get("Retry-After"))
					fallthrough
				case "error-500":
					assert.Contains(t, last.Body.String(), `"userMessage"`, "in the envelope of the path")
				}
			})
		})
	}
}

// wire keeps the webhooks that it sends, with the time since it was made.
type wire struct {
	mu    sync.Mutex
	began time.Time
	sent  []string
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = append(w.sent, fmt.Sprintf("%s%s at %v", r.Header.Get("webhook-id"), r.Header.Get("X-Secret"), time.Since(w.began)))
	return &http.Response{StatusCode: http.StatusAccepted, Body: http.NoBody}, nil
}

func TestFaultsOfWebhooks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sent   []string // of three webhooks, one per second
		status int
	}{
		"webhook-twice":        {[]string{"1s at 0s", "1s at 0s", "2s at 1s", "2s at 1s", "3s at 2s", "3s at 2s"}, 202},
		"webhook-late":         {[]string{"1s at 5s", "2s at 6s", "3s at 7s"}, 202},
		"webhook-out-of-order": {[]string{"2s at 1s", "1s at 1s", "3s at 7s"}, 202},
		"webhook-never":        {nil, 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var cfg reference.Config
				require.NoError(t, addFault(&cfg, name))
				inner := &wire{began: time.Now()}
				transport := cfg.WebhookTransport(inner)
				var sends sync.WaitGroup
				for _, id := range []string{"1", "2", "3"} {
					sends.Go(func() {
						response, err := transport.RoundTrip(webhook(t, id))
						if assert.NoError(t, err) {
							assert.Equal(t, c.status, response.StatusCode)
						}
					})
					time.Sleep(time.Second) // of the test's own clock
				}
				sends.Wait()
				assert.Equal(t, c.sent, inner.sent)
			})
		})
	}
}

func webhook(t *testing.T, id string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://app.example/hook", strings.NewReader("{}"))
	require.NoError(t, err)
	r.Header.Set("webhook-id", id)
	r.Header.Set("X-Secret", "s")
	return r
}

func TestForgedWebhooks(t *testing.T) {
	t.Parallel()
	var cfg reference.Config
	require.NoError(t, addFault(&cfg, "webhook-forged"))
	var got http.Header
	inner := roundTrip(func(r *http.Request) (*http.Response, error) {
		got = r.Header
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	})
	_, err := cfg.WebhookTransport(inner).RoundTrip(webhook(t, "1"))
	require.NoError(t, err)
	assert.Empty(t, got.Get("X-Secret"))
	assert.Regexp(t, `^msg_\w{26}$`, got.Get("webhook-id"))
}

// A gateway with a fault is served, on top of hooks that it has already.
func TestServeWithAFault(t *testing.T) {
	t.Parallel()
	wrapped := false
	v := visit(t, func(o *Options) {
		o.Fault = "error-500"
		o.Gateway.Wrap = func(next http.Handler) http.Handler { wrapped = true; return next }
	})
	assert.True(t, wrapped)
	var statuses []int
	for range 3 {
		statuses = append(statuses, v.request(http.MethodGet, "/balance", "").status)
	}
	assert.Equal(t, []int{200, 200, 500}, statuses)

	_, err := Serve(t.Context(), Options{Fault: "nothing", Directory: t.TempDir()})
	require.ErrorContains(t, err, `expected one of webhook-twice, `)
}

func TestFaultHelp(t *testing.T) {
	t.Parallel()
	require.Len(t, faults, 10)
	guide, err := os.ReadFile("../testing.md")
	require.NoError(t, err)
	assert.Contains(t, string(guide), "\n"+FaultHelp(), "the guide shows what --fault list prints")
	for _, f := range faults {
		assert.Contains(t, FaultHelp(), "  "+f.name+" ")
		assert.NotEqual(t, f.api == nil, f.webhooks == nil, f.name)
	}
}
