package baseline

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

const today = "2026-11-22"

func failure(rule, name, expected, got string) verdict.Scenario {
	return verdict.Scenario{
		Rule: rule, Name: name, Verdict: verdict.Fail, Finding: &verdict.Finding{Expected: expected, Got: got},
		Exchanges: []exchange.Exchange{{Operation: "cash-out"}},
	}
}

// sample has every kind of failure that a baseline distinguishes.
func sample() *verdict.Run {
	breach := failure("contract.cash-out", "201 with: externalId is required", "a response that matches openapi.yaml", "201 with: externalId is required")
	breach.Via = "cash-out.debit/Once"
	flaky := failure("cash-out.debit", "Now and then", "available to fall by R$ 1.00", "unchanged")
	flaky.Attempts = []verdict.Attempt{{Verdict: verdict.Fail}, {Verdict: verdict.Pass}}
	run := &verdict.Run{
		ID: "ab12", Version: "v1.2.3", Subject: verdict.Subject{Target: "https://gw\nfailures: []"}, Started: time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC),
		Scenarios: []verdict.Scenario{
			failure("cash-out.debit", "Once", `available to fall by R$ 10.00, as "a: b" # says`, "fell by R$ 20.00"),
			failure("cash-out.debit", "Twice", `available to fall by R$ 15.00, as "c" # says`, "fell by R$ 30.00"),
			flaky, breach,
			{Rule: "contract.cash-out", Name: "Accepted", Verdict: verdict.Pass},
			{Rule: "cash-out.debit", Name: "Never", Verdict: verdict.Pass},
		},
	}
	run.Rules = []verdict.Rule{{Name: "cash-out.debit"}, {Name: "contract.cash-out"}}
	return run
}

func printed(t *testing.T, run *verdict.Run) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, Write(&out, run))
	return out.String()
}

func parsed(t *testing.T, content string) *Baseline {
	t.Helper()
	b, err := Parse("known.yaml", []byte(content))
	require.NoError(t, err)
	return b
}

// Two amounts where the same is expected are two failures.
func TestAmountsOfEntries(t *testing.T) {
	t.Parallel()
	once, again := failure("a.b", "once", "a fall by R$ 1.00", "by R$ 2.00, to R$ 3.00"), failure("a.b", "again", "a fall by R$ 1.00", "by R$ 2.00, to R$ 7.00")
	thrice, other := failure("a.b", "thrice", "a fall by R$ 1.00", "by R$ 3.00, to R$ 3.00"), failure("a.b", "other", "a fall by R$ 4.00", "by R$ 8.00, to R$ 3.00")
	run := &verdict.Run{Rules: []verdict.Rule{{Name: "a.b"}}, Scenarios: []verdict.Scenario{once, again, thrice, other}}
	b := parsed(t, printed(t, run))
	require.Len(t, b.entries, 2)
	assert.Equal(t, []string{"again", "once", "other"}, b.entries[0].Scenarios)
	b.Apply(run, today)
	assert.Equal(t, verdict.NoNewFailures, run.Outcome())
}

func TestEntriesWithoutAReasonAreNamed(t *testing.T) {
	t.Parallel()
	run := sample()
	parsed(t, printed(t, run)).Apply(run, today)
	assert.Equal(t, "3 entries in known.yaml have no reason: lines 14, 24, 36", run.Baseline.Unexplained())

	parsed(t, strings.ReplaceAll(printed(t, sample()), `reason: ""`, "reason: slow")).Apply(run, today)
	assert.Empty(t, run.Baseline.Unexplained())
	assert.NotNil(t, run.Baseline.WithoutReason, "an empty list in verdict.json")
}

func TestWrite(t *testing.T) {
	t.Parallel()
	_, list, _ := strings.Cut(printed(t, sample()), "may differ.\n")
	assert.Equal(t, `failures:
  - rule: cash-out.debit
    scenarios:
      - Now and then
    intermittent: true
    operation: cash-out
    expected: available to fall by R$ 1.00
    got: unchanged
    reason: ""
    owner: ""
    expires: ""
  - rule: cash-out.debit
    scenarios:
      - Once
      - Twice
    operation: cash-out
    expected: 'available to fall by R$ 10.00, as "a: b" # says'
    got: fell by R$ 20.00
    amounts:
      R$ 15.00: R$ 30.00
    reason: ""
    owner: ""
    expires: ""
  - rule: contract.cash-out
    foundBy:
      - cash-out.debit/Once
    operation: cash-out
    expected: a response that matches openapi.yaml
    got: '201 with: externalId is required'
    reason: ""
    owner: ""
    expires: ""
`, list)
	assert.Contains(t, printed(t, sample()), "# Known failures of https://gw failures: []\n# from the run ab12 of 2026-11-20, pixcert v1.2.3.\n")
	assert.Contains(t, printed(t, &verdict.Run{}), "\nfailures: []\n")

	run := sample()
	run.Scenarios[3].Via = run.Scenarios[2].ID()
	assert.Contains(t, printed(t, run), "      - cash-out.debit/Now and then\n    intermittent: true\n", "like the scenario that finds it")
}

// A failure that the baseline lists is known, also with different ids and amounts.
func TestKnownFailures(t *testing.T) {
	t.Parallel()
	b := parsed(t, printed(t, sample()))
	again := sample()
	again.Scenarios[0].Finding.Expected = `available to fall by R$ 49.50, as "e: f" # says`
	again.Scenarios[0].Finding.Got = "fell by R$ 99.01"
	again.Scenarios[1].Exchanges = nil // as if there had been no room for them
	again.Scenarios[3].Via = "cash-out.debit/Twice"
	b.Apply(again, today)
	assert.Equal(t, verdict.NoNewFailures, again.Outcome())
	assert.Equal(t, &verdict.Baseline{File: "known.yaml", Fixed: []string{}, Changed: []string{}, Untested: []string{}, Expired: []string{}, WithoutReason: []int{14, 24, 36}}, again.Baseline)
	assert.Equal(t, verdict.Counts{verdict.KnownFailure: 3, verdict.Pass: 2}, again.Summary().Scenarios)
	assert.Equal(t, verdict.Counts{verdict.KnownFailure: 1}, again.Summary().Violations)
	assert.Equal(t, "in 1 of 2 attempts", again.Scenarios[2].Frequency())

	b.Apply(again, today)
	assert.Equal(t, verdict.NoNewFailures, again.Outcome(), "a second time")
}

// Fixed, changed and untested failures are listed separately.
func TestWhatBecameOfKnownFailures(t *testing.T) {
	t.Parallel()
	list := printed(t, sample())
	for _, c := range []struct {
		name   string
		change func(*verdict.Run)
		want   verdict.Outcome
		lists  verdict.Baseline
	}{
		{"it fails in another way", func(r *verdict.Run) { r.Scenarios[0].Finding.Got = "unchanged" },
			verdict.DoesNotConform, verdict.Baseline{Changed: []string{"cash-out.debit/Once"}}},
		{"another operation fails", func(r *verdict.Run) { r.Scenarios[0].Exchanges[0].Operation = "refund" },
			verdict.DoesNotConform, verdict.Baseline{Changed: []string{"cash-out.debit/Once"}}},
		{"another scenario fails", func(r *verdict.Run) {
			r.Scenarios[5] = failure("cash-out.debit", "Never", "available to fall by R$ 1.00", "unchanged")
		},
			verdict.DoesNotConform, verdict.Baseline{}},
		{"it comes and goes in another scenario", func(r *verdict.Run) {
			r.Scenarios[5] = failure("cash-out.debit", "Never", "available to fall by R$ 1.00", "unchanged")
			r.Scenarios[5].Attempts = []verdict.Attempt{{Verdict: verdict.Pass}, {Verdict: verdict.Fail}}
		},
			verdict.NoNewFailures, verdict.Baseline{}},
		{"it is found in passing in other words", func(r *verdict.Run) { r.Scenarios[3].Finding.Got = "201 without externalId" },
			verdict.DoesNotConform, verdict.Baseline{Changed: []string{"contract.cash-out (line 36, found by cash-out.debit/Once)"}}},
		{"another scenario is debited three times", func(r *verdict.Run) { r.Scenarios[1].Finding.Got = "fell by R$ 45.00" },
			verdict.DoesNotConform, verdict.Baseline{Changed: []string{"cash-out.debit/Twice"}}},
		{"it is debited three times", func(r *verdict.Run) { r.Scenarios[0].Finding.Got = "fell by R$ 30.00" },
			verdict.DoesNotConform, verdict.Baseline{Changed: []string{"cash-out.debit/Once"}}},
		{"it is fixed", func(r *verdict.Run) {
			r.Scenarios[0] = verdict.Scenario{Rule: "cash-out.debit", Name: "Once", Verdict: verdict.Warning}
		},
			verdict.Outdated, verdict.Baseline{Fixed: []string{"cash-out.debit/Once"}}},
		{"it passes now and then", func(r *verdict.Run) {
			r.Scenarios[2] = verdict.Scenario{Rule: "cash-out.debit", Name: "Now and then", Verdict: verdict.Pass}
		},
			verdict.NoNewFailures, verdict.Baseline{}},
		{"it is not selected", func(r *verdict.Run) { r.Scenarios = r.Scenarios[1:] },
			verdict.NoNewFailures, verdict.Baseline{Untested: []string{"cash-out.debit/Once"}}},
		{"it could not be tested", func(r *verdict.Run) { r.Scenarios[0].Verdict = verdict.CouldNotTest },
			verdict.Incomplete, verdict.Baseline{Untested: []string{"cash-out.debit/Once"}}},
		{"the contract is kept", func(r *verdict.Run) { r.Scenarios = append(r.Scenarios[:3], r.Scenarios[4:]...) },
			verdict.Outdated, verdict.Baseline{Fixed: []string{"contract.cash-out (line 36, found by cash-out.debit/Once)"}}},
		{"who found a breach could not be tested", func(r *verdict.Run) {
			r.Scenarios = append(r.Scenarios[:3], r.Scenarios[4:]...)
			r.Scenarios[0].Verdict = verdict.SuiteError
		}, verdict.Incomplete, verdict.Baseline{Untested: []string{"cash-out.debit/Once", "contract.cash-out (line 36, found by cash-out.debit/Once)"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			run := sample()
			c.change(run)
			parsed(t, list).Apply(run, today)
			assert.Equal(t, c.want, run.Outcome())
			assert.ElementsMatch(t, c.lists.Fixed, run.Baseline.Fixed)
			assert.ElementsMatch(t, c.lists.Changed, run.Baseline.Changed)
			assert.ElementsMatch(t, c.lists.Untested, run.Baseline.Untested)
		})
	}
}

// A violation of the contract is known by its rule and signature, whichever scenario finds it. It is
// fixed only if a complete run does not have it.
func TestKnownViolations(t *testing.T) {
	t.Parallel()
	const rule, own = "contract.cash-out", "Accepted and rejected"
	violation := func(name, via string) verdict.Scenario {
		s := failure(rule, name, "a response that matches openapi.yaml", "201 with: status must be PENDING")
		s.Via = via
		return s
	}
	passing := func(id string) verdict.Scenario {
		rule, name, _ := strings.Cut(id, "/")
		return verdict.Scenario{Rule: rule, Name: name, Verdict: verdict.Pass}
	}
	changed := failure(rule, own, "a response that matches openapi.yaml", "400 with: code is required")
	none, shard := verdict.Baseline{}, verdict.Shard{Index: 1, Of: 2}
	ownUntested, byUntested := verdict.Baseline{Untested: []string{rule + "/" + own}}, verdict.Baseline{Untested: []string{rule + " (line 14, found by a.b/A)"}}
	ownFixed, byFixed := verdict.Baseline{Fixed: ownUntested.Untested}, verdict.Baseline{Fixed: byUntested.Untested}
	byOwn, byOther := violation(own, ""), violation("201 with: status must be PENDING", "a.b/A")
	for _, c := range []struct {
		name   string
		listed verdict.Scenario
		run    verdict.Run
		want   verdict.Verdict // of the first scenario
		lists  verdict.Baseline
	}{
		{"another scenario finds it", byOwn, verdict.Run{Settings: verdict.Settings{Shard: shard}, Scenarios: []verdict.Scenario{violation("x", "c.d/C"), passing("c.d/C")}}, verdict.KnownFailure, none},
		{"another than the last time finds it", byOther, verdict.Run{Scenarios: []verdict.Scenario{violation("x", "c.d/C"), passing("a.b/A")}}, verdict.KnownFailure, none},
		{"the rule's scenario finds it", byOther, verdict.Run{Scenarios: []verdict.Scenario{byOwn, passing("a.b/A")}}, verdict.KnownFailure, none},
		{"another scenario of the rule finds it", byOwn, verdict.Run{Scenarios: []verdict.Scenario{violation("Resent", ""), passing(rule + "/" + own)}}, verdict.KnownFailure, none},
		{"it occurs elsewhere while its scenario fails for something else", byOwn, verdict.Run{Scenarios: []verdict.Scenario{changed, violation("x", "c.d/C")}}, verdict.Fail, none},
		{"its scenario fails for something else", byOwn, verdict.Run{Scenarios: []verdict.Scenario{changed}}, verdict.Fail, ownFixed},
		{"a shard does not have it", byOwn, verdict.Run{Settings: verdict.Settings{Shard: shard}, Scenarios: []verdict.Scenario{passing(rule + "/" + own)}}, verdict.Pass, ownUntested},
		{"a shard whose scenario found it does not have it", byOther, verdict.Run{Settings: verdict.Settings{Shard: shard}, Scenarios: []verdict.Scenario{passing("a.b/A")}}, verdict.Pass, byUntested},
		{"a selection does not have it", byOther, verdict.Run{Settings: verdict.Settings{Selection: "a.b"}, Scenarios: []verdict.Scenario{passing("a.b/A")}}, verdict.Pass, byUntested},
		{"a shard is missing", byOther, verdict.Run{Lacks: []verdict.Shard{shard}, Scenarios: []verdict.Scenario{passing("a.b/A")}}, verdict.Pass, byUntested},
		{"a run that ended early does not have it", byOwn, verdict.Run{Ended: &verdict.Ended{Decided: true}, Scenarios: []verdict.Scenario{passing(rule + "/" + own)}}, verdict.Pass, ownUntested},
		{"a complete run does not have it", byOwn, verdict.Run{Scenarios: []verdict.Scenario{passing(rule + "/" + own)}}, verdict.Pass, ownFixed},
		{"a complete run does not have it elsewhere", byOther, verdict.Run{Scenarios: []verdict.Scenario{passing("a.b/A")}}, verdict.Pass, byFixed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := parsed(t, strings.Replace(printed(t, &verdict.Run{Scenarios: []verdict.Scenario{c.listed}}), `reason: ""`, "reason: settles at once", 1))
			b.Apply(&c.run, today)
			assert.Equal(t, c.want, c.run.Scenarios[0].Verdict)
			assert.ElementsMatch(t, c.lists.Fixed, c.run.Baseline.Fixed)
			assert.ElementsMatch(t, c.lists.Changed, c.run.Baseline.Changed)
			assert.ElementsMatch(t, c.lists.Untested, c.run.Baseline.Untested)
			if c.want == verdict.KnownFailure {
				assert.Contains(t, printed(t, &c.run), "reason: settles at once", "it is kept")
			}
		})
	}
}

// A gateway that follows two readings of an open point fails under the first rule that observes the
// point, which may be another one in a shard.
func TestKnownMisfits(t *testing.T) {
	t.Parallel()
	points := []verdict.OpenPoint{{Name: "zone", Readings: []string{"UTC", "São Paulo"}}, {Name: "case", Readings: []string{"UTC", "São Paulo"}}}
	misfits := func(point string, rules ...string) []verdict.Scenario {
		var all []verdict.Scenario
		for i, rule := range rules {
			all = append(all, verdict.Scenario{Rule: rule, Name: "A", Verdict: verdict.Pass, Observations: []verdict.Observed{{Point: point, Fits: points[0].Readings[i%2:][:1]}}})
		}
		return verdict.Misfits(points, all)
	}
	b := parsed(t, printed(t, &verdict.Run{Scenarios: misfits("zone", "a.b", "c.d", "e.f")}))
	for want, found := range map[verdict.Verdict][]verdict.Scenario{
		verdict.KnownFailure: misfits("zone", "c.d", "e.f"),
		verdict.Fail:         misfits("case", "a.b", "c.d"),
	} {
		run := &verdict.Run{Settings: verdict.Settings{Shard: verdict.Shard{Index: 1, Of: 2}}, Scenarios: found}
		b.Apply(run, today)
		assert.Equal(t, want, run.Scenarios[0].Verdict)
		assert.Empty(t, run.Baseline.Fixed)
	}
}

// What a known failure keeps from being tested does not make a run incomplete. It stays visible.
func TestWhatAKnownFailureBlocks(t *testing.T) {
	t.Parallel()
	begin := func() *verdict.Run {
		blocked := failure("cash-out.list", "Later", "the payment to be listed", "0 times")
		blocked.Verdict, blocked.ExchangeCount, blocked.Finding.Hint = verdict.CouldNotTest, 3, verdict.Precondition
		run := sample()
		run.Scenarios = append(run.Scenarios, blocked)
		return run
	}
	list := printed(t, begin())
	for name, c := range map[string]struct {
		change func(*verdict.Scenario)
		want   verdict.Outcome
	}{
		"as before":          {func(*verdict.Scenario) {}, verdict.NoNewFailures},
		"for another reason": {func(s *verdict.Scenario) { s.Finding.Got = "503" }, verdict.Incomplete},
		"without a control":  {func(s *verdict.Scenario) { s.Missing = []string{"clock"} }, verdict.Incomplete},
		"its own fault":      {func(s *verdict.Scenario) { s.Finding.Hint = "" }, verdict.Incomplete},
		"it was not begun":   {func(s *verdict.Scenario) { s.ExchangeCount = 0 }, verdict.Incomplete},
		"it fails":           {func(s *verdict.Scenario) { s.Verdict, s.Finding.Got = verdict.Fail, "twice" }, verdict.DoesNotConform},
		"it passes":          {func(s *verdict.Scenario) { s.Verdict = verdict.Pass }, verdict.Outdated},
	} {
		run := begin()
		c.change(&run.Scenarios[6])
		parsed(t, list).Apply(run, today)
		assert.Equal(t, c.want, run.Outcome(), name)
		if c.want == verdict.NoNewFailures {
			assert.Equal(t, 1, run.Summary().Rules[verdict.CouldNotTest], "it is not counted as tested")
			assert.Equal(t, list, printed(t, run))
		}
	}
	run := begin()
	run.Ended = &verdict.Ended{}
	assert.NotContains(t, printed(t, run), "cash-out.list", "another run may test it")
}

// What fails in one run only comes and goes.
func TestABaselineOfSeveralRuns(t *testing.T) {
	t.Parallel()
	first, second := sample(), sample()
	first.Scenarios[0] = verdict.Scenario{Rule: "cash-out.debit", Name: "Once", Verdict: verdict.Pass}
	second.ID = "cd34"
	second.Scenarios[5] = failure("cash-out.debit", "Never", "one event", "none")
	var out strings.Builder
	require.NoError(t, Write(&out, first, second))
	assert.Contains(t, out.String(), "# from the run ab12 of 2026-11-20\n# and the run cd34 of 2026-11-20, pixcert v1.2.3.\n")
	b := parsed(t, out.String())
	intermittent := map[string]bool{}
	for _, e := range b.entries {
		for _, name := range e.Scenarios {
			assert.NotContains(t, intermittent, name)
			intermittent[name] = e.Intermittent
		}
	}
	assert.Equal(t, map[string]bool{"Once": true, "Twice": false, "Now and then": true, "Never": true}, intermittent)
	for _, run := range []*verdict.Run{first, second} {
		b.Apply(run, today)
		assert.Equal(t, verdict.NoNewFailures, run.Outcome())
	}
}

// Reports of one gateway may differ in what a scenario found in passing, or in what could be tested.
func TestWhatDiffersBetweenReports(t *testing.T) {
	t.Parallel()
	first, second := sample(), sample()
	second.Scenarios = slices.DeleteFunc(second.Scenarios, func(s verdict.Scenario) bool { return s.Via != "" })
	first.Scenarios[5].Verdict, first.Scenarios[5].ExchangeCount = verdict.CouldNotTest, 3
	first.Scenarios[5].Finding = &verdict.Finding{Expected: "one event", Got: "none", Hint: verdict.Precondition}
	var out strings.Builder
	require.NoError(t, Write(&out, first, second))
	for _, run := range []*verdict.Run{first, second} {
		parsed(t, out.String()).Apply(run, today)
		assert.Equal(t, verdict.NoNewFailures, run.Outcome())
	}
	cut := sample()
	cut.Scenarios, cut.Ended = first.Scenarios[5:6], &verdict.Ended{}
	out.Reset()
	require.NoError(t, Write(&out, second, cut))
	assert.NotContains(t, out.String(), "got: none", "what was cut off")
}

// A baseline that is written anew keeps what it says of failures that come and go.
func TestKnownFailuresThatComeAndGoStayMarked(t *testing.T) {
	t.Parallel()
	run := sample()
	list := printed(t, run)
	run.Scenarios[2].Attempts = nil // a known failure is not repeated
	parsed(t, list).Apply(run, today)
	assert.Equal(t, list, printed(t, run))
}

// What is found in passing need not show each time: it is not fixed while its rule fails.
func TestAViolationInPassingOfARuleThatFails(t *testing.T) {
	t.Parallel()
	inPassing := failure("cash-out.debit", "In passing", "no debit", "two")
	inPassing.Via = "contract.cash-out/Accepted"
	before, now := sample(), sample()
	before.Scenarios = append(before.Scenarios, inPassing)
	parsed(t, printed(t, before)).Apply(now, today)
	assert.Equal(t, verdict.NoNewFailures, now.Outcome())
}

func TestExpired(t *testing.T) {
	t.Parallel()
	list := strings.Replace(printed(t, sample()), "reason: \"\"\n    owner: \"\"\n    expires: \"\"", "reason: no limits\n    owner: ana\n    expires: \"2026-11-22\"", 1)
	run := sample()
	b := parsed(t, list)
	b.Apply(run, "2026-11-22")
	assert.Equal(t, verdict.NoNewFailures, run.Outcome(), "on the last day")
	assert.Equal(t, "no limits (ana, until 2026-11-22)", run.Scenarios[2].Known.String())
	assert.Equal(t, list, printed(t, run), "what is known is kept")

	for range 2 {
		b.Apply(run, "2026-11-23")
		assert.Equal(t, verdict.DoesNotConform, run.Outcome())
		assert.Equal(t, []string{"cash-out.debit/Now and then (line 14: no limits (ana, until 2026-11-22))"}, run.Baseline.Expired)
		assert.Equal(t, "a known failure, whose entry at known.yaml:14 has expired: no limits (ana, until 2026-11-22)", run.Scenarios[2].Finding.Hint)
		assert.Empty(t, run.Baseline.Changed)
	}
	another := run.Scenarios[2]
	another.Via = "cash-out.debit/Twice" // found in passing, too
	run.Scenarios = append(run.Scenarios, another)
	b.Apply(run, "2026-11-23")
	assert.Equal(t, []string{"cash-out.debit/Now and then and 1 more (line 14: no limits (ana, until 2026-11-22))"}, run.Baseline.Expired, "an entry is listed once")
}

func TestABaselineThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"":                                     "known.yaml: expected a list of failures, got an empty file",
		"failures: [":                          "known.yaml: expected YAML",
		"- a":                                  "known.yaml:1: expected the file to have fields",
		"failures: {}":                         "known.yaml:1: failures: expected a list",
		"fialures: []":                         "known.yaml:1: fialures: unknown field; did you mean failures?",
		"failures: []\nfailures: []":           "known.yaml:2: failures: duplicate field",
		"failures:\n- scenarios: [a]":          "known.yaml:2: rule: expected the name of a rule",
		"failures:\n- rule: a.b":               "known.yaml:2: scenarios: expected the names",
		"failures:\n- text":                    "known.yaml:2: expected an entry to have fields",
		"failures:\n- rule: [a]":               "known.yaml:2: rule: expected a string",
		"failures:\n- {rule: a, scenarios: a}": "known.yaml:2: scenarios: expected a list",
		"failures:\n- {rule: a, scenarios: [a], foundBy: [b/c]}":                "known.yaml:2: expected scenarios or foundBy, got both",
		"failures:\n- rule: a\n  scenarios: [a]\n  intermittent: perhaps":       "known.yaml:4: intermittent: expected true or false, got perhaps",
		"failures:\n- rule: a\n  scenarios: [a]\n  expires: next week":          "known.yaml:4: expires: expected a date such as 2026-12-31, got next week",
		"failures:\n- rule: a\n  scenarios: [a]\n  expires: 2026-12-31\n  x: 1": "known.yaml:5: x: unknown field; pixcert baseline prints all fields",
		"failures:\n- Rule: a\n  scenarios: [a]":                                "known.yaml:2: Rule: unknown field; did you mean rule?",
	} {
		_, err := Parse("known.yaml", []byte(content))
		require.ErrorContains(t, err, want, content)
		assert.NotContains(t, err.Error(), "\n", "one mistake is one error")
	}
	b := parsed(t, "failures:\n- rule: a\n  scenarios: [old, b]\n  expires: ~\n- rule: c\n  foundBy: [a/old]\n- rule: payments\n  scenarios: [b]\n- rule: ab\n  scenarios: [b]")
	err := b.Check(map[string]map[string]bool{"a": {"b": true}})
	require.EqualError(t, err, `known.yaml:2: the rule a has no scenario "old" in this version of pixcert: remove it, or add --features if the rule is your own
known.yaml:5: foundBy: the rule a has no scenario "old" in this version of pixcert: remove it, or add --features if the rule is your own
known.yaml:7: there is no rule payments in this version of pixcert: remove it, or add --features if the rule is your own
known.yaml:9: there is no rule ab in this version of pixcert; did you mean a? If not, remove it, or add --features if the rule is your own`)
}
