package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/sink"
	"github.com/pixcert/pixcert/steps/verdict"
)

// arrivesAgain: after the last request the event has come once more: "the CashOut event
// should arrive again with header X-Secret "abc"".
func (s *scenario) arrivesAgain(ctx context.Context, name, must, header, value string) error {
	sent, err := s.it()
	if err != nil {
		return err
	}
	_, tells, err := s.cause(name)
	if err != nil {
		return err
	}
	at := s.receiversOf(name)
	waiting, cancel := context.WithTimeout(ctx, s.run.profile.Deadlines.Webhook)
	defer cancel()
	came, r, err := anywhere(waiting, at, func(e sink.Event) bool {
		return e.At.After(sent.exchange.Sent) && tells(e) && isNamed(e, name)
	})
	if err != nil {
		return s.fail(sent, fmt.Sprintf("a %s event at %s once more", name, urlsOf(at)), "none", "")
	}
	s.event = s.read(came)
	s.event.subscription, s.event.awaited = r.eventType, name
	if header == "" {
		return nil
	}
	err = s.eventHasHeader(header, value)
	var f *failure
	if must == "should arrive" && errors.As(err, &f) {
		s.warn(f.Finding)
		return nil
	}
	return err
}

// arrivesThere: "the CashOut event arrives at that URL".
func (s *scenario) arrivesThere(ctx context.Context, name string) error {
	return s.arrivesAt(ctx, name, []*receiver{{mailbox: s.temporary}})
}

// nothingArrives: a short quiet, after an event of the same cause has arrived.
func (s *scenario) nothingArrives(ctx context.Context, eventType, who string) error {
	t, err := s.last(payment, charge, refund)
	if err != nil {
		return err
	}
	a := s.account
	if who != "" {
		a = s.other
	}
	at := slices.DeleteFunc(slices.Clone(a.receivers), func(r *receiver) bool { return eventType != "" && r.eventType != eventType })
	if len(at) == 0 {
		return errors.New("no URL is registered at which an event could arrive")
	}
	quiet, cancel := s.quiet(ctx)
	defer cancel()
	if came, r, err := anywhere(quiet, at, about(t)); err == nil {
		s.event = s.read(came)
		return s.failEvent("nothing at "+r.mailbox.URL(), "an event")
	}
	return nil
}

// noneReports: no event tells of the last thing made that it has come to a status.
func (s *scenario) noneReports(ctx context.Context, status string) error {
	t, err := s.last(payment, charge, refund)
	if err != nil {
		return err
	}
	quiet, cancel := s.quiet(ctx)
	defer cancel()
	came, _, err := anywhere(quiet, s.account.receivers, func(e sink.Event) bool {
		payload, err := decode(e.Body)
		is, _ := lookup(payload, "data.status")
		return err == nil && is == status && about(t)(e)
	})
	if err == nil {
		s.event = s.read(came)
		return s.failEvent("no event that says "+status, "one")
	}
	return nil
}

// noOtherOutcome: after a final state nothing else is reported of a payment. It is not
// said outright that the states are final, hence a warning.
func (s *scenario) noOtherOutcome(ctx context.Context) error {
	t, err := s.last(payment, refund)
	if err != nil {
		return err
	}
	status := statusOf(s.event.payload)
	other := func(e sink.Event) bool {
		payload, err := decode(e.Body)
		if err != nil || !about(t)(e) {
			return false
		}
		now := statusOf(unwrapped(payload))
		return now != nil && !equal(now, status)
	}
	quiet, cancel := s.quiet(ctx)
	defer cancel()
	if came, _, err := anywhere(quiet, s.account.receivers, other); err == nil {
		e := s.read(came)
		s.warn(verdict.Finding{Expected: "no outcome after the first", Came: "another event of the payment", Exchange: e.index})
	}
	return nil
}

// statusOf is what an event says has become of its cause.
func statusOf(payload any) any {
	for _, path := range []string{"status", "data.status"} {
		if status, ok := lookup(payload, path); ok {
			return status
		}
	}
	return nil
}
