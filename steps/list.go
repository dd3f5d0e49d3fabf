package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/cucumber/godog"
)

// items are those of the last answer, which is a page of a list.
func (s *scenario) items() (*attempt, []any, error) {
	t, err := s.it()
	if err != nil {
		return nil, nil, err
	}
	items, err := s.itemsOf(t)
	return t, items, err
}

// itemsOf are those of a page.
func (s *scenario) itemsOf(t *attempt) ([]any, error) {
	data, present := lookup(t.answer, "data")
	items, ok := data.([]any)
	if !ok {
		return nil, s.fail(t, "data to be an array", found{data, present}.String(), "")
	}
	return items, nil
}

// eachItemHas: "each item has:", of which there must be one, unless "if any".
func (s *scenario) eachItemHas(ctx context.Context, ifAny string, table *godog.Table) error {
	t, items, err := s.items()
	if err != nil {
		return err
	}
	if len(items) == 0 && ifAny == "" {
		return s.fail(t, "at least one item", "an empty list", "")
	}
	for i, item := range items {
		err := s.has(ctx, t, item, table)
		var f *failure
		if errors.As(err, &f) {
			f.Expected = fmt.Sprintf("of each of %d items %s", len(items), f.Expected)
			f.Came = fmt.Sprintf("%s of item %d", f.Came, i+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listHolds: "the list holds the second payment", "the list does not hold the case".
func (s *scenario) listHolds(ctx context.Context, holds, what string) error {
	t, items, err := s.items()
	if err != nil {
		return err
	}
	is, err := s.itemOf(what)
	if err != nil {
		return err
	}
	has := slices.ContainsFunc(items, is)
	if !has && t.actor.fixed != nil {
		if has, err = s.laterPageHolds(ctx, t, is); err != nil {
			return err
		}
	}
	if has == (holds == "holds") {
		return nil
	}
	expected := "the list to hold the " + what
	if holds != "holds" {
		expected = "the list not to hold the " + what
	}
	return s.fail(t, expected, fmt.Sprintf("%d items: %s", len(items), excerptOf(t.exchange.ResponseBody)), "")
}

// laterPageHolds looks for an item on all pages of a list: with a history before it, and
// in an order that is left open, it may stand on any.
func (s *scenario) laterPageHolds(ctx context.Context, t *attempt, is func(any) bool) (bool, error) {
	sizeName, earlier := sizeOf(t.op), s.attempts
	defer func() { s.attempts, t.actor.sent = earlier, t }()
	for page := range mostPages {
		r := t.request
		r.query = url.Values(http.Header(t.query).Clone())
		r.query.Set("page", fmt.Sprint(page+1))
		r.query.Set(sizeName, "100")
		next, err := s.send(ctx, &r)
		if err != nil {
			return false, err
		}
		items, err := s.itemsOf(next)
		pages, _ := lookup(next.answer, "metadata.totalPages")
		has := slices.ContainsFunc(items, is)
		if has || err != nil || len(items) == 0 || page+1 >= atoi(fmt.Sprint(pages)) {
			return has, err
		}
	}
	return false, &unable{reason: fmt.Sprintf("the list is longer than %d pages of 100: too long to be read to its end", mostPages)}
}

// sizeOf is how a list calls the size of its pages.
func sizeOf(op operation) string {
	if op.id == "listMeds" {
		return "pageSize"
	}
	return "size"
}

// excerptOf is the start of a body.
func excerptOf(body []byte) string { return string(body[:min(200, len(body))]) }

// itemOf says which item of a list is the one that a sentence names: "payment", "second
// payment", "case".
func (s *scenario) itemOf(what string) (func(any) bool, error) {
	if what == "case" {
		return func(item any) bool {
			id, _ := lookup(item, "id")
			return fmt.Sprint(id) == fmt.Sprint(s.opening)
		}, nil
	}
	which, _, _ := strings.Cut(what, " ")
	p, err := s.nth(which, payment, charge)
	if err != nil {
		return nil, err
	}
	return p.isListedAs, nil
}

// isListedAs: an item of a list of transactions is what the attempt made.
func (t *attempt) isListedAs(item any) bool {
	ids := t.ids()
	for _, field := range []string{"transactionId", "externalId", "endToEndId"} {
		if v, ok := lookup(item, field); ok && slices.Contains(ids, fmt.Sprint(v)) {
			return true
		}
	}
	return false
}

// metadataAddsUp: the number of pages follows from the total and the size, and what
// there is before and after from the page.
func (s *scenario) metadataAddsUp() error {
	t, err := s.it()
	if err != nil {
		return err
	}
	number := func(name string) int {
		v, _ := lookup(t.answer, "metadata."+name)
		n, _ := v.(json.Number)
		whole, ok := ratio(n) // 10.0 is whole too
		if !ok || !whole.IsInt() || !whole.Num().IsInt64() {
			return -1
		}
		return int(whole.Num().Int64())
	}
	total, page, pages := number("total"), number("page"), number("totalPages")
	size := max(number("size"), number("pageSize"))
	if total < 0 || page < 1 || pages < 0 || size < 1 {
		return s.fail(t, "metadata of whole numbers", excerptOf(t.exchange.ResponseBody), "")
	}
	want := (total + size - 1) / size
	if pages != want && (total > 0 || pages > 1) {
		return s.fail(t, fmt.Sprintf("totalPages to be %d, for %d in pages of %d", want, total, size), fmt.Sprint(pages), "")
	}
	for name, holds := range map[string]bool{"hasNext": page < pages, "hasPrevious": page > 1} {
		if v, ok := lookup(t.answer, "metadata."+name); ok && v != holds {
			return s.fail(t, fmt.Sprintf("%s to be %t on page %d of %d", name, holds, page, pages), fmt.Sprint(v), "")
		}
	}
	return nil
}

// --- walking the pages ---

// mostPages bounds a walk: no list of a scenario is longer.
const mostPages = 50

// walks: "the account walks the pages of the key list request by 2, sending a cash-out
// after each".
func (s *scenario) walks(ctx context.Context, noun, size, sending string) error {
	s.walked = nil
	first, err := s.valid("the account", noun)
	if err != nil {
		return err
	}
	for page := range mostPages {
		r := *first
		r.query = url.Values{"page": {fmt.Sprint(page + 1)}, sizeOf(first.op): {size}}
		t, err := s.send(ctx, &r)
		if err != nil {
			return err
		}
		if !t.accepted() && page > 0 { // a page beyond the last is left open
			return nil
		}
		items, err := s.itemsOf(t)
		if err != nil {
			return err
		}
		pages, _ := lookup(t.answer, "metadata.totalPages")
		if len(items) == 0 || page >= atoi(fmt.Sprint(pages)) && s.hasWalked(items) {
			return nil
		}
		s.walked = append(s.walked, items...)
		if sending != "" && page < 3 {
			if err := s.payTheSame(ctx, "1.00"); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasWalked: all of a page came before, as when the last one stands for those beyond it.
func (s *scenario) hasWalked(items []any) bool {
	for _, item := range items {
		if !slices.ContainsFunc(s.walked, func(w any) bool { return identityOf(w) == identityOf(item) }) {
			return false
		}
	}
	return true
}

// cameOnce: no item came on two pages.
func (s *scenario) cameOnce() error {
	seen := map[string]bool{}
	for _, item := range s.walked {
		id := identityOf(item)
		if seen[id] {
			return s.failWalk("each item on one page", id+" came twice")
		}
		seen[id] = true
	}
	return nil
}

// identityOf is the id of a listed transaction or of a case.
func identityOf(item any) string {
	for _, field := range []string{"transactionId", "id"} {
		if v, ok := lookup(item, field); ok {
			return fmt.Sprint(v)
		}
	}
	return "an item without an id"
}

func (s *scenario) itemsCame(atMost, count string) error {
	n, want := len(s.walked), atoi(count)
	if n == want || atMost != "" && n < want {
		return nil
	}
	return s.failWalk(atMost+count+" items on all pages together", fmt.Sprint(n))
}

func (s *scenario) noneMissed(count string) error {
	var made []*attempt
	for _, t := range s.attempts {
		if t.op.makes == payment && t.accepted() && len(made) < atoi(count) {
			made = append(made, t)
		}
	}
	for i, t := range made {
		if !slices.ContainsFunc(s.walked, t.isListedAs) {
			return s.failWalk("each payment that was there before on some page", fmt.Sprintf("the one made %d. came on none", i+1))
		}
	}
	return nil
}

func (s *scenario) failWalk(expected, came string) error {
	t, err := s.it()
	if err != nil {
		return err
	}
	return s.fail(t, expected, came, "")
}
