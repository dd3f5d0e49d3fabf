package verdict

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Redacted is s without secrets, neither those that stand in known places nor
// those that secrets knows (nil for none): what may be shown. A scenario is
// redacted once, when it ends, before anyone sees it.
func (s Scenario) Redacted(secrets *exchange.Redactor) Scenario {
	s.Name = cut(secrets.Text(s.Name))
	s.Exchanges = slices.Clone(s.Exchanges)
	for i, e := range s.Exchanges {
		s.Exchanges[i] = secrets.Exchange(e)
	}
	s.Steps = slices.Clone(s.Steps)
	for i, step := range s.Steps {
		s.Steps[i] = step.redacted(secrets)
	}
	if s.Finding != nil {
		finding := s.Finding.redacted(secrets)
		s.Finding = &finding
	}
	s.Warnings = slices.Clone(s.Warnings)
	for i, w := range s.Warnings {
		s.Warnings[i] = w.redacted(secrets)
	}
	s.Observations = slices.Clone(s.Observations)
	for i, o := range s.Observations {
		s.Observations[i].Value = cut(secrets.Text(o.Value))
	}
	return s
}

// Redacted is a copy of r in which every scenario and the target's URL are
// without secrets. Write makes one itself for the secrets in known places.
func (r *Run) Redacted(secrets *exchange.Redactor) *Run {
	redacted := *r
	redacted.Target = secrets.Text(r.Target)
	redacted.Arguments = slices.Clone(r.Arguments)
	for i, argument := range r.Arguments {
		redacted.Arguments[i] = secrets.Text(argument)
	}
	redacted.Scenarios = slices.Clone(r.Scenarios)
	for i, s := range r.Scenarios {
		redacted.Scenarios[i] = s.Redacted(secrets)
	}
	return &redacted
}

func (s Step) redacted(secrets *exchange.Redactor) Step {
	s.Text = secrets.Text(s.Text)
	s.Table = slices.Clone(s.Table)
	for i, row := range s.Table {
		s.Table[i] = slices.Clone(row)
		for j, cell := range row {
			s.Table[i][j] = secrets.Text(cell)
		}
	}
	return s
}

func (f Finding) redacted(secrets *exchange.Redactor) Finding {
	f.Expected, f.Came, f.Hint = cut(secrets.Text(f.Expected)), cut(secrets.Text(f.Came)), cut(secrets.Text(f.Hint))
	return f
}

// longestText bounds in bytes what a report quotes of a target in one place: a target
// can send a message of a mebibyte in each of its answers.
const longestText = 2048

func cut(s string) string {
	if len(s) <= longestText {
		return s
	}
	return strings.ToValidUTF8(s[:longestText], "") + "…"
}
