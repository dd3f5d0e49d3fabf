package api

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLocalPagesReadResponses(t *testing.T) {
	t.Parallel()
	handler := AllowLocalPages(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	for origin, allowed := range map[string]bool{
		"http://localhost:3000": true, "http://127.0.0.1:3000": true, "https://[::1]": true, "": false, "null": false,
		"https://evil.example": false, "https://localhost.evil.example": false, "http://192.0.2.1": false, "file://localhost": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/openapi.json", nil)
		r.Header.Set("Origin", origin)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		assert.Equal(t, http.StatusTeapot, w.Code, origin)
		want := ""
		if allowed {
			want = origin
		}
		assert.Equal(t, want, w.Header().Get("Access-Control-Allow-Origin"), origin)

		r = httptest.NewRequest(http.MethodOptions, "/api/pix/cash-out", nil)
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", http.MethodPost)
		r.Header.Set("Access-Control-Request-Headers", "authorization,content-type")
		w = httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		assert.Equal(t, allowed, w.Code == http.StatusNoContent, origin)
		if allowed {
			assert.Equal(t, "authorization,content-type", w.Header().Get("Access-Control-Allow-Headers"), origin)
		}
	}
}
