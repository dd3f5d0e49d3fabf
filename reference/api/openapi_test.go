package api

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheDocumentNamesTheAddressOfTheClient(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		forwarded string
		tls       *tls.ConnectionState
		want      string
	}{
		{"", nil, "http://pix.example:8443"},
		{"", &tls.ConnectionState{}, "https://pix.example:8443"},
		{"https", nil, "https://pix.example:8443"},
		{"http", nil, "http://pix.example:8443"},
		{`https","url":"x`, nil, "http://pix.example:8443"},
	} {
		r := httptest.NewRequest(http.MethodGet, "http://pix.example:8443/openapi.json", nil)
		r.TLS = c.tls
		r.Header.Set("X-Forwarded-Proto", c.forwarded)
		w := httptest.NewRecorder()
		require.NoError(t, write(w, r, []byte(`{"servers":[{"url":"`+exampleServer+`"}]}`), `"`+exampleServer+`"`))
		assert.JSONEq(t, `{"servers":[{"url":"`+c.want+`"}]}`, w.Body.String(), c.forwarded)
	}
}
