package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// check holds what a step states against the machine.
func (s *story) check(m language.Meaning) string {
	switch m := m.(type) {
	case language.Moved:
		return s.moved(m)
	case language.HasState:
		return s.hasState(m)
	case language.Has:
		return s.has(m)
	case language.Arrives:
		return s.arrives(m)
	case language.Answered:
		return s.answered(m.Expected, m.Of == language.It && m.Modality == language.Must)
	case language.AcceptedCount:
		return s.acceptedCount(m)
	case language.SplitsLeave:
		return s.splitsLeave(m)
	default:
		s.counts.of(whatElse).leftOut[strings.TrimPrefix(fmt.Sprintf("%T", m), "language.")]++
	}
	return ""
}

// splitsLeave: what goes to others and what the account keeps come to what was paid.
func (s *story) splitsLeave(m language.SplitsLeave) string {
	c := s.counts.of(whatAvailable)
	of, ok := s.nth(language.Last, api.Charge)
	if !ok || !of.Known {
		c.leftOut["the amount of a charge is not known"]++
		return ""
	}
	t := s.thing(of)
	if kept := (Range{t.Paid().Least - t.Others.Most, t.Paid().Most}); m.Sum && Exactly(m.Amount) != t.Paid() || !kept.Holds(m.Amount) {
		return "the machine says that the account keeps " + kept.String()
	}
	c.by["what splits leave"]++
	return ""
}

// acceptedCount: so many of several requests can be accepted.
func (s *story) acceptedCount(m language.AcceptedCount) string {
	c, a := s.counts.of(whatAnswer), s.asked
	switch {
	case a == nil || a.Vague != "":
		c.leftOut["several requests"]++
		return ""
	}
	orders, o := a.Before, a.Order
	for n := range m.Counts[0] {
		next, ok := orders, false
		if o.Made = fmt.Sprint(n); o.Noun == ATransfer || o.Noun == ARefund {
			o.Made = "one"
		}
		if !a.SameID {
			o.ID, o.Made = fmt.Sprint(a.Order.ID, n), fmt.Sprint(n)
		}
		if next, ok = orders.After(o); !ok {
			return fmt.Sprintf("the machine allows only %d to be accepted", n)
		}
		orders = next
	}
	c.by["several requests"]++
	if len(m.Counts) == 1 && !m.AtMost { // the first of them, since they are the same
		for i, made := range s.last {
			if i < m.Counts[0] {
				s.now = s.settled(s.now.Accepted(made.ID), made)
			} else {
				s.now, _ = s.now.Shows(made.ID, none)
			}
		}
		s.accounts[a.Account].Orders = orders
	}
	return ""
}

// --- money ---

// moved: the part of the balance moves as the machine says. If the machine knows one figure only, it must be that one; if it
// knows a range, what is stated must be in it.
func (s *story) moved(m language.Moved) string {
	what := whatAvailable
	if m.Blocked {
		what = whatBlocked
	}
	c := s.counts.of(what)
	if s.vague != "" {
		c.leftOut[s.vague]++
		return ""
	}
	after := s.now
	if m.IfAccepted {
		for _, made := range s.last {
			after = s.settled(after.Accepted(made.ID), made)
		}
	}
	possible := movement(s.before, after, m.Blocked)
	if m.EachAccepted {
		if len(s.last) == 0 || !s.last[0].Known {
			c.leftOut["what each request takes is not known"]++
			return ""
		}
		fee := s.accounts[s.last[0].Account].Out
		possible = []Range{{-s.last[0].Amount - fee, -s.last[0].Amount}}
	}
	stated := Range{m.Least, m.Most}
	in := func(amount money.Centavos) bool {
		return slices.ContainsFunc(possible, func(r Range) bool { return r.Holds(amount) })
	}
	oneSided := m.Least <= -money.Most || m.Most >= money.Most
	exact := len(possible) == 1 && possible[0].Known()
	switch {
	case oneSided && !slices.ContainsFunc(possible, func(r Range) bool { return r.Least <= m.Most && r.Most >= m.Least }):
	case oneSided:
		c.by["in a direction"]++
		return ""
	case exact && stated == possible[0]:
		c.by["exactly"]++
		return ""
	case exact:
	case len(possible) == 1 && stated == possible[0]:
		c.by["exactly the range"]++
		return ""
	case in(m.Least) && in(m.Most):
		c.by["in a range"]++
		return ""
	}
	return fmt.Sprintf("the machine computes %v", possible)
}

// mostSums bounds how many sums are told apart.
const mostSums = 200

// movement is what may have moved of a part of the balance of the account between two states.
func movement(before, after State, blocked bool) []Range {
	sums := []Range{{}}
	part := Thing.Moves
	if blocked {
		part = Thing.Blocks
	}
	for _, now := range after.Things() {
		if now.Account != int(language.TheAccount) {
			continue
		}
		was, known := before.Thing(now.ID)
		if !known {
			was = Thing{Kind: now.Kind, May: none}
		}
		var next []Range
		for _, by := range differences(part(was), part(now), was.May == now.May && was.May.Only() != "") {
			for _, sum := range sums {
				if r := sum.Plus(by); !slices.Contains(next, r) {
					next = append(next, r)
				}
			}
		}
		if sums = next; len(sums) > mostSums {
			whole := sums[0]
			for _, r := range sums {
				whole = whole.Or(r)
			}
			sums = []Range{whole}
		}
	}
	return sums
}

// differences are what something may have moved that had moved one of some amounts before. What has stayed in its state, which
// leaves nothing open but when a fee is taken, has moved nothing.
func differences(was, now []Range, stays bool) (all []Range) {
	if stays && len(now) == 1 && len(was) == 1 {
		return []Range{{}}
	}
	for _, a := range was {
		for _, b := range now {
			all = append(all, Range{b.Least - a.Most, b.Most - a.Least})
		}
	}
	return all
}

// --- states ---

// shownAs are the states of things that are shown in a state. How what has expired is shown is left open.
func shownAs(state api.State) States {
	switch state {
	case api.Analyzed:
		return Any(Approved, Rejected)
	case api.Pending, api.Failed:
		return Any(state, Expired)
	}
	return Any(state)
}

// shows: something is shown in one of some states.
func (s *story) shows(id ID, states States, surely bool) string {
	c := s.counts.of(whatState)
	t, ok := s.now.Thing(id)
	switch {
	case !ok:
		c.leftOut["of something that was rejected"]++
		return ""
	case !t.May.Overlaps(states):
		return fmt.Sprintf("the machine says that the %s is %v", t.Kind, t.May)
	case t.May.Within(states):
		c.by["surely"]++
	default:
		c.by["one of several"]++
	}
	if surely {
		s.now, _ = s.now.Shows(id, states)
	}
	return ""
}

func (s *story) hasState(m language.HasState) string {
	kinds := []api.Made{m.Of}
	if m.Of == api.Nothing {
		kinds = []api.Made{api.Payment, api.Charge, api.Refund}
		if s.subject != nil && s.meant == nil {
			return s.shows(s.subject.ID, shownAs(m.State), m.Modality == language.Must)
		}
	}
	of, ok := s.nth(m.Nth, kinds...)
	if !ok {
		return "nothing was made of which this could be the state"
	}
	return s.shows(of.ID, shownAs(m.State), m.Modality == language.Must)
}

// has: the fields of a response, of a listed payment or of a case that show a state, or the balance.
func (s *story) has(m language.Has) string {
	checked := s.counts.checked()
	defer func() {
		if s.counts.checked() == checked {
			s.counts.of(whatElse).leftOut["Has, of other fields"]++
		}
	}()
	for _, row := range m.Rows {
		surely := m.Modality == language.Must && !m.IfAccepted && m.NotNull == ""
		switch {
		case m.Of == language.TheListing && row.Field == "status":
			if of, ok := s.nth(m.Nth, api.Payment, api.Charge, api.Refund); ok {
				if problem := s.shows(of.ID, statesOf(row.Expected, byLabel), surely); problem != "" {
					return problem
				}
			}
		case m.Of == language.TheCase && row.Field == "status":
			if id, ok := s.caseOf(m.Nth); ok {
				if problem := s.shows(id, statesOf(row.Expected, byName), surely); problem != "" {
					return problem
				}
			}
		case m.Of == language.It && len(s.last) > 0 && isStateField(s.last[0].Op, row.Field):
			for _, of := range s.last {
				if problem := s.shows(of.ID, statesOf(row.Expected, byName), false); problem != "" {
					return problem
				}
			}
		case m.Of == language.It && s.asked == nil && strings.HasPrefix(row.Field, "data[0].balanceAmount.available"):
			if problem := s.showsBalance(row.Expected); problem != "" {
				return problem
			}
		}
	}
	return ""
}

// isStateField reports whether a field of the response to an operation shows the state of what it has made.
func isStateField(op *api.Operation, field string) bool {
	if op.ID == "transfer" {
		return field == api.TransferStates.Field
	}
	return field == api.PaymentStates.Field
}

func byName(text string) api.State  { return api.State(text) }
func byLabel(text string) api.State { return api.StateLabelled(api.Label(text)) }

// statesOf are the states that a value shows.
func statesOf(e language.Expected, read func(string) api.State) (states States) {
	for _, p := range e.Alternatives {
		text, isText := p.JSON.(string)
		if state := read(text); isText && slices.Contains(slices.Concat(all, []api.State{api.Analyzed}), state) {
			states |= shownAs(state)
		}
	}
	if states == 0 {
		return ^States(0) // any
	}
	return states
}

// showsBalance: a balance can be what is stated.
func (s *story) showsBalance(e language.Expected) string {
	c := s.counts.of(whatAvailable)
	if s.vague != "" {
		c.leftOut[s.vague]++
		return ""
	}
	available := s.now.Available(int(s.who), s.accounts[s.who].Funds)
	for _, p := range e.Alternatives {
		if p.Kind != language.IsAmount {
			return ""
		}
		if available.Holds(p.Amount) {
			c.by["in a response"]++
			return ""
		}
	}
	return "the machine says that available are " + available.String()
}

// --- events ---

// ends are the statuses with which an event reports the end of what it is about, if a sentence does not state one.
var ends = map[string][]api.State{
	api.PayloadCashOut: {api.Confirmed, api.Failed}, api.TypeCashOut: {api.Confirmed, api.Failed},
	api.PayloadTransfer: {api.EventLiquidated}, api.PayloadReceive: {api.EventLiquidated}, api.TypeCashIn: {api.Confirmed, api.EventLiquidated},
	api.PayloadRefund: {api.EventRefunded}, api.TypeRefundIn: {api.EventRefunded, api.Confirmed},
	api.TypeRefundOut: {api.TypeRefundOut}, api.TypeMEDCreated: {api.TypeMEDCreated}, api.TypeMEDAccepted: {api.TypeMEDAccepted}, api.TypeMEDRejected: {api.TypeMEDRejected},
}

// arrives: the machine allows an event to report that.
func (s *story) arrives(m language.Arrives) string {
	c := s.counts.of(whatEvent)
	statuses, known := ends[m.Event]
	if !known {
		c.leftOut[m.Event]++
		return ""
	}
	for _, row := range m.Rows {
		if row.Field == "status" || row.Field == "data.status" {
			statuses = nil
			for _, p := range row.Expected.Alternatives {
				if text, ok := p.JSON.(string); ok {
					statuses = append(statuses, api.State(text))
				}
			}
		}
	}
	var about []ID
	switch of, ok := s.nth(m.Of, api.CauseOf(m.Event)); {
	case strings.HasPrefix(m.Event, "med_"): // any case: sentences count only the other things
		about = s.cases
	case m.Event == api.TypeRefundOut:
		about = []ID{s.returned}
	case !ok:
		return "nothing was made that it could report"
	case of.Done == NotDone:
		return "what it reports was rejected"
	default:
		about = []ID{of.ID}
	}
	if !slices.ContainsFunc(s.accounts[:], func(h *holder) bool { return receives(h.Registrations, m.Event) }) && m.At != language.ThatURL {
		return "no URL is registered for it"
	}
	var t Thing
	var states States
	for _, id := range about {
		t, _ = s.now.Thing(id)
		for _, status := range statuses {
			if t.Kind != "" && t.MayBeReported(status) {
				states |= t.Kind.ReportedAs(status)
			}
		}
	}
	if states == 0 {
		return fmt.Sprintf("the machine says that the %s is %v", t.Kind, t.May)
	}
	c.by["checked"]++
	if len(about) == 1 && m.Of == language.Last && !m.IfAccepted && t.Kind != Case {
		s.now, _ = s.now.Shows(t.ID, states)
	}
	return ""
}

// receives reports whether an event can arrive: at a URL for its type (WHK-039, WHK-040), or at any if its type is left open.
func receives(r Registrations, event string) bool {
	eventType := api.SubscriptionOf(event)
	return r.Count(eventType) > 0 || eventType == "" && len(r) > 0
}
