package judge

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
)

// listQuery is a list to read, page by page.
type listQuery struct {
	filters map[string]string // with pixKey, which is in the path
	size    int               // 0 for the default
	beyond  bool              // also reads the page after the last
}

func (q listQuery) with(filter, value string) listQuery {
	filters := map[string]string{}
	maps.Copy(filters, q.filters)
	filters[filter] = value
	q.filters = filters
	return q
}

// of is the query in pages of so many items, and with the page after the last.
func (q listQuery) of(size int) listQuery {
	q.size, q.beyond = size, true
	return q
}

// page is the query of a page; the first page of the default size needs no parameters.
func (q listQuery) page(op *api.Operation, n int) url.Values {
	query := url.Values{}
	for name, value := range q.filters {
		if name != "pixKey" {
			query.Set(name, value)
		}
	}
	if n > 1 || q.size > 0 {
		query.Set("page", fmt.Sprint(n))
	}
	if q.size > 0 {
		query.Set(op.SizeParameter(), fmt.Sprint(q.size))
	}
	return query
}

func (q listQuery) key(op *api.Operation) string {
	return q.filters["pixKey"] + "?" + q.page(op, 1).Encode()
}

// filtersByID leave only what the scenario knows.
func (q listQuery) filtersByID() bool { return q.filters["externalId"]+q.filters["endToEndId"] != "" }

// spansTime reports whether the query's interval, if it gives both ends, has a length. What an
// inverted one returns is left open.
func (q listQuery) spansTime() bool {
	start, end := q.filters["startDate"], q.filters["endDate"]
	return start == "" || end == "" || boundOf("startDate", start).earliest.Before(boundOf("endDate", end).earliest)
}

// fit says whether an item belongs into the list of a query.
type fit int

const (
	outside fit = iota
	uncertain
	inside
)

// fitOf says whether an item belongs into the list of a query, as far as the scenario knows.
func fitOf(k *known, q listQuery) fit {
	if !k.own {
		return outside
	}
	least := inside
	for filter, value := range q.filters {
		is := uncertain
		switch of := k.values[filter]; {
		case filter == "startDate" || filter == "endDate":
			if !k.created.IsZero() {
				is = boundOf(filter, value).fits(k.created)
			}
		case len(of) == 0:
		case !slices.Contains(of, value):
			if is = outside; filter == "pixKey" && slices.ContainsFunc(of, func(key string) bool { return isSameKey(key, value) }) {
				is = uncertain
			}
		case len(of) == 1:
			is = inside
		}
		least = min(least, is)
	}
	return least
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

// bound is an end of an interval. Whether it is part of it, and in which zone the day of a date
// begins and ends, is left open, so that it lies somewhere between two instants.
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
func (b bound) fits(created time.Time) fit {
	from, to := created.Truncate(time.Second).Add(-time.Second), created.Truncate(time.Second).Add(2*time.Second)
	isAfter, isBefore := !from.Before(b.latest), !to.After(b.earliest)
	switch {
	case b.isStart && isAfter, !b.isStart && isBefore:
		return inside
	case b.isStart && isBefore, !b.isStart && isAfter:
		return outside
	}
	return uncertain
}

// shownIn returns the field of an item that a filter is about, and how it shows a value.
func shownIn(op *api.Operation, filter, value string) (field, shown string) {
	switch {
	case filter == "pixKey", filter == "startDate", filter == "endDate":
		return "", ""
	case filter == "type" && api.TransactionType(value).Label() != "":
		return "operationType", string(api.TransactionType(value).Label())
	case filter == "status" && op.ID != "listMeds" && api.State(value).Label() != "":
		return "status", string(api.State(value).Label())
	}
	return filter, value
}

// unlike returns why an item does not match a query by what it shows itself; empty if it does.
func unlike(op *api.Operation, q listQuery, item any) (want, got string) {
	for _, filter := range slices.Sorted(maps.Keys(q.filters)) {
		value := q.filters[filter]
		if field, shown := shownIn(op, filter, value); field != "" {
			if v, _ := jsonvalue.Lookup(item, field); jsonvalue.Plain(v) != shown {
				return fmt.Sprintf("%s %q", field, shown), fmt.Sprintf("%s %q", field, jsonvalue.Plain(v))
			}
			continue
		}
		text := jsonvalue.Text(item, "createdAt")
		created, err := time.Parse(time.RFC3339, text)
		if filter != "pixKey" && err == nil && boundOf(filter, value).fits(created) == outside {
			return "createdAt " + map[string]string{"startDate": "after the ", "endDate": "before the "}[filter] + filter, "createdAt " + text
		}
	}
	return "", ""
}

// nearKeys are valid keys that are not the key, but nearly.
func nearKeys(key string) []string {
	name, domain, isEmail := strings.Cut(key, "@")
	if !isEmail || len(name) < 3 {
		return nil
	}
	return []string{name[:len(name)-1] + "@" + domain, name[1:] + "@" + domain, key[:len(key)-1], key + ".br"}
}

// nearIDs are ids that are not the id, but nearly.
func nearIDs(filter, id string) []string {
	last := "0"
	if strings.HasSuffix(id, last) {
		last = "1"
	}
	changed := id[:len(id)-1] + last
	if filter == "endToEndId" { // one of another length is malformed
		return []string{changed, id[:len(id)-11] + OtherCase(id[len(id)-11:])}
	}
	near := []string{changed, id[:len(id)-1], id[1:], id + "1"} // whether another case is another externalId is left open
	if strings.Contains(id, "_") {                              // which stands for any character in a pattern
		near = append(near, id[:len(id)-1]+"_")
	}
	return near
}

// OtherCase is a text whose letters have the other case.
func OtherCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}
