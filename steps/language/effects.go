package language

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/target"
)

// Effects is what a step says of itself. Selecting, planning, ordering, sharing an account
// and looking ahead for sandbox scenarios follow from effects and meanings, never from words.
type Effects struct {
	Changes  Changes          // of the target's state; everything, unless declared
	Requests []*api.Operation // that it sends
	Reads    Reads
	Quiet    bool // it waits for what must not come, for as long as that takes

	Controls []target.Control // without which it cannot be carried out
	Wants    []Want           // that a control meets, or something in the profile
	Families []target.Family  // of the API that it uses, besides those of Requests

	Accounts  int      // how many accounts the scenario has after it
	Funded    bool     // it needs an account with money, which a new one gets from a control
	Registers []string // the types of event for which it registers webhooks
	Mailboxes int      // URLs of the sink that it takes
	Way       Way      // of showing certificates that it is about; empty for either
	Sandbox   string   // the outcome that it asks the target's sandbox for
	Throttled bool     // it is about how many requests are accepted in a minute
	Bulk      bool     // it sends dozens of requests or more
	AtOnce    int      // the most requests that it sends at once
}

// Changes says what a step may change at the target.
type Changes int

const (
	Everything    Changes = iota // so a step that declares nothing is never taken for harmless
	Nothing                      // others may use the account at the same time
	UnlessRefused                // nothing if its request is refused
)

// Reads is what a step looks at.
type Reads int

const (
	BalanceMoves Reads = 1 << iota // how the balance moved since the When began
	Traces                         // what a refused request left behind
	Lists
)

// Has reports whether all of some reads are among r.
func (r Reads) Has(some Reads) bool { return r&some == some }

// Way is how an account shows its certificate.
type Way string

const (
	InHeader    Way = "the header X-SSL-Client-Cert"
	InHandshake Way = "the TLS handshake"
)

// Want is something that a step cannot do without: a control, or what the profile states.
type Want struct {
	Control target.Control
	Or      Stated
	Limit   Limit // that Stated is about
}

// Stated is what a profile may state instead of offering a control.
type Stated int

const (
	NoFeesStated Stated = iota
	FeesStated
	NoLimitsStated
	LimitStated
)

// effect declares an effect of a sentence. It may depend on what the sentence means.
type effect func(*Effects, Meaning)

// Effects that depend on the sentence alone.

func harmless(e *Effects, _ Meaning) { e.Changes = Nothing }

func quiet(e *Effects, _ Meaning) { e.Quiet = true }

func opensFunded(e *Effects, _ Meaning) { e.Accounts, e.Funded = 1, true }

func reads(r Reads) effect { return func(e *Effects, _ Meaning) { e.Reads |= r } }

func shows(way Way) effect { return func(e *Effects, _ Meaning) { e.Way = way } }

func needs(controls ...target.Control) effect {
	return func(e *Effects, _ Meaning) { e.Controls = append(e.Controls, controls...) }
}

func uses(f target.Family) effect {
	return func(e *Effects, _ Meaning) { e.Families = append(e.Families, f) }
}

func wants(control target.Control, or Stated) effect {
	return func(e *Effects, _ Meaning) { e.Wants = append(e.Wants, Want{Control: control, Or: or}) }
}

var wantsFees = wants(target.FeesControl, FeesStated)

// Effects that depend on the meaning.

func wantsLimit(e *Effects, m Meaning) {
	e.Wants = append(e.Wants, Want{Control: target.LimitsControl, Or: LimitStated, Limit: m.(OwnLimit).Limit})
}

func opens(e *Effects, m Meaning) {
	o := m.(Open)
	e.Accounts, e.Funded = int(o.Account)+1, o.Funded
	if o.Fresh {
		e.Controls = append(e.Controls, target.Accounts)
	}
	if o.Exactly {
		e.Controls = append(e.Controls, target.Funds)
	}
}

func registers(e *Effects, m Meaning) {
	r := m.(Receive)
	e.Registers, e.Mailboxes = r.EventTypes, r.Count*len(r.EventTypes)
	if len(r.EventTypes) == 1 {
		usesMED(e, r.EventTypes[0])
	}
}

// usesMED: events of MED cases belong to that family, besides webhooks.
func usesMED(e *Effects, eventType string) {
	if strings.HasPrefix(eventType, "med_") {
		e.Families = append(e.Families, target.MEDFamily)
	}
}

func needsForState(e *Effects, m Meaning) {
	e.Controls = map[string][]target.Control{
		"cash-out": {target.Settlement}, "QR cash-out": {target.Settlement}, "transfer": {target.Settlement, target.Directory},
		"cob": {target.Payments, target.Charges}, "cash-in": {target.Payments}, "split cash-in": {target.Payments, target.Splits}, "refund": {target.Payments, target.Refunds}, "MED case": {target.MED},
	}[m.(InState).Noun]
}

// requests is for sentences that send what their meaning names.
func requests(e *Effects, m Meaning) {
	var all []*api.Operation
	switch m := m.(type) {
	case Send:
		all = append(all, m.Operation)
	case ListsSent:
		all = append(all, m.Operation)
	case HasBeenPaid:
		all = append(all, m.Operation)
	case InState:
		all = append(all, api.Named(m.Noun)) // nil for a MED case
	case SendMany:
		all = append(all, m.Operation)
		e.Bulk = m.Count >= bulk
		if m.Count > SentInOrder && !m.Daily {
			e.AtOnce = SentInOrder
		}
	case Walk:
		all = append(all, m.Operation)
		if m.Paying {
			all = append(all, api.MustNamed("cash-out"))
		}
	}
	e.Requests = slices.DeleteFunc(all, func(op *api.Operation) bool { return op == nil })
}

// SentInOrder is how many orders are sent one after the other; of more, so many are sent at once.
const SentInOrder = 20

// MostConcurrent is how many requests of combinations are sent at the same instant.
const MostConcurrent = 8

// bulk is from how many requests on a step is long.
const bulk = 100

func walks(e *Effects, m Meaning) {
	e.Reads = Lists
	if !m.(Walk).Paying {
		e.Changes = Nothing
	}
}

func opensURL(e *Effects, _ Meaning) { e.Mailboxes = 1 }

func sends(e *Effects, m Meaning) {
	s := m.(Send)
	requests(e, m)
	e.Changes, e.Sandbox, e.Bulk, e.AtOnce = UnlessRefused, s.Sandbox, s.AtOnce >= bulk || s.Varies(), s.AtOnce
	for _, c := range s.everyChange() {
		usesMED(e, strings.Trim(string(c.Value.JSON), `"`))
		if c.Value.Kind == FreshURL || c.Value.Kind == URLWithQuery {
			e.Mailboxes++
		}
	}
	if s.Concurrent {
		e.AtOnce = MostConcurrent
	}
	if s.Operation == nil {
		return
	}
	if s.Operation.IsRead() {
		e.Changes = Nothing
	}
	if s.Operation.Looks {
		e.Reads = Lists
	}
	e.Throttled = s.Operation.ID == "resendWebhook" && e.AtOnce > 0
	if s.Operation.ID == "registerWebhook" {
		e.Mailboxes += max(1, s.AtOnce)
		if s.Under == OwnToken {
			e.Registers = []string{api.TypeCashOut}
		}
	}
}

// readsTraces: a refusal that is expected must leave nothing behind.
func readsTraces(e *Effects, m Meaning) {
	o := m.(Answered).Expected
	e.Throttled = o.Throttles()
	if o.MayRefuse() {
		e.Reads = Traces
	}
}

// needsBankToFall: when the money of a payment leaves is up to a bank that settles by itself. A
// fall that may be none at all does not depend on it.
func needsBankToFall(e *Effects, m Meaning) {
	if m.(Moved).Most < 0 {
		e.Controls = append(e.Controls, target.Settlement)
	}
}

// needsBankForEvent: events of payments sent need a bank that settles, those of refunds one that
// carries them out. Without these controls, when they arrive is up to the target.
func needsBankForEvent(e *Effects, m Meaning) {
	eventType := m.(Arrives).Event
	switch eventType {
	case api.PayloadCashOut, api.TypeCashOut, api.PayloadTransfer:
		e.Controls = append(e.Controls, target.Settlement)
	case api.TypeRefundIn, api.PayloadRefund:
		e.Controls = append(e.Controls, target.Refunds)
	}
	usesMED(e, eventType)
}

func usesFamilyOfList(e *Effects, m Meaning) {
	e.Families = append(e.Families, m.(ListMatches).Operation.Family)
}

func usesFamilyOfEvent(e *Effects, m Meaning) { usesMED(e, m.(NothingArrives).EventType) }
