package listing

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pixcert/pixcert/steps/api"
)

// Lookups are the queries by which the known items are found, and what is not known of them is learned; those of
// another account are not found.
func (l *List) Lookups() []Query {
	p := l.plan()
	p.lookups()
	return p.all
}

// Queries are the queries by each filter, and by so many filters together, except those of the lookups. Call it
// when the items are learned.
func (l *List) Queries(together int) []Query {
	p := l.plan()
	p.lookups()
	p.all, p.since = nil, l.since()
	p.filtered(together)
	return p.all
}

// since is when the first of the account's items was created, if the list may contain more than is known; empty if
// it does not, or that is unknown.
func (l *List) since() string {
	var first time.Time
	for _, k := range l.Items {
		if k.Own && !k.Created.IsZero() && (first.IsZero() || k.Created.Before(first)) {
			first = k.Created
		}
	}
	if !l.More || first.IsZero() {
		return ""
	}
	return instant(first, -2)
}

// plan collects the lists to read: for each filter or each pair of filters those that a known
// item matches, in small pages, and those that it misses narrowly.
type plan struct {
	op    *api.Operation
	known []*Item
	since string // the startDate of every list that has no other; empty for none
	all   []Query
	keys  map[string]bool
	turn  int  // so that the queries differ in what they are about
	byDay bool // dates are sent without a time, every other turn
}

func (l *List) plan() *plan { return &plan{op: l.Op, known: l.Items, keys: map[string]bool{}} }

func (p *plan) add(q Query) {
	if p.since != "" && q.Filters["startDate"] == "" && !q.FiltersByID() {
		q = q.With("startDate", p.since)
	}
	if key := q.key(p.op); q.spansTime() && !p.keys[key] {
		p.keys[key] = true
		p.all = append(p.all, q)
		p.turn++
		p.byDay = p.turn%2 == 1
	}
}

// own are the known items of the account that the list can contain, beginning with another one each turn.
func (p *plan) own() []*Item {
	own := slices.DeleteFunc(slices.Clone(p.known), func(k *Item) bool { return !k.Own || !p.mayContain(k) })
	if len(own) == 0 {
		return nil
	}
	n := p.turn % len(own)
	return slices.Concat(own[n:], own[:n])
}

// isByKey: the key of the items is in the path.
func (p *plan) isByKey() bool { return p.op.ID == "listTransactionsByKey" }

// mayContain: a list by key contains an item only if its key is known.
func (p *plan) mayContain(k *Item) bool {
	key, _ := k.Value("pixKey")
	return !p.isByKey() || key != ""
}

// base is the query of all lists that can contain an item.
func (p *plan) base(k *Item) Query {
	if !p.isByKey() {
		return Query{}
	}
	key, _ := k.Value("pixKey")
	return Query{}.With("pixKey", key)
}

func (p *plan) lookups() {
	for _, k := range p.known {
		if !p.mayContain(k) {
			continue
		}
		q := p.base(k)
		if id, ok := k.Value("externalId"); ok && p.op.ID == "listTransactions" {
			q = q.With("externalId", id)
		}
		p.add(q)
	}
}

// isSparing: how many MED lists a gateway returns in a minute is open ("MED list requests above the limit").
func (p *plan) isSparing() bool { return p.op.ID == "listMeds" }

// filtered reads the list by each filter, and by so many filters together.
func (p *plan) filtered(together int) {
	if together < 3 {
		p.unfiltered()
		p.each()
	}
	if together > 1 {
		for _, filters := range choose(together, api.Lists[p.op.ID].Filters) {
			p.together(filters)
		}
	}
}

// unfiltered reads the whole list in pages of several sizes.
func (p *plan) unfiltered() {
	own := p.own()
	if len(own) == 0 && !p.isByKey() {
		p.add(Query{}.inPagesOf(1))
	}
	for _, k := range own {
		base := p.base(k)
		if p.matched(base) > mostSmall || p.isSparing() {
			p.add(p.inPages(base))
			continue
		}
		for size := 1; size <= 3; size++ {
			p.add(base.inPagesOf(size))
		}
	}
}

// each reads the list by each filter alone.
func (p *plan) each() {
	for _, filter := range api.Lists[p.op.ID].Filters {
		for _, value := range filterValues(p.op, filter) {
			for _, k := range p.own() {
				q := p.base(k).With(filter, value)
				n := p.matched(q)
				if n > 1 || n > 0 && !p.isSparing() {
					p.add(p.inPages(q))
				}
				if n == 0 || n == 1 == p.isSparing() {
					p.add(q)
				}
			}
		}
		if filterValues(p.op, filter) != nil {
			continue
		}
		own := p.own()
		slices.SortStableFunc(own, func(a, b *Item) int { return p.divides(filter, b) - p.divides(filter, a) })
		for n, k := range own {
			if n == mostExamples || n > 0 && p.isSparing() {
				break
			}
			if value, ok := p.hit(filter, k); ok {
				p.add(p.inPages(p.base(k).With(filter, value)))
			}
			if value, ok := p.miss(filter, k); ok {
				p.add(p.base(k).With(filter, value))
			}
		}
	}
	p.near()
}

// divides is 1 if a filter with the value of an item leaves several of the items, but not all: only then
// a later page shows whether it is filtered too.
func (p *plan) divides(filter string, k *Item) int {
	value, ok := p.hit(filter, k)
	q := p.base(k)
	if n := p.matched(q.With(filter, value)); ok && n > 1 && n < p.matched(q) {
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
func (p *plan) inPages(q Query) Query {
	n := p.matched(q)
	switch {
	case n > mostSmall:
		q = q.inPagesOf((n + p.turn%2) / 3)
	case n > 2:
		q = q.inPagesOf(1 + p.turn%2)
	default:
		q = q.inPagesOf(1)
	}
	q.Beyond = !p.isSparing() || len(q.Filters) == 0
	return q
}

// near reads the list by ids and keys that are nearly those of an item.
func (p *plan) near() {
	for _, filter := range []string{"externalId", "endToEndId"} {
		for _, k := range p.own() {
			id, ok := k.Value(filter)
			if !ok || p.op.ID != "listTransactions" {
				continue
			}
			for _, value := range nearIDs(filter, id) {
				p.add(Query{}.With(filter, value))
			}
			break
		}
	}
	if own := p.own(); len(own) > 0 {
		q := p.base(own[0])
		for _, key := range nearKeys(q.PixKey()) {
			p.add(q.With("pixKey", key))
		}
	}
}

// together reads the list by some filters: one query that an item matches, and for each filter one that it
// misses in that only.
func (p *plan) together(filters []string) {
	p.first(func(k, _ *Item) (Query, bool) {
		q, ok := p.of(k, filters, "", nil)
		return p.inPages(q), ok && q.Fit(k) == Inside
	})
	for _, missed := range slices.Backward(filters) {
		p.first(func(k, other *Item) (Query, bool) {
			q, ok := p.of(k, filters, missed, other)
			return q, ok && q.Fit(k) == Outside
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
func (p *plan) first(choose func(k, other *Item) (Query, bool)) {
	own := p.own()
	for range 2 {
		for n := range own {
			for m := range own {
				if q, ok := choose(own[m], own[(m+n)%len(own)]); ok && q.spansTime() {
					p.add(q)
					return
				}
			}
		}
		p.byDay = !p.byDay
	}
}

// of is a query that an item matches in each of some filters but one, whose value is about another item.
func (p *plan) of(k *Item, filters []string, missed string, other *Item) (Query, bool) {
	q := p.base(k)
	for _, filter := range filters {
		value, ok := "", false
		if filter == missed {
			value, ok = p.miss(filter, other)
		} else {
			value, ok = p.hit(filter, k)
		}
		if !ok {
			return q, false
		}
		q = q.With(filter, value)
	}
	return q, true
}

// matched counts the items that match a query for sure.
func (p *plan) matched(q Query) int {
	n := 0
	for _, k := range p.known {
		if q.Fit(k) == Inside {
			n++
		}
	}
	return n
}

// hit is a value of a filter that an item matches. No date lies in the future.
func (p *plan) hit(filter string, k *Item) (string, bool) {
	switch filter {
	case "startDate":
		if p.byDay {
			return date(k.Created, -1), !k.Created.IsZero()
		}
		return instant(k.Created, -2), !k.Created.IsZero()
	case "endDate":
		return p.after(k)
	}
	return k.Value(filter)
}

// after is a date after an item was created, and before another one was if possible.
func (p *plan) after(k *Item) (string, bool) {
	if p.hasLater(k, 3) && p.byDay {
		return date(k.Created, 2), true
	}
	return instant(k.Created, 2), p.hasLater(k, 0)
}

// miss is a value of a filter that an item misses, and another one matches if possible.
func (p *plan) miss(filter string, k *Item) (string, bool) {
	switch filter {
	case "startDate":
		return p.after(k)
	case "endDate":
		if p.byDay {
			return date(k.Created, -2), !k.Created.IsZero()
		}
		return instant(k.Created, -1), !k.Created.IsZero()
	}
	var values []string
	for _, other := range p.known {
		if value, ok := other.Value(filter); ok && !slices.Contains(k.Values[filter], value) && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	if len(values) == 0 {
		values = slices.DeleteFunc(filterValues(p.op, filter), func(value string) bool { return slices.Contains(k.Values[filter], value) })
	}
	if len(values) == 0 || len(k.Values[filter]) == 0 {
		return "", false
	}
	return values[p.turn%len(values)], true
}

// hasLater reports whether an item was created so much later than another one that a date between
// the two, or so many days after the first, has passed.
func (p *plan) hasLater(k *Item, days int) bool {
	after := k.Created.Add(4 * time.Second)
	if days > 0 {
		after = k.Created.AddDate(0, 0, days)
	}
	return !k.Created.IsZero() && slices.ContainsFunc(p.known, func(other *Item) bool { return other.Own && !other.Created.Before(after) })
}

func instant(t time.Time, seconds int) string {
	return t.UTC().Truncate(time.Second).Add(time.Duration(seconds) * time.Second).Format(time.RFC3339)
}

func date(t time.Time, days int) string { return t.UTC().AddDate(0, 0, days).Format(time.DateOnly) }

// filterValues are all values of the filters that have only some, in the order in which they are tried.
func filterValues(op *api.Operation, filter string) []string {
	if filter == "type" {
		return api.Spelled(api.PixIn, api.PixOut, api.RefundOut, api.RefundIn)
	}
	return op.FilterValues(filter)
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
	near := []string{changed, id[:len(id)-1], id[1:], id + "1"} // whether another case is another externalId is open ("the case of an externalId")
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
