package judge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// enveloped are the statuses for which the specification states an error, whose envelope is the
// gateway's own. A server in front of it may have its own body for others.
var enveloped = []int{400, 401, 403, 404, 409, 422, 429}

// refusalContradictions hold what an error says of its request against the request. What it leaves
// out breaks the wire contract.
func refusalContradictions(t *record.Attempt) []Breach {
	if !slices.Contains(enveloped, t.Status) || t.Op.ID == "standardBalance" {
		return nil
	}
	rich := t.Op.Rule == "contract.token" || t.Op.Family == target.Public || t.Op.Family == target.Webhooks
	rule := "envelope-b.fields"
	if rich {
		rule = "envelope-a.fields"
	}
	var all []Breach
	status := jsonvalue.Find(t.Answer, "statusCode")
	if status.Present && !jsonvalue.Equal(status.Value, json.Number(strconv.Itoa(t.Status))) {
		all = append(all, Breach{rule, fmt.Sprintf("statusCode of a %s error to be %d, the HTTP status", t.Op.Noun, t.Status), status.String(), "statusCode"})
	}
	said := func(field string) (string, bool) {
		text, is := jsonvalue.Find(t.Answer, field).Value.(string)
		return text, is
	}
	if !rich {
		phrase := http.StatusText(t.Status)
		if got, is := said("error"); is && got != phrase && t.Status != http.StatusTooManyRequests { // the phrase of 429 is left open
			all = append(all, Breach{rule, fmt.Sprintf("error of a %s error to be %q", t.Op.Noun, phrase), fmt.Sprintf("%q", got), "error"})
		}
		return all
	}
	if got, is := said("method"); is && got != t.Op.Method {
		all = append(all, Breach{rule, fmt.Sprintf("method of a %s error to be %s", t.Op.Noun, t.Op.Method), got, "method"})
	}
	if got, is := said("path"); is && !isPath(got, t.Path()) {
		all = append(all, Breach{rule, fmt.Sprintf("path of a %s error to be the path of the request", t.Op.Noun), "another path", "path"})
	}
	return all
}
