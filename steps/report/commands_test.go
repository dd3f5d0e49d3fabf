package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/verdict"
)

func TestRepeatCommand(t *testing.T) {
	t.Parallel()
	for want, run := range map[string]verdict.Run{
		`pixcert certify --seed 7 --concurrency 4`:                                                     {Subject: verdict.Subject{Target: "the bundled reference"}, Controls: []string{"clock"}},
		`pixcert certify --url http://gw:8080/v1 --seed 7 --concurrency 4`:                             {Subject: verdict.Subject{Arguments: []string{"--url", "http://gw:8080/v1"}}},
		`pixcert certify --url 'http://gw/?a&b' --control-url http://gw:9000 --seed 7 --concurrency 4`: {Controls: []string{"clock"}, Subject: verdict.Subject{Arguments: []string{"--url", "http://gw/?a&b", "--control-url", "http://gw:9000"}}},
		`pixcert certify 'acme sandbox.yaml' --seed 7 --concurrency 4`:                                 {Subject: verdict.Subject{Target: "https://sandbox.acme.example", Arguments: []string{"acme sandbox.yaml"}}},
		`pixcert certify --image acme/gateway:1.4 --seed 7 --concurrency 4`:                            {Subject: verdict.Subject{Target: "http://127.0.0.1:49153", Arguments: []string{"--image", "acme/gateway:1.4"}}},
		`pixcert certify --tags '@cash-out.* and not @it'\''s' --seed 7 --concurrency 4`:               {Settings: verdict.Settings{Selection: "@cash-out.* and not @it's"}},
		`pixcert certify --rule token.issued --rule balance.shape --seed 7 --concurrency 4`:            {Settings: verdict.Settings{Selection: "token.issued, balance.shape"}},
		`pixcert certify --baseline known.yaml --shard 2/4 --seed 7 --concurrency 4`:                   {Additions: verdict.Additions{Baseline: &verdict.Baseline{File: "known.yaml"}}, Settings: verdict.Settings{Shard: verdict.Shard{Index: 2, Of: 4}}},
		`pixcert certify --tags '@own' --features 'own rules' --seed 7 --concurrency 4`:                {Settings: verdict.Settings{Selection: "@own"}, Additions: verdict.Additions{Own: &verdict.Own{Directory: "own rules"}}},
		`pixcert certify --concurrency 4`:                                                              {Settings: verdict.Settings{Seeds: []int64{7, 8}}},
	} {
		run.Seed, run.Concurrency = 7, 4
		assert.Equal(t, want, RepeatCommand(&run))
	}
}

func TestReplayCommand(t *testing.T) {
	t.Parallel()
	s := verdict.Scenario{Rule: "token.issued", Name: "The answer"}
	assert.Equal(t, "pixcert replay token.issued/the-answer", ReplayCommand(s, ""))
	assert.Equal(t, "pixcert replay token.issued/the-answer --report 'my report'", ReplayCommand(s, "my report"))
}

// What the baseline does not list is named, so that nobody has to compare two reports.
func TestJUnitNamesWhatIsNewlyUntested(t *testing.T) {
	t.Parallel()
	run := &verdict.Run{
		Additions: verdict.Additions{Baseline: &verdict.Baseline{File: "known.yaml"}},
		Scenarios: []verdict.Scenario{
			{Rule: "a.a", Name: "1", Verdict: verdict.CouldNotTest, Missing: []string{"clock"}, Known: &verdict.Known{}},
			{Rule: "b.b", Name: "1", Verdict: verdict.CouldNotTest, Missing: []string{"clock", "limits"}},
		},
	}
	cases := reportJUnit(run, "report").Suites[0].Cases
	require.Len(t, cases, 1)
	assert.Equal(t, "could not be tested, and not in known.yaml: b.b (1 scenario): missing controls: clock, limits", cases[0].Error.Message)
	run.Baseline = nil
	assert.NotEqual(t, "The run", reportJUnit(run, "report").Suites[0].Name)
}
