package judge

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// An event goes to every active URL of its type (Webhooks, rule 3), whether or not a sentence waits for it.

// Unreported are the controls that have opened or decided a MED case of a received payment, without an event at
// each URL that the account had registered for it. What such an event says is left open, so that any of them
// counts.
func (s *Scenario) Unreported() (all []Met) {
	if s.Terms.SharedURLs || len(s.callsOf(target.Clock, "")) > 0 {
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
				if !slices.ContainsFunc(s.Events, came) {
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
		return "med_created"
	case call.Method == http.MethodPatch && strings.HasSuffix(call.URL, "/"+c.ID):
		return map[string]string{"APPROVED": "med_accepted", "REJECTED": "med_rejected"}[call.Text("analysisResult")]
	}
	return ""
}

// registeredBefore are the URLs of the sink's that the account of a case had registered for a type of event.
func registeredBefore(s *Scenario, call record.Call, c record.Case, eventType string) (urls []string) {
	account := s.Accounts[c.Account]
	for _, t := range s.Requests() {
		url, _, _ := strings.Cut(t.SentText("url"), "?")
		if eventType != "" && t.Op.ID == "registerWebhook" && t.Accepted() && t.Account == c.Account && account.Since <= t.Index && t.Index < call.Index &&
			t.SentText("eventType") == eventType && slices.Contains(account.Receivers, record.Receiver{EventType: eventType, URL: url}) {
			urls = append(urls, url)
		}
	}
	return urls
}

// EventsAfterLastStep is the name of the fact that events were waited for after the last step.
const EventsAfterLastStep = "events after the last step"

func (s audit) unreported() []Met {
	if !s.HasWaited(len(s.Steps), EventsAfterLastStep) {
		return nil
	}
	return s.Unreported()
}
