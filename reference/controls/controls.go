// Package controls serves the test controls, protocol 1: a small HTTP interface through which a test
// brings the gateway into states that requests to the API cannot. A production gateway does not have it.
// Calls affect one account, except those of the key directory, the reset and the snapshots.
package controls

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"

	"github.com/go-chi/chi/v5"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

const protocol = 1

// Config is what the controls need. With a Token, every call must have it as Authorization: Bearer.
// Without one, other machines must not be able to reach the controls, which then respond only to the host
// localhost or an IP address.
type Config struct {
	Store *store.Store
	// RunDue does what is due for an account and returns when it is done.
	RunDue func(ctx context.Context, accountID int64) error
	// Interrupt calls do while no job runs and no webhook is under way.
	Interrupt func(ctx context.Context, do func(context.Context) error) error
	Seed      store.Seed // what a reset plants
	Log       *slog.Logger
	Token     string
}

// controls serves the test controls.
//
// Many methods: one for each control, and one for each layer that controls share.
type controls struct{ Config }

// New builds the handler of the controls.
func New(cfg Config) http.Handler {
	c := &controls{cfg}
	router := chi.NewRouter()
	for _, call := range c.calls() {
		router.MethodFunc(call.method, call.path, c.serve(call.serve))
	}
	router.NotFound(c.serve(func(_ http.ResponseWriter, r *http.Request) error {
		return &failure{http.StatusNotFound, "no such control: " + r.Method + " " + r.URL.Path}
	}))
	router.MethodNotAllowed(c.serve(func(_ http.ResponseWriter, r *http.Request) error {
		return &failure{http.StatusMethodNotAllowed, r.URL.Path + " does not take " + r.Method}
	}))
	return router
}

type handler func(w http.ResponseWriter, r *http.Request) error

type call struct {
	control, method, path string
	serve                 handler
}

// calls is the table of the controls, in the order of the protocol. Calls without a name are extensions
// of this gateway.
func (c *controls) calls() []call {
	return []call{
		{"", http.MethodGet, "/controls", c.discover},
		{"", http.MethodGet, "/accounts/{account}/latest/{what}", c.showLatest},
		{"", http.MethodGet, "/accounts", c.listAccounts},
		{"", http.MethodGet, "/accounts/{account}/overview", c.showOverview},
		{"", http.MethodPost, "/accounts/{account}/events/{event}/resend", c.resendEvent},
		{"", http.MethodPost, "/accounts/{account}/reset", c.resetAccount},
		{"", http.MethodPost, "/reset", c.reset},
		{"", http.MethodGet, "/snapshots", c.listSnapshots},
		{"", http.MethodPut, "/snapshots/{name}", c.saveSnapshot},
		{"", http.MethodDelete, "/snapshots/{name}", c.deleteSnapshot},
		{"", http.MethodPost, "/snapshots/{name}/restore", c.restoreSnapshot},
		{"accounts", http.MethodPost, "/accounts", c.createAccount},
		{"accounts", http.MethodDelete, "/accounts/{account}", c.removeAccount},
		{"funds", http.MethodPut, "/accounts/{account}/balance", c.setBalance},
		{"fees", http.MethodPut, "/accounts/{account}/fees", c.setFees},
		{"limits", http.MethodPut, "/accounts/{account}/limits", c.setLimits},
		{"clock", http.MethodPut, "/accounts/{account}/clock", c.moveClock},
		{"certificates", http.MethodPost, "/accounts/{account}/certificates", c.registerCertificate},
		{"certificates", http.MethodDelete, "/accounts/{account}/certificates/{sha256}", c.revokeCertificate},
		{"directory", http.MethodPut, "/directory/{key}", c.putDirectoryKey},
		{"settlement", http.MethodPut, "/accounts/{account}/settlement", c.setMode(ofSettlement)},
		{"settlement", http.MethodPost, "/accounts/{account}/settlements", c.settle},
		{"payments", http.MethodPost, "/accounts/{account}/payments", c.payCharge},
		{"charges", http.MethodPost, "/accounts/{account}/charges/{txid}/end", c.endCharge},
		{"charges", http.MethodGet, "/accounts/{account}/charges/{txid}", c.showCharge},
		{"refunds", http.MethodPut, "/accounts/{account}/refunds", c.setMode(ofRefunds)},
		{"refunds", http.MethodPost, "/accounts/{account}/refunds/{rtrId}/result", c.finishRefund},
		{"refunds", http.MethodGet, "/accounts/{account}/refunds/{rtrId}", c.showRefund},
		{"returns", http.MethodPost, "/accounts/{account}/returns", c.returnPayment},
		{"splits", http.MethodGet, "/accounts/{account}/splits", c.showSplits},
		{"med", http.MethodPost, "/accounts/{account}/meds", c.openMED},
		{"med", http.MethodPatch, "/accounts/{account}/meds/{med}", c.moveMED},
		{"faults", http.MethodPut, "/accounts/{account}/faults", c.setFaults},
	}
}

// discover lists the controls that exist.
func (c *controls) discover(w http.ResponseWriter, _ *http.Request) error {
	var names []string
	for _, call := range c.calls() {
		if known := len(names) > 0 && names[len(names)-1] == call.control; call.control != "" && !known {
			names = append(names, call.control)
		}
	}
	return answer(w, http.StatusOK, struct {
		Protocol int      `json:"protocol"`
		Controls []string `json:"controls"`
	}{protocol, names})
}

func (c *controls) serve(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		defer c.recover(w, r)
		err := c.admit(r)
		if err == nil {
			err = h(w, r)
		}
		if err != nil {
			c.refuse(w, r, err)
		}
	}
}

// failure is a call that cannot be carried out, with its status.
type failure struct {
	status  int
	message string
}

func (f *failure) Error() string { return f.message }

type refusal struct {
	Message string `json:"message"`
}

// refuse responds with the status of an error.
func (c *controls) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status, message := http.StatusInternalServerError, "an unexpected error; see the gateway's log"
	if f, ok := errors.AsType[*failure](err); ok {
		status, message = f.status, f.message
	} else if p, ok := errors.AsType[*pix.Refusal](err); ok {
		status, message = http.StatusBadRequest, p.Message
		if p.Nature == pix.Conflict {
			status = http.StatusConflict
		}
	} else if errors.Is(err, store.ErrNotFound) {
		status, message = http.StatusNotFound, err.Error()
	} else if errors.Is(err, store.ErrFinished) || errors.Is(err, store.ErrNotSettled) {
		status, message = http.StatusConflict, err.Error()
	} else if state, ok := errors.AsType[*store.StateError](err); ok {
		status, message = http.StatusConflict, state.Error()
	} else if r.Context().Err() == nil {
		c.Log.ErrorContext(r.Context(), "control failed", "method", r.Method, "path", r.URL.Path, "reason", err)
	}
	_ = answer(w, status, refusal{message})
}

func (c *controls) recover(w http.ResponseWriter, r *http.Request) {
	reason := recover()
	switch reason {
	case nil:
		return
	case http.ErrAbortHandler:
		panic(reason)
	}
	c.Log.ErrorContext(r.Context(), "panic", "method", r.Method, "path", r.URL.Path,
		"reason", reason, "stack", string(debug.Stack()))
	_ = answer(w, http.StatusInternalServerError, refusal{"an unexpected error; see the gateway's log"})
}

// accountID is the account that a path names.
func accountID(r *http.Request) (int64, error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "account"), 10, 64)
	if err != nil {
		return 0, &failure{http.StatusNotFound, "no such account: " + chi.URLParam(r, "account")}
	}
	return id, nil
}

// answer writes a value as JSON. It returns nil, so that a handler can end with it.
func answer(w http.ResponseWriter, status int, value any) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // fails only when the client has gone
	return nil
}

// done responds without a body.
func done(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}
