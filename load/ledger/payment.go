package ledger

import (
	"fmt"
	"time"

	"github.com/pixcert/pixcert/load/data"
)

// Kind is what a payment does to an account.
type Kind uint8

// Kinds, with the event that ends each.
const (
	CashOut   Kind = iota // a cash-out to a key: event CashOut
	QRCashOut             // a cash-out to a QR Code: event CashOut
	Transfer              // POST /dict/pix: event TRANSFER; maybe none when it fails
	CashIn                // a charge, once somebody pays it: event CashIn
	Cob                   // an immediate charge, once somebody pays it: event RECEIVE
	Refund                // of a received PIX: event REFUND or CashInReversal; none when it fails
	kinds

	unknownKind = kinds // of a refused payment that is forgotten but for that
)

// Payment is one payment as it is registered, before it is sent. A charge is a payment
// from when somebody is about to pay it.
type Payment struct {
	ID       data.ID
	Kind     Kind
	Account  int   // index of the account in the run
	Amount   int64 // centavos
	Intended time.Time
	Sent     time.Time
	// EndToEndID is in what Unresolved tells, where EndToEnd was told it.
	EndToEndID string
	// Repeated says that it is sent more than once on purpose. Should the gateway take it
	// as two payments, an event may name the transaction of either, and that of the other
	// is a duplicate.
	Repeated bool
	// Watch keeps the payment's event for an OnSettled that comes after it, however much
	// later. Of other payments the latest 4096 events are kept; of those whose event is
	// older OnSettled tells status, amount and fee alone.
	Watch bool
}

// Fate is what is known of a payment.
type Fate uint8

// Fates. A payment ends as one of them.
const (
	InFlight  Fate = iota // sent, no answer yet
	Unheard               // no whole answer came: it may have been taken
	Refused               // answered with an error
	Accepted              // answered with success, its end is not known yet
	Confirmed             // its money moved
	Failed                // ended in ERROR, its money is back
	Absent                // unheard of, and the gateway does not list it
	Vanished              // accepted, and the gateway does not list it
	fates
)

// Answer is what the gateway said of a payment.
type Answer struct {
	Fate          Fate   // Accepted, Refused or Unheard; an answer of 5xx is Unheard: it may have been taken
	TransactionID string // transactionId, or the number of a transfer; empty: not compared with the event's
	At            time.Time
	Unsent        bool // Refused because nothing of it left
	// Ended says that the answer itself tells the payment's end, as that to a QR cash-out
	// may: whether an event follows then the specification does not say.
	Ended bool
}

// Repeats is what came of the deliberate repeats of one payment.
type Repeats struct {
	Sent     int // repeats, without the original
	Distinct int // different transaction ids among all accepted answers, the original's included
}

// Found is what the gateway lists of a payment.
type Found struct {
	Count  int    // payments under its id
	Status string // of the first: PENDING, CONFIRMED, ERROR, or their labels in the lists
	Amount int64  // originalAmount, centavos
	Fee    int64  // feeAmount, centavos
}

// Delivery is one webhook request, as the sink received it.
type Delivery struct {
	Account   int    // whose URL it came to
	Type      string // event type that the URL is registered for: cash_out
	URL       int    // which of the URLs registered for that type, from 0
	Body      []byte // not kept
	WebhookID string // header webhook-id
	At        time.Time
}

// Verdict is what a delivery turned out to be. Each delivery has exactly one.
type Verdict uint8

// Verdicts of a delivery.
const (
	Matched       Verdict = iota // the first that tells a payment's end at its URL
	Duplicate                    // one more of the same
	Resent                       // one more that was asked for
	Contradictory                // it tells another end than was told before
	Malformed                    // no JSON, fields missing, or amount or ids that are not the payment's
	Orphan                       // it names no payment of this run
	Elsewhere                    // it names a payment of another instance
	Other                        // about no payment of this run: MED cases, returns, progress, an earlier run's payments
	verdicts
)

// Receipt is what the ledger made of a delivery.
type Receipt struct {
	Verdict    Verdict
	ID         data.ID       // of the payment; zero for Orphan, Other
	Kind       Kind          // likewise
	Acceptance time.Duration // of Matched: since the answer, 0 when it came first; since the send when there is no answer
	Intended   time.Duration // of Matched: since the intended start
	Late       bool          // Acceptance is beyond Config.Late
	OutOfOrder bool
	Reason     string // of Malformed, Contradictory, Orphan: what was expected and what came
}

var kindNames = [...]string{"cash-out", "cash-out-qrcode", "transfer", "cash-in", "cob", "refund", "unknown"}

func (k Kind) String() string { return kindNames[min(k, unknownKind)] }

var fateNames = [fates]string{"in flight", "unheard", "refused", "accepted", "confirmed", "failed", "absent", "vanished"}

func (f Fate) String() string {
	if f < fates {
		return fateNames[f]
	}
	return fmt.Sprintf("fate %d", uint8(f))
}

var verdictNames = [verdicts]string{"matched", "duplicate", "resent", "contradictory", "malformed", "orphan", "elsewhere", "other"}

func (v Verdict) String() string {
	if v < verdicts {
		return verdictNames[v]
	}
	return "unknown"
}
