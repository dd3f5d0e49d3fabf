package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Sentences on an event that has arrived.

func (s *scenario) arrivesWithHeader(ctx context.Context, name, last, header, value string) error {
	receivers := s.receiversOf(name)
	if len(receivers) == 0 {
		return errors.New("the account receives no webhooks for it in this scenario")
	}
	at := receivers[:1]
	if last != "" {
		at = receivers[len(receivers)-1:]
	}
	if err := s.arrivesAt(ctx, name, at); err != nil {
		return err
	}
	return s.eventHasHeader(header, value)
}

func (s *scenario) eventHasHeader(header, value string) error {
	if got := s.event.Header.Values(header); len(got) != 1 || got[0] != value {
		return s.failEvent(fmt.Sprintf("the header %s once, with %q", header, value), fmt.Sprintf("%q", got))
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
