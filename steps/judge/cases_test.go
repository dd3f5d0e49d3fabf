package judge

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A list may show a case as it was, but not as it never was.
func TestCaseHistory(t *testing.T) {
	t.Parallel()
	move := func(status int, body string) record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{
			Party: exchange.Control, Operation: string(target.MED), Method: http.MethodPatch, URL: "https://gw.example/controls/meds/7", Status: status, Body: []byte(body),
		}}
	}
	received, rejected := move(204, `{"status":"RECEIVED"}`), move(204, `{"status":"ANALYZED","analysisResult":"REJECTED"}`)
	shown := func(item string) record.Entry {
		return looked("MED list request", 200, `{"data":[`+item+`],"metadata":{}}`)
	}
	for name, c := range map[string]struct {
		entries []record.Entry
		want    string
	}{
		"new":                         {list(nil, shown(`{"id":7,"status":"RECEIVED","analysisResult":null}`)), ""},
		"as it was before":            {list(nil, received, rejected, shown(`{"id":7,"status":"OPEN","analysisResult":null}`)), ""},
		"as it is":                    {list(nil, received, rejected, shown(`{"id":7,"status":"ANALYZED","analysisResult":"REJECTED"}`)), ""},
		"of another case":             {list(nil, shown(`{"id":8,"status":"ANALYZED","analysisResult":"REJECTED"}`)), ""},
		"another result":              {list(nil, received, rejected, shown(`{"id":7,"status":"ANALYZED","analysisResult":"APPROVED"}`)), "analysisResult: the analysisResult of the case to be one that it has had: none, REJECTED; APPROVED"},
		"before the bank decides":     {list(nil, received, shown(`{"id":7,"status":"RECEIVED","analysisResult":"REJECTED"}`), rejected), "analysisResult: the analysisResult of the case to be one that it has had: none; REJECTED"},
		"a state that it never was":   {list(nil, shown(`{"id":7,"status":"CANCELLED"}`)), "status: the status of the case to be one that it has had: OPEN, RECEIVED; CANCELLED"},
		"although that was rejected":  {list(nil, move(409, `{"status":"CANCELLED"}`), shown(`{"id":7,"status":"CANCELLED"}`)), "status: the status of the case to be one that it has had: OPEN, RECEIVED; CANCELLED"},
		"a result of a cancelled one": {list(nil, move(204, `{"status":"CANCELLED"}`), shown(`{"id":7,"status":"CANCELLED","analysisResult":"REJECTED"}`)), ""},
		"once it was refunded":        {list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{}`), shown(`{"id":7,"status":"ANALYZED"}`)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, met := range contradicting(t, "med.analysis", append(openedCase(0, "7", ""), c.entries...)) {
				got = append(got, met.Field+": "+met.Expected+"; "+met.Got)
			}
			assert.Equal(t, c.want, strings.Join(got, "\n"))
		})
	}
}

// A case shows the payment that it was opened against, in every list.
func TestACaseShowsItsPayment(t *testing.T) {
	t.Parallel()
	const of = "E1234567820260301120000000000001"
	for name, c := range map[string]struct{ item, want string }{
		"its payment":     {`{"id":7,"endToEnd":"` + of + `"}`, ""},
		"none":            {`{"id":7,"endToEnd":null}`, ""},
		"another payment": {`{"id":7,"endToEnd":"4711"}`, "med.case endToEnd: 4711"},
		"another case":    {`{"id":8,"endToEnd":"4711"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			listed := looked("MED list request", 200, `{"data":[`+c.item+`],"metadata":{}}`)
			for _, met := range contradicting(t, "med.case", append(openedCase(0, "7", of), listed)) {
				got = append(got, met.Rule+" "+met.Field+": "+met.Got)
			}
			assert.Equal(t, c.want, strings.Join(got, "\n"))
		})
	}
}

// contradicting are the breaches of a rule by MED lists.
func contradicting(t *testing.T, rule string, entries []record.Entry) (all []Met) {
	t.Helper()
	j, entries := story{steps: "When the account sends a MED list request", entries: entries}.begin(t)
	for _, e := range entries {
		j.Add(e)
	}
	for _, met := range j.contradictions() {
		if met.Rule == rule {
			all = append(all, met)
		}
	}
	return all
}
