package report

import (
	"io"
	"slices"
)

// section is a part of a report, for both the terminal and the page.
type section struct {
	Title string
	Note  string // beside the title
	Parts []part
}

// part is a note, a table, or plots, which the terminal does not show.
type part struct {
	on    medium
	Mark  mark // of the text
	Text  string
	Table table
	Plots []*plot
	Small []*plot // side by side

	write func(io.Writer) error // of text for the terminal
}

// medium is where a part is shown.
type medium int

const (
	both medium = iota
	terminal
	page
)

// say adds a note, unless it is empty.
func (s *section) say(on medium, m mark, text string) {
	if text != "" {
		s.Parts = append(s.Parts, part{on: on, Mark: m, Text: visible(text)})
	}
}

// tables adds tables, except empty ones.
func (s *section) tables(on medium, tables ...table) {
	for _, t := range tables {
		if len(t.Rows) > 0 {
			s.Parts = append(s.Parts, part{on: on, Table: t})
		}
	}
}

// brief adds a table of which the terminal shows only the rows with a mark.
func (s *section) brief(t table) {
	s.tables(page, t)
	t.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(r row) bool { return r.Mark == plain })
	s.tables(terminal, t)
}

func (s *section) plots(large, small []*plot) {
	s.Parts = append(s.Parts, part{on: page, Plots: large, Small: small})
}

// shownOn are the sections with the parts for a medium, except empty ones.
func shownOn(on medium, all []section) (shown []section) {
	for _, s := range all {
		s.Parts = slices.DeleteFunc(s.Parts, func(p part) bool { return p.on != both && p.on != on })
		if len(s.Parts) > 0 {
			shown = append(shown, s)
		}
	}
	return shown
}

// section writes the parts of a section for the terminal.
func (s *screen) section(of section) {
	s.heading(of.Title, of.Note)
	for _, p := range of.Parts {
		switch {
		case p.write != nil:
			_ = p.write(s) // the error is returned when the screen is flushed
		case p.Text != "":
			s.para(p.Mark, "  ", p.Text)
		default:
			s.table(p.Table)
		}
	}
}
