// Package exchange records what was sent to a target and what came back, and
// shows it to a person without giving a secret away.
package exchange

import (
	"net/http"
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

// Exchange is one request with its response, as they went over the wire.
// Bodies are the raw bytes, bounded by the client that recorded them.
type Exchange struct {
	Party     Party
	Operation string // "cash-out", "token request"; for a control its name
	Method    string
	URL       string
	Header    http.Header
	Body      []byte

	Status         int // 0 when no response came
	ResponseHeader http.Header
	ResponseBody   []byte
	Truncated      bool   // the response was longer than the client reads
	Err            string // why no (whole) response came; empty otherwise

	Sent time.Time
	Took time.Duration
}
