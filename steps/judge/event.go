package judge

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// arrives judges whether an event has arrived, and what it holds.
func arrives(s *Scenario, i int, m language.Arrives) Result {
	if m.IfAccepted || m.Again {
		switch t := s.It(); {
		case t == nil:
			return nothingSent()
		case m.Again:
			return arrivesAgain(s, m, t)
		case !t.Accepted():
			return pass()
		}
	}
	places, r := placesOf(s, m)
	for _, at := range places {
		if r = r.and(arrivesAt(s, i, m.Event, at)); r.Verdict != verdict.Pass {
			return r
		}
	}
	switch {
	case r.Verdict != verdict.Pass || len(places) == 0:
		return r
	case m.Header != "":
		return r.and(hasHeader(s, m.Header, m.Value))
	}
	return r.and(eventRows(s, i, m.Event, m.Rows))
}

// placesOf are the URLs at which an event has to arrive, at one of each group. At each URL may
// be at none: a registration may have been refused.
func placesOf(s *Scenario, m language.Arrives) ([][]record.Receiver, Result) {
	at := receiversOf(s, m.Event)
	if m.At == language.ThatURL {
		at = []record.Receiver{{URL: s.Temporary}}
	}
	switch {
	case m.At == language.EachURL:
		return slices.Collect(slices.Chunk(at, 1)), pass()
	case len(at) == 0 || at[0].URL == "":
		return nil, lacks("a URL at which the account receives " + m.Event)
	case m.At == language.FirstURL:
		at = at[:1]
	case m.At == language.LastURL:
		at = at[len(at)-1:]
	}
	return [][]record.Receiver{at}, pass()
}

// receiversOf are the URLs at which an event has to arrive.
func receiversOf(s *Scenario, event string) []record.Receiver {
	at := event
	if payload, named := api.Payloads[event]; named {
		at = payload.Subscription
	}
	var all []record.Receiver
	for _, r := range s.Accounts[language.TheAccount].Receivers {
		if at == "" || r.EventType == at {
			all = append(all, r)
		}
	}
	return all
}

// arrivesAt finds the first event that reports the cause, by the right name. Without one, what
// did arrive of a cash-out is judged, whatever its name.
func arrivesAt(s *Scenario, i int, name string, at []record.Receiver) Result {
	cause, reports, r := causeOf(s, name)
	if r.Verdict != verdict.Pass {
		return r
	}
	patience := s.Terms.Deadlines.Webhook
	again := Look{At: Deliveries, Place: urlsOf(at), Patience: patience}
	came := s.EventsAt(at)
	reporting := slices.DeleteFunc(slices.Clone(came), func(d *record.Delivery) bool { return !reports(d) })
	n := slices.IndexFunc(reporting, func(d *record.Delivery) bool { return d.IsCalled(name) })
	if n < 0 && name == "CashOut" && len(reporting) > 0 {
		n, r.Look = 0, &again
	}
	if n >= 0 {
		d := reporting[n]
		s.waited = append(slices.DeleteFunc(s.waited, func(w waited) bool { return w.step == i && w.place == again.Place }), waited{d, i, again.Place})
		if id, ok := d.EndToEndID(); ok && cause != nil && cause.Is(api.Payment) {
			cause.EndToEndID = id
		}
		s.noteRead(d.Index, i)
		return r.and(take(s, d, name, at))
	}
	if _, described := api.Payloads[name]; !described && s.Terms.SharedURLs && strangerCame(s, came) {
		return cannot("events arrived that name nothing of this scenario, at URLs to which those of earlier ones are sent too: with new accounts they could be told apart").pending(again)
	}
	f := verdict.Finding{
		Expected: fmt.Sprintf("%s %s event%s at %s within %v", article(name), name, ofEnd(name), urlsOf(at), patience),
		Got:      "none" + namesOf(came), Hint: absenceHint(s), Exchange: -1,
	}
	if cause != nil {
		f.Exchange = cause.Index
	}
	return fail(f).pending(again)
}

// take makes an event that arrived at one of some URLs the last one, by the name that a step
// waited for.
func take(s *Scenario, d *record.Delivery, name string, at []record.Receiver) Result {
	s.Event, s.awaited = d, name
	s.subscription = at[slices.IndexFunc(at, func(r record.Receiver) bool { return r.URL == d.At })].EventType
	if d.Wrapped {
		return warn(verdict.Finding{Expected: "a flat CashOut event", Got: "one within {type, data}", Exchange: d.Index})
	}
	return pass()
}

// causeOf is what an event reports on: the last thing of its kind that the scenario has made;
// nil for a MED case. At a URL that others have used, whatever arrives must name its cause.
func causeOf(s *Scenario, name string) (cause *record.Attempt, reports func(*record.Delivery) bool, r Result) {
	reports = func(d *record.Delivery) bool { return d.Names(s.Case.EndToEndID) }
	if makes := api.CauseOf(name); makes != api.Nothing {
		if cause = s.LastOf(makes); cause == nil {
			return nil, nil, nothingSent()
		}
		reports = about(cause)
	}
	// Which type reports a refund is left open, and what the other types report has no payload of its own.
	_, described := api.Payloads[name]
	if open := name == "REFUND" || !described && name != "cash_out"; open && !s.Terms.SharedURLs {
		reports = func(*record.Delivery) bool { return true }
	}
	return cause, reports, pass()
}

// about matches the events that name what an attempt made, by any of its ids, wherever they
// are: what the fields hold is judged afterwards.
func about(t *record.Attempt) func(*record.Delivery) bool {
	ids := t.IDs()
	return func(d *record.Delivery) bool { return d.Names(ids...) }
}

// strangerCame: something arrived that names nothing of what the scenario has made.
func strangerCame(s *Scenario, came []*record.Delivery) bool {
	return slices.ContainsFunc(came, func(d *record.Delivery) bool { return !isOfScenario(s, d) })
}

// isOfScenario: an event names something that the scenario has made.
func isOfScenario(s *Scenario, d *record.Delivery) bool {
	return slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool { return !t.Is(api.Nothing) && about(t)(d) })
}

func absenceHint(s *Scenario) string {
	if s.Reached {
		return "an event goes to every active URL of its type, and others have reached the sink: if the target settles or refunds more slowly than that, give the profile a longer deadlines.webhook"
	}
	return "an event goes to every active URL of its type, and nothing has reached the sink at all: can the target reach it, and does it trust its certificate?"
}

func article(name string) string {
	if name != "" && strings.ContainsRune("AEIOaeio", rune(name[0])) {
		return "an"
	}
	return "a"
}

// ofEnd is the status that the event of an end has, if its payload has one.
func ofEnd(name string) string {
	if end := api.Payloads[name].End; end != "" {
		return " of status " + end
	}
	return ""
}

// namesOf lists what arrived instead.
func namesOf(came []*record.Delivery) string {
	var names []string
	for _, d := range came {
		name := cmp.Or(d.Name, "an event without a name")
		if status := d.Status(); status != nil {
			name += fmt.Sprintf(" %v", status)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return ", but " + strings.Join(names, ", ")
}

func urlsOf(at []record.Receiver) string {
	if len(at) == 1 {
		return at[0].URL
	}
	return fmt.Sprintf("any of the account's %d URLs", len(at))
}

// arrivesAgain: after the last request the event has arrived once more.
func arrivesAgain(s *Scenario, m language.Arrives, sent *record.Attempt) Result {
	_, reports, r := causeOf(s, m.Event)
	if r.Verdict != verdict.Pass {
		return r
	}
	at := receiversOf(s, m.Event)
	came := s.EventsAt(at)
	n := slices.IndexFunc(came, func(d *record.Delivery) bool {
		return d.Sent.After(sent.Sent) && reports(d) && d.IsCalled(m.Event)
	})
	if n < 0 {
		r := failAt(sent, fmt.Sprintf("%s %s event at %s once more", article(m.Event), m.Event, urlsOf(at)), "none", "")
		return r.pending(Look{At: Deliveries, Patience: s.Terms.Deadlines.Webhook})
	}
	r = take(s, came[n], m.Event, at)
	if m.Header == "" {
		return r
	}
	return r.and(softened(hasHeader(s, m.Header, m.Value), m.Modality))
}

func hasHeader(s *Scenario, header, value string) Result {
	if got := s.Event.Header.Values(header); len(got) != 1 || got[0] != value {
		return failEvent(s, fmt.Sprintf("the header %s once, with %q", header, value), fmt.Sprintf("%q", got))
	}
	return pass()
}

// failEvent is a failure that the last event shows.
func failEvent(s *Scenario, expected, got string) Result {
	return failBy(s.Event.Index, expected, got)
}

// eventRows judges the last event against a table.
func eventRows(s *Scenario, i int, name string, rows []language.Row) Result {
	if len(rows) == 0 {
		return pass()
	}
	t, _, r := causeOf(s, name)
	if t == nil { // an event of a case
		t = s.It()
	}
	switch {
	case r.Verdict != verdict.Pass || t == nil:
		return nothingSent()
	case s.Event.Payload == nil:
		return failEvent(s, "a JSON body", string(s.Event.Body))
	}
	r = rowsHold(s, i, t, s.Event.Payload, rows)
	if r.Verdict == verdict.Fail {
		r.Finding.Exchange = s.Event.Index
	}
	return r
}

// noEvent is the result of a step that speaks of an event when no step has waited for one.
func noEvent() Result { return lacks("an event that this sentence could speak of") }

// eventHas: "the event holds:"; what it should hold and does not is a warning each.
func eventHas(s *Scenario, i int, m language.Has) Result {
	if s.Event == nil {
		return noEvent()
	}
	all := pass()
	for _, row := range m.Rows {
		all = all.and(preferably(eventRows(s, i, s.awaited, []language.Row{row}), m.Modality))
		if all.Verdict != verdict.Pass {
			return all
		}
	}
	return all
}

// arrived judges how the last event, or any, arrived.
func arrived(s *Scenario, m language.Meaning) Result {
	if m, ok := m.(language.NoEventCarries); ok {
		return noEventCarries(s, m.Text)
	}
	switch _, query := m.(language.QueryArrived); {
	case s.Event == nil:
		return noEvent()
	case query && s.Event.Query != URLQuery:
		return failEvent(s, "the query "+URLQuery+", as the URL was registered with", fmt.Sprintf("%q", s.Event.Query))
	case !query && s.Event.Method != http.MethodPost:
		return warn(verdict.Finding{Expected: "POST, preferably", Got: s.Event.Method, Exchange: s.Event.Index})
	}
	return pass()
}

// URLQuery is the query of "a URL with a query".
const URLQuery = "tenant=pixcert&step=1%202"

func noEventCarries(s *Scenario, text string) Result {
	for _, d := range s.Events {
		for _, name := range slices.Sorted(maps.Keys(d.Header)) {
			if got := strings.Join(d.Header[name], ","); strings.Contains(got, text) {
				return failBy(d.Index, "no header with "+text, name+": "+got)
			}
		}
	}
	return pass()
}

// silent: during a quiet time, after an event of the same cause has arrived, another kind of
// event does not.
func silent(s *Scenario, i int, m language.Meaning) Result {
	t := s.LastOf(api.Payment, api.Charge, api.Refund)
	at := s.Accounts[language.TheAccount].Receivers
	var unwanted func(*record.Delivery) bool
	var found func(*record.Delivery) Result
	switch m := m.(type) {
	case language.NothingArrives:
		at = slices.DeleteFunc(slices.Clone(s.Accounts[m.Account].Receivers), func(r record.Receiver) bool { return m.EventType != "" && r.EventType != m.EventType })
		unwanted = func(*record.Delivery) bool { return true }
		found = func(d *record.Delivery) Result { return failBy(d.Index, "nothing at "+d.At, "an event") }
	case language.NotReported:
		unwanted = func(d *record.Delivery) bool { return jsonvalue.Find(d.Payload, "data.status").Value == m.Status }
		found = func(d *record.Delivery) Result { return failBy(d.Index, "no event that says "+m.Status, "one") }
	case language.NoOtherOutcome:
		// That the states are final is not said outright, hence a warning.
		if s.Event == nil {
			return noEvent()
		}
		t = s.LastOf(api.Payment, api.Refund)
		first := s.Event.Status()
		unwanted = func(d *record.Delivery) bool {
			status := d.Status()
			return status != nil && !jsonvalue.Equal(status, first)
		}
		found = func(d *record.Delivery) Result {
			return softened(failBy(d.Index, "no outcome after the first", "another event of the payment"), language.Should)
		}
	}
	switch {
	case t == nil:
		return nothingSent()
	case len(at) == 0:
		return lacks("a URL at which an event could arrive")
	}
	for _, d := range s.EventsAt(at) {
		if about(t)(d) && unwanted(d) {
			return found(d)
		}
	}
	return quiet(s, i)
}

// quiet passes once a quiet time is over.
func quiet(s *Scenario, i int) Result {
	if s.WasQuiet(i) {
		return pass()
	}
	return undecided(Look{At: Silence, Patience: s.Terms.Deadlines.Quiet})
}

// Latency is how long after its cause an event arrived: after the latest request or control that
// had ended before. It is unknown for an event that names nothing of the scenario's, and for one
// that is sent once more, since when that is up to nothing but the target.
func (s *Scenario) Latency(d *record.Delivery) (time.Duration, bool) {
	if !isOfScenario(s, d) || slices.ContainsFunc(s.Events, func(earlier *record.Delivery) bool {
		return earlier.Index < d.Index && earlier.At == d.At && earlier.Name == d.Name
	}) {
		return 0, false
	}
	var latest time.Time
	for _, e := range s.Exchanges {
		ended := e.Sent.Add(e.Took)
		changes := e.Party != exchange.Webhook && e.Method != http.MethodGet
		if changes && ended.After(latest) && ended.Before(d.Sent) {
			latest = ended
		}
	}
	if latest.IsZero() {
		return 0, true // it overtook the response to its cause
	}
	return d.Sent.Sub(latest), true
}
