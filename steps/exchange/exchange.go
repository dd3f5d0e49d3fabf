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

	Command

	// ClientCertificate is the certificate that was presented in the TLS handshake: its SHA-256 in
	// lower-case hex, NoCertificate if none was presented on purpose, or empty if the profile decides.
	ClientCertificate string

	Status         int // 0 when no response came
	ResponseHeader http.Header
	ResponseBody   []byte
	Truncated      bool // the response was longer than the client reads
	Cut
	Err string // why there is no complete response; empty otherwise

	Sent time.Time
	Took time.Duration

	value any // of a long body that was decoded when it arrived
}

// Command is set if a control was called by running a program instead of sending a request. Then the URL of the
// exchange is only the path of the call, its body is the standard input, the response's body is the standard output
// (the standard error if the program failed), and the status is the HTTP status that the exit status stands for.
type Command struct {
	Program []string // with all its arguments
	Exit    int      // its exit status; -1 if it was killed
}

// Cut is how many bytes of the bodies are not kept.
type Cut struct {
	LeftOut    int // of what the target sent, here or in the response
	LeftOutOwn int // of what the suite sent, if this was read from a report
}

// Resource is the path and the query of the URL.
func (e Exchange) Resource() string {
	if u, err := url.Parse(e.URL); err == nil {
		return u.RequestURI()
	}
	return e.URL
}
