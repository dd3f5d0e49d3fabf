package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/sink"
	"github.com/pixcert/pixcert/steps/verdict"
)

// event is a webhook of the target as it arrived, with the payload read.
type event struct {
	sink.Event
	payload any
	index   int // of the exchange in the scenario's evidence
}

// arrives waits for the event of the last payment at the account's first URL for it.
func (s *scenario) arrives(ctx context.Context) error {
	payment, err := s.payment()
	if err != nil {
		return err
	}
	for _, r := range payment.actor.receivers {
		if r.eventType == "cash_out" {
			return s.arrivesAt(ctx, payment, r)
		}
	}
	return errors.New("the account receives no cash_out webhooks in this scenario")
}

func (s *scenario) arrivesAtEach(ctx context.Context) error {
	payment, err := s.payment()
	if err != nil {
		return err
	}
	for _, r := range payment.actor.receivers {
		if r.eventType != "cash_out" {
			continue
		}
		if err := s.arrivesAt(ctx, payment, r); err != nil {
			return err
		}
	}
	return nil
}

func (s *scenario) arrivesAt(ctx context.Context, payment *attempt, r *receiver) error {
	deadline := s.run.profile.Deadlines.Webhook
	waiting, cancel := context.WithTimeoutCause(ctx, deadline, fmt.Errorf("waited for %v", deadline))
	defer cancel()
	came, err := r.mailbox.Wait(waiting, func(e sink.Event) bool { return about(payment)(e) && isCashOut(e) })
	if err != nil {
		// Judge what did come of the payment, under whatever name.
		i := slices.IndexFunc(r.mailbox.Events(), about(payment))
		if i < 0 {
			return s.fail(payment, fmt.Sprintf("a CashOut event at %s within %v", r.mailbox.URL(), deadline), err.Error(),
				"an event goes to every active URL of its type; can the target reach the sink, and does it trust its certificate?")
		}
		came = r.mailbox.Events()[i]
	}
	s.event = s.read(came)
	s.events = append(s.events, s.event)
	return nil
}

func (s *scenario) arrivesWith(ctx context.Context, table *godog.Table) error {
	if err := s.arrives(ctx); err != nil {
		return err
	}
	return s.eventHas(ctx, table)
}

// arrivesIfAccepted holds only for an accepted payment.
func (s *scenario) arrivesIfAccepted(ctx context.Context, table *godog.Table) error {
	payment, err := s.payment()
	if err != nil || !payment.accepted() {
		return err
	}
	return s.arrivesWith(ctx, table)
}

func (s *scenario) eventHas(ctx context.Context, table *godog.Table) error {
	payment, err := s.payment()
	if err != nil {
		return err
	}
	if s.event.payload == nil {
		return s.failEvent("a JSON body", string(s.event.Body))
	}
	err = s.has(ctx, payment, s.event.payload, table)
	var f *failure
	if errors.As(err, &f) {
		f.Exchange = s.event.index
	}
	return err
}

func (s *scenario) failEvent(expected, came string) error {
	return &failure{verdict.Finding{Expected: expected, Came: came, Exchange: s.event.index}}
}

// about matches the events that name the payment, by either of its ids, wherever they
// stand: what the fields hold is judged afterwards.
func about(payment *attempt) func(sink.Event) bool {
	var ids [][]byte
	if id, ok := lookup(payment.answer, "transactionId"); ok {
		ids = append(ids, fmt.Appendf(nil, "%v", id))
	}
	if id, ok := fieldOf(payment.body, "externalId"); ok {
		ids = append(ids, bytes.Trim(id, `"`))
	}
	return func(e sink.Event) bool {
		return slices.ContainsFunc(ids, func(id []byte) bool { return len(id) > 0 && bytes.Contains(e.Body, id) })
	}
}

// isCashOut tells a CashOut event from others that may come of the same payment.
func isCashOut(e sink.Event) bool {
	payload, err := decode(e.Body)
	name, _ := lookup(unwrapped(payload), "event")
	return err == nil && name == "CashOut"
}

// unwrapped takes a payload out of a {type, data} envelope, in which the specification
// describes other events and some gateways send this one.
func unwrapped(payload any) any {
	outer, _ := payload.(map[string]any)
	data, isObject := outer["data"].(map[string]any)
	if _, flat := outer["event"]; flat || !isObject {
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
	e.index = s.record(webhookExchange(came))
	payload, err := decode(came.Body)
	if err != nil {
		return e
	}
	e.payload = unwrapped(payload)
	if _, flat := lookup(payload, "event"); !flat && e.payload != nil {
		if _, named := lookup(e.payload, "event"); named {
			s.warn(verdict.Finding{Expected: "a flat CashOut event", Came: "one within {type, data}", Exchange: e.index})
		}
	}
	return e
}

// webhookExchange is an event as evidence.
func webhookExchange(came sink.Event) exchange.Exchange {
	return exchange.Exchange{
		Party: exchange.Webhook, Operation: "CashOut event", Method: came.Method, URL: came.Path,
		Header: came.Header, Body: came.Body, Truncated: came.Truncated, Status: 200, Sent: came.At,
	}
}

// checkEvents holds every event of the scenario's payments against the wire contract,
// also those that no sentence waited for.
func (s *scenario) checkEvents() {
	for _, m := range s.opened {
		for _, came := range m.Events() {
			if slices.ContainsFunc(s.attempts, func(t *attempt) bool { return t.op.moves && about(t)(came) }) {
				s.run.contract.checkEvent(s, came)
			}
		}
	}
}

// --- sentences on an event that has arrived ---

func (s *scenario) eventIsJSON() error {
	if _, ok := s.event.payload.(map[string]any); !ok {
		return s.failEvent("a JSON object", string(s.event.Body))
	}
	return nil
}

func (s *scenario) arrivesWithHeader(ctx context.Context, last, name, value string) error {
	payment, err := s.payment()
	if err != nil {
		return err
	}
	receivers := payment.actor.receivers
	if len(receivers) == 0 {
		return errors.New("the account receives no webhooks in this scenario")
	}
	at := receivers[0]
	if last != "" {
		at = receivers[len(receivers)-1]
	}
	if err := s.arrivesAt(ctx, payment, at); err != nil {
		return err
	}
	if got := s.event.Header.Values(name); len(got) != 1 || got[0] != value {
		return s.failEvent(fmt.Sprintf("the header %s once, with %q", name, value), fmt.Sprintf("%q", got))
	}
	return nil
}

// nothingArrives: a short quiet, after an event of the same cause has arrived.
func (s *scenario) nothingArrives(ctx context.Context, eventType, who string) error {
	payment, err := s.payment()
	if err != nil {
		return err
	}
	a := s.account
	if who != "" {
		a = s.other
	}
	for _, r := range a.receivers {
		if eventType != "" && r.eventType != eventType {
			continue
		}
		quiet, cancel := s.quiet(ctx)
		came, err := r.mailbox.Wait(quiet, about(payment))
		cancel()
		if err == nil {
			s.event = s.read(came)
			return s.failEvent("nothing at "+r.mailbox.URL(), "an event")
		}
	}
	return nil
}

// noOtherOutcome: after a final state nothing else is reported of a payment. It is not
// said outright that the states are final, hence a warning.
func (s *scenario) noOtherOutcome(ctx context.Context) error {
	payment, err := s.payment()
	if err != nil {
		return err
	}
	status, _ := lookup(s.event.payload, "status")
	other := func(e sink.Event) bool {
		payload, err := decode(e.Body)
		if err != nil || !about(payment)(e) {
			return false
		}
		now, ok := lookup(unwrapped(payload), "status")
		return ok && !equal(now, status)
	}
	quiet, cancel := s.quiet(ctx)
	defer cancel()
	if came, err := s.account.receivers[0].mailbox.Wait(quiet, other); err == nil {
		e := s.read(came)
		s.warn(verdict.Finding{Expected: "no outcome after the first", Came: "another event of the payment", Exchange: e.index})
	}
	return nil
}

// noEventCarries looks for a text in the headers of everything that has arrived.
func (s *scenario) noEventCarries(marker string) error {
	for _, m := range s.opened {
		for _, came := range m.Events() {
			for name, values := range came.Header {
				if strings.Contains(strings.Join(values, ","), marker) {
					s.event = s.read(came)
					return s.failEvent("no header with "+marker, name+": "+strings.Join(values, ","))
				}
			}
		}
	}
	return nil
}

// receiverAnswers sets what the account's URLs answer from now on.
func (s *scenario) receiverAnswers(first, status string) error {
	code, err := strconv.Atoi(status)
	receivers := s.account.receivers
	if first != "" {
		receivers = receivers[:1]
	}
	for _, r := range receivers {
		r.mailbox.Answer(code)
	}
	return err
}

// eventsDiffer: the last two events that arrived differ in a field that identifies.
func (s *scenario) eventsDiffer(field string) error {
	if len(s.events) < 2 {
		return errors.New("fewer than two events have arrived")
	}
	a, _ := lookup(s.events[len(s.events)-2].payload, field)
	b, present := lookup(s.events[len(s.events)-1].payload, field)
	if !present || equal(a, b) {
		return s.failEvent("another "+field+" than that of the event before", found{b, present}.String())
	}
	return nil
}

func (s *scenario) queryArrived() error {
	if s.event.Query != urlQuery {
		return s.failEvent("the query "+urlQuery+", as the URL was registered with", fmt.Sprintf("%q", s.event.Query))
	}
	return nil
}

func (s *scenario) eventShouldBePost() error {
	if s.event.Method != http.MethodPost {
		s.warn(verdict.Finding{Expected: "POST, preferably", Came: s.event.Method, Exchange: s.event.index})
	}
	return nil
}

func (s *scenario) eventNoted(field, point string) error {
	if field == "method" {
		return s.note(point, s.event.Method)
	}
	return s.note(point, strings.Join(slices.Sorted(maps.Keys(s.event.Header)), ", "))
}

// againNoted records whether the event comes again after its receiver has failed. What
// came twice before time has passed is a duplicate and no retry.
func (s *scenario) againNoted(ctx context.Context, point string) error {
	payment, err := s.payment()
	if err != nil {
		return err
	}
	again := func(e sink.Event) bool { return about(payment)(e) && e.At.After(s.passed) }
	quiet, cancel := s.quiet(ctx)
	defer cancel()
	if _, err := s.account.receivers[0].mailbox.Wait(quiet, again); err != nil {
		return s.note(point, "no")
	}
	return s.note(point, "yes")
}
