package run_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/run"
	"github.com/pixcert/pixcert/load/internal/test/faulty"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// limitsOf are the rules about limits, as found at a gateway. Each was asked about at least
// twice: the second question begins with what the first has paid.
func limitsOf(t *testing.T, c faulty.Config) map[string]result.Rule {
	t.Helper()
	c.Accounts = 1
	g, err := faulty.StartGateway(c)
	require.NoError(t, err)
	t.Cleanup(g.Close)
	r, n := against(t, &reftest.Target{URL: g.URL, ControlURL: g.ControlURL}, func(config *run.Config) {
		config.Rules, config.Webhooks, config.Fixed = 1, nil, g.Credentials()
	})
	require.NoError(t, r.Prepare(t.Context(), n))
	found := map[string]result.Rule{}
	require.Eventually(t, func() bool {
		assert.True(t, r.CashOut(t.Context(), call(r, n, 0), nil).Accepted())
		for _, rule := range r.Rules() {
			switch rule.Name {
			case "transaction limit", "daily limit", "night limit":
				if found[rule.Name] = rule; rule.Asked < 2 && rule.Missing == nil {
					return false
				}
			}
		}
		return true
	}, time.Minute, time.Millisecond)
	return found
}

// A gateway that breaks one limit is found to break only that one.
func TestLimitsUnderLoad(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault     faulty.LimitFault
		limit     string
		rule      string // that is broken
		says      string
		sometimes bool // not at each question
	}{
		"none": {fault: faulty.Keeps},

		"transaction ignored":    {faulty.Ignores, "perTransaction", "transaction limit", "a cash-out of 100.01, .* was accepted as transaction .*, expected 400 PIX_TRANSACTION_LIMIT_EXCEEDED: the limit is 100.00", false},
		"transaction restricted": {faulty.Restricts, "perTransaction", "transaction limit", "a cash-out of 99.99, .* was rejected with 400 PIX_TRANSACTION_LIMIT_EXCEEDED, expected 201", false},
		"transaction miscalled":  {faulty.Miscalls, "perTransaction", "transaction limit", "rejected with 400 PIX_INSUFFICIENT_BALANCE, expected 400 PIX_TRANSACTION_LIMIT_EXCEEDED", false},
		"transaction takes":      {faulty.Takes, "perTransaction", "transaction limit", "the available balance of the account with the transaction limit fell by 200.00, expected at most 99.99", false},

		"daily ignored":    {faulty.Ignores, "daily", "daily limit", "of 8 cash-outs of 40.00 at the same time, 8 were accepted, of which the daily limit allowed 2", false},
		"daily restricted": {faulty.Restricts, "daily", "daily limit", "a cash-out of 19.99, .* was rejected with 400 PIX_DAILY_LIMIT_EXCEEDED, expected 201", false},
		"daily miscalled":  {faulty.Miscalls, "daily", "daily limit", "rejected with 400 PIX_INSUFFICIENT_BALANCE, expected 400 PIX_DAILY_LIMIT_EXCEEDED", false},
		"daily takes":      {faulty.Takes, "daily", "daily limit", "the available balance of the account with the daily limit fell by 340.01, expected at most 99.99", false},
		"daily races":      {faulty.Races, "daily", "daily limit", "of 8 cash-outs of 40.00 at the same time, [3-5] were accepted, of which the daily limit allowed 2", true},

		"night ignored":    {faulty.Ignores, "night", "night limit", "a cash-out of 100.01, .* was accepted as transaction", false},
		"night restricted": {faulty.Restricts, "night", "night limit", "a cash-out of 99.99, .* was rejected with 400 PIX_NIGHT_LIMIT_EXCEEDED, expected 201", false},
		"night miscalled":  {faulty.Miscalls, "night", "night limit", "expected 400 PIX_NIGHT_LIMIT_EXCEEDED", false},
		"night takes":      {faulty.Takes, "night", "night limit", "the available balance of the account with the night limit fell by 200.00, expected at most 99.99", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for of, rule := range limitsOf(t, faulty.Config{LimitFault: c.fault, Limit: c.limit}) {
				switch {
				case of != c.rule:
					assert.Zero(t, rule.Broken, "%s: %v", of, rule.Examples)
				case assert.NotEmpty(t, rule.Examples):
					assert.Regexp(t, c.says, rule.Examples[0])
					if !c.sometimes {
						assert.Equal(t, rule.Asked, rule.Broken, "%s: %v", of, rule.Examples)
					}
				}
			}
		})
	}
}

// Without the controls, no question is asked, and the result says which are missing.
func TestLimitsWithoutControls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		controls []string
		missing  map[string][]string
	}{
		"all": {nil, map[string][]string{"transaction limit": nil, "daily limit": nil, "night limit": nil}},
		"no clock": {[]string{"accounts", "funds", "limits"}, map[string][]string{
			"transaction limit": nil, "daily limit": {"clock"}, "night limit": {"clock"}}},
		"no limits": {[]string{"accounts", "funds", "clock"}, map[string][]string{
			"transaction limit": {"limits"}, "daily limit": {"limits"}, "night limit": {"limits"}}},
		"only limits": {[]string{"limits"}, map[string][]string{
			"transaction limit": {"accounts", "funds"}, "daily limit": {"accounts", "funds", "clock"}, "night limit": {"accounts", "funds", "clock"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			missing := map[string][]string{}
			for of, rule := range limitsOf(t, faulty.Config{Controls: c.controls}) {
				missing[of] = rule.Missing
				assert.Equal(t, rule.Missing == nil, rule.Asked > 0, of)
				assert.Zero(t, rule.Broken, "%s: %v", of, rule.Examples)
			}
			assert.Equal(t, c.missing, missing)
		})
	}
}
