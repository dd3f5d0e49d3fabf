package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// listMatches: "the account's transaction list contains exactly the matching payments for every pair
// of filters". A list may lag, so that one that does not hold is read again.
func listMatches(s *Scenario, i int, m language.ListMatches) Result {
	c := s.lists[i]
	if c == nil {
		c = &listCheck{Scenario: s, step: i, of: m, more: s.mayListMore(m.Operation, m.Account)}
		c.queries = queries{op: m.Operation, known: s.knownTo(m.Operation, m.Account), keys: map[string]bool{}}
		c.lookups()
		s.lists[i] = c
	}
	if len(c.known) == 0 {
		return nothingSent()
	}
	c.looks = nil
	for _, t := range s.Looks {
		if t.Step == i && t.Role == record.Look && t.Op == m.Operation && t.Account == m.Account {
			c.looks = append(c.looks, t)
		}
	}
	read := len(c.looks)
	for c.looks = c.looks[c.judged:]; ; c.judged = read - len(c.looks) {
		switch {
		case len(c.all) > 0:
			if r := c.try(c.all[0]); r.Verdict != verdict.Pass {
				return r
			}
			c.all = c.all[1:]
		case c.learned:
			return pass()
		default:
			c.learned, c.since = true, c.firstCreated()
			c.filtered(m.Filters)
		}
	}
}

// listCheck judges what a step has read of a list. What holds is not judged again: a step reads a
// hundred pages, and is judged after each.
type listCheck struct {
	*Scenario
	queries // those that are not known to hold
	step    int
	of      language.ListMatches
	more    bool              // the list may contain what the scenario does not know
	looks   []*record.Attempt // of the step, not yet judged
	judged  int               // looks at lists that hold
	learned bool              // what the lookups show of the known items
	sure    bool              // what the last list is wrong in, no lag explains: it is not read again
}

// firstCreated is when the first known item was created, if the list may contain more than is known.
func (c *listCheck) firstCreated() string {
	var first time.Time
	for _, k := range c.known {
		if k.own && !k.created.IsZero() && (first.IsZero() || k.created.Before(first)) {
			first = k.created
		}
	}
	if !c.more || first.IsZero() {
		return ""
	}
	return instant(first, -2)
}

// try reads a list until it holds, or patience ends.
func (c *listCheck) try(q listQuery) Result {
	var r Result
	for again := 0; ; again++ {
		if again > 0 && len(c.looks) == 0 {
			return r.pending(*c.look(q, 1, ""))
		}
		pages, next := c.read(q, again)
		if next != nil {
			return undecided(*next)
		}
		if r = c.judge(q, pages); r.Verdict == verdict.Pass || c.sure {
			return r
		}
	}
}

// read takes the pages of a list from what the step has read, and returns the next one to read; nil
// if there is none.
func (c *listCheck) read(q listQuery, again int) (pages []*record.Attempt, next *Look) {
	for n := 1; ; n++ {
		if len(c.looks) == 0 {
			place := ""
			if n > 1 {
				place = fmt.Sprint("reading ", again) // none of its later pages was read too often
			}
			return pages, c.look(q, n, place)
		}
		t := c.looks[0]
		c.looks, pages = c.looks[1:], append(pages, t)
		items, _ := t.Items()
		total := totalPages(pages[0])
		if !t.Accepted() || len(items) == 0 || n == MostPages || n > total || n == total && !q.beyond || !c.more && n > len(c.known)+1 {
			return pages, nil
		}
	}
}

func (c *listCheck) look(q listQuery, n int, place string) *Look {
	l := &Look{
		At: List, Op: c.of.Operation, Account: c.of.Account, Query: q.page(c.of.Operation, n), PixKey: q.filters["pixKey"],
		Place: place, Patience: c.Terms.Deadlines.Webhook,
	}
	if l.Op.ID == "listMeds" { // how many of them a gateway returns in a minute is left open
		l.Patience = briefly(l.Patience)
	}
	return l
}

// requestOf names a request: "GET /api/transactions?status=ERROR&page=2&size=2".
func requestOf(t *record.Attempt) string {
	_, query, _ := strings.Cut(t.URL, "?")
	return strings.TrimSuffix(t.Method+" "+t.Path()+"?"+query, "?")
}

// judge compares the pages of a list with what is known. The page after the last may be rejected, be
// empty, or repeat what the list contains.
func (c *listCheck) judge(q listQuery, pages []*record.Attempt) Result {
	c.sure = false
	total, found := 0, map[*known]*record.Attempt{} // the page that contains it
	for n, t := range pages {
		isBeyond := n > 0 && n+1 > totalPages(pages[0])
		items, ok := t.Items()
		switch {
		case isBeyond && t.Status/100 == 4:
			continue
		case !t.Accepted() || !ok:
			c.sure = t.Status == http.StatusBadRequest || t.Status == http.StatusUnprocessableEntity
			return failAnswer(t, requestOf(t)+" to return a page", "")
		}
		for at, item := range items {
			if r := c.judgeItem(q, t, item); r.Verdict != verdict.Pass {
				return r.in(fmt.Sprintf("data[%d]", at))
			}
			if k := c.knownAs(item); k != nil && !isBeyond {
				if found[k] != nil {
					c.sure = found[k] == t || c.isOneList(q, found[k], t)
					return failAt(t, requestOf(t)+" to list "+k.name+" once", "it twice", "").in("data")
				}
				found[k] = t
			}
		}
		if isBeyond {
			continue
		}
		total += len(items)
		if r := judgePage(q, t, n+1, len(items)); r.Verdict != verdict.Pass {
			c.sure = c.isStill(t, q)
			return r
		}
	}
	return c.judgeWhole(q, pages, total, found)
}

// isOneList: two pages are of the same cases, since cases are only added, and none was between them. Payments
// settle at any time.
func (c *listCheck) isOneList(q listQuery, a, b *record.Attempt) bool {
	total := func(t *record.Attempt) string { return jsonvalue.Text(t.Answer, "metadata.total") }
	return b.Op.ID == "listMeds" && !c.more && q.filters["status"] == "" && total(a) == total(b)
}

// stillAfter is how long after the last change a total and a page must agree at a gateway that does not lag. It is
// much longer than a lag that is not measured, since some replicas lag only under load.
const stillAfter = 10 * record.LeastLag

// isStill: nothing can come between the total and the page of a response. All that the list may contain is
// known, whether it belongs there too, and no replica lags.
func (c *listCheck) isStill(t *record.Attempt, q listQuery) bool {
	key := q.filters["pixKey"]
	isOwnKey := key == "" || key == c.Accounts[c.of.Account].PixKey // on which there may be earlier payments
	if c.Lag > 0 || c.more && isOwnKey && !q.filtersByID() {
		return false
	}
	changed := lastChange(c.Exchanges[:t.Index])
	return t.Sent.After(changed.Add(max(stillAfter, record.Safety*t.Took))) &&
		!slices.ContainsFunc(c.known, func(k *known) bool { return fitOf(k, q) == uncertain })
}

// judgePage judges a page's metadata, and how many items it has.
func judgePage(q listQuery, t *record.Attempt, n, items int) Result {
	size := q.size
	if size == 0 {
		size = api.DefaultPageSize
	}
	for name, want := range map[string]int{"page": n, t.Op.SizeParameter(): size} {
		if got, _ := wholeNumber(t.Answer, "metadata."+name); got != want {
			return failAt(t, fmt.Sprintf("%s to return metadata.%s %d", requestOf(t), name, want), jsonvalue.Find(t.Answer, "metadata."+name).String(), "").in("metadata." + name)
		}
	}
	if r := metadataOf(t); r.Verdict != verdict.Pass {
		r.Finding.Expected = requestOf(t) + " to return consistent metadata: " + r.Finding.Expected
		return r
	}
	total, _ := wholeNumber(t.Answer, "metadata.total")
	if want := max(0, min(size, total-(n-1)*size)); items != want {
		return failAt(t, fmt.Sprintf("%s to return %s, since metadata.total is %d", requestOf(t), wording.Count(want, "item"), total), fmt.Sprint(items), "").in("data")
	}
	return pass()
}

func (c *listCheck) judgeItem(q listQuery, t *record.Attempt, item any) Result {
	k := c.knownAs(item)
	name := fmt.Sprintf("%s: %s", verdict.Stranger, itemInWords(item))
	if k != nil {
		name = k.name
	}
	isByID := c.asksForKnown(q)
	switch {
	case k != nil && fitOf(k, q) == outside, k == nil && (!c.more || isByID && !c.mayRelate()):
		all := "nothing"
		if matching := c.matching(q); matching != "" {
			all = "only " + matching
		}
		r := failAt(t, requestOf(t)+" to list "+all, "also "+name, "")
		r.Finding.About = verdict.About{Kind: verdict.Listing, Stranger: k == nil}
		return r
	case k == nil && isByID:
		return pass() // a refund may be listed by an id of its payment
	}
	if want, got := unlike(c.of.Operation, q, item); want != "" {
		return failAt(t, fmt.Sprintf("%s to list only items with %s", requestOf(t), want), fmt.Sprintf("%s in %s", got, name), "")
	}
	if k == nil {
		c.meet(q, item)
		return pass()
	}
	for filter := range k.values {
		value, ok := k.value(filter)
		field, shown := shownIn(c.of.Operation, filter, value)
		if v, _ := jsonvalue.Lookup(item, field); ok && field != "" && jsonvalue.Plain(v) != shown {
			return failAt(t, fmt.Sprintf("%s to list %s with %s %q", requestOf(t), name, field, shown), fmt.Sprintf("%s %q", field, jsonvalue.Plain(v)), "")
		}
	}
	if amount, ok := money.At(item, "originalAmount"); k.amount > 0 && (!ok || amount != k.amount) {
		return failAt(t, fmt.Sprintf("%s to list %s with originalAmount %v", requestOf(t), name, k.amount), jsonvalue.Find(item, "originalAmount").String(), "")
	}
	if !c.learned {
		learn(k, item)
	}
	return pass()
}

// meet takes up an item that the scenario did not make itself, such as money that came back: every later list
// that it matches has to contain it, too.
func (c *listCheck) meet(q listQuery, item any) {
	id, operation := itemID(c.of.Operation, item), transactionType(item)
	if id == "" || operation == "" || !c.learned || c.Accounts[c.of.Account].Shared {
		return
	}
	amount, _ := money.At(item, "originalAmount")
	k := &known{
		name: fmt.Sprintf("item listed before (%s of %v)", operation.Label(), amount), own: true, id: id, amount: amount,
		values: map[string][]string{"type": api.Spelled(operation)},
	}
	if key := q.filters["pixKey"]; key != "" {
		k.values["pixKey"] = []string{key}
	}
	learn(k, item)
	delete(k.values, "endToEndId") // whether money that came back is listed by it is left open
	c.known = append(c.known, k)
}

// asksForKnown reports whether a query is for an id that the scenario knows. Others may be in use on an
// account with a history.
func (c *listCheck) asksForKnown(q listQuery) bool {
	return slices.ContainsFunc(c.known, func(k *known) bool {
		return slices.ContainsFunc([]string{"externalId", "endToEndId"}, func(filter string) bool {
			value, ok := k.value(filter)
			return ok && value == q.filters[filter]
		})
	})
}

// mayRelate: the scenario made something that may be listed by the ids of a payment.
func (c *listCheck) mayRelate() bool {
	return slices.ContainsFunc(c.Attempts, func(t *record.Attempt) bool { return t.Returned || t.Is(api.Refund) })
}

// learn takes from an item what the scenario does not know itself. A final state stays.
func learn(k *known, item any) {
	if created, err := time.Parse(time.RFC3339, jsonvalue.Text(item, "createdAt")); err == nil {
		k.created = created
	}
	status := jsonvalue.Text(item, "status")
	for _, final := range api.PaymentStates.Later {
		if _, known := k.value("status"); !known && status == string(final.Label()) {
			k.values["status"] = api.Spelled(final)
		}
	}
	id := jsonvalue.Text(item, "endToEndId")
	if state, _ := k.value("status"); state == string(api.Confirmed) && len(id) == api.EndToEndIDLength && len(k.values["endToEndId"]) == 0 {
		k.values["endToEndId"] = []string{id}
	}
}

func (c *listCheck) judgeWhole(q listQuery, pages []*record.Attempt, total int, found map[*known]*record.Attempt) Result {
	last := pages[len(pages)-1]
	if len(pages) == MostPages {
		return pass() // an account with a long history
	}
	for _, k := range c.known {
		if fitOf(k, q) == inside && found[k] == nil {
			where := requestOf(pages[0])
			if len(pages) > 1 {
				where += fmt.Sprintf(" and its next %s", wording.Count(len(pages)-1, "page"))
			}
			return failAt(last, where+" to list "+c.matching(q), "no "+k.name, "").in("data")
		}
	}
	for n, t := range pages {
		isBeyond := n > 0 && n+1 > totalPages(pages[0])
		got, _ := wholeNumber(t.Answer, "metadata.total")
		if got != total && !isBeyond && (!c.more || q.filtersByID()) {
			return failAt(t, fmt.Sprintf("%s to return metadata.total %d", requestOf(t), total), fmt.Sprint(got), "").in("metadata.total")
		}
	}
	return pass()
}

func (c *listCheck) matching(q listQuery) string {
	var names []string
	for _, k := range c.known {
		switch fitOf(k, q) {
		case inside:
			names = append(names, k.name)
		case uncertain:
			names = append(names, "possibly "+k.name)
		}
	}
	return strings.Join(names, " and ")
}

// knownAs returns what the scenario knows of an item; nil if it did not make it.
func (c *listCheck) knownAs(item any) *known {
	id := itemID(c.of.Operation, item)
	if i := slices.IndexFunc(c.known, func(k *known) bool { return k.id == id }); i >= 0 && id != "" {
		return c.known[i]
	}
	return nil
}

// itemInWords tells what an item is that the scenario does not know: "Pix out of R$ 10.00 (01a21f3a-…)".
func itemInWords(item any) string {
	amount, _ := money.At(item, "originalAmount")
	id := cmp.Or(jsonvalue.Text(item, "transactionId"), jsonvalue.Text(item, "id"), "no id")
	return fmt.Sprintf("%s of %v (%s)", cmp.Or(jsonvalue.Text(item, "operationType"), "something"), amount, id)
}
