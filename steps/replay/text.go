package replay

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// Text formats the result for people: the step that failed, the exchange that its finding blames
// with both responses, then what led there, and whether the target passes now.
func (r Result) Text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n%s\n%s\n\n", r.ID, exchange.Line(r.Title), exchange.Line(r.Name))
	table(&out, func(line func(format string, args ...any)) {
		line("  target\t%s %s\t%s", r.Target.Verdict.Mark(), r.Target.Verdict, exchange.Line(r.Target.Name))
		line("  reference\t%s %s\t%s", r.Reference.Verdict.Mark(), r.Reference.Verdict, exchange.Line(r.Reference.Name))
	})
	if r.Target.Expected+r.Target.Got != "" {
		out.WriteString("\n")
		r.writeFinding(&out)
		r.writeSteps(&out)
	}
	out.WriteString("\n" + r.closing())
	return out.String()
}

func (r Result) writeFinding(out *strings.Builder) {
	if n := len(r.Steps); n > 0 && r.Steps[n-1].Target != verdict.Pass { // otherwise no step of the scenario shows it
		step := r.Steps[n-1]
		fmt.Fprintf(out, "%s %s %s\n", step.Target.Mark(), step.Keyword, exchange.Line(step.Text))
	}
	for _, part := range [...]struct{ name, text string }{{"expected", r.Target.Expected}, {"got", r.Target.Got}, {"hint", r.Target.Hint}} {
		if part.text != "" {
			fmt.Fprintf(out, "    %-8s %s\n", part.name, exchange.Line(part.text))
		}
	}
	if !r.Reference.passes() {
		fmt.Fprintf(out, "\n  The reference does not pass either (%s), so no value is marked: expected %s, got %s\n",
			r.Reference.Verdict, exchange.Line(r.Reference.Expected), exchange.Line(r.Reference.Got))
	}
	if r.Blamed == nil {
		return
	}
	fmt.Fprintf(out, "\n  %s\n", r.Blamed.Request)
	if r.Blamed.Sent != "" {
		fmt.Fprintf(out, "    sent %s\n", r.Blamed.Sent)
	}
	if len(r.Blamed.Differences) == 0 {
		out.WriteString("    The reference responds in the same way.\n")
		return
	}
	const most = 16
	left := 0
	table(out, func(line func(format string, args ...any)) {
		line("    \ttarget\treference")
		for i, d := range r.Blamed.Differences {
			if i < most || d.Marked {
				line("  %s %s\t%s\t%s", pointer(d.Marked), d.Field, d.Target, d.Reference)
			} else {
				left++
			}
		}
	})
	if left > 0 {
		fmt.Fprintf(out, "    ... and %d more differ\n", left)
	}
}

// writeSteps writes how each side responded in each step that the target reached.
func (r Result) writeSteps(out *strings.Builder) {
	const form = "  %s %-48s  %-14s  %s\n"
	fmt.Fprintf(out, "\n"+form, " ", "requests and webhooks", "target", "reference")
	for _, step := range r.Steps {
		fmt.Fprintf(out, "%s %s %s\n", step.Target.Mark(), step.Keyword, exchange.Line(step.Text))
		for _, row := range step.Exchanges {
			fmt.Fprintf(out, form, pointer(row.Marked), exchange.Excerpt(row.Request, 47), cmp.Or(row.Target, none), cmp.Or(row.Reference, none))
		}
	}
}

func (r Result) closing() string {
	switch {
	case r.Target.passes() && r.Attempts == 1:
		return "The target passes now, in one attempt.\n"
	case r.Target.passes():
		return fmt.Sprintf("The target passes now, in %s.\n", wording.Every(r.Attempts, "attempt"))
	case r.Target.Verdict != verdict.Fail:
		return fmt.Sprintf("The target: %s.\n", r.Target.Verdict)
	case r.Attempts > 1:
		return fmt.Sprintf("The target still fails, but not always: 1 of %d attempts.\n", r.Attempts)
	default:
		return "The target still fails.\n"
	}
}

// table writes lines whose columns, separated by tabs, are aligned.
func table(out *strings.Builder, write func(line func(format string, args ...any))) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	write(func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) })
	_ = w.Flush() // a strings.Builder takes everything
}

func pointer(marked bool) string {
	if marked {
		return ">"
	}
	return " "
}
