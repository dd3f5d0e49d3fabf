package report

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"
)

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

// either is one of two values.
func either[T any](is bool, yes, no T) T {
	if is {
		return yes
	}
	return no
}

// columns is the width of a terminal.
const columns = 80

// screen writes to a terminal, with or without color. Flush returns the first error, as
// with every bufio.Writer.
type screen struct {
	*bufio.Writer
	color bool
}

var colors = map[mark]string{good: "\x1b[32m", bad: "\x1b[31m", warn: "\x1b[33m", strong: "\x1b[1m", soft: "\x1b[2m"}

// paint wraps text in the color of a mark.
func (s *screen) paint(m mark, text string) string {
	if !s.color || colors[m] == "" {
		return text
	}
	return colors[m] + text + "\x1b[0m"
}

// heading starts a part of the summary.
func (s *screen) heading(title, note string) {
	fmt.Fprintf(s, "\n%s%s\n", s.paint(strong, title), either(note == "", "", "  "+s.paint(soft, note)))
}

// para writes text wrapped at the screen's width, with a hanging indent. It may contain text from a gateway: see visible.
func (s *screen) para(m mark, first, words string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(first))
	for i, l := range fold(visible(words), columns-utf8.RuneCountInString(first)) {
		fmt.Fprintln(s, either(i == 0, first, indent)+s.paint(m, l))
	}
}

// say writes a paragraph, unless it is empty.
func (s *screen) say(m mark, text string) {
	if text != "" {
		s.para(m, "  ", text)
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
