package spec

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
)

// States is a set of states of which a thing has one.
type States uint32

// States that no response shows by these names.
const (
	Unmade   api.State = "not made"              // a request for it was sent
	Expired  api.State = "expired"               // whatever the gateway calls it
	Approved           = api.State(api.Approved) // of a case that is analyzed, with that result
	Rejected           = api.State(api.Rejected)
)

// caseStates are the states of a case.
var caseStates = []api.State{api.Open, api.Received, Approved, Rejected, api.Cancelled}

// AnyOfCase is each of them.
var AnyOfCase = Any(caseStates...)

// all are the states that a set can hold; the place of each is its bit.
var all = slices.Concat([]api.State{Unmade, Expired, api.Pending, api.Confirmed, api.Completed, api.Failed},
	api.ChargeStates.All(), api.RefundStates.All(), caseStates, []api.State{Issued, Void})

// Any is the set of some states.
func Any(states ...api.State) (set States) {
	for _, state := range states {
		i := slices.Index(all, state)
		if i < 0 {
			panic("spec: " + string(state) + " is a state of nothing that has one here")
		}
		set |= 1 << i
	}
	return set
}

// The states in which the bank has done what was asked, or has not, and in which somebody has paid a charge.
var (
	DidSucceed = Any(api.Confirmed, api.Completed, api.Refunded)
	DidFail    = Any(api.Failed, api.NotRefunded)
	WasPaid    = Any(api.Confirmed, api.Concluded)
)

// Has reports whether a state is in the set.
func (s States) Has(state api.State) bool { return s&Any(state) != 0 }

// Within reports whether the thing surely has one of some states.
func (s States) Within(others States) bool { return s != 0 && s&^others == 0 }

// Overlaps reports whether the thing may have one of some states.
func (s States) Overlaps(others States) bool { return s&others != 0 }

// WasRejected reports whether the bank has rejected a thing, although it may have confirmed it, too: which of two results
// counts is open ("finality of a payment").
func (s States) WasRejected() bool { return s.Within(DidFail|DidSucceed) && s.Overlaps(DidFail) }

// FailedSince reports whether a thing has failed since it was in other states, or may have expired: its money may come back.
func (s States) FailedSince(was States) bool {
	switch {
	case was.Within(DidFail), was.Within(DidSucceed):
		return false
	case s.WasRejected():
		return true
	}
	return !s.Within(DidSucceed) && s.Has(Expired) && !was.Has(Expired)
}

// Only is the state that the thing surely has; empty if there are several.
func (s States) Only() api.State {
	if bits.OnesCount32(uint32(s)) != 1 {
		return ""
	}
	return all[bits.TrailingZeros32(uint32(s))]
}

// All are the states of the set.
func (s States) All() (of []api.State) {
	for i, state := range all {
		if s&(1<<i) != 0 {
			of = append(of, state)
		}
	}
	return of
}

// CaseStatuses are those by which a list may show a case that has one of the states: its result is another field.
func (s States) CaseStatuses() (statuses []api.State) {
	for _, state := range s.All() {
		if state == Approved || state == Rejected {
			state = api.Analyzed
		}
		if state != Unmade && !slices.Contains(statuses, state) {
			statuses = append(statuses, state)
		}
	}
	return statuses
}

// String is the states in words: "PENDING or ERROR".
func (s States) String() string { return strings.Join(api.Spelled(s.All()...), " or ") }
