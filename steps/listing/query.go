package listing

import (
	"fmt"
	"maps"
	"net/url"

	"github.com/pixcert/pixcert/steps/api"
)

// Query is a list to read, page by page.
type Query struct {
	Filters map[string]string // with pixKey, which is in the path
	Size    int               // of a page; 0 for the default
	Beyond  bool              // also reads the page after the last
}

// With is the query with one more filter.
func (q Query) With(filter, value string) Query {
	filters := map[string]string{}
	maps.Copy(filters, q.Filters)
	filters[filter] = value
	q.Filters = filters
	return q
}

// PixKey is the key of a list by key; empty for other lists.
func (q Query) PixKey() string { return q.Filters["pixKey"] }

// Page is the query of a page; the first page of the default size needs no parameters.
func (q Query) Page(op *api.Operation, n int) url.Values {
	query := url.Values{}
	for name, value := range q.Filters {
		if name != "pixKey" {
			query.Set(name, value)
		}
	}
	if n > 1 || q.Size > 0 {
		query.Set("page", fmt.Sprint(n))
	}
	if q.Size > 0 {
		query.Set(op.SizeParameter(), fmt.Sprint(q.Size))
	}
	return query
}

// FiltersByID: only what has the id of a payment is listed, which excludes the history of an account.
func (q Query) FiltersByID() bool { return q.Filters["externalId"]+q.Filters["endToEndId"] != "" }

// inPagesOf is the query in pages of so many items, and with the page after the last.
func (q Query) inPagesOf(size int) Query {
	q.Size, q.Beyond = size, true
	return q
}

// key identifies what is read.
func (q Query) key(op *api.Operation) string {
	return fmt.Sprint(q.PixKey(), "?", q.Page(op, 1).Encode(), q.Beyond)
}

// spansTime reports whether the query's interval, if it gives both ends, has a length. What an inverted one returns is
// open ("startDate after endDate").
func (q Query) spansTime() bool {
	start, end := q.Filters["startDate"], q.Filters["endDate"]
	return start == "" || end == "" || boundOf("startDate", start).earliest.Before(boundOf("endDate", end).earliest)
}
