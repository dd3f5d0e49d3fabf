package verdict

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Redacted is s without secrets: those in the places where secrets usually stand, and those
// that the redactor knows (nil for none). A scenario is redacted when it ends, before
// anything is shown. The name and the steps of one that passes are the features' own words.
func (s Scenario) Redacted(secrets *exchange.Redactor) Scenario {
	if s.Verdict != Pass {
		s.Name = shown(s.Name, secrets)
		s.Steps = slices.Clone(s.Steps)
		for i, step := range s.Steps {
			s.Steps[i] = step.redacted(secrets)
		}
	}
	s.Exchanges = slices.Clone(s.Exchanges)
	for i, e := range s.Exchanges {
		s.Exchanges[i] = secrets.Exchange(e)
	}
	if s.Finding != nil {
		finding := s.Finding.redacted(secrets)
		s.Finding = &finding
	}
	s.Warnings = slices.Clone(s.Warnings)
	for i, w := range s.Warnings {
		s.Warnings[i] = w.redacted(secrets)
	}
	s.Attempts = slices.Clone(s.Attempts)
	for i, a := range s.Attempts {
		s.Attempts[i] = a.redacted(secrets)
	}
	if s.Right != nil {
		right := secrets.Exchange(*s.Right)
		s.Right = &right
	}
	s.Observations = slices.Clone(s.Observations)
	for i, o := range s.Observations {
		s.Observations[i].Value = shown(o.Value, secrets)
	}
	return s
}

func (a Attempt) redacted(secrets *exchange.Redactor) Attempt {
	if a.Finding != nil {
		finding := a.Finding.redacted(secrets)
		a.Finding = &finding
	}
	return a
}

// Redacted is a copy of r whose scenarios, target and arguments have no secrets.
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
	f.Expected, f.Got, f.Hint = shown(f.Expected, secrets), shown(f.Got, secrets), shown(f.Hint, secrets)
	f.Field = shown(f.Field, secrets)
	return f
}

// longestText bounds, in bytes, a single quotation from a target: a response can be a mebibyte
// long.
const longestText = 2048

// shown is a quotation without secrets. Of a long one only what may be shown is looked through.
func shown(s string, secrets *exchange.Redactor) string {
	const looked = 4 * longestText
	return cut(secrets.Text(s[:min(len(s), looked)]))
}

func cut(s string) string {
	if len(s) <= longestText {
		return s
	}
	return strings.ToValidUTF8(s[:longestText], "") + "…"
}
