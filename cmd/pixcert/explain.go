package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/spelling"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

type explainCmd struct {
	featuresFlag

	Subject []string `arg:"" name:"subject" help:"Explain this rule, statement, error code, endpoint or step."`
	Report  string   `default:"report" type:"path" placeholder:"DIR" help:"Read the last result from this report."`
}

func (*explainCmd) Help() string {
	return `Examples:
  pixcert explain cash-out.covers-fee
  pixcert explain OUT-063
  pixcert explain PIX_INSUFFICIENT_BALANCE
  pixcert explain POST /api/pix/cash-out
  pixcert explain "the account sends the request again"`
}

func (c *explainCmd) Run(to *console) error {
	e := explainer{out: to.out}
	past, err := readPast(c.Report)
	if err == nil {
		e.past = past.Run
	}
	own, err := c.ownOr(to, past)
	if err != nil {
		return err
	}
	if e.catalogue, err = run.Suite(own); err != nil {
		return err
	}
	return e.explain(strings.TrimPrefix(strings.TrimSpace(strings.Join(c.Subject, " ")), "@"))
}

// ownOr reads the user's own features, by default those of the last report. These may be gone, or be
// edited right now, which hides no rule of pixcert.
func (c *explainCmd) ownOr(to *console, past pastReport) (catalogue.Own, error) {
	if c.Features != nil || past.Run == nil {
		return c.own()
	}
	c.takeFrom(past)
	own, err := c.own()
	if err != nil {
		fmt.Fprintf(to.err, "pixcert: note: without the own rules of the report in %s: %v\n", c.Report, err)
		return catalogue.Own{}, nil
	}
	return own, nil
}

// explainer prints what is known about a subject.
type explainer struct {
	out       io.Writer
	catalogue *catalogue.Catalogue
	past      *verdict.Run // nil if there is no report
}

// errorCode is how a statement writes an error code.
var errorCode = regexp.MustCompile(`\b[A-Z]+(?:_[A-Z]+)+\b`)

// keyword begins a line of a scenario.
var keyword = regexp.MustCompile(`^(Given|When|Then|And|But) `)

func (e explainer) explain(subject string) error {
	name, _, _ := strings.Cut(subject, "/") // of a scenario, as reports print it
	if rule := e.ruleNamed(name); rule != nil {
		return e.rule(rule)
	}
	if statement, ok := e.catalogue.Statement(strings.ToUpper(subject)); ok {
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

func (e explainer) unknown(subject string) error {
	known := e.codes()
	for rule := range e.catalogue.Rules() {
		known = append(known, rule.Name)
	}
	for _, s := range e.catalogue.Statements {
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
func (e explainer) codes() (all []string) {
	for _, s := range e.catalogue.Statements {
		all = append(all, errorCode.FindAllString(s.Text, -1)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (e explainer) ruleNamed(name string) *catalogue.Rule {
	for rule := range e.catalogue.Rules() {
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

func (e explainer) heading(text string) { fmt.Fprintf(e.out, "\n%s\n", text) }

func (e explainer) rule(rule *catalogue.Rule) error {
	fmt.Fprintf(e.out, "%s  %s\n%s\n", rule.Name, rule.Title, placeOf(rule))
	if rule.Description != "" {
		fmt.Fprintf(e.out, "\n%s\n", rule.Description)
	}
	if len(rule.Statements) > 0 || !rule.Feature.Own {
		e.statements(func(s catalogue.Statement) bool { return slices.Contains(rule.Statements, s.ID) })
	}
	sentences, err := e.scenarios(rule)
	if err != nil {
		return err
	}
	if !rule.Feature.Own {
		e.mutants(rule.Name)
	}
	e.heading("Steps")
	for _, s := range sentences {
		e.sentenceLine(s)
	}
	e.lastResult(rule.Name)
	return nil
}

func noted(s catalogue.Statement) string {
	if s.Note == "" {
		return ""
	}
	return " (" + s.Note + ")"
}

// scenarios prints the scenarios of a rule and returns the sentences they use, each once.
func (e explainer) scenarios(rule *catalogue.Rule) ([]*language.Sentence, error) {
	var used []*language.Sentence
	e.heading(fmt.Sprintf("Scenarios (%d)", len(rule.Scenarios)))
	for _, scenario := range rule.Scenarios {
		fmt.Fprintf(e.out, "  %s  %s\n", placeIn(rule.Feature, scenario.Line), scenario.Name)
		steps, err := language.ReadAll(scenario)
		if err != nil {
			return nil, err
		}
		for _, step := range steps {
			if !slices.Contains(used, step.Sentence) {
				used = append(used, step.Sentence)
			}
		}
	}
	return used, nil
}

func (e explainer) mutants(rule string) {
	var of []mutants.Mutant
	for _, m := range mutants.All() {
		if m.Rule == rule {
			of = append(of, m)
		}
	}
	e.heading(fmt.Sprintf("Mutants that it must kill (%d)", len(of)))
	for _, m := range of {
		fmt.Fprintf(e.out, "  %s  %s\n", m.Position(), m.Name)
	}
}

func (e explainer) sentenceLine(s *language.Sentence) {
	fmt.Fprintf(e.out, "  %s  %s\n", s.Position, s.Display())
}

func (e explainer) lastResult(rule string) {
	if e.past == nil {
		e.heading("Last result: none. Run pixcert certify --rule " + rule)
		return
	}
	counts := verdict.Counts{}
	var failed []verdict.Scenario
	for _, s := range e.past.Scenarios {
		if s.Rule == rule {
			counts[s.Verdict]++
			if s.Verdict.Failing() {
				failed = append(failed, s)
			}
		}
	}
	e.heading(fmt.Sprintf("Last result on %s: %s", e.past.Target, counts))
	for _, s := range failed {
		fmt.Fprintf(e.out, "  %s: expected %s, got %s\n", s.Name, s.Finding.Expected, s.Finding.Got)
	}
}

func (e explainer) statement(s catalogue.Statement) {
	fmt.Fprintf(e.out, "%s  %s\n%s%s\n", s.ID, s.Subject, s.Text, noted(s))
	rules := e.catalogue.RulesShowing(s.ID)
	if len(rules) == 0 {
		e.heading("No rule covers it.")
		return
	}
	e.heading("Rules that cover it")
	e.ruleLines(rules)
	for _, rule := range rules {
		e.mutants(rule.Name)
		e.lastResult(rule.Name)
	}
}

func (e explainer) ruleLines(rules []*catalogue.Rule) {
	for _, rule := range rules {
		fmt.Fprintf(e.out, "  %-34s %s (%s)\n", rule.Name, rule.Title, wording.Count(len(rule.Scenarios), "scenario"))
	}
}

// operation prints the statements about an endpoint and the rules that call it.
func (e explainer) operation(op *api.Operation) error {
	path := pathOf(op)
	about := func(s catalogue.Statement) bool { return strings.Contains(s.Subject+" ", path+" ") }
	fmt.Fprintf(e.out, "%s %s  %s (operationId %s in features/openapi.yaml)\n", op.Method, path, op.Noun, op.ID)
	e.statements(about)
	var own []*catalogue.Rule
	for rule := range e.catalogue.Rules() {
		if slices.ContainsFunc(rule.Statements, func(id string) bool {
			s, _ := e.catalogue.Statement(id)
			return about(s)
		}) {
			own = append(own, rule)
		}
	}
	e.heading(fmt.Sprintf("Rules that cover them (%d)", len(own)))
	e.ruleLines(own)
	callers, err := e.rulesWith(func(step language.Step) bool {
		return slices.ContainsFunc(step.Effects.Requests, func(o *api.Operation) bool { return o.ID == op.ID })
	})
	callers = slices.DeleteFunc(callers, func(r *catalogue.Rule) bool { return slices.Contains(own, r) })
	e.heading(fmt.Sprintf("%s also call it.", wording.Count(len(callers), "other rule")))
	return err
}

// mentions prints the statements and rules that mention an error code.
func (e explainer) mentions(code string) error {
	fmt.Fprintln(e.out, code)
	e.statements(func(s catalogue.Statement) bool { return strings.Contains(s.Text, code) })
	rules, err := e.rulesWith(func(step language.Step) bool {
		answered, ok := step.Meaning.(language.Answered)
		return ok && slices.ContainsFunc(answered.Expected.Alternatives, func(a language.Alternative) bool { return slices.Contains(a.Codes, code) })
	})
	e.heading(fmt.Sprintf("Rules that expect it (%d)", len(rules)))
	e.ruleLines(rules)
	return err
}

func (e explainer) statements(about func(catalogue.Statement) bool) {
	e.heading("Statements of the specification")
	for _, s := range e.catalogue.Statements {
		if about(s) {
			fmt.Fprintf(e.out, "  %s  %s%s\n", s.ID, s.Text, noted(s))
		}
	}
}

func (e explainer) rulesWith(has func(language.Step) bool) (found []*catalogue.Rule, err error) {
	for rule := range e.catalogue.Rules() {
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

func (e explainer) sentence(s *language.Sentence) error {
	e.sentenceLine(s)
	rules, err := e.rulesWith(func(step language.Step) bool { return step.Sentence == s })
	e.heading(fmt.Sprintf("Rules that use it (%d)", len(rules)))
	e.ruleLines(rules)
	return err
}
