package judge

import (
	"fmt"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

// filterValues are all values of the filters that have only some, in the order in which they are tried.
func filterValues(op *api.Operation, filter string) []string {
	if filter == "type" {
		return api.Spelled(api.PixIn, api.PixOut, api.RefundOut, api.RefundIn)
	}
	return op.FilterValues(filter)
}

// queries collects the lists to read: for each filter or each pair of filters those that a known
// item matches, in small pages, and those that it misses narrowly.
type queries struct {
	op    *api.Operation
	known []*known
	since string // the startDate of every list that has no other; empty for none
	all   []listQuery
	keys  map[string]bool
	turn  int  // so that the queries differ in what they are about
	byDay bool // dates are sent without a time, every other turn
}

func (qs *queries) add(q listQuery) {
	if qs.since != "" && q.filters["startDate"] == "" && !q.filtersByID() {
		q = q.with("startDate", qs.since)
	}
	if key := fmt.Sprint(q.key(qs.op), q.beyond); q.spansTime() && !qs.keys[key] {
		qs.keys[key] = true
		qs.all = append(qs.all, q)
		qs.turn++
		qs.byDay = qs.turn%2 == 1
	}
}

// own are the known items of the account, beginning with another one each turn.
func (qs *queries) own() []*known {
	own := slices.DeleteFunc(slices.Clone(qs.known), func(k *known) bool { return !k.own || qs.base(k).filters == nil })
	if len(own) == 0 {
		return nil
	}
	n := qs.turn % len(own)
	return slices.Concat(own[n:], own[:n])
}

// base is the query of all lists that can contain an item: its key is in the path of a list by key.
func (qs *queries) base(k *known) listQuery {
	if qs.op.ID != "listTransactionsByKey" {
		return listQuery{filters: map[string]string{}}
	}
	key, ok := k.value("pixKey")
	if !ok || key == "" {
		return listQuery{}
	}
	return listQuery{filters: map[string]string{"pixKey": key}}
}

// lookups are the lists by which the known items are found, and what they show of them is learned;
// those of another account are not found.
func (qs *queries) lookups() {
	for _, k := range qs.known {
		q := qs.base(k)
		if id, ok := k.value("externalId"); ok && qs.op.ID == "listTransactions" {
			q = q.with("externalId", id)
		}
		if q.filters != nil {
			qs.add(q)
		}
	}
}

// isSparing: how many MED lists a gateway returns in a minute is left open.
func (qs *queries) isSparing() bool { return qs.op.ID == "listMeds" }

// filtered reads the list by each filter, and by so many filters together.
func (qs *queries) filtered(together int) {
	if together < 3 {
		qs.unfiltered()
		qs.each()
	}
	if together > 1 {
		for _, filters := range choose(together, api.Lists[qs.op.ID].Filters) {
			qs.together(filters)
		}
	}
}

// unfiltered reads the whole list in pages of several sizes.
func (qs *queries) unfiltered() {
	own := qs.own()
	if len(own) == 0 && qs.op.ID != "listTransactionsByKey" {
		qs.add(listQuery{}.of(1))
	}
	for _, k := range own {
		base := qs.base(k)
		if qs.matched(base) > mostSmall || qs.isSparing() {
			qs.add(qs.inPages(base))
			continue
		}
		for size := 1; size <= 3; size++ {
			qs.add(base.of(size))
		}
	}
}

// each reads the list by each filter alone.
func (qs *queries) each() {
	for _, filter := range api.Lists[qs.op.ID].Filters {
		for _, value := range filterValues(qs.op, filter) {
			for _, k := range qs.own() {
				q := qs.base(k).with(filter, value)
				n := qs.matched(q)
				if n > 1 || n > 0 && !qs.isSparing() {
					qs.add(qs.inPages(q))
				}
				if n == 0 || n == 1 == qs.isSparing() {
					qs.add(q)
				}
			}
		}
		if filterValues(qs.op, filter) != nil {
			continue
		}
		own := qs.own()
		slices.SortStableFunc(own, func(a, b *known) int { return qs.divides(filter, b) - qs.divides(filter, a) })
		for n, k := range own {
			if n == mostExamples || n > 0 && qs.isSparing() {
				break
			}
			if value, ok := qs.hit(filter, k); ok {
				qs.add(qs.inPages(qs.base(k).with(filter, value)))
			}
			if value, ok := qs.miss(filter, k); ok {
				qs.add(qs.base(k).with(filter, value))
			}
		}
	}
	qs.near()
}

// divides is 1 if a filter with the value of an item leaves several of the items, but not all: only then
// a later page shows whether it is filtered too.
func (qs *queries) divides(filter string, k *known) int {
	value, ok := qs.hit(filter, k)
	q := qs.base(k)
	if n := qs.matched(q.with(filter, value)); ok && n > 1 && n < qs.matched(q) {
		return 1
	}
	return 0
}

// A list is read in pages of one or two items, or in about three pages if it has many items. A filter
// with a value for each item is tried with some of them.
const (
	mostSmall    = 8
	mostExamples = 3
)

// inPages reads a list in several pages, and the one after the last.
func (qs *queries) inPages(q listQuery) listQuery {
	n := qs.matched(q)
	switch {
	case n > mostSmall:
		q = q.of((n + qs.turn%2) / 3)
	case n > 2:
		q = q.of(1 + qs.turn%2)
	default:
		q = q.of(1)
	}
	q.beyond = !qs.isSparing() || len(q.filters) == 0
	return q
}

// near reads the list by ids and keys that are nearly those of an item.
func (qs *queries) near() {
	for _, filter := range []string{"externalId", "endToEndId"} {
		for _, k := range qs.own() {
			id, ok := k.value(filter)
			if !ok || qs.op.ID != "listTransactions" {
				continue
			}
			for _, value := range nearIDs(filter, id) {
				qs.add(listQuery{}.with(filter, value))
			}
			break
		}
	}
	if own := qs.own(); len(own) > 0 {
		q := qs.base(own[0])
		for _, key := range nearKeys(q.filters["pixKey"]) {
			qs.add(q.with("pixKey", key))
		}
	}
}

// together reads the list by some filters: one query that an item matches, and for each filter one that it
// misses in that only.
func (qs *queries) together(filters []string) {
	qs.first(func(k, _ *known) (listQuery, bool) {
		q, ok := qs.of(k, filters, "", nil)
		return qs.inPages(q), ok && fitOf(k, q) == inside
	})
	for _, missed := range slices.Backward(filters) {
		qs.first(func(k, other *known) (listQuery, bool) {
			q, ok := qs.of(k, filters, missed, other)
			return q, ok && fitOf(k, q) == outside
		})
	}
}

// choose returns all choices of n of some filters.
func choose(n int, filters []string) (all [][]string) {
	if n == 0 {
		return [][]string{nil}
	}
	for i, first := range filters {
		for _, others := range choose(n-1, filters[i+1:]) {
			all = append(all, append([]string{first}, others...))
		}
	}
	return all
}

// first adds the first query that makes sense of those about two items, which may be the same.
func (qs *queries) first(choose func(k, other *known) (listQuery, bool)) {
	own := qs.own()
	for range 2 {
		for n := range own {
			for m := range own {
				if q, ok := choose(own[m], own[(m+n)%len(own)]); ok && q.spansTime() {
					qs.add(q)
					return
				}
			}
		}
		qs.byDay = !qs.byDay
	}
}

// of is a query that an item matches in each of some filters but one, whose value is about another item.
func (qs *queries) of(k *known, filters []string, missed string, other *known) (listQuery, bool) {
	q := qs.base(k)
	for _, filter := range filters {
		value, ok := "", false
		if filter == missed {
			value, ok = qs.miss(filter, other)
		} else {
			value, ok = qs.hit(filter, k)
		}
		if !ok {
			return q, false
		}
		q = q.with(filter, value)
	}
	return q, true
}

// matched counts the items that match a query for sure.
func (qs *queries) matched(q listQuery) int {
	n := 0
	for _, k := range qs.known {
		if fitOf(k, q) == inside {
			n++
		}
	}
	return n
}

// hit is a value of a filter that an item matches. No date lies in the future.
func (qs *queries) hit(filter string, k *known) (string, bool) {
	switch filter {
	case "startDate":
		if qs.byDay {
			return date(k.created, -1), !k.created.IsZero()
		}
		return instant(k.created, -2), !k.created.IsZero()
	case "endDate":
		if qs.hasLater(k, 3) && qs.byDay {
			return date(k.created, 2), true
		}
		return instant(k.created, 2), qs.hasLater(k, 0)
	}
	return k.value(filter)
}

// miss is a value of a filter that an item misses, and another one matches if possible.
func (qs *queries) miss(filter string, k *known) (string, bool) {
	switch filter {
	case "startDate":
		if qs.hasLater(k, 3) && qs.byDay {
			return date(k.created, 2), true
		}
		return instant(k.created, 2), qs.hasLater(k, 0)
	case "endDate":
		if qs.byDay {
			return date(k.created, -2), !k.created.IsZero()
		}
		return instant(k.created, -1), !k.created.IsZero()
	}
	var values []string
	for _, other := range qs.known {
		if value, ok := other.value(filter); ok && !slices.Contains(k.values[filter], value) && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	if len(values) == 0 {
		values = slices.DeleteFunc(filterValues(qs.op, filter), func(value string) bool { return slices.Contains(k.values[filter], value) })
	}
	if len(values) == 0 || len(k.values[filter]) == 0 {
		return "", false
	}
	return values[qs.turn%len(values)], true
}

// hasLater reports whether an item was created so much later than another one that a date between
// the two, or so many days after the first, has passed.
func (qs *queries) hasLater(k *known, days int) bool {
	after := k.created.Add(4 * time.Second)
	if days > 0 {
		after = k.created.AddDate(0, 0, days)
	}
	return !k.created.IsZero() && slices.ContainsFunc(qs.known, func(other *known) bool { return other.own && !other.created.Before(after) })
}

func instant(t time.Time, seconds int) string {
	return t.UTC().Truncate(time.Second).Add(time.Duration(seconds) * time.Second).Format(time.RFC3339)
}

func date(t time.Time, days int) string { return t.UTC().AddDate(0, 0, days).Format(time.DateOnly) }
