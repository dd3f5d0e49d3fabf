package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Errors are all errors of a profile, in the order of its lines. They quote the file, but never the
// values of variables or other files, nor secret fields.
type Errors []FieldError

// FieldError is one error.
type FieldError struct {
	File  string // as passed
	Line  int    // from 1; 0 for the whole file
	Field string // "accounts[0].certificate"; empty for the whole file
	Text  string // what is wrong and what to do
}

// Error returns a line for each error: "pixcert.yaml:12: accounts[0].id: expected ...".
func (m Errors) Error() string {
	lines := make([]string, len(m))
	for i, e := range m {
		lines[i] = e.String()
	}
	if len(m) == 1 {
		return lines[0]
	}
	return fmt.Sprintf("the profile has %d errors:\n%s", len(m), strings.Join(lines, "\n"))
}

// String returns the error with its position, in the format that editors recognize.
func (m FieldError) String() string {
	place := m.File
	if m.Line > 0 {
		place += fmt.Sprintf(":%d", m.Line)
	}
	if m.Field != "" {
		place += ": " + m.Field
	}
	return place + ": " + m.Text
}

func (m Errors) sorted() Errors {
	slices.SortStableFunc(m, func(a, b FieldError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Field, b.Field))
	})
	return m
}

func (f *fields) fieldError(field, format string, args ...any) {
	f.errorAt(f.places[field].line, field, format, args...)
}

func (f *fields) nameError(field, format string, args ...any) {
	f.errorAt(f.places[field].keyLine, field, format, args...)
}

// missing reports a missing field.
func (f *fields) missing(field, name, format string, args ...any) {
	if !f.wrong[field] {
		f.errorAt(f.places[field].keyLine, below(field, name), format, args...)
	}
}

// errorAt reports the first error of a field: others may follow from it.
func (f *fields) errorAt(line int, field, format string, args ...any) {
	if !f.wrong[field] && !f.assumed[field] {
		f.wrong[field] = true
		f.add(line, field, format, args...)
	}
}

func (f *fields) add(line int, field, format string, args ...any) {
	f.errs = append(f.errs, FieldError{f.file, line, exchange.Line(field), fmt.Sprintf(format, args...)})
}

// note reports what is allowed but unwise.
func (f *fields) note(field, text string) {
	f.notes = append(f.notes, FieldError{f.file, f.places[field].line, field, text}.String())
}
