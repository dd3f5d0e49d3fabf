package ledger

import (
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Kind is what a payment does to an account.
type Kind uint8

// Kinds, with the event that reports the outcome of each.
const (
	CashOut   Kind = iota // a cash-out to a key: event CashOut
	QRCashOut             // a cash-out to a QR Code: event CashOut
	Transfer              // POST /dict/pix: event TRANSFER; possibly none if it fails
	CashIn                // a charge that is paid: event CashIn
	Cob                   // an immediate charge that is paid: event RECEIVE
	Refund                // of a received PIX: event REFUND or CashInReversal; none if it fails
	kinds

	unknownKind = kinds // of a refused payment of which nothing else is remembered
)

// Payment is one payment as registered before it is sent. A charge becomes a payment right
// before it is paid.
type Payment struct {
	ID         data.ID
	Account    int   // index of the account in the run; -1: no longer known
	Amount     int64 // centavos; -1: no longer known
	Sent       time.Time
	EndToEndID string // set by EndToEnd, until its outcome is known
	Origin     any    // comparable: of the call, whose counts are kept apart; nil: none, or no longer known
	Kind       Kind
	Fate       Fate // set by Unresolved
	// Repeated says that it is deliberately sent more than once. If the gateway accepts it as
	// two payments, an event may contain the transaction of either, and that of the other is a
	// duplicate.
	Repeated bool
}

// Fate is what is known about a payment.
type Fate uint8

// Fates. A payment ends as one of them.
const (
	InFlight   Fate = iota // sent, no response yet
	NoResponse             // no conclusive response: it may have been accepted
	Refused                // the response was an error
	Accepted               // the response was a success, the outcome is not known yet
	Confirmed              // its money moved
	Failed                 // ended in ERROR, its money was returned
	NotCreated             // without a response, and the gateway does not list it
	Vanished               // accepted, and the gateway does not list it
	fates
)

// Answer is the gateway's response to a payment.
type Answer struct {
	Fate          Fate   // Accepted, Refused or NoResponse; a 5xx is NoResponse: the payment may have been accepted
	TransactionID string // transactionId, or the number of a transfer; empty: not compared with the event's
	At            time.Time
	Unsent        bool   // Refused because nothing of it was sent
	Why           string // it is NoResponse
	// Short says that the payment was refused for lack of money, and Funds is what Register returned for it.
	Short bool
	Funds Funds
	// Ended says that the response itself contains the payment's outcome, as that to a QR
	// cash-out may: the specification does not say whether an event follows.
	Ended bool
}

// Delivery is one webhook request, as the sink received it.
type Delivery struct {
	Account   int    // whose URL received it
	Type      string // event type that the URL is registered for: cash_out
	Body      []byte // not retained
	WebhookID string // header webhook-id
	At        time.Time
}

// Verdict on a delivery. Each delivery has exactly one.
type Verdict uint8

// Verdicts of a delivery.
const (
	Matched       Verdict = iota // the first at its URL that reports a payment's outcome
	Duplicate                    // the same again
	Resent                       // the same again, as requested
	Contradictory                // reports another outcome than before
	Malformed                    // not JSON, missing fields, or another amount or id than the payment's
	Orphan                       // matches no payment of this instance of the run
	Other                        // about no payment of this run: MED cases, returns, progress, an earlier run's payments
	verdicts
)

// Receipt is the ledger's verdict on a delivery.
type Receipt struct {
	Verdict    Verdict
	ID         data.ID       // of the payment; zero for Orphan, Other
	Kind       Kind          // likewise
	Origin     any           // likewise
	Acceptance time.Duration // of Matched: since the response, 0 if the webhook came first; since the send without a response
	Intended   time.Duration // of Matched: since the intended start
	Late       bool          // Acceptance is beyond Config.Late
	OutOfOrder bool
	Reason     string // of Malformed, Contradictory, Orphan: expected and got
}

var kindNames = [...]string{"cash-out", "cash-out-qrcode", "transfer", "cash-in", "cob", "refund", "unknown"}

func (k Kind) String() string { return kindNames[min(k, unknownKind)] }

var fateNames = [fates]string{"in flight", "no response", "refused", "accepted", "confirmed", "failed", "not created", "vanished"}

func (f Fate) String() string { return fateNames[f] }

var verdictNames = [verdicts]string{"matched", "duplicate", "resent", "contradictory", "malformed", "orphan", "other"}

func (v Verdict) String() string { return verdictNames[v] }
