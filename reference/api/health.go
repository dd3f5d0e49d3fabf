package api

import (
	"fmt"
	"net/http"
)

// health is GET and HEAD /healthz, which whoever starts the gateway waits for. It is no operation
// of the API and asks for no token.
func (a *api) health(w http.ResponseWriter, r *http.Request) error {
	if err := a.store.Ready(r.Context()); err != nil {
		return fmt.Errorf("the store cannot be read: %w", err)
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	return nil
}
