package explain

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/verdict"
)

func (e Explainer) rule(rule *catalogue.Rule) error {
	fmt.Fprintf(e.Out, "%s  %s\n%s\n", rule.Name, rule.Title, PlaceOf(rule))
	if rule.Description != "" {
		fmt.Fprintf(e.Out, "\n%s\n", rule.Description)
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
	e.heading(e.In.Say("Steps"))
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
func (e Explainer) scenarios(rule *catalogue.Rule) ([]*language.Sentence, error) {
	var used []*language.Sentence
	e.heading(e.In.Sayf("Scenarios (%d)", len(rule.Scenarios)))
	for _, scenario := range rule.Scenarios {
		fmt.Fprintf(e.Out, "  %s  %s\n", placeIn(rule.Feature, scenario.Line), scenario.Name)
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

func (e Explainer) sentenceLine(s *language.Sentence) {
	fmt.Fprintf(e.Out, "  %s  %s\n", s.Position, s.Display())
}

func (e Explainer) lastResult(rule string) {
	if e.Past == nil {
		e.heading(e.In.Sayf("Last result: none. Run pixcert certify --rule %s", rule))
		return
	}
	counts := verdict.Counts{}
	var failed []verdict.Scenario
	for _, s := range e.Past.Scenarios {
		if s.Rule == rule {
			counts[s.Verdict]++
			if s.Verdict.Failing() {
				failed = append(failed, s)
			}
		}
	}
	e.heading(e.In.Sayf("Last result on %s: %s", e.In.Recorded(e.Past.Target), counts.In(e.In)))
	for _, s := range failed {
		fmt.Fprintln(e.Out, e.In.Sayf("  %s: expected %s, got %s", s.Name, e.In.Recorded(s.Finding.Expected), e.In.Recorded(s.Finding.Got)))
	}
}

func (e Explainer) mutants(rule string) {
	lines := e.Faults(rule)
	e.heading(e.In.Sayf("Mutants that it must kill (%d)", len(lines)))
	for _, line := range lines {
		fmt.Fprintln(e.Out, "  "+line)
	}
}

// PlaceOf returns the position of a rule: "features/cash-out.feature:211".
func PlaceOf(rule *catalogue.Rule) string { return placeIn(rule.Feature, rule.Line) }

func placeIn(feature *catalogue.Feature, line int) string {
	file := feature.File
	if !feature.Own {
		file = "features/" + file
	}
	return fmt.Sprintf("%s:%d", file, line)
}
