package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/explore"
	"github.com/pixcert/pixcert/steps/run"
)

func TestExploreFindsNothingInTheReference(t *testing.T) {
	t.Parallel()
	walks := "96"
	if testing.Short() { // with the race detector
		walks = "8"
	}
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, "explore", "--reference", "--for", "20m", "--walks", walks, "--seed", "1", "--corpus", filepath.Join(dir, "found"), "--report", filepath.Join(dir, "report"))
	require.Zero(t, status, "%s%s", stdout, stderr)
	require.Regexp(t, walks+` walks and \d+ requests in .+, seed 1\n\d+ of \d+ transitions and \d+ of \d+ pairs`, stdout)
	require.Contains(t, stdout, "✓ No findings")
	require.NoDirExists(t, filepath.Join(dir, "found"))
}

// PIXCERT_SEEDS is how many seeds draw a few walks each; without it, there are few.
func TestNoSeedFindsAnythingInTheReference(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	seeds := number(t, "PIXCERT_SEEDS", 4)
	walks := 0
	for seed := range seeds {
		profile, stop, err := bundled(t.Context(), reference.Config{})
		require.NoError(t, err)
		report, err := explore.Explore(t.Context(), explore.Options{Run: run.Options{Target: profile, Concurrency: 8}, Seed: 1000 + seed, Walks: 8})
		stop()
		require.NoError(t, err)
		walks += report.Walks
		for _, f := range report.Findings {
			t.Errorf("seed %d: expected %s, got %s\n%s", report.Seed, f.Result.Finding.Expected, f.Result.Finding.Got, f.Walk.Scenario(f.Name()))
		}
	}
	t.Logf("%d seeds, %d walks", seeds, walks)
}

// mutant starts a mutant, and returns the arguments that name it.
func mutant(t *testing.T, name string, often mutants.Frequency) []string {
	t.Helper()
	for _, m := range slices.Concat(mutants.AllDeep(), mutants.All(), mutants.Tolerated()) {
		if m.Name != name {
			continue
		}
		m = m.At(often)
		profile, stop, err := bundled(context.Background(), reference.Config{Wrap: m.API, WrapControls: m.Controls, WebhookTransport: m.Webhooks, Triggers: m.Triggers()})
		require.NoError(t, err)
		t.Cleanup(stop)
		return urls(profile)
	}
	require.Fail(t, "no such mutant", name)
	return nil
}

func TestExploreFindsAFault(t *testing.T) {
	t.Parallel()
	gateway := mutant(t, "returns 409 for a used externalId", mutants.Always)
	dir := t.TempDir()
	found, report := filepath.Join(dir, "found"), filepath.Join(dir, "report")
	explore := append([]string{"explore", "--for", "20m", "--walks", "128", "--fail-fast", "--seed", "1", "--corpus", found, "--report", report}, gateway...)
	status, stdout, stderr := invoke(t, explore...)
	require.Equal(t, 1, status, "%s%s", stdout, stderr)
	require.Regexp(t, `(?m)^    steps     Given (.*\n)+ +When the account sends`, stdout)
	require.Regexp(t, `\n✗ Does not conform\n(  .*\n)*  Exploring: 1 of 1 finding fails\.\n`, stdout)
	page, err := os.ReadFile(filepath.Join(report, "index.html"))
	require.NoError(t, err)
	require.Regexp(t, `pixcert replay found\.\S+ --report `+regexp.QuoteMeta(report)+`<`, string(page))
	features, err := filepath.Glob(filepath.Join(found, "*.feature"))
	require.NoError(t, err)
	require.NotEmpty(t, features)

	// What was found is a feature that certify runs: it fails this gateway, and the reference passes.
	certify := []string{"certify", "--features", found, "--tags", "@own", "--report", filepath.Join(dir, "again")}
	status, stdout, _ = invoke(t, append(certify, gateway...)...)
	require.Equal(t, 1, status, stdout)
	status, stdout, stderr = invoke(t, append(certify, "--reference")...)
	require.Zero(t, status, "%s%s", stdout, stderr)

	// The corpus is tried again, even if no walk finds it anew.
	status, stdout, _ = invoke(t, append([]string{"explore", "--for", "20m", "--walks", "1", "--seed", "2", "--corpus", found, "--report", report}, gateway...)...)
	require.Equal(t, 1, status, stdout)

	// Its report does not stay next to "No findings".
	status, stdout, stderr = invoke(t, "explore", "--reference", "--for", "20m", "--walks", "1", "--seed", "2", "--corpus", filepath.Join(dir, "none"), "--report", report)
	require.Zero(t, status, "%s%s", stdout, stderr)
	require.NoFileExists(t, filepath.Join(report, "index.html"))
}

// An intermittent finding is shortened, counts however often it fails, and is re-run as often.
func TestExploreCountsHowOftenAFindingFails(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	gateway := mutant(t, "returns 409 for a used externalId", mutants.OneInTen)
	dir := t.TempDir()
	found := filepath.Join(dir, "found")
	explore := append([]string{"explore", "--for", "20m", "--walks", "64", "--seed", "1", "--corpus", found, "--report", filepath.Join(dir, "report")}, gateway...)
	status, stdout, stderr := invoke(t, explore...)
	require.Equal(t, 1, status, "%s%s", stdout, stderr)
	require.Regexp(t, `failed    in (\d+ of|all) 10 attempts`, stdout)
	command := regexp.MustCompile(`\n +pixcert (certify .*)\n`).FindStringSubmatch(stdout)
	require.NotNil(t, command)
	status, stdout, _ = invoke(t, strings.Fields(command[1])...)
	require.Equal(t, 1, status, stdout)
	require.Regexp(t, `in \d+ of 10 attempts`, stdout)
}

// Whether the money of a failed payment comes back is left open: where it does not, walks learn to do without.
func TestExploreSaysWhatTheGatewayNeverDoes(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	gateway := mutant(t, "never gives back the money of a rejected cash-out", mutants.Always)
	dir := t.TempDir()
	explore := append([]string{"explore", "--for", "20m", "--walks", "96", "--seed", "5", "--corpus", filepath.Join(dir, "found"), "--report", filepath.Join(dir, "report")}, gateway...)
	status, stdout, stderr := invoke(t, explore...)
	require.Zero(t, status, "%s%s", stdout, stderr)
	ended, times := 0, 0
	for _, line := range regexp.MustCompile(`(\d+) walks? could not be completed: could not test: expected available to rise by (.*)`).FindAllStringSubmatch(stdout, -1) {
		n, err := strconv.Atoi(line[1])
		require.NoError(t, err)
		require.NotRegexp(t, `\d`, line[2], "amounts do not tell walks apart")
		ended, times = ended+n, times+1
	}
	require.Greater(t, ended, times, stdout)
	require.Contains(t, stdout, fmt.Sprintf("Not tried again: cash-out: is rejected by the bank, which returns its money (%d walks ended there; the reasons are above)", ended))
	require.Contains(t, stdout, "✓ No findings")
}

func TestExploreRejectsWrongFlags(t *testing.T) {
	t.Parallel()
	bad := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bad, "a.feature"), []byte("Feature: nothing\n"), 0o644))
	for _, c := range []struct {
		flags []string
		says  string
	}{
		{[]string{"--for", "0s"}, "--for: expected a duration above zero"},
		{[]string{"--walks=-1"}, "--walks: expected at least 1"},
		{[]string{"--seed=-1"}, "--seed: expected at least 1"},
		{[]string{"--concurrency", "0"}, "--concurrency: expected at least 1"},
		{[]string{"--corpus", bad}, "a.feature:1: the feature \"nothing\" has no rules"},
	} {
		status, _, stderr := invoke(t, append([]string{"explore", "--reference"}, c.flags...)...)
		require.Equal(t, exitNotRun, status)
		require.Contains(t, stderr, c.says)
	}
}
