package judge

import (
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
)

// gateway is what the first entries of a record show of the gateway.
type gateway struct {
	entries int
	before  []spec.State      // each exchange, and after the last
	acted   spec.State        // after the last, by what was done alone: no event says anything
	ids     map[int]spec.ID   // of what a request has made, which may be what an earlier one had
	cases   map[string][]turn // by their ids
	acts    map[spec.ID]int   // the exchange by which a thing has moved money

	contested bool // a case is about a payment that was sent: what it does to money is not known
}

// gateway is what is known of the gateway by everything recorded: the record as a fold of spec.
func (s *facts) gateway() *gateway {
	if s.folded == nil || s.folded.entries != s.Entries() {
		s.folded = fold(s)
	}
	return s.folded
}

// now is the state after the last exchange.
func (g *gateway) now() spec.State { return g.before[len(g.before)-1] }

// made is what a request has made, in a state of the gateway; the zero value if nothing.
func (g *gateway) made(t *record.Attempt, in spec.State) (made spec.Thing) {
	if id, known := g.ids[t.Index]; known {
		made, _ = in.Thing(id)
	}
	return made
}

// thing is what a request had made before an exchange.
func (g *gateway) thing(t *record.Attempt, before int) spec.Thing { return g.made(t, g.before[before]) }

// may are the states that what a request has made may be in; none if it has made nothing.
func (g *gateway) may(t *record.Attempt) spec.States { return g.mayBefore(t, len(g.before)-1) }

// mayBefore are those before an exchange.
func (g *gateway) mayBefore(t *record.Attempt, index int) spec.States { return g.thing(t, index).May }

// state is the state of what a request has made, if it is known for sure; otherwise empty.
func (g *gateway) state(t *record.Attempt) api.State { return g.stateBefore(t, len(g.before)-1) }

// stateBefore is that state before an exchange. How lists show a payment of which the payee has returned a part
// is open ("returned payment in the list of transactions"), and so is what a sandbox plays ("what a sandbox scenario
// plays").
func (g *gateway) stateBefore(t *record.Attempt, index int) api.State {
	made := g.thing(t, index)
	if state := made.May.Only(); state != spec.Unmade && state != spec.Expired && !t.Returned && !made.Played {
		return state
	}
	return ""
}

// turn is a call of a control that has opened or moved a MED case, and what the case may be since.
type turn struct {
	call int
	may  spec.States
}

// caseBefore are the states that a MED case may have before an exchange, and those that it may have had until then. If it is not
// known what has opened it, it may have any.
func (g *gateway) caseBefore(c record.Case, index int) (may, had spec.States) {
	for _, t := range g.cases[c.ID] {
		if t.call < index {
			may, had = t.may, had|t.may
		}
	}
	if had == 0 {
		return spec.AnyOfCase, spec.AnyOfCase
	}
	return may, had
}

// isSettled: the bank has confirmed a payment. What a sandbox only plays says nothing of money.
func (g *gateway) isSettled(t *record.Attempt) bool {
	return t.Is(api.Payment) && t.Accepted() && !t.IsPlayed() && g.may(t).Within(spec.DidSucceed)
}

// settledAt is when the bank had confirmed a payment, as far as something shows that; false if it may not have.
func (s *facts) settledAt(t *record.Attempt) (at time.Time, left bool) {
	g := s.gateway()
	if !g.isSettled(t) {
		return at, false
	}
	for index, e := range s.Exchanges {
		if g.mayBefore(t, index+1).Within(spec.DidSucceed) {
			return e.Sent.Add(e.Took), true
		}
	}
	return at, false
}

// mayReport: what was done to a thing allows the status of an event.
func (g *gateway) mayReport(t *record.Attempt, d *record.Delivery) bool {
	made, _ := g.acted.Thing(g.ids[t.Index])
	return t.Returned || made.Played || made.MayBeReported(d.State())
}

// StateOf is the state of what a request has made, if it is known for sure; otherwise empty.
func (s *Scenario) StateOf(t *record.Attempt) api.State { return s.gateway().state(t) }
