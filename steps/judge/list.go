package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

const listNoun = "transaction list request"

func itemsOf(t *record.Attempt) ([]any, Result) {
	items, ok := t.Items()
	if !ok {
		return nil, failAt(t, "data to be an array", jsonvalue.Find(t.Answer, "data").String(), "").in("data")
	}
	return items, pass()
}

// lastPage returns the page of the last request.
func lastPage(s *Scenario) (*record.Attempt, []any, Result) {
	t := s.It()
	if t == nil {
		return nil, nil, nothingSent()
	}
	items, r := itemsOf(t)
	return t, items, r
}

// eachItemHas: "each item has:"; there must be at least one item, unless the step says "if any".
func eachItemHas(s *Scenario, i int, m language.Has) Result {
	t, items, r := lastPage(s)
	if r.Verdict != verdict.Pass {
		return r
	}
	if len(items) == 0 && m.Of == language.EachItem {
		return failAt(t, "at least one item", "an empty list", "").in("data")
	}
	for n, item := range items {
		r := rowsHold(s, i, t, item, m.Rows)
		if r.Verdict == verdict.Fail {
			r.Finding.Expected += " in each item"
			r.Finding.Got = fmt.Sprintf("%s in item %d", r.Finding.Got, n+1)
			r.Finding.Field = fmt.Sprintf("data[%d].%s", n, r.Finding.Field)
		}
		if r.Verdict != verdict.Pass {
			return r
		}
	}
	return pass()
}

// listHolds: "the list contains the second payment", "the list does not contain the case".
func listHolds(s *Scenario, i int, m language.ListHolds) Result {
	t, items, r := lastPage(s)
	if r.Verdict != verdict.Pass {
		return r
	}
	theCase := s.Case(m.Nth)
	is, what := theCase.IsListedAs, nthOf(m.Nth, "case")
	switch {
	case !m.Case:
		p, r := madeAs(s.View, m.Nth, api.Payment, api.Charge)
		if r.Verdict != verdict.Pass {
			return r
		}
		is, what = p.IsListedAs, nthOf(m.Nth, "payment")
	case theCase.ID == "":
		return unrecorded("a MED case that this step refers to")
	}
	t, items, n, r := find(s, i, t, items, is)
	switch {
	case r.Verdict != verdict.Pass:
		return r
	case n >= 0 != m.Not:
		return pass()
	}
	expected := "the list to contain the " + what
	if m.Not {
		expected = "the list not to contain the " + what
	}
	return failAt(t, expected, fmt.Sprintf("%s: %s", wording.Count(len(items), "item"), listing.Excerpt(t)), "").in("data")
}

// nthOf is what a sentence calls one of several things: "the first case", or "the case" if it is the
// last, without "the".
func nthOf(n language.Nth, what string) string {
	return strings.TrimPrefix(n.String()+" "+what, "last ")
}

// caseListedWith: "the first case is listed with:", in the list that was requested last.
func caseListedWith(s *Scenario, i int, m language.Has) Result {
	theCase := s.Case(m.Nth)
	t, items, r := lastPage(s)
	switch {
	case theCase.ID == "":
		return unrecorded("a MED case that this step refers to")
	case r.Verdict != verdict.Pass:
		return r
	}
	t, items, n, r := find(s, i, t, items, theCase.IsListedAs)
	switch {
	case r.Verdict != verdict.Pass:
		return r
	case n < 0:
		return failAt(t, "the list to contain the "+nthOf(m.Nth, "case"), fmt.Sprintf("%s: %s", wording.Count(len(items), "item"), listing.Excerpt(t)), "").in("data")
	case isNull(items[n], m.NotNull):
		return pass()
	}
	if r = rowsHold(s, i, t, items[n], m.Rows); r.Verdict == verdict.Fail {
		r.Finding.Expected = fmt.Sprintf("%s in the %s", r.Finding.Expected, nthOf(m.Nth, "case"))
		r.Finding.Field = fmt.Sprintf("data[%d].%s", n, r.Finding.Field)
	}
	return r
}

// find returns the page that has an item, with its items and the index of that one; -1 if there is
// none. On an account with a history it may be on a later page than the one requested.
func find(s *Scenario, i int, t *record.Attempt, items []any, is func(any) bool) (*record.Attempt, []any, int, Result) {
	n := slices.IndexFunc(items, is)
	if n >= 0 || !s.Accounts[t.Account].Fixed {
		return t, items, n, pass()
	}
	t, r := laterPage(s, i, t, is)
	if r.Verdict == verdict.Pass {
		items, _ = t.Items()
		n = slices.IndexFunc(items, is)
	}
	return t, items, n, r
}

// laterPage looks for an item on all pages of a list: on an account with a history it may be on
// any, because the order of a list is open ("order of a list"). It returns the page with the item, or
// the last one.
func laterPage(s *Scenario, i int, t *record.Attempt, is func(any) bool) (*record.Attempt, Result) {
	read := 0
	for _, next := range s.Looks {
		if next.Step != i || next.Op != t.Op || next.Role != record.Look {
			continue
		}
		read++
		items, r := itemsOf(next)
		if r.Verdict != verdict.Pass || len(items) == 0 || read >= listing.TotalPages(next) || slices.ContainsFunc(items, is) {
			return next, r
		}
	}
	if read == listing.MostPages {
		return t, couldNotTest(fmt.Sprintf("the list has more than %d pages of %d, too many to read", listing.MostPages, api.FullPageSize))
	}
	query := maps.Clone(t.Query())
	query.Set("page", fmt.Sprint(read+1))
	query.Set(t.Op.SizeParameter(), fmt.Sprint(api.FullPageSize))
	return t, undecided(Look{At: List, Op: t.Op, Account: t.Account, Query: query})
}

// metadataAddsUp: totalPages follows from total and size; hasNext and hasPrevious follow from
// page.
func metadataAddsUp(s *Scenario) Result {
	t := s.It()
	if t == nil {
		return nothingSent()
	}
	if b := listing.Metadata(t); b != nil {
		return failFor(b)
	}
	return pass()
}
