package replay

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Text formats the result for people: each step with its exchanges, marked = if they mean the
// same, ~ if they differ in something that no rule is about, and ≠ if they differ in something
// that matters.
func (r Result) Text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n%s\n%s\n\n", r.ID, exchange.Line(r.Title), exchange.Line(r.Name))
	for _, side := range []struct {
		word string
		Side
	}{{"target", r.Target}, {"reference", r.Reference}} {
		fmt.Fprintf(&out, "  %-10s %s %-15s %s\n", side.word, side.Verdict.Mark(), side.Verdict, exchange.Line(side.Name))
	}
	out.WriteString("\nResponses as target | reference: = same, ~ differs without consequence, ≠ differs in meaning.\n")
	for _, step := range r.Steps {
		fmt.Fprintf(&out, "\n%s %s %s\n", cmp.Or(step.Target, step.Reference).Mark(), step.Keyword, exchange.Line(step.Text))
		if step.Target == "" {
			fmt.Fprintf(&out, "    the target did not get this far\n")
			continue
		}
		for _, pair := range step.Pairs {
			out.WriteString(pair.text())
		}
	}
	out.WriteString("\n" + r.closing())
	return out.String()
}

func (r Result) closing() string {
	var out strings.Builder
	for _, side := range []struct {
		word string
		Side
	}{{"target", r.Target}, {"reference", r.Reference}} {
		f := side.Finding
		if f == nil {
			continue
		}
		if f.Expected == "" {
			fmt.Fprintf(&out, "%s: %s\n", side.word, exchange.Line(f.Got))
			continue
		}
		fmt.Fprintf(&out, "%s: expected %s\n  got %s\n", side.word, exchange.Line(f.Expected), exchange.Line(f.Got))
	}
	switch {
	case r.Target.Verdict == verdict.Fail:
		out.WriteString("The target still fails.\n")
	case r.Target.Verdict == verdict.Pass, r.Target.Verdict == verdict.Warning:
		out.WriteString("The target passes now.\n")
	default:
		fmt.Fprintf(&out, "The target: %s.\n", r.Target.Verdict)
	}
	return out.String()
}

// text formats one line for the exchange and one for each difference.
func (p Pair) text() string {
	e := p.Target
	if e == nil {
		e = p.Reference
	}
	responses := responseOf(p.Target) + " | " + responseOf(p.Reference)
	what := e.Operation
	if e.Party == exchange.Control {
		what = "control " + what
	}
	if e.Party == exchange.Webhook {
		responses = arrivalOf(p.Target) + " | " + arrivalOf(p.Reference)
		what = "webhook"
	}
	var notes []string
	if p.Target != nil && p.Target.Times > 1 {
		notes = append(notes, fmt.Sprintf("read %d times", p.Target.Times))
	}
	if p.Subject {
		notes = append(notes, "the finding is about this")
	}
	if p.First {
		notes = append(notes, "◀ first difference that matters")
	}
	var out strings.Builder
	line := fmt.Sprintf("    %s %-44s %-13s %s", p.mark(), e.Method+" "+pathOf(e.URL), responses, exchange.Line(what))
	if len(notes) > 0 {
		line += "  (" + strings.Join(notes, "; ") + ")"
	}
	out.WriteString(strings.TrimRight(line, " ") + "\n")
	if len(p.Differences) > 0 && e.Party == exchange.API && e.Sent != "" {
		fmt.Fprintf(&out, "        sent %s\n", shortened(e.Sent))
	}
	width := 0
	for _, d := range p.Differences {
		width = min(max(width, len(d.Where)), 32)
	}
	for _, d := range p.Differences {
		mark := "~"
		if d.Matters {
			mark = "≠"
		}
		fmt.Fprintf(&out, "        %s %-*s  %s | %s\n", mark, width, d.Where, exchange.Line(d.Target), exchange.Line(d.Reference))
	}
	return out.String()
}

func (p Pair) mark() string {
	switch {
	case p.Matters():
		return "≠"
	case len(p.Differences) > 0:
		return "~"
	default:
		return "="
	}
}

func responseOf(e *Exchange) string {
	switch {
	case e == nil:
		return "–"
	case e.Status == 0:
		return "no response"
	default:
		return fmt.Sprint(e.Status)
	}
}

func arrivalOf(e *Exchange) string {
	if e == nil {
		return "–"
	}
	return exchange.Line(e.Operation)
}

// pathOf returns a URL without its host, cut if it is long.
func pathOf(raw string) string {
	const most = 60
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		raw = strings.TrimPrefix(raw, u.Scheme+"://"+u.Host)
	}
	raw = exchange.Line(raw)
	if len(raw) > most {
		return strings.ToValidUTF8(raw[:most], "") + "…"
	}
	return raw
}

func shortened(body string) string {
	const most = 160
	runes := []rune(exchange.Line(body))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
