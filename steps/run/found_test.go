package run

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/verdict"
)

const finding = `Feature: Found
  @found.one @found
  Rule: R

    Scenario: S
      Given an account
      When the account sends a balance request
      Then the request is accepted
`

// A finding runs ten times even if it passes. What failed before the run counts, too, also when the run is
// judged again.
func TestFindingsRunTenTimes(t *testing.T) {
	t.Parallel()
	own := catalogue.Own{Directory: "found", Sources: []catalogue.Source{{File: "found/one.feature", Text: finding}}}
	failed := func(rule, name, via string) verdict.Scenario {
		return verdict.Scenario{
			Rule: rule, Name: name, Via: via, Verdict: verdict.Fail, Started: time.Now().Add(-time.Minute),
			Finding: &verdict.Finding{Expected: "a", Got: "b", Exchange: -1},
		}
	}
	earlier := failed("found.one", "S", "")
	earlier.Steps = []verdict.Step{{Keyword: "Given", Text: "an account", Verdict: verdict.Fail}}
	for _, c := range []struct {
		name      string
		earlier   []verdict.Scenario
		attempts  int
		frequency map[string]string // of failures, by rule
	}{
		{"passes", nil, 10, map[string]string{}},
		{"failed before", []verdict.Scenario{earlier}, 9, map[string]string{"found.one": "in 1 of 10 attempts"}},
		{"broke the contract before", []verdict.Scenario{failed("contract.balances", "b", "found.one/S")}, 10, map[string]string{"contract.balances": "in 1 of 11 attempts"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			evidence := &Evidence{}
			result, err := Certify(t.Context(), Options{Target: fake.New(t).Profile(), Own: own, Rules: []string{"found.one"}, Elsewhere: []string{"contract.balances"}, Earlier: c.earlier, Evidence: evidence})
			require.NoError(t, err)
			require.Len(t, ofScenarios(evidence), c.attempts)
			frequency := map[string]string{}
			for _, s := range result.Scenarios {
				if s.Verdict == verdict.Fail {
					frequency[s.Rule] = s.Frequency()
				}
			}
			assert.Equal(t, c.frequency, frequency)
			assert.Equal(t, 1, result.Summary().Found.Total())
			assert.Equal(t, verdicts(result), verdicts(judgedAgain(t, evidence, &exchange.Redactor{})))
		})
	}
}
