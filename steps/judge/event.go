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
)

// arrives judges whether an event has arrived, and its content.
func arrives(s *Scenario, i int, m language.Arrives) Result {
	if m.IfAccepted || m.Again {
		switch t := s.It(); {
		case t == nil:
			return nothingSent()
		case m.IfAccepted && !t.Accepted():
			return pass()
		case m.Again:
			return arrivesAgain(s, i, m, t)
		}
	}
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
		}
	}
	switch {
	case r.Verdict != verdict.Pass || len(places) == 0:
		return r
	case m.Header != "":
		return r.and(hasHeader(s, m.Header, m.Value))
	}
	return r.and(eventRows(s, i, causes[len(causes)-1], m.Rows))
}

// cause is what an event reports, and how to tell the events that report it.
type cause struct {
	made    *record.Attempt // nil for a MED case
	reports func(*record.Delivery) bool
}

// causesOf are what the events of a sentence report: one thing, or each accepted payment.
func causesOf(s *Scenario, m language.Arrives) ([]cause, Result) {
	if !m.EachPayment {
		c, r := causeOf(s, m.Event, m.Of)
		return []cause{c}, r
	}
	var all []cause
	for _, t := range s.Attempts {
		if t.Is(api.CauseOf(m.Event)) && t.Accepted() && t.Account == language.TheAccount && t.Index >= s.Accounts[t.Account].Since {
			all = append(all, cause{t, about(t)})
		}
	}
	if len(all) == 0 {
		return nil, nothingSent()
	}
	return all, pass()
}

// placesOf returns groups of URLs; the event must arrive at one URL of each group. There may be
// none, because registrations may have been rejected.
func placesOf(s *Scenario, m language.Arrives) ([][]record.Receiver, Result) {
	at := receiversOf(s, m.Event)
	if m.At == language.ThatURL {
		at = []record.Receiver{{URL: s.Temporary}}
	}
	switch {
	case m.At == language.EachURL:
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

// arrivesAt finds the first event with the right name that reports the cause. If a cash-out has
// none, it judges the event that did arrive, whatever its name.
func arrivesAt(s *Scenario, i int, m language.Arrives, c cause, at []record.Receiver) Result {
	name, r := m.Event, pass()
	patience := s.Terms.Deadlines.Webhook
	again := Look{At: Deliveries, Place: urlsOf(at), Patience: patience}
	came := s.EventsAt(at)
	reporting := slices.DeleteFunc(slices.Clone(came), func(d *record.Delivery) bool { return !c.reports(d) })
	n := slices.IndexFunc(reporting, func(d *record.Delivery) bool { return d.IsCalled(name) })
	if n < 0 && name == "CashOut" && len(reporting) > 0 {
		n, r.Look = 0, &again
	}
	if n >= 0 {
		d := reporting[n]
		s.waited = append(slices.DeleteFunc(s.waited, func(w waited) bool { return w.step == i && w.place == again.Place }), waited{d, i, again.Place})
		if id, ok := d.EndToEndID(); ok && c.made != nil && c.made.Is(api.Payment) && name != "refund_out" {
			c.made.EndToEndID = id
		}
		s.noteRead(d.Index, i)
		if r = r.and(take(s, d, name, c, at)); r.Verdict == verdict.Pass && m.ItsHeaders {
			r = r.and(hasItsHeaders(s, at[0]))
		}
		return r
	}
	if _, described := api.Payloads[name]; !described && s.Terms.SharedURLs && foreignEventArrived(s, came) {
		return couldNotTest("events arrived that cannot be attributed to this scenario, because earlier scenarios use the same URLs: add the test control accounts").pending(again)
	}
	f := verdict.Finding{
		Expected: fmt.Sprintf("%s %s event%s%s at %s within %v", article(name), name, ofEnd(name), ofWhich(s, m, c), urlsOf(at), patience),
		Got:      namesOf(came), Hint: absenceHint(s), Exchange: -1,
	}
	if c.made != nil {
		f.Exchange = c.made.Index
	}
	return fail(f).pending(again)
}

// take makes an event the last one that a step waited for.
func take(s *Scenario, d *record.Delivery, name string, c cause, at []record.Receiver) Result {
	s.Event, s.awaited, s.cause = d, name, c
	s.subscription = at[slices.IndexFunc(at, func(r record.Receiver) bool { return r.URL == d.At })].EventType
	if d.Wrapped {
		return warn(verdict.Finding{Expected: "a flat CashOut event", Got: "one wrapped in {type, data}", Exchange: d.Index})
	}
	return pass()
}

// causeOf returns what an event reports: the last request of its kind, or the one that a sentence
// names; none for a MED case. At a URL that other scenarios use too, an event must name its cause.
func causeOf(s *Scenario, name string, of language.Nth) (cause, Result) {
	c := cause{nil, func(d *record.Delivery) bool { return d.Names(s.Case.EndToEndID) }}
	if makes := api.CauseOf(name); makes != api.Nothing {
		made, err := s.Nth(of, makes)
		if err != nil {
			return c, nothingSent()
		}
		c = cause{made, about(made)}
	}
	// The specification does not say which type reports a refund, nor the payloads of the other types.
	_, described := api.Payloads[name]
	if open := name == "REFUND" || !described && name != "cash_out"; open && !s.Terms.SharedURLs && of == language.Last {
		// What names another order of the scenario is about that one.
		names := c.reports
		c.reports = func(d *record.Delivery) bool { return isObject(d) && (names(d) || !isOfScenario(s, d)) }
	}
	return c, pass()
}

// ofWhich names the payment of an event, where a sentence speaks of one among several.
func ofWhich(s *Scenario, m language.Arrives, c cause) string {
	switch {
	case m.Of != language.Last:
		return fmt.Sprintf(" of the %v one", m.Of)
	case m.EachPayment:
		before := 0
		for _, t := range s.Attempts {
			if t.Index <= c.made.Index && t.Is(api.Payment) && t.Accepted() {
				before++
			}
		}
		return fmt.Sprintf(" of payment %d", before)
	}
	return ""
}

// isObject: what arrived may be an event at all.
func isObject(d *record.Delivery) bool {
	_, is := d.Payload.(map[string]any)
	return is
}

// Strangers are how many deliveries name nothing that the run has sent; mark is a text in all that
// it sends. They are no events of the scenario's.
func (s *Scenario) Strangers(mark string) int {
	n := 0
	for _, d := range s.Events {
		if !isOfScenario(s, d) && !d.Names(s.Case.EndToEndID, mark) {
			n++
		}
	}
	return n
}

// about matches events that contain any id of the attempt, in any field; the fields are judged
// later.
func about(t *record.Attempt) func(*record.Delivery) bool {
	ids := t.IDs()
	return func(d *record.Delivery) bool { return d.Names(ids...) }
}

// foreignEventArrived reports whether an event of another scenario arrived.
func foreignEventArrived(s *Scenario, came []*record.Delivery) bool {
	return slices.ContainsFunc(came, func(d *record.Delivery) bool { return !isOfScenario(s, d) })
}

// isOfScenario reports whether an event names a payment, charge or refund of the scenario.
func isOfScenario(s *Scenario, d *record.Delivery) bool {
	return slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool { return !t.Is(api.Nothing) && about(t)(d) })
}

func absenceHint(s *Scenario) string {
	if s.Reached {
		return "other webhooks reached the sink; if the target settles or refunds more slowly than this, increase deadlines.webhook in the profile"
	}
	return "no webhook has reached the sink at all: check that the target can reach it and trusts its certificate"
}

func article(name string) string {
	if name != "" && strings.ContainsRune("AEIOaeio", rune(name[0])) {
		return "an"
	}
	return "a"
}

// ofEnd describes the status of an event that reports an end, if its payload has one.
func ofEnd(name string) string {
	if end := api.Payloads[name].End; end != "" {
		return " of status " + end
	}
	return ""
}

// namesOf lists the events that arrived.
func namesOf(came []*record.Delivery) string {
	var names []string
	for _, d := range came {
		name := cmp.Or(d.Name, "an unnamed event")
		if status := d.Status(); status != nil {
			name += fmt.Sprintf(" %v", status)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "none"
	}
	return "only " + strings.Join(names, ", ")
}

func urlsOf(at []record.Receiver) string {
	if len(at) == 1 {
		return at[0].URL
	}
	return fmt.Sprintf("any of the account's %d URLs", len(at))
}

// arrivesAgain: the event arrived again after the last request.
func arrivesAgain(s *Scenario, i int, m language.Arrives, sent *record.Attempt) Result {
	c, r := causeOf(s, m.Event, m.Of)
	if r.Verdict != verdict.Pass {
		return r
	}
	at := receiversOf(s, m.Event)
	came := s.EventsAt(at)
	since := sent.Sent
	if s.When.After(since) { // a control made it happen again
		since = s.When
	}
	isIt := func(d *record.Delivery) bool { return c.reports(d) && d.IsCalled(m.Event) }
	n := slices.IndexFunc(came, func(d *record.Delivery) bool { return d.Sent.After(since) && isIt(d) })
	if n < 0 {
		r := failAt(sent, fmt.Sprintf("another %s event%s at %s", m.Event, ofWhich(s, m, c), urlsOf(at)), "none", "")
		return r.pending(Look{At: Deliveries, Patience: s.Terms.Deadlines.Webhook})
	}
	if len(m.Rows) > 0 {
		return oneHas(s, i, m, c, at, slices.DeleteFunc(came[n:], func(d *record.Delivery) bool { return !isIt(d) }))
	}
	r = take(s, came[n], m.Event, c, at)
	if first := came[slices.IndexFunc(came, isIt)]; sent.Op.ID == "resendWebhook" {
		r = r.and(repeats(s, first, came[n]))
	}
	if m.Header == "" || r.Verdict != verdict.Pass {
		return r
	}
	return r.and(softened(hasHeader(s, m.Header, m.Value), m.Modality))
}

// oneHas: one of several events has what the rows state: the others may repeat an earlier one.
func oneHas(s *Scenario, i int, m language.Arrives, c cause, at []record.Receiver, came []*record.Delivery) (r Result) {
	for _, d := range slices.Backward(came) {
		if r = take(s, d, m.Event, c, at).and(eventRows(s, i, c, m.Rows)); r.Verdict == verdict.Pass {
			return r
		}
	}
	return r.pending(Look{At: Deliveries, Patience: s.Terms.Deadlines.Webhook})
}

// repeated are the fields that identify a transaction and its outcome, by the name of its event: a
// resend delivers the same event again.
var repeated = map[string][]string{
	"CashOut": {
		"status", "transactionId", "externalId", "endToEndId", "pixKey", "originalAmount", "feeAmount", "finalAmount",
		"movementType", "errorCode",
	},
	"TRANSFER": {"data.status", "data.pixKey", "data.payment", "data.endToEndId", "data.creditDebitType", "data.idempotencyKey"},
	"RECEIVE":  {"data.status", "data.txId", "data.payment", "data.endToEndId"},
}

// repeats: a resent event says the same of its transaction as the first one.
func repeats(s *Scenario, first, again *record.Delivery) Result {
	for _, field := range repeated[again.Name] {
		was, is := jsonvalue.Find(first.Payload, field), jsonvalue.Find(again.Payload, field)
		if was.Present && is.Present && !jsonvalue.Equal(was.Value, is.Value) {
			return failEvent(s, fmt.Sprintf("%s of the resent event to be %s, as in the first one", field, was), is.String()).in(field)
		}
	}
	return pass()
}

// hasItsHeaders: the last event has the headers that its URL was last registered with for its type,
// and none that other registrations have.
func hasItsHeaders(s *Scenario, at record.Receiver) Result {
	own, others := map[string]string{}, map[string]bool{}
	for _, t := range s.Attempts {
		if t.Op.ID != "registerWebhook" || !t.Accepted() || t.Sent.After(s.Event.Sent) {
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
		if got := s.Event.Header.Values(name); !is && len(got) > 0 {
			return failEvent(s, fmt.Sprintf("no header %s at %s, which is registered without it", name, at.URL), fmt.Sprintf("%q", got))
		}
		if is {
			if r := hasHeader(s, name, value); r.Verdict != verdict.Pass {
				r.Finding.Expected += " at " + at.URL
				return r
			}
		}
	}
	return pass()
}

func hasHeader(s *Scenario, header, value string) Result {
	if got := s.Event.Header.Values(header); len(got) != 1 || got[0] != value {
		return failEvent(s, fmt.Sprintf("the header %s once, with %q", header, value), fmt.Sprintf("%q", got))
	}
	return pass()
}

// failEvent is a failure shown by the last event.
func failEvent(s *Scenario, expected, got string) Result {
	return failBy(s.Event.Index, expected, got)
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

// noEvent is the result of a step about an event if no step waited for one.
func noEvent() Result { return unrecorded("an event that this step refers to") }

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

// silent: another kind of event does not arrive during the quiet time after the first event.
func silent(s *Scenario, i int, m language.Meaning) Result {
	t := s.LastOf(api.Payment, api.Charge, api.Refund)
	at := s.Accounts[language.TheAccount].Receivers
	var unwanted func(*record.Delivery) bool
	var found func(*record.Delivery) Result
	switch m := m.(type) {
	case language.NothingArrives:
		at = slices.DeleteFunc(slices.Clone(s.Accounts[m.Account].Receivers), func(r record.Receiver) bool {
			return m.EventType != "" && r.EventType != m.EventType || m.OtherTypes && r.EventType == s.subscription
		})
		unwanted = func(*record.Delivery) bool { return true }
		if m.ThatURL {
			at = []record.Receiver{{URL: s.Temporary}}
		}
		found = func(d *record.Delivery) Result { return failBy(d.Index, "nothing at "+d.At, "an event") }
	case language.NotReported:
		unwanted = func(d *record.Delivery) bool { return jsonvalue.Find(d.Payload, "data.status").Value == m.Status }
		found = func(d *record.Delivery) Result { return failBy(d.Index, "no event with status "+m.Status, "one") }
	case language.NoOtherOutcome:
		// The specification only implies that the states are final, hence a warning.
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
			return softened(failBy(d.Index, "no event after the final status", "another event of the payment"), language.Should)
		}
	}
	switch {
	case t == nil:
		return nothingSent()
	case len(at) == 0:
		return unrecorded("a webhook URL")
	}
	for _, d := range s.EventsAt(at) {
		if about(t)(d) && unwanted(d) {
			return found(d)
		}
	}
	return quiet(s, i)
}

// quiet passes once the quiet time is over.
func quiet(s *Scenario, i int) Result {
	if s.WasQuiet(i) {
		return pass()
	}
	return undecided(Look{At: Silence, Patience: s.Terms.Deadlines.Quiet})
}

// Latency is the time between an event and its cause: the latest request or control call that had
// ended before. It is unknown for events of other scenarios, and for repeated events, whose timing
// is up to the target.
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
