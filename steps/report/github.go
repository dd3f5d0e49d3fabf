package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// annotationsShown bounds the errors and the warnings: GitHub shows ten of each for a step.
const annotationsShown = 10

// Annotations are workflow commands of GitHub Actions for what is wrong with a run: an error for
// each likely cause of failures, and a warning for each warning.
func (words Words) Annotations(run *verdict.Run) []string {
	in := words.Language
	var errors, warnings []string
	if b := run.Baseline; b != nil && len(b.Fixed) > 0 {
		errors = append(errors, annotation("error", in.Say("The baseline is out of date"), in.Sayf("fixed, to be removed from %s: %s", b.File, joined(b.Fixed)), ""))
	}
	if b := run.Baseline; b != nil && len(b.Expired) > 0 {
		errors = append(errors, annotation("error", in.Say("The baseline has expired"), in.Sayf("still failing, to be renewed in %s: %s", b.File, joined(b.Expired)), ""))
	}
	for _, shard := range run.Lacks {
		errors = append(errors, annotation("error", in.Say("Incomplete"), in.Sayf("Shard %s is missing", shard), ""))
	}
	if run.Ended != nil {
		errors = append(errors, annotation("error", in.Say("Ended early"), in.Recorded(run.Ended.Reason), ""))
	} else if why := words.untested(run); why != "" && run.Outcome() == verdict.Incomplete {
		errors = append(errors, annotation("error", in.Say("Incomplete"), why, ""))
	}
	causes := run.Causes()
	for _, c := range causes[:min(len(causes), annotationsShown)] {
		message := c.HeadlineIn(in)
		if n := len(c.Others); n > 0 {
			message += " (" + in.Sayf("and %s", in.SayCount(n, "more failure")) + ")"
		}
		errors = append(errors, annotation("error", c.Scenario.ID(), message, placeOf(c.Rule, c.Scenario)))
	}
	for _, rule := range run.Results() {
		for _, s := range rule.Scenarios {
			if run.Strict && s.Verdict == verdict.Fail { // it has an error already
				continue
			}
			for _, w := range s.Warnings[:min(len(s.Warnings), annotationsShown-len(warnings))] {
				warnings = append(warnings, annotation("warning", s.ID(), words.findingLine(w), placeOf(rule.Rule, s)))
			}
		}
	}
	if b := run.Baseline; b != nil && len(b.WithoutReason) > 0 && len(warnings) < annotationsShown {
		warnings = append(warnings, annotation("warning", in.Say("Known failures without a reason"), b.UnexplainedIn(in), ""))
	}
	return append(errors[:min(len(errors), annotationsShown)], warnings...)
}

// untested says which rules make a run incomplete, and why the first of them does; empty if none does.
func (words Words) untested(run *verdict.Run) string {
	var rules []string
	why := ""
	for _, rule := range run.Results() {
		i := slices.IndexFunc(rule.Scenarios, func(s verdict.Scenario) bool { return s.Verdict.Normalized() == rule.Verdict })
		switch {
		case !isUntested(run, rule.Verdict), rule.Verdict == verdict.CouldNotTest && !rule.Untested():
			continue
		case why == "" && i >= 0:
			why = words.reasonOf(rule.Scenarios[i])
		}
		rules = append(rules, rule.Rule.Name)
	}
	if len(rules) == 0 {
		return ""
	}
	return words.Language.Sayf("%s could not be tested: %s (%s)", words.Language.SayCount(len(rules), "rule"), words.list(joined(rules), 150), why)
}

// isUntested reports whether a verdict says nothing about the target. What did not run because the run ended
// early does not count: the reason of the end says it for all.
func isUntested(run *verdict.Run, v verdict.Verdict) bool {
	switch v.Normalized() {
	case verdict.CouldNotTest, verdict.SuiteError:
		return true
	case verdict.NotRun:
		return run.Ended == nil
	}
	return false
}

const notRun = "pixcert could not run"

// Failure is the annotation of a command that could not run.
func Failure(err error) string { return annotation("error", notRun, err.Error(), "") }

// WriteFailure writes why a command could not run as the summary of a job in GitHub Actions.
func WriteFailure(w io.Writer, err error) error {
	_, failed := fmt.Fprintf(w, "<h2>✗ %s</h2>\n<p><code>%s</code></p>\n", notRun, template.HTMLEscapeString(exchange.Excerpt(err.Error(), 2000)))
	return failed
}

// The characters that end a message or a property of a command are escaped. The text is a single line
// already.
var (
	inMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	inProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// placeOf is where the user has the scenario of an own rule, as properties of an annotation; empty for a
// rule of the API, whose feature is not in the user's repository.
func placeOf(rule verdict.Rule, s verdict.Scenario) string {
	if !rule.Own {
		return ""
	}
	return fmt.Sprintf("file=%s,line=%d,", inProperty.Replace(rule.File), s.Line)
}

func annotation(kind, title, message, place string) string {
	return fmt.Sprintf("::%s %stitle=%s::%s", kind, place, inProperty.Replace(shortened(title)), inMessage.Replace(shortened(message)))
}

func shortened(text string) string { return exchange.Excerpt(text, 400) }

//go:embed github.html.tmpl
var githubSource string

// GitHub interprets neither Markdown nor links and mentions in code.
var githubTemplate = template.Must(template.New("github").Funcs(Words{}.githubFunctions()).Parse(githubSource))

func (words Words) githubFunctions() template.FuncMap {
	functions := words.functions()
	functions["list"], functions["reason"], functions["short"] = words.list, words.reasonOf, shortened
	functions["recorded"] = words.Language.Recorded // what is short is visible
	functions["summary"] = func(r *verdict.Run) string { return strings.Join(r.Summary().LinesIn(words.Language), " ") }
	return functions
}

// list shortens a list to about that many bytes.
func (words Words) list(text string, most int) string {
	return wording.ListOf(text, most, words.Language.Say("%s and %d more"))
}

// summaryList is a list of a summary, bounded so that the summary stays far below the mebibyte that
// GitHub allows.
type summaryList[T any] struct {
	Shown []T
	More  int
}

const summaryShown = 50

func listOf[T any](all []T) summaryList[T] {
	n := min(len(all), summaryShown)
	return summaryList[T]{all[:n], len(all) - n}
}

// WriteSummary writes the outcome, the counts and the likely causes of a run, what could not be tested and
// what is known, as the summary of a job in GitHub Actions. dir is the report's directory.
func (words Words) WriteSummary(w io.Writer, run *verdict.Run, dir string) error {
	var baseline verdict.Baseline
	if run.Baseline != nil {
		baseline = *run.Baseline
	}
	some := func(want func(verdict.Scenario) bool) summaryList[verdict.Scenario] {
		var all []verdict.Scenario
		for _, rule := range run.Results() {
			for _, s := range scenariosOf(rule) {
				if want(s) {
					all = append(all, s)
				}
			}
		}
		return listOf(all)
	}
	page, err := githubTemplate.Clone()
	if err != nil {
		return err
	}
	return page.Funcs(words.githubFunctions()).Execute(w, struct {
		*verdict.Run
		Continue        string // the command
		Likely          summaryList[verdict.Cause]
		Untested, Known summaryList[verdict.Scenario]
		Fixed, Expired  summaryList[string]
	}{
		Run: run, Continue: words.command(ContinueCommand(UnlessDefault(dir), baseline.File)), Likely: listOf(run.Causes()),
		Untested: some(func(s verdict.Scenario) bool { return s.Known == nil && isUntested(run, s.Verdict) }),
		Known:    some(func(s verdict.Scenario) bool { return s.Known != nil && (s.Verdict.Failing() || s.Blocked()) }),
		Fixed:    listOf(baseline.Fixed), Expired: listOf(baseline.Expired),
	})
}
