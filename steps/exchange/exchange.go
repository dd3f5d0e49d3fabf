// Package exchange holds requests and responses, and shows them to people without their secrets.
package exchange

import (
	"net/http"
	"net/url"
	"time"
)

// Party says who sent the request of an exchange.
type Party string

const (
	// API is a request of the suite to the target's API.
	API Party = "api"
	// Control is a request of the suite to the target's test controls.
	Control Party = "control"
	// Webhook is a request of the target to the suite's webhook sink.
	Webhook Party = "webhook"
)

// NoCertificate stands for a certificate that was deliberately not presented.
const NoCertificate = "none"

// Exchange is one request with its response, as they went over the wire.
// Bodies are the raw bytes, bounded by the client that recorded them.
type Exchange struct {
	Party     Party
	Step      int    // of the scenario's steps, from 0: the one that it was made for
	Unread    bool   // a webhook that no step waited for
	Other     bool   // on behalf of the scenario's other account
	Operation string // "cash-out", "token request"; for a control its name
	Method    string
	URL       string
	Header    http.Header
	Body      []byte

	// Program is set if a control was called by running a program instead of sending a request: the
	// program with all its arguments. Then URL is only the path of the call, Body is the standard
	// input, ResponseBody is the standard output (the standard error if the program failed), and
	// Status is the HTTP status that the exit status stands for.
	Program []string
	Exit    int // its exit status; -1 if it was killed

	// ClientCertificate is the certificate that was presented in the TLS handshake: its SHA-256 in
	// lower-case hex, NoCertificate if none was presented on purpose, or empty if the profile decides.
	ClientCertificate string

	Status         int // 0 when no response came
	ResponseHeader http.Header
	ResponseBody   []byte
	Truncated      bool   // the response was longer than the client reads
	LeftOut        int    // bytes of what the target sent as a body, here or in the response, that are not kept
	LeftOutOwn     int    // bytes of what the suite sent that a report does not keep, if this was read from one
	Err            string // why there is no complete response; empty otherwise

	Sent time.Time
	Took time.Duration

	value any // of a long body that was decoded when it arrived
}

// Resource is the path and the query of the URL.
func (e Exchange) Resource() string {
	if u, err := url.Parse(e.URL); err == nil {
		return u.RequestURI()
	}
	return e.URL
}
