package catalogue

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const payments = `@money
Feature: Payments
  Money that moves.

    And money that does not.

  Background:
    Given an account with R$ 10.00 available
    And a fee of R$ 0.50

  @payment.covers-fee @slow
  Rule: The balance covers the fee
    To the cent.

    Background:
      Given no limits

    Scenario: One cent short
      When the account sends R$ 9.51
      And it waits
      Then the request is rejected with:
        | code    | PIX |
        | message | low |
      But nothing else happens

    @outline
    Scenario Outline: <value> is taken
      When the account sends
        """
        {"value": <value>}
        """
      Then <value> is gone

      @small
      Examples:
        | value |
        | 0.01  |
        | 9.50  |
`

func feature(text string) fstest.MapFS {
	return fstest.MapFS{"a.feature": {Data: []byte(text)}}
}

func loadPayments(t *testing.T) *Rule {
	c, err := Load(feature(payments))
	require.NoError(t, err)
	require.Len(t, c.Features, 1)
	require.Len(t, c.Features[0].Rules, 1)
	return c.Features[0].Rules[0]
}

func TestLoadReadsRules(t *testing.T) {
	t.Parallel()
	rule := loadPayments(t)
	assert.Equal(t, "payment.covers-fee", rule.Name)
	assert.Equal(t, "The balance covers the fee", rule.Title)
	assert.Equal(t, "To the cent.", rule.Description)
	assert.Equal(t, []string{"@payment.covers-fee", "@slow"}, rule.Tags)
	assert.Empty(t, rule.Statements)
	assert.Equal(t, 12, rule.Line)
	assert.Equal(t, "a.feature", rule.Feature.File)
	assert.Equal(t, "Payments", rule.Feature.Name)
	assert.Equal(t, "Money that moves.\n\nAnd money that does not.", rule.Feature.Description)
}

func TestLoadReadsScenarios(t *testing.T) {
	t.Parallel()
	rule := loadPayments(t)
	require.Len(t, rule.Scenarios, 3)
	short := rule.Scenarios[0]
	assert.Equal(t, "payment.covers-fee/One cent short", short.ID())
	assert.Equal(t, 18, short.Line)
	assert.Same(t, rule, short.Rule)
	assert.Equal(t, []string{"@money", "@payment.covers-fee", "@slow"}, short.Tags)
	assert.Equal(t, []Step{
		{Keyword: "Given", Type: Context, Text: "an account with R$ 10.00 available", Line: 8},
		{Keyword: "And", Type: Context, Text: "a fee of R$ 0.50", Line: 9},
		{Keyword: "Given", Type: Context, Text: "no limits", Line: 16},
		{Keyword: "When", Type: Action, Text: "the account sends R$ 9.51", Line: 19},
		{Keyword: "And", Type: Action, Text: "it waits", Line: 20},
		{Keyword: "Then", Type: Outcome, Text: "the request is rejected with:", Line: 21, Table: [][]string{{"code", "PIX"}, {"message", "low"}}},
		{Keyword: "But", Type: Outcome, Text: "nothing else happens", Line: 24},
	}, short.Steps)
}

func TestLoadReadsOutlines(t *testing.T) {
	t.Parallel()
	row := loadPayments(t).Scenarios[2]
	assert.Equal(t, "9.50 is taken", row.Name)
	assert.Equal(t, 38, row.Line, "the line of the row")
	assert.Equal(t, []string{"@money", "@payment.covers-fee", "@slow", "@outline", "@small"}, row.Tags)
	require.Len(t, row.Steps, 5)
	assert.Equal(t, `{"value": 9.50}`, row.Steps[3].DocString)
	assert.Equal(t, Step{Keyword: "Then", Type: Outcome, Text: "9.50 is gone", Line: 32}, row.Steps[4])
}

const (
	ruleLine = "Feature: F\n@a.b\nRule: R\n"
	scenario = "Scenario: S\nWhen it is\n"
)

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, err string }{
		"no Gherkin":             {"nonsense", "a.feature:1: expected: "},
		"bad rows":               {ruleLine + "Scenario: S\nWhen it is\n|a|b|\n|a|\n", "a.feature:7: inconsistent cell count"},
		"nothing":                {"", "a.feature:1: expected a Feature, got none"},
		"outside a rule":         {"Feature: F\n" + scenario, `a.feature:2: the scenario "S" is outside of any Rule`},
		"rule without a name":    {"Feature: F\n@slow\nRule: R\n" + scenario, `a.feature:3: the rule "R": expected exactly one tag of the form @area.name, its name, got 0`},
		"rule with two names":    {"Feature: F\n@a.b @a.c\nRule: R\n" + scenario, `a.feature:3: the rule "R": expected exactly one tag of the form @area.name, its name, got 2`},
		"rule with a bad name":   {"Feature: F\n@A.b_c\nRule: R\n" + scenario, "a.feature:3: expected a rule name such as @area.name, in lower-case"},
		"feature with a name":    {"@a.c\n" + ruleLine + scenario, "a.feature:1: @a.c looks like a rule name"},
		"scenario with a name":   {ruleLine + "@a.c\n" + scenario, "a.feature:4: @a.c looks like a rule name"},
		"examples with a name":   {ruleLine + "Scenario: <x>\nWhen it is\n@a.c\nExamples:\n|x|\n|1|\n", "a.feature:6: @a.c looks like a rule name"},
		"feature with an id":     {"@A-001\n" + ruleLine + scenario, "a.feature:1: @A-001 looks like a statement id, which only a Rule"},
		"scenario with an id":    {ruleLine + "@A-001\n" + scenario, "a.feature:4: @A-001 looks like a statement id"},
		"examples with an id":    {ruleLine + "Scenario: <x>\nWhen it is\n@A-001\nExamples:\n|x|\n|1|\n", "a.feature:6: @A-001 looks like a statement id"},
		"unknown statement":      {"Feature: F\n@a.b\n@A-001 @A-004\nRule: R\n" + scenario, "a.feature:3: statements.tsv has no statement A-004; correct the tag"},
		"statement of 2 digits":  {"Feature: F\n@a.b @A-01\nRule: R\n" + scenario, "a.feature:2: expected a statement id such as @OUT-067, got @A-01"},
		"statement twice":        {"Feature: F\n@a.b @A-001\n@A-002 @A-001\nRule: R\n" + scenario, `a.feature:3: the rule "R" has the tag @A-001 twice`},
		"name used twice":        {ruleLine + scenario + "@a.b\nRule: Q\n" + scenario, "a.feature:7: duplicate rule name @a.b, also at a.feature:3"},
		"rule without scenarios": {ruleLine, `a.feature:3: the rule "R" has no scenarios`},
		"scenario without steps": {ruleLine + "Scenario: S\n", `a.feature:4: the scenario "S" has no steps`},
		"scenario without name":  {ruleLine + "Scenario:\nWhen it is\n", "a.feature:4: the scenario has no name"},
		"the same name":          {ruleLine + scenario + scenario, `a.feature:6: duplicate scenario name "S", also at line 4`},
		"no placeholder":         {ruleLine + "Scenario: S\nWhen <x>\nExamples:\n|x|\n|1|\n|2|\n", `a.feature:9: duplicate scenario name "S", also at line 8; rename one, or put a <placeholder>`},
		"no examples":            {ruleLine + "Scenario: <x>\nWhen <x>\nExamples:\n|x|\n", `a.feature:4: the outline "<x>" has no examples`},
		"And at the beginning":   {ruleLine + "Scenario: S\nAnd it is\n", `a.feature:5: the step "it is" begins with "And"`},
		"a star":                 {ruleLine + "Scenario: S\n* it is\n", `a.feature:5: the step "it is" begins with "*"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Load(withStatements(feature(c.text)))
			require.ErrorContains(t, err, c.err)
		})
	}
}

func TestLoadReportsAllErrors(t *testing.T) {
	t.Parallel()
	_, err := Load(fstest.MapFS{
		"a.feature": {Data: []byte("nonsense")},
		"b.feature": {Data: []byte(ruleLine)},
		"c.feature": {Data: []byte(ruleLine + scenario + scenario)},
		"d.feature": {Data: []byte(ruleLine + scenario)},
	})
	require.Error(t, err)
	for _, place := range []string{"a.feature:1", "b.feature:3", "c.feature:6"} {
		assert.Contains(t, err.Error(), place)
	}
	_, err = Load(fstest.MapFS{
		"a.feature": {Data: []byte(ruleLine + scenario)},
		"b.feature": {Data: []byte("\n" + ruleLine + scenario)},
	})
	require.EqualError(t, err, "b.feature:4: duplicate rule name @a.b, also at a.feature:3; choose another one")
	_, err = Load(fstest.MapFS{"a.yaml": {}})
	require.EqualError(t, err, "expected .feature files, got none")
}

func TestOpenPoints(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, err string
		points    []OpenPoint
	}{
		"two": {text: "# why\n- {name: a, question: b, permitted: c}\n- name: d\n  question: e?\n  permitted: f\n",
			points: []OpenPoint{{Name: "a", Question: "b", Permitted: "c"}, {Name: "d", Question: "e?", Permitted: "f"}}},
		"readings": {text: "- name: a b\n  question: c\n  readings:\n  - {name: d, means: e}\n  - {name: f, means: g}\n",
			points: []OpenPoint{{Name: "a b", Question: "c", Permitted: "one of these in all scenarios: d (e), or f (g)", Readings: []Reading{{"d", "e"}, {"f", "g"}}}}},
		"both":          {text: "- {name: a, question: b, permitted: c, readings: [{name: d, means: e}, {name: f, means: g}]}\n", err: "either permitted or readings"},
		"one reading":   {text: "- {name: a, question: b, readings: [{name: d, means: e}]}\n", err: `open-points.yaml:1: "a" requires at least 2 readings, each with a unique name and a meaning`},
		"reading twice": {text: "- {name: a, question: b, readings: [{name: d, means: e}, {name: d, means: f}]}\n", err: `"a" requires at least 2 readings`},
		"no meaning":    {text: "- {name: a, question: b, readings: [{name: d, means: e}, {name: f}]}\n", err: `"a" requires at least 2 readings`},
		"none":          {text: "# nothing yet\n"},
		"a name twice":  {text: "- {name: a, question: b, permitted: c}\n- {name: a, question: b, permitted: c}\n", err: `open-points.yaml:2: duplicate open point "a", also at line 1`},
		"without":       {text: "\n- {name: a, question: b}\n", err: "open-points.yaml:2: an open point requires name, question and either permitted or readings"},
		"unknown field": {text: "- {name: a, question: b, permitted: c, d: e}\n", err: "line 1: field d not found"},
		"no list":       {text: "name: a\n", err: "expected a list of name, question, and permitted or readings"},
		"no YAML":       {text: "- {", err: "open-points.yaml: expected a list"},
		"null in it":    {text: "- ~\n", err: "open-points.yaml: empty entry in the list"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			points, err := OpenPoints(fstest.MapFS{"open-points.yaml": {Data: []byte(c.text)}})
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.points, points)
		})
	}
	_, err := OpenPoints(fstest.MapFS{})
	require.ErrorContains(t, err, "reading the open points")
}
