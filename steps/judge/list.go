package judge

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// knownTo returns what the scenario knows that a list may contain.
func (s *facts) knownTo(op *api.Operation, account language.Account) []*listing.Item {
	if op.ID == "listMeds" {
		return s.knownCases(account)
	}
	return s.knownPayments(account)
}

func (s *facts) knownPayments(account language.Account) []*listing.Item {
	var all []*listing.Item
	for _, t := range s.Attempts {
		id := jsonvalue.Text(t.Answer, "transactionId")
		if !t.Accepted() || t.Op.Listed == "" || id == "" || t.Index < s.Accounts[t.Account].Since {
			continue
		}
		amount, _ := t.Amount()
		k := &listing.Item{
			Name: fmt.Sprintf("payment %d (%s of %v)", len(all)+1, t.Op.Noun, amount), Own: t.Account == account, ID: id, Amount: amount,
			Values: map[string][]string{"type": api.Spelled(t.Op.Listed), "pixKey": listKeyOf(t)},
		}
		if externalID, ok := t.ExternalID(); ok && externalID != "" {
			k.Values["externalId"] = []string{externalID}
		}
		if t.EndToEndID != "" && !t.Returned { // then it may be that of the return
			k.Values["endToEndId"] = []string{t.EndToEndID}
		}
		if state := s.gateway().state(t); state != "" {
			k.Values["status"] = api.Spelled(state)
			k.Name = fmt.Sprintf("payment %d (%s of %v, %s)", len(all)+1, t.Op.Noun, amount, state)
		}
		all = append(all, k)
	}
	return all
}

// listKeyOf is the key by which a payment is listed. An empty one is none that a query names; none at all is unknown,
// because how a path spells a phone number or capitals is open ("spelling of the key of a list by key").
func listKeyOf(t *record.Attempt) []string {
	key := t.SentText("details.key")
	if t.SentText("details.keyType") == "PHONE" || key != strings.ToLower(key) {
		return nil
	}
	return []string{key}
}

// knownCases: a new case is OPEN or RECEIVED.
func (s *facts) knownCases(account language.Account) []*listing.Item {
	var all []*listing.Item
	for _, c := range s.Cases {
		if c.Index <= s.Accounts[c.Account].Since {
			continue // of an account that the scenario has left
		}
		may, _ := s.gateway().caseBefore(c, len(s.Exchanges))
		k := &listing.Item{
			Name: fmt.Sprintf("case %d", len(all)+1), Own: c.Account == account, ID: c.ID,
			Values: map[string][]string{"status": api.Spelled(may.CaseStatuses()...)},
		}
		isLinked := slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool { return t.EndToEndID != "" && t.EndToEndID == c.EndToEndID })
		against := map[bool]string{true: "a payment received", false: "an unknown payment"}[isLinked]
		k.Values["isReconciled"] = []string{fmt.Sprint(isLinked)}
		k.Name = fmt.Sprintf("case %d (%s, against %s)", len(all)+1, strings.Join(k.Values["status"], " or "), against)
		all = append(all, k)
	}
	return all
}

// mayListMore reports whether a list may contain items of which the scenario does not know the id:
// on an account with a history, or if it made what the lists may show in some way, such as refunds.
func (s *facts) mayListMore(op *api.Operation, account language.Account) bool {
	if s.Accounts[account].Fixed || s.Accounts[account].Shared {
		return true
	}
	if op.ID == "listMeds" {
		return false
	}
	return slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool {
		_, splits := t.SentField("splits")
		return !t.Is(api.Nothing) && t.Account == account && (t.Status == 0 || t.Accepted()) && (t.Op.Listed == "" || t.Returned || splits || jsonvalue.Text(t.Answer, "transactionId") == "")
	})
}

func itemsOf(t *record.Attempt) ([]any, Result) {
	items, ok := t.Items()
	switch {
	case !ok && !t.Accepted():
		return nil, failAnswer(t, "accepted with "+t.Op.Success(), "")
	case !ok:
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
	_, _, r := lastPage(s)
	if r.Verdict != verdict.Pass {
		return r
	}
	theCase, what := s.Case(m.Nth), nthOf(m.Nth, "case")
	is := theCase.IsListedAs
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
	t, items, n, r := find(s, i, is)
	switch {
	case r.Verdict != verdict.Pass:
		return r
	case n >= 0 != m.Not:
		return pass()
	case m.Not:
		return failList(t, items, "not to contain the "+what)
	}
	return failList(t, items, "to contain the "+what)
}

func failList(t *record.Attempt, items []any, expected string) Result {
	return failAt(t, "the list "+expected, fmt.Sprintf("%s: %s", wording.Count(len(items), "item"), listing.Excerpt(t)), "").in("data")
}

// caseListedWith: "the first case is listed with:", in the list that was requested last.
func caseListedWith(s *Scenario, i int, m language.Has) Result {
	theCase := s.Case(m.Nth)
	if theCase.ID == "" {
		return unrecorded("a MED case that this step refers to")
	}
	t, items, n, r := find(s, i, theCase.IsListedAs)
	switch {
	case r.Verdict != verdict.Pass:
		return r
	case n < 0:
		return failList(t, items, "to contain the "+nthOf(m.Nth, "case"))
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
func find(s *Scenario, i int, is func(any) bool) (*record.Attempt, []any, int, Result) {
	t, items, r := lastPage(s)
	n := slices.IndexFunc(items, is)
	if r.Verdict != verdict.Pass || n >= 0 || !s.Accounts[t.Account].Fixed {
		return t, items, n, r
	}
	t, r = laterPage(s, i, t, is)
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
	return resultOf(listing.Metadata(t))
}

// walked judges the requests that read all pages of a list: each page must be a list. What a page beyond the last
// contains is open ("page beyond the last").
func walked(s *Scenario, i int, m language.Walk) Result {
	page := 0
	return each(s.Attempts, func(t *record.Attempt) Result {
		switch {
		case t.Step != i:
		case t.Op != m.Operation && !t.Accepted():
			return couldNotTest("a payment between two pages was not accepted: " + t.Summary())
		case t.Op == m.Operation:
			if page++; t.Accepted() || page == 1 {
				_, r := itemsOf(t)
				return r
			}
		}
		return pass()
	})
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
			return resultOf(b)
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
	return resultOf(listing.Overfull(read)) // with one, the walk may have ended early
}

// resultOf fails for what is wrong with a page of a list; nil for nothing.
func resultOf(b *listing.Breach) Result {
	if b == nil {
		return pass()
	}
	r := failAt(b.Page, b.Expected, b.Got, "")
	r.Finding.About = b.About
	if b.Field != "" {
		r = r.in(b.Field)
	}
	return r
}

// listRules are the rules of the filters by which confirmed payments are looked for at rest.
var listRules = map[string]string{
	"externalId": "lists.external-id", "endToEndId": "lists.end-to-end-id",
	"status": "lists.status", "type": "lists.type", "pixKey": "lists.pix-key", "": "lists.answer",
}
