package judge

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// arrives judges whether an event has arrived, and its content.
func arrives(s *Scenario, i int, m language.Arrives) Result {
	causes, r := causesOf(s, m)
	if r.Verdict != verdict.Pass {
		return r
	}
	places, r := placesOf(s, m)
	for _, c := range causes {
		for _, at := range places {
			if r = r.and(arrivesAt(s, i, m, c, at)); r.Verdict != verdict.Pass {
				return r
			}
			if !m.EachPayment {
				continue
			}
			if r = r.and(eventRows(s, i, c, m.Rows)); r.Verdict != verdict.Pass {
				return unlessStrange(s, r, c, m)
			}
		}
	}
	switch {
	case r.Verdict != verdict.Pass || len(places) == 0:
		return r
	case m.Header != "":
		r = r.and(hasHeader(s, m.Header, m.Value))
	default:
		r = r.and(eventRows(s, i, causes[len(causes)-1], m.Rows))
	}
	return unlessStrange(s, r, causes[len(causes)-1], m)
}

// unlessStrange: what is wrong about an event that names nothing of the scenario is no fault as long as another may
// follow. Whoever sent one without the headers that its URL is registered with is unknown.
func unlessStrange(s *Scenario, r Result, c cause, m language.Arrives) Result {
	if r.Verdict != verdict.Fail || s.Event == nil || c.isCertain(s.Event) {
		return r
	}
	again := Look{At: Deliveries, Place: s.Event.At, Patience: s.Terms.Deadlines.Webhook}
	if m.Header != "" || m.ItsHeaders {
		return couldNotTest("the event that arrived has neither an id of this scenario nor the headers of its URL, so nothing says that the gateway sent it").pending(again)
	}
	return r.pending(again)
}

// placesOf returns groups of URLs; the event must arrive at one URL of each group. There may be
// none, because registrations may have been rejected.
func placesOf(s *Scenario, m language.Arrives) ([][]record.Receiver, Result) {
	at := receiversOf(s, m.Event)
	if m.At == language.ThatURL {
		at = lastTemporary(&s.facts)
	}
	switch {
	case m.At == language.EachURL:
		at = slices.DeleteFunc(at, func(r record.Receiver) bool { return m.NotFailed && refusesEvents(&s.facts, r.URL) })
		return slices.Collect(slices.Chunk(at, 1)), pass()
	case len(at) == 0 || at[0].URL == "":
		return nil, unrecorded("a webhook URL for " + m.Event)
	case m.At == language.FirstURL:
		at = at[:1]
	case m.At == language.LastURL:
		at = at[len(at)-1:]
	}
	return [][]record.Receiver{at}, pass()
}

// receiversOf returns the URLs at which an event may arrive.
func receiversOf(s *Scenario, event string) []record.Receiver {
	at := api.SubscriptionOf(event)
	return slices.DeleteFunc(slices.Clone(s.Accounts[language.TheAccount].Receivers), func(r record.Receiver) bool { return at != "" && r.EventType != at })
}

// arrivesAt finds the first event with the right name that reports the cause. If a cash-out has
// none, it judges the event that did arrive, whatever its name.
func arrivesAt(s *Scenario, i int, m language.Arrives, c cause, at []record.Receiver) Result {
	name, r := m.Event, pass()
	patience := s.Terms.Deadlines.Webhook
	again := Look{At: Deliveries, Place: urlsOf(at), Patience: patience}
	came := s.EventsAt(at)
	reporting := slices.DeleteFunc(slices.Clone(came), func(d *record.Delivery) bool { return !c.reports(d) })
	n := best(s, reporting, i, m, c, at)
	if n < 0 && name == api.PayloadCashOut && len(reporting) > 0 {
		n, r.Look = 0, &again
	}
	if n >= 0 {
		d := reporting[n]
		s.waited = append(slices.DeleteFunc(s.waited, func(w waited) bool { return w.step == i && w.place == again.Place }), waited{d, i, again.Place})
		if id := d.Text("endToEndId"); id != "" && c.made != nil && c.made.Is(api.Payment) && name != api.TypeRefundOut {
			c.made.EndToEndID = id
		}
		s.noteRead(d.Index, i)
		if r = r.and(take(s, d, name, c, at)); r.Verdict == verdict.Pass && m.ItsHeaders {
			r = unlessStrange(s, r.and(hasItsHeaders(s, d, at[0])), c, m)
		}
		return r
	}
	isForeign := func(d *record.Delivery) bool { return !s.isOfScenario(d) }
	_, described := api.Payloads[name]
	switch {
	case !described && s.Terms.SharedURLs && slices.ContainsFunc(came, isForeign):
		return couldNotTest("events arrived that cannot be attributed to this scenario, because earlier scenarios use the same URLs: add the test control accounts").pending(again)
	case !described && c.open && slices.ContainsFunc(came, func(d *record.Delivery) bool { return isObject(d) && isForeign(d) }):
		return couldNotTest("the events that arrived have neither an id of this scenario nor the amount, so nothing says that the gateway sent them").pending(again)
	}
	if c.made != nil && c.made.Status >= http.StatusBadRequest { // so that there is nothing to tell
		return failAnswer(c.made, "accepted with "+c.made.Op.Success(), "")
	}
	f := verdict.Finding{
		Expected: fmt.Sprintf("%s %s event%s%s at %s within %v", article(name), name, ofEnd(name), ofWhich(s, m, c), urlsOf(at), patience),
		Got:      namesOf(came), Hint: absenceHint(s), Exchange: -1,
		About: verdict.About{Kind: verdict.Event},
	}
	if c.made != nil {
		f.Exchange = c.made.Index
	}
	if other := slices.IndexFunc(reporting, func(d *record.Delivery) bool { return d.Name == name }); other >= 0 {
		f.Exchange = reporting[other].Index
	}
	return fail(f).pending(again)
}

// best returns the index of the event to judge: the first one that is certainly about the cause or, if there is none,
// the first one that is as it should be, or any; -1 if none has the right name.
func best(s *Scenario, reporting []*record.Delivery, i int, m language.Arrives, c cause, at []record.Receiver) int {
	asItShould := func(d *record.Delivery) bool {
		switch {
		case m.Header != "":
			return slices.Equal(d.Header.Values(m.Header), []string{m.Value})
		case m.ItsHeaders:
			return hasItsHeaders(s, d, at[0]).Verdict == verdict.Pass
		case c.made != nil:
			return rowsHold(s, i, c.made, d.Payload, m.Rows).Verdict == verdict.Pass
		}
		return true
	}
	for _, fits := range []func(*record.Delivery) bool{c.isCertain, asItShould, func(*record.Delivery) bool { return true }} {
		if n := slices.IndexFunc(reporting, func(d *record.Delivery) bool { return d.IsCalled(m.Event) && fits(d) }); n >= 0 {
			return n
		}
	}
	return -1
}

// take makes an event the last one that a step waited for.
func take(s *Scenario, d *record.Delivery, name string, c cause, at []record.Receiver) Result {
	s.Event, s.awaited, s.cause = d, name, c
	s.subscription = at[slices.IndexFunc(at, func(r record.Receiver) bool { return r.URL == d.At })].EventType
	return passIf(!d.Wrapped, warn(verdict.Finding{Expected: "a flat CashOut event", Got: "one wrapped in {type, data}", Exchange: d.Index}))
}

// Strangers are how many deliveries name nothing that the run has sent; mark is a text in all that
// it sends. They are no events of the scenario's.
func (s *Scenario) Strangers(mark string) int {
	n := 0
	for _, d := range s.Events {
		if !s.isOfScenario(d) && !d.Names(s.Case(language.Last).EndToEndID, mark) {
			n++
		}
	}
	return n
}

// HasUnreadable reports whether something was delivered that is no JSON object, and so no event.
func (s *Scenario) HasUnreadable() bool {
	return slices.ContainsFunc(s.Events, func(d *record.Delivery) bool { return !isObject(d) })
}

func absenceHint(s *Scenario) string {
	if s.Reached {
		return "other webhooks arrived; if the target settles or refunds more slowly than this, increase deadlines.webhook in the profile"
	}
	return "no webhook has arrived in this run: check that the target can reach pixcert's webhook listener and trusts its certificate"
}

// ofEnd describes the status of an event that reports an end, if its payload has one.
func ofEnd(name string) string {
	if end := api.Payloads[name].End; end != "" {
		return " with status " + string(end)
	}
	return ""
}

func namesOf(came []*record.Delivery) string {
	var names []string
	for _, d := range came {
		name := cmp.Or(d.Name, "an unnamed event")
		if status := d.Text("status"); status != "" {
			name += " " + status
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "none"
	}
	return wording.Choose(len(names), "only this event: ", "only these events: ") + strings.Join(names, ", ")
}

func urlsOf(at []record.Receiver) string {
	if len(at) == 1 {
		return at[0].URL
	}
	return fmt.Sprintf("any of the account's %d URLs", len(at))
}

// eventRows judges the last event against a table.
func eventRows(s *Scenario, i int, c cause, rows []language.Row) Result {
	if len(rows) == 0 {
		return pass()
	}
	t := c.made
	if t == nil { // an event of a MED case
		t = s.It()
	}
	switch {
	case t == nil:
		return nothingSent()
	case s.Event.Payload == nil:
		return failEvent(s, "a JSON body", string(s.Event.Body))
	}
	r := rowsHold(s, i, t, s.Event.Payload, rows)
	if r.Verdict == verdict.Fail {
		r.Finding.Exchange = s.Event.Index
	}
	return r
}

// eventHas: "the event has:". Each missing field that it should have is a warning.
func eventHas(s *Scenario, i int, m language.Has) Result {
	if s.Event == nil {
		return noEvent()
	}
	all := pass()
	for _, row := range m.Rows {
		all = all.and(preferably(eventRows(s, i, s.cause, []language.Row{row}), m.Modality))
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
		return failEvent(s, "the query of the registered URL, "+URLQuery, fmt.Sprintf("%q", s.Event.Query))
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

// Latency is the time between an event and its cause: the latest request or control call that had ended before.
// One that had not is its cause, or may be. It is unknown for events of other scenarios, and for repeated events,
// whose timing is up to the target.
func (s *Scenario) Latency(d *record.Delivery) (time.Duration, bool) {
	if !s.isOfScenario(d) || slices.ContainsFunc(s.Events, func(earlier *record.Delivery) bool {
		return earlier.Index < d.Index && earlier.At == d.At && earlier.Name == d.Name
	}) {
		return 0, false
	}
	var latest time.Time
	for _, e := range s.Exchanges {
		ended := e.Sent.Add(e.Took)
		changes := e.Party != exchange.Webhook && e.Method != http.MethodGet
		switch {
		case !changes || !e.Sent.Before(d.Sent):
		case !ended.Before(d.Sent):
			return 0, true // it overtook the response to its cause
		case ended.After(latest):
			latest = ended
		}
	}
	if latest.IsZero() {
		return 0, true
	}
	return d.Sent.Sub(latest), true
}

// hasItsHeaders: an event has the headers that its URL was last registered with for its type,
// and none that other registrations have.
func hasItsHeaders(s *Scenario, d *record.Delivery, at record.Receiver) Result {
	own, others := map[string]string{}, map[string]bool{}
	for _, t := range s.Attempts {
		if t.Op.ID != "registerWebhook" || !t.Accepted() || t.Sent.After(d.Sent) {
			continue
		}
		url, _, _ := strings.Cut(t.SentText("url"), "?")
		isOwn := t.Account == language.TheAccount && (record.Receiver{EventType: t.SentText("eventType"), URL: url}) == at
		if isOwn {
			clear(own)
		}
		for _, h := range jsonvalue.Items(t.Request, "headers") {
			name := textproto.CanonicalMIMEHeaderKey(jsonvalue.Text(h, "key"))
			others[name] = true
			if isOwn {
				own[name] = jsonvalue.Text(h, "value")
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		value, is := own[name]
		if got := d.Header.Values(name); !is && len(got) > 0 {
			return failBy(d.Index, fmt.Sprintf("no header %s at %s, which is registered without it", name, at.URL), fmt.Sprintf("%q", got))
		}
		if is {
			if r := headerIs(d, name, value); r.Verdict != verdict.Pass {
				r.Finding.Expected += " at " + at.URL
				return r
			}
		}
	}
	return pass()
}

func hasHeader(s *Scenario, header, value string) Result { return headerIs(s.Event, header, value) }

func headerIs(d *record.Delivery, header, value string) Result {
	got := d.Header.Values(header)
	return passIf(slices.Equal(got, []string{value}), failBy(d.Index, fmt.Sprintf("the header %s once, with %q", header, value), quoted(got)).in("header "+header))
}
