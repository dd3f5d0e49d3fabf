package verdict

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Redacted returns s without secrets: those in the places where secrets usually are, and those
// that the redactor knows (nil for none). A scenario is redacted when it ends, before anything is
// shown. The name and the steps of one that passes need no redaction: they come from pixcert's features.
func (s Scenario) Redacted(secrets *exchange.Redactor) Scenario {
	if s.Verdict != Pass {
		s = s.RedactedWords(secrets)
	}
	finding := func(f Finding) Finding { return f.redacted(secrets) }
	s.Exchanges = each(s.Exchanges, secrets.Exchange)
	s.Finding = one(s.Finding, finding)
	s.Warnings = each(s.Warnings, finding)
	s.Attempts = each(s.Attempts, func(a Attempt) Attempt { a.Finding = one(a.Finding, finding); return a })
	s.Right, s.Reference = one(s.Right, secrets.Exchange), one(s.Reference, secrets.Exchange)
	s.Observations = each(s.Observations, func(o Observed) Observed { o.Value = shown(o.Value, secrets); return o })
	return s
}

// RedactedWords returns s with a name and steps without secrets.
func (s Scenario) RedactedWords(secrets *exchange.Redactor) Scenario {
	s.Name = shown(s.Name, secrets)
	s.Steps = each(s.Steps, func(step Step) Step { return step.redacted(secrets) })
	return s
}

// each returns a new slice with the mapped elements.
func each[T any](all []T, f func(T) T) []T {
	all = slices.Clone(all)
	for i, v := range all {
		all[i] = f(v)
	}
	return all
}

// one maps what a pointer points to, if anything.
func one[T any](v *T, f func(T) T) *T {
	if v == nil {
		return nil
	}
	mapped := f(*v)
	return &mapped
}

// Redacted is a copy of r whose scenarios, target and arguments have no secrets.
func (r *Run) Redacted(secrets *exchange.Redactor) *Run {
	redacted := *r
	redacted.Target, redacted.URL = secrets.Text(r.Target), secrets.Text(r.URL)
	redacted.Arguments = each(r.Arguments, secrets.Text)
	redacted.Scenarios = each(r.Scenarios, func(s Scenario) Scenario { return s.Redacted(secrets) })
	return &redacted
}

func (s Step) redacted(secrets *exchange.Redactor) Step {
	s.Text = secrets.Text(s.Text)
	s.Table = each(s.Table, func(row []string) []string { return each(row, secrets.Text) })
	return s
}

func (f Finding) redacted(secrets *exchange.Redactor) Finding {
	f.Expected, f.Got, f.Hint = shown(f.Expected, secrets), shown(f.Got, secrets), shown(f.Hint, secrets)
	f.Field, f.About.Code, f.About.Variant = shown(f.Field, secrets), shown(f.About.Code, secrets), shown(f.About.Variant, secrets)
	f.Expected, f.Got = Distinct(f.Expected, f.Got)
	return f
}

// longestText bounds, in bytes, a single quotation from a target: a response can be a mebibyte
// long.
const longestText = 2048

// shown returns a quotation without secrets. Only the part of it that can be shown is searched.
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
