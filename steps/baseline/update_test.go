package baseline

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Everything but the kinds stays as it was written: layout, comments, reasons.
func TestUpdate(t *testing.T) {
	t.Parallel()
	const old = `# our list

failures:
  # the team knows
  - rule: a.b     # by name
    scenarios:
      - One

    operation: cash-out
    # as the terminal shows it
    expected: 'status to be "PENDING"'
    got: '"CONFIRMED"'
    reason: settles at once   # for now
    owner: ana
    expires: "2026-12-31"
  - {rule: a.b, scenarios: [Two], expected: accepted with 201, got: '400 "}"', reason: "é"}
  - expected: available to fall by R$ 1.00
    rule: a.b
    scenarios: [Three]
    got: unchanged
  - rule: a.b
    scenarios: [Gone]
    expected: a
    got: b
untested:
  - controls: [clock]
    rules: {a.b: 1}
# the end
`
	const updated = `# our list

failures:
  # the team knows
  - rule: a.b     # by name
    scenarios:
      - One

    operation: cash-out
    # as the terminal shows it
    kind: field
    field: data[].status
    expected: 'status to be "PENDING"'
    got: '"CONFIRMED"'
    reason: settles at once   # for now
    owner: ana
    expires: "2026-12-31"
  - {rule: a.b, scenarios: [Two], kind: rejection, status: 400, code: '"}"', expected: accepted with 201, got: '400 "}"', reason: "é"}
  - expected: available to fall by R$ 1.00
    kind: movement
    field: available
    direction: unchanged
    expectedDirection: fall
    rule: a.b
    scenarios: [Three]
    got: unchanged
  - rule: a.b
    scenarios: [Gone]
    expected: a
    got: b
untested:
  - controls: [clock]
    rules: {a.b: 1}
# the end
`
	named := func(name string, s verdict.Scenario) verdict.Scenario {
		s.Name = name
		return s
	}
	run := runOf(
		typed(`status to be "PENDING"`, `"CONFIRMED"`, "data[1].status", verdict.About{Kind: verdict.Field}),
		named("Two", typed("accepted with 201", `400 "}"`, "", verdict.About{Kind: verdict.Rejection, Status: 400, Code: `"}"`})),
		named("Three", typed("available to fall by R$ 5.00", "unchanged", "available", verdict.About{Kind: verdict.Movement, Expected: verdict.Falls, Got: verdict.Stays})),
		named("New", typed("a", "b", "", verdict.About{Kind: verdict.Event})),
	)
	for _, end := range []string{"\n", "\r\n"} {
		u, err := Update("known.yaml", []byte(strings.ReplaceAll(old, "\n", end)), runOf(), run)
		require.NoError(t, err)
		assert.Equal(t, strings.ReplaceAll(updated, "\n", end), string(u.Content))
		assert.Equal(t, 3, u.Added)
		assert.Equal(t, []int{21}, u.Unseen)
		assert.Empty(t, u.Unclear)

		again, err := Update("known.yaml", u.Content, run)
		require.NoError(t, err)
		assert.Equal(t, string(u.Content), string(again.Content), "a second time")
		assert.Zero(t, again.Added)
	}

	run.Scenarios[0].Finding.Expected, run.Scenarios[0].Finding.Got = "PENDING", "settled before its time"
	b := parsed(t, updated)
	assert.Equal(t, verdict.KnownFailure, b.Mark(run.Scenarios[0], today).Verdict, "in other words")
}

// An entry stays as it is if the reports show failures of several kinds by its texts, or do not say what they are.
func TestWhatIsNotUpdated(t *testing.T) {
	t.Parallel()
	const old = "failures:\n- rule: a.b\n  scenarios: [One, Two]\n  operation: cash-out\n  expected: a\n  got: b\n"
	one, two := typed("a", "b", "x", verdict.About{Kind: verdict.Field}), typed("a", "b", "y", verdict.About{Kind: verdict.Field})
	two.Name = "Two"
	u, err := Update("known.yaml", []byte(old), runOf(one, two))
	require.NoError(t, err)
	assert.Equal(t, Updated{Content: []byte(old), Unclear: []int{2}}, u)

	unkept := one
	unkept.Exchanges = nil // as if there had been no room for it
	for _, unknown := range []verdict.Scenario{failure("a.b", "One", "a", "b"), unkept, {Rule: "a.b", Name: "One", Verdict: verdict.Pass}} {
		u, err = Update("known.yaml", []byte(old), runOf(unknown))
		require.NoError(t, err)
		assert.Equal(t, Updated{Content: []byte(old), Unseen: []int{2}}, u)
	}
	_, err = Update("known.yaml", []byte("failures:\n- rule: a.b"), runOf(one))
	require.ErrorContains(t, err, "known.yaml:2: scenarios: expected")
	u, err = Update("known.yaml", []byte("failures: []"), runOf(one))
	require.NoError(t, err)
	assert.Equal(t, "failures: []", string(u.Content))
}
