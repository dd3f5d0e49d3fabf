package mutants

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// endpoint is one kind of call at a seam.
type endpoint struct {
	seam         seam
	method, path string // path as for path.Match; both empty: every call
	success      func(*call) *answer
}

// place is what a fault is about: one endpoint or a group of them.
type place interface {
	has(*endpoint) bool
	where() seam
}

// group is several endpoints of one seam that go wrong together.
type group []*endpoint

func (e *endpoint) has(other *endpoint) bool { return e == other }
func (e *endpoint) where() seam              { return e.seam }
func (g group) has(e *endpoint) bool         { return slices.Contains(g, e) }
func (g group) where() seam                  { return g[0].seam }

// The endpoints of the API.
var (
	token = &endpoint{api, http.MethodPost, "/api/auth/token", func(*call) *answer {
		return json201(`{"access_token":"eyJhbGciOiJub25lIn0.e30.bm9uZQ","token_type":"Bearer","expires_in":1800}`)
	}}
	balances = &endpoint{api, http.MethodGet, "/accounts/balances", func(*call) *answer {
		return json200(`{"data":[{"eventDate":%q,"balanceAmount":{"available":0.00,"blocked":0.00,"overdraft":0}}]}`, now())
	}}
	standard = &endpoint{api, http.MethodGet, "/balance", func(*call) *answer {
		return json200(`{"grossBalance":0.00,"blockedBalance":0.00,"netBalance":0.00,"consultedAt":%q}`, now())
	}}
	cashOut = &endpoint{api, http.MethodPost, "/api/pix/cash-out", func(c *call) *answer {
		externalID, _ := lookup(c.body, "externalId")
		return json201(`{"transactionId":%q,"externalId":%s,"status":"PENDING","generateTime":%q}`, uuid.NewString(), encode(externalID), now())
	}}
	registration = &endpoint{api, http.MethodPost, "/api/webhooks", func(*call) *answer {
		return json200(`{"success":true,"message":"webhook registered"}`)
	}}
	list = &endpoint{api, http.MethodGet, "/api/webhooks", func(*call) *answer {
		return json200(`{"accountId":0,"webhooks":[],"total":0}`)
	}}
)

// The test controls that faults change.
var (
	newAccount   = &endpoint{controls, http.MethodPost, "/accounts", done}
	certificates = &endpoint{controls, http.MethodPost, "/accounts/*/certificates", done}
	revocation   = &endpoint{controls, http.MethodDelete, "/accounts/*/certificates/*", done}
	fees         = &endpoint{controls, http.MethodPut, "/accounts/*/fees", done}
	limits       = &endpoint{controls, http.MethodPut, "/accounts/*/limits", done}
	clock        = &endpoint{controls, http.MethodPut, "/accounts/*/clock", done}
	bank         = &endpoint{controls, http.MethodPost, "/accounts/*/settlements", done}
	directory    = &endpoint{controls, http.MethodPut, "/directory/*", done}
)

// event is every delivery of a webhook.
var event = &endpoint{webhooks, "", "", func(*call) *answer { return &answer{message: message{status: http.StatusOK}} }}

// endpoints are all of them.
var endpoints = []*endpoint{
	token, balances, standard, cashOut, registration, list,
	newAccount, certificates, revocation, fees, limits, clock, bank, directory,
	event,
}

// Groups of endpoints.
var (
	public      = group{token, cashOut, registration, list} // they refuse in the rich envelope
	underTokens = group{balances, cashOut, registration, list}
	everything  = group{token, balances, standard, cashOut, registration, list}
)

func endpointOf(s seam, method, p string) *endpoint {
	for _, e := range endpoints {
		if e.seam != s {
			continue
		}
		matches, _ := path.Match(e.path, p)
		if e.method == "" || e.method == method && matches {
			return e
		}
	}
	return nil
}

// Answers that an endpoint gives without having done anything.

func done(*call) *answer { return &answer{message: message{status: http.StatusNoContent}} }

func json200(format string, args ...any) *answer { return jsonAnswer(http.StatusOK, format, args...) }

func json201(format string, args ...any) *answer {
	return jsonAnswer(http.StatusCreated, format, args...)
}

func jsonAnswer(status int, format string, args ...any) *answer {
	return &answer{message: message{
		status: status,
		header: http.Header{"Content-Type": {"application/json"}},
		body:   fmt.Appendf(nil, format, args...),
	}}
}

// refusal is an answer in the envelope of the call's family.
func refusal(c *call, status int, code string) *answer {
	if c.endpoint == balances || c.endpoint == standard {
		return jsonAnswer(status, `{"statusCode":%d,"message":"refused","error":%q}`, status, http.StatusText(status))
	}
	if strings.HasPrefix(code, "PIX_") { // a business error repeats its code
		return refusal(c, status, "HTTP_ERROR").edited(set("code", string(encode(code))), set("errorCode", string(encode(code))))
	}
	return jsonAnswer(status, `{"statusCode":%d,"timestamp":%q,"path":%q,"method":%q,"code":%q,"message":"refused","userMessage":"Recusado.","errorId":%q,"error":%q}`,
		status, now(), c.path, c.method, code, uuid.NewString(), http.StatusText(status))
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }
