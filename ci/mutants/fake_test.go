package mutants

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// gateway is a fake one: it answers every call as it is told, and keeps the calls.
type gateway struct {
	status int
	answer string
	decide func(method, path, authorization, body string) (status int, answer string) // instead, where it is set

	mu    sync.Mutex
	calls []received
}

type received struct{ method, path, authorization, body string }

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c := received{r.Method, r.URL.Path, r.Header.Get("Authorization"), string(body)}
	g.mu.Lock()
	g.calls = append(g.calls, c)
	g.mu.Unlock()
	status, answer := g.status, g.answer
	if g.decide != nil {
		status, answer = g.decide(c.method, c.path, c.authorization, c.body)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "999") // of another body, as it turns out
	w.WriteHeader(status)
	_, _ = io.WriteString(w, answer)
}

func (g *gateway) bodies() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var bodies []string
	for _, c := range g.calls {
		bodies = append(bodies, c.body)
	}
	return bodies
}

// do sends a request to a handler.
func do(h http.Handler, method, path, body string, header ...string) *http.Response {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func read(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return string(b)
}

// pay sends a cash-out under a token.
func pay(h http.Handler, token, body string) *http.Response {
	return do(h, http.MethodPost, "/api/pix/cash-out", body, "Authorization", "Bearer "+token)
}

// login sends a token request.
func login(h http.Handler, client string) *http.Response {
	return do(h, http.MethodPost, "/api/auth/token", `{"clientId":"`+client+`"}`)
}

// refusesValues is a gateway that takes a cash-out of 0.01 and nothing else, and gives
// each client a token that is its name.
func refusesValues(_, path, _, body string) (int, string) {
	switch {
	case path == "/api/auth/token":
		return 201, `{"access_token":"` + textAt([]byte(body), "clientId") + `"}`
	case strings.Contains(body, `"value":0.01`):
		return 201, `{"transactionId":"paid"}`
	}
	return 400, `{"statusCode":400,"code":"PIX_INVALID_AMOUNT","errorCode":"PIX_INVALID_AMOUNT","message":"value is wrong","error":"Bad Request"}`
}

func valid(t *testing.T, body string) {
	t.Helper()
	require.True(t, json.Valid([]byte(body)), body)
}
