package report

import (
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/wording"
)

type jsonExchange struct {
	Party     exchange.Party `json:"party"`
	Step      int            `json:"step"`             // index into steps
	Other     bool           `json:"other,omitempty"`  // on behalf of the scenario's other account
	Unread    bool           `json:"unread,omitempty"` // a webhook that no step waited for
	Operation string         `json:"operation"`
	Method    string         `json:"method"`
	URL       string         `json:"url"`
	Handshake string         `json:"clientCertificate,omitempty"` // shown in the TLS handshake: its SHA-256, or "none"
	Headers   http.Header    `json:"headers"`
	Body      *jsonBody      `json:"body,omitempty"`
	Program   []string       `json:"program,omitempty"`    // that ran instead of a request
	Exit      *int           `json:"exitStatus,omitempty"` // of the program; -1 if it was killed
	Response  *jsonResponse  `json:"response,omitempty"`   // absent if there was none
	Error     string         `json:"error,omitempty"`
	Sent      time.Time      `json:"sent"`
	TookMs    float64        `json:"tookMs"`
}

type jsonResponse struct {
	Status    int         `json:"status"`
	Headers   http.Header `json:"headers"`
	Body      *jsonBody   `json:"body,omitempty"`
	Truncated bool        `json:"truncated,omitempty"` // longer than the suite reads
}

// jsonBody is a body as text if it is UTF-8, otherwise as base64. Of a long body only the
// beginning is kept, and cut is true; bytes is the full length.
type jsonBody struct {
	Text   *string `json:"text,omitempty"`
	Base64 []byte  `json:"base64,omitempty"`
	Bytes  int     `json:"bytes"`
	Cut    bool    `json:"cut,omitempty"`
}

func exchangeJSON(e exchange.Exchange) jsonExchange {
	sentCut, gotCut := e.LeftOutOf()
	wire := jsonExchange{
		Party: e.Party, Step: e.Step, Other: e.Other, Unread: e.Unread, Operation: e.Operation, Method: e.Method, URL: e.URL, Handshake: e.ClientCertificate, Headers: e.Header,
		Body: bodyJSON(e.Body, sentCut), Error: e.Err, Sent: e.Sent.UTC(), TookMs: wording.Milliseconds(e.Took),
	}
	if len(e.Program) > 0 {
		wire.Program, wire.Exit = e.Program, &e.Exit
	}
	if e.Status != 0 {
		wire.Response = &jsonResponse{e.Status, e.ResponseHeader, bodyJSON(e.ResponseBody, gotCut), e.Truncated}
	}
	return wire
}

func exchangeIfAny(e *exchange.Exchange) *jsonExchange {
	if e == nil {
		return nil
	}
	wire := exchangeJSON(*e)
	return &wire
}

// jsonBodyKept bounds a body in bytes: large responses must not make the report unreadable.
const jsonBodyKept = 16 << 10

// bodyJSON converts a body of which leftOut more bytes were not kept.
func bodyJSON(body []byte, leftOut int) *jsonBody {
	if len(body) == 0 {
		return nil
	}
	kept := exchange.Beginning(body, jsonBodyKept)
	wire := &jsonBody{Bytes: len(body) + leftOut, Cut: len(kept) < len(body)+leftOut}
	if text := string(kept); utf8.ValidString(text) {
		wire.Text = &text
	} else {
		wire.Base64 = kept
	}
	return wire
}
