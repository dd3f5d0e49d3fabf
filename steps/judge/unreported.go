package judge

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
)

// Unreported are the events that must have come after the last step, whether or not a sentence waits for them.
func (s *Scenario) Unreported() []Met {
	return append(unreportedCases(&s.facts), unreportedRefunds(&s.facts)...)
}

// knowsAllEvents reports whether every event has to have come. What a gateway still sends to a URL that has answered an
// event other than with 2xx is open ("retry after a failed delivery").
func knowsAllEvents(s *facts) bool {
	return !s.Terms.SharedURLs && len(s.callsOf(target.Clock, "")) == 0 && len(s.callsOf(target.Accounts, http.MethodDelete)) == 0
}

// unreportedRefunds are the refunds that the bank has confirmed, and whose REFUND events do not say so. Whether one comes
// early is open ("event of a refund in processing"), so that only the one that must follow it tells (Events, REFUND).
func unreportedRefunds(s *facts) (all []Met) {
	const end = api.EventRefunded
	if !knowsAllEvents(s) {
		return nil
	}
	for _, t := range s.Requests() {
		id, _ := RefundID(t)
		if !t.Is(api.Refund) || id == "" || !isConfirmedRefund(s, id) {
			continue
		}
		var last *record.Delivery
		for _, d := range s.Events {
			if d.Name == api.PayloadRefund && d.Names(id) && (last == nil || last.State() != end) {
				last = d
			}
		}
		if last != nil && last.State() != end && !record.CameAfter(s.View, last, EventsAfterLastStep) && !refusesEvents(s, last.At) {
			all = append(all, Met{Breach{"refund.done", fmt.Sprintf("a REFUND event with status %s once the refund is %s", end, api.Refunded), strconv.Quote(last.Text("status")), "data.status"}, last.Exchange})
		}
	}
	return all
}

// isConfirmedRefund: the bank's first result for a refund, which is final, is DEVOLVIDO.
func isConfirmedRefund(s *facts, id string) bool {
	for _, c := range s.callsOf(target.Refunds, http.MethodPost) {
		if strings.Contains(c.URL, "/"+id+"/") && !c.Refused() {
			return c.Succeeded() && c.State() == api.Refunded
		}
	}
	return false
}

// unreportedCases are the controls that have opened or decided a MED case of a received payment, without an event at each
// URL that the account had registered for it (Webhooks, rule 3). What such an event says is open ("payload of a
// med_created event"), so that any of them counts.
func unreportedCases(s *facts) (all []Met) {
	if !knowsAllEvents(s) {
		return nil
	}
	for _, c := range s.Cases {
		contests := func(t *record.Attempt) bool { return t.Account == c.Account && t.EndToEndID == c.EndToEndID }
		if c.EndToEndID == "" || !slices.ContainsFunc(s.Attempts, contests) {
			continue
		}
		for _, call := range s.callsOf(target.MED, "") {
			eventType := reportedAs(c, call)
			for _, url := range registeredBefore(s, call, c, eventType) {
				came := func(d *record.Delivery) bool { return d.At == url && !d.Sent.Before(call.Sent) }
				if !slices.ContainsFunc(s.Events, came) && !refusesEvents(s, url) {
					all = append(all, Met{Breach{"med.events", article(eventType) + " " + eventType + " event at each URL that is registered for it", "none", ""}, call.Exchange})
				}
			}
		}
	}
	return all
}

// reportedAs is the type of event that reports what a control has done to a case; empty if there is none.
func reportedAs(c record.Case, call record.Call) string {
	answer, _ := jsonvalue.Decode(call.ResponseBody)
	switch {
	case !call.Succeeded():
	case call.Method == http.MethodPost && jsonvalue.Text(answer, "id") == c.ID:
		return api.TypeMEDCreated
	case call.Method == http.MethodPatch && strings.HasSuffix(call.URL, "/"+c.ID):
		return api.AnalysisEvents[api.Analysis(call.Text("analysisResult"))]
	}
	return ""
}

// registeredBefore are the URLs of the sink's that the account of a case had registered for a type of event.
func registeredBefore(s *facts, call record.Call, c record.Case, eventType string) (urls []string) {
	for _, r := range registrationsBefore(s, c.Account, call.Index) {
		url, _, _ := strings.Cut(r.URL, "?")
		if r.EventType == eventType && slices.Contains(s.Accounts[c.Account].Receivers, record.Receiver{EventType: eventType, URL: url}) {
			urls = append(urls, url)
		}
	}
	return urls
}

// registrationsBefore are those that a gateway has accepted of an account before an exchange.
func registrationsBefore(s *facts, of language.Account, index int) (all spec.Registrations) {
	for _, t := range s.Requests() {
		if t.Op.ID == "registerWebhook" && t.Accepted() && t.Account == of && s.Accounts[of].Since <= t.Index && t.Index < index {
			all, _ = all.After(t.SentText("eventType"), t.SentText("url"), spec.Accepted)
		}
	}
	return all
}

// EventsAfterLastStep is the name of the fact that events were waited for after the last step.
const EventsAfterLastStep = "events after the last step"

// Undelivered are the resends that say that a URL of the sink's has accepted the event, although nothing
// has arrived there since.
func (s *facts) Undelivered() []*record.Attempt {
	return slices.DeleteFunc(s.Requests(), func(t *record.Attempt) bool { return len(isDelivered(s, t)) == 0 })
}

// isDelivered: what is said to be delivered has arrived. The response to a resend shows the status that the destination has
// returned, so that the destination has received something by then, whichever sentence follows.
func isDelivered(s *facts, t *record.Attempt) []Breach {
	if t.Op.ID != "resendWebhook" || !t.Accepted() {
		return nil
	}
	status, _ := listing.WholeNumber(t.Answer, "statusCode")
	rule, where := "resend.temporary-url", "the URL in the request"
	at := slices.DeleteFunc(slices.Clone(s.Temporary), func(url string) bool { return url != t.SentText("url") })
	if _, given := t.SentField("url"); !given && !s.Accounts[t.Account].Fixed {
		rule, where = "resend.registered-url", "a URL of the account's"
		for _, r := range s.Accounts[t.Account].Receivers {
			at = append(at, r.URL)
		}
	}
	arrived := func(d *record.Delivery) bool { return slices.Contains(at, d.At) && !d.Sent.Before(t.Sent) }
	if status/100 != http.StatusOK/100 || len(at) == 0 || slices.ContainsFunc(s.Events, arrived) {
		return nil
	}
	return []Breach{{rule, "the event at " + where + ", which has returned statusCode " + jsonvalue.Text(t.Answer, "statusCode"), "nothing arrived there", ""}}
}
