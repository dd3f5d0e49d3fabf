package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/dimensions"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/wording"
)

// property is what a request may have in one of the dimensions that its step combines: a choice or, if it is empty,
// anything but nothing.
type property struct{ dimension, choice string }

// combination is what requests have in common.
type combination []property

// mostProperties is the size of the largest combination that is searched for: few faults depend on more.
const mostProperties = 3

// blamed is the smallest combination that some wrong requests have and no right one has: of those of one size, the one
// that most have. None if the requests combine nothing, or none is right.
func blamed(wrong, right []*record.Attempt) combination {
	if len(wrong) == 0 || len(right) == 0 || len(wrong[0].Chosen) == 0 {
		return nil
	}
	var best combination
	most := 0
	for size := 1; size <= mostProperties; size++ {
		for _, c := range combinationsOf(propertiesOf(wrong), size) {
			if n := c.count(wrong); n > most && c.count(right) == 0 {
				best, most = c, n
			}
		}
		if most == len(wrong) {
			break
		}
	}
	return best
}

// propertiesOf are the properties of some requests, the more general ones of a dimension first.
func propertiesOf(requests []*record.Attempt) (all []property) {
	for i, c := range requests[0].Chosen {
		seen := []property{}
		optional := false
		for _, t := range requests {
			choice := t.Chosen[i].Choice
			optional = optional || choice == language.LeftOut
			if p := (property{c.Dimension, choice}); !slices.Contains(seen, p) {
				seen = append(seen, p)
			}
		}
		if !optional && len(seen) > 1 {
			all = append(all, property{c.Dimension, ""})
		}
		all = append(all, seen...)
	}
	return all
}

// combinationsOf are the ways to take so many properties of different dimensions.
func combinationsOf(all []property, size int) (found []combination) {
	if size == 0 {
		return []combination{nil}
	}
	for i, p := range all {
		for _, rest := range combinationsOf(all[i+1:], size-1) {
			if !slices.ContainsFunc(rest, func(q property) bool { return q.dimension == p.dimension }) {
				found = append(found, append(combination{p}, rest...))
			}
		}
	}
	return found
}

func (p property) isOf(t *record.Attempt) bool {
	return slices.ContainsFunc(t.Chosen, func(c dimensions.Pick) bool {
		return c.Dimension == p.dimension && (c.Choice == p.choice || p.choice == "" && c.Choice != language.LeftOut)
	})
}

func (p property) String() string {
	switch p.choice {
	case "":
		return p.dimension + " is given"
	case language.LeftOut:
		return p.dimension + " is left out"
	}
	return p.dimension + " is " + p.choice
}

// count counts the requests that have all properties.
func (c combination) count(requests []*record.Attempt) (n int) {
	for _, t := range requests {
		if !slices.ContainsFunc(c, func(p property) bool { return !p.isOf(t) }) {
			n++
		}
	}
	return n
}

func (c combination) String() string {
	var all []string
	for _, p := range c {
		all = append(all, p.String())
	}
	return strings.Join(all, " and ")
}

// evidence says how many requests show that a combination is wrong, and that each part of it alone is right.
func (c combination) evidence(wrong, right []*record.Attempt) string {
	said := fmt.Sprintf("wrong %s of %d, right in %d of the %d others",
		wording.Count(c.count(wrong), "time"), c.count(wrong), len(right), len(right)+len(wrong)-c.count(wrong))
	if len(c) == 1 {
		return said
	}
	for _, p := range c {
		said += fmt.Sprintf("; right %s if only %s", wording.Count(combination{p}.count(right), "time"), p)
	}
	return said
}
