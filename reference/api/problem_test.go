package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/store"
)

// A list that is turned away says that it is worth another try, in the envelope of its family.
func TestBusyIsToBeRetried(t *testing.T) {
	t.Parallel()
	a := &api{log: slog.New(slog.DiscardHandler)}
	for path, envelope := range map[string]string{
		"/api/transactions": `{"statusCode":503,"timestamp":".*","path":"/api/transactions","method":"GET",.*"message":"too many lists are being read; .*}`,
		"/cob":              `{"statusCode":503,"message":"too many lists are being read; .*","error":"Service Unavailable"}`,
	} {
		w := httptest.NewRecorder()
		a.refuse(w, httptest.NewRequest(http.MethodGet, path, nil), fmt.Errorf("read the page: %w", store.ErrBusy))
		require.Equal(t, http.StatusServiceUnavailable, w.Code, path)
		require.Equal(t, "1", w.Header().Get("Retry-After"), path)
		require.Regexp(t, envelope, w.Body.String())
	}
}
