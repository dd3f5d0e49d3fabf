package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// controls are all controls of the protocol.
var controls = []target.Control{
	target.Accounts, target.Funds, target.FeesControl, target.LimitsControl, target.Clock, target.Certificates, target.Directory,
	target.Settlement, target.Payments, target.Charges, target.Refunds, target.Returns, target.Splits, target.MED, target.FaultsControl,
}

// What a target lacks is not tested, and fails no rule. The other scenarios of the rules concerned are
// judged.
func TestTargetsThatLackSomething(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	type lack struct {
		without []target.Control
		change  func(*target.Profile)
		more    string // what would unlock more
	}
	cases := map[string]lack{
		"all controls":                         {change: func(p *target.Profile) { p.Control = nil }, more: "the control clock"},
		"all but accounts, funds, and a table": {without: controls[2:], more: "the control clock"},
		"all but accounts and funds": {
			without: controls[2:], more: "all but accounts, funds, and a table",
			change: func(p *target.Profile) { p.SandboxScenarios = nil },
		},
		"fees, which the profile tells": {
			without: []target.Control{target.FeesControl},
			change:  func(p *target.Profile) { p.Fees = target.Fees{CashOut: "0.00", CashIn: "0.00"} },
		},
		"the control fees": {more: "fees, which the profile tells"},
		"the control settlement, and a table": {
			without: []target.Control{target.Settlement}, more: "the control settlement",
			change: func(p *target.Profile) { p.SandboxScenarios = nil },
		},
	}
	for _, control := range controls {
		c := cases["the control "+string(control)]
		c.without = []target.Control{control}
		cases["the control "+string(control)] = c
	}
	var mu sync.Mutex
	reached := map[string]verdict.Reach{}
	t.Run("lacking", func(t *testing.T) {
		for name, c := range cases {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				profile, stop, err := bundled(t.Context(), reference.Config{})
				require.NoError(t, err)
				defer stop()
				profile.Control.Without = c.without
				if c.change != nil {
					c.change(&profile)
				}
				forecast, err := run.Foresee(t.Context(), run.Options{Target: profile}, false)
				require.NoError(t, err)
				require.NotEmpty(t, forecast.Unlocks)
				mu.Lock()
				reached[name] = forecast.Reach
				mu.Unlock()
				result, err := run.Certify(t.Context(), run.Options{Target: profile, Seed: 1, Rules: touched(forecast)})
				require.NoError(t, err)
				for _, s := range result.Scenarios {
					require.NotContains(t, []verdict.Verdict{verdict.Fail, verdict.SuiteError}, s.Verdict, "%s: %+v", s.ID(), s.Finding)
					require.Equal(t, s.Verdict == verdict.CouldNotTest, len(s.Missing) > 0, "%s: %+v", s.ID(), s.Finding)
					for _, missing := range s.Missing {
						require.True(t, profile.Control == nil || slices.Contains(c.without, target.Control(missing)), "%s: %s is there", s.ID(), missing)
					}
				}
				require.Equal(t, 3, result.Outcome().ExitStatus(), result.Summary())
				require.Zero(t, result.Reach().Whole, "a rule that can be tested wholly was taken for one that cannot")
			})
		}
	})
	require.Zero(t, reached["all controls"].Whole, "every rule needs an account")
	for name, c := range cases {
		require.Less(t, reached[name].Whole, reached[name].Rules, name)
		if c.more != "" {
			require.Less(t, reached[name].Whole, reached[c.more].Whole, name)
		}
	}
}

// touched returns the rules that cannot be tested completely.
func touched(f *plan.Forecast) []string {
	var rules []string
	for _, feature := range f.Features {
		for _, rule := range feature.Rules {
			if rule.Testable < rule.Applicable {
				rules = append(rules, rule.Name)
			}
		}
	}
	return rules
}

// Fees and limits that the profile states replace the controls for them.
func TestFeesAndLimitsInTheProfile(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	profile, stop, err := bundled(t.Context(), reference.Config{WrapControls: func(next http.Handler) http.Handler {
		return givingEach(next, map[string]string{
			"fees":   `{"cashOut": "0.50", "cashIn": "0.25"}`,
			"limits": `{"perTransaction": "300.00", "daily": "500.00", "night": null}`,
		})
	}})
	require.NoError(t, err)
	defer stop()
	profile.Control.Without = []target.Control{target.FeesControl, target.LimitsControl}
	a, b := "300.00", "500.00"
	perTransaction, daily := &a, &b
	profile.Fees = target.Fees{CashOut: "0.50", CashIn: "0.25"}
	profile.Limits = target.Limits{PerTransaction: &perTransaction, Daily: &daily}
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Tags: "@cash-out or @qr-cash-out or @transfer or @balance or @money or @refund or @states", Seed: 1})
	require.NoError(t, err)
	passed := map[string]bool{}
	for _, s := range result.Scenarios {
		passed[s.ID()] = s.Verdict == verdict.Pass
		assert.NotContains(t, []verdict.Verdict{verdict.Fail, verdict.SuiteError}, s.Verdict, "%s: %+v", s.ID(), s.Finding)
		assert.Empty(t, s.Warnings, s.ID())
	}
	for _, id := range []string{
		"cash-out.own-limits/One centavo above the per-transaction limit",
		"cash-out.own-limits/One centavo above the daily limit",
		"cash-out.debit/Once it is confirmed",
		"balance.blocked/Pending, then settled",
		"balance.received/A paid cash-in",
		"money.returned/R$ 8.41 returned from a cash-out",
		"states.cash-in/PENDING, when a payer pays the charge: CONFIRMED",
	} {
		require.True(t, passed[id], id)
	}
}

// givingEach calls the given controls for each new account.
func givingEach(next http.Handler, controls map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/accounts" {
			next.ServeHTTP(w, r)
			return
		}
		made := httptest.NewRecorder()
		next.ServeHTTP(made, r)
		var account struct {
			ID int64 `json:"accountId"`
		}
		_ = json.Unmarshal(made.Body.Bytes(), &account) // valid: the response of the reference
		for name, body := range controls {
			set := httptest.NewRequestWithContext(r.Context(), http.MethodPut, fmt.Sprintf("http://localhost/accounts/%d/%s", account.ID, name), strings.NewReader(body))
			set.Header.Set("Content-Type", "application/json")
			answer := httptest.NewRecorder()
			if next.ServeHTTP(answer, set); answer.Code >= http.StatusMultipleChoices {
				panic("the control " + name + " refuses: " + answer.Body.String())
			}
		}
		w.WriteHeader(made.Code)
		_, _ = w.Write(made.Body.Bytes())
	})
}

// Without the control settlement, the outcomes of the target's sandbox show the faults of a mutant.
func TestTheSandboxShowsFaults(t *testing.T) {
	t.Parallel()
	for _, m := range mutants.All() {
		if !slices.Contains([]string{
			"reports a settled payment as LIQUIDATED", "reports a blocked account as closed", "reports a rejected payment as REJECTED",
			"debits a cash-out twice",
		}, m.Name) {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			profile, stop, err := bundled(t.Context(), reference.Config{Wrap: m.API, WrapControls: m.Controls, WebhookTransport: m.Webhooks})
			require.NoError(t, err)
			defer stop()
			profile.Control.Without = []target.Control{target.Settlement}
			profile.Deadlines.Balance = time.Second // a wrong balance is polled for all of it
			result, err := run.Certify(t.Context(), run.Options{Target: profile, Rules: []string{m.Rule}, Seed: 1, Once: true})
			require.NoError(t, err)
			require.Equal(t, verdict.DoesNotConform, result.Outcome(), result.Summary())
		})
	}
}

// The scenarios of a family that is not claimed do not apply, and do not make the run incomplete.
func TestFamiliesThatAreNotClaimed(t *testing.T) {
	t.Parallel()
	profile, stop, err := bundled(t.Context(), reference.Config{})
	require.NoError(t, err)
	defer stop()
	profile.Families = []target.Family{target.Public}
	profile.Deadlines = target.Deadlines{Answer: patience, Control: patience, Webhook: patience, Balance: patience} // on a slow machine, too
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Tags: "@bearer or @balance or @med or @contract or @webhook or @events", Seed: 1})
	require.NoError(t, err)
	require.Equal(t, verdict.Conforms, result.Outcome(), result.Summary())
	require.Equal(t, []string{"public"}, result.Families)
	for _, rule := range result.Results() {
		about := strings.HasPrefix(rule.Name, "med.") || strings.HasPrefix(rule.Name, "webhook.") || strings.HasPrefix(rule.Name, "events.")
		require.False(t, about && rule.Verdict != verdict.NotApplicable, "%s: %s", rule.Name, rule.Verdict)
	}
}

// plan only asks the target for its controls; offline, it sends nothing.
func TestPlanOnlyAsksForControls(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	record := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Method+" "+r.URL.Path)
		_, _ = io.WriteString(w, `{"protocol": 1, "controls": ["accounts", "funds"]}`)
	}
	gateway := httptest.NewServer(http.HandlerFunc(record))
	defer gateway.Close()

	status, stdout, stderr := invoke(t, "plan", "--url", gateway.URL, "--control-url", gateway.URL)
	require.Equal(t, 0, status, stderr)
	require.Equal(t, []string{"GET /controls"}, asked)
	require.Contains(t, stdout, "missing controls: settlement")
	require.Contains(t, stdout, "control clock")
	require.Contains(t, stdout, "more in part")

	asked = nil
	status, stdout, stderr = invoke(t, "plan", "--url", gateway.URL, "--control-url", gateway.URL, "--offline", "--json")
	require.Equal(t, 0, status, stderr)
	require.Empty(t, asked)
	var forecast plan.Forecast
	require.NoError(t, json.Unmarshal([]byte(stdout), &forecast))
	require.True(t, forecast.Offline)
	require.True(t, forecast.Reach.Complete())
	require.Empty(t, forecast.Unlocks)
	require.Len(t, forecast.Controls, len(controls))

	// Each unlock adds something, and all of them together unlock everything.
	status, stdout, _ = invoke(t, "plan", "--url", gateway.URL, "--json")
	require.Equal(t, 0, status)
	require.Empty(t, asked)
	require.NoError(t, json.Unmarshal([]byte(stdout), &forecast))
	whole := forecast.Reach.Whole
	for _, u := range forecast.Unlocks {
		require.Positive(t, u.Scenarios, u.Means)
		whole += len(u.Rules)
	}
	require.Equal(t, forecast.Reach.Rules, whole)
}

// An unlock keeps its promise, also if its scenarios apply only once it is there.
func TestUnlocksKeepTheirPromise(t *testing.T) {
	t.Parallel()
	profile := target.Profile{BaseURL: "http://127.0.0.1:1", Accounts: []target.Account{{AccountID: 1}}}
	profile.Sink.Listen = "127.0.0.1:9443"
	before, err := run.Foresee(t.Context(), run.Options{Target: profile}, true)
	require.NoError(t, err)
	first := before.Unlocks[0]
	require.Equal(t, []string{"sandboxScenarios in the profile"}, first.Means)

	profile.SandboxScenarios = map[string]string{}
	for _, outcome := range strings.Fields("CONFIRMED TAX_ID_MISMATCH INVALID_TAX_ID BLOCKED_ACCOUNT ACCOUNT_CLOSED ORDER_REJECTED PAYMENT_EXPIRED SETTLEMENT_TIMEOUT") {
		profile.SandboxScenarios[outcome] = outcome
	}
	after, err := run.Foresee(t.Context(), run.Options{Target: profile}, true)
	require.NoError(t, err)
	require.Equal(t, before.Reach.Whole+len(first.Rules), after.Reach.Whole)
	require.Equal(t, testable(before)+first.Scenarios, testable(after))
	require.Equal(t, before.Unlocks[1:], after.Unlocks)
}

// testable returns how many scenarios can be tested.
func testable(f *plan.Forecast) int {
	n := 0
	for _, feature := range f.Features {
		for _, rule := range feature.Rules {
			n += rule.Testable
		}
	}
	return n
}
