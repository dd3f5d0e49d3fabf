package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// noted records what the target does on an open point. The end of the run shows whether one
// reading fits all observations.
func noted(s *Scenario, i int, m language.Noted) Result {
	value, r := notable(s, i, m)
	if r.Verdict == verdict.Pass {
		r.Observations = append(r.Observations, verdict.Observed{Point: m.Point, Value: value, Fits: fitting(m.Readings, value)})
	}
	return r
}

func fitting(readings []language.Reading, value string) []string {
	var names []string
	for _, r := range readings {
		if slices.Contains(r.Values, value) {
			names = append(names, r.Name)
		}
	}
	return names
}

func notable(s *Scenario, i int, m language.Noted) (string, Result) {
	switch m.What {
	case language.AnswerField:
		return ofAnswer(s, m.Field)
	case language.EventField:
		return ofEvent(s, m.Field)
	case language.ListingField:
		_, items, r := listedItems(s, i, s.LastOf(api.Payment, api.Charge), 0)
		if len(items) == 0 {
			return "not listed", r
		}
		return jsonvalue.Find(items[0], m.Field).String(), r
	case language.RefundListing:
		return refundListing(s, i)
	case language.OrderOfPayments:
		return orderListed(s)
	case language.TotalOfPages:
		total, r := LastAnswered(s.View, "metadata.total")
		if n, ok := jsonvalue.Ratio(json.Number(total)); ok && n.IsInt() { // however it is spelled
			total = n.Num().String()
		}
		return total, r
	case language.Splits:
		d, _, r := division(s, i, language.Last, 0)
		var parts []string
		for _, split := range d.Splits {
			parts = append(parts, split.Amount+" "+split.Status)
		}
		return strings.Join(parts, ", ") + ", left " + d.Left, r
	default:
		now, r := balanceNow(s, i, language.TheAccount, 0)
		switch {
		case r.Verdict != verdict.Pass:
			return "", r
		case s.Before == nil:
			return "", noBalance()
		}
		return strings.TrimPrefix(moves(now.Available-s.Before.Available, "fallen", "risen"), "stay "), r
	}
}

// ofAnswer returns the status, the code or another field of the last response.
func ofAnswer(s *Scenario, field string) (string, Result) {
	t := s.It()
	if t == nil {
		return "", nothingSent()
	}
	switch field {
	case "status":
		return statusesOf(s, t), pass()
	case "code":
		return strings.TrimSpace(fmt.Sprint(t.Status, " ", t.Code())), pass()
	case "fields":
		return fieldsOf(t.Answer), pass()
	}
	v := jsonvalue.Find(t.Answer, field)
	switch value := v.Value.(type) {
	case map[string]any: // values vary
		return fieldsOf(value), pass()
	case []any:
		return fmt.Sprintf("%d items", len(value)), pass()
	}
	if n, ok := listing.WholeNumber(t.Answer, field); ok { // however it is spelled
		return fmt.Sprint(n), pass()
	}
	return v.String(), pass()
}

// statusesOf returns the status of a response, or the count of each status of concurrent requests.
func statusesOf(s *Scenario, t *record.Attempt) string {
	batch := s.Several()
	if !slices.Contains(batch, t) {
		return fmt.Sprint(t.Status)
	}
	count := map[int]int{}
	for _, other := range batch {
		count[other.Status]++
	}
	var words []string
	for _, status := range slices.Sorted(maps.Keys(count)) {
		words = append(words, fmt.Sprintf("%d times %d", count[status], status))
	}
	return strings.Join(words, ", ")
}

func fieldsOf(v any) string {
	o, _ := v.(map[string]any)
	return strings.Join(slices.Sorted(maps.Keys(o)), ", ")
}

// ofEvent describes how the last event arrived, or one of its fields. For an end-to-end id it says
// whether the response had the same one, because the id itself means nothing.
func ofEvent(s *Scenario, field string) (string, Result) {
	if s.Event == nil {
		return "", noEvent()
	}
	switch field {
	case "method":
		return s.Event.Method, pass()
	case "headers":
		return strings.Join(slices.Sorted(maps.Keys(s.Event.Header)), ", "), pass()
	case "type":
		return s.subscription, pass()
	case "shape":
		return fieldsOf(s.Event.Payload), pass()
	}
	v := jsonvalue.Find(s.Event.Payload, field)
	if !strings.HasSuffix(field, "endToEndId") {
		return v.String(), pass()
	}
	t := s.LastOf(api.Payment)
	if t == nil {
		return "", nothingSent()
	}
	if provisional, _ := jsonvalue.Lookup(t.Answer, "endToEndId"); jsonvalue.Equal(provisional, v.Value) {
		return "the one of the response", pass()
	}
	return "another than that of the response", pass()
}

// refundListing describes how the list shows a refund paid by the account.
func refundListing(s *Scenario, i int) (string, Result) {
	t := s.LookOf(i, listNoun)
	if t == nil {
		return "", undecided(Look{At: List, Op: api.MustNamed(listNoun), Query: url.Values{"type": api.Spelled(api.RefundIn)}})
	}
	var shown []string
	for _, field := range []string{"status", "operationType", "movementType"} {
		if v, ok := jsonvalue.Lookup(t.Answer, "data[0]."+field); ok {
			shown = append(shown, jsonvalue.Plain(v))
		}
	}
	if len(shown) == 0 {
		return "not listed", pass()
	}
	return strings.Join(shown, ", "), pass()
}

// orderListed is the order in which the last list shows the scenario's payments.
func orderListed(s *Scenario) (string, Result) {
	_, items, r := lastPage(s)
	var order []string
	for _, item := range items {
		n := 0
		for _, t := range s.Attempts {
			if !t.Is(api.Payment) || !t.Accepted() {
				continue
			}
			if n++; t.IsListedAs(item) {
				order = append(order, fmt.Sprint(n))
			}
		}
	}
	return "made as " + strings.Join(order, ", "), r
}

// whetherNoted records whether an event of the last payment or refund arrives during the quiet time, or arrives again
// after its URL has failed.
func whetherNoted(s *Scenario, i int, m language.WhetherNoted) Result {
	t := s.LastOf(api.Payment, api.Refund)
	if t == nil {
		return nothingSent()
	}
	sinceWhen := func(d *record.Delivery) bool { return d.Sent.After(s.When) && about(t)(d) }
	arrived, patience := slices.ContainsFunc(ownEvents(s), sinceWhen), s.Terms.Deadlines.Quiet
	if m.Again {
		arrived, patience = retried(s, t), retriesWithin*patience
	}
	value, r := "yes", pass()
	if !arrived {
		value, r = "no", quietFor(s, i, patience)
	}
	if r.Verdict == verdict.Pass {
		r.Observations = []verdict.Observed{{Point: m.Point, Value: value}}
	}
	return r
}

// retriesWithin is how many times the quiet time a step waits for a retry, which some gateways send by the real time:
// three seconds by default.
const retriesWithin = 12

// retried reports whether an event of a payment arrived more often at a URL that failed than one of another payment
// did at a URL that did not: some gateways send every event twice.
func retried(s *Scenario, t *record.Attempt) bool {
	often := 1
	for _, o := range s.Attempts {
		if o != t && o.Accepted() && o.Is(api.Payment, api.Refund) {
			often = max(often, timesDelivered(s, o, true))
		}
	}
	return timesDelivered(s, t, false) > often
}

// timesDelivered is how often an event of a payment arrived at one URL, at most; 0 if it must have been accepted each
// time, and was not.
func timesDelivered(s *Scenario, t *record.Attempt, accepted bool) (most int) {
	times := map[string]int{}
	for _, d := range ownEvents(s) {
		if !about(t)(d) {
			continue
		}
		if accepted && d.Exchange.Status/100 != 2 {
			return 0
		}
		key := d.At + " " + d.Name + " " + d.Text("status")
		times[key]++
		most = max(most, times[key])
	}
	return most
}

func ownEvents(s *Scenario) []*record.Delivery {
	return s.EventsAt(s.Accounts[language.TheAccount].Receivers)
}
