package judge

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
)

// paged are the lists: the most items of a page, the rules about number and length of pages, and the most
// items in total (Endpoints 9 to 11).
var paged = map[string]struct {
	most              int
	page, size, total string
	inTotal           int
}{
	"listTransactions":      {100, "lists.page", "lists.size", "", 0},
	"listTransactionsByKey": {1000, "lists.page", "lists.size", "lists.cap", 1000},
	"listMeds":              {100, "med.pages", "med.pages", "", 0},
}

const defaultPageSize = 20 // Endpoints 9 to 11

// pageContradictions: a list returns another page than was asked for, or more items than there can be.
// What is beyond the last page is left open.
func pageContradictions(t *record.Attempt, items []any) (all []Breach) {
	list, parameter := paged[t.Op.ID], t.Op.SizeParameter()
	page, pageKnown := numberAsked(t.Query(), "page", 1)
	size, sizeKnown := numberAsked(t.Query(), parameter, defaultPageSize)
	if !pageKnown || !sizeKnown || size > list.most {
		return nil
	}
	shows := func(rule, name string, asked int) {
		if got, ok := wholeNumber(t.Answer, "metadata."+name); ok && got != asked {
			all = append(all, Breach{rule, fmt.Sprintf("a %s for %s %d to return metadata.%s %d", t.Op.Noun, name, asked, name, asked), strconv.Itoa(got), "metadata." + name})
		}
	}
	shows(list.size, parameter, size)
	if len(items) > size {
		all = append(all, Breach{list.size, fmt.Sprintf("at most %d items with %s %d", size, parameter, size), strconv.Itoa(len(items)), "data"})
	}
	if page > max(1, totalPages(t)) {
		return all
	}
	shows(list.page, "page", page)
	if last := (page-1)*size + len(items); list.inTotal > 0 && len(items) > 0 && last > list.inTotal {
		all = append(all, Breach{list.total, fmt.Sprintf("at most %d results in total", list.inTotal), strconv.Itoa(last), "data"})
	}
	return all
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

// caseContradictions: a list shows cases that its own filters exclude.
func caseContradictions(t *record.Attempt, items []any) (all []Breach) {
	for _, filter := range []struct {
		name, rule string
		values     []string // others, and a filter that is given twice, are left open
	}{
		{"status", "med.status-filter", []string{"OPEN", "RECEIVED", "CANCELLED", "ANALYZED"}},
		{"isReconciled", "med.reconciled-filter", []string{"true", "false"}},
	} {
		asked := t.Query()[filter.name]
		if len(asked) != 1 || !slices.Contains(filter.values, asked[0]) {
			continue
		}
		for _, item := range items {
			if got := jsonvalue.Text(item, filter.name); got != "" && got != asked[0] {
				all = append(all, Breach{filter.rule, fmt.Sprintf("only cases with %s %s", filter.name, asked[0]), got, filter.name})
			}
		}
	}
	return all
}
