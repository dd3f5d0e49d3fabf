package compare

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/history"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

func scenario(rule, name string, v verdict.Verdict, got string) verdict.Scenario {
	s := verdict.Scenario{Rule: rule, Name: name, Verdict: v}
	if got != "" {
		s.Finding = &verdict.Finding{Expected: "201", Got: got, Exchange: -1}
	}
	return s
}

func runOf(scenarios ...verdict.Scenario) *verdict.Run {
	run := &verdict.Run{
		ID: "ab12", Version: "v1", Subject: verdict.Subject{Target: "https://gw"}, Settings: verdict.Settings{Concurrency: 16}, Started: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), Took: 10 * time.Second,
		Scenarios: scenarios, OpenPoints: []verdict.OpenPoint{{Name: "case", Question: "Are txids case-sensitive?"}},
	}
	for _, s := range scenarios {
		if len(run.Rules) == 0 || run.Rules[len(run.Rules)-1].Name != s.Rule {
			run.Rules = append(run.Rules, verdict.Rule{Name: s.Rule, Title: "Rule " + s.Rule})
		}
	}
	return run
}

func compared(base, now *verdict.Run) Comparison {
	return Reports([]verdict.Report{{Name: "base", Run: base}, {Name: "now", Run: now}})
}

// More money than before is another failure, unless the failure comes and goes.
func TestAnotherAmount(t *testing.T) {
	t.Parallel()
	failing := func(expected, got string) verdict.Scenario {
		s := scenario("r.a", "x", verdict.Fail, got)
		s.Finding.Expected = expected
		return s
	}
	const one, five = "a fall by R$ 1.00", "a fall by R$ 5.00"
	base := failing(one, "R$ 2.00, to R$ 7.00")
	flaky := failing(one, "R$ 3.00, to R$ 6.00")
	flaky.Attempts = []verdict.Attempt{{Verdict: verdict.Fail}, {Verdict: verdict.Pass}}
	for name, c := range map[string]struct {
		now         verdict.Scenario
		differently int
	}{
		"the same":              {base, 0},
		"more":                  {failing(one, "R$ 3.00, to R$ 6.00"), 1},
		"where more was wanted": {failing(five, "R$ 3.00, to R$ 6.00"), 0},
		"more, now and then":    {flaky, 0},
		"of another balance":    {failing(one, "R$ 2.00, to R$ 9.00"), 0},
	} {
		assert.Len(t, compared(runOf(base), runOf(c.now)).Changes[0].Differently, c.differently, name)
	}
}

// Words are no difference between two runs. What the finding is about is one, and so is the value of a field.
func TestRewordedFindings(t *testing.T) {
	t.Parallel()
	failing := func(expected, got, field string, about verdict.About) verdict.Scenario {
		s := scenario("r.a", "x", verdict.Fail, got)
		s.Finding.Expected, s.Finding.Field, s.Finding.About = expected, field, about
		return s
	}
	inPassing := func(s verdict.Scenario, name string) verdict.Scenario {
		s.Name, s.Via = name, "r.a/b"
		return s
	}
	movement, field := verdict.About{Kind: verdict.Movement, Expected: verdict.Falls, Got: verdict.Rises}, verdict.About{Kind: verdict.Field}
	fallen := movement
	fallen.Got = verdict.Falls
	other := scenario("r.a", "b", verdict.Pass, "")
	for name, c := range map[string]struct {
		before, now verdict.Scenario
		same        bool
	}{
		"a movement in other words": {failing("to fall", "rose", "available", movement), failing("a debit", "a credit", "available", movement), true},
		"another direction":         {failing("to fall", "rose", "available", movement), failing("to fall", "rose", "available", fallen), false},
		"another balance":           {failing("to fall", "rose", "available", movement), failing("to fall", "rose", "blocked", movement), false},
		"another kind":              {failing("to fall", "rose", "available", movement), failing("to fall", "rose", "available", field), false},
		"a field in other words":    {failing("status to be x", `"ERROR"`, "status", field), failing("x as status", `the status "ERROR"`, "status", field), true},
		"another value":             {failing("status to be x", `"ERROR"`, "status", field), failing("status to be x", `"PENDING"`, "status", field), false},
		"another field":             {failing("status to be x", `"ERROR"`, "status", field), failing("status to be x", `"ERROR"`, "type", field), false},
		"an earlier report":         {failing("status to be x", `"ERROR"`, "status", verdict.About{}), failing("status to be x", `"ERROR"`, "status", field), true},
		"an earlier report's words": {failing("status to be x", `"ERROR"`, "status", verdict.About{}), failing("x as status", `"ERROR"`, "status", field), false},
	} {
		change := compared(runOf(c.before, other), runOf(c.now, other)).Changes[0]
		assert.Equal(t, c.same, change.Same(), name)
		assert.Len(t, change.Differently, map[bool]int{false: 1}[c.same], name)

		change = compared(runOf(other, inPassing(c.before, "then")), runOf(other, inPassing(c.now, "now"))).Changes[0]
		assert.Equal(t, c.same, change.Same(), "%s, found in passing", name)
	}
}

// Every change of a scenario's verdict is in the right list.
func TestChangesOfAScenario(t *testing.T) {
	t.Parallel()
	const failing, known, differently, untested, fixed, tested, warned, still, nothing = "failing", "known", "differently", "untested", "fixed", "tested", "warned", "still", ""
	for _, c := range []struct {
		before, now       verdict.Verdict
		gotBefore, gotNow string
		want              string
		worse             bool
	}{
		{verdict.Pass, verdict.Fail, "", "500", failing, true},
		{verdict.CouldNotTest, verdict.Fail, "", "500", failing, true},
		{"", verdict.Fail, "", "500", failing, true},
		{verdict.Pass, verdict.KnownFailure, "", "500", known, false},
		{verdict.Fail, verdict.KnownFailure, "400", "500", still, false},
		{verdict.Fail, verdict.Fail, "400", "500", differently, true},
		{verdict.Fail, verdict.Fail, "R$ 1.00", "R$ 2.00", still, false},
		{verdict.Fail, verdict.KnownFailure, "500", "500", still, false},
		{verdict.KnownFailure, verdict.Pass, "500", "", fixed, false},
		{verdict.Fail, verdict.Warning, "500", "", fixed, false},
		{verdict.Pass, verdict.CouldNotTest, "", "", untested, true},
		{verdict.Fail, verdict.SuiteError, "500", "", untested, true},
		{verdict.CouldNotTest, verdict.Pass, "", "", tested, false},
		{verdict.Pass, verdict.Warning, "", "", warned, false},
		{verdict.Warning, verdict.Warning, "", "", nothing, false},
		{verdict.Pass, verdict.Pass, "", "", nothing, false},
		{"", verdict.Pass, "", "", nothing, false},
		{verdict.CouldNotTest, verdict.NotApplicable, "", "", nothing, false},
	} {
		base := runOf(scenario("r.a", "other", verdict.Pass, ""))
		if c.before != "" {
			base = runOf(scenario("r.a", "x", c.before, c.gotBefore))
		}
		comparison := compared(base, runOf(scenario("r.a", "x", c.now, c.gotNow)))
		change := comparison.Changes[0]
		name := string(c.before + " → " + c.now)
		got := map[string]int{
			failing: len(change.Failing), known: len(change.Known), differently: len(change.Differently), untested: len(change.Untested), fixed: len(change.Fixed),
			tested: len(change.Tested), warned: len(change.Warned), still: len(change.Still),
		}
		for list, n := range got {
			assert.Equal(t, list == c.want, n == 1, "%s: %s has %d", name, list, n)
		}
		assert.Equal(t, c.worse, comparison.Worse(), name)
		assert.Equal(t, c.want == nothing || c.want == still, change.Same(), name)
	}
}

// What failed in some attempts only is not fixed because it passes once.
func TestWhatCameAndWent(t *testing.T) {
	t.Parallel()
	failed, passed := scenario("r.a", "x", verdict.Fail, "500"), scenario("r.a", "x", verdict.Pass, "")
	before := failed
	before.Attempts = []verdict.Attempt{{Verdict: verdict.Fail}, {Verdict: verdict.Pass}, {Verdict: verdict.Pass}}
	change := compared(runOf(before), runOf(passed)).Changes[0]
	assert.Empty(t, change.Fixed)
	require.Len(t, change.Unseen, 1)
	assert.Equal(t, "failed in 1 of 3 attempts", change.Unseen[0].Often)
	assert.False(t, change.Same())
}

// A breach of the contract is the same whichever scenario met it, and is fixed only if that scenario
// was judged again.
func TestBreaches(t *testing.T) {
	t.Parallel()
	breach := func(via string) verdict.Scenario {
		s := scenario("contract.x", "201 with: a", verdict.Fail, "201 with: a")
		s.Via = via
		return s
	}
	a, b := scenario("r.a", "a", verdict.Pass, ""), scenario("r.a", "b", verdict.Pass, "")
	change := compared(runOf(a, b, breach("r.a/a")), runOf(a, b, breach("r.a/b"))).Changes[0]
	assert.Len(t, change.Still, 1)
	assert.True(t, change.Same())
	change = compared(runOf(a, b, breach("r.a/a")), runOf(a, b)).Changes[0]
	fixed := Item{Scenario: "contract.x/201 with: a", Title: "Rule contract.x", Before: verdict.Fail, Now: verdict.Pass, Expected: "201", Got: "201 with: a", inPassing: "contract.x"}
	assert.Equal(t, []Item{fixed}, change.Fixed)
	rule := scenario("contract.x", "it is 200", verdict.Fail, "500")
	change = compared(runOf(a, rule, breach("r.a/a")), runOf(a, rule)).Changes[0]
	assert.Empty(t, change.Fixed, "while its rule fails, it may just not have shown")
	assert.Len(t, change.Unseen, 1)
	other := scenario("contract.x", "201 with: b", verdict.Fail, "201 with: b")
	other.Via = "r.a/a"
	change = compared(runOf(a, breach("r.a/a"), other), runOf(a, other)).Changes[0]
	assert.Len(t, change.Fixed, 1, "another violation says nothing about it")
	assert.Empty(t, change.Unseen)
	failing := scenario("r.a", "a", verdict.Fail, "500")
	change = compared(runOf(failing, breach("r.a/a")), runOf(failing)).Changes[0]
	assert.Empty(t, change.Fixed, "the scenario that met it fails before it gets there")
	assert.Len(t, change.Unseen, 1)
	flaky := breach("r.a/a")
	flaky.Attempts = []verdict.Attempt{{Verdict: verdict.Fail}, {Verdict: verdict.Pass}}
	change = compared(runOf(a, flaky), runOf(a)).Changes[0]
	assert.Empty(t, change.Fixed, "what was flaky may come back")
	assert.Len(t, change.Unseen, 1)
	change = compared(runOf(a, b, breach("r.a/a")), runOf(b)).Changes[0]
	assert.Empty(t, change.Fixed)
	assert.Equal(t, []string{"1 scenario of the base not in this report"}, change.Different)
}

func TestDifferencesBesidesResults(t *testing.T) {
	t.Parallel()
	base, now := runOf(scenario("r.a", "a", verdict.Pass, "")), runOf(scenario("r.a", "a", verdict.Pass, ""), scenario("r.a", "b", verdict.Pass, ""))
	now.Target, now.Version, now.Selection, now.Shard, now.Families, now.Controls = "https://other", "v2", "@a", verdict.Shard{Index: 1, Of: 2}, []string{"med"}, []string{"clock"}
	base.Scenarios[0].Observations = []verdict.Observed{{Point: "case", Value: "yes"}}
	now.Scenarios[0].Observations = []verdict.Observed{{Point: "case", Value: "no"}}
	base.Webhooks, now.Webhooks = verdict.Webhooks{Count: 5, P99: 100 * time.Millisecond, Slowest: time.Second}, verdict.Webhooks{Count: 6, P99: 150 * time.Millisecond, Slowest: time.Second}
	now.Took = 5 * time.Second
	change := compared(base, now).Changes[0]
	assert.Equal(t, []string{
		"different target: https://gw, now https://other", "different version of pixcert: v1, now v2", "different selection: everything, now @a", "different shard: all, now 1/2",
		"different families: all, now med", "different controls: none, now clock", "1 scenario of this report not in the base",
	}, change.Different)
	assert.Equal(t, []Observed{{"case", "Are txids case-sensitive?", []string{"yes"}, []string{"no"}}}, change.Observations)
	assert.Equal(t, []Measure{
		{"scenarios", "1, 16 at a time", "2, 16 at a time"}, {"duration", "10.0 s", "5.0 s (-50 %)"}, {"webhooks", "5", "6"},
		{"webhook p99", "100 ms", "150 ms (+50 %)"}, {"slowest webhook", "1.0 s", "1.0 s"},
	}, change.Speed)

	now.Scenarios[0].Observations = nil
	assert.Empty(t, compared(base, now).Changes[0].Observations, "it was not observed")
}

// The outcome of a run with a baseline is about that baseline, which the text says.
func TestOutcomesWithABaseline(t *testing.T) {
	t.Parallel()
	base := runOf(scenario("r.a", "x", verdict.KnownFailure, "500"))
	base.Baseline = &verdict.Baseline{File: "known.yaml"}
	now := runOf(scenario("r.a", "x", verdict.KnownFailure, "500"), scenario("r.a", "y", verdict.KnownFailure, "502"))
	now.Baseline = base.Baseline
	var text, page strings.Builder
	require.NoError(t, compared(base, now).WriteText(&text, translation.English))
	assert.Contains(t, text.String(), "Base    base: only the known failures of known.yaml\n")
	assert.NotContains(t, strings.ToLower(text.String()), "no new failures")
	assert.Contains(t, text.String(), "New failures that the baseline lists: 1, with 1 likely cause\n")
	require.NoError(t, compared(base, now).WriteHTML(&page, translation.English))
	assert.Contains(t, page.String(), "only the known failures of known.yaml")
}

// A report without a URL, as earlier versions wrote it, does not differ in it.
func TestDifferentURLs(t *testing.T) {
	t.Parallel()
	a, b, none := runOf(), runOf(), runOf()
	a.URL, b.URL = "https://a", "https://b"
	assert.Equal(t, []string{"different URL: https://a, now https://b"}, compared(a, b).Changes[0].Different)
	assert.Empty(t, compared(none, a).Changes[0].Different)
	assert.Empty(t, compared(a, none).Changes[0].Different)
}

// What a long list leaves out is counted in scenarios, as the list is.
func TestMoreScenarios(t *testing.T) {
	t.Parallel()
	base, now := runOf(), runOf()
	for i := range 36 {
		s := scenario("r.a", strings.Repeat("x", i+1), verdict.Pass, "")
		base.Scenarios = append(base.Scenarios, s)
		s.Verdict, s.Missing = verdict.CouldNotTest, []string{strings.Repeat("y", i%12)} // 12 reasons
		now.Scenarios = append(now.Scenarios, s)
	}
	var text strings.Builder
	require.NoError(t, compared(base, now).WriteText(&text, translation.English))
	assert.Contains(t, text.String(), "No longer tested: 36\n")
	assert.Contains(t, text.String(), "    6 more scenarios; --json and --html list all\n")
}

// A comparison may show the history of the last report's target.
func TestHistoryInAComparison(t *testing.T) {
	t.Parallel()
	base, now := runOf(), runOf()
	comparison := compared(base, now)
	entries := []history.Entry{history.EntryOf(base, ""), history.EntryOf(now, "")}
	for i := range entries {
		entries[i].Started = entries[i].Started.AddDate(2000, 0, i)
		entries[i].Failing, entries[i].Passing = nil, []string{"a.b"}
	}
	entries[0].Failing, entries[0].Passing = []string{"a.b<b>"}, nil
	entries[1].Passing = []string{"a.b<b>"}
	comparison.History = history.TrendOf(entries, history.SettingIn(entries, now), nil)
	var text, page, machine strings.Builder
	require.NoError(t, comparison.WriteText(&text, translation.English))
	require.NoError(t, comparison.WriteHTML(&page, translation.English))
	require.NoError(t, comparison.WriteJSON(&machine))
	assert.Contains(t, text.String(), "\nHistory of ")
	assert.Contains(t, text.String(), "✗✓  a.b<b>  passes since ")
	assert.Contains(t, page.String(), "<td>✗✓</td><td><code>a.b&lt;b&gt;</code></td><td>passes since ")
	assert.Contains(t, page.String(), "Comparing latencies takes 4 more runs.")
	assert.Contains(t, machine.String(), `"change": "passes since"`)
}

// The output is complete, has long lists cut, and contains no control characters.
func TestOutput(t *testing.T) {
	t.Parallel()
	hostile := "<script>alert(1)</script>\x1b[2J\n::error::x"
	base, now := runOf(), runOf()
	base.Target = hostile
	for i := range 30 {
		name := strings.Repeat("x", i+1)
		base.Scenarios = append(base.Scenarios, scenario("r.a"+name, "x", verdict.Pass, ""), scenario("r.b", name, verdict.Pass, ""))
		now.Scenarios = append(now.Scenarios, scenario("r.a"+name, "x", verdict.Fail, name+hostile), scenario("r.b", name, verdict.CouldNotTest, ""))
	}
	now.Scenarios = append(now.Scenarios, scenario("r.c", "y", verdict.Fail, "x"+hostile))
	now.Scenarios[0].Attempts = []verdict.Attempt{{Verdict: verdict.Fail}, {Verdict: verdict.Pass}}
	now.Scenarios[1].Missing, now.Scenarios[3].Missing = []string{"clock"}, []string{"clock"}
	comparison := Reports([]verdict.Report{{Name: "base", Run: base}, {Name: "one", Run: now}, {Name: "two", Run: base}})

	var text, page, machine strings.Builder
	require.NoError(t, comparison.WriteText(&text, translation.English))
	for _, part := range []string{
		"Base    base: conforms\n", "Compared with the base: one: does not conform\n", "New failures: 31, with 30 likely causes\n", "    ✗ Expected 201, got x<script>", "\n        scenario r.ax/x (in 1 of 2 attempts)\n        expected 201\n        got      x<script>",
		"        also     1 more failure\n", "    20 more causes; --json and --html list all\n", "No longer tested: 30\n", "    ? r.b/x\n        got      missing controls: clock\n        also     1 more scenario\n    ? r.b/xxx\n",
		"Compared with the base: two: conforms\n", "\n  No scenario changed\n", "\n✗ Something got worse\n",
	} {
		assert.Contains(t, text.String(), part)
	}
	assert.NotContains(t, text.String(), "\x1b")
	require.NoError(t, comparison.WriteHTML(&page, translation.English))
	assert.Contains(t, page.String(), "✗ Something got worse")
	assert.Contains(t, page.String(), "also 1 more failure")
	assert.NotContains(t, page.String(), "<script")
	assert.NotContains(t, page.String(), "\x1b")
	assert.NotContains(t, page.String(), "ZgotmplZ")
	require.NoError(t, comparison.WriteJSON(&machine))
	var read Comparison
	require.NoError(t, json.Unmarshal([]byte(machine.String()), &read))
	assert.Len(t, read.Changes[0].Untested, 30)
	assert.NotContains(t, machine.String(), "null")
}

// In Portuguese, a comparison has no English but the names of rules, scenarios and reports. JSON stays English.
func TestAComparisonInPortuguese(t *testing.T) {
	t.Parallel()
	base, now := runOf(scenario("r.a", "a", verdict.Pass, "")), runOf(scenario("r.a", "a", verdict.Fail, "no response"))
	now.Scenarios[0].Attempts = []verdict.Attempt{{Verdict: verdict.Fail}, {Verdict: verdict.Pass}}
	now.Selection = "@a"
	comparison := compared(base, now)
	var text, page, machine strings.Builder
	require.NoError(t, comparison.WriteText(&text, translation.Portuguese))
	require.NoError(t, comparison.WriteHTML(&page, translation.Portuguese))
	require.NoError(t, comparison.WriteJSON(&machine))
	for _, part := range []string{
		"Em relação à base: now: não conforme\n", "  ! seleção: antes tudo, agora @a\n", "Falhas novas: 1, com 1 causa provável\n",
		"        cenário  r.a/a (em 1 de 2 tentativas)\n        esperado 201\n        obtido   nenhuma resposta\n", "    cenários             1, 16 por vez, como antes\n", "\n✗ Algo piorou\n",
	} {
		assert.Contains(t, text.String(), part)
	}
	assert.Contains(t, page.String(), `<html lang="pt-BR">`)
	assert.Contains(t, page.String(), "passou, agora falhou (em 1 de 2 tentativas)")
	assert.Contains(t, machine.String(), `"no response"`)
}
