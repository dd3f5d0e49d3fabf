package listing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// item is a listed transaction.
func item(n int, more string) string {
	return fmt.Sprintf(`{"transactionId":"tx-%d","externalId":"Order-%d","operationType":"Pix out","originalAmount":%d.00%s}`, n, n, n, more)
}

// onPages is a page of a list of so many transactions, one a page.
func onPages(page, total int, items ...string) *record.Attempt {
	return returned("transaction list request", fmt.Sprintf("page=%d&size=1", page), 200, fmt.Sprintf(
		`{"data":[%s],"metadata":{"page":%d,"size":1,"total":%d,"totalPages":%d,"hasNext":%t,"hasPrevious":%t}}`,
		strings.Join(items, ","), page, total, total, page < total, page > 1))
}

// twoPayments are two payments of the account, and one of another.
func twoPayments() *List {
	values := func(externalID string) map[string][]string {
		return map[string][]string{"type": api.Spelled(api.PixOut), "externalId": {externalID}}
	}
	return &List{Op: api.MustNamed("transaction list request"), Items: []*Item{
		{Name: "payment 1", Own: true, ID: "tx-1", Amount: 1_00, Values: values("Order-1")},
		{Name: "payment 2", Own: true, ID: "tx-2", Amount: 2_00, Values: values("Order-2")},
		{Name: "payment 3", ID: "tx-3", Values: values("Order-3")},
	}}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	whole := Query{Size: 1}
	const lag, change, none = Lag, Change, NoExcuse
	for name, c := range map[string]struct {
		change func(*List)
		query  Query
		pages  []*record.Attempt
		want   string // field: expected, got
		excuse Excuse
	}{
		"all":                     {nil, whole, []*record.Attempt{onPages(1, 2, item(1, "")), onPages(2, 2, item(2, ""))}, "", none},
		"the page after the last": {nil, whole, []*record.Attempt{onPages(1, 2, item(1, "")), onPages(2, 2, item(2, "")), onPages(3, 2, item(2, ""))}, "", none},
		"it is rejected":          {nil, whole, []*record.Attempt{onPages(1, 2, item(1, "")), onPages(2, 2, item(2, "")), returned("transaction list request", "page=3", 404, `{}`)}, "", none},
		"one is missing":          {nil, whole, []*record.Attempt{onPages(1, 1, item(2, ""))}, "data: GET /api/transactions?page=1&size=1 to list payment 1 and payment 2, no payment 1", lag},
		"one twice":               {nil, whole, []*record.Attempt{onPages(1, 2, item(1, "")), onPages(2, 2, item(1, ""))}, "data: GET /api/transactions?page=2&size=1 to list payment 1 once, it twice", lag},
		"one twice on a page":     {nil, whole, []*record.Attempt{onPages(1, 2, item(1, ""), item(1, ""))}, "data: GET /api/transactions?page=1&size=1 to list payment 1 once, it twice", none},
		"that of another account": {nil, whole, []*record.Attempt{onPages(1, 2, item(3, ""))}, "data[0]: GET /api/transactions?page=1&size=1 to list only payment 1 and payment 2, also payment 3", lag},
		"one that nobody made":    {nil, whole, []*record.Attempt{onPages(1, 2, item(9, ""))}, "data[0]: GET /api/transactions?page=1&size=1 to list only payment 1 and payment 2, also another transaction: Pix out of R$ 9.00 (tx-9)", lag},
		"another amount":          {nil, whole, []*record.Attempt{onPages(1, 2, strings.Replace(item(1, ""), "1.00", "1.01", 1))}, "data[0]: GET /api/transactions?page=1&size=1 to list payment 1 with originalAmount R$ 1.00, 1.01", lag},
		"another type":            {nil, whole, []*record.Attempt{onPages(1, 2, strings.Replace(item(1, ""), "Pix out", "Pix in", 1))}, `data[0]: GET /api/transactions?page=1&size=1 to list payment 1 with operationType "Pix out", operationType "Pix in"`, lag},
		"too few on a page":       {nil, whole, []*record.Attempt{onPages(1, 2)}, "data: GET /api/transactions?page=1&size=1 to return 1 item, since metadata.total is 2, 0", change},
		"another page and size":   {nil, Query{Size: 2}, []*record.Attempt{onPages(2, 2, item(1, ""))}, "metadata.page: GET /api/transactions?page=2&size=1 to return metadata.page 1, 2", change},
		"a list of everything":    {nil, whole, []*record.Attempt{onPages(1, 1, item(1, ""), item(9, ""))}, "data[1]: GET /api/transactions?page=1&size=1 to list only payment 1 and payment 2, also another transaction: Pix out of R$ 9.00 (tx-9)", none},
		"a bad request":           {nil, whole, []*record.Attempt{returned("transaction list request", "", 400, `{}`)}, ": GET /api/transactions to return a page, 400", none},
		"an outage":               {nil, whole, []*record.Attempt{returned("transaction list request", "", 503, `{}`)}, ": GET /api/transactions to return a page, 503", lag},
		"what it may contain":     {func(l *List) { l.More = true }, whole, []*record.Attempt{onPages(1, 3, item(9, "")), onPages(2, 3, item(1, "")), onPages(3, 3, item(2, ""))}, "", none},
		"by an id":                {func(l *List) { l.More = true }, whole.With("externalId", "Order-1"), []*record.Attempt{onPages(1, 1, item(9, ""))}, "data[0]: GET /api/transactions?page=1&size=1 to list only payment 1, also another transaction: Pix out of R$ 9.00 (tx-9)", lag},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := twoPayments()
			if c.change != nil {
				c.change(l)
			}
			b := l.Check(c.query, c.pages)
			if b == nil {
				assert.Empty(t, c.want)
				return
			}
			assert.Equal(t, c.want, b.Field+": "+b.Expected+", "+b.Got)
			assert.Equal(t, c.excuse, b.Excuse)
		})
	}
}

func TestAStrangerIsTyped(t *testing.T) {
	t.Parallel()
	b := twoPayments().Check(Query{Size: 1}, []*record.Attempt{onPages(1, 2, item(9, ""))})
	require.NotNil(t, b)
	assert.Equal(t, verdict.About{Kind: verdict.Listing, Stranger: true}, b.About)
}

// Until the lookups are read, items are learned; after that, unknown ones are adopted, and missed when a later list
// lacks them.
func TestCheckLearns(t *testing.T) {
	t.Parallel()
	l := twoPayments()
	pages := []*record.Attempt{onPages(1, 2, item(1, `,"createdAt":"2026-03-01T10:00:00Z","status":"Confirmado"`)), onPages(2, 2, item(2, ""))}
	require.Nil(t, l.Check(Query{Size: 1}, pages))
	assert.Equal(t, []string{"CONFIRMED"}, l.Items[0].Values["status"])
	assert.False(t, l.Items[0].Created.IsZero())

	l.Learned, l.More = true, true
	refund := onPages(1, 3, `{"transactionId":"tx-9","operationType":"Refund in","originalAmount":1.00}`)
	require.Nil(t, l.Check(Query{Size: 1}, []*record.Attempt{refund, onPages(2, 3, item(1, `,"status":"Confirmado"`)), onPages(3, 3, item(2, ""))}))
	require.Len(t, l.Items, 4)
	b := l.Check(Query{Size: 1}, pages)
	require.NotNil(t, b)
	assert.Equal(t, "no item listed before (Refund in of R$ 1.00)", b.Got)
}

func TestHasRead(t *testing.T) {
	t.Parallel()
	two := []*record.Attempt{onPages(1, 2, item(1, "")), onPages(2, 2, item(2, ""))}
	l := twoPayments()
	assert.False(t, l.HasRead(Query{}, nil))
	assert.False(t, l.HasRead(Query{}, two[:1]))
	assert.True(t, l.HasRead(Query{}, two))
	assert.False(t, l.HasRead(Query{Beyond: true}, two))
	assert.True(t, l.HasRead(Query{Beyond: true}, append(two, onPages(3, 2))))
	assert.True(t, l.HasRead(Query{}, []*record.Attempt{onPages(1, 9)}), "an empty page is the last")
	assert.True(t, l.HasRead(Query{}, []*record.Attempt{onPages(1, 9, item(1, ""), item(2, ""))}), "more than the size of a page")
}

// A list may never end: its walk does.
func TestAWalkOfOverfullPagesEnds(t *testing.T) {
	t.Parallel()
	var pages []*record.Attempt
	for n := range maxOverfull + 1 {
		pages = append(pages, onPages(n+1, 1_000_000, item(2*n, ""), item(2*n+1, "")))
	}
	read, done := Walk(pages[:maxOverfull-1])
	assert.Len(t, read, maxOverfull-1)
	assert.False(t, done)
	read, done = Walk(pages)
	assert.Len(t, read, maxOverfull)
	assert.True(t, done)
	require.NotNil(t, Overfull(read))
	assert.Equal(t, "at most 1 items with size 1", Overfull(read).Expected)
	assert.Nil(t, Overfull([]*record.Attempt{onPages(1, 2, item(1, ""))}))
}
