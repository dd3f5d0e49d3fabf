package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		subject []string
		says    []string
	}{
		"a rule":        {[]string{"cash-out.covers-fee"}, []string{"OUT-061", "features/cash-out.feature:", "ci/mutants/cashout.go:", "steps/language/", "Last result: none"}},
		"its tag":       {[]string{"@cash-out.covers-fee"}, []string{"Above the balance"}},
		"a statement":   {[]string{"out-063"}, []string{"OUT-063", "cash-out.duplicate-external-id", "Mutants that it must kill"}},
		"an error code": {[]string{"PIX_INSUFFICIENT_BALANCE"}, []string{"OUT-079", "cash-out.covers-fee"}},
		"an endpoint":   {[]string{"POST", "/api/pix/cash-out"}, []string{"operationId cashOut", "OUT-001", "cash-out.accepted"}},
		"a path":        {[]string{"/accounts/balances"}, []string{"balance request", "balance.answer"}},
		"a scenario":    {[]string{"cash-out.covers-fee/above-the-balance-next-to-every-choice"}, []string{"OUT-061"}},
		"in small type": {[]string{"pix_insufficient_balance"}, []string{"OUT-079"}},
		"a line":        {[]string{"Then", "the", "request", "is", "accepted"}, []string{"Rules that use it"}},
		"an operation":  {[]string{"resend request"}, []string{"operationId resendWebhook"}},
		"a step":        {[]string{"the account sends the request again"}, []string{"steps/language/", "cash-out.duplicate-external-id"}},
		"with a table":  {[]string{"the response has:"}, []string{"Rules that use it"}},
	} {
		status, stdout, stderr := invoke(t, append([]string{"explain", "--report", t.TempDir()}, c.subject...)...)
		require.Zero(t, status, "%s: %s", name, stderr)
		for _, says := range c.says {
			require.Contains(t, stdout, says, name)
		}
	}
	status, _, stderr := invoke(t, "explain", "cash-out.covers-fees")
	require.Equal(t, 2, status)
	require.Contains(t, stderr, "did you mean cash-out.covers-fee")
	for subject, near := range map[string]string{
		"PIX_INSUFICIENT_BALANCE": "PIX_INSUFFICIENT_BALANCE", "OUT-9999": "OUT-099", "POST /api/pix/cashout": "POST /api/pix/cash-out",
	} {
		status, stdout, stderr := invoke(t, "explain", subject)
		require.Equal(t, 2, status)
		require.Empty(t, stdout)
		require.Contains(t, stderr, near)
	}
	status, _, stderr = invoke(t, "explain", "PIX_NO_SUCH_CODE")
	require.Equal(t, 2, status)
	require.Contains(t, stderr, "is not a rule")
}

func TestExplainShowsTheLastResult(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	status, _, stderr := invoke(t, "certify", "--rule", "token.issued", "--report", dir)
	require.Zero(t, status, stderr)
	_, stdout, _ := invoke(t, "explain", "token.issued", "--report", dir)
	require.Regexp(t, `Last result on the bundled reference gateway: \d+ pass`, stdout)
}

func TestRules(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := invoke(t, "rules")
	require.Zero(t, status, stderr)
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	rules, scenarios := 0, 0
	for _, feature := range all.Features {
		rules += len(feature.Rules)
		for _, rule := range feature.Rules {
			scenarios += len(rule.Scenarios)
			require.Contains(t, stdout, rule.Name)
		}
	}
	require.Contains(t, stdout, fmt.Sprintf("%d rules, %d scenarios", rules, scenarios))
	_, stdout, _ = invoke(t, "rules", "night", "LIMIT")
	require.Contains(t, stdout, "cash-out.night-limit")
	require.NotContains(t, stdout, "token.issued")
	_, stdout, _ = invoke(t, "rules", "OUT-063", "--json")
	require.JSONEq(t, `"cash-out.duplicate-external-id"`, `"`+between(stdout, `"name": "`, `"`)+`"`)
	status, _, stderr = invoke(t, "rules", "zebra")
	require.Equal(t, 2, status)
	require.Contains(t, stderr, "no rule contains")
}

func between(s, from, to string) string {
	_, rest, _ := strings.Cut(s, from)
	inner, _, _ := strings.Cut(rest, to)
	return inner
}

// A recorded run is judged again without the gateway, with the same verdicts.
func TestARecordedRunIsJudgedAgain(t *testing.T) {
	t.Parallel()
	dir, again := t.TempDir(), t.TempDir()
	status, _, stderr := invoke(t, "certify", "--tags", "@cash-out or @delivery or @token", "--keep-all", "--report", dir)
	require.Zero(t, status, stderr)
	status, stdout, stderr := invoke(t, "judge", dir, "--report", again)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "0 verdicts differ")
	require.FileExists(t, filepath.Join(again, "index.html"))

	status, _, stderr = invoke(t, "judge", again)
	require.Equal(t, 2, status)
	require.Contains(t, stderr, "--keep-all")
}
