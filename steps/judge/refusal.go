package judge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// misses returns the finding if a response does not match the expected outcome; nil if it does.
func misses(s *Scenario, o language.Outcome, t *record.Attempt) *verdict.Finding {
	f := &verdict.Finding{Expected: spelledOut(o, t), Got: t.Summary(), Exchange: t.Index, About: answerOf(t)}
	f.About.MustFail = o.MustRefuse()
	if t.Err != "" {
		return f
	}
	for _, a := range o.Alternatives {
		if meets(a, t) {
			return missingName(o, t)
		}
	}
	offers := func(other *record.Attempt) bool { return other.Op == t.Op && other.Accepted() }
	if t.Status == http.StatusNotFound && t.Code() == "" && !slices.ContainsFunc(s.Attempts, offers) { // not one of the API's own
		f.Hint = fmt.Sprintf("%s %s returned 404: check the base URL, and that the gateway offers this operation", t.Method, t.Op.Path)
	}
	return f
}

// spelledOut adds to "accepted" the status that it means.
func spelledOut(o language.Outcome, t *record.Attempt) string {
	if !o.Alternatives[0].Accepted || len(o.Alternatives[0].Statuses) > 0 {
		return o.Words
	}
	return strings.Replace(o.Words, "accepted", "accepted with "+t.Op.Success(), 1)
}

// meets: which code malformed JSON returns is open ("body that is not JSON").
func meets(a language.Alternative, t *record.Attempt) bool {
	return hasStatus(a, t) && (a.Accepted && len(a.Statuses) == 0 || len(a.Codes) == 0 || t.Unclear || slices.Contains(a.Codes, t.Code()))
}

func hasStatus(a language.Alternative, t *record.Attempt) bool {
	if a.Accepted && len(a.Statuses) == 0 {
		return t.Accepted()
	}
	return slices.Contains(a.Statuses, t.Status)
}

// missingName: the messages about an invalid body name each invalid field (Errors, envelope A).
// Other codes, and malformed JSON, need no message.
func missingName(o language.Outcome, t *record.Attempt) *verdict.Finding {
	if t.Code() != api.HTTPError || t.Unclear {
		return nil
	}
	messages := strings.Join(t.Messages(), "\n")
	for _, name := range o.Naming {
		if !mentions(messages, name) {
			f := &verdict.Finding{
				Expected: "a message that names " + name,
				Got:      quoted(t.Messages()),
				Hint:     "message must have an entry for each invalid field that names the field",
				Exchange: t.Index, About: answerOf(t),
			}
			f.About.MustFail, f.About.RightCode = true, true
			return f
		}
	}
	return nil
}

// mentions reports whether the messages contain a name as a word; an amount may have a decimal
// point or, as in Brazil, a comma.
func mentions(messages, name string) bool {
	word := strings.ReplaceAll(regexp.QuoteMeta(name), `\.`, `[.,]`)
	return regexp.MustCompile(`\b` + word + `\b`).MatchString(messages)
}

// enveloped are the statuses for which the specification states an error, whose envelope is the
// gateway's own. A server in front of it may have its own body for others.
var enveloped = []int{400, 401, 403, 404, 409, 422, 429}

// hasCurrentCode: a token is not rejected with a retired code.
func hasCurrentCode(_ *facts, t *record.Attempt) []Breach {
	return breachIf(slices.Contains(api.Retired, t.Code()), "a token request error with a current code", string(t.Code()), "code")
}

// hasStatusOfCode: an error has the status that the specification states for its code. How another content type is
// rejected is open ("request of another content type").
func hasStatusOfCode(_ *facts, t *record.Attempt) []Breach {
	code := api.Code(jsonvalue.Text(t.Answer, "code"))
	stated := api.Codes[code]
	if t.Op.ID != stated.Operation || t.Status == 0 || t.Status == stated.Status || hasOtherContent(t) {
		return nil
	}
	return []Breach{{stated.Rule, fmt.Sprintf("a %s error with code %s to have status %d", t.Op.Noun, code, stated.Status), strconv.Itoa(t.Status), ""}}
}

// faultOf names the fault of a rejected request, if every gateway rejects the same request for the same
// reason, whatever happened before: it has no token, or a body that breaks the contract. A body with an
// externalId may also be rejected because that is used. A rejection by concurrent requests, or while an
// upstream system fails, may have another reason.
func faultOf(s *facts, t *record.Attempt) (fault string, ok bool) {
	op, described := openapi().Operation(t.Op.ID)
	if !described || !spec.HasRichErrors(t.Op) || hasOtherContent(t) || t.AtOnce || t.Code() == "" || len(s.callsOf(target.FaultsControl, "")) > 0 {
		return "", false
	}
	externalID, _ := t.ExternalID()
	switch {
	case t.Status == http.StatusUnauthorized && t.Op.Bearer && t.Header.Get("Authorization") == "":
		return t.Op.ID + " without a token", true
	case t.Status == http.StatusBadRequest && externalID == "" && len(t.Body) > 0 && len(op.CheckRequest(t.Request)) > 0:
		return strings.Join([]string{t.Op.ID, t.Path(), t.ClientCertificate, t.Header.Get("X-SSL-Client-Cert"), t.Header.Get("X-Sandbox-Scenario"), string(t.Body)}, " "), true
	}
	return "", false
}

// keyTypes are the kinds of key to which a cash-out is sent (Cash-out).
var keyTypes = []string{"EMAIL", "PHONE", "DOCUMENT", "RANDOM"}

// namesKeyTypes: a rejection of another kind of key lists them all. One that is spelled with anything but capitals may be
// rejected for its spelling.
func namesKeyTypes(_ *facts, t *record.Attempt) []Breach {
	value, _ := t.SentField("details.keyType")
	sent, _ := value.(string)
	isOther := func(r rune) bool { return r < 'A' || r > 'Z' }
	if t.Unclear || t.Status != http.StatusBadRequest || t.Code() != api.HTTPError || sent == "" || strings.ContainsFunc(sent, isOther) || slices.Contains(keyTypes, sent) {
		return nil
	}
	isNamed := false
	for _, entry := range jsonvalue.Items(t.Answer, "message") {
		text, _ := entry.(string)
		if isNamed = isNamed || strings.Contains(text, "keyType"); !slices.ContainsFunc(keyTypes, func(keyType string) bool { return !strings.Contains(text, keyType) }) {
			return nil
		}
	}
	if !isNamed {
		return nil // it is about something else
	}
	return breach("the message about an unknown keyType to list "+strings.Join(keyTypes, ", "), "a message without one of them", "message")
}

// What an error says of its request. What it leaves out breaks the wire contract.

func hasStatusCode(_ *facts, t *record.Attempt) []Breach {
	status := jsonvalue.Find(t.Answer, "statusCode")
	isOther := status.Present && !jsonvalue.Equal(status.Value, json.Number(strconv.Itoa(t.Status)))
	return breachIf(isOther, fmt.Sprintf("statusCode of a %s error to be %d, the HTTP status", t.Op.Noun, t.Status), status.String(), "statusCode")
}

// hasPhrase: the phrase of 429 is open ("MED list requests above the limit").
func hasPhrase(_ *facts, t *record.Attempt) []Breach {
	phrase := http.StatusText(t.Status)
	got, is := errorText(t, "error")
	return breachIf(is && got != phrase && t.Status != http.StatusTooManyRequests, fmt.Sprintf("error of a %s error to be %q", t.Op.Noun, phrase), strconv.Quote(got), "error")
}

func hasMethod(_ *facts, t *record.Attempt) []Breach {
	got, is := errorText(t, "method")
	return breachIf(is && got != t.Op.Method, fmt.Sprintf("method of a %s error to be %s", t.Op.Noun, t.Op.Method), got, "method")
}

func hasPath(_ *facts, t *record.Attempt) []Breach {
	got, is := errorText(t, "path")
	return breachIf(is && !isPath(got, t.Path()), fmt.Sprintf("path of a %s error to be the path of the request", t.Op.Noun), "another path", "path")
}

func errorText(t *record.Attempt, field string) (text string, is bool) {
	text, is = jsonvalue.Find(t.Answer, field).Value.(string)
	return text, is
}
