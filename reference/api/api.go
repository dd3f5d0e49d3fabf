// Package api is the HTTP side of the gateway: it reads requests, has the rules judge
// them (packages pix and store), and writes what came of it. Its endpoints are the
// table in routes; each error becomes an answer in one place, refuse.
package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/reference/store"
)

// Config is what the API needs. Store and Log are required.
type Config struct {
	Store *store.Store
	Log   *slog.Logger
}

type api struct {
	store      *store.Store
	log        *slog.Logger
	operations operations
	document   []byte // openapi.yaml
	tokenKeys  *tokenKeys
	routes     chi.Router
}

// operations are those of the wire contract whose requests have a body.
type operations struct {
	token, cashOut, registerWebhook *contract.Operation
}

// New builds the handler of the gateway's API.
func New(cfg Config) (http.Handler, error) {
	operations, err := loadOperations()
	if err != nil {
		return nil, err
	}
	document, err := features.FS.ReadFile("openapi.yaml")
	if err != nil {
		return nil, err
	}
	a := &api{
		store:      cfg.Store,
		log:        cfg.Log,
		operations: operations,
		document:   document,
		tokenKeys:  &tokenKeys{store: cfg.Store, now: time.Now},
		routes:     chi.NewRouter(),
	}
	a.mount()
	return a, nil
}

func loadOperations() (operations, error) {
	c, err := contract.Load()
	if err != nil {
		return operations{}, err
	}
	var o operations
	for id, operation := range map[string]**contract.Operation{
		"token":           &o.token,
		"cashOut":         &o.cashOut,
		"registerWebhook": &o.registerWebhook,
	} {
		found, ok := c.Operation(id)
		if !ok {
			return operations{}, fmt.Errorf("expected the operation %s in openapi.yaml, found none", id)
		}
		*operation = found
	}
	return o, nil
}

// handler answers a request, or says why it does not.
type handler func(w http.ResponseWriter, r *http.Request) error

func (a *api) mount() {
	for _, route := range []struct {
		method, path string
		serve        handler
	}{
		{http.MethodPost, "/api/auth/token", a.issueToken},
		{http.MethodPost, "/oauth/token", a.issueToken}, // named by other endpoints, not laid down: the same operation

		{http.MethodGet, "/accounts/balances", a.account(a.balances)},
		{http.MethodGet, "/balance", a.account(a.standardBalance)},
		{http.MethodGet, "/api/balance", a.account(a.standardBalance)},

		{http.MethodPost, "/api/pix/cash-out", a.account(a.cashOut)},

		{http.MethodPost, "/api/webhooks", a.accountOrNotFound(a.registerWebhook)},
		{http.MethodGet, "/api/webhooks", a.accountOrNotFound(a.listWebhooks)},

		{http.MethodGet, "/openapi.yaml", a.openAPI},
	} {
		a.routes.MethodFunc(route.method, route.path, a.serve(route.serve))
	}
	a.routes.NotFound(a.serve(a.notFound))
	a.routes.MethodNotAllowed(a.serve(a.methodNotAllowed))
}

// ServeHTTP implements http.Handler. A panic becomes a 500 in the envelope of the path.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		switch reason := recover(); reason {
		case nil:
		case http.ErrAbortHandler:
			panic(reason)
		default:
			a.refuse(w, r, fmt.Errorf("panic: %v\n%s", reason, debug.Stack()))
		}
	}()
	a.routes.ServeHTTP(w, r)
}

// serve logs what is served; what is refused is logged with its reason in refuse.
func (a *api) serve(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			a.refuse(w, r, err)
		} else if a.log.Enabled(r.Context(), slog.LevelDebug) {
			a.log.DebugContext(r.Context(), "served", "method", r.Method, "path", r.URL.Path)
		}
	}
}

func (a *api) notFound(_ http.ResponseWriter, r *http.Request) error {
	return failure(http.StatusNotFound, "no such endpoint: "+r.Method+" "+r.URL.Path)
}

func (a *api) methodNotAllowed(w http.ResponseWriter, r *http.Request) error {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if a.routes.Match(chi.NewRouteContext(), method, r.URL.Path) {
			allowed = append(allowed, method)
		}
	}
	allow := strings.Join(allowed, ", ")
	w.Header().Set("Allow", allow)
	return failure(http.StatusMethodNotAllowed, r.URL.Path+" takes "+allow+", got "+r.Method)
}

// openAPI serves the wire contract that requests are checked against.
func (a *api) openAPI(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/yaml")
	_, _ = w.Write(a.document) // fails only when the client has gone
	return nil
}
