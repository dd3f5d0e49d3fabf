package judge

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// walked judges the requests that read all pages of a list: each page must be a list. What a page beyond the last
// contains is open ("page beyond the last").
func walked(s *Scenario, i int, m language.Walk) Result {
	page := 0
	for _, t := range s.Attempts {
		switch {
		case t.Step != i:
		case t.Op != m.Operation && !t.Accepted():
			return couldNotTest("a payment between two pages was not accepted: " + t.Summary())
		case t.Op == m.Operation:
			page++
			if _, r := itemsOf(t); r.Verdict != verdict.Pass && (t.Accepted() || page == 1) {
				return r
			}
		}
	}
	return pass()
}

// pages judges the items that the last walk found.
func pages(s *Scenario, i int, m language.Meaning) Result {
	it, step := s.It(), i-1
	var walk language.Walk
	for ; step >= 0 && walk.Operation == nil; step-- {
		walk, _ = s.Steps[step].Meaning.(language.Walk)
	}
	if it == nil || walk.Operation == nil {
		return unrecorded("a list that this scenario read page by page")
	}
	read, _ := listing.Walk(slices.DeleteFunc(slices.Clone(s.Attempts), func(t *record.Attempt) bool { return t.Step != step+1 || t.Op != walk.Operation }))
	all := listing.Items(read)
	switch m := m.(type) {
	case language.EachItemOnce:
		if b := listing.EachOnce(read); b != nil {
			if s.Accounts[language.TheAccount].Fixed && len(s.callsOf(target.Clock, http.MethodPut)) > 0 {
				return couldNotTest("earlier scenarios may have set the clock of this account to the same time, so that what they made comes into the list while it is read, and an item is on two pages")
			}
			return failFor(b)
		}
	case language.ItemCount:
		atMost := ""
		if m.AtMost {
			atMost = "at most "
		}
		if n := len(all); n != m.Count && (!m.AtMost || n > m.Count) {
			return failAt(it, fmt.Sprintf("%s%d items on all pages", atMost, m.Count), fmt.Sprint(n), "")
		}
	case language.NoneMissed:
		n := 0
		for _, t := range s.Attempts {
			if !t.Is(api.Payment) || !t.Accepted() || n == m.Count {
				continue
			}
			if n++; !slices.ContainsFunc(all, t.IsListedAs) && listing.Overfull(read) == nil {
				return failAt(it, "each earlier payment on some page", fmt.Sprintf("payment %d missing", n), "")
			}
		}
	}
	if b := listing.Overfull(read); b != nil {
		return failFor(b) // the walk may have ended early
	}
	return pass()
}
