package listing

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// Check compares the pages of a query with what is known, and returns the first breach; nil if there is none. The
// page after the last may be rejected, be empty, or repeat what the list contains. What a page shows of an item is
// learned at once, and stays known if another page is wrong.
func (l *List) Check(q Query, pages []*record.Attempt) *Breach {
	r := &reading{List: l, query: q, pages: pages, found: map[*Item]*record.Attempt{}}
	for n, t := range pages {
		if b := r.page(n, t); b != nil {
			if overfull(t) != nil {
				b.Excuse = NoExcuse
			}
			return b
		}
	}
	return r.whole()
}

// reading compares the pages of one query.
type reading struct {
	*List
	query Query
	pages []*record.Attempt
	found map[*Item]*record.Attempt // the page that contains it
	total int                       // items
}

// isBeyond: a page is after the last one.
func (r *reading) isBeyond(n int) bool { return n > 0 && n+1 > TotalPages(r.pages[0]) }

func (r *reading) page(n int, t *record.Attempt) *Breach {
	items, ok := t.Items()
	switch {
	case r.isBeyond(n) && t.Status/100 == 4:
		return nil
	case !t.Accepted() || !ok:
		return noPage(t)
	}
	for at, item := range items {
		if b := r.item(t, item); b != nil {
			b.Field = fmt.Sprintf("data[%d]", at)
			return b
		}
		k := r.known(item)
		switch {
		case k == nil || r.isBeyond(n):
		case r.found[k] != nil:
			return r.twice(k, t)
		default:
			r.found[k] = t
		}
	}
	if r.isBeyond(n) {
		return nil
	}
	r.total += len(items)
	return arithmetic(r.query, t, n+1, len(items))
}

func noPage(t *record.Attempt) *Breach {
	b := &Breach{
		Page: t, Expected: Request(t) + " to return a page", Got: t.Summary(), Excuse: Lag,
		About: verdict.About{Kind: verdict.Rejection, Status: t.Status, Code: string(t.Code())},
	}
	if t.Status == http.StatusBadRequest || t.Status == http.StatusUnprocessableEntity {
		b.Excuse = NoExcuse
	}
	return b
}

// twice: an item is listed twice. Between two pages of different lists it may have moved.
func (r *reading) twice(k *Item, t *record.Attempt) *Breach {
	b := &Breach{Page: t, Field: "data", Expected: Request(t) + " to list " + k.Name + " once", Got: "it twice", Excuse: Lag}
	if first := r.found[k]; first == t || r.isOneList(first, t) {
		b.Excuse = NoExcuse
	}
	return b
}

// isOneList: two pages are of the same cases, since cases are only added, and none was between them. Payments
// settle at any time.
func (r *reading) isOneList(a, b *record.Attempt) bool {
	total := func(t *record.Attempt) string { return jsonvalue.Text(t.Answer, "metadata.total") }
	return b.Op.ID == "listMeds" && !r.More && r.query.Filters["status"] == "" && total(a) == total(b)
}

// item compares a listed item with the query and with what is known of it.
func (r *reading) item(t *record.Attempt, item any) *Breach {
	k := r.known(item)
	isByID := r.asksForKnown(r.query)
	name := fmt.Sprintf("%s: %s", verdict.Stranger, inWords(item))
	if k != nil {
		name = k.Name
	}
	differs := func(expected, got string) *Breach {
		return &Breach{Page: t, Expected: Request(t) + " to list " + expected, Got: got, Excuse: Lag}
	}
	switch {
	case k != nil && r.query.Fit(k) == Outside, k == nil && (!r.More || isByID && !r.Related):
		all := "nothing"
		if matching := r.matching(r.query); matching != "" {
			all = "only " + matching
		}
		b := differs(all, "also "+name)
		b.About = verdict.About{Kind: verdict.Listing, Stranger: k == nil}
		return b
	case k == nil && isByID:
		return nil // a refund may be listed by an id of its payment
	}
	if want, got := unlike(r.Op, r.query, item); want != "" {
		return differs("only items with "+want, got+" in "+name)
	}
	if k == nil {
		r.adoptUnknown(r.query, item)
		return nil
	}
	if want, got := k.shownOtherwise(r.Op, item); want != "" {
		return differs(name+" with "+want, got)
	}
	if !r.Learned {
		k.learn(item)
	}
	return nil
}

// shownOtherwise returns what a listed item shows otherwise than it is known; empty if nothing.
func (k *Item) shownOtherwise(op *api.Operation, listed any) (want, got string) {
	for _, filter := range slices.Sorted(maps.Keys(k.Values)) {
		value, ok := k.Value(filter)
		field, shown := shownIn(op, filter, value)
		if v, _ := jsonvalue.Lookup(listed, field); ok && field != "" && jsonvalue.Plain(v) != shown {
			return fmt.Sprintf("%s %q", field, shown), fmt.Sprintf("%s %q", field, jsonvalue.Plain(v))
		}
	}
	if amount, ok := money.At(listed, "originalAmount"); k.Amount > 0 && (!ok || amount != k.Amount) {
		return fmt.Sprintf("originalAmount %v", k.Amount), jsonvalue.Find(listed, "originalAmount").String()
	}
	return "", ""
}

// whole: the pages together contain every item that matches, and count what they contain.
func (r *reading) whole() *Breach {
	last := r.pages[len(r.pages)-1]
	if len(r.pages) == MostPages {
		return nil // an account with a long history
	}
	for _, k := range r.Items {
		if r.query.Fit(k) == Inside && r.found[k] == nil {
			where := Request(r.pages[0])
			if len(r.pages) > 1 {
				where += fmt.Sprintf(" and its next %s", wording.Count(len(r.pages)-1, "page"))
			}
			return &Breach{Page: last, Field: "data", Expected: where + " to list " + r.matching(r.query), Got: "no " + k.Name, Excuse: Lag}
		}
	}
	for n, t := range r.pages {
		got, _ := WholeNumber(t.Answer, "metadata.total")
		if got != r.total && !r.isBeyond(n) && (!r.More || r.query.FiltersByID()) {
			return &Breach{
				Page: t, Field: "metadata.total", Expected: fmt.Sprintf("%s to return metadata.total %d", Request(t), r.total),
				Got: fmt.Sprint(got), Excuse: Lag,
			}
		}
	}
	return nil
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
func unlike(op *api.Operation, q Query, item any) (want, got string) {
	for _, filter := range slices.Sorted(maps.Keys(q.Filters)) {
		value := q.Filters[filter]
		if field, shown := shownIn(op, filter, value); field != "" {
			if v, _ := jsonvalue.Lookup(item, field); jsonvalue.Plain(v) != shown {
				return fmt.Sprintf("%s %q", field, shown), fmt.Sprintf("%s %q", field, jsonvalue.Plain(v))
			}
			continue
		}
		text := jsonvalue.Text(item, "createdAt")
		created, err := time.Parse(time.RFC3339, text)
		if filter != "pixKey" && err == nil && boundOf(filter, value).fits(created) == Outside {
			return "createdAt " + map[string]string{"startDate": "after the ", "endDate": "before the "}[filter] + filter, "createdAt " + text
		}
	}
	return "", ""
}
