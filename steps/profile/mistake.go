package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
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

// mistake notes what is wrong with the value of a field.
func (r *reader) mistake(field, format string, args ...any) {
	r.wrongAt(r.places[field].line, field, format, args...)
}

// misnamed notes that a field should have another name.
func (r *reader) misnamed(field, format string, args ...any) {
	r.wrongAt(r.places[field].keyLine, field, format, args...)
}

// lacks notes that a field has none of that name below it.
func (r *reader) lacks(field, name, format string, args ...any) {
	if !r.wrong[field] {
		r.wrongAt(r.places[field].keyLine, below(field, name), format, args...)
	}
}

// wrongAt notes the first mistake of a field: others may follow from it.
func (r *reader) wrongAt(line int, field, format string, args ...any) {
	if !r.wrong[field] && !r.assumed[field] {
		r.wrong[field] = true
		r.add(line, field, format, args...)
	}
}

func (r *reader) add(line int, field, format string, args ...any) {
	r.mistakes = append(r.mistakes, Mistake{r.file, line, exchange.Line(field), fmt.Sprintf(format, args...)})
}

// note notes what is allowed but unwise.
func (r *reader) note(field, text string) {
	r.notes = append(r.notes, Mistake{r.file, r.places[field].line, field, text}.String())
}
