package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/sink"
	"github.com/pixcert/pixcert/steps/verdict"
)

// event is a webhook of the target as it arrived, with the payload read.
type event struct {
	sink.Event
	payload      any
	subscription string // the type of event that its URL is registered for
	awaited      string // the name by which a sentence waited for it
	index        int    // of the exchange in the scenario's evidence
}

// payloads are the events that the specification describes by a name of their own.
// Their types of subscription are left open but for CashOut's, so that the others are
// looked for at every URL of the account. Some gateways tell of a thing before its end,
// which is left open too: what is waited for is the event of its end.
var payloads = map[string]struct{ at, end string }{
	"CashOut":  {at: "cash_out"},
	"TRANSFER": {end: "LIQUIDATED"},
	"RECEIVE":  {end: "LIQUIDATED"},
	"REFUND":   {end: "REFUNDED"},
}

// cause is what an event tells of: the last thing that the scenario has made, or the
// case that was opened last. At a URL that others have used, whatever comes must name it.
func (s *scenario) cause(name string) (*attempt, func(sink.Event) bool, error) {
	anything := func(sink.Event) bool { return true }
	if s.usesOldURLs() {
		anything = s.names(name)
	}
	switch {
	case strings.HasPrefix(name, "med_"):
		return nil, anything, nil
	case name == "REFUND" || name == "refund_in":
		t, err := s.last(refund)
		return t, anything, err
	case name == "refund_out":
		t, err := s.last(payment)
		return t, anything, err
	case name == "cash_in":
		t, err := s.last(charge)
		return t, anything, err
	case name == "RECEIVE":
		t, err := s.last(charge)
		return t, about(t), err
	default:
		t, err := s.last(payment)
		return t, about(t), err
	}
}

// usesOldURLs: events of earlier scenarios may still come to the URLs of this one.
func (s *scenario) usesOldURLs() bool { return s.account.fixed != nil || s.leasedPaths != nil }

// names matches the events that name what has caused an event of that name.
func (s *scenario) names(event string) func(sink.Event) bool {
	if strings.HasPrefix(event, "med_") {
		return naming([]string{s.contested})
	}
	makes := map[string]made{"REFUND": refund, "refund_in": refund, "refund_out": payment, "cash_in": charge}
	t, err := s.last(makes[event])
	if err != nil {
		return func(sink.Event) bool { return false }
	}
	return about(t)
}

// arrives waits for an event at the account's URLs for it: of a payload's name
// ("TRANSFER") or, whatever the payload, of a type of subscription ("cash_in").
func (s *scenario) arrives(ctx context.Context, name string) error {
	return s.arrivesAt(ctx, name, s.receiversOf(name))
}

func (s *scenario) arrivesAtEach(ctx context.Context, name string) error {
	for _, r := range s.receiversOf(name) {
		if err := s.arrivesAt(ctx, name, []*receiver{r}); err != nil {
			return err
		}
	}
	return nil
}

// receiversOf are the URLs at which an event is to arrive.
func (s *scenario) receiversOf(name string) []*receiver {
	at := name
	if payload, named := payloads[name]; named {
		at = payload.at
	}
	var all []*receiver
	for _, r := range s.account.receivers {
		if at == "" || r.eventType == at {
			all = append(all, r)
		}
	}
	return all
}

func (s *scenario) arrivesAt(ctx context.Context, name string, at []*receiver) error {
	t, tells, err := s.cause(name)
	if err != nil {
		return err
	}
	if len(at) == 0 {
		return fmt.Errorf("the account receives no webhooks for %s in this scenario", name)
	}
	deadline := s.run.profile.Deadlines.Webhook
	waiting, cancel := context.WithTimeoutCause(ctx, deadline, fmt.Errorf("waited for %v", deadline))
	defer cancel()
	came, r, err := anywhere(waiting, at, func(e sink.Event) bool { return tells(e) && isNamed(e, name) })
	if err != nil {
		if came, r = arrived(at, tells); r == nil || name != "CashOut" {
			if _, described := payloads[name]; !described && s.usesOldURLs() && s.strangerCame(at) {
				return &unable{reason: "events came that name nothing of this scenario, at URLs to which those of earlier ones come too: with new accounts they could be told apart"}
			}
			return s.fail(t, fmt.Sprintf("a %s event%s at %s within %v", name, ofEnd(name), urlsOf(at), deadline), err.Error()+namesOf(at), s.absenceHint())
		}
		// Judge what did come of a cash-out, under whatever name.
	}
	s.event = s.read(came)
	s.event.subscription, s.event.awaited = r.eventType, name
	s.events = append(s.events, s.event)
	if id, ok := endToEndIDOf(s.event.payload); ok && t != nil && t.op.makes == payment {
		t.endToEndID = id
	}
	return nil
}

// absenceHint is the likeliest cause of an event that has not come.
func (s *scenario) absenceHint() string {
	if s.run.sink.IsReached() {
		return "an event goes to every active URL of its type, and others have reached the sink: where the target settles or refunds more slowly than that, give the profile a longer deadlines.webhook"
	}
	return "an event goes to every active URL of its type, and nothing has reached the sink at all: can the target reach it, and does it trust its certificate?"
}

// anywhere waits for the first event that matches at any of the receivers.
func anywhere(ctx context.Context, at []*receiver, match func(sink.Event) bool) (sink.Event, *receiver, error) {
	type arrival struct {
		event sink.Event
		at    *receiver
		err   error
	}
	if len(at) == 0 {
		return sink.Event{}, nil, errors.New("no URL is registered at which an event could arrive")
	}
	ctx, cancel := context.WithCancel(ctx)
	arrivals := make(chan arrival, len(at))
	var waiting sync.WaitGroup
	defer waiting.Wait()
	defer cancel()
	for _, r := range at {
		waiting.Go(func() {
			e, err := r.mailbox.Wait(ctx, match)
			arrivals <- arrival{e, r, err}
		})
	}
	var last arrival
	for range at {
		if last = <-arrivals; last.err == nil {
			break
		}
	}
	return last.event, last.at, last.err
}

// arrived finds what has arrived already.
func arrived(at []*receiver, match func(sink.Event) bool) (sink.Event, *receiver) {
	for _, r := range at {
		events := r.mailbox.Events()
		if i := slices.IndexFunc(events, match); i >= 0 {
			return events[i], r
		}
	}
	return sink.Event{}, nil
}

// ofEnd is the status that an event of the end has, where its payload has one.
func ofEnd(name string) string {
	if end := payloads[name].end; end != "" {
		return " of status " + end
	}
	return ""
}

// namesOf tells what came instead.
func namesOf(at []*receiver) string {
	var names []string
	for _, r := range at {
		for _, e := range r.mailbox.Events() {
			payload, _ := decode(e.Body) // what is no JSON has no status
			names = append(names, strings.TrimSpace(fmt.Sprintf("%s %v", nameOf(e), statusOf(payload))))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; came " + strings.Join(names, ", ")
}

func urlsOf(at []*receiver) string {
	if len(at) == 1 {
		return at[0].mailbox.URL()
	}
	return fmt.Sprintf("any of the account's %d URLs", len(at))
}

func endToEndIDOf(payload any) (string, bool) {
	for _, path := range []string{"endToEndId", "data.endToEndId"} {
		if id, ok := lookup(payload, path); ok && id != nil {
			return fmt.Sprint(id), true
		}
	}
	return "", false
}

func (s *scenario) arrivesWith(ctx context.Context, name string, table *godog.Table) error {
	if err := s.arrives(ctx, name); err != nil {
		return err
	}
	return s.eventHas(ctx, name, table)
}

// arrivesIfAccepted asks nothing after a refusal.
func (s *scenario) arrivesIfAccepted(ctx context.Context, name string) error {
	t, err := s.it()
	if err != nil || !t.accepted() {
		return err
	}
	return s.arrives(ctx, name)
}

func (s *scenario) arrivesWithIfAccepted(ctx context.Context, name string, table *godog.Table) error {
	t, err := s.it()
	if err != nil || !t.accepted() {
		return err
	}
	return s.arrivesWith(ctx, name, table)
}

// eventHas holds the last event against a table of phrases.
func (s *scenario) eventHas(ctx context.Context, name string, table *godog.Table) error {
	t, _, err := s.cause(name)
	if err == nil && t == nil { // an event of a case
		t, err = s.it()
	}
	if err != nil {
		return err
	}
	if s.event.payload == nil {
		return s.failEvent("a JSON body", string(s.event.Body))
	}
	err = s.has(ctx, t, s.event.payload, table)
	var f *failure
	if errors.As(err, &f) {
		f.Exchange = s.event.index
	}
	return err
}

// eventHolds: what the last event tells; what it should tell, and need not, is a warning.
func (s *scenario) eventHolds(ctx context.Context, must string, table *godog.Table) error {
	for _, row := range table.Rows {
		one := &godog.Table{Rows: []*messages.PickleTableRow{row}}
		err := s.eventHas(ctx, s.event.awaited, one)
		var f *failure
		if must == "should hold" && errors.As(err, &f) {
			f.Expected += ", preferably"
			s.warn(f.Finding)
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (s *scenario) failEvent(expected, came string) error {
	return &failure{Finding: verdict.Finding{Expected: expected, Came: came, Exchange: s.event.index}}
}

// about matches the events that name what an attempt made, by any of its ids, wherever
// they stand: what the fields hold is judged afterwards.
func about(t *attempt) func(sink.Event) bool {
	if t == nil {
		return nil
	}
	return naming(t.ids())
}

// naming matches the events that hold one of the texts.
func naming(ids []string) func(sink.Event) bool {
	return func(e sink.Event) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return id != "" && bytes.Contains(e.Body, []byte(id)) })
	}
}

// strangerCame: something has arrived that names nothing of what the scenario has made.
func (s *scenario) strangerCame(at []*receiver) bool {
	_, r := arrived(at, func(e sink.Event) bool {
		return !slices.ContainsFunc(s.attempts, func(t *attempt) bool { return t.op.makes != nothing && about(t)(e) })
	})
	return r != nil
}

// isNamed tells an event of a payload's name, and of the end of its cause, from others
// that may come of the same cause. A type of subscription is no name of a payload: any
// will do.
func isNamed(e sink.Event, name string) bool {
	payload, named := payloads[name]
	if !named {
		return true
	}
	decoded, err := decode(e.Body)
	return err == nil && nameOf(e) == name && (payload.end == "" || statusOf(decoded) == payload.end)
}

// nameOf is the name by which an event calls itself: its event or, in an envelope, its
// type.
func nameOf(e sink.Event) string {
	payload, err := decode(e.Body)
	if err != nil {
		return ""
	}
	for _, field := range []string{"event", "type"} {
		if name, ok := lookup(unwrapped(payload), field); ok {
			return fmt.Sprint(name)
		}
	}
	return ""
}

// unwrapped takes a CashOut out of a {type, data} envelope, in which the specification
// describes other events and some gateways send this one.
func unwrapped(payload any) any {
	outer, _ := payload.(map[string]any)
	data, isObject := outer["data"].(map[string]any)
	if _, flat := outer["event"]; flat || !isObject || outer["type"] != "CashOut" && data["event"] != "CashOut" {
		return payload
	}
	inner := maps.Clone(data)
	if _, named := inner["event"]; !named {
		inner["event"] = outer["type"]
	}
	return inner
}

// read keeps an event as evidence.
func (s *scenario) read(came sink.Event) *event {
	e := &event{Event: came}
	e.index = s.record(s.webhookExchange(came))
	payload, err := decode(came.Body)
	if err != nil {
		return e
	}
	e.payload = unwrapped(payload)
	if _, flat := lookup(payload, "event"); !flat {
		if _, taken := lookup(e.payload, "event"); taken {
			s.warn(verdict.Finding{Expected: "a flat CashOut event", Came: "one within {type, data}", Exchange: e.index})
		}
	}
	return e
}

// webhookExchange is an event as evidence.
func (s *scenario) webhookExchange(came sink.Event) exchange.Exchange {
	return exchange.Exchange{
		Party: exchange.Webhook, Operation: strings.TrimSpace(nameOf(came) + " event"), Method: came.Method, URL: s.run.sink.URL(came),
		Header: came.Header, Body: came.Body, Truncated: came.Truncated, Status: 200, Sent: came.At,
	}
}

// checkEvents holds every event of the scenario's payments against the wire contract,
// also those that no sentence waited for.
func (s *scenario) checkEvents() {
	for _, m := range s.opened {
		for _, came := range m.Events() {
			if slices.ContainsFunc(s.attempts, func(t *attempt) bool { return t.op.makes != nothing && about(t)(came) }) {
				s.run.contract.checkEvent(s, came)
			}
		}
	}
}
