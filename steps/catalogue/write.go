package catalogue

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// WriteScenario writes steps as a scenario of a feature, indented as one of a rule.
func WriteScenario(name string, steps []Step) string {
	keywords := map[StepType]string{Context: "Given", Action: "When", Outcome: "Then"}
	var b strings.Builder
	fmt.Fprintf(&b, "    Scenario: %s\n", name)
	before := StepType("")
	for _, s := range steps {
		keyword := keywords[s.Type]
		if s.Type == before {
			keyword = "And"
		}
		before = s.Type
		fmt.Fprintf(&b, "      %s %s\n", keyword, s.Text)
		writeTable(&b, s.Table)
		if s.DocString != "" {
			fmt.Fprintf(&b, "        \"\"\"\n%s\n        \"\"\"\n", indented(strings.ReplaceAll(s.DocString, `"""`, `\"\"\"`)))
		}
	}
	return b.String()
}

func indented(text string) string { return "        " + strings.ReplaceAll(text, "\n", "\n        ") }

// inCell spells what a cell of Gherkin cannot contain as it is.
var inCell = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `|`, `\|`)

func writeTable(b *strings.Builder, table [][]string) {
	var widths []int
	for _, row := range table {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(inCell.Replace(cell)))
		}
	}
	for _, row := range table {
		b.WriteString("        |")
		for i, cell := range row {
			fmt.Fprintf(b, " %-*s |", widths[i], inCell.Replace(cell))
		}
		b.WriteString("\n")
	}
}
