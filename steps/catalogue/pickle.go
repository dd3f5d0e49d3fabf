package catalogue

import "github.com/cucumber/messages/go/v21"

// A pickle is a scenario as the Gherkin compiler expands it: with the steps of its backgrounds, and
// with the row of an outline filled in. Lines and keywords, which a pickle lacks, are looked up in the
// document.

func (r *reader) readPickle(p *messages.Pickle) {
	rule := r.rules[p.AstNodeIds[0]]
	if rule == nil {
		return // outside a rule: already reported as an error
	}
	s := &Scenario{Name: p.Name, Rule: rule, Line: r.lineOf(p.AstNodeIds)}
	for _, tag := range p.Tags {
		s.Tags = append(s.Tags, tag.Name)
	}
	for _, step := range p.Steps {
		s.Steps = append(s.Steps, r.readStep(step))
	}
	rule.Scenarios = append(rule.Scenarios, s)
}

// lineOf is the line of the last node: of the example's row where there is one.
func (r *reader) lineOf(nodes []string) int { return r.lines[nodes[len(nodes)-1]] }

var stepTypes = map[messages.PickleStepType]StepType{
	messages.PickleStepType_CONTEXT: Context,
	messages.PickleStepType_ACTION:  Action,
	messages.PickleStepType_OUTCOME: Outcome,
}

func (r *reader) readStep(p *messages.PickleStep) Step {
	node := p.AstNodeIds[0]
	step := Step{
		Keyword: r.keywords[node], Type: stepTypes[p.Type], Text: p.Text, Line: r.lines[node],
	}
	if step.Type == "" {
		r.refuse(step.Line, "the step %q begins with %q, but no step precedes it; begin with Given, When or Then", step.Text, step.Keyword)
	}
	if p.Argument == nil {
		return step
	}
	if p.Argument.DocString != nil {
		step.DocString = p.Argument.DocString.Content
	}
	if p.Argument.DataTable != nil {
		for _, row := range p.Argument.DataTable.Rows {
			var cells []string
			for _, cell := range row.Cells {
				cells = append(cells, cell.Value)
			}
			step.Table = append(step.Table, cells)
		}
	}
	return step
}
