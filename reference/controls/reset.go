package controls

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
)

// reset replaces the state by that of the start. No webhook of the old state is sent afterwards.
func (c *controls) reset(w http.ResponseWriter, r *http.Request) error {
	err := c.Interrupt(r.Context(), func(ctx context.Context) error {
		_, err := c.Store.Reset(ctx, c.Seed)
		return err
	})
	if err != nil {
		return err
	}
	return done(w)
}

// resetAccount brings one account back to its start; it keeps its credentials.
func (c *controls) resetAccount(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	err = c.Interrupt(r.Context(), func(ctx context.Context) error {
		_, err := c.Store.ResetAccount(ctx, id, c.Seed)
		return err
	})
	if err != nil {
		return err
	}
	return done(w)
}

// restoreSnapshot replaces the state like reset.
func (c *controls) restoreSnapshot(w http.ResponseWriter, r *http.Request) error {
	err := c.Interrupt(r.Context(), func(ctx context.Context) error { return c.Store.RestoreSnapshot(ctx, chi.URLParam(r, "name")) })
	if err != nil {
		return err
	}
	return done(w)
}

func (c *controls) saveSnapshot(w http.ResponseWriter, r *http.Request) error {
	if err := c.Store.SaveSnapshot(r.Context(), chi.URLParam(r, "name")); err != nil {
		return err
	}
	return done(w)
}

func (c *controls) deleteSnapshot(w http.ResponseWriter, r *http.Request) error {
	if err := c.Store.DeleteSnapshot(r.Context(), chi.URLParam(r, "name")); err != nil {
		return err
	}
	return done(w)
}

func (c *controls) listSnapshots(w http.ResponseWriter, r *http.Request) error {
	names, err := c.Store.Snapshots(r.Context())
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, struct {
		Snapshots []string `json:"snapshots"`
	}{names})
}
