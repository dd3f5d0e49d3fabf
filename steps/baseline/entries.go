package baseline

import (
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Entry is what a baseline accepts, for people who read a certificate: failures of one rule, or what cannot be tested
// of several.
type Entry struct {
	Line  int      `json:"line"`
	Rules []string `json:"rules"`
	What  string   `json:"what"` // "expected 201, got 400"
	verdict.Known
}

// Entries are all entries, in the order of the file.
func (b *Baseline) Entries() []Entry {
	var all []Entry
	for _, e := range b.entries {
		all = append(all, Entry{e.line, []string{e.Rule}, "expected " + e.Expected + ", got " + e.Got, e.known()})
	}
	for _, u := range b.untested {
		why := u.Because
		if len(u.Controls) > 0 {
			why = "missing controls " + strings.Join(u.Controls, ", ")
		}
		all = append(all, Entry{u.line, slices.Sorted(maps.Keys(u.Rules)), "could not test: " + why, verdict.Known{Reason: u.Reason, Owner: u.Owner, Expires: u.Expires}})
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return a.Line - b.Line })
	return all
}
