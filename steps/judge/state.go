package judge

import (
	"cmp"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// hasState judges the state of a payment, charge or refund, from a list or a control.
func hasState(s *Scenario, i int, m language.HasState) Result {
	t, r := stateHolder(s, m)
	if r.Verdict != verdict.Pass {
		return r
	}
	look := Look{Account: t.Account, Of: t, Patience: s.Terms.Deadlines.Webhook}
	state, index := api.State(""), -1
	switch {
	case t.Op.ID == "cob":
		look.At = ChargeState
		state, index, r = statusFrom(s, i, target.Charges, look)
	case t.Is(api.Refund):
		if _, r = RefundID(t); r.Verdict != verdict.Pass {
			return r
		}
		look.At = RefundState
		state, index, r = statusFrom(s, i, target.Refunds, look)
	default:
		look = lookForListing(t, look.Patience)
		state, index, r = statusListed(s, i, t, look.Patience)
	}
	if r.Verdict != verdict.Pass || state == m.State {
		return r
	}
	return softened(failBy(index, "the state "+string(m.State)+ofNth(m.Nth, t), string(state)).in("status").pending(look), m.Modality)
}

// stateHolder is what a sentence about a state speaks of. "Its state" is that of the thing that the
// scenario has brought into a state.
func stateHolder(s *Scenario, m language.HasState) (*record.Attempt, Result) {
	kinds := []api.Made{m.Of}
	if m.Of == api.Nothing {
		kinds = []api.Made{api.Payment, api.Charge, api.Refund}
		if t := s.subject(); t != nil && s.Meant() == nil {
			return t, pass()
		}
	}
	return madeAs(s.View, m.Nth, kinds...)
}

// ofNth names the charge or refund that a sentence counts; empty if it is the last.
func ofNth(n language.Nth, t *record.Attempt) string {
	if n == language.Last {
		return ""
	}
	return " of the " + nthOf(n, t.Op.Noun)
}

// statusListed reads the state of a payment from the list, and the index of the page.
func statusListed(s *Scenario, i int, t *record.Attempt, patience time.Duration) (state api.State, index int, r Result) {
	page, items, r := listedItems(s, i, t, patience)
	switch {
	case r.Verdict != verdict.Pass:
		return "", -1, r
	case len(items) == 0:
		return "not listed", page.Index, r
	}
	label := jsonvalue.Text(items[0], "status")
	return cmp.Or(listing.StateOf(items[0]), api.State(label), "no status"), page.Index, r
}

// statusFrom reads a state from a control, and the index of the call.
func statusFrom(s *Scenario, i int, control target.Control, look Look) (state api.State, index int, r Result) {
	call, ok := s.CallOf(i, string(control))
	if !ok {
		return "", -1, undecided(look)
	}
	var shown struct {
		Status api.State `json:"status"`
	}
	_ = target.DecodeControl(call.ResponseBody, &shown) // a failed control call is an obstacle
	return cmp.Or(shown.Status, "no status"), call.Index, pass()
}
