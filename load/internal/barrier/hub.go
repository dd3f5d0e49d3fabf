package barrier

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// mostBytes bounds what one instance brings, and what all have brought.
const mostBytes = 16 << 20

// hub is where the instances meet.
type hub struct {
	of     int
	mu     sync.Mutex
	rounds map[int]*round
	gone   error // why no further round will be complete
	left   chan struct{}
}

type round struct {
	parts    []json.RawMessage // nil of those that have not come
	complete chan struct{}
}

func newHub(of int) *hub {
	return &hub{of: of, rounds: map[int]*round{}, left: make(chan struct{})}
}

func (h *hub) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /rounds/{round}", h.serveRound)
	mux.HandleFunc("POST /left", func(_ http.ResponseWriter, r *http.Request) {
		if instance, err := strconv.Atoi(r.URL.Query().Get("instance")); err == nil {
			h.leave(instance)
		}
	})
	return mux
}

func (h *hub) serveRound(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	n, errRound := strconv.Atoi(r.PathValue("round"))
	instance, errInstance := strconv.Atoi(query.Get("instance"))
	patience, errPatience := time.ParseDuration(query.Get("patience"))
	if errRound != nil || errInstance != nil || errPatience != nil || instance < 0 || instance >= h.of || query.Get("of") != strconv.Itoa(h.of) {
		http.Error(w, fmt.Sprintf("expected one of %d instances, got %s of %s: run all with the same --execution-segment-sequence", h.of, query.Get("instance"), query.Get("of")), http.StatusConflict)
		return
	}
	part, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	parts, err := h.meet(ctx, n, instance, part)
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	_ = json.NewEncoder(w).Encode(parts) // if it breaks off, the instance has left
}

// meet brings an instance's part to a round, and returns all parts when they are there.
func (h *hub) meet(ctx context.Context, n, instance int, part []byte) ([]json.RawMessage, error) {
	h.mu.Lock()
	r := h.rounds[n]
	if r == nil {
		r = &round{parts: make([]json.RawMessage, h.of), complete: make(chan struct{})}
		h.rounds[n] = r
		delete(h.rounds, n-2) // all have read it, since all have come to the one after it
	}
	if r.parts[instance] != nil {
		h.mu.Unlock()
		return nil, fmt.Errorf("instance %d of %d came twice: give each its own --execution-segment", instance+1, h.of)
	}
	r.parts[instance] = part
	if len(h.missing(r)) == 0 {
		close(r.complete)
	}
	h.mu.Unlock()
	select {
	case <-r.complete:
		return r.parts, nil
	case <-h.left:
	case <-ctx.Done():
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch missing := h.missing(r); {
	case len(missing) == 0: // at the last moment
		return r.parts, nil
	case h.gone != nil:
		return nil, h.gone
	default:
		return nil, fmt.Errorf("still waiting for instance %s of %d", strings.Join(missing, ", "), h.of)
	}
}

// missing are the instances that have not come to a round, counted from 1. Call it with mu held.
func (h *hub) missing(r *round) (all []string) {
	for i, part := range r.parts {
		if part == nil {
			all = append(all, strconv.Itoa(i+1))
		}
	}
	return all
}

func (h *hub) leave(instance int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gone == nil {
		h.gone = fmt.Errorf("instance %d of %d has stopped", instance+1, h.of)
		close(h.left)
	}
}
