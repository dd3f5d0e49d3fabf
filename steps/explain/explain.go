// Package explain explains rules, statements, error codes, endpoints and steps to a person.
package explain

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/spelling"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Explainer prints what is known about a subject.
type Explainer struct {
	Out       io.Writer
	Catalogue *catalogue.Catalogue
	Past      *verdict.Run                       // nil if there is no report
	Faults    func(rule string) (lines []string) // the mutants that a rule must kill
	In        translation.Language
}

// errorCode is how a statement writes an error code.
var errorCode = regexp.MustCompile(`\b[A-Z]+(?:_[A-Z]+)+\b`)

// keyword begins a line of a scenario.
var keyword = regexp.MustCompile(`^(Given|When|Then|And|But) `)

// Explain prints what is known about a rule, statement, error code, endpoint or step.
func (e Explainer) Explain(subject string) error {
	name, _, _ := strings.Cut(subject, "/") // of a scenario, as reports print it
	if rule := e.ruleNamed(name); rule != nil {
		return e.rule(rule)
	}
	if statement, ok := e.Catalogue.Statement(strings.ToUpper(subject)); ok {
		e.statement(statement)
		return nil
	}
	if op := operationNamed(subject); op != nil {
		return e.operation(op)
	}
	if code := strings.ToUpper(subject); slices.Contains(e.codes(), code) {
		return e.mentions(code)
	}
	subject = keyword.ReplaceAllString(subject, "")
	if step, err := language.Read(catalogue.Step{Text: subject, Table: tableFor(subject)}); step.Sentence != nil {
		return errors.Join(err, e.sentence(step.Sentence))
	}
	return e.unknown(subject)
}

// tableFor returns a table for a step that ends in a colon, so that it can be parsed.
func tableFor(step string) [][]string {
	if strings.HasSuffix(step, ":") {
		return [][]string{{"field", "absent"}}
	}
	return nil
}

func (e Explainer) unknown(subject string) error {
	known := e.codes()
	for rule := range e.Catalogue.Rules() {
		known = append(known, rule.Name)
	}
	for _, s := range e.Catalogue.Statements {
		known = append(known, s.ID)
	}
	for _, op := range api.Operations {
		known = append(known, op.Noun, op.Method+" "+pathOf(&op))
	}
	hint := "run pixcert rules to list the rules"
	if near := spelling.Nearest(subject, known, 3); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "? " + hint
	}
	return fmt.Errorf("%q is not a rule, statement, error code, endpoint or step: %s", subject, hint)
}

// codes lists the error codes that statements mention, each once.
func (e Explainer) codes() (all []string) {
	for _, s := range e.Catalogue.Statements {
		all = append(all, errorCode.FindAllString(s.Text, -1)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (e Explainer) ruleNamed(name string) *catalogue.Rule {
	for rule := range e.Catalogue.Rules() {
		if rule.Name == name {
			return rule
		}
	}
	return nil
}

// operationNamed finds an operation by path, by method and path, or by noun.
func operationNamed(subject string) *api.Operation {
	for i, op := range api.Operations {
		if path := pathOf(&op); subject == op.Noun || subject == path || strings.EqualFold(subject, op.Method+" "+path) {
			return &api.Operations[i]
		}
	}
	return nil
}

// pathOf returns the path of an operation; profiles may change that of the token request.
func pathOf(op *api.Operation) string { return cmp.Or(op.Path, "/api/auth/token") }

func (e Explainer) heading(text string) { fmt.Fprintf(e.Out, "\n%s\n", text) }

func (e Explainer) statement(s catalogue.Statement) {
	fmt.Fprintf(e.Out, "%s  %s\n%s%s\n", s.ID, s.Subject, s.Text, noted(s))
	rules := e.Catalogue.RulesShowing(s.ID)
	if len(rules) == 0 {
		e.heading(e.In.Say("No rule covers it."))
		return
	}
	e.heading(e.In.Say("Rules that cover it"))
	e.ruleLines(rules)
	for _, rule := range rules {
		e.mutants(rule.Name)
		e.lastResult(rule.Name)
	}
}

func (e Explainer) ruleLines(rules []*catalogue.Rule) {
	for _, rule := range rules {
		fmt.Fprintf(e.Out, "  %-34s %s (%s)\n", rule.Name, rule.Title, e.In.SayCount(len(rule.Scenarios), "scenario"))
	}
}

// operation prints the statements about an endpoint and the rules that call it.
func (e Explainer) operation(op *api.Operation) error {
	path := pathOf(op)
	about := func(s catalogue.Statement) bool { return strings.Contains(s.Subject+" ", path+" ") }
	fmt.Fprintln(e.Out, e.In.Sayf("%s %s  %s (operationId %s in features/openapi.yaml)", op.Method, path, op.Noun, op.ID))
	e.statements(about)
	var own []*catalogue.Rule
	for rule := range e.Catalogue.Rules() {
		if slices.ContainsFunc(rule.Statements, func(id string) bool {
			s, _ := e.Catalogue.Statement(id)
			return about(s)
		}) {
			own = append(own, rule)
		}
	}
	e.heading(e.In.Sayf("Rules that cover them (%d)", len(own)))
	e.ruleLines(own)
	if err := e.combined(op); err != nil {
		return err
	}
	callers, err := e.rulesWith(func(step language.Step) bool {
		return slices.ContainsFunc(step.Effects.Requests, func(o *api.Operation) bool { return o.ID == op.ID })
	})
	callers = slices.DeleteFunc(callers, func(r *catalogue.Rule) bool { return slices.Contains(own, r) })
	e.heading(e.In.SayN(len(callers), "%d other rule also calls it.", "%d other rules also call it.", len(callers)))
	return err
}

// mentions prints the statements and rules that mention an error code.
func (e Explainer) mentions(code string) error {
	fmt.Fprintln(e.Out, code)
	e.statements(func(s catalogue.Statement) bool { return strings.Contains(s.Text, code) })
	rules, err := e.rulesWith(func(step language.Step) bool {
		answered, ok := step.Meaning.(language.Answered)
		return ok && slices.ContainsFunc(answered.Expected.Alternatives, func(a language.Alternative) bool { return slices.Contains(a.Codes, api.Code(code)) })
	})
	e.heading(e.In.Sayf("Rules that expect it (%d)", len(rules)))
	e.ruleLines(rules)
	return err
}

func (e Explainer) statements(about func(catalogue.Statement) bool) {
	e.heading(e.In.Say("Statements of the specification"))
	for _, s := range e.Catalogue.Statements {
		if about(s) {
			fmt.Fprintf(e.Out, "  %s  %s%s\n", s.ID, s.Text, noted(s))
		}
	}
}

func (e Explainer) rulesWith(has func(language.Step) bool) (found []*catalogue.Rule, err error) {
	for rule := range e.Catalogue.Rules() {
		for _, scenario := range rule.Scenarios {
			steps, err := language.ReadAll(scenario)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(steps, has) {
				found = append(found, rule)
				break
			}
		}
	}
	return found, nil
}

func (e Explainer) sentence(s *language.Sentence) error {
	e.sentenceLine(s)
	rules, err := e.rulesWith(func(step language.Step) bool { return step.Sentence == s })
	e.heading(e.In.Sayf("Rules that use it (%d)", len(rules)))
	e.ruleLines(rules)
	return err
}
