package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// registrationListed: the last list contains a registration exactly once, with its URL, type and
// headers; or each that the account has, and on a new account no other.
func registrationListed(s *Scenario, m language.RegistrationListed) Result {
	t := s.It()
	var registrations []*record.Attempt
	for _, earlier := range s.Attempts {
		isOfSame := earlier.Account == t.Account && earlier.Index >= s.Accounts[t.Account].Since // a scenario may open several in turn
		if earlier.Op.ID != "registerWebhook" || !earlier.Accepted() || m.Each && !isOfSame {
			continue
		}
		if m.Each { // only the last one of a URL and type
			registrations = slices.DeleteFunc(registrations, func(r *record.Attempt) bool {
				return r.SentText("url") == earlier.SentText("url") && r.SentText("eventType") == earlier.SentText("eventType")
			})
		}
		registrations = append(registrations, earlier)
	}
	if len(registrations) == 0 {
		return unrecorded("an accepted registration that this step refers to")
	}
	switch {
	case m.First:
		registrations = registrations[:1]
	case !m.Each:
		registrations = registrations[len(registrations)-1:]
	}
	r := each(registrations, func(sent *record.Attempt) Result { return listedAsSent(t, sent) })
	if r.Verdict == verdict.Pass && m.Each && !s.Accounts[t.Account].Fixed {
		return listsNoOther(t, len(registrations))
	}
	return r
}

// isRegistered: a valid registration that was only to prepare something else does not fail. The next one may succeed, on
// an account of the profile in the next scenario.
func isRegistered(s *facts, t *record.Attempt) []Breach {
	if t.Role != record.Spoken || !prepares(s.Steps, t.Step) || len(s.callsOf(target.FaultsControl, "")) > 0 {
		return nil
	}
	isListed := t.Status < 400 || slices.Contains([]int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound}, t.Status) // as the specification lists for some
	got := unusable(t, !isListed)
	return breachIf(got != "", "a valid webhook registration to be accepted with "+t.Op.Success(), got, "")
}

// hasRoom: no URL of this run is registered beyond those for which a new account has room. Whether one stays active that has
// failed is open ("retry after a failed delivery").
func hasRoom(s *facts, t *record.Attempt) []Breach {
	account, eventType, url := s.Accounts[t.Account], t.SentText("eventType"), t.SentText("url")
	isForeign := func(r spec.Registration) bool { return !strings.HasPrefix(r.URL, s.OwnURLs) } // two spellings may be one URL
	fails := func(d *record.Delivery) bool { return refusesEvents(s, d.At) }
	if s.OwnURLs == "" || !t.Accepted() || account.Fixed || t.Index < account.Since || isForeign(spec.Registration{URL: url}) ||
		!slices.Contains(api.EventTypes, eventType) || s.isUnusual(t) || slices.ContainsFunc(s.Events, fails) {
		return nil
	}
	_, ok := slices.DeleteFunc(registrationsBefore(s, t.Account, t.Index), isForeign).After(eventType, url, spec.Accepted)
	return breachIf(!ok, fmt.Sprintf("at most %d URLs to be registered for %s", api.MostURLs, eventType), "another one", "")
}

// prepares: a step needs its requests accepted, but another one decides. What a run does before its
// scenarios has no steps.
func prepares(steps []language.Step, step int) bool {
	if step >= len(steps) {
		return len(steps) == 0
	}
	switch m := steps[step].Meaning.(type) {
	case language.Receive:
		return true
	case language.Send:
		return m.Accepted
	}
	return false
}

// listsNoOther: the list has as many entries as the account has registrations, each with its own id.
func listsNoOther(t *record.Attempt, registrations int) Result {
	rows := jsonvalue.Items(t.Answer, "webhooks")
	if len(rows) != registrations {
		return failAt(t, fmt.Sprintf("%d entries, one for each URL and type registered", registrations), fmt.Sprint(len(rows)), "").in("webhooks")
	}
	if total := jsonvalue.Find(t.Answer, "total"); !jsonvalue.Equal(total.Value, json.Number(fmt.Sprint(registrations))) {
		return failAt(t, fmt.Sprintf("total to be %d, as many as are listed", registrations), total.String(), "").in("total")
	}
	seen := map[string]bool{}
	for _, row := range rows {
		id := jsonvalue.Text(row, "id")
		if seen[id] {
			return failAt(t, "a different id for each registration", "the id "+id+" twice", "").in("webhooks")
		}
		seen[id] = true
	}
	return pass()
}

func listedAsSent(t, sent *record.Attempt) Result {
	rows := jsonvalue.Items(t.Answer, "webhooks")
	url, eventType := sent.SentText("url"), sent.SentText("eventType")
	matching := Entries(rows, url, eventType)
	if len(matching) != 1 {
		return failAt(t, fmt.Sprintf("one entry of type %s with the url %s", eventType, url), fmt.Sprintf("%d of %d entries match", len(matching), len(rows)),
			"the list uses type for the registration's eventType").in("webhooks")
	}
	return sameHeaders(t, sent, matching[0])
}

// sameHeaders: the registration takes headers as a list, the list returns them as an object.
func sameHeaders(t, sent *record.Attempt, row any) Result {
	want := map[string]any{}
	for _, h := range jsonvalue.Items(sent.Request, "headers") { // no items unless it is a list
		want[fmt.Sprint(jsonvalue.Find(h, "key").Value)] = jsonvalue.Find(h, "value").Value
	}
	listed := jsonvalue.Find(row, "headers")
	if !EqualHeaders(listed.Value, want) {
		expected, hint := jsonvalue.Found{Value: want, Present: true}.String(), ""
		if _, is := listed.Value.(map[string]any); !is {
			hint = "the list must show headers as an object"
		}
		return failAt(t, "headers "+expected, listed.String(), hint).in("headers")
	}
	return pass()
}

// EqualHeaders compares headers; names are case-insensitive, as in HTTP.
func EqualHeaders(listed any, want map[string]any) bool {
	got, ok := listed.(map[string]any)
	if !ok || len(got) != len(want) {
		return false
	}
	for name, value := range want {
		same := func(listed string) bool {
			return strings.EqualFold(listed, name) && jsonvalue.Equal(got[listed], value)
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(got)), same) {
			return false
		}
	}
	return true
}

// notRegistered: the list does not contain a rejected registration. A list that cannot be read,
// such as that of a deleted account, counts as empty.
func notRegistered(s *Scenario, i int, refused *record.Attempt) Result {
	url, eventType := refused.SentText("url"), refused.SentText("eventType")
	plain, _, _ := strings.Cut(url, "?")
	if url == "" || slices.Contains(s.Accounts[refused.Account].Receivers, record.Receiver{EventType: eventType, URL: plain}) {
		return pass()
	}
	list := s.LookOf(i, "webhook list request")
	if list == nil {
		return undecided(Look{At: Registrations, Account: refused.Account})
	}
	now := Entries(jsonvalue.Items(list.Answer, "webhooks"), url, eventType)
	before := s.RegisteredBefore()
	wasThere := before != nil && s.Accounts[refused.Account].Fixed && jsonvalue.Equal(now, Entries(jsonvalue.Items(before.Answer, "webhooks"), url, eventType))
	return passIf(len(now) == 0 || wasThere, failAt(refused, "nothing to be registered by a refused request", "its URL is listed for "+eventType, ""))
}

// Entries returns the rows of a webhook list with this URL and type.
func Entries(rows []any, url, eventType string) []any {
	return slices.DeleteFunc(slices.Clone(rows), func(row any) bool {
		return jsonvalue.Find(row, "url").Value != url || jsonvalue.Find(row, "type").Value != eventType
	})
}
