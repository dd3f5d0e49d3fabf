package judge

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
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
