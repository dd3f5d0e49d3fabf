// Package api is the HTTP side of the gateway: it reads requests, has the rules judge
// them (packages pix and store), and writes what came of it. Its endpoints are the
// table in routes; each error becomes an answer in one place, refuse.
package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/reference/store"
)

// Config is what the API needs.
type Config struct {
	Store *store.Store
	Send  func(context.Context, store.Delivery) store.Attempt // makes one attempt to deliver
	Log   *slog.Logger

	// UnansweredAfter is when a resend is answered that no receiver answered, whatever the
	// reason, which is not told: a port that is closed looks like one that is no receiver.
	// Zero: at once, with the reason.
	UnansweredAfter time.Duration
}

// api serves the operations.
//
// Many methods: one for each operation, and one for each layer that operations share.
type api struct {
	store      *store.Store
	send       func(context.Context, store.Delivery) store.Attempt
	log        *slog.Logger
	unanswered time.Duration                  // Config.UnansweredAfter
	operations map[string]*contract.Operation // by operationId
	document   document
	tokenKeys  *tokenKeys
	limiter    limiter
	routes     chi.Router
}

// New builds the handler of the gateway's API.
func New(cfg Config) (http.Handler, error) {
	wire, err := contract.Load()
	if err != nil {
		return nil, err
	}
	document, err := loadDocument()
	if err != nil {
		return nil, err
	}
	a := &api{
		store:      cfg.Store,
		send:       cfg.Send,
		log:        cfg.Log,
		unanswered: cfg.UnansweredAfter,
		operations: make(map[string]*contract.Operation),
		document:   document,
		tokenKeys:  &tokenKeys{store: cfg.Store, now: time.Now},
		routes:     chi.NewRouter(),
	}
	for _, operation := range wire.Operations() {
		a.operations[operation.ID] = operation
	}
	a.mount()
	return a, nil
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
		{http.MethodPost, "/api/pix/cash-out-qrcode", a.account(a.cashOutQRCode)},
		{http.MethodPost, "/dict/pix", a.account(a.transfer)},
		{http.MethodPost, "/api/pix/cash-in", a.account(a.cashIn)},
		{http.MethodPut, "/cob/{txid}", a.account(a.cob)},
		{http.MethodPut, "/pix/{e2eid}/devolucao/{id}", a.account(a.refund)},
		{http.MethodGet, "/api/med", a.account(a.limited("listMeds", a.listMeds))},

		{http.MethodGet, "/api/transactions", a.account(a.listTransactions)},
		{http.MethodGet, "/api/pix/transactions/pix-key/{pixKey}", a.account(a.listTransactionsByKey)},

		{http.MethodPost, "/api/webhooks", a.accountOrNotFound(a.registerWebhook)},
		{http.MethodGet, "/api/webhooks", a.accountOrNotFound(a.listWebhooks)},
		{http.MethodPost, "/api/resend-webhook/{transactionIdentifier}", a.account(a.limited("resendWebhook", a.resendWebhook))},

		{http.MethodGet, "/openapi.yaml", a.openAPI},
		{http.MethodGet, "/openapi.json", a.openAPIAsJSON},
		{http.MethodGet, "/healthz", a.health},
		{http.MethodHead, "/healthz", a.health}, // net/http sends no body
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
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if a.routes.Match(chi.NewRouteContext(), method, r.URL.Path) {
			allowed = append(allowed, method)
		}
	}
	allow := strings.Join(allowed, ", ")
	w.Header().Set("Allow", allow)
	return failure(http.StatusMethodNotAllowed, r.URL.Path+" takes "+allow+", got "+r.Method)
}
