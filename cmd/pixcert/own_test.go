package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
)

// ownRules are rules that a team could have: the reference keeps the first one, and not the second.
const ownRules = `@core-team
Feature: Rules of the core team

  Background:
    Given an account with R$ 100.00 available

  @core.freed-external-id @OUT-063
  Rule: An externalId stays used after its payment was returned
    A return freed it once.

    Scenario: Confirmed and returned
      Given the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      And a CashOut event arrives
      And the payee returns R$ 10.00
      When the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the available balance is unchanged

  @core.small-cash-outs
  Rule: Cash-outs below R$ 5.00 are rejected

    Scenario Outline: <value>
      When the account sends a cash-out with value <value>
      Then the request is <outcome>

      Examples:
        | value | outcome           |
        | 4.99  | rejected with 400 |
        | 5.00  | accepted          |
`

// ownDir writes a feature file into a new directory.
func ownDir(t *testing.T, feature string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "rules")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "core.feature"), []byte(feature), 0o644))
	return dir
}

func TestOwnRules(t *testing.T) {
	t.Parallel()
	rules, dir := ownDir(t, ownRules), t.TempDir()
	status, stdout, stderr := invoke(t, "certify", "--reference", "--features", rules, "--tags", "@own or @token", "--keep-all", "--report", dir)
	require.Equal(t, 1, status, "%s\n%s", stdout, stderr)
	require.Contains(t, stdout, "  2 rules of your own, from "+rules+"\n")
	require.Contains(t, stdout, "✗ Own rules fail\n")
	require.Regexp(t, `(?m)^  All \d+ rules pass\.\n  Your own rules: 1 of 2 rules fails\. 1 passes\.$`, stdout)
	require.Contains(t, stdout, "    rule      core.small-cash-outs: Cash-outs below R$ 5.00 are rejected\n    your own  "+rules+"/core.feature:29\n")
	past, err := report.Read(dir)
	require.NoError(t, err)
	require.Equal(t, verdict.OwnRulesFail, past.Outcome())
	require.Equal(t, rules, past.Own.Directory)
	last := past.Rules[len(past.Rules)-1]
	require.True(t, last.Own)
	require.Equal(t, rules+"/core.feature", last.File)

	t.Run("judge needs only the records", func(t *testing.T) {
		moved := filepath.Join(t.TempDir(), "report")
		require.NoError(t, os.CopyFS(moved, os.DirFS(dir)))
		status, stdout, stderr := invoke(t, "judge", moved)
		require.Equal(t, 1, status, stderr)
		require.Contains(t, stdout, "0 verdicts differ")
		require.Contains(t, stdout, "Your own rules: 1 of 2 rules fails.")
	})
	t.Run("replay", func(t *testing.T) {
		status, stdout, stderr := invoke(t, "replay", "core.small", "--report", dir, "--attempts", "1")
		require.Equal(t, 1, status, stderr)
		require.Contains(t, stdout, "✗ Then the request is rejected with 400")
	})
	t.Run("explain", func(t *testing.T) {
		status, stdout, stderr := invoke(t, "explain", "core.freed-external-id", "--report", dir)
		require.Zero(t, status, stderr)
		for _, part := range []string{rules + "/core.feature:8\n", "A return freed it once.", "OUT-063", rules + "/core.feature:11  Confirmed and returned", "Last result on the bundled reference gateway: 1 pass"} {
			require.Contains(t, stdout, part)
		}
		require.NotContains(t, stdout, "Mutants")
		_, stdout, _ = invoke(t, "explain", "OUT-063", "--report", dir)
		require.Contains(t, stdout, "core.freed-external-id")
		status, stdout, stderr = invoke(t, "explain", "core.freed-external-id", "--report", t.TempDir())
		require.Equal(t, 2, status, stdout)
		require.Contains(t, stderr, "is not a rule")
	})
	t.Run("a baseline may list them", func(t *testing.T) {
		known := filepath.Join(t.TempDir(), "known.yaml")
		_, stdout, _ := invoke(t, "baseline", dir)
		require.NoError(t, os.WriteFile(known, []byte(stdout), 0o644))
		status, stdout, stderr := invoke(t, "certify", "--rerun-failed", "--report", dirLike(t, dir), "--features", rules, "--baseline", known)
		require.Zero(t, status, "%s%s", stdout, stderr)
		require.Contains(t, stdout, "~ No new failures")
		require.Contains(t, stdout, "Your own rules: 1 of 2 rules fails only as the baseline lists. 1 passes.")
		status, stdout, stderr = invoke(t, "compare", dir, dir, "--baseline", known)
		require.Zero(t, status, "%s%s", stdout, stderr)
		status, _, stderr = invoke(t, "certify", "--reference", "--baseline", known, "--report", t.TempDir())
		require.Equal(t, 2, status)
		require.Contains(t, stderr, "there is no rule core.small-cash-outs")
	})
	t.Run("rerun-failed tells what it needs", func(t *testing.T) {
		again := dirLike(t, dir)
		verdictFile := filepath.Join(again, report.JSONFile)
		content, err := os.ReadFile(verdictFile)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(verdictFile, []byte(strings.ReplaceAll(string(content), rules, rules+"-gone")), 0o644))
		remember(again)
		status, _, stderr := invoke(t, "certify", "--rerun-failed", "--report", again)
		require.Equal(t, 2, status)
		require.Contains(t, stderr, "--features "+rules+"-gone: reading the features: open "+rules+"-gone: no such file or directory")
		status, stdout, stderr := invoke(t, "explain", "cash-out.covers-fee", "--report", again)
		require.Zero(t, status, stderr)
		require.Contains(t, stdout, "OUT-061")
		require.Contains(t, stderr, "note: without the own rules of the report")
		status, stdout, stderr = invoke(t, "certify", "--rerun-failed", "--report", again, "--features", rules)
		require.Equal(t, 1, status, stderr)
		require.Contains(t, stdout, "Your own rules: 1 of 2 rules fails. 1 passes.")
	})
}

// dirLike is a copy of a report.
func dirLike(t *testing.T, dir string) string {
	t.Helper()
	again := filepath.Join(t.TempDir(), "report")
	require.NoError(t, os.CopyFS(again, os.DirFS(dir)))
	return again
}

func TestShardsOfOwnRules(t *testing.T) {
	t.Parallel()
	rules := ownDir(t, ownRules)
	var dirs []string
	for _, shard := range []string{"1/2", "2/2"} {
		dir := t.TempDir()
		dirs = append(dirs, dir)
		_, stdout, stderr := invoke(t, "certify", "--reference", "--features", rules, "--tags", "@own", "--keep-all", "--shard", shard, "--report", dir)
		require.Contains(t, stdout, "Shard "+shard, stderr)
	}
	merged := t.TempDir()
	status, stdout, stderr := invoke(t, "merge", dirs[0], dirs[1], "--report", merged)
	require.Equal(t, 1, status, stderr)
	require.Contains(t, stdout, "Your own rules: 1 of 2 rules fails. 1 passes.\n  3 scenarios")
	status, stdout, stderr = invoke(t, "judge", merged)
	require.Equal(t, 1, status, stderr)
	require.Contains(t, stdout, "0 verdicts differ")

	require.NoError(t, os.WriteFile(filepath.Join(rules, "core.feature"), []byte(strings.ReplaceAll(ownRules, "4.99", "4.98")), 0o644))
	_, _, stderr = invoke(t, "certify", "--reference", "--features", rules, "--tags", "@own", "--shard", "2/2", "--report", dirs[1])
	status, _, stderr2 := invoke(t, "merge", dirs[0], dirs[1], "--report", merged)
	require.Equal(t, 2, status, stderr)
	require.Contains(t, stderr2, "with different own features")
}

// The errors of own features are reported before anything is sent, all at once.
func TestMistakesInOwnRules(t *testing.T) {
	t.Parallel()
	rules := ownDir(t, strings.NewReplacer("has sent a cash-out of", "has send a cash-out of", "the request is <outcome>", "the request gets <outcome>").Replace(ownRules))
	for _, command := range [][]string{{"certify", "--url", "http://127.0.0.1:1"}, {"plan", "--reference"}, {"rules"}, {"explain", "core.small-cash-outs"}} {
		status, stdout, stderr := invoke(t, append(command, "--features", rules)...)
		require.Equal(t, 2, status)
		require.Empty(t, stdout)
		require.Regexp(t, `^pixcert: --features `+regexp.QuoteMeta(rules)+`: 3 errors:
.*/core.feature:13: "the account has send a cash-out of R\$ 10.00" is not a sentence of the vocabulary; did you mean "the account has sent a cash-out of R\$ 10.00".*
.*/core.feature:25: "the request gets rejected with 400" is not a sentence of the vocabulary; did you mean "the request is rejected with 400".*
.*/core.feature:25: "the request gets accepted" is not a sentence of the vocabulary; did you mean "the request is accepted".*
$`, stderr)
	}
	for flag, says := range map[string]string{
		"":                                   "--features: expected a value, got an empty string",
		filepath.Join(rules, "none"):         "no such file or directory",
		filepath.Join(rules, "core.feature"): "is not a directory",
		t.TempDir():                          "expected .feature files in",
		ownDir(t, strings.Replace(ownRules, "@core.small-cash-outs", "@cash-out.covers-fee", 1)): "duplicate rule name @cash-out.covers-fee, also at pixcert's cash-out.feature:",
	} {
		status, _, stderr := invoke(t, "certify", "--reference", "--features", flag, "--report", t.TempDir())
		require.Equal(t, 2, status)
		require.Contains(t, stderr, says)
	}
	status, _, stderr := invoke(t, "certify", "--reference", "--tags", "@own", "--report", t.TempDir())
	require.Equal(t, 2, status)
	require.Contains(t, stderr, "pass their directory with --features")
}

func TestOwnRulesInPlanAndRules(t *testing.T) {
	t.Parallel()
	rules := ownDir(t, ownRules)
	status, stdout, stderr := invoke(t, "plan", "--reference", "--offline", "--features", rules)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, fmt.Sprintf("Your own, %s/core.feature: 2 of 2 rules can be tested\n", rules))
	status, stdout, stderr = invoke(t, "rules", "core.", "--features", rules)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "core.freed-external-id             An externalId stays used after its payment was returned\n")
	require.Contains(t, stdout, "2 rules, 3 scenarios")
}

// A scenario whose steps make no sense together is the user's mistake, not pixcert's.
func TestOwnRulesThatMakeNoSense(t *testing.T) {
	t.Parallel()
	rules := ownDir(t, "Feature: F\n@core.none\nRule: R\nScenario: S\nGiven an account\nWhen the account sends the request again\nThen the request is accepted\n")
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, "certify", "--reference", "--features", rules, "--rule", "core.none", "--report", dir)
	require.Equal(t, 3, status, stderr)
	require.Contains(t, stdout, "a mistake in your scenario, not in the target")
	require.Contains(t, stdout, "no request to repeat")
	page, err := os.ReadFile(filepath.Join(dir, report.HTMLFile))
	require.NoError(t, err)
	require.Contains(t, string(page), "In your own rules, they are steps that make no sense together")
}

// An own feature may have a secret of the run in its words. Neither the report nor the records show it,
// and the records can still be judged.
func TestOwnRulesKeepSecrets(t *testing.T) {
	t.Parallel()
	profile := openSandbox(t, reference.Config{}, 1)
	secret := profile.Accounts[0].ClientSecret
	rules, dir, from := ownDir(t, "Feature: F\n@core.secret\nRule: R\nScenario: S\nGiven an account\nWhen the account sends a token request with clientSecret \""+secret+"\"\nThen the request is rejected with 401\n"), t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(from, "account.pem"), profile.Accounts[0].Certificate, 0o600))
	file := profileFile(t, from, profile, fmt.Sprintf("accounts: [{clientId: %s, clientSecret: %s, certificate: account.pem, id: %d}]", profile.Accounts[0].ClientID, secret, profile.Accounts[0].AccountID))
	status, stdout, stderr := invoke(t, "certify", file, "--features", rules, "--rule", "core.secret", "--keep-all", "--report", dir)
	require.Zero(t, status, "%s\n%s", stdout, stderr)
	for _, name := range []string{report.JSONFile, report.JUnitFile, report.HTMLFile} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NotContains(t, string(content), secret, name)
	}
	records, err := os.Open(filepath.Join(dir, report.RecordsFile))
	require.NoError(t, err)
	defer records.Close()
	unzipped, err := gzip.NewReader(records)
	require.NoError(t, err)
	content, err := io.ReadAll(unzipped)
	require.NoError(t, err)
	before, _, found := strings.Cut(string(content), secret)
	require.False(t, found, before[max(0, len(before)-200):])
	status, stdout, stderr = invoke(t, "judge", dir)
	require.Zero(t, status, "%s\n%s", stdout, stderr)
	require.Contains(t, stdout, "0 verdicts differ")
}

func TestSteps(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := invoke(t, "steps")
	require.Zero(t, status, stderr)
	for _, part := range []string{"Given\n  an account\n", "\nWhen\n", "\nThen\n", "      the request (is|should be) OUTCOME\n", "OPERATION: a request\n"} {
		require.Contains(t, stdout, part)
	}
	for line := range strings.Lines(stdout) {
		assert.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 100, line)
	}
	_, stdout, _ = invoke(t, "steps", "sends", "refund of")
	require.Contains(t, stdout, "the account sends a refund of R$ ")
	require.NotContains(t, stdout, "OPERATION:")
	status, _, stderr = invoke(t, "steps", "zebra")
	require.Equal(t, 2, status)
	require.Contains(t, stderr, "no sentence contains")
	_, stdout, _ = invoke(t, "steps", "balance", "falls", "--json")
	var guide struct {
		Sentences []struct{ Form, Type, Example string }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &guide))
	require.NotEmpty(t, guide.Sentences)
	require.Equal(t, "outcome", guide.Sentences[0].Type)
}
