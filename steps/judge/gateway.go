package judge

import (
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
)

// gateway is what is known of the gateway by everything recorded: the record as a fold of spec.
func (s *facts) gateway() spec.State { return s.gatewayBefore(len(s.Exchanges)) }

// gatewayBefore is what was known before an exchange.
func (s *facts) gatewayBefore(index int) spec.State {
	if s.folded.before == nil || s.folded.entries != s.Entries() {
		s.folded = fold(s)
	}
	return s.folded.before[index]
}

// folded are the states of the gateway by the first entries of a record: before each exchange, and after the last.
type folded struct {
	entries int
	before  []spec.State
	acted   spec.State      // after the last, by what was done alone: no event says anything
	ids     map[int]spec.ID // of what a request has made, which may be what an earlier one had
	acts    map[spec.ID]int // the exchange by which a thing has moved money

	contested bool // a case is about a payment that was sent: what it does to money is not known
}

// may are the states that what a request has made may be in; none if it has made nothing.
func (s *facts) may(t *record.Attempt) spec.States { return s.mayBefore(t, len(s.Exchanges)) }

// mayBefore are those before an exchange.
func (s *facts) mayBefore(t *record.Attempt, index int) spec.States {
	return s.thingBefore(t, index).May
}

// thingBefore is what a request had made before an exchange; the zero value if nothing.
func (s *facts) thingBefore(t *record.Attempt, index int) spec.Thing {
	now := s.gatewayBefore(index)
	id, known := s.folded.ids[t.Index]
	if !known {
		return spec.Thing{}
	}
	made, _ := now.Thing(id)
	return made
}

// stateNow is the state of a thing if it is known for sure; otherwise empty.
func (s *facts) stateNow(t *record.Attempt) api.State { return s.stateBefore(t, len(s.Exchanges)) }

// stateBefore is the state of a thing before an exchange. How lists show a payment of which the payee has returned a part
// is open ("returned payment in the list of transactions"), and so is what a sandbox plays ("what a sandbox scenario
// plays").
func (s *facts) stateBefore(t *record.Attempt, index int) api.State {
	made := s.thingBefore(t, index)
	if state := made.May.Only(); state != spec.Unmade && state != spec.Expired && !t.Returned && !made.Played {
		return state
	}
	return ""
}

// The states in which the bank has done what was asked, or has not, and in which somebody has paid a charge.
var (
	didSucceed = spec.Any(api.Confirmed, api.Completed, api.Refunded)
	didFail    = spec.Any(api.Failed, api.NotRefunded)
	wasPaid    = spec.Any(api.Confirmed, api.Concluded)
	expired    = spec.Any(spec.Expired)
)

// isSettled: the bank has confirmed a payment. What a sandbox only plays says nothing of money.
func (s *facts) isSettled(t *record.Attempt) bool {
	return t.Is(api.Payment) && t.Accepted() && !t.IsPlayed() && s.hasSucceeded(t)
}

func (s *facts) hasSucceeded(t *record.Attempt) bool { return s.may(t).Within(didSucceed) }

// isRejected reports whether the bank has rejected something, although it may have confirmed it, too: which of two
// results counts is open ("finality of a payment").
func isRejected(may spec.States) bool { return may.Within(didFail|didSucceed) && may.Overlaps(didFail) }

// mayReturn reports whether a payment may have failed by now, so that its money is back.
func (s *facts) mayReturn(t *record.Attempt) bool {
	return t.Is(api.Payment) && s.may(t).Overlaps(didFail|expired)
}

// settledAt is when the bank had confirmed a payment, as far as something shows that; false if it may not have.
func (s *facts) settledAt(t *record.Attempt) (at time.Time, left bool) {
	if !s.isSettled(t) {
		return at, false
	}
	for index, e := range s.Exchanges {
		if s.mayBefore(t, index+1).Within(didSucceed) {
			return e.Sent.Add(e.Took), true
		}
	}
	return at, false
}

// mayReport: what was done to a thing allows the status of an event.
func (s *facts) mayReport(t *record.Attempt, d *record.Delivery) bool {
	s.gateway()
	made, _ := s.folded.acted.Thing(s.folded.ids[t.Index])
	return t.Returned || made.Played || made.MayBeReported(d.State())
}

// isPaid: somebody has paid a charge, or may have.
func (s *facts) isPaid(t *record.Attempt) bool { return s.may(t).Overlaps(wasPaid) }

// Rows are the rows of the machine, with those that a record shows.
func Rows(s *Scenario) []spec.Row { return s.gateway().Rows() }
