package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
)

// eventsHaveCauses: no event reports something as done, or as failed, that is not. That an event arrives twice says
// nothing: how often one is delivered is open ("how often an event is delivered").
func eventsHaveCauses(s *Scenario) Result {
	for of, account := range s.Accounts {
		for _, d := range s.EventsAt(account.Receivers) {
			if what := uncaused(&s.facts, d, language.Account(of)); what != "" {
				return failBy(d.Index, "no event of "+what, strings.TrimSpace(cmp.Or(d.Name, "one")+" "+d.Text("status")))
			}
		}
	}
	return pass()
}

// uncaused names what an event reports without a cause; empty if it may have one. If it names several
// things, one of them has to be the cause.
func uncaused(s *facts, d *record.Delivery, at language.Account) string {
	_, described := api.Payloads[d.Name]
	var types []string // that its URL is registered for
	for _, r := range s.Accounts[at].Receivers {
		if r.URL == d.At && !slices.Contains(types, r.EventType) {
			types = append(types, r.EventType)
		}
	}
	makes := api.CauseOf(d.Name)
	switch {
	case described && len(types) > 1:
	case len(types) > 1: // only what the event says tells of which type it is
		return ""
	case len(types) == 1 && strings.HasPrefix(types[0], "med_") && d.Name != api.PayloadRefund:
		return uncausedOfCase(s, d, types[0])
	case len(types) == 1 && !described:
		makes = api.CauseOf(types[0])
	}
	what := ""
	for _, t := range s.Attempts {
		switch {
		case !t.Is(makes) || !t.Accepted() || !about(t)(d):
		case t.Account == at && s.gateway().mayReport(t, d):
			return ""
		case t.Account == at:
			what = cmp.Or(what, fmt.Sprintf("%s, which is %s", nameOfThing(t), cmp.Or(string(s.gateway().stateBefore(t, d.Index)), "not settled")))
		case s.Accounts[t.Account].Opened && t.Account != at && !sharesURL(s, t.Account, d):
			what = cmp.Or(what, nameOfThing(t)+" at a URL of "+at.String())
		default:
			return ""
		}
	}
	return what
}

// sharesURL: an account has registered the URL of an event, too.
func sharesURL(s *facts, of language.Account, d *record.Delivery) bool {
	return slices.ContainsFunc(s.Accounts[of].Receivers, func(r record.Receiver) bool { return r.URL == d.At })
}

// uncausedOfCase: an analysis is reported that the bank has not made.
func uncausedOfCase(s *facts, d *record.Delivery, subscription string) string {
	in, named := spec.Case.ReportedAs(api.State(subscription)), false
	for _, c := range s.Cases {
		_, had := s.gateway().caseBefore(c, len(s.Exchanges))
		if named = named || d.Names(c.EndToEndID); d.Names(c.EndToEndID) && had.Overlaps(in) {
			return ""
		}
	}
	if !named {
		return ""
	}
	return fmt.Sprintf("type %s, because no case was %s", subscription, in)
}
