package plan

import (
	"slices"

	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/target"
)

// Without the control settlement, the target's sandbox can produce the outcome of a payment: the
// order carries X-Sandbox-Scenario with the value for that outcome. Then the payment settles at any
// time, and settlement steps do nothing. So this works only for scenarios that do not look at the
// pending payment and wait for its end themselves.

// stages reports whether the target's sandbox offers every outcome of a scenario.
func (o Offer) stages(s *Scenario) bool {
	if s.staging == nil {
		return false
	}
	for _, outcome := range s.staging {
		if o.profile.SandboxScenarios[outcome] == "" {
			return false
		}
	}
	return true
}

// stage derives how a scenario can run without the control settlement: the outcome of each step
// that orders a payment; nil if it cannot.
func (s *Scenario) stage() map[int]string {
	st := staging{scenario: s, outcomes: map[int]string{}, open: map[int]bool{}}
	for i, step := range s.Steps {
		if !st.take(i, step) {
			return nil
		}
	}
	if len(st.orders) == 0 && len(s.sandbox) == 0 {
		return nil // it tests other payments
	}
	return st.outcomes
}

// staging is the state of reading a scenario.
type staging struct {
	scenario *Scenario
	outcomes map[int]string // of what a step orders
	orders   []int          // the steps that order a payment
	open     map[int]bool   // those whose payment is pending
	waits    bool           // settlement by the control
	last     bool           // the last request was such an order
}

// take reads a step; false if the scenario needs the control.
func (st *staging) take(i int, step language.Step) bool {
	switch m := step.Meaning.(type) {
	case language.HoldSettlement:
		st.waits = true
		return true
	case language.Settle:
		return st.settle(i, m)
	case language.ReturnTo, language.PutKey, language.PassTime, language.SetTime, language.SetDate, language.Fault:
		return false // they set the outcome themselves, or require something that a sandbox cannot do
	case language.Answered:
		if st.last && m.Expected.MayRefuse() {
			return false
		}
	case language.Send:
		switch {
		case m.Sandbox != "":
			st.last = true
			return true
		case isOrder(m):
			return st.order(i, m)
		case m.AtOnce > 0, m.Varies(), st.last && m.Again && m.Account == language.TheAccount:
			return false
		}
		st.last = false
	case language.Walk:
		st.last = false
	}
	return !takesMoney(step) && (len(st.open) == 0 || isOfAnswer(step.Meaning))
}

// isOrder: a single valid order of the account.
func isOrder(m language.Send) bool {
	if m.Operation == nil || m.Operation.ID != "cashOut" && m.Operation.ID != "cashOutQRCode" {
		return false
	}
	return m.Account == language.TheAccount && m.AtOnce == 0 && !m.Varies() && m.Raw == nil && m.Under == language.OwnToken && !m.OverLimit
}

// order reads an order; false if it changes a field that may affect the outcome.
func (st *staging) order(i int, m language.Send) bool {
	for _, c := range m.Changes {
		if c.Where != language.Body || !slices.Contains([]string{"value", "description", "externalId"}, c.Name) {
			return false
		}
	}
	st.orders, st.last = append(st.orders, i), true
	if st.waits {
		st.open[i] = true
	} else {
		st.outcomes[i] = target.Confirmed
	}
	return true
}

// settle reads a settlement; false if the scenario looked at the payment since the order, or does
// not wait for its end next.
func (st *staging) settle(i int, m language.Settle) bool {
	n := len(st.orders) - 1
	if m.Payment != language.Last {
		n = int(m.Payment) - 1
	}
	if m.Tries || m.Each || n < 0 || n >= len(st.orders) || !st.open[st.orders[n]] {
		return false
	}
	order := st.orders[n]
	for j := order + 1; j <= i; j++ {
		if st.scenario.Reads[j] {
			return false
		}
	}
	if i+1 == len(st.scenario.Steps) || !waitsForEnd(st.scenario.Steps[i+1].Meaning) {
		return false
	}
	st.outcomes[order] = target.Confirmed
	if m.ErrorCode != "" {
		st.outcomes[order] = string(m.ErrorCode)
	}
	delete(st.open, order)
	return true
}

// isOfAnswer reports whether the step judges only the response to the order.
func isOfAnswer(m language.Meaning) bool {
	switch m := m.(type) {
	case language.Answered:
		return m.Of == language.It && m.Modality == language.Must && !m.Expected.MayRefuse()
	case language.Has:
		return m.Of == language.It && m.Modality == language.Must
	case language.Differ:
		return !m.Events
	}
	return false
}

// waitsForEnd reports whether the step waits until the payment has ended.
func waitsForEnd(m language.Meaning) bool {
	switch m := m.(type) {
	case language.Has:
		return m.Of == language.TheListing && slices.ContainsFunc(m.Rows, func(r language.Row) bool { return r.Field == "status" })
	case language.Arrives:
		return (m.Event == "CashOut" || m.Event == "cash_out") && !m.Again && !m.IfAccepted && m.At != language.ThatURL
	case language.HasState:
		return m.Modality == language.Must
	}
	return false
}
