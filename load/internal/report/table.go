package report

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"
)

// table is facts in rows.
type table struct {
	Columns []column
	Rows    []row
}

type column struct {
	Name  string
	Right bool // numbers
}

type row struct {
	Mark  mark
	Cells []string
	Below []string // notes
}

// mark classifies a fact, or says how it looks.
type mark string

const (
	plain mark = ""
	good  mark = "good"
	bad   mark = "bad"
	warn  mark = "warn"

	strong mark = "strong"
	soft   mark = "soft"
)

// markIf is a mark, if something is so.
func markIf(is bool, m mark) mark { return markOr(is, m, plain) }

func markOr(is bool, yes, no mark) mark {
	if is {
		return yes
	}
	return no
}

// add appends a row. Cells may contain text from a gateway: see visible.
func (t *table) add(m mark, cells ...string) {
	for i, c := range cells {
		cells[i] = visible(c)
	}
	t.Rows = append(t.Rows, row{Mark: m, Cells: cells})
}

// text is a column of words.
func text(name string) column { return column{Name: name} }

// figures are columns of numbers.
func figures(names ...string) []column {
	out := make([]column, len(names))
	for i, n := range names {
		out[i] = column{Name: n, Right: true}
	}
	return out
}

// columns is the width of a terminal.
const columns = 80

// screen writes to a terminal, with or without colour. Flush returns the first error, as
// with every bufio.Writer.
type screen struct {
	*bufio.Writer
	colour bool
}

var colours = map[mark]string{good: "\x1b[32m", bad: "\x1b[31m", warn: "\x1b[33m", strong: "\x1b[1m", soft: "\x1b[2m"}

// paint wraps text in the colour of a mark.
func (s *screen) paint(m mark, text string) string {
	if !s.colour || colours[m] == "" {
		return text
	}
	return colours[m] + text + "\x1b[0m"
}

// heading starts a part of the summary.
func (s *screen) heading(title, note string) {
	fmt.Fprintf(s, "\n%s", s.paint(strong, title))
	if note != "" {
		fmt.Fprintf(s, "  %s", s.paint(soft, note))
	}
	fmt.Fprintln(s)
}

// para writes text wrapped at the screen's width, with a hanging indent.
func (s *screen) para(m mark, first, words string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(first))
	for i, l := range fold(visible(words), columns-utf8.RuneCountInString(first)) {
		if i > 0 {
			first = indent
		}
		fmt.Fprintln(s, first+s.paint(m, l))
	}
}

// say writes a paragraph, unless it is empty.
func (s *screen) say(m mark, text string) {
	if text != "" {
		s.para(m, "  ", text)
	}
}

// table writes columns as wide as their cells, unless it is empty. If a row is wider than the screen, its last
// column is wrapped, provided that it contains words.
func (s *screen) table(t table) {
	if len(t.Rows) == 0 {
		return
	}
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = utf8.RuneCountInString(c.Name)
		for _, r := range t.Rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(r.Cells[i]))
		}
	}
	// A last column of words is wrapped; figures that do not fit are set closer.
	indent, gap := "  ", "  "
	if t.Columns[len(t.Columns)-1].Right {
		if sum(widths)+2*len(widths) > columns {
			gap = " "
		}
		if sum(widths)+len(widths)+1 > columns {
			indent = ""
		}
	}
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	s.line(soft, t.Columns, widths, indent, gap, names)
	for _, r := range t.Rows {
		s.line(r.Mark, t.Columns, widths, indent, gap, r.Cells)
		for _, note := range r.Below {
			s.para(soft, "    ", note)
		}
	}
}

func sum(widths []int) (total int) {
	for _, w := range widths {
		total += w
	}
	return total
}

func (s *screen) line(m mark, cs []column, widths []int, indent, gap string, cells []string) {
	var b strings.Builder
	b.WriteString(indent)
	last := len(cs) - 1
	for i, c := range cs {
		fill := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cells[i]))
		switch {
		case c.Right:
			b.WriteString(fill + cells[i])
		case i < last:
			b.WriteString(cells[i] + fill)
		}
		if i < last {
			b.WriteString(gap)
		}
	}
	if cs[last].Right {
		fmt.Fprintln(s, s.paint(m, b.String()))
		return
	}
	start := b.String()
	width := utf8.RuneCountInString(start)
	for i, l := range fold(cells[last], max(20, columns-width)) {
		if i > 0 {
			start = strings.Repeat(" ", width)
		}
		fmt.Fprintln(s, s.paint(m, strings.TrimRight(start+l, " ")))
	}
}

// fold wraps text at spaces into lines of at most width runes; longer words stay whole.
func fold(text string, width int) []string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return []string{""}
	}
	lines := []string{words[0]}
	for _, w := range words[1:] {
		if l := lines[len(lines)-1]; utf8.RuneCountInString(l)+1+utf8.RuneCountInString(w) <= width {
			lines[len(lines)-1] = l + " " + w
		} else {
			lines = append(lines, w)
		}
	}
	return lines
}
