package listing

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/wording"
)

// Request names a request: "GET /api/transactions?status=ERROR&page=2&size=2".
func Request(t *record.Attempt) string {
	_, query, _ := strings.Cut(t.URL, "?")
	return strings.TrimSuffix(t.Method+" "+t.Path()+"?"+query, "?")
}

// Excerpt is how the body of a response begins.
func Excerpt(t *record.Attempt) string { return string(t.ResponseBody[:min(200, len(t.ResponseBody))]) }

// TotalPages is how many pages a list has, by the metadata of one of them; 0 if they do not tell.
func TotalPages(t *record.Attempt) int {
	n, _ := WholeNumber(t.Answer, "metadata.totalPages")
	return n
}

// WholeNumber returns the whole number at a path; 10.0 counts.
func WholeNumber(v any, path string) (int, bool) {
	found, _ := jsonvalue.Lookup(v, path)
	n, _ := found.(json.Number)
	whole, ok := jsonvalue.Ratio(n)
	if !ok || !whole.IsInt() || !whole.Num().IsInt64() {
		return 0, false
	}
	return int(whole.Num().Int64()), true
}

// Metadata returns what contradicts itself in the metadata of a page; nil if nothing does: totalPages follows from
// total and size; hasNext and hasPrevious follow from page.
func Metadata(t *record.Attempt) *Breach {
	number := func(name string) int {
		if n, ok := WholeNumber(t.Answer, "metadata."+name); ok {
			return n
		}
		return -1
	}
	total, page, pages := number("total"), number("page"), number("totalPages")
	size := max(number("size"), number("pageSize"))
	if total < 0 || page < 1 || pages < 0 || size < 1 {
		return &Breach{Page: t, Field: "metadata", Expected: "metadata with whole numbers", Got: Excerpt(t)}
	}
	want := total/size + min(total%size, 1)
	if pages != want && (total > 0 || pages > 1) {
		return &Breach{Page: t, Field: "metadata.totalPages", Expected: fmt.Sprintf("totalPages to be %d for %d items in pages of %d", want, total, size), Got: fmt.Sprint(pages)}
	}
	for _, flag := range []struct {
		name  string
		holds bool
	}{{"hasNext", page < pages}, {"hasPrevious", page > 1}} {
		if v := jsonvalue.Find(t.Answer, "metadata."+flag.name); v.Present && v.Value != flag.holds {
			return &Breach{Page: t, Field: "metadata." + flag.name, Expected: fmt.Sprintf("%s to be %t on page %d of %d", flag.name, flag.holds, page, pages), Got: v.String()}
		}
	}
	return nil
}

// arithmetic compares a page's metadata with its query, and how many items it has with its metadata.
func arithmetic(q Query, t *record.Attempt, n, items int) *Breach {
	size := q.Size
	if size == 0 {
		size = api.DefaultPageSize
	}
	for _, asked := range []struct {
		name string
		want int
	}{{"page", n}, {t.Op.SizeParameter(), size}} {
		field := "metadata." + asked.name
		if got, _ := WholeNumber(t.Answer, field); got != asked.want {
			return &Breach{
				Page: t, Field: field, Expected: fmt.Sprintf("%s to return %s %d", Request(t), field, asked.want),
				Got: jsonvalue.Find(t.Answer, field).String(), Excuse: Change,
			}
		}
	}
	if b := Metadata(t); b != nil {
		b.Expected, b.Excuse = Request(t)+" to return consistent metadata: "+b.Expected, Change
		return b
	}
	total, _ := WholeNumber(t.Answer, "metadata.total")
	if want := onPage(total, n, size); items != want {
		return &Breach{
			Page: t, Field: "data", Expected: fmt.Sprintf("%s to return %s, since metadata.total is %d", Request(t), wording.Count(want, "item"), total),
			Got: fmt.Sprint(items), Excuse: Change,
		}
	}
	return nil
}

// overfull: a page has more items than were requested, which no lag explains.
func overfull(t *record.Attempt) *Breach {
	parameter := t.Op.SizeParameter()
	size, ok := numberAsked(t.Query(), parameter, api.DefaultPageSize)
	if items, _ := t.Items(); ok && len(items) > size && size <= api.Lists[t.Op.ID].MostPerPage {
		return &Breach{Page: t, Field: "data", Expected: fmt.Sprintf("at most %d items with %s %d", size, parameter, size), Got: strconv.Itoa(len(items))}
	}
	return nil
}

// onPage is how many of all items are on a page.
func onPage(total, page, size int) int { return max(0, min(size, total-(page-1)*size)) }

// pageRules are the rules about the number and the length of pages, and about the items in total.
var pageRules = map[string]struct{ page, size, total string }{
	"listTransactions":      {"lists.page", "lists.size", ""},
	"listTransactionsByKey": {"lists.page", "lists.size", "lists.cap"},
	"listMeds":              {"med.pages", "med.pages", ""},
}

// PageBreaches: a response is another page than was requested, or has more items than there can be, or metadata that
// contradict each other. isNew: only the scenario itself opens MED cases in the account, so that none can come between
// the total and the page; payments settle at any time. What is beyond the last page is open ("page beyond the last").
func PageBreaches(t *record.Attempt, isNew bool) (all []Breach) {
	list, rules, parameter := api.Lists[t.Op.ID], pageRules[t.Op.ID], t.Op.SizeParameter()
	items, _ := t.Items()
	page, pageKnown := numberAsked(t.Query(), "page", 1)
	size, sizeKnown := numberAsked(t.Query(), parameter, api.DefaultPageSize)
	if !pageKnown || !sizeKnown || size > list.MostPerPage {
		return nil
	}
	add := func(rule, field, expected string, got int) {
		all = append(all, Breach{Page: t, Rule: rule, Field: field, Expected: expected, Got: strconv.Itoa(got)})
	}
	shows := func(rule, name string, asked int) {
		if got, ok := WholeNumber(t.Answer, "metadata."+name); ok && got != asked {
			add(rule, "metadata."+name, fmt.Sprintf("a %s for %s %d to return metadata.%s %d", t.Op.Noun, name, asked, name, asked), got)
		}
	}
	shows(rules.size, parameter, size)
	if b := overfull(t); b != nil {
		b.Rule = rules.size
		all = append(all, *b)
	}
	if page > max(1, TotalPages(t)) {
		return all
	}
	shows(rules.page, "page", page)
	if b := contradictingMetadata(t, list.MostInTotal); b != nil {
		b.Rule = rules.page
		all = append(all, *b)
	}
	total, ok := WholeNumber(t.Answer, "metadata.total")
	if want := onPage(total, page, size); ok && isNew && t.Op.ID == "listMeds" && len(items) != want {
		add(rules.page, "data", fmt.Sprintf("a %s with metadata.total, page and pageSize like these to return %s", t.Op.Noun, wording.Count(want, "case")), len(items))
	}
	if last := (page-1)*size + len(items); list.MostInTotal > 0 && len(items) > 0 && last > list.MostInTotal {
		add(rules.total, "data", fmt.Sprintf("at most %d results in total", list.MostInTotal), last)
	}
	return all
}

// contradictingMetadata: the metadata of one response contradict each other, which no lag explains. What they are where
// there are more items than a list returns is open ("total beyond 1000 transactions").
func contradictingMetadata(t *record.Attempt, inTotal int) *Breach {
	for _, name := range []string{"total", "page", "totalPages", t.Op.SizeParameter()} {
		if n, ok := WholeNumber(t.Answer, "metadata."+name); !ok || name == "total" && inTotal > 0 && n > inTotal {
			return nil
		}
	}
	return Metadata(t)
}

// numberAsked is the value of a parameter that is given at most once, as a plain number from 1; false for any other,
// whose meaning is open ("list with size 0").
func numberAsked(query url.Values, name string, byDefault int) (int, bool) {
	asked, given := query[name]
	if !given {
		return byDefault, true
	}
	n, err := strconv.Atoi(asked[0])
	return n, err == nil && len(asked) == 1 && n > 0 && strconv.Itoa(n) == asked[0]
}
