package judge

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
)

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
			at = lastTemporary(&s.facts)
		}
		found = func(d *record.Delivery) Result { return failBy(d.Index, "nothing at "+d.At, "an event") }
	case language.NotReported:
		unwanted = func(d *record.Delivery) bool {
			return jsonvalue.Find(d.Payload, "data.status").Value == string(m.Status)
		}
		found = func(d *record.Delivery) Result {
			return failBy(d.Index, "no event with status "+string(m.Status), "one")
		}
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
		if s.isAboutAny(t, d) && unwanted(d) {
			return found(d)
		}
	}
	return quiet(s, i)
}

// isAboutAny: an event names what a request made, or any of its variants.
func (s *Scenario) isAboutAny(t *record.Attempt, d *record.Delivery) bool {
	if t.Variant == "" {
		return about(t)(d)
	}
	return slices.ContainsFunc(s.Several(), func(v *record.Attempt) bool { return about(v)(d) })
}

// quiet passes once the quiet time is over.
func quiet(s *Scenario, i int) Result { return quietFor(s, i, s.Terms.Deadlines.Quiet) }

func quietFor(s *Scenario, i int, patience time.Duration) Result {
	return passIf(s.WasQuiet(i), undecided(Look{At: Silence, Patience: patience}))
}
