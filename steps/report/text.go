package report

import (
	"cmp"
	_ "embed" // for the template
	"strings"
	"text/template"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

//go:embed evidence.txt.tmpl
var textSource string

var textTemplate = template.Must(template.New("evidence").Funcs(template.FuncMap{
	"body":     textBody,
	"contains": strings.Contains,
	"duration": wording.Duration,
	"join":     joined,
	"mark":     verdict.Verdict.Mark,
	"payload":  textPayload,
}).Parse(textSource))

// evidenceText is a scenario's finding and steps, and the exchange that the finding is
// about, as plain text. dir is the report's directory.
func evidenceText(s verdict.Scenario, rule verdict.Rule, dir string) string {
	shown := struct {
		verdict.Scenario
		Rule            verdict.Rule
		Subject         *exchange.Exchange // that the finding is about; nil for none, or if it was not kept
		Command         string             // that sends it again
		Archive, Replay string
	}{Scenario: s, Rule: rule, Subject: s.Subject(), Archive: archiveOf(s)}
	if shown.Subject != nil {
		shown.Command = commandsOf(s)[s.Finding.Exchange].Line
	}
	if s.Verdict.Failing() {
		shown.Replay = ReplayCommand(s, UnlessDefault(dir))
	}
	var out strings.Builder
	if err := textTemplate.Execute(&out, shown); err != nil {
		panic(err) // nothing of a run can make the template fail
	}
	return exchange.Visible(out.String())
}

// textBody is the beginning of a response; nil for none.
func textBody(e *exchange.Exchange) *readableBody {
	_, leftOut := e.LeftOutOf()
	return textOf(e.ResponseBody, leftOut)
}

// textPayload is the beginning of what a webhook carries; nil for nothing.
func textPayload(e *exchange.Exchange) *readableBody {
	leftOut, _ := e.LeftOutOf()
	return textOf(e.Body, leftOut)
}

func textOf(content []byte, leftOut int) *readableBody {
	body := readable(content, leftOut, 2<<10)
	body.Text = strings.TrimRight(body.Text, "\n")
	if len(content) == 0 {
		return nil
	}
	return &body
}

func joined(words []string) string { return strings.Join(words, ", ") }

func (words Words) findingLine(f verdict.Finding) string {
	in := words.Language
	if f.Expected == "" {
		return exchange.Line(in.Recorded(f.Got))
	}
	return exchange.Line(in.Sayf("expected %s, got %s", in.Recorded(f.Expected), cmp.Or(in.Recorded(f.Got), in.Say("nothing"))))
}

// reasonOf says in one line why a scenario did not pass.
func reasonOf(s verdict.Scenario) string { return Words{}.reasonOf(s) }

func (words Words) reasonOf(s verdict.Scenario) string {
	in := words.Language
	switch {
	case s.Known != nil && (s.Verdict.Failing() || s.Blocked()):
		return exchange.Line(in.Sayf("known failure: %s", s.Known.In(in)))
	case s.Finding != nil:
		return strings.TrimSuffix(words.findingLine(*s.Finding)+", "+s.FrequencyIn(in), ", ")
	case len(s.Missing) > 0:
		return exchange.Line(in.Sayf("missing controls: %s", joined(s.Missing)))
	default:
		return s.Verdict.In(in)
	}
}
