package listing

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
)

// returned is the response to a list request.
func returned(noun, query string, status int, body string) *record.Attempt {
	op := api.MustNamed(noun)
	v := record.NewView(&record.Terms{BasePath: "/gw", TokenPath: "/oauth/token"})
	v.Add(record.Entry{Exchange: &exchange.Exchange{
		Party: exchange.API, Operation: noun, Method: op.Method, URL: strings.TrimSuffix("https://gw.example/gw"+op.Path+"?"+query, "?"),
		Status: status, ResponseBody: []byte(body), ResponseHeader: http.Header{"Content-Type": {"application/json"}},
	}})
	return v.Attempts[0]
}

// A list returns the page that was requested, and no more than that.
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
		isOld       bool
	}{
		"by default":                          {lists, "", 20, metadata(1, 20, 3), "", false},
		"another page":                        {lists, "page=3&size=2", 2, metadata(1, 2, 3), "lists.page metadata.page", false},
		"another size":                        {byKey, "page=3&size=50", 1, metadata(3, 1, 3), "lists.size metadata.size", false},
		"another size of cases":               {cases, "pageSize=2", 1, metadata(1, 20, 1), "med.pages metadata.pageSize", false},
		"too many items":                      {lists, "size=1", 2, `{}`, "lists.size data", false},
		"beyond the last page":                {lists, "page=4&size=2", 2, metadata(3, 2, 3), "", false},
		"the first of none":                   {lists, "page=1", 0, metadata(1, 20, 0), "", false},
		"a size that is too large":            {lists, "size=500", 100, metadata(1, 100, 3), "", false},
		"a size that is unspecified":          {lists, "size=0", 20, metadata(1, 20, 1), "", false},
		"a page that is unspecified":          {lists, "page=02", 20, metadata(1, 20, 2), "", false},
		"the last of 1000 by key":             {byKey, "page=10&size=100", 100, metadata(10, 100, 11), "", false},
		"more than 1000 by key":               {byKey, "page=11&size=100", 1, metadata(11, 100, 11), "lists.cap data", false},
		"none after 1000 by key":              {byKey, "page=11&size=100", 0, metadata(11, 100, 11), "", false},
		"more than 1000 of account":           {lists, "page=11&size=100", 1, metadata(11, 100, 11), "", false},
		"a page of all that there is":         {lists, "size=2", 2, whole(1, 2, 3, 5, true, false), "", false},
		"a page before the first":             {lists, "size=2", 2, whole(1, 2, 3, 5, true, true), "lists.page metadata.hasPrevious", false},
		"no page after the first of three":    {byKey, "size=2", 2, whole(1, 2, 3, 5, false, false), "lists.page metadata.hasNext", false},
		"too few pages":                       {lists, "size=2", 2, whole(1, 2, 2, 5, true, false), "lists.page metadata.totalPages", false},
		"pages beyond 1000 by key":            {byKey, "size=100", 100, whole(1, 100, 10, 1500, true, false), "", false},
		"the last case missing":               {cases, "page=3&pageSize=2", 0, whole(3, 2, 3, 5, false, true), "med.pages data", false},
		"one of an earlier account meanwhile": {cases, "page=3&pageSize=2", 0, whole(3, 2, 3, 5, false, true), "", true},
		"the last case":                       {cases, "page=3&pageSize=2", 1, whole(3, 2, 3, 5, false, true), "", false},
		"a payment settled meanwhile":         {lists, "page=3&size=2", 0, whole(3, 2, 3, 5, false, true), "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			response := returned(c.noun, c.query, 200, `{"data":[`+strings.TrimPrefix(strings.Repeat(",{}", c.items), ",")+`],"metadata":`+c.metadata+`}`)
			var got []string
			for _, b := range PageBreaches(response, !c.isOld) {
				got = append(got, b.Rule+" "+b.Field)
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ metadata, want string }{
		"it adds up":             {`"total":21,"page":2,"size":10,"totalPages":3,"hasNext":true,"hasPrevious":true`, ""},
		"of a list of cases":     {`"total":20,"page":1,"pageSize":10,"totalPages":2.0`, ""},
		"of nothing, no page":    {`"total":0,"page":1,"size":10,"totalPages":0`, ""},
		"of nothing, one page":   {`"total":0,"page":1,"size":10,"totalPages":1`, ""},
		"of nothing, two pages":  {`"total":0,"page":1,"size":10,"totalPages":2`, "totalPages to be 0 for 0 items in pages of 10, got 2"},
		"a page too many":        {`"total":20,"page":1,"size":10,"totalPages":3`, "totalPages to be 2 for 20 items in pages of 10, got 3"},
		"a page too few":         {`"total":21,"page":1,"size":10,"totalPages":2`, "totalPages to be 3 for 21 items in pages of 10, got 2"},
		"no next page":           {`"total":21,"page":3,"size":10,"totalPages":3,"hasNext":true,"hasPrevious":false`, "hasNext to be false on page 3 of 3, got true"},
		"no page before":         {`"total":21,"page":1,"size":10,"totalPages":3,"hasNext":true,"hasPrevious":true`, "hasPrevious to be false on page 1 of 3, got true"},
		"texts":                  {`"total":"21","page":"1","size":"10","totalPages":"3"`, `metadata with whole numbers, got {"data":[],"metadata":{"total":"21","page":"1","size":"10","totalPages":"3"}}`},
		"half a page":            {`"total":21,"page":1,"size":10,"totalPages":2.5`, `metadata with whole numbers, got {"data":[],"metadata":{"total":21,"page":1,"size":10,"totalPages":2.5}}`},
		"a size of nothing":      {`"total":21,"page":1,"size":0,"totalPages":2`, `metadata with whole numbers, got {"data":[],"metadata":{"total":21,"page":1,"size":0,"totalPages":2}}`},
		"page nought":            {`"total":21,"page":0,"size":10,"totalPages":3`, `metadata with whole numbers, got {"data":[],"metadata":{"total":21,"page":0,"size":10,"totalPages":3}}`},
		"more than fits a total": {`"total":9223372036854775807,"page":1,"size":10,"totalPages":3`, "totalPages to be 922337203685477581 for 9223372036854775807 items in pages of 10, got 3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if b := Metadata(returned("transaction list request", "", 200, `{"data":[],"metadata":{`+c.metadata+`}}`)); b != nil {
				got = b.Expected + ", got " + b.Got
			}
			assert.Equal(t, c.want, got)
		})
	}
}
