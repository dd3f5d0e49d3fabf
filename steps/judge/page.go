package judge

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// paged are the rules about lists: about the number and the length of pages, and about the items in total.
var paged = map[string]struct{ page, size, total string }{
	"listTransactions":      {"lists.page", "lists.size", ""},
	"listTransactionsByKey": {"lists.page", "lists.size", "lists.cap"},
	"listMeds":              {"med.pages", "med.pages", ""},
}

// isPaged reports whether an operation returns pages.
func isPaged(op *api.Operation) bool { return api.Lists[op.ID].Size != "" }

// pageContradictions: a list returns another page than was asked for, or more items than there can be.
// What is beyond the last page is left open.
func (s audit) pageContradictions(t *record.Attempt, items []any) (all []Breach) {
	list, rules, parameter := api.Lists[t.Op.ID], paged[t.Op.ID], t.Op.SizeParameter()
	page, pageKnown := numberAsked(t.Query(), "page", 1)
	size, sizeKnown := numberAsked(t.Query(), parameter, api.DefaultPageSize)
	if !pageKnown || !sizeKnown || size > list.MostPerPage {
		return nil
	}
	shows := func(rule, name string, asked int) {
		if got, ok := wholeNumber(t.Answer, "metadata."+name); ok && got != asked {
			all = append(all, Breach{rule, fmt.Sprintf("a %s for %s %d to return metadata.%s %d", t.Op.Noun, name, asked, name, asked), strconv.Itoa(got), "metadata." + name})
		}
	}
	shows(rules.size, parameter, size)
	if len(items) > size {
		all = append(all, Breach{rules.size, fmt.Sprintf("at most %d items with %s %d", size, parameter, size), strconv.Itoa(len(items)), "data"})
	}
	if page > max(1, totalPages(t)) {
		return all
	}
	shows(rules.page, "page", page)
	all = append(all, s.metadataBreaches(t, rules.page, list.MostInTotal)...)
	if want, known := s.casesOf(t, page, size); known && len(items) != want {
		all = append(all, Breach{rules.page, fmt.Sprintf("a %s with metadata.total, page and pageSize like these to return %s", t.Op.Noun, wording.Count(want, "case")), strconv.Itoa(len(items)), "data"})
	}
	if last := (page-1)*size + len(items); list.MostInTotal > 0 && len(items) > 0 && last > list.MostInTotal {
		all = append(all, Breach{rules.total, fmt.Sprintf("at most %d results in total", list.MostInTotal), strconv.Itoa(last), "data"})
	}
	return all
}

// metadataBreaches: the metadata of one response contradict each other, which no lag explains. What they are
// where there are more items than a list returns is left open.
func (s audit) metadataBreaches(t *record.Attempt, rule string, inTotal int) []Breach {
	for _, name := range []string{"total", "page", "totalPages", t.Op.SizeParameter()} {
		if n, ok := wholeNumber(t.Answer, "metadata."+name); !ok || name == "total" && inTotal > 0 && n > inTotal {
			return nil
		}
	}
	r := metadataOf(t)
	if r.Verdict == verdict.Pass {
		return nil
	}
	return []Breach{{rule, r.Finding.Expected, r.Finding.Got, r.Finding.Field}}
}

// casesOf is how many cases a page has, by the total that it returns; false if it is not known. On a new
// account only the scenario's own controls open cases, so that none can come between the total and the page.
// Payments settle at any time.
func (s audit) casesOf(t *record.Attempt, page, size int) (int, bool) {
	total, ok := wholeNumber(t.Answer, "metadata.total")
	isNew := s.Accounts[t.Account].Opened && !s.Accounts[t.Account].Fixed
	return max(0, min(size, total-(page-1)*size)), ok && isNew && t.Op.ID == "listMeds"
}

// numberAsked is the value of a parameter that is given at most once, as a plain number from 1; false for
// any other, whose meaning is left open.
func numberAsked(query url.Values, name string, byDefault int) (int, bool) {
	asked, given := query[name]
	if !given {
		return byDefault, true
	}
	n, err := strconv.Atoi(asked[0])
	return n, err == nil && len(asked) == 1 && n > 0 && strconv.Itoa(n) == asked[0]
}
