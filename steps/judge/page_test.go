package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
)

// A list returns the page that was asked for, and no more than that.
func TestPages(t *testing.T) {
	t.Parallel()
	const byKey, lists, cases = "list-by-key request", "transaction list request", "MED list request"
	metadata := func(page, size, pages int) string {
		return fmt.Sprintf(`{"page":%d,"size":%d,"pageSize":%d,"totalPages":%d}`, page, size, size, pages)
	}
	whole := func(page, size, pages, total int, next, previous bool) string {
		return fmt.Sprintf(`{"page":%d,"size":%d,"pageSize":%d,"totalPages":%d,"total":%d,"hasNext":%t,"hasPrevious":%t}`, page, size, size, pages, total, next, previous)
	}
	for name, c := range map[string]struct {
		noun, query string
		items       int
		metadata    string
		want        string
	}{
		"by default":                       {lists, "", 20, metadata(1, 20, 3), ""},
		"another page":                     {lists, "page=3&size=2", 2, metadata(1, 2, 3), "lists.page metadata.page"},
		"another size":                     {byKey, "page=3&size=50", 1, metadata(3, 1, 3), "lists.size metadata.size"},
		"another size of cases":            {cases, "pageSize=2", 1, metadata(1, 20, 1), "med.pages metadata.pageSize"},
		"too many items":                   {lists, "size=1", 2, `{}`, "lists.size data"},
		"beyond the last page":             {lists, "page=4&size=2", 2, metadata(3, 2, 3), ""},
		"the first of none":                {lists, "page=1", 0, metadata(1, 20, 0), ""},
		"a size that is too large":         {lists, "size=500", 100, metadata(1, 100, 3), ""},
		"a size that is left open":         {lists, "size=0", 20, metadata(1, 20, 1), ""},
		"a page that is left open":         {lists, "page=02", 20, metadata(1, 20, 2), ""},
		"the last of 1000 by key":          {byKey, "page=10&size=100", 100, metadata(10, 100, 11), ""},
		"more than 1000 by key":            {byKey, "page=11&size=100", 1, metadata(11, 100, 11), "lists.cap data"},
		"none after 1000 by key":           {byKey, "page=11&size=100", 0, metadata(11, 100, 11), ""},
		"more than 1000 of account":        {lists, "page=11&size=100", 1, metadata(11, 100, 11), ""},
		"a page of all that there is":      {lists, "size=2", 2, whole(1, 2, 3, 5, true, false), ""},
		"a page before the first":          {lists, "size=2", 2, whole(1, 2, 3, 5, true, true), "lists.page metadata.hasPrevious"},
		"no page after the first of three": {byKey, "size=2", 2, whole(1, 2, 3, 5, false, false), "lists.page metadata.hasNext"},
		"too few pages":                    {lists, "size=2", 2, whole(1, 2, 2, 5, true, false), "lists.page metadata.totalPages"},
		"pages beyond 1000 by key":         {byKey, "size=100", 100, whole(1, 100, 10, 1500, true, false), ""},
		"the last case missing":            {cases, "page=3&pageSize=2", 0, whole(3, 2, 3, 5, false, true), "med.pages data"},
		"the last case":                    {cases, "page=3&pageSize=2", 1, whole(3, 2, 3, 5, false, true), ""},
		"a payment settled meanwhile":      {lists, "page=3&size=2", 0, whole(3, 2, 3, 5, false, true), ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := sent(0, c.noun, "", 200, `{"data":[`+strings.TrimPrefix(strings.Repeat(",{}", c.items), ",")+`],"metadata":`+c.metadata+`}`)
			e.Exchange.URL += "?" + c.query
			j, _ := story{steps: "When the account sends a " + c.noun}.begin(t)
			j.Add(fact(0, record.Fact{Kind: record.Opened}))
			j.Add(e)
			var got []string
			for _, met := range (audit{j}).contradictions() {
				got = append(got, met.Rule+" "+met.Field)
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}
