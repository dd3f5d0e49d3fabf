// Package listing knows which list queries to send, and whether the pages that they return are right. It gets what
// a scenario knows about its items, and pages; it returns queries and breaches. Whether a lagging replica or
// something that happened meanwhile excuses a breach is for package judge to decide.
package listing

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// List is a list of an account, as far as a scenario knows it. Check learns from what it reads.
type List struct {
	Op      *api.Operation
	Items   []*Item // that are known; those of other accounts must not be listed
	More    bool    // it may contain items that are not known
	Related bool    // it may list them by the ids of known ones, as a refund by that of its payment
	Shared  bool    // others change it at any time
	Learned bool    // the lookups were read: what they did not show of an item stays unknown
}

// MostPages is the maximum number of pages of a list to read.
const MostPages = 50

// Breach is what is wrong with a page.
type Breach struct {
	Page                 *record.Attempt
	Rule                 string // that it breaks; empty where that depends on who asks
	Field, Expected, Got string
	About                verdict.About // zero if the field says it
	Excuse               Excuse
}

// Excuse is what a gateway that is right may show the same for.
type Excuse int

// A replica that lags lacks items, and shows earlier states. Where items are not counted and read at once, they may
// be added or leave in between.
const (
	NoExcuse Excuse = iota
	Lag
	Change // between the count and the page, or lag
)

// HasRead reports whether these are all pages of a query that are to be read.
func (l *List) HasRead(q Query, pages []*record.Attempt) bool {
	n := len(pages)
	if n == 0 {
		return false
	}
	last := pages[n-1]
	items, _ := last.Items()
	total := TotalPages(pages[0])
	return !last.Accepted() || len(items) == 0 || overfull(last) != nil || n == MostPages || n > total || n == total && !q.Beyond || !l.More && n > len(l.Items)+1
}

// Unsure reports whether the scenario knows too little to say which items match a query.
func (l *List) Unsure(q Query) bool {
	return slices.ContainsFunc(l.Items, func(k *Item) bool { return q.Fit(k) == Uncertain })
}

// known returns what is known of a listed item; nil if nothing is.
func (l *List) known(listed any) *Item {
	id := IDOf(l.Op, listed)
	if i := slices.IndexFunc(l.Items, func(k *Item) bool { return k.ID == id }); i >= 0 && id != "" {
		return l.Items[i]
	}
	return nil
}

// matching names the items that match a query.
func (l *List) matching(q Query) string {
	var names []string
	for _, k := range l.Items {
		switch q.Fit(k) {
		case Inside:
			names = append(names, k.Name)
		case Uncertain:
			names = append(names, "possibly "+k.Name)
		}
	}
	return strings.Join(names, " and ")
}

// asksForKnown reports whether a query is for an id that the scenario knows. Others may be in use on an
// account with a history.
func (l *List) asksForKnown(q Query) bool {
	return slices.ContainsFunc(l.Items, func(k *Item) bool {
		return slices.ContainsFunc([]string{"externalId", "endToEndId"}, func(filter string) bool {
			value, ok := k.Value(filter)
			return ok && value == q.Filters[filter]
		})
	})
}

// adoptUnknown takes up an item that the scenario did not make: every later list that it matches has to contain
// it, too.
func (l *List) adoptUnknown(q Query, listed any) {
	if !l.Learned || l.Shared {
		return
	}
	if k := unknownItem(l.Op, q, listed); k != nil {
		l.Items = append(l.Items, k)
	}
}
