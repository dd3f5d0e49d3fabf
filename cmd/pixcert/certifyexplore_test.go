package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Findings and rules have one report and one exit status, and the other commands know both.
func TestCertifyExplores(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	gateway := mutant(t, "rejects decimals in a cash-in", mutants.Always) // most walks show it, in one request
	rules := ownDir(t, "Feature: F\n@core.balance\nRule: R\nScenario: S\nGiven an account\nWhen the account sends a balance request\nThen the request is accepted\n")
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, append([]string{"certify", "--explore", "1s", "--seed", "1", "--features", rules, "--keep-all", "--report", dir}, gateway...)...)
	require.Equal(t, 1, status, "%s%s", stdout, stderr)
	require.Regexp(t, `Explored first: \d+ walks, \d+ requests, \d+ of \d+ transitions`, stdout)
	require.Regexp(t, `(?m)^  Your own rules: The only rule passes\.\n  Exploring: (\d+ of \d+ findings? fails?|All|The only)`, stdout)

	past, err := report.Read(dir)
	require.NoError(t, err)
	require.Equal(t, verdict.DoesNotConform, past.Outcome())
	require.Positive(t, past.Explored.Walks)
	each := slices.IndexFunc(past.Scenarios, func(s verdict.Scenario) bool {
		return strings.HasPrefix(s.Rule, "found.") && s.Frequency() == "in all 10 attempts"
	})
	require.GreaterOrEqual(t, each, 0, stdout)
	finding := past.Scenarios[each]
	require.FileExists(t, past.Rules[slices.IndexFunc(past.Rules, func(r verdict.Rule) bool { return r.Name == finding.Rule })].File)
	for file, says := range map[string]string{report.HTMLFile: "Findings of pixcert explore", report.JUnitFile: "Found by pixcert explore", report.JSONFile: `"explored"`} {
		content, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		require.Contains(t, string(content), says)
	}

	status, stdout, stderr = invoke(t, "judge", dir)
	require.Equal(t, 1, status, stderr)
	require.Contains(t, stdout, "0 verdicts differ")
	require.Contains(t, stdout, "Explored first: ")
	status, stdout, stderr = invoke(t, "replay", finding.Slug(), "--report", dir)
	require.Equal(t, 1, status, stderr)
	require.Contains(t, stdout, "The target still fails.")
	status, stdout, stderr = invoke(t, "certify", "--rerun-failed", "--report", dir)
	require.Equal(t, 1, status, "%s%s", stdout, stderr)
	require.Contains(t, stdout, "Exploring: ")
}

// What would leave rules out, or could not be merged, does not go with exploring.
func TestCertifyExploresWholeRunsOnly(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{"--tags", "@token"}, {"--rule", "token.issued"}, {"--shard", "1/2"}, {"--depth", "quick"}} {
		status, _, stderr := invoke(t, append([]string{"certify", "--reference", "--explore", "5s", "--report", t.TempDir()}, flags...)...)
		require.Equal(t, exitNotRun, status)
		require.Contains(t, stderr, "--explore: exploring adds to a run of all rules; omit --tags")
	}
	status, _, stderr := invoke(t, "certify", "--reference", "--explore=-5s")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "--explore: expected a duration above zero")
}
