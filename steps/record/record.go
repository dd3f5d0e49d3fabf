// Package record holds what one attempt at a scenario recorded: exchanges and deliveries in order,
// and the facts that no exchange shows. A judge needs nothing else, so that it can also judge later
// and on another machine.
package record

import (
	"time"

	"github.com/pixcert/pixcert/steps/dimensions"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/target"
)

// Record is one attempt at a scenario.
type Record struct {
	Rule    string
	Name    string
	Attempt int // from 0
	Started time.Time
	Took    time.Duration
	Steps   []string // their text, to detect that a later version has other steps
	Entries []Entry

	Sharing  bool `json:",omitempty"` // others used its account at the same time
	Spoiled  bool `json:",omitempty"` // it says nothing about the target: see verdict.Scenario
	Unproven bool `json:",omitempty"` // an event came late: see verdict.Scenario
}

// ID is the id of the scenario: rule/scenario.
func (r *Record) ID() string { return r.Rule + "/" + r.Name }

// IsOfSetUp reports whether the record is of what the run itself did before its first scenario.
func (r *Record) IsOfSetUp() bool { return r.Name == "" }

// Redacted is a copy of the record without secrets.
func (r *Record) Redacted(secrets *exchange.Redactor) *Record {
	redacted := *r
	redacted.Steps = make([]string, len(r.Steps))
	for i, words := range r.Steps { // of the user's own features
		redacted.Steps[i] = secrets.Text(words)
	}
	redacted.Entries = make([]Entry, len(r.Entries))
	for i, e := range r.Entries {
		switch {
		case e.Exchange != nil:
			hidden := secrets.Exchange(*e.Exchange)
			e.Exchange = &hidden
		case e.Fact != nil:
			fact := *e.Fact
			fact.Text, fact.Of = secrets.Text(fact.Text), secrets.Text(fact.Of)
			e.Fact = &fact
		case e.Obstacle != nil:
			obstacle := *e.Obstacle
			obstacle.Reason, obstacle.Expected = secrets.Text(obstacle.Reason), secrets.Text(obstacle.Expected)
			e.Obstacle = &obstacle
		}
		redacted.Entries[i] = e
	}
	return &redacted
}

// Entry is one thing that was recorded while a step ran. Exactly one of its pointers is set. An
// exchange of the party Webhook is a delivery.
type Entry struct {
	Step     int
	Exchange *exchange.Exchange `json:",omitempty"`
	Account  language.Account   `json:",omitempty"` // on whose behalf
	Role     Role               `json:",omitempty"` // of an exchange
	AtOnce   bool               `json:",omitempty"` // the request was sent concurrently with others of its step
	Variant  string             `json:",omitempty"` // which of the variants of its step the request is
	Chosen   []dimensions.Pick  `json:",omitempty"` // in each dimension, if the step combines choices
	Fact     *Fact              `json:",omitempty"`
	Obstacle *Obstacle          `json:",omitempty"`
}

// Role says why a request was sent.
type Role string

const (
	Spoken    Role = ""          // a sentence is about it
	Aside     Role = "aside"     // it prepares a sentence
	Before    Role = "before"    // it reads the balance that the sentences of this When are measured by
	Look      Role = "look"      // the judge asked for it
	Watched   Role = "watched"   // a list was wrong and then right: whether it stays so
	Throttled Role = "throttled" // the target answered 429, and it was sent again later
)

// Fact is something that no exchange shows. Only the fields named by its kind are set.
type Fact struct {
	Kind  FactKind
	Text  string        `json:",omitempty"`
	Of    string        `json:",omitempty"`
	Index int           `json:",omitempty"` // of an exchange
	At    time.Time     `json:",omitzero"`
	For   time.Duration `json:",omitempty"`
	Yes   bool          `json:",omitempty"`
}

// FactKind is the kind of a Fact.
type FactKind string

const (
	Opened     FactKind = "opened"     // Entry.Account; Text: its PIX key; Yes: it is one of the profile's
	Lagging    FactKind = "lagging"    // For so long, a replica may lag
	OwnURLs    FactKind = "own URLs"   // Of: what the run's URLs for events of new accounts begin with, each of which is used once
	Shared     FactKind = "shared"     // others use Entry.Account during the run
	Unsettled  FactKind = "restless"   // earlier payments may still move the balance of Entry.Account
	Funded     FactKind = "funded"     // Entry.Account has Text available, and no pending payment can change that
	Subscribed FactKind = "subscribed" // Entry.Account receives events of type Text at the URL Of
	Kept       FactKind = "kept"       // Entry.Account keeps the URL Of for events of type Text, in every scenario
	Temporary  FactKind = "temporary"  // Of: a URL that a resend is given
	WhenBegan  FactKind = "when"       // At
	TimePassed FactKind = "passed"     // At: when the clock was moved
	Paid       FactKind = "paid"       // Text: the end-to-end id of a payment of the charge that exchange Index made
	Returned   FactKind = "given back" // the payee returned money of the payment that exchange Index made; Text: its end-to-end id
	Meant      FactKind = "meant"      // sentences speak of what exchange Index made, until something else is ordered
	Opening    FactKind = "case"       // Text: the id of a MED case; Of: the end-to-end id that it contests
	CaseMoved  FactKind = "case moved" // Text: the id of a MED case; Of: the state that it was moved to
	Quiet      FactKind = "quiet"      // nothing else was waited for, For so long
	Doubtful   FactKind = "doubtful"   // an edge may refuse the certificate of exchange Index; Yes: it shows none
	Waited     FactKind = "waited"     // the look that Text names was repeated until patience ended
	Ended      FactKind = "ended"      // the step is complete
	Reached    FactKind = "reached"    // something has reached the sink
	Registered FactKind = "registered" // exchange Index lists the webhooks before a registration
	AtRest     FactKind = "at rest"    // from now on, what is read lags behind nothing that the scenario did
)

// Obstacle says why a step could not be carried out.
type Obstacle struct {
	Kind     ObstacleKind
	Reason   string
	Expected string `json:",omitempty"` // of a Fault
	Control  string `json:",omitempty"`
	Exchange int    // -1 for none
	Spoils   bool   `json:",omitempty"` // the attempt says nothing about the target; another one may
}

func (o *Obstacle) Error() string { return o.Reason }

// ObstacleKind is the kind of an Obstacle.
type ObstacleKind string

const (
	Unable         ObstacleKind = "unable"          // nobody's fault
	NotOffered     ObstacleKind = "not offered"     // the target does not offer what the scenario is about
	MissingControl ObstacleKind = "missing control" // Control
	FailedControl  ObstacleKind = "failed control"  // Control
	Fault          ObstacleKind = "fault"           // the target's: what the step needs is not as Expected
	Broken         ObstacleKind = "broken"          // the suite's own fault
)

// Cannot returns the obstacle of a step that cannot be carried out, through nobody's fault.
func Cannot(reason string) *Obstacle { return &Obstacle{Kind: Unable, Reason: reason, Exchange: -1} }

// Terms are what a judge has to know about the target and the run.
type Terms struct {
	BasePath  string // of the base URL
	TokenPath string

	Handshake  bool // certificates are shown in the TLS handshake
	Fixed      bool // the scenarios run on accounts of the profile, which have a history
	SharedURLs bool // events of earlier scenarios may arrive at the same URLs

	Lacks []target.Family `json:",omitempty"` // of the API, which the target does not offer

	FeesControl, LimitsControl bool
	Fees                       target.Fees // of the profile; empty ones are unknown
	RequestsPerSecond          float64     // that the profile allows; 0 for any
	Deadlines                  target.Deadlines
}

// Safety is how many times longer than measured a replica may lag, and LeastLag the shortest lag that is
// measured: what shows sooner counts as none.
const (
	Safety   = 3
	LeastLag = 50 * time.Millisecond
)

// FeesKnown reports whether the profile states every fee.
func (t *Terms) FeesKnown() bool { return t.Fees.CashOut != "" && t.Fees.CashIn != "" }
