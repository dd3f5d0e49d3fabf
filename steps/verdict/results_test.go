package verdict

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestARuleGetsTheMostSevereVerdict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		scenarios []Verdict
		want      Verdict
	}{
		{nil, CouldNotTest},
		{[]Verdict{Pass, Pass}, Pass},
		{[]Verdict{NotApplicable}, NotApplicable},
		{[]Verdict{NotApplicable, Pass}, Pass},
		{[]Verdict{Pass, Warning}, Warning},
		{[]Verdict{Warning, CouldNotTest, Pass}, CouldNotTest},
		{[]Verdict{Warning, CouldNotTest, NotRun}, NotRun},
		{[]Verdict{CouldNotTest, SuiteError}, SuiteError},
		{[]Verdict{SuiteError, Fail, Pass}, Fail},
		{[]Verdict{Pass, "no such verdict"}, SuiteError},
		{[]Verdict{Pass, ""}, SuiteError},
	} {
		assert.Equal(t, c.want, runOf(c.scenarios).Results()[0].Verdict, "%v", c.scenarios)
	}
}

// accepting has a baseline that says why the scenarios could not be tested.
func accepting(r *Run) *Run {
	for i := range r.Scenarios {
		if r.Scenarios[i].Verdict == CouldNotTest {
			r.Scenarios[i].Known = &Known{}
		}
	}
	return r
}

func TestOutcome(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		run  *Run
		want Outcome
		exit int
	}{
		"all pass":                      {runOf([]Verdict{Pass}, []Verdict{Pass, Pass}), Conforms, 0},
		"warnings change nothing":       {runOf([]Verdict{Pass}, []Verdict{Warning}), Conforms, 0},
		"what does not apply is fine":   {runOf([]Verdict{Pass}, []Verdict{NotApplicable}), Conforms, 0},
		"one failure":                   {runOf([]Verdict{Pass}, []Verdict{Pass, Fail}, []Verdict{CouldNotTest}), DoesNotConform, 1},
		"a failure beside a mistake":    {runOf([]Verdict{SuiteError}, []Verdict{Fail}), DoesNotConform, 1},
		"one could not be tested":       {runOf([]Verdict{Pass}, []Verdict{Pass, CouldNotTest}), Incomplete, 3},
		"a mistake of the suite":        {runOf([]Verdict{Pass}, []Verdict{SuiteError}), Incomplete, 3},
		"a rule of which nothing ran":   {runOf([]Verdict{Pass}, nil), Incomplete, 3},
		"no rule":                       {runOf(), Incomplete, 3},
		"nothing that applies":          {runOf([]Verdict{NotApplicable}), Incomplete, 3},
		"some did not run":              {runOf([]Verdict{Pass}, []Verdict{Pass, NotRun}), Incomplete, 3},
		"it ended early":                {ended(false, []Verdict{Pass}, []Verdict{NotRun}), EndedEarly, 2},
		"early, with a failure":         {ended(false, []Verdict{Fail}, []Verdict{NotRun}), EndedEarly, 2},
		"early, by the failure":         {ended(true, []Verdict{Fail}, []Verdict{NotRun}), DoesNotConform, 1},
		"early, by no failure":          {ended(true, []Verdict{Pass}, []Verdict{NotRun}), EndedEarly, 2},
		"only an own rule fails":        {withOwn(runOf([]Verdict{Pass}), Fail), OwnRulesFail, 1},
		"own rules alone":               {withOwn(runOf(), Pass), Conforms, 0},
		"own, and some not tested":      {withOwn(runOf([]Verdict{CouldNotTest}), Fail), OwnRulesFail, 1},
		"own not tested":                {withOwn(runOf([]Verdict{Pass}), CouldNotTest), Incomplete, 3},
		"a part, the rest accepted":     {accepting(runOf([]Verdict{Pass, CouldNotTest})), NoNewFailures, 0},
		"nothing, and all accepted":     {accepting(runOf([]Verdict{CouldNotTest})), Incomplete, 3},
		"a quick run":                   {quick(runOf([]Verdict{Pass})), NoneFound, 0},
		"quick, not all testable":       {quick(runOf([]Verdict{Pass}, []Verdict{CouldNotTest})), Incomplete, 3},
		"quick, with a failure":         {quick(runOf([]Verdict{Fail})), DoesNotConform, 1},
		"quick, nothing tested":         {quick(runOf()), Incomplete, 3},
		"quick, with a known failure":   {quick(runOf([]Verdict{KnownFailure})), NoNewFailures, 0},
		"own known to fail":             {withOwn(runOf([]Verdict{Pass}), KnownFailure), NoNewFailures, 0},
		"an own rule fails, too":        {withOwn(runOf([]Verdict{Fail}), Fail), DoesNotConform, 1},
		"early, by an own rule":         {withOwn(ended(true, []Verdict{NotRun}), Fail), OwnRulesFail, 1},
		"a scenario of an unlisted one": {&Run{Scenarios: []Scenario{{Rule: "x.y", Verdict: Fail}}}, DoesNotConform, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, c.run.Outcome())
			assert.Equal(t, c.exit, c.run.Outcome().ExitStatus())
		})
	}
}

// withOwn adds a rule of the user's to a run.
func withOwn(run *Run, v Verdict) *Run {
	run.Rules = append(run.Rules, Rule{Name: "mine.rule", Own: true})
	run.Scenarios = append(run.Scenarios, Scenario{Rule: "mine.rule", Name: "s", Verdict: v})
	return run
}

// quick makes a run a quick one.
func quick(run *Run) *Run {
	run.LeftOut = &LeftOut{Scenarios: 9, Rules: []string{"area.left-out"}}
	return run
}

func TestAQuickRunSaysHowMuchItTested(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "tested: 2 of 4 rules", quick(runOf([]Verdict{Pass}, []Verdict{Warning}, []Verdict{NotApplicable})).Qualifier())
	assert.Equal(t, "tested: 1 of 3 rules", quick(runOf([]Verdict{Pass}, []Verdict{CouldNotTest})).Qualifier())
	assert.Empty(t, quick(runOf([]Verdict{Fail})).Qualifier())
	all := runOf([]Verdict{Pass})
	all.LeftOut = &LeftOut{}
	assert.Equal(t, NoneFound, all.Outcome(), "even if it got to everything")
}

// ended is a run that ended early.
func ended(decided bool, rules ...[]Verdict) *Run {
	run := runOf(rules...)
	run.Ended = &Ended{Reason: "interrupted", Decided: decided}
	return run
}

func TestResultsDoNotDependOnTheOrderOfTheRun(t *testing.T) {
	t.Parallel()
	run, shuffled := sampleRun(), sampleRun()
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled.Scenarios), func(i, j int) {
		shuffled.Scenarios[i], shuffled.Scenarios[j] = shuffled.Scenarios[j], shuffled.Scenarios[i]
	})
	assert.Equal(t, run.Results(), shuffled.Results())
	assert.Equal(t, run.Observations(), shuffled.Observations())
}

func TestSummary(t *testing.T) {
	t.Parallel()
	summary := sampleRun().Summary()
	assert.Equal(t, Counts{Fail: 2, SuiteError: 1, CouldNotTest: 4, Warning: 1, Pass: 3, NotApplicable: 1}, summary.Rules)
	assert.Equal(t, 14, summary.Scenarios.Total())
	assert.Equal(t, "6 pass, 1 warning, 2 fail, 1 suite error, 3 could not test, 1 not applicable",
		Counts{Pass: 6, Warning: 1, Fail: 2, SuiteError: 1, CouldNotTest: 3, NotApplicable: 1}.String())
	assert.Equal(t, "2 warnings, 1 known failure, 3 suite errors", Counts{Warning: 2, KnownFailure: 1, SuiteError: 3}.String())
	assert.Equal(t, "none", Counts{}.String())
	assert.Empty(t, summary.Passing())

	run := sampleRun()
	run.Scenarios = append(run.Scenarios, Scenario{Rule: "balances.shape", Name: "201 with", Via: "balances.total/After a payment", Verdict: Fail})
	summary = run.Summary()
	assert.Equal(t, 3, summary.Rules[Fail], "its rule fails")
	assert.Equal(t, 14, summary.Scenarios.Total(), "a violation is no scenario")
	assert.Equal(t, Counts{Fail: 1}, summary.Violations)
	for want, counts := range map[string]Counts{
		"1 violation": {Fail: 1}, "2 known violations": {KnownFailure: 2}, "3 violations, 1 of them known": {Fail: 2, KnownFailure: 1},
	} {
		assert.Equal(t, want, Summary{Violations: counts}.Passing())
	}

	for want, run := range map[string]*Run{
		"No rule was tested.":                                        runOf(),
		"The only rule passes.":                                      runOf([]Verdict{Pass}),
		"All 2 rules pass.":                                          runOf([]Verdict{Pass}, []Verdict{Pass}),
		"1 of 2 rules fails. 1 passes.":                              runOf([]Verdict{Pass}, []Verdict{Fail}),
		"1 of 2 rules did not run completely. 1 passes.":             runOf([]Verdict{Pass}, []Verdict{Pass, NotRun}),
		"2 of 3 rules could not be tested. 1 passes with a warning.": runOf(nil, nil, []Verdict{Warning}),

		"Your own rules: The only rule passes.":                withOwn(runOf(), Pass),
		"All 2 rules pass. Your own rules: 1 of 1 rule fails.": withOwn(runOf([]Verdict{Pass}, []Verdict{Pass}), Fail),
	} {
		assert.Equal(t, want, run.Summary().String())
	}
}

func TestMissingControls(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	run.Controls = []string{"clock"} // it does not work
	assert.Equal(t, []Missing{
		{"limits", false, []Rule{{Name: "cash-out.night-limit"}, {Name: "cash-out.daily-limit"}}},
		{"clock", true, []Rule{{Name: "cash-out.night-limit"}}},
	}, run.MissingControls())
}

func TestObservations(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	run.Scenarios = append(run.Scenarios, Scenario{Rule: "a.b", Name: "c", Verdict: Pass,
		Observations: []Observed{{Point: "cash-out-dated", Value: "with none"}, {Point: "cash-out-dated", Value: "with none"}}})
	got := run.Observations()
	assert.Equal(t, []Observation{
		{run.OpenPoints[0], false, []Seen{}},
		{run.OpenPoints[1], true, []Seen{
			{"with three digits", []string{"cash-out.covers-fee/One cent short", "cash-out.duplicate-external-id/Sixteen at the same time"}},
			{"with none", []string{"a.b/c"}},
		}},
		{run.OpenPoints[2], false, []Seen{}},
		{OpenPoint{Name: "unlisted", Question: "unlisted"}, false, []Seen{{"seen anyway", []string{"cash-out.duplicate-external-id/Sixteen at the same time"}}}},
	}, got)

	for varies, fits := range map[bool][2][]string{false: {{"in days", "in hours"}, {"in hours"}}, true: {{"in days"}, {"in hours"}}} {
		run := &Run{OpenPoints: []OpenPoint{{Name: "p"}}, Scenarios: []Scenario{
			{Rule: "a.b", Name: "1", Observations: []Observed{{Point: "p", Value: "200", Fits: fits[0]}}},
			{Rule: "a.b", Name: "2", Observations: []Observed{{Point: "p", Value: "400", Fits: fits[1]}}},
		}}
		assert.Equal(t, varies, run.Observations()[0].Varies, "what follows from one reading does not vary")
	}
}

// Each reason is listed once, with its rules, whatever the values in it.
func TestReasons(t *testing.T) {
	t.Parallel()
	untested := func(rule, name, got string, missing ...string) Scenario {
		return Scenario{Rule: rule, Name: name, Verdict: CouldNotTest, Missing: missing, Finding: &Finding{Got: got}}
	}
	run := &Run{Controls: []string{"med"}, Rules: []Rule{{Name: "a.a"}, {Name: "b.b"}, {Name: "c.c"}}, Scenarios: []Scenario{
		untested("a.a", "1", "the account has R$ 1.00"),
		untested("a.a", "2", "the control med does not work: 404", "med"),
		untested("b.b", "1", "the control med does not work: 404", "med"),
		untested("b.b", "2", "the control med does not work: 404", "med"),
		untested("c.c", "1", "the account has R$ 2.00"),
		untested("c.c", "2", "the control med does not work: 404", "med"),
		untested("c.c", "3", "the target does not offer them", "clock"),
		{Rule: "c.c", Name: "4", Verdict: CouldNotTest, Finding: &Finding{Got: "accepted"}, Known: &Known{}},
		{Rule: "c.c", Name: "5", Verdict: CouldNotTest, Finding: &Finding{Expected: "201", Got: "500", Hint: Precondition}},
		{Rule: "c.c", Name: "6", Verdict: Pass},
	}}
	assert.Equal(t, []Reason{
		{"the control med does not work: 404", []string{"a.a", "b.b", "c.c"}, 4},
		{"the account has R$ 1.00", []string{"a.a", "c.c"}, 2},
		{"expected 201, got 500", []string{"c.c"}, 1},
	}, run.Reasons())
}

// What fails only in some attempts is counted apart.
func TestFailuresInSomeAttempts(t *testing.T) {
	t.Parallel()
	run := runOf([]Verdict{Fail, Pass}, []Verdict{Fail, Fail}, []Verdict{Pass})
	flaky := []Attempt{{Verdict: Fail}, {Verdict: Pass}, {Verdict: Pass}, {Verdict: Pass}}
	run.Scenarios[0].Attempts, run.Scenarios[2].Attempts = flaky, flaky
	summary := run.Summary()
	assert.Equal(t, Sometimes{Rules: 1, Scenarios: 2}, summary.Sometimes)
	assert.Equal(t, "2 of 3 rules fail, 1 of them only in some attempts. 1 passes.", summary.String())
	assert.Equal(t, "2 pass, 3 fail (2 of them only in some attempts)", summary.Tally())
	run.Scenarios[3].Attempts = flaky
	assert.Equal(t, "2 of 3 rules fail, only in some attempts. 1 passes.", run.Summary().String())
	assert.Equal(t, "2 pass, 3 fail (only in some attempts)", run.Summary().Tally())
	assert.Equal(t, "1 pass, 1 fail", runOf([]Verdict{Pass, Fail}).Summary().Tally())
}
