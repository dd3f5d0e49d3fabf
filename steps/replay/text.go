package replay

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Text formats the result for people: the step that failed, the exchange that its finding blames
// with both responses, then what led there, and whether the target passes now.
func (r Result) Text(in translation.Language) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n%s\n%s\n\n", r.ID, exchange.Line(r.Title), exchange.Line(r.Name))
	table(&out, func(line func(format string, args ...any)) {
		line("  %s\t%s %s\t%s", in.Say("target"), r.Target.Verdict.Mark(), r.Target.Verdict.In(in), exchange.Line(in.Recorded(r.Target.Name)))
		line("  %s\t%s %s\t%s", in.Say("reference"), r.Reference.Verdict.Mark(), r.Reference.Verdict.In(in), exchange.Line(in.Recorded(r.Reference.Name)))
	})
	if r.Target.Expected+r.Target.Got != "" {
		out.WriteString("\n")
		r.writeFinding(&out, in)
		r.writeSteps(&out, in)
	}
	out.WriteString("\n" + r.closing(in))
	return out.String()
}

func (r Result) writeFinding(out *strings.Builder, in translation.Language) {
	if n := len(r.Steps); n > 0 && r.Steps[n-1].Target != verdict.Pass { // otherwise no step of the scenario shows it
		step := r.Steps[n-1]
		fmt.Fprintf(out, "%s %s %s\n", step.Target.Mark(), step.Keyword, exchange.Line(step.Text))
	}
	for _, part := range [...]struct{ name, text string }{{in.Say("expected"), r.Target.Expected}, {in.Say("got"), r.Target.Got}, {in.Say("hint"), r.Target.Hint}} {
		if part.text != "" {
			fmt.Fprintf(out, "    %-8s %s\n", part.name, exchange.Line(in.Recorded(part.text)))
		}
	}
	if !r.Reference.passes() {
		fmt.Fprintf(out, "\n  %s\n", in.Sayf("The reference does not pass either (%s), so no value is marked: expected %s, got %s",
			r.Reference.Verdict.In(in), exchange.Line(in.Recorded(r.Reference.Expected)), exchange.Line(in.Recorded(r.Reference.Got))))
	}
	if r.Blamed == nil {
		return
	}
	fmt.Fprintf(out, "\n  %s\n", r.Blamed.Request)
	if r.Blamed.Sent != "" {
		fmt.Fprintf(out, "    %s\n", in.Sayf("sent %s", r.Blamed.Sent))
	}
	if len(r.Blamed.Differences) == 0 {
		fmt.Fprintf(out, "    %s\n", in.Say("The reference responds in the same way."))
		return
	}
	const most = 16
	left := 0
	table(out, func(line func(format string, args ...any)) {
		line("    \t%s\t%s", in.Say("target"), in.Say("reference"))
		for i, d := range r.Blamed.Differences {
			if i < most || d.Marked {
				line("  %s %s\t%s\t%s", pointer(d.Marked), in.Recorded(d.Field), in.Recorded(d.Target), in.Recorded(d.Reference))
			} else {
				left++
			}
		}
	})
	if left > 0 {
		fmt.Fprintf(out, "    %s\n", in.SayN(left, "... and %d more differs", "... and %d more differ", left))
	}
}

// writeSteps writes how each side responded in each step that the target reached.
func (r Result) writeSteps(out *strings.Builder, in translation.Language) {
	const form = "  %s %-48s  %-14s  %s\n"
	fmt.Fprintf(out, "\n"+form, " ", in.Say("requests and webhooks"), in.Say("target"), in.Say("reference"))
	for _, step := range r.Steps {
		fmt.Fprintf(out, "%s %s %s\n", step.Target.Mark(), step.Keyword, exchange.Line(step.Text))
		for _, row := range step.Exchanges {
			fmt.Fprintf(out, form, pointer(row.Marked), exchange.Excerpt(row.Request, 47), in.Recorded(cmp.Or(row.Target, none)), in.Recorded(cmp.Or(row.Reference, none)))
		}
	}
}

func (r Result) closing(in translation.Language) string {
	switch {
	case r.Target.passes() && r.Attempts == 1:
		return in.Say("The target passes now, in one attempt.") + "\n"
	case r.Target.passes() && r.Attempts == 2:
		return in.Say("The target passes now, in both attempts.") + "\n"
	case r.Target.passes():
		return in.Sayf("The target passes now, in all %d attempts.", r.Attempts) + "\n"
	case r.Target.Verdict != verdict.Fail:
		return in.Sayf("The target: %s.", r.Target.Verdict.In(in)) + "\n"
	case r.Attempts > 1:
		return in.Sayf("The target still fails, but not always: 1 of %d attempts.", r.Attempts) + "\n"
	default:
		return in.Say("The target still fails.") + "\n"
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
