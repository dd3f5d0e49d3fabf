package listing

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
)

// maxOverfull is the maximum number of pages with more items than were requested that a walk reads: the list may never end.
const maxOverfull = 3

// Walk returns the pages of a list until its end, and whether the responses contain that end. They are of one
// list, in the order in which they were read.
func Walk(responses []*record.Attempt) (pages []*record.Attempt, done bool) {
	tooLong := 0
	for _, t := range responses {
		items, ok := t.Items()
		if !ok || len(items) == 0 || len(pages) > 0 && !t.Accepted() || len(pages) >= TotalPages(t) && areAllIn(Items(pages), items) {
			return pages, true
		}
		pages = append(pages, t)
		if overfull(t) != nil {
			tooLong++
		}
		if tooLong == maxOverfull {
			return pages, true
		}
	}
	return pages, false
}

// Overfull returns the first page with more items than were requested, as a breach; nil if there is none.
func Overfull(pages []*record.Attempt) *Breach {
	for _, t := range pages {
		if b := overfull(t); b != nil {
			return b
		}
	}
	return nil
}

// Items are the items of several pages.
func Items(pages []*record.Attempt) (all []any) {
	for _, t := range pages {
		items, _ := t.Items()
		all = append(all, items...)
	}
	return all
}

// areAllIn: a gateway may repeat its last page for every page beyond it.
func areAllIn(all, items []any) bool {
	for _, item := range items {
		if !slices.ContainsFunc(all, func(other any) bool { return identityOf(other) == identityOf(item) }) {
			return false
		}
	}
	return true
}

// identityOf returns the id of a listed transaction or MED case.
func identityOf(item any) string {
	for _, field := range []string{"transactionId", "id"} {
		if v, ok := jsonvalue.Lookup(item, field); ok {
			return jsonvalue.Plain(v)
		}
	}
	return "an item without an id"
}

// EachOnce returns the first item that is on the pages twice; nil if none is.
func EachOnce(pages []*record.Attempt) *Breach {
	on := map[string]*record.Attempt{}
	for _, t := range pages {
		items, _ := t.Items()
		for _, item := range items {
			id := identityOf(item)
			switch before := on[id]; before {
			case nil:
				on[id] = t
			case t:
				return &Breach{Page: t, Expected: "each item on exactly one page", Got: id + " twice"}
			default:
				return &Breach{Page: t, Expected: "each item on exactly one page", Got: id + ", which is also on " + Request(before)}
			}
		}
	}
	return nil
}

// Missing returns the items of a response that another one of the same list lacks. By their state, those stay that
// the bank has decided; a case may be linked to its payment later.
func Missing(t, from *record.Attempt) (all []any) {
	had, _ := from.Items()
	items, _ := t.Items()
	for _, item := range had {
		id := IDOf(t.Op, item)
		mayLeave := t.Query().Get("isReconciled") == "false" ||
			t.Query().Has("status") && !slices.Contains(api.PaymentStates.Later, StateOf(item))
		if id != "" && !mayLeave && !slices.ContainsFunc(items, func(other any) bool { return IDOf(t.Op, other) == id }) {
			all = append(all, item)
		}
	}
	return all
}
