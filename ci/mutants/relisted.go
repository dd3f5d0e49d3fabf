package mutants

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Lists that a gateway reads in another way. The whole list is read page by page, changed, and cut into pages again:
// what a page has and what its metadata says stay consistent.

// relisting answers calls to a list for which the condition holds with a page of what a function makes of the list.
func relisting(p place, when condition, list func(c *call, pass server) []any) fault {
	return afterAnswer(p, all(accepted, when), func(c *call, a *answer, pass server) *answer {
		return a.edited(paged(list(c, pass), metadata(a, "page"), metadata(a, "size")+metadata(a, "pageSize"))...)
	})
}

// paged are the edits that show a page of a list; lists of cases call its size pageSize.
func paged(whole []any, page, size int64) []edit {
	total := int64(len(whole))
	start := min(total, (page-1)*size)
	pages := (total + size - 1) / size
	return []edit{
		set("data", string(encode(append([]any{}, whole[start:min(total, start+size)]...)))), // never null
		set("metadata.total", strconv.FormatInt(total, 10)),
		set("metadata.totalPages", strconv.FormatInt(pages, 10)),
		at("metadata.hasNext", on(func(bool) any { return page < pages })),
	}
}

// whole reads all pages of the list that a call asks for, edited.
func (c *call) whole(pass server, edits ...edit) (items []any) {
	size := "100"
	if c.endpoint == ofKey {
		size = "1000" // as many as a list by key ever has
	}
	for page := 1; ; page++ {
		a := pass(c.edited(append(slices.Clip(edits), ask("page", strconv.Itoa(page)), ask("size", size), ask("pageSize", size))...))
		data := lookups(a.body, "data[]")
		items = append(items, data...)
		if len(data) == 0 || int64(len(items)) >= metadata(a, "total") {
			return items
		}
	}
}

// others are the tokens of the other clients that have called an endpoint in these relations.
func (c *call) others(at *endpoint, relations ...relation) (tokens []edit) {
	seen := map[string]bool{}
	for _, e := range c.before(at, append(relations, byAnother, taken)...) {
		if client := e.call.client; !seen[client] {
			seen[client] = true
			issue := c.lastBefore(token, taken, func(_ *call, then *entry) bool { return then.call.client == client })
			tokens = append(tokens, bearer(tokenOf(issue)))
		}
	}
	return tokens
}

// besides reads the list of a call together with those of other clients.
func besides(others func(*call) []edit) func(*call, server) []any {
	return func(c *call, pass server) []any {
		lists := [][]any{c.whole(pass)}
		for _, token := range others(c) {
			lists = append(lists, c.whole(pass, token))
		}
		return merged(lists...)
	}
}

// merged is one list of several, the latest first, with each item once.
func merged(lists ...[]any) []any {
	var items []any
	seen := map[string]bool{}
	for _, item := range slices.Concat(lists...) {
		if id := string(encode(descend(item, []string{"transactionId"}))) + string(encode(descend(item, []string{"id"}))); !seen[id] {
			seen[id] = true
			items = append(items, item)
		}
	}
	slices.SortStableFunc(items, descending("createdAt"))
	return items
}

// keepingItems lists what there is with the query edited, if it is kept.
func keepingItems(kept func(c *call, item map[string]any) bool, edits ...edit) func(*call, server) []any {
	return func(c *call, pass server) []any {
		return slices.DeleteFunc(c.whole(pass, edits...), func(v any) bool {
			item, ok := v.(map[string]any)
			return ok && !kept(c, item)
		})
	}
}

// withoutItems lists all but the items that have a value in a field.
func withoutItems(field string, value any) func(*call, server) []any {
	return keepingItems(func(_ *call, item map[string]any) bool { return item[field] != value })
}

// textOf is the text in a field of an item.
func textOf(item map[string]any, field string) string {
	s, _ := item[field].(string)
	return s
}

// order compares two items of a list.
type order = func(x, y any) int

// ordered lists by an order, and what that does not tell apart by age, the oldest first.
func ordered(by order) func(*call, server) []any {
	return func(c *call, pass server) []any {
		items := c.whole(pass)
		slices.Reverse(items)
		slices.SortStableFunc(items, by)
		return items
	}
}

func byAge(any, any) int { return 0 }

func ascending(field string) order {
	return func(x, y any) int {
		a, b := descend(x, []string{field}), descend(y, []string{field})
		if len(a) != 1 || len(b) != 1 {
			return cmp.Compare(len(a), len(b))
		}
		m, isNumber := a[0].(json.Number)
		n, areNumbers := b[0].(json.Number)
		if isNumber && areNumbers {
			f, _ := m.Float64()
			g, _ := n.Float64()
			return cmp.Compare(f, g)
		}
		return strings.Compare(string(encode(a[0])), string(encode(b[0])))
	}
}

func descending(field string) order {
	by := ascending(field)
	return func(x, y any) int { return by(y, x) }
}
