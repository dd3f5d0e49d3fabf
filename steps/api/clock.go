package api

import "time"

const day = 24 * time.Hour

// How long something lasts (Limits).
const (
	TokenLifetime  = 1800 * time.Second
	QueueTime      = 600 * time.Second   // of a transfer in the queue, unless it says otherwise
	CashInLifetime = 86400 * time.Second // of a cash-in, unless it says otherwise
	LeastCashIn    = 30 * time.Second    // that a cash-in may say; some providers have a higher minimum
	MostCashIn     = 604800 * time.Second
	RefundDeadline = 89 * day // after receipt
)

// Lifetime is how long what an operation makes lasts.
type Lifetime struct {
	Field   string        // of the request that may say so, in seconds; empty for none
	Default time.Duration // 0 if it is not shown
}

// Lifetimes are the lifetimes by the id of the operation.
var Lifetimes = map[string]Lifetime{
	Token:      {Default: TokenLifetime},
	"transfer": {"expiration", QueueTime},
	"cashIn":   {"transaction.expirationTime", CashInLifetime},
	"cob":      {Field: "calendario.expiracao"},
}

// The night of the limits, and how far the clocks of São Paulo are from UTC. Whether the API's days and
// nights are those of São Paulo or of UTC is left open.
const (
	NightBegins = 20 * time.Hour
	NightEnds   = 6 * time.Hour
	SãoPaulo    = -3 * time.Hour
)

// ClockTolerance is by how much the clocks of a gateway may differ from each other.
const ClockTolerance = 5 * time.Second

// Where more than clocks is uncertain, the tolerance is another one.
const (
	ExpiryTolerance = 10 * time.Second // also the request that makes what expires takes time
	QueueTolerance  = 2 * time.Minute  // also what a scenario does besides letting time pass
	DayTolerance    = 5 * time.Minute  // from either end of a day, by pixcert's own clock and a gateway's
	StampTolerance  = 30 * time.Minute // of times in responses: clocks may differ by minutes, time zones may not
	MovedTolerance  = 6 * time.Hour    // of these once a control has set the clock: how exactly is not stated, so only the day counts
)
