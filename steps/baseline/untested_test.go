package baseline

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/verdict"
)

func untestable(rule, name, why string, missing ...string) verdict.Scenario {
	return verdict.Scenario{Rule: rule, Name: name, Verdict: verdict.CouldNotTest, Missing: missing, Finding: &verdict.Finding{Got: why}}
}

// incomplete is a run of a target that lacks controls.
func incomplete() *verdict.Run {
	return &verdict.Run{
		Subject: verdict.Subject{Target: "https://gw"}, Rules: []verdict.Rule{{Name: "a.a"}, {Name: "b.b"}, {Name: "c.c"}, {Name: "p.p"}},
		Scenarios: []verdict.Scenario{
			{Rule: "a.a", Name: "1", Verdict: verdict.Pass},
			untestable("a.a", "2", "the target does not offer them", "clock"),
			untestable("a.a", "3", "the target does not offer them", "limits", "clock"),
			untestable("b.b", "1", "the target does not offer them", "clock", "limits"),
			untestable("c.c", "1", "the account has R$ 1.00 available"),
			untestable("c.c", "2", "the target does not offer them", "med"),
			{Rule: "p.p", Name: "1", Verdict: verdict.Pass},
		},
	}
}

// A gateway without all controls gets a green build, until more becomes untestable.
func TestWhatCannotBeTested(t *testing.T) {
	t.Parallel()
	text := printed(t, incomplete())
	assert.Contains(t, text, `
untested:
  - controls: [clock, limits]
    rules:
      a.a: 2
      b.b: 1
  - because: the account has R$ 1.00 available
    rules:
      c.c: 1
  - controls: [med]
    rules:
      c.c: 1
`)
	b := parsed(t, text)
	for _, c := range []struct {
		name   string
		change func(*verdict.Run)
		want   verdict.Outcome
	}{
		{"the same", func(*verdict.Run) {}, verdict.NoNewFailures},
		{"less", func(r *verdict.Run) { r.Scenarios[2].Verdict = verdict.Pass }, verdict.NoNewFailures},
		{"fewer controls are missing", func(r *verdict.Run) { r.Scenarios[2].Missing = []string{"limits"} }, verdict.NoNewFailures},
		{"another amount", func(r *verdict.Run) { r.Scenarios[4].Finding.Got = "the account has R$ 2.00 available" }, verdict.NoNewFailures},
		{"one more of a rule", func(r *verdict.Run) { r.Scenarios[0] = untestable("a.a", "1", "", "clock") }, verdict.Incomplete},
		{"another rule", func(r *verdict.Run) { r.Scenarios = append(r.Scenarios, untestable("d.d", "1", "", "clock")) }, verdict.Incomplete},
		{"another control is missing", func(r *verdict.Run) { r.Scenarios[3].Missing = []string{"clock", "med"} }, verdict.Incomplete},
		{"another reason", func(r *verdict.Run) { r.Scenarios[4].Finding.Got = "others use the account" }, verdict.Incomplete},
		{"a control that broke, or an outage", func(r *verdict.Run) { r.Scenarios[4].Spoiled = true }, verdict.Incomplete},
		{"a failure", func(r *verdict.Run) { r.Scenarios[0].Verdict = verdict.Fail }, verdict.DoesNotConform},
	} {
		run := incomplete()
		c.change(run)
		b.Apply(run, today)
		assert.Equal(t, c.want, run.Outcome(), c.name)
	}
	run := incomplete()
	assert.Equal(t, verdict.Incomplete, run.Outcome(), "without the baseline")
	b.Apply(run, today)
	assert.Equal(t, text, printed(t, run), "a baseline of a run with a baseline is the same")
	parsed(t, "failures: []\n").Apply(run, today)
	assert.Equal(t, verdict.Incomplete, run.Outcome(), "an earlier baseline accepts nothing of it")
}

func TestEntriesAboutWhatCannotBeTested(t *testing.T) {
	t.Parallel()
	b := parsed(t, "failures: []\nuntested:\n  - {controls: [clock, limits], rules: {a.a: 2, b.b: 1}, reason: no test clock, owner: ana, expires: \"2026-11-21\"}\n  - {controls: [med], rules: {c.c: 1}, owner: ana}\n  - {because: the account has R$ 9.00 available, rules: {c.c: 1}}\n")
	run := incomplete()
	b.Apply(run, today)
	assert.Equal(t, verdict.Incomplete, run.Outcome(), "an entry has expired")
	assert.Equal(t, "could not be tested before, either (ana)", run.Scenarios[5].Known.String())
	b.Apply(run, "2026-11-21")
	assert.Equal(t, verdict.NoNewFailures, run.Outcome())
	assert.Contains(t, printed(t, run), "reason: no test clock\n    owner: ana\n    expires: \"2026-11-21\"\n")

	_, err := Parse("known.yaml", []byte(`failures: []
untested:
  - {controls: [clock]}
  - {rules: {a.a: 1}}
  - {because: x, rules: [a.a]}
  - {becuase: x, rules: {a.a: 1}}
  - {because: x, rules: {a.a: 1}, expires: soon}
`))
	assert.EqualError(t, err, `known.yaml:3: rules: expected the number of scenarios by rule, got none; remove the entry if all can be tested
known.yaml:4: expected controls or because; keep the one that pixcert baseline prints
known.yaml:5: rules: expected the number of scenarios by rule, as pixcert baseline prints it
known.yaml:6: becuase: unknown field; did you mean because?
known.yaml:7: expires: expected a date such as 2026-12-31, got soon`)
	assert.ErrorContains(t, b.Check(map[string]map[string]bool{"a.a": {}, "b.b": {}}), "known.yaml:4: untested: there is no rule c.c in this version of pixcert")
}
