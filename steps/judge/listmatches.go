package judge

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// listMatches: "the account's transaction list contains exactly the matching payments for every pair
// of filters". A list may lag, so that one that does not hold is read again.
func listMatches(s *Scenario, i int, m language.ListMatches) Result {
	c := s.lists[i]
	if c == nil {
		c = &listCheck{Scenario: s, of: m}
		c.list = listing.List{Op: m.Operation, Items: s.knownTo(m.Operation, m.Account), More: s.mayListMore(m.Operation, m.Account)}
		c.queries = c.list.Lookups()
		s.lists[i] = c
	}
	if len(c.list.Items) == 0 {
		return nothingSent()
	}
	mayRelate := func(t *record.Attempt) bool { return t.Returned || t.Is(api.Refund) } // it may be listed by the ids of its payment
	c.list.Related, c.list.Shared = slices.ContainsFunc(s.Attempts, mayRelate), s.Accounts[m.Account].Shared
	c.looks = nil
	for _, t := range s.Looks {
		if t.Step == i && t.Role == record.Look && t.Op == m.Operation && t.Account == m.Account {
			c.looks = append(c.looks, t)
		}
	}
	read := len(c.looks)
	for c.looks = c.looks[c.judged:]; ; c.judged = read - len(c.looks) {
		switch {
		case len(c.queries) > 0:
			if r := c.try(c.queries[0]); r.Verdict != verdict.Pass {
				return r
			}
			c.queries = c.queries[1:]
		case c.list.Learned:
			return pass()
		default:
			c.list.Learned = true
			c.queries = c.list.Queries(m.Filters)
		}
	}
}

// listCheck judges what a step has read of a list. What holds is not judged again: a step reads a
// hundred pages, and is judged after each.
type listCheck struct {
	*Scenario
	of      language.ListMatches
	list    listing.List
	queries []listing.Query   // those that are not known to hold
	looks   []*record.Attempt // of the step, not yet judged
	judged  int               // looks at lists that hold
}

// try reads a list until it holds, or patience ends. It is not read again if nothing excuses what is wrong.
func (c *listCheck) try(q listing.Query) Result {
	var r Result
	for again := 0; ; again++ {
		if again > 0 && len(c.looks) == 0 {
			return r.pending(*c.look(q, 1, ""))
		}
		pages, next := c.read(q, again)
		if next != nil {
			return undecided(*next)
		}
		wrong := c.list.Check(q, pages)
		if r = resultOf(wrong); wrong == nil || !c.isExcused(wrong, q) {
			return r
		}
	}
}

// read takes the pages of a list from what the step has read, and returns the next one to read; nil
// if there is none.
func (c *listCheck) read(q listing.Query, again int) (pages []*record.Attempt, next *Look) {
	for !c.list.HasRead(q, pages) {
		if len(c.looks) == 0 {
			place := ""
			if len(pages) > 0 {
				place = fmt.Sprint("reading ", again) // none of its later pages was read too often
			}
			return pages, c.look(q, len(pages)+1, place)
		}
		pages, c.looks = append(pages, c.looks[0]), c.looks[1:]
	}
	return pages, nil
}

func (c *listCheck) look(q listing.Query, n int, place string) *Look {
	l := &Look{
		At: List, Op: c.of.Operation, Account: c.of.Account, Query: q.Page(c.of.Operation, n), PixKey: q.PixKey(),
		Place: place, Patience: c.Terms.Deadlines.Webhook,
	}
	if l.Op.ID == "listMeds" { // how many of them a gateway returns in a minute is open ("MED list requests above the limit")
		l.Patience = optionalPatience(l.Patience)
	}
	return l
}

// isExcused reports whether a list may be right when it is read again.
func (c *listCheck) isExcused(wrong *listing.Breach, q listing.Query) bool {
	switch wrong.Excuse {
	case listing.Lag:
		return true
	case listing.Change:
		return !c.isStill(wrong.Page, q)
	}
	return false
}

// stillAfter is how long after the last change a total and a page must agree at a gateway that does not lag. It is
// much longer than a lag that is not measured, since some replicas lag only under load.
const stillAfter = 10 * record.LeastLag

// isStill: nothing can come between the total and the page of a response. All that the list may contain is
// known, whether it belongs there too, and no replica lags.
func (c *listCheck) isStill(t *record.Attempt, q listing.Query) bool {
	isOwnKey := q.PixKey() == "" || q.PixKey() == c.Accounts[c.of.Account].PixKey // on which there may be earlier payments
	if c.Lag > 0 || c.list.More && isOwnKey && !q.FiltersByID() {
		return false
	}
	changed := lastChange(c.Exchanges[:t.Index])
	return t.Sent.After(changed.Add(max(stillAfter, record.Safety*t.Took))) && !c.list.Unsure(q)
}
