package model

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Scenario writes the walk as a scenario of a feature, indented as one of a rule.
func (w *Walk) Scenario(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "    Scenario: %s\n", name)
	before := ""
	for _, l := range w.Lines {
		keyword := l.Keyword
		if keyword == before {
			keyword = "And"
		}
		before = l.Keyword
		fmt.Fprintf(&b, "      %s %s\n", keyword, l.Text)
		writeTable(&b, l.Table)
	}
	return b.String()
}

func writeTable(b *strings.Builder, table [][]string) {
	var widths []int
	for _, row := range table {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range table {
		b.WriteString("        |")
		for i, cell := range row {
			fmt.Fprintf(b, " %-*s |", widths[i], cell)
		}
		b.WriteString("\n")
	}
}
