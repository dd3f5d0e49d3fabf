package run

import (
	"time"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

// Metrics receives what a run measures, from any goroutine, until the run is closed.
type Metrics interface {
	Request(Request)
	Webhook(Webhook)
}

// Request that got its response, or none.
type Request struct {
	Origin         uint32 // of its call
	Operation      gateway.Operation
	Sent           time.Duration // from when it was sent to its end
	Intended       time.Duration // from when the schedule intended it
	Failed         bool
	TokensRejected int64 // valid access tokens that got 401; the request was sent again with a new one
	At             time.Time
}

// Webhook that reported the outcome of a payment.
type Webhook struct {
	Origin     uint32 // of the payment's call
	Kind       ledger.Kind
	Acceptance time.Duration // since the response that accepted the payment; 0 if the webhook came first
	Intended   time.Duration // since the schedule intended to send the payment
	At         time.Time
}

type unmeasured struct{}

func (unmeasured) Request(Request) {}
func (unmeasured) Webhook(Webhook) {}
