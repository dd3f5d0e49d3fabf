package judge

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Values that a sentence takes from earlier in the scenario: "the txid sent", "the id of the event".

func firstAnswered(s *Scenario, field string) (any, Result) {
	for _, t := range s.Attempts {
		if v, ok := jsonvalue.Lookup(t.Answer, field); ok && t.Accepted() {
			return v, pass()
		}
	}
	return nil, couldNotTest("no accepted response in this scenario has the field " + field)
}

func isSent(s *Scenario, t *record.Attempt, v jsonvalue.Found, field string) (bool, Result) {
	sent, ok := t.SentField(field)
	switch {
	case ok:
		return v.Present && jsonvalue.Equal(v.Value, sent), pass()
	case field == "chave" && s.Accounts[t.Account].PixKey == "":
		return false, blocked(UnknownKey)
	}
	return false, unrecorded("a request with the field " + field)
}

// UnknownKey: accounts in the profile need not have a PIX key.
var UnknownKey = record.Cannot("the PIX key of the account is unknown: set accounts[].pixKey in the profile")

// OfEvent returns a field of the last event, or of the data in its envelope.
func OfEvent(s *Scenario, field string) (string, Result) {
	if s.Event == nil {
		return "", noEvent()
	}
	if v := s.Event.Text(field); v != "" {
		return v, pass()
	}
	return "", failEvent(s, article(field)+" "+field, "absent")
}

// LastAnswered returns a field of the last accepted response that has it.
func LastAnswered(v *record.View, field string) (string, Result) {
	for _, t := range slices.Backward(v.Attempts) {
		if v, ok := jsonvalue.Lookup(t.Answer, field); ok && v != nil && t.Accepted() {
			return jsonvalue.Plain(v), pass()
		}
	}
	return "", couldNotTest("no accepted response in this scenario has the field " + field)
}

// OfMade returns a field of a charge or refund: of the response, or of the request. The endToEndId of a
// charge is that of its payment.
func OfMade(v *record.View, makes api.Made, n language.Nth, field string) (string, Result) {
	t, r := madeAs(v, n, makes)
	if r.Verdict != verdict.Pass {
		return "", r
	}
	if field == "endToEndId" && t.EndToEndID == "" {
		return "", couldNotTest("the " + nthOf(n, makes.String()) + " was not paid")
	} else if field == "endToEndId" {
		return t.EndToEndID, pass()
	}
	if answered := jsonvalue.Text(t.Answer, field); answered != "" {
		return answered, pass()
	}
	if sent := t.SentText(field); sent != "" {
		return sent, pass()
	}
	return "", broken(fmt.Errorf("the %s has no field %s", t.Op.Noun, field))
}

// EndToEndID returns the end-to-end id of the payment of the last charge; empty if it has none.
func EndToEndID(v *record.View) string {
	for _, t := range slices.Backward(v.Attempts) {
		if t.Is(api.Charge) && t.EndToEndID != "" {
			return t.EndToEndID
		}
	}
	return ""
}
