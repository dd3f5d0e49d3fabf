package judge

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// labels maps the status labels of lists to states.
var labels = map[string]string{"Pendente": "PENDING", "Confirmado": "CONFIRMED", "Error": "ERROR"}

// hasState judges the state of the last payment, charge or refund, from a list or a control.
func hasState(s *Scenario, i int, m language.HasState) Result {
	t := s.LastOf(api.Payment, api.Charge, api.Refund)
	if t == nil {
		return nothingSent()
	}
	look := Look{Account: t.Account, Of: t, Patience: s.Terms.Deadlines.Webhook}
	state, index, r := "", -1, pass()
	switch {
	case t.Op.ID == "cob":
		look.At = ChargeState
		state, index, r = statusFrom(s, i, target.Charges, look)
	case t.Is(api.Refund):
		if _, r := RefundID(s.View); r.Verdict != verdict.Pass {
			return r
		}
		look.At = RefundState
		state, index, r = statusFrom(s, i, target.Refunds, look)
	default:
		look = lookForListing(t, look.Patience)
		state, index, r = statusListed(s, i, look.Patience)
	}
	if r.Verdict != verdict.Pass || state == m.State {
		return r
	}
	return softened(failBy(index, "the state "+m.State, state).in("status").pending(look), m.Modality)
}

// statusListed reads the state of the last payment from the list, and the index of the page.
func statusListed(s *Scenario, i int, patience time.Duration) (state string, index int, r Result) {
	page, items, r := listing(s, i, patience)
	switch {
	case r.Verdict != verdict.Pass:
		return "", -1, r
	case len(items) == 0:
		return "not listed", page.Index, r
	}
	label := jsonvalue.Text(items[0], "status")
	return cmp.Or(labels[label], label, "no status"), page.Index, r
}

// statusFrom reads a state from a control, and the index of the call.
func statusFrom(s *Scenario, i int, control target.Control, look Look) (state string, index int, r Result) {
	call, ok := s.CallOf(i, string(control))
	if !ok {
		return "", -1, undecided(look)
	}
	var shown struct{ Status string }
	_ = json.Unmarshal(call.ResponseBody, &shown) // a failed control call is an obstacle
	return cmp.Or(shown.Status, "no status"), call.Index, pass()
}

// RefundID is the rtrId of the last refund.
func RefundID(v *record.View) (string, Result) {
	t := v.LastOf(api.Refund)
	if t == nil {
		return "", nothingSent()
	}
	id := jsonvalue.Text(t.Answer, "rtrId")
	if !t.Accepted() || id == "" {
		return "", couldNotTest("no refund was accepted: " + t.Summary())
	}
	return id, pass()
}
