package judge

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// misses says how a response misses an expected outcome; nil if it meets it.
func misses(o language.Outcome, t *record.Attempt) *verdict.Finding {
	f := &verdict.Finding{Expected: spelledOut(o, t), Got: t.Summary(), Exchange: t.Index}
	if t.Err != "" || t.Truncated {
		return f
	}
	for _, a := range o.Alternatives {
		if meets(a, t) {
			return namesNot(o, t)
		}
	}
	if t.Status == http.StatusNotFound {
		f.Hint = fmt.Sprintf("%s %s returns 404: is the base URL right, and does the gateway offer the operation?", t.Method, t.Op.Path)
	}
	return f
}

// spelledOut is the outcome with the status that "accepted" stands for.
func spelledOut(o language.Outcome, t *record.Attempt) string {
	if !o.Alternatives[0].Accepted || len(o.Alternatives[0].Statuses) > 0 {
		return o.Words
	}
	return strings.Replace(o.Words, "accepted", "accepted with "+t.Op.Success(), 1)
}

func meets(a language.Alternative, t *record.Attempt) bool {
	if a.Accepted && len(a.Statuses) == 0 {
		return t.Accepted()
	}
	return slices.Contains(a.Statuses, t.Status) && (len(a.Codes) == 0 || slices.Contains(a.Codes, t.Code()))
}

// namesNot: the messages of an invalid body name each invalid field (Errors, envelope A).
// Other codes speak for themselves.
func namesNot(o language.Outcome, t *record.Attempt) *verdict.Finding {
	if t.Code() != "HTTP_ERROR" {
		return nil
	}
	messages := strings.Join(t.Messages(), "\n")
	for _, name := range o.Naming {
		if !mentions(messages, name) {
			return &verdict.Finding{
				Expected: "a message that names " + name,
				Got:      fmt.Sprintf("%q", t.Messages()),
				Hint:     "message holds one entry for each invalid field, and each names its field",
				Exchange: t.Index,
			}
		}
	}
	return nil
}

// mentions reports whether a name is there as a word; an amount with a point or, as Brazil
// writes it, a comma.
func mentions(messages, name string) bool {
	word := strings.ReplaceAll(regexp.QuoteMeta(name), `\.`, `[.,]`)
	return regexp.MustCompile(`\b` + word + `\b`).MatchString(messages)
}
