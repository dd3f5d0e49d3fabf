package merge

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/verdict"
)

var began = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)

// shard returns a run of one shard of four rules, with the named scenarios.
func shard(index, of int, scenarios ...verdict.Scenario) verdict.Report {
	run := &verdict.Run{
		ID: string(rune('a' + index)), Version: "v1", Subject: verdict.Subject{Target: "https://gw"}, Settings: verdict.Settings{Seed: int64(index), Shard: verdict.Shard{Index: index, Of: of}},
		Started: began.Add(time.Duration(index) * time.Second), Took: 10 * time.Second, Controls: []string{"funds"}, Scenarios: scenarios,
		Webhooks: verdict.Webhooks{Count: index, P99: time.Duration(index)}, OpenPoints: []verdict.OpenPoint{{Name: "p"}},
		Advice: verdict.Advice{Unlocks: []verdict.Unlock{{Effort: "little", Scenarios: 1}}},
	}
	for _, rule := range []verdict.Rule{{Name: "late", File: "a.feature"}, {Name: "early", File: "a.feature"}, {Name: "contract.x", File: "b.feature"}, {Name: "area.y", File: "c.feature"}} {
		if slices.ContainsFunc(scenarios, func(s verdict.Scenario) bool { return s.Rule == rule.Name }) {
			run.Rules = append(run.Rules, rule)
		}
	}
	return verdict.Report{Name: "report-" + run.ID, Run: run}
}

func scenario(rule, name string, line int, v verdict.Verdict) verdict.Scenario {
	return verdict.Scenario{Rule: rule, Name: name, Line: line, Verdict: v}
}

func breach(via, got string) verdict.Scenario {
	return verdict.Scenario{Rule: "contract.x", Name: got, Via: via, Verdict: verdict.Fail, Finding: &verdict.Finding{Expected: "the contract", Got: got}}
}

func ids(run *verdict.Run) (all []string) {
	for _, rule := range run.Results() {
		all = append(all, rule.Name+" "+string(rule.Verdict))
	}
	return all
}

func TestShards(t *testing.T) {
	t.Parallel()
	one := shard(1, 3, scenario("late", "a", 30, verdict.Pass), scenario("early", "a", 10, verdict.Pass), breach("z", "201 with: x"))
	two := shard(2, 3, scenario("early", "b", 12, verdict.Pass), scenario("contract.x", "own", 5, verdict.Pass), breach("late/a", "201 with: x"), breach("late/a", "201 with: y"))
	three := shard(3, 3, scenario("area.y", "a", 1, verdict.CouldNotTest))
	m, err := Merge([]verdict.Report{three, one, two})
	require.NoError(t, err)
	assert.Equal(t, []string{"early pass", "late pass", "contract.x fail", "area.y could not test"}, ids(m.Run), "in the order of the features")
	assert.Len(t, m.Run.Scenarios, 7, "one breach was met twice")
	for i, s := range m.Run.Scenarios {
		assert.Contains(t, []verdict.Report{three, one, two}[m.Sources[i]].Run.Scenarios, s)
		if s.Name == "201 with: x" {
			assert.Equal(t, "late/a", s.Via, "the first by name")
		}
	}
	assert.Equal(t, "d+b+c", m.Run.ID)
	assert.Equal(t, "3, 1, 2", m.Run.Order(), "their seeds")
	assert.Empty(t, m.Run.Lacks)
	assert.Empty(t, m.Run.Shard)
	assert.Equal(t, began.Add(time.Second), m.Run.Started)
	assert.Equal(t, 12*time.Second, m.Run.Took)
	assert.Equal(t, verdict.Webhooks{Count: 6, P99: 3}, m.Run.Webhooks)
	assert.Equal(t, []string{"funds"}, m.Run.Controls)
	assert.Len(t, m.Run.OpenPoints, 1)
	assert.Len(t, m.Run.Unlocks, 1)
	assert.Equal(t, verdict.DoesNotConform, m.Run.Outcome())
}

// Shards meet the same breach with other values.
func TestABreachIsOneWhateverItsValues(t *testing.T) {
	t.Parallel()
	own := scenario("contract.x", "own", 5, verdict.Pass)
	m, err := Merge([]verdict.Report{shard(1, 2, own, breach("b/b", "R$ 10.00 of order-000001")), shard(2, 2, breach("a/a", "R$ 7.31 of order-000002"), breach("a/a", "none"))})
	require.NoError(t, err)
	require.Len(t, m.Run.Scenarios, 3)
	assert.Equal(t, "a/a", m.Run.Scenarios[1].Via, "the first by name")
	assert.Equal(t, "R$ 7.31 of order-000002", m.Run.Scenarios[1].Finding.Got)
}

// If a shard is missing, the outcome is incomplete.
func TestMissingShards(t *testing.T) {
	t.Parallel()
	m, err := Merge([]verdict.Report{shard(3, 4, scenario("late", "a", 1, verdict.Pass)), shard(1, 4, scenario("early", "a", 1, verdict.Pass))})
	require.NoError(t, err)
	assert.Equal(t, []verdict.Shard{{Index: 2, Of: 4}, {Index: 4, Of: 4}}, m.Run.Lacks)
	assert.Equal(t, verdict.Incomplete, m.Run.Outcome())
	_, err = Merge([]verdict.Report{{Name: "merged", Run: m.Run}})
	require.ErrorContains(t, err, "merged is a merged report with missing shards")
}

// A report that is much older than the others is named, also if it ran for long.
func TestStaleReports(t *testing.T) {
	t.Parallel()
	one, two, three := shard(1, 3), shard(2, 3), shard(3, 3)
	assert.Empty(t, Stale([]verdict.Report{three, one, two}))
	two.Run.Started = began.Add(-24 * time.Hour)
	assert.Equal(t, "report-c is from 2026-11-21 10:00 UTC, but report-b is from 2026-11-22 10:00 UTC; if it is left from an earlier run, run that part again", Stale([]verdict.Report{three, one, two}))
	two.Run.Took = 24 * time.Hour
	assert.Empty(t, Stale([]verdict.Report{three, one, two}), "one after the other")
}

// If a shard was interrupted, the merged run ended early. A shard that stopped at a failure leaves
// nothing open: the target does not conform.
func TestAShardThatEndedEarly(t *testing.T) {
	t.Parallel()
	fast, lost := shard(1, 2, scenario("late", "a", 1, verdict.Fail)), shard(2, 2, scenario("early", "a", 1, verdict.NotRun))
	fast.Run.Ended, lost.Run.Ended = &verdict.Ended{Reason: "failed", Decided: true}, &verdict.Ended{Reason: "interrupted"}
	m, err := Merge([]verdict.Report{fast, lost})
	require.NoError(t, err)
	assert.Equal(t, verdict.EndedEarly, m.Run.Outcome())
	assert.Equal(t, "report-c: interrupted", m.Run.Ended.Reason)
	lost.Run.Ended = nil
	m, err = Merge([]verdict.Report{lost, fast})
	require.NoError(t, err)
	assert.Equal(t, verdict.DoesNotConform, m.Run.Outcome())
}

// A scenario that is in several reports gets its most severe verdict.
func TestTheMostSevereCounts(t *testing.T) {
	t.Parallel()
	pass, fail := shard(0, 0, scenario("late", "a", 1, verdict.Pass)), shard(0, 0, scenario("late", "a", 1, verdict.Fail), scenario("early", "b", 1, verdict.Pass))
	pass.Run.Selection, fail.Run.Selection = "late, area.y", "@early and not @slow"
	pass.Run.Unlocks = nil
	for _, reports := range [][]verdict.Report{{pass, fail}, {fail, pass}} {
		m, err := Merge(reports)
		require.NoError(t, err)
		assert.Len(t, m.Run.Scenarios, 2)
		assert.Equal(t, verdict.DoesNotConform, m.Run.Outcome())
		assert.Empty(t, m.Run.Unlocks, "each run knows only its own part")
	}
	m, err := Merge([]verdict.Report{pass, fail})
	require.NoError(t, err)
	assert.Equal(t, "(@late or @area.y) or (@early and not @slow)", m.Run.Selection)
	pass.Run.Selection = ""
	m, err = Merge([]verdict.Report{pass, fail})
	require.NoError(t, err)
	assert.Empty(t, m.Run.Selection)
}

// A breach is not repeated if a scenario of its rule fails for it.
func TestABreachIsNotRepeated(t *testing.T) {
	t.Parallel()
	own := scenario("contract.x", "own", 5, verdict.Fail)
	own.Finding = &verdict.Finding{Expected: "the contract", Got: "201 with: x"}
	m, err := Merge([]verdict.Report{shard(1, 2, breach("late/a", "201 with: x"), breach("late/a", "201 with: y")), shard(2, 2, own)})
	require.NoError(t, err)
	require.Len(t, m.Run.Scenarios, 2)
	assert.Equal(t, "201 with: y", m.Run.Scenarios[0].Name)
}

func TestReportsThatCannotBeMerged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*verdict.Run)
		says   string
	}{
		"version":   {func(r *verdict.Run) { r.Version = "v2" }, `report-b and report-c have different versions of pixcert ("v1" and "v2")`},
		"target":    {func(r *verdict.Run) { r.Target = "https://other" }, `different targets ("https://gw" and "https://other")`},
		"strict":    {func(r *verdict.Run) { r.Strict = true }, `different strictness ("" and "--strict")`},
		"families":  {func(r *verdict.Run) { r.Families = []string{"med"} }, `different families ("" and "med")`},
		"shards":    {func(r *verdict.Run) { r.Shard.Of = 3 }, `report-c is shard 2/3, but another report has 2 shards`},
		"twice":     {func(r *verdict.Run) { r.Shard.Index = 1 }, `report-b and report-c are both shard 1/2`},
		"features":  {func(r *verdict.Run) { r.Scenarios = []verdict.Scenario{scenario("late", "a", 30, verdict.Pass)} }, `both have the scenario late/a: they are shards of different features`},
		"own":       {func(r *verdict.Run) { r.Own = &verdict.Own{Directory: "rules", Digest: "d"} }, `report-b and report-c ran with different own features`},
		"whole":     {func(r *verdict.Run) { r.Shard = verdict.Shard{} }, `report-c did not run with --shard, as others did`},
		"selection": {func(r *verdict.Run) { r.Selection = "@a" }, `have different selections ("" and "@a")`},
	} {
		two := shard(2, 2)
		c.change(two.Run)
		_, err := Merge([]verdict.Report{shard(1, 2, scenario("late", "a", 30, verdict.Pass)), two})
		require.ErrorContains(t, err, c.says, name)
	}
	_, err := Merge(nil)
	require.ErrorContains(t, err, "got none")
}

// The user's own rules come last, each once, and their files have to be the same in all reports.
func TestOwnRulesAreMerged(t *testing.T) {
	t.Parallel()
	with := func(index, of int, directory string) verdict.Report {
		r := shard(index, of, scenario("late", directory, 30+index, verdict.Pass), scenario("mine", directory, 2, verdict.Pass))
		r.Run.Own = &verdict.Own{Directory: directory, Digest: "d"}
		r.Run.Rules = append([]verdict.Rule{{Name: "mine", File: directory + "/a.feature", Own: true}}, r.Run.Rules...)
		return r
	}
	one, two := with(1, 2, "/here"), with(2, 2, "/there")
	merged, err := Merge([]verdict.Report{one, two})
	require.NoError(t, err)
	assert.Equal(t, []string{"late pass", "mine pass"}, ids(merged.Run))
	assert.Equal(t, one.Run.Own, merged.Run.Own)

	merged, err = Merge([]verdict.Report{shard(0, 0, scenario("early", "a", 1, verdict.Pass)), with(0, 0, "rules")})
	require.NoError(t, err, "a run of the API's rules, and one with own rules")
	assert.Equal(t, "rules", merged.Run.Own.Directory)

	edited := with(0, 0, "edited")
	edited.Run.Own.Digest = "e"
	_, err = Merge([]verdict.Report{with(0, 0, "rules"), edited})
	require.EqualError(t, err, "the reports ran with different own features, in rules and edited: run them with the same files")
}

// A gateway that follows two readings of an open point may show them in different shards.
func TestMisfitsOfAllShards(t *testing.T) {
	t.Parallel()
	see := func(name, reading string) verdict.Scenario {
		s := scenario("late", name, 1, verdict.Pass)
		s.Observations = []verdict.Observed{{Point: "p", Value: name, Fits: []string{reading}}}
		return s
	}
	one, two := shard(1, 2, see("a", "UTC")), shard(2, 2, see("b", "São Paulo"), see("c", "UTC"))
	for _, r := range []verdict.Report{one, two} {
		r.Run.OpenPoints = []verdict.OpenPoint{{Name: "p", Readings: []string{"UTC", "São Paulo"}}}
		r.Run.Scenarios = append(r.Run.Scenarios, verdict.Misfits(r.Run.OpenPoints, r.Run.Scenarios)...)
	}
	require.Equal(t, verdict.Conforms, one.Run.Outcome())
	require.Equal(t, verdict.DoesNotConform, two.Run.Outcome(), "two readings in one shard")
	m, err := Merge([]verdict.Report{one, two})
	require.NoError(t, err)
	require.Len(t, m.Run.Scenarios, 4)
	assert.Len(t, m.Sources, 4)
	assert.Equal(t, `UTC: a in "a", c in "c"; São Paulo: b in "b"`, m.Run.Scenarios[3].Finding.Got)
	assert.Equal(t, two.Run.Scenarios[2].Signature(), m.Run.Scenarios[3].Signature(), "the same failure, wherever it shows")

	two.Run.Scenarios = []verdict.Scenario{see("b", "São Paulo")}
	m, err = Merge([]verdict.Report{one, two})
	require.NoError(t, err)
	assert.Equal(t, verdict.DoesNotConform, m.Run.Outcome(), "each shard conforms, and the gateway does not")
}

// What is run again counts as it is now; everything else stays.
func TestContinue(t *testing.T) {
	t.Parallel()
	past := shard(1, 2, scenario("early", "a", 10, verdict.Pass), scenario("early", "b", 12, verdict.Fail), scenario("late", "a", 30, verdict.NotRun),
		breach("early/b", "201 with: x"), breach("early/a", "201 with: y")).Run
	past.Ended, past.Selection = &verdict.Ended{Reason: "interrupted"}, "@early or @late"
	past.Explored = &verdict.Explored{Walks: 3}
	rest := shard(2, 2, scenario("early", "b", 12, verdict.Pass), scenario("late", "a", 30, verdict.Fail)).Run
	rest.Shard, rest.Selection = verdict.Shard{}, "2 scenarios"
	m := Continue(past, rest)
	assert.Equal(t, []string{"early pass", "late fail", "contract.x fail"}, ids(m.Run))
	assert.Len(t, m.Run.Scenarios, 4, "the breach that early/b showed is not there any more")
	assert.Equal(t, []int{Past, Past, Rest, Rest}, m.Sources)
	assert.Nil(t, m.Run.Ended)
	assert.Equal(t, past.Shard, m.Run.Shard)
	assert.Equal(t, past.Selection, m.Run.Selection)
	assert.Equal(t, past.Explored, m.Run.Explored)
	assert.Equal(t, 20*time.Second, m.Run.Took)
	assert.Equal(t, 1, m.Run.Reran, "early/b")
	assert.Equal(t, 1, Continue(m.Run, rest).Run.Reran, "it is counted once")
	rest.Ended = &verdict.Ended{Reason: "interrupted again"}
	assert.Equal(t, verdict.EndedEarly, Continue(past, rest).Run.Outcome())
}

// A merged report says how far its runs were explored.
func TestExploredIsKept(t *testing.T) {
	t.Parallel()
	one, two, three := shard(1, 3), shard(2, 3), shard(3, 3)
	two.Run.Explored = &verdict.Explored{Walks: 3, Requests: 10, Transitions: 5, Of: 9}
	three.Run.Explored = &verdict.Explored{Walks: 4, Requests: 20, Transitions: 7, Of: 8}
	m, err := Merge([]verdict.Report{one, two, three})
	require.NoError(t, err)
	assert.Equal(t, "7 walks, 30 requests, 7 of 9 transitions", m.Run.Explored.String())
}
