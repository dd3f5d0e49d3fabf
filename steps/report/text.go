package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// evidenceText is a scenario's finding and steps, and the exchange that the finding is
// about, as plain text.
func evidenceText(s verdict.Scenario, rule verdict.Rule) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s\n%s:%d: %s\n", rule.Name, rule.Title, rule.File, s.Line, s.Name)
	if s.Finding != nil {
		out.WriteString("\n" + findingText(*s.Finding))
		if often := s.Frequency(); often != "" {
			out.WriteString("seen      " + often + "\n")
		}
	}
	for _, w := range s.Warnings {
		out.WriteString("\nwarning\n" + findingText(w))
	}
	if len(s.Missing) > 0 {
		fmt.Fprintf(&out, "\nmissing controls: %s\n", strings.Join(s.Missing, ", "))
	}
	out.WriteString("\n")
	for _, step := range s.Steps {
		fmt.Fprintf(&out, "%s %s %s\n", step.Verdict.Mark(), step.Keyword, step.Text)
		for _, row := range step.Table {
			fmt.Fprintf(&out, "      | %s |\n", strings.Join(row, " | "))
		}
	}
	if e, ok := subjectOf(s); ok {
		out.WriteString("\n" + exchangeText(e, commandsOf(s)[s.Finding.Exchange].Line))
	}
	if e, ok := s.Right(); ok {
		out.WriteString("\nin an attempt that passed:\n" + exchangeText(e, ""))
	}
	if archiveOf(s) != "" {
		fmt.Fprintf(&out, "\nall exchanges: %s\n", archiveOf(s))
	}
	if s.Verdict == verdict.Fail {
		fmt.Fprintf(&out, "replay against target and reference: %s\n", ReplayCommand(s, ""))
	}
	return exchange.Visible(out.String())
}

// findingText is a finding with a line for each part.
func findingText(f verdict.Finding) string {
	text := "expected  " + f.Expected + "\ngot       " + f.Got + "\n"
	if f.Hint != "" {
		text += "hint      " + f.Hint + "\n"
	}
	return text
}

// subjectOf is the exchange that the finding is about; false if none, or if it was not kept.
func subjectOf(s verdict.Scenario) (exchange.Exchange, bool) {
	if s.Finding == nil || s.Finding.Exchange < 0 || s.Finding.Exchange >= len(s.Exchanges) {
		return exchange.Exchange{}, false
	}
	return s.Exchanges[s.Finding.Exchange], true
}

// exchangeText is an exchange with the curl line that sends it again, empty for none.
func exchangeText(e exchange.Exchange, line string) string {
	const shown = 2 << 10
	var out strings.Builder
	if line != "" {
		out.WriteString(line + "\n")
		if strings.Contains(line, "$") {
			out.WriteString("(" + HTMLFile + "#curl shows how to set its variables)\n")
		}
		out.WriteString("\n")
	}
	switch {
	case e.Err != "":
		fmt.Fprintf(&out, "%s after %s\n", e.Err, duration(e.Took))
	case e.Exit > 0:
		fmt.Fprintf(&out, "%d (exit status %d) after %s\n", e.Status, e.Exit, duration(e.Took))
	default:
		fmt.Fprintf(&out, "%d after %s\n", e.Status, duration(e.Took))
	}
	if body := readable(e.ResponseBody, e.LeftOut, shown); body.Text != "" {
		out.WriteString(strings.TrimRight(body.Text, "\n") + "\n")
		if body.Note != "" {
			out.WriteString("(" + body.Note + ")\n")
		}
	}
	return out.String()
}

// reasonOf says in one line why a scenario did not pass.
func reasonOf(s verdict.Scenario) string {
	switch {
	case s.Finding != nil && s.Finding.Expected != "":
		reason := "expected " + s.Finding.Expected + ", got " + cmp.Or(s.Finding.Got, "nothing")
		if often := s.Frequency(); often != "" {
			reason += ", " + often
		}
		return exchange.Line(reason)
	case s.Finding != nil:
		return exchange.Line(s.Finding.Got)
	case len(s.Missing) > 0:
		return exchange.Line("missing controls: " + strings.Join(s.Missing, ", "))
	default:
		return string(s.Verdict)
	}
}
