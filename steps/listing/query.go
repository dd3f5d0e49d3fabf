package listing

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
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

// Fit says whether an item belongs into the list of a query.
type Fit int

// An item is uncertain if the scenario knows too little of it, or the meaning of the filter is open: see bound and
// isSameKey.
const (
	Outside Fit = iota
	Uncertain
	Inside
)

// Fit says whether an item belongs into the list of the query, as far as the scenario knows.
func (q Query) Fit(k *Item) Fit {
	if !k.Own {
		return Outside
	}
	least := Inside
	for filter, value := range q.Filters {
		least = min(least, k.fits(filter, value))
	}
	return least
}

// fits compares an item with one filter.
func (k *Item) fits(filter, value string) Fit {
	may := k.Values[filter]
	isSame := func(key string) bool { return isSameKey(key, value) }
	switch {
	case filter == "startDate" || filter == "endDate":
		if k.Created.IsZero() {
			return Uncertain
		}
		return boundOf(filter, value).fits(k.Created)
	case len(may) == 0:
		return Uncertain
	case slices.Contains(may, value):
		if len(may) == 1 {
			return Inside
		}
		return Uncertain
	case filter == "pixKey" && slices.ContainsFunc(may, isSame):
		return Uncertain
	}
	return Outside
}

// isSameKey reports whether two texts may be the same key: a UUID is valid with hyphens and without, a phone
// number with +55 and without, and the case of letters may not count.
func isSameKey(a, b string) bool {
	plain := func(key string) string {
		if !strings.Contains(key, "@") {
			key = strings.TrimPrefix(strings.ReplaceAll(key, "-", ""), "+55")
		}
		return strings.ToLower(key)
	}
	return plain(a) == plain(b)
}

// bound is an end of an interval. Whether it is part of the interval, and in which zone the day of a date begins and
// ends, is open ("the list of one date"). So it lies somewhere between two instants.
type bound struct {
	isStart          bool
	earliest, latest time.Time
}

// The zones of the world lie this far from UTC.
const (
	mostEastern = 14 * time.Hour
	mostWestern = 12 * time.Hour
)

func boundOf(filter, value string) bound {
	b := bound{isStart: filter == "startDate"}
	if day, err := time.Parse(time.DateOnly, value); err == nil {
		b.earliest, b.latest = day.Add(-mostEastern), day.Add(mostWestern)
		if !b.isStart {
			b.latest = b.latest.Add(24 * time.Hour)
		}
		return b
	}
	b.earliest, _ = time.Parse(time.RFC3339, value)
	b.latest = b.earliest
	return b
}

// fits compares a time of creation, which was listed to the second at least, and keeps a second off.
func (b bound) fits(created time.Time) Fit {
	from, to := created.Truncate(time.Second).Add(-time.Second), created.Truncate(time.Second).Add(2*time.Second)
	isAfter, isBefore := !from.Before(b.latest), !to.After(b.earliest)
	switch {
	case b.isStart && isAfter, !b.isStart && isBefore:
		return Inside
	case b.isStart && isBefore, !b.isStart && isAfter:
		return Outside
	}
	return Uncertain
}

// OutsideDates: a list shows what was created, and last changed, outside of the interval in its query; of a case, its
// payment as well. Which of these times counts is open ("the time that a date filter compares"), and so is what an
// inverted interval returns ("startDate after endDate"). A list that lags shows less, but nothing else.
func OutsideDates(t *record.Attempt) (all []Breach) {
	rule := map[bool]string{true: "med.date-filter", false: "lists.dates"}[t.Op.ID == "listMeds"]
	q := Query{}
	bounds := []string{"startDate", "endDate"}
	for _, filter := range bounds {
		if asked := t.Query()[filter]; len(asked) == 1 && isDateOrTime(asked[0]) {
			q = q.With(filter, asked[0])
		}
	}
	if !q.spansTime() {
		return nil
	}
	items, _ := t.Items()
	for _, filter := range bounds {
		value, asked := q.Filters[filter]
		for _, item := range items {
			if asked && isOutside(boundOf(filter, value), item) {
				all = append(all, Breach{
					Page: t, Rule: rule, Field: "createdAt", Expected: "only items within the " + filter + " that was asked for", Got: "another item",
				})
			}
		}
	}
	return all
}

// isOutside reports whether all times of an item are outside of a bound; those that it lacks do not count, except for
// the creation.
func isOutside(b bound, item any) bool {
	for field, ifUnknown := range map[string]bool{"createdAt": false, "processedAt": true, "updatedAt": true, "originalTransaction.dateTime": true} {
		is := ifUnknown
		if at, err := time.Parse(time.RFC3339, jsonvalue.Text(item, field)); err == nil {
			is = b.fits(at) == Outside
		}
		if !is {
			return false
		}
	}
	return true
}

func isDateOrTime(value string) bool {
	_, isDate := time.Parse(time.DateOnly, value)
	_, isTime := time.Parse(time.RFC3339, value)
	return isDate == nil || isTime == nil
}
