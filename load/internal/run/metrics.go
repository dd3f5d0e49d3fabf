package run

import (
	"time"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

// Metrics receives what a run measures, from any goroutine, until the run is closed.
type Metrics interface {
	Request(Request)
	Webhook(receipt ledger.Receipt, at time.Time) // one that reported the outcome of a payment
}

// Request that got its response, or none.
type Request struct {
	Origin         any // of its call
	Operation      gateway.Operation
	Sent           time.Duration // from when it was sent to its end
	Intended       time.Duration // from when the schedule intended it
	Failed         bool
	TokensRejected int64 // valid access tokens that got 401; the request was sent again with a new one
	At             time.Time
}

type unmeasured struct{}

func (unmeasured) Request(Request)                   {}
func (unmeasured) Webhook(ledger.Receipt, time.Time) {}
