package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/pix"
)

// The benchmarks measure the handler and the store in memory, without a network.

func BenchmarkToken(b *testing.B) {
	c := newGateway(b).newClient(b, 0)
	header := certs.Header(c.certificate.PEM())
	c.bench(b, http.MethodPost, "/api/auth/token", http.StatusCreated, func(r *http.Request, _ int) string {
		r.Header.Set(certificateHeader, header)
		return c.credentials()
	})
}

func BenchmarkBalances(b *testing.B) {
	c := newGateway(b).newClient(b, 0)
	c.bench(b, http.MethodGet, "/accounts/balances", http.StatusOK, func(*http.Request, int) string { return "" })
}

func BenchmarkCashOut(b *testing.B) {
	c := newGateway(b).newClient(b, 99_999_999_00)
	c.bench(b, http.MethodPost, "/api/pix/cash-out", http.StatusCreated, func(_ *http.Request, n int) string {
		return order("0.01", fmt.Sprint("order-", n))
	})
}

// BenchmarkListByKey reads the longest page.
func BenchmarkListByKey(b *testing.B) {
	c := newGateway(b).newClient(b, 99_999_999_00)
	for n := range maxSizeByKey {
		c.pay(b, fmt.Sprint("order-", n), pix.KeyEmail, "fulano@example.com")
	}
	c.bench(b, http.MethodGet, "/api/pix/transactions/pix-key/fulano@example.com?size=1000", http.StatusOK, func(*http.Request, int) string { return "" })
}

func (c *client) bench(b *testing.B, method, path string, want int, prepare func(*http.Request, int) string) {
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+c.token)
		r.Body = http.NoBody
		if body := prepare(r, n); body != "" {
			r.Body = readCloser{strings.NewReader(body)}
		}
		w := httptest.NewRecorder()
		c.api.ServeHTTP(w, r)
		require.Equal(b, want, w.Code)
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }
