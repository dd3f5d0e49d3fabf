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

// What the query of a list excludes.
func TestFiltered(t *testing.T) {
	t.Parallel()
	const id, otherID = "E607011902026030110000000000001", "E6070119020260301100000000000012"
	ask := func(noun, query, item string) []record.Entry {
		e := sent(0, noun, "", 200, `{"data":[`+item+`]}`)
		e.Exchange.URL += "?" + query
		return []record.Entry{e}
	}
	lists := func(query, item string) []record.Entry { return ask("transaction list request", query, item) }
	cases := func(query, item string) []record.Entry { return ask("MED list request", query, item) }
	newAccount := fact(0, record.Fact{Kind: record.Opened})
	strange := cases("", `{"id":1,"endToEnd":"`+otherID+`"}`)
	opened := func(status int) record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Operation: string(target.MED), Method: http.MethodPost, Status: status}}
	}
	for name, c := range map[string]struct {
		entries []record.Entry
		want    string
	}{
		"created within":         {lists("startDate=2026-03-01T10:00:00Z&endDate=2026-03-01T12:00:00Z", `{"createdAt":"2026-03-01T11:00:00Z"}`), ""},
		"before startDate":       {lists("startDate=2026-03-01T10:00:00Z", `{"createdAt":"2026-03-01T09:00:00Z"}`), "lists.dates"},
		"a case before":          {cases("startDate=2026-03-01T10:00:00Z", `{"createdAt":"2026-03-01T09:00:00Z","updatedAt":"2026-03-01T09:00:00Z"}`), "med.date-filter"},
		"its endToEndId":         {lists("endToEndId="+otherID, `{"endToEndId":"`+otherID+`"}`), ""},
		"another endToEndId":     {lists("endToEndId="+otherID, `{"endToEndId":"`+strings.ToLower(otherID)+`"}`), "lists.end-to-end-id"},
		"its refund":             {lists("endToEndId="+otherID, `{"endToEndId":"D1","operationType":"Refund in"}`), ""},
		"one that is malformed":  {lists("endToEndId="+id, `{"endToEndId":"`+otherID+`"}`), ""},
		"a stranger's case":      {append([]record.Entry{newAccount}, strange...), "med.own-account"},
		"its own history":        {append([]record.Entry{openedFixed()}, strange...), ""},
		"a case that may be":     {append([]record.Entry{newAccount, opened(500)}, strange...), ""},
		"of what it has sent":    {append([]record.Entry{newAccount, sent(0, "cash-out", `{}`, 201, `{}`)}, strange...), ""},
		"before it was new":      {append(strange, newAccount), ""},
		"a case without payment": {append([]record.Entry{newAccount}, cases("", `{"id":1,"endToEnd":null}`)...), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, entries := story{steps: "When the account sends a MED list request", entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			var got []string
			for _, met := range j.contradictions() {
				got = append(got, met.Rule)
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}
