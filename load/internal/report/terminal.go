// Package report renders the result of a run as text for a terminal. It makes no verdicts of its own: they
// come from package result.
package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pixcert/pixcert/load/internal/result"
)

// Terminal writes the summary for a terminal of 80 columns: the verdict and its reasons, what was measured, and the metrics of k6
// and the script. With color it uses ANSI escapes: pass true if w is a terminal and NO_COLOR is unset.
func Terminal(w io.Writer, r result.Result, color bool) error {
	s := &screen{Writer: bufio.NewWriter(w), color: color}
	printVerdict(s, r)
	if r.Measured() || len(r.Failures) > 0 {
		for _, section := range []func(result.Result){s.requests, s.webhooks, s.money, s.generator, s.checks, s.thresholds} {
			section(r)
		}
	}
	s.metrics(r)
	return s.Flush()
}

func printVerdict(s *screen, r result.Result) {
	v := verdictOf(r)
	word := strings.ToUpper(v.Word)
	lines := fold(v.Why, columns-len(word)-2)
	fmt.Fprintf(s, "%s  %s\n", s.paint(v.Mark, word), lines[0])
	for _, l := range lines[1:] {
		fmt.Fprintln(s, strings.Repeat(" ", len(word)+2)+l)
	}
	for _, reason := range v.Reasons {
		s.para(v.Mark, "  - ", reason)
	}
	fmt.Fprintln(s)
	for _, f := range about(r) {
		s.para(plain, fmt.Sprintf("  %-9s", f[0]), f[1])
	}
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

// either is one of two values.
func either[T any](is bool, yes, no T) T {
	if is {
		return yes
	}
	return no
}

const columns = 80 // the width of a terminal

// screen writes to a terminal, with or without color. Flush returns the first error.
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
