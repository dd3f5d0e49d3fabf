package ledger

import (
	"fmt"
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

// Payment as registered before it is sent. A charge becomes a payment right before it is paid.
type Payment struct {
	ID         data.ID
	Account    int   // index of the account in the run; -1: no longer known
	Amount     int64 // centavos; -1: no longer known
	Sent       time.Time
	EndToEndID string // set by EndToEnd, until its outcome is known
	Origin     any    // comparable: of the call, whose counts are kept apart; nil: none, or no longer known
	Kind       Kind
	Fate       Fate // set by Unresolved
	// Repeated says that it is deliberately sent more than once. If the gateway accepts it as two payments, an event may
	// contain the transaction of either, and that of the other is a duplicate.
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

// entry is an open payment. It has only facts, from which its fate, money and counts are derived.
type entry struct {
	Payment
	Fee           int64         // centavos; -1: unknown
	Waited        time.Duration // from when the schedule intended it until it was sent
	Answered      time.Duration // after it was sent
	Received      time.Duration // likewise, the first event that matched
	TransactionID string        // in the response; only of accepted payments whose outcome is unknown

	Transaction uint32 // mark of the transaction id in the response
	Told        uint32 // mark of the transaction id in the first matching event
	ListedAs    uint32 // mark of the transaction id under which the account's list shows it

	Answer  Fate  // InFlight, NoResponse, Refused, Accepted
	Listed  Fate  // according to the gateway's list; InFlight: not looked up
	Resends uint8 // requested, and not arrived yet
	Doubted uint8 // of all requested resends, those that the gateway does not claim to have sent
	Doubles uint8 // additional payments as which its repeats were accepted

	Confirmed bool // according to an event
	Failed    bool // likewise
	Came      bool // anything about the payment arrived
	Conflict  bool // its events, or an event and the response, contradict each other
	Late      bool
	Ended     bool // according to the response
	Mixed     bool // its response and another one were mixed up: its transaction id proves nothing
	Compared  bool // its amount is known and was compared with the gateway's list,
	Misstated bool // which shows another amount or fee
}

// end is the payment's outcome; InFlight while it is unknown. The gateway's list decides if it was read. Otherwise, of
// contradicting events, the one that moved money decides, in any order.
func (e *entry) end() Fate {
	switch {
	case e.Listed == Confirmed || e.Listed == Failed:
		return e.Listed
	case e.Confirmed:
		return Confirmed
	case e.Failed:
		return Failed
	case e.Listed == NotCreated || e.Listed == Vanished:
		return e.Listed
	}
	return InFlight
}

// reported says whether an event has reported the payment's outcome.
func (e *entry) reported() bool { return e.Confirmed || e.Failed }

// fate is what is known about the payment.
func (e *entry) fate() Fate {
	if end := e.end(); end != InFlight {
		return end
	}
	if e.Listed == Accepted {
		return Accepted
	}
	return e.Answer
}

// missing says whether an event has to arrive yet.
func (c *Config) missing(e *entry) bool {
	switch fate := e.fate(); {
	case fate == Refused, fate == NotCreated, fate == Vanished, e.Came, c.Unheard[e.Kind]:
		return false
	case (e.Kind == Refund || e.Kind == Transfer) && e.Listed == Failed: // no event is required
		return false
	}
	return !e.Ended // likewise
}

// pending says whether the payment still waits for its event.
func (c *Config) pending(e *entry) bool {
	return c.missing(e) || c.Unheard[e.Kind] && e.Answer == InFlight
}

// silent says whether only the gateway's list can tell the outcome of an accepted payment, and has not.
func (c *Config) silent(e *entry) bool {
	return e.Answer == Accepted && c.Unheard[e.Kind] && e.end() == InFlight && e.Listed == InFlight && e.findable()
}

// done says whether everything is known about the payment, so that a few bits are enough.
func (c *Config) done(e *entry) bool {
	switch {
	case e.Answer == InFlight, e.Conflict, e.Resends != 0, e.Doubles != 0, c.missing(e):
		return false
	case c.Unheard[e.Kind]: // two bits cannot store a missing response
		return e.Listed == InFlight && (e.Answer == Accepted || e.Answer == Refused) ||
			e.Answer == Accepted && (e.Listed == Confirmed || e.Listed == Failed)
	}
	return e.reported() || e.fate() == Refused && !e.Came
}

// judge records an event of the payment and returns its verdict.
func (e *entry) judge(m *message) (Verdict, string) {
	if reason := e.mismatch(m); reason != "" {
		e.Came = true
		return Malformed, reason
	}
	own, other := &e.Confirmed, e.Failed
	if m.Fate == Failed {
		own, other = &e.Failed, e.Confirmed
	}
	switch {
	case *own && e.Resends > 0:
		e.Resends--
		return Resent, ""
	case *own:
		return Duplicate, ""
	}
	if m.Fate == Confirmed && e.end() != Confirmed && m.Fee >= 0 {
		e.Fee = m.Fee
	}
	*own, e.Came = true, true
	switch {
	case e.Answer == Refused:
		e.Conflict = true
		return Contradictory, fmt.Sprintf("expected no event, because the payment was refused, got %s", m.Fate)
	case e.Listed == Confirmed || e.Listed == Failed:
		if m.Fate != e.Listed {
			e.Conflict = true
			return Contradictory, fmt.Sprintf("expected %s, as in the gateway's list, got %s", e.Listed, m.Fate)
		}
	case other:
		e.Conflict = true
		return Contradictory, fmt.Sprintf("expected the same outcome as before, got %s", m.Fate)
	}
	if !other {
		e.Received, e.Told = m.At.Sub(e.Sent), m.transaction
	}
	return Matched, ""
}

// mismatch is why an event with the payment's id cannot be its event; empty if it can.
func (e *entry) mismatch(m *message) string {
	if m.problem != "" {
		return m.problem
	}
	if reason := m.fits(e.Kind); reason != "" {
		return reason
	}
	if e.Account >= 0 && m.account != e.Account {
		return fmt.Sprintf("expected the event at the URL of the payment's account %d, got it at that of account %d", e.Account, m.account)
	}
	if e.Amount >= 0 && m.Amount >= 0 && m.Amount != e.Amount {
		return fmt.Sprintf("expected an amount of %s, got %s", data.FormatAmount(e.Amount), data.FormatAmount(m.Amount))
	}
	if known := e.transaction(); known != 0 && m.transaction != 0 && m.transaction != known {
		return fmt.Sprintf("%s, got %.64q", otherTransaction, m.TransactionID)
	}
	return ""
}

// transaction is the mark of the payment's transaction id: that of the response, or else of
// the first event; 0 if there is none to compare events with.
func (e *entry) transaction() uint32 {
	switch {
	case !e.comparable():
		return 0
	case e.Transaction != 0:
		return e.Transaction
	}
	return e.Told
}

// comparable says whether response and event use the same transaction id, and whether there is only one. The event of a
// cash-in may contain that of the charge or that of the payment received.
func (e *entry) comparable() bool { return e.Kind <= Transfer && !e.Repeated && e.Doubles == 0 }

// lag is how long after the response something happened: after the send if there was no
// response, and 0 if it happened before the response.
func (e *entry) lag(at time.Time) time.Duration {
	switch {
	case e.Answer == InFlight, e.Sent.IsZero():
		return 0
	case e.Answer == NoResponse:
		return max(at.Sub(e.Sent), 0)
	}
	return max(at.Sub(e.Sent)-e.Answered, 0)
}

// isLate says whether an event is late. It is unknown which of contradicting events should have been in time.
func (c *Config) isLate(e *entry, at time.Time) bool {
	return !e.Conflict && e.lag(at) > c.Late
}

// notLate withdraws that the payment's event was late when another contradicts it.
func (e *entry) notLate(c *Counts) {
	if e.Conflict && e.Late {
		e.Late = false
		c.WebhooksLate--
	}
}

// mark is 32 bits of a name, 0 for none.
func mark(name string) uint32 {
	if name == "" {
		return 0
	}
	return max(uint32(hash(name)), 1) // #nosec G115 -- its lowest bits
}
