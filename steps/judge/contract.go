package judge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
)

// openapi is the wire contract. It is embedded, so that reading it cannot fail once the tests pass.
var openapi = sync.OnceValue(func() *contract.Contract {
	c, err := contract.Load()
	if err != nil {
		panic(err)
	}
	return c
})

// edgeAccepts: a valid token request with the same certificate got through, so that a refusal
// without a code was the gateway's.
func edgeAccepts(v *record.View, t *record.Attempt) bool {
	return !t.Doubtful && slices.ContainsFunc(v.Looks, func(again *record.Attempt) bool {
		return again.Op == t.Op && again.Step == t.Step && again.Index > t.Index && !again.MayBeOfEdge(v.Terms)
	})
}

func expectedResponse(t *record.Attempt) string {
	return fmt.Sprintf("a response of %s %s that matches openapi.yaml", t.Op.Method, shownPath(t))
}

// shownPath is the path with its parameters by name: the same for all requests of an
// operation, so that a breach is reported once.
func shownPath(t *record.Attempt) string { return cmp.Or(t.Op.Path, t.Path()) }

// breachesOf lists what in a response breaks the contract. What a gateway returns for another content type is open
// ("request of another content type"), its shape too.
func breachesOf(t *record.Attempt) []contract.Violation {
	op, ok := openapi().Operation(t.Op.ID)
	switch {
	case !ok || t.Op.Rule == "" || t.Status == 0 || t.Err != "" || t.NoResponse() || hasOtherContent(t): // steps judge what is malformed
		return nil
	case t.Truncated:
		return []contract.Violation{{Message: "the body is longer than any response of the API"}}
	case t.LeftOut > 0:
		return []contract.Violation{{Message: "the body is long and not JSON, too deeply nested, or has too many values"}}
	}
	found := op.CheckResponse(t.Status, t.ResponseHeader, t.ResponseBody, t.Answer)
	// Path and method of a refusal are those of the request (Errors, envelope A; the simple
	// envelope has neither).
	if path, ok := jsonvalue.Lookup(t.Answer, "path"); ok && t.Status >= 400 && !isPath(path, t.Path()) {
		found = append(found, contract.Violation{Field: "path", Message: "path must be the path of the request, " + shownPath(t)})
	}
	if method, ok := jsonvalue.Lookup(t.Answer, "method"); ok && t.Status >= 400 && method != t.Op.Method {
		found = append(found, contract.Violation{Field: "method", Message: "method must be the method of the request, " + t.Op.Method})
	}
	return found
}

// hasOtherContent: a request claims to be something else than JSON.
func hasOtherContent(t *record.Attempt) bool {
	return len(t.Body) > 0 && !strings.HasPrefix(t.Header.Get("Content-Type"), "application/json")
}

func expectedEvent(d *record.Delivery) string {
	return fmt.Sprintf("%s %s event that matches openapi.yaml", article(d.Name), d.Name)
}

// eventBreaches lists what in an event breaks the contract. The payloads of events of other names are open ("payload of a
// cash_in event").
func eventBreaches(d *record.Delivery) []contract.Violation {
	payload, described := api.Payloads[d.Name]
	if !described {
		return nil
	}
	body := d.Body
	if d.Wrapped {
		body, _ = json.Marshal(d.Payload) // what was decoded can be encoded
	}
	return openapi().CheckWebhook(payload.Webhook, body)
}

// matchContract: the responses of the rule's operation, or the last event, match openapi.yaml.
func matchContract(s *Scenario, m language.MatchContract) Result {
	if m.Events {
		return eventMatchesContract(s)
	}
	sent := slices.DeleteFunc(slices.Clone(s.Attempts), func(t *record.Attempt) bool { return t.Op.Rule != s.Rule })
	if len(sent) == 0 {
		return nothingSent()
	}
	for _, t := range sent {
		if t.Status == 0 {
			return failAnswer(t, "a response", "")
		}
		for _, v := range breachesOf(t) {
			return failAt(t, expectedResponse(t), fmt.Sprintf("%d with: %s", t.Status, v), "").in(v.Field)
		}
	}
	return pass()
}

func eventMatchesContract(s *Scenario) Result {
	switch {
	case s.Event == nil:
		return noEvent()
	case s.Event.Name != s.awaited:
		return failEvent(s, fmt.Sprintf("an event named %s, in event or type", s.awaited), fmt.Sprintf("%q", s.Event.Name))
	}
	for _, v := range eventBreaches(s.Event) {
		return failEvent(s, expectedEvent(s.Event), v.Message).in(v.Field)
	}
	return pass()
}
