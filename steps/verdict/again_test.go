package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

// repeatable is a run to be repeated in parts: "a.b/one" has also found a violation of a rule of another
// shard and of "contract.b".
func repeatable() *Run {
	return &Run{Scenarios: []Scenario{
		{Rule: "a.b", Name: "One", Verdict: Fail},
		{Rule: "a.b", Name: "Other", Verdict: Pass},
		{Rule: "a.c", Name: "One", Verdict: Fail},
		{Rule: "contract.b", Name: "Answers", Verdict: Pass},
		{Rule: "contract.b", Name: "201 with", Via: "a.b/One", Verdict: Fail},
		{Rule: "contract.c", Name: "404 with", Via: "set-up/pixcert.lag", Verdict: Fail},
		{Rule: "d.e", Name: "Not run", Verdict: NotRun},
		{Rule: "d.e", Name: "Cut off", Verdict: CouldNotTest, ExchangeCount: 2},
		{Rule: "d.e", Name: "Never began", Verdict: CouldNotTest},
		{Rule: "d.e", Name: "No clock", Verdict: CouldNotTest, ExchangeCount: 2, Missing: []string{"clock"}},
	}}
}

func TestFind(t *testing.T) {
	t.Parallel()
	run := repeatable()
	for id, want := range map[string]string{
		"a.b/one": "a.b/One", "a.b/oth": "a.b/Other", "a.b": "a.b/One", "@a.b/other": "a.b/Other", "contract.b/a": "contract.b/Answers",
	} {
		found, err := run.Find(id)
		require.NoError(t, err, id)
		assert.Equal(t, want, found.ID(), id)
	}
	for id, says := range map[string]string{
		"a":   `"a" matches several failed scenarios: choose one of a.b/one, a.c/one`,
		"d.e": `"d.e" matches several scenarios: choose one of d.e/not-run, d.e/cut-off, d.e/never-began, d.e/no-clock`,
		"x":   `the report has no scenario "x"; failed scenarios: a.b/one, a.c/one, contract.b/201-with, contract.c/404-with`,
	} {
		_, err := run.Find(id)
		require.EqualError(t, err, says, id)
	}
	_, err := (&Run{}).Find("x")
	require.EqualError(t, err, `the report has no scenario "x" and no failed scenarios`)
	run.Scenarios[0].Verdict = KnownFailure
	_, err = run.Find("x")
	require.EqualError(t, err, `the report has no scenario "x"; failed scenarios: a.c/one, contract.b/201-with, contract.c/404-with; known failures: a.b/one`)
	_, err = run.Find("d.e/not-rum")
	require.ErrorContains(t, err, `the report has no scenario "d.e/not-rum"; did you mean d.e/not-run?; failed scenarios: `)
	many := &Run{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		many.Scenarios = append(many.Scenarios, Scenario{Rule: "a.b", Name: name, Verdict: Fail})
	}
	_, err = many.Find("a.b")
	require.ErrorContains(t, err, "a.b/g, a.b/h and 2 more")
}

func TestRerun(t *testing.T) {
	t.Parallel()
	run := repeatable()
	assert.Equal(t, []string{"a.b/One", "a.c/One", "contract.b/Answers"}, run.Rerun(run.Failed()), "a breach by its scenario and its rule's own, each once")
	assert.Equal(t, []string{"contract.c"}, run.Elsewhere(run.Failed()))
}

func TestWhatIsContinued(t *testing.T) {
	t.Parallel()
	run := repeatable()
	names := func() (all []string) {
		for _, s := range run.Unfinished() {
			all = append(all, s.ID())
		}
		return all
	}
	assert.Equal(t, []string{"a.b/One", "a.c/One", "contract.b/201 with", "contract.c/404 with", "d.e/Not run", "d.e/Cut off"}, names())
}

func TestPhrases(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"fee is rounded (ana, until 2026-12-31)":      Known{"fee is rounded", "ana", "2026-12-31", false}.String(),
		"no reason given (until 2026-12-31)":          Known{Expires: "2026-12-31"}.String(),
		"no reason given":                             Known{}.String(),
		"1 walk, 20 requests, 146 of 147 transitions": Explored{1, 20, 146, 147}.String(),
		"2/4":                        Shard{2, 4}.String(),
		"":                           Shard{}.String(),
		"7":                          (&Run{Settings: Settings{Seed: 7}}).Order(),
		"7, 8":                       (&Run{Settings: Settings{Seed: 1, Seeds: []int64{7, 8}}}).Order(),
		"The balance covers the fee": (&Run{Rules: []Rule{{Name: "a.b", Title: "The balance covers the fee"}}}).Title("a.b"),
		"check the fee; a warning, which fails the rule with --strict": Scenario{Verdict: Warning, Warnings: []Finding{{Hint: "check the fee", Exchange: 2}}}.Strictly().Finding.Hint,
	} {
		assert.Equal(t, want, got)
	}
	assert.Empty(t, (&Run{}).Title("a.b"))
}

func TestStrictly(t *testing.T) {
	t.Parallel()
	warned := Scenario{Verdict: Warning, Warnings: []Finding{{Got: "first", Exchange: 0}, {Got: "second", Exchange: 1}}, Exchanges: make([]exchange.Exchange, 2)}
	strict := warned.Strictly()
	assert.Equal(t, Fail, strict.Verdict)
	assert.Equal(t, "first", strict.Finding.Got)
	assert.Empty(t, warned.Warnings[0].Hint, "the warning itself stays")
	passed := Scenario{Verdict: Pass, Warnings: warned.Warnings}
	assert.Equal(t, passed, passed.Strictly())
}
