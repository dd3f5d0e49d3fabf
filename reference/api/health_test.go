package api

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/store"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	asked := call{method: http.MethodGet, path: "/healthz", header: http.Header{}}
	healthy := g.send(t, asked)
	require.Equal(t, http.StatusOK, healthy.status)
	require.Equal(t, "ok", healthy.fields["status"])

	head := g.send(t, call{method: http.MethodHead, path: "/healthz", header: http.Header{}})
	require.Equal(t, http.StatusOK, head.status)
	require.Equal(t, healthy.header.Get("Content-Type"), head.header.Get("Content-Type"))
	require.Empty(t, head.raw)
	refused := g.send(t, call{method: http.MethodPost, path: "/healthz", header: http.Header{}})
	require.Equal(t, http.StatusMethodNotAllowed, refused.status)
	require.Equal(t, "GET, HEAD", refused.header.Get("Allow"))

	closed, err := store.Open(t.Context(), "")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	blind := &api{store: closed}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", nil)
	require.ErrorContains(t, blind.health(httptest.NewRecorder(), request), "cannot be read")
}
