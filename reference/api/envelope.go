package api

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// family is the group of endpoints that a path belongs to; it decides the envelope of
// an error ("Endpoint families").
type family int

const (
	public      family = iota // rich envelope A
	centralBank               // simple envelope B
)

// simplePaths are the public paths that refuse in the simple envelope all the same
// ("Envelope B": Central-Bank-compatible endpoints and the MED list).
var simplePaths = map[string]bool{"/api/med": true}

func familyOf(path string) family {
	switch {
	case simplePaths[path]:
		return centralBank
	case path == "/oauth/token", path == "/api", strings.HasPrefix(path, "/api/"):
		return public
	}
	return centralBank
}

// richEnvelope is envelope A. Message is a string, or a list with one entry for each
// invalid field.
type richEnvelope struct {
	StatusCode  int            `json:"statusCode"`
	Timestamp   string         `json:"timestamp"`
	Path        string         `json:"path"`
	Method      string         `json:"method"`
	Code        string         `json:"code"`
	Message     any            `json:"message"`
	UserMessage string         `json:"userMessage"`
	Details     map[string]any `json:"details,omitempty"`
	ErrorID     string         `json:"errorId"`
	Error       string         `json:"error"`
	ErrorCode   string         `json:"errorCode,omitempty"`
}

// simpleEnvelope is envelope B.
type simpleEnvelope struct {
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
	Error      string `json:"error"`
}

// refuse writes the one answer that an error has: its status, its code and its words
// from the error, its envelope from the family of the path.
func (a *api) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return // the client has gone
	}
	p := problemOf(err)
	errorID := "err_" + rand.Text()
	a.logRefusal(r, p, errorID, err)
	if p.status == http.StatusUnauthorized && p.code == pix.CodeValidation {
		w.Header().Set("WWW-Authenticate", "Bearer") // RFC 6750, section 3
	}
	if errors.Is(err, store.ErrBusy) {
		w.Header().Set("Retry-After", "1")
	}
	writeProblem(w, r, p, errorID)
}

// Refuse responds to a request with an error in the envelope of its path, for a layer in front of the API.
func Refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	writeProblem(w, r, failure(status, message), "err_"+rand.Text())
}

func writeProblem(w http.ResponseWriter, r *http.Request, p *problem, errorID string) {
	if familyOf(r.URL.Path) == centralBank {
		writeJSON(w, p.status, simpleEnvelope{
			StatusCode: p.status,
			Message:    strings.Join(p.messages, "; "),
			Error:      http.StatusText(p.status),
		})
		return
	}
	envelope := richEnvelope{
		StatusCode:  p.status,
		Timestamp:   pix.Timestamp(time.Now()),
		Path:        r.URL.Path,
		Method:      r.Method,
		Code:        p.code,
		Message:     p.message(),
		UserMessage: p.userMessage,
		Details:     p.details,
		ErrorID:     errorID,
		Error:       http.StatusText(p.status),
	}
	if p.business {
		envelope.ErrorCode = p.code
	}
	writeJSON(w, p.status, envelope)
}

func (a *api) logRefusal(r *http.Request, p *problem, errorID string, err error) {
	level := slog.LevelDebug
	if _, foreseen := errors.AsType[*pix.Refusal](err); p.status == http.StatusInternalServerError && p.code == pix.CodeValidation && !foreseen {
		level = slog.LevelError // a fault of this gateway, not a destination's and not one that a control asked for
	}
	if !a.log.Enabled(r.Context(), level) {
		return
	}
	a.log.Log(r.Context(), level, "refused", "method", r.Method, "path", r.URL.Path,
		"status", p.status, "code", p.code, "errorId", errorID, "reason", err)
}

// writeJSON answers with a value that marshals; a value that does not is a mistake in
// this package.
func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff") // what clients stored may look like a page
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // fails only when the client has gone
}
