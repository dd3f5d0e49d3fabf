package catalogue

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/spelling"
)

// meant suggests the known names that are similar to name, as the end of a sentence.
func meant(name string, known map[string]bool) string {
	names := spelling.Nearest(name, slices.Collect(maps.Keys(known)), 3)
	if len(names) == 0 {
		return "; the areas are " + strings.Join(areas(known), ", ")
	}
	return "; did you mean " + strings.Join(names, ", ") + "?"
}

// noSuchStatement returns why no rule shows the statement that a tag names; empty if the tag does not
// look like a statement.
func (c *Catalogue) noSuchStatement(tag string) string {
	id := strings.TrimPrefix(tag, "@")
	if s, found := c.Statement(id); found {
		return fmt.Sprintf("no rule covers the statement %s: %s", id, s.Note)
	}
	if _, found := c.Statement(strings.ToUpper(id)); found {
		return fmt.Sprintf("no scenario has the tag %s; did you mean @%s?", tag, strings.ToUpper(id))
	}
	section, _, _ := strings.Cut(id, "-")
	var last string
	for _, s := range c.Statements {
		if strings.HasPrefix(s.ID, section+"-") {
			last = s.ID
		}
	}
	if last == "" {
		return ""
	}
	return fmt.Sprintf("there is no statement %s; the last one of %s is %s", id, section, last)
}

// areas are the first words of names, each once, in alphabetical order.
func areas(names map[string]bool) []string {
	found := map[string]bool{}
	for name := range names {
		area, _, _ := strings.Cut(name, ".")
		found[area] = true
	}
	return slices.Sorted(maps.Keys(found))
}
