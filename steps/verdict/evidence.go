package verdict

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/exchange"
)

// evidence is a scenario's finding, steps and the exchange that the finding
// speaks of, as plain text.
func (s Scenario) evidence(rule Rule) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s\n%s:%d: %s\n", rule.Name, rule.Title, rule.File, s.Line, s.Name)
	if s.Finding != nil {
		out.WriteString("\n" + s.Finding.text())
	}
	for _, w := range s.Warnings {
		out.WriteString("\nwarning\n" + w.text())
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
	if e, ok := s.subject(); ok {
		out.WriteString("\n" + exchangeText(e, s.commands()[s.Finding.Exchange].Line))
	}
	if s.archive() != "" {
		fmt.Fprintf(&out, "\nall exchanges: %s\n", s.archive())
	}
	if s.Verdict == Fail {
		fmt.Fprintf(&out, "again, beside the reference: %s\n", s.Replay(""))
	}
	return exchange.Visible(out.String())
}

// text is the finding a line for each part, its words aligned.
func (f Finding) text() string {
	text := "expected  " + f.Expected + "\ncame      " + f.Came + "\n"
	if f.Hint != "" {
		text += "hint      " + f.Hint + "\n"
	}
	return text
}

// subject is the exchange that the finding speaks of, if it speaks of one that
// was kept.
func (s Scenario) subject() (exchange.Exchange, bool) {
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
			out.WriteString("(" + HTMLFile + "#curl says how to have values for its variables)\n")
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

// Mark is one character for a verdict, so that nothing hangs on colour alone.
func (v Verdict) Mark() string {
	switch v {
	case Pass:
		return "✓"
	case Fail:
		return "✗"
	case Warning:
		return "!"
	case CouldNotTest:
		return "?"
	case SuiteError:
		return "⚠"
	case NotApplicable:
		return "–"
	default: // a step that was not reached
		return "·"
	}
}

// readableBody is a body as a person reads it.
type readableBody struct {
	Text string
	Note string // what Text does not show
}

// readable shows the beginning of a body, of which leftOut more bytes were not
// kept: JSON indented, what is not text spelled out.
func readable(body []byte, leftOut, limit int) readableBody {
	kept := beginning(body, limit)
	var notes []string
	if whole := len(body) + leftOut; len(kept) < whole {
		notes = append(notes, fmt.Sprintf("the first %s of %s", size(len(kept)), size(whole)))
	}
	if !utf8.Valid(kept) {
		notes = append(notes, `not UTF-8: other bytes as \xff`)
	}
	text := string(kept)
	if indented := indent(kept, 2*limit); indented != "" {
		text = indented
	}
	return readableBody{exchange.Visible(text), strings.Join(notes, "; ")}
}

// indent is body indented if it is JSON and stays within limit: deep nesting
// grows with its square.
func indent(body []byte, limit int) string {
	var out bytes.Buffer
	depth := 0
	for _, b := range body {
		if b == '{' || b == '[' {
			depth++
		}
	}
	if depth > limit/32 || json.Indent(&out, body, "", "  ") != nil || out.Len() > limit {
		return ""
	}
	return out.String()
}

func size(bytes int) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%.0f KiB", float64(bytes)/(1<<10))
	default:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
}

// duration is d with as much detail as helps: 340 µs, 12 ms, 1.2 s, 2 min 5 s.
func duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	default:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
}

// reason is why a scenario is not a pass, in one line.
func (s Scenario) reason() string {
	switch {
	case s.Finding != nil && s.Finding.Expected != "":
		return exchange.Line("expected " + s.Finding.Expected + "; came " + cmp.Or(s.Finding.Came, "nothing"))
	case s.Finding != nil:
		return exchange.Line(s.Finding.Came)
	case len(s.Missing) > 0:
		return exchange.Line("missing controls: " + strings.Join(s.Missing, ", "))
	default:
		return string(s.Verdict)
	}
}
