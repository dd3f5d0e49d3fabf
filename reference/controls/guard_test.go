package controls

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTokenOfTheControls(t *testing.T) {
	t.Parallel()
	handler := New(Config{Log: slog.New(slog.DiscardHandler), Token: "secret"})
	for authorization, want := range map[string]int{
		"": 401, "secret": 401, "Bearer ": 401, "Bearer Secret": 401, "Bearer secret": 200,
	} {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/controls", nil)
		r.Header.Set("Authorization", authorization)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		assert.Equal(t, want, w.Code, "%q", authorization)
	}
}

// A page of another site reaches the loopback under a name of its own (DNS rebinding), or
// by a form. Both are refused before a control is carried out.
func TestPagesOfOtherSitesCannotUseControls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		token, host string
		header      map[string]string
		method      string
		want        int
	}{
		"localhost":                        {"", "localhost:8081", nil, http.MethodPost, 400},
		"an address":                       {"", "127.0.0.1:8081", nil, http.MethodPost, 400},
		"an address of IPv6":               {"", "[::1]:8081", nil, http.MethodPost, 400},
		"without a port":                   {"", "LOCALHOST", nil, http.MethodPost, 400},
		"a rebound name":                   {"", "evil.example:8081", nil, http.MethodPost, 403},
		"a rebound name that reads":        {"", "evil.example:8081", nil, http.MethodGet, 403},
		"a rebound name of its own origin": {"", "evil.example:8081", map[string]string{"Origin": "http://evil.example:8081", "Sec-Fetch-Site": "same-origin"}, http.MethodPost, 403},
		"a name like localhost":            {"", "localhost.evil.example", nil, http.MethodPost, 403},
		"no name":                          {"", "", nil, http.MethodPost, 403},
		"a name, with a token":             {"secret", "gateway.internal:8081", map[string]string{"Authorization": "Bearer secret"}, http.MethodPost, 400},
		"a form":                           {"", "127.0.0.1:8081", map[string]string{"Origin": "https://evil.example"}, http.MethodPost, 403},
		"a form in a frame":                {"", "127.0.0.1:8081", map[string]string{"Origin": "null"}, http.MethodPost, 403},
		"a form of another port":           {"", "localhost:8081", map[string]string{"Origin": "http://localhost:3000"}, http.MethodPost, 403},
		"a form that hides":                {"", "localhost:8081", map[string]string{"Sec-Fetch-Site": "cross-site"}, http.MethodPost, 403},
		"a page of the same origin":        {"", "localhost:8081", map[string]string{"Origin": "http://localhost:8081"}, http.MethodPost, 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler := New(Config{Log: slog.New(slog.DiscardHandler), Token: c.token})
			r := httptest.NewRequest(c.method, "/accounts", nil)
			r.Host = c.host
			for key, value := range c.header {
				r.Header.Set(key, value)
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			assert.Equal(t, c.want, w.Code, "%s", w.Body) // 400: it got as far as the body, which is empty
		})
	}
}
