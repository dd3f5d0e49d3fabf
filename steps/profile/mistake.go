package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Mistakes are all that is wrong with a profile, in the order of its lines. They quote
// what stands in the file, never what a variable or another file holds, and never the
// value of a field that is secret.
type Mistakes []Mistake

// Mistake is one thing that is wrong.
type Mistake struct {
	File  string // as it was given
	Line  int    // from 1; 0 for the file as a whole
	Field string // "accounts[0].certificate"; empty for the file as a whole
	Text  string // what was expected, what was found, what to do
}

// Error is a line for each mistake: "pixcert.yaml:12: accounts[0].id: expected ...".
func (m Mistakes) Error() string {
	lines := make([]string, len(m))
	for i, mistake := range m {
		lines[i] = mistake.String()
	}
	if len(m) == 1 {
		return lines[0]
	}
	return fmt.Sprintf("the profile has %d errors:\n%s", len(m), strings.Join(lines, "\n"))
}

// String is the mistake with its place, in the form in which editors find it.
func (m Mistake) String() string {
	place := m.File
	if m.Line > 0 {
		place += fmt.Sprintf(":%d", m.Line)
	}
	if m.Field != "" {
		place += ": " + m.Field
	}
	return place + ": " + m.Text
}

func (m Mistakes) sorted() Mistakes {
	slices.SortStableFunc(m, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Field, b.Field))
	})
	return m
}
