package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A run judges exactly what the plan says, on targets and with profiles that lack much.
func TestARunJudgesWhatThePlanSays(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	none := target.Limit(nil)
	for name, c := range map[string]struct {
		accounts int
		hidden   []string
		change   func(*target.Profile)
	}{
		"one account, no controls": {1, []string{"all"}, func(p *target.Profile) {
			p.SandboxScenarios, p.Accounts[0].PixKey, p.Accounts[0].AccountID = nil, "", 0
		}},
		"one account, sandbox scenarios, stated fees and limits": {1, []string{"all"}, func(p *target.Profile) {
			p.Fees = target.Fees{CashOut: "0.00", CashIn: "0.00"}
			p.Limits = target.Limits{PerTransaction: &none, Daily: &none, Night: &none}
		}},
		"two accounts, no address for webhooks": {2, []string{"all"}, func(p *target.Profile) { p.Sink.Listen = "" }},
		"one account, some controls": {1, []string{"funds", "payments", "clock", "med", "faults"}, func(p *target.Profile) {
			p.Families = []target.Family{target.Public, target.Webhooks}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			profile := openSandbox(t, reference.Config{}, c.accounts, c.hidden...)
			c.change(&profile)
			forecast, err := run.Foresee(t.Context(), run.Options{Target: profile}, false)
			require.NoError(t, err)
			result, err := run.Certify(t.Context(), run.Options{Target: profile, Seed: 1})
			require.NoError(t, err)
			assert.Equal(t, forecast.Reach, result.Reach())
			type reach struct{ applicable, judged int }
			planned := map[string]reach{}
			for _, feature := range forecast.Features {
				for _, rule := range feature.Rules {
					planned[rule.Name] = reach{rule.Applicable, rule.Testable}
				}
			}
			for _, rule := range result.Results() {
				r := reach{}
				for _, s := range rule.Scenarios {
					if s.Via != "" || s.Verdict == verdict.NotApplicable {
						continue
					}
					r.applicable++
					if slices.Contains([]verdict.Verdict{verdict.Pass, verdict.Fail, verdict.Warning}, s.Verdict) {
						r.judged++
					} else if s.ExchangeCount > 0 {
						t.Logf("%s: %+v", s.ID(), s.Finding)
					}
				}
				assert.Equal(t, planned[rule.Name], r, rule.Name)
			}
		})
	}
}
